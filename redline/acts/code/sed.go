package code

import "strings"

// readSed reads a sed script, command by command, as GNU sed does: `w`, `W` and
// the w flag of `s` write, `e` and the e flag run.
func readSed(src string, res *Result) {
	p := sedParser{src: src, m: &machine{res: res, g: gNode}}
	p.run()
	res.Readable = res.Why == ""
}

type sedParser struct {
	src string
	pos int
	m   *machine
}

func (p *sedParser) at() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *sedParser) skip(set string) {
	for p.pos < len(p.src) && strings.IndexByte(set, p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// rest is the text up to the end of the line.
func (p *sedParser) rest() string {
	from := p.pos
	if i := strings.IndexByte(p.src[from:], '\n'); i >= 0 {
		p.pos += i
	} else {
		p.pos = len(p.src)
	}
	return p.src[from:p.pos]
}

func (p *sedParser) run() {
	for {
		p.skip(" \t\r\n;")
		if p.pos >= len(p.src) {
			return
		}
		if !p.address() {
			p.m.unread("has an address that was not read")
			p.rest()
			continue
		}
		p.skip(" \t!")
		if p.pos >= len(p.src) {
			return
		}
		c := p.src[p.pos]
		p.pos++
		switch c {
		case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		case '#':
			p.rest()
		case 'l', 'L', 'q', 'Q':
			p.skip(" \t0123456789")
		case ':', 'b', 't', 'T':
			for p.pos < len(p.src) && p.src[p.pos] != '\n' && p.src[p.pos] != ';' && p.src[p.pos] != '}' {
				p.pos++
			}
		case 'a', 'i', 'c':
			// Text to the end of the line; a backslash takes the next line too.
			for {
				line := p.rest()
				if !strings.HasSuffix(line, `\`) || p.pos >= len(p.src) {
					break
				}
				p.pos++
			}
		case 'r', 'R':
			p.skip(" \t")
			p.rest()
		case 'w', 'W':
			p.file("w")
		case 'e':
			p.skip(" \t")
			if cmd := p.rest(); cmd != "" {
				p.m.shell(text(cmd), "e")
			} else {
				p.m.shell(value{}, "e")
			}
		case 's':
			p.substitute()
		case 'y':
			d := p.at()
			p.pos++
			if _, ok := p.until(d, false); !ok {
				return
			}
			if _, ok := p.until(d, false); !ok {
				return
			}
		case 'v', 'M', 'I':
			p.skip(" \t0123456789.")
		default:
			p.m.unread("has the unknown command " + string(rune(c)))
			p.rest()
		}
	}
}

func (p *sedParser) file(why string) {
	p.skip(" \t")
	switch f := p.rest(); f {
	case "", "/dev/stdout", "/dev/stderr":
	default:
		p.m.write(text(f), why)
	}
}

// address reads up to two addresses and reports whether they were read.
func (p *sedParser) address() bool {
	for range 2 {
		p.skip(" \t")
		switch c := p.at(); {
		case isDigit(c) || c == '$' || c == '+' || c == '~':
			p.pos++
			p.skip("0123456789~")
		case c == '/' || c == '\\':
			d := c
			p.pos++
			if c == '\\' {
				d = p.at()
				p.pos++
			}
			if _, ok := p.until(d, true); !ok {
				return false
			}
			p.skip("IM")
		}
		p.skip(" \t")
		if p.at() != ',' {
			return true
		}
		p.pos++
	}
	return true
}

// until reads up to the delimiter d and moves behind it. In a pattern a
// delimiter inside brackets does not count.
func (p *sedParser) until(d byte, pattern bool) (string, bool) {
	from, class := p.pos, -1
	for ; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		switch {
		case c == '\\':
			p.pos++
		case c == '\n' && pattern:
			return "", false
		case class >= 0:
			// `[]x]` and `[^]x]`: a bracket right behind the opening is literal.
			if c == ']' && p.pos > class+1 && !(p.pos == class+2 && p.src[class+1] == '^') {
				class = -1
			}
		case pattern && c == '[' && d != '[':
			class = p.pos
		case c == d:
			s := p.src[from:p.pos]
			p.pos++
			return s, true
		}
	}
	if p.pos > len(p.src) {
		p.pos = len(p.src)
	}
	p.m.unread("unterminated command")
	return "", false
}

func (p *sedParser) substitute() {
	d := p.at()
	if d == 0 || d == '\n' || d == '\\' {
		p.m.unread("unterminated command")
		return
	}
	p.pos++
	if _, ok := p.until(d, true); !ok {
		return
	}
	repl, ok := p.until(d, false)
	if !ok {
		return
	}
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case isDigit(c) || c == 'g' || c == 'p' || c == 'i' || c == 'I' || c == 'm' || c == 'M':
			p.pos++
		case c == 'e':
			p.pos++
			// What is left of the line after the replacement is run. A replacement
			// without references begins with a program that is known.
			v := value{}
			if !strings.ContainsAny(repl, `&\`) {
				v = prefix(repl)
			}
			p.m.shell(v, "s///e")
		case c == 'w':
			p.pos++
			p.file("s///w")
			return
		default:
			return
		}
	}
}
