package acts

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"
)

type corpusLine struct {
	ID, Command, Cwd string
	Env              map[string]string
	Tags             []string
}

// corpus reads the command lines of the labelled corpus.
func corpus(t testing.TB) []corpusLine {
	t.Helper()
	f, err := os.Open("../../testdata/corpus/redline.jsonl")
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	defer f.Close()
	var out []corpusLine
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var d struct {
			ID, Cwd string
			Input   struct{ Command string }
			Env     map[string]string
			Tags    []string
		}
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if d.Input.Command != "" {
			out = append(out, corpusLine{d.ID, d.Input.Command, d.Cwd, d.Env, d.Tags})
		}
	}
	if len(out) < 400 {
		t.Fatalf("only %d command lines in the corpus", len(out))
	}
	return out
}

func BenchmarkCorpus(b *testing.B) {
	lines := corpus(b)
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		for _, l := range lines {
			start := time.Now()
			Read(l.Command, Options{Dir: l.Cwd, Env: l.Env})
			if len(took) < 1<<20 {
				took = append(took, time.Since(start))
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns/line")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns/line")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(lines)), "mean-ns/line")
}

func BenchmarkLine(b *testing.B) {
	for _, l := range []string{
		"ls -la",
		"git add -A && git commit -m 'Round totals' && git push origin main",
		"for f in a b c; do rm -rf \"$TMPDIR/$f\"; done",
		"sudo -u deploy bash -c 'cd /srv && git pull'",
	} {
		b.Run(l, func(b *testing.B) {
			b.ReportAllocs()
			env := map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}
			for b.Loop() {
				Read(l, Options{Dir: "/work/site", Env: env})
			}
		})
	}
}
