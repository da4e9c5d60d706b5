package install

import (
	"path"
	"slices"
	"strings"
)

// Command is what a hook entry's command line turns out to run.
type Command struct {
	// Ours is set where the program is spar and it is called as a hook.
	Ours bool
	// Guard is the one guard that is called (`spar redline hook`), Part the one part
	// of the frame (`spar hook burn`); both empty: the whole door.
	Guard, Part string
	// Harness and Event are the flags, "" where the entry has none.
	Harness, Event string
	// Older is the package of this family's older Node tools that the entry runs.
	Older string

	// Program is what is started, with quotes dropped and forward slashes.
	Program string
	// Chained is set where other commands, a pipe or a redirection share the line:
	// there the payload or the exit code gets lost.
	Chained bool
	// Guarded is set where the line ends in success whatever spar does.
	Guarded bool
	// Wrapper is the shell that the line starts for itself ("bash -lc"): a login
	// shell's profile prints before the answer and voids it.
	Wrapper string
	// Bare is set where the program's path has a space and no quotes: a shell then
	// looks for its first half.
	Bare bool
}

// maxLine is the longest command line that is read, in bytes; one as long is a
// program of somebody else's, kept in a settings file.
const maxLine = 32 << 10

// olderNames are the older tools, published for Node under one scope.
var olderNames = [...]string{"airframe", "automode", "carbon", "groundtruth", "habit", "redline", "safesql", "spar", "yubisashi"}

// olderSubs are the words that such a tool's own command begins with in a hook
// entry. `carbon` alone may be anybody's program.
var olderSubs = [...]string{"hook", "pre", "post", "prompt", "session", "burn", "wingman", "land", "stop", "sync", "denied", "failed"}

// parts are the words behind `spar hook` that ask for one part alone.
var parts = [...]string{"session", "burn", "wingman", "land", "prompt", "pre", "post", "stop"}

// ReadCommand tells what a hook entry runs by what it runs, not by how it is
// written: quotes, slashes, spaces, the folder, .exe and variables set in front are
// spelling. args are the words of an entry that is started without a shell; guards
// are the names that may stand before `hook`.
func ReadCommand(line string, args, guards []string) Command {
	if len(line) > maxLine {
		return Command{}
	}
	if args != nil {
		c := readSimple(append([]string{slashes(line)}, args...), guards, 0)
		c.Bare = false // no shell parts it
		return c
	}
	return readLine(line, guards, 0)
}

func slashes(s string) string { return strings.ReplaceAll(s, `\`, "/") }

// readLine reads a line as far as all of sh, cmd and PowerShell agree on it.
func readLine(line string, guards []string, depth int) Command {
	commands, redirected := splitLine(line)
	var found Command
	at := -1
	for i, c := range commands {
		if r := readSimple(c.words, guards, depth); r.Ours || r.Older != "" && !found.Ours {
			if found.Ours {
				r.Chained = true
			}
			found, at = r, i
		}
	}
	if at < 0 {
		return Command{}
	}
	found.Chained = found.Chained || redirected
	for i, c := range commands {
		if i == at || len(c.words) == 0 {
			continue
		}
		if i > at && commands[i].op != "|" && commands[i].op != "&&" && succeeds(c.words) {
			found.Guarded = true
			continue
		}
		found.Chained = true
	}
	return found
}

// succeeds reports whether a command does nothing and ends well.
func succeeds(words []string) bool {
	return slices.Equal(words, []string{"exit", "0"}) || slices.Equal(words, []string{"true"}) || slices.Equal(words, []string{":"})
}

// simple is one command of a line; op stands in front of it.
type simple struct {
	op    string
	words []string
}

// splitLine parts a line into its commands. redirected is set where the input or
// the output of one goes elsewhere; what is written to the error stream doesn't
// matter.
func splitLine(line string) (commands []simple, redirected bool) {
	cur := simple{}
	var word strings.Builder
	inWord := false
	flush := func() {
		if inWord {
			cur.words = append(cur.words, word.String())
			word.Reset()
			inWord = false
		}
	}
	next := func(op string) {
		flush()
		commands = append(commands, cur)
		cur = simple{op: op}
	}
	skipWord := false // the target of a redirection
	endWord := func() {
		if skipWord && inWord {
			word.Reset()
			inWord, skipWord = false, false
			return
		}
		flush()
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\r':
			endWord()
		case '"', '\'':
			inWord = true
			for i++; i < len(line) && line[i] != c; i++ {
				switch {
				case line[i] == '\\' && c == '"' && i+1 < len(line) && strings.IndexByte("\"$`", line[i+1]) >= 0 && closes(line[i+2:], c):
					i++
					word.WriteByte(line[i])
				case line[i] == '\\':
					word.WriteByte('/')
				default:
					word.WriteByte(line[i])
				}
			}
		case '\\':
			inWord = true
			if i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\'') {
				i++ // a quote that was escaped once too often is spelling as well
			} else if i+1 < len(line) && line[i+1] == ' ' {
				i++
				word.WriteByte(' ')
			} else {
				word.WriteByte('/')
			}
		case ';', '\n':
			endWord()
			next(";")
		case '&', '|':
			endWord()
			op := string(c)
			if i+1 < len(line) && line[i+1] == c {
				i++
				op += op
			}
			next(op)
		case '>', '<':
			fd := word.String()
			if inWord && strings.Trim(fd, "0123456789") == "" {
				word.Reset()
				inWord = false
			} else {
				endWord()
				fd = ""
			}
			redirected = redirected || fd != "2"
			for i+1 < len(line) && strings.IndexByte("><&|", line[i+1]) >= 0 {
				i++
			}
			for i+1 < len(line) && line[i+1] == ' ' {
				i++
			}
			skipWord = true
		case '(', ')', '{', '}':
			// A group's bracket, unless it belongs to ${NAME} or to a folder's name.
			opened := strings.Count(word.String(), "(") + strings.Count(word.String(), "{") -
				strings.Count(word.String(), ")") - strings.Count(word.String(), "}")
			switch {
			case inWord && (c == '(' || c == '{' || opened > 0):
				word.WriteByte(c)
			case inWord:
				endWord()
			}
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	endWord()
	next("")
	return commands, redirected
}

// closes reports whether a quotation is closed in what follows; else a backslash
// before its quote is a folder's end and not an escape.
func closes(rest string, quote byte) bool { return strings.IndexByte(rest, quote) >= 0 }

// readSimple reads one command's words.
func readSimple(words, guards []string, depth int) Command {
	for len(words) > 0 {
		w := words[0]
		name := programName(w)
		rest := words[1:]
		switch {
		case assignment(w):
		case name == "env":
			for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || assignment(rest[0])) {
				if len(rest) > 1 && (rest[0] == "-u" || rest[0] == "--unset" || rest[0] == "-C") {
					rest = rest[1:]
				}
				rest = rest[1:]
			}
		case name == "exec" || name == "command" || name == "nohup" || name == "time" || name == "call" || name == "&":
		case name == "nice" || name == "timeout" || name == "sudo":
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				if len(rest[0]) == 2 && len(rest) > 1 && name != "sudo" { // -n 5, -k 5
					rest = rest[1:]
				}
				rest = rest[1:]
			}
			if name == "timeout" && len(rest) > 0 {
				rest = rest[1:]
			}
		default:
			return readProgram(words, guards, depth)
		}
		words = rest
	}
	return Command{}
}

func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// programName is the base name of a program without the endings Windows adds.
func programName(word string) string {
	name := path.Base(slashes(word))
	for _, ext := range [...]string{".exe", ".cmd", ".bat"} {
		if len(name) > len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext) {
			return strings.ToLower(name[:len(name)-len(ext)])
		}
	}
	return name
}

func readProgram(words, guards []string, depth int) Command {
	program, rest := words[0], words[1:]
	name := programName(program)
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "cmd", "powershell", "pwsh":
		for i, w := range rest {
			script, isScript := shellScript(name, rest, i)
			if !isScript {
				continue
			}
			if depth > 3 {
				return Command{}
			}
			c := readLine(script, guards, depth+1)
			c.Wrapper = name + " " + w
			return c
		}
		return Command{}
	case "npx", "bunx", "pnpx":
		return readPackage(rest)
	case "npm", "pnpm", "yarn", "bun":
		if len(rest) > 0 && (rest[0] == "exec" || rest[0] == "dlx" || rest[0] == "x") {
			return readPackage(rest[1:])
		}
		return Command{}
	case "node", "deno":
		for _, w := range rest {
			if strings.HasPrefix(w, "-") {
				continue
			}
			base := path.Base(slashes(w))
			for _, ext := range [...]string{".mjs", ".cjs", ".js"} {
				if stem, ok := strings.CutSuffix(base, ext); ok && slices.Contains(olderNames[:], stem) {
					return Command{Older: stem, Program: program}
				}
			}
			return Command{}
		}
		return Command{}
	}
	c := Command{Program: slashes(program)}
	if name != "spar" {
		// A path that was left unquoted falls apart at its spaces.
		for k := 1; k < len(words) && k < 6 && rooted(program) && !rooted(words[k]) && !strings.HasPrefix(words[k], "-"); k++ {
			if strings.Contains(words[k], "/") && programName(words[k]) == "spar" {
				c.Program, c.Bare = slashes(strings.Join(words[:k+1], " ")), true
				rest, name = words[k+1:], "spar"
				break
			}
		}
	}
	if name != "spar" {
		if slices.Contains(olderNames[:], name) && len(rest) > 0 && slices.Contains(olderSubs[:], rest[0]) {
			return Command{Older: name, Program: c.Program}
		}
		return Command{}
	}
	for len(rest) > 0 && strings.HasPrefix(rest[0], "--home") {
		if rest[0] == "--home" && len(rest) > 1 {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	switch {
	case len(rest) > 0 && rest[0] == "hook":
		rest = rest[1:]
	case len(rest) > 1 && rest[1] == "hook" && slices.Contains(guards, rest[0]):
		c.Guard = rest[0]
		rest = rest[2:]
	default:
		return Command{}
	}
	c.Ours = true
	for i := 0; i < len(rest); i++ {
		flag, value, joined := strings.Cut(rest[i], "=")
		switch flag {
		case "--harness", "--event", "--home":
			if !joined && i+1 < len(rest) {
				i++
				value = rest[i]
			}
			switch flag {
			case "--harness":
				c.Harness = value
			case "--event":
				c.Event = value
			}
		default:
			if slices.Contains(parts[:], rest[i]) {
				c.Part = rest[i]
			}
		}
	}
	return c
}

// rooted reports whether a word begins like an absolute path.
func rooted(word string) bool {
	return strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, "$") || strings.HasPrefix(word, "%") ||
		len(word) > 2 && word[1] == ':'
}

// shellScript is the command line that a shell is handed, where the i-th of its
// words announces one.
func shellScript(shell string, words []string, i int) (string, bool) {
	w := words[i]
	switch shell {
	case "cmd":
		if strings.EqualFold(w, "/c") || strings.EqualFold(w, "/k") {
			return strings.Join(words[i+1:], " "), i+1 < len(words)
		}
	case "powershell", "pwsh":
		if strings.EqualFold(w, "-command") || strings.EqualFold(w, "-c") {
			return strings.Join(words[i+1:], " "), i+1 < len(words)
		}
	default:
		if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "c") && i+1 < len(words) {
			return words[i+1], true
		}
	}
	return "", false
}

// readPackage reads what a package runner is given.
func readPackage(words []string) Command {
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			continue
		}
		name, ok := strings.CutPrefix(w, "@hyuga/")
		if !ok {
			return Command{}
		}
		name, _, _ = strings.Cut(name, "@")
		return Command{Older: name, Program: w}
	}
	return Command{}
}
