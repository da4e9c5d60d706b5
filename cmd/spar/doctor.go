package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v3"

	"spar/cmd/spar/doctor"
	"spar/guards"
)

// doctorCommand is `spar doctor`: is the gate on, and how does one know?
func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "is the gate really on: which events arrived, what ran although it was denied, what nobody reads",
		Description: `Proves by what was received, not by what a settings file says. Exit 0 where
nothing is broken (unproven is not broken), 1 where something is.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "one JSON object: {ok, checks: [{name, harness, event, state, next}]}"},
			&cli.StringFlag{Name: "sortie", Usage: "the sortie to look at instead of the current one"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			desk, done, err := a.desk(c)
			if err != nil {
				return err
			}
			defer done()
			report := doctor.Examine(desk, guards.All())
			if c.Bool("json") {
				if err := json.NewEncoder(a.out).Encode(report); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(a.out, "home %s\n", desk.Home.Dir)
				for _, check := range report.Checks {
					where := check.Name
					if check.Harness != "" {
						where += " " + check.Harness + " " + check.Event
					}
					fmt.Fprintf(a.out, "%-9s %s: %s\n", check.State, where, check.Next)
				}
			}
			if !report.OK {
				return exitCode(exitRefused)
			}
			return nil
		},
	}
}
