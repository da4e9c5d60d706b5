// Package policy holds the text automode's model is given: how to judge, and the
// rules to judge by. Both are embedded, and either can be replaced by a file.
//
// The two are spliced into one system prompt with nothing added, so what
// [Policy.Text] holds is what the model reads, byte for byte, on every call: a
// date or a path in it would make each call pay for the whole prompt again.
package policy

import (
	"crypto/sha256"
	_ "embed" // the two texts
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:embed classifier.md
var classifier string

//go:embed rules.md
var rules string

// Marker is the line of the framework that the rules replace.
const Marker = "<rules>"

// MaxFile is the largest policy file that is read, in bytes. A policy is read by
// a model on every call; one of this size is a wrong path.
const MaxFile = 256 << 10

// Kind says what a name in the policy stands for.
type Kind uint8

// The kinds. Only Hard and Soft block.
const (
	Unknown    Kind = iota
	Hard            // a HARD BLOCK rule: agreement doesn't lift it
	Soft            // a SOFT BLOCK rule
	Exception       // an ALLOW exception
	Evaluation      // a way of reading, from the framework
)

// String is the kind's name in findings: "hard", "soft", "exception", "evaluation".
func (k Kind) String() string {
	return [...]string{"unknown", "hard", "soft", "exception", "evaluation"}[k]
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name; one it doesn't know is Unknown.
func (k *Kind) UnmarshalText(b []byte) error {
	*k = Unknown
	for _, known := range []Kind{Hard, Soft, Exception, Evaluation} {
		if string(b) == known.String() {
			*k = known
		}
	}
	return nil
}

// Name is one heading of the policy.
type Name struct {
	Name string
	Kind Kind
}

// Policy is a whole system prompt.
type Policy struct {
	// Text is what the model reads.
	Text string
	// SHA is the text's SHA-256 in hexadecimal; verdicts are kept under it.
	SHA string
	// Names are the rules, exceptions and ways of reading, in the text's order.
	Names []Name
}

// Paths name the files that replace the embedded texts; an empty one keeps the
// embedded text.
type Paths struct {
	Classifier, Rules string
}

// Embedded is the policy this program was built with.
func Embedded() (*Policy, error) { return Splice(classifier, rules) }

// Load is the embedded policy with the files of p in place of its parts. A file
// that can't be read, or a text [Splice] refuses, is an error and never another
// policy: a judge with rules nobody chose is worse than none.
func Load(p Paths) (*Policy, error) {
	c, r := classifier, rules
	var err error
	if p.Classifier != "" {
		if c, err = read(p.Classifier); err != nil {
			return nil, fmt.Errorf("the framework: %w", err)
		}
	}
	if p.Rules != "" {
		if r, err = read(p.Rules); err != nil {
			return nil, fmt.Errorf("the rules: %w", err)
		}
	}
	pol, err := Splice(c, r)
	if err != nil {
		for _, name := range []string{p.Rules, p.Classifier} {
			if name != "" {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil, err
	}
	return pol, nil
}

func read(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", name)
	}
	if info.Size() > MaxFile {
		return "", fmt.Errorf("%s has %d bytes; a policy has at most %d", name, info.Size(), MaxFile)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		return "", fmt.Errorf("%s is not UTF-8", name)
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.TrimSpace(text) == "" {
		return "", fmt.Errorf("%s is empty", name)
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

// sections are the headings a rule list has to have, in any order.
var sections = [...]struct {
	heading string
	kind    Kind
}{
	{"## HARD BLOCK rules", Hard},
	{"## SOFT BLOCK rules", Soft},
	{"## ALLOW exceptions", Exception},
}

// Splice puts a rule list into a framework, in place of the one line that is
// [Marker]. The line is found as a line and the rules go in as they are: text
// replacement would find a mention of the marker, and expand what looks like a
// reference in somebody's rules. It refuses a framework without the marker or with
// two, and rules without one of the three headings or with a name used twice.
func Splice(framework, ruleList string) (*Policy, error) {
	lines := strings.Split(framework, "\n")
	at := -1
	for i, l := range lines {
		if strings.TrimSpace(l) != Marker {
			continue
		}
		if at >= 0 {
			return nil, fmt.Errorf("the framework has a second line %s, line %d; the rules go in once", Marker, i+1)
		}
		at = i
	}
	if at < 0 {
		return nil, fmt.Errorf("the framework has no line %s for the rules to go in", Marker)
	}
	ruleList = strings.TrimSpace(ruleList)
	names, err := ruleNames(ruleList)
	if err != nil {
		return nil, err
	}
	for _, n := range evaluationNames(framework) {
		if i := slices.IndexFunc(names, func(m Name) bool { return fold(m.Name) == fold(n) }); i >= 0 {
			return nil, fmt.Errorf("%q is a rule and also a way of reading in the framework; rename one", names[i].Name)
		}
		names = append(names, Name{n, Evaluation})
	}
	lines[at] = ruleList
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	sum := sha256.Sum256([]byte(text))
	return &Policy{Text: text, SHA: hex.EncodeToString(sum[:]), Names: names}, nil
}

func ruleNames(list string) ([]Name, error) {
	var names []Name
	kind := Unknown
	seen := [len(sections)]bool{}
	fence := false
	for i, l := range strings.Split(list, "\n") {
		l = strings.TrimRight(l, " \t")
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fence = !fence
		}
		switch {
		case fence:
		case strings.HasPrefix(l, "## "):
			kind = Unknown
			for j, s := range sections {
				if strings.EqualFold(l, s.heading) {
					if seen[j] {
						return nil, fmt.Errorf("the rules have %q twice, line %d", s.heading, i+1)
					}
					seen[j], kind = true, s.kind
				}
			}
			if kind == Unknown {
				return nil, fmt.Errorf("the rules have a heading %q, line %d; want %q, %q and %q", l, i+1, sections[0].heading, sections[1].heading, sections[2].heading)
			}
		case strings.HasPrefix(l, "### "):
			name := strings.TrimSpace(strings.TrimPrefix(l, "### "))
			switch {
			case name == "":
				return nil, fmt.Errorf("the rules have a heading without a name, line %d", i+1)
			case kind == Unknown:
				return nil, fmt.Errorf("rule %q, line %d, stands under none of the three headings", name, i+1)
			case strings.ContainsAny(name, "<>[]"):
				return nil, fmt.Errorf("rule %q, line %d, has one of <>[] in its name; an answer couldn't carry it", name, i+1)
			case fold(name) == fold(Unavailable) || fold(name) == "":
				return nil, fmt.Errorf("rule %q, line %d: that name is kept for failures", name, i+1)
			}
			if j := slices.IndexFunc(names, func(m Name) bool { return fold(m.Name) == fold(name) }); j >= 0 {
				return nil, fmt.Errorf("the rules have the name %q twice, line %d", names[j].Name, i+1)
			}
			names = append(names, Name{name, kind})
		}
	}
	for j, s := range sections {
		if !seen[j] {
			return nil, fmt.Errorf("the rules have no heading %q", s.heading)
		}
	}
	if !slices.ContainsFunc(names, func(n Name) bool { return n.Kind == Hard || n.Kind == Soft }) {
		return nil, errors.New("the rules hold no rule: write one under a ### heading")
	}
	return names, nil
}

// evaluationNames are the bold heads of list items with a full stop inside
// ("- **Effect, not spelling.** ..."), in the last section before the rules: a model
// sometimes answers with one of them. Bold heads of other sections (the kinds of
// trouble, the kinds of rules) are nobody's way of reading.
func evaluationNames(framework string) []string {
	var out []string
	for l := range strings.SplitSeq(framework, "\n") {
		if strings.TrimSpace(l) == Marker {
			break
		}
		if strings.HasPrefix(l, "## ") {
			out = nil
		}
		rest, ok := strings.CutPrefix(l, "- **")
		if !ok {
			continue
		}
		name, _, ok := strings.Cut(rest, ".**")
		if ok && name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Unavailable is the rule a deny carries that no model decided: the classifier
// failed and the person chose to fail closed.
const Unavailable = "Classifier Unavailable"

// Find looks up a name as a model may write it: another case, other spaces, in
// brackets, quotes or asterisks, with "rule" at its end.
func (p *Policy) Find(name string) (Name, bool) {
	f := fold(name)
	if f == "" {
		return Name{}, false
	}
	for _, n := range p.Names {
		if fold(n.Name) == f {
			return n, true
		}
	}
	return Name{}, false
}

// fold is what two spellings of one name share.
func fold(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return strings.ContainsRune(" \t\r\n[]*`\"'_.:-", r)
	})
	if n := len(words); n > 1 && words[n-1] == "rule" {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// Count is how many names of a kind the policy has.
func (p *Policy) Count(k Kind) int {
	n := 0
	for _, name := range p.Names {
		if name.Kind == k {
			n++
		}
	}
	return n
}

// Stats is one line about the prompt for the person who changes it. The token count is
// a rough one, four bytes each.
func (p *Policy) Stats() string {
	return fmt.Sprintf("sha256 %s, %d bytes, %d rules, %d exceptions, about %d tokens",
		p.SHA, len(p.Text), p.Count(Hard)+p.Count(Soft), p.Count(Exception), len(p.Text)/4)
}
