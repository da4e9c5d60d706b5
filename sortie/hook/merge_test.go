package hook

import (
	"testing"
	"testing/quick"

	"spar/sortie/harness"
)

func answer(d uint8, r, c, p string) harness.Answer {
	return harness.Answer{Decision: harness.Decision(d % 4), Reason: r, Context: c, Person: p}
}

// Merging is associative and the empty answer is its unit: it can't matter how
// the guards are grouped.
func TestMergeLaws(t *testing.T) {
	t.Parallel()
	type parts struct {
		D       [3]uint8
		R, C, P [3]string
	}
	law := func(x parts) bool {
		var a [3]harness.Answer
		for i := range a {
			a[i] = answer(x.D[i], x.R[i], x.C[i], x.P[i])
		}
		return Merge(Merge(a[0], a[1]), a[2]) == Merge(a[0], Merge(a[1], a[2]))
	}
	if err := quick.Check(law, nil); err != nil {
		t.Error(err)
	}
	unit := func(d uint8, r, c, p string) bool {
		a := answer(d, r, c, p)
		return Merge(a, harness.Answer{}) == a && Merge(harness.Answer{}, a) == a
	}
	if err := quick.Check(unit, nil); err != nil {
		t.Error(err)
	}
	never := func(d, e uint8) bool {
		got := Settle(Merge(answer(d, "a", "", ""), answer(e, "b", "", "")), true)
		return got.Decision != harness.Ask
	}
	if err := quick.Check(never, nil); err != nil {
		t.Errorf("an empty seat was asked: %v", err)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	deny := harness.Answer{Decision: harness.Deny, Reason: "redline: 3"}
	ask := harness.Answer{Decision: harness.Ask, Reason: "sure"}
	allow := harness.Answer{Decision: harness.Allow, Reason: "read only"}
	context := harness.Answer{Context: "yubisashi: look"}
	tests := []struct {
		name  string
		give  []harness.Answer
		empty bool
		want  harness.Answer
	}{
		{"nothing", nil, false, harness.Answer{}},
		{"deny over ask over allow", []harness.Answer{allow, ask, deny}, false, deny},
		{"two denials give both reasons", []harness.Answer{deny, {Decision: harness.Deny, Reason: "spar: no"}}, false,
			harness.Answer{Decision: harness.Deny, Reason: "redline: 3\nspar: no"}},
		{"a lone allow stands", []harness.Answer{{}, allow}, false, allow},
		{"an allow is dropped beside a word to read", []harness.Answer{context, allow}, false, context},
		{"contexts of three guards", []harness.Answer{{Context: "a"}, {Context: "b"}, {Context: "c"}}, false, harness.Answer{Context: "a\nb\nc"}},
		{"nobody is asked in an empty seat", []harness.Answer{ask}, true, harness.Answer{Decision: harness.Deny, Reason: "sure"}},
	}
	for _, tt := range tests {
		var got harness.Answer
		for _, a := range tt.give {
			got = Merge(got, a)
		}
		if got = Settle(got, tt.empty); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
