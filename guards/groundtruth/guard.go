package groundtruth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/redline"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// guardName is the subcommand and the source of findings.
const guardName = "groundtruth"

// Guard is groundtruth as the door mounts it.
var Guard = hook.Guard{
	Name:    guardName,
	Brief:   "nothing is done until a separate probe has read the world again",
	Events:  []harness.Event{harness.PostTool, harness.PostFailure, harness.SessionStart, harness.Stop},
	Default: true,
	Inspect: inspect,
	Leave:   leave,
	Hand:    hand,
	Status:  status,
	Doctor:  doctor,
}

func inspect(ctx context.Context, p *hook.Pass) (hook.Opinion, error) {
	switch p.Call.Event {
	case harness.Stop:
		return stop(ctx, p), nil
	case harness.SessionStart:
		return hook.Opinion{}, p.Unlocked(func() error { return bury(p) })
	}
	return takeIn(p)
}

// Refuser says which probes are not run here: those that redline would charge as
// irreversible, outward or production, or that turn a pilot's switch.
func Refuser(w sortie.World, h sortie.Home, root string) func(*contract.Contract) string {
	return contract.Refuser(w, h, root, func(c *harness.Call) (kinds []string) {
		p, _ := redline.Check(c, redline.World{Env: w.Env, Own: redline.OwnDirs(root, h)})
		for _, k := range p.Kinds {
			if k == redline.Irreversible || k == redline.Outward || k == redline.Production {
				kinds = append(kinds, k)
			}
		}
		if p.Switch != nil {
			kinds = append(kinds, "a pilot's switch")
		}
		return kinds
	})
}

// place is what a pass says of where contracts are.
type place struct {
	root  string
	paths []string
}

func placeOf(p *hook.Pass) place {
	root := contract.Root(p.World, p.Home, p.Call.Project, p.Call.Cwd)
	return place{root, contract.Pending(p.World, p.Home, root, p.Call.Session)}
}

// takeIn moves what the agent appended into the ledger, as this session's. It
// says nothing but what of it is no contract.
func takeIn(p *hook.Pass) (hook.Opinion, error) {
	at := placeOf(p)
	waiting, err := contract.Waiting(at.paths)
	if err != nil || !waiting {
		return hook.Opinion{}, nil //nolint:nilerr // a place that can't be looked at is told where it counts: when the turn ends
	}
	var op hook.Opinion
	err = p.Unlocked(func() error {
		s, err := open(p)
		if err != nil {
			return err
		}
		defer s.book.Close()
		taken, err := s.take(at, p.World.Now())
		if err == nil && !s.quiet {
			op.Context = toldBad(taken, Refuser(p.World, p.Home, at.root))
		}
		return err
	})
	return op, err
}

// toldBad is what is said of lines that came in, once.
func toldBad(t contract.Taken, refuse func(*contract.Contract) string) string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, "groundtruth: "+fmt.Sprintf(format, args...)) }
	for _, l := range t.Bad {
		say("line %d is no contract, %s: %s. Write the line anew; it takes the place of this one.", l.N, l.Reason, l.Detail)
	}
	for _, r := range t.New {
		l := r.Read()
		if l.Reason != "" {
			continue
		}
		if len(l.Odd) > 0 {
			say("%s: nobody knows the key %s", contract.Quote(l.Contract.Action, contract.ActionCap), contract.Flat(strings.Join(l.Odd, ", "), 80))
		}
		if why := refuse(&l.Contract); why != "" {
			say("%s %s: %s; it will not be run", contract.Quote(l.Contract.Action, contract.ActionCap), contract.BadProbe, why)
		}
	}
	if t.Over > 0 {
		say("%d lines found no room: %d contracts are open here (spar groundtruth pending)", t.Over, contract.MaxOpen)
	}
	if len(lines) > maxTold {
		lines = append(lines[:maxTold], fmt.Sprintf("and %d more", len(lines)-maxTold))
	}
	return strings.Join(lines, "\n")
}

// maxTold is how many contracts a text speaks of.
const maxTold = 20

// seatIn is a session's place with the ledger open by this guard's own book: the
// pass's would make a fault of ours the end of every other guard's answer.
type seatIn struct {
	book  *sortie.Book
	leg   sortie.Leg
	owner contract.Owner
	quiet bool // cruise, or a swing that holds findings back: no probe, no word
}

// open is for [hook.Pass.Unlocked]. The caller closes the book.
func open(p *hook.Pass) (*seatIn, error) {
	b := p.Home.Open(p.World)
	c := p.Call
	leg, err := b.Join(sortie.Event{Session: c.Session, Harness: c.Harness, PID: c.PID})
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	s := &seatIn{book: b, leg: leg, owner: contract.Owner{Session: c.Session, Agent: c.Agent, Flight: leg.Flight, Actor: ledger.Agent}}
	if c.Agent != "" {
		s.owner.Actor = ledger.Wingman
	}
	s.quiet = leg.Flight.Mode == ledger.Cruise || leg.Flight.Swing.Defers(p.World.Now())
	return s, nil
}

// take moves the files in and commits.
func (s *seatIn) take(at place, now time.Time) (contract.Taken, error) {
	tx, err := s.book.Tx()
	if err != nil {
		return contract.Taken{}, err
	}
	taken, done, err := contract.TakeIn(tx, s.owner, at.paths, now)
	if err != nil {
		return taken, err
	}
	for _, r := range taken.Replaced {
		if err := s.replaced(r); err != nil {
			return taken, err
		}
	}
	if err := s.book.Commit(); err != nil {
		return taken, err
	}
	return taken, done()
}

// replaced files that a broken contract gave way to a better line.
func (s *seatIn) replaced(r contract.Record) error {
	_, err := s.book.Report(s.leg, sortie.Report{
		Source: guardName, Phase: ledger.Brief, Severity: ledger.Note, Subject: subject(r), Actor: s.owner.Actor, Agent: s.owner.Agent,
		Observed: map[string]any{"id": r.ID, "replaced": r.Reason}, Note: "it was broken; a line for the same action took its place",
	})
	return err
}

// subject is a contract as findings name it: its action, else the line itself.
func subject(r contract.Record) string {
	l := r.Read()
	if l.Contract.Action != "" {
		return sortie.Line(l.Contract.Action, 200)
	}
	return sortie.Line("contract line "+l.Text, 200)
}

// dead reports whether nobody flies the sortie of a contract any more. resume
// brings a session back, and with it its sortie.
func dead(tx *ledger.Tx, r contract.Record) (bool, error) {
	if r.Sortie == "" {
		return false, nil
	}
	f, ok, err := sortie.FlightOf(tx, r.Sortie)
	return err == nil && (!ok || !f.Aloft()), err
}

// bury marks what dead sessions left open, once the brief has shown it.
func bury(p *hook.Pass) error {
	var gone []contract.Record
	err := p.Home.View(p.World, func(tx *ledger.Tx) error {
		all, err := contract.All(tx)
		for _, r := range all {
			if is, dErr := dead(tx, r); is && !r.Orphan {
				gone = append(gone, r)
			} else if dErr != nil {
				return dErr
			}
		}
		return err
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	b := p.Home.Open(p.World)
	defer b.Close()
	tx, err := b.Tx()
	if err != nil {
		return err
	}
	for _, r := range gone {
		now, ok, err := contract.Get(tx, r)
		if err != nil {
			return err
		}
		if ok {
			now.Orphan = true
			if err := contract.Put(tx, now); err != nil {
				return err
			}
		}
	}
	return b.Commit()
}

// hand offers what dead sessions left open to the brief. What was checked and
// didn't hold is among the unfinished claims already.
func hand(d *hook.Desk) ([]string, error) {
	var lines []string
	err := viewDesk(d, func(tx *ledger.Tx) error {
		all, err := contract.All(tx)
		for _, r := range all {
			is, dErr := dead(tx, r)
			if dErr != nil {
				return dErr
			}
			if is && !r.Orphan && r.Tries == 0 && r.Sortie != d.Flight.ID {
				lines = append(lines, "claimed and never checked: "+sortie.QuoteLine(subject(r))+", by a session that is gone (spar groundtruth pending --all)")
			}
		}
		return err
	})
	return lines[max(0, len(lines)-sortie.HandedOver):], err
}

// viewDesk reads the ledger where the desk's book may hold it open already.
func viewDesk(d *hook.Desk, f func(*ledger.Tx) error) error {
	if !d.Home.Exists() {
		return nil
	}
	if err := d.Book.Commit(); err != nil {
		return err
	}
	return d.Home.View(d.World, f)
}

func status(d *hook.Desk) (string, error) {
	open, left := 0, 0
	err := viewDesk(d, func(tx *ledger.Tx) error {
		all, err := contract.All(tx)
		for _, r := range all {
			if is, dErr := dead(tx, r); dErr != nil {
				return dErr
			} else if is {
				left++
			} else {
				open++
			}
		}
		return err
	})
	if err != nil {
		return "", err
	}
	s := fmt.Sprintf("%d open", open)
	if left > 0 {
		s += fmt.Sprintf(", %d of sessions that are gone", left)
	}
	return s, nil
}

func doctor(d *hook.Desk) ([]hook.Check, error) {
	root := contract.Root(d.World, d.Home, "", d.World.Dir)
	c := hook.Check{Name: "groundtruth files", State: "ok"}
	if _, err := contract.Waiting(contract.Pending(d.World, d.Home, root, "")); err != nil {
		c.State, c.Next = "broken", err.Error()+"; move it away"
	}
	return []hook.Check{c}, nil
}
