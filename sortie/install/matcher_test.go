package install

import (
	"slices"
	"strings"
	"testing"

	"spar/sortie/harness"
)

// TestReachOf: behaviour 7, and the matchers that live runs showed to fire or not.
func TestReachOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		harness string
		event   harness.Event
		matcher string
		want    string // "all", names, "problem"
	}{
		{"claude", harness.PreTool, "", "all"},
		{"claude", harness.PreTool, "*", "all"},
		{"claude", harness.PreTool, ".*", "all"},
		{"claude", harness.PreTool, ".+", "all"},
		{"claude", harness.PreTool, "Bash|.*", "all"},
		{"claude", harness.PreTool, "Write|Edit|Bash", "Bash Write Edit"},
		{"claude", harness.PreTool, "Bash, Write", "Bash Write"},
		{"claude", harness.PreTool, "^(Write|Edit)$", "Write Edit"},
		{"claude", harness.PreTool, "Edit.*", "Edit NotebookEdit"}, // unanchored
		{"claude", harness.PreTool, "Edit", "Edit"},                // and a list is not
		{"claude", harness.PreTool, "mcp__.*", "mcp__server__tool"},
		{"claude", harness.PreTool, "Task", "Agent"},
		{"claude", harness.PreTool, "bash", ""},
		{"claude", harness.PreTool, "Bash(echo *)", ""},
		{"claude", harness.PreTool, "^(?!Read)", "problem"},
		{"claude", harness.PreTool, "(", "problem"},
		// Every tool of today, and none of tomorrow's.
		{"claude", harness.PreTool, "Bash|PowerShell|Monitor|Write|Edit|NotebookEdit|Read|Glob|Grep|WebFetch|WebSearch|Agent|mcp__server__tool",
			"Bash PowerShell Monitor Write Edit NotebookEdit Read Glob Grep WebFetch WebSearch Agent mcp__server__tool"},
		{"claude", harness.SessionStart, "startup", "startup"},
		{"claude", harness.SessionStart, "startup|resume|clear|compact|fork", "all"},
		{"claude", harness.SessionStart, "startup|resume", "startup resume"},
		{"claude", harness.Stop, "whatever", "all"}, // matchers are ignored there
		{"claude", harness.Prompt, "x", "all"},
		{"codex", harness.PreTool, "Write", "apply_patch"},
		{"codex", harness.PreTool, "shell", ""},
		{"codex", harness.PreTool, "Bash", "Bash"},
		{"gemini", harness.PreTool, "write", "write_file"},
		{"gemini", harness.PreTool, "Bash", ""},
		{"gemini", harness.PreTool, "*", "all"},
		{"qwen", harness.PreTool, "Shell", "run_shell_command"},
		{"copilot", harness.PreTool, "*", "all"},
		{"copilot", harness.PreTool, "Edit|Write", "Write Edit"},
	}
	for _, tt := range tests {
		t.Run(tt.harness+" "+tt.matcher, func(t *testing.T) {
			t.Parallel()
			w, _ := harness.Wiring(tt.harness)
			r := ReachOf(w, tt.event, tt.matcher)
			got := strings.Join(r.Names, " ")
			switch {
			case r.All:
				got = "all"
			case r.Problem != "":
				got = "problem"
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestReachCovers: what a part needs two tools of is served by a list of three.
func TestReachCovers(t *testing.T) {
	t.Parallel()
	w, _ := harness.Wiring("claude")
	list := ReachOf(w, harness.PreTool, "Write|Edit|Bash")
	if !list.Covers("Write", "Edit") || list.Covers("Write", "Read") || list.Covers() {
		t.Errorf("%+v covers the wrong things", list)
	}
	if all := ReachOf(w, harness.PreTool, "*"); !all.Covers() || !all.Covers("Anything") {
		t.Error("* does not cover everything")
	}
}

// TestEveryWireCanBeRead: what is written for a harness is, read back, whole; a row
// in the wiring that this package can't follow is a failure here and not a gate
// that never fires.
func TestEveryWireCanBeRead(t *testing.T) {
	t.Parallel()
	for _, name := range harness.Wirings() {
		w, ok := harness.Wiring(name)
		if !ok {
			t.Errorf("%s is listed and has no wiring", name)
			continue
		}
		for _, all := range w.MatchAll {
			if !ReachOf(w, harness.PreTool, all).All {
				t.Errorf("%s: %q reaches all by its row, and not by ours", name, all)
			}
		}
		for _, windows := range []bool{false, true} {
			for _, program := range []string{"spar", "/opt/spar", `C:/Program Files/spar.exe`, "//server/share/spar.exe"} {
				for _, r := range w.Runners {
					for _, e := range w.Events {
						c := ReadCommand(w.Command(r, program, e.Name, windows), nil, nil)
						if !c.Ours || c.Chained || c.Bare || c.Harness != name || c.Event != e.Name || c.Program != program || c.Guarded != r.Guarded {
							t.Errorf("%s: %q is read as %+v", name, w.Command(r, program, e.Name, windows), c)
						}
					}
				}
			}
		}
		if w.Shape != harness.Whole && (len(w.Runners) == 0 || len(w.Events) == 0) {
			t.Errorf("%s: nothing to write", name)
		}
		if !slices.ContainsFunc(w.Events, func(e harness.Wired) bool { return e.Event == harness.PreTool }) {
			t.Errorf("%s: calls are not gated", name)
		}
	}
}
