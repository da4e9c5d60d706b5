// Package tomltext reads as much TOML as it takes to find tables and their
// assignments, with where each stands, so that an edit leaves everything else as
// it is. It is no validator: the harness is that. What it can't follow it refuses.
package tomltext

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is one [header] or [[header]] and the assignments below it.
type Table struct {
	Path  []string // nil for what stands above the first header
	Array bool     // [[header]]
	// Start is where the header's line begins, End where the line of the last
	// assignment (or of the header) ends, its line end included.
	Start, End int
	Pairs      []Pair
}

// Pair is one assignment.
type Pair struct {
	Path []string
	// Start and End enclose the lines; From and To the value.
	Start, End, From, To int
}

// Doc is a text read.
type Doc struct {
	Text   []byte
	Tables []Table
}

// SyntaxError says where the text could not be followed.
type SyntaxError struct {
	Line, Column int
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

type parser struct {
	text []byte
	at   int
}

// Parse reads a text. Every error is a *SyntaxError.
func Parse(text []byte) (*Doc, error) {
	p := &parser{text: text}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		p.at = 3
	}
	d := &Doc{Text: text, Tables: []Table{{Start: p.at, End: p.at}}}
	for {
		start := p.at
		p.blank()
		if p.at >= len(text) {
			return d, nil
		}
		switch text[p.at] {
		case '\n', '\r':
			p.at++
		case '#':
			p.line()
		case '[':
			t := Table{Start: start}
			p.at++
			if p.at < len(text) && text[p.at] == '[' {
				t.Array = true
				p.at++
			}
			path, err := p.key()
			if err != nil {
				return nil, err
			}
			t.Path = path
			closing := "]"
			if t.Array {
				closing = "]]"
			}
			if !bytes.HasPrefix(text[p.at:], []byte(closing)) {
				return nil, p.fail("this header is not closed")
			}
			p.at += len(closing)
			if err := p.lineEnd(); err != nil {
				return nil, err
			}
			t.End = p.at
			d.Tables = append(d.Tables, t)
		default:
			pair := Pair{Start: start}
			path, err := p.key()
			if err != nil {
				return nil, err
			}
			pair.Path = path
			if p.at >= len(text) || text[p.at] != '=' {
				return nil, p.fail("an equals sign is due here")
			}
			p.at++
			p.blank()
			pair.From = p.at
			if err := p.value(0); err != nil {
				return nil, err
			}
			pair.To = p.at
			if err := p.lineEnd(); err != nil {
				return nil, err
			}
			pair.End = p.at
			t := &d.Tables[len(d.Tables)-1]
			t.Pairs = append(t.Pairs, pair)
			t.End = p.at
		}
	}
}

func (p *parser) fail(problem string) error {
	before := p.text[:min(p.at, len(p.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return &SyntaxError{line, column, problem}
}

func (p *parser) blank() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// line goes to the start of the next line.
func (p *parser) line() {
	n := bytes.IndexByte(p.text[p.at:], '\n')
	if n < 0 {
		p.at = len(p.text)
		return
	}
	p.at += n + 1
}

// lineEnd wants nothing more on the line but a comment.
func (p *parser) lineEnd() error {
	p.blank()
	if p.at < len(p.text) && !strings.ContainsRune("#\r\n", rune(p.text[p.at])) {
		return p.fail("the line should end here")
	}
	p.line()
	return nil
}

// key reads a dotted key.
func (p *parser) key() ([]string, error) {
	var path []string
	for {
		p.blank()
		if p.at >= len(p.text) {
			return nil, p.fail("the file ends inside a key")
		}
		start := p.at
		switch p.text[p.at] {
		case '"', '\'':
			if err := p.str(); err != nil {
				return nil, err
			}
			path = append(path, unquote(string(p.text[start:p.at])))
		default:
			for p.at < len(p.text) && bare(p.text[p.at]) {
				p.at++
			}
			if p.at == start {
				return nil, p.fail("a key is due here")
			}
			path = append(path, string(p.text[start:p.at]))
		}
		p.blank()
		if p.at >= len(p.text) || p.text[p.at] != '.' {
			return path, nil
		}
		p.at++
	}
}

func bare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// str reads any of the four kinds of strings.
func (p *parser) str() error {
	start := p.at
	quote := p.text[p.at]
	if bytes.HasPrefix(p.text[p.at:], bytes.Repeat([]byte{quote}, 3)) {
		for p.at += 3; p.at < len(p.text); p.at++ {
			if p.text[p.at] == '\\' && quote == '"' {
				p.at++
				continue
			}
			if bytes.HasPrefix(p.text[p.at:], bytes.Repeat([]byte{quote}, 3)) {
				p.at += 3
				for n := 0; n < 2 && p.at < len(p.text) && p.text[p.at] == quote; n++ {
					p.at++
				}
				return nil
			}
		}
	} else {
		for p.at++; p.at < len(p.text) && p.text[p.at] != '\n'; p.at++ {
			if p.text[p.at] == '\\' && quote == '"' {
				p.at++
				continue
			}
			if p.text[p.at] == quote {
				p.at++
				return nil
			}
		}
	}
	p.at = start
	return p.fail("this string is not closed")
}

const maxDepth = 200

func (p *parser) value(depth int) error {
	if depth > maxDepth {
		return p.fail("nested too deep")
	}
	if p.at >= len(p.text) {
		return p.fail("a value is due here")
	}
	switch c := p.text[p.at]; c {
	case '"', '\'':
		return p.str()
	case '[', '{':
		closing := byte(']')
		if c == '{' {
			closing = '}'
		}
		for p.at++; ; {
			p.space()
			if p.at >= len(p.text) {
				return p.fail("the file ends inside a value")
			}
			if p.text[p.at] == closing {
				p.at++
				return nil
			}
			if c == '{' {
				if _, err := p.key(); err != nil {
					return err
				}
				if p.at >= len(p.text) || p.text[p.at] != '=' {
					return p.fail("an equals sign is due here")
				}
				p.at++
				p.space()
			}
			if err := p.value(depth + 1); err != nil {
				return err
			}
			p.space()
			if p.at < len(p.text) && p.text[p.at] == ',' {
				p.at++
			} else if p.at < len(p.text) && p.text[p.at] != closing {
				return p.fail("a comma is due here")
			}
		}
	}
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(",]}#\r\n", p.text[p.at]) < 0 {
		p.at++
	}
	for p.at > start && (p.text[p.at-1] == ' ' || p.text[p.at-1] == '\t') {
		p.at--
	}
	if p.at == start {
		return p.fail("a value is due here")
	}
	return nil
}

// space passes over white space, line ends and comments inside brackets.
func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '#':
			p.line()
		default:
			return
		}
	}
}

// Value decodes a string, a whole number or a bool; nil for anything else.
func (d *Doc) Value(p Pair) any {
	raw := string(d.Text[p.From:p.To])
	switch {
	case raw == "true" || raw == "false":
		return raw == "true"
	case raw[0] == '"' || raw[0] == '\'':
		return unquote(raw)
	}
	if n, err := strconv.Atoi(strings.ReplaceAll(raw, "_", "")); err == nil {
		return n
	}
	return nil
}

// unquote decodes a string of any of the four kinds.
func unquote(raw string) string {
	for _, q := range [...]string{`"""`, `'''`, `"`, `'`} {
		if len(raw) < 2*len(q) || !strings.HasPrefix(raw, q) {
			continue
		}
		inside := raw[len(q) : len(raw)-len(q)]
		if len(q) == 3 {
			inside = strings.TrimPrefix(strings.TrimPrefix(inside, "\r"), "\n")
		}
		if q[0] == '\'' {
			return inside
		}
		return unescape(inside)
	}
	return raw
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'b':
			b.WriteByte('\b')
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'f':
			b.WriteByte('\f')
		case 'r':
			b.WriteByte('\r')
		case 'e':
			b.WriteByte(0x1b)
		case 'x', 'u', 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+n < len(s) {
				if r, err := strconv.ParseUint(s[i+1:i+1+n], 16, 32); err == nil {
					b.WriteRune(rune(r))
					i += n
				}
			}
		case '\n', '\r', ' ', '\t': // a line that goes on
			for i < len(s) && strings.IndexByte(" \t\r\n", s[i]) >= 0 {
				i++
			}
			i--
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Quote writes a string.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
