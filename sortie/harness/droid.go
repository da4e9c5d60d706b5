package harness

import (
	"bytes"
	"strings"
)

// droid is Factory's Droid, from notes alone: it is read and answered, not
// installed into. Claude Code's payloads with tools of its own.
var droid = adapter{
	name: "droid",
	claims: func(f fields, env func(string) string) bool {
		if !f.has("hook_event_name") || f.has("timestamp") {
			return false
		}
		switch f.quietText("tool_name") {
		case "Execute", "ApplyPatch", "Create":
			return true
		}
		return strings.Contains(f.quietText("transcript_path"), "/.factory/") || env("FACTORY_PROJECT_DIR") != "" && env("CLAUDECODE") == ""
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("hook_event_name") && bytes.Contains(f.m["transcript_path"], []byte("/.factory/"))
	},
	event: claudeEvent,
	fill: func(c *Call, f fields, env func(string) string) {
		claudeFill(c, f, env)
		c.Project, c.PID = env("FACTORY_PROJECT_DIR"), 0
		switch c.Event {
		case PreTool, PostTool, PostFailure, Permission, Denied:
			in, _ := f.sub("tool_input")
			if kind := droidKind(c, in); kind != c.Kind || kind == Write {
				c.Files = nil
				tool(c, in, kind)
			}
		}
	},
	render: claudeRender,
}

func droidKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "Execute":
		return Shell
	case "Create", "Edit", "MultiEdit", "ApplyPatch":
		return Write
	case "FetchUrl", "WebSearch":
		return Fetch
	}
	if server, verb, ok := strings.Cut(c.Tool, "___"); ok {
		c.Server, c.Verb = server, verb
		return MCP
	}
	return claudeKind(c.Tool, in)
}
