package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"spar/sortie/harness"
	"spar/sortie/install/internal/tomltext"
)

// tomlSheet is Codex's config.toml, where somebody keeps hooks in it already:
//
//	[[hooks.PreToolUse]]
//	[[hooks.PreToolUse.hooks]]
//	type = "command"
//
// A layer with hooks both here and in hooks.json starts with a warning.
type tomlSheet struct {
	wire harness.Wire
	path string
}

func (s tomlSheet) parse(text []byte) (*tomltext.Doc, error) {
	doc, err := tomltext.Parse(text)
	if err == nil {
		return doc, nil
	}
	e := &FileError{Path: s.path, Problem: err.Error(), Next: "repair the file, then install again; nothing was written", Err: err}
	var syntax *tomltext.SyntaxError
	if errors.As(err, &syntax) {
		e.Line, e.Column, e.Problem = syntax.Line, syntax.Column, "not TOML: "+syntax.Problem
	}
	return nil, e
}

// tomlHandler is a handler with its tables.
type tomlHandler struct {
	handler
	group, table int // indexes of Doc.Tables
}

// isGroup reports whether a table is [[hooks.EVENT]]; hooks.state, where Codex
// keeps what it trusts, is a plain table.
func isGroup(t tomltext.Table) bool {
	return t.Array && len(t.Path) == 2 && t.Path[0] == "hooks"
}

func isHandler(t tomltext.Table) bool {
	return t.Array && len(t.Path) == 3 && t.Path[0] == "hooks" && t.Path[2] == "hooks"
}

// inline reports whether the file holds hooks at all.
func (s tomlSheet) inline(text []byte) bool {
	doc, err := s.parse(text)
	if err != nil {
		return false
	}
	for _, t := range doc.Tables {
		if isGroup(t) {
			return true
		}
	}
	return false
}

func (s tomlSheet) handlers(text []byte) (*tomltext.Doc, []tomlHandler, error) {
	doc, err := s.parse(text)
	if err != nil {
		return nil, nil, err
	}
	var all []tomlHandler
	groups := map[string]int{} // how many groups an event has so far
	last := map[string]int{}   // the table of its newest group
	for i, t := range doc.Tables {
		switch {
		case isGroup(t):
			last[t.Path[1]] = i
			groups[t.Path[1]]++
		case isHandler(t) && groups[t.Path[1]] > 0:
			event := t.Path[1]
			h := tomlHandler{group: last[event], table: i}
			h.at = place{event, groups[event] - 1, 0}
			h.alone = true
			for j := range all {
				if all[j].group == h.group {
					h.at.index++
					all[j].alone, h.alone = false, false
				}
			}
			h.line = 1 + bytes.Count(text[:t.Start], []byte("\n"))
			for _, p := range doc.Tables[h.group].Pairs {
				if m, ok := doc.Value(p).(string); ok && len(p.Path) == 1 && p.Path[0] == "matcher" {
					h.matcher = &m
				}
			}
			for _, p := range t.Pairs {
				if v := doc.Value(p); v != nil && len(p.Path) == 1 {
					h.fields = append(h.fields, harness.Field{Key: p.Path[0], Value: v})
				}
			}
			all = append(all, h)
		case len(t.Path) > 0 && t.Path[0] == "hooks" && len(t.Path) == 1:
			for _, p := range t.Pairs {
				if v := doc.Text[p.From]; v == '[' {
					return nil, nil, s.refuseInline(doc, p.Start)
				}
			}
		case t.Path == nil:
			for _, p := range t.Pairs {
				if p.Path[0] == "hooks" {
					return nil, nil, s.refuseInline(doc, p.Start)
				}
			}
		}
	}
	return doc, all, nil
}

func (s tomlSheet) refuseInline(doc *tomltext.Doc, at int) error {
	return &FileError{Path: s.path, Line: 1 + bytes.Count(doc.Text[:at], []byte("\n")), Column: 1,
		Problem: "hooks written as an inline list can't be edited without rewriting it", Next: "write them as [[hooks.EVENT]] tables, or move them into hooks.json"}
}

func (s tomlSheet) read(text []byte) ([]handler, error) {
	_, found, err := s.handlers(text)
	var all []handler
	for _, h := range found {
		all = append(all, h.handler)
	}
	return all, err
}

func (s tomlSheet) find(text []byte, p place) (*tomltext.Doc, tomlHandler, error) {
	doc, all, err := s.handlers(text)
	if err != nil {
		return nil, tomlHandler{}, err
	}
	for _, h := range all {
		if h.at == p {
			return doc, h, nil
		}
	}
	return nil, tomlHandler{}, fmt.Errorf("%s: hook %d of group %d of %s is gone", s.path, p.index, p.group, p.event)
}

func (s tomlSheet) blank() []byte { return nil }

func (s tomlSheet) eol(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (s tomlSheet) add(text []byte, event string, fields []harness.Field) ([]byte, error) {
	if _, err := s.parse(text); err != nil {
		return nil, err
	}
	eol := s.eol(text)
	out := bytes.Clone(text)
	if len(out) > 0 {
		if out[len(out)-1] != '\n' {
			out = append(out, eol...)
		}
		out = append(out, eol...)
	}
	lines := []string{"[[hooks." + tomlKey(event) + "]]", "[[hooks." + tomlKey(event) + ".hooks]]"}
	for _, f := range fields {
		lines = append(lines, tomlKey(f.Key)+" = "+tomlValue(f.Value))
	}
	return append(out, strings.Join(lines, eol)+eol...), nil
}

func tomlKey(key string) string {
	if strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
		return key
	}
	return tomltext.Quote(key)
}

func tomlValue(v any) string {
	if s, ok := v.(string); ok {
		return tomltext.Quote(s)
	}
	return fmt.Sprint(v)
}

func cut(text []byte, start, end int) []byte {
	return append(bytes.Clone(text[:start]), text[end:]...)
}

func (s tomlSheet) widen(text []byte, p place, _ func(*string) bool) ([]byte, error) {
	doc, h, err := s.find(text, p)
	if err != nil {
		return nil, err
	}
	if h.alone {
		for _, pair := range doc.Tables[h.group].Pairs {
			if len(pair.Path) == 1 && pair.Path[0] == "matcher" {
				return cut(text, pair.Start, pair.End), nil
			}
		}
	}
	if text, err = s.add(text, p.event, h.fields); err != nil {
		return nil, err
	}
	return s.remove(text, p)
}

func (s tomlSheet) remove(text []byte, p place) ([]byte, error) {
	doc, h, err := s.find(text, p)
	if err != nil {
		return nil, err
	}
	start, end := doc.Tables[h.table].Start, doc.Tables[h.table].End
	if h.alone {
		start = doc.Tables[h.group].Start
		if h.table != h.group+1 { // tables of others stand in between
			text = cut(text, doc.Tables[h.table].Start, end)
			end = doc.Tables[h.group].End
		}
	}
	// The empty line that add put in front goes too.
	for _, blank := range [...]string{"\r\n", "\n"} {
		if before := text[:start]; bytes.HasSuffix(before, []byte("\n"+blank)) || string(before) == blank {
			start -= len(blank)
			break
		}
	}
	return cut(text, start, end), nil
}

func (s tomlSheet) set(text []byte, p place, key string, value any) ([]byte, error) {
	doc, h, err := s.find(text, p)
	if err != nil {
		return nil, err
	}
	t := doc.Tables[h.table]
	for _, pair := range t.Pairs {
		if len(pair.Path) == 1 && pair.Path[0] == key {
			return append(append(bytes.Clone(text[:pair.From]), tomlValue(value)...), text[pair.To:]...), nil
		}
	}
	line := tomlKey(key) + " = " + tomlValue(value) + s.eol(text)
	if t.End > 0 && text[t.End-1] != '\n' {
		line = s.eol(text) + line
	}
	return append(append(bytes.Clone(text[:t.End]), line...), text[t.End:]...), nil
}

func (s tomlSheet) drop(text []byte, p place, key string) ([]byte, error) {
	doc, h, err := s.find(text, p)
	if err != nil {
		return nil, err
	}
	for _, pair := range doc.Tables[h.table].Pairs {
		if len(pair.Path) == 1 && pair.Path[0] == key {
			return cut(text, pair.Start, pair.End), nil
		}
	}
	return text, nil
}

// prune ends the text in one line end: an addition begins on a line of its own,
// and whether the last one was closed before can't be seen afterwards.
func (s tomlSheet) prune(text []byte) ([]byte, error) {
	if _, err := s.parse(text); err != nil {
		return nil, err
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

func (s tomlSheet) setting(text []byte, path ...string) string {
	doc, err := s.parse(text)
	if err != nil {
		return ""
	}
	for _, t := range doc.Tables {
		for _, p := range t.Pairs {
			if !t.Array && strings.Join(append(append([]string{}, t.Path...), p.Path...), "\x00") == strings.Join(path, "\x00") {
				return string(doc.Text[p.From:p.To])
			}
		}
	}
	return ""
}
