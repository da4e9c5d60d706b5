//go:build !unix

package sortie

import (
	"errors"
	"os"
)

// SmallFile reads a file of at most 64 KiB whole.
func SmallFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil && len(data) > smallFile {
		return nil, &os.PathError{Op: "read", Path: path, Err: errLarge}
	}
	return data, err
}

// AppendSmall appends to a file, which is made (0600) where it isn't there.
func AppendSmall(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
