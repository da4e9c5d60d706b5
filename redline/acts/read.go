package acts

import "time"

// Bounds limit a reading. Zero fields take the default.
type Bounds struct {
	Depth int           // nesting of wrappers, functions and carried code; 16
	Acts  int           // acts in a reading; 10 000
	Bytes int           // length of a line; 1 MiB
	Time  time.Duration // wall clock of a reading; 50 ms
}

// DefaultBounds are the bounds of a reading whose options set none.
var DefaultBounds = Bounds{Depth: 16, Acts: 10_000, Bytes: 1 << 20, Time: 50 * time.Millisecond}

// Read reads a command line. It never fails: what it cannot read is in the
// result as an act of kind Unread.
func Read(line string, o Options) *Reading {
	panic("acts.Read: being built")
}

// Place says where the path word w of an act that runs in dir lands, under the
// environment of the options the reading was made with.
func (r *Reading) Place(dir, w Word) Place {
	panic("acts.Place: being built")
}
