package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/melee"
	"spar/sortie"
	"spar/sortie/hook"
)

// meleeCommand is `spar melee`, `spar melee leave` and `spar melee status`.
func (a *app) meleeCommand() *cli.Command {
	return &cli.Command{
		Name:  "melee",
		Usage: "commit to a swing: findings are held until it is left, and judged once",
		UsageText: `spar melee --action TEXT --exit TEXT --state TEXT [--cost N] [--for 2h] [--read-at TIME]
           [--state-cmd CMD] [--exit-cmd CMD] [-- COMMAND ARGS...]
spar melee leave
spar melee status`,
		Description: `A swing needs an action, an exit route and a reading taken at contact, and refuses
to close without any of them. Inside, nothing interrupts. "leave" pulls the gate
once: with nobody in the seat a stop is a halt (exit 1), unless the swing stayed
within the cost that was declared with --cost.

With -- COMMAND it enters, runs the command and leaves, also where the command
fails or is interrupted. Exit: the command's code, or where that is 0 leave's.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "action", Usage: "what is about to be done"},
			&cli.StringFlag{Name: "exit", Usage: "how it can be undone"},
			&cli.StringFlag{Name: "state", Usage: "what was read at contact, not older than 60 s"},
			&cli.StringFlag{Name: "state-cmd", Usage: "take the reading now by running CMD, and again on leaving"},
			&cli.StringFlag{Name: "exit-cmd", Usage: "prove the exit route: CMD must exit 0"},
			&cli.StringFlag{Name: "read-at", Usage: "when --state was read (RFC 3339)"},
			&cli.StringFlag{Name: "cost", Usage: "the points it is known to cost"},
			&cli.StringFlag{Name: "for", Usage: "how long it may take; after that findings are told again", Value: melee.DefaultFor.String()},
			sortieFlag(),
		},
		Action: a.meleeEnter,
		Commands: []*cli.Command{
			{
				Name: "leave", Usage: "end the swing and judge once what it gathered", UsageText: "spar melee leave [--sortie ID]",
				Action: a.meleeLeave,
			},
			{
				Name: "status", Usage: "the open swing, if there is one", UsageText: "spar melee status [--sortie ID]",
				Action: a.meleeStatus,
			},
		},
	}
}

func (a *app) meleeEnter(ctx context.Context, c *cli.Command) error {
	if w := c.Args().Slice(); len(w) > 0 {
		return usage("melee: unexpected word %q; a command stands behind --", w[0])
	}
	if a.dashes && len(a.after) == 0 {
		return usage("melee: no command behind --")
	}
	e := melee.Entry{StateCmd: c.String("state-cmd"), ExitCmd: c.String("exit-cmd")}
	for name, into := range map[string]**string{"action": &e.Action, "exit": &e.Exit, "state": &e.State} {
		if c.IsSet(name) {
			s := c.String(name)
			*into = &s
		}
	}
	for _, name := range []string{"state-cmd", "exit-cmd"} {
		if c.IsSet(name) && c.String(name) == "" {
			return usage("melee: --%s is empty", name)
		}
	}
	if c.IsSet("read-at") {
		at, err := time.Parse(time.RFC3339, c.String("read-at"))
		if err != nil {
			return usage("melee: --read-at wants a time as 2006-01-02T15:04:05Z, got %q", c.String("read-at"))
		}
		e.ReadAt = at
	}
	if c.IsSet("cost") {
		n, err := strconv.Atoi(c.String("cost"))
		if err != nil || n < 0 {
			return usage("melee: --cost wants a whole number of points, got %q", c.String("cost"))
		}
		e.Cost = &n
	}
	var err error
	if e.For, err = time.ParseDuration(c.String("for")); err != nil || e.For <= 0 {
		return usage("melee: --for wants a time span such as 90m or 2h, got %q", c.String("for"))
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	say := a.out
	if a.dashes {
		say = a.err
	}
	in, err := melee.Enter(ctx, h.Open(a.world), c.String("sortie"), e, a.err)
	if err != nil {
		return fault(err)
	}
	a.sayEntered(h, in, say)
	if !a.dashes {
		return nil
	}
	code := a.runChild(ctx, a.after, map[string]string{"SPAR_SORTIE": in.Flight.ID, "SPAR_HOME": h.Dir})
	extra := a.guardsLeave(h, in.Flight.ID)
	g, err := melee.Leave(context.WithoutCancel(ctx), h.Open(a.world), in.Flight.ID, a.err)
	var no *sortie.Refusal
	switch {
	case errors.As(err, &no): // the command left it itself
		fmt.Fprintf(a.err, "spar: %v\n", err)
		return exitCode(code)
	case err != nil && code != 0:
		fmt.Fprintf(a.err, "spar: %v\n", err)
		return exitCode(code)
	case err != nil:
		return fault(err)
	}
	a.sayGate(g, extra, a.err)
	fmt.Fprintf(a.err, "spar: home %s\n", h.Dir)
	if code == 0 && g.Stop() {
		code = exitRefused
	}
	if code != 0 {
		return exitCode(code)
	}
	return nil
}

func (a *app) sayEntered(h sortie.Home, in melee.Entered, out io.Writer) {
	s := in.Swing
	fmt.Fprintf(out, "spar: committed to %s\n", sortie.Line(s.Action, 200))
	fmt.Fprintf(out, "spar: exit %s\n", sortie.Line(s.Exit, 200))
	fmt.Fprintf(out, "spar: reading %s\n", sortie.Line(s.State, 200))
	if s.Cost != nil {
		fmt.Fprintf(out, "spar: cost %s declared\n", count(*s.Cost, "point"))
	}
	if in.Open != "" {
		fmt.Fprintf(out, "spar: %s\n", in.Open)
	}
	fmt.Fprintf(out, "spar: until %s, then `spar melee leave`\nspar: home %s\n", s.Entered.Add(s.For).Local().Format("2006-01-02 15:04"), h.Dir)
}

// guardsLeave lets the guards look at a swing that is about to be left. They come
// before the gate is pulled, so that what they find in it counts there.
func (a *app) guardsLeave(h sortie.Home, id string) (extra []string) {
	if !h.Exists() {
		return nil
	}
	var f sortie.Flight
	err := h.View(a.world, func(tx *ledger.Tx) (err error) {
		f, _, err = sortie.Pick(tx, a.world, id, true)
		return err
	})
	if err != nil || !f.Aloft() || f.Swing == nil {
		return nil // the gate says so
	}
	d := &hook.Desk{World: a.world, Home: h, Book: h.Open(a.world), Flight: f, Swing: f.Swing}
	defer d.Book.Close()
	for _, guard := range a.mounted(h) {
		if guard.Leave == nil {
			continue
		}
		lines, err := guard.Leave(d)
		if err != nil {
			fmt.Fprintf(a.err, "spar: %s: %v\n", guard.Name, err)
		}
		for _, l := range lines {
			extra = append(extra, fmt.Sprintf("%-9s %s", guard.Name, sortie.Line(l, 400)))
		}
	}
	return extra
}

// sayGate prints what a swing came to, with what the guards add.
func (a *app) sayGate(g melee.Gate, extra []string, out io.Writer) {
	for _, l := range g.Lines(extra) {
		fmt.Fprintf(out, "spar: %s\n", l)
	}
}

func (a *app) meleeLeave(ctx context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	extra := a.guardsLeave(h, c.String("sortie"))
	g, err := melee.Leave(ctx, h.Open(a.world), c.String("sortie"), a.err)
	if err != nil {
		return fault(err)
	}
	a.sayGate(g, extra, a.out)
	fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
	if g.Stop() {
		return exitCode(exitRefused)
	}
	return nil
}

func (a *app) meleeStatus(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	f, ok, err := a.pick(c, h)
	if err != nil {
		return err
	}
	if !ok || f.Swing == nil || !f.Aloft() {
		fmt.Fprintln(a.out, "not in melee")
		return nil
	}
	var t ledger.Tally
	err = h.View(a.world, func(tx *ledger.Tx) (err error) {
		if tx != nil {
			t, err = tx.SwingTally(f.Swing.ID)
		}
		return err
	})
	if err != nil {
		return fault(err)
	}
	for _, l := range swingLines(f.Swing, t, a.world.Now()) {
		fmt.Fprintln(a.out, l)
	}
	return nil
}

// swingLines is an open swing as status prints it.
func swingLines(s *sortie.Swing, t ledger.Tally, now time.Time) []string {
	cost := ""
	if s.Cost != nil {
		cost = fmt.Sprintf(" of %d declared", *s.Cost)
	}
	until := "until " + s.Entered.Add(s.For).Local().Format("2006-01-02 15:04")
	switch {
	case s.Overdue(now):
		until = fmt.Sprintf("overdue since %s: findings are told again; leave it with `spar melee leave`", s.Entered.Add(s.For).Local().Format("2006-01-02 15:04"))
	case !s.Defers(now):
		until += ", findings are not held: the agent typed it and nobody let it commit"
	}
	return []string{
		"swing     " + sortie.Line(s.Action, 200),
		"exit      " + sortie.Line(s.Exit, 200),
		"reading   " + sortie.Line(s.State, 200),
		fmt.Sprintf("held      %s, %s%s", count(t.Findings, "finding"), count(t.Points, "point"), cost),
		"time      " + until,
	}
}
