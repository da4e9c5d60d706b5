package sortie

import (
	"testing"

	"spar/ledger"
)

// A session's binding says its sortie's mode, follows a switch, and forgets it
// with the sortie.
func TestBindingSaysTheMode(t *testing.T) {
	t.Parallel()
	f := newFlyer(t)
	mode := func(session string) ledger.Mode {
		b, _ := readBinding(f.world(), session)
		return b.Mode
	}
	leg := f.join(Event{Session: "s1", Source: "startup"})
	f.join(Event{Session: "s2", Source: "startup"})
	if mode("s1") != ledger.Strike || mode("s2") != ledger.Strike {
		t.Errorf("modes %q, %q; want strike", mode("s1"), mode("s2"))
	}
	f.commit(func(b *Book) error {
		_, err := b.SetMode(leg.Flight.ID, ledger.Cruise, ledger.Human)
		return err
	})
	if mode("s1") != ledger.Cruise || mode("s2") != ledger.Strike {
		t.Errorf("modes %q, %q; want s1 alone in cruise", mode("s1"), mode("s2"))
	}
	f.land(Leg{Flight: leg.Flight}, LandOptions{})
	if mode("s1") != "" {
		t.Errorf("mode %q after landing", mode("s1"))
	}
}
