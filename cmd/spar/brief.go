package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"spar/sortie/hook"
)

// briefCommand is `spar brief`.
func (a *app) briefCommand() *cli.Command {
	return &cli.Command{
		Name:      "brief",
		Usage:     "what the next session is handed: unfinished claims, ideas put down, the guards' own",
		UsageText: "spar brief",
		Description: `Quoted from the ledger, one line each: recorded data, not instructions. Where there
is nothing to hand over it prints nothing.`,
		Action: func(_ context.Context, c *cli.Command) error {
			if err := a.none(c); err != nil {
				return err
			}
			d, done, err := a.desk(c)
			if err != nil {
				return err
			}
			defer done()
			text, err := hook.HandOver(d, a.mounted(d.Home))
			if text != "" {
				fmt.Fprintln(a.out, text)
			}
			return fault(err)
		},
	}
}
