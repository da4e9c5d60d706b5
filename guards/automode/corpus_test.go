package automode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"spar/sortie/harness"
)

// labelled is one labelled call of testdata/corpus.
type labelled struct {
	ID        string            `json:"id"`
	Tool      string            `json:"tool"`
	Input     json.RawMessage   `json:"input"`
	Cwd       string            `json:"cwd"`
	Harness   string            `json:"harness"`
	Env       map[string]string `json:"env"`
	Facts     Facts             `json:"facts"`
	Want      string            `json:"want"`
	Exception string            `json:"exception"`
	Why       string            `json:"why"`
}

func corpus(t testing.TB, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", name))
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
		c := labelled{Harness: "claude", Cwd: "/home/dev/shop"}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v in %s", name, err, sc.Bytes())
		}
		if c.Env == nil {
			c.Env = map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}
		}
		out = append(out, c)
	}
	return out
}

// call is the payload a case stands for, through the harness's own parser.
func (c labelled) call(t testing.TB) *harness.Call {
	t.Helper()
	raw, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": c.ID, "cwd": c.Cwd,
		"tool_name": c.Tool, "tool_input": c.Input,
	})
	if err != nil {
		t.Fatal(err)
	}
	event := "PreToolUse"
	if w, ok := harness.Wiring(c.Harness); ok {
		for _, e := range w.Events {
			if e.Event == harness.PreTool {
				event = e.Name
			}
		}
	}
	none := func(string) string { return "" }
	call, _, err := harness.Parse(raw, harness.Hint{Harness: c.Harness, Event: event}, none)
	if err != nil || call.Tool == "" || call.Event != harness.PreTool {
		call, _, err = harness.Parse(raw, harness.Hint{Harness: "claude", Event: "PreToolUse"}, none)
	}
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	return call
}

func (c labelled) options() LocalOptions {
	return LocalOptions{Env: c.Env, Facts: c.Facts}
}

// failing are allows that the tier passes on, each with the reason. A wrong allow
// is never listed: it is mended.
var failing = map[string]string{}

func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"automode.jsonl", "own-automode.jsonl"} {
		cases := corpus(t, name)
		right, wrong := 0, 0
		for _, c := range cases {
			call := c.call(t)
			o := c.options()
			off := Local(call, o)
			o.BuildTest = true
			on := Local(call, o)
			ok := false
			switch c.Want {
			case "allow":
				ok = off.Allow && off.Exception == c.Exception && on == off
			case "allow-if-buildtest":
				ok = !off.Allow && on.Allow && on.Exception == c.Exception
			case "escalate":
				ok = !off.Allow && !on.Allow
			default:
				t.Errorf("%s %s: want %q", name, c.ID, c.Want)
			}
			if ok {
				right++
				if failing[c.ID] != "" {
					t.Errorf("%s is listed as failing and passes", c.ID)
				}
				continue
			}
			if c.Want == "escalate" || c.Want == "allow-if-buildtest" && off.Allow {
				wrong++
				t.Errorf("WRONG ALLOW %s %s: %q (%s)", c.ID, c.Input, on.Exception, c.Why)
			} else if failing[c.ID] == "" {
				t.Errorf("%s %s: want %s %q, got %s %q %s / %s %q %s", c.ID, c.Input, c.Want, c.Exception, off, off.Exception, off.Why, on, on.Exception, on.Why)
			}
		}
		t.Logf("automode corpus: %d of %d, wrong allows: %d (%s)", right, len(cases), wrong, name)
	}
}
