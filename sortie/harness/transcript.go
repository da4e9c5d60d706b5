package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"
)

// Who is whose turn it is in a session's record.
type Who uint8

// The speakers.
const (
	Machine Who = iota // the harness itself: reminders, notices, summaries, hooks
	Person
	Agent // the model: its words, and the calls it makes
	Tool  // the result of a call
)

// String is the speaker's name.
func (w Who) String() string { return [...]string{"harness", "person", "agent", "tool"}[w] }

// MarshalText writes the speaker's name.
func (w Who) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Origin says how a turn came to be there. Only Direct may be taken for a person's
// consent.
type Origin string

// The origins.
const (
	Direct    Origin = "direct"    // a person typed it, or handed it in to a headless run
	Made      Origin = "made"      // the model's, or a tool's
	Meta      Origin = "meta"      // the harness put it there
	Sidechain Origin = "sidechain" // of a subagent; also what it was told to do
	Interrupt Origin = "interrupt" // a person stopped the turn
	Summary   Origin = "summary"   // what is left of turns after compaction
	Feedback  Origin = "feedback"  // a hook's words, as a prompt
)

// Turn is one thing said or done in a session, in the order of the record.
type Turn struct {
	Who    Who    `json:"who"`
	Origin Origin `json:"origin"`
	// Text is what was said, or what a tool returned.
	Text string `json:"text,omitempty"`
	// Tool and Input are a call's, where the agent makes one.
	Tool  string          `json:"tool,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
	// Call is the id that a call and its result share.
	Call   string `json:"call,omitempty"`
	Failed bool   `json:"failed,omitempty"` // a result that is an error, or was refused
	// ID is the record's own name for the line, Prompt the prompt it belongs to.
	ID     string    `json:"id,omitempty"`
	Prompt string    `json:"prompt,omitempty"`
	Agent  string    `json:"agent,omitempty"` // a subagent's id
	Time   time.Time `json:"time,omitzero"`
}

// ErrNoTranscript is wrapped by errors for harnesses whose record can't be read.
var ErrNoTranscript = errors.New("no reader for this harness's transcripts")

// scribe reads one harness's record, a line at a time.
type scribe interface {
	// line is the turns of one line in its order.
	line(raw []byte) []Turn
	// reset forgets what a reader remembers from line to line; head is the first
	// line of the record, which some harnesses need to know what the rest is.
	reset(head []byte)
}

func scribeOf(name string) (scribe, error) {
	switch name {
	case "claude":
		return &claudeScribe{}, nil
	case "codex":
		return &codexScribe{}, nil
	case "gemini":
		return &geminiScribe{}, nil
	case "qwen":
		return &qwenScribe{}, nil
	case "copilot":
		return &copilotScribe{}, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrNoTranscript, name)
}

// MaxLine is the longest line of a record that is read, in bytes; a longer one is
// skipped. Harnesses keep whole request bodies in lines of their own.
const MaxLine = 16 << 20

// Transcript reads the record of a session, oldest turn first, a line at a time;
// Gemini's alone is read whole before the first turn comes, because later lines
// take earlier ones back. Lines that are no JSON (the last one is often still
// being written) and lines of unknown kinds are skipped. The one error that ends it is
// that of r, or one that wraps ErrNoTranscript.
func Transcript(r io.Reader, name string) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		s, err := scribeOf(name)
		if err != nil {
			yield(Turn{}, err)
			return
		}
		first := true
		for raw, err := range lines(r) {
			if err != nil {
				yield(Turn{}, fmt.Errorf("reading the transcript: %w", err))
				return
			}
			if first {
				s.reset(raw)
				first = false
			}
			for _, t := range s.line(raw) {
				if !yield(t, nil) {
					return
				}
			}
		}
		if g, ok := s.(*geminiScribe); ok {
			for _, t := range g.settled() {
				if !yield(t, nil) {
					return
				}
			}
		}
	}
}

// lines are the lines of r that aren't empty, without their ends; one over
// MaxLine is skipped.
func lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for {
			raw, err := line(in)
			if raw = bytes.TrimSpace(raw); len(raw) > 0 && !yield(raw, nil) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// line reads up to the next line feed; nil for a line that is too long.
func line(in *bufio.Reader) ([]byte, error) {
	var whole []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(whole)+len(part) > MaxLine; long {
			whole = nil
		} else {
			whole = append(whole, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// Tail bounds what TranscriptTail reads of a long record.
type Tail struct {
	// Window is how many bytes before the end are read at least; 256 KiB where it
	// is 0. No more than Window plus Step is.
	Window int64
	// Step keeps the place where reading starts still while the record grows: it
	// is a multiple of Step; 128 KiB where it is 0. Whoever sends a tail to a model
	// then sends the same beginning again and again, which costs less.
	Step int64
	// Turns is how many turns are kept, the newest; all of the window's where it is 0.
	Turns int
}

// TranscriptTail reads the end of a record, oldest turn first. size is the
// record's length in bytes; nothing before the window is read but the first line.
func TranscriptTail(r io.ReaderAt, size int64, name string, t Tail) ([]Turn, error) {
	s, err := scribeOf(name)
	if err != nil {
		return nil, err
	}
	if t.Window <= 0 {
		t.Window = 256 << 10
	}
	if t.Step <= 0 {
		t.Step = 128 << 10
	}
	start := max(0, (size-t.Window)/t.Step*t.Step)
	var turns []Turn
	body := io.NewSectionReader(r, start, size-start)
	if start > 0 {
		// The record's kind may be told in its first line alone.
		head, err := line(bufio.NewReaderSize(io.NewSectionReader(r, 0, min(size, 64<<10)), 4<<10))
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("reading the transcript: %w", err)
		}
		s.reset(bytes.TrimSpace(head))
		if g, ok := s.(*geminiScribe); ok {
			g.cut = true
		}
		// One byte back: where the window begins with a line, that line is whole.
		body = io.NewSectionReader(r, start-1, size-start+1)
	}
	first := true
	for raw, err := range tailLines(body, start > 0) {
		if err != nil {
			return nil, fmt.Errorf("reading the transcript: %w", err)
		}
		if first && start == 0 {
			s.reset(raw)
		}
		first = false
		turns = append(turns, s.line(raw)...)
	}
	if g, ok := s.(*geminiScribe); ok {
		turns = g.settled()
	}
	if t.Turns > 0 && len(turns) > t.Turns {
		turns = slices.Clone(turns[len(turns)-t.Turns:])
	}
	return turns, nil
}

// tailLines are the lines of r, without the rest of the one it begins in.
func tailLines(r io.Reader, cut bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		if cut {
			if _, err := line(in); err != nil {
				if !errors.Is(err, io.EOF) {
					yield(nil, err)
				}
				return
			}
		}
		for raw, err := range lines(in) {
			if !yield(raw, err) {
				return
			}
		}
	}
}

// Latest is the newest turn of a record that keep accepts; ok is false where there
// is none within limit bytes of the end (all of it where limit is 0). It reads
// backwards, a window at a time, and stops at the first hit: the last thing a
// person said may lie behind megabytes of tool output.
func Latest(r io.ReaderAt, size, limit int64, name string, keep func(Turn) bool) (t Turn, ok bool, err error) {
	if limit <= 0 || limit > size {
		limit = size
	}
	for window := min(int64(256<<10), limit); ; window = min(window*4, limit) {
		turns, err := TranscriptTail(r, size, name, Tail{Window: window, Step: 1})
		if err != nil {
			return Turn{}, false, err
		}
		for _, t := range slices.Backward(turns) {
			if keep(t) {
				return t, true, nil
			}
		}
		if window >= limit {
			return Turn{}, false, nil
		}
	}
}

// row is one line of a record, read leniently: nobody is told of a field that has
// another type.
func row(raw []byte) (fields, bool) { return object(raw, "", nil) }

// said is the text of a message's content: a string, or the text blocks of a list
// under any of the kinds given.
func said(raw json.RawMessage, kinds ...string) string {
	if len(raw) == 0 {
		return ""
	}
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	}
	var parts []string
	for _, b := range blocks(raw) {
		if len(kinds) == 0 || slices.Contains(kinds, b.text("type")) {
			if s := b.text("text"); s != "" {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, "\n")
}

// blocks are the objects of a list.
func blocks(raw json.RawMessage) []fields {
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	var out []fields
	for _, item := range items {
		if o, ok := row(item); ok {
			out = append(out, o)
		}
	}
	return out
}

// personTurn is a turn of role user whose line doesn't say who spoke: what a
// harness wrote is told apart by how it begins.
func personTurn(t Turn, prompt string) Turn {
	text, person := personText(prompt)
	t.Text = strings.TrimSpace(text)
	if person {
		t.Who, t.Origin = Person, Direct
		return t
	}
	t.Who, t.Origin, t.Text = Machine, Meta, strings.TrimSpace(prompt)
	switch head := t.Text; {
	case strings.HasPrefix(head, "[Request interrupted"):
		t.Who, t.Origin = Person, Interrupt
	case strings.HasPrefix(head, feedbackMark), strings.HasPrefix(head, "<hook_prompt"):
		t.Origin = Feedback
	case strings.HasPrefix(head, "This session is being continued"):
		t.Origin = Summary
	}
	return t
}
