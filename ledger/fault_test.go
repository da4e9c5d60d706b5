package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// filled makes a ledger of n findings and returns its bytes.
func filled(t testing.TB, home string, n int) []byte {
	t.Helper()
	var fs []Finding
	for i := range n {
		f := charge("s"+strconv.Itoa(i%3), i%4)
		f.Note = strings.Repeat("x", i%200)
		f.Call = "c" + strconv.Itoa(i)
		fs = append(fs, f)
	}
	// Several transactions, so that there are freed pages.
	for len(fs) > 0 {
		k := min(len(fs), 40)
		appendAll(t, home, fs[:k]...)
		fs = fs[k:]
	}
	b, err := os.ReadFile(filepath.Join(home, FileName))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A file that is not a sound ledger is named, with the next step, and stays as
// it is, byte for byte, whoever opens it and how.
func TestFaultyFiles(t *testing.T) {
	t.Parallel()
	sound := filled(t, t.TempDir(), 200)
	noise := make([]byte, 64<<10)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	zeroMetas := bytes.Clone(sound)
	clear(zeroMetas[:2*pageSize])
	badSums := bytes.Clone(sound)
	badSums[pageHeader+20]++
	badSums[pageSize+pageHeader+20]++

	foreign := filepath.Join(t.TempDir(), "other.db")
	db, err := bolt.Open(foreign, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket([]byte("someone else's"))
		return err
	}), db.Close()); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}

	tests := []struct {
		name string
		file []byte
		want error
		hint string
	}{
		{"empty", nil, ErrEmpty, "spar ledger recover"},
		{"text", []byte("hello\n"), ErrNotLedger, "spar ledger check"},
		{"noise", noise, ErrNotLedger, "spar ledger check"},
		{"headers wiped", zeroMetas, ErrNotLedger, "spar ledger check"},
		{"headers changed", badSums, ErrDamaged, "spar ledger recover"},
		{"another program's", other, ErrNotLedger, "move it away"},
		{"one page", sound[:pageSize], ErrTruncated, "spar ledger recover"},
		{"half", sound[:len(sound)/2], ErrTruncated, "spar ledger recover"},
		{"a header's half", sound[:40], ErrTruncated, "spar ledger recover"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			path := filepath.Join(home, FileName)
			if err := os.WriteFile(path, tt.file, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{Now: noon}, {ReadOnly: true}} {
				l, err := Open(home, o)
				if err == nil {
					l.Close()
				}
				var oe *OpenError
				if !errors.As(err, &oe) || !errors.Is(err, tt.want) || oe.Path != path || !strings.Contains(oe.Hint, tt.hint) {
					t.Errorf("Open(%+v) = %v, want %v and a hint at %q", o, err, tt.want, tt.hint)
				}
			}
			if c, err := Check(home, Options{}); err != nil || c.Sound() {
				t.Errorf("Check = %+v, %v", c, err)
			}
			unchanged(t, home, tt.file)
		})
	}
}

// unchanged fails the test unless the ledger's file is what it was and nothing
// but the lock lies beside it.
func unchanged(t *testing.T, home string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(home, FileName))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file changed (%v)", err)
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != FileName && e.Name() != LockName {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

func TestNewerSchema(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	filled(t, home, 3)
	path := filepath.Join(home, FileName)
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte(metaBucket)).Put([]byte("schema"), []byte("7"))
	}), db.Close()); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(home, Options{Now: noon})
	if !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "schema 7") || !strings.Contains(err.Error(), "update spar") {
		t.Errorf("Open = %v", err)
	}
	if c, err := Check(home, Options{}); err != nil || c.Sound() || c.Schema != 7 {
		t.Errorf("Check = %+v, %v", c, err)
	}
	if _, err := Recover(home, Options{Now: noon}); !errors.Is(err, ErrNewer) {
		t.Errorf("Recover = %v", err)
	}
	unchanged(t, home, was)
}

// Cut at every page and at any byte, the file is either sound still (the cut fell
// into room that was set aside) or named, and never changed by an attempt to
// write. What recovery saves of it is a sound ledger that goes on counting.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	sound := filled(t, t.TempDir(), 120)
	var cuts []int
	for at := 0; at < len(sound); at += pageSize {
		cuts = append(cuts, at)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		cuts = append(cuts, r.IntN(len(sound)))
	}
	for _, at := range cuts {
		home := t.TempDir()
		path := filepath.Join(home, FileName)
		if err := os.WriteFile(path, sound[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(home, Options{Now: noon})
		if err == nil {
			// Nothing that counts was cut off.
			l.Close()
			if c, err := Check(home, Options{}); err != nil || !c.Sound() || c.Findings != 120 {
				t.Fatalf("cut at %d it opens, and check says %+v, %v", at, c, err)
			}
			continue
		}
		if !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", at, err)
		}
		unchanged(t, home, sound[:at])
		rec, err := Recover(home, Options{Now: noon})
		if err != nil {
			t.Fatalf("cut at %d: %v", at, err)
		}
		if kept, err := os.ReadFile(rec.Kept); err != nil || !bytes.Equal(kept, sound[:at]) {
			t.Fatalf("cut at %d: the damaged file was not kept (%v)", at, err)
		}
		c, err := Check(home, Options{})
		if err != nil || !c.Sound() || c.Findings != rec.Findings+1 {
			t.Fatalf("cut at %d: recovered %+v, and check says %+v, %v", at, rec, c, err)
		}
		f := charge("s1", 1)
		appendAll(t, home, f)
	}
}

// Damage inside the pages never takes the process down, whatever is asked, and
// recovery gets at what is whole.
func TestDamageInside(t *testing.T) {
	t.Parallel()
	sound := filled(t, t.TempDir(), 120)
	r := rand.New(rand.NewPCG(7, 8))
	saved := 0
	for round := range 36 {
		file := bytes.Clone(sound)
		// A page of noise, of zeroes, or single bytes.
		switch round % 3 {
		case 0:
			at := (2 + r.IntN(len(file)/pageSize-2)) * pageSize
			for i := range pageSize {
				file[at+i] = byte(r.Uint32())
			}
		case 1:
			at := (2 + r.IntN(len(file)/pageSize-2)) * pageSize
			clear(file[at : at+pageSize])
		default:
			for range 20 {
				file[2*pageSize+r.IntN(len(file)-2*pageSize)] ^= byte(1 + r.IntN(255))
			}
		}
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, FileName), file, 0o600); err != nil {
			t.Fatal(err)
		}
		use(home)
		if err := os.WriteFile(filepath.Join(home, FileName), file, 0o600); err != nil {
			t.Fatal(err)
		}
		rec, err := Recover(home, Options{Now: noon})
		switch {
		case errors.Is(err, ErrSound):
			saved += 120
			continue
		case err != nil:
			t.Fatalf("round %d: %v", round, err)
		}
		saved += rec.Findings
		if c, err := Check(home, Options{}); err != nil || !c.Sound() {
			t.Fatalf("round %d: recovered %+v, and check says %+v, %v", round, rec, c, err)
		}
	}
	if saved < 36*120*8/10 {
		t.Errorf("recovery saved %d of %d findings", saved, 60*120)
	}
}

// use does all there is to do with a ledger and takes no answer for granted.
func use(home string) {
	l, err := Open(home, Options{Now: noon})
	if err != nil {
		return
	}
	defer l.Close()
	look(l)
	f := charge("s1", 2)
	_ = l.Update(func(tx *Tx) error { return tx.Append(&f) })
}

func look(l *Ledger) {
	_ = l.View(func(tx *Tx) error {
		for range tx.Find(Query{}) {
		}
		for range tx.Find(Query{Sortie: "s1", Limit: 5}) {
		}
		for range tx.States("sorties", "") {
		}
		_, _ = tx.SortieTally("s0")
		_, _, _ = tx.Called("s0", "redline", "c3")
		_, _ = tx.Finding(17)
		return nil
	})
}

// A recovered ledger says what happened, keeps every state and never shows a
// lower score than before.
func TestRecoverTellsAndKeeps(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	filled(t, home, 300)
	l := mustOpen(t, home, Options{})
	if err := l.Update(func(tx *Tx) error { return tx.PutState("sorties", "s1", []byte(`{"id":"s1"}`)) }); err != nil {
		t.Fatal(err)
	}
	var before Tally
	if err := l.View(func(tx *Tx) (err error) { before, err = tx.SortieTally("s1"); return err }); err != nil {
		t.Fatal(err)
	}
	l.Close()
	path := filepath.Join(home, FileName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Take out one leaf of findings.
	hit := false
	for at := 2 * pageSize; at < len(file); at += pageSize {
		if i := bytes.Index(file[at:at+pageSize], []byte(`"seq":150,`)); i >= 0 {
			for j := range pageSize {
				file[at+j] = 0xff
			}
			hit = true
		}
	}
	if !hit {
		t.Fatal("finding 150 is on no page")
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	rec, err := Recover(home, Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Missing == 0 || rec.Missing+rec.Findings != 300 || rec.States != 1 || filepath.Base(rec.Kept) != "ledger.db.damaged-20261002T120000Z" {
		t.Errorf("Recover = %+v", rec)
	}
	l = mustOpen(t, home, Options{ReadOnly: true})
	if err := l.View(func(tx *Tx) error {
		after, err := tx.SortieTally("s1")
		if err != nil || after.Points < before.Points || after.Findings < before.Findings {
			t.Errorf("tally before %+v, after %+v, %v", before, after, err)
		}
		f, err := tx.Finding(rec.Seq)
		if err != nil || f.Subject != "ledger recovered" || f.Severity != Warn || f.Seq != 301 || !bytes.Contains(f.Observed, []byte(`"missing":`+strconv.Itoa(rec.Missing))) {
			t.Errorf("the finding left behind: %+v, %v", f, err)
		}
		if v, err := tx.State("sorties", "s1"); string(v) != `{"id":"s1"}` {
			t.Errorf("state = %q, %v", v, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := Recover(home, Options{Now: noon}); !errors.Is(err, ErrSound) {
		t.Errorf("recovering a sound ledger: %v", err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("permission bits don't bind root")
	}
	home := t.TempDir()
	filled(t, home, 5)
	if err := os.Chmod(filepath.Join(home, FileName), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(home, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	if _, err := Open(home, Options{Now: noon}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "writable") {
		t.Errorf("Open to write = %v", err)
	}
	mustOpen(t, home, Options{ReadOnly: true})
	if c, err := Check(home, Options{}); err != nil || !c.Sound() {
		t.Errorf("Check = %+v, %v", c, err)
	}
}

func TestFilesAreTheOwnersOnly(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	filled(t, home, 1)
	for _, name := range []string{FileName, LockName} {
		st, err := os.Stat(filepath.Join(home, name))
		if err != nil {
			t.Fatal(err)
		}
		if m := st.Mode().Perm(); m&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s has mode %v", name, m)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"seq":1,"at":"2026-10-02T09:14:03.120Z","phase":"pre","source":"redline","severity":"note","subject":"x","observed":{"kinds":{"outward":3},"points":3},"mode":"strike","actor":"agent"}`))
	f.Add([]byte(`{"at":"2026-10-02T09:15:40.771Z","phase":"pre","source":"redline","severity":"warn","subject":"/srv","observed":{"kinds":["production"]},"actor":"agent","expected":3,"mode":"strike","sortie":null}`))
	f.Add([]byte(`{"at":"2026-10-02T09:15:40Z","phase":"x"}`))
	f.Add([]byte("[[[["))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := ParseLine(line)
		if err != nil {
			return
		}
		// What is taken can be cleaned, stored, read and taken again, and is then
		// the same finding.
		if err := got.clean(); err != nil {
			return
		}
		var tally Tally
		got.Seq = 5
		tally.Add(got)
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatalf("%+v can't be written: %v", got, err)
		}
		if len(b) > 80<<10 || bytes.ContainsAny(b, "\n\x1b") {
			t.Fatalf("stored as %d bytes: %.200q", len(b), b)
		}
		var back Finding
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatalf("%s can't be read: %v", b, err)
		}
		if err := back.clean(); err != nil {
			t.Fatalf("%s is refused the second time: %v", b, err)
		}
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("cleaning is not idempotent (%v):\n%s\n%s", err, b, again)
		}
	})
}

// Whatever bytes are changed in a sound ledger: reading it never panics or hangs,
// and recovery leaves a sound one.
func FuzzDamage(f *testing.F) {
	sound := filled(f, f.TempDir(), 60)
	f.Add(uint32(pageHeader), []byte{1, 2, 3})
	f.Add(uint32(3*pageSize+8), []byte{0xff, 0xff, 0xff, 0xff})
	f.Add(uint32(5*pageSize), []byte("noise noise noise noise noise"))
	f.Add(uint32(4*pageSize+pageHeader), bytes.Repeat([]byte{0x80}, 64))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		file := bytes.Clone(sound)
		copy(file[int(at)%len(file):], patch)
		home := t.TempDir()
		path := filepath.Join(home, FileName)
		write := func() {
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write()
		if l, err := Open(home, Options{ReadOnly: true}); err == nil {
			look(l)
			l.Close()
		}
		if _, err := Check(home, Options{}); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(home, Options{Now: noon}); err != nil {
			if errors.Is(err, ErrSound) || errors.Is(err, ErrNewer) || errors.Is(err, ErrNotLedger) {
				return
			}
			t.Fatal(err)
		}
		if c, err := Check(home, Options{}); err != nil || !c.Sound() {
			t.Fatalf("after recovery: %+v, %v", c, err)
		}
	})
}
