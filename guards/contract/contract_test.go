package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"spar/sortie"
)

func must(t *testing.T, k Kind, v any) Expect {
	t.Helper()
	e, err := New(k, v)
	if err != nil {
		t.Fatalf("New(%s, %v): %v", k, v, err)
	}
	return e
}

// Behaviours 2 to 5 and the table of expectations.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   Kind
		value  any
		out    string
		reason Reason // "": met
	}{
		{Count, 45, "45\n", ""},
		{Count, 45, "+45.0", ""},
		{Count, "45", " 045 ", ""},
		{Count, json.Number("4.5e1"), "45", ""},
		{Count, 45, "44", Mismatch},
		{Count, 45, "-45", Mismatch},
		{Count, json.Number("9007199254740993"), "9007199254740992", Mismatch}, // one apart, and the same float64
		{Count, 0, "0", ""},
		{Count, 0, "-0", ""},
		{Count, 0, "", Empty}, // not measured is not zero
		{AtLeast, 0, " \n", Empty},
		{AtLeast, 3, "2.99", Mismatch},
		{AtLeast, 3, "10", ""},
		{AtLeast, json.Number("0.5"), "0.50", ""},
		{AtLeast, 1, "-7", Mismatch},
		{Count, 45, "0x2d", Mismatch},
		{Count, 45, "4.5e1", Mismatch},
		{AtLeast, 1, "Infinity", Mismatch},
		{Count, 1000, "1,000", Mismatch},
		{Count, 1, "1.", Mismatch},
		{Count, 1, ".1", Mismatch},
		{Count, 1, "1 row", Mismatch},
		{NonEmpty, nil, "0", ""}, // a shell's 0 is an answer
		{NonEmpty, nil, "\uFEFF \u00a0\n", Empty},
		{NonEmpty, nil, "\x1b\x00\u200b\u202e", Empty}, // nothing that shows
		{Default, nil, "x", ""},
		{Contains, "200", "HTTP/1.1 200 OK", ""},
		{Contains, "200", "", Empty},
		{Equals, " done", "\uFEFFdone\r\n", ""},
		{Equals, "done", "Done", Mismatch},
		{Matches, "id=[A-Z0-9]+", "x id=A7 y", ""},
		{Matches, "^y$", "x\ny", Mismatch},
	} {
		t.Run(fmt.Sprintf("%s %v of %q", tt.kind, tt.value, tt.out), func(t *testing.T) {
			t.Parallel()
			met, reason, detail := must(t, tt.kind, tt.value).Judge(tt.out)
			if reason != tt.reason || met != (tt.reason == "") {
				t.Errorf("met %v, %q (%s); want %q", met, reason, detail, tt.reason)
			}
			if !met && detail == "" {
				t.Error("it says nothing of why")
			}
		})
	}
}

// Behaviours 8, 26, 28: what is no expectation.
func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind  Kind
		value any
		want  string
	}{
		{Count, nil, "needs a value"},
		{Count, "abc", "wants a number"},
		{Count, "-1", "not negative"},
		{AtLeast, "NaN", "wants a number"},
		{AtLeast, "1e400", "wants a number"},
		{Count, true, "true or false"},
		{Count, "", "wants a number"},
		{Contains, "", "not empty"},
		{Contains, nil, "needs a value"},
		{Equals, 3, "wants a text"},
		{Matches, "", "not empty"},
		{Matches, "(", "not a regular expression"},
		{Matches, "x(?!y)", "look-around"},
		{"cnt", 0, "the six are nonempty, count, at-least, contains, equals, matches"},
	} {
		_, err := New(tt.kind, tt.value)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%s, %v): %v; want %q", tt.kind, tt.value, err, tt.want)
		}
	}
}

// Behaviour 28: a pattern that hangs other engines ends.
func TestPatternEnds(t *testing.T) {
	t.Parallel()
	e := must(t, Matches, "(a+)+$")
	if met, _, _ := e.Judge(strings.Repeat("a", 40_000) + "b"); met {
		t.Error("it matches a text that does not end in a")
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Expect{
		"nonEmpty (default)": {},
		"nonEmpty":           must(t, NonEmpty, nil),
		"count(45)":          must(t, Count, "045"),
		"atLeast(0.5)":       must(t, AtLeast, "0.50"),
		`contains("a\nb")`:   must(t, Contains, "a\nb"),
		`equals("x")`:        must(t, Equals, "x"),
		"matches(/^a$/)":     must(t, Matches, "^a$"),
	} {
		if got := e.Label(); got != want {
			t.Errorf("label %s, want %s", got, want)
		}
	}
}

// Behaviours 13 to 15, 26, 29 and the table of additions.
func TestReadLine(t *testing.T) {
	t.Parallel()
	const expect = `"expect":{"type":"count","value":45}`
	for _, tt := range []struct {
		line   string
		reason Reason
	}{
		{`{"action":"a","probe":"echo 45",` + expect + `}`, ""},
		{"\uFEFF" + `{"probe":"echo 45",` + expect + `} ` + "\r", ""},
		{`{"probe":"x","expect":{"type":"nonEmpty"}}`, ""},
		{`{"probe":"x","expect":{"type":"COUNT","value":"45"}}`, ""},
		{`{"argv":["a","b c"],` + expect + `,"ok_exit":[0,1],"timeout_ms":50,"cwd":"sub/dir","independent":"by the replica"}`, ""},
		{`not json`, BadJSON},
		{`{"a":1} {"b":2}`, BadJSON},
		{`{"a":`, BadJSON},
		{`null`, BadContract},
		{`3`, BadContract},
		{`"x"`, BadContract},
		{`[]`, BadContract},
		{`{}`, NoProbe},
		{`{"probe":"",` + expect + `}`, NoProbe},
		{`{"probe":3,` + expect + `}`, NoProbe},
		{`{"probe":null,` + expect + `}`, NoProbe},
		{`{"argv":[],` + expect + `}`, NoProbe},
		{`{"argv":["a",3],` + expect + `}`, NoProbe},
		{`{"argv":["a"],"probe":"b",` + expect + `}`, NoProbe},
		{`{"probe":"a\u0000b",` + expect + `}`, NoProbe},
		{`{"action":3,"probe":"x",` + expect + `}`, BadContract},
		{`{"probe":"x",` + expect + `,"cwd":"../up"}`, BadContract},
		{`{"probe":"x",` + expect + `,"cwd":"/etc"}`, BadContract},
		{`{"probe":"x",` + expect + `,"ok_exit":[]}`, BadContract},
		{`{"probe":"x",` + expect + `,"ok_exit":[-1]}`, BadContract},
		{`{"probe":"x",` + expect + `,"timeout_ms":0}`, BadContract},
		{`{"probe":"x"}`, BadExpect},
		{`{"probe":"x","expect":{}}`, BadExpect},
		{`{"probe":"x","expect":"count"}`, BadExpect},
		{`{"probe":"x","expect":{"type":"count","value":null}}`, BadExpect},
		{`{"probe":"x","expect":{"type":"count","value":-3}}`, BadExpect},
		{`{"probe":"x","expect":{"type":"contains"}}`, BadExpect},
		{`{"probe":"x","expect":{"type":"contains","value":45}}`, BadExpect},
	} {
		if l := ReadLine(tt.line); l.Reason != tt.reason {
			t.Errorf("%s: %q (%s), want %q", tt.line, l.Reason, l.Detail, tt.reason)
		}
	}
}

func TestReadNamesUnknownKeysAndGoesOn(t *testing.T) {
	t.Parallel()
	l := ReadLine(`{"probe":"x","expect":{"type":"nonempty"},"ok_exits":[1],"Probe":"y"}`)
	if l.Reason != "" || !slices.Equal(l.Odd, []string{"Probe", "ok_exits"}) {
		t.Errorf("%q, odd %q", l.Reason, l.Odd)
	}
}

func TestReadBounds(t *testing.T) {
	t.Parallel()
	line := `{"probe":"echo %d","expect":{"type":"nonempty"}}` + "\n"
	var b strings.Builder
	for i := range LineCap + 5 {
		fmt.Fprintf(&b, line, i)
	}
	got := Read([]byte(b.String()))
	if len(got) != LineCap+1 || got[LineCap].Reason != BadContract || !strings.Contains(got[LineCap].Detail, "more than 200 lines") {
		t.Errorf("%d lines, the last %+v", len(got), got[len(got)-1])
	}
	big := fmt.Sprintf(line, 1) + strings.Repeat(" ", FileCap) + "\n" + fmt.Sprintf(line, 2)
	if got = Read([]byte(big)); len(got) != 2 || got[1].Reason != BadContract || !strings.Contains(got[1].Detail, "bytes") {
		t.Errorf("%d lines of a file that is too large: %+v", len(got), got)
	}
}

// Behaviours 20 and 36 of yubisashi: spelling is no part of a key, the probe is.
func TestKey(t *testing.T) {
	t.Parallel()
	a := ReadLine(`{"action":"a","probe":"p","expect":{"type":"count","value":45}}`)
	b := ReadLine("\uFEFF" + ` { "expect" : {"value":"45.0", "type":"Count"}, "probe":"p", "action":"a" }` + "\r")
	c := ReadLine(`{"action":"a","probe":"p ","expect":{"type":"count","value":45}}`)
	d := ReadLine(`{"action":"a","argv":["p"],"expect":{"type":"count","value":45}}`)
	if a.Key() != b.Key() || len(a.Key()) != 12 {
		t.Errorf("keys %s and %s of one contract", a.Key(), b.Key())
	}
	if a.Key() == c.Key() || a.Key() == d.Key() {
		t.Error("another probe has the same key")
	}
}

// A contract that is written down is read back as itself.
func TestLineRoundTrip(t *testing.T) {
	t.Parallel()
	for _, e := range []Expect{must(t, NonEmpty, nil), must(t, Count, 45), must(t, AtLeast, "0.5"), must(t, Contains, "a\"b"), must(t, Equals, "x"), must(t, Matches, `\d+`)} {
		c := Contract{Action: "a\nb", Argv: []string{"x", "y z"}, OKExit: []int{0, 1}, Timeout: time.Second, Dir: "sub", Independent: "i", Expect: e}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		l := ReadLine(string(data))
		if l.Reason != "" || l.Contract.Key() != c.Key() || len(l.Odd) > 0 || l.Contract.Timeout != c.Timeout || l.Contract.Dir != c.Dir {
			t.Errorf("%s is read as %+v", data, l)
		}
	}
}

// Numbers are compared as numbers, whatever their length.
func TestCompare(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a seed that repeats
	for range 2000 {
		a, b := r.IntN(2_000_000)-1_000_000, r.IntN(2_000)-1_000
		x, _ := parseNumber(fmt.Sprintf("%+.3f", float64(a)/1000))
		y, _ := parseNumber(fmt.Sprintf("%.3f", float64(b)/1000))
		want := 0
		if a < b {
			want = -1
		} else if a > b {
			want = 1
		}
		if got := x.compare(y); got != want {
			t.Fatalf("%s against %s: %d, want %d", x, y, got, want)
		}
	}
}

func FuzzReadLine(f *testing.F) {
	for _, s := range []string{`{"probe":"x","expect":{"type":"count","value":45}}`, `null`, `{"argv":["a"],"expect":{"type":"matches","value":"a+"}}`, "\uFEFF{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l := ReadLine(s)
		if l.Reason != "" {
			if l.Detail == "" {
				t.Errorf("%q: %s without a word", s, l.Reason)
			}
			return
		}
		if l.Contract.Command() == "" || l.Contract.Action == "" {
			t.Errorf("%q is a contract without a probe or an action", s)
		}
		data, err := json.Marshal(l.Contract)
		if err != nil {
			t.Fatal(err)
		}
		if again := ReadLine(string(data)); again.Reason != "" || again.Contract.Key() != l.Contract.Key() {
			t.Errorf("%q written as %s is %q, key %s and %s", s, data, again.Reason, again.Contract.Key(), l.Contract.Key())
		}
		l.Contract.Expect.Judge(s)
	})
}

// Behaviour 36: whatever is shown is one line in which nothing is invisible.
func FuzzQuote(f *testing.F) {
	f.Add("\x1b[31mred\u202e\n\u200b\U000E0041 sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
	f.Add("\xff\"\\")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s, 50)
		if n := len([]rune(q)); n > 50*12+3 {
			t.Errorf("%d characters", n)
		}
		for _, r := range q {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q holds %U", q, r)
			}
		}
		var back string
		if !strings.HasSuffix(q, `…"`) && json.Unmarshal([]byte(q), &back) != nil {
			t.Errorf("%s is no JSON text", q)
		}
	})
}

func TestQuoteRedactsBeforeItCuts(t *testing.T) {
	t.Parallel()
	s := strings.Repeat("x", 180) + " OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
	if q := Quote(s, 200); strings.Contains(q, "sk-proj") || strings.Contains(q, "abcdef") {
		t.Errorf("half a key is left: %s", q)
	}
}

// Behaviours 21 and 22 of yubisashi.
func TestPendingPlaces(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HOME": "/home/p"}
	w := sortie.World{Env: func(n string) string { return env[n] }}
	h := sortie.Home{Dir: "/r/.spar", Root: "/r"}
	if got := Pending(w, h, "/r", "s-1.x"); !slices.Equal(got, []string{"/r/.spar/groundtruth/pending.jsonl", "/r/.groundtruth/pending.jsonl", "/home/p/.claude/groundtruth/s-1.x.jsonl"}) {
		t.Errorf("%q", got)
	}
	for _, odd := range []string{"../evil", "", "..", strings.Repeat("a", 129), "a/b", "a\nb"} {
		if got := Pending(w, h, "/r", odd); len(got) != 2 {
			t.Errorf("session %.20q: %q", odd, got)
		}
	}
	env["GROUNDTRUTH_PENDING"] = "own.jsonl"
	if got := Pending(w, h, "/r", "s"); !slices.Equal(got, []string{"/r/own.jsonl"}) {
		t.Errorf("%q", got)
	}
}

func TestShaped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape, line string
		want        bool
	}{
		{"ssh db1 pg_dump *", "ssh db1 pg_dump --schema-only", true},
		{"ssh db1 *", "ssh db1 x; rm -rf /srv", false}, // a star is no second command
		{"ssh db1 *", "ssh db1 $(cat x)", false},
		{"ssh * uptime", "ssh db1 uptime", true},
		{"ssh db1 uptime", "ssh db1 uptime -x", false},
		{"*", "rm -rf /srv", false},
		{"", "", false},
		{"a | *", "a | b", true},
	} {
		if got := Shaped([]string{tt.shape}, tt.line); got != tt.want {
			t.Errorf("%q for %q: %v", tt.shape, tt.line, got)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value string
		want  time.Duration
	}{{"", ProbeLimit}, {"junk", ProbeLimit}, {"-5", ProbeLimit}, {"0", ProbeLimit}, {"500", 500 * time.Millisecond}} {
		probe, run := Limits(func(n string) string {
			if n == "GROUNDTRUTH_PROBE_TIMEOUT_MS" {
				return tt.value
			}
			return ""
		})
		if probe != tt.want || run != RunLimit {
			t.Errorf("%q: %v, %v", tt.value, probe, run)
		}
	}
}

// What whoever had the file open wrote after it was read goes back to where it
// was meant for.
func TestFinishPutsBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := moved{from: filepath.Join(dir, "pending.jsonl"), to: filepath.Join(dir, "pending.jsonl.taking-1"), size: 4}
	if err := os.WriteFile(m.to, []byte("old\nnew\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.from, []byte("newer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.finish(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(m.from)
	if err != nil || string(got) != "newer\nnew\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Stat(m.to); err == nil {
		t.Error("what was taken in is still there")
	}
}
