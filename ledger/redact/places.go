package redact

import "strings"

// harmless reports whether a value under a telling name gives nothing away: it
// is empty, masked, says there is none, or only refers to where the secret is.
func harmless(v string) bool {
	t := strings.Trim(v, `"'`+"`")
	if t == "" || marked(t) {
		return true
	}
	switch t[0] {
	case '$':
		// $NAME, ${NAME}, ${NAME:?text}, $(command); "$ecret" with more behind it is a value.
		if len(t) == 1 {
			return true
		}
		if t[1] == '{' || t[1] == '(' {
			return !strings.Contains(t, ":-") && !strings.Contains(t, ":=") && (t[len(t)-1] == '}' || t[len(t)-1] == ')' || t[1] == '(')
		}
		return run(t[1:], func(c byte) bool { return isAlnum(c) || c == '_' || c == ':' }) == len(t)-1 && !isDigit(t[1])
	case '%':
		if v := strings.TrimLeft(t[1:], "#+-0123456789."); len(v) == 1 && isAlpha(v[0]) {
			return true // a format's verb
		}
		return len(t) > 2 && t[len(t)-1] == '%' && run(t[1:len(t)-1], func(c byte) bool { return isAlnum(c) || c == '_' }) == len(t)-2
	case '<':
		return t[len(t)-1] == '>'
	case '{':
		return strings.HasPrefix(t, "{{") || strings.HasSuffix(t, "}") && run(t[1:len(t)-1], isName) == len(t)-2
	case '*', '.', '-', '?', '_', '#', 'x', 'X', '[', '!', '|', '>', '&', '+', '=', ':':
		if strings.Trim(t, t[:1]) == "" && (len(t) > 2 || !isAlpha(t[0])) {
			return true // ***, ..., ---, xxx
		}
	}
	switch strings.ToLower(t) {
	case "null", "none", "nil", "true", "false", "yes", "no", "undefined", "empty", "string", "str", "boolean", "bool", "number", "int", "integer", "object", "any",
		"bytes", "[]byte", "required", "optional", "include", "omit", "same-origin", "unknown", "never", "redacted", "[redacted]", "<nil>", "text":
		return true
	}
	for _, p := range [...]string{"process.env", "os.environ", "os.getenv", "os.Getenv", "env.", "env:", "secrets.", "vars.", "file://", "op://", "vault://", "sops:", "arn:"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return pathLike(t)
}

// pathLike reports whether v is a file's path: two or more short, plain elements
// behind a slash or a dot. A random value with slashes has capitals and digits
// mixed into one element.
func pathLike(v string) bool {
	rest := v
	for _, p := range [...]string{"~/", "./", "../", "/"} {
		if r, ok := strings.CutPrefix(v, p); ok {
			rest = r
			break
		}
	}
	if rest == v || rest == "" || len(v) > 200 {
		return false
	}
	if v[0] == '/' && !strings.Contains(rest, "/") {
		return false
	}
	for e := range strings.SplitSeq(rest, "/") {
		if run(e, isName) != len(e) || len(e) > 64 {
			return false
		}
		if hasDigit(e) && strings.ToLower(e) != e && len(e) > 8 {
			return false
		}
	}
	return true
}

// maxBare is as far as a value without quotes is read.
const maxBare = 2 << 10

// assignments finds NAME=value in all its spellings: shell, flags, queries,
// connection strings, JSON, YAML, TOML, escaped JSON.
func (c *scanner) assignments() {
	s := c.s
	for i := 0; i < len(s); i++ {
		if s[i] != '=' && s[i] != ':' {
			continue
		}
		name, nameAt := nameBefore(s, i)
		if name == "" {
			continue
		}
		query := s[i] == '=' && nameAt > 0 && (s[nameAt-1] == '?' || s[nameAt-1] == '&')
		// Alone, these two are a password only as a field that holds a text: "pass" is
		// a test's result and pwd a folder elsewhere.
		pwd := strings.EqualFold(name, "pwd") && name != "PWD" ||
			strings.EqualFold(name, "pass") && nameAt > 0 && isQuote(s[nameAt-1]) && textFollows(s[i+1:])
		if !Variable(name) && !pwd && !(query && signature(name)) {
			if name != "from-literal" || s[i] != '=' {
				continue
			}
			// kubectl's --from-literal=any=value: the name that matters comes next.
			n := run(s[i+1:], isName)
			if i+1+n >= len(s) || s[i+1+n] != '=' {
				continue
			}
			i += n + 1
		}
		if s[i] == ':' && isHeader(name) {
			continue // its value has a grammar of its own
		}
		if s[i] == ':' && nameAt > 1 && s[nameAt-2:nameAt] == "//" && userinfo(s[i:]) {
			continue // https://x-access-token:...@host is the URL finder's
		}
		start, end := valueAfter(s, nameAt, i)
		if start < end && !harmless(s[start:end]) {
			c.add(start, end, "value")
			i = end - 1
		}
	}
}

// userinfo reports whether s goes on to an @ before its word ends.
func userinfo(s string) bool {
	n := run(s[:min(len(s), maxURL)], func(c byte) bool { return !isSpace(c) && c != '@' && !isQuote(c) })
	return n < len(s) && s[n] == '@'
}

// textFollows reports whether a quoted text comes next.
func textFollows(s string) bool {
	n := run(s, func(c byte) bool { return c == ' ' || c == '\\' })
	return n < len(s) && isQuote(s[n])
}

// signature is the name of a query parameter that signs the URL.
func signature(name string) bool {
	switch strings.ToLower(name) {
	case "sig", "signature", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature", "code", "key", "auth", "pass", "access_token", "hmac":
		return true
	}
	return false
}

// nameBefore reads the name that an assignment's sign at i stands behind, with
// one word before it where they are written apart ("API key: ").
func nameBefore(s string, i int) (name string, at int) {
	j := i
	if s[i] == '=' && j > 0 && (s[j-1] == ':' || s[j-1] == '+' || s[j-1] == '?') {
		j-- // :=, +=, ?=
	}
	for j > 0 && (s[j-1] == ' ' || s[j-1] == '\t') && i-j < 40 {
		j--
	}
	// "name", 'name', \"name\", ["name"]
	closing := false
	if j > 0 && s[j-1] == ']' {
		j--
	}
	if j > 0 && isQuote(s[j-1]) {
		closing = true
		j--
		for j > 0 && s[j-1] == '\\' {
			j--
		}
	}
	end := j
	for j > 0 && isName(s[j-1]) {
		if end-j > maxName {
			return "", 0
		}
		j--
	}
	if j == end {
		return "", 0
	}
	name = strings.TrimLeft(s[j:end], "-.")
	at = end - len(name)
	if !closing && (name == "key" || name == "Key" || name == "keys" || name == "KEY") && j > 1 && s[j-1] == ' ' {
		k := j - 1
		for k > 0 && isAlpha(s[k-1]) && j-k < 24 {
			k--
		}
		if k < j-1 {
			return s[k:end], k
		}
	}
	return name, at
}

// valueAfter finds the value behind the sign at i of a name that begins at
// nameAt, without its quotes. Nothing is found (start == end) where code, a type
// or a sentence follows rather than a value.
func valueAfter(s string, nameAt, i int) (start, end int) {
	colon := s[i] == ':'
	j := i + 1
	walrus := i > 0 && s[i] == '=' && s[i-1] == ':'
	for j < len(s) && (s[j] == '=' || s[j] == '>' || s[j] == '~' && !colon) {
		j++ // ==, =>, :=
		if colon {
			walrus = true
		}
	}
	tight := j < len(s) && !isSpace(s[j]) && i > 0 && s[i-1] != ' '
	for j < len(s) && (s[j] == ' ' || s[j] == '\t') {
		j++
	}
	if j >= len(s) || s[j] == '\n' || s[j] == '\r' {
		return 0, 0
	}
	// A quoted value, however deep in other quotes.
	esc := run(s[j:], func(c byte) bool { return c == '\\' })
	if k := j + esc; k < len(s) && isQuote(s[k]) {
		if k+1 < len(s) && !isQuote(s[i-1]) && (tight && strings.IndexByte(" ,;)]}+\n", s[k+1]) >= 0 || colon && strings.IndexByte(",)", s[k+1]) >= 0) {
			return 0, 0 // "expected token:", x: the quote closes
		}
		return quoted(s, j, k)
	}
	for _, p := range [...]string{"r\"", "b\"", "f\"", "@\"", "r'", "b'", "f'", "$'"} {
		if strings.HasPrefix(s[j:], p) {
			return quoted(s, j+1, j+1)
		}
	}
	if block := run(s[j:], func(c byte) bool { return c == '|' || c == '>' || c == '-' || c == '+' }); colon && block > 0 && j+block < len(s) && s[j+block] == '\n' && (s[j] == '|' || s[j] == '>') {
		return indented(s, nameAt, j+block+1)
	}
	end = bare(s, j, tight && !colon)
	v := s[j:end]
	switch {
	case v == "":
		return 0, 0
	case !tight && v[len(v)-1] == ':':
		return 0, 0 // s/password: .*/password: new/: the value is behind the second
	case strings.ContainsAny(v, "(){}[]") && !tight, strings.Contains(v, "(") && strings.Contains(v, ")"), strings.HasSuffix(v, "("):
		return 0, 0 // a call, a literal, a type
	case tight && !colon:
		// NAME=value, --name=value, ?name=value, Name=value;
		if v == s[nameAt:min(len(s), nameAt+len(v))] {
			return 0, 0 // token=token
		}
		return j, end
	}
	// With room around the sign it may as well be code or a sentence. A value
	// stands alone on its line, or has what no identifier and no word has.
	tail := strings.TrimLeft(s[end:lineEnd(s, end)], " \t")
	alone := tail == "" || tail[0] == '#' || isQuote(tail[0]) || strings.HasPrefix(tail, "\\n") || strings.HasPrefix(tail, "//")
	plain := run(v, func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' || c == '*' || c == '&' }) == len(v)
	switch {
	case strings.HasSuffix(v, ",") || strings.HasSuffix(v, ";") && !colon || walrus && plain:
		return 0, 0
	case plain && !colon && (!hasDigit(v) || strings.ContainsAny(v, ".*&")):
		return 0, 0 // name = other, name = pkg.Other
	case plain && colon && alone && !isUpper(v[0]) && v[0] != '*' && !strings.Contains(v, "."):
		return j, end // password: swordfish
	case plain && !hasDigit(v):
		return 0, 0
	case plain && !strings.ContainsFunc(v, func(r rune) bool { return r < 0x80 && isAlpha(byte(r)) }) && (!alone || !colon) && len(v) < 12,
		!colon && strings.HasPrefix(v, "0x") && len(v) < 12:
		return 0, 0 // token:1: unexpected, Token == 0
	case plain && !alone && len(v) > i-nameAt && strings.Contains(strings.ToLower(v), strings.ToLower(strings.TrimRight(s[nameAt:i], " \"'"))):
		return 0, 0 // Password: password16,
	case !alone && !strings.ContainsAny(v, "0123456789!@#%^&+=/~"):
		return 0, 0
	}
	return j, end
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// quoted reads a string whose quote is at k, behind the backslashes from j on.
// One that is never closed goes to the end of its line.
func quoted(s string, j, k int) (int, int) {
	q := s[j : k+1]
	start := k + 1
	for e := start; e < len(s); e++ {
		if s[e] == '\n' && s[k] != '`' {
			// Quotes don't go over lines, except triple ones, which this reads as empty.
			return start, e
		}
		if !strings.HasPrefix(s[e:], q) {
			if s[e] == '\\' && len(q) == 1 && q != "'" {
				e++
			}
			continue
		}
		if e == start && e+1 < len(s) && s[e+1] == s[k] {
			// """ opens: the value ends where three close it.
			if n := strings.Index(s[e+2:], s[k:k+1]+s[k:k+1]+s[k:k+1]); n >= 0 {
				return e + 2, e + 2 + n
			}
		}
		// 'it'\''s' and "a"'b' go on: a shell joins what touches.
		if n := e + len(q); len(q) == 1 && n < len(s) && (s[n] == '\\' && n+1 < len(s) && s[n+1] == '\'' || isQuote(s[n]) && s[n] != q[0] && s[n] != '`') && q != "`" {
			more := bare(s, n, true)
			if more > n+1 {
				return start, more
			}
		}
		return start, e
	}
	return start, len(s)
}

// indented reads the block of lines below a key that stands further right than
// the key.
func indented(s string, nameAt, from int) (int, int) {
	col := nameAt - (strings.LastIndexByte(s[:nameAt], '\n') + 1)
	start, end := 0, 0
	for from < len(s) {
		le := lineEnd(s, from)
		pad := run(s[from:le], func(c byte) bool { return c == ' ' || c == '\t' })
		if pad < le-from {
			if pad <= col {
				break
			}
			if start == 0 {
				start = from + pad
			}
			end = le
		}
		from = le + 1
	}
	return start, end
}

// bare reads a value without quotes. Where it stands tight behind its sign, the
// signs that part commands, query parameters and fields end it, though only
// where another one follows: a password may hold them too.
//
// One that runs on past maxBare takes the rest of its line with it: reading every
// value of a hostile text to its end would take quadratic time.
func bare(s string, j int, tight bool) int {
	i := j
	for ; i < len(s); i++ {
		if i-j > maxBare {
			return lineEnd(s, i)
		}
		if n := markLen(s[i:]); n > 0 {
			i += n - 1
			continue
		}
		c := s[i]
		if isSpace(c) {
			break
		}
		if c == '\\' && i+1 < len(s) {
			if s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == 't' || isQuote(s[i+1]) {
				break
			}
			if tight {
				i++ // an escaped sign is part of the word
				continue
			}
		}
		if isQuote(c) {
			if !tight || c == '`' {
				break
			}
			if i == j {
				// 'a'b
				e := strings.IndexByte(s[i+1:], c)
				if e < 0 {
					return lineEnd(s, i)
				}
				i += e + 1
				continue
			}
			break
		}
		if c == '$' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{') {
			open, shut := s[i+1], byte(')')
			if open == '{' {
				shut = '}'
			}
			depth := 0
			for ; i < len(s) && i-j <= maxBare; i++ {
				if s[i] == open {
					depth++
				} else if s[i] == shut {
					if depth--; depth == 0 {
						break
					}
				}
			}
			continue
		}
		if (c == '&' || c == ';') && (nextField(s, i+1) || tight && i+1 < len(s) && isSpace(s[i+1])) {
			break
		}
		if tight && (c == '<' || c == '>' || c == '|' && i > j && i+1 < len(s) && isSpace(s[i+1])) {
			break
		}
		if c == ')' && strings.Count(s[j:i], "(") == 0 && tight || (c == '}' || c == ']') && !strings.ContainsAny(s[j:i], "{[") {
			break
		}
		if c == ',' && nextField(s, i+1) {
			break
		}
	}
	if i > len(s) {
		i = len(s)
	}
	// What closes a sentence or a list is not the value's.
	for i > j+1 && (s[i-1] == ',' || s[i-1] == ';') && tight {
		i--
	}
	return i
}

// nextField reports whether s goes on with another name=value, or not at all.
func nextField(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	if s[i] == '&' || s[i] == '\n' {
		return true
	}
	pad := func(c byte) bool { return c == ' ' || isQuote(c) || c == '\\' }
	j := i + run(s[i:], pad)
	name := run(s[j:], func(c byte) bool { return isName(c) || c == '%' || c == '[' || c == ']' })
	j += name
	if s[i] != ' ' { // "User Id" is one name in a connection string
		for k := 0; k < 2 && j+1 < len(s) && s[j] == ' ' && isAlpha(s[j+1]) && strings.LastIndexByte(s[:i], ';') == i-1; k++ {
			j += 1 + run(s[j+1:], isName)
		}
	}
	j += run(s[j:], pad)
	return name > 0 && j < len(s) && (s[j] == '=' || s[j] == ':')
}

func isHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return false
}

// headers finds credentials in HTTP headers, wherever they are written, and
// bearer and basic credentials that stand alone.
func (c *scanner) headers() {
	s := c.s
	for i := 0; i+6 < len(s); i++ {
		switch s[i] | 0x20 {
		case 'a', 'c':
		case 'b':
			if boundary(s, i) {
				c.scheme(i)
			}
			continue
		default:
			continue
		}
		if i > 0 && isAlnum(s[i-1]) {
			continue
		}
		n := run(s[i:], isWord)
		name := s[i : i+n]
		if n < 6 || !isHeader(name) {
			continue
		}
		j := i + n
		quote := byte(0)
		if i > 0 && isQuote(s[i-1]) {
			quote = s[i-1]
		}
		for j < len(s) && (s[j] == '\\' || isQuote(s[j]) || s[j] == ']' || s[j] == ' ') {
			if isQuote(s[j]) {
				quote = 0 // the name's own quotes close before the sign
			}
			j++
		}
		if j >= len(s) || s[j] != ':' && s[j] != '=' && s[j] != ',' {
			continue
		}
		sep := s[j]
		j++
		if j < len(s) && s[j] == '=' {
			j++
		}
		for j < len(s) && (s[j] == ' ' || s[j] == '\\' || s[j] == '[') {
			j++
		}
		if j < len(s) && isQuote(s[j]) {
			quote = s[j]
			j++
		} else if sep != ':' && quote == 0 || sep == ',' {
			continue // code, or a list of names
		}
		end := lineEnd(s, j)
		if quote != 0 {
			if e := strings.IndexByte(s[j:end], quote); e >= 0 {
				end = j + e
			}
		}
		for end > j && (s[end-1] == '\\' || isSpace(s[end-1])) {
			end--
		}
		v := s[j:end]
		if e := strings.Index(v, `\r\n`); e >= 0 {
			v = v[:e]
		}
		if e := strings.Index(v, `\n`); e >= 0 {
			v = v[:e]
		}
		switch {
		case strings.Contains(strings.ToLower(name), "cookie"):
			if strings.Contains(v, "=") && !strings.ContainsAny(v, "({") {
				c.add(j, j+len(v), "cookie")
			}
		default:
			word, rest, two := strings.Cut(v, " ")
			rest = strings.TrimLeft(rest, " ")
			switch {
			case two && authScheme(word) && quote != 0:
				if !harmless(rest) {
					c.add(j+len(v)-len(rest), j+len(v), "authorization")
				}
			case two && authScheme(word):
				n := run(rest, func(b byte) bool { return !isSpace(b) && !isQuote(b) })
				if strings.EqualFold(word, "digest") || strings.HasPrefix(strings.ToLower(word), "aws4") {
					n = len(rest)
				}
				if !harmless(rest[:n]) {
					at := j + len(v) - len(rest)
					c.add(at, at+n, "authorization")
				}
			default:
				n := run(v, func(b byte) bool { return !isSpace(b) && !isQuote(b) && b != ',' && b != ';' })
				w := v[:n]
				if !harmless(w) && !authScheme(w) && (hasDigit(w) && len(w) >= 6 || len(w) >= 24) && !strings.ContainsAny(w, "(){}") {
					c.add(j, j+n, "authorization")
				}
			}
		}
	}
}

func authScheme(w string) bool {
	switch strings.ToLower(w) {
	case "bearer", "basic", "token", "digest", "negotiate", "apikey", "api-key", "key", "hawk", "ntlm", "aws4-hmac-sha256", "splunk", "ssws", "oauth", "jwt", "bot", "snowflake":
		return true
	}
	return false
}

// scheme finds "Bearer x" and "Basic x" that no header's name introduces.
func (c *scanner) scheme(i int) {
	s := c.s
	var n int
	switch {
	case len(s) > i+7 && strings.EqualFold(s[i:i+6], "bearer"):
		n = 6
	case len(s) > i+6 && strings.EqualFold(s[i:i+5], "basic"):
		n = 5
	default:
		return
	}
	j := i + n
	for j < len(s) && (s[j] == ' ' || s[j] == '\t' || s[j] == '=' || s[j] == ':' || strings.HasPrefix(s[j:], "%20")) {
		if s[j] == '%' {
			j += 2
		}
		j++
	}
	if j == i+n {
		return
	}
	m := run(s[j:], func(b byte) bool { return isB64Word(b) || b == '.' || b == '~' || b == '%' })
	v := strings.TrimRight(s[j:j+m], ".")
	switch {
	case n == 5 && len(v) >= 6 && basic(v), n == 6 && (len(v) >= 8 && hasDigit(v) && !strings.HasPrefix(v, "%") || len(v) >= 24 && !strings.Contains(v, "-")):
		c.add(j, j+len(v), "authorization")
	}
}

// commands finds secrets that programs take as arguments: behind a flag that
// names them, and behind the short flags of the programs that are known for it.
func (c *scanner) commands() {
	s := c.s
	program, set := "", false
	prev := ""
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			if s[i] == '\n' {
				program, set, prev = "", false, ""
			}
			i++
			continue
		}
		at := i
		for i < len(s) && s[i] > ' ' {
			i++
		}
		w := s[at:i]
		for w != "" && (isQuote(w[0]) || w[0] == '(' || w[0] == '{') {
			w, at = w[1:], at+1
		}
		for w != "" && (isQuote(w[len(w)-1]) || w[len(w)-1] == ')' || w[len(w)-1] == ';') {
			w = w[:len(w)-1]
		}
		if w == "" {
			continue
		}
		switch c0 := w[0]; {
		case c0 == ';' || c0 == '|' || c0 == '&':
			program, set = "", false
		case c0 == '-' && len(w) > 1:
			c.flag(program, w, at, i)
		case set && strings.ContainsAny(w, "_-:.") && Variable(w), len(w) > 8 && registryKey(w):
			c.next(i)
		default:
			if program != "" {
				c.argument(program, prev, w, at)
			}
			if len(w) < 2 {
				break
			}
			if p := programName(w); p != "" {
				program = p
			}
			// The name is the first word behind "set", flags aside.
			set = w == "set" || w == "setx" || w == "setenv"
		}
		prev = w
		if e := s[i-1]; e == ';' || e == '|' || e == '&' {
			program, set, prev = "", false, ""
		}
	}
}

// registryKey is npm's name for a registry's credentials, //host/:_authToken.
func registryKey(w string) bool {
	return strings.HasSuffix(w, ":_authToken") || strings.HasSuffix(w, ":_auth") || strings.HasSuffix(w, ":_password")
}

// programName is the program of a word, of those whose short flags take secrets.
func programName(w string) string {
	if len(w) > 200 {
		return ""
	}
	for k := len(w) - 1; k >= 0; k-- {
		if w[k] == '/' || w[k] == '\\' {
			w = w[k+1:]
			break
		}
	}
	w = strings.TrimSuffix(w, ".exe")
	if len(w) < 2 || len(w) > 17 {
		return ""
	}
	switch w {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlbinlog", "mysqlpump", "mysqlsh", "mariadb", "mariadb-dump", "mariadb-admin":
		return "mysql"
	case "curl", "http", "https", "xh", "sshpass", "redis-cli", "docker", "podman", "nerdctl", "buildah", "skopeo", "mongo", "mongosh", "mongodump", "mongorestore", "ldapsearch",
		"ldapmodify", "ldapadd", "smbclient", "htpasswd", "openssl", "7z", "7za", "zip", "unzip", "unrar", "rar", "sqlcmd", "bcp", "az", "helm", "expect", "gh", "keytool", "chpasswd", "wget",
		"clickhouse-client", "cqlsh", "influx", "rclone", "restic", "net", "plink", "pscp", "ncftpput", "lftp", "impala-shell", "vncviewer", "wpa_passphrase", "nmcli", "aws", "git", "npm", "yarn", "pnpm", "heroku", "fly", "flyctl", "vercel", "wrangler", "composer", "pip", "config":
		return w
	}
	return ""
}

// next masks the word that follows position i.
func (c *scanner) next(i int) {
	s := c.s
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i >= len(s) || s[i] == '\n' || s[i] == '-' {
		return
	}
	c.word(i, "value")
}

// word masks the shell word at i, if it can be a value.
func (c *scanner) word(i int, kind string) {
	s := c.s
	start, end := i, 0
	esc := run(s[i:], func(b byte) bool { return b == '\\' })
	if k := i + esc; k < len(s) && isQuote(s[k]) {
		start, end = quoted(s, i, k)
	} else {
		end = bare(s, i, true)
	}
	if start < end && !harmless(s[start:end]) {
		c.add(start, end, kind)
	}
}

// flag looks at a flag and what follows it. at is where it begins, end where it
// ends.
func (c *scanner) flag(program, w string, at, end int) {
	name := strings.TrimLeft(w, "-")
	if strings.IndexByte(name, '=') >= 0 {
		// --name=value is an assignment; only the programs' own short ones are left.
		if program == "curl" && strings.HasPrefix(w, "--user=") {
			c.userPass(at + len("--user="))
		}
		if !strings.HasPrefix(w, "-p") && !strings.HasPrefix(w, "-a") {
			return
		}
	}
	value := end
	for value < len(c.s) && (c.s[value] == ' ' || c.s[value] == '\t') {
		value++
	}
	has := value < len(c.s) && value > end && c.s[value] != '-' && c.s[value] != '\n' && c.s[value] != '|' && c.s[value] != '&' && c.s[value] != ';' && c.s[value] != '<' && c.s[value] != '>'
	if Variable(name) && len(name) > 2 {
		// mysql takes no word behind --password; it asks.
		if has && program != "mysql" && !prosaic(c.s[value:]) {
			c.word(value, "value")
		}
		return
	}
	short := func(flag string) {
		// -pSECRET or -p SECRET
		if rest, ok := strings.CutPrefix(w, flag); ok && rest != "" && rest[0] != '=' {
			c.word(at+len(flag), "value")
		} else if ok && has {
			c.word(value, "value")
		}
	}
	switch program {
	case "mysql":
		if len(w) > 2 && strings.HasPrefix(w, "-p") && !strings.HasPrefix(w, "-p=") {
			c.word(at+2, "value") // a space behind -p means that it asks
		}
	case "curl", "http", "https", "xh", "wget":
		switch {
		case (w == "-u" || w == "--user" || w == "-U" || w == "--proxy-user" || w == "-a" || w == "--auth") && has:
			c.userPass(value)
		case program == "curl" && (strings.HasPrefix(w, "-u") || strings.HasPrefix(w, "-U")) && len(w) > 2 && strings.Contains(w, ":"):
			c.userPass(at + 2)
		case (w == "-b" || w == "--cookie") && has && strings.Contains(c.s[value:value+run(c.s[value:], func(b byte) bool { return !isSpace(b) })], "="):
			c.word(value, "cookie")
		}
	case "sshpass":
		short("-p")
	case "redis-cli":
		short("-a")
	case "docker", "podman", "nerdctl", "buildah", "skopeo", "helm":
		if w == "-p" && has && strings.Contains(c.s[max(0, at-200):at], "login") {
			c.word(value, "value")
		}
		if (w == "--creds" || w == "--src-creds" || w == "--dest-creds") && has {
			c.userPass(value)
		}
	case "mongo", "mongosh", "mongodump", "mongorestore", "az", "cqlsh", "clickhouse-client", "lftp", "influx", "ncftpput":
		if w == "-p" && has {
			c.word(value, "value")
		}
	case "ldapsearch", "ldapmodify", "ldapadd":
		short("-w")
	case "plink", "pscp":
		if w == "-pw" && has {
			c.word(value, "value")
		}
	case "7z", "7za", "rar", "unrar":
		if len(w) > 2 && strings.HasPrefix(w, "-p") {
			c.word(at+2, "value")
		}
	case "zip", "unzip", "sqlcmd", "bcp":
		short("-P")
	case "openssl":
		if (w == "-k" || w == "-K") && has {
			c.word(value, "value")
		}
	case "smbclient":
		if w == "-U" && has {
			n := run(c.s[value:], func(b byte) bool { return !isSpace(b) && !isQuote(b) })
			if k := strings.IndexByte(c.s[value:value+n], '%'); k >= 0 {
				c.add(value+k+1, value+n, "value")
			}
		}
	case "gh":
		if (w == "-b" || w == "--body") && has && strings.Contains(c.s[max(0, at-200):at], "secret set") {
			c.word(value, "value")
		}
	case "keytool":
		if (w == "-storepass" || w == "-keypass") && has {
			c.word(value, "value")
		}
	}
}

// argument looks at a plain word.
func (c *scanner) argument(program, prev, w string, at int) {
	switch program {
	case "openssl":
		if rest, ok := strings.CutPrefix(w, "pass:"); ok {
			c.word(at+len(w)-len(rest), "value")
		}
	case "htpasswd":
		if strings.HasPrefix(prev, "-") || prev == "htpasswd" || w == "htpasswd" {
			return
		}
		// htpasswd -b FILE USER PASSWORD: the last word of three.
		line := c.s[max(0, at-200):at]
		line = line[strings.LastIndexByte(line, '\n')+1:]
		line = line[max(0, strings.LastIndex(line, "htpasswd")):]
		if strings.Contains(line, "b") && len(strings.Fields(line)) >= 4 && strings.Contains(line, " -") {
			c.word(at, "value")
		}
	}
}

// userPass masks the password of user:password at i.
func (c *scanner) userPass(i int) {
	s := c.s
	if i >= len(s) {
		return
	}
	start, end := i, 0
	if isQuote(s[i]) {
		start, end = quoted(s, i, i)
	} else {
		end = i + run(s[i:], func(b byte) bool { return !isSpace(b) && b != '"' && b != '\'' })
	}
	k := strings.IndexByte(s[start:end], ':')
	if k < 0 {
		return
	}
	if v := s[start+k+1 : end]; !harmless(v) {
		c.add(start+k+1, end, "value")
	} else if v == "" && k >= 16 {
		c.add(start, start+k, "value") // curl -u sk_live_...: the key stands in for the user
	}
}

// prosaic reports whether s goes on as a sentence about a flag.
func prosaic(s string) bool {
	switch w := s[:run(s, isAlpha)]; w {
	case "to", "is", "and", "or", "flag", "flags", "option", "options", "for", "with", "the", "in", "from", "as", "on", "when", "if", "must", "may", "was", "not",
		"value", "argument", "a", "an", "here", "instead", "should", "can", "has", "are", "takes", "means", "only", "but", "which", "that", "because", "where":
		return len(s) == len(w) || !isWord(s[len(w)])
	}
	return false
}

// prose finds what sentences say outright: "the password is x", and the same in
// the languages whose words for it the names don't cover.
func (c *scanner) prose() {
	s := c.s
	for at := 0; ; {
		i := strings.Index(s[at:], " is ")
		if i < 0 {
			break
		}
		i += at
		at = i + 4
		j := i
		for j > 0 && isName(s[j-1]) && i-j < maxName {
			j--
		}
		name := s[j:i]
		if name == "key" && j > 1 && s[j-1] == ' ' {
			k := j - 1
			for k > 0 && isAlpha(s[k-1]) && j-k < 24 {
				k--
			}
			name = s[k:i]
		}
		if !Variable(name) && !strings.EqualFold(name, "passcode") {
			continue
		}
		v := at
		for v < len(s) && s[v] == ' ' {
			v++
		}
		if v >= len(s) {
			break
		}
		if isQuote(s[v]) {
			c.word(v, "value")
			continue
		}
		n := run(s[v:], func(b byte) bool { return !isSpace(b) && b != '"' && b != '`' })
		w := strings.TrimRight(s[v:v+n], ".,!?;:)'")
		if len(w) >= 4 && (hasDigit(w) || strings.ContainsAny(w, "!@#$%^&*+=~")) && !harmless(w) && !strings.HasSuffix(w, "()") {
			c.add(v, v+len(w), "value")
		}
	}
	for _, name := range [...]string{"パスワード", "合言葉", "暗証番号", "密码", "口令", "비밀번호", "пароль", "Пароль"} {
		for at := 0; ; {
			i := strings.Index(s[at:], name)
			if i < 0 {
				break
			}
			at += i + len(name)
			v := at
			for _, sep := range [...]string{" ", "は", "：", "＝", ":", "=", " ", "　", "是", "—", "-", " "} {
				for strings.HasPrefix(s[v:], sep) {
					v += len(sep)
				}
			}
			if v == at || v >= len(s) {
				continue
			}
			n := run(s[v:], func(b byte) bool { return b > 0x20 && b < 0x7f })
			if n >= 3 && !harmless(s[v:v+n]) {
				c.add(v, v+n, "value")
			}
		}
	}
}
