package code

import (
	"path"
	"strings"
)

// vkind is the kind of a value.
type vkind uint8

const (
	vUnknown vkind = iota
	vText          // text; with known unset it only begins so
	vNum           // a number
	vBool          // text is "true" or "false"
	vList          // list; with known unset there may be more
	vObject        // keys and list side by side; known unset: there may be more
	vRef           // a name that is not a variable: a module, a function
	vFile          // an open file; its effect is told already
	vAlts          // one of list
)

// value is what is known of an expression.
type value struct {
	kind  vkind
	known bool
	path  bool // a path object, which `/` extends
	temp  bool // lies inside a fresh temporary directory
	text  string
	list  []value
	keys  []string
	from  string // the variable it was read from
}

func text(s string) value { return value{kind: vText, text: s, known: true} }

// prefix is text that begins with s.
func prefix(s string) value { return value{kind: vText, text: s} }

func (v value) isText() bool { return v.kind == vText && v.known }

// field is the value of a key of an object.
func (v value) field(key string) (value, bool) {
	for i, k := range v.keys {
		if k == key {
			return v.list[i], true
		}
	}
	return value{}, false
}

// arg is one argument of a call.
type arg struct {
	name   string // keyword, or empty
	val    value
	spread bool
}

// args are the arguments of a call.
type args []arg

// pos is the i-th positional argument.
func (a args) pos(i int) (value, bool) {
	for _, x := range a {
		if x.spread {
			return value{}, true // may be anything
		}
		if x.name != "" {
			continue
		}
		if i == 0 {
			return x.val, true
		}
		i--
	}
	return value{}, false
}

// named is a keyword argument.
func (a args) named(name string) (value, bool) {
	for _, x := range a {
		if x.name == name {
			return x.val, true
		}
	}
	return value{}, false
}

// get is the i-th positional argument or the keyword, the unknown value if
// neither is there.
func (a args) get(i int, name string) value {
	if v, ok := a.named(name); ok && name != "" {
		return v
	}
	v, _ := a.pos(i)
	return v
}

// open reports whether the arguments hold some that nobody can see.
func (a args) open() bool {
	for _, x := range a {
		if x.spread {
			return true
		}
	}
	return false
}

// language is what differs between the languages above the lexer.
type language interface {
	// keyword reports whether an identifier is an operator or a control word.
	keyword(w string) bool
	// statement takes a statement the language spells its own way.
	statement(m *machine) bool
	// resolve is a name that is no variable of the code.
	resolve(m *machine, name string) value
	// call is a call of a named function.
	call(m *machine, name string, a args) value
	// method is a call of a method on a value that is no module.
	method(m *machine, recv value, name string, a args) value
	// attr is an attribute that is not called.
	attr(m *machine, recv value, name string) value
	// loose is told of a function or module that is mentioned, not called.
	loose(m *machine, name string)
	// bare reports whether name takes its arguments without parentheses.
	bare(m *machine, name string) bool
}

// joinLimit bounds text that is put together, so that a chain of n pieces does
// not copy n squared bytes. A literal may be longer.
const joinLimit = 8 << 10

// altLimit bounds the alternatives of a value.
const altLimit = 16

type machine struct {
	lang   language
	g      grammar
	toks   []token
	pos    int
	nest   int
	counts map[string]int
	vars   map[string]value
	dir    value // set by chdir; the zero value: where the code started
	quiet  bool  // the next operand may name a function without calling it
	res    *Result
	effort int
}

// effectLimit bounds the effects that are kept; code with more is not readable.
const effectLimit = 2000

func (m *machine) unread(why string) {
	if m.res.Why == "" {
		m.res.Why = why
	}
}

func (m *machine) emit(e Effect) {
	if len(m.res.Effects) >= effectLimit {
		m.unread("has too many effects")
		return
	}
	m.res.Effects = append(m.res.Effects, e)
}

// each calls f for every value that v may be.
func each(v value, f func(value)) {
	if v.kind == vAlts {
		for _, x := range v.list {
			f(x)
		}
		return
	}
	f(v)
}

// place fills in the path of an effect and reports whether it counts at all.
func (m *machine) place(v value, e *Effect) bool {
	switch v.kind {
	case vNum, vFile, vBool:
		return false // a descriptor
	case vText:
		if v.temp {
			return false
		}
		p := v.text
		if m.dir.kind != vUnknown || m.dir.known {
			if p == "" || !path.IsAbs(p) && !drive(p) && !strings.HasPrefix(p, "~") {
				if !m.dir.isText() {
					e.Path, e.PathKnown = "", false
					return true
				}
				p = join(m.dir.text, p)
			}
		}
		e.Path, e.PathKnown = p, v.known
	}
	return true
}

func drive(p string) bool {
	return len(p) > 1 && p[1] == ':' && isLetter(p[0]) || strings.HasPrefix(p, `\\`)
}

func join(dir, p string) string {
	if dir == "" {
		return p
	}
	if strings.HasSuffix(dir, "/") || strings.HasSuffix(dir, `\`) {
		return dir + p
	}
	return dir + "/" + p
}

func (m *machine) write(v value, why string) {
	each(v, func(v value) {
		e := Effect{Kind: Write, Why: why}
		if m.place(v, &e) {
			m.emit(e)
		}
	})
}

func (m *machine) remove(v value, recursive bool, why string) {
	each(v, func(v value) {
		if v.kind == vList {
			for _, x := range v.list {
				m.remove(x, recursive, why)
			}
			if v.known {
				return
			}
			v = value{}
		}
		e := Effect{Kind: Remove, Recursive: recursive, Why: why}
		if m.place(v, &e) {
			m.emit(e)
		}
	})
}

// shell is a text handed to a shell. Text that is not known makes the code
// unreadable, as what runs then is anybody's guess.
func (m *machine) shell(v value, why string) {
	each(v, func(v value) {
		if v.kind == vList && len(v.list) > 0 {
			v = v.list[0]
		}
		e := Effect{Kind: RunShell, Why: why}
		if v.kind == vText {
			e.Shell = v.text
		}
		if !v.isText() {
			m.unread(why + " runs a command that is not literal")
			if e.Shell != "" {
				// What is known goes to a shell whose next word is not known.
				e.Shell += "$1"
			}
		}
		m.emit(e)
	})
}

// argv is a program started with a list of words.
func (m *machine) argv(v value, why string) {
	each(v, func(v value) {
		e := Effect{Kind: RunArgv, Why: why, ArgvKnown: v.kind == vList && v.known}
		if v.kind == vText {
			v = value{kind: vList, list: []value{v}, known: true}
			e.ArgvKnown = true
		}
		if v.kind == vList {
			for i, x := range v.list {
				if x.kind == vAlts {
					// One run for each value the word may have.
					for _, alt := range x.list {
						w := v
						w.list = append(append(append([]value(nil), v.list[:i]...), alt), v.list[i+1:]...)
						m.argv(w, why)
					}
					return
				}
				if !x.isText() && !(x.kind == vNum && x.text != "") {
					e.ArgvKnown = false
					break
				}
				e.Argv = append(e.Argv, x.text)
			}
		}
		if len(e.Argv) == 0 {
			e.ArgvKnown = false
			m.unread(why + " runs a program that is not literal")
		} else if !e.ArgvKnown {
			m.unread(why + " runs " + e.Argv[0] + " with words that are not literal")
		}
		m.emit(e)
	})
}

func (m *machine) network(v value, why string) {
	m.unread("reaches the network: " + why)
	e := Effect{Kind: Network, Why: why}
	if v.kind == vText {
		e.Path, e.PathKnown = v.text, v.known
	}
	m.emit(e)
}

// ---- tokens

var endToken = token{kind: tNewline}

func (m *machine) peek() *token { return m.look(0) }

func (m *machine) look(k int) *token {
	if m.pos+k < len(m.toks) && m.pos+k >= 0 {
		return &m.toks[m.pos+k]
	}
	return &endToken
}

func (m *machine) end() bool { return m.pos >= len(m.toks) }

func (m *machine) take(op string) bool {
	if m.peek().op(op) && !m.end() {
		m.pos++
		return true
	}
	return false
}

// ---- statements and expressions

// run reads all tokens as statements.
func (m *machine) run() {
	for !m.end() {
		at := m.pos
		m.one()
		if m.pos == at {
			m.pos++
		}
	}
}

// inner reads tokens of their own, a hole or a replacement, and gives the value
// of the last expression.
func (m *machine) inner(toks []token) value {
	if m.nest >= nestLimit {
		m.unread("nests too deeply")
		return value{}
	}
	outer, at := m.toks, m.pos
	m.toks, m.pos = toks, 0
	m.nest++
	v := m.expr()
	if !m.end() {
		v = value{}
		m.run()
	}
	m.nest--
	m.toks, m.pos = outer, at
	return v
}

// one reads one statement, or skips one token between two.
func (m *machine) one() value {
	t := m.peek()
	switch t.kind {
	case tNewline:
		m.pos++
		return value{}
	case tOp:
		switch t.text {
		case ";", ",", ":", ")", "]", "}", "|", "@":
			m.pos++
			return value{}
		}
	}
	if m.lang.statement(m) {
		return value{}
	}
	if t.kind == tIdent && m.lang.keyword(t.text) {
		m.pos++
		return value{}
	}
	if t.kind == tIdent && m.look(1).op("=") {
		return m.assign(t.text)
	}
	return m.expr()
}

// assign reads `name = expression`, m.pos on the name.
func (m *machine) assign(name string) value {
	if m.nest >= nestLimit {
		m.unread("nests too deeply")
		m.pos = len(m.toks)
		return value{}
	}
	m.nest++
	defer func() { m.nest-- }()
	m.pos += 2
	m.quiet = true
	var v value
	if t := m.peek(); t.kind == tIdent && m.look(1).op("=") && !m.lang.keyword(t.text) {
		v = m.assign(t.text)
	} else {
		v = m.expr()
	}
	m.quiet = false
	m.bind(name, v)
	return v
}

// bind gives a variable its value, if nothing else is ever assigned to it.
func (m *machine) bind(name string, v value) {
	v.from = ""
	if m.counts[name] > 1 {
		v = value{}
	}
	m.vars[name] = v
}

// forget drops what is known of a variable that is changed in place.
func (m *machine) forget(name string) {
	if name == "" {
		return
	}
	v := m.vars[name]
	v.known = false
	if v.kind == vText || v.kind == vAlts {
		v = value{}
	}
	m.vars[name] = v
	m.counts[name] = 2
}

// stops reports whether t ends an expression.
func stops(t *token) bool {
	if t.kind == tNewline {
		return true
	}
	if t.kind != tOp {
		return false
	}
	switch t.text {
	case ",", ")", "]", "}", ":", ";":
		return true
	}
	return false
}

// expr reads an expression up to a comma, a closing bracket, a colon or the end
// of the statement. It never consumes that end.
func (m *machine) expr() value {
	if m.nest >= nestLimit {
		m.unread("nests too deeply")
		m.pos = len(m.toks)
		return value{}
	}
	m.nest++
	defer func() { m.nest-- }()
	v := m.operand()
	for !m.end() {
		t := m.peek()
		if stops(t) {
			return v
		}
		if t.kind == tIdent {
			if !m.lang.keyword(t.text) {
				return v // two expressions side by side: the caller goes on
			}
			switch t.text {
			case "as", "for", "if", "unless", "while", "foreach", "do", "else", "elsif", "elif", "then", "end", "async", "rescue":
				if m.g != gPython {
					return v
				}
			}
			m.pos++
			v = value{}
			m.operandOrStop()
			continue
		}
		if t.kind != tOp {
			return v
		}
		switch op := t.text; op {
		case "{", "(", "[":
			return v
		case "+", "/", ".", "<<":
			m.pos++
			w := m.operandOrStop()
			switch {
			case op == "/" && v.path, op == "+" && (m.g != gPerl && m.g != gPHP) && !v.path, op == "." && (m.g == gPerl || m.g == gPHP):
				v = concat(v, w, v.path)
			case op == "+" && m.g == gRuby && v.path:
				v = concat(v, w, true)
			case op == "<<":
				m.forget(v.from)
				v = value{}
			default:
				v = value{}
			}
		case "=":
			m.pos++
			if v.from != "" {
				m.forget(v.from)
			}
			v = m.expr()
		case "=>":
			return m.arrow(v)
		case "||", "??":
			// The first of two, where it is known to be something.
			m.pos++
			w := m.operandOrStop()
			if !(v.isText() && v.text != "") {
				v = value{}
			}
			_ = w
		default:
			m.pos++
			v = value{}
			m.operandOrStop()
		}
	}
	return v
}

func (m *machine) operandOrStop() value {
	if m.end() || stops(m.peek()) {
		return value{}
	}
	return m.operand()
}

// arrow reads what follows `=>`: a function's body in JavaScript, a value
// elsewhere.
func (m *machine) arrow(key value) value {
	m.pos++
	if m.g != gNode {
		return m.expr()
	}
	if m.peek().op("{") {
		m.braces()
		return value{}
	}
	m.expr()
	return value{}
}

// concat joins two values: text with text, and with `/` between them for paths.
func concat(v, w value, slash bool) value {
	if v.kind == vAlts || w.kind == vAlts {
		out := value{kind: vAlts}
		each(v, func(a value) {
			each(w, func(b value) { out.list = append(out.list, concat(a, b, slash)) })
		})
		if len(out.list) > altLimit {
			return value{}
		}
		return out
	}
	if v.kind == vList && w.kind == vList && v.known {
		if len(v.list)+len(w.list) > 256 {
			return value{kind: vList, list: v.list}
		}
		return value{kind: vList, list: append(append([]value(nil), v.list...), w.list...), known: w.known}
	}
	if v.kind != vText {
		return value{}
	}
	if !v.known {
		return v
	}
	if len(v.text)+len(w.text) > joinLimit {
		return prefix(v.text)
	}
	out := v
	out.from = ""
	if slash {
		if w.isText() && (path.IsAbs(w.text) || drive(w.text)) {
			w.path = true
			return w
		}
		if w.kind != vText {
			return value{kind: vText, text: join(v.text, ""), path: true, temp: v.temp}
		}
		out.text = join(v.text, w.text)
		out.known = w.known
		return out
	}
	switch w.kind {
	case vText, vNum:
		out.text += w.text
		out.known = w.known || w.kind == vNum && w.text != ""
	default:
		out.known = false
	}
	return out
}

// operand reads a value with everything that is attached to it: members, calls,
// indexes.
func (m *machine) operand() value {
	quiet := m.quiet
	m.quiet = false
	start := m.pos
	for !m.end() {
		t := m.peek()
		if t.kind == tOp {
			switch t.text {
			case "!", "-", "~", "+", "*", "**", "&", "++", "--", "...", "\\", "<", ">", "?", "%", "@", "->", "=":
				if t.text == "*" || t.text == "**" || t.text == "..." {
					quiet = false
				}
				m.pos++
				continue
			}
		}
		if t.ident("import") && m.g == gNode && m.look(1).op("(") {
			break
		}
		if t.kind == tIdent && m.lang.keyword(t.text) {
			if m.lang.statement(m) {
				return value{}
			}
			m.pos++
			continue
		}
		break
	}
	if m.end() {
		return value{}
	}
	t := m.peek()
	v := value{}
	switch t.kind {
	case tNewline:
		return v
	case tStr, tTagged:
		m.pos++
		v = m.stringValue(t)
		for m.g == gPython && m.peek().kind == tStr && !m.end() {
			v = concat(v, m.stringValue(m.peek()), false)
			m.pos++
		}
	case tShell:
		m.pos++
		m.shell(m.stringValue(t), "back quotes")
	case tRegex:
		m.pos++
		for _, p := range t.parts {
			if p.hole {
				m.inner(p.toks)
			}
		}
	case tNum:
		m.pos++
		v = value{kind: vNum, text: t.text}
	case tIdent:
		m.pos++
		v = m.nameValue(t.text)
	case tOp:
		switch t.text {
		case "(":
			v = m.list("(", ")")
		case "[":
			v = m.list("[", "]")
		case "{":
			v = m.braces()
		default:
			if stops(t) {
				return v
			}
			m.pos++
			return v
		}
	}
	v = m.postfix(v)
	if v.kind == vRef && !(quiet && m.pos > start && (m.end() || stops(m.peek()))) {
		m.lang.loose(m, v.text)
	}
	return v
}

// nameValue is the value of a name: of a variable, else what the language says.
func (m *machine) nameValue(name string) value {
	if v, ok := m.vars[name]; ok {
		v.from = name
		return v
	}
	if m.counts[name] > 0 {
		return value{from: name}
	}
	return m.lang.resolve(m, name)
}

// stringValue is the text of a string token; its holes are read as code.
func (m *machine) stringValue(t *token) value {
	if t.parts == nil {
		return text(t.text)
	}
	v := text("")
	for _, p := range t.parts {
		if p.hole {
			toks := p.toks
			w := m.inner(m.hole(toks))
			if w.kind == vNum && w.text == "" {
				w = value{}
			}
			v = concat(v, w, false)
			continue
		}
		v = concat(v, text(p.lit), false)
	}
	return v
}

// hole cuts the format off a Python hole: `{x!r:>10}`.
func (m *machine) hole(toks []token) []token {
	if m.g != gPython {
		return toks
	}
	depth := 0
	for i := range toks {
		if toks[i].kind != tOp {
			continue
		}
		switch toks[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":", "!", ":=":
			if depth == 0 && toks[i].text != ":=" {
				// The format may hold holes of its own; it can not change a file.
				m.inner(toks[i+1:])
				return toks[:i]
			}
		}
	}
	return toks
}

// list reads a bracketed list; one value in parentheses is that value.
func (m *machine) list(open, close string) value {
	v := value{kind: vList, known: true}
	commas := 0
	m.pos++
	fresh := true
	for !m.end() && !m.peek().op(close) {
		at := m.pos
		t := m.peek()
		switch {
		case t.op(","), t.op(";"):
			commas++
			if commas == 1 && open == "(" && len(v.list) == 1 && v.list[0].kind == vRef {
				m.lang.loose(m, v.list[0].text)
			}
			fresh = true
			m.pos++
		case t.kind == tNewline, t.op(":"):
			m.pos++
			if t.op(":") {
				v.known = false
			}
		case t.op("*"), t.op("..."), t.op("**"):
			m.pos++
			w := m.expr()
			if w.kind == vList && w.known {
				v.list = append(v.list, w.list...)
			} else {
				v.known = false
			}
			fresh = false
		default:
			// (name) is the name: who takes it is told by what follows.
			m.quiet = open == "(" && len(v.list) == 0
			w := m.expr()
			m.quiet = false
			if !fresh {
				// A comprehension, a block, juxtaposed words: nothing one could list.
				v.known = false
				if len(v.list) > 0 {
					v.list[len(v.list)-1] = value{}
				}
			} else if len(v.list) < 4096 {
				v.list = append(v.list, w)
			} else {
				v.known = false
			}
			fresh = false
			if k := m.peek(); k.kind == tIdent && m.lang.keyword(k.text) {
				m.one()
			}
		}
		if m.pos == at {
			m.pos++
		}
	}
	m.take(close)
	if !v.known && len(v.list) > 0 && !v.list[0].isText() {
		v.list = nil
	}
	if open == "(" && commas == 0 && len(v.list) == 1 {
		w := v.list[0]
		if !v.known {
			return value{}
		}
		return w
	}
	return v
}

// braces reads { ... }: an object's fields, a hash, or the statements of a block.
func (m *machine) braces() value {
	if m.nest >= nestLimit {
		m.unread("nests too deeply")
		m.pos = len(m.toks)
		return value{}
	}
	m.nest++
	defer func() { m.nest-- }()
	v := value{kind: vObject, known: true}
	m.pos++
	for !m.end() && !m.peek().op("}") {
		at := m.pos
		t, next := m.peek(), m.look(1)
		key := t.kind == tIdent || t.kind == tStr && t.parts == nil || t.kind == tNum
		switch {
		case t.op(",") || t.kind == tNewline || t.op(";"):
			m.pos++
		case key && (next.op(":") || next.op("=>")) && !m.look(2).op(":"):
			m.pos += 2
			w := m.expr()
			v.keys, v.list = append(v.keys, strings.TrimLeft(t.text, ":")), append(v.list, w)
		case t.kind == tIdent && (next.op(",") || next.op("}")) && m.g == gNode:
			m.pos++
			v.keys, v.list = append(v.keys, t.text), append(v.list, m.nameValue(t.text))
		case t.op("..."):
			v.known = false
			m.pos++
			m.expr()
		default:
			v.known = false
			m.one()
		}
		if m.pos == at {
			m.pos++
		}
	}
	m.take("}")
	return v
}

// arguments reads the arguments of a call, m.pos behind the opening bracket,
// up to and with close.
func (m *machine) arguments(close string) args {
	var a args
	fresh := true
	for !m.end() && !m.peek().op(close) {
		at := m.pos
		t, next := m.peek(), m.look(1)
		switch {
		case t.op(",") || t.kind == tNewline || t.op(";"):
			if !t.op(",") {
				m.pos++
				break
			}
			fresh = true
			m.pos++
		case t.op("*") || t.op("**") || t.op("..."):
			m.pos++
			w := m.expr()
			if w.kind == vList && w.known && t.text != "**" {
				for _, x := range w.list {
					a = append(a, arg{val: x})
				}
			} else {
				a = append(a, arg{val: w, spread: true})
			}
			fresh = false
		case fresh && t.kind == tIdent && m.g == gPython && next.op("="), fresh && t.kind == tIdent && (m.g == gRuby || m.g == gPHP) && next.op(":") && !next.space:
			m.pos += 2
			a = append(a, arg{name: t.text, val: m.expr()})
			fresh = false
		case fresh && t.kind == tStr && m.g == gRuby && next.op("=>"):
			m.pos += 2
			a = append(a, arg{name: t.text, val: m.expr()})
			fresh = false
		case t.op(":"), t.op("?"):
			m.pos++
			if len(a) > 0 {
				a[len(a)-1].val = value{}
			}
			fresh = len(a) == 0
		default:
			w := m.expr()
			if fresh {
				a = append(a, arg{val: w})
			} else if len(a) > 0 && !(m.g == gPerl && len(a) == 1) {
				a[len(a)-1].val = value{}
			} else if m.g == gPerl {
				a[0].val = w // `open my $fh` and `print {$fh} x`: a word in front
			}
			fresh = false
			if k := m.peek(); k.kind == tIdent && m.lang.keyword(k.text) && !m.end() {
				m.one()
			}
		}
		if m.pos == at {
			m.pos++
		}
	}
	m.take(close)
	return a
}

// bareArguments reads arguments without parentheses up to the end of the
// statement or a word that ends them.
func (m *machine) bareArguments() args {
	var a args
	fresh := true
	for !m.end() {
		t := m.peek()
		if t.kind == tNewline || t.op(";") || t.op(")") || t.op("]") || t.op("}") || t.op("|") || t.op("||") || t.op("&&") || t.op("?") {
			break
		}
		if t.op("{") && (m.g == gRuby || !fresh) {
			break
		}
		if t.kind == tIdent && m.lang.keyword(t.text) && t.text != "my" && t.text != "not" && t.text != "our" && t.text != "local" && t.text != "new" {
			break
		}
		at := m.pos
		next := m.look(1)
		switch {
		case t.op(","):
			fresh = true
			m.pos++
			for m.peek().kind == tNewline && !m.end() {
				m.pos++
			}
		case t.op("*") || t.op("**"):
			m.pos++
			w := m.expr()
			if w.kind == vList && w.known {
				for _, x := range w.list {
					a = append(a, arg{val: x})
				}
			} else {
				a = append(a, arg{val: w, spread: true})
			}
			fresh = false
		case fresh && t.kind == tIdent && m.g == gRuby && next.op(":"), fresh && t.kind == tStr && m.g == gRuby && next.op("=>"):
			m.pos += 2
			a = append(a, arg{name: t.text, val: m.expr()})
			fresh = false
		default:
			w := m.expr()
			switch {
			case fresh:
				a = append(a, arg{val: w})
			case m.g == gPerl && len(a) == 1:
				a[0].val = w
			case len(a) > 0:
				a[len(a)-1].val = value{}
			}
			fresh = false
		}
		if m.pos == at {
			break
		}
	}
	return a
}

// postfix reads members, calls and indexes behind a value.
func (m *machine) postfix(v value) value {
	for !m.end() {
		m.effort++
		t := m.peek()
		switch {
		case t.op("."), t.op("?."), t.op("->"), t.op("::"), t.op("&."), t.op("?->"):
			if t.text == "." && (m.g == gPerl || m.g == gPHP) || t.text == "->" && m.g != gPerl && m.g != gPHP {
				return v
			}
			next := m.look(1)
			switch {
			case next.op("(") || next.op("["):
				m.pos++
				continue
			case next.op("{") && m.g == gPerl:
				m.pos++
				m.braces()
				v = value{}
				continue
			case next.kind != tIdent && !(next.kind == tStr && m.g == gRuby):
				m.pos++
				return value{}
			}
			m.pos += 2
			name := next.text
			if (m.g == gPerl || m.g == gPHP) && strings.HasPrefix(name, "$") && m.peek().op("(") {
				m.unread("calls a method by a variable")
			}
			v = m.member(v, name)
		case t.op("("):
			if t.space && m.g == gRuby && v.kind != vRef {
				return v
			}
			if t.line && m.g != gPHP && m.g != gNode {
				return v
			}
			m.pos++
			// A wrapper that gives its argument back does not pass it on.
			m.quiet = v.kind == vRef && v.text == "#util.promisify"
			a := m.arguments(")")
			v = m.call(v, a)
		case t.op("["):
			if t.space && m.g == gRuby || t.line && m.g != gPHP {
				if v.kind == vRef && m.lang.bare(m, v.text) {
					v = m.call(v, m.bareArguments())
					continue
				}
				return v
			}
			m.pos++
			v = m.index(v, m.arguments("]"))
		case t.op("{") && m.g == gPerl && !t.space && (v.from != "" || v.kind == vRef && strings.HasPrefix(v.text, "$")):
			m.braces()
			v = value{}
		case t.op("++"), t.op("--"):
			if t.line {
				return v
			}
			m.pos++
			v = value{}
		case t.kind == tTagged && m.g == gNode && v.kind != vText && v.kind != vNum:
			if t.line {
				return v
			}
			m.pos++
			s := m.stringValue(t)
			if v.kind == vRef {
				v = m.lang.call(m, v.text+"`", args{{val: s}})
			} else {
				v = value{}
			}
		default:
			if v.kind == vRef && m.lang.bare(m, v.text) && m.startsArgument(t) {
				v = m.call(v, m.bareArguments())
				continue
			}
			return v
		}
	}
	if v.kind == vRef && m.lang.bare(m, v.text) && m.g != gPHP {
		v = m.call(v, nil)
	}
	return v
}

// startsArgument reports whether t can begin an argument that stands without
// parentheses.
func (m *machine) startsArgument(t *token) bool {
	switch t.kind {
	case tStr, tShell, tNum, tRegex, tTagged:
		return true
	case tIdent:
		return !m.lang.keyword(t.text) || t.text == "my" || t.text == "our" || t.text == "local" || t.text == "new" || t.text == "not"
	case tOp:
		return t.text == "*" || t.text == "\\" || t.text == "-" && t.space
	}
	return false
}

// member reads `.name` behind v, with its call where there is one.
func (m *machine) member(v value, name string) value {
	if v.kind == vRef {
		if len(v.text) > 200 {
			return value{} // no name that matters is as long
		}
		full := v.text + "." + name
		return m.lang.resolve(m, full)
	}
	t := m.peek()
	if t.op("(") && !m.end() && !(t.space && m.g == gRuby) {
		m.over(v, name)
		m.pos++
		a := m.arguments(")")
		return m.method(v, name, a)
	}
	if m.g == gRuby {
		if m.startsArgument(t) && !m.end() && t.space && t.kind != tIdent && !t.op("*") && !t.op("-") {
			return m.method(v, name, m.bareArguments())
		}
		m.over(v, name)
		return m.method(v, name, nil)
	}
	return m.lang.attr(m, v, name)
}

// over binds the variable of a function that is called for each element of a
// literal list: `['a', 'b'].forEach(f => ...)`, `%w[a b].each { |f| ... }`.
func (m *machine) over(v value, name string) {
	if v.kind != vList || !v.known || len(v.list) == 0 || len(v.list) > altLimit {
		return
	}
	switch name {
	case "forEach", "map", "each", "flatMap", "filter", "some", "every":
	default:
		return
	}
	t := &m.toks[min(m.pos, len(m.toks)-1)]
	switch {
	case m.g == gNode && t.op("("):
		k := 1
		if m.look(k).ident("async") {
			k++
		}
		if m.look(k).op("(") {
			k++
		}
		if p := m.look(k); p.kind == tIdent && (m.look(k+1).op("=>") || m.look(k+1).op(")") && m.look(k+2).op("=>")) {
			m.vars[p.text] = value{kind: vAlts, list: v.list}
		}
	case m.g == gRuby && (t.op("{") || t.ident("do")):
		if p := m.look(2); m.look(1).op("|") && p.kind == tIdent && m.look(3).op("|") {
			m.vars[p.text] = value{kind: vAlts, list: v.list}
		}
	}
}

// call calls a value.
func (m *machine) call(v value, a args) value {
	if v.kind == vRef {
		return m.lang.call(m, v.text, a)
	}
	if m.g == gPHP && (v.kind == vText || strings.HasPrefix(v.from, "$")) {
		// A text that is called names a function.
		if v.isText() {
			return m.lang.call(m, v.text, a)
		}
		m.unread("calls a function by its name in a variable")
	}
	return value{}
}

// method calls a method, after those that all languages spell alike.
func (m *machine) method(v value, name string, a args) value {
	switch name {
	case "append", "extend", "push", "unshift", "insert", "concat", "pop", "shift", "splice", "reverse", "sort", "clear", "update", "push_back", "prepend":
		if v.kind == vList || v.kind == vObject {
			m.forget(v.from)
		}
	}
	return m.lang.method(m, v, name, a)
}

// index reads v[a].
func (m *machine) index(v value, a args) value {
	i, ok := a.pos(0)
	if !ok || len(a) != 1 {
		return value{}
	}
	switch v.kind {
	case vRef:
		if i.isText() {
			return m.lang.resolve(m, v.text+"."+i.text)
		}
		if strings.Contains(v.text, "environ") || strings.Contains(v.text, "argv") || strings.Contains(v.text, "ENV") {
			return value{}
		}
		m.lang.loose(m, v.text)
		return value{}
	case vObject:
		if w, ok := v.field(i.text); ok && i.isText() {
			return w
		}
	case vList:
		if i.kind == vNum && v.known && len(i.text) == 1 {
			if k := int(i.text[0] - '0'); k >= 0 && k < len(v.list) {
				return v.list[k]
			}
		}
	}
	return value{from: v.from}
}
