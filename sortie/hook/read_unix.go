//go:build unix

package hook

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patient bounds the wait for a file's bytes by asking the kernel, which needs
// neither a goroutine nor a timer: either would start a thread, on every call.
func patient(in io.Reader, limit time.Duration, now func() time.Time) (io.Reader, bool) {
	f, ok := in.(*os.File)
	if !ok {
		return nil, false
	}
	return &patientFile{f, limit, now().Add(limit), now}, true
}

type patientFile struct {
	*os.File
	limit time.Duration
	until time.Time
	now   func() time.Time
}

func (f *patientFile) Read(p []byte) (int, error) {
	for {
		left := f.until.Sub(f.now())
		if left <= 0 {
			return 0, nothing(f.limit)
		}
		fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int(left.Milliseconds())+1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 0, err
		case n > 0:
			return f.File.Read(p)
		}
	}
}
