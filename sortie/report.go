package sortie

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"spar/ledger"
)

// Report is what a guard found.
type Report struct {
	Source   string
	Phase    ledger.Phase
	Severity ledger.Severity
	Subject  string
	Observed any // any JSON
	Expected any
	Note     string
	Actor    ledger.Actor // the agent where empty
	Call     string       // the call's id; the same source reporting one call twice files once
	Window   bool         // Call is a hash of the input alone: it names one call only within a second, and until that call has ended
	Agent    string       // the subagent's id
	Hard     bool         // never held by a swing
	Outcome  string       // what the guard did about it where that is not the verdict's to say: "ask", [Granted]

	// Charge are the points by kind. With it Observed is the charge itself
	// ([ledger.Charge], total included) and Severity is what Grade says of the
	// total after it; a charge of no points is a note whatever the total is.
	Charge map[string]int
	Grade  func(total int) ledger.Severity
}

// Granted is the Outcome of a pilot's switch that the runner let the agent turn.
// The ledger's outcomes are verdicts, and a grant is none: it is stored as logged,
// with "granted": true beside what was observed.
const Granted = "granted"

// Filed is a report once written.
type Filed struct {
	Finding ledger.Finding
	Verdict Verdict
	Total   int  // the sortie's points after it
	Repeat  bool // the call had been reported before; Finding is the first one
	Counted bool // false where no sortie is flown: judged, not counted
	Overdue bool // the swing it fell into has outstayed its time
	Swing   *Swing
	Leg     Leg // where it was counted: another sortie than the caller knew where that one had landed
}

// Report files r for the leg and says what becomes of it. Sortie, mode, swing
// and total are read in the same transaction. It is durable once [Book.Commit]
// has returned.
func (b *Book) Report(l Leg, r Report) (filed Filed, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		filed, err = b.report(tx, l, r)
		return err
	})
	if err != nil {
		return Filed{}, fmt.Errorf("filing what %s found: %w", r.Source, err)
	}
	return filed, nil
}

func (b *Book) report(tx *ledger.Tx, l Leg, r Report) (Filed, error) {
	if r.Outcome == Granted {
		seen := map[string]any{"granted": true}
		if m, ok := r.Observed.(map[string]any); ok {
			maps.Copy(seen, m)
		}
		r.Outcome, r.Observed = string(Logged), seen
	}
	points := 0
	for kind, n := range r.Charge {
		if n < 0 {
			return Filed{}, fmt.Errorf("a charge of %d for %s: a score never falls", n, kind)
		}
		points += n
	}
	late, err := b.current(tx, &l, r.Phase)
	if err != nil {
		return Filed{}, err
	}
	f := l.Flight
	now := b.w.Now()
	filed := Filed{Counted: f.Aloft() && !late, Swing: f.Swing, Leg: l}
	filed.Overdue = f.Swing != nil && f.Swing.Overdue(now)

	if filed.Counted && r.Call != "" {
		first, ok, err := b.called(tx, f.ID, r)
		if err != nil {
			return Filed{}, err
		}
		if ok {
			return b.repeated(tx, filed, first)
		}
	}

	find := ledger.Finding{
		Phase: r.Phase, Source: r.Source, Severity: r.Severity, Subject: r.Subject, Note: r.Note,
		Mode: f.Mode, Actor: r.Actor, Sortie: f.ID, Session: l.Session, Agent: r.Agent, Call: r.Call, Late: late,
	}
	if find.Mode == "" {
		find.Mode = ledger.Strike
	}
	if find.Actor == "" {
		find.Actor = ledger.Agent
	}
	if f.Swing != nil {
		find.Swing = f.Swing.ID
	}
	filed.Total = points
	if filed.Counted {
		t, err := tx.SortieTally(f.ID)
		if err != nil {
			return Filed{}, err
		}
		filed.Total = plus(t.Points, points)
	}
	if r.Charge != nil {
		r.Observed = ledger.Charge{Kinds: r.Charge, Points: points, Total: filed.Total}
		switch {
		case points == 0:
			find.Severity = ledger.Note
		case r.Grade != nil:
			find.Severity = r.Grade(filed.Total)
		}
	}
	if find.Observed, err = json.Marshal(r.Observed); err != nil {
		return Filed{}, fmt.Errorf("what was observed is no JSON: %w", err)
	}
	if r.Expected != nil {
		if find.Expected, err = json.Marshal(r.Expected); err != nil {
			return Filed{}, fmt.Errorf("what was expected is no JSON: %w", err)
		}
	}
	defers := f.Swing.Defers(now) && !r.Hard
	filed.Verdict = Judge(find.Mode, defers, l.Seat.Empty, find.Phase, find.Severity)
	if late {
		filed.Verdict = Logged
	}
	find.Outcome = string(filed.Verdict)
	if r.Outcome != "" {
		find.Outcome = r.Outcome
	}
	switch {
	case late && f.ID == "":
		err = b.keepLate(tx, &find)
	case late:
		err = b.appendLate(tx, &find)
	case filed.Counted:
		err = b.append(tx, &find)
		if err == nil && r.Window && r.Call != "" {
			err = b.openWindow(tx, &find, r)
		}
		if err == nil && find.Phase == ledger.Claim {
			err = b.claim(tx, &find)
		}
	}
	if err != nil {
		return Filed{}, err
	}
	filed.Finding = find
	return filed, nil
}

func plus(a, b int) int {
	if a > int(^uint(0)>>1)-b {
		return int(^uint(0) >> 1)
	}
	return a + b
}

// repeated is the answer to a call that was reported before: the first one's.
func (b *Book) repeated(tx *ledger.Tx, filed Filed, first *ledger.Finding) (Filed, error) {
	filed.Repeat, filed.Finding = true, *first
	filed.Verdict = Verdict(first.Outcome)
	if c, ok := first.ChargeOf(); ok {
		filed.Total = c.Total
		return filed, nil
	}
	t, err := tx.SortieTally(filed.Leg.Flight.ID)
	filed.Total = t.Points
	return filed, err
}

// current brings the leg up to what the ledger says now: the caller may know the
// session's place from its mirror alone, and the sortie may have landed since.
// late is set for what is only heard of after its sortie's landing: it is filed
// with the next one (the flight then is that one, or zero while there is none).
func (b *Book) current(tx *ledger.Tx, l *Leg, phase ledger.Phase) (late bool, err error) {
	rec, known, err := seatOf(tx, l.Session)
	if err != nil {
		return false, err
	}
	id := l.Flight.ID
	if known {
		id = rec.Sortie
	}
	f, ok, err := flightOf(tx, id)
	if err != nil {
		return false, err
	}
	if ok && f.Aloft() {
		l.Flight = f
		if known {
			l.Seat = seatFor(reason(f, rec))
		}
		return false, nil
	}
	if ok && phase == ledger.Post && f.LandedBy != BySweep {
		// It tells of something that was done while the landed sortie flew. One that
		// was swept is no goodbye: its session has just shown that it lives.
		flights, err := aloft(tx)
		if err != nil {
			return false, err
		}
		l.Flight = Flight{}
		if ops := operators(flights); len(ops) > 0 {
			l.Flight = ops[len(ops)-1]
		} else if len(flights) == 1 {
			l.Flight = flights[0]
		}
		return true, nil
	}
	if l.Session == "" {
		nameless, err := b.joinNameless(tx)
		if err != nil {
			return false, err
		}
		if nameless.Flight.ID == "" {
			nameless.Seat = l.Seat
		}
		*l = nameless
		return false, nil
	}
	// The session goes on calling after its sortie was landed, or was never seen to
	// join: it joins now.
	e := Event{Session: l.Session, Harness: l.Flight.Harness}
	if known {
		e.Harness = rec.Harness
		if rec.Named {
			e.PID = rec.PID
		}
	}
	leg, err := b.join(tx, e)
	if err != nil {
		return false, err
	}
	*l = leg
	return false, nil
}

// called finds what the source reported of this very call before. A call that is
// known by its input alone is the same one only if that was reported less than a
// second ago and has not ended since.
func (b *Book) called(tx *ledger.Tx, sortie string, r Report) (*ledger.Finding, bool, error) {
	if !r.Window {
		return tx.Called(sortie, r.Source, r.Call)
	}
	data, err := tx.State(windowSpace, windowKey(sortie, r))
	if err != nil {
		return nil, false, err
	}
	seq, ok := decode[uint64](data)
	if !ok {
		return nil, false, nil
	}
	first, err := tx.Finding(seq)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if d := b.w.Now().Sub(first.At); d > time.Second || d < -time.Second {
		return nil, false, nil
	}
	_, err = os.Stat(b.home.CallMark(sortie, r.Call))
	return first, err == nil, nil
}

// windowKey is where the latest finding about such a call is remembered. The
// ledger's own table of calls keeps the first.
func windowKey(sortie string, r Report) string {
	return sortie + "\x00" + r.Source + "\x00" + markName(r.Call)
}

// openWindow remembers the finding and leaves the mark that says its call is under
// way. Without the mark the call would only be charged a second time.
func (b *Book) openWindow(tx *ledger.Tx, f *ledger.Finding, r Report) error {
	path := b.home.CallMark(f.Sortie, r.Call)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("marking the call: %w", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return fmt.Errorf("marking the call: %w", err)
	}
	return b.putState(tx, windowSpace, windowKey(f.Sortie, r), f.Seq)
}

// observed is v as a finding holds it. v is ours, so it can't fail.
func observed(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`null`)
	}
	return data
}

// keepLate keeps a late finding until the next sortie is launched.
func (b *Book) keepLate(tx *ledger.Tx, f *ledger.Finding) error {
	f.At = b.w.Now().UTC().Truncate(time.Millisecond)
	return b.putState(tx, lateSpace, NewID(f.At), f)
}

// fileLate files what waited for this sortie.
func (b *Book) fileLate(tx *ledger.Tx, f Flight) error {
	var keys []string
	var waiting []ledger.Finding
	for k, v := range tx.States(lateSpace, "") {
		keys = append(keys, k)
		// A torn one must not keep the session from flying.
		if w, ok := decode[ledger.Finding](v); ok && w.Phase != "" && w.Actor != "" && w.Source != "" && w.Subject != "" {
			waiting = append(waiting, w)
		}
	}
	for _, k := range keys {
		if err := b.putState(tx, lateSpace, k, nil); err != nil {
			return err
		}
	}
	var errs []error
	for _, w := range waiting {
		w.Sortie, w.Mode = f.ID, f.Mode
		errs = append(errs, b.appendLate(tx, &w))
	}
	return errors.Join(errs...)
}

// appendLate files a late finding as the note that it is to its new sortie: what
// it observed is kept a level down, so that points of a flight that is over move
// no other flight's count.
func (b *Book) appendLate(tx *ledger.Tx, f *ledger.Finding) error {
	f.Observed = observed(map[string]any{"late": f.Observed, "severity": f.Severity})
	f.Severity, f.Late, f.Swing, f.Outcome = ledger.Note, true, "", string(Logged)
	return b.append(tx, f)
}
