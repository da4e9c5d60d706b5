package automode

import (
	"strings"

	"spar/redline/acts"
)

// command is one act's words under a row's grammar.
type command struct {
	*row
	act      *acts.Act
	index    int
	name     string
	words    []acts.Word // behind the program and its subcommand
	opts     []given
	operands []acts.Word
	dashes   int // how many operands stand before `--`; -1 where there is none
}

// given is one option of a command.
type given struct {
	name  string
	value acts.Word
	has   bool
}

func (c *command) has(names ...string) bool {
	for _, g := range c.opts {
		for _, n := range names {
			if g.name == n {
				return true
			}
		}
	}
	return false
}

// lookup is the grammar of an option in a list: 0 not there, ' ' alone, ':' with a
// value, '?' with one only when glued, '*' with all words up to the next option.
func lookup(opts, name string) byte {
	for from := 0; ; {
		i := strings.Index(opts[from:], name)
		if i < 0 {
			return 0
		}
		i += from
		end := i + len(name)
		if i == 0 || opts[i-1] == ' ' {
			if end == len(opts) || opts[end] == ' ' {
				return ' '
			}
			if c := opts[end]; (c == ':' || c == '?' || c == '*') && (end+1 == len(opts) || opts[end+1] == ' ') {
				return c
			}
		}
		from = i + 1
	}
}

// option reads one option word: whether it takes the next word, and whether all
// of it is in the list.
func option(opts, w string, oneDash bool) (takes, ok bool) {
	takes, _, ok = parseOption(opts, w, oneDash, nil)
	return takes, ok
}

// parseOption reads one word that begins with a dash. many is set where it takes
// all words up to the next option.
func parseOption(opts, w string, oneDash bool, add func(name, value string, glued bool)) (takes, many, ok bool) {
	if strings.HasPrefix(w, "--") || oneDash {
		name, value, glued := strings.Cut(w, "=")
		kind := lookup(opts, name)
		switch {
		case glued && lookup(opts, w) == ' ': // a row may list one value of an option
		case kind == 0, kind == ' ' && glued:
			return false, false, false
		}
		if add != nil {
			add(name, value, glued)
		}
		return kind == ':' && !glued, kind == '*' && !glued, true
	}
	if kind := lookup(opts, w); kind != 0 && len(w) > 2 {
		if add != nil {
			add(w, "", false)
		}
		return kind == ':', kind == '*', true
	}
	for i := 1; i < len(w); i++ {
		name := "-" + w[i:i+1]
		switch lookup(opts, name) {
		case 0, '*':
			return false, false, false
		case ' ':
			if add != nil {
				add(name, "", false)
			}
		case ':':
			if add != nil {
				add(name, w[i+1:], i+1 < len(w))
			}
			return i+1 == len(w), false, true
		case '?':
			if add != nil {
				add(name, w[i+1:], i+1 < len(w))
			}
			return false, false, true
		}
	}
	return false, false, true
}

// parse reads the words under the row's grammar.
func (c *command) parse() string {
	c.dashes = -1
	over := false
	opts := c.row.opts
	if global := globals(c.name); global != "" {
		opts += " " + global
	}
	add := func(name, value string, glued bool) {
		c.opts = append(c.opts, given{name, acts.Text(value), glued})
	}
	for i := 0; i < len(c.words); i++ {
		w := c.words[i]
		t, known := w.Known()
		if !known {
			t = w.Prefix()
		}
		switch {
		case over:
			c.operands = append(c.operands, w)
		case t == "" && !known:
			if k := w.Parts[0].Kind; k == acts.Unset && len(w.Parts) == 1 && !w.Parts[0].Quoted {
				continue // it vanishes
			} else if k != acts.Glob && k != acts.TempPath && c.bits&loose == 0 {
				return c.name + " gets a word that may be an option and is not in view"
			}
			c.operands = append(c.operands, w)
		case t == "--":
			over, c.dashes = true, len(c.operands)
		case len(t) > 1 && t[0] == '-' || !known && t == "-":
			if c.bits&loose != 0 && c.opts0() {
				c.operands = append(c.operands, w)
				continue
			}
			if known && c.bits&num != 0 && strings.Trim(t[1:], "0123456789") == "" {
				continue
			}
			if !known && t == "-" {
				return c.name + " gets an option that is not in view"
			}
			takes, many, ok := parseOption(opts, t, c.bits&single != 0, add)
			if !ok {
				return c.name + " " + t + " is not known to be harmless"
			}
			if !known {
				// What is not in view must be a value: glued to an option that takes one.
				last := &c.opts[len(c.opts)-1]
				if k := lookup(opts, last.name); k != ':' && k != '?' || takes && !strings.Contains(t, "=") {
					return c.name + " " + w.String() + " is not in view"
				}
				last.value, last.has = w, true
				continue
			}
			last := &c.opts[len(c.opts)-1]
			switch {
			case many:
				for n := 0; i+1 < len(c.words) && (n < 2 || c.name != "jq"); n++ {
					if p := c.words[i+1].Prefix(); strings.HasPrefix(p, "-") {
						break
					}
					i++
				}
			case takes && i+1 < len(c.words):
				i++
				last.value, last.has = c.words[i], true
			case takes:
				return c.name + " " + t + " lacks its value"
			}
		case c.bits&plus != 0 && t != "" && t[0] == '+':
		default:
			c.operands = append(c.operands, w)
			over = over || c.bits&late != 0
		}
	}
	if c.max > 0 && len(c.operands) >= int(c.max) {
		return c.name + " has a word too many"
	}
	if need := c.row.need; need != "" {
		there := false
		for _, g := range c.opts {
			there = there || lookup(need, g.name) != 0
		}
		if !there {
			return c.name + " without one of " + need
		}
	}
	return ""
}

// opts0 reports whether a loose row lists no options at all: then no word of it
// is one.
func (c *command) opts0() bool { return c.row.opts == "" }

// subcommand finds the row of a program whose words begin with this one's. It
// returns the words left over, the options that stood before the subcommand with
// them.
func subcommand(list []row, name, global string, words []acts.Word) (*row, []acts.Word) {
	var before []acts.Word
	i := 0
	for i < len(words) {
		t, ok := words[i].Known()
		if !ok || len(t) < 2 || t[0] != '-' {
			break
		}
		takes, ok := option(global, t, name == "terraform" || name == "ip")
		if !ok {
			break
		}
		before = append(before, words[i])
		i++
		if takes && i < len(words) {
			before = append(before, words[i])
			i++
		}
	}
	for k := range list {
		r := &list[k]
		n := matchSub(r.sub, words[i:])
		if n < 0 {
			continue
		}
		if n == 0 && r.sub == "" {
			return r, words
		}
		if len(before) == 0 {
			return r, words[i+n:]
		}
		return r, append(before, words[i+n:]...)
	}
	return nil, nil
}

// matchSub is how many words a subcommand takes, or -1.
func matchSub(sub string, words []acts.Word) int {
	if sub == "" || sub == "*" {
		return 0
	}
	n := 0
	for sub != "" {
		want, rest, _ := strings.Cut(sub, " ")
		if n >= len(words) {
			return -1
		}
		t, ok := words[n].Known()
		if !ok || !oneOf(want, t) {
			return -1
		}
		n++
		sub = rest
	}
	return n
}

func oneOf(list, s string) bool {
	if s == "" {
		return false
	}
	for list != "" {
		one, rest, _ := strings.Cut(list, "|")
		if one == s {
			return true
		}
		list = rest
	}
	return false
}

// run judges a program and its words.
func (j *judgement) run(i int) (exception, string) {
	a := &j.r.Acts[i]
	if len(a.Argv) == 0 {
		return 0, "a command that is not in view"
	}
	word, ok := a.Argv[0].Known()
	if !ok {
		return 0, "the command " + a.Argv[0].String() + " is not in view"
	}
	if len(j.o.ExtraReadOnly) > 0 && j.own(a.Argv) {
		return reads, ""
	}
	name, ok := program(word)
	if !ok {
		return 0, word + " is not a tool of the system"
	}
	words := a.Argv[1:]
	if j.helps(name, words) {
		return reads, ""
	}
	if name == "git" {
		return j.git(i, words)
	}
	first := find(name)
	if first < 0 {
		return 0, name + " is not known to only read"
	}
	last := first
	for last < len(rows) && rows[last].name == name {
		last++
	}
	c := command{act: a, index: i, name: name}
	global := globals(name)
	if name == "docker" && len(words) > 1 && words[0].Is("compose") {
		return j.compose(c, rows[first:last], words)
	}
	c.row, c.words = subcommand(rows[first:last], name, global, words)
	if c.row == nil {
		sub := ""
		for _, w := range words {
			if t, ok := w.Known(); ok && plainWords([]acts.Word{w}) {
				sub = " " + t
				break
			}
		}
		return 0, name + sub + " is not known to only read"
	}
	return j.finish(&c)
}

// finish judges a command whose row is found.
func (j *judgement) finish(c *command) (exception, string) {
	if c.check == checkFind || c.check == checkPs || c.check == checkTar || c.check == checkTest {
		c.operands = append(c.operands, c.words...)
	} else if why := c.parse(); why != "" {
		return 0, why
	}
	if c.act.Appended && (c.bits&loose == 0 && c.check != checkGrep || c.name == "rg" || j.hunts || len(c.words) == 0 && c.check == checkGrep) {
		return 0, "words that are not on the line are added to " + c.name
	}
	if c.bits&inTree != 0 {
		if why := j.within(c.act.Dir); why != "" {
			return 0, c.name + ": " + why
		}
	}
	if c.name == "terraform" {
		for _, g := range c.opts {
			if g.name == "-chdir" {
				if why := j.treeWord(g.value, c.act.Dir); why != "" {
					return 0, "terraform: " + why
				}
			}
		}
	}
	is := c.is
	why := j.checked(c, &is)
	if why == "" {
		why = j.secrets(c)
	}
	if why == "" && c.bits&deep != 0 {
		why = j.wide(c.act.Dir, c.operands)
	}
	return is, why
}

func (j *judgement) own(argv []acts.Word) bool {
	for _, own := range j.o.ExtraReadOnly {
		if len(own) != len(argv) {
			continue
		}
		same := true
		for i, w := range argv {
			same = same && w.Is(own[i])
		}
		if same {
			return true
		}
	}
	return false
}

// helps reports whether a known tool is only asked for its help or version.
func (j *judgement) helps(name string, words []acts.Word) bool {
	if len(words) == 0 || len(words) > 4 || !isKnown(name) {
		return false
	}
	last, ok := words[len(words)-1].Known()
	if !ok {
		return false
	}
	switch last {
	case "--help":
	case "-help":
		if name != "terraform" && name != "tofu" {
			return false
		}
	case "--version", "version":
		return len(words) == 1 && (last == "--version" || name == "docker" || name == "go" || name == "terraform" || name == "helm")
	default:
		if h, ok := words[0].Known(); ok && h == "help" && len(words) <= 3 {
			switch name {
			case "go", "git", "cargo", "docker", "gh", "helm", "kubectl", "npm", "pip", "dotnet", "brew":
				return plainWords(words[1:])
			}
		}
		return false
	}
	switch name {
	case "find", "echo", "printf", "test", "[", ":", "true", "false", "cd", "export", "set", "read", "env", "printenv", "bash", "sh", "zsh", "node", "python", "python3", "ruby", "perl", "php", "deno", "bun", "npx", "bunx", "make", "xargs", "ssh", "java":
		// With a word before it the flag goes to what they run, or is a word.
		return len(words) == 1 && name != "test" && name != "["
	}
	for _, w := range words[:len(words)-1] {
		t, _ := w.Known()
		switch t {
		case "run", "exec", "x", "dlx", "start", "debug", "shell", "develop", "tool", "runx", "create", "ssh", "call", "-c":
			if !words[len(words)-2].Is(t) {
				return false
			}
		}
	}
	return plainWords(words[:len(words)-1])
}

// plainWords reports whether all words are plain names: no path, no option.
func plainWords(words []acts.Word) bool {
	for _, w := range words {
		t, ok := w.Known()
		if !ok || t == "" {
			return false
		}
		for i := 0; i < len(t); i++ {
			if c := t[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || i == 0) && c != '_' {
				return false
			}
		}
	}
	return true
}
