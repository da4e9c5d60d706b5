package acts

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// leaf files a command as itself, and follows what it prints where somebody
// reads that.
func (s *shell) leaf(c call) int {
	return s.leafCode(c, 0)
}

func (s *shell) leafCode(c call, code uint64) int {
	a := Act{Kind: Run, Argv: c.argv, Assigns: c.assigns, Redirs: c.redirs, Source: c.src, Code: code}
	if c.fed {
		a.Stdin = c.stdin
	}
	i := s.emit(a)
	s.prints(c)
	return i
}

// prints hands on what a command prints.
func (s *shell) prints(c call) {
	switch {
	case c.stdout == outFile:
		s.writeFiles(c, s.printed(c))
		if t, ok := c.argv[0].Known(); ok && ProgramName(t) == "tee" {
			s.tee(c)
		}
	default:
		if t, ok := c.argv[0].Known(); ok {
			switch ProgramName(t) {
			case "tee":
				s.tee(c)
			case "cp", "mv", "install", "ln":
				s.copies(c)
			case "curl", "wget":
				// What they fetch is not on the line: a file written over is not known.
			}
		}
		if c.stdout == outHere && s.at.out != nil {
			s.at.out.add(s.printed(c))
		}
	}
}

// tee remembers what tee writes.
func (s *shell) tee(c call) {
	w := s.at.stdin.Text
	ok := s.at.stdin.HasText
	if c.fed {
		w, ok = c.stdin.Text, c.stdin.HasText
	}
	if !ok {
		w = unknown("", "what is piped into tee")
	}
	appends := false
	for _, a := range c.argv[1:] {
		t, known := a.Known()
		if known && strings.HasPrefix(t, "-") {
			appends = appends || t == "-a" || t == "--append"
			continue
		}
		if path, ok := s.key(a); ok {
			s.r.setFile(path, w, appends, s.at.conditional)
		}
	}
}

// copies follows a file of the line to its second name.
func (s *shell) copies(c call) {
	if len(s.r.files) == 0 {
		return
	}
	var ops []Word
	for _, a := range c.argv[1:] {
		if t, ok := a.Known(); ok && strings.HasPrefix(t, "-") {
			continue
		}
		ops = append(ops, a)
	}
	if len(ops) != 2 {
		return
	}
	for _, t := range s.fileTexts(ops[0]) {
		if path, ok := s.key(ops[1]); ok {
			s.r.setFile(path, t, false, s.at.conditional)
		}
	}
}

// run runs one command: a function, a builtin, a wrapper around another
// command, a carrier of code, or a program.
func (s *shell) run(c call) {
	if !s.r.step(2) {
		return
	}
	name, ok := c.argv[0].Known()
	if !ok || name == "" {
		s.leaf(c)
		return
	}
	if c.plain {
		if c.wraps++; c.wraps > s.r.b.Depth {
			s.r.bound("depth")
			s.emit(Act{Kind: Unread, Text: s.joinWords(c.argv).String(), Why: "more wrappers than are taken off", Source: c.src, Redirs: c.redirs})
			return
		}
	}
	if !c.plain {
		if e := s.find(kFunc, name); e != nil && len(e.bodies) > 0 {
			s.call(e, c)
			return
		}
	}
	if strings.IndexByte(name, '/') < 0 {
		if s.builtin(name, c) {
			return
		}
	}
	s.program(ProgramName(name), c)
}

// program runs a command that is no builtin.
func (s *shell) program(name string, c call) {
	if s.wrapper(name, c) || s.carrier(name, c) {
		return
	}
	if strings.IndexByte(c.argv[0].String(), '/') >= 0 {
		if texts := s.fileTexts(c.argv[0]); len(texts) > 0 {
			s.runFile(c.argv[0].String(), texts, c, c.argv[1:], c.argv[0])
			return
		}
	}
	s.leaf(c)
}

// runFile runs a file that the line wrote as a script of its own.
func (s *shell) runFile(via string, texts []Word, c call, args []Word, arg0 Word) {
	s.within(c, func() {
		s.at.via = concat(s.at.via, []string{via})
		for _, t := range texts {
			if lang := shebang(t); lang != "" {
				s.code(lang, t, call{argv: []Word{arg0}, src: c.src})
				continue
			}
			s.process(c.assigns, args, arg0, func() { s.scriptText(t, c.src) })
		}
	})
}

// shebang is the interpreter a script's first line asks for, where that is no
// shell.
func shebang(t Word) string {
	p := t.Prefix()
	if !strings.HasPrefix(p, "#!") {
		return ""
	}
	if i := strings.IndexByte(p, '\n'); i >= 0 {
		p = p[:i]
	}
	for _, f := range strings.Fields(p[2:]) {
		if lang := codeLang(ProgramName(f)); lang != "" {
			return lang
		}
	}
	return ""
}

// maxSame is how often one function is followed into itself.
const maxSame = 3

// call runs a function where it is called.
func (s *shell) call(e *entry, c call) {
	same := 0
	for _, b := range s.running {
		if b == e.bodies[0] {
			same++
		}
	}
	if same > maxSame {
		return
	}
	if !s.deeper() {
		s.emit(Act{Kind: Unread, Text: c.src, Why: "nested deeper than is read", Source: c.src})
		return
	}
	args := alt{set: true, array: true, words: present(c.argv[1:])}
	if same == maxSame {
		// Deeper down its arguments are anybody's guess; once more with none of them
		// known is all that can be said.
		args = alt{set: true, array: true, more: true}
	}
	if len(args.words) > maxArgs {
		args.words, args.more = args.words[:maxArgs], true
	}
	for _, w := range args.words {
		args.more = args.more || loose(w)
	}
	s.running = append(s.running, e.bodies[0])
	oldArgs := s.find(kArgs, "")
	restore := entry{kind: kArgs, alts: []alt{{}}}
	if oldArgs != nil {
		restore = *oldArgs
	}
	bodies, src := e.bodies, e.why
	ct := &catch{up: s.catch, fn: true, base: s.top}
	s.catch = ct
	s.put(entry{kind: kArgs, alts: []alt{args}})
	for _, a := range c.assigns {
		s.localSave(ct, a.Name)
		s.put(entry{kind: kVar, name: a.Name, exported: true, alts: []alt{{set: true, words: []Word{a.Value}}}})
	}
	oldSrc := s.src
	s.src = src
	s.within(c, func() {
		if len(bodies) == 1 {
			s.stmt(bodies[0])
		} else {
			var ways [][]entry
			for _, b := range bodies {
				w, _ := s.branch(true, func() { s.stmt(b) })
				ways = append(ways, w)
			}
			s.join(s.top, ways)
		}
	})
	s.src = oldSrc
	s.catch = ct.up
	if s.dead == deadReturn {
		s.dead = alive
	}
	if len(ct.ways) > 0 {
		s.join(s.top, append([][]entry{nil}, dedupWays(ct.ways)...))
	}
	for i := len(ct.saved) - 1; i >= 0; i-- {
		s.put(ct.saved[i])
	}
	s.put(restore)
	s.running = s.running[:len(s.running)-1]
	s.r.depth--
}

// loose reports whether a word may be several: text that is not known, outside
// quotes.
func loose(w Word) bool {
	for _, p := range w.Parts {
		if p.Kind == Unknown && !p.Quoted {
			return true
		}
	}
	return false
}

// localSave puts a variable aside until the function returns.
func (s *shell) localSave(ct *catch, name string) {
	for i := range ct.saved {
		if ct.saved[i].name == name {
			return
		}
	}
	e := entry{kind: kVar, name: name, gone: true, alts: []alt{{}}}
	if old := s.find(kVar, name); old != nil {
		e = *old
	} else if ev, ok := s.envEntry(name); ok {
		e = ev
	}
	ct.saved = append(ct.saved, e)
}

// maxValue is how many bytes a variable holds before its value is not known.
const maxValue = 64 << 10

// assign sets a variable to one word.
func (s *shell) assign(name string, w Word) {
	s.assignAlt(name, alt{set: true, words: []Word{w}})
}

func (s *shell) assignAlt(name string, a alt) {
	if !isName(name) {
		return
	}
	size := 0
	for _, w := range a.words {
		for _, p := range w.Parts {
			size += len(p.Text) + 32
		}
		size += 16
	}
	if s.r.step(size / 512); size > maxValue {
		// A value that long is no path and no flag; doubling it again and again is how
		// a short line fills a memory.
		a.words, a.keys, a.more = []Word{unknown("$"+name, name+" is too long to follow")}, nil, a.array
	}
	e := entry{kind: kVar, name: name}
	if old := s.find(kVar, name); old != nil {
		if old.ref && len(old.alts) == 1 && len(old.alts[0].words) == 1 && !a.array {
			if t, ok := old.alts[0].words[0].Known(); ok && t != name && isName(t) {
				old2 := s.find(kVar, t)
				if old2 == nil || !old2.ref {
					s.assignAlt(t, a)
					return
				}
			}
		}
		e.exported, e.fold = old.exported, old.fold
		if old.gone {
			e.exported = false
		}
	} else if _, ok := s.r.o.Env[name]; ok {
		e.exported = true
	}
	if e.fold != 0 && len(a.words) == 1 {
		if t, ok := a.words[0].Known(); ok {
			switch e.fold {
			case 'u':
				a.words = []Word{Text(strings.ToUpper(t))}
			case 'l':
				a.words = []Word{Text(strings.ToLower(t))}
			}
		}
	}
	e.alts = []alt{a}
	s.put(e)
	if len(a.words) == 1 && !a.array && len(s.r.r.Assigns) < s.r.b.Acts {
		s.r.r.Assigns = append(s.r.r.Assigns, Assign{Name: name, Value: a.words[0]})
	}
}

// assignNode makes an assignment of the script.
func (s *shell) assignNode(a *syntax.Assign) {
	name := a.Name.Value
	switch {
	case a.Array != nil:
		s.assignArray(a)
	case a.Index != nil:
		old := s.lookup(name)
		key, ok := s.index(a.Index, old)
		v := s.joined(a.Value)
		if !ok {
			old.array, old.set, old.more = true, true, true
			s.assignAlt(name, old)
			return
		}
		n := alt{set: true, array: true, more: old.more, words: append([]Word(nil), old.words...), keys: append([]string(nil), old.keys...)}
		for i := range n.words {
			k := strconv.Itoa(i)
			if n.keys != nil {
				k = n.keys[i]
			}
			if k == key {
				if a.Append {
					v = s.cat(n.words[i], v)
				}
				n.words[i] = v
				s.assignAlt(name, n)
				return
			}
		}
		if n.keys == nil && key == strconv.Itoa(len(n.words)) {
			n.words = append(n.words, v)
		} else {
			if n.keys == nil {
				for i := range n.words {
					n.keys = append(n.keys, strconv.Itoa(i))
				}
			}
			n.words, n.keys = append(n.words, v), append(n.keys, key)
		}
		s.r.step(len(n.words) / 4)
		s.assignAlt(name, n)
	default:
		v := s.joined(a.Value)
		if a.Append {
			old := s.lookup(name)
			if old.set && !old.array && len(old.words) > 0 {
				if e := s.find(kVar, name); e != nil && e.fold == 'i' {
					s.assign(name, opaque("$"+name, "a number"))
					return
				}
				v = s.cat(old.words[0], v)
			} else if old.array && len(old.words) > 0 {
				n := old
				n.words = append([]Word(nil), old.words...)
				n.words[0] = s.cat(n.words[0], v)
				s.assignAlt(name, n)
				return
			}
		}
		s.assign(name, v)
	}
}

func (s *shell) assignArray(a *syntax.Assign) {
	n := alt{set: true, array: true}
	old := s.lookup(a.Name.Value)
	if a.Append && old.set {
		n.words, n.keys, n.more = append(n.words, old.words...), append(n.keys, old.keys...), old.more
	} else if old.keys != nil {
		n.keys = []string{}
	}
	for _, el := range a.Array.Elems {
		if el.Index != nil {
			if n.keys == nil {
				n.keys = []string{}
				for i := range n.words {
					n.keys = append(n.keys, strconv.Itoa(i))
				}
			}
			key := ""
			if w, ok := el.Index.(*syntax.Word); ok {
				if t, ok := s.joined(w).Known(); ok {
					key = t
				}
			} else if v, ok := s.arith(el.Index); ok {
				key = strconv.FormatInt(v, 10)
			}
			n.keys, n.words = append(n.keys, key), append(n.words, s.joined(el.Value))
			continue
		}
		if el.Value == nil {
			continue
		}
		for _, w := range s.words([]*syntax.Word{el.Value}) {
			if vanishes(w) {
				continue
			}
			n.more = n.more || loose(w)
			if n.keys != nil {
				n.keys = append(n.keys, strconv.Itoa(len(n.words)))
			}
			n.words = append(n.words, w)
		}
	}
	s.r.step(len(n.words) / 4)
	s.assignAlt(a.Name.Value, n)
}

// declare is export, declare, local, readonly, typeset.
func (s *shell) declare(d *syntax.DeclClause, st *syntax.Stmt) {
	c := s.redirections(st.Redirs)
	c.src = s.text(d)
	c.argv = append(c.argv, s.r.literal(d.Variant.Value))
	o := declOpts{variant: d.Variant.Value}
	for _, a := range d.Args {
		if a.Name == nil {
			f := fields{s: s, split: true}
			if a.Value != nil {
				s.parts(&f, a.Value.Parts)
				f.brk()
			}
			for _, w := range f.out {
				c.argv = append(c.argv, w)
				t, ok := w.Known()
				switch {
				case ok && len(t) > 1 && (t[0] == '-' || t[0] == '+'):
					o.option(t)
				case ok:
					name, val, has := strings.Cut(t, "=")
					s.declName(o, name)
					if has {
						s.assign(name, s.r.filled(val))
					}
				default:
					// `export "$X=..."`: a name that is not known may be any.
					if name, rest, ok := cutAssign(w); ok {
						s.declName(o, name)
						s.assign(name, rest)
					} else {
						s.put(entry{kind: kUnknown, why: c.src, alts: []alt{{set: true}}})
					}
				}
			}
			continue
		}
		s.declName(o, a.Name.Value)
		if a.Naked {
			c.argv = append(c.argv, s.r.literal(a.Name.Value))
			continue
		}
		if a.Array != nil {
			s.assignNode(a)
			c.argv = append(c.argv, s.r.literal(a.Name.Value+"=(...)"))
			continue
		}
		s.assignNode(a)
		w := s.lookup(a.Name.Value)
		v := Word{}
		if len(w.words) > 0 {
			v = w.words[0]
		}
		c.argv = append(c.argv, s.cat(s.r.literal(a.Name.Value+"="), v))
	}
	s.leaf(c)
}

type declOpts struct {
	variant                    string
	export, unexport, ref, fun bool
	assoc, array               bool
	fold                       byte
}

func (o *declOpts) option(t string) {
	on := t[0] == '-'
	for _, c := range t[1:] {
		switch c {
		case 'x':
			o.export = on
		case 'n':
			if o.variant == "export" {
				o.unexport = true
			} else {
				o.ref = on
			}
		case 'f':
			o.fun = true
		case 'A':
			o.assoc = on
		case 'a':
			o.array = on
		case 'u', 'l', 'i':
			if on {
				o.fold = byte(c)
			}
		}
	}
}

// declName gives a name its attributes.
func (s *shell) declName(o declOpts, name string) {
	if o.fun {
		if e := s.find(kFunc, name); e != nil && (o.variant == "export" || o.export) {
			n := *e
			n.exported = true
			s.put(n)
		}
		return
	}
	if !isName(name) {
		return
	}
	old := s.find(kVar, name)
	e := entry{kind: kVar, name: name, alts: []alt{{}}}
	if old != nil {
		e = *old
	} else if ev, ok := s.envEntry(name); ok {
		e = ev
	}
	local := o.variant == "local" || (o.variant == "declare" || o.variant == "typeset")
	if local {
		for ct := s.catch; ct != nil; ct = ct.up {
			if ct.fn {
				s.localSave(ct, name)
				e.alts, e.ref, e.fold = []alt{{}}, false, 0
				if !e.exported || old == nil {
					e.exported = false
				}
				break
			}
		}
	}
	e.exported = (e.exported || o.variant == "export" || o.export) && !o.unexport
	e.ref = e.ref || o.ref || o.variant == "nameref"
	if o.fold != 0 {
		e.fold = o.fold
	}
	if o.assoc && len(e.alts) == 1 && !e.alts[0].set {
		e.alts = []alt{{set: true, array: true, keys: []string{}}}
	}
	// An unset name that is not exported still hides the environment's.
	e.gone = !e.alts[0].set && len(e.alts) == 1 && !e.exported
	s.put(e)
}

// cutAssign splits a word like NAME=value whose name is known.
func cutAssign(w Word) (string, Word, bool) {
	if len(w.Parts) == 0 || w.Parts[0].Kind != Lit {
		return "", Word{}, false
	}
	name, val, ok := strings.Cut(w.Parts[0].Text, "=")
	if !ok || !isName(name) {
		return "", Word{}, false
	}
	rest := w.Parts[1:]
	if val != "" {
		rest = append([]Part{{Kind: Lit, Text: val, Quoted: w.Parts[0].Quoted}}, rest...)
	}
	return name, Word{Parts: rest}, true
}

// builtin runs a builtin that changes the shell; false: it is none of those.
func (s *shell) builtin(name string, c call) bool {
	args := c.argv[1:]
	switch name {
	case "cd", "chdir":
		s.leaf(c)
		s.cd(args)
	case "pushd":
		s.leaf(c)
		s.pushd(args)
	case "popd":
		s.leaf(c)
		s.popd()
	case "export", "declare", "typeset", "local", "readonly":
		o := declOpts{variant: name}
		for _, w := range args {
			t, ok := w.Known()
			if ok && len(t) > 1 && (t[0] == '-' || t[0] == '+') {
				o.option(t)
				continue
			}
			if n, v, ok := cutAssign(w); ok {
				s.declName(o, n)
				s.assign(n, v)
				continue
			}
			s.declName(o, t)
		}
		s.leaf(c)
	case "unset":
		s.leaf(c)
		fun := false
		for _, w := range args {
			t, ok := w.Known()
			switch {
			case !ok:
			case t == "-f":
				fun = true
			case t == "-v" || t == "-n":
			case fun:
				s.put(entry{kind: kFunc, name: t, gone: true})
			default:
				// Without -f a variable goes first, a function where there is none.
				if e := s.find(kVar, t); e == nil && s.find(kFunc, t) != nil {
					s.put(entry{kind: kFunc, name: t, gone: true})
				} else if e == nil || !e.ref {
					s.put(entry{kind: kVar, name: t, gone: true, alts: []alt{{}}})
				}
			}
		}
	case "set":
		s.leaf(c)
		s.set(args)
	case "shift":
		s.leaf(c)
		n := 1
		if len(args) > 0 {
			if t, ok := args[0].Known(); ok {
				n, _ = strconv.Atoi(t)
			}
		}
		a := s.argList()
		if n >= 0 && n <= len(a.words) {
			a.words = a.words[n:]
		} else if n > len(a.words) && a.more {
			a.words = nil
		}
		a.set, a.array = true, true
		s.put(entry{kind: kArgs, alts: []alt{a}})
	case "eval":
		if len(args) > 0 && args[0].Is("--") {
			args = args[1:]
		}
		w := s.joinWords(args)
		s.within(c, func() {
			for _, a := range c.assigns {
				s.assign(a.Name, a.Value)
			}
			s.at.via = concat(s.at.via, []string{"eval"})
			s.scriptText(w, c.src)
			if nothingKnown(w) {
				s.put(entry{kind: kUnknown, why: "what eval runs", alts: []alt{{set: true}}})
			}
		})
	case "source", ".":
		s.source(c, name)
	case "trap":
		s.leaf(c)
		s.trap(args)
	case "alias":
		s.leaf(c)
		for _, w := range args {
			i := -1
			if len(w.Parts) > 0 && w.Parts[0].Kind == Lit {
				i = strings.IndexByte(w.Parts[0].Text, '=')
			}
			if i <= 0 {
				continue
			}
			n := w.Parts[0].Text[:i]
			v := Word{Parts: append([]Part{{Kind: Lit, Text: w.Parts[0].Text[i+1:]}}, w.Parts[1:]...)}
			s.put(entry{kind: kAlias, name: n, unit: s.unit, line: c.line, alts: []alt{{set: true, words: []Word{v}}}})
		}
	case "unalias":
		s.leaf(c)
		for _, w := range args {
			if t, ok := w.Known(); ok {
				s.put(entry{kind: kAlias, name: t, alts: []alt{{}}})
			}
		}
	case "read":
		s.leaf(c)
		s.read(c, args)
	case "mapfile", "readarray":
		s.leaf(c)
		s.mapfile(c, args)
	case "printf":
		if len(args) >= 2 && args[0].Is("-v") {
			n, ok := args[1].Known()
			w, okw := Word{}, false
			if len(args) > 2 {
				w, okw = s.printf(args[2:])
			}
			if !okw {
				w = unknown("$"+n, "what printf makes")
			}
			if ok {
				s.assign(n, w)
			}
			s.emit(Act{Kind: Run, Argv: c.argv, Assigns: c.assigns, Redirs: c.redirs, Source: c.src})
			return true
		}
		s.leaf(c)
	case "getopts":
		s.leaf(c)
		if len(args) > 1 {
			if t, ok := args[1].Known(); ok {
				s.assign(t, opaque("$"+t, "an option"))
			}
		}
		s.assign("OPTARG", unknown("$OPTARG", "the value of an option"))
	case "exit", "logout":
		s.leaf(c)
		s.dead = deadExit
	case "return":
		s.leaf(c)
		within := s.sourced > 0
		for ct := s.catch; ct != nil; ct = ct.up {
			if ct.fn {
				within = true
				if s.top != ct.base && len(ct.ways) < maxFrom {
					ct.ways = append(ct.ways, append([]entry(nil), changes(s.top, ct.base)...))
				}
				break
			}
		}
		// Outside a function and a sourced file bash says that it can't, and goes on.
		if within {
			s.dead = deadReturn
		}
	case "break", "continue":
		s.leaf(c)
		if s.catch == nil || s.catch.fn {
			return true
		}
		s.left = 1
		if len(args) > 0 {
			if t, ok := args[0].Known(); ok {
				if n, err := strconv.Atoi(t); err == nil && n > 0 {
					s.left = n
				}
			}
		}
		// It may leave several loops at once; the state goes along to each.
		ct := s.catch
		for n := s.left; n > 0 && ct != nil && !ct.fn; n, ct = n-1, ct.up {
			if s.top == ct.base || len(ct.ways)+len(ct.breaks) >= maxFrom {
				continue
			}
			w := append([]entry(nil), changes(s.top, ct.base)...)
			if name == "break" || n > 1 {
				ct.breaks = append(ct.breaks, w)
			} else {
				ct.ways = append(ct.ways, w)
			}
		}
		s.dead, s.breaking = deadLoop, name == "break" || s.left > 1
	case "exec":
		s.exec(c)
	case "command":
		i := 1
		for i < len(c.argv) {
			t, ok := c.argv[i].Known()
			if !ok || len(t) < 2 || t[0] != '-' {
				break
			}
			i++
			if t == "--" {
				break
			}
			if strings.ContainsAny(t[1:], "vV") {
				s.leaf(c)
				return true
			}
		}
		s.inner(c, i, "command")
	case "builtin":
		s.inner(c, 1, "builtin")
	case "let":
		s.leaf(c)
		for _, w := range args {
			if t, ok := w.Known(); ok {
				if i := strings.IndexByte(t, '='); i > 0 && isName(strings.TrimRight(t[:i], "+-*/%")) {
					s.assign(strings.TrimRight(t[:i], "+-*/%"), opaque(t, "a number"))
				}
			}
		}
	case "noglob":
		was := s.noglob
		s.noglob = true
		s.inner(c, 1, "noglob")
		s.noglob = was
	default:
		return false
	}
	return true
}

// inner runs the command that begins at the i-th word of c.
func (s *shell) inner(c call, i int, via string) {
	for i < len(c.argv) && vanishes(c.argv[i]) {
		i++
	}
	if i >= len(c.argv) {
		s.leaf(c)
		return
	}
	in := c
	in.argv = c.argv[i:]
	in.plain = true
	at := s.at
	s.at.via = concat(at.via, []string{via})
	s.run(in)
	s.at = at
}

// exec replaces the shell, or moves its descriptors.
func (s *shell) exec(c call) {
	i := 1
	for i < len(c.argv) {
		t, ok := c.argv[i].Known()
		if !ok || len(t) < 2 || t[0] != '-' {
			break
		}
		i++
		if t == "--" {
			break
		}
		if t == "-a" {
			i++
		}
	}
	if i >= len(c.argv) {
		if len(c.redirs) > 0 {
			s.emit(Act{Kind: Land, Redirs: c.redirs, Source: c.src})
		}
		s.at.redirs = concatCap(s.at.redirs, c.redirs)
		if c.fed {
			s.at.stdin = c.stdin
		}
		if c.stdout != outHere {
			s.at.out = nil
		}
		return
	}
	s.inner(c, i, "exec")
	s.dead = deadExit
}

// scriptText reads a text that is a script here, unless nothing of it is known.
func (s *shell) scriptText(w Word, src string) {
	if nothingKnown(w) {
		s.emit(Act{Kind: Unread, Text: w.String(), Why: "a script that is not known: " + w.Why(), Source: src})
		return
	}
	s.script(w)
}

// nothingKnown reports whether a word has no text to go by.
func nothingKnown(w Word) bool {
	for _, p := range w.Parts {
		if p.Kind == Lit && strings.TrimSpace(p.Text) != "" || p.Kind == TempPath || p.Kind == Opaque || p.Kind == Glob {
			return false
		}
	}
	for _, p := range w.Parts {
		if p.Kind == Unknown {
			return true
		}
	}
	return false
}

// cd moves the shell. It is taken to succeed.
func (s *shell) cd(args []Word) {
	var to Word
	given := false
	for _, a := range args {
		t, ok := a.Known()
		if ok && !given && len(t) > 1 && t[0] == '-' {
			continue
		}
		if !given {
			to, given = a, true
		}
	}
	if given && vanishes(to) {
		// An unset variable outside quotes is no word: that is `cd` alone.
		given = false
	}
	old := s.dir()
	switch {
	case !given:
		to = s.tilde("~")
	case to.Is("-"):
		to = s.oldDir()
	default:
		to = s.resolve(old, to)
	}
	s.put(entry{kind: kOldDir, alts: []alt{{set: true, words: []Word{old}}}})
	s.put(entry{kind: kDir, alts: []alt{{set: true, words: []Word{to}}}})
}

// resolve is the directory that a word names from another.
func (s *shell) resolve(dir, w Word) Word {
	t, ok := w.Known()
	if ok {
		if t == "" {
			return dir
		}
		if isAbs(t) {
			return Text(cleanPath(t))
		}
		if d, ok := dir.Known(); ok {
			if d == "" {
				return Text(cleanPath(t))
			}
			return Text(cleanPath(d + "/" + t))
		}
		if len(dir.Parts) == 1 && dir.Parts[0].Kind == Unknown {
			return Word{Parts: []Part{{Kind: Unknown, Text: dir.Parts[0].Text, Why: dir.Parts[0].Why}, {Kind: Lit, Text: "/" + t}}}
		}
		return s.cat(dir, Text("/"+t))
	}
	for _, p := range w.Parts {
		if p.Kind == Unset {
			return unknown(w.String(), w.Why())
		}
	}
	if w.Parts[0].Kind == Lit && isAbs(w.Parts[0].Text) || w.Parts[0].Kind == TempPath {
		return w
	}
	if w.Parts[0].Kind == Unknown {
		return w
	}
	return s.cat(dir, s.cat(Text("/"), w))
}

func (s *shell) dirStack() alt {
	if e := s.find(kDirs, ""); e != nil {
		return e.alts[0]
	}
	return alt{}
}

func (s *shell) pushd(args []Word) {
	var to Word
	given := false
	for _, a := range args {
		if t, ok := a.Known(); ok && (t == "-n" || len(t) > 1 && (t[0] == '+' || t[0] == '-') && isDescriptor(t[1:])) {
			if t != "-n" {
				s.put(entry{kind: kDir, alts: []alt{{set: true, words: []Word{unknown("", "a directory of the stack")}}}})
				return
			}
			continue
		}
		to, given = a, true
	}
	st := s.dirStack()
	here := s.dir()
	words := append([]Word(nil), st.words...)
	if !given {
		if len(words) == 0 {
			return
		}
		to = words[len(words)-1]
		words = words[:len(words)-1]
	} else {
		to = s.resolve(here, to)
	}
	words = append(words, here)
	if len(words) > maxFrom {
		words = words[1:]
	}
	s.put(entry{kind: kDirs, alts: []alt{{set: true, array: true, words: words}}})
	s.put(entry{kind: kOldDir, alts: []alt{{set: true, words: []Word{here}}}})
	s.put(entry{kind: kDir, alts: []alt{{set: true, words: []Word{to}}}})
}

func (s *shell) popd() {
	st := s.dirStack()
	if len(st.words) == 0 {
		return
	}
	n := len(st.words) - 1
	to := st.words[n]
	s.put(entry{kind: kDirs, alts: []alt{{set: true, array: true, words: append([]Word(nil), st.words[:n]...)}}})
	s.put(entry{kind: kOldDir, alts: []alt{{set: true, words: []Word{s.dir()}}}})
	s.put(entry{kind: kDir, alts: []alt{{set: true, words: []Word{to}}}})
}

func (s *shell) set(args []Word) {
	for i, w := range args {
		t, ok := w.Known()
		if !ok {
			s.setArgs(args[i:])
			return
		}
		if t == "--" {
			s.setArgs(args[i+1:])
			return
		}
		if t == "-" {
			s.setArgs(args[i+1:])
			return
		}
		if len(t) > 1 && (t[0] == '-' || t[0] == '+') {
			if strings.Contains(t[1:], "f") && !strings.HasPrefix(t, "--") {
				s.noglob = t[0] == '-'
			}
			continue
		}
		if i > 0 {
			if o, _ := args[i-1].Known(); strings.HasSuffix(o, "o") && len(o) > 1 && (o[0] == '-' || o[0] == '+') {
				if t == "noglob" {
					s.noglob = o[0] == '-'
				}
				continue
			}
		}
		s.setArgs(args[i:])
		return
	}
}

// maxArgs is how many positional parameters are kept one by one.
const maxArgs = 1 << 10

func (s *shell) setArgs(words []Word) {
	a := alt{set: true, array: true}
	for _, w := range words {
		if vanishes(w) {
			continue
		}
		if len(a.words) >= maxArgs {
			a.more = true
			break
		}
		a.words = append(a.words, w)
		a.more = a.more || loose(w)
	}
	s.put(entry{kind: kArgs, alts: []alt{a}})
}

// source runs a file in this very shell, where the line holds its text.
func (s *shell) source(c call, name string) {
	args := c.argv[1:]
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 {
		s.leaf(c)
		return
	}
	texts := s.fileTexts(args[0])
	if args[0].Is("/dev/stdin") || args[0].Is("/proc/self/fd/0") || args[0].Is("/dev/fd/0") || args[0].Is("-") {
		in := s.at.stdin
		if c.fed {
			in = c.stdin
		}
		if in.HasText {
			texts = []Word{in.Text}
		}
	}
	if len(texts) == 0 {
		s.leaf(c)
		// What it sets is not known; what the line set before stays what it is, which
		// is the likelier of the two.
		s.put(entry{kind: kUnknown, why: name + " " + args[0].String(), alts: []alt{{set: true}}})
		return
	}
	s.within(c, func() {
		s.at.via = concat(s.at.via, []string{name + " " + args[0].String()})
		old := s.find(kArgs, "")
		restore := entry{kind: kArgs, alts: []alt{{}}}
		if old != nil {
			restore = *old
		}
		if len(args) > 1 {
			s.setArgs(args[1:])
		}
		for _, t := range texts {
			s.sourced++
			s.scriptText(t, c.src)
			s.sourced--
			if s.dead == deadReturn {
				s.dead = alive
			}
		}
		if len(args) > 1 {
			s.put(restore)
		}
	})
}

func (s *shell) trap(args []Word) {
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	if t, ok := args[0].Known(); ok && len(t) > 1 && t[0] == '-' {
		return
	}
	if len(args) == 1 {
		return
	}
	action := args[0]
	for _, w := range args[1:] {
		t, _ := w.Known()
		t = strings.TrimPrefix(strings.ToUpper(t), "SIG")
		if t == "0" || t == "" {
			t = "EXIT"
		}
		a := alt{set: true, words: []Word{action}}
		if action.Is("-") || action.Is("") {
			a = alt{}
		}
		s.put(entry{kind: kTrap, name: t, alts: []alt{a}})
	}
}

// fireTraps runs the traps that were set in this shell, as it ends.
func (s *shell) fireTraps() {
	for round := 0; round < 4; round++ {
		var texts []Word
		for i := range s.top.ents {
			e := &s.top.ents[i]
			if e.kind != kTrap {
				continue
			}
			for _, a := range e.alts {
				if !a.set || len(a.words) == 0 {
					continue
				}
				dup := false
				for _, t := range texts {
					dup = dup || sameWord(t, a.words[0])
				}
				if !dup {
					texts = append(texts, a.words[0])
				}
			}
			e.alts = []alt{{}}
		}
		if len(texts) == 0 {
			return
		}
		at := s.at
		s.dead = alive
		s.at.conditional = true
		s.at.via = concat(at.via, []string{"trap"})
		for _, t := range texts {
			s.dead = alive
			s.scriptText(t, "trap")
		}
		s.at = at
	}
}

// read takes its words from its input, where the line tells it and nothing has
// read from it before.
func (s *shell) read(c call, args []Word) {
	var names []string
	array, raw, delim := "", false, "\n"
	for i := 0; i < len(args); i++ {
		t, ok := args[i].Known()
		if !ok {
			continue
		}
		if len(t) > 1 && t[0] == '-' && len(names) == 0 {
			for j := 1; j < len(t); j++ {
				o := t[j]
				if o == 'r' {
					raw = true
				}
				if strings.IndexByte("adinNptu", o) >= 0 {
					v := t[j+1:]
					if v == "" {
						if i++; i < len(args) {
							v, _ = args[i].Known()
						}
					}
					switch o {
					case 'a':
						array = v
					case 'd':
						delim = v
					case 'n', 'N', 'u':
						delim = "?"
					}
					break
				}
			}
			continue
		}
		names = append(names, t)
	}
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	line, ok := "", false
	if in.HasText && delim == "\n" && !s.looping() {
		line, ok = in.Text.Known()
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if strings.IndexByte(line, '\\') >= 0 && !raw {
			ok = false
		}
	}
	if in.HasText && delim == "" && !s.looping() {
		line, ok = in.Text.Known()
	}
	if len(names) == 1 && array == "" && in.HasText && onlyPaths(in.Text) {
		// Paths that a search prints: each of them is below where it began.
		if items, ok := s.items(call{}, func(b byte) bool { return b == '\n' || b == 0 }); ok && len(items) == 1 {
			s.assign(names[0], items[0])
			return
		}
	}
	from := "what is read"
	if len(c.redirs) > 0 {
		from = "read from " + c.redirs[len(c.redirs)-1].Target.String()
	}
	// A variable set for read alone (`IFS=, read a b`) splits its line.
	ifs := s.ifs()
	for _, a := range c.assigns {
		if a.Name == "IFS" {
			var k bool
			if ifs, k = a.Value.Known(); !k {
				ok = false
			}
		}
	}
	if array != "" {
		a := alt{set: true, array: true, more: !ok}
		if ok {
			for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(ifs, r) }) {
				a.words = append(a.words, Text(w))
			}
		}
		s.assignAlt(array, a)
		return
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	for i, n := range names {
		if !ok {
			s.assign(n, unknown("$"+n, n+" is "+from))
			continue
		}
		v := line
		v = strings.TrimLeft(v, white(ifs))
		if i < len(names)-1 {
			if j := strings.IndexAny(v, ifs); j >= 0 && ifs != "" {
				line = v[j+1:]
				v = v[:j]
			} else {
				line = ""
			}
		} else {
			v = strings.TrimRight(v, white(ifs))
		}
		s.assign(n, Text(v))
	}
}

// white are the white space characters of an IFS.
func white(ifs string) string {
	var b []byte
	for i := 0; i < len(ifs); i++ {
		if ifs[i] == ' ' || ifs[i] == '\t' || ifs[i] == '\n' {
			b = append(b, ifs[i])
		}
	}
	return string(b)
}

// looping reports whether the shell is inside a loop.
func (s *shell) looping() bool {
	if s.feeding > 0 {
		return false // the loop's input is a line for this round
	}
	for ct := s.catch; ct != nil; ct = ct.up {
		if !ct.fn {
			return true
		}
	}
	return false
}

func (s *shell) mapfile(c call, args []Word) {
	name, trim := "MAPFILE", false
	for i := 0; i < len(args); i++ {
		t, ok := args[i].Known()
		if !ok {
			return
		}
		if len(t) > 1 && t[0] == '-' {
			trim = trim || strings.HasPrefix(t, "-t")
			if strings.IndexByte("dnOsuCc", t[len(t)-1]) >= 0 {
				i++
			}
			continue
		}
		name = t
	}
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	a := alt{set: true, array: true, more: true}
	if t, ok := in.Text.Known(); ok && in.HasText && trim && len(t) < maxMatch {
		a.more = false
		for _, l := range strings.Split(strings.TrimSuffix(t, "\n"), "\n") {
			a.words = append(a.words, Text(l))
		}
	}
	s.assignAlt(name, a)
}
