package redline

import (
	"encoding/json"
	"strings"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// byRule prices a tool by the configuration's tool rules; the most exact pattern
// wins. false where no rule names it.
func (p *pricer) byRule() bool {
	best := -1
	for i, r := range p.o.Rules.Tools {
		if match(r.Pattern, p.call.Tool) && (best < 0 || len(r.Pattern) > len(p.o.Rules.Tools[best].Pattern)) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	r := p.o.Rules.Tools[best]
	for _, k := range r.Kinds {
		p.charge(-1, kindBit(k), "the configuration prices "+r.Pattern+" so", nil)
	}
	if len(r.Kinds) == 0 {
		p.spare(-1, "the configuration makes "+r.Pattern+" free")
	}
	return true
}

// match reports whether name fits a pattern in which `*` stands for any run of
// characters.
func match(pattern, name string) bool {
	lead, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, lead) {
		return false
	}
	name = name[len(lead):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], more
	}
}

// place says where a path that a tool names lands.
func (p *pricer) place(path string) acts.Place {
	if p.blank == nil {
		p.blank = acts.Read("", acts.Options{Dir: slashes(p.o.Dir), Env: p.o.Env})
	}
	return p.blank.Place(acts.Text(slashes(p.o.Dir)), acts.Text(path))
}

// files prices a tool that writes files by name.
func (p *pricer) files() {
	if len(p.call.Files) == 0 {
		// A writing tool whose file could not be read: nothing is known, and nothing
		// can be compared.
		return
	}
	for _, f := range p.call.Files {
		p.file(f)
	}
}

func (p *pricer) file(f harness.File) {
	path := resolve(p.o.Dir, homeDir(p.o.Env), f.Path)
	if pat, ok := p.prod.in(path); ok {
		p.charge(-1, bitProduction, "writes "+clip(path, 120)+", which is in "+pat, nil)
	}
	if kind := manifest(path); kind != "" && f.Op != "delete" {
		old, now := f.Old, f.New
		if f.Op == "write" || f.Content != "" {
			old, now = "", f.Content
		}
		if name := added(kind, old, now); name != "" {
			p.charge(-1, dep, "adds "+clip(name, 60)+" to "+base(path), nil)
		}
	}
	p.filePilot(path, f)
	if p.o.Named != nil && f.Op != "delete" && !p.asked(path) {
		p.out.Unnamed = append(p.out.Unnamed, path)
		p.charge(-1, bitUnnamed, base(path)+" was not named by the person", nil)
	}
	// A file deleted by an editing tool is gone as if by rm.
	if f.Op == "delete" && !p.moved() {
		if pl := p.place(f.Path); !pl.Scratch {
			if tree, ok := within(p.o.Rules.Free, path); ok {
				p.spare(-1, path+" is in the free tree "+tree)
			} else {
				p.charge(-1, irr, "deletes "+clip(path, 120), nil)
			}
		}
	}
}

// moved reports whether every file that goes is the old name of one that comes: a
// move is no loss.
func (p *pricer) moved() bool {
	gone, come := 0, 0
	for _, f := range p.call.Files {
		switch f.Op {
		case "delete":
			gone++
		case "move":
			come++
		}
	}
	return gone <= come
}

// asked reports whether the person named a file of that name.
func (p *pricer) asked(path string) bool {
	b := strings.ToLower(base(path))
	for _, n := range p.o.Named {
		if n == b {
			return true
		}
	}
	return false
}

// tool prices a tool that is neither a shell nor an editor: by the verb in its
// name and by what its arguments carry.
func (p *pricer) tool() {
	name := p.call.Verb
	if name == "" {
		name = p.call.Tool
		if i := strings.LastIndex(name, "__"); i >= 0 {
			name = name[i+2:]
		}
	}
	kind := toolVerb(name)
	var args map[string]json.RawMessage
	_ = json.Unmarshal(p.call.Input, &args) // no object: no arguments to look at
	paths := toolPaths(args)
	if kind != 0 {
		scratch := len(paths) > 0
		for _, s := range paths {
			scratch = scratch && p.place(s).Scratch
		}
		if kind&irr != 0 && scratch {
			kind &^= irr
		}
		p.charge(-1, kind, "its name says "+name, nil)
	}
	if !looksOnly(name) && len(p.prod) > 0 {
		for _, s := range paths {
			if pat, ok := p.prod.in(resolve(p.o.Dir, homeDir(p.o.Env), s)); ok {
				p.charge(-1, bitProduction, "writes "+clip(s, 120)+", which is in "+pat, nil)
			}
		}
	}
	if !looksOnly(name) {
		if content, ok := text(args["content"]); ok && len(paths) > 0 && toolWrites(name) {
			f := harness.File{Path: paths[0], Op: "write", Content: content}
			p.file(f)
		}
	}
	if !searches(name) {
		p.carried(args)
	}
	p.out.Unknown = kind == 0 && !looksOnly(name) && len(p.out.Charges) == 0
}

// carried prices SQL and shell lines among a tool's arguments.
func (p *pricer) carried(args map[string]json.RawMessage) {
	for _, key := range [...]string{"sql", "query", "statement", "sql_query", "sqlQuery", "queries", "statements"} {
		for _, s := range texts(args[key]) {
			if destroysSQL(s) {
				p.charge(-1, irr, "the argument "+key+" holds SQL that destroys", nil)
			}
			if deletingMutation(s) {
				p.charge(-1, irr, "the argument "+key+" holds a mutation that deletes", nil)
			}
		}
	}
	for _, key := range [...]string{"command", "cmd", "script", "shell_command", "commands"} {
		lines := texts(args[key])
		if len(lines) == 0 || p.out.Reading != nil {
			continue
		}
		line := lines[0]
		if len(lines) > 1 {
			if key == "commands" {
				line = strings.Join(lines, "\n")
			} else {
				line = quoteWords(lines)
			}
		}
		dir := p.o.Dir
		for _, k := range [...]string{"cwd", "workdir", "working_directory", "workingDirectory", "dir_path"} {
			if s, ok := text(args[k]); ok && s != "" {
				dir = resolve(p.o.Dir, homeDir(p.o.Env), s)
			}
		}
		p.out.Reading = acts.Read(line, acts.Options{Dir: slashes(dir), Env: p.o.Env})
		p.command()
	}
}

// quoteWords joins the words of an argv so that a shell takes them apart again.
func quoteWords(argv []string) string {
	var b strings.Builder
	for i, s := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("'" + strings.ReplaceAll(s, "'", `'\''`) + "'")
	}
	return b.String()
}

func text(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

func texts(raw json.RawMessage) []string {
	if s, ok := text(raw); ok {
		return []string{s}
	}
	var list []string
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// toolPaths are the paths among a tool's arguments, by their usual names.
func toolPaths(args map[string]json.RawMessage) []string {
	var out []string
	for _, key := range [...]string{"path", "file_path", "filePath", "filepath", "filename", "file", "target_file", "destination", "dest", "new_path", "newPath", "source", "old_path", "directory", "dir", "paths", "files", "relative_path", "notebook_path"} {
		for _, s := range texts(args[key]) {
			if s != "" && !strings.Contains(s, "\n") {
				out = append(out, s)
			}
		}
	}
	return out
}

// mcpPaths are the paths a tool call would write to.
func mcpPaths(c *harness.Call) []string {
	name := c.Verb
	if name == "" {
		name = c.Tool
	}
	if looksOnly(name) {
		return nil
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Input, &args) != nil {
		return nil
	}
	out := toolPaths(args)
	return out[:min(len(out), maxTrees)]
}

// looksOnly reports whether a tool's name says that it only looks: its first or
// its last word does.
func looksOnly(name string) bool {
	first, last := ends(name)
	return lookWord(first) || lookWord(last)
}

func lookWord(w string) bool {
	switch w {
	case "get", "list", "search", "read", "describe", "find", "fetch", "view", "show", "count", "check", "snapshot", "lookup", "resolve", "inspect", "info", "status", "tree", "stat", "head", "diff", "explain", "summarize", "analyze", "validate", "preview", "screenshot", "whoami", "history", "logs", "log", "grep", "glob", "browse", "download", "retrieve":
		return true
	}
	return false
}

// searches reports whether a tool's query is words to search for, not SQL.
func searches(name string) bool {
	first, last := ends(name)
	for _, w := range [...]string{first, last} {
		switch w {
		case "search", "find", "lookup", "grep", "browse":
			return true
		}
	}
	return false
}

// ends are the first and the last word of a name.
func ends(name string) (first, last string) {
	for w := range words(name) {
		if first == "" {
			first = w
		}
		last = w
	}
	return first, last
}

func toolWrites(name string) bool {
	for w := range words(name) {
		switch w {
		case "write", "create", "save", "edit", "update", "put", "append", "insert", "replace", "modify", "overwrite":
			return true
		}
	}
	return false
}

// toolVerb is what a tool's name says it costs.
func toolVerb(name string) bit {
	if looksOnly(name) {
		return 0
	}
	var kind bit
	var makes, shared, draft bool
	for w := range words(name) {
		switch w {
		case "send", "post", "publish", "unpublish", "merge", "comment", "upload", "deploy", "reply", "forward", "notify", "tweet", "retweet", "broadcast", "push", "fork", "invite", "share", "submit", "email":
			kind |= outw
		case "delete", "drop", "purge", "truncate", "force", "destroy", "wipe", "erase", "remove":
			kind |= irr
		case "create", "update", "add", "edit", "close", "open", "reopen", "assign", "request", "approve", "dispatch", "trigger":
			makes = true
		case "pull", "issue", "release", "repository", "repo", "gist", "review", "ticket", "message", "invitation", "workflow", "discussion", "pr", "mr", "webhook", "milestone":
			shared = true
		case "draft", "drafts", "stage", "local":
			draft = true
		}
	}
	if makes && shared {
		kind |= outw
	}
	if draft && makes && !shared {
		kind = 0
	}
	return kind
}
