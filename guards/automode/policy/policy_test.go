package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEmbedded(t *testing.T) {
	t.Parallel()
	p, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		kind Kind
		n    int
	}{{Hard, 5}, {Soft, 17}, {Exception, 7}, {Evaluation, 14}} {
		if got := p.Count(want.kind); got != want.n {
			t.Errorf("%d names of kind %s, want %d", got, want.kind, want.n)
		}
	}
	for _, s := range sections {
		if strings.Count(p.Text, s.heading+"\n") != 1 {
			t.Errorf("the prompt has not exactly one %q", s.heading)
		}
	}
	for l := range strings.SplitSeq(p.Text, "\n") {
		if strings.TrimSpace(l) == Marker {
			t.Error("the marker's line is still there")
		}
	}
	for _, want := range []string{"<block>yes</block><rule>Exact Rule Name</rule><reason>[Exact Rule Name] one sentence</reason>", "<block>no</block>"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("the prompt lacks the contract %q", want)
		}
	}
	again, err := Load(Paths{})
	if err != nil || again.SHA != p.SHA {
		t.Errorf("loaded twice: %v, %s and %s", err, p.SHA, again.SHA)
	}
	if !strings.Contains(p.Stats(), "22 rules, 7 exceptions") {
		t.Errorf("stats: %s", p.Stats())
	}
}

// Every soft rule says what the person must name: without it no agreement can be
// measured. One hard rule could not be lifted by it and doesn't say so.
func TestSoftRulesSayWhatMustBeNamed(t *testing.T) {
	t.Parallel()
	_, soft, _ := strings.Cut(rules, "## SOFT BLOCK rules")
	soft, _, _ = strings.Cut(soft, "## ALLOW exceptions")
	parts := strings.Split(soft, "\n### ")[1:]
	for _, part := range parts {
		name, _, _ := strings.Cut(part, "\n")
		if !strings.Contains(part, "The person must name:") {
			t.Errorf("%s doesn't say what the person must name", name)
		}
	}
	if len(parts) != 17 {
		t.Errorf("%d soft rules", len(parts))
	}
}

const few = "## HARD BLOCK rules\n### A\nx\n## SOFT BLOCK rules\n### B\ny\n## ALLOW exceptions\n### C\nz\n"

func TestSplice(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, framework, rules, want, err string
	}{
		{name: "in place", framework: "top\n<rules>\nend\n", rules: "\n" + few + "\n", want: "top\n" + strings.TrimSpace(few) + "\nend"},
		{name: "a mention is no marker", framework: "see <rules> below\n  <rules>  \n", rules: few, want: "see <rules> below\n" + strings.TrimSpace(few)},
		{name: "no expansion", framework: "<rules>", rules: few + "costs $1 and $& and `$'`", want: strings.TrimSpace(few) + "\ncosts $1 and $& and `$'`"},
		{name: "no marker", framework: "top", rules: few, err: "no line <rules>"},
		{name: "two markers", framework: "<rules>\n<rules>", rules: few, err: "second line <rules>, line 2"},
		{name: "a heading is missing", framework: "<rules>", rules: "## HARD BLOCK rules\n### A\n## ALLOW exceptions\n", err: `no heading "## SOFT BLOCK rules"`},
		{name: "a name twice", framework: "<rules>", rules: few + "### a\n", err: `name "A" twice`},
		{name: "a name of the framework", framework: "- **B.** read so\n<rules>", rules: few, err: `"B" is a rule and also a way of reading`},
		{name: "no heading above", framework: "<rules>", rules: "### A\n" + few, err: "stands under none"},
		{name: "a heading nobody knows", framework: "<rules>", rules: few + "## NOTES\n", err: `heading "## NOTES"`},
		{name: "no rule at all", framework: "<rules>", rules: "## HARD BLOCK rules\n## SOFT BLOCK rules\n## ALLOW exceptions\n### C\n", err: "hold no rule"},
		{name: "a name an answer can't carry", framework: "<rules>", rules: strings.Replace(few, "### A", "### A</rule>", 1), err: "<>[]"},
		{name: "a name kept for failures", framework: "<rules>", rules: strings.Replace(few, "### A", "### Classifier unavailable", 1), err: "kept for failures"},
		{name: "an example in a fence", framework: "<rules>", rules: few + "```\n### C\n```", want: strings.TrimSpace(few) + "\n```\n### C\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := Splice(tt.framework, tt.rules)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want it to contain %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Text != tt.want {
				t.Errorf("text %q, want %q", p.Text, tt.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := write("rules.md", "\ufeff"+strings.ReplaceAll(few, "\n", "\r\n"))
	p, err := Load(Paths{Rules: own})
	if err != nil {
		t.Fatal(err)
	}
	if p.Count(Hard) != 1 || strings.Contains(p.Text, "\r") || strings.Contains(p.Text, "Data Exfiltration\n") {
		t.Errorf("the file's rules are not what was loaded: %v", p.Names)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "gone.md"):  "gone.md",
		dir:                            "no regular file",
		write("empty.md", " \n"):       "is empty",
		write("binary.md", "\xff\xfe"): "not UTF-8",
		write("big.md", strings.Repeat("x", MaxFile+1)): "bytes",
		write("other.md", "# no rules\n"):               "other.md: the rules have no heading",
	} {
		if _, err := Load(Paths{Rules: name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	p, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"History Rewrite":             "History Rewrite soft",
		"[history  rewrite]":          "History Rewrite soft",
		"**Policy Tampering** rule":   "Policy Tampering hard",
		"the_current-feature branch.": "The current feature branch exception",
		"Read only actions":           "Read-only actions exception",
		"effect, not spelling":        "Effect, not spelling evaluation",
		"Rule":                        " unknown",
		"":                            " unknown",
		"History Rewriting":           " unknown",
	} {
		n, ok := p.Find(in)
		if got := fmt.Sprintf("%s %s", n.Name, n.Kind); got != want || ok != (n.Name != "") {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzSplice(f *testing.F) {
	f.Add("<rules>", few)
	f.Add(classifier, rules)
	f.Fuzz(func(t *testing.T, framework, list string) {
		p, err := Splice(framework, list)
		if err != nil {
			return
		}
		if !strings.Contains(p.Text, strings.TrimSpace(list)) {
			t.Error("the rules are not in the prompt as they were given")
		}
		for _, n := range p.Names {
			if got, ok := p.Find(n.Name); n.Kind != Evaluation && (!ok || got != n) {
				t.Errorf("%v is found as %v", n, got)
			}
		}
	})
}
