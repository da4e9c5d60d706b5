package main

import (
	"runtime/debug"
	"strings"
)

// version says what this binary was built from: the release, else the commit. It has
// to say the same as spar's own, which refuses a judge of another version.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	if commit == "" {
		return strings.Trim(info.Main.Version, "()")
	}
	return commit + dirty
}
