// Package doctor looks for what makes a clean run and a gate that never ran look
// the same: events that never arrive, calls that ran although they were denied,
// configuration nobody reads. It proves by what was received, not by what a
// settings file says.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"spar/ledger"
	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

// States of a check.
const (
	OK       = "ok"
	Broken   = "broken"
	Unproven = "unproven" // nothing is wrong that can be seen, and nothing proves it right
)

// Report is everything doctor looked at. OK is false where anything is broken.
type Report struct {
	OK     bool         `json:"ok"`
	Checks []hook.Check `json:"checks"`
}

// Options are what an examination needs besides the desk. The zero value looks at
// no settings file.
type Options struct {
	// Install is how settings files are found and read.
	Install install.Options
	// Version is this binary's.
	Version string
	// Probe starts the installed command lines; Environ is what they inherit.
	Probe   bool
	Environ []string
}

// examination is one look at a home.
type examination struct {
	d       *hook.Desk
	o       install.Options
	version string
	wirings []Wiring
	checks  []hook.Check
}

func (x *examination) add(c hook.Check) { x.checks = append(x.checks, c) }

// Examine looks at a home, the sortie the desk means, the settings of every
// harness and every guard.
func Examine(ctx context.Context, d *hook.Desk, guards []*hook.Guard, o Options) Report {
	x := &examination{d: d, o: o.Install, version: o.Version}
	x.ledger()
	x.checks = append(x.checks, events(d)...)
	x.checks = append(x.checks, findings(d)...)
	if o.Install.Env != nil {
		x.wirings = Look(o.Install, d.Home, d.Flight.ID)
		x.checkWiring()
		if o.Probe {
			x.probe(ctx, o.Environ)
		}
	}
	x.checks = append(x.checks, mounting(d, guards)...)
	for _, g := range guards {
		if g.Doctor == nil {
			continue
		}
		own, err := g.Doctor(d)
		if err != nil {
			own = append(own, hook.Check{Name: g.Name, State: Broken, Next: err.Error()})
		}
		x.checks = append(x.checks, own...)
	}
	x.checks = append(x.checks, errorLog(d)...)
	r := Report{OK: true, Checks: x.checks}
	for _, c := range r.Checks {
		r.OK = r.OK && c.State != Broken
	}
	return r
}

// ledger reads the whole file: one that opens may still have lost pages.
func (x *examination) ledger() {
	c := hook.Check{Name: "ledger", State: OK}
	sound, err := ledger.Check(x.d.Home.Dir, ledger.Options{Now: x.d.World.Now})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.State, c.Next = Unproven, "nothing was ever filed in "+x.d.Home.Dir
	case err != nil:
		c.State, c.Next = Broken, err.Error()
	case !sound.Sound():
		c.State = Broken
		c.Next = fmt.Sprintf("%s: %s\nspar ledger check tells all of it, spar ledger recover saves what can be read", sound.Path, strings.Join(sound.Problems[:min(3, len(sound.Problems))], "; "))
	default:
		c.Next = fmt.Sprintf("sound: %d findings of %d sorties in %d kB", sound.Findings, sound.Sorties, (sound.Size+1023)/1024)
	}
	x.add(c)
}

// events compares what arrived before calls with what arrived after them: a call
// that is only seen afterwards was never gated.
func events(d *hook.Desk) []hook.Check {
	if d.Flight.ID == "" {
		return []hook.Check{{Name: "events", State: Unproven, Next: "no sortie was ever flown here\nstart a session, or fly one with spar launch"}}
	}
	arrivals, ungated := hook.Seen(d.Home, d.Flight.ID)
	count := map[string]map[string]int{}
	for _, a := range arrivals {
		if count[a.Harness] == nil {
			count[a.Harness] = map[string]int{}
		}
		count[a.Harness][a.Event] = a.Count
	}
	if len(count) == 0 {
		return []hook.Check{{Name: "events", State: Unproven, Next: "no event has arrived in this sortie yet"}}
	}
	var checks []hook.Check
	for _, name := range harness.Names() {
		seen := count[name]
		if seen == nil {
			continue
		}
		pre, post := seen[harness.PreTool.String()], seen[harness.PostTool.String()]
		c := hook.Check{Name: "events", Harness: name, Event: harness.PreTool.String(), State: OK,
			Next: fmt.Sprintf("%d before calls and %d after calls received", pre, post)}
		switch {
		case pre == 0 && post > 0:
			c.State = Broken
			c.Next = fmt.Sprintf("the event before a call is configured but was never received in this sortie: %d calls ran ungated%s\ncheck the hook entry for it and restart the harness",
				post, examples(ungated))
		case pre == 0:
			c.State, c.Next = Unproven, "no call has been made in this sortie yet"
		}
		checks = append(checks, c)
	}
	return checks
}

// examples names the first few of a list in brackets.
func examples(list []string) string {
	if len(list) == 0 {
		return ""
	}
	const most = 5
	more := ""
	if len(list) > most {
		list, more = list[:most], ", …"
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return " (" + strings.Join(quoted, ", ") + more + ")"
}

// findings are the frame's own diagnoses of this sortie.
func findings(d *hook.Desk) []hook.Check {
	if d.Flight.ID == "" {
		return nil
	}
	var checks []hook.Check
	err := d.Home.View(d.World, func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		for f, err := range tx.Find(ledger.Query{Sortie: d.Flight.ID, Source: "spar", Phase: ledger.Post}) {
			switch {
			case err != nil:
				return err
			case strings.HasPrefix(f.Note, "denied-but-ran"):
				checks = append(checks, hook.Check{Name: "denied-but-ran", State: Broken, Next: fmt.Sprintf(
					"finding %d: %q was denied and ran anyway; this harness does not hold what its hook says\nspar ledger show %d", f.Seq, f.Subject, f.Seq)})
			case f.Subject == "subagent-unseen":
				checks = append(checks, hook.Check{Name: "subagent-unseen", State: Unproven, Next: fmt.Sprintf(
					"finding %d: a subagent stopped and none of its calls came by", f.Seq)})
			}
		}
		return nil
	})
	if err != nil {
		checks = append(checks, hook.Check{Name: "findings", State: Broken, Next: err.Error()})
	}
	return checks
}

func mounting(d *hook.Desk, guards []*hook.Guard) []hook.Check {
	var checks []hook.Check
	m, err := hook.ReadMounting(d.World, d.Home)
	if err != nil {
		checks = append(checks, hook.Check{Name: "config", State: Broken, Next: err.Error()})
	}
	on := map[string]bool{}
	for _, g := range m.Of(guards) {
		on[g.Name] = true
	}
	for _, g := range guards {
		if g.Default && !on[g.Name] {
			checks = append(checks, hook.Check{Name: g.Name, State: Unproven, Next: "switched off by a config.json\nspar install --with " + g.Name + " switches it on"})
		}
	}
	return checks
}

// errorLog tells the newest line of what went wrong inside a hook.
func errorLog(d *hook.Desk) []hook.Check {
	path := filepath.Join(d.Home.Dir, "hook-errors.log")
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var last string
	n := 0
	for line := range strings.Lines(string(raw)) {
		if len(line) > 4 && line[4] == '-' { // a stack trace's lines don't begin with a year
			last, n = strings.TrimSpace(line), n+1
		}
	}
	if n == 0 {
		return nil
	}
	return []hook.Check{{Name: "hook-errors", State: Unproven, Next: fmt.Sprintf("%d lines in %s, the newest: %s", n, path, last)}}
}
