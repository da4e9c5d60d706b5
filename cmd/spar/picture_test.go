package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"spar/cmd/spar/rehearse"
	"spar/guards"
)

// TestPicture keeps docs/rehearsal.svg what `spar rehearse` really prints on a
// terminal. SPAR_UPDATE=1 draws it anew.
func TestPicture(t *testing.T) {
	t.Parallel()
	rec, err := rehearse.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	flight, err := rehearse.Fly(t.Context(), rec, rehearse.Options{
		Guards: guards.All(), Temp: t.TempDir(), Start: time.Date(2026, 9, 1, 2, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	const columns = 130
	var out bytes.Buffer
	if err := rehearse.Print(&out, flight, rehearse.Style{Color: true, Width: columns}); err != nil {
		t.Fatal(err)
	}
	want := picture("$ ./spar rehearse\n"+out.String(), columns)
	if err := xml.Unmarshal([]byte(want), new(struct{})); err != nil {
		t.Fatalf("the drawing is no XML: %v", err)
	}
	name := filepath.Join("..", "..", "docs", "rehearsal.svg")
	if os.Getenv("SPAR_UPDATE") != "" {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s shows something else than spar rehearse prints; SPAR_UPDATE=1 go test -run Picture ./cmd/spar draws it anew", name)
	}
}

// picture draws what a terminal of so many columns shows of a coloured text.
func picture(text string, columns int) string {
	const (
		advance, leading, margin = 7.22, 17, 16 // of a 12 px monospaced face
		ground, ink              = "#14181d", "#d5dbe1"
	)
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	width := int(advance*float64(columns)) + 2*margin
	height := leading*len(lines) + 2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="t">
<title id="t">The output of spar rehearse: one line a tool call, with its cost, the sum and the answer</title>
<rect width="%d" height="%d" rx="8" fill="%s"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="12" fill="%s" xml:space="preserve">
`, width, height, width, height, ground, ink)
	for i, line := range lines {
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d">`, margin, margin+leading*(i+1)-5)
		style := ""
		for line != "" {
			if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
				code, after, _ := strings.Cut(rest, "m")
				style, line = paints[code], after
				continue
			}
			part := line
			if j := strings.IndexByte(line, 0x1b); j >= 0 {
				part = line[:j]
			}
			line = line[len(part):]
			// Every run says how long it is, so that columns stand under one another
			// whatever face the reader has.
			fmt.Fprintf(&b, `<tspan%s textLength="%.0f" lengthAdjust="spacingAndGlyphs">%s</tspan>`, style, advance*float64(utf8.RuneCountInString(part)), escape(part))
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// paints is how the picture shows what a terminal is told.
var paints = map[string]string{
	"1":    ` font-weight="bold" fill="#ffffff"`,
	"2":    ` fill="#7d8790"`,
	"1;31": ` font-weight="bold" fill="#ff6b6b"`,
	"33":   ` fill="#e5c07b"`,
	"36":   ` fill="#6cc3d5"`,
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return b.String()
}
