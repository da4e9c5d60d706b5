package harness

// muse is Muse Code, 0.1 to 1.3, as three adapters of others describe it: payloads
// in Codex's shape, no record of the session, a scrubbed environment.
var muse = adapter{
	name: "muse",
	claims: func(f fields, _ func(string) string) bool {
		if !f.has("hook_event_name") || f.has("timestamp") {
			return false
		}
		if f.has("model_provider") {
			return true
		}
		if path, there := f.m["transcript_path"]; !there || string(path) != "null" {
			return false
		}
		switch f.quietText("hook_event_name") {
		case "SessionStart":
			return f.has("model") && f.has("permission_mode") && !f.has("turn_id")
		case "UserPromptSubmit", "Stop", "SessionEnd":
			return f.has("source")
		}
		return f.has("turn_id") && f.quietText("tool_name") == "bash"
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("model_provider") && f.has("hook_event_name") && !rollout(f)
	},
	event:  codexEvent,
	fill:   museFill,
	render: museRender,
}

func museFill(c *Call, f fields, env func(string) string) {
	codexFill(c, f, env)
	switch c.Event {
	case AgentStart:
		// The session is the subagent's own; whose it is isn't said.
		if c.Agent == "" {
			c.Agent = c.Session
		}
		c.Session = ""
	case Prompt:
		if s := f.text("source"); s != "" && s != "submit" {
			c.Prompt, c.Human = "", false
		}
	case SessionEnd:
		c.Reason = f.first("reason", "source")
	case PreTool, PostTool, Permission:
		in, _ := f.sub("tool_input")
		if k := museKind(c.Tool, in); k != c.Kind {
			tool(c, in, k)
		}
	}
}

func museKind(name string, in fields) Kind {
	switch name {
	case "bash":
		return Shell
	case "write", "edit", "multi_edit", "multiedit", "apply_patch":
		return Write
	case "read", "grep", "glob", "ls", "list":
		return Read
	case "web_fetch", "webfetch", "web_search", "websearch":
		return Fetch
	case "task", "agent", "spawn_agent":
		return Spawn
	}
	return otherKind(name, in)
}

// museRender leaves the text for the person out: nobody has seen that key taken,
// and Muse drops in silence what it doesn't know.
func museRender(c *Call, a Answer) any {
	a.Person = ""
	return codexRender(c, a)
}
