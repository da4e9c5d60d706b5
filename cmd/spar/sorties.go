package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/guards"
	"spar/ledger"
	"spar/redline"
	"spar/sortie"
	"spar/sortie/hook"
)

// sortieFlag is the way to name a sortie, the same for every command.
func sortieFlag() cli.Flag {
	return &cli.StringFlag{Name: "sortie", Usage: "the sortie that is meant, by its id or a part of it"}
}

// home is the .spar folder a typed command means. Typed inside a harness's shell
// it is the session's own, whatever directory that shell is in.
func (a *app) home(c *cli.Command) (sortie.Home, error) {
	project := ""
	for _, name := range []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR"} {
		if project == "" {
			project = a.world.Env(name)
		}
	}
	h, err := sortie.FindHome(a.world, sortie.HomeQuery{
		Flag: c.String("home"), Session: sortie.TypedSession(a.world), Project: project,
	})
	if err != nil {
		return sortie.Home{}, refused("%w", err)
	}
	return h, nil
}

// fault turns an error of the rooms below into the one a command ends with: what
// a person can settle is 1, what can't be read is 2, anything else is ours.
func fault(err error) error {
	var (
		own  *exitError
		no   *sortie.Refusal
		up   *sortie.AloftError
		many *sortie.ManyError
		open *ledger.OpenError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return err
	case errors.As(err, &no), errors.As(err, &up), errors.As(err, &many), errors.Is(err, sortie.ErrNoSortie):
		return &exitError{exitRefused, err}
	case errors.As(err, &open), errors.Is(err, fs.ErrPermission):
		return unreadable(err)
	}
	return &exitError{exitFault, err}
}

// noSortie is how a command that changes a sortie refuses where there is none.
func noSortie(h sortie.Home) error {
	return refused("no sortie is launched here (%s); launch one with `spar launch`", h.Dir)
}

// pick finds the sortie a command means, for reading. ok is false where there is
// none. Where several are aloft the newest is taken, and that is said.
func (a *app) pick(c *cli.Command, h sortie.Home) (f sortie.Flight, ok bool, err error) {
	several := false
	err = h.View(a.world, func(tx *ledger.Tx) (err error) {
		f, several, err = sortie.Pick(tx, a.world, c.String("sortie"), false)
		return err
	})
	switch {
	case errors.Is(err, sortie.ErrNoSortie):
		return sortie.Flight{}, false, nil
	case err != nil:
		return sortie.Flight{}, false, fault(err)
	}
	if several {
		fmt.Fprintf(a.err, "spar: several sorties are aloft here; this is the newest, %s (others: --sortie, see spar log --sorties)\n", f.ID)
	}
	return f, true, nil
}

// pickToChange is pick for a command that goes on to change the sortie: several
// are refused with the list, and so is none.
func (a *app) pickToChange(c *cli.Command, h sortie.Home) (f sortie.Flight, err error) {
	err = h.View(a.world, func(tx *ledger.Tx) (err error) {
		f, _, err = sortie.Pick(tx, a.world, c.String("sortie"), true)
		return err
	})
	if errors.Is(err, sortie.ErrNoSortie) {
		return f, noSortie(h)
	}
	return f, fault(err)
}

// desk is what a guard's own parts get. done closes its logbook.
func (a *app) desk(c *cli.Command) (d *hook.Desk, done func(), err error) {
	h, err := a.home(c)
	if err != nil {
		return nil, nil, err
	}
	f, _, err := a.pick(c, h)
	if err != nil {
		return nil, nil, err
	}
	d = &hook.Desk{World: a.world, Home: h, Book: h.Open(a.world), Flight: f}
	return d, func() { d.Book.Close() }, nil
}

// mounted are the guards aboard in this home.
func (a *app) mounted(h sortie.Home) []*hook.Guard {
	m, err := hook.ReadMounting(a.world, h)
	if err != nil {
		fmt.Fprintf(a.err, "spar: %v\n", err)
	}
	return m.Of(guards.All())
}

// limit is the total at which redline stops an empty seat here.
func (a *app) limit(h sortie.Home) int {
	return redline.Load(redline.Look{
		Own: []string{h.Root}, Home: a.world.Env("HOME"), Extra: a.world.Env("REDLINE_PRODUCTION"),
	}).Rules.Bounds().Stop
}

// actor says who typed a command.
func (a *app) actor() ledger.Actor {
	if sortie.Typed(a.world) {
		return ledger.Agent
	}
	return ledger.Human
}

// operands are the words that are no flags, before and behind `--`.
func (a *app) operands(c *cli.Command) []string {
	return append(c.Args().Slice(), a.after...)
}

// none refuses words that a command has no use for.
func (a *app) none(c *cli.Command) error {
	if w := a.operands(c); len(w) > 0 {
		return usage("%s: unexpected word %q", c.FullName(), w[0])
	}
	return nil
}

// count is n of a thing: "1 swing", "2 swings".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if thing == "wingman" {
		return fmt.Sprintf("%d wingmen", n)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// debriefLine is what a sortie came to, in one line.
func debriefLine(f sortie.Flight, s sortie.Summary, limit int) string {
	parts := []string{count(s.Findings, "finding")}
	if s.Worst != "" {
		parts = append(parts, "worst "+string(s.Worst))
	}
	parts = append(parts,
		fmt.Sprintf("%s (stop at %d)", count(s.Points, "point"), limit),
		"fuel "+sortie.NewFuel(s.Spent, s.Budget).String())
	if s.Swings > 0 {
		parts = append(parts, count(s.Swings, "swing"))
	}
	if s.Wingmen > 0 {
		parts = append(parts, count(s.Wingmen, "wingman"))
	}
	return fmt.Sprintf("spar: landed %s — %s", f.ID, strings.Join(parts, ", "))
}

// flightLine is a sortie in one line, as launch and status print it.
func flightLine(f sortie.Flight) string {
	line := fmt.Sprintf("sortie %s — %s", f.ID, f.Mode)
	if f.Autonomy != "" {
		line += fmt.Sprintf(" (autonomous: %s)", f.Autonomy)
	}
	return line
}
