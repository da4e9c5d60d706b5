package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A block is one fenced part of the README.
type block struct {
	kind, body string
	line       int
}

// blocks reads the fenced parts of a Markdown text.
func blocks(text string) ([]block, error) {
	var out []block
	var open *block
	for i, line := range strings.SplitAfter(text, "\n") {
		fence, isFence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case open == nil && isFence:
			open = &block{kind: fence, line: i + 1}
		case open != nil && isFence && fence == "":
			out, open = append(out, *open), nil
		case open != nil:
			open.body += line
		}
	}
	if open != nil {
		return nil, fmt.Errorf("the block that begins in line %d is never closed", open.line)
	}
	return out, nil
}

// TestReadme holds the README to what runs. Every sh block in it stands word for
// word as a file in a testdata/script/readme_*.txtar that runs it, every text block
// is what the sh block before it prints there (a line of … stands for any lines),
// every json block is a file there too; and no such file is missing in the README.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := blocks(string(readme))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "readme_*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	type part struct{ script, name string }
	files := map[part]string{}
	runs := map[part]bool{}
	for _, path := range scripts {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		script := filepath.Base(path)
		for _, f := range archive.Files {
			if dir, name, ok := strings.Cut(f.Name, "/"); ok && dir == "readme" {
				files[part{script, name}] = string(f.Data)
			}
		}
		for line := range strings.Lines(string(archive.Comment)) {
			words := strings.Fields(strings.TrimPrefix(line, "! "))
			for i, w := range words {
				name, ok := strings.CutPrefix(w, "readme/")
				if !ok {
					name, ok = strings.CutPrefix(w, "$WORK/readme/")
				}
				if ok && i > 0 && (words[0] == "exec" && words[i-1] == "-eu" || words[0] == "cmp" || words[0] == "cmpenv" || words[0] == "cp" || words[0] == "stdin") {
					runs[part{script, name}] = true
				}
			}
		}
	}
	if len(files) == 0 {
		t.Fatal("no script holds a block of the README")
	}
	used := map[part]bool{}
	take := func(b block, ext string) (part, bool) {
		for p, body := range files {
			if strings.HasSuffix(p.name, ext) && body == b.body {
				used[p] = true
				return p, true
			}
		}
		t.Errorf("README.md:%d: no testdata/script/readme_*.txtar holds this block as a readme/NAME%s, so nothing runs it:\n%s", b.line, ext, b.body)
		return part{}, false
	}
	var last part
	for _, b := range found {
		switch b.kind {
		case "sh":
			last, _ = take(b, ".sh")
			if last.name != "" && !runs[last] {
				t.Errorf("README.md:%d: %s holds this block but never runs it with `exec sh -eu readme/%s`", b.line, last.script, last.name)
			}
		case "json":
			take(b, ".json")
		case "text":
			out := part{last.script, strings.TrimSuffix(last.name, ".sh") + ".out"}
			printed, ok := files[out]
			used[out] = true
			switch {
			case !ok || !runs[out]:
				t.Errorf("README.md:%d: no script compares what the block before prints with a readme/%s", b.line, out.name)
			case !excerpt(b.body, printed):
				t.Errorf("README.md:%d: not what is printed:\n%s\nprinted is:\n%s", b.line, b.body, printed)
			}
		default:
			t.Errorf("README.md:%d: a block of kind %q; want sh (it is run), text (what the one before prints) or json", b.line, b.kind)
		}
	}
	for p := range files {
		if !used[p] {
			t.Errorf("%s: readme/%s is not in README.md", p.script, p.name)
		}
	}
}

// excerpt reports whether part is text with runs of lines replaced by a line of …
func excerpt(part, text string) bool {
	want, have := strings.Split(part, "\n"), strings.Split(text, "\n")
	for i := 0; i < len(want); i++ {
		if want[i] != "…" {
			if len(have) == 0 || have[0] != want[i] {
				return false
			}
			have = have[1:]
			continue
		}
		if i+1 == len(want) {
			return true
		}
		at := slices.Index(have, want[i+1])
		if at < 0 {
			return false
		}
		have = have[at:]
	}
	return len(have) == 0
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		part, text string
		want       bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"…\nd\n", "a\nd\n", true},
		{"a\n…\n", "a\nb\n", true},
		{"a\n", "a\nb\n", false},
		{"b\n", "a\nb\n", false},
		{"a\n…\nx\n", "a\nb\n", false},
		{"", "a\n", false},
	}
	for _, tt := range tests {
		if got := excerpt(tt.part, tt.text); got != tt.want {
			t.Errorf("excerpt(%q, %q) = %v", tt.part, tt.text, got)
		}
	}
}

// TestReadmeTestCommand holds CI to the README: the last thing .ci/run does is
// the README's own test command.
func TestReadmeTestCommand(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile(filepath.Join("..", "..", ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(ci)), "\n")
	command := lines[len(lines)-1]
	if !strings.Contains(string(readme), "\n"+command+"\n") {
		t.Errorf(".ci/run ends with %q, which is no command of the README", command)
	}
}

// TestDocuments follows every relative link of the documentation, and wants each
// decision in the decisions' index.
func TestDocuments(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	linked := map[string]bool{}
	for _, name := range documents {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			to := filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1]))
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which isn't there", name, m[1])
			}
			linked[to] = true
		}
	}
	if len(linked) < 10 {
		t.Errorf("only %d links found; that can't be all of them", len(linked))
	}
	for _, name := range documents {
		if !linked[name] && filepath.Dir(name) != root {
			t.Errorf("no document links to %s; decisions go into docs/decisions/README.md, others where they help", name)
		}
	}
}
