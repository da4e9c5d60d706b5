//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/ledger"
)

// The benchmarks time whole processes, from start to exit, because that is what a
// person feels on every tool call of an agent:
//
//	go test -run '^$' -bench Door -benchtime 1x ./cmd/spar
//
// Milliseconds move with the machine, so two programs are timed in pairs: both
// run in every round, in shuffled order, and what counts is the median of the
// rounds' ratios. The yardsticks are testdata/bench/read (a free call) and
// testdata/bench/file (a charged one). Repeated, a ratio stays within 0.03 on an
// idle machine; on a busy one compare nothing.
//
// Each case reports ratio beside its budget; a ratio below it is inside.

// rounds is the number of pairs; below 150 the median still wanders.
const rounds = 200

// fleet is the set of programs that a benchmark starts: copies, because a file
// the linker has just written starts slower than its own copy.
type fleet struct {
	dir              string
	spar, read, file string
}

func newFleet(b *testing.B) *fleet {
	b.Helper()
	f := &fleet{dir: b.TempDir()}
	for _, p := range []struct {
		name, pkg string
		path      *string
	}{
		{"spar", "./cmd/spar", &f.spar}, {"read", "./testdata/bench/read", &f.read}, {"file", "./testdata/bench/file", &f.file},
	} {
		built := filepath.Join(f.dir, p.name+".built")
		cmd := exec.Command("go", "build", "-trimpath", "-o", built, p.pkg)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("building %s: %v\n%s", p.pkg, err, out)
		}
		data, err := os.ReadFile(built)
		if err != nil {
			b.Fatal(err)
		}
		*p.path = filepath.Join(f.dir, p.name)
		if err := os.WriteFile(*p.path, data, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	return f
}

// ground is a project with a home of its own and a session that flies.
type ground struct {
	dir string
	env []string
	n   int
}

func (f *fleet) ground(b *testing.B) *ground {
	b.Helper()
	dir := b.TempDir()
	g := &ground{dir: filepath.Join(dir, "project")}
	home := filepath.Join(dir, "home")
	for _, d := range []string{home, filepath.Join(g.dir, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	// Nothing of the machine's own: one variable may cost another program tens of
	// milliseconds, and a real session's would bind this one to its home.
	g.env = []string{"HOME=" + home, "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=/tmp", "XDG_STATE_HOME=" + filepath.Join(home, "state")}
	g.run(b, f.spar, []string{"hook"}, g.payload("SessionStart", ""))
	return g
}

// payload is what the harness would send, with a call id of its own each time.
func (g *ground) payload(event, command string) []byte {
	g.n++
	p := map[string]any{
		"session_id": "bench", "cwd": g.dir, "hook_event_name": event, "permission_mode": "default",
		"transcript_path": filepath.Join(g.dir, "transcript.jsonl"),
	}
	if event == "SessionStart" {
		p["source"] = "startup"
	} else {
		p["tool_name"] = "Bash"
		p["tool_use_id"] = fmt.Sprintf("toolu_%06d", g.n)
		p["tool_input"] = map[string]any{"command": command, "description": "benchmark"}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return raw
}

// run starts a program, waits for its end and returns what it printed.
func (g *ground) run(b *testing.B, path string, args []string, stdin []byte) string {
	b.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, g.env, bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		b.Fatalf("%s %s: %v\n%s", filepath.Base(path), strings.Join(args, " "), err, stderr.Bytes())
	}
	return string(out)
}

// shot starts a program once and says how long its process lived.
type shot func() (time.Duration, error)

// shot starts path with a payload in its standard input. Exit code 1 is fine: a
// score may be past its limit.
func (g *ground) shot(path string, args []string, payload func() []byte) shot {
	argv := append([]string{path}, args...)
	return func() (time.Duration, error) {
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			return 0, err
		}
		defer null.Close()
		r, w, err := os.Pipe()
		if err != nil {
			return 0, err
		}
		defer r.Close()
		// All of it fits into the pipe, so nobody waits for the writer.
		if _, err := w.Write(payload()); err != nil {
			return 0, err
		}
		w.Close()
		start := time.Now()
		p, err := os.StartProcess(path, argv, &os.ProcAttr{Dir: g.dir, Env: g.env, Files: []*os.File{r, null, null}})
		if err != nil {
			return 0, err
		}
		state, err := p.Wait()
		took := time.Since(start)
		if err == nil && state.ExitCode() > 1 {
			err = fmt.Errorf("%s: %v", filepath.Base(path), state)
		}
		return took, err
	}
}

// pair times two programs against each other and reports the ratio's median.
func pair(b *testing.B, budget float64, yard, door shot) {
	b.Helper()
	fire := func(s shot) float64 {
		took, err := s()
		if err != nil {
			b.Fatal(err)
		}
		return took.Seconds() * 1e3
	}
	for range 10 { // page cache, branch predictors, the disk's mood
		fire(yard)
		fire(door)
	}
	var ratios, ys, ds []float64
	for b.Loop() {
		for range rounds {
			var y, d float64
			if rand.IntN(2) == 0 {
				y, d = fire(yard), fire(door)
			} else {
				d, y = fire(door), fire(yard)
			}
			ratios, ys, ds = append(ratios, d/y), append(ys, y), append(ds, d)
		}
	}
	b.ReportMetric(0, "ns/op") // of no meaning here
	b.ReportMetric(quantile(ratios, 0.5), "ratio")
	b.ReportMetric(budget, "budget")
	b.ReportMetric(quantile(ys, 0.5), "yard-ms")
	b.ReportMetric(quantile(ds, 0.5), "door-ms")
}

func quantile(v []float64, q float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[min(len(v)-1, int(q*float64(len(v))))]
}

// The payloads of the budget. The long ones are 5 kB, the size of a file that an
// agent writes through a shell or of a script it has thought about.
var (
	smallCommand = "go test ./internal/coupon/... 2>&1 | tail -n 40"
	heredoc      = "cat > docs/notes.md <<'EOF'\n" + strings.Repeat("Coupons are rounded once, at the end, half away from zero.\n", 84) + "EOF\n"
	denseScript  = strings.Repeat("for f in src/*.go; do if [ -f \"$f\" ]; then n=$(wc -l <\"$f\"); echo \"$f: ${n:-0}\" | grep -v '^#'; fi; done\n", 46)
)

// BenchmarkDoor is the price list of the hook.
func BenchmarkDoor(b *testing.B) {
	f := newFleet(b)
	b.Run("yardstick-against-itself", func(b *testing.B) {
		g := f.ground(b)
		p := func() []byte { return g.payload("PreToolUse", smallCommand) }
		pair(b, 1, g.shot(f.read, nil, p), g.shot(f.read, nil, p))
	})
	for _, c := range []struct {
		name, command string
		budget        float64
	}{
		{"free-small", smallCommand, 1.30},
		{"free-heredoc-5kB", heredoc, 1.35},
		{"free-dense-5kB", denseScript, 1.60},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := f.ground(b)
			if out := g.run(b, f.spar, []string{"hook"}, g.payload("PreToolUse", c.command)); out != "" {
				b.Fatalf("the call isn't free: %s", out)
			}
			p := func() []byte { return g.payload("PreToolUse", c.command) }
			pair(b, c.budget, g.shot(f.read, nil, p), g.shot(f.spar, []string{"hook"}, p))
		})
	}
	b.Run("charged", func(b *testing.B) {
		g := f.ground(b)
		charged(b, f, g)
		p := func() []byte { return g.payload("PreToolUse", "git push origin main") }
		pair(b, 1.45, g.shot(f.file, []string{filepath.Join(g.dir, "lines")}, p), g.shot(f.spar, []string{"hook"}, p))
	})
}

// charged fails unless a push is charged here, or a benchmark would time silence.
func charged(b *testing.B, f *fleet, g *ground) {
	b.Helper()
	if out := g.run(b, f.spar, []string{"hook"}, g.payload("PreToolUse", "git push origin main")); !strings.Contains(out, "outward +3") {
		b.Fatalf("a push is not charged: %q", out)
	}
}

// BenchmarkDoorGrowth compares a ledger of 1 000 findings with one of 1 000 000:
// what a call costs must not know how much was ever filed.
func BenchmarkDoorGrowth(b *testing.B) {
	f := newFleet(b)
	small, large := f.ground(b), f.ground(b)
	fill(b, small, 1_000)
	fill(b, large, 1_000_000)
	for _, c := range []struct {
		name, command string
		args          []string
	}{
		{"free", smallCommand, []string{"hook"}},
		{"charged", "git push origin main", []string{"hook"}},
		{"score", "", []string{"redline", "score"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			shots := make([]shot, 2)
			for i, g := range []*ground{small, large} {
				shots[i] = g.shot(f.spar, c.args, func() []byte { return g.payload("PreToolUse", c.command) })
			}
			pair(b, 1.15, shots[0], shots[1])
		})
	}
}

// fill files n findings of older sorties, a thousand each.
func fill(b *testing.B, g *ground, n int) {
	b.Helper()
	l, err := ledger.Open(filepath.Join(g.dir, ".spar"), ledger.Options{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	const batch = 10_000
	for done := 0; done < n; {
		err := l.Update(func(tx *ledger.Tx) error {
			for range min(batch, n-done) {
				done++
				err := tx.Append(&ledger.Finding{
					Phase: ledger.Pre, Source: "redline", Severity: ledger.Stop, Mode: ledger.Strike, Actor: ledger.Agent,
					Sortie: fmt.Sprintf("older-%06d", done/1000), Session: "older", Call: fmt.Sprintf("older-%07d", done),
					Subject:  "git push origin main",
					Observed: json.RawMessage(`{"kinds":{"outward":3},"points":3,"total":3}`),
					Outcome:  "advise",
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDoorCrush starts 32 charged calls at once on one home, as a harness
// does that runs its hooks in parallel, beside 32 of the yardstick.
func BenchmarkDoorCrush(b *testing.B) {
	const crowd, crushes = 32, 10
	f := newFleet(b)
	g := f.ground(b)
	charged(b, f, g)
	yard := []string{filepath.Join(g.dir, "lines")}
	var ratios, ys, ds []float64
	calls := 1
	for b.Loop() {
		for range crushes {
			y := crush(b, f.file, yard, g, crowd)
			d := crush(b, f.spar, []string{"hook"}, g, crowd)
			calls += crowd
			ratios = append(ratios, quantile(d, 0.99)/quantile(y, 0.99))
			ys, ds = append(ys, y...), append(ds, d...)
		}
	}
	// Nothing may be lost, whatever it cost.
	l, err := ledger.Open(filepath.Join(g.dir, ".spar"), ledger.Options{ReadOnly: true, Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	err = l.View(func(tx *ledger.Tx) error {
		found, points := 0, 0
		for finding, err := range tx.Find(ledger.Query{Source: "redline"}) {
			if err != nil {
				return err
			}
			c, _ := finding.ChargeOf()
			found, points = found+1, points+c.Points
			if c.Total != points {
				return fmt.Errorf("finding %d says total %d, the sum is %d", finding.Seq, c.Total, points)
			}
		}
		if found != calls {
			return fmt.Errorf("%d findings of %d calls", found, calls)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(quantile(ratios, 0.5), "p99-ratio")
	b.ReportMetric(2, "budget")
	b.ReportMetric(quantile(ys, 0.99), "yard-p99-ms")
	b.ReportMetric(quantile(ds, 0.5), "door-p50-ms")
	b.ReportMetric(quantile(ds, 0.99), "door-p99-ms")
}

// crush starts n processes at once and returns how long each lived, in ms.
func crush(b *testing.B, path string, args []string, g *ground, n int) []float64 {
	b.Helper()
	payloads := make([][]byte, n)
	for i := range payloads {
		payloads[i] = g.payload("PreToolUse", "git push origin main")
	}
	took, errs := make([]float64, n), make([]error, n)
	gate := make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		fire := g.shot(path, args, func() []byte { return payloads[i] })
		done.Go(func() {
			<-gate
			lived, err := fire()
			took[i], errs[i] = lived.Seconds()*1e3, err
		})
	}
	close(gate)
	done.Wait()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	return took
}
