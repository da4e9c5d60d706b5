package harness

import "encoding/json"

// generic is our own format, for a harness nobody has an adapter for. It is
// written down in docs/generic-harness.md; the version in "spar" is 1.
var generic = adapter{
	name: "generic",
	claims: func(f fields, _ func(string) string) bool {
		return f.has("spar") && f.has("event")
	},
	guess:  func(f fields) string { return f.text("event") },
	event:  genericEvent,
	fill:   genericFill,
	render: genericRender,
}

// genericEvent takes the neutral names.
func genericEvent(name string) Event {
	for e := SessionStart; e <= Stop; e++ {
		if e.String() == name {
			return e
		}
	}
	return Other
}

func genericKind(name string) (Kind, bool) {
	for k := OtherTool; k <= Fetch; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return OtherTool, false
}

func genericFill(c *Call, f fields, _ func(string) string) {
	c.Session, c.Agent, c.AgentType = f.text("session"), f.text("agent"), f.text("agent_type")
	c.Cwd, c.Project, c.PID = f.text("cwd"), f.text("project"), f.number("pid")
	c.Transcript, c.Time = f.text("transcript"), f.time("time")
	switch c.Event {
	case SessionStart:
		c.Source = f.text("source")
	case SessionEnd:
		c.Reason = f.text("reason")
	case Prompt:
		if text, person := personText(f.text("prompt")); f.flag("human") && c.Agent == "" {
			c.Prompt, c.Human = text, person
		}
	case PreTool, PostTool, PostFailure, Permission, Denied:
		c.Tool, c.Input = f.text("tool"), f.m["input"]
		in, _ := f.optional("input")
		kind, known := genericKind(f.text("kind"))
		switch {
		case known:
		case f.has("command"):
			kind = Shell
		case f.has("files"):
			kind = Write
		case f.has("server") || f.has("verb"):
			kind = MCP
		default:
			kind = otherKind(c.Tool, in)
		}
		c.Server, c.Verb = f.text("server"), f.text("verb")
		if kind == Shell && f.has("command") {
			in = fields{m: map[string]json.RawMessage{"command": f.m["command"]}, odd: f.odd}
			if raw, ok := f.m["workdir"]; ok {
				in.m["workdir"] = raw
			}
		}
		tool(c, in, kind)
		if d := f.text("dialect"); d == "powershell" || d == "cmd" {
			c.Dialect = d
		}
		if list := f.list("files"); list != nil {
			c.Files = genericFiles(list)
		}
		identify(c, f.text("call"))
		c.Response, c.Failure = f.m["response"], f.text("failure")
		switch c.Event {
		case PostTool:
			c.Ran = true
		case PostFailure:
			c.Ran = f.flag("ran")
		}
	case Stop, AgentStop:
		c.Again, c.LastText = f.flag("again"), f.text("last")
	}
}

func genericFiles(list []fields) []File {
	var files []File
	for _, g := range list {
		f := File{Path: g.text("path"), Op: g.text("op"), Old: g.text("old"), New: g.text("new"), Content: g.text("content")}
		switch f.Op {
		case "write", "edit", "delete", "move":
		default:
			f.Op = "edit"
		}
		if f.Path == "" {
			continue
		}
		if from := g.text("from"); f.Op == "move" && from != "" {
			files = append(files, File{Path: from, Op: "delete"})
		}
		files = append(files, f)
	}
	return files
}

type genericAnswer struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Context  string `json:"context,omitempty"`
	Person   string `json:"person,omitempty"`
}

func genericRender(c *Call, a Answer) any {
	out := genericAnswer{Person: a.Person}
	switch c.Event {
	case PreTool:
		out.Decision, out.Context = a.Decision.String(), a.Context
	case Permission:
		if a.Decision == Allow || a.Decision == Deny {
			out.Decision = a.Decision.String()
		}
	case Stop, AgentStop:
		if a.Decision == Deny {
			out.Decision = "deny"
		}
	case SessionStart, Prompt, PostTool, PostFailure, AgentStart:
		out.Context = a.Context
	}
	if out.Decision != "" {
		out.Reason = a.Reason
	}
	if out == (genericAnswer{}) {
		return nil
	}
	return out
}
