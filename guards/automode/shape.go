package automode

import (
	"strings"

	"spar/redline/acts"
)

// shape judges the line as it is written: what every command's first word is,
// which options its wrappers have, which names it sets and which values it
// shows. The reading of the acts follows wrappers and expands values, and so no
// longer knows these.
func (j *judgement) shape(sh *acts.Shape, depth int) string {
	if sh.Odd != "" {
		return "the line has " + sh.Odd
	}
	if depth > 4 {
		return "shells inside shells inside shells"
	}
	for _, v := range sh.Vars {
		if secretVar(v) {
			return "the value of " + v + " may be shown"
		}
	}
	for _, w := range sh.Writes {
		if w.Text != "/dev/null" && w.Text != "/dev/stderr" && w.Text != "/dev/stdout" {
			j.lands++
		}
	}
	for i := range sh.Commands {
		c := &sh.Commands[i]
		for _, name := range c.Sets {
			if !harmlessVar(name) && !(name == "IFS" && len(c.Words) > 0 && c.Words[0].Text == "read") {
				return "setting " + name + " may change what later commands do"
			}
		}
		for _, w := range c.Words {
			j.hunts = j.hunts || hunting(w.Text)
		}
		if why := j.head(c.Words, depth); why != "" {
			return why
		}
	}
	return ""
}

// head judges the first words of a command, through its wrappers.
func (j *judgement) head(words []acts.RawWord, depth int) string {
	for len(words) > 0 {
		w := words[0]
		if !w.Literal {
			return "the command " + w.Text + " is not in view"
		}
		if j.extra(words) {
			return ""
		}
		name, ok := program(w.Text)
		if !ok {
			return w.Text + " is not a tool of the system"
		}
		var opts string
		operands := 0
		switch name {
		case "time":
			opts = "-p -v -l -h -f: --verbose --portability --format:"
		case "timeout", "gtimeout":
			opts, operands = "-k: -s: -v --kill-after: --signal: --foreground --preserve-status --verbose", 1
		case "nice":
			opts = "-n: --adjustment:"
		case "ionice":
			opts = "-c: -n: -t --class: --classdata: --ignore"
		case "stdbuf":
			opts = "-i: -o: -e: --input: --output: --error:"
		case "caffeinate":
			opts = "-d -i -m -s -t:"
		case "xargs":
			opts = "-0 -r -t -n: -P: -L: --null --no-run-if-empty --max-args: --max-procs: --max-lines:"
		case "builtin":
		case "command":
			if len(words) > 1 && (words[1].Text == "-v" || words[1].Text == "-V") {
				return ""
			}
			opts = "-p"
		case "env":
			words = words[1:]
			for len(words) > 0 {
				set, _, ok := strings.Cut(words[0].Text, "=")
				if !ok || strings.HasPrefix(set, "-") {
					break
				}
				if !harmlessVar(set) {
					return "setting " + set + " may change what runs"
				}
				words = words[1:]
			}
			if len(words) == 0 || strings.HasPrefix(words[0].Text, "-") {
				return "env shows or changes the environment"
			}
			continue
		case "bash", "sh", "zsh", "dash", "ksh":
			if len(words) == 2 && words[1].Text == "--version" {
				return ""
			}
			if len(words) != 3 || !words[1].Literal || !words[2].Literal || !shellFlags(words[1].Text) {
				return name + " runs what is not in view"
			}
			inner, ok := acts.ShapeOf(words[2].Text)
			if !ok {
				return "the line of " + name + " can't be read to its end"
			}
			return j.shape(&inner, depth+1)
		default:
			if find(name) < 0 && !isKnown(name) {
				return name + " is not known to only read"
			}
			j.heads = append(j.heads, name)
			return ""
		}
		rest, why := unwrap(words, opts, operands, name == "nice")
		if why != "" {
			return why
		}
		words = rest
	}
	return ""
}

// extra reports whether the words are a command the person counts among the reads.
func (j *judgement) extra(words []acts.RawWord) bool {
	for _, own := range j.o.ExtraReadOnly {
		if len(own) == len(words) {
			same := true
			for i, w := range words {
				same = same && w.Literal && w.Text == own[i]
			}
			if same {
				return true
			}
		}
	}
	return false
}

// shellFlags are those of a shell that only runs the line behind them.
func shellFlags(s string) bool {
	return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "celu") == "" && strings.Count(s, "c") == 1
}

// unwrap takes a wrapper, its options and its operands off.
func unwrap(words []acts.RawWord, opts string, operands int, count bool) ([]acts.RawWord, string) {
	name := words[0].Text
	i := 1
	for ; i < len(words); i++ {
		w := words[i]
		if !w.Literal {
			return nil, "the words of " + name + " are not in view"
		}
		if w.Text == "--" {
			i++
			break
		}
		if len(w.Text) < 2 || w.Text[0] != '-' {
			break
		}
		if count && strings.Trim(w.Text[1:], "0123456789") == "" {
			continue
		}
		takes, ok := option(opts, w.Text, false)
		if !ok {
			return nil, name + " " + w.Text + " is not known to be harmless"
		}
		if takes {
			i++
		}
	}
	for range operands {
		if i >= len(words) || !words[i].Literal {
			return nil, "the words of " + name + " are not in view"
		}
		i++
	}
	if i > len(words) {
		i = len(words)
	}
	return words[i:], ""
}

// program is the name a command word is known by: the word itself, or its base
// where it names a folder of the system. Any other path is somebody's own program.
func program(s string) (string, bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return s, s != ""
	}
	switch s[:i] {
	case "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/sbin", "/usr/sbin":
		return s[i+1:], s[i+1:] != ""
	}
	return "", false
}
