package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"spar/sortie/harness"
)

// Sizes of what is taken from a session's record. Characters unless it says bytes.
const (
	entryMax   = 2000 // of a turn; longer ones keep entryHead and entryTail
	entryHead  = 1400
	entryTail  = 500
	resultMax  = 400     // of what a tool returned
	saidMax    = 20      // messages of the person
	saidChars  = 12_000  // all of them together
	widerBytes = 1 << 20 // how far back the person's messages are looked for
	block      = 10      // turns are let go, and cached, in blocks of this many
)

// Said is a prompt as the hook itself recorded it when a person sent it.
type Said struct {
	Text string    `json:"text"`
	At   time.Time `json:"at,omitzero"`
}

// Entry is one turn as a model is shown it, a line of JSON.
type Entry struct {
	N      int    `json:"n"`
	Role   string `json:"role"`
	Origin string `json:"origin"`
	Text   string `json:"text"`
}

// History is what went before a call.
type History struct {
	// Entries are the newest turns, oldest first. N counts from a place in the record
	// that stays where it is while the record grows, so the lines of an earlier call come
	// again in a later one.
	Entries []Entry
	// Messages are the person's own, oldest first: more of them than Entries hold, because
	// a limit set long ago still binds. Origin is "direct", or "old" where the message can
	// forbid and no longer permit.
	Messages []Entry
	// Dropped counts older messages that were left out.
	Dropped int
	// Stale is set where the record doesn't know the last recorded prompt.
	Stale bool
}

// HistoryOptions say what is read.
type HistoryOptions struct {
	Path    string // "" reads nothing
	Harness string
	Entries int    // at most; 0 none
	Call    string // the id of the call that is judged; it is no history
	Tool    string // and what it is, where the record has no ids
	Input   json.RawMessage
	Prompts []Said // recorded prompts, oldest first
}

// ReadHistory reads the end of a session's record. Less evidence is still a judgement: a
// record that isn't there, can't be read or has an unknown form gives a history without
// turns, and the prompts that were recorded.
func ReadHistory(o HistoryOptions) History {
	turns, wide := readTurns(o)
	var h History
	if o.Entries > 0 {
		h.Entries = entries(turns, o)
	}
	var direct []string
	for _, t := range wide {
		if t.Who == harness.Person && t.Origin == harness.Direct && strings.TrimSpace(t.Text) != "" {
			direct = append(direct, strings.TrimSpace(t.Text))
		}
	}
	h.people(direct, o.Prompts)
	return h
}

// readTurns are the turns shown, and those of the wider look for the person's words.
func readTurns(o HistoryOptions) (turns, wide []harness.Turn) {
	if o.Path == "" {
		return nil, nil
	}
	info, err := os.Stat(o.Path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(o.Path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	size := info.Size()
	if turns, err = harness.TranscriptTail(f, size, o.Harness, harness.Tail{}); errors.Is(err, harness.ErrNoTranscript) {
		return nil, nil
	}
	if size <= 256<<10 {
		return turns, turns
	}
	wide, err = harness.TranscriptTail(f, size, o.Harness, harness.Tail{Window: widerBytes})
	if err != nil {
		wide = turns
	}
	return turns, wide
}

// pending reports whether a turn is the very call that is judged.
func pending(t harness.Turn, last bool, o HistoryOptions) bool {
	if t.Who != harness.Agent || t.Tool == "" {
		return false
	}
	if t.Call != "" && o.Call != "" {
		return t.Call == o.Call
	}
	return last && t.Tool == o.Tool && canonical(t.Input) == canonical(o.Input)
}

func entries(turns []harness.Turn, o HistoryOptions) []Entry {
	var out []Entry
	for i, t := range turns {
		if pending(t, i == len(turns)-1, o) {
			continue
		}
		e := Entry{N: i, Role: t.Who.String(), Origin: string(t.Origin)}
		switch {
		case t.Tool != "" && t.Who == harness.Agent:
			e.Text = shorten("[tool "+t.Tool+"] "+string(t.Input), entryHead, entryTail, entryMax)
		case t.Who == harness.Tool:
			e.Text = shorten(t.Text, resultMax-100, 100, resultMax)
		default:
			e.Text = shorten(t.Text, entryHead, entryTail, entryMax)
		}
		if strings.TrimSpace(e.Text) != "" {
			out = append(out, e)
		}
	}
	// Letting one turn go at each call would change the first line, and with it all that a
	// provider keeps of the question, every time.
	if over := len(out) - o.Entries; over > 0 {
		size := min(block, max(1, o.Entries/2))
		drop := min((over+size-1)/size*size, len(out))
		if drop == len(out) {
			drop = over
		}
		out = out[drop:]
	}
	return slices.Clone(out)
}

// people puts the person's messages together. Prompts that the hook recorded are certain; a
// record that doesn't know the newest of them was left behind (by compaction, say), and what
// it alone holds may have been taken back since.
func (h *History) people(direct []string, prompts []Said) {
	recorded := make([]string, 0, len(prompts))
	for _, p := range prompts {
		if s := strings.TrimSpace(p.Text); s != "" {
			recorded = append(recorded, s)
		}
	}
	h.Stale = len(recorded) > 0 && len(direct) > 0 && !slices.Contains(direct, recorded[len(recorded)-1])
	add := func(text, origin string) {
		h.Messages = append(h.Messages, Entry{Role: "person", Origin: origin, Text: shorten(text, 3000, 1000, 4000)})
	}
	switch {
	case h.Stale:
		for _, d := range direct {
			if !slices.Contains(recorded, d) {
				add(d, "old")
			}
		}
		for _, r := range recorded {
			add(r, "direct")
		}
	case len(direct) > 0:
		for _, d := range direct {
			add(d, "direct")
		}
	default:
		for _, r := range recorded {
			add(r, "direct")
		}
	}
	for i := range h.Messages {
		h.Messages[i].N = i
	}
	chars, first := 0, len(h.Messages)
	for first > 0 && len(h.Messages)-first < saidMax {
		n := utf8.RuneCountInString(h.Messages[first-1].Text)
		if chars+n > saidChars && first < len(h.Messages) {
			break
		}
		chars += n
		first--
	}
	h.Dropped, h.Messages = first, h.Messages[first:]
	if h.Stale {
		for i, e := range h.Entries {
			if e.Origin == string(harness.Direct) && !slices.Contains(recorded, strings.TrimSpace(e.Text)) {
				h.Entries[i].Origin = "old"
			}
		}
	}
}

// Consent is a hash of all that the person said: a verdict holds until they speak again.
func (h History) Consent() string {
	sum := sha256.New()
	for _, m := range h.Messages {
		_ = json.NewEncoder(sum).Encode([]string{m.Origin, m.Text}) // a hash takes everything
	}
	_ = json.NewEncoder(sum).Encode([]any{h.Stale, h.Dropped}) // as above
	return hex.EncodeToString(sum.Sum(nil))
}

// shorten keeps the beginning and the end of a long text, in characters, and says how much
// lay between: what is harmful may stand at the end.
func shorten(s string, head, tail, most int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	rs := []rune(s)
	return string(rs[:head]) + " [" + itoa(len(rs)-head-tail) + " characters left out] " + string(rs[len(rs)-tail:])
}
