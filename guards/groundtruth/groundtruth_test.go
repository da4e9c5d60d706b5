//go:build unix

package groundtruth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	value := func(v any) Probe { return func(context.Context) (any, error) { return v, nil } }
	for _, tt := range []struct {
		name   string
		claim  Claim
		reason contract.Reason
	}{
		{"a number", Claim{Probe: value(45), Expect: Count(45)}, ""},
		{"a list counts as its length", Claim{Probe: value([]int{1, 2}), Expect: Count(2)}, ""},
		{"an empty list is none", Claim{Probe: value([]int{}), Expect: Count(0)}, ""},
		{"and nothing", Claim{Probe: value([]int{})}, contract.Empty},
		{"0 as a value is empty", Claim{Probe: value(0)}, contract.Empty},
		{"0 is 0", Claim{Probe: value(0), Expect: Count(0)}, ""},
		{"0 as a text is not", Claim{Probe: value("0")}, ""},
		{"nil", Claim{Probe: value(nil), Expect: NonEmpty()}, contract.Empty},
		{"a nil pointer", Claim{Probe: value((*int)(nil)), Expect: NonEmpty()}, contract.Empty},
		{"bytes", Claim{Probe: value([]byte(" done ")), Expect: Equals("done")}, ""},
		{"a struct as JSON", Claim{Probe: value(map[string]int{"rows": 45}), Expect: Matches(`"rows":45`)}, ""},
		{"an error", Claim{Probe: func(context.Context) (any, error) { return 45, errors.New("gone") }, Expect: Count(45)}, contract.ProbeError},
		{"a panic", Claim{Probe: func(context.Context) (any, error) { panic("x") }, Expect: Count(45)}, contract.ProbeError},
		{"a hang", Claim{Probe: func(context.Context) (any, error) { select {} }, Timeout: 20 * time.Millisecond}, contract.ProbeError},
		{"no probe", Claim{Expect: Count(1)}, contract.NoProbe},
		{"an expectation that is none", Claim{Probe: value(1), Expect: Contains("")}, contract.BadExpect},
		{"below zero", Claim{Probe: value(1), Expect: AtLeast(-1)}, contract.BadExpect},
		{"a command", Claim{Probe: Command(t.TempDir(), "echo 45"), Expect: Count(45)}, ""},
		{"a command that fails", Claim{Probe: Command(t.TempDir(), "echo 45; exit 3"), Expect: Count(45)}, contract.ProbeError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if v := Verify(t.Context(), tt.claim); v.Reason != tt.reason || v.OK != (tt.reason == "") {
				t.Errorf("%+v; want %q", v, tt.reason)
			}
		})
	}
	if met, _ := Gate(t.Context()); met {
		t.Error("a gate that checked nothing passed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if met, got := Gate(ctx, Claim{Probe: value(1)}); met || got[0].Reason != contract.OutOfTime {
		t.Errorf("after the end: %v %+v", met, got)
	}
}

// door runs one payload through the real door.
func door(t *testing.T, dir, payload string, w sortie.World) hook.Outcome {
	t.Helper()
	var out, errs strings.Builder
	got := hook.Door{Guards: []*hook.Guard{&Guard}, In: strings.NewReader(payload), Out: &out, Err: &errs, World: w}.Run(t.Context())
	if errs.Len() > 0 {
		t.Logf("stderr: %s", errs.String())
	}
	return got
}

func world(t *testing.T) (string, sortie.World) {
	t.Helper()
	dir := t.TempDir()
	env := map[string]string{"HOME": filepath.Join(dir, "home"), "XDG_STATE_HOME": filepath.Join(dir, "state")}
	if err := os.MkdirAll(filepath.Join(dir, ".spar", "groundtruth"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir, sortie.World{Now: time.Now, Env: func(n string) string { return env[n] }, Dir: dir, PPID: os.Getpid()}
}

func payload(dir, session, event string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"transcript_path":"/x.jsonl","stop_hook_active":false,"tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"t%d","tool_response":{}}`,
		session, dir, event, time.Now().UnixNano())
}

// Behaviour 31, by many at once: every line that anybody appends while others are
// being taken in is open afterwards, once, and as one contract.
func TestNothingAppendedIsLost(t *testing.T) {
	t.Parallel()
	dir, w := world(t)
	pending := filepath.Join(dir, ".spar", "groundtruth", "pending.jsonl")
	const writers, each = 6, 5
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for j := range each {
				f, err := os.OpenFile(pending, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(f, `{"action":"w%d.%d","probe":"echo 0","expect":{"type":"count","value":1}}`+"\n", i, j)
				f.Close()
				door(t, dir, payload(dir, "s", "PostToolUse"), w)
			}
		})
	}
	wg.Wait()
	door(t, dir, payload(dir, "s", "PostToolUse"), w)
	home := sortie.Home{Dir: filepath.Join(dir, ".spar"), Root: dir, How: "project"}
	var open []contract.Record
	err := home.View(w, func(tx *ledger.Tx) (err error) {
		open, err = contract.All(tx)
		return err
	})
	if err != nil || len(open) != writers*each {
		t.Errorf("%d of %d are open, %v", len(open), writers*each, err)
	}
	left, err := os.ReadDir(filepath.Dir(pending))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Decision 1: with an empty seat a turn is held seven times in a row at most, and
// only while something moves.
func TestHeldUnattended(t *testing.T) {
	t.Parallel()
	dir, w := world(t)
	env := w.Env
	w.Env = func(n string) string {
		if n == "SPAR_AUTONOMY" {
			return "nightly"
		}
		return env(n)
	}
	line := `{"action":"moves","probe":"echo x >> n; wc -l < n","expect":{"type":"count","value":1000}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, ".spar", "groundtruth", "pending.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	held := 0
	for i := range 12 {
		p := payload(dir, "s", "Stop")
		if i > 0 {
			p = strings.Replace(p, `"stop_hook_active":false`, `"stop_hook_active":true`, 1)
		}
		got := door(t, dir, p, w)
		if got.Answer.Decision != harness.Deny {
			if !strings.Contains(got.Answer.Person, "was let go") {
				t.Errorf("let go in silence: %+v", got.Answer)
			}
			break
		}
		held++
	}
	if held != holdsUnattended {
		t.Errorf("held %d times", held)
	}
}

// Behaviour 39: what a process that was killed had moved aside is not lost.
func TestKilledWhileTakingIn(t *testing.T) {
	t.Parallel()
	dir, w := world(t)
	line := `{"action":"was moved","probe":"echo 0","expect":{"type":"count","value":1}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, ".spar", "groundtruth", "pending.jsonl.taking-dead"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	got := door(t, dir, payload(dir, "s", "Stop"), w)
	if got.Answer.Decision != harness.Deny || !strings.Contains(got.Answer.Reason, "was moved") {
		t.Errorf("%+v", got.Answer)
	}
}

// Two harness entries fire the same stop at once: each check is filed once.
func TestTwoStopsAtOnce(t *testing.T) {
	t.Parallel()
	dir, w := world(t)
	line := `{"action":"met","probe":"sleep 0.2; echo 1","expect":{"type":"count","value":1}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, ".spar", "groundtruth", "pending.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	door(t, dir, payload(dir, "s", "PostToolUse"), w)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if got := door(t, dir, payload(dir, "s", "Stop"), w); got.Answer.Decision != harness.Silent {
				t.Errorf("%+v", got.Answer)
			}
		})
	}
	wg.Wait()
	n := 0
	home := sortie.Home{Dir: filepath.Join(dir, ".spar"), Root: dir, How: "project"}
	err := home.View(w, func(tx *ledger.Tx) error {
		for f, err := range tx.Find(ledger.Query{Source: guardName, Phase: ledger.Claim}) {
			if err != nil {
				return err
			}
			n++
			_ = f
		}
		return nil
	})
	if err != nil || n != 1 {
		t.Errorf("%d findings, %v", n, err)
	}
}
