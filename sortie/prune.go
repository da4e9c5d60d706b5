package sortie

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/ledger"
)

// keptFor is how long the small files of a landed sortie stay: its fuel, the
// marks of its calls and events. The ledger keeps what they came to for good.
const keptFor = 30 * 24 * time.Hour

// pruneAtOnce bounds what one session start removes.
const pruneAtOnce = 200

// prune removes what sorties launched more than keptFor ago have left behind
// outside the ledger. It takes nothing that is not named after a sortie, and
// nothing of one that is aloft.
func (h Home) prune(now time.Time, flying []Flight) error {
	left := pruneAtOnce
	for _, space := range []string{"fuel", "calls", "seen", "denied", "later", "scope"} {
		entries, err := os.ReadDir(filepath.Join(h.Dir, space))
		if err != nil {
			continue // not made yet
		}
		for _, e := range entries {
			id, _, _ := strings.Cut(e.Name(), ".")
			born, ok := idTime(id)
			if !ok || now.Sub(born) < keptFor || has(flying, id) {
				continue
			}
			if left--; left < 0 {
				return nil
			}
			if err := os.RemoveAll(filepath.Join(h.Dir, space, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// idTime is when an id was made.
func idTime(id string) (time.Time, bool) {
	if !ValidID(id) || id[14] != '7' {
		return time.Time{}, false
	}
	raw, err := hex.DecodeString(id[:8] + id[9:13])
	if err != nil {
		return time.Time{}, false
	}
	var ms int64
	for _, b := range raw {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms), true
}

// SpentBy is what a sortie has burnt, also once its fuel file is gone.
func (h Home) SpentBy(f Flight) int { return max(h.Spent(f.ID), f.Spent) }

// refuel gives a reopened sortie back the fuel count it landed with.
func (b *Book) refuel(f Flight) {
	b.after = append(b.after, func() error {
		missing := min(f.Spent-b.home.Spent(f.ID), MaxBurn)
		if missing <= 0 {
			return nil
		}
		_, err := b.home.burn(f.ID, missing)
		return err
	})
}

// tidy prunes once a new sortie is durable.
func (b *Book) tidy(tx *ledger.Tx) error {
	flights, err := aloft(tx)
	if err != nil {
		return err
	}
	now := b.w.Now()
	b.after = append(b.after, func() error { return b.home.prune(now, flights) })
	return nil
}
