package hook

import (
	"context"
	"io"

	"spar/sortie"
	"spar/sortie/harness"
)

// Guard is one instrument bolted onto the frame. Every func is optional.
type Guard struct {
	// Name is the subcommand and the ledger's source.
	Name string
	// Brief is one line, shown by help, status and doctor.
	Brief string
	// Events are those Inspect answers.
	Events []harness.Event
	// Default is set where the guard is mounted without being asked for.
	Default bool

	// Inspect looks at one payload and says its opinion. It may report through
	// the pass. It runs within the pass's time limit: when ctx is done nobody
	// listens any more.
	Inspect func(ctx context.Context, p *Pass) (Opinion, error)

	// Exposed reports whether a call would be charged, without a ledger: the
	// door asks it when the count can't be read or written and the seat is empty.
	Exposed func(p *Pass) (reason string, exposed bool)

	// Leave adds lines to what is told when a swing is left.
	Leave func(p *Desk) ([]string, error)
	// Hand adds lines to the brief of the next session; they are quoted by the
	// caller, not by the guard.
	Hand func(p *Desk) ([]string, error)
	// Status is one line for status: "limit 3, 2 production paths".
	Status func(p *Desk) (string, error)
	// Doctor looks for what is wrong with the guard here.
	Doctor func(p *Desk) ([]Check, error)
}

// Check is one thing doctor looked at.
type Check struct {
	Name    string `json:"name"`
	Harness string `json:"harness,omitempty"`
	Event   string `json:"event,omitempty"`
	State   string `json:"state"` // "ok", "broken", "unproven"
	Next    string `json:"next,omitempty"`
}

// Desk is what a guard gets outside a hook: the home, its logbook, the world.
type Desk struct {
	World  sortie.World
	Home   sortie.Home
	Book   *sortie.Book
	Flight sortie.Flight // the one the command means; zero where none
	Swing  *sortie.Swing // the one being left
}

// Opinion is what one guard says to one payload.
type Opinion struct {
	harness.Answer
}

// Pass is one payload's way through the door. Guards run one after another, in
// list order, and see what earlier ones answered.
type Pass struct {
	Call   *harness.Call
	World  sortie.World
	Home   sortie.Home
	Stderr io.Writer
	// Answer is what the guards before this one add up to.
	Answer harness.Answer

	pass
}

// pass is the door's own part of a Pass.
type pass struct{}

// Leg is the session's place in its sortie, joining it where that has not
// happened yet. It opens the ledger only to join.
func (p *Pass) Leg() (sortie.Leg, error) { panic("being built") }

// Seat is who would be told; it opens nothing.
func (p *Pass) Seat() sortie.Seat { panic("being built") }

// Report files a finding about this call, at most once per source and call.
func (p *Pass) Report(r sortie.Report) (sortie.Filed, error) { panic("being built") }

// Shared keeps what one guard worked out for another (redline's price).
func (p *Pass) Shared(key any) any { panic("being built") }

// Share stores it.
func (p *Pass) Share(key, value any) { panic("being built") }
