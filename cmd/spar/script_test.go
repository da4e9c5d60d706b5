package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for spar: a script's `exec spar` starts
// a process of its own, with the arguments, environment and standard streams a
// person's shell would give it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"spar": main})
}

// TestScript runs testdata/script/*.txtar. Each script is a specification: its
// comment lines say what holds, the commands under them show it.
//
// What a script finds:
//
//   - $WORK, its directory and the place its files are unpacked to. It lies
//     outside every folder that redline takes for scratch, so that `rm -rf build`
//     costs what it costs in a real project; where the machine offers no such
//     place the condition [scratch] is true.
//   - $WORK/.git, empty: the home search stops here and never reaches a .spar of
//     the person who runs the tests. A script that wants a second project makes
//     its own: `mkdir other/.git`. A script that wants real git says `git init`.
//   - HOME=$WORK/home, the XDG directories under it, TMPDIR=$WORK/.tmp.
//   - no variable of the person's environment but PATH.
//   - the conditions [root] and [scratch], the commands payload, expand and repo.
//
// SPAR_UPDATE=1 rewrites the files that `cmp` compares with; review the diff.
func TestScript(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "script")
	runScripts(t, testscript.Params{Dir: dir})
}

// runScripts runs scripts in the surroundings that TestScript describes.
func runScripts(t *testing.T, p testscript.Params) {
	root, scratch := workRoot(t)
	p.WorkdirRoot = root
	p.UpdateScripts = os.Getenv("SPAR_UPDATE") != ""
	p.Setup = func(env *testscript.Env) error {
		env.Values[payloads{}] = new(payloads)
		return setup(env, root)
	}
	p.Condition = func(cond string) (bool, error) {
		switch cond {
		case "root":
			// Permission bits don't bind root, so scripts on unwritable folders skip.
			return os.Geteuid() == 0, nil
		case "scratch":
			return scratch, nil
		}
		return false, fmt.Errorf("unknown condition %q: want root or scratch", cond)
	}
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"payload": cmdPayload,
		"expand":  cmdExpand,
		"repo":    cmdRepo,
	}
	testscript.Run(t, p)
}

// workRoot makes the folder that holds every script's $WORK. testscript's own
// choice is below the temp folder, where a recursive removal is tidying and free;
// hardly a charge could be shown there.
func workRoot(t *testing.T) (root string, scratch bool) {
	var places []string
	if dir, err := os.UserCacheDir(); err == nil {
		places = append(places, dir)
	}
	if dir, err := filepath.Abs(filepath.Join("..", "..", "testdata")); err == nil {
		places = append(places, dir)
	}
	places = slices.DeleteFunc(places, underScratch)
	places = append(places, os.TempDir())
	for _, place := range places {
		if err := os.MkdirAll(place, 0o700); err != nil {
			continue
		}
		dir, err := os.MkdirTemp(place, "spar-script-") //nolint:usetesting // t.TempDir lies in scratch
		if err != nil {
			continue
		}
		t.Cleanup(func() {
			if err := removeAll(dir); err != nil {
				t.Errorf("removing the scripts' folder: %v", err)
			}
		})
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		return dir, underScratch(dir)
	}
	t.Fatalf("none of %q takes a folder for the scripts", places)
	return "", false
}

// underScratch reports whether dir is where redline lets removals go free.
func underScratch(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, s := range []string{"/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp", "/dev/shm", os.TempDir(), os.Getenv("RUNNER_TEMP")} {
		if s == "" {
			continue
		}
		if rel, err := filepath.Rel(s, dir); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// removeAll is os.RemoveAll for trees in which a script took the write bit away.
func removeAll(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// setup is what every script starts from.
func setup(env *testscript.Env, root string) error {
	home := filepath.Join(env.WorkDir, "home")
	vars := map[string]string{
		"HOME":            home,
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_STATE_HOME":  filepath.Join(home, ".local", "state"),
		"XDG_CACHE_HOME":  filepath.Join(home, ".cache"),
		"XDG_DATA_HOME":   filepath.Join(home, ".local", "share"),
		// The scripts' folder may lie inside somebody's repository; git must not
		// find it. Without a person's settings every git says the same.
		"GIT_CEILING_DIRECTORIES": root,
		"GIT_CONFIG_NOSYSTEM":     "1",
		"GIT_CONFIG_GLOBAL":       os.DevNull,
		// A race-enabled process sleeps a second before it exits unless told not to.
		"GORACE": "atexit_sleep_ms=0",
	}
	if runtime.GOOS == "windows" {
		vars["USERPROFILE"] = home
		vars["LocalAppData"] = filepath.Join(home, "AppData", "Local")
	}
	for _, k := range slices.Sorted(maps.Keys(vars)) {
		env.Setenv(k, vars[k])
	}
	for _, dir := range []string{home, filepath.Join(env.WorkDir, ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// payloads counts a script's payloads, so that each call gets an id of its own.
type payloads struct{ n int }

// cmdPayload writes a hook payload as Claude Code sends it, with cwd and ids that
// a file in the script couldn't know:
//
//	payload in.json PreToolUse command='git push origin main'
//	stdin in.json
//	exec spar hook
//
// `command=` makes it a Bash call and `file=` a Write; any other key is a key of
// the payload, and `input.KEY` one of tool_input. A value that is JSON is taken as
// JSON. Session is "s1" and the tool call's id is new unless given.
func cmdPayload(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: payload FILE EVENT [KEY=VALUE ...]")
	}
	out := map[string]any{
		"session_id":      "s1",
		"transcript_path": ts.MkAbs("home/.claude/projects/work/s1.jsonl"),
		"cwd":             ts.MkAbs("."),
		"permission_mode": "default",
		"hook_event_name": args[1],
	}
	input := map[string]any{}
	for _, arg := range args[2:] {
		key, text, ok := strings.Cut(arg, "=")
		if !ok {
			ts.Fatalf("payload: want KEY=VALUE, got %q", arg)
		}
		var value any = text
		switch key {
		case "command":
			out["tool_name"], input["command"] = "Bash", text
			continue
		case "file":
			out["tool_name"], input["file_path"] = "Write", text
			if _, ok := input["content"]; !ok {
				input["content"] = "text\n"
			}
			continue
		case "session":
			key = "session_id"
		case "id":
			key = "tool_use_id"
		case "tool":
			key = "tool_name"
		}
		var parsed any
		if json.Unmarshal([]byte(text), &parsed) == nil {
			value = parsed
		}
		if name, ok := strings.CutPrefix(key, "input."); ok {
			input[name] = value
			continue
		}
		out[key] = value
	}
	if strings.Contains(args[1], "ToolUse") || strings.HasPrefix(args[1], "Permission") {
		if _, ok := out["tool_input"]; !ok {
			out["tool_input"] = input
		}
		if _, ok := out["tool_use_id"]; !ok {
			count := ts.Value(payloads{}).(*payloads)
			count.n++
			out["tool_use_id"] = fmt.Sprintf("toolu_%03d", count.n)
		}
	}
	if args[1] == "PostToolUse" {
		if _, ok := out["tool_response"]; !ok {
			out["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false}
		}
	}
	data, err := json.Marshal(out)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

// cmdExpand replaces $WORK and ${WORK} in files, in place, as JSON spells the
// path: a backslash in it is doubled.
func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE...")
	}
	quoted, err := json.Marshal(ts.Getenv("WORK"))
	ts.Check(err)
	work := strings.Trim(string(quoted), `"`)
	for _, name := range args {
		data := ts.ReadFile(name)
		data = strings.NewReplacer("${WORK}", work, "$WORK", work).Replace(data)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(data), 0o600))
	}
}

// cmdRepo copies this repository's sources to a folder that isn't there yet, for
// scripts that build: what they leave is removed with $WORK. $REPO is where the
// sources themselves lie. The go command finds what it has built and fetched
// before, and no network.
func cmdRepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	ts.Check(err)
	dirs := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(out)), "\r", ""), "\n")
	if len(dirs) != 2 {
		ts.Fatalf("go env says %q; want two folders", out)
	}
	ts.Setenv("GOCACHE", dirs[0])
	ts.Setenv("GOMODCACHE", dirs[1])
	ts.Setenv("GOPROXY", "off")
	ts.Setenv("GOTOOLCHAIN", "local")
	ts.Setenv("GOFLAGS", "-buildvcs=false") // $WORK/.git is there for spar, not for git
	root, err := filepath.Abs(filepath.Join("..", ".."))
	ts.Check(err)
	to := ts.MkAbs(args[0])
	ts.Setenv("REPO", root)
	ts.Check(filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || rel == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular() || rel == "spar" || rel == "spar.exe":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	}))
}
