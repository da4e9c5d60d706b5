package harness

import "strings"

// cursor is Cursor, 3.x, and its CLI. preToolUse sees every tool;
// beforeShellExecution, beforeMCPExecution and beforeReadFile see theirs once
// more. It also runs the hooks of Claude Code's settings.
var cursor = adapter{
	name: "cursor",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("cursor_version") || f.has("conversation_id")
	},
	surely: func(f fields, _ func(string) string) bool { return f.has("cursor_version") },
	event:  cursorEvent,
	fill:   cursorFill,
	render: cursorRender,
}

func cursorEvent(name string) Event {
	switch name {
	case "sessionStart":
		return SessionStart
	case "sessionEnd":
		return SessionEnd
	case "beforeSubmitPrompt":
		return Prompt
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile":
		return PreTool
	case "postToolUse", "afterShellExecution", "afterMCPExecution", "afterFileEdit":
		return PostTool
	case "postToolUseFailure":
		return PostFailure
	case "subagentStart":
		return AgentStart
	case "subagentStop":
		return AgentStop
	case "preCompact":
		return Compact
	case "stop":
		return Stop
	}
	// An entry of Claude Code's settings has Claude Code's name on its flag.
	switch name {
	case "PermissionRequest", "PermissionDenied":
		return Other
	}
	return claudeEvent(name)
}

func cursorFill(c *Call, f fields, env func(string) string) {
	c.Session = f.first("conversation_id", "session_id")
	c.Agent, c.AgentType = f.first("subagent_id", "agent_id"), f.first("subagent_type", "agent_type")
	c.Cwd, c.Project = f.text("cwd"), env("CURSOR_PROJECT_DIR")
	if roots, _ := f.words("workspace_roots"); len(roots) > 0 {
		// A person's own hooks run in Cursor's folder: the workspace says where the
		// session is.
		if c.Cwd == "" {
			c.Cwd = roots[0]
		}
		if c.Project == "" {
			c.Project = roots[0]
		}
	}
	c.Transcript = f.text("transcript_path")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		c.Prompt, c.Human = personText(f.text("prompt"))
	case PreTool, PostTool, PostFailure:
		cursorTool(c, f)
	case Stop, AgentStop:
		c.Again = f.number("loop_count") > 0
		c.LastText = f.quietText("text")
	}
}

func cursorTool(c *Call, f fields) {
	in, raw := f.input("tool_input")
	c.Tool, c.Input = f.text("tool_name"), raw
	switch c.Name {
	case "beforeShellExecution", "afterShellExecution":
		c.Tool, c.Input, in = "Shell", f.m["command"], f
	case "beforeReadFile":
		c.Tool, c.Input, in = "Read", f.m["file_path"], f
	case "afterFileEdit":
		c.Tool, c.Input, in = "Edit", f.m["edits"], f
	case "beforeMCPExecution", "afterMCPExecution":
		c.Kind, c.Verb, c.Server = MCP, strings.TrimPrefix(c.Tool, "MCP:"), cursorServer(f)
	}
	if c.Kind != MCP {
		tool(c, in, cursorKind(c, in))
	}
	if c.Tool == "Delete" {
		c.Files = fileInput(in, "delete")
	}
	identify(c, f.text("tool_use_id"))
	switch c.Event {
	case PostTool:
		c.Ran = true
		for _, key := range [...]string{"tool_output", "output", "result_json"} {
			if f.has(key) {
				c.Response = f.m[key]
				break
			}
		}
	case PostFailure:
		c.Failure = f.text("error_message")
		c.Ran = f.text("failure_type") != "permission_denied"
	}
}

func cursorKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "Shell", "Bash":
		return Shell
	case "Write", "Edit", "Delete", "StrReplace", "ApplyPatch", "MultiEdit", "NotebookEdit", "EditNotebook":
		return Write
	case "Read", "Grep", "Glob", "LS", "SemanticSearch":
		return Read
	case "WebSearch", "WebFetch":
		return Fetch
	case "Task":
		return Spawn
	}
	if verb, ok := strings.CutPrefix(c.Tool, "MCP:"); ok {
		c.Verb = verb
		return MCP
	}
	return otherKind(c.Tool, in)
}

// cursorServer names an MCP server by what it is: the host of its address, or the
// program that is it. Its configured name isn't told.
func cursorServer(f fields) string {
	if at := f.text("url"); at != "" {
		if _, rest, ok := strings.Cut(at, "://"); ok {
			at = rest
		}
		at, _, _ = strings.Cut(at, "/")
		return at[strings.LastIndexByte(at, '@')+1:]
	}
	first, _, _ := strings.Cut(f.text("command"), " ")
	return program(first)
}

type cursorAnswer struct {
	Permission string `json:"permission,omitempty"`
	Person     string `json:"user_message,omitempty"`
	Agent      string `json:"agent_message,omitempty"`
}

type cursorContext struct {
	Continue bool   `json:"continue,omitempty"`
	Context  string `json:"additional_context"`
}

type cursorFollow struct {
	Message string `json:"followup_message"`
}

func cursorRender(c *Call, a Answer) any {
	switch c.Event {
	case PreTool:
		if a.Decision == Deny {
			person := a.Person
			if person == "" {
				person = a.Reason
			}
			return cursorAnswer{"deny", person, a.Reason}
		}
	case SessionStart, PostTool, PostFailure:
		if a.Context != "" && c.Name != "afterShellExecution" && c.Name != "afterFileEdit" && c.Name != "afterMCPExecution" {
			return cursorContext{Context: a.Context}
		}
	case Prompt:
		if a.Context != "" {
			return cursorContext{Continue: true, Context: a.Context}
		}
	case Stop, AgentStop:
		if a.Decision == Deny {
			return cursorFollow{feedback(a.Reason)}
		}
	}
	return nil
}
