package sortie

import "time"

// World is what a process knows of the outside. Nothing below cmd/spar asks the
// operating system for it, so tests can run side by side.
type World struct {
	// Now is the clock.
	Now func() time.Time
	// Env looks a variable up; "" for one that is unset.
	Env func(string) string
	// Dir is the working directory, absolute; "" where it is gone.
	Dir string
	// PPID is the parent's process id; 0 where there is none to speak of.
	PPID int
}
