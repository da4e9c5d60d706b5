//go:build solaris || aix

package install

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// These systems have no flock(2). A record lock belongs to the process, which is
// enough: a process writes one settings file at a time.
func tryLock(f *os.File) (bool, error) {
	err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart})
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
		return false, nil
	default:
		return false, err
	}
}
