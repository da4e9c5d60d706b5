//go:build !unix && !windows

package install

import (
	"io/fs"
	"os"
)

func rename(from, to string) error            { return os.Rename(from, to) }
func syncDir(string) error                    { return nil }
func own(*os.File, fs.FileInfo) error         { return nil }
func busy(error) bool                         { return false }
func tryLock(*os.File) (bool, error)          { return true, nil }
func unlockAndRemove(f *os.File, path string) { f.Close(); os.Remove(path) }
