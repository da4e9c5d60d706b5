package redline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// guardName is the subcommand and the source of findings.
const guardName = "redline"

// Guard is the limiter as the door mounts it.
var Guard = hook.Guard{
	Name:    guardName,
	Brief:   "one number a sortie: what can't be undone, leaves the house, lands in production or adds code",
	Events:  []harness.Event{harness.PreTool, harness.Prompt},
	Default: true,
	Bounded: true,
	Inspect: inspect,
	Exposed: exposed,
	Status:  status,
	Doctor:  doctor,
}

// sharedKey is under what a pass keeps the price of its call.
type sharedKey struct{}

// shared is what is kept there.
type shared struct {
	price *Priced
	found Found
}

// Shared prices the call of a pass, once for all guards of the pass.
func Shared(p *hook.Pass) (*Priced, Found) {
	if s, ok := p.Shared(sharedKey{}).(shared); ok {
		return s.price, s.found
	}
	w := World{Env: p.World.Env, Own: OwnDirs(p.Call.Project, p.Home)}
	if p.Call.Kind == harness.Write {
		w.Named = keptNames(p.Home, p.Sortie())
	}
	var s shared
	s.price, s.found = Check(p.Call, w)
	p.Share(sharedKey{}, s)
	return s.price, s.found
}

func inspect(_ context.Context, p *hook.Pass) (hook.Opinion, error) {
	if p.Call.Event == harness.Prompt {
		return hook.Opinion{}, listen(p)
	}
	price, found := Shared(p)
	var op hook.Opinion
	var errs []error
	note := func(a harness.Answer, err error) {
		op.Answer = hook.Merge(op.Answer, a)
		if err != nil {
			errs = append(errs, err)
		}
	}
	if len(price.Charges) > 0 {
		note(charge(p, price, found.Rules.Bounds()))
	}
	if price.Switch != nil {
		note(flip(p, price.Switch))
	}
	if price.Unknown {
		note(harness.Answer{}, unknownTool(p))
	}
	if len(found.Problems) > 0 {
		note(broken(p, found.Problems))
	}
	return op, errors.Join(errs...)
}

// exposed is the answer to «would this call be charged» when the count is dark.
func exposed(p *hook.Pass) (string, bool) {
	price, _ := Shared(p)
	if price.Points == 0 && price.Switch == nil {
		return "", false
	}
	if price.Points == 0 {
		return "it turns one of the pilot's switches (" + price.Switch.Name + ")", true
	}
	return "it would cost " + costs(price), true
}

// listen keeps the file names of a person's prompt.
func listen(p *hook.Pass) error {
	if !p.Call.Human || p.Call.Agent != "" {
		return nil
	}
	leg, err := p.Leg()
	if err != nil {
		return err
	}
	if leg.Flight.ID == "" {
		return nil
	}
	names := Names(p.Call.Prompt)
	if err := keepNames(p.Home, leg.Flight.ID, names); err != nil {
		return fmt.Errorf("keeping the names of the prompt: %w", err)
	}
	_, err = p.Report(sortie.Report{
		Source: guardName, Phase: ledger.Brief, Severity: ledger.Note,
		Subject: "scope", Observed: names, Actor: ledger.Human,
	})
	return err
}

// charge files what a call costs and says what its verdict has to say.
func charge(p *hook.Pass, price *Priced, limit Limit) (harness.Answer, error) {
	kinds := price.ByKind()
	filed, err := p.Report(sortie.Report{
		Source: guardName, Phase: ledger.Pre,
		Subject: price.Subject, Charge: kinds, Grade: limit.Grade, Note: price.Note(p.Call.Cwd),
	})
	if err != nil {
		return harness.Answer{}, err
	}
	if price.Points == 0 {
		return harness.Answer{}, nil
	}
	var a harness.Answer
	switch filed.Verdict {
	case sortie.Halt:
		a.Decision, a.Reason = harness.Deny, Message(price, filed, limit, p.Seat().Empty)
	case sortie.Advise:
		a.Context = Message(price, filed, limit, p.Seat().Empty)
	}
	return a, nil
}

// costs is `kind +p, kind +p`, in message order.
func costs(price *Priced) string {
	var parts []string
	by := price.ByKind()
	for _, k := range Kinds() {
		if n := by[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s +%d", k, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Message is what is said of a charge that has something said of it: the number
// first, then what the number means, then, for a pilot, how a run whose cost is
// known is flown. With the seat empty it asks nothing and tells nobody to ask.
func Message(price *Priced, f sortie.Filed, limit Limit, empty bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "redline: %d — %s", f.Total, costs(price))
	if f.Overdue && f.Swing != nil {
		fmt.Fprintf(&b, "\nThe swing %q has outstayed its time and holds nothing back any more; it can still be left.", clip(f.Swing.Action, 80))
	}
	switch {
	case f.Verdict == sortie.Halt:
		fmt.Fprintf(&b, "\nPast %d with nobody in the seat. This call is stopped here and handed back to a human.", limit.Stop)
		return b.String()
	case f.Total >= limit.Stop:
		fmt.Fprintf(&b, "\n%d against a limit of %d. Going on is the pilot's call: say the number and what this call does aloud before going on.", f.Total, limit.Stop)
	default:
		fmt.Fprintf(&b, "\nHalfway: %d of %d.", f.Total, limit.Stop)
	}
	if empty {
		return b.String()
	}
	by := price.ByKind()
	if f.Swing == nil && (by[Irreversible] > 0 || by[Production] > 0) {
		b.WriteString("\npilot: a run whose cost is known beforehand closes to melee first: spar melee --action WHAT --exit 'THE WAY BACK' --state 'WHAT IS THERE NOW'")
	}
	return b.String()
}

// Note says, for the ledger, why a call costs what it costs.
func (p *Priced) Note(cwd string) string {
	var b strings.Builder
	for i, c := range p.Charges {
		if c.Kind == Unnamed && i > 0 && len(p.Kinds) > 0 {
			continue
		}
		if b.Len() > 400 {
			b.WriteString("; …")
			break
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(c.Kind + ": " + c.Why)
		if c.Detail != "" {
			b.WriteString(": " + c.Detail)
		}
	}
	for _, c := range p.Charges {
		if c.Row != nil && c.Row.Target == here && linkedWorktree(cwd) {
			b.WriteString("; in a linked worktree")
			break
		}
	}
	return b.String()
}

// linkedWorktree reports whether dir is in a linked worktree: there `.git` is a
// file that points elsewhere.
func linkedWorktree(dir string) bool {
	for range 64 {
		st, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil {
			return st.Mode().IsRegular()
		}
		up := filepath.Dir(dir)
		if up == dir || dir == "" {
			return false
		}
		dir = up
	}
	return false
}

// flip answers a pilot's switch that the agent turns: the pilot is asked, with
// nobody there it is denied, unless the runner granted it beforehand.
func flip(p *hook.Pass, s *Switch) (harness.Answer, error) {
	seat := p.Seat()
	outcome, sev := "ask", ledger.Warn
	var a harness.Answer
	switch {
	case s.Granted(p.World.Env("SPAR_PILOT_GRANTS")):
		outcome, sev = sortie.Granted, ledger.Note
	case seat.Empty:
		outcome = string(sortie.RefuseShot) // answered on the spot: no reason to halt a swing when it is left
		a.Decision = harness.Deny
		a.Reason = fmt.Sprintf("redline: %s, which is one of the pilot's switches. Nobody is in the seat, so it stays as it is; it is handed back to a human.", s.Why)
	default:
		a.Decision = harness.Ask
		a.Reason = fmt.Sprintf("redline: %s, which is one of the pilot's switches: it changes what may interrupt. Allow it only if you asked for it.", s.Why)
	}
	_, err := p.Report(sortie.Report{
		Source: guardName, Phase: ledger.Pre, Severity: sev, Hard: true,
		Subject: "switch " + s.Name, Observed: map[string]any{"switch": s.Name}, Note: s.Why,
		Outcome: outcome, Call: p.Call.ID + "/switch", Window: p.Call.Window,
	})
	return a, err
}

// unknownTool records, once a sortie, a tool whose name says nothing.
func unknownTool(p *hook.Pass) error {
	id := p.Sortie()
	key := "tool " + p.Call.Tool
	if id != "" && told(p.Home, id, key) {
		return nil
	}
	filed, err := p.Report(sortie.Report{
		Source: guardName, Phase: ledger.Pre, Severity: ledger.Note,
		Subject: p.Call.Tool, Observed: map[string]any{"tool": p.Call.Tool},
		Note: `free: nothing is known of this tool; "tools" in .redline.json prices it`, Call: key,
	})
	if err == nil && filed.Finding.Sortie != "" {
		tell(p.Home, filed.Finding.Sortie, key)
	}
	return err
}

// broken tells, once a sortie, what of the configuration is not in force.
func broken(p *hook.Pass, problems []Problem) (harness.Answer, error) {
	id := p.Sortie()
	var a harness.Answer
	var lines []string
	for _, pr := range problems {
		key := "config " + strings.ReplaceAll(pr.Error(), "\n", " ")
		if id != "" && told(p.Home, id, key) {
			continue
		}
		filed, err := p.Report(sortie.Report{
			Source: guardName, Phase: ledger.Pre, Severity: ledger.Warn,
			Subject: pr.File, Observed: map[string]any{"line": pr.Line, "column": pr.Col, "problem": pr.Text},
			Note: "not in force", Call: key,
		})
		if err != nil {
			return a, err
		}
		if filed.Finding.Sortie != "" {
			tell(p.Home, filed.Finding.Sortie, key)
		}
		if !filed.Repeat {
			lines = append(lines, "redline: "+pr.Error())
		}
	}
	a.Person = strings.Join(lines, "\n")
	return a, nil
}

// deskLook is the look-up for a person at a desk.
func deskLook(d *hook.Desk) Look {
	home := d.World.Env("HOME")
	if home == "" {
		home = d.World.Env("USERPROFILE")
	}
	return Look{Own: OwnDirs("", d.Home), Trees: []string{d.World.Dir}, Home: home, Extra: d.World.Env("REDLINE_PRODUCTION")}
}

func status(d *hook.Desk) (string, error) {
	f := Load(deskLook(d))
	n := len(f.Rules.Production)
	s := fmt.Sprintf("limit %d, %d production %s", f.Rules.Bounds().Stop, n, plural(n, "path", "paths"))
	if f.Rules.Limit != nil || f.Rules.Tariff != nil {
		s += ", tariff or limit changed by the configuration"
	}
	if n := len(f.Rules.Free); n > 0 {
		s += fmt.Sprintf(", %d free %s", n, plural(n, "tree", "trees"))
	}
	if n := len(f.Problems); n > 0 {
		s += fmt.Sprintf(", %d %s in the configuration", n, plural(n, "problem", "problems"))
	}
	return s, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// doctor names what of the configuration is not in force, and files whose name
// is nearly right.
func doctor(d *hook.Desk) ([]hook.Check, error) {
	l := deskLook(d)
	f := Load(l)
	var out []hook.Check
	for _, p := range f.Problems {
		out = append(out, hook.Check{Name: "redline config", State: "broken", Next: p.Error()})
	}
	for _, dir := range append(append([]string{}, l.Own...), l.Trees...) {
		for _, miss := range NearMisses(dir) {
			c := hook.Check{Name: "redline config", State: "broken", Next: fmt.Sprintf("%s is read by nobody; the name is %s", miss, ConfigName)}
			if len(out) == 0 || out[len(out)-1] != c {
				out = append(out, c)
			}
		}
	}
	if len(out) == 0 {
		c := hook.Check{Name: "redline config", State: "ok", Next: strings.Join(f.Files, ", ")}
		if len(f.Files) == 0 {
			c.Next = "no .redline.json was found from here up or in the home directory: no path counts as production (spar redline config init prints a starter)"
		}
		out = append(out, c)
	}
	return out, nil
}

// NearMisses are files of a directory whose names look like a configuration's and
// that nobody reads.
func NearMisses(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		n := e.Name()
		if n == ConfigName || n == ConfigNameAlt || e.IsDir() {
			continue
		}
		l := strings.ToLower(n)
		switch {
		case l == ConfigName || l == ConfigNameAlt,
			strings.HasPrefix(strings.TrimPrefix(l, "."), "redline.") && (strings.HasSuffix(l, ".jsonc") || strings.HasSuffix(l, ".json5") || strings.HasSuffix(l, ".yaml") || strings.HasSuffix(l, ".yml") || strings.HasSuffix(l, ".toml")),
			l == ".redlinerc", l == ".redlinerc.json", l == "redlinerc.json", l == ".redline", l == ".red-line.json", l == "red-line.json", l == "redline.config.json", l == ".redline.config.json":
			out = append(out, filepath.Join(dir, n))
		}
	}
	return out
}
