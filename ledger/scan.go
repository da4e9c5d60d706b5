package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"
)

// scan is a walk over the findings a query selects that can be left and taken
// up again in another transaction: it keeps a sequence, not a cursor.
type scan struct {
	q    Query
	back bool
	from uint64 // forward: sequences above it; backward: below it, 0 being the end
	upTo uint64 // forward: not past it; 0 is no bound
	// spent counts the records looked at, selected or not; past budget (where it
	// is set) next returns errPause.
	spent, budget int
}

var errPause = errors.New("pause")

// batch is how many records next looks at under one call into bbolt.
const batch = 256

// next finds the next selected finding; nil at the end.
func (s *scan) next(t *Tx) (*Finding, error) {
	var found *Finding
	for {
		over := false
		err := t.do("reading", func(tx *bolt.Tx) error {
			step := s.stepper(tx)
			for range batch {
				if s.budget > 0 && s.spent >= s.budget {
					return nil
				}
				seq, body, ok := step()
				if !ok || !s.back && s.upTo > 0 && seq > s.upTo || s.back && seq <= s.q.After {
					over = true
					return nil
				}
				if s.back && s.from > 0 && seq >= s.from || !s.back && seq <= s.from {
					// Going on would go round for ever.
					return fmt.Errorf("%w: its findings are out of order", ErrDamaged)
				}
				s.from = seq
				s.spent++
				if body == nil || !s.maybe(body) {
					continue
				}
				f := new(Finding)
				if err := decode(body, f); err != nil {
					return err
				}
				if s.q.selects(f) {
					found = f
					return nil
				}
			}
			return nil
		})
		switch {
		case err != nil || found != nil || over:
			return found, err
		case s.budget > 0 && s.spent >= s.budget:
			return nil, errPause
		}
	}
}

// stepper walks the findings, or the index of one sortie.
func (s *scan) stepper(tx *bolt.Tx) func() (seq uint64, body []byte, ok bool) {
	findings := tx.Bucket([]byte(findingBucket))
	c := findings.Cursor()
	var prefix []byte
	if s.q.Sortie != "" {
		c = tx.Bucket([]byte(indexBucket)).Cursor()
		prefix = append([]byte(s.q.Sortie), 0)
	}
	key := func(seq uint64) []byte { return binary.BigEndian.AppendUint64(bytes.Clone(prefix), seq) }
	started := false
	return func() (uint64, []byte, bool) {
		var k, v []byte
		switch {
		case started && s.back:
			k, v = c.Prev()
		case started:
			k, v = c.Next()
		case s.back:
			at := key(math.MaxUint64)
			if s.from > 0 {
				at = key(s.from)
			}
			if k, v = c.Seek(at); k == nil {
				k, v = c.Last()
			}
			for k != nil && bytes.Compare(k, at) >= 0 {
				k, v = c.Prev()
			}
		default:
			if s.from == math.MaxUint64 {
				return 0, nil, false
			}
			k, v = c.Seek(key(s.from + 1))
		}
		started = true
		if len(k) != len(prefix)+8 || !bytes.HasPrefix(k, prefix) {
			return 0, nil, false
		}
		if prefix != nil {
			v = findings.Get(k[len(prefix):])
		}
		return binary.BigEndian.Uint64(k[len(prefix):]), v, true
	}
}

// maybe answers from the raw bytes whether a record can be one of the selected:
// decoding runs at 100 MB/s, which over a million records is what makes a filter
// slow. It may say yes wrongly (the words may stand in a text), never no.
func (s *scan) maybe(body []byte) bool {
	if !s.q.Since.IsZero() {
		if at, ok := rawTime(body); ok && at.Before(s.q.Since) {
			return false
		}
	}
	if s.q.Severity != "" && !bytes.Contains(body, []byte(`"severity":"`+string(s.q.Severity)+`"`)) {
		return false
	}
	if s.q.Phase != "" && !bytes.Contains(body, []byte(`"phase":"`+string(s.q.Phase)+`"`)) {
		return false
	}
	return true
}

// rawTime reads "at" where Append writes it, right behind the sequence.
func rawTime(body []byte) (time.Time, bool) {
	_, rest, ok := bytes.Cut(body[:min(len(body), 96)], []byte(`,"at":"`))
	if !ok {
		return time.Time{}, false
	}
	at, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(at))
	return t, err == nil
}

// selects is the query's own meaning, over one finding.
func (q Query) selects(f *Finding) bool {
	return (q.Sortie == "" || f.Sortie == q.Sortie) &&
		(q.Source == "" || f.Source == q.Source) &&
		(q.Severity == "" || f.Severity == q.Severity) &&
		(q.Phase == "" || f.Phase == q.Phase) &&
		(q.Since.IsZero() || !f.At.Before(q.Since)) &&
		f.Seq > q.After
}

// The size of one turn of a walk. 4 000 records are looked at in some 20 ms;
// the clock, where there is one, ends a turn earlier on a slower machine.
const turnRecords = 4000

// Walk reads a home's findings in batches, giving the lock back between them,
// up to the sequence seen at the start. f runs between the turns, so it may take
// its time and may write to the same ledger.
func Walk(home string, o Options, q Query, f func(*Finding) error) error {
	o.ReadOnly = true
	if q.Limit > 0 {
		newest, err := lastOf(home, o, q)
		for i := len(newest) - 1; err == nil && i >= 0; i-- {
			err = f(newest[i])
		}
		return err
	}
	return walk(home, o, scan{q: q, from: q.After}, f)
}

func walk(home string, o Options, s scan, f func(*Finding) error) error {
	o.ReadOnly = true
	for {
		got, more, err := turn(home, o, &s, 0)
		if err != nil {
			return err
		}
		for _, g := range got {
			if err := f(g); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
	}
}

// lastOf reads the newest q.Limit findings, newest first.
func lastOf(home string, o Options, q Query) ([]*Finding, error) {
	var newest []*Finding
	s := scan{q: q, back: true}
	for {
		got, more, err := turn(home, o, &s, q.Limit-len(newest))
		newest = append(newest, got...)
		if err != nil || !more || len(newest) >= q.Limit {
			return newest, err
		}
	}
}

// turn opens the ledger once and moves the scan on: until want findings are
// there (0: no bound), the turn is used up, or the end is reached.
func turn(home string, o Options, s *scan, want int) (got []*Finding, more bool, err error) {
	l, err := Open(home, o)
	if err != nil {
		return nil, false, err
	}
	defer l.Close()
	var until time.Time
	if o.Now != nil {
		until = o.Now().Add(readerTurn / 2)
	}
	err = l.View(func(t *Tx) error {
		if !s.back && s.upTo == 0 {
			if s.upTo, err = t.Last(); err != nil {
				return err
			}
			if s.upTo == 0 {
				return nil
			}
		}
		s.spent, s.budget = 0, turnRecords
		for want == 0 || len(got) < want {
			f, err := s.next(t)
			if errors.Is(err, errPause) {
				more = true
				return nil
			}
			if err != nil || f == nil {
				return err
			}
			got = append(got, f)
			if o.Now != nil && len(got)%64 == 0 && !o.Now().Before(until) {
				more = true
				return nil
			}
		}
		more = true
		return nil
	})
	return got, more, err
}

// Last is the highest sequence ever given out; 0 in a ledger that never had a
// finding.
func (t *Tx) Last() (seq uint64, err error) {
	err = t.do("reading", func(tx *bolt.Tx) error {
		seq = tx.Bucket([]byte(findingBucket)).Sequence()
		return nil
	})
	return seq, err
}
