package acts

// sink is what a reader of another command language writes into: the
// interpreter of the Bourne family hands it to the readers of PowerShell and
// cmd.exe, so that acts, bounds, directory and wrappers stay in one place.
type sink interface {
	// Emit files an act and answers its index in [Reading.Acts], or -1 past a
	// bound. An act with an empty Dir gets the sink's; the wrappers and the
	// machine around the nested text are put in front of the act's own.
	Emit(Act) int
	// Nested reads src as a command line of the dialect d, in dir (the zero Word:
	// where the sink stands), with via behind the chain so far. It counts against
	// the depth bound.
	Nested(d Dialect, src string, dir Word, via []string)
	// Dir is the directory the next act runs in.
	Dir() Word
	// SetDir moves it.
	SetDir(Word)
	// Lookup is a variable of the environment as it stands; false: not set.
	Lookup(name string) (string, bool)
	// More is false once a bound is hit: the reader should stop.
	More() bool
}
