package acts

import "strings"

// readWindows reads src, a command line of PowerShell or cmd.exe, into s.
//
// Cmdlets come out under their usual names with their parameters spelled out
// (`ri x -r` is `Remove-Item x -Recurse`), switches that are turned off left
// out, and commands of cmd under theirs (`erase` is `del`). Paths that come down
// a pipeline are put among a cmdlet's words where the pipeline says them; where
// it does not, the act is [Act.Appended].
func readWindows(d Dialect, src string, s sink) {
	if d == Cmd {
		steps := winSteps(src)
		r := &cmdReader{s: s, src: src, vars: map[string]Word{}, steps: &steps}
		r.list(false)
		if steps <= 0 && s.More() {
			s.Emit(Act{Kind: Unread, Text: winClip(src), Why: "too much to read", Source: winClip(src)})
		}
		return
	}
	p := newPS(s, src)
	p.block(0)
	if p.st.steps <= 0 && s.More() {
		s.Emit(Act{Kind: Unread, Text: winClip(src), Why: "too much to read", Source: winClip(src)})
	}
}

// looksWindows is PowerShell or Cmd where src can only be theirs, else Auto. It
// looks at the words in command position alone, and at those of later statements
// only where no heredoc could make them text.
func looksWindows(src string) Dialect {
	heads := winHeads{src: src}
	first := true
	for heads.next() {
		d := heads.judge()
		if d == Auto && !heads.bourne && winDrivePath(heads.rest) {
			// A bare C:\x is no path to a Bourne shell, which would take the
			// backslashes away.
			if d = PowerShell; cmdBuiltin(heads.head) == "echo" || strings.EqualFold(heads.head, "type") {
				d = Cmd
			}
		}
		if d != Auto {
			return d
		}
		if heads.bourne {
			return Auto
		}
		if first && strings.Contains(src, "<<") {
			return Auto
		}
		first = false
	}
	return Auto
}

// winHeads walks the words in command position of a text that may be any
// shell's.
type winHeads struct {
	src    string
	pos    int
	head   string // the word in command position
	rest   string // what follows it, up to the end of the simple command
	bourne bool   // a word that only the Bourne family has
	count  int
}

// next moves to the next word in command position.
func (h *winHeads) next() bool {
	if h.count++; h.count > 200 {
		return false
	}
	s := h.src
	for h.pos < len(s) {
		switch c := s[h.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';' || c == '|' || c == '}':
			h.pos++
		case c == '&' && h.pos > 0:
			h.pos++
		case c == '#':
			if i := strings.IndexByte(s[h.pos:], '\n'); i >= 0 {
				h.pos += i
			} else {
				h.pos = len(s)
			}
		case c == '<' && strings.HasPrefix(s[h.pos:], "<#"):
			i := strings.Index(s[h.pos:], "#>")
			if i < 0 {
				return false
			}
			h.pos += i + 2
		default:
			h.word()
			return true
		}
	}
	return false
}

// word takes the word at the cursor as the head and moves behind its command.
func (h *winHeads) word() {
	s := h.src
	i := h.pos
	for i < len(s) && strings.IndexByte(" \t\r\n;|&()<>{}", s[i]) < 0 {
		if s[i] == '\'' || s[i] == '"' {
			i = winSkipQuote(s, i)
			continue
		}
		i++
	}
	if i == h.pos {
		i++
	}
	h.head = s[h.pos:min(i, len(s))]
	from := i
	depth := 0
	for i < len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			i = winSkipQuote(s, i)
			continue
		case c == '\\' && i+1 < len(s) && s[i+1] == '\n', c == '`' && i+1 < len(s) && s[i+1] == '\n':
			i++
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case (c == '\n' || c == ';' || c == '|' || c == '&') && depth <= 0 && !(c == '&' && i > 0 && s[i-1] == '>'):
			h.rest = s[min(from, i):i]
			h.pos = i
			return
		}
		i++
	}
	h.rest = s[min(from, len(s)):]
	h.pos = len(s)
}

// winSkipQuote is the index behind the quoted text at i, the end of the line
// where a quote (an apostrophe of prose) is not closed.
func winSkipQuote(s string, i int) int {
	q := s[i]
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\', '`':
			if q == '"' {
				j++
			}
		case q:
			return j + 1
		}
	}
	return len(s)
}

// judge says which dialect the head can only be of.
func (h *winHeads) judge() Dialect {
	w := h.head
	low := strings.ToLower(w)
	switch w {
	case "fi", "done", "esac", "then", "export", "local", "[[", "[", "elif", "do", "source", "alias", "unset", "declare", "trap", "eval", "set", "case", "let", "shopt", "ulimit":
		if w == "set" {
			break
		}
		h.bourne = true
		return Auto
	}
	if winVerbNoun(w) && (w[0] <= 'Z' && winNounCapital(w) || winLookup(w) != nil || winKnownCmdlet(low)) {
		return PowerShell
	}
	switch {
	case w == "(" || strings.HasPrefix(w, "("):
		inner := strings.TrimLeft(h.src[max(0, h.pos-len(h.rest)-len(w)):], "( \t")
		if i := strings.IndexAny(inner, " \t)"); i > 0 && winVerbNoun(inner[:i]) && winNounCapital(inner[:i]) {
			return PowerShell
		}
	case strings.HasPrefix(w, "[") && len(w) > 2 && winLetter(w[1]):
		// [IO.File]::Delete(...), [void](...)
		if i := strings.IndexByte(w, ']'); i > 1 && (strings.HasPrefix(w[i+1:], "::") || w == "[void]" || strings.HasPrefix(w[i+1:], "$")) {
			return PowerShell
		}
	case strings.HasPrefix(w, "$"):
		if winAssigns(w, h.rest) {
			return PowerShell
		}
		if strings.HasPrefix(low, "$env:") {
			return PowerShell
		}
	case strings.HasPrefix(w, "@"):
		if low == "@echo" {
			return Cmd
		}
	case w == "&" && strings.TrimSpace(h.rest) != "":
		return PowerShell
	case strings.HasPrefix(w, `.\`):
		return PowerShell
	case strings.HasPrefix(w, "::"):
		return Cmd
	}
	rest := strings.TrimSpace(h.rest)
	args := strings.Fields(rest)
	switch low {
	case "if":
		return h.judgeIf(rest)
	case "foreach":
		if strings.HasPrefix(rest, "($") || strings.HasPrefix(rest, "( $") {
			return PowerShell
		}
	case "while", "switch", "elseif":
		if strings.HasPrefix(rest, "($") || strings.HasPrefix(rest, "(-not") || strings.HasPrefix(rest, "(Test-") || strings.HasPrefix(rest, "(Get-") {
			return PowerShell
		}
	case "try", "param", "catch", "finally":
		if strings.HasPrefix(rest, "{") || low == "param" && strings.HasPrefix(rest, "(") {
			return PowerShell
		}
	case "function":
		if len(args) > 0 && winVerbNoun(strings.TrimRight(args[0], "{(")) && winNounCapital(args[0]) {
			return PowerShell
		}
	case "for":
		if strings.HasPrefix(rest, "%") || len(args) > 1 && strings.HasPrefix(args[0], "/") && len(args[0]) == 2 && strings.Contains(rest, "%") {
			return Cmd
		}
	case "rem":
		return Cmd
	case "set":
		if len(args) > 0 && (strings.HasPrefix(args[0], "\"") && strings.Contains(rest, "=") || args[0] == "/p" || args[0] == "/a" || winSetName(args[0])) {
			return Cmd
		}
	case "setlocal", "endlocal", "robocopy", "xcopy", "findstr", "forfiles", "icacls", "takeown", "schtasks", "wmic", "vssadmin", "bcdedit", "taskkill", "tasklist":
		// Programs of Windows alone: backslashes are separators on their lines.
		return Cmd
	case "format":
		if len(args) > 0 && len(args[0]) == 2 && args[0][1] == ':' && winLetter(args[0][0]) {
			return Cmd
		}
	case "cd", "chdir":
		if len(args) > 1 && strings.EqualFold(args[0], "/d") {
			return Cmd
		}
	}
	if a, sure := winAlias(w); a != "" {
		if winHasParam(winLookup(a), args) {
			return PowerShell
		}
		sl := winSwitch(args)
		switch low {
		case "del", "erase":
			if sl {
				return Cmd
			}
			return PowerShell
		case "rd", "rmdir", "md", "mkdir", "copy", "move", "ren", "dir", "type", "start":
			if sl {
				return Cmd
			}
			if winBackslash(args) && (sure || low == "type" || low == "dir") {
				if low == "type" || low == "dir" {
					return Cmd
				}
				return PowerShell
			}
			return Auto
		}
		if sure {
			return PowerShell
		}
		switch low {
		case "ri", "ni", "gi", "gc", "sc", "ac", "sl", "iex", "rp", "sp", "si":
			if winBackslash(args) || strings.Contains(rest, "$env:") || low == "iex" && (strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "$") || strings.HasPrefix(rest, "\"") || h.count > 1) {
				return PowerShell
			}
		}
		if strings.Contains(strings.ToLower(rest), "$env:temp") || strings.Contains(strings.ToLower(rest), "$env:tmp") || strings.Contains(strings.ToLower(rest), "$env:userprofile") || strings.Contains(strings.ToLower(rest), "$env:localappdata") {
			return PowerShell
		}
		return Auto
	}
	switch base, glued, _ := strings.Cut(low, "/"); base {
	case "rd", "rmdir", "del", "erase", "copy", "move", "dir":
		if len(glued) == 1 || len(glued) > 1 && glued[1] == '/' {
			return Cmd
		}
	}
	if low == "rename" && winSwitch(args) {
		return Cmd
	}
	return Auto
}

// judgeIf tells `if (Test-Path x) {` and `if exist x` from the Bourne family's.
func (h *winHeads) judgeIf(rest string) Dialect {
	low := strings.ToLower(rest)
	low = strings.TrimPrefix(low, "not ")
	if strings.HasPrefix(low, "/i ") {
		return Cmd
	}
	for _, w := range [...]string{"exist ", "defined ", "errorlevel "} {
		if strings.HasPrefix(low, w) {
			return Cmd
		}
	}
	if strings.HasPrefix(low, "\"%") && strings.Contains(low, "==") || strings.HasPrefix(low, "%") && strings.Contains(low, "==") {
		return Cmd
	}
	if !strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "((") && !strings.HasPrefix(rest, "((Test-") && !strings.HasPrefix(rest, "((Get-") {
		return Auto
	}
	inner := strings.TrimLeft(rest, "( \t!")
	if strings.HasPrefix(inner, "$") && strings.Contains(rest, "{") || strings.HasPrefix(strings.ToLower(inner), "-not ") {
		return PowerShell
	}
	if i := strings.IndexAny(inner, " \t)"); i > 0 && winVerbNoun(inner[:i]) && winNounCapital(inner[:i]) {
		return PowerShell
	}
	return Auto
}

// winNounCapital reports whether both halves of a cmdlet's name begin with a
// capital, which no program of a Unix does.
func winNounCapital(w string) bool {
	i := strings.IndexByte(w, '-')
	return i > 0 && i+1 < len(w) && w[0] >= 'A' && w[0] <= 'Z' && w[i+1] >= 'A' && w[i+1] <= 'Z'
}

// winKnownCmdlet are common cmdlets in lower case that are not in the table of
// parameters.
func winKnownCmdlet(low string) bool {
	switch low {
	case "write-host", "write-output", "write-error", "write-warning", "get-command", "get-help", "get-member", "get-service", "stop-service", "start-service",
		"restart-service", "measure-object", "sort-object", "group-object", "format-table", "format-list", "out-null", "out-string", "convertfrom-csv",
		"import-csv", "import-module", "install-module", "set-executionpolicy", "get-date", "new-object", "split-path", "resolve-path", "get-location", "start-sleep", "get-variable", "set-variable":
		return true
	}
	return false
}

// winAssigns reports whether `$name` is assigned to: a Bourne line can not begin
// like that.
func winAssigns(w, rest string) bool {
	name := w[1:]
	if i := strings.IndexByte(name, '='); i > 0 {
		// `$x='a'`: in bash the result of an expansion, which never assigns.
		name = strings.TrimRight(name[:i], "+-")
		return winVarName(name)
	}
	rest = strings.TrimLeft(rest, " \t")
	return winVarName(name) && (strings.HasPrefix(rest, "= ") || strings.HasPrefix(rest, "+= ") || strings.HasPrefix(rest, "=@") || strings.HasPrefix(rest, "=$") || strings.HasPrefix(rest, "='") || strings.HasPrefix(rest, "=\""))
}

func winVarName(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !winName(s[i]) && s[i] != ':' && s[i] != '.' {
			return false
		}
	}
	return true
}

// winDrivePath reports whether a word of the rest of a command begins with a
// drive and a backslash, outside of quotes.
func winDrivePath(rest string) bool {
	for i := 0; i+3 < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\'' || c == '"':
			i = winSkipQuote(rest, i) - 1
		case c >= 'A' && c <= 'Z' && rest[i+1] == ':' && rest[i+2] == '\\' && winName(rest[i+3]):
			if i == 0 || strings.IndexByte(" \t>=(,", rest[i-1]) >= 0 {
				return true
			}
		}
	}
	return false
}

// winSetName reports whether `set` is given NAME=value as cmd has it: bash would
// set a positional parameter, which nobody spells so.
func winSetName(w string) bool {
	i := strings.IndexByte(w, '=')
	if i <= 0 || !winLetter(w[0]) {
		return false
	}
	return winVarName(w[:i])
}

// winHasParam reports whether one of args is a parameter of the cmdlet, in at
// least three letters with a capital: flags in clusters are no such thing.
func winHasParam(c *winCmdlet, args []string) bool {
	for _, a := range args {
		a, _, _ = strings.Cut(a, ":")
		if len(a) < 4 || a[0] != '-' || a[1] < 'A' || a[1] > 'Z' || a[2] < 'a' || a[2] > 'z' {
			continue
		}
		if _, _, ok := c.winParam(a[1:]); ok {
			return true
		}
	}
	return false
}

// winSwitch reports whether one of args is a switch of cmd: a slash and one
// letter, or several of them glued.
func winSwitch(args []string) bool {
	for _, a := range args {
		if len(a) >= 2 && a[0] == '/' && winLetter(a[1]) && (len(a) == 2 || a[2] == '/' || a[2] == ':') {
			return true
		}
	}
	return false
}

// winBackslash reports whether one of args is a path with backslashes: `.\x`,
// `C:\x`, `a\b`.
func winBackslash(args []string) bool {
	for _, a := range args {
		a = strings.Trim(a, `"'`)
		if strings.HasPrefix(a, `.\`) || strings.HasPrefix(a, `..\`) || len(a) > 2 && a[1] == ':' && a[2] == '\\' || strings.HasPrefix(a, `\\`) {
			return true
		}
		if i := strings.IndexByte(a, '\\'); i > 0 && i+1 < len(a) && winName(a[i-1]) && winName(a[i+1]) {
			return true
		}
	}
	return false
}
