//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
	"spar/sortie"
)

// A hook killed at any moment loses no finding whose answer was printed, and
// leaves a ledger that opens. Four at a time, so that some die while others wait
// for their turn.
func TestKilledHooks(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("spar") // the test binary under that name, as for scripts
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	home := filepath.Join(dir, ".spar")
	hook := func(id string, patience time.Duration) (answer string) {
		cmd := exec.Command(program, "hook", "--home", home)
		cmd.Env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(fmt.Sprintf(
			`{"session_id":"s1","hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":"git push"}}`, dir, id))
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return ""
		}
		if patience > 0 {
			timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
		}
		_ = cmd.Wait()
		return out.String()
	}
	began := time.Now()
	if hook("first", 0) == "" {
		t.Fatal("a hook that nobody kills says nothing")
	}
	whole := time.Since(began)

	const each, at = 15, 4
	random := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	answered := map[string]bool{"first": true}
	var wait sync.WaitGroup
	for worker := range at {
		var patience [each]time.Duration
		for i := range patience {
			patience[i] = 1 + time.Duration(random.Int64N(int64(whole)*2))
		}
		wait.Go(func() {
			for i, p := range patience {
				id := fmt.Sprintf("c%d-%d", worker, i)
				if hook(id, p) != "" {
					mu.Lock()
					answered[id] = true
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if len(answered) == at*each+1 {
		t.Log("no hook was killed before it had answered; the machine is quick today")
	}

	points, last := 0, 0
	w := sortie.World{Now: time.Now, Env: func(string) string { return "" }, Dir: dir}
	err = sortie.Home{Dir: home}.View(w, func(tx *ledger.Tx) error {
		for f, err := range tx.Find(ledger.Query{Source: "redline"}) {
			if err != nil {
				return err
			}
			delete(answered, f.Call)
			c, ok := f.ChargeOf()
			if !ok {
				return fmt.Errorf("finding %d is no charge: %s", f.Seq, f.Observed)
			}
			points += c.Points
			if c.Total != points {
				t.Errorf("finding %d says %d points in all, they add up to %d", f.Seq, c.Total, points)
			}
			last = c.Total
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range answered {
		t.Errorf("call %s was answered and is not in the ledger", id)
	}
	if last < 3 {
		t.Errorf("the score is %d", last)
	}
	if matches, _ := filepath.Glob(filepath.Join(home, "*.new")); len(matches) > 0 {
		if _, err := os.Stat(filepath.Join(home, ledger.FileName)); err != nil {
			t.Errorf("a half-made ledger %q and no whole one: %v", matches, err)
		}
	}
}
