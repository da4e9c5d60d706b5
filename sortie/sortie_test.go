package sortie

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"spar/ledger"
)

// flyer is a home and a world to fly in, with a clock that a test moves.
type flyer struct {
	t    *testing.T
	home Home
	env  map[string]string
	now  time.Time
	ps   map[int]Process
	ppid int
}

var takeoff = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func newFlyer(t *testing.T) *flyer {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "project")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	return &flyer{
		t:    t,
		home: Home{Dir: filepath.Join(root, ".spar"), Root: root, How: "here"},
		env:  map[string]string{"HOME": filepath.Join(dir, "me"), "XDG_STATE_HOME": filepath.Join(dir, "state")},
		now:  takeoff,
		ps:   map[int]Process{},
	}
}

func (f *flyer) world() World {
	env, now := maps.Clone(f.env), f.now
	ps := maps.Clone(f.ps)
	return World{
		Now: func() time.Time { return now }, Env: func(k string) string { return env[k] }, Dir: f.home.Root, PPID: f.ppid,
		Process: func(pid int) (Process, error) {
			p, ok := ps[pid]
			if !ok {
				return Process{Realm: "here"}, fmt.Errorf("process %d: %w", pid, fs.ErrNotExist)
			}
			p.Realm = "here"
			return p, nil
		},
	}
}

func (f *flyer) book() *Book {
	b := f.home.Open(f.world())
	f.t.Cleanup(func() { b.Close() })
	return b
}

// commit runs do in a book and makes it durable.
func (f *flyer) commit(do func(b *Book) error) {
	f.t.Helper()
	b := f.book()
	if err := do(b); err != nil {
		f.t.Fatal(err)
	}
	if err := b.Commit(); err != nil {
		f.t.Fatal(err)
	}
}

func (f *flyer) join(e Event) Leg {
	f.t.Helper()
	if e.Harness == "" {
		e.Harness = "claude"
	}
	var leg Leg
	f.commit(func(b *Book) (err error) { leg, err = b.Join(e); return err })
	return leg
}

func (f *flyer) launch(o Orders) Flight {
	f.t.Helper()
	var fl Flight
	f.commit(func(b *Book) (err error) { fl, err = b.Launch(o); return err })
	return fl
}

func (f *flyer) land(l Leg, o LandOptions) (Filed, bool) {
	f.t.Helper()
	var filed Filed
	var landed bool
	f.commit(func(b *Book) (err error) { filed, landed, err = b.Land(l, o); return err })
	return filed, landed
}

func (f *flyer) report(l Leg, r Report) Filed {
	f.t.Helper()
	var filed Filed
	f.commit(func(b *Book) (err error) { filed, err = b.Report(l, r); return err })
	return filed
}

func (f *flyer) flight(id string) Flight {
	f.t.Helper()
	var fl Flight
	f.view(func(tx *ledger.Tx) error {
		var ok bool
		var err error
		if fl, ok, err = flightOf(tx, id); err == nil && !ok {
			err = fmt.Errorf("no sortie %s", id)
		}
		return err
	})
	return fl
}

func (f *flyer) view(do func(tx *ledger.Tx) error) {
	f.t.Helper()
	if err := f.home.View(f.world(), do); err != nil {
		f.t.Fatal(err)
	}
}

func (f *flyer) findings(q ledger.Query) []ledger.Finding {
	f.t.Helper()
	var out []ledger.Finding
	f.view(func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		for one, err := range tx.Find(q) {
			if err != nil {
				return err
			}
			out = append(out, *one)
		}
		return nil
	})
	return out
}

func (f *flyer) points(id string) int {
	f.t.Helper()
	var n int
	f.view(func(tx *ledger.Tx) error {
		t, err := tx.SortieTally(id)
		n = t.Points
		return err
	})
	return n
}

// grade is redline's: 1 recorded, 2 advised, 3 stopped.
func grade(total int) ledger.Severity {
	switch {
	case total >= 3:
		return ledger.Stop
	case total == 2:
		return ledger.Warn
	}
	return ledger.Note
}

func push(call string) Report {
	return Report{Source: "redline", Phase: ledger.Pre, Subject: "git push", Call: call, Charge: map[string]int{"outward": 3}, Grade: grade}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	sevs := []ledger.Severity{ledger.Note, ledger.Warn, ledger.Stop}
	phases := []ledger.Phase{ledger.Brief, ledger.Pre, ledger.Post, ledger.Claim}
	// want is the table of frame.md, written a second time, row by row.
	want := func(mode ledger.Mode, defers, empty bool, p ledger.Phase, s ledger.Severity) Verdict {
		if mode == ledger.Cruise {
			return Logged
		}
		if defers {
			return Deferred
		}
		return map[ledger.Severity]Verdict{
			ledger.Note: Logged,
			ledger.Warn: Advise,
			ledger.Stop: map[bool]Verdict{true: RefuseShot, false: map[bool]Verdict{true: Halt, false: Advise}[empty]}[p == ledger.Claim],
		}[s]
	}
	for _, mode := range []ledger.Mode{ledger.Strike, ledger.Cruise} {
		for _, defers := range []bool{false, true} {
			for _, empty := range []bool{false, true} {
				for _, p := range phases {
					for _, s := range sevs {
						got := Judge(mode, defers, empty, p, s)
						if w := want(mode, defers, empty, p, s); got != w {
							t.Errorf("Judge(%s, defers %v, empty %v, %s, %s) = %s, want %s", mode, defers, empty, p, s, got, w)
						}
						// A guard never halts a machine that has someone in it.
						if !empty && got == Halt {
							t.Errorf("Judge(%s, %s, %s) halts with a pilot aboard", mode, p, s)
						}
					}
				}
			}
		}
	}
}

func TestReportCounts(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	if !leg.New || leg.Seat.Empty || leg.Flight.Mode != ledger.Strike {
		t.Fatalf("leg = %+v, want a new attended strike", leg)
	}
	got := f.report(leg, push("c1"))
	if got.Total != 3 || got.Verdict != Advise || got.Repeat || !got.Counted || got.Finding.Severity != ledger.Stop {
		t.Errorf("first push: %+v, want total 3, advised", got)
	}
	if string(got.Finding.Observed) != `{"kinds":{"outward":3},"points":3,"total":3}` {
		t.Errorf("observed = %s", got.Finding.Observed)
	}
	again := f.report(leg, push("c1"))
	if !again.Repeat || again.Total != 3 || again.Verdict != Advise || again.Finding.Seq != got.Finding.Seq {
		t.Errorf("the same call again: %+v, want the first answer", again)
	}
	free := f.report(leg, Report{Source: "redline", Phase: ledger.Pre, Subject: "x.md", Call: "c2", Charge: map[string]int{"unnamed": 0}, Grade: grade})
	if free.Total != 3 || free.Verdict != Logged || free.Finding.Severity != ledger.Note {
		t.Errorf("a call that adds nothing: %+v, want it logged", free)
	}
	next := f.report(leg, push("c3"))
	if next.Total != 6 {
		t.Errorf("total after another = %d, want 6", next.Total)
	}
	b := f.book()
	if _, err := b.Report(leg, Report{Source: "redline", Phase: ledger.Pre, Subject: "x", Charge: map[string]int{"outward": -1}}); err == nil {
		t.Error("a negative charge is taken; a score never falls")
	}
}

func TestNoSortieIsJudgedNotCounted(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{})
	if leg.Flight.ID != "" {
		t.Fatalf("leg = %+v, want none", leg)
	}
	got := f.report(leg, push("c1"))
	if got.Counted || got.Verdict != Advise || got.Total != 3 {
		t.Errorf("filed = %+v, want it judged and not counted", got)
	}
	if n := len(f.findings(ledger.Query{})); n != 0 {
		t.Errorf("%d findings, want none", n)
	}
}

// TestParallelJoins is R073's and the twin hooks' ground: however many join at
// once, one session flies one sortie, and an operator's is shared.
func TestParallelJoins(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	var mu sync.Mutex
	got := map[string][]string{}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			session := fmt.Sprintf("s%d", i%4)
			b := f.home.Open(f.world())
			defer b.Close()
			leg, err := b.Join(Event{Session: session, Harness: "claude", Source: "startup"})
			if err == nil {
				err = b.Commit()
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			got[session] = append(got[session], leg.Flight.ID)
			mu.Unlock()
		})
	}
	wg.Wait()
	var all []string
	for s, ids := range got {
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) != 1 {
			t.Errorf("session %s flies %d sorties", s, len(ids))
		}
		all = append(all, ids...)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 4 {
		t.Errorf("four sessions fly %d sorties", len(all))
	}
}
