//go:build solaris || aix

package ledger

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// These systems have no flock(2). A record lock belongs to the process, not to
// the open file, which is enough here: a process opens a home's ledger once.

func tryLock(f *os.File, shared bool) error {
	err := record(f, shared, unix.F_SETLK)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return errLocked
	}
	return err
}

func waitLock(f *os.File, shared bool) error { return record(f, shared, unix.F_SETLKW) }

func record(f *os.File, shared bool, cmd int) error {
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	if shared {
		l.Type = unix.F_RDLCK
	}
	for {
		if err := unix.FcntlFlock(f.Fd(), cmd, &l); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
