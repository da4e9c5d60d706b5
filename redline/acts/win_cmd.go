package acts

import "strings"

// cmdReader reads cmd.exe. Variables are replaced while words are read, not
// before, so that a value never splits a line: cmd would split it, but a value
// with an ampersand in it is nobody's plan.
type cmdReader struct {
	s       sink
	src     string
	pos     int
	vars    map[string]Word // upper case
	loop    map[byte]Word   // %x of FOR
	stack   []Word
	depth   int
	maybe   bool
	steps   *int
	begun   int
	delayed bool // !VAR! is replaced too
	via     []string
}

func (r *cmdReader) at(k int) byte {
	if r.pos+k < len(r.src) {
		return r.src[r.pos+k]
	}
	return 0
}

func (r *cmdReader) more() bool {
	*r.steps--
	return *r.steps > 0 && r.s.More()
}

func (r *cmdReader) emit(a Act) int {
	a.Conditional = a.Conditional || r.maybe
	a.Via = append(append([]string(nil), r.via...), a.Via...)
	if a.Source == "" {
		a.Source = winClip(r.src[min(r.begun, r.pos):min(r.pos, len(r.src))])
	}
	return r.s.Emit(a)
}

// blanks skips spaces and the signs that cmd takes for spaces; a caret joins
// lines.
func (r *cmdReader) blanks() {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' && r.at(1) == '\n':
			r.pos++
		case c == '^' && (r.at(1) == '\n' || r.at(1) == '\r' && r.at(2) == '\n'):
			r.pos += 2
			if r.at(0) == '\n' {
				r.pos++
			}
		default:
			return
		}
	}
}

// list reads commands up to a closing parenthesis (where inner is set) or the
// end, and answers whether it found the parenthesis.
func (r *cmdReader) list(inner bool) {
	if r.depth >= winDepth {
		r.emit(Act{Kind: Unread, Text: r.src[r.pos:], Why: "nested too deep", Source: winClip(r.src[r.pos:])})
		r.pos = len(r.src)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	var pipe *psSource
	outer := r.maybe
	for {
		r.blanks()
		if r.pos >= len(r.src) {
			break
		}
		if !r.more() {
			r.pos = len(r.src)
			break
		}
		c := r.src[r.pos]
		switch {
		case c == '\n' || c == '\r':
			r.pos++
			pipe = nil
			r.maybe = outer
			continue
		case c == ')':
			r.pos++
			if inner {
				r.maybe = outer
				return
			}
			continue
		case c == '&':
			r.pos++
			if r.at(0) == '&' {
				r.pos++
			} else {
				r.maybe = outer
			}
			pipe = nil
			continue
		case c == '|':
			r.pos++
			if r.at(0) == '|' {
				r.pos++
				r.maybe = true
				pipe = nil
			}
			continue
		}
		at := r.pos
		r.begun = at
		out := r.command(pipe)
		r.blanks()
		pipe = nil
		if r.at(0) == '|' && r.at(1) != '|' {
			pipe = out
			if pipe == nil {
				pipe = &psSource{}
			}
		}
		if r.pos == at {
			r.pos++
		}
	}
	r.maybe = outer
}

// keyword is the bare word at the cursor in lower case, without moving.
func (r *cmdReader) keyword() string {
	r.pos = min(r.pos, len(r.src)) // a mark at the very end may have moved past it
	i := r.pos
	for i < len(r.src) && winName(r.src[i]) {
		i++
	}
	return strings.ToLower(r.src[r.pos:i])
}

func (r *cmdReader) command(in *psSource) *psSource {
	for r.at(0) == '@' {
		r.pos++
		r.blanks()
	}
	if r.at(0) == '(' {
		r.pos++
		r.list(true)
		if redirs := r.redirections(nil); len(redirs) > 0 {
			r.emit(Act{Kind: Land, Redirs: redirs})
		}
		return nil
	}
	if r.at(0) == ':' {
		// A label, or :: as a comment.
		r.line()
		return nil
	}
	switch w := r.keyword(); w {
	case "rem":
		if c := r.at(3); c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ':' || c == '.' {
			r.line()
			return nil
		}
	case "if":
		if c := r.at(2); c == ' ' || c == '\t' {
			r.pos += 2
			r.ifCommand(in)
			return nil
		}
	case "for":
		if c := r.at(3); c == ' ' || c == '\t' {
			r.pos += 3
			r.forCommand()
			return nil
		}
	case "else":
		r.pos += 4
		r.maybeCommand(nil)
		return nil
	case "set":
		if c := r.at(3); c == ' ' || c == '\t' {
			r.pos += 3
			r.set()
			return nil
		}
	case "goto", "setlocal", "endlocal", "title", "color", "break", "prompt", "verify", "shift":
		if c := r.at(len(w)); c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '&' || c == ')' || c == ':' {
			if w == "setlocal" && strings.Contains(strings.ToLower(r.src[r.pos:min(len(r.src), r.pos+60)]), "enabledelayed") {
				r.delayed = true
			}
			for r.pos < len(r.src) && strings.IndexByte("\n&|)", r.src[r.pos]) < 0 {
				r.pos++
			}
			return nil
		}
	}
	return r.simple(in)
}

// line skips to the end of the line.
func (r *cmdReader) line() {
	for r.pos < len(r.src) && r.src[r.pos] != '\n' {
		if r.src[r.pos] == '^' && r.at(1) == '\n' {
			r.pos++
		}
		r.pos++
	}
}

func (r *cmdReader) maybeCommand(in *psSource) {
	outer := r.maybe
	r.maybe = true
	r.blanks()
	if r.depth < winDepth && r.pos < len(r.src) && r.src[r.pos] != '\n' && r.src[r.pos] != ')' && r.src[r.pos] != '&' && r.more() {
		r.depth++
		r.begun = r.pos
		out := r.command(in)
		// What the branch is followed by on its line belongs to it.
		for r.blanks(); r.pos < len(r.src) && r.at(0) != '\n' && r.at(0) != ')' && r.more(); r.blanks() {
			c := r.at(0)
			if c != '&' && c != '|' {
				break
			}
			r.pos++
			pipe := c == '|' && r.at(0) != '|'
			if r.at(0) == c {
				r.pos++
			}
			r.blanks()
			if r.pos >= len(r.src) || r.at(0) == '\n' || r.at(0) == ')' {
				break
			}
			r.begun = r.pos
			at := r.pos
			if pipe {
				if out == nil {
					out = &psSource{}
				}
				out = r.command(out)
			} else {
				out = r.command(nil)
			}
			if r.pos == at {
				r.pos++
			}
		}
		r.depth--
	} else if r.depth >= winDepth {
		r.emit(Act{Kind: Unread, Text: r.src[r.pos:], Why: "nested too deep", Source: winClip(r.src[r.pos:])})
		r.pos = len(r.src)
	}
	r.maybe = outer
}

// ifCommand reads the condition and both branches.
func (r *cmdReader) ifCommand(in *psSource) {
	for {
		r.blanks()
		switch w := r.keyword(); {
		case r.at(0) == '/' && (r.at(1) == 'i' || r.at(1) == 'I'):
			r.pos += 2
			continue
		case w == "not":
			r.pos += 3
			continue
		case w == "exist" || w == "defined" || w == "errorlevel" || w == "cmdextversion":
			r.pos += len(w)
			r.blanks()
			r.word(true)
		default:
			// a==b, or a EQU b
			r.word(true)
			r.blanks()
			for r.at(0) == '=' {
				r.pos++
			}
			r.blanks()
			switch strings.ToUpper(r.keyword()) {
			case "EQU", "NEQ", "LSS", "LEQ", "GTR", "GEQ":
				r.pos += 3
				r.blanks()
				r.word(true)
			default:
				if r.pos > 0 && (r.src[r.pos-1] == '=' || r.src[r.pos-1] == ' ' && r.pos > 1 && r.src[r.pos-2] == '=') {
					r.word(true)
				}
			}
		}
		break
	}
	r.blanks()
	if r.at(0) == '(' {
		outer := r.maybe
		r.maybe = true
		r.pos++
		r.list(true)
		r.maybe = outer
		save := r.pos
		r.blanks()
		if r.keyword() == "else" {
			r.pos += 4
			r.maybeCommand(nil)
			return
		}
		r.pos = save
		return
	}
	r.maybeCommand(in)
}

// forCommand reads FOR in its forms. Over literal words the body is read for
// each; otherwise its variable is a pattern's match or unknown.
func (r *cmdReader) forCommand() {
	kind := byte(0)
	r.blanks()
	for r.at(0) == '/' && winLetter(r.at(1)) {
		kind = r.at(1) | 0x20
		r.pos += 2
		r.blanks()
		for r.pos < len(r.src) && r.at(0) != '%' && (kind == 'f' || kind == 'r') {
			// Options in quotes, or a root directory.
			at := r.pos
			r.word(false)
			r.blanks()
			if r.at(0) == '\n' || r.at(0) == '(' || r.pos == at {
				break
			}
		}
	}
	if r.at(0) != '%' {
		r.line()
		return
	}
	for r.at(0) == '%' {
		r.pos++
	}
	name := r.at(0)
	r.pos++
	r.blanks()
	if r.keyword() != "in" {
		r.line()
		return
	}
	r.pos += 2
	r.blanks()
	if r.at(0) != '(' {
		r.line()
		return
	}
	r.pos++
	var items []Word
	r.blanks()
	if kind == 'f' && (r.at(0) == '\'' || r.at(0) == '`') {
		// The output of a command, which runs.
		q := r.at(0)
		end := strings.IndexByte(r.src[r.pos+1:], ')')
		stop := len(r.src)
		if end >= 0 {
			stop = r.pos + 1 + end
			if j := strings.LastIndexByte(r.src[r.pos+1:stop], q); j >= 0 {
				r.sub(r.src[r.pos+1 : r.pos+1+j])
			}
		}
		r.pos = min(len(r.src), stop+1)
	} else {
		for r.pos < len(r.src) && r.more() {
			for r.blanks(); r.at(0) == '\n' || r.at(0) == '\r'; r.blanks() {
				r.pos++
			}
			if r.at(0) == ')' || r.pos >= len(r.src) {
				r.pos++
				break
			}
			at := r.pos
			w := r.word(false)
			items = append(items, w)
			if r.pos == at {
				r.pos++
			}
		}
	}
	r.pos = min(r.pos, len(r.src))
	r.blanks()
	if r.keyword() != "do" {
		return
	}
	r.pos += 2
	switch {
	case kind == 'l':
		items = []Word{{Parts: []Part{{Kind: Opaque, Text: "%" + string(rune(name)), Why: "a counter"}}}}
	case kind == 'f' || kind == 'r' || len(items) == 0 || len(items) > 16:
		items = []Word{winUnknown("%"+string(rune(name)), "read by FOR")}
	}
	if r.loop == nil {
		r.loop = map[byte]Word{}
	}
	old, had := r.loop[name]
	from := r.pos
	for _, w := range items {
		if !r.more() {
			r.pos = len(r.src)
			break
		}
		r.pos = from
		r.loop[name] = w
		r.maybeCommand(nil)
	}
	if had {
		r.loop[name] = old
	} else {
		delete(r.loop, name)
	}
}

// sub reads another line in the same state.
func (r *cmdReader) sub(src string) {
	if r.depth >= winDepth {
		return
	}
	q := *r
	q.src, q.pos, q.begun = src, 0, 0
	q.list(false)
	r.stack = q.stack
}

// set reads SET in its forms.
func (r *cmdReader) set() {
	r.blanks()
	if r.at(0) == '/' {
		k := r.at(1) | 0x20
		r.pos += 2
		r.blanks()
		if r.at(0) == '"' {
			r.pos++
		}
		name := r.keyword()
		for r.pos < len(r.src) && strings.IndexByte("\n&|)", r.src[r.pos]) < 0 {
			r.pos++
		}
		w := winUnknown("%"+name+"%", name+" is typed in")
		if k == 'a' {
			w = Word{Parts: []Part{{Kind: Opaque, Text: "%" + name + "%", Why: "a number"}}}
		}
		r.vars[strings.ToUpper(name)] = w
		return
	}
	quoted := r.at(0) == '"'
	if quoted {
		r.pos++
	}
	from := r.pos
	for r.pos < len(r.src) && strings.IndexByte("=\n&|\"", r.src[r.pos]) < 0 {
		r.pos++
	}
	name := r.src[from:r.pos]
	if r.at(0) != '=' {
		r.until(quoted)
		return // prints variables
	}
	r.pos++
	w := r.until(quoted)
	if old, ok := r.vars[strings.ToUpper(name)]; ok && r.maybe {
		a, k := old.Known()
		b, l := w.Known()
		if !k || !l || a != b {
			w = winUnknown("%"+name+"%", name+" may have several values")
		}
	}
	r.vars[strings.ToUpper(name)] = w
}

// until reads a value up to the end of the command, or the closing quote.
func (r *cmdReader) until(quoted bool) Word {
	var w Word
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			w = winCat(w, Text(b.String()))
			b.Reset()
		}
	}
	in := false
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == '\n' || c == '\r':
			flush()
			return w
		case c == '"' && quoted:
			r.pos++
			flush()
			for r.pos < len(r.src) && strings.IndexByte("\n&|)", r.src[r.pos]) < 0 {
				r.pos++
			}
			return w
		case c == '"':
			in = !in
			b.WriteByte(c)
			r.pos++
		case (c == '&' || c == '|' || c == ')' && r.depth > 1) && !in && !quoted:
			flush()
			return w
		case c == '^' && !in && !quoted && r.pos+1 < len(r.src):
			b.WriteByte(r.at(1))
			r.pos += 2
		case c == '%' || c == '!' && r.delayed:
			if v, ok := r.variable(c); ok {
				flush()
				w = winCat(w, v)
				continue
			}
			b.WriteByte(c)
			r.pos++
		default:
			b.WriteByte(c)
			r.pos++
		}
	}
	flush()
	return w
}

// variable reads %NAME%, %NAME:a=b%, %1, %~dp0 or a FOR variable at the cursor.
func (r *cmdReader) variable(mark byte) (Word, bool) {
	if mark == '%' {
		k := 1
		if r.at(1) == '%' {
			k = 2 // a batch file's spelling of a FOR variable
		}
		if w, ok := r.loop[r.at(k)]; ok && !r.closesName(k) {
			r.pos += k + 1
			return w, true
		}
		if r.at(k) == '~' {
			n := k + 1
			for winLetter(r.at(n)) {
				n++
			}
			// %~nx1 and %~fI: a part of a path.
			if n > k+1 {
				if _, ok := r.loop[r.at(n-1)]; ok {
					text := r.src[r.pos : r.pos+n]
					if n == k+2 {
						w := r.loop[r.at(n-1)]
						r.pos += n
						return w, true
					}
					r.pos += n
					return winUnknown(text, "a part of a path"), true
				}
			}
			if c := r.at(n); c >= '0' && c <= '9' {
				text := r.src[r.pos : r.pos+n+1]
				r.pos += n + 1
				return winUnknown(text, "an argument of the script"), true
			}
		}
		if c := r.at(1); c >= '0' && c <= '9' || c == '*' {
			text := r.src[r.pos : r.pos+2]
			r.pos += 2
			return winUnknown(text, "an argument of the script"), true
		}
	}
	end := strings.IndexByte(r.src[r.pos+1:min(len(r.src), r.pos+200)], mark)
	if end <= 0 {
		return Word{}, false
	}
	body := r.src[r.pos+1 : r.pos+1+end]
	name, op, has := strings.Cut(body, ":")
	if name == "" || strings.ContainsAny(name, " \n\"&|<>/\\") {
		return Word{}, false
	}
	r.pos += end + 2
	w, ok := r.vars[strings.ToUpper(name)]
	if !ok {
		switch strings.ToUpper(name) {
		case "CD":
			w = r.s.Dir()
		case "RANDOM", "TIME", "DATE", "ERRORLEVEL":
			w = Word{Parts: []Part{{Kind: Opaque, Text: "%" + name + "%", Why: "set by cmd"}}}
		default:
			t, set := winEnv(r.s, name)
			if !set {
				return Word{Parts: []Part{{Kind: Unset, Text: "%" + body + "%", Why: name + " is not set"}}}, true
			}
			w = Text(t)
		}
	}
	if !has {
		return w, true
	}
	t, known := w.Known()
	if !known {
		return w, true
	}
	if old, with, ok := strings.Cut(op, "="); ok && old != "" && old[0] != '*' {
		return Text(winReplaceFold(t, old, with)), true
	}
	return winUnknown("%"+body+"%", "a part of "+name), true
}

// closesName reports whether a percent sign follows closely, so that `%x%` is a
// variable named x and not a FOR variable.
func (r *cmdReader) closesName(k int) bool {
	if k == 2 {
		return false
	}
	for i := k + 1; ; i++ {
		c := r.at(i)
		if c == '%' {
			return i > k+1 || !winName(r.at(i+1))
		}
		if !winName(c) {
			return false
		}
	}
}

// winReplaceFold replaces without regard to case, as cmd does.
func winReplaceFold(s, old, with string) string {
	low, key := strings.ToLower(s), strings.ToLower(old)
	if len(low) != len(s) {
		return strings.ReplaceAll(s, old, with)
	}
	var b strings.Builder
	for {
		i := strings.Index(low, key)
		if i < 0 || b.Len() > 64<<10 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		b.WriteString(with)
		s, low = s[i+len(old):], low[i+len(old):]
	}
}

// word reads one word. In a condition an equals sign ends it.
func (r *cmdReader) word(condition bool) Word {
	var parts []Part
	var b strings.Builder
	quotedRun := false
	flush := func() {
		if b.Len() == 0 {
			return
		}
		if quotedRun {
			// cmd's own commands expand patterns in quotes as well.
			for _, q := range winGlob(b.String()) {
				q.Quoted = true
				parts = append(parts, q)
			}
		} else {
			parts = append(parts, winGlob(b.String())...)
		}
		b.Reset()
	}
	in := false
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if c == '\n' || c == '\r' {
			break
		}
		switch {
		case c == '"':
			flush()
			in = !in
			quotedRun = in
			r.pos++
			continue
		case c == '%' || c == '!' && r.delayed:
			if v, ok := r.variable(c); ok {
				flush()
				parts = append(parts, v.Parts...)
				continue
			}
			if c == '%' && r.at(1) == '%' {
				r.pos++
			}
			b.WriteByte('%')
			r.pos++
			continue
		case in:
			b.WriteByte(c)
			r.pos++
			continue
		case c == '^' && r.pos+1 < len(r.src):
			if r.at(1) == '\n' || r.at(1) == '\r' {
				r.blanks()
				continue
			}
			b.WriteByte(r.at(1))
			r.pos += 2
			continue
		}
		if c == ' ' || c == '\t' || c == '&' || c == '|' || c == '<' || c == '>' || c == ')' || c == '=' && condition || (c == ',' || c == ';') && condition {
			break
		}
		b.WriteByte(c)
		r.pos++
	}
	flush()
	return winCat(Word{}, Word{Parts: parts})
}

// redirections reads those at the cursor into list.
func (r *cmdReader) redirections(list []Redir) []Redir {
	for {
		r.blanks()
		k, fd := 0, 1
		if c := r.at(0); c >= '0' && c <= '9' && (r.at(1) == '>' || r.at(1) == '<') {
			k, fd = 1, int(c-'0')
		}
		switch r.at(k) {
		case '>':
			r.pos += k + 1
			op := WriteTo
			if r.at(0) == '>' {
				op = AppendTo
				r.pos++
			}
			if r.at(0) == '&' {
				r.pos += 2
				continue
			}
			r.blanks()
			list = append(list, Redir{Op: op, FD: fd, Target: r.word(false)})
		case '<':
			r.pos += k + 1
			if r.at(0) == '&' {
				r.pos += 2
				continue
			}
			r.blanks()
			list = append(list, Redir{Op: ReadFrom, Target: r.word(false)})
		default:
			return list
		}
	}
}

// cmdBuiltin is the usual name of a command of cmd itself, or "".
func cmdBuiltin(name string) string {
	switch n := strings.ToLower(name); n {
	case "del", "copy", "move", "dir", "type", "echo", "mkdir", "rmdir", "ren", "cd", "pushd", "popd", "call", "start", "cls", "date", "time", "ver", "vol", "path", "mklink", "assoc", "ftype", "pause", "exit":
		return n
	case "erase":
		return "del"
	case "rd":
		return "rmdir"
	case "md":
		return "mkdir"
	case "rename":
		return "ren"
	case "chdir":
		return "cd"
	}
	return ""
}

// simple reads a command with its words and files its act.
func (r *cmdReader) simple(in *psSource) *psSource {
	redirs := r.redirections(nil)
	c := psCommand{}
	first := ""
	// `rd/s/q x`, `cd..`, `echo.`: a name of cmd's own ends where its letters end.
	if w := r.keyword(); cmdBuiltin(w) != "" && strings.IndexByte("/\\.", r.at(len(w))) >= 0 && r.at(len(w)) != 0 {
		after := r.at(len(w))
		if after == '/' || (w == "cd" || w == "chdir") || w == "echo" && after == '.' {
			r.pos += len(w)
			if w == "echo" {
				r.pos++
			}
			c.argv = []Word{Text(w)}
		}
	}
	for r.pos < len(r.src) {
		redirs = r.redirections(redirs)
		ch := r.at(0)
		if ch == 0 || ch == '\n' || ch == '\r' || ch == '&' || ch == '|' || ch == ')' {
			break
		}
		at := r.pos
		w := r.word(false)
		if r.pos == at {
			r.pos++
			continue
		}
		c.argv = append(c.argv, w)
	}
	c.redirs = redirs
	if len(c.argv) == 0 {
		if len(redirs) > 0 {
			r.emit(Act{Kind: Land, Redirs: redirs})
		}
		return nil
	}
	name, known := c.argv[0].Known()
	if known {
		first = cmdBuiltin(name)
		if len(name) == 2 && name[1] == ':' && winLetter(name[0]) && len(c.argv) == 1 {
			r.s.SetDir(Text(strings.ToUpper(name[:1]) + ":/"))
			return nil
		}
	}
	c.name = c.argv[0]
	if first == "" {
		return r.program(&c, in)
	}
	c.argv[0] = Text(first)
	c.argv = cmdSwitches(first, c.argv)
	switch first {
	case "cd":
		r.act(&c, in)
		r.cd(c.argv[1:])
		return nil
	case "pushd":
		if len(r.stack) < 64 {
			r.stack = append(r.stack, r.s.Dir())
		}
		r.act(&c, in)
		r.cd(c.argv[1:])
		return nil
	case "popd":
		if n := len(r.stack); n > 0 {
			r.s.SetDir(r.stack[n-1])
			r.stack = r.stack[:n-1]
		} else {
			r.s.SetDir(winUnknown("popd", "the stack of directories is empty"))
		}
		return nil
	case "call":
		if len(c.argv) > 1 && !strings.HasPrefix(c.argv[1].Prefix(), ":") {
			c.argv = c.argv[1:]
			return r.again(&c, in, "call")
		}
		return nil
	case "start":
		c.argv = cmdStart(c.argv)
		if len(c.argv) > 0 {
			return r.again(&c, in, "start")
		}
		return nil
	case "echo":
		out := r.act(&c, in)
		out.text, out.has = winWords(c.argv[1:]), true
		return out
	}
	return r.act(&c, in)
}

// again files what a carrier of cmd's own starts.
func (r *cmdReader) again(c *psCommand, in *psSource, via string) *psSource {
	outer := r.via
	r.via = append(append([]string(nil), outer...), via)
	defer func() { r.via = outer }()
	c.name = c.argv[0]
	if n, ok := c.name.Known(); ok {
		if b := cmdBuiltin(n); b != "" && b != "call" && b != "start" {
			c.argv[0] = Text(b)
			c.argv = cmdSwitches(b, c.argv)
			return r.act(c, in)
		}
	}
	return r.program(c, in)
}

// cmdStart takes START's own switches and title off.
func cmdStart(argv []Word) []Word {
	i := 1
	for i < len(argv) {
		t, ok := argv[i].Known()
		switch {
		case ok && strings.HasPrefix(t, "/"):
			if u := strings.ToLower(t); u == "/d" || u == "/node" || u == "/affinity" {
				i++
			}
		case i == 1 && (ok && t == "" || len(argv[i].Parts) > 0 && argv[i].Parts[0].Quoted && i+1 < len(argv)):
			// The first word in quotes is the window's title.
		default:
			return argv[i:]
		}
		i++
	}
	return nil
}

// cmdSwitches pulls switches that are glued together apart: `/s/q` is `/s /q`.
func cmdSwitches(name string, argv []Word) []Word {
	switch name {
	case "del", "rmdir", "copy", "move", "dir", "cd":
	default:
		return argv
	}
	out := argv[:1:1]
	for _, w := range argv[1:] {
		t, ok := w.Known()
		if !ok || len(t) < 4 || t[0] != '/' || strings.IndexByte(t[1:], '/') < 0 || t[2] != '/' && !strings.HasPrefix(t[2:], ":") {
			out = append(out, w)
			continue
		}
		for _, f := range strings.Split(t[1:], "/") {
			out = append(out, Text("/"+f))
		}
	}
	return out
}

func (r *cmdReader) cd(args []Word) {
	for _, w := range args {
		if t, ok := w.Known(); ok && (strings.EqualFold(t, "/d") || t == "") {
			continue
		}
		r.s.SetDir(winDir(r.s, w))
		return
	}
}

func (r *cmdReader) act(c *psCommand, in *psSource) *psSource {
	a := Act{Kind: Run, Argv: c.argv, Redirs: c.redirs}
	if in != nil {
		a.Stdin = Stdin{Kind: Pipe, From: in.acts, Text: in.text, HasText: in.has}
	}
	out := &psSource{}
	if i := r.emit(a); i >= 0 {
		out.acts = []int{i}
	}
	return out
}

// program files a program, through its carrier where it is one.
func (r *cmdReader) program(c *psCommand, in *psSource) *psSource {
	if d, src, how, ok := winCarrier(c.argv); ok {
		if t, known := src.Known(); known && (t != "" || in == nil) {
			r.s.Nested(d, t, Word{}, append(append([]string(nil), r.via...), how))
			if len(c.redirs) > 0 {
				r.emit(Act{Kind: Land, Redirs: c.redirs})
			}
			return nil
		}
		if _, known := src.Known(); !known && d == Cmd && r.depth < winDepth {
			winCmdParts(r.s, src, append(append([]string(nil), r.via...), how), r.maybe, r.depth+4)
			return nil
		}
		if _, known := src.Known(); !known {
			r.emit(Act{Kind: Unread, Text: src.String(), Why: how + " of text that is not known", Redirs: c.redirs})
			return nil
		}
	}
	if line, ok := winBourne(c, in); ok && !r.maybe {
		r.s.Nested(Bourne, line, Word{}, append([]string(nil), r.via...))
		return nil
	}
	return r.act(c, in)
}
