//go:build unix

package sortie

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// SmallFile reads a file of at most 64 KiB whole. It asks the kernel directly:
// the library's own way readies every file for polling, a dozen system calls that
// a file on a disk has no use for, on every tool call.
func SmallFile(path string) ([]byte, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	data := make([]byte, 0, 512)
	for {
		n, err := retry(func() (int, error) { return unix.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			return data, nil
		}
		data = data[:len(data)+n]
		if len(data) > smallFile {
			return nil, &fs.PathError{Op: "read", Path: path, Err: errLarge}
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// AppendSmall appends to a file, which is made (0600) where it isn't there.
func AppendSmall(path, text string) error {
	fd, err := retry(func() (int, error) {
		return unix.Open(path, unix.O_WRONLY|unix.O_APPEND|unix.O_CREAT|unix.O_CLOEXEC, 0o600)
	})
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	n, err := retry(func() (int, error) { return unix.Write(fd, []byte(text)) })
	if err == nil && n < len(text) {
		err = unix.ENOSPC
	}
	if cerr := unix.Close(fd); err == nil {
		err = cerr
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

func retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
