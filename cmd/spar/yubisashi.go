package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"spar/guards/contract"
	"spar/guards/yubisashi"
	"spar/sortie"
)

// yubisashiHelp is what the guard does, for who types its bare name.
const yubisashiHelp = `What counts as a write: a call that redline prices as irreversible, outward or
production, whatever the tool (spar explain COMMAND says which).

Before one, each open contract's probe is run once a sortie. It speaks where no
contract is open, where a probe does not run, and where an expectation is met
already; with nobody in the seat it denies the call then. Cruise and a swing are
left alone.

Contracts are read from .spar/groundtruth/pending.jsonl of the session's root, from
.groundtruth/pending.jsonl there, from ~/.claude/groundtruth/SESSION.jsonl (or from
GROUNDTRUTH_PENDING alone, where it is set), and from spar groundtruth declare.
Their probes are shell commands that the agent wrote; they run before the harness's
prompt for the call. One that redline would charge is not run.

It is mounted with: spar install --with yubisashi`

// yubisashiCommand is `spar yubisashi`.
func (a *app) yubisashiCommand() *cli.Command {
	return &cli.Command{
		Name:  "yubisashi",
		Usage: "point at the target before the write, with the probe that will judge it",
		UsageText: `spar yubisashi point [FILE] [--json] [--budget 60s]
spar yubisashi hook pre`,
		Description: yubisashiHelp,
		Action: func(context.Context, *cli.Command) error {
			fmt.Fprintln(a.out, yubisashiHelp)
			return nil
		},
		Commands: []*cli.Command{
			{
				Name: "point", Usage: "run the probe of every open contract once, now", ArgsUsage: "[FILE]",
				UsageText: "spar yubisashi point [FILE] [--json] [--budget 60s]",
				Description: `→ a target that the write can change, ! already true, ✗ broken. What was pointed at
in this sortie is shown as it was then.

Exit: 0 none is broken, 1 one is, or there is nothing to point at.`,
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "json", Usage: "one JSON object: {contracts}"},
					&cli.StringFlag{Name: "budget", Usage: "how long all of it may take", Value: "60s"},
					sortieFlag(),
				},
				Action: a.yubisashiPoint,
			},
			{
				Name: "hook", Usage: "the guard alone: read one harness payload on stdin", UsageText: "spar yubisashi hook pre [--harness claude] [--event PreToolUse]",
				Description: "A harness starts this where yubisashi is wired by itself. It exits 0 whatever happens.",
			},
		},
	}
}

func (a *app) yubisashiPoint(ctx context.Context, c *cli.Command) error {
	files := a.operands(c)
	if len(files) > 1 {
		return usage("yubisashi point: want one file of contracts or none, got %d words", len(files))
	}
	budget, err := time.ParseDuration(c.String("budget"))
	if err != nil || budget <= 0 {
		return usage("yubisashi point: --budget wants a time span such as 60s, got %q", c.String("budget"))
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	f, _, err := a.pick(c, h)
	if err != nil {
		return err
	}
	if !f.Aloft() {
		f = sortie.Flight{}
	}
	p := yubisashi.Hand{Home: h, World: a.world, Root: a.contractRoot(h), Flight: f, Budget: budget}
	looked := contract.Pending(a.world, h, p.Root, sortie.TypedSession(a.world))
	if len(files) == 1 {
		path := absolute(a.world.Dir, files[0])
		data, err := readContracts(path)
		if err != nil {
			return usage("yubisashi point: %w", err)
		}
		p.Lines, looked = contract.Read(data), []string{path}
		if p.Lines == nil {
			p.Lines = []contract.Line{}
		}
	}
	var list []yubisashi.Shown
	if waiting, err := contract.Waiting(looked); err != nil {
		return unreadable(err)
	} else if waiting || h.Exists() {
		if list, err = p.Point(ctx); err != nil {
			return fault(err)
		}
	}
	if c.Bool("json") {
		data, err := yubisashi.Encode(list)
		if err != nil {
			return &exitError{exitFault, err}
		}
		fmt.Fprintf(a.out, "%s\n", data)
	}
	if len(list) == 0 {
		for i, p := range looked {
			if rel, err := filepath.Rel(a.world.Dir, p); err == nil && filepath.IsLocal(rel) {
				looked[i] = rel
			}
		}
		return refused("nothing to point at: no contract is open, and there is none in %s", strings.Join(looked, ", "))
	}
	broken := false
	for _, s := range list {
		broken = broken || s.State == "broken"
		if !c.Bool("json") {
			fmt.Fprintln(a.out, s.Line())
		}
	}
	if broken {
		return exitCode(exitRefused)
	}
	return nil
}

// readContracts reads a file up to what the reader takes.
func readContracts(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, contract.FileCap+1))
}
