package automode

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"spar/sortie/harness"
)

// The disk is asked for links, for git's opinion and for repositories in the way.
func TestDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the lines are a Bourne shell's")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(root, "tree")
	put := func(name, content string) {
		t.Helper()
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	put("other/dist/a", "x")
	put("other/a.ts", "x")
	put("tree/.git/HEAD", "ref: refs/heads/feature/x\n")
	put("tree/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n")
	put("tree/node_modules/a", "x")
	put("tree/evil/HEAD", "x")
	put("tree/evil/objects/a", "x")
	put("tree/evil/refs/a", "x")
	put("tree/Makefile", "x")
	link(filepath.Join(root, "other"), "tree/out")
	link(filepath.Join(root, "other"), "tree/pkg")
	link(filepath.Join(root, "nowhere"), "tree/gone")
	link(filepath.Join(tree, "Makefile"), "tree/notes.md")
	link(filepath.Join(root, "other", "a.ts"), "tree/a.ts")

	env := map[string]string{"HOME": filepath.Join(root, "home")}
	ask := func(call harness.Call) Verdict {
		call.Cwd = tree
		return Local(&call, LocalOptions{Env: env, Disk: OS{}, Facts: ReadFacts(tree)})
	}
	for _, c := range []struct {
		line  string
		allow bool
	}{
		{"rm -rf node_modules", true},
		{"rm -rf dist", true}, // not there: by the text
		{"rm -rf out/", false},
		{"rm -rf pkg/dist", false},
		{"git log -1", true},
		{"git -C evil log -1", false},
		{"cd evil && git log -1", false},
		{"git commit -m x", true},
	} {
		if v := ask(harness.Call{Tool: "Bash", Kind: harness.Shell, Command: c.line}); v.Allow != c.allow {
			t.Errorf("%q: %s %s", c.line, v, v.Why)
		}
	}
	for _, c := range []struct {
		file  string
		allow bool
	}{
		{"src/new.ts", true},
		{"pkg/a.ts", false},
		{"pkg/not/there/yet.ts", false},
		{"gone/a.ts", false},
		{"notes.md", false}, // leads to the Makefile
		{"a.ts", false},
	} {
		call := harness.Call{Tool: "Write", Kind: harness.Write, Files: []harness.File{{Path: c.file, Op: "write", Content: "x"}}}
		if v := ask(call); v.Allow != c.allow {
			t.Errorf("write %s: %s %s", c.file, v, v.Why)
		}
	}
	want := Facts{Branch: "feature/x", DefaultBranch: "main", Remote: "origin"}
	if f := ReadFacts(tree); f != want {
		t.Errorf("facts %+v, want %+v", f, want)
	}
	if f := ReadFacts(filepath.Join(root, "other")); f != (Facts{}) {
		t.Errorf("facts of no repository: %+v", f)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	all := map[string]string{"HOME": "/h", "A": "1", "B_2": "2", "C": "3", "IFS": "x"}
	m := Environment(func(n string) string { return all[n] }, `echo $A "${B_2:-x}" C ${#A} $IFS`)
	if len(m) != 3 || m["A"] != "1" || m["B_2"] != "2" || m["HOME"] != "/h" {
		t.Errorf("%v", m)
	}
}
