package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errLocked is what a lock that is tried without waiting answers when it is held.
var errLocked = errors.New("locked")

// defaultWait bounds the wait for a turn where the caller names no bound. A
// hook's whole pass has 8 s.
const defaultWait = 5 * time.Second

// sideLock queues for a home's turn and returns the file that holds it; closing
// the file ends the turn, and so does the end of the process, however it ends.
//
// It exists because bbolt polls its own lock every 50 ms, so that 16 writers at
// once wait a median of 93 ms, and because a lock on the database itself is lost
// by a rename under a waiting writer. The kernel's queue hands over at once.
//
// A reader's turn is shared. Where the folder is not writable a reader makes do
// with what is there: nil without an error is a turn that needs no lock, since
// nobody can make the lock file and so nobody can write.
func sideLock(home string, shared bool, wait time.Duration) (*os.File, error) {
	if wait <= 0 {
		wait = defaultWait
	}
	path := filepath.Join(home, LockName)
	var bound <-chan time.Time // made when there is something to wait for: a timer starts a thread
	for {
		f, err := openFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil && shared {
			f, err = os.Open(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
		}
		if err != nil {
			return nil, err
		}
		switch err := tryLock(f, shared); {
		case err == nil:
		case errors.Is(err, errLocked):
			if bound == nil {
				timer := time.NewTimer(wait)
				defer timer.Stop()
				bound = timer.C
			}
			if err := queue(f, shared, bound); err != nil {
				if errors.Is(err, ErrBusy) {
					err = fmt.Errorf("%w: waited %v for its turn%s", ErrBusy, wait, holder(path))
				}
				return nil, err
			}
		default:
			f.Close()
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		// The folder may have been removed and made anew while we waited: then we
		// hold the turn of a file nobody else will ever ask for.
		held, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(held, there) {
			return f, nil
		}
		f.Close()
		if err2 != nil && !errors.Is(err2, fs.ErrNotExist) {
			return nil, err2
		}
		if err2 != nil && shared {
			return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
	}
}

// queue waits in the kernel's queue until the turn or the timer comes. A
// blocking flock can't be called off, so a turn that comes too late is given
// back by the goroutine that got it.
func queue(f *os.File, shared bool, bound <-chan time.Time) error {
	got := make(chan error)
	late := make(chan struct{})
	go func() {
		err := waitLock(f, shared)
		select {
		case got <- err:
		case <-late:
			f.Close()
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			f.Close()
			return fmt.Errorf("locking %s: %w", f.Name(), err)
		}
		return nil
	case <-bound:
		close(late)
		return ErrBusy
	}
}
