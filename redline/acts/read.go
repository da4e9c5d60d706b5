package acts

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds limit a reading. Zero fields take the default.
type Bounds struct {
	Depth int           // nesting of wrappers, functions and carried code; 16
	Acts  int           // acts in a reading; 10 000
	Bytes int           // length of a line; 1 MiB
	Time  time.Duration // what a reading may take; 50 ms
}

// DefaultBounds are the bounds of a reading whose options set none.
var DefaultBounds = Bounds{Depth: 16, Acts: 10_000, Bytes: 1 << 20, Time: 50 * time.Millisecond}

// stepTime is what one step of the interpreter takes at most on the machines
// this was measured on, with room. [Bounds.Time] is counted in steps, not on a
// clock: the same line must read the same on a busy machine, or a hook and the
// `explain` after it would disagree.
const stepTime = 250 * time.Nanosecond

// reader is one reading under way.
type reader struct {
	r       *Reading
	o       *Options
	b       Bounds
	steps   int
	depth   int
	units   int
	multi   bool // some name has more than one value
	last    bool // the line asks for $_
	picks   []pick
	blurred bool // names with several values are not known at all
	nested  int  // commands being read once for each value
	dedup   int  // index of the first act that a repeated command may repeat; -1: none
	holes   []Part
	files   []file
	gits    []gitAlias
	arena   []Part
	drives  bool // the line starts on a drive
	procs   int
	temps   int
	stopped bool
	rest    []string // what a bound left unread
	chunks  int
}

type gitAlias struct {
	name string
	text Word
}

// Read reads a command line. It never fails: what it cannot read is in the
// result as an act of kind Unread.
func Read(line string, o Options) (out *Reading) {
	// An act is a few hundred bytes: growing into a long script by doubling copies
	// and touches twice what it needs. Dense scripts have one in some 24 bytes.
	room := min(2+len(line)/24, 512)
	r := &reader{r: &Reading{Dialect: Bourne, env: o.Env, Acts: make([]Act, 0, room)}, o: &o, b: o.Bounds, dedup: -1}
	if r.b.Depth <= 0 {
		r.b.Depth = DefaultBounds.Depth
	}
	if r.b.Acts <= 0 {
		r.b.Acts = DefaultBounds.Acts
	}
	if r.b.Bytes <= 0 {
		r.b.Bytes = DefaultBounds.Bytes
	}
	if r.b.Time <= 0 {
		r.b.Time = DefaultBounds.Time
	}
	r.steps = int(r.b.Time / stepTime)

	r.drives = len(o.Dir) > 1 && o.Dir[1] == ':'

	s := &shell{r: r}
	dir := unknown("", "the directory the line starts in is not known")
	if o.Dir != "" {
		dir = Text(cleanPath(o.Dir))
	}
	s.top = &frame{ents: make([]entry, 0, 1)}
	s.put(entry{kind: kDir, alts: []alt{{set: true, words: []Word{dir}}}})

	// A belt: an error in here must not take the hook down with it. What was
	// read so far stays, the line as a whole is charged as unread.
	defer func() {
		if e := recover(); e != nil {
			out = r.r
			out.Unparsed = true
			out.Acts = append(out.Acts, Act{Kind: Unread, Text: line, Why: "the reader failed on it", Dir: dir, Source: snip(line)})
		}
	}()

	rest := ""
	if len(line) > r.b.Bytes {
		cut := r.b.Bytes
		if i := strings.LastIndexByte(line[:cut], '\n'); i > 0 {
			cut = i + 1
		}
		line, rest = line[:cut], line[cut:]
	}
	d := o.Dialect
	if d == Auto {
		if d = dialectOf(line, r.drives); d == Auto {
			d = Bourne
		}
	}
	r.r.Dialect = d
	if d == Bourne {
		s.script(Text(line))
	} else {
		s.windows(d, line)
	}
	s.fireTraps()
	if r.stopped || r.steps < 0 {
		text := strings.Join(r.rest, "\n")
		if text == "" {
			text = line
		}
		why := "past the time a reading takes"
		if r.r.Bound == "acts" || r.steps >= 0 {
			r.bound("acts")
			why = "more acts than are read"
		}
		r.r.Acts = append(r.r.Acts, Act{Kind: Unread, Text: r.filled(text).String(), Why: why, Dir: s.dir(), Source: snip(text)})
	}
	if rest != "" {
		r.bound("bytes")
		r.r.Acts = append(r.r.Acts, Act{Kind: Unread, Text: rest, Why: "past the longest line that is read", Dir: s.dir(), Source: snip(rest)})
	}
	return r.r
}

// dialectOf is the dialect a line shows by itself, or by the directory it is
// given in.
func dialectOf(line string, drives bool) Dialect {
	d := looksWindows(line)
	switch {
	case d == PowerShell && serverless(line):
		return Auto
	case d == Auto && drives && (strings.HasPrefix(line, "iex '") || strings.HasPrefix(line, `iex "`)):
		// Elixir's shell takes no string.
		return PowerShell
	case d == Auto && drives && strings.IndexByte(line, '\\') >= 0 && bareDrivePath(line):
		return Cmd
	}
	return d
}

// serverless reports whether `sls` in a line is the Serverless program, which
// shares its short name with an alias of Select-String: its first argument is a
// subcommand, or an option that PowerShell would spell with one dash.
func serverless(line string) bool {
	words := strings.Fields(line)
	for i, w := range words[:max(0, len(words)-1)] {
		if w != "sls" {
			continue
		}
		switch next := words[i+1]; next {
		case "deploy", "remove", "invoke", "package", "logs", "info", "offline", "print", "rollback", "metrics", "plugin", "doctor", "dev":
			return true
		default:
			return strings.HasPrefix(next, "--")
		}
	}
	return false
}

func isDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}

// bareDrivePath reports whether a word outside quotes is a path like S:\x: a
// Bourne shell would take its backslashes away, so where the work is on a drive
// such a line was written for cmd.
func bareDrivePath(line string) bool {
	if strings.ContainsAny(line, "'$`\n") {
		return false
	}
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case !quoted && (i == 0 || line[i-1] == ' ' || line[i-1] == '>') && i+3 < len(line) && isDrive(line[i:]) && line[i+2] == '\\' && line[i+3] != '\\':
			return true
		}
	}
	return false
}

// step takes n steps of the budget and reports whether any is left.
func (r *reader) step(n int) bool {
	if r.steps -= n; r.steps < 0 {
		r.bound("time")
		return false
	}
	return true
}

// stop remembers a piece of text that a bound left unread.
func (r *reader) stop(text string) {
	r.stopped = true
	if text != "" && len(r.rest) < maxFrom && (len(r.rest) == 0 || r.rest[len(r.rest)-1] != text) {
		r.rest = append(r.rest, text)
	}
}

func (r *reader) bound(name string) {
	if r.r.Bound == "" {
		r.r.Bound = name
	}
}

// more reports whether reading goes on.
func (r *reader) more() bool {
	return r.steps >= 0 && len(r.r.Acts) < r.b.Acts
}

// snip caps a piece of source at 200 bytes without cutting a rune.
func snip(s string) string {
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

// parsers keeps the parser of each variant that was needed: one is some
// kilobytes, and a hook reads many nested texts.
type parserKit struct{ bash, posix, mksh, zsh, mend *syntax.Parser }

var parsers = sync.Pool{New: func() any { return new(parserKit) }}

func (k *parserKit) get(l syntax.LangVariant) *syntax.Parser {
	var p **syntax.Parser
	switch l {
	case syntax.LangPOSIX:
		p = &k.posix
	case syntax.LangMirBSDKorn:
		p = &k.mksh
	case syntax.LangZsh:
		p = &k.zsh
	default:
		p = &k.bash
	}
	if *p == nil {
		*p = syntax.NewParser(syntax.Variant(l))
	}
	return *p
}

var errDeep = errors.New("nested too deep")

// errParser stands for a panic of the parser, which a few unfinished texts
// bring about (`A=$((0 A`): the text is then one that does not parse, instead of
// a line that is given up with everything read before it.
var errParser = errors.New("the parser failed on it")

func (k *parserKit) parse(l syntax.LangVariant, g *guardedReader) (f *syntax.File, err error) {
	defer func() {
		if recover() != nil {
			// A parser that stopped half-way is not used again.
			k.bash, k.posix, k.mksh, k.zsh = nil, nil, nil, nil
			f, err = nil, errParser
		}
	}()
	return k.get(l).Parse(g, "")
}

// mended parses a text with what is missing at its end put back.
func (k *parserKit) mended(g *guardedReader) (f *syntax.File, err error) {
	defer func() {
		if recover() != nil {
			k.mend = nil
			f, err = nil, errParser
		}
	}()
	if k.mend == nil {
		k.mend = syntax.NewParser(syntax.RecoverErrors(8))
	}
	return k.mend.Parse(g, "")
}

// guardedReader feeds a parser and stops it before its recursion gets far: the
// parser has no limit of its own, and a Go stack that overflows can't be
// recovered from. It is asked for a kilobyte at a time from inside the
// recursion, so the depth of the stack here is the depth there.
type guardedReader struct {
	s     string
	reads int
	deep  bool
}

const stackLimit = 4000 // frames; a level of nesting takes 5 to 15

func (g *guardedReader) Read(p []byte) (int, error) {
	if g.s == "" {
		return 0, io.EOF
	}
	if g.reads++; g.reads > 4 {
		var pc [1]uintptr
		if runtime.Callers(stackLimit, pc[:]) > 0 {
			g.deep = true
			return 0, errDeep
		}
	}
	n := copy(p, g.s)
	g.s = g.s[n:]
	return n, nil
}

// parse parses src and answers what statements it has, and the text after them
// that no grammar took, with the reason.
func (r *reader) parse(src string) (stmts []*syntax.Stmt, text, rest, why string) {
	kit := parsers.Get().(*parserKit)
	defer parsers.Put(kit)
	if !r.step(8 + len(src)/16) {
		return nil, src, src, "past what is read"
	}
	text = src
	var done []*syntax.Stmt
	for try := 0; ; try++ {
		g := guardedReader{s: text}
		f, err := kit.parse(syntax.LangBash, &g)
		if err == nil {
			return f.Stmts, text, "", ""
		}
		if g.deep {
			r.bound("depth")
			return nil, text, text, errDeep.Error()
		}
		if f != nil {
			done = f.Stmts
		}
		var pe syntax.ParseError
		if !errors.As(err, &pe) {
			var le syntax.LangError
			if errors.As(err, &le) {
				why = "not a line of bash: " + le.Feature
			} else {
				why = err.Error()
			}
			break
		}
		why = pe.Text
		// A heredoc that nobody closes takes the rest of the text as its body, and
		// the rest of its own line runs: bash warns and goes on, this parser stops.
		// Closing it by hand and reading again costs a pass for each such heredoc.
		if d, ok := strings.CutPrefix(why, "unclosed here-document `"); ok && try < 4 {
			if d, ok = strings.CutSuffix(d, "`"); ok {
				if !strings.HasSuffix(text, "\n") {
					text += "\n"
				}
				text += d + "\n"
				continue
			}
		}
		break
	}
	// Other shells' grammars, for a text of ordinary size: each is a whole pass.
	if len(src) <= 64<<10 {
		for _, l := range [...]syntax.LangVariant{syntax.LangZsh, syntax.LangMirBSDKorn, syntax.LangPOSIX} {
			g := guardedReader{s: src}
			if f, err := kit.parse(l, &g); err == nil {
				return f.Stmts, src, "", ""
			}
		}
		// A missing `fi` or `)` can be put back. A missing quote can't: where it
		// belongs decides what is text, and the parser would put it at the end.
		if !strings.Contains(why, "quote") && !strings.Contains(why, "here-document") {
			g := guardedReader{s: text}
			if f, err := kit.mended(&g); err == nil && len(f.Stmts) > 0 {
				return f.Stmts, text, "", "mended: " + why
			}
		}
	}
	off := 0
	if n := len(done); n > 0 {
		off = int(done[n-1].End().Offset())
		if off > len(text) {
			off = len(text)
		}
	}
	return done, text, text[off:], why
}
