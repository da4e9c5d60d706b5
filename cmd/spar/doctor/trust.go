package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

// fileOf is the settings file an error of an install is about, "" for none.
func fileOf(err error) string {
	var e *install.FileError
	if errors.As(err, &e) {
		return e.Path
	}
	return ""
}

// trust tells a step that a person has to do before a harness runs hooks, as far as
// a file shows that it is not done. An event that arrived settles it: no file then
// knows better.
func (x *examination) trust(w Wiring) {
	pre := w.event(harness.PreTool)
	if w.Wire.Trust == "" || !pre.Whole() || pre.Proven() {
		return
	}
	state, why := Unproven, ""
	switch w.Harness {
	case "codex":
		state, why = x.codexTrust(pre)
	case "claude":
		if x.inProject(pre) && !x.claudeTrust() {
			why = "nothing says that the workspace is trusted"
		}
	case "gemini":
		state, why = x.geminiTrust()
	case "copilot":
		if x.inProject(pre) && !x.copilotTrust() {
			why = "nothing says that the folder is trusted"
		}
	default:
		if x.inProject(pre) {
			why = "whether the folder is trusted can't be told from here"
		}
	}
	if why != "" {
		x.add(hook.Check{Name: "trust", Harness: w.Harness, State: state, Next: why + "\n" + w.Wire.Trust})
	}
}

// inProject reports whether nothing but a project's settings wires the event: a
// person's own need no trust in a folder.
func (x *examination) inProject(e Event) bool {
	return !slices.ContainsFunc(e.Entries, func(in install.Entry) bool { return in.Whole() && in.Scope == harness.User })
}

// codexTrust looks for the state that Codex keeps of a reviewed hook, in the config
// beside the file or the person's own. Its hash can't be checked, so a state that
// is there proves nothing yet; one that is missing means that the hook is skipped.
func (x *examination) codexTrust(e Event) (state, why string) {
	config := filepath.Join(x.o.Home, ".codex", "config.toml")
	if dir := x.o.Env("CODEX_HOME"); dir != "" {
		config = filepath.Join(dir, "config.toml")
	}
	if !filepath.IsAbs(config) {
		return Unproven, "whether the hooks were reviewed can't be told without a home folder"
	}
	raw, err := os.ReadFile(config)
	text := strings.ReplaceAll(string(raw), `\\`, `\`)
	for _, in := range e.Entries {
		real, linkErr := filepath.EvalSymlinks(in.File)
		if linkErr != nil {
			real = in.File
		}
		for _, file := range []string{in.File, real} {
			if err == nil && strings.Contains(text, file+":pre_tool_use:") {
				return Unproven, "the hooks were reviewed once; an edit since then asks for it again, and that can't be told from here"
			}
		}
	}
	return Broken, fmt.Sprintf("%s holds no review of these hooks, so Codex skips them", config)
}

// claudeTrust reads what Claude Code keeps of the trust dialog.
func (x *examination) claudeTrust() bool {
	var state struct {
		Projects map[string]struct {
			Trusted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	dir := x.o.Home
	if moved := x.o.Env("CLAUDE_CONFIG_DIR"); moved != "" {
		dir = moved
	}
	readJSON(filepath.Join(dir, ".claude.json"), &state)
	for _, up := range above(x.o.Project) {
		if state.Projects[filepath.ToSlash(up)].Trusted || state.Projects[up].Trusted {
			return true
		}
	}
	return false
}

// geminiTrust reads Gemini CLI's list of folders: in one that is not trusted no
// settings hook runs, a person's own included.
func (x *examination) geminiTrust() (state, why string) {
	path := x.o.Env("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
	if path == "" {
		path = filepath.Join(x.o.Home, ".gemini", "trustedFolders.json")
	}
	folders := map[string]string{}
	readJSON(path, &folders)
	for i, up := range above(x.o.Project) {
		switch word := folders[up]; {
		case word == "DO_NOT_TRUST" && i == 0:
			return Broken, fmt.Sprintf("%s says that %s is not trusted", path, up)
		case word == "TRUST_FOLDER", word == "TRUST_PARENT":
			return Unproven, ""
		}
	}
	return Unproven, "nothing says that the folder is trusted"
}

// copilotTrust reads Copilot CLI's list of folders.
func (x *examination) copilotTrust() bool {
	var config struct {
		Old []string `json:"trusted_folders"`
		New []string `json:"trustedFolders"`
	}
	dir := filepath.Join(x.o.Home, ".copilot")
	if moved := x.o.Env("COPILOT_HOME"); moved != "" {
		dir = moved
	}
	readJSON(filepath.Join(dir, "config.json"), &config)
	return slices.ContainsFunc(above(x.o.Project), func(up string) bool { return slices.Contains(append(config.Old, config.New...), up) })
}

// above is a folder and every one it lies in, innermost first.
func above(dir string) []string {
	if dir == "" {
		return nil
	}
	all := []string{dir}
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		all = append(all, up)
	}
	return all
}

// readJSON fills v from a file that belongs to somebody else; what isn't there or
// isn't what it seems leaves it as it is.
func readJSON(path string, v any) {
	if !filepath.IsAbs(path) {
		return // nobody's home is known
	}
	if raw, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(raw, v)
	}
}

// codexKeys tells a key that makes Codex reject its whole file with no more than a
// warning.
func (x *examination) codexKeys(w Wiring) {
	if w.Harness != "codex" {
		return
	}
	for _, file := range ownFiles(x.o, w.Wire) {
		if filepath.Ext(file) != ".json" {
			continue
		}
		var top map[string]json.RawMessage
		readJSON(file, &top)
		for _, key := range slices.Sorted(maps.Keys(top)) {
			if key != "hooks" && key != "description" {
				x.add(hook.Check{Name: "settings", Harness: w.Harness, State: Broken, Next: fmt.Sprintf(
					"%s has %q beside its hooks, and Codex rejects the whole file for it\ntake %q out", file, key, key)})
				break
			}
		}
	}
}
