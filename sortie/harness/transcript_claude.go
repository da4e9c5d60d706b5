package harness

import "strings"

// claudeScribe reads Claude Code's record: a line a block, kinds of lines beyond
// the four below are bookkeeping. api-request-blob lines hold copies of messages
// of role user: they are no prompts, and their type isn't user.
type claudeScribe struct{}

func (*claudeScribe) reset([]byte) {}

func (*claudeScribe) line(raw []byte) []Turn {
	f, ok := row(raw)
	if !ok {
		return nil
	}
	t := Turn{ID: f.text("uuid"), Prompt: f.text("promptId"), Agent: f.text("agentId"), Time: f.time("timestamp")}
	m, _ := f.optional("message")
	switch f.text("type") {
	case "user":
		return claudeUser(t, f, m)
	case "assistant":
		return claudeAssistant(t, f, m)
	case "summary":
		t.Origin, t.Text = Summary, f.text("summary")
		return []Turn{t}
	case "attachment":
		a, _ := f.optional("attachment")
		if !strings.HasPrefix(a.text("type"), "hook_") {
			return nil
		}
		t.Origin, t.Call = Feedback, a.text("toolUseID")
		if words, ok := a.words("content"); ok {
			t.Text = strings.Join(words, "\n")
		} else {
			t.Text = a.first("content", "stdout", "stderr")
		}
		if t.Text == "" {
			return nil
		}
		return []Turn{t}
	}
	return nil
}

func claudeUser(t Turn, f, m fields) []Turn {
	side := f.flag("isSidechain")
	var results []Turn
	for _, b := range blocks(m.m["content"]) {
		if b.text("type") != "tool_result" {
			continue
		}
		r := t
		r.Who, r.Origin, r.Call, r.Failed = Tool, Made, b.text("tool_use_id"), b.flag("is_error")
		if side {
			r.Origin = Sidechain
		}
		r.Text = said(b.m["content"], "text")
		results = append(results, r)
	}
	if results != nil || f.has("toolUseResult") {
		return results
	}
	text := said(m.m["content"], "text")
	if text == "" {
		return nil
	}
	origin, _ := f.optional("origin")
	kind, source := origin.text("kind"), f.text("promptSource")
	switch {
	case side:
		t.Who, t.Origin, t.Text = Machine, Sidechain, text
	case f.flag("isCompactSummary"):
		t.Origin, t.Text = Summary, text
	case f.flag("isMeta"), kind != "" && kind != "human", source != "" && source != "typed" && source != "sdk":
		// What isn't a person's by the line's own word isn't one's by its text.
		if t = personTurn(t, text); t.Who == Person && t.Origin == Direct {
			t.Who, t.Origin, t.Text = Machine, Meta, text
		}
	case kind == "" && source == "" && strings.HasPrefix(strings.TrimSpace(text), "<system-reminder>"):
		// Older builds don't say who spoke; what begins so was never typed.
		t.Origin, t.Text = Meta, text
	default:
		t = personTurn(t, text)
	}
	return []Turn{t}
}

func claudeAssistant(t Turn, f, m fields) []Turn {
	t.Who, t.Origin = Agent, Made
	if f.flag("isSidechain") {
		t.Origin = Sidechain
	}
	if raw := m.m["content"]; len(raw) > 0 && raw[0] == '"' {
		t.Text = said(raw)
		return []Turn{t}
	}
	var turns []Turn
	for _, b := range blocks(m.m["content"]) {
		one := t
		switch b.text("type") {
		case "text":
			one.Text = b.text("text")
		case "tool_use":
			one.Tool, one.Input, one.Call = b.text("name"), b.m["input"], b.text("id")
		default:
			continue // thinking is not said
		}
		turns = append(turns, one)
	}
	return turns
}
