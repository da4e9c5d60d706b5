package sortie

import (
	"fmt"
	"os"
	"slices"
	"time"

	"spar/ledger"
)

// Join puts a session on its sortie and binds it to this home; it is idempotent.
// The order, first hit:
//
//  1. the sortie that SPAR_SORTIE names;
//  2. the one the session flies, or, for a new id of a session that went on
//     (compact, clear, resume, fork), the one its harness's process flies;
//  3. one an operator launched here and has not landed;
//  4. the session's own, landed because it said goodbye or was silent: reopened,
//     count kept;
//  5. for a new id of a session that went on, the only session sortie of that
//     harness that is aloft here (a guess, and told);
//  6. a sortie of its own.
//
// A session without an id takes the home's current sortie and launches none;
// where there is none its Leg has no flight: judged, not counted.
func (b *Book) Join(e Event) (leg Leg, err error) {
	err = b.do(func(tx *ledger.Tx) error {
		leg, err = b.join(tx, e)
		return err
	})
	if err != nil {
		return Leg{}, fmt.Errorf("joining a sortie: %w", err)
	}
	return leg, nil
}

// goesOn reports whether a session start is that of a session which goes on,
// perhaps under a new id.
func goesOn(source string) bool {
	switch source {
	case "resume", "compact", "clear", "fork":
		return true
	}
	return false
}

func (b *Book) join(tx *ledger.Tx, e Event) (Leg, error) {
	if e.Session == "" {
		return b.joinNameless(tx)
	}
	rec, known, err := seatOf(tx, e.Session)
	if err != nil {
		return Leg{}, err
	}
	leg := Leg{Session: e.Session}
	f, named, err := b.namedSortie(tx, &leg)
	if err != nil {
		return Leg{}, err
	}
	if e.Source == "" && known && (!named || f.ID == rec.Sortie) {
		// Any later event: nothing is decided anew while the sortie is aloft.
		own, ok, err := flightOf(tx, rec.Sortie)
		if err != nil {
			return Leg{}, err
		}
		if ok && own.Aloft() {
			leg.Flight, leg.Seat, leg.Told = own, seatFor(reason(own, rec)), nil // what there was to tell was told at the start
			b.bind(leg, rec)
			return leg, nil
		}
	}
	// A runner that was killed must not draw this session into its sortie.
	if _, err := b.sweep(tx, func(other Flight) bool { return other.Operator && other.ID != f.ID }); err != nil {
		return Leg{}, err
	}
	flights, err := aloft(tx)
	if err != nil {
		return Leg{}, err
	}
	by := harnessOf{Harness: e.Harness}
	by.PID, by.Process, by.Named = b.w.harnessProcess(e.PID)
	if !named {
		if f, err = b.place(tx, &leg, e, rec, known, flights, by); err != nil {
			return Leg{}, err
		}
	}
	if known && rec.Sortie != f.ID {
		if err := b.leaveFlight(tx, rec); err != nil {
			return Leg{}, err
		}
	}
	if err := b.take(tx, &leg, e, f, rec, known, by); err != nil {
		return Leg{}, err
	}
	if leg.New {
		if err := b.settle(tx, &leg, e, known, len(flights)); err != nil {
			return Leg{}, err
		}
	}
	if e.Source != "" {
		if _, err := b.sweep(tx, func(f Flight) bool { return f.ID != leg.Flight.ID }); err != nil {
			return Leg{}, err
		}
	}
	return leg, nil
}

// harnessOf is the process that a session's event came from.
type harnessOf struct {
	Harness string
	PID     int
	Process Process
	Named   bool // the harness itself named it
}

// place is the sortie of a session that SPAR_SORTIE names none for.
func (b *Book) place(tx *ledger.Tx, leg *Leg, e Event, rec seatRecord, known bool, flights []Flight, by harnessOf) (Flight, error) {
	if f, ok := find(flights, rec.Sortie); ok {
		return f, nil
	}
	f, reopened, guess, err := b.choose(tx, e, rec, known, flights, by)
	switch {
	case err != nil:
		return Flight{}, err
	case guess != "":
		leg.Told = append(leg.Told, guess)
	case reopened:
		f.Landed, f.LandedBy = time.Time{}, ""
		b.refuel(f)
	case f.ID == "":
		now := b.w.Now().UTC()
		f = Flight{ID: NewID(now), Mode: ledger.Strike, Harness: e.Harness, Launched: now.Truncate(time.Millisecond)}
		leg.New = true
	}
	return f, nil
}

// take puts the session into f: who it is, who is in its seat, on what budget.
func (b *Book) take(tx *ledger.Tx, leg *Leg, e Event, f Flight, old seatRecord, known bool, by harnessOf) error {
	rec := seatRecord{
		Session: e.Session, Sortie: f.ID, Harness: e.Harness, Joined: b.w.Now().UTC().Truncate(time.Millisecond),
		PID: by.PID, Start: by.Process.Start, Realm: by.Process.Realm, Named: by.Named,
		Autonomy: DeclaredAutonomy(b.w), Bad: old.Bad,
	}
	if rec.Autonomy == "" && known && e.Source == "" {
		var err error
		if rec.Autonomy, err = leftUnattended(tx, old); err != nil {
			return err
		}
	}
	b.budget(&f, &rec, leg)
	leg.Seat = seatFor(reason(f, rec))
	if !f.Operator {
		f.Autonomy = leg.Seat.Reason
	}
	if leg.Seat.Empty && f.Mode == ledger.Cruise {
		// Cruise logs and stops nothing, so it never flies unattended.
		f.Mode = ledger.Strike
		leg.Told = append(leg.Told, "spar: the sortie was in cruise; nobody is in the seat now, so it is in strike")
	}
	if !slices.Contains(f.Sessions, e.Session) {
		f.Sessions = append(f.Sessions, e.Session)
	}
	if err := b.putFlight(tx, f); err != nil {
		return err
	}
	if err := b.putSeat(tx, rec); err != nil {
		return err
	}
	leg.Flight = f
	b.bind(*leg, rec)
	return nil
}

// settle is what a new sortie begins with: what waited for it, and the word that
// its session may have had another.
func (b *Book) settle(tx *ledger.Tx, leg *Leg, e Event, known bool, others int) error {
	if err := b.fileLate(tx, leg.Flight); err != nil {
		return err
	}
	if err := b.tidy(tx); err != nil {
		return err
	}
	if known || !goesOn(e.Source) {
		return nil
	}
	text := fmt.Sprintf("a session that says %q came under an id nobody knows, and no sortie here is surely its own; it flies a new one, counted from 0", e.Source)
	leg.Told = append(leg.Told, "spar: "+text)
	return b.append(tx, &ledger.Finding{
		Phase: ledger.Brief, Source: "spar", Severity: ledger.Warn, Subject: "adoption",
		Observed: observed(map[string]any{"source": e.Source, "aloft": others}), Note: text,
		Mode: leg.Flight.Mode, Actor: ledger.Agent, Sortie: leg.Flight.ID, Session: e.Session, Outcome: string(Advise),
	})
}

// choose is what a session flies that has no sortie aloft. A zero flight: its own.
func (b *Book) choose(tx *ledger.Tx, e Event, rec seatRecord, known bool, flights []Flight, by harnessOf) (f Flight, reopen bool, guess string, err error) {
	renamed := !known && goesOn(e.Source)
	if renamed && by.PID != 0 {
		if f, ok, err := ofProcess(tx, flights, by); err != nil || ok {
			return f, false, "", err
		}
	}
	if ops := operators(flights); len(ops) > 0 {
		return ops[len(ops)-1], false, "", nil
	}
	if known && e.Source != "startup" {
		own, ok, err := flightOf(tx, rec.Sortie)
		if err != nil {
			return Flight{}, false, "", err
		}
		// What a person or a runner closed stays closed for calls that merely come
		// late; a session that is resumed on purpose takes its own count up again.
		if ok && !own.Operator && (own.LandedBy == BySession || own.LandedBy == BySweep || e.Source == "resume") {
			return own, true, "", nil
		}
	}
	if renamed {
		var kin []Flight
		for _, f := range flights {
			if !f.Operator && f.Harness == e.Harness {
				kin = append(kin, f)
			}
		}
		if len(kin) == 1 {
			other, err := b.surelyAnother(tx, kin[0], e.PID)
			if err != nil {
				return Flight{}, false, "", err
			}
			if !other {
				return kin[0], false, fmt.Sprintf("spar: taken for the session of sortie %s, the only one of its kind here; its count goes on", kin[0].ID), nil
			}
		}
	}
	return Flight{}, false, "", nil
}

// ofProcess finds the sortie that the same harness process flies under another
// session id, the latest joined where there are several.
func ofProcess(tx *ledger.Tx, flights []Flight, by harnessOf) (Flight, bool, error) {
	var best Flight
	var joined time.Time
	for _, f := range flights {
		for _, s := range f.Sessions {
			r, ok, err := seatOf(tx, s)
			if err != nil {
				return Flight{}, false, err
			}
			if ok && r.Sortie == f.ID && r.Harness == by.Harness && r.PID == by.PID && r.Start == by.Process.Start && r.Realm == by.Process.Realm && !r.Joined.Before(joined) {
				best, joined = f, r.Joined
			}
		}
	}
	return best, best.ID != "", nil
}

// surelyAnother reports whether a sortie is flown by a process that its harness
// named, that is still there, and that is not the one which speaks now. Two
// sessions side by side never share a count by a guess.
func (b *Book) surelyAnother(tx *ledger.Tx, f Flight, pid int) (bool, error) {
	if pid <= 1 {
		return false, nil
	}
	for _, s := range f.Sessions {
		r, ok, err := seatOf(tx, s)
		if err != nil {
			return false, err
		}
		if !ok || r.Sortie != f.ID || !r.Named || r.PID == pid {
			continue
		}
		if p, err := b.w.process(r.PID); err == nil && p.Start == r.Start && p.Realm == r.Realm {
			return true, nil
		}
	}
	return false, nil
}

// namedSortie is the one in SPAR_SORTIE, if it can be flown.
func (b *Book) namedSortie(tx *ledger.Tx, leg *Leg) (Flight, bool, error) {
	id := b.w.first("SPAR_SORTIE")
	if id == "" {
		return Flight{}, false, nil
	}
	f, ok, err := flightOf(tx, id)
	switch {
	case err != nil:
		return Flight{}, false, err
	case !ok:
		leg.Told = append(leg.Told, fmt.Sprintf("spar: SPAR_SORTIE names %s, which this home (%s) has never seen; it is left aside", Line(id, 40), b.home.Dir))
		return Flight{}, false, nil
	case !f.Aloft():
		leg.Told = append(leg.Told, fmt.Sprintf("spar: SPAR_SORTIE names %s, which has landed; it is left aside", id))
		return Flight{}, false, nil
	}
	return f, true, nil
}

// joinNameless is the place of a payload that names no session.
func (b *Book) joinNameless(tx *ledger.Tx) (Leg, error) {
	leg := Leg{}
	f, named, err := b.namedSortie(tx, &leg)
	if err != nil {
		return Leg{}, err
	}
	if !named {
		flights, err := aloft(tx)
		if err != nil {
			return Leg{}, err
		}
		if ops := operators(flights); len(ops) > 0 {
			f = ops[len(ops)-1]
		} else if len(flights) == 1 {
			f = flights[0]
		}
	}
	leg.Flight, leg.Told = f, nil // nobody's session: nobody to tell once
	reason, err := seatEmpty(tx, f)
	if err != nil {
		return Leg{}, err
	}
	if reason == "" {
		reason = DeclaredAutonomy(b.w)
	}
	leg.Seat = seatFor(reason)
	return leg, nil
}

// reason is why a session's seat is empty. The variable decides a session's own
// sortie alone; on an operator's it can only empty the seat.
func reason(f Flight, r seatRecord) string {
	if f.Operator && f.Autonomy != "" {
		return f.Autonomy
	}
	return r.Autonomy
}

// leftUnattended is the reason of an operator's autonomous sortie that its runner
// landed, or lost, while a session of it goes on: what was left behind by a runner
// has nobody in its seat. A person who lands by hand is there.
func leftUnattended(tx *ledger.Tx, old seatRecord) (string, error) {
	f, ok, err := flightOf(tx, old.Sortie)
	if err != nil || !ok || !f.Operator || f.LandedBy != ByRunner && f.LandedBy != BySweep {
		return "", err
	}
	return f.Autonomy, nil
}

// budget reads the declared budget for a session's own sortie. One that is no
// budget is told once and ignored.
func (b *Book) budget(f *Flight, r *seatRecord, leg *Leg) {
	n, bad := declaredBudget(b.w)
	if bad != "" && bad != r.Bad {
		leg.Told = append(leg.Told, fmt.Sprintf("spar: the budget %q is ignored: a budget is a whole number of tool calls, at least 1", Line(bad, 40)))
	}
	r.Bad = bad
	if n > 0 && !f.Operator {
		f.Budget = n
	}
}

// leaveFlight takes a session off the sortie it flew before. Its own sortie, with
// nobody left on it, is landed.
func (b *Book) leaveFlight(tx *ledger.Tx, r seatRecord) error {
	f, ok, err := flightOf(tx, r.Sortie)
	if err != nil || !ok || !f.Aloft() {
		return err
	}
	f.Sessions = slices.DeleteFunc(f.Sessions, func(s string) bool { return s == r.Session })
	if len(f.Sessions) > 0 || f.Operator {
		return b.putFlight(tx, f)
	}
	_, err = b.land(tx, f, LandOptions{By: BySession, Note: "its session went over to another sortie"})
	return err
}

// bind mirrors a session's place once it is durable.
func (b *Book) bind(leg Leg, r seatRecord) {
	bd := Binding{
		Session: leg.Session, Home: b.home.Dir, Sortie: leg.Flight.ID, Harness: r.Harness,
		PID: r.PID, Start: r.Start, Budget: leg.Flight.Budget, Autonomy: leg.Seat.Reason, Mode: leg.Flight.Mode,
	}
	b.after = append(b.after, func() error { return writeBinding(b.w, bd) })
}

// unbind keeps the sessions' home and takes the sortie out: their next event
// joins anew.
func (b *Book) unbind(sessions []string) {
	sessions = slices.Clone(sessions)
	b.after = append(b.after, func() error {
		for _, s := range sessions {
			if bd, ok := readBinding(b.w, s); ok && bd.Home == b.home.Dir {
				bd.Sortie, bd.Budget, bd.Autonomy, bd.Mode = "", 0, "", ""
				_ = writeBinding(b.w, bd)
			}
		}
		return nil
	})
}

// mirrorMode tells the sessions of a sortie that its mode has changed. One whose
// binding can't be written loses it, and its next event asks the ledger.
func (b *Book) mirrorMode(f Flight) {
	sessions := slices.Clone(f.Sessions)
	b.after = append(b.after, func() error {
		for _, s := range sessions {
			bd, ok := readBinding(b.w, s)
			if !ok || bd.Home != b.home.Dir || bd.Sortie != f.ID {
				continue
			}
			bd.Mode = f.Mode
			if err := writeBinding(b.w, bd); err != nil {
				_ = os.Remove(bindingPath(b.w, s))
			}
		}
		return nil
	})
}

// mirrorSeat makes the seat file say what the ledger says.
func (b *Book) mirrorSeat(tx *ledger.Tx) error {
	flights, err := aloft(tx)
	if err != nil {
		return err
	}
	reason := ""
	for _, f := range operators(flights) {
		if f.Autonomy != "" {
			reason = f.Autonomy
		}
	}
	b.after = append(b.after, func() error { return b.home.writeSeat(reason) })
	return nil
}

func find(flights []Flight, id string) (Flight, bool) {
	i := slices.IndexFunc(flights, func(f Flight) bool { return f.ID == id })
	if i < 0 {
		return Flight{}, false
	}
	return flights[i], true
}

func has(flights []Flight, id string) bool {
	_, ok := find(flights, id)
	return ok
}
