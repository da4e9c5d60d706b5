package redline

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Score is the sortie's number, as `score` prints it.
type Score struct {
	Sortie string         `json:"sortie"`
	Points int            `json:"points"`
	Limit  int            `json:"limit"`
	Kinds  map[string]int `json:"kinds"`
}

// Write prints the score: one line, or one JSON object.
func (s Score) Write(w io.Writer, asJSON bool) error {
	if s.Kinds == nil {
		s.Kinds = map[string]int{}
	}
	if asJSON {
		return json.NewEncoder(w).Encode(s)
	}
	_, err := fmt.Fprintf(w, "redline: %d spent this sortie (stop at %d)\n", s.Points, s.Limit)
	return err
}

// Past reports whether the score is at the limit or past it.
func (s Score) Past() bool { return s.Points >= s.Limit }

// WriteTariff prints the tariff in force and where each number comes from.
func WriteTariff(w io.Writer, f Found, all bool) error {
	t, d := f.Rules.tariff(), DefaultTariff()
	l, dl := f.Rules.Bounds(), DefaultLimit()
	from := func(n, def int) string {
		if n == def {
			return "default"
		}
		return "configured"
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, k := range Kinds() {
		fmt.Fprintf(tw, "%s\t+%d\t%s\t%s\n", k, t.Points(k), from(t.Points(k), d.Points(k)), kindText(k))
	}
	fmt.Fprintf(tw, "advised from\t%d\t%s\t\n", l.Advise, from(l.Advise, dl.Advise))
	fmt.Fprintf(tw, "stopped from\t%d\t%s\twith nobody in the seat\n", l.Stop, from(l.Stop, dl.Stop))
	if err := tw.Flush(); err != nil {
		return err
	}
	list := func(name string, items []string) {
		for _, s := range items {
			fmt.Fprintf(w, "%s  %s\n", name, s)
		}
	}
	list("production", f.Rules.Production)
	list("free tree ", f.Rules.Free)
	for _, r := range f.Rules.Tools {
		kinds := strings.Join(r.Kinds, ", ")
		if kinds == "" {
			kinds = "free"
		}
		fmt.Fprintf(w, "tool        %s: %s\n", r.Pattern, kinds)
	}
	list("rules from ", f.Files)
	if len(f.Files) == 0 {
		fmt.Fprintln(w, "no .redline.json from here up or in the home directory: no path counts as production")
	}
	for _, p := range f.Problems {
		fmt.Fprintf(w, "not in force: %s\n", p.Error())
	}
	if !all {
		fmt.Fprintln(w, "\nevery row: spar redline tariff --rows")
		return nil
	}
	fmt.Fprintln(w)
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, table := range tables() {
		for i := range table {
			for k := range table[i].Rows {
				r := &table[i].Rows[k]
				fmt.Fprintf(tw, "%s\t%s\t%s\n", rowName(&table[i], r), strings.Join(r.Kinds(), ", "), r.Why)
			}
		}
	}
	return tw.Flush()
}

// rowName is a row's program, subcommand and flags in a form a person reads.
func rowName(p *Program, r *Row) string {
	s := p.Name
	if r.Path != "" {
		s += " " + r.Path
	}
	if r.With != "" {
		s += " " + strings.ReplaceAll(r.With, " ", "|")
	}
	return s
}

func kindText(kind string) string {
	switch kind {
	case Irreversible:
		return "what it takes away can't be had back from here"
	case Outward:
		return "somebody else sees it: a push, a publish, a request that writes, mail"
	case Production:
		return "a write to a path that was called production"
	case Dependency:
		return "new code enters the tree"
	}
	return "a file the prompt did not name; recorded"
}
