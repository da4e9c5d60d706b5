package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"spar/ledger"
	"spar/redline"
	"spar/sortie"
	"spar/sortie/hook"
)

// redlineCommand is `spar redline`: the limiter by itself.
func (a *app) redlineCommand() *cli.Command {
	return &cli.Command{
		Name:  "redline",
		Usage: "the limiter: its number, its tariff, its configuration",
		UsageText: `spar redline score [--json]              0 below the limit, 1 at or past it, 2 where the ledger can't be read
spar redline tariff [--rows]             the tariff in force, and where each number comes from
spar redline explain COMMAND             what a command line would do and cost
spar redline config check [FILE...]      is the configuration understood, and which files are in use
spar redline config init                 print a starter`,
		Commands: []*cli.Command{
			{
				Name:  "score",
				Usage: "what this sortie has spent",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "json", Usage: "one JSON object: {sortie, points, limit, kinds}"},
					sortieFlag(),
				},
				Action: a.redlineScore,
			},
			{
				Name:   "tariff",
				Usage:  "the tariff in force and where each number comes from",
				Flags:  []cli.Flag{&cli.BoolFlag{Name: "rows", Usage: "every row, program by program"}},
				Action: a.redlineTariff,
			},
			a.explainCommand(),
			{
				Name:  "config",
				Usage: "the configuration file",
				Commands: []*cli.Command{
					{Name: "check", Usage: "name what is not understood, with file and line", ArgsUsage: "[FILE...]", Action: a.redlineConfigCheck},
					{Name: "init", Usage: "print a starter; redirect it into .redline.json", Action: a.redlineConfigInit},
				},
			},
			{
				Name:        "hook",
				Usage:       "the guard alone: read one harness payload on stdin",
				UsageText:   "spar redline hook pre|prompt [--harness claude] [--event PreToolUse]",
				Description: "A harness starts this where redline is wired by itself. It exits 0 whatever happens.",
			},
		},
	}
}

func (a *app) redlineScore(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	s := redline.Score{Limit: a.limit(h)}
	several := false
	err = h.View(a.world, func(tx *ledger.Tx) error {
		f, many, err := sortie.Pick(tx, a.world, c.String("sortie"), false)
		if errors.Is(err, sortie.ErrNoSortie) && !c.IsSet("sortie") {
			return nil
		}
		if err != nil {
			return err
		}
		several, s.Sortie = many, f.ID
		t, err := tx.SortieTally(f.ID)
		s.Points, s.Kinds = t.Points, t.Kinds
		return err
	})
	if err != nil && !errors.Is(err, sortie.ErrNoSortie) {
		return unreadable(err)
	}
	if err != nil {
		return refused("%w", err)
	}
	if several {
		fmt.Fprintf(a.err, "spar: several sorties are aloft here; this is the newest, %s (others: --sortie, see spar log --sorties)\n", s.Sortie)
	}
	if err := s.Write(a.out, c.Bool("json")); err != nil {
		return err
	}
	if n := hook.Unseen(h, s.Sortie); n > 0 && s.Sortie != "" && !c.Bool("json") {
		fmt.Fprintf(a.out, "part of this sortie was not seen: none of the calls of %d subagents came by the hook (spar doctor)\n", n)
	}
	if s.Past() {
		return exitCode(exitRefused)
	}
	return nil
}

// found is the configuration as it holds for whoever stands here.
func (a *app) found(h sortie.Home) redline.Found {
	return redline.Load(redline.Look{
		Own: redline.OwnDirs("", h), Trees: []string{a.world.Dir}, Home: a.world.Env("HOME"), Extra: a.world.Env("REDLINE_PRODUCTION"),
	})
}

func (a *app) redlineTariff(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	return redline.WriteTariff(a.out, a.found(h), c.Bool("rows"))
}

func (a *app) redlineConfigInit(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	_, err := fmt.Fprint(a.out, redline.Starter())
	return err
}

// redlineConfigCheck names what of the configuration is not understood: of the
// files that are named, else of those that hold here.
func (a *app) redlineConfigCheck(_ context.Context, c *cli.Command) error {
	var problems []redline.Problem
	files := a.operands(c)
	if len(files) > 0 {
		for _, name := range files {
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(a.world.Dir, file)
			}
			cfg, err := redline.ReadConfig(file)
			var p *redline.Problem
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return unreadable(fmt.Errorf("%s does not exist", name))
			case errors.As(err, &p):
				problems = append(problems, *p)
			case err != nil:
				return unreadable(fmt.Errorf("%s: %w", name, err))
			default:
				problems = append(problems, cfg.Problems...)
			}
			if b := filepath.Base(file); b != redline.ConfigName && b != redline.ConfigNameAlt {
				fmt.Fprintf(a.err, "spar: %s is read by nobody under that name; the name is %s\n", name, redline.ConfigName)
			}
		}
	} else {
		h, err := a.home(c)
		if err != nil {
			return err
		}
		f := a.found(h)
		files, problems = f.Files, f.Problems
		for _, miss := range redline.NearMisses(a.world.Dir) {
			fmt.Fprintf(a.err, "spar: %s is read by nobody; the name is %s\n", miss, redline.ConfigName)
		}
		if len(files) == 0 && len(problems) == 0 {
			fmt.Fprintf(a.out, "no %s was found from %s up or in the home directory: no path counts as production\nspar redline config init prints a starter\n", redline.ConfigName, a.world.Dir)
			return nil
		}
	}
	for _, p := range problems {
		fmt.Fprintln(a.out, p.Error())
	}
	if len(problems) > 0 {
		return exitCode(exitRefused)
	}
	for _, f := range files {
		fmt.Fprintf(a.out, "%s: understood\n", f)
	}
	return nil
}
