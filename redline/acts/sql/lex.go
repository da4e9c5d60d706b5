package sql

import "strings"

// kind is the kind of a token.
type kind uint8

const (
	word   kind = iota // a bare word or a number
	quoted             // a quoted name: "x", `x`, [x]
	str                // a string literal; text is its content
	dollar             // a dollar-quoted string; text is its content
	punct              // one character
	end                // the end of a statement
	client             // a command of the client itself: `\dt`, `.tables`, `DELIMITER //`
)

// tok is one token. start and stop are offsets in the text, so that a
// statement's source can be cut out without copying.
type tok struct {
	kind  kind
	text  string
	up    string // upper case of a word, empty for the rest
	start int
	stop  int
	first bool // first on its line
}

// lexer cuts text into tokens. escapes says whether a backslash inside a plain
// string escapes the next character: MySQL says yes, the standard says no.
type lexer struct {
	src     string
	pos     int
	escapes bool
	delim   string // statement terminator set by DELIMITER; empty: ";"
	fresh   bool   // nothing but blanks since the line began
	start   bool   // nothing since the statement began
	odd     int    // signs that escapes was the wrong choice
	bang    int    // open /*! comments
	toks    []tok
}

// tokens reads text in the spelling of strings that leaves fewer oddities. A
// quote that is followed by a letter, or a string without an end, says that
// `\'` was read the wrong way round.
func tokens(text string) []tok {
	std := lexer{src: text}
	std.run()
	if std.odd == 0 || !strings.Contains(text, `\`) {
		return std.toks
	}
	esc := lexer{src: text, escapes: true}
	esc.run()
	if esc.odd < std.odd {
		return esc.toks
	}
	return std.toks
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (l *lexer) add(k kind, text string, from int) {
	t := tok{kind: k, text: text, start: from, stop: l.pos, first: l.fresh}
	if k == word {
		t.up = upper(text)
	}
	l.toks = append(l.toks, t)
	l.fresh = false
	l.start = k == end
}

// upper avoids the copy for words that are upper case already.
func upper(s string) string {
	for i := 0; i < len(s); i++ {
		if 'a' <= s[i] && s[i] <= 'z' {
			return strings.ToUpper(s)
		}
	}
	return s
}

func (l *lexer) run() {
	l.fresh, l.start = true, true
	s := l.src
	for l.pos < len(s) {
		c := s[l.pos]
		from := l.pos
		if c == '\n' {
			l.pos++
			l.fresh = true
			continue
		}
		if isSpace(c) {
			l.pos++
			continue
		}
		if l.delim != "" && strings.HasPrefix(s[l.pos:], l.delim) {
			l.pos += len(l.delim)
			l.add(end, l.delim, from)
			continue
		}
		switch {
		case c == '-' && strings.HasPrefix(s[l.pos:], "--"):
			l.line()
		case c == '#' && l.hashComment():
			l.line()
		case c == '/' && strings.HasPrefix(s[l.pos:], "/*"):
			l.comment()
		case c == '*' && l.bang > 0 && strings.HasPrefix(s[l.pos:], "*/"):
			l.bang--
			l.pos += 2
		case c == '\'':
			l.str(from, l.escapes)
		case (c == 'E' || c == 'e') && strings.HasPrefix(s[l.pos+1:], "'"):
			l.pos++
			l.str(from, true)
		case isPrefix(c) && strings.HasPrefix(s[l.pos+1:], "'"):
			l.pos++
			l.str(from, l.escapes)
		case c == '"' || c == '`':
			l.name(c)
		case c == '[' && l.bracketName():
			l.name(']')
		case c == '$' && l.dollar():
		case c == ';' && l.delim == "":
			l.pos++
			l.add(end, ";", from)
		case c == '\\':
			l.backslash()
		case (c == '.' || c == ':') && l.fresh && l.start && l.pos+1 < len(s) && isWord(s[l.pos+1]):
			// A dot command of sqlite3 or duckdb is the whole line.
			l.line()
			l.add(client, s[from:l.pos], from)
			l.start = true
		case isWord(c) || (c == '@' || c == '#') && l.pos+1 < len(s) && (isWord(s[l.pos+1]) || s[l.pos+1] == c):
			l.word()
		default:
			l.pos++
			l.add(punct, s[from:l.pos], from)
		}
	}
}

func isPrefix(c byte) bool {
	return c == 'N' || c == 'n' || c == 'B' || c == 'b' || c == 'X' || c == 'x'
}

// line moves to the end of the line.
func (l *lexer) line() {
	if i := strings.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		l.pos += i
		return
	}
	l.pos = len(l.src)
}

// hashComment tells MySQL's comment from PostgreSQL's operators (`#>`, `#`) and
// SQL Server's temporary tables (`#t`): a comment starts a line or a
// statement, or stands before a blank.
func (l *lexer) hashComment() bool {
	if l.fresh || l.start {
		return true
	}
	return l.pos+1 >= len(l.src) || isSpace(l.src[l.pos+1])
}

// comment skips a block comment. Comments nest, as in PostgreSQL and SQL
// Server; a nested opening without its end would hide the rest of the text, so
// then the first end counts, as in MySQL. MySQL executes what is in `/*! ... */`.
func (l *lexer) comment() {
	s := l.src[l.pos:]
	for _, open := range [...]string{"/*!", "/*M!"} {
		if strings.HasPrefix(s, open) {
			l.pos += len(open)
			for l.pos < len(l.src) && '0' <= l.src[l.pos] && l.src[l.pos] <= '9' {
				l.pos++
			}
			l.bang++
			return
		}
	}
	depth, first := 0, -1
	for i := 0; i+1 < len(s); {
		switch {
		case s[i] == '/' && s[i+1] == '*':
			depth++
			i += 2
		case s[i] == '*' && s[i+1] == '/':
			depth--
			i += 2
			if first < 0 {
				first = i
			}
			if depth == 0 {
				l.pos += i
				return
			}
		default:
			i++
		}
	}
	if first > 0 {
		l.pos += first
		return
	}
	l.pos = len(l.src)
}

// str reads a string in single quotes, l.pos on the quote.
func (l *lexer) str(from int, escapes bool) {
	l.pos++
	s := l.src
	begin := l.pos
	var b []byte // only when the content differs from the source
	for l.pos < len(s) {
		c := s[l.pos]
		if c == '\\' && escapes && l.pos+1 < len(s) {
			b = append(b, s[begin:l.pos]...)
			b = append(b, s[l.pos+1])
			l.pos += 2
			begin = l.pos
			continue
		}
		if c == '\'' {
			if l.pos+1 < len(s) && s[l.pos+1] == '\'' {
				b = append(b, s[begin:l.pos+1]...)
				l.pos += 2
				begin = l.pos
				continue
			}
			text := s[begin:l.pos]
			if b != nil {
				text = string(append(b, text...))
			}
			l.pos++
			if l.pos < len(s) && isWord(s[l.pos]) {
				l.odd++
			}
			l.add(str, text, from)
			return
		}
		l.pos++
	}
	l.odd++
	text := s[begin:]
	if b != nil {
		text = string(append(b, text...))
	}
	l.add(str, text, from)
}

// bracketName tells SQL Server's [name] from an array subscript: a name follows
// a blank, a dot, a comma or an opening parenthesis and holds no quote.
func (l *lexer) bracketName() bool {
	if l.pos > 0 {
		if p := l.src[l.pos-1]; !isSpace(p) && p != '.' && p != ',' && p != '(' && p != ';' && p != '=' {
			return false
		}
	}
	// A name is at most 128 characters there, which bounds this look ahead.
	rest := l.src[l.pos+1 : min(len(l.src), l.pos+300)]
	i := strings.IndexByte(rest, ']')
	return i > 0 && !strings.ContainsAny(rest[:i], "'\"\n;")
}

// name reads a quoted name up to close, which stands twice for itself.
func (l *lexer) name(close byte) {
	from := l.pos
	l.pos++
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if c == '\\' && l.escapes && close == '"' && l.pos+1 < len(l.src) {
			l.pos += 2
			continue
		}
		l.pos++
		if c == close {
			if l.pos < len(l.src) && l.src[l.pos] == close {
				l.pos++
				continue
			}
			l.add(quoted, l.src[from+1:l.pos-1], from)
			return
		}
	}
	l.odd++
	l.add(quoted, l.src[from+1:], from)
}

// dollar reads $tag$ ... $tag$ and reports whether there was one; `$1` is a
// parameter.
func (l *lexer) dollar() bool {
	s := l.src
	if l.pos > 0 && isWord(s[l.pos-1]) {
		return false
	}
	i := l.pos + 1
	for i < len(s) && isWord(s[i]) {
		i++
	}
	if i >= len(s) || s[i] != '$' || i > l.pos+1 && '0' <= s[l.pos+1] && s[l.pos+1] <= '9' {
		return false
	}
	from, tag := l.pos, s[l.pos:i+1]
	body := i + 1
	j := strings.Index(s[body:], tag)
	if j < 0 {
		l.odd++
		l.pos = len(s)
		l.add(dollar, s[body:], from)
		return true
	}
	l.pos = body + j + len(tag)
	l.add(dollar, s[body:body+j], from)
	return true
}

// backslash reads a command of psql or mysql. `\g` and its family end the
// statement; the rest take their line, except that psql reads further commands
// of a line after `\\`.
func (l *lexer) backslash() {
	s, from := l.src, l.pos
	i := l.pos + 1
	for i < len(s) && isWord(s[i]) {
		i++
	}
	switch name := s[l.pos+1 : i]; name {
	case "G", "g", "gx", "crosstabview":
		l.pos = i
		if name != "G" {
			// psql's may name a file or a program: `\g out.txt`, `\g |cmd`.
			l.line()
		}
		l.add(client, s[from:l.pos], from)
		l.add(end, ";", l.pos)
		return
	case "gexec", "gset", "gdesc":
		l.pos = i
		l.add(client, s[from:l.pos], from)
		l.add(end, ";", l.pos)
		return
	}
	if i == l.pos+1 && (i >= len(s) || s[i] != '!' && s[i] != '.' && s[i] != '?' && s[i] != '#') {
		// A stray backslash: psql's separator of commands, or an escape.
		l.pos = i
		if i < len(s) && s[i] == '\\' {
			l.pos++
		} else {
			l.odd++
		}
		return
	}
	start := l.start
	l.line()
	if name := s[from+1 : i]; name != "!" && i > from+1 && name != "copy" {
		if j := strings.Index(s[from:l.pos], `\\`); j > 0 {
			l.pos = from + j
		}
	}
	l.add(client, s[from:l.pos], from)
	l.start = start
}

func (l *lexer) word() {
	s, from := l.src, l.pos
	for l.pos < len(s) && (isWord(s[l.pos]) || s[l.pos] == '$' || s[l.pos] == '@' || s[l.pos] == '#') {
		if l.delim != "" && l.pos > from && strings.HasPrefix(s[l.pos:], l.delim) {
			break
		}
		l.pos++
	}
	w := s[from:l.pos]
	if l.fresh && strings.EqualFold(w, "go") && l.alone() {
		// SQL Server's clients end a batch with it, whatever stands open.
		l.add(end, w, from)
		return
	}
	if !l.start || !l.fresh {
		l.add(word, w, from)
		return
	}
	switch {
	case strings.EqualFold(w, "delimiter"):
		// The mysql client's own word: the rest of the line is the new end.
		l.line()
		if d := strings.Fields(s[from+len(w) : l.pos]); len(d) > 0 && d[0] != ";" {
			l.delim = d[0]
		} else {
			l.delim = ""
		}
		l.add(client, s[from:l.pos], from)
		l.start = true
	case isMySQLClient(w) && l.pos < len(s) && isSpace(s[l.pos]):
		l.line()
		l.add(client, s[from:l.pos], from)
		l.start = true
	default:
		l.add(word, w, from)
	}
}

// isMySQLClient are the words that the mysql client runs itself when they start
// a statement.
func isMySQLClient(w string) bool {
	switch strings.ToLower(w) {
	case "system", "source", "tee", "pager":
		return true
	}
	return false
}

// alone reports whether the rest of the line is blank, or a count (`GO 5`).
func (l *lexer) alone() bool {
	rest := l.src[l.pos:min(len(l.src), l.pos+40)]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimSpace(rest)
	for i := 0; i < len(rest); i++ {
		if rest[i] < '0' || rest[i] > '9' {
			return false
		}
	}
	return true
}
