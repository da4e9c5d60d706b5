package rehearse

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	const payload = `{"hook_event_name":"Stop","session_id":"s"}`
	tests := []struct {
		name, text string
		steps      int
		err        string // what the error says; "" is none
	}{
		{"bare payloads", payload + "\n" + payload + "\n", 2, ""},
		{"no newline at the end", payload, 1, ""},
		{"blank lines and carriage returns", "\r\n" + payload + "\r\n\r\n" + payload, 2, ""},
		{"a byte-order mark", "\ufeff" + payload, 1, ""},
		{"a comment", `{"say":"why","payload":` + payload + `}`, 1, ""},
		{"a header", `{"rehearsal":1,"title":"t","env":{"A":"b"},"files":{"a/b.json":"{}"}}` + "\n" + payload, 1, ""},
		{"an empty header", `{"rehearsal":1}` + "\n" + payload, 1, ""},
		// What can't be judged is the door's business: it says so, as it does live.
		{"a payload nobody knows", `{"x":1}`, 1, ""},

		{"nothing", "", 0, "no payload in it"},
		{"only a header", `{"rehearsal":1}`, 0, "no payload in it"},
		{"no JSON", payload + "\nspar hook", 0, "rec:2: not a JSON object"},
		{"an array", `[]`, 0, "rec:1: not a JSON object"},
		{"pretty-printed", "{\n}", 0, "rec:1: not a JSON object on one line"},
		{"a header of another version", `{"rehearsal":2}`, 0, "format 2, this spar reads 1"},
		{"an unknown key", `{"rehearsal":1,"environ":{}}`, 0, "environ"},
		{"a wrong type", `{"rehearsal":1,"env":{"A":1}}`, 0, "the header"},
		{"two headers", `{"rehearsal":1}` + "\n" + `{"rehearsal":1}`, 0, "rec:2: a second header"},
		{"a header after a payload", payload + "\n" + `{"rehearsal":1}`, 0, "rec:2: a second header"},
		{"a comment that is no text", `{"say":1,"payload":` + payload + `}`, 0, `"say" is not text`},
		{"a key beside the payload", `{"note":"x","payload":` + payload + `}`, 0, `unknown key "note"`},
		// A recording comes from somebody else; it must not write where it likes.
		{"a file above", `{"rehearsal":1,"files":{"../x":""}}`, 0, "outside the rehearsal's home"},
		{"an absolute file", `{"rehearsal":1,"files":{"/etc/x":""}}`, 0, "outside the rehearsal's home"},
		{"a file with backslashes", `{"rehearsal":1,"files":{"..\\x":""}}`, 0, "outside the rehearsal's home"},
		{"a home", `{"rehearsal":1,"env":{"HOME":"/root"}}`, 0, "env sets HOME"},
		{"a state folder", `{"rehearsal":1,"env":{"XDG_STATE_HOME":"/root"}}`, 0, "env sets XDG_STATE_HOME"},
		{"a spar home", `{"rehearsal":1,"env":{"SPAR_HOME":"/root"}}`, 0, "env sets SPAR_HOME"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, err := Read(strings.NewReader(tt.text), "rec")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one that says %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Steps) != tt.steps {
				t.Errorf("%d steps, want %d", len(rec.Steps), tt.steps)
			}
		})
	}
}

func TestReadKeepsWhatItRead(t *testing.T) {
	t.Parallel()
	rec, err := Read(strings.NewReader(`{"rehearsal":1,"title":"night","harness":"claude","env":{"A":"b"},"files":{"x":"y"}}

{"say":"why","payload":{"a":1}}
{"b":2}`), "rec")
	if err != nil {
		t.Fatal(err)
	}
	if rec.Title != "night" || rec.Harness != "claude" || rec.Env["A"] != "b" || rec.Files["x"] != "y" {
		t.Errorf("header read as %+v", rec)
	}
	want := []Step{{3, "why", []byte(`{"a":1}`)}, {4, "", []byte(`{"b":2}`)}}
	for i, s := range rec.Steps {
		if s.Line != want[i].Line || s.Say != want[i].Say || string(s.Payload) != string(want[i].Payload) {
			t.Errorf("step %d is %+v, want %+v", i, s, want[i])
		}
	}
}

// The lines of a recording must not share memory: the reader's buffer is reused.
func TestReadLongLines(t *testing.T) {
	t.Parallel()
	long := func(c string) string { return `{"x":"` + strings.Repeat(c, 100_000) + `"}` }
	rec, err := Read(strings.NewReader(long("a")+"\n"+long("b")+"\n"+long("c")), "rec")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []string{"a", "b", "c"} {
		if string(rec.Steps[i].Payload) != long(c) {
			t.Errorf("line %d is not what was written", i+1)
		}
	}
}

func FuzzRecording(f *testing.F) {
	f.Add(shipped)
	f.Add(`{"rehearsal":1,"files":{"a":"b"}}` + "\n" + `{"say":"x","payload":{}}`)
	f.Add("\ufeff{}\n\n[]")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := Read(strings.NewReader(text), "rec")
		if (rec == nil) == (err == nil) {
			t.Fatal("neither a recording nor an error, or both")
		}
		if err != nil {
			return
		}
		for key := range rec.Env {
			if owned(key) {
				t.Errorf("env %q was let in", key)
			}
		}
		for path := range rec.Files {
			if strings.HasPrefix(path, "/") || strings.HasPrefix(path, "..") {
				t.Errorf("file %q was let in", path)
			}
		}
		for i, s := range rec.Steps {
			if i > 0 && s.Line <= rec.Steps[i-1].Line {
				t.Errorf("lines out of order: %d after %d", s.Line, rec.Steps[i-1].Line)
			}
		}
	})
}
