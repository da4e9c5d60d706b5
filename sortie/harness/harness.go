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
	// event is the neutral event of a name in the harness's own spelling.
	event func(name string) Event
	// fill reads the payload into the call; Harness, Event and Name are set.
	fill func(c *Call, f fields, env func(string) string)
	// render is the answer in the keys that this event accepts; nil: nothing that
	// this event could say.
	render func(c *Call, a Answer) any
}

// adapters is every harness there is, in the order of detection.
func adapters() []*adapter { return []*adapter{&claude} }

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
	for _, other := range adapters() {
		if a == nil && other.claims(f, env) {
			a = other
		}
	}
	if a == nil {
		return nil, nil, errors.New("the payload is of no harness known here; name it with --harness")
	}
	name := h.Event
	if name == "" {
		name = f.text("hook_event_name")
	}
	c = &Call{Harness: a.name, Name: name, Event: a.event(name)}
	a.fill(c, f, env)
	return c, odd, nil
}

// Render is the answer as the harness of the call wants it on stdout, or nil for
// silence. It never holds a key that the event doesn't accept.
func Render(c *Call, ans Answer) []byte {
	a := find(c.Harness)
	if a == nil || ans.Empty() {
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
		a = adapters()[0]
	}
	name := h.Event
	if name == "" {
		name = peekText(head, "hook_event_name")
	}
	if name == "" {
		return nil
	}
	return &Call{Harness: a.name, Name: name, Event: a.event(name), Tool: peekText(head, "tool_name")}
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
