package contract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Reason says why a contract doesn't hold.
type Reason string

// The reasons. The first five are of a contract that can't be checked.
const (
	BadJSON     Reason = "bad-json"
	BadContract Reason = "bad-contract"
	NoProbe     Reason = "no-probe"
	BadExpect   Reason = "bad-expect"
	BadProbe    Reason = "bad-probe" // it would change the world
	ProbeError  Reason = "probe-error"
	Empty       Reason = "empty"
	Mismatch    Reason = "mismatch"
	OutOfTime   Reason = "out-of-time" // the run was over before it could start
)

// Broken reports whether the reason is one of the contract's or its probe's own:
// the same would be said whatever is done to the world.
func (r Reason) Broken() bool {
	switch r {
	case BadJSON, BadContract, NoProbe, BadExpect, BadProbe, ProbeError:
		return true
	}
	return false
}

// Bounds of what is read.
const (
	FileCap  = 1 << 20 // bytes of a file of contracts
	LineCap  = 200     // lines of it
	ExitsCap = 32      // entries of ok_exit
)

// Contract is one claim and how it is checked.
type Contract struct {
	Action string
	// Probe is a shell command; Argv is one that no shell reads. One of the two.
	Probe string
	Argv  []string
	// OKExit are the exit codes that mean it could read; 0 alone where empty.
	OKExit []int
	// Timeout is its own limit; the runner's where 0.
	Timeout time.Duration
	// Dir is where it runs, below the root; the root where "".
	Dir         string
	Independent string // a word on what it reads by, for people
	Expect      Expect
}

// Command is the probe as it is shown and priced: its line, or its words quoted.
func (c *Contract) Command() string {
	if len(c.Argv) == 0 {
		return c.Probe
	}
	words := make([]string, len(c.Argv))
	for i, w := range c.Argv {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// shellWord makes a word of a shell line that is read as exactly s.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./:=@%+,", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Key names a contract by what it claims: 12 hex digits over action, probe and
// expectation. Spaces of a line and the order of its keys don't change it.
func (c *Contract) Key() string {
	data, err := json.Marshal([]any{c.Action, c.Probe, c.Argv, c.Expect})
	if err != nil {
		data = []byte(c.Action + "\x00" + c.Command()) // texts always marshal
	}
	return key(data)
}

func key(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// MarshalJSON writes the contract as a line has it.
func (c Contract) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Action      string   `json:"action"`
		Probe       string   `json:"probe,omitempty"`
		Argv        []string `json:"argv,omitempty"`
		Expect      Expect   `json:"expect"`
		OKExit      []int    `json:"ok_exit,omitempty"`
		TimeoutMS   int64    `json:"timeout_ms,omitempty"`
		Dir         string   `json:"cwd,omitempty"`
		Independent string   `json:"independent,omitempty"`
	}{c.Action, c.Probe, c.Argv, c.Expect, c.OKExit, c.Timeout.Milliseconds(), c.Dir, c.Independent})
}

// Line is one line of a file of contracts as it was read. With a Reason there is
// no contract to check, though its action may be known.
type Line struct {
	N        int    // its number in the file, from 1
	Text     string // as it stands, trimmed
	Contract Contract
	Reason   Reason
	Detail   string
	// Odd are keys that nobody knows. They don't spoil a contract, and they are
	// named: one may be a known key misspelt.
	Odd []string
}

// Key is the contract's, or the line's own where there is none.
func (l *Line) Key() string {
	if l.Reason == "" {
		return l.Contract.Key()
	}
	return key([]byte(l.Text))
}

// Read reads contracts, one JSON object a line. Blank lines, CRLF and a
// byte-order mark don't matter, and a line that can't be read stops no other.
// What lies past the bounds is one line that says so.
func Read(data []byte) []Line {
	var out []Line
	over := len(data) > FileCap
	if over {
		data = data[:FileCap]
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	n := 0
	for len(data) > 0 {
		var raw []byte
		raw, data, _ = bytes.Cut(data, []byte("\n"))
		n++
		text := Trim(string(raw))
		if text == "" {
			continue
		}
		if len(out) == LineCap {
			return append(out, beyond(n, fmt.Sprintf("more than %d lines; what follows is not read", LineCap)))
		}
		l := ReadLine(text)
		l.N = n
		out = append(out, l)
	}
	if over {
		out = append(out, beyond(n+1, fmt.Sprintf("more than %d bytes; what follows is not read", FileCap)))
	}
	return out
}

func beyond(n int, why string) Line { return Line{N: n, Text: why, Reason: BadContract, Detail: why} }

// ReadLine reads one line.
func ReadLine(text string) Line {
	l := Line{Text: Trim(text)}
	bad := func(r Reason, format string, args ...any) Line {
		l.Reason, l.Detail = r, fmt.Sprintf(format, args...)
		return l
	}
	d := json.NewDecoder(strings.NewReader(l.Text))
	d.UseNumber()
	var whole any
	err := d.Decode(&whole)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the first value")
		}
	}
	if err != nil {
		return bad(BadJSON, "the line is no JSON: %s", Flat(err.Error(), DetailCap))
	}
	if _, ok := whole.(map[string]any); !ok {
		return bad(BadContract, "the line is %s, not an object", typeName(whole))
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(l.Text), &m); err != nil {
		return bad(BadJSON, "the line is no JSON: %s", Flat(err.Error(), DetailCap))
	}
	c := &l.Contract
	text1 := func(name string, into *string) bool {
		raw, ok := m[name]
		return !ok || json.Unmarshal(raw, into) == nil && string(raw) != "null"
	}
	if !text1("action", &c.Action) {
		return bad(BadContract, "action is no text")
	}
	for name := range m {
		switch name {
		case "action", "probe", "expect", "argv", "ok_exit", "timeout_ms", "cwd", "independent":
		default:
			l.Odd = append(l.Odd, name)
		}
	}
	slices.Sort(l.Odd)

	_, hasProbe := m["probe"]
	_, hasArgv := m["argv"]
	switch {
	case hasProbe && (!text1("probe", &c.Probe) || Trim(c.Probe) == ""):
		return bad(NoProbe, "probe is no text that says something")
	case hasArgv && (json.Unmarshal(m["argv"], &c.Argv) != nil || len(c.Argv) == 0 || c.Argv[0] == ""):
		c.Argv = nil
		return bad(NoProbe, "argv is no list of words")
	case hasProbe && hasArgv:
		return bad(NoProbe, "probe and argv are both there; want one")
	case !hasProbe && !hasArgv:
		return bad(NoProbe, `there is neither "probe" nor "argv"`)
	case strings.ContainsRune(c.Probe+strings.Join(c.Argv, ""), 0):
		return bad(NoProbe, "the probe holds a NUL, which no command can")
	}
	if Trim(c.Action) == "" {
		c.Action = c.Command()
	}
	if raw, ok := m["ok_exit"]; ok {
		good := json.Unmarshal(raw, &c.OKExit) == nil && len(c.OKExit) > 0 && len(c.OKExit) <= ExitsCap
		for _, code := range c.OKExit {
			good = good && code >= 0 && code <= 255
		}
		if !good {
			return bad(BadContract, "ok_exit wants a list of exit codes from 0 to 255")
		}
	}
	if raw, ok := m["timeout_ms"]; ok {
		var ms int64
		if json.Unmarshal(raw, &ms) != nil || ms <= 0 || ms > int64(time.Hour/time.Millisecond) {
			return bad(BadContract, "timeout_ms wants a whole number of milliseconds above 0")
		}
		c.Timeout = time.Duration(ms) * time.Millisecond
	}
	if !text1("independent", &c.Independent) {
		return bad(BadContract, "independent is no text")
	}
	if !text1("cwd", &c.Dir) || c.Dir != "" && !below(c.Dir) {
		return bad(BadContract, "cwd wants a path below the root of the session, without .. and not absolute")
	}
	if c.Expect, err = readExpect(m["expect"]); err != nil {
		return bad(BadExpect, "%s", Flat(err.Error(), DetailCap))
	}
	return l
}

// below reports whether a relative path stays below where it starts. Links are
// looked at when the probe runs.
func below(dir string) bool {
	if runtime.GOOS != "windows" && strings.Contains(dir, `\`) {
		dir = strings.ReplaceAll(dir, `\`, "/") // a line must not mean more on another system
	}
	return filepath.IsLocal(dir)
}
