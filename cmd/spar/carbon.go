package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"spar/guards/carbon"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/hook"
)

// pruneAge is how old a copy is that prune takes without being told otherwise.
const pruneAge = 90 * 24 * time.Hour

// carbonCommand is `spar carbon`: the copies of drafts.
func (a *app) carbonCommand() *cli.Command {
	return &cli.Command{
		Name:  "carbon",
		Usage: "the copies of drafts, each taken just before it was written over",
		UsageText: `spar carbon list [--path P] [--since 2h] [--json]   the copies, oldest first
spar carbon show ID > FILE               the kept bytes, nothing added
spar carbon diff ID                      from the copy to the file as it is now; 0 same, 1 differs, 2 can't
spar carbon restore ID [--to PATH]       put a copy back; what is there now is kept first
spar carbon prune [--older 90d] [--keep-last N] [--apply]`,
		Description: `In cruise (spar mode cruise) the file tools of a harness don't write over a file
before its bytes are in .spar/carbon. Nothing is said when that happens, and
nothing is ever removed by itself. An ID is any beginning of one that is unique.

Kept is what nobody else has: a file that HEAD has unchanged is not, one that git
ignores is. Of a file of more than 524288 bytes only name and size are noted.

Never opened, by name: .env files, key material, credentials of tools, whatever is
called secret, password or the like. Never copied: new files, links, anything
outside the root, and folders that are made again (node_modules, vendor, dist,
build, target, .venv, __pycache__, .next).

Not seen: what a shell writes (sed -i, > FILE, formatters). In strike: nothing.`,
		Action: func(_ context.Context, c *cli.Command) error {
			if err := a.none(c); err != nil {
				return err
			}
			return cli.ShowSubcommandHelp(c)
		},
		Commands: []*cli.Command{
			{
				Name:  "list",
				Usage: "the copies, oldest first",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "path", Usage: "those of this file, or of the files in this folder"},
					&cli.StringFlag{Name: "since", Usage: "those not older than this: 2h, 3d"},
					&cli.BoolFlag{Name: "json", Usage: "one JSON object: {copies: [...]}"},
				},
				Action: a.carbonList,
			},
			{Name: "show", Usage: "write a copy's bytes to standard output", ArgsUsage: "ID", Action: a.carbonShow},
			{Name: "diff", Usage: "what has become of the draft since", ArgsUsage: "ID", Action: a.carbonDiff},
			{
				Name: "restore", Usage: "put a copy back", ArgsUsage: "ID",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "to", Usage: "write this file instead of the draft's own"},
					&cli.BoolFlag{Name: "force", Usage: "also over a file that is tracked and clean, or that can't be kept first"},
				},
				Action: a.carbonRestore,
			},
			{
				Name: "prune", Usage: "what could go, and with --apply let it go; the records stay",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "older", Usage: "copies older than this: 12h, 90d (90d; with --keep-last: of any age)"},
					&cli.StringFlag{Name: "keep-last", Usage: "and not among the newest N of their file"},
					&cli.BoolFlag{Name: "apply", Usage: "do it"},
				},
				Action: a.carbonPrune,
			},
			{
				Name: "hook", Usage: "the guard alone: read one harness payload on stdin",
				UsageText:   "spar carbon hook pre [--harness claude] [--event PreToolUse]",
				Description: "A harness starts this where carbon is wired by itself. It exits 0 and prints nothing, whatever happens.",
			},
		},
	}
}

// carbonRoot is the folder that paths of copies start from.
func (a *app) carbonRoot(h sortie.Home) string {
	return carbon.Root(a.world, h, a.world.Env("CLAUDE_PROJECT_DIR"), a.world.Dir)
}

func (a *app) carbonList(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	var since time.Time
	if s := c.String("since"); c.IsSet("since") {
		age, err := ledger.ParseAge(s)
		if err != nil {
			return usage("carbon list: --since: %w", err)
		}
		since = a.world.Now().Add(-age)
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	path := ""
	if c.IsSet("path") {
		path = carbon.Relative(a.carbonRoot(h), a.world.Dir, c.String("path"))
	}
	list, err := carbon.List(a.world, h, path, since)
	if err != nil {
		return fault(err)
	}
	if c.Bool("json") {
		if list == nil {
			list = []*carbon.Record{}
		}
		return json.NewEncoder(a.out).Encode(map[string]any{"copies": list})
	}
	if len(list) == 0 {
		if c.IsSet("path") || c.IsSet("since") {
			fmt.Fprintln(a.out, "no copy fits; spar carbon list shows them all")
			return nil
		}
		fmt.Fprintln(a.out, "nothing kept yet")
		fmt.Fprintln(a.out, "a copy is made when a file tool writes over a file that git doesn't have, in cruise (spar mode cruise)")
		return nil
	}
	for _, r := range list {
		fmt.Fprintf(a.out, "%s %7d bytes  %s%s\n", r.ID, r.Size, carbon.Printable(r.Path), state(r))
	}
	return nil
}

// state is what there is to say of a copy beside its path.
func state(r *carbon.Record) string {
	switch {
	case r.Pruned != nil:
		return "  pruned"
	case !r.Kept():
		return "  note only"
	}
	return ""
}

// carbonFind is the copy that the command's one operand names.
func (a *app) carbonFind(c *cli.Command, h sortie.Home) (*carbon.Record, error) {
	words := a.operands(c)
	switch {
	case len(words) == 0 || words[0] == "":
		return nil, usage("carbon %s: which copy? give its id (spar carbon list)", c.Name)
	case len(words) > 1:
		return nil, usage("carbon %s: unexpected word %q", c.Name, words[1])
	}
	r, err := carbon.Find(a.world, h, words[0])
	var many *carbon.AmbiguousError
	switch {
	case errors.Is(err, carbon.ErrNoCopy), errors.As(err, &many):
		return nil, refused("carbon: %w", err)
	case err != nil:
		return nil, fault(err)
	}
	return r, nil
}

func (a *app) carbonShow(_ context.Context, c *cli.Command) error {
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := a.carbonFind(c, h)
	if err != nil {
		return err
	}
	body, err := carbon.Body(h, r)
	if err != nil {
		return refused("carbon: %w", err)
	}
	if _, err := a.out.Write(body); err != nil {
		return refused("carbon: writing the copy out: %w", err)
	}
	return nil
}

func (a *app) carbonDiff(_ context.Context, c *cli.Command) error {
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := a.carbonFind(c, h)
	if err != nil {
		var e *exitError
		if errors.As(err, &e) && e.code == exitRefused { // 1 says that they differ
			return unreadable(e.err)
		}
		return err
	}
	text, err := carbon.Diff(h, a.carbonRoot(h), r)
	if err != nil {
		return unreadable(fmt.Errorf("carbon: %w", err))
	}
	if text == "" {
		return nil
	}
	fmt.Fprint(a.out, text)
	return exitCode(exitRefused)
}

// carbonDesk is a desk for a command that writes to the ledger. A sortie is not
// needed; where it isn't clear which is meant, none is named in the finding.
func (a *app) carbonDesk(h sortie.Home) (*hook.Desk, error) {
	var f sortie.Flight
	err := h.View(a.world, func(tx *ledger.Tx) (err error) {
		f, _, err = sortie.Pick(tx, a.world, "", true)
		return err
	})
	var many *sortie.ManyError
	if errors.As(err, &many) || errors.Is(err, sortie.ErrNoSortie) {
		err = nil
	}
	if err != nil {
		return nil, fault(err)
	}
	if !f.Aloft() {
		f = sortie.Flight{}
	}
	return &hook.Desk{World: a.world, Home: h, Book: h.Open(a.world), Flight: f}, nil
}

func (a *app) carbonRestore(ctx context.Context, c *cli.Command) error {
	h, err := a.home(c)
	if err != nil {
		return err
	}
	r, err := a.carbonFind(c, h)
	if err != nil {
		return err
	}
	to := ""
	if c.IsSet("to") {
		if to = c.String("to"); to == "" {
			return usage("carbon restore: --to wants a file")
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(a.world.Dir, to)
		}
	}
	d, err := a.carbonDesk(h)
	if err != nil {
		return err
	}
	defer d.Book.Close()
	done, err := carbon.Restore(ctx, d, r, carbon.Restoring{Root: a.carbonRoot(h), To: to, Force: c.Bool("force"), Actor: a.actor()})
	if err != nil {
		return refused("carbon: %w", err)
	}
	path := carbon.Printable(done.Path)
	if done.Same {
		fmt.Fprintf(a.out, "spar: %s holds what %s kept already; nothing was written\n", path, r.ID)
		return nil
	}
	fmt.Fprintf(a.out, "spar: restored %s from %s\n", path, r.ID)
	if done.Kept != nil {
		fmt.Fprintf(a.out, "spar: what was there is kept as %s\n", done.Kept.ID)
	}
	return nil
}

func (a *app) carbonPrune(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	o := carbon.Pruning{Before: a.world.Now().Add(-pruneAge)}
	if s := c.String("keep-last"); c.IsSet("keep-last") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return unreadable(fmt.Errorf("carbon prune: --keep-last wants a number, at least 1; got %q", s))
		}
		o.KeepLast, o.Before = n, a.world.Now().Add(time.Millisecond)
	}
	if s := c.String("older"); c.IsSet("older") {
		age, err := ledger.ParseAge(s)
		if err != nil {
			return unreadable(fmt.Errorf("carbon prune: --older: %w", err))
		}
		o.Before = a.world.Now().Add(-age)
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	if !c.Bool("apply") {
		list, err := carbon.List(a.world, h, "", time.Time{})
		if err != nil {
			return fault(err)
		}
		p := carbon.Prunable(list, o)
		a.pruneLines(p)
		if len(p.Records) > 0 {
			fmt.Fprintf(a.out, "%s could go, %s; nothing was removed: add --apply\n", copies(len(p.Records)), carbon.Size(p.Bytes))
		}
		return nil
	}
	if !h.Exists() {
		a.pruneLines(carbon.Pruned{})
		return nil
	}
	d, err := a.carbonDesk(h)
	if err != nil {
		return err
	}
	defer d.Book.Close()
	p, err := carbon.Prune(d, o, a.actor())
	if err != nil {
		return fault(err)
	}
	a.pruneLines(p)
	if len(p.Records) > 0 {
		fmt.Fprintf(a.out, "pruned %s, %s; the records stay\nspar: home %s\n", copies(len(p.Records)), carbon.Size(p.Bytes), h.Dir)
	}
	return nil
}

func (a *app) pruneLines(p carbon.Pruned) {
	if len(p.Records) == 0 {
		fmt.Fprintln(a.out, "no copy is old enough to go")
	}
	for _, r := range p.Records {
		fmt.Fprintf(a.out, "%s %7d bytes  %s\n", r.ID, r.Size, carbon.Printable(r.Path))
	}
}

func copies(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}
