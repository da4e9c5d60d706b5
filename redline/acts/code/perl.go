package code

import "strings"

// perl is Perl 5 as `perl -e` and a heredoc carry it.
type perl struct{}

func (*perl) keyword(w string) bool {
	switch w {
	case "if", "unless", "while", "until", "else", "elsif", "foreach", "for", "my", "our", "local", "state", "and", "or", "not", "xor", "do", "return", "sub", "last", "next", "redo",
		"eq", "ne", "lt", "gt", "le", "ge", "cmp", "x", "package", "BEGIN", "END", "use", "no":
		return true
	}
	return false
}

// perlNames counts how often each variable gets a value; PHP's the same.
func perlNames(toks []token, counts map[string]int) {
	for i := range toks {
		t := &toks[i]
		if t.kind != tIdent || t.text == "" || t.text[0] != '$' && t.text[0] != '@' && t.text[0] != '%' {
			continue
		}
		prev, next := &endToken, &endToken
		if i > 0 {
			prev = &toks[i-1]
		}
		if i+1 < len(toks) {
			next = &toks[i+1]
		}
		switch {
		case next.op("="):
			counts[t.text]++
		case next.kind == tOp && len(next.text) > 1 && strings.HasSuffix(next.text, "=") && !strings.ContainsAny(next.text[:1], "=!<>"),
			next.op("=~"), next.op("++"), next.op("--"):
			counts[t.text] += 2
		case (prev.ident("my") || prev.ident("foreach") || prev.ident("for")) && next.op("("), prev.ident("as") || prev.op("=>") && next.op(")"):
			counts[t.text]++
		case prev.ident("my") || prev.ident("our") || prev.ident("global") || prev.ident("static"):
			counts[t.text]++
		}
	}
}

func (p *perl) statement(m *machine) bool {
	t := m.peek()
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "use", "no", "require":
		n := m.look(1)
		if t.text == "require" && n.kind != tIdent {
			m.unread("loads code by require")
			m.pos++
			return true
		}
		if n.kind == tNum {
			m.pos += 2
			return true
		}
		if n.kind == tIdent && !perlModule(n.text) {
			m.unread("uses " + n.text)
		}
		m.pos += 2
		for !m.end() && !m.peek().op(";") && !m.peek().op("}") {
			m.pos++
		}
		return true
	case "sub":
		m.pos++
		if m.peek().kind == tIdent {
			m.pos++
		}
		return true
	case "foreach", "for":
		k := 1
		if m.look(k).ident("my") || m.look(k).ident("our") {
			k++
		}
		name := m.look(k)
		if name.kind == tIdent && strings.HasPrefix(name.text, "$") && m.look(k+1).op("(") {
			m.pos += k + 1
			v := m.list("(", ")")
			if v.kind == vText {
				v = value{kind: vList, list: []value{v}, known: true}
			}
			m.bind(name.text, element(v))
			return true
		}
		m.pos++
		return true
	case "my", "our", "local", "state":
		m.pos++
		if n := m.peek(); n.kind == tIdent && m.look(1).op("=") {
			m.assign(n.text)
		}
		return true
	case "do":
		if m.look(1).kind == tStr || m.look(1).kind == tIdent && strings.HasPrefix(m.look(1).text, "$") {
			m.unread("runs another file")
		}
		m.pos++
		return true
	case "package":
		m.pos += 2
		return true
	}
	return false
}

func perlModule(name string) bool {
	switch name {
	case "strict", "warnings", "utf8", "feature", "vars", "integer", "constant", "open", "bytes", "autodie", "lib", "parent", "base", "bigint", "bignum", "diagnostics", "English", "locale", "overload", "experimental", "sort", "version", "mro", "subs",
		"JSON", "JSON::PP", "JSON::XS", "Data::Dumper", "List::Util", "Scalar::Util", "POSIX", "File::Basename", "File::Spec", "File::Spec::Functions", "File::Path", "File::Copy", "File::Find", "File::Temp", "File::Slurp",
		"Cwd", "Time::Local", "Time::HiRes", "Time::Piece", "Getopt::Long", "Getopt::Std", "Text::Wrap", "Text::ParseWords", "Text::CSV", "Text::Abbrev", "Digest::MD5", "Digest::SHA", "MIME::Base64", "Encode", "Math::BigInt", "Math::Trig", "IO::File", "IO::Handle", "IPC::Open3", "IPC::Open2", "Storable", "YAML", "YAML::Tiny", "Term::ANSIColor", "Carp", "Benchmark", "Unicode::Normalize", "Config", "Symbol", "Fcntl", "Env", "Path::Tiny", "Tie::File":
		return name != "lib" && name != "Storable" && name != "Tie::File" && name != "Path::Tiny"
	}
	return false
}

func (*perl) resolve(m *machine, name string) value {
	switch name {
	case "__FILE__", "STDIN", "STDOUT", "STDERR", "DATA", "ARGV", "undef":
		return value{kind: vBool, text: "null", known: true}
	}
	if name != "" && strings.IndexByte("$@%", name[0]) >= 0 {
		return value{from: name}
	}
	if strings.HasPrefix(name, "&") {
		if len(name) == 1 || strings.HasPrefix(name, "&$") {
			m.unread("calls a function by its name in a variable")
			return value{}
		}
		name = name[1:]
	}
	name = strings.TrimPrefix(name, "CORE::GLOBAL::")
	name = strings.TrimPrefix(name, "CORE::")
	return value{kind: vRef, text: name}
}

func (*perl) bare(m *machine, name string) bool {
	switch name {
	case "system", "exec", "unlink", "rmdir", "rename", "mkdir", "open", "rmtree", "remove_tree", "move", "copy", "eval", "chdir", "chmod", "chown", "utime", "truncate", "symlink", "link", "opendir", "sysopen",
		"print", "printf", "say", "die", "warn", "push", "unshift", "join", "split", "grep", "map", "sort", "keys", "values", "glob", "close", "chomp", "defined", "exists", "delete", "scalar", "length", "uc", "lc", "sprintf", "readpipe", "make_path", "mkpath", "syscall", "dump", "kill", "exit", "require", "evalbytes", "fork", "mv", "cp", "shift", "pop", "reverse", "ref", "binmode":
		return true
	}
	return false
}

func (*perl) loose(m *machine, name string) {
	switch name {
	case "eval", "do", "readpipe":
		// `eval { ... }` is a block, which is read as it stands.
		if !m.peek().op("{") {
			m.unread("calls " + name)
		}
	}
}

func (p *perl) call(m *machine, name string, a args) value {
	first, second := a.get(0, ""), a.get(1, "")
	if i := strings.LastIndex(name, "::"); i > 0 {
		switch name[:i] {
		case "File::Path", "File::Copy", "IPC::Open3", "IPC::Open2", "main", "POSIX":
			name = name[i+2:]
		}
	}
	switch name {
	case "eval", "evalbytes":
		if len(a) == 0 && m.peek().op("{") {
			return value{}
		}
		m.unread("calls eval")
	case "require":
		m.unread("loads code by require")
	case "syscall", "fork", "dump":
		if name == "syscall" {
			m.unread("calls syscall")
		}
	case "system", "exec":
		p.system(m, a, name)
	case "readpipe":
		m.shell(first, name)
	case "open3", "open2":
		skip := 3
		if name == "open2" {
			skip = 2
		}
		if len(a) > skip {
			p.system(m, a[skip:], name)
		} else {
			m.argv(value{}, name)
		}
	case "open":
		p.open(m, a)
		return value{kind: vBool, text: "true", known: true}
	case "sysopen":
		m.write(second, name)
	case "unlink", "rmdir":
		if len(a) == 0 {
			m.remove(value{}, false, name) // $_
		}
		for _, x := range a {
			m.remove(element2(x.val), false, name)
		}
	case "rmtree", "remove_tree":
		for _, x := range a {
			if x.val.kind != vObject && x.val.kind != vNum {
				m.remove(x.val, true, name)
			}
		}
	case "rename", "move", "mv":
		m.write(first, name)
		m.write(second, name)
	case "copy", "cp", "symlink", "link":
		m.write(second, name)
	case "mkdir", "truncate", "make_path", "mkpath", "mkfifo":
		m.write(first, name)
	case "chmod", "chown", "utime":
		skip := 1
		if name != "chmod" {
			skip = 2
		}
		for i := skip; i < len(a); i++ {
			m.write(a[i].val, name)
		}
	case "chdir":
		m.dir = first
		if !first.isText() {
			m.dir = value{known: true}
		}
	case "glob":
		if first.isText() {
			if i := strings.IndexAny(first.text, "*?[{"); i >= 0 {
				return value{kind: vList, text: first.text[:i], keys: []string{"within"}}
			}
			return fields(first.text)
		}
	case "getcwd", "cwd":
		return text(".")
	case "catfile", "catdir", "File::Spec.catfile", "File::Spec.catdir":
		if len(a) > 0 {
			v := first
			for i := 1; i < len(a); i++ {
				v = concat(v, a[i].val, true)
			}
			v.path = false
			return v
		}
	case "join":
		if len(a) > 1 && first.isText() {
			out := text("")
			for i := 1; i < len(a); i++ {
				if i > 1 {
					out = concat(out, first, false)
				}
				out = concat(out, a[i].val, false)
			}
			return out
		}
	case "write_file", "append_file", "overwrite_file":
		m.write(first, name)
	case "tempdir", "tempfile", "File::Temp.tempdir":
		return value{kind: vText, text: "/tmp/", temp: true}
	case "IO::File.new":
		if len(a) > 1 && (!second.isText() || strings.ContainsAny(second.text, "wa+>")) || strings.HasPrefix(first.text, ">") {
			m.write(text(strings.TrimLeft(first.text, "> ")), name)
		}
	default:
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			return p.method(m, value{}, name[i+1:], a)
		}
	}
	return value{}
}

// element2 is one of what a pattern lists, where v is such a list.
func element2(v value) value {
	if v.kind == vList && len(v.keys) == 1 {
		return element(v)
	}
	return v
}

// system runs one text through a shell, several words without.
func (*perl) system(m *machine, a args, why string) {
	if len(a) == 1 {
		if a[0].val.kind == vList {
			m.argv(a[0].val, why)
			return
		}
		m.shell(a[0].val, why)
		return
	}
	v := value{kind: vList, known: true}
	for _, x := range a {
		if x.val.kind == vList && x.val.known {
			v.list = append(v.list, x.val.list...)
			continue
		}
		v.list = append(v.list, x.val)
	}
	m.argv(v, why)
}

// open reads Perl's open in its forms of two and three arguments.
func (p *perl) open(m *machine, a args) {
	mode := a.get(1, "")
	if len(a) < 2 {
		return
	}
	if !mode.isText() {
		if mode.kind == vText {
			// "> $name": the mode is known, the file in parts.
			t := strings.TrimLeft(mode.text, " ")
			switch {
			case strings.HasPrefix(t, ">"), strings.HasPrefix(t, "+"):
				m.write(prefix(strings.TrimLeft(t, "+>< ")), "open")
			case strings.HasPrefix(t, "|"):
				m.shell(prefix(strings.TrimLeft(t, "| ")), "open")
			case strings.HasPrefix(t, "<"):
			default:
				m.unread("open of a name that is not literal")
			}
			return
		}
		if len(a) == 2 {
			m.unread("open of a name that is not literal")
		} else {
			m.write(a.get(2, ""), "open")
		}
		return
	}
	t := strings.TrimSpace(mode.text)
	target := a.get(2, "")
	if len(a) == 2 {
		if strings.HasSuffix(t, "|") && t != "|" {
			m.shell(text(strings.TrimSpace(strings.TrimSuffix(t, "|"))), "open")
			return
		}
		i := 0
		for i < len(t) && strings.IndexByte("+<>|", t[i]) >= 0 {
			i++
		}
		target, t = text(strings.TrimSpace(t[i:])), t[:i]
	}
	t, _, _ = strings.Cut(t, ":")
	t = strings.TrimSpace(t)
	switch t {
	case "|-", "-|", "|":
		if len(a) > 3 {
			p.system(m, a[2:], "open")
		} else {
			m.shell(target, "open")
		}
	case ">", ">>", "+>", "+<", "+>>":
		if target.isText() && strings.HasPrefix(target.text, "&") {
			return
		}
		m.write(target, "open")
	}
}

func (*perl) attr(m *machine, v value, name string) value { return value{} }

func (p *perl) method(m *machine, v value, name string, a args) value {
	switch name {
	case "system", "exec", "capture":
		p.system(m, a, name)
	case "spew", "spew_utf8", "append":
		m.write(v, name)
	case "remove_tree":
		m.remove(v, true, name)
	case "catfile", "catdir":
		return p.call(m, name, a)
	}
	return value{}
}
