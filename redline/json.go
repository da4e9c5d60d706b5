package redline

import (
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends the answer as one JSON object, the same as encoding/json
// without HTML escapes. In a batch the reflection of encoding/json would cost as
// much as the price.
func (a Answer) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	if len(a.ID) > 0 {
		b = append(append(append(b, `"id":`...), a.ID...), ',')
	}
	b = appendStrings(append(b, `"kinds":`...), a.Kinds)
	b = strconv.AppendInt(append(b, `,"points":`...), int64(a.Points), 10)
	b = append(b, `,"acts":[`...)
	for i := range a.Acts {
		if i > 0 {
			b = append(b, ',')
		}
		b = a.Acts[i].appendJSON(b)
	}
	b = append(b, ']')
	if a.Switch != "" {
		b = appendString(append(b, `,"switch":`...), a.Switch)
	}
	if a.Auto != nil {
		b = appendString(append(b, `,"automode":{"verdict":`...), a.Auto.Verdict)
		b = append(appendString(append(b, `,"exception":`...), a.Auto.Exception), '}')
	}
	if a.Error != "" {
		b = appendString(append(b, `,"error":`...), a.Error)
	}
	return append(b, '}')
}

func (a *ActAnswer) appendJSON(b []byte) []byte {
	b = append(b, `{"argv":[`...)
	for i, w := range a.Argv {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMaybe(b, w)
	}
	b = appendMaybe(append(b, `],"dir":`...), a.Dir)
	b = appendStrings(append(b, `,"via":`...), a.Via)
	b = appendStrings(append(b, `,"kinds":`...), a.Kinds)
	b = appendStrings(append(b, `,"why":`...), a.Why)
	return append(appendString(append(b, `,"unread":`...), a.Unread), '}')
}

func appendMaybe(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendString(b, *s)
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendString appends a JSON string. Bytes that are no UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, '\\', 'n')
			case c == '\r':
				b = append(b, '\\', 'r')
			case c == '\t':
				b = append(b, '\\', 't')
			case c == '\b':
				b = append(b, '\\', 'b')
			case c == '\f':
				b = append(b, '\\', 'f')
			case c < 0x20:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			b = append(b, '\\', 'u', '2', '0', '2', hex[r&15])
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}
