package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"spar/ledger/redact"
)

// Limits of what is stored, in bytes of UTF-8. What was cut says so.
const (
	maxSubject = 1 << 10
	maxNote    = 4 << 10
	maxValue   = 16 << 10 // observed, expected and imported, encoded
	maxSource  = 200
	maxID      = 256
	maxDepth   = 100 // nesting of a value
)

const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// MarshalJSON writes at with milliseconds, always, so that stored times sort as
// text and have one width.
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // commands are full of < and >, and nobody puts this in a page
	err := enc.Encode(struct {
		Seq uint64 `json:"seq"`
		At  string `json:"at"`
		plain
	}{f.Seq, f.At.UTC().Format(timeLayout), plain(f)})
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// oneOf refuses a value that is not in the list, and names the list.
func oneOf[S ~string](field string, v S, known ...S) error {
	if slices.Contains(known, v) {
		return nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	if v == "" {
		return fmt.Errorf("a finding needs a %s: one of %s", field, strings.Join(names, ", "))
	}
	return fmt.Errorf("unknown %s %q: the known ones are %s", field, v, strings.Join(names, ", "))
}

// outcomes are the verdicts a finding may carry.
func outcomes() []string {
	return []string{"logged", "advise", "refuse-shot", "halt", "deferred", "ask"}
}

// check refuses what no ledger holds.
func (f *Finding) check() error {
	err := errors.Join(
		oneOf("phase", f.Phase, Brief, Pre, Post, Claim),
		oneOf("severity", f.Severity, Note, Warn, Stop),
		oneOf("mode", f.Mode, Strike, Cruise),
		oneOf("actor", f.Actor, Agent, Human, Wingman),
	)
	if f.Outcome != "" {
		err = errors.Join(err, oneOf("outcome", f.Outcome, outcomes()...))
	}
	if strings.TrimSpace(f.Source) == "" {
		err = errors.Join(err, errors.New("a finding needs a source"))
	}
	if strings.TrimSpace(f.Subject) == "" {
		err = errors.Join(err, errors.New("a finding needs a subject"))
	}
	if len(bytes.TrimSpace(f.Observed)) == 0 {
		err = errors.Join(err, errors.New("a finding needs what was observed"))
	}
	for _, id := range []struct{ name, v string }{{"sortie", f.Sortie}, {"swing", f.Swing}} {
		// These are keys: an id that had to be changed would be another sortie's.
		if len(id.v) > maxID || strings.ContainsFunc(id.v, func(r rune) bool { return !unicode.IsPrint(r) }) {
			err = errors.Join(err, fmt.Errorf("%s id %.40q is longer than %d bytes or not printable", id.name, id.v, maxID))
		}
	}
	return err
}

// clean makes f what is stored: validated, secrets out, capped, each text one
// line. Secrets go first, so that no cut leaves half of one.
func (f *Finding) clean() error {
	if err := f.check(); err != nil {
		return err
	}
	f.At = f.At.UTC().Truncate(time.Millisecond)
	f.Source = cleanText(f.Source, maxSource)
	f.Subject = cleanText(f.Subject, maxSubject)
	f.Note = cleanText(f.Note, maxNote)
	f.Session, f.Agent, f.Call = cleanID(f.Session), cleanID(f.Agent), cleanID(f.Call)
	var err error
	if f.Observed, err = cleanValue(f.Observed); err != nil {
		return fmt.Errorf("observed: %w", err)
	}
	if f.Expected, err = cleanValue(f.Expected); err != nil {
		return fmt.Errorf("expected: %w", err)
	}
	if f.Imported, err = cleanValue(f.Imported); err != nil {
		return fmt.Errorf("imported: %w", err)
	}
	return nil
}

// cleanText redacts s, makes it one line of valid UTF-8 and caps it at n bytes.
func cleanText(s string, n int) string {
	s, gone := redacted(s, n)
	return clip(oneLine(s), n, gone)
}

// redacted takes the secrets out of as much of s as a cap of n can show, and says
// how many bytes it did not look at. A payload may be megabytes; what is far
// behind the cap need not be scanned to be dropped. The end of what was looked
// at may be half a secret, too short to be known for one: it goes up to the last
// white space.
func redacted(s string, n int) (string, int) {
	limit := 4*n + 8<<10
	if len(s) <= limit {
		return redact.Text(s), 0
	}
	head := s[:limit]
	if i := strings.LastIndexAny(head, " \t\n"); i > limit-4<<10 {
		head = head[:i]
	} else {
		head = head[:limit-4<<10]
	}
	return strings.ToValidUTF8(redact.Text(head), "\ufffd"), len(s) - len(head)
}

// oneLine replaces what would break a table row or speak to a terminal: control
// characters are written as escapes, invisible direction marks and invalid bytes
// likewise or replaced.
func oneLine(s string) string {
	bad := func(r rune) bool {
		return r == utf8.RuneError || r < 0x20 || r == 0x7f || r >= 0x80 && !unicode.IsPrint(r)
	}
	if !strings.ContainsFunc(s, bad) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == utf8.RuneError: // an invalid byte becomes one, a real one stays
			b.WriteRune(utf8.RuneError)
		case !bad(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == 0xa0, unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// clip cuts s to at most n bytes on a rune's boundary, never inside a redaction
// mark or an earlier cut's, and says how many bytes went, those already gone
// included.
func clip(s string, n, gone int) string {
	if len(s) <= n && gone == 0 {
		return s
	}
	keep := min(len(s), max(0, n-len("… [cut, 1234567890 bytes]")))
	for keep > 0 && keep < len(s) && !utf8.RuneStart(s[keep]) {
		keep--
	}
	// A mark is short and begins with its bracket: step back before one that the
	// cut would fall into.
	if open := strings.LastIndex(s[:keep], redact.Open); open >= 0 {
		if end := strings.IndexByte(s[open:], ']'); end >= 0 && open+end >= keep {
			keep = open
		}
	}
	return fmt.Sprintf("%s… [cut, %d bytes]", s[:keep], len(s)-keep+gone)
}

// cleanID keeps an id that is short, printable and no secret, and stands a hash
// in for any other: two ids must never become the same text, or a second call
// would look like the first.
func cleanID(s string) string {
	if s == "" {
		return s
	}
	printable := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if len(s) <= maxID && !strings.ContainsFunc(s, printable) && redact.Text(s) == s {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:16])
}

// cleanValue redacts every string in a JSON value, by its shape and by the key
// it stands under, and caps the whole. Key order stays.
func cleanValue(v json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(v)) == 0 {
		return nil, nil
	}
	// A value that is too long gets shorter texts first and fewer elements last.
	for _, limit := range []int{maxValue, 2 << 10, 256} {
		out, err := rewrite(v, limit, 0)
		if err != nil || len(out) <= maxValue {
			return out, err
		}
	}
	return rewrite(v, 256, maxValue-256)
}

// rewriter copies a JSON value token by token.
type rewriter struct {
	dec   *json.Decoder
	out   bytes.Buffer
	text  int // cap of one string
	total int // cap of the whole, past which elements are left out; 0: none
}

func rewrite(v []byte, text, total int) ([]byte, error) {
	w := rewriter{dec: json.NewDecoder(bytes.NewReader(v)), text: text, total: total}
	w.dec.UseNumber()
	if err := w.value("", 0); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := w.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not JSON: more follows after the value")
	}
	return w.out.Bytes(), nil
}

func (w *rewriter) value(key string, depth int) error {
	tok, err := w.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	switch tok := tok.(type) {
	case json.Delim:
		return w.container(tok, key, depth)
	case string:
		return w.string(w.clean(key, tok))
	case json.Number:
		if secretNumber(key) {
			return w.string(redact.Value(tok.String()))
		}
		w.out.WriteString(tok.String())
	case bool:
		fmt.Fprintf(&w.out, "%t", tok)
	case nil:
		w.out.WriteString("null")
	}
	return nil
}

// secretNumber is narrower than redact.Variable: "tokens": 1200 is a count.
func secretNumber(key string) bool {
	return redact.Variable(key) && !strings.Contains(strings.ToLower(key), "token")
}

func (w *rewriter) clean(key, s string) string {
	if key != "" && (redact.Variable(key) || strings.EqualFold(key, "pass")) {
		return redact.Value(s)
	}
	s, gone := redacted(s, w.text)
	return clip(safe(s), w.text, gone)
}

// safe keeps line breaks, which JSON escapes anyway, and makes the rest of s
// harmless to a terminal that prints it.
func safe(s string) string {
	if !strings.ContainsAny(s, "\n\t") {
		return oneLine(s)
	}
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "\n\t")
		if i < 0 {
			b.WriteString(oneLine(s))
			return b.String()
		}
		b.WriteString(oneLine(s[:i]))
		b.WriteByte(s[i])
		s = s[i+1:]
	}
}

func (w *rewriter) string(s string) error {
	enc := json.NewEncoder(&w.out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	w.out.Truncate(w.out.Len() - 1) // Encode ends with a newline
	return err
}

func (w *rewriter) container(open json.Delim, key string, depth int) error {
	w.out.WriteByte(byte(open))
	n, left := 0, 0
	for w.dec.More() {
		if w.total > 0 && w.out.Len() > w.total {
			left++
			if err := w.skip(open == '{'); err != nil {
				return err
			}
			continue
		}
		if n++; n > 1 {
			w.out.WriteByte(',')
		}
		under := key // a list under a telling name is a list of secrets
		if open == '{' {
			tok, err := w.dec.Token()
			if err != nil {
				return err
			}
			name, _ := tok.(string)
			under = name
			if err := w.string(w.clean("", name)); err != nil {
				return err
			}
			w.out.WriteByte(':')
		}
		if err := w.value(under, depth+1); err != nil {
			return err
		}
	}
	end, err := w.dec.Token()
	if err != nil {
		return err
	}
	if left > 0 {
		if n > 0 {
			w.out.WriteByte(',')
		}
		note := fmt.Sprintf("… [cut, %d more]", left)
		if open == '{' {
			w.out.WriteString(`"…":`)
		}
		if err := w.string(note); err != nil {
			return err
		}
	}
	d, _ := end.(json.Delim)
	w.out.WriteByte(byte(d))
	return nil
}

// skip drops one element.
func (w *rewriter) skip(named bool) error {
	if named {
		if _, err := w.dec.Token(); err != nil {
			return err
		}
	}
	var drop json.RawMessage
	return w.dec.Decode(&drop)
}
