package melee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
)

// Gate is what a swing came to when it was left.
type Gate struct {
	Flight  sortie.Flight // after leaving
	Swing   sortie.Swing
	Tally   ledger.Tally
	Verdict sortie.Verdict
	Seat    sortie.Seat
	// Claims are the subjects that somebody claimed inside and that don't hold.
	Claims []string
	// Within is set where a cost was declared on entry and the points stayed within
	// it: what it would cost was known before it began.
	Within bool
	// Over is by how many points a declared cost was exceeded.
	Over     int
	Overdue  bool
	Before   string // the reading at contact
	After    string // the same reading now, where a command takes it
	AfterErr error  // why there is none
}

// Stop reports whether what comes next is a human's to decide: exit 1.
func (g Gate) Stop() bool { return g.Verdict == sortie.Halt || g.Verdict == sortie.RefuseShot }

// Leave ends the swing of the sortie that id names and pulls the gate once over
// what it gathered. The count is the swing's own, kept as its findings were
// filed, so what else the ledger holds changes nothing. A sortie that is not in a
// swing is a [*sortie.Refusal]. The book is committed.
func Leave(ctx context.Context, b *sortie.Book, id string, show io.Writer) (Gate, error) {
	defer b.Close()
	var f sortie.Flight
	err := b.Home().View(b.World(), func(tx *ledger.Tx) (err error) {
		f, _, err = sortie.Pick(tx, b.World(), id, true)
		return err
	})
	if errors.Is(err, sortie.ErrNoSortie) {
		return Gate{}, &sortie.Refusal{Reason: "not in melee: no sortie is launched here (" + b.Home().Dir + ")"}
	}
	if err != nil {
		return Gate{}, err
	}
	if f.Swing == nil || !f.Aloft() {
		return Gate{}, &sortie.Refusal{Reason: "not in melee: sortie " + f.ID + " is in " + string(f.Mode)}
	}
	g := Gate{Before: f.Swing.State}
	if f.Swing.StateCmd != "" {
		g.Before = f.Swing.Reading
		fmt.Fprintf(show, "spar: reading: %s\n", sortie.Line(redact.Text(f.Swing.StateCmd), 400))
		var complaint string
		g.After, complaint, err = shell(ctx, b.World().Dir, f.Swing.StateCmd)
		for _, s := range []string{g.After, complaint} {
			if s != "" {
				fmt.Fprintln(show, s)
			}
		}
		if err == nil && g.After == "" {
			err = errors.New("it printed nothing")
		}
		g.AfterErr = err
	}
	if err := g.pull(b, f); err != nil {
		return Gate{}, err
	}
	return g, nil
}

// pull judges and ends the swing in one transaction.
func (g *Gate) pull(b *sortie.Book, was sortie.Flight) error {
	f, ok, err := b.Flight(was.ID)
	if err != nil {
		return err
	}
	if !ok || f.Swing == nil || f.Swing.ID != was.Swing.ID || !f.Aloft() {
		return &sortie.Refusal{Reason: fmt.Sprintf("not in melee: %q was left meanwhile", was.Swing.Action)}
	}
	tx, err := b.Tx()
	if err != nil {
		return err
	}
	now := b.World().Now().UTC().Truncate(time.Millisecond)
	g.Swing, g.Overdue = *f.Swing, f.Swing.Overdue(now)
	if g.Tally, err = tx.SwingTally(f.Swing.ID); err != nil {
		return err
	}
	reason, err := sortie.EmptySeat(tx, f)
	if err != nil {
		return err
	}
	g.Seat = sortie.Seat{Empty: reason != "", Reason: reason}
	if g.Claims, err = sortie.OpenClaims(tx, f.ID, f.Swing.ID); err != nil {
		return err
	}
	g.judge()

	f.Swing = nil
	if g.Within {
		f.Forgiven += g.Tally.Points
	}
	find := ledger.Finding{
		Phase: ledger.Post, Source: "spar", Severity: ledger.Note, Subject: g.Swing.Action, Observed: encode(g.observed()),
		Note: "left; exit: " + g.Swing.Exit, Mode: f.Mode, Actor: actor(b.World()), Sortie: f.ID, Session: sortie.TypedSession(b.World()),
		Outcome: string(g.Verdict),
	}
	if err := b.Append(&find); err != nil {
		return err
	}
	if err := b.PutFlight(f); err != nil {
		return err
	}
	g.Flight = f
	return b.Commit()
}

// judge is the gate. A claim that doesn't hold refuses the shot whatever it cost;
// beyond that an empty seat halts at a stop, unless the cost was declared and
// kept.
func (g *Gate) judge() {
	if c := g.Swing.Cost; c != nil {
		g.Over = max(0, g.Tally.Points-*c)
		g.Within = g.Over == 0
	}
	switch {
	case len(g.Claims) > 0:
		g.Verdict = sortie.RefuseShot
	case g.Tally.Worst == "":
		g.Verdict = sortie.Logged
	default:
		g.Verdict = sortie.Judge(ledger.Strike, false, g.Seat.Empty && !g.Within, ledger.Pre, g.Tally.Worst)
	}
}

func (g *Gate) observed() map[string]any {
	m := map[string]any{
		// Not "points" and "kinds": that would be a charge, and count a second time.
		"swing": g.Swing.ID, "findings": g.Tally.Findings, "cost_points": g.Tally.Points, "charged": g.Charged(),
		"verdict": g.Verdict, "before": g.Before,
	}
	if len(g.Tally.Severity) > 0 {
		m["by_severity"] = g.Tally.Severity
	}
	if len(g.Tally.Counts) > 0 {
		m["by_kind"] = g.Tally.Counts
	}
	if g.Tally.Worst != "" {
		m["worst"] = g.Tally.Worst
	}
	if g.Swing.Cost != nil {
		m["cost"], m["over"] = *g.Swing.Cost, g.Over
	}
	if g.Swing.StateCmd != "" {
		m["after"] = g.After
		if g.AfterErr != nil {
			m["after_error"] = g.AfterErr.Error()
		}
	}
	if g.Overdue {
		m["overdue"] = true
	}
	if len(g.Claims) > 0 {
		m["unfinished"] = g.Claims
	}
	return m
}

// Charged is how many findings of the swing moved the number, counted by kind.
func (g Gate) Charged() int {
	n := 0
	for k, c := range g.Tally.Counts {
		if g.Tally.Kinds[k] > 0 {
			n += c
		}
	}
	return n
}

// Lines are the debrief of a swing, for a person and for a runner's log. extra is
// what guards add.
func (g Gate) Lines(extra []string) []string {
	lines := []string{
		fmt.Sprintf("left      %s", g.Swing.Action),
		fmt.Sprintf("findings  %s", g.counts()),
		fmt.Sprintf("kinds     %s", g.kinds()),
		fmt.Sprintf("worst     %s", or(string(g.Tally.Worst), "nothing")),
	}
	points := fmt.Sprintf("points    %d", g.Tally.Points)
	switch c := g.Swing.Cost; {
	case c == nil:
	case g.Over > 0:
		points += fmt.Sprintf(" of %d declared, over by %d", *c, g.Over)
	default:
		points += fmt.Sprintf(" of %d declared, within it", *c)
	}
	lines = append(lines, points, "exit      "+g.Swing.Exit, "before    "+show(g.Before))
	switch {
	case g.Swing.StateCmd == "":
	case g.AfterErr != nil:
		lines = append(lines, fmt.Sprintf("after     no reading: %v", g.AfterErr))
	default:
		lines = append(lines, "after     "+show(g.After))
	}
	if g.Overdue {
		lines = append(lines, fmt.Sprintf("overdue   meant for %v, since %s: findings were not held after that", g.Swing.For, g.Swing.Entered.Add(g.Swing.For).Local().Format("2006-01-02 15:04")))
	}
	for _, c := range g.Claims {
		lines = append(lines, "claimed   "+sortie.QuoteLine(c)+", and it doesn't hold")
	}
	lines = append(lines, extra...)
	return append(lines, "verdict   "+g.sentence())
}

// counts is the findings by severity: "3: 1 stop, 2 note".
func (g Gate) counts() string {
	var parts []string
	for _, s := range []ledger.Severity{ledger.Stop, ledger.Warn, ledger.Note} {
		if n := g.Tally.Severity[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", g.Tally.Findings, strings.Join(parts, ", "))
}

// kinds is what was charged and what was only recorded: "2 outward +6, 300
// unnamed; 2 charged".
func (g Gate) kinds() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(g.Tally.Counts)) {
		part := fmt.Sprintf("%d %s", g.Tally.Counts[k], k)
		if p := g.Tally.Kinds[k]; p > 0 {
			part += fmt.Sprintf(" +%d", p)
		}
		parts = append(parts, part)
	}
	return strings.Join(append(parts, fmt.Sprintf("%d charged", g.Charged())), ", ")
}

func (g Gate) sentence() string {
	switch {
	case g.Verdict == sortie.RefuseShot:
		return "refuse-shot: what was claimed inside doesn't hold"
	case g.Verdict == sortie.Halt && g.Over > 0:
		return fmt.Sprintf("halt: over the declared cost by %d with nobody in the seat (%s); handed back to a human", g.Over, g.Seat.Reason)
	case g.Verdict == sortie.Halt:
		return fmt.Sprintf("halt: a stop with nobody in the seat (%s), and no cost was declared; handed back to a human", g.Seat.Reason)
	case g.Within && g.Tally.Points > 0:
		return string(g.Verdict) + ": what it cost was declared before it began"
	case g.Over > 0:
		return fmt.Sprintf("%s: over the declared cost by %d", g.Verdict, g.Over)
	}
	return string(g.Verdict)
}

// show is a reading in one line.
func show(s string) string {
	if s == "" {
		return "none"
	}
	return sortie.Line(s, 200)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
