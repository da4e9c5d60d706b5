package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"spar/cmd/spar/doctor"
	"spar/guards"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/hook"
)

// statusCommand is `spar status`; bare `spar` is the same.
func (a *app) statusCommand() *cli.Command {
	return &cli.Command{
		Name:        "status",
		Usage:       "what form the sortie is in, what was spent, is anyone in the seat, what is mounted",
		UsageText:   "spar status [--json] [--sortie ID]\n\nspar              the same\nspar status --json | jq .points",
		Description: `Exit 0 also where nothing is launched or something can't be read: that is said.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "one JSON object: {home, sortie, mode, range, seat, points, limit, fuel, swing, wingmen, guards, wired}"},
			sortieFlag(),
		},
		Action: a.status,
	}
}

// status is everything a pilot asks at a glance.
type status struct {
	Home    string        `json:"home"`
	Sortie  *string       `json:"sortie"` // null: none is aloft
	Mode    ledger.Mode   `json:"mode,omitempty"`
	Range   string        `json:"range,omitempty"` // in strike: "fire" or "melee"
	Seat    seatStatus    `json:"seat"`
	Points  int           `json:"points"`
	Limit   int           `json:"limit"`
	Fuel    sortie.Fuel   `json:"fuel"`
	Swing   *swingStatus  `json:"swing"` // null: not in melee
	Wingmen int           `json:"wingmen"`
	Claims  int           `json:"claims"` // unfinished ones
	Guards  []guardStatus `json:"guards"`
	// Wired is where spar is wired in, a harness each.
	Wired []doctor.Summary `json:"wired"`
	Told  []string         `json:"told,omitempty"` // what could not be read, what was landed

	flight sortie.Flight
	swing  *sortie.Swing
	held   ledger.Tally
	note   string
}

type swingStatus struct {
	ID       string    `json:"id"`
	Action   string    `json:"action"`
	Exit     string    `json:"exit"`
	State    string    `json:"state"`
	Entered  time.Time `json:"entered"`
	Until    time.Time `json:"until"`
	Overdue  bool      `json:"overdue"`
	Defers   bool      `json:"defers"` // findings are held
	Findings int       `json:"findings"`
	Points   int       `json:"points"`
	Cost     *int      `json:"cost,omitempty"` // declared on entry
}

type seatStatus struct {
	Empty  bool   `json:"empty"`
	Reason string `json:"reason,omitempty"`
}

type guardStatus struct {
	Name    string     `json:"name"`
	Mounted bool       `json:"mounted"`
	Fired   *time.Time `json:"fired"` // when an event it answers last arrived in this sortie; null: never
	Says    string     `json:"says,omitempty"`
}

func (a *app) status(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	var swept []string
	if h.Exists() {
		b := h.Open(a.world)
		defer b.Close()
		landed, err := sortie.Sweep(b)
		for _, f := range landed {
			why := "its session never said that it was over"
			if f.Operator {
				why = "its runner ended without landing it"
			}
			swept = append(swept, fmt.Sprintf("landed %s: %s", f.ID, why))
		}
		if err != nil {
			swept = append(swept, err.Error())
		}
	}
	s := a.examine(c, h)
	s.Told = append(swept, s.Told...)
	if c.Bool("json") {
		return json.NewEncoder(a.out).Encode(s)
	}
	for _, l := range s.lines(a.world.Now()) {
		fmt.Fprintln(a.out, l)
	}
	return nil
}

// examine reads it all. What can't be read is told, and the rest is there.
func (a *app) examine(c *cli.Command, h sortie.Home) *status {
	s := &status{Home: h.Dir, Limit: a.limit(h), Guards: []guardStatus{}, Wired: []doctor.Summary{}}
	err := h.View(a.world, func(tx *ledger.Tx) error {
		f, several, err := sortie.Pick(tx, a.world, c.String("sortie"), false)
		if err != nil {
			return err
		}
		if several {
			s.Told = append(s.Told, "several sorties are aloft here; this is the newest (others: --sortie, see spar log --sorties)")
		}
		return s.read(tx, h, f, a.world)
	})
	switch {
	case err == nil:
	case isNoSortie(err):
		s.note = "not launched"
		if reason := sortie.DeclaredAutonomy(a.world); reason != "" {
			s.Seat = seatStatus{true, reason}
		}
	default:
		s.note = "can't be read"
		s.Told = append(s.Told, err.Error())
		if reason := h.EmptySeat(); reason != "" {
			s.Seat = seatStatus{true, reason}
		}
	}
	a.examineGuards(s, h)
	a.examineWiring(s, h)
	return s
}

func (s *status) read(tx *ledger.Tx, h sortie.Home, f sortie.Flight, w sortie.World) error {
	s.flight, s.Sortie, s.Mode, s.Wingmen = f, &f.ID, f.Mode, f.Wingmen
	s.Fuel = sortie.NewFuel(h.SpentBy(f), f.Budget)
	if f.Mode == ledger.Strike {
		s.Range = "fire"
	}
	if f.Swing != nil && f.Aloft() {
		var err error
		if s.held, err = tx.SwingTally(f.Swing.ID); err != nil {
			return err
		}
		now := w.Now()
		s.Range, s.swing = "melee", f.Swing
		s.Swing = &swingStatus{
			ID: f.Swing.ID, Action: f.Swing.Action, Exit: f.Swing.Exit, State: f.Swing.State, Entered: f.Swing.Entered,
			Until: f.Swing.Entered.Add(f.Swing.For), Overdue: f.Swing.Overdue(now), Defers: f.Swing.Defers(now),
			Findings: s.held.Findings, Points: s.held.Points, Cost: f.Swing.Cost,
		}
	}
	reason, err := sortie.EmptySeat(tx, f)
	if err != nil {
		return err
	}
	s.Seat = seatStatus{reason != "", reason}
	t, err := tx.SortieTally(f.ID)
	if err != nil {
		return err
	}
	s.Points = t.Points
	s.Claims, err = sortie.Unfinished(tx, f.ID)
	return err
}

func (a *app) examineGuards(s *status, h sortie.Home) {
	m, err := hook.ReadMounting(a.world, h)
	if err != nil {
		s.Told = append(s.Told, err.Error())
	}
	aboard := map[string]bool{}
	for _, g := range m.Of(guards.All()) {
		aboard[g.Name] = true
	}
	arrivals, ungated := hook.Seen(h, s.flight.ID)
	if len(ungated) > 0 {
		s.Told = append(s.Told, fmt.Sprintf("%s ran before any event that could have stopped it arrived; see spar doctor", count(len(ungated), "call")))
	}
	d := &hook.Desk{World: a.world, Home: h, Book: h.Open(a.world), Flight: s.flight, Swing: s.swing}
	defer d.Book.Close()
	for _, g := range guards.All() {
		row := guardStatus{Name: g.Name, Mounted: aboard[g.Name]}
		for _, at := range arrivals {
			for _, e := range g.Events {
				if e.String() == at.Event && (row.Fired == nil || at.Last.After(*row.Fired)) {
					last := at.Last.UTC()
					row.Fired = &last
				}
			}
		}
		if g.Status != nil && row.Mounted {
			if row.Says, err = g.Status(d); err != nil {
				row.Says = err.Error()
			}
		}
		s.Guards = append(s.Guards, row)
	}
	for _, w := range m.Without {
		s.Told = append(s.Told, fmt.Sprintf("%s is switched off by a config.json", w))
	}
}

// examineWiring looks at the entries in the settings of every harness: one that
// names a program which has moved blocks nothing and says nothing.
func (a *app) examineWiring(s *status, h sortie.Home) {
	o, err := a.wiringOptions()
	if err != nil {
		s.Told = append(s.Told, err.Error())
		return
	}
	for _, g := range s.Guards {
		if g.Mounted {
			o.Aboard = append(o.Aboard, g.Name)
		}
	}
	s.Wired = append(s.Wired, doctor.Summarize(o, h, s.flight.ID)...)
}

// wiredLines say of every harness where it is wired and what was never seen; what
// is wrong is a line of its own, and the whole story is doctor's.
func (s *status) wiredLines() []string {
	var lines []string
	for _, w := range s.Wired {
		line := fmt.Sprintf("wired     %s, %d of %d events", w.Title, w.Events, w.Of)
		switch {
		case len(w.Unseen) == w.Events && w.Events > 0:
			line += ", none seen to fire yet: see spar doctor"
		case len(w.Unseen) > 0:
			line += ", never seen to fire: " + strings.Join(w.Unseen, ", ")
		}
		lines = append(lines, line)
		for _, p := range w.Problems {
			lines = append(lines, "          "+p+": see spar doctor")
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "wired     nowhere; spar install")
	}
	return lines
}

// lines is the status as a person reads it.
func (s *status) lines(now time.Time) []string {
	lines := []string{"home      " + s.Home}
	if s.Sortie == nil {
		lines = append(lines, "sortie    "+s.note)
		if s.note == "not launched" {
			lines = append(lines, "          calls without a session are judged here, and counted into no sortie")
		}
	} else {
		form := string(s.Mode)
		if s.Range != "" {
			form += " / " + s.Range
		}
		id := *s.Sortie
		if !s.flight.Aloft() {
			id += fmt.Sprintf(" (landed %s)", s.flight.Landed.Local().Format("2006-01-02 15:04"))
		}
		lines = append(lines, "sortie    "+id+", launched by "+s.flight.Launcher(), "form      "+form)
	}
	seat := "occupied"
	if s.Seat.Empty {
		seat = "empty (autonomous: " + s.Seat.Reason + ")"
	}
	lines = append(lines, "seat      "+seat, fmt.Sprintf("redline   %d of %d", s.Points, s.Limit))
	if s.Sortie != nil {
		fuel := s.Fuel.String()
		if s.Fuel.Bingo {
			fuel += ", past bingo: finish, write down, land"
		}
		lines = append(lines, "fuel      "+fuel, fmt.Sprintf("wingmen   %d", s.Wingmen))
		if s.Claims > 0 {
			lines = append(lines, fmt.Sprintf("claims    %d unfinished", s.Claims))
		}
	}
	if s.swing != nil {
		lines = append(lines, swingLines(s.swing, s.held, now)...)
	}
	for _, g := range s.Guards {
		sign := "-"
		if g.Mounted {
			sign = "+"
		}
		line := fmt.Sprintf("%s %s", sign, g.Name)
		if g.Mounted {
			fired := "not seen to fire in this sortie"
			if g.Fired != nil {
				fired = "last fired " + g.Fired.Local().Format("2006-01-02 15:04:05")
			}
			line += ", " + fired
		}
		if g.Says != "" {
			line += ", " + g.Says
		}
		lines = append(lines, "guard     "+line)
	}
	lines = append(lines, s.wiredLines()...)
	for _, t := range s.Told {
		lines = append(lines, "told      "+strings.ReplaceAll(t, "\n", "\n          "))
	}
	return lines
}
