package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// maxLine bounds one line of an import. A finding is capped far below it.
const maxLine = 1 << 20

// Export writes the selected findings as JSON Lines, one finding a line, up to
// the last there was at the start. It returns how many.
func Export(home string, o Options, q Query, w io.Writer) (int, error) {
	n := 0
	err := Walk(home, o, q, func(f *Finding) error {
		b, err := f.MarshalJSON()
		if err != nil {
			return err
		}
		n++
		_, err = w.Write(append(b, '\n'))
		return err
	})
	return n, err
}

// A BadLine is a line of an import that was not taken.
type BadLine struct {
	Line int
	Err  error
	Torn bool // the last line, and it ends too soon: the writer was stopped in it
}

// An Import says what came of one.
type Import struct {
	Taken   int
	Skipped int // there already
	Bad     []BadLine
}

// importBatch is how many lines go into one transaction; writers get their turn
// in between.
const importBatch = 500

// importSpace is the state space that remembers which lines were taken.
const importSpace = "imported"

// ImportLines reads findings as JSON Lines, ours or the older form, and appends
// them. What has no place in a finding is kept under imported, which every
// imported finding has. A line that was taken before, or was exported from this
// very ledger, is skipped. No score of a sortie that is flown here moves.
func ImportLines(home string, o Options, r io.Reader) (Import, error) {
	sum, err := importLines(home, o, r)
	slices.SortStableFunc(sum.Bad, func(a, b BadLine) int { return a.Line - b.Line })
	return sum, err
}

func importLines(home string, o Options, r io.Reader) (Import, error) {
	var sum Import
	torn := -1 // which of the bad lines is the torn one, so far
	in := bufio.NewReaderSize(r, 64<<10)
	type entry struct {
		f    *Finding
		line int
	}
	var batch []entry
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		l, err := Open(home, o)
		if err != nil {
			return err
		}
		defer l.Close()
		var taken, skipped int
		var bad []BadLine
		err = l.Update(func(t *Tx) error {
			taken, skipped, bad = 0, 0, nil
			for _, e := range batch {
				ok, err := t.importOne(e.f)
				switch {
				case errors.As(err, new(*OpenError)):
					return err
				case err != nil:
					bad = append(bad, BadLine{Line: e.line, Err: err})
				case ok:
					taken++
				default:
					skipped++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		sum.Taken, sum.Skipped, sum.Bad = sum.Taken+taken, sum.Skipped+skipped, append(sum.Bad, bad...)
		batch = batch[:0]
		return nil
	}
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			if errors.Is(err, bufio.ErrTooLong) {
				sum.Bad = append(sum.Bad, BadLine{Line: n, Err: fmt.Errorf("longer than %d bytes", maxLine)})
				continue
			}
			return sum, errors.Join(flush(), fmt.Errorf("reading line %d: %w", n, err))
		}
		if b := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))); len(b) > 0 {
			if torn >= 0 {
				sum.Bad[torn].Torn, torn = false, -1 // it was not the last
			}
			f, perr := ParseLine(b)
			if perr != nil {
				sum.Bad = append(sum.Bad, BadLine{Line: n, Err: perr})
				if errors.Is(perr, io.ErrUnexpectedEOF) {
					torn = len(sum.Bad) - 1
					sum.Bad[torn].Torn = true
				}
				f = behindTorn(b)
			}
			if f == nil {
				if err != nil {
					return sum, flush()
				}
				continue
			}
			if batch = append(batch, entry{f, n}); len(batch) == importBatch {
				if err := flush(); err != nil {
					return sum, err
				}
			}
		}
		if err != nil {
			return sum, flush()
		}
	}
}

// readLine reads one line of bounded length. One that is longer is read to its
// end and dropped.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil && long {
			return nil, bufio.ErrTooLong
		}
		if long && errors.Is(err, io.EOF) {
			return []byte("{"), err // too long and without an end: reported as torn
		}
		return line, err
	}
}

// ParseLine reads one line of an import into a finding that is marked as
// imported. A line that ends too soon is io.ErrUnexpectedEOF.
func ParseLine(line []byte) (*Finding, error) {
	var fields map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(line))
	if err := dec.Decode(&fields); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows after the JSON object")
	}
	f := new(Finding)
	rest := map[string]json.RawMessage{}
	take := func(name string, to any) {
		raw, ok := fields[name]
		delete(fields, name)
		if !ok || string(raw) == "null" {
			return
		}
		if json.Unmarshal(raw, to) != nil {
			rest[name] = raw // of a type that has no place here
		}
	}
	var seq uint64
	var outcome string
	take("seq", &seq)
	take("at", &f.At)
	take("phase", &f.Phase)
	take("source", &f.Source)
	take("severity", &f.Severity)
	take("subject", &f.Subject)
	take("note", &f.Note)
	take("mode", &f.Mode)
	take("actor", &f.Actor)
	take("sortie", &f.Sortie)
	take("session", &f.Session)
	take("agent", &f.Agent)
	take("swing", &f.Swing)
	take("call", &f.Call)
	take("late", &f.Late)
	take("outcome", &outcome)
	if outcome != "" {
		if oneOf("outcome", outcome, outcomes()...) == nil {
			f.Outcome = outcome
		} else {
			rest["outcome"] = mustJSON(outcome)
		}
	}
	if raw, ok := fields["observed"]; ok {
		f.Observed = raw
	}
	if raw, ok := fields["expected"]; ok && string(raw) != "null" {
		f.Expected = raw
	}
	delete(fields, "observed")
	delete(fields, "expected")
	if raw, ok := fields["imported"]; ok {
		// A line that was imported before and exported again keeps what it carried.
		var was map[string]json.RawMessage
		if json.Unmarshal(raw, &was) == nil {
			for k, v := range was {
				rest[k] = v
			}
			if _, ok := was["seq"]; ok {
				seq = 0 // the first number is the one that says where it is from
			}
		} else {
			rest["imported"] = raw
		}
		delete(fields, "imported")
	}
	for k, v := range fields {
		rest[k] = v
	}
	if seq != 0 {
		rest["seq"] = mustJSON(seq)
	}
	f.Imported = mustJSON(rest)
	if f.At.IsZero() {
		return nil, errors.New("it has no time (at)")
	}
	if y := f.At.UTC().Year(); y < 1 || y > 9999 {
		return nil, fmt.Errorf("its time %v can't be written", f.At)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

// behindTorn finds the whole finding at the end of a line that begins with a torn
// one: its writer was stopped before the line's end, and the next one wrote on.
func behindTorn(line []byte) *Finding {
	for at, tries := 1, 0; tries < 32; {
		i := bytes.Index(line[at:], []byte(`{"`))
		if i < 0 {
			break
		}
		at += i
		// Only a record of its own has these; an inner object has not, and is skipped
		// without being parsed.
		if rest := line[at:]; bytes.HasSuffix(rest, []byte("}")) && bytes.Contains(rest, []byte(`"subject"`)) {
			if f, err := ParseLine(rest); err == nil {
				return f
			}
			tries++
		}
		at++
	}
	return nil
}

// importOne appends f unless it is there already.
func (t *Tx) importOne(f *Finding) (bool, error) {
	g := *f
	if err := g.clean(); err != nil {
		return false, err
	}
	mark := fingerprint(&g)
	if v, err := t.State(importSpace, mark); err != nil || v != nil {
		return false, err
	}
	// Exported from here: the finding under its number says the same.
	var from struct{ Seq uint64 }
	if json.Unmarshal(g.Imported, &from) == nil && from.Seq != 0 {
		own, err := t.Finding(from.Seq)
		switch {
		case err == nil && own.Imported == nil && fingerprint(own) == mark:
			return false, nil
		case err != nil && !missing(err):
			return false, err
		}
	}
	if err := t.Append(f); err != nil {
		return false, err
	}
	return true, t.PutState(importSpace, mark, seqKey(f.Seq))
}

// fingerprint is what makes two lines the same finding: everything but its number
// here and what an import adds.
func fingerprint(f *Finding) string {
	g := *f
	g.Seq, g.Imported = 0, nil
	g.At = g.At.UTC().Truncate(time.Millisecond)
	b, err := json.Marshal(g)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
