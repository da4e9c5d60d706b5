//go:build unix

package contract

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func runner(dir string) Runner { return Runner{Dir: dir, Now: time.Now} }

// Probes that are no reading, each by its own reason; none hangs or leaves anybody.
func TestProbes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	count := func(c Contract) Contract {
		c.Expect = must(t, Count, 45)
		return c
	}
	for _, tt := range []struct {
		name   string
		c      Contract
		reason Reason
		detail string
	}{
		{"met", Contract{Probe: "echo 45"}, "", ""},
		{"its exit code (2)", Contract{Probe: "echo 45; exit 5"}, ProbeError, "exit 5"},
		{"no such program (2)", Contract{Probe: "no-such-program-here"}, ProbeError, "exit 127"},
		{"no such program, no shell", Contract{Argv: []string{"no-such-program-here"}}, ProbeError, "could not be started"},
		{"a signal (23)", Contract{Probe: "echo 45; kill -9 $$"}, ProbeError, "ended by a signal"},
		{"a flood (25)", Contract{Probe: "yes 45"}, ProbeError, "too much output"},
		{"nothing", Contract{Probe: "true"}, Empty, "not measured is not zero"},
		{"stderr is no answer", Contract{Probe: "echo 45 >&2"}, Empty, "nothing"},
		{"a million lines of complaint", Contract{Probe: "head -c 300000 /dev/zero | tr '\\0' x >&2; echo 45"}, "", ""},
		{"its input is empty", Contract{Probe: "cat; echo 45"}, "", ""},
		{"it knows that it is one", Contract{Probe: `test "$SPAR_PROBE" = 1 && echo 45`}, "", ""},
		{"a grandchild that holds its output (24)", Contract{Probe: "sleep 60 & echo 45"}, ProbeError, "left something running"},
		{"an exit code that is an answer (38)", Contract{Probe: "echo 45; exit 1", OKExit: []int{0, 1}}, "", ""},
		{"and one that is none", Contract{Probe: "echo 45; exit 2", OKExit: []int{0, 1}}, ProbeError, "exit 2"},
		{"0 where it is not named", Contract{Probe: "echo 45", OKExit: []int{1}}, ProbeError, "exit 0"},
		{"its folder", Contract{Probe: `test "${PWD##*/}" = sub && echo 45`, Dir: "sub"}, "", ""},
		{"a folder that is not there", Contract{Probe: "echo 45", Dir: "none"}, ProbeError, "can't be found"},
		{"a folder elsewhere", Contract{Probe: "echo 45", Dir: "out"}, ProbeError, "leads out of the root"},
		{"words as they are (37)", Contract{Argv: []string{"sh", "-c", `test "$1" = "it's \"\$HOME\" & x" && echo 45`, "-", `it's "$HOME" & x`}}, "", ""},
		{"the limit (17)", Contract{Probe: "sleep 60; echo 45", Timeout: 200 * time.Millisecond}, ProbeError, "took longer than 200ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := runner(dir).One(t.Context(), count(tt.c))
			if v.Reason != tt.reason || v.Met != (tt.reason == "") || !strings.Contains(v.Detail, tt.detail) {
				t.Errorf("met %v, %q: %s; want %q: %s", v.Met, v.Reason, v.Detail, tt.reason, tt.detail)
			}
		})
	}
}

// Behaviours 17, 24: what a probe started ends with it, also where it hides from
// the pipes.
func TestNobodyIsLeft(t *testing.T) {
	t.Parallel()
	for name, probe := range map[string]string{
		"at the limit":    "sleep 300 & echo $! > pid; wait",
		"holding output":  "sleep 300 & echo $! > pid; echo 45",
		"out of the pipe": "sleep 300 >/dev/null 2>&1 & echo $! > pid; echo 45",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			runner(dir).One(t.Context(), Contract{Probe: probe, Timeout: 2 * time.Second})
			raw, err := os.ReadFile(filepath.Join(dir, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
				if err == nil && strings.Contains(string(stat), ") Z ") || syscall.Kill(pid, 0) != nil {
					return // gone, or waiting to be reaped by whoever adopted it
				}
				time.Sleep(20 * time.Millisecond)
			}
			syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("process %d of the probe is still there", pid)
		})
	}
}

// Behaviour 18: who finds no time left is unmet, never skipped. The clock is the
// test's own.
func TestOutOfTime(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	r := Runner{Dir: t.TempDir(), Total: 15 * time.Second, Timeout: 10 * time.Second, Now: func() time.Time {
		now = now.Add(2 * time.Second)
		return now
	}}
	list := make([]Contract, 4)
	for i := range list {
		list[i] = Contract{Probe: "echo 1"}
	}
	got := r.Run(t.Context(), list)
	if !got[0].Met || !got[1].Met || got[3].Reason != OutOfTime {
		t.Errorf("%v %q, %v %q, %v %q", got[0].Met, got[0].Reason, got[1].Met, got[1].Reason, got[3].Met, got[3].Reason)
	}
}

func TestRefusedIsNotRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := runner(dir)
	r.Refuse = func(c *Contract) string { return "it would " + c.Command() }
	v := r.One(t.Context(), Contract{Argv: []string{"touch", "a b"}})
	if v.Reason != BadProbe || !strings.Contains(v.Detail, "it would touch 'a b'") {
		t.Errorf("%q: %s", v.Reason, v.Detail)
	}
	if _, err := os.Stat(filepath.Join(dir, "a b")); err == nil {
		t.Error("it was run")
	}
}

func TestCalledOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	v := runner(t.TempDir()).One(ctx, Contract{Probe: "sleep 60"})
	if v.Met || v.Reason != ProbeError || v.Detail != "it was called off" {
		t.Errorf("%v %q: %s", v.Met, v.Reason, v.Detail)
	}
}

func BenchmarkReadLine(b *testing.B) {
	const line = `{"action":"insert 45 rows","probe":"psql -Atc 'select count(*) from t'","expect":{"type":"count","value":45}}`
	for b.Loop() {
		if l := ReadLine(line); l.Reason != "" {
			b.Fatal(l.Detail)
		}
	}
}
