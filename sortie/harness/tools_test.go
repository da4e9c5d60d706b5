package harness

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCommandOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		words            []string
		command, dialect string
	}{
		{[]string{"bash", "-lc", "ls && pwd"}, "ls && pwd", ""},
		{[]string{"/bin/bash", "-l", "-c", "ls"}, "ls", ""},
		{[]string{"/usr/bin/zsh", "-ec", "ls"}, "ls", ""},
		{[]string{`C:\Program Files\Git\bin\bash.exe`, "-c", "ls"}, "ls", ""},
		// With arguments for the script the whole line is what runs.
		{[]string{"bash", "-c", "echo $0", "rm -rf x"}, `bash -c 'echo $0' 'rm -rf x'`, ""},
		{[]string{"bash", "deploy.sh"}, "bash deploy.sh", ""},
		{[]string{"bash", "--norc", "-c", "ls"}, "bash --norc -c ls", ""},
		{[]string{"bash", "-c"}, "bash -c", ""},
		{[]string{"pwsh", "-NoProfile", "-Command", "Remove-Item", "x"}, "Remove-Item x", "powershell"},
		{[]string{"PowerShell.exe", "-c", "ls"}, "ls", "powershell"},
		{[]string{"powershell", "-File", "x.ps1"}, "powershell -File x.ps1", ""},
		{[]string{"cmd.exe", "/C", "del /s x"}, "del /s x", "cmd"},
		{[]string{"git", "commit", "-m", "it's done"}, `git commit -m 'it'\''s done'`, ""},
		{[]string{"rm", "-rf", ""}, "rm -rf ''", ""},
		{[]string{"ls"}, "ls", ""},
		{nil, "", ""},
	}
	for _, tt := range tests {
		if command, dialect := commandOf(tt.words); command != tt.command || dialect != tt.dialect {
			t.Errorf("%q: %q in %q, want %q in %q", tt.words, command, dialect, tt.command, tt.dialect)
		}
	}
}

func TestPatchFiles(t *testing.T) {
	t.Parallel()
	const begin, end = "*** Begin Patch\n", "*** End Patch\n"
	tests := []struct {
		name, body string
		want       []File
	}{
		{"two files, one outside", begin + "*** Update File: notes/a.txt\n@@\n+x\n*** Add File: /srv/site/b.html\n+y\n" + end, []File{
			{Path: "notes/a.txt", Op: "edit", New: "x\n"}, {Path: "/srv/site/b.html", Op: "write", Content: "y\n"}}},
		{"a move names both ends", begin + "*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n" + end, []File{
			{Path: "a", Op: "delete"}, {Path: "b", Op: "move", Old: "1\n", New: "2\n"}}},
		{"a header in an update's context is text", begin + "*** Update File: a\n@@\n *** Delete File: b\n-1\n" + end, []File{
			{Path: "a", Op: "edit", Old: "1\n"}}},
		{"an added line that looks like a header is text", begin + "*** Add File: a\n+*** Delete File: b\n" + end, []File{
			{Path: "a", Op: "write", Content: "*** Delete File: b\n"}}},
		{"an indented header after a whole file is a header", begin + "*** Add File: a\n+1\n  *** Delete File: b\n" + end, []File{
			{Path: "a", Op: "write", Content: "1\n"}, {Path: "b", Op: "delete"}}},
		{"CRLF", strings.ReplaceAll(begin+"*** Delete File: a b\n"+end, "\n", "\r\n"), []File{{Path: "a b", Op: "delete"}}},
		{"no end", begin + "*** Delete File: a", []File{{Path: "a", Op: "delete"}}},
		{"empty name", begin + "*** Delete File:\n" + end, nil},
		{"a move without a file", begin + "*** Move to: b\n" + end, nil},
		{"no patch", "ls", nil},
		{"a patch inside something", "cat <<E\n" + begin + "*** Delete File: a\n" + end + "E", nil},
	}
	for _, tt := range tests {
		if got := patchFiles(tt.body, ""); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestHeredocPatch(t *testing.T) {
	t.Parallel()
	body := "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"
	tests := map[string]string{
		"apply_patch <<'EOF'\n" + body + "EOF":                "a",
		"apply_patch << \"EOF\"\n" + body + "EOF\n":           "a",
		"applypatch <<-EOF\n" + body + "EOF":                  "a",
		"  apply_patch <<EOF\n" + body + "EOF  ":              "a",
		"cd sub && apply_patch <<'EOF'\n" + body + "EOF":      "sub/a",
		"cd 'my dir' && apply_patch <<'EOF'\n" + body + "EOF": "my dir/a",
		"cd $X && apply_patch <<'EOF'\n" + body + "EOF":       "",
		"cd sub; apply_patch <<'EOF'\n" + body + "EOF":        "",
		"apply_patch <<'EOF'\n" + body + "EOF\nrm -rf x":      "",
		"apply_patch <<'EOF' && rm -rf x\n" + body + "EOF":    "",
		"apply_patch <<'EOF'\n" + body:                        "",
		"cat <<'EOF'\n" + body + "EOF":                        "",
		"sudo apply_patch <<'EOF'\n" + body + "EOF":           "",
		"apply_patch":            "",
		"echo '*** Begin Patch'": "",
	}
	for command, want := range tests {
		got := ""
		if files := heredocPatch(command); len(files) == 1 {
			got = files[0].Path
		} else if files != nil {
			got = fmt.Sprint(files)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// Writing tools, in the spellings that no recorded payload shows.
func TestWritingTools(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, payload string
		want          []File
	}{
		{"cursor's delete", `{"cursor_version":"3","hook_event_name":"preToolUse","tool_name":"Delete","tool_input":{"file_path":"/w/a"}}`,
			[]File{{Path: "/w/a", Op: "delete"}}},
		{"cursor's input as text", `{"cursor_version":"3","hook_event_name":"preToolUse","tool_name":"Write","tool_input":"{\"file_path\":\"/w/a\",\"content\":\"x\"}"}`,
			[]File{{Path: "/w/a", Op: "write", Content: "x"}}},
		{"droid's changes", `{"hook_event_name":"PreToolUse","transcript_path":"/h/.factory/s","tool_name":"Edit","tool_input":{"file_path":"/w/a","changes":[{"old_str":"1","new_str":"2"},{"old_str":"3","new_str":"4"}]}}`,
			[]File{{Path: "/w/a", Op: "edit", Old: "1", New: "2"}, {Path: "/w/a", Op: "edit", Old: "3", New: "4"}}},
		{"droid's create", `{"hook_event_name":"PreToolUse","tool_name":"Create","tool_input":{"file_path":"/w/a","content":"x"}}`,
			[]File{{Path: "/w/a", Op: "write", Content: "x"}}},
		{"droid's patch", `{"hook_event_name":"PreToolUse","tool_name":"ApplyPatch","tool_input":{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}}`,
			[]File{{Path: "a", Op: "delete"}}},
		{"copilot's patch as text", `{"sessionId":"s","timestamp":1,"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`,
			[]File{{Path: "a", Op: "delete"}}},
		{"codex's patch as text", `{"hook_event_name":"PreToolUse","turn_id":"t","tool_name":"apply_patch","tool_input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`,
			[]File{{Path: "a", Op: "delete"}}},
		{"codex's patch as words", `{"hook_event_name":"PreToolUse","turn_id":"t","tool_name":"shell","tool_input":{"command":["apply_patch","*** Begin Patch\n*** Delete File: a\n*** End Patch"]}}`,
			[]File{{Path: "a", Op: "delete"}}},
		{"opencode's patch", `{"harness":"opencode","hook":"tool.execute.before","input":{"tool":"apply_patch"},"output":{"args":{"patchText":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}}}`,
			[]File{{Path: "a", Op: "write", Content: "x\n"}}},
		{"opencode's write", `{"harness":"opencode","hook":"tool.execute.before","input":{"tool":"write"},"output":{"args":{"filePath":"/w/a","content":""}}}`,
			[]File{{Path: "/w/a", Op: "write"}}},
		{"copilot's permission", `{"hookName":"permissionRequest","sessionId":"s","timestamp":1,"toolName":"edit","toolInput":{"file_path":"/w/a","diff":"@@"}}`,
			[]File{{Path: "/w/a", Op: "edit"}}},
		{"grok's nameless write", `{"sessionId":"s","workspaceRoot":"/w","toolInput":{"file_path":"/w/a","content":"x"}}`,
			[]File{{Path: "/w/a", Op: "write", Content: "x"}}},
	}
	for _, tt := range tests {
		c, odd, err := Parse([]byte(tt.payload), Hint{}, none)
		if err != nil || len(odd) > 0 || !reflect.DeepEqual(c.Files, tt.want) {
			t.Errorf("%s: %+v, %q, %v; want %+v", tt.name, c, odd, err, tt.want)
		}
	}
}

// Tools in the spellings that no recorded payload shows.
func TestToolKinds(t *testing.T) {
	t.Parallel()
	codex := `{"hook_event_name":"PreToolUse","turn_id":"t","tool_name":%q,"tool_input":%s}`
	gemini := `{"hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":%q,"tool_input":%s}`
	qwen := `{"hook_event_name":"PreToolUse","permission_mode":"yolo","timestamp":"2026-01-01T00:00:00Z","tool_name":%q,"tool_input":%s}`
	copilot := `{"sessionId":"s","timestamp":1,"toolName":%q,"toolArgs":%s}`
	cursor := `{"cursor_version":"3","hook_event_name":"preToolUse","tool_name":%q,"tool_input":%s}`
	opencode := `{"harness":"opencode","hook":"tool.execute.before","input":{"tool":%q},"output":{"args":%s}}`
	droid := `{"hook_event_name":"PreToolUse","transcript_path":"/h/.factory/s","tool_name":%q,"tool_input":%s}`
	antigravity := `{"workspacePaths":["/w"],"toolCall":{"name":%q,"args":%s}}`
	muse := `{"hook_event_name":"PreToolUse","model_provider":"meta","tool_name":%q,"tool_input":%s}`
	tests := []struct {
		frame, tool, input string
		want               Kind
		also               string // command, dialect and MCP names joined
	}{
		{codex, "shell", `{"command":["bash","-lc","ls -l"],"workdir":"x"}`, Shell, "ls -l"},
		{codex, "local_shell", `{"command":["git","status"]}`, Shell, "git status"},
		{codex, "exec_command", `{"cmd":"ls"}`, Shell, "ls"},
		{codex, "view_image", `{"path":"x.png"}`, Read, ""},
		{codex, "update_plan", `{"plan":[]}`, OtherTool, ""},
		{codex, "a_new_shell", `{"command":"ls"}`, Shell, "ls"},
		{gemini, "mcp_tracker_create_issue", `{}`, MCP, "tracker create_issue"},
		{gemini, "google_web_search", `{"query":"x"}`, Fetch, ""},
		{gemini, "invoke_agent", `{}`, Spawn, ""},
		{gemini, "read_file", `{"file_path":"x"}`, Read, ""},
		{qwen, "mcp__tracker__create_issue", `{}`, MCP, "tracker create_issue"},
		{qwen, "task", `{}`, Spawn, ""},
		{copilot, "powershell", `{"command":"Remove-Item x"}`, Shell, "Remove-Item x powershell"},
		{copilot, "github-mcp-server-create_issue", `{}`, MCP, "github-mcp-server create_issue"},
		{copilot, "task", `{"prompt":"x"}`, Spawn, ""},
		{copilot, "report_intent", `{}`, OtherTool, ""},
		{cursor, "Grep", `{}`, Read, ""},
		{cursor, "Task", `{}`, Spawn, ""},
		{opencode, "task", `{}`, Spawn, ""},
		{opencode, "plan_exit", `{}`, OtherTool, ""},
		{opencode, "webfetch", `{"url":"x"}`, Fetch, ""},
		{droid, "linear___create_issue", `{}`, MCP, "linear create_issue"},
		{droid, "mcp__linear__create_issue", `{}`, MCP, "linear create_issue"},
		{droid, "FetchUrl", `{}`, Fetch, ""},
		{antigravity, "view_file", `{}`, Read, ""},
		{antigravity, "a_new_one", `{"CommandLine":"ls"}`, Shell, "ls"},
		{antigravity, "search_web", `{}`, Fetch, ""},
		{muse, "bash", `{"command":"ls","workdir":"/x","description":"d"}`, Shell, "ls"},
		{muse, "edit", `{"file_path":"a"}`, Write, ""},
		{muse, "read", `{"file_path":"a"}`, Read, ""},
	}
	for _, tt := range tests {
		payload := fmt.Sprintf(tt.frame, tt.tool, tt.input)
		c, _, err := Parse([]byte(payload), Hint{}, none)
		if err != nil {
			t.Errorf("%s: %v", payload, err)
			continue
		}
		got := strings.Join(strings.Fields(strings.Join([]string{c.Command, c.Dialect, c.Server, c.Verb}, " ")), " ")
		if c.Kind != tt.want || got != tt.also {
			t.Errorf("%s: %v %q, want %v %q", payload, c.Kind, got, tt.want, tt.also)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** End Patch")
	f.Add("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF")
	f.Fuzz(func(t *testing.T, body string) {
		// Every header at the start of a line has its file: none may be lost.
		n := 0
		if strings.HasPrefix(body, "*** Begin Patch") {
			for line := range strings.Lines(body) {
				for _, head := range []string{"*** Add File:", "*** Update File:", "*** Delete File:"} {
					if rest, ok := strings.CutPrefix(line, head); ok && strings.TrimSpace(rest) != "" {
						n++
					}
				}
			}
		}
		if got := len(patchFiles(body, "")); got < n {
			t.Errorf("%d files of %d headers in %q", got, n, body)
		}
		heredocPatch(body)
	})
}
