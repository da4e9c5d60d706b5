//go:build unix

package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"spar/sortie/harness"
)

// killEnv makes the test binary a process that installs and ends itself, with the
// signal nothing can catch, in front of a step: "DIR,WHAT,STEP".
const killEnv = "SPAR_INSTALL_KILL"

func TestMain(m *testing.M) {
	if spec := os.Getenv(killEnv); spec != "" {
		parts := strings.Split(spec, ",")
		stop, err := strconv.Atoi(parts[2])
		if err != nil {
			panic(err)
		}
		n := 0
		err = act(inDir(parts[0]), parts[1], func(string) {
			if n++; n == stop {
				if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
					panic(err)
				}
				select {}
			}
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// inDir is a bench that was made before, in another process.
func inDir(dir string) Options {
	return Options{
		Env:  func(k string) string { return map[string]string{"PATH": filepath.Join(dir, "bin")}[k] },
		Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"), Self: filepath.Join(dir, "bin", "spar"),
		Now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local),
	}
}

func act(o Options, what string, step func(string)) error {
	o.step = step
	var err error
	switch what {
	case "install", "install anew", "install through a link":
		_, err = Install(o, "claude", harness.Project)
	default:
		_, err = Uninstall(o, "claude", harness.Project)
	}
	return err
}

// TestKilled: behaviour 10. Whenever the process is killed, the file is the old one
// or the new one, each entry is there at most once, and the next install finds
// nothing in its way and leaves nothing behind.
func TestKilled(t *testing.T) {
	t.Parallel()
	const old = "{\n  \"model\": \"opus\"\n}\n"
	for _, what := range []string{"install", "install anew", "install through a link", "uninstall", "uninstall a file of ours"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			prepare := func() (o Options, dir, path string) {
				o = bench(t)
				dir = filepath.Dir(o.Home)
				path = filepath.Join(o.Project, ".claude", "settings.json")
				o = inDir(dir)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				switch what {
				case "install", "uninstall":
					write(t, path, old)
				case "install through a link":
					write(t, filepath.Join(dir, "dotfiles", "claude.json"), old)
					if err := os.Symlink("../../dotfiles/claude.json", path); err != nil {
						t.Fatal(err)
					}
				}
				if strings.HasPrefix(what, "uninstall") {
					if _, err := Install(o, "claude", harness.Project); err != nil {
						t.Fatal(err)
					}
				}
				return o, dir, path
			}
			steps := 0
			o, _, path := prepare()
			before, _ := os.ReadFile(path)
			if err := act(o, what, func(string) { steps++ }); err != nil {
				t.Fatal(err)
			}
			after, err := os.ReadFile(path)
			if gone := errors.Is(err, os.ErrNotExist); gone != (what == "uninstall a file of ours") {
				t.Fatal(err)
			}
			if steps < 6 {
				t.Fatalf("only %d steps", steps)
			}
			for n := 1; n <= steps; n++ {
				o, dir, path := prepare()
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s,%s,%d", killEnv, dir, what, n))
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("step %d: %v: %s", n, err, out)
				}
				now, _ := os.ReadFile(path)
				if string(now) != string(before) && string(now) != string(after) {
					t.Fatalf("step %d: the file is neither old nor new:\n%s", n, now)
				}
				if strings.HasSuffix(what, "link") {
					if _, err := os.Readlink(path); err != nil {
						t.Fatalf("step %d: %v", n, err)
					}
				}
				if err := act(o, what, nil); err != nil {
					t.Fatalf("step %d, again: %v", n, err)
				}
				now, _ = os.ReadFile(path)
				if string(now) != string(after) {
					t.Fatalf("step %d, again:\n%s", n, now)
				}
				if strings.HasPrefix(what, "install") {
					wiredOnce(t, o, "claude", harness.Project)
				}
				// The lock goes with the next one that has something to write.
				if _, err := Uninstall(o, "claude", harness.Project); err != nil {
					t.Fatal(err)
				}
				if _, err := Install(o, "claude", harness.Project); err != nil {
					t.Fatal(err)
				}
				left := slices.DeleteFunc(tree(t, dir), func(name string) bool {
					return strings.Contains(name, "/backups/") || strings.HasPrefix(name, "bin/") || name == "dotfiles/claude.json"
				})
				if !slices.Equal(left, []string{"project/.claude/settings.json"}) {
					t.Errorf("step %d: left behind: %q", n, left)
				}
			}
		})
	}
}

// TestManyProcessesAtOnce: behaviour 10, with processes, half of which are killed.
func TestManyProcessesAtOnce(t *testing.T) {
	t.Parallel()
	o := bench(t)
	dir := filepath.Dir(o.Home)
	o = inDir(dir)
	path := filepath.Join(o.Project, ".claude", "settings.json")
	write(t, path, `{"model":"opus"}`)
	var all []*exec.Cmd
	for n := range 10 {
		stop := 1 << 20 // never
		if n%2 == 0 {
			stop = 1 + n
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s,install,%d", killEnv, dir, stop))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for n, cmd := range all {
		err := cmd.Wait()
		if n%2 == 1 && err != nil {
			t.Errorf("process %d: %v", n, err)
		}
	}
	wiredOnce(t, o, "claude", harness.Project)
	if text := read(t, path); !strings.HasPrefix(text, `{"model":"opus","hooks":{`) {
		t.Errorf("the file is %s", text)
	}
}

// TestOwnerAndMode: rule 9.
func TestOwnerAndMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664, 0o200 | 0o444} {
		o := bench(t)
		path := filepath.Join(o.Project, ".claude", "settings.json")
		write(t, path, "{}")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		root := os.Geteuid() == 0
		if root {
			if err := os.Chown(path, 1234, 5678); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Install(o, "claude", harness.Project)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.Stat(r.Backup)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode || kept.Mode().Perm() != mode {
			t.Errorf("%v became %v, kept as %v", mode, info.Mode(), kept.Mode())
		}
		if st := info.Sys().(*syscall.Stat_t); root && (st.Uid != 1234 || st.Gid != 5678) {
			t.Errorf("the owner is %d:%d", st.Uid, st.Gid)
		}
	}
}
