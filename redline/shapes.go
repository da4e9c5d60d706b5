package redline

import (
	"strings"

	"spar/redline/acts"
	"spar/redline/acts/sql"
)

// maxShapeWords bounds how much of an unread text is looked at.
const maxShapeWords = 20_000

// shapes charges text that would run and could not be read on what its words
// name: wherever a word is a program of the tariff, the words behind it are
// priced as if they were its line. It errs toward charging on purpose; where
// something is known the reader has said so and this is not asked.
func (p *pricer) shapes(i int, text string) {
	if text == "" {
		return
	}
	a := &p.out.Reading.Acts[i]
	toks := shapeWords(text)
	for k := 0; k < len(toks); k++ {
		if toks[k].end {
			continue
		}
		name := acts.ProgramName(toks[k].text)
		if windowsVerb(name) {
			name = strings.ToLower(name)
		}
		if !shapeProgram(name) {
			continue
		}
		end := k + 1
		for end < len(toks) && !toks[end].end && end-k < 64 {
			end++
		}
		act := acts.Act{Kind: acts.Run, Dir: a.Dir, Via: a.Via, Remote: a.Remote}
		for _, t := range toks[k:end] {
			act.Argv = append(act.Argv, shapeWord(t.text))
		}
		sub := pricer{call: p.call, o: p.o, line: line{}}
		sub.out.Reading = p.out.Reading
		l := &line{p: &sub, act: &act, at: i, name: name}
		for _, w := range act.Argv[1:] {
			s, ok := literal(w)
			l.args = append(l.args, arg{text: s, known: ok, word: w})
		}
		l.rename()
		if l.prog = lookup(l.name); l.prog != nil {
			l.tariffRows()
		}
		for _, c := range sub.out.Charges {
			p.detail = c.Detail
			for _, w := range act.Argv {
				if s, ok := literal(w); !ok {
					p.detail = clip(s, 80) + " (not resolved)"
					break
				}
			}
			p.charge(i, kindBit(c.Kind), "unread, but its words name it: "+c.Why, c.Row)
		}
	}
	p.detail = ""
	for _, s := range sqlShapes(text) {
		p.charge(i, irr, "unread, but its words name it: "+s, nil)
	}
	if len(p.prod) > 0 {
		if pat, ok := p.prod.in(text); ok {
			p.charge(i, bitProduction, "unread, and its words name production: "+pat, nil)
		} else if pat, ok := p.inDir(a.Dir); ok {
			p.charge(i, bitProduction, "unread, and it runs in production: "+pat, nil)
		}
	}
}

// shapeProgram reports whether a bare word of a text is taken for a program. Words
// that are ordinary English or ordinary code are not: `find` and `format` in a
// text are nearly always something else.
func shapeProgram(name string) bool {
	switch name {
	case "find", "format", "mail", "code", "now", "up", "op", "port", "pkg", "kind", "salt", "auto", "render", "migrate", "console", "install", "link", "reg", "go", "http", "https", "discord", "slack", "expo", "claude", "cursor", "gemini", "codex", "defaults", "stripe", "wall", "linear", "del", "erase", "vault", "consul", "garden", "tilt", "zip", "nova", "snow", "hive", "transfer", "stack", "fab", "cap", "dep", "mc", "k", "bb", "jira", "rush", "np", "arc", "orm", "tern", "atlas", "gel", "xe", "pod", "mix":
		return false
	}
	return lookup(name) != nil
}

type shapeTok struct {
	text string
	end  bool // what follows begins a new command
}

// shapeWords cuts text of an unknown language into words. Quotes and commas part
// words too, so that ["rm", "-rf", dir] reads like rm -rf dir.
func shapeWords(text string) []shapeTok {
	var out []shapeTok
	start := -1
	flush := func(i int) {
		if start >= 0 {
			out = append(out, shapeTok{text: text[start:i]})
			start = -1
		}
	}
	for i := 0; i < len(text) && len(out) < maxShapeWords; i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '"', '\'', '`', ',', '(', '[', '{':
			flush(i)
		case '\n', ';', '|', '&', ')', ']', '}':
			flush(i)
			if n := len(out); n > 0 && !out[n-1].end {
				out = append(out, shapeTok{end: true})
			}
		case '\\':
			// An escape in front of a letter is a letter's; elsewhere it is skipped.
			if i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == '"' || text[i+1] == '\'') {
				flush(i)
				i++
			} else if start < 0 {
				start = i
			}
		default:
			if start < 0 {
				start = i
			}
		}
	}
	flush(len(text))
	return out
}

// shapeWord is a word of unread text: what holds a variable is not known.
func shapeWord(s string) acts.Word {
	if strings.ContainsAny(s, "$%") {
		return acts.Word{Parts: []acts.Part{{Kind: acts.Unknown, Text: s, Why: "unread"}}}
	}
	return acts.Text(s)
}

// sqlShapes finds statements that destroy among the words of a text, by the two
// words they begin with.
func sqlShapes(text string) []string {
	var out []string
	up := strings.ToUpper(text)
	for _, verb := range [...]string{"DROP TABLE", "DROP DATABASE", "DROP SCHEMA", "DELETE FROM", "TRUNCATE TABLE"} {
		if i := strings.Index(up, verb); i >= 0 && i < len(text) {
			out = append(out, verb)
		}
	}
	if len(out) == 0 && (strings.Contains(up, "UPDATE ") || strings.Contains(up, "ALTER TABLE ")) {
		for _, s := range sql.Statements(text) {
			if s.Effect == sql.Destroys {
				return append(out, s.Verb)
			}
		}
	}
	return out
}
