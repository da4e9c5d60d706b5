package acts

import (
	"strings"
)

// Dialect is the language a command line is written in.
type Dialect uint8

const (
	// Auto decides from the text: PowerShell and cmd where the line can only be
	// theirs, else the Bourne family.
	Auto Dialect = iota
	// Bourne is bash first, then POSIX sh, mksh and zsh where the parser offers
	// them.
	Bourne
	// PowerShell is Windows PowerShell and pwsh.
	PowerShell
	// Cmd is cmd.exe.
	Cmd
)

// String names the dialect as `spar explain` prints it.
func (d Dialect) String() string {
	return [...]string{"auto", "bourne", "powershell", "cmd"}[d]
}

// Options say where a command line would run. The zero value knows nothing: no
// directory, no variable, and the default bounds.
type Options struct {
	// Dialect forces a dialect; Auto lets the text decide.
	Dialect Dialect
	// Dir is the absolute directory the line starts in, in the spelling of the
	// system that runs it (`/work/site`, `C:/src/tool`). Empty: unknown.
	Dir string
	// Env is the whole environment of the line. A name that is absent is unset,
	// not unknown.
	Env map[string]string
	// Bounds limit the reading; zero fields take the defaults of [DefaultBounds].
	Bounds Bounds
}

// Reading is everything one command line would do.
type Reading struct {
	// Dialect is the one the line was read in.
	Dialect Dialect
	// Acts in the order in which they would run. Both branches of a condition,
	// the body of a loop, a function where it is called and a trap where it
	// fires are all among them.
	Acts []Act
	// Unparsed is set where no grammar took the whole line and a part was read
	// word by word; the acts of that part have [Act.Kind] Unread.
	Unparsed bool
	// Bound names the bound that was hit ("depth", "acts", "bytes", "time"), or
	// is empty. What lay past it is one act of kind Unread.
	Bound string
	// Assigns are the variables that the line itself sets for what comes after
	// (`A=1; cmd`, `export A=1`), in order, as far as they are known: they may
	// change what later programs do without being an act.
	Assigns []Assign

	env map[string]string
}

// ActKind says what an act is.
type ActKind uint8

const (
	// Run starts a program or a builtin: Argv holds its words.
	Run ActKind = iota
	// Land is a redirection without a command (`: > f` is a Run, `> f` a Land).
	Land
	// Write is a file written by readable inline code; Target says which.
	Write
	// Remove is a file or tree removed by readable inline code; Target says which.
	Remove
	// SQL is statement text that a database client would execute; Text holds it.
	SQL
	// Unread is something that would run and could not be read; Text holds what
	// there is, Why the reason. A tariff charges it on what its words name.
	Unread
)

// String names the kind as `spar explain` prints it.
func (k ActKind) String() string {
	return [...]string{"run", "land", "write", "remove", "sql", "unread"}[k]
}

// Act is one thing a command line does.
type Act struct {
	Kind ActKind
	// Argv is what a Run starts, wrappers taken off: Argv[0] is the program as
	// written ("/bin/rm", "git.exe"); [Act.Name] is how tables know it.
	Argv []Word
	// Target is the path of a Write or a Remove.
	Target Word
	// Recursive is set on a Remove that takes a tree.
	Recursive bool
	// Text is the SQL of an SQL act, the raw text of an Unread one.
	Text string
	// Why says why an Unread act could not be read.
	Why string
	// Assigns are the variables set for this command alone (`A=1 cmd`,
	// `env A=1 cmd`), in order.
	Assigns []Assign
	// Dir is the directory the act runs in. Its Known text is absolute.
	Dir Word
	// Redirs are the redirections that hold for the act, its own and those of
	// the groups around it, outermost first.
	Redirs []Redir
	// Stdin is where its standard input comes from.
	Stdin Stdin
	// Via is the chain of wrappers and carriers it came through, outermost
	// first: "sudo", "xargs", "bash -c", "ssh web-01", "psql".
	Via []string
	// Remote names the other machine or container the act runs on ("ssh
	// web-01", "docker exec shop-db"), or is empty. Its paths are there, not here.
	Remote string
	// Conditional is set on acts that may not run (a branch, `||`, a trap).
	Conditional bool
	// Appended is set where the wrapper adds words of its own that are not on
	// the line (xargs, find -exec {} +, parallel): operands unknown, present.
	Appended bool
	// Code marks words of Argv that are program text and were read: bit i for
	// Argv[i], words past the 64th are never marked. What such text does is in acts
	// of its own, so what it merely mentions costs nothing.
	Code uint64
	// Source is the piece of the line the act was read from, capped at 200 bytes.
	Source string
}

// IsCode reports whether Argv[i] is program text whose effects are acts of
// their own.
func (a *Act) IsCode(i int) bool { return i >= 0 && i < 64 && a.Code&(1<<i) != 0 }

// Name is the program's table name: the base name, lower case on the dialects
// that ignore case, without `.exe`, `.cmd`, `.bat` or `.ps1`. An act whose
// program is not known has the empty name.
func (a *Act) Name() string {
	if len(a.Argv) == 0 {
		return ""
	}
	s, ok := a.Argv[0].Known()
	if !ok {
		return ""
	}
	return ProgramName(s)
}

// ProgramName strips directories and Windows suffixes from a program word.
func ProgramName(s string) string {
	s = strings.ReplaceAll(s, `\`, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		switch strings.ToLower(s[i:]) {
		case ".exe", ".cmd", ".bat", ".ps1", ".com":
			s = s[:i]
		}
	}
	return s
}

// Assign is one variable set in front of a command.
type Assign struct {
	Name  string
	Value Word
}

// RedirOp says what a redirection does with its target.
type RedirOp uint8

const (
	// ReadFrom is `<`.
	ReadFrom RedirOp = iota
	// WriteTo is `>`, `>|`, `&>`: the old content is gone.
	WriteTo
	// AppendTo is `>>`, `&>>`.
	AppendTo
	// ReadWrite is `<>`.
	ReadWrite
)

// Redir is one redirection to or from a file. Descriptor copies (`2>&1`) and
// heredocs are not among them; heredocs are [Stdin].
type Redir struct {
	Op     RedirOp
	FD     int // the descriptor; -1 for both output descriptors (`&>`)
	Target Word
}

// StdinKind says where standard input comes from.
type StdinKind uint8

const (
	// Inherited is the terminal or whatever the line was started with.
	Inherited StdinKind = iota
	// Pipe is the output of earlier acts.
	Pipe
	// Heredoc is a heredoc or here-string of the line.
	Heredoc
	// File is an input redirection.
	File
)

// Stdin is the source of an act's standard input.
type Stdin struct {
	Kind StdinKind
	// From are the indexes in [Reading.Acts] of the acts that write the pipe.
	From []int
	// Text is the content, as far as the line tells: a heredoc's body, what
	// echo, printf or cat put into the pipe.
	Text Word
	// HasText is set where Text says what is read (it may still have unknown
	// parts).
	HasText bool
}

// PartKind says what is known of a part of a word.
type PartKind uint8

const (
	// Lit is text that is known.
	Lit PartKind = iota
	// Unset is a variable that is set nowhere: it expands to nothing.
	Unset
	// Unknown is text nobody can tell: a command's output, a variable read from a
	// file, an argument of a script.
	Unknown
	// Glob is an unquoted pattern; Text holds the pattern itself.
	Glob
	// Opaque is unknown text that is not empty and holds no slash and no space: a
	// process id, a number, a loop counter, a hash.
	Opaque
	// TempPath is the name of a fresh file or directory inside scratch, as
	// mktemp returns it: absolute, not the scratch root itself.
	TempPath
)

// Part is a piece of a word.
type Part struct {
	Kind PartKind
	// Text is the text of a Lit or Glob part, what the part was written as
	// otherwise (`$BUILD_OUT`, `$(date)`).
	Text string
	// Why says why the part is not known ("BUILD_OUT is not set", "output of date").
	Why string
	// Quoted is set on parts that came from inside quotes: no flag and no glob by
	// accident, and no further splitting.
	Quoted bool
}

// Word is one word of a command after expansion: a list of parts, neighbours of
// one kind merged.
type Word struct {
	Parts []Part
}

// Text makes a known word.
func Text(s string) Word { return Word{Parts: []Part{{Kind: Lit, Text: s}}} }

// Known is the word's text and true where every part is literal. The empty word
// is known.
func (w Word) Known() (string, bool) {
	switch len(w.Parts) {
	case 0:
		return "", true
	case 1:
		return w.Parts[0].Text, w.Parts[0].Kind == Lit
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != Lit {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

// Is reports whether the word is known and equal to s.
func (w Word) Is(s string) bool {
	t, ok := w.Known()
	return ok && t == s
}

// Prefix is the literal text the word begins with.
func (w Word) Prefix() string {
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != Lit {
			break
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// String is the word as a person may read it: known text as it is, the rest as
// it was written.
func (w Word) String() string {
	var b strings.Builder
	for _, p := range w.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Why joins the reasons of the parts that are not known, without repeats.
func (w Word) Why() string {
	var out []string
	for _, p := range w.Parts {
		if p.Kind == Lit || p.Why == "" {
			continue
		}
		seen := false
		for _, o := range out {
			seen = seen || o == p.Why
		}
		if !seen {
			out = append(out, p.Why)
		}
	}
	return strings.Join(out, "; ")
}
