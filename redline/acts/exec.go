package acts

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call is one simple command, its words expanded.
type call struct {
	argv    []Word
	assigns []Assign
	redirs  []Redir
	stdin   Stdin
	fed     bool   // stdin is its own, not that of the place it stands in
	stdout  outWay // where its standard output goes
	src     string
	line    uint
	wraps   int  // wrappers taken off so far
	plain   bool // functions are not looked up: a wrapper starts a program
}

type outWay uint8

const (
	outHere outWay = iota // where the shell's own goes
	outFile               // into the files of its redirections
	outGone               // to another descriptor
)

// maxFrom is how many acts are named as the writers of a pipe, and how many
// redirections of surrounding groups an act carries: both are lists of lists,
// and would be quadratic in a deep nest.
const maxFrom = 64

// emit files an act, completed with what holds where the shell stands.
func (s *shell) emit(a Act) int {
	r := s.r
	if a.Kind == Land && len(a.Redirs) == 0 {
		return -1 // what is redirected only to another descriptor lands nowhere
	}
	if len(r.r.Acts) >= r.b.Acts {
		r.bound("acts")
		r.stop(a.Source)
		return -1
	}
	if len(a.Dir.Parts) == 0 {
		if s.at.remote != "" && s.find(kDir, "") == nil {
			a.Dir = unknown("", "a directory there")
		} else {
			a.Dir = s.dir()
		}
	}
	a.Via = concat(s.at.via, a.Via)
	if s.at.remote != "" {
		if a.Remote == "" {
			a.Remote = s.at.remote
		} else if a.Remote != s.at.remote {
			a.Remote = s.at.remote + ", " + a.Remote
		}
	}
	a.Conditional = a.Conditional || s.at.conditional
	a.Appended = a.Appended || s.at.appended
	a.Redirs = concatCap(s.at.redirs, a.Redirs)
	a.Assigns = concat(s.at.assigns, a.Assigns)
	if a.Stdin.Kind == Inherited && !a.Stdin.HasText {
		a.Stdin = s.at.stdin
	}
	a.Source = snip(a.Source)
	if r.dedup >= 0 {
		for i := len(r.r.Acts) - 1; i >= r.dedup && i >= len(r.r.Acts)-maxFrom; i-- {
			if sameAct(&r.r.Acts[i], &a) {
				return i
			}
		}
	}
	r.r.Acts = append(r.r.Acts, a)
	return len(r.r.Acts) - 1
}

func concat[T any](a, b []T) []T {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	return append(a[:len(a):len(a)], b...)
}

func concatCap(a, b []Redir) []Redir {
	if len(a) > maxFrom {
		a = a[len(a)-maxFrom:]
	}
	return concat(a, b)
}

func sameAct(a, b *Act) bool {
	if a.Kind != b.Kind || a.Text != b.Text || a.Remote != b.Remote || a.Recursive != b.Recursive || a.Appended != b.Appended || a.Code != b.Code ||
		len(a.Argv) != len(b.Argv) || len(a.Redirs) != len(b.Redirs) || len(a.Via) != len(b.Via) || len(a.Assigns) != len(b.Assigns) ||
		a.Stdin.Kind != b.Stdin.Kind || a.Stdin.HasText != b.Stdin.HasText ||
		!sameWord(a.Dir, b.Dir) || !sameWord(a.Target, b.Target) || !sameWord(a.Stdin.Text, b.Stdin.Text) {
		return false
	}
	for i := range a.Argv {
		if !sameWord(a.Argv[i], b.Argv[i]) {
			return false
		}
	}
	for i := range a.Redirs {
		if a.Redirs[i].Op != b.Redirs[i].Op || !sameWord(a.Redirs[i].Target, b.Redirs[i].Target) {
			return false
		}
	}
	for i := range a.Assigns {
		if a.Assigns[i].Name != b.Assigns[i].Name || !sameWord(a.Assigns[i].Value, b.Assigns[i].Value) {
			return false
		}
	}
	for i := range a.Via {
		if a.Via[i] != b.Via[i] {
			return false
		}
	}
	return true
}

// script reads a text as a script of this very shell.
func (s *shell) script(w Word) {
	if !s.deeper() {
		s.emit(Act{Kind: Unread, Text: w.String(), Why: "nested deeper than is read"})
		return
	}
	defer func() { s.r.depth-- }()
	src, unit := s.src, s.unit
	text := s.r.source(w)
	stmts, text, rest, why := s.r.parse(text)
	s.r.last = s.r.last || strings.Contains(text, "$_") || strings.Contains(text, "${_")
	s.r.units++
	s.src, s.unit = text, s.r.units
	s.stmts(stmts)
	if why != "" {
		s.r.r.Unparsed = true
		if rest != "" {
			s.emit(Act{Kind: Unread, Text: s.r.filled(rest).String(), Why: why, Source: rest})
		}
	}
	s.src, s.unit = src, unit
}

// deeper takes one level of nesting, to be given back with depth--.
func (s *shell) deeper() bool {
	if s.r.depth >= s.r.b.Depth {
		s.r.bound("depth")
		return false
	}
	s.r.depth++
	return true
}

// process runs fn as another shell started by this one: only what is exported
// goes along, and nothing comes back.
func (s *shell) process(assigns []Assign, args []Word, arg0 Word, fn func()) {
	s.child(func() {
		s.top.wall = true
		s.noglob = false
		for _, a := range assigns {
			s.put(entry{kind: kVar, name: a.Name, exported: true, alts: []alt{{set: true, words: []Word{a.Value}}}})
		}
		s.put(entry{kind: kArgs, alts: []alt{{set: true, array: true, words: args}}})
		if len(arg0.Parts) > 0 {
			s.put(entry{kind: kArg0, alts: []alt{{set: true, words: []Word{arg0}}}})
		}
		fn()
	})
}

// maxNest is how deep compound commands are followed into one another: the
// interpreter recurses like the parser does.
const maxNest = 500

func (s *shell) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		if s.dead != alive {
			return
		}
		if !s.r.more() {
			from, to := st.Pos().Offset(), list[len(list)-1].End().Offset()
			if from < to && to <= uint(len(s.src)) {
				s.r.stop(s.src[from:to])
			} else {
				s.r.stop("")
			}
			return
		}
		s.stmt(st)
	}
}

func (s *shell) stmt(st *syntax.Stmt) {
	if s.dead != alive || !s.r.step(1) {
		return
	}
	if st.Background || st.Coprocess || st.Disown {
		s.child(func() { s.command(st) })
		return
	}
	s.command(st)
}

// command runs a statement's command with its redirections.
func (s *shell) command(st *syntax.Stmt) {
	if c, ok := st.Cmd.(*syntax.CallExpr); ok {
		s.simple(c, st)
		return
	}
	if s.nest++; s.nest > maxNest {
		s.nest--
		s.r.bound("depth")
		s.emit(Act{Kind: Unread, Text: snip(s.text(st)), Why: "nested deeper than is read"})
		return
	}
	defer func() { s.nest-- }()
	switch st.Cmd.(type) {
	case nil:
		s.each(func() {
			c := s.redirections(st.Redirs)
			if len(c.redirs) > 0 {
				s.emit(Act{Kind: Land, Redirs: c.redirs, Stdin: c.stdin, Source: s.text(st)})
				s.writeFiles(c, Word{})
			}
		})
		return
	case *syntax.FuncDecl, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.DeclClause:
	default:
		if len(st.Redirs) > 0 {
			c := s.redirections(st.Redirs)
			s.within(c, func() { s.compound(st) })
			return
		}
	}
	s.compound(st)
}

// within runs fn where a command's redirections and input hold.
func (s *shell) within(c call, fn func()) {
	at := s.at
	s.at.redirs = concatCap(at.redirs, c.redirs)
	if c.fed {
		s.at.stdin = c.stdin
	}
	var out output
	switch c.stdout {
	case outFile:
		s.at.out = &out
	case outGone:
		s.at.out = nil
	}
	fn()
	s.at = at
	if c.stdout == outFile {
		s.writeFiles(c, out.word(s.r))
	}
}

func (s *shell) compound(st *syntax.Stmt) {
	switch c := st.Cmd.(type) {
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.Subshell:
		s.child(func() { s.stmts(c.Stmts) })
	case *syntax.BinaryCmd:
		s.binary(c)
	case *syntax.IfClause:
		s.ifClause(c)
	case *syntax.WhileClause:
		if !s.readLoop(c) {
			s.loop(func() { s.stmts(c.Cond) }, func() { s.stmts(c.Do) })
		}
	case *syntax.ForClause:
		s.forClause(c)
	case *syntax.CaseClause:
		s.caseClause(c)
	case *syntax.FuncDecl:
		s.funcDecl(c, st)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			at := s.at
			s.at.via = concat(at.via, []string{"time"})
			s.stmt(c.Stmt)
			s.at = at
		}
	case *syntax.CoprocClause:
		s.child(func() {
			s.at.stdin, s.at.out = Stdin{Kind: Pipe}, nil
			s.stmt(c.Stmt)
		})
	case *syntax.TestClause:
		s.each(func() {
			s.redirections(st.Redirs)
			s.testExpr(c.X)
		})
	case *syntax.ArithmCmd:
		s.each(func() { s.arith(c.X) })
	case *syntax.LetClause:
		s.each(func() {
			for _, x := range c.Exprs {
				s.arith(x)
			}
		})
	case *syntax.DeclClause:
		s.each(func() { s.declare(c, st) })
	case *syntax.TestDecl:
		s.child(func() { s.stmt(c.Body) })
	default:
		s.emit(Act{Kind: Unread, Text: snip(s.text(st)), Why: "a construct that is not understood"})
	}
}

// testExpr runs the substitutions inside [[ ]]; the test itself does nothing.
func (s *shell) testExpr(x syntax.TestExpr) {
	if !s.r.step(1) {
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryTest:
		s.testExpr(x.X)
		s.testExpr(x.Y)
	case *syntax.UnaryTest:
		s.testExpr(x.X)
	case *syntax.ParenTest:
		s.testExpr(x.X)
	case *syntax.Word:
		s.joined(x)
	}
}

// binary is &&, || and |.
func (s *shell) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		s.chain(c)
	default:
		s.pipeline(c)
	}
}

// chain runs a list of && and ||. The parser nests it to the left, one level for
// each operator, so a long list is walked, not recursed into.
func (s *shell) chain(c *syntax.BinaryCmd) {
	type link struct {
		op syntax.BinCmdOperator
		y  *syntax.Stmt
	}
	var links []link
	x := c.X
	links = append(links, link{c.Op, c.Y})
	for {
		b, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(x.Redirs) > 0 || x.Background || x.Negated {
			break
		}
		links = append(links, link{b.Op, b.Y})
		x = b.X
	}
	mark := s.at.out.mark()
	yes := s.answer(x)
	s.stmt(x)
	// sure says how the part so far is known to end: 1 with success, -1 with
	// failure, 0 not known. A command that is not a test is taken to succeed.
	sure := s.status(x)
	test := isTest(x)
	for i := len(links) - 1; i >= 0; i-- {
		l := links[i]
		if s.dead != alive || !s.r.more() {
			return
		}
		if l.op == syntax.AndStmt {
			was := yes
			if yes == 1 {
				yes = s.answer(l.y)
			}
			if test && sure != 1 {
				ways, dead := s.branch(true, func() { s.stmt(l.y) })
				both := [][]entry{nil}
				if dead == alive && was == 1 {
					both[0] = ways
				} else if dead == alive {
					both = append(both, ways)
				}
				if sure != -1 {
					s.join(s.top, both)
				}
				s.at.out.blur(mark)
			} else {
				was := s.dead
				s.stmt(l.y)
				if s.dead != alive && sure != 1 {
					s.dead = was
				}
			}
			test = test || isTest(l.y)
			if sure == 1 {
				sure = s.status(l.y)
			} else if sure == -1 {
				sure = -1
			} else {
				sure = 0
			}
			continue
		}
		half := s.at.out.mark()
		ways, dead := s.branch(true, func() { s.stmt(l.y) })
		// mktemp -d || mktemp -d -t x: one or the other, the same for whoever reads it.
		if s.at.out.either(mark, half) {
			mark = half
		}
		switch {
		case sure == 1:
			// It never runs; what it would do is an act all the same, what it would
			// leave behind is not.
		case dead != alive:
			if sure == -1 {
				s.dead = dead
			}
		default:
			if sure == -1 || yes == -1 {
				s.join(s.top, [][]entry{ways})
			} else if !cdLike(x) {
				s.join(s.top, [][]entry{nil, ways})
			}
			s.at.out.blur(mark)
		}
		test, sure, yes = false, 0, 0
	}
}

// status says what is certain of how a statement ends.
func (s *shell) status(st *syntax.Stmt) int {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || st.Negated {
		return 0
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			if a.Value != nil {
				for _, p := range a.Value.Parts {
					switch p.(type) {
					case *syntax.Lit, *syntax.SglQuoted:
					default:
						return 0
					}
				}
			}
		}
		return 1
	}
	switch c.Args[0].Lit() {
	case "true", ":", "echo", "printf", "set", "shopt", "alias":
		return 1
	case "false":
		return -1
	}
	return 0
}

// answer is the known answer of a test of a value: 1 yes, -1 no, 0 for anything
// else. It serves to drop the way around a branch that is surely taken
// (`[ -z "$A" ] && A=/tmp/x`). It never drops a branch: a hook may not see the
// environment the line will run in, and a branch is charged as if taken.
func (s *shell) answer(st *syntax.Stmt) int {
	yes := 0
	switch c := st.Cmd.(type) {
	case *syntax.TestClause:
		switch x := c.X.(type) {
		case *syntax.Word:
			yes = -s.isEmpty(x, true)
		case *syntax.UnaryTest:
			if w, ok := x.X.(*syntax.Word); ok && x.Op == syntax.TsEmpStr {
				yes = s.isEmpty(w, true)
			} else if ok && x.Op == syntax.TsNempStr {
				yes = -s.isEmpty(w, true)
			}
		}
	case *syntax.CallExpr:
		args := c.Args
		switch {
		case len(args) > 2 && args[0].Lit() == "[" && args[len(args)-1].Lit() == "]":
			args = args[1 : len(args)-1]
		case len(args) > 1 && args[0].Lit() == "test":
			args = args[1:]
		default:
			return 0
		}
		switch {
		case len(args) == 1:
			yes = -s.isEmpty(args[0], false)
		case len(args) == 2 && args[0].Lit() == "-z":
			yes = s.isEmpty(args[1], false)
		case len(args) == 2 && args[0].Lit() == "-n":
			yes = -s.isEmpty(args[1], false)
		}
	}
	if st.Negated {
		return -yes
	}
	return yes
}

// isEmpty says whether a word of one plain variable is empty: 1 yes, -1 no, 0 not
// known. Outside of [[ ]] an empty one without quotes is no word at all, and the
// test another.
func (s *shell) isEmpty(w *syntax.Word, double bool) int {
	parts := w.Parts
	quoted := double
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok && !q.Dollar {
			parts, quoted = q.Parts, true
		}
	}
	if len(parts) != 1 {
		return 0
	}
	pe, ok := parts[0].(*syntax.ParamExp)
	if !ok || pe.Param == nil || pe.Excl || pe.Length || pe.Width || pe.IsSet || pe.Index != nil || pe.Slice != nil || pe.Repl != nil ||
		pe.Flags != nil || pe.NestedParam != nil || len(pe.Modifiers) > 0 || !syntax.ValidName(pe.Param.Value) {
		return 0
	}
	if pe.Exp != nil && (pe.Exp.Op != syntax.DefaultUnset && pe.Exp.Op != syntax.DefaultUnsetOrNull || pe.Exp.Word != nil && len(pe.Exp.Word.Parts) > 0) {
		return 0
	}
	switch pe.Param.Value {
	case "PWD", "OLDPWD", "_":
		return 0
	}
	// More values than one would be a choice to make, and this is no place for it.
	if e := s.find(kVar, pe.Param.Value); e != nil && len(e.alts) != 1 {
		return 0
	}
	v := s.values(pe)
	switch {
	case v.list:
		return 0
	case v.set && len(v.words) == 1:
		switch null := isNull(v.words[0]); {
		case null < 0:
			return 0
		case null == 0:
			return -1
		}
		fallthrough
	default:
		if !quoted {
			return 0
		}
		return 1
	}
}

func cdLike(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "cd", "pushd", "popd":
		return true
	}
	return false
}

// isTest reports whether a statement is there for its answer: what follows it
// with && may well not run. Any other command is taken to succeed, as a `cd` is.
func isTest(st *syntax.Stmt) bool {
	if st.Negated {
		return true
	}
	switch c := st.Cmd.(type) {
	case *syntax.TestClause, *syntax.ArithmCmd:
		return true
	case *syntax.BinaryCmd:
		return isTest(c.Y)
	case *syntax.Subshell:
		return len(c.Stmts) > 0 && isTest(c.Stmts[len(c.Stmts)-1])
	case *syntax.Block:
		return len(c.Stmts) > 0 && isTest(c.Stmts[len(c.Stmts)-1])
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		switch c.Args[0].Lit() {
		case "[", "test", "grep", "egrep", "fgrep", "rg", "which", "command", "type", "hash", "false", "diff", "cmp", "pgrep":
			return true
		}
	}
	return false
}

// pipeline runs the parts of a pipe, each in a shell of its own, and hands what
// is known of one's output to the next.
func (s *shell) pipeline(c *syntax.BinaryCmd) {
	parts := []*syntax.Stmt{c.Y}
	x := c.X
	for {
		b, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(x.Redirs) > 0 {
			break
		}
		parts = append(parts, b.Y)
		x = b.X
	}
	parts = append(parts, x)
	stdin := s.at.stdin
	for i := len(parts) - 1; i >= 0; i-- {
		from := len(s.r.r.Acts)
		out := output{}
		s.child(func() {
			s.at.stdin = stdin
			if i > 0 {
				s.at.out, s.at.subst = &out, false
			}
			s.stmt(parts[i])
		})
		if i == 0 {
			return
		}
		stdin = Stdin{Kind: Pipe}
		for k := max(from, len(s.r.r.Acts)-maxFrom); k < len(s.r.r.Acts); k++ {
			stdin.From = append(stdin.From, k)
		}
		w := out.word(s.r)
		if !(len(w.Parts) == 1 && w.Parts[0].Kind == Unknown) {
			stdin.Text, stdin.HasText = w, true
		}
	}
}

func (s *shell) ifClause(c *syntax.IfClause) {
	mark := s.at.out.mark()
	var ways [][]entry
	dead := alive
	some := false
	rest := c
	base := s.top
	took := len(c.Cond) == 1 && s.answer(c.Cond[0]) == 1
	for rest != nil {
		if len(rest.Cond) == 0 { // else
			w, d := s.branch(true, func() { s.stmts(rest.Then) })
			if d == alive {
				ways, some = append(ways, w), true
			} else {
				dead = d
			}
			break
		}
		if rest == c {
			s.stmts(rest.Cond)
		} else {
			at := s.at
			s.at.conditional = true
			s.stmts(rest.Cond)
			s.at = at
		}
		if s.dead != alive {
			return
		}
		w, d := s.branch(true, func() { s.stmts(rest.Then) })
		if d == alive {
			ways, some = append(ways, w), true
		} else {
			dead = d
		}
		if rest = rest.Else; rest == nil && !(took && some) {
			ways, some = append(ways, nil), true
		}
	}
	s.join(base, ways)
	if !some {
		s.dead = dead
	}
	s.at.out.blur(mark)
}

// loop runs a body that runs an unknown number of times. What changes from one
// time to the next is not known the second time round.
func (s *shell) loop(cond, body func()) {
	mark := s.at.out.mark()
	base := s.top
	ct := &catch{up: s.catch, base: base}
	s.catch = ct
	was := s.at.conditional
	if cond != nil {
		cond()
	}
	if s.dead == alive {
		saved := s.r.dedup
		if s.r.dedup < 0 {
			s.r.dedup = len(s.r.r.Acts)
		}
		before := len(ct.ways)
		w, d := s.branch(true, body)
		if d == deadLoop {
			s.endLoop(&d)
		}
		if d == alive {
			ct.ways = append(ct.ways, w)
		}
		var changed []entry
		for _, way := range ct.ways[before:] {
			for i := range way {
				if e := &way[i]; e.kind == kVar || e.kind == kDir || e.kind == kArgs {
					if old := base.find(e.kind, e.name); old == nil || !sameAlts(old, e) {
						changed = append(changed, *e)
					}
				}
			}
		}
		if len(changed) > 0 && s.r.more() {
			w, d := s.branch(true, func() {
				for i := range changed {
					s.put(s.widen(base.find(changed[i].kind, changed[i].name), &changed[i]))
				}
				if cond != nil {
					cond()
				}
				body()
			})
			if d == alive {
				ct.ways = append(ct.ways, w)
			}
		}
		s.r.dedup = saved
		s.join(base, append([][]entry{nil}, dedupWays(append(ct.ways, ct.breaks...))...))
	}
	s.catch = ct.up
	s.at.conditional = was
	s.at.out.blur(mark)
}

func dedupWays(ways [][]entry) [][]entry {
	if len(ways) > maxAlts {
		ways = ways[len(ways)-maxAlts:]
	}
	return ways
}

func sameAlts(a, b *entry) bool {
	if len(a.alts) != len(b.alts) {
		return false
	}
	for i := range a.alts {
		if !a.alts[i].same(b.alts[i]) {
			return false
		}
	}
	return true
}

// widen is what a name may hold after a number of rounds: a counter stays a
// number, everything else is unknown.
func (s *shell) widen(old, now *entry) entry {
	e := *now
	why := e.name + " changes in a loop"
	if e.kind == kDir {
		why = "the directory changes in a loop"
	}
	w := unknown("$"+e.name, why)
	if len(now.alts) == 1 && len(now.alts[0].words) == 1 && !now.alts[0].array {
		v := now.alts[0].words[0]
		t, ok := v.Known()
		_, num := parseNumber(t)
		if ok && num || onlyKind(v, Opaque) {
			w = opaque("$"+e.name, "a counter")
		} else if onlyKind(v, TempPath) || onlyKind(v, Unknown) {
			return e
		}
	}
	if e.kind == kArgs || len(now.alts) > 0 && now.alts[0].array {
		e.alts = []alt{{set: true, array: true, more: true}}
		return e
	}
	e.alts = []alt{{set: true, words: []Word{w}}}
	return e
}

// endLoop says whether a dead end was meant for the loop that ends here.
func (s *shell) endLoop(d *deadKind) {
	if *d != deadLoop {
		return
	}
	if s.left--; s.left <= 0 {
		*d = alive
	}
}

// maxUnroll is how many values of a literal list a loop is read with, one by one.
const maxUnroll = 64

func (s *shell) forClause(c *syntax.ForClause) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		if cs, ok := c.Loop.(*syntax.CStyleLoop); ok {
			if cs.Init != nil {
				s.arith(cs.Init)
			}
			s.loop(func() {
				if cs.Cond != nil {
					s.arith(cs.Cond)
				}
			}, func() {
				s.stmts(c.Do)
				if cs.Post != nil {
					s.arith(cs.Post)
				}
			})
		}
		return
	}
	if c.Select {
		s.loop(nil, func() {
			s.words(it.Items)
			s.assign(it.Name.Value, unknown("$"+it.Name.Value, "what is chosen"))
			s.stmts(c.Do)
		})
		return
	}
	s.each(func() {
		var items []Word
		more := false
		if it.InPos.IsValid() {
			items = s.words(it.Items)
		} else {
			a := s.argList()
			items, more = a.words, a.more
		}
		if more {
			items = append(items[:len(items):len(items)], unknown("$"+it.Name.Value, "arguments that are not known"))
		}
		if len(items) == 0 && s.find(kArgs, "") == nil && (len(it.Items) > 0 || !it.InPos.IsValid()) {
			// A list of nothing but what is not set here: whoever wrote the loop had
			// something in mind.
			items = []Word{unknown("$"+it.Name.Value, "a list that is not set")}
		}
		s.over(it.Name.Value, items, func() { s.stmts(c.Do) })
	})
}

// readLoop runs `while read` over input that the line itself holds, a round for
// each of its lines; false: it is another loop, or its input is not known.
func (s *shell) readLoop(c *syntax.WhileClause) bool {
	if c.Until || len(c.Cond) != 1 || !s.at.stdin.HasText || len(c.Cond[0].Redirs) > 0 {
		return false
	}
	ce, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(ce.Args) == 0 || ce.Args[0].Lit() != "read" {
		return false
	}
	text, ok := s.at.stdin.Text.Known()
	if !ok || strings.IndexByte(text, 0) >= 0 {
		return false
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > maxUnroll || text == "" {
		return false
	}
	items := make([]Word, len(lines))
	for i, l := range lines {
		items[i] = Text(l)
	}
	was := s.at
	s.over("", items, func() {
		at := s.at
		s.at.conditional = true
		s.at.stdin.Text = s.line
		s.feeding++
		s.stmts(c.Cond)
		s.feeding--
		s.at.stdin = Stdin{Kind: was.stdin.Kind, From: was.stdin.From}
		s.stmts(c.Do)
		s.at = at
	})
	s.at = was
	return true
}

// over runs a loop's body for each of the items.
func (s *shell) over(name string, items []Word, body func()) {
	if len(items) == 0 {
		return
	}
	if len(items) > maxUnroll {
		items = append(items[:maxUnroll:maxUnroll], unknown("$"+name, "one of many"))
	}
	saved := s.r.dedup
	if s.r.dedup < 0 {
		s.r.dedup = len(s.r.r.Acts)
	}
	// The rounds write into a layer of their own: what a break leaves with is
	// told from where the loop began.
	base := s.top
	s.top = &frame{up: base}
	ct := &catch{up: s.catch, base: base}
	s.catch = ct
	for _, w := range items {
		if !s.r.more() {
			break
		}
		if n := len(w.Parts); n > 0 && onlyKind(w, Unknown) && !w.Parts[0].Quoted && w.Parts[0].Why != "" || vanishes(w) {
			// One word that may be many, or none: the body runs for each of them.
			s.loop(nil, func() {
				v := w
				if !vanishes(w) {
					v = Word{Parts: []Part{{Kind: Unknown, Text: "$" + name, Why: w.Parts[0].Why}}}
				}
				s.assign(name, v)
				body()
			})
			if s.dead != alive {
				break
			}
			continue
		}
		s.line = w
		s.assign(name, w)
		body()
		if s.dead == deadLoop {
			stop := s.breaking
			s.endLoop(&s.dead)
			if stop || s.dead != alive {
				break
			}
		}
		if s.dead != alive {
			break
		}
		if len(ct.ways) > 0 {
			s.join(s.top, append([][]entry{nil}, dedupWays(ct.ways)...))
			ct.ways = nil
		}
	}
	s.catch = ct.up
	s.r.dedup = saved
	ways := append([][]entry{changes(s.top, base)}, ct.ways...)
	s.top = base
	s.join(base, append(ways, dedupWays(ct.breaks)...))
}

func (s *shell) caseClause(c *syntax.CaseClause) {
	s.each(func() {
		mark := s.at.out.mark()
		s.joined(c.Word)
		var ways [][]entry
		all := false
		for i, item := range c.Items {
			for _, p := range item.Patterns {
				s.joined(p)
				all = all || p.Lit() == "*"
			}
			w, d := s.branch(true, func() {
				s.stmts(item.Stmts)
				for j := i; c.Items[j].Op == syntax.Fallthrough && j+1 < len(c.Items); j++ {
					s.stmts(c.Items[j+1].Stmts)
				}
			})
			if d == alive {
				ways = append(ways, w)
			} else if d == deadLoop && s.catch != nil {
				continue
			}
		}
		if !all {
			ways = append(ways, nil)
		}
		s.join(s.top, ways)
		s.at.out.blur(mark)
	})
}

func (s *shell) funcDecl(c *syntax.FuncDecl, st *syntax.Stmt) {
	if c.Name != nil {
		s.put(entry{kind: kFunc, name: c.Name.Value, bodies: []*syntax.Stmt{c.Body}, why: s.src})
		return
	}
	if len(c.Names) == 0 {
		s.stmt(c.Body) // zsh: it is called where it stands
		return
	}
	for _, n := range c.Names {
		s.put(entry{kind: kFunc, name: n.Value, bodies: []*syntax.Stmt{c.Body}, why: s.src})
	}
}

// redirections expands a statement's redirections.
func (s *shell) redirections(list []*syntax.Redirect) call {
	var c call
	for _, r := range list {
		fd := -2
		if r.N != nil {
			fd = 99
			if v := r.N.Value; len(v) == 1 && v[0] >= '0' && v[0] <= '9' {
				fd = int(v[0] - '0')
			}
		}
		out := func(def int) int {
			if fd == -2 {
				return def
			}
			return fd
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc == nil {
				continue
			}
			var w Word
			if quotedDelimiter(r.Word) {
				t := rawText(r.Hdoc)
				if r.Op == syntax.DashHdoc {
					t = dropTabs(t)
				}
				w = s.r.filled(t)
			} else {
				w = s.heredoc(r.Hdoc)
				if r.Op == syntax.DashHdoc {
					w = dropTabsWord(w)
				}
			}
			if out(0) == 0 {
				c.stdin, c.fed = Stdin{Kind: Heredoc, Text: w, HasText: true}, true
			}
		case syntax.WordHdoc:
			w := s.joined(r.Word)
			w = Word{Parts: s.r.merge(append(append([]Part(nil), w.Parts...), Part{Kind: Lit, Text: "\n"}))}
			if out(0) == 0 {
				c.stdin, c.fed = Stdin{Kind: Heredoc, Text: w, HasText: true}, true
			}
		case syntax.RdrIn, syntax.RdrInOut:
			w := s.joined(r.Word)
			op := ReadFrom
			if r.Op == syntax.RdrInOut {
				op = ReadWrite
			}
			c.redirs = append(c.redirs, Redir{Op: op, FD: out(0), Target: w})
			if out(0) == 0 {
				c.stdin, c.fed = Stdin{Kind: File}, true
				if t, ok := s.readFile(w); ok {
					c.stdin.Text, c.stdin.HasText = t, true
				}
			}
		case syntax.DplIn:
			if w := s.joined(r.Word); out(0) == 0 {
				if t, ok := w.Known(); !ok || t != "0" {
					c.stdin, c.fed = Stdin{Kind: File}, true
				}
			}
		case syntax.DplOut:
			w := s.joined(r.Word)
			if t, ok := w.Known(); ok && (t == "-" || isDescriptor(t)) {
				if out(1) == 1 && t != "1" {
					if c.stdout == outHere {
						c.stdout = outGone
					}
				}
				continue
			}
			n := -1
			if fd != -2 {
				n = fd
			}
			c.redirs = append(c.redirs, Redir{Op: WriteTo, FD: n, Target: w})
			if n == -1 || n == 1 {
				c.stdout = outFile
			}
		case syntax.RdrOut, syntax.RdrClob, syntax.AppOut, syntax.AppClob:
			op := WriteTo
			if r.Op == syntax.AppOut || r.Op == syntax.AppClob {
				op = AppendTo
			}
			c.redirs = append(c.redirs, Redir{Op: op, FD: out(1), Target: s.joined(r.Word)})
			if out(1) == 1 {
				c.stdout = outFile
			}
		case syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
			op := WriteTo
			if r.Op == syntax.AppAll || r.Op == syntax.AppAllClob {
				op = AppendTo
			}
			c.redirs = append(c.redirs, Redir{Op: op, FD: -1, Target: s.joined(r.Word)})
			c.stdout = outFile
		}
	}
	return c
}

func isDescriptor(t string) bool {
	t = strings.TrimSuffix(t, "-")
	for i := 0; i < len(t); i++ {
		if t[i] < '0' || t[i] > '9' {
			return false
		}
	}
	return t != ""
}

func quotedDelimiter(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.IndexByte(p.Value, '\\') >= 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// rawText is the body of a heredoc that is not expanded.
func rawText(w *syntax.Word) string {
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok {
			return l.Value
		}
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.WriteString(l.Value)
		}
	}
	return b.String()
}

func dropTabs(t string) string {
	if strings.IndexByte(t, '\t') < 0 {
		return t
	}
	lines := strings.Split(t, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimLeft(l, "\t")
	}
	return strings.Join(lines, "\n")
}

func dropTabsWord(w Word) Word {
	parts := append([]Part(nil), w.Parts...)
	for i := range parts {
		if parts[i].Kind != Lit {
			continue
		}
		t := parts[i].Text
		if i > 0 && !strings.HasPrefix(t, "\n") {
			j := strings.IndexByte(t, '\n')
			if j < 0 {
				continue
			}
			parts[i].Text = t[:j] + dropTabs(t[j:])
			continue
		}
		parts[i].Text = dropTabs(t)
	}
	return Word{Parts: parts}
}

// present drops the words that expand to none.
func present(words []Word) []Word {
	for i, w := range words {
		if !vanishes(w) {
			continue
		}
		out := append([]Word(nil), words[:i]...)
		for _, w := range words[i:] {
			if !vanishes(w) {
				out = append(out, w)
			}
		}
		return out
	}
	return words
}

// vanishes reports whether a word expands to no word at all: nothing but unset
// variables outside quotes.
func vanishes(w Word) bool {
	for _, p := range w.Parts {
		if p.Kind != Unset || p.Quoted {
			return false
		}
	}
	return len(w.Parts) > 0
}

// simple runs a simple command.
func (s *shell) simple(ce *syntax.CallExpr, st *syntax.Stmt) {
	if len(ce.Args) > 0 && s.alias(ce, st) {
		return
	}
	s.each(func() {
		c := s.redirections(st.Redirs)
		c.src, c.line = s.text(ce), ce.Pos().Line()
		for _, a := range ce.Assigns {
			if a.Name == nil {
				continue
			}
			if len(ce.Args) == 0 {
				s.assignNode(a)
				continue
			}
			v := s.joined(a.Value)
			if a.Append {
				old := s.lookup(a.Name.Value)
				if old.set && len(old.words) > 0 {
					v = s.cat(old.words[0], v)
				}
			}
			c.assigns = append(c.assigns, Assign{Name: a.Name.Value, Value: v})
		}
		if len(ce.Args) == 0 {
			if len(c.redirs) > 0 {
				s.emit(Act{Kind: Land, Redirs: c.redirs, Source: c.src})
				s.writeFiles(c, Word{})
			}
			return
		}
		c.argv = s.words(ce.Args)
		for len(c.argv) > 0 && vanishes(c.argv[0]) {
			c.argv = c.argv[1:]
		}
		if len(c.argv) == 0 {
			for _, a := range c.assigns {
				s.assign(a.Name, a.Value)
			}
			if len(c.redirs) > 0 {
				s.emit(Act{Kind: Land, Redirs: c.redirs, Source: c.src})
				s.writeFiles(c, Word{})
			}
			return
		}
		last := c.argv[len(c.argv)-1]
		s.run(c)
		if s.r.last {
			s.put(entry{kind: kVar, name: "_", alts: []alt{{set: true, words: []Word{last}}}})
		}
	})
}

// cat joins two words.
func (s *shell) cat(a, b Word) Word {
	if len(a.Parts) == 0 {
		return b
	}
	if len(b.Parts) == 0 {
		return a
	}
	size := 0
	for _, p := range a.Parts {
		size += len(p.Text)
	}
	for _, p := range b.Parts {
		size += len(p.Text)
	}
	if !s.r.step(1+size/64) || size > maxWord || len(a.Parts)+len(b.Parts) > 4096 {
		return unknown("", tooLong)
	}
	return Word{Parts: s.r.merge(append(append(make([]Part, 0, len(a.Parts)+len(b.Parts)), a.Parts...), b.Parts...))}
}

// alias expands an alias in front of a command. It answers false where there is
// none.
func (s *shell) alias(ce *syntax.CallExpr, st *syntax.Stmt) bool {
	if len(ce.Args[0].Parts) != 1 {
		return false
	}
	l, ok := ce.Args[0].Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	e := s.find(kAlias, l.Value)
	if e == nil || e.unit == s.unit && e.line >= l.Pos().Line() {
		// An alias holds from the next line on: a line is parsed whole before any of
		// it runs.
		return false
	}
	if s.aliases > 8 || !slices.ContainsFunc(e.alts, func(a alt) bool { return a.set && len(a.words) > 0 }) {
		return false
	}
	tail := ""
	if a, b := l.End().Offset(), ce.End().Offset(); a < b && b <= uint(len(s.src)) {
		tail = s.src[a:b]
	}
	head := ""
	if a, b := ce.Pos().Offset(), l.Pos().Offset(); a < b && b <= uint(len(s.src)) {
		head = s.src[a:b]
	}
	c := s.redirections(st.Redirs)
	s.within(c, func() {
		for _, a := range e.alts {
			if !a.set || len(a.words) == 0 {
				continue
			}
			s.aliases++
			w := Word{Parts: concat([]Part{{Kind: Lit, Text: head}}, concat(a.words[0].Parts, []Part{{Kind: Lit, Text: tail}}))}
			old := *e
			// An alias does not expand within itself.
			s.put(entry{kind: kAlias, name: e.name, unit: 1 << 30, line: 1 << 30})
			s.script(w)
			s.put(old)
			s.aliases--
		}
	})
	return true
}
