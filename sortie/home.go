package sortie

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Home is a .spar folder: the state of every sortie flown from one root.
type Home struct {
	Dir  string // the folder itself, absolute
	Root string // what it belongs to: its parent, as a rule
	How  string // which rule found it: "--home", "SPAR_HOME", "session", "project", "git", "here"
}

// homeName is the folder's name in a project.
const homeName = ".spar"

// HomeQuery is what the search for a home starts from; empty fields are skipped.
type HomeQuery struct {
	Flag    string // --home
	Session string // the harness's session id
	Project string // the harness's project directory
	Cwd     string // the payload's directory
}

// FindHome applies the order of frame.md: flag or SPAR_HOME, the home the
// session is bound to, then the project, the payload's or the process's
// directory: the nearest .spar at or above it (not past the git top level, never
// from $HOME, a file-system root, a scratch root or another owner's folder), else
// the git top level, else the directory itself. It creates nothing.
//
// A directory that no longer exists is passed over for the next one; where none
// exists, the nearest ancestor of the first that does takes its place.
func FindHome(w World, q HomeQuery) (Home, error) {
	h, _, _, err := FindBound(w, q)
	return h, err
}

// FindBound is FindHome for the caller that also wants the session's binding: one
// look at its file for both. The binding is that of the home found; flies is false
// where the session flies nothing there.
func FindBound(w World, q HomeQuery) (h Home, b Binding, flies bool, err error) {
	b, known := readBinding(w, q.Session)
	if h, err = findHome(w, q, b, known); err != nil || h.Dir != b.Home {
		return h, Binding{}, false, err
	}
	return h, b, known && b.Sortie != "", nil
}

func findHome(w World, q HomeQuery, b Binding, bound bool) (Home, error) {
	for _, named := range [...]struct{ how, dir string }{{"--home", q.Flag}, {"SPAR_HOME", w.Env("SPAR_HOME")}} {
		if named.dir == "" {
			continue
		}
		dir := named.dir
		if !filepath.IsAbs(dir) {
			if w.Dir == "" {
				return Home{}, fmt.Errorf("%s %q is relative and the working directory is gone; give an absolute path", named.how, dir)
			}
			dir = filepath.Join(w.Dir, dir)
		}
		dir = filepath.Clean(dir)
		return Home{Dir: dir, Root: filepath.Dir(dir), How: named.how}, nil
	}
	if bound && filepath.IsAbs(b.Home) {
		root := filepath.Dir(b.Home)
		// The project may have been deleted since; its folder is not made again.
		if isDir(b.Home) || isDir(root) {
			return Home{Dir: b.Home, Root: root, How: "session"}, nil
		}
	}
	first := ""
	for _, dir := range [...]string{q.Project, q.Cwd, w.Dir} {
		if dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		if first == "" {
			first = dir
		}
		if isDir(dir) {
			return w.climb(dir), nil
		}
	}
	for dir := first; dir != ""; {
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		if dir = parent; isDir(dir) {
			if h := w.climb(dir); h.How != "here" {
				return h, nil
			}
			break
		}
	}
	return Home{}, errors.New("no directory to look for a home in: the project's and the process's are gone; name one with --home or SPAR_HOME")
}

// climb looks for a home at or above a directory that exists.
func (w World) climb(start string) Home {
	start = filepath.Clean(start)
	// Links are resolved first, as git does: one folder reached by two names is one
	// project.
	if real, err := filepath.EvalSymlinks(start); err == nil {
		start = real
	}
	for dir := start; ; {
		if h := filepath.Join(dir, homeName); isDir(h) && (dir == start || !w.barred(dir, start)) {
			return Home{Dir: h, Root: dir, How: "project"}
		}
		// A .git file is a linked worktree's: a top level like any other.
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			if dir == start || !w.barred(dir, start) {
				return Home{Dir: filepath.Join(dir, homeName), Root: dir, How: "git"}
			}
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return Home{Dir: filepath.Join(start, homeName), Root: start, How: "here"}
}

// barred reports whether a folder above start must not lend its home: one home
// for all of a person's projects, or one that somebody else put there, would mix
// counts that have nothing to do with one another.
func (w World) barred(dir, start string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	info, err := os.Stat(dir)
	if err != nil {
		return true
	}
	same := func(other string) bool {
		if !filepath.IsAbs(other) {
			return false
		}
		o, err := os.Stat(other)
		return err == nil && os.SameFile(info, o)
	}
	for _, other := range [...]string{w.userHome(), w.Env("HOME"), w.Env("TMPDIR"), w.Env("TEMP"), w.Env("TMP"), w.Env("RUNNER_TEMP"),
		"/tmp", "/var/tmp", "/dev/shm"} {
		if same(other) {
			return true
		}
	}
	below, err := os.Stat(start)
	return err != nil || foreign(info, below)
}

// isDir reports whether a directory is there, links followed.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Exists reports whether the folder is there.
func (h Home) Exists() bool { return isDir(h.Dir) }

// Create makes the folder (0700) and its .gitignore, where absent. A project
// that was deleted is not made again: only a home that a person named is created
// with the folders above it.
func (h Home) Create() error {
	make := os.Mkdir
	if h.How == "--home" || h.How == "SPAR_HOME" {
		make = os.MkdirAll
	}
	if !isDir(h.Dir) {
		if _, err := os.Lstat(h.Dir); err == nil {
			return refuse("move it away, or name another home with --home", "%s is there and is no folder", h.Dir)
		}
		if err := make(h.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("creating the home: %w", err)
		}
	}
	// O_EXCL: a person may have edited it, or taken it out on purpose and put an
	// empty one there.
	f, err := os.OpenFile(filepath.Join(h.Dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("creating the home: %w", err)
	}
	if _, err := f.WriteString("*\n"); err != nil {
		f.Close()
		return fmt.Errorf("creating the home: %w", err)
	}
	return f.Close()
}
