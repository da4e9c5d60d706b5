package hook

import (
	"errors"
	"io"
	"sync"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
)

// Pass is one payload's way through the door. Guards run one after another, in
// list order, and see what earlier ones answered.
type Pass struct {
	Call   *harness.Call
	World  sortie.World
	Home   sortie.Home
	Stderr io.Writer
	// Answer is what the guards before this one add up to.
	Answer harness.Answer

	book    *sortie.Book
	binding sortie.Binding
	bound   bool // the session flies the sortie its binding names
	landed  bool // it is bound to this home and its sortie has landed

	// mu guards what a guard that ran over may still touch.
	mu     sync.Mutex
	leg    *sortie.Leg
	dark   error // the count could not be read or written
	shared map[any]any
	over   bool
}

// errOver is what a guard that ran over gets for an answer it may no longer use.
var errOver = errors.New("the pass is over")

// Leg is the session's place in its sortie, joining it where that has not
// happened yet. It opens the ledger.
func (p *Pass) Leg() (sortie.Leg, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.join()
}

func (p *Pass) join() (sortie.Leg, error) {
	if p.over {
		return sortie.Leg{}, errOver
	}
	if p.leg != nil {
		return *p.leg, nil
	}
	leg, err := p.book.Join(sortie.Event{
		Session: p.Call.Session,
		Harness: p.Call.Harness,
		Source:  p.Call.Source,
		PID:     p.Call.PID,
	})
	if err != nil {
		p.dark = err
		return leg, err
	}
	p.leg = &leg
	return leg, nil
}

// Seat is who would be told, as far as it is known without opening anything: by
// the leg once there is one, else by the environment and the session's binding.
func (p *Pass) Seat() sortie.Seat {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seat()
}

func (p *Pass) seat() sortie.Seat {
	if p.leg != nil {
		return p.leg.Seat
	}
	if p.bound {
		return sortie.Seat{Empty: p.binding.Autonomy != "", Reason: p.binding.Autonomy}
	}
	if reason := sortie.DeclaredAutonomy(p.World); reason != "" {
		return sortie.Seat{Empty: true, Reason: reason}
	}
	reason := p.Home.EmptySeat()
	return sortie.Seat{Empty: reason != "", Reason: reason}
}

// Sortie is the id of the sortie the session flies, "" where that is not known
// without opening the ledger.
func (p *Pass) Sortie() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.leg != nil:
		return p.leg.Flight.ID
	case p.bound:
		return p.binding.Sortie
	}
	return ""
}

// Mode is the mode of the sortie the session flies, "" where that is not known
// without opening the ledger. Until there is a leg it is the binding's word, which
// may be behind the ledger's.
func (p *Pass) Mode() ledger.Mode {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.leg != nil:
		return p.leg.Flight.Mode
	case p.bound:
		return p.binding.Mode
	}
	return ""
}

// Do runs f in the pass's transaction, for a guard's own records; what it writes
// is durable with what the pass reports. f must not call the pass.
func (p *Pass) Do(f func(tx *ledger.Tx) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return errOver
	}
	tx, err := p.book.Tx()
	if err != nil {
		p.dark = err
		return err
	}
	return f(tx)
}

// Report files a finding about this call, at most once per source and call.
func (p *Pass) Report(r sortie.Report) (sortie.Filed, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	leg, err := p.join()
	if err != nil {
		return sortie.Filed{}, err
	}
	if r.Call == "" {
		r.Call, r.Window = p.Call.ID, p.Call.Window
	}
	if r.Agent == "" {
		r.Agent = p.Call.Agent
	}
	if r.Actor == "" && r.Agent != "" {
		r.Actor = "wingman"
	}
	filed, err := p.book.Report(leg, r)
	if err != nil {
		p.dark = err
	}
	return filed, err
}

// Shared is what another guard worked out and shared under key, or nil.
func (p *Pass) Shared(key any) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shared[key]
}

// Share keeps what one guard worked out for the others (redline's price).
func (p *Pass) Share(key, value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared == nil {
		p.shared = map[any]any{}
	}
	p.shared[key] = value
}

// Unlocked commits what was reported and gives the ledger back, for as long as
// f runs: no other process may wait for a probe.
func (p *Pass) Unlocked(f func() error) error {
	p.mu.Lock()
	err := p.book.Commit()
	if err != nil {
		p.dark = err
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return f()
}
