package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// ErrSound is the answer where there is nothing to recover.
var ErrSound = errors.New("nothing is wrong with the ledger")

// A Recovery says what Recover saved.
type Recovery struct {
	Kept     string   // where the damaged file is now
	Findings int      // saved
	Loose    int      // of those, found in pages that nothing pointed to any more
	Missing  int      // numbers that were given out and whose findings are gone
	States   int      // saved
	Problems []string // what was wrong
	Seq      uint64   // the finding that says all this
}

// Recover makes a new ledger of what can be read of a damaged one: through its
// trees first, then from every page that looks like findings, whether or not
// anything still points at it. Index and tallies are rebuilt, a tally never
// below what it was, and a finding says what was lost. The damaged file is kept
// beside the new one. A ledger that is sound is ErrSound and is left alone, as is
// one of a newer spar or of another program.
func Recover(home string, o Options) (*Recovery, error) {
	path := filepath.Join(home, FileName)
	fail := func(err error) (*Recovery, error) {
		hint := hintAccess(err, home)
		if errors.Is(err, ErrNewer) || errors.Is(err, ErrNotLedger) {
			hint = hintFor(err)
		}
		return nil, &OpenError{Op: "recovering", Path: path, Waited: waitedFor(err, o.Wait), Err: err, Hint: hint}
	}
	if o.Now == nil {
		return fail(errors.New("a ledger that is written to needs a clock"))
	}
	if _, err := os.Lstat(path); err != nil {
		return fail(err)
	}
	lock, err := sideLock(home, false, o.Wait)
	if err != nil {
		return fail(err)
	}
	defer lock.Close()
	f, err := os.Open(path)
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	if !st.Mode().IsRegular() {
		return fail(fmt.Errorf("%w: it is a %s", ErrNotLedger, kindOf(st.Mode())))
	}
	c := &Checkup{Path: path, Size: st.Size()}
	s := salvage{report: c, keep: true}
	s.file(f, st.Size())
	switch {
	case c.Sound():
		return fail(ErrSound)
	case errors.Is(c.Fault, ErrNewer):
		return fail(c.Fault)
	}
	loose := s.loosePages(f, st.Size())
	if errors.Is(c.Fault, ErrNotLedger) && len(s.findings) == 0 {
		return fail(c.Fault)
	}
	// Open files can't be replaced everywhere.
	if err := f.Close(); err != nil {
		return fail(err)
	}
	r := &Recovery{Findings: len(s.findings), Loose: loose, States: len(s.states), Problems: c.Problems}
	s.seq = max(s.seq, s.top)
	r.Missing = max(0, int(s.seq)-len(s.findings)-s.dropped)
	r.Kept = damagedName(path, o.Now())

	tmp := path + ".new"
	err = rebuild(tmp, func(db *bolt.DB) error {
		if err := s.write(db); err != nil {
			return err
		}
		f := Finding{
			At: o.Now(), Phase: Post, Source: "spar", Severity: Warn, Subject: "ledger recovered", Mode: Strike, Actor: Human,
			Observed: mustJSON(map[string]any{"saved": r.Findings, "loose": r.Loose, "missing": r.Missing, "kept": filepath.Base(r.Kept), "problems": c.Problems[:min(5, len(c.Problems))]}),
			Note:     "what could be read of the damaged file was carried over; the tallies are not below what they were",
		}
		return appendTo(db, &f, &r.Seq)
	})
	if err != nil {
		return fail(err)
	}
	if err := keepAside(path, r.Kept); err != nil {
		return fail(errors.Join(fmt.Errorf("keeping the damaged file: %w", err), os.Remove(tmp)))
	}
	if err := replaceFile(tmp, path); err != nil {
		return fail(err)
	}
	return r, nil
}

// damagedName is where the damaged file is kept: beside it, named after the
// time, and never in the place of an earlier one.
func damagedName(path string, now time.Time) string {
	name := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s.damaged-%s-%d", path, now.UTC().Format("20060102T150405Z"), n)
	}
}

// keepAside gives the file a second name, so that there is no moment without a
// ledger; where the file system has no links, a copy.
func keepAside(path, kept string) error {
	if err := os.Link(path, kept); err == nil {
		return nil
	}
	return copyFile(path, kept)
}

// loosePages looks at every page for findings that no tree led to: bbolt never
// writes over a page in place, so a finding outlives the pages that pointed at
// it. It returns how many it added. Pages of a file without a readable header
// are taken to have the size that every ledger is made with.
//
// States are not taken from loose pages: an older copy of a sortie looks like
// the newest, and to reopen a landed one would be worse than to have none.
func (s *salvage) loosePages(f *os.File, size int64) int {
	p := &pageFile{r: f, size: size, psize: pageSize}
	if meta, _ := inspect(f, size); meta.pageSize != 0 {
		p.psize = int64(meta.pageSize)
	}
	quiet := &Checkup{Problems: s.report.Problems}
	was, n := s.report, 0
	defer func() { s.report = was }()
	s.report = quiet
	for id := uint64(0); int64(id)*p.psize < size; id++ {
		g, err := p.read(id, true)
		if err != nil || g.id != id || g.flags != leafPage {
			continue
		}
		list, _ := g.elements()
		for _, e := range list {
			if e.flags&bucketElem != 0 {
				n += s.inline(e)
				continue
			}
			n += s.loose(e)
		}
	}
	return n
}

// inline looks into a bucket that lives inside its parent's page, as a ledger's
// first few findings do.
func (s *salvage) inline(e element) (n int) {
	root, seq, page0, ok := bucketOf(e.value)
	if !ok || string(e.key) != findingBucket {
		return 0
	}
	s.seq = max(s.seq, seq)
	if root != 0 || len(page0) < pageHeader {
		return 0
	}
	g := page{flags: order.Uint16(page0[8:]), count: order.Uint16(page0[10:]), data: page0}
	list, _ := g.elements()
	for _, e := range list {
		n += s.loose(e)
	}
	return n
}

// loose takes a record in if it is a finding that is not there yet.
func (s *salvage) loose(e element) int {
	if len(e.key) != 8 || len(e.value) < 2 || e.value[0] != '{' {
		return 0
	}
	seq := binary.BigEndian.Uint64(e.key)
	if s.findings[seq] != nil {
		return 0
	}
	s.finding(e)
	if s.findings[seq] == nil {
		return 0
	}
	return 1
}

// write fills a new ledger with what was salvaged.
func (s *salvage) write(db *bolt.DB) error {
	seqs := slices.Sorted(maps.Keys(s.findings))
	// A state that is there decides which sorties are ours (see tally), so states
	// go first.
	err := db.Update(func(tx *bolt.Tx) error {
		for k, v := range s.states {
			if err := tx.Bucket([]byte(stateBucket)).Put([]byte(k), v); err != nil {
				return err
			}
		}
		return nil
	})
	for chunk := range slices.Chunk(seqs, writeBatch) {
		if err != nil {
			return err
		}
		err = db.Update(func(tx *bolt.Tx) error {
			for _, seq := range chunk {
				var f Finding
				if err := json.Unmarshal(s.findings[seq], &f); err != nil {
					return err
				}
				if err := put(tx, &f); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	return db.Update(func(tx *bolt.Tx) error {
		if err := tx.Bucket([]byte(findingBucket)).SetSequence(s.seq); err != nil {
			return err
		}
		for bucket, tallies := range s.tallies {
			if err := keepHigher(tx.Bucket([]byte(bucket)), tallies); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeBatch is how many findings go into one transaction of a new file.
const writeBatch = 5000

// keepHigher puts older tallies over those that the findings at hand add up to,
// where they say more: a number that was shown never goes down.
func keepHigher(b *bolt.Bucket, older map[string][]byte) error {
	for id, raw := range older {
		was, err := decodeTally(raw)
		if err != nil {
			continue // a damaged tally is no reason to lose the rest
		}
		now, err := decodeTally(b.Get([]byte(id)))
		if err != nil {
			return err
		}
		if was.Points > now.Points || was.Findings > now.Findings && was.Points == now.Points {
			if err := b.Put([]byte(id), raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// rebuild makes a new ledger file at path, lets fill write into it, and makes it
// durable. What is left of a failed one is removed.
func rebuild(path string, fill func(*bolt.DB) error) (err error) {
	if err := removed(path); err != nil {
		return err
	}
	db, err := boltCreate(path)
	if err != nil {
		return errors.Join(err, removed(path))
	}
	// Nobody sees the file before it is renamed, so one sync at the end is enough.
	db.NoSync = true
	err = db.Update(layOut)
	if err == nil {
		err = fill(db)
	}
	if err == nil {
		err = db.Sync()
	}
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// appendTo files one finding in a file that is being made.
func appendTo(db *bolt.DB, f *Finding, seq *uint64) error {
	if err := f.clean(); err != nil {
		return err
	}
	return db.Update(func(tx *bolt.Tx) (err error) {
		if f.Seq, err = tx.Bucket([]byte(findingBucket)).NextSequence(); err != nil {
			return err
		}
		*seq = f.Seq
		return put(tx, f)
	})
}

// mustJSON encodes what always can be: our own maps of numbers and texts.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encoding %T: %v", v, err))
	}
	return b
}
