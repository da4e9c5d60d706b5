package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// adapter is one harness: the facts of its wire. Adding one is a file that fills
// this in and a line in adapters.
type adapter struct {
	// name is the harness as --harness spells it.
	name string
	// claims reports whether a payload is surely this harness's. The list is asked
	// in order; the first claim wins.
	claims func(f fields, env func(string) string) bool
	// surely reports whether a payload bears a mark that no other harness sets: it
	// overrules a flag, because some harnesses also run the entries in another's
	// settings. nil: never.
	surely func(f fields, env func(string) string) bool
	// guess is the event of a payload that doesn't name it; nil: each does.
	guess func(f fields) string
	// event is the neutral event of a name in the harness's own spelling.
	event func(name string) Event
	// fill reads the payload into the call; Harness, Event and Name are set.
	fill func(c *Call, f fields, env func(string) string)
	// render is the answer in the keys that this event accepts; nil: nothing that
	// this event could say.
	render func(c *Call, a Answer) any
}

// adapters is every harness there is, in the order of detection.
//
// The order is that of how sure the marks are. Grok's payload is Copilot's with
// one key more, Gemini's start of a session is Qwen's with one less, and what no
// one else claims but looks like Claude Code's is Claude Code's.
func adapters() []*adapter { return all[:] }

var all = [...]*adapter{
	&generic, &antigravity, &cursor, &openCode, &grok, &gemini, &qwen, &copilot, &muse, &codex, &droid, &claude,
}

// Names lists the harnesses that can be named on a command line.
func Names() []string {
	var names []string
	for _, a := range adapters() {
		names = append(names, a.name)
	}
	return names
}

func find(name string) *adapter {
	for _, a := range adapters() {
		if a.name == name {
			return a
		}
	}
	return nil
}

// Hint is what the command line of a hook entry says of its payload. Both are
// optional; where they are missing the payload is looked at.
type Hint struct {
	Harness string // "claude"
	Event   string // in the harness's own spelling
}

// Errors of Parse.
var (
	ErrEmpty     = errors.New("the payload is empty")
	ErrNotObject = errors.New("the payload is no JSON object")
)

// Parse reads one payload. env looks variables up ("" for unset); it is asked
// only for what the harness says of itself. A call that could be read in part
// comes with the list of fields that had the wrong type. A payload that is no
// JSON object is an error that wraps ErrEmpty or ErrNotObject.
func Parse(raw []byte, h Hint, env func(string) string) (c *Call, odd []string, err error) {
	raw = bytes.TrimSpace(TrimMark(raw))
	if len(raw) == 0 {
		return nil, nil, ErrEmpty
	}
	f := fields{odd: &odd}
	if raw[0] != '{' {
		return nil, nil, fmt.Errorf("%w but %s", ErrNotObject, typeName(raw))
	}
	if err := json.Unmarshal(raw, &f.m); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNotObject, err)
	}
	var a *adapter
	if h.Harness != "" {
		if a = find(h.Harness); a == nil {
			return nil, nil, fmt.Errorf("no harness is called %q; there are %s", h.Harness, strings.Join(Names(), ", "))
		}
	}
	name := h.Event
	if a == nil {
		a = claimed(f, env)
	} else if other := overruled(a, f, env); other != nil {
		// It is spoken in its own dialect; the flag's event is a last resort.
		if a, name = other, f.text("hook_event_name"); name == "" && other.event(h.Event) != Other {
			name = h.Event
		}
	}
	if a == nil {
		return nil, nil, errors.New("the payload is of no harness known here; name it with --harness")
	}
	if name == "" {
		name = f.text("hook_event_name")
	}
	if name == "" && a.guess != nil {
		name = a.guess(f)
	}
	c = &Call{Harness: a.name, Name: name, Event: a.event(name)}
	a.fill(c, f, env)
	return c, odd, nil
}

// claimed is the harness that a payload without a flag is taken for, or nil.
func claimed(f fields, env func(string) string) *adapter {
	for _, a := range adapters() {
		if a.claims(f, env) {
			return a
		}
	}
	return nil
}

// overruled is another harness than the flag's, where it alone sends such a
// payload, or nil. A payload that follows our own format is what its flag says.
func overruled(flag *adapter, f fields, env func(string) string) *adapter {
	if flag.surely != nil && flag.surely(f, env) || generic.claims(f, env) {
		return nil
	}
	for _, a := range adapters() {
		if a != flag && a.surely != nil && a.surely(f, env) {
			return a
		}
	}
	return nil
}

// Detect is the harness that a payload is of, by what it looks like, "" for one
// that nobody claims. env looks variables up.
func Detect(raw []byte, env func(string) string) string {
	f := fields{}
	if json.Unmarshal(TrimMark(raw), &f.m) != nil {
		return ""
	}
	if a := claimed(f, env); a != nil {
		return a.name
	}
	return ""
}

// Render is the answer as the harness of the call wants it on stdout, or nil for
// silence. It never holds a key that the event doesn't accept.
func Render(c *Call, ans Answer) []byte {
	a := find(c.Harness)
	if a == nil || ans.Empty() {
		return nil
	}
	if ans = fit(c, ans, Abilities(c.Harness)); ans.Empty() {
		return nil
	}
	doc := a.render(c, ans)
	if doc == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(doc) != nil {
		return nil
	}
	return b.Bytes()
}

// identify gives a call its ids: the harness's own, or what its content says.
func identify(c *Call, id string) {
	if id != "" {
		c.ID, c.Pair = id, id
		return
	}
	c.ID, c.Window = contentID(c, c.Time)
	// The event after a call has another time.
	if c.Pair = c.ID; !c.Window {
		c.Pair, _ = contentID(c, time.Time{})
	}
}

// contentID is the id of a call whose payload has none: what identifies it,
// hashed. Without a timestamp one input is one call only within a second.
func contentID(c *Call, at time.Time) (id string, window bool) {
	h := sha256.New()
	for _, s := range []string{c.Session, c.Agent, c.Tool, string(compact(c.Input))} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	if !at.IsZero() {
		fmt.Fprint(h, at.UnixNano())
	}
	return "h-" + hex.EncodeToString(h.Sum(nil)[:12]), at.IsZero()
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// Peek is what the beginning of a payload, too large to read, says of itself:
// harness, event and tool. nil where even that is not to be seen.
func Peek(head []byte, h Hint) *Call {
	a := find(h.Harness)
	if a == nil {
		a = &claude
	}
	name := h.Event
	for _, field := range [...]string{"hook_event_name", "hook", "event"} {
		if name == "" {
			name = peekText(head, field)
		}
	}
	if name == "" {
		return nil
	}
	c := &Call{Harness: a.name, Name: name, Event: a.event(name)}
	for _, field := range [...]string{"tool_name", "toolName", "tool"} {
		if c.Tool == "" {
			c.Tool = peekText(head, field)
		}
	}
	return c
}

// peekText finds a string field by its name in text that is no whole document.
func peekText(head []byte, field string) string {
	_, rest, ok := bytes.Cut(head, []byte(`"`+field+`"`))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	value, _, ok := bytes.Cut(rest[1:], []byte(`"`))
	if !ok {
		return ""
	}
	return string(value)
}
