package code

import "strings"

// readAwk reads an awk program. Its strings are literal, its variables are not
// followed, and what it runs or writes stands behind `system(`, `|` and `>`.
func readAwk(src string, res *Result) {
	toks, bad := awkTokens(src)
	if bad != "" {
		res.Why = bad
	}
	m := machine{res: res, g: gNode}
	var brackets []byte // open brackets; 's' for the parenthesis of a print's list
	inPrint := false    // behind print or printf, where `>` is no comparison
	printDepth := 0
	last := func(i int) value { return awkValueBefore(toks, i) }
	for i := range toks {
		t := &toks[i]
		switch {
		case t.kind == tIdent && (t.text == "print" || t.text == "printf"):
			inPrint, printDepth = true, len(brackets)
		case t.kind == tIdent && t.text == "system" && i+1 < len(toks) && toks[i+1].op("("):
			m.shell(awkValue(toks, i+2, ")"), "system")
		case t.kind == tIdent && t.text == "getline":
			// `"cmd" | getline` is found at the bar; `getline < file` reads.
		case t.kind == tIdent && strings.HasPrefix(t.text, "@"):
			switch t.text {
			case "@load":
				m.unread("loads an extension")
			case "@include":
				m.unread("includes a file")
			default:
				m.unread("calls a function by its name in a variable")
			}
		case t.op("(") || t.op("[") || t.op("{"):
			brackets = append(brackets, t.text[0])
		case t.op(")") || t.op("]") || t.op("}"):
			if len(brackets) > 0 {
				brackets = brackets[:len(brackets)-1]
			}
			if len(brackets) < printDepth {
				inPrint = false
			}
		case t.op(";"), t.kind == tNewline:
			if len(brackets) <= printDepth {
				inPrint = false
			}
		case (t.op(">") || t.op(">>")) && inPrint && len(brackets) == printDepth:
			m.awkWrite(awkValue(toks, i+1, ""))
		case (t.op("|") || t.op("|&")) && i+1 < len(toks):
			if toks[i+1].ident("getline") {
				m.shell(last(i), "getline")
			} else if inPrint && len(brackets) == printDepth {
				v := awkValue(toks, i+1, "")
				m.shell(v, "print |")
			}
			if t.text == "|&" {
				m.network(value{}, "|&")
				m.res.Effects = m.res.Effects[:len(m.res.Effects)-1]
			}
		}
	}
	res.Readable = res.Why == ""
}

// awkWrite is output to a file; the names of the standard streams are not files.
func (m *machine) awkWrite(v value) {
	if v.isText() {
		switch {
		case v.text == "-", v.text == "/dev/stdout", v.text == "/dev/stderr":
			return
		case strings.HasPrefix(v.text, "/inet"):
			m.network(v, "/inet")
			return
		}
	}
	m.write(v, "print >")
}

// awkValue is the value of the operands from i on: literals side by side are
// one text. It ends at close, or at the end of the statement where close is
// empty.
func awkValue(toks []token, i int, close string) value {
	v := text("")
	n, depth := 0, 0
	for ; i < len(toks); i++ {
		t := &toks[i]
		if depth == 0 && (close != "" && t.op(close) || close == "" && (t.kind == tNewline || t.op(";") || t.op("}") || t.op("|") || t.op(")") || t.op(","))) {
			break
		}
		switch {
		case t.kind == tStr:
			v = concat(v, text(t.text), false)
		case t.kind == tNum:
			v = concat(v, value{kind: vNum, text: t.text}, false)
		case t.op("("):
			depth++
			continue
		case t.op(")"):
			depth--
			continue
		default:
			v = concat(v, value{}, false)
		}
		n++
		if !v.known && n > 64 {
			break
		}
	}
	if n == 0 {
		return value{}
	}
	return v
}

// awkValueBefore is the value of the operands that end before i.
func awkValueBefore(toks []token, i int) value {
	j := i - 1
	for ; j >= 0 && i-j < 64; j-- {
		t := &toks[j]
		if t.kind == tStr || t.kind == tNum {
			continue
		}
		if t.kind == tIdent && t.text != "if" && t.text != "while" && t.text != "print" {
			continue
		}
		break
	}
	if j+1 == i && i > 0 && toks[i-1].op(")") {
		depth := 0
		for j = i - 1; j >= 0 && i-j < 256; j-- {
			if toks[j].op(")") {
				depth++
			}
			if toks[j].op("(") {
				if depth--; depth == 0 {
					return awkValue(toks[:i], j+1, ")")
				}
			}
		}
		return value{}
	}
	return awkValue(toks[:i], j+1, "")
}

// awkTokens cuts an awk program into tokens.
func awkTokens(s string) ([]token, string) {
	var toks []token
	value := false // the last token ends a value: a slash divides
	add := func(k tkind, text string, isValue bool) {
		toks = append(toks, token{kind: k, text: text})
		value = isValue
	}
	divides := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i += 2
		case isBlank(c):
			i++
		case c == '\n':
			add(tNewline, "", false)
			i++
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case c == '"':
			l := lexer{g: gNode, src: s, pos: i + 1}
			t := l.str(tStr, style{close: '"', escapes: true, line: true})
			if l.bad != "" {
				return toks, l.bad
			}
			toks = append(toks, t)
			value = true
			i = l.pos
		case c == '/' && !value && i >= divides:
			j, class := i+1, false
			for j < len(s) && s[j] != '\n' && (s[j] != '/' || class) {
				switch s[j] {
				case '\\':
					j++
				case '[':
					class = true
				case ']':
					class = false
				}
				j++
			}
			if j >= len(s) || s[j] != '/' {
				divides = min(j, len(s))
				add(tOp, "/", false)
				i++
				break
			}
			add(tRegex, s[i+1:j], true)
			i = j + 1
		case isDigit(c) || c == '.' && i+1 < len(s) && isDigit(s[i+1]):
			j := i
			for j < len(s) && (isName(s[j]) || s[j] == '.') {
				j++
			}
			add(tNum, s[i:j], true)
			i = j
		case isLetter(c) || c == '@' && i+1 < len(s) && isLetter(s[i+1]):
			j := i + 1
			for j < len(s) && (isName(s[j]) || s[j] == ':' && j+2 < len(s) && s[j+1] == ':' && isLetter(s[j+2])) {
				if s[j] == ':' {
					j++
				}
				j++
			}
			w := s[i:j]
			add(tIdent, w, w != "print" && w != "printf" && w != "return" && w != "in" && w != "if" && w != "while")
			i = j
		default:
			n := 1
			if i+1 < len(s) {
				switch s[i : i+2] {
				case "||", "&&", ">>", "|&", ">=", "<=", "==", "!=", "++", "--", "+=", "-=", "*=", "/=", "%=", "!~", "**":
					n = 2
				}
			}
			op := s[i : i+n]
			add(tOp, op, op == ")" || op == "]" || op == "$" || op == "++" || op == "--")
			i += n
		}
	}
	return toks, ""
}
