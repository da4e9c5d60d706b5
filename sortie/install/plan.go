package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/sortie/harness"
)

// Install wires every event of a harness into its settings of a scope. An event
// that an entry of ours already covers, here or in a scope that reaches as far, is
// left alone. Errors are *FileError, *ScopeError and *UnknownError; then nothing
// was written.
func Install(o Options, name string, s harness.Scope) (Report, error) {
	t, err := o.target(name, s)
	if err != nil {
		return Report{}, err
	}
	r := Report{Harness: name, Title: t.wire.Title, Scope: s, File: t.path}
	program, warning, err := o.ownProgram()
	if err != nil {
		return r, err
	}
	p := &planner{Options: o, scoped: t, program: program, report: &r}
	p.lookAround()
	err = p.run("spar-install", p.install)
	if err != nil {
		return r, err
	}
	if warning != "" && r.Changed {
		r.Notes = append(r.Notes, warning)
	}
	if r.Changed && !r.Removed {
		r.Trust, r.Restart = t.wire.Trust, t.wire.Restart
	}
	return r, nil
}

// Uninstall takes out what Install would recognise as ours, and nothing else. Where
// the state before the install is kept and only differs in it, the file becomes
// that state again, byte for byte.
func Uninstall(o Options, name string, s harness.Scope) (Report, error) {
	t, err := o.target(name, s)
	if err != nil {
		return Report{}, err
	}
	r := Report{Harness: name, Title: t.wire.Title, Scope: s, File: t.path}
	p := &planner{Options: o, scoped: t, report: &r}
	if err := p.run("spar-uninstall", p.uninstall); err != nil {
		return r, err
	}
	for _, other := range o.others(t) {
		if entries, err := o.entries(other); err == nil && slices.ContainsFunc(entries, func(e Entry) bool { return e.Run.Ours && e.Wrong == "" }) {
			r.Notes = append(r.Notes, "still wired in "+other.path)
		}
	}
	if r.Changed {
		r.Restart = t.wire.Restart
	}
	return r, nil
}

// Snippet is what Install would write into an empty file of the scope's harness:
// for whoever keeps settings by hand, or in a place spar does not know.
func Snippet(o Options, name string) (text string, w harness.Wire, err error) {
	w, ok := harness.Wiring(name)
	if !ok {
		return "", w, &UnknownError{name}
	}
	program, _, err := o.ownProgram()
	if err != nil {
		return "", w, err
	}
	if w.Shape == harness.Whole {
		return w.Plugin(program), w, nil
	}
	t := scoped{wire: w, place: w.Places[0]}
	p := &planner{Options: o, scoped: t, program: program, report: &Report{}}
	out, _, err := p.install(file{})
	return string(out), w, err
}

// planner makes the new text of one file.
type planner struct {
	Options
	scoped
	program string
	report  *Report
	// elsewhere is where an event is wired besides this file.
	elsewhere map[string]string
	around    []string // notes on the other files
}

// run plans and writes, or only plans.
func (p *planner) run(reason string, draw plan) error {
	again := func(f file) ([]byte, bool, error) {
		p.report.Changes, p.report.Notes, p.report.Restored = nil, nil, false // a plan is made anew
		p.report.Created = !f.exists()
		text, remove, err := draw(f)
		if p.DryRun && err == nil {
			after := text
			if remove {
				after = nil
			}
			p.report.Diff = diff(f.path, f.text, after)
			p.report.Changed, p.report.Removed = p.report.Diff != "", remove && f.exists()
			return f.text, remove && !f.exists(), errDry
		}
		return text, remove, err
	}
	w := writer{now: p.Now, reason: reason, step: p.step}
	done, err := w.replace(p.path, again)
	p.report.Notes = append(p.report.Notes, p.around...)
	if err == errDry { //nolint:errorlint // ours, and never wrapped
		return nil
	}
	p.report.Changed = p.report.Changed || done.changed
	p.report.Backup, p.report.Removed = done.backup, p.report.Removed || done.removed
	p.report.Created = p.report.Created && done.changed
	return err
}

var errDry = fmt.Errorf("a dry run")

// rank is how far a scope reaches.
func rank(s harness.Scope) int {
	return slices.Index([]harness.Scope{harness.Local, harness.Project, harness.User}, s)
}

// lookAround reads the harness's other files: what is wired there, and the older
// tools, whose findings would count a second time.
func (p *planner) lookAround() {
	p.elsewhere = map[string]string{}
	older := map[string][]string{}
	for _, t := range p.others(p.scoped) {
		entries, err := p.entries(t)
		if err != nil {
			p.around = append(p.around, "could not be read and counts for nothing: "+err.Error())
			continue
		}
		foreign, reaches := 0, 0
		for _, e := range entries {
			switch {
			case e.Run.Older != "":
				older[t.path] = append(older[t.path], e.Run.Older)
			case e.Run.Harness != "" && e.Run.Harness != t.wire.Name:
				foreign++
			case e.Whole() && rank(p.place.Scope) == rank(harness.User) && rank(t.place.Scope) < rank(harness.User):
				// A person's own settings reach every project; those of one project don't
				// stand in for them.
				reaches++
			case e.Whole():
				if p.elsewhere[e.Name] == "" {
					p.elsewhere[e.Name] = t.path
				}
			case e.Run.Ours && e.Dead != "":
				p.around = append(p.around, fmt.Sprintf("%s:%d: %s does nothing: %s", t.path, e.Line, e.Name, e.Dead))
			}
		}
		if foreign > 0 {
			p.around = append(p.around, fmt.Sprintf("%s also reads %s, so its entries run there too; a call that arrives twice counts once", t.wire.Title, t.path))
		}
		if reaches > 0 {
			p.around = append(p.around, fmt.Sprintf("also wired in %s, for that project alone; a call that arrives twice counts once (spar uninstall --%s takes it out)", t.path, t.place.Scope))
		}
	}
	for _, path := range sortedKeys(older) {
		p.around = append(p.around, fmt.Sprintf("%s runs the older Node tools (%s), and both would count; install with that scope and --replace-older takes them out", path, strings.Join(unique(older[path]), ", ")))
	}
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func (p *planner) change(what, event, format string, args ...any) {
	p.report.Changes = append(p.report.Changes, Change{what, event, fmt.Sprintf(format, args...)})
}

func (p *planner) note(format string, args ...any) {
	p.report.Notes = append(p.report.Notes, fmt.Sprintf(format, args...))
}

// maxEdits bounds the edits of one file. Each brings it closer to what it should
// be; the limit is for a fault of ours that would go round in a circle.
const maxEdits = 2000

// install is the plan of Install.
func (p *planner) install(f file) ([]byte, bool, error) {
	if p.place.Format == harness.Module {
		return p.installPlugin(f)
	}
	s := p.sheet()
	text := f.text
	if !f.exists() {
		text = s.blank()
	}
	for edits := 1; ; edits++ {
		next, err := p.installOne(s, text)
		if err != nil {
			return nil, false, err
		}
		if next == nil {
			break
		}
		text = next
		if edits == maxEdits {
			return nil, false, fmt.Errorf("%s: after %d edits it is still not wired; nothing was written", p.path, maxEdits)
		}
	}
	if p.StatusLine {
		next, err := p.addStatusLine(s, text)
		if err != nil {
			return nil, false, err
		}
		if next != nil {
			text = next
		}
	}
	return p.installed(s, f, text)
}

// installed ends an install: what is there now, and what a person should know.
func (p *planner) installed(s sheet, f file, text []byte) ([]byte, bool, error) {
	entries, err := p.read(p.scoped, s, text)
	if err != nil {
		return nil, false, err
	}
	older := []string{}
	for _, e := range entries {
		at := fmt.Sprintf("%s:%d: %s: ", p.path, e.Line, e.Name)
		if e.Run.Older != "" {
			older = append(older, e.Run.Older)
			continue
		}
		switch {
		case e.Run.Guard != "" || e.Run.Part != "":
			p.note("%s%q runs one part alone and counts beside the whole; --fix takes it out", at, e.Command)
		case e.Copy:
			p.note("%s%q stands there a second time; --fix takes it out", at, e.Command)
		}
		if e.Run.Chained && (e.Wrong != "" || e.Dead != "") {
			p.note("%s%s; it shares its line with other commands, so repair it by hand", at, e.Wrong+e.Dead)
		}
		for _, n := range e.Notes {
			p.note("%s%s", at, n)
		}
	}
	if len(older) > 0 {
		p.note("%s runs the older Node tools (%s), and both would count; --replace-older takes them out", p.path, strings.Join(unique(older), ", "))
	}
	if js, ok := s.(jsonSheet); ok && p.wire.Name == "codex" {
		if stray := js.stray(text, "description", "hooks"); stray != "" {
			p.note("%s has %q beside its hooks, and Codex then rejects the whole file with a warning; take it out", p.path, stray)
		}
	}
	for _, off := range switchedOff(p.scoped, s, text) {
		p.note("%s; the entries do nothing until that is gone", off)
	}
	p.tellWhere(entries)
	if len(p.report.Changes) == 0 {
		// A file that isn't there stays away where there is nothing to put into it.
		return f.text, !f.exists(), nil
	}
	return text, false, nil
}

// tellWhere fills in where each event is wired.
func (p *planner) tellWhere(entries []Entry) {
	files := map[string][]string{}
	for _, e := range p.wanted(p.wire) {
		path := p.elsewhere[e.Name]
		if slices.ContainsFunc(entries, func(have Entry) bool { return have.Name == e.Name && have.Whole() }) {
			path = p.path
		}
		if path != "" {
			files[path] = append(files[path], e.Name)
		}
	}
	paths := sortedKeys(files)
	if i := slices.Index(paths, p.path); i > 0 {
		paths = slices.Insert(slices.Delete(paths, i, i+1), 0, p.path)
	}
	p.report.Wired = nil
	for _, path := range paths {
		p.report.Wired = append(p.report.Wired, Where{path, files[path]})
	}
}

// installOne makes the next edit, or returns nil where nothing is left to do.
func (p *planner) installOne(s sheet, text []byte) ([]byte, error) {
	entries, err := p.read(p.scoped, s, text)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Run.Older != "" && p.ReplaceOlder && !e.Run.Chained {
			p.change("older removed", e.Name, "%s", e.Command)
			return s.remove(text, e.at)
		}
	}
	for _, e := range entries {
		if next, err := p.repair(s, text, e); next != nil || err != nil {
			return next, err
		}
	}
	if p.Fix {
		for _, e := range entries {
			if e.Run.Ours && e.Copy && !e.Run.Chained {
				p.change("copy removed", e.Name, "%s", e.Command)
				return s.remove(text, e.at)
			}
		}
	}
	for _, w := range p.wanted(p.wire) {
		here := slices.ContainsFunc(entries, func(e Entry) bool {
			return e.Name == w.Name && e.Run.Ours && e.Run.Guard == "" && e.Run.Part == ""
		})
		if here || p.elsewhere[w.Name] != "" {
			continue
		}
		p.change("wired", w.Name, "%s", p.wire.Command(p.wire.Runners[0], p.program, w.Name, p.Windows))
		return s.add(text, w.Name, p.handler(w))
	}
	return nil, nil
}

func (p *planner) handler(e harness.Wired) []harness.Field {
	return p.wire.Handler(p.program, e, p.limit(e), p.Windows)
}

// repair makes one edit to an entry of ours that would not do its work; nil where
// it does.
func (p *planner) repair(s sheet, text []byte, e Entry) ([]byte, error) {
	wired, known := eventOf(p.wire, e.Name)
	if !known || !e.Run.Ours || e.Run.Guard != "" || e.Run.Part != "" || e.Copy {
		return nil, nil
	}
	if (e.Wrong != "" || e.Dead != "" || p.Fix && p.unguarded(e)) && !e.Run.Chained {
		return p.respell(s, text, e, wired)
	}
	for _, key := range [...]string{"if", "async", "asyncRewake", "once"} {
		for _, f := range e.fields {
			if f.Key == key && f.Value != false && f.Value != "" {
				p.change("freed", e.Name, "%s was %v, and the answer would have come too seldom or too late", key, f.Value)
				return s.drop(text, e.at, key)
			}
		}
	}
	if e.Narrow != "" {
		p.change("widened", e.Name, "%s", e.Narrow)
		return s.widen(text, e.at, func(m *string) bool {
			return m == nil || ReachOf(p.wire, e.Event, *m).All
		})
	}
	least := e.Least
	if key := p.wire.LimitKey; key != "" && (e.Short() || e.Limit == 0 && defaultLimit(p.wire.Name) > 0 && defaultLimit(p.wire.Name) < least) {
		was := e.Limit
		if was == 0 {
			was = defaultLimit(p.wire.Name)
		}
		for _, f := range e.fields {
			if f.Key == "timeout" {
				key = "timeout" // another name of the same thing; two of them would contradict
			}
		}
		p.change("raised", e.Name, "the time limit from %v to %v", was, least)
		return s.set(text, e.at, key, int(least/p.wire.LimitUnit))
	}
	return nil, nil
}

func (p *planner) unguarded(e Entry) bool {
	return len(p.wire.Runners) > 0 && p.wire.Runners[0].Guarded && !e.Run.Guarded
}

// respell writes the command of an entry as it would be written today. The edits
// are made together: half a command line is worse than a wrong one.
func (p *planner) respell(s sheet, text []byte, e Entry, wired harness.Wired) ([]byte, error) {
	why := e.Wrong
	if why == "" {
		why = e.Dead
	}
	if why == "" {
		why = "did not end in success whatever happens"
	}
	var err error
	for _, f := range e.fields {
		if f.Key == "args" || f.Key == "exec" {
			if text, err = s.drop(text, e.at, f.Key); err != nil {
				return nil, err
			}
		}
	}
	before := text
	for _, r := range p.wire.Runners {
		line := p.wire.Command(r, p.program, wired.Name, p.Windows)
		if text, err = s.set(text, e.at, r.Key, line); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(before, text) {
		// What we would write is no better (this binary is not where it says).
		return nil, nil
	}
	p.change("respelled", e.Name, "%s", why)
	return text, nil
}

// installPlugin writes the file that is ours whole.
func (p *planner) installPlugin(f file) ([]byte, bool, error) {
	want := []byte(p.wire.Plugin(p.program))
	switch {
	case f.exists() && !ourPlugin(f.text):
		return nil, false, &FileError{Path: f.path, Line: 1, Column: 1, Problem: "is not a plugin that spar wrote",
			Next: "move it to another name, then install again; nothing was written"}
	case bytes.Equal(f.text, want) && f.exists():
		p.tellWhere(p.pluginEntries(p.scoped, f.text))
		return f.text, false, nil
	case !f.exists():
		if p.tellWhere(nil); len(p.report.Wired) > 0 {
			return nil, true, nil
		}
		for _, e := range p.wire.Events {
			p.change("wired", e.Name, "%s", p.program)
		}
	default:
		p.change("respelled", "plugin", "the file of another version")
	}
	return want, false, nil
}

// uninstall is the plan of Uninstall.
func (p *planner) uninstall(f file) ([]byte, bool, error) {
	if !f.exists() {
		return nil, true, nil
	}
	if p.place.Format == harness.Module {
		if !ourPlugin(f.text) {
			p.note("%s is not a plugin that spar wrote, and stays", f.path)
			return f.text, false, nil
		}
		p.change("removed", "plugin", "%s", f.path)
		return nil, true, nil
	}
	s := p.sheet()
	text, removed, err := p.without(s, f.text)
	if err != nil {
		return nil, false, err
	}
	entries, err := p.read(p.scoped, s, text)
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries {
		if e.Run.Ours {
			p.note("%s:%d: %s: %q shares its line with other commands and stays; take it out by hand", p.path, e.Line, e.Name, e.Command)
		}
	}
	for _, e := range removed {
		p.change("removed", e.Name, "%s", e.Command)
	}
	next, err := p.dropStatusLine(s, text)
	if err != nil {
		return nil, false, err
	}
	if next != nil {
		p.change("removed", "status line", "ours")
		text = next
	}
	if len(p.report.Changes) == 0 {
		return f.text, false, nil
	}
	before, found, err := p.before(s, f, text)
	switch {
	case err != nil:
		return nil, false, err
	case found:
		p.report.Restored = true
		return before, false, nil
	case bytes.Equal(text, s.blank()):
		return nil, true, nil
	}
	return text, false, nil
}

// without is a text with our entries taken out, but for those that share their
// line with a command of somebody else's.
func (p *planner) without(s sheet, text []byte) ([]byte, []Entry, error) {
	var removed []Entry
	for range maxEdits {
		entries, err := p.read(p.scoped, s, text)
		if err != nil {
			return nil, nil, err
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Run.Ours && !e.Run.Chained })
		if i < 0 {
			return text, removed, nil
		}
		removed = append(removed, entries[i])
		if text, err = s.remove(text, entries[i].at); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, fmt.Errorf("%s: after %d removals entries of ours are still there; nothing was written", p.path, maxEdits)
}

// maxBackups is how many of the newest backups are compared.
const maxBackups = 50

// before looks among the backups for the state before our entries came. Taking an
// entry out can't tell whether the list around it had been there, empty, or what
// stood between two brackets; a backup that says the same in all other respects
// can.
func (p *planner) before(s sheet, f file, without []byte) ([]byte, bool, error) {
	want, err := s.prune(without)
	if err != nil {
		return nil, false, err
	}
	dir := filepath.Join(filepath.Dir(f.path), backupDir)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, false, nil //nolint:nilerr // no backups
	}
	prefix := filepath.Base(f.path) + "."
	type kept struct {
		name string
		at   time.Time
	}
	var backups []kept
	for _, n := range names {
		if !strings.HasPrefix(n.Name(), prefix) || !strings.Contains(n.Name(), "-spar-install") {
			continue
		}
		if info, err := n.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxSize {
			backups = append(backups, kept{n.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(backups, func(a, b kept) int {
		if c := b.at.Compare(a.at); c != 0 {
			return c
		}
		return strings.Compare(b.name, a.name)
	})
	for _, b := range backups[:min(len(backups), maxBackups)] {
		text, err := os.ReadFile(filepath.Join(dir, b.name))
		if err != nil {
			continue
		}
		entries, err := p.read(p.scoped, s, text)
		if err != nil || slices.ContainsFunc(entries, func(e Entry) bool { return e.Run.Ours && !e.Run.Chained }) {
			continue
		}
		if have, err := s.prune(text); err == nil && bytes.Equal(have, want) {
			return text, true, nil
		}
	}
	return nil, false, nil
}
