package sortie

import (
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// World is what a process knows of the outside. Nothing below cmd/spar asks the
// operating system for it, so tests can run side by side.
type World struct {
	// Now is the clock.
	Now func() time.Time
	// Env looks a variable up; "" for one that is unset.
	Env func(string) string
	// Dir is the working directory, absolute; "" where it is gone.
	Dir string
	// PPID is the parent's process id; 0 where there is none to speak of.
	PPID int
	// Process looks a process up; nil asks the operating system.
	Process func(pid int) (Process, error)
}

// first is the first of the variables that holds more than spaces.
func (w World) first(names ...string) string {
	for _, n := range names {
		if v := strings.TrimSpace(w.Env(n)); v != "" {
			return v
		}
	}
	return ""
}

// userHome is the person's own folder, "" where none is known.
func (w World) userHome() string {
	if runtime.GOOS == "windows" {
		return w.first("USERPROFILE", "HOME")
	}
	return w.Env("HOME")
}

// stateDir is where what belongs to a person and not to a project is kept, by
// the XDG base directory specification; "" where no place is known. A relative
// XDG_STATE_HOME is ignored, as that specification asks.
func (w World) stateDir() string {
	if d := w.Env("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "spar")
	}
	if runtime.GOOS == "windows" {
		if d := w.Env("LOCALAPPDATA"); filepath.IsAbs(d) {
			return filepath.Join(d, "spar")
		}
	}
	if d := w.userHome(); filepath.IsAbs(d) {
		return filepath.Join(d, ".local", "state", "spar")
	}
	return ""
}

// StateDir is the person's own folder for what spar keeps outside a project
// ($XDG_STATE_HOME/spar); "" where no place is known. It need not exist.
func (w World) StateDir() string { return w.stateDir() }

// DeclaredAutonomy is the reason a person put into SPAR_AUTONOMY (or, by its
// older name, AIRFRAME_AUTONOMY) for leaving the seat; "" where none was given.
// Spaces are no reason.
func DeclaredAutonomy(w World) string {
	return reasonText(w.first("SPAR_AUTONOMY", "AIRFRAME_AUTONOMY"))
}

// declaredBudget is the budget in SPAR_BUDGET or AIRFRAME_BUDGET. bad is the
// value, where it is none.
func declaredBudget(w World) (budget int, bad string) {
	v := w.first("SPAR_BUDGET", "AIRFRAME_BUDGET")
	if v == "" {
		return 0, ""
	}
	n, err := ParseBudget(v)
	if err != nil {
		return 0, v
	}
	return n, ""
}

// TypedSession is the session whose harness started this process, by the
// harness's variable; "" where a person typed in a terminal of their own.
func TypedSession(w World) string {
	return w.first("CLAUDE_CODE_SESSION_ID", "QWEN_CODE_SESSION_ID", "GEMINI_SESSION_ID")
}

// Typed says who typed a command: inside a harness's shell it is the agent.
// A person who types there is taken for the agent, which is the side to err on.
func Typed(w World) (agent bool) {
	if TypedSession(w) != "" {
		return true
	}
	v := w.Env("CLAUDECODE")
	return v != "" && v != "0"
}
