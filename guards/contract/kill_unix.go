//go:build unix

package contract

import "syscall"

// killSignal can't be caught.
const killSignal = syscall.SIGKILL
