package sortie

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
)

// TestJoin walks the order of joining. Each step is one session event; flies is
// the name a test gives to the sortie, the first time it sees it.
func TestJoin(t *testing.T) {
	t.Parallel()
	type step struct {
		do    string // "start SESSION SOURCE", "late SESSION", "launch [reason]", "land SESSION", "end SESSION", "die PID", "hours N"
		pid   int
		named bool // the harness itself names pid
		env   map[string]string
		flies string // what the session flies after it
		new   bool
		told  string // a part of what is told; "" nothing
		empty string // why the seat is empty
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"a session flies its own", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "start s2 startup", flies: "B", new: true},
			{do: "late s1", flies: "A"},
			{do: "late s2", flies: "B"},
		}},
		{"R073: resume, compact, clear and fork of one id keep the sortie", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "start s1 resume", flies: "A"},
			{do: "start s1 compact", flies: "A"},
			{do: "start s1 clear", flies: "A"},
			{do: "start s1 fork", flies: "A"},
			{do: "start s1 startup", flies: "A"},
		}},
		{"a late join is a join", []step{
			{do: "late s1", flies: "A", new: true},
			{do: "start s1 startup", flies: "A"},
		}},
		{"SPAR_SORTIE before all", []step{
			{do: "launch", flies: "A"},
			{do: "start s1 startup", flies: "A"},
			{do: "start s2 startup", env: map[string]string{"SPAR_SORTIE": "A"}, flies: "A"},
			{do: "land s1"},
			{do: "start s1 startup", flies: "B", new: true},
			{do: "start s2 startup", flies: "C", new: true},
			{do: "start s2 compact", env: map[string]string{"SPAR_SORTIE": "B"}, flies: "B"},
		}},
		{"SPAR_SORTIE that has landed, or that nobody knows", []step{
			{do: "launch", flies: "A"},
			{do: "start s1 startup", flies: "A"},
			{do: "land s1"},
			{do: "start s2 startup", env: map[string]string{"SPAR_SORTIE": "A"}, flies: "B", new: true, told: "has landed"},
			{do: "start s3 startup", env: map[string]string{"SPAR_SORTIE": "rubbish"}, flies: "C", new: true, told: "has never seen"},
		}},
		{"an operator's sortie is joined by sessions that start after it", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "launch", flies: "B"},
			{do: "start s2 startup", flies: "B"},
			{do: "start s3 startup", flies: "B"},
			{do: "late s1", flies: "A"},
			{do: "start s1 compact", flies: "A"},
			{do: "end s2", flies: "B"},
			{do: "start s4 startup", flies: "B"},
		}},
		{"resumed after landing: reopened, count kept", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "end s1"},
			{do: "start s1 resume", flies: "A"},
			{do: "end s1"},
			{do: "late s1", flies: "A"},
		}},
		{"a new start after landing is a new sortie", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "end s1"},
			{do: "start s1 startup", flies: "B", new: true},
		}},
		{"landed by hand: calls that go on fly a new one, a resumption takes up the old", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "land s1"},
			{do: "late s1", flies: "B", new: true},
			{do: "land s1"},
			{do: "start s1 compact", flies: "C", new: true},
			{do: "land s1"},
			{do: "start s1 resume", flies: "C"},
		}},
		{"an operator's landed sortie is not reopened", []step{
			{do: "launch", flies: "A"},
			{do: "start s1 startup", flies: "A"},
			{do: "land s1"},
			{do: "start s1 resume", flies: "B", new: true},
		}},
		{"resumed while an operator's flies: that one", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "end s1"},
			{do: "launch", flies: "B"},
			{do: "start s1 resume", flies: "B"},
		}},
		{"R073: a new id of the same process takes over", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "start s2 startup", pid: 200, flies: "B", new: true},
			{do: "start s3 clear", pid: 100, flies: "A"},
			{do: "start s4 fork", pid: 200, flies: "B"},
			{do: "start s5 compact", pid: 100, flies: "A"},
		}},
		{"a process id that was used before is another process", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "start s2 startup", pid: 200, flies: "B", new: true},
			{do: "die 100"},
			{do: "start s3 clear", pid: 100, flies: "C", new: true, told: "counted from 0"},
		}},
		{"a new id of the same process stays off an operator's sortie", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "launch", flies: "B"},
			{do: "start s2 compact", pid: 100, flies: "A"},
		}},
		{"a new start of the same process is a new session", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "start s2 startup", pid: 100, flies: "B", new: true},
		}},
		{"a new id of an unknown process takes the only one, and says so", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "start s2 fork", flies: "A", told: "taken for the session"},
		}},
		{"but not where a process that is surely another flies it", []step{
			{do: "start s1 startup", pid: 100, named: true, flies: "A", new: true},
			{do: "start s2 fork", pid: 200, named: true, flies: "B", new: true, told: "counted from 0"},
		}},
		{"nor where there are several", []step{
			{do: "start s1 startup", flies: "A", new: true},
			{do: "start s2 startup", flies: "B", new: true},
			{do: "start s3 resume", flies: "C", new: true, told: "counted from 0"},
		}},
		{"nor where nothing is aloft", []step{
			{do: "start s3 compact", flies: "A", new: true, told: "counted from 0"},
		}},
		{"the seat of a session's own sortie is decided at each start", []step{
			{do: "start s1 startup", env: map[string]string{"SPAR_AUTONOMY": " nightly "}, flies: "A", new: true, empty: "nightly"},
			{do: "late s1", flies: "A", empty: "nightly"},
			{do: "start s1 resume", flies: "A"},
			{do: "late s1", env: map[string]string{"SPAR_AUTONOMY": "x"}, flies: "A"},
			{do: "start s1 compact", env: map[string]string{"AIRFRAME_AUTONOMY": "older"}, flies: "A", empty: "older"},
			{do: "start s1 compact", env: map[string]string{"AIRFRAME_AUTONOMY": "older", "SPAR_AUTONOMY": "ours"}, flies: "A", empty: "ours"},
			{do: "start s1 compact", env: map[string]string{"SPAR_AUTONOMY": " \t\n"}, flies: "A"},
			{do: "late s2", env: map[string]string{"SPAR_AUTONOMY": "late"}, flies: "B", new: true, empty: "late"},
		}},
		{"an operator's reason stands, whatever the variable says", []step{
			{do: "launch nightly", flies: "A"},
			{do: "start s1 startup", flies: "A", empty: "nightly"},
			{do: "start s1 resume", flies: "A", empty: "nightly"},
			{do: "start s2 startup", env: map[string]string{"SPAR_AUTONOMY": "mine"}, flies: "A", empty: "nightly"},
		}},
		{"on an operator's attended sortie a session may still leave its seat", []step{
			{do: "launch", flies: "A"},
			{do: "start s1 startup", env: map[string]string{"SPAR_AUTONOMY": "mine"}, flies: "A", empty: "mine"},
			{do: "start s2 startup", flies: "A"},
			{do: "late s1", flies: "A", empty: "mine"},
		}},
		{"a session that vanished is swept by the next start", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "die 100"},
			{do: "start s2 startup", pid: 200, flies: "B", new: true},
			{do: "aloft B"},
			{do: "late s1", flies: "A"}, // it lives after all
		}},
		{"one that is silent for 12 hours too", []step{
			{do: "start s1 startup", pid: 100, flies: "A", new: true},
			{do: "hours 11"},
			{do: "start s2 startup", pid: 200, flies: "B", new: true},
			{do: "aloft A B"},
			{do: "hours 2"},
			{do: "start s3 startup", pid: 300, flies: "C", new: true},
			{do: "aloft B C"},
		}},
		{"what a runner left behind has nobody in its seat", []step{
			{do: "launch nightly", flies: "A"},
			{do: "start s1 startup", flies: "A", empty: "nightly"},
			{do: "runner-lands s1"},
			{do: "late s1", flies: "B", new: true, empty: "nightly"},
			{do: "start s1 resume", flies: "B"},
		}},
		{"what a person landed has", []step{
			{do: "launch nightly", flies: "A"},
			{do: "start s1 startup", flies: "A", empty: "nightly"},
			{do: "land s1"},
			{do: "late s1", flies: "B", new: true},
		}},
		{"an operator's is never swept", []step{
			{do: "launch", flies: "A"},
			{do: "hours 1000"},
			{do: "start s1 startup", flies: "A"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFlyer(t)
			ids := map[string]string{} // name to id
			boots := map[int]int{}
			for i, s := range tt.steps {
				f.now = f.now.Add(time.Second)
				words := strings.Fields(s.do)
				for k, v := range s.env {
					if id, ok := ids[v]; ok {
						v = id
					}
					f.env[k] = v
				}
				if s.pid != 0 {
					f.ps[s.pid] = Process{Start: fmt.Sprint(s.pid, boots[s.pid]), Name: "claude"}
				}
				f.ppid = s.pid
				var leg Leg
				switch words[0] {
				case "start", "late":
					e := Event{Session: words[1], Harness: "claude"}
					if words[0] == "start" {
						e.Source = words[2]
					}
					if s.named {
						e.PID = s.pid
					}
					leg = f.join(e)
				case "launch":
					leg.Flight = f.launch(Orders{Autonomy: strings.Join(words[1:], " ")})
				case "land", "runner-lands":
					leg := f.join(Event{Session: words[1]})
					by := map[string]LandedBy{"land": ByHand, "runner-lands": ByRunner}[words[0]]
					if _, ok := f.land(Leg{Flight: leg.Flight}, LandOptions{By: by}); !ok {
						t.Fatalf("step %d: not landed", i)
					}
				case "end":
					f.land(Leg{Session: words[1]}, LandOptions{Session: true})
				case "die":
					var pid int
					fmt.Sscan(words[1], &pid)
					delete(f.ps, pid)
					boots[pid]++
				case "hours":
					var n int
					fmt.Sscan(words[1], &n)
					f.now = f.now.Add(time.Duration(n) * time.Hour)
				case "aloft":
					var got []string
					f.view(func(tx *ledger.Tx) error {
						flights, err := aloft(tx)
						for _, fl := range flights {
							for name, id := range ids {
								if id == fl.ID {
									got = append(got, name)
								}
							}
						}
						return err
					})
					if want := words[1:]; !slices.Equal(got, want) {
						t.Errorf("step %d: aloft %v, want %v", i, got, want)
					}
				}
				for k := range s.env {
					delete(f.env, k)
				}
				if s.flies == "" || words[0] == "end" {
					continue
				}
				if id, ok := ids[s.flies]; !ok {
					for name, id := range ids {
						if id == leg.Flight.ID {
							t.Fatalf("step %d (%s): flies %s again, want a new one", i, s.do, name)
						}
					}
					ids[s.flies] = leg.Flight.ID
				} else if id != leg.Flight.ID {
					t.Fatalf("step %d (%s): flies %+v, want %s", i, s.do, leg.Flight, s.flies)
				}
				if leg.New != s.new {
					t.Errorf("step %d (%s): new = %v, want %v", i, s.do, leg.New, s.new)
				}
				if got := strings.Join(leg.Told, "\n"); (got == "") != (s.told == "") || !strings.Contains(got, s.told) {
					t.Errorf("step %d (%s): told %q, want %q", i, s.do, got, s.told)
				}
				if words[0] != "launch" && (leg.Seat.Reason != s.empty || leg.Seat.Empty != (s.empty != "")) {
					t.Errorf("step %d (%s): seat %+v, want it empty for %q", i, s.do, leg.Seat, s.empty)
				}
			}
		})
	}
}

func TestBudgetOfSession(t *testing.T) {
	t.Parallel()
	tests := []struct {
		ours, theirs string
		want         int
		told         bool
	}{
		{"10", "", 10, false},
		{"", "20", 20, false},
		{"10", "20", 10, false},
		{"  ", "20", 20, false},
		{"abc", "", 0, true},
		{"-5", "", 0, true},
		{"0", "", 0, true},
		{"1.5", "", 0, true},
		{"1e3", "", 0, true},
		{"99999999999999999999", "", 0, true},
		{"", "", 0, false},
	}
	for _, tt := range tests {
		f := newFlyer(t)
		f.env["SPAR_BUDGET"], f.env["AIRFRAME_BUDGET"] = tt.ours, tt.theirs
		leg := f.join(Event{Session: "s1", Source: "startup"})
		if leg.Flight.Budget != tt.want || (len(leg.Told) > 0) != tt.told {
			t.Errorf("budget %q, %q: %d, told %q; want %d, told %v", tt.ours, tt.theirs, leg.Flight.Budget, leg.Told, tt.want, tt.told)
		}
		if again := f.join(Event{Session: "s1", Source: "compact"}); len(again.Told) > 0 {
			t.Errorf("budget %q: told a second time: %q", tt.ours, again.Told)
		}
	}
	// An operator's budget is the operator's.
	f := newFlyer(t)
	f.launch(Orders{Budget: 7})
	f.env["SPAR_BUDGET"] = "100"
	if leg := f.join(Event{Session: "s1", Source: "startup"}); leg.Flight.Budget != 7 {
		t.Errorf("budget = %d, want the operator's 7", leg.Flight.Budget)
	}
}

func TestCruiseNeverFliesUnattended(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	f.commit(func(b *Book) error {
		_, err := b.SetMode(leg.Flight.ID, ledger.Cruise, ledger.Human)
		return err
	})
	f.env["SPAR_AUTONOMY"] = "nightly"
	leg = f.join(Event{Session: "s1", Source: "resume"})
	if leg.Flight.Mode != ledger.Strike || len(leg.Told) == 0 {
		t.Errorf("mode %s, told %q; want strike, and that said", leg.Flight.Mode, leg.Told)
	}
	b := f.book()
	if _, err := b.SetMode(leg.Flight.ID, ledger.Cruise, ledger.Human); err == nil {
		t.Error("cruise is taken with nobody in the seat")
	}
}

func TestBinding(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	f.env["SPAR_AUTONOMY"], f.env["SPAR_BUDGET"] = "nightly", "9"
	leg := f.join(Event{Session: "s1", Source: "startup"})
	b, ok := ReadBinding(f.world(), "s1")
	if !ok || b.Sortie != leg.Flight.ID || b.Home != f.home.Dir || b.Autonomy != "nightly" || b.Budget != 9 {
		t.Fatalf("binding = %+v, %v", b, ok)
	}
	path := bindingPath(f.world(), "s1")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("binding's file: %v, %v; want 0600", info, err)
	}
	if _, ok := ReadBinding(f.world(), "s2"); ok {
		t.Error("another session has a binding")
	}
	// A landing takes the sortie out and leaves the home.
	f.land(Leg{Flight: leg.Flight}, LandOptions{})
	if _, ok := ReadBinding(f.world(), "s1"); ok {
		t.Error("bound to a sortie that has landed")
	}
	if h, err := FindHome(f.world(), HomeQuery{Session: "s1"}); err != nil || h.Dir != f.home.Dir || h.How != "session" {
		t.Errorf("home = %+v, %v; want the session's", h, err)
	}
	// Cut, foreign or of another session: none.
	for _, text := range []string{"", "{", "null", `{"session":"other","home":"/x","sortie":"y"}`, `[]`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, ok := ReadBinding(f.world(), "s1"); ok {
			t.Errorf("%q is read as %+v", text, b)
		}
	}
	// Where none can be written the session flies all the same.
	f.env["XDG_STATE_HOME"] = filepath.Join(path, "not", "a", "folder")
	if leg := f.join(Event{Session: "s1", Source: "resume"}); leg.Flight.ID == "" {
		t.Error("an unwritable state folder keeps the session from flying")
	}
	f.env["XDG_STATE_HOME"], f.env["HOME"] = "relative", ""
	if leg := f.join(Event{Session: "s1", Source: "resume"}); leg.Flight.ID == "" {
		t.Error("no state folder keeps the session from flying")
	}
}

func TestLateFindings(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	f.report(leg, push("c1"))
	first := leg.Flight.ID
	f.land(Leg{Session: "s1"}, LandOptions{Session: true})

	// What is heard of after the landing reopens nothing and waits.
	late := f.report(leg, Report{Source: "redline", Phase: ledger.Post, Severity: ledger.Stop, Subject: "ran", Observed: map[string]any{"kinds": map[string]int{"outward": 3}, "points": 3}})
	if late.Counted || late.Verdict != Logged {
		t.Errorf("late: %+v, want it logged and not counted", late)
	}
	if f.flight(first).Aloft() {
		t.Error("a late finding reopened its sortie")
	}
	if n := f.points(first); n != 3 {
		t.Errorf("points of the landed sortie = %d, want 3", n)
	}
	// The next sortie has it, as a note, and its count is untouched.
	next := f.launch(Orders{})
	got := f.findings(ledger.Query{Sortie: next.ID})
	if len(got) != 1 || !got[0].Late || got[0].Severity != ledger.Note || got[0].Session != "s1" {
		t.Fatalf("findings of the next sortie: %+v, want one late note", got)
	}
	var seen struct {
		Severity string `json:"severity"`
	}
	if json.Unmarshal(got[0].Observed, &seen) != nil || seen.Severity != "stop" {
		t.Errorf("observed = %s, want what it was", got[0].Observed)
	}
	if n := f.points(next.ID); n != 0 {
		t.Errorf("points of the next sortie = %d, want 0", n)
	}
	// With a next sortie aloft it is filed there at once.
	f.report(leg, Report{Source: "x", Phase: ledger.Post, Severity: ledger.Warn, Subject: "again", Observed: 1})
	if got := f.findings(ledger.Query{Sortie: next.ID}); len(got) != 2 || !got[1].Late {
		t.Errorf("findings of the next sortie: %+v, want a second late one", got)
	}
}

func TestCallsAfterLandingByHand(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	f.report(leg, push("c1"))
	f.land(Leg{Flight: leg.Flight}, LandOptions{})
	got := f.report(leg, push("c2"))
	if !got.Counted || got.Total != 3 || got.Leg.Flight.ID == leg.Flight.ID || got.Finding.Late {
		t.Errorf("a call after the landing: %+v, want it charged to a new sortie", got)
	}
	if n := f.points(leg.Flight.ID); n != 3 {
		t.Errorf("points of the landed sortie = %d, want 3", n)
	}
}

func TestWindowCalls(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	r := push("hash-of-input")
	r.Window = true
	total := func() int { t.Helper(); return f.report(leg, r).Total }
	if got := total(); got != 3 {
		t.Fatalf("first = %d", got)
	}
	f.now = f.now.Add(900 * time.Millisecond)
	if got := total(); got != 3 {
		t.Errorf("within the second = %d, want the same call", got)
	}
	f.now = f.now.Add(200 * time.Millisecond)
	if got := total(); got != 6 {
		t.Errorf("after 1.1 s = %d, want a new call", got)
	}
	if err := os.Remove(f.home.CallMark(leg.Flight.ID, r.Call)); err != nil {
		t.Fatal(err)
	}
	if got := total(); got != 9 {
		t.Errorf("after its end = %d, want a new call", got)
	}
	if got := total(); got != 9 {
		t.Errorf("again at once = %d, want the same call", got)
	}
	// An id of the harness's own is one call for ever.
	r.Window, r.Call = false, "toolu_1"
	total()
	f.now = f.now.Add(time.Hour)
	if got := total(); got != 12 {
		t.Errorf("an hour later = %d, want the same call", got)
	}
	f.land(Leg{Flight: leg.Flight}, LandOptions{})
	if _, err := os.Stat(filepath.Dir(f.home.CallMark(leg.Flight.ID, "x"))); !os.IsNotExist(err) {
		t.Errorf("call marks are left after the landing: %v", err)
	}
}

func TestLandingSummary(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	f.join(Event{Session: "s1", Source: "startup"})
	// Behaviour 20: nothing found, no finding.
	if filed, landed := f.land(Leg{Session: "s1"}, LandOptions{Session: true}); !landed || filed.Finding.Seq != 0 {
		t.Errorf("nothing found: %+v, %v; want landed without a finding", filed, landed)
	}
	leg := f.join(Event{Session: "s1", Source: "resume"})
	f.report(leg, push("c1"))
	f.report(leg, Report{Source: "x", Phase: ledger.Pre, Severity: ledger.Note, Subject: "y", Observed: 1})
	f.commit(func(b *Book) error { return b.Wingman(leg, "a1", "Explore") })
	for range 4 {
		if _, err := f.home.Burn(leg.Flight.ID); err != nil {
			t.Fatal(err)
		}
	}
	fl := f.flight(leg.Flight.ID)
	fl.Swing, fl.Swings = &Swing{ID: NewID(f.now), Action: "deploy", Exit: "rollback", Entered: f.now, For: time.Hour}, 1
	f.commit(func(b *Book) error { return b.PutFlight(fl) })
	filed, landed := f.land(Leg{Session: "s1"}, LandOptions{Session: true})
	if !landed {
		t.Fatal("not landed")
	}
	s, err := SummaryOf(filed.Finding)
	if err != nil {
		t.Fatal(err)
	}
	if s.Findings != 3 || s.Points != 3 || s.Worst != ledger.Stop || s.Spent != 4 || s.Wingmen != 1 || s.Swings != 1 || s.Severity[ledger.Note] != 2 {
		t.Errorf("summary = %+v", s)
	}
	// Behaviour 21.
	if !strings.Contains(filed.Finding.Note, `still committed to "deploy"`) {
		t.Errorf("note = %q, want the open swing named", filed.Finding.Note)
	}
	if _, again := f.land(Leg{Session: "s1"}, LandOptions{Session: true}); again {
		t.Error("landed twice")
	}
}

func TestSweepSaysWhy(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	f.ps[100] = Process{Start: "1", Name: "claude"}
	f.ppid = 100
	leg := f.join(Event{Session: "s1", Source: "startup"})
	sweep := func() []Flight {
		t.Helper()
		b := f.book()
		landed, err := Sweep(b)
		if err != nil {
			t.Fatal(err)
		}
		return landed
	}
	if got := sweep(); len(got) != 0 {
		t.Fatalf("swept %v while it runs", got)
	}
	delete(f.ps, 100)
	if got := sweep(); len(got) != 1 || got[0].ID != leg.Flight.ID || got[0].LandedBy != BySweep {
		t.Fatalf("swept %+v, want the one", got)
	}
	got := f.findings(ledger.Query{Sortie: leg.Flight.ID})
	if len(got) != 1 || !strings.Contains(got[0].Note, "process is gone") {
		t.Errorf("findings = %+v, want a landing that says why", got)
	}
	if got := sweep(); len(got) != 0 {
		t.Errorf("swept twice: %v", got)
	}
	// A home without a ledger has nothing to sweep, and gets none.
	empty := newFlyer(t)
	if _, err := Sweep(empty.book()); err != nil || empty.home.Exists() {
		t.Errorf("sweeping nothing: %v, home made: %v", err, empty.home.Exists())
	}
}

func TestParallelWingmen(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			b := f.home.Open(f.world())
			defer b.Close()
			err := b.Wingman(leg, fmt.Sprint("a", i%6), "Explore") // each is told of twice
			if err == nil {
				err = b.Commit()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var sent []int
	for _, one := range f.findings(ledger.Query{Sortie: leg.Flight.ID}) {
		var seen struct{ Sent int }
		if err := json.Unmarshal(one.Observed, &seen); err != nil || one.Actor != ledger.Wingman || one.Subject != "wingman" || one.Phase != ledger.Brief {
			t.Errorf("finding %+v: %v", one, err)
		}
		sent = append(sent, seen.Sent)
	}
	if !slices.Equal(sent, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("sent = %v, want 1 to 6", sent)
	}
}

// Behaviour 30: records that can't be read are as if they weren't there.
func TestTornState(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	leg := f.join(Event{Session: "s1", Source: "startup"})
	for _, text := range []string{"", "{", "null", "[]", `{"id":7}`, `{"id":"other"}`} {
		f.commit(func(b *Book) error {
			tx, err := b.Tx()
			if err != nil {
				return err
			}
			for _, space := range []string{flightSpace, sessionSpace, aloftSpace} {
				for _, key := range []string{leg.Flight.ID, sessionKey("s1")} {
					if err := tx.PutState(space, key, []byte(text)); err != nil {
						return err
					}
				}
			}
			for _, space := range []string{claimSpace, ideaSpace, lateSpace} {
				if err := tx.PutState(space, lastClaimed, []byte(text)); err != nil {
					return err
				}
			}
			return nil
		})
		next := f.join(Event{Session: "s1", Source: "resume"})
		if !next.New || next.Flight.ID == leg.Flight.ID {
			t.Errorf("%q: flies %+v, want a new sortie", text, next.Flight)
		}
		if got := f.report(next, push("c1")); got.Total != 3 {
			t.Errorf("%q: total %d", text, got.Total)
		}
		if _, err := f.book().BriefLines(); err != nil {
			t.Errorf("%q: brief: %v", text, err)
		}
		f.view(func(tx *ledger.Tx) error { _, _, err := Pick(tx, f.world(), "", false); return err })
		f.land(Leg{Flight: next.Flight}, LandOptions{})
	}
}

// A runner that was killed leaves a sortie that would empty every later session's
// seat. It is swept, but not while a session of it still flies.
func TestSweepOfDeadRunner(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	f.ps[500] = Process{Start: "1", Name: "spar"}
	f.ps[600] = Process{Start: "1", Name: "claude"}
	fl := f.launch(Orders{Autonomy: "nightly", Runner: 500})
	f.ppid = 600
	f.join(Event{Session: "s1", Source: "startup"})
	sweep := func() int {
		t.Helper()
		landed, err := Sweep(f.book())
		if err != nil {
			t.Fatal(err)
		}
		return len(landed)
	}
	if n := sweep(); n != 0 {
		t.Errorf("swept %d under its runner", n)
	}
	delete(f.ps, 500)
	if n := sweep(); n != 0 {
		t.Errorf("swept %d while a session flies it", n)
	}
	delete(f.ps, 600)
	if n := sweep(); n != 1 || f.flight(fl.ID).Aloft() || f.home.EmptySeat() != "" {
		t.Errorf("swept %d, aloft %v, seat %q; want it landed", n, f.flight(fl.ID).Aloft(), f.home.EmptySeat())
	}
	// A session that starts is not drawn into one that is to be swept.
	f.ps[500] = Process{Start: "2", Name: "spar"}
	dead := f.launch(Orders{Autonomy: "nightly", Runner: 500})
	delete(f.ps, 500)
	f.ppid = 700
	if leg := f.join(Event{Session: "s2", Source: "startup"}); leg.Flight.ID == dead.ID || leg.Seat.Empty {
		t.Errorf("flies %+v, seat %+v; want a sortie of its own", leg.Flight, leg.Seat)
	}
	// One that a person launched has no runner and stays.
	f.launch(Orders{Autonomy: "nightly"})
	f.now = f.now.Add(1000 * time.Hour)
	sweep()
	if f.home.EmptySeat() != "nightly" {
		t.Error("swept what a person launched")
	}
}
