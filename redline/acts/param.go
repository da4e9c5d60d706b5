package acts

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// dir is the directory commands run in.
func (s *shell) dir() Word {
	e := s.find(kDir, "")
	if e == nil || len(e.alts) == 0 {
		return unknown("", "the directory is not known")
	}
	i := s.choose(kDir, "", len(e.alts))
	if i < 0 {
		return unknown("", "one of several directories")
	}
	a := e.alts[i]
	if len(a.words) == 0 {
		return unknown("", "the directory is not known")
	}
	return a.words[0]
}

func (s *shell) oldDir() Word {
	if e := s.find(kOldDir, ""); e != nil {
		if i := s.choose(kOldDir, "", len(e.alts)); i >= 0 && len(e.alts[i].words) > 0 {
			return e.alts[i].words[0]
		}
		return unknown("~-", "the directory before is not known")
	}
	if v, ok := s.r.o.Env["OLDPWD"]; ok {
		return Text(v)
	}
	return unknown("~-", "the directory before is not known")
}

// lookup is the value of a variable as this run sees it.
func (s *shell) lookup(name string) alt {
	for hops := 0; ; hops++ {
		e := s.find(kVar, name)
		if e == nil {
			break
		}
		i := s.choose(kVar, name, len(e.alts))
		if i < 0 {
			return alt{set: true, words: []Word{unknown("$"+name, name+" has one of several values")}}
		}
		a := e.alts[i]
		if !e.ref || hops > 8 || len(a.words) != 1 {
			return a
		}
		t, ok := a.words[0].Known()
		if !ok {
			return alt{set: true, words: []Word{unknown("$"+name, "a reference to an unknown name")}}
		}
		name = t
	}
	switch name {
	case "PWD":
		return alt{set: true, words: []Word{s.dir()}}
	case "OLDPWD":
		return alt{set: true, words: []Word{s.oldDir()}}
	}
	if e, ok := s.envEntry(name); ok {
		return e.alts[0]
	}
	switch name {
	case "RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID", "BASHPID", "SHLVL", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE", "COLUMNS", "LINES", "BASH_SUBSHELL", "OPTIND":
		return alt{set: true, words: []Word{{Parts: []Part{{Kind: Opaque, Text: "$" + name, Why: "the value of " + name}}}}}
	case "IFS":
		return alt{set: true, words: []Word{Text(" \t\n")}}
	case "BASH_SOURCE", "FUNCNAME", "BASH_VERSION", "BASH", "GROUPS", "DIRSTACK", "BASH_REMATCH", "PIPESTATUS", "BASH_COMMAND", "BASH_VERSINFO", "OPTARG", "REPLY_", "ZSH_VERSION":
		return alt{set: true, words: []Word{unknown("$"+name, "the value of "+name)}}
	}
	if s.envUnknown != "" {
		return alt{set: true, words: []Word{unknown("$"+name, s.envUnknown)}}
	}
	if e := s.find(kUnknown, ""); e != nil {
		return alt{set: true, words: []Word{unknown("$"+name, name+" may be set by "+e.why)}}
	}
	return alt{}
}

// isNull says whether a value is empty: 1 yes, 0 no, -1 nobody knows.
func isNull(w Word) int {
	null := 1
	for _, p := range w.Parts {
		switch p.Kind {
		case Lit:
			if p.Text != "" {
				return 0
			}
		case Opaque, TempPath, Glob:
			return 0
		case Unknown:
			null = -1
		}
	}
	return null
}

// values is what a parameter expands to before an operator is applied.
type values struct {
	words []Word
	set   bool
	list  bool // $@ or ${a[@]}: words of their own
	star  bool // $* or ${a[*]}: joined inside quotes
	more  bool
}

func (s *shell) values(pe *syntax.ParamExp) values {
	name := pe.Param.Value
	switch name {
	case "@", "*":
		a := s.argList()
		return values{words: a.words, set: len(a.words) > 0 || a.more, list: true, star: name == "*", more: a.more}
	case "#":
		a := s.argList()
		if a.more {
			return one(opaque("$#", "the number of arguments"))
		}
		return one(Text(strconv.Itoa(len(a.words))))
	case "$", "!", "?":
		return one(opaque("$"+name, "a number"))
	case "-":
		return one(opaque("$-", "the shell's options"))
	case "_":
		if e := s.find(kVar, "_"); e != nil {
			if i := s.choose(kVar, "_", len(e.alts)); i >= 0 {
				return one(e.alts[i].words[0])
			}
		}
		return one(unknown("$_", "the last word of the command before"))
	case "0":
		if e := s.find(kArg0, ""); e != nil && len(e.alts) > 0 {
			return one(e.alts[0].words[0])
		}
		return one(unknown("$0", "the name of the script"))
	}
	if c := name[0]; c >= '0' && c <= '9' {
		n, err := strconv.Atoi(name)
		a := s.argList()
		switch {
		case err == nil && n == 0: // ${00} is $0
			return one(unknown("$0", "the name of the script"))
		case err == nil && n <= len(a.words):
			return one(a.words[n-1])
		case a.more:
			return one(unknown("$"+name, "an argument that is not known"))
		}
		return values{}
	}
	a := s.lookup(name)
	if pe.Index == nil {
		if !a.set {
			return values{}
		}
		if a.array {
			if a.keys == nil && len(a.words) > 0 {
				return one(a.words[0])
			}
			if w, ok := a.at("0"); ok {
				return one(w)
			}
			if a.more {
				return one(unknown("$"+name, "an element that is not known"))
			}
			return values{}
		}
		return one(a.words[0])
	}
	if w, ok := pe.Index.(*syntax.Word); ok {
		switch w.Lit() {
		case "@", "*":
			if !a.set {
				return values{list: true, star: w.Lit() == "*"}
			}
			return values{words: a.words, set: len(a.words) > 0 || a.more, list: true, star: w.Lit() == "*", more: a.more}
		}
	}
	key, known := s.index(pe.Index, a) // also for what runs in it
	if !a.set {
		return values{}
	}
	if !known {
		return one(unknown("${"+name+"[..]}", "an element that is not known"))
	}
	if !a.array {
		if key == "0" {
			return one(a.words[0])
		}
		return values{}
	}
	if w, ok := a.at(key); ok {
		return one(w)
	}
	if a.more {
		return one(unknown("${"+name+"["+key+"]}", "an element that is not known"))
	}
	return values{}
}

func one(w Word) values { return values{words: []Word{w}, set: true} }

func opaque(text, why string) Word {
	return Word{Parts: []Part{{Kind: Opaque, Text: text, Why: why}}}
}

// at is the element of an array under a key.
func (a alt) at(key string) (Word, bool) {
	if a.keys == nil {
		n, err := strconv.Atoi(key)
		if err != nil {
			return Word{}, false
		}
		if n < 0 {
			n += len(a.words)
		}
		if n < 0 || n >= len(a.words) {
			return Word{}, false
		}
		return a.words[n], true
	}
	for i, k := range a.keys {
		if k == key {
			return a.words[i], true
		}
	}
	return Word{}, false
}

// index evaluates an array's subscript.
func (s *shell) index(x syntax.ArithmExpr, a alt) (string, bool) {
	if w, ok := x.(*syntax.Word); ok {
		v := s.joined(w)
		if a.keys != nil {
			return v.Known()
		}
		n, ok := s.arithText(v)
		return strconv.FormatInt(n, 10), ok
	}
	n, ok := s.arith(x)
	if ok {
		return strconv.FormatInt(n, 10), true
	}
	return "", false
}

// argList is $1, $2, ...
func (s *shell) argList() alt {
	if e := s.find(kArgs, ""); e != nil {
		if i := s.choose(kArgs, "", len(e.alts)); i >= 0 {
			return e.alts[i]
		}
		return alt{set: true, array: true, more: true}
	}
	return alt{}
}

// param expands ${...}.
func (s *shell) param(f *fields, pe *syntax.ParamExp, quoted bool) {
	if pe.Param == nil || pe.Flags != nil || pe.NestedParam != nil || len(pe.Modifiers) > 0 || pe.IsSet || pe.Width {
		if pe.NestedParam != nil {
			g := fields{s: s}
			s.parts(&g, []syntax.WordPart{pe.NestedParam})
		}
		f.part(Part{Kind: Unknown, Text: s.text(pe), Why: "an expansion of zsh", Quoted: quoted})
		return
	}
	name := pe.Param.Value
	if strings.IndexByte(name, holeByte) >= 0 || name == "" {
		f.part(Part{Kind: Unknown, Text: s.text(pe), Why: "a name that is not known", Quoted: quoted})
		return
	}
	if pe.Excl {
		s.indirect(f, pe, quoted)
		return
	}
	v := s.values(pe)
	if pe.Length {
		switch {
		case v.list && !v.more:
			s.addWord(f, Text(strconv.Itoa(len(v.words))), quoted)
		case !v.set:
			f.lit("0", quoted)
		default:
			if t, ok := v.words[0].Known(); ok && !v.list {
				s.addWord(f, Text(strconv.Itoa(utf8.RuneCountInString(t))), quoted)
			} else {
				f.part(Part{Kind: Opaque, Text: s.text(pe), Why: "a length", Quoted: quoted})
			}
		}
		return
	}
	if pe.Exp != nil {
		switch op := pe.Exp.Op; op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
			syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
			s.defaults(f, pe, v, quoted)
			return
		default:
			w := Word{}
			if pe.Exp.Word != nil {
				w = s.pattern(pe.Exp.Word)
			}
			v = v.mapped(func(x Word) Word { return s.trim(x, op, w, pe) })
		}
	}
	if pe.Slice != nil {
		v = s.slice(v, pe)
	}
	if pe.Repl != nil {
		v = s.replace(v, pe)
	}
	if !v.set && !v.list {
		text := s.text(pe)
		if text == "" {
			text = "$" + name
		}
		f.part(Part{Kind: Unset, Text: text, Why: name + " is not set", Quoted: quoted})
		return
	}
	s.addValues(f, v, quoted, name)
}

func (v values) mapped(fn func(Word) Word) values {
	out := v
	out.words = make([]Word, len(v.words))
	for i, w := range v.words {
		out.words[i] = fn(w)
	}
	return out
}

// addValues adds what a parameter expanded to.
func (s *shell) addValues(f *fields, v values, quoted bool, name string) {
	if !v.list {
		s.addWord(f, v.words[0], quoted)
		return
	}
	if !v.set && !quoted && f.split || !v.set && f.split && !v.star {
		return
	}
	if quoted && v.star || !f.split {
		sep := " "
		if v.star {
			if ifs := s.ifs(); ifs == "" {
				sep = ""
			} else {
				sep = ifs[:1]
			}
		}
		for i, w := range v.words {
			if i > 0 {
				f.lit(sep, quoted)
			}
			s.addWord(f, w, quoted)
		}
		if v.more {
			f.part(Part{Kind: Unknown, Text: "$" + name, Why: "arguments that are not known", Quoted: quoted})
		}
		return
	}
	for i, w := range v.words {
		if i > 0 {
			f.brk()
		}
		s.addWord(f, w, quoted)
	}
	if v.more {
		if len(v.words) > 0 {
			f.brk()
		}
		f.part(Part{Kind: Unknown, Text: "$" + name, Why: "arguments that are not known"})
	}
}

// defaults is ${x-d}, ${x:=d}, ${x+d}, ${x:?why} and their kin.
func (s *shell) defaults(f *fields, pe *syntax.ParamExp, v values, quoted bool) {
	op := pe.Exp.Op
	colon := op == syntax.DefaultUnsetOrNull || op == syntax.AssignUnsetOrNull || op == syntax.AlternateUnsetOrNull || op == syntax.ErrorUnsetOrNull
	// is: 1 the value counts as there, 0 as missing, -1 nobody knows.
	is := 0
	if v.set {
		is = 1
		if colon && !v.list {
			switch isNull(v.words[0]) {
			case 1:
				is = 0
			case -1:
				is = -1
			}
		}
	}
	other := func(into *fields) {
		if pe.Exp.Word == nil {
			into.open = into.open || quoted
			return
		}
		if quoted {
			into.open = true
			s.quoted(into, pe.Exp.Word.Parts, false)
			return
		}
		s.parts(into, pe.Exp.Word.Parts)
	}
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch is {
		case 1:
			other(f)
		case -1:
			other(f)
			f.part(Part{Kind: Unknown, Text: s.text(pe), Why: pe.Param.Value + " is not known", Quoted: quoted})
		default:
			f.open = f.open || quoted
		}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if is == 0 {
			g := fields{s: s}
			other(&g)
			f.part(Part{Kind: Unset, Text: s.text(pe), Why: pe.Param.Value + " is not set", Quoted: quoted})
			return
		}
		s.addValues(f, v, quoted, pe.Param.Value)
	default:
		switch is {
		case 1:
			s.addValues(f, v, quoted, pe.Param.Value)
		case -1:
			// The default may run: what it contains is read, what it gives is one of two.
			g := fields{s: s}
			other(&g)
			s.addValues(f, v, quoted, pe.Param.Value)
		default:
			if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
				g := fields{s: s}
				other(&g)
				w := Word{Parts: s.r.merge(g.cur)}
				s.assign(pe.Param.Value, w)
				s.addWord(f, w, quoted)
				return
			}
			other(f)
		}
	}
}

// indirect is ${!x}, ${!prefix*} and ${!a[@]}.
func (s *shell) indirect(f *fields, pe *syntax.ParamExp, quoted bool) {
	name := pe.Param.Value
	if pe.Names != 0 {
		f.part(Part{Kind: Unknown, Text: s.text(pe), Why: "the names that begin with " + name, Quoted: quoted})
		return
	}
	if w, ok := pe.Index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		a := s.lookup(name)
		v := values{set: len(a.words) > 0, list: true, star: w.Lit() == "*", more: a.more}
		for i := range a.words {
			k := strconv.Itoa(i)
			if a.keys != nil {
				k = a.keys[i]
			}
			v.words = append(v.words, Text(k))
		}
		s.addValues(f, v, quoted, name)
		return
	}
	a := s.lookup(name)
	if !a.set || len(a.words) == 0 {
		f.part(Part{Kind: Unset, Text: s.text(pe), Why: name + " is not set", Quoted: quoted})
		return
	}
	t, ok := a.words[0].Known()
	if !ok || t == "" {
		f.part(Part{Kind: Unknown, Text: s.text(pe), Why: "the name in " + name + " is not known", Quoted: quoted})
		return
	}
	target := *pe
	target.Excl = false
	target.Index = nil
	target.Param = &syntax.Lit{Value: t}
	if i := strings.IndexByte(t, '['); i > 0 && strings.HasSuffix(t, "]") {
		target.Param = &syntax.Lit{Value: t[:i]}
		target.Index = &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: t[i+1 : len(t)-1]}}}
	}
	if !isName(target.Param.Value) {
		f.part(Part{Kind: Unknown, Text: s.text(pe), Why: "the name in " + name + " is none", Quoted: quoted})
		return
	}
	s.param(f, &target, quoted)
}

func isName(t string) bool {
	if t == "" {
		return false
	}
	for i := 0; i < len(t); i++ {
		c := t[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// pattern expands a word as a pattern: quoted characters are escaped.
func (s *shell) pattern(w *syntax.Word) Word {
	f := fields{s: s, pat: true}
	s.parts(&f, w.Parts)
	return Word{Parts: s.r.merge(f.cur)}
}

func escapePattern(t string) string {
	if !strings.ContainsAny(t, `*?[\`) {
		return t
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if strings.IndexByte(`*?[\`, t[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(t[i])
	}
	return b.String()
}

// trim applies %, %%, #, ##, ^, ^^, `,`, `,,` and @ operators.
func (s *shell) trim(w Word, op syntax.ParExpOperator, pat Word, pe *syntax.ParamExp) Word {
	dunno := func() Word { return unknown(s.text(pe), "a part of a value that is not known") }
	p, okp := pat.Known()
	t, ok := w.Known()
	switch op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if !okp {
			return dunno()
		}
		if !ok {
			return trimPartly(w, op, p, dunno)
		}
		s.r.step(len(t))
		return Text(trimText(t, op, p))
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		if !ok {
			if onlyKind(w, Opaque) || onlyKind(w, Unset) {
				return w
			}
			return dunno()
		}
		if p != "" && p != "?" || t == "" {
			return dunno()
		}
		_, n := utf8.DecodeRuneInString(t)
		switch op {
		case syntax.UpperAll:
			return Text(strings.ToUpper(t))
		case syntax.LowerAll:
			return Text(strings.ToLower(t))
		case syntax.UpperFirst:
			return Text(strings.ToUpper(t[:n]) + t[n:])
		}
		return Text(strings.ToLower(t[:n]) + t[n:])
	case syntax.OtherParamOps:
		if !ok {
			return dunno()
		}
		switch p {
		case "Q":
			return Text(quoteWord(t))
		case "U":
			return Text(strings.ToUpper(t))
		case "L":
			return Text(strings.ToLower(t))
		case "E":
			return Text(ansiC(t))
		}
	}
	return dunno()
}

func onlyKind(w Word, k PartKind) bool {
	for _, p := range w.Parts {
		if p.Kind != k {
			return false
		}
	}
	return len(w.Parts) > 0
}

// quoteWord spells text so that a shell reads it back as one word.
func quoteWord(t string) string { return "'" + strings.ReplaceAll(t, "'", `'\''`) + "'" }

// trimPartly trims a value of which only an end is known, where the pattern can
// be decided by that end alone.
func trimPartly(w Word, op syntax.ParExpOperator, p string, dunno func() Word) Word {
	n := len(w.Parts)
	if n == 0 {
		return w
	}
	if onlyKind(w, Unset) {
		return w
	}
	if op == syntax.RemSmallSuffix && w.Parts[n-1].Kind == Lit {
		t := w.Parts[n-1].Text
		if u := trimText(t, op, p); u != t {
			parts := append([]Part(nil), w.Parts...)
			parts[n-1].Text = u
			return Word{Parts: parts}
		}
		if !strings.ContainsAny(p, `*?[\`) && len(p) <= len(t) {
			return w
		}
	}
	if op == syntax.RemSmallSuffix && w.Parts[n-1].Kind != Lit && (p == "/" || p == "/*") {
		if w.Parts[n-1].Kind == Opaque || w.Parts[n-1].Kind == TempPath {
			if p == "/" {
				return w
			}
			if w.Parts[n-1].Kind == Opaque && n > 1 && w.Parts[n-2].Kind == Lit && strings.HasSuffix(w.Parts[n-2].Text, "/") {
				parts := append([]Part(nil), w.Parts[:n-1]...)
				parts[n-2].Text = strings.TrimSuffix(parts[n-2].Text, "/")
				return Word{Parts: parts}
			}
		}
	}
	if op == syntax.RemSmallPrefix && w.Parts[0].Kind == Lit && !strings.ContainsAny(p, `*?[\`) {
		t := w.Parts[0].Text
		if len(p) <= len(t) {
			parts := append([]Part(nil), w.Parts...)
			parts[0].Text = strings.TrimPrefix(t, p)
			return Word{Parts: parts}
		}
	}
	return dunno()
}

// maxMatch is how long a text is that a pattern is matched against at every
// place; beyond it the value is kept, which a person sees in the word.
const maxMatch = 4096

func trimText(t string, op syntax.ParExpOperator, p string) string {
	if !strings.ContainsAny(p, `*?[\`) {
		switch op {
		case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
			return strings.TrimSuffix(t, p)
		}
		return strings.TrimPrefix(t, p)
	}
	if len(t) > maxMatch {
		return t
	}
	switch op {
	case syntax.RemSmallSuffix:
		for i := len(t); i >= 0; i-- {
			if match(p, t[i:]) {
				return t[:i]
			}
		}
	case syntax.RemLargeSuffix:
		for i := 0; i <= len(t); i++ {
			if match(p, t[i:]) {
				return t[:i]
			}
		}
	case syntax.RemSmallPrefix:
		for i := 0; i <= len(t); i++ {
			if match(p, t[:i]) {
				return t[i:]
			}
		}
	case syntax.RemLargePrefix:
		for i := len(t); i >= 0; i-- {
			if match(p, t[:i]) {
				return t[i:]
			}
		}
	}
	return t
}

// match reports whether a shell pattern takes the whole of t. A star falls back
// to the last place only, which is enough for one pass and keeps it from being
// exponential.
func match(p, t string) bool {
	pi, ti, star, mark := 0, 0, -1, 0
	for ti < len(t) {
		if pi < len(p) {
			switch p[pi] {
			case '*':
				star, mark = pi, ti
				pi++
				continue
			case '?':
				pi++
				ti++
				continue
			case '[':
				if n, ok := class(p[pi:], t[ti]); n > 0 {
					if ok {
						pi += n
						ti++
						continue
					}
				} else if t[ti] == '[' {
					pi++
					ti++
					continue
				}
			case '\\':
				if pi+1 < len(p) && p[pi+1] == t[ti] {
					pi += 2
					ti++
					continue
				}
			default:
				if p[pi] == t[ti] {
					pi++
					ti++
					continue
				}
			}
		}
		if star < 0 {
			return false
		}
		mark++
		pi, ti = star+1, mark
	}
	for pi < len(p) && p[pi] == '*' {
		pi++
	}
	return pi == len(p)
}

// class matches one byte against a bracket expression; n is its length, 0 where
// it is none.
func class(p string, c byte) (n int, ok bool) {
	i, not := 1, false
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(p); first = false {
		if p[i] == ']' && !first {
			return i + 1, ok != not
		}
		if p[i] == '[' && i+1 < len(p) && p[i+1] == ':' {
			if j := strings.Index(p[i:], ":]"); j > 0 {
				ok = ok || posixClass(p[i+2:i+j], c)
				i += j + 2
				continue
			}
		}
		if i+2 < len(p) && p[i+1] == '-' && p[i+2] != ']' {
			ok = ok || p[i] <= c && c <= p[i+2]
			i += 3
			continue
		}
		ok = ok || p[i] == c
		i++
	}
	return 0, false
}

func posixClass(name string, c byte) bool {
	switch name {
	case "alpha":
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	case "digit":
		return c >= '0' && c <= '9'
	case "alnum":
		return posixClass("alpha", c) || posixClass("digit", c)
	case "upper":
		return c >= 'A' && c <= 'Z'
	case "lower":
		return c >= 'a' && c <= 'z'
	case "space":
		return c == ' ' || c >= 9 && c <= 13
	case "punct":
		return c > ' ' && c < 127 && !posixClass("alnum", c)
	}
	return false
}

// slice is ${x:from:len}, and ${@:from:len}.
func (s *shell) slice(v values, pe *syntax.ParamExp) values {
	from, ok := int64(0), true
	if pe.Slice.Offset != nil {
		from, ok = s.arith(pe.Slice.Offset)
	}
	length, has := int64(0), false
	if pe.Slice.Length != nil {
		var ok2 bool
		length, ok2 = s.arith(pe.Slice.Length)
		has, ok = true, ok && ok2
	}
	if !v.set {
		return v
	}
	if !ok || v.more {
		return one(unknown(s.text(pe), "a part of a value"))
	}
	cut := func(n int) (int, int) {
		a := int(max(min(from, 1<<30), -1<<30))
		if a < 0 {
			if a += n; a < 0 {
				return 0, 0
			}
		}
		a = min(a, n)
		b := n
		if has {
			l := int(max(min(length, 1<<30), -1<<30))
			if l < 0 {
				b = max(n+l, a)
			} else {
				b = min(a+l, n)
			}
		}
		return a, b
	}
	if v.list {
		words := v.words
		if pe.Param.Value == "@" || pe.Param.Value == "*" {
			// $0 is the first of them.
			words = append([]Word{unknown("$0", "the name of the script")}, words...)
		}
		a, b := cut(len(words))
		v.words = words[a:b]
		v.set = a < b
		return v
	}
	t, ok := v.words[0].Known()
	if !ok {
		return one(unknown(s.text(pe), "a part of a value that is not known"))
	}
	if len(t) > maxWord {
		return v
	}
	r := []rune(t)
	a, b := cut(len(r))
	return one(Text(string(r[a:b])))
}

// replace is ${x/a/b} and its kin.
func (s *shell) replace(v values, pe *syntax.ParamExp) values {
	if pe.Repl.Orig == nil {
		return v // ${x/} replaces nothing
	}
	pat := s.pattern(pe.Repl.Orig)
	with := s.joined(pe.Repl.With)
	if !v.set {
		return v
	}
	p, okp := pat.Known()
	to, okw := with.Known()
	return v.mapped(func(w Word) Word {
		t, ok := w.Known()
		if !ok && onlyKind(w, Unset) {
			return w
		}
		if !ok || !okp || !okw || len(t) > maxMatch || len(t)*max(len(to), 1) > maxWord {
			return unknown(s.text(pe), "a replacement in a value that is not known")
		}
		s.r.step(len(t))
		return Text(replaceText(t, p, to, pe.Repl.All))
	})
}

func replaceText(t, p, to string, all bool) string {
	if p == "" {
		return t
	}
	switch p[0] {
	case '#':
		for i := len(t); i >= 0; i-- {
			if match(p[1:], t[:i]) {
				return to + t[i:]
			}
		}
		return t
	case '%':
		for i := 0; i <= len(t); i++ {
			if match(p[1:], t[i:]) {
				return t[:i] + to
			}
		}
		return t
	}
	if !strings.ContainsAny(p, `*?[\`) {
		n := 1
		if all {
			n = -1
		}
		return strings.Replace(t, p, to, n)
	}
	if len(t) > 512 {
		return t
	}
	var b strings.Builder
	for i := 0; i < len(t); {
		hit := -1
		for j := len(t); j > i; j-- {
			if match(p, t[i:j]) {
				hit = j
				break
			}
		}
		if hit < 0 {
			b.WriteByte(t[i])
			i++
			continue
		}
		b.WriteString(to)
		i = hit
		if !all {
			b.WriteString(t[i:])
			return b.String()
		}
	}
	return b.String()
}

// arithWord is what $((x)) expands to.
func (s *shell) arithWord(x syntax.ArithmExpr, text string) Word {
	n, ok := s.arith(x)
	if !ok {
		return opaque(text, "a number")
	}
	return Text(strconv.FormatInt(n, 10))
}

// arith evaluates an arithmetic expression; false where a value in it is not
// known. Assignments in it are made either way.
func (s *shell) arith(x syntax.ArithmExpr) (int64, bool) {
	if !s.r.step(1) {
		return 0, false
	}
	switch x := x.(type) {
	case nil:
		return 0, true
	case *syntax.Word:
		return s.arithWordValue(x)
	case *syntax.ParenArithm:
		return s.arith(x.X)
	case *syntax.UnaryArithm:
		switch x.Op {
		case syntax.Inc, syntax.Dec:
			name := arithName(x.X)
			n, ok := s.arith(x.X)
			m := n + 1
			if x.Op == syntax.Dec {
				m = n - 1
			}
			s.assignNumber(name, m, ok)
			if x.Post {
				return n, ok
			}
			return m, ok
		}
		n, ok := s.arith(x.X)
		switch x.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Not:
			return truth(n == 0), ok
		case syntax.BitNegation:
			return ^n, ok
		}
		return n, ok
	case *syntax.BinaryArithm:
		return s.arithBinary(x)
	}
	return 0, false
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func arithName(x syntax.ArithmExpr) string {
	if w, ok := x.(*syntax.Word); ok {
		if l := w.Lit(); isName(l) {
			return l
		}
		if len(w.Parts) == 1 {
			if pe, ok := w.Parts[0].(*syntax.ParamExp); ok && pe.Param != nil && isName(pe.Param.Value) {
				return pe.Param.Value
			}
		}
	}
	return ""
}

func (s *shell) assignNumber(name string, n int64, ok bool) {
	if name == "" {
		return
	}
	if ok {
		s.assign(name, Text(strconv.FormatInt(n, 10)))
		return
	}
	s.assign(name, opaque("$"+name, "a number"))
}

func (s *shell) arithWordValue(w *syntax.Word) (int64, bool) { return s.arithText(s.joined(w)) }

// arithText is the number that a word of an arithmetic expression stands for.
func (s *shell) arithText(v Word) (int64, bool) {
	t, ok := v.Known()
	if !ok {
		if onlyKind(v, Unset) {
			return 0, true
		}
		return 0, false
	}
	for hops := 0; hops < 4; hops++ {
		t = strings.TrimSpace(t)
		if t == "" {
			return 0, true
		}
		if n, ok := parseNumber(t); ok {
			return n, true
		}
		if !isName(t) {
			return 0, false
		}
		a := s.lookup(t)
		if !a.set || len(a.words) == 0 {
			return 0, true
		}
		if t, ok = a.words[0].Known(); !ok {
			return 0, onlyKind(a.words[0], Unset)
		}
	}
	return 0, false
}

func parseNumber(t string) (int64, bool) {
	if i := strings.IndexByte(t, '#'); i > 0 {
		base, err := strconv.Atoi(t[:i])
		if err != nil || base < 2 || base > 36 {
			return 0, false
		}
		n, err := strconv.ParseInt(t[i+1:], base, 64)
		return n, err == nil
	}
	if strings.IndexByte(t, '_') >= 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(t, 0, 64)
	return n, err == nil
}

func (s *shell) arithBinary(x *syntax.BinaryArithm) (int64, bool) {
	switch x.Op {
	case syntax.Assgn:
		n, ok := s.arith(x.Y)
		s.assignNumber(arithName(x.X), n, ok)
		return n, ok
	case syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		a, ok1 := s.arith(x.X)
		b, ok2 := s.arith(x.Y)
		n, ok := calc(plainOp(x.Op), a, b)
		ok = ok && ok1 && ok2
		s.assignNumber(arithName(x.X), n, ok)
		return n, ok
	case syntax.TernQuest:
		c, ok := s.arith(x.X)
		y, yes := x.Y.(*syntax.BinaryArithm)
		if !yes {
			return 0, false
		}
		a, ok1 := s.arith(y.X)
		b, ok2 := s.arith(y.Y)
		if !ok {
			return 0, false
		}
		if c != 0 {
			return a, ok1
		}
		return b, ok2
	}
	a, ok1 := s.arith(x.X)
	b, ok2 := s.arith(x.Y)
	if !ok1 || !ok2 {
		return 0, false
	}
	return calc(x.Op, a, b)
}

// plainOp is the operator of an assignment like +=.
func plainOp(op syntax.BinAritOperator) syntax.BinAritOperator {
	switch op {
	case syntax.AddAssgn:
		return syntax.Add
	case syntax.SubAssgn:
		return syntax.Sub
	case syntax.MulAssgn:
		return syntax.Mul
	case syntax.QuoAssgn:
		return syntax.Quo
	case syntax.RemAssgn:
		return syntax.Rem
	case syntax.AndAssgn:
		return syntax.And
	case syntax.OrAssgn:
		return syntax.Or
	case syntax.XorAssgn:
		return syntax.Xor
	case syntax.ShlAssgn:
		return syntax.Shl
	}
	return syntax.Shr
}

func calc(op syntax.BinAritOperator, a, b int64) (int64, bool) {
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo:
		if b == 0 || b == -1 {
			return -a, b == -1
		}
		return a / b, true
	case syntax.Rem:
		if b == 0 || b == -1 {
			return 0, b == -1
		}
		return a % b, true
	case syntax.Pow:
		if b < 0 || b > 64 {
			return 0, false
		}
		n := int64(1)
		for ; b > 0; b-- {
			n *= a
		}
		return n, true
	case syntax.Eql:
		return truth(a == b), true
	case syntax.Neq:
		return truth(a != b), true
	case syntax.Lss:
		return truth(a < b), true
	case syntax.Gtr:
		return truth(a > b), true
	case syntax.Leq:
		return truth(a <= b), true
	case syntax.Geq:
		return truth(a >= b), true
	case syntax.And:
		return a & b, true
	case syntax.Or:
		return a | b, true
	case syntax.Xor:
		return a ^ b, true
	case syntax.Shl:
		return a << (uint64(b) & 63), true
	case syntax.Shr:
		return a >> (uint64(b) & 63), true
	case syntax.AndArit:
		return truth(a != 0 && b != 0), true
	case syntax.OrArit:
		return truth(a != 0 || b != 0), true
	case syntax.XorBool:
		return truth((a != 0) != (b != 0)), true
	case syntax.Comma:
		return b, true
	}
	return 0, false
}
