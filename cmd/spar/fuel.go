package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v3"

	"spar/sortie"
)

// fuelCommand is `spar fuel`.
func (a *app) fuelCommand() *cli.Command {
	return &cli.Command{
		Name:      "fuel",
		Usage:     "how many tool calls the sortie has made, of how many it may",
		UsageText: "spar fuel [--burn N] [--sortie ID]",
		Description: `Exit 1 past bingo, which is 70 % of the budget: start nothing new, finish, land.
The hook burns one unit a tool call by itself; --burn is for work it doesn't see.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "burn", Usage: "count N more calls"},
			sortieFlag(),
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if err := a.none(c); err != nil {
				return err
			}
			burn := -1
			if c.IsSet("burn") {
				n, err := strconv.Atoi(c.String("burn"))
				if err != nil || n < 0 || n > sortie.MaxBurn {
					return usage("fuel: --burn wants a whole number from 0 to %d, got %q", sortie.MaxBurn, c.String("burn"))
				}
				burn = n
			}
			h, err := a.home(c)
			if err != nil {
				return err
			}
			var f sortie.Flight
			spent := 0
			if burn >= 0 {
				if f, err = a.pickToChange(c, h); err != nil {
					return err
				}
				if !f.Aloft() {
					return refused("sortie %s has landed and burns no more", f.ID)
				}
				if spent, err = h.BurnMore(f.ID, burn); err != nil {
					return fault(err)
				}
			} else {
				var ok bool
				if f, ok, err = a.pick(c, h); err != nil {
					return err
				}
				if !ok {
					fmt.Fprintf(a.out, "no sortie is aloft here (%s)\n", h.Dir)
					return nil
				}
				spent = h.SpentBy(f)
			}
			fuel := sortie.NewFuel(spent, f.Budget)
			fmt.Fprint(a.out, fuel)
			if fuel.Budget > 0 {
				fmt.Fprintf(a.out, ", %d left", fuel.Remaining)
			}
			fmt.Fprintln(a.out)
			if burn >= 0 {
				fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
			}
			if fuel.Bingo {
				fmt.Fprintln(a.out, "past bingo: break off, write down where it stands, land")
				return exitCode(exitRefused)
			}
			return nil
		},
	}
}
