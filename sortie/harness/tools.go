package harness

import (
	"encoding/json"
	"path"
	"strings"
)

// What harnesses have in common in the inputs of their tools: command lines as
// text or as words, folders to run them in, files and edits under a dozen names.

// shellInput reads what a shell tool runs, and where. The folder may be relative
// to the session's.
func shellInput(c *Call, in fields) {
	for _, key := range [...]string{"command", "cmd", "script", "CommandLine"} {
		if words, ok := in.words(key); ok {
			c.Command, c.Dialect = commandOf(words)
			if len(words) > 1 && path.Base(words[0]) == "apply_patch" {
				c.Files = patchFiles(words[1], "")
			}
			break
		}
		if c.Command = in.text(key); c.Command != "" {
			break
		}
	}
	moveTo(c, in.first("workdir", "working_directory", "dir_path", "directory", "cwd", "Cwd"))
	if c.Files == nil {
		c.Files = heredocPatch(c.Command)
	}
}

// moveTo puts a call into a folder of its own. Where the session's isn't known
// otherwise, it stays in Project: the sortie is looked for from there.
func moveTo(c *Call, dir string) {
	if dir == "" {
		return
	}
	if c.Project == "" {
		c.Project = c.Cwd
	}
	c.Cwd = within(c.Cwd, dir)
}

// within is dir seen from base.
func within(base, dir string) string {
	if base == "" || rooted(dir) {
		return dir
	}
	if strings.Contains(base, `\`) && !strings.Contains(base, "/") {
		return strings.TrimRight(base, `\`) + `\` + dir
	}
	return path.Join(base, dir)
}

// rooted reports whether a path is absolute on any system.
func rooted(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':'
}

// words is a field that holds a list of words. ok is false where it is no list.
func (f fields) words(name string) (words []string, ok bool) {
	raw := f.m[name]
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, item := range list {
		var s string
		if json.Unmarshal(item, &s) != nil {
			f.wrong(name, item, "a list of strings")
			continue
		}
		words = append(words, s)
	}
	return words, true
}

// list is a field that holds a list of objects.
func (f fields) list(name string) []fields {
	raw := f.m[name]
	if len(raw) == 0 || raw[0] != '[' {
		if len(raw) > 0 {
			f.wrong(name, raw, "a list")
		}
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	var out []fields
	for _, item := range items {
		o, ok := object(item, name, f.odd)
		if !ok {
			f.wrong(name, item, "a list of objects")
			continue
		}
		out = append(out, o)
	}
	return out
}

// number is a field that holds a whole number; 0 where it is absent or none.
func (f fields) number(name string) int {
	raw, ok := f.m[name]
	if !ok {
		return 0
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil || raw[0] == '"' || n != float64(int(n)) {
		f.wrong(name, raw, "a whole number")
		return 0
	}
	return int(n)
}

// commandOf is the command line that a list of words runs, and its dialect. A
// shell with a script is the script: `["bash","-lc","ls"]` runs ls.
func commandOf(words []string) (command, dialect string) {
	if len(words) == 0 {
		return "", ""
	}
	switch program(words[0]) {
	case "sh", "bash", "zsh", "dash", "ksh":
		for i, w := range words[1:] {
			if len(w) < 2 || w[0] != '-' || w[1] == '-' {
				break
			}
			if strings.ContainsRune(w, 'c') {
				// Words behind the script are its arguments: then the whole line says more.
				if i+3 == len(words) {
					return words[len(words)-1], ""
				}
				break
			}
		}
	case "powershell", "pwsh":
		for i, w := range words[1:] {
			switch strings.ToLower(w) {
			case "-command", "-c", "/command", "/c":
				return strings.Join(words[i+2:], " "), "powershell"
			}
		}
	case "cmd":
		for i, w := range words[1:] {
			switch strings.ToLower(w) {
			case "/c", "/k", "/s/c":
				return strings.Join(words[i+2:], " "), "cmd"
			}
		}
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(w))
	}
	return b.String(), ""
}

// program is the base name of a program, without .exe, in lower case.
func program(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(s), ".exe")
}

// quote is a word as a shell reads it back.
func quote(w string) string {
	plain := w != ""
	for i := range len(w) {
		c := w[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_./:=@%+,", c) >= 0)
	}
	if plain {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// fileInput reads the files of a writing tool, whatever its names for them. op
// is "" where the input has to say whether it writes or edits.
func fileInput(in fields, op string) []File {
	// A patch is a patch under any tool's name.
	for _, key := range [...]string{"patch", "patchText", "patch_text", "input", "command"} {
		if files := patchFiles(in.quietText(key), ""); files != nil {
			return files
		}
	}
	where := in.first("file_path", "filePath", "path", "notebook_path", "notebookPath", "TargetFile", "target_file", "absolute_path", "filename")
	var files []File
	for _, key := range [...]string{"edits", "changes", "ReplacementChunks"} {
		if !in.has(key) {
			continue
		}
		for _, e := range in.list(key) {
			f := edit(e)
			if f.Path == "" {
				f.Path = where
			}
			if f.Path != "" {
				files = append(files, f)
			}
		}
	}
	if files != nil {
		return files
	}
	if where == "" {
		return nil
	}
	f := edit(in)
	f.Path, f.Content = where, in.first("content", "file_text", "fileText", "CodeContent", "contents", "file_content")
	switch {
	case op != "":
		f.Op = op
	case in.has("content") || in.has("file_text") || in.has("CodeContent") || in.has("contents"):
		f.Op = "write"
	}
	switch f.Op {
	case "write":
		f.Old, f.New = "", ""
	case "delete":
		f.Old, f.New, f.Content = "", "", ""
	}
	return []File{f}
}

// edit is one replacement, under any of its names.
func edit(in fields) File {
	return File{
		Path: in.first("file_path", "filePath", "path"),
		Op:   "edit",
		Old:  in.first("old_string", "oldString", "old_str", "oldText", "TargetContent"),
		New:  in.first("new_string", "newString", "new_str", "newText", "new_source", "ReplacementContent"),
	}
}

// quietText is a string field, without remembering one of another type.
func (f fields) quietText(name string) string {
	f.odd = nil
	return f.text(name)
}

// patchFiles reads the files of a patch in the `*** Begin Patch` form, both ends
// of a move. dir is the folder its paths are relative to; "" for the call's own.
// nil where the text is no patch.
//
// Every header counts, wherever it stands: the harness applies them all, so a
// reader that stops at the first one lets the others through unseen.
func patchFiles(body, dir string) []File {
	begin := strings.Index(body, "*** Begin Patch")
	if begin < 0 || strings.TrimSpace(body[:begin]) != "" {
		return nil
	}
	var files []File
	var old, fresh strings.Builder
	updating := false
	settle := func() {
		if n := len(files) - 1; n >= 0 {
			switch f := &files[n]; f.Op {
			case "write":
				f.Content = fresh.String()
			case "edit", "move":
				f.Old, f.New = old.String(), fresh.String()
			}
		}
		old.Reset()
		fresh.Reset()
	}
	start := func(name, op string) {
		settle()
		if name = strings.TrimSpace(name); name != "" {
			files = append(files, File{Path: within(dir, name), Op: op})
		}
		updating = op == "edit"
	}
	for line := range strings.Lines(body[begin:]) {
		line = strings.TrimRight(line, "\r\n")
		head := line
		if !updating {
			head = strings.TrimSpace(line) // inside an update a leading space is context
		}
		switch {
		case strings.HasPrefix(head, "*** Add File:"):
			start(head[len("*** Add File:"):], "write")
		case strings.HasPrefix(head, "*** Update File:"):
			start(head[len("*** Update File:"):], "edit")
		case strings.HasPrefix(head, "*** Delete File:"):
			start(head[len("*** Delete File:"):], "delete")
		case strings.HasPrefix(head, "*** Move to:"):
			to := strings.TrimSpace(head[len("*** Move to:"):])
			if n := len(files) - 1; n >= 0 && to != "" {
				files[n].Op = "delete"
				files = append(files, File{Path: within(dir, to), Op: "move"})
			}
		case strings.HasPrefix(line, "+"):
			fresh.WriteString(line[1:] + "\n")
		case strings.HasPrefix(line, "-"):
			old.WriteString(line[1:] + "\n")
		}
	}
	settle()
	return files
}

// heredocPatch reads the files of a command that is nothing but
// `apply_patch <<'EOF'`, with or without a `cd DIR &&` in front: Codex takes such
// a command for the patch it holds.
func heredocPatch(command string) []File {
	if !strings.Contains(command, "*** Begin Patch") {
		return nil
	}
	first, body, ok := strings.Cut(strings.TrimSpace(command), "\n")
	if !ok {
		return nil
	}
	dir := ""
	if rest, isCd := strings.CutPrefix(first, "cd "); isCd {
		var to string
		if to, first, ok = strings.Cut(rest, "&&"); !ok {
			return nil
		}
		if dir = unquote(strings.TrimSpace(to)); dir == "" {
			return nil
		}
	}
	head, mark, ok := strings.Cut(first, "<<")
	if !ok {
		return nil
	}
	if name := strings.TrimSpace(head); name != "apply_patch" && name != "applypatch" {
		return nil
	}
	mark = unquote(strings.TrimSpace(strings.TrimPrefix(mark, "-")))
	body, tail, ok := cutLine(body, mark)
	if mark == "" || !ok || strings.TrimSpace(tail) != "" {
		return nil // something else runs behind it
	}
	return patchFiles(body, dir)
}

// cutLine cuts text at the first line that is exactly mark.
func cutLine(text, mark string) (before, after string, ok bool) {
	at := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == mark {
			return text[:at], text[at+len(line):], true
		}
		at += len(line)
	}
	return text, "", false
}

// unquote takes one pair of quotes off a word; "" for a word that needs a shell.
func unquote(w string) string {
	if len(w) > 1 && (w[0] == '\'' || w[0] == '"') && w[len(w)-1] == w[0] {
		w = w[1 : len(w)-1]
	}
	if strings.ContainsAny(w, "'\"$`\\&|;<>()\n") {
		return ""
	}
	return w
}

// otherKind is the kind of a tool that its harness's table doesn't name.
func otherKind(tool string, in fields) Kind {
	if strings.HasPrefix(tool, "mcp__") {
		return MCP
	}
	// One that takes a command line runs it, whatever it is called.
	for _, key := range [...]string{"command", "cmd"} {
		if raw := in.m[key]; len(raw) > 0 && (raw[0] == '"' || raw[0] == '[') {
			return Shell
		}
	}
	return OtherTool
}

// claudeMCP splits mcp__SERVER__TOOL.
func claudeMCP(c *Call) {
	c.Server, c.Verb, _ = strings.Cut(strings.TrimPrefix(c.Tool, "mcp__"), "__")
}

// tool reads what a call is for, once its harness's table has said the kind.
func tool(c *Call, in fields, kind Kind) {
	switch c.Kind = kind; kind {
	case Shell:
		shellInput(c, in)
	case Write:
		c.Files = fileInput(in, "")
	case MCP:
		if c.Server == "" && c.Verb == "" {
			claudeMCP(c)
		}
	}
}

// input is a tool's input: an object, or the JSON text of one as older builds
// send it, or a patch as it stands.
func (f fields) input(name string) (fields, json.RawMessage) {
	raw := f.m[name]
	if len(raw) == 0 || raw[0] != '"' {
		in, _ := f.sub(name)
		return in, raw
	}
	text := f.text(name)
	if in, ok := object(json.RawMessage(strings.TrimSpace(text)), name, f.odd); ok {
		return in, json.RawMessage(strings.TrimSpace(text))
	}
	return fields{m: map[string]json.RawMessage{"input": raw}, odd: f.odd, at: name}, raw
}
