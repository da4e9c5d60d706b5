package sortie

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
)

// Orders are what a sortie is launched with.
type Orders struct {
	Mode     ledger.Mode // strike where empty
	Autonomy string      // the reason for leaving the seat; "" keeps it taken
	Budget   int         // tool calls; 0: none
	Land     bool        // land the operator's sortie that flies here, if one does
	Runner   int         // the process that will land it, where one will
}

// An AloftError is a launch in a home where an operator's sortie flies already:
// sessions join an operator's sortie, so there is one at a time.
type AloftError struct{ Flight Flight }

func (e *AloftError) Error() string {
	return fmt.Sprintf("sortie %s is aloft here since %s; land it first with `spar land`, or launch with --land",
		e.Flight.ID, e.Flight.Launched.Local().Format("2006-01-02 15:04"))
}

// Launch starts an operator's sortie. Its errors of the person's making are
// [*Refusal] and [*AloftError].
func (b *Book) Launch(o Orders) (f Flight, err error) {
	if o.Mode == "" {
		o.Mode = ledger.Strike
	}
	if o.Mode != ledger.Strike && o.Mode != ledger.Cruise {
		return Flight{}, fmt.Errorf("unknown mode %q: want strike or cruise", o.Mode)
	}
	reason := reasonText(o.Autonomy)
	if o.Autonomy != "" && reason == "" {
		return Flight{}, refuse("say why nobody will be in the seat with --reason", "autonomy needs a reason, and spaces are none")
	}
	if reason != "" && o.Mode == ledger.Cruise {
		return Flight{}, refuse("launch in strike, or stay aboard", "cruise never flies unattended: it logs and stops nothing")
	}
	if o.Budget < 0 {
		return Flight{}, refuse("", "a budget is a whole number of tool calls, at least 1; got %d", o.Budget)
	}
	err = b.do(func(tx *ledger.Tx) error {
		if _, err := b.sweep(tx, anyFlight); err != nil {
			return err
		}
		flights, err := aloft(tx)
		if err != nil {
			return err
		}
		for _, old := range operators(flights) {
			if !o.Land {
				return &AloftError{old}
			}
			if old.Swing != nil {
				return refuse("leave it first with `spar melee leave`", "sortie %s is committed to %q", old.ID, old.Swing.Action)
			}
			if _, err := b.land(tx, old, LandOptions{By: ByHand, Note: "another sortie was launched"}); err != nil {
				return err
			}
		}
		now := b.w.Now().UTC()
		f = Flight{
			ID: NewID(now), Mode: o.Mode, Autonomy: reason, Budget: o.Budget, Operator: true,
			Launched: now.Truncate(time.Millisecond),
		}
		if p, err := b.w.process(o.Runner); o.Runner != 0 && err == nil {
			f.Runner = &Runner{o.Runner, p.Start, p.Realm}
		}
		if err := b.putFlight(tx, f); err != nil {
			return err
		}
		if err := b.fileLate(tx, f); err != nil {
			return err
		}
		if err := b.tidy(tx); err != nil {
			return err
		}
		return b.mirrorSeat(tx)
	})
	if err != nil {
		return Flight{}, wrapUnlessOurs("launching", err)
	}
	return f, nil
}

// wrapUnlessOurs names the operation in front of a fault. What is said to a
// person as it stands stays so.
func wrapUnlessOurs(op string, err error) error {
	var r *Refusal
	var a *AloftError
	if err == nil || errors.As(err, &r) || errors.As(err, &a) {
		return err
	}
	return fmt.Errorf("%s: %w", op, err)
}

// SetMode switches a sortie between strike and cruise. It is refused in a swing,
// and cruise where nobody is in a seat.
func (b *Book) SetMode(id string, mode ledger.Mode, actor ledger.Actor) (f Flight, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		var ok bool
		if f, ok, err = flightOf(tx, id); err != nil {
			return err
		}
		if !ok || !f.Aloft() {
			return refuse("launch one with `spar launch`", "sortie %s is not aloft here", id)
		}
		if f.Swing != nil {
			return refuse("leave it first with `spar melee leave`", "committed to %q: the mode can't change in a swing", f.Swing.Action)
		}
		if mode == ledger.Cruise {
			reason, err := seatEmpty(tx, f)
			if err != nil {
				return err
			}
			if reason != "" {
				return refuse("stay in strike, or fly it yourself", "cruise never flies unattended, and nobody is in the seat (%s)", reason)
			}
		}
		if f.Mode == mode {
			return nil
		}
		was := f.Mode
		f.Mode = mode
		if err := b.append(tx, &ledger.Finding{
			Phase: ledger.Brief, Source: "spar", Severity: ledger.Note, Subject: "mode",
			Observed: observed(map[string]any{"mode": mode, "was": was}), Mode: mode, Actor: actor, Sortie: f.ID, Outcome: string(Logged),
		}); err != nil {
			return err
		}
		b.mirrorMode(f)
		return b.putFlight(tx, f)
	})
	return f, wrapUnlessOurs("switching the mode", err)
}

// Wingman counts a subagent that was sent, once each, and files it: brief,
// subject wingman, observed how many were sent so far.
func (b *Book) Wingman(l Leg, agent, kind string) error {
	err := b.do(func(tx *ledger.Tx) error {
		if _, err := b.current(tx, &l, ledger.Brief); err != nil {
			return err
		}
		f := l.Flight
		if !f.Aloft() {
			return nil // nobody's wingman: nothing is flown
		}
		if agent != "" {
			key := f.ID + "\x00" + markName(agent)
			seen, err := tx.State(wingSpace, key)
			if err != nil || seen != nil {
				return err
			}
			b.dirty = true
			if err := tx.PutState(wingSpace, key, []byte("1")); err != nil {
				return err
			}
		}
		f.Wingmen++
		find := ledger.Finding{
			Phase: ledger.Brief, Source: "spar", Severity: ledger.Note, Subject: "wingman",
			Observed: observed(map[string]any{"sent": f.Wingmen}), Mode: f.Mode, Actor: ledger.Wingman,
			Sortie: f.ID, Session: l.Session, Agent: agent, Outcome: string(Logged),
		}
		if kind != "" {
			find.Note = "kind: " + kind
		}
		if f.Swing != nil {
			find.Swing = f.Swing.ID
		}
		if err := b.append(tx, &find); err != nil {
			return err
		}
		return b.putFlight(tx, f)
	})
	if err != nil {
		return fmt.Errorf("counting a wingman: %w", err)
	}
	return nil
}

// idea is one that was put down on purpose.
type idea struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
	Sortie  string `json:"sortie,omitempty"`
}

// Discard records an idea that was put down on purpose, and why. f may be zero:
// an idea needs no sortie.
func (b *Book) Discard(f Flight, subject, reason string, actor ledger.Actor) error {
	if strings.TrimSpace(subject) == "" {
		return errors.New("discarding: no subject")
	}
	if strings.TrimSpace(reason) == "" {
		reason = "no reason recorded"
	}
	mode := f.Mode
	if mode == "" {
		mode = ledger.Strike
	}
	err := b.do(func(tx *ledger.Tx) error {
		find := ledger.Finding{
			Phase: ledger.Brief, Source: "spar", Severity: ledger.Note, Subject: subject,
			Observed: observed(map[string]any{"discarded": reason}), Mode: mode, Actor: actor, Sortie: f.ID, Outcome: string(Logged),
		}
		if err := b.append(tx, &find); err != nil {
			return err
		}
		return b.putState(tx, ideaSpace, fmt.Sprintf("%016x", find.Seq), idea{
			Subject: Line(redact.Text(subject), 1000), Reason: Line(redact.Text(reason), 1000), Sortie: f.ID,
		})
	})
	if err != nil {
		return fmt.Errorf("discarding: %w", err)
	}
	return nil
}

// Settle takes an idea off the list that is handed over; it stays in the ledger.
// The subject is compared as it was stored: one line, redacted.
func (b *Book) Settle(f Flight, subject string, actor ledger.Actor) error {
	want := Line(redact.Text(subject), 1000)
	mode := f.Mode
	if mode == "" {
		mode = ledger.Strike
	}
	err := b.do(func(tx *ledger.Tx) error {
		var keys, open []string
		for k, v := range tx.States(ideaSpace, "") {
			i, ok := decode[idea](v)
			switch {
			case !ok:
			case i.Subject == want:
				keys = append(keys, k)
			default:
				open = append(open, i.Subject)
			}
		}
		if len(keys) == 0 {
			next := "nothing is on the list"
			if len(open) > 0 {
				next = fmt.Sprintf("on the list: %s", quoteList(open[max(0, len(open)-5):]))
			}
			return refuse(next, "no discarded idea is called %q", Line(subject, 200))
		}
		for _, k := range keys {
			if err := b.putState(tx, ideaSpace, k, nil); err != nil {
				return err
			}
		}
		return b.append(tx, &ledger.Finding{
			Phase: ledger.Brief, Source: "spar", Severity: ledger.Note, Subject: subject,
			Observed: observed(map[string]any{"settled": len(keys)}), Mode: mode, Actor: actor, Sortie: f.ID, Outcome: string(Logged),
		})
	})
	return wrapUnlessOurs("settling", err)
}

func quoteList(words []string) string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = fmt.Sprintf("%q", Line(w, 80))
	}
	return strings.Join(q, ", ")
}
