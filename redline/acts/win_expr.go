package acts

import (
	"path"
	"sort"
	"strings"
)

func winName(c byte) bool { return winLetter(c) || '0' <= c && c <= '9' || c == '_' }

func winSorted(m map[string][]Word) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// winCat joins two words, neighbours of one kind merged. Past 16 KiB what is
// added is only known to be there: a chain of n pieces must not copy n squared.
func winCat(a, b Word) Word {
	parts := append([]Part(nil), a.Parts...)
	for _, p := range b.Parts {
		if n := len(parts); n > 0 && parts[n-1].Kind == Lit && p.Kind == Lit {
			if len(parts[n-1].Text)+len(p.Text) > 16<<10 {
				p = Part{Kind: Unknown, Text: "...", Why: "a very long word"}
			} else {
				parts[n-1].Text += p.Text
				parts[n-1].Quoted = parts[n-1].Quoted && p.Quoted
				continue
			}
		}
		if len(parts) > 64 {
			break
		}
		parts = append(parts, p)
	}
	return Word{Parts: parts}
}

// varName reads the name behind a dollar sign: `x`, `{any thing}`, `env:X`.
func (p *ps) varName() string {
	if p.at(0) == '{' {
		if i := strings.IndexByte(p.src[p.pos:], '}'); i > 0 {
			name := p.src[p.pos+1 : p.pos+i]
			p.pos += i + 1
			return name
		}
		p.pos++
		return ""
	}
	from := p.pos
	switch p.at(0) {
	case '?', '$', '^':
		p.pos++
		return p.src[from:p.pos]
	}
	for winName(p.at(0)) || p.at(0) >= 0x80 {
		p.pos++
	}
	if p.pos > from && p.at(0) == ':' && winName(p.at(1)) {
		p.pos++
		for winName(p.at(0)) || p.at(0) == '(' && strings.HasSuffix(p.src[from:p.pos], "ProgramFiles") {
			p.pos++
		}
	}
	return p.src[from:p.pos]
}

// variable is the value of a variable by its name as written.
func (p *ps) variable(name string) winVal {
	low := strings.ToLower(name)
	for _, scope := range [...]string{"global:", "script:", "local:", "private:", "using:", "variable:"} {
		low = strings.TrimPrefix(low, scope)
	}
	if v, ok := p.st.vars[low]; ok {
		return v
	}
	one := func(w Word) winVal { return winVal{words: []Word{w}} }
	if env, ok := strings.CutPrefix(low, "env:"); ok {
		if t, ok := p.lookup(name[len(name)-len(env):]); ok {
			return one(Text(t))
		}
		return one(Word{Parts: []Part{{Kind: Unset, Text: "$" + name, Why: name + " is not set"}}})
	}
	switch low {
	case "true", "false":
		return one(Text("$" + low))
	case "null":
		return winVal{null: true}
	case "_", "psitem":
		if len(p.item) == 1 {
			return one(p.item[0])
		}
		return one(winUnknown("$"+name, "the object in the pipeline"))
	case "pwd":
		return one(p.s.Dir())
	case "home":
		for _, n := range [...]string{"USERPROFILE", "HOME"} {
			if t, ok := p.lookup(n); ok {
				return one(Text(t))
			}
		}
		return one(winUnknown("$"+name, "the home directory"))
	case "pid", "lastexitcode", "?":
		return one(Word{Parts: []Part{{Kind: Opaque, Text: "$" + name, Why: "a number"}}})
	case "args", "input", "psscriptroot", "pscommandpath", "myinvocation", "matches", "profile", "host", "error", "$", "^", "pshome", "psboundparameters",
		"executioncontext", "psversiontable", "iswindows", "islinux", "ismacos", "this", "event", "foreach", "switch", "shellid", "stacktrace", "pscmdlet":
		return one(winUnknown("$"+name, name+" is set by PowerShell"))
	}
	return one(Word{Parts: []Part{{Kind: Unset, Text: "$" + name, Why: name + " is not set"}}})
}

// lookup finds an environment variable, whose name ignores case here.
func (p *ps) lookup(name string) (string, bool) { return winEnv(p.s, name) }

func winEnv(s sink, name string) (string, bool) {
	if t, ok := s.Lookup(name); ok {
		return t, true
	}
	if t, ok := s.Lookup(strings.ToUpper(name)); ok {
		return t, true
	}
	return s.Lookup(strings.ToLower(name))
}

// expandable reads the inside of a double-quoted string up to its closing quote
// (0: to the end of the text) and moves behind it.
func (p *ps) expandable(close byte) Word {
	var parts []Part
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, Part{Kind: Lit, Text: b.String(), Quoted: true})
			b.Reset()
		}
	}
	done := close == 0
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == close && close != 0 {
			if p.at(1) == close {
				b.WriteByte(close)
				p.pos += 2
				continue
			}
			p.pos++
			done = true
			break
		}
		switch {
		case c == '`' && p.pos+1 < len(p.src):
			b.WriteString(psEscape(p.src[p.pos+1]))
			p.pos += 2
		case c == '$' && p.at(1) == '(':
			flush()
			p.pos += 2
			v, src := p.pipelineValue(')')
			parts = append(parts, winQuote(winOutput(v, src)).Parts...)
		case c == '$' && (winName(p.at(1)) || p.at(1) == '{' || p.at(1) >= 0x80 || p.at(1) == '?' || p.at(1) == '$'):
			p.pos++
			flush()
			parts = append(parts, winQuote(p.variable(p.varName()).word()).Parts...)
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	flush()
	if !done {
		p.unread(p.src[p.begun:], "a string without an end")
	}
	return winCat(Word{}, Word{Parts: parts})
}

func psEscape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case '0':
		return "\x00"
	case 'a', 'b', 'f', 'v', 'e':
		return ""
	case '\n':
		return "\n"
	}
	return string(rune(c))
}

// winQuote marks a word's parts as quoted.
func winQuote(w Word) Word {
	out := make([]Part, len(w.Parts))
	copy(out, w.Parts)
	for i := range out {
		out[i].Quoted = true
	}
	return Word{Parts: out}
}

// winOutput is what a pipeline in `$( )` or parentheses prints, as a word.
func winOutput(v winVal, src *psSource) Word {
	if len(v.words) == 1 {
		return v.words[0]
	}
	if src != nil {
		if len(src.items) == 1 {
			return src.items[0]
		}
		if src.has {
			return src.text
		}
	}
	return winUnknown("$(...)", "output of a command")
}

// single reads a string in single quotes, the cursor on the quote.
func (p *ps) single() Word {
	p.pos++
	var b strings.Builder
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		p.pos++
		if c == '\'' {
			if p.at(0) != '\'' {
				return Word{Parts: []Part{{Kind: Lit, Text: b.String(), Quoted: true}}}
			}
			p.pos++
		}
		b.WriteByte(c)
	}
	p.unread(p.src[p.begun:], "a string without an end")
	return Word{Parts: []Part{{Kind: Lit, Text: b.String(), Quoted: true}}}
}

// here reads a here-string at the cursor.
func (p *ps) here() winVal {
	expand := p.at(1) == '"'
	text, ok := p.hereString()
	if !ok {
		return winVal{}
	}
	if !expand {
		return winVal{words: []Word{{Parts: []Part{{Kind: Lit, Text: text, Quoted: true}}}}}
	}
	q := *p
	q.src, q.pos, q.begun = text, 0, 0
	if q.depth >= winDepth {
		return winVal{words: []Word{winUnknown("@\"...\"@", "nested too deep")}}
	}
	q.depth++
	return winVal{words: []Word{q.expandable(0)}}
}

// argument reads one argument of a command.
func (p *ps) argument(c *psCommand) winVal {
	switch p.at(0) {
	case '\'':
		w := p.single()
		if p.at(0) == '.' || p.at(0) == '[' {
			return p.postfix(winVal{words: []Word{w}})
		}
		return winVal{words: []Word{w}}
	case '"':
		p.pos++
		w := p.expandable('"')
		if p.at(0) == '.' && winLetter(p.at(1)) {
			return p.postfix(winVal{words: []Word{w}})
		}
		return winVal{words: []Word{w}}
	case '(':
		v := p.postfix(p.paren())
		if len(v.words) == 0 && v.block == nil {
			v.words = []Word{v.word()}
		}
		if p.pos < len(p.src) && !psBreak(p.src[p.pos]) {
			return winVal{words: []Word{winCat(v.word(), p.bareWord(c))}}
		}
		return v
	case '@':
		switch p.at(1) {
		case '\'', '"':
			return p.here()
		case '(':
			p.pos++
			return p.paren()
		case '{':
			return p.hashtable()
		}
	case '{':
		return winVal{block: p.scriptBlock()}
	case '$':
		if p.at(1) == '(' {
			p.pos += 2
			v, src := p.pipelineValue(')')
			w := winOutput(v, src)
			if p.pos < len(p.src) && !psBreak(p.src[p.pos]) || p.at(0) == '$' {
				w = winCat(w, p.bareWord(c))
			}
			return winVal{words: []Word{w}}
		}
		if winName(p.at(1)) || p.at(1) == '{' || p.at(1) == '_' || p.at(1) == '?' || p.at(1) == '$' || p.at(1) >= 0x80 {
			p.pos++
			v := p.variable(p.varName())
			if p.at(0) == '.' && (winLetter(p.at(1)) || p.at(1) == '_') || p.at(0) == '[' || p.at(0) == ':' && p.at(1) == ':' {
				v = p.postfix(v)
			}
			if p.pos < len(p.src) && (!psBreak(p.src[p.pos]) || p.src[p.pos] == '$' || p.src[p.pos] == '"') {
				return winVal{words: []Word{winCat(v.word(), p.bareWord(c))}}
			}
			if v.null {
				return winVal{words: []Word{Text("$null")}}
			}
			return v
		}
	}
	return winVal{words: []Word{p.bareWord(c)}}
}

// bareWord reads an unquoted word with what is embedded in it.
func (p *ps) bareWord(c *psCommand) Word {
	var parts []Part
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, winGlob(b.String())...)
			b.Reset()
		}
	}
	dash := c != nil && c.canon == "" && p.at(0) == '-'
	for p.pos < len(p.src) {
		ch := p.src[p.pos]
		switch {
		case ch == '`' && p.pos+1 < len(p.src):
			if p.at(1) == '\n' {
				goto out
			}
			b.WriteString(psEscape(p.at(1)))
			p.pos += 2
			continue
		case ch == '$' && p.at(1) == '(':
			flush()
			p.pos += 2
			v, src := p.pipelineValue(')')
			parts = append(parts, winOutput(v, src).Parts...)
			continue
		case ch == '$' && (winName(p.at(1)) || p.at(1) == '{'):
			flush()
			p.pos++
			parts = append(parts, p.variable(p.varName()).word().Parts...)
			continue
		case ch == '$':
			b.WriteByte(ch)
			p.pos++
			continue
		case ch == '"':
			flush()
			p.pos++
			parts = append(parts, p.expandable('"').Parts...)
			continue
		case ch == '\'':
			flush()
			parts = append(parts, p.single().Parts...)
			continue
		case ch == '{' && p.pos > 0 && p.src[p.pos-1] == '@' && b.Len() > 1:
			// stash@{0}: what is meant, whatever the parser makes of it.
			if i := strings.IndexByte(p.src[p.pos:], '}'); i > 0 && i < 20 {
				b.WriteString(p.src[p.pos : p.pos+i+1])
				p.pos += i + 1
				continue
			}
		case ch == ',' && dash && p.at(1) != ' ':
			b.WriteByte(ch)
			p.pos++
			continue
		}
		if psBreak(ch) {
			break
		}
		b.WriteByte(ch)
		p.pos++
	}
out:
	flush()
	return winCat(Word{}, Word{Parts: parts})
}

// winGlob splits unquoted text at the last separator before a wildcard: what is
// in front of it is literal, the rest a pattern.
func winGlob(s string) []Part {
	i := strings.IndexAny(s, "*?")
	if i < 0 {
		return []Part{{Kind: Lit, Text: s}}
	}
	j := strings.LastIndexAny(s[:i], `\/`) + 1
	if j == 0 {
		return []Part{{Kind: Glob, Text: s, Why: "a pattern"}}
	}
	return []Part{{Kind: Lit, Text: s[:j]}, {Kind: Glob, Text: s[j:], Why: "a pattern"}}
}

// paren reads ( ... ), the cursor on the parenthesis.
func (p *ps) paren() winVal {
	p.pos++
	v, src := p.pipelineValue(')')
	if src != nil {
		v.from = src
		if len(v.words) == 0 && v.block == nil {
			v.words = src.items
			if len(v.words) == 0 && src.has {
				v.words = []Word{src.text}
			}
		}
	}
	return v
}

// scriptBlock cuts { ... } out, the cursor on the brace.
func (p *ps) scriptBlock() *winRange {
	src := p.cut('{', '}')
	return &winRange{src: src, params: psBlockParams(src)}
}

// hashtable reads @{ a = 1; b = 2 }.
func (p *ps) hashtable() winVal {
	p.pos += 2
	v := winVal{table: map[string][]Word{}, words: nil}
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return v
	}
	p.depth++
	defer func() { p.depth-- }()
	for p.pos < len(p.src) && p.more() {
		p.blanks(true)
		if p.at(0) == '}' {
			p.pos++
			break
		}
		at := p.pos
		key := p.argument(nil).word().String()
		key = strings.TrimSuffix(key, "=")
		p.blanks(false)
		if p.at(0) == '=' {
			p.pos++
		}
		p.blanks(true)
		if p.at(0) != '}' {
			w, src := p.pipelineValue(0)
			words := w.words
			if len(words) == 0 {
				words = []Word{winOutput(w, src)}
			}
			if w.null {
				words = nil
			}
			v.table[key] = words
		}
		if p.pos == at {
			p.pos++
		}
	}
	return v
}

// expression reads an expression with its operators.
func (p *ps) expression() winVal {
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return winVal{}
	}
	p.depth++
	defer func() { p.depth-- }()
	v := p.operand()
	for p.pos < len(p.src) {
		if !p.more() {
			p.pos = len(p.src)
			break
		}
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == 0, c == '\n', c == ';', c == ')', c == '}', c == ']', c == '|', c == '&', c == '>':
			return v
		case c >= '1' && c <= '6' && p.at(1) == '>':
			return v
		case c == ',':
			p.pos++
			p.blanks(true)
			w := p.operand()
			if len(v.words) > 256 {
				continue
			}
			if len(v.words) == 0 {
				v.words = []Word{v.word()}
			}
			if len(w.words) == 0 {
				w.words = []Word{w.word()}
			}
			v = winVal{words: append(append([]Word(nil), v.words...), w.words...)}
		case c == '+' && p.at(1) != '+':
			p.pos++
			p.blanks(true)
			w := p.operand()
			switch {
			case len(v.words) == 1 && len(w.words) == 1:
				v = winVal{words: []Word{winCat(v.words[0], winQuote(w.words[0]))}}
			case len(v.words) > 0 && len(w.words) > 0 && len(v.words)+len(w.words) < 256:
				v = winVal{words: append(append([]Word(nil), v.words...), w.words...)}
			default:
				v = winVal{}
			}
		case c == '-' && winLetter(p.at(1)):
			op := strings.ToLower(p.bare())
			p.pos += len(op)
			p.blanks(true)
			w := p.operand()
			if op == "-f" {
				for p.blanks(false); p.at(0) == ','; p.blanks(false) {
					p.pos++
					p.blanks(true)
					x := p.operand()
					w = winVal{words: append(append([]Word(nil), w.words...), x.word())}
				}
				v = psFormat(v, w)
			} else if op == "-join" && len(w.words) == 1 && len(v.words) > 0 && len(v.words) <= 64 {
				out := v.words[0]
				for _, x := range v.words[1:] {
					out = winCat(winCat(out, w.words[0]), x)
				}
				v = winVal{words: []Word{out}}
			} else {
				v = winVal{words: []Word{winUnknown("(...)", "value of an expression")}}
			}
		case c == '=':
			p.pos++
			p.blanks(true)
			v, _ = p.assigned()
		default:
			at := p.pos
			if strings.IndexByte("+-*/%.?:!<", c) >= 0 {
				p.pos++
				p.blanks(false)
				p.operand()
				v = winVal{words: []Word{{Parts: []Part{{Kind: Unknown, Text: "(...)", Why: "value of an expression"}}}}}
			} else {
				// Two values side by side are no expression: the statement ends here.
				return v
			}
			if p.pos == at {
				p.pos++
			}
		}
	}
	return v
}

// psFormat is '{0}\{1}' -f a, b.
func psFormat(f, a winVal) winVal {
	t, ok := f.word().Known()
	if !ok || len(a.words) > 10 {
		return winVal{words: []Word{winUnknown("(...)", "a formatted text")}}
	}
	var out Word
	for {
		i := strings.IndexByte(t, '{')
		if i < 0 {
			break
		}
		out = winCat(out, Text(t[:i]))
		j := strings.IndexByte(t[i:], '}')
		if j != 2 || t[i+1] < '0' || int(t[i+1]-'0') >= len(a.words) {
			out = winCat(out, winUnknown("{...}", "a formatted text"))
			if j < 0 {
				t = ""
				break
			}
		} else {
			out = winCat(out, a.words[t[i+1]-'0'])
		}
		t = t[i+j+1:]
	}
	if t != "" {
		out = winCat(out, Text(t))
	}
	return winVal{words: []Word{out}}
}

// operand reads one value with what is attached to it.
func (p *ps) operand() winVal {
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return winVal{}
	}
	p.depth++
	defer func() { p.depth-- }()
	for p.pos < len(p.src) {
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == '!' || c == ',' || c == '+' && p.at(1) != 0 || c == '-' && !winLetter(p.at(1)):
			p.pos++
			continue
		case c == '-' && winLetter(p.at(1)):
			op := strings.ToLower(p.bare())
			switch op {
			case "-not", "-bnot", "-split", "-join":
				p.pos += len(op)
				p.operand()
				return winVal{words: []Word{winUnknown("(...)", "value of an expression")}}
			}
			return winVal{words: []Word{p.bareWord(nil)}}
		}
		break
	}
	v := winVal{}
	switch c := p.at(0); c {
	case '\'':
		v.words = []Word{p.single()}
	case '"':
		p.pos++
		v.words = []Word{p.expandable('"')}
	case '(':
		v = p.paren()
	case '{':
		v.block = p.scriptBlock()
	case '@':
		switch p.at(1) {
		case '(':
			p.pos++
			v = p.paren()
		case '{':
			v = p.hashtable()
		case '\'', '"':
			v = p.here()
		default:
			p.pos++
			v.words = []Word{winUnknown("@"+p.varName(), "a splatted variable")}
		}
	case '$':
		if p.at(1) == '(' {
			p.pos += 2
			w, src := p.pipelineValue(')')
			v.words = []Word{winOutput(w, src)}
			v.from = src
			break
		}
		p.pos++
		v = p.variable(p.varName())
	case '[':
		v.typ = strings.ToLower(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(p.cut('[', ']'))), "system."))
		if p.at(0) != ':' {
			// A cast: the value behind it.
			p.blanks(false)
			typ := v.typ
			if p.pos < len(p.src) && p.startsExpression() {
				v = p.operand()
				v.typ = typ
			}
			return v
		}
	default:
		if psBreak(c) || c == 0 {
			return v
		}
		v.words = []Word{p.bareWord(nil)}
		return v
	}
	return p.postfix(v)
}

// postfix reads members, calls and indexes behind a value.
func (p *ps) postfix(v winVal) winVal {
	for p.pos < len(p.src) {
		if !p.more() {
			p.pos = len(p.src)
			return v
		}
		switch c := p.at(0); {
		case c == '.' && (winLetter(p.at(1)) || p.at(1) == '_' || p.at(1) == '\'' || p.at(1) == '"' || p.at(1) == '$'),
			c == ':' && p.at(1) == ':', c == '?' && p.at(1) == '.':
			static := c == ':'
			p.pos++
			if c != '.' {
				p.pos++
			}
			name := ""
			switch p.at(0) {
			case '\'', '"', '$':
				name = p.argument(nil).word().String()
			default:
				from := p.pos
				for winName(p.at(0)) {
					p.pos++
				}
				name = p.src[from:p.pos]
			}
			if p.at(0) == '(' {
				a := p.callArgs()
				if static {
					v = p.static(v.typ, name, a)
				} else {
					v = p.member(v, name, a)
				}
				continue
			}
			if static {
				v = p.staticValue(v.typ, name)
			} else {
				v = p.property(v, name)
			}
		case c == '[':
			p.pos++
			i := p.expression()
			p.blanks(true)
			if p.at(0) == ']' {
				p.pos++
			}
			if t, ok := i.word().Known(); ok && len(t) == 1 && t[0] >= '0' && t[0] <= '9' && int(t[0]-'0') < len(v.words) && len(v.words) > 1 {
				v = winVal{words: []Word{v.words[t[0]-'0']}}
			} else {
				if ok && v.table != nil {
					if w, there := v.table[t]; there {
						v = winVal{words: w}
						continue
					}
				}
				v = winVal{words: []Word{winUnknown("[...]", "an element")}}
			}
		case c == '+' && p.at(1) == '+', c == '-' && p.at(1) == '-' && !winLetter(p.at(2)):
			p.pos += 2
		default:
			return v
		}
	}
	return v
}

// callArgs reads (a, b) of a method call.
func (p *ps) callArgs() []winVal {
	p.pos++
	var out []winVal
	for p.pos < len(p.src) && p.more() {
		p.blanks(true)
		c := p.at(0)
		if c == ')' {
			p.pos++
			return out
		}
		if c == ',' {
			p.pos++
			continue
		}
		at := p.pos
		// Commas separate arguments here; operators do not.
		v := p.operand()
		for p.pos < len(p.src) {
			p.blanks(true)
			c := p.at(0)
			if c == ',' || c == ')' || c == 0 {
				break
			}
			at := p.pos
			if c == '+' {
				p.pos++
				w := p.operand()
				v = winVal{words: []Word{winCat(v.word(), w.word())}}
			} else {
				w := p.expression()
				v = winVal{words: []Word{winUnknown("(...)", "value of an expression")}, block: w.block}
			}
			if p.pos == at {
				p.pos++
			}
		}
		out = append(out, v)
		if p.pos == at {
			p.pos++
		}
	}
	return out
}

// static is a call of a .NET type's method. The ones that touch files and start
// programs are acts.
func (p *ps) static(typ, name string, a []winVal) winVal {
	arg := func(i int) Word {
		if i < len(a) {
			return a[i].word()
		}
		return winUnknown("(...)", "no argument")
	}
	one := func(w Word) winVal { return winVal{words: []Word{w}} }
	low := strings.ToLower(name)
	switch typ {
	case "io.file", "io.fileinfo":
		switch low {
		case "delete":
			p.emit(Act{Kind: Remove, Target: arg(0)})
		case "writealltext", "writealllines", "writeallbytes", "appendalltext", "appendalllines", "create", "createtext", "openwrite", "appendtext", "setattributes", "writealltextasync",
			"setlastwritetime", "encrypt", "decrypt":
			p.emit(Act{Kind: Write, Target: arg(0)})
		case "open":
			if len(a) > 1 && !strings.EqualFold(a[1].word().String(), "Open") || len(a) > 2 {
				p.emit(Act{Kind: Write, Target: arg(0)})
			}
		case "move", "replace":
			p.emit(Act{Kind: Write, Target: arg(0)})
			p.emit(Act{Kind: Write, Target: arg(1)})
		case "copy":
			p.emit(Act{Kind: Write, Target: arg(1)})
		}
	case "io.directory", "io.directoryinfo":
		switch low {
		case "delete":
			rec := len(a) > 1 && psBool(a[1].word()) != -1
			p.emit(Act{Kind: Remove, Target: arg(0), Recursive: rec})
		case "createdirectory":
			p.emit(Act{Kind: Write, Target: arg(0)})
			return one(arg(0))
		case "move":
			p.emit(Act{Kind: Write, Target: arg(0)})
			p.emit(Act{Kind: Write, Target: arg(1)})
		case "getcurrentdirectory":
			return one(p.s.Dir())
		}
	case "io.path":
		switch low {
		case "combine", "join":
			if len(a) > 0 {
				w := arg(0)
				for i := 1; i < len(a); i++ {
					w = winJoin(w, arg(i))
				}
				return one(w)
			}
		case "gettemppath":
			for _, n := range [...]string{"TMP", "TEMP", "TMPDIR"} {
				if t, ok := p.lookup(n); ok {
					return one(Text(t))
				}
			}
		case "gettempfilename":
			return one(Word{Parts: []Part{{Kind: TempPath, Text: "[IO.Path]::GetTempFileName()", Why: "a fresh file"}}})
		case "getrandomfilename":
			return one(Word{Parts: []Part{{Kind: Opaque, Text: "[IO.Path]::GetRandomFileName()", Why: "a random name"}}})
		case "getfullpath":
			return one(arg(0))
		}
	case "environment":
		if low == "getenvironmentvariable" {
			if n, ok := arg(0).Known(); ok {
				return p.variable("env:" + n)
			}
		}
		if low == "setenvironmentvariable" && len(a) > 1 {
			if n, ok := arg(0).Known(); ok {
				p.st.vars["env:"+strings.ToLower(n)] = a[1]
			}
		}
	case "guid":
		return one(Word{Parts: []Part{{Kind: Opaque, Text: "[guid]::" + name, Why: "a random name"}}})
	case "diagnostics.process":
		if low == "start" && len(a) > 0 {
			c := psCommand{name: arg(0), argv: []Word{arg(0)}}
			for _, x := range a[1:] {
				c.argv = append(c.argv, winSplitArgs(x.words)...)
			}
			p.program(&c, nil, "[Process]::Start")
		}
	case "scriptblock", "management.automation.scriptblock":
		if low == "create" {
			if t, ok := arg(0).Known(); ok {
				return winVal{block: &winRange{src: t, params: psBlockParams(t)}}
			}
			p.unread(arg(0).String(), "a script block of text that is not known")
		}
	case "text.encoding]::utf8", "convert", "text.encoding":
		if low == "frombase64string" {
			if t, ok := arg(0).Known(); ok {
				if raw, ok := winBase64(t); ok {
					return one(Text(string(raw)))
				}
			}
		}
	case "microsoft.visualbasic.fileio.filesystem":
		switch low {
		case "deletefile":
			p.emit(Act{Kind: Remove, Target: arg(0)})
		case "deletedirectory":
			p.emit(Act{Kind: Remove, Target: arg(0), Recursive: true})
		}
	case "string":
		if low == "concat" {
			var w Word
			for i := range a {
				w = winCat(w, arg(i))
			}
			return one(w)
		}
	case "reflection.assembly", "appdomain", "activator", "type":
		p.unread(p.src[p.begun:min(p.pos, len(p.src))], "loads code by ["+typ+"]::"+name)
	}
	return one(winUnknown("["+typ+"]::"+name, "value of ["+typ+"]::"+name))
}

func (p *ps) staticValue(typ, name string) winVal {
	switch typ + "::" + strings.ToLower(name) {
	case "text.encoding::utf8", "text.encoding::unicode", "text.encoding::ascii", "text.encoding::default":
		return winVal{typ: "text.encoding." + strings.ToLower(name), words: []Word{winUnknown("["+typ+"]", "an encoding")}}
	case "io.path::directoryseparatorchar":
		return winVal{words: []Word{Text(`\`)}}
	case "environment::newline":
		return winVal{words: []Word{Text("\n")}}
	}
	return winVal{words: []Word{winUnknown("["+typ+"]::"+name, "value of ["+typ+"]::"+name)}}
}

// member is a call of a method on a value.
func (p *ps) member(v winVal, name string, a []winVal) winVal {
	arg := func(i int) Word {
		if i < len(a) {
			return a[i].word()
		}
		return winUnknown("(...)", "no argument")
	}
	items := v.words
	if len(items) == 0 && v.from != nil {
		items = v.from.items
	}
	if len(items) == 0 {
		items = []Word{winUnknown("(...)", "value of an expression")}
	}
	switch strings.ToLower(name) {
	case "delete", "removeall":
		if len(a) > 1 {
			break // String.Remove and its kin take positions
		}
		for _, w := range items {
			p.emit(Act{Kind: Remove, Target: w, Recursive: len(a) > 0 && psBool(arg(0)) != -1})
		}
	case "moveto", "copyto":
		if strings.EqualFold(name, "moveto") {
			for _, w := range items {
				p.emit(Act{Kind: Write, Target: w})
			}
		}
		p.emit(Act{Kind: Write, Target: arg(0)})
	case "invoke", "invokereturnasis", "getnewclosure":
		if v.block != nil {
			if strings.EqualFold(name, "getnewclosure") {
				return v
			}
			p.runBlock(v.block, psWords(a), nil)
		}
	case "invokescript", "addscript":
		if len(a) > 0 && a[0].block != nil {
			p.runBlock(a[0].block, nil, nil)
		} else {
			p.expressionText(arg(0), "InvokeScript")
		}
	case "foreach", "where":
		for _, x := range a {
			if x.block != nil {
				p.forEach(x.block, items)
			}
		}
		return winVal{words: v.words, from: v.from}
	case "downloadfile":
		p.emit(Act{Kind: Run, Argv: []Word{Text("Invoke-WebRequest"), Text("-Uri"), arg(0), Text("-OutFile"), arg(1)}})
	case "uploadstring", "uploadfile", "uploaddata", "uploadvalues", "postasync", "putasync", "deleteasync", "patchasync":
		method := "Post"
		switch strings.ToLower(name) {
		case "putasync":
			method = "Put"
		case "deleteasync":
			method = "Delete"
		case "patchasync":
			method = "Patch"
		}
		p.emit(Act{Kind: Run, Argv: []Word{Text("Invoke-WebRequest"), Text("-Method"), Text(method), Text("-Uri"), arg(0)}})
	case "getstring":
		if strings.HasPrefix(v.typ, "text.encoding.") && len(a) == 1 {
			if t, ok := arg(0).Known(); ok {
				if strings.HasSuffix(v.typ, "unicode") {
					t = winUTF16([]byte(t))
				}
				return winVal{words: []Word{Text(t)}}
			}
		}
	case "tostring", "trim", "trimend", "normalize", "resolvepath", "getunresolvedproviderpathfrompspath":
		if t, ok := v.word().Known(); ok && len(v.words) == 1 {
			if strings.EqualFold(name, "trimend") {
				if cut, ok := arg(0).Known(); ok && len(a) == 1 {
					t = strings.TrimRight(t, cut)
				}
			}
			return winVal{words: []Word{Text(t)}}
		}
		return winVal{words: v.words}
	case "split":
		if t, ok := v.word().Known(); ok && len(v.words) == 1 && len(a) == 1 {
			if sep, ok := arg(0).Known(); ok && sep != "" {
				out := winVal{}
				for i, f := range strings.Split(t, sep) {
					if i > 64 {
						return winVal{}
					}
					out.words = append(out.words, Text(f))
				}
				return out
			}
		}
	}
	return winVal{words: []Word{winUnknown("."+name+"()", "value of ."+name+"()")}}
}

func psWords(a []winVal) []Word {
	var out []Word
	for _, v := range a {
		out = append(out, v.words...)
	}
	return out
}

// property is a member that is not called.
func (p *ps) property(v winVal, name string) winVal {
	switch strings.ToLower(name) {
	case "fullname", "path", "pspath", "providerpath", "value":
		if len(v.words) > 0 {
			return winVal{words: v.words, from: v.from}
		}
	case "count", "length", "id", "year", "month", "day":
		return winVal{words: []Word{{Parts: []Part{{Kind: Opaque, Text: "." + name, Why: "a number"}}}}}
	case "directoryname", "directory", "parent":
		if t, ok := v.word().Known(); ok && len(v.words) == 1 {
			return winVal{words: []Word{Text(path.Dir(strings.ReplaceAll(t, `\`, "/")))}}
		}
	case "name", "basename":
		if t, ok := v.word().Known(); ok && len(v.words) == 1 && strings.EqualFold(name, "name") {
			return winVal{words: []Word{Text(path.Base(strings.ReplaceAll(t, `\`, "/")))}}
		}
	}
	if v.table != nil {
		for k, w := range v.table {
			if strings.EqualFold(k, name) {
				return winVal{words: w}
			}
		}
	}
	return winVal{words: []Word{winUnknown("."+name, "property "+name)}}
}

// winJoin joins two path words with a separator.
func winJoin(a, b Word) Word {
	if t, ok := b.Known(); ok && winAbs(t) {
		return b
	}
	if t, ok := a.Known(); ok && (t == "" || strings.HasSuffix(t, `\`) || strings.HasSuffix(t, "/")) {
		return winCat(a, b)
	}
	return winCat(winCat(a, Text(`\`)), b)
}

// winAbs reports whether a path is absolute on Windows or elsewhere.
func winAbs(t string) bool {
	return t != "" && (t[0] == '/' || t[0] == '\\' || len(t) > 2 && t[1] == ':' && winLetter(t[0]) && (t[2] == '\\' || t[2] == '/'))
}
