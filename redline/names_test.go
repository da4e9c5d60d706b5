package redline

import (
	"slices"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		prompt string
		want   []string
	}{
		{"", []string{}},
		{"/karte acme", []string{}},
		{"Please write notes.md with a short summary.", []string{"notes.md"}},
		{"Fix src/app.ts:42 and `lib/Sum.go`, then look at README.", []string{"app.ts", "sum.go", "readme"}},
		{"update Makefile, Dockerfile and .env", []string{"makefile", "dockerfile", ".env"}},
		{"see @docs/plan.md", []string{"plan.md"}},
		{`save it as "my notes.txt"`, []string{"my notes.txt", "notes.txt"}},
		{`open C:\work\site\Index.HTML`, []string{"index.html"}},
		{"version 1.4.0 of v2.3 is e.g. fine, i.e. ok...", []string{}},
		{"read https://example.test/a/b.html and mail dev@example.test", []string{}},
		{"report.mdを直して", []string{"report.md"}},
		{"この「見積.xlsx」とreport.mdを直して", []string{"見積.xlsx", "とreport.md", "report.md"}},
		{"Did you finish? (a.go, b.go; a.go)", []string{"a.go", "b.go"}},
		{"app.test.tsx.", []string{"app.test.tsx"}},
	}
	for _, tt := range tests {
		if got := Names(tt.prompt); !slices.Equal(got, tt.want) || got == nil {
			t.Errorf("%q: %q, want %q", tt.prompt, got, tt.want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("write notes.md and `a b.txt`")
	f.Add("\"'`.")
	f.Fuzz(func(t *testing.T, prompt string) {
		names := Names(prompt)
		if names == nil || len(names) > maxNames {
			t.Fatalf("%d names", len(names))
		}
		for _, n := range names {
			if n == "" || utf8.ValidString(prompt) && !utf8.ValidString(n) {
				t.Fatalf("name %q from %q", n, prompt)
			}
		}
	})
}

// TestLookup holds the map of a batch against the search of a single call.
func TestLookup(t *testing.T) {
	t.Parallel()
	for name, prog := range programs() {
		if search(name) != prog {
			t.Errorf("%s: the map and the tables differ", name)
		}
	}
	for _, name := range []string{"", "no-such-program"} {
		if lookup(name) != nil || search(name) != nil {
			t.Errorf("%q is found", name)
		}
	}
}
