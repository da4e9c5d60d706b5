package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/sortie"
)

// followEvery is how often --follow looks: fast enough for an eye, and a reader's
// turn is some tens of microseconds.
const followEvery = 250 * time.Millisecond

// screenful is how many findings a table on a terminal shows unless told: who
// pipes gets all of them.
const screenful = 200

// ledgerCommand is `spar ledger`.
func (a *app) ledgerCommand() *cli.Command {
	return &cli.Command{
		Name:  "ledger",
		Usage: "what was found: a table, newest last; and the ledger's upkeep",
		UsageText: `spar ledger [--sortie ID|current|all] [--source S] [--severity S] [--phase P] [--since 2h] [--limit N] [--json] [--follow]
spar ledger show SEQ [--json]
spar ledger export [FILE]              JSON Lines, of what the filters select
spar ledger import FILE|-              JSON Lines, ours or an older tool's
spar ledger check [--json]             read all of it and say what is wrong
spar ledger recover                    save what can be read of a damaged one
spar ledger backup FILE                a copy that is itself a ledger, while others write
spar ledger compact --before DATE      drop what is older, and say so in the ledger`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "sortie", Usage: "an id or a part of it, current, or all; else the current one, else the newest"},
			&cli.StringFlag{Name: "source", Usage: "a guard's name, spar, or what was mounted"},
			&cli.StringFlag{Name: "severity", Usage: "note, warn or stop"},
			&cli.StringFlag{Name: "phase", Usage: "brief, pre, post or claim"},
			&cli.StringFlag{Name: "since", Usage: "an age: 90m, 2h, 3d"},
			&cli.IntFlag{Name: "limit", Usage: "the newest N"},
			&cli.BoolFlag{Name: "json", Usage: "JSON, one finding a line"},
			&cli.BoolFlag{Name: "follow", Usage: "go on with what is filed from now on"},
		},
		Commands: []*cli.Command{
			{Name: "show", Usage: "one finding, whole", ArgsUsage: "SEQ", Action: a.ledgerShow},
			{Name: "export", Usage: "write findings as JSON Lines, to FILE or the standard output", ArgsUsage: "[FILE]", Action: a.ledgerExport},
			{Name: "import", Usage: "take findings from JSON Lines, - being the standard input", ArgsUsage: "FILE|-", Action: a.ledgerImport},
			{Name: "check", Usage: "read the whole ledger and say what is wrong with it", Action: a.ledgerCheck},
			{Name: "recover", Usage: "save what can be read of a damaged ledger; the damaged file is kept", Action: a.ledgerRecover},
			{Name: "backup", Usage: "copy the ledger to a new file while others write", ArgsUsage: "FILE", Action: a.ledgerBackup},
			{
				Name: "compact", Usage: "drop findings older than a date; scores stay", Action: a.ledgerCompact,
				Flags: []cli.Flag{&cli.StringFlag{Name: "before", Usage: "2026-01-31 (UTC), an RFC 3339 time, or an age: 30d"}},
			},
		},
		Action: a.ledgerTable,
	}
}

// allow refuses the filters that a subcommand does not heed: one that is taken
// and not applied would make "all of it" look like "what I asked for".
func allow(c *cli.Command, names ...string) error {
	for _, n := range []string{"sortie", "source", "severity", "phase", "since", "limit", "json", "follow"} {
		if c.IsSet(n) && !slices.Contains(names, n) {
			return usage("%s: --%s does not go with it", c.FullName(), n)
		}
	}
	return nil
}

// one is the single operand of a subcommand.
func (a *app) one(c *cli.Command, what string) (string, error) {
	w := a.operands(c)
	switch {
	case len(w) == 0:
		return "", usage("%s: %s is missing", c.FullName(), what)
	case len(w) > 1:
		return "", usage("%s: unexpected word %q", c.FullName(), w[1])
	case w[0] == "":
		return "", usage("%s: %s is empty", c.FullName(), what)
	}
	return w[0], nil
}

func (a *app) ledgerOptions() ledger.Options { return ledger.Options{Now: a.world.Now} }

// path makes a file name absolute by the world's directory.
func (a *app) path(name string) string {
	if filepath.IsAbs(name) || a.world.Dir == "" {
		return name
	}
	return filepath.Join(a.world.Dir, name)
}

// noLedger says that there is nothing to read, which is no fault.
func (a *app) noLedger(h sortie.Home) {
	fmt.Fprintf(a.err, "spar: no ledger here yet (%s)\n", h.Dir)
}

// query makes the filters a query. The sortie is chosen as for every command;
// where none is aloft it is the newest, and in a ledger that knows no sortie
// (imported lines alone) all of it, as it is where whole is set and none is named.
func (a *app) query(c *cli.Command, h sortie.Home, whole bool) (q ledger.Query, err error) {
	q.Source = c.String("source")
	if q.Severity, err = oneOf(c, "severity", ledger.Note, ledger.Warn, ledger.Stop); err != nil {
		return q, err
	}
	if q.Phase, err = oneOf(c, "phase", ledger.Brief, ledger.Pre, ledger.Post, ledger.Claim); err != nil {
		return q, err
	}
	if c.IsSet("since") {
		age, err := ledger.ParseAge(c.String("since"))
		if err != nil {
			return q, usage("ledger: --since: %w", err)
		}
		q.Since = a.world.Now().Add(-age)
	}
	if c.IsSet("limit") {
		if q.Limit = c.Int("limit"); q.Limit < 1 {
			return q, usage("ledger: --limit: want a number of findings, at least 1, got %d", q.Limit)
		}
	}
	want := c.String("sortie")
	if want == "all" || whole && want == "" {
		return q, nil
	}
	if want == "current" {
		want = ""
	}
	several := false
	err = h.View(a.world, func(tx *ledger.Tx) error {
		var f sortie.Flight
		f, several, err = sortie.Pick(tx, a.world, want, false)
		if errors.Is(err, sortie.ErrNoSortie) {
			if c.String("sortie") == "current" {
				return err
			}
			if fl := sortie.Flights(tx, 1); len(fl) > 0 {
				f, err = fl[0], nil
			} else {
				return nil
			}
		}
		if no := (*sortie.Refusal)(nil); errors.As(err, &no) && want != "" && tx != nil {
			// An imported sortie was never flown here, but its findings are here.
			if t, terr := tx.SortieTally(want); terr == nil && t.Findings > 0 {
				q.Sortie = want
				return nil
			}
		}
		q.Sortie = f.ID
		return err
	})
	switch {
	case errors.Is(err, sortie.ErrNoSortie) && c.String("sortie") == "current":
		return q, refused("no sortie is aloft here (%s); --sortie all shows every finding", h.Dir)
	case err != nil && !errors.Is(err, sortie.ErrNoSortie):
		return q, fault(err)
	}
	if several {
		fmt.Fprintf(a.err, "spar: several sorties are aloft here; this is the newest, %s (others: --sortie)\n", q.Sortie)
	}
	return q, nil
}

// oneOf reads a flag whose values are a list.
func oneOf[S ~string](c *cli.Command, name string, known ...S) (S, error) {
	v := S(c.String(name))
	if !c.IsSet(name) || slices.Contains(known, v) {
		return v, nil
	}
	return "", usage("ledger: --%s: unknown value %q: the known ones are %s", name, v, list(known))
}

func list[S ~string](words []S) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", "
		}
		s += string(w)
	}
	return s
}

// sweep lands what sessions left behind without a word, and says so.
func (a *app) sweep(h sortie.Home) {
	if _, err := os.Stat(filepath.Join(h.Dir, ledger.FileName)); err != nil {
		return
	}
	b := h.Open(a.world)
	defer b.Close()
	landed, err := sortie.Sweep(b)
	for _, f := range landed {
		fmt.Fprintf(a.err, "spar: landed %s: its session never said that it was over\n", f.ID)
	}
	// A ledger that can only be read is still worth showing.
	if ro := (*ledger.OpenError)(nil); err != nil && !errors.As(err, &ro) {
		fmt.Fprintf(a.err, "spar: %v\n", err)
	}
}

func (a *app) style() ledger.Style {
	width, colour := screen(a.out, a.world.Env)
	s := ledger.Style{Terminal: width > 0, Width: width, Colour: colour}
	if s.Terminal {
		s.Zone = time.Local
	}
	return s
}

func (a *app) ledgerTable(ctx context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	a.sweep(h)
	q, err := a.query(c, h, false)
	if err != nil {
		return err
	}
	style, asJSON, follow := a.style(), c.Bool("json"), c.Bool("follow")
	if q.Limit == 0 && (style.Terminal && !asJSON) {
		q.Limit = screenful
	}
	var last uint64
	out := bufio.NewWriter(a.out)
	table := func() ([]*ledger.Finding, error) {
		var rows []*ledger.Finding
		err := ledger.Walk(h.Dir, a.ledgerOptions(), q, func(f *ledger.Finding) error {
			last = f.Seq
			if asJSON {
				return writeJSON(out, f)
			}
			rows = append(rows, f)
			return nil
		})
		return rows, err
	}
	rows, err := table()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if a.noLedger(h); !follow {
			return nil
		}
	case err != nil:
		return errors.Join(fault(err), out.Flush())
	case last == 0 && !follow:
		fmt.Fprintf(a.err, "spar: no finding is selected (%s)\n", h.Dir)
	}
	if err := errors.Join(ledger.Print(out, rows, style), out.Flush()); err != nil {
		return err
	}
	if style.Terminal && !c.IsSet("limit") && len(rows) == screenful && !follow {
		fmt.Fprintf(a.err, "spar: the newest %d; --limit N shows more, and a pipe all\n", screenful)
	}
	if !follow {
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	// What follows is shown as it comes, so there are no columns to align.
	style.Terminal = false
	q.Limit = 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followEvery):
		}
		q.After = last
		rows, err := table()
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ledger.ErrBusy) {
			return fault(err)
		}
		if err := errors.Join(ledger.Print(out, rows, style), out.Flush()); err != nil {
			return err
		}
	}
}

// writeJSON writes a finding on one line.
func writeJSON(w io.Writer, f *ledger.Finding) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(f)
}

func (a *app) ledgerShow(_ context.Context, c *cli.Command) error {
	if err := allow(c, "json"); err != nil {
		return err
	}
	word, err := a.one(c, "the number of a finding")
	if err != nil {
		return err
	}
	seq, err := strconv.ParseUint(word, 10, 64)
	if err != nil || seq == 0 {
		return usage("ledger show: want the number of a finding, got %q", word)
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	var f *ledger.Finding
	err = h.View(a.world, func(tx *ledger.Tx) (err error) {
		if tx == nil {
			return fs.ErrNotExist
		}
		f, err = tx.Finding(seq)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refused("there is no finding %d here (%s)", seq, h.Dir)
	case err != nil:
		return fault(err)
	case c.Bool("json"):
		return writeJSON(a.out, f)
	}
	return ledger.PrintOne(a.out, f, a.style())
}

func (a *app) ledgerExport(_ context.Context, c *cli.Command) error {
	if err := allow(c, "sortie", "source", "severity", "phase", "since", "limit"); err != nil {
		return err
	}
	words := a.operands(c)
	if len(words) > 1 {
		return usage("ledger export: unexpected word %q", words[1])
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	q, err := a.query(c, h, true) // what is taken along is everything, unless said
	if err != nil {
		return err
	}
	if len(words) == 0 || words[0] == "-" {
		out := bufio.NewWriter(a.out)
		_, err := ledger.Export(h.Dir, a.ledgerOptions(), q, out)
		if errors.Is(err, fs.ErrNotExist) {
			a.noLedger(h)
			return nil
		}
		return errors.Join(fault(err), out.Flush())
	}
	to := a.path(words[0])
	// Never over a file that is there: the wrong name would cost it.
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return refused("%s is there already; name a file that is not", to)
	}
	if err != nil {
		return refused("%w", err)
	}
	out := bufio.NewWriter(f)
	n, err := ledger.Export(h.Dir, a.ledgerOptions(), q, out)
	if err = errors.Join(err, out.Flush(), f.Sync(), f.Close()); err != nil {
		return errors.Join(fault(err), os.Remove(to))
	}
	fmt.Fprintf(a.out, "spar: exported %s to %s\nspar: home %s\n", count(n, "finding"), to, h.Dir)
	return nil
}

func (a *app) ledgerImport(_ context.Context, c *cli.Command) error {
	if err := allow(c); err != nil {
		return err
	}
	name, err := a.one(c, "a file (- for the standard input)")
	if err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	in := a.in
	if name != "-" {
		f, err := os.Open(a.path(name))
		if err != nil {
			return unreadable(err)
		}
		defer f.Close()
		in = f
	}
	if err := h.Create(); err != nil {
		return refused("%w", err)
	}
	sum, err := ledger.ImportLines(h.Dir, a.ledgerOptions(), in)
	torn := 0
	for i, b := range sum.Bad {
		if b.Torn {
			torn++
		}
		if i < 20 {
			fmt.Fprintf(a.err, "spar: line %d is damaged: %v\n", b.Line, b.Err)
		}
	}
	fmt.Fprintf(a.out, "spar: imported %s, %d there already, %s damaged\nspar: home %s\n", count(sum.Taken, "finding"), sum.Skipped, count(len(sum.Bad), "line"), h.Dir)
	switch {
	case err != nil:
		return fault(err)
	case len(sum.Bad) > torn:
		return exitCode(exitRefused) // a torn last line is what a stopped writer leaves
	}
	return nil
}

func (a *app) ledgerCheck(_ context.Context, c *cli.Command) error {
	if err := errors.Join(allow(c, "json"), a.none(c)); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := ledger.Check(h.Dir, a.ledgerOptions())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.noLedger(h)
		return nil
	case err != nil:
		return fault(err)
	}
	if c.Bool("json") {
		if err := json.NewEncoder(a.out).Encode(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.out, "%s: %d bytes, %s, %s\n", r.Path, r.Size, count(r.Findings, "finding"), count(r.Sorties, "sortie"))
		for _, p := range r.Problems {
			fmt.Fprintf(a.out, "problem: %s\n", p)
		}
	}
	switch {
	case r.Sound():
		if !c.Bool("json") {
			fmt.Fprintln(a.out, "sound")
		}
		return nil
	case errors.Is(r.Fault, ledger.ErrNewer):
		return unreadable(errors.New("a newer spar wrote this ledger; update spar to read it"))
	case errors.Is(r.Fault, ledger.ErrNotLedger):
		return unreadable(errors.New("this is no ledger; move it away, and the next finding starts a new one"))
	}
	return unreadable(fmt.Errorf("the ledger is damaged; `spar ledger recover` saves what can be read and keeps the damaged file"))
}

func (a *app) ledgerRecover(_ context.Context, c *cli.Command) error {
	if err := errors.Join(allow(c), a.none(c)); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := ledger.Recover(h.Dir, a.ledgerOptions())
	switch {
	case errors.Is(err, ledger.ErrSound):
		fmt.Fprintf(a.out, "spar: nothing is wrong with the ledger; left as it is\nspar: home %s\n", h.Dir)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return refused("there is no ledger to recover (%s)", h.Dir)
	case err != nil:
		return fault(err)
	}
	fmt.Fprintf(a.out, "spar: saved %s and %s", count(r.Findings, "finding"), count(r.States, "state record"))
	if r.Loose > 0 {
		fmt.Fprintf(a.out, ", %d of the findings from pages that nothing led to", r.Loose)
	}
	fmt.Fprintf(a.out, "; %s missing\nspar: the damaged file is kept: %s\nspar: home %s\n", count(r.Missing, "finding"), r.Kept, h.Dir)
	return nil
}

func (a *app) ledgerBackup(_ context.Context, c *cli.Command) error {
	if err := allow(c); err != nil {
		return err
	}
	name, err := a.one(c, "the file to write")
	if err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	to := a.path(name)
	n, err := ledger.Backup(h.Dir, a.ledgerOptions(), to)
	switch {
	case errors.Is(err, fs.ErrExist):
		return refused("%s is there already; name a file that is not", to)
	case errors.Is(err, fs.ErrNotExist):
		if _, serr := os.Stat(filepath.Join(h.Dir, ledger.FileName)); errors.Is(serr, fs.ErrNotExist) {
			return refused("there is no ledger to back up (%s)", h.Dir)
		}
		return refused("%w", err)
	case err != nil:
		return fault(err)
	}
	fmt.Fprintf(a.out, "spar: wrote %s to %s\nspar: home %s\n", count(n, "finding"), to, h.Dir)
	return nil
}

func (a *app) ledgerCompact(_ context.Context, c *cli.Command) error {
	if err := errors.Join(allow(c), a.none(c)); err != nil {
		return err
	}
	if !c.IsSet("before") {
		return usage("ledger compact: say up to when: --before 2026-01-31, or --before 30d")
	}
	before, err := ledger.ParseBefore(c.String("before"), a.world.Now())
	if err != nil {
		return usage("ledger compact: --before: %w", err)
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := ledger.Compact(h.Dir, a.ledgerOptions(), before)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refused("there is no ledger to compact (%s)", h.Dir)
	case err != nil:
		return fault(err)
	case r.Dropped == 0:
		fmt.Fprintf(a.out, "spar: nothing is older than %s; left as it is\n", before.Format(time.RFC3339))
	default:
		fmt.Fprintf(a.out, "spar: dropped %s made before %s, kept %d; %d bytes are now %d\n", count(r.Dropped, "finding"), before.Format(time.RFC3339), r.Kept, r.Was, r.Is)
	}
	if r.Flying > 0 {
		fmt.Fprintf(a.out, "spar: %s stayed, older, of sorties that have not landed\n", count(r.Flying, "finding"))
	}
	fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
	return nil
}
