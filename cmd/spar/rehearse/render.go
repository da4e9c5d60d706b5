package rehearse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"spar/redline"
	"spar/sortie/harness"
)

// Style is how a flight is printed. The zero value suits a pipe: no colours, no
// line shortened to a screen.
type Style struct {
	Color bool
	Width int // columns of the screen; 0: none
	// Next are the lines that say where to go from here.
	Next []string
}

// Widths of the columns, in characters.
const (
	toolWidth = 8
	didWidth  = 46
	// fixed is what stands before the last column.
	fixed = 2 + 2 + toolWidth + 1 + didWidth + 2 + 3 + 2 + 8 + 2
	// indent is where what the agent was told begins.
	indent = 2 + 2 + toolWidth + 1
)

// input is a text field of a call's input.
func input(c *harness.Call, key string) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(c.Input, &fields) == nil {
		_ = json.Unmarshal(fields[key], &text) // a field of another type is no text
	}
	return text
}

// Print writes a flight for a person.
func Print(w io.Writer, f *Flight, s Style) error {
	var b strings.Builder
	seat := "somebody in the seat"
	if f.Empty {
		seat = fmt.Sprintf("nobody in the seat (%s)", clean(f.Reason))
	}
	fmt.Fprintf(&b, "rehearsal: %s\n%s; %s; nothing of it is run\n\n", clean(f.Title), seat, counted(len(f.Acts), "act"))
	fmt.Fprintf(&b, "%2s  %-*s %-*s  %s  %s\n", "", toolWidth, "tool", didWidth, "what the agent is about to do", "sum", "answer")
	for _, act := range f.Acts {
		row(&b, act, s)
	}
	b.WriteByte('\n')
	fmt.Fprintln(&b, s.paint(bold, fmt.Sprintf("redline: %d spent this sortie (stop at %d)", f.Total, f.Limit)))
	fmt.Fprintln(&b, summary(f))
	for i, line := range s.Next {
		lead := "next: "
		if i > 0 {
			lead = "      "
		}
		fmt.Fprintln(&b, lead+line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row is one act, and below it what the agent was told.
func row(b *strings.Builder, act Act, s Style) {
	what := clean(act.Say)
	if kinds := kinds(act.Kinds); kinds != "" {
		what = strings.TrimSuffix(kinds+": "+what, ": ")
	}
	if act.Agent != "" && what == "" && act.Event == harness.PreTool.String() {
		what = "a subagent's call"
	}
	tool := clean(bare(act.Tool))
	if act.Event != harness.PreTool.String() && act.Event != harness.Permission.String() {
		tool = "·"
	}
	sum, answer := "", act.Answer
	if answer != "" {
		sum = fmt.Sprint(act.Total)
	} else if len(act.Filed) > 0 {
		answer = Recorded
	}
	if s.Width > fixed+8 {
		what = clip(what, s.Width-fixed)
	}
	line := fmt.Sprintf("%2d  %s %s  %3s  %s  %s", act.N, pad(clip(tool, toolWidth), toolWidth), pad(clip(clean(act.Did), didWidth), didWidth),
		sum, s.paint(tone(answer), pad(answer, 8)), s.paint(aside(act), what))
	if !s.Color {
		line = strings.TrimRight(line, " ")
	}
	b.WriteString(line + "\n")
	for _, part := range []struct{ lead, text string }{{"│ ", act.Told}, {"person: ", act.Person}, {"fault: ", act.Fault}} {
		for line := range strings.Lines(part.text) {
			for _, folded := range fold(clean(line), s.Width-indent-len([]rune(part.lead))) {
				fmt.Fprintf(b, "%*s%s%s\n", indent, "", part.lead, folded)
			}
		}
	}
}

// bare is a tool's own name: an MCP tool's begins with its server's.
func bare(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		return tool[i+2:]
	}
	return tool
}

// summary counts the calls.
func summary(f *Flight) string {
	var parts []string
	for _, a := range []string{Free, Noted, Recorded, Advised, Asked, Stopped} {
		if n := f.Answers[a]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, a))
		}
	}
	if len(parts) == 0 {
		return "no tool call in it"
	}
	return counted(f.Calls, "tool call") + ": " + strings.Join(parts, ", ")
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// kinds are what was charged, in redline's own order.
func kinds(m map[string]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s +%d", clean(name), m[name])
	}
	return strings.Join(names, ", ")
}

// order is where a kind stands; one that is not known comes last.
func order(kind string) int {
	all := redline.Kinds()
	if i := slices.Index(all, kind); i >= 0 {
		return i
	}
	return len(all)
}

// JSON writes a flight as one object.
func JSON(w io.Writer, f *Flight) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(f)
}

// The tones, as terminals spell them.
const (
	plain  = ""
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "33"
	cyan   = "36"
)

func tone(answer string) string {
	switch answer {
	case Stopped:
		return red
	case Advised, Asked:
		return yellow
	case Recorded, Noted:
		return cyan
	case Free:
		return dim
	}
	return plain
}

// aside is the tone of the last column: a comment on what cost nothing is not
// what the eye should find first.
func aside(act Act) string {
	if act.Points == 0 {
		return dim
	}
	return plain
}

func (s Style) paint(tone, text string) string {
	if !s.Color || tone == plain || text == "" {
		return text
	}
	return "\x1b[" + tone + "m" + text + "\x1b[0m"
}

// clean is a text on one line that a terminal can be shown: a recording is
// somebody else's words. Line ends become a mark, control and direction
// characters go.
func clean(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case r == '\t':
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text))
}

// clip shortens to n characters and says so.
func clip(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:max(0, n-1)]), " ") + "…"
}

func pad(text string, n int) string {
	return text + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(text)))
}

// fold breaks a text into lines of at most n characters, at spaces where there
// are any; n below 20 leaves it whole.
func fold(text string, n int) []string {
	if n < 20 {
		return []string{text}
	}
	var lines []string
	for runes := []rune(text); ; {
		if len(runes) <= n {
			return append(lines, string(runes))
		}
		cut := n
		for i := n; i > n/2; i-- {
			if runes[i] == ' ' {
				cut = i
				break
			}
		}
		lines = append(lines, string(runes[:cut]))
		runes = runes[cut:]
		for len(runes) > 0 && runes[0] == ' ' {
			runes = runes[1:]
		}
	}
}
