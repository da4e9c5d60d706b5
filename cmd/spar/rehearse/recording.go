// Package rehearse flies a recorded session of hook payloads through the real
// door, in a home of its own that is removed afterwards, and says act by act what
// the agent did, what it cost and what it was answered.
//
// Nothing of a recording is run: a payload says what an agent was about to do,
// and the door only judges it.
package rehearse

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"spar/sortie/harness"
)

// Format is the version of the recording format that Read understands.
const Format = 1

// lineCap is the longest line of a recording; the door reads no longer payload.
const lineCap = 64 << 20

//go:embed sessions/coupon.jsonl
var shipped string

// Shipped is the recording that comes with the program.
func Shipped() (*Recording, error) { return Read(strings.NewReader(shipped), "shipped") }

// Recording is one session as it was recorded.
//
// Its file is JSON Lines. The first line may be a header, an object with
// "rehearsal": 1 and any of "title", "harness", "env" and "files". Each further
// line is one hook payload as the harness wrote it, or that payload under
// "payload" with a comment under "say". Blank lines are skipped. So what a hook
// was handed on its standard input, one line each, already is a recording.
type Recording struct {
	Name    string // the file's name, for messages
	Title   string
	Harness string // whose payloads these are; "": each payload is looked at
	// Env is the whole environment of the flight, but for the home, which is the
	// rehearsal's own.
	Env map[string]string
	// Files are laid into the rehearsal's home folder before it starts, by
	// slash-separated path: a .redline.json, as a rule.
	Files map[string]string
	Steps []Step
}

// Step is one payload of a recording.
type Step struct {
	Line    int    // of the file, from 1
	Say     string // what the recording says about it
	Payload json.RawMessage
}

// header is the first line. Unknown keys are an error: a misspelt "env" would
// change every number silently.
type header struct {
	Rehearsal int               `json:"rehearsal"`
	Title     string            `json:"title"`
	Harness   string            `json:"harness"`
	Env       map[string]string `json:"env"`
	Files     map[string]string `json:"files"`
}

// Read reads a recording. Its errors name file and line.
func Read(r io.Reader, name string) (*Recording, error) {
	rec := &Recording{Name: name, Title: name}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		end := err != nil
		line = bytes.TrimSpace(harness.TrimMark(line))
		if len(line) > 0 {
			if err := rec.take(line, n); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		if end {
			break
		}
	}
	if len(rec.Steps) == 0 {
		return nil, fmt.Errorf("%s: no payload in it; a recording is one hook payload a line", name)
	}
	return rec, nil
}

// readLine is one line without its end, bounded by lineCap.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > lineCap {
			return nil, fmt.Errorf("the line is longer than %d MiB", lineCap>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take reads one line into the recording.
func (rec *Recording) take(line []byte, n int) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return fmt.Errorf("not a JSON object on one line: %w", err)
	}
	if _, ok := keys["rehearsal"]; ok {
		if len(rec.Steps) > 0 || rec.Env != nil {
			return errors.New("a second header; it is the first line and only that")
		}
		return rec.head(line)
	}
	payload, wrapped := keys["payload"]
	if !wrapped {
		rec.Steps = append(rec.Steps, Step{Line: n, Payload: bytes.Clone(line)})
		return nil
	}
	step := Step{Line: n, Payload: payload}
	for key, value := range keys {
		switch key {
		case "payload":
		case "say":
			if err := json.Unmarshal(value, &step.Say); err != nil {
				return errors.New(`"say" is not text`)
			}
		default:
			return fmt.Errorf(`unknown key %q beside "payload"; there is "say"`, key)
		}
	}
	rec.Steps = append(rec.Steps, step)
	return nil
}

func (rec *Recording) head(line []byte) error {
	var h header
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		return fmt.Errorf("the header: %w", err)
	}
	if h.Rehearsal != Format {
		return fmt.Errorf("the header: recording format %d, this spar reads %d", h.Rehearsal, Format)
	}
	for key := range h.Env {
		if owned(key) {
			return fmt.Errorf("the header: env sets %s, but a rehearsal flies in a home of its own; leave it out", key)
		}
	}
	for path := range h.Files {
		if !filepath.IsLocal(filepath.FromSlash(path)) || strings.Contains(path, `\`) {
			return fmt.Errorf("the header: the file %q lies outside the rehearsal's home; give a path below it", path)
		}
	}
	if h.Title != "" {
		rec.Title = h.Title
	}
	rec.Harness, rec.Env, rec.Files = h.Harness, h.Env, h.Files
	if rec.Env == nil {
		rec.Env = map[string]string{}
	}
	return nil
}

// owned reports whether a variable says where things are kept. A recording must
// not be able to write into a person's own folders.
func owned(key string) bool {
	switch key {
	case "HOME", "USERPROFILE", "SPAR_HOME", "SPAR_SORTIE":
		return true
	}
	return strings.HasPrefix(key, "XDG_")
}
