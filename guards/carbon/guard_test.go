package carbon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// cockpit is a project with sessions in it, all in one process.
type cockpit struct {
	t    testing.TB
	root string
	home sortie.Home
	w    sortie.World
	env  map[string]string

	harness string // whose payloads are sent; "" for Claude Code's

	mu sync.Mutex
	n  int
}

func newCockpit(t testing.TB) *cockpit {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &cockpit{t: t, root: filepath.Join(top, "p"), env: map[string]string{
		"HOME": filepath.Join(top, "home"), "XDG_STATE_HOME": filepath.Join(top, "home", "state"),
	}}
	c.home = sortie.Home{Dir: filepath.Join(c.root, ".spar"), Root: c.root, How: "project"}
	for _, dir := range []string{c.home.Dir, c.env["HOME"]} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.w = sortie.World{Now: time.Now, Dir: top, Env: func(k string) string { return c.env[k] }}
	return c
}

// send flies one payload through the door and fails where anything comes back.
func (c *cockpit) send(fields map[string]any) {
	c.t.Helper()
	out, stderr := c.fly(fields)
	if out != "" || stderr != "" {
		c.t.Errorf("carbon spoke: %q %q", out, stderr)
	}
}

func (c *cockpit) fly(fields map[string]any) (out, stderr string) {
	c.t.Helper()
	c.mu.Lock()
	c.n++
	all := map[string]any{"session_id": "s1", "cwd": c.root, "hook_event_name": "PreToolUse", "tool_use_id": fmt.Sprintf("t%d", c.n)}
	c.mu.Unlock()
	for k, v := range fields {
		all[k] = v
	}
	raw, err := json.Marshal(all)
	if err != nil {
		c.t.Fatal(err)
	}
	var o, e bytes.Buffer
	hook.Door{Harness: c.harness, Guards: []*hook.Guard{&Guard}, In: bytes.NewReader(raw), Out: &o, Err: &e, World: c.w}.Run(context.Background())
	return o.String(), e.String()
}

func (c *cockpit) start(session string) {
	c.t.Helper()
	c.send(map[string]any{"session_id": session, "hook_event_name": "SessionStart", "source": "startup"})
}

// write is a Write of a file, before it runs.
func (c *cockpit) write(path string) { c.t.Helper(); c.writeBy("s1", path) }

func (c *cockpit) writeBy(session, path string) {
	c.t.Helper()
	c.send(map[string]any{"session_id": session, "tool_name": "Write", "tool_input": map[string]any{"file_path": path, "content": "new"}})
}

// cruise starts a session and switches it.
func (c *cockpit) cruise(session string) {
	c.t.Helper()
	c.start(session)
	c.mode(session, ledger.Cruise)
}

func (c *cockpit) mode(session string, m ledger.Mode) {
	c.t.Helper()
	b, ok := sortie.ReadBinding(c.w, session)
	if !ok {
		c.t.Fatal("the session flies nothing")
	}
	book := c.home.Open(c.w)
	defer book.Close()
	_, err := book.SetMode(b.Sortie, m, ledger.Human)
	if err = errors.Join(err, book.Commit()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cockpit) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		c.t.Fatal(err)
	}
	return path
}

func (c *cockpit) list() []*Record {
	c.t.Helper()
	list, err := List(c.w, c.home, "", time.Time{})
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// kept are the paths and bytes of the copies, sorted.
func (c *cockpit) kept() []string {
	c.t.Helper()
	var out []string
	for _, r := range c.list() {
		body, err := Body(c.home, r)
		if err != nil {
			c.t.Fatal(err)
		}
		out = append(out, r.Path+"="+string(body))
	}
	slices.Sort(out)
	return out
}

func (c *cockpit) want(want ...string) {
	c.t.Helper()
	if got := c.kept(); !slices.Equal(got, want) {
		c.t.Errorf("kept %q, want %q", got, want)
	}
}

func (c *cockpit) findings() []*ledger.Finding {
	c.t.Helper()
	var out []*ledger.Finding
	err := ledger.Walk(c.home.Dir, ledger.Options{ReadOnly: true, Now: c.w.Now}, ledger.Query{Source: "carbon"}, func(f *ledger.Finding) error {
		out = append(out, f)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

func (c *cockpit) desk() *hook.Desk {
	return &hook.Desk{World: c.w, Home: c.home, Book: c.home.Open(c.w)}
}

func (c *cockpit) status() string {
	c.t.Helper()
	d := c.desk()
	defer d.Book.Close()
	s, err := status(d)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// git runs git for a test, with nobody's settings.
func (c *cockpit) git(args ...string) {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.root, "-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Skipf("git %v: %v\n%s", args, err, out)
	}
}

// Behaviours 1, 2, 3, 16, 20: strike keeps nothing, cruise keeps the old bytes and
// files one note.
func TestModeDecides(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.start("s1")
	c.file("note.md", "first")
	c.write("note.md")
	c.want()
	c.mode("s1", ledger.Cruise)
	c.file("note.md", "second")
	c.write("note.md")
	c.want("note.md=second")
	c.mode("s1", ledger.Strike)
	c.file("note.md", "third")
	c.write("note.md")
	c.want("note.md=second")

	found := c.findings()
	if len(found) != 1 {
		t.Fatalf("%d findings, want 1", len(found))
	}
	f, r := found[0], c.list()[0]
	if f.Phase != ledger.Post || f.Severity != ledger.Note || f.Subject != "note.md" || string(f.Observed) != `"superseded"` ||
		f.Mode != ledger.Cruise || f.Actor != ledger.Agent || f.Outcome != "logged" || f.Note != "kept as "+r.ID || f.Session != "s1" {
		t.Errorf("finding %+v", f)
	}
	if r.Session != "s1" || r.Sortie == "" || r.Sortie != f.Sortie || r.Size != 6 || r.Ext != ".md" || r.Mode != "0644" || r.Body != "file" || r.Call == "" {
		t.Errorf("record %+v", r)
	}
	if ignore, err := os.ReadFile(filepath.Join(c.home.Dir, ".gitignore")); err != nil || string(ignore) != "*\n" {
		t.Errorf(".gitignore holds %q, %v", ignore, err)
	}
	for path, want := range map[string]os.FileMode{"carbon": 0o700, filepath.Join("carbon", r.File): 0o600} {
		info, err := os.Stat(filepath.Join(c.home.Dir, path))
		if err != nil || info.Mode().Perm() != want && os.PathSeparator == '/' {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

// A mode that the binding doesn't know, or knows wrongly, is the ledger's to say.
func TestLedgerDecidesTheMode(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	entries, err := filepath.Glob(filepath.Join(c.env["XDG_STATE_HOME"], "spar", "sessions", "*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	bound, err := os.ReadFile(entries[0])
	if err != nil {
		t.Fatal(err)
	}
	c.file("a.md", "a")
	if err := os.WriteFile(entries[0], bytes.Replace(bound, []byte(`,"mode":"cruise"`), nil, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	c.write("a.md")
	c.want("a.md=a")
	c.mode("s1", ledger.Strike)
	if err := os.WriteFile(entries[0], bound, 0o600); err != nil {
		t.Fatal(err)
	}
	c.file("a.md", "b")
	c.write("a.md")
	c.want("a.md=a")
}

// A session that nobody knows and a home that isn't there are strike; nothing is
// made.
func TestNoSortieIsStrike(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	if err := os.Remove(c.home.Dir); err != nil {
		t.Fatal(err)
	}
	c.file("a.md", "a")
	c.send(map[string]any{"session_id": "", "tool_name": "Write", "tool_input": map[string]any{"file_path": "a.md"}})
	if _, err := os.Stat(c.home.Dir); err == nil {
		t.Error("a home was made for a payload without a session")
	}
}

// Behaviours 4, 22: what is no write over a file keeps nothing and opens no ledger.
func TestOtherCalls(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	path := c.file("note.md", "text")
	for tool, input := range map[string]map[string]any{
		"Read": {"file_path": path}, "Grep": {"path": path, "pattern": "x"}, "Glob": {"path": path, "pattern": "*"},
		"Bash": {"command": "cat " + path}, "Write": {"file_path": filepath.Join(c.root, "new.md")},
		"Edit": {"file_path": 42}, "MultiEdit": {}, "mcp__files__write": {"path": path},
	} {
		before, err := os.Stat(filepath.Join(c.home.Dir, ledger.FileName))
		if err != nil {
			t.Fatal(err)
		}
		c.fly(map[string]any{"tool_name": tool, "tool_input": input})
		after, err := os.Stat(filepath.Join(c.home.Dir, ledger.FileName))
		if err != nil || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("%s: the ledger was written", tool)
		}
	}
	c.want()
	if n := len(c.findings()); n != 0 {
		t.Errorf("%d findings", n)
	}
}

// Every tool that writes files, every file it names.
func TestWritingTools(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	for _, name := range []string{"w.md", "e.md", "m.md", "n.ipynb", "p1.md", "p2.md", "p3.md"} {
		c.file(name, "old "+name)
	}
	c.send(map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": "w.md"}})
	c.send(map[string]any{"tool_name": "Edit", "tool_input": map[string]any{"file_path": "e.md", "old_string": "o", "new_string": "n"}})
	c.send(map[string]any{"tool_name": "MultiEdit", "tool_input": map[string]any{"file_path": "m.md", "edits": []any{map[string]any{"old_string": "o", "new_string": "n"}}}})
	c.send(map[string]any{"tool_name": "NotebookEdit", "tool_input": map[string]any{"notebook_path": "n.ipynb"}})
	c.harness = "codex"
	c.send(map[string]any{"tool_name": "apply_patch", "tool_input": map[string]any{
		"command": "*** Begin Patch\n*** Update File: p1.md\n@@\n-old\n+new\n*** Delete File: p2.md\n*** Update File: p3.md\n*** Move to: p4.md\n@@\n-old\n+new\n*** End Patch",
	}})
	c.want("e.md=old e.md", "m.md=old m.md", "n.ipynb=old n.ipynb", "p1.md=old p1.md", "p2.md=old p2.md", "p3.md=old p3.md", "w.md=old w.md")
}

// Behaviours 9, 10: the bound, and bytes that are no text.
func TestBodies(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	png := "\x89PNG\r\n\x1a\n\x00\xff\xfe\xc3\x28"
	c.file("x.png", png)
	c.file("fits.txt", strings.Repeat("a", MaxBody))
	c.file("over.txt", strings.Repeat("a", MaxBody+1))
	c.file("empty.txt", "")
	for _, name := range []string{"x.png", "fits.txt", "over.txt", "over.txt", "empty.txt"} {
		c.write(name)
	}
	if n := len(c.list()); n != 4 {
		t.Fatalf("%d copies, want 4", n)
	}
	for _, r := range c.list() {
		body, err := Body(c.home, r)
		switch r.Path {
		case "x.png":
			if string(body) != png || r.Ext != ".png" {
				t.Errorf("%q, %v", body, err)
			}
		case "fits.txt":
			if len(body) != MaxBody {
				t.Errorf("%d bytes, %v", len(body), err)
			}
		case "empty.txt":
			if len(body) != 0 || err != nil {
				t.Errorf("%d bytes, %v", len(body), err)
			}
		case "over.txt":
			if err == nil || !strings.Contains(err.Error(), "524289") || r.Kept() {
				t.Errorf("a note only: %v %+v", err, r)
			}
		}
	}
	if n := len(entries(t, c)); n != 3 {
		t.Errorf("%d bodies, want 3", n)
	}
	if f := c.findings()[2]; !strings.Contains(f.Note, "note only") {
		t.Errorf("the finding says %q", f.Note)
	}
}

// entries are the files in the store.
func entries(t *testing.T, c *cockpit) []string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(c.home.Dir, "carbon"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// Behaviours 8, 21, 23, 24: what HEAD has is not kept, and nothing else is left out.
func TestGit(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.git("init", "-q")
	for _, name := range []string{"clean.md", "edited.md", "assumed.md", "dir/clean.md"} {
		c.file(name, "v1\n")
	}
	c.file(".gitignore", "*.log\n")
	c.git("add", ".")
	c.git("commit", "-q", "-m", "x")
	c.file("edited.md", "a day's work\n")
	c.git("update-index", "--assume-unchanged", "assumed.md")
	c.file("assumed.md", "unseen\n")
	c.file("staged.md", "staged\n")
	c.git("add", "staged.md")
	c.file("new.md", "v1\n") // the bytes of another file that git has
	c.file("x.log", "log\n")
	c.cruise("s1")
	for _, name := range []string{"clean.md", "dir/clean.md", "edited.md", "assumed.md", "staged.md", "new.md", "x.log"} {
		c.write(name)
	}
	c.want("assumed.md=unseen\n", "edited.md=a day's work\n", "new.md=v1\n", "staged.md=staged\n", "x.log=log\n")
	for _, r := range c.list() {
		if r.Ignored != (r.Path == "x.log") {
			t.Errorf("%s: ignored is %v", r.Path, r.Ignored)
		}
	}
}

// Behaviour 19: the project's home, wherever the shell has gone.
func TestProjectDir(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	away := filepath.Join(filepath.Dir(c.root), "b")
	if err := os.Mkdir(away, 0o755); err != nil {
		t.Fatal(err)
	}
	c.env["CLAUDE_PROJECT_DIR"] = c.root
	c.w.Dir = away
	c.cruise("s1")
	path := c.file("d.md", "d")
	c.send(map[string]any{"cwd": away, "tool_name": "Write", "tool_input": map[string]any{"file_path": path}})
	c.want("d.md=d")
}

// A home that was named and lies elsewhere takes the copies of the project it is
// used in.
func TestHomeElsewhere(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.home = sortie.Home{Dir: filepath.Join(filepath.Dir(c.root), "elsewhere", "h"), How: "SPAR_HOME"}
	c.env["SPAR_HOME"] = c.home.Dir
	c.cruise("s1")
	c.file("sub/d.md", "d")
	c.write("sub/d.md")
	c.want("sub/d.md=d")
}

// Behaviour 26: at most one copy per distinct content of a file; and equal bytes
// of two files are stored once.
func TestOnce(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	edits := make([]any, 10)
	for i := range edits {
		edits[i] = map[string]any{"old_string": "a", "new_string": "b"}
	}
	c.file("m.md", "A")
	for range 2 {
		c.send(map[string]any{"tool_name": "MultiEdit", "tool_input": map[string]any{"file_path": "m.md", "edits": edits}})
	}
	c.write("m.md")
	c.file("m.md", "B")
	c.write("m.md")
	c.file("m.md", "A")
	c.write("m.md")
	c.file("n.md", "A")
	c.write("n.md")
	c.want("m.md=A", "m.md=B", "n.md=A")
	if got := entries(t, c); len(got) != 2 {
		t.Errorf("bodies %q, want 2", got)
	}
	// A body that was taken away by hand is no copy any more.
	for _, name := range entries(t, c) {
		if err := os.Remove(filepath.Join(c.home.Dir, "carbon", name)); err != nil {
			t.Fatal(err)
		}
	}
	c.write("n.md")
	last := c.list()[len(c.list())-1]
	if body, err := Body(c.home, last); err != nil || string(body) != "A" || last.Path != "n.md" {
		t.Errorf("%s: %q, %v", last.Path, body, err)
	}
}

// Behaviour 27 and the acceptance: 20 writes at once keep every distinct version
// once, whole, and lose none.
func TestTwentyAtOnce(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	frozen := time.Now()
	c.w.Now = func() time.Time { return frozen } // one millisecond for all
	path := c.file("d.md", "v00")
	var wg sync.WaitGroup
	want := []string{}
	for i := range 20 {
		version := fmt.Sprintf("v%02d", i%10)
		if i < 10 {
			want = append(want, "d.md="+version)
		}
		// Each version is in the file when its hook looks, and replaced before the
		// next: what a hook has read it keeps while others run.
		g := groundOf(&hook.Pass{World: c.w, Home: c.home, Call: &harness.Call{Cwd: c.root}})
		if err := os.WriteFile(path, []byte(version), 0o644); err != nil {
			t.Fatal(err)
		}
		d, why, err := g.look(path)
		if err != nil || why != wanted {
			t.Fatal(why, err)
		}
		wg.Go(func() {
			s := store{c.home}
			tmp, err := s.stage(d.body)
			if err != nil {
				t.Error(err)
				return
			}
			defer os.Remove(tmp)
			b := c.home.Open(c.w)
			defer b.Close()
			tx, err := b.Tx()
			if err == nil {
				_, _, err = s.keep(tx, d, tmp, copyOf{at: c.w.Now()})
			}
			if err = errors.Join(err, b.Commit()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c.want(want...)
	ids := map[string]bool{}
	for _, r := range c.list() {
		ids[r.ID] = true
	}
	if len(ids) != 10 || len(entries(t, c)) != 10 {
		t.Errorf("%d ids, files %q", len(ids), entries(t, c))
	}
	// And through the door: 20 calls over one unchanged draft are one copy.
	if err := os.WriteFile(path, []byte("last"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		wg.Go(func() { c.write("d.md") })
	}
	wg.Wait()
	want = append(want, "d.md=last")
	slices.Sort(want)
	c.want(want...)
}

// Behaviour 35: the session that drafts, and only that one.
func TestTwoSessions(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.start("strike")
	c.cruise("cruise")
	c.file("a.md", "a")
	c.writeBy("strike", "a.md")
	c.want()
	c.writeBy("cruise", "a.md")
	c.want("a.md=a")
	if r := c.list()[0]; r.Session != "cruise" {
		t.Errorf("the copy is of session %q", r.Session)
	}
}

// Behaviour 29: a store that can't be written never blocks the write, is told in
// status, and takes it back once a copy is made.
func TestFailureIsTold(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	c.file("a.md", "a")
	// A file where the folder should be stops root too.
	blocked := filepath.Join(c.home.Dir, "carbon")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, stderr := c.fly(map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": "a.md"}})
	if out != "" || !strings.Contains(stderr, "the draft was not kept") {
		t.Errorf("out %q, stderr %q", out, stderr)
	}
	if log, err := os.ReadFile(filepath.Join(c.home.Dir, "hook-errors.log")); err != nil || !strings.Contains(string(log), "the draft was not kept") {
		t.Errorf("hook-errors.log: %q, %v", log, err)
	}
	if s := c.status(); !strings.Contains(s, "carbon: last copy failed") {
		t.Errorf("status says %q", s)
	}
	d := c.desk()
	defer d.Book.Close()
	if checks, err := doctor(d); err != nil || len(checks) == 0 || checks[0].State != "broken" {
		t.Errorf("doctor: %+v, %v", checks, err)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	c.write("new.md") // nothing to keep is no success
	if s := c.status(); !strings.Contains(s, "carbon: last copy failed") {
		t.Errorf("status says %q", s)
	}
	c.write("a.md")
	if s := c.status(); s != "1 copy, 1 bytes" {
		t.Errorf("status says %q", s)
	}
	c.want("a.md=a")
}

// Where the home itself can't be written, the person's state folder remembers.
func TestFailureOutsideTheHome(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	if err := os.Mkdir(filepath.Join(c.home.Dir, failureFile), 0o700); err != nil {
		t.Fatal(err)
	}
	failed(c.w, c.home, errors.New("no space left on device"))
	if s := lastFailure(c.w, c.home); !strings.HasSuffix(s, "no space left on device") {
		t.Errorf("%q", s)
	}
	// A disk with room for a name alone.
	empty := faults(c.w, c.home)[1]
	if err := os.Truncate(empty, 0); err != nil {
		t.Fatal(err)
	}
	if lastFailure(c.w, c.home) == "" {
		t.Error("an empty mark says nothing")
	}
	succeeded(c.w, c.home)
	if s := lastFailure(c.w, c.home); s != "" {
		t.Errorf("%q after a success", s)
	}
}

// A ledger that can't be opened costs the record, not the draft; doctor finds it.
func TestLedgerGone(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	path := c.file("a.md", "precious")
	if err := os.WriteFile(filepath.Join(c.home.Dir, ledger.FileName), []byte("not a ledger, whatever it is called\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := c.fly(map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": path}})
	if out != "" {
		t.Errorf("carbon spoke: %q", out)
	}
	names := entries(t, c)
	if len(names) != 1 || !strings.HasSuffix(names[0], ".md") {
		t.Fatalf("the store holds %q", names)
	}
	if body, err := os.ReadFile(filepath.Join(c.home.Dir, "carbon", names[0])); err != nil || string(body) != "precious" {
		t.Errorf("%q, %v", body, err)
	}
	if s := lastFailure(c.w, c.home); !strings.Contains(s, "without a record") {
		t.Errorf("%q", s)
	}
	if err := os.Remove(filepath.Join(c.home.Dir, ledger.FileName)); err != nil {
		t.Fatal(err)
	}
	d := c.desk()
	defer d.Book.Close()
	checks, err := doctor(d)
	if err != nil || !strings.Contains(fmt.Sprint(checks), "is in no record") {
		t.Errorf("doctor: %+v, %v", checks, err)
	}
}

// Text in the shape of a secret is kept, marked, and quoted nowhere.
func TestSecretLike(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	secret := "ghp_0123456789abcdefghijABCDEFGHIJ0123456"
	if !redact.Secret(secret) {
		t.Fatal("the test's secret has no secret's shape")
	}
	c.file("a.md", "the key is "+secret)
	c.write("a.md")
	if r := c.list()[0]; !r.SecretLike {
		t.Error("the copy is not marked")
	}
	raw, err := json.Marshal(c.findings())
	if err != nil || strings.Contains(string(raw), secret[4:]) {
		t.Errorf("a finding quotes it: %s, %v", raw, err)
	}
}

// BenchmarkHook is a write in strike and in cruise (behaviour 38), with a store of
// 20000 copies.
func BenchmarkHook(b *testing.B) {
	c := newCockpit(b)
	c.cruise("s1")
	book := c.home.Open(c.w)
	tx, err := book.Tx()
	if err != nil {
		b.Fatal(err)
	}
	at := time.Now().Add(-time.Hour)
	for i := range 20_000 {
		r := &Record{ID: fmt.Sprintf("%020d-x", i), At: at, Path: fmt.Sprintf("d%d/note.md", i%500), Body: "file", File: "x.md", Size: 10, SHA256: fmt.Sprint(i), Place: fmt.Sprint(i % 500)}
		if err := errors.Join(put(tx, recordSpace, r.ID, r), tx.PutState(seenSpace, r.Place+"\x00"+r.SHA256, []byte(r.ID))); err != nil {
			b.Fatal(err)
		}
	}
	if err := book.Commit(); err != nil {
		b.Fatal(err)
	}
	c.file("a.md", "unchanged")
	b.Run("cruise", func(b *testing.B) {
		for b.Loop() {
			c.write("a.md")
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if list, err := List(c.w, c.home, "d7", time.Time{}); err != nil || len(list) != 40 {
				b.Fatal(len(list), err)
			}
		}
	})
	c.mode("s1", ledger.Strike)
	b.Run("strike", func(b *testing.B) {
		for b.Loop() {
			c.write("a.md")
		}
	})
}
