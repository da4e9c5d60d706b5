package hook

import (
	"strings"

	"spar/sortie/harness"
)

// Merge adds a guard's answer to what the guards before it said: deny over ask
// over allow over nothing, reasons of the decision that holds joined, contexts
// joined. An allow is dropped where another denied, asked or has something to
// show: it would open the gate over a word somebody should read. Merging is
// associative and its unit is the empty answer.
func Merge(a, b harness.Answer) harness.Answer {
	out := harness.Answer{
		Decision: max(a.Decision, b.Decision),
		Context:  joinText(a.Context, b.Context),
		Person:   joinText(a.Person, b.Person),
	}
	for _, from := range []harness.Answer{a, b} {
		if from.Decision == out.Decision {
			out.Reason = joinText(out.Reason, from.Reason)
		}
	}
	return out
}

// Settle is the last word on a merged answer: an allow beside something to show
// is no allow, and with the seat empty an ask that nobody can answer is a deny.
func Settle(a harness.Answer, seatEmpty bool) harness.Answer {
	if a.Decision == harness.Allow && (a.Context != "" || a.Person != "") {
		a.Decision, a.Reason = harness.Silent, ""
	}
	if a.Decision == harness.Ask && seatEmpty {
		a.Decision = harness.Deny
	}
	if a.Decision == harness.Silent {
		a.Reason = ""
	}
	return a
}

func joinText(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "\n" + b
}

func join(list []string, sep string) string { return strings.Join(list, sep) }

// oneLine flattens text that goes into a sentence.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
