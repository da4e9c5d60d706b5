package acts

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"
)

// perform files the act of a command and answers what it hands on.
func (p *ps) perform(c *psCommand, in *psSource) *psSource {
	switch c.canon {
	case "":
		return p.program(c, in)
	case "Set-Location", "Push-Location", "Pop-Location":
		p.act(c, in)
		p.location(c)
		return nil
	case "Invoke-Expression":
		w := winUnknown("(...)", "no text")
		if a := c.arg(0, "Command"); len(a) > 0 {
			w = a[0]
			for _, x := range c.pos[min(1, len(c.pos)):] {
				w = winCat(winCat(w, Text(" ")), x)
			}
		} else if in != nil && in.has {
			w = in.text
		}
		p.expressionText(w, "Invoke-Expression")
		p.landed(c)
		return nil
	case "ForEach-Object":
		return p.forEachObject(c, in)
	case "Where-Object":
		for _, b := range c.blocks {
			p.forEach(b, psItems(in))
		}
		return in
	case "Invoke-Command":
		p.invokeCommand(c, in)
		return nil
	case "Start-Process":
		p.startProcess(c)
		return nil
	case "Start-Job", "Start-ThreadJob":
		dir := p.s.Dir()
		for _, b := range c.blocks {
			p.runVia(b, c.canon, nil)
		}
		p.s.SetDir(dir)
		if len(c.blocks) == 0 {
			p.act(c, in)
		}
		return nil
	case "Set-Variable", "New-Variable":
		if n := c.arg(0, "Name"); len(n) > 0 {
			if name, ok := n[0].Known(); ok {
				v := c.arg(1, "Value")
				if len(v) == 0 {
					v = []Word{winUnknown("$"+name, name+" is set from the pipeline")}
				}
				p.st.vars[strings.ToLower(name)] = winVal{words: v}
			}
		}
	case "Set-Alias", "New-Alias":
		n, t := c.arg(0, "Name"), c.arg(1, "Value", "Definition")
		if len(n) > 0 && len(t) > 0 {
			if name, ok := n[0].Known(); ok {
				if to, ok := t[0].Known(); ok {
					if p.st.alias == nil {
						p.st.alias = map[string]string{}
					}
					p.st.alias[strings.ToLower(name)] = to
				}
			}
		}
	}
	return p.cmdletAct(c, in)
}

// act files a Run of the command as it stands.
func (p *ps) act(c *psCommand, in *psSource) int {
	a := Act{Kind: Run, Argv: c.argv, Redirs: c.redirs}
	if in != nil {
		a.Stdin = Stdin{Kind: Pipe, From: in.acts, Text: in.text, HasText: in.has}
	}
	return p.emit(a)
}

func psItems(in *psSource) []Word {
	if in == nil {
		return nil
	}
	return in.items
}

// takesPaths are the cmdlets whose missing path comes down the pipeline.
func takesPaths(canon string) bool {
	switch canon {
	case "Remove-Item", "Clear-Content", "Clear-Item", "Move-Item", "Copy-Item", "Rename-Item", "Set-ItemProperty", "Remove-ItemProperty", "Invoke-Item", "Get-Content", "Unblock-File", "Compress-Archive":
		return true
	}
	return false
}

// cmdletAct files the act of a cmdlet and works out what it lists.
func (p *ps) cmdletAct(c *psCommand, in *psSource) *psSource {
	if psDrive(c) {
		// Removing a variable of the session removes no file.
		c.argv[0] = Text("Remove-Variable")
	}
	a := Act{Kind: Run, Argv: c.argv, Redirs: c.redirs}
	if in != nil {
		a.Stdin = Stdin{Kind: Pipe, From: in.acts, Text: in.text, HasText: in.has}
		if takesPaths(c.canon) && c.param("Path") == nil && c.param("LiteralPath") == nil &&
			(len(c.pos) == 0 || c.canon == "Move-Item" || c.canon == "Copy-Item" || c.canon == "Rename-Item" || c.canon == "Compress-Archive") {
			a.Argv, a.Appended = p.piped(c, in)
		}
	}
	for _, b := range c.blocks {
		if c.canon != "Register-ArgumentCompleter" {
			p.maybeRunBlock(b, c.canon)
		}
	}
	i := p.emit(a)
	out := p.lists(c, in)
	if out == nil {
		out = &psSource{}
	}
	if i >= 0 {
		out.acts = []int{i}
	}
	return out
}

// piped puts the paths of the pipeline among the words of a cmdlet.
func (p *ps) piped(c *psCommand, in *psSource) ([]Word, bool) {
	if len(in.items) == 0 || len(in.items) > 64 {
		return c.argv, true
	}
	argv := append([]Word(nil), c.argv...)
	switch c.canon {
	case "Move-Item", "Copy-Item", "Rename-Item", "Compress-Archive":
		if len(c.pos) > 0 && c.param("Destination") == nil && c.param("NewName") == nil && c.param("DestinationPath") == nil && len(c.pos) == 1 {
			// The one operand is where they go.
			dest := "-Destination"
			switch c.canon {
			case "Rename-Item":
				dest = "-NewName"
			case "Compress-Archive":
				dest = "-DestinationPath"
			}
			argv = append(append([]Word{argv[0], Text("-Path"), in.items[0], Text(dest)}, c.pos...), winSwitches(c)...)
			return argv, len(in.items) > 1
		}
		return append(argv, Text("-Path"), in.items[0]), len(in.items) > 1
	}
	return append(argv, in.items...), false
}

// winSwitches are the parameters of a command without its positional words.
func winSwitches(c *psCommand) []Word {
	var out []Word
	for _, q := range c.params {
		out = append(append(out, Text(q.name)), q.value...)
	}
	return out
}

// psDrive reports whether a Remove-Item names variables, functions or aliases.
func psDrive(c *psCommand) bool {
	if c.canon != "Remove-Item" {
		return false
	}
	w := c.arg(0, "Path", "LiteralPath")
	if len(w) == 0 {
		return false
	}
	for _, x := range w {
		t := strings.ToLower(x.Prefix())
		if !strings.HasPrefix(t, "env:") && !strings.HasPrefix(t, "variable:") && !strings.HasPrefix(t, "function:") && !strings.HasPrefix(t, "alias:") {
			return false
		}
	}
	return true
}

// lists is what a cmdlet puts into the pipeline, as far as paths and text go.
func (p *ps) lists(c *psCommand, in *psSource) *psSource {
	one := func(w Word) *psSource { return &psSource{items: []Word{w}, text: w, has: true} }
	switch c.canon {
	case "Get-ChildItem":
		dirs := c.arg(0, "Path", "LiteralPath")
		if len(dirs) == 0 && in != nil && len(in.items) > 0 {
			dirs = in.items
		}
		pattern := "*"
		if f := c.arg(1, "Filter"); len(f) == 1 {
			pattern = f[0].String()
		}
		glob := Word{Parts: []Part{{Kind: Glob, Text: pattern, Why: "a listing"}}}
		if len(dirs) == 0 {
			return &psSource{items: []Word{glob}}
		}
		out := &psSource{}
		for i, d := range dirs {
			if i >= 32 {
				break
			}
			if n := len(d.Parts); n > 0 && d.Parts[n-1].Kind == Glob {
				out.items = append(out.items, d)
				continue
			}
			out.items = append(out.items, winJoin(d, glob))
		}
		return out
	case "Get-Item", "Resolve-Path", "Convert-Path", "New-Item", "Get-ItemProperty":
		if w := c.arg(0, "Path", "LiteralPath"); len(w) > 0 && len(w) <= 32 {
			if n := c.arg(-1, "Name"); len(n) == 1 && c.canon == "New-Item" {
				return one(winJoin(w[0], n[0]))
			}
			return &psSource{items: w, text: w[0], has: len(w) == 1}
		}
	case "Get-Location":
		return one(p.s.Dir())
	case "Join-Path":
		w := c.arg(0, "Path")
		if len(w) == 0 {
			return nil
		}
		out := w[0]
		rest := c.arg(1, "ChildPath")
		if c.param("Path") != nil && c.param("ChildPath") == nil {
			rest = c.arg(0)
		}
		if len(c.pos) > 2 {
			rest = c.pos[1:]
		}
		for _, x := range rest {
			if t, ok := x.Known(); ok {
				x = Text(strings.TrimLeft(t, `\/`))
			}
			out = winJoin(out, x)
		}
		return one(out)
	case "Split-Path":
		if w := c.arg(0, "Path", "LiteralPath"); len(w) == 1 && len(c.params) <= 1 && c.param("Leaf") == nil {
			if t, ok := w[0].Known(); ok {
				if i := strings.LastIndexAny(t, `\/`); i > 0 {
					return one(Text(t[:i]))
				}
			}
		}
		return one(winUnknown("(Split-Path)", "output of Split-Path"))
	case "New-TemporaryFile":
		return one(Word{Parts: []Part{{Kind: TempPath, Text: "(New-TemporaryFile)", Why: "a fresh file"}}})
	case "New-Guid", "Get-Random", "Get-Date":
		return one(Word{Parts: []Part{{Kind: Opaque, Text: "(" + c.canon + ")", Why: "output of " + c.canon}}})
	case "Write-Output":
		w := c.arg(0, "InputObject")
		if len(c.pos) > 1 {
			w = c.pos
		}
		if len(w) == 0 {
			return nil
		}
		t := w[0]
		for _, x := range w[1:] {
			t = winCat(winCat(t, Text("\n")), x)
		}
		return &psSource{items: w, text: t, has: true}
	case "Select-Object", "Sort-Object", "Get-Unique", "Tee-Object", "Out-String":
		return &psSource{items: psItems(in), text: psText(in), has: in != nil && in.has}
	}
	return nil
}

func psText(in *psSource) Word {
	if in == nil {
		return Word{}
	}
	return in.text
}

func (p *ps) location(c *psCommand) {
	switch c.canon {
	case "Pop-Location":
		if n := len(p.st.stack); n > 0 {
			p.s.SetDir(p.st.stack[n-1])
			p.st.stack = p.st.stack[:n-1]
			return
		}
		p.s.SetDir(winUnknown("Pop-Location", "the stack of locations is empty"))
		return
	case "Push-Location":
		if len(p.st.stack) < 64 {
			p.st.stack = append(p.st.stack, p.s.Dir())
		}
	}
	w := c.arg(0, "Path", "LiteralPath")
	switch {
	case len(w) == 1:
		if w[0].Is("-") {
			p.s.SetDir(winUnknown("-", "the location before"))
			return
		}
		p.s.SetDir(winDir(p.s, w[0]))
	case len(w) == 0 && c.canon == "Set-Location":
		p.s.SetDir(p.variable("HOME").word())
	}
}

// winDir is where w leads from the sink's directory, in forward slashes.
func winDir(s sink, w Word) Word {
	if t, ok := w.Known(); ok {
		if winAbs(t) {
			return Text(winClean(t))
		}
		if strings.HasPrefix(t, "~") {
			for _, n := range [...]string{"USERPROFILE", "HOME"} {
				if h, ok := winEnv(s, n); ok {
					return Text(winClean(h + "/" + t[1:]))
				}
			}
		}
		if d, ok := s.Dir().Known(); ok && d != "" {
			return Text(winClean(d + "/" + t))
		}
	} else if winAbs(w.Prefix()) {
		return w
	}
	return winCat(winCat(s.Dir(), Text("/")), w)
}

// winClean normalises separators, `.` and `..` of an absolute path.
func winClean(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	var out []string
	for i, seg := range strings.Split(p, "/") {
		switch {
		case seg == "." || seg == "" && i > 0:
		case seg == ".." && len(out) > 1:
			out = out[:len(out)-1]
		case seg == "..":
		default:
			out = append(out, seg)
		}
	}
	s := strings.Join(out, "/")
	if len(out) == 1 {
		s += "/"
	}
	if len(s) > 1 && s[1] == ':' {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// expressionText runs text that was put together at run time.
func (p *ps) expressionText(w Word, via string) {
	t, ok := w.Known()
	if !ok {
		p.unread(w.String(), via+" of text that is not known")
		return
	}
	p.run(t, func(q *ps) { q.via = append(append([]string(nil), p.via...), via) })
}

// runBlock runs a script block with its arguments.
func (p *ps) runBlock(b *winRange, words []Word, in *psSource) {
	if !p.more() {
		return
	}
	old := p.bindParams(b.params, words)
	p.run(b.src, nil)
	p.restore(old)
}

// psSaved is a variable as it was before a block took its name.
type psSaved struct {
	name string
	val  winVal
	had  bool
}

func (p *ps) bindParams(params []string, words []Word) []psSaved {
	var old []psSaved
	for i, n := range params {
		key := strings.ToLower(n)
		v, had := p.st.vars[key]
		old = append(old, psSaved{key, v, had})
		if i < len(words) {
			p.st.vars[key] = winVal{words: words[i : i+1]}
		} else {
			p.st.vars[key] = winVal{words: []Word{winUnknown("$"+n, n+" is a parameter")}}
		}
	}
	return old
}

func (p *ps) restore(old []psSaved) {
	for _, s := range old {
		if s.had {
			p.st.vars[s.name] = s.val
		} else {
			delete(p.st.vars, s.name)
		}
	}
}

func (p *ps) callFunction(f *winRange, c *psCommand, in *psSource) {
	if !p.more() {
		return
	}
	words := make([]Word, 0, len(c.pos))
	words = append(words, c.pos...)
	old := p.bindParams(f.params, words)
	// Named arguments win over positions.
	for i := range c.argv {
		t, ok := c.argv[i].Known()
		if !ok || len(t) < 2 || t[0] != '-' || i+1 >= len(c.argv) {
			continue
		}
		for _, n := range f.params {
			if strings.EqualFold(n, t[1:]) {
				p.st.vars[strings.ToLower(n)] = winVal{words: c.argv[i+1 : i+2]}
			}
		}
	}
	p.run(f.src, func(q *ps) { q.item = psItems(in) })
	p.restore(old)
}

// runVia runs a block behind one more wrapper.
func (p *ps) runVia(b *winRange, via string, item []Word) {
	p.run(b.src, func(q *ps) {
		q.via = append(append([]string(nil), p.via...), via)
		if item != nil {
			q.item = item
		}
	})
}

// maybeRunBlock runs a block that a command was given: it may run.
func (p *ps) maybeRunBlock(b *winRange, via string) {
	outer := p.maybe
	p.maybe = true
	if p.more() {
		p.runVia(b, via, []Word{})
	}
	p.maybe = outer
}

// forEach runs a block for each item, or once for an unknown one.
func (p *ps) forEach(b *winRange, items []Word) {
	if len(items) == 0 || len(items) > 16 {
		items = []Word{winUnknown("$_", "the object in the pipeline")}
	}
	for _, w := range items {
		if !p.more() {
			return
		}
		p.run(b.src, func(q *ps) { q.item = []Word{w} })
	}
}

func (p *ps) forEachObject(c *psCommand, in *psSource) *psSource {
	items := psItems(in)
	if len(c.blocks) == 0 {
		// `% Delete`: a member by its name.
		if m := c.arg(0, "MemberName"); len(m) == 1 {
			name := m[0].String()
			if strings.EqualFold(name, "Delete") {
				p.member(winVal{words: items}, name, nil)
			} else if strings.EqualFold(name, "FullName") {
				return in
			}
		}
		return nil
	}
	outer := p.via
	p.via = append(append([]string(nil), outer...), "ForEach-Object")
	for _, b := range c.blocks {
		p.forEach(b, items)
	}
	p.via = outer
	p.landed(c)
	return nil
}

func (p *ps) invokeCommand(c *psCommand, in *psSource) {
	host := p.host
	for _, n := range [...]string{"ComputerName", "HostName", "Session", "VMName", "ContainerId"} {
		if q := c.param(n); q != nil && len(q.value) > 0 {
			host = "Invoke-Command " + q.value[0].String()
		}
	}
	if len(c.blocks) == 0 {
		p.act(c, in)
		return
	}
	args := c.arg(-1, "ArgumentList")
	for _, b := range c.blocks {
		old := p.bindParams(b.params, args)
		dir := p.s.Dir()
		p.run(b.src, func(q *ps) {
			q.host = host
			q.via = append(append([]string(nil), p.via...), "Invoke-Command")
		})
		if host != "" {
			p.s.SetDir(dir)
		}
		p.restore(old)
	}
	p.landed(c)
}

func (p *ps) startProcess(c *psCommand) {
	prog := c.arg(0, "FilePath")
	if len(prog) == 0 {
		p.act(c, nil)
		return
	}
	args := c.arg(1, "ArgumentList")
	if c.param("FilePath") != nil && c.param("ArgumentList") == nil {
		args = c.pos
	} else if c.param("ArgumentList") == nil && len(c.pos) > 1 {
		args = c.pos[1:]
	}
	x := psCommand{name: prog[0], argv: append([]Word{prog[0]}, winSplitArgs(args)...), redirs: c.redirs}
	for _, n := range [...]string{"RedirectStandardOutput", "RedirectStandardError"} {
		if q := c.param(n); q != nil && len(q.value) > 0 {
			x.redirs = append(x.redirs, Redir{Op: WriteTo, FD: 1, Target: q.value[0]})
		}
	}
	dir := p.s.Dir()
	if q := c.param("WorkingDirectory"); q != nil && len(q.value) == 1 {
		p.s.SetDir(winDir(p.s, q.value[0]))
	}
	p.program(&x, nil, "Start-Process")
	p.s.SetDir(dir)
}

// winSplitArgs splits argument lists that are given as one text: Windows hands a
// program one line, whatever it was made from.
func winSplitArgs(words []Word) []Word {
	var out []Word
	for _, w := range words {
		t, ok := w.Known()
		if !ok || !strings.ContainsAny(t, " \t") {
			out = append(out, w)
			continue
		}
		for _, f := range winFields(t) {
			out = append(out, Text(f))
		}
	}
	return out
}

// winFields splits a line as Windows programs do: blanks, and double quotes.
func winFields(s string) []string {
	var out []string
	var b strings.Builder
	in, any := false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && s[i+1] == '"':
			b.WriteByte('"')
			any = true
			i++
		case c == '"':
			in = !in
			any = true
		case (c == ' ' || c == '\t') && !in:
			if any {
				out = append(out, b.String())
				b.Reset()
				any = false
			}
		default:
			b.WriteByte(c)
			any = true
		}
	}
	if any {
		out = append(out, b.String())
	}
	return out
}

// program files a program that is no cmdlet. Those that carry a line of their
// own are read through; where every word is known the Bourne reader takes its
// wrappers off.
func (p *ps) program(c *psCommand, in *psSource, via ...string) *psSource {
	chain := append(append([]string(nil), p.via...), via...)
	if len(c.blocks) > 0 {
		if name, ok := c.name.Known(); ok {
			switch strings.ToLower(ProgramName(name)) {
			case "powershell", "pwsh":
				for _, b := range c.blocks {
					p.runVia(b, "powershell -Command", nil)
				}
				p.landed(c)
				return nil
			}
		}
		for _, b := range c.blocks {
			p.maybeRunBlock(b, c.name.String())
		}
	}
	if d, src, how, ok := winCarrier(c.argv); ok && p.host == "" {
		if t, known := src.Known(); known && (t != "" || in == nil) {
			p.s.Nested(d, t, Word{}, append(chain, how))
			p.landed(c)
			return nil
		}
		if _, known := src.Known(); !known && d == Cmd {
			winCmdParts(p.s, src, append(chain, how), p.maybe, p.depth)
			p.landed(c)
			return nil
		} else if !known {
			p.via = append(p.via, via...)
			p.emit(Act{Kind: Unread, Text: src.String(), Why: how + " of text that is not known", Redirs: c.redirs})
			p.via = p.via[:len(p.via)-len(via)]
			return nil
		}
	}
	if line, ok := winBourne(c, in); ok && p.host == "" && !p.maybe {
		p.s.Nested(Bourne, line, Word{}, chain)
		return nil
	}
	a := Act{Kind: Run, Argv: c.argv, Redirs: c.redirs, Via: via}
	if in != nil {
		a.Stdin = Stdin{Kind: Pipe, From: in.acts, Text: in.text, HasText: in.has}
	}
	out := &psSource{}
	if i := p.emit(a); i >= 0 {
		out.acts = []int{i}
	}
	return out
}

// winCmdParts reads a line of cmd of which some parts are not known. Each of them
// stands in the text as a variable that has it for its value, so that the line
// is cut into commands and words as cmd would cut it and still says what is open.
func winCmdParts(s sink, src Word, via []string, maybe bool, depth int) {
	var b strings.Builder
	vars := map[string]Word{}
	for i, part := range src.Parts {
		if part.Kind == Lit {
			b.WriteString(part.Text)
			continue
		}
		name := "PART." + strconv.Itoa(i)
		vars[name] = Word{Parts: src.Parts[i : i+1]}
		b.WriteString("%" + name + "%")
	}
	text := b.String()
	steps := winSteps(text)
	r := &cmdReader{s: s, src: text, vars: vars, steps: &steps, via: via, maybe: maybe, depth: depth}
	r.list(false)
}

// winBourne writes a program with known words as a line of the Bourne family, so
// that the one table of wrappers and carriers serves here too. Only programs
// that carry something are worth it.
func winBourne(c *psCommand, in *psSource) (string, bool) {
	name, ok := c.argv[0].Known()
	if !ok || !winCarries(strings.ToLower(ProgramName(name))) {
		return "", false
	}
	var b strings.Builder
	for i, w := range c.argv {
		t, ok := w.Known()
		if !ok {
			return "", false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		winShellQuote(&b, t)
	}
	for _, r := range c.redirs {
		t, ok := r.Target.Known()
		if !ok || r.Op == ReadFrom || r.Op == ReadWrite {
			return "", false
		}
		op := ">"
		if r.Op == AppendTo {
			op = ">>"
		}
		switch r.FD {
		case -1:
			b.WriteString(" &" + op)
		case 2:
			b.WriteString(" 2" + op)
		default:
			b.WriteString(" " + op)
		}
		if strings.EqualFold(t, "$null") || strings.EqualFold(t, "nul") {
			t = "/dev/null"
		}
		winShellQuote(&b, t)
	}
	if in != nil {
		if t, ok := in.text.Known(); ok && in.has {
			b.WriteString(" <<< ")
			winShellQuote(&b, t)
		} else {
			return "", false
		}
	}
	return b.String(), true
}

// winCarries are programs that run, carry or wrap something on their own line.
func winCarries(name string) bool {
	switch name {
	case "git", "python", "python3", "py", "node", "deno", "bun", "ruby", "perl", "php", "ssh", "docker", "podman", "kubectl", "nerdctl", "npx", "bunx", "uvx", "uv",
		"pipx", "pnpm", "yarn", "npm", "poetry", "bundle", "sudo", "env", "bash", "sh", "zsh", "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb",
		"usql", "clickhouse-client", "make", "xargs", "find", "sed", "awk", "timeout", "nice", "cross-env", "dotenv", "gsudo", "spar":
		return true
	}
	return false
}

func winShellQuote(b *strings.Builder, t string) {
	if t != "" && strings.IndexFunc(t, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}) < 0 {
		b.WriteString(t)
		return
	}
	b.WriteByte('\'')
	b.WriteString(strings.ReplaceAll(t, "'", `'\''`))
	b.WriteByte('\'')
}

// winCarrier finds the line that a Windows shell is given in its arguments:
// `powershell -Command X`, `pwsh -EncodedCommand B64`, `cmd /c X`. How names the
// carrier. A script file is none: nobody sees what it holds.
func winCarrier(argv []Word) (d Dialect, src Word, how string, ok bool) {
	name, known := argv[0].Known()
	if !known {
		return 0, Word{}, "", false
	}
	switch n := strings.ToLower(ProgramName(name)); n {
	case "powershell", "pwsh":
		return winPowershellArgs(n, argv)
	case "cmd":
		for i := 1; i < len(argv); i++ {
			t, known := argv[i].Known()
			if !known || len(t) < 2 || t[0] != '/' {
				continue
			}
			switch t[1] {
			case 'c', 'C', 'k', 'K', 'r', 'R':
				rest := winWords(argv[i+1:])
				if len(t) > 2 {
					rest = winCat(winCat(Text(t[2:]), Text(" ")), rest)
				}
				return Cmd, rest, "cmd /c", true
			}
		}
	case "wsl":
		i := 1
		for i < len(argv) {
			t, known := argv[i].Known()
			if !known || !strings.HasPrefix(t, "-") {
				break
			}
			i++
			switch t {
			case "-d", "--distribution", "-u", "--user", "--cd", "--shell-type":
				i++
			case "-e", "--exec", "--":
				return Bourne, winQuoted(argv[i:]), "wsl", i < len(argv)
			case "-l", "--list", "--status", "--shutdown", "--install", "--update", "--unregister", "--terminate", "-t", "--export", "--import":
				return 0, Word{}, "", false
			}
		}
		if i < len(argv) {
			return Bourne, winQuoted(argv[i:]), "wsl", true
		}
	case "forfiles":
		for i := 1; i+1 < len(argv); i++ {
			if t, known := argv[i].Known(); known && strings.EqualFold(t, "/c") {
				return Cmd, argv[i+1], "forfiles", true
			}
		}
	}
	return 0, Word{}, "", false
}

// winPowershellArgs finds the text among the arguments of powershell.exe; its
// parameters may be shortened.
func winPowershellArgs(name string, argv []Word) (Dialect, Word, string, bool) {
	for i := 1; i < len(argv); i++ {
		t, known := argv[i].Known()
		if !known {
			return PowerShell, winWords(argv[i:]), name + " -Command", true
		}
		if t == "" || t[0] != '-' && (t[0] != '/' || len(t) < 2 || !winLetter(t[1])) {
			if name == "pwsh" {
				return 0, Word{}, "", false // a script file
			}
			return PowerShell, winWords(argv[i:]), name + " -Command", true
		}
		switch q := strings.ToLower(strings.TrimLeft(t, "-/")); {
		case q == "":
			return 0, Word{}, "", false
		case q == "c" || strings.HasPrefix("command", q) && len(q) > 2 || q == "commandwithargs" || q == "cwa" || q == "co":
			if i+1 < len(argv) && argv[i+1].Is("-") {
				return 0, Word{}, "", false // from standard input
			}
			return PowerShell, winWords(argv[i+1:]), name + " -Command", true
		case q == "e" || q == "ec" || strings.HasPrefix("encodedcommand", q):
			if i+1 >= len(argv) {
				return 0, Word{}, "", false
			}
			if b, known := argv[i+1].Known(); known {
				if raw, ok := winBase64(b); ok {
					return PowerShell, Text(winUTF16(raw)), name + " -EncodedCommand", true
				}
			}
			return PowerShell, winUnknown(argv[i+1].String(), "an encoded command that was not decoded"), name + " -EncodedCommand", true
		case q == "f" || strings.HasPrefix("file", q):
			return 0, Word{}, "", false
		case strings.HasPrefix("noprofile", q) && len(q) > 2, strings.HasPrefix("noninteractive", q) && len(q) > 2, strings.HasPrefix("nologo", q) && len(q) > 2,
			strings.HasPrefix("noexit", q) && len(q) > 2, q == "nop", q == "noni", q == "sta", q == "mta", q == "login", q == "l", q == "i", q == "interactive":
		case q == "?", q == "h", q == "help", q == "v", q == "version":
			if q != "version" && q != "v" {
				return 0, Word{}, "", false
			}
			i++
		default:
			i++ // -ExecutionPolicy Bypass, -WindowStyle Hidden, -WorkingDirectory ...
		}
	}
	return 0, Word{}, "", false
}

// winWords joins words to a line. Known words are put together in one go: a
// line may have very many.
func winWords(ws []Word) Word {
	var out Word
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t, ok := w.Known(); ok {
			b.WriteString(t)
			continue
		}
		if b.Len() > 0 {
			out = winCat(out, Text(b.String()))
			b.Reset()
		}
		out = winCat(out, w)
	}
	if b.Len() > 0 || len(out.Parts) == 0 {
		out = winCat(out, Text(b.String()))
	}
	return out
}

// winQuoted joins words to a line of the Bourne family.
func winQuoted(ws []Word) Word {
	var out Word
	for i, w := range ws {
		if i > 0 {
			out = winCat(out, Text(" "))
		}
		if t, ok := w.Known(); ok {
			var b strings.Builder
			winShellQuote(&b, t)
			w = Text(b.String())
		}
		out = winCat(out, w)
	}
	return out
}

func winBase64(s string) ([]byte, bool) {
	s = strings.TrimSpace(s)
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	}
	return raw, err == nil
}

// winUTF16 decodes little-endian UTF-16, the encoding of -EncodedCommand.
func winUTF16(raw []byte) string {
	u := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		u = append(u, uint16(raw[i])|uint16(raw[i+1])<<8)
	}
	if len(u) > 0 && u[0] == 0xFEFF {
		u = u[1:]
	}
	return string(utf16.Decode(u))
}
