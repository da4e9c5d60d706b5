package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxSize is the largest settings file that is looked at, in bytes.
const maxSize = 64 << 20

// file is a settings file as it is on the disk.
type file struct {
	path string // as it was named
	real string // what it leads to, links followed
	text []byte // nil where it isn't there
	info fs.FileInfo
}

func (f file) exists() bool { return f.info != nil }

// load reads a settings file. One that isn't there is no error.
func load(path string) (file, error) {
	f := file{path: path}
	var err error
	if f.real, err = follow(path); err != nil {
		return f, err
	}
	// Looked at before it is opened: reading a pipe would wait for ever.
	info, err := os.Stat(f.real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, &FileError{Path: path, Problem: cause(err), Err: err}
	case !info.Mode().IsRegular():
		return f, &FileError{Path: path, Problem: "is no regular file (" + info.Mode().Type().String() + ")", Next: "move it away and install again"}
	case info.Size() > maxSize:
		return f, &FileError{Path: path, Problem: fmt.Sprintf("holds %d MiB, which is no settings file", info.Size()>>20)}
	}
	if f.text, err = os.ReadFile(f.real); err != nil {
		return f, &FileError{Path: path, Problem: "can't be read: " + cause(err), Next: "give yourself the right to read it", Err: err}
	}
	if f.text == nil {
		f.text = []byte{}
	}
	f.info = info
	return f, nil
}

// cause is an error without the path, which the message has already.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// follow is where a path leads, links followed even where the last one dangles:
// settings that are kept elsewhere and linked stay linked.
func follow(path string) (string, error) {
	for range 40 {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // no link, or nothing there: then it is the path itself
		}
		if !filepath.IsAbs(target) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				dir = filepath.Dir(path)
			}
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return "", &FileError{Path: path, Problem: "a link that leads to itself", Next: "take it away and install again"}
}

// writer replaces settings files. step is asked before each step, so that a test
// can end the process there; a nil one is no step.
type writer struct {
	now    time.Time // local time, for the names of backups
	reason string    // "spar-install", the end of their names
	step   func(name string)
	// own is set for a file of ours in a home: nobody else reads it, and no earlier
	// state is kept.
	own bool
}

func (w writer) at(name string) {
	if w.step != nil {
		w.step(name)
	}
}

// written is what replace did.
type written struct {
	backup  string // "" where there was nothing to keep
	changed bool
	removed bool
}

// plan makes the new text out of what is there. remove takes the file away; a text
// that equals the old one is no change.
type plan func(f file) (text []byte, remove bool, err error)

// replace changes a file by a plan. The plan is made again, up to three times in
// all, where the file changed between reading and writing: a harness writes its
// own settings whenever it likes.
func (w writer) replace(path string, draw plan) (written, error) {
	// Nothing to do is found out without a lock, which would be a write.
	f, err := load(path)
	if err != nil {
		return written{}, err
	}
	text, remove, err := draw(f)
	if err != nil || !remove && bytes.Equal(text, f.text) && f.exists() || remove && !f.exists() {
		return written{}, err
	}
	dir := filepath.Dir(f.real)
	mode := fs.FileMode(0o777)
	if w.own {
		mode = 0o700
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return written{}, &FileError{Path: dir, Problem: "the folder can't be made: " + cause(err), Next: "make it, or install with another scope", Err: err}
	}
	w.at("lock")
	unlock, err := lock(filepath.Join(dir, "."+filepath.Base(f.real)+".spar-lock"))
	if err != nil {
		return written{}, err
	}
	defer unlock()
	for range 3 {
		if f, err = load(path); err != nil {
			return written{}, err
		}
		text, remove, err := draw(f)
		if err != nil || !remove && bytes.Equal(text, f.text) && f.exists() || remove && !f.exists() {
			return written{}, err
		}
		done, err := w.once(f, text, remove)
		if !errors.Is(err, errChanged) {
			return done, err
		}
	}
	return written{}, &FileError{Path: path, Problem: "was changed by somebody else each time it was about to be written", Next: "close the harness and install again"}
}

var errChanged = errors.New("the file changed")

// once makes one attempt.
func (w writer) once(f file, text []byte, remove bool) (done written, err error) {
	if f.exists() {
		if f.info.Mode().Perm()&0o222 == 0 {
			return done, &FileError{Path: f.path, Problem: "is read-only, and somebody meant that",
				Next: "make it writable, then install again"}
		}
		if !w.own {
			if done.backup, err = w.backup(f); err != nil {
				return done, err
			}
			defer func() {
				if err != nil && !done.changed { // nothing was changed, so nothing needs keeping
					os.Remove(done.backup)
					done.backup = ""
				}
			}()
		}
	}
	if remove {
		if err := w.unchanged(f); err != nil {
			return done, err
		}
		w.at("remove")
		if err := os.Remove(f.real); err != nil {
			return done, &FileError{Path: f.path, Problem: "can't be removed: " + cause(err), Err: err}
		}
		w.at("removed")
		done.changed, done.removed = true, true
		return done, syncDir(filepath.Dir(f.real))
	}
	temp := filepath.Join(filepath.Dir(f.real), "."+filepath.Base(f.real)+".spar-tmp")
	// One that is there was left by a process that was killed: we hold the lock.
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, &FileError{Path: temp, Problem: "is in the way: " + cause(err), Next: "take it away", Err: err}
	}
	if err := w.writeTemp(temp, f, text); err != nil {
		os.Remove(temp)
		return done, err
	}
	if err := w.unchanged(f); err != nil {
		os.Remove(temp)
		return done, err
	}
	w.at("rename")
	if err := rename(temp, f.real); err != nil {
		os.Remove(temp)
		return done, &FileError{Path: f.path, Problem: "can't be replaced: " + cause(err), Next: "close what has it open", Err: err}
	}
	w.at("renamed")
	done.changed = true
	return done, syncDir(filepath.Dir(f.real))
}

// unchanged reports errChanged where the file is no longer what was read.
func (w writer) unchanged(f file) error {
	w.at("compare")
	now, err := load(f.path)
	if err != nil {
		return err
	}
	if now.real != f.real || now.exists() != f.exists() || !bytes.Equal(now.text, f.text) {
		return errChanged
	}
	return nil
}

func (w writer) writeTemp(temp string, f file, text []byte) error {
	perm := fs.FileMode(0o666) // less the umask, as for every new file
	if f.exists() || w.own {
		perm = 0o600 // nobody may read it before it has the owner it needs
	}
	w.at("temp")
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return &FileError{Path: filepath.Dir(temp), Problem: "no file can be made in the folder: " + cause(err), Next: "give yourself the right to write there", Err: err}
	}
	fail := func(err error) error {
		out.Close()
		return &FileError{Path: f.path, Problem: "the new text can't be written: " + cause(err), Next: "the old one is untouched", Err: err}
	}
	half := len(text) / 2
	if _, err := out.Write(text[:half]); err != nil {
		return fail(err)
	}
	w.at("half written")
	if _, err := out.Write(text[half:]); err != nil {
		return fail(err)
	}
	if f.exists() {
		if err := own(out, f.info); err != nil {
			out.Close()
			return &FileError{Path: f.path, Problem: "belongs to somebody else, and a new file would be yours: " + cause(err),
				Next: "install as its owner", Err: err}
		}
		// Behind own: changing the owner clears the set-id bits.
		if err := out.Chmod(f.info.Mode().Perm()); err != nil {
			return fail(err)
		}
	}
	w.at("sync")
	if err := out.Sync(); err != nil {
		return fail(err)
	}
	if err := out.Close(); err != nil {
		return fail(err)
	}
	return nil
}

// backup keeps the file as it is beside it, in a folder of backups, under a name
// that nothing has yet, and reads the copy back.
func (w writer) backup(f file) (path string, err error) {
	dir := filepath.Join(filepath.Dir(f.path), backupDir)
	fail := func(err error) (string, error) {
		return "", &FileError{Path: dir, Problem: "the file as it is can't be kept: " + cause(err), Next: "nothing was changed; make room, or give yourself the right to write there", Err: err}
	}
	w.at("backup")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(err)
	}
	base := filepath.Join(dir, filepath.Base(f.path)+"."+w.now.Format("2006-01-02-150405")+"-"+w.reason)
	path = base
	var out *os.File
	for n := 2; ; n++ {
		out, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) || n > 10000 {
			return fail(err)
		}
		path = fmt.Sprintf("%s-%d", base, n)
	}
	w.at("backup half written")
	_, err = out.Write(f.text)
	if err == nil {
		// The owner is not copied: a backup that only we can read is no fault.
		err = out.Chmod(f.info.Mode().Perm() | 0o200)
	}
	if err == nil {
		err = out.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	var back []byte
	if err == nil {
		back, err = os.ReadFile(path)
	}
	if err == nil && !bytes.Equal(back, f.text) {
		err = io.ErrShortWrite
	}
	if err != nil {
		os.Remove(path)
		return fail(err)
	}
	w.at("backup written")
	return path, nil
}

// backupDir is the folder beside a settings file where earlier states of it are.
const backupDir = "backups"

// lockTries times lockPause is how long an install waits for another: 10 s.
const (
	lockTries = 500
	lockPause = 20 * time.Millisecond
)

// lock makes this process the only install that writes a file. The lock is on an
// open file, so it goes with the process, however that ends; the file itself is
// taken away by whoever has the lock.
func lock(path string) (unlock func(), err error) {
	for opens := 0; opens < lockTries; opens++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			if busy(err) && opens < 25 { // Windows, and the one before is taking it away
				time.Sleep(lockPause)
				continue
			}
			return nil, &FileError{Path: filepath.Dir(path), Problem: "no file can be made in the folder: " + cause(err),
				Next: "give yourself the right to write there", Err: err}
		}
		held, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, &FileError{Path: path, Problem: "can't be locked: " + cause(err), Err: err}
		}
		// Whoever held it may have taken the file away since it was opened: a lock
		// on a file that has no name any more locks nobody out.
		mine, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if held && err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return func() { unlockAndRemove(f, path) }, nil
		}
		f.Close()
		if !held {
			time.Sleep(lockPause)
		}
	}
	return nil, &FileError{Path: path, Problem: "another install has been writing for 10 seconds", Next: "wait for it, then install again"}
}
