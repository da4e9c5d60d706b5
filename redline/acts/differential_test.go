package acts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestDifferential runs generated scripts in a real bash and compares. Every
// program name in them is a stand-in that logs its words and does nothing else,
// or one of a few tools that only start or copy (env, xargs, cat ...), reached
// by a PATH that holds nothing more; every file lies in a directory of the test.
//
// What must hold: every program that really ran is among the acts, with the
// words it was given as far as they are known; and no program that only stands
// in text that can't run (a comment, a quoted string, a function nobody calls,
// behind an exit) is among them.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPING the differential test against bash: -short")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPING the differential test: no bash on this system")
	}
	n := 2000
	if v := os.Getenv("SPAR_DIFFERENTIAL"); v != "" {
		fmt.Sscan(v, &n)
	}
	box := newSandbox(t, bash)
	workers := runtime.GOMAXPROCS(0)
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	ran, exact, failed, unread := 0, 0, 0, 0
	for w := range workers {
		dir := filepath.Join(box.root, fmt.Sprintf("w%d", w))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for seed := range seeds {
				script := generate(seed)
				calls, err := box.run(dir, script)
				if err != nil {
					t.Errorf("seed %d: %v\n%s", seed, err, script)
					continue
				}
				reading := Read(script, Options{Dir: dir, Env: box.env(dir)})
				e, bad := compare(reading, calls)
				mu.Lock()
				ran += len(calls)
				exact += e
				for i := range reading.Acts {
					if reading.Acts[i].Kind == Unread {
						unread++
						break
					}
				}
				if bad != "" {
					if failed++; failed <= 12 {
						t.Errorf("seed %d: %s\n--- script\n%s\n--- acts\n%s", seed, bad, script, reading)
					}
				}
				mu.Unlock()
			}
		}()
	}
	first := uint64(1)
	if v := os.Getenv("SPAR_DIFFERENTIAL_SEED"); v != "" {
		fmt.Sscan(v, &first)
	}
	for i := range n {
		seeds <- first + uint64(i)
	}
	close(seeds)
	wg.Wait()
	t.Logf("%d scripts, %d programs ran, %d of them read word for word, %d scripts with something unread, %d wrong", n, ran, exact, unread, failed)
	if ran < n || exact*10 < ran*7 {
		t.Errorf("the comparison is hollow: %d programs ran in %d scripts, %d matched word for word", ran, n, exact)
	}
	if unread*20 > n {
		t.Errorf("%d of %d readings have something unread", unread, n)
	}
}

type sandbox struct {
	root, bash, bin string
}

// standIns log themselves; the number in their name is their exit status where
// it says so.
var standIns = []string{"p1", "p2", "p3", "p4", "p5", "yes0", "no1", "nope1", "nope2", "nope3"}

func newSandbox(t *testing.T, bash string) *sandbox {
	t.Helper()
	b := &sandbox{root: t.TempDir(), bash: bash}
	b.bin = filepath.Join(b.root, "bin")
	if err := os.Mkdir(b.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("SKIPPING the differential test: no sh")
	}
	for _, name := range standIns {
		code := "0"
		if name == "no1" {
			code = "1"
		}
		text := "#!" + sh + "\nprintf '%s\\037' \"${0##*/}\" \"$@\" '\x1e' >>\"$LOG\"\nexit " + code + "\n"
		if err := os.WriteFile(filepath.Join(b.bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"env", "timeout", "nice", "nohup", "xargs", "cat", "tee", "bash", "sh", "stdbuf", "setsid", "base64", "rev", "tr", "seq", "basename", "dirname", "head", "find"} {
		p, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("SKIPPING the differential test: no %s", name)
		}
		if err := os.Symlink(p, filepath.Join(b.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *sandbox) env(dir string) map[string]string {
	return map[string]string{"PATH": b.bin, "LOG": filepath.Join(dir, "log"), "HOME": dir, "TMPDIR": dir, "OLDPWD": dir}
}

type ranCall []string

// run runs a script and answers what the stand-ins logged.
func (b *sandbox) run(dir, script string) ([]ranCall, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(b.bin, "timeout"), "10", b.bash, "--norc", "-c", script)
	cmd.Dir = dir
	for k, v := range b.env(dir) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	_ = cmd.Run() // a script may well end with a failure
	if strings.Contains(errs.String(), "syntax error") || strings.Contains(errs.String(), "unexpected EOF") {
		return nil, fmt.Errorf("the generator made a script that is none: %s", errs.String())
	}
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var calls []ranCall
	for _, rec := range strings.Split(string(data), "\x1e\x1f") {
		if rec == "" {
			continue
		}
		calls = append(calls, strings.Split(strings.TrimSuffix(rec, "\x1f"), "\x1f"))
	}
	return calls, nil
}

// compare answers how many calls were read word for word, and what is wrong.
func compare(r *Reading, calls []ranCall) (int, string) {
	exact := 0
	for _, c := range calls {
		best := 0 // 1: as far as it is known, 2: word for word
		for i := range r.Acts {
			best = max(best, fits(&r.Acts[i], c))
		}
		switch best {
		case 0:
			return exact, fmt.Sprintf("%q ran and is not among the acts", []string(c))
		case 2:
			exact++
		}
	}
	for i := range r.Acts {
		// A text with one of these names may end up in a script after all.
		ran := func(c ranCall) bool { return c[0] == r.Acts[i].Name() }
		if strings.HasPrefix(r.Acts[i].Name(), "nope") && !slices.ContainsFunc(calls, ran) {
			return exact, fmt.Sprintf("%s can't run", r.Acts[i].String())
		}
	}
	return exact, ""
}

func fits(a *Act, c ranCall) int {
	if a.Kind != Run {
		return 0
	}
	if _, ok := a.Argv[0].Known(); !ok {
		return 1
	}
	if a.Name() != c[0] {
		return 0
	}
	if p, _ := a.Argv[0].Known(); p != c[0] {
		return 0
	}
	if a.Appended {
		return 1
	}
	// An unset variable is nothing, and outside quotes not even a word.
	var words []string
	for _, w := range present(a.Argv) {
		t := ""
		for _, p := range w.Parts {
			switch p.Kind {
			case Lit:
				t += p.Text
			case Unset:
			default:
				return 1
			}
		}
		words = append(words, t)
	}
	if !slices.Equal(words, c) {
		return 0
	}
	return 2
}

// gen writes a script.
type gen struct {
	r     *rand.Rand
	b     strings.Builder
	depth int
	fns   int
	loop  int
	arr   int
}

func generate(seed uint64) string {
	g := &gen{r: rand.New(rand.NewPCG(seed, 20))}
	for range 2 + g.r.IntN(6) {
		g.stmt()
	}
	if g.r.IntN(12) == 0 {
		g.line("exit 0")
		g.line("nope1 after exit")
	}
	return g.b.String()
}

func (g *gen) line(format string, args ...any) {
	if len(args) == 0 {
		g.b.WriteString(format + "\n")
		return
	}
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *gen) pick(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *gen) prog() string { return g.pick("p1", "p2", "p3", "p4", "p5") }

func (g *gen) variable() string { return g.pick("a", "b", "c", "v", "w") }

// arg is a word of a command.
func (g *gen) arg() string {
	v := g.variable()
	switch g.r.IntN(28) {
	case 0, 1, 2, 3:
		return g.pick("x", "y-z", "-f", "--opt=1", "12", "dir/file.txt")
	case 4:
		return "'single $v `nope2` quotes'"
	case 5:
		return `"double $` + v + ` quotes"`
	case 6:
		return `"$` + v + `"`
	case 7:
		return "$" + v
	case 8:
		return "${" + v + ":-dflt}"
	case 9:
		return `"${` + v + `:+alt}"`
	case 10:
		return `"${` + v + g.pick("%.*", "%%.*", "#*/", "##*/", "%x", "#d") + `}"`
	case 11:
		return `"${` + v + g.pick("/x/y", "//x/y", "/#d/D", "/%t/T", "/*./_") + `}"`
	case 12:
		return `"${` + v + g.pick(":0:2", ":1", ": -2", ":2:1") + `}"`
	case 13:
		return "${#" + v + "}"
	case 14:
		return `"${` + v + g.pick("^^", ",,", "^", ",") + `}"`
	case 15:
		return g.pick("{a,b}", "{1..3}", "f.{x,y}", "{a,b}{1,2}")
	case 16:
		return `$'tab\tq\x41\'s'`
	case 17:
		return "$((" + g.pick("1+2", "3*4-1", "10/3", "1<<3", "7%4", "(2+3)*2", "5>3?1:0") + "))"
	case 18:
		return "$(echo sub " + g.pick("x", "$"+v) + ")"
	case 19:
		return `"$(printf '%s-%s' one "$` + v + `")"`
	case 20:
		return `a\ b`
	case 21:
		return `"it's"`
	case 22:
		return "pre`echo tick`post"
	case 23:
		return "x#y"
	case 24:
		return `"$(` + g.prog() + ` inner)"`
	case 25:
		return `"$(basename dir/sub/` + g.pick("n.txt", "m") + `)"`
	case 26:
		return `"$(echo aGk= | base64 -d)"`
	}
	return "lit" + fmt.Sprint(g.r.IntN(9))
}

func (g *gen) args() string {
	var out []string
	for range g.r.IntN(4) {
		out = append(out, g.arg())
	}
	return strings.Join(out, " ")
}

func (g *gen) simple() string { return strings.TrimSpace(g.prog() + " " + g.args()) }

// flat is a command for places where quotes are already taken.
func (g *gen) flat() string {
	return g.prog() + " " + g.pick("x", "y z", "-r q", "", "$1", "k$v", "a_b")
}

func (g *gen) value() string {
	switch g.r.IntN(9) {
	case 0:
		return "dir/sub/file.tar.gz"
	case 1:
		return `"two words"`
	case 2:
		return "'p1 one'"
	case 3:
		return `"$` + g.variable() + `+"`
	case 4:
		return "$(echo from sub)"
	case 5:
		return ""
	case 6:
		return "$((6*7))"
	case 7:
		return "xdxt"
	}
	return "val" + fmt.Sprint(g.r.IntN(9))
}

func (g *gen) body(n int) {
	g.depth++
	for range n {
		g.stmt()
	}
	g.depth--
}

func (g *gen) cond() string {
	return g.pick("yes0", "no1", `[ -n "$v" ]`, `[ "$a" = x ]`, `[[ $b == v* ]]`, "! no1", "true", "false", "(( 2 > 1 ))", "yes0 && no1", "no1 || yes0")
}

func (g *gen) stmt() {
	kinds := 46
	if g.depth >= 3 {
		kinds = 14
	}
	switch g.r.IntN(kinds) {
	case 0, 1, 2:
		g.line("%s", g.simple())
	case 3, 4:
		g.line("%s=%s", g.variable(), g.value())
	case 5:
		g.line("%s && %s || %s", g.pick("yes0", "no1", g.simple()), g.simple(), g.simple())
	case 6:
		g.line("%s ; %s & wait", g.simple(), g.simple())
	case 7:
		g.line("%s | %s", g.simple(), g.simple())
	case 8:
		g.line("echo '%s quoted' \"nope2 x\" # nope3 in a comment", "nope1")
	case 9:
		g.line("A=1 %s > out.txt 2>&1", g.simple())
	case 10:
		g.line("%s+=%s", g.variable(), g.pick("more", "'x y'"))
	case 11:
		g.line("c='%s'; $c", g.flat())
	case 12:
		g.line("unset %s", g.variable())
	case 13:
		g.line("cd %s && %s; cd - >/dev/null", g.pick("sub", ".", "sub/.."), g.simple())
	case 14, 15:
		g.line("if %s; then", g.cond())
		g.body(1 + g.r.IntN(2))
		if g.r.IntN(2) == 0 {
			g.line("elif %s; then", g.cond())
			g.body(1)
		}
		if g.r.IntN(2) == 0 {
			g.line("else")
			g.body(1)
		}
		g.line("fi")
	case 16, 17:
		g.line("for %s in %s; do", g.variable(), g.pick("one two", "{1..3}", `"x y" z`, "$(echo l m)", "$v", `"$v"`))
		g.loop++
		g.body(1 + g.r.IntN(2))
		if g.r.IntN(4) == 0 {
			g.line("if %s; then %s; fi", g.cond(), g.pick("break", "continue", "v=late; break", "w=next; continue"))
			g.line("%s", g.simple())
		}
		g.loop--
		g.line("done")
	case 18:
		g.line("i=0; while [ $i -lt 2 ]; do i=$((i+1))")
		g.body(1)
		g.line("%s $i", g.prog())
		g.line("done")
	case 19:
		g.line("for ((k=0; k<2; k++)); do")
		g.body(1)
		g.line("%s \"$k\"; done", g.prog())
	case 20, 21, 22:
		g.fns++
		name := fmt.Sprintf("fn%d", g.fns)
		g.line("%s() {", name)
		if g.r.IntN(2) == 0 {
			g.line("local %s=%s", g.variable(), g.value())
		}
		g.line("%s \"$1\" $# %s", g.prog(), g.pick("", `"$@"`, "$*", `"${2:-none}"`))
		g.body(1)
		if g.r.IntN(4) == 0 {
			g.line("if %s; then return 1; fi", g.cond())
			g.line("%s", g.simple())
		}
		if g.r.IntN(4) == 0 {
			g.line("shift; %s \"$@\"; return 0; nope1 behind return", g.prog())
		}
		g.line("}")
		g.line("%s %s", name, g.args())
		if g.r.IntN(3) == 0 {
			g.line("%s again | cat", name)
		}
	case 23:
		g.line("never%d() { nope1 in a function nobody calls; }", g.fns)
	case 24:
		g.line("( %s; %s=inner; %s )", g.simple(), g.variable(), g.simple())
	case 25:
		g.line("{ %s; %s; } 2>/dev/null", g.simple(), g.simple())
	case 26:
		g.line("bash -c '%s; %s' _ %s", g.flat(), g.flat(), g.arg())
	case 27:
		g.line("sh -c \"%s $v\"", g.flat())
	case 28:
		g.line("bash <<'E'\n%s\n%s\nE", g.flat(), g.flat())
	case 29:
		g.line("cat <<'E'\nnope1 is text\n$(nope2)\nE\ncat <<E > doc.txt\nbody $(%s) nope3\nE", g.flat())
	case 30:
		g.line("%s %s", g.pick("env B=2", "timeout 5", "nice -n 3", "nohup", "command", "env -u v", "stdbuf -oL", "time", "env -S", "setsid -w")+"", g.prog()+" "+g.pick("x", "$v", `"$v"`))
	case 31:
		g.line("echo '%s' %s", g.flat(), g.pick("| bash", "| sh -s arg", "> s.sh; bash s.sh arg", "> s.sh; . ./s.sh", ">> t.sh; source t.sh"))
	case 32:
		g.line("eval \"%s\" ';' %s", g.flat(), g.prog())
	case 33:
		g.line("case $%s in x*) %s ;; val*|two*) %s ;& q) %s ;; *) %s ;; esac", g.variable(), g.simple(), g.simple(), g.simple(), g.simple())
	case 34:
		g.arr++
		n := fmt.Sprintf("arr%d", g.arr)
		g.line("%s=(%s %s)", n, g.prog(), g.args())
		g.line("%s+=(tail '1 2'); \"${%s[@]}\"; %s \"${%s[1]}\" ${#%s[@]} \"${%s[*]}\"", n, n, g.prog(), n, n, n)
	case 35:
		g.line("printf -v c '%%s %%s' %s %s; $c", g.prog(), g.pick("one", "two"))
	case 36:
		g.line("read -r a b <<< %s; %s \"$a\" \"$b\"", g.pick("'first second third'", `"$v"`, "one"), g.prog())
	case 37:
		g.line("export %s=%s; bash -c '%s \"$a$b$c$v$w\"'", g.variable(), g.pick("ex", "'e x'"), g.prog())
	case 38:
		g.line("trap '%s trapped' EXIT", g.prog())
	case 39:
		g.line("set -- %s %s; \"$@\"; %s \"$2\" $#", g.prog(), g.pick("s1 's 2'", "only"), g.prog())
	case 40:
		g.line("shopt -s expand_aliases\nalias al='%s aliased'\nal more\nalias unused='nope1 x'", g.prog())
	case 41:
		g.line("echo %s | xargs %s %s", g.pick("i1 i2", "single"), g.pick("", "-n1", "-I{}"), g.prog()+" "+g.pick("{}", "pre"))
	case 42:
		g.line("ref=%s; %s \"${!ref}\"", g.variable(), g.prog())
	case 43:
		g.line("IFS=%s; c='%s%sone'; $c; unset IFS", g.pick("_", ":", "-"), g.prog(), g.pick("_", ":", "-"))
	case 44:
		g.line("source <(echo '%s'); bash -n <<'E'\nnope1 checked only\nE", g.flat())
	case 45:
		g.line("find . -maxdepth 0 -exec %s x {} \\;", g.prog())
	}
}
