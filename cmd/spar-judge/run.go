package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"spar/guards/automode/judge"
	"spar/guards/automode/policy"
)

// Exit codes: those of `spar automode`, which hands its arguments on.
const (
	exitFine  = 0
	exitFault = 1 // a configuration or a file
	exitUsage = 2
)

// maxAsk bounds what is read of a call, in bytes: spar judges calls up to 64 MiB, and JSON
// escapes what is in them.
const maxAsk = 96 << 20

const usageText = `spar-judge asks a model about one call of an agent. spar starts it; by hand there is

spar-judge print-prompt [--classifier FILE] [--rules FILE] [--config FILE] [--stats]
    print what the model reads
spar-judge eval CASES [--replay DIR | --live [--record DIR] --max-requests N] [--samples N] [--json]
    judge known cases and count what went wrong
spar-judge run
    judge the call on the input, written there by spar
spar-judge --version
`

// program is what the process is given from outside.
type program struct {
	in      io.Reader
	out     io.Writer
	err     io.Writer
	env     func(string) string
	dir     string
	now     func() time.Time
	version string
}

// run is the whole program: arguments in, exit code out.
func run(ctx context.Context, args []string, p *program) int {
	if len(args) == 0 {
		fmt.Fprint(p.out, usageText)
		return exitFine
	}
	switch args[0] {
	case "-h", "--help", "help":
		fmt.Fprint(p.out, usageText)
		return exitFine
	case "--version":
		fmt.Fprintf(p.out, "spar-judge version %s\n", p.version)
		return exitFine
	case "run":
		if len(args) > 1 {
			return p.usage("run takes no arguments; spar puts the call on its input")
		}
		return p.judge(ctx)
	case "print-prompt":
		return p.printPrompt(args[1:])
	case "eval":
		return p.eval(ctx, args[1:])
	}
	return p.usage("unknown command %q; the commands are run, print-prompt and eval", args[0])
}

func (p *program) usage(format string, args ...any) int {
	fmt.Fprintf(p.err, "spar-judge: "+format+"\n", args...)
	return exitUsage
}

func (p *program) fault(err error) int {
	fmt.Fprintf(p.err, "spar-judge: %v\n", err)
	return exitFault
}

// flags are those of one command, errors in our own words.
func (p *program) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse reads flags before and after the operands; flag alone stops at the first operand.
func parse(f *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			return operands, nil
		}
		operands = append(operands, f.Arg(0))
		args = f.Args()[1:]
	}
}

// judge reads a call and writes the outcome. Whatever goes wrong is an outcome too, exit code 0:
// spar has to be told why, and decides what follows.
func (p *program) judge(ctx context.Context) int {
	o := p.outcome(ctx)
	o.Version = p.version
	if err := json.NewEncoder(p.out).Encode(o); err != nil {
		return p.fault(err)
	}
	return exitFine
}

func (p *program) outcome(ctx context.Context) judge.Outcome {
	data, err := io.ReadAll(io.LimitReader(p.in, maxAsk+1))
	var a judge.Ask
	switch {
	case err != nil:
		return judge.FailureOutcome(judge.BadProgram, fmt.Errorf("the call could not be read: %w", err))
	case len(data) > maxAsk:
		return judge.FailureOutcome(judge.BadProgram, fmt.Errorf("the call has more than %d bytes", maxAsk))
	case json.Unmarshal(data, &a) != nil:
		return judge.FailureOutcome(judge.BadProgram, errors.New("the call is no JSON that spar wrote; start spar, not spar-judge"))
	case a.Version != p.version:
		return judge.FailureOutcome(judge.BadProgram, fmt.Errorf("spar-judge is version %s and spar is %s; install both from one release", p.version, a.Version))
	}
	c, err := p.config(a.Config)
	if err != nil {
		return judge.FailureOutcome(judge.BadConfig, err)
	}
	pol, err := p.policy(c, a.Cwd, a.Classifier, a.Rules)
	if err != nil {
		return judge.FailureOutcome(judge.BadPolicy, err)
	}
	j := judge.Judge{
		Config: c, Policy: pol, Now: p.now, Facts: p.facts,
		Connect: func(ctx context.Context) (judge.Client, string, error) { return p.connect(ctx, c.Provider) },
		Cache:   &judge.Cache{Dir: p.cacheDir(), AllowFor: time.Duration(c.AllowSeconds) * time.Second, Now: p.now},
	}
	return j.Do(ctx, a)
}

func (p *program) config(path string) (judge.Config, error) {
	if path == "" {
		path = judge.ConfigPath(p.env)
	}
	return judge.LoadConfig(path, p.env)
}

// policy is the embedded one, with the configuration's files in its place, and those of the
// command line before them. The latter were written by a person into settings of theirs.
func (p *program) policy(c judge.Config, dir, classifier, rules string) (*policy.Policy, error) {
	paths, err := c.PolicyPaths(dir)
	if err != nil {
		return nil, err
	}
	if classifier != "" {
		paths.Classifier = classifier
	}
	if rules != "" {
		paths.Rules = rules
	}
	return policy.Load(paths)
}

// cacheDir is where verdicts are remembered, by the XDG base directory specification.
func (p *program) cacheDir() string {
	if d := p.env("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "spar", "automode")
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if d := p.env(name); filepath.IsAbs(d) {
			return filepath.Join(d, ".local", "state", "spar", "automode")
		}
	}
	return ""
}

// connect makes the client of a provider, with its key.
func (p *program) connect(ctx context.Context, pr judge.Provider) (judge.Client, string, error) {
	key, err := judge.Key(ctx, pr, p.env)
	if err != nil {
		return nil, "", err
	}
	switch pr.Protocol {
	case judge.Exec:
		return judge.ExecClient{Command: pr.Command}, key, nil
	case judge.Replay:
		return judge.ReplayClient{Dir: pr.ReplayDir}, key, nil
	case judge.Chat:
		return newChat(pr, key), key, nil
	}
	return newMessages(pr, key), key, nil
}

func (p *program) printPrompt(args []string) int {
	f := p.flags("print-prompt")
	classifier := f.String("classifier", "", "")
	rules := f.String("rules", "", "")
	config := f.String("config", "", "")
	stats := f.Bool("stats", false, "")
	rest, err := parse(f, args)
	if err != nil {
		return p.usage("print-prompt: %v", err)
	}
	if len(rest) > 0 {
		return p.usage("print-prompt: unexpected %q", rest[0])
	}
	c, err := p.config(*config)
	if err != nil {
		return p.fault(err)
	}
	pol, err := p.policy(c, p.dir, *classifier, *rules)
	if err != nil {
		return p.fault(err)
	}
	if _, err := fmt.Fprintln(p.out, pol.Text); err != nil {
		return p.fault(err)
	}
	if *stats {
		fmt.Fprintln(p.err, pol.Stats())
	}
	return exitFine
}
