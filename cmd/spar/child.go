package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// runChild runs the command a person gave behind `--` with our own streams, so
// that a terminal stays a terminal, and returns its exit code as a shell would
// say it: 126 and 127 where it can't be run or found, 128 and the signal's number
// where one ended it. Signals that reach us reach the command; we stay, for what
// comes after it.
func (a *app) runChild(ctx context.Context, argv []string, env map[string]string) int {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out, a.err
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		_, ours := env[name]
		return ours
	})
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return a.notStarted(argv[0], err)
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				// A key on the terminal signals the whole foreground group, the command
				// included; sent on, it would count twice there.
				if (s == os.Interrupt || s == syscall.SIGQUIT) && foreground() {
					continue
				}
				_ = cmd.Process.Signal(s)
			case <-ctx.Done():
				_ = cmd.Process.Signal(os.Interrupt)
				return
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return statusCode(exit.ProcessState)
	}
	fmt.Fprintf(a.err, "spar: %s: %v\n", argv[0], err)
	return exitFault
}

// notStarted says why a command did not start, and as what it counts.
func (a *app) notStarted(name string, err error) int {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.err, "spar: %s: command not found\n", name)
		return 127
	}
	fmt.Fprintf(a.err, "spar: %s can't be run: %v\n", name, err)
	return 126
}

// statusCode is a finished process's code as a shell says it.
func statusCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
