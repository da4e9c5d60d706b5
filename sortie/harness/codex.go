package harness

import "strings"

// codex is Codex CLI, 0.171: payloads and answers in Claude Code's shape, but one
// key it doesn't know voids a whole answer, and so do ask, a bare allow and a
// denial without a reason: the call then runs.
var codex = adapter{
	name: "codex",
	claims: func(f fields, _ func(string) string) bool {
		if !f.has("hook_event_name") || f.has("timestamp") || f.has("model_provider") {
			return false
		}
		return f.has("turn_id") || rollout(f)
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("turn_id") && f.has("hook_event_name") && !f.has("model_provider") && rollout(f)
	},
	event:  codexEvent,
	fill:   codexFill,
	render: codexRender,
}

// rollout reports whether the session's record is one of Codex's: the events of a
// session's ends have no other mark.
func rollout(f fields) bool {
	at := f.quietText("transcript_path")
	name := at[strings.LastIndexAny(at, `/\`)+1:]
	return strings.HasPrefix(name, "rollout-") || strings.Contains(at, "/.codex/")
}

func codexEvent(name string) Event {
	switch name {
	case "PostToolUseFailure", "PermissionDenied":
		return Other // Claude Code's; Codex has neither
	}
	return claudeEvent(name)
}

func codexFill(c *Call, f fields, _ func(string) string) {
	c.Session = f.text("session_id")
	c.Agent, c.AgentType = f.text("agent_id"), f.text("agent_type")
	c.Cwd, c.Transcript = f.text("cwd"), f.text("transcript_path")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		// A subagent's task comes as a prompt too, with the subagent's id.
		if text, person := personText(f.text("prompt")); c.Agent == "" {
			c.Prompt, c.Human = text, person
		}
	case PreTool, PostTool, Permission:
		c.Tool = f.text("tool_name")
		in, raw := f.input("tool_input")
		c.Input = raw
		tool(c, in, codexKind(c.Tool, in))
		identify(c, f.text("tool_use_id"))
		if c.Event == PostTool {
			c.Response, c.Ran = f.m["tool_response"], true
		}
	case Stop, AgentStop:
		c.Again, c.LastText = f.flag("stop_hook_active"), f.text("last_assistant_message")
	}
}

func codexKind(name string, in fields) Kind {
	switch name {
	case "Bash", "exec_command", "shell", "shell_command", "local_shell":
		return Shell
	case "apply_patch":
		return Write
	case "spawn_agent":
		return Spawn
	case "view_image", "read_file", "list_dir", "grep_files":
		return Read
	case "web_search":
		return Fetch
	}
	return otherKind(name, in)
}

// codexContextCap is about the 2 500 tokens that Codex puts before the model.
const codexContextCap = 8_000

func codexRender(c *Call, a Answer) any {
	out := claudeAnswer{Person: a.Person}
	s := claudeSpecific{Event: c.Name}
	switch c.Event {
	case PreTool:
		s.Context = clip(a.Context, codexContextCap)
		if a.Decision == Deny {
			s.Decision, s.Reason = "deny", a.Reason
		}
	case Permission:
		out.Person = "" // not among the keys this event is known to take
		s.Permit = permit(a)
	case SessionStart, Prompt, PostTool, AgentStart:
		s.Context = clip(a.Context, codexContextCap)
	case Stop, AgentStop:
		if a.Decision == Deny {
			out.Decision, out.Reason = "block", a.Reason
		}
	default:
		return nil
	}
	return nested(out, s)
}

// permit is the answer to a permission event, nil for none: the prompt that is
// due is the question.
func permit(a Answer) *claudeBehavior {
	switch a.Decision {
	case Allow:
		return &claudeBehavior{Behavior: "allow"}
	case Deny:
		return &claudeBehavior{Behavior: "deny", Message: a.Reason}
	}
	return nil
}

// nested is an answer with its specific part, nil where neither says anything.
func nested(out claudeAnswer, s claudeSpecific) any {
	if s != (claudeSpecific{Event: s.Event}) {
		out.Specific = &s
	}
	if out == (claudeAnswer{}) {
		return nil
	}
	return out
}
