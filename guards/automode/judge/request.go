package judge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"spar/guards/automode/policy"
	"spar/ledger/redact"
)

// Sizes of a question, in bytes.
const (
	// MaxQuestion bounds the policy and all that is shown. Turns go first, then the
	// person's oldest messages, never the call.
	MaxQuestion = 100_000
	actionMax   = 24 << 10
	actionHead  = 12 << 10
	actionTail  = 8 << 10
)

// Case is all that is known about a call.
type Case struct {
	Tool    string
	Input   json.RawMessage
	Cwd     string
	History History
	Facts   *Facts
	Frame   *Frame
	// Hint is what the local tier saw in the call: "names the guard's own configuration".
	Hint string
}

// Facts are what the machine says of the place a call runs in. They help a model to tell
// the task's own branch and remote from others; without them it goes by names.
type Facts struct {
	Branch  string `json:"branch,omitempty"`
	Default string `json:"default_branch,omitempty"` // as the remote's HEAD was last seen
	// Remotes are "name url", without user names and passwords.
	Remotes []string `json:"remotes,omitempty"`
	Clean   string   `json:"tree_clean,omitempty"` // yes, no, unknown
}

// Frame is what the operator's own tool knows of the sortie.
type Frame struct {
	Sortie string         `json:"sortie,omitempty"`
	Mode   string         `json:"mode,omitempty"`
	Seat   string         `json:"seat,omitempty"` // "taken" or "empty"
	Points int            `json:"points"`
	Limit  int            `json:"limit,omitempty"` // 0: not known here
	Kinds  map[string]int `json:"kinds,omitempty"`
	Swing  *FrameSwing    `json:"swing,omitempty"`
}

// FrameSwing is the open swing.
type FrameSwing struct {
	Action  string `json:"action"`
	Exit    string `json:"exit,omitempty"`
	Reading string `json:"reading,omitempty"` // its first line
	Actor   string `json:"actor"`             // human, runner or agent
}

// Prompt is a question as it is sent.
type Prompt struct {
	// System is the policy, the same on every call.
	System string
	// Stable is the part of the question that comes again in the next one: whole blocks of
	// turns. "" where there are none.
	Stable string
	// Rest is the remainder; it ends with the call and the closing sentence.
	Rest string
	// SHA is the SHA-256 of Stable and Rest in hexadecimal.
	SHA string
	// Truncated is set where the call was too long to be shown whole. Nobody can allow
	// what they have not seen.
	Truncated bool
}

// User is the question in one piece.
func (p Prompt) User() string { return p.Stable + p.Rest }

// The closing sentences: a model that doesn't think says its answer with its first token.
const (
	closeThinking = "Judge the call under the last label. Think it through, then end with the tags of the contract and nothing after them."
	closePlain    = "Judge the call under the last label. Write the tags of the contract and nothing else."
)

// Build makes the question. Every piece of evidence is a line of JSON in which `<`, `>` and
// line ends are escaped, so nothing that was read anywhere can open a label, close one or
// begin a turn. mask takes secrets out of everything but the policy, and leaves a mark
// that says of what kind they were.
func Build(c Case, p *policy.Policy, reasoning, mask bool) Prompt {
	hide := func(s string) string { return s }
	if mask {
		hide = redact.Text
	}
	closing := closePlain
	if reasoning {
		closing = closeThinking
	}
	action, truncated := actionLine(c, hide, mask)
	tail := "<action>\n" + action + "\n</action>\n\n" + closing + "\n"
	var facts strings.Builder
	if c.Facts != nil {
		f := *c.Facts
		f.Remotes = slices.Clone(f.Remotes)
		for i := range f.Remotes {
			f.Remotes[i] = hide(f.Remotes[i])
		}
		facts.WriteString("<facts>\n" + line(f) + "\n</facts>\n\n")
	}
	if c.Frame != nil || c.Hint != "" {
		facts.WriteString("<frame>\n")
		if c.Frame != nil {
			f := *c.Frame
			if f.Swing != nil {
				s := *f.Swing
				s.Action, s.Exit, s.Reading = hide(s.Action), hide(s.Exit), hide(s.Reading)
				f.Swing = &s
			}
			facts.WriteString(line(f) + "\n")
		}
		if c.Hint != "" {
			facts.WriteString(line(map[string]string{"note": hide(c.Hint)}) + "\n")
		}
		facts.WriteString("</frame>\n\n")
	}
	left := MaxQuestion - len(p.Text) - len(tail) - facts.Len() - 400 // labels

	// The person's messages have the first claim on the room, the newest of them above all.
	messages := make([]string, 0, len(c.History.Messages))
	dropped := c.History.Dropped
	for i, m := range slices.Backward(c.History.Messages) {
		m.Text = hide(m.Text)
		l := line(m)
		if left -= len(l) + 1; left < 0 && len(messages) > 0 {
			dropped += i + 1
			break
		}
		messages = append(messages, l)
	}
	slices.Reverse(messages)
	var said strings.Builder
	said.WriteString("<user_messages>\n")
	if dropped > 0 {
		said.WriteString(line(map[string]int{"older_messages_left_out": dropped}) + "\n")
	}
	for _, m := range messages {
		said.WriteString(m + "\n")
	}
	if len(messages) == 0 {
		said.WriteString(`{"note":"no message of the person is known"}` + "\n")
	}
	if c.History.Stale {
		said.WriteString(`{"note":"the record lags behind the newest message; messages marked old come from before"}` + "\n")
	}
	said.WriteString("</user_messages>\n\n")

	turns := make([]string, len(c.History.Entries))
	for i, e := range c.History.Entries {
		e.Text = hide(e.Text)
		turns[i] = line(e) + "\n"
		left -= len(turns[i])
	}
	for left < 0 && len(turns) > 0 {
		n := min(block, len(turns))
		for _, t := range turns[:n] {
			left += len(t)
		}
		turns = turns[n:]
	}
	out := Prompt{System: p.Text, Truncated: truncated}
	var rest strings.Builder
	if len(turns) == 0 {
		rest.WriteString("<transcript>\n" + `{"note":"no history is available"}` + "\n</transcript>\n\n")
	} else {
		whole := len(turns) / block * block
		open := "<transcript>\n"
		if whole > 0 {
			out.Stable = open + strings.Join(turns[:whole], "")
			open = ""
		}
		rest.WriteString(open + strings.Join(turns[whole:], "") + "</transcript>\n\n")
	}
	rest.WriteString(said.String() + facts.String() + tail)
	out.Rest = rest.String()
	sum := sha256.Sum256([]byte(out.User()))
	out.SHA = hex.EncodeToString(sum[:])
	return out
}

// actionLine is the call as one object, whole up to actionMax.
func actionLine(c Case, hide func(string) string, mask bool) (text string, truncated bool) {
	input := c.Input
	if !json.Valid(input) {
		input, _ = json.Marshal(string(input)) // a string always has a form
	}
	if mask {
		input = masked(input)
	}
	type shown struct {
		Tool  string          `json:"tool"`
		Cwd   string          `json:"cwd,omitempty"`
		Input json.RawMessage `json:"input"`
	}
	full := line(shown{c.Tool, hide(c.Cwd), input})
	if len(full) <= actionMax {
		return full, false
	}
	raw := string(input)
	head, tail := raw[:min(actionHead, len(raw))], raw[max(0, len(raw)-actionTail):]
	sum := sha256.Sum256([]byte(raw))
	return line(struct {
		Tool    string `json:"tool"`
		Cwd     string `json:"cwd,omitempty"`
		Head    string `json:"input_begins"`
		Omitted int    `json:"omitted_bytes"`
		Tail    string `json:"input_ends"`
		SHA     string `json:"sha256"`
	}{shorten(c.Tool, 150, 50, 200), hide(shorten(c.Cwd, 500, 500, 1000)), strings.ToValidUTF8(head, ""), max(0, len(raw)-len(head)-len(tail)), strings.ToValidUTF8(tail, ""), hex.EncodeToString(sum[:])}), true
}

// masked is a JSON text with the secrets taken out of its strings: what a member's name says is
// secret, and what has a secret's shape. Order, and members given twice, stay as they are.
func masked(raw json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out bytes.Buffer
	type level struct {
		object bool
		n      int
		key    string
	}
	stack := []level{{}}
	for {
		t, err := dec.Token()
		if err == io.EOF {
			return out.Bytes()
		}
		if err != nil {
			return json.RawMessage(`"[the input could not be read]"`)
		}
		top := &stack[len(stack)-1]
		closing := t == json.Delim('}') || t == json.Delim(']')
		isKey := top.object && top.n%2 == 0 && !closing
		if !closing {
			switch {
			case top.object && top.n%2 == 1:
				out.WriteByte(':')
			case top.n > 0 && len(stack) > 1:
				out.WriteByte(',')
			}
			top.n++
		}
		switch v := t.(type) {
		case json.Delim:
			out.WriteRune(rune(v))
			if closing {
				stack = stack[:len(stack)-1]
			} else {
				stack = append(stack, level{object: v == '{'})
			}
		case string:
			switch {
			case isKey:
				top.key = v
			case top.object && secretName(top.key):
				v = redact.Value(v)
			default:
				v = redact.Text(v)
			}
			b, _ := json.Marshal(v) // a string always has a form
			out.Write(b)
		default:
			b, _ := json.Marshal(v) // numbers, truths and null have one as well
			out.Write(b)
		}
	}
}

// secretName reports whether a member's name says that its value is secret, by what the
// redactor makes of an assignment to it.
func secretName(name string) bool {
	const probe = "=q7Zk29vXw4Tn8"
	s := name + probe
	return name != "" && redact.Text(s) != s
}

// line is a value as one line of JSON in which everything that doesn't show is spelled out.
func line(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return `{"note":"this could not be shown"}`
	}
	s := string(b)
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			a, b := utf16.EncodeRune(r)
			out.WriteString(`\u` + hex4(a) + `\u` + hex4(b))
		default:
			out.WriteString(`\u` + hex4(r))
		}
	}
	return out.String()
}

// hidden are control, format and direction characters, and the spaces that are none. ASCII control
// characters are escaped by JSON itself.
func hidden(r rune) bool {
	return r >= 0x7f && r != utf8.RuneError && !unicode.IsPrint(r)
}

func hex4(r rune) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", 4-len(s)) + s
}

func itoa(n int) string { return strconv.Itoa(n) }

// canonical is a JSON text with its members sorted, for comparing; the text itself where it
// is none.
func canonical(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return string(raw)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(b)
}
