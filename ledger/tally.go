package ledger

import (
	"bytes"
	"encoding/json"
	"math"
)

// rank orders severities; unknown ones are lowest.
func (s Severity) rank() int {
	switch s {
	case Note:
		return 1
	case Warn:
		return 2
	case Stop:
		return 3
	}
	return 0
}

// Above reports whether s is more severe than o.
func (s Severity) Above(o Severity) bool { return s.rank() > o.rank() }

// ChargeOf reads f's Observed as a charge: an object with a whole number
// "points" and an object "kinds" of whole numbers, none of them negative (a
// score never falls). Anything else is no charge.
func (f *Finding) ChargeOf() (Charge, bool) {
	var c struct {
		Kinds  map[string]int `json:"kinds"`
		Points *int           `json:"points"`
		Total  int            `json:"total"`
	}
	if b := bytes.TrimSpace(f.Observed); len(b) == 0 || b[0] != '{' || !bytes.Contains(b, []byte(`"points"`)) {
		return Charge{}, false
	}
	if json.Unmarshal(f.Observed, &c) != nil || c.Points == nil || c.Kinds == nil || *c.Points < 0 {
		return Charge{}, false
	}
	for _, n := range c.Kinds {
		if n < 0 {
			return Charge{}, false
		}
	}
	return Charge{Kinds: c.Kinds, Points: *c.Points, Total: c.Total}, true
}

// judged reports whether a gate judges f: what was found in cruise is only
// logged, and what spar itself writes down (a landing, a swing) is no finding
// about the flight.
func (f *Finding) judged() bool { return f.Mode != Cruise && f.Source != "spar" }

// Add counts f in. The order in which findings are added does not matter.
func (t *Tally) Add(f *Finding) {
	one := Tally{
		Findings: 1,
		Severity: map[Severity]int{f.Severity: 1},
		Source:   map[string]int{f.Source: 1},
		First:    f.Seq,
		Last:     f.Seq,
		Imported: f.Imported != nil,
	}
	if c, ok := f.ChargeOf(); ok {
		one.Points, one.Kinds = c.Points, c.Kinds
		one.Counts = make(map[string]int, len(c.Kinds))
		for k := range c.Kinds {
			one.Counts[k] = 1
		}
	}
	if f.judged() {
		one.Worst = f.Severity
	}
	t.Merge(one)
}

// Merge adds o to t. It is associative and commutative, with the zero Tally as
// its neutral element.
func (t *Tally) Merge(o Tally) {
	switch {
	case o.Findings == 0:
		return
	case t.Findings == 0:
		t.Imported = o.Imported
	default:
		t.Imported = t.Imported && o.Imported
	}
	t.Findings = plus(t.Findings, o.Findings)
	t.Points = plus(t.Points, o.Points)
	t.Kinds = merged(t.Kinds, o.Kinds)
	t.Counts = merged(t.Counts, o.Counts)
	t.Severity = merged(t.Severity, o.Severity)
	t.Source = merged(t.Source, o.Source)
	if o.Worst.Above(t.Worst) {
		t.Worst = o.Worst
	}
	if t.First == 0 || o.First != 0 && o.First < t.First {
		t.First = o.First
	}
	t.Last = max(t.Last, o.Last)
}

// plus adds what is never negative and stays at the top instead of turning
// negative: a score never falls.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func merged[K comparable](a, b map[K]int) map[K]int {
	if len(b) == 0 {
		return a
	}
	m := make(map[K]int, len(a)+len(b))
	for k, n := range a {
		m[k] = n
	}
	for k, n := range b {
		m[k] = plus(m[k], n)
	}
	return m
}
