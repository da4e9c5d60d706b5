package contract

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"spar/ledger/redact"
	"spar/sortie"
)

// Bounds of a run.
const (
	// ProbeLimit and RunLimit are the defaults for one probe and for all of a run.
	ProbeLimit = 20 * time.Second
	RunLimit   = 45 * time.Second
	// OutputCap is how much a probe may print, in bytes; more is a failure, never a
	// match on a part. ComplaintCap is how much of its stderr is kept.
	OutputCap    = 1 << 20
	ComplaintCap = 64 << 10
	// linger is how long pipes may stay open after the probe ended or was ended.
	linger = 500 * time.Millisecond
)

// ProbeVariable is set for probes. A hook that finds it runs no probes: one that
// started an agent would otherwise start itself.
const ProbeVariable = "SPAR_PROBE"

// Limits are the bounds that the environment asks for, in milliseconds; what is
// no positive number means the default.
func Limits(env func(string) string) (probe, run time.Duration) {
	get := func(other time.Duration, names ...string) time.Duration {
		for _, n := range names {
			ms, err := strconv.Atoi(env(n))
			if err == nil && ms > 0 && ms <= int(time.Hour/time.Millisecond) {
				return time.Duration(ms) * time.Millisecond
			}
		}
		return other
	}
	return get(ProbeLimit, "SPAR_PROBE_TIMEOUT_MS", "GROUNDTRUTH_PROBE_TIMEOUT_MS"),
		get(RunLimit, "SPAR_PROBE_TOTAL_TIMEOUT_MS", "GROUNDTRUTH_PROBE_TOTAL_TIMEOUT_MS", "SPAR_TOTAL_TIMEOUT_MS", "GROUNDTRUTH_TOTAL_TIMEOUT_MS")
}

// Runner runs probes. Dir and Now are required.
type Runner struct {
	Dir     string // the session's root, absolute
	Now     func() time.Time
	Timeout time.Duration // of one probe; ProbeLimit where 0
	Total   time.Duration // of a run; RunLimit where 0
	// Workers is how many probes run at once; 1 where 0.
	Workers int
	// Refuse says why a probe must not be run, "" where it may. nil: all may.
	Refuse func(c *Contract) string
}

// Verdict is what came of one contract.
type Verdict struct {
	Contract Contract
	Met      bool
	Reason   Reason // "" where met
	Detail   string // one line, redacted
	// Output is what the probe printed, trimmed, not redacted: it is for comparing.
	// Read is set where the probe could be read at all.
	Output string
	Read   bool
	Shell  string // what ran it: "sh", "cmd", or "" for argv
	Took   time.Duration
}

// Evidence is what the probe returned, as it is shown; "" for nothing.
func (v *Verdict) Evidence() string { return Evidence(v.Output) }

// Hash is of the reading: two are the same where nothing that the probe shows has
// changed.
func (v *Verdict) Hash() string { return key([]byte(string(v.Reason) + "\x00" + v.Output)) }

// Run checks contracts, in their order, within the total. One that could not be
// started any more is OutOfTime: unmet, never skipped.
func (r Runner) Run(ctx context.Context, list []Contract) []Verdict {
	out := make([]Verdict, len(list))
	total := r.Total
	if total <= 0 {
		total = RunLimit
	}
	until := r.Now().Add(total)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(max(1, r.Workers), len(list)) {
		wg.Go(func() {
			for i := range next {
				out[i] = r.within(ctx, list[i], until.Sub(r.Now()))
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

func (r Runner) within(ctx context.Context, c Contract, left time.Duration) Verdict {
	if left <= 0 || ctx.Err() != nil {
		return Verdict{Contract: c, Reason: OutOfTime, Detail: "the time of the whole run was used up before this probe could start"}
	}
	if r.Timeout <= 0 {
		r.Timeout = ProbeLimit
	}
	if c.Timeout > 0 {
		r.Timeout = c.Timeout
	}
	r.Timeout = min(r.Timeout, left)
	return r.one(ctx, c)
}

// One checks one contract.
func (r Runner) One(ctx context.Context, c Contract) Verdict {
	return r.within(ctx, c, RunLimit)
}

func (r Runner) one(ctx context.Context, c Contract) (v Verdict) {
	v.Contract = c
	fail := func(reason Reason, format string, args ...any) Verdict {
		v.Reason, v.Detail = reason, Flat(fmt.Sprintf(format, args...), DetailCap)
		return v
	}
	if r.Refuse != nil {
		if why := r.Refuse(&c); why != "" {
			return fail(BadProbe, "it is not run: %s", why)
		}
	}
	dir, err := r.dir(c.Dir)
	if err != nil {
		return fail(ProbeError, "%v", err)
	}
	began := r.Now()
	p := run(ctx, r.Timeout, c, dir)
	v.Took, v.Shell = r.Now().Sub(began), p.shell
	if p.why != "" {
		return fail(ProbeError, "%s", p.why)
	}
	v.Output, v.Read = Trim(p.out), true
	v.Met, v.Reason, v.Detail = c.Expect.Judge(v.Output)
	return v
}

// dir is where a probe runs. A link must not lead out of the root: a contract
// says what is so here.
func (r Runner) dir(sub string) (string, error) {
	if sub == "" {
		return r.Dir, nil
	}
	full := filepath.Join(r.Dir, sub)
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", fmt.Errorf("cwd %q can't be found below the root", sub)
	}
	root, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return "", fmt.Errorf("the root %s can't be found", r.Dir)
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("cwd %q leads out of the root", sub)
	}
	return real, nil
}

// printed is what a command left.
type printed struct {
	out   string
	why   string // why it is no reading, "" where it is one
	shell string
}

// errFlood ends a probe that prints more than is read.
var errFlood = errors.New("too much output")

func run(ctx context.Context, limit time.Duration, c Contract, dir string) (p printed) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	argv := c.Argv
	if len(argv) == 0 {
		argv, p.shell = shell(c.Probe)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), ProbeVariable+"=1")
	// Without a limit on the pipes a grandchild that holds them keeps Wait for ever.
	cmd.WaitDelay = linger
	sortie.OwnGroup(cmd)
	out := &keeper{limit: OutputCap, over: func() { stop(errFlood) }}
	complaint := &keeper{limit: ComplaintCap}
	cmd.Stdout, cmd.Stderr = out, complaint
	if err := cmd.Start(); err != nil {
		p.why = "it could not be started: " + err.Error()
		return p
	}
	err := cmd.Wait()
	if runtime.GOOS != "windows" {
		// What it left running in its group ends with it, whether or not it holds the
		// pipes. On Windows the tree of a process that is gone can't be found any more.
		_ = sortie.SignalGroup(cmd, killSignal)
	}
	cause, code := context.Cause(ctx), cmd.ProcessState.ExitCode()
	switch {
	case errors.Is(cause, errFlood):
		p.why = fmt.Sprintf("too much output: more than %d bytes", OutputCap)
	case errors.Is(cause, context.DeadlineExceeded):
		p.why = fmt.Sprintf("took longer than %dms", limit.Milliseconds())
	case cause != nil:
		p.why = "it was called off"
	case code < 0:
		p.why = "it was ended by a signal: " + cmd.ProcessState.String()
	case !slices.Contains(c.OKExit, code) && (code != 0 || len(c.OKExit) > 0):
		p.why = fmt.Sprintf("exit %d", code)
		if s := complaint.first(); s != "" {
			p.why += ": " + s
		}
		if code == 1 && len(c.OKExit) == 0 {
			p.why += ` (where 1 is an answer too, as of grep -c, the line says "ok_exit":[0,1])`
		}
	case errors.Is(err, exec.ErrWaitDelay):
		// Whoever holds the pipe may go on printing: this is no whole answer.
		p.why = "it ended and left something running that holds its output open; it was ended"
	}
	p.out = out.text()
	return p
}

// shell is the command that reads a line. Git for Windows brings an sh, which is
// what the harness's own shell tool uses there.
func shell(line string) (argv []string, name string) {
	if runtime.GOOS == "windows" {
		if _, err := exec.LookPath("sh"); err != nil {
			return []string{"cmd", "/d", "/s", "/c", line}, "cmd"
		}
	}
	return []string{"sh", "-c", line}, "sh"
}

// keeper keeps the first bytes, drops the rest and says so once.
type keeper struct {
	mu    sync.Mutex // pipes may still be copied when a probe was given up
	kept  []byte
	limit int
	over  func()
}

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(len(p), k.limit-len(k.kept))
	k.kept = append(k.kept, p[:n]...)
	if n < len(p) && k.over != nil {
		k.over()
		k.over = nil
	}
	return len(p), nil
}

func (k *keeper) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.kept)
}

// first is the first line that says something, redacted.
func (k *keeper) first() string {
	for line := range strings.Lines(redact.Text(k.text())) {
		if !Blank(line) {
			return Trim(line)
		}
	}
	return ""
}
