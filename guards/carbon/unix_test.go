//go:build unix

package carbon

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Behaviour 15: a FIFO and a socket are never opened, so nothing hangs.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.cruise("s1")
	fifo := filepath.Join(c.root, "fifo.md")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	c.write(fifo)
	if l, err := net.Listen("unix", filepath.Join(c.root, "s.md")); err == nil {
		defer l.Close()
		c.write("s.md")
	}
	c.want()
	// One that was put in a file's place after it was looked at: opened it is, for
	// a moment and without waiting, and not read.
	seen, err := os.Lstat(c.file("a.md", "a"))
	if err != nil {
		t.Fatal(err)
	}
	d := &draft{rel: "fifo.md"}
	if err := d.read(c.root, seen); err == nil {
		t.Errorf("a FIFO was read: %q", d.body)
	}
}
