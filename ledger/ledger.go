package ledger

import (
	"iter"
	"time"
)

// File and lock names inside a home.
const (
	FileName = "ledger.db"
	LockName = "ledger.lock"
)

// Options of Open. The zero value reads and writes and waits 5 s for its turn.
type Options struct {
	// ReadOnly opens for reading: a shared turn, at most 200 ms of it.
	ReadOnly bool
	// Wait bounds the wait for the lock; 5 s where zero.
	Wait time.Duration
	// Now is the clock; time.Now where nil is not allowed below cmd/spar, so Open
	// fails without it when writing.
	Now func() time.Time
}

// Ledger is one open ledger file. It holds the lock until Close.
type Ledger struct{}

// Open takes the lock and opens home's ledger, creating an empty one (under
// another name, renamed) where there is none and it may write. A missing file
// opened for reading is fs.ErrNotExist. Errors are *OpenError.
func Open(home string, o Options) (*Ledger, error) { panic("being built") }

// Close releases file and lock. An open transaction is rolled back.
func (l *Ledger) Close() error { panic("being built") }

// Begin starts the one write transaction; it must be committed or rolled back.
func (l *Ledger) Begin() (*Tx, error) { panic("being built") }

// View runs f in a read transaction.
func (l *Ledger) View(f func(*Tx) error) error { panic("being built") }

// Update runs f in a write transaction and commits it where f returns nil.
func (l *Ledger) Update(f func(*Tx) error) error { panic("being built") }

// Tx is a transaction. Everything read in it is of one moment.
type Tx struct{}

// Commit makes the transaction durable.
func (t *Tx) Commit() error { panic("being built") }

// Rollback drops it; after a Commit it does nothing.
func (t *Tx) Rollback() { panic("being built") }

// Append redacts, validates, numbers and writes f and moves the tallies of its
// sortie and swing. It sets Seq and, where zero, At.
func (t *Tx) Append(f *Finding) error { panic("being built") }

// Called finds what a source filed for a call in a sortie, if it did.
func (t *Tx) Called(sortie, source, call string) (*Finding, bool, error) { panic("being built") }

// SortieTally is the sum of a sortie; zero for one that has no finding.
func (t *Tx) SortieTally(sortie string) (Tally, error) { panic("being built") }

// SwingTally is the sum of a swing.
func (t *Tx) SwingTally(swing string) (Tally, error) { panic("being built") }

// Finding reads one by sequence; fs.ErrNotExist where there is none.
func (t *Tx) Finding(seq uint64) (*Finding, error) { panic("being built") }

// State reads a record of a named space ("sorties", "sessions", a guard's own);
// nil where there is none. PutState, with nil, removes it.
func (t *Tx) State(space, key string) ([]byte, error)    { panic("being built") }
func (t *Tx) PutState(space, key string, v []byte) error { panic("being built") }

// States walks a space in key order from prefix.
func (t *Tx) States(space, prefix string) iter.Seq2[string, []byte] { panic("being built") }

// Query selects findings. Zero fields select all.
type Query struct {
	Sortie   string
	Source   string
	Severity Severity
	Phase    Phase
	Since    time.Time
	After    uint64 // sequences above this
	Limit    int    // the newest N; 0: all
}

// Find reads the selected findings in order, oldest first.
func (t *Tx) Find(q Query) iter.Seq2[*Finding, error] { panic("being built") }

// Walk reads a home's findings in batches, giving the lock back between them,
// up to the sequence seen at the start.
func Walk(home string, o Options, q Query, f func(*Finding) error) error { panic("being built") }
