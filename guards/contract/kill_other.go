//go:build !unix

package contract

import "os"

// killSignal ends a process.
var killSignal = os.Kill
