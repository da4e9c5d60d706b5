package harness

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// geminiScribe reads Gemini CLI's chats. A message may come again under its id,
// then the last one counts; $set replaces them all, $rewindTo takes back from one
// on. So nothing is sure before the end.
type geminiScribe struct {
	order []string
	byID  map[string][]Turn
	sub   bool
	cut   bool // the record's beginning isn't read
	// Older builds wrote one document over many lines: it is gathered in whole.
	document bool
	loose    []byte
}

func (s *geminiScribe) reset(head []byte) {
	*s = geminiScribe{byID: map[string][]Turn{}}
	f, ok := row(head)
	s.sub, s.document = ok && f.text("kind") == "subagent", !ok
}

// line takes a line in; settled gives the turns out.
func (s *geminiScribe) line(raw []byte) []Turn {
	if s.byID == nil {
		s.byID = map[string][]Turn{}
	}
	if s.document {
		if len(s.loose)+len(raw) < MaxLine {
			s.loose = append(append(s.loose, raw...), '\n')
		}
		return nil
	}
	f, ok := row(raw)
	if !ok {
		return nil
	}
	switch {
	case f.has("$rewindTo"):
		if i := slices.Index(s.order, f.text("$rewindTo")); i >= 0 {
			s.order = s.order[:i]
		} else if s.cut {
			s.order = s.order[:0] // back to before what is read here
		}
	case f.has("$set"):
		set, _ := f.optional("$set")
		if set.has("messages") {
			s.order = s.order[:0]
			clear(s.byID)
			for _, m := range blocks(set.m["messages"]) {
				s.take(m)
			}
		}
	case f.has("messages"): // older builds: one document
		for _, m := range blocks(f.m["messages"]) {
			s.take(m)
		}
	case f.has("id"):
		s.take(f)
	}
	return nil
}

func (s *geminiScribe) take(m fields) {
	id := m.text("id")
	if !slices.Contains(s.order, id) {
		s.order = append(s.order, id)
	}
	s.byID[id] = s.message(m)
}

func (s *geminiScribe) settled() []Turn {
	if s.document {
		s.document = false
		if _, whole := row(s.loose); whole {
			s.line(s.loose)
		} else { // no document after all, or a part of one
			for raw := range bytes.Lines(s.loose) {
				s.line(bytes.TrimSpace(raw))
			}
		}
	}
	var turns []Turn
	for _, id := range s.order {
		turns = append(turns, s.byID[id]...)
	}
	return turns
}

func (s *geminiScribe) message(m fields) []Turn {
	t := Turn{ID: m.text("id"), Time: m.time("timestamp")}
	text := said(m.m["content"])
	switch m.text("type") {
	case "user":
		switch {
		case text == "": // results of calls stand with the calls
			return nil
		case s.sub:
			t.Who, t.Origin, t.Text = Machine, Sidechain, text
		case strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?"):
			// A command to the harness, not to the model.
			t.Origin, t.Text = Meta, text
		default:
			t = personTurn(t, text)
		}
		return []Turn{t}
	case "gemini":
		t.Who, t.Origin = Agent, Made
		if s.sub {
			t.Origin = Sidechain
		}
		var turns []Turn
		if text != "" {
			t.Text = text
			turns = append(turns, t)
			t.Text = ""
		}
		for _, c := range blocks(m.m["toolCalls"]) {
			call := t
			call.Tool, call.Input, call.Call = c.text("name"), c.m["args"], c.text("id")
			turns = append(turns, call)
			if c.has("result") {
				turns = append(turns, geminiResult(t, c))
			}
		}
		return turns
	case "info", "warning", "error":
		t.Origin, t.Text = Meta, text
		return some(t)
	}
	return nil
}

func geminiResult(t Turn, c fields) Turn {
	t.Who, t.Call = Tool, c.text("id")
	if at := c.time("timestamp"); !at.IsZero() {
		t.Time = at
	}
	status := c.text("status")
	t.Failed = status == "error" || status == "cancelled"
	t.Text = responses(c.m["result"])
	return t
}

// responses are the texts of functionResponse parts.
func responses(raw json.RawMessage) string {
	var parts []string
	for _, part := range blocks(raw) {
		resp, ok := part.optional("functionResponse")
		if !ok {
			continue
		}
		body, _ := resp.optional("response")
		switch {
		case body.has("output"):
			parts = append(parts, stringOr(body.m["output"]))
		case body.has("error"):
			parts = append(parts, stringOr(body.m["error"]))
		default:
			parts = append(parts, string(resp.m["response"]))
		}
	}
	return strings.Join(parts, "\n")
}

// stringOr is a string's text, or the JSON of anything else.
func stringOr(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		return said(raw)
	}
	return string(raw)
}

// qwenScribe reads Qwen Code's chats: Claude Code's lines around Gemini's parts.
type qwenScribe struct{}

func (*qwenScribe) reset([]byte) {}

func (*qwenScribe) line(raw []byte) []Turn {
	f, ok := row(raw)
	if !ok {
		return nil
	}
	t := Turn{ID: f.text("uuid"), Agent: f.text("agentId"), Time: f.time("timestamp")}
	m, _ := f.optional("message")
	made := Made
	if f.flag("isSidechain") || t.Agent != "" {
		made = Sidechain
	}
	switch f.text("type") {
	case "user":
		text := said(m.m["parts"])
		// With a hook's text put in, what the person typed stands beside it.
		system, _ := f.optional("systemPayload")
		if raw := system.m["hookContext"]; len(raw) > 0 && raw[0] == '"' {
			text = system.text("displayText")
		}
		switch {
		case text == "":
			return nil
		case made == Sidechain:
			t.Origin, t.Text = Sidechain, text
		default:
			t = personTurn(t, text)
		}
		return []Turn{t}
	case "assistant":
		var turns []Turn
		for _, part := range blocks(m.m["parts"]) {
			one := t
			one.Who, one.Origin = Agent, made
			if call, ok := part.optional("functionCall"); ok {
				one.Tool, one.Input, one.Call = call.text("name"), call.m["args"], call.text("id")
			} else if one.Text = part.text("text"); one.Text == "" || part.flag("thought") {
				continue
			}
			turns = append(turns, one)
		}
		return turns
	case "tool_result":
		var turns []Turn
		for _, part := range blocks(m.m["parts"]) {
			resp, ok := part.optional("functionResponse")
			if !ok {
				continue
			}
			one := t
			one.Who, one.Origin, one.Call = Tool, made, resp.text("id")
			body, _ := resp.optional("response")
			if one.Failed = body.has("error"); one.Failed {
				one.Text = stringOr(body.m["error"])
			} else if body.has("output") {
				one.Text = stringOr(body.m["output"])
			} else {
				one.Text = string(resp.m["response"])
			}
			turns = append(turns, one)
		}
		return turns
	}
	return nil
}

// copilotScribe reads Copilot CLI's events.
type copilotScribe struct{}

func (*copilotScribe) reset([]byte) {}

func (*copilotScribe) line(raw []byte) []Turn {
	f, ok := row(raw)
	if !ok {
		return nil
	}
	d, _ := f.optional("data")
	t := Turn{ID: f.text("id"), Time: f.time("timestamp")}
	switch f.text("type") {
	case "user.message":
		// The reason of a held stop is queued as if a person had sent it.
		if t = personTurn(t, d.text("content")); t.Who == Person && d.text("delivery") == "queued" {
			t.Who, t.Origin = Machine, Feedback
		}
		return some(t)
	case "assistant.message":
		t.Who, t.Origin = Agent, Made
		var turns []Turn
		if text := d.text("content"); text != "" {
			one := t
			one.Text = text
			turns = append(turns, one)
		}
		for _, c := range blocks(d.m["toolRequests"]) {
			one := t
			one.Tool, one.Call = c.first("name", "toolName"), c.first("toolCallId", "id")
			_, one.Input = c.input("arguments")
			turns = append(turns, one)
		}
		return turns
	case "tool.execution_complete":
		t.Who, t.Origin, t.Call = Tool, Made, d.text("toolCallId")
		shell, _ := d.optional("shellExecution") // a command that fails is a success of its tool
		t.Failed = d.has("success") && !d.flag("success") || shell.number("exitCode") != 0
		switch res, isObject := d.optional("result"); {
		case isObject:
			t.Text = res.first("content", "textResultForLlm", "detailedContent")
		default:
			t.Text = stringOr(d.m["result"])
		}
		if t.Text == "" && d.has("error") {
			e, isObject := d.optional("error")
			if t.Text = stringOr(d.m["error"]); isObject {
				t.Text = e.text("message")
			}
		}
		return []Turn{t}
	}
	return nil
}
