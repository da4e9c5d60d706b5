package install

import (
	"strings"

	"spar/sortie/harness"
	"spar/sortie/install/internal/jsontext"
)

// statusKey is where Claude Code keeps the command whose output is its status
// line. No other harness takes one from outside.
const statusKey = "statusLine"

// hasStatusLine reports whether a harness takes a status line from us.
func hasStatusLine(w harness.Wire) bool { return w.Name == "claude" }

// oursStatus reports whether a status line's command is `spar statusline`, however
// it is spelled.
func oursStatus(line string) bool {
	commands, _ := splitLine(line)
	found := false
	for _, c := range commands {
		words := c.words
		for len(words) > 0 && (assignment(words[0]) || words[0] == "exec") {
			words = words[1:]
		}
		switch {
		case len(words) == 0:
		case programName(words[0]) == "spar" && len(words) > 1 && words[1] == "statusline":
			found = true
		default:
			return false
		}
	}
	return found
}

// statusLine is the command of a text's status line, there being one.
func (s jsonSheet) statusLine(text []byte) (line string, there bool) {
	doc, err := s.parse(text)
	if err != nil {
		return "", false
	}
	v := doc.Get(statusKey)
	return doc.Str(v.Get("command")), v != nil
}

// addStatusLine puts ours in where there is none. Somebody's own stays: it is a
// setting of theirs, and one line has no room for two.
func (p *planner) addStatusLine(s sheet, text []byte) ([]byte, error) {
	js, ok := s.(jsonSheet)
	if !ok || !hasStatusLine(p.wire) {
		p.note("%s takes no status line from outside", p.wire.Title)
		return nil, nil
	}
	if line, there := js.statusLine(text); there {
		if !oursStatus(line) {
			p.note("%s has a status line of its own (%q), which stays", p.path, line)
		}
		return nil, nil
	}
	doc, err := js.parse(text)
	if err != nil {
		return nil, err
	}
	program := p.program
	if strings.ContainsAny(program, "/ ") {
		program = `"` + program + `"`
	}
	p.change("added", "status line", "%s statusline", program)
	return doc.Append(doc.Root, statusKey, jsontext.Members{{Key: "type", Value: "command"}, {Key: "command", Value: program + " statusline"}}), nil
}

// dropStatusLine takes ours out; nil where there is none of ours.
func (p *planner) dropStatusLine(s sheet, text []byte) ([]byte, error) {
	js, ok := s.(jsonSheet)
	if !ok || !hasStatusLine(p.wire) {
		return nil, nil
	}
	if line, there := js.statusLine(text); !there || !oursStatus(line) {
		return nil, nil
	}
	doc, err := js.parse(text)
	if err != nil {
		return nil, err
	}
	return doc.Delete(doc.Root, doc.Root.Index(statusKey)), nil
}
