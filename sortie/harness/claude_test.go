package harness

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

func none(string) string { return "" }

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "harness", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Every recorded payload is told apart without a flag, and read into what a
// guard needs to know.
func TestClaudePayloads(t *testing.T) {
	tests := map[string]func(c *Call) bool{
		"SessionStart.json":         func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" && c.Session != "" },
		"SessionStart_print.json":   func(c *Call) bool { return c.Event == SessionStart && c.Source == "startup" },
		"SessionStart_compact.json": func(c *Call) bool { return c.Event == SessionStart && c.Source == "compact" },
		"SessionStart_resume.json":  func(c *Call) bool { return c.Event == SessionStart && c.Source == "resume" },
		"SessionEnd.json":           func(c *Call) bool { return c.Event == SessionEnd && c.Reason == "prompt_input_exit" },
		"UserPromptSubmit.json":     func(c *Call) bool { return c.Event == Prompt && c.Human && strings.HasPrefix(c.Prompt, "Run the unit") },
		// A machine's prompt is no person's word.
		"UserPromptSubmit_with_source.json": func(c *Call) bool { return c.Event == Prompt && !c.Human && c.Prompt == "" },
		"PreToolUse_Bash.json": func(c *Call) bool {
			return c.Event == PreTool && c.Kind == Shell && c.Command == "go test ./internal/coupon/... 2>&1 | tail -n 40" &&
				c.ID == "toolu_01FixtureBash0000000000A1" && !c.Window && c.Cwd == "/home/dev/work/shop-api"
		},
		"PreToolUse_Bash_dangerous.json": func(c *Call) bool { return strings.Contains(c.Command, "git push --force") },
		"PreToolUse_Bash_subagent.json":  func(c *Call) bool { return c.Agent == "a7f31c09be52d4810" && c.AgentType == "general-purpose" },
		"PreToolUse_Edit.json": func(c *Call) bool {
			return c.Kind == Write && len(c.Files) == 1 && c.Files[0].Op == "edit" && strings.HasPrefix(c.Files[0].New, "total := Round")
		},
		"PreToolUse_MultiEdit.json":    func(c *Call) bool { return c.Kind == Write && len(c.Files) == 2 && c.Files[1].New == "// done" },
		"PreToolUse_NotebookEdit.json": func(c *Call) bool { return c.Kind == Write && strings.HasSuffix(c.Files[0].Path, "prices.ipynb") },
		"PreToolUse_Write.json":        func(c *Call) bool { return c.Kind == Write && strings.HasPrefix(c.Files[0].Content, "package coupon") },
		"PreToolUse_Read.json":         func(c *Call) bool { return c.Kind == Read },
		"PreToolUse_WebFetch.json":     func(c *Call) bool { return c.Kind == Fetch },
		"PreToolUse_Agent.json":        func(c *Call) bool { return c.Kind == Spawn },
		"PreToolUse_Task.json":         func(c *Call) bool { return c.Kind == Spawn },
		"PreToolUse_mcp.json":          func(c *Call) bool { return c.Kind == MCP && c.Server == "tracker" && c.Verb == "create_issue" },
		"PostToolUse_Bash.json":        func(c *Call) bool { return c.Event == PostTool && c.Ran && len(c.Response) > 0 },
		"PostToolUse_Edit.json":        func(c *Call) bool { return c.Event == PostTool && c.Ran && len(c.Files) == 1 },
		"PostToolUse_Write.json":       func(c *Call) bool { return c.Event == PostTool && c.Ran },
		"PostToolUse_mcp.json":         func(c *Call) bool { return c.Event == PostTool && c.Kind == MCP },
		"PostToolUseFailure.json": func(c *Call) bool {
			return c.Event == PostFailure && c.Ran && strings.HasPrefix(c.Failure, "Exit code 1")
		},
		"PermissionRequest.json": func(c *Call) bool {
			return c.Event == Permission && strings.HasPrefix(c.ID, "h-") && c.Window
		},
		"PermissionRequest_Write.json": func(c *Call) bool { return c.Event == Permission && len(c.Files) == 1 },
		"PermissionDenied.json":        func(c *Call) bool { return c.Event == Denied && c.Kind == Shell },
		"SubagentStart.json":           func(c *Call) bool { return c.Event == AgentStart && c.Agent == "a7f31c09be52d4810" },
		"SubagentStop.json": func(c *Call) bool {
			return c.Event == AgentStop && c.Agent != "" && strings.HasPrefix(c.LastText, "Rounding")
		},
		"Stop.json":                 func(c *Call) bool { return c.Event == Stop && !c.Again && strings.HasPrefix(c.LastText, "All coupon") },
		"Stop_with_background.json": func(c *Call) bool { return c.Event == Stop && c.Again },
		"PreCompact.json":           func(c *Call) bool { return c.Event == Compact },
		"Notification.json":         func(c *Call) bool { return c.Event == Other },
		"CwdChanged.json":           func(c *Call) bool { return c.Event == Other },
	}
	files, err := os.ReadDir(filepath.Join("..", "..", "testdata", "harness", "claude"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Name() == "statusline.json" { // not a hook payload
			continue
		}
		t.Run(file.Name(), func(t *testing.T) {
			t.Parallel()
			check, ok := tests[file.Name()]
			if !ok {
				t.Fatal("a recorded payload without a row here: add one")
			}
			c, odd, err := Parse(fixture(t, "claude/"+file.Name()), Hint{}, none)
			if err != nil || len(odd) > 0 {
				t.Fatalf("Parse: %v, odd %q", err, odd)
			}
			if c.Harness != "claude" || !check(c) {
				t.Errorf("read as %+v", c)
			}
		})
	}
}

// A payload with a wrong type somewhere is read as far as it goes, and what was
// wrong is named.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"hook_event_name":"PreToolUse","session_id":7,"cwd":["x"],"tool_name":"Bash",
		"tool_input":{"command":"git push"},"tool_use_id":{},"prompt_id":null,"effort":3}`)
	c, odd, err := Parse(raw, Hint{}, none)
	if err != nil {
		t.Fatal(err)
	}
	if c.Command != "git push" || c.Session != "" || c.ID == "" {
		t.Errorf("read as %+v", c)
	}
	want := "session_id is a number, want a string; cwd is a list, want a string; tool_use_id is an object, want a string"
	if got := strings.Join(odd, "; "); !sameItems(got, want) {
		t.Errorf("odd = %q, want %q", got, want)
	}
}

func sameItems(a, b string) bool {
	x, y := map[string]bool{}, map[string]bool{}
	for _, s := range strings.Split(a, "; ") {
		x[s] = true
	}
	for _, s := range strings.Split(b, "; ") {
		y[s] = true
	}
	for s := range x {
		if !y[s] {
			return false
		}
	}
	return len(x) == len(y)
}

func TestNotAPayload(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "  \n", "null", "[]", `[{"hook_event_name":"Stop"}]`, `"x"`, "7", `{"hook_event_name":`, "{}", `{"hook_event_name":"Whatever"}`} {
		if c, _, err := Parse([]byte(raw), Hint{}, none); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", raw, c)
		}
	}
	if _, _, err := Parse([]byte("{}"), Hint{Harness: "nobody"}, none); err == nil || !strings.Contains(err.Error(), "claude") {
		t.Errorf("an unknown harness: %v, want the list of known ones", err)
	}
}

func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	text := string(fixture(t, "claude/PreToolUse_Bash.json"))
	var little, big []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, raw := range map[string][]byte{
		"one": []byte("\ufeff" + text), "two": []byte("\ufeff\ufeff" + text), "utf-16le": little, "utf-16be": big,
	} {
		c, _, err := Parse(raw, Hint{}, none)
		if err != nil || c.Kind != Shell || c.Command == "" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// What a person typed, and what only looks like it.
func TestPersonText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		prompt, want string
		human        bool
	}{
		{"fix a.go", "fix a.go", true},
		{"/karte acme", "/karte acme", true},
		{"fix it<system-reminder>see b.go</system-reminder> now", "fix it now", true},
		{"<system-reminder>only this", "", false},
		{"<command-name>/karte</command-name>", "", false},
		{" <task-notification>done</task-notification>", "", false},
		{"This session is being continued from", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		got, human := personText(tt.prompt)
		if human != tt.human || human && got != tt.want {
			t.Errorf("personText(%q) = %q, %v", tt.prompt, got, human)
		}
	}
}

// The answer of every event, in exactly the keys that event accepts.
func TestClaudeAnswers(t *testing.T) {
	t.Parallel()
	full := Answer{Decision: Deny, Reason: "why", Context: "beside", Person: "aloud"}
	tests := []struct {
		event string
		give  Answer
		want  string
	}{
		{"PreToolUse", Answer{}, ""},
		{"PreToolUse", Answer{Decision: Deny, Reason: "why <b>"}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why <b>"}}`},
		{"PreToolUse", Answer{Decision: Ask, Reason: "why"}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`},
		{"PreToolUse", Answer{Decision: Allow, Reason: "why"}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}`},
		{"PreToolUse", Answer{Context: "redline: 3"}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"redline: 3"}}`},
		{"PostToolUse", full, `{"systemMessage":"aloud","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"beside"}}`},
		{"SessionStart", Answer{Context: "brief"}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"brief"}}`},
		{"UserPromptSubmit", Answer{Context: "x"}, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}`},
		{"Stop", full, `{"decision":"block","reason":"why","systemMessage":"aloud"}`},
		{"Stop", Answer{Context: "x"}, ""},
		{"SessionEnd", Answer{Context: "x"}, ""},
		{"PermissionRequest", Answer{Decision: Deny, Reason: "why"}, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"why"}}}`},
		{"PermissionRequest", Answer{Decision: Allow}, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`},
		{"PermissionRequest", Answer{Decision: Ask, Reason: "why"}, ""},
	}
	for _, tt := range tests {
		c := &Call{Harness: "claude", Name: tt.event, Event: claudeEvent(tt.event)}
		if got := strings.TrimSuffix(string(Render(c, tt.give)), "\n"); got != tt.want {
			t.Errorf("%s %+v\n got %s\nwant %s", tt.event, tt.give, got, tt.want)
		}
	}
}

func TestLongContextIsCut(t *testing.T) {
	t.Parallel()
	c := &Call{Harness: "claude", Name: "PreToolUse", Event: PreTool}
	var doc claudeAnswer
	if err := json.Unmarshal(Render(c, Answer{Context: strings.Repeat("ü", 9000)}), &doc); err != nil {
		t.Fatal(err)
	}
	if got := doc.Specific.Context; len(got) > claudeContextCap || !strings.HasSuffix(got, "[cut]") || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-20:])
	}
}

// The same call delivered twice has one id, another input another.
func TestContentID(t *testing.T) {
	t.Parallel()
	id := func(raw string) string {
		c, _, err := Parse([]byte(raw), Hint{Harness: "claude", Event: "PreToolUse"}, none)
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	a := id(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	if b := id(`{"session_id":"s","tool_name":"Bash","tool_input":{ "command": "ls" }}`); a != b {
		t.Error("white space made it another call")
	}
	if b := id(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls -l"}}`); a == b {
		t.Error("another command has the same id")
	}
	if b := id(`{"session_id":"s2","tool_name":"Bash","tool_input":{"command":"ls"}}`); a == b {
		t.Error("another session has the same id")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "harness", "claude", "*.json"))
	for _, name := range files {
		if raw, err := os.ReadFile(name); err == nil {
			f.Add(raw, "")
		}
	}
	f.Add([]byte(`{"tool_name":"MultiEdit","tool_input":{"file_path":"a","edits":[1,{"old_string":2}]}}`), "PreToolUse")
	f.Fuzz(func(t *testing.T, raw []byte, event string) {
		c, _, err := Parse(raw, Hint{Event: event, Harness: "claude"}, none)
		if err != nil {
			if c != nil {
				t.Error("an error and a call")
			}
			return
		}
		if (c.Event == PreTool || c.Event == PostTool) && c.ID == "" {
			t.Error("a call without an id")
		}
		for d := Silent; d <= Deny; d++ {
			doc := Render(c, Answer{Decision: d, Reason: "r", Context: "c"})
			if doc != nil && !json.Valid(doc) {
				t.Errorf("an answer that is no JSON: %s", doc)
			}
		}
	})
}
