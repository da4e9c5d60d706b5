package harness

import "strings"

// qwen is Qwen Code, 0.24 (and 0.15): Claude Code's events and answers around
// Gemini CLI's tools. It sends a prompt_id like Claude Code.
var qwen = adapter{
	name: "qwen",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("hook_event_name") && f.has("timestamp") &&
			(f.has("permission_mode") || f.has("transcript_path") || f.has("prompt_id"))
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("timestamp") && f.has("hook_event_name") &&
			(f.has("tool_call_id") || strings.Contains(f.quietText("prompt_id"), "########"))
	},
	event:  claudeEvent,
	fill:   qwenFill,
	render: claudeRender,
}

func qwenFill(c *Call, f fields, env func(string) string) {
	c.Session = f.text("session_id")
	c.Agent, c.AgentType = f.text("agent_id"), f.text("agent_type")
	c.Cwd, c.Project = f.text("cwd"), env("QWEN_PROJECT_DIR")
	c.Transcript = f.text("transcript_path")
	c.Time = f.time("timestamp")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		// Fires after every tool result as well. Only submitted_prompt is a person's;
		// a build that doesn't send it says nothing of who spoke.
		c.Prompt, c.Human = personText(f.text("submitted_prompt"))
	case PreTool, PostTool, PostFailure, Permission, Denied:
		c.Tool, c.Input = f.text("tool_name"), f.m["tool_input"]
		in, _ := f.sub("tool_input")
		tool(c, in, qwenKind(c.Tool, in))
		// tool_use_id is made up for each call and the same after it; tool_call_id is
		// the model's, and some servers count theirs from zero in every turn.
		identify(c, f.first("tool_use_id", "tool_call_id"))
		switch c.Event {
		case PostTool:
			c.Response, c.Ran = f.m["tool_response"], true
		case PostFailure:
			c.Failure = f.text("error")
			c.Ran = strings.HasPrefix(c.Failure, "Command exited") || strings.HasPrefix(c.Failure, "Exit code")
		}
	case Stop, AgentStop:
		c.Again, c.LastText = f.flag("stop_hook_active"), f.text("last_assistant_message")
	}
}

func qwenKind(name string, in fields) Kind {
	switch name {
	case "run_shell_command":
		return Shell
	case "write_file", "edit", "notebook_edit":
		return Write
	case "read_file", "read_many_files", "list_directory", "glob", "grep_search":
		return Read
	case "web_fetch", "web_search":
		return Fetch
	case "task", "agent":
		return Spawn
	}
	return otherKind(name, in)
}
