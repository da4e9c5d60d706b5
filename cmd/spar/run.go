package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"spar/guards"
	"spar/sortie"
)

// Exit codes, the same for every command (docs/exit-codes.md).
const (
	exitFine       = 0
	exitRefused    = 1  // a refusal or a limit
	exitUnreadable = 2  // something could not be read
	exitPast       = 3  // a probe failed, or a runner's sortie ended past its limit
	exitUsage      = 64 // the words of the call are off
	exitFault      = 70 // our own fault
)

// stdio is what a process reads and writes.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// app is what every command gets: the streams, the world, and the words after
// `--`, which cli never sees.
type app struct {
	stdio
	world sortie.World
	// after are the words behind `--`; dashes says that there was one.
	after  []string
	dashes bool
}

// exitError carries an exit code out of a command. A nil err prints nothing.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitCode ends a command with a code and no message of its own.
func exitCode(code int) error { return &exitError{code: code} }

// refused is exit 1: the call was understood and is not done.
func refused(format string, args ...any) error {
	return &exitError{exitRefused, fmt.Errorf(format, args...)}
}

// unreadable is exit 2.
func unreadable(err error) error { return &exitError{exitUnreadable, err} }

// usage is exit 64: the words of the call are off.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// run is the whole program: arguments (without the program's name), streams and
// the world in, the exit code out. What a harness starts on every call is told
// apart before any command tree exists; building one costs more than the call.
func run(ctx context.Context, args []string, io stdio, w sortie.World) (code int) {
	if len(args) > 0 && !slices.Contains(args, "--help") && !slices.Contains(args, "-h") {
		switch {
		case args[0] == "hook":
			return runHook(ctx, args[1:], nil, io, w)
		case args[0] == "statusline":
			return runStatusline(args[1:], io, w)
		case len(args) > 1 && args[1] == "hook":
			if g := guards.Find(args[0]); g != nil {
				return runHook(ctx, args[2:], g, io, w)
			}
		}
	}
	return runTyped(ctx, args, io, w)
}

// runTyped is what a person typed: the command tree.
func runTyped(ctx context.Context, args []string, io stdio, w sortie.World) (code int) {
	a := &app{stdio: io, world: w}
	root := a.tree()
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	words, err := a.split(root, args)
	if err == nil {
		err = root.Run(ctx, append([]string{root.Name}, words...))
	}
	return a.finish(err)
}

// finish prints an error the one way every command prints errors, and turns it
// into the exit code.
func (a *app) finish(err error) int {
	if err == nil {
		return exitFine
	}
	var e *exitError
	if !errors.As(err, &e) {
		// What cli itself refuses is a usage error: our own faults carry a code.
		e = &exitError{exitUsage, err}
	}
	if e.err != nil {
		fmt.Fprintf(a.err, "spar: %v\n", e.err)
	}
	return e.code
}

// tree is the command tree a person meets. Every command group is one file with
// one function.
func (a *app) tree() *cli.Command {
	root := &cli.Command{
		Name:  "spar",
		Usage: "count what a coding agent does, and stop it when nobody is in the seat",
		UsageText: `spar                       what form am I in, what was spent, is anyone in the seat
spar launch --autonomy --reason TEXT -- COMMAND...   fly a command unattended, and land it
spar melee --action TEXT --exit TEXT --state TEXT    commit to a swing whose cost is known
spar ledger                what happened
spar explain 'COMMAND'     what a command line would do and cost`,
		Version:         version(),
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "home", Usage: "the .spar folder to use instead of the one that is found"},
		},
		Commands: []*cli.Command{
			a.launchCommand(), a.landCommand(), a.modeCommand(), a.meleeCommand(), a.statusCommand(),
			a.fuelCommand(), a.discardCommand(), a.briefCommand(), a.logCommand(), a.mountCommand(),
			a.ledgerCommand(), a.explainCommand(), a.redlineCommand(), a.carbonCommand(), a.automodeCommand(), a.groundtruthCommand(), a.yubisashiCommand(), a.doctorCommand(), a.rehearseCommand(),
			a.hookHelpCommand(),
			a.installCommand(), a.uninstallCommand(), a.initCommand(),
			a.statuslineHelpCommand(), a.completionCommand(), a.helpCommand(),
		},
		Action: a.status,
	}
	exemplify(root, "")
	a.wire(root)
	return root
}

// wire gives every command of the tree our streams and our way with errors. cli
// inherits none of it, and left alone prints help on stdout for a typing error.
func (a *app) wire(c *cli.Command) {
	c.Reader, c.Writer, c.ErrWriter = a.in, a.out, a.err
	c.HideHelpCommand = true
	c.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usage("%w", err) }
	c.ExitErrHandler = func(context.Context, *cli.Command, error) {}
	if c.Action == nil && len(c.Commands) > 0 {
		c.Action = func(_ context.Context, c *cli.Command) error {
			return usage("%s: say which: %s", c.FullName(), subcommands(c))
		}
	}
	for _, sub := range c.Commands {
		a.wire(sub)
	}
}
