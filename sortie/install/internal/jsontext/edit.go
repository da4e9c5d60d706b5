package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Members is an object to write, in this order.
type Members []Pair

// Pair is one member of it.
type Pair struct {
	Key   string
	Value any // Members, List, Raw, string, int or bool
}

// List is a list to write.
type List []any

// Raw is text that is written as it is.
type Raw []byte

// style is how a document is written, so that an addition looks like the rest.
type style struct {
	eol   string // the line end
	unit  string // one level of indent
	multi bool   // a line an item
	colon string // what stands between a key and its value
	comma string // behind a comma, where items share a line
}

// look is the document's style. It is worked out for the first edit only: most
// texts are only read.
func (d *Doc) look() style {
	if d.style == nil {
		s := d.guessStyle()
		d.style = &s
	}
	return *d.style
}

func (d *Doc) guessStyle() style {
	s := style{eol: "\n", unit: "  ", multi: true, colon: ": ", comma: " "}
	if i := bytes.IndexByte(d.Text, '\n'); i > 0 && d.Text[i-1] == '\r' {
		s.eol = "\r\n"
	}
	if len(d.Root.Items) == 0 {
		return s
	}
	s.multi = bytes.IndexByte(d.Source(d.Root), '\n') >= 0
	unit, colon, comma := false, false, false // what has been seen
	var walk func(v *Value)
	walk = func(v *Value) {
		for i, it := range v.Items {
			if unit && colon && comma {
				return
			}
			gap := string(d.Text[it.gapStart:it.Start])
			// The indent is asked for only where a line begins: looking back for the
			// start of a line that is the whole file, for each item, takes for ever.
			if !unit && strings.Contains(gap, "\n") {
				if in, outer := d.indent(it.Start), d.indent(v.Start); strings.HasPrefix(in, outer) {
					s.unit, unit = in[len(outer):], true
				}
			}
			if between := string(d.Text[it.KeyEnd:it.Value.Start]); !colon && v.Kind == Object && strings.Trim(between, " \t:") == "" {
				s.colon, colon = between, true
			}
			if i > 0 && !comma && strings.Trim(gap, " \t") == "" {
				s.comma, comma = gap, true
			}
			walk(it.Value)
		}
	}
	walk(d.Root)
	if !comma && strings.HasSuffix(s.colon, ":") {
		s.comma = ""
	}
	return s
}

// indent is the white space that the line of an offset begins with.
func (d *Doc) indent(at int) string {
	start := bytes.LastIndexByte(d.Text[:at], '\n') + 1
	if start == 0 {
		start = len(mark(d.Text))
	}
	end := start
	for end < at && (d.Text[end] == ' ' || d.Text[end] == '\t') {
		end++
	}
	return string(d.Text[start:end])
}

// An edit replaces a stretch of text.
type edit struct {
	start, end int
	text       string
}

func (d *Doc) apply(edits ...edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, d.Text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, d.Text[at:]...)
}

// Append is the text with one more item at the end of a container; key is ignored
// for a list. What is added takes the look of its neighbours.
func (d *Doc) Append(in *Value, key string, v any) []byte {
	if len(in.Items) == 0 {
		return d.appendFirst(in, key, v)
	}
	last := in.Items[len(in.Items)-1]
	gap := d.Text[last.gapStart:last.Start]
	sep, multi := "", bytes.IndexByte(gap, '\n') >= 0
	switch {
	case multi:
		sep = d.look().eol + d.indent(last.Start)
	case len(in.Items) > 1 && len(bytes.TrimSpace(gap)) == 0:
		sep = string(gap)
	default:
		sep = d.look().comma
	}
	behind := last.Value.End
	if last.Comma >= 0 {
		behind = last.Comma + 1
	}
	at := d.pastComment(behind)
	if _, line := d.commentEnds(at); line && !multi { // or the comment would swallow the addition
		sep = d.look().eol + d.indent(last.Start)
	}
	text := sep + d.render(in.Kind, key, v, multi, d.indent(last.Start))
	if last.Comma >= 0 { // a trailing one stays the habit
		return d.apply(edit{at, at, text + ","})
	}
	if at == behind {
		return d.apply(edit{at, at, "," + text})
	}
	return d.apply(edit{last.Value.End, last.Value.End, ","}, edit{at, at, text})
}

// pastComment is the end of a comment that follows an offset on its line, or the
// offset: a remark about the last item stays with it.
func (d *Doc) pastComment(at int) int {
	end := at
	for i := at; i < len(d.Text) && d.Text[i] != '\n'; i++ {
		if c := d.commentAt(i); c.end > 0 {
			i, end = c.end-1, c.end
			continue
		}
		if d.Text[i] != ' ' && d.Text[i] != '\t' {
			break
		}
	}
	return end
}

func (d *Doc) commentAt(at int) span {
	for _, c := range d.comments {
		if c.start == at {
			return c
		}
	}
	return span{}
}

// commentEnds reports whether a comment ends at an offset, and whether the line
// end is what ends it.
func (d *Doc) commentEnds(at int) (ends, line bool) {
	for _, c := range d.comments {
		if c.end == at {
			return true, c.line
		}
	}
	return false, false
}

func (d *Doc) appendFirst(in *Value, key string, v any) []byte {
	outer := d.indent(in.Start)
	inside := d.Text[in.Start+1 : in.End-1]
	kept := bytes.TrimRight(inside, " \t\r\n")
	if !d.look().multi {
		at := in.Start + 1 + len(kept)
		return d.apply(edit{at, at, d.render(in.Kind, key, v, false, outer)})
	}
	text := d.look().eol + outer + d.look().unit + d.render(in.Kind, key, v, true, outer+d.look().unit)
	at := in.Start + 1 + len(kept)
	if tail := inside[len(kept):]; bytes.IndexByte(tail, '\n') >= 0 {
		return d.apply(edit{at, at, text})
	}
	return d.apply(edit{at, in.End - 1, text + d.look().eol + outer})
}

// render writes an item: the key, where the container is an object, and the
// value, a line an item where multi is set.
func (d *Doc) render(kind Kind, key string, v any, multi bool, indent string) string {
	var b strings.Builder
	if kind == Object {
		b.WriteString(quote(key) + d.look().colon)
	}
	d.write(&b, v, multi, indent)
	return b.String()
}

func (d *Doc) write(b *strings.Builder, v any, multi bool, indent string) {
	item := func(n int) {
		if n > 0 {
			b.WriteByte(',')
		}
		switch {
		case multi:
			b.WriteString(d.look().eol + indent + d.look().unit)
		case n > 0:
			b.WriteString(d.look().comma)
		}
	}
	closing := func(n int, c byte) {
		if multi && n > 0 {
			b.WriteString(d.look().eol + indent)
		}
		b.WriteByte(c)
	}
	switch v := v.(type) {
	case Members:
		b.WriteByte('{')
		for i, m := range v {
			item(i)
			b.WriteString(quote(m.Key) + d.look().colon)
			d.write(b, m.Value, multi, indent+d.look().unit)
		}
		closing(len(v), '}')
	case List:
		b.WriteByte('[')
		for i, e := range v {
			item(i)
			d.write(b, e, multi, indent+d.look().unit)
		}
		closing(len(v), ']')
	case Raw:
		b.Write(v)
	case string:
		b.WriteString(quote(v))
	case int:
		b.WriteString(strconv.Itoa(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	default:
		panic(fmt.Sprintf("jsontext: %T can't be written", v))
	}
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// Replace is the text with a value written anew, as one line.
func (d *Doc) Replace(v *Value, by any) []byte {
	return d.apply(edit{v.Start, v.End, d.render(Array, "", by, false, "")})
}

// Set is the text with a member that has this value: replaced where there is one,
// else appended.
func (d *Doc) Set(in *Value, key string, v any) []byte {
	if old := in.Get(key); old != nil {
		return d.Replace(old, v)
	}
	return d.Append(in, key, v)
}

// Delete is the text without an item. It undoes Append; of an only item it leaves
// an empty pair of brackets, comments apart.
func (d *Doc) Delete(in *Value, i int) []byte {
	it := in.Items[i]
	start, end := it.Start, it.Value.End
	after, line := d.commentEnds(start)
	for !after && start > it.gapStart && space(d.Text[start-1]) {
		start--
		after, line = d.commentEnds(start)
	}
	if it.Comma >= 0 {
		// Between a value and its comma nothing but white space is expected; a comment
		// there goes with the value it stands behind.
		end = it.Comma + 1
		if start == it.gapStart && i < len(in.Items)-1 {
			// The space in front of the next item would be one too many.
			for d.Text[end] == ' ' || d.Text[end] == '\t' {
				end++
			}
		}
	}
	if len(in.Items) == 1 {
		rest := d.Text[end : in.End-1]
		if start == in.Start+1 && len(bytes.TrimSpace(rest)) == 0 {
			end = in.End - 1
		}
	}
	if line {
		// The line end closes a comment: without it the comment would swallow what
		// follows the item.
		rest := bytes.TrimLeft(d.Text[end:], " \t")
		if !bytes.HasPrefix(rest, []byte("\n")) && !bytes.HasPrefix(rest, []byte("\r\n")) {
			start += bytes.IndexByte(d.Text[start:], '\n') + 1
		}
	}
	cut := edit{start, end, ""}
	if i > 0 && i == len(in.Items)-1 && it.Comma < 0 {
		comma := in.Items[i-1].Comma
		return d.apply(edit{comma, comma + 1, ""}, cut)
	}
	return d.apply(cut)
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// Empty is the text with the white space between a container's brackets taken
// out; comments stay. A container with items is left as it is.
func (d *Doc) Empty(in *Value) []byte {
	if len(in.Items) > 0 {
		return d.Text
	}
	var inside strings.Builder
	for _, c := range d.comments {
		if c.start > in.Start && c.end < in.End {
			inside.Write(d.Text[c.start:c.end])
			if c.line {
				inside.WriteByte('\n')
			}
		}
	}
	return d.apply(edit{in.Start + 1, in.End - 1, inside.String()})
}

// Flatten is the text with one value written without its looks: each item followed
// by a comma, and the comments behind it all. Two values that flatten to the same
// differ in white space, trailing commas and where a comment stands.
func (d *Doc) Flatten(v *Value) []byte {
	var b strings.Builder
	var walk func(v *Value)
	walk = func(v *Value) {
		if v.Kind != Object && v.Kind != Array {
			b.Write(d.Source(v))
			return
		}
		b.WriteByte(d.Text[v.Start])
		for _, it := range v.Items {
			if v.Kind == Object {
				b.Write(d.Text[it.Start:it.KeyEnd])
				b.WriteByte(':')
			}
			walk(it.Value)
			b.WriteByte(',')
		}
		b.WriteByte(d.Text[v.End-1])
	}
	walk(v)
	for _, c := range d.comments {
		if c.start > v.Start && c.end < v.End {
			b.WriteString("\n" + string(d.Text[c.start:c.end]))
		}
	}
	return d.apply(edit{v.Start, v.End, b.String()})
}
