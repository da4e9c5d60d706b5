package carbon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write puts a file where it belongs and says where that is.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// project is a ground with nothing in it.
func project(t *testing.T) ground {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, "p")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	return ground{root: root, home: filepath.Join(root, ".spar"), cwd: root}
}

// Behaviours 4, 5, 6, 11, 25, 33, 37: which names are drafts.
func TestLookNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		want reason
	}{
		{"note.md", wanted},
		{"notes/a.md", wanted},
		{"design-tokens.md", wanted}, // the soft tier is ordinary prose
		{"monkey.md", wanted},
		{"..draft.md", wanted}, // 25: two dots are no way up
		{"...md", wanted},
		{"...", wanted},
		{"a b.md", wanted}, // 33
		{`it's "quoted".md`, wanted},
		{"line\nbreak.md", wanted},
		{"--help", wanted},
		{"-rf", wanted},
		{"下書き.md", wanted},
		{"cafe\u0301.md", wanted},
		{"🛩️.md", wanted},
		{".gitignore", wanted},
		{".env", secretName}, // 5
		{".env.local", secretName},
		{".ENV.Production", secretName},
		{".envrc", secretName},
		{"id_rsa", secretName},
		{"server.pem", secretName},
		{"secrets/token.txt", secretName},
		{"secrets.json", secretName},
		{"auth.json", secretName},
		{".git-credentials", secretName}, // 6
		{"app/.htpasswd", secretName},
		{".pypirc", secretName},
		{".ssh/id_ecdsa", secretName},
		{".ssh/notes.md", secretName},
		{"key.ppk", secretName},
		{".kube/config", secretName},
		{".docker/config.json", secretName},
		{"wp-config.php", secretName},
		{"terraform.tfstate", secretName},
		{"service-account-1234.json", secretName},
		{"gh/hosts.yml", secretName},
		{".config/gcloud/access_tokens.db", secretName},
		{"API_KEY.txt", secretName},
		{"db_password.txt", secretName},
		{"passphrase.txt", secretName},
		{"node_modules/a/readme.md", generated}, // rule 9
		{"build/note.md", generated},
		{"x/.next/note.md", generated},
		{"vendor/note.md", generated},
		{".git/description", generated},
		{".spar/config.json", generated},
		{"builds/note.md", wanted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && strings.ContainsAny(tt.name, "\n\"") {
				t.Skip("no such name on Windows")
			}
			g := project(t)
			path := write(t, g.root, tt.name, "text")
			for _, given := range []string{path, tt.name} { // 37: relative to the payload's folder
				d, why, err := g.look(given)
				if err != nil || why != tt.want {
					t.Fatalf("look(%q) = %q, %v; want %q", given, why, err, tt.want)
				}
				if why == wanted && (string(d.body) != "text" || d.rel != tt.name) {
					t.Errorf("look(%q) read %q of %q", given, d.body, d.rel)
				}
			}
		})
	}
}

// Behaviour 7: names from another system, in both spellings.
func TestNeverListBothSeparators(t *testing.T) {
	t.Parallel()
	root := "/work/site"
	for _, name := range []string{`C:\Users\x\.config\gcloud\access_tokens.db`, "C:/Users/x/.config/gcloud/access_tokens.db", `C:\Users\x\.ssh\config`, "~/.pypirc"} {
		if !secret(root, name) {
			t.Errorf("%s is not refused", name)
		}
	}
	// A project in a folder whose own name speaks of secrets can be drafted in.
	if root := "/home/me/secrets-demo"; secret(root, root+"/note.md") {
		t.Error("the name of the root's folder is held against what is in it")
	}
	if !secretAbove("/home/me/.ssh/p") || !secretAbove("/home/me/.config/gcloud/p") || secretAbove("/home/me/.config/p") {
		t.Error("a folder of credentials above the root is not seen for what it is")
	}
}

// Behaviours 4, 11 to 15: what is no draft whatever it is called.
func TestLookPlaces(t *testing.T) {
	t.Parallel()
	g := project(t)
	outer := filepath.Dir(g.root)
	write(t, outer, "x.md", "outside")
	write(t, outer, "other/d.md", "outside")
	write(t, g.root, "in.md", "inside")
	write(t, g.root, "dir/a.md", "inside")
	write(t, g.root, ".env", "A=1")
	links := map[string]string{
		"link.md": "in.md", "out.md": "../x.md", "away": "../other", "near": "dir", "harmless.md": ".env", "gone.md": "nowhere.md", "loop.md": "loop.md",
	}
	linked := true
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(g.root, name)); err != nil {
			linked = false
		}
	}
	tests := []struct {
		given string
		want  reason
		link  bool
	}{
		{"", unnamed, false},
		{"  ", unnamed, false},
		{"a\x00b", unnamed, false},
		{"new.md", missing, false},      // 4
		{"in.md/below", missing, false}, // a file has nothing in it
		{strings.Repeat("x", 5000), missing, false},
		{filepath.Join(outer, "x.md"), outside, false}, // 11
		{"../x.md", outside, false},                    // 14
		{g.root + "/../x.md", outside, false},
		{".", outside, false},
		{g.root, outside, false},
		{"dir", notRegular, false},        // 15
		{"link.md", isLink, true},         // 12
		{"out.md", outside, true},         // 12
		{"away/d.md", outside, true},      // 13
		{"near/a.md", wanted, true},       // a folder's link that stays inside
		{"near/../in.md", wanted, true},   // as the operating system goes
		{"away/../x.md", outside, true},   // up from where the link leads
		{"harmless.md", secretName, true}, // rule 6
		{"gone.md", outside, true},
		{"loop.md", outside, true},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.40q", tt.given), func(t *testing.T) {
			t.Parallel()
			if tt.link && !linked {
				t.Skip("links can't be made here")
			}
			d, why, err := g.look(tt.given)
			if err != nil || why != tt.want {
				t.Errorf("= %q, %v; want %q (%+v)", why, err, tt.want, d)
			}
		})
	}
}

// Behaviours 9 and 31: the bound holds for what is read, not for what was said of
// the file before.
func TestTakeBounds(t *testing.T) {
	t.Parallel()
	g := project(t)
	tests := []struct {
		name        string
		said, there int64
		kept        bool
	}{
		{"empty", 0, 0, true},
		{"at the bound", MaxBody, MaxBody, true},
		{"past it", MaxBody + 1, MaxBody + 1, false},
		{"grown since", 10, MaxBody + 1, false},
		{"grown within", 10, 20, true},
		{"shrunk since", MaxBody + 1, 5, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, g.root, tt.name, strings.Repeat("a", int(tt.said)))
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Repeat("b", int(tt.there))
			d := new(draft)
			if err := d.take(strings.NewReader(text), info); err != nil {
				t.Fatal(err)
			}
			if (d.body != nil) != tt.kept || len(d.body) > MaxBody {
				t.Fatalf("kept %d bytes, want kept=%v", len(d.body), tt.kept)
			}
			if tt.kept && (string(d.body) != text || d.size != tt.there) {
				t.Errorf("kept %d bytes of %d", d.size, tt.there)
			}
			if sum := sha256.Sum256([]byte(text)); d.sum != hex.EncodeToString(sum[:]) {
				t.Errorf("hash %s is not that of what was read", d.sum)
			}
		})
	}
}

// Behaviour 32: what was looked at is what is read, or nothing is.
func TestReadOnlyWhatWasSeen(t *testing.T) {
	t.Parallel()
	g := project(t)
	outer := write(t, filepath.Dir(g.root), "victim.md", "not yours")
	path := write(t, g.root, "a.md", "mine")
	seen, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	other := write(t, g.root, "b.md", "another")
	for name, swap := range map[string]func() error{
		"a link out of the root": func() error { return os.Symlink(outer, path) },
		"a link within the root": func() error { return os.Symlink(other, path) },
		"another file":           func() error { return os.WriteFile(path, []byte("x"), 0o600) },
		"nothing":                func() error { return nil },
		"a folder":               func() error { return os.Mkdir(path, 0o755) },
	} {
		// The seen file lives on under another name, so that its number is not given
		// to the next one.
		if err := os.Rename(path, filepath.Join(g.root, "kept-aside")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := swap(); err != nil {
			continue // no links here
		}
		d := &draft{rel: "a.md"}
		if err := d.read(g.root, seen); err == nil {
			t.Errorf("%s: %q was read in its place", name, d.body)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(g.root, "kept-aside"), path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExtOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.md": ".md", "dir.d/Makefile": ".txt", ".gitignore": ".txt", "a.tar.gz": ".gz", "x.PNG": ".PNG", ".eslintrc.json": ".json",
		"..md": ".txt", "...md": ".txt", "a.": ".txt", "a.b c": ".txt", "a.\n": ".txt", "a." + strings.Repeat("x", 40): ".txt", "..draft.md": ".md",
	} {
		if got := extOf(name); got != want {
			t.Errorf("extOf(%q) = %q, want %q", name, got, want)
		}
	}
}

// An id has the form that others of the family have, sorts by time and tells two
// contents of one millisecond apart.
func TestNewID(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 30, 7, 24, 25, 819e6, time.FixedZone("", 7200))
	a, b := &draft{real: "/work/site/a.md", sum: strings.Repeat("a", 64)}, &draft{real: "/work/site/a.md", sum: strings.Repeat("b", 64)}
	sum := sha256.Sum256([]byte(a.real))
	if got, want := newID(at, a), "2026-08-30T05-24-25-819Z-"+hex.EncodeToString(sum[:4])+"-aaaaaa"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if newID(at, a) == newID(at, b) {
		t.Error("two contents share an id")
	}
	if newID(at, a) >= newID(at.Add(time.Millisecond), a) {
		t.Error("the later id sorts before the earlier")
	}
}

// FuzzLook: whatever a payload names, what is read lies inside the root, is no
// longer than the bound, and has a name that is not secret.
func FuzzLook(f *testing.F) {
	for _, s := range []string{"in.md", "../x.md", "away/d.md", "near/../in.md", ".env", "a\x00b", "\\\\x\\y", "dir/../../p/in.md", "//", "in.md/", "./in.md", "~"} {
		f.Add(s)
	}
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	root := filepath.Join(dir, "p")
	for name, text := range map[string]string{"x.md": "OUT", "other/d.md": "OUT", "p/in.md": "in", "p/dir/a.md": "in", "p/.env": "OUT"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	for name, to := range map[string]string{"away": "../other", "near": "dir", "l.md": "../x.md", "e.md": ".env"} {
		if os.Symlink(to, filepath.Join(root, name)) != nil {
			f.Skip("links can't be made here")
		}
	}
	g := ground{root: root, home: filepath.Join(root, ".spar"), cwd: root}
	f.Fuzz(func(t *testing.T, given string) {
		d, why, err := g.look(given)
		if err != nil || why != wanted {
			return
		}
		if string(d.body) == "OUT" || !within(root, d.real) {
			t.Errorf("%q leads to %s: %q", given, d.real, d.body)
		}
	})
}

// FuzzPrintable: one line, printable, whatever the name.
func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"a.md", "line\nbreak", "\x1b[2J", "\xff\xfe", "cafe\u0301", "\u202egpj.exe", "a\u00a0b", "🛩️👩\u200d🚀", "�"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		for _, r := range got {
			if !printable(r) {
				t.Fatalf("Printable(%q) = %q holds %q", s, got, r)
			}
		}
		if Printable(got) != got {
			t.Errorf("Printable(%q) is not stable", s)
		}
	})
}
