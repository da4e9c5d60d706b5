package doctor

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

// A probe's payload has to be what the harness itself would send: the entry's flags
// name the event, and an entry without flags has to tell it from the payload.
func TestHarmlessIsTheEvent(t *testing.T) {
	t.Parallel()
	env := func(string) string { return "" }
	for _, name := range harness.Wirings() {
		w, _ := harness.Wiring(name)
		for _, e := range w.Events {
			raw := harmless(name, e, t.TempDir())
			for _, hint := range []harness.Hint{{Harness: name, Event: e.Name}, {}} {
				call, odd, err := harness.Parse(raw, hint, env)
				if err != nil || len(odd) > 0 {
					t.Errorf("%s %s %+v: %v, odd %q", name, e.Name, hint, err, odd)
					continue
				}
				if call.Harness != name || call.Event != e.Event || call.Session != "spar-probe" {
					t.Errorf("%s %s %+v: taken for %s %s of session %q", name, e.Name, hint, call.Harness, call.Event, call.Session)
				}
			}
		}
	}
}

func TestNearEvent(t *testing.T) {
	t.Parallel()
	tests := []struct{ harness, name, want string }{
		{"claude", "preToolUse", "PreToolUse"},
		{"claude", "pre-tool-use", "PreToolUse"},
		{"claude", "BeforeTool", "PreToolUse"},
		{"gemini", "PreToolUse", "BeforeTool"},
		{"gemini", "Stop", "AfterAgent"},
		{"cursor", "UserPromptSubmit", "beforeSubmitPrompt"},
		{"codex", "PostToolUseFailure", ""}, // Codex has none
		{"claude", "Notification", ""},
		{"claude", "", ""},
	}
	for _, tt := range tests {
		w, _ := harness.Wiring(tt.harness)
		if got := nearEvent(w, tt.name); got != tt.want {
			t.Errorf("nearEvent(%s, %q) = %q, want %q", tt.harness, tt.name, got, tt.want)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	r := Report{Checks: []hook.Check{
		{Name: "ledger", State: OK, Next: "sound"},
		{Name: "hook", Harness: "codex", Event: "pre-tool", State: Unproven, Next: "never seen to fire"},
		{Name: "hook", Harness: "claude", Event: "pre-tool", State: OK, Next: "received in this sortie"},
		{Name: "hook", Harness: "claude", Event: "post-tool", State: OK, Next: "received in this sortie"},
		{Name: "limits", Harness: "claude", State: Unproven, Next: "not seen"},
		{Name: "hook", Harness: "codex", Event: "stop", State: Broken, Next: "f:3 Stop: dead\nspar install"},
		{Name: "hook", Harness: "codex", Event: "prompt", State: Unproven, Next: "never seen to fire"},
	}}
	var b bytes.Buffer
	if err := Write(&b, r, false); err != nil {
		t.Fatal(err)
	}
	want := `broken: 1 broken, 2 unproven, 3 ok

here: ok
  ok        ledger: sound

Claude Code: ok
  unproven  limits: not seen
  ok        hook pre-tool, post-tool: received in this sortie

Codex CLI: broken
  broken    hook stop: f:3 Stop: dead
            → spar install
  unproven  hook pre-tool, prompt: never seen to fire
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := Write(&b, r, true); err != nil {
		t.Fatal(err)
	}
	plainText := strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(b.String())
	if plainText != want {
		t.Errorf("colours change the text:\n%s", plainText)
	}
	b.Reset()
	if err := WriteLines(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != len(r.Checks) {
		t.Errorf("%d lines for %d checks:\n%s", n, len(r.Checks), b.String())
	}
	if line := "broken    hook codex stop: f:3 Stop: dead; next: spar install\n"; !strings.Contains(b.String(), line) {
		t.Errorf("no line %q in\n%s", line, b.String())
	}
}

func TestSameBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("x", 200<<10)
	self := write("self", long)
	tests := []struct {
		path string
		want bool
	}{
		{self, true},
		{write("copy", long), true},
		{write("other", long[:len(long)-1]+"y"), false},
		{write("short", "x"), false},
	}
	for _, tt := range tests {
		if got, err := sameBuild(tt.path, self); got != tt.want || err != nil {
			t.Errorf("sameBuild(%s) = %v, %v, want %v", filepath.Base(tt.path), got, err, tt.want)
		}
	}
	if _, err := sameBuild(filepath.Join(dir, "none"), self); err == nil {
		t.Error("a missing program is taken for one")
	}
	if _, err := sameBuild(self, ""); err == nil {
		t.Error("an unknown binary is compared")
	}
}

// desk is a project with a person's home beside it, both empty.
func desk(t *testing.T) (*hook.Desk, install.Options) {
	t.Helper()
	root := t.TempDir()
	home, project := filepath.Join(root, "home"), filepath.Join(root, "project")
	for _, dir := range []string{home, project} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	self := filepath.Join(root, "spar")
	if err := os.WriteFile(self, []byte("a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	w := sortie.World{Now: func() time.Time { return now }, Env: func(string) string { return "" }, Dir: project}
	h := sortie.Home{Dir: filepath.Join(project, ".spar"), Root: project}
	book := h.Open(w)
	t.Cleanup(func() { book.Close() })
	return &hook.Desk{World: w, Home: h, Book: book},
		install.Options{Env: w.Env, Home: home, Project: project, Self: self, Now: now, Absolute: true}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func find(r Report, name, harness string) (found []hook.Check) {
	for _, c := range r.Checks {
		if c.Name == name && c.Harness == harness {
			found = append(found, c)
		}
	}
	return found
}

// What each harness keeps of its trust decides between a step that is not done and
// one that nobody can tell.
func TestTrust(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, harness string
		scope         harness.Scope
		file, text    string // below the person's home; PROJECT stands for the project
		want          string // the state, "" for no word about it
	}{
		{"claude, nothing known", "claude", harness.Project, "", "", Unproven},
		{"claude, own settings need no trust", "claude", harness.User, "", "", ""},
		{"claude, accepted", "claude", harness.Project, ".claude.json", `{"projects": {"PROJECT": {"hasTrustDialogAccepted": true}}}`, ""},
		{"claude, not accepted", "claude", harness.Project, ".claude.json", `{"projects": {"PROJECT": {"hasTrustDialogAccepted": false}}}`, Unproven},
		{"claude, no JSON", "claude", harness.Project, ".claude.json", `{`, Unproven},
		{"gemini, nothing known", "gemini", harness.User, "", "", Unproven},
		{"gemini, trusted", "gemini", harness.User, ".gemini/trustedFolders.json", `{"PROJECT": "TRUST_FOLDER"}`, ""},
		{"gemini, refused", "gemini", harness.User, ".gemini/trustedFolders.json", `{"PROJECT": "DO_NOT_TRUST"}`, Broken},
		{"codex, not reviewed", "codex", harness.User, ".codex/config.toml", "model = \"x\"\n", Broken},
		{"codex, no config", "codex", harness.Project, "", "", Broken},
		{"codex, reviewed", "codex", harness.Project, ".codex/config.toml",
			"[hooks.state.\"PROJECT/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n", Unproven},
		{"codex, another file reviewed", "codex", harness.User, ".codex/config.toml",
			"[hooks.state.\"PROJECT/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n", Broken},
		{"copilot, nothing known", "copilot", harness.Project, "", "", Unproven},
		{"copilot, trusted", "copilot", harness.Project, ".copilot/config.json", `{"trusted_folders": ["PROJECT"]}`, ""},
		{"cursor", "cursor", harness.Project, "", "", Unproven},
		{"muse has no such step", "muse", harness.User, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, o := desk(t)
			if tt.file != "" {
				put(t, filepath.Join(o.Home, tt.file), strings.ReplaceAll(tt.text, "PROJECT", filepath.ToSlash(o.Project)))
			}
			if _, err := install.Install(o, tt.harness, tt.scope); err != nil {
				t.Fatal(err)
			}
			r := Examine(context.Background(), d, nil, Options{Install: o})
			got := ""
			if found := find(r, "trust", tt.harness); len(found) > 0 {
				got = found[0].State
			}
			if got != tt.want {
				t.Errorf("state %q, want %q; report %+v", got, tt.want, find(r, "trust", tt.harness))
			}
			if r.OK != (tt.want != Broken) {
				t.Errorf("OK = %v with trust %q", r.OK, got)
			}
		})
	}
}

// An event proves an entry only as long as its file stays as it is, and it does so
// across sorties.
func TestProven(t *testing.T) {
	t.Parallel()
	d, o := desk(t)
	rep, err := install.Install(o, "claude", harness.Project)
	if err != nil {
		t.Fatal(err)
	}
	changed := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	mark := filepath.Join(d.Home.Dir, "seen", "an-earlier-sortie", "claude.pre-tool")
	put(t, mark, "..")
	state := func(fileAt, seenAt time.Time) hook.Check {
		for path, at := range map[string]time.Time{rep.File: fileAt, mark: seenAt} {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range find(Examine(context.Background(), d, nil, Options{Install: o}), "hook", "claude") {
			if c.Event == "pre-tool" {
				return c
			}
		}
		t.Fatal("no word about the event before a call")
		return hook.Check{}
	}
	if c := state(changed, changed.Add(time.Hour)); c.State != OK || !strings.Contains(c.Next, "earlier sortie") {
		t.Errorf("seen after the change: %+v", c)
	}
	if c := state(changed, changed.Add(-time.Hour)); c.State != Unproven || !strings.Contains(c.Next, "before") {
		t.Errorf("seen before the change: %+v", c)
	}
}

// A file that is named by accident, in whatever folder this runs, is nobody's trust.
func TestHomeless(t *testing.T) {
	t.Parallel()
	d, o := desk(t)
	for _, name := range []string{"claude", "codex", "copilot"} {
		if _, err := install.Install(o, name, harness.Project); err != nil {
			t.Fatal(err)
		}
	}
	o.Home = ""
	r := Examine(context.Background(), d, nil, Options{Install: o})
	for _, name := range []string{"claude", "codex", "copilot"} {
		if found := find(r, "trust", name); len(found) != 1 || found[0].State != Unproven {
			t.Errorf("%s: %+v, want one word that nothing is known", name, found)
		}
	}
	if !r.OK {
		t.Errorf("broken: %+v", r.Checks)
	}
}
