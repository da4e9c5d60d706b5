package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A Checkup is what Check found out about a ledger file.
type Checkup struct {
	Path     string   `json:"path"`
	Size     int64    `json:"size"`
	Schema   int      `json:"schema,omitempty"`
	Findings int      `json:"findings"`
	Sorties  int      `json:"sorties"`
	States   int      `json:"states"`
	Problems []string `json:"problems"` // none: the ledger is sound
	Fault    error    `json:"-"`        // the fault that keeps it from being opened, nil otherwise
}

// Sound reports whether nothing is wrong.
func (c *Checkup) Sound() bool { return len(c.Problems) == 0 }

// maxProblems bounds the list: a file of noise has one problem, not a million.
const maxProblems = 50

func (c *Checkup) bad(format string, args ...any) {
	switch {
	case len(c.Problems) < maxProblems:
		c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
	case len(c.Problems) == maxProblems:
		c.Problems = append(c.Problems, "… and more")
	}
}

// Check reads a home's whole ledger, page by page and without bbolt, and compares
// what is derived (index, tallies) with the findings it was derived from. It
// writes nothing to the ledger; it works on a copy, so that it holds writers up
// only for as long as copying takes. A missing ledger is fs.ErrNotExist.
func Check(home string, o Options) (*Checkup, error) {
	path := filepath.Join(home, FileName)
	if _, err := os.Stat(path); err != nil {
		return nil, &OpenError{Op: "checking", Path: path, Err: err, Hint: hintAccess(err, home)}
	}
	lock, err := sideLock(home, true, o.Wait)
	if err != nil {
		return nil, &OpenError{Op: "checking", Path: path, Waited: waitedFor(err, o.Wait), Err: err, Hint: hintAccess(err, home)}
	}
	unlock := func() {
		if lock != nil {
			lock.Close()
			lock = nil
		}
	}
	defer unlock()
	f, err := os.Open(path)
	if err != nil {
		return nil, &OpenError{Op: "checking", Path: path, Err: err, Hint: hintAccess(err, home)}
	}
	defer func() { f.Close() }()
	if dup, err := snapshot(f, home); err == nil {
		f.Close()
		f = dup
		defer func() {
			dup.Close() // before it is removed
			_ = removed(dup.Name())
		}()
		unlock()
	}
	st, err := f.Stat()
	if err != nil {
		return nil, &OpenError{Op: "checking", Path: path, Err: err}
	}
	c := &Checkup{Path: path, Size: st.Size(), Problems: []string{}}
	s := salvage{report: c}
	s.file(f, st.Size())
	return c, nil
}

// snapshot copies a file into the same folder.
func snapshot(f *os.File, dir string) (*os.File, error) {
	dup, err := os.CreateTemp(dir, FileName+".check-*")
	if err != nil {
		return nil, err
	}
	// Nameless from the start, so that nothing is left of a check that is killed;
	// where an open file can't be removed, the caller does it at the end.
	_ = os.Remove(dup.Name())
	if _, err := io.Copy(dup, f); err != nil {
		return nil, errors.Join(err, dup.Close(), removed(dup.Name()))
	}
	return dup, nil
}

// salvage is everything that could be read of a file.
type salvage struct {
	report   *Checkup
	keep     bool // keep the findings themselves, for a new file
	schema   string
	seq      uint64                       // highest sequence given out, as far as known
	top      uint64                       // highest sequence of a finding
	findings map[uint64][]byte            // raw records, where kept
	tallies  map[string]map[string][]byte // bucket -> key -> raw
	states   map[string][]byte
	sums     map[string]*Tally // by sortie, of what is not imported
	// The index is compared as a whole: the sum of a hash over what it should hold
	// less what it holds. Naming each entry would take a set of them all.
	indexed int
	balance uint64
	damaged int // findings that can't be decoded
	dropped int // findings that compaction dropped, by its own account
}

// file reads the file through its trees and says what is wrong with it.
func (s *salvage) file(r io.ReaderAt, size int64) {
	c := s.report
	s.findings, s.states, s.sums = map[uint64][]byte{}, map[string][]byte{}, map[string]*Tally{}
	s.tallies = map[string]map[string][]byte{sortieBucket: {}, swingBucket: {}}
	meta, err := inspect(r, size)
	if err != nil {
		c.Fault = err
		c.bad("%v", err)
		if meta.pageSize == 0 {
			return
		}
	}
	f := &pageFile{r: r, size: size, psize: int64(meta.pageSize)}
	w := &walker{f: f, high: meta.pages, seen: map[uint64]bool{}, bad: c.bad}
	got := map[string]bool{}
	w.tree(meta.root, 0, func(e element) {
		if e.flags&bucketElem == 0 {
			return
		}
		name := string(e.key)
		got[name] = true
		seq := w.bucket(name, e.value, func(e element) { s.record(name, e) })
		if name == findingBucket {
			s.seq = max(s.seq, seq)
		}
	})
	w.free(meta.freelist)
	switch v, err := strconv.Atoi(s.schema); {
	case !got[metaBucket] && len(c.Problems) == 0 || got[metaBucket] && s.schema == "" && len(c.Problems) == 0:
		c.Fault = fmt.Errorf("%w: it is another program's database", ErrNotLedger)
		c.bad("%v", c.Fault)
		return
	case err == nil && v > schemaVersion:
		c.Schema = v
		c.Fault = fmt.Errorf("%w: schema %d, and this spar knows %d", ErrNewer, v, schemaVersion)
		c.bad("%v", c.Fault)
		return
	default:
		c.Schema = v
	}
	for _, name := range buckets() {
		if !got[name] {
			c.bad("bucket %q is missing", name)
		}
	}
	s.compare()
}

// record takes in one record of a bucket.
func (s *salvage) record(bucket string, e element) {
	key := string(e.key)
	switch bucket {
	case metaBucket:
		if key == "schema" {
			s.schema = string(e.value)
		}
	case findingBucket:
		s.finding(e)
	case indexBucket:
		s.balance -= digest(e.key)
		s.indexed++
	case sortieBucket, swingBucket:
		s.tallies[bucket][key] = bytes.Clone(e.value)
	case stateBucket:
		s.states[key] = bytes.Clone(e.value)
	}
}

// finding takes in one finding.
func (s *salvage) finding(e element) {
	c := s.report
	if len(e.key) != 8 {
		c.bad("a finding's key has %d bytes", len(e.key))
		return
	}
	seq := binary.BigEndian.Uint64(e.key)
	s.top = max(s.top, seq)
	var f Finding
	if err := json.Unmarshal(e.value, &f); err != nil || f.Seq != seq || f.check() != nil {
		s.damaged++
		c.bad("finding %d can't be read", seq)
		return
	}
	c.Findings++
	if f.Source == "spar" && f.Subject == compacted {
		var o struct{ Dropped int }
		if json.Unmarshal(f.Observed, &o) == nil && o.Dropped > 0 {
			s.dropped += o.Dropped
		}
	}
	if s.keep {
		s.findings[seq] = bytes.Clone(e.value)
	}
	if f.Sortie == "" {
		return
	}
	s.balance += digest(indexKey(f.Sortie, seq))
	s.indexed--
	if f.Imported == nil {
		if s.sums[f.Sortie] == nil {
			s.sums[f.Sortie] = new(Tally)
		}
		s.sums[f.Sortie].Add(&f)
	}
}

func digest(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// compare holds what is derived against what it was derived from.
func (s *salvage) compare() {
	c := s.report
	c.Sorties, c.States = len(s.tallies[sortieBucket]), len(s.states)
	if s.top > s.seq {
		c.bad("finding %d is above the last number given out, %d", s.top, s.seq)
	}
	if s.balance != 0 || s.indexed != 0 {
		c.bad("the index by sortie does not match the findings")
	}
	for _, id := range slices.Sorted(maps.Keys(s.sums)) {
		sum := s.sums[id]
		t, err := decodeTally(s.tallies[sortieBucket][id])
		switch {
		case err != nil:
			c.bad("the tally of sortie %s can't be read", id)
		case t.Points < sum.Points || t.Findings < sum.Findings:
			// More than the findings add up to is what compaction leaves.
			c.bad("the tally of sortie %s says %d points in %d findings; the findings themselves say %d in %d", id, t.Points, t.Findings, sum.Points, sum.Findings)
		}
	}
}

// missing tells a ledger that isn't there.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
