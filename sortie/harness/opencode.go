package harness

import "strings"

// openCode is OpenCode, 1.18. It has no command hooks: opencode.js, which install
// writes into its plugin folder, sends these payloads and acts on the answers.
var openCode = adapter{
	name: "opencode",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("hook") && f.has("input")
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("hook") && f.has("input") && f.quietText("harness") == "opencode"
	},
	guess:  func(f fields) string { return f.text("hook") },
	event:  openCodeEvent,
	fill:   openCodeFill,
	render: openCodeRender,
}

// openCodeEvent leaves session.idle out: no answer to it can hold the turn open,
// and a claim that is judged there would be filed as blocked.
func openCodeEvent(name string) Event {
	switch name {
	case "session.created":
		return SessionStart
	case "session.end":
		return SessionEnd
	case "chat.message":
		return Prompt
	case "tool.execute.before":
		return PreTool
	case "tool.execute.after":
		return PostTool
	}
	return Other
}

func openCodeFill(c *Call, f fields, _ func(string) string) {
	in, _ := f.sub("input")
	out, _ := f.sub("output")
	c.Session = in.text("sessionID")
	c.Cwd, c.Project = f.text("directory"), f.text("worktree")
	if c.Project == "/" { // what it calls a worktree outside of any repository
		c.Project = ""
	}
	c.PID = f.number("pid")
	// A subagent is a session of its own; its calls belong to the one that started
	// it. The bridge says which that is, where it saw the start.
	_, told := f.m["parent"]
	if parent := f.text("parent"); parent != "" {
		c.Agent, c.Session = c.Session, parent
		c.AgentType = in.text("agent")
	}
	switch c.Event {
	case SessionStart:
		c.Source = "startup"
	case Prompt:
		var text []string
		for _, part := range out.list("parts") {
			if part.text("type") == "text" && !part.flag("synthetic") {
				text = append(text, part.text("text"))
			}
		}
		said, person := personText(strings.Join(text, "\n"))
		// Without the bridge's word only a session with no agent named is a person's.
		if c.Agent == "" && (told || !in.has("agent")) {
			c.Prompt, c.Human = said, person
		}
	case PreTool, PostTool:
		c.Tool = in.text("tool")
		from := out // before a call the arguments may still be changed, so they are output
		if c.Event == PostTool || !out.has("args") {
			from = in
		}
		input, _ := from.sub("args")
		c.Input = from.m["args"]
		tool(c, input, openCodeKind(c, input))
		identify(c, in.text("callID"))
		if c.Event == PostTool {
			c.Response, c.Ran = f.m["output"], true
			meta, _ := out.optional("metadata")
			if code := meta.number("exit"); code != 0 {
				c.Failure = out.quietText("output")
				if c.Failure == "" {
					c.Failure = "exit code " + string(meta.m["exit"])
				}
			}
		}
	}
}

// optional is an object field that may be missing.
func (f fields) optional(name string) (fields, bool) {
	if !f.has(name) {
		return fields{odd: f.odd}, false
	}
	return f.sub(name)
}

func openCodeKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "bash":
		return Shell
	case "write", "edit", "multiedit", "apply_patch", "patch":
		return Write
	case "read", "grep", "glob", "list", "lsp", "lsp_diagnostics", "lsp_hover":
		return Read
	case "webfetch", "websearch", "codesearch":
		return Fetch
	case "task":
		return Spawn
	case "todowrite", "todoread", "skill", "question", "batch", "plan_enter", "plan_exit", "invalid":
		return OtherTool
	}
	if k := otherKind(c.Tool, in); k != OtherTool {
		return k
	}
	// SERVER_TOOL, with no mark between the two: a server with an underscore in its
	// name is cut short.
	if server, verb, ok := strings.Cut(c.Tool, "_"); ok && server != "" && verb != "" {
		c.Server, c.Verb = server, verb
		return MCP
	}
	return OtherTool
}

// openCodeAnswer is what opencode.js reads.
type openCodeAnswer struct {
	Deny    string `json:"deny,omitempty"`
	Context string `json:"context,omitempty"`
}

func openCodeRender(c *Call, a Answer) any {
	switch c.Event {
	case PreTool:
		if a.Decision == Deny {
			return openCodeAnswer{Deny: a.Reason}
		}
	case PostTool:
		if a.Context != "" {
			return openCodeAnswer{Context: a.Context}
		}
	}
	return nil
}
