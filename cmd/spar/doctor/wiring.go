package doctor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

// Wiring is how one harness is wired, and what has arrived from it.
type Wiring struct {
	Harness, Title string
	Wire           harness.Wire // its zero value for a harness that has no settings of ours
	Events         []Event      // those that are to be wired with the guards aboard
	Stray          []install.Entry
	Problems       []error // files that could not be read
	InUse          bool    // its folder is here
}

// Event is one event of a harness: what settings say about it and what came in.
type Event struct {
	harness.Wired
	Entries []install.Entry
	Now     hook.Arrival // in the sortie that is looked at
	Before  hook.Arrival // the latest in any other sortie of this home
	Changed time.Time    // when the newest of the entries' files was changed
}

// Whole reports whether one of the entries runs the whole door for the event.
func (e Event) Whole() bool { return slices.ContainsFunc(e.Entries, install.Entry.Whole) }

// Last is when the event last arrived, in whatever sortie; the zero time: never.
func (e Event) Last() time.Time {
	if e.Now.Last.After(e.Before.Last) {
		return e.Now.Last
	}
	return e.Before.Last
}

// Proven reports whether the event has arrived since its settings were last
// changed. What came in before says nothing about what stands there now.
func (e Event) Proven() bool { return !e.Last().IsZero() && !e.Last().Before(e.Changed) }

// Wired reports whether any entry of ours is in the harness's settings.
func (w Wiring) Wired() bool {
	return slices.ContainsFunc(w.Events, func(e Event) bool { return len(e.Entries) > 0 })
}

// Arrived reports whether any event of the harness came in, in the sortie that is
// looked at.
func (w Wiring) Arrived() bool {
	return slices.ContainsFunc(w.Events, func(e Event) bool { return e.Now.Count > 0 })
}

// changed is when the newest file with an entry of ours was changed.
func (w Wiring) changed() (newest time.Time) {
	for _, e := range w.Events {
		if e.Changed.After(newest) {
			newest = e.Changed
		}
	}
	return newest
}

func (w Wiring) event(e harness.Event) Event {
	for _, have := range w.Events {
		if have.Event == e {
			return have
		}
	}
	return Event{}
}

// Look reads the settings of every harness and what arrived in a home, for the
// sortie with that id. Harnesses that are neither in use nor wired nor heard of
// are left out.
func Look(o install.Options, home sortie.Home, sortieID string) []Wiring {
	now, before := arrivals(home, sortieID)
	var all []Wiring
	for _, name := range order() {
		w := look(o, name)
		for i := range w.Events {
			key := [2]string{name, w.Events[i].Event.String()}
			w.Events[i].Now, w.Events[i].Before = now[key], before[key]
		}
		if w.InUse || w.Wired() || len(w.Problems)+len(w.Stray) > 0 || heard(now, name) || heard(before, name) {
			all = append(all, w)
		}
	}
	return all
}

// order is every harness, those that can be installed into first.
func order() []string {
	names := harness.Wirings()
	for _, name := range harness.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func heard(m map[[2]string]hook.Arrival, name string) bool {
	for key := range m {
		if key[0] == name {
			return true
		}
	}
	return false
}

// arrivals are what came in, by harness and event: in one sortie, and the latest
// in all others.
func arrivals(home sortie.Home, sortieID string) (now, before map[[2]string]hook.Arrival) {
	now, before = map[[2]string]hook.Arrival{}, map[[2]string]hook.Arrival{}
	dirs, err := os.ReadDir(filepath.Join(home.Dir, "seen"))
	if err != nil {
		return now, before
	}
	for _, d := range dirs {
		list, _ := hook.Seen(home, d.Name())
		for _, at := range list {
			key := [2]string{at.Harness, at.Event}
			switch {
			case d.Name() == sortieID:
				now[key] = at
			case at.Last.After(before[key].Last):
				before[key] = at
			}
		}
	}
	return now, before
}

// look reads one harness's settings.
func look(o install.Options, name string) Wiring {
	wire, ok := harness.Wiring(name)
	if !ok {
		return Wiring{Harness: name, Title: name}
	}
	w := Wiring{Harness: name, Title: wire.Title, Wire: wire}
	for _, s := range []harness.Scope{harness.User, harness.Project, harness.Local} {
		w.InUse = w.InUse || install.Present(o, name, s)
	}
	for _, e := range wire.Events {
		if e.Guard == "" || slices.Contains(o.Aboard, e.Guard) {
			w.Events = append(w.Events, Event{Wired: e})
		}
	}
	entries, errs := install.Installed(o, name)
	own := ownFiles(o, wire)
	for _, err := range errs {
		// Another harness's file is told where it is that harness's own.
		if file := fileOf(err); file == "" || slices.Contains(own, file) {
			w.Problems = append(w.Problems, err)
		}
	}
	for _, e := range entries {
		i := slices.IndexFunc(w.Events, func(have Event) bool { return have.Name == e.Name })
		if !slices.Contains(own, e.File) {
			// Another harness's file, which this one reads as well: what does its work
			// here counts, what doesn't is told where it belongs.
			if !w.InUse || !e.Whole() || i < 0 {
				continue
			}
			e.Notes = nil
		}
		if i < 0 {
			w.Stray = append(w.Stray, e)
			continue
		}
		at := &w.Events[i]
		at.Entries = append(at.Entries, e)
		if info, err := os.Stat(e.File); err == nil && info.ModTime().After(at.Changed) {
			at.Changed = info.ModTime()
		}
	}
	return w
}

func ownFiles(o install.Options, wire harness.Wire) []string {
	var files []string
	for _, p := range wire.Places {
		root := o.Project
		if p.Scope == harness.User {
			root = o.Home
		}
		if root != "" {
			files = append(files, p.Path(root, o.Env))
		}
	}
	return files
}

// Summary is a harness's wiring in short: what status says.
type Summary struct {
	Harness  string   `json:"harness"`
	Title    string   `json:"-"`
	Files    []string `json:"files"`    // where the entries stand
	Events   int      `json:"events"`   // how many of Of are wired
	Of       int      `json:"of"`       // how many there are to wire
	Unseen   []string `json:"unseen"`   // wired, and never seen to fire in this home
	Problems []string `json:"problems"` // entries that can't do their work, files that can't be read, programs that are another build
}

// Summarize looks at every harness that has an entry of ours, or a settings file
// that can't be read.
func Summarize(o install.Options, home sortie.Home, sortieID string) []Summary {
	var all []Summary
	for _, w := range Look(o, home, sortieID) {
		s := Summary{Harness: w.Harness, Title: w.Title, Of: len(w.Events), Files: []string{}, Unseen: []string{}, Problems: []string{}}
		for _, err := range w.Problems {
			s.Problems = append(s.Problems, unreadable(err))
		}
		programs := map[string]bool{}
		for _, e := range w.Events {
			for _, in := range e.Entries {
				if !slices.Contains(s.Files, in.File) {
					s.Files = append(s.Files, in.File)
				}
				if why, hard := trouble(in); hard {
					s.Problems = append(s.Problems, at(in)+": "+why)
				}
				if in.Program == "" || programs[in.Program] {
					continue
				}
				programs[in.Program] = true
				if same, err := sameBuild(in.Program, o.Self); err == nil && !same {
					s.Problems = append(s.Problems, in.Program+" is another build than this one")
				}
			}
			if e.Whole() {
				s.Events++
				if e.Last().IsZero() {
					s.Unseen = append(s.Unseen, e.Name)
				}
			}
		}
		if w.Wired() || len(s.Problems) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// checkWiring is everything that settings and arrivals say about the harnesses.
func (x *examination) checkWiring() {
	var idle []Wiring
	wired := false
	for _, w := range x.wirings {
		wired = wired || w.Wired()
		for _, err := range w.Problems {
			x.add(hook.Check{Name: "settings", Harness: w.Harness, State: Broken, Next: unreadable(err) +
				"\nrepair the file: until then nobody reads an entry in it"})
		}
		if w.Wire.Name == "" {
			continue
		}
		if !w.Wired() && !w.Arrived() && len(w.Stray) == 0 {
			if w.InUse {
				idle = append(idle, w)
			}
			continue
		}
		x.off(w)
		x.codexKeys(w)
		x.strays(w)
		x.gone(w)
		for _, e := range w.Events {
			x.event(w, e)
		}
		x.twice(w)
		x.trust(w)
		x.programs(w)
		x.limits(w)
	}
	switch {
	case len(idle) > 0:
		for _, w := range idle {
			x.add(hook.Check{Name: "wiring", Harness: w.Harness, State: Unproven, Next: fmt.Sprintf(
				"%s is in use here and spar is not wired into it\nspar install %s", w.Title, flags(w.Harness, w.scope(x.o)))})
		}
	case !wired:
		x.add(hook.Check{Name: "wiring", State: Unproven, Next: "no settings file that is known here has an entry of spar's\nspar install"})
	}
}

// unreadable is why a settings file can't be read, without what install adds about
// its own going on.
func unreadable(err error) string {
	var e *install.FileError
	if !errors.As(err, &e) {
		return err.Error()
	}
	return (&install.FileError{Path: e.Path, Line: e.Line, Column: e.Column, Problem: e.Problem}).Error()
}

// scope is the narrowest in which the harness is in use.
func (w Wiring) scope(o install.Options) harness.Scope {
	if install.Present(o, w.Harness, harness.Project) {
		return harness.Project
	}
	return harness.User
}

// flags are those of an install that means one harness and scope.
func flags(name string, s harness.Scope) string { return "--harness " + name + " --" + string(s) }

// event checks one event's entries and whether it is known to arrive.
func (x *examination) event(w Wiring, e Event) {
	check := func(state, format string, args ...any) {
		x.add(hook.Check{Name: "hook", Harness: w.Harness, Event: e.Event.String(), State: state, Next: fmt.Sprintf(format, args...)})
	}
	// A whole entry that is ended before it can answer covers nothing.
	whole := slices.ContainsFunc(e.Entries, func(in install.Entry) bool {
		_, hard := trouble(in)
		return in.Whole() && !hard
	})
	for _, in := range e.Entries {
		why, hard := trouble(in)
		if why == "" {
			continue
		}
		state := Unproven
		if hard && (!whole || in.Dead != "" || in.Wrong != "") {
			state = Broken
		}
		check(state, "%s: %s\nspar install %s%s", at(in), why, flags(w.Harness, in.Scope), fixFlag(in))
	}
	switch {
	case len(e.Entries) == 0 && !w.Wired():
		return // told once for the harness, see gone
	case len(e.Entries) == 0 && e.Now.Last.After(w.changed()):
		check(OK, "received in this sortie, from an entry that is in no settings file known here")
	case len(e.Entries) == 0:
		state := Unproven
		if e.Event == harness.PreTool {
			state = Broken // the other events make a run look guarded that is not
		}
		check(state, "%s has no entry for %s\nspar install %s", w.Title, e.Name, flags(w.Harness, w.wiredScope()))
	case !whole:
		return
	case e.Proven() && e.Now.Count > 0:
		check(OK, "received in this sortie")
	case e.Proven():
		check(OK, "received in an earlier sortie, last on %s", e.Last().Local().Format(time.DateOnly))
	case !e.Last().IsZero():
		check(Unproven, "last received before %s was changed\nrestart %s; its next event proves the entry", strings.Join(files(e.Entries), " and "), w.Title)
	default:
		check(Unproven, "configured in %s, never seen to fire", strings.Join(files(e.Entries), " and "))
	}
}

// wiredScope is the scope that most of the entries stand in.
func (w Wiring) wiredScope() harness.Scope {
	n := map[harness.Scope]int{}
	for _, e := range w.Events {
		for _, in := range e.Entries {
			n[in.Scope]++
		}
	}
	best := harness.Project
	for _, s := range []harness.Scope{harness.User, harness.Local} {
		if n[s] > n[best] {
			best = s
		}
	}
	return best
}

// trouble is what keeps an entry from doing its work; hard is set where calls go
// unseen by it, and not just where something is untidy.
func trouble(e install.Entry) (why string, hard bool) {
	switch {
	case e.Run.Older != "":
		return fmt.Sprintf("runs the older Node tool %s, and both would count", e.Run.Older), false
	case e.Dead != "":
		return fmt.Sprintf("the entry can't start: %s", e.Dead), true
	case e.Wrong != "":
		return e.Wrong, true
	case e.Narrow != "":
		return e.Narrow + "; every other call goes unseen", true
	case e.Weak != "":
		return fmt.Sprintf("is %s, so the harness doesn't wait for the answer", e.Weak), true
	case e.Run.Guard != "" || e.Run.Part != "":
		return fmt.Sprintf("runs one part alone (%s)", strings.TrimSpace(e.Run.Guard+" "+e.Run.Part)), false
	case e.Limit > 0 && e.Limit < time.Second:
		return fmt.Sprintf("its time limit is %v; the harness ends the hook before it can answer", e.Limit), true
	case e.Short():
		return fmt.Sprintf("its time limit of %v is under the %v it may need", e.Limit, e.Least), false
	case len(e.Notes) > 0:
		return strings.Join(e.Notes, "; "), false
	}
	return "", false
}

func fixFlag(e install.Entry) string {
	switch {
	case e.Run.Older != "":
		return " --replace-older"
	case e.Run.Guard != "" || e.Run.Part != "" || e.Dead == "" && e.Wrong == "" && len(e.Notes) > 0:
		return " --fix"
	}
	return ""
}

func at(e install.Entry) string { return fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Name) }

func files(entries []install.Entry) []string {
	var all []string
	for _, e := range entries {
		if !slices.Contains(all, e.File) {
			all = append(all, e.File)
		}
	}
	return all
}

// off tells what switches every hook of a harness off.
func (x *examination) off(w Wiring) {
	for _, why := range install.SwitchedOff(x.o, w.Harness) {
		x.add(hook.Check{Name: "switch", Harness: w.Harness, State: Broken, Next: why + "\ntake that setting out"})
	}
	variable := ""
	switch w.Harness {
	case "claude":
		variable = "CLAUDE_CODE_SIMPLE"
	case "opencode":
		variable = "OPENCODE_PURE"
	}
	if v := x.o.Env(variable); variable != "" && v != "" && v != "0" {
		x.add(hook.Check{Name: "switch", Harness: w.Harness, State: Unproven, Next: fmt.Sprintf(
			"%s=%s is set, and a session started with it runs no hook\nunset %s before you start %s", variable, v, variable, w.Title)})
	}
}

// strays are entries under names that are no event we answer: spelled in another
// harness's way they fire never, and nobody says so.
func (x *examination) strays(w Wiring) {
	for _, e := range w.Stray {
		c := hook.Check{Name: "event-name", Harness: w.Harness, State: Unproven}
		switch near := nearEvent(w.Wire, e.Name); {
		case w.Harness == "copilot" && strings.EqualFold(near, e.Name) && near != "":
			// Both spellings fire there, with payloads and matchers of their own.
			c.Next = fmt.Sprintf("%s: fires under this spelling too, where a matcher has to be a whole name; what install writes is %s\nspar install %s writes it, then take this entry out",
				at(e), near, flags(w.Harness, e.Scope))
		case e.Run.Older != "":
			c.Next = fmt.Sprintf("%s: runs the older Node tool %s\nspar install %s --replace-older", at(e), e.Run.Older, flags(w.Harness, e.Scope))
		case near != "" && w.event(eventNamed(w.Wire, near)).Whole():
			c.Next = fmt.Sprintf("%s: is no event of %s; %s, which is, is wired as well\ntake the entry out", at(e), w.Title, near)
		case near != "":
			c.State = Broken
			c.Next = fmt.Sprintf("%s: is no event of %s and never fires; it spells it %s\nspar install %s writes it, then take this entry out", at(e), w.Title, near, flags(w.Harness, e.Scope))
		default:
			c.Next = fmt.Sprintf("%s: spar has nothing to say to this event\ntake the entry out: it costs a process each time", at(e))
		}
		x.add(c)
	}
}

func eventNamed(w harness.Wire, name string) harness.Event {
	for _, e := range w.Events {
		if e.Name == name {
			return e.Event
		}
	}
	return harness.Other
}

// nearEvent is the event of a harness that a name most likely means: the same
// letters in another case, or what another harness calls it. "" for none.
func nearEvent(w harness.Wire, name string) string {
	for _, e := range w.Events {
		if strings.EqualFold(plain(e.Name), plain(name)) {
			return e.Name
		}
	}
	for _, other := range harness.Wirings() {
		wire, _ := harness.Wiring(other)
		if event := eventNamed(wire, name); event != harness.Other {
			for _, e := range w.Events {
				if e.Event == event {
					return e.Name
				}
			}
		}
	}
	return ""
}

// plain is a name without what people put between its words.
func plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(name)
}

// gone tells entries that were there when the sortie began and aren't now: a
// session that writes its settings back may drop what it doesn't hold.
func (x *examination) gone(w Wiring) {
	if w.Wired() || !w.Arrived() || len(w.Problems) > 0 {
		return
	}
	for _, file := range ownFiles(x.o, w.Wire) {
		info, err := os.Stat(file)
		if err != nil || x.d.Flight.ID == "" || !info.ModTime().After(x.d.Flight.Launched) {
			continue
		}
		scope := scopeOf(x.o, w.Wire, file)
		x.add(hook.Check{Name: "hooks-gone", Harness: w.Harness, State: Broken, Next: fmt.Sprintf(
			"events arrived in this sortie, so the entries were there at its launch; %s was changed since, and they are gone\nspar install %s%s",
			file, flags(w.Harness, scope), x.paste(w.Wire))})
		return
	}
	x.add(hook.Check{Name: "wiring", Harness: w.Harness, State: Unproven, Next: "events arrive, and no settings file known here has an entry: a plugin's, a managed file's or one given by hand"})
}

func scopeOf(o install.Options, wire harness.Wire, file string) harness.Scope {
	for i, f := range ownFiles(o, wire) {
		if f == file && i < len(wire.Places) {
			return wire.Places[i].Scope
		}
	}
	return harness.Project
}

// paste is the entry for the event before a call, to be put back by hand.
func (x *examination) paste(wire harness.Wire) string {
	if wire.Shape == harness.Whole {
		return ""
	}
	program, _ := x.o.Program()
	for _, e := range wire.Events {
		if e.Event != harness.PreTool {
			continue
		}
		var b strings.Builder
		for i, f := range wire.Handler(program, e, 0, x.o.Windows) {
			value, err := json.Marshal(f.Value)
			if err != nil {
				return ""
			}
			b.WriteString(strings.Repeat(", ", min(i, 1)) + `"` + f.Key + `": ` + string(value))
		}
		handler := "{" + b.String() + "}"
		if wire.Shape == harness.Nested {
			handler = `{"hooks": [` + handler + `]}`
		}
		return fmt.Sprintf("; or paste under hooks: %q: [%s], and so for the other events", e.Name, handler)
	}
	return ""
}

// twice tells events that more than one entry answers.
func (x *examination) twice(w Wiring) {
	for _, e := range w.Events {
		var lines []string
		same, scope := true, harness.Project // in one file
		for _, in := range e.Entries {
			if in.Whole() {
				same, scope = same && in.File == e.Entries[0].File, in.Scope
				lines = append(lines, fmt.Sprintf("%s:%d", in.File, in.Line))
			}
		}
		if len(lines) < 2 {
			continue
		}
		next := "\nspar install " + flags(w.Harness, scope) + " --fix keeps one"
		if !same {
			next = "\nkeep one of them: spar uninstall takes a whole scope out"
		}
		x.add(hook.Check{Name: "twice", Harness: w.Harness, Event: e.Event.String(), State: Unproven, Next: fmt.Sprintf(
			"%d entries answer it (%s); a call that arrives twice counts once, and costs two processes%s", len(lines), strings.Join(lines, ", "), next)})
	}
}

// limits tells what the harness can't do or doesn't show, as far as that weakens
// an answer. It stays unproven by nature.
func (x *examination) limits(w Wiring) {
	can := harness.Abilities(w.Harness)
	var all []string
	add := func(lacks bool, text string) {
		if lacks {
			all = append(all, text)
		}
	}
	add(!can.Deny, "no call can be refused")
	add(!can.Ask, "a question to the person becomes a denial")
	add(!can.Spawn, "a denied call that starts a subagent starts it all the same: there a denial is advice")
	add(!can.ContextBefore && can.ContextAfter, "advice before a call comes with its result")
	add(!can.ContextBefore && !can.ContextAfter, "advice does not reach the model")
	add(!can.SessionEnd, "no event says that a session ends")
	add(can.StopBlock == 0, "no turn can be held open")
	all = append(all, can.Unseen...)
	if can.Evidence != "live" {
		all = append(all, "all of this is known from "+map[string]string{"docs": "its maker's pages", "notes": "others' notes"}[can.Evidence]+" and not from a run")
	}
	if len(all) > 0 {
		x.add(hook.Check{Name: "limits", Harness: w.Harness, State: Unproven, Next: "not seen or not possible here: " + strings.Join(all, "; ")})
	}
}

// programs compares the programs of the entries with this one.
func (x *examination) programs(w Wiring) {
	seen := map[string]bool{}
	for _, e := range w.Events {
		for _, in := range e.Entries {
			if in.Program == "" || seen[in.Program] || !in.Run.Ours {
				continue
			}
			seen[in.Program] = true
			same, err := sameBuild(in.Program, x.o.Self)
			c := hook.Check{Name: "program", Harness: w.Harness, State: OK, Next: in.Program + " is this build"}
			switch {
			case err != nil:
				c.State, c.Next = Unproven, fmt.Sprintf("%s could not be compared with this build: %v", in.Program, err)
			case !same:
				c.State, c.Next = Unproven, fmt.Sprintf("%s is another build than this one (%s)\nask it: %q --version; spar install --absolute wires this one", in.Program, cmp.Or(x.version, "unknown"), in.Program)
			}
			x.add(c)
		}
	}
}
