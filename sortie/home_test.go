package sortie

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFindHome(t *testing.T) {
	t.Parallel()
	// Every case has a tree of its own; a name that ends in / is a folder.
	tests := []struct {
		name string
		tree []string
		env  map[string]string // values are below the tree
		q    HomeQuery
		dir  string // the process's, "" gone
		want string // the home, below the tree; "" an error
		how  string
	}{
		{name: "nothing there", tree: []string{"p/"}, dir: "p", want: "p/.spar", how: "here"},
		{name: "the nearest home above", tree: []string{"p/.spar/", "p/a/b/"}, dir: "p/a/b", want: "p/.spar", how: "project"},
		{name: "a home right here", tree: []string{"p/.spar/", "p/a/.spar/"}, dir: "p/a", want: "p/a/.spar", how: "project"},
		{name: "the git top level", tree: []string{"p/.git/", "p/a/b/"}, dir: "p/a/b", want: "p/.spar", how: "git"},
		{name: "not past the git top level", tree: []string{".spar/", "p/.git/", "p/a/"}, dir: "p/a", want: "p/.spar", how: "git"},
		{name: "a home between here and the top level", tree: []string{"p/.git/", "p/a/.spar/", "p/a/b/"}, dir: "p/a/b", want: "p/a/.spar", how: "project"},
		{name: "a linked worktree's .git is a file", tree: []string{"p/.git", "p/a/"}, dir: "p/a", want: "p/.spar", how: "git"},
		{name: "none from the person's home", tree: []string{"me/.spar/", "me/p/"}, env: map[string]string{"HOME": "me"}, dir: "me/p", want: "me/p/.spar", how: "here"},
		{name: "nor its repository of dotfiles", tree: []string{"me/.git/", "me/p/"}, env: map[string]string{"HOME": "me"}, dir: "me/p", want: "me/p/.spar", how: "here"},
		{name: "but in the person's home itself", tree: []string{"me/.spar/"}, env: map[string]string{"HOME": "me"}, dir: "me", want: "me/.spar", how: "project"},
		{name: "none from a scratch root", tree: []string{"t/.spar/", "t/p/"}, env: map[string]string{"TMPDIR": "t"}, dir: "t/p", want: "t/p/.spar", how: "here"},
		{name: "but from below one", tree: []string{"t/p/.spar/", "t/p/a/"}, env: map[string]string{"TMPDIR": "t"}, dir: "t/p/a", want: "t/p/.spar", how: "project"},
		{name: "31: SPAR_HOME over all directories", tree: []string{"p/.spar/", "q/"}, env: map[string]string{"SPAR_HOME": "q/state"}, q: HomeQuery{Project: "p", Cwd: "p"}, dir: "p", want: "q/state", how: "SPAR_HOME"},
		{name: "--home over SPAR_HOME", tree: []string{"p/"}, env: map[string]string{"SPAR_HOME": "q"}, q: HomeQuery{Flag: "r"}, dir: "p", want: "r", how: "--home"},
		{name: "the project before the payload's directory", tree: []string{"p/.spar/", "q/.spar/", "r/.spar/"}, q: HomeQuery{Project: "p", Cwd: "q"}, dir: "r", want: "p/.spar", how: "project"},
		{name: "the payload's directory before the process's", tree: []string{"q/.spar/", "r/.spar/"}, q: HomeQuery{Cwd: "q"}, dir: "r", want: "q/.spar", how: "project"},
		{name: "R085: the payload's directory is gone", tree: []string{"r/.git/"}, q: HomeQuery{Cwd: "gone/deep"}, dir: "r", want: "r/.spar", how: "git"},
		{name: "R085: both are gone, the repository is there", tree: []string{"p/.git/"}, q: HomeQuery{Cwd: "p/gone/deep"}, want: "p/.spar", how: "git"},
		{name: "R085: all is gone", tree: []string{"p/"}, q: HomeQuery{Cwd: "p/gone"}, want: ""},
		{name: "a file is no home", tree: []string{"p/.git/", "p/a/.spar", "p/a/b/"}, dir: "p/a/b", want: "p/.spar", how: "git"},
		{name: "inside the home", tree: []string{"p/.spar/"}, dir: "p/.spar", want: "p/.spar", how: "project"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if real, err := filepath.EvalSymlinks(root); err == nil {
				root = real
			}
			at := func(p string) string {
				if p == "" {
					return ""
				}
				return filepath.Join(root, filepath.FromSlash(p))
			}
			for _, p := range tt.tree {
				if err := os.MkdirAll(filepath.Dir(at(p)), 0o755); err != nil {
					t.Fatal(err)
				}
				var err error
				if strings.HasSuffix(p, "/") {
					err = os.MkdirAll(at(p), 0o755)
				} else {
					err = os.WriteFile(at(p), []byte("gitdir: elsewhere\n"), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			w := World{Now: time.Now, Dir: at(tt.dir), Env: func(k string) string { return at(tt.env[k]) }}
			q := HomeQuery{Flag: at(tt.q.Flag), Project: at(tt.q.Project), Cwd: at(tt.q.Cwd)}
			got, err := FindHome(w, q)
			if tt.want == "" {
				if err == nil {
					t.Fatalf("home = %+v, want an error", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.Dir != at(tt.want) || got.How != tt.how || got.Root != filepath.Dir(got.Dir) {
				t.Errorf("home = %+v, want %s by %s", got, at(tt.want), tt.how)
			}
			if before := len(tt.tree); before > 0 {
				if _, err := os.Lstat(filepath.Join(at(tt.want), "ledger.db")); err == nil {
					t.Error("looking for a home made a ledger")
				}
			}
		})
	}
}

func TestFindHomeThroughLinks(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "p", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "p", "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "p", "src"), link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	w := World{Now: time.Now, Dir: link, Env: func(string) string { return "" }}
	got, err := FindHome(w, HomeQuery{})
	if err != nil || got.Dir != filepath.Join(root, "p", ".spar") {
		t.Errorf("home = %+v, %v; want the project the link leads into", got, err)
	}
}

func TestRelativeHomeNeedsADirectory(t *testing.T) {
	t.Parallel()
	w := World{Now: time.Now, Env: func(string) string { return "" }}
	if h, err := FindHome(w, HomeQuery{Flag: "state"}); err == nil {
		t.Errorf("home = %+v, want an error: the working directory is gone", h)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := Home{Dir: filepath.Join(root, ".spar"), Root: root, How: "here"}
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(h.Dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("home: %v, %v; want 0700", info, err)
	}
	ignore := filepath.Join(h.Dir, ".gitignore")
	if data, err := os.ReadFile(ignore); err != nil || string(data) != "*\n" {
		t.Errorf(".gitignore = %q, %v", data, err)
	}
	if err := os.WriteFile(ignore, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(ignore); string(data) != "mine\n" {
		t.Errorf(".gitignore = %q, want a person's own left alone", data)
	}
	// A deleted project is not made again; a home that a person named is.
	gone := Home{Dir: filepath.Join(root, "gone", ".spar"), Root: filepath.Join(root, "gone"), How: "project"}
	if err := gone.Create(); err == nil {
		t.Error("a deleted project was made again")
	}
	gone.How = "--home"
	if err := gone.Create(); err != nil {
		t.Errorf("a named home is not made: %v", err)
	}
	blocked := Home{Dir: ignore, How: "--home"}
	if err := blocked.Create(); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("a file in the way: %v, want it named", err)
	}
}

func TestBurn(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	if err := f.home.Create(); err != nil {
		t.Fatal(err)
	}
	id := NewID(f.now)
	var mu sync.Mutex
	seen := map[int]int{}
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			for range 5 {
				n, err := f.home.Burn(id)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				seen[n]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if n := f.home.Spent(id); n != 200 {
		t.Errorf("spent = %d, want 200", n)
	}
	if runtime.GOOS == "linux" || runtime.GOOS == "darwin" {
		// Each call knows its own place, so "once per five calls" is once.
		for n := 2; n <= 200; n++ {
			if seen[n] != 1 {
				t.Errorf("%d calls are told that they are number %d", seen[n], n)
			}
		}
	}
	if _, err := f.home.Burn("../../etc/passwd"); err == nil {
		t.Error("a sortie's name is taken for a path")
	}
	if n, err := f.home.BurnMore(id, 0); err != nil || n != 200 {
		t.Errorf("burning nothing: %d, %v", n, err)
	}
	for _, n := range []int{-1, MaxBurn + 1} {
		if _, err := f.home.BurnMore(id, n); err == nil {
			t.Errorf("burning %d is taken", n)
		}
	}
}

func TestBingo(t *testing.T) {
	t.Parallel()
	// Behaviour 18: a budget of 10 is told at the seventh call, then every fifth.
	var told []int
	for n := 1; n <= 20; n++ {
		if BingoDue(n, 10) {
			told = append(told, n)
		}
	}
	if want := []int{7, 12, 17}; len(told) != 3 || told[0] != want[0] || told[1] != want[1] || told[2] != want[2] {
		t.Errorf("told at %v, want %v", told, want)
	}
	for n := range 51 {
		if Bingo(n, 0) || BingoDue(n, 0) {
			t.Errorf("bingo at %d without a budget", n)
		}
	}
	for budget := 1; budget < 500; budget++ {
		at := BingoAt(budget)
		if !Bingo(at, budget) || at > 0 && Bingo(at-1, budget) {
			t.Errorf("budget %d: bingo is said to begin at %d", budget, at)
		}
	}
	if f := NewFuel(8, 10); f.String() != "8/10 spent" || f.Remaining != 2 || !f.Bingo {
		t.Errorf("fuel = %+v %s", f, f)
	}
	if f := NewFuel(12, 10); f.Remaining != 0 {
		t.Errorf("remaining = %d, want 0", f.Remaining)
	}
	if f := NewFuel(8, 0); f.String() != "8 spent (no budget set)" || f.Bingo {
		t.Errorf("fuel = %+v %s", f, f)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	old := f.join(Event{Session: "s1", Source: "startup"}).Flight
	stays := f.launch(Orders{})
	for _, id := range []string{old.ID, stays.ID} {
		if _, err := f.home.BurnMore(id, 5); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(f.home.Dir, "seen", "notes.txt")
	if err := os.MkdirAll(filepath.Dir(mine), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.land(Leg{Session: "s1"}, LandOptions{Session: true})
	f.now = f.now.Add(31 * 24 * time.Hour)
	f.launch(Orders{Land: true}) // lands stays, which was aloft until then
	gone := func(id string) bool {
		_, err := os.Stat(filepath.Join(f.home.Dir, "fuel", id))
		return os.IsNotExist(err)
	}
	if !gone(old.ID) {
		t.Error("the fuel of a sortie of 31 days ago is still there")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file that is no sortie's is gone: %v", err)
	}
	if n := f.home.SpentBy(f.flight(old.ID)); n != 5 {
		t.Errorf("spent = %d, want what it landed with", n)
	}
	// Taken up again it goes on from there.
	f.land(Leg{Flight: f.launch(Orders{Land: true})}, LandOptions{})
	back := f.join(Event{Session: "s1", Source: "resume"})
	if back.Flight.ID != old.ID {
		t.Fatalf("resumed %s, want %s", back.Flight.ID, old.ID)
	}
	if n, err := f.home.Burn(old.ID); err != nil || n != 6 {
		t.Errorf("burnt %d, %v; want 6", n, err)
	}
}

func TestIDTime(t *testing.T) {
	t.Parallel()
	if at, ok := idTime(NewID(takeoff)); !ok || !at.Equal(takeoff) {
		t.Errorf("idTime = %v, %v; want %v", at, ok, takeoff)
	}
	for _, s := range []string{"", "x", "config", "8c9a1f0e-0000-4000-8000-000000000000"} {
		if at, ok := idTime(s); ok {
			t.Errorf("idTime(%q) = %v", s, at)
		}
	}
}
