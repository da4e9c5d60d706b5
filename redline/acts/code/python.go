package code

import (
	"path"
	"strings"
)

// python is Python 3 as `python3 -c` and a heredoc carry it.
type python struct {
	alias map[string]string
}

func (p *python) keyword(w string) bool {
	switch w {
	case "and", "or", "not", "in", "is", "if", "else", "elif", "for", "while", "with", "as", "def", "class", "return", "yield", "lambda",
		"try", "except", "finally", "raise", "pass", "break", "continue", "global", "nonlocal", "del", "assert", "import", "from", "async", "await":
		return true
	}
	return false
}

// pythonNames counts how often each name gets a value, so that only a name with
// one value is taken for it.
func pythonNames(toks []token, counts map[string]int) {
	depth := 0
	for i := range toks {
		t := &toks[i]
		switch t.kind {
		case tOp:
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		case tIdent:
			prev, next := &endToken, &endToken
			if i > 0 {
				prev = &toks[i-1]
			}
			if i+1 < len(toks) {
				next = &toks[i+1]
			}
			if prev.op(".") {
				continue
			}
			switch t.text {
			case "for":
				n := 1
				for j := i + 1; j < len(toks) && j < i+12 && !toks[j].ident("in"); j++ {
					if toks[j].op(",") {
						n = 2
					}
				}
				for j := i + 1; j < len(toks) && j < i+12 && !toks[j].ident("in"); j++ {
					if toks[j].kind == tIdent {
						counts[toks[j].text] += n
					}
				}
			case "lambda":
				for j := i + 1; j < len(toks) && j < i+24 && !toks[j].op(":"); j++ {
					if toks[j].kind == tIdent {
						counts[toks[j].text] += 2
					}
				}
			case "def":
				for j := i + 3; j < len(toks) && j < i+80 && !toks[j].op(")"); j++ {
					if toks[j].kind == tIdent && (toks[j-1].op("(") || toks[j-1].op(",") || toks[j-1].op("*") || toks[j-1].op("**")) {
						counts[toks[j].text] += 2
					}
				}
			}
			switch {
			case prev.ident("as"), next.op(":="):
				counts[t.text]++
			case depth > 0 || next.kind != tOp:
			case next.text == "=" && prev.op(","):
				counts[t.text] += 2
			case next.text == "=", next.text == ":" && i+3 < len(toks) && toks[i+3].op("="):
				counts[t.text]++
			case next.text == "," && (prev.kind == tNewline || i == 0 || prev.op(";") || prev.op(",") || prev.op(":")) && unpacks(toks[i:]):
				counts[t.text] += 2
			case strings.HasSuffix(next.text, "=") && len(next.text) > 1 && !strings.ContainsAny(next.text[:1], "=!<>") || next.text == "<<=" || next.text == ">>=":
				counts[t.text] += 2
			}
		}
	}
}

// unpacks reports whether toks is `a, b = ...`.
func unpacks(toks []token) bool {
	for i := 1; i < len(toks) && i < 24; i++ {
		switch {
		case toks[i].op("="):
			return true
		case toks[i].kind == tIdent || toks[i].op(",") || toks[i].op("*"):
		default:
			return false
		}
	}
	return false
}

func (p *python) statement(m *machine) bool {
	t := m.peek()
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "import":
		m.pos++
		p.imports(m)
	case "from":
		if !m.look(1).op(".") && m.look(1).kind != tIdent {
			return false
		}
		// `yield from x` and `raise X from y` are no imports.
		for k := 1; k < 12; k++ {
			if m.look(k).ident("import") {
				m.pos++
				p.fromImport(m)
				return true
			}
			if !m.look(k).op(".") && !m.look(k).op("...") && m.look(k).kind != tIdent {
				break
			}
		}
		return false
	case "for":
		name := m.look(1)
		m.pos++
		if name.kind == tIdent && m.look(1).ident("in") {
			m.pos += 2
			v := m.expr()
			m.bind(name.text, element(v))
			return true
		}
		for !m.end() && !m.peek().ident("in") && !stops(m.peek()) {
			m.pos++
		}
	case "with":
		m.pos++
		for !m.end() {
			v := m.expr()
			if m.peek().ident("as") {
				m.pos++
				if n := m.peek(); n.kind == tIdent {
					m.bind(n.text, v)
				}
				m.pos++
			}
			if !m.take(",") {
				return true
			}
		}
	case "def", "class":
		m.pos += 2
		if m.peek().op("(") && t.text == "def" {
			m.pos++
			m.arguments(")")
		}
	case "lambda":
		m.pos++
		for !m.end() && !m.peek().op(":") && m.peek().kind != tNewline && !m.peek().op(")") {
			m.pos++
		}
		if m.take(":") {
			m.expr()
		}
	case "except":
		m.pos++
		for !m.end() && !m.peek().op(":") && m.peek().kind != tNewline {
			m.pos++
		}
	default:
		// `name: type = value`
		if m.look(1).op(":") && m.look(3).op("=") && m.look(2).kind == tIdent && !p.keyword(t.text) {
			m.pos += 2
			m.toks[m.pos].text = t.text
			m.assign(t.text)
			return true
		}
		return false
	}
	return true
}

// element is what one element of v may be.
func element(v value) value {
	switch {
	case v.kind == vList && v.known && len(v.list) > 0 && len(v.list) <= altLimit:
		return value{kind: vAlts, list: v.list}
	case v.kind == vList && len(v.keys) == 1 && v.keys[0] == "within":
		// What a directory lists: below it, the rest unknown.
		return value{kind: vText, text: v.text, path: v.path, temp: v.temp}
	}
	return value{}
}

// within is a list of paths that begin with dir.
func within(dir value, path bool) value {
	if dir.kind != vText {
		return value{}
	}
	s := dir.text
	if dir.known {
		s = join(s, "")
	}
	return value{kind: vList, text: s, path: path, temp: dir.temp, keys: []string{"within"}}
}

func (p *python) imports(m *machine) {
	for !m.end() {
		t := m.peek()
		if t.kind != tIdent {
			return
		}
		name := t.text
		m.pos++
		for m.peek().op(".") && m.look(1).kind == tIdent {
			name += "." + m.look(1).text
			m.pos += 2
		}
		p.module(m, name)
		if m.peek().ident("as") && m.look(1).kind == tIdent {
			m.bind(m.look(1).text, value{kind: vRef, text: name})
			m.pos += 2
		} else {
			first, _, _ := strings.Cut(name, ".")
			p.alias[first] = first
		}
		if !m.take(",") {
			return
		}
	}
}

func (p *python) fromImport(m *machine) {
	name := ""
	for m.peek().op(".") || m.peek().op("...") || m.peek().kind == tIdent && !m.peek().ident("import") {
		name += m.peek().text
		m.pos++
	}
	m.pos++ // import
	if !(name == "urllib" && m.peek().ident("parse")) {
		p.module(m, name)
	}
	paren := m.take("(")
	for !m.end() {
		t := m.peek()
		switch {
		case paren && (t.kind == tNewline || t.op(",")), t.op(","):
			m.pos++
		case t.kind == tIdent:
			m.pos++
			full, as := name+"."+t.text, t.text
			if m.peek().ident("as") {
				as = m.look(1).text
				m.pos += 2
			}
			if m.counts[as] == 1 {
				m.bind(as, value{kind: vRef, text: full})
			} else {
				p.alias[as] = full
			}
			if pythonModule(full) == 0 && pythonSubmodule(full) {
				p.module(m, full)
			}
		case t.op("*"):
			m.pos++
			p.star(m, name)
		default:
			if paren {
				m.take(")")
			}
			return
		}
	}
}

// pythonSubmodule are modules that are imported from their package by name and
// are not what the package itself is.
func pythonSubmodule(full string) bool {
	switch full {
	case "urllib.request", "urllib.robotparser", "urllib.error", "http.client", "http.server", "xml.dom", "concurrent.futures":
		return full != "concurrent.futures" && full != "xml.dom"
	}
	return false
}

// star is `from name import *`: the names that could matter.
func (p *python) star(m *machine, name string) {
	var names []string
	switch name {
	case "os":
		names = []string{"system", "popen", "remove", "unlink", "rmdir", "removedirs", "rename", "replace", "mkdir", "makedirs", "execv", "execvp", "execl", "execlp", "environ", "path", "listdir", "getcwd", "chdir", "truncate", "symlink", "link"}
	case "subprocess":
		names = []string{"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput", "PIPE", "DEVNULL"}
	case "shutil":
		names = []string{"rmtree", "copy", "copy2", "copyfile", "copytree", "move", "make_archive", "unpack_archive"}
	case "pathlib":
		names = []string{"Path", "PurePath"}
	}
	for _, n := range names {
		p.alias[n] = name + "." + n
	}
}

// pythonModule says what a module is: 1 fine, 2 starts processes (its calls are
// read), 3 the network, 0 not on the list.
func pythonModule(name string) int {
	switch name {
	case "importlib", "importlib.util", "numpy", "this": // import_module is read, the rest is refused where it is called
		return 1
	case "sys", "os", "os.path", "posixpath", "ntpath", "pathlib", "re", "json", "csv", "io", "math", "cmath", "random", "statistics", "time",
		"datetime", "calendar", "collections", "collections.abc", "itertools", "functools", "operator", "string", "textwrap", "glob",
		"fnmatch", "shutil", "tempfile", "base64", "binascii", "hashlib", "hmac", "zlib", "gzip", "bz2", "lzma", "zipfile", "tarfile",
		"struct", "codecs", "unicodedata", "difflib", "typing", "types", "dataclasses", "enum", "copy", "pprint", "argparse", "getopt",
		"shlex", "decimal", "fractions", "numbers", "heapq", "bisect", "array", "contextlib", "warnings", "traceback", "logging",
		"locale", "platform", "uuid", "secrets", "ast", "tokenize", "token", "keyword", "configparser", "tomllib", "toml", "tomli",
		"yaml", "xml", "xml.etree", "xml.etree.ElementTree", "xml.etree.cElementTree", "xml.dom", "xml.dom.minidom", "xml.sax", "xml.sax.saxutils", "html", "html.parser", "html.entities",
		"urllib.parse", "email", "email.message", "email.parser", "email.policy", "email.utils", "mimetypes", "quopri", "colorsys", "threading", "concurrent", "concurrent.futures", "queue",
		"signal", "atexit", "asyncio", "abc", "weakref", "gc", "errno", "stat", "filecmp", "fileinput", "linecache", "pwd", "grp",
		"resource", "sched", "zoneinfo", "ipaddress", "__future__", "inspect", "dis", "graphlib", "reprlib", "sysconfig", "site", "tabnanny", "textwrap3", "plistlib", "stringprep", "symtable", "curses.ascii", "getpass", "importlib.metadata", "regex", "chardet", "ujson", "orjson", "json5", "tabulate", "dateutil", "dateutil.parser", "pytz":
		return 1
	case "subprocess", "pty", "commands":
		return 2
	case "requests", "httpx", "aiohttp", "urllib.request", "urllib2", "urllib3", "http.client", "http.server", "httplib", "socket", "socketserver", "ssl",
		"ftplib", "smtplib", "smtpd", "poplib", "imaplib", "nntplib", "telnetlib", "xmlrpc", "xmlrpc.client", "paramiko", "fabric", "websocket", "websockets",
		"boto3", "botocore", "pycurl", "webbrowser", "asyncssh", "grpc", "slack_sdk", "openai", "anthropic", "stripe", "twilio", "sendgrid", "tweepy", "telegram", "wsgiref.simple_server":
		return 3
	}
	return 0
}

func (p *python) module(m *machine, name string) {
	switch pythonModule(name) {
	case 1, 2:
	case 3:
		m.unread("imports " + name)
	default:
		if strings.HasPrefix(name, ".") {
			name = "a module of the project"
		}
		m.unread("imports " + name)
	}
}

func (p *python) resolve(m *machine, name string) value {
	first, rest, dotted := strings.Cut(name, ".")
	if full, ok := p.alias[first]; ok {
		name = full
		if dotted {
			name += "." + rest
		}
	}
	switch name {
	case "True", "False":
		return value{kind: vBool, text: strings.ToLower(name), known: true}
	case "None":
		return value{kind: vBool, text: "null", known: true}
	case "os.sep", "os.path.sep":
		return text("/")
	case "os.linesep":
		return text("\n")
	case "os.devnull", "subprocess.DEVNULL":
		return text("/dev/null")
	case "os.curdir":
		return text(".")
	case "os.pardir":
		return text("..")
	case "sys.executable":
		return text("python3")
	case "sys.argv", "__file__", "__name__", "os.name":
		return value{}
	}
	if strings.HasPrefix(name, "sys.modules") {
		m.unread("uses sys.modules")
		return value{}
	}
	if i := strings.LastIndex(name, "__"); i > 0 && strings.Contains(name, ".__") {
		p.dunder(m, name[strings.LastIndexByte(name, '.')+1:])
		return value{}
	}
	// pathlib's class attributes stay names; so do modules and functions.
	return value{kind: vRef, text: name}
}

// dunder refuses the attributes through which any object leads to any other.
func (p *python) dunder(m *machine, name string) {
	switch name {
	case "__name__", "__file__", "__doc__", "__len__", "__init__", "__main__", "__version__", "__str__", "__repr__", "__iter__", "__next__", "__enter__", "__exit__", "__contains__", "__eq__", "__hash__", "__annotations__", "__cause__", "__add__", "__lt__", "__getitem__", "__setitem__", "__post_init__", "__call__":
		return
	}
	m.unread("uses " + name)
}

func (p *python) bare(*machine, string) bool { return false }

func (p *python) loose(m *machine, name string) {
	switch name {
	case "eval", "exec", "compile", "__import__", "getattr", "globals", "locals", "vars", "setattr", "__builtins__", "builtins", "importlib":
		m.unread("passes " + name + " on")
	case "os", "subprocess", "shutil", "pathlib", "pty", "sys.modules", "posix":
		m.unread("passes " + name + " on")
	case "open", "io.open", "pathlib.Path":
		return
	default:
		if pythonModule(name) >= 2 {
			m.unread("passes " + name + " on")
			return
		}
		if i := strings.IndexByte(name, '.'); i > 0 {
			switch name[:i] {
			case "os", "subprocess", "shutil", "pty", "asyncio":
				// Mentioned, not called: whoever gets it calls it with what nobody sees.
				n := len(m.res.Effects)
				p.call(m, name, args{{spread: true}})
				for k := n; k < len(m.res.Effects); k++ {
					m.res.Effects[k].PathKnown, m.res.Effects[k].Path = false, ""
				}
			}
		}
	}
}

// writes reports whether mode opens a file for writing; a mode that is not known
// may.
func writes(v value, there bool) bool {
	if !there {
		return false
	}
	if v.kind == vNum || v.kind == vBool {
		return false
	}
	return !v.isText() || strings.ContainsAny(v.text, "wax+")
}

func (p *python) call(m *machine, name string, a args) value {
	first := a.get(0, "")
	switch name {
	case "__import__", "importlib.import_module", "importlib.__import__":
		// With a literal name it is an import like any other.
		if first.isText() && len(a) == 1 {
			p.module(m, first.text)
			top, _, dotted := strings.Cut(first.text, ".")
			if name == "importlib.import_module" || !dotted {
				top = first.text
			}
			return value{kind: vRef, text: top}
		}
		m.unread("calls " + name)
		return value{}
	case "eval", "exec", "compile", "globals", "locals", "execfile", "reload", "input2", "breakpoint":
		m.unread("calls " + name)
		return value{}
	case "vars", "delattr", "setattr", "getattr":
		if v, ok := a.pos(0); ok && v.kind == vUnknown && name == "getattr" && a.get(1, "").isText() && !strings.HasPrefix(a.get(1, "").text, "__") {
			return value{} // an attribute of some value, by a name that is there
		}
		m.unread("calls " + name)
		return value{}
	case "open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "zipfile.ZipFile", "tarfile.open", "gzip.GzipFile", "bz2.BZ2File", "lzma.LZMAFile", "tarfile.TarFile", "io.FileIO":
		mode, ok := a.named("mode")
		if !ok {
			mode, ok = a.pos(1)
		}
		if writes(mode, ok || a.open()) {
			m.write(p.pathArg(a, 0, "file", "name", "filename"), name)
		}
		return value{kind: vFile}
	case "os.fdopen":
		return value{kind: vFile}
	case "os.open", "posix.open":
		// Flags are an expression of names; only one that reads is let through.
		if f, ok := a.pos(1); ok && f.kind == vRef && f.text == "os.O_RDONLY" {
			return value{kind: vNum}
		}
		m.write(first, name)
		return value{kind: vNum}
	case "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "posix.unlink":
		m.remove(p.pathArg(a, 0, "path", "name"), name == "os.removedirs", name)
	case "shutil.rmtree":
		m.remove(p.pathArg(a, 0, "path"), true, name)
	case "os.mkdir", "os.makedirs", "os.truncate", "os.chmod", "os.chown", "os.utime", "os.mkfifo", "os.mknod", "os.lchown", "shutil.chown":
		m.write(p.pathArg(a, 0, "path", "name"), name)
	case "os.symlink", "os.link", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.copymode", "shutil.copystat":
		m.write(p.pathArg(a, 1, "dst"), name)
		return a.get(1, "dst")
	case "os.rename", "os.replace", "os.renames", "shutil.move":
		m.write(p.pathArg(a, 0, "src"), name)
		m.write(p.pathArg(a, 1, "dst"), name)
	case "shutil.make_archive":
		m.write(p.pathArg(a, 0, "base_name"), name)
	case "shutil.unpack_archive":
		if v, ok := a.pos(1); ok {
			m.write(v, name)
		} else if v, ok := a.named("extract_dir"); ok {
			m.write(v, name)
		} else {
			m.write(text("."), name)
		}
	case "os.chdir":
		m.dir = first
		m.dir.known = m.dir.known || m.dir.kind == vUnknown
		if !first.isText() {
			m.dir = value{kind: vUnknown, known: true}
		}
	case "fileinput.input", "fileinput.FileInput":
		if v, ok := a.named("inplace"); ok && !(v.kind == vBool && v.text == "false") {
			m.each(p.pathArg(a, 0, "files"), func(v value) { m.write(v, name) })
		}
	case "logging.basicConfig":
		if v, ok := a.named("filename"); ok {
			m.write(v, name)
		}
	case "numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed", "numpy.memmap":
		m.write(p.pathArg(a, 0, "file", "fname", "filename"), name)
	case "logging.FileHandler":
		m.write(p.pathArg(a, 0, "filename"), name)

	case "os.system", "os.popen", "posix.system", "subprocess.getoutput", "subprocess.getstatusoutput", "commands.getoutput", "commands.getstatusoutput", "asyncio.create_subprocess_shell", "asyncio.subprocess.create_subprocess_shell":
		v, _ := a.named("cmd")
		if w, ok := a.pos(0); ok {
			v = w
		}
		m.shell(v, name)
	case "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen":
		cmd := p.pathArg(a, 0, "args")
		sh, _ := a.named("shell")
		switch {
		case sh.kind == vBool && sh.text == "true" || sh.kind == vNum && sh.text == "1":
			m.shell(cmd, name)
		case cmd.kind == vText && strings.ContainsAny(cmd.text, " \t"):
			// Without a shell that is one program's name on POSIX, a line on Windows.
			m.shell(cmd, name)
		default:
			m.argv(cmd, name)
		}
	case "os.execv", "os.execve", "os.execvp", "os.execvpe", "os.posix_spawn", "os.posix_spawnp":
		m.argv(programAnd(first, a.get(1, "argv")), name)
	case "os.spawnv", "os.spawnve", "os.spawnvp", "os.spawnvpe":
		m.argv(programAnd(a.get(1, ""), a.get(2, "")), name)
	case "os.execl", "os.execlp", "os.execle", "os.execlpe":
		m.argv(programAnd(first, rest(a, 1)), name)
	case "os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe":
		m.argv(programAnd(a.get(1, ""), rest(a, 2)), name)
	case "asyncio.create_subprocess_exec", "asyncio.subprocess.create_subprocess_exec":
		m.argv(rest(a, 0), name)
	case "pty.spawn", "pty.fork":
		m.argv(first, name)
	case "os.startfile":
		m.shell(first, name)
	case "shlex.split":
		if first.isText() {
			return fields(first.text)
		}
		return value{}

	case "os.path.join", "posixpath.join":
		if len(a) == 0 {
			return value{}
		}
		v := first
		for i := 1; i < len(a); i++ {
			v = concat(v, a[i].val, true)
		}
		v.path = false
		return v
	case "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.WindowsPath", "pathlib.PurePosixPath":
		if len(a) == 0 {
			v := text(".")
			v.path = true
			return v
		}
		v := first
		for i := 1; i < len(a); i++ {
			v = concat(v, a[i].val, true)
		}
		return asPath(v)
	case "pathlib.Path.home":
		return asPath(text("~"))
	case "pathlib.Path.cwd":
		return asPath(text("."))
	case "os.getcwd":
		return text(".")
	case "os.path.expanduser", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath", "os.fsencode", "os.fsdecode", "str", "os.path.expandvars":
		if name == "os.path.expandvars" && strings.Contains(first.text, "$") {
			return value{}
		}
		if first.kind == vText || first.kind == vAlts {
			first.path = false
			return first
		}
		return value{}
	case "os.path.dirname":
		return dirname(first)
	case "os.path.basename":
		if first.isText() {
			return text(path.Base(first.text))
		}
		return value{}
	case "tempfile.gettempdir":
		return text("/tmp")
	case "tempfile.mkdtemp", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "tempfile.TemporaryFile", "tempfile.mktemp", "tempfile.SpooledTemporaryFile":
		if v, ok := a.named("dir"); ok {
			m.write(v, name)
			return value{}
		}
		return value{kind: vText, text: "/tmp/", temp: true}
	case "os.listdir", "os.scandir", "glob.glob", "glob.iglob", "os.walk", "os.fwalk":
		if len(a) > 0 && strings.HasPrefix(name, "glob") {
			if first.kind == vText {
				s := first.text
				if i := strings.IndexAny(s, "*?["); i >= 0 {
					return value{kind: vList, text: s[:i], keys: []string{"within"}}
				}
			}
			return value{}
		}
		if name == "os.scandir" {
			return within(first, true)
		}
		return value{}
	case "sorted", "list", "set", "tuple", "reversed", "iter", "filter":
		if name == "filter" {
			return value{}
		}
		return first
	case "yaml.load", "yaml.unsafe_load", "yaml.load_all", "yaml.full_load":
		if l, ok := a.named("Loader"); !ok && len(a) < 2 || l.kind == vRef && !strings.Contains(l.text, "Safe") && !strings.Contains(l.text, "Base") {
			m.unread("calls " + name)
		}
	case "asyncio.open_connection", "asyncio.start_server", "logging.handlers.HTTPHandler":
		m.network(first, name)
	case "importlib.reload", "importlib.util.spec_from_file_location", "importlib.util.module_from_spec", "importlib.machinery.SourceFileLoader":
		m.unread("calls " + name)
	case "inspect.getattr_static", "operator.attrgetter", "operator.methodcaller", "types.FunctionType", "types.CodeType":
		m.unread("calls " + name)
	default:
		return p.otherCall(m, name, a, first)
	}
	return value{}
}

// otherCall is a call of a name that is not on the list: of a network module, or
// of a value the reader did not follow.
func (p *python) otherCall(m *machine, name string, a args, first value) value {
	mod, fn, dotted := strings.Cut(name, ".")
	if !dotted {
		return value{}
	}
	for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
		if pythonModule(name[:i]) == 3 {
			url := first
			if strings.HasSuffix(name, ".request") && len(a) > 1 {
				url = a.get(1, "url")
				if first.isText() {
					name = strings.TrimSuffix(name, "request") + strings.ToLower(first.text)
				}
			}
			m.network(url, name)
			return value{}
		}
	}
	if _, imported := p.alias[mod]; imported || pythonModule(mod) != 0 {
		switch mod {
		case "os":
			if strings.HasPrefix(fn, "spawn") || strings.HasPrefix(fn, "exec") {
				m.argv(value{}, name)
			}
		case "sys":
			if strings.HasPrefix(fn, "modules") || strings.HasPrefix(fn, "meta_path") || strings.HasPrefix(fn, "settrace") {
				m.unread("uses " + name)
			}
		}
		return value{}
	}
	return p.method(m, value{}, name[strings.LastIndexByte(name, '.')+1:], a)
}

// pathArg is a positional argument or any of its keywords.
func (p *python) pathArg(a args, i int, names ...string) value {
	for _, n := range names {
		if v, ok := a.named(n); ok {
			return v
		}
	}
	v, _ := a.pos(i)
	return v
}

// programAnd is an argv whose program is named beside it.
func programAnd(prog, argv value) value {
	if argv.kind != vList {
		return value{kind: vList, list: []value{prog}}
	}
	out := value{kind: vList, known: argv.known, list: []value{prog}}
	if len(argv.list) > 0 {
		out.list = append(out.list, argv.list[1:]...)
	}
	return out
}

// rest are the arguments from i on as a list.
func rest(a args, i int) value {
	out := value{kind: vList, known: true}
	for _, x := range a {
		switch {
		case x.spread:
			out.known = false
			return out
		case x.name != "":
		case i > 0:
			i--
		default:
			out.list = append(out.list, x.val)
		}
	}
	return out
}

// fields are the words of a line without quotes; with quotes only that it
// begins so is known.
func fields(s string) value {
	out := value{kind: vList, known: !strings.ContainsAny(s, "'\"\\")}
	for _, f := range strings.Fields(s) {
		if strings.ContainsAny(f, "'\"\\") {
			break
		}
		out.list = append(out.list, text(f))
	}
	return out
}

func asPath(v value) value {
	if v.kind == vText || v.kind == vAlts {
		v.path = true
		v.from = ""
		if v.kind == vAlts {
			list := make([]value, len(v.list))
			for i, x := range v.list {
				list[i] = asPath(x)
			}
			v.list = list
		}
		return v
	}
	return value{kind: vText, path: true}
}

func dirname(v value) value {
	if v.isText() {
		d := path.Dir(v.text)
		return value{kind: vText, text: d, known: true, path: v.path, temp: v.temp}
	}
	return value{}
}

func (m *machine) each(v value, f func(value)) {
	if v.kind == vList && v.known {
		for _, x := range v.list {
			f(x)
		}
		return
	}
	f(v)
}

func (p *python) attr(m *machine, v value, name string) value {
	if strings.HasPrefix(name, "__") {
		p.dunder(m, name)
		return value{}
	}
	if v.kind == vText && v.path {
		switch name {
		case "parent":
			return dirname(v)
		case "name", "stem":
			if v.isText() && name == "name" {
				return text(path.Base(v.text))
			}
		}
	}
	if v.temp && name == "name" {
		return v
	}
	if v.kind == vText && name == "path" {
		return v // os.DirEntry
	}
	return value{}
}

func (p *python) method(m *machine, v value, name string, a args) value {
	if strings.HasPrefix(name, "__") {
		p.dunder(m, name)
		return value{}
	}
	first := a.get(0, "")
	pathlike := v.path || v.kind == vUnknown || v.kind == vAlts
	if pathlike {
		switch name {
		case "write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "link_to", "lchmod":
			m.write(v, "Path."+name)
			return value{}
		case "mkdir", "chmod":
			if v.path {
				m.write(v, "Path."+name)
				return value{}
			}
		case "unlink":
			m.remove(v, false, "Path.unlink")
			return value{}
		case "rmdir":
			m.remove(v, false, "Path.rmdir")
			return value{}
		case "rename", "replace":
			if v.path || name == "rename" && len(a) == 1 && first.kind != vObject && len(a) > 0 && a[0].name == "" {
				m.write(v, "Path."+name)
				m.write(first, "Path."+name)
				return asPath(first)
			}
		case "open":
			mode, ok := a.named("mode")
			if !ok {
				mode, ok = a.pos(0)
			}
			if v.path || v.kind == vAlts || ok && mode.isText() && len(mode.text) <= 3 {
				if writes(mode, ok || a.open()) {
					m.write(v, "Path.open")
				}
				return value{kind: vFile}
			}
		}
	}
	if v.path {
		switch name {
		case "joinpath":
			for _, x := range a {
				v = concat(v, x.val, true)
			}
			return v
		case "resolve", "absolute", "expanduser", "as_posix", "__fspath__":
			if name == "as_posix" {
				v.path = false
			}
			return v
		case "with_suffix":
			if v.isText() && first.isText() {
				v.text = strings.TrimSuffix(v.text, path.Ext(v.text)) + first.text
				return v
			}
			return prefixOf(v)
		case "with_name":
			if v.isText() && first.isText() {
				v.text = path.Join(path.Dir(v.text), first.text)
				return v
			}
			return prefixOf(v)
		case "with_stem":
			return prefixOf(v)
		case "glob", "rglob", "iterdir":
			return within(v, true)
		}
		return value{}
	}
	switch name {
	case "system", "popen", "getoutput", "getstatusoutput":
		// Reached through something that is no module by name.
		m.shell(first, "."+name)
	case "Popen", "check_output", "check_call":
		m.argv(first, "."+name)
	case "rmtree":
		m.remove(first, true, "."+name)
	case "extractall":
		dst := text(".")
		if len(a) > 0 {
			dst = p.pathArg(a, 0, "path")
		}
		m.write(dst, ".extractall")
	case "extract":
		if v.kind == vFile {
			dst := text(".")
			if d := p.pathArg(a, 1, "path"); d.kind != vUnknown {
				dst = d
			}
			m.write(dst, ".extract")
		}
	case "tofile", "to_csv", "to_json", "to_excel", "to_parquet", "to_pickle", "savefig":
		if len(a) > 0 {
			m.write(first, "."+name)
		}
	case "write":
		// ElementTree.write(path) and ConfigParser.write(file): a text is a path only
		// where the receiver is no file.
		if v.kind == vUnknown && v.from != "" && len(a) > 1 {
			m.write(first, ".write")
		}
	case "load_module", "exec_module", "find_spec":
		m.unread("calls ." + name)
	case "split":
		if v.isText() && len(a) == 0 {
			f := fields(v.text)
			f.known = true
			f.list = f.list[:0]
			for _, w := range strings.Fields(v.text) {
				f.list = append(f.list, text(w))
			}
			return f
		}
	case "strip", "rstrip", "lstrip", "encode", "decode", "expanduser":
		if v.kind == vText && len(a) == 0 {
			v.text = strings.TrimSpace(v.text)
			return v
		}
		if v.isText() && (name == "encode" || name == "decode") {
			return v
		}
	case "join":
		if v.isText() && first.kind == vList && first.known {
			out := text("")
			for i, x := range first.list {
				if i > 0 {
					out = concat(out, v, false)
				}
				out = concat(out, x, false)
			}
			return out
		}
	case "format":
		if v.isText() {
			if i := strings.IndexByte(v.text, '{'); i >= 0 {
				return prefix(v.text[:i])
			}
			return v
		}
	}
	return value{}
}

// prefixOf is a path beside v whose name is not known.
func prefixOf(v value) value {
	if !v.isText() {
		return v
	}
	d := path.Dir(v.text)
	return value{kind: vText, text: join(d, ""), path: true, temp: v.temp}
}
