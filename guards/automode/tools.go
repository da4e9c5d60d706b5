package automode

import (
	"encoding/json"
	"strings"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// harmlessTool reports whether a tool of a harness only looks, by the exact name.
func harmlessTool(name string) bool {
	switch name {
	case "Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "read", "glob", "grep", "list", "list_dir",
		"read_file", "file_search", "view_image", "list_directory", "search_file_content", "read_many_files", "google_web_search", "web_search", "web_fetch",
		"webfetch", "websearch", "todowrite", "todoread", "codesearch", "grep_search", "codebase_search", "view", "ls", "update_plan", "read_dir", "search_files", "todo_write", "ToolSearch":
		return true
	}
	return false
}

// readTool judges a tool that only looks by what it looks at.
func readTool(call *harness.Call, o LocalOptions) string {
	var in struct {
		FilePath  string   `json:"file_path"`
		FilePath2 string   `json:"filePath"`
		Path      string   `json:"path"`
		Absolute  string   `json:"absolute_path"`
		Target    string   `json:"target_file"`
		Notebook  string   `json:"notebook_path"`
		Paths     []string `json:"paths"`
		URL       string   `json:"url"`
		Query     string   `json:"query"`
		Prompt    string   `json:"prompt"`
		Pattern   string   `json:"pattern"`
		Glob      string   `json:"glob"`
	}
	if len(call.Input) > 0 {
		var any map[string]json.RawMessage
		if json.Unmarshal(call.Input, &any) != nil {
			return "the input can't be read"
		}
		for key, raw := range any {
			// One field of another type must not hide the others.
			one, err := json.Marshal(map[string]json.RawMessage{key: raw})
			if err == nil {
				_ = json.Unmarshal(one, &in)
			}
		}
	}
	switch call.Tool {
	case "Glob", "glob", "LS", "ls", "list", "list_dir", "list_directory", "read_dir", "file_search", "TodoWrite", "TodoRead", "todowrite", "todoread", "todo_write", "update_plan", "ToolSearch":
		return ""
	case "Grep", "grep", "search_file_content", "grep_search", "search_files":
		if hunting(in.Glob) || secretPattern(in.Glob) && in.Glob != "" {
			return "it looks into secrets"
		}
	}
	for _, p := range append(in.Paths, in.FilePath, in.FilePath2, in.Path, in.Absolute, in.Target, in.Notebook) {
		if p == "" {
			continue
		}
		if secretText(p) || strings.ContainsAny(p, "*?[") && secretPattern(p) {
			return p + " is likely a secret"
		}
		if o.Disk != nil {
			if full, ok := resolve(acts.Text(call.Cwd), p); ok {
				if real, ok := o.Disk.Real(full); ok && secretPath(real) {
					return p + " leads to a secret"
				}
			}
		}
	}
	if in.URL != "" {
		return fetchURL(acts.Text(in.URL))
	}
	switch call.Tool {
	case "WebSearch", "web_search", "google_web_search", "websearch":
		if len(in.Query) > 400 || secretQuery(in.Query) {
			return "the query is long enough to carry something away"
		}
	case "web_fetch":
		// Gemini's takes its addresses inside a prompt.
		for _, f := range strings.Fields(in.Prompt) {
			if strings.Contains(f, "://") {
				if why := fetchURL(acts.Text(strings.Trim(f, `"'()<>,`))); why != "" {
					return why
				}
			}
		}
	}
	return ""
}
