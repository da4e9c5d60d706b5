package ledger

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"testing"
	"time"
)

// noon is every test's clock.
func noon() time.Time { return time.Date(2026, 10, 2, 12, 0, 0, 123456789, time.UTC) }

func mustOpen(t testing.TB, home string, o Options) *Ledger {
	t.Helper()
	if o.Now == nil {
		o.Now = noon
	}
	l, err := Open(home, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// charge is a finding as redline files one.
func charge(sortie string, points int) Finding {
	sev := Note
	if points >= 3 {
		sev = Stop
	}
	return Finding{
		Phase: Pre, Source: "redline", Severity: sev, Subject: "git push",
		Observed: json.RawMessage(`{"kinds":{"outward":` + strconv.Itoa(points) + `},"points":` + strconv.Itoa(points) + `,"total":9}`),
		Mode:     Strike, Actor: Agent, Sortie: sortie, Outcome: "advise",
	}
}

func appendAll(t testing.TB, home string, fs ...Finding) []Finding {
	t.Helper()
	l := mustOpen(t, home, Options{})
	defer l.Close()
	if err := l.Update(func(tx *Tx) error {
		for i := range fs {
			if err := tx.Append(&fs[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return fs
}

func TestAppendAndRead(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if _, err := Open(home, Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("reading a home without a ledger: %v, want fs.ErrNotExist", err)
	}
	a := charge("s1", 3)
	a.Call, a.Swing = "c1", "w1"
	got := appendAll(t, home, a, charge("s2", 1), charge("s1", 1))
	if got[2].Seq != 3 || !got[0].At.Equal(noon().Truncate(time.Millisecond)) {
		t.Errorf("seq %d, at %v", got[2].Seq, got[0].At)
	}

	l := mustOpen(t, home, Options{ReadOnly: true})
	if err := l.View(func(tx *Tx) error {
		sum, err := tx.SortieTally("s1")
		if err != nil || sum.Points != 4 || sum.Findings != 2 || sum.Worst != Stop || sum.Kinds["outward"] != 4 || sum.Counts["outward"] != 2 || sum.First != 1 || sum.Last != 3 {
			t.Errorf("tally of s1 = %+v, %v", sum, err)
		}
		if sum, err := tx.SwingTally("w1"); err != nil || sum.Points != 3 || sum.Findings != 1 {
			t.Errorf("tally of w1 = %+v, %v", sum, err)
		}
		if f, ok, err := tx.Called("s1", "redline", "c1"); err != nil || !ok || f.Seq != 1 {
			t.Errorf("Called = %+v, %v, %v", f, ok, err)
		}
		if _, ok, _ := tx.Called("s2", "redline", "c1"); ok {
			t.Error("a call of one sortie answers in another")
		}
		if _, err := tx.Finding(9); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Finding(9): %v", err)
		}
		var seqs []uint64
		for f, err := range tx.Find(Query{Sortie: "s1"}) {
			if err != nil {
				return err
			}
			seqs = append(seqs, f.Seq)
		}
		if !slices.Equal(seqs, []uint64{1, 3}) {
			t.Errorf("Find(s1) = %v", seqs)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Begin(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Begin while reading: %v", err)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	l := mustOpen(t, t.TempDir(), Options{})
	if err := l.Update(func(tx *Tx) error {
		for _, k := range []string{"b/2", "a/1", "b/1", "c"} {
			if err := tx.PutState("sorties", k, []byte("v"+k)); err != nil {
				return err
			}
		}
		return errors.Join(tx.PutState("sessions", "b/9", []byte("x")), tx.PutState("sorties", "c", nil))
	}); err != nil {
		t.Fatal(err)
	}
	if err := l.Update(func(tx *Tx) error {
		var keys []string
		for k, v := range tx.States("sorties", "b/") {
			keys = append(keys, k+"="+string(v))
			// Writing while walking is what a sweep does.
			if err := tx.PutState("sorties", k, []byte("w")); err != nil {
				return err
			}
		}
		if !slices.Equal(keys, []string{"b/1=vb/1", "b/2=vb/2"}) {
			t.Errorf("States = %q", keys)
		}
		if v, err := tx.State("sorties", "c"); v != nil || err != nil {
			t.Errorf("a removed state reads %q, %v", v, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
