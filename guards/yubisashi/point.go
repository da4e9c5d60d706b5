package yubisashi

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/sortie"
)

// pointing is the finger on one contract: what it saw now, or earlier in this
// sortie, or that there was no time to look.
type pointing struct {
	rec   contract.Record
	line  contract.Line
	point contract.Point
	known bool // pointed at before, in this sortie
	tried bool // known, or pointed at now
	took  time.Duration
}

// broken reports whether the contract can't be checked.
func (g *pointing) broken() bool { return g.tried && g.point.Reason.Broken() }

// met reports whether it is true already, before anything is done.
func (g *pointing) met() bool { return g.tried && g.point.Met }

// name is the contract in a text: one quoted line.
func (g *pointing) name() string {
	what := g.line.Contract.Action
	if what == "" {
		what = g.line.Text
	}
	return contract.Quote(what, contract.ActionCap)
}

// label is its expectation, "" where it has none.
func (g *pointing) label() string {
	if g.line.Reason != "" {
		return ""
	}
	return g.line.Contract.Expect.Label()
}

// look finds what has been pointed at in a sortie. Each contract comes once: two
// sessions that claim the same share the finger.
func look(tx *ledger.Tx, sortieID string, recs []contract.Record) ([]pointing, error) {
	seen := map[string]bool{}
	var out []pointing
	for _, r := range recs {
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		g := pointing{rec: r, line: r.Read()}
		p, ok, err := contract.PointOf(tx, sortieID, r.ID)
		if err != nil {
			return nil, err
		}
		g.point, g.known, g.tried = p, ok, ok
		out = append(out, g)
	}
	return out, nil
}

// clock says whether a whole probe still fits.
type clock struct {
	now   func() time.Time
	until time.Time
	each  time.Duration
}

func (c clock) fits() bool { return !c.now().Add(c.each).After(c.until) }

// point runs what has not been pointed at, one after the other: who comes first is
// who was declared first. What doesn't fit stays untried.
func point(ctx context.Context, r contract.Runner, c clock, list []pointing) {
	r.Timeout, r.Total = c.each, c.each
	for i := range list {
		g := &list[i]
		switch {
		case g.tried:
			continue
		case g.line.Reason != "":
			g.point, g.tried = contract.Point{Reason: g.line.Reason, Detail: g.line.Detail, Hash: g.rec.ID}, true
			continue
		case !c.fits() || ctx.Err() != nil:
			continue
		}
		k := g.line.Contract
		k.Timeout = 0 // the finger's own clock, whatever the claim is given later
		v := r.One(ctx, k)
		if ctx.Err() != nil {
			continue // called off: nothing is known of it
		}
		g.point, g.tried, g.took = contract.Pointed(&v), true, v.Took
	}
}

// file writes down what was pointed at now, and gives each contract its reading
// before the write. write is set where a call is about to follow.
func file(b *sortie.Book, leg sortie.Leg, agent string, list []pointing, write bool) error {
	tx, err := b.Tx()
	if err != nil {
		return err
	}
	for i := range list {
		g := &list[i]
		if !g.tried {
			continue
		}
		if !g.known {
			filed, err := b.Report(leg, g.report(agent))
			if err != nil {
				return err
			}
			g.point.Seq = filed.Finding.Seq
			if err := contract.PutPoint(tx, leg.Flight.ID, g.rec.ID, g.point); err != nil {
				return err
			}
		}
		if g.broken() && g.known {
			continue
		}
		if err := before(tx, g, write); err != nil {
			return err
		}
	}
	return nil
}

// before keeps the reading with the contract, for the claim to be compared with.
func before(tx *ledger.Tx, g *pointing, write bool) error {
	now, ok, err := contract.Get(tx, g.rec)
	if err != nil || !ok {
		return err
	}
	if g.broken() {
		if now.Reason == g.point.Reason {
			return nil
		}
		now.Reason = g.point.Reason // a better line for the same action takes its place
		return contract.Put(tx, now)
	}
	if now.Before != nil && (now.Before.Pointed || !write) {
		return nil // the first write is the one it is about
	}
	now.Before = &contract.Before{Hash: g.point.Hash, Evidence: g.point.Evidence, Pointed: write}
	now.Reason = ""
	return contract.Put(tx, now)
}

func (g *pointing) report(agent string) sortie.Report {
	r := sortie.Report{
		Source: guardName, Phase: ledger.Pre, Severity: ledger.Note, Subject: sortie.Line(subject(g), 200), Agent: agent,
		// One a contract a sortie, whoever points.
		Call: "point/" + g.rec.ID,
	}
	if agent != "" {
		r.Actor = ledger.Wingman
	}
	seen := map[string]any{"key": g.rec.ID, "ms": g.took.Milliseconds()}
	if g.point.Evidence != "" {
		seen["before"] = g.point.Evidence
	}
	switch {
	case g.broken():
		r.Severity, r.Note = ledger.Stop, g.point.Detail
		seen["reason"] = g.point.Reason
	case g.point.Met:
		r.Severity = ledger.Warn
		seen["met"] = true
	}
	r.Observed = seen
	if l := g.label(); l != "" {
		r.Expected = l
	}
	return r
}

func subject(g *pointing) string {
	if g.line.Contract.Action != "" {
		return g.line.Contract.Action
	}
	return "contract line " + g.line.Text
}

// sentence is what is said of one contract that was pointed at in vain.
func (g *pointing) sentence() string {
	if g.broken() {
		return fmt.Sprintf("%s — the probe does not run: %s: %s; it would fail the same way after the write, put it right before", g.name(), g.point.Reason, g.point.Detail)
	}
	return fmt.Sprintf("%s is already true before you act [%s], the probe returned %s; point at something that the write will change",
		g.name(), g.label(), g.point.Evidence)
}

// Shown is a pointing as `point` prints it.
type Shown struct {
	ID          string          `json:"id"`
	Action      string          `json:"action"`
	Expectation string          `json:"expectation,omitempty"`
	State       string          `json:"state"` // "target", "met", "broken", "untried"
	Reason      contract.Reason `json:"reason,omitempty"`
	Detail      string          `json:"detail,omitempty"`
	Before      string          `json:"before,omitempty"` // what the probe returned, quoted
}

func (g *pointing) shown() Shown {
	s := Shown{ID: g.rec.ID, Action: contract.Flat(subject(g), contract.ActionCap), Expectation: g.label(), State: "target"}
	switch {
	case !g.tried:
		s.State = "untried"
		return s
	case g.broken():
		s.State, s.Reason, s.Detail = "broken", g.point.Reason, g.point.Detail
	case g.met():
		s.State = "met"
	}
	s.Before = g.point.Evidence
	return s
}

// Line is a pointing in one line.
func (s Shown) Line() string {
	name, read := contract.Quote(s.Action, contract.ActionCap), s.Before
	if read == "" {
		read = `""`
	}
	switch s.State {
	case "untried":
		return fmt.Sprintf("? %s [%s] — not tried yet: no time was left", name, s.Expectation)
	case "broken":
		return fmt.Sprintf("✗ %s — %s: %s", name, s.Reason, s.Detail)
	case "met":
		return fmt.Sprintf("! %s [%s] already true — the probe returned %s", name, s.Expectation, read)
	}
	return fmt.Sprintf("→ %s [%s] — before: %s", name, s.Expectation, read)
}

// Hand is pointing by hand: at the contracts of a file, or at a home's own.
type Hand struct {
	Home   sortie.Home
	World  sortie.World
	Root   string
	Flight sortie.Flight // zero: nothing is remembered
	Budget time.Duration // for all of it
	// Lines are a file's contracts; nil: what is open in the home.
	Lines []contract.Line
}

// Point points at every contract once and files it, so that the hook doesn't do
// it again in this sortie. It shows also what was pointed at before.
func (h Hand) Point(ctx context.Context) ([]Shown, error) {
	b := h.Home.Open(h.World)
	defer b.Close()
	var list []pointing
	owner := contract.Owner{Session: sortie.TypedSession(h.World), Flight: h.Flight}
	leg := sortie.Leg{Flight: h.Flight}
	open := func() error {
		tx, err := b.Tx()
		if err != nil {
			return err
		}
		var recs []contract.Record
		done := func() error { return nil }
		if h.Lines != nil {
			for _, l := range h.Lines {
				recs = append(recs, contract.Record{ID: l.Key(), Session: owner.Session, Line: l.Text})
			}
		} else {
			paths := contract.Pending(h.World, h.Home, h.Root, owner.Session)
			if _, done, err = contract.TakeIn(tx, owner, paths, h.World.Now()); err != nil {
				return err
			}
			if recs, err = contract.All(tx); err != nil {
				return err
			}
		}
		if list, err = look(tx, h.Flight.ID, recs); err != nil {
			return err
		}
		if err := b.Commit(); err != nil {
			return err
		}
		return done()
	}
	if err := open(); err != nil {
		return nil, err
	}
	each, _ := contract.Limits(h.World.Env)
	each = min(each, h.Budget)
	r := contract.Runner{Dir: h.Root, Now: h.World.Now, Refuse: refuser(h.World, h.Home, h.Root)}
	// The last one may be cut short; nothing runs past the budget.
	until := h.World.Now().Add(h.Budget)
	for i := range list {
		left := until.Sub(h.World.Now())
		if left <= 0 {
			break
		}
		point(ctx, r, clock{now: h.World.Now, until: until, each: min(each, left)}, list[i:i+1])
	}
	if err := file(b, leg, "", list, false); err != nil {
		return nil, err
	}
	if err := b.Commit(); err != nil {
		return nil, err
	}
	out := make([]Shown, len(list))
	for i := range list {
		out[i] = list[i].shown()
	}
	return out, nil
}

// Encode is a list of pointings as one JSON object.
func Encode(list []Shown) ([]byte, error) {
	if list == nil {
		list = []Shown{}
	}
	return json.Marshal(map[string]any{"contracts": list})
}
