package melee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
	"spar/sortie"
)

// pilot is a home, a world and a clock that a test moves.
type pilot struct {
	t    *testing.T
	home sortie.Home
	env  map[string]string
	now  time.Time
}

func newPilot(t *testing.T) *pilot {
	t.Helper()
	root := t.TempDir()
	return &pilot{
		t: t, home: sortie.Home{Dir: filepath.Join(root, ".spar"), Root: root, How: "here"},
		env: map[string]string{"HOME": filepath.Join(root, "me")}, now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
	}
}

func (p *pilot) world() sortie.World {
	env, now := maps.Clone(p.env), p.now
	return sortie.World{Now: func() time.Time { return now }, Env: func(k string) string { return env[k] }, Dir: p.home.Root}
}

func (p *pilot) commit(do func(b *sortie.Book) error) {
	p.t.Helper()
	b := p.home.Open(p.world())
	defer b.Close()
	if err := errors.Join(do(b), b.Commit()); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pilot) launch(o sortie.Orders) (f sortie.Flight) {
	p.t.Helper()
	p.commit(func(b *sortie.Book) (err error) { f, err = b.Launch(o); return err })
	return f
}

func (p *pilot) flight(id string) (f sortie.Flight) {
	p.t.Helper()
	if err := p.home.View(p.world(), func(tx *ledger.Tx) (err error) { f, _, err = sortie.FlightOf(tx, id); return err }); err != nil {
		p.t.Fatal(err)
	}
	return f
}

func (p *pilot) enter(e Entry) (Entered, error) {
	return Enter(context.Background(), p.home.Open(p.world()), "", e, new(bytes.Buffer))
}

func (p *pilot) leave() (Gate, error) {
	return Leave(context.Background(), p.home.Open(p.world()), "", new(bytes.Buffer))
}

func (p *pilot) charge(f sortie.Flight, call string, kinds map[string]int) (filed sortie.Filed) {
	p.t.Helper()
	p.commit(func(b *sortie.Book) (err error) {
		filed, err = b.Report(sortie.Leg{Flight: f, Seat: sortie.Seat{Empty: f.Autonomy != ""}}, sortie.Report{
			Source: "redline", Phase: ledger.Pre, Subject: "x", Call: call, Charge: kinds,
			Grade: func(total int) ledger.Severity {
				switch {
				case total >= 3:
					return ledger.Stop
				case total == 2:
					return ledger.Warn
				}
				return ledger.Note
			},
		})
		return err
	})
	return filed
}

func (p *pilot) findings(q ledger.Query) (out []ledger.Finding) {
	p.t.Helper()
	err := p.home.View(p.world(), func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		for f, err := range tx.Find(q) {
			if err != nil {
				return err
			}
			out = append(out, *f)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func whole() Entry {
	return Entry{Action: ptr("deploy"), Exit: ptr("rollback"), State: ptr("version 1")}
}

// Behaviour 24 and R119: each refusal its own sentence, no swing, and filed where
// there is a sortie.
func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		setup func(p *pilot)
		entry func(e *Entry)
		want  string
		filed bool
	}{
		{"no sortie", func(p *pilot) {}, nil, "no sortie is launched here", false},
		{"cruise", func(p *pilot) { p.launch(sortie.Orders{Mode: ledger.Cruise}) }, nil, "only strike closes to melee", true},
		{"landed", func(p *pilot) {
			f := p.launch(sortie.Orders{})
			p.commit(func(b *sortie.Book) error {
				_, _, err := b.Land(sortie.Leg{Flight: f}, sortie.LandOptions{})
				return err
			})
			p.env["SPAR_SORTIE"] = f.ID
		}, nil, "has landed", false},
		{"past bingo", func(p *pilot) {
			f := p.launch(sortie.Orders{Budget: 10})
			if _, err := p.home.BurnMore(f.ID, 7); err != nil {
				p.t.Fatal(err)
			}
		}, nil, "past bingo: fuel 7/10", true},
		{"already in", func(p *pilot) {
			p.launch(sortie.Orders{})
			if _, err := p.enter(whole()); err != nil {
				p.t.Fatal(err)
			}
		}, nil, `already committed to "deploy"`, true},
		{"no action", nil, func(e *Entry) { e.Action = nil }, "no action", true},
		{"empty action", nil, func(e *Entry) { e.Action = ptr(" \t") }, "the action is empty", true},
		{"no exit", nil, func(e *Entry) { e.Exit = nil }, "no exit route", true},
		{"empty exit", nil, func(e *Entry) { e.Exit = ptr("") }, "the exit route is empty", true},
		{"no reading", nil, func(e *Entry) { e.State = nil }, "no reading", true},
		{"empty reading", nil, func(e *Entry) { e.State = ptr("\n") }, "the reading is empty", true},
		{"stale reading", nil, func(e *Entry) { e.ReadAt = time.Date(2026, 3, 4, 5, 5, 6, 0, time.UTC) }, "the reading is 1m1s old", true},
		{"a reading of tomorrow", nil, func(e *Entry) { e.ReadAt = time.Date(2026, 3, 5, 5, 6, 7, 0, time.UTC) }, "ahead of the clock", true},
		{"no exit route to be found", nil, func(e *Entry) { e.ExitCmd = "exit 3" }, "the exit route is not there: it exited 3", true},
		{"a reading that fails", nil, func(e *Entry) { e.StateCmd = "exit 4" }, "the command that takes it failed, it exited 4", true},
		{"a reading that says nothing", nil, func(e *Entry) { e.StateCmd = "exit 0" }, "printed nothing", true},
	}
	seen := map[string]string{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPilot(t)
			if tt.setup == nil {
				p.launch(sortie.Orders{})
			} else {
				tt.setup(p)
			}
			before := len(p.findings(ledger.Query{}))
			e := whole()
			if tt.entry != nil {
				tt.entry(&e)
			}
			in, err := p.enter(e)
			var no *sortie.Refusal
			if !errors.As(err, &no) || !strings.Contains(err.Error(), tt.want) || no.Next == "" {
				t.Fatalf("entered %+v, %v; want a refusal with %q and a next step", in, err, tt.want)
			}
			if other, ok := seen[no.Reason]; ok {
				t.Errorf("%q is also what %s is told", no.Reason, other)
			}
			seen[no.Reason] = tt.name
			after := p.findings(ledger.Query{})
			if filed := len(after) - before; filed != map[bool]int{true: 1}[tt.filed] {
				t.Errorf("%d findings filed, want filed = %v", filed, tt.filed)
			}
			if tt.filed && after[len(after)-1].Subject != "melee refused" {
				t.Errorf("filed %+v", after[len(after)-1])
			}
			if tt.name == "no sortie" && p.home.Exists() {
				t.Error("asking made a home")
			}
		})
	}
	p := newPilot(t)
	p.launch(sortie.Orders{})
	if _, err := p.leave(); err == nil || !strings.Contains(err.Error(), "not in melee") {
		t.Errorf("leaving nothing: %v", err)
	}
}

// Behaviour 25 and the gate's own table.
func TestGate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		autonomy string
		cost     *int
		charges  []map[string]int
		claim    []ledger.Severity // of one subject, in order
		want     sortie.Verdict
		stop     bool
		within   bool
		over     int
	}{
		{name: "nothing happened", autonomy: "nightly", want: sortie.Logged},
		{name: "a note", autonomy: "nightly", charges: []map[string]int{{"dependency": 1}}, want: sortie.Logged},
		{name: "a warn", autonomy: "nightly", charges: []map[string]int{{"production": 2}}, want: sortie.Advise},
		{name: "a stop, nobody aboard", autonomy: "nightly", charges: []map[string]int{{"outward": 3}}, want: sortie.Halt, stop: true},
		{name: "a stop, a pilot aboard", charges: []map[string]int{{"outward": 3}}, want: sortie.Advise},
		{name: "declared and kept", autonomy: "nightly", cost: ptr(6), charges: []map[string]int{{"outward": 3}, {"irreversible": 3}}, want: sortie.Advise, within: true},
		{name: "declared and exceeded", autonomy: "nightly", cost: ptr(5), charges: []map[string]int{{"outward": 3}, {"irreversible": 3}}, want: sortie.Halt, stop: true, over: 1},
		{name: "exceeded, a pilot aboard", cost: ptr(0), charges: []map[string]int{{"outward": 3}}, want: sortie.Advise, over: 3},
		{name: "nothing was to cost anything, nothing did", autonomy: "nightly", cost: ptr(0), want: sortie.Logged, within: true},
		{name: "a claim that doesn't hold", claim: []ledger.Severity{ledger.Stop}, want: sortie.RefuseShot, stop: true},
		{name: "a claim made good", claim: []ledger.Severity{ledger.Stop, ledger.Note}, want: sortie.Advise},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPilot(t)
			f := p.launch(sortie.Orders{Autonomy: tt.autonomy})
			// What came before the swing is not the swing's.
			p.charge(f, "before", map[string]int{"dependency": 0})
			e := whole()
			e.Cost = tt.cost
			if _, err := p.enter(e); err != nil {
				t.Fatal(err)
			}
			points := 0
			for i, c := range tt.charges {
				if filed := p.charge(f, fmt.Sprint("c", i), c); filed.Verdict != sortie.Deferred {
					t.Errorf("inside: %s, want it deferred", filed.Verdict)
				}
				for _, n := range c {
					points += n
				}
			}
			for _, sev := range tt.claim {
				p.commit(func(b *sortie.Book) error {
					_, err := b.Report(sortie.Leg{Flight: f}, sortie.Report{Source: "groundtruth", Phase: ledger.Claim, Severity: sev, Subject: "done", Observed: 1})
					return err
				})
			}
			g, err := p.leave()
			if err != nil {
				t.Fatal(err)
			}
			if g.Verdict != tt.want || g.Stop() != tt.stop || g.Within != tt.within || g.Over != tt.over {
				t.Errorf("gate: %s, stop %v, within %v, over %d; want %s, %v, %v, %d", g.Verdict, g.Stop(), g.Within, g.Over, tt.want, tt.stop, tt.within, tt.over)
			}
			if g.Tally.Points != points || g.Tally.Findings != len(tt.charges)+len(tt.claim) {
				t.Errorf("tally %+v, want %d points of %d findings", g.Tally, points, len(tt.charges)+len(tt.claim))
			}
			if fl := p.flight(f.ID); fl.Swing != nil || fl.Swings != 1 || tt.within != (fl.Forgiven == points && tt.within) {
				t.Errorf("flight after: %+v", fl)
			}
			if _, err := p.leave(); err == nil {
				t.Error("left twice")
			}
			// The debrief moves no count.
			p.charge(f, "after", map[string]int{"dependency": 0})
			all := p.findings(ledger.Query{Source: "spar"})
			last := all[len(all)-1]
			if c, ok := last.ChargeOf(); ok {
				t.Errorf("the debrief is a charge: %+v", c)
			}
			if last.Subject != "deploy" || last.Outcome != string(tt.want) || !strings.Contains(last.Note, "rollback") {
				t.Errorf("debrief: %+v", last)
			}
		})
	}
}

func TestEntryFinding(t *testing.T) {
	t.Parallel()
	p := newPilot(t)
	f := p.launch(sortie.Orders{})
	in, err := p.enter(whole())
	if err != nil {
		t.Fatal(err)
	}
	got := p.findings(ledger.Query{Sortie: f.ID})
	if len(got) != 1 {
		t.Fatalf("%d findings, want the entry", len(got))
	}
	e := got[0]
	if e.Phase != ledger.Pre || e.Subject != "deploy" || e.Note != "exit: rollback" || e.Swing != "" || !strings.Contains(string(e.Observed), "version 1") || !strings.Contains(string(e.Observed), in.Swing.ID) {
		t.Errorf("entry = %+v, want it filed before the range flips", e)
	}
	if in.Swing.For != DefaultFor || in.Swing.Actor != ledger.Human || in.Open != "" {
		t.Errorf("swing = %+v, open %q", in.Swing, in.Open)
	}
}

// R141: 300 files that nobody named are one summary.
func TestUnnamedFiles(t *testing.T) {
	t.Parallel()
	p := newPilot(t)
	f := p.launch(sortie.Orders{})
	if _, err := p.enter(whole()); err != nil {
		t.Fatal(err)
	}
	p.commit(func(b *sortie.Book) error {
		for i := range 300 {
			filed, err := b.Report(sortie.Leg{Flight: f}, sortie.Report{
				Source: "redline", Phase: ledger.Pre, Subject: "f.txt", Call: fmt.Sprint("c", i), Charge: map[string]int{"unnamed": 0},
			})
			if err != nil {
				return err
			}
			if filed.Verdict != sortie.Deferred {
				t.Errorf("inside: %s", filed.Verdict)
			}
		}
		return nil
	})
	g, err := p.leave()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(g.Lines(nil), "\n")
	for _, want := range []string{"300 unnamed, 0 charged", "points    0", "exit      rollback", "300: 300 note"} {
		if !strings.Contains(text, want) {
			t.Errorf("debrief lacks %q:\n%s", want, text)
		}
	}
}

// Behaviour 26: what the ledger held before changes nothing about the gate.
func TestLeaveCountsItsOwn(t *testing.T) {
	t.Parallel()
	older := 100_000
	if testing.Short() {
		older = 2_000
	}
	p := newPilot(t)
	f := p.launch(sortie.Orders{Autonomy: "nightly"})
	p.commit(func(b *sortie.Book) error {
		for range older {
			if err := b.Append(&ledger.Finding{
				Phase: ledger.Pre, Source: "redline", Severity: ledger.Stop, Subject: "older", Observed: []byte(`{"kinds":{"outward":3},"points":3,"total":3}`),
				Mode: ledger.Strike, Actor: ledger.Agent, Sortie: f.ID,
			}); err != nil {
				return err
			}
		}
		return nil
	})
	e := whole()
	e.Cost = ptr(3)
	if _, err := p.enter(e); err != nil {
		t.Fatal(err)
	}
	p.charge(f, "c1", map[string]int{"outward": 3})
	g, err := p.leave()
	if err != nil {
		t.Fatal(err)
	}
	if g.Tally.Findings != 1 || g.Tally.Points != 3 || g.Stop() {
		t.Errorf("gate = %+v, want the one finding inside", g)
	}
}

func TestAgentTyped(t *testing.T) {
	t.Parallel()
	asked := func(at time.Duration, outcome, name string) func(p *pilot, f sortie.Flight) {
		return func(p *pilot, f sortie.Flight) {
			now := p.now
			p.now = now.Add(at)
			p.commit(func(b *sortie.Book) error {
				_, err := b.Report(sortie.Leg{Flight: f, Session: ""}, sortie.Report{
					Source: "redline", Phase: ledger.Pre, Severity: ledger.Note, Subject: "spar melee", Observed: map[string]any{"switch": name}, Outcome: outcome,
				})
				return err
			})
			p.now = now
		}
	}
	tests := []struct {
		name  string
		env   map[string]string
		setup func(p *pilot, f sortie.Flight)
		holds bool
		actor ledger.Actor
	}{
		{"a person in a terminal", nil, nil, true, ledger.Human},
		{"the agent", map[string]string{"CLAUDECODE": "1"}, nil, false, ledger.Agent},
		{"the runner grants it", map[string]string{"CLAUDECODE": "1", "SPAR_PILOT_GRANTS": "mode, melee"}, nil, true, ledger.Agent},
		{"the runner grants another", map[string]string{"CLAUDECODE": "1", "SPAR_PILOT_GRANTS": "mode,land"}, nil, false, ledger.Agent},
		{"a person was asked", map[string]string{"CLAUDECODE": "1"}, asked(-time.Minute, "ask", "melee"), true, ledger.Agent},
		{"granted at the door", map[string]string{"CLAUDECODE": "1"}, asked(-time.Minute, sortie.Granted, "melee"), true, ledger.Agent},
		{"asked too long ago", map[string]string{"CLAUDECODE": "1"}, asked(-11*time.Minute, "ask", "melee"), false, ledger.Agent},
		{"denied", map[string]string{"CLAUDECODE": "1"}, asked(-time.Minute, "halt", "melee"), false, ledger.Agent},
		{"asked for another switch", map[string]string{"CLAUDECODE": "1"}, asked(-time.Minute, "ask", "mode cruise"), false, ledger.Agent},
		{"asked in another session", map[string]string{"CLAUDE_CODE_SESSION_ID": "s9"}, asked(-time.Minute, "ask", "melee"), false, ledger.Agent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPilot(t)
			f := p.launch(sortie.Orders{Autonomy: "nightly"})
			if tt.setup != nil {
				tt.setup(p, f)
			}
			maps.Copy(p.env, tt.env)
			in, err := p.enter(whole())
			if err != nil {
				t.Fatal(err)
			}
			if in.Swing.Actor != tt.actor || (in.Open == "") != tt.holds || in.Swing.Defers(p.now) != tt.holds {
				t.Errorf("entered %+v, open %q; want it to hold: %v", in.Swing, in.Open, tt.holds)
			}
			want := sortie.Halt
			if tt.holds {
				want = sortie.Deferred
			}
			if filed := p.charge(f, "c1", map[string]int{"outward": 3}); filed.Verdict != want {
				t.Errorf("inside: %s, want %s", filed.Verdict, want)
			}
		})
	}
}

func TestReadingCommands(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are a Bourne shell's")
	}
	p := newPilot(t)
	p.launch(sortie.Orders{})
	site := filepath.Join(p.home.Root, "site")
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(site, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n")
	e := whole()
	e.State, e.StateCmd = nil, "cat site; echo seen >&2"
	in, err := p.enter(e)
	if err != nil {
		t.Fatal(err)
	}
	if in.Swing.Reading != "before" || in.Swing.State != "before" {
		t.Errorf("swing = %+v, want the reading", in.Swing)
	}
	write("after\n")
	g, err := p.leave()
	if err != nil || g.Before != "before" || g.After != "after" {
		t.Errorf("gate: before %q, after %q, %v", g.Before, g.After, err)
	}
	// What is left running doesn't hold the swing up, and what runs on is ended.
	e.StateCmd = "echo now; sleep 30 & "
	if _, err := p.enter(e); err != nil {
		t.Errorf("a command that leaves something running: %v", err)
	}
	if _, err := p.leave(); err != nil {
		t.Fatal(err)
	}
	// Long output is cut, in whole runes.
	e.StateCmd = "i=0; while [ $i -lt 3000 ]; do printf äö; i=$((i+1)); done"
	in, err = p.enter(e)
	if err != nil || len(in.Swing.Reading) > ReadingCap+40 || !strings.Contains(in.Swing.Reading, "[cut, ") {
		t.Errorf("a long reading: %d bytes, %v", len(in.Swing.Reading), err)
	}
}

// Behaviour 32's second half: one of many enters.
func TestOneEnters(t *testing.T) {
	t.Parallel()
	p := newPilot(t)
	f := p.launch(sortie.Orders{})
	var mu sync.Mutex
	in := 0
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			_, err := p.enter(whole())
			mu.Lock()
			defer mu.Unlock()
			var no *sortie.Refusal
			switch {
			case err == nil:
				in++
			case !errors.As(err, &no):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if in != 1 || p.flight(f.ID).Swings != 1 {
		t.Errorf("%d entered, %d swings; want one", in, p.flight(f.ID).Swings)
	}
}
