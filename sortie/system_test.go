package sortie

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"spar/ledger"
)

// TestOSProcess looks at real processes: this one, its parent, and one that ends.
func TestOSProcess(t *testing.T) {
	t.Parallel()
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
	default:
		t.Skip("processes can't be looked at here")
	}
	me, err := osProcess(os.Getpid())
	if err != nil || me.Start == "" || me.Realm == "" || me.Parent != os.Getppid() {
		t.Fatalf("this process: %+v, %v", me, err)
	}
	if again, err := osProcess(os.Getpid()); err != nil || again != me {
		t.Errorf("looked at twice: %+v and %+v, %v", me, again, err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A test binary that is asked for a test there is none of ends by itself; its
	// standard input keeps this one waiting until it is closed.
	cmd := exec.Command(self, "-test.run=^TestWaitForInput$", "-test.v")
	cmd.Env = append(os.Environ(), "SPAR_TEST_WAIT=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child, err := osProcess(cmd.Process.Pid)
	if err != nil || child.Parent != os.Getpid() || child.Realm != me.Realm {
		t.Errorf("a child: %+v, %v", child, err)
	}
	w := World{Now: time.Now, Env: func(string) string { return "" }, PPID: os.Getpid()}
	if w.gone(cmd.Process.Pid, child.Start, child.Realm) {
		t.Error("a running child is gone")
	}
	if !w.gone(cmd.Process.Pid, "another start", child.Realm) {
		t.Error("an earlier process of that id is not gone")
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if p, err := osProcess(cmd.Process.Pid); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an ended child: %+v, %v", p, err)
	}
	if !w.gone(cmd.Process.Pid, child.Start, child.Realm) {
		t.Error("an ended child is not gone")
	}
}

// TestWaitForInput is the child of TestOSProcess.
func TestWaitForInput(t *testing.T) {
	if os.Getenv("SPAR_TEST_WAIT") == "" {
		t.Skip("only as a child of TestOSProcess")
	}
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		t.Error("nothing was to be read")
	}
}

// TestOwnGroup shows that a command's end is the end of what it started.
func TestOwnGroup(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs a Bourne shell")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 300 & echo $! >pid.tmp; mv pid.tmp pid; wait")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	OwnGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for range 500 {
		data, err := os.ReadFile(filepath.Join(dir, "pid"))
		if err == nil {
			for _, c := range strings.TrimSpace(string(data)) {
				pid = pid*10 + int(c-'0')
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if pid == 0 {
		t.Fatal("the command did not start its own")
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
	for range 500 {
		if _, err := osProcess(pid); errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d outlived its group", pid)
}

func TestPruneBindings(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	f.now = time.Now()
	f.join(Event{Session: "old", Source: "startup"})
	f.join(Event{Session: "new", Source: "startup"})
	old := bindingPath(f.world(), "old")
	long := f.now.Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	PruneBindings(f.world())
	if _, ok := ReadBinding(f.world(), "old"); ok {
		t.Error("a binding of 31 days ago is still there")
	}
	if _, ok := ReadBinding(f.world(), "new"); !ok {
		t.Error("a binding of today is gone")
	}
	f.env["XDG_STATE_HOME"], f.env["HOME"] = "", ""
	PruneBindings(f.world()) // no place, nothing to do
}

func TestIdeas(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	fl := f.launch(Orders{Mode: ledger.Cruise})
	f.commit(func(b *Book) error { return b.Discard(fl, "two\ncolumns", "  ", ledger.Human) })
	f.commit(func(b *Book) error { return b.Discard(Flight{}, "no sortie", "needed", ledger.Agent) })
	lines := func() string {
		t.Helper()
		l, err := f.book().BriefLines()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(l, "\n")
	}
	want := `put down on purpose: "two columns", because: "no reason recorded"
put down on purpose: "no sortie", because: "needed"`
	if got := lines(); got != want {
		t.Errorf("brief = %s\nwant %s", got, want)
	}
	b := f.book()
	if err := b.Discard(fl, " \n", "x", ledger.Human); err == nil {
		t.Error("an idea without a subject is taken")
	}
	var no *Refusal
	if err := b.Settle(fl, "other", ledger.Human); !errors.As(err, &no) || !strings.Contains(no.Next, `"two columns"`) {
		t.Errorf("settling what isn't there: %v, want the list", err)
	}
	b.Close()
	// It is found as it was typed and as it was shown.
	f.commit(func(b *Book) error { return b.Settle(fl, "two\ncolumns", ledger.Human) })
	f.commit(func(b *Book) error { return b.Settle(fl, "no sortie", ledger.Human) })
	if got := lines(); got != "" {
		t.Errorf("brief = %s, want nothing left", got)
	}
	all := f.findings(ledger.Query{})
	if len(all) != 4 || all[0].Mode != ledger.Cruise || all[1].Sortie != "" || all[1].Actor != ledger.Agent {
		t.Errorf("findings = %+v", all)
	}
}

func TestTyped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env     map[string]string
		agent   bool
		session string
	}{
		{nil, false, ""},
		{map[string]string{"CLAUDECODE": "1"}, true, ""},
		{map[string]string{"CLAUDECODE": "0"}, false, ""},
		{map[string]string{"CLAUDE_CODE_SESSION_ID": "s1"}, true, "s1"},
		{map[string]string{"GEMINI_SESSION_ID": "g1"}, true, "g1"},
		{map[string]string{"QWEN_CODE_SESSION_ID": "q1", "GEMINI_SESSION_ID": "g1"}, true, "q1"},
		{map[string]string{"CLAUDE_CODE_SESSION_ID": " "}, false, ""},
	} {
		w := World{Env: func(k string) string { return tt.env[k] }}
		if Typed(w) != tt.agent || TypedSession(w) != tt.session {
			t.Errorf("%v: agent %v, session %q", tt.env, Typed(w), TypedSession(w))
		}
	}
}
