package rehearse

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// toll charges three points for a push and one for an install, and speaks as the
// seat demands. The real limiter is tested with the real program; here the door
// and the flight are.
func toll(seen *[]string) *hook.Guard {
	return &hook.Guard{
		Name: "toll", Default: true,
		Events: []harness.Event{harness.PreTool, harness.PostTool},
		Inspect: func(_ context.Context, p *hook.Pass) (hook.Opinion, error) {
			var op hook.Opinion
			if p.Call.Event == harness.PostTool {
				*seen = append(*seen, p.Call.Command)
				return op, nil
			}
			kinds := map[string]int{}
			switch {
			case strings.Contains(p.Call.Command, "push"):
				kinds["outward"] = 3
			case strings.Contains(p.Call.Command, "install"):
				kinds["dependency"] = 1
			default:
				return op, nil
			}
			filed, err := p.Report(sortie.Report{
				Source: "toll", Phase: ledger.Pre, Subject: p.Call.Command, Charge: kinds,
				Grade: func(total int) ledger.Severity {
					return []ledger.Severity{ledger.Note, ledger.Note, ledger.Warn, ledger.Stop}[min(total, 3)]
				},
			})
			if err != nil {
				return op, err
			}
			switch filed.Verdict {
			case sortie.Halt:
				op.Decision, op.Reason = harness.Deny, fmt.Sprintf("toll: %d", filed.Total)
			case sortie.Advise:
				op.Context = fmt.Sprintf("toll: %d", filed.Total)
			}
			return op, nil
		},
	}
}

// session is a recording with two installs, a look and a push, each with the
// event after it.
func session(t *testing.T, header string) *Recording {
	t.Helper()
	var b strings.Builder
	if header != "" {
		b.WriteString(header + "\n")
	}
	line := func(event string, extra string) {
		fmt.Fprintf(&b, `{"hook_event_name":%q,"session_id":"s","cwd":"/home/nobody/project","transcript_path":"/home/nobody/t.jsonl"%s}`+"\n", event, extra)
	}
	line("SessionStart", `,"source":"startup"`)
	for i, command := range []string{"npm install a", "ls", "npm install b", "git push", "git status"} {
		call := fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"t%d","tool_input":{"command":%q}`, i, command)
		line("PreToolUse", call)
		line("PostToolUse", call+`,"tool_response":{"stdout":""}`)
	}
	line("SessionEnd", `,"reason":"other"`)
	rec, err := Read(strings.NewReader(b.String()), "session")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func fly(t *testing.T, rec *Recording, seat string) (*Flight, []string) {
	t.Helper()
	var after []string
	temp := t.TempDir()
	f, err := Fly(t.Context(), rec, Options{
		Guards: []*hook.Guard{toll(&after)}, Seat: seat, Temp: temp,
		Start: time.Date(2026, 9, 1, 2, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return f, after
}

func TestFly(t *testing.T) {
	t.Parallel()
	const empty = `{"rehearsal":1,"env":{"SPAR_AUTONOMY":"cron"}}`
	tests := []struct {
		name, header, seat string
		empty              bool
		answers            []string // of the calls, in order
		after              int      // events after a call that reached the guard
	}{
		{"attended", "", "", false, []string{Recorded, Free, Advised, Advised, Free}, 5},
		// The push didn't run, so what it reported afterwards is not played.
		{"unattended", empty, "", true, []string{Recorded, Free, Advised, Stopped, Free}, 4},
		{"seat filled", empty, Attended, false, []string{Recorded, Free, Advised, Advised, Free}, 5},
		{"seat emptied", "", Unattended, true, []string{Recorded, Free, Advised, Stopped, Free}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, after := fly(t, session(t, tt.header), tt.seat)
			var answers []string
			for _, act := range f.Acts {
				if act.Fault != "" {
					t.Errorf("act %d: %s", act.N, act.Fault)
				}
				if act.Event == "pre-tool" {
					answers = append(answers, act.Answer)
				}
			}
			if !reflect.DeepEqual(answers, tt.answers) {
				t.Errorf("answers %q, want %q", answers, tt.answers)
			}
			if f.Empty != tt.empty {
				t.Errorf("seat empty: %v, want %v", f.Empty, tt.empty)
			}
			if f.Total != 5 || f.Calls != 5 || f.Kinds["outward"] != 3 || f.Kinds["dependency"] != 2 {
				t.Errorf("total %d, %d calls, kinds %v; want 5, 5 and outward 3, dependency 2", f.Total, f.Calls, f.Kinds)
			}
			if len(after) != tt.after {
				t.Errorf("%d events after a call were played, want %d: %q", len(after), tt.after, after)
			}
			last := f.Acts[len(f.Acts)-1]
			if last.Event != "session-end" || len(last.Filed) != 1 {
				t.Errorf("the last act is %+v; want the session's end, with the landing filed", last)
			}
		})
	}
}

// The same recording gives the same flight: nothing of the clock, the machine or
// the run is in it.
func TestFlyTwice(t *testing.T) {
	t.Parallel()
	one, _ := fly(t, session(t, ""), Unattended)
	two, _ := fly(t, session(t, ""), Unattended)
	a, err := json.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(two)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("two flights of one recording differ:\n%s\n%s", a, b)
	}
}

// A payload that can't be read is told as the hook tells it, and the flight goes on.
func TestFlyOddPayloads(t *testing.T) {
	t.Parallel()
	rec, err := Read(strings.NewReader(`{"payload":[]}
{"payload":null}
{"hook_event_name":"PreToolUse","session_id":7,"tool_name":"Bash","tool_input":"x"}
{"hook_event_name":"Weather","session_id":"s"}
{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"never-seen","tool_input":{"command":"ls"}}
`), "odd")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := fly(t, rec, "")
	if len(f.Acts) < 4 || f.Acts[0].Fault == "" || f.Acts[1].Fault == "" || f.Acts[2].Fault == "" {
		t.Errorf("acts %+v; want a fault told for each of the first three", f.Acts)
	}
	if f.Total != 0 {
		t.Errorf("total %d of nothing", f.Total)
	}
}

func TestFlyLaysFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := lay(filepath.Join(dir, "home"), map[string]string{".redline.json": "{}", "a/b/c": "d"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{".redline.json": "{}", "a/b/c": "d"} {
		if got, err := os.ReadFile(filepath.Join(dir, "home", filepath.FromSlash(path))); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
		}
	}
}

func TestFlyEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	temp := t.TempDir()
	if _, err := Fly(ctx, session(t, ""), Options{Temp: temp}); err == nil {
		t.Error("a cancelled flight lands")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The session that ships with the program is what the README promises: about two
// dozen acts of one harness, every call followed by what it reported.
func TestShipped(t *testing.T) {
	t.Parallel()
	rec, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if rec.Harness != "claude" || rec.Title == "" {
		t.Errorf("header %+v", rec)
	}
	open := map[string]bool{}
	for _, step := range rec.Steps {
		c, odd, err := harness.Parse(step.Payload, harness.Hint{Harness: rec.Harness}, func(string) string { return "" })
		if err != nil || len(odd) > 0 || c.Event == harness.Other {
			t.Errorf("line %d: %v, odd %q, event %v", step.Line, err, odd, c)
			continue
		}
		switch c.Event {
		case harness.PreTool:
			open[c.ID] = true
		case harness.PostTool, harness.PostFailure:
			if !open[c.ID] {
				t.Errorf("line %d: the end of a call that has no beginning", step.Line)
			}
			delete(open, c.ID)
		}
	}
	for id := range open {
		t.Errorf("call %s has no end", id)
	}
}
