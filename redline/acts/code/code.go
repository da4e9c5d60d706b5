// Package code reads the inline code of interpreters (`python3 -c`, `node -e`,
// a heredoc on a ruby) and says what it would do to files and which programs it
// would start.
//
// It is a lexer for each language and a recogniser over the tokens, not an
// interpreter: it knows the spellings that matter, and what it does not know it
// does not guess. Code is readable only when all of it is: modules from a short
// list, no eval, no dynamic import, no network. The effects that were seen are
// told in either case, so a child process inside unreadable code still counts.
package code

// EffectKind says what an effect is.
type EffectKind uint8

const (
	// Write creates a file or changes its content; Path says which.
	Write EffectKind = iota
	// Remove takes a file or, with Recursive, a tree away.
	Remove
	// RunArgv starts a program with the words in Argv, without a shell.
	RunArgv
	// RunShell hands Shell to a shell.
	RunShell
	// Network reaches another machine.
	Network
)

// String names the kind in lower case.
func (k EffectKind) String() string {
	switch k {
	case Write:
		return "write"
	case Remove:
		return "remove"
	case RunArgv:
		return "argv"
	case RunShell:
		return "shell"
	}
	return "network"
}

// Effect is one thing the code does outside itself.
type Effect struct {
	Kind EffectKind
	// Path is the file of a Write or a Remove, as the code gives it. Without
	// PathKnown it is empty, or the literal text it begins with.
	Path      string
	PathKnown bool
	// Recursive is set on a Remove that takes a tree.
	Recursive bool
	// Argv are the words of a RunArgv. Without ArgvKnown they are the literal
	// words at its front; the rest is unknown.
	Argv      []string
	ArgvKnown bool
	// Shell is the text of a RunShell; empty where it is not known.
	Shell string
	// Why is the spelling that does it: "os.system", "fs.rmSync".
	Why string
}

// Result is what a piece of code does.
type Result struct {
	// Readable is set where all of the code was read, so that Effects are all
	// there are.
	Readable bool
	// Why names the first thing that was not read ("calls eval", "imports
	// requests"), or is empty.
	Why string
	// Effects are in the order in which they are written.
	Effects []Effect
}

// maxBytes bounds the code that is read, so that a reading stays under 50 ms;
// nobody's inline code is longer.
const maxBytes = 1 << 18

// Read reads src, code in the language lang: python, node (deno and bun too),
// ruby, perl, php, awk or sed, also by the interpreter's own name (python3.12,
// nodejs, gawk). It never fails; a language it does not know is not readable.
func Read(lang, src string) Result {
	if len(src) > maxBytes {
		return Result{Why: "too long to read"}
	}
	res := Result{}
	m := machine{res: &res, counts: map[string]int{}, vars: map[string]value{}}
	switch language := base(lang); language {
	case "python", "python2", "python3", "pypy", "pypy3", "py":
		m.g, m.lang = gPython, &python{alias: map[string]string{}}
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "javascript", "js":
		m.g, m.lang = gNode, &node{}
	case "ruby", "jruby", "irb":
		m.g, m.lang = gRuby, &ruby{}
	case "perl":
		m.g, m.lang = gPerl, &perl{}
	case "php":
		m.g, m.lang = gPHP, &php{}
	case "awk", "gawk", "mawk", "nawk", "goawk":
		readAwk(src, &res)
		return res
	case "sed", "gsed":
		readSed(src, &res)
		return res
	default:
		return Result{Why: "no reader for " + lang}
	}
	l := lexer{g: m.g, src: src, toks: make([]token, 0, len(src)/4+8)}
	l.run(0)
	if l.bad != "" {
		m.unread(l.bad)
	}
	m.toks = l.toks
	switch m.g {
	case gPython:
		pythonNames(m.toks, m.counts)
	case gNode:
		nodeNames(m.toks, m.counts)
	case gRuby:
		rubyNames(m.toks, m.counts)
	default:
		perlNames(m.toks, m.counts)
	}
	m.run()
	res.Readable = res.Why == ""
	return res
}

// base takes the version off an interpreter's name.
func base(lang string) string {
	for i := 0; i < len(lang); i++ {
		if lang[i] == '.' {
			lang = lang[:i]
			break
		}
	}
	n := len(lang)
	for n > 0 && '0' <= lang[n-1] && lang[n-1] <= '9' {
		n--
	}
	if n > 0 {
		return lang[:n]
	}
	return lang
}
