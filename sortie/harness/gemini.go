package harness

import "strings"

// gemini is Gemini CLI, 0.61: its own event and tool names, answers flat at the
// top. Claude's nested decision is ignored there: the tool would run.
var gemini = adapter{
	name: "gemini",
	claims: func(f fields, env func(string) string) bool {
		name := f.quietText("hook_event_name")
		if geminiOnly(name) {
			return true
		}
		if !f.has("timestamp") || name == "" {
			return false
		}
		if env("GEMINI_SESSION_ID") != "" && env("QWEN_CODE_SESSION_ID") == "" {
			return true
		}
		switch name {
		case "SessionStart", "SessionEnd", "Notification": // Qwen's have a permission mode
			_, path := f.m["transcript_path"]
			return path && !f.has("permission_mode") && !f.has("prompt_id")
		}
		return false
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("timestamp") && geminiOnly(f.quietText("hook_event_name"))
	},
	event:  geminiEvent,
	fill:   geminiFill,
	render: geminiRender,
}

// geminiOnly reports whether an event's name is one that nobody else has.
func geminiOnly(name string) bool {
	switch name {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return true
	}
	return false
}

// geminiEvent leaves PreCompress out: 0.61 fires it before every model call.
func geminiEvent(name string) Event {
	switch name {
	case "SessionStart":
		return SessionStart
	case "SessionEnd":
		return SessionEnd
	case "BeforeAgent":
		return Prompt
	case "BeforeTool":
		return PreTool
	case "AfterTool":
		return PostTool
	case "AfterAgent":
		return Stop
	}
	return Other
}

func geminiFill(c *Call, f fields, env func(string) string) {
	c.Session = f.text("session_id")
	c.Cwd, c.Project = f.text("cwd"), env("GEMINI_PROJECT_DIR")
	c.Transcript = f.text("transcript_path")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		c.Prompt, c.Human = personText(f.text("prompt"))
	case PreTool, PostTool:
		c.Tool, c.Input = f.text("tool_name"), f.m["tool_input"]
		in, _ := f.sub("tool_input")
		if f.has("mcp_context") {
			// The name alone is ambiguous: both its parts may hold underscores.
			mcp, _ := f.sub("mcp_context")
			c.Server, c.Verb = mcp.text("server_name"), mcp.text("tool_name")
		}
		tool(c, in, geminiKind(c, in))
		identify(c, "")
		if c.Event == PostTool {
			// Failures come by this event too. A command's code is only in its text.
			c.Response, c.Ran = f.m["tool_response"], true
			if raw := c.Response; len(raw) > 0 && raw[0] == '{' {
				res, _ := f.sub("tool_response")
				c.Failure = res.quietText("error")
				if c.Failure == "" && res.has("error") {
					c.Failure = string(res.m["error"])
				}
			}
		}
	case Stop:
		c.Again, c.LastText = f.flag("stop_hook_active"), f.text("prompt_response")
	}
}

func geminiKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "run_shell_command":
		return Shell
	case "write_file", "replace", "edit":
		return Write
	case "read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content":
		return Read
	case "web_fetch", "google_web_search":
		return Fetch
	case "invoke_agent", "delegate_to_agent", "codebase_investigator":
		return Spawn
	}
	if c.Server != "" || c.Verb != "" {
		return MCP
	}
	if rest, ok := strings.CutPrefix(c.Tool, "mcp_"); ok && !strings.HasPrefix(rest, "_") {
		c.Server, c.Verb, _ = strings.Cut(rest, "_")
		return MCP
	}
	return otherKind(c.Tool, in)
}

type geminiAnswer struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Person   string          `json:"systemMessage,omitempty"`
	Specific *geminiSpecific `json:"hookSpecificOutput,omitempty"`
}

type geminiSpecific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

func geminiRender(c *Call, a Answer) any {
	out := geminiAnswer{Person: a.Person}
	switch c.Event {
	case PreTool:
		if a.Decision == Deny {
			out.Decision, out.Reason = "deny", a.Reason
		}
	case Stop:
		if a.Decision == Deny {
			out.Decision, out.Reason = "deny", feedback(a.Reason)
		}
	case SessionStart, Prompt, PostTool:
		if a.Context != "" {
			out.Specific = &geminiSpecific{c.Name, a.Context}
		}
	default:
		return nil
	}
	if out == (geminiAnswer{}) {
		return nil
	}
	return out
}

// feedbackMark heads the reason of a held stop where the harness hands it back
// as if a person had typed it: the prompt event that follows is then told apart
// from a person's (personText).
const feedbackMark = "Stop hook feedback:"

func feedback(reason string) string { return feedbackMark + "\n" + reason }
