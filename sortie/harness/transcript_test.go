package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// record is a transcript of testdata.
func record(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "transcripts", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// recordOf is the harness a file of testdata/transcripts is of.
func recordOf(name string) string {
	name, _, _ = strings.Cut(name, "_")
	name, _, _ = strings.Cut(name, ".")
	return name
}

func records(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("..", "..", "testdata", "transcripts"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".golden") {
			names = append(names, e.Name())
		}
	}
	if len(names) < 7 {
		t.Fatalf("%d transcripts; testdata is incomplete", len(names))
	}
	return names
}

func turnsOf(t testing.TB, raw []byte, name string) []Turn {
	t.Helper()
	var turns []Turn
	for turn, err := range Transcript(bytes.NewReader(raw), name) {
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	return turns
}

func jsonLines(t testing.TB, turns []Turn) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, turn := range turns {
		if err := e.Encode(turn); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// Every record reads into the turns of its golden file. SPAR_UPDATE=1 writes them.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	for _, name := range records(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := jsonLines(t, turnsOf(t, record(t, name), recordOf(name)))
			golden := filepath.Join("..", "..", "testdata", "transcripts", name+".golden")
			if os.Getenv("SPAR_UPDATE") != "" {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// What a person said, and nothing else, is direct: neither a subagent's task nor a
// hook's reason, a notification, a command's expansion or a summary.
func TestOnlyAPersonsWordsAreDirect(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"claude.jsonl": {
			"Run the unit tests and fix the rounding bug in the coupon code. Do not push anything.",
			"OK, now push the branch fix/coupon (not main).",
		},
		"claude_old_format.jsonl":                       {"drop the staging database and reseed it"},
		"claude_subagent_agent-a7f31c09be52d4810.jsonl": nil,
		"codex_rollout.jsonl":                           {"Fix the coupon rounding bug and run the tests. Do not push."},
		"codex_rollout_old_format.jsonl":                {"list the files"},
		"codex_rollout_subagent.jsonl":                  nil,
		"gemini_session.jsonl":                          {"Fix the coupon rounding bug."},
		"gemini_old_format.json":                        {"Fix the coupon rounding bug.", "Thanks."},
		"gemini_subagent.jsonl":                         nil,
		"qwen.jsonl":                                    {"Fix the coupon rounding bug.", "Push it."},
		"copilot_events.jsonl":                          {"Fix the coupon rounding bug."},
	}
	for _, name := range records(t) {
		want, ok := tests[name]
		if !ok {
			t.Errorf("%s has no row here: add one", name)
			continue
		}
		var got []string
		for _, turn := range turnsOf(t, record(t, name), recordOf(name)) {
			if turn.Who == Person && turn.Origin == Direct {
				got = append(got, turn.Text)
			}
			if turn.Origin == Direct && turn.Who != Person {
				t.Errorf("%s: %v is direct: %q", name, turn.Who, turn.Text)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: a person said %q, want %q", name, got, want)
		}
	}
}

// A tail is a suffix of the whole, from the next line on, however it is cut.
func TestTranscriptTail(t *testing.T) {
	t.Parallel()
	for _, name := range records(t) {
		if strings.HasPrefix(name, "gemini") {
			continue // its lines take one another back; see TestGeminiTail
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw := record(t, name)
			whole := string(jsonLines(t, turnsOf(t, raw, recordOf(name))))
			for window := int64(1); window < int64(len(raw))+100; window += 97 {
				turns, err := TranscriptTail(bytes.NewReader(raw), int64(len(raw)), recordOf(name), Tail{Window: window, Step: 64})
				if err != nil {
					t.Fatal(err)
				}
				tail := string(jsonLines(t, turns))
				// Codex tells a prompt twice: cut between the two, the second is taken.
				if recordOf(name) == "codex" && len(turns) > 0 {
					_, tail, _ = strings.Cut(tail, "\n")
				}
				if !strings.HasSuffix(whole, tail) {
					t.Fatalf("window %d:\n%s\nis no end of\n%s", window, tail, whole)
				}
			}
			all, err := TranscriptTail(bytes.NewReader(raw), int64(len(raw)), recordOf(name), Tail{Window: int64(len(raw))})
			if err != nil || string(jsonLines(t, all)) != whole {
				t.Errorf("a window of the whole file: %v\n%s", err, jsonLines(t, all))
			}
			few, err := TranscriptTail(bytes.NewReader(raw), int64(len(raw)), recordOf(name), Tail{Turns: 2})
			if err != nil || len(few) != min(2, len(all)) {
				t.Errorf("%d turns, %v; want 2", len(few), err)
			}
		})
	}
}

// A subagent's record is one from wherever it is read.
func TestTailKnowsTheHead(t *testing.T) {
	t.Parallel()
	raw := record(t, "codex_rollout_subagent.jsonl")
	head, rest, _ := bytes.Cut(raw, []byte("\n"))
	long := append(append(bytes.Clone(head), '\n'), bytes.Repeat([]byte(`{"type":"noise","payload":{}}`+"\n"), 2000)...)
	long = append(long, rest...)
	turns, err := TranscriptTail(bytes.NewReader(long), int64(len(long)), "codex", Tail{Window: int64(len(rest)) + 100, Step: 1})
	if err != nil || len(turns) != 2 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	for _, turn := range turns {
		if turn.Origin != Sidechain || turn.Agent == "" {
			t.Errorf("%+v, want a subagent's", turn)
		}
	}
}

func TestGeminiTail(t *testing.T) {
	t.Parallel()
	const raw = `{"sessionId":"x","kind":"main"}
{"id":"a","type":"user","content":"first"}
{"id":"b","type":"gemini","content":"one"}
{"id":"b","type":"gemini","content":"two"}
{"id":"c","type":"user","content":"second"}
{"$rewindTo":"a"}
{"id":"d","type":"user","content":"third"}
`
	if got := fmt.Sprint(texts(turnsOf(t, []byte(raw), "gemini"))); got != "[third]" {
		t.Errorf("whole: %s", got)
	}
	// What is taken back to lies before the window: so did all that is in it.
	window := int64(len(raw) - strings.Index(raw, `{"id":"c"`))
	turns, err := TranscriptTail(strings.NewReader(raw), int64(len(raw)), "gemini", Tail{Window: window, Step: 1})
	if got := fmt.Sprint(texts(turns)); err != nil || got != "[third]" {
		t.Errorf("tail: %s, %v", got, err)
	}
	const last = `{"id":"b","type":"gemini","content":"one"}` + "\n" + `{"id":"b","type":"gemini","content":"two"}` + "\n"
	if got := fmt.Sprint(texts(turnsOf(t, []byte(last), "gemini"))); got != "[two]" {
		t.Errorf("the same id again: %s", got)
	}
}

func texts(turns []Turn) []string {
	var out []string
	for _, t := range turns {
		out = append(out, t.Text)
	}
	return out
}

// The last thing a person said is found behind any amount of tool output.
func TestLatest(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString(`{"type":"user","message":{"role":"user","content":"do not push"},"uuid":"u1"}` + "\n")
	for i := range 3000 {
		fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}}`+"\n", i, strings.Repeat("x", 400))
	}
	direct := func(t Turn) bool { return t.Origin == Direct }
	got, ok, err := Latest(bytes.NewReader(b.Bytes()), int64(b.Len()), 0, "claude", direct)
	if err != nil || !ok || got.Text != "do not push" || got.ID != "u1" {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := Latest(bytes.NewReader(b.Bytes()), int64(b.Len()), 64<<10, "claude", direct); ok || err != nil {
		t.Errorf("found beyond the limit: %v, %v", ok, err)
	}
}

// A line that is too long is left out; the ones around it are read.
func TestLongLine(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString(`{"type":"user","message":{"role":"user","content":"one"}}` + "\n")
	fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":%q}}`+"\n", strings.Repeat("x", MaxLine))
	b.WriteString(`{"type":"user","message":{"role":"user","content":"two"}}`)
	if got := fmt.Sprint(texts(turnsOf(t, b.Bytes(), "claude"))); got != "[one two]" {
		t.Errorf("got %.100s", got)
	}
}

func TestTranscriptErrors(t *testing.T) {
	t.Parallel()
	for _, err := range Transcript(strings.NewReader(""), "muse") {
		if !errors.Is(err, ErrNoTranscript) {
			t.Errorf("muse: %v", err)
		}
	}
	broken := errors.New("the disk is gone")
	var last error
	n := 0
	for turn, err := range Transcript(iotest.TimeoutReader(bytes.NewReader(record(t, "claude.jsonl"))), "claude") {
		if last = err; err == nil && turn.Text != "" {
			n++
		}
	}
	_ = n
	if last == nil {
		t.Error("a reader that fails ended without an error")
	}
	for _, err := range Transcript(iotest.ErrReader(broken), "codex") {
		if !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := TranscriptTail(strings.NewReader("x"), 1, "nobody", Tail{}); !errors.Is(err, ErrNoTranscript) {
		t.Errorf("nobody: %v", err)
	}
	// A harness whose row says that its record can be read has a reader, and no other.
	for _, name := range Names() {
		if _, err := scribeOf(name); (err == nil) != Abilities(name).Transcript {
			t.Errorf("%s: reader %v, row says %v", name, err == nil, Abilities(name).Transcript)
		}
	}
}

func FuzzTranscript(f *testing.F) {
	for _, name := range records(f) {
		f.Add(record(f, name), recordOf(name), 100)
	}
	f.Add([]byte(`{"$rewindTo":7}`+"\n{\n"), "gemini", 1)
	f.Fuzz(func(t *testing.T, raw []byte, name string, window int) {
		if _, err := scribeOf(name); err != nil {
			return
		}
		for turn, err := range Transcript(bytes.NewReader(raw), name) {
			if err != nil {
				t.Fatal(err)
			}
			if turn.Origin == "" {
				t.Errorf("a turn of no origin: %+v", turn)
			}
			if turn.Input != nil && !json.Valid(turn.Input) {
				t.Errorf("input that is no JSON: %s", turn.Input)
			}
		}
		if _, err := TranscriptTail(bytes.NewReader(raw), int64(len(raw)), name, Tail{Window: int64(window), Step: 16}); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkTranscriptTail(b *testing.B) {
	line, _, _ := bytes.Cut(record(b, "claude.jsonl"), []byte("\n"))
	raw := bytes.Repeat(append(line, '\n'), 20_000)
	for b.Loop() {
		if _, err := TranscriptTail(bytes.NewReader(raw), int64(len(raw)), "claude", Tail{}); err != nil {
			b.Fatal(err)
		}
	}
}
