package install

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename replaces a file that another process may have open without sharing it; an
// editor or a scanner lets go of it soon, so it is tried for two seconds.
func rename(from, to string) error {
	var err error
	for range 100 {
		if err = os.Rename(from, to); err == nil || !busy(err) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_DELETE_PENDING)
}

// syncDir: Windows has no way to flush a folder; MoveFileEx is journalled.
func syncDir(string) error { return nil }

// own: a file made in a folder inherits that folder's owner and rights.
func own(*os.File, fs.FileInfo) error { return nil }

func tryLock(f *os.File) (bool, error) {
	const whole = ^uint32(0)
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, whole, whole, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

func unlockAndRemove(f *os.File, path string) {
	// An open file can't be removed here. Where another one has opened it
	// meanwhile, it stays, and that one takes it away.
	f.Close()
	os.Remove(path)
}
