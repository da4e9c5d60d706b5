package redline

import (
	"strings"

	"spar/redline/acts"
)

// style is how a program spells its options.
type style uint8

const (
	// gnu: --long[=value], clusters of short letters, `--` ends the options.
	gnu style = iota
	// dash: -long[=value] with one dash or two, no clusters (terraform, find).
	dash
	// cmdlet: PowerShell's -Name value and -Name:value; case does not matter.
	cmdlet
	// slash: cmd.exe's /switch and /switch:value; case does not matter.
	slash
)

// arg is one word after the program's name.
type arg struct {
	text  string // as far as it is known; what is not stands as it was written
	known bool
	word  acts.Word
}

// option is one option as given.
type option struct {
	name  string // "-f", "--force", "-Recurse", "/s"
	value arg
	has   bool // it has a value
}

// line is one act as the tariff looks at it: the program's name, its options and
// its operands.
type line struct {
	p    *pricer
	act  *acts.Act
	at   int // the act's index
	name string
	args []arg

	prog *Program
	row  *Row
	opts []option
	ops  []arg // operands, the subcommand's own words taken off
	dash int   // how many operands stood before `--`; -1 where there was none
}

// sift sorts the words into options and operands. values names, between blanks,
// the options that take the next word; skip is how many operands belong to the
// subcommand.
func (l *line) sift(st style, values, more string, skip int) {
	l.opts, l.ops, l.dash = l.opts[:0], l.ops[:0], -1
	ended, seen := false, 0
	for i := 0; i < len(l.args); i++ {
		a := l.args[i]
		s := a.text
		if ended || !looksOption(a, st) {
			if seen < skip {
				seen++
				continue
			}
			l.ops = append(l.ops, a)
			continue
		}
		if s == "--" && st != slash {
			ended, l.dash = true, len(l.ops)
			continue
		}
		takes := func(name string) bool {
			return listed(values, name) || listed(more, name) || seen < skip && l.prog != nil && listed(l.prog.Lead, name)
		}
		next := func(o option) {
			if i+1 < len(l.args) {
				i++
				o.value, o.has = l.args[i], true
			}
			l.opts = append(l.opts, o)
		}
		switch {
		case st == slash:
			name, v, has := strings.Cut(strings.ToLower(s), ":")
			l.opts = append(l.opts, option{name: name, value: arg{text: v, known: a.known}, has: has})
		case st == cmdlet:
			name, v, has := strings.Cut(s, ":")
			o := option{name: name, value: arg{text: v, known: a.known, word: acts.Text(v)}, has: has}
			if has || psSwitch(name) {
				l.opts = append(l.opts, o)
			} else {
				next(o)
			}
		case st == dash || strings.HasPrefix(s, "--"):
			name, v, has := strings.Cut(s, "=")
			if st == dash {
				name = "-" + strings.TrimLeft(name, "-")
			}
			o := option{name: name, has: has}
			switch {
			case has:
				o.value = arg{text: v, known: a.known, word: tail(a.word, len(s)-len(v))}
				l.opts = append(l.opts, o)
			case takes(name):
				next(o)
			default:
				l.opts = append(l.opts, o)
			}
		default: // a cluster of letters
			for k := 1; k < len(s); k++ {
				name := "-" + s[k:k+1]
				if !takes(name) {
					l.opts = append(l.opts, option{name: name})
					continue
				}
				o := option{name: name}
				if k+1 < len(s) {
					v := strings.TrimPrefix(s[k+1:], "=")
					o.value, o.has = arg{text: v, known: a.known, word: tail(a.word, len(s)-len(v))}, true
					l.opts = append(l.opts, o)
				} else {
					next(o)
				}
				break
			}
		}
	}
}

// looksOption reports whether a word is an option by its first letters. A word
// whose beginning is not known is an operand.
func looksOption(a arg, st style) bool {
	s := a.text
	if !a.known {
		s = a.word.Prefix()
	}
	if st == slash {
		if a.text == "/?" {
			return true // the question mark is a pattern to whoever else reads it
		}
		return len(s) > 1 && s[0] == '/' && strings.IndexByte(s[1:], '/') < 0 && (len(s) <= 6 || strings.IndexByte(s, ':') > 0)
	}
	return len(s) > 1 && s[0] == '-'
}

// tail is the word without its first n bytes.
func tail(w acts.Word, n int) acts.Word {
	var out acts.Word
	for _, p := range w.Parts {
		if n >= len(p.Text) {
			n -= len(p.Text)
			continue
		}
		if n > 0 {
			p.Text, n = p.Text[n:], 0
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// listed reports whether name is one of the blank-separated words of list.
func listed(list, name string) bool {
	for len(list) > 0 {
		i := strings.IndexByte(list, ' ')
		if i < 0 {
			return list == name
		}
		if list[:i] == name {
			return true
		}
		list = list[i+1:]
	}
	return false
}

// either reports whether word is one of the alternatives `a|b|c`.
func either(alternatives, word string) bool {
	for len(alternatives) > 0 {
		i := strings.IndexByte(alternatives, '|')
		if i < 0 {
			return alternatives == word
		}
		if alternatives[:i] == word {
			return true
		}
		alternatives = alternatives[i+1:]
	}
	return false
}

// has reports whether one of the blank-separated options is given and not
// switched off by its value (--dry-run=none, --force=false, -Confirm:$false).
func (l *line) has(list string) bool {
	if list == "" {
		return false
	}
	on := false
	for i := range l.opts {
		o := &l.opts[i]
		if l.isOption(list, o) {
			on = !o.has || !falsy(o.value.text)
		} else if strings.HasPrefix(o.name, "--no-") && listed(list, "--"+o.name[5:]) {
			on = false // a later --no-dry-run takes it back
		}
	}
	return on
}

func (l *line) isOption(list string, o *option) bool {
	if l.prog != nil && (l.prog.Style == cmdlet || l.prog.Style == slash) {
		return listedFold(list, o.name)
	}
	if listed(list, o.name) {
		return true
	}
	// GNU and git take any unambiguous beginning of a long option.
	if l.prog != nil && l.prog.Short && len(o.name) >= 5 && strings.HasPrefix(o.name, "--") {
		for len(list) > 0 {
			word := list
			if i := strings.IndexByte(list, ' '); i >= 0 {
				word, list = list[:i], list[i+1:]
			} else {
				list = ""
			}
			if len(word) > len(o.name) && strings.HasPrefix(word, o.name) {
				return true
			}
		}
	}
	return false
}

func listedFold(list, name string) bool {
	for word := range strings.SplitSeq(list, " ") {
		if strings.EqualFold(word, name) {
			return true
		}
	}
	return false
}

// value is the last value of one of the options.
func (l *line) value(list string) (arg, bool) {
	for i := len(l.opts) - 1; i >= 0; i-- {
		if l.opts[i].has && l.isOption(list, &l.opts[i]) {
			return l.opts[i].value, true
		}
	}
	return arg{}, false
}

// each calls f with every value of one of the options.
func (l *line) each(list string, f func(arg)) {
	for i := range l.opts {
		if l.opts[i].has && l.isOption(list, &l.opts[i]) {
			f(l.opts[i].value)
		}
	}
}

func falsy(s string) bool {
	switch strings.ToLower(s) {
	case "none", "false", "$false", "no", "off", "0":
		return true
	}
	return false
}

// op is the text of an operand, "" past the last.
func (l *line) op(i int) string {
	if i >= 0 && i < len(l.ops) {
		return l.ops[i].text
	}
	return ""
}

// psSwitch reports whether a PowerShell parameter takes no value. All others do.
func psSwitch(name string) bool {
	switch strings.ToLower(name) {
	case "-recurse", "-force", "-whatif", "-confirm", "-verbose", "-debug", "-passthru", "-nonewline", "-append", "-noclobber",
		"-asjob", "-wait", "-nonewwindow", "-usedefaultcredentials", "-usebasicparsing", "-container", "-hidden",
		"-system", "-readonly", "-directory", "-raw", "-resolve", "-asplaintext", "-skipcertificatecheck",
		"-skiphttperrorcheck", "-literal", "-caseinsensitive", "-quiet", "-allmatches", "-simplematch", "-update",
		"-allowclobber", "-acceptlicense", "-skippublishercheck", "-allowprerelease", "-cascade":
		return true
	}
	return false
}

// firstWord is the first word that is no option.
func firstWord(l *line) string {
	for _, a := range l.args {
		if a.known && !strings.HasPrefix(a.text, "-") {
			return a.text
		}
	}
	return ""
}
