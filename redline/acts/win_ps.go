package acts

import (
	"strings"
)

// winSteps bounds the work on one text: a script that calls its functions over
// and over would else grow without filing anything. A long text may take more.
func winSteps(src string) int { return 20_000 + len(src)/8 }

// winDepth bounds recursion: blocks in blocks, functions in functions.
const winDepth = 60

// winRange is a piece of a source text, held until it runs.
type winRange struct {
	src    string
	params []string
}

// winVal is what an expression or an argument is worth: the words it stands for,
// or a script block.
type winVal struct {
	words []Word
	block *winRange
	table map[string][]Word // a hashtable, for splatting; nil: none
	typ   string            // [Type], lower case
	from  *psSource         // what a pipeline in parentheses listed
	null  bool
}

func (v winVal) word() Word {
	if len(v.words) == 1 {
		return v.words[0]
	}
	if len(v.words) == 0 {
		if v.null {
			return Word{Parts: []Part{{Kind: Unset, Text: "$null", Why: "$null"}}}
		}
		return winUnknown("(...)", "value of an expression")
	}
	return winUnknown("(...)", "a list")
}

func winUnknown(text, why string) Word {
	return Word{Parts: []Part{{Kind: Unknown, Text: text, Why: why}}}
}

// psSource is what a pipeline's element hands on: the paths it lists.
type psSource struct {
	items []Word
	text  Word // what is printed, where hasText is set
	has   bool
	acts  []int
}

// ps reads PowerShell. It walks the text once, with variables, functions and
// the pipeline's current object, and files acts as commands come up.
type ps struct {
	s     sink
	st    *psState
	src   string
	pos   int
	maybe bool
	depth int
	via   []string
	host  string // another machine that the code runs on
	item  []Word // $_
	begun int    // start of the statement, for Act.Source
}

// psState is shared by all texts of one line.
type psState struct {
	vars  map[string]winVal
	funcs map[string]*winRange
	stack []Word // Push-Location
	steps int
	alias map[string]string
}

func newPS(s sink, src string) *ps {
	return &ps{s: s, src: src, st: &psState{vars: map[string]winVal{}, funcs: map[string]*winRange{}, steps: winSteps(src)}}
}

func (p *ps) more() bool {
	p.st.steps--
	return p.st.steps > 0 && p.s.More()
}

func (p *ps) at(k int) byte {
	if p.pos+k < len(p.src) {
		return p.src[p.pos+k]
	}
	return 0
}

// blanks skips spaces, comments and continued lines; with lines also newlines
// and semicolons.
func (p *ps) blanks(lines bool) {
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == 0xa0:
			p.pos++
		case lines && (c == '\n' || c == ';'):
			p.pos++
		case c == '`' && (p.at(1) == '\n' || p.at(1) == '\r' && p.at(2) == '\n'):
			p.pos += 2
		case c == '<' && p.at(1) == '#':
			if i := strings.Index(p.src[p.pos:], "#>"); i >= 0 {
				p.pos += i + 2
			} else {
				p.pos = len(p.src)
			}
		case c == '#':
			if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
				p.pos += i
			} else {
				p.pos = len(p.src)
			}
		default:
			return
		}
	}
}

// bare is the unquoted word at the cursor, without moving.
func (p *ps) bare() string {
	p.pos = min(p.pos, len(p.src)) // a mark at the very end may have moved past it
	i := p.pos
	for i < len(p.src) && !psBreak(p.src[i]) {
		i++
	}
	return p.src[p.pos:i]
}

// psBreak ends a bare word.
func psBreak(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ';', '|', '&', '(', ')', '{', '}', '"', '\'', ',', '<', '>', '$', '`':
		return true
	}
	return false
}

func (p *ps) emit(a Act) int {
	a.Conditional = a.Conditional || p.maybe
	a.Via = append(append([]string(nil), p.via...), a.Via...)
	if a.Remote == "" {
		a.Remote = p.host
	}
	if a.Source == "" {
		end := min(len(p.src), p.pos)
		a.Source = winClip(p.src[min(p.begun, end):end])
	}
	return p.s.Emit(a)
}

func winClip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= 200 {
		return s
	}
	n := 200
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

func (p *ps) unread(text, why string) {
	p.emit(Act{Kind: Unread, Text: text, Why: why, Source: winClip(text)})
}

// block reads statements up to close (0: the end of the text) and moves behind
// it. It answers what the last pipeline listed.
func (p *ps) block(close byte) *psSource {
	var last *psSource
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	for {
		p.blanks(true)
		if p.pos >= len(p.src) {
			return last
		}
		if c := p.src[p.pos]; c == close && close != 0 {
			p.pos++
			return last
		} else if c == ')' || c == '}' {
			p.pos++ // nothing it closes: go on
			continue
		}
		if !p.more() {
			p.pos = len(p.src)
			return last
		}
		at := p.pos
		p.begun = at
		last = p.statement()
		if p.pos == at {
			p.pos++
		}
	}
}

// run reads another text in the same state: a block, a function, Invoke-Expression.
func (p *ps) run(src string, change func(*ps)) *psSource {
	q := *p
	q.src, q.pos, q.begun = src, 0, 0
	if change != nil {
		change(&q)
	}
	if q.depth >= winDepth {
		p.unread(src, "nested too deep")
		return nil
	}
	return q.block(0)
}

// maybeRun reads the block at the cursor as one that may not run.
func (p *ps) maybeBlock() {
	p.blanks(true)
	if p.at(0) != '{' {
		return
	}
	outer := p.maybe
	p.maybe = true
	p.pos++
	p.block('}')
	p.maybe = outer
}

// condition reads ( ... ) as statements: its commands run.
func (p *ps) condition() {
	p.blanks(true)
	if p.at(0) == '(' {
		p.pos++
		p.block(')')
	}
}

func (p *ps) statement() *psSource {
	word := p.bare()
	switch low := strings.ToLower(word); low {
	case "if", "elseif", "while", "switch", "until":
		p.pos += len(word)
		p.blanks(true)
		for p.at(0) == '-' { // switch -Regex
			p.pos += max(1, len(p.bare()))
			p.blanks(false)
		}
		p.condition()
		if low == "switch" {
			p.switchBody()
			return nil
		}
		p.maybeBlock()
		return nil
	case "else", "try", "finally", "do", "begin", "process", "end", "catch", "trap", "dynamicparam", "clean":
		save := p.pos
		p.pos += len(word)
		p.blanks(true)
		for p.at(0) == '[' { // catch [Type], [Type]
			p.skipPair('[', ']')
			p.blanks(true)
			if p.at(0) == ',' {
				p.pos++
				p.blanks(true)
			}
		}
		if p.at(0) != '{' {
			if low == "else" && strings.EqualFold(p.bare(), "if") {
				return p.statement()
			}
			p.pos = save
			break
		}
		if low == "else" || low == "catch" || low == "trap" {
			p.maybeBlock()
		} else {
			p.pos++
			p.block('}')
		}
		return nil
	case "for":
		p.pos += len(word)
		p.condition()
		p.maybeBlock()
		return nil
	case "foreach":
		if p.foreach(word) {
			return nil
		}
	case "function", "filter", "workflow":
		p.function(word)
		return nil
	case "param":
		p.pos += len(word)
		p.blanks(true)
		if p.at(0) == '(' {
			p.skipPair('(', ')')
		}
		return nil
	case "return", "throw", "exit":
		p.pos += len(word)
		p.blanks(false)
	case "break", "continue", "using", "class", "enum", "data":
		p.pos += len(word)
		if low == "class" || low == "enum" {
			for p.pos < len(p.src) && p.src[p.pos] != '{' && p.src[p.pos] != '\n' {
				p.pos++
			}
			if p.at(0) == '{' {
				p.skipPair('{', '}')
			}
			return nil
		}
		if low == "using" {
			for p.pos < len(p.src) && p.src[p.pos] != '\n' && p.src[p.pos] != ';' {
				p.pos++
			}
		}
		return nil
	}
	if p.assignment() {
		return nil
	}
	return p.chain()
}

func (p *ps) switchBody() {
	p.blanks(true)
	if p.at(0) != '{' {
		return
	}
	p.pos++
	for {
		p.blanks(true)
		if p.pos >= len(p.src) {
			return
		}
		switch p.src[p.pos] {
		case '}':
			p.pos++
			return
		case '{':
			p.maybeBlock()
		default:
			at := p.pos
			p.argument(nil)
			if p.pos == at {
				p.pos++
			}
		}
	}
}

// foreach reads `foreach ($x in list) { ... }`; over a literal list the body is
// read for every element.
func (p *ps) foreach(word string) bool {
	save := p.pos
	p.pos += len(word)
	p.blanks(true)
	if p.at(0) != '(' {
		p.pos = save
		return false
	}
	p.pos++
	p.blanks(true)
	name := ""
	if p.at(0) == '$' {
		p.pos++
		name = p.varName()
	}
	p.blanks(true)
	if !strings.EqualFold(p.bare(), "in") {
		p.pos = save
		return false
	}
	p.pos += 2
	v, src := p.pipelineValue(')')
	items := v.words
	if len(items) == 0 && src != nil {
		items = src.items
	}
	p.blanks(true)
	if p.at(0) != '{' {
		return true
	}
	body := p.cut('{', '}')
	outer := p.maybe
	p.maybe = true
	if n := len(items); n == 0 || n > 16 {
		items = []Word{winUnknown("$"+name, name+" is an element of a list")}
	}
	for _, w := range items {
		if !p.more() {
			break
		}
		p.st.vars[strings.ToLower(name)] = winVal{words: []Word{w}}
		p.run(body, nil)
	}
	p.maybe = outer
	return true
}

func (p *ps) function(word string) {
	p.pos += len(word)
	p.blanks(true)
	name := p.bare()
	p.pos += len(name)
	p.blanks(true)
	r := &winRange{}
	if p.at(0) == '(' {
		r.params = psParams(p.cut('(', ')'))
		p.blanks(true)
	}
	if p.at(0) != '{' {
		return
	}
	r.src = p.cut('{', '}')
	if r.params == nil {
		r.params = psBlockParams(r.src)
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	p.st.funcs[strings.ToLower(name)] = r
}

// psBlockParams are the names of a block's param(...).
func psBlockParams(src string) []string {
	q := ps{src: src}
	for {
		q.blanks(true)
		if q.at(0) != '[' {
			break
		}
		q.skipPair('[', ']') // [CmdletBinding()]
	}
	if !strings.EqualFold(q.bare(), "param") {
		return nil
	}
	q.pos += 5
	q.blanks(true)
	if q.at(0) != '(' {
		return nil
	}
	return psParams(q.cut('(', ')'))
}

// psParams are the variables of a parameter list, their defaults skipped.
func psParams(list string) []string {
	q := ps{src: list}
	var names []string
	want := true
	for q.pos < len(list) {
		q.blanks(true)
		switch c := q.at(0); c {
		case 0:
			q.pos++
		case '[':
			q.skipPair('[', ']')
		case '(':
			q.skipPair('(', ')')
		case '{':
			q.skipPair('{', '}')
		case '\'', '"':
			q.skipString()
		case ',':
			want = true
			q.pos++
		case '$':
			q.pos++
			if n := q.varName(); want && n != "" {
				names = append(names, n)
				want = false
			}
		default:
			q.pos++
		}
	}
	return names
}

// cut is the text between the bracket at the cursor and its partner, and moves
// behind that. Without a partner it is the rest.
func (p *ps) cut(open, close byte) string {
	from := p.pos + 1
	p.skipPair(open, close)
	end := p.pos
	if end > from && p.src[end-1] == close {
		end--
	}
	return p.src[min(from, end):end]
}

// skipPair moves behind the partner of the bracket at the cursor.
func (p *ps) skipPair(open, close byte) {
	depth := 0
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case open:
			depth++
			p.pos++
		case close:
			depth--
			p.pos++
			if depth == 0 {
				return
			}
		case '`':
			p.pos += 2
		case '\'', '"':
			p.skipString()
		case '#':
			if p.pos > 0 && !psBreak(p.src[p.pos-1]) {
				p.pos++
				continue
			}
			p.blanks(false)
		case '<':
			if p.at(1) == '#' {
				p.blanks(false)
			} else {
				p.pos++
			}
		case '@':
			if q := p.at(1); q == '\'' || q == '"' {
				p.hereString()
			} else {
				p.pos++
			}
		default:
			p.pos++
		}
	}
	p.pos = min(p.pos, len(p.src))
}

func (p *ps) skipString() {
	q := p.src[p.pos]
	p.pos++
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '`' && q == '"' {
			p.pos += 2
			continue
		}
		p.pos++
		if c == q {
			if p.at(0) == q {
				p.pos++
				continue
			}
			return
		}
	}
	p.pos = min(p.pos, len(p.src))
}

// hereString reads @' ... '@ and gives its text; ok is false where the mark
// opens none.
func (p *ps) hereString() (string, bool) {
	q := p.at(1)
	i := strings.IndexByte(p.src[p.pos:], '\n')
	if i < 0 || strings.TrimSpace(p.src[p.pos+2:p.pos+i]) != "" {
		p.pos++
		return "", false
	}
	from := p.pos + i + 1
	end := "\n" + string(q) + "@"
	body := p.src[from:]
	if strings.HasPrefix(body, end[1:]) {
		p.pos = from + 2
		return "", true
	}
	j := strings.Index(body, end)
	if j < 0 {
		p.pos = len(p.src)
		return body, true
	}
	p.pos = from + j + len(end)
	return strings.TrimSuffix(body[:j], "\r"), true
}

// assignment reads `$x = ...` and its kin, or leaves the cursor alone.
func (p *ps) assignment() bool {
	save := p.pos
	for p.at(0) == '[' { // [string]$x = ...
		at := p.pos
		p.skipPair('[', ']')
		if p.at(0) == ':' || p.at(0) == '.' || p.pos == at {
			p.pos = save
			return false
		}
		p.blanks(false)
	}
	if p.at(0) != '$' || p.at(1) == '(' {
		p.pos = save
		return false
	}
	p.pos++
	name := p.varName()
	if name == "" {
		p.pos = save
		return false
	}
	whole := true
	for p.at(0) == '.' || p.at(0) == '[' || p.at(0) == ',' {
		whole = false
		switch p.at(0) {
		case '[':
			p.skipPair('[', ']')
		case ',':
			p.pos++
			p.blanks(true)
			if p.at(0) != '$' {
				p.pos = save
				return false
			}
			p.pos++
			p.st.forget(p.varName())
		default:
			p.pos++
			for winName(p.at(0)) {
				p.pos++
			}
			if p.at(0) == '(' {
				p.pos = save
				return false
			}
		}
		p.blanks(false)
	}
	p.blanks(false)
	op := ""
	for _, o := range [...]string{"+=", "-=", "*=", "/=", "%=", "??=", "="} {
		if strings.HasPrefix(p.src[p.pos:], o) {
			op = o
			break
		}
	}
	if op == "" || op == "=" && p.at(1) == '=' {
		p.pos = save
		return false
	}
	p.pos += len(op)
	p.blanks(true)
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return true
	}
	p.depth++
	v, src := p.assigned()
	p.depth--
	if src != nil && len(v.words) == 0 && v.block == nil {
		v.words = src.items
		v.from = src
		if len(v.words) == 0 {
			v.words = []Word{winUnknown("$"+name, "output of a command")}
		}
	}
	key := strings.ToLower(name)
	switch {
	case !whole || op != "=" && op != "+=":
		if op == "-=" || op == "*=" || op == "/=" || op == "%=" {
			v = winVal{words: []Word{{Parts: []Part{{Kind: Opaque, Text: "$" + name, Why: "a number"}}}}}
		} else {
			v = winVal{words: []Word{winUnknown("$"+name, name+" is changed in parts")}}
		}
	case op == "+=":
		old, ok := p.st.vars[key]
		switch {
		case ok && len(old.words) == 1 && len(v.words) == 1:
			v = winVal{words: []Word{winCat(old.words[0], v.words[0])}}
		case ok && len(old.words)+len(v.words) <= 64:
			v = winVal{words: append(append([]Word(nil), old.words...), v.words...)}
		default:
			v = winVal{words: []Word{winUnknown("$"+name, name+" grows")}}
		}
	}
	if old, ok := p.st.vars[key]; ok && p.maybe && !winSame(old, v) {
		v = winVal{words: []Word{winUnknown("$"+name, name+" may have several values")}}
	}
	p.st.vars[key] = v
	if env, ok := strings.CutPrefix(key, "env:"); ok && len(v.words) == 1 {
		p.st.vars["env:"+env] = v
	}
	return true
}

func winSame(a, b winVal) bool {
	if len(a.words) != len(b.words) || a.block != nil || b.block != nil {
		return false
	}
	for i := range a.words {
		x, ok := a.words[i].Known()
		y, ok2 := b.words[i].Known()
		if !ok || !ok2 || x != y {
			return false
		}
	}
	return true
}

func (st *psState) forget(name string) {
	st.vars[strings.ToLower(name)] = winVal{words: []Word{winUnknown("$"+name, name+" is set from a list")}}
}

// assigned reads the right side of an assignment: a statement whose output is
// the value.
func (p *ps) assigned() (winVal, *psSource) {
	switch strings.ToLower(p.bare()) {
	case "if", "switch", "foreach", "for", "while", "try":
		p.statement()
		for {
			save := p.pos
			p.blanks(true)
			switch strings.ToLower(p.bare()) {
			case "else", "elseif", "catch", "finally":
				p.statement()
				continue
			}
			p.pos = save
			break
		}
		return winVal{words: []Word{winUnknown("(...)", "value of a statement")}}, nil
	}
	if p.at(0) == '$' || p.at(0) == '[' {
		// $a = $b = 1
		save := p.pos
		if p.assignment() {
			return winVal{words: []Word{winUnknown("(...)", "value of an assignment")}}, nil
		}
		p.pos = save
	}
	return p.pipelineValue(0)
}

// pipelineValue reads a pipeline whose value is wanted, up to close (0: the end
// of the statement).
func (p *ps) pipelineValue(close byte) (winVal, *psSource) {
	if p.depth >= winDepth {
		p.unread(p.src[p.pos:], "nested too deep")
		p.pos = len(p.src)
		return winVal{}, nil
	}
	p.depth++
	defer func() { p.depth-- }()
	p.blanks(close != 0)
	if p.startsExpression() {
		v := p.expression()
		p.blanks(close != 0)
		if p.at(0) == '|' && p.at(1) != '|' {
			src := p.pipeFrom(&psSource{items: v.words, text: v.word(), has: true})
			p.endValue(close)
			return winVal{}, src
		}
		p.endValue(close)
		return v, v.from
	}
	src := p.chain()
	p.endValue(close)
	if src != nil && src.has && len(src.items) == 0 {
		return winVal{words: []Word{src.text}}, src
	}
	return winVal{}, src
}

// endValue moves behind close, reading what other statements stand before it.
func (p *ps) endValue(close byte) {
	if close == 0 {
		return
	}
	p.blanks(true)
	if p.at(0) == close {
		p.pos++
		return
	}
	p.block(close)
}

// chain reads pipelines joined by && and ||.
func (p *ps) chain() *psSource {
	src := p.pipeFrom(nil)
	outer := p.maybe
	for {
		p.blanks(false)
		switch {
		case p.at(0) == '&' && p.at(1) == '&':
		case p.at(0) == '|' && p.at(1) == '|':
			p.maybe = true
		case p.at(0) == '&':
			p.pos++
			continue
		default:
			p.maybe = outer
			return src
		}
		p.pos += 2
		p.blanks(true)
		p.begun = p.pos
		if !p.more() {
			p.pos = len(p.src)
			return nil
		}
		src = p.pipeFrom(nil)
	}
}

// pipeFrom reads the elements of a pipeline; in is what flows in from an
// expression that was read already, the cursor then on the bar.
func (p *ps) pipeFrom(in *psSource) *psSource {
	first := in == nil
	for {
		if !first {
			p.blanks(false)
			if p.at(0) == '\n' { // a bar may lead the next line
				save := p.pos
				p.blanks(true)
				if p.at(0) != '|' || p.at(1) == '|' {
					p.pos = save
					return in
				}
			}
			if p.at(0) != '|' || p.at(1) == '|' {
				return in
			}
			p.pos++
			p.blanks(true)
		}
		first = false
		if !p.more() {
			p.pos = len(p.src)
			return in
		}
		at := p.pos
		in = p.element(in)
		if p.pos == at {
			p.pos++
		}
	}
}

// startsExpression reports whether a value stands at the cursor rather than a
// command.
func (p *ps) startsExpression() bool {
	switch c := p.at(0); c {
	case '$', '(', '[', '\'', '"', '@', '!', '+', ',':
		return true
	case '-':
		n := p.at(1)
		return n >= '0' && n <= '9' || n == ' ' || n == '(' || n == '$' || strings.HasPrefix(strings.ToLower(p.bare()), "-not") || strings.HasPrefix(p.bare(), "--")
	case '{':
		return true
	default:
		return c >= '0' && c <= '9' && psNumber(p.bare())
	}
}

func psNumber(w string) bool {
	for i := 0; i < len(w); i++ {
		if (w[i] < '0' || w[i] > '9') && w[i] != '.' && w[i] != '+' && w[i] != '-' && w[i] != '*' && w[i] != '/' && w[i] != '%' {
			return false
		}
	}
	return w != ""
}

// element reads one element of a pipeline.
func (p *ps) element(in *psSource) *psSource {
	p.blanks(false)
	if p.startsExpression() {
		v := p.expression()
		out := &psSource{items: v.words, text: v.word(), has: len(v.words) == 1}
		if v.from != nil {
			out = v.from
		}
		p.blanks(false)
		if r, ok := p.redirection(); ok {
			// A value sent to a file.
			redirs := []Redir{r}
			for {
				p.blanks(false)
				r, ok := p.redirection()
				if !ok {
					break
				}
				redirs = append(redirs, r)
			}
			p.emit(Act{Kind: Land, Redirs: winFiles(redirs)})
		}
		return out
	}
	return p.command(in)
}

// winFiles drops descriptor copies, which redirection answers with an empty
// target.
func winFiles(rs []Redir) []Redir {
	out := rs[:0]
	for _, r := range rs {
		if len(r.Target.Parts) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// redirection reads one, if there is one at the cursor.
func (p *ps) redirection() (Redir, bool) {
	k, fd := 0, 1
	switch c := p.at(0); {
	case c == '*' && p.at(1) == '>':
		k, fd = 1, -1
	case c >= '1' && c <= '6' && p.at(1) == '>':
		k, fd = 1, int(c-'0')
	case c == '>':
	case c == '<' && p.at(1) != '#':
		p.pos++
		p.blanks(false)
		return Redir{Op: ReadFrom, Target: p.argument(nil).word()}, true
	default:
		return Redir{}, false
	}
	p.pos += k + 1
	r := Redir{Op: WriteTo, FD: fd}
	if p.at(0) == '>' {
		r.Op = AppendTo
		p.pos++
	}
	if p.at(0) == '&' {
		p.pos = min(p.pos+2, len(p.src))
		return Redir{}, true
	}
	p.blanks(false)
	r.Target = p.argument(nil).word()
	if len(r.Target.Parts) == 0 {
		r.Target = Text("")
	}
	return r, true
}

// psParam is a parameter as it stood in a command.
type psParam struct {
	name  string
	value []Word
	has   bool
	block *winRange
}

// psCommand is a command with its arguments in order.
type psCommand struct {
	name   Word
	canon  string // cmdlet's name, or empty for a program
	table  *winCmdlet
	argv   []Word // everything, in order, as the act has it
	pos    []Word // positional arguments
	blocks []*winRange
	params []psParam
	redirs []Redir
}

func (c *psCommand) param(name string) *psParam {
	for i := range c.params {
		if strings.EqualFold(c.params[i].name, "-"+name) {
			return &c.params[i]
		}
	}
	return nil
}

// arg is a named argument, or the i-th positional one.
func (c *psCommand) arg(i int, names ...string) []Word {
	for _, n := range names {
		if p := c.param(n); p != nil && p.has {
			return p.value
		}
	}
	if i >= 0 && i < len(c.pos) {
		return c.pos[i : i+1]
	}
	return nil
}

// command reads a command, files its act and answers what it hands on.
func (p *ps) command(in *psSource) *psSource {
	var c psCommand
	switch {
	case p.at(0) == '&' && p.at(1) != '&', p.at(0) == '.' && (p.at(1) == ' ' || p.at(1) == '{' || p.at(1) == '\t'):
		p.pos++
		p.blanks(false)
		v := p.argument(nil)
		if v.block != nil {
			c.blocks = append(c.blocks, v.block)
			p.arguments(&c)
			p.runBlock(v.block, c.pos, in)
			p.landed(&c)
			return nil
		}
		c.name = v.word()
	case p.at(0) == '?' && psBreak(p.at(1)):
		p.pos++
		c.name = Text("?")
	default:
		c.name = p.argument(nil).word()
	}
	name, known := c.name.Known()
	if known {
		if f := p.st.funcs[strings.ToLower(name)]; f != nil {
			p.arguments(&c)
			p.callFunction(f, &c, in)
			p.landed(&c)
			return nil
		}
		c.canon = p.cmdlet(name)
		c.table = winLookup(c.canon)
	}
	if c.canon != "" {
		c.name = Text(c.canon)
	}
	c.argv = []Word{c.name}
	p.arguments(&c)
	return p.perform(&c, in)
}

// cmdlet is the cmdlet that a command word means, or "".
func (p *ps) cmdlet(name string) string {
	if p.st.alias != nil {
		if to := p.st.alias[strings.ToLower(name)]; to != "" {
			name = to
		}
	}
	if a, _ := winAlias(name); a != "" {
		return a
	}
	if i := strings.LastIndexByte(name, '\\'); i > 0 && winVerbNoun(name[i+1:]) {
		name = name[i+1:] // Microsoft.PowerShell.Management\Remove-Item
	}
	if winVerbNoun(name) {
		return winCanon(name)
	}
	return ""
}

// landed files redirections of what was no act itself.
func (p *ps) landed(c *psCommand) {
	if len(c.redirs) > 0 {
		p.emit(Act{Kind: Land, Redirs: c.redirs})
	}
}

// arguments reads the arguments of a command up to its end.
func (p *ps) arguments(c *psCommand) {
	var open *psParam // a parameter that waits for its value
	add := func(v winVal) {
		words := v.words
		if v.block != nil {
			c.blocks = append(c.blocks, v.block)
			if open != nil {
				open.block, open.has = v.block, true
			}
			words = []Word{{Parts: []Part{{Kind: Lit, Text: "{...}", Quoted: true}}}}
		} else if len(words) == 0 {
			words = []Word{v.word()}
		}
		c.argv = append(c.argv, words...)
		if open != nil {
			open.value = append(open.value, words...)
			open.has = true
			return
		}
		c.pos = append(c.pos, words...)
	}
	list := false // a comma stands before the next argument
	params := true
	for p.pos < len(p.src) {
		p.blanks(false)
		if p.pos >= len(p.src) {
			break
		}
		ch := p.src[p.pos]
		switch {
		case ch == '\n' || ch == ';' || ch == '|' || ch == ')' || ch == '}':
			return
		case ch == '&':
			return
		case ch == ',':
			p.pos++
			p.blanks(true)
			list = true
			continue
		}
		if r, ok := p.redirection(); ok {
			if len(r.Target.Parts) > 0 {
				c.redirs = append(c.redirs, r)
			}
			continue
		}
		if !list && open != nil && open.has {
			open = nil
		}
		list = false
		at := p.pos
		switch {
		case ch == '-' && params && (winLetter(p.at(1)) || p.at(1) == '-' || p.at(1) == '?'):
			w := p.bare()
			if w == "--" {
				p.pos += 2
				params = false
				if c.canon == "" {
					c.argv = append(c.argv, Text(w))
				}
				continue
			}
			if w == "--%" {
				p.pos += 3
				p.stopParsing(c)
				return
			}
			if c.canon == "" {
				// A program's own option: a word like any other.
				add(p.argument(c))
				break
			}
			open = p.parameter(c, w)
		case ch == '@' && (winLetter(p.at(1)) || p.at(1) == '_'):
			p.pos++
			p.splat(c, p.varName())
		default:
			add(p.argument(c))
		}
		if p.pos == at {
			p.pos++
		}
	}
}

// stopParsing takes the rest of the line as it is, as --% asks.
func (p *ps) stopParsing(c *psCommand) {
	end := strings.IndexAny(p.src[p.pos:], "\n|")
	if end < 0 {
		end = len(p.src) - p.pos
	}
	for _, w := range strings.Fields(p.src[p.pos : p.pos+end]) {
		w = strings.Trim(w, `"`)
		c.argv, c.pos = append(c.argv, Text(w)), append(c.pos, Text(w))
	}
	p.pos += end
}

// parameter reads -Name or -Name:value and answers it if it waits for a value.
func (p *ps) parameter(c *psCommand, w string) *psParam {
	name, _, colon := strings.Cut(w[1:], ":")
	full, isSwitch, ok := c.table.winParam(name)
	if !ok {
		full = "-" + name
	}
	p.pos += 1 + len(name)
	if colon {
		p.pos++
		p.blanks(false)
		v := p.argument(nil)
		if v.block == nil && isSwitch || !ok && v.block == nil && len(v.words) == 1 && psBool(v.words[0]) != 0 {
			switch psBool(v.word()) {
			case -1:
				return nil // switched off: as if it were not there
			case 1:
				c.argv = append(c.argv, Text(full))
			default:
				// Who knows: the words keep both halves.
				c.argv = append(c.argv, winCat(Text(full+":"), v.word()))
			}
			c.params = append(c.params, psParam{name: full})
			return nil
		}
		words := v.words
		if len(words) == 0 && v.block == nil {
			words = []Word{v.word()}
		}
		c.argv = append(append(c.argv, Text(full)), words...)
		if v.block != nil {
			c.blocks = append(c.blocks, v.block)
		}
		c.params = append(c.params, psParam{name: full, value: words, has: true, block: v.block})
		return &c.params[len(c.params)-1]
	}
	c.argv = append(c.argv, Text(full))
	c.params = append(c.params, psParam{name: full})
	if isSwitch || !ok && c.table != nil {
		return nil
	}
	if !ok {
		// An unknown cmdlet's parameter: its value, if any, stays a word.
		return nil
	}
	return &c.params[len(c.params)-1]
}

// psBool is 1 for $true, -1 for $false, 0 for anything else.
func psBool(w Word) int {
	if len(w.Parts) == 1 {
		switch strings.ToLower(w.Parts[0].Text) {
		case "true", "$true", "1":
			return 1
		case "false", "$false", "0":
			return -1
		}
	}
	return 0
}

// splat adds the arguments of a hashtable or a list by its variable.
func (p *ps) splat(c *psCommand, name string) {
	v, ok := p.st.vars[strings.ToLower(name)]
	if !ok || v.table == nil && len(v.words) == 0 {
		w := winUnknown("@"+name, "arguments in a variable")
		c.argv, c.pos = append(c.argv, w), append(c.pos, w)
		return
	}
	if v.table == nil {
		c.argv, c.pos = append(c.argv, v.words...), append(c.pos, v.words...)
		return
	}
	for _, k := range winSorted(v.table) {
		words := v.table[k]
		full, isSwitch, ok := c.table.winParam(k)
		if !ok {
			full = "-" + k
		}
		if isSwitch && len(words) == 1 {
			if psBool(words[0]) == -1 {
				continue
			}
			words = nil
		}
		c.argv = append(append(c.argv, Text(full)), words...)
		c.params = append(c.params, psParam{name: full, value: words, has: len(words) > 0})
	}
}
