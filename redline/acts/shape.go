package acts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shape is a Bourne line as it is written: no variable, no loop and no wrapper is
// followed. A [Reading] says what a line would do as far as it can be told, and
// must pass in silence over what has no act (a comparison, an arithmetic
// expression, a function nobody calls). Whoever allows a line, instead of
// charging it, asks both.
type Shape struct {
	// Commands are all simple commands, those of substitutions, loops, functions
	// and expanding heredocs included, in the order of the text.
	Commands []Command
	// Writes are the targets of redirections that can write.
	Writes []RawWord
	// Vars are the variables whose value may end up in a command's words or
	// input. Tests and lengths are not among them.
	Vars []string
	// Odd names what can run code or change names without being a command:
	// "function", "arithmetic", "coproc" and so on; "" where there is nothing.
	Odd string
}

// Command is one simple command as written.
type Command struct {
	Words []RawWord
	// Sets are the names assigned in front of it, or by a bare assignment.
	Sets []string
}

// RawWord is a word as written.
type RawWord struct {
	// Text is the word with its quotes taken off where it is Literal, else its
	// source.
	Text    string
	Literal bool
}

// ShapeOf reads the shape of a line. ok is false where the line is no complete
// bash.
func ShapeOf(line string) (s Shape, ok bool) {
	kit := parsers.Get().(*parserKit)
	defer parsers.Put(kit)
	f, err := kit.parse(syntax.LangBash, &guardedReader{s: line})
	if err != nil {
		return Shape{}, false
	}
	w := shaper{src: line, s: &s}
	w.walk(f)
	return s, true
}

type shaper struct {
	src string
	s   *Shape
	// counted are names that hold a number: set from digits or arithmetic and
	// from nothing else so far.
	counted map[string]bool
	quiet   int // inside a test: values go nowhere
}

func (w *shaper) odd(what string) {
	if w.s.Odd == "" {
		w.s.Odd = what
	}
}

func (w *shaper) walk(n syntax.Node) { syntax.Walk(n, w.visit) }

func (w *shaper) count(name string, number bool) {
	if w.counted == nil {
		w.counted = map[string]bool{}
	}
	if had, ok := w.counted[name]; ok && !had {
		return
	}
	w.counted[name] = number
}

func (w *shaper) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		w.odd("a function")
	case *syntax.CoprocClause:
		w.odd("coproc")
	case *syntax.LetClause:
		w.odd("let")
	case *syntax.TestDecl:
		w.odd("a test declaration")
	case *syntax.ExtGlob:
		w.odd("an extended glob")
	case *syntax.ArithmCmd:
		w.arithm(n.X)
	case *syntax.ArithmExp:
		w.arithm(n.X)
	case *syntax.CStyleLoop:
		if b, ok := n.Init.(*syntax.BinaryArithm); ok && b.Op == syntax.Assgn {
			if x, ok := b.X.(*syntax.Word); ok {
				w.count(x.Lit(), isDigits(b.Y))
			}
		}
		w.arithm(n.Init, n.Cond, n.Post)
	case *syntax.DeclClause:
		if n.Variant.Value != "export" && n.Variant.Value != "local" && n.Variant.Value != "readonly" {
			w.odd(n.Variant.Value)
		}
		c := Command{Words: []RawWord{{n.Variant.Value, true}}}
		for _, a := range n.Args {
			if a.Name == nil {
				w.odd(n.Variant.Value + " with an option")
				continue
			}
			c.Sets = append(c.Sets, a.Name.Value)
			w.assign(a)
		}
		w.s.Commands = append(w.s.Commands, c)
	case *syntax.TestClause:
		w.quiet++
		w.test(n.X)
		w.walk(n.X)
		w.quiet--
		return false
	case *syntax.WordIter:
		w.count(n.Name.Value, false)
	case *syntax.CallExpr:
		w.call(n)
		return false
	case *syntax.Redirect:
		w.redirect(n)
	case *syntax.ParamExp:
		w.param(n)
	case *syntax.Word:
		if len(n.Parts) > 0 {
			// zsh replaces =NAME by the path of a program.
			if l, ok := n.Parts[0].(*syntax.Lit); ok && len(l.Value) > 1 && l.Value[0] == '=' && isLetter(l.Value[1]) {
				w.odd("a word that begins with =")
			}
		}
	}
	return true
}

func (w *shaper) call(n *syntax.CallExpr) {
	var c Command
	for _, a := range n.Assigns {
		c.Sets = append(c.Sets, a.Name.Value)
		w.assign(a)
	}
	for _, a := range n.Args {
		c.Words = append(c.Words, w.raw(a))
	}
	w.s.Commands = append(w.s.Commands, c)
	quiet := 0
	if len(c.Words) > 0 && c.Words[0].Literal {
		switch c.Words[0].Text {
		case "test", "[":
			quiet = 1
		case "read", "mapfile", "readarray", "printf", "getopts", "unset":
			for _, x := range c.Words[1:] {
				w.count(x.Text, false)
			}
		}
	}
	w.quiet += quiet
	for _, a := range n.Args {
		w.walk(a)
	}
	w.quiet -= quiet
	for _, a := range n.Assigns {
		if a.Value != nil {
			w.walk(a.Value)
		}
		if a.Array != nil {
			w.walk(a.Array)
		}
	}
}

func (w *shaper) assign(a *syntax.Assign) {
	if a.Index != nil {
		w.odd("a subscript")
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				w.odd("a subscript")
			}
		}
	}
	number := false
	if a.Value != nil && !a.Append {
		if t := a.Value.Lit(); t != "" {
			number = strings.Trim(t, "0123456789") == ""
		} else if len(a.Value.Parts) == 1 {
			_, number = a.Value.Parts[0].(*syntax.ArithmExp)
		}
	}
	w.count(a.Name.Value, number)
}

func (w *shaper) redirect(n *syntax.Redirect) {
	switch n.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll,
		syntax.RdrAllClob, syntax.AppAllClob, syntax.AppClob:
		w.s.Writes = append(w.s.Writes, w.raw(n.Word))
	case syntax.DplOut:
		r := w.raw(n.Word)
		if !r.Literal || strings.Trim(r.Text, "0123456789-") != "" {
			w.s.Writes = append(w.s.Writes, r)
		}
	}
}

// param looks at one expansion for what evaluates more than a value.
func (w *shaper) param(n *syntax.ParamExp) {
	name := ""
	if n.Param != nil {
		name = n.Param.Value
	}
	switch {
	case n.Excl, n.Names != 0:
		w.odd("an indirect expansion")
	case n.Flags != nil, n.NestedParam != nil, len(n.Modifiers) > 0, n.Width, n.IsSet:
		w.odd("an expansion of another shell")
	}
	if n.Index != nil {
		if t, ok := n.Index.(*syntax.Word); !ok || t.Lit() != "@" && t.Lit() != "*" {
			w.arithm(n.Index)
		}
	}
	if n.Slice != nil {
		w.arithm(n.Slice.Offset, n.Slice.Length)
	}
	silent := n.Length || w.quiet > 0
	if n.Exp != nil {
		switch n.Exp.Op {
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			silent = true
		case syntax.AssignUnset, syntax.AssignUnsetOrNull:
			w.s.Commands = append(w.s.Commands, Command{Sets: []string{name}})
		case syntax.OtherParamOps:
			op := ""
			if n.Exp.Word != nil {
				op = n.Exp.Word.Lit()
			}
			if op != "Q" && op != "U" && op != "u" && op != "L" {
				w.odd("an expansion that evaluates its value")
			}
		}
	}
	if !silent && name != "" {
		w.s.Vars = append(w.s.Vars, name)
	}
}

// arithm lets pass what is made of numbers and of names that hold one: any other
// value is evaluated once more, subscripts with commands in them included.
func (w *shaper) arithm(list ...syntax.ArithmExpr) {
	for _, x := range list {
		if x == nil {
			continue
		}
		syntax.Walk(x, func(n syntax.Node) bool {
			word, ok := n.(*syntax.Word)
			if !ok {
				return true
			}
			name := word.Lit()
			if name == "" && len(word.Parts) == 1 {
				switch p := word.Parts[0].(type) {
				case *syntax.ParamExp:
					if p.Param != nil && p.Exp == nil && p.Index == nil && p.Slice == nil && !p.Excl {
						name = p.Param.Value
					}
				case *syntax.ArithmExp:
					return true
				}
			}
			if name != "" && strings.Trim(name, "0123456789") == "" || name == "#" || name == "?" || w.counted[name] {
				return false
			}
			w.odd("arithmetic over a value that is not in view")
			return false
		})
	}
}

func isDigits(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && w.Lit() != "" && strings.Trim(w.Lit(), "0123456789") == ""
}

func (w *shaper) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			for _, side := range [...]syntax.TestExpr{x.X, x.Y} {
				if word, ok := side.(*syntax.Word); ok {
					w.arithm(word)
				}
			}
		}
		w.test(x.X)
		w.test(x.Y)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			w.odd("a test that evaluates a subscript")
		}
		w.test(x.X)
	case *syntax.ParenTest:
		w.test(x.X)
	}
}

// raw is a word without its quotes, where that is all there is to it.
func (w *shaper) raw(word *syntax.Word) RawWord {
	var b strings.Builder
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "\\~*?[{") && p.Value != "[" && p.Value != "[[" {
				return w.source(word)
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return w.source(word)
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, ok := q.(*syntax.Lit)
				if !ok || strings.ContainsRune(l.Value, '\\') {
					return w.source(word)
				}
				b.WriteString(l.Value)
			}
		default:
			return w.source(word)
		}
	}
	return RawWord{b.String(), true}
}

func (w *shaper) source(word *syntax.Word) RawWord {
	from, to := int(word.Pos().Offset()), int(word.End().Offset())
	if from < 0 || to > len(w.src) || from > to {
		return RawWord{}
	}
	return RawWord{Text: w.src[from:to]}
}
