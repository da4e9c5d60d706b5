package code

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// tkind is the kind of a token.
type tkind uint8

const (
	tIdent   tkind = iota // a name, with its sigil where the language has them
	tNum                  // a number
	tStr                  // a string: text, or parts where it has holes
	tTagged               // a JavaScript template: like tStr, may follow a tag
	tShell                // a command in back quotes or qx
	tRegex                // a pattern; parts hold code that runs with it
	tOp                   // an operator or bracket
	tNewline              // the end of a line, where that ends a statement
)

type token struct {
	kind  tkind
	text  string
	parts []part // nil: text is the whole string
	space bool   // a blank stands in front
	line  bool   // a line break stands in front
}

// part is a piece of a string: literal text, or the tokens of a hole.
type part struct {
	lit  string
	hole bool
	toks []token
}

func (t *token) op(s string) bool    { return t.kind == tOp && t.text == s }
func (t *token) ident(s string) bool { return t.kind == tIdent && t.text == s }

// grammar is a language as the lexer sees it.
type grammar uint8

const (
	gPython grammar = iota
	gNode
	gRuby
	gPerl
	gPHP
)

// nestLimit bounds code inside strings inside code and brackets inside
// brackets: more is nobody's one-liner, and recursion must end.
const nestLimit = 150

// heredoc is one whose body begins on the next line.
type heredoc struct {
	tok    int
	tag    string
	raw    bool
	indent bool
	shell  bool
}

type lexer struct {
	g       grammar
	src     string
	pos     int
	toks    []token
	nest    int // holes around this code
	depth   int // brackets around this code
	spaced  bool
	broken  bool
	pending []heredoc
	divides int    // up to here, a slash divides: no pattern ends on this line
	bad     string // the first thing that is no code of this language
}

func (l *lexer) fail(why string) {
	if l.bad == "" {
		l.bad = why
	}
}

func isLetter(c byte) bool {
	return c == '_' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isName(c byte) bool  { return isLetter(c) || isDigit(c) }
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

func (l *lexer) at(k int) byte {
	if l.pos+k < len(l.src) {
		return l.src[l.pos+k]
	}
	return 0
}

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.pos:], s) }

func (l *lexer) push(t token) {
	t.space, t.line = l.spaced, l.broken
	l.spaced, l.broken = false, false
	l.toks = append(l.toks, t)
}

// prev is the last token, or nil.
func (l *lexer) prev() *token {
	if len(l.toks) == 0 {
		return nil
	}
	return &l.toks[len(l.toks)-1]
}

// run lexes until stop stands at the depth where run began, and moves behind
// it. A stop of 0 runs to the end.
func (l *lexer) run(stop byte) {
	base := l.depth
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if stop != 0 && c == stop && l.depth == base {
			l.pos++
			break
		}
		switch {
		case isBlank(c):
			l.pos++
			l.spaced = true
		case c == '\n':
			l.pos++
			l.spaced, l.broken = true, true
			if len(l.pending) > 0 {
				l.bodies()
			}
			if l.depth == 0 && (l.g == gPython || l.g == gRuby) {
				l.push(token{kind: tNewline})
				l.broken = true
			}
		case c == '\\' && l.at(1) == '\n':
			l.pos += 2
			l.spaced = true
		case l.comment():
			l.spaced = true
		case isDigit(c) || c == '.' && isDigit(l.at(1)) && !l.valueBefore():
			l.number()
		case l.special():
		case isLetter(c):
			l.name()
		default:
			l.operator()
		}
	}
	if stop != 0 && (l.pos == 0 || l.src[l.pos-1] != stop) {
		l.fail("unterminated string")
	}
	if len(l.pending) > 0 {
		l.fail("unterminated heredoc")
	}
}

// comment skips a comment and reports whether there was one.
func (l *lexer) comment() bool {
	toLine := func() {
		if i := strings.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
			l.pos += i
		} else {
			l.pos = len(l.src)
		}
	}
	c := l.src[l.pos]
	switch l.g {
	case gPython:
		if c == '#' {
			toLine()
			return true
		}
	case gRuby, gPerl:
		lineStart := l.pos == 0 || l.src[l.pos-1] == '\n'
		if lineStart && c == '=' && isLetter(l.at(1)) && l.nest == 0 {
			// A block of documentation runs to =end or =cut.
			end := "\n=cut"
			if l.g == gRuby {
				end = "\n=end"
			}
			if i := strings.Index(l.src[l.pos:], end); i >= 0 {
				l.pos += i + len(end)
				toLine()
			} else {
				l.pos = len(l.src)
			}
			return true
		}
		if c == '#' {
			toLine()
			return true
		}
		if lineStart && (l.has("__END__") || l.has("__DATA__")) {
			l.pos = len(l.src)
			return true
		}
	case gNode, gPHP:
		if c == '#' && (l.g == gPHP && l.at(1) != '[' || l.pos == 0 && l.at(1) == '!') || c == '/' && l.at(1) == '/' {
			toLine()
			return true
		}
		if c == '/' && l.at(1) == '*' {
			if i := strings.Index(l.src[l.pos+2:], "*/"); i >= 0 {
				l.pos += i + 4
			} else {
				l.pos = len(l.src)
			}
			return true
		}
	}
	return false
}

func (l *lexer) number() {
	from := l.pos
	for l.pos < len(l.src) && (isName(l.src[l.pos]) || l.src[l.pos] == '.' && l.at(1) != '.' && isName(l.at(1))) {
		l.pos++
	}
	l.push(token{kind: tNum, text: l.src[from:l.pos]})
}

func (l *lexer) name() {
	from := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if isName(c) || c == '$' && l.g == gNode || c == '\\' && l.g == gPHP && isLetter(l.at(1)) {
			l.pos++
			continue
		}
		if l.g == gPerl && c == ':' && l.at(1) == ':' && isLetter(l.at(2)) {
			l.pos += 2
			continue
		}
		break
	}
	if l.g == gRuby && l.pos < len(l.src) && (l.src[l.pos] == '?' || l.src[l.pos] == '!') && l.at(1) != '=' {
		l.pos++
	}
	l.push(token{kind: tIdent, text: l.src[from:l.pos]})
}

// operators of two and three characters, all languages together; those that a
// language has not can not occur in it.
func operatorLen(s string, g grammar) int {
	if len(s) >= 3 {
		switch s[:3] {
		case "===", "!==", "**=", "...", "<<=", ">>=", "&&=", "||=", "??=", "//=", "<=>", "?->":
			return 3
		}
	}
	if len(s) >= 2 {
		switch s[:2] {
		case "->", "=>", "::", "==", "!=", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", "%=", "**",
			"=~", "!~", "<<", ">>", "..", "|=", "&=", "^=", ":=", "&.":
			return 2
		case "?.":
			if g == gNode && (len(s) < 3 || !isDigit(s[2])) {
				return 2
			}
		case ".=":
			return 2
		case "//":
			return 2
		}
	}
	return 1
}

func (l *lexer) operator() {
	c := l.src[l.pos]
	n := operatorLen(l.src[l.pos:], l.g)
	switch c {
	case '(', '[', '{':
		l.depth++
	case ')', ']', '}':
		if l.depth > 0 {
			l.depth--
		}
	}
	l.push(token{kind: tOp, text: l.src[l.pos : l.pos+n]})
	l.pos += n
}

// valueBefore reports whether the last token ends a value, so that `/` divides
// and `<<` shifts.
func (l *lexer) valueBefore() bool {
	p := l.prev()
	if p == nil {
		return false
	}
	switch p.kind {
	case tNum, tStr, tTagged, tShell, tRegex:
		return true
	case tIdent:
		return !l.wantsValue(p.text)
	case tOp:
		switch p.text {
		case ")", "]":
			return true
		case "}":
			return !l.broken
		case "++", "--":
			return true
		}
	}
	return false
}

// wantsValue are the words after which a value begins.
func (l *lexer) wantsValue(w string) bool {
	switch w {
	case "return", "and", "or", "not", "if", "unless", "while", "until", "in", "when", "case", "typeof", "of", "else", "elsif",
		"print", "split", "grep", "map", "join", "push", "puts", "then", "do", "await", "yield", "void", "delete", "throw", "echo", "x", "p":
		return l.g != gNode || w != "print" && w != "split" && w != "grep" && w != "map" && w != "join" && w != "push" && w != "x" && w != "p" && w != "puts" && w != "not" && w != "and" && w != "or"
	}
	if (l.g == gRuby || l.g == gPerl) && w != "" && isLetter(w[0]) && l.spaced && l.at(1) != ' ' && l.at(1) != '=' {
		// `scan /x/`: a space before and none behind.
		return true
	}
	return false
}

// special lexes strings, patterns and names with sigils.
func (l *lexer) special() bool {
	switch l.g {
	case gPython:
		return l.pythonString()
	case gNode:
		return l.nodeSpecial()
	case gRuby:
		return l.rubySpecial()
	case gPerl:
		return l.perlSpecial()
	default:
		return l.phpSpecial()
	}
}

// style says how the inside of a string is read.
type style struct {
	close, open byte   // open counts nesting for bracket delimiters
	triple      string // a closing of more than one character, instead of close
	escapes     bool   // \n and so on
	raw         bool   // Python's r'': a backslash keeps itself and the next
	holes       bool   // the language's interpolation
	line        bool   // ends at the line's end
}

// str reads the inside of a string up to its end and moves behind it.
func (l *lexer) str(kind tkind, s style) token {
	var parts []part
	var b strings.Builder
	lit := func(from int) { b.WriteString(l.src[from:l.pos]) }
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, part{lit: b.String()})
			b.Reset()
		}
	}
	depth := 0
	done := false
	from := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if s.triple != "" {
			if c == s.triple[0] && l.has(s.triple) {
				lit(from)
				l.pos += len(s.triple)
				done = true
				break
			}
		} else if s.close != 0 && c == s.close && depth == 0 {
			lit(from)
			l.pos++
			done = true
			break
		} else if s.open != 0 && c == s.open {
			depth++
		} else if s.open != 0 && c == s.close {
			depth--
		}
		if c == '\n' && s.line {
			break
		}
		if c == '\\' && l.pos+1 < len(l.src) {
			switch {
			case s.raw:
				l.pos += 2
				continue
			case s.escapes:
				lit(from)
				l.escape(&b)
				from = l.pos
				continue
			case s.close != 0 && l.src[l.pos+1] == s.close || l.src[l.pos+1] == '\\':
				lit(from)
				b.WriteByte(l.src[l.pos+1])
				l.pos += 2
				from = l.pos
				continue
			}
		}
		if s.holes {
			if n, at := l.holeStart(); n > 0 {
				lit(from)
				flush()
				parts = append(parts, part{hole: true, toks: l.hole(at, n)})
				from = l.pos
				continue
			}
			if l.g == gPython && (c == '{' || c == '}') && l.at(1) == c {
				l.pos++
				lit(from)
				l.pos++
				from = l.pos
				continue
			}
		}
		l.pos++
	}
	if !done {
		lit(from)
		if s.close != 0 || s.triple != "" {
			l.fail("unterminated string")
		}
	}
	if parts == nil {
		return token{kind: kind, text: b.String()}
	}
	flush()
	return token{kind: kind, parts: parts}
}

// escape decodes the escape at l.pos into b and moves behind it.
func (l *lexer) escape(b *strings.Builder) {
	c := l.at(1)
	l.pos += 2
	hex := func(n int) {
		end := l.pos
		for end < len(l.src) && end < l.pos+n && isHex(l.src[end]) {
			end++
		}
		if v, err := strconv.ParseUint(l.src[l.pos:end], 16, 32); err == nil {
			writeRune(b, rune(v), l.g != gPython && n == 2)
		}
		l.pos = end
	}
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'a':
		b.WriteByte('\a')
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'v':
		b.WriteByte('\v')
	case 'e':
		b.WriteByte(0x1b)
	case '\n':
	case 'x', 'u':
		if l.at(0) == '{' {
			if i := strings.IndexByte(l.src[l.pos:min(len(l.src), l.pos+12)], '}'); i > 0 {
				v, _ := strconv.ParseUint(l.src[l.pos+1:l.pos+i], 16, 32)
				writeRune(b, rune(v), false)
				l.pos += i + 1
				return
			}
		}
		if c == 'x' {
			hex(2)
		} else {
			hex(4)
		}
	case 'U':
		hex(8)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := rune(c - '0')
		for n := 0; n < 2 && l.at(0) >= '0' && l.at(0) <= '7'; n++ {
			v = v*8 + rune(l.at(0)-'0')
			l.pos++
		}
		writeRune(b, v, false)
	default:
		if l.g == gPython && c != '\\' && c != '\'' && c != '"' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}

func writeRune(b *strings.Builder, r rune, asByte bool) {
	if asByte && r < 256 {
		b.WriteByte(byte(r))
		return
	}
	if r > utf8.MaxRune {
		r = utf8.RuneError
	}
	b.WriteRune(r)
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// holeStart reports the length of the mark that opens a hole at l.pos, and 0
// where there is none. The second value is the character that closes it, 0 for
// a plain variable.
func (l *lexer) holeStart() (int, byte) {
	c, d := l.at(0), l.at(1)
	switch l.g {
	case gPython:
		if c == '{' && d != '{' {
			return 1, '}'
		}
	case gNode:
		if c == '$' && d == '{' {
			return 2, '}'
		}
	case gRuby:
		if c == '#' && d == '{' {
			return 2, '}'
		}
	case gPerl:
		if (c == '$' || c == '@') && d == '{' {
			return 2, '}'
		}
		if c == '$' && (isName(d) || d == '$' || d == '&' || d == '!' || d == ':') || c == '@' && isLetter(d) {
			return 1, 0
		}
	case gPHP:
		if c == '{' && d == '$' {
			return 1, '}'
		}
		if c == '$' && d == '{' {
			return 2, '}'
		}
		if c == '$' && isLetter(d) {
			return 1, 0
		}
	}
	return 0, 0
}

// hole lexes a hole and moves behind it.
func (l *lexer) hole(close byte, n int) []token {
	if l.nest >= nestLimit {
		l.fail("nests too deeply")
		l.pos = len(l.src)
		return nil
	}
	sub := lexer{g: l.g, src: l.src, nest: l.nest + 1, depth: 1}
	sigil := l.src[l.pos]
	if close == 0 {
		// `$name`, `$name[0]`, `$name->{x}`: what follows the name makes it unknown.
		from := l.pos
		l.pos++
		for l.pos < len(l.src) && (isName(l.src[l.pos]) || l.src[l.pos] == ':' && l.at(1) == ':' && isLetter(l.at(2))) {
			l.pos++
			if l.src[l.pos-1] == ':' {
				l.pos++
			}
		}
		if l.pos == from+1 {
			l.pos++
		}
		toks := []token{{kind: tIdent, text: l.src[from:l.pos]}}
		if c := l.at(0); c == '[' && (l.g == gPHP || isDigit(l.at(1)) || l.at(1) == '$') || c == '{' && l.g == gPerl || c == '-' && l.at(1) == '>' && (l.at(2) == '{' || l.at(2) == '[' || isLetter(l.at(2)) && l.g == gPHP) {
			toks = append(toks, token{kind: tOp, text: "?"})
		}
		return toks
	}
	sub.pos = l.pos + n
	sub.run(close)
	l.pos = sub.pos
	if sub.bad != "" {
		l.fail(sub.bad)
	}
	if n == 2 && (l.g == gPerl || l.g == gPHP) && len(sub.toks) == 1 && sub.toks[0].kind == tIdent {
		// `${name}` is the variable itself.
		sub.toks[0].text = string(sigil) + sub.toks[0].text
	}
	return sub.toks
}

// embed lexes text of its own (a heredoc's body) as the inside of a string.
func (l *lexer) embed(kind tkind, text string, s style) token {
	sub := lexer{g: l.g, src: text, nest: l.nest + 1}
	if l.nest >= nestLimit {
		l.fail("nests too deeply")
		return token{kind: kind}
	}
	s.close, s.triple = 0, ""
	t := sub.str(kind, s)
	if sub.bad != "" {
		l.fail(sub.bad)
	}
	return t
}

// bodies reads the bodies of heredocs whose line has just ended.
func (l *lexer) bodies() {
	for _, h := range l.pending {
		from, end, found := l.pos, l.pos, false
		for l.pos < len(l.src) {
			stop := strings.IndexByte(l.src[l.pos:], '\n')
			line := l.src[l.pos:]
			if stop >= 0 {
				line = l.src[l.pos : l.pos+stop]
			}
			end = l.pos
			if stop >= 0 {
				l.pos += stop + 1
			} else {
				l.pos = len(l.src)
			}
			if h.indent || l.g == gPHP {
				line = strings.TrimLeft(line, " \t")
			}
			line = strings.TrimRight(line, "\r")
			if l.g == gPHP {
				if after, ok := strings.CutPrefix(line, h.tag); ok && (after == "" || !isName(after[0])) {
					// What follows the closing tag is code again.
					l.pos -= len(after)
					if stop >= 0 {
						l.pos--
					}
					found = true
					break
				}
			} else if line == h.tag {
				found = true
				break
			}
		}
		if !found {
			end = l.pos
			l.fail("unterminated heredoc")
		}
		kind := tStr
		if h.shell {
			kind = tShell
		}
		t := l.embed(kind, l.src[from:end], style{escapes: !h.raw, holes: !h.raw, raw: h.raw})
		t.space = l.toks[h.tok].space
		l.toks[h.tok] = t
	}
	l.pending = l.pending[:0]
}

// ---- Python

func (l *lexer) pythonString() bool {
	i := l.pos
	raw, holes, prefix := false, false, 0
	for ; i < len(l.src) && prefix < 3; i++ {
		switch l.src[i] {
		case 'r', 'R':
			raw = true
		case 'f', 'F', 't', 'T':
			holes = true
		case 'b', 'B', 'u', 'U':
		case '\'', '"':
			l.pos = i
			q := l.src[i]
			s := style{close: q, escapes: !raw, raw: raw, holes: holes, line: true}
			if l.at(1) == q && l.at(2) == q {
				s.triple, s.line = l.src[i:i+3], false
				l.pos += 2
			}
			l.pos++
			l.push(l.str(tStr, s))
			return true
		default:
			return false
		}
		prefix++
	}
	return false
}

// ---- JavaScript

func (l *lexer) nodeSpecial() bool {
	switch c := l.src[l.pos]; {
	case c == '\'' || c == '"':
		l.pos++
		l.push(l.str(tStr, style{close: c, escapes: true, line: true}))
	case c == '`':
		l.pos++
		l.push(l.str(tTagged, style{close: c, escapes: true, holes: true}))
	case c == '$' || c == '#' && isLetter(l.at(1)):
		from := l.pos
		l.pos++
		for l.pos < len(l.src) && (isName(l.src[l.pos]) || l.src[l.pos] == '$') {
			l.pos++
		}
		l.push(token{kind: tIdent, text: l.src[from:l.pos]})
	case c == '/' && !l.valueBefore():
		return l.slashRegex()
	default:
		return false
	}
	return true
}

// slashRegex reads /.../flags, or answers false where the line ends first.
func (l *lexer) slashRegex() bool {
	if l.pos < l.divides {
		return false
	}
	class := false
	for i := l.pos + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '\n':
			l.divides = i
			return false
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && (!class || l.g != gNode):
			text := l.src[l.pos+1 : i]
			l.pos = i + 1
			for l.pos < len(l.src) && isLetter(l.src[l.pos]) {
				l.pos++
			}
			if l.g != gNode {
				l.pattern(text)
			}
			t := token{kind: tRegex, text: text}
			if l.g == gRuby && strings.Contains(text, "#{") {
				t.parts = l.embed(tRegex, text, style{raw: true, holes: true}).parts
			}
			l.push(t)
			return true
		}
	}
	l.divides = len(l.src)
	return false
}

// pattern refuses patterns that carry code, as Perl's may.
func (l *lexer) pattern(text string) {
	if l.g == gPerl && (strings.Contains(text, "(?{") || strings.Contains(text, "(??{")) {
		l.fail("runs code in a pattern")
	}
}

// ---- Ruby

// closing is the delimiter that closes c, and c again where c nests.
func closing(c byte) (close, open byte) {
	switch c {
	case '(':
		return ')', '('
	case '[':
		return ']', '['
	case '{':
		return '}', '{'
	case '<':
		return '>', '<'
	}
	return c, 0
}

func (l *lexer) rubySpecial() bool {
	c := l.src[l.pos]
	switch {
	case c == '\'':
		l.pos++
		l.push(l.str(tStr, style{close: c}))
	case c == '"':
		l.pos++
		l.push(l.str(tStr, style{close: c, escapes: true, holes: true}))
	case c == '`':
		l.pos++
		l.push(l.str(tShell, style{close: c, escapes: true, holes: true}))
	case c == ':' && l.at(1) == '"':
		l.pos += 2
		l.push(l.str(tStr, style{close: '"', escapes: true, holes: true}))
	case c == ':' && isLetter(l.at(1)) && (l.pos == 0 || l.src[l.pos-1] != ':') && !(l.pos > 0 && isName(l.src[l.pos-1])):
		from := l.pos + 1
		l.pos++
		for l.pos < len(l.src) && isName(l.src[l.pos]) {
			l.pos++
		}
		l.push(token{kind: tStr, text: l.src[from:l.pos]})
	case c == '$' && (isName(l.at(1)) || strings.IndexByte("!@&~/\\;,.<>_0*$?:\"", l.at(1)) >= 0 && l.at(1) != 0), c == '@' && (isLetter(l.at(1)) || l.at(1) == '@'):
		from := l.pos
		l.pos += 2
		if isName(l.src[l.pos-1]) || l.src[l.pos-1] == '@' {
			for l.pos < len(l.src) && isName(l.src[l.pos]) {
				l.pos++
			}
		}
		l.push(token{kind: tIdent, text: l.src[from:l.pos]})
	case c == '%' && !l.valueBefore():
		return l.percent()
	case c == '/' && !l.valueBefore():
		return l.slashRegex()
	case c == '<' && l.at(1) == '<' && (l.at(2) == '~' || l.at(2) == '-' || !l.valueBefore()):
		return l.heredoc(2)
	case c == '?' && isLetter(l.at(1)) && !isName(l.at(2)) && !l.valueBefore():
		l.push(token{kind: tStr, text: l.src[l.pos+1 : l.pos+2]})
		l.pos += 2
	default:
		return false
	}
	return true
}

// percent reads Ruby's %w[], %q(), %x{} and their like.
func (l *lexer) percent() bool {
	kind, n := byte('Q'), 1
	if isLetter(l.at(1)) && !isName(l.at(2)) && l.at(2) != 0 && !isBlank(l.at(2)) {
		kind, n = l.at(1), 2
	} else if strings.IndexByte("([{<|!/", l.at(1)) < 0 || l.at(1) == 0 {
		return false
	}
	close, open := closing(l.at(n))
	l.pos += n + 1
	s := style{close: close, open: open}
	switch kind {
	case 'q', 's':
		l.push(l.str(tStr, s))
	case 'Q':
		s.escapes, s.holes = true, true
		l.push(l.str(tStr, s))
	case 'w', 'W', 'i', 'I':
		s.holes = kind < 'a'
		l.words(l.str(tStr, s))
	case 'x':
		s.escapes, s.holes = true, true
		l.push(l.str(tShell, s))
	case 'r':
		s.raw, s.holes = true, true
		l.push(l.str(tRegex, s))
		for l.pos < len(l.src) && isLetter(l.src[l.pos]) {
			l.pos++
		}
	default:
		l.fail("unknown % literal")
	}
	return true
}

// words pushes the list that %w and qw stand for.
func (l *lexer) words(t token) {
	open, close := "[", "]"
	if l.g == gPerl {
		open, close = "(", ")"
	}
	l.push(token{kind: tOp, text: open})
	if t.parts != nil {
		l.push(token{kind: tStr, parts: t.parts})
	}
	for i, w := range strings.Fields(t.text) {
		if i > 0 {
			l.push(token{kind: tOp, text: ","})
		}
		l.push(token{kind: tStr, text: w})
	}
	l.push(token{kind: tOp, text: close})
}

// heredoc reads the mark of a heredoc, n characters of it before the tag.
func (l *lexer) heredoc(n int) bool {
	i := l.pos + n
	h := heredoc{tok: len(l.toks)}
	if i < len(l.src) && (l.src[i] == '~' || l.src[i] == '-') {
		h.indent = true
		i++
	}
	if l.g == gPHP {
		for i < len(l.src) && isBlank(l.src[i]) {
			i++
		}
	}
	if i >= len(l.src) {
		return false
	}
	if q := l.src[i]; q == '\'' || q == '"' || q == '`' && l.g != gPHP {
		j := strings.IndexByte(l.src[i+1:min(len(l.src), i+200)], q)
		if j < 0 {
			return false
		}
		h.tag, h.raw, h.shell = l.src[i+1:i+1+j], q == '\'', q == '`'
		i += j + 2
	} else {
		j := i
		for j < len(l.src) && isName(l.src[j]) {
			j++
		}
		if j == i || isDigit(l.src[i]) {
			return false
		}
		h.tag = l.src[i:j]
		i = j
	}
	l.pos = i
	l.push(token{kind: tStr})
	l.pending = append(l.pending, h)
	return true
}

// ---- Perl

func (l *lexer) perlSpecial() bool {
	c := l.src[l.pos]
	switch {
	case c == '\'':
		l.pos++
		l.push(l.str(tStr, style{close: c}))
	case c == '"':
		l.pos++
		l.push(l.str(tStr, style{close: c, escapes: true, holes: true}))
	case c == '`':
		l.pos++
		l.push(l.str(tShell, style{close: c, escapes: true, holes: true}))
	case c == '$' || (c == '@' || c == '%' || c == '&') && !l.valueBefore():
		return l.sigil()
	case c == '/' && !l.valueBefore():
		return l.slashRegex()
	case c == '<' && l.at(1) == '<' && !l.valueBefore() && (isLetter(l.at(2)) || l.at(2) == '"' || l.at(2) == '\'' || l.at(2) == '~'):
		return l.heredoc(2)
	case c == '<' && !l.valueBefore() && (l.at(1) == '>' || l.at(1) == '$' || isLetter(l.at(1))):
		// <FH>, <>, <$fh>, <*.c>: reads.
		if i := strings.IndexAny(l.src[l.pos:min(len(l.src), l.pos+120)], ">\n"); i > 0 && l.src[l.pos+i] == '>' {
			l.pos += i + 1
			l.push(token{kind: tNum, text: "<>"})
			return true
		}
		return false
	case isLetter(c):
		return l.perlQuote()
	default:
		return false
	}
	return true
}

// sigil reads $x, @x, %x, &x with what belongs to the name.
func (l *lexer) sigil() bool {
	c, i := l.src[l.pos], l.pos+1
	if c == '$' && i < len(l.src) && l.src[i] == '#' && i+1 < len(l.src) && (isLetter(l.src[i+1]) || l.src[i+1] == '{' || l.src[i+1] == '$') {
		i++ // $#list
	}
	for i < len(l.src) && l.src[i] == '$' && i+1 < len(l.src) && (isLetter(l.src[i+1]) || l.src[i+1] == '$') {
		i++
	}
	j := i
	for j < len(l.src) && (isName(l.src[j]) || l.src[j] == ':' && j+2 < len(l.src) && l.src[j+1] == ':' && isLetter(l.src[j+2])) {
		if l.src[j] == ':' {
			j++
		}
		j++
	}
	switch {
	case j > i:
	case j < len(l.src) && l.src[j] == '{':
		// ${name}, @{...}, &{...}: the braces are lexed as code.
		l.push(token{kind: tIdent, text: l.src[l.pos:j]})
		l.pos = j
		return true
	case c == '$' && j < len(l.src) && strings.IndexByte("!@/\\;,.&0_^|+-<>[]()\"'$?~=%:", l.src[j]) >= 0:
		j++
		if l.src[j-1] == '^' && j < len(l.src) && isLetter(l.src[j]) {
			j++
		}
	default:
		return false
	}
	l.push(token{kind: tIdent, text: l.src[l.pos:j]})
	l.pos = j
	return true
}

// perlQuote reads q qq qw qx qr m s tr y with any delimiter.
func (l *lexer) perlQuote() bool {
	n := 0
	switch {
	case l.has("qq"), l.has("qw"), l.has("qx"), l.has("qr"), l.has("tr"):
		n = 2
	case l.has("q"), l.has("m"), l.has("s"), l.has("y"):
		n = 1
	default:
		return false
	}
	if isName(l.at(n)) {
		return false
	}
	if p := l.prev(); p != nil && (p.op("->") || p.op("-") && !l.spaced || p.op("{") && l.at(n) == '}') {
		return false
	}
	i := l.pos + n
	for i < len(l.src) && (isBlank(l.src[i]) || l.src[i] == '\n') {
		i++
	}
	if i >= len(l.src) {
		return false
	}
	d := l.src[i]
	if d == '=' && i+1 < len(l.src) && (l.src[i+1] == '>' || l.src[i+1] == '=' || isBlank(l.src[i+1])) || d == ',' || d == ';' || d == ')' ||
		i > l.pos+n && (d == '#' || isName(d)) || isName(d) {
		return false
	}
	op := l.src[l.pos : l.pos+n]
	close, open := closing(d)
	l.pos = i + 1
	s := style{close: close, open: open}
	switch op {
	case "q":
		l.push(l.str(tStr, s))
	case "qq":
		s.escapes, s.holes = true, d != '\''
		l.push(l.str(tStr, s))
	case "qx":
		s.escapes, s.holes = true, d != '\''
		l.push(l.str(tShell, s))
	case "qw":
		l.words(l.str(tStr, s))
	default:
		s.raw = true
		t := l.str(tRegex, s)
		l.pattern(t.text)
		if op == "m" || op == "qr" {
			l.flags()
			l.push(t)
			return true
		}
		if open != 0 {
			for l.pos < len(l.src) && (isBlank(l.src[l.pos]) || l.src[l.pos] == '\n') {
				l.pos++
			}
			if l.pos >= len(l.src) {
				l.fail("unterminated string")
				return true
			}
			s.close, s.open = closing(l.src[l.pos])
			l.pos++
		}
		from := l.pos
		body := l.str(tStr, s)
		text := l.src[from:max(from, l.pos-1)]
		flags := l.flags()
		t = token{kind: tRegex, text: t.text}
		if op == "s" {
			switch e := strings.Count(flags, "e"); {
			case e > 1:
				l.fail("evaluates a replacement twice")
			case e == 1:
				t.parts = []part{{hole: true, toks: l.sub(text)}}
			case d != '\'' && strings.Contains(body.text, "@{"):
				t.parts = l.embed(tStr, text, style{raw: true, holes: true}).parts
			}
		}
		l.push(t)
	}
	return true
}

func (l *lexer) flags() string {
	from := l.pos
	for l.pos < len(l.src) && isLetter(l.src[l.pos]) {
		l.pos++
	}
	return l.src[from:l.pos]
}

// sub lexes a piece of code by itself.
func (l *lexer) sub(code string) []token {
	if l.nest >= nestLimit {
		l.fail("nests too deeply")
		return nil
	}
	in := lexer{g: l.g, src: code, nest: l.nest + 1, depth: 1}
	in.run(0)
	if in.bad != "" {
		l.fail(in.bad)
	}
	return in.toks
}

// ---- PHP

func (l *lexer) phpSpecial() bool {
	c := l.src[l.pos]
	switch {
	case c == '\'':
		l.pos++
		l.push(l.str(tStr, style{close: c}))
	case c == '"':
		l.pos++
		l.push(l.str(tStr, style{close: c, escapes: true, holes: true}))
	case c == '`':
		l.pos++
		l.push(l.str(tShell, style{close: c, escapes: true, holes: true}))
	case c == '<' && l.has("<<<"):
		return l.heredoc(3)
	case c == '<' && l.at(1) == '?':
		l.pos += 2
		if l.has("php") {
			l.pos += 3
		} else if l.at(0) == '=' {
			l.pos++
		}
	case c == '?' && l.at(1) == '>':
		// Text up to the next opening tag is printed.
		l.push(token{kind: tOp, text: ";"})
		if i := strings.Index(l.src[l.pos:], "<?"); i >= 0 {
			l.pos += i
		} else {
			l.pos = len(l.src)
		}
	case c == '$' && (isLetter(l.at(1)) || l.at(1) == '$'):
		from := l.pos
		for l.pos < len(l.src) && l.src[l.pos] == '$' {
			l.pos++
		}
		for l.pos < len(l.src) && isName(l.src[l.pos]) {
			l.pos++
		}
		l.push(token{kind: tIdent, text: l.src[from:l.pos]})
	case c == '\\' && isLetter(l.at(1)):
		l.pos++
		l.name()
	default:
		return false
	}
	return true
}
