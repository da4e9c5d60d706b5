package doctor

import (
	"fmt"
	"io"
	"strings"

	"spar/sortie/harness"
	"spar/sortie/hook"
)

// WriteLines prints a report for a program or a file: one check a line, in the
// order of the report, nothing that depends on who looks.
func WriteLines(w io.Writer, r Report) error {
	for _, c := range r.Checks {
		where := c.Name
		if c.Harness != "" {
			where = strings.TrimSpace(where + " " + c.Harness + " " + c.Event)
		}
		if _, err := fmt.Fprintf(w, "%-9s %s: %s\n", c.State, where, strings.ReplaceAll(c.Next, "\n", "; next: ")); err != nil {
			return err
		}
	}
	return nil
}

// Write prints a report for a person at a terminal: a group a harness, its worst
// state first, what is broken before what is unproven before what is fine, and the
// next step on a line of its own. Checks that say the same of several events are
// one line.
func Write(w io.Writer, r Report, colour bool) error {
	var b strings.Builder
	n := map[string]int{}
	for _, c := range r.Checks {
		if c.Name != "limits" {
			n[c.State]++
		}
	}
	fmt.Fprintf(&b, "%s: %d broken, %d unproven, %d ok\n", paint(worst(r.Checks), colour), n[Broken], n[Unproven], n[OK])
	for _, name := range append([]string{""}, order()...) {
		var own []hook.Check
		for _, c := range r.Checks {
			if c.Harness == name {
				own = append(own, c)
			}
		}
		if len(own) == 0 {
			continue
		}
		title := name
		if wire, ok := harness.Wiring(name); ok {
			title = wire.Title
		}
		if name == "" {
			title = "here"
		}
		fmt.Fprintf(&b, "\n%s: %s\n", title, paint(worst(own), colour))
		for _, state := range [...]string{Broken, Unproven, OK} {
			for _, line := range merged(own, state) {
				what, next, more := strings.Cut(line, "\n")
				fmt.Fprintf(&b, "  %s  %s\n", paint(state, colour)+strings.Repeat(" ", len(Unproven)-len(state)), what)
				if more {
					fmt.Fprintf(&b, "            → %s\n", strings.ReplaceAll(next, "\n", "\n              "))
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// merged are the checks of a state as lines; those that differ in their event
// alone are one. What a harness can't do comes last: it is always there.
func merged(checks []hook.Check, state string) []string {
	var lines []string
	events := map[hook.Check][]string{}
	var order, last []hook.Check
	for _, c := range checks {
		if c.State != state {
			continue
		}
		key := c
		key.Event = ""
		if _, seen := events[key]; !seen {
			if c.Name == "limits" {
				last = append(last, key)
			} else {
				order = append(order, key)
			}
		}
		if c.Event != "" {
			events[key] = append(events[key], c.Event)
		} else if events[key] == nil {
			events[key] = []string{}
		}
	}
	for _, key := range append(order, last...) {
		head := key.Name
		if list := events[key]; len(list) > 0 {
			head += " " + strings.Join(list, ", ")
		}
		lines = append(lines, head+": "+key.Next)
	}
	return lines
}

// worst is the state of the worst check; what a harness can't do counts for
// nothing, or nobody would ever be fine.
func worst(checks []hook.Check) string {
	state := OK
	for _, c := range checks {
		switch {
		case c.State == Broken:
			return Broken
		case c.State == Unproven && c.Name != "limits":
			state = Unproven
		}
	}
	return state
}

func paint(state string, colour bool) string {
	if !colour {
		return state
	}
	code := map[string]string{OK: "32", Unproven: "33", Broken: "31"}[state]
	return "\x1b[" + code + "m" + state + "\x1b[0m"
}
