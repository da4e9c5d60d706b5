package harness

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const shop = "/home/dev/work/shop-api"

// onlyFile reports whether a call touches exactly one file, of the shop.
func onlyFile(c *Call, op, path string) bool {
	return c.Kind == Write && len(c.Files) == 1 && c.Files[0].Op == op && c.Files[0].Path == path
}

// payloads says of every recorded payload but Claude Code's (claude_test.go) what
// it has to be read into.
var payloads = map[string]func(c *Call) bool{
	"antigravity/PreToolUse_run_command.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.Command == "go test ./internal/coupon/..." && c.Cwd == shop && c.Session == "cv-fx-0001" && c.Window
	},
	"antigravity/PreToolUse_write_to_file.json": func(c *Call) bool {
		return c.Event == PreTool && onlyFile(c, "write", shop+"/internal/coupon/round.go") && c.Files[0].Content == "package coupon\n"
	},

	"codex/Interrupt.json": func(c *Call) bool { return c.Event == Other && c.Name == "Interrupt" },
	"codex/PermissionRequest.json": func(c *Call) bool {
		return c.Event == Permission && c.Command == "npm publish --access public" && c.Window
	},
	"codex/PermissionRequest_apply_patch.json": func(c *Call) bool {
		return c.Event == Permission && onlyFile(c, "write", "notes.txt") && c.Command == ""
	},
	"codex/PostToolUse_apply_patch.json": func(c *Call) bool { return c.Event == PostTool && c.Ran && len(c.Files) == 5 },
	"codex/PostToolUse_mcp.json": func(c *Call) bool {
		return c.Event == PostTool && c.Kind == MCP && c.Server == "tracker" && c.Verb == "create_issue" && c.ID == "call_fx0005"
	},
	"codex/PostToolUse_shell.json": func(c *Call) bool { return c.Event == PostTool && c.Kind == Shell && c.Ran && c.Failure == "" },
	"codex/PreCompact.json":        func(c *Call) bool { return c.Event == Compact },
	"codex/PreToolUse_apply_patch.json": func(c *Call) bool {
		var got []string
		for _, f := range c.Files {
			got = append(got, f.Op+" "+f.Path)
		}
		return c.Event == PreTool && c.Kind == Write && c.Command == "" && slices.Equal(got, []string{
			"write internal/coupon/round.go", "edit internal/coupon/apply.go", "delete internal/coupon/old_round.go",
			"delete docs/coupon.md", "move docs/coupons.md",
		})
	},
	"codex/PreToolUse_apply_patch_heredoc.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && strings.HasPrefix(c.Command, "apply_patch <<'EOF'") &&
			len(c.Files) == 1 && c.Files[0].Path == ".github/workflows/ci.yml" && c.Files[0].New == "      run: true\n"
	},
	"codex/PreToolUse_mcp.json": func(c *Call) bool { return c.Event == PreTool && c.Kind == MCP && c.Server == "tracker" },
	"codex/PreToolUse_shell.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.ID == "call_fx0001" && c.Cwd == shop
	},
	"codex/PreToolUse_shell_workdir.json": func(c *Call) bool {
		return c.Command == "rm -rf ./tmp" && c.Cwd == shop+"/internal/coupon"
	},
	"codex/PreToolUse_spawn_agent.json": func(c *Call) bool { return c.Event == PreTool && c.Kind == Spawn },
	"codex/SessionEnd.json":             func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "other" },
	"codex/SessionStart.json":           func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" },
	"codex/Stop.json":                   func(c *Call) bool { return c.Event == Stop && !c.Again && strings.HasPrefix(c.LastText, "Tests pass") },
	"codex/SubagentStart.json":          func(c *Call) bool { return c.Event == AgentStart && c.AgentType == "explorer" && c.Agent != "" },
	"codex/UserPromptSubmit.json":       func(c *Call) bool { return c.Event == Prompt && c.Human && strings.HasPrefix(c.Prompt, "Fix the") },
	// What a parent tells its subagent is no person's word.
	"codex/UserPromptSubmit_subagent.json": func(c *Call) bool { return c.Event == Prompt && !c.Human && c.Prompt == "" && c.Agent != "" },

	"copilot/PreToolUse_pascal.json": func(c *Call) bool {
		return c.Event == PreTool && c.Name == "PreToolUse" && c.Kind == Shell && !c.Window && !c.Time.IsZero() && c.Session != ""
	},
	"copilot/PreToolUse_pascal_Edit.json": func(c *Call) bool {
		return onlyFile(c, "edit", shop+"/internal/coupon/apply.go") && c.Files[0].Old == "a" && c.Files[0].New == "b"
	},
	"copilot/agentStop.json": func(c *Call) bool {
		return c.Event == Stop && !c.Again && strings.HasSuffix(c.Transcript, "events.jsonl")
	},
	"copilot/permissionRequest.json": func(c *Call) bool { return c.Event == Permission && c.Command == "npm publish --access public" },
	"copilot/postToolUse.json": func(c *Call) bool {
		return c.Event == PostTool && c.Ran && c.Command == "go vet ./..." && c.Response != nil
	},
	"copilot/postToolUseFailure.json": func(c *Call) bool {
		return c.Event == PostFailure && c.Kind == Read && c.Failure == "Path does not exist"
	},
	"copilot/preToolUse.json": func(c *Call) bool { return c.Event == PreTool && c.Name == "preToolUse" && c.Kind == Shell },
	"copilot/preToolUse_create.json": func(c *Call) bool {
		return onlyFile(c, "write", shop+"/internal/coupon/round.go") && c.Files[0].Content != ""
	},
	"copilot/preToolUse_edit.json": func(c *Call) bool {
		return onlyFile(c, "edit", shop+"/internal/coupon/apply.go") && c.Files[0].New != ""
	},
	"copilot/preToolUse_legacy_string_args.json": func(c *Call) bool {
		return c.Kind == Shell && c.Command == "git push --force origin main" && c.Input[0] == '{'
	},
	"copilot/sessionEnd.json":          func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "complete" },
	"copilot/sessionStart.json":        func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" },
	"copilot/userPromptSubmitted.json": func(c *Call) bool { return c.Event == Prompt && c.Human && c.Prompt != "" },

	"cursor/afterFileEdit.json": func(c *Call) bool {
		return c.Event == PostTool && onlyFile(c, "edit", shop+"/internal/coupon/apply.go") && strings.Contains(c.Files[0].New, "Round")
	},
	"cursor/afterShellExecution.json": func(c *Call) bool { return c.Event == PostTool && c.Command == "go vet ./..." && c.Response != nil },
	"cursor/beforeMCPExecution.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == MCP && c.Server == "tracker-mcp" && c.Verb == "create_issue" && c.Command == "" && c.Input[0] == '{'
	},
	"cursor/beforeReadFile.json": func(c *Call) bool { return c.Event == PreTool && c.Kind == Read && c.Files == nil },
	"cursor/beforeShellExecution.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.Cwd == shop && c.Tool == "Shell" && c.Command == "go test ./internal/coupon/..."
	},
	"cursor/beforeShellExecution_empty_cwd.json": func(c *Call) bool { return c.Kind == Shell && c.Cwd == shop },
	"cursor/beforeSubmitPrompt.json":             func(c *Call) bool { return c.Event == Prompt && c.Human && c.Prompt != "" },
	"cursor/postToolUseFailure.json":             func(c *Call) bool { return c.Event == PostFailure && !c.Ran && c.Failure == "Denied" },
	"cursor/preToolUse.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.ID == "tool_cu0001" && c.Project == shop
	},
	"cursor/preToolUse_Write.json": func(c *Call) bool { return onlyFile(c, "write", shop+"/internal/coupon/round.go") },
	"cursor/preToolUse_mcp.json":   func(c *Call) bool { return c.Kind == MCP && c.Verb == "create_issue" && c.Server == "" },
	"cursor/sessionEnd.json":       func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "user_close" },
	"cursor/sessionStart.json":     func(c *Call) bool { return c.Event == SessionStart && c.Session != "" },
	"cursor/stop.json":             func(c *Call) bool { return c.Event == Stop && !c.Again },

	"droid/PreToolUse_Execute.json": func(c *Call) bool { return c.Event == PreTool && c.Kind == Shell && c.Command == "go test ./..." },

	"gemini/AfterAgent.json": func(c *Call) bool { return c.Event == Stop && !c.Again && c.LastText == "Done. All tests pass." },
	"gemini/AfterTool.json": func(c *Call) bool {
		return c.Event == PostTool && c.Ran && c.Failure == "" && c.Command == "go vet ./..."
	},
	"gemini/BeforeAgent.json": func(c *Call) bool { return c.Event == Prompt && c.Human },
	"gemini/BeforeTool.json":  func(c *Call) bool { return c.Event == PreTool && c.Kind == Shell && !c.Window && c.Cwd == shop },
	"gemini/BeforeTool_mcp.json": func(c *Call) bool {
		return c.Kind == MCP && c.Server == "tracker" && c.Verb == "create_issue"
	},
	"gemini/BeforeTool_replace.json":    func(c *Call) bool { return onlyFile(c, "edit", "internal/coupon/apply.go") && c.Files[0].Old != "" },
	"gemini/BeforeTool_write_file.json": func(c *Call) bool { return onlyFile(c, "write", shop+"/internal/coupon/round.go") },
	"gemini/Notification.json":          func(c *Call) bool { return c.Event == Other },
	// Fired before every model call: no compaction.
	"gemini/PreCompress.json":  func(c *Call) bool { return c.Event == Other },
	"gemini/SessionEnd.json":   func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "exit" },
	"gemini/SessionStart.json": func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" },

	"grok/PreToolUse.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.Command == "go test ./internal/coupon/..." && c.Project == shop
	},

	"muse/PreToolUse.json":       func(c *Call) bool { return c.Event == PreTool && c.Kind == Shell && c.ID == "call_mu0001" },
	"muse/PreToolUse_write.json": func(c *Call) bool { return onlyFile(c, "write", shop+"/notes.md") },
	"muse/SessionStart.json":     func(c *Call) bool { return c.Event == SessionStart && c.Transcript == "" },
	"muse/Stop.json":             func(c *Call) bool { return c.Event == Stop && c.LastText == "It is a shop API." },
	"muse/UserPromptSubmit.json": func(c *Call) bool { return c.Event == Prompt && c.Human },

	"opencode/chat.message.json":          func(c *Call) bool { return c.Event == Prompt && c.Human && c.Session == "ses_fx00000001" },
	"opencode/chat.message_subagent.json": func(c *Call) bool { return c.Event == Prompt && !c.Human && c.Prompt == "" },
	"opencode/tool.execute.after_bash.json": func(c *Call) bool {
		return c.Event == PostTool && c.Ran && c.Failure == "unreachable code\n" && c.ID == "call_oc0001"
	},
	"opencode/tool.execute.before_bash.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.Command == "go test ./internal/coupon/..." && c.ID == "call_oc0001" && c.Cwd == shop
	},
	"opencode/tool.execute.before_edit.json": func(c *Call) bool {
		return onlyFile(c, "edit", shop+"/internal/coupon/apply.go") && c.Files[0].Old == "a"
	},
	"opencode/tool.execute.before_mcp.json": func(c *Call) bool { return c.Kind == MCP && c.Server == "tracker" && c.Verb == "create_issue" },

	"qwen/PostToolUseFailure.json": func(c *Call) bool { return c.Event == PostFailure && c.Ran && c.ID == "toolu_1796000000003_ab12cd350" },
	"qwen/PreToolUse.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.ID == "toolu_1796000000001_ab12cd34e"
	},
	"qwen/PreToolUse_edit.json":  func(c *Call) bool { return onlyFile(c, "edit", shop+"/internal/coupon/apply.go") },
	"qwen/SessionStart.json":     func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" },
	"qwen/Stop.json":             func(c *Call) bool { return c.Event == Stop && !c.Again },
	"qwen/UserPromptSubmit.json": func(c *Call) bool { return c.Event == Prompt && c.Human && c.Prompt == "Fix the coupon rounding bug." },
	// It fires after every tool result as well.
	"qwen/UserPromptSubmit_tool_continuation.json": func(c *Call) bool { return c.Event == Prompt && !c.Human && c.Prompt == "" },

	"generic/session-start.json": func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" && c.PID == 4711 },
	"generic/session-end.json":   func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "exit" },
	"generic/prompt.json":        func(c *Call) bool { return c.Event == Prompt && c.Human && c.Prompt == "Fix the coupon rounding bug." },
	"generic/pre-tool_shell.json": func(c *Call) bool {
		return c.Event == PreTool && c.Kind == Shell && c.Command == "rm -rf ./tmp" && c.Cwd == shop+"/internal" && c.Project == shop && c.ID == "c1"
	},
	"generic/pre-tool_argv.json": func(c *Call) bool {
		return c.Kind == Shell && c.Command == "Remove-Item -Recurse C:/work/tmp" && c.Dialect == "powershell"
	},
	"generic/pre-tool_files.json": func(c *Call) bool {
		return c.Kind == Write && len(c.Files) == 3 && c.Files[0].Op == "write" && c.Files[1].Op == "delete" && c.Files[2].Op == "move" && c.Files[2].Path == "docs/new.md"
	},
	"generic/pre-tool_mcp.json": func(c *Call) bool { return c.Kind == MCP && c.Server == "tracker" && c.Verb == "create_issue" },
	"generic/post-tool.json":    func(c *Call) bool { return c.Event == PostTool && c.Ran && string(c.Response) == `"ok"` },
	"generic/post-failure.json": func(c *Call) bool { return c.Event == PostFailure && c.Ran && c.Failure == "exit code 1" },
	"generic/stop.json":         func(c *Call) bool { return c.Event == Stop && c.Again && c.LastText == "Done." },
}

// recorded are the names of the payloads of testdata, "HARNESS/FILE", all but
// Claude Code's status line.
func recorded(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "harness", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if name := filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(f)), filepath.Base(f))); name != "claude/statusline.json" {
			names = append(names, name)
		}
	}
	if len(names) < 110 {
		t.Fatalf("%d payloads; testdata is incomplete", len(names))
	}
	return names
}

// Every recorded payload is told apart without a flag or a variable, and read into
// what a guard needs to know.
func TestPayloads(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, name := range recorded(t) {
		if strings.HasPrefix(name, "claude/") {
			continue
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check, ok := payloads[name]
			if !ok {
				t.Fatal("a recorded payload without a row here: add one")
			}
			raw := fixture(t, name)
			c, odd, err := Parse(raw, Hint{}, none)
			if err != nil || len(odd) > 0 {
				t.Fatalf("Parse: %v, odd %q", err, odd)
			}
			own, _, _ := strings.Cut(name, "/")
			if c.Harness != own || Detect(raw, none) != own || !check(c) {
				t.Errorf("read as %+v", c)
			}
			// Its own flags say the same.
			flagged, _, err := Parse(raw, Hint{Harness: own, Event: c.Name}, none)
			if err != nil || !check(flagged) || flagged.ID != c.ID {
				t.Errorf("with flags: %+v, %v", flagged, err)
			}
		})
	}
	for name := range payloads {
		if !seen[name] {
			t.Errorf("no payload %s", name)
		}
	}
}

// The mark of the events before and after a call is one, whether the harness
// gives ids or not.
func TestPair(t *testing.T) {
	t.Parallel()
	pair := func(raw string) *Call {
		c, _, err := Parse([]byte(raw), Hint{}, none)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	before := pair(`{"hook_event_name":"BeforeTool","session_id":"s","timestamp":"2026-01-02T03:04:05Z","tool_name":"run_shell_command","tool_input":{"command":"ls"}}`)
	after := pair(`{"hook_event_name":"AfterTool","session_id":"s","timestamp":"2026-01-02T03:04:09Z","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{}}`)
	if before.Pair != after.Pair || before.ID == after.ID || before.Window {
		t.Errorf("before %+v, after %+v", before, after)
	}
	other := pair(`{"hook_event_name":"AfterTool","session_id":"s","timestamp":"2026-01-02T03:04:09Z","tool_name":"run_shell_command","tool_input":{"command":"pwd"}}`)
	if other.Pair == after.Pair {
		t.Error("another command, the same pair")
	}
	if c := pair(`{"hook_event_name":"PreToolUse","session_id":"s","turn_id":"t","tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"ls"}}`); c.Pair != "c1" {
		t.Errorf("pair %q, want the harness's id", c.Pair)
	}
}

// Payloads that are two harnesses' at first sight.
func TestDetection(t *testing.T) {
	t.Parallel()
	env := func(pairs ...string) func(string) string {
		return func(k string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == k {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	tests := []struct {
		name, payload, want string
		env                 func(string) string
	}{
		{"a codex inside a claude shell", `{"hook_event_name":"PreToolUse","turn_id":"t","transcript_path":null,"tool_name":"Bash","tool_input":{}}`, "codex", env("CLAUDECODE", "1")},
		{"qwen's prompt_id", `{"hook_event_name":"PreToolUse","timestamp":"2026-01-01T00:00:00Z","prompt_id":"x########1"}`, "qwen", none},
		{"gemini's start by its variable", `{"hook_event_name":"SessionStart","timestamp":"2026-01-01T00:00:00Z","source":"startup"}`, "gemini", env("GEMINI_SESSION_ID", "s")},
		{"qwen's start", `{"hook_event_name":"SessionStart","timestamp":"2026-01-01T00:00:00Z","transcript_path":"x","permission_mode":"default"}`, "qwen", none},
		{"copilot's pascal start", `{"hook_event_name":"SessionStart","timestamp":"2026-01-01T00:00:00Z","session_id":"s","source":"new"}`, "copilot", none},
		{"claude's bare start", `{"hook_event_name":"SessionStart","session_id":"s","transcript_path":"/home/dev/.claude/projects/x/s.jsonl","source":"startup","model":"m"}`, "claude", none},
		{"codex's start", `{"hook_event_name":"SessionStart","session_id":"s","transcript_path":"/home/dev/.codex/sessions/x.jsonl","model":"m","permission_mode":"default"}`, "codex", none},
		{"codex's start in a moved folder", `{"hook_event_name":"SessionStart","session_id":"s","transcript_path":"/srv/cx/sessions/2026/rollout-1.jsonl","model":"m","permission_mode":"default"}`, "codex", none},
		{"muse's start", `{"hook_event_name":"SessionStart","session_id":"s","transcript_path":null,"model":"m","permission_mode":"default"}`, "muse", none},
		{"muse's tool without its provider", `{"hook_event_name":"PostToolUse","turn_id":"t","transcript_path":null,"tool_name":"bash"}`, "muse", none},
		{"muse's end", `{"hook_event_name":"SessionEnd","transcript_path":null,"source":"exit"}`, "muse", none},
		{"codex's end", `{"hook_event_name":"SessionEnd","session_id":"s","transcript_path":"/x/rollout-2.jsonl","reason":"other"}`, "codex", none},
		{"claude's end", `{"hook_event_name":"SessionEnd","session_id":"s","transcript_path":"/x/s.jsonl","reason":"other"}`, "claude", none},
		{"an event of claude's nobody answers", `{"hook_event_name":"FutureEvent","effort":{"level":"low"}}`, "claude", none},
		{"the same by its variable", `{"hook_event_name":"FutureEvent"}`, "claude", env("CLAUDECODE", "1")},
		{"droid by its folder", `{"hook_event_name":"Stop","transcript_path":"/home/dev/.factory/sessions/x.jsonl"}`, "droid", none},
		{"grok beside copilot", `{"sessionId":"s","workspaceRoot":"/x","toolInput":{}}`, "grok", none},
		{"cursor by its conversation", `{"conversation_id":"c","hook_event_name":"stop"}`, "cursor", none},
		{"a status line", string(fixture(t, "claude/statusline.json")), "", none},
		{"nobody's", `{"a":1}`, "", none},
		{"no object", `[]`, "", none},
	}
	for _, tt := range tests {
		if got := Detect([]byte(tt.payload), tt.env); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Copilot, Cursor and Grok run the entries in Claude Code's settings: the flag
// says claude, the payload surely doesn't. Anything less than sure is what the
// flag says.
func TestFlagsAgainstThePayload(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file          string
		flag, event   string
		want, answers string
	}{
		{"copilot/PreToolUse_pascal.json", "claude", "PreToolUse", "copilot", "permissionDecision"},
		{"copilot/permissionRequest.json", "claude", "PermissionRequest", "copilot", `{"behavior":"deny"`},
		{"cursor/preToolUse.json", "claude", "PreToolUse", "cursor", `{"permission":"deny"`},
		{"grok/PreToolUse.json", "claude", "PreToolUse", "grok", `{"decision":"deny"`},
		{"codex/PreToolUse_shell.json", "claude", "PreToolUse", "codex", "permissionDecision"},
		{"qwen/PreToolUse.json", "claude", "PreToolUse", "qwen", "permissionDecision"},
		{"gemini/BeforeTool.json", "claude", "PreToolUse", "gemini", `{"decision":"deny"`},
		{"muse/PreToolUse.json", "codex", "PreToolUse", "muse", "permissionDecision"},
		{"droid/PreToolUse_Execute.json", "claude", "PreToolUse", "droid", "permissionDecision"},
		// No mark: the flag wins.
		{"muse/SessionStart.json", "codex", "SessionStart", "codex", ""},
		{"qwen/SessionStart.json", "claude", "SessionStart", "claude", ""},
		{"claude/PreToolUse_Bash.json", "claude", "PreToolUse", "claude", "permissionDecision"},
		{"claude/PreToolUse_Bash.json", "codex", "PreToolUse", "claude", "permissionDecision"},
		{"claude/SessionEnd.json", "codex", "SessionEnd", "codex", ""},
		// Our own format is whatever its flag says.
		{"generic/pre-tool_shell.json", "generic", "pre-tool", "generic", `{"decision":"deny"`},
	}
	for _, tt := range tests {
		c, _, err := Parse(fixture(t, tt.file), Hint{Harness: tt.flag, Event: tt.event}, none)
		if err != nil {
			t.Errorf("%s as %s: %v", tt.file, tt.flag, err)
			continue
		}
		if c.Harness != tt.want || c.Event == Other {
			t.Errorf("%s as %s %s is %s %v, want %s", tt.file, tt.flag, tt.event, c.Harness, c.Event, tt.want)
		}
		if got := string(Render(c, Answer{Decision: Deny, Reason: "why"})); !strings.Contains(got, tt.answers) {
			t.Errorf("%s as %s answers %s, want %s", tt.file, tt.flag, got, tt.answers)
		}
	}
}

// Fields that are missing, null or of another type never break a payload; its
// other fields are read, and the ids of its calls are there.
func TestMutatedPayloads(t *testing.T) {
	t.Parallel()
	for _, name := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, _, _ := strings.Cut(name, "/")
			raw := fixture(t, name)
			whole, _, err := Parse(raw, Hint{}, none)
			if err != nil {
				t.Fatal(err)
			}
			var doc any
			if err := json.Unmarshal(raw, &doc); err != nil {
				t.Fatal(err)
			}
			mutate(doc, func(what string) {
				changed, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				c, _, err := Parse(changed, Hint{Harness: own, Event: whole.Name}, none)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					return
				}
				if c.Event >= PreTool && c.Event <= Denied && (c.ID == "" || c.Pair == "") {
					t.Errorf("%s: a call without an id", what)
				}
				for d := Silent; d <= Deny; d++ {
					if out := Render(c, Answer{Decision: d, Reason: "r", Context: "c", Person: "p"}); out != nil && !json.Valid(out) {
						t.Errorf("%s: an answer that is no JSON: %s", what, out)
					}
				}
				// Without the flags it may be anyone's or nobody's, but never a panic.
				Parse(changed, Hint{}, none)
			})
		})
	}
}

// mutate takes each field of an object out, then makes it null and of every other
// type, one at a time, and calls try with each result.
func mutate(doc any, try func(what string)) {
	switch v := doc.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			old := v[key]
			delete(v, key)
			try("without " + key)
			for _, other := range []any{nil, "text", "", 7.5, -1e300, true, []any{}, []any{1, nil, "x"}, map[string]any{}, map[string]any{"a": []any{}}} {
				v[key] = other
				try("odd " + key)
			}
			v[key] = old
			mutate(old, try)
		}
	case []any:
		for i, old := range v {
			for _, other := range []any{nil, "text", 7.5, map[string]any{}} {
				v[i] = other
				try("odd item")
			}
			v[i] = old
			mutate(old, try)
		}
	}
}

// New fields, which harnesses add every month, change nothing.
func TestUnknownFields(t *testing.T) {
	t.Parallel()
	for _, name := range recorded(t) {
		own, _, _ := strings.Cut(name, "/")
		var doc map[string]any
		if err := json.Unmarshal(fixture(t, name), &doc); err != nil {
			t.Fatal(err)
		}
		doc["a_new_field"], doc["another"] = map[string]any{"x": []any{1}}, []any{nil}
		raw, _ := json.Marshal(doc)
		c, odd, err := Parse(raw, Hint{}, none)
		if err != nil || len(odd) > 0 || c.Harness != own {
			t.Errorf("%s: %+v, %q, %v", name, c, odd, err)
		}
	}
}

// Prompts that a harness made are nobody's word, in any harness.
func TestWhoPrompts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, payload string
		human         bool
		want          string
	}{
		{"gemini with a hook's text", `{"hook_event_name":"BeforeAgent","timestamp":"2026-01-01T00:00:00Z","prompt":"fix it\n<hook_context>push to main</hook_context>"}`, true, "fix it\n"},
		{"gemini after our own hold", `{"hook_event_name":"BeforeAgent","timestamp":"2026-01-01T00:00:00Z","prompt":"Stop hook feedback:\npush first"}`, false, ""},
		{"copilot after our own hold", `{"sessionId":"s","timestamp":1,"prompt":"Stop hook feedback:\npush first"}`, false, ""},
		{"qwen without what was typed", `{"hook_event_name":"UserPromptSubmit","timestamp":"2026-01-01T00:00:00Z","permission_mode":"yolo","prompt":"push it"}`, false, ""},
		{"codex's notice", `{"hook_event_name":"UserPromptSubmit","turn_id":"t","prompt":"<subagent_notification>\n{}"}`, false, ""},
		{"codex's hook", `{"hook_event_name":"UserPromptSubmit","turn_id":"t","prompt":"<hook_prompt id=\"x\">push</hook_prompt>"}`, false, ""},
		{"opencode by the bridge's word", `{"harness":"opencode","hook":"chat.message","parent":null,"input":{"sessionID":"s","agent":"build"},"output":{"parts":[{"type":"text","text":"push it"}]}}`, true, "push it"},
		{"opencode's subagent by the bridge's word", `{"harness":"opencode","hook":"chat.message","parent":"p","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"push it"}]}}`, false, ""},
		{"opencode's own part", `{"harness":"opencode","hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","synthetic":true,"text":"push it"}]}}`, false, ""},
		{"muse's other sources", `{"hook_event_name":"UserPromptSubmit","model_provider":"meta","source":"wakeup","prompt":"push it"}`, false, ""},
		{"generic without a word on it", `{"spar":1,"event":"prompt","prompt":"push it"}`, false, ""},
		{"generic of a subagent", `{"spar":1,"event":"prompt","prompt":"push it","human":true,"agent":"a"}`, false, ""},
	}
	for _, tt := range tests {
		c, _, err := Parse([]byte(tt.payload), Hint{}, none)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if c.Event != Prompt || c.Human != tt.human || c.Prompt != tt.want {
			t.Errorf("%s: %s %v %v %q", tt.name, c.Harness, c.Event, c.Human, c.Prompt)
		}
	}
}

// A subagent's calls in OpenCode are its session's, flown by a wingman.
func TestOpenCodeSubagent(t *testing.T) {
	t.Parallel()
	c, _, err := Parse([]byte(`{"harness":"opencode","hook":"tool.execute.before","parent":"ses_1","pid":42,"worktree":"/","input":{"tool":"bash","sessionID":"ses_2","callID":"c"},
		"output":{"args":{"command":"ls","workdir":"sub"}},"directory":"/w"}`), Hint{}, none)
	if err != nil || c.Session != "ses_1" || c.Agent != "ses_2" || c.PID != 42 || c.Cwd != "/w/sub" || c.Project != "/w" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Where the call's folder stands, in each harness's spelling.
func TestWorkDirectories(t *testing.T) {
	t.Parallel()
	tests := []struct{ payload, cwd string }{
		{`{"hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"a/b"}}`, "/w/a/b"},
		{`{"hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"/x"}}`, "/x"},
		{`{"hook_event_name":"PreToolUse","turn_id":"t","cwd":"/w","tool_name":"Bash","tool_input":{"command":["ls"],"workdir":"a"}}`, "/w/a"},
		{`{"hook_event_name":"PreToolUse","model_provider":"meta","cwd":"/w","tool_name":"bash","tool_input":{"command":"ls","workdir":"../x"}}`, "/x"},
		{`{"cursor_version":"3","hook_event_name":"preToolUse","workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"ls","working_directory":"/y"}}`, "/y"},
		{`{"cursor_version":"3","hook_event_name":"preToolUse","workspace_roots":[],"tool_name":"Shell","tool_input":{"command":"ls"}}`, ""},
		{`{"hook_event_name":"PreToolUse","turn_id":"t","cwd":"C:\\w","tool_name":"Bash","tool_input":{"command":"ls","workdir":"a"}}`, `C:\w\a`},
		{`{"hook_event_name":"PreToolUse","turn_id":"t","cwd":"C:\\w","tool_name":"Bash","tool_input":{"command":"ls","workdir":"D:/a"}}`, `D:/a`},
	}
	for _, tt := range tests {
		c, _, err := Parse([]byte(tt.payload), Hint{}, none)
		if err != nil || c.Cwd != tt.cwd || c.Kind != Shell {
			t.Errorf("%s: %v in %q, %v; want %q", tt.payload, c.Kind, c.Cwd, err, tt.cwd)
		}
	}
}

func TestPeekKnowsEveryDialect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		head, harness, event string
		want                 Event
		tool                 string
	}{
		{`{"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"content":"`, "gemini", "", PreTool, "write_file"},
		{`{"toolName":"create","toolArgs":{"file_text":"`, "copilot", "preToolUse", PreTool, "create"},
		{`{"harness":"opencode","hook":"tool.execute.before","input":{"tool":"write"`, "opencode", "", PreTool, "write"},
		{`{"spar":1,"event":"pre-tool","tool":"w"`, "generic", "", PreTool, "w"},
	}
	for _, tt := range tests {
		c := Peek([]byte(tt.head), Hint{Harness: tt.harness, Event: tt.event})
		if c == nil || c.Event != tt.want || c.Tool != tt.tool || c.Harness != tt.harness {
			t.Errorf("%s: %+v", tt.head, c)
		}
	}
	if c := Peek([]byte(`{"x":`), Hint{}); c != nil {
		t.Errorf("got %+v", c)
	}
}

func FuzzParseAny(f *testing.F) {
	for _, name := range recorded(f) {
		own, _, _ := strings.Cut(name, "/")
		f.Add(fixture(f, name), own, "")
	}
	f.Add([]byte(`{"tool_input":"*** Begin Patch\n*** Update File: a\n*** Move to: b"}`), "codex", "PreToolUse")
	f.Fuzz(func(t *testing.T, raw []byte, name, event string) {
		if find(name) == nil {
			name = ""
		}
		c, _, err := Parse(raw, Hint{Harness: name, Event: event}, none)
		if err != nil {
			return
		}
		if c.Event >= PreTool && c.Event <= Denied && (c.ID == "" || c.Pair == "") {
			t.Errorf("a call without an id: %+v", c)
		}
		for _, file := range c.Files {
			switch file.Op {
			case "write", "edit", "delete", "move":
			default:
				t.Errorf("file op %q", file.Op)
			}
		}
		for d := Silent; d <= Deny; d++ {
			if out := Render(c, Answer{Decision: d, Reason: "r", Context: "c"}); out != nil && !json.Valid(out) {
				t.Errorf("an answer that is no JSON: %s", out)
			}
		}
	})
}

// BenchmarkParse is what every call of a session pays, flags given.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"claude/PreToolUse_Bash.json", "codex/PreToolUse_shell.json", "gemini/BeforeTool.json"} {
		own, _, _ := strings.Cut(name, "/")
		raw := fixture(b, name)
		b.Run(own, func(b *testing.B) {
			event := claudeEventName(own)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Parse(raw, Hint{Harness: own, Event: event}, none); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func claudeEventName(own string) string {
	if own == "gemini" {
		return "BeforeTool"
	}
	return "PreToolUse"
}
