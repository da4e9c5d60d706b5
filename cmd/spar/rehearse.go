package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"spar/cmd/spar/rehearse"
	"spar/guards"
)

// rehearseCommand is `spar rehearse`: what would this session have cost?
func (a *app) rehearseCommand() *cli.Command {
	return &cli.Command{
		Name:      "rehearse",
		Usage:     "fly a recorded session of hook payloads through the real door and say what came of each call",
		ArgsUsage: "[FILE]",
		Description: `Without FILE, flies the session that comes with the program; - is standard input. A
recording is one hook payload a line, as a harness hands it to a hook; see
docs/rehearsal.md. Nothing of it is run, and your own sorties aren't touched:
the flight has a home of its own, which is removed.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "attended", Usage: "with somebody in the seat, whatever the recording says"},
			&cli.BoolFlag{Name: "unattended", Usage: "with nobody in the seat, whatever the recording says"},
			&cli.BoolFlag{Name: "json", Usage: "one JSON object"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Bool("attended") && c.Bool("unattended") {
				return usage("rehearse: --attended and --unattended can't both be; give one or neither")
			}
			if c.NArg() > 1 {
				return usage("rehearse: one recording at a time, got %d", c.NArg())
			}
			rec, err := a.recording(c.Args().First())
			if err != nil {
				return unreadable(err)
			}
			o := rehearse.Options{Guards: guards.All(), Start: a.world.Now()}
			switch {
			case c.Bool("attended"):
				o.Seat = rehearse.Attended
			case c.Bool("unattended"):
				o.Seat = rehearse.Unattended
			}
			// An interrupted flight still takes its home away.
			ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
			defer stop()
			flight, err := rehearse.Fly(ctx, rec, o)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return rehearse.JSON(a.out, flight)
			}
			other := "--unattended"
			if flight.Empty {
				other = "--attended"
			}
			width, color := screen(a.out, a.world.Env)
			return rehearse.Print(a.out, flight, rehearse.Style{
				Width: width, Color: color,
				Next: []string{
					"spar rehearse " + other + " flies it the other way round",
					"spar explain 'COMMAND' says what a command line would do and cost",
					"spar install puts your own sessions on the gauge",
				},
			})
		},
	}
}

// recording is the one the command line means.
func (a *app) recording(name string) (*rehearse.Recording, error) {
	switch name {
	case "":
		return rehearse.Shipped()
	case "-":
		return rehearse.Read(a.in, "standard input")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("the recording can't be opened: %w", err)
	}
	defer f.Close()
	return rehearse.Read(f, name)
}

// screen is the width of the terminal that w is (0 where it is none) and whether
// it may be coloured (https://no-color.org: any NO_COLOR says no).
func screen(w io.Writer, env func(string) string) (width int, color bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 80
	}
	return width, env("NO_COLOR") == "" && env("TERM") != "dumb"
}
