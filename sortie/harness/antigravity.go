package harness

import "strings"

// antigravity is Antigravity's `agy`, 1.1.2, from notes alone: it is read and
// answered, not installed into. An answer without a decision makes it ask the
// person, as it does without a hook.
var antigravity = adapter{
	name: "antigravity",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("toolCall") && f.has("workspacePaths")
	},
	surely: func(f fields, _ func(string) string) bool {
		return f.has("toolCall") && f.has("workspacePaths")
	},
	guess: func(f fields) string {
		if f.has("toolResult") || f.has("result") {
			return "PostToolUse"
		}
		return "PreToolUse"
	},
	event: func(name string) Event {
		switch e := claudeEvent(name); e {
		case PreTool, PostTool:
			return e
		}
		return Other
	},
	fill: func(c *Call, f fields, _ func(string) string) {
		c.Session, c.Transcript = f.text("conversationId"), f.text("transcriptPath")
		if roots, _ := f.words("workspacePaths"); len(roots) > 0 {
			c.Cwd, c.Project = roots[0], roots[0]
		}
		if c.Event != PreTool && c.Event != PostTool {
			return
		}
		call, _ := f.sub("toolCall")
		in, _ := call.sub("args")
		c.Tool, c.Input = call.text("name"), call.m["args"]
		tool(c, in, antigravityKind(c, in))
		identify(c, call.text("id"))
		c.Ran = c.Event == PostTool
	},
	render: func(c *Call, a Answer) any {
		if c.Event != PreTool || a.Decision < Ask {
			return nil
		}
		return antigravityAnswer{a.Decision.String(), a.Reason}
	},
}

type antigravityAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

func antigravityKind(c *Call, in fields) Kind {
	switch c.Tool {
	case "run_command":
		return Shell
	case "write_to_file", "replace_file_content", "multi_replace_file_content":
		return Write
	case "view_file", "list_dir", "grep_search", "find_by_name", "view_file_outline", "codebase_search":
		return Read
	case "read_url_content", "search_web":
		return Fetch
	}
	if in.has("CommandLine") {
		return Shell
	}
	if in.has("TargetFile") {
		return Write
	}
	if rest, ok := strings.CutPrefix(c.Tool, "mcp_"); ok && !strings.HasPrefix(rest, "_") {
		c.Server, c.Verb, _ = strings.Cut(rest, "_")
		return MCP
	}
	return otherKind(c.Tool, in)
}
