package code

import "strings"

// php is PHP as `php -r` and a heredoc carry it. Names of functions ignore case.
type php struct{}

func (*php) keyword(w string) bool {
	switch strings.ToLower(w) {
	case "if", "else", "elseif", "for", "foreach", "while", "do", "switch", "case", "default", "break", "continue", "return", "echo", "print", "function", "fn", "class", "new", "try", "catch", "finally",
		"throw", "as", "use", "namespace", "global", "static", "public", "private", "protected", "instanceof", "and", "or", "xor", "const", "endif", "endforeach", "endwhile", "endfor", "yield", "clone", "extends", "implements", "abstract", "final", "match", "declare", "goto":
		return true
	}
	return false
}

func (p *php) statement(m *machine) bool {
	t := m.peek()
	if t.kind != tIdent {
		return false
	}
	switch strings.ToLower(t.text) {
	case "include", "require", "include_once", "require_once":
		m.unread("includes a file")
		m.pos++
		m.expr()
		return true
	case "function", "class", "fn":
		m.pos++
		m.take("&")
		if m.peek().kind == tIdent && !strings.HasPrefix(m.peek().text, "$") {
			m.pos++
		}
		return true
	case "use", "namespace":
		for !m.end() && !m.peek().op(";") && !m.peek().op("{") {
			m.pos++
		}
		return true
	case "foreach":
		if !m.look(1).op("(") {
			return false
		}
		m.pos += 2
		v := m.expr()
		if m.peek().ident("as") {
			m.pos++
			if n := m.peek(); n.kind == tIdent && m.look(1).op(")") {
				m.bind(n.text, element(v))
			}
		}
		for !m.end() && !m.peek().op(")") && !m.peek().op("{") && !m.peek().op(";") {
			m.pos++
		}
		m.take(")")
		return true
	}
	return false
}

func (*php) resolve(m *machine, name string) value {
	switch strings.ToLower(name) {
	case "true", "false":
		return value{kind: vBool, text: strings.ToLower(name), known: true}
	case "null", "php_eol", "stdin", "stdout", "stderr", "php_version", "php_os", "e_all", "__line__", "__file__":
		if strings.EqualFold(name, "PHP_EOL") {
			return text("\n")
		}
		return value{kind: vBool, text: "null", known: true}
	case "__dir__":
		return text(".")
	case "directory_separator":
		return text("/")
	case "php_binary":
		return text("php")
	}
	if strings.HasPrefix(name, "$$") {
		m.unread("uses a variable by its name in a variable")
		return value{}
	}
	if strings.HasPrefix(name, "$") {
		return value{from: name}
	}
	return value{kind: vRef, text: name}
}

func (*php) bare(m *machine, name string) bool { return false }

func (*php) loose(m *machine, name string) {}

func (p *php) call(m *machine, name string, a args) value {
	first, second := a.get(0, ""), a.get(1, "")
	low := strings.ToLower(name)
	if i := strings.LastIndexByte(low, '\\'); i >= 0 {
		low = low[i+1:]
	}
	switch low {
	case "eval", "create_function", "call_user_func_array", "func_get_args_eval", "forward_static_call", "extract", "parse_str_into", "unserialize":
		if low == "extract" {
			break
		}
		m.unread("calls " + low)
	case "assert":
		if first.kind == vText {
			m.unread("calls assert with text")
		}
	case "call_user_func", "array_map", "array_walk", "array_filter", "usort", "register_shutdown_function", "iterator_apply", "preg_replace_callback", "array_reduce", "ob_start":
		for _, x := range a {
			if x.val.isText() && phpMatters(x.val.text) {
				if low == "call_user_func" {
					return p.call(m, x.val.text, a[1:])
				}
				p.call(m, x.val.text, args{{spread: true}})
			}
		}
		if low == "call_user_func" && !first.isText() && first.kind != vUnknown {
			m.unread("calls " + low)
		}
	case "exec", "shell_exec", "system", "passthru", "popen":
		m.shell(first, low)
	case "proc_open":
		if first.kind == vList {
			m.argv(first, low)
		} else {
			m.shell(first, low)
		}
	case "pcntl_exec":
		m.argv(programWith(first, phpList(a, 1)), low)
	case "mail", "mb_send_mail", "imap_open", "ftp_connect", "fsockopen", "pfsockopen", "stream_socket_client", "socket_create", "curl_init", "curl_exec", "curl_setopt", "ssh2_connect", "gethostbyname":
		if low == "curl_setopt" {
			break
		}
		if low == "mail" || low == "mb_send_mail" {
			m.network(first, "mail")
			break
		}
		m.network(first, low)
	case "file_get_contents", "fopen", "copy", "readfile", "file", "simplexml_load_file", "get_headers", "getimagesize", "file_put_contents":
		if first.kind == vText && strings.Contains(first.text, "://") && !strings.HasPrefix(first.text, "php://") && !strings.HasPrefix(first.text, "file://") && !strings.HasPrefix(first.text, "data:") {
			m.network(first, low)
			break
		}
		if strings.HasPrefix(first.text, "php://") {
			break
		}
		switch low {
		case "fopen":
			if writes(second, true) && !(second.isText() && !strings.ContainsAny(second.text, "waxc+")) || second.isText() && strings.Contains(second.text, "c") {
				m.write(first, low)
			}
			return value{kind: vFile}
		case "copy":
			m.write(second, low)
		case "file_put_contents":
			m.write(first, low)
		}
	case "mkdir", "touch", "chmod", "chown", "chgrp", "ftruncate", "tempnam", "imagepng", "imagejpeg":
		if low == "imagepng" || low == "imagejpeg" {
			if len(a) > 1 {
				m.write(second, low)
			}
			break
		}
		if low != "ftruncate" {
			m.write(first, low)
		}
	case "rename", "move_uploaded_file":
		m.write(first, low)
		m.write(second, low)
	case "symlink", "link":
		m.write(second, low)
	case "unlink", "rmdir":
		m.remove(first, false, low)
	case "chdir":
		m.dir = first
		if !first.isText() {
			m.dir = value{known: true}
		}
	case "getcwd":
		return text(".")
	case "sys_get_temp_dir":
		return text("/tmp")
	case "dirname":
		return dirname(first)
	case "realpath", "escapeshellcmd", "trim", "rtrim":
		return first
	case "glob":
		if first.isText() {
			if i := strings.IndexAny(first.text, "*?[{"); i >= 0 {
				return value{kind: vList, text: first.text[:i], keys: []string{"within"}}
			}
		}
	case "array":
		return phpArray(a)
	case "implode", "join":
		if first.isText() && second.kind == vList && second.known {
			out := text("")
			for i, x := range second.list {
				if i > 0 {
					out = concat(out, first, false)
				}
				out = concat(out, x, false)
			}
			return out
		}
	case "dl", "ini_set", "putenv", "set_include_path", "spl_autoload_register", "stream_wrapper_register":
		if low == "dl" {
			m.unread("loads an extension")
		}
	case "pdo", "mysqli", "mysqli_connect", "pg_connect", "sqlite3", "mysqli_query", "pg_query", "redis", "soapclient", "reflectionfunction", "reflectionmethod", "ffi.cdef", "closure.fromcallable":
		m.unread("uses " + name)
	case "array_map_recursive":
	default:
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			return p.method(m, value{}, name[i+1:], a)
		}
	}
	return value{}
}

// phpMatters are names of functions that may be handed over as text.
func phpMatters(name string) bool {
	switch strings.ToLower(name) {
	case "exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec", "unlink", "rmdir", "file_put_contents", "rename", "copy", "eval", "assert", "mkdir", "touch", "chmod", "mail":
		return true
	}
	return false
}

func phpArray(a args) value {
	v := value{kind: vList, known: true}
	for _, x := range a {
		if x.spread {
			v.known = false
			break
		}
		v.list = append(v.list, x.val)
	}
	return v
}

func phpList(a args, i int) value {
	if _, ok := a.pos(i); !ok {
		return value{kind: vList, known: true}
	}
	return a.get(i, "")
}

func (*php) attr(m *machine, v value, name string) value { return value{} }

func (p *php) method(m *machine, v value, name string, a args) value {
	first := a.get(0, "")
	switch strings.ToLower(name) {
	case "query", "exec", "prepare":
		m.unread("talks to a database")
	case "save", "asxml":
		if len(a) > 0 {
			m.write(first, name)
		}
	case "extractto":
		m.write(first, name)
	case "invoke", "invokeargs", "newinstance":
		m.unread("calls ->" + name)
	}
	return value{}
}
