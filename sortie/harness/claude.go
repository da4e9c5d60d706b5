package harness

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// claude is Claude Code, 2.1. Its payloads name their event, its answers are
// nested under hookSpecificOutput with the event repeated: a wrong name there
// voids a denial.
var claude = adapter{
	name: "claude",
	claims: func(f fields, env func(string) string) bool {
		if !f.has("hook_event_name") || f.has("timestamp") || f.has("turn_id") || f.has("model_provider") ||
			f.has("cursor_version") || f.has("conversation_id") {
			return false
		}
		return claudeEvent(f.text("hook_event_name")) != Other || f.has("prompt_id") || f.has("effort") || env("CLAUDECODE") == "1"
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("prompt_id") && f.has("effort") && !f.has("timestamp") && !f.has("turn_id") && !f.has("cursor_version")
	},
	event:  claudeEvent,
	fill:   claudeFill,
	render: claudeRender,
}

func claudeEvent(name string) Event {
	switch name {
	case "SessionStart":
		return SessionStart
	case "SessionEnd":
		return SessionEnd
	case "UserPromptSubmit":
		return Prompt
	case "PreToolUse":
		return PreTool
	case "PostToolUse":
		return PostTool
	case "PostToolUseFailure":
		return PostFailure
	case "PermissionRequest":
		return Permission
	case "PermissionDenied":
		return Denied
	case "SubagentStart":
		return AgentStart
	case "SubagentStop":
		return AgentStop
	case "PreCompact":
		return Compact
	case "Stop":
		return Stop
	}
	return Other
}

func claudeFill(c *Call, f fields, env func(string) string) {
	c.Session = f.text("session_id")
	c.Agent, c.AgentType = f.text("agent_id"), f.text("agent_type")
	c.Cwd, c.Project = f.text("cwd"), env("CLAUDE_PROJECT_DIR")
	c.PID, _ = strconv.Atoi(env("CLAUDE_PID"))
	c.Transcript = f.text("transcript_path")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		// source is being rolled out; without it a prompt's own text decides.
		text, person := personText(f.text("prompt"))
		switch f.text("source") {
		case "", "user", "sdk":
			c.Prompt, c.Human = text, person
		}
	case PreTool, PostTool, PostFailure, Permission, Denied:
		claudeTool(c, f)
	case Stop, AgentStop:
		c.Again, c.LastText = f.flag("stop_hook_active"), f.text("last_assistant_message")
	}
}

// claudeTool reads the tool of a call: what it runs, reads or writes.
func claudeTool(c *Call, f fields) {
	c.Tool, c.Input = f.text("tool_name"), f.m["tool_input"]
	in, _ := f.sub("tool_input")
	c.Kind = claudeKind(c.Tool, in)
	switch c.Kind {
	case Shell:
		c.Command = in.text("command")
		if c.Tool == "PowerShell" {
			c.Dialect = "powershell"
		}
	case Write:
		c.Files = claudeFiles(c.Tool, in)
	case MCP:
		c.Server, c.Verb, _ = strings.Cut(strings.TrimPrefix(c.Tool, "mcp__"), "__")
	}
	identify(c, f.text("tool_use_id"))
	switch c.Event {
	case PostTool:
		c.Response, c.Ran = f.m["tool_response"], true
	case PostFailure:
		c.Failure = f.text("error")
		// A command that exits non-zero has run; a call the gate refused has not.
		c.Ran = strings.HasPrefix(c.Failure, "Exit code")
	}
}

func claudeKind(tool string, in fields) Kind {
	switch tool {
	case "Bash", "PowerShell", "Monitor":
		return Shell
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return Write
	case "Read", "Glob", "Grep", "LS", "NotebookRead":
		return Read
	case "WebFetch", "WebSearch":
		return Fetch
	case "Agent", "Task":
		return Spawn
	}
	if strings.HasPrefix(tool, "mcp__") {
		return MCP
	}
	// A tool nobody has heard of that takes a command line runs it (Monitor began so).
	if in.has("command") && len(in.m["command"]) > 0 && in.m["command"][0] == '"' {
		return Shell
	}
	return OtherTool
}

// claudeFiles is every file a writing tool names.
func claudeFiles(tool string, in fields) []File {
	path := in.first("file_path", "notebook_path", "path")
	if path == "" {
		return nil
	}
	switch tool {
	case "Write":
		return []File{{Path: path, Op: "write", Content: in.text("content")}}
	case "MultiEdit":
		var edits []json.RawMessage
		if json.Unmarshal(in.m["edits"], &edits) != nil {
			return []File{{Path: path, Op: "edit"}}
		}
		var files []File
		for _, raw := range edits {
			e, _ := object(raw, "edits", in.odd)
			files = append(files, File{Path: path, Op: "edit", Old: e.text("old_string"), New: e.text("new_string")})
		}
		return files
	case "NotebookEdit":
		return []File{{Path: path, Op: "edit", New: in.text("new_source")}}
	}
	return []File{{Path: path, Op: "edit", Old: in.text("old_string"), New: in.text("new_string")}}
}

// claudeContextCap is the longest context Claude Code puts before the model; a
// longer one spills into a file nobody reads.
const claudeContextCap = 10_000

type claudeSpecific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Permit   *claudeBehavior `json:"decision,omitempty"`
}

type claudeBehavior struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

type claudeAnswer struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Person   string          `json:"systemMessage,omitempty"`
	Specific *claudeSpecific `json:"hookSpecificOutput,omitempty"`
}

func claudeRender(c *Call, a Answer) any {
	out := claudeAnswer{Person: a.Person}
	s := claudeSpecific{Event: c.Name}
	switch c.Event {
	case PreTool:
		s.Decision, s.Context = a.Decision.String(), clip(a.Context, claudeContextCap)
		if a.Decision != Silent {
			s.Reason = a.Reason
		}
	case Permission:
		switch a.Decision {
		case Allow:
			s.Permit = &claudeBehavior{Behavior: "allow"}
		case Deny:
			s.Permit = &claudeBehavior{Behavior: "deny", Message: a.Reason}
		}
	case SessionStart, Prompt, PostTool, PostFailure, AgentStart:
		s.Context = clip(a.Context, claudeContextCap)
	case Stop, AgentStop:
		if a.Decision == Deny {
			out.Decision, out.Reason = "block", a.Reason
		}
	}
	if s != (claudeSpecific{Event: c.Name}) {
		out.Specific = &s
	}
	if out == (claudeAnswer{}) {
		return nil
	}
	return out
}

// clip cuts text to at most n bytes on a rune boundary and says so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = " … [cut]"
	cut := n - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
