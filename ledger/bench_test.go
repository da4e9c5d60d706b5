package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// bulk makes a ledger of n findings without a sync for each, once per size: a
// million takes a while, and every benchmark that wants one reads the same.
var bulk = func() func(b *testing.B, n int) string {
	var mu sync.Mutex
	made := map[int][]byte{}
	return func(b *testing.B, n int) string {
		b.Helper()
		mu.Lock()
		defer mu.Unlock()
		home := b.TempDir()
		path := filepath.Join(home, FileName)
		if made[n] == nil {
			err := rebuild(path, func(db *bolt.DB) error {
				for at := 0; at < n; at += writeBatch {
					if err := db.Update(func(tx *bolt.Tx) error {
						for i := at; i < min(n, at+writeBatch); i++ {
							f := charge(fmt.Sprintf("0192f0c1-%04d", i/2000), 1)
							f.Call, f.At = fmt.Sprint("toolu_", i), noon()
							if err := f.clean(); err != nil {
								return err
							}
							var err error
							if f.Seq, err = tx.Bucket([]byte(findingBucket)).NextSequence(); err != nil {
								return err
							}
							if err := put(tx, &f); err != nil {
								return err
							}
						}
						return nil
					}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			made[n] = raw
			return home
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		// Synced, or the benchmark's own syncs would write it all out first.
		_, err = f.Write(made[n])
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			b.Fatal(err)
		}
		return home
	}
}()

// What one hook process pays for a charged call: open, one transaction with a
// lookup, a finding and a state, close. At a million findings it is the same.
func BenchmarkHook(b *testing.B) {
	for _, n := range []int{0, 1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			home := bulk(b, n)
			for i := 0; b.Loop(); i++ {
				l, err := Open(home, Options{Now: noon})
				if err != nil {
					b.Fatal(err)
				}
				err = l.Update(func(t *Tx) error {
					if _, ok, err := t.Called("running", "redline", fmt.Sprint("bench_", i)); ok || err != nil {
						return errors.Join(err, errors.New("called before"))
					}
					f := charge("running", 1)
					f.Call = fmt.Sprint("bench_", i)
					return errors.Join(t.Append(&f), t.PutState("sorties", "running", []byte(`{"id":"running"}`)))
				})
				if err := errors.Join(err, l.Close()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The score alone: open to read, one tally, close.
func BenchmarkScore(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			home := bulk(b, n)
			for b.Loop() {
				l, err := Open(home, Options{ReadOnly: true})
				if err != nil {
					b.Fatal(err)
				}
				err = l.View(func(t *Tx) error {
					sum, err := t.SortieTally("0192f0c1-0000")
					if err == nil && sum.Points == 0 {
						err = errors.New("no score")
					}
					return err
				})
				if err := errors.Join(err, l.Close()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Appending inside one open ledger, without the disk: what the code costs.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := mustOpen(b, bulk(b, n), Options{})
			t, err := l.Begin()
			if err != nil {
				b.Fatal(err)
			}
			defer t.Rollback()
			for i := 0; b.Loop(); i++ {
				f := charge("running", 1)
				f.Call = fmt.Sprint("bench_", i)
				if err := t.Append(&f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A filter over a million findings, of which it selects few.
func BenchmarkFilter(b *testing.B) {
	home := bulk(b, 1_000_000)
	for b.Loop() {
		if err := Walk(home, Options{Now: noon}, Query{Severity: Stop}, func(*Finding) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
