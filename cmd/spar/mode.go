package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"spar/ledger"
)

// modeCommand is `spar mode`.
func (a *app) modeCommand() *cli.Command {
	return &cli.Command{
		Name:      "mode",
		Usage:     "print or switch the sortie's mode: strike finishes, cruise drafts",
		ArgsUsage: "[strike|cruise]",
		UsageText: "spar mode [strike|cruise] [--sortie ID]",
		Description: `Refused during a swing; cruise also while nobody is in the seat, for in cruise
everything is logged and nothing stopped.`,
		Flags: []cli.Flag{sortieFlag()},
		Action: func(_ context.Context, c *cli.Command) error {
			words := a.operands(c)
			switch {
			case len(words) > 1:
				return usage("mode: unexpected word %q", words[1])
			case len(words) == 1 && words[0] != string(ledger.Strike) && words[0] != string(ledger.Cruise):
				return usage("mode: unknown mode %q: want strike or cruise", words[0])
			}
			h, err := a.home(c)
			if err != nil {
				return err
			}
			if len(words) == 0 {
				f, ok, err := a.pick(c, h)
				switch {
				case err != nil:
					return err
				case !ok:
					fmt.Fprintf(a.out, "no sortie is aloft here (%s)\n", h.Dir)
				default:
					fmt.Fprintln(a.out, f.Mode)
				}
				return nil
			}
			f, err := a.pickToChange(c, h)
			if err != nil {
				return err
			}
			b := h.Open(a.world)
			defer b.Close()
			f, err = b.SetMode(f.ID, ledger.Mode(words[0]), a.actor())
			if err == nil {
				err = b.Commit()
			}
			if err != nil {
				return fault(err)
			}
			fmt.Fprintf(a.out, "spar: %s\nspar: home %s\n", flightLine(f), h.Dir)
			return nil
		},
	}
}
