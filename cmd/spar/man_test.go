package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
)

// TestManPages keeps docs/man what the command tree says: a page for spar and one
// for each of its commands. SPAR_UPDATE=1 rewrites them.
func TestManPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "docs", "man")
	root := (&app{}).tree()
	want := map[string]string{"spar.1": manPage(root, "spar", root.Commands)}
	for _, c := range root.Commands {
		if !c.Hidden {
			want["spar-"+c.Name+".1"] = manPage(c, "spar-"+c.Name, nil)
		}
	}
	if os.Getenv("SPAR_UPDATE") != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, known := want[e.Name()]; known {
			continue
		}
		if os.Getenv("SPAR_UPDATE") == "" {
			t.Errorf("docs/man/%s is of no command; SPAR_UPDATE=1 go test ./cmd/spar removes it", e.Name())
		} else if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		path := filepath.Join(dir, name)
		if os.Getenv("SPAR_UPDATE") != "" {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; SPAR_UPDATE=1 go test ./cmd/spar writes it", err)
		} else if strings.ReplaceAll(string(got), "\r\n", "\n") != text {
			t.Errorf("docs/man/%s is not what the command says now; SPAR_UPDATE=1 go test ./cmd/spar writes it", name)
		}
	}
}

// manPage is a command in man(7)'s macros. pages are commands with pages of their
// own; those of a command's own stand in its page.
func manPage(c *cli.Command, name string, pages []*cli.Command) string {
	var b strings.Builder
	// No date and no version: a page that differs says that the command does.
	b.WriteString(".TH " + strings.ToUpper(roff(name)) + " 1 \"\" spar \"spar manual\"\n")
	b.WriteString(".SH NAME\n" + roff(name) + " \\- " + roff(c.Usage) + "\n")
	usage := c.UsageText
	if usage == "" {
		usage = strings.TrimSpace(strings.ReplaceAll(name, "-", " ") + " [OPTION...] " + c.ArgsUsage)
	}
	b.WriteString(".SH SYNOPSIS\n.nf\n" + roffText(usage) + "\n.fi\n")
	section := func(title, text string) {
		if text != "" {
			b.WriteString(".SH " + title + "\n.nf\n" + roffText(text) + "\n.fi\n")
		}
	}
	description, example, _ := strings.Cut("\n\n"+c.Description, "\n\nExamples:\n")
	section("DESCRIPTION", strings.TrimSpace(description))
	if flags := visible(c.Flags); len(flags) > 0 {
		b.WriteString(".SH OPTIONS\n")
		manFlags(&b, flags)
	}
	if pages == nil {
		manCommands(&b, c, strings.ReplaceAll(name, "-", " "), 0)
	} else {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range pages {
			if !sub.Hidden {
				b.WriteString(".TP\n.BR spar\\-" + roff(sub.Name) + " (1)\n" + roff(sub.Usage) + "\n")
			}
		}
	}
	section("EXAMPLES", outdent(example))
	see := []string{"spar(1)"}
	if pages != nil {
		see = []string{"spar help COMMAND"}
	}
	b.WriteString(".SH SEE ALSO\n" + roff(strings.Join(see, ", ")) + "\n")
	return b.String()
}

// manCommands are the commands below a command, one behind the other.
func manCommands(b *strings.Builder, c *cli.Command, path string, depth int) {
	for _, sub := range c.Commands {
		if sub.Hidden {
			continue
		}
		if depth == 0 && !strings.Contains(b.String(), "\n.SH COMMANDS\n") {
			b.WriteString(".SH COMMANDS\n")
		}
		own := path + " " + sub.Name
		b.WriteString(".SS " + roff(own) + "\n" + roff(sub.Usage) + "\n")
		if sub.UsageText != "" {
			b.WriteString(".PP\n.nf\n" + roffText(sub.UsageText) + "\n.fi\n")
		}
		if sub.Description != "" {
			b.WriteString(".PP\n.nf\n" + roffText(sub.Description) + "\n.fi\n")
		}
		manFlags(b, visible(sub.Flags))
		manCommands(b, sub, own, depth+1)
	}
}

func visible(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool {
		v, ok := f.(cli.VisibleFlag)
		return ok && !v.IsVisible() || slices.Contains(f.Names(), "help") || slices.Contains(f.Names(), "version")
	})
}

func manFlags(b *strings.Builder, flags []cli.Flag) {
	for _, f := range flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		value := ""
		if doc.TakesValue() {
			value = "=\\fI" + strings.ToUpper(roff(f.Names()[0])) + "\\fR"
		}
		b.WriteString(".TP\n\\fB\\-\\-" + roff(f.Names()[0]) + "\\fR" + value + "\n" + roff(doc.GetUsage()) + "\n")
	}
}

// roff keeps a line from being taken for a request or an escape.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

func roffText(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = roff(strings.TrimRight(lines[i], " "))
	}
	return strings.Join(lines, "\n")
}

func outdent(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}

// TestRoff: a page's text is text, whatever it begins with.
func TestRoff(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{".redline.json", `\&.redline.json`},
		{"'quoted'", `\(aqquoted\(aq`},
		{`a\b --flag`, `a\eb \-\-flag`},
	}
	for _, tt := range tests {
		if got := roff(tt.in); got != tt.want {
			t.Errorf("roff(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestExamples: every command that a person sees shows how it is used, in examples,
// in usage lines of its own or in the ones of the command above it; and an example
// is a line that the program takes.
func TestExamples(t *testing.T) {
	t.Parallel()
	var walk func(c *cli.Command, path, above string)
	walk = func(c *cli.Command, path, above string) {
		if c.Hidden {
			return
		}
		_, shown, _ := strings.Cut("\n\n"+c.Description, "\n\nExamples:\n")
		switch {
		case shown != "":
			for line := range strings.SplitSeq(outdent(shown), "\n") {
				if err := readsWell(line, path); err != nil {
					t.Errorf("spar %s: example %q: %v", path, line, err)
				}
			}
		case path == "" || c.Name == "hook" || strings.Contains(c.UsageText, "\n"):
		case !strings.Contains("\n"+above, "\nspar "+path):
			t.Errorf("spar %s has no example; examples.go is their place", path)
		}
		for _, sub := range c.Commands {
			walk(sub, strings.TrimSpace(path+" "+sub.Name), c.UsageText)
		}
	}
	walk((&app{}).tree(), "", "")
}

// readsWell lets a command line through the program's own reader of words.
func readsWell(line, path string) error {
	args := shellWords(line)
	if len(args) == 0 || args[0] != "spar" {
		return errors.New("is no call of spar")
	}
	a := &app{stdio: stdio{out: &bytes.Buffer{}, err: &bytes.Buffer{}}}
	if args[1] == "help" {
		args = append(args[1:], "--help")
	}
	words, err := a.split(a.tree(), args[1:])
	if err != nil {
		return err
	}
	if path != "help" && !strings.HasPrefix(strings.Join(words, " "), path) {
		return fmt.Errorf("is read as %q", words)
	}
	return nil
}

// shellWords are the words of a simple command with its quotes taken off, up to the
// first redirection or pipe.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
	end := func() {
		if in {
			words = append(words, word.String())
		}
		word.Reset()
		in = false
	}
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			in, quote = true, r
		case r == ' ':
			end()
		case r == '<' || r == '>' || r == '|':
			end()
			return words
		default:
			in = true
			word.WriteRune(r)
		}
	}
	end()
	return words
}
