package harness

// grok is Grok CLI, 0.2, from notes alone: it is read and answered, not installed
// into. It loads the hooks of Claude Code's settings, so its payloads arrive under
// Claude Code's flag.
var grok = adapter{
	name: "grok",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("sessionId") && f.has("workspaceRoot")
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("sessionId") && f.has("workspaceRoot")
	},
	guess: func(f fields) string {
		if name := f.first("hookEventName", "hookName"); name != "" {
			return name
		}
		if f.has("toolInput") && !f.has("toolResult") {
			return "PreToolUse"
		}
		return ""
	},
	event: claudeEvent,
	fill: func(c *Call, f fields, _ func(string) string) {
		c.Session = f.text("sessionId")
		c.Cwd, c.Project = f.text("cwd"), f.text("workspaceRoot")
		if c.Cwd == "" {
			c.Cwd = c.Project
		}
		c.Source, c.Reason = f.quietText("source"), f.quietText("reason")
		switch c.Event {
		case Prompt:
			c.Prompt, c.Human = personText(f.text("prompt"))
		case PreTool, PostTool, PostFailure, Permission, Denied:
			in, _ := f.sub("toolInput")
			c.Tool, c.Input = f.text("toolName"), f.m["toolInput"]
			kind := claudeKind(c.Tool, in)
			if kind == OtherTool {
				kind = otherKind(c.Tool, in)
			}
			tool(c, in, kind)
			if kind == OtherTool {
				if c.Files = fileInput(in, ""); c.Files != nil && (c.Files[0].Content != "" || c.Files[0].New != "") {
					c.Kind = Write
				} else {
					c.Files = nil
				}
			}
			identify(c, f.first("toolCallId", "toolUseId"))
			c.Ran = c.Event == PostTool
		case Stop, AgentStop:
			c.Again = f.flag("stopHookActive")
		}
	},
	render: func(c *Call, a Answer) any {
		if c.Event != PreTool || a.Decision != Deny {
			return nil
		}
		return antigravityAnswer{"deny", a.Reason}
	},
}
