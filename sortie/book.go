package sortie

import (
	"spar/ledger"
)

// Book is a home's open logbook: one ledger open, one transaction, begun at the
// first thing that needs it and made durable by Commit. A pass that asks nothing
// of it opens nothing. Safe for use by several goroutines.
type Book struct{}

// Open prepares the logbook; it touches no file yet.
func (h Home) Open(w World) *Book { panic("being built") }

// Commit makes everything reported so far durable and gives the lock back. The
// book may be used again, which opens the ledger anew.
func (b *Book) Commit() error { panic("being built") }

// Close drops what was not committed and gives the lock back.
func (b *Book) Close() error { panic("being built") }

// Tx is the open transaction, for what the book has no word for (a guard's own
// state). It is valid until the next Commit or Close.
func (b *Book) Tx() (*ledger.Tx, error) { panic("being built") }

// Event is what a session's event says of the session.
type Event struct {
	Session string // the harness's session id
	Harness string // "claude"
	Source  string // startup, resume, clear, compact, fork; "" for a late join
	PID     int    // the harness process, from its own variable; 0: the parent's
}

// Seat is who would be told.
type Seat struct {
	Empty  bool
	Reason string // why it is empty
}

// Leg is a session's place in a sortie: the flight it flies and its own seat.
type Leg struct {
	Flight  Flight
	Session string
	Seat    Seat
	New     bool // launched by this very event
	Told    []string // what a person should read: a budget that was ignored, an adoption that was guessed
}

// Join puts a session on its sortie by decisions 29 to 32 and binds it to this
// home; it is idempotent.
func (b *Book) Join(e Event) (Leg, error) { panic("being built") }

// Report is what a guard found.
type Report struct {
	Source   string
	Phase    ledger.Phase
	Severity ledger.Severity
	Subject  string
	Observed any // any JSON
	Expected any
	Note     string
	Actor    ledger.Actor
	Call     string // the call's id; the same source reporting one call twice files once
	Agent    string // the subagent's id

	// Charge are the points by kind. With it Observed is the charge itself
	// ([ledger.Charge], total included) and Severity is what Grade says of the
	// total after it.
	Charge map[string]int
	Grade  func(total int) ledger.Severity
}

// Filed is a report once written.
type Filed struct {
	Finding   ledger.Finding
	Verdict   Verdict
	Total     int  // the sortie's points after it
	Repeat    bool // the call had been reported before; Finding is the first one
	Counted   bool // false where no sortie is flown: judged, not counted
	Overdue   bool // the swing it fell into has outstayed its time
	Swing     *Swing
}

// Report files r for the leg and says what becomes of it. Sortie, mode, swing
// and total are read in the same transaction.
func (b *Book) Report(l Leg, r Report) (Filed, error) { panic("being built") }
