package harness

import (
	"encoding/json"
	"strings"
)

// codexScribe reads Codex's rollout. New builds say of each message who it is
// from; old ones repeat a person's prompt as an event of its own, which is then
// the only proof: the message beside it looks like those of the harness.
type codexScribe struct {
	sub    string // the subagent whose record it is; its task is no person's word
	person string // the last prompt taken, which the next line may repeat
	agent  string // the last words of the model taken
}

func (s *codexScribe) reset(head []byte) {
	*s = codexScribe{}
	// A prompt in the first line is still to be read as a line.
	if f, ok := row(head); ok && f.text("type") == "session_meta" {
		s.line(head)
	}
}

func (s *codexScribe) line(raw []byte) []Turn {
	f, ok := row(raw)
	if !ok {
		return nil
	}
	p, _ := f.optional("payload")
	t := Turn{Time: f.time("timestamp"), ID: p.text("id"), Agent: s.sub}
	switch f.text("type") {
	case "session_meta":
		source, _ := p.optional("source")
		if p.text("thread_source") == "subagent" || source.has("subagent") {
			if s.sub = p.text("id"); s.sub == "" {
				s.sub = "subagent"
			}
		}
	case "response_item":
		return s.item(t, p)
	case "event_msg":
		return s.event(t, p)
	case "compacted":
		t.Origin, t.Text = Summary, p.text("message")
		if t.Text != "" {
			return []Turn{t}
		}
	}
	return nil
}

func (s *codexScribe) item(t Turn, p fields) []Turn {
	meta, _ := p.optional("internal_chat_message_metadata_passthrough")
	t.Prompt = meta.text("turn_id")
	t.Who, t.Origin = Agent, Made
	if s.sub != "" {
		t.Origin = Sidechain
	}
	switch p.text("type") {
	case "message":
		text := said(p.m["content"], "input_text", "output_text", "text")
		switch p.text("role") {
		case "assistant":
			return s.words(t, text)
		case "user":
			return s.user(t, text, blocks(p.m["content"]), meta)
		}
		t.Who, t.Origin, t.Text = Machine, Meta, text
		if from := provenances(meta); len(from) > 0 && from[0].flag("hook") {
			t.Origin = Feedback
		}
		return some(t)
	case "function_call", "custom_tool_call", "local_shell_call":
		t.Tool, t.Call = p.text("name"), p.text("call_id")
		t.Input = p.m["input"]
		if args := p.text("arguments"); args != "" {
			if t.Input = json.RawMessage(args); !json.Valid(t.Input) {
				t.Input = p.m["arguments"]
			}
		}
		if p.has("action") {
			t.Tool, t.Input = "local_shell", p.m["action"]
		}
		s.person, s.agent = "", ""
		return []Turn{t}
	case "function_call_output", "custom_tool_call_output":
		t.Who, t.Call = Tool, p.text("call_id")
		t.Text, t.Failed = codexOutput(p.m["output"])
		s.person, s.agent = "", ""
		return []Turn{t}
	}
	return nil
}

// user is a message of role user: a person's only where its provenance says so,
// and never in a subagent's record, which says so of the task as well. Each item
// of the message has a provenance of its own; what the harness put beside a
// person's words is left out.
func (s *codexScribe) user(t Turn, text string, items []fields, meta fields) []Turn {
	from := provenances(meta)
	if s.sub != "" {
		t.Who, t.Origin, t.Text = Machine, Sidechain, text
		return some(t)
	}
	if len(from) == 0 {
		// Without a word on it: the harness's by how it begins, else the event that
		// repeats a person's prompt is waited for.
		if t = personTurn(t, text); t.Who == Person {
			return nil
		}
		return some(t)
	}
	var own []string
	for i, p := range from {
		if p.text("type") == "user" && i < len(items) {
			own = append(own, items[i].text("text"))
		}
	}
	if own != nil {
		return s.prompt(t, strings.Join(own, "\n"))
	}
	t.Who, t.Origin, t.Text = Machine, Meta, text
	if from[0].flag("hook") {
		t.Origin = Feedback
	}
	return some(t)
}

// provenances are who the items of a message are from.
func provenances(meta fields) []fields {
	var from []fields
	for _, item := range blocks(meta.m["content_item_metadata"]) {
		p, _ := item.optional("provenance")
		from = append(from, p)
	}
	return from
}

func (s *codexScribe) event(t Turn, p fields) []Turn {
	if s.sub != "" {
		return nil
	}
	t.ID = ""
	switch p.text("type") {
	case "user_message":
		return s.prompt(t, p.text("message"))
	case "agent_message":
		t.Who, t.Origin = Agent, Made
		return s.words(t, p.text("message"))
	case "item_completed":
		item, _ := p.optional("item")
		t.ID, t.Prompt = item.text("id"), p.text("turn_id")
		if item.text("type") == "UserMessage" {
			return s.prompt(t, said(item.m["content"], "text"))
		}
	case "turn_aborted":
		t.Who, t.Origin, t.Text = Person, Interrupt, p.text("reason")
		return []Turn{t}
	}
	return nil
}

// prompt is a person's prompt, taken once although two lines tell it.
func (s *codexScribe) prompt(t Turn, text string) []Turn {
	if text == "" || text == s.person {
		return nil
	}
	s.person, s.agent = text, ""
	return []Turn{personTurn(t, text)}
}

// words are the model's, taken once.
func (s *codexScribe) words(t Turn, text string) []Turn {
	if text == "" || text == s.agent {
		return nil
	}
	s.person, s.agent = "", text
	t.Text = text
	return []Turn{t}
}

func some(t Turn) []Turn {
	if t.Text == "" {
		return nil
	}
	return []Turn{t}
}

// codexOutput is what a tool returned: text with its exit code in its head, or an
// object with both as old builds wrote it.
func codexOutput(raw json.RawMessage) (text string, failed bool) {
	text = said(raw)
	if o, ok := row([]byte(text)); ok && o.has("output") {
		meta, _ := o.optional("metadata")
		return o.text("output"), meta.number("exit_code") != 0
	}
	if strings.HasPrefix(text, "Command blocked by PreToolUse hook") {
		return text, true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, head := range [...]string{"Process exited with code ", "Exit code: "} {
			if code, ok := strings.CutPrefix(line, head); ok {
				return text, code != "0"
			}
		}
		if line == "Output:" {
			break
		}
	}
	return text, false
}
