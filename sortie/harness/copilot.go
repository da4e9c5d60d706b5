package harness

import "strings"

// copilot is GitHub Copilot CLI, 1.0. The case of an event's name in its settings
// picks the dialect: preToolUse sends sessionId, toolName and no event name,
// PreToolUse sends Claude Code's keys. Permission requests always come the first
// way. It also runs the hooks of a project's Claude Code settings.
var copilot = adapter{
	name: "copilot",
	claims: func(f fields, _ func(string) string) bool {
		if f.has("sessionId") {
			return true
		}
		return f.has("timestamp") && f.has("hook_event_name")
	},
	surely: func(f fields, _ func(string) string) bool {
		if f.has("sessionId") {
			return f.has("timestamp") && !f.has("hook_event_name") && !f.has("workspaceRoot")
		}
		_, path := f.m["transcript_path"]
		return f.has("timestamp") && f.has("session_id") && copilotEvent(f.quietText("hook_event_name")) != Other &&
			!path && !f.has("permission_mode") && !f.has("prompt_id") && !f.has("turn_id") && !f.has("generation_id")
	},
	guess:  copilotGuess,
	event:  copilotEvent,
	fill:   copilotFill,
	render: copilotRender,
}

func copilotEvent(name string) Event {
	switch name {
	case "sessionStart":
		return SessionStart
	case "sessionEnd":
		return SessionEnd
	case "userPromptSubmitted", "UserPromptSubmitted":
		return Prompt
	case "preToolUse":
		return PreTool
	case "postToolUse":
		return PostTool
	case "postToolUseFailure":
		return PostFailure
	case "permissionRequest":
		return Permission
	case "subagentStart":
		return AgentStart
	case "subagentStop":
		return AgentStop
	case "preCompact":
		return Compact
	case "agentStop", "AgentStop":
		return Stop
	case "PermissionDenied":
		return Other // Claude Code's
	}
	return claudeEvent(name)
}

// copilotGuess tells the events of the camel-case dialect by their keys.
func copilotGuess(f fields) string {
	switch {
	case f.has("hookName"):
		return f.text("hookName")
	case f.has("toolResult"):
		return "postToolUse"
	case f.has("toolName") && f.has("error"):
		return "postToolUseFailure"
	case f.has("toolName"):
		return "preToolUse"
	case f.has("stopReason"):
		return "agentStop"
	case f.has("prompt"):
		return "userPromptSubmitted"
	case f.has("source"), f.has("initialPrompt"):
		return "sessionStart"
	case f.has("reason"):
		return "sessionEnd"
	}
	return ""
}

// copilotCamel reports whether an event's name asks for the flat dialect.
func copilotCamel(name string) bool { return name == "" || name[0] >= 'a' && name[0] <= 'z' }

func copilotFill(c *Call, f fields, env func(string) string) {
	c.Session = f.first("sessionId", "session_id")
	c.Cwd, c.Project = f.text("cwd"), env("COPILOT_PROJECT_DIR")
	c.Transcript = f.first("transcriptPath", "transcript_path")
	c.Agent = f.first("agentId", "agent_id")
	c.AgentType = f.first("agentName", "agent_type")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		if c.Source = f.text("source"); c.Source == "new" {
			c.Source = "startup"
		}
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		// The reason of a held stop comes back as a prompt; ours bears a mark.
		c.Prompt, c.Human = personText(f.text("prompt"))
	case PreTool, PostTool, PostFailure, Permission:
		copilotTool(c, f)
	case Stop, AgentStop:
		c.Again = f.flag("stop_hook_active")
		c.LastText = f.first("lastAssistantMessage", "last_assistant_message")
	}
}

func copilotTool(c *Call, f fields) {
	c.Tool = f.first("toolName", "tool_name")
	var in fields
	for _, key := range [...]string{"toolArgs", "toolInput", "tool_input"} {
		if f.has(key) {
			in, c.Input = f.input(key)
			break
		}
	}
	tool(c, in, copilotKind(c, in))
	identify(c, f.first("toolCallId", "tool_use_id"))
	switch c.Event {
	case PostTool:
		// A command that failed is told as a success; only its text says otherwise.
		c.Ran = true
		for _, key := range [...]string{"toolResult", "tool_response", "tool_result"} {
			if f.has(key) {
				c.Response = f.m[key]
				break
			}
		}
	case PostFailure:
		// A call that its own gate refused hasn't run. What is left are errors of the
		// tool, which may come after half the work.
		c.Failure = f.quietText("error")
		if c.Failure == "" && f.has("error") {
			c.Failure = string(f.m["error"])
		}
		c.Ran = !strings.HasPrefix(c.Failure, "Denied by preToolUse hook")
	}
}

func copilotKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "bash", "Bash", "local_shell":
		return Shell
	case "powershell", "PowerShell":
		c.Dialect = "powershell"
		return Shell
	case "create", "edit", "str_replace", "str_replace_editor", "apply_patch", "Write", "Edit", "MultiEdit", "NotebookEdit", "ApplyPatch":
		return Write
	case "view", "grep", "glob", "read_bash", "read_powershell", "Read", "Grep", "Glob":
		return Read
	case "web_fetch", "web_search", "WebFetch", "WebSearch":
		return Fetch
	case "task", "Agent", "Task":
		return Spawn
	}
	if k := otherKind(c.Tool, in); k != OtherTool {
		return k
	}
	// SERVER-TOOL; no tool of its own has a dash, and verbs seldom have one.
	if at := strings.LastIndexByte(c.Tool, '-'); at > 0 && at < len(c.Tool)-1 {
		c.Server, c.Verb = c.Tool[:at], c.Tool[at+1:]
		return MCP
	}
	return OtherTool
}

type copilotAnswer struct {
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

func copilotRender(c *Call, a Answer) any {
	switch c.Event {
	case PreTool:
		if !copilotCamel(c.Name) {
			s := claudeSpecific{Event: c.Name, Decision: a.Decision.String(), Context: a.Context}
			if a.Decision != Silent {
				s.Reason = a.Reason
			}
			return nested(claudeAnswer{}, s)
		}
		out := copilotAnswer{Decision: a.Decision.String(), Context: a.Context}
		if a.Decision != Silent {
			out.Reason = a.Reason
		}
		if out != (copilotAnswer{}) {
			return out
		}
	case Permission:
		if p := permit(a); p != nil {
			return p
		}
	case SessionStart, Prompt, PostTool, PostFailure:
		// Flat in both dialects: the nested shape counts before a call only.
		if a.Context != "" {
			return copilotAnswer{Context: a.Context}
		}
	case Stop:
		if a.Decision == Deny {
			return claudeAnswer{Decision: "block", Reason: feedback(a.Reason)}
		}
	}
	return nil
}
