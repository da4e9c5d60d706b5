package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/sortie"
)

// discardCommand is `spar discard`.
func (a *app) discardCommand() *cli.Command {
	return &cli.Command{
		Name:      "discard",
		Usage:     "record an idea that was put down on purpose, and why; the next session is told",
		ArgsUsage: "SUBJECT REASON...",
		UsageText: "spar discard SUBJECT REASON...\nspar discard --settle SUBJECT",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "settle", Usage: "take the idea off the list that is handed over; it stays in the ledger"},
			sortieFlag(),
		},
		Action: func(_ context.Context, c *cli.Command) error {
			words := a.operands(c)
			if len(words) == 0 || strings.TrimSpace(words[0]) == "" {
				return usage("discard: no subject; say what was put down, and why")
			}
			settle := c.Bool("settle")
			if settle && len(words) > 1 {
				return usage("discard: --settle takes the subject alone; quote it if it has several words")
			}
			h, err := a.home(c)
			if err != nil {
				return err
			}
			var f sortie.Flight
			err = h.View(a.world, func(tx *ledger.Tx) (err error) {
				f, _, err = sortie.Pick(tx, a.world, c.String("sortie"), true)
				return err
			})
			if errors.Is(err, sortie.ErrNoSortie) {
				f, err = sortie.Flight{}, nil // an idea needs no sortie
			}
			if err != nil {
				return fault(err)
			}
			if !f.Aloft() {
				f = sortie.Flight{} // a landed one takes no new findings
			}
			b := h.Open(a.world)
			defer b.Close()
			reason := strings.Join(words[1:], " ")
			if settle {
				err = b.Settle(f, words[0], a.actor())
			} else {
				err = b.Discard(f, words[0], reason, a.actor())
			}
			if err == nil {
				err = b.Commit()
			}
			if err != nil {
				return fault(err)
			}
			if settle {
				fmt.Fprintf(a.out, "spar: settled %s\n", sortie.QuoteLine(words[0]))
			} else {
				if strings.TrimSpace(reason) == "" {
					reason = "no reason recorded"
				}
				fmt.Fprintf(a.out, "spar: kept %s: %s\n", sortie.QuoteLine(words[0]), sortie.Line(reason, 200))
			}
			fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
			return nil
		},
	}
}
