package install

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/sortie/harness"
	"spar/sortie/install/internal/jsontext"
)

// A sheet is one settings file's way to hold hooks. Each operation takes the whole
// text and returns the whole text, so that every edit starts from what is really
// there and positions never go stale.
type sheet interface {
	// read lists the handlers of every event. An error is a *FileError.
	read(text []byte) ([]handler, error)
	// blank is the text of a file that isn't there yet.
	blank() []byte
	add(text []byte, event string, fields []harness.Field) ([]byte, error)
	// widen lets one handler reach everything: alone in its group it loses the
	// group's matcher, among others it moves and they keep theirs.
	widen(text []byte, at place, all func(matcher *string) bool) ([]byte, error)
	remove(text []byte, at place) ([]byte, error)
	set(text []byte, at place, key string, value any) ([]byte, error)
	drop(text []byte, at place, key string) ([]byte, error)
	// prune is the text in one form for everything that differs only in what an
	// install can't restore by itself: empty lists, and spaces inside the hooks. It
	// is for comparing, not for writing.
	prune(text []byte) ([]byte, error)
	// setting is a value of the file elsewhere than in its hooks, as it is written.
	setting(text []byte, path ...string) string
}

// place says where a handler stands: the how manieth element of its event's list,
// and the how manieth in that group; -1 where the list holds handlers itself.
type place struct {
	event string
	group int
	index int
}

// handler is one hook entry as a file has it.
type handler struct {
	at      place
	line    int
	matcher *string
	fields  []harness.Field // strings, ints and bools; args is a []string
	alone   bool            // in its group
}

func (h handler) text(key string) string {
	s, _ := h.field(key).(string)
	return s
}

func (h handler) field(key string) any {
	for _, f := range h.fields {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// jsonSheet is a JSON file, with or without comments.
type jsonSheet struct {
	wire harness.Wire
	path string
	lax  bool
}

func (s jsonSheet) parse(text []byte) (*jsontext.Doc, error) {
	doc, err := jsontext.Parse(text, s.lax)
	if err != nil {
		return nil, s.syntax(err)
	}
	return doc, nil
}

// syntax is the error for a text that could not be read.
func (s jsonSheet) syntax(err error) error {
	e := &FileError{Path: s.path, Problem: err.Error(), Next: "repair the file, then install again; nothing was written", Err: err}
	var at *jsontext.SyntaxError
	if errors.As(err, &at) {
		e.Line, e.Column, e.Problem = at.Line, at.Column, "not JSON: "+at.Problem
	}
	return e
}

// refuse is the error for a file whose hooks have another shape than its harness
// takes.
func (s jsonSheet) refuse(doc *jsontext.Doc, at int, format string, args ...any) error {
	line, column := doc.Position(at)
	return &FileError{Path: s.path, Line: line, Column: column, Problem: fmt.Sprintf(format, args...),
		Next: s.wire.Title + " would not read it either, so it is left alone"}
}

// stray is the first top-level key that is none of those known; "" for none.
func (s jsonSheet) stray(text []byte, known ...string) string {
	doc, err := s.parse(text)
	if err != nil {
		return ""
	}
	for _, it := range doc.Root.Items {
		if !slices.Contains(known, it.Key) {
			return it.Key
		}
	}
	return ""
}

// notEvent reports whether a key under `hooks` is a setting that older builds kept
// there.
func notEvent(key string, v *jsontext.Value) bool {
	return (key == "enabled" || key == "disabled" || key == "notifications") && v.Kind != jsontext.Object
}

// hooks finds the object that holds the events and checks it whole; nil where the
// file has none.
func (s jsonSheet) hooks(doc *jsontext.Doc) (*jsontext.Value, error) {
	root := doc.Root
	if root.Kind != jsontext.Object {
		return nil, s.refuse(doc, root.Start, "the file is %s where an object is due", root.Kind)
	}
	if i := root.Repeated("hooks"); i >= 0 {
		return nil, s.refuse(doc, root.Items[i].Start, `"hooks" stands here a second time, and only the last counts`)
	}
	hooks := root.Get("hooks")
	if hooks == nil {
		return nil, nil
	}
	if hooks.Kind != jsontext.Object {
		return nil, s.refuse(doc, hooks.Start, `"hooks" is %s where an object of events is due`, hooks.Kind)
	}
	for _, event := range hooks.Items {
		list := event.Value
		if notEvent(event.Key, list) {
			continue
		}
		if i := hooks.Repeated(event.Key); i >= 0 {
			return nil, s.refuse(doc, hooks.Items[i].Start, "%q stands here a second time, and only the last counts", event.Key)
		}
		if list.Kind != jsontext.Array {
			return nil, s.refuse(doc, list.Start, "%q is %s where a list is due", event.Key, list.Kind)
		}
		for _, el := range list.Items {
			group := el.Value
			if group.Kind != jsontext.Object {
				return nil, s.refuse(doc, group.Start, "an element of %q is %s where an object is due", event.Key, group.Kind)
			}
			inner := group.Get("hooks")
			if inner == nil {
				if s.wire.Shape == harness.Nested {
					return nil, s.refuse(doc, group.Start, `a group of %q has no "hooks"`, event.Key)
				}
				continue
			}
			if inner.Kind != jsontext.Array {
				return nil, s.refuse(doc, inner.Start, `"hooks" in a group of %q is %s where a list is due`, event.Key, inner.Kind)
			}
			for _, h := range inner.Items {
				if h.Value.Kind != jsontext.Object {
					return nil, s.refuse(doc, h.Value.Start, "a hook of %q is %s where an object is due", event.Key, h.Value.Kind)
				}
			}
		}
	}
	return hooks, nil
}

func (s jsonSheet) read(text []byte) ([]handler, error) {
	doc, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	hooks, err := s.hooks(doc)
	if err != nil || hooks == nil {
		return nil, err
	}
	var all []handler
	for _, event := range hooks.Items {
		if notEvent(event.Key, event.Value) {
			continue
		}
		for g, el := range event.Value.Items {
			inner := el.Value.Get("hooks")
			if inner == nil {
				h := s.handler(doc, el.Value)
				h.at, h.matcher, h.alone = place{event.Key, g, -1}, matcherOf(doc, el.Value), true
				all = append(all, h)
				continue
			}
			for i, it := range inner.Items {
				h := s.handler(doc, it.Value)
				h.at, h.matcher, h.alone = place{event.Key, g, i}, matcherOf(doc, el.Value), len(inner.Items) == 1
				all = append(all, h)
			}
		}
	}
	return all, nil
}

func matcherOf(doc *jsontext.Doc, v *jsontext.Value) *string {
	m := v.Get("matcher")
	if m == nil || m.Kind != jsontext.String {
		return nil
	}
	text := doc.Str(m)
	return &text
}

func (s jsonSheet) handler(doc *jsontext.Doc, v *jsontext.Value) handler {
	h := handler{}
	h.line, _ = doc.Position(v.Start)
	for _, it := range v.Items {
		var value any
		switch it.Value.Kind {
		case jsontext.String:
			value = doc.Str(it.Value)
		case jsontext.Bool:
			value = string(doc.Source(it.Value)) == "true"
		case jsontext.Number:
			// A limit may be written 1e4; what it is worth counts.
			f, err := strconv.ParseFloat(string(doc.Source(it.Value)), 64)
			if err != nil || math.Abs(f) > 1e12 {
				continue
			}
			value = int(f)
		case jsontext.Array:
			words := []string{}
			for _, w := range it.Value.Items {
				words = append(words, doc.Str(w.Value))
			}
			value = words
		default:
			continue
		}
		h.fields = append(h.fields, harness.Field{Key: it.Key, Value: value})
	}
	return h
}

// at finds a handler and what holds it.
func (s jsonSheet) at(text []byte, p place) (doc *jsontext.Doc, list, group, inner, h *jsontext.Value, err error) {
	if doc, err = s.parse(text); err != nil {
		return
	}
	list = doc.Get("hooks", p.event)
	group = list.Items[p.group].Value
	if p.index < 0 {
		return doc, list, group, nil, group, nil
	}
	inner = group.Get("hooks")
	return doc, list, group, inner, inner.Items[p.index].Value, nil
}

func (s jsonSheet) blank() []byte {
	if s.wire.Head.Key == "" {
		return []byte("{}\n")
	}
	return fmt.Appendf(nil, "{\n  %q: %d\n}\n", s.wire.Head.Key, s.wire.Head.Value)
}

func (s jsonSheet) add(text []byte, event string, fields []harness.Field) ([]byte, error) {
	var entry jsontext.Members
	for _, f := range fields {
		entry = append(entry, jsontext.Pair{Key: f.Key, Value: f.Value})
	}
	doc, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	text, err = s.addGroup(text, event, s.group(entry))
	if head := s.wire.Head; err == nil && head.Key != "" && doc.Root.Get(head.Key) == nil {
		if doc, err = s.parse(text); err == nil {
			text = doc.Append(doc.Root, head.Key, head.Value)
		}
	}
	return text, err
}

// group is what an event's list takes for one handler.
func (s jsonSheet) group(entry any) any {
	if s.wire.Shape == harness.Flat {
		return entry
	}
	var group jsontext.Members
	if s.wire.Matcher != nil {
		group = append(group, jsontext.Pair{Key: "matcher", Value: *s.wire.Matcher})
	}
	return append(group, jsontext.Pair{Key: "hooks", Value: jsontext.List{entry}})
}

func (s jsonSheet) addGroup(text []byte, event string, group any) ([]byte, error) {
	doc, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	hooks := doc.Root.Get("hooks")
	switch {
	case hooks == nil:
		return doc.Append(doc.Root, "hooks", jsontext.Members{{Key: event, Value: jsontext.List{group}}}), nil
	case hooks.Get(event) == nil:
		return doc.Append(hooks, event, jsontext.List{group}), nil
	default:
		return doc.Append(hooks.Get(event), "", group), nil
	}
}

func (s jsonSheet) widen(text []byte, p place, all func(*string) bool) ([]byte, error) {
	doc, list, group, inner, h, err := s.at(text, p)
	if err != nil {
		return nil, err
	}
	if p.index < 0 || len(inner.Items) == 1 {
		i := group.Index("matcher")
		if s.wire.Matcher != nil {
			return doc.Replace(group.Items[i].Value, *s.wire.Matcher), nil
		}
		return doc.Delete(group, i), nil
	}
	raw := jsontext.Raw(doc.Source(h))
	for g, el := range list.Items {
		into := el.Value.Get("hooks")
		if g == p.group || into == nil || !all(matcherOf(doc, el.Value)) {
			continue
		}
		return s.remove(doc.Append(into, "", raw), p)
	}
	if text, err = s.addGroup(text, p.event, s.group(raw)); err != nil {
		return nil, err
	}
	return s.remove(text, p)
}

// remove takes a handler out, and each bracket around it that has nothing left in
// it, a comment included.
func (s jsonSheet) remove(text []byte, p place) ([]byte, error) {
	doc, _, _, inner, _, err := s.at(text, p)
	if err != nil {
		return nil, err
	}
	if p.index >= 0 {
		var group *jsontext.Value
		text = doc.Delete(inner, p.index)
		if len(inner.Items) > 1 {
			return text, nil
		}
		if doc, _, group, _, _, err = s.at(text, place{p.event, p.group, -1}); err != nil || !hollow(doc, group.Get("hooks")) {
			return text, err
		}
	}
	list := doc.Get("hooks", p.event)
	text = doc.Delete(list, p.group)
	if len(list.Items) > 1 {
		return text, nil
	}
	if doc, err = s.parse(text); err != nil {
		return nil, err
	}
	hooks := doc.Get("hooks")
	if !hollow(doc, hooks.Get(p.event)) {
		return text, nil
	}
	text = doc.Delete(hooks, hooks.Index(p.event))
	if len(hooks.Items) > 1 {
		return text, nil
	}
	if doc, err = s.parse(text); err != nil {
		return nil, err
	}
	if hollow(doc, doc.Get("hooks")) {
		text = doc.Delete(doc.Root, doc.Root.Index("hooks"))
	}
	return text, nil
}

// hollow reports whether there is nothing but white space between the brackets.
func hollow(doc *jsontext.Doc, v *jsontext.Value) bool {
	source := doc.Source(v)
	return len(strings.TrimSpace(string(source[1:len(source)-1]))) == 0
}

func (s jsonSheet) set(text []byte, p place, key string, value any) ([]byte, error) {
	doc, _, _, _, h, err := s.at(text, p)
	if err != nil {
		return nil, err
	}
	return doc.Set(h, key, value), nil
}

func (s jsonSheet) drop(text []byte, p place, key string) ([]byte, error) {
	doc, _, _, _, h, err := s.at(text, p)
	if err != nil {
		return nil, err
	}
	return doc.Delete(h, h.Index(key)), nil
}

func (s jsonSheet) prune(text []byte) ([]byte, error) {
	for {
		doc, err := s.parse(text)
		if err != nil {
			return nil, err
		}
		next, found := s.pruneOne(doc)
		if !found {
			if hooks := doc.Get("hooks"); hooks != nil {
				// In which order lists became empty decides what space is left of them.
				return doc.Flatten(hooks), nil
			}
			return doc.Empty(doc.Root), nil
		}
		text = next
	}
}

func (s jsonSheet) pruneOne(doc *jsontext.Doc) ([]byte, bool) {
	root := doc.Root
	if head := s.wire.Head; head.Key != "" {
		if i := root.Index(head.Key); i >= 0 && string(doc.Source(root.Items[i].Value)) == strconv.Itoa(head.Value) {
			return doc.Delete(root, i), true
		}
	}
	hooks := root.Get("hooks")
	if hooks == nil || hooks.Kind != jsontext.Object {
		return nil, false
	}
	if len(hooks.Items) == 0 {
		return doc.Delete(root, root.Index("hooks")), true
	}
	for i, event := range hooks.Items {
		if event.Value.Kind != jsontext.Array || notEvent(event.Key, event.Value) {
			continue
		}
		if len(event.Value.Items) == 0 {
			return doc.Delete(hooks, i), true
		}
		for g, el := range event.Value.Items {
			if inner := el.Value.Get("hooks"); inner != nil && len(inner.Items) == 0 {
				return doc.Delete(event.Value, g), true
			}
		}
	}
	return nil, false
}

func (s jsonSheet) setting(text []byte, path ...string) string {
	doc, err := s.parse(text)
	if err != nil {
		return ""
	}
	v := doc.Get(path...)
	if v == nil {
		return ""
	}
	return string(doc.Source(v))
}
