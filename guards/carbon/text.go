package carbon

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

const badRune = utf8.RuneError

func decodeRune(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// printable reports whether a terminal shows a character and does nothing else.
// Spaces other than the plain one would pass for it. The joiner (U+200D) is what
// holds an emoji together.
func printable(r rune) bool { return unicode.IsPrint(r) || r == '\u200d' }

// text reports whether bytes are text that a person can read line by line.
func text(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// Size is a number of bytes as a person reads it.
func Size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
