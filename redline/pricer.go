package redline

import (
	"strings"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// pricer prices one call.
type pricer struct {
	call  *harness.Call
	o     Options
	out   Priced
	prod  patterns
	has   bit // kinds charged so far
	line  line
	depth int // of command lines inside options
	// detail is what the check under way found, for the charge it leads to.
	detail string
	// blank places the paths of tools that run no command.
	blank *acts.Reading
}

func newPricer(call *harness.Call, o Options) *pricer {
	if o.Dir == "" {
		o.Dir = call.Cwd
	}
	return &pricer{call: call, o: o, prod: normalise(o.Rules.Production)}
}

func (p *pricer) run() {
	c := p.call
	switch c.Kind {
	case harness.Shell:
		p.out.Subject = c.Command
		if p.out.Reading = p.o.Reading; p.out.Reading == nil {
			p.out.Reading = read(c, p.o)
		}
		p.command()
	case harness.Write:
		p.out.Subject = c.Tool
		if len(c.Files) > 0 {
			p.out.Subject = c.Files[0].Path
		}
		if !p.byRule() {
			p.files()
		}
	case harness.MCP:
		p.out.Subject = c.Tool
		if !p.byRule() {
			p.tool()
		}
	default:
		// What the harness itself brings reads, plans or sends somebody whose own calls
		// are priced; its names (SendMessage, CronDelete) say nothing of the outside.
		p.out.Subject = c.Tool
		p.byRule()
	}
}

// read reads a call's command line.
func read(c *harness.Call, o Options) *acts.Reading {
	d := acts.Auto
	switch c.Dialect {
	case "powershell":
		d = acts.PowerShell
	case "cmd":
		d = acts.Cmd
	}
	return acts.Read(c.Command, acts.Options{Dialect: d, Dir: slashes(o.Dir), Env: o.Env})
}

func (p *pricer) finish() *Priced {
	t := p.o.Rules.tariff()
	for _, k := range Kinds() {
		if p.has&kindBit(k) == 0 {
			continue
		}
		n := t.Points(k)
		if k != Unnamed || n > 0 {
			p.out.Kinds = append(p.out.Kinds, k)
		}
		p.out.Points += n
		for i := range p.out.Charges {
			if p.out.Charges[i].Kind == k {
				p.out.Charges[i].Points = n
			}
		}
	}
	return &p.out
}

// charge files a reason for every kind of the set.
func (p *pricer) charge(at int, kinds bit, why string, row *Row) {
	for b := bitIrreversible; b <= bitUnnamed; b <<= 1 {
		if kinds&b == 0 {
			continue
		}
		kind := b.list()[0]
		// Charges stand in the order of the acts: a repeat is among the last ones.
		dup := false
		for i := len(p.out.Charges) - 1; i >= 0 && p.out.Charges[i].Act == at; i-- {
			c := &p.out.Charges[i]
			dup = dup || c.Kind == kind && c.Why == why
		}
		if dup {
			continue
		}
		p.has |= b
		p.out.Charges = append(p.out.Charges, Charge{Act: at, Kind: kind, Why: why, Detail: p.detail, Row: row})
	}
}

// spare notes a rule that made something free.
func (p *pricer) spare(at int, why string) {
	for _, s := range p.out.Spared {
		if s.Act == at && s.Why == why {
			return
		}
	}
	p.out.Spared = append(p.out.Spared, Spared{Act: at, Why: why})
}

// command prices every act of the line.
func (p *pricer) command() {
	for i := range p.out.Reading.Acts {
		a := &p.out.Reading.Acts[i]
		switch a.Kind {
		case acts.Run:
			p.runs(i, a)
			p.detail = ""
		case acts.Write:
			p.writes(i, a.Dir, a.Target, "inline code writes there")
		case acts.Remove:
			if p.losesWord(i, a, a.Target) {
				p.charge(i, irr, "inline code removes "+describe(a.Target), nil)
			}
			p.detail = ""
			p.writes(i, a.Dir, a.Target, "inline code removes there")
		case acts.SQL:
			p.sql(i, a)
		case acts.Unread:
			p.shapes(i, a.Text)
		}
		p.redirects(i, a)
	}
}

// runs prices one program.
func (p *pricer) runs(i int, a *acts.Act) {
	l := &p.line
	name := a.Name()
	if d := p.out.Reading.Dialect; d == acts.PowerShell || d == acts.Cmd || windowsVerb(name) {
		name = strings.ToLower(name)
	}
	*l = line{p: p, act: a, at: i, name: name, args: l.args[:0], opts: l.opts[:0], ops: l.ops[:0]}
	for _, w := range a.Argv[min(1, len(a.Argv)):] {
		s, ok := literal(w)
		l.args = append(l.args, arg{text: s, known: ok, word: w})
	}
	if name == "" {
		p.unknownProgram(l)
		return
	}
	l.rename()
	p.prices(l)
}

// prices is the tariff over one line whose program is known.
func (p *pricer) prices(l *line) {
	l.prog = lookup(l.name)
	before := p.has
	if l.prog != nil {
		l.tariffRows()
	}
	p.nested(l)
	if bin := l.localBin(); bin != nil {
		p.prices(bin)
	}
	p.pilot(l)
	if len(p.prod) > 0 {
		p.production(l, before)
	}
}

// rename takes off what stands between the program and what it is: `python -m
// pip`, `php artisan`, `python manage.py`, a versioned interpreter.
func (l *line) rename() {
	for range 4 {
		switch {
		case strings.HasPrefix(l.name, "mkfs.") || strings.HasPrefix(l.name, "mke2fs"):
			l.name = "mkfs"
			return
		case strings.HasPrefix(l.name, "pip3") || strings.HasPrefix(l.name, "pip2"):
			l.name = "pip"
			return
		case isPython(l.name):
			if !l.shift("-m", "manage.py", "pip") {
				return
			}
		case l.name == "sail" || l.name == "lando" || l.name == "ddev" || l.name == "herd":
			if len(l.args) == 0 || !l.args[0].known || strings.HasPrefix(l.args[0].text, "-") {
				return
			}
			l.name, l.args = l.args[0].text, l.args[1:]
		case l.name == "docker" || l.name == "podman" || l.name == "nerdctl":
			if firstWord(l) != "compose" {
				return
			}
			for i, a := range l.args {
				if a.text == "compose" {
					l.name, l.args = "docker-compose", l.args[i+1:]
					return
				}
			}
		case l.name == "yarn" && firstWord(l) == "workspace":
			for i, a := range l.args {
				if a.text == "workspace" && i+2 < len(l.args) {
					l.args = l.args[i+2:]
					break
				}
			}
			return
		case l.name == "php":
			if !l.shift("", "artisan", "console") {
				return
			}
		case l.name == "ruby" || l.name == "bundle":
			if !l.shift("", "rails", "rake") {
				return
			}
		default:
			return
		}
	}
}

// localBin is the program that `yarn NAME` or `pnpm NAME` runs from the tree, where
// the tariff knows it; nil for their own subcommands and for scripts.
func (l *line) localBin() *line {
	switch l.name {
	case "yarn", "pnpm", "bun":
	default:
		return nil
	}
	if len(l.args) == 0 {
		return nil
	}
	switch a := l.args[0]; {
	case !a.known, strings.HasPrefix(a.text, "-"), a.text == "npm", a.text == "run", a.text == "exec", !shapeProgram(a.text):
		return nil
	default:
		return &line{p: l.p, act: l.act, at: l.at, name: a.text, args: l.args[1:]}
	}
}

func isPython(name string) bool {
	if name == "py" || name == "pypy" || name == "pypy3" {
		return true
	}
	v, ok := strings.CutPrefix(name, "python")
	return ok && strings.Trim(v, "0123456789.") == ""
}

// shift makes the first operand the program: after the option module, or where it
// is a script of one of the names.
func (l *line) shift(module string, scripts ...string) bool {
	for i, a := range l.args {
		if !a.known {
			return false
		}
		if module != "" && a.text == module && i+1 < len(l.args) {
			l.name, l.args = l.args[i+1].text, l.args[i+2:]
			return true
		}
		if strings.HasPrefix(a.text, "-") {
			if a.text == "-c" || a.text == "-e" || a.text == "-r" {
				return false
			}
			continue
		}
		if b := acts.ProgramName(a.text); listed(strings.Join(scripts, " "), b) {
			l.name, l.args = b, l.args[i+1:]
			return true
		}
		return false
	}
	return false
}

// unknownProgram charges a command whose program nobody knows on what its words
// name.
func (p *pricer) unknownProgram(l *line) {
	if len(l.act.Argv) == 0 {
		return
	}
	var b strings.Builder
	for i, w := range l.act.Argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		s, _ := literal(w)
		b.WriteString(s)
	}
	p.shapes(l.at, b.String())
	if len(p.prod) > 0 {
		p.production(l, p.has)
	}
}

// loses reports whether one of the words is a path that is gone for good:
// neither scratch nor a free tree, or not to be placed.
func (l *line) loses(words []arg) bool {
	lost := false
	for _, w := range words {
		if w.known && (w.text == "{}" || w.text == "") {
			if w.text == "{}" {
				lost = l.p.losesFound(l) || lost
			}
			continue
		}
		lost = l.p.losesWord(l.at, l.act, w.word) || lost
	}
	if l.act.Appended {
		lost = l.p.losesFound(l) || lost
	}
	return lost
}

// losesFound judges operands that a wrapper brings (`find DIR -exec rm {} +`,
// `find DIR | xargs rm`) by where that find began to look: deleting there by
// another spelling must cost the same.
func (p *pricer) losesFound(l *line) bool {
	from := -1
	switch l.act.Stdin.Kind {
	case acts.Pipe:
		if len(l.act.Stdin.From) > 0 && contains(l.act.Via, "xargs") {
			from = l.act.Stdin.From[0]
		}
	}
	if from < 0 && contains(l.act.Via, "find", "fd") {
		for i := l.at - 1; i >= 0; i-- {
			if n := p.out.Reading.Acts[i].Name(); n == "find" || n == "fd" {
				from = i
				break
			}
		}
	}
	if from < 0 || from >= len(p.out.Reading.Acts) {
		return true
	}
	a := &p.out.Reading.Acts[from]
	if a.Name() != "find" {
		return true
	}
	lost, any := false, false
	for _, w := range findRoots(a) {
		any = true
		lost = p.losesWord(l.at, a, w) || lost
	}
	return lost || !any
}

// contains reports whether one of the wrappers of a chain is one of names.
func contains(via []string, names ...string) bool {
	for _, v := range via {
		v, _, _ = strings.Cut(v, " ")
		for _, n := range names {
			if v == n {
				return true
			}
		}
	}
	return false
}

// findRoots are the starting points of a find.
func findRoots(a *acts.Act) []acts.Word {
	var out []acts.Word
	for _, w := range a.Argv[min(1, len(a.Argv)):] {
		s := w.Prefix()
		if strings.HasPrefix(s, "-") || s == "(" || s == "!" || s == ")" {
			if out == nil && (s == "-H" || s == "-L" || s == "-P") {
				continue
			}
			break
		}
		out = append(out, w)
	}
	return out
}

// losesWord reports whether removing the path w loses something. It notes the
// rule that says it does not, and where the path was placed.
func (p *pricer) losesWord(at int, a *acts.Act, w acts.Word) bool {
	pl := p.out.Reading.Place(a.Dir, w)
	if pl.Null || pl.Scratch {
		return false
	}
	known := pl
	if !pl.Known {
		// A pattern or a counter at the end leaves the directory known. Directly in
		// the scratch root it has to say something of the name: /tmp/*.log does, /tmp/*
		// is everybody's.
		if text, ok := globbed(w); ok {
			if known = p.out.Reading.Place(a.Dir, acts.Text(text)); known.Scratch {
				return false
			}
			if last := w.String(); strings.Trim(last[strings.LastIndexByte(last, '/')+1:], "*?.[]!^-") != "" &&
				p.out.Reading.Place(a.Dir, acts.Text(text+"/x")).Scratch {
				return false
			}
		}
	}
	if known.Known {
		if tree, ok := within(p.o.Rules.Free, known.Path); ok {
			p.spare(at, known.Path+" is in the free tree "+tree)
			return false
		}
	}
	if p.detail == "" || !pl.Known { // what could not be placed is the reason worth telling
		p.detail = placed(w, pl)
	}
	return true
}

// placed says of a path what it resolved to, or why it could not be placed.
func placed(w acts.Word, pl acts.Place) string {
	s := describe(w)
	switch {
	case !pl.Known && pl.Why != "":
		return s + " (" + pl.Why + ")"
	case !pl.Known:
		return s + " (not known)"
	case s == "" || !rooted(slashes(s)) && s[0] != '~' && s[0] != '$':
		return s + " (relative, here " + clip(pl.Path, 120) + ")"
	case s != pl.Path:
		return s + " (" + clip(pl.Path, 120) + ")"
	}
	return s
}

// globbed is the literal directory in front of a pattern: everything a pattern
// without `..` can match is inside it.
func globbed(w acts.Word) (string, bool) {
	var b strings.Builder
	glob := false
	for _, part := range w.Parts {
		switch part.Kind {
		case acts.Lit:
			if glob && strings.Contains(part.Text, "..") {
				return "", false
			}
			if !glob {
				b.WriteString(part.Text)
			}
		case acts.Glob, acts.Opaque:
			glob = true
		default:
			return "", false
		}
	}
	s := b.String()
	i := strings.LastIndexByte(s, '/')
	if !glob || i <= 0 {
		return "", false
	}
	return s[:i], true
}

// outside reports whether dir is no scratch directory and in no free tree: what
// a worktree loses there is lost.
func (p *pricer) outside(l *line, dir acts.Word) bool {
	pl := p.out.Reading.Place(acts.Word{}, dir)
	if len(dir.Parts) == 0 {
		return true
	}
	if pl.Scratch {
		return false
	}
	if pl.Known {
		if tree, ok := within(p.o.Rules.Free, pl.Path); ok {
			p.spare(l.at, pl.Path+" is in the free tree "+tree)
			return false
		}
	}
	return true
}

// describe is a word for a person, shortened.
func describe(w acts.Word) string {
	s := w.String()
	if s == "" {
		return "a path that is not known"
	}
	return clip(s, 80)
}

// clip cuts text to n bytes, on a rune boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
