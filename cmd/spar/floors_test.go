package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A floor is a set of rooms (packages, below the module's name) none of which
// knows another. The list begins at the ground: a room may import what stands
// before it. It also names rooms that are still to be built, so that their place
// is decided; docs/architecture.md draws those that are there.
//
// A room takes its `internal` folders with it, and a guard all of its folders.
type floor struct {
	rooms []string
	why   string
}

var floors = []floor{
	{[]string{"redline/acts/sql", "redline/acts/code"}, "the sublanguages a command line carries"},
	{[]string{"redline/acts", "ledger/redact", "sortie/harness"}, "readers of what comes from outside; they know nobody"},
	{[]string{"ledger"}, "the one record, and the only room that knows the file"},
	{[]string{"sortie"}, "whose flight it is, and who may be told"},
	{[]string{"melee", "sortie/hook", "sortie/install"}, "the swing, the one door, the wiring of harnesses"},
	{[]string{"redline", "guards/contract"}, "the limiter, and what several guards read"},
	{[]string{"guards/automode", "guards/carbon", "guards/groundtruth", "guards/habit", "guards/safesql", "guards/yubisashi"}, "one folder a guard; no guard knows another"},
	{[]string{"guards"}, "the list of them"},
	{[]string{"cmd/spar/doctor", "cmd/spar/rehearse", "cmd/spar/debrief"}, "what a person asks of the whole machine"},
	{[]string{"cmd/spar", "cmd/spar-judge", "cmd/spar-safesql"}, "the programs: they know everything and hold no policy"},
}

// modules are the modules of others that the programs link, who may import them,
// and what they are for. One that is not here is a decision nobody has made.
var modules = []struct {
	path  string
	rooms []string // nil: any
	why   string
}{
	{"go.etcd.io/bbolt", []string{"ledger"}, "the ledger's file"},
	{"mvdan.cc/sh/v3", []string{"redline/acts"}, "the shell's grammar"},
	{"github.com/urfave/cli/v3", []string{"cmd/spar"}, "the command tree a person types into"},
	{"github.com/google/uuid", nil, "sortie and swing ids that sort by time"},
	{"github.com/rogpeppe/go-internal/diff", []string{"guards/carbon"}, "what has become of a draft; nothing of it runs at start"},
	{"golang.org/x/sys", nil, "locks and processes of each platform"},
	{"golang.org/x/term", []string{"cmd/spar", "cmd/spar/rehearse", "cmd/spar/debrief"}, "is a person looking, and how wide is it"},
}

// deniedAlone are denied without what lies under them: google/uuid takes interfaces
// from database/sql/driver, which links nothing else.
var deniedAlone = []string{"database/sql"}

// denied are packages no program started by a hook may link. Go pays for a
// package at every start, used or not; each of these costs more than the call.
var denied = []string{
	"net/http", "crypto/tls", "net/rpc", "encoding/gob", "html/template", "expvar", "plugin", "testing",
	"google.golang.org/", "go.opentelemetry.io/", "modernc.org/", "gorm.io/", "k8s.io/",
	"github.com/jackc/", "github.com/lib/pq", "github.com/go-sql-driver/", "github.com/mattn/go-sqlite3", "github.com/microsoft/go-mssqldb",
	"github.com/anthropics/", "github.com/openai/", "github.com/sashabaranov/", "github.com/modelcontextprotocol/", "github.com/mark3labs/",
	"github.com/charmbracelet/", "github.com/rivo/", "github.com/gdamore/", "github.com/jedib0t/", "github.com/pterm/",
	"github.com/spf13/", "github.com/rogpeppe/go-internal/testscript", "github.com/rogpeppe/go-internal/txtar", "github.com/santhosh-tekuri/", "golang.org/x/net/",
}

// platforms are those a release is built for; files behind build tags hold the
// floors on each.
var platforms = []string{"linux", "darwin", "windows"}

const module = "spar"

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
}

// goList asks the go command, for one platform.
func goList(t *testing.T, goos string, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v\n%s", goos, err, stderr.Bytes())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("go list for %s: reading its answer: %v", goos, err)
		}
		pkgs = append(pkgs, p)
	}
}

// room is the room a package of ours belongs to and its floor, or "", -1.
func room(importPath string) (string, int) {
	rel := strings.TrimPrefix(importPath, module+"/")
	for i, f := range floors {
		for _, r := range f.rooms {
			guard := path.Dir(r) == "guards" && strings.HasPrefix(rel, r+"/")
			if rel == r || guard || strings.HasPrefix(rel, r+"/internal/") {
				return r, i
			}
		}
	}
	return "", -1
}

// violations are the imports that break the floors, a sentence each.
func violations(pkgs []goPackage) []string {
	var out []string
	say := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, p := range pkgs {
		from, at := room(p.ImportPath)
		if at < 0 {
			say("%s is on no floor: choose the lowest floor above everything it imports, add it to floors in cmd/spar/floors_test.go, and say SPAR_UPDATE=1 go test -run Floors ./cmd/spar to draw it", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			first, _, _ := strings.Cut(imp, "/")
			switch {
			case first == module:
				to, below := room(imp)
				switch {
				case below < 0: // said for the package itself
				case to == from:
				case below == at:
					say("%s imports %s, which is on its own floor: what both need belongs on a lower one", p.ImportPath, imp)
				case below > at:
					say("%s imports %s, which is above it: pass in what it needs, or move it up", p.ImportPath, imp)
				}
			case strings.Contains(first, "."):
				i := slices.IndexFunc(modules, func(m struct {
					path  string
					rooms []string
					why   string
				}) bool {
					return imp == m.path || strings.HasPrefix(imp, m.path+"/")
				})
				switch {
				case i < 0:
					say("%s imports %s, a module that is not in modules in cmd/spar/floors_test.go: measure what linking it costs (GODEBUG=inittrace=1), then add it with its reason", p.ImportPath, imp)
				case modules[i].rooms != nil && !slices.Contains(modules[i].rooms, from):
					say("%s imports %s, which only %s may: ask that room instead", p.ImportPath, imp, strings.Join(modules[i].rooms, ", "))
				}
			}
		}
	}
	return out
}

// TestFloors holds the import rules of docs/architecture.md on every platform.
func TestFloors(t *testing.T) {
	t.Parallel()
	for _, goos := range platforms {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			pkgs := goList(t, goos, "./...")
			if len(pkgs) < 5 {
				t.Fatalf("go list names %d packages; it can't have seen the module", len(pkgs))
			}
			for _, v := range violations(pkgs) {
				t.Error(v)
			}
		})
	}
}

// TestFloorsAreHeld shows that each rule has teeth.
func TestFloorsAreHeld(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pkg, imp, want string
	}{
		{"down", "spar/ledger", "spar/ledger/redact", ""},
		{"over a floor", "spar/cmd/spar", "spar/ledger", ""},
		{"into its own folder", "spar/guards/habit", "spar/guards/habit/rules", ""},
		{"up", "spar/ledger", "spar/sortie", "which is above it"},
		{"sideways", "spar/guards/habit", "spar/guards/carbon", "on its own floor"},
		{"sideways from a guard's folder", "spar/guards/habit/rules", "spar/guards/carbon", "on its own floor"},
		{"from the reader to the limiter", "spar/redline/acts", "spar/redline", "which is above it"},
		{"no floor", "spar/util", "fmt", "is on no floor"},
		{"the file, from its room", "spar/ledger", "go.etcd.io/bbolt", ""},
		{"the file, from elsewhere", "spar/sortie", "go.etcd.io/bbolt", "only ledger may"},
		{"a package inside the module", "spar/redline", "mvdan.cc/sh/v3/syntax", "only redline/acts may"},
		{"a module nobody decided on", "spar/sortie", "github.com/pkg/errors", "not in modules"},
		{"a name that only begins the same", "spar/sortie", "go.etcd.io/bboltfs", "not in modules"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(violations([]goPackage{{ImportPath: tt.pkg, Imports: []string{tt.imp}}}), "\n")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%s importing %s: %q, want it to contain %q", tt.pkg, tt.imp, got, tt.want)
			}
		})
	}
}

// TestFloorsAreDrawn keeps the drawing in docs/architecture.md what the table
// above says of the rooms that exist. SPAR_UPDATE=1 redraws it.
func TestFloorsAreDrawn(t *testing.T) {
	t.Parallel()
	name := filepath.Join("..", "..", "docs", "architecture.md")
	doc, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- floors: drawn from cmd/spar/floors_test.go -->\n", "<!-- end of floors -->"
	before, rest, ok := strings.Cut(string(doc), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the drawing between %q and %q", name, begin, end)
	}
	drawn := before + begin + draw(goList(t, "linux", "./...")) + end + after
	if drawn == string(doc) {
		return
	}
	if os.Getenv("SPAR_UPDATE") == "" {
		t.Fatalf("%s draws other floors than there are; SPAR_UPDATE=1 go test -run Floors ./cmd/spar redraws it", name)
	}
	if err := os.WriteFile(name, []byte(drawn), 0o644); err != nil {
		t.Fatal(err)
	}
}

// draw is the building: as text for a terminal, and as a diagram for those who
// render one.
func draw(pkgs []goPackage) string {
	there := map[string]bool{}
	for _, p := range pkgs {
		r, _ := room(p.ImportPath)
		there[r] = true
	}
	var text, chart strings.Builder
	above := ""
	for i, f := range slices.Backward(floors) {
		rooms := slices.DeleteFunc(slices.Clone(f.rooms), func(r string) bool { return !there[r] })
		if len(rooms) == 0 {
			continue
		}
		fmt.Fprintf(&text, "%s\n    %s\n", strings.Join(rooms, "   "), f.why)
		id := fmt.Sprintf("f%d", i)
		fmt.Fprintf(&chart, "  %s[\"%s\"]\n", id, strings.Join(rooms, "<br>"))
		if above != "" {
			fmt.Fprintf(&chart, "  %s --> %s\n", above, id)
		}
		above = id
	}
	return "\n```text\n" + text.String() + "```\n\n```mermaid\nflowchart TD\n" + chart.String() + "```\n\n"
}

// TestDenyList keeps what is dear to start out of the program that a harness
// starts on every tool call.
func TestDenyList(t *testing.T) {
	t.Parallel()
	for _, goos := range platforms {
		t.Run(goos, func(t *testing.T) {
			t.Parallel()
			for _, p := range goList(t, goos, "-deps", "./cmd/spar") {
				bad := slices.Contains(deniedAlone, p.ImportPath)
				for _, d := range denied {
					bad = bad || p.ImportPath == d || strings.HasPrefix(p.ImportPath, strings.TrimSuffix(d, "/")+"/")
				}
				if bad {
					t.Errorf("spar links %s; find who pulls it in with `go list -deps`, and move that into a second program", p.ImportPath)
				}
			}
		})
	}
}

// A ban is a call or a name that files of some places must not use.
type ban struct {
	pkg   string   // import path
	names []string // nil: all of the package
	why   string
	// here reports whether the rule binds a file, by its slash path in the module.
	here func(file string) bool
}

var (
	library = func(file string) bool { return !strings.HasPrefix(file, "cmd/") }
	notMain = func(file string) bool { return path.Base(file) != "main.go" || !strings.HasPrefix(file, "cmd/") }
)

var bans = []ban{
	{"os", []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "UserHomeDir", "UserCacheDir", "UserConfigDir", "TempDir"}, "the environment is passed in (sortie.World), so tests can run side by side", library},
	{"os", []string{"Getwd"}, "the directory is passed in (sortie.World)", library},
	{"os", []string{"Setenv", "Unsetenv", "Clearenv", "Chdir"}, "nothing global is changed", notMain},
	{"time", []string{"Now", "Since", "Until"}, "the clock is passed in, so no test depends on the time of day", library},
	{"os", []string{"Stdin", "Stdout", "Stderr"}, "streams are passed in, so every command can be called from a test", notMain},
	{"fmt", []string{"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"}, "streams are passed in, so every command can be called from a test", notMain},
	{"os", []string{"Exit"}, "an exit code is returned up to main, so deferred work is done", notMain},
	{"log", nil, "errors are returned; what is told goes to the streams that were passed in", notMain},
	{"io/ioutil", nil, "os and io have it", func(string) bool { return true }},
}

// atStart are calls that do work before main when they stand at package level;
// every hook would pay for them, used or not.
var atStart = map[string][]string{
	"regexp":        {"MustCompile", "Compile", "MustCompilePOSIX"},
	"text/template": {"Must"},
}

// TestBans holds what the compiler can't: who may ask the operating system, who
// may print, and that no package does work before it is asked.
func TestBans(t *testing.T) {
	t.Parallel()
	root := os.DirFS(filepath.Join("..", ".."))
	files := 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base != "." && (base[0] == '.' || base[0] == '_' || base == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files++
		found, err := broken(name, src)
		if err != nil {
			return err
		}
		for _, f := range found {
			t.Error(f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("looked at %d files; that can't be the module", files)
	}
}

// broken lists what a file does against the bans, a sentence each. A program that
// only `go generate` runs (package main behind `//go:build ignore` or in an
// internal folder) may do as it likes: nothing links it.
func broken(name string, src []byte) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if file.Name.Name == "main" && !strings.HasPrefix(name, "cmd/") {
		return nil, nil
	}
	imports := map[string]string{} // local name to path
	for _, spec := range file.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		local := path.Base(p)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = p
	}
	var out []string
	selector := func(e ast.Expr) (pkg, name string, ok bool) {
		sel, isSel := e.(*ast.SelectorExpr)
		if !isSel {
			return "", "", false
		}
		id, isID := sel.X.(*ast.Ident)
		if !isID {
			return "", "", false
		}
		pkg, ok = imports[id.Name]
		return pkg, sel.Sel.Name, ok
	}
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		pkg, sel, ok := selector(e)
		if !ok {
			return true
		}
		for _, b := range bans {
			if b.pkg == pkg && (b.names == nil || slices.Contains(b.names, sel)) && b.here(name) {
				out = append(out, fmt.Sprintf("%s: %s.%s: %s", fset.Position(n.Pos()), path.Base(pkg), sel, b.why))
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				out = append(out, fmt.Sprintf("%s: func init: every hook would pay for it; use sync.OnceValue", fset.Position(d.Pos())))
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // runs when called
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if pkg, sel, ok := selector(call.Fun); ok && slices.Contains(atStart[pkg], sel) {
					out = append(out, fmt.Sprintf("%s: %s.%s at package level: every hook would pay for it; use sync.OnceValue", fset.Position(n.Pos()), path.Base(pkg), sel))
				}
				return true
			})
		}
	}
	return out, nil
}

// TestBansAreHeld shows that each ban has teeth, and where it does not bind.
func TestBansAreHeld(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, src, want string
	}{
		{"environment", "ledger/x.go", `package ledger; import "os"; func f() { os.Getenv("X") }`, "os.Getenv"},
		{"environment in a program", "cmd/spar/x.go", `package main; import "os"; func f() { os.Getenv("X") }`, ""},
		{"as a value", "ledger/x.go", `package ledger; import "time"; var now = time.Now`, "time.Now"},
		{"renamed", "ledger/x.go", `package ledger; import clock "time"; func f() { clock.Since(clock.Time{}) }`, "time.Since"},
		{"a variable of that name", "ledger/x.go", `package ledger; func f(os struct{ Exit func(int) }) { os.Exit(1) }`, ""},
		{"exit", "cmd/spar/x.go", `package main; import "os"; func f() { os.Exit(1) }`, "os.Exit"},
		{"exit in main", "cmd/spar/main.go", `package main; import "os"; func main() { os.Exit(1) }`, ""},
		{"print", "cmd/spar/x.go", `package main; import "fmt"; func f() { fmt.Println() }`, "fmt.Println"},
		{"print to a stream", "cmd/spar/x.go", `package main; import "fmt"; func f() { fmt.Fprintln(nil) }`, ""},
		{"log", "sortie/x.go", `package sortie; import "log"; func f() { log.Printf("x") }`, "log.Printf"},
		{"regexp", "ledger/x.go", `package ledger; import "regexp"; var re = regexp.MustCompile("x")`, "package level"},
		{"regexp when asked", "ledger/x.go", `package ledger; import ("regexp"; "sync"); var re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("x") })`, ""},
		{"init", "ledger/x.go", `package ledger; func init() {}`, "func init"},
		{"a generator", "ledger/redact/internal/gen/main.go", `package main; import ("fmt"; "os"); func main() { fmt.Println(os.Getenv("X")) }`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found, err := broken(tt.file, []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(found, "\n")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want it to contain %q", got, tt.want)
			}
		})
	}
}
