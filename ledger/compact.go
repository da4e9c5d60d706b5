package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// compacted is the subject of the finding that compaction leaves.
const compacted = "ledger compacted"

// A Compaction says what Compact dropped.
type Compaction struct {
	Dropped     int
	First, Last time.Time // of what was dropped
	Kept        int
	Flying      int   // older findings that stayed, since their sortie has not landed
	Was, Is     int64 // the file's size in bytes
	Seq         uint64
}

// Compact drops the findings made before a time and leaves one that says so. It
// is the only code that drops any. The rest goes into a fresh file, because one
// that records were deleted from stays large and slow for ever. Tallies stay as
// they are, so no score goes down, and a sortie that has not landed keeps all its
// findings: its calls are still told from repeats by them.
func Compact(home string, o Options, before time.Time) (*Compaction, error) {
	path := filepath.Join(home, FileName)
	fail := func(err error) (*Compaction, error) {
		if oe := (*OpenError)(nil); errors.As(err, &oe) {
			return nil, err
		}
		return nil, &OpenError{Op: "compacting", Path: path, Err: err, Hint: hintAccess(err, home)}
	}
	if _, err := os.Stat(path); err != nil {
		return fail(err) // Open would make an empty one
	}
	l, err := Open(home, o)
	if err != nil {
		return fail(err)
	}
	defer l.Close()
	c := new(Compaction)
	tmp := path + ".new"
	err = l.View(func(t *Tx) error {
		return t.do("reading", func(*bolt.Tx) error {
			if err := t.oldest(before, c); err != nil || c.Dropped == 0 {
				return err
			}
			return rebuild(tmp, func(db *bolt.DB) error { return t.carryOver(db, before, c, o.Now()) })
		})
	})
	if err != nil || c.Dropped == 0 {
		if err != nil {
			return fail(err)
		}
		return c, nil
	}
	if st, err := os.Stat(path); err == nil {
		c.Was = st.Size()
	}
	// The file is closed before it is replaced, which Windows asks for; the turn is
	// kept until the new one is in its place.
	lock := l.lock
	l.lock = nil
	defer lock.Close()
	if err := l.Close(); err != nil {
		return fail(errors.Join(err, os.Remove(tmp)))
	}
	if err := replaceFile(tmp, path); err != nil {
		return fail(err)
	}
	if st, err := os.Stat(path); err == nil {
		c.Is = st.Size()
	}
	return c, nil
}

// flying reports whether a sortie of this ledger has not landed.
func flying(tx *bolt.Tx, sortie string) bool {
	raw := tx.Bucket([]byte(stateBucket)).Get(joinKey("sorties", sortie))
	if sortie == "" || raw == nil {
		return false
	}
	var s struct {
		Landed time.Time `json:"landed"`
	}
	return json.Unmarshal(raw, &s) != nil || s.Landed.IsZero()
}

// drops decides over one finding.
func drops(tx *bolt.Tx, f *Finding, before time.Time, c *Compaction) bool {
	if !f.At.Before(before) || f.Source == "spar" && f.Subject == compacted {
		return false // what was dropped before stays told
	}
	if flying(tx, f.Sortie) {
		c.Flying++
		return false
	}
	return true
}

// oldest counts what would be dropped.
func (t *Tx) oldest(before time.Time, c *Compaction) error {
	for f, err := range t.Find(Query{}) {
		if err != nil {
			return err
		}
		if !drops(t.tx, f, before, c) {
			c.Kept++
			continue
		}
		c.Dropped++
		if c.First.IsZero() || f.At.Before(c.First) {
			c.First = f.At
		}
		if f.At.After(c.Last) {
			c.Last = f.At
		}
	}
	return nil
}

// carryOver writes what stays into the new file.
func (t *Tx) carryOver(db *bolt.DB, before time.Time, c *Compaction, now time.Time) error {
	copyBucket := func(name string) error {
		src := t.tx.Bucket([]byte(name))
		var last []byte
		for done := false; !done; {
			err := db.Update(func(tx *bolt.Tx) error {
				dst := tx.Bucket([]byte(name))
				cur := src.Cursor()
				k, v := cur.First()
				if last != nil {
					if k, v = cur.Seek(last); string(k) == string(last) {
						k, v = cur.Next()
					}
				}
				for range writeBatch {
					if k == nil {
						done = true
						return nil
					}
					if err := dst.Put(k, v); err != nil {
						return err
					}
					last = append(last[:0], k...)
					k, v = cur.Next()
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := copyBucket(stateBucket); err != nil {
		return err
	}
	s := scan{}
	for done := false; !done; {
		err := db.Update(func(tx *bolt.Tx) error {
			for range writeBatch {
				f, err := s.next(t)
				if err != nil {
					return err
				}
				if f == nil {
					done = true
					return nil
				}
				var again Compaction
				if drops(t.tx, f, before, &again) {
					continue
				}
				if err := put(tx, f); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, name := range []string{sortieBucket, swingBucket} {
		if err := copyBucket(name); err != nil {
			return err
		}
	}
	seq := t.tx.Bucket([]byte(findingBucket)).Sequence()
	if err := db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(findingBucket)).SetSequence(seq) }); err != nil {
		return err
	}
	f := Finding{
		At: now, Phase: Post, Source: "spar", Severity: Note, Subject: compacted, Mode: Strike, Actor: Human,
		Observed: mustJSON(map[string]any{
			"dropped": c.Dropped, "before": before.UTC().Format(timeLayout), "first": c.First.Format(timeLayout), "last": c.Last.Format(timeLayout), "kept": c.Kept,
		}),
	}
	return appendTo(db, &f, &c.Seq)
}

// Backup writes a home's ledger to a new file, which is itself a ledger. Writers
// go on meanwhile: findings are read in batches, up to the last one there was at
// the start; tallies and states are of that moment. It returns the number of
// findings written.
func Backup(home string, o Options, to string) (int, error) {
	o.ReadOnly = true
	path := filepath.Join(home, FileName)
	fail := func(err error) (int, error) {
		if oe := (*OpenError)(nil); errors.As(err, &oe) {
			return 0, err
		}
		return 0, &OpenError{Op: "backing up", Path: path, Err: err, Hint: hintAccess(err, filepath.Dir(to))}
	}
	if _, err := os.Lstat(to); err == nil {
		return fail(fmt.Errorf("%s: %w", to, fs.ErrExist))
	}
	s := salvage{states: map[string][]byte{}, tallies: map[string]map[string][]byte{sortieBucket: {}, swingBucket: {}}}
	l, err := Open(home, o)
	if err != nil {
		return fail(err)
	}
	err = l.View(func(t *Tx) (err error) {
		if s.seq, err = t.Last(); err != nil {
			return err
		}
		return t.do("reading", func(tx *bolt.Tx) error {
			for _, name := range []string{stateBucket, sortieBucket, swingBucket} {
				if err := tx.Bucket([]byte(name)).ForEach(func(k, v []byte) error {
					s.record(name, element{key: k, value: v})
					return nil
				}); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fail(err)
	}
	n := 0
	part, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+"-*")
	if err != nil {
		return fail(err)
	}
	tmp := part.Name()
	if err := part.Close(); err != nil {
		return fail(err)
	}
	err = rebuild(tmp, func(db *bolt.DB) error {
		if err := s.write(db); err != nil { // the states, before any finding is judged by them
			return err
		}
		var batch []*Finding
		flush := func() error {
			n += len(batch)
			err := db.Update(func(tx *bolt.Tx) error {
				for _, f := range batch {
					if err := put(tx, f); err != nil {
						return err
					}
				}
				return nil
			})
			batch = batch[:0]
			return err
		}
		if err := walkTo(home, o, s.seq, func(f *Finding) error {
			if batch = append(batch, f); len(batch) < writeBatch {
				return nil
			}
			return flush()
		}); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
		return db.Update(func(tx *bolt.Tx) error {
			// put added the findings onto tallies that had them already.
			for bucket, tallies := range s.tallies {
				for id, raw := range tallies {
					if err := tx.Bucket([]byte(bucket)).Put([]byte(id), raw); err != nil {
						return err
					}
				}
			}
			return tx.Bucket([]byte(findingBucket)).SetSequence(s.seq)
		})
	})
	if err != nil {
		return fail(err)
	}
	// A link, not a rename: it fails where somebody made the file meanwhile.
	if err := os.Link(tmp, to); err != nil {
		if _, there := os.Lstat(to); there == nil {
			return fail(errors.Join(fmt.Errorf("%s: %w", to, fs.ErrExist), os.Remove(tmp)))
		}
		if err := os.Rename(tmp, to); err != nil {
			return fail(errors.Join(err, os.Remove(tmp)))
		}
	} else if err := os.Remove(tmp); err != nil {
		return fail(err)
	}
	return n, syncDir(filepath.Dir(to))
}

// walkTo is Walk up to a sequence.
func walkTo(home string, o Options, last uint64, f func(*Finding) error) error {
	if last == 0 {
		return nil
	}
	return walk(home, o, scan{upTo: last}, f)
}

// copyFile copies a file to a new one that only its owner may read, durably.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// ParseBefore reads the date of compact --before: a day (its beginning, UTC), a
// time (RFC 3339), or an age ("30d", "12h") counted back from now.
func ParseBefore(s string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if d, err := ParseAge(s); err == nil {
		return now.Add(-d).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date: want 2026-01-31, 2026-01-31T12:00:00Z or an age like 30d", s)
}

// ParseAge reads a length of time: Go's spelling, and whole days and weeks
// ("3d", "2w").
func ParseAge(s string) (time.Duration, error) {
	unit := time.Duration(0)
	switch {
	case strings.HasSuffix(s, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(s, "w"):
		unit = 7 * 24 * time.Hour
	}
	d, err := time.ParseDuration(s)
	if unit > 0 {
		var n int
		if _, err = fmt.Sscanf(s[:len(s)-1], "%d", &n); err == nil && fmt.Sprint(n) != s[:len(s)-1] || n > 36500 {
			err = errors.New("not a whole number")
		}
		d = time.Duration(n) * unit
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no length of time: want 90m, 2h, 3d or 2w", s)
	}
	return d, nil
}
