package melee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
)

// DefaultFor is how long a swing lasts before it is overdue.
const DefaultFor = 4 * time.Hour

// grantedWithin is how long a person's leave to the agent to enter is good for.
const grantedWithin = 10 * time.Minute

// Entry is what has to be said to close to melee. The texts are nil where nothing
// was given: nothing and an empty text are two different mistakes.
type Entry struct {
	Action   *string
	Exit     *string
	State    *string       // the reading, where a person took it
	StateCmd string        // takes the reading now, and again on leaving
	ExitCmd  string        // must exit 0: the exit route is there
	ReadAt   time.Time     // when State was read; zero: just now
	Cost     *int          // points that the action is known to cost
	For      time.Duration // DefaultFor where zero
}

// Entered is a swing just begun.
type Entered struct {
	Flight sortie.Flight
	Swing  sortie.Swing
	// Open is why the swing holds nothing back although it is entered, "" where it
	// does: nobody let the agent, who typed it, commit.
	Open string
}

// Enter closes to melee in the sortie that id names (as [sortie.Pick] reads it).
// What was said is checked, the exit route proven and the reading taken before
// anything is written; then one finding is filed and the range flips. What is
// refused is a [*sortie.Refusal], filed where there is a sortie to file it in.
// Commands that are run, and what they say, are shown on show.
//
// The book is committed; no other process waits while a command runs.
func Enter(ctx context.Context, b *sortie.Book, id string, e Entry, show io.Writer) (Entered, error) {
	defer b.Close()
	home := b.Home()
	// Asking must not make a home where there was none.
	var f sortie.Flight
	err := home.View(b.World(), func(tx *ledger.Tx) (err error) {
		f, _, err = sortie.Pick(tx, b.World(), id, true)
		return err
	})
	if errors.Is(err, sortie.ErrNoSortie) {
		return Entered{}, &sortie.Refusal{Reason: "no sortie is launched here (" + home.Dir + ")", Next: "launch one with `spar launch`"}
	}
	if err != nil {
		return Entered{}, err
	}
	if err := e.check(b, f); err != nil {
		return Entered{}, refuseFiled(b, f, err)
	}
	if e.ExitCmd != "" {
		fmt.Fprintf(show, "spar: exit route: %s\n", sortie.Line(redact.Text(e.ExitCmd), 400))
		_, complaint, err := shell(ctx, b.World().Dir, e.ExitCmd)
		if complaint != "" {
			fmt.Fprintln(show, complaint)
		}
		if err != nil {
			return Entered{}, refuseFiled(b, f, &sortie.Refusal{Reason: fmt.Sprintf("the exit route is not there: %v", err), Next: "make it first, then close in"})
		}
	}
	reading := ""
	if e.StateCmd != "" {
		fmt.Fprintf(show, "spar: reading: %s\n", sortie.Line(redact.Text(e.StateCmd), 400))
		out, complaint, err := shell(ctx, b.World().Dir, e.StateCmd)
		for _, s := range []string{out, complaint} {
			if s != "" {
				fmt.Fprintln(show, s)
			}
		}
		switch {
		case err != nil:
			return Entered{}, refuseFiled(b, f, &sortie.Refusal{Reason: fmt.Sprintf("no reading: the command that takes it failed, %v", err), Next: "repair it, or read by hand and give --state"})
		case out == "":
			return Entered{}, refuseFiled(b, f, &sortie.Refusal{Reason: "no reading: the command that takes it printed nothing", Next: "let it print what it sees"})
		}
		reading = out
	}
	return e.commit(b, f, reading)
}

// refuseFiled files a refusal and hands it on. What went wrong while filing is told with
// it: the swing is refused either way.
func refuseFiled(b *sortie.Book, f sortie.Flight, err error) error {
	var r *sortie.Refusal
	if !errors.As(err, &r) || !f.Aloft() {
		return err
	}
	ferr := b.Append(&ledger.Finding{
		Phase: ledger.Pre, Source: "spar", Severity: ledger.Note, Subject: "melee refused",
		Observed: encode(map[string]any{"refused": r.Reason}), Mode: f.Mode, Actor: actor(b.World()),
		Sortie: f.ID, Session: sortie.TypedSession(b.World()), Outcome: string(sortie.Logged),
	})
	if ferr == nil {
		ferr = b.Commit()
	}
	if ferr != nil {
		return errors.Join(err, fmt.Errorf("and the refusal could not be filed: %w", ferr))
	}
	return err
}

func actor(w sortie.World) ledger.Actor {
	if sortie.Typed(w) {
		return ledger.Agent
	}
	return ledger.Human
}

func encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`null`)
	}
	return data
}

// check is everything that needs no command to be run, the sortie first: words
// don't matter where there is nothing to commit.
func (e Entry) check(b *sortie.Book, f sortie.Flight) error {
	now := b.World().Now()
	if err := ready(b, f); err != nil {
		return err
	}
	blank := func(s *string) bool { return s != nil && strings.TrimSpace(*s) == "" }
	no := func(reason, next string) error { return &sortie.Refusal{Reason: reason, Next: next} }
	switch {
	case e.Action == nil:
		return no("no action", "say what you are about to do with --action")
	case blank(e.Action):
		return no("the action is empty", "say what you are about to do with --action")
	case e.Exit == nil:
		return no("no exit route", "say how it can be undone with --exit")
	case blank(e.Exit):
		return no("the exit route is empty", "say how it can be undone with --exit")
	case e.State == nil && e.StateCmd == "":
		return no("no reading", "say what you see now with --state, or let --state-cmd look")
	case blank(e.State):
		return no("the reading is empty", "did the command that took it fail? look again, and give --state what it says")
	case !e.ReadAt.IsZero() && now.Sub(e.ReadAt) > Fresh:
		return no(fmt.Sprintf("the reading is %v old, and one older than %v is none", now.Sub(e.ReadAt).Round(time.Second), Fresh), "read again")
	case !e.ReadAt.IsZero() && e.ReadAt.Sub(now) > Fresh:
		return no(fmt.Sprintf("the reading is from %v ahead of the clock", e.ReadAt.Sub(now).Round(time.Second)), "read again")
	}
	return nil
}

// ready reports why a sortie can't commit now.
func ready(b *sortie.Book, f sortie.Flight) error {
	no := func(next, format string, args ...any) error {
		return &sortie.Refusal{Reason: fmt.Sprintf(format, args...), Next: next}
	}
	switch spent := b.Home().Spent(f.ID); {
	case !f.Aloft():
		return no("launch another with `spar launch`", "sortie %s has landed", f.ID)
	case f.Swing != nil:
		return no("leave that first with `spar melee leave`", "already committed to %q", f.Swing.Action)
	case f.Mode != ledger.Strike:
		return no("switch with `spar mode strike` first", "the sortie is in %s, and only strike closes to melee", f.Mode)
	case sortie.Bingo(spent, f.Budget):
		return no("finish, write down and land", "past bingo: fuel %d/%d, and nothing new is started", spent, f.Budget)
	}
	return nil
}

// commit files the entry and flips the range, in one transaction.
func (e Entry) commit(b *sortie.Book, f sortie.Flight, reading string) (Entered, error) {
	w := b.World()
	fresh, ok, err := b.Flight(f.ID)
	if err != nil {
		return Entered{}, err
	}
	if !ok {
		return Entered{}, fmt.Errorf("sortie %s is gone from the ledger", f.ID)
	}
	f = fresh
	// Commands ran meanwhile; somebody else may have committed or landed.
	if err := ready(b, f); err != nil {
		return Entered{}, refuseFiled(b, f, err)
	}
	now := w.Now().UTC().Truncate(time.Millisecond)
	s := sortie.Swing{
		ID: sortie.NewID(now), Action: text(*e.Action, 400), Exit: text(*e.Exit, 400), StateCmd: e.StateCmd, Reading: reading,
		Cost: e.Cost, Entered: now, For: e.For, Actor: actor(w),
	}
	if e.State != nil {
		s.State = cap4k(redact.Text(strings.TrimSpace(*e.State)))
	} else {
		s.State = reading
	}
	if s.For <= 0 {
		s.For = DefaultFor
	}
	out := Entered{}
	if s.Actor == ledger.Agent {
		if s.Granted, err = granted(b, f.ID); err != nil {
			return Entered{}, err
		}
		if !s.Granted {
			out.Open = "the agent typed it and nobody let it commit, so findings are not held"
		}
	}
	seen := map[string]any{"state": s.State, "swing": s.ID, "for": s.For.String()}
	if reading != "" {
		seen["reading"], seen["state_cmd"] = reading, s.StateCmd
	}
	if e.ExitCmd != "" {
		seen["exit_cmd"] = e.ExitCmd
	}
	if e.Cost != nil {
		seen["cost"] = *e.Cost
	}
	if s.Actor == ledger.Agent {
		seen["granted"] = s.Granted
	}
	// Filed before the range flips, so that it isn't judged by its own gate.
	if err := b.Append(&ledger.Finding{
		Phase: ledger.Pre, Source: "spar", Severity: ledger.Note, Subject: s.Action, Observed: encode(seen),
		Note: "exit: " + s.Exit, Mode: f.Mode, Actor: s.Actor, Sortie: f.ID, Session: sortie.TypedSession(w), Outcome: string(sortie.Logged),
	}); err != nil {
		return Entered{}, err
	}
	f.Swing, f.Swings = &s, f.Swings+1
	if err := b.PutFlight(f); err != nil {
		return Entered{}, err
	}
	if err := b.Commit(); err != nil {
		return Entered{}, err
	}
	out.Flight, out.Swing = f, s
	return out, nil
}

// text is a person's words, stored redacted and in one line.
func text(s string, limit int) string { return sortie.Line(redact.Text(s), limit) }

func cap4k(s string) string {
	h := head{limit: ReadingCap}
	_, _ = h.Write([]byte(s)) // it keeps what fits and never fails
	return h.text()
}

// granted reports whether a person or the runner let the agent commit: the
// runner by SPAR_PILOT_GRANTS, a person by allowing the call that redline asked
// about.
func granted(b *sortie.Book, id string) (bool, error) {
	for _, g := range strings.FieldsFunc(b.World().Env("SPAR_PILOT_GRANTS"), func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		if g == "melee" {
			return true, nil
		}
	}
	tx, err := b.Tx()
	if err != nil {
		return false, err
	}
	session := sortie.TypedSession(b.World())
	for f, err := range tx.Find(ledger.Query{Sortie: id, Source: "redline", Since: b.World().Now().Add(-grantedWithin)}) {
		if err != nil {
			return false, err
		}
		var seen struct {
			Switch  string `json:"switch"`
			Granted bool   `json:"granted"`
		}
		if session != "" && f.Session != session || json.Unmarshal(f.Observed, &seen) != nil {
			continue
		}
		if (f.Outcome == "ask" || seen.Granted) && (seen.Switch == "melee" || strings.HasPrefix(seen.Switch, "melee ")) {
			return true, nil
		}
	}
	return false, nil
}
