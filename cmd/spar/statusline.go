package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"spar/ledger"
	"spar/sortie"
)

// statuslineWait bounds how long a status bar waits for the ledger; it is asked
// again in a moment.
const statuslineWait = 200 * time.Millisecond

// statuslineCap is how much of a harness's JSON is read.
const statuslineCap = 1 << 20

// runStatusline is `spar statusline`: one line from the harness's JSON on stdin.
// A harness shows whatever it prints, so on anything wrong it prints nothing; it
// exits 0 always. It is no command of the tree: a bar is drawn many times a
// minute.
func runStatusline(args []string, io stdio, w sortie.World) int {
	if line, err := statusline(args, io, w); err == nil && line != "" {
		fmt.Fprintln(io.out, line)
	}
	return exitFine
}

func statusline(args []string, std stdio, w sortie.World) (string, error) {
	var in struct {
		Session   string `json:"session_id"`
		Cwd       string `json:"cwd"`
		Workspace struct {
			Current string `json:"current_dir"`
			Project string `json:"project_dir"`
		} `json:"workspace"`
	}
	if err := json.NewDecoder(io.LimitReader(std.in, statuslineCap)).Decode(&in); err != nil {
		return "", err
	}
	q := sortie.HomeQuery{Session: in.Session, Project: in.Workspace.Project, Cwd: in.Cwd}
	if q.Cwd == "" {
		q.Cwd = in.Workspace.Current
	}
	if len(args) == 2 && args[0] == "--home" {
		q.Flag = args[1]
	}
	h, err := sortie.FindHome(w, q)
	if err != nil {
		return "", err
	}
	// The session that the bar belongs to, whoever's process draws it.
	env := w.Env
	w.Env = func(name string) string {
		if name == "CLAUDE_CODE_SESSION_ID" && in.Session != "" {
			return in.Session
		}
		return env(name)
	}
	a := &app{stdio: std, world: w}
	s := &status{Limit: a.limit(h)}
	err = h.ViewWithin(w, statuslineWait, func(tx *ledger.Tx) error {
		f, _, err := sortie.Pick(tx, w, "", false)
		if err != nil {
			return err
		}
		return s.read(tx, h, f, w)
	})
	if isNoSortie(err) {
		return "spar: no sortie in " + filepath.Base(h.Root), nil
	}
	if err != nil {
		return "", err
	}
	return s.line(), nil
}

func isNoSortie(err error) bool { return errors.Is(err, sortie.ErrNoSortie) }

// line is the status in one line.
func (s *status) line() string {
	line := "spar: " + string(s.Mode)
	if s.Range != "" {
		line += "/" + s.Range
	}
	line += fmt.Sprintf(" · redline %d/%d", s.Points, s.Limit)
	if s.Fuel.Budget > 0 {
		line += fmt.Sprintf(" · fuel %d/%d", s.Fuel.Spent, s.Fuel.Budget)
		if s.Fuel.Bingo {
			line += " bingo"
		}
	}
	if s.Swing != nil {
		line += " · " + sortie.Line(s.Swing.Action, 40)
		if s.Swing.Overdue {
			line += " (overdue)"
		}
	}
	if s.Wingmen > 0 {
		line += " · " + count(s.Wingmen, "wingman")
	}
	if s.Seat.Empty {
		line += " · seat empty"
	}
	return line
}
