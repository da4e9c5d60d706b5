package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"spar/guards/contract"
	"spar/guards/groundtruth"
	"spar/sortie"
)

// groundtruthCommand is `spar groundtruth`.
func (a *app) groundtruthCommand() *cli.Command {
	probe := func() []cli.Flag {
		return []cli.Flag{
			&cli.StringFlag{Name: "probe", Usage: "a shell command that reads real state; what it prints is its answer"},
			&cli.StringFlag{Name: "action", Usage: "what is claimed to be done"},
			&cli.BoolFlag{Name: "nonempty", Usage: "met by anything but nothing"},
			&cli.StringFlag{Name: "count", Usage: "met by the number N"},
			&cli.StringFlag{Name: "at-least", Usage: "met by the number N or more"},
			&cli.StringFlag{Name: "contains", Usage: "met where the text occurs"},
			&cli.StringFlag{Name: "equals", Usage: "met by this text, white space around it aside"},
			&cli.StringFlag{Name: "matches", Usage: "met where the regular expression (RE2) is found"},
			&cli.StringFlag{Name: "timeout", Usage: "how long the probe may run", Value: contract.ProbeLimit.String()},
		}
	}
	return &cli.Command{
		Name:  "groundtruth",
		Usage: "nothing is done until a separate probe has read the world again",
		UsageText: `spar groundtruth verify --probe CMD [--action TEXT] [EXPECT] [--timeout 20s] [--json]
spar groundtruth guard FILE
spar groundtruth declare --action TEXT --probe CMD EXPECT
spar groundtruth pending [--all] [--json]
spar groundtruth drop ID --reason TEXT
spar groundtruth hook stop

EXPECT is one of --nonempty, --count N, --at-least N, --contains S, --equals S, --matches RE.`,
		Description: `A probe is a shell command. It runs with your rights and outside the harness's
permission prompt, so what it would change is looked at first: one that redline
would charge is not run. It can't be forced to read anything: echo 45 passes for 45.

Exit: 0 met, 1 not met (guard: 2), 3 the probe failed, 64 usage.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version"}},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Bool("version") {
				fmt.Fprintf(a.out, "spar version %s\n", version())
				return nil
			}
			return usage("%s: say which: %s", c.FullName(), subcommands(c))
		},
		Commands: []*cli.Command{
			{
				Name: "verify", Usage: "check one claim now", UsageText: "spar groundtruth verify --probe CMD [--action TEXT] [EXPECT] [--timeout 20s] [--json]",
				Flags: append(probe(), &cli.BoolFlag{Name: "json", Usage: "one JSON object"}), Action: a.groundtruthVerify,
			},
			{Name: "guard", Usage: "check every contract of a file", ArgsUsage: "FILE", UsageText: "spar groundtruth guard FILE", Action: a.groundtruthGuard},
			{
				Name: "declare", Usage: "file a contract, run its probe once now, and have it checked when the turn ends",
				UsageText: "spar groundtruth declare --action TEXT --probe CMD EXPECT", Flags: append(probe(), sortieFlag()), Action: a.groundtruthDeclare,
			},
			{
				Name: "pending", Usage: "what is claimed and not met yet", UsageText: "spar groundtruth pending [--all] [--json]",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "all", Usage: "what sessions that are gone left open as well"},
					&cli.BoolFlag{Name: "json", Usage: "one JSON object: {contracts}"},
				}, Action: a.groundtruthPending,
			},
			{
				Name: "drop", Usage: "take a contract off the list unmet; a person does that", ArgsUsage: "ID", UsageText: "spar groundtruth drop ID --reason TEXT",
				Flags: []cli.Flag{&cli.StringFlag{Name: "reason", Usage: "why it is given up"}}, Action: a.groundtruthDrop,
			},
			{
				Name: "hook", Usage: "the guard alone: read one harness payload on stdin", UsageText: "spar groundtruth hook stop [--harness claude] [--event Stop]",
				Description: `A harness starts this where groundtruth is wired by itself. With stop it exits 2 and
says why on stderr where a claim does not hold; otherwise 0.`,
			},
		},
	}
}

// expectation reads the one expectation of a call. ok is false where there is none.
func expectation(c *cli.Command) (e contract.Expect, ok bool, err error) {
	var given []string
	for _, k := range contract.Kinds() {
		if c.IsSet(string(k)) {
			given = append(given, string(k))
		}
	}
	switch {
	case len(given) == 0:
		return e, false, nil
	case len(given) > 1:
		return e, false, usage("%s: --%s and --%s are both given; want one expectation", c.FullName(), given[0], given[1])
	}
	k := contract.Kind(given[0])
	if e, err = contract.New(k, c.String(given[0])); err != nil {
		return e, false, usage("%s: --%w", c.FullName(), err)
	}
	return e, true, nil
}

// claimed reads the contract of a call.
func (a *app) claimed(c *cli.Command) (contract.Contract, bool, error) {
	var k contract.Contract
	if err := a.none(c); err != nil {
		return k, false, err
	}
	e, ok, err := expectation(c)
	if err != nil {
		return k, false, err
	}
	k = contract.Contract{Action: c.String("action"), Probe: c.String("probe"), Expect: e}
	if contract.Trim(k.Probe) == "" {
		return k, ok, usage("%s: want a probe: --probe 'a command that reads'", c.FullName())
	}
	if c.IsSet("timeout") {
		if k.Timeout, err = time.ParseDuration(c.String("timeout")); err != nil || k.Timeout < time.Millisecond || k.Timeout > time.Hour {
			return k, ok, usage("%s: --timeout wants a time span such as 20s, got %q", c.FullName(), c.String("timeout"))
		}
	}
	return k, ok, nil
}

// contractRoot is the folder that probes of typed commands run in.
func (a *app) contractRoot(h sortie.Home) string {
	return contract.Root(a.world, h, a.world.Env("CLAUDE_PROJECT_DIR"), a.world.Dir)
}

func (a *app) groundtruthVerify(ctx context.Context, c *cli.Command) error {
	k, _, err := a.claimed(c)
	if err != nil {
		return err
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	// A person checks where they stand.
	r := groundtruth.RunnerAt(a.world, h, a.world.Dir)
	v := r.One(ctx, k)
	if c.Bool("json") {
		if err := json.NewEncoder(a.out).Encode(groundtruth.ReportOf(&v)); err != nil {
			return err
		}
	} else {
		groundtruth.Print(a.out, a.err, &v)
	}
	switch {
	case v.Met:
		return nil
	case v.Read:
		return exitCode(exitRefused)
	}
	return exitCode(exitPast)
}

func (a *app) groundtruthGuard(ctx context.Context, c *cli.Command) error {
	files := a.operands(c)
	if len(files) != 1 {
		return usage("groundtruth guard: want one file of contracts, got %d words", len(files))
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	path := files[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.world.Dir, path)
	}
	got, err := groundtruth.CheckFile(ctx, groundtruth.RunnerAt(a.world, h, a.world.Dir), path)
	total := len(got.Verdicts)
	switch {
	case err != nil:
		return usage("groundtruth guard: %w", err)
	case total == 0:
		return unreadable(fmt.Errorf("%s holds no contracts, so nothing is confirmed; one JSON object a line: {\"action\":TEXT,\"probe\":CMD,\"expect\":{\"type\":\"count\",\"value\":45}}", files[0]))
	case got.Unmet == 0:
		fmt.Fprintf(a.err, "spar: %s met", count(total, "contract"))
		if got.Weak > 0 {
			fmt.Fprintf(a.err, "; %d of them asked only for some output", got.Weak)
		}
		fmt.Fprintln(a.err)
		return nil
	}
	fmt.Fprintf(a.err, "spar: %d/%d contracts unmet\n", got.Unmet, total)
	for i := range got.Verdicts {
		if v := &got.Verdicts[i]; !v.Met {
			fmt.Fprint(a.err, groundtruth.Block(v))
		}
	}
	return exitCode(exitUnreadable)
}

func (a *app) groundtruthDeclare(ctx context.Context, c *cli.Command) error {
	k, asked, err := a.claimed(c)
	if err != nil {
		return err
	}
	if contract.Trim(k.Action) == "" {
		return usage("groundtruth declare: want what is claimed: --action TEXT")
	}
	if !asked {
		return usage("groundtruth declare: want an expectation, such as --count 45")
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	f, _, err := a.pick(c, h)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "spar: runs: %s\n", contract.Flat(k.Probe, 400))
	v := groundtruth.RunnerAt(a.world, h, a.contractRoot(h)).One(ctx, k)
	b := h.Open(a.world)
	defer b.Close()
	rec, err := groundtruth.Declare(b, contract.Owner{Session: sortie.TypedSession(a.world), Flight: f, Actor: a.actor()}, &v)
	if err != nil {
		return fault(err)
	}
	fmt.Fprintf(a.out, "%s %s [%s]\n", rec.ID, contract.Quote(k.Action, contract.ActionCap), k.Expect.Label())
	switch {
	case v.Met:
		fmt.Fprintf(a.out, "  already true before anything is done — the probe returned: %s\n", v.Evidence())
	case v.Read:
		fmt.Fprintf(a.out, "  not yet, %s — the probe returned: %s\n", v.Reason, orText(v.Evidence(), "nothing"))
	default:
		fmt.Fprintf(a.err, "✗ probe failed — %s: %s\n  filed as broken; declare the same action again to put it right\n", v.Reason, v.Detail)
	}
	fmt.Fprintf(a.out, "spar: home %s\n", h.Dir)
	if !v.Read {
		return exitCode(exitPast)
	}
	return nil
}

func (a *app) groundtruthPending(_ context.Context, c *cli.Command) error {
	if err := a.none(c); err != nil {
		return err
	}
	d, done, err := a.desk(c)
	if err != nil {
		return err
	}
	defer done()
	open, err := groundtruth.Pending(d, c.Bool("all"))
	if err != nil {
		return fault(err)
	}
	if c.Bool("json") {
		return json.NewEncoder(a.out).Encode(map[string]any{"contracts": open})
	}
	for _, o := range open {
		owner := "nobody's session"
		if o.Session != "" {
			owner = "session " + sortie.Line(o.Session, 36)
		}
		if o.Agent != "" {
			owner += ", subagent " + sortie.Line(o.Agent, 36)
		}
		line := fmt.Sprintf("%s  %-6s  %s [%s]  %s  %s old", o.ID, o.State, contract.Quote(o.Action, contract.ActionCap), orText(o.Expectation, o.Reason),
			owner, a.world.Now().Sub(o.Declared).Round(time.Second))
		if o.Tries > 0 {
			line += fmt.Sprintf("  checked %d×, %s", o.Tries, o.Reason)
		}
		fmt.Fprintln(a.out, line)
	}
	return nil
}

func (a *app) groundtruthDrop(_ context.Context, c *cli.Command) error {
	ids := a.operands(c)
	if len(ids) != 1 || ids[0] == "" {
		return usage("groundtruth drop: want the id of one contract; spar groundtruth pending --all lists them")
	}
	reason := c.String("reason")
	if contract.Trim(reason) == "" {
		return usage("groundtruth drop: want --reason TEXT")
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	f, _, err := a.pick(c, h)
	if err != nil {
		return err
	}
	if !h.Exists() {
		return refused("no contract is open here (%s)", h.Dir)
	}
	b := h.Open(a.world)
	defer b.Close()
	action, err := groundtruth.Drop(b, f, ids[0], reason, a.actor())
	var no *sortie.Refusal
	if errors.As(err, &no) {
		return &exitError{exitRefused, err}
	}
	if err != nil {
		return fault(err)
	}
	fmt.Fprintf(a.out, "spar: dropped %s\nspar: home %s\n", contract.Quote(action, contract.ActionCap), h.Dir)
	return nil
}

// orText is s, or other where there is none.
func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
