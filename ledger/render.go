package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Style says how findings are shown. The zero value is the piped form: one
// finding a line, fields parted by tabs, nothing cut, times in UTC.
type Style struct {
	// Terminal aligns columns, for a person to read.
	Terminal bool
	// Width is the terminal's, in columns; subjects and values are cut to fit it.
	// 0: 100.
	Width int
	// Colour colours the severity.
	Colour bool
	// Zone is where the terminal form's times are told; UTC where nil.
	Zone *time.Location
}

// Columns names the fields of the piped form, in their order.
func Columns() []string {
	return []string{"seq", "at", "severity", "phase", "source", "outcome", "sortie", "subject", "observed", "note"}
}

// Print writes findings, oldest first, as the style says. Columns are as wide as
// these findings need, so a table is one call.
func Print(w io.Writer, fs []*Finding, s Style) error {
	if len(fs) == 0 {
		return nil
	}
	if !s.Terminal {
		return printTabs(w, fs)
	}
	return s.table(w, fs)
}

func printTabs(w io.Writer, fs []*Finding) error {
	var b bytes.Buffer
	for _, f := range fs {
		for i, v := range []string{
			strconv.FormatUint(f.Seq, 10), f.At.UTC().Format(timeLayout), string(f.Severity), string(f.Phase), f.Source,
			f.state(), f.Sortie, f.Subject, compact(f.Observed), f.Note,
		} {
			if i > 0 {
				b.WriteByte('\t')
			}
			if v == "" {
				v = "-" // an empty field is lost on every tool that splits at white space
			}
			b.WriteString(oneLine(v))
		}
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// state is the outcome and what else is out of the ordinary about a finding.
func (f *Finding) state() string {
	s := []string{}
	if f.Outcome != "" {
		s = append(s, f.Outcome)
	}
	if f.Late {
		s = append(s, "late")
	}
	if f.Imported != nil {
		s = append(s, "imported")
	}
	return strings.Join(s, ",")
}

// compact is a value on one line: a text without its quotes, a charge as its
// points, anything else as JSON.
func compact(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return oneLine(text)
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return oneLine(string(v))
	}
	return oneLine(b.String())
}

// brief is compact for the table, where a charge is what is looked for most.
func (f *Finding) brief() string {
	if c, ok := f.ChargeOf(); ok && len(c.Kinds) > 0 {
		var parts []string
		for _, k := range sortedKeys(c.Kinds) {
			parts = append(parts, fmt.Sprintf("%s +%d", k, c.Kinds[k]))
		}
		return fmt.Sprintf("%s, total %d", strings.Join(parts, " "), c.Total)
	}
	return compact(f.Observed)
}

func sortedKeys(m map[string]int) []string {
	// The order everyone tells kinds in, then the others by name.
	var keys []string
	for _, k := range []string{"irreversible", "outward", "production", "dependency"} {
		if _, ok := m[k]; ok {
			keys = append(keys, k)
		}
	}
	known := len(keys)
	for k := range m {
		switch k {
		case "irreversible", "outward", "production", "dependency":
		default:
			keys = append(keys, k)
		}
	}
	tail := keys[known:]
	for i := range tail {
		for j := i; j > 0 && tail[j] < tail[j-1]; j-- {
			tail[j], tail[j-1] = tail[j-1], tail[j]
		}
	}
	return keys
}

// table aligns the columns by what they hold; the last two share what is left of
// the line.
func (s Style) table(w io.Writer, fs []*Finding) error {
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	layout := "15:04:05"
	if first, last := fs[0].At.In(zone), fs[len(fs)-1].At.In(zone); first.Format(time.DateOnly) != last.Format(time.DateOnly) {
		layout = "2006-01-02 15:04:05"
	}
	rows := [][]string{{"SEQ", "TIME", "SEVERITY", "PHASE", "SOURCE", "OUTCOME", "SUBJECT", "OBSERVED"}}
	for _, f := range fs {
		rows = append(rows, []string{
			strconv.FormatUint(f.Seq, 10), f.At.In(zone).Format(layout), string(f.Severity), string(f.Phase), oneLine(f.Source), f.state(),
			oneLine(f.Subject), f.brief(),
		})
	}
	const flexible = 6
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, v := range r {
			widths[i] = max(widths[i], columns(v))
		}
	}
	left := s.Width
	if left <= 0 {
		left = 100
	}
	for _, n := range widths[:flexible] {
		left -= n + 2
	}
	// A narrow terminal still gets to read something of each.
	left = max(left, 30)
	subject, observed := widths[flexible], widths[flexible+1]
	if subject+2+observed > left {
		observed = min(observed, max(left/2, left-2-subject))
		subject = min(subject, left-2-observed)
	}
	widths[flexible], widths[flexible+1] = subject, observed

	var b bytes.Buffer
	for n, r := range rows {
		for i, v := range r {
			if i >= flexible {
				v = fit(v, widths[i])
			}
			pad := widths[i] - columns(v)
			if i == 0 {
				b.WriteString(strings.Repeat(" ", pad)) // numbers to the right
				pad = 0
			}
			if n > 0 && i == 2 {
				v = s.paint(Severity(v))
			}
			b.WriteString(v)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", pad+2))
			}
		}
		trimmed := bytes.TrimRight(b.Bytes(), " ")
		b.Truncate(len(trimmed))
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// paint colours a severity: stop red, warn yellow, note as it is.
func (s Style) paint(v Severity) string {
	if !s.Colour {
		return string(v)
	}
	switch v {
	case Stop:
		return "\x1b[31m" + string(v) + "\x1b[0m"
	case Warn:
		return "\x1b[33m" + string(v) + "\x1b[0m"
	}
	return string(v)
}

// columns is the room a text takes in a terminal. Wide letters count twice; the
// ranges are those of East Asian scripts and emoji, which is what subjects hold.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd):
		return 2
	}
	return 1
}

// fit cuts a text to n columns, the last one being the sign that it was cut.
func fit(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	at, used := 0, 0
	for i, r := range s {
		if used+runeColumns(r) > n-1 {
			break
		}
		used += runeColumns(r)
		at = i + utf8.RuneLen(r)
	}
	return s[:at] + "…"
}

// PrintOne writes all of one finding, a field a line.
func PrintOne(w io.Writer, f *Finding, s Style) error {
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	at := f.At.UTC().Format(timeLayout)
	if s.Terminal && zone != time.UTC {
		at += f.At.In(zone).Format(" (15:04:05 MST)")
	}
	var b bytes.Buffer
	for _, row := range [][2]string{
		{"seq", strconv.FormatUint(f.Seq, 10)}, {"at", at}, {"severity", s.paint(f.Severity)}, {"phase", string(f.Phase)}, {"source", f.Source},
		{"outcome", f.state()}, {"subject", f.Subject}, {"observed", indent(f.Observed)}, {"expected", indent(f.Expected)}, {"note", f.Note},
		{"mode", string(f.Mode)}, {"actor", string(f.Actor)}, {"sortie", f.Sortie}, {"session", f.Session}, {"agent", f.Agent}, {"swing", f.Swing},
		{"call", f.Call}, {"imported", indent(f.Imported)},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "%-9s %s\n", row[0], strings.ReplaceAll(row[1], "\n", "\n          "))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func indent(v json.RawMessage) string {
	if len(v) == 0 || string(v) == "{}" {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, v, "", "  ") != nil {
		return oneLine(string(v))
	}
	return b.String()
}
