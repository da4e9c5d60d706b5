package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// anyFinding makes a valid finding of every form there is.
func anyFinding(r *rand.Rand) Finding {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	f := Finding{
		At:       noon().Add(time.Duration(r.IntN(1e6)) * time.Millisecond),
		Phase:    Phase(pick("brief", "pre", "post", "claim")),
		Source:   pick("redline", "spar", "habit", "groundtruth"),
		Severity: Severity(pick("note", "warn", "stop")),
		Subject:  pick("git push", "rm -rf build", "日本語", "a<b>&c"),
		Observed: json.RawMessage(pick(`"text"`, `17`, `null`, `["a","b"]`, `{"sent":1}`, `{"points":2}`, `{"points":-2,"kinds":{"x":-2}}`, `{"points":1.5,"kinds":{}}`)),
		Mode:     Mode(pick("strike", "strike", "cruise")),
		Actor:    Actor(pick("agent", "human", "wingman")),
		Sortie:   pick("s1", "s2", "s3", ""),
		Swing:    pick("", "", "w1"),
		Outcome:  pick("", "logged", "halt"),
		Note:     pick("", "because"),
	}
	if r.IntN(3) > 0 {
		n, m := r.IntN(4), r.IntN(3)
		f.Observed = json.RawMessage(fmt.Sprintf(`{"kinds":{"outward":%d,"dependency":%d},"points":%d,"total":9}`, n, m, n+m))
	}
	return f
}

// A tally is what its findings add up to, in whatever order they came, and only
// ever goes up.
func TestTallyIsTheSum(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	l := mustOpen(t, t.TempDir(), Options{})
	want := map[string]*Tally{"s1": {}, "s2": {}, "s3": {}}
	var swing Tally
	for range 40 {
		before := map[string]Tally{}
		if err := l.Update(func(tx *Tx) error {
			for id := range want {
				var err error
				if before[id], err = tx.SortieTally(id); err != nil {
					return err
				}
			}
			for range r.IntN(12) {
				f := anyFinding(r)
				if err := tx.Append(&f); err != nil {
					return err
				}
				if f.Sortie != "" {
					want[f.Sortie].Add(&f)
				}
				if f.Swing != "" {
					swing.Add(&f)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := l.View(func(tx *Tx) error {
			for id, w := range want {
				got, err := tx.SortieTally(id)
				if err != nil || !reflect.DeepEqual(norm(got), norm(*w)) {
					t.Fatalf("tally of %s\n got %+v, %v\nwant %+v", id, got, err, *w)
				}
				if got.Points < before[id].Points || got.Findings < before[id].Findings || before[id].Worst.Above(got.Worst) {
					t.Fatalf("the tally of %s fell from %+v to %+v", id, before[id], got)
				}
			}
			got, err := tx.SwingTally("w1")
			if err != nil || !reflect.DeepEqual(norm(got), norm(swing)) {
				t.Fatalf("tally of the swing\n got %+v, %v\nwant %+v", got, err, swing)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// R069: two writers in either order leave the same score and the same findings.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	file := func(points ...int) (Tally, []string) {
		home := t.TempDir()
		for _, n := range points {
			appendAll(t, home, charge("s", n))
		}
		l := mustOpen(t, home, Options{ReadOnly: true})
		var sum Tally
		var found []string
		if err := l.View(func(tx *Tx) (err error) {
			for f, err := range tx.Find(Query{}) {
				if err != nil {
					return err
				}
				found = append(found, string(f.Observed))
			}
			sum, err = tx.SortieTally("s")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(found)
		return norm(sum), found
	}
	a, fa := file(3, 1)
	b, fb := file(1, 3)
	if a.Points != 4 || !reflect.DeepEqual(a, b) || !slices.Equal(fa, fb) {
		t.Errorf("%+v %q\n%+v %q", a, fa, b, fb)
	}
}

// norm makes empty and absent maps the same.
func norm(t Tally) Tally {
	b, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	var out Tally
	if err := json.Unmarshal(b, &out); err != nil {
		panic(err)
	}
	return out
}

func TestMergeLaws(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	tally := func() (sum Tally) {
		for range r.IntN(5) {
			f := anyFinding(r)
			f.Seq = 1 + r.Uint64N(1000)
			if r.IntN(4) == 0 {
				f.Imported = json.RawMessage(`{}`)
			}
			sum.Add(&f)
		}
		return sum
	}
	merge := func(ts ...Tally) (sum Tally) {
		for _, t := range ts {
			sum.Merge(norm(t))
		}
		return norm(sum)
	}
	for range 500 {
		a, b, c := tally(), tally(), tally()
		if x, y := merge(merge(a, b), c), merge(a, merge(b, c)); !reflect.DeepEqual(x, y) {
			t.Fatalf("not associative:\n%+v\n%+v", x, y)
		}
		if x, y := merge(a, b), merge(b, a); !reflect.DeepEqual(x, y) {
			t.Fatalf("not commutative:\n%+v\n%+v", x, y)
		}
		if x := merge(a, Tally{}); !reflect.DeepEqual(x, norm(a)) {
			t.Fatalf("the empty tally is not neutral:\n%+v\n%+v", x, a)
		}
	}
}

func TestScoreStaysAtTheTop(t *testing.T) {
	t.Parallel()
	var sum Tally
	f := charge("s", 0)
	f.Observed = json.RawMessage(`{"kinds":{"outward":9223372036854775807},"points":9223372036854775807}`)
	sum.Add(&f)
	sum.Add(&f)
	if sum.Points <= 0 || sum.Kinds["outward"] <= 0 {
		t.Errorf("it turned over: %+v", sum)
	}
}

func TestRefusedFindings(t *testing.T) {
	t.Parallel()
	l := mustOpen(t, t.TempDir(), Options{})
	for _, tt := range []struct {
		change func(*Finding)
		want   string
	}{
		{func(f *Finding) { f.Subject = " \t" }, "needs a subject"},
		{func(f *Finding) { f.Observed = nil }, "what was observed"},
		{func(f *Finding) { f.Source = "" }, "needs a source"},
		{func(f *Finding) { f.Severity = "fatal" }, `unknown severity "fatal": the known ones are note, warn, stop`},
		{func(f *Finding) { f.Phase = "" }, "one of brief, pre, post, claim"},
		{func(f *Finding) { f.Mode = "glide" }, "strike, cruise"},
		{func(f *Finding) { f.Actor = "robot" }, "agent, human, wingman"},
		{func(f *Finding) { f.Outcome = "shrug" }, "logged, advise, refuse-shot, halt, deferred, ask"},
		{func(f *Finding) { f.Observed = json.RawMessage(`{"a":`) }, "observed: not JSON"},
		{func(f *Finding) { f.Observed = json.RawMessage(`1 2`) }, "more follows"},
		{func(f *Finding) { f.Expected = json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500)) }, "nested deeper"},
		{func(f *Finding) { f.Sortie = "a\x00b" }, "sortie id"},
		{func(f *Finding) { f.Swing = strings.Repeat("w", 300) }, "swing id"},
	} {
		f := charge("s", 1)
		tt.change(&f)
		was := f
		err := l.Update(func(tx *Tx) error { return tx.Append(&f) })
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Append = %v, want %q", err, tt.want)
		}
		if !reflect.DeepEqual(f, was) {
			t.Errorf("a refused finding was changed: %+v", f)
		}
	}
	if err := l.View(func(tx *Tx) error {
		last, err := tx.Last()
		if last != 0 {
			t.Errorf("refused findings took %d numbers", last)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// R125, R126, R128: nothing of a secret is in the file, whichever field it came
// in by, and what was not secret stays.
func TestNoSecretInTheFile(t *testing.T) {
	t.Parallel()
	const token = "ghp_0000000000000000000000000000000000aa"
	home := t.TempDir()
	f := charge("s", 3)
	f.Subject = "curl -H 'Authorization: Bearer " + token + "' https://x ; mysql -pS3cretz9 db"
	f.Note = "export API_TOKEN=" + token + " in " + strings.Repeat("word ", 3000) + token
	f.Observed = json.RawMessage(`{"env":{"DB_PASSWORD":"hunter2zz","HOME":"/work/site"},"list":["--token=abc123secretvalue","https://u:` + token + `@h/r"],"n":` + "12345678901234567890" + `,"` + token + `":1}`)
	f.Expected = json.RawMessage(`"psql postgres://u:pwpwpw9@h/d"`)
	f.Session, f.Call, f.Agent = token, token+"-1", token
	f.Imported = json.RawMessage(`{"apiKey":"zzzz9999zz","kept":"yes"}`)
	appendAll(t, home, f)
	file, err := os.ReadFile(filepath.Join(home, FileName))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := Export(home, Options{}, Query{}, &out); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, "000000000000000", "S3cretz9", "hunter2zz", "abc123secretvalue", "pwpwpw9", "zzzz9999zz"} {
		if bytes.Contains(file, []byte(secret)) || bytes.Contains(out.Bytes(), []byte(secret)) {
			t.Errorf("%q is in the ledger or its export:\n%s", secret, out.Bytes())
		}
	}
	for _, kept := range []string{"Authorization: Bearer [redacted:github]", "mysql -p[redacted:value] db", "--token=[redacted:value]", `"HOME":"/work/site"`, "12345678901234567890", `"kept":"yes"`, "[cut, "} {
		if !strings.Contains(out.String(), kept) {
			t.Errorf("%q is missing from %s", kept, out.Bytes())
		}
	}
}

// Different ids stay different, also those that may not be stored as they are.
func TestIDsStayApart(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, id := range []string{"a", "b", strings.Repeat("x", 300), strings.Repeat("x", 301), "a\nb", "a\nc", "ghp_0000000000000000000000000000000000aa", "ghp_0000000000000000000000000000000000ab"} {
		got := cleanID(id)
		if was, ok := seen[got]; ok {
			t.Errorf("%q and %q are both stored as %q", was, id, got)
		}
		seen[got] = id
		if cleanID(got) != got {
			t.Errorf("cleanID(%q) = %q", got, cleanID(got))
		}
	}
}

func TestCapsSaySo(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("päth/", 20_000)
	f := charge("s", 1)
	f.Subject, f.Note = long, "\x1b[31mred\nline\u202e\x00"+long
	f.Observed = json.RawMessage(`"` + long + `"`)
	var list []string
	for range 3000 {
		list = append(list, `"element of a long list"`)
	}
	f.Expected = json.RawMessage(`{"points":7,"list":[` + strings.Join(list, ",") + `],"tail":"x"}`)
	if err := f.clean(); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]struct {
		s   string
		max int
	}{"subject": {f.Subject, maxSubject}, "note": {f.Note, maxNote}, "observed": {string(f.Observed), maxValue}, "expected": {string(f.Expected), maxValue}} {
		if len(v.s) > v.max || !strings.Contains(v.s, "… [cut, ") || !utf8.ValidString(v.s) || strings.ContainsAny(v.s, "\x00\x1b\n\u202e") {
			t.Errorf("%s has %d bytes: %.80q ... %q", name, len(v.s), v.s, v.s[max(0, len(v.s)-60):])
		}
	}
	if !strings.HasPrefix(f.Note, `\x1b[31mred\nline\u202e\x00`) {
		t.Errorf("note = %.60q", f.Note)
	}
	var e struct{ Points int }
	if err := json.Unmarshal(f.Expected, &e); err != nil || e.Points != 7 {
		t.Errorf("expected = %.60s, %v", f.Expected, err)
	}
	// No cut falls into a mark, wherever it would have to.
	for pad := range 40 {
		s := cleanText(strings.Repeat("a", maxSubject-45+pad)+" token=abc123abc "+strings.Repeat("b", 100), maxSubject)
		head, _, _ := strings.Cut(s, "… [cut")
		if i := strings.LastIndex(head, "[redacted"); i >= 0 && !strings.Contains(head[i:], "]") || strings.Contains(s, "abc123") {
			t.Errorf("cut into a mark: %q", s[len(s)-80:])
		}
	}
}

// R071 and the older form: what it can't place is kept, a line is taken once, a
// torn last one is one damaged line, and no running score moves.
func TestImport(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile("../testdata/older-ledger.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	const flown = "2026-10-02T09-13-58-004Z-a41f0c"
	// One of the sorties that the file names is flown here, with 3 points.
	l := mustOpen(t, home, Options{})
	if err := l.Update(func(tx *Tx) error {
		f := charge(flown, 3)
		return errors.Join(tx.PutState("sorties", flown, []byte(`{"id":"x"}`)), tx.Append(&f))
	}); err != nil {
		t.Fatal(err)
	}
	l.Close()
	o := Options{Now: noon}
	lines := bytes.Count(bytes.TrimSpace(old), []byte("\n"))
	got, err := ImportLines(home, o, bytes.NewReader(old))
	if err != nil || got.Taken != lines || len(got.Bad) != 1 || !got.Bad[0].Torn || got.Bad[0].Line != lines+1 {
		t.Fatalf("import = %+v, %v", got, err)
	}
	again, err := ImportLines(home, o, bytes.NewReader(old))
	if err != nil || again.Taken != 0 || again.Skipped != lines {
		t.Fatalf("the second import = %+v, %v", again, err)
	}
	l = mustOpen(t, home, Options{ReadOnly: true})
	defer l.Close()
	if err := l.View(func(tx *Tx) error {
		if sum, err := tx.SortieTally(flown); err != nil || sum.Points != 3 || sum.Findings != 1 {
			t.Errorf("the running tally is %+v, %v", sum, err)
		}
		f, err := tx.Finding(2)
		if err != nil || f.Imported == nil || f.Subject != "scope" {
			t.Errorf("finding 2 = %+v, %v", f, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	l.Close()

	// Unknown fields and values keep a place.
	line := `{"at":"2026-10-02T09:14:03Z","phase":"pre","source":"x","severity":"note","subject":"s","observed":1,"mode":"strike","actor":"agent","outcome":"shrugged","tool":{"name":"Bash"},"note":7}`
	f, err := ParseLine([]byte(line))
	if err != nil || string(f.Imported) != `{"note":7,"outcome":"shrugged","tool":{"name":"Bash"}}` || f.Note != "" || f.Outcome != "" {
		t.Errorf("ParseLine = %+v (imported %s), %v", f, f.Imported, err)
	}
	// A record that was written behind a torn one, on the same line, is not lost.
	glued := old[:len(bytes.TrimRight(old, "\n"))]
	glued = append(bytes.Clone(glued), line+"\n"...)
	got, err = ImportLines(t.TempDir(), o, bytes.NewReader(glued))
	if err != nil || got.Taken != lines+1 || len(got.Bad) != 1 {
		t.Errorf("with a record behind the torn one: %+v, %v", got, err)
	}
	// A damaged line in the middle is not the torn last one.
	got, err = ImportLines(t.TempDir(), o, strings.NewReader("{\"at\":\n"+line+"\nnot json\n"))
	if err != nil || got.Taken != 1 || len(got.Bad) != 2 || got.Bad[0].Torn || got.Bad[0].Line != 1 || got.Bad[1].Line != 3 {
		t.Errorf("import = %+v, %v", got, err)
	}
	// A line without end is read over in bounded memory.
	got, err = ImportLines(t.TempDir(), o, strings.NewReader(line+"\n"+strings.Repeat("x", 3<<20)+"\n"+strings.Replace(line, `"s"`, `"t"`, 1)))
	if err != nil || got.Taken != 2 || len(got.Bad) != 1 {
		t.Errorf("import = %+v, %v", got, err)
	}
}

// What is exported and imported elsewhere is the same findings; brought back, it
// is all there already.
func TestExportImportRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 16))
	a, b := t.TempDir(), t.TempDir()
	var fs []Finding
	for i := range 300 {
		f := anyFinding(r)
		f.Subject += fmt.Sprint(" ", i) // two that are wholly the same would be one
		fs = append(fs, f)
	}
	appendAll(t, a, fs...)
	var fromA, fromB, fromA2 bytes.Buffer
	export := func(home string, w *bytes.Buffer) {
		t.Helper()
		if n, err := Export(home, Options{Now: noon}, Query{}, w); err != nil || n != 300 {
			t.Fatalf("exported %d, %v", n, err)
		}
	}
	export(a, &fromA)
	if strings.Contains(fromA.String(), `\u003c`) {
		t.Error("the export escapes < as if it were for a page")
	}
	if got, err := ImportLines(b, Options{Now: noon}, bytes.NewReader(fromA.Bytes())); err != nil || got.Taken != 300 {
		t.Fatalf("into another: %+v, %v", got, err)
	}
	export(b, &fromB)
	if got, err := ImportLines(a, Options{Now: noon}, &fromB); err != nil || got.Taken != 0 || got.Skipped != 300 {
		t.Fatalf("back again: %+v, %v", got, err)
	}
	if got, err := ImportLines(a, Options{Now: noon}, bytes.NewReader(fromA.Bytes())); err != nil || got.Taken != 0 || got.Skipped != 300 {
		t.Fatalf("into itself: %+v, %v", got, err)
	}
	export(a, &fromA2)
	if !bytes.Equal(fromA.Bytes(), fromA2.Bytes()) {
		t.Error("importing what was there changed the ledger")
	}
	// The findings are the same but for their number and the mark.
	la, lb := mustOpen(t, a, Options{ReadOnly: true}), mustOpen(t, b, Options{ReadOnly: true})
	sum := func(l *Ledger, id string) (s Tally) {
		if err := l.View(func(tx *Tx) (err error) { s, err = tx.SortieTally(id); return err }); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, id := range []string{"s1", "s2", "s3"} {
		x, y := sum(la, id), sum(lb, id)
		if y.Imported != true {
			t.Errorf("the tally of %s does not say that it is imported", id)
		}
		y.Imported = false
		if !reflect.DeepEqual(norm(x), norm(y)) {
			t.Errorf("tally of %s: %+v there, %+v here", id, y, x)
		}
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var made []Finding
	for i := range 400 {
		f := charge([]string{"landed", "flying", "unknown"}[i%3], 1)
		f.At = noon().Add(time.Duration(i) * time.Hour)
		f.Call = fmt.Sprint("c", i)
		made = append(made, f)
	}
	appendAll(t, home, made...)
	l := mustOpen(t, home, Options{})
	if err := l.Update(func(tx *Tx) error {
		return errors.Join(
			tx.PutState("sorties", "landed", []byte(`{"id":"landed","landed":"2026-10-30T12:00:00Z"}`)),
			tx.PutState("sorties", "flying", []byte(`{"id":"flying"}`)))
	}); err != nil {
		t.Fatal(err)
	}
	tallies := func(l *Ledger) (out []Tally) {
		if err := l.View(func(tx *Tx) error {
			for _, id := range []string{"landed", "flying", "unknown"} {
				s, err := tx.SortieTally(id)
				if err != nil {
					return err
				}
				out = append(out, norm(s))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := tallies(l)
	l.Close()
	c, err := Compact(home, Options{Now: noon}, noon().Truncate(time.Second).Add(300*time.Hour))
	if err != nil || c.Dropped != 200 || c.Flying != 100 || c.Kept != 200 || c.Seq != 401 {
		t.Fatalf("Compact = %+v, %v", c, err)
	}
	if r, err := Check(home, Options{}); err != nil || !r.Sound() || r.Findings != 201 || r.Size != c.Is {
		t.Fatalf("Check = %+v, %v", r, err)
	}
	l = mustOpen(t, home, Options{})
	if after := tallies(l); !reflect.DeepEqual(before, after) {
		t.Errorf("tallies before %+v\nafter %+v", before, after)
	}
	if err := l.View(func(tx *Tx) error {
		f, err := tx.Finding(401)
		if err != nil || f.Subject != "ledger compacted" || !bytes.Contains(f.Observed, []byte(`"dropped":200`)) {
			t.Errorf("the finding left behind: %+v, %v", f, err)
		}
		if _, ok, err := tx.Called("flying", "redline", "c1"); !ok || err != nil {
			t.Errorf("a call of a sortie that flies is forgotten (%v)", err)
		}
		_, err = tx.Finding(1)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("finding 1 is still there: %v", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	f := charge("flying", 1)
	if err := l.Update(func(tx *Tx) error { return tx.Append(&f) }); err != nil || f.Seq != 402 {
		t.Errorf("the next finding has number %d, %v", f.Seq, err)
	}
	l.Close()
	// Nothing older is left to drop: the file is not made anew.
	was, err := os.ReadFile(filepath.Join(home, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Compact(home, Options{Now: noon}, noon().Truncate(time.Second).Add(300*time.Hour)); err != nil || c.Dropped != 0 {
		t.Errorf("the second Compact = %+v, %v", c, err)
	}
	unchanged(t, home, was)
}

// A backup that is taken while others write is a ledger of its own: all findings
// up to the last at the start, and the tallies of that moment.
func TestBackupWhileOthersWrite(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	filled(t, home, 500)
	stop := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			l, err := Open(home, Options{Now: noon})
			if err == nil {
				f := charge("s1", 1)
				err = errors.Join(l.Update(func(tx *Tx) error { return tx.Append(&f) }), l.Close())
			}
			if err != nil {
				done <- err
				return
			}
		}
	}()
	to := filepath.Join(dir, FileName) // so that the folder is a home
	n, err := Backup(home, Options{Now: noon}, to)
	close(stop)
	if werr := <-done; werr != nil || err != nil || n < 500 {
		t.Fatalf("backup of %d: %v; the writer: %v", n, err, werr)
	}
	c, err := Check(dir, Options{})
	if err != nil || !c.Sound() || c.Findings != n {
		t.Fatalf("the backup: %+v, %v; want %d findings", c, err, n)
	}
	appendAll(t, dir, charge("s1", 1))
	if _, err := Backup(home, Options{Now: noon}, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 18))
	home := t.TempDir()
	var all []Finding
	for range 700 {
		all = append(all, anyFinding(r))
	}
	all = appendAll(t, home, all...)
	l := mustOpen(t, home, Options{ReadOnly: true})
	defer l.Close()
	for range 60 {
		var q Query
		for _, set := range []func(){
			func() { q.Sortie = "s2" }, func() { q.Source = "redline" }, func() { q.Severity = Stop }, func() { q.Phase = Pre },
			func() { q.Since = noon().Add(500 * time.Second) }, func() { q.After = r.Uint64N(700) }, func() { q.Limit = 1 + r.IntN(50) },
		} {
			if r.IntN(3) == 0 {
				set()
			}
		}
		var want []uint64
		for i := range all {
			if q.selects(&all[i]) {
				want = append(want, all[i].Seq)
			}
		}
		if q.Limit > 0 && len(want) > q.Limit {
			want = want[len(want)-q.Limit:]
		}
		var found, walked []uint64
		if err := l.View(func(tx *Tx) error {
			for f, err := range tx.Find(q) {
				if err != nil {
					return err
				}
				found = append(found, f.Seq)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := Walk(home, Options{Now: noon}, q, func(f *Finding) error {
			walked = append(walked, f.Seq)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(found, want) || !reflect.DeepEqual(walked, want) {
			t.Fatalf("%+v\nfound  %v\nwalked %v\nwant   %v", q, found, walked, want)
		}
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	fs := appendAll(t, t.TempDir(), charge("s", 3), Finding{
		Phase: Claim, Source: "groundtruth", Severity: Warn, Subject: "日本語 tab\there", Observed: json.RawMessage(`{"a":"x\ny"}`), Mode: Strike, Actor: Agent,
	})
	rows := []*Finding{&fs[0], &fs[1]}
	var piped, table, coloured bytes.Buffer
	if err := errors.Join(Print(&piped, rows, Style{}), Print(&table, rows, Style{Terminal: true, Width: 90}), Print(&coloured, rows, Style{Terminal: true, Width: 90, Colour: true})); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(piped.String()) {
		if n := strings.Count(line, "\t"); n != len(Columns())-1 {
			t.Errorf("%d tabs in %q", n, line)
		}
	}
	wantTable := "" +
		"SEQ  TIME      SEVERITY  PHASE  SOURCE       OUTCOME  SUBJECT           OBSERVED\n" +
		"  1  12:00:00  stop      pre    redline      advise   git push          outward +3, total…\n" +
		"  2  12:00:00  warn      claim  groundtruth           日本語 tab\\there  {\"a\":\"x\\ny\"}\n"
	if table.String() != wantTable {
		t.Errorf("table:\n%s\nwant:\n%s", table.String(), wantTable)
	}
	if strings.Contains(table.String(), "\x1b") || !strings.Contains(coloured.String(), "\x1b[31mstop\x1b[0m") || !strings.Contains(coloured.String(), "\x1b[33mwarn\x1b[0m") {
		t.Errorf("coloured:\n%q", coloured.String())
	}
}
