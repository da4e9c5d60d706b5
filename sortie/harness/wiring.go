package harness

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"
)

// Scope is whose settings a file holds.
type Scope string

// The scopes. Not every harness has each.
const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local" // the project's, kept out of version control
)

// Format is how a settings file is written.
type Format string

// The formats.
const (
	JSON   Format = "json"
	JSONC  Format = "jsonc" // JSON with comments, which must survive an edit
	TOML   Format = "toml"
	Module Format = "module" // a JavaScript file that is ours whole
)

// Place is one file in which a harness looks for hooks.
type Place struct {
	Scope  Scope
	Format Format
	// Env is a variable that names the folder used instead of Dir; "" for none.
	Env string
	// Dir is the folder below the person's home (User) or the project (Project,
	// Local), with forward slashes.
	Dir string
	// File is the file below that folder, with forward slashes.
	File string
	// Sign is the folder or file below home or project whose presence says that
	// the harness is used there; "" for Dir. Dir alone would take every project on
	// GitHub for one of Copilot's.
	Sign string
}

// Path is where the file is. root is the person's home for the scope User, else
// the project's folder; env looks variables up ("" for unset).
func (p Place) Path(root string, env func(string) string) string {
	if p.Env != "" {
		if dir := env(p.Env); dir != "" {
			return filepath.Join(dir, filepath.FromSlash(p.File))
		}
	}
	return filepath.Join(root, filepath.FromSlash(p.Dir), filepath.FromSlash(p.File))
}

// SignPath is the folder whose presence says that the harness is used there.
func (p Place) SignPath(root string, env func(string) string) string {
	if p.Env != "" {
		if dir := env(p.Env); dir != "" {
			if rest := strings.TrimPrefix(p.Sign, p.Dir); p.Sign != "" && rest != p.Sign {
				return filepath.Join(dir, filepath.FromSlash(rest))
			}
			return dir
		}
	}
	if p.Sign != "" {
		return filepath.Join(root, filepath.FromSlash(p.Sign))
	}
	return filepath.Join(root, filepath.FromSlash(p.Dir))
}

// Shape is how a settings file holds its hooks.
type Shape uint8

// The shapes.
const (
	// Nested: {"hooks":{EVENT:[{"matcher":M,"hooks":[HANDLER]}]}}.
	Nested Shape = iota
	// Flat: {"version":1,"hooks":{EVENT:[HANDLER]}}; a handler carries its matcher.
	Flat
	// Whole: the file is ours, its text is Wire.Plugin.
	Whole
)

// Wired is one event that is wired.
type Wired struct {
	Event Event         // neutral
	Name  string        // as the harness spells it, in its settings and for --event
	Limit time.Duration // the handler's time limit
	// Guard is the guard that alone needs the event ("automode"); "" for an event
	// that is always wired.
	Guard string
}

// Shelf is a top-level key that a settings file needs besides its hooks.
type Shelf struct {
	Key   string
	Value int
}

// Runner is one key of a handler that holds a command line, and the shell that
// reads it.
type Runner struct {
	Key string // "command", "bash", "powershell"
	// Shell reads the line on Unix, Windows on Windows: "powershell", or "" for one
	// that takes a quoted path as a program (sh, Git's bash, cmd).
	Shell, Windows string
	// Guarded is set where a command that can't be found must not count as a
	// denial: the line then ends in success whatever happens.
	Guarded bool
}

// Wire is how one harness is wired, as data for whoever edits its settings.
type Wire struct {
	Name  string // as --harness spells it
	Title string // as its maker spells it
	// Places are the files that can hold our entries, the first of a scope is the
	// one that is written.
	Places []Place
	// Others are further files from which the harness takes hooks: an entry there
	// counts, and one in both runs twice.
	Others []Place

	Shape Shape
	// Head is a top-level key that the file must have; its zero value means none.
	Head   Shelf
	Events []Wired
	// Typed is set where a handler says "type":"command".
	Typed   bool
	Runners []Runner
	// LimitKey holds the time limit, counted in LimitUnit; "" where a handler that
	// has one is skipped.
	LimitKey  string
	LimitUnit time.Duration
	// Matcher is written into each group where it is not nil; nil: no matcher.
	Matcher *string
	// MatchAll are the values that reach every tool besides no matcher at all.
	MatchAll []string
	// Anchored is set where a matcher has to match a tool's whole name; else a
	// regular expression may hit anywhere in it.
	Anchored bool
	// Listed is set where a matcher of plain names parted by | or , is a list of
	// exact names and no regular expression.
	Listed bool
	// Aliases are further names under which a tool can be matched, the alias first.
	Aliases [][2]string
	// Tools are the names of the tools that a matcher is tried against.
	Tools []string
	// Off are settings that switch every hook off, as key paths with the value
	// that does it ("disableAllHooks=true").
	Off []string

	Trust   string // what a person has to do before the hooks run; "" for nothing
	Restart string // when an edit is taken up
}

// In is the place that is written for a scope.
func (w Wire) In(s Scope) (Place, bool) {
	for _, p := range w.Places {
		if p.Scope == s {
			return p, true
		}
	}
	return Place{}, false
}

// Command is the command line of one event's entry. program is the binary as it
// is to be called, unquoted ("spar", or an absolute path).
func (w Wire) Command(r Runner, program, event string, windows bool) string {
	line := quoteProgram(program) + " hook --harness " + w.Name + " --event " + event
	shell := r.Shell
	if windows {
		shell = r.Windows
	}
	if shell == "powershell" {
		// A quoted path is a string to PowerShell until & calls it, and its older
		// builds know no ||.
		line = "& " + line
		if r.Guarded {
			line += "; exit 0"
		}
		return line
	}
	if r.Guarded {
		line += " || exit 0"
	}
	return line
}

// quoteProgram is a program as every shell takes it: with forward slashes, in
// double quotes where it is more than a plain name.
func quoteProgram(program string) string {
	program = strings.ReplaceAll(program, `\`, "/")
	if !strings.ContainsAny(program, "/ \t'&()") {
		return program
	}
	return `"` + program + `"`
}

// Field is one key of a handler with its value: a string or an int.
type Field struct {
	Key   string
	Value any
}

// Handler is the entry of one event, its keys in the order they are written.
// limit overrides the event's own where it is not zero.
func (w Wire) Handler(program string, e Wired, limit time.Duration, windows bool) []Field {
	var fields []Field
	if w.Typed {
		fields = append(fields, Field{"type", "command"})
	}
	for _, r := range w.Runners {
		fields = append(fields, Field{r.Key, w.Command(r, program, e.Name, windows)})
	}
	if w.LimitKey != "" {
		if limit == 0 {
			limit = e.Limit
		}
		fields = append(fields, Field{w.LimitKey, int(limit / w.LimitUnit)})
	}
	return fields
}

// PluginHead is the first line of a plugin file that is ours.
const PluginHead = "// spar: written by `spar install`; edits are lost, `spar uninstall` removes the file"

//go:embed opencode.js
var openCodePlugin string

// Plugin is the text of the plugin file of a harness of the shape Whole, with
// program, the binary as it is to be called, unquoted.
func (w Wire) Plugin(program string) string {
	quoted, _ := json.Marshal(program)
	return PluginHead + "\n" + strings.Replace(openCodePlugin, `"SPAR"`, string(quoted), 1)
}

// Time limits of entries: above the door's own, so that it is the door that
// gives up and says so (hook.PassLimit, hook.StopLimit).
const (
	entryLimit = 10 * time.Second
	stopLimit  = 60 * time.Second
)

// Wired harnesses, in the order they are listed to a person.
func wirings() []string {
	return []string{"claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "muse"}
}

// Wirings lists the harnesses that can be installed into.
func Wirings() []string { return wirings() }

// Wiring is how a harness is wired. ok is false for one that is only read and
// answered (antigravity, grok, droid), for generic, and for an unknown name.
func Wiring(name string) (w Wire, ok bool) {
	empty := ""
	switch name {
	case "claude":
		return Wire{
			Name: name, Title: "Claude Code",
			Places: []Place{
				{Scope: User, Format: JSON, Env: "CLAUDE_CONFIG_DIR", Dir: ".claude", File: "settings.json"},
				{Scope: Project, Format: JSON, Dir: ".claude", File: "settings.json"},
				{Scope: Local, Format: JSON, Dir: ".claude", File: "settings.local.json"},
			},
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "UserPromptSubmit", entryLimit, ""},
				{PreTool, "PreToolUse", entryLimit, ""},
				{Permission, "PermissionRequest", entryLimit, "automode"},
				{Denied, "PermissionDenied", entryLimit, ""},
				{PostTool, "PostToolUse", entryLimit, ""},
				{PostFailure, "PostToolUseFailure", entryLimit, ""},
				{AgentStart, "SubagentStart", entryLimit, ""},
				{AgentStop, "SubagentStop", entryLimit, ""},
				{Stop, "Stop", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			Typed: true, Runners: []Runner{{Key: "command"}},
			LimitKey: "timeout", LimitUnit: time.Second,
			MatchAll: []string{"", "*", ".*"}, Listed: true,
			Tools: []string{"Bash", "PowerShell", "Monitor", "Write", "Edit", "NotebookEdit", "Read", "Glob", "Grep",
				"WebFetch", "WebSearch", "Agent", "mcp__server__tool"},
			Aliases: [][2]string{{"Task", "Agent"}},
			Off:     []string{"disableAllHooks=true"},
			Trust:   "Accept the workspace trust dialog for hooks in a project's settings.",
			Restart: "Restart Claude Code: a running session may keep the hooks it started with.",
		}, true
	case "codex":
		return Wire{
			Name: name, Title: "Codex CLI",
			Places: []Place{
				{Scope: User, Format: JSON, Env: "CODEX_HOME", Dir: ".codex", File: "hooks.json"},
				{Scope: User, Format: TOML, Env: "CODEX_HOME", Dir: ".codex", File: "config.toml"},
				{Scope: Project, Format: JSON, Dir: ".codex", File: "hooks.json"},
				{Scope: Project, Format: TOML, Dir: ".codex", File: "config.toml"},
			},
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "UserPromptSubmit", entryLimit, ""},
				{PreTool, "PreToolUse", entryLimit, ""},
				{Permission, "PermissionRequest", entryLimit, "automode"},
				{PostTool, "PostToolUse", entryLimit, ""},
				{AgentStart, "SubagentStart", entryLimit, ""},
				{AgentStop, "SubagentStop", entryLimit, ""},
				{Stop, "Stop", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			Typed: true, Runners: []Runner{{Key: "command"}},
			LimitKey: "timeout", LimitUnit: time.Second,
			MatchAll: []string{"", "*", ".*"},
			Tools:    []string{"Bash", "apply_patch", "spawn_agent", "view_image", "mcp__server__tool"},
			Aliases:  [][2]string{{"Write", "apply_patch"}, {"Edit", "apply_patch"}},
			Off:      []string{"features.hooks=false", "features.codex_hooks=false"},
			Trust: "Start codex once and accept \"Hooks need review\": until then the hooks are skipped, by codex exec without a word. " +
				"Every edit or reorder of the file asks for it again.",
			Restart: "Restart Codex.",
		}, true
	case "gemini":
		return Wire{
			Name: name, Title: "Gemini CLI",
			Places: []Place{
				{Scope: User, Format: JSONC, Dir: ".gemini", File: "settings.json"},
				{Scope: Project, Format: JSONC, Dir: ".gemini", File: "settings.json"},
			},
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "BeforeAgent", entryLimit, ""},
				{PreTool, "BeforeTool", entryLimit, ""},
				{PostTool, "AfterTool", entryLimit, ""},
				{Stop, "AfterAgent", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			Typed: true, Runners: []Runner{{Key: "command", Windows: "powershell", Guarded: true}},
			LimitKey: "timeout", LimitUnit: time.Millisecond,
			MatchAll: []string{"", "*"},
			Tools: []string{"run_shell_command", "write_file", "replace", "read_file", "read_many_files", "glob", "grep_search",
				"list_directory", "web_fetch", "google_web_search", "invoke_agent", "mcp_server_tool"},
			Off:     []string{"hooksConfig.enabled=false"},
			Trust:   "Trust the folder: in an untrusted one Gemini CLI runs no settings hook at all, a person's own included.",
			Restart: "Restart Gemini CLI.",
		}, true
	case "qwen":
		return Wire{
			Name: name, Title: "Qwen Code",
			Places: []Place{
				{Scope: User, Format: JSONC, Dir: ".qwen", File: "settings.json"},
				{Scope: Project, Format: JSONC, Dir: ".qwen", File: "settings.json"},
			},
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "UserPromptSubmit", entryLimit, ""},
				{PreTool, "PreToolUse", entryLimit, ""},
				{Permission, "PermissionRequest", entryLimit, "automode"},
				{Denied, "PermissionDenied", entryLimit, ""},
				{PostTool, "PostToolUse", entryLimit, ""},
				{PostFailure, "PostToolUseFailure", entryLimit, ""},
				{AgentStart, "SubagentStart", entryLimit, ""},
				{Stop, "Stop", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			Typed: true, Runners: []Runner{{Key: "command"}},
			LimitKey: "timeout", LimitUnit: time.Millisecond,
			MatchAll: []string{"", "*"},
			Tools: []string{"run_shell_command", "write_file", "edit", "read_file", "read_many_files", "glob", "grep_search",
				"list_directory", "web_fetch", "web_search", "task", "mcp__server__tool"},
			Aliases: [][2]string{{"Bash", "run_shell_command"}, {"Shell", "run_shell_command"}, {"Write", "write_file"},
				{"WriteFile", "write_file"}, {"Edit", "edit"}},
			Off:     []string{"disableAllHooks=true"},
			Trust:   "Trust the folder if Qwen Code asks for it.",
			Restart: "Restart Qwen Code.",
		}, true
	case "copilot":
		return Wire{
			Name: name, Title: "GitHub Copilot CLI",
			Places: []Place{
				{Scope: User, Format: JSON, Env: "COPILOT_HOME", Dir: ".copilot", File: "hooks/spar.json"},
				{Scope: Project, Format: JSON, Dir: ".github", File: "hooks/spar.json", Sign: ".github/hooks"},
			},
			Others: []Place{
				{Scope: User, Format: JSON, Env: "COPILOT_HOME", Dir: ".copilot", File: "settings.json"},
				{Scope: Project, Format: JSON, Dir: ".github", File: "copilot/settings.json"},
				{Scope: Project, Format: JSON, Dir: ".claude", File: "settings.json"},
				{Scope: Local, Format: JSON, Dir: ".claude", File: "settings.local.json"},
			},
			Shape: Flat, Head: Shelf{"version", 1},
			// PascalCase names: their payloads say which event they are, and their
			// matchers follow Claude's rules. SubagentStop is left out: no call says
			// which subagent made it, so each would look unseen. PermissionRequest is
			// left out: an allow before the call skips its prompt anyway, and there it
			// takes an answer it can't read for a denial.
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "UserPromptSubmit", entryLimit, ""},
				{PreTool, "PreToolUse", entryLimit, ""},
				{PostTool, "PostToolUse", entryLimit, ""},
				{PostFailure, "PostToolUseFailure", entryLimit, ""},
				{Stop, "Stop", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			Typed:    true,
			Runners:  []Runner{{Key: "bash", Guarded: true}, {Key: "powershell", Shell: "powershell", Windows: "powershell", Guarded: true}},
			LimitKey: "timeoutSec", LimitUnit: time.Second,
			MatchAll: []string{"", "*"}, Listed: true,
			Tools:   []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "Agent"},
			Trust:   "Trust the folder for hooks of a repository; a person's own run everywhere.",
			Restart: "Restart Copilot CLI.",
		}, true
	case "opencode":
		return Wire{
			Name: name, Title: "OpenCode",
			Places: []Place{
				{Scope: User, Format: Module, Env: "XDG_CONFIG_HOME", Dir: ".config", File: "opencode/plugins/spar.js", Sign: ".config/opencode"},
				{Scope: Project, Format: Module, Dir: ".opencode", File: "plugins/spar.js"},
			},
			Shape: Whole,
			// What the plugin sends; there is no entry to write for each.
			Events: []Wired{
				{SessionStart, "session.created", entryLimit, ""},
				{Prompt, "chat.message", entryLimit, ""},
				{PreTool, "tool.execute.before", entryLimit, ""},
				{PostTool, "tool.execute.after", entryLimit, ""},
				{SessionEnd, "session.end", entryLimit, ""},
			},
			Off:     []string{"OPENCODE_PURE=1 (a variable)"},
			Restart: "Restart OpenCode: plugins are loaded at its start.",
		}, true
	case "cursor":
		return Wire{
			Name: name, Title: "Cursor",
			Places: []Place{
				{Scope: User, Format: JSON, Dir: ".cursor", File: "hooks.json"},
				{Scope: Project, Format: JSON, Dir: ".cursor", File: "hooks.json"},
			},
			Others: []Place{
				{Scope: User, Format: JSON, Env: "CLAUDE_CONFIG_DIR", Dir: ".claude", File: "settings.json"},
				{Scope: Project, Format: JSON, Dir: ".claude", File: "settings.json"},
				{Scope: Local, Format: JSON, Dir: ".claude", File: "settings.local.json"},
			},
			Shape: Flat, Head: Shelf{"version", 1},
			// preToolUse and postToolUse see every tool; the shell, MCP and file events
			// beside them would charge the same call a second time.
			Events: []Wired{
				{SessionStart, "sessionStart", entryLimit, ""},
				{Prompt, "beforeSubmitPrompt", entryLimit, ""},
				{PreTool, "preToolUse", entryLimit, ""},
				{PostTool, "postToolUse", entryLimit, ""},
				{PostFailure, "postToolUseFailure", entryLimit, ""},
				{Stop, "stop", stopLimit, ""},
				{SessionEnd, "sessionEnd", entryLimit, ""},
			},
			Runners:  []Runner{{Key: "command"}},
			LimitKey: "timeout", LimitUnit: time.Second,
			MatchAll: []string{"", "*"},
			Tools:    []string{"Shell", "Read", "Write", "Grep", "Delete", "Task", "MCP:tool"},
			Trust:    "Trust the workspace for hooks of a project.",
			Restart:  "Restart Cursor.",
		}, true
	case "muse":
		return Wire{
			Name: name, Title: "Muse Code",
			Places: []Place{
				{Scope: User, Format: JSON, Env: "XDG_CONFIG_HOME", Dir: ".config", File: "muse/settings.json", Sign: ".config/muse"},
			},
			Head: Shelf{"schema_version", 1},
			// SubagentStart is left out: its session is the subagent's, which would be
			// taken for one that flies a sortie of its own.
			Events: []Wired{
				{SessionStart, "SessionStart", entryLimit, ""},
				{Prompt, "UserPromptSubmit", entryLimit, ""},
				{PreTool, "PreToolUse", entryLimit, ""},
				{PostTool, "PostToolUse", entryLimit, ""},
				{Stop, "Stop", stopLimit, ""},
				{SessionEnd, "SessionEnd", entryLimit, ""},
			},
			// No limit: a handler with a field Muse doesn't know is skipped in silence.
			Typed: true, Runners: []Runner{{Key: "command"}},
			Matcher: &empty, MatchAll: []string{""},
			Tools:   []string{"bash", "write", "edit", "read"},
			Restart: "Restart Muse Code.",
		}, true
	}
	return Wire{}, false
}
