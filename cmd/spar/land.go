package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"spar/sortie"
)

// landCommand is `spar land`.
func (a *app) landCommand() *cli.Command {
	return &cli.Command{
		Name:      "land",
		Usage:     "end the sortie with one finding that sums it up",
		UsageText: "spar land [--note TEXT] [--sortie ID]",
		Description: `An open swing is left first, and its gate pulled: exit 1 where that is a halt.
A session that goes on after its sortie was landed flies a new one.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "note", Usage: "what is kept with the summary"},
			sortieFlag(),
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := a.none(c); err != nil {
				return err
			}
			h, err := a.home(c)
			if err != nil {
				return err
			}
			f, err := a.pickToChange(c, h)
			if err != nil {
				return err
			}
			l, err := a.landFlight(ctx, h, f.ID, sortie.LandOptions{By: sortie.ByHand, Note: c.String("note")}, a.out)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
			if l.halted {
				return exitCode(exitRefused)
			}
			return nil
		},
	}
}
