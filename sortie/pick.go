package sortie

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/ledger"
)

// ErrNoSortie is what a typed command gets where no sortie is meant.
var ErrNoSortie = errors.New("no sortie is aloft here")

// A ManyError is a command that would change a sortie where several are aloft
// and none was named.
type ManyError struct{ Flights []Flight }

func (e *ManyError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sorties are aloft here; say which with --sortie:", len(e.Flights))
	for _, f := range e.Flights {
		fmt.Fprintf(&b, "\n  %s  %s, launched %s by %s", f.ID, f.Mode, f.Launched.Local().Format("2006-01-02 15:04"), f.Launcher())
	}
	return b.String()
}

// Launcher says who launched it.
func (f Flight) Launcher() string {
	switch {
	case f.Operator:
		return "an operator"
	case f.Harness != "":
		return f.Harness
	}
	return "a session"
}

// Pick finds the sortie a typed command means, first hit: the one that id names
// (whole, or a part of it that no other has), SPAR_SORTIE, the one of the session
// whose harness started this process, the operator's that is aloft, the only one
// that is aloft. several is set where the newest of more than one was taken, which
// happens for reading alone; a change gets a [*ManyError]. tx may be nil: there is
// no ledger, so no sortie.
func Pick(tx *ledger.Tx, w World, id string, change bool) (f Flight, several bool, err error) {
	if tx == nil {
		if id != "" {
			return Flight{}, false, refuse("see `spar log --sorties`", "no sortie %q has been flown here", Line(id, 40))
		}
		return Flight{}, false, ErrNoSortie
	}
	if id != "" {
		return named(tx, id)
	}
	if id := w.first("SPAR_SORTIE"); id != "" {
		f, ok, err := flightOf(tx, id)
		if err != nil {
			return Flight{}, false, err
		}
		if ok {
			return f, false, nil
		}
	}
	if rec, ok, err := seatOf(tx, TypedSession(w)); err != nil {
		return Flight{}, false, err
	} else if ok {
		f, ok, err := flightOf(tx, rec.Sortie)
		if err != nil || ok && f.Aloft() {
			return f, false, err
		}
	}
	flights, err := aloft(tx)
	if err != nil {
		return Flight{}, false, err
	}
	if ops := operators(flights); len(ops) > 0 {
		return ops[len(ops)-1], false, nil
	}
	switch {
	case len(flights) == 0:
		return Flight{}, false, ErrNoSortie
	case len(flights) > 1 && change:
		return Flight{}, false, &ManyError{flights}
	}
	return flights[len(flights)-1], len(flights) > 1, nil
}

// named finds a sortie by its id or a part of it. The parts that tell ids apart
// stand at their end, so any part will do.
func named(tx *ledger.Tx, id string) (Flight, bool, error) {
	id = strings.ToLower(id)
	f, ok, err := flightOf(tx, id)
	if err != nil || ok {
		return f, false, err
	}
	var hits []Flight
	if len(id) >= 4 {
		for k, v := range tx.States(flightSpace, "") {
			if !strings.Contains(k, id) {
				continue
			}
			if f, ok := decode[Flight](v); ok && f.ID == k {
				hits = append(hits, f)
			}
		}
	}
	switch len(hits) {
	case 0:
		return Flight{}, false, refuse("see `spar log --sorties`", "no sortie %q has been flown here", Line(id, 40))
	case 1:
		return hits[0], false, nil
	}
	return Flight{}, false, refuse("give more of its id", "%d sorties match %q", len(hits), Line(id, 40))
}

// Pick is [Pick] in the book's transaction, for commands that go on to change
// what they find.
func (b *Book) Pick(id string, change bool) (f Flight, several bool, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		f, several, err = Pick(tx, b.w, id, change)
		return err
	})
	return f, several, err
}

// Flight reads a sortie as it stands now.
func (b *Book) Flight(id string) (f Flight, ok bool, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		f, ok, err = flightOf(tx, id)
		return err
	})
	return f, ok, err
}

// FlightOf reads a sortie in a transaction.
func FlightOf(tx *ledger.Tx, id string) (Flight, bool, error) { return flightOf(tx, id) }

// PutFlight stores a sortie in the book's transaction; it is for whoever changes
// what the frame has no word for (the swing).
func (b *Book) PutFlight(f Flight) error {
	return b.do(func(tx *ledger.Tx) error { return b.putFlight(tx, f) })
}

// Append files a finding as it stands, in the book's transaction. Guards report;
// this is for the frame's own rooms.
func (b *Book) Append(f *ledger.Finding) error {
	return b.do(func(tx *ledger.Tx) error { return b.append(tx, f) })
}

// Flights lists a home's sorties, newest first, at most limit of them (0: all).
// tx may be nil.
func Flights(tx *ledger.Tx, limit int) []Flight {
	if tx == nil {
		return nil
	}
	var out []Flight
	for k, v := range tx.States(flightSpace, "") {
		if f, ok := decode[Flight](v); ok && f.ID == k {
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

// EmptySeat is why nobody sits in a sortie's seat, "" where somebody does: the
// operator's reason or that of a session which flies it.
func EmptySeat(tx *ledger.Tx, f Flight) (string, error) {
	if tx == nil {
		return f.Autonomy, nil
	}
	return seatEmpty(tx, f)
}
