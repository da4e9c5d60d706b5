package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	Object Kind = iota
	Array
	String
	Number
	Bool
	Null
)

// String is the kind as an error message says it.
func (k Kind) String() string {
	return [...]string{"an object", "a list", "a string", "a number", "true or false", "null"}[k]
}

// Value is one value of a document: where it stands, and what is in it.
type Value struct {
	Kind       Kind
	Start, End int // its text is Doc.Text[Start:End]
	Items      []Item
}

// Item is a member of an object or an element of a list.
type Item struct {
	Key      string // decoded; "" in a list
	Start    int    // of the key, in a list of the value
	KeyEnd   int    // behind the key's closing quote; in a list the same as Start
	Value    *Value
	Comma    int // where the comma behind it stands, -1 where there is none
	gapStart int // behind the bracket or comma in front of it
}

// Doc is a parsed document.
type Doc struct {
	Text []byte
	Root *Value
	lax  bool

	comments []span
	style    *style // nil until it is asked for
}

// span is a comment; line is set for one that ends with its line.
type span struct {
	start, end int
	line       bool
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Line, Column int // from 1; columns are characters
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// maxDepth is how deep a document may nest. Settings nest six deep; the limit
// keeps a hostile file from exhausting the stack.
const maxDepth = 500

// Parse reads a text. lax admits comments and commas before a closing bracket, as
// some harnesses do; without it both are refused by name. A byte-order mark is
// passed over. Every error is a *SyntaxError.
func Parse(text []byte, lax bool) (*Doc, error) {
	d := &Doc{Text: text, lax: lax}
	p := &parser{Doc: d}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, p.fail(0, "the file is UTF-16, and JSON is UTF-8; save it as UTF-8")
	}
	p.at = len(mark(text))
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at == len(text) {
		return nil, p.fail(p.at, "the file is empty")
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	d.Root = root
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.fail(p.at, fmt.Sprintf("%s follows the end of the document", p.here()))
	}
	return d, nil
}

// mark is the byte-order mark a text begins with, or nothing.
func mark(text []byte) []byte {
	const bom = "\xef\xbb\xbf"
	if bytes.HasPrefix(text, []byte(bom)) {
		return text[:len(bom)]
	}
	return nil
}

// Position is the line and the column of an offset, both from 1.
func (d *Doc) Position(at int) (line, column int) {
	before := d.Text[:at]
	line = 1 + bytes.Count(before, []byte("\n"))
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if line == 1 {
		before = before[len(mark(before)):]
	}
	return line, 1 + utf8.RuneCount(before)
}

// Get follows keys from the root through objects; nil where one is missing or
// what holds it is no object. Of a repeated key it takes the last, as the parsers
// of all harnesses do.
func (d *Doc) Get(keys ...string) *Value {
	v := d.Root
	for _, k := range keys {
		if v = v.Get(k); v == nil {
			return nil
		}
	}
	return v
}

// Get is the value of a member, nil where there is none.
func (v *Value) Get(key string) *Value {
	if i := v.Index(key); i >= 0 {
		return v.Items[i].Value
	}
	return nil
}

// Index is where the last member of that name stands, -1 where there is none.
func (v *Value) Index(key string) int {
	if v == nil || v.Kind != Object {
		return -1
	}
	for i := len(v.Items) - 1; i >= 0; i-- {
		if v.Items[i].Key == key {
			return i
		}
	}
	return -1
}

// Repeated is the index of a second member of that name, -1 where it stands once
// or not at all.
func (v *Value) Repeated(key string) int {
	n := 0
	for i, it := range v.Items {
		if it.Key == key {
			if n++; n == 2 {
				return i
			}
		}
	}
	return -1
}

// Source is a value as it is written.
func (d *Doc) Source(v *Value) []byte { return d.Text[v.Start:v.End] }

// Str is the text of a string; "" for nil and for every other kind.
func (d *Doc) Str(v *Value) string {
	if v == nil || v.Kind != String {
		return ""
	}
	return unquote(d.Source(v))
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	// The parser has checked the grammar; a lone surrogate decodes to U+FFFD.
	if json.Unmarshal(raw, &s) != nil {
		return string(raw[1 : len(raw)-1])
	}
	return s
}

type parser struct {
	*Doc
	at int
}

func (p *parser) fail(at int, problem string) error {
	line, column := p.Position(at)
	return &SyntaxError{Line: line, Column: column, Problem: problem}
}

// here names what stands at the current place.
func (p *parser) here() string {
	if p.at >= len(p.Text) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRune(p.Text[p.at:])
	return fmt.Sprintf("%q", r)
}

// space passes over white space and, in a lax document, comments.
func (p *parser) space() error {
	for p.at < len(p.Text) {
		switch c := p.Text[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case c == '/' && p.at+1 < len(p.Text) && (p.Text[p.at+1] == '/' || p.Text[p.at+1] == '*'):
			if !p.lax {
				return p.fail(p.at, "a comment, and JSON has none")
			}
			start := p.at
			if p.Text[p.at+1] == '/' {
				n := bytes.IndexByte(p.Text[p.at:], '\n')
				if n < 0 {
					n = len(p.Text) - p.at
				}
				p.at += n
				// A carriage return belongs to the line end, not to what is said.
				end := p.at - bit(p.Text[p.at-1] == '\r')
				p.comments = append(p.comments, span{start, end, true})
			} else {
				n := bytes.Index(p.Text[p.at+2:], []byte("*/"))
				if n < 0 {
					return p.fail(start, "this comment is not closed")
				}
				p.at += n + 4
				p.comments = append(p.comments, span{start, p.at, false})
			}
		case c == '#':
			return p.fail(p.at, "a comment, and JSON has none")
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) value(depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, p.fail(p.at, fmt.Sprintf("nested more than %d deep", maxDepth))
	}
	if p.at >= len(p.Text) {
		return nil, p.fail(p.at, "the file ends where a value is due")
	}
	v := &Value{Start: p.at}
	var err error
	switch c := p.Text[p.at]; {
	case c == '{':
		v.Kind = Object
		err = p.items(v, depth, '}')
	case c == '[':
		v.Kind = Array
		err = p.items(v, depth, ']')
	case c == '"':
		v.Kind = String
		err = p.str()
	case c == '-' || c >= '0' && c <= '9':
		v.Kind = Number
		err = p.number()
	default:
		err = p.word(v)
	}
	v.End = p.at
	return v, err
}

func (p *parser) word(v *Value) error {
	for word, kind := range map[string]Kind{"true": Bool, "false": Bool, "null": Null} {
		if !bytes.HasPrefix(p.Text[p.at:], []byte(word)) {
			continue
		}
		if end := p.at + len(word); end == len(p.Text) || !letter(p.Text[end]) {
			v.Kind = kind
			p.at = end
			return nil
		}
	}
	return p.fail(p.at, fmt.Sprintf("%s where a value is due", p.here()))
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// items reads what is between the brackets of an object or a list.
func (p *parser) items(v *Value, depth int, closing byte) error {
	open := p.at
	p.at++
	for {
		gap := p.at
		if err := p.space(); err != nil {
			return err
		}
		if p.at >= len(p.Text) {
			line, column := p.Position(open)
			return p.fail(p.at, fmt.Sprintf("the file ends before the %q of line %d, column %d is closed", p.Text[open], line, column))
		}
		if p.Text[p.at] == closing {
			if n := len(v.Items); n > 0 && v.Items[n-1].Comma >= 0 && !p.lax {
				return p.fail(v.Items[n-1].Comma, fmt.Sprintf("a comma before %q, and JSON has none there", closing))
			}
			p.at++
			return nil
		}
		it := Item{Start: p.at, KeyEnd: p.at, Comma: -1, gapStart: gap}
		if v.Kind == Object {
			if p.Text[p.at] != '"' {
				return p.fail(p.at, fmt.Sprintf("%s where a quoted name is due", p.here()))
			}
			if err := p.str(); err != nil {
				return err
			}
			it.KeyEnd = p.at
			it.Key = unquote(p.Text[it.Start:it.KeyEnd])
			if err := p.space(); err != nil {
				return err
			}
			if p.at >= len(p.Text) || p.Text[p.at] != ':' {
				return p.fail(p.at, fmt.Sprintf("%s where a colon is due", p.here()))
			}
			p.at++
			if err := p.space(); err != nil {
				return err
			}
		}
		var err error
		if it.Value, err = p.value(depth + 1); err != nil {
			return err
		}
		if err := p.space(); err != nil {
			return err
		}
		if p.at < len(p.Text) && p.Text[p.at] == ',' {
			it.Comma = p.at
			p.at++
		} else if p.at < len(p.Text) && p.Text[p.at] != closing {
			return p.fail(p.at, fmt.Sprintf("%s where a comma or %q is due", p.here(), closing))
		}
		v.Items = append(v.Items, it)
	}
}

func (p *parser) str() error {
	start := p.at
	for p.at++; p.at < len(p.Text); p.at++ {
		switch c := p.Text[p.at]; {
		case c == '"':
			p.at++
			return nil
		case c < ' ':
			return p.fail(p.at, fmt.Sprintf("%q inside a string; write it as an escape", rune(c)))
		case c == '\\':
			p.at++
			if p.at == len(p.Text) {
				break
			}
			switch p.Text[p.at] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					if p.at++; p.at >= len(p.Text) || !hex(p.Text[p.at]) {
						return p.fail(min(p.at, len(p.Text)), "\\u wants four hexadecimal digits")
					}
				}
			default:
				return p.fail(p.at-1, fmt.Sprintf("\\%c is no escape; a backslash is written \\\\", p.Text[p.at]))
			}
		}
	}
	p.at = len(p.Text)
	return p.fail(start, "this string is not closed")
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (p *parser) number() error {
	start := p.at
	digits := func() int {
		from := p.at
		for p.at < len(p.Text) && p.Text[p.at] >= '0' && p.Text[p.at] <= '9' {
			p.at++
		}
		return p.at - from
	}
	if p.Text[p.at] == '-' {
		p.at++
	}
	zero := p.at < len(p.Text) && p.Text[p.at] == '0'
	n := digits()
	ok := n > 0 && (n == 1 || !zero)
	if ok && p.at < len(p.Text) && p.Text[p.at] == '.' {
		p.at++
		ok = digits() > 0
	}
	if ok && p.at < len(p.Text) && (p.Text[p.at] == 'e' || p.Text[p.at] == 'E') {
		p.at++
		if p.at < len(p.Text) && (p.Text[p.at] == '+' || p.Text[p.at] == '-') {
			p.at++
		}
		ok = digits() > 0
	}
	if !ok || p.at < len(p.Text) && letter(p.Text[p.at]) {
		return p.fail(start, "this is no number")
	}
	return nil
}
