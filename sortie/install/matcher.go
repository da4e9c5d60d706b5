package install

import (
	"regexp"
	"slices"
	"strings"

	"spar/sortie/harness"
)

// unheardOf stands for the tools nobody knows yet. A matcher that lists every tool
// there is today does not reach the one that comes with the next update.
const unheardOf = "Unheard0fTool"

// Reach is how far a matcher reaches.
type Reach struct {
	All bool // everything that the event can be about
	// Names are the known names it reaches, where it does not reach all.
	Names []string
	// Problem says why the matcher could not be read; "" where it could.
	Problem string
}

// ReachOf tells how far a matcher of a harness's event reaches. The value is
// tried as that harness tries it: a list of names, or a regular expression against
// the tool names we know.
func ReachOf(w harness.Wire, event harness.Event, matcher string) Reach {
	names, open := subjects(w, event)
	if names == nil || slices.Contains(w.MatchAll, matcher) || matcher == "" {
		return Reach{All: true}
	}
	var hits func(name string) bool
	if w.Listed && strings.Trim(matcher, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-|, ") == "" {
		list := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' })
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		hits = func(name string) bool { return slices.Contains(list, name) }
	} else {
		pattern := matcher
		if w.Anchored {
			pattern = "^(?:" + matcher + ")$"
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			// Lookaheads are JavaScript's; Go's package has none. And `*` or `(` are in
			// nobody's grammar.
			return Reach{Problem: "the regular expression can't be read here: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
		}
		hits = re.MatchString
	}
	r := Reach{All: !open || hits(unheardOf)}
	for _, name := range names {
		hit := hits(name)
		for _, alias := range w.Aliases {
			hit = hit || alias[1] == name && hits(alias[0])
		}
		if hit {
			r.Names = append(r.Names, name)
		} else {
			r.All = false
		}
	}
	if r.All {
		r.Names = nil
	}
	return r
}

// Covers reports whether all of these names are reached; no names: everything.
func (r Reach) Covers(names ...string) bool {
	if r.All {
		return true
	}
	for _, n := range names {
		if !slices.Contains(r.Names, n) {
			return false
		}
	}
	return len(names) > 0
}

// subjects are the names that a matcher of an event is compared with, nil where
// the event has no matcher. open is set where there may be names nobody knows.
func subjects(w harness.Wire, event harness.Event) (names []string, open bool) {
	switch event {
	case harness.PreTool, harness.PostTool, harness.PostFailure, harness.Permission, harness.Denied:
		return w.Tools, true
	case harness.SessionStart:
		return []string{"startup", "resume", "clear", "compact", "fork"}, false
	case harness.SessionEnd:
		return []string{"clear", "resume", "logout", "prompt_input_exit", "exit", "other"}, true
	case harness.AgentStart, harness.AgentStop:
		return []string{"general-purpose"}, true
	case harness.Compact:
		return []string{"manual", "auto"}, false
	}
	return nil, false
}
