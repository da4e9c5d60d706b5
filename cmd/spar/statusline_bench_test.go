//go:build linux

package main

import (
	"strings"
	"testing"
)

// BenchmarkDoorStatusline is the bar beside a process that only reads: it is drawn
// as often as a hook runs, so it is under a hook's budget.
func BenchmarkDoorStatusline(b *testing.B) {
	f := newFleet(b)
	g := f.ground(b)
	charged(b, f, g)
	bar := func() []byte {
		return []byte(`{"session_id":"s1","cwd":"` + g.dir + `","workspace":{"current_dir":"` + g.dir + `"},"model":{"id":"m"}}`)
	}
	if out := g.run(b, f.spar, []string{"statusline"}, bar()); !strings.Contains(out, "redline 3/3") {
		b.Fatalf("the bar doesn't show what was charged: %q", out)
	}
	pair(b, 1.60, g.shot(f.read, nil, bar), g.shot(f.spar, []string{"statusline"}, bar))
}
