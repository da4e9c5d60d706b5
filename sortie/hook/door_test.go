package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
)

// cockpit is a home, a world and a door in front of them.
type cockpit struct {
	t    testing.TB
	dir  string
	env  map[string]string
	now  time.Time
	list []*Guard
}

func newCockpit(t testing.TB, list ...*Guard) *cockpit {
	dir := t.TempDir()
	return &cockpit{t: t, dir: dir, list: list, now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), env: map[string]string{
		"HOME": filepath.Join(dir, "home"), "XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"),
	}}
}

func (c *cockpit) home() string { return filepath.Join(c.dir, "project", ".spar") }

func (c *cockpit) world() sortie.World {
	return sortie.World{Now: func() time.Time { return c.now }, Env: func(k string) string { return c.env[k] }, Dir: c.dir, PPID: os.Getpid()}
}

// hook hands one payload in and gives back what came out.
func (c *cockpit) hook(payload string) (stdout, stderr string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.home()), 0o700); err != nil {
		c.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	d := Door{Guards: c.list, In: strings.NewReader(payload), Out: &out, Err: &errs, World: c.world(), HomeFlag: c.home()}
	d.Run(context.Background())
	return out.String(), errs.String()
}

// call is a payload of a session; extra are fields of the object.
func call(event, extra string) string {
	if extra != "" {
		extra = "," + extra
	}
	return fmt.Sprintf(`{"session_id":"s1","hook_event_name":%q,"cwd":"/nowhere"%s}`, event, extra)
}

func shell(event, id, command string) string {
	return call(event, fmt.Sprintf(`"tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":%q}`, id, command))
}

func (c *cockpit) findings(q ledger.Query) []*ledger.Finding {
	c.t.Helper()
	var all []*ledger.Finding
	err := ledger.Walk(c.home(), ledger.Options{ReadOnly: true, Now: c.world().Now}, q, func(f *ledger.Finding) error {
		all = append(all, f)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// charger charges every command that says `charge`.
func charger() *Guard {
	charged := func(p *Pass) bool { return strings.Contains(p.Call.Command, "charge") }
	return &Guard{
		Name: "charger", Default: true, Events: []harness.Event{harness.PreTool},
		Inspect: func(_ context.Context, p *Pass) (Opinion, error) {
			if !charged(p) {
				return Opinion{}, nil
			}
			filed, err := p.Report(sortie.Report{
				Source: "charger", Phase: ledger.Pre, Actor: ledger.Agent, Subject: p.Call.Command,
				Charge: map[string]int{"outward": 3},
				Grade:  func(total int) ledger.Severity { return ledger.Stop },
			})
			if err != nil {
				return Opinion{}, err
			}
			text := fmt.Sprintf("charger: %d", filed.Total)
			switch filed.Verdict {
			case sortie.Advise:
				return Opinion{harness.Answer{Context: text}}, nil
			case sortie.Halt:
				return Opinion{harness.Answer{Decision: harness.Deny, Reason: text}}, nil
			}
			return Opinion{}, nil
		},
		Exposed: func(p *Pass) (string, bool) { return "outward +3", charged(p) },
	}
}

func TestSilenceAndAdvice(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	if out, errs := c.hook(shell("PreToolUse", "c1", "ls")); out != "" || errs != "" {
		t.Errorf("a free call: %q, %q", out, errs)
	}
	out, errs := c.hook(shell("PreToolUse", "c2", "charge it"))
	var doc struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || errs != "" {
		t.Fatalf("%q, %q: %v", out, errs, err)
	}
	if doc.Specific.Context != "charger: 3" || doc.Specific.Event != "PreToolUse" {
		t.Errorf("got %+v", doc)
	}
	// The same call again: the same answer, one charge.
	if again, _ := c.hook(shell("PreToolUse", "c2", "charge it")); again != out {
		t.Errorf("second delivery: %q, want %q", again, out)
	}
	if n := len(c.findings(ledger.Query{Source: "charger"})); n != 1 {
		t.Errorf("%d findings, want 1", n)
	}
}

func TestEmptySeatIsDenied(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	c.env["SPAR_AUTONOMY"] = "nightly"
	out, _ := c.hook(shell("PreToolUse", "c1", "charge"))
	if !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("got %q", out)
	}
	// It was denied and ran all the same: only the event after it can tell.
	if out, errs := c.hook(shell("PostToolUse", "c1", "charge")); out != "" || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
	found := c.findings(ledger.Query{Source: "spar", Phase: ledger.Post})
	if len(found) != 1 || !strings.HasPrefix(found[0].Note, "denied-but-ran") {
		t.Fatalf("findings: %+v", found)
	}
	c.hook(shell("PostToolUse", "c1", "charge"))
	if n := len(c.findings(ledger.Query{Source: "spar", Phase: ledger.Post})); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// A payload nobody can judge costs nothing: silence and one line.
func TestUnreadablePayloads(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{
		"", "null", "[]", `"x"`, "7", "true", "{", `{"hook_event_name":`, "{}", "\x00", "not json", `{"a":}`,
		`{"session_id":1,"hook_event_name":2,"cwd":3,"tool_name":4,"tool_input":5,"tool_use_id":6}`,
		`{"hook_event_name":"PreToolUse","session_id":[],"cwd":{},"tool_name":true,"tool_input":"x","tool_use_id":1.5}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":{"a":1}}}`,
		`{"hook_event_name":"Nonsense","session_id":"s"}`,
	} {
		c := newCockpit(t, charger())
		out, errs := c.hook(payload)
		if out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "spar hook: ") {
			if payload == `{"hook_event_name":"Nonsense","session_id":"s"}` && out == "" {
				continue // an event of tomorrow is no fault
			}
			t.Errorf("%q: stdout %q, stderr %q", payload, out, errs)
		}
	}
}

// A ledger that can't be read costs an attended session nothing but a line; with
// nobody in the seat the call that would be charged is stopped.
func TestDarkGauge(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	if err := os.MkdirAll(c.home(), 0o700); err != nil {
		t.Fatal(err)
	}
	garbage := bytes.Repeat([]byte("not a database "), 4096)
	path := filepath.Join(c.home(), ledger.FileName)
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs := c.hook(shell("PreToolUse", "c1", "charge"))
	if out != "" || !strings.Contains(errs, ledger.FileName) || strings.Count(errs, "\n") != 1 {
		t.Errorf("attended: %q, %q", out, errs)
	}
	c.env["SPAR_AUTONOMY"] = "nightly"
	out, errs = c.hook(shell("PreToolUse", "c2", "charge"))
	if !strings.Contains(out, `"deny"`) || !strings.Contains(out, "outward +3") || strings.Contains(out, "?") || !strings.Contains(errs, ledger.FileName) {
		t.Errorf("unattended: %q, %q", out, errs)
	}
	if out, _ := c.hook(shell("PreToolUse", "c3", "ls")); out != "" {
		t.Errorf("unattended, free: %q", out)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, garbage) {
		t.Errorf("the damaged file was touched: %v", err)
	}
}

func TestFaultsOfGuards(t *testing.T) {
	t.Parallel()
	bad := func(name string, inspect func(context.Context, *Pass) (Opinion, error)) *Guard {
		return &Guard{Name: name, Default: true, Events: []harness.Event{harness.PreTool}, Inspect: inspect}
	}
	c := newCockpit(t,
		bad("panics", func(context.Context, *Pass) (Opinion, error) { panic("oh no") }),
		bad("fails", func(context.Context, *Pass) (Opinion, error) { return Opinion{}, errors.New("no luck") }),
		charger(),
	)
	out, errs := c.hook(shell("PreToolUse", "c1", "charge"))
	if !strings.Contains(out, "charger: 3") {
		t.Errorf("the guard after them was not heard: %q", out)
	}
	if !strings.Contains(errs, "panics: internal fault") || !strings.Contains(errs, "fails: no luck") {
		t.Errorf("stderr %q", errs)
	}
	log, err := os.ReadFile(filepath.Join(c.home(), "hook-errors.log"))
	if err != nil || strings.Count(string(log), "\n") != 2 {
		t.Errorf("log %q, %v", log, err)
	}
}

func TestGuardThatRunsOver(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	c := newCockpit(t, charger(), &Guard{Name: "slow", Default: true, Events: []harness.Event{harness.PreTool},
		Inspect: func(context.Context, *Pass) (Opinion, error) { <-stuck; return Opinion{}, nil }})
	var out, errs bytes.Buffer
	if err := os.MkdirAll(filepath.Dir(c.home()), 0o700); err != nil {
		t.Fatal(err)
	}
	d := Door{Guards: c.list, In: strings.NewReader(shell("PreToolUse", "c1", "charge")), Out: &out, Err: &errs, World: c.world(),
		HomeFlag: c.home(), Limit: 200 * time.Millisecond}
	d.Run(context.Background())
	if !strings.Contains(out.String(), "charger: 3") || !strings.Contains(errs.String(), "slow: ran over") {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
	found := c.findings(ledger.Query{Source: "spar", Severity: ledger.Warn})
	if len(found) != 1 || found[0].Subject != "guard slow" {
		t.Errorf("findings %+v", found)
	}
}

func TestFuelAndBingo(t *testing.T) {
	t.Parallel()
	c := newCockpit(t)
	c.env["SPAR_BUDGET"] = "10"
	var told []int
	for i := 1; i <= 17; i++ {
		out, errs := c.hook(shell("PostToolUse", fmt.Sprint("c", i), "ls"))
		if errs != "" {
			t.Fatal(errs)
		}
		if strings.Contains(out, "bingo") {
			told = append(told, i)
		}
	}
	if fmt.Sprint(told) != "[7 12 17]" {
		t.Errorf("told at %v, want at 7 of 10 and every five after", told)
	}
}

func TestWingmenAndLanding(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	c.hook(call("SessionStart", `"source":"startup"`))
	var wait sync.WaitGroup
	for i := range 3 {
		wait.Go(func() { c.hook(call("SubagentStart", fmt.Sprintf(`"agent_id":"a%d","agent_type":"Explore"`, i))) })
	}
	wait.Wait()
	c.hook(call("SubagentStart", `"agent_id":"a1"`)) // delivered twice
	sent := map[string]bool{}
	for _, f := range c.findings(ledger.Query{Phase: ledger.Brief, Source: "spar"}) {
		if f.Subject == "wingman" {
			sent[string(f.Observed)] = true
		}
	}
	if len(sent) != 3 {
		t.Errorf("wingmen %v, want three different counts", sent)
	}

	// One wingman's call came by, another's never did.
	c.hook(call("PreToolUse", `"agent_id":"a0","tool_name":"Bash","tool_use_id":"w","tool_input":{"command":"ls"}`))
	c.hook(call("SubagentStop", `"agent_id":"a0"`))
	c.hook(call("SubagentStop", `"agent_id":"a2"`))
	c.hook(call("SubagentStop", `"agent_id":"a2"`))
	unseen := c.findings(ledger.Query{Phase: ledger.Post, Source: "spar"})
	if len(unseen) != 1 || unseen[0].Subject != "subagent-unseen" || !strings.Contains(string(unseen[0].Observed), `"a2"`) {
		t.Errorf("unseen %+v", unseen)
	}

	c.hook(call("SessionEnd", `"reason":"clear"`))
	if n := len(c.findings(ledger.Query{Phase: ledger.Post})); n != 1 {
		t.Errorf("clear landed the sortie")
	}
	c.hook(call("Stop", ""))
	c.hook(call("SessionEnd", `"reason":"other"`))
	landings := 0
	for _, f := range c.findings(ledger.Query{Phase: ledger.Post}) {
		if f.Subject == "sortie" {
			landings++
		}
	}
	if landings != 1 {
		t.Errorf("%d landings, want 1", landings)
	}
}

// What only tells of the past reopens no landed sortie; a session that goes on
// does.
func TestAfterLanding(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	c.hook(shell("PreToolUse", "c1", "charge"))
	c.hook(call("SessionEnd", `"reason":"other"`))
	aloft := func() int {
		n := 0
		for range flights(t, c) {
			n++
		}
		return n
	}
	if n := aloft(); n != 0 {
		t.Fatalf("%d sorties aloft after landing", n)
	}
	c.hook(shell("PostToolUse", "c1", "charge"))
	c.hook(call("Stop", ""))
	if n := aloft(); n != 0 {
		t.Errorf("an event about the past put %d sorties in the air", n)
	}
	if out, _ := c.hook(shell("PreToolUse", "c2", "charge")); !strings.Contains(out, "charger: 6") {
		t.Errorf("the session goes on, its count too: %q", out)
	}
}

func flights(t *testing.T, c *cockpit) []sortie.Flight {
	t.Helper()
	var up []sortie.Flight
	err := sortie.Home{Dir: c.home()}.View(c.world(), func(tx *ledger.Tx) error {
		for _, raw := range tx.States("sorties", "") {
			var f sortie.Flight
			if err := json.Unmarshal(raw, &f); err != nil {
				return err
			}
			if f.Landed.IsZero() {
				up = append(up, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return up
}

// What a guard may be switched off and on by.
func TestMounting(t *testing.T) {
	t.Parallel()
	off := charger()
	off.Name, off.Default = "extra", false
	c := newCockpit(t, charger(), off)
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func() string {
		m, err := ReadMounting(c.world(), sortie.Home{Dir: c.home()})
		if err != nil {
			t.Log(err)
		}
		var names []string
		for _, g := range m.Of(c.list) {
			names = append(names, g.Name)
		}
		return strings.Join(names, " ")
	}
	if got := names(); got != "charger" {
		t.Errorf("nothing configured: %q", got)
	}
	write(filepath.Join(c.home(), "config.json"), `{"with":["extra"]}`)
	if got := names(); got != "charger extra" {
		t.Errorf("with: %q", got)
	}
	write(filepath.Join(c.env["XDG_CONFIG_HOME"], "spar", "config.json"), `{"without":["charger"]}`)
	if got := names(); got != "extra" {
		t.Errorf("without: %q", got)
	}
	write(filepath.Join(c.env["XDG_CONFIG_HOME"], "spar", "config.json"), `{"without":["charger"`)
	if got := names(); got != "charger extra" {
		t.Errorf("a file that can't be read switched a guard off: %q", got)
	}
}

func TestTooLargeWithEmptySeat(t *testing.T) {
	t.Parallel()
	c := newCockpit(t, charger())
	head := `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"`
	for _, autonomy := range []string{"", "nightly"} {
		c.env["SPAR_AUTONOMY"] = autonomy
		var out, errs bytes.Buffer
		d := Door{Guards: c.list, In: io.MultiReader(strings.NewReader(head), zeros{}), Out: &out, Err: &errs, World: c.world(), HomeFlag: c.home(), Cap: 1 << 20}
		d.Run(context.Background())
		if denied := strings.Contains(out.String(), `"deny"`); denied != (autonomy != "") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("autonomy %q: stdout %q, stderr %q", autonomy, out.String(), errs.String())
		}
	}
}
