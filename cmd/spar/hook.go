package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/guards"
	"spar/guards/groundtruth"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// runHook is `spar hook` and `spar GUARD hook`: a harness started it, so it
// exits 0 whatever happens and prints usage on stderr only. only is the one guard
// to run, nil for all that are mounted.
func runHook(ctx context.Context, args []string, only *hook.Guard, io stdio, w sortie.World) int {
	d := hook.Door{Guards: guards.All(), In: io.in, Out: io.out, Err: io.err, World: w}
	if only != nil {
		d.Guards, d.Alone = []*hook.Guard{only}, true
		if only.Mute {
			io = io.muted()
			d.Err = io.err
		}
	}
	if err := hookFlags(&d, args); err != nil {
		fmt.Fprintf(io.err, "spar hook: %v; see spar hook --help\n", err)
	}
	if only != nil && only.Name == groundtruth.Guard.Name && d.Part == "stop" {
		return runStop(ctx, d)
	}
	d.Run(ctx)
	return exitFine
}

// runStop is `spar groundtruth hook stop`: the one hook that speaks by its exit
// code, so that a plain shell can be the gate. A payload that can't be read
// confirms nothing either.
func runStop(ctx context.Context, d hook.Door) int {
	out, answer := d.Out, new(bytes.Buffer)
	d.Out = answer
	got := d.Run(ctx)
	switch {
	case got.Call == nil:
		fmt.Fprintln(d.Err, "spar: the claims of this session could not be verified: there is no payload to say whose they are")
		return exitUnreadable
	case got.Call.Event == harness.Stop && got.Answer.Decision == harness.Deny:
		fmt.Fprintln(d.Err, got.Answer.Reason)
		return exitUnreadable
	}
	if _, err := out.Write(answer.Bytes()); err != nil {
		fmt.Fprintf(d.Err, "spar hook: the answer did not reach the harness: %v\n", err)
	}
	return exitFine
}

// muted is the same streams with nobody at the far end of stderr.
func (s stdio) muted() stdio {
	s.err = io.Discard
	return s
}

// hookFlags reads the words of a hook entry. It is no business of the command
// tree's: a hook that is mistyped still has to judge what it is handed.
func hookFlags(d *hook.Door, args []string) error {
	var odd []string
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		take := func(into *string) {
			switch {
			case joined:
				*into = value
			case i+1 < len(args):
				i++
				*into = args[i]
			default:
				odd = append(odd, name+" needs a value")
			}
		}
		switch name {
		case "--harness":
			take(&d.Harness)
		case "--event":
			take(&d.Event)
		case "--home":
			take(&d.HomeFlag)
		case "session", "burn", "wingman", "land", "prompt", "pre", "post", "stop":
			d.Part = name
		default:
			odd = append(odd, fmt.Sprintf("unknown word %q", args[i]))
		}
	}
	if len(odd) > 0 {
		return fmt.Errorf("%s", strings.Join(odd, ", "))
	}
	return nil
}

// hookHelpCommand stands in the tree for help only: the hook itself never gets
// that far.
func (a *app) hookHelpCommand() *cli.Command {
	return &cli.Command{
		Name:      "hook",
		Usage:     "read one harness payload on stdin, run every mounted guard, print one answer or nothing",
		UsageText: "spar hook [--harness claude] [--event PreToolUse] [--home DIR] [session|burn|wingman|land|prompt]",
		Description: `A harness starts this on every event. It exits 0 whatever happens; what went
wrong is one line on stderr and in .spar/hook-errors.log.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "harness", Usage: "which harness speaks; without it the payload is looked at"},
			&cli.StringFlag{Name: "event", Usage: "the event in the harness's own spelling"},
		},
	}
}
