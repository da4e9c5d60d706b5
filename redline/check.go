package redline

import (
	"os"
	"strings"

	"spar/redline/acts"
	"spar/sortie"
	"spar/sortie/harness"
)

// World is what pricing a call needs of the outside, beside the call.
type World struct {
	// Env looks a variable up; "" for one that is unset.
	Env func(string) string
	// Own are the session's own directories: the only ones, with the person's home,
	// whose configuration may make the limiter quieter. Empty: where the call stands.
	Own []string
	// Named are the file names the person used; see [Options.Named].
	Named []string
}

// Check prices a call after looking for the configuration of every tree it
// touches: the session's own, the call's directory, the files it writes, and up to
// four absolute paths that a command names and does not merely read.
func Check(call *harness.Call, w World) (*Priced, Found) {
	line := call.Command
	if call.Kind == harness.MCP {
		line = string(call.Input) // a tool may carry a command among its arguments
	}
	o := Options{Env: environment(w.Env, line), Dir: call.Cwd, Named: w.Named, File: readSettings}
	look := Look{Own: w.Own, Trees: []string{call.Cwd}, Home: homeDir(o.Env), Extra: w.Env("REDLINE_PRODUCTION")}
	if len(look.Own) == 0 {
		look.Own = []string{call.Cwd}
	}
	switch call.Kind {
	case harness.Shell:
		o.Reading = read(call, o)
		look.Trees = append(look.Trees, trees(o.Reading, call.Cwd)...)
	case harness.Write:
		for _, f := range call.Files {
			path := resolve(o.Dir, look.Home, f.Path)
			if i := strings.LastIndexByte(path, '/'); i > 0 {
				look.Trees = append(look.Trees, path[:i])
			}
		}
	case harness.MCP:
		for _, s := range mcpPaths(call) {
			path := resolve(o.Dir, look.Home, s)
			if i := strings.LastIndexByte(path, '/'); i > 0 {
				look.Trees = append(look.Trees, path[:i])
			}
		}
	}
	found := Load(look)
	o.Rules = found.Rules
	return Price(call, o), found
}

// OwnDirs are the session's own directories of a home: what the harness calls
// its project, else the home's root.
func OwnDirs(project string, h sortie.Home) []string {
	if project != "" {
		return []string{project}
	}
	if h.Root != "" {
		return []string{h.Root}
	}
	return nil
}

func homeDir(env map[string]string) string {
	if h := env["HOME"]; h != "" {
		return h
	}
	return env["USERPROFILE"]
}

// environment is the part of the environment a command line can ask for: the
// names it spells, and those a path may silently depend on. The whole of it is
// never copied: a process has hundreds, a line a handful.
func environment(env func(string) string, line string) map[string]string {
	m := make(map[string]string, 8)
	add := func(name string) {
		if _, ok := m[name]; !ok {
			if v := env(name); v != "" {
				m[name] = v
			}
		}
	}
	for _, name := range [...]string{"HOME", "TMPDIR", "TEMP", "TMP", "RUNNER_TEMP", "USERPROFILE"} {
		add(name)
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '$', '%', ':', '!', '{', '#':
		default:
			continue
		}
		j := i + 1
		for j < len(line) && (letter(line[j]) || j > i+1 && line[j] >= '0' && line[j] <= '9') {
			j++
		}
		if j > i+1 && j-i < 64 && len(m) < 256 {
			if name := line[i+1 : j]; name != "IFS" {
				add(name)
			}
			i = j - 1
		}
	}
	return m
}

// maxTrees is how many absolute paths of a command are asked for configuration.
const maxTrees = 4

// trees are directories in which a command may do something: absolute paths
// among its words and redirections and the places it goes to. What only reads is
// passed over: grep -r /srv is no reason to ask what /srv calls production.
func trees(r *acts.Reading, dir string) []string {
	var out []string
	add := func(s string) {
		s = slashes(s)
		if len(out) >= maxTrees || !rooted(s) || strings.IndexByte(s, '\n') >= 0 {
			return
		}
		s = cleanPath(s)
		for _, o := range out {
			if o == s {
				return
			}
		}
		if s != slashes(dir) && !strings.HasPrefix(s, "/dev/") && !strings.HasPrefix(s, "/tmp/") {
			out = append(out, s)
		}
	}
	for i := range r.Acts {
		if len(out) >= maxTrees {
			break
		}
		a := &r.Acts[i]
		for _, red := range a.Redirs {
			if red.Op != acts.ReadFrom {
				add(red.Target.Prefix())
			}
		}
		add(a.Target.Prefix())
		if a.Kind != acts.Run || len(a.Argv) == 0 {
			continue
		}
		if d := a.Dir.String(); d != dir {
			add(d)
		}
		if readerName(strings.ToLower(a.Name())) {
			continue
		}
		for _, w := range a.Argv[1:] {
			s := w.Prefix()
			if rooted(slashes(s)) {
				add(s)
			} else if _, v, ok := strings.Cut(s, "="); ok {
				add(v)
			}
		}
	}
	return out
}

// readerName reports whether a program only reads or changes nothing, whatever
// its words are. cd counts for where it goes, so it is none.
func readerName(name string) bool {
	switch name {
	case "cd", "pushd":
		return false
	}
	l := line{name: name, p: &pricer{}, act: &acts.Act{}}
	l.p.out.Reading = &acts.Reading{}
	r, _ := l.lands()
	return r == reads || r == idle && name != "sh" && name != "bash"
}

// readSettings reads a settings file that a call is about to overwrite.
func readSettings(path string) (string, bool) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 4<<20 {
		return "", false
	}
	b, err := os.ReadFile(path)
	return string(b), err == nil
}
