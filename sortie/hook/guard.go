package hook

import (
	"context"

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

	// Mute is set for a guard that was promised to say nothing: its own hook form
	// is silent on stderr too, and faults go to the home's log alone.
	Mute bool

	// Bounded is set where Inspect can't hang: it starts no process and waits for
	// nothing but the ledger, whose wait has a bound of its own. It then runs without
	// a goroutine and a timer beside it, which would cost a free call a tenth of its
	// time.
	Bounded bool

	// Wants says at once whether Inspect has anything to look at in this payload;
	// nil: always. A guard that is not Bounded has it answer no for what it never
	// looks at, so that those calls pay for no goroutine.
	Wants func(p *Pass) bool

	// Inspect looks at one payload and says its opinion. It may report through
	// the pass. It runs within the pass's time limit: when ctx is done nobody
	// listens any more.
	Inspect func(ctx context.Context, p *Pass) (Opinion, error)

	// Exposed reports whether a call would be charged, without a ledger: the
	// door asks it when the count can't be read or written and the seat is empty.
	Exposed func(p *Pass) (reason string, exposed bool)

	// Leave adds lines to what is told when a swing is left.
	Leave func(d *Desk) ([]string, error)
	// Hand adds lines to the brief of the next session; they are quoted by the
	// caller, not by the guard.
	Hand func(d *Desk) ([]string, error)
	// Status is one line for status: "limit 3, 2 production paths".
	Status func(d *Desk) (string, error)
	// Doctor looks for what is wrong with the guard here.
	Doctor func(d *Desk) ([]Check, error)
}

// Answers reports whether the guard has something to say about an event.
func (g *Guard) Answers(e harness.Event) bool {
	for _, own := range g.Events {
		if own == e {
			return g.Inspect != nil
		}
	}
	return false
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
