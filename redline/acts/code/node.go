package code

import (
	"path"
	"strings"
)

// node is JavaScript as node, deno and bun run it. TypeScript's types are
// mostly harmless noise to it.
type node struct{}

func (*node) keyword(w string) bool {
	switch w {
	case "const", "let", "var", "if", "else", "for", "while", "do", "return", "function", "class", "extends", "new", "typeof", "instanceof", "in", "of",
		"try", "catch", "finally", "throw", "switch", "case", "default", "break", "continue", "delete", "void", "await", "async", "yield", "static",
		"import", "export", "debugger", "get", "set":
		return true
	}
	return false
}

// nodeNames counts how often each name gets a value.
func nodeNames(toks []token, counts map[string]int) {
	var open []int // where each open parenthesis stands
	params := func(from, to int) {
		for j := from; j < to; j++ {
			if toks[j].kind == tIdent {
				counts[toks[j].text] += 2
			}
		}
	}
	for i := range toks {
		t := &toks[i]
		next := &endToken
		if i+1 < len(toks) {
			next = &toks[i+1]
		}
		if t.kind == tOp {
			switch t.text {
			case "(":
				open = append(open, i)
			case ")":
				if n := len(open); n > 0 {
					from := open[n-1]
					open = open[:n-1]
					declared := from > 0 && toks[from-1].ident("function") || from > 1 && toks[from-2].ident("function") || from > 0 && toks[from-1].ident("catch")
					if next.op("=>") || declared {
						params(from+1, i)
					}
				}
			}
			continue
		}
		if t.kind != tIdent {
			continue
		}
		prev := &endToken
		if i > 0 {
			prev = &toks[i-1]
		}
		if prev.op(".") || prev.op("?.") {
			continue
		}
		switch {
		case next.op("=>"):
			counts[t.text] += 2
		case next.op("="), next.ident("of") && (prev.ident("const") || prev.ident("let") || prev.ident("var")):
			counts[t.text]++
		case next.kind == tOp && len(next.text) > 1 && strings.HasSuffix(next.text, "=") && !strings.ContainsAny(next.text[:1], "=!<>"), next.op("++"), next.op("--"):
			counts[t.text] += 2
		case prev.ident("let") || prev.ident("var") || prev.ident("as"):
			counts[t.text]++
		}
	}
}

func (n *node) statement(m *machine) bool {
	t := m.peek()
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "import":
		if m.look(1).op("(") {
			m.expr()
			return true
		}
		if m.look(1).op(".") {
			m.pos += 3
			return true
		}
		m.pos++
		n.imports(m)
	case "const", "let", "var":
		m.pos++
		switch {
		case m.peek().op("{"):
			n.destructure(m)
		case m.peek().op("[") || m.peek().kind != tIdent:
		case m.look(1).op("="):
			m.assign(m.peek().text)
		case m.look(1).ident("of"):
			name := m.peek().text
			m.pos += 2
			m.bind(name, element(m.expr()))
		case m.look(1).op(":"):
			// A type: `const x: string = ...`.
			name := m.peek().text
			for k := 2; k < 12; k++ {
				if m.look(k).op("=") {
					m.pos += k - 1
					m.toks[m.pos].text = name
					m.assign(name)
					break
				}
				if stops(m.look(k)) {
					break
				}
			}
		}
	case "function", "class":
		m.pos++
		m.take("*")
		if m.peek().kind == tIdent && !n.keyword(m.peek().text) {
			m.pos++
		}
	case "export":
		m.pos++
	default:
		return false
	}
	return true
}

// destructure reads `{a, b: c} = value` and binds the names to its members.
func (n *node) destructure(m *machine) {
	type pair struct{ key, name string }
	var pairs []pair
	k := 1
	for ; k < 200; k++ {
		t := m.look(k)
		if t.op("}") || t == &endToken {
			break
		}
		if t.kind == tIdent {
			if m.look(k+1).op(":") && m.look(k+2).kind == tIdent {
				pairs = append(pairs, pair{t.text, m.look(k + 2).text})
				k += 2
			} else {
				pairs = append(pairs, pair{t.text, t.text})
			}
		}
	}
	if !m.look(k).op("}") || !m.look(k+1).op("=") {
		return
	}
	m.pos += k + 2
	m.quiet = true
	v := m.expr()
	m.quiet = false
	for _, p := range pairs {
		w := value{}
		switch v.kind {
		case vRef:
			w = n.resolve(m, v.text+"."+p.key)
		case vObject:
			w, _ = v.field(p.key)
		}
		m.bind(p.name, w)
	}
}

func (n *node) imports(m *machine) {
	type pair struct{ key, name string }
	var pairs []pair
	for !m.end() {
		t := m.peek()
		switch {
		case t.kind == tStr:
			m.pos++
			v := m.module(text(t.text), "import")
			for _, p := range pairs {
				w := v
				if p.key != "" && v.kind == vRef {
					w = n.resolve(m, v.text+"."+p.key)
				}
				m.vars[p.name] = w
			}
			return
		case t.op("*"):
			m.pos++
			if m.peek().ident("as") {
				m.pos++
				pairs = append(pairs, pair{"", m.peek().text})
				m.pos++
			}
		case t.op("{"):
			m.pos++
			for !m.end() && !m.take("}") {
				k := m.peek()
				m.pos++
				if k.kind == tIdent {
					name := k.text
					if m.peek().ident("as") {
						name = m.look(1).text
						m.pos += 2
					}
					key := k.text
					if key == "default" {
						key = ""
					}
					pairs = append(pairs, pair{key, name})
				}
			}
		case t.ident("from"), t.ident("type"), t.op(","):
			m.pos++
		case t.kind == tIdent:
			pairs = append(pairs, pair{"", t.text})
			m.pos++
		default:
			return
		}
	}
}

// module is what require and import give for a module's name.
func (m *machine) module(v value, how string) value {
	if !v.isText() {
		m.unread(how + " of a name that is not literal")
		return value{}
	}
	name := strings.TrimPrefix(v.text, "node:")
	switch name {
	case "fs", "path", "os", "util", "url", "querystring", "crypto", "zlib", "assert", "readline", "string_decoder", "events", "stream", "buffer",
		"timers", "perf_hooks", "process", "constants", "punycode", "child_process", "fs-extra", "rimraf", "bun", "del",
		"assert/strict", "readline/promises", "stream/promises", "timers/promises", "util/types", "path/posix", "path/win32", "console", "diagnostics_channel",
		"execa", "zx", "shelljs", "cross-spawn", "glob", "fast-glob", "semver", "yaml", "js-yaml", "lodash", "json5", "chalk", "minimatch", "graceful-fs":
		switch name {
		case "graceful-fs":
			name = "fs"
		case "path/posix", "path/win32":
			name = "path"
		}
		return value{kind: vRef, text: "#" + name}
	case "fs/promises":
		return value{kind: vRef, text: "#fs"}
	case "http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "axios", "undici", "node-fetch", "got", "request", "superagent", "ws", "nodemailer", "ssh2", "pg", "mysql", "mysql2", "redis", "mongodb", "ioredis", "puppeteer", "playwright":
		m.unread("imports " + name)
		return value{kind: vRef, text: "#net:" + name}
	}
	if strings.HasSuffix(name, ".json") || name == "package.json" {
		return value{}
	}
	m.unread("imports " + name)
	return value{}
}

func (n *node) resolve(m *machine, name string) value {
	switch name {
	case "true", "false":
		return value{kind: vBool, text: name, known: true}
	case "null", "undefined", "this":
		return value{kind: vBool, text: "null", known: true}
	case "__filename", "process.argv", "process.env", "process.argv0", "Deno.args", "Bun.argv", "import.meta":
		return value{kind: vRef, text: name}
	case "__dirname":
		return text(".")
	case "process.execPath":
		return text("node")
	case "#path.sep":
		return text("/")
	}
	for _, g := range [...]string{"globalThis.", "global.", "window.", "self."} {
		name = strings.TrimPrefix(name, g)
	}
	name = strings.ReplaceAll(name, ".promises", "")
	name = strings.ReplaceAll(name, ".default", "")
	if strings.HasPrefix(name, "process.mainModule") || strings.HasPrefix(name, "module.constructor") || strings.HasSuffix(name, ".constructor") {
		if strings.HasSuffix(name, ".require") {
			return value{kind: vRef, text: "require"}
		}
		if strings.HasSuffix(name, ".constructor") {
			m.unread("uses constructor")
			return value{}
		}
	}
	return value{kind: vRef, text: name}
}

func (*node) bare(*machine, string) bool { return false }

func (n *node) loose(m *machine, name string) {
	switch name {
	case "eval", "Function", "require", "Reflect", "Proxy", "import", "#child_process", "globalThis", "global", "module", "execScript":
		m.unread("passes " + strings.TrimPrefix(name, "#") + " on")
	case "#fs", "#fs-extra", "#shelljs", "#execa", "process.binding":
		m.unread("passes " + strings.TrimPrefix(name, "#") + " on")
	default:
		mod, fn, ok := strings.Cut(name, ".")
		if !ok || fn == "" {
			return
		}
		switch mod {
		case "#child_process", "#fs", "#fs-extra", "Deno", "Bun", "#shelljs":
			before := len(m.res.Effects)
			n.call(m, name, args{{spread: true}})
			for k := before; k < len(m.res.Effects); k++ {
				m.res.Effects[k].PathKnown, m.res.Effects[k].Path = false, ""
			}
		}
	}
}

// tree reports whether an options object asks for a whole tree; one that is not
// known may.
func tree(a args, i int) bool {
	v, ok := a.pos(i)
	if !ok {
		return false
	}
	if v.kind != vObject {
		return v.kind == vUnknown
	}
	r, there := v.field("recursive")
	if !there {
		return !v.known
	}
	return !(r.kind == vBool && r.text == "false")
}

func (n *node) call(m *machine, name string, a args) value {
	first := a.get(0, "")
	if base, ok := strings.CutSuffix(name, "`"); ok {
		switch base {
		case "$", "Bun.$", "#bun.$", "#zx.$", "#execa.$", "#execa.execaCommand", "$.sync":
			m.shell(first, base)
		case "String.raw":
			return first
		}
		return value{}
	}
	switch name {
	case "require", "process.getBuiltinModule", "module.require":
		return m.module(first, "require")
	case "import":
		return m.module(first, "import()")
	case "require.resolve":
		return value{}
	case "eval", "Function", "execScript":
		m.unread("calls " + name)
		return value{}
	case "setTimeout", "setInterval", "setImmediate":
		if first.kind == vText {
			m.unread("calls " + name + " with text")
		}
		return value{}
	case "process.binding", "process.dlopen", "process._linkedBinding", "Reflect.get", "Reflect.apply", "Reflect.construct", "module.createRequire", "module._load", "module._compile":
		m.unread("calls " + name)
		return value{}
	case "process.chdir", "Deno.chdir":
		m.dir = first
		if !first.isText() {
			m.dir = value{known: true}
		}
		return value{}
	case "process.cwd", "Deno.cwd":
		return text(".")
	case "#os.tmpdir":
		return text("/tmp")
	case "#os.homedir":
		return text("~")
	case "#path.join", "#path.resolve", "#path.posix.join":
		if len(a) == 0 || a.open() {
			return value{}
		}
		v := first
		for i := 1; i < len(a); i++ {
			w := a[i].val
			if name != "#path.resolve" && w.isText() {
				w.text = strings.TrimLeft(w.text, "/")
			}
			v = concat(v, w, true)
		}
		v.path = false
		return v
	case "#path.normalize":
		return first
	case "#path.dirname":
		return dirname(first)
	case "#path.basename":
		if first.isText() && len(a) == 1 {
			return text(path.Base(first.text))
		}
		return value{}
	case "#util.promisify":
		if first.kind == vRef {
			return first
		}
		return value{}
	case "#url.fileURLToPath", "String":
		return first
	case "fetch", "WebSocket", "XMLHttpRequest", "EventSource", "navigator.sendBeacon", "Deno.connect", "Deno.listen", "Bun.serve", "Deno.serve", "Bun.connect":
		why := name
		if o, ok := a.pos(1); ok && name == "fetch" {
			method, there := o.field("method")
			switch {
			case o.kind == vObject && o.known && !there:
			case method.isText():
				why = "fetch " + strings.ToUpper(method.text)
			default:
				why = "fetch with options that are not literal"
			}
		}
		m.network(first, why)
		return value{}
	}
	mod, fn, _ := strings.Cut(name, ".")
	switch mod {
	case "#fs", "#fs-extra":
		return n.fs(m, fn, a)
	case "#child_process", "#cross-spawn":
		if mod == "#cross-spawn" {
			fn = "spawn"
		}
		return n.child(m, fn, a)
	case "#rimraf", "#del":
		m.remove(first, true, strings.TrimPrefix(mod, "#"))
	case "#execa":
		switch fn {
		case "", "execa", "execaSync", "sync":
			m.argv(programWith(first, a.get(1, "")), "execa")
		case "execaCommand", "execaCommandSync", "command", "commandSync":
			m.shell(first, "execa")
		case "execaNode", "node":
			m.argv(programWith(text("node"), value{kind: vList, list: []value{first}}), "execa")
		}
	case "#shelljs":
		switch fn {
		case "exec":
			m.shell(first, "shell.exec")
		case "rm":
			flags := first.isText() && strings.HasPrefix(first.text, "-")
			r := flags && strings.ContainsAny(first.text, "rR")
			for i, x := range a {
				if i > 0 || !flags {
					m.remove(x.val, r, "shell.rm")
				}
			}
		case "cp", "mv", "mkdir", "sed", "touch", "chmod":
			for i, x := range a {
				if i == len(a)-1 || fn != "cp" {
					m.write(x.val, "shell."+fn)
				}
			}
		}
	case "Deno", "Bun":
		return n.runtime(m, mod, fn, a)
	case "#bun":
		return n.runtime(m, "Bun", fn, a)
	case "module", "#module":
		m.unread("calls " + strings.TrimPrefix(name, "#"))
	case "Reflect":
		m.unread("calls " + name)
	default:
		if strings.HasPrefix(mod, "#net:") {
			m.network(first, strings.TrimPrefix(name, "#net:"))
			return value{}
		}
		if strings.HasPrefix(name, "#") || fn == "" {
			return value{}
		}
		return n.method(m, value{}, name[strings.LastIndexByte(name, '.')+1:], a)
	}
	return value{}
}

// programWith is an argv of a program and the list of its arguments.
func programWith(prog, list value) value {
	out := value{kind: vList, known: true, list: []value{prog}}
	switch list.kind {
	case vList:
		out.list = append(out.list, list.list...)
		out.known = list.known
	case vUnknown, vAlts, vText:
		out.known = false
	}
	return out
}

// child is a call of node:child_process.
func (n *node) child(m *machine, fn string, a args) value {
	first := a.get(0, "")
	why := fn
	shell := false
	for _, x := range a {
		if s, ok := x.val.field("shell"); ok && !(s.kind == vBool && s.text != "true") {
			shell = true
		}
	}
	list, has := a.pos(1)
	if !has || list.kind == vObject || list.kind == vBool {
		list = value{kind: vList, known: true}
	}
	if a.open() {
		list = value{}
	}
	switch fn {
	case "exec", "execSync":
		m.shell(first, why)
	case "spawn", "spawnSync", "execFile", "execFileSync":
		if !shell {
			m.argv(programWith(first, list), why)
			break
		}
		v := first
		if list.kind == vList {
			for _, x := range list.list {
				v = concat(concat(v, text(" "), false), x, false)
			}
			v.known = v.known && list.known
		} else {
			v.known = false
		}
		m.shell(v, why)
	case "fork":
		v := programWith(first, list)
		v.list = append([]value{text("node")}, v.list...)
		m.argv(v, why)
	}
	return value{}
}

// fs is a call of node:fs, its promises, or fs-extra.
func (n *node) fs(m *machine, fn string, a args) value {
	first, second := a.get(0, ""), a.get(1, "")
	why := "fs." + fn
	switch strings.TrimSuffix(fn, "Sync") {
	case "writeFile", "appendFile", "createWriteStream", "mkdir", "truncate", "chmod", "chown", "utimes", "lutimes", "lchown", "write_file",
		"outputFile", "outputJson", "outputJSON", "writeJson", "writeJSON", "ensureDir", "ensureFile", "mkdirp", "mkdirs", "createFile":
		m.write(first, why)
	case "mkdtemp":
		m.write(concat(first, value{}, false), why)
		return concat(first, value{}, false)
	case "open":
		flags, ok := a.pos(1)
		if ok && (flags.kind != vText || writes(flags, true)) && !(flags.kind == vUnknown && len(a) == 2 && !flags.known && isFunctionLast(a)) {
			if flags.kind == vNum {
				break
			}
			m.write(first, why)
		}
		return value{kind: vFile}
	case "copyFile", "cp", "symlink", "link", "copy", "ensureLink", "ensureSymlink":
		m.write(second, why)
	case "rename", "move":
		m.write(first, why)
		m.write(second, why)
	case "unlink":
		m.remove(first, false, why)
	case "rm", "rmdir":
		m.remove(first, tree(a, 1), why)
	case "remove", "emptyDir", "emptydir":
		m.remove(first, true, why)
	case "readdir":
		return value{kind: vUnknown}
	case "write", "writev", "ftruncate", "fchmod":
		// Through a descriptor, whose opening told its path.
	}
	return value{}
}

// isFunctionLast reports whether the last argument may be a callback.
func isFunctionLast(a args) bool { return a[len(a)-1].val.from == "" }

// runtime is a call of what Deno and Bun offer themselves.
func (n *node) runtime(m *machine, mod, fn string, a args) value {
	first, second := a.get(0, ""), a.get(1, "")
	why := mod + "." + fn
	switch strings.TrimSuffix(fn, "Sync") {
	case "writeTextFile", "writeFile", "mkdir", "create", "truncate", "chmod", "chown", "utime", "write":
		if second.kind == vFile {
			second = value{}
		}
		m.write(first, why)
	case "remove":
		m.remove(first, tree(a, 1), why)
	case "rename":
		m.write(first, why)
		m.write(second, why)
	case "copyFile", "symlink", "link":
		m.write(second, why)
	case "open":
		if w, ok := second.field("write"); ok && !(w.kind == vBool && w.text == "false") || second.kind == vUnknown && len(a) > 1 {
			m.write(first, why)
		} else if w, ok := second.field("append"); ok && !(w.kind == vBool && w.text == "false") {
			m.write(first, why)
		}
	case "Command":
		list, _ := second.field("args")
		if _, ok := a.pos(1); !ok || second.kind == vObject && second.known && list.kind == vUnknown && !hasKey(second, "args") {
			list = value{kind: vList, known: true}
		}
		m.argv(programWith(first, list), why)
	case "run":
		list, _ := first.field("cmd")
		m.argv(list, why)
	case "spawn":
		if mod == "Bun" {
			list := first
			if first.kind == vObject {
				list, _ = first.field("cmd")
			}
			m.argv(list, why)
		}
	case "file":
		if first.kind == vText {
			first.path = true
		}
		return first
	case "dlopen", "plugin", "openPlugin":
		m.unread("calls " + why)
	}
	return value{}
}

func hasKey(v value, key string) bool {
	_, ok := v.field(key)
	return ok
}

func (n *node) attr(m *machine, v value, name string) value {
	switch name {
	case "constructor", "__proto__", "mainModule":
		m.unread("uses " + name)
	}
	if v.kind == vObject {
		if w, ok := v.field(name); ok {
			return w
		}
	}
	return value{}
}

func (n *node) method(m *machine, v value, name string, a args) value {
	first := a.get(0, "")
	switch name {
	case "constructor", "__defineGetter__", "__lookupGetter__":
		m.unread("uses " + name)
	case "require":
		return m.module(first, "require")
	case "execSync", "spawnSync", "execFileSync":
		n.child(m, name, a)
	case "writeFileSync", "appendFileSync", "rmSync", "unlinkSync", "cpSync", "copyFileSync", "renameSync", "rmdirSync", "createWriteStream", "mkdirSync", "writeFile", "appendFile", "unlink", "copyFile":
		// Reached through something that is no module by name.
		if name == "unlink" && v.path {
			m.remove(v, false, "file.unlink")
			break
		}
		n.fs(m, name, a)
	case "delete":
		if v.path {
			m.remove(v, false, "file.delete")
		}
	case "writer":
		if v.path {
			m.write(v, "file.writer")
		}
	case "join":
		if v.kind == vList && v.known && first.isText() {
			out := text("")
			for i, x := range v.list {
				if i > 0 {
					out = concat(out, first, false)
				}
				out = concat(out, x, false)
			}
			return out
		}
	case "split":
		if v.isText() && first.isText() && first.text == " " {
			out := value{kind: vList, known: true}
			for _, w := range strings.Split(v.text, " ") {
				out.list = append(out.list, text(w))
			}
			return out
		}
	case "concat":
		if v.kind == vText && len(a) == 1 {
			return concat(v, first, false)
		}
	case "trim", "toString", "normalize":
		if v.isText() && len(a) == 0 {
			return v
		}
	case "then", "catch", "finally":
		return value{}
	}
	return value{}
}
