//go:build unix

package install

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func rename(from, to string) error { return os.Rename(from, to) }

// syncDir makes a rename durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a folder that can be written and not read: the rename is done all the same
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// own gives a file the owner of another. Another group is let pass where the
// system won't give it: the mode stays, and nobody gains anything.
func own(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	if !ok || have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	err = f.Chown(int(want.Uid), int(want.Gid))
	if err != nil && have.Uid == want.Uid {
		return nil
	}
	return err
}

func unlockAndRemove(f *os.File, path string) {
	// Removed while it is still held: the next one sees that its file is gone.
	os.Remove(path)
	f.Close()
}

func busy(error) bool { return false }
