package ledger

import (
	"errors"
	"fmt"
	"time"
)

// The faults of a ledger file. Each is told apart because each has another next
// step; match them with errors.Is.
var (
	// ErrBusy: the turn did not come within Options.Wait.
	ErrBusy = errors.New("the ledger is busy")
	// ErrEmpty: the file has 0 bytes, which no ledger ever has. bbolt alone would
	// make a new database of it and so bury the loss.
	ErrEmpty = errors.New("the file is empty (0 bytes)")
	// ErrNotLedger: no database, or another program's.
	ErrNotLedger = errors.New("the file is not a ledger")
	// ErrTruncated: the file is shorter than its own header says.
	ErrTruncated = errors.New("the file is cut short")
	// ErrDamaged: the file is ours and its insides don't add up.
	ErrDamaged = errors.New("the file is damaged")
	// ErrNewer: a newer spar wrote the file.
	ErrNewer = errors.New("the file was written by a newer spar")
	// ErrReadOnly: something was to be written through a ledger opened for reading.
	ErrReadOnly = errors.New("the ledger is open for reading only")
)

// An OpenError says what could not be done with which ledger and what to do
// next. Nothing has been written when one is returned by Open.
type OpenError struct {
	Op     string // "opening", "reading", "writing"
	Path   string // the ledger file
	Waited time.Duration
	Err    error
	Hint   string // the next step, one imperative sentence
}

func (e *OpenError) Error() string {
	s := fmt.Sprintf("%s ledger %s: %v", e.Op, e.Path, e.Err)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *OpenError) Unwrap() error { return e.Err }

// hintFor is the next step for a fault of the file itself.
func hintFor(err error) string {
	switch {
	case errors.Is(err, ErrEmpty), errors.Is(err, ErrTruncated), errors.Is(err, ErrDamaged):
		return "run `spar ledger check` to see what is left of it and `spar ledger recover` to save that; the file is kept as it is"
	case errors.Is(err, ErrNewer):
		return "update spar, or look at the file with the spar that wrote it; it is kept as it is"
	case errors.Is(err, ErrNotLedger):
		return "run `spar ledger check` to see what it is, then move it away; it is kept as it is"
	}
	return ""
}
