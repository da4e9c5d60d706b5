package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"spar/cmd/spar/doctor"
	"spar/guards"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/hook"
)

// doctorCommand is `spar doctor`: is the gate on, and how does one know?
func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "is the gate really on: which events arrived, what ran although it was denied, what nobody reads",
		UsageText: `spar doctor [--probe] [--json] [--sortie ID]

spar doctor            the harnesses in use here, what is wired and what has arrived
spar doctor --probe    and start every installed command line with a harmless payload
spar doctor --json     for a program: {ok, checks: [{name, harness, event, state, next}]}`,
		Description: `Proves by what was received, not by what a settings file says. ok: seen to work.
unproven: nothing is wrong that can be seen, and nothing proves it right; one
session of the harness does. broken: calls go unseen, or something can't be read.
--probe starts what the settings of this project and your own name, as the harness
would, in a home that is thrown away; your ledger stays as it is.

Exit 0 where nothing is broken, 1 where something is.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "one JSON object: {ok, checks: [{name, harness, event, state, next}]}"},
			&cli.BoolFlag{Name: "probe", Usage: "start the installed command lines too, and look at what they answer"},
			&cli.StringFlag{Name: "sortie", Usage: "the sortie to look at instead of the current one"},
		},
		Action: a.doctor,
	}
}

func (a *app) doctor(ctx context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	d := &hook.Desk{World: a.world, Home: h, Book: h.Open(a.world)}
	defer d.Book.Close()
	if d.Flight, err = a.examined(c, h); err != nil {
		return err
	}
	o := doctor.Options{Version: version(), Probe: c.Bool("probe"), Environ: os.Environ()}
	if o.Install, err = a.wiringOptions(); err != nil {
		return err
	}
	for _, g := range a.mounted(h) {
		o.Install.Aboard = append(o.Install.Aboard, g.Name)
	}
	report := doctor.Examine(ctx, d, guards.All(), o)
	switch {
	case c.Bool("json"):
		err = json.NewEncoder(a.out).Encode(report)
	case terminal(a.out):
		fmt.Fprintf(a.out, "home %s\n", h.Dir)
		err = doctor.Write(a.out, report, a.colours())
	default:
		fmt.Fprintf(a.out, "home %s\n", h.Dir)
		err = doctor.WriteLines(a.out, report)
	}
	if err == nil && !report.OK {
		err = exitCode(exitRefused)
	}
	return err
}

// examined is the sortie to look at: the named one, the one aloft, or else the one
// that landed last. A ledger that can't be read is a finding of doctor's and keeps
// it from nothing; a named sortie that isn't there is the person's mistake.
func (a *app) examined(c *cli.Command, h sortie.Home) (sortie.Flight, error) {
	f, ok, err := a.pick(c, h)
	switch {
	case c.String("sortie") != "":
		return f, err
	case err == nil && !ok:
		err = h.View(a.world, func(tx *ledger.Tx) error {
			for _, last := range sortie.Flights(tx, 1) {
				f = last
			}
			return nil
		})
	}
	if err != nil {
		f = sortie.Flight{} // doctor's check of the ledger says why
	}
	return f, nil
}

// terminal reports whether a person looks at what is written there.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colours reports whether a terminal is to be coloured: NO_COLOR (no-color.org)
// and a terminal that has none say no.
func (a *app) colours() bool { return a.world.Env("NO_COLOR") == "" && a.world.Env("TERM") != "dumb" }
