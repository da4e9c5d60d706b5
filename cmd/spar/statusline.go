package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
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
	switch {
	case len(args) == 2 && args[0] == "--home":
		q.Flag = args[1]
	case len(args) == 1:
		q.Flag = strings.TrimPrefix(args[0], "--home=")
		if q.Flag == args[0] {
			return "", fmt.Errorf("unknown word %q", args[0])
		}
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
	return s.line(barColours(w)), nil
}

func isNoSortie(err error) bool { return errors.Is(err, sortie.ErrNoSortie) }

// The colours of the bar. It has no more than a glance: what a person has to act on
// is red, what is coming is yellow, what they chose themselves is cyan.
const (
	plainText = ""
	red       = "31"
	green     = "32"
	yellow    = "33"
	cyan      = "36"
)

// barColours reports whether the harness's bar takes colours. Its terminal isn't
// ours to ask: all that is known is what the harness was started in. NO_COLOR
// (no-color.org) and a dumb terminal say no; Windows' own terminal sets no TERM.
func barColours(w sortie.World) bool {
	term := w.Env("TERM")
	switch {
	case w.Env("NO_COLOR") != "" || term == "dumb":
		return false
	}
	return term != "" || w.Env("WT_SESSION") != "" || w.Env("COLORTERM") != ""
}

// line is the status in one line: form, points against the limit, fuel, swing,
// wingmen, seat. What is as it should be is left out.
func (s *status) line(colour bool) string {
	tint := func(code, text string) string {
		if !colour || code == plainText {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	form := string(s.Mode)
	if s.Range != "" {
		form += "/" + s.Range
	}
	parts := []string{"spar: " + form}
	points := green
	switch {
	case s.Points >= s.Limit:
		points = red
	case s.Points > 0:
		points = yellow
	}
	parts = append(parts, tint(points, fmt.Sprintf("redline %d/%d", s.Points, s.Limit)))
	if s.Fuel.Budget > 0 {
		fuel, code := fmt.Sprintf("fuel %d/%d", s.Fuel.Spent, s.Fuel.Budget), plainText
		if s.Fuel.Bingo {
			fuel, code = fuel+" bingo", red
		}
		parts = append(parts, tint(code, fuel))
	}
	if s.Swing != nil {
		swing, code := sortie.Line(s.Swing.Action, 40), cyan
		if s.Swing.Overdue {
			swing, code = swing+" (overdue)", red
		}
		parts = append(parts, tint(code, swing))
	}
	if s.Wingmen > 0 {
		parts = append(parts, count(s.Wingmen, "wingman"))
	}
	if s.Seat.Empty {
		parts = append(parts, tint(cyan, "seat empty"))
	}
	return strings.Join(parts, " · ")
}
