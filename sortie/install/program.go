package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// resolved is a path with its links followed, as far as it exists.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

// runnable reports whether a path is a file that can be started.
func (o Options) runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (o.Windows || info.Mode()&0o111 != 0)
}

// lookPath is the first program of that name on PATH, "" for none. A relative
// folder on PATH means another place for each process, so it counts for nothing.
func (o Options) lookPath(name string) string {
	for _, dir := range filepath.SplitList(o.Env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range o.extensions(name) {
			if path := filepath.Join(dir, name+ext); o.runnable(path) {
				return path
			}
		}
	}
	return ""
}

func (o Options) extensions(name string) []string {
	if !o.Windows || strings.EqualFold(filepath.Ext(name), ".exe") {
		return []string{""}
	}
	return []string{".exe", ".cmd", ".bat"}
}

// Program is the binary as an entry calls it, and what a person should know of
// that path; "" for nothing. It is plain `spar` where that leads to this binary:
// an update that moves the binary then breaks nothing.
func (o Options) Program() (program, warning string) {
	onPath := o.lookPath("spar")
	same := onPath != "" && o.Self != "" && sameFile(onPath, o.Self)
	if same && !o.Absolute {
		return "spar", ""
	}
	program = o.Self
	if same {
		program = onPath // of two names the one that PATH has is the one that stays
	}
	if part := passing(program); part != "" {
		warning = "the path of this binary has " + part + " in it and may not outlive an update; a moved binary blocks nothing and says nothing: put spar on PATH and install again"
	}
	return filepath.ToSlash(program), warning
}

// ownProgram is Program, refused where an entry that runs it would not be taken for
// ours afterwards.
func (o Options) ownProgram() (program, warning string, err error) {
	program, warning = o.Program()
	switch {
	case program == "":
		return "", "", errors.New("where this binary is can't be told; put spar on PATH and install again")
	case programName(program) != "spar":
		return "", "", fmt.Errorf("this binary is called %q, and an entry is recognised by the name spar; give it that name and install again", programName(program))
	}
	return program, warning, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// passing is the part of a path that will be another one after an update: a
// version, or a folder that package managers and builds throw away.
func passing(path string) string {
	version := regexp.MustCompile(`^v?\d+\.\d+(\.\d+)?([-+_@].*)?$|@v?\d+\.\d+`)
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, p := range parts {
		switch {
		case p == "Cellar" || strings.HasPrefix(p, "go-build"):
			return p
		case p == "go" && i+1 < len(parts) && parts[i+1] == "pkg":
			return "go/pkg"
		case p == "nix" && i+1 < len(parts) && parts[i+1] == "store":
			return "nix/store"
		case i < len(parts)-1 && version.MatchString(p):
			return p
		}
	}
	return ""
}

// locate finds the file that an entry's program is, and says why it can't be
// started; both empty where that can't be told from here.
func (o Options) locate(c Command) (path, dead string) {
	if c.Bare {
		return "", "the path has a space and no quotes, so a shell looks for its first half"
	}
	path, known := o.expand(c.Program)
	switch {
	case !known || path == "":
		return "", ""
	case !strings.Contains(path, "/"):
		if found := o.lookPath(path); found != "" {
			return found, ""
		}
		return "", path + " is not on PATH"
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		if o.Project == "" {
			return "", ""
		}
		path = filepath.Join(o.Project, path)
	}
	for _, ext := range append(o.extensions(path), "") {
		if o.runnable(path + ext) {
			return path + ext, ""
		}
	}
	if exists(path) {
		return "", path + " is there and can't be run"
	}
	return "", path + " is not there"
}

// expand puts values in for the variables of a path. known is false where one of
// them is not known here: a harness sets more than a terminal has.
func (o Options) expand(path string) (expanded string, known bool) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = "$HOME/" + rest
	}
	known = true
	value := func(name string) string {
		v := o.Env(name)
		switch name {
		case "HOME":
			v = o.Home
		case "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR":
			if v == "" {
				v = o.Project
			}
		}
		if v == "" {
			known = false
		}
		return filepath.ToSlash(v)
	}
	if strings.Contains(path, "$(") || strings.Contains(path, "`") {
		return path, false
	}
	path = os.Expand(path, value)
	for {
		before, rest, ok := strings.Cut(path, "%")
		name, after, closed := strings.Cut(rest, "%")
		if !ok || !closed || name == "" || strings.ContainsAny(name, "/ ") {
			return path, known
		}
		path = before + value(name) + after
		if !known {
			return path, false
		}
	}
}
