package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/sortie/harness"
)

// bench is a person's home, a project and a spar on PATH, all in one folder.
func bench(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		dir = r
	}
	return benchIn(t, dir)
}

func benchIn(t *testing.T, dir string) Options {
	t.Helper()
	name := "spar"
	if runtime.GOOS == "windows" {
		name = "spar.exe"
	}
	self := filepath.Join(dir, "bin", name)
	for _, d := range []string{"home", "project", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(self, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PATH": filepath.Join(dir, "bin")}
	return Options{
		Env: func(k string) string { return env[k] }, Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Self: self, Now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local), Windows: runtime.GOOS == "windows",
		Guards: []string{"redline", "carbon", "habit"}, Aboard: []string{"redline"},
	}
}

// withEnv is the same world with more variables.
func withEnv(o Options, more map[string]string) Options {
	old := o.Env
	o.Env = func(k string) string {
		if v, ok := more[k]; ok {
			return v
		}
		return old(k)
	}
	return o
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tree lists the files below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wiredOnce fails unless every wanted event of a file has one whole entry of ours.
func wiredOnce(t *testing.T, o Options, name string, s harness.Scope) {
	t.Helper()
	entries, errs := Installed(o, name, s)
	for _, err := range errs {
		t.Error(err)
	}
	count := map[string]int{}
	for _, e := range entries {
		if e.Run.Ours {
			count[e.Name]++
			if !e.Whole() || e.Short() || e.Copy {
				t.Errorf("%s:%d is not whole: %+v", e.File, e.Line, e)
			}
		}
	}
	w, _ := harness.Wiring(name)
	for _, e := range o.wanted(w) {
		if count[e.Name] != 1 {
			t.Errorf("%s has %d entries of ours", e.Name, count[e.Name])
		}
	}
}

// nasty are settings as people and programs leave them.
func nasty() map[string]string {
	hook := `{"type": "command", "command": "say done"}`
	texts := map[string]string{
		"empty object":           `{}`,
		"empty, newline":         "{}\n",
		"empty, space":           `{ }`,
		"empty, lines":           "{\n}\n",
		"empty, blank lines":     "{\n\n\n}\n\n",
		"empty, CRLF":            "{\r\n}\r\n",
		"empty, mark":            "\ufeff{}",
		"spaces around":          "  \n\t{}  \n\n",
		"one key":                `{"model":"opus"}`,
		"one key, pretty":        "{\n  \"model\": \"opus\"\n}\n",
		"four spaces":            "{\n    \"model\": \"opus\",\n    \"a\": [1, 2]\n}",
		"tabs":                   "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"b\"\n\t}\n}\n",
		"seven spaces":           "{\n       \"model\": \"opus\"\n}\n",
		"no indent":              "{\n\"model\": \"opus\",\n\"b\": 1\n}\n",
		"CRLF":                   "{\r\n  \"model\": \"opus\",\r\n  \"b\": {\r\n    \"c\": 1\r\n  }\r\n}\r\n",
		"mixed line ends":        "{\r\n  \"model\": \"opus\",\n  \"b\": 1\r\n}",
		"mark":                   "\ufeff{\n  \"model\": \"opus\"\n}\n",
		"no final newline":       "{\n  \"model\": \"opus\"\n}",
		"many final newlines":    "{\n  \"model\": \"opus\"\n}\n\n\n",
		"minified":               `{"model":"opus","permissions":{"allow":[],"deny":["Read(./.env)"]}}`,
		"spaced one line":        `{ "model" : "opus" , "b" : 1 }`,
		"keys on brace line":     "{\"model\": \"opus\",\n \"b\": 1}",
		"comma first":            "{ \"model\": \"opus\"\n, \"b\": 1\n, \"c\": 2\n}\n",
		"ragged":                 "{\n \"a\":1,\n      \"b\":2,\n  \"c\":\n   3\n        }",
		"big numbers":            "{\n  \"n\": 123456789012345678901234567890,\n  \"f\": 0.1000000000000000055511151231257827,\n  \"e\": 1E400,\n  \"z\": -0.0\n}\n",
		"escapes":                `{"\u0061\/b": "\ud83d\ude00 \u2028 \\ \"", "é": "<&>"}`,
		"lone surrogate":         `{"a": "\ud800"}`,
		"invalid UTF-8":          "{\"a\": \"\xff\xfe\"}",
		"repeated key":           `{"a": 1, "a": 2}`,
		"escaped hooks key":      `{"\u0068ooks": {"Stop": [{"hooks": [` + hook + `]}]}}`,
		"hooks empty":            `{"hooks": {}}`,
		"hooks empty, pretty":    "{\n  \"hooks\": {},\n  \"model\": \"opus\"\n}\n",
		"hooks empty, lines":     "{\n  \"hooks\": {\n  }\n}\n",
		"hooks empty in between": "{\n  \"a\": 1,\n  \"hooks\": {},\n  \"b\": 2\n}\n",
		"event empty":            `{"hooks": {"PreToolUse": []}}`,
		"event empty, pretty":    "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"Stop\": [ ]\n  }\n}\n",
		"group empty":            `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}`,
		"unknown event":          `{"hooks": {"Whatever": [{"hooks": [` + hook + `]}]}}`,
		"foreign":                `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [` + hook + `]}], "Stop": [{"hooks": [` + hook + `, ` + hook + `]}]}}`,
		"foreign, pretty":        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
		"foreign, ragged":        "{\"hooks\":\n{\"Stop\"\n:[\n{\"hooks\"  :\t[" + hook + "\n]}\n\n]\n}\n}",
		"foreign types":          `{"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x"}, {"type": "prompt", "prompt": "spar hook"}]}]}}`,
		"foreign, odd fields":    `{"hooks": {"PreToolUse": [{"matcher": null, "hooks": [{"command": 5, "timeout": "10", "args": {}}]}]}}`,
		"foreign reaches all":    `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [` + hook + `]}, {"hooks": [` + hook + `]}]}}`,
		"every event":            `{"hooks": {"SessionStart": [{"hooks": [` + hook + `]}], "UserPromptSubmit": [], "PreToolUse": [], "Stop": [], "SessionEnd": [{"hooks": [` + hook + `]}]}}`,
		"named like ours":        `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/spar/notify hook"}]}]}}`,
		"hooks elsewhere":        `{"plugins": {"hooks": {"PreToolUse": [1]}}, "x": [{"hooks": "no"}]}`,
		"switch beside hooks":    `{"disableAllHooks": false, "hooks": {"Stop": [{"hooks": [` + hook + `]}]}}`,
		"long line":              `{"a": "` + strings.Repeat("x", 100_000) + `"}`,
		"deep":                   `{"a": ` + strings.Repeat("[", 400) + strings.Repeat("]", 400) + `}`,
		"many keys":              "{\n" + manyKeys(500) + "  \"last\": true\n}\n",
		"vertical tabs as text":  `{"a": "\u000b\u0000"}`,
		"hooks last":             "{\n  \"a\": {\n    \"b\": []\n  },\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [ " + hook + " ] }]\n  }\n}",
		"hooks first":            "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [ " + hook + " ] }]\n  },\n  \"a\": {\n    \"b\": []\n  }\n}",
		"nested on one line":     "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + hook + "]}]},\n  \"a\": 1\n}\n",
		"events on lines":        "{\"hooks\": {\n\"Stop\": [{\"hooks\": [" + hook + "]}],\n\"PreToolUse\": [{\"hooks\": [" + hook + "]}]}}\n",
		"nothing but newline":    "\n{}\n",
		"blank lines inside":     "{\n\n  \"a\": 1,\n\n\n  \"b\": 2\n\n}\n",
		"trailing blanks":        "{   \n  \"a\": 1   ,\t\n  \"b\": 2  \n}   \n",
		"mark and CRLF, no end":  "\ufeff{\r\n\t\"a\": 1}",
		"tab in front":           "\t{\n\t\t\"a\": 1\n\t}\n",
		"carriage returns alone": "{\r\"a\": 1\r}",
	}
	return texts
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  \"key%d\": %d,\n", i, i)
	}
	return b.String()
}

// remarks are settings of a harness that takes comments.
func remarks() map[string]string {
	return map[string]string{
		"line comments":         "{\n  // one\n  \"a\": 1, // two\n  // three\n  \"b\": 2 // four\n  // five\n}\n// six",
		"block comments":        "/* a */ { /* b */ \"a\" /* c */ : /* d */ 1 /* e */ , /* f */ \"b\": 2 /* g */ } /* h */",
		"trailing comma":        "{\n  \"a\": [1, 2,],\n  \"b\": {\"c\": 1,},\n}\n",
		"trailing comma inline": `{"a": 1,}`,
		"only a comment":        "{\n  // nothing yet\n}\n",
		"comment at the brace":  "{ // mine\n}\n",
		"comment, no newline":   "{\"a\": 1} // end",
		"commented hooks":       "{\n  // \"hooks\": {},\n  \"a\": \"// no comment\",\n  /* \"hooks\": [] */\n}\n",
		"hooks with remarks":    "{\n  \"hooks\": {\n    // my own\n    \"AfterAgent\": [ // at the end\n      { \"hooks\": [ /* this */ {\"type\": \"command\", \"command\": \"say\"} ] }, // that\n    ], // and\n  },\n}\n",
		"empty with a remark":   "{\n  \"hooks\": { /* none */ },\n  \"b\": 1\n}\n",
		"event with a remark":   "{\n  \"hooks\": {\n    \"BeforeTool\": [\n      // none yet\n    ]\n  }\n}\n",
		"CRLF remarks":          "{\r\n  // one\r\n  \"a\": 1, // two\r\n  \"b\": 2 // three\r\n}\r\n",
		"older switches":        "{\n  \"hooks\": {\"enabled\": true, \"disabled\": [\"x\"]},\n}\n",
		"block before brace":    "{\n  \"a\": 1 /* why */\n}\n",
		"remark then brace":     "{\"a\": 1 // why\n}",
		"trailing spaces":       "{\n  \"a\": 1 // why  \t\n}\n",
	}
}

// TestNastySettings: behaviour 2. Wired twice not a byte changes, and taken out
// the file is what it was: with the backup to go by in every byte, without it in
// every byte that is not space between brackets.
func TestNastySettings(t *testing.T) {
	t.Parallel()
	if n := len(nasty()) + len(remarks()); n < 60 {
		t.Fatalf("only %d files", n)
	}
	for _, group := range []struct {
		harness string
		texts   map[string]string
	}{{"claude", nasty()}, {"cursor", nasty()}, {"gemini", remarks()}} {
		for _, name := range slices.Sorted(maps.Keys(group.texts)) {
			text := group.texts[name]
			t.Run(group.harness+" "+name, func(t *testing.T) {
				t.Parallel()
				o := bench(t)
				target, err := o.target(group.harness, harness.Project)
				if err != nil {
					t.Fatal(err)
				}
				write(t, target.path, text)
				r, err := Install(o, group.harness, harness.Project)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Changed || r.Count("wired") == 0 || read(t, r.Backup) != text {
					t.Errorf("report %+v", r)
				}
				wiredOnce(t, o, group.harness, harness.Project)
				wired := read(t, target.path)
				again, err := Install(o, group.harness, harness.Project)
				if err != nil || again.Changed || again.Backup != "" || read(t, target.path) != wired {
					t.Fatalf("a second install: %+v, %v", again, err)
				}
				if r, err = Uninstall(o, group.harness, harness.Project); err != nil {
					t.Fatal(err)
				}
				if back := read(t, target.path); back != text {
					t.Errorf("was\n%q\nis\n%q\nin between\n%q", text, back, wired)
				}

				// And with nothing kept.
				s := target.sheet()
				p := &planner{Options: o, scoped: target, report: &Report{}}
				back, _, err := p.without(s, []byte(wired))
				if err != nil {
					t.Fatal(err)
				}
				pruned, err := s.prune([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				left, err := s.prune(back)
				if err != nil {
					t.Fatal(err)
				}
				// Lists that were there, empty, and a version that the file needs can't be
				// told from what came with our entries.
				exact := !strings.Contains(name, "empty") && name != "every event" && target.wire.Head.Key == ""
				if exact && string(back) != text || !bytes.Equal(left, pruned) {
					t.Errorf("without a backup: was\n%q\nis\n%q\nin between\n%q", text, back, wired)
				}
			})
		}
	}
}

// settings makes valid settings of every look, with foreign hooks and, if asked,
// ours in every state.
type settings struct {
	*rand.Rand
	lax, ours bool
}

func (g settings) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g settings) gap() string {
	gaps := []string{"", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", "\n\n"}
	if g.lax {
		gaps = append(gaps, " // said\n", " /* so */ ", "\n  // \"hooks\": [\n  ")
	}
	return g.pick(gaps...)
}

func (g settings) list(open, closing string, items []string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, it := range items {
		b.WriteString(g.gap() + it + g.gap())
		if i+1 < len(items) || g.lax && g.IntN(3) == 0 {
			b.WriteString(",")
		}
	}
	b.WriteString(g.gap() + closing)
	return b.String()
}

func (g settings) object(pairs ...string) string {
	var items []string
	for i := 0; i+1 < len(pairs); i += 2 {
		items = append(items, fmt.Sprintf("%q%s:%s%s", pairs[i], g.gap(), g.gap(), pairs[i+1]))
	}
	return g.list("{", "}", items)
}

func (g settings) handler() string {
	command := g.pick("say done", "lint --fix", "/opt/spar/x hook", "echo \\\"spar hook\\\"")
	pairs := []string{"type", `"command"`}
	if g.ours && g.IntN(3) > 0 {
		command = g.pick("spar hook", "spar  hook --harness claude", "'spar' hook burn", "/nowhere/spar hook", "spar hook | tee x",
			"npx @hyuga/redline pre", "spar hook --event SessionStart", "spar redline hook")
		if g.IntN(3) == 0 {
			pairs = append(pairs, g.pick("timeout", "async", "if", "once"), g.pick("5", "true", `"Bash(git *)"`, "1e3", "false"))
		}
	}
	return g.object(append(pairs, "command", `"`+command+`"`)...)
}

func (g settings) group() string {
	var handlers []string
	for range g.IntN(4) {
		handlers = append(handlers, g.handler())
	}
	pairs := []string{}
	if g.IntN(2) == 0 {
		pairs = append(pairs, "matcher", g.pick(`"Bash"`, `"*"`, `""`, `"^(Write|Edit)$"`, `"startup"`, `"("`))
	}
	return g.object(append(pairs, "hooks", g.list("[", "]", handlers))...)
}

func (g settings) file() string {
	var events []string
	for _, e := range []string{"SessionStart", "PreToolUse", "PostToolUse", "Stop", "Other"} {
		if g.IntN(2) == 0 {
			continue
		}
		var groups []string
		for range g.IntN(4) {
			groups = append(groups, g.group())
		}
		events = append(events, e, g.list("[", "]", groups))
	}
	var pairs []string
	for _, p := range [][]string{{"model", `"opus"`}, {"n", "1.50e9"}, {"hooks", g.object(events...)}, {"permissions", g.object("allow", "[]")}} {
		if g.IntN(4) > 0 {
			pairs = append(pairs, p...)
		}
	}
	return g.pick("", "", "\ufeff") + g.gap() + g.object(pairs...) + g.gap()
}

// TestInstallLaws tries generated settings: an install wires each event, a second
// one changes nothing, foreign hooks keep their matcher, and of what had nothing
// of ours in it an uninstall restores every byte.
func TestInstallLaws(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claude", "qwen"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := bench(t)
			target, err := o.target(name, harness.Project)
			if err != nil {
				t.Fatal(err)
			}
			write(t, target.path, "{}")
			info, err := os.Stat(target.path)
			if err != nil {
				t.Fatal(err)
			}
			backup := filepath.Join(filepath.Dir(target.path), backupDir, "settings.json.2026-01-01-000000-spar-install")
			s := target.sheet()
			for seed := range uint64(120) {
				g := settings{rand.New(rand.NewPCG(seed, 3)), name == "qwen", seed%2 == 1}
				text := []byte(g.file())
				opt := o
				opt.Fix, opt.ReplaceOlder = g.IntN(2) == 0, g.IntN(2) == 0
				plan := func(text []byte) []byte {
					r := Report{}
					p := &planner{Options: opt, scoped: target, program: "spar", report: &r}
					out, _, err := p.install(file{path: target.path, real: target.path, text: text, info: info})
					if err != nil {
						t.Fatalf("seed %d: %v\n%s", seed, err, text)
					}
					return out
				}
				wired := plan(text)
				if again := plan(wired); !bytes.Equal(again, wired) {
					t.Fatalf("seed %d: a second install changes\n%s\nto\n%s", seed, wired, again)
				}
				entries, err := o.read(target, s, wired)
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, wired)
				}
				for _, w := range o.wanted(target.wire) {
					if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == w.Name && (e.Whole() || e.Run.Chained) }) {
						t.Fatalf("seed %d: %s is not wired:\n%s\nfrom\n%s", seed, w.Name, wired, text)
					}
				}
				if was, is := foreign(t, s, text), foreign(t, s, wired); !slices.Equal(was, is) {
					t.Fatalf("seed %d: foreign hooks were %q, are %q", seed, was, is)
				}
				p := &planner{Options: o, scoped: target, report: &Report{}}
				out, removed, err := p.uninstall(file{path: target.path, real: target.path, text: wired, info: info})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if !removed {
					if was, is := foreign(t, s, text), foreign(t, s, out); !slices.Equal(was, is) {
						t.Fatalf("seed %d: uninstalled, foreign hooks were %q, are %q", seed, was, is)
					}
				}
				if g.ours {
					continue
				}
				write(t, backup, string(text))
				out, removed, err = p.uninstall(file{path: target.path, real: target.path, text: wired, info: info})
				if err != nil || removed || !bytes.Equal(out, text) {
					t.Fatalf("seed %d: %v, was\n%q\nis\n%q\nin between\n%q", seed, err, text, out, wired)
				}
				if err := os.Remove(backup); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// foreign lists what is neither ours nor the older tools', with event and matcher.
func foreign(t *testing.T, s sheet, text []byte) []string {
	t.Helper()
	handlers, err := s.read(text)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range handlers {
		c := ReadCommand(h.text("command"), nil, []string{"redline"})
		if c.Ours || c.Older != "" {
			continue
		}
		matcher := "none"
		if h.matcher != nil {
			matcher = *h.matcher
		}
		all = append(all, fmt.Sprint(h.at.event, " ", matcher, " ", h.fields))
	}
	slices.Sort(all)
	return all
}

// TestBackupNames: behaviour 8. Two changing installs in one second keep two
// states.
func TestBackupNames(t *testing.T) {
	t.Parallel()
	o := bench(t)
	path := filepath.Join(o.Project, ".claude", "settings.json")
	var texts []string
	for i := range 3 {
		text := fmt.Sprintf("{\"n\": %d}\n", i)
		texts = append(texts, text)
		write(t, path, text)
		if _, err := Install(o, "claude", harness.Project); err != nil {
			t.Fatal(err)
		}
	}
	base := "settings.json.2026-03-04-050607-spar-install"
	for i, name := range []string{base, base + "-2", base + "-3"} {
		if got := read(t, filepath.Join(o.Project, ".claude", "backups", name)); got != texts[i] {
			t.Errorf("%s holds %q, want %q", name, got, texts[i])
		}
	}
}

// TestChangedMeanwhile: a harness writes its own settings whenever it likes. What
// it wrote between our reading and our writing is not lost.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, times := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			t.Parallel()
			o := bench(t)
			path := filepath.Join(o.Project, ".claude", "settings.json")
			write(t, path, `{"n": 0}`)
			n := 0
			o.step = func(name string) {
				if name == "compare" && n < times {
					n++
					write(t, path, fmt.Sprintf(`{"n": %d}`, n))
				}
			}
			r, err := Install(o, "claude", harness.Project)
			left := tree(t, filepath.Join(o.Project, ".claude"))
			if times == 3 {
				var refused *FileError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), "changed by somebody else") {
					t.Fatalf("error %v", err)
				}
				if want := []string{"settings.json"}; !slices.Equal(left, want) || read(t, path) != `{"n": 3}` {
					t.Errorf("left %q, %s", left, read(t, path))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wiredOnce(t, o, "claude", harness.Project)
			if !strings.HasPrefix(read(t, path), fmt.Sprintf(`{"n": %d, "hooks"`, times)) {
				t.Errorf("lost: %s", read(t, path))
			}
			if len(left) != 2 || read(t, r.Backup) != fmt.Sprintf(`{"n": %d}`, times) {
				t.Errorf("left %q, backup %q", left, read(t, r.Backup))
			}
		})
	}
}

// TestTwoAtOnce: behaviour 10. However many install at a time, one writes, and each
// entry is there once.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	o := bench(t)
	path := filepath.Join(o.Project, ".claude", "settings.json")
	write(t, path, "{\n  \"model\": \"opus\"\n}\n")
	var wg sync.WaitGroup
	var mu sync.Mutex
	changed := 0
	for i := range 12 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := o
			mine.Now = o.Now.Add(time.Duration(i) * time.Second)
			r, err := Install(mine, "claude", harness.Project)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if r.Changed {
				changed++
			}
		}()
	}
	wg.Wait()
	wiredOnce(t, o, "claude", harness.Project)
	if left := tree(t, filepath.Join(o.Project, ".claude")); changed != 1 || len(left) != 2 {
		t.Errorf("%d wrote, left %q", changed, left)
	}
}

// TestScopesOfOnePlace: a project that is the person's home has one settings file
// under two names, and it is wired once.
func TestScopesOfOnePlace(t *testing.T) {
	t.Parallel()
	o := bench(t)
	o.Project = o.Home
	for _, s := range []harness.Scope{harness.User, harness.Project} {
		r, err := Install(o, "claude", s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Changed != (s == harness.User) {
			t.Errorf("%s: %+v", s, r)
		}
	}
	if entries, errs := Installed(o, "claude"); len(errs) > 0 || len(entries) != 10 {
		t.Errorf("%d entries, %v", len(entries), errs)
	}
}

// TestAutomodeAboard: decision 12. With it the gate before a call may wait for a
// model, and the permission event is its own.
func TestAutomodeAboard(t *testing.T) {
	t.Parallel()
	o := bench(t)
	if _, err := Install(o, "claude", harness.Project); err != nil {
		t.Fatal(err)
	}
	o.Aboard = append(o.Aboard, "automode")
	r, err := Install(o, "claude", harness.Project)
	if err != nil || r.Count("raised") != 1 || r.Count("wired") != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	wiredOnce(t, o, "claude", harness.Project)
	entries, _ := Installed(o, "claude")
	for _, e := range entries {
		if e.Event == harness.PreTool && e.Limit != 90*time.Second {
			t.Errorf("limit %v", e.Limit)
		}
	}
	// Gemini counts in milliseconds, and Copilot's own limit is less than a Stop needs.
	for name, want := range map[string]string{"gemini": `"timeout": 90000`, "copilot": `"timeoutSec": 90`} {
		text, _, err := Snippet(o, name)
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	path := filepath.Join(o.Project, ".github", "hooks", "spar.json")
	write(t, path, `{"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "spar hook || exit 0"}]}}`)
	if _, err := Install(o, "copilot", harness.Project); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, path), `"bash": "spar hook || exit 0", "timeoutSec": 60`) {
		t.Errorf("not raised: %s", read(t, path))
	}
}

// TestProgram: rule 10.
func TestProgram(t *testing.T) {
	t.Parallel()
	o := bench(t)
	dir := filepath.Dir(filepath.Dir(o.Self))
	slash := filepath.ToSlash
	if got, warning := o.Program(); got != "spar" || warning != "" {
		t.Errorf("on PATH: %q, %q", got, warning)
	}
	o.Absolute = true
	if got, _ := o.Program(); got != slash(o.Self) {
		t.Errorf("--absolute: %q", got)
	}
	o.Absolute = false
	other := filepath.Join(dir, "go", "pkg", "mod", filepath.Base(o.Self))
	write(t, other, "x")
	o.Self = other
	if got, warning := o.Program(); got != slash(other) || !strings.Contains(warning, "go/pkg") {
		t.Errorf("another spar comes first on PATH: %q, %q", got, warning)
	}
	for path, want := range map[string]string{
		"/opt/homebrew/Cellar/spar/1.2.3/bin/spar": "Cellar", "/home/x/.local/share/spar-1/spar": "", "/opt/spar@1.2/spar": "spar@1.2",
		"/usr/lib/v2.0.1/spar": "v2.0.1", "/tmp/go-build12/spar": "go-build12", "/nix/store/x/spar": "nix/store", "/usr/bin/spar": "", "/x/spar-1.2.3": "",
	} {
		if got := passing(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestNameOfTheBinary: an entry is recognised by what it runs, so one that runs a
// program of another name would be written again by each install.
func TestNameOfTheBinary(t *testing.T) {
	t.Parallel()
	o := bench(t)
	o.Self = filepath.Join(filepath.Dir(o.Self), "gate")
	write(t, o.Self, "x")
	if r, err := Install(o, "claude", harness.Project); err == nil || !strings.Contains(err.Error(), `"gate"`) || r.Changed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, _, err := Snippet(o, "claude"); err == nil {
		t.Error("printed")
	}
	if left := tree(t, o.Project); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestDead: behaviour 34, R080, R086. What can't be started is told; what can't be
// known is not guessed.
func TestDead(t *testing.T) {
	t.Parallel()
	o := bench(t)
	o.Project = filepath.Join(filepath.Dir(o.Project), "a project")
	spaced := filepath.Join(o.Project, "tools", filepath.Base(o.Self))
	write(t, spaced, "x")
	if err := os.Chmod(spaced, 0o755); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(o.Project, "plain")
	write(t, plain, "x")
	o = withEnv(o, map[string]string{"TOOLS": filepath.Dir(spaced)})
	for line, want := range map[string]string{
		"spar hook": "", `"` + filepath.ToSlash(spaced) + `" hook`: "", filepath.ToSlash(spaced) + " hook": "no quotes",
		"/nowhere/spar hook": "is not there", `"$TOOLS/spar" hook`: "", "$UNKNOWN/spar hook": "", "$(which x)/spar hook": "",
		`"${CLAUDE_PROJECT_DIR}/tools/spar" hook`: "", `"${CLAUDE_PROJECT_DIR}/no/spar" hook`: "is not there", "%TOOLS%/spar hook": "",
		"~/spar hook": "is not there", "tools/spar hook": "", "no/spar hook": "is not there",
	} {
		_, got := o.locate(ReadCommand(line, nil, nil))
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got, _ := o.locate(Command{Program: "spar"}); got != o.Self {
		t.Errorf("spar is %q, want %q", got, o.Self)
	}
	if _, got := o.locate(Command{Program: filepath.ToSlash(plain)}); runtime.GOOS != "windows" && !strings.Contains(got, "can't be run") {
		t.Errorf("not executable: %q", got)
	}
	if _, got := withEnv(o, map[string]string{"PATH": ""}).locate(Command{Program: "spar"}); got != "spar is not on PATH" {
		t.Errorf("not on PATH: %q", got)
	}
}

// TestWindowsSpelling: behaviour 35 and R086, R087. Forward slashes in quotes, no
// shell of our own; a UNC path stays one.
func TestWindowsSpelling(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		`C:/Program Files/Spar/spar.exe`: `"C:/Program Files/Spar/spar.exe" hook --harness claude --event Stop`,
		`//server/my share/spar.exe`:     `"//server/my share/spar.exe" hook --harness claude --event Stop`,
		`spar`:                           `spar hook --harness claude --event Stop`,
	} {
		w, _ := harness.Wiring("claude")
		if got := w.Command(w.Runners[0], program, "Stop", true); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// TestPathsWithSpaces: behaviour 35. Folders of any name; what is written starts.
func TestPathsWithSpaces(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "my own (x86) tools & things")
	o := benchIn(t, dir)
	o = withEnv(o, map[string]string{"PATH": ""})
	if _, err := Install(o, "claude", harness.Project); err != nil {
		t.Fatal(err)
	}
	wiredOnce(t, o, "claude", harness.Project)
	if !strings.Contains(read(t, filepath.Join(o.Project, ".claude", "settings.json")), `"command": "\"`+filepath.ToSlash(o.Self)+`\" hook`) {
		t.Error("not quoted")
	}
}

// TestInstalledTells is what doctor reads: every fault by its own name.
func TestInstalledTells(t *testing.T) {
	t.Parallel()
	o := bench(t)
	write(t, filepath.Join(o.Project, ".claude", "settings.json"), `{
"disableAllHooks": true,
"hooks": {
 "PreToolUse": [
  {"matcher": "Bash,PowerShell", "hooks": [{"type": "command", "command": "spar hook"}]},
  {"hooks": [{"type": "command", "command": "spar hook", "async": true}]},
  {"hooks": [{"type": "command", "command": "bash -lc 'spar hook'", "timeout": 3}]}],
 "Stop": [{"hooks": [{"type": "command", "command": "/nowhere/spar hook"}, {"type": "command", "command": "spar hook --harness codex", "timeout": 60}]}]
}}`)
	write(t, filepath.Join(o.Home, ".claude", "settings.json"), "{ no")
	entries, errs := Installed(o, "claude")
	if len(errs) != 1 || len(entries) != 5 {
		t.Fatalf("%d entries, %v", len(entries), errs)
	}
	for i, want := range []struct {
		line                int
		narrow, weak, wrong string
		dead, note          string
		copy, short, whole  bool
	}{
		{line: 5, narrow: `reaches only Bash, PowerShell`, note: "2.1.191", copy: true},
		{line: 6, weak: "async", copy: true},
		{line: 7, note: "login shell", short: true, whole: true},
		{line: 8, dead: "is not there"},
		{line: 8, wrong: "--harness codex", copy: true},
	} {
		e := entries[i]
		if e.Line != want.line || !strings.Contains(e.Narrow, want.narrow) || (want.narrow == "") != (e.Narrow == "") || e.Weak != want.weak ||
			!strings.Contains(e.Wrong, want.wrong) || !strings.Contains(e.Dead, want.dead) || !strings.Contains(strings.Join(e.Notes, ";"), want.note) ||
			e.Copy != want.copy || e.Short() != want.short || e.Whole() != want.whole {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	if off := SwitchedOff(o, "claude"); len(off) != 1 || !strings.Contains(off[0], "disableAllHooks") {
		t.Errorf("switched off: %q", off)
	}
	if _, errs := Installed(o, "grok"); len(errs) != 1 {
		t.Errorf("grok: %v", errs)
	}
	if only, _ := Installed(o, "claude", harness.Local); len(only) != 0 {
		t.Errorf("local: %+v", only)
	}
}

// TestPluginOfAnotherVersion: the file is ours by its first line, and is brought up
// to date.
func TestPluginOfAnotherVersion(t *testing.T) {
	t.Parallel()
	o := bench(t)
	path := filepath.Join(o.Project, ".opencode", "plugins", "spar.js")
	write(t, path, harness.PluginHead+"\nexport const Spar = 1;\n")
	entries, _ := Installed(o, "opencode")
	if len(entries) == 0 || entries[0].Wrong == "" || entries[0].Whole() {
		t.Errorf("entries %+v", entries)
	}
	r, err := Install(o, "opencode", harness.Project)
	if err != nil || r.Count("respelled") != 1 || r.Backup == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if entries, _ = Installed(o, "opencode"); !slices.ContainsFunc(entries, Entry.Whole) {
		t.Errorf("entries %+v", entries)
	}
	if r, err = Install(o, "opencode", harness.Project); err != nil || r.Changed {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = Install(o, "opencode", harness.User); err != nil || !r.Changed {
		t.Errorf("user: %+v, %v", r, err)
	}
}

func TestMount(t *testing.T) {
	t.Parallel()
	o := bench(t)
	path := filepath.Join(o.Project, ".spar", "config.json")
	for _, tt := range []struct{ text, want, problem string }{
		{text: `{"with":null,"probes":["a"]}`, want: `{"with":["x"],"probes":["a"],"without":["y"]}`},
		{text: `{"with": ["y", "y", "x"]}`, want: `{"with": ["x"], "without": ["y"]}`},
		{text: `{"with": "y"}`, problem: "config.json:1:10: \"with\" is a string"},
		{text: `[]`, problem: "config.json:1:1: the file is a list"},
		{text: `{`, problem: "config.json:1:2: not JSON"},
	} {
		write(t, path, tt.text)
		r, err := Mount(o, path, []string{"x"}, []string{"y"})
		if tt.problem != "" {
			if err == nil || !strings.Contains(err.Error(), tt.problem) || read(t, path) != tt.text {
				t.Errorf("%s: %v", tt.text, err)
			}
			continue
		}
		if err != nil || !r.Changed || read(t, path) != tt.want {
			t.Errorf("%s: %+v, %v: %s", tt.text, r, err, read(t, path))
		}
		if r, err = Mount(o, path, []string{"x"}, []string{"y"}); err != nil || r.Changed {
			t.Errorf("again: %+v, %v", r, err)
		}
	}
	if left := tree(t, filepath.Join(o.Project, ".spar")); !slices.Equal(left, []string{"config.json"}) {
		t.Errorf("left %q", left)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	var a, b []string
	for i := range 40 {
		a = append(a, fmt.Sprintf("line %d\n", i))
	}
	b = slices.Clone(a)
	b[5] = "changed\n"
	b = slices.Insert(b, 30, "new\n")
	b[len(b)-1] = "last"
	got := diff("f", []byte(strings.Join(a, "")), []byte(strings.Join(b, "")))
	for _, want := range []string{"--- f\n+++ f (after)\n", "@@ -3,7 +3,7 @@\n", "-line 5\n+changed\n", "@@ -28,6 +28,7 @@\n", "+new\n", "-line 39\n+last\n\\ No newline at end of file\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if diff("f", []byte("x"), []byte("x")) != "" {
		t.Error("a diff of nothing")
	}
	if got := diff("f", nil, []byte("x\n")); !strings.Contains(got, "@@ -0,0 +1,1 @@\n+x\n") {
		t.Errorf("new file: %s", got)
	}
}

// FuzzSettings: any text at all is refused, or wired so that a second install
// changes nothing and every foreign hook is still there.
func FuzzSettings(f *testing.F) {
	for _, text := range nasty() {
		if len(text) < 1000 {
			f.Add([]byte(text), false)
		}
	}
	for _, text := range remarks() {
		f.Add([]byte(text), true)
	}
	f.Add([]byte(`{"hooks":{"Stop":[{"matcher":"(","hooks":[{"command":"spar hook","if":"x","timeout":1},{"command":"spar redline hook"}]}]}}`), false)
	dir := f.TempDir()
	file1 := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(file1, nil, 0o600); err != nil {
		f.Fatal(err)
	}
	info, err := os.Stat(file1)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, lax bool) {
		name := "claude"
		if lax {
			name = "gemini"
		}
		w, _ := harness.Wiring(name)
		o := Options{Env: func(string) string { return "" }, Guards: []string{"redline"}, Fix: true, ReplaceOlder: true}
		target := scoped{w, harness.Place{Scope: harness.Project, Format: w.Places[0].Format}, file1}
		p := &planner{Options: o, scoped: target, program: "spar", report: &Report{}}
		s := target.sheet()
		wired, _, err := p.install(file{path: file1, real: file1, text: text, info: info})
		if err != nil {
			var refused *FileError
			if !errors.As(err, &refused) || refused.Line == 0 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, _, err := p.install(file{path: file1, real: file1, text: wired, info: info})
		if err != nil || !bytes.Equal(again, wired) {
			t.Fatalf("%q: %v: a second install makes %q of %q", text, err, again, wired)
		}
		if was, is := foreign(t, s, text), foreign(t, s, wired); !slices.Equal(was, is) {
			t.Fatalf("foreign hooks were %q, are %q", was, is)
		}
	})
}
