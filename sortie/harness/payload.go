package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// fields is one JSON object, read leniently: a field of the wrong type counts as
// absent and is remembered, so that a harness which changes a field nobody needs
// doesn't switch the gate off.
type fields struct {
	m   map[string]json.RawMessage
	odd *[]string
	at  string // where the object stands, for messages
}

// object reads raw as an object. ok is false where it is none.
func object(raw json.RawMessage, at string, odd *[]string) (fields, bool) {
	f := fields{odd: odd, at: at}
	if len(raw) == 0 || raw[0] != '{' {
		return f, false
	}
	return f, json.Unmarshal(raw, &f.m) == nil
}

// has reports whether a field is there and not null.
func (f fields) has(name string) bool {
	raw, ok := f.m[name]
	return ok && !bytes.Equal(raw, []byte("null"))
}

// text is a string field; "" where it is absent or no string.
func (f fields) text(name string) string {
	raw, ok := f.m[name]
	if !ok {
		return ""
	}
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		f.wrong(name, raw, "a string")
		return ""
	}
	return s
}

// first is the first of several names that holds a non-empty string.
func (f fields) first(names ...string) string {
	for _, n := range names {
		if s := f.text(n); s != "" {
			return s
		}
	}
	return ""
}

// flag is a boolean field; false where it is absent or no boolean.
func (f fields) flag(name string) bool {
	raw, ok := f.m[name]
	if !ok {
		return false
	}
	switch string(raw) {
	case "true":
		return true
	case "false", "null":
		return false
	}
	f.wrong(name, raw, "true or false")
	return false
}

// sub is an object field.
func (f fields) sub(name string) (fields, bool) {
	raw, ok := f.m[name]
	if !ok {
		return fields{odd: f.odd}, false
	}
	o, isObject := object(raw, name, f.odd)
	if !isObject {
		f.wrong(name, raw, "an object")
	}
	return o, isObject
}

// wrong remembers a field of the wrong type. null is absence, not a wrong type.
func (f fields) wrong(name string, raw json.RawMessage, want string) {
	if f.odd == nil || bytes.Equal(raw, []byte("null")) {
		return
	}
	if f.at != "" {
		name = f.at + "." + name
	}
	*f.odd = append(*f.odd, fmt.Sprintf("%s is %s, want %s", name, typeName(raw), want))
}

func typeName(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "empty"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// time reads an RFC 3339 string or a number of milliseconds since 1970.
func (f fields) time(name string) time.Time {
	raw, ok := f.m[name]
	if !ok {
		return time.Time{}
	}
	if raw[0] == '"' {
		t, err := time.Parse(time.RFC3339Nano, f.text(name))
		if err != nil {
			return time.Time{}
		}
		return t
	}
	var ms float64
	if json.Unmarshal(raw, &ms) != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms))
}

// TrimMark takes byte-order marks off the front of a payload and turns UTF-16,
// as some Windows shells pipe it, into UTF-8.
func TrimMark(raw []byte) []byte {
	for bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		raw = raw[3:]
	}
	little := bytes.HasPrefix(raw, []byte{0xff, 0xfe})
	if !little && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}) {
		return raw
	}
	raw = raw[2:]
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		u := uint16(raw[i])<<8 | uint16(raw[i+1])
		if little {
			u = uint16(raw[i+1])<<8 | uint16(raw[i])
		}
		units = append(units, u)
	}
	out := make([]byte, 0, len(units))
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))
}

// injected are the beginnings of prompt text that a harness wrote, not a person:
// command expansions, pasted tool output, notifications, a summary after
// compaction, the reason of a held stop. (Claude Code 2.1, Codex 0.171, Gemini CLI
// 0.61; older builds have no other mark.)
var injected = [...]string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-caveat>",
	"Caveat: The messages below", "<bash-input>", "<bash-stdout>", "<task-notification>",
	"[Request interrupted", feedbackMark, "This session is being continued",
	"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<hook_prompt", "<subagent_notification>",
	"<turn_aborted>", "<session_context>",
}

// inserted are the tags around what a harness puts into a prompt beside a
// person's words.
var inserted = [...]string{"system-reminder", "hook_context"}

// personText is a prompt without what the harness put into it, and whether
// anything of a person's is left.
func personText(prompt string) (string, bool) {
	for _, tag := range inserted {
		prompt = cutTag(prompt, "<"+tag+">", "</"+tag+">")
	}
	trimmed := strings.TrimSpace(prompt)
	for _, mark := range injected {
		if strings.HasPrefix(trimmed, mark) {
			return "", false
		}
	}
	return prompt, trimmed != ""
}

// cutTag takes out every stretch between two tags; one that isn't closed goes on
// to the end.
func cutTag(text, opening, closing string) string {
	for {
		start := strings.Index(text, opening)
		if start < 0 {
			return text
		}
		end := strings.Index(text[start:], closing)
		if end < 0 {
			return text[:start]
		}
		text = text[:start] + text[start+end+len(closing):]
	}
}
