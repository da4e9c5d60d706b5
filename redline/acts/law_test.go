package acts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// harmless are lines whose acts the laws below are checked on: one for each
// shape of command that matters.
var harmless = []string{
	"rm -rf build",
	"git push --force origin main",
	"git -C ../lib reset --hard",
	"rm -rf \"$HOME/x\" ~/y",
	"A=/tmp/w; rm -rf \"$A/cache\"",
	"for f in a b; do rm -f \"$f\"; done",
	"if [ -d build ]; then rm -rf build; fi",
	"find . -name '*.o' -exec rm -f {} +",
	"psql shop -c 'DROP TABLE t'",
	"curl -X POST https://api.example.test/v1 -d '{\"a\":1}'",
	"cd sub && rm -rf out",
	"f() { rm -rf \"$1\"; }; f x",
	"cat > notes.md <<'E'\nrm -rf /\nE",
	"echo 'a b' | xargs rm",
	"bash -c 'git push'",
	"npm publish --dry-run && npm publish",
	"rm -rf \"$NOPE/x\"",
	"(cd /tmp/a && rm -rf b); rm -rf c",
	"python3 -c 'import os; os.remove(\"x\")'",
	"trap 'rm -rf t' EXIT",
}

// programs are the runs of a reading with their words, sorted.
func programs(r *Reading) []string {
	var out []string
	for i := range r.Acts {
		a := r.Acts[i]
		a.Via, a.Conditional, a.Stdin, a.Source, a.Remote, a.Dir = nil, false, Stdin{}, "", "", Word{}
		out = append(out, a.String())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func contains(have, want []string) string {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return w
		}
	}
	return ""
}

// Quoting a line, or commenting it out, makes it text.
func TestLawQuoting(t *testing.T) {
	for _, line := range harmless {
		for _, form := range []string{
			"echo " + quoteWord(line),
			"# " + strings.ReplaceAll(line, "\n", "\n# "),
			"true # " + strings.ReplaceAll(line, "\n", " "),
			": " + quoteWord(line),
			"x=" + quoteWord(line),
			"git commit -m " + quoteWord(line),
			"grep -e " + quoteWord(line) + " f",
			"cat <<'EOF_OF_TEXT' > f\n" + line + "\nEOF_OF_TEXT\n",
			"case " + quoteWord(line) + " in " + quoteWord(line) + ") ;; esac",
			"[[ " + quoteWord(line) + " == x ]]",
			"never() {\n" + line + "\n}",
			"echo $(( 1 )) \\" + "\n  " + quoteWord(line),
		} {
			r := Read(form, testOptions())
			for i := range r.Acts {
				switch n := r.Acts[i].Name(); n {
				case "echo", "true", ":", "git", "grep", "cat":
					if n != "git" || r.Acts[i].Argv[1].Is("commit") {
						continue
					}
				}
				t.Errorf("%s\nis text, but: %s", form, r.Acts[i].String())
			}
		}
	}
}

// A wrapper around a line keeps what runs.
func TestLawWrapping(t *testing.T) {
	for _, line := range harmless {
		want := programs(Read(line, testOptions()))
		for _, form := range []string{
			"bash -c " + quoteWord(line),
			"sudo bash -c " + quoteWord(line),
			"env X=1 timeout 5 sh -c " + quoteWord(line),
			"eval " + quoteWord(line),
			"bash <<'EOF_OF_SCRIPT'\n" + line + "\nEOF_OF_SCRIPT",
			"(\n" + line + "\n)",
			"{\n" + line + "\n}",
			"f9() {\n" + line + "\n}; f9",
			"if x; then\n" + line + "\nfi",
			"while x; do\n" + line + "\ndone",
			"printf %s " + quoteWord(line) + " | bash",
			"source <(printf %s " + quoteWord(line) + ")",
			"xargs -I@@ bash -c " + quoteWord(line),
			"flock l -c " + quoteWord(line),
			"ssh web-01 " + quoteWord(line),
			"docker exec web sh -c " + quoteWord(line),
			"watch " + quoteWord(line),
			"{\n" + line + "\n} | cat",
			"x && {\n" + line + "\n}",
			"nohup bash -c " + quoteWord(line) + " &",
		} {
			// A variable of the outer environment is not that of another machine.
			if (strings.HasPrefix(form, "ssh") || strings.HasPrefix(form, "docker")) && strings.ContainsAny(line, "$~") {
				continue
			}
			r := Read(form, testOptions())
			if miss := contains(programs(r), want); miss != "" {
				t.Errorf("%s\nloses %q:\n%s", form, miss, r)
			}
		}
	}
}

// Splitting a chain in other ways gives the same acts, and so do other names for
// its variables.
func TestLawSplittingAndNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var parts []string
		for range 2 + r.IntN(3) {
			parts = append(parts, harmless[r.IntN(len(harmless))])
		}
		if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, "<<") || strings.HasPrefix(p, "cd ") }) {
			continue
		}
		var want []string
		for _, p := range parts {
			want = append(want, programs(Read(p, testOptions()))...)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		for _, sep := range []string{"; ", "\n", " && ", "\n\n# note\n", " ;\t"} {
			line := strings.Join(parts, sep)
			got := programs(Read(line, testOptions()))
			if !slices.Equal(got, want) {
				t.Fatalf("%q\ngot  %q\nwant %q", line, got, want)
			}
		}
	}
	for _, line := range harmless {
		want := programs(Read(line, testOptions()))
		for i := range 3 {
			name := fmt.Sprintf("other_%d", i)
			renamed := strings.NewReplacer("A=", name+"=", "$A", "$"+name, "$f", "$"+name, "for f ", "for "+name+" ").Replace(line)
			if got := programs(Read(renamed, testOptions())); !slices.Equal(got, want) {
				t.Errorf("%q\ngot  %q\nwant %q", renamed, got, want)
			}
		}
	}
}

// Reading the same line twice gives the same reading.
func TestLawDeterministic(t *testing.T) {
	for seed := range uint64(200) {
		line := generate(seed)
		if a, b := Read(line, testOptions()).String(), Read(line, testOptions()).String(); a != b {
			t.Fatalf("%s\nfirst:\n%s\nthen:\n%s", line, a, b)
		}
	}
}

// Every bound ends a reading with its name and an act that stands for the rest.
func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		bounds     Bounds
	}{
		{"acts", strings.Repeat("ls;", 50), Bounds{Acts: 10}},
		{"bytes", strings.Repeat("ls\n", 50), Bounds{Bytes: 60}},
		{"depth", strings.Repeat("sudo ", 30) + "ls", Bounds{}},
		{"depth", strings.Repeat("eval ", 30) + "ls", Bounds{}},
		{"depth", strings.Repeat("(", 100_000), Bounds{}},
		{"depth", strings.Repeat("$((", 100_000), Bounds{}},
		{"time", strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do ", 9) + "ls" + strings.Repeat("; done", 9), Bounds{}},
		{"time", strings.Repeat("a=$a$a;", 5) + strings.Repeat("ls;", 10_000), Bounds{Time: 1000}},
	} {
		r := Read(tt.line, Options{Dir: "/w", Bounds: tt.bounds})
		if r.Bound != tt.name {
			t.Errorf("%.40q: bound %q, want %q\n%.400s", tt.line, r.Bound, tt.name, r)
			continue
		}
		if !slices.ContainsFunc(r.Acts, func(a Act) bool { return a.Kind == Unread }) {
			t.Errorf("%.40q: bound %s was hit, and nothing stands for the rest", tt.line, tt.name)
		}
	}
}

// A doubling value, a huge brace expansion or repetition fills no memory.
func TestGrowth(t *testing.T) {
	for _, line := range []string{
		"a=xxxxxxxx;" + strings.Repeat("a=$a$a;", 60) + "echo $a",
		"a=$NOPE;" + strings.Repeat("a=\"$a$a\";", 60) + "echo $a",
		"echo {1..99999999}",
		"echo " + strings.Repeat("{a,b}", 60),
		"echo {a,b,{c,{d,{e,f}}}}{1..1000}",
		"a=" + strings.Repeat("a", 4000) + "; b=${a//a/" + strings.Repeat("b", 4000) + "}; echo ${b//b/" + strings.Repeat("c", 4000) + "}",
		"printf '%9999999999d' 1 | sh",
		"printf '" + strings.Repeat("%s", 1000) + "' " + strings.Repeat("a ", 3000) + "| sh",
		"x=$(" + strings.Repeat("echo aaaaaaaa;", 2000) + "); " + strings.Repeat("x=$x$x;", 30),
		"f() { f \"$1$1\"; }; f aaaaaaaa",
		"while :; do a=$a$a; done",
		"seq 1 999999999 | sh",
		strings.Repeat("set -- \"$@\" \"$@\" x;", 60) + "echo $#",
		strings.Repeat("a=(\"${a[@]}\" \"${a[@]}\" x);", 60) + "echo ${#a[@]}",
		strings.Repeat("cat f f x > g; cp g f; echo xxxxxxxx >> f;", 60) + "sh f",
	} {
		r := Read(line, testOptions())
		size := 0
		for i := range r.Acts {
			for _, w := range r.Acts[i].Argv {
				for _, p := range w.Parts {
					size += len(p.Text)
				}
			}
		}
		if size > 64<<20 {
			t.Errorf("%.60q: %d bytes of words", line, size)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, l := range harmless {
		f.Add(l)
	}
	for seed := range uint64(40) {
		f.Add(generate(seed))
	}
	for _, l := range corpus(f) {
		f.Add(l.Command)
	}
	f.Add("A=$((0 A")
	f.Add(`echo "${00}"`)
	f.Add("0>&")
	f.Add(`x=a; echo "${x/}${0/}${x//}"`)
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 1<<16 {
			t.Skip()
		}
		for _, d := range []Dialect{Auto, Bourne, PowerShell, Cmd} {
			o := testOptions()
			o.Dialect = d
			r := Read(line, o)
			check(t, line, r)
		}
	})
}

// An unfinished text that stops the parser itself is one that does not parse:
// what it says is read word by word, and what runs is still charged.
func TestParserStops(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{"A=$((0 A", "A=$((0 A\n"} {
		for _, head := range []string{"", "git push; ", "git push\n"} {
			r := Read(head+tail, testOptions())
			check(t, head+tail, r)
			if head != "" && (len(r.Acts) == 0 || !strings.Contains(fmt.Sprint(r.Acts), "git push")) {
				t.Errorf("%q: what stands before is lost: %v", head+tail, r.Acts)
			}
		}
	}
}

// check holds what every reading promises.
func check(t *testing.T, line string, r *Reading) {
	t.Helper()
	if len(r.Acts) > DefaultBounds.Acts+1 {
		t.Errorf("%q: %d acts", line, len(r.Acts))
	}
	for i := range r.Acts {
		a := &r.Acts[i]
		if a.Why == "the reader failed on it" {
			t.Errorf("%q: the reader panicked", line)
		}
		if len(a.Source) > 200 {
			t.Errorf("%q: a source of %d bytes", line, len(a.Source))
		}
		switch a.Kind {
		case Run:
			if len(a.Argv) == 0 {
				t.Errorf("%q: a run of nothing", line)
			}
		case Write, Remove:
			if len(a.Target.Parts) == 0 {
				t.Errorf("%q: %s without a target", line, a.Kind)
			}
		case Land:
			if len(a.Redirs) == 0 {
				t.Errorf("%q: a land without a target", line)
			}
		}
		for _, from := range a.Stdin.From {
			if from < 0 || from >= len(r.Acts) {
				t.Errorf("%q: a pipe from act %d of %d", line, from, len(r.Acts))
			}
		}
		for _, w := range a.Argv {
			for j, p := range w.Parts {
				if p.Kind == Lit && j > 0 && w.Parts[j-1].Kind == Lit {
					t.Errorf("%q: two literal neighbours in %q", line, w.String())
				}
			}
			r.Place(a.Dir, w)
		}
		_ = a.String()
		_ = a.Name()
	}
}

// The corpus obeys the same promises, and a Bourne line of it is read whole.
func TestCorpusReads(t *testing.T) {
	for _, l := range corpus(t) {
		r := Read(l.Command, Options{Dir: l.Cwd, Env: l.Env})
		check(t, l.Command, r)
		if r.Bound != "" || r.Unparsed {
			t.Errorf("%s: bound %q, unparsed %v\n%s", l.ID, r.Bound, r.Unparsed, l.Command)
		}
	}
}
