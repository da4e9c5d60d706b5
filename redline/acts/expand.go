package acts

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxWord is how long a word gets, in bytes, before it is unknown: a line of
// doublings (`a=$a$a`, forty times) must not fill the memory.
const maxWord = 1 << 20

// maxBraces is how many words one brace expansion makes before it is one word
// that is not known.
const maxBraces = 256

// pick is one decision about a name that may have several values. A command is
// read once for every combination of the decisions it needs.
type pick struct {
	k    kind
	name string
	n, i int
}

// maxRuns is how many combinations of values one command is read with.
const maxRuns = 16

// choose answers which of the n values of a name this run takes; -1: none of
// them, the name is simply not known.
func (s *shell) choose(k kind, name string, n int) int {
	if n <= 1 {
		return 0
	}
	if s.r.blurred {
		return -1
	}
	for i := range s.r.picks {
		if p := &s.r.picks[i]; p.k == k && p.name == name {
			if p.i < n {
				return p.i
			}
			return n - 1
		}
	}
	s.r.picks = append(s.r.picks, pick{k, name, n, 0})
	return 0
}

// each runs fn once for every combination of values of the names it looks up,
// and joins what the runs changed.
func (s *shell) each(fn func()) {
	r := s.r
	if !r.multi || s.at.subst && r.nested > 0 {
		// Inside a substitution the decisions belong to the command around it: what
		// the substitution prints is one of its words.
		fn()
		return
	}
	mark := s.at.out.mark()
	runs := 0
	r.nested++
	defer func() {
		r.nested--
		if runs > 1 && s.at.subst {
			s.at.out.blur(mark)
		}
	}()
	base := len(r.picks)
	var ways [][]entry
	was := s.dead
	dead := was
	saved := r.dedup
	if r.dedup < 0 {
		r.dedup = len(r.r.Acts)
	}
	for run := 0; ; run++ {
		runs++
		w, d := s.branch(false, fn)
		if d == alive {
			ways = append(ways, w)
			dead = alive
		} else if run == 0 {
			dead = d
		}
		// The next combination: the last decision that has a value left.
		for len(r.picks) > base && r.picks[len(r.picks)-1].i+1 >= r.picks[len(r.picks)-1].n {
			r.picks = r.picks[:len(r.picks)-1]
		}
		if len(r.picks) == base {
			break
		}
		if run+1 >= maxRuns || !r.more() {
			// Once more with none of them known, which stands for the rest.
			r.picks = r.picks[:base]
			r.blurred = true
			w, d := s.branch(false, fn)
			r.blurred = false
			if d == alive {
				ways = append(ways, w)
			}
			break
		}
		r.picks[len(r.picks)-1].i++
	}
	r.dedup = saved
	s.dead = dead
	s.join(s.top, ways)
}

// fields builds the words that one word of a command expands to.
type fields struct {
	s     *shell
	out   []Word
	cur   []Part
	open  bool // a field is there even if it is empty: quotes were seen
	split bool // unquoted expansions are split and globbed
	size  int
	pat   bool // a pattern is wanted: quoted pattern characters are escaped
}

func (f *fields) lit(text string, quoted bool) {
	if text == "" {
		f.open = f.open || quoted
		return
	}
	f.open = true
	if f.size += len(text); f.size > maxWord {
		if n := len(f.cur); n == 0 || f.cur[n-1].Why != tooLong {
			f.cur = append(f.cur, Part{Kind: Unknown, Why: tooLong, Quoted: quoted})
		}
		return
	}
	f.cur = append(f.cur, Part{Kind: Lit, Text: text, Quoted: quoted})
}

const tooLong = "too long to follow"

func (f *fields) part(p Part) {
	f.open = true
	if f.size += len(p.Text) + 256; f.size > maxWord {
		if n := len(f.cur); n > 0 && f.cur[n-1].Why == tooLong {
			return
		}
		p = Part{Kind: Unknown, Why: tooLong, Quoted: p.Quoted}
	}
	f.cur = append(f.cur, p)
}

// maxWords is how many words a command has before the rest of them is not known.
const maxWords = 1 << 14

const tooMany = "more words than are followed"

// brk ends the field under way.
func (f *fields) brk() {
	if !f.open {
		return
	}
	if n := len(f.out); n >= maxWords || !f.s.r.step(1) {
		if n == 0 || !f.out[n-1].Is("") && f.out[n-1].Why() != tooMany {
			f.out = append(f.out, unknown("...", tooMany))
		}
		f.cur, f.open, f.size = f.cur[:0], false, 0
		return
	}
	f.out = append(f.out, Word{Parts: f.s.r.merge(f.cur)})
	f.cur, f.open, f.size = f.cur[:0], false, 0
}

// merge makes a word's parts out of the pieces collected.
func (r *reader) merge(in []Part) []Part {
	if len(in) == 0 {
		return nil
	}
	if len(in) > 8 {
		r.step(len(in) / 8)
	}
	n := 1
	for i := 1; i < len(in); i++ {
		if in[i].Kind != Lit || in[i-1].Kind != Lit {
			n++
		}
	}
	if cap(r.arena)-len(r.arena) < n {
		r.arena = make([]Part, 0, max(r.chunk(), n))
	}
	at := len(r.arena)
	for i := 0; i < len(in); {
		if in[i].Kind != Lit {
			r.arena = append(r.arena, in[i])
			i++
			continue
		}
		j, size, quoted := i+1, len(in[i].Text), in[i].Quoted
		for j < len(in) && in[j].Kind == Lit {
			size += len(in[j].Text)
			quoted = quoted && in[j].Quoted
			j++
		}
		p := Part{Kind: Lit, Text: in[i].Text, Quoted: quoted}
		if j > i+1 {
			var b strings.Builder
			b.Grow(size)
			r.step(size / 128)
			for _, q := range in[i:j] {
				b.WriteString(q.Text)
			}
			p.Text = b.String()
		}
		r.arena = append(r.arena, p)
		i = j
	}
	return r.arena[at:len(r.arena):len(r.arena)]
}

// chunk is how many parts are allocated at once: few for the short line that
// most lines are, more for a long one.
func (r *reader) chunk() int {
	r.chunks = min(max(2*r.chunks, 12), 256)
	return r.chunks
}

// literal makes a known word.
func (r *reader) literal(text string) Word {
	if cap(r.arena)-len(r.arena) < 1 {
		r.arena = make([]Part, 0, r.chunk())
	}
	at := len(r.arena)
	r.arena = append(r.arena, Part{Kind: Lit, Text: text})
	return Word{Parts: r.arena[at : at+1 : at+1]}
}

// words expands the words of a command.
func (s *shell) words(in []*syntax.Word) []Word {
	out := make([]Word, 0, len(in))
	for _, w := range in {
		if !s.r.step(1) {
			return out
		}
		if len(w.Parts) == 1 {
			if l, ok := w.Parts[0].(*syntax.Lit); ok && plainLit(l.Value) {
				if len(out) >= maxWords {
					return append(out, unknown("...", tooMany))
				}
				out = append(out, s.r.literal(l.Value))
				continue
			}
		}
		f := fields{s: s, out: out, split: true}
		if hasBraces(w.Parts) || splitBraces(w) {
			lists, ok := braces(w.Parts)
			if !ok {
				f.part(Part{Kind: Opaque, Text: s.text(w), Why: "a long brace expansion"})
				f.brk()
				out = f.out
				continue
			}
			for _, l := range lists {
				s.parts(&f, l)
				f.brk()
			}
		} else {
			s.parts(&f, w.Parts)
			f.brk()
		}
		out = f.out
	}
	return out
}

// plainLit reports whether nothing in an unquoted literal means anything.
func plainLit(v string) bool {
	for i := 0; i < len(v); i++ {
		switch c := v[i]; c {
		case '\\', '*', '?', '[', '{', '~':
			return false
		default:
			if c == holeByte {
				return false
			}
		}
	}
	return true
}

// joined expands a word to exactly one word: an assignment's value, a heredoc, a
// redirection's target.
func (s *shell) joined(w *syntax.Word) Word {
	if w == nil {
		return Word{}
	}
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok && plainLit(l.Value) {
			return s.r.literal(l.Value)
		}
	}
	f := fields{s: s}
	s.parts(&f, w.Parts)
	return Word{Parts: s.r.merge(f.cur)}
}

// heredoc expands the body of a heredoc whose delimiter was not quoted.
func (s *shell) heredoc(w *syntax.Word) Word {
	f := fields{s: s}
	s.quoted(&f, w.Parts, true)
	return Word{Parts: s.r.merge(f.cur)}
}

// splitBraces lets the parser find the brace expansions of a word. It takes time
// with the square of the braces left open, so a word full of them is left alone:
// braces that don't close are letters anyway.
func splitBraces(w *syntax.Word) bool {
	n := 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{")
		}
	}
	return n > 0 && n <= maxBraces && syntax.SplitBraces(w)
}

func hasBraces(parts []syntax.WordPart) bool {
	for _, p := range parts {
		if _, ok := p.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// braces spells a word's brace expansions out; false: there are too many.
func braces(parts []syntax.WordPart) ([][]syntax.WordPart, bool) {
	lists := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			for i := range lists {
				lists[i] = append(lists[i][:len(lists[i]):len(lists[i])], p)
			}
			continue
		}
		var elems [][]syntax.WordPart
		if b.Sequence {
			if elems, ok = sequence(b); !ok {
				return nil, false
			}
		} else {
			for _, e := range b.Elems {
				sub, ok := braces(e.Parts)
				if !ok || len(elems)+len(sub) > maxBraces {
					return nil, false
				}
				elems = append(elems, sub...)
			}
		}
		if len(lists)*len(elems) > maxBraces {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(lists)*len(elems))
		for _, l := range lists {
			for _, e := range elems {
				next = append(next, append(l[:len(l):len(l)], e...))
			}
		}
		lists = next
	}
	return lists, true
}

// sequence spells out {1..9..2} and {a..f}.
func sequence(b *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	if len(b.Elems) < 2 {
		return nil, false
	}
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	incr := 1
	if len(b.Elems) > 2 {
		if n, err := strconv.Atoi(b.Elems[2].Lit()); err == nil && n != 0 {
			incr = n
		}
	}
	if incr < 0 {
		incr = -incr
	}
	one := func(text string) []syntax.WordPart { return []syntax.WordPart{&syntax.Lit{Value: text}} }
	var out [][]syntax.WordPart
	a, err1 := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	if err1 == nil && err2 == nil {
		if abs(z-a) < 0 || abs(z-a)/incr >= maxBraces {
			return nil, false
		}
		width := 0
		if len(from) > 1 && strings.TrimLeft(from, "-")[0] == '0' || len(to) > 1 && strings.TrimLeft(to, "-")[0] == '0' {
			width = max(len(from), len(to))
		}
		for n := a; ; {
			t := strconv.Itoa(n)
			for len(t) < width {
				t = "0" + t
			}
			out = append(out, one(t))
			if a <= z {
				if n += incr; n > z {
					break
				}
			} else if n -= incr; n < z {
				break
			}
		}
		return out, true
	}
	if len(from) != 1 || len(to) != 1 {
		return nil, false
	}
	x, y := int(from[0]), int(to[0])
	for n := x; ; {
		out = append(out, one(string(rune(n))))
		if x <= y {
			if n += incr; n > y {
				break
			}
		} else if n -= incr; n < y {
			break
		}
	}
	return out, true
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// text is how a word was written.
func (s *shell) text(n syntax.Node) string {
	a, b := n.Pos().Offset(), n.End().Offset()
	if a < b && b <= uint(len(s.src)) {
		return s.src[a:b]
	}
	return ""
}

// parts expands a word's parts outside quotes.
func (s *shell) parts(f *fields, parts []syntax.WordPart) {
	for i, p := range parts {
		if !s.r.step(1) {
			f.part(Part{Kind: Unknown, Why: tooLong})
			return
		}
		switch p := p.(type) {
		case *syntax.Lit:
			s.unquotedLit(f, p.Value, i == 0, len(parts) == 1)
		case *syntax.SglQuoted:
			v := p.Value
			if p.Dollar {
				v = ansiC(v)
			}
			if v == "" {
				f.open = true
			}
			s.holed(f, v, true)
		case *syntax.DblQuoted:
			f.open = f.open || !onlyList(p.Parts)
			s.quoted(f, p.Parts, false)
		case *syntax.ParamExp:
			s.param(f, p, false)
		case *syntax.CmdSubst:
			s.substitute(f, p, false)
		case *syntax.ArithmExp:
			s.addWord(f, s.arithWord(p.X, s.text(p)), false)
		case *syntax.ProcSubst:
			f.part(s.procSubst(p))
		case *syntax.ExtGlob:
			f.part(Part{Kind: Glob, Text: p.Op.String() + p.Pattern.Value + ")"})
		case *syntax.BraceExp:
			f.part(Part{Kind: Opaque, Text: "{...}", Why: "a brace expansion"})
		default:
			f.part(Part{Kind: Unknown, Why: "not understood"})
		}
	}
}

// onlyList reports whether quotes hold nothing but "$@", which may be no word at
// all.
func onlyList(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	pe, ok := parts[0].(*syntax.ParamExp)
	if !ok || pe.Param == nil {
		return false
	}
	if pe.Param.Value == "@" {
		return true
	}
	w, ok := pe.Index.(*syntax.Word)
	return ok && w.Lit() == "@"
}

// quoted expands what stands inside double quotes, or in a heredoc's body.
func (s *shell) quoted(f *fields, parts []syntax.WordPart, hdoc bool) {
	for _, p := range parts {
		if !s.r.step(1) {
			f.part(Part{Kind: Unknown, Why: tooLong})
			return
		}
		switch p := p.(type) {
		case *syntax.Lit:
			s.holed(f, unescapeDouble(p.Value, hdoc), true)
		case *syntax.ParamExp:
			s.param(f, p, true)
		case *syntax.CmdSubst:
			s.substitute(f, p, true)
		case *syntax.ArithmExp:
			s.addWord(f, s.arithWord(p.X, s.text(p)), true)
		case *syntax.SglQuoted:
			s.holed(f, p.Value, true)
		case *syntax.DblQuoted:
			s.quoted(f, p.Parts, hdoc)
		default:
			f.part(Part{Kind: Unknown, Text: s.text(p), Why: "not understood", Quoted: true})
		}
	}
}

// unescapeDouble takes the backslashes off that mean something inside double
// quotes.
func unescapeDouble(v string, hdoc bool) string {
	i := strings.IndexByte(v, '\\')
	if i < 0 {
		return v
	}
	var b strings.Builder
	b.Grow(len(v))
	for {
		b.WriteString(v[:i])
		if i+1 >= len(v) {
			b.WriteByte('\\')
			return b.String()
		}
		switch c := v[i+1]; {
		case c == '$' || c == '`' || c == '\\' || c == '"' && !hdoc:
			b.WriteByte(c)
		case c == '\n':
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		v = v[i+2:]
		if i = strings.IndexByte(v, '\\'); i < 0 {
			b.WriteString(v)
			return b.String()
		}
	}
}

// ansiC decodes the escapes of $'...'.
func ansiC(v string) string {
	if strings.IndexByte(v, '\\') < 0 {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 >= len(v) {
			b.WriteByte(v[i])
			continue
		}
		i++
		switch c := v[i]; c {
		case 'c':
			if i+1 < len(v) {
				i++
				b.WriteByte(v[i] & 0x1f)
			}
		default:
			n := escape(&b, v[i:], false)
			i += n - 1
		}
	}
	return b.String()
}

// escape decodes one escape sequence after its backslash, as $'..', echo -e and
// printf have them, and answers how many bytes it took. With zero set an octal
// number needs a leading 0 (echo -e, printf %b).
func escape(b *strings.Builder, v string, zero bool) int {
	switch c := v[0]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'a':
		b.WriteByte(7)
	case 'b':
		b.WriteByte(8)
	case 'e', 'E':
		b.WriteByte(27)
	case 'f':
		b.WriteByte(12)
	case 'v':
		b.WriteByte(11)
	case '\\', '\'', '"', '?':
		b.WriteByte(c)
	case 'x':
		n := digitRun(v[1:], 2, 16)
		if n == 0 {
			b.WriteString(`\x`)
			return 1
		}
		u, _ := strconv.ParseUint(v[1:1+n], 16, 8)
		b.WriteByte(byte(u))
		return 1 + n
	case 'u', 'U':
		w := 4
		if c == 'U' {
			w = 8
		}
		n := digitRun(v[1:], w, 16)
		if n == 0 {
			b.WriteByte('\\')
			b.WriteByte(c)
			return 1
		}
		u, _ := strconv.ParseUint(v[1:1+n], 16, 32)
		b.WriteRune(rune(u))
		return 1 + n
	case '0', '1', '2', '3', '4', '5', '6', '7':
		w := 3
		if c == '0' && zero {
			w = 4
		}
		n := digitRun(v, w, 8)
		u, _ := strconv.ParseUint(v[:n], 8, 16)
		b.WriteByte(byte(u))
		return n
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
	return 1
}

func digitRun(v string, most, base int) int {
	n := 0
	for n < len(v) && n < most {
		c := v[n]
		if base == 8 && (c < '0' || c > '7') {
			break
		}
		if base == 16 && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			break
		}
		n++
	}
	return n
}

// unquotedLit expands a literal outside quotes: escapes, tilde, patterns.
func (s *shell) unquotedLit(f *fields, v string, first, only bool) {
	if plainLit(v) {
		f.lit(v, false)
		return
	}
	if first && v[0] == '~' {
		end := strings.IndexByte(v, '/')
		if end < 0 && only {
			end = len(v)
		}
		if end > 0 && strings.IndexByte(v[:end], '\\') < 0 {
			s.addWord(f, s.tilde(v[:end]), true)
			v = v[end:]
		}
	}
	if strings.IndexByte(v, holeByte) >= 0 && len(s.r.holes) > 0 {
		s.holed(f, v, false)
		return
	}
	if first && len(v) > 2 && v[1] == ':' && v[2] == '\\' && isLetter(v[0]) && s.r.drives {
		// On a system with drives this is a path. A Bourne shell there would take the
		// backslashes away, but whoever wrote the line meant the path, and may well
		// be heard by another shell.
		f.lit(v, false)
		return
	}
	glob := f.split && !s.noglob && !f.pat
	start := 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\' && i+1 < len(v):
			if f.pat {
				i++
				continue
			}
			f.lit(v[start:i], false)
			f.lit(v[i+1:i+2], true)
			i++
			start = i + 1
		case glob && (c == '*' || c == '?'):
			f.lit(v[start:i], false)
			j := i + 1
			for j < len(v) && (v[j] == '*' || v[j] == '?') {
				j++
			}
			f.part(Part{Kind: Glob, Text: v[i:j]})
			start, i = j, j-1
		case glob && c == '[':
			if j := strings.IndexByte(v[i+1:], ']'); j > 0 {
				f.lit(v[start:i], false)
				f.part(Part{Kind: Glob, Text: v[i : i+j+2]})
				start, i = i+j+2, i+j+1
			}
		}
	}
	f.lit(v[start:], false)
}

// tilde expands a tilde prefix.
func (s *shell) tilde(v string) Word {
	switch v {
	case "~":
		a := s.lookup("HOME")
		if a.set && len(a.words) > 0 {
			return a.words[0]
		}
		return unknown("~", "HOME is not known")
	case "~+":
		return s.dir()
	case "~-":
		return s.oldDir()
	}
	return unknown(v, "the home of "+v[1:])
}

// addWord adds a value that an expansion produced: split and globbed outside
// quotes, as one piece within.
func (s *shell) addWord(f *fields, w Word, quoted bool) {
	if quoted {
		f.open = true
	}
	if len(w.Parts) > 8 && !s.r.step(len(w.Parts)/8) {
		f.part(Part{Kind: Unknown, Why: tooLong, Quoted: quoted})
		return
	}
	for _, p := range w.Parts {
		if p.Kind != Lit {
			p.Quoted = quoted
			f.part(p)
			continue
		}
		if quoted || !f.split {
			if f.pat && quoted {
				f.lit(escapePattern(p.Text), true)
				continue
			}
			f.lit(p.Text, quoted)
			continue
		}
		s.splitText(f, p.Text)
	}
}

// splitText splits text by IFS and marks its pattern characters.
func (s *shell) splitText(f *fields, t string) {
	ifs := s.ifs()
	s.r.step(len(t) / 32)
	for t != "" {
		i := strings.IndexAny(t, ifs)
		if ifs == "" {
			i = -1
		}
		if i < 0 {
			s.globText(f, t)
			return
		}
		if i > 0 {
			s.globText(f, t[:i])
		}
		// White space of IFS collapses; another separator ends a field even if
		// that field is empty.
		hard := false
		had := f.open
		for t = t[i:]; t != "" && strings.IndexByte(ifs, t[0]) >= 0; t = t[1:] {
			if t[0] != ' ' && t[0] != '\t' && t[0] != '\n' {
				if hard || !had && !hard {
					f.open = true
					f.brk()
				}
				hard = true
			}
			if had {
				f.brk()
				had = false
				if hard {
					continue
				}
			}
		}
	}
}

func (s *shell) globText(f *fields, t string) {
	if s.noglob || f.pat || !strings.ContainsAny(t, "*?[") {
		f.lit(t, false)
		return
	}
	start := 0
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c == '*' || c == '?':
			f.lit(t[start:i], false)
			f.part(Part{Kind: Glob, Text: t[i : i+1]})
			start = i + 1
		case c == '[':
			if j := strings.IndexByte(t[i+1:], ']'); j > 0 {
				f.lit(t[start:i], false)
				f.part(Part{Kind: Glob, Text: t[i : i+j+2]})
				start = i + j + 2
				i = start - 1
			}
		}
	}
	f.lit(t[start:], false)
}

func (s *shell) ifs() string {
	if s.find(kVar, "IFS") == nil {
		return " \t\n"
	}
	a := s.lookup("IFS")
	if !a.set || len(a.words) == 0 {
		return " \t\n"
	}
	if v, ok := a.words[0].Known(); ok {
		return v
	}
	return " \t\n"
}

// A hole stands in a text that is parsed again (`sh -c "rm $X"`) for a piece of
// it that is not known. It is spelled with a character that no script uses, so
// that the parser takes it for a letter whatever the quotes around it.
const (
	holeRune = '\U0010FFFD'
	holeMark = string(holeRune)
	holeByte = 0xF4
)

// source makes a text to parse of a word, unknown parts as holes.
func (r *reader) source(w Word) string {
	if t, ok := w.Known(); ok {
		return t
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind == Lit {
			b.WriteString(p.Text)
			continue
		}
		if len(r.holes) > 1<<16 {
			b.WriteString("UNKNOWN")
			continue
		}
		b.WriteRune(holeRune)
		b.WriteString(strconv.Itoa(len(r.holes)))
		b.WriteRune(holeRune)
		r.holes = append(r.holes, p)
	}
	return b.String()
}

// holed adds literal text, holes as the parts they stand for.
func (s *shell) holed(f *fields, v string, quoted bool) {
	if len(s.r.holes) == 0 || strings.IndexByte(v, holeByte) < 0 {
		if f.pat && quoted {
			v = escapePattern(v)
		}
		f.lit(v, quoted)
		return
	}
	for v != "" {
		i := strings.Index(v, holeMark)
		if i < 0 {
			break
		}
		rest := v[i+utf8.RuneLen(holeRune):]
		j := strings.Index(rest, holeMark)
		if j < 0 {
			break
		}
		n, err := strconv.Atoi(rest[:j])
		if err != nil || n < 0 || n >= len(s.r.holes) {
			break
		}
		f.lit(v[:i], quoted)
		p := s.r.holes[n]
		p.Quoted = quoted
		f.part(p)
		v = rest[j+utf8.RuneLen(holeRune):]
	}
	f.lit(v, quoted)
}

// filled turns a text with holes back into a word.
func (r *reader) filled(v string) Word {
	if len(r.holes) == 0 || strings.IndexByte(v, holeByte) < 0 {
		return Text(v)
	}
	s := shell{r: r}
	f := fields{s: &s}
	s.holed(&f, v, true)
	return Word{Parts: r.merge(f.cur)}
}

// substitute runs a command substitution and adds what it prints.
func (s *shell) substitute(f *fields, c *syntax.CmdSubst, quoted bool) {
	w := s.capture(c.Stmts, s.text(c))
	s.addWord(f, w, quoted)
}

// capture runs statements in a subshell and answers what they print, trailing
// newlines off.
func (s *shell) capture(stmts []*syntax.Stmt, text string) Word {
	out := output{}
	s.child(func() {
		s.at.out, s.at.subst = &out, true
		s.at.conditional = false
		s.stmts(stmts)
	})
	w := trimNewlines(out.word(s.r))
	if len(w.Parts) == 1 && w.Parts[0].Kind != Lit && text != "" {
		p := w.Parts[0]
		if p.Kind != TempPath {
			p.Text = text
		}
		return Word{Parts: []Part{p}}
	}
	return w
}

func trimNewlines(w Word) Word {
	for len(w.Parts) > 0 {
		n := len(w.Parts) - 1
		p := w.Parts[n]
		if p.Kind != Lit {
			return w
		}
		t := strings.TrimRight(p.Text, "\n")
		if t == p.Text {
			return w
		}
		parts := append([]Part(nil), w.Parts...)
		if t != "" {
			parts[n].Text = t
			return Word{Parts: parts}
		}
		w.Parts = parts[:n]
	}
	return w
}

// procSubst runs a process substitution; the word is the file it appears as.
func (s *shell) procSubst(p *syntax.ProcSubst) Part {
	name := "/dev/fd/" + strconv.Itoa(63-s.r.procs%50)
	s.r.procs++
	if p.Op == syntax.CmdOut {
		s.child(func() {
			s.at.out = nil
			s.at.stdin = Stdin{Kind: Pipe}
			s.stmts(p.Stmts)
		})
		return Part{Kind: Lit, Text: name}
	}
	out := output{}
	s.child(func() {
		s.at.out = &out
		s.stmts(p.Stmts)
	})
	w := out.word(s.r)
	s.r.setFile(name, w, false, false)
	return Part{Kind: Lit, Text: name}
}
