//go:build unix

package sortie

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign reports whether a folder belongs neither to us nor to whom the folder
// the search began in belongs to. The second half is for containers, where root
// works in a tree that is somebody else's throughout.
func foreign(dir, start fs.FileInfo) bool {
	d, ok := dir.Sys().(*syscall.Stat_t)
	if !ok || int(d.Uid) == os.Geteuid() {
		return false
	}
	s, ok := start.Sys().(*syscall.Stat_t)
	return ok && s.Uid != d.Uid
}
