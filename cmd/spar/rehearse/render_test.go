package rehearse

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// night is a flight with one act of every kind.
func night() *Flight {
	return &Flight{
		Title: "night", Empty: true, Reason: "cron", Total: 9, Limit: 3, Calls: 6, Findings: 5,
		Kinds:   map[string]int{"outward": 3, "irreversible": 3, "dependency": 1},
		Answers: map[string]int{Free: 1, Noted: 1, Recorded: 1, Advised: 1, Asked: 1, Stopped: 1},
		Acts: []Act{
			{N: 1, Event: "session-start", Did: "session starts (startup)"},
			{N: 2, Event: "pre-tool", Tool: "Bash", Did: "ls\nwc -l *", Answer: Free, Say: "reading is free"},
			{N: 3, Event: "pre-tool", Tool: "Write", Did: "a.txt", Answer: Noted, Kinds: map[string]int{"unnamed": 0}},
			{N: 4, Event: "pre-tool", Tool: "Bash", Did: "npm install x", Answer: Recorded, Kinds: map[string]int{"dependency": 1}, Points: 1, Total: 1},
			{N: 5, Event: "pre-tool", Tool: "Bash", Did: "npm install y", Answer: Advised, Kinds: map[string]int{"dependency": 1}, Points: 1, Total: 2, Told: "redline: 2\nhalfway"},
			{N: 6, Event: "pre-tool", Tool: "Bash", Did: "spar mode cruise", Answer: Asked, Total: 2, Agent: "a1"},
			{N: 7, Event: "pre-tool", Tool: "mcp__mail__send", Did: "git push --force", Answer: Stopped, Kinds: map[string]int{"outward": 3, "irreversible": 3}, Points: 6, Total: 8, Told: "no"},
			{N: 8, Event: "session-end", Did: "session ends", Filed: []uint64{5}, Fault: "something failed"},
		},
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Print(&b, night(), Style{Next: []string{"one", "two"}}); err != nil {
		t.Fatal(err)
	}
	want := `rehearsal: night
nobody in the seat (cron); 8 acts; nothing of it is run

    tool     what the agent is about to do                   sum  answer
 1  ·        session starts (startup)
 2  Bash     ls⏎wc -l *                                        0  free      reading is free
 3  Write    a.txt                                             0  noted     unnamed +0
 4  Bash     npm install x                                     1  recorded  dependency +1
 5  Bash     npm install y                                     2  advised   dependency +1
             │ redline: 2
             │ halfway
 6  Bash     spar mode cruise                                  2  asked     a subagent's call
 7  send     git push --force                                  8  stopped   irreversible +3, outward +3
             │ no
 8  ·        session ends                                         recorded
             fault: something failed

redline: 9 spent this sortie (stop at 3)
6 tool calls: 1 free, 1 noted, 1 recorded, 1 advised, 1 asked, 1 stopped
next: one
      two
`
	if got := b.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

// On a terminal nothing runs over the edge, and with the colours taken out it says
// the same as in a pipe.
func TestPrintOnATerminal(t *testing.T) {
	t.Parallel()
	f := night()
	f.Acts[1].Say = strings.Repeat("a long comment ", 20)
	f.Acts[4].Told = strings.Repeat("a long word of advice ", 20)
	for _, width := range []int{100, 120, 200} {
		var b bytes.Buffer
		if err := Print(&b, f, Style{Color: true, Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strip(b.String())) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > width {
				t.Errorf("%d columns on a screen of %d: %s", n, width, line)
			}
		}
	}
	var plainly, coloured bytes.Buffer
	if err := Print(&plainly, night(), Style{}); err != nil {
		t.Fatal(err)
	}
	if err := Print(&coloured, night(), Style{Color: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(coloured.String(), "\x1b[") {
		t.Error("no colour on a terminal")
	}
	trim := func(s string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		return strings.Join(lines, "\n")
	}
	if got := trim(strip(coloured.String())); got != plainly.String() {
		t.Errorf("with its colours taken out:\n%s\nwant\n%s", got, plainly.String())
	}
}

// strip takes colours out.
func strip(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		j := strings.IndexByte(s[i:], 'm')
		s = s[:i] + s[i+j+1:]
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := JSON(&b, night()); err != nil {
		t.Fatal(err)
	}
	var back Flight
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if dec.More() {
		t.Error("more than one object")
	}
	if back.Total != 9 || len(back.Acts) != 8 || back.Acts[6].Kinds["outward"] != 3 || !back.Empty {
		t.Errorf("read back as %+v", back)
	}
}

// A recording is somebody else's words: none of them may steer a terminal.
func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{" ls \n", "ls"},
		{"a\nb\r\nc", "a⏎b⏎c"},
		{"a\tb", "a b"},
		{"\x1b[2Jgone", "[2Jgone"},
		{"a\u009b31mb", "a31mb"},     // an escape in one character
		{"a\u202eb\u2066c", "abc"},   // text that runs the other way
		{"a\xffb", "ab"},             // no character at all
		{"bell\a\x00\x7f", "bell"},   // and the rest of them
		{"größe 値段 🚀", "größe 値段 🚀"}, // words stay
	}
	for _, tt := range tests {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("ls\x1b]0;title\a\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("%q keeps %U", got, r)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("cleaned twice: %q, then %q", got, again)
		}
		for _, n := range []int{20, 50} {
			lines := fold(got, n)
			for _, line := range lines {
				if utf8.RuneCountInString(line) > n {
					t.Errorf("fold(%d) leaves %q", n, line)
				}
			}
			bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			if bare(strings.Join(lines, "")) != bare(got) {
				t.Errorf("fold(%d) lost something of %q", n, got)
			}
		}
	})
}

func TestFold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		n    int
		want []string
	}{
		{"", 30, []string{""}},
		{"short", 30, []string{"short"}},
		{"aaaaaaaaaaaa bbbbbbbbbbbb cccc", 26, []string{"aaaaaaaaaaaa bbbbbbbbbbbb", "cccc"}},
		{strings.Repeat("x", 45), 20, []string{strings.Repeat("x", 20), strings.Repeat("x", 20), strings.Repeat("x", 5)}},
		{"a narrow screen is no screen", 5, []string{"a narrow screen is no screen"}},
	}
	for _, tt := range tests {
		if got := fold(tt.text, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("fold(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
