package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"spar/guards"
	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
)

// mountCommand is `spar mount`.
func (a *app) mountCommand() *cli.Command {
	return &cli.Command{
		Name:      "mount",
		Usage:     "run a tool of your own (a linter, a test run) and file what it said",
		ArgsUsage: "COMMAND ARGS...",
		UsageText: "spar mount [--as NAME] [--timeout 10m] -- COMMAND ARGS...",
		Description: `Its output passes through; what is filed is its exit code and its last three lines,
a note where it exits 0 and a warn otherwise.

Exit: the command's own; 127 where it can't be found, 124 where it ran out of time
(it is ended with all that it started), 64 where there is nothing to mount.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Usage: "the name it is filed under; the command's own where not given"},
			&cli.StringFlag{Name: "timeout", Usage: "how long it may run", Value: "10m"},
			sortieFlag(),
		},
		Action: a.mount,
	}
}

func (a *app) mount(ctx context.Context, c *cli.Command) error {
	argv := a.operands(c)
	if len(argv) == 0 || argv[0] == "" {
		return usage("mount: nothing to mount; spar mount -- COMMAND ARGS...")
	}
	limit, err := time.ParseDuration(c.String("timeout"))
	if err != nil || limit <= 0 {
		return usage("mount: --timeout wants a time span such as 90s or 10m, got %q", c.String("timeout"))
	}
	name := strings.TrimSpace(c.String("as"))
	switch {
	case c.IsSet("as") && name == "":
		return usage("mount: --as is empty")
	case name == "":
		name = strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	}
	// A finding's source says who is to be believed.
	if name == "spar" || guards.Find(name) != nil {
		return usage("mount: %q is the name of a part of spar; choose another with --as", name)
	}
	h, err := a.home(c)
	if err != nil {
		return err
	}
	code, said, started := a.runMounted(ctx, argv, limit)
	filed := code
	if !started {
		filed = -1
	}
	if err := a.fileMounted(c, h, name, argv, filed, said); err != nil {
		fmt.Fprintf(a.err, "spar: %s exited %d — not filed: %v\n", name, code, err)
	} else {
		fmt.Fprintf(a.err, "spar: %s exited %d — filed\n", name, code)
	}
	if code != 0 {
		return exitCode(code)
	}
	return nil
}

// runMounted runs a tool in a process group of its own, so that what it started
// ends with it when its time is up.
func (a *app) runMounted(ctx context.Context, argv []string, limit time.Duration) (code int, said []string, started bool) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	sortie.OwnGroup(cmd)
	// A group that reads from a terminal in whose background it runs is stopped by
	// it; a pipe is handed on.
	if f, ok := a.in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		cmd.Stdin = a.in
	}
	tail := &lastLines{}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(a.out, tail), io.MultiWriter(a.err, tail)
	cmd.WaitDelay = time.Second
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return a.notStarted(argv[0], err), nil, false
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				_ = sortie.SignalGroup(cmd, s)
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		fmt.Fprintf(a.err, "spar: %s ran longer than %v and was ended\n", argv[0], limit)
		code = 124
	case cmd.ProcessState != nil:
		code = statusCode(cmd.ProcessState)
	case err != nil:
		fmt.Fprintf(a.err, "spar: %s: %v\n", argv[0], err)
		code = exitFault
	}
	return code, tail.lines(), true
}

// fileMounted files what a tool said in the sortie that is aloft, or beside all
// sorties.
func (a *app) fileMounted(c *cli.Command, h sortie.Home, name string, argv []string, code int, said []string) error {
	f, _, err := a.pick(c, h)
	if err != nil {
		return err
	}
	sev := ledger.Note
	if code != 0 {
		sev = ledger.Warn
	}
	if said == nil {
		said = []string{}
	}
	subject := sortie.Line(redact.Text(strings.Join(argv, " ")), 200)
	seen := map[string]any{"exit": code, "said": said}
	b := h.Open(a.world)
	defer b.Close()
	if f.Aloft() {
		_, err = b.Report(sortie.Leg{Flight: f, Session: ""}, sortie.Report{
			Source: name, Phase: ledger.Brief, Severity: sev, Subject: subject, Observed: seen, Expected: 0, Actor: a.actor(),
		})
	} else {
		observed, merr := json.Marshal(seen)
		if merr != nil {
			return merr
		}
		err = b.Append(&ledger.Finding{
			Phase: ledger.Brief, Source: name, Severity: sev, Subject: subject, Observed: observed,
			Expected: json.RawMessage("0"), Mode: ledger.Strike, Actor: a.actor(), Outcome: string(sortie.Logged),
		})
	}
	if err == nil {
		err = b.Commit()
	}
	return err
}

// lastLines keeps the last three lines that hold anything. Two streams write to
// it.
type lastLines struct {
	mu   sync.Mutex
	kept []string
	part []byte
}

// maxSaid bounds one kept line, in bytes.
const maxSaid = 2000

func (l *lastLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			l.grow(rest)
			break
		}
		l.grow(rest[:i])
		l.end()
		rest = rest[i+1:]
	}
	return len(p), nil
}

func (l *lastLines) grow(p []byte) {
	l.part = append(l.part, p[:min(len(p), max(0, maxSaid-len(l.part)))]...)
}

func (l *lastLines) end() {
	if s := sortie.Line(string(l.part), maxSaid); s != "" {
		if l.kept = append(l.kept, redact.Text(s)); len(l.kept) > 3 {
			l.kept = l.kept[1:]
		}
	}
	l.part = l.part[:0]
}

func (l *lastLines) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
	return l.kept
}
