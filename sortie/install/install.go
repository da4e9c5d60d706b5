package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/sortie/harness"
)

// Options is what an install knows of the outside, and what was asked of it. The
// zero value of each question is no.
type Options struct {
	// Env looks a variable up; "" for one that is unset.
	Env func(string) string
	// Home is the person's own folder, Project the project's, both absolute. Empty:
	// that scope is refused.
	Home, Project string
	// Self is this binary, absolute, as it was started.
	Self string
	// Now is the local time, for the names of backups.
	Now time.Time
	// Windows is set where entries are written for Windows.
	Windows bool
	// Guards are the names that may stand in `spar NAME hook`.
	Guards []string
	// Aboard are the guards that are mounted: events that one guard alone needs are
	// wired with it.
	Aboard []string

	Absolute     bool // write this binary's path even where PATH leads to it
	DryRun       bool // change nothing, say what would be
	Fix          bool // take surplus copies and single parts of ours out
	ReplaceOlder bool // take the older Node tools' entries out
	StatusLine   bool // and ask for the status line, where the harness has one

	step func(name string) // see writer
}

// Report is what an install or an uninstall did, or, in a dry run, would do.
type Report struct {
	Harness, Title string
	Scope          harness.Scope
	File           string
	Changed        bool
	Created        bool   // the file was not there before
	Removed        bool   // the file was ours whole and is gone
	Restored       bool   // the file is, byte for byte, what it was before the install
	Backup         string // where the state before is kept; "" for none
	Changes        []Change
	Wired          []Where  // where each event is wired now; the written file first
	Notes          []string // what a person should know, a sentence each
	Diff           string   // in a dry run
	Trust, Restart string   // what is left to do before the hooks run; "" for nothing
}

// Where says which events are wired in a file.
type Where struct {
	File   string
	Events []string
}

// Change is one thing that was done to a file.
type Change struct {
	// What is "wired", "widened", "raised", "respelled", "freed", "removed",
	// "copy removed", "older removed" or "added".
	What   string
	Event  string // as the harness spells it
	Detail string // what it was, or how it is now
}

// Count is the number of changes of a kind.
func (r Report) Count(what string) int {
	n := 0
	for _, c := range r.Changes {
		if c.What == what {
			n++
		}
	}
	return n
}

// Entry is one hook entry of ours, or of the older tools, in a settings file.
type Entry struct {
	Harness string
	Scope   harness.Scope
	File    string
	Line    int
	Event   harness.Event
	Name    string // the event as the file spells it
	Command string
	Run     Command
	Program string        // the file it starts, absolute; "" where that can't be told
	Matcher *string       // nil for none
	Limit   time.Duration // 0 for none
	Least   time.Duration // what the limit has to be

	// What is wrong with it; all empty for an entry that does its work.
	Narrow string // what it doesn't reach
	Wrong  string // the door would take its payload for something else
	Dead   string // the program can't be started
	Weak   string // a key that keeps the harness from waiting for the answer
	Copy   bool   // another entry of the file does the same before it
	Notes  []string

	at     place
	alone  bool
	fields []harness.Field
}

// Whole reports whether the entry runs the whole door for everything the event is
// about. A program that can't be started, or the wrong flags, run nothing.
func (e Entry) Whole() bool {
	return e.Run.Ours && e.Run.Guard == "" && e.Run.Part == "" && e.Narrow == "" && e.Wrong == "" && e.Dead == "" && e.Weak == ""
}

// Short reports whether the harness would end the hook before it is done.
func (e Entry) Short() bool { return e.Limit > 0 && e.Limit < e.Least }

// ScopeError says that a harness has no such scope.
type ScopeError struct {
	Title  string
	Scope  harness.Scope
	Scopes []string // those it has
}

func (e *ScopeError) Error() string {
	return fmt.Sprintf("%s has no %s settings; it has %s", e.Title, e.Scope, strings.Join(e.Scopes, " and "))
}

// UnknownError says that nothing can be installed into a harness.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("nothing can be installed into a harness called %q; there are %s", e.Name, strings.Join(harness.Wirings(), ", "))
}

// scoped is one harness's file of one scope.
type scoped struct {
	wire  harness.Wire
	place harness.Place
	path  string
}

func (o Options) root(s harness.Scope) string {
	if s == harness.User {
		return o.Home
	}
	return o.Project
}

// pathOf is where a place is, "" where its root is unknown. A variable that
// relocates a folder and is relative is no place either.
func (o Options) pathOf(p harness.Place) string {
	root := o.root(p.Scope)
	path := p.Path(root, o.Env)
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// target is the file that is written for a scope. Of a scope with two files it is
// the first, unless only the second one is in use.
func (o Options) target(name string, s harness.Scope) (scoped, error) {
	w, ok := harness.Wiring(name)
	if !ok {
		return scoped{}, &UnknownError{name}
	}
	var found []scoped
	var scopes []string
	for _, p := range w.Places {
		if !slices.Contains(scopes, string(p.Scope)) {
			scopes = append(scopes, string(p.Scope))
		}
		if p.Scope == s {
			found = append(found, scoped{w, p, o.pathOf(p)})
		}
	}
	if len(found) == 0 {
		return scoped{}, &ScopeError{w.Title, s, scopes}
	}
	t := found[0]
	if t.path == "" {
		return t, fmt.Errorf("%s: the folder of the %s settings is not known; set HOME, or install with another scope", w.Title, s)
	}
	first, err := load(t.path)
	if err != nil || first.exists() {
		return t, err
	}
	for _, other := range found[1:] {
		f, unread := load(other.path)
		if unread == nil && other.place.Format == harness.TOML && (tomlSheet{w, other.path}).inline(f.text) {
			return other, nil
		}
	}
	return t, nil
}

// sheet is the way the file holds its hooks; nil for a file that is ours whole.
func (t scoped) sheet() sheet {
	switch t.place.Format {
	case harness.TOML:
		return tomlSheet{t.wire, t.path}
	case harness.Module:
		return nil
	}
	return jsonSheet{t.wire, t.path, t.place.Format == harness.JSONC}
}

// Present reports whether a harness is in use in a scope: its folder is there.
func Present(o Options, name string, s harness.Scope) bool {
	w, ok := harness.Wiring(name)
	if !ok {
		return false
	}
	p, ok := w.In(s)
	if !ok || o.root(s) == "" {
		return false
	}
	path := p.SignPath(o.root(s), o.Env)
	return filepath.IsAbs(path) && exists(path)
}

// others are the further files of a harness, with the one that is written left
// out. Two names of one file count once.
func (o Options) others(t scoped) []scoped {
	seen := []string{resolved(t.path)}
	var all []scoped
	for _, p := range slices.Concat(t.wire.Places, t.wire.Others) {
		path := o.pathOf(p)
		if path == "" || slices.Contains(seen, resolved(path)) {
			continue
		}
		seen = append(seen, resolved(path))
		all = append(all, scoped{t.wire, p, path})
	}
	return all
}

// Installed lists every entry of ours and of the older tools in a harness's
// settings, of the given scopes or, without any, of all. Files that could not be
// read are errors beside what was found.
func Installed(o Options, name string, scopes ...harness.Scope) ([]Entry, []error) {
	w, ok := harness.Wiring(name)
	if !ok {
		return nil, []error{&UnknownError{name}}
	}
	var entries []Entry
	var errs []error
	for _, t := range o.others(scoped{wire: w}) {
		if len(scopes) > 0 && !slices.Contains(scopes, t.place.Scope) {
			continue
		}
		found, err := o.entries(t)
		if err != nil {
			errs = append(errs, err)
		}
		entries = append(entries, found...)
	}
	return entries, errs
}

// SwitchedOff lists the settings that keep every hook of a harness from running,
// a sentence each.
func SwitchedOff(o Options, name string) []string {
	w, ok := harness.Wiring(name)
	if !ok {
		return nil
	}
	var found []string
	for _, t := range o.others(scoped{wire: w}) {
		f, err := load(t.path)
		if s := t.sheet(); err == nil && f.exists() && s != nil {
			found = append(found, switchedOff(t, s, f.text)...)
		}
	}
	return found
}

func switchedOff(t scoped, s sheet, text []byte) []string {
	var found []string
	for _, off := range t.wire.Off {
		key, value, ok := strings.Cut(off, "=")
		if ok && s.setting(text, strings.Split(key, ".")...) == value {
			found = append(found, fmt.Sprintf("%s says %s = %s, which switches every hook of %s off", t.path, key, value, t.wire.Title))
		}
	}
	return found
}

// entries reads one file.
func (o Options) entries(t scoped) ([]Entry, error) {
	f, err := load(t.path)
	if err != nil || !f.exists() {
		return nil, err
	}
	if t.place.Format == harness.Module {
		return o.pluginEntries(t, f.text), nil
	}
	return o.read(t, t.sheet(), f.text)
}

// read lists the entries of a text that are ours or the older tools'.
func (o Options) read(t scoped, s sheet, text []byte) ([]Entry, error) {
	handlers, err := s.read(text)
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, h := range handlers {
		e := o.entry(t, h)
		if !e.Run.Ours && e.Run.Older == "" {
			continue
		}
		all = append(all, e)
	}
	for i := range all {
		for j := range all {
			same := all[j].Run.Ours && all[j].Name == all[i].Name && all[j].Run.Guard == "" && all[j].Run.Part == ""
			// The whole one is kept, wherever it stands; of equals, the first.
			if i != j && all[i].Run.Ours && same && (all[j].Whole() && !all[i].Whole() || all[j].Whole() == all[i].Whole() && j < i) {
				all[i].Copy = true
			}
		}
	}
	return all, nil
}

// entry looks at one handler.
func (o Options) entry(t scoped, h handler) Entry {
	e := Entry{Harness: t.wire.Name, Scope: t.place.Scope, File: t.path, Line: h.line, Name: h.at.event, Matcher: h.matcher,
		at: h.at, alone: h.alone, fields: h.fields}
	wired, known := eventOf(t.wire, h.at.event)
	if known {
		e.Event = wired.Event
		e.Least = o.limit(wired)
	}
	args, _ := h.field("args").([]string)
	for _, key := range [...]string{"command", "bash", "powershell", "exec", "commandWindows"} {
		line := h.text(key)
		if line == "" {
			continue
		}
		if c := ReadCommand(line, args, o.Guards); c.Ours || c.Older != "" {
			e.Command, e.Run = line, c
			break
		}
	}
	if !e.Run.Ours {
		return e
	}
	if len(args) > 0 {
		e.Command += " " + strings.Join(args, " ")
	}
	if key := t.wire.LimitKey; key != "" {
		for _, k := range [...]string{key, "timeout"} {
			if n, ok := h.field(k).(int); ok {
				e.Limit = time.Duration(n) * t.wire.LimitUnit
				break
			}
		}
	}
	if h.matcher != nil && known {
		switch r := ReachOf(t.wire, e.Event, *h.matcher); {
		case r.Problem != "":
			e.Narrow = fmt.Sprintf("matcher %q: %s", *h.matcher, r.Problem)
		case !r.All && len(r.Names) == 0:
			e.Narrow = fmt.Sprintf("matcher %q reaches nothing known", *h.matcher)
		case !r.All:
			e.Narrow = fmt.Sprintf("matcher %q reaches only %s", *h.matcher, strings.Join(r.Names, ", "))
		}
		if strings.Contains(*h.matcher, ",") && t.wire.Name == "claude" {
			e.Notes = append(e.Notes, "a list with commas matches nothing before Claude Code 2.1.191; part the names with |")
		}
	}
	if cond := h.text("if"); cond != "" {
		e.Narrow = strings.TrimPrefix(e.Narrow+fmt.Sprintf("; only if %q", cond), "; ")
	}
	for _, key := range [...]string{"async", "asyncRewake", "once"} {
		if on, _ := h.field(key).(bool); on {
			e.Weak = strings.TrimPrefix(e.Weak+", "+key, ", ")
		}
	}
	switch {
	case e.Run.Harness != "" && e.Run.Harness != t.wire.Name:
		e.Wrong = fmt.Sprintf("says --harness %s in the settings of %s", e.Run.Harness, t.wire.Title)
	case e.Run.Event != "" && e.Run.Event != e.Name:
		e.Wrong = fmt.Sprintf("says --event %s under %s", e.Run.Event, e.Name)
	}
	e.Program, e.Dead = o.locate(e.Run)
	if e.Run.Chained {
		e.Notes = append(e.Notes, "shares its line with other commands: the payload or the exit code gets lost there")
	}
	if strings.Contains(e.Run.Wrapper, "sh -l") || strings.Contains(e.Run.Wrapper, "sh -i") {
		e.Notes = append(e.Notes, "starts a login shell ("+e.Run.Wrapper+"), and what its profile prints voids the answer")
	}
	if len(t.wire.Runners) > 0 && t.wire.Runners[0].Guarded && !e.Run.Guarded {
		e.Notes = append(e.Notes, t.wire.Title+" takes a missing program for a refusal, and this entry does not end in `|| exit 0`")
	}
	return e
}

func eventOf(w harness.Wire, name string) (harness.Wired, bool) {
	for _, e := range w.Events {
		if e.Name == name {
			return e, true
		}
	}
	return harness.Wired{}, false
}

// judgeLimit is how long a call may wait for automode's model, which runs longer
// than every other guard together.
const judgeLimit = 90 * time.Second

// limit is the time limit that an event's entry needs.
func (o Options) limit(e harness.Wired) time.Duration {
	if e.Event == harness.PreTool && slices.Contains(o.Aboard, "automode") {
		return judgeLimit
	}
	return e.Limit
}

// defaultLimit is what a harness gives a handler that names no limit; 0 where
// nobody knows.
func defaultLimit(name string) time.Duration {
	switch name {
	case "claude", "codex":
		return 600 * time.Second
	case "gemini", "qwen":
		return 60 * time.Second
	case "copilot":
		return 30 * time.Second
	}
	return 0
}

// wanted are the events that are wired with these guards aboard.
func (o Options) wanted(w harness.Wire) []harness.Wired {
	var events []harness.Wired
	for _, e := range w.Events {
		if e.Guard == "" || slices.Contains(o.Aboard, e.Guard) {
			events = append(events, e)
		}
	}
	return events
}
