//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// foreground reports whether our process group is the one the terminal's keys
// signal.
func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
