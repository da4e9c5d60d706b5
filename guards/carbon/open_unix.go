//go:build unix

package carbon

import "syscall"

// openFlags keep an open from waiting where a FIFO was put in the file's place
// after it was looked at.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
