package hook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"spar/sortie"
	"spar/sortie/harness"
)

// open is a pipe whose writer never closes it.
func open(text string) io.Reader {
	r, w := io.Pipe()
	go io.WriteString(w, text)
	return r
}

func TestFirstValue(t *testing.T) {
	t.Parallel()
	const doc = `{"a":"}{\"","b":[{"c":"]"}]}`
	tests := []struct {
		name string
		in   io.Reader
		want string
		err  error
	}{
		{"whole", strings.NewReader(doc), doc, nil},
		{"an open pipe: the end of the value is enough", open(doc), doc, nil},
		{"a byte at a time", iotest.OneByteReader(strings.NewReader("\n " + doc + " {\"second\":1}")), "\n " + doc, nil},
		{"byte-order marks", open("\xef\xbb\xbf\xef\xbb\xbf" + doc), "\xef\xbb\xbf\xef\xbb\xbf" + doc, nil},
		{"nothing", strings.NewReader(""), "", harness.ErrEmpty},
		{"white space", strings.NewReader(" \r\n"), "", harness.ErrEmpty},
		{"null, pipe open: no need to wait", open("null"), "", harness.ErrNotObject},
		{"a list, pipe open", open("[{"), "", harness.ErrNotObject},
		{"cut", strings.NewReader(doc[:9]), "", errCut},
		{"garbage", strings.NewReader("\x00\x01"), "", harness.ErrNotObject},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := firstValue(tt.in, PayloadCap)
			if !errors.Is(err, tt.err) || string(got) != tt.want {
				t.Errorf("%q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestLargePayloads(t *testing.T) {
	t.Parallel()
	large := []byte(`{"tool_input":{"content":"` + strings.Repeat("x", 8<<20) + `"}}`)
	if got, err := firstValue(bytes.NewReader(large), PayloadCap); err != nil || len(got) != len(large) {
		t.Errorf("8 MiB: %d bytes, %v", len(got), err)
	}
	endless := io.MultiReader(strings.NewReader(`{"x":"`), zeros{})
	if head, err := firstValue(endless, 1<<20); !errors.Is(err, errTooLarge) || len(head) == 0 {
		t.Errorf("without an end: %d bytes, %v", len(head), err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// A harness that never writes costs the time limit and nothing more.
func TestNothingArrives(t *testing.T) {
	t.Parallel()
	piped, _ := io.Pipe()
	file, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close(); writer.Close() })
	for name, in := range map[string]io.Reader{"a reader": piped, "a file": file} {
		d := Door{In: in, Limit: 20 * time.Millisecond, World: sortie.World{Now: time.Now}}
		if _, err := d.read(context.Background()); !errors.Is(err, errNothing) {
			t.Errorf("%s: %v, want %v", name, err, errNothing)
		}
	}
	// What does come is read, and half of it is no reason to wait for ever.
	if _, err := writer.WriteString(`{"a":`); err != nil {
		t.Fatal(err)
	}
	d := Door{In: file, Limit: 20 * time.Millisecond, World: sortie.World{Now: time.Now}}
	if _, err := d.read(context.Background()); !errors.Is(err, errNothing) {
		t.Errorf("half a payload: %v, want %v", err, errNothing)
	}
	if _, err := writer.WriteString(`{"a":1}`); err != nil {
		t.Fatal(err)
	}
	if raw, err := d.read(context.Background()); err != nil || string(raw) != `{"a":1}` {
		t.Errorf("%q, %v", raw, err)
	}
}
