package code

import "strings"

// ruby is Ruby as `ruby -e` and a heredoc carry it.
type ruby struct{}

func (*ruby) keyword(w string) bool {
	switch w {
	case "if", "unless", "while", "until", "else", "elsif", "end", "do", "then", "begin", "rescue", "ensure", "and", "or", "not", "in", "for", "case", "when",
		"return", "yield", "class", "module", "def", "break", "next", "redo", "retry", "defined?", "undef", "BEGIN", "END", "alias":
		return true
	}
	return false
}

// rubyNames counts how often each name gets a value.
func rubyNames(toks []token, counts map[string]int) {
	bars := false
	for i := range toks {
		t := &toks[i]
		prev, next := &endToken, &endToken
		if i > 0 {
			prev = &toks[i-1]
		}
		if i+1 < len(toks) {
			next = &toks[i+1]
		}
		if t.op("|") {
			if bars {
				bars = false
			} else if prev.op("{") || prev.ident("do") {
				bars = true
			}
			continue
		}
		if t.kind != tIdent {
			if t.kind == tNewline {
				bars = false
			}
			continue
		}
		switch {
		case bars:
			counts[t.text] += 2
		case prev.op("."):
		case next.op("=") && prev.op(","), next.op(",") && (prev.kind == tNewline || prev.op(";")) && unpacks(toks[i:]):
			counts[t.text] += 2
		case next.op("="):
			counts[t.text]++
		case next.kind == tOp && len(next.text) > 1 && strings.HasSuffix(next.text, "=") && !strings.ContainsAny(next.text[:1], "=!<>"), prev.ident("for"), prev.op("=>") && next.kind == tNewline:
			counts[t.text] += 2
		case t.text == "def":
			for j := i + 2; j < len(toks) && j < i+40 && toks[j].kind != tNewline && !toks[j].op(";"); j++ {
				if toks[j].kind == tIdent {
					counts[toks[j].text] += 2
				}
			}
		}
	}
}

func (r *ruby) statement(m *machine) bool {
	t := m.peek()
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "require", "require_relative", "load", "autoload":
		if m.look(1).kind != tStr && !m.look(1).op("(") {
			return false
		}
		m.pos++
		var a args
		if m.take("(") {
			a = m.arguments(")")
		} else {
			a = m.bareArguments()
		}
		first := a.get(0, "")
		name := first.text
		switch {
		case t.text != "require" || !first.isText():
			m.unread("loads code by " + t.text)
		case rubyNetwork(name):
			m.unread("requires " + name)
		case !rubyLibrary(name):
			m.unread("requires " + name)
		}
		return true
	case "def", "class", "module", "alias", "undef":
		m.pos += 2
		if t.text == "def" {
			for m.peek().op(".") {
				m.pos += 2
			}
			if m.take("(") {
				m.arguments(")")
			}
		}
		return true
	}
	return false
}

func rubyLibrary(name string) bool {
	switch name {
	case "json", "yaml", "psych", "csv", "date", "time", "set", "pathname", "fileutils", "tempfile", "tmpdir", "digest", "digest/md5", "digest/sha1", "digest/sha2", "base64", "securerandom",
		"erb", "stringio", "strscan", "open3", "shellwords", "optparse", "pp", "ostruct", "bigdecimal", "bigdecimal/util", "matrix", "prime", "benchmark",
		"timeout", "find", "zlib", "English", "logger", "forwardable", "singleton", "delegate", "observer", "uri", "cgi", "cgi/util", "cgi/escape", "rexml/document", "nokogiri", "toml", "io/console", "pty", "etc", "rbconfig", "monitor", "abbrev", "tsort", "ripper", "openssl", "active_support", "active_support/core_ext":
		return true
	}
	return false
}

func rubyNetwork(name string) bool {
	switch name {
	case "net/http", "net/https", "open-uri", "socket", "net/smtp", "net/ftp", "net/ssh", "net/scp", "faraday", "httparty", "rest-client", "excon", "mail", "aws-sdk-s3", "webrick", "drb", "resolv":
		return true
	}
	return false
}

func (*ruby) resolve(m *machine, name string) value {
	switch name {
	case "true", "false":
		return value{kind: vBool, text: name, known: true}
	case "nil", "self":
		return value{kind: vBool, text: "null", known: true}
	case "__dir__":
		return text(".")
	case "ARGV", "ENV", "ARGF", "STDIN", "STDOUT", "STDERR", "$stdin", "$stdout", "$stderr", "$_", "$0", "$PROGRAM_NAME", "__FILE__", "$~", "$!", "$?", "$,", "$/":
		return value{kind: vRef, text: name}
	case "DATA":
		return value{}
	}
	name = strings.TrimPrefix(name, "Kernel.")
	name = strings.TrimPrefix(name, "Process.")
	if strings.HasPrefix(name, "@") || strings.HasPrefix(name, "$") {
		return value{}
	}
	return value{kind: vRef, text: name}
}

// rubyCalls are the functions that take arguments without parentheses and
// matter.
func (*ruby) bare(m *machine, name string) bool {
	switch name {
	case "system", "exec", "spawn", "eval", "instance_eval", "class_eval", "module_eval", "binding", "puts", "print", "p", "pp", "printf", "warn", "raise", "exit", "abort", "open", "trap", "at_exit", "sleep", "format", "sprintf",
		"rm", "rm_rf", "rm_r", "cp", "mv", "mkdir_p", "send", "public_send", "__send__", "sh":
		return true
	}
	mod, _, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	switch mod {
	case "File", "FileUtils", "IO", "Dir", "Open3", "PTY", "Pathname", "Net", "Shellwords", "Object", "Marshal", "JSON", "YAML", "Tempfile", "URI", "RubyVM", "ERB":
		return name != mod && !(mod == "Net" || mod == "Object")
	}
	return false
}

func (*ruby) loose(m *machine, name string) {
	switch name {
	case "eval", "instance_eval", "class_eval", "RubyVM", "ObjectSpace", "TracePoint":
		m.unread("uses " + name)
	}
}

func (r *ruby) call(m *machine, name string, a args) value {
	first, second := a.get(0, ""), a.get(1, "")
	name = strings.ReplaceAll(name, "::", ".")
	switch name {
	case "eval", "instance_eval", "class_eval", "module_eval", "binding", "RubyVM.InstructionSequence.compile", "Marshal.load", "define_method", "instance_variable_get", "const_get", "Object.const_get":
		if (name == "instance_eval" || name == "class_eval" || name == "module_eval" || name == "define_method") && len(a) == 0 {
			return value{} // a block, which is read as it stands
		}
		m.unread("calls " + name)
	case "send", "public_send", "__send__":
		m.send(first, a)
	case "method":
		m.unread("calls method")
	case "system", "exec", "spawn":
		m.rubyRun(a, name)
	case "sh": // rake
		m.rubyRun(a, name)
	case "IO.popen", "PTY.spawn", "PTY.getpty":
		if first.kind == vList {
			m.argv(first, name)
		} else {
			m.rubyRun(a, name)
		}
	case "Open3.capture2", "Open3.capture2e", "Open3.capture3", "Open3.popen2", "Open3.popen2e", "Open3.popen3", "Open3.pipeline":
		m.rubyRun(a, name)
	case "open":
		if first.isText() && strings.HasPrefix(first.text, "|") {
			m.shell(text(strings.TrimPrefix(first.text, "|")), name)
			break
		}
		if first.isText() && (strings.HasPrefix(first.text, "http://") || strings.HasPrefix(first.text, "https://")) {
			m.network(first, name)
			break
		}
		if !first.isText() && !first.known && first.text == "" {
			m.unread("open of a name that is not literal")
		}
		r.open(m, a, name)
	case "File.open", "File.new", "IO.sysopen", "CSV.open", "Zlib.GzipWriter.open":
		r.open(m, a, name)
	case "File.write", "IO.write", "File.binwrite", "IO.binwrite", "File.truncate", "File.mkfifo", "Dir.mkdir", "FileUtils.mkdir", "FileUtils.mkdir_p", "FileUtils.makedirs", "FileUtils.touch", "FileUtils.mkpath", "mkdir_p":
		m.each(first, func(v value) { m.write(v, name) })
	case "File.chmod", "File.chown", "File.utime":
		for i := 1; i < len(a); i++ {
			m.write(a[i].val, name)
		}
	case "FileUtils.chmod", "FileUtils.chmod_R", "FileUtils.chown", "FileUtils.chown_R":
		m.each(a.get(len(a)-1, ""), func(v value) { m.write(v, name) })
	case "File.rename", "FileUtils.mv", "FileUtils.move", "mv":
		m.each(first, func(v value) { m.write(v, name) })
		m.write(second, name)
	case "File.symlink", "File.link", "FileUtils.cp", "FileUtils.copy", "FileUtils.cp_r", "FileUtils.copy_file", "FileUtils.install", "FileUtils.ln_s", "FileUtils.ln_sf", "FileUtils.ln", "IO.copy_stream", "cp", "FileUtils.copy_entry":
		if name == "IO.copy_stream" && second.kind != vText {
			break
		}
		m.write(second, name)
	case "File.delete", "File.unlink", "Dir.rmdir", "Dir.delete", "Dir.unlink":
		for _, x := range a {
			m.remove(x.val, false, name)
		}
	case "FileUtils.rm", "FileUtils.rm_f", "FileUtils.remove", "FileUtils.remove_file", "FileUtils.rmdir", "FileUtils.safe_unlink", "rm":
		m.remove(first, false, name)
	case "FileUtils.rm_r", "FileUtils.rm_rf", "FileUtils.rmtree", "FileUtils.remove_dir", "FileUtils.remove_entry", "FileUtils.remove_entry_secure", "FileUtils.remove_dir_secure", "rm_rf", "rm_r":
		m.remove(first, true, name)
	case "Dir.chdir", "FileUtils.cd", "FileUtils.chdir":
		m.dir = first
		if !first.isText() {
			m.dir = value{known: true}
		}
	case "Dir.pwd", "Dir.getwd":
		return text(".")
	case "Dir.home":
		return text("~")
	case "Dir.tmpdir":
		return text("/tmp")
	case "Dir.mktmpdir", "Tempfile.new", "Tempfile.create", "Tempfile.open":
		return value{kind: vText, text: "/tmp/", temp: true}
	case "File.join":
		if len(a) == 0 || a.open() {
			return value{}
		}
		v := first
		for i := 1; i < len(a); i++ {
			v = concat(v, a[i].val, true)
		}
		v.path = false
		return v
	case "File.expand_path", "File.absolute_path", "File.realpath":
		if len(a) == 1 {
			return first
		}
	case "File.dirname":
		return dirname(first)
	case "Pathname.new", "Pathname":
		return asPath(first)
	case "Dir.glob", "Dir.[]", "Dir.children", "Dir.entries", "Dir.each_child":
		return r.listing(first)
	case "YAML.load", "YAML.unsafe_load", "Psych.load", "JSON.load":
		if strings.HasSuffix(name, "unsafe_load") {
			m.unread("calls " + name)
		}
	case "URI.open", "Net.HTTP.get", "Net.HTTP.post", "Net.HTTP.start", "Net.HTTP.post_form", "TCPSocket.new", "URI.parse.open":
		m.network(first, name)
	case "Shellwords.split":
		if first.isText() {
			return fields(first.text)
		}
	case "require", "load", "require_relative", "autoload":
		m.unread("loads code by " + name)
	case "trap", "at_exit":
	default:
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			return r.method(m, value{}, name[i+1:], a)
		}
	}
	return value{}
}

// listing is what a pattern or a directory lists.
func (*ruby) listing(v value) value {
	if v.isText() {
		if i := strings.IndexAny(v.text, "*?[{"); i >= 0 {
			return value{kind: vList, text: v.text[:i], keys: []string{"within"}}
		}
	}
	return value{}
}

// open is File.open: a write where its mode says so.
func (*ruby) open(m *machine, a args, why string) {
	mode, ok := a.named("mode")
	if !ok {
		mode, ok = a.pos(1)
	}
	if mode.kind == vNum || mode.kind == vObject {
		ok = mode.kind == vNum
		mode = value{}
	}
	if writes(mode, ok || a.open()) {
		m.write(a.get(0, ""), why)
	}
}

// rubyRun is system and its kin: one text goes to a shell, several words do not.
// A hash in front is the environment, keywords behind are options.
func (m *machine) rubyRun(a args, why string) {
	var words []value
	spread := false
	for i, x := range a {
		if x.name != "" {
			continue
		}
		if x.spread {
			spread = true
			continue
		}
		if x.val.kind == vObject && (i == 0 || i == len(a)-1) {
			continue
		}
		words = append(words, x.val)
	}
	if len(words) == 1 && !spread {
		m.shell(words[0], why)
		return
	}
	m.argv(value{kind: vList, list: words, known: !spread}, why)
}

// send is a call by a name in a value.
func (m *machine) send(name value, a args) {
	if !name.isText() || len(a) == 0 {
		m.unread("calls send")
		return
	}
	switch name.text {
	case "system", "exec", "spawn", "eval", "instance_eval", "`":
		if name.text == "eval" || name.text == "instance_eval" {
			m.unread("calls eval")
			return
		}
		m.rubyRun(a[1:], name.text)
	}
}

func (*ruby) attr(m *machine, v value, name string) value { return value{} }

func (r *ruby) method(m *machine, v value, name string, a args) value {
	first := a.get(0, "")
	switch name {
	case "eval", "instance_eval", "class_eval", "module_eval", "const_get", "instance_variable_get", "define_method", "method", "instance_method", "binding":
		if len(a) > 0 || name == "binding" {
			m.unread("calls " + name)
		}
	case "send", "public_send", "__send__":
		m.send(first, a)
	case "system", "popen", "capture3", "capture2", "capture2e":
		m.rubyRun(a, name)
	case "write", "binwrite":
		if v.path {
			m.write(v, "Pathname#"+name)
		}
	case "delete", "unlink", "rmdir":
		if v.path || name == "unlink" && v.kind == vText && !v.temp {
			m.remove(v, false, "Pathname#"+name)
		}
	case "rmtree":
		m.remove(v, true, "Pathname#rmtree")
	case "rm_rf", "rm_r", "remove_dir", "remove_entry":
		m.remove(first, true, name)
	case "mkpath", "mkdir", "touch":
		if v.path {
			m.write(v, "Pathname#"+name)
		}
	case "rename":
		if v.path {
			m.write(v, "Pathname#rename")
			m.write(first, "Pathname#rename")
		}
	case "open":
		if v.path {
			mode, ok := a.pos(0)
			if writes(mode, ok) {
				m.write(v, "Pathname#open")
			}
		}
	case "join":
		if v.path {
			for _, x := range a {
				v = concat(v, x.val, true)
			}
			return v
		}
	case "to_s", "to_path", "freeze", "strip", "chomp", "dup", "expand_path", "to_str":
		if name == "to_s" || name == "to_path" {
			v.path = false
		}
		if v.kind == vText {
			return v
		}
	case "each", "each_with_index", "map", "sort", "reverse", "uniq", "select", "reject":
		return v
	case "split":
		if v.isText() && len(a) == 0 {
			return fields(v.text)
		}
	case "load", "unsafe_load":
		if v.kind == vUnknown && name == "unsafe_load" {
			m.unread("calls " + name)
		}
	}
	return value{}
}
