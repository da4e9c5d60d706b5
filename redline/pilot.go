package redline

import (
	"encoding/json"
	"strings"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// pilot finds the pilot's switches among the acts: commands of ours that change
// what may interrupt, and writes that take our hooks or our configuration away. A
// gate that an agent can install it can also remove.
func (p *pricer) pilot(l *line) {
	if l.name == "spar" || l.name == "spar-judge" {
		if name := sparSwitch(l); name != "" {
			p.flip(name, l.at, "the agent runs spar "+name)
		}
		return
	}
	hot := false
	for _, a := range l.args {
		hot = hot || hotName(a.text)
	}
	if !hot {
		return
	}
	st, values := gnu, ""
	if l.prog != nil {
		st, values = l.prog.Style, l.prog.Value
	}
	l.sift(st, values, moreValues(l.name), 0)
	if l.helps() || l.dry() {
		return
	}
	r, targets := l.lands()
	if r == reads || r == idle {
		return
	}
	for _, w := range targets {
		pl := p.out.Reading.Place(l.act.Dir, w.word)
		path := pl.Path
		if path == "" {
			path = w.text
		}
		text, known := "", false
		if l.name == "tee" && l.act.Stdin.HasText {
			text, known = l.act.Stdin.Text.Known()
		}
		p.overwrites(l.at, path, text, known)
	}
}

func (p *pricer) flip(name string, at int, why string) {
	if p.out.Switch == nil {
		p.out.Switch = &Switch{Name: name, Act: at, Why: why}
	}
}

// sparSwitch is the switch a spar command turns, "" for the commands that are
// free for everyone.
func sparSwitch(l *line) string {
	l.sift(gnu, "--home --sortie --action --exit --state --cost --for --state-cmd --exit-cmd --read-at --reason --budget --note --harness", "", 0)
	if l.helps() {
		return ""
	}
	sub, arg := l.op(0), l.op(1)
	switch sub {
	case "mode":
		if arg == "" {
			return ""
		}
		return "mode " + arg
	case "melee":
		if either("leave|status", arg) {
			return ""
		}
		return "melee"
	case "launch", "land", "install", "uninstall":
		return sub
	case "discard":
		if l.has("--settle") {
			return "discard --settle"
		}
	case "groundtruth":
		if arg == "drop" {
			return "groundtruth drop"
		}
	case "ledger":
		if either("compact|recover|import", arg) {
			return "ledger " + arg
		}
	case "habit":
		if either("accept|reject|forget|prune", arg) {
			return "habit " + arg
		}
	case "carbon":
		if arg == "prune" {
			return "carbon prune"
		}
	}
	return ""
}

// Granted reports whether a list of grants (SPAR_PILOT_GRANTS) names a switch: by
// its whole name or by its first word.
func (s *Switch) Granted(grants string) bool {
	first, _, _ := strings.Cut(s.Name, " ")
	for g := range strings.SplitSeq(grants, ",") {
		if g = strings.TrimSpace(g); g != "" && (g == s.Name || g == first) {
			return true
		}
	}
	return false
}

// hotName reports cheaply whether a word may name a file that pilot watches.
func hotName(s string) bool {
	return strings.Contains(s, "settings") || strings.Contains(s, "config.json") || strings.Contains(s, "hooks.json") || strings.HasSuffix(strings.TrimRight(slashes(s), "/"), ".claude")
}

// watched says what a path is to the pilot: "settings" of a harness, "config" of
// ours, or "".
func watched(path string) string {
	s := "/" + strings.TrimPrefix(strings.ToLower(slashes(path)), "/")
	switch {
	case strings.HasSuffix(s, "/.spar/config.json"), strings.HasSuffix(s, "/spar/config.json"):
		return "config"
	case strings.HasSuffix(s, "/.claude"):
		return "settings"
	}
	i := strings.LastIndexByte(s, '/')
	dir, name := s[:i], s[i+1:]
	for _, d := range [...]string{"/.claude", "/.gemini", "/.qwen", "/.factory", "/.cursor", "/.codex", "/.copilot", "/.github/hooks", "/.grok"} {
		if strings.HasSuffix(dir, d) && strings.HasSuffix(name, ".json") && (strings.HasPrefix(name, "settings") || strings.HasPrefix(name, "hooks") || strings.HasPrefix(name, "config") || d == "/.github/hooks") {
			return "settings"
		}
	}
	return ""
}

// overwrites is a write over path by an act; text is its new content where the
// line tells it.
func (p *pricer) overwrites(at int, path, text string, known bool) {
	switch watched(path) {
	case "config":
		p.flip("config", at, "the agent writes "+clip(path, 120))
	case "settings":
		before, seen := p.disk(path)
		if seen && OwnHooks(before) == 0 {
			return // there is nothing of ours to take away
		}
		if known && OwnHooks(text) > 0 && (!seen || OwnHooks(text) >= OwnHooks(before)) {
			return
		}
		p.flip("settings", at, "the agent writes "+clip(path, 120)+", which may take spar's hooks away")
	}
}

// redirectPilot looks at where a redirection lands.
func (p *pricer) redirectPilot(at int, a *acts.Act, r acts.Redir) {
	s := r.Target.String()
	if !hotName(s) {
		return
	}
	pl := p.out.Reading.Place(a.Dir, r.Target)
	path := pl.Path
	if path == "" {
		path = s
	}
	text, known := "", false
	if a.Name() == "cat" && a.Stdin.HasText && r.Op == acts.WriteTo {
		text, known = a.Stdin.Text.Known()
	}
	p.overwrites(at, path, text, known)
}

// filePilot looks at what an editing tool does to a watched file.
func (p *pricer) filePilot(path string, f harness.File) {
	switch watched(path) {
	case "config":
		p.flip("config", -1, "the agent writes "+clip(path, 120))
	case "settings":
		before, seen := p.disk(path)
		var lost bool
		switch {
		case f.Op == "delete":
			lost = !seen || OwnHooks(before) > 0
		case f.Op == "write" || f.Content != "":
			lost = seen && OwnHooks(f.Content) < OwnHooks(before)
		case seen && f.Old != "" && strings.Contains(before, f.Old):
			lost = OwnHooks(strings.Replace(before, f.Old, f.New, 1)) < OwnHooks(before)
		default:
			lost = mentions(f.Old) > mentions(f.New)
		}
		if lost {
			p.flip("settings", -1, "the agent takes spar's hooks out of "+clip(path, 120))
		}
	}
}

func (p *pricer) disk(path string) (string, bool) {
	if p.o.File == nil {
		return "", false
	}
	return p.o.File(path)
}

// OwnHooks counts the hook entries of ours in a settings file. A file that does
// not parse, or that switches hooks off, has none in force.
func OwnHooks(settings string) int {
	var doc struct {
		Off   bool            `json:"disableAllHooks"`
		Hooks json.RawMessage `json:"hooks"`
	}
	if json.Unmarshal([]byte(settings), &doc) != nil || doc.Off {
		return 0
	}
	return mentions(string(doc.Hooks))
}

// mentions counts the strings that run a hook of ours: `spar hook`, `spar GUARD
// hook`, with a path or quotes around the program.
func mentions(text string) int {
	n := 0
	for i := 0; ; {
		k := strings.Index(text[i:], "spar")
		if k < 0 {
			return n
		}
		i += k + len("spar")
		if k := i - len("spar") - 1; k >= 0 && (letter(text[k]) || text[k] == '-') {
			continue
		}
		rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text[i:], ".exe"), `\`), `"'`)
		rest = strings.TrimLeft(rest, " ")
		word, more, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(word, "hook") || strings.HasPrefix(more, "hook") && word != "" && letter(word[0]) {
			n++
		}
	}
}
