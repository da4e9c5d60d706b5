package carbon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/ledger"
	"spar/sortie"
)

// copied is a cockpit with one copy ("old") of a file that holds "new" now.
func copied(t *testing.T) (*cockpit, *Record, string) {
	t.Helper()
	c := newCockpit(t)
	c.cruise("s1")
	path := c.file("dir/a.md", "old\n")
	c.write(path)
	c.file("dir/a.md", "new\n")
	return c, c.list()[0], path
}

func (c *cockpit) restore(r *Record, o Restoring) (Restored, error) {
	c.t.Helper()
	d := c.desk()
	defer d.Book.Close()
	o.Root, o.Actor = c.root, ledger.Human
	return Restore(context.Background(), d, r, o)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func refusal(t *testing.T, err error, want string) {
	t.Helper()
	var r *sortie.Refusal
	if !errors.As(err, &r) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a refusal that says %q", err, want)
	}
}

// Behaviour 34: what is there now is kept before it goes.
func TestRestoreKeepsFirst(t *testing.T) {
	t.Parallel()
	c, r, path := copied(t)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := c.restore(r, Restoring{})
	if err != nil || done.Kept == nil || done.Path != path || read(t, path) != "old\n" {
		t.Fatalf("%+v, %v; the file holds %q", done, err, read(t, path))
	}
	c.want("dir/a.md=new\n", "dir/a.md=old\n")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 && os.PathSeparator == '/' {
		t.Errorf("permissions %v, want the copy's", info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(c.root, "dir", ".spar-restore-*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
	last := c.findings()[len(c.findings())-1]
	if string(last.Observed) != `"restored"` || last.Subject != "dir/a.md" || last.Actor != ledger.Human {
		t.Errorf("finding %+v", last)
	}
	// Once more: the bytes are there already.
	if done, err = c.restore(r, Restoring{}); err != nil || !done.Same || done.Kept != nil {
		t.Errorf("%+v, %v", done, err)
	}
	// Back again: the copy of «new» is found, not made anew.
	back, err := c.restore(c.list()[1], Restoring{})
	if err != nil || back.Kept == nil || back.Kept.ID != r.ID || len(c.list()) != 2 {
		t.Errorf("%+v, %v, %d copies", back, err, len(c.list()))
	}
}

// Behaviour 34: a file that is tracked and clean is written over by force alone.
func TestRestoreTracked(t *testing.T) {
	t.Parallel()
	c, r, path := copied(t)
	c.git("init", "-q")
	c.git("add", "dir")
	c.git("commit", "-q", "-m", "x")
	_, err := c.restore(r, Restoring{})
	refusal(t, err, "tracked and clean")
	if read(t, path) != "new\n" {
		t.Error("it was written all the same")
	}
	if done, err := c.restore(r, Restoring{Force: true}); err != nil || done.Kept == nil || read(t, path) != "old\n" {
		t.Errorf("%+v, %v", done, err)
	}
}

// A file that is gone comes back, folders and all.
func TestRestoreGone(t *testing.T) {
	t.Parallel()
	c, r, path := copied(t)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if done, err := c.restore(r, Restoring{}); err != nil || done.Kept != nil || read(t, path) != "old\n" {
		t.Errorf("%+v, %v", done, err)
	}
}

// What stands in the way and can't be kept is written over by force alone, and a
// link or a folder never is.
func TestRestoreInTheWay(t *testing.T) {
	t.Parallel()
	c, r, path := copied(t)
	large := c.file("large.md", strings.Repeat("x", MaxBody+1))
	env := c.file(".env", "A=1")
	outer := filepath.Join(filepath.Dir(c.root), "outer.md")
	if err := os.WriteFile(outer, []byte("outer"), 0o600); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{large: "more than", env: "secret", outer: "not inside the root"} {
		was := read(t, target)
		_, err := c.restore(r, Restoring{To: target})
		refusal(t, err, want)
		if read(t, target) != was {
			t.Errorf("%s was written", target)
		}
		if _, err := c.restore(r, Restoring{To: target, Force: true}); err != nil || read(t, target) != "old\n" {
			t.Errorf("by force: %v", err)
		}
	}
	_, err := c.restore(r, Restoring{To: c.root, Force: true})
	refusal(t, err, "is a link, a folder or a device")
	fresh := filepath.Join(filepath.Dir(c.root), "fresh.md")
	if _, err := c.restore(r, Restoring{To: fresh}); err != nil || read(t, fresh) != "old\n" {
		t.Errorf("to a new file: %v", err)
	}
	if _, err := c.restore(r, Restoring{To: filepath.Join(c.root, "no", "such", "folder.md")}); err == nil {
		t.Error("a folder was made for a name that was typed")
	}
	// Links, last: they replace what the rest needs.
	if err := errors.Join(os.Remove(path), os.Symlink(outer, path)); err != nil {
		t.Skip("no links here:", err)
	}
	_, err = c.restore(r, Restoring{Force: true})
	refusal(t, err, "is a link")
	away := filepath.Join(filepath.Dir(c.root), "away")
	if err := errors.Join(os.RemoveAll(filepath.Dir(path)), os.Mkdir(away, 0o755), os.Symlink(away, filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	_, err = c.restore(r, Restoring{Force: true})
	refusal(t, err, "leads out of")
	if _, err := os.Stat(filepath.Join(away, "a.md")); err == nil {
		t.Error("it was written through a folder that leads out of the root")
	}
}

// A record that was tampered with, or a body that was, is no draft.
func TestDamage(t *testing.T) {
	t.Parallel()
	c, r, _ := copied(t)
	climbing := *r
	climbing.Path = "../outer.md"
	if _, err := c.restore(&climbing, Restoring{}); err == nil || !strings.Contains(err.Error(), "out of the root") {
		t.Errorf("%v", err)
	}
	if _, err := Diff(c.home, c.root, &climbing); err == nil || !strings.Contains(err.Error(), "out of the root") {
		t.Errorf("%v", err)
	}
	for _, file := range []string{"../ledger.db", "/etc/hostname", "", ".."} {
		other := *r
		other.File = file
		if body, err := Body(c.home, &other); err == nil {
			t.Errorf("%q was read: %q", file, body)
		}
	}
	if err := os.WriteFile(filepath.Join(c.home.Dir, "carbon", r.File), []byte("odd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Body(c.home, r); err == nil || !strings.Contains(err.Error(), "is not what was kept") {
		t.Errorf("%v", err)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	c, r, path := copied(t)
	tests := []struct {
		name string
		now  func() error
		want []string // parts of the text; nil: no difference
		fail string
	}{
		{"differs", func() error { return nil }, []string{"--- " + r.ID, "+++ dir/a.md", "-old", "+new"}, ""},
		{"no newline", func() error { return os.WriteFile(path, []byte("old"), 0o644) }, []string{"\\ No newline at end of file"}, ""},
		{"same", func() error { return os.WriteFile(path, []byte("old\n"), 0o644) }, nil, ""},
		{"no text", func() error { return os.WriteFile(path, []byte("a\x00"), 0o644) }, nil, "is no text"},
		{"too long", func() error { return os.WriteFile(path, make([]byte, MaxBody+1), 0o644) }, nil, "has grown to"},
		{"gone", func() error { return os.Remove(path) }, []string{"+++ /dev/null", "-old"}, ""},
		{"a folder", func() error { return os.Mkdir(path, 0o755) }, nil, "no regular file"},
	}
	for _, tt := range tests {
		if err := tt.now(); err != nil {
			t.Fatal(err)
		}
		got, err := Diff(c.home, c.root, r)
		if (err != nil) != (tt.fail != "") || err != nil && !strings.Contains(err.Error(), tt.fail) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.fail)
		}
		if (got == "") != (tt.want == nil) {
			t.Errorf("%s: %q", tt.name, got)
		}
		for _, part := range tt.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", tt.name, part, got)
			}
		}
	}
}

// Behaviours 18, 28: a wrong id is never answered with another copy's bytes.
func TestFind(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	if _, err := Find(c.w, c.home, "2026"); !errors.Is(err, ErrNoCopy) {
		t.Errorf("no ledger: %v", err)
	}
	c.cruise("s1")
	for _, name := range []string{"a.md", "b.md"} {
		c.file(name, name)
		c.write(name)
	}
	for _, r := range c.list() {
		for _, id := range []string{r.ID, r.ID[:len(r.ID)-3]} {
			if got, err := Find(c.w, c.home, id); err != nil || got.Path != r.Path {
				t.Errorf("Find(%s) = %+v, %v", id, got, err)
			}
		}
	}
	for _, id := range []string{"", "nope", c.list()[0].ID + "0"} {
		if _, err := Find(c.w, c.home, id); !errors.Is(err, ErrNoCopy) {
			t.Errorf("Find(%q): %v", id, err)
		}
	}
	var many *AmbiguousError
	if _, err := Find(c.w, c.home, "20"); !errors.As(err, &many) || len(many.Found) != 2 || !strings.Contains(err.Error(), "a.md") {
		t.Errorf("%v", err)
	}
}

// What a pruning takes, by law: nothing younger than the bound, never the newest N
// of a file, never a body that a copy which stays needs, and no copy twice.
func TestPrunableLaws(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	seed := uint32(1)
	next := func(n int) int { // a small generator, the same every time
		seed = seed*1664525 + 1013904223
		return int(seed>>16) % n
	}
	for range 300 {
		var list []*Record
		for i := range next(30) {
			body := fmt.Sprint(next(8))
			r := &Record{ID: fmt.Sprintf("%03d", i), At: at.Add(time.Duration(i) * time.Hour), Body: "file", File: body, Size: 10, Place: fmt.Sprint(next(4))}
			switch next(6) {
			case 0:
				r.Body, r.File = "none", ""
			case 1:
				r.Pruned = &at
			}
			list = append(list, r)
		}
		o := Pruning{Before: at.Add(time.Duration(next(40)) * time.Hour), KeepLast: next(3)}
		p := Prunable(list, o)
		if p.Bytes != int64(10*len(p.files)) {
			t.Fatalf("%d bytes for %d files", p.Bytes, len(p.files))
		}
		left := map[string]int{}
		for _, r := range list {
			goes := slices.Contains(p.Records, r)
			switch {
			case goes && (!r.Kept() || !r.At.Before(o.Before)):
				t.Fatalf("%+v goes under %+v", r, o)
			case !goes && r.Kept():
				left[r.Place]++
				if slices.Contains(p.files, r.File) {
					t.Fatalf("%+v loses its body", r)
				}
			}
		}
		for _, r := range p.Records {
			if left[r.Place] < o.KeepLast {
				t.Fatalf("of %s only %d are left of %d", r.Place, left[r.Place], o.KeepLast)
			}
		}
	}
}

// Behaviour 36: the body goes, the record and a finding stay, and the next write
// keeps the bytes anew.
func TestPrune(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	for _, f := range [][2]string{{"a.md", "one"}, {"b.md", "one"}, {"a.md", "two"}} {
		c.file(f[0], f[1])
		c.write(f[0])
	}
	prune := func(o Pruning) Pruned {
		t.Helper()
		d := c.desk()
		defer d.Book.Close()
		p, err := Prune(d, o, ledger.Human)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	later := time.Now().Add(time.Minute)
	if p := prune(Pruning{Before: later, KeepLast: 1}); len(p.Records) != 1 || p.Bytes != 0 {
		t.Errorf("%+v: b.md still needs the body", p)
	}
	if n := len(entries(t, c)); n != 2 {
		t.Errorf("%d bodies, want 2", n)
	}
	if p := prune(Pruning{Before: later}); len(p.Records) != 2 || p.Bytes != 6 {
		t.Errorf("%+v", p)
	}
	if n := len(entries(t, c)); n != 0 {
		t.Errorf("%d bodies, want none", n)
	}
	for _, r := range c.list() {
		if _, err := Body(c.home, r); err == nil || r.Pruned == nil || !strings.Contains(err.Error(), "pruned") {
			t.Errorf("%+v: %v", r, err)
		}
	}
	found := c.findings()
	if last := found[len(found)-1]; !strings.Contains(string(last.Observed), `"copies":2`) || !strings.Contains(last.Note, "6 bytes") {
		t.Errorf("finding %s, %s", last.Observed, last.Note)
	}
	if p := prune(Pruning{Before: later}); len(p.Records) != 0 || len(c.findings()) != len(found) {
		t.Errorf("an empty pruning files something: %+v", p)
	}
	c.write("a.md")
	if last := c.list()[3]; !last.Kept() {
		t.Errorf("%+v", last)
	}
	d := c.desk()
	defer d.Book.Close()
	if checks, err := doctor(d); err != nil || len(checks) != 1 || checks[0].State != "ok" {
		t.Errorf("doctor: %+v, %v", checks, err)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.file("dir/a.md", "a")
	for _, tt := range []struct{ cwd, path, want string }{
		{c.root, "dir/a.md", "dir/a.md"},
		{filepath.Join(c.root, "dir"), "a.md", "dir/a.md"},
		{filepath.Join(c.root, "dir"), "../dir/gone.md", "dir/gone.md"},
		{"/", filepath.Join(c.root, "dir"), "dir"},
		{c.root, ".", ""},
		{filepath.Dir(c.root), "a.md", "a.md"},
	} {
		if got := Relative(c.root, tt.cwd, tt.path); got != tt.want {
			t.Errorf("Relative(%s, %s) = %q, want %q", tt.cwd, tt.path, got, tt.want)
		}
	}
}
