package acts

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"spar/redline/acts/code"
	"spar/redline/acts/sql"
)

// carrier runs the code that a program carries: SQL, code of an interpreter,
// PowerShell, cmd, git's own aliases and hooks for commands; false: it carries
// none.
func (s *shell) carrier(name string, c call) bool {
	switch name {
	case "git":
		return s.git(c)
	case "powershell", "pwsh":
		return s.powershell(name, c)
	case "cmd":
		return s.cmd(c)
	}
	if lang := codeLang(name); lang != "" {
		return s.interpreter(name, lang, c)
	}
	if cl := findClient(name); cl != nil {
		return s.client(cl, c)
	}
	if opts := dirOptions(name); opts != "" {
		return s.dirOption(name, opts, c)
	}
	return false
}

// codeLang is the language an interpreter reads, by its name; "other" is one
// that nobody reads here.
func codeLang(name string) string {
	switch name {
	case "python", "python2", "python3", "pypy", "pypy3", "ipython", "micropython":
		return "python"
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node":
		return "node"
	case "ruby", "jruby":
		return "ruby"
	case "perl", "php":
		return name
	case "awk", "gawk", "mawk", "nawk", "goawk":
		return "awk"
	case "sed", "gsed":
		return "sed"
	case "lua", "luajit", "Rscript", "julia", "elixir", "osascript", "tclsh", "groovy", "scala", "raku", "guile", "racket", "sbcl", "R", "swift":
		return "other"
	}
	if strings.HasPrefix(name, "python3.") || strings.HasPrefix(name, "python2.") {
		return "python"
	}
	if strings.HasPrefix(name, "php") && isDescriptor(strings.ReplaceAll(name[3:], ".", "")) {
		return "php"
	}
	return ""
}

// interpreter runs the code on the line of an interpreter: an option's value, a
// program operand, standard input, or a file that the line wrote.
func (s *shell) interpreter(name, lang string, c call) bool {
	switch lang {
	case "awk", "sed":
		return s.textProgram(lang, c)
	}
	argv := c.argv
	from := 1
	var flags, valued string
	switch lang {
	case "python":
		flags, valued = "-c", "-c -W -X -m --check-hash-based-pycs"
	case "node":
		flags, valued = "-e --eval -p --print -pe", "-e --eval -p --print -pe -r --require --import --loader --experimental-loader -C --conditions --env-file --input-type --max-old-space-size --title"
		if name == "deno" {
			if len(argv) > 1 && argv[1].Is("eval") {
				i, _ := walkOptions(argv, 2, "-c --config --import-map --ext", func(option) {})
				if i < len(argv) {
					s.codeWords(lang, c, []int{i})
					return true
				}
				return false
			}
			flags = ""
			if len(argv) > 1 && argv[1].Is("run") {
				from = 2
			}
		}
		if name == "bun" && len(argv) > 1 && argv[1].Is("run") {
			from = 2
		}
	case "ruby":
		flags, valued = "-e", "-e -I -r -C -x -E -K -W"
	case "perl":
		flags, valued = "-e -E", "-e -E -I -x"
	case "php":
		flags, valued = "-r -B -R -E --run", "-r -B -R -E --run -d -c -f -z -t -S"
	default:
		flags, valued = "-e -E -c --eval", "-e -E -c --eval -l"
	}
	var at []int
	module := false
	i := from
	for i < len(argv) {
		t, known := argv[i].Known()
		if !known {
			break
		}
		if t == "--" {
			i++
			break
		}
		if len(t) < 2 || t[0] != '-' {
			break
		}
		// -c CODE, -ne CODE (perl, ruby), --eval=CODE
		opt, glued := t, ""
		if strings.HasPrefix(t, "--") {
			if j := strings.IndexByte(t, '='); j > 0 {
				opt, glued = t[:j], t[j+1:]
			}
			if hasOpt(flags, opt) {
				if glued != "" {
					at = append(at, i)
					unglue(&argv, i, opt+"=")
				} else if i+1 < len(argv) {
					i++
					at = append(at, i)
				}
			} else if glued == "" && hasOpt(valued, opt) {
				i++
			}
			i++
			continue
		}
		if hasOpt(flags, t) {
			if i+1 < len(argv) {
				at = append(at, i+1)
			}
			i += 2
			if lang == "python" {
				break
			}
			continue
		}
		if hasOpt(valued, t) {
			if lang == "python" && t == "-m" {
				module = true
				break
			}
			i += 2
			continue
		}
		done := false
		if lang != "node" {
			for k := 1; k < len(t); k++ {
				o := "-" + t[k:k+1]
				if hasOpt(flags, o) {
					if k+1 < len(t) {
						unglue(&argv, i, t[:k+1])
						at = append(at, i)
					} else if i+1 < len(argv) {
						i++
						at = append(at, i)
					}
					done = lang == "python"
					break
				}
				if hasOpt(valued, o) || lang == "perl" && (t[k] == 'i' || t[k] == 'M' || t[k] == 'm' || t[k] == '0' || t[k] == 'F' || t[k] == 'l' && k+1 < len(t) && t[k+1] >= '0' && t[k+1] <= '9') || lang == "ruby" && (t[k] == 'i' || t[k] == 'F') {
					if k+1 == len(t) && hasOpt(valued, o) {
						i++
						module = module || lang == "python" && o == "-m"
					}
					if lang == "perl" && (t[k] == '0' || t[k] == 'l') {
						continue
					}
					break
				}
			}
		}
		i++
		if done || module {
			break
		}
	}
	c.argv = argv
	if len(at) > 0 {
		s.codeWords(lang, c, at)
		return true
	}
	if module {
		return false
	}
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	fromInput := i >= len(argv) || argv[i].Is("-") || argv[i].Is("/dev/stdin") || argv[i].Is("/dev/fd/0")
	switch {
	case fromInput && from == 1 || fromInput && i < len(argv):
		if name == "php" && in.HasText {
			// php's standard input is a page; code stands in it between marks.
			break
		}
		if !in.HasText || nothingKnown(in.Text) {
			if in.Kind == Pipe {
				s.leaf(c)
				s.emit(Act{Kind: Unread, Why: "a program from a pipe", Text: in.Text.String(), Source: c.src, Via: []string{name}})
				return true
			}
			return false
		}
		s.leaf(c)
		s.code(lang, in.Text, c)
		return true
	case i < len(argv):
		if texts := s.fileTexts(argv[i]); len(texts) > 0 {
			s.leaf(c)
			for _, t := range texts {
				s.code(lang, t, c)
			}
			return true
		}
	}
	return false
}

// unglue splits an option from the code stuck to it, so that the code is a word.
func unglue(argv *[]Word, i int, opt string) {
	n := append([]Word(nil), *argv...)
	n[i] = dropPrefix(n[i], len(opt))
	*argv = n
}

// codeWords files the interpreter itself, its code marked, and what the code
// does.
func (s *shell) codeWords(lang string, c call, at []int) {
	var mask uint64
	var all Word
	for n, i := range at {
		if i < 64 {
			mask |= 1 << i
		}
		if n > 0 {
			all = s.cat(all, Text("\n"))
		}
		all = s.cat(all, c.argv[i])
	}
	s.leafCode(c, mask)
	s.code(lang, all, c)
}

// textProgram is awk and sed: the program is the first operand, or the value of
// an option.
func (s *shell) textProgram(lang string, c call) bool {
	valued := "-F -v -f -e --file --source --field-separator --assign -i --include -l --load -o -p -d"
	if lang == "sed" {
		valued = "-e -f --expression --file -l --line-length"
	}
	var at []int
	var scripts []Word
	fromFile := false
	i := 1
	for i < len(c.argv) {
		t, known := c.argv[i].Known()
		p := t
		if !known {
			p = c.argv[i].Prefix()
		}
		if t == "--" {
			i++
			break
		}
		if len(p) < 2 || p[0] != '-' {
			break
		}
		opt, value := p, 0
		if strings.HasPrefix(p, "--") {
			if j := strings.IndexByte(p, '='); j > 0 {
				opt, value = p[:j], j+1
			}
			switch {
			case opt == "--expression" || opt == "--source":
				if value == 0 {
					i++
				}
				if i < len(c.argv) {
					at = append(at, i)
					scripts = append(scripts, dropPrefix(c.argv[i], value))
				}
			case opt == "--file":
				fromFile = true
				if value == 0 {
					i++
				}
				if i < len(c.argv) {
					scripts = append(scripts, s.fileScript(dropPrefix(c.argv[i], value))...)
				}
			case value == 0 && hasOpt(valued, opt):
				i++
			}
			i++
			continue
		}
		for k := 1; k < len(p); k++ {
			o := "-" + p[k:k+1]
			if lang == "sed" && (p[k] == 'i' || p[k] == 'I') {
				break // a suffix may be glued to it
			}
			if !hasOpt(valued, o) {
				continue
			}
			var w Word
			if k+1 < len(p) || !known {
				w = dropPrefix(c.argv[i], k+1)
			} else if i++; i < len(c.argv) {
				w = c.argv[i]
			}
			switch {
			case o == "-e" && (lang == "sed" || lang == "awk"):
				if i < len(c.argv) {
					at = append(at, i)
				}
				scripts = append(scripts, w)
			case o == "-f":
				fromFile = true
				scripts = append(scripts, s.fileScript(w)...)
			}
			break
		}
		i++
	}
	if len(scripts) == 0 && !fromFile && i < len(c.argv) {
		at = append(at, i)
		scripts = append(scripts, c.argv[i])
	}
	var mask uint64
	for _, k := range at {
		if k < 64 {
			mask |= 1 << k
		}
	}
	s.leafCode(c, mask)
	if len(scripts) > 0 {
		all := scripts[0]
		for _, w := range scripts[1:] {
			all = s.cat(s.cat(all, Text("\n")), w)
		}
		s.code(lang, all, c)
	}
	return true
}

// fileScript is the text of a program file that the line wrote.
func (s *shell) fileScript(w Word) []Word {
	if w.Is("-") || w.Is("/dev/stdin") {
		if s.at.stdin.HasText {
			return []Word{s.at.stdin.Text}
		}
		return nil
	}
	return s.fileTexts(w)
}

// code files what a piece of code does.
func (s *shell) code(lang string, w Word, c call) {
	src := s.r.source(w)
	if !s.r.step(len(src) / 8) {
		s.emit(Act{Kind: Unread, Text: w.String(), Why: "code past what is read", Source: c.src})
		return
	}
	via := lang
	if t, ok := c.argv[0].Known(); ok {
		via = ProgramName(t)
	}
	at := s.at
	defer func() { s.at = at }()
	s.at.via = concat(at.via, []string{via})
	if lang == "other" {
		s.emit(Act{Kind: Unread, Text: w.String(), Why: "code of " + via + " is not read", Source: c.src, Redirs: c.redirs})
		return
	}
	res := code.Read(lang, src)
	if !res.Readable {
		why := res.Why
		if why == "" {
			why = "code that is not read"
		}
		s.emit(Act{Kind: Unread, Text: w.String(), Why: why, Source: c.src, Redirs: c.redirs})
	}
	for _, e := range res.Effects {
		if !s.r.more() {
			return
		}
		switch e.Kind {
		case code.Write, code.Remove:
			a := Act{Kind: Write, Recursive: e.Recursive, Source: c.src}
			if e.Kind == code.Remove {
				a.Kind = Remove
			}
			if e.PathKnown {
				a.Target = s.r.filled(e.Path)
			} else {
				a.Target = s.r.filled(e.Path)
				if len(a.Target.Parts) == 1 && a.Target.Parts[0].Text == "" {
					a.Target = Word{}
				}
				a.Target = s.cat(a.Target, unknown("...", "a path that "+e.Why+" is given"))
			}
			s.emit(a)
		case code.RunArgv:
			var words []Word
			for _, t := range e.Argv {
				words = append(words, s.r.filled(t))
			}
			if !e.ArgvKnown {
				words = append(words, unknown("...", "words that "+e.Why+" is given"))
			}
			if len(words) == 0 {
				continue
			}
			in := call{argv: words, plain: true, src: c.src, redirs: c.redirs}
			s.child(func() {
				s.top.wall = true
				s.at.out = nil
				s.run(in)
			})
		case code.Network:
			s.request(e, src, c)
		case code.RunShell:
			if e.Shell == "" {
				s.emit(Act{Kind: Unread, Why: "a command that " + e.Why + " is given", Source: c.src})
				continue
			}
			t := e.Shell
			s.child(func() {
				s.at.out = nil
				s.at.redirs = concatCap(s.at.redirs, c.redirs)
				s.process(nil, nil, Word{}, func() { s.scriptText(s.r.filled(t), c.src) })
			})
		}
	}
}

// request files what code says to another machine as the program that would say
// the same, so that one rule about methods, bodies and hosts serves both: a
// request that sends is `curl -X POST URL`, one that only asks `curl URL`, a mail
// `sendmail`. [Act.Via] ends with the call as the code spells it.
func (s *shell) request(e code.Effect, src string, c call) {
	low := strings.ToLower(e.Why)
	words := []Word{Text("curl")}
	switch {
	case strings.Contains(low, "smtp") || strings.Contains(low, "mail"):
		words[0] = Text("sendmail")
	case sends(low, src):
		words = append(words, Text("-X"), Text("POST"))
	}
	if e.PathKnown {
		words = append(words, s.r.filled(e.Path))
	} else {
		w := unknown("...", "an address that "+e.Why+" is given")
		if e.Path != "" {
			w = s.cat(s.r.filled(e.Path), w)
		}
		words = append(words, w)
	}
	s.emit(Act{Kind: Run, Argv: words, Via: []string{e.Why}, Source: c.src, Redirs: c.redirs})
}

// sends reports whether a call of a network library sends something: by its own
// name, or, where that says nothing (fetch, urlopen), by a method or a body next
// to it.
func sends(call, src string) bool {
	for _, v := range [...]string{"post", "put", "patch", "delete", "send", "upload", "publish"} {
		if strings.Contains(call, v) {
			return true
		}
	}
	if strings.Contains(call, "get") || strings.Contains(call, "head") {
		return false
	}
	for _, v := range [...]string{"POST", "PUT", "PATCH", "DELETE", "'post'", "\"post\"", "data=", "json=", "body:", "body=", "POSTFIELDS"} {
		if strings.Contains(src, v) {
			return true
		}
	}
	return false
}

// client is one database client: where its statements stand on the line.
type client struct {
	name string
	sub  string // words before
	// opts are the options whose value is SQL, files those whose value is a file
	// of it; valued the others that take a word.
	opts, files, valued string
	// operand is the place among the operands where SQL may stand, from 1; 0: none.
	operand int
	all     bool // every operand from there on is SQL
	input   bool // without SQL on the line it is read from standard input
	example string
}

// clients is sorted by name.
var clients = [...]client{
	{name: "bq", sub: "query", valued: "--project_id --dataset_id --location --format", operand: 1, input: true, example: "bq query 'DELETE FROM t'"},
	{name: "clickhouse", opts: "-q --query", files: "--queries-file", valued: clickValued, input: true, example: "clickhouse client -q 'DELETE FROM t'"},
	{name: "clickhouse-client", opts: "-q --query", files: "--queries-file", valued: clickValued, input: true, example: "clickhouse-client --query 'DELETE FROM t'"},
	{name: "cockroach", sub: "sql", opts: "-e --execute", files: "-f --file", valued: "--url --host --user -u --database -d --certs-dir --port -p", input: true, example: "cockroach sql -e 'DELETE FROM t'"},
	{name: "cqlsh", opts: "-e --execute", files: "-f --file", valued: "-u -p -k --cqlversion", input: true, example: "cqlsh -e 'DELETE FROM t'"},
	{name: "duckdb", opts: "-c -s -cmd --cmd -init", files: "-f", valued: "-separator -nullvalue -newline", operand: 2, all: true, input: true, example: "duckdb a.db 'DELETE FROM t'"},
	{name: "heroku", sub: "pg:psql", opts: "-c --command", files: "-f --file", valued: "-a --app -r --remote --credential", input: true, example: "heroku pg:psql -c 'DELETE FROM t'"},
	{name: "isql", valued: "-U -P -S -D", files: "-i", input: true, example: "isql db <<< 'DELETE FROM t'"},
	{name: "litecli", opts: "-e --execute", valued: "-D", input: true, example: "litecli -e 'DELETE FROM t'"},
	{name: "mariadb", opts: "-e --execute --init-command", valued: mysqlValued, input: true, example: "mariadb -e 'DELETE FROM t'"},
	{name: "mycli", opts: "-e --execute", valued: mysqlValued, input: true, example: "mycli -e 'DELETE FROM t'"},
	{name: "mysql", opts: "-e --execute --init-command", valued: mysqlValued, input: true, example: "mysql shop -e 'DELETE FROM t'"},
	{name: "mysqlsh", opts: "-e --execute", files: "-f --file", valued: mysqlValued, input: true, example: "mysqlsh --sql -e 'DELETE FROM t'"},
	{name: "osql", opts: "-Q -q", files: "-i", valued: "-S -U -P -d", input: true, example: "osql -Q 'DELETE FROM t'"},
	{name: "pgcli", opts: "-c", valued: "-h -p -U -d", input: true, example: "pgcli <<< 'DELETE FROM t'"},
	{name: "presto", opts: "--execute", files: "-f --file", valued: "--server --catalog --schema", input: true, example: "presto --execute 'DELETE FROM t'"},
	{name: "psql", opts: "-c --command", files: "-f --file", valued: "-h --host -p --port -U --username -d --dbname -v --set --variable -F --field-separator -R --record-separator -o --output -L --log-file -T --table-attr -P --pset", input: true, example: "psql shop -c 'DELETE FROM t'"},
	{name: "snowsql", opts: "-q --query", files: "-f --filename", valued: "-a -u -d -s -r -w -c -o", input: true, example: "snowsql -q 'DELETE FROM t'"},
	{name: "sqlcmd", opts: "-Q -q", files: "-i", valued: "-S -U -P -d -o -v -h -s -w -l -t -C", input: true, example: "sqlcmd -Q 'DELETE FROM t'"},
	{name: "sqlite", opts: "-cmd", valued: "-separator -nullvalue -newline -init -vfs", operand: 2, all: true, input: true, example: "sqlite a.db 'DELETE FROM t'"},
	{name: "sqlite3", opts: "-cmd", valued: "-separator -nullvalue -newline -init -vfs -mmap -lookaside -maxsize -pagecache -heap", operand: 2, all: true, input: true, example: "sqlite3 a.db 'DELETE FROM t'"},
	{name: "sqlplus", valued: "-L -M -R", input: true, example: "sqlplus a/b <<< 'DELETE FROM t'"},
	{name: "trino", opts: "--execute", files: "-f --file", valued: "--server --catalog --schema", input: true, example: "trino --execute 'DELETE FROM t'"},
	{name: "turso", sub: "db shell", operand: 2, input: true, example: "turso db shell shop 'DELETE FROM t'"},
	{name: "usql", opts: "-c --command", files: "-f --file", valued: "-o -v -P -F -R -T", input: true, example: "usql pg://x -c 'DELETE FROM t'"},
	{name: "vsql", opts: "-c --command", files: "-f --file", valued: "-h -p -U -d -w -v -o", input: true, example: "vsql -c 'DELETE FROM t'"},
	{name: "wp", sub: "db query", valued: "--path --url --user", operand: 1, input: true, example: "wp db query 'DELETE FROM t'"},
	{name: "wrangler", sub: "d1 execute", opts: "--command", files: "--file", valued: "--env -e --config -c", example: "wrangler d1 execute db --command 'DELETE FROM t'"},
}

const (
	clickValued = "-h --host --port -u --user --password -d --database --format -f --config-file -C"
	mysqlValued = "-h --host -P --port -u --user -D --database -S --socket --protocol --default-character-set --defaults-file --defaults-extra-file --login-path --delimiter --ssl-mode --ssl-ca --ssl-cert --ssl-key"
)

func findClient(name string) *client {
	lo, hi := 0, len(clients)
	for lo < hi {
		m := (lo + hi) / 2
		if clients[m].name < name {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(clients) && clients[lo].name == name {
		return &clients[lo]
	}
	return nil
}

// client files a database client and the SQL it is given.
func (s *shell) client(cl *client, c call) bool {
	start := subcommand(c.argv, wrap{name: cl.name, sub: cl.sub, global: cl.valued})
	if start == 0 {
		return false
	}
	if len(c.argv) > start && cl.name == "clickhouse" && (c.argv[start].Is("client") || c.argv[start].Is("local")) {
		start++
	}
	var mask uint64
	var texts []Word
	mark := func(i int) {
		if i < 64 {
			mask |= 1 << i
		}
	}
	operands := 0
	list := cl.opts + " " + cl.files + " " + cl.valued
	ended := false
	for i := start; i < len(c.argv); i++ {
		p := c.argv[i].Prefix()
		if !ended && p == "--" && c.argv[i].Is("--") {
			ended = true
			continue
		}
		if ended || len(p) < 2 || p[0] != '-' {
			operands++
			if cl.operand > 0 && (operands == cl.operand || cl.all && operands > cl.operand) {
				mark(i)
				texts = append(texts, c.argv[i])
			}
			continue
		}
		opt, value := p, -1
		if strings.HasPrefix(p, "--") {
			if j := strings.IndexByte(p, '='); j > 0 {
				opt, value = p[:j], j+1
			}
		} else if strings.HasPrefix(p, "-p") && cl.valued == mysqlValued {
			continue // a password is glued to it, or asked for
		} else if !hasOpt(list, p) {
			// A cluster, or a value glued to a short option.
			opt = ""
			for k := 1; k < len(p); k++ {
				if o := "-" + p[k:k+1]; hasOpt(list, o) {
					opt = o
					if k+1 < len(p) || len(c.argv[i].Parts) > 1 {
						value = k + 1
					}
					break
				}
			}
		}
		if opt == "" || !hasOpt(list, opt) {
			continue
		}
		w := Word{}
		if value >= 0 {
			w = dropPrefix(c.argv[i], value)
		} else if i++; i < len(c.argv) {
			w = c.argv[i]
		} else {
			break
		}
		switch {
		case hasOpt(cl.opts, opt):
			mark(i)
			texts = append(texts, w)
		case hasOpt(cl.files, opt):
			if f := s.fileScript(w); len(f) > 0 {
				texts = append(texts, f...)
			} else if w.Is("-") {
				continue
			}
		}
	}
	s.leafCode(c, mask)
	if len(texts) == 0 && cl.input {
		in := s.at.stdin
		if c.fed {
			in = c.stdin
		}
		if in.HasText {
			texts = append(texts, in.Text)
		}
	}
	at := s.at
	s.at.via = concat(at.via, []string{cl.name})
	for _, w := range texts {
		t := w.String()
		s.r.step(len(t) / 8)
		s.emit(Act{Kind: SQL, Text: t, Source: c.src, Redirs: c.redirs, Stdin: Stdin{Kind: s.at.stdin.Kind}})
		for _, sh := range sql.Shells(t) {
			s.child(func() {
				s.at.out = nil
				s.process(c.assigns, nil, Word{}, func() { s.scriptText(Text(sh), c.src) })
			})
		}
	}
	s.at = at
	return true
}

// dirOptions are the options of a program that move it into another directory.
func dirOptions(name string) string {
	switch name {
	case "make", "gmake", "bmake":
		return "-C --directory"
	case "npm":
		return "--prefix -C"
	case "pnpm":
		return "-C --dir"
	case "yarn", "bun":
		return "--cwd"
	case "go", "ninja", "meson":
		return "-C"
	case "cargo":
		return "-C"
	case "terraform", "tofu":
		return "-chdir"
	case "composer":
		return "-d --working-dir"
	case "uv":
		return "--directory"
	case "poetry":
		return "-C --directory -P --project"
	case "gradle", "gradlew":
		return "-p --project-dir"
	case "just":
		return "-d --working-directory"
	case "mix", "task":
		return "-d --dir"
	}
	return ""
}

// dirOption files a program whose own option moves it.
func (s *shell) dirOption(name, opts string, c call) bool {
	for i := 1; i < len(c.argv); i++ {
		p := c.argv[i].Prefix()
		if p == "--" {
			break
		}
		if len(p) < 2 || p[0] != '-' {
			if name == "go" || name == "cargo" {
				break
			}
			continue
		}
		var w Word
		if j := strings.IndexByte(p, '='); j > 0 && hasOpt(opts, p[:j]) {
			w = dropPrefix(c.argv[i], j+1)
		} else if hasOpt(opts, p) && i+1 < len(c.argv) && len(c.argv[i].Parts) == 1 {
			w = c.argv[i+1]
		} else if p[1] != '-' && len(p) > 2 && hasOpt(opts, p[:2]) && name != "npm" && name != "terraform" && name != "tofu" && name != "gradle" && name != "gradlew" {
			w = dropPrefix(c.argv[i], 2)
		} else {
			continue
		}
		to := s.resolve(s.dir(), w)
		s.child(func() {
			s.put(entry2(to))
			s.leaf(c)
		})
		return true
	}
	return false
}

const gitGlobal = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source --list-cmds"

// git files git with the directory its -C names, its aliases spelled out, and
// the commands that some of its subcommands run.
func (s *shell) git(c call) bool {
	var dir Word
	var scripts []Word
	i, _ := walkOptions(c.argv, 1, gitGlobal, func(o option) {
		switch o.name {
		case "-C":
			if len(dir.Parts) == 0 {
				dir = s.dir()
			}
			dir = s.resolve(dir, o.value)
		case "-c":
			key, v := o.value, Word{}
			if k, val, ok := cutKey(key); ok {
				v = val
				lower := strings.ToLower(k)
				switch {
				case strings.HasPrefix(lower, "alias."):
					s.r.gitAlias(k[len("alias."):], v)
				case lower == "core.pager" || lower == "core.editor" || lower == "sequence.editor" || lower == "core.sshcommand" || lower == "core.fsmonitor" || lower == "diff.external" || lower == "credential.helper" || lower == "core.askpass" || strings.HasPrefix(lower, "filter.") || strings.HasSuffix(lower, ".textconv"):
					t := strings.TrimPrefix(v.Prefix(), "!")
					if strings.IndexByte(t, ' ') >= 0 || strings.ContainsAny(t, ";&|$`") {
						scripts = append(scripts, v)
					}
				}
			}
		}
	})
	sub := ""
	if i < len(c.argv) {
		sub, _ = c.argv[i].Known()
	}
	run := func() {
		if len(dir.Parts) > 0 {
			s.put(entry2(dir))
		}
		for k := len(s.r.gits) - 1; k >= 0; k-- {
			g := s.r.gits[k]
			if g.name != sub || sub == "" {
				continue
			}
			if s.aliases > 4 {
				break
			}
			s.aliases++
			defer func() { s.aliases-- }()
			rest := c.argv[i+1:]
			if strings.HasPrefix(g.text.Prefix(), "!") {
				// A shell alias gets the words behind it as arguments, after its text.
				line := dropPrefix(g.text, 1)
				for _, w := range rest {
					if t, ok := w.Known(); ok {
						w = Text(quoteWord(t))
					}
					line = s.cat(s.cat(line, Text(" ")), w)
				}
				s.viaScript("git alias "+sub, c, line)
				return
			}
			in := c
			in.argv = concat(append([]Word(nil), c.argv[:i]...), concat(s.splitWords(g.text), rest))
			at := s.at
			s.at.via = concat(at.via, []string{"git alias " + sub})
			s.git(in)
			s.at = at
			return
		}
		s.leaf(c)
		for _, w := range scripts {
			s.viaScript("git -c", c, w)
		}
		s.gitRuns(sub, c, i)
	}
	if len(dir.Parts) > 0 {
		s.child(run)
	} else {
		run()
	}
	if sub == "config" && i+2 < len(c.argv) {
		j, _ := walkOptions(c.argv, i+1, "--file -f --blob --type", func(option) {})
		if j < len(c.argv) && c.argv[j].Is("set") {
			j++
		}
		if j+1 < len(c.argv) {
			if t, ok := c.argv[j].Known(); ok && strings.HasPrefix(strings.ToLower(t), "alias.") {
				s.r.gitAlias(t[len("alias."):], c.argv[j+1])
			}
		}
	}
	return true
}

// gitAlias remembers an alias of git; the last one of a name holds.
func (r *reader) gitAlias(name string, text Word) {
	for i := range r.gits {
		if r.gits[i].name == name {
			r.gits[i].text = text
			return
		}
	}
	if len(r.gits) < maxFrom {
		r.gits = append(r.gits, gitAlias{name, text})
	}
}

// cutKey splits a word like section.key=value whose key is known.
func cutKey(w Word) (string, Word, bool) {
	if len(w.Parts) == 0 || w.Parts[0].Kind != Lit {
		return "", Word{}, false
	}
	i := strings.IndexByte(w.Parts[0].Text, '=')
	if i < 0 {
		return "", Word{}, false
	}
	return w.Parts[0].Text[:i], dropPrefix(w, i+1), true
}

// gitRuns runs the commands that a subcommand of git is given.
func (s *shell) gitRuns(sub string, c call, i int) {
	if i >= len(c.argv) {
		return
	}
	words := c.argv[i+1:]
	switch sub {
	case "rebase":
		walkOptions(c.argv, i+1, "-x --exec --onto -s --strategy -X --strategy-option -C --empty", func(o option) {
			if o.has && (o.name == "-x" || o.name == "--exec") {
				s.viaScript("git rebase -x", c, o.value)
			}
		})
		for k := i + 1; k < len(c.argv); k++ { // options may follow the operands
			if t, _ := c.argv[k].Known(); (t == "-x" || t == "--exec") && k+1 < len(c.argv) {
				s.dedupScript("git rebase -x", c, c.argv[k+1])
			}
		}
	case "bisect":
		if len(words) > 1 && words[0].Is("run") {
			s.inner(c, i+2, "git bisect run")
		}
	case "submodule":
		for k := 0; k < len(words); k++ {
			if !words[k].Is("foreach") {
				continue
			}
			j, _ := walkOptions(c.argv, i+1+k+1, "", func(option) {})
			if j < len(c.argv) {
				s.away2("each submodule", func() { s.viaScript("git submodule foreach", c, s.joinWords(c.argv[j:])) })
			}
			return
		}
	case "filter-branch":
		walkOptions(c.argv, i+1, "--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --subdirectory-filter --original -d --state-branch --setup", func(o option) {
			if o.has && strings.HasSuffix(o.name, "-filter") && o.name != "--subdirectory-filter" || o.name == "--setup" {
				s.away2("a checkout of its own", func() { s.viaScript("git filter-branch "+o.name, c, o.value) })
			}
		})
	case "difftool", "mergetool":
		walkOptions(c.argv, i+1, "-x --extcmd -t --tool", func(o option) {
			if o.has && (o.name == "-x" || o.name == "--extcmd") {
				s.viaScript("git difftool -x", c, o.value)
			}
		})
	}
}

func (s *shell) dedupScript(via string, c call, w Word) {
	saved := s.r.dedup
	if s.r.dedup < 0 {
		s.r.dedup = max(0, len(s.r.r.Acts)-maxFrom)
	}
	s.viaScript(via, c, w)
	s.r.dedup = saved
}

// away2 runs fn in a directory that is not known.
func (s *shell) away2(where string, fn func()) {
	s.child(func() {
		s.put(entry2(unknown("", "the directory of "+where)))
		fn()
	})
}

// powershell is powershell and pwsh started from here.
func (s *shell) powershell(name string, c call) bool {
	for i := 1; i < len(c.argv); i++ {
		t, ok := c.argv[i].Known()
		if !ok {
			break
		}
		low := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(t, "-"), "-"))
		if len(t) < 2 || t[0] != '-' && t[0] != '/' {
			// Windows PowerShell takes a bare operand for a command, pwsh for a file.
			if strings.HasSuffix(strings.ToLower(t), ".ps1") {
				return s.powershellFile(name, c, i)
			}
			s.windowsText(PowerShell, name, c, s.joinWords(c.argv[i:]))
			return true
		}
		if t[0] == '/' {
			low = strings.ToLower(t[1:])
		}
		switch {
		case low == "c" || len(low) >= 3 && strings.HasPrefix("command", low) || low == "commandwithargs" || low == "cwa":
			if i+1 >= len(c.argv) || c.argv[i+1].Is("-") {
				return s.powershellInput(name, c)
			}
			w := s.joinWords(c.argv[i+1:])
			if t, ok := w.Known(); ok && strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
				w = Text(t[1 : len(t)-1]) // a block, as its own host would run it
			}
			s.windowsText(PowerShell, name+" -Command", c, w)
			return true
		case low == "ec" || low == "e" || len(low) >= 2 && strings.HasPrefix("encodedcommand", low):
			if i+1 < len(c.argv) {
				if t, ok := c.argv[i+1].Known(); ok {
					if d, ok := utf16Base64(t); ok {
						s.windowsText(PowerShell, name+" -EncodedCommand", c, Text(d))
						return true
					}
				}
				s.leaf(c)
				s.emit(Act{Kind: Unread, Text: c.argv[i+1].String(), Why: "an encoded command that can't be decoded", Source: c.src})
				return true
			}
			return false
		case low == "f" || len(low) >= 2 && strings.HasPrefix("file", low):
			return s.powershellFile(name, c, i+1)
		case low == "version" || low == "v" || low == "ep" || low == "ex" || strings.HasPrefix("executionpolicy", low) && len(low) > 2 || low == "w" || strings.HasPrefix("windowstyle", low) && len(low) > 1 || strings.HasPrefix("inputformat", low) && len(low) > 1 || low == "if" || low == "of" || low == "o" || strings.HasPrefix("outputformat", low) && len(low) > 1 || low == "wd" || strings.HasPrefix("workingdirectory", low) && len(low) > 2 || strings.HasPrefix("configurationname", low) && len(low) > 5 || strings.HasPrefix("psconsolefile", low) && len(low) > 1 || strings.HasPrefix("settingsfile", low) && len(low) > 3:
			i++
		}
	}
	return s.powershellInput(name, c)
}

func (s *shell) powershellFile(name string, c call, i int) bool {
	if i >= len(c.argv) {
		return false
	}
	if c.argv[i].Is("-") {
		return s.powershellInput(name, c)
	}
	texts := s.fileTexts(c.argv[i])
	if len(texts) == 0 {
		return false
	}
	for _, t := range texts {
		s.windowsText(PowerShell, name+" -File", c, t)
	}
	return true
}

func (s *shell) powershellInput(name string, c call) bool {
	in := s.at.stdin
	if c.fed {
		in = c.stdin
	}
	if !in.HasText {
		return false
	}
	s.windowsText(PowerShell, name, c, in.Text)
	return true
}

// utf16Base64 decodes the argument of -EncodedCommand.
func utf16Base64(t string) (string, bool) {
	t = strings.TrimRight(strings.Map(notSpace, t), "=")
	d, err := base64.RawStdEncoding.DecodeString(t)
	if err != nil || len(d)%2 != 0 || len(d) > maxWord {
		return "", false
	}
	u := make([]uint16, len(d)/2)
	for i := range u {
		u[i] = uint16(d[2*i]) | uint16(d[2*i+1])<<8
	}
	return string(utf16.Decode(u)), true
}

// cmd is cmd.exe with /c or /k. Git's shell on Windows spells them with two
// slashes, or it would make paths of them.
func (s *shell) cmd(c call) bool {
	for i := 1; i < len(c.argv); i++ {
		t, ok := c.argv[i].Known()
		if !ok || len(t) < 2 || t[0] != '/' {
			return false
		}
		low := strings.ToLower(strings.TrimLeft(t, "/"))
		if low == "" || low[0] != 'c' && low[0] != 'k' && low[0] != 'r' {
			continue
		}
		text := s.joinWords(c.argv[i+1:])
		if len(low) > 1 {
			text = s.joinWords(append([]Word{Text(t[strings.IndexAny(t, "ckrCKR")+1:])}, c.argv[i+1:]...))
		}
		if len(text.Parts) == 0 {
			return false
		}
		s.windowsText(Cmd, "cmd /c", c, text)
		return true
	}
	return false
}

// windowsText reads a text as PowerShell or cmd, as a process started by c.
func (s *shell) windowsText(d Dialect, via string, c call, w Word) {
	at := s.at
	s.at.via = concat(at.via, []string{via})
	s.within(c, func() {
		s.process(c.assigns, nil, Word{}, func() { s.windows(d, s.r.source(w)) })
	})
	s.at = at
}

// windows hands a text to the reader of its dialect.
func (s *shell) windows(d Dialect, src string) {
	if !s.deeper() {
		s.emit(Act{Kind: Unread, Text: src, Why: "nested deeper than is read"})
		return
	}
	defer func() { s.r.depth-- }()
	if !s.r.step(len(src) / 16) {
		s.emit(Act{Kind: Unread, Text: src, Why: "past what is read"})
		return
	}
	was := s.src
	s.src = src
	readWindows(d, src, windowsSink{s})
	s.src = was
}

// windowsSink is the shell as the readers of Windows' languages see it.
type windowsSink struct{ s *shell }

// Emit files an act. A program that is the same on every system (git, psql, ssh)
// goes the way it would in a Bourne shell: its wrappers come off, its code is
// read.
func (k windowsSink) Emit(a Act) int {
	s := k.s
	if !s.r.step(4) {
		return -1
	}
	fillAct(s, &a)
	if a.Kind == Run && len(a.Argv) > 0 {
		if t, ok := a.Argv[0].Known(); ok {
			if a.Kind == Run && strings.IndexByte(t, '-') < 0 {
				// Windows does not tell programs apart by case; cmdlets, which have a
				// hyphen, come in their usual spelling.
				if low := strings.ToLower(t); low != t {
					t = low
					a.Argv = concat([]Word{Text(t)}, a.Argv[1:])
				}
			}
			switch name := ProgramName(t); {
			case findWrap(name) != nil, findClient(name) != nil, codeLang(name) != "", dirOptions(name) != "", name == "git", name == "bash", name == "sh", name == "xargs", name == "env", name == "spar":
				n := len(s.r.r.Acts)
				at := s.at
				s.at.via = concat(at.via, a.Via)
				s.at.conditional = at.conditional || a.Conditional
				if a.Remote != "" {
					s.at.remote = a.Remote
				}
				s.child(func() {
					if len(a.Dir.Parts) > 0 {
						s.put(entry2(a.Dir))
					}
					s.at.out = nil
					s.program(name, call{argv: a.Argv, assigns: a.Assigns, redirs: a.Redirs, stdin: a.Stdin, fed: a.Stdin.Kind != Inherited || a.Stdin.HasText, src: a.Source, plain: true, stdout: outGone})
				})
				s.at = at
				if len(s.r.r.Acts) > n {
					return len(s.r.r.Acts) - 1
				}
				return -1
			}
		}
	}
	return s.emit(a)
}

// fillAct puts the unknown pieces of a nested text back into an act.
func fillAct(s *shell, a *Act) {
	if len(s.r.holes) == 0 {
		return
	}
	fill := func(w *Word) {
		for _, p := range w.Parts {
			if p.Kind == Lit && strings.IndexByte(p.Text, holeByte) >= 0 {
				f := fields{s: s}
				for _, q := range w.Parts {
					if q.Kind == Lit {
						s.holed(&f, q.Text, q.Quoted)
					} else {
						f.part(q)
					}
				}
				*w = Word{Parts: s.r.merge(f.cur)}
				return
			}
		}
	}
	for i := range a.Argv {
		fill(&a.Argv[i])
	}
	for i := range a.Redirs {
		fill(&a.Redirs[i].Target)
	}
	fill(&a.Target)
	fill(&a.Dir)
}

func (k windowsSink) Nested(d Dialect, src string, dir Word, via []string) {
	s := k.s
	if d == Auto {
		d = looksWindows(src)
		if d == Auto {
			d = Bourne
		}
	}
	at := s.at
	s.child(func() {
		s.at.via = concat(at.via, via)
		if len(dir.Parts) > 0 {
			s.put(entry2(dir))
		}
		if d == Bourne {
			s.top.wall = true
			s.scriptText(s.r.filled(src), src)
			return
		}
		s.windows(d, src)
	})
}

func (k windowsSink) Dir() Word { return k.s.dir() }

func (k windowsSink) SetDir(w Word) { k.s.put(entry2(w)) }

func (k windowsSink) Lookup(name string) (string, bool) {
	a := k.s.lookup(name)
	if !a.set || len(a.words) == 0 {
		// Windows does not tell names apart by case.
		for n, v := range k.s.r.o.Env {
			if strings.EqualFold(n, name) {
				return v, true
			}
		}
		return "", false
	}
	return a.words[0].Known()
}

func (k windowsSink) More() bool { return k.s.r.more() }
