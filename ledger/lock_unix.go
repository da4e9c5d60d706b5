//go:build !windows && !solaris && !aix

package ledger

import (
	"errors"
	"os"
	"syscall"
)

func tryLock(f *os.File, shared bool) error {
	err := flock(f, shared, syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

func waitLock(f *os.File, shared bool) error { return flock(f, shared, 0) }

func flock(f *os.File, shared bool, more int) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	for {
		// The runtime's own signals interrupt a wait that is minutes away from done.
		if err := syscall.Flock(int(f.Fd()), how|more); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
