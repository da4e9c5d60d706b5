package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// File and lock names inside a home.
const (
	FileName = "ledger.db"
	LockName = "ledger.lock"
)

// schemaVersion is what this spar writes and the newest it reads.
const schemaVersion = 1

// The buckets. Everything in them moves in the transaction of its finding.
const (
	metaBucket    = "meta"         // "schema" -> decimal version
	findingBucket = "findings"     // 8-byte big-endian sequence -> JSON
	indexBucket   = "by_sortie"    // sortie NUL sequence -> nothing
	sortieBucket  = "tally_sortie" // sortie -> JSON of Tally
	swingBucket   = "tally_swing"  // swing -> JSON of Tally
	callBucket    = "calls"        // sortie NUL source NUL call -> sequence
	stateBucket   = "states"       // space NUL key -> anything
)

func buckets() []string {
	return []string{metaBucket, findingBucket, indexBucket, sortieBucket, swingBucket, callBucket, stateBucket}
}

// readerTurn bounds how long a reader keeps its shared turn: writers wait for it.
const readerTurn = 200 * time.Millisecond

// Options of Open. The zero value reads and writes and waits 5 s for its turn.
type Options struct {
	// ReadOnly opens for reading: a shared turn, at most 200 ms of it.
	ReadOnly bool
	// Wait bounds the wait for the lock; 5 s where zero.
	Wait time.Duration
	// Now is the clock; time.Now where nil is not allowed below cmd/spar, so Open
	// fails without it when writing.
	Now func() time.Time
}

// Ledger is one open ledger file. It holds the lock until Close.
type Ledger struct {
	path string
	now  func() time.Time
	ro   bool
	lock *os.File // nil for a reader of a folder that nobody can write
	file *os.File // what bbolt reads through, to be closed where bbolt can't
	db   *bolt.DB

	mu     sync.Mutex
	writer *Tx  // the open write transaction
	broken bool // bbolt has panicked: its own locks may be held for ever
}

// Open takes the lock and opens home's ledger, creating an empty one (under
// another name, renamed) where there is none and it may write. A missing file
// opened for reading is fs.ErrNotExist. Errors are *OpenError.
func Open(home string, o Options) (*Ledger, error) {
	path := filepath.Join(home, FileName)
	fail := func(err error, waited time.Duration, hint string) (*Ledger, error) {
		return nil, &OpenError{Op: "opening", Path: path, Waited: waited, Err: err, Hint: hint}
	}
	if !o.ReadOnly && o.Now == nil {
		return fail(errors.New("a ledger that is written to needs a clock"), 0, "")
	}
	if o.ReadOnly {
		// Asking whether there is a ledger must not leave a lock file behind.
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Lstat(filepath.Join(home, LockName)); errors.Is(err, fs.ErrNotExist) {
				return fail(fs.ErrNotExist, 0, "")
			}
		}
	}
	lock, err := sideLock(home, o.ReadOnly, o.Wait)
	if err != nil {
		return fail(err, waitedFor(err, o.Wait), hintAccess(err, home))
	}
	l := &Ledger{path: path, now: o.Now, ro: o.ReadOnly, lock: lock}
	if err := l.open(home); err != nil {
		_ = l.shut()
		hint := hintFor(err)
		if hint == "" {
			hint = hintAccess(err, home)
		}
		return fail(err, 0, hint)
	}
	return l, nil
}

func waitedFor(err error, wait time.Duration) time.Duration {
	if !errors.Is(err, ErrBusy) {
		return 0
	}
	if wait <= 0 {
		return defaultWait
	}
	return wait
}

// hintAccess is the next step where the operating system refused.
func hintAccess(err error, home string) string {
	switch {
	case errors.Is(err, ErrBusy):
		return "wait for it to end, or end that process if it hangs, then try again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("make %s writable for you, or choose another home with --home or SPAR_HOME", home)
	case full(err):
		return "free some space on its disk and try again; what was recorded before is safe"
	case errors.Is(err, fs.ErrNotExist):
		return "run `spar launch` to make a home here"
	}
	return ""
}

// full reports whether err says that there is no room. bbolt passes some errors
// on as text alone.
func full(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EFBIG} {
		if errors.Is(err, e) || strings.Contains(text, e.Error()) {
			return true
		}
	}
	return false
}

// open opens the file behind the lock.
func (l *Ledger) open(home string) error {
	st, err := os.Stat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !l.ro:
		if err := create(home); err != nil {
			return fmt.Errorf("making a new file: %w", err)
		}
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return fmt.Errorf("%w: it is a %s", ErrNotLedger, kindOf(st.Mode()))
	}
	err = guard(&l.broken, func() error {
		db, err := bolt.Open(l.path, 0o600, &bolt.Options{
			ReadOnly: l.ro,
			// Whoever holds bbolt's lock without the side lock is not one of us.
			Timeout:      200 * time.Millisecond,
			NoStatistics: true,
			OpenFile:     l.openFile,
		})
		if err != nil {
			return err
		}
		l.db = db
		return db.View(checkSchema)
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return fmt.Errorf("%w: another program holds the database without waiting for its turn", ErrBusy)
	}
	return err
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeDevice != 0:
		return "device"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "special file"
}

// openFile opens the database for bbolt, looks at it first, and never creates
// it: between our look and bbolt's there is no gap, it is the same open file.
func (l *Ledger) openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := openFile(path, flag&^os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil {
		_, err = inspect(f, st.Size())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	l.file = f
	return f, nil
}

func boltCreate(path string) (*bolt.DB, error) {
	return bolt.Open(path, 0o600, &bolt.Options{PageSize: pageSize, NoStatistics: true, Timeout: 200 * time.Millisecond})
}

// layOut makes the buckets of a new ledger.
func layOut(tx *bolt.Tx) error {
	for _, name := range buckets() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(metaBucket)).Put([]byte("schema"), []byte(strconv.Itoa(schemaVersion)))
}

// checkSchema tells our files from others and from newer ones.
func checkSchema(tx *bolt.Tx) error {
	meta := tx.Bucket([]byte(metaBucket))
	if meta == nil {
		return fmt.Errorf("%w: it is another program's database", ErrNotLedger)
	}
	v := meta.Get([]byte("schema"))
	if v == nil {
		return fmt.Errorf("%w: it is another program's database", ErrNotLedger)
	}
	n, err := strconv.Atoi(string(v))
	if err != nil || n < 1 {
		return fmt.Errorf("%w: its schema version is %q", ErrDamaged, v)
	}
	if n > schemaVersion {
		return fmt.Errorf("%w: schema %d, and this spar knows %d", ErrNewer, n, schemaVersion)
	}
	for _, name := range buckets() {
		if tx.Bucket([]byte(name)) == nil {
			return fmt.Errorf("%w: its bucket %q is gone", ErrDamaged, name)
		}
	}
	return nil
}

// guard runs f, which uses bbolt, and makes an error of what bbolt does on a
// damaged file: it panics, and it touches mapped pages that are not there.
func guard(broken *bool, f func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			*broken = true
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return f()
}

// do is guard for one step of a transaction, with the ledger named in the error.
func (l *Ledger) do(op string, f func() error) error {
	l.mu.Lock()
	broken := l.broken
	l.mu.Unlock()
	switch {
	case l.db == nil:
		return &OpenError{Op: op, Path: l.path, Err: fs.ErrClosed}
	case broken:
		return l.brokenError(op)
	}
	err := guard(&broken, f)
	if broken {
		l.mu.Lock()
		l.broken = true
		l.mu.Unlock()
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if oe := (*OpenError)(nil); errors.As(err, &oe) {
		return err
	}
	hint := hintFor(err)
	if hint == "" {
		hint = hintAccess(err, filepath.Dir(l.path))
	}
	return &OpenError{Op: op, Path: l.path, Err: err, Hint: hint}
}

// brokenError is every answer of a ledger in which bbolt has panicked: it may
// have left its own locks held, and one more call would wait for them for ever.
func (l *Ledger) brokenError(op string) error {
	err := fmt.Errorf("%w: an earlier step failed on it", ErrDamaged)
	return &OpenError{Op: op, Path: l.path, Err: err, Hint: hintFor(err)}
}

// Path is the ledger file.
func (l *Ledger) Path() string { return l.path }

// Close releases file and lock. An open transaction is rolled back.
func (l *Ledger) Close() error {
	l.mu.Lock()
	w := l.writer
	l.mu.Unlock()
	if w != nil {
		w.Rollback()
	}
	return l.shut()
}

func (l *Ledger) shut() error {
	var err error
	switch {
	case l.db != nil && !l.broken:
		err = guard(&l.broken, l.db.Close)
	case l.file != nil:
		// bbolt's Close waits for locks that its panic left held; without it only
		// the mapping stays behind, until the process ends.
		err = l.file.Close()
	}
	l.db, l.file = nil, nil
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
		l.lock = nil
	}
	return err
}

// Begin starts the one write transaction; it must be committed or rolled back.
func (l *Ledger) Begin() (*Tx, error) {
	if l.ro {
		return nil, &OpenError{Op: "writing", Path: l.path, Err: ErrReadOnly}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writer != nil {
		// bbolt would wait for ever for the first one.
		return nil, &OpenError{Op: "writing", Path: l.path, Err: errors.New("a transaction is open already")}
	}
	switch {
	case l.db == nil:
		return nil, &OpenError{Op: "writing", Path: l.path, Err: fs.ErrClosed}
	case l.broken:
		return nil, l.brokenError("writing")
	}
	t := &Tx{l: l}
	var err error
	gerr := guard(&l.broken, func() error {
		t.tx, err = l.db.Begin(true)
		return err
	})
	if gerr != nil {
		return nil, &OpenError{Op: "writing", Path: l.path, Err: gerr, Hint: hintFor(gerr)}
	}
	l.writer = t
	return t, nil
}

// View runs f in a read transaction. Writers wait while it runs, so f should
// read and return; what takes long is Walk's business.
func (l *Ledger) View(f func(*Tx) error) error {
	t := &Tx{l: l}
	err := l.do("reading", func() (err error) {
		t.tx, err = l.db.Begin(false)
		return err
	})
	if err != nil {
		return err
	}
	defer t.Rollback()
	return f(t)
}

// Update runs f in a write transaction and commits it where f returns nil.
func (l *Ledger) Update(f func(*Tx) error) error {
	t, err := l.Begin()
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := f(t); err != nil {
		return err
	}
	return t.Commit()
}

// Tx is a transaction. Everything read in it is of one moment. It is for one
// goroutine at a time.
type Tx struct {
	l  *Ledger
	tx *bolt.Tx // nil once committed or rolled back
}

// do runs one step of the transaction.
func (t *Tx) do(op string, f func(tx *bolt.Tx) error) error {
	if t.tx == nil {
		return &OpenError{Op: op, Path: t.l.path, Err: errors.New("the transaction is over")}
	}
	return t.l.do(op, func() error { return f(t.tx) })
}

// Commit makes the transaction durable.
func (t *Tx) Commit() error {
	err := t.do("writing", func(tx *bolt.Tx) error { return tx.Commit() })
	if err != nil {
		t.Rollback()
		return err
	}
	t.end()
	return nil
}

// Rollback drops it; after a Commit it does nothing.
func (t *Tx) Rollback() {
	if t.tx == nil {
		return
	}
	t.l.mu.Lock()
	broken := t.l.broken
	t.l.mu.Unlock()
	if !broken {
		_ = t.l.do("writing", func() error { return t.tx.Rollback() })
	}
	t.end()
}

func (t *Tx) end() {
	t.tx = nil
	t.l.mu.Lock()
	if t.l.writer == t {
		t.l.writer = nil
	}
	t.l.mu.Unlock()
}

// Writable reports whether the transaction may write.
func (t *Tx) Writable() bool { return t.tx != nil && t.tx.Writable() }

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// joinKey builds a key of parts that hold no NUL.
func joinKey(parts ...string) []byte {
	var b []byte
	for i, p := range parts {
		if i > 0 {
			b = append(b, 0)
		}
		b = append(b, p...)
	}
	return b
}

func indexKey(sortie string, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(sortie), 0), seq)
}

// Append redacts, validates, numbers and writes f and moves the tallies of its
// sortie and swing. It sets Seq and, where zero, At. What it changed of f's
// texts (secrets taken out, length, control characters) is in f afterwards; f is
// untouched where it fails.
func (t *Tx) Append(f *Finding) error {
	if !t.Writable() {
		return &OpenError{Op: "writing", Path: t.l.path, Err: ErrReadOnly}
	}
	g := *f
	if g.At.IsZero() {
		g.At = t.l.now()
	}
	if err := g.clean(); err != nil {
		return err
	}
	err := t.do("writing", func(tx *bolt.Tx) error {
		seq, err := tx.Bucket([]byte(findingBucket)).NextSequence()
		if err != nil {
			return err
		}
		g.Seq = seq
		return put(tx, &g)
	})
	if err == nil {
		*f = g
	}
	return err
}

// put writes a numbered finding and everything that follows from it. Recovery
// and compaction rebuild a ledger through it, so what is derived here is derived
// nowhere else.
func put(tx *bolt.Tx, f *Finding) error {
	body, err := f.MarshalJSON() // json.Marshal would escape < and > after all
	if err != nil {
		return err
	}
	findings := tx.Bucket([]byte(findingBucket))
	// Sequences only grow, so a page that is full stays full: half-empty pages
	// would double the file.
	findings.FillPercent = 0.95
	if err := findings.Put(seqKey(f.Seq), body); err != nil {
		return err
	}
	if f.Sortie != "" {
		if err := tx.Bucket([]byte(indexBucket)).Put(indexKey(f.Sortie, f.Seq), nil); err != nil {
			return err
		}
	}
	if f.Call != "" && f.Imported == nil {
		// An imported line never answers for a call: a record from elsewhere would
		// make a live call look as if it had been charged.
		calls, key := tx.Bucket([]byte(callBucket)), joinKey(f.Sortie, f.Source, f.Call)
		if calls.Get(key) == nil {
			if err := calls.Put(key, seqKey(f.Seq)); err != nil {
				return err
			}
		}
	}
	return tally(tx, f)
}

// tally moves the sums of f's sortie and swing.
func tally(tx *bolt.Tx, f *Finding) error {
	move := func(bucket, id string, running bool) error {
		if id == "" {
			return nil
		}
		b := tx.Bucket([]byte(bucket))
		sum, err := decodeTally(b.Get([]byte(id)))
		if err != nil {
			return fmt.Errorf("%w: the tally of %q: %v", ErrDamaged, id, err)
		}
		if f.Imported != nil && (running || sum.Findings > 0 && !sum.Imported) {
			return nil
		}
		sum.Add(f)
		v, err := json.Marshal(sum)
		if err != nil {
			return err
		}
		return b.Put([]byte(id), v)
	}
	running := f.Imported != nil && f.Sortie != "" &&
		tx.Bucket([]byte(stateBucket)).Get(joinKey("sorties", f.Sortie)) != nil
	if err := move(sortieBucket, f.Sortie, running); err != nil {
		return err
	}
	return move(swingBucket, f.Swing, running)
}

func decodeTally(v []byte) (Tally, error) {
	var t Tally
	if v == nil {
		return t, nil
	}
	err := json.Unmarshal(v, &t)
	return t, err
}

// Called finds what a source filed for a call in a sortie, if it did; the first
// such finding, where there are several.
func (t *Tx) Called(sortie, source, call string) (*Finding, bool, error) {
	var f *Finding
	if call == "" {
		return nil, false, nil
	}
	err := t.do("reading", func(tx *bolt.Tx) error {
		seq := tx.Bucket([]byte(callBucket)).Get(joinKey(sortie, source, cleanID(call)))
		if seq == nil {
			return nil
		}
		body := tx.Bucket([]byte(findingBucket)).Get(seq)
		if body == nil {
			return nil // compacted away; the call was charged, but nobody asks about it now
		}
		f = new(Finding)
		return decode(body, f)
	})
	return f, f != nil, err
}

func decode(body []byte, f *Finding) error {
	if err := json.Unmarshal(body, f); err != nil {
		return fmt.Errorf("%w: a finding can't be read: %v", ErrDamaged, err)
	}
	return nil
}

// SortieTally is the sum of a sortie; zero for one that has no finding.
func (t *Tx) SortieTally(sortie string) (Tally, error) { return t.sum(sortieBucket, sortie) }

// SwingTally is the sum of a swing.
func (t *Tx) SwingTally(swing string) (Tally, error) { return t.sum(swingBucket, swing) }

func (t *Tx) sum(bucket, id string) (sum Tally, err error) {
	if id == "" {
		return sum, nil
	}
	err = t.do("reading", func(tx *bolt.Tx) error {
		sum, err = decodeTally(tx.Bucket([]byte(bucket)).Get([]byte(id)))
		if err != nil {
			return fmt.Errorf("%w: the tally of %q: %v", ErrDamaged, id, err)
		}
		return nil
	})
	return sum, err
}

// Finding reads one by sequence; fs.ErrNotExist where there is none.
func (t *Tx) Finding(seq uint64) (*Finding, error) {
	f := new(Finding)
	err := t.do("reading", func(tx *bolt.Tx) error {
		body := tx.Bucket([]byte(findingBucket)).Get(seqKey(seq))
		if body == nil {
			return fmt.Errorf("finding %d: %w", seq, fs.ErrNotExist)
		}
		return decode(body, f)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// State reads a record of a named space ("sorties", "sessions", a guard's own);
// nil where there is none.
func (t *Tx) State(space, key string) (v []byte, err error) {
	err = t.do("reading", func(tx *bolt.Tx) error {
		v = bytes.Clone(tx.Bucket([]byte(stateBucket)).Get(joinKey(space, key)))
		return nil
	})
	return v, err
}

// PutState writes a record of a named space; nil removes it. The space's name
// holds no NUL.
func (t *Tx) PutState(space, key string, v []byte) error {
	if !t.Writable() {
		return &OpenError{Op: "writing", Path: t.l.path, Err: ErrReadOnly}
	}
	return t.do("writing", func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(stateBucket))
		if v == nil {
			return b.Delete(joinKey(space, key))
		}
		return b.Put(joinKey(space, key), v)
	})
}

// States walks a space in key order from prefix: the keys that begin with it. It
// stops early where the file turns out to be damaged; the next step in the same
// transaction then says so. Records may be put while it walks.
func (t *Tx) States(space, prefix string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		want := joinKey(space, prefix)
		at := want
		for first := true; ; first = false {
			// Each step seeks anew: a cursor is void once the caller has written.
			var key, val []byte
			err := t.do("reading", func(tx *bolt.Tx) error {
				c := tx.Bucket([]byte(stateBucket)).Cursor()
				k, v := c.Seek(at)
				if !first && bytes.Equal(k, at) {
					k, v = c.Next()
				}
				if bytes.Compare(k, at) < 0 || !first && bytes.Equal(k, at) {
					return nil // out of order: going on would go round for ever
				}
				if bytes.HasPrefix(k, want) {
					key, val = bytes.Clone(k), append([]byte{}, v...)
				}
				return nil
			})
			if err != nil || key == nil {
				return
			}
			if !yield(string(key[len(space)+1:]), val) {
				return
			}
			at = key
		}
	}
}

// Query selects findings. Zero fields select all.
type Query struct {
	Sortie   string
	Source   string
	Severity Severity
	Phase    Phase
	Since    time.Time
	After    uint64 // sequences above this
	Limit    int    // the newest N; 0: all
}

// Find reads the selected findings in order, oldest first.
func (t *Tx) Find(q Query) iter.Seq2[*Finding, error] {
	return func(yield func(*Finding, error) bool) {
		if q.Limit <= 0 {
			s := scan{q: q, from: q.After}
			for {
				f, err := s.next(t)
				if err != nil {
					yield(nil, err)
					return
				}
				if f == nil || !yield(f, nil) {
					return
				}
			}
		}
		var newest []*Finding
		s := scan{q: q, back: true}
		for len(newest) < q.Limit {
			f, err := s.next(t)
			if err != nil {
				yield(nil, err)
				return
			}
			if f == nil {
				break
			}
			newest = append(newest, f)
		}
		for _, f := range slices.Backward(newest) {
			if !yield(f, nil) {
				return
			}
		}
	}
}
