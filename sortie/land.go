package sortie

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"spar/ledger"
)

// LandOptions say how a sortie is closed.
type LandOptions struct {
	// Session is set where a session says goodbye: only its own sortie lands, once
	// no other session flies it, and one in which nothing was found lands without a
	// finding.
	Session bool
	By      LandedBy // ByHand where empty
	Note    string
}

// Summary is what the landing finding observes.
type Summary struct {
	Findings int                     `json:"findings"`
	Worst    ledger.Severity         `json:"worst,omitempty"`
	Points   int                     `json:"points"`
	Spent    int                     `json:"spent"`
	Budget   int                     `json:"budget,omitempty"`
	Mode     ledger.Mode             `json:"mode"`
	Swings   int                     `json:"swings"`
	Wingmen  int                     `json:"wingmen"`
	Severity map[ledger.Severity]int `json:"by_severity,omitempty"`
	Landed   LandedBy                `json:"landed_by"`
}

// Land closes a sortie with one summary finding. landed is false where nothing
// was closed: an operator's sortie when one of its sessions ends, one that other
// sessions still fly, one that has landed already.
func (b *Book) Land(l Leg, o LandOptions) (filed Filed, landed bool, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		id := l.Flight.ID
		if o.Session {
			rec, ok, err := seatOf(tx, l.Session)
			if err != nil {
				return err
			}
			if ok {
				id = rec.Sortie
			}
			o.By = BySession
		}
		f, ok, err := flightOf(tx, id)
		if err != nil || !ok || !f.Aloft() {
			return err
		}
		if o.Session {
			if f.Operator || !b.last(tx, f, l.Session) {
				return nil
			}
		}
		filed, err = b.land(tx, f, o)
		landed = err == nil
		return err
	})
	if err != nil {
		return Filed{}, false, fmt.Errorf("landing: %w", err)
	}
	return filed, landed, nil
}

// last reports whether no other session still flies f. The names that this
// session had before are no others: they are of its process.
func (b *Book) last(tx *ledger.Tx, f Flight, session string) bool {
	me, _, _ := seatOf(tx, session)
	for _, s := range f.Sessions {
		r, ok, err := seatOf(tx, s)
		if s == session || err != nil || !ok || r.Sortie != f.ID || r.PID == 0 {
			continue
		}
		if (r.PID != me.PID || r.Start != me.Start) && !b.w.gone(r.PID, r.Start, r.Realm) {
			return false
		}
	}
	return true
}

func (b *Book) land(tx *ledger.Tx, f Flight, o LandOptions) (Filed, error) {
	if o.By == "" {
		o.By = ByHand
	}
	t, err := tx.SortieTally(f.ID)
	if err != nil {
		return Filed{}, err
	}
	now := b.w.Now().UTC().Truncate(time.Millisecond)
	f.Landed, f.LandedBy, f.Spent = now, o.By, b.home.SpentBy(f)
	find := ledger.Finding{
		Phase: ledger.Post, Source: "spar", Severity: ledger.Note, Subject: "sortie",
		Observed: observed(b.summary(f, t)), Note: o.Note, Mode: f.Mode, Actor: ledger.Human,
		Sortie: f.ID, Outcome: string(Logged),
	}
	if o.By != ByHand {
		find.Actor = ledger.Agent
	}
	if f.Swing != nil {
		note := fmt.Sprintf("still committed to %q, exit %q", f.Swing.Action, f.Swing.Exit)
		if find.Note != "" {
			note = find.Note + "; " + note
		}
		find.Note, find.Swing = note, f.Swing.ID
	}
	filed := Filed{Verdict: Logged, Total: t.Points, Counted: true, Leg: Leg{Flight: f}}
	if !o.Session || t.Findings > 0 {
		if err := b.append(tx, &find); err != nil {
			return Filed{}, err
		}
		filed.Finding = find
	}
	if err := b.putFlight(tx, f); err != nil {
		return Filed{}, err
	}
	b.unbind(f.Sessions)
	if err := b.dropCalls(tx, f.ID); err != nil {
		return Filed{}, err
	}
	if f.Operator {
		return filed, b.mirrorSeat(tx)
	}
	return filed, nil
}

func (b *Book) summary(f Flight, t ledger.Tally) Summary {
	return Summary{
		Findings: t.Findings, Worst: Worst(t), Points: t.Points, Spent: f.Spent, Budget: f.Budget,
		Mode: f.Mode, Swings: f.Swings, Wingmen: f.Wingmen, Severity: t.Severity, Landed: f.LandedBy,
	}
}

// dropCalls forgets the calls of a sortie that were known by their input alone,
// and the agents that were counted.
func (b *Book) dropCalls(tx *ledger.Tx, id string) error {
	for _, space := range []string{windowSpace, wingSpace} {
		var keys []string
		for k := range tx.States(space, id+"\x00") {
			keys = append(keys, k)
		}
		for _, k := range keys {
			if err := b.putState(tx, space, k, nil); err != nil {
				return err
			}
		}
	}
	if p := b.home.CallMark(id, "x"); p != "" {
		b.after = append(b.after, func() error { return removeAll(filepath.Dir(p)) })
	}
	return nil
}

// Worst is the highest severity in a tally, "" where it is empty.
func Worst(t ledger.Tally) ledger.Severity {
	for _, s := range []ledger.Severity{ledger.Stop, ledger.Warn, ledger.Note} {
		if t.Severity[s] > 0 {
			return s
		}
	}
	return ""
}

// SilentFor is how long a session may be unheard of before its sortie is landed
// for it.
const SilentFor = 12 * time.Hour

// Sweep lands the sorties of sessions that never said goodbye: their harness's
// process is gone, or nothing was heard of them for [SilentFor]. An operator's
// sortie is swept only where the runner that would have landed it is gone, and
// every session that flew it. A session that comes back takes its own up again.
// Where nothing is to be landed it writes nothing.
func Sweep(b *Book) ([]Flight, error) {
	b.mu.Lock()
	open := b.tx != nil // a reader would wait for our own turn to end
	b.mu.Unlock()
	if !open {
		var stale bool
		err := b.home.View(b.w, func(tx *ledger.Tx) error {
			if tx == nil {
				return nil
			}
			due, err := b.stale(tx, anyFlight)
			stale = len(due) > 0
			return err
		})
		if err != nil || !stale {
			return nil, err
		}
	}
	var landed []Flight
	err := b.do(func(tx *ledger.Tx) (err error) {
		landed, err = b.sweep(tx, anyFlight)
		return err
	})
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return nil, fmt.Errorf("landing what was left behind: %w", err)
	}
	return landed, nil
}

// anyFlight sweeps whatever is due.
func anyFlight(Flight) bool { return true }

// sweep lands what is due among the sorties that which picks.
func (b *Book) sweep(tx *ledger.Tx, which func(Flight) bool) ([]Flight, error) {
	due, err := b.stale(tx, which)
	if err != nil {
		return nil, err
	}
	var landed []Flight
	for _, id := range slices.Sorted(maps.Keys(due)) {
		f, ok, err := flightOf(tx, id)
		if err != nil || !ok {
			return nil, err
		}
		filed, err := b.land(tx, f, LandOptions{By: BySweep, Note: due[id]})
		if err != nil {
			return nil, err
		}
		landed = append(landed, filed.Leg.Flight)
	}
	return landed, nil
}

// stale finds the sorties to sweep, each with the reason.
func (b *Book) stale(tx *ledger.Tx, which func(Flight) bool) (map[string]string, error) {
	flights, err := aloft(tx)
	if err != nil {
		return nil, err
	}
	due := map[string]string{}
	now := b.w.Now()
	for _, f := range flights {
		if !which(f) || f.Operator && (f.Runner == nil || !b.w.gone(f.Runner.PID, f.Runner.Start, f.Runner.Realm)) {
			continue
		}
		heard, known, running := f.Launched, 0, 0
		for _, s := range f.Sessions {
			r, ok, err := seatOf(tx, s)
			if err != nil {
				return nil, err
			}
			if !ok || r.Sortie != f.ID {
				continue
			}
			known++
			if r.Joined.After(heard) {
				heard = r.Joined
			}
			if !b.w.gone(r.PID, r.Start, r.Realm) {
				running++
			}
		}
		if at := b.home.lastBurn(f.ID); at.After(heard) {
			heard = at
		}
		if t, err := tx.SortieTally(f.ID); err != nil {
			return nil, err
		} else if t.Last > 0 {
			last, err := tx.Finding(t.Last)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			if err == nil && last.At.After(heard) {
				heard = last.At
			}
		}
		switch {
		case f.Operator && running > 0:
			// The command outlived its runner; it still flies unattended.
		case f.Operator:
			due[f.ID] = "its runner ended without landing it"
		case known > 0 && running == 0:
			due[f.ID] = "its session never said that it was over; the harness's process is gone"
		case now.Sub(heard) >= SilentFor:
			due[f.ID] = fmt.Sprintf("its session never said that it was over; nothing was heard of it for %d hours", int(now.Sub(heard).Hours()))
		}
	}
	return due, nil
}

// SummaryOf reads a landing finding.
func SummaryOf(f ledger.Finding) (Summary, error) {
	var s Summary
	if len(f.Observed) == 0 {
		return s, nil // landed without a finding
	}
	if err := json.Unmarshal(f.Observed, &s); err != nil {
		return s, fmt.Errorf("reading the landing of sortie %s: %w", f.Sortie, err)
	}
	return s, nil
}
