package sortie

import (
	"errors"
	"sync"

	"spar/ledger"
)

// Book is a home's open logbook: one ledger open, one transaction, begun at the
// first thing that needs it and made durable by Commit. A pass that asks nothing
// of it opens nothing. Safe for use by several goroutines.
type Book struct {
	home Home
	w    World

	mu    sync.Mutex
	l     *ledger.Ledger
	tx    *ledger.Tx
	dirty bool           // something was written; without it a commit would sync for nothing
	after []func() error // what is mirrored outside the ledger once it is durable
}

// Open prepares the logbook; it touches no file yet.
func (h Home) Open(w World) *Book { return &Book{home: h, w: w} }

// Home is whose logbook it is.
func (b *Book) Home() Home { return b.home }

// World is what the book knows of the outside.
func (b *Book) World() World { return b.w }

// Commit makes everything reported so far durable and gives the lock back. The
// book may be used again, which opens the ledger anew. What is mirrored outside
// the ledger (session bindings, the seat) is written after that; a mirror that
// can't be written is no error, the ledger is asked in its place.
func (b *Book) Commit() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tx == nil {
		return nil
	}
	var err error
	if b.dirty {
		err = b.tx.Commit()
	}
	after := b.after
	err = errors.Join(err, b.drop())
	if err != nil {
		return err
	}
	for _, f := range after {
		_ = f()
	}
	return nil
}

// Close drops what was not committed and gives the lock back.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.drop()
}

func (b *Book) drop() error {
	if b.tx != nil {
		b.tx.Rollback()
	}
	var err error
	if b.l != nil {
		err = b.l.Close()
	}
	b.l, b.tx, b.dirty, b.after = nil, nil, false, nil
	return err
}

// Tx is the open transaction, for what the book has no word for (a guard's own
// state). It is valid until the next Commit or Close.
func (b *Book) Tx() (*ledger.Tx, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	tx, err := b.begin()
	if err == nil {
		b.dirty = true
	}
	return tx, err
}

// begin opens what isn't open yet. b.mu is held.
func (b *Book) begin() (*ledger.Tx, error) {
	if b.tx != nil {
		return b.tx, nil
	}
	if err := b.home.Create(); err != nil {
		return nil, err
	}
	l, err := ledger.Open(b.home.Dir, ledger.Options{Now: b.w.Now})
	if err != nil {
		return nil, err
	}
	tx, err := l.Begin()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	b.l, b.tx = l, tx
	return tx, nil
}

// do runs f in the open transaction. f says whether it wrote anything.
func (b *Book) do(f func(tx *ledger.Tx) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	tx, err := b.begin()
	if err != nil {
		return err
	}
	return f(tx)
}

// Each of these runs under b.mu, inside do.

func (b *Book) append(tx *ledger.Tx, f *ledger.Finding) error {
	b.dirty = true
	return tx.Append(f)
}

func (b *Book) putFlight(tx *ledger.Tx, f Flight) error {
	b.dirty = true
	return putFlight(tx, f)
}

func (b *Book) putSeat(tx *ledger.Tx, r seatRecord) error {
	b.dirty = true
	return putSeat(tx, r)
}

func (b *Book) putState(tx *ledger.Tx, space, key string, v any) error {
	b.dirty = true
	if v == nil {
		return tx.PutState(space, key, nil)
	}
	return putJSON(tx, space, key, v)
}

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

func seatFor(reason string) Seat { return Seat{Empty: reason != "", Reason: reason} }

// Leg is a session's place in a sortie: the flight it flies and its own seat.
type Leg struct {
	Flight  Flight
	Session string
	Seat    Seat
	New     bool     // launched by this very event
	Told    []string // what a person should read: a budget that was ignored, an adoption that was guessed
}
