package carbon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// guardName is the subcommand and the source of findings.
const guardName = "carbon"

// Crowded is the size of all bodies past which status speaks of it, in bytes:
// nothing here is ever removed by itself.
const Crowded = 200 << 20

// Guard is carbon as the door mounts it. It has no opinion, ever.
var Guard = hook.Guard{
	Name:    guardName,
	Brief:   "in cruise, keep a draft as it is just before a file tool writes over it",
	Events:  []harness.Event{harness.PreTool},
	Default: true,
	Mute:    true,
	Wants:   wants,
	Inspect: inspect,
	Status:  status,
	Doctor:  doctor,
}

// wants leaves alone what names no file and, as far as the session's binding
// knows, what is not written while drafting.
func wants(p *hook.Pass) bool {
	c := p.Call
	// A shell call has files where it hands a patch to the patching tool.
	return len(c.Files) > 0 && (c.Kind == harness.Write || c.Kind == harness.Shell) && p.Mode() != ledger.Strike
}

func inspect(ctx context.Context, p *hook.Pass) (hook.Opinion, error) {
	if !wants(p) {
		return hook.Opinion{}, nil
	}
	cruise, err := drafting(p)
	if err != nil || !cruise {
		return hook.Opinion{}, err
	}
	drafts, err := lookAll(p)
	var errs []error
	if err != nil {
		errs = append(errs, err)
	}
	if len(drafts) > 0 {
		safe, err := keepAll(ctx, p, drafts)
		if err != nil {
			errs = append(errs, err)
		} else if safe > 0 && len(errs) == 0 {
			succeeded(p.World, p.Home)
		}
	}
	if err := errors.Join(errs...); err != nil {
		failed(p.World, p.Home, err)
		return hook.Opinion{}, fmt.Errorf("the draft was not kept: %w", err)
	}
	return hook.Opinion{}, nil
}

// drafting reports whether the session is in cruise, as far as is known. The
// ledger is opened only where the session's binding says nothing, and then only
// for a file that is there.
func drafting(p *hook.Pass) (bool, error) {
	switch p.Mode() {
	case ledger.Cruise:
		return true, nil
	case ledger.Strike:
		return false, nil
	}
	if !p.Home.Exists() || !anyThere(p) {
		return false, nil
	}
	leg, err := p.Leg()
	return err == nil && leg.Flight.Aloft() && leg.Flight.Mode == ledger.Cruise, err
}

func anyThere(p *hook.Pass) bool {
	g := groundOf(p)
	for _, f := range p.Call.Files {
		if full, why := g.full(f.Path); why == wanted {
			if _, err := os.Lstat(full); err == nil {
				return true
			}
		}
	}
	return false
}

// groundOf is where the call's files are looked for.
func groundOf(p *hook.Pass) ground {
	return ground{root: Root(p.World, p.Home, p.Call.Project, p.Call.Cwd), home: p.Home.Dir, cwd: p.Call.Cwd}
}

// Root is the folder that paths of copies start from: what the home belongs to.
// A home that a person put elsewhere by name belongs to the project it is used in.
func Root(w sortie.World, h sortie.Home, project, cwd string) string {
	if h.How != "--home" && h.How != "SPAR_HOME" && filepath.Base(h.Dir) == ".spar" {
		return h.Root
	}
	env := w.Env
	w.Env = func(name string) string {
		if name == "SPAR_HOME" {
			return ""
		}
		return env(name)
	}
	found, err := sortie.FindHome(w, sortie.HomeQuery{Project: project, Cwd: cwd})
	if err != nil {
		return h.Root
	}
	return found.Root
}

// lookAll reads the drafts a call is about to write over, each file once.
func lookAll(p *hook.Pass) ([]*draft, error) {
	g := groundOf(p)
	var drafts []*draft
	var errs []error
	read := map[string]bool{}
	for _, f := range p.Call.Files {
		if read[f.Path] {
			continue
		}
		read[f.Path] = true
		d, why, err := g.look(f.Path)
		switch {
		case err != nil:
			errs = append(errs, err)
		case why == wanted && !read["\x00"+d.place]:
			read["\x00"+d.place] = true
			drafts = append(drafts, d)
		}
	}
	return drafts, errors.Join(errs...)
}

// keepAll keeps what git doesn't have, and says of how many drafts these bytes are
// kept now. The ledger is closed while git is asked and
// while bodies are written: no other process waits for either.
func keepAll(ctx context.Context, p *hook.Pass, drafts []*draft) (safe int, err error) {
	s := store{p.Home}
	var staged []string
	defer func() {
		for _, tmp := range staged {
			if tmp != "" {
				_ = os.Remove(tmp) // gone where it became a copy
			}
		}
	}()
	var lost []*draft
	var stageErr error
	err = p.Unlocked(func() error {
		drafts = unknownToGit(ctx, drafts)
		kept := drafts[:0:0]
		for _, d := range drafts {
			tmp := ""
			if d.body != nil {
				var err error
				if tmp, err = s.stage(d.body); err != nil {
					stageErr, lost = err, append(lost, d)
					continue
				}
			}
			kept, staged = append(kept, d), append(staged, tmp)
		}
		drafts = kept
		return nil
	})
	if err == nil && len(drafts) > 0 {
		safe, err = record(p, s, drafts, staged)
	}
	if err != nil {
		err = errors.Join(s.leave(p.World.Now(), drafts, staged), err) // where it is comes first
	}
	for _, d := range lost {
		err = errors.Join(err, fmt.Errorf("%s: %w", Printable(d.rel), stageErr))
	}
	return safe, err
}

// unknownToGit are the drafts whose bytes HEAD does not have.
func unknownToGit(ctx context.Context, drafts []*draft) []*draft {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	var out []*draft
	for _, d := range drafts {
		if !d.askGit(ctx) {
			out = append(out, d)
		}
	}
	return out
}

// record files the drafts in one transaction and makes it durable: whether a copy
// was made must be known here, for status to say so.
func record(p *hook.Pass, s store, drafts []*draft, staged []string) (safe int, err error) {
	leg, err := p.Leg()
	if err != nil {
		return 0, err
	}
	if !leg.Flight.Aloft() || leg.Flight.Mode != ledger.Cruise {
		return 0, nil // the binding was behind
	}
	for i, d := range drafts {
		var rec *Record
		var fresh bool
		err := p.Do(func(tx *ledger.Tx) (err error) {
			rec, fresh, err = s.keep(tx, d, staged[i], copyOf{
				session: p.Call.Session, agent: p.Call.Agent, sortie: leg.Flight.ID, call: p.Call.ID, at: p.World.Now(),
			})
			return err
		})
		if err != nil {
			return safe, err
		}
		safe++
		if !fresh {
			continue
		}
		if _, err := p.Report(sortie.Report{
			Source: guardName, Phase: ledger.Post, Severity: ledger.Note, Subject: rec.Path,
			Observed: superseded, Note: rec.note(), Call: p.Call.ID + "/" + d.place, Window: p.Call.Window,
		}); err != nil {
			return safe, err
		}
	}
	return safe, p.Unlocked(func() error { return nil })
}

// superseded is what is observed of a draft that is written over.
const superseded = "superseded"

// note names the copy in the ledger. It never quotes what is in it.
func (r *Record) note() string {
	if r.Body == "none" {
		return "kept as " + r.ID + " (note only: " + r.WhyNone + ")"
	}
	return "kept as " + r.ID
}

// leave gives staged bodies their names also where no record could be written: a
// copy that only doctor knows of is better than none.
func (s store) leave(now time.Time, drafts []*draft, staged []string) error {
	var errs []error
	for i, d := range drafts {
		if staged[i] == "" {
			continue
		}
		name := newID(now, d) + extOf(d.rel)
		if err := s.settle(staged[i], name); err == nil {
			errs = append(errs, fmt.Errorf("%s is in .spar/%s/%s, without a record", Printable(d.rel), bodyFolder, name))
		} else if _, gone := os.Lstat(staged[i]); !errors.Is(err, fs.ErrExist) && gone == nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// status is a line for whoever looks: how much is kept, and whether the last copy
// was made.
func status(d *hook.Desk) (string, error) {
	list, err := List(d.World, d.Home, "", time.Time{})
	if err != nil {
		return "", err
	}
	parts := []string{plural(len(list), "copy", "copies")}
	if size := bodySize(list); size > 0 {
		parts[0] += ", " + Size(size)
		if size > Crowded {
			parts = append(parts, "more than 200 MiB: spar carbon prune shows what could go")
		}
	}
	if why := lastFailure(d.World, d.Home); why != "" {
		parts = append(parts, "carbon: last copy failed: "+why)
	} else if err := (store{d.Home}).writable(); err != nil {
		parts = append(parts, "carbon: the next copy would fail: "+err.Error())
	}
	return strings.Join(parts, "; "), nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// bodySize is what the bodies of copies take, each file once.
func bodySize(list []*Record) (size int64) {
	seen := map[string]bool{}
	for _, r := range list {
		if r.Kept() && !seen[r.File] {
			seen[r.File] = true
			size += r.Size
		}
	}
	return size
}

// writable tries whether a copy could be written. Where none was ever made there
// is no folder yet, and nothing is tried.
func (s store) writable() error {
	if _, why := lstat(s.dir()); why == missing {
		return nil
	}
	f, err := os.CreateTemp(s.dir(), ".new-*")
	if err != nil {
		return cause(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// doctor compares the folder with the index. A body without a record is what a
// process that was killed, or a ledger that was full, left: it is named, never
// removed.
func doctor(d *hook.Desk) ([]hook.Check, error) {
	list, err := List(d.World, d.Home, "", time.Time{})
	if err != nil {
		return nil, err
	}
	s := store{d.Home}
	c := hook.Check{Name: "carbon copies", State: "ok", Next: plural(len(list), "copy", "copies") + ", " + Size(bodySize(list))}
	var bad []string
	named := map[string]bool{}
	for _, r := range list {
		if !r.Kept() {
			continue
		}
		if !named[r.File] && !s.there(r.File, r.Size) {
			bad = append(bad, fmt.Sprintf("the body of %s (%s) is gone or cut: look for %s in a backup of %s", r.ID, Printable(r.Path), r.File, s.dir()))
		}
		named[r.File] = true
	}
	entries, err := os.ReadDir(s.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		bad = append(bad, fmt.Sprintf("%s can't be read (%v): make it a folder of your own", s.dir(), cause(err)))
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || named[e.Name()] || strings.HasPrefix(e.Name(), ".new-") && d.World.Now().Sub(info.ModTime()) < time.Minute {
			continue
		}
		bad = append(bad, fmt.Sprintf("%s (%s) is in no record: read it, then move it to where it belongs or remove it", filepath.Join(s.dir(), e.Name()), Size(info.Size())))
	}
	if why := lastFailure(d.World, d.Home); why != "" {
		bad = append(bad, "the last copy failed ("+why+"): make room or the folder writable; the next copy that is made takes this back")
	} else if err := s.writable(); err != nil {
		bad = append(bad, fmt.Sprintf("the next copy would fail (%v): make %s writable", err, s.dir()))
	}
	if len(bad) == 0 {
		return []hook.Check{c}, nil
	}
	out := make([]hook.Check, 0, min(len(bad), 6))
	for i, text := range bad {
		if i == 5 {
			text = fmt.Sprintf("and %d more of the kind", len(bad)-i)
		}
		out = append(out, hook.Check{Name: c.Name, State: "broken", Next: text})
		if i == 5 {
			break
		}
	}
	return out, nil
}
