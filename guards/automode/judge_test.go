package automode

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/guards/automode/judge"
	"spar/guards/automode/policy"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/hook"
)

// flown sends one shell call through a door with the model tier in it.
type flown struct {
	t     *testing.T
	dir   string
	env   map[string]string
	asked []judge.Ask
	say   judge.Outcome
	n     int
}

func newFlown(t *testing.T, say judge.Outcome) *flown {
	t.Helper()
	dir := t.TempDir()
	return &flown{t: t, dir: dir, say: say, env: map[string]string{"HOME": filepath.Join(dir, "home"), "META_API_KEY": "x", "SPAR_HOME": filepath.Join(dir, ".spar")}}
}

func (f *flown) world() sortie.World {
	return sortie.World{Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, f.n, 0, time.UTC) }, Env: func(k string) string { return f.env[k] }, Dir: f.dir}
}

func (f *flown) call(command string) string {
	f.t.Helper()
	f.n++
	in, err := json.Marshal(map[string]any{
		"session_id": "s1", "prompt_id": "p", "cwd": f.dir, "hook_event_name": "PreToolUse", "tool_name": "Bash",
		"tool_use_id": "toolu_" + strings.Repeat("x", f.n), "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	m := Model{Version: "v1", Ask: func(_ context.Context, a judge.Ask) judge.Outcome {
		f.asked = append(f.asked, a)
		return f.say
	}}
	var out, stderr bytes.Buffer
	d := hook.Door{Guards: []*hook.Guard{m.Guard()}, Alone: true, In: bytes.NewReader(in), Out: &out, Err: &stderr, World: f.world(), Harness: "claude", Limit: time.Minute}
	d.Run(f.t.Context())
	if stderr.Len() > 0 {
		f.t.Errorf("%s: %s", command, stderr.String())
	}
	return out.String()
}

func (f *flown) findings() (out []ledger.Finding) {
	f.t.Helper()
	home, err := sortie.FindHome(f.world(), sortie.HomeQuery{Cwd: f.dir})
	if err != nil {
		f.t.Fatal(err)
	}
	err = home.View(f.world(), func(tx *ledger.Tx) error {
		for finding, err := range tx.Find(ledger.Query{}) {
			if err != nil {
				return err
			}
			if finding.Source == "automode" {
				out = append(out, *finding)
			}
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func TestModel(t *testing.T) {
	t.Parallel()
	soft := judge.Outcome{Model: "mock", Note: "blocked by mock", Verdict: judge.Verdict{Decision: judge.Deny, Rule: "History Rewrite", Tier: policy.Soft, Reason: "it forces main"}}
	f := newFlown(t, soft)
	if out := f.call("ls -la"); !strings.Contains(out, `"allow"`) || len(f.asked) != 0 {
		t.Errorf("a read: %s, asked %d times", out, len(f.asked))
	}
	for i, want := range []string{"Denials left: 2", "Denials left: 1", "Denials left: 0", ""} {
		out := f.call("git push -f")
		if want == "" && out != "" || !strings.Contains(out, want) {
			t.Errorf("denial %d: %s", i+1, out)
		}
	}
	if a := f.asked[0]; a.Version != "v1" || a.Session != "s1" || a.Call == "" || a.Frame == nil || a.Frame.Seat != "taken" || a.Frame.Sortie == "" {
		t.Errorf("asked %+v", a)
	}
	got := f.findings()
	if len(got) != 4 {
		t.Fatalf("%d findings, want one for each call that was judged", len(got))
	}
	outcomes := map[string]int{}
	for _, g := range got {
		outcomes[g.Outcome]++
		var seen struct {
			Rule, Tier string
		}
		if err := json.Unmarshal(g.Observed, &seen); err != nil || seen.Rule != "History Rewrite" || seen.Tier != "soft" || g.Severity != ledger.Warn || g.Note != "blocked by mock" {
			t.Errorf("%+v: %s", g, g.Observed)
		}
	}
	if outcomes["refuse-shot"] != 3 || outcomes["ask"] != 1 {
		t.Errorf("%v", outcomes)
	}
}

// The provider nobody chose, without its key, is a tier nobody switched on.
func TestModelOff(t *testing.T) {
	t.Parallel()
	f := newFlown(t, judge.Outcome{Failure: judge.NoKey})
	f.env["META_API_KEY"] = ""
	f.env["SPAR_AUTONOMY"] = "night"
	if out := f.call("git push -f"); out != "" || len(f.asked) != 0 {
		t.Errorf("%s, asked %d times", out, len(f.asked))
	}
}

func TestModelFails(t *testing.T) {
	t.Parallel()
	failed := judge.Outcome{Failure: judge.BadStatus, Note: "the provider answered with status 503"}
	f := newFlown(t, failed)
	if out := f.call("git push -f"); out != "" {
		t.Errorf("with a person there: %s", out)
	}
	f = newFlown(t, failed)
	f.env["SPAR_AUTONOMY"] = "night"
	if out := f.call("git push -f"); !strings.Contains(out, `"deny"`) || !strings.Contains(out, "[Classifier Unavailable] the provider answered with status 503.") {
		t.Errorf("with nobody there: %s", out)
	}
}
