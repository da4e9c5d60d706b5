package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/sortie"
)

// logCommand is `spar log`.
func (a *app) logCommand() *cli.Command {
	return &cli.Command{
		Name:      "log",
		Usage:     "the last findings of this home, short; or its sorties",
		ArgsUsage: "[N]",
		UsageText: "spar log [N] [--sortie ID]\nspar log [N] --sorties [--json]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "sorties", Usage: "list sorties: id, when, who launched it, points, landed"},
			&cli.BoolFlag{Name: "json", Usage: "with --sorties: one JSON object, {sorties: [...]}, the newest last"},
			sortieFlag(),
		},
		Action: a.log,
	}
}

func (a *app) log(_ context.Context, c *cli.Command) error {
	n := 20
	switch words := a.operands(c); {
	case len(words) > 1:
		return usage("log: unexpected word %q", words[1])
	case len(words) == 1:
		v, err := strconv.Atoi(words[0])
		if err != nil || v < 1 {
			return usage("log: want a number of findings, at least 1, got %q", words[0])
		}
		n = v
	}
	if c.Bool("json") && !c.Bool("sorties") {
		return usage("log: --json goes with --sorties; findings as JSON are `spar ledger --json`")
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	if c.Bool("sorties") {
		return a.logSorties(h, n, c.Bool("json"))
	}
	q := ledger.Query{Limit: n}
	if c.IsSet("sortie") {
		f, _, err := a.pick(c, h)
		if err != nil {
			return err
		}
		q.Sortie = f.ID
	}
	var found []*ledger.Finding
	err = h.View(a.world, func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		for f, err := range tx.Find(q) {
			if err != nil {
				return err
			}
			found = append(found, f)
		}
		return nil
	})
	if err != nil {
		return fault(err)
	}
	if len(found) == 0 {
		fmt.Fprintln(a.out, "ledger is empty")
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, f := range found {
		fmt.Fprintf(w, "%s\t%s/%s\t%s\t%s → %s\t%s\n", f.At.Local().Format("2006-01-02 15:04:05"), f.Mode, f.Phase, f.Severity,
			f.Source, sortie.Line(f.Subject, 80), sortie.Line(string(f.Observed), 120))
	}
	return w.Flush()
}

// sortieRow is a sortie as `log --sorties --json` prints it.
type sortieRow struct {
	ID       string      `json:"id"`
	Launched time.Time   `json:"launched"`
	By       string      `json:"by"`
	Mode     ledger.Mode `json:"mode"`
	Autonomy string      `json:"autonomy,omitempty"`
	Points   int         `json:"points"`
	Findings int         `json:"findings"`
	Spent    int         `json:"spent"`
	Budget   int         `json:"budget,omitempty"`
	Landed   *time.Time  `json:"landed"` // null: aloft
	LandedBy string      `json:"landed_by,omitempty"`
}

func (a *app) logSorties(h sortie.Home, n int, asJSON bool) error {
	var rows []sortieRow
	err := h.View(a.world, func(tx *ledger.Tx) error {
		for _, f := range sortie.Flights(tx, n) { // none where there is no ledger
			t, err := tx.SortieTally(f.ID)
			if err != nil {
				return err
			}
			r := sortieRow{ID: f.ID, Launched: f.Launched, By: f.Launcher(), Mode: f.Mode, Autonomy: f.Autonomy, Points: t.Points,
				Findings: t.Findings, Spent: h.SpentBy(f), Budget: f.Budget, LandedBy: string(f.LandedBy)}
			if !f.Landed.IsZero() {
				r.Landed = &f.Landed
			}
			rows = append(rows, r)
		}
		return nil
	})
	if err != nil {
		return fault(err)
	}
	if asJSON {
		slices.Reverse(rows)
		if rows == nil {
			rows = []sortieRow{}
		}
		return json.NewEncoder(a.out).Encode(map[string]any{"sorties": rows})
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.out, "no sortie has been flown here")
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tLAUNCHED\tBY\tMODE\tPOINTS\tLANDED")
	for i := len(rows) - 1; i >= 0; i-- { // newest last
		r := rows[i]
		landed := "aloft"
		if r.Landed != nil {
			landed = r.Landed.Local().Format("2006-01-02 15:04") + " (" + r.LandedBy + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\n", r.ID, r.Launched.Local().Format("2006-01-02 15:04"), r.By, r.Mode, r.Points, landed)
	}
	return w.Flush()
}
