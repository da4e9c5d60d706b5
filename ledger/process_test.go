package ledger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary stands in for a hook process: called with role and home in its
// environment it does one thing and says what it did on stdout.
func TestMain(m *testing.M) {
	switch role := os.Getenv("LEDGER_TEST_ROLE"); role {
	case "":
		os.Exit(m.Run())
	case "one":
		one(os.Getenv("LEDGER_TEST_HOME"))
	case "many":
		many(os.Getenv("LEDGER_TEST_HOME"))
	case "full":
		fill(os.Getenv("LEDGER_TEST_HOME"))
	case "hold":
		hold(os.Getenv("LEDGER_TEST_HOME"))
	default:
		fmt.Fprintln(os.Stderr, "unknown role", role)
		os.Exit(2)
	}
}

func child(role, home string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "LEDGER_TEST_ROLE="+role, "LEDGER_TEST_HOME="+home, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// one files one finding, as a hook does, and prints its number and the total.
func one(home string) {
	l, err := Open(home, Options{Now: time.Now, Wait: time.Minute})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	f := charge("s", 1)
	var total int
	err = l.Update(func(t *Tx) error {
		if err := t.Append(&f); err != nil {
			return err
		}
		sum, err := t.SortieTally("s")
		total = sum.Points
		return err
	})
	if err = errors.Join(err, l.Close()); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(f.Seq, total)
}

// many files findings until it is killed, and acknowledges each.
func many(home string) {
	for {
		one(home)
	}
}

// fill files findings until the file may grow no further.
func fill(home string) {
	signal.Ignore(syscall.Signal(25)) // SIGXFSZ: the write fails instead
	for n := range 100_000 {
		l, err := Open(home, Options{Now: time.Now})
		if err == nil {
			f := charge("s", 1)
			f.Note = strings.Repeat("long ", 800)
			err = errors.Join(l.Update(func(t *Tx) error { return t.Append(&f) }), l.Close())
		}
		if err != nil {
			fmt.Println(n)
			fmt.Println(err)
			return
		}
	}
}

// hold keeps its turn until its input ends.
func hold(home string) {
	l, err := Open(home, Options{Now: time.Now})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer l.Close()
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// R068, R069: hook processes at once lose no finding, and no two of them are
// answered with the same total.
func TestManyProcessesAtOnce(t *testing.T) {
	t.Parallel()
	const processes = 32
	home := t.TempDir()
	totals := make([]string, processes)
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			out, err := child("one", home).Output()
			if err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
			totals[i] = strings.TrimSpace(string(out))
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, s := range totals {
		_, total, _ := strings.Cut(s, " ")
		if seen[total] {
			t.Errorf("two processes were answered with the total %s", total)
		}
		seen[total] = true
	}
	l := mustOpen(t, home, Options{ReadOnly: true})
	if err := l.View(func(tx *Tx) error {
		sum, err := tx.SortieTally("s")
		if sum.Findings != processes || sum.Points != processes || sum.Last != processes {
			t.Errorf("tally = %+v, want %d findings and points", sum, processes)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A process that is killed at any moment takes no finding with it that it had
// acknowledged, and leaves a ledger that opens and is sound.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill -9 there")
	}
	rounds := 50
	if testing.Short() {
		rounds = 8
	}
	home := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4))
	acked := 0
	for range rounds {
		var kids []*exec.Cmd
		var outs []io.Reader
		for range 2 {
			kid := child("many", home)
			out, err := kid.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := kid.Start(); err != nil {
				t.Fatal(err)
			}
			kids, outs = append(kids, kid), append(outs, out)
		}
		time.Sleep(time.Duration(5+r.IntN(40)) * time.Millisecond)
		for _, k := range kids {
			if err := k.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for i, out := range outs {
			for sc := bufio.NewScanner(out); sc.Scan(); {
				first, _, ok := strings.Cut(sc.Text(), " ")
				seq, err := strconv.Atoi(first)
				if !ok || err != nil {
					t.Fatalf("a writer says %q", sc.Text())
				}
				acked = max(acked, seq)
			}
			_ = kids[i].Wait()
		}
		c, err := Check(home, Options{})
		if acked == 0 && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil || !c.Sound() {
			t.Fatalf("after a kill: %+v, %v", c, err)
		}
		// Numbers are given out in order and never skipped, so the highest that was
		// acknowledged says how many there are at least.
		if c.Findings < acked {
			t.Fatalf("%d findings, and number %d was acknowledged", c.Findings, acked)
		}
	}
	if acked == 0 {
		t.Fatal("no finding was acknowledged in all the rounds")
	}
}

// Who holds the turn is waited for, not longer than the bound, and named.
func TestBusy(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	kid := child("hold", home)
	in, err := kid.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := kid.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := kid.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = kid.Wait() }()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	for _, ro := range []bool{false, true} {
		_, err = Open(home, Options{Now: noon, Wait: 20 * time.Millisecond, ReadOnly: ro})
		var oe *OpenError
		if !errors.As(err, &oe) || !errors.Is(err, ErrBusy) || oe.Waited != 20*time.Millisecond || oe.Hint == "" {
			t.Fatalf("Open = %v", err)
		}
		if pid := strconv.Itoa(kid.Process.Pid); runtime.GOOS == "linux" && !strings.Contains(err.Error(), pid) {
			t.Errorf("%v does not name process %s", err, pid)
		}
	}
	// The turn comes as soon as it is given back, and the waiter that gave up has
	// not taken it with it.
	got := make(chan error, 1)
	go func() {
		l, err := Open(home, Options{Now: noon, Wait: time.Minute})
		if err == nil {
			err = l.Close()
		}
		got <- err
	}()
	in.Close()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
}

// A disk that is full fails the finding that doesn't fit and harms no other.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the limit on a file's size is set by sh's ulimit")
	}
	home := t.TempDir()
	kid := child("full", home)
	sh := exec.Command("sh", "-c", "ulimit -f 256; exec \"$0\"", kid.Path) // 256 blocks of 512 or 1024 bytes
	sh.Env, sh.Stderr = kid.Env, os.Stderr
	out, err := sh.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	count, message, _ := strings.Cut(string(out), "\n")
	filed, err := strconv.Atoi(count)
	if err != nil || filed == 0 || !strings.Contains(message, "free some space") {
		t.Fatalf("the writer says %q", out)
	}
	c, err := Check(home, Options{})
	if err != nil || !c.Sound() || c.Findings != filed {
		t.Fatalf("%d were acknowledged; check says %+v, %v", filed, c, err)
	}
	// With space again it goes on.
	appendAll(t, home, charge("s", 1))
	if left, _ := filepath.Glob(filepath.Join(home, "*.new")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A home that is removed and made anew while somebody waits in its queue is not
// written to through the old lock.
func TestLockFileReplaced(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := mustOpen(t, home, Options{})
	got := make(chan error, 1)
	go func() {
		l, err := Open(home, Options{Now: noon, Wait: time.Minute})
		if err == nil {
			f := charge("s", 1)
			err = errors.Join(l.Update(func(t *Tx) error { return t.Append(&f) }), l.Close())
		}
		got <- err
	}()
	time.Sleep(20 * time.Millisecond)
	for _, name := range []string{FileName, LockName} {
		if err := os.Remove(filepath.Join(home, name)); err != nil {
			t.Skip(err) // open files can't be removed everywhere
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	if c, err := Check(home, Options{}); err != nil || c.Findings != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
