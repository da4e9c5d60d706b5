// Package redact takes secrets out of text: by the shape of the secret (provider
// keys, bearer tokens, private keys), by the place it stands in (a password in
// a URL, an assignment, a flag's value) and by the name it goes by. One list
// serves everyone: the ledger, carbon, groundtruth, habit.
//
// It is a hand-written scanner, because every hook call pays for what it links
// and runs: a table of regular expressions costs 4 to 6 microseconds a piece to
// compile and walks the text once each. docs/decisions/0003-redaction.md has the
// figures; the shapes are checked in a test against a rule set that others keep.
package redact

import (
	"slices"
	"strings"
)

// Open begins every mark; a mark ends with the next "]".
const Open = "[redacted"

// Mark is what stands in for a secret of a kind.
func Mark(kind string) string { return Open + ":" + kind + "]" }

// Value is what stands in for a value whose name alone says it is secret. An
// empty value, one that is masked already and one that only refers to the secret
// ($TOKEN) stay as they are.
func Value(s string) string {
	if harmless(s) {
		return s
	}
	return Mark("value")
}

// Secret reports whether s holds text that Text would take out.
func Secret(s string) bool { return len(find(s)) > 0 }

// Text returns s with every secret replaced by a mark that keeps what kind it
// was, flag and variable names kept. It is idempotent.
func Text(s string) string {
	// Taking one secret out can bring two pieces of text together that only now
	// read as another (a value that ended at the first one's edge). The second
	// round is free for the text of nearly every call, which has none.
	for range 4 {
		found := find(s)
		if len(found) == 0 {
			return s
		}
		s = replace(s, found)
	}
	return s
}

// span is a secret found in a text: the bytes from start to end.
type span struct {
	start, end int
	kind       string
}

// scanner collects what the finders find in one text.
type scanner struct {
	s     string
	found []span
}

// add keeps a span, unless it is empty or nothing but marks already.
func (c *scanner) add(start, end int, kind string) {
	if start >= end || marked(c.s[start:end]) {
		return
	}
	c.found = append(c.found, span{start, end, kind})
}

// marked reports whether s is made of marks alone.
func marked(s string) bool {
	for s != "" {
		n := markLen(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return true
}

// markLen is the length of the mark that s begins with, or 0. Only what Mark can
// have written counts: a text that calls itself redacted is not believed.
func markLen(s string) int {
	rest, ok := strings.CutPrefix(s, Open+":")
	if !ok {
		return 0
	}
	for i := 0; i < len(rest) && i < 24; i++ {
		switch c := rest[i]; {
		case c == ']' && i > 0:
			return len(Open) + 1 + i + 1
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return 0
		}
	}
	return 0
}

func find(s string) []span {
	c := scanner{s: s}
	c.keyBlocks()
	c.shapes()
	c.urls()
	c.assignments()
	c.headers()
	c.commands()
	c.prose()
	return c.found
}

// replace puts marks in. Spans that overlap become one, named after the most
// telling of them; a mark that a span would cut through is taken in whole, so
// that no half of it is left to be read as text.
func replace(s string, found []span) string {
	slices.SortFunc(found, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var b strings.Builder
	at := 0
	for i := 0; i < len(found); {
		u := found[i]
		for i++; i < len(found) && found[i].start < u.end; i++ {
			u.end = max(u.end, found[i].end)
			if u.kind == "value" {
				u.kind = found[i].kind
			}
		}
		if open := strings.LastIndex(s[at:u.start], Open); open >= 0 {
			if n := markLen(s[at+open:]); n > 0 && at+open+n > u.start {
				u.start = at + open
			}
		}
		if open := strings.LastIndex(s[u.start:u.end], Open); open >= 0 {
			if n := markLen(s[u.start+open:]); n > 0 {
				u.end = max(u.end, u.start+open+n)
			}
		}
		if u.start < at {
			continue // swallowed by the mark before
		}
		b.WriteString(s[at:u.start])
		b.WriteString(Mark(u.kind))
		at = u.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// The classes of bytes the finders read by.

func isDigit(c byte) bool { return c-'0' < 10 }
func isUpper(c byte) bool { return c-'A' < 26 }
func isLower(c byte) bool { return c-'a' < 26 }
func isAlpha(c byte) bool { return (c|0x20)-'a' < 26 }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isHex(c byte) bool   { return isDigit(c) || (c|0x20)-'a' < 6 }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' || c == '-' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// isName is what the name of a variable, flag or key is made of.
func isName(c byte) bool { return isWord(c) || c == '.' }

// run is the length of the part of s that is made of bytes of a class.
func run(s string, class func(byte) bool) int {
	for i := 0; i < len(s); i++ {
		if !class(s[i]) {
			return i
		}
	}
	return len(s)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
