package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// eventsOf are the events that a harness's answers are shown for, in its own
// spelling: every one that its table maps to something.
func eventsOf(t testing.TB, name string) []string {
	t.Helper()
	candidates := []string{
		"SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
		"PermissionDenied", "SubagentStart", "SubagentStop", "PreCompact", "Stop",
		"sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "permissionRequest",
		"subagentStart", "subagentStop", "preCompact", "agentStop",
		"beforeSubmitPrompt", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "afterShellExecution", "afterMCPExecution",
		"afterFileEdit", "stop",
		"BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent",
		"session.created", "session.end", "chat.message", "tool.execute.before", "tool.execute.after",
		"session-start", "session-end", "prompt", "pre-tool", "post-tool", "post-failure", "permission", "denied",
		"agent-start", "agent-stop", "compact",
	}
	a := find(name)
	var events []string
	for _, c := range candidates {
		if a.event(c) != Other {
			events = append(events, c)
		}
	}
	if len(events) < 2 {
		t.Fatalf("%s: events %q", name, events)
	}
	return events
}

// answers are the answers that are rendered for every event.
var answers = []struct {
	name string
	give Answer
}{
	{"allow", Answer{Decision: Allow, Reason: "a reader"}},
	{"ask", Answer{Decision: Ask, Reason: "redline: 3"}},
	{"deny", Answer{Decision: Deny, Reason: "redline: 3 <irreversible>"}},
	{"deny without a reason", Answer{Decision: Deny}},
	{"context", Answer{Context: "redline: 2"}},
	{"person", Answer{Person: "for you"}},
	{"all", Answer{Decision: Deny, Reason: "redline: 3", Context: "beside", Person: "for you"}},
}

// The answer of every harness to every event, as it goes out. SPAR_UPDATE=1
// writes the golden files.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			for _, event := range eventsOf(t, name) {
				for _, a := range answers {
					c := &Call{Harness: name, Name: event, Event: find(name).event(event), Kind: Shell, Command: "git push"}
					out := Render(c, a.give)
					if out != nil {
						fmt.Fprintf(&got, "%s, %s: %s", event, a.name, out)
					}
				}
			}
			golden := filepath.Join("testdata", "answers", name+".golden")
			if os.Getenv("SPAR_UPDATE") != "" {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
			}
		})
	}
}

// accepted are the keys that an event takes, by harness; a key of an inner object
// is spelled outer.inner. Codex and Muse void an answer for a key beyond them.
func accepted(name string, c *Call) []string {
	nested := []string{"systemMessage", "hookSpecificOutput", "hookSpecificOutput.hookEventName"}
	const own = "hookSpecificOutput."
	switch name {
	case "claude", "codex", "qwen", "muse", "droid":
		switch c.Event {
		case PreTool:
			return append(nested, own+"permissionDecision", own+"permissionDecisionReason", own+"additionalContext")
		case Permission:
			if name == "codex" || name == "muse" {
				nested = nested[1:]
			}
			return append(nested, own+"decision", own+"decision.behavior", own+"decision.message")
		case Stop, AgentStop:
			return []string{"decision", "reason", "systemMessage"}
		}
		return append(nested, own+"additionalContext")
	case "gemini":
		switch c.Event {
		case PreTool, Stop:
			return []string{"decision", "reason", "systemMessage"}
		}
		return append(nested, own+"additionalContext")
	case "copilot":
		switch {
		case c.Event == PreTool && c.Name == "PreToolUse":
			return append(nested[1:], own+"permissionDecision", own+"permissionDecisionReason", own+"additionalContext")
		case c.Event == PreTool:
			return []string{"permissionDecision", "permissionDecisionReason", "additionalContext"}
		case c.Event == Permission:
			return []string{"behavior", "message"}
		case c.Event == Stop:
			return []string{"decision", "reason"}
		}
		return []string{"additionalContext"}
	case "cursor":
		switch c.Event {
		case PreTool:
			return []string{"permission", "user_message", "agent_message"}
		case Prompt:
			return []string{"continue", "additional_context"}
		case Stop, AgentStop:
			return []string{"followup_message"}
		}
		return []string{"additional_context"}
	case "opencode":
		return []string{"deny", "context"}
	case "antigravity", "grok":
		return []string{"decision", "reason"}
	case "generic":
		return []string{"decision", "reason", "context", "person"}
	}
	return nil
}

func keysOf(prefix string, doc map[string]any) []string {
	var keys []string
	for k, v := range doc {
		keys = append(keys, prefix+k)
		if inner, ok := v.(map[string]any); ok {
			keys = append(keys, keysOf(prefix+k+".", inner)...)
		}
	}
	return keys
}

// No answer holds a key that its event doesn't take, an enum value that its
// harness doesn't know, a denial without a reason, or another event's name.
func TestAnswersHoldOnlyWhatIsTaken(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		for _, event := range eventsOf(t, name) {
			c := &Call{Harness: name, Name: event, Event: find(name).event(event), Kind: Shell, Command: "git push"}
			for _, a := range answers {
				out := Render(c, a.give)
				if out == nil {
					continue
				}
				what := fmt.Sprintf("%s %s, %s: %s", name, event, a.name, out)
				var doc map[string]any
				if err := json.Unmarshal(out, &doc); err != nil || len(doc) == 0 {
					t.Errorf("%s: %v", what, err)
					continue
				}
				for _, k := range keysOf("", doc) {
					if !slices.Contains(accepted(name, c), k) {
						t.Errorf("%s holds %s", what, k)
					}
				}
				inner, _ := doc["hookSpecificOutput"].(map[string]any)
				if inner != nil && inner["hookEventName"] != event {
					t.Errorf("%s is another event's", what)
				}
				if inner["permissionDecision"] == "deny" && inner["permissionDecisionReason"] == nil {
					t.Errorf("%s denies without a reason", what)
				}
				if name == "codex" || name == "muse" {
					if d := inner["permissionDecision"]; d != nil && d != "deny" {
						t.Errorf("%s decides %v, which lets the call run", what, d)
					}
				}
				if strings.Contains(string(out), "updatedInput") {
					t.Errorf("%s rewrites the call", what)
				}
			}
			if out := Render(c, Answer{}); out != nil {
				t.Errorf("%s %s: silence is %q", name, event, out)
			}
		}
	}
}

// What a row promises is what comes out, and what it doesn't promise never does.
func TestAbilities(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		can := Abilities(name)
		if can.Evidence == "" || !can.Deny {
			t.Errorf("%s: row %+v", name, can)
		}
		call := func(e Event) *Call {
			for _, event := range eventsOf(t, name) {
				if find(name).event(event) == e {
					return &Call{Harness: name, Name: event, Event: e, Kind: Shell, Command: "spar mode cruise"}
				}
			}
			return nil
		}
		says := func(e Event, a Answer, want string) bool {
			c := call(e)
			return c != nil && strings.Contains(string(Render(c, a)), want)
		}
		check := func(what string, promised, got bool) {
			if promised != got {
				t.Errorf("%s: %s promised %v, rendered %v", name, what, promised, got)
			}
		}
		check("deny", can.Deny, says(PreTool, Answer{Decision: Deny, Reason: "XX"}, "XX"))
		check("ask", can.Ask, says(PreTool, Answer{Decision: Ask, Reason: "XX"}, `"ask"`))
		check("grant", can.Grant, says(PreTool, Answer{Decision: Allow}, `"allow"`))
		check("context at the start", can.ContextStart, says(SessionStart, Answer{Context: "XX"}, "XX"))
		check("context beside a prompt", can.ContextPrompt, says(Prompt, Answer{Context: "XX"}, "XX"))
		check("context before", can.ContextBefore, says(PreTool, Answer{Context: "XX"}, "XX"))
		check("context after", can.ContextAfter, says(PostTool, Answer{Context: "XX"}, "XX"))
		check("text for the person", can.Person, says(PreTool, Answer{Person: "XX"}, "XX"))
		check("holding a stop", can.StopBlock != 0, says(Stop, Answer{Decision: Deny, Reason: "XX"}, "XX"))
		check("permission events", can.PermissionEvent, says(Permission, Answer{Decision: Allow}, "allow") && name != "muse" && name != "droid" && name != "grok")
		if !can.Ask {
			if !says(PreTool, Answer{Decision: Ask, Reason: "XX"}, `pilot: spar mode cruise`) {
				t.Errorf("%s: an ask that can't be asked leaves the pilot without the line", name)
			}
			if says(PreTool, Answer{Decision: Ask, Reason: "XX"}, "?") {
				t.Errorf("%s: a question that nobody can be asked", name)
			}
		}
		if can.ContextCap > 0 {
			if out := Render(call(SessionStart), Answer{Context: strings.Repeat("x", 2*can.ContextCap)}); len(out) > can.ContextCap+200 {
				t.Errorf("%s: %d bytes of context, cap %d", name, len(out), can.ContextCap)
			}
		}
	}
	if got := Abilities("nobody"); got.Deny || got.Evidence != "" {
		t.Errorf("nobody can %+v", got)
	}
}

// A denial where subagents can't be stopped is told, not pretended.
func TestSpawnThatCannotBeStopped(t *testing.T) {
	t.Parallel()
	c := &Call{Harness: "claude", Event: PreTool, Name: "PreToolUse", Kind: Spawn}
	can := Abilities("claude")
	if got := fit(c, Answer{Decision: Deny, Reason: "why"}, can); got.Decision != Deny {
		t.Errorf("%+v", got)
	}
	can.Spawn = false
	if got := fit(c, Answer{Decision: Deny, Reason: "why", Context: "beside"}, can); got != (Answer{Context: "why\nbeside"}) {
		t.Errorf("%+v", got)
	}
}

// What isn't taken at once is left for later, and only that.
func TestLate(t *testing.T) {
	t.Parallel()
	pre := func(h string) *Call { return &Call{Harness: h, Event: PreTool, Pair: "p"} }
	tests := []struct {
		name       string
		call       *Call
		give       Answer
		text, pair string
	}{
		{"claude takes it", pre("claude"), Answer{Context: "x"}, "", ""},
		{"gemini doesn't", pre("gemini"), Answer{Context: "x"}, "x", "p"},
		{"nothing to say", pre("gemini"), Answer{}, "", ""},
		{"a denial says it itself", pre("gemini"), Answer{Decision: Deny, Context: "x"}, "", ""},
		{"an ask that becomes one", pre("gemini"), Answer{Decision: Ask, Context: "x"}, "", ""},
		{"an ask that is asked", pre("qwen"), Answer{Decision: Ask, Context: "x"}, "x", "p"},
		{"the start of a session", &Call{Harness: "opencode", Event: SessionStart}, Answer{Context: "x"}, "x", ""},
		{"beside a prompt", &Call{Harness: "opencode", Event: Prompt}, Answer{Context: "x"}, "x", ""},
		{"the same where it is taken", &Call{Harness: "gemini", Event: Prompt}, Answer{Context: "x"}, "", ""},
		{"no result to come with", pre("grok"), Answer{Context: "x"}, "", ""},
		{"after a call", &Call{Harness: "gemini", Event: PostTool, Pair: "p"}, Answer{Context: "x"}, "", ""},
	}
	for _, tt := range tests {
		if text, pair := Late(tt.call, tt.give); text != tt.text || pair != tt.pair {
			t.Errorf("%s: %q for %q", tt.name, text, pair)
		}
	}
}
