package acts

import (
	"strconv"
	"strings"
)

// option is one option met while the words of a wrapper are read.
type option struct {
	name  string
	value Word
	has   bool
}

// walkOptions reads options from the i-th word on and hands those with a value
// to fn. It answers the index of the first operand, and whether `--` came before
// it. An option is valued if it is in list; a short one may be glued to its
// value, a long one by `=`.
func walkOptions(argv []Word, i int, list string, fn func(option)) (int, bool) {
	for i < len(argv) {
		w := argv[i]
		t, known := w.Known()
		if !known {
			if vanishes(w) {
				i++
				continue
			}
			p := w.Prefix()
			if len(p) < 2 || p[0] != '-' {
				return i, false
			}
			// -n"$N", --name="$N": the option is known, its value is not.
			if strings.HasPrefix(p, "--") {
				if j := strings.IndexByte(p, '='); j > 0 {
					fn(option{p[:j], dropPrefix(w, j+1), true})
				}
			} else {
				fn(option{p[:2], dropPrefix(w, 2), true})
			}
			i++
			continue
		}
		if t == "--" {
			return i + 1, true
		}
		if len(t) < 2 || t[0] != '-' {
			return i, false
		}
		i++
		if t[1] == '-' {
			if j := strings.IndexByte(t, '='); j > 0 {
				fn(option{t[:j], dropPrefix(w, j+1), true})
				continue
			}
			if hasOpt(list, t) {
				if i < len(argv) {
					fn(option{t, argv[i], true})
				}
				i++
				continue
			}
			fn(option{name: t})
			continue
		}
		if hasOpt(list, t) { // -n 5, and BSD's long options with one dash
			if i < len(argv) {
				fn(option{t, argv[i], true})
			}
			i++
			continue
		}
		for j := 1; j < len(t); j++ {
			o := "-" + t[j:j+1]
			if !hasOpt(list, o) {
				fn(option{name: o})
				continue
			}
			if j+1 < len(t) {
				fn(option{o, dropPrefix(w, j+1), true})
			} else {
				if i < len(argv) {
					fn(option{o, argv[i], true})
				}
				i++
			}
			break
		}
	}
	return min(i, len(argv)), false
}

// dropPrefix takes n literal bytes off a word's front.
func dropPrefix(w Word, n int) Word {
	if len(w.Parts) == 0 || len(w.Parts[0].Text) < n {
		return Word{}
	}
	p := w.Parts[0]
	p.Text = p.Text[n:]
	if p.Text == "" {
		return Word{Parts: w.Parts[1:]}
	}
	return Word{Parts: append([]Part{p}, w.Parts[1:]...)}
}

// wrapper runs the command that a wrapper carries; false: it is none, or it
// carries nothing here.
func (s *shell) wrapper(name string, c call) bool {
	switch name {
	case "env":
		return s.env(c)
	case "xargs", "gxargs":
		return s.xargs(c)
	case "parallel":
		return s.parallel(c)
	case "find", "gfind", "bfs":
		return s.find2(c)
	case "fd", "fdfind":
		return s.fd(c)
	case "flock":
		return s.flock(c)
	case "script":
		return s.scriptCmd(c)
	case "su":
		return s.su(c)
	case "runuser":
		// Without -u it is su.
		for i := 1; i < len(c.argv); i++ {
			if t := c.argv[i].Prefix(); strings.HasPrefix(t, "-u") || strings.HasPrefix(t, "--user") {
				break
			}
			if c.argv[i].Is("-c") || c.argv[i].Is("--command") {
				return s.su(c)
			}
		}
	case "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh", "yash", "pdksh", "oksh":
		return s.shellCmd(name, c)
	case "tmux", "screen":
		return s.terminal(name, c)
	case "spar":
		return s.spar(c)
	case "adb":
		return s.adb(c)
	}
	for _, w := range findWrap(name) {
		if i := subcommand(c.argv, w); i > 0 && s.wrapped(w, c, i) {
			return true
		}
	}
	return false
}

// subcommand answers the index of the word after a row's subcommand, or 0.
func subcommand(argv []Word, w wrap) int {
	i := 1
	for sub := w.sub; sub != ""; {
		word, rest, _ := strings.Cut(sub, " ")
		sub = rest
		i, _ = walkOptions(argv, i, w.global, func(option) {})
		if i >= len(argv) || !argv[i].Is(word) {
			return 0
		}
		i++
	}
	return i
}

// wrapped runs what a row of the table says the command carries.
func (s *shell) wrapped(w wrap, c call, start int) bool {
	list := w.valued + " " + w.script + " " + w.dir + " " + w.entry
	var scripts []Word
	var dir, entry Word
	login := false
	seen := func(o option) {
		switch {
		case o.has && hasOpt(w.script, o.name):
			scripts = append(scripts, o.value)
		case o.has && hasOpt(w.dir, o.name):
			dir = o.value
		case o.has && hasOpt(w.entry, o.name):
			entry = o.value
		case o.name == "-s" || o.name == "-i" || o.name == "--shell" || o.name == "--login":
			login = w.name == "sudo" || w.name == "doas"
		}
	}
	i, dashed := walkOptions(c.argv, start, list, seen)
	for j := start; w.after != "" && j < len(c.argv); j++ {
		if t, ok := c.argv[j].Known(); ok && hasOpt(w.after, t) {
			i, dashed = j+1, true
			break
		}
		if j == len(c.argv)-1 {
			return false
		}
	}
	var assigns []Assign
	for w.assign && i < len(c.argv) {
		n, v, ok := cutAssign(c.argv[i])
		if !ok {
			break
		}
		assigns = append(assigns, Assign{n, v})
		i++
	}
	where := ""
	for k := 0; k < w.skip && i < len(c.argv) && !(dashed && w.late && k > 0); k++ {
		if where == "" {
			where = c.argv[i].String()
		}
		i++
		if w.late && !dashed {
			i, dashed = walkOptions(c.argv, i, list, seen)
		}
	}
	if w.dash && !dashed {
		// The command begins after `--`, behind operands of the wrapper's own.
		j := i
		for j < len(c.argv) && !c.argv[j].Is("--") {
			j++
		}
		if j >= len(c.argv) && len(scripts) == 0 {
			return false
		}
		i = min(j+1, len(c.argv))
	} else if !dashed && i < len(c.argv) && c.argv[i].Is("--") {
		i++
	}
	if len(scripts) > 0 && (w.remote || w.name == "gcloud") && where == "" {
		for j := start; j < len(c.argv); j++ {
			if t, ok := c.argv[j].Known(); ok && !strings.HasPrefix(t, "-") {
				where = t
				break
			}
		}
	}
	via := w.name
	if w.sub != "" {
		via += " " + w.sub
	}
	if w.remote && where != "" {
		via += " " + where
	}
	words := c.argv[i:]
	if w.pkg && dashed && len(words) == 0 {
		words = nil
	}
	if len(entry.Parts) > 0 {
		words = append([]Word{entry}, words...)
	}
	for len(words) > 0 && vanishes(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 && len(scripts) == 0 {
		if w.mode == mStdin || login || w.empty && where != "" {
			return s.fedScript(w, c, via)
		}
		return false
	}
	if w.mode == mStdin {
		return s.fedScript(w, c, via)
	}
	if w.keep {
		own := c
		n := i
		if w.pkg && i < len(c.argv) && len(entry.Parts) == 0 {
			n++
		}
		own.argv = c.argv[:min(n, len(c.argv))]
		own.stdout = outGone
		own.fed = false
		s.leaf(own)
	}
	in := c
	in.plain = true
	if w.pkg && len(words) > 0 {
		words = append([]Word{packageName(words[0])}, words[1:]...)
	}
	run := func() {
		s.at.via = concat(s.at.via, []string{via})
		if len(dir.Parts) > 0 {
			s.put(entry2(s.resolve(s.dir(), dir)))
		}
		for _, sc := range scripts {
			s.within(c, func() {
				s.process(concat(c.assigns, assigns), nil, Word{}, func() { s.scriptText(sc, c.src) })
			})
		}
		if len(scripts) > 0 {
			return
		}
		switch {
		case w.mode == mShell || login && len(words) > 0:
			s.within(c, func() {
				s.process(concat(c.assigns, assigns), nil, Word{}, func() { s.scriptText(s.joinWords(words), c.src) })
			})
		case w.mode == mEach:
			for _, x := range words {
				s.within(c, func() {
					s.process(concat(c.assigns, assigns), nil, Word{}, func() { s.scriptText(x, c.src) })
				})
			}
		default:
			in.argv = words
			in.assigns = concat(c.assigns, assigns)
			s.run(in)
		}
	}
	if w.remote {
		s.away(via, run)
		return true
	}
	if len(dir.Parts) > 0 {
		s.child(run)
		return true
	}
	at := s.at
	run()
	s.at = at
	return true
}

func entry2(dir Word) entry {
	return entry{kind: kDir, alts: []alt{{set: true, words: []Word{dir}}}}
}

// packageName takes the version off a package's name, and leaves the name that
// its program most likely has.
func packageName(w Word) Word {
	t, ok := w.Known()
	if !ok {
		return w
	}
	if i := strings.LastIndexByte(t, '@'); i > 0 {
		t = t[:i]
	}
	if i := strings.Index(t, "=="); i > 0 {
		t = t[:i]
	}
	return Text(t)
}

// away runs fn on another machine: the directory, the environment and the files
// there are not those of here.
func (s *shell) away(where string, fn func()) {
	was := s.envUnknown
	s.child(func() {
		s.top.wall = true
		s.envUnknown = "set on the other side of " + where + ", or not"
		if s.at.remote == "" {
			s.at.remote = where
		} else if s.at.remote != where {
			s.at.remote += ", " + where
		}
		s.put(entry2(unknown("", "the directory on the other side of "+where)))
		fn()
	})
	s.envUnknown = was
}

// joinWords joins words by spaces into a script.
func (s *shell) joinWords(words []Word) Word {
	f := fields{s: s}
	for i, w := range words {
		if i > 0 {
			f.lit(" ", true)
		}
		for _, p := range w.Parts {
			if p.Kind == Lit {
				f.lit(p.Text, true)
				continue
			}
			f.part(p)
		}
	}
	return Word{Parts: s.r.merge(f.cur)}
}

// fedScript runs the script that a program reads from its standard input.
func (s *shell) fedScript(w wrap, c call, via string) bool {
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	if !in.HasText {
		return false
	}
	run := func() {
		s.at.via = concat(s.at.via, []string{via})
		s.at.stdin = Stdin{}
		cc := c
		cc.fed = false
		s.within(cc, func() {
			s.process(c.assigns, nil, Word{}, func() { s.scriptText(in.Text, c.src) })
		})
	}
	if w.remote {
		s.away(via, run)
		return true
	}
	at := s.at
	run()
	s.at = at
	return true
}

// env is env [-i] [-u NAME] [-C DIR] [-S WORDS] [NAME=VALUE] COMMAND.
func (s *shell) env(c call) bool {
	argv := c.argv
	var assigns []Assign
	var dir Word
	for round := 0; round < 8; round++ {
		split := -1
		i := 1
		for i < len(argv) {
			t, ok := argv[i].Known()
			if !ok || len(t) < 2 || t[0] != '-' {
				break
			}
			if t == "--" {
				i++
				break
			}
			switch {
			case t == "-u" || t == "--unset" || t == "-P" || t == "-a" || t == "--argv0":
				i++
			case t == "-C" || t == "--chdir":
				if i++; i < len(argv) {
					dir = argv[i]
				}
			case strings.HasPrefix(t, "--chdir="):
				dir = dropPrefix(argv[i], len("--chdir="))
			case t == "-S" || t == "--split-string" || strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.HasSuffix(t, "S"):
				split = i + 1
			case strings.HasPrefix(t, "--split-string="):
				argv = concat(argv[:i:i], append([]Word{Text("-S"), dropPrefix(argv[i], len("--split-string="))}, argv[i+1:]...))
				split = i + 1
			case strings.HasPrefix(t, "-S") || strings.HasPrefix(t, "-vS") || strings.HasPrefix(t, "-iS"):
				n := strings.IndexByte(t, 'S') + 1
				argv = concat(argv[:i:i], append([]Word{Text("-S"), dropPrefix(argv[i], n)}, argv[i+1:]...))
				split = i + 1
			}
			i++
			if split >= 0 {
				break
			}
		}
		if split >= 0 && split < len(argv) {
			words := s.splitWords(argv[split])
			argv = concat(append([]Word{argv[0]}, words...), argv[split+1:])
			continue
		}
		for i < len(argv) {
			n, v, ok := cutAssign(argv[i])
			if !ok {
				break
			}
			assigns = append(assigns, Assign{n, v})
			i++
		}
		for i < len(argv) && vanishes(argv[i]) {
			i++
		}
		if i >= len(argv) {
			return false
		}
		in := c
		in.argv, in.plain = argv[i:], true
		in.assigns = concat(c.assigns, assigns)
		run := func() {
			s.at.via = concat(s.at.via, []string{"env"})
			if len(dir.Parts) > 0 {
				s.put(entry2(s.resolve(s.dir(), dir)))
			}
			s.run(in)
		}
		if len(dir.Parts) > 0 {
			s.child(run)
			return true
		}
		at := s.at
		run()
		s.at = at
		return true
	}
	return false
}

// splitWords splits a text into words by quotes and white space, as env -S does.
func (s *shell) splitWords(w Word) []Word {
	text := s.r.source(w)
	var out []Word
	var b strings.Builder
	in, q := false, byte(0)
	flush := func() {
		if in {
			out = append(out, s.r.filled(b.String()))
			b.Reset()
			in = false
		}
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case q == 0 && (c == ' ' || c == '\t' || c == '\n'):
			flush()
		case q == 0 && (c == '\'' || c == '"'):
			q, in = c, true
		case q != 0 && c == q:
			q = 0
		case c == '\\' && q != '\'' && i+1 < len(text):
			i++
			in = true
			if text[i] == '_' && q == 0 {
				flush()
				continue
			}
			b.WriteByte(text[i])
		default:
			in = true
			b.WriteByte(c)
		}
	}
	flush()
	return out
}

// items are the words a program takes from its standard input, if the line
// tells them.
func (s *shell) items(c call, sep func(byte) bool) ([]Word, bool) {
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	if !in.HasText {
		return nil, false
	}
	var out []Word
	var cur []Part
	flush := func() {
		if len(cur) > 0 {
			out = append(out, Word{Parts: append([]Part(nil), cur...)})
			cur = cur[:0]
		}
	}
	for _, p := range in.Text.Parts {
		if p.Kind == Unknown || p.Kind == Unset {
			return nil, false
		}
		if p.Kind != Lit {
			cur = append(cur, p)
			continue
		}
		t := p.Text
		for t != "" {
			i := 0
			for i < len(t) && !sep(t[i]) {
				i++
			}
			if i > 0 {
				piece := t[:i]
				if len(piece) > 1 && (piece[0] == '"' || piece[0] == '\'') && piece[len(piece)-1] == piece[0] {
					piece = piece[1 : len(piece)-1]
				}
				cur = append(cur, Part{Kind: Lit, Text: piece, Quoted: true})
			}
			if i < len(t) {
				flush()
				i++
			}
			t = t[i:]
		}
		if len(out) > maxBraces {
			return nil, false
		}
	}
	flush()
	return out, true
}

const xargsValued = "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars -R -S -J --process-slot-var"

// xargs runs a command with words it reads.
func (s *shell) xargs(c call) bool {
	repl, batch := "", 0
	sep := func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == 0 }
	lines := func(b byte) bool { return b == '\n' || b == 0 }
	i, _ := walkOptions(c.argv, 1, xargsValued, func(o option) {
		switch o.name {
		case "-I", "-J":
			repl, _ = o.value.Known()
			sep = lines
		case "-i", "--replace":
			repl = "{}"
			if t, ok := o.value.Known(); ok && t != "" {
				repl = t
			}
			sep = lines
		case "-0", "--null":
			sep = lines
		case "-n", "--max-args", "-L", "--max-lines":
			t, _ := o.value.Known()
			batch, _ = strconv.Atoi(t)
		case "-d", "--delimiter":
			t, _ := o.value.Known()
			if t = unescape(t, false); len(t) == 1 {
				d := t[0]
				sep = func(b byte) bool { return b == d }
			} else {
				sep = lines
			}
		}
	})
	for i < len(c.argv) && vanishes(c.argv[i]) {
		i++
	}
	items, known := s.items(c, sep)
	if i >= len(c.argv) {
		return false // xargs alone is echo
	}
	words := c.argv[i:]
	at := s.at
	defer func() { s.at = at }()
	s.at.via = concat(at.via, []string{"xargs"})
	in := c
	in.plain, in.fed = true, false
	s.at.stdin = Stdin{}
	if c.fed || at.stdin.Kind != Inherited {
		// The command's own input is /dev/null.
		in.stdin, in.fed = Stdin{Kind: File}, true
	}
	if repl != "" {
		if !known {
			items = []Word{{Parts: []Part{{Kind: Unknown, Text: repl, Why: "what xargs reads", Quoted: true}}}}
		}
		for k, it := range items {
			if k >= maxRuns {
				break
			}
			in.argv = make([]Word, 0, len(words))
			for _, w := range words {
				in.argv = append(in.argv, replaceIn(w, repl, it))
			}
			s.dedupRun(in)
		}
		return true
	}
	if known {
		if batch <= 0 || len(items) > maxRuns*batch {
			batch = max(len(items), 1)
		}
		for len(items) > 0 {
			n := min(batch, len(items))
			in.argv = concat(words, items[:n])
			items = items[n:]
			s.dedupRun(in)
			if len(items) == 0 {
				return true
			}
		}
		in.argv = words
		s.run(in)
		return true
	}
	s.at.appended = true
	in.argv = words
	s.run(in)
	return true
}

// dedupRun runs a command whose acts may repeat those of the one before.
func (s *shell) dedupRun(c call) {
	saved := s.r.dedup
	if s.r.dedup < 0 {
		s.r.dedup = len(s.r.r.Acts)
	}
	s.run(c)
	s.r.dedup = saved
}

// replaceIn puts it in place of every mark in a word's literal text.
func replaceIn(w Word, mark string, it Word) Word {
	if mark == "" {
		return w
	}
	hit := false
	for _, p := range w.Parts {
		hit = hit || p.Kind == Lit && strings.Contains(p.Text, mark)
	}
	if !hit {
		return w
	}
	var parts []Part
	add := func(p Part) {
		if n := len(parts); n > 0 && p.Kind == Lit && parts[n-1].Kind == Lit {
			parts[n-1].Text += p.Text
			return
		}
		parts = append(parts, p)
	}
	for _, p := range w.Parts {
		if p.Kind != Lit {
			add(p)
			continue
		}
		t := p.Text
		for k := 0; k < 64; k++ {
			i := strings.Index(t, mark)
			if i < 0 {
				break
			}
			if i > 0 {
				add(Part{Kind: Lit, Text: t[:i], Quoted: p.Quoted})
			}
			for _, q := range it.Parts {
				add(q)
			}
			t = t[i+len(mark):]
		}
		if t != "" {
			add(Part{Kind: Lit, Text: t, Quoted: p.Quoted})
		}
	}
	return Word{Parts: parts}
}

const parallelValued = "-j --jobs -N -n --max-args -L -S --sshlogin --sshloginfile -C --colsep -a --arg-file --delay --timeout --retries --joblog --tmpdir --wd --workdir -I -P --max-procs -d --delimiter --results --tagstring --halt -s --block --basefile --bf --return --env --memfree --load --nice --rpl -E --max-chars --recstart --recend --shuf-seed --profile -J"

// parallel runs a command line for each of its inputs, by a shell.
func (s *shell) parallel(c call) bool {
	i, _ := walkOptions(c.argv, 1, parallelValued, func(option) {})
	var words, items []Word
	marked := false
	for ; i < len(c.argv); i++ {
		t, _ := c.argv[i].Known()
		switch t {
		case ":::", ":::+", "::::", "::::+":
			marked = true
			if t == "::::" || t == "::::+" {
				items = append(items, unknown("{}", "lines of a file"))
			}
			continue
		}
		if marked {
			items = append(items, c.argv[i])
		} else {
			words = append(words, c.argv[i])
		}
	}
	known := marked
	if !marked {
		items, known = s.items(c, func(b byte) bool { return b == '\n' || b == 0 })
	}
	if len(words) == 0 && !known {
		return false
	}
	at := s.at
	defer func() { s.at = at }()
	s.at.via = concat(at.via, []string{"parallel"})
	s.at.stdin = Stdin{}
	cc := c
	cc.fed = false
	if !known {
		items = []Word{{Parts: []Part{{Kind: Unknown, Text: "{}", Why: "what parallel reads", Quoted: true}}}}
	}
	saved := s.r.dedup
	if s.r.dedup < 0 {
		s.r.dedup = len(s.r.r.Acts)
	}
	for k, it := range items {
		if k >= maxRuns {
			break
		}
		line := s.joinWords(words)
		switch {
		case len(words) == 0:
			line = it
		default:
			if t, ok := it.Known(); ok {
				it = Text(quoteWord(t))
			}
			with := line
			for _, m := range [...]string{"{}", "{.}", "{/}", "{//}", "{/.}", "{1}"} {
				with = replaceIn(with, m, it)
			}
			if sameWord(with, line) {
				with = s.cat(s.cat(line, Text(" ")), it)
			}
			line = with
		}
		s.within(cc, func() {
			s.process(c.assigns, nil, Word{}, func() { s.scriptText(line, c.src) })
		})
	}
	s.r.dedup = saved
	return true
}

// findStarts are the places a find begins at, and where its expression begins.
func findStarts(argv []Word) ([]Word, int) {
	i := 1
	for i < len(argv) {
		t, ok := argv[i].Known()
		if !ok || t != "-H" && t != "-L" && t != "-P" && t != "-E" && t != "-X" && t != "-x" && t != "-d" && t != "-s" && !strings.HasPrefix(t, "-O") && t != "-D" && t != "-f" {
			break
		}
		if t == "-D" || t == "-f" {
			i++
		}
		i++
	}
	i = min(i, len(argv))
	from := i
	for i < len(argv) {
		if t := argv[i].Prefix(); t != "" && (t[0] == '-' || t == "(" || t == ")" || t == "!" || t == ",") {
			break
		}
		i++
	}
	if i == from {
		return []Word{Text(".")}, i
	}
	return argv[from:i], i
}

// found is a path that a search below start finds.
func found(start Word) Word {
	parts := append([]Part(nil), start.Parts...)
	slash := "/"
	if n := len(parts); n > 0 && parts[n-1].Kind == Lit && strings.HasSuffix(parts[n-1].Text, "/") {
		slash = ""
	}
	if slash != "" {
		if n := len(parts); n > 0 && parts[n-1].Kind == Lit {
			parts[n-1].Text += slash
		} else {
			parts = append(parts, Part{Kind: Lit, Text: slash})
		}
	}
	return Word{Parts: append(parts, Part{Kind: Glob, Text: "*", Why: "what find finds", Quoted: true})}
}

// find2 is find: itself an act, and the commands of its -exec and kin.
func (s *shell) find2(c call) bool {
	s.leaf(c)
	starts, i := findStarts(c.argv)
	for i < len(c.argv) {
		t, _ := c.argv[i].Known()
		i++
		if t != "-exec" && t != "-execdir" && t != "-ok" && t != "-okdir" {
			continue
		}
		j := i
		for j < len(c.argv) {
			u, _ := c.argv[j].Known()
			if u == ";" || u == "+" && j > i && c.argv[j-1].Is("{}") {
				break
			}
			j++
		}
		words := c.argv[i:min(j, len(c.argv))]
		i = j + 1
		if len(words) == 0 {
			continue
		}
		in := c
		in.plain = true
		in.argv = make([]Word, 0, len(words)+len(starts))
		for _, w := range words {
			if w.Is("{}") {
				for _, st := range starts {
					in.argv = append(in.argv, found(st))
				}
				continue
			}
			it := found(starts[0])
			if len(starts) > 1 {
				it = Word{Parts: []Part{{Kind: Unknown, Text: "{}", Why: "what find finds", Quoted: true}}}
			}
			in.argv = append(in.argv, replaceIn(w, "{}", it))
		}
		at := s.at
		s.at.via = concat(at.via, []string{"find " + t})
		s.run(in)
		s.at = at
	}
	return true
}

// fd is fd: itself an act, and the command of its -x or -X.
func (s *shell) fd(c call) bool {
	s.leaf(c)
	for i := 1; i < len(c.argv); i++ {
		t, _ := c.argv[i].Known()
		if t != "-x" && t != "--exec" && t != "-X" && t != "--exec-batch" {
			continue
		}
		words := c.argv[i+1:]
		for j, w := range words {
			if w.Is(";") {
				words = words[:j]
				break
			}
		}
		if len(words) == 0 {
			return true
		}
		it := found(Text("."))
		for j := 1; j < i; j++ {
			if p, ok := c.argv[j].Known(); ok && p != "" && p[0] != '-' && (strings.Contains(p, "/") || p == ".") {
				it = found(c.argv[j])
			}
		}
		in := c
		in.plain = true
		hit := false
		argv := make([]Word, 0, len(words)+1)
		for _, w := range words {
			n := w
			for _, m := range [...]string{"{}", "{/}", "{//}", "{.}", "{/.}"} {
				n = replaceIn(n, m, it)
			}
			hit = hit || !sameWord(n, w)
			argv = append(argv, n)
		}
		in.argv = argv
		if !hit {
			in.argv = append(in.argv, it)
		}
		at := s.at
		s.at.via = concat(at.via, []string{"fd " + t})
		s.run(in)
		s.at = at
		return true
	}
	return true
}

// flock is flock [options] FILE COMMAND, or FILE -c SCRIPT.
func (s *shell) flock(c call) bool {
	i, _ := walkOptions(c.argv, 1, "-w --timeout -E --conflict-exit-code", func(option) {})
	i++ // the lock
	if i >= len(c.argv) {
		return false
	}
	i, _ = walkOptions(c.argv, i, "-w --timeout -E --conflict-exit-code", func(option) {})
	j := i
	script := Word{}
	for k := 1; k < len(c.argv); k++ {
		if c.argv[k].Is("-c") || c.argv[k].Is("--command") {
			if k+1 < len(c.argv) {
				script = c.argv[k+1]
			}
		}
	}
	if len(script.Parts) > 0 {
		s.viaScript("flock", c, script)
		return true
	}
	if j >= len(c.argv) {
		return false
	}
	s.inner(c, j, "flock")
	return true
}

// viaScript runs a text as a script of another shell.
func (s *shell) viaScript(via string, c call, w Word) {
	at := s.at
	s.at.via = concat(at.via, []string{via})
	s.within(c, func() {
		s.process(c.assigns, nil, Word{}, func() { s.scriptText(w, c.src) })
	})
	s.at = at
}

// scriptCmd is script -c SCRIPT FILE, and BSD's script FILE COMMAND.
func (s *shell) scriptCmd(c call) bool {
	var sc Word
	i, _ := walkOptions(c.argv, 1, "-c --command -B --log-io -E --echo -I --log-in -O --log-out -T --log-timing -m --logging-format -o --output-limit -t -F", func(o option) {
		if o.has && (o.name == "-c" || o.name == "--command") {
			sc = o.value
		}
	})
	if len(sc.Parts) > 0 {
		s.viaScript("script", c, sc)
		return true
	}
	if i+1 < len(c.argv) {
		s.inner(c, i+1, "script")
		return true
	}
	return false
}

// su is su [options] [-] [USER [ARGS]]: -c and what it carries may stand anywhere.
func (s *shell) su(c call) bool {
	for i := 1; i < len(c.argv); i++ {
		t, _ := c.argv[i].Known()
		w := Word{}
		switch {
		case t == "-c" || t == "--command" || t == "-lc" || t == "--session-command":
			if i+1 < len(c.argv) {
				w = c.argv[i+1]
			}
		case strings.HasPrefix(t, "--command="):
			w = dropPrefix(c.argv[i], len("--command="))
		}
		if len(w.Parts) > 0 {
			s.viaScript("su", c, w)
			return true
		}
	}
	return s.fedScript(wrap{}, c, "su")
}

// shellCmd is a shell of the Bourne family with a script: -c, a file, or
// standard input.
func (s *shell) shellCmd(name string, c call) bool {
	i := 1
	command, noexec, stdin := false, false, false
	for i < len(c.argv) {
		t, ok := c.argv[i].Known()
		if !ok {
			if vanishes(c.argv[i]) {
				i++
				continue
			}
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			if t == "-" {
				i++
				stdin = true
			}
			break
		}
		i++
		if t == "--" {
			break
		}
		if strings.HasPrefix(t, "--") {
			switch t {
			case "--rcfile", "--init-file", "--emulate":
				i++
			case "--command":
				command = true
			case "--version", "--help", "--dump-strings":
				return false
			}
			continue
		}
		for _, o := range t[1:] {
			switch o {
			case 'c':
				command = command || t[0] == '-'
			case 'n':
				noexec = noexec || t[0] == '-'
			case 's':
				stdin = stdin || t[0] == '-'
			case 'o', 'O':
				if i < len(c.argv) {
					if v, ok := c.argv[i].Known(); ok && v == "noexec" {
						noexec = true
					}
				}
				i++
			}
		}
	}
	if noexec {
		return false
	}
	i = min(i, len(c.argv))
	rest := c.argv[i:]
	for command && len(rest) > 0 && vanishes(rest[0]) {
		rest = rest[1:]
	}
	switch {
	case command:
		if len(rest) == 0 {
			return false
		}
		var args []Word
		arg0 := c.argv[0]
		if len(rest) > 1 {
			rest = append(rest[:1:1], present(rest[1:])...)
			if len(rest) > 1 {
				arg0, args = rest[1], rest[2:]
			}
		}
		at := s.at
		s.at.via = concat(at.via, []string{name + " -c"})
		s.within(c, func() {
			s.process(c.assigns, args, arg0, func() { s.scriptText(rest[0], c.src) })
		})
		s.at = at
		return true
	case stdin || len(rest) == 0:
		return s.shellInput(name, c, rest)
	}
	if rest[0].Is("/dev/stdin") || rest[0].Is("/dev/fd/0") {
		return s.shellInput(name, c, rest[1:])
	}
	texts := s.fileTexts(rest[0])
	if len(texts) == 0 {
		return false
	}
	s.runFile(name+" "+rest[0].String(), texts, c, rest[1:], rest[0])
	return true
}

// shellInput runs what a shell reads on its standard input.
func (s *shell) shellInput(name string, c call, args []Word) bool {
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	if !in.HasText || nothingKnown(in.Text) {
		s.leaf(c)
		if in.Kind == Pipe {
			why := "a script from a pipe"
			if in.HasText {
				why = "a script that is not known: " + in.Text.Why()
			} else if n := len(in.From); n > 0 {
				if p := s.r.r.Acts[in.From[n-1]].Name(); p != "" {
					why = "a script that is the output of " + p
				}
			}
			text := in.Text.String()
			if text == "" {
				text = s.made(in.From)
			}
			s.emit(Act{Kind: Unread, Why: why, Text: text, Source: c.src, Redirs: c.redirs, Via: []string{name}})
		}
		return true
	}
	at := s.at
	s.at.via = concat(at.via, []string{name})
	s.at.stdin = Stdin{}
	cc := c
	cc.fed = false
	s.within(cc, func() {
		s.process(c.assigns, args, c.argv[0], func() { s.scriptText(in.Text, c.src) })
	})
	s.at = at
	return true
}

// made is what stands in the programs that write commands out of something else,
// `awk '{print "rm -rf " $1}' list | sh`: the lines are not known, the verbs are.
func (s *shell) made(from []int) string {
	var b strings.Builder
	for _, i := range from {
		switch a := &s.r.r.Acts[i]; a.Name() {
		case "awk", "gawk", "mawk", "nawk", "sed", "gsed", "perl", "jq", "xargs", "echo", "printf", "find":
			sed := strings.HasSuffix(a.Name(), "sed")
			for _, w := range a.Argv[1:] {
				b.WriteString(strings.Map(func(r rune) rune {
					if sed && (r == '/' || r == '|' || r == '#' || r == ',') {
						return '\n' // what stands between the delimiters
					}
					if r == '"' || r == '\'' || r == '{' || r == '}' || r == '\\' || r == '/' {
						return ' '
					}
					return r
				}, w.String()))
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// terminal is tmux and screen: what they start or type is a script.
func (s *shell) terminal(name string, c call) bool {
	if name == "screen" {
		// screen -dm COMMAND; screen -X stuff "text\n"
		for i := 1; i < len(c.argv); i++ {
			if c.argv[i].Is("stuff") && i+1 < len(c.argv) {
				w := c.argv[i+1]
				if t, ok := w.Known(); ok {
					w = Text(unescape(t, false))
				}
				s.viaScript("screen stuff", c, w)
				return true
			}
		}
		if i, _ := walkOptions(c.argv, 1, "-S -t -c -e -h -p -s -T -L -X -Logfile", func(option) {}); i < len(c.argv) {
			for j := 1; j < i; j++ {
				if c.argv[j].Is("-X") || c.argv[j].Is("-r") || c.argv[j].Is("-x") || c.argv[j].Is("-ls") {
					return false
				}
			}
			s.inner(c, i, "screen")
			return true
		}
		return false
	}
	i, _ := walkOptions(c.argv, 1, "-L -S -f -c -T", func(option) {})
	if i >= len(c.argv) {
		return false
	}
	sub, _ := c.argv[i].Known()
	switch sub {
	case "new", "new-session", "neww", "new-window", "splitw", "split-window", "respawn-pane", "respawnp", "respawn-window", "run", "run-shell", "popup", "display-popup", "if", "if-shell":
		j, _ := walkOptions(c.argv, i+1, "-t -s -n -c -e -x -y -F -f -l -p -S -T", func(option) {})
		if j >= len(c.argv) {
			return false
		}
		s.viaScript("tmux "+sub, c, s.joinWords(c.argv[j:]))
		return true
	case "send", "send-keys":
		j, _ := walkOptions(c.argv, i+1, "-t -N -c", func(option) {})
		var w Word
		for ; j < len(c.argv); j++ {
			t, _ := c.argv[j].Known()
			switch t {
			case "Enter", "C-m", "KPEnter", "C-j":
				w = s.cat(w, Text("\n"))
			case "C-c", "C-d", "C-l", "C-u", "Escape", "q":
			case "Space":
				w = s.cat(w, Text(" "))
			default:
				w = s.cat(w, c.argv[j])
			}
		}
		if len(w.Parts) == 0 {
			return false
		}
		s.viaScript("tmux send-keys", c, w)
		return true
	}
	return false
}

// spar is this program itself: its subcommands that run commands given to them.
func (s *shell) spar(c call) bool {
	if len(c.argv) < 2 {
		return false
	}
	cut := len(c.argv)
	var scripts []Word
	for i := 1; i < len(c.argv); i++ {
		t, ok := c.argv[i].Known()
		if !ok {
			continue
		}
		if t == "--" {
			cut = i
			break
		}
		for _, o := range [...]string{"--probe", "--state-cmd", "--exit-cmd"} {
			if t == o && i+1 < len(c.argv) {
				scripts = append(scripts, c.argv[i+1])
			} else if strings.HasPrefix(t, o+"=") {
				scripts = append(scripts, dropPrefix(c.argv[i], len(o)+1))
			}
		}
	}
	sub, _ := c.argv[1].Known()
	inner := cut < len(c.argv)-1 && (sub == "mount" || sub == "launch" || sub == "melee")
	own := c
	if inner {
		own.argv = c.argv[:cut]
	}
	s.leaf(own)
	for _, w := range scripts {
		s.viaScript("spar "+sub, c, w)
	}
	if inner {
		s.inner(c, cut+1, "spar "+sub)
	}
	return true
}

// adb is adb shell COMMAND, on the device.
func (s *shell) adb(c call) bool {
	i, _ := walkOptions(c.argv, 1, "-s -t -H -P -L", func(option) {})
	if i+1 >= len(c.argv) || !c.argv[i].Is("shell") && !c.argv[i].Is("exec-out") {
		return false
	}
	j, _ := walkOptions(c.argv, i+1, "-e", func(option) {})
	if j >= len(c.argv) {
		return false
	}
	s.away("adb shell", func() {
		s.viaScript("adb shell", c, s.joinWords(c.argv[j:]))
	})
	return true
}
