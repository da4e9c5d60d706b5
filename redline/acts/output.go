package acts

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// output collects what commands print, as far as the line tells.
type output struct {
	parts []Part
	size  int
}

// maxOutput is how much output is followed; a script fed to a shell is shorter.
const maxOutput = 1 << 20

func (o *output) add(w Word) {
	if o == nil {
		return
	}
	for _, p := range w.Parts {
		if p.Kind == Lit && p.Text == "" {
			continue
		}
		if o.size += len(p.Text) + 8; o.size > maxOutput {
			o.parts = append(o.parts[:0:0], Part{Kind: Unknown, Why: tooLong})
			return
		}
		o.parts = append(o.parts, p)
	}
}

func (o *output) word(r *reader) Word { return Word{Parts: r.merge(o.parts)} }

// mark and blur bracket output that may or may not be printed.
func (o *output) mark() int {
	if o == nil {
		return 0
	}
	return len(o.parts)
}

func (o *output) blur(mark int) {
	if o == nil || len(o.parts) <= mark {
		return
	}
	o.parts = append(o.parts[:mark:mark], Part{Kind: Unknown, Why: "output that depends on a condition"})
}

// either keeps one of two outputs of which only one is printed, and reports
// whether they are alike: the same text, or each a new temporary path.
func (o *output) either(mark, half int) bool {
	if o == nil || half <= mark || len(o.parts)-half != half-mark {
		return false
	}
	for i := mark; i < half; i++ {
		a, b := o.parts[i], o.parts[i+half-mark]
		if a.Kind != b.Kind || a.Kind != TempPath && (a.Kind != Lit || a.Text != b.Text) {
			return false
		}
	}
	o.parts = o.parts[:half]
	return true
}

// file is a file that the line itself wrote.
type file struct {
	path  string
	texts []Word // what may be in it
}

// maxFiles is how many files written by one line are remembered.
const maxFiles = 128

// key names a file for the length of a reading. A path that is not known names
// one too, as long as it is written the same way.
func (s *shell) key(w Word) (string, bool) {
	p := s.r.r.place(s.dir(), w)
	if p.Known {
		return p.Path, p.Path != ""
	}
	if len(w.Parts) == 0 {
		return "", false
	}
	var b strings.Builder
	b.WriteByte(0)
	for _, q := range w.Parts {
		if q.Kind == Glob || q.Kind == Unset {
			return "", false
		}
		b.WriteString(q.Text)
		b.WriteString(q.Why)
	}
	return b.String(), true
}

// setFile remembers what a file holds.
func (r *reader) setFile(path string, w Word, appends, maybe bool) {
	for i := range r.files {
		f := &r.files[i]
		if f.path != path {
			continue
		}
		switch {
		case appends:
			s := shell{r: r}
			for j := range f.texts {
				f.texts[j] = s.cat(f.texts[j], w)
			}
		case maybe && len(f.texts) < maxAlts:
			f.texts = append(f.texts, w)
		default:
			f.texts = []Word{w}
		}
		return
	}
	if appends && !strings.HasPrefix(path, "/dev/fd/") {
		// What was in it before is not known, what is added is: a script that is run
		// then runs that too.
		w = Word{Parts: append([]Part(nil), w.Parts...)}
	}
	if len(r.files) < maxFiles {
		r.files = append(r.files, file{path: path, texts: []Word{w}})
	}
}

// writeFiles remembers what a command wrote into the files its standard output
// was redirected to.
func (s *shell) writeFiles(c call, w Word) {
	for _, rd := range c.redirs {
		if rd.Op != WriteTo && rd.Op != AppendTo || rd.FD != 1 && rd.FD != -1 {
			continue
		}
		if path, ok := s.key(rd.Target); ok && !strings.HasPrefix(path, "/dev/") {
			s.r.setFile(path, w, rd.Op == AppendTo, s.at.conditional)
		}
	}
}

// readFile is what a file written by the line holds; several possible texts are
// not told here.
func (s *shell) readFile(w Word) (Word, bool) {
	texts := s.fileTexts(w)
	if len(texts) != 1 {
		return Word{}, false
	}
	return texts[0], true
}

func (s *shell) fileTexts(w Word) []Word {
	if len(s.r.files) == 0 {
		return nil
	}
	path, ok := s.key(w)
	if !ok {
		return nil
	}
	for i := range s.r.files {
		if s.r.files[i].path == path {
			return s.r.files[i].texts
		}
	}
	return nil
}

// silent programs print nothing on their standard output when all is well.
func silent(name string) bool {
	switch name {
	case ":", "true", "false", "cd", "pushd", "popd", "export", "unset", "set", "shopt", "declare", "local", "typeset", "readonly", "alias", "unalias",
		"mkdir", "rmdir", "rm", "cp", "mv", "ln", "touch", "chmod", "chown", "sleep", "wait", "test", "[", "kill", "trap", "umask", "read", "shift", "exit",
		"return", "break", "continue", "eval", "source", ".", "mapfile", "readarray", "getopts", "ulimit", "let", "disown", "install", "truncate":
		return true
	}
	return false
}

// printed is what a program prints on its standard output, as far as that is
// certain.
func (s *shell) printed(c call) Word {
	name := ""
	if t, ok := c.argv[0].Known(); ok {
		name = ProgramName(t)
	}
	args := present(c.argv[1:])
	why := "output of " + name
	if name == "" {
		why = "output of a program that is not known"
	}
	dunno := Word{Parts: []Part{{Kind: Unknown, Text: c.src, Why: why}}}
	stdin := s.at.stdin
	if c.fed {
		stdin = c.stdin
	}
	input := func(files []Word) (Word, bool) {
		if len(files) == 0 {
			return stdin.Text, stdin.HasText
		}
		var all Word
		for _, f := range files {
			if f.Is("-") || f.Is("/dev/stdin") {
				if !stdin.HasText {
					return Word{}, false
				}
				all = s.cat(all, stdin.Text)
				continue
			}
			t, ok := s.readFile(f)
			if !ok {
				return Word{}, false
			}
			all = s.cat(all, t)
		}
		return all, true
	}
	switch name {
	case "echo":
		return s.echo(args)
	case "printf":
		if len(args) > 0 && args[0].Is("--") {
			args = args[1:]
		}
		if len(args) > 0 {
			if w, ok := s.printf(args); ok {
				return w
			}
		}
		return dunno
	case "print": // zsh, ksh
		return s.echo(args)
	case "cat", "bat":
		var files []Word
		for _, a := range args {
			if t, ok := a.Known(); ok && len(t) > 1 && t[0] == '-' {
				if t == "-u" || t == "--" {
					continue
				}
				return dunno
			}
			files = append(files, a)
		}
		if w, ok := input(files); ok {
			return w
		}
		return dunno
	case "tee", "sponge", "pv":
		if w, ok := input(nil); ok {
			return w
		}
		return dunno
	case "pwd":
		return s.cat(s.dir(), Text("\n"))
	case "basename", "dirname":
		if w, ok := s.pathPart(name, args); ok {
			return w
		}
		return dunno
	case "realpath", "readlink":
		var ops []Word
		for _, a := range args {
			if t, ok := a.Known(); ok && len(t) > 1 && t[0] == '-' {
				continue
			}
			ops = append(ops, a)
		}
		if len(ops) == 1 && (name == "realpath" || len(args) > 1) {
			if p := s.r.r.place(s.dir(), ops[0]); p.Known {
				return Text(p.Path + "\n")
			}
			return s.cat(ops[0], Text("\n"))
		}
		return dunno
	case "mktemp":
		return s.mktemp(args, c.src)
	case "date":
		for _, a := range args {
			t, ok := a.Known()
			if !ok {
				return dunno
			}
			if strings.HasPrefix(t, "+") && !strings.ContainsAny(t, " /\n") && !strings.Contains(t, "%c") && !strings.Contains(t, "%D") && !strings.Contains(t, "%x") && !strings.Contains(t, "%n") && !strings.Contains(t, "%t") && !strings.Contains(t, "%r") && !strings.Contains(t, "%+") {
				if strings.IndexByte(t, '%') < 0 {
					return Text(t[1:] + "\n")
				}
				return s.cat(opaque("$(date "+t+")", "a date"), Text("\n"))
			}
		}
		return dunno
	case "nproc", "uuidgen", "hostname", "whoami", "arch", "tty", "cksum":
		if len(args) == 0 && name != "tty" && name != "cksum" {
			return s.cat(opaque("$("+name+")", why), Text("\n"))
		}
		return dunno
	case "id":
		if len(args) == 1 && (args[0].Is("-u") || args[0].Is("-g") || args[0].Is("-un") || args[0].Is("-gn")) {
			return s.cat(opaque(c.src, why), Text("\n"))
		}
		return dunno
	case "uname":
		if len(args) == 0 || len(args) == 1 && (args[0].Is("-s") || args[0].Is("-m") || args[0].Is("-r") || args[0].Is("-n")) {
			return s.cat(opaque(c.src, why), Text("\n"))
		}
		return dunno
	case "git":
		if len(args) >= 2 && args[0].Is("rev-parse") && (args[len(args)-1].Is("HEAD") && (len(args) == 2 || args[1].Is("--short") || args[1].Is("--verify"))) {
			return s.cat(opaque(c.src, "a hash"), Text("\n"))
		}
		return dunno
	case "find", "gfind", "bfs":
		return s.foundList(c, dunno)
	case "which", "command", "type":
		// Where a program is found is not known, which one it is is.
		if n := len(args); n > 0 && (name == "which" || n > 1 && (args[0].Is("-v") || args[0].Is("-P") || args[0].Is("-p"))) {
			if t, ok := args[n-1].Known(); ok && t != "" && !strings.ContainsAny(t, " -/\n") {
				return Text(t + "\n")
			}
		}
		return dunno
	case "seq":
		return s.seq(args, dunno)
	case "grep", "egrep", "fgrep", "rg", "shuf", "tac":
		// Some of the lines that come in. Of a search's paths that is all there is to
		// say; of other text it would be a guess which.
		if len(args) > 0 && stdin.HasText && onlyPaths(stdin.Text) {
			return stdin.Text
		}
		return dunno
	case "base64", "openssl", "xxd", "rev", "tr", "head", "tail", "sort", "uniq", "cut", "sed", "base32", "uudecode", "gunzip", "zcat":
		return s.filter(name, args, input, dunno)
	case "":
		return dunno
	}
	if silent(name) {
		return Word{}
	}
	return dunno
}

// echo is what echo prints. With -e and without, escapes in its words are what
// bash and dash disagree on; both spellings of a script that is then run are
// rare enough to be told apart by -e alone.
func (s *shell) echo(args []Word) Word {
	newline, esc := true, false
	for len(args) > 0 {
		t, ok := args[0].Known()
		if !ok || len(t) < 2 || t[0] != '-' || strings.Trim(t[1:], "neE") != "" {
			break
		}
		newline = newline && !strings.Contains(t, "n")
		if strings.Contains(t, "e") {
			esc = true
		}
		args = args[1:]
	}
	f := fields{s: s}
	for i, a := range args {
		if i > 0 {
			f.lit(" ", true)
		}
		for _, p := range a.Parts {
			if p.Kind == Lit && esc {
				p.Text = unescape(p.Text, true)
			}
			if p.Kind == Glob && p.Quoted {
				p.Kind = Lit
			}
			f.cur = append(f.cur, p)
			f.size += len(p.Text)
		}
	}
	if newline {
		f.cur = append(f.cur, Part{Kind: Lit, Text: "\n"})
	}
	if f.size > maxWord {
		return unknown("", tooLong)
	}
	return Word{Parts: s.r.merge(f.cur)}
}

// unescape decodes what echo -e and printf understand.
func unescape(t string, zero bool) string {
	if strings.IndexByte(t, '\\') < 0 {
		return t
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] != '\\' || i+1 >= len(t) {
			b.WriteByte(t[i])
			continue
		}
		if t[i+1] == 'c' {
			return b.String()
		}
		i += escape(&b, t[i+1:], zero)
	}
	return b.String()
}

// printf is what printf prints, where the format is known.
func (s *shell) printf(args []Word) (Word, bool) {
	format, ok := args[0].Known()
	if !ok {
		return Word{}, false
	}
	args = args[1:]
	f := fields{s: s}
	for round := 0; round == 0 || len(args) > 0; round++ {
		if round > 1000 || f.size > maxWord || !s.r.step(1) {
			return Word{}, false
		}
		used := false
		next := func() Word {
			used = true
			if len(args) == 0 {
				return Word{}
			}
			w := args[0]
			args = args[1:]
			return w
		}
		for i := 0; i < len(format); i++ {
			c := format[i]
			if c == '\\' && i+1 < len(format) {
				if format[i+1] == 'c' {
					return Word{Parts: s.r.merge(f.cur)}, true
				}
				var b strings.Builder
				i += escape(&b, format[i+1:], false)
				f.lit(b.String(), true)
				continue
			}
			if c != '%' {
				j := i
				for j < len(format) && format[j] != '%' && format[j] != '\\' {
					j++
				}
				f.lit(format[i:max(j, i+1)], true)
				i = max(j, i+1) - 1
				continue
			}
			j := i + 1
			for j < len(format) && strings.IndexByte("-+ #0123456789.*'", format[j]) >= 0 {
				j++
			}
			if j >= len(format) {
				return Word{}, false
			}
			flags := format[i+1 : j]
			i = j
			switch format[j] {
			case '%':
				f.lit("%", true)
				continue
			case '(':
				return Word{}, false
			case 's', 'b', 'q':
				w := next()
				if t, ok := w.Known(); ok {
					switch format[j] {
					case 'b':
						t = unescape(t, true)
					case 'q':
						t = quoteWord(t)
					}
					if flags != "" {
						t = pad(t, flags)
					}
					f.lit(t, true)
					continue
				}
				if flags != "" || format[j] != 's' {
					return Word{}, false
				}
				for _, p := range w.Parts {
					f.part(p)
				}
			case 'c':
				w := next()
				t, ok := w.Known()
				if !ok {
					return Word{}, false
				}
				if t != "" {
					f.lit(t[:1], true)
				}
			case 'd', 'i', 'u', 'x', 'X', 'o':
				w := next()
				t, ok := w.Known()
				if t == "" {
					t = "0"
				}
				n, num := parseNumber(t)
				if !ok || !num {
					if ok && len(t) > 1 && (t[0] == '\'' || t[0] == '"') {
						n, num = int64(t[1]), true
					}
				}
				if !ok || !num {
					f.part(Part{Kind: Opaque, Text: w.String(), Why: "a number", Quoted: true})
					continue
				}
				base := 10
				switch format[j] {
				case 'x', 'X':
					base = 16
				case 'o':
					base = 8
				}
				t = strconv.FormatInt(n, base)
				if format[j] == 'X' {
					t = strings.ToUpper(t)
				}
				if flags != "" {
					t = pad(t, flags)
				}
				f.lit(t, true)
			default:
				next()
				f.part(Part{Kind: Opaque, Text: "%" + format[j:j+1], Why: "a number", Quoted: true})
			}
		}
		if !used {
			break
		}
	}
	return Word{Parts: s.r.merge(f.cur)}, true
}

func pad(t, flags string) string {
	if d := strings.IndexByte(flags, '.'); d >= 0 {
		if n, err := strconv.Atoi(flags[d+1:]); err == nil && n < len(t) && n >= 0 {
			t = t[:n]
		}
		flags = flags[:d]
	}
	left := strings.Contains(flags, "-")
	zero := strings.HasPrefix(strings.TrimLeft(flags, "-+ #"), "0")
	n, err := strconv.Atoi(strings.TrimLeft(flags, "-+ #0"))
	if err != nil || n > 4096 {
		return t
	}
	for len(t) < n {
		switch {
		case left:
			t += " "
		case zero:
			t = "0" + t
		default:
			t = " " + t
		}
	}
	return t
}

// mktemp is the name of a fresh path. With a template it lies where that says.
func (s *shell) mktemp(args []Word, src string) Word {
	s.r.temps++
	why := "a fresh path from mktemp"
	if s.r.temps > 1 {
		why += " (" + strconv.Itoa(s.r.temps) + ")"
	}
	fresh := Word{Parts: []Part{{Kind: TempPath, Text: "$(" + src + ")", Why: why}}}
	var dir, template Word
	inTemp := false
	for i := 0; i < len(args); i++ {
		t, ok := args[i].Known()
		if !ok || !strings.HasPrefix(t, "-") {
			template = args[i]
			continue
		}
		switch {
		case t == "-p":
			if i++; i < len(args) {
				dir = args[i]
			}
		case strings.HasPrefix(t, "--tmpdir="):
			dir = Text(t[len("--tmpdir="):])
		case strings.HasPrefix(t, "-p"):
			dir = Text(t[2:])
		case t == "-t":
			// GNU: the template is a name inside the temporary directory. BSD: -t takes
			// a prefix. Either way the result lies there.
			inTemp = true
			if i+1 < len(args) {
				i++
			}
		case t == "--tmpdir":
			inTemp = true
		case t == "--suffix":
			i++
		}
	}
	nl := Text("\n")
	switch {
	case len(dir.Parts) > 0:
		return s.cat(s.cat(s.cat(dir, Text("/")), opaque("XXXXXX", why)), nl)
	case len(template.Parts) > 0 && !inTemp:
		if t, ok := template.Known(); ok {
			if i := strings.Index(t, "XXX"); i >= 0 {
				j := i
				for j < len(t) && t[j] == 'X' {
					j++
				}
				return s.cat(s.cat(s.cat(Text(t[:i]), opaque(t[i:j], why)), Text(t[j:])), nl)
			}
		}
		return s.cat(s.cat(template, opaque("", why)), nl)
	}
	return s.cat(fresh, nl)
}

// pathPart is basename and dirname.
func (s *shell) pathPart(name string, args []Word) (Word, bool) {
	if len(args) == 0 || len(args) > 2 {
		return Word{}, false
	}
	t, ok := args[0].Known()
	if !ok {
		w := args[0]
		n := len(w.Parts)
		if name == "dirname" && n > 0 && w.Parts[n-1].Kind == Lit {
			// The end is known: that is all dirname looks at.
			if i := strings.LastIndexByte(strings.TrimRight(w.Parts[n-1].Text, "/"), '/'); i > 0 || i == 0 && n > 1 {
				parts := append([]Part(nil), w.Parts...)
				parts[n-1].Text = w.Parts[n-1].Text[:i]
				return s.cat(Word{Parts: parts}, Text("\n")), true
			}
		}
		return Word{}, false
	}
	if strings.HasPrefix(t, "-") {
		return Word{}, false
	}
	for len(t) > 1 && strings.HasSuffix(t, "/") {
		t = t[:len(t)-1]
	}
	i := strings.LastIndexByte(t, '/')
	if name == "dirname" {
		switch {
		case i < 0:
			t = "."
		case i == 0:
			t = "/"
		default:
			t = strings.TrimRight(t[:i], "/")
			if t == "" {
				t = "/"
			}
		}
		return Text(t + "\n"), true
	}
	if i >= 0 && t != "/" {
		t = t[i+1:]
	}
	if len(args) == 2 {
		suf, ok := args[1].Known()
		if !ok {
			return Word{}, false
		}
		if suf != t {
			t = strings.TrimSuffix(t, suf)
		}
	}
	return Text(t + "\n"), true
}

// foundList is what find prints: paths below the places it begins at.
func (s *shell) foundList(c call, dunno Word) Word {
	starts, i := findStarts(c.argv)
	for ; i < len(c.argv); i++ {
		switch t, _ := c.argv[i].Known(); t {
		case "-printf", "-ls", "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-quit":
			return dunno
		}
	}
	var w Word
	for _, st := range starts {
		if loose(st) {
			return dunno
		}
		w = s.cat(s.cat(w, found(st)), Text("\n"))
	}
	return w
}

func (s *shell) seq(args []Word, dunno Word) Word {
	var n []int
	for _, a := range args {
		t, ok := a.Known()
		v, err := strconv.Atoi(t)
		if !ok || err != nil {
			return s.cat(opaque("$(seq ..)", "numbers"), Text("\n"))
		}
		n = append(n, v)
	}
	from, step, to := 1, 1, 0
	switch len(n) {
	case 1:
		to = n[0]
	case 2:
		from, to = n[0], n[1]
	case 3:
		from, step, to = n[0], n[1], n[2]
	default:
		return dunno
	}
	if step == 0 || (to-from)/step > maxUnroll {
		return s.cat(opaque("$(seq ..)", "numbers"), Text("\n"))
	}
	var b strings.Builder
	for i := from; step > 0 && i <= to || step < 0 && i >= to; i += step {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('\n')
	}
	return Text(b.String())
}

// filter is what a program makes of text it reads, where that is simple.
func (s *shell) filter(name string, args []Word, input func([]Word) (Word, bool), dunno Word) Word {
	var opts []string
	var files []Word
	for i, a := range args {
		t, ok := a.Known()
		if !ok {
			return dunno
		}
		if len(t) > 1 && t[0] == '-' {
			opts = append(opts, t)
			continue
		}
		if name == "openssl" && i == 0 || name == "tr" || name == "sed" {
			opts = append(opts, t)
			continue
		}
		files = append(files, a)
	}
	w, ok := input(files)
	if !ok {
		return dunno
	}
	t, known := w.Known()
	has := func(want ...string) bool {
		for _, o := range opts {
			for _, x := range want {
				if o == x {
					return true
				}
			}
		}
		return false
	}
	if !known {
		if onlyPaths(w) && len(files) == 0 {
			switch name {
			case "head", "tail", "sort", "uniq":
				return w
			}
		}
		if name == "sort" || name == "uniq" {
			return Word{Parts: []Part{{Kind: Unknown, Text: w.String(), Why: w.Why()}}}
		}
		return dunno
	}
	s.r.step(len(t) / 8)
	switch name {
	case "base64":
		if has("-d", "-D", "--decode", "-di", "-id") {
			if d, ok := unbase64(t); ok {
				return Text(d)
			}
			return dunno
		}
		return Text(base64.StdEncoding.EncodeToString([]byte(t)) + "\n")
	case "openssl":
		if has("base64", "enc") && has("-d") && (has("base64") || has("-base64") || has("-a")) {
			if d, ok := unbase64(t); ok {
				return Text(d)
			}
		}
		return dunno
	case "xxd":
		r, p := false, false
		for _, o := range opts {
			r = r || strings.Contains(o, "r")
			p = p || strings.Contains(o, "p")
		}
		if r && p {
			if d, err := hex.DecodeString(strings.Map(notSpace, t)); err == nil {
				return Text(string(d))
			}
		}
		return dunno
	case "rev":
		lines := strings.Split(t, "\n")
		for i, l := range lines {
			r := []rune(l)
			for a, b := 0, len(r)-1; a < b; a, b = a+1, b-1 {
				r[a], r[b] = r[b], r[a]
			}
			lines[i] = string(r)
		}
		return Text(strings.Join(lines, "\n"))
	case "tr":
		if d, ok := translate(t, opts); ok {
			return Text(d)
		}
		return dunno
	case "head", "tail":
		n := 10
		for i, o := range opts {
			v := strings.TrimPrefix(o, "-")
			v = strings.TrimPrefix(v, "n")
			if v == "" && i+1 < len(opts) {
				continue
			}
			k, err := strconv.Atoi(v)
			if err != nil {
				return dunno
			}
			n = k
		}
		if len(files) > 0 || n < 0 {
			return dunno
		}
		lines := strings.SplitAfter(t, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if n < len(lines) {
			if name == "head" {
				lines = lines[:n]
			} else {
				lines = lines[len(lines)-n:]
			}
		}
		return Text(strings.Join(lines, ""))
	}
	return dunno
}

// onlyPaths reports whether a text is what a search found: paths of which the
// beginning is known.
func onlyPaths(w Word) bool {
	some := false
	for _, p := range w.Parts {
		switch {
		case p.Kind == Glob && p.Why != "":
			some = true
		case p.Kind != Lit && p.Kind != TempPath:
			return false
		}
	}
	return some
}

func notSpace(r rune) rune {
	if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
		return -1
	}
	return r
}

func unbase64(t string) (string, bool) {
	t = strings.TrimRight(strings.Map(notSpace, t), "=")
	d, err := base64.RawStdEncoding.DecodeString(t)
	return string(d), err == nil
}

// translate is tr with plain sets and ranges, and tr -d.
func translate(t string, opts []string) (string, bool) {
	if len(opts) != 2 {
		return "", false
	}
	if opts[0] == "-d" {
		set, ok := charSet(opts[1])
		if !ok {
			return "", false
		}
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, t), true
	}
	from, ok1 := charSet(opts[0])
	to, ok2 := charSet(opts[1])
	if !ok1 || !ok2 || from == "" || to == "" {
		return "", false
	}
	for len(to) < len(from) {
		to += to[len(to)-1:]
	}
	return strings.Map(func(r rune) rune {
		if r < 128 {
			if i := strings.LastIndexByte(from, byte(r)); i >= 0 {
				return rune(to[i])
			}
		}
		return r
	}, t), true
}

func charSet(v string) (string, bool) {
	if strings.HasPrefix(v, "[:") || strings.HasPrefix(v, "-") {
		switch v {
		case "[:upper:]":
			return "ABCDEFGHIJKLMNOPQRSTUVWXYZ", true
		case "[:lower:]":
			return "abcdefghijklmnopqrstuvwxyz", true
		}
		return "", false
	}
	v = unescape(v, false)
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] >= 128 {
			return "", false
		}
		if i+2 < len(v) && v[i+1] == '-' && v[i] <= v[i+2] {
			for c := v[i]; c <= v[i+2]; c++ {
				b.WriteByte(c)
			}
			i += 2
			continue
		}
		b.WriteByte(v[i])
	}
	return b.String(), true
}
