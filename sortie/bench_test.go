package sortie

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"spar/ledger"
)

func benchFlyer(b *testing.B) (World, Home) {
	b.Helper()
	root := b.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		b.Fatal(err)
	}
	state := b.TempDir()
	w := World{Now: time.Now, Dir: root, Env: func(k string) string {
		if k == "XDG_STATE_HOME" {
			return state
		}
		return ""
	}}
	return w, Home{Dir: filepath.Join(root, ".spar"), Root: root, How: "git"}
}

// BenchmarkFreeCall is what the frame does on a call that costs nothing: find the
// home, read the binding, burn one unit. No ledger is opened.
func BenchmarkFreeCall(b *testing.B) {
	w, h := benchFlyer(b)
	book := h.Open(w)
	if _, err := book.Join(Event{Session: "s1", Harness: "claude", Source: "startup"}); err != nil {
		b.Fatal(err)
	}
	if err := book.Commit(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		home, err := FindHome(w, HomeQuery{Session: "s1", Cwd: h.Root})
		if err != nil {
			b.Fatal(err)
		}
		bd, ok := ReadBinding(w, "s1")
		if !ok {
			b.Fatal("not bound")
		}
		if _, err := home.Burn(bd.Sortie); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChargedCall is open, join, report, commit and close: what a charged
// call adds, its two syncs included, in a ledger of some size.
func BenchmarkChargedCall(b *testing.B) {
	for _, older := range []int{0, 20_000} {
		b.Run(fmt.Sprint("older=", older), func(b *testing.B) {
			w, h := benchFlyer(b)
			book := h.Open(w)
			leg, err := book.Join(Event{Session: "s1", Harness: "claude", Source: "startup"})
			if err != nil {
				b.Fatal(err)
			}
			for range older {
				if err := book.Append(&ledger.Finding{
					Phase: ledger.Pre, Source: "redline", Severity: ledger.Note, Subject: "older", Observed: []byte("1"),
					Mode: ledger.Strike, Actor: ledger.Agent, Sortie: leg.Flight.ID,
				}); err != nil {
					b.Fatal(err)
				}
			}
			if err := book.Commit(); err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				n++
				book := h.Open(w)
				leg, err := book.Join(Event{Session: "s1", Harness: "claude"})
				if err == nil {
					_, err = book.Report(leg, Report{Source: "redline", Phase: ledger.Pre, Subject: "git push", Call: fmt.Sprint("c", n), Charge: map[string]int{"outward": 3}, Grade: grade})
				}
				if err == nil {
					err = book.Commit()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
