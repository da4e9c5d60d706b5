// Package automode judges tool calls in the stead of the person who would be
// asked. Its local tier knows the harmless majority of calls by their text: it
// allows a call, naming the exception that covers it, or passes it on with the
// reason. It never denies: a wrong allow is one unwatched act, a wrong denial is
// stopped work, and the rules that deny are prose that needs a reader.
package automode

import (
	"bytes"
	"strings"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// The exceptions an allow can rest on, as verdicts spell them.
const (
	ReadOnly      = "Read-only actions"
	Regenerable   = "Regenerable output"
	Scratch       = "Scratch space"
	Formatters    = "Formatters and linters"
	DryRuns       = "Dry runs"
	LocalServices = "Local and development services"
	BuildTest     = "Build and test"
	TreeEdit      = "Working tree edit"
	FeatureBranch = "The current feature branch"
)

// exception is an exception as the rows name it; the zero value is a plain read.
type exception uint8

const (
	reads exception = iota
	regenerable
	scratch
	formatters
	dryRuns
	localServices
	buildTest
	featureBranch
)

func (e exception) String() string {
	return [...]string{ReadOnly, Regenerable, Scratch, Formatters, DryRuns, LocalServices, BuildTest, FeatureBranch}[e]
}

// Verdict is what the local tier says of a call.
type Verdict struct {
	// Allow: the call is covered by Exception. Else it is passed on, for Why.
	Allow     bool
	Exception string
	Why       string
}

// String is the verdict as `explain` spells it.
func (v Verdict) String() string {
	if v.Allow {
		return "allow"
	}
	return "escalate"
}

// Facts are what is known of the repository a call works in. The zero value
// knows nothing, and then nothing rests on a branch.
type Facts struct {
	Branch        string `json:"branch"`
	DefaultBranch string `json:"default_branch"`
	Remote        string `json:"remote"`
}

// LocalOptions are what the local tier may know beside the call.
type LocalOptions struct {
	// Env is the whole environment of the call; absent names are unset.
	Env map[string]string
	// Tree is the work tree's top, absolute. Empty: the call's project, else its
	// directory.
	Tree string
	// Facts are the repository's.
	Facts Facts
	// BuildTest allows the project's own build and test commands (off by default:
	// they run what the agent has just written).
	BuildTest bool
	// ExtraReadOnly are whole commands, word for word, that the person counts
	// among the reads.
	ExtraReadOnly [][]string
	// Disk answers the few questions that the text can't; nil: by the text alone.
	Disk Disk
	// Reading is the call's command line where somebody has read it already, with
	// this environment and the call's directory.
	Reading *acts.Reading

	// fault is told what the belt in Local caught; tests panic on it.
	fault func(any)
}

// maxLine is the longest command line the local tier takes, in bytes; longer
// ones are for a reader.
const maxLine = 16 << 10

// Local judges a call by its text. It is pure but for what [LocalOptions.Disk]
// is asked.
func Local(call *harness.Call, o LocalOptions) (v Verdict) {
	// A belt: a fault in here must neither allow a call nor take the hook down.
	defer func() {
		if r := recover(); r != nil {
			if o.fault != nil {
				o.fault(r)
			}
			v = Verdict{Why: "the local tier failed on it"}
		}
	}()
	why := ""
	is := ReadOnly
	switch {
	case call == nil || call.Tool == "":
		why = "no tool is named"
	case harmlessTool(call.Tool) && call.Kind != harness.MCP:
		why = readTool(call, o)
	case call.Kind == harness.Shell:
		var e exception
		e, why = shell(call, o)
		is = e.String()
	case call.Kind == harness.Write:
		is, why = TreeEdit, edit(call, o)
	case call.Kind == harness.MCP:
		why = "a tool of a server can do anything under any name"
	default:
		why = "the tool " + call.Tool + " is not known to only read"
	}
	if why != "" {
		return Verdict{Why: why}
	}
	return Verdict{Allow: true, Exception: is}
}

// shell judges a command line.
func shell(call *harness.Call, o LocalOptions) (exception, string) {
	line := call.Command
	switch {
	case strings.TrimSpace(line) == "":
		return 0, "no command line is in view"
	case len(line) > maxLine:
		return 0, "the command line is longer than 16 KiB"
	case controls(line):
		return 0, "the line holds control characters"
	case unboxed(call.Input):
		return 0, "it asks to run outside the sandbox"
	case call.Dialect == "powershell":
		return reads, powershell(line, call, o)
	case call.Dialect != "":
		return 0, "lines of " + call.Dialect + " are not judged here"
	}
	sh, ok := acts.ShapeOf(line)
	if !ok {
		return 0, "the line can't be read to its end"
	}
	j := newJudge(call, o)
	if why := j.shape(&sh, 0); why != "" {
		return 0, why
	}
	if j.r = o.Reading; j.r == nil {
		j.r = acts.Read(line, acts.Options{Dialect: acts.Bourne, Dir: call.Cwd, Env: o.Env})
	}
	if j.r.Unparsed || j.r.Bound != "" || j.r.Dialect != acts.Bourne {
		return 0, "the line can't be read to its end"
	}
	for _, a := range j.r.Assigns {
		if !harmlessVar(a.Name) {
			return 0, "setting " + a.Name + " may change what later commands do"
		}
	}
	is, lands := reads, 0
	for i := range j.r.Acts {
		e, landed, why := j.act(i)
		if why != "" {
			return 0, why
		}
		lands += landed
		if e != reads {
			is = e
		}
	}
	if len(j.r.Acts) == 0 && len(sh.Commands) == 0 {
		return 0, "nothing in it is a command"
	}
	if name := j.unseen(); name != "" {
		return 0, "the reading passes over " + name
	}
	if j.lands > lands {
		return 0, "a redirection has no command that is known to run"
	}
	return is, ""
}

// unseen is a command of the text that is no act: the reading has held it for dead
// (it stands behind an exit), and nobody has judged its words.
func (j *judgement) unseen() string {
	for i, name := range j.heads {
		written, read := 0, 0
		for k, other := range j.heads {
			if other == name {
				if k < i {
					written = -1 // counted at its first place
					break
				}
				written++
			}
		}
		if written < 0 {
			continue
		}
		for k := range j.r.Acts {
			if j.r.Acts[k].Name() == name {
				read++
			}
		}
		if read < written {
			return name
		}
	}
	return ""
}

// controls reports characters that show one line and run another.
func controls(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}

// unboxed reports whether a shell call asks its harness to leave the sandbox.
func unboxed(input []byte) bool {
	for _, key := range [...]string{"dangerouslyDisableSandbox", "with_escalated_permissions", "require_escalated"} {
		if i := bytes.Index(input, []byte(key)); i >= 0 {
			rest := bytes.TrimLeft(input[i+len(key):], "\": \n\t")
			if !bytes.HasPrefix(rest, []byte("false")) {
				return true
			}
		}
	}
	return false
}

// judgement is one command line under judgement.
type judgement struct {
	call  *harness.Call
	o     *LocalOptions
	r     *acts.Reading
	tree  string
	home  string
	lands int      // redirections that write, as written
	hunts bool     // a secret is named somewhere on the line, if only as a pattern
	heads []string // the commands as written, wrappers taken off
}

func newJudge(call *harness.Call, o LocalOptions) *judgement {
	j := &judgement{call: call, o: &o, tree: o.Tree, home: o.Env["HOME"]}
	if j.tree == "" {
		if j.tree = call.Project; j.tree == "" {
			j.tree = call.Cwd
		}
	}
	j.tree = strings.TrimRight(j.tree, "/")
	if j.tree == "" || !strings.HasPrefix(j.tree, "/") || j.home != "" && (j.tree == strings.TrimRight(j.home, "/") || strings.HasPrefix(j.home, j.tree+"/")) {
		// The person's own folder, and what is above it, is no work tree.
		j.tree = ""
	}
	return j
}

// act judges one act; landed counts the redirections of it that write.
func (j *judgement) act(i int) (is exception, landed int, why string) {
	a := &j.r.Acts[i]
	switch {
	case a.Remote != "":
		return 0, 0, "it runs on another machine or in a container"
	case a.Kind == acts.SQL:
		if n := len(a.Via); n > 0 && (a.Via[n-1] == "psql" || a.Via[n-1] == "mysql") {
			return reads, 0, "" // the client's own row has read the statement
		}
		return 0, 0, "statements for a database that is not in view"
	case a.Kind != acts.Run && a.Kind != acts.Land:
		return 0, 0, "a part of it " + map[bool]string{true: "could not be read", false: "writes or removes"}[a.Kind == acts.Unread]
	}
	for k, v := range a.Via {
		if v == "find -exec" && k == len(a.Via)-1 {
			continue
		}
		if !passes(v) {
			return 0, 0, "what runs through " + v + " is not judged here"
		}
	}
	for _, v := range a.Assigns {
		if !harmlessVar(v.Name) && !(v.Name == "IFS" && a.Name() == "read") {
			return 0, 0, "setting " + v.Name + " may change what " + a.Name() + " does"
		}
	}
	if a.Kind == acts.Run {
		if is, why = j.run(i); why != "" {
			return 0, 0, why
		}
	}
	for _, rd := range a.Redirs {
		e, why := j.redirect(a, rd)
		if why != "" {
			return 0, 0, why
		}
		if rd.Op != acts.ReadFrom {
			landed++
		}
		if is == reads {
			is = e
		}
	}
	return is, landed, ""
}

// redirect judges one redirection of an act.
func (j *judgement) redirect(a *acts.Act, rd acts.Redir) (exception, string) {
	t, known := rd.Target.Known()
	if known && strings.HasPrefix(t, "/dev/fd/") {
		return reads, "" // a process substitution: its command is an act of its own
	}
	if rd.Op == acts.ReadFrom {
		if known && (strings.HasPrefix(t, "/dev/tcp/") || strings.HasPrefix(t, "/dev/udp/")) {
			return 0, "it opens a connection through " + t
		}
		if why := j.secretWord(rd.Target, a.Dir); why != "" {
			return 0, why
		}
		if !known && j.hunts {
			return 0, "what it reads is not in view"
		}
		return reads, ""
	}
	if known && (t == "/dev/null" || t == "/dev/stderr" || t == "/dev/stdout") {
		return reads, ""
	}
	if rd.Op == acts.ReadWrite {
		return 0, "it opens a file for reading and writing"
	}
	if why := j.scratchWord(rd.Target, a.Dir); why != "" {
		return 0, "it writes " + rd.Target.String() + ": " + why
	}
	return scratch, ""
}

// passes reports whether a wrapper is what it runs.
func passes(via string) bool {
	switch via {
	case "time", "timeout", "gtimeout", "nice", "ionice", "stdbuf", "command", "builtin", "env", "caffeinate", "xargs",
		"bash -c", "sh -c", "zsh -c", "dash -c", "ksh -c":
		return true
	}
	return false
}
