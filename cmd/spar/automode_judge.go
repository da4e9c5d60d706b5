package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/urfave/cli/v3"

	"spar/guards/automode"
	"spar/guards/automode/judge"
	"spar/guards/automode/policy"
	"spar/sortie/hook"
)

// automodeHook is the guard alone, the model behind it where one is configured. A model
// takes longer than a pass of the common door may, so this one has a limit of its own; the
// entry that `spar automode init` prints has the harness wait for it.
func (a *app) automodeHook(ctx context.Context, args []string, c *cli.Command) {
	var m automode.Model
	if c.Bool("explain") {
		m.Note = func(line string) { fmt.Fprintf(a.err, "spar automode: %s\n", line) }
	}
	d := hook.Door{Alone: true, In: a.in, Out: a.out, Err: a.err, World: a.world}
	if !c.Bool("local-only") {
		self, err := os.Executable()
		if err != nil {
			self = "spar" // it is looked for beside that, not found, and the failure says so
		}
		m.Ask, m.Version = automode.Program(self), version()
		for flag, to := range map[string]*string{"classifier": &m.Classifier, "rules": &m.Rules} {
			if name := c.String(flag); name != "" {
				*to = absolute(a.world.Dir, name)
			}
		}
		d.Limit = judge.Overall
	}
	d.Guards = []*hook.Guard{m.Guard()}
	if err := hookFlags(&d, args); err != nil {
		fmt.Fprintf(a.err, "spar automode run: %v\n", err)
	}
	d.Run(ctx)
}

// automodeModelCommands are those of `spar automode` that are about the model: what
// it reads, and how well it does.
func (a *app) automodeModelCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:  "print-prompt",
			Usage: "print exactly what the model reads: the policy, with the files of the configuration in it",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "classifier", Usage: "a file in place of the framework"},
				&cli.StringFlag{Name: "rules", Usage: "a file in place of the rules"},
				&cli.BoolFlag{Name: "stats", Usage: "its digest and size, on the error output"},
			},
			Action: a.automodePrompt,
		},
		{
			Name:      "eval",
			Usage:     "judge known cases and count what went wrong; spar-judge does it",
			ArgsUsage: "[CASES]",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "replay", Usage: "a folder of recorded answers"},
				&cli.BoolFlag{Name: "live", Usage: "ask the configured model, which costs money"},
				&cli.StringFlag{Name: "record", Usage: "with --live: a folder that answers are written to"},
				&cli.StringFlag{Name: "max-requests", Usage: "with --live: the most questions that are sent"},
				&cli.StringFlag{Name: "samples", Usage: "how often each case is judged; 1"},
				&cli.StringFlag{Name: "seed", Usage: "what the order of the cases is drawn from; 1"},
				&cli.StringFlag{Name: "classifier", Usage: "a file in place of the framework"},
				&cli.StringFlag{Name: "rules", Usage: "a file in place of the rules"},
				&cli.BoolFlag{Name: "list", Usage: "list the cases and judge none"},
				&cli.BoolFlag{Name: "json", Usage: "one JSON object"},
			},
			Action: a.automodeEval,
		},
	}
}

func (a *app) automodePrompt(_ context.Context, c *cli.Command) error {
	if len(a.operands(c)) > 0 {
		return misused("automode print-prompt: takes no words")
	}
	cfg, err := judge.LoadConfig(judge.ConfigPath(a.world.Env), a.world.Env)
	if err != nil {
		return refused("%w", err)
	}
	paths, err := cfg.PolicyPaths(a.world.Dir)
	if err != nil {
		return refused("%w", err)
	}
	for flag, to := range map[string]*string{"classifier": &paths.Classifier, "rules": &paths.Rules} {
		if name := c.String(flag); name != "" {
			*to = absolute(a.world.Dir, name)
		}
	}
	p, err := policy.Load(paths)
	if err != nil {
		return refused("%w", err)
	}
	if c.Bool("stats") {
		fmt.Fprintln(a.err, p.Stats())
	}
	_, err = fmt.Fprintln(a.out, p.Text)
	return err
}

// automodeEval hands its words to spar-judge, which has the cases and the way to the
// model.
func (a *app) automodeEval(ctx context.Context, c *cli.Command) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("where this program is: %w", err)
	}
	program, err := judge.Program(self)
	if err != nil {
		return refused("automode eval: %w", err)
	}
	words := []string{"eval"}
	for _, name := range [...]string{"replay", "record", "max-requests", "samples", "seed", "classifier", "rules"} {
		if c.IsSet(name) {
			words = append(words, "--"+name+"="+c.String(name))
		}
	}
	for _, name := range [...]string{"live", "list", "json"} {
		if c.Bool(name) {
			words = append(words, "--"+name)
		}
	}
	cmd := exec.CommandContext(ctx, program, append(words, a.operands(c)...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out, a.err
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitCode(statusCode(exit.ProcessState))
	}
	if err != nil {
		return refused("automode eval: %s can't be run: %w", program, err)
	}
	return nil
}
