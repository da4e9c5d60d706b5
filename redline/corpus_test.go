package redline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/sortie/harness"
)

// labelled is one labelled call of testdata/corpus.
type labelled struct {
	ID         string            `json:"id"`
	Tool       string            `json:"tool"`
	Input      json.RawMessage   `json:"input"`
	Cwd        string            `json:"cwd"`
	Env        map[string]string `json:"env"`
	Production []string          `json:"production"`
	Want       []string          `json:"want"`
	Tags       []string          `json:"tags"`
	Why        string            `json:"why"`
	Open       bool              `json:"open"`
}

func corpus(t testing.TB, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var c labelled
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v in %s", name, err, sc.Bytes())
		}
		out = append(out, c)
	}
	return out
}

// call is the payload a labelled case stands for.
func (c labelled) call(t testing.TB) *harness.Call {
	t.Helper()
	raw, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": c.ID, "cwd": c.Cwd,
		"tool_name": c.Tool, "tool_input": c.Input,
	})
	if err != nil {
		t.Fatal(err)
	}
	call, _, err := harness.Parse(raw, harness.Hint{Harness: "claude", Event: "PreToolUse"}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func (c labelled) price(t testing.TB) *Priced {
	return Price(c.call(t), Options{Env: c.Env, Rules: Rules{Production: c.Production}})
}

// kinds is the price as the corpus spells it: sorted.
func (p *Priced) kinds() []string {
	out := slices.Clone(p.Kinds)
	slices.Sort(out)
	return out
}

// failing are cases that can't pass yet, each with the reason. It is empty, and
// meant to stay so.
var failing = map[string]string{}

// chosen says what is charged where the corpus leaves a case open.
var chosen = map[string]string{
	"rl-0471": "a removed file is gone, with -f or without",
	"rl-0472": "sed is read: this program can only print",
	"rl-0473": "the reader knows what the line itself has just written into the script",
	"rl-0474": "readable code that removes a tree costs what rm would",
	"rl-0475": "a manifest gains an entry, by whatever spelling",
	"rl-0476": "a container is made again from its image; its volumes stay",
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"redline.jsonl", "own.jsonl"} {
		cases := corpus(t, name)
		passed := 0
		var mu = make(chan bool, len(cases))
		t.Run(strings.TrimSuffix(name, ".jsonl"), func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.ID, func(t *testing.T) {
					p := c.price(t)
					got := p.kinds()
					if c.Want == nil {
						c.Want = []string{}
					}
					if len(got) == len(c.Want) && slices.Equal(got, c.Want) {
						if why, ok := failing[c.ID]; ok {
							t.Errorf("passes now; take it off the failing list (%s)", why)
						}
						mu <- true
						return
					}
					mu <- false
					msg := fmt.Sprintf("kinds %q, want %q\n%s\n%s\n%s\n%s", got, c.Want, c.Why, c.Input, p.dump(), reading(p))
					if why, ok := failing[c.ID]; ok {
						t.Skipf("known: %s\n%s", why, msg)
					}
					t.Error(msg)
				})
			}
		})
		close(mu)
		for ok := range mu {
			if ok {
				passed++
			}
		}
		label := "redline corpus"
		if name == "own.jsonl" {
			label = "redline own corpus"
		}
		t.Logf("%s: %d of %d", label, passed, len(cases))
		fmt.Printf("%s: %d of %d\n", label, passed, len(cases))
	}
}

// TestOpenCasesAreChosen holds that each case the corpus leaves open has its
// choice and reason.
func TestOpenCasesAreChosen(t *testing.T) {
	t.Parallel()
	for _, c := range corpus(t, "redline.jsonl") {
		if c.Open && chosen[c.ID] == "" {
			t.Errorf("%s is open and has no choice: %s", c.ID, c.Why)
		}
		if !c.Open && chosen[c.ID] != "" {
			t.Errorf("%s is not open", c.ID)
		}
	}
}

func (p *Priced) dump() string {
	var b strings.Builder
	for _, c := range p.Charges {
		fmt.Fprintf(&b, "  act %d: %s: %s\n", c.Act, c.Kind, c.Why)
	}
	return b.String()
}

func reading(p *Priced) string {
	if p.Reading == nil {
		return ""
	}
	var b strings.Builder
	for i, a := range p.Reading.Acts {
		fmt.Fprintf(&b, "  %d %s %v dir=%s via=%v", i, a.Kind, a.Argv, a.Dir, a.Via)
		if a.Text != "" {
			fmt.Fprintf(&b, " text=%q why=%q", a.Text, a.Why)
		}
		if len(a.Target.Parts) > 0 {
			fmt.Fprintf(&b, " target=%s", a.Target)
		}
		for _, r := range a.Redirs {
			fmt.Fprintf(&b, " redir%d %s", r.Op, r.Target)
		}
		if a.Stdin.Kind != 0 {
			fmt.Fprintf(&b, " stdin=%d from=%v text=%v", a.Stdin.Kind, a.Stdin.From, a.Stdin.HasText)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestTariffExamples walks every row: without both examples it fails, and both
// are priced.
func TestTariffExamples(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, table := range tables() {
		for i := range table {
			prog := &table[i]
			for _, n := range append([]string{prog.Name}, prog.Also...) {
				if other, ok := seen[n]; ok {
					t.Errorf("%s is a name of %s and of %s; the second is never found", n, other, prog.Name)
				}
				seen[n] = prog.Name
				if lookup(n) == nil {
					t.Errorf("%s is not found", n)
				}
			}
			for k := range prog.Rows {
				r := &prog.Rows[k]
				name := prog.Name + " " + r.Path + " " + r.With
				t.Run(name, func(t *testing.T) {
					if r.Charged == "" || r.Free == "" || r.Why == "" || r.kinds == 0 {
						t.Fatalf("a row needs kinds, why, a charged and a free example")
					}
					p := priceLine(r.Charged)
					found := false
					for _, c := range p.Charges {
						found = found || c.Row == r
					}
					if !found {
						t.Errorf("%q is not charged by this row:\n%s%s", r.Charged, p.dump(), reading(p))
					}
					free := priceLine(r.Free)
					for _, c := range free.Charges {
						if c.Row == r {
							t.Errorf("%q is charged by this row:\n%s%s", r.Free, free.dump(), reading(free))
						}
					}
				})
			}
		}
	}
}

func priceLine(line string) *Priced {
	return Price(&harness.Call{Kind: harness.Shell, Command: line, Cwd: "/work/site"}, Options{
		Env: map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"},
	})
}
