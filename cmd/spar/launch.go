package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/melee"
	"spar/sortie"
)

// launchCommand is `spar launch`: an operator's sortie, by itself or around a
// command.
func (a *app) launchCommand() *cli.Command {
	return &cli.Command{
		Name:      "launch",
		Usage:     "start a sortie that the sessions which start after it join",
		ArgsUsage: "[strike|cruise]",
		UsageText: "spar launch [strike|cruise] [--autonomy --reason TEXT] [--budget N] [--land] [--quiet] [-- COMMAND ARGS...]",
		Description: `With -- COMMAND spar is the runner: it launches, runs the command with SPAR_SORTIE
and SPAR_HOME set and the terminal passed through, lands, and prints one line.

Exit: the command's own code; 3 where the command succeeded and the sortie ended
past its limit or with a claim that does not hold; 1 where the launch is refused
or an open swing ends in a halt; 126, 127 where the command can't be run or found.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "autonomy", Usage: "nobody will be in the seat; needs --reason"},
			&cli.StringFlag{Name: "reason", Usage: "why nobody will be in the seat"},
			&cli.StringFlag{Name: "budget", Usage: "fuel: how many tool calls it may make; past 70 % it is told to land"},
			&cli.BoolFlag{Name: "land", Usage: "land the sortie an operator launched here before, if one is aloft"},
			&cli.BoolFlag{Name: "quiet", Usage: "no line about the landing"},
		},
		Action: a.launch,
	}
}

func (a *app) launch(ctx context.Context, c *cli.Command) error {
	o := sortie.Orders{Land: c.Bool("land")}
	switch words := c.Args().Slice(); {
	case len(words) > 1:
		return usage("launch: unexpected word %q; a command stands behind --", words[1])
	case len(words) == 1 && words[0] != string(ledger.Strike) && words[0] != string(ledger.Cruise):
		return usage("launch: unknown mode %q: want strike or cruise (a command stands behind --)", words[0])
	case len(words) == 1:
		o.Mode = ledger.Mode(words[0])
	}
	if a.dashes && len(a.after) == 0 {
		return usage("launch: no command behind --")
	}
	switch reason := c.String("reason"); {
	case c.Bool("autonomy") && reason == "":
		return refused("autonomy needs a reason; say why nobody will be in the seat with --reason")
	case c.Bool("autonomy"):
		o.Autonomy = reason
	case c.IsSet("reason"):
		return usage("launch: --reason is the reason for --autonomy, which is not given")
	}
	if c.IsSet("budget") {
		n, err := sortie.ParseBudget(c.String("budget"))
		if err != nil {
			return usage("launch: %w", err)
		}
		o.Budget = n
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	if a.dashes {
		o.Runner = os.Getpid()
	}
	b := h.Open(a.world)
	defer b.Close()
	f, err := b.Launch(o)
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return fault(err)
	}
	sortie.PruneBindings(a.world)
	// A runner's output is its command's; what spar says stands beside it.
	say := a.out
	if a.dashes {
		say = a.err
	}
	fmt.Fprintf(say, "spar: %s\nspar: home %s\n", flightLine(f), h.Dir)
	if !a.dashes {
		return nil
	}
	code := a.runChild(ctx, a.after, map[string]string{"SPAR_SORTIE": f.ID, "SPAR_HOME": h.Dir})
	return a.landRun(ctx, h, f, code, c.Bool("quiet"))
}

// landRun lands a runner's sortie and adds its outcome to the command's code.
func (a *app) landRun(ctx context.Context, h sortie.Home, f sortie.Flight, code int, quiet bool) error {
	// The command was perhaps ended by a signal that ended our context, too; a
	// sortie left aloft would be joined by the next session.
	ctx = context.WithoutCancel(ctx)
	out := a.err
	if quiet {
		out = io.Discard
	}
	l, err := a.landFlight(ctx, h, f.ID, sortie.LandOptions{By: sortie.ByRunner}, out)
	switch {
	case err != nil && code == 0:
		return err
	case err != nil:
		fmt.Fprintf(a.err, "spar: %v\n", err)
		return exitCode(code)
	case code != 0:
		return exitCode(code)
	case l.halted:
		return exitCode(exitRefused)
	}
	if limit := a.limit(h); l.points-l.forgiven >= limit {
		if !quiet {
			fmt.Fprintf(a.err, "spar: the sortie ended past its limit of %d, so this is exit %d although the command succeeded\n", limit, exitPast)
		}
		return exitCode(exitPast)
	}
	// A turn may be let go with a claim that does not hold; the run is not a success
	// for that.
	var unmet []string
	err = h.View(a.world, func(tx *ledger.Tx) (err error) {
		if tx != nil {
			unmet, err = sortie.OpenClaims(tx, f.ID, "")
		}
		return err
	})
	switch {
	case err != nil:
		return fault(err)
	case len(unmet) > 0:
		if !quiet {
			fmt.Fprintf(a.err, "spar: %s of this sortie did not hold, %s first, so this is exit %d although the command succeeded\n",
				count(len(unmet), "claim"), sortie.QuoteLine(unmet[0]), exitPast)
		}
		return exitCode(exitPast)
	}
	return nil
}

// landing is what landFlight did.
type landing struct {
	flight   sortie.Flight
	halted   bool // an open swing was left and its gate says stop
	points   int
	forgiven int
}

// landFlight leaves an open swing, lands a sortie and says so on out.
func (a *app) landFlight(ctx context.Context, h sortie.Home, id string, o sortie.LandOptions, out io.Writer) (landing, error) {
	b := h.Open(a.world)
	defer b.Close()
	f, ok, err := b.Flight(id)
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return landing{}, fault(err)
	}
	if !ok {
		return landing{}, refused("sortie %s is gone from the ledger", id)
	}
	if !f.Aloft() {
		// A runner's sortie that was landed by hand meanwhile is landed.
		if o.By == sortie.ByRunner {
			return a.landed(b, f)
		}
		return landing{}, refused("sortie %s has landed already", id)
	}
	halted := false
	if f.Swing != nil {
		extra := a.guardsLeave(h, id)
		g, err := melee.Leave(ctx, b, id, a.err)
		var no *sortie.Refusal
		if err != nil && !errors.As(err, &no) {
			return landing{}, fault(err)
		}
		if err == nil {
			halted = g.Stop()
			a.sayGate(g, extra, out)
		}
	}
	filed, done, err := b.Land(sortie.Leg{Flight: f}, o)
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return landing{}, fault(err)
	}
	if done {
		f = filed.Leg.Flight
		s, err := sortie.SummaryOf(filed.Finding)
		if err != nil {
			return landing{}, fault(err)
		}
		fmt.Fprintln(out, debriefLine(f, s, a.limit(h)))
	}
	l, err := a.landed(b, f)
	l.halted = halted
	return l, err
}

// landed reads what a sortie came to once it is over.
func (a *app) landed(b *sortie.Book, f sortie.Flight) (landing, error) {
	l := landing{flight: f, forgiven: f.Forgiven}
	err := b.Home().View(a.world, func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		t, err := tx.SortieTally(f.ID)
		l.points = t.Points
		return err
	})
	return l, fault(err)
}
