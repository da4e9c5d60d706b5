package install

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"spar/sortie/harness"
)

// inlineTOML are config.toml files that keep hooks already.
func inlineTOML() map[string]string {
	hook := "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n"
	return map[string]string{
		"alone":            hook,
		"after settings":   "model = \"x\"\n\n[features]\nhooks = true\n\n" + hook,
		"before a table":   hook + "\n[projects.\"/x y\"]\ntrust_level = \"trusted\" # yes\n",
		"CRLF":             strings.ReplaceAll("model = \"x\"\n\n"+hook, "\n", "\r\n"),
		"no final newline": strings.TrimSuffix(hook, "\n"),
		"many newlines":    hook + "\n\n\n",
		"strings":          "a = \"\"\"\n[[hooks.PreToolUse]]\n\"\"\"\nb = '''\n]]'''\nc = \"# no\\\" remark\"\n" + hook,
		"lists":            "notify = [\n  \"a\", # one ]\n  [1, 2],\n  { x = 1, y = \"}\" },\n]\n" + hook,
		"state":            hook + "\n[hooks.state.\"/x/config.toml:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n",
		"matcher":          "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = 'lint'\n",
		"mark":             "\ufeff" + hook,
		"odd spacing":      "[[ hooks . Stop ]] # mine\n  [[hooks.\"Stop\".hooks]]\n  command   =   'say'\n",
		"dates":            "d = 1979-05-27T07:32:00Z\nn = 1_000\nf = inf\n" + hook,
	}
}

// TestTOML: Codex's inline form, wired and taken out again.
func TestTOML(t *testing.T) {
	t.Parallel()
	for name, text := range inlineTOML() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := bench(t)
			path := filepath.Join(o.Project, ".codex", "config.toml")
			write(t, path, text)
			r, err := Install(o, "codex", harness.Project)
			if err != nil || r.File != path || r.Count("wired") != 8 {
				t.Fatalf("%+v, %v", r, err)
			}
			wiredOnce(t, o, "codex", harness.Project)
			wired := read(t, path)
			if !strings.HasPrefix(wired, text) {
				t.Errorf("changed what was there:\n%s", wired)
			}
			if r, err = Install(o, "codex", harness.Project); err != nil || r.Changed || read(t, path) != wired {
				t.Fatalf("again: %+v, %v", r, err)
			}
			if r, err = Uninstall(o, "codex", harness.Project); err != nil || r.Count("removed") != 8 {
				t.Fatalf("%+v, %v", r, err)
			}
			if back := read(t, path); back != text {
				t.Errorf("was\n%q\nis\n%q", text, back)
			}
		})
	}
}

func TestTOMLRepairs(t *testing.T) {
	t.Parallel()
	o := bench(t)
	path := filepath.Join(o.Project, ".codex", "config.toml")
	write(t, path, `[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "spar hook"
timeout = 3 # short
[[hooks.PreToolUse.hooks]]
type = "command"
command = "lint"

[[hooks.Stop]]
matcher = "x"
[[hooks.Stop.hooks]]
type = "command"
command = 'npx @hyuga/groundtruth stop'

[[hooks.PostToolUse]]
matcher = "Bash"
[[hooks.PostToolUse.hooks]]
type = "command"
command = "/nowhere/spar hook"
`)
	o.ReplaceOlder = true
	r, err := Install(o, "codex", harness.Project)
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{"widened": 2, "raised": 1, "respelled": 1, "older removed": 1, "wired": 6} {
		if r.Count(what) != n {
			t.Errorf("%d %s, want %d: %+v", r.Count(what), what, n, r.Changes)
		}
	}
	wiredOnce(t, o, "codex", harness.Project)
	got := read(t, path)
	for _, want := range []string{
		"[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"lint\"\n",
		"[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"spar hook --harness codex --event PostToolUse\"\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
	if strings.Contains(got, "hyuga") {
		t.Error("the older one is still there")
	}
}

// FuzzTOML: whatever the file holds, an edit leaves what was there as it is, and
// what is read back is what was written.
func FuzzTOML(f *testing.F) {
	for _, text := range inlineTOML() {
		f.Add([]byte(text))
	}
	w, _ := harness.Wiring("codex")
	s := tomlSheet{w, "config.toml"}
	fields := []harness.Field{{Key: "type", Value: "command"}, {Key: "command", Value: `"C:/x y/spar" hook`}, {Key: "timeout", Value: 10}}
	f.Fuzz(func(t *testing.T, text []byte) {
		before, err := s.read(text)
		if err != nil {
			return
		}
		added, err := s.add(text, "NewEvent", fields)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(added, text) {
			t.Fatalf("%q became %q", text, added)
		}
		after, err := s.read(added)
		if err != nil || len(after) != len(before)+1 {
			t.Fatalf("%q: %d hooks, then %d: %v", added, len(before), len(after), err)
		}
		last := after[len(after)-1]
		if last.text("command") != `"C:/x y/spar" hook` || last.field("timeout") != 10 {
			t.Fatalf("read back as %+v", last)
		}
		back, err := s.remove(added, last.at)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := bytes.TrimRight(back, "\r\n"), bytes.TrimRight(text, "\r\n"); !bytes.Equal(a, b) {
			t.Fatalf("%q became %q", text, back)
		}
	})
}
