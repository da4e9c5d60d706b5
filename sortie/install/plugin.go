package install

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"spar/sortie/harness"
)

// ourPlugin reports whether a module file is ours: it begins with our line. The
// rest may be an older version's.
func ourPlugin(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n"))
	head, _, _ := strings.Cut(harness.PluginHead, ":")
	return strings.HasPrefix(strings.TrimSpace(string(line)), head+":")
}

// pluginProgram is the binary a plugin file of ours starts, "" where it doesn't
// say.
func pluginProgram(text []byte) string {
	found := regexp.MustCompile(`(?m)^const SPAR = ("(?:[^"\\]|\\.)*")`).FindSubmatch(text)
	var program string
	if found == nil || json.Unmarshal(found[1], &program) != nil {
		return ""
	}
	return program
}

// pluginEntries are the events of a plugin file of ours, as if each were an entry.
func (o Options) pluginEntries(t scoped, text []byte) []Entry {
	if !ourPlugin(text) {
		return nil
	}
	program := slashes(pluginProgram(text))
	run := Command{Ours: true, Program: program, Harness: t.wire.Name}
	path, dead := o.locate(run)
	wrong := ""
	if program == "" || string(text) != t.wire.Plugin(pluginProgram(text)) {
		wrong = "the plugin file is not the one this version writes; install again"
	}
	var all []Entry
	for _, e := range t.wire.Events {
		run.Event = e.Name
		all = append(all, Entry{Harness: t.wire.Name, Scope: t.place.Scope, File: t.path, Line: 1, Event: e.Event, Name: e.Name,
			Command: program, Run: run, Program: path, Limit: e.Limit, Least: e.Limit, Dead: dead, Wrong: wrong})
	}
	return all
}
