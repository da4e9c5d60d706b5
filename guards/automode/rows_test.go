package automode

import (
	"slices"
	"strings"
	"testing"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// line judges one command line in a made-up work tree.
func line(s string, build bool) Verdict {
	call := &harness.Call{Harness: "claude", Event: harness.PreTool, Tool: "Bash", Kind: harness.Shell, Command: s, Cwd: "/home/dev/shop"}
	return Local(call, LocalOptions{
		Env:       map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"},
		BuildTest: build,
		Facts:     Facts{Branch: "feature/x", DefaultBranch: "main", Remote: "origin"},
	})
}

func TestRowsAreSorted(t *testing.T) {
	t.Parallel()
	for _, list := range [][]row{rows[:], gitRows[:]} {
		if !slices.IsSortedFunc(list, func(a, b row) int { return strings.Compare(a.name, b.name) }) {
			for i := 1; i < len(list); i++ {
				if list[i-1].name > list[i].name {
					t.Errorf("%s stands behind %s", list[i].name, list[i-1].name)
				}
			}
		}
	}
}

// Every row has a call it allows, under its own exception, and one that it or the
// closed world around it passes on.
func TestRows(t *testing.T) {
	t.Parallel()
	walk := func(r row, git bool) {
		name := r.name
		if git {
			name = "git " + name
		}
		name = strings.TrimSpace(name + " " + r.sub)
		if r.good == "" {
			t.Errorf("%s has no example", name)
			return
		}
		want := r.is.String()
		if git && r.name == "push" {
			want = DryRuns
		}
		if v := line(r.good, true); !v.Allow || v.Exception != want && v.Exception != ReadOnly && !(strings.Contains(r.good, " | ") && v.Allow) {
			t.Errorf("%s: %q: want allow %q, got %s %q: %s", name, r.good, want, v, v.Exception, v.Why)
		}
		bad := r.bad
		if bad == "" {
			if r.bits&loose != 0 && r.opts == "" {
				return // every word of it is text
			}
			if strings.Contains(r.good, " | ") {
				return
			}
			bad = r.good + " --no-such-option-anywhere"
		}
		if v := line(bad, true); v.Allow {
			t.Errorf("%s: %q is allowed as %q", name, bad, v.Exception)
		}
	}
	for _, r := range rows {
		walk(r, false)
	}
	for _, r := range gitRows {
		walk(r, true)
	}
}

// An option no tool has escalates, wherever a row reads options at all.
func TestUnknownOptionEscalates(t *testing.T) {
	t.Parallel()
	check := func(r row) {
		if r.good == "" || r.bits&loose != 0 && r.opts == "" || strings.ContainsAny(r.good, "|<;") || r.name == "printf" || r.name == "command" {
			return
		}
		if r.bits&late != 0 {
			return // what follows the first operand is not the tool's own
		}
		for _, o := range []string{"--zz-unknown", "--zz-unknown=x", "-\u0416"} {
			if v := line(r.good+" "+o, true); v.Allow {
				t.Errorf("%q is allowed", r.good+" "+o)
			}
		}
	}
	for _, r := range rows {
		check(r)
	}
	for _, r := range gitRows {
		check(r)
	}
}

// What can do harm makes any line it is joined to a matter for a reader.
func TestChainsAreAsBadAsTheirWorst(t *testing.T) {
	t.Parallel()
	bad := []string{"rm -rf src", "npm publish", "./ls", "cat .env", "git push --force", "touch src/x", "eval x"}
	n := 0
	for _, r := range rows {
		if r.good == "" || strings.ContainsAny(r.good, "#") {
			continue
		}
		b := bad[n%len(bad)]
		n++
		for _, s := range []string{r.good + "; " + b, r.good + " && " + b, b + " | " + r.good, r.good + "\n" + b, "echo $(" + b + "); " + r.good, "if true; then " + r.good + "; else " + b + "; fi", "( " + b + " ) & " + r.good, r.good + " || " + b} {
			if v := line(s, true); v.Allow {
				t.Errorf("%q is allowed", s)
			}
		}
	}
}

// A wrapper that only waits or measures is what it runs.
func TestWrappersAreWhatTheyRun(t *testing.T) {
	t.Parallel()
	shellWords := map[string]bool{":": true, "break": true, "cd": true, "continue": true, "exit": true, "export": true, "popd": true, "pushd": true, "read": true, "return": true, "set": true, "shift": true, "unset": true, "wait": true, "jobs": true, "umask": true, "ulimit": true, "type": true, "command": true, "[": true}
	for _, r := range rows {
		if r.good == "" || shellWords[r.name] || strings.ContainsAny(r.good, "|<") {
			continue
		}
		want := line(r.good, true)
		for _, w := range []string{"time ", "timeout 5 ", "nice -n 5 ", "timeout -k 1 5 nice "} {
			if got := line(w+r.good, true); got.Allow != want.Allow || got.Exception != want.Exception {
				t.Errorf("%q: %s %q (%s), without the wrapper %s %q", w+r.good, got, got.Exception, got.Why, want, want.Exception)
			}
		}
	}
}

// FuzzLocal holds what must be true of every allowed line, whatever its text.
func FuzzLocal(f *testing.F) {
	for _, c := range corpus(f, "automode.jsonl") {
		if call := c.call(f); call.Kind == harness.Shell {
			f.Add(call.Command, call.Dialect == "powershell")
		}
	}
	f.Fuzz(func(t *testing.T, s string, windows bool) {
		env := map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}
		call := &harness.Call{Tool: "Bash", Kind: harness.Shell, Command: s, Cwd: "/home/dev/shop"}
		if windows {
			call.Dialect = "powershell"
		}
		v := Local(call, LocalOptions{Env: env, fault: func(r any) { panic(r) }})
		if v.Allow == (v.Why != "") || v.Allow == (v.Exception == "") {
			t.Fatalf("%q: %+v", s, v)
		}
		if !v.Allow || windows {
			return
		}
		r := acts.Read(s, acts.Options{Dialect: acts.Bourne, Dir: call.Cwd, Env: env})
		for i := range r.Acts {
			a := &r.Acts[i]
			if a.Kind == acts.Unread || a.Kind == acts.Write || a.Kind == acts.Remove || a.Remote != "" {
				t.Fatalf("%q is allowed with an act of kind %s", s, a.Kind)
			}
			for _, rd := range a.Redirs {
				p := r.Place(a.Dir, rd.Target)
				dev := strings.HasPrefix(rd.Target.String(), "/dev/")
				if rd.Op != acts.ReadFrom && !p.Null && !p.Scratch && !dev {
					t.Fatalf("%q is allowed and writes %s", s, rd.Target)
				}
			}
			switch a.Name() {
			case "sudo", "sh", "bash", "eval", "ssh", "python3", "node", "dd", "tee":
				if a.Name() != "tee" && len(a.Argv) > 1 && !a.Argv[len(a.Argv)-1].Is("--help") && !a.Argv[len(a.Argv)-1].Is("--version") && !a.Argv[1].Is("-v") && !a.Argv[1].Is("-V") && !a.Argv[1].Is("-h") && !a.Argv[1].Is("-VV") {
					t.Fatalf("%q is allowed and runs %s", s, a.String())
				}
			}
		}
	})
}

func BenchmarkLocal(b *testing.B) {
	env := map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}
	for _, s := range []string{"git status -s", "grep -rn x src | head -20", "for f in src/*.ts; do echo \"== $f\"; head -3 \"$f\"; done"} {
		b.Run(s[:8], func(b *testing.B) {
			call := &harness.Call{Tool: "Bash", Kind: harness.Shell, Command: s, Cwd: "/home/dev/shop"}
			b.ReportAllocs()
			for b.Loop() {
				if v := Local(call, LocalOptions{Env: env}); !v.Allow {
					b.Fatal(v.Why)
				}
			}
		})
	}
}

// BenchmarkCorpus is the mean over the labelled lines; report the median with
// -benchtime and a profile, not with a clock in a test.
func BenchmarkCorpus(b *testing.B) {
	var calls []*harness.Call
	var options []LocalOptions
	for _, c := range corpus(b, "automode.jsonl") {
		calls = append(calls, c.call(b))
		options = append(options, c.options())
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Local(calls[n%len(calls)], options[n%len(calls)])
		n++
	}
}
