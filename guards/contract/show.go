package contract

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"spar/ledger/redact"
)

// Caps of what is shown, in characters.
const (
	ActionCap   = 120
	DetailCap   = 200
	EvidenceCap = 200
)

// Quote is text as it is shown: secrets taken out, one line, JSON-quoted, at most
// limit characters and then an ellipsis. Control characters, those that turn the
// direction of writing and those that have no width are escaped: what a probe
// printed must not be able to look like anything else.
func Quote(s string, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, r := range redact.Text(strings.ToValidUTF8(s, "\uFFFD")) {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Evidence is what a probe returned, as it is shown; "" for nothing at all.
func Evidence(output string) string {
	out := Trim(output)
	if out == "" {
		return ""
	}
	return Quote(out, EvidenceCap)
}

// Flat is text of ours or a system's as it stands in a sentence: secrets taken
// out, one line, at most limit characters, what is invisible escaped.
func Flat(s string, limit int) string {
	q := Quote(strings.Join(strings.Fields(s), " "), limit)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q[1 : len(q)-1])
}
