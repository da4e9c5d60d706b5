package hook

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/sortie/harness"
)

// named hands one payload in under the flags of a hook entry.
func (c *cockpit) named(harnessName, event, payload string) string {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.home()), 0o700); err != nil {
		c.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	d := Door{Guards: c.list, In: strings.NewReader(payload), Out: &out, Err: &errs, World: c.world(), HomeFlag: c.home(),
		Harness: harnessName, Event: event}
	d.Run(context.Background())
	if errs.Len() > 0 {
		c.t.Errorf("%s %s: stderr %q", harnessName, event, errs.String())
	}
	return out.String()
}

func geminiCall(event, command, at string) string {
	return fmt.Sprintf(`{"session_id":"g1","transcript_path":"","cwd":"/nowhere","hook_event_name":%q,"timestamp":%q,
		"tool_name":"run_shell_command","tool_input":{"command":%q}}`, event, at, command)
}

// Where a harness takes no text before a call, the advice comes with that call's
// result, once, and not with another's.
func TestAdviceComesLater(t *testing.T) {
	t.Parallel()
	const first, second, third = "2026-03-04T05:06:07.001Z", "2026-03-04T05:06:09.002Z", "2026-03-04T05:06:11.003Z"
	t.Run("gemini, by tool and input", func(t *testing.T) {
		t.Parallel()
		c := newCockpit(t, charger())
		if out := c.named("gemini", "BeforeTool", geminiCall("BeforeTool", "charge it", first)); out != "" {
			t.Errorf("before the call: %q, want silence", out)
		}
		// A second entry for the same event delivers the same payload.
		c.named("gemini", "BeforeTool", geminiCall("BeforeTool", "charge it", first))
		if out := c.named("gemini", "AfterTool", geminiCall("AfterTool", "ls", second)); out != "" {
			t.Errorf("another call's result got %q", out)
		}
		want := `{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"charger: 3"}}` + "\n"
		if out := c.named("gemini", "AfterTool", geminiCall("AfterTool", "charge it", second)); out != want {
			t.Errorf("the call's result got %q, want %q", out, want)
		}
		if out := c.named("gemini", "AfterTool", geminiCall("AfterTool", "charge it", third)); out != "" {
			t.Errorf("told twice: %q", out)
		}
	})
	t.Run("qwen, by id", func(t *testing.T) {
		t.Parallel()
		c := newCockpit(t, charger())
		payload := func(event, id string) string {
			return fmt.Sprintf(`{"session_id":"q1","cwd":"/nowhere","hook_event_name":%q,"timestamp":%q,"permission_mode":"yolo",
				"tool_name":"run_shell_command","tool_call_id":%q,"tool_input":{"command":"charge it"}}`, event, first, id)
		}
		c.named("qwen", "PreToolUse", payload("PreToolUse", "a"))
		if out := c.named("qwen", "PostToolUse", payload("PostToolUse", "b")); out != "" {
			t.Errorf("another call's result got %q", out)
		}
		if out := c.named("qwen", "PostToolUse", payload("PostToolUse", "a")); !strings.Contains(out, "charger: 3") {
			t.Errorf("the call's result got %q", out)
		}
	})
	t.Run("claude takes it at once", func(t *testing.T) {
		t.Parallel()
		c := newCockpit(t, charger())
		if out := c.named("claude", "PreToolUse", shell("PreToolUse", "c1", "charge it")); !strings.Contains(out, "charger: 3") {
			t.Errorf("got %q", out)
		}
		if _, err := os.Stat(filepath.Join(c.home(), "later")); err == nil {
			t.Error("something was kept for later")
		}
	})
}

// A denial says everything itself: nothing waits for a result that never comes.
func TestDeniedCallKeepsNothing(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	c.env["SPAR_AUTONOMY"] = "nightly"
	out := c.named("gemini", "BeforeTool", geminiCall("BeforeTool", "charge it", "2026-03-04T05:06:07Z"))
	if out != `{"decision":"deny","reason":"charger: 3"}`+"\n" {
		t.Errorf("got %q", out)
	}
	if left, _ := filepath.Glob(filepath.Join(c.home(), "later", "*", "*")); len(left) > 0 {
		t.Errorf("kept %v", left)
	}
}

// What a harness takes neither at the start of a session nor beside a prompt
// comes with the first result; what never came to one is gone with the session.
func TestStartOfOpenCodeSession(t *testing.T) {
	t.Parallel()
	greeter := &Guard{Name: "greeter", Default: true, Events: []harness.Event{harness.Prompt, harness.PreTool},
		Inspect: func(_ context.Context, p *Pass) (Opinion, error) {
			return Opinion{harness.Answer{Context: "greeter: " + p.Call.Event.String() + " " + p.Call.Command}}, nil
		}}
	c := newCockpit(t, greeter)
	payload := func(hook, id, command string) string {
		return fmt.Sprintf(`{"harness":"opencode","hook":%q,"directory":"/nowhere","worktree":"/","input":{"tool":"bash","sessionID":"o1","callID":%q,
			"args":{"command":%q}},"output":{"parts":[{"type":"text","text":"hello"}]}}`, hook, id, command)
	}
	for _, hook := range []string{"chat.message", "tool.execute.before"} {
		if out := c.named("opencode", hook, payload(hook, "1", "ls")); out != "" {
			t.Errorf("%s: %q, want silence", hook, out)
		}
	}
	c.named("opencode", "tool.execute.before", payload("tool.execute.before", "2", "pwd"))
	if out := c.named("opencode", "tool.execute.after", payload("tool.execute.after", "1", "ls")); out != `{"context":"greeter: prompt \ngreeter: pre-tool ls"}`+"\n" {
		t.Errorf("the first result got %q", out)
	}
	if left, _ := filepath.Glob(filepath.Join(c.home(), "later", "*", "*")); len(left) != 1 {
		t.Errorf("kept %v, want the second call's", left)
	}
	c.now = c.now.Add(time.Minute)
	c.named("opencode", "session.end", payload("session.end", "", ""))
	if left, _ := filepath.Glob(filepath.Join(c.home(), "later", "*", "*")); len(left) > 0 {
		t.Errorf("left after the session: %v", left)
	}
}
