package groundtruth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
	"spar/sortie/hook"
)

// stateCap bounds how much of a probe's answer a report carries, in characters.
const stateCap = 4000

// Report is a verdict as --json prints it.
type Report struct {
	OK          bool            `json:"ok"`
	Action      string          `json:"action"`
	Expectation string          `json:"expectation"`
	Reason      contract.Reason `json:"reason,omitempty"`
	Detail      string          `json:"detail,omitempty"`
	// Evidence is what the probe returned, as it is shown: quoted, capped.
	Evidence string `json:"evidence"`
	// State is the same unquoted, secrets taken out; nil where nothing was read.
	State *string `json:"state,omitempty"`
	// Error is why the probe could not be read.
	Error string `json:"error,omitempty"`
	MS    int64  `json:"ms"`
}

// ReportOf is a verdict's report.
func ReportOf(v *contract.Verdict) Report {
	r := Report{
		OK: v.Met, Action: redact.Text(v.Contract.Action), Expectation: v.Contract.Expect.Label(), Reason: v.Reason,
		Detail: v.Detail, Evidence: v.Evidence(), MS: v.Took.Milliseconds(),
	}
	if v.Read {
		state := []rune(redact.Text(strings.ToValidUTF8(v.Output, "\uFFFD")))
		s := string(state[:min(len(state), stateCap)])
		r.State = &s
	} else if !v.Met {
		r.Error = v.Detail
	}
	return r
}

// Print writes a verdict for a person: what holds to out, what doesn't to errw.
func Print(out, errw io.Writer, v *contract.Verdict) {
	label := v.Contract.Expect.Label()
	switch {
	case v.Met:
		fmt.Fprintf(out, "✓ verified [%s] — the probe returned: %s\n", label, v.Evidence())
		if v.Contract.Expect.Kind() == contract.Default {
			fmt.Fprintln(out, "  no expectation was given, so any output passes; say what it has to be with --count, --contains, --equals ...")
		}
	case v.Read:
		fmt.Fprintf(errw, "✗ %s [%s] — %s\n", v.Reason, label, v.Detail)
		if e := v.Evidence(); e != "" {
			fmt.Fprintf(errw, "  the probe returned: %s\n", e)
		}
	default:
		fmt.Fprintf(errw, "✗ probe failed — %s: %s\n  the state could not be read, so nothing is known of it\n", v.Reason, v.Detail)
	}
}

// Block is an unmet contract of a file, a line a fact.
func Block(v *contract.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "✗ %s", contract.Quote(v.Contract.Action, contract.ActionCap))
	if v.Reason != contract.BadJSON && v.Reason != contract.BadContract && v.Reason != contract.NoProbe && v.Reason != contract.BadExpect {
		fmt.Fprintf(&b, " [%s]", v.Contract.Expect.Label())
	}
	fmt.Fprintf(&b, "\n  %s: %s\n", v.Reason, v.Detail)
	if e := v.Evidence(); e != "" {
		fmt.Fprintf(&b, "  the probe returned: %s\n", e)
	}
	return b.String()
}

// RunnerAt is the runner of typed commands.
func RunnerAt(w sortie.World, h sortie.Home, root string) contract.Runner {
	each, total := contract.Limits(w.Env)
	return contract.Runner{Dir: root, Now: w.Now, Timeout: each, Total: total, Refuse: Refuser(w, h, root)}
}

// Checked is what a file of contracts came to.
type Checked struct {
	Verdicts []contract.Verdict
	Unmet    int
	Weak     int // of those met, how many asked only for output
}

// CheckFile checks every contract of a file, one after the other, each once. A
// line that is no contract is unmet. A file that can't be read is an error.
func CheckFile(ctx context.Context, r contract.Runner, path string) (Checked, error) {
	f, err := os.Open(path)
	if err != nil {
		return Checked{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return Checked{}, err
	} else if info.IsDir() {
		return Checked{}, fmt.Errorf("%s is a directory", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, contract.FileCap+1))
	if err != nil {
		return Checked{}, err
	}
	var c Checked
	var list []contract.Contract
	var where []int
	seen := map[string]bool{}
	for _, l := range contract.Read(data) {
		if seen[l.Key()] {
			continue
		}
		seen[l.Key()] = true
		v := contract.Verdict{Contract: l.Contract, Reason: l.Reason, Detail: l.Detail}
		if l.Reason == "" {
			list, where = append(list, l.Contract), append(where, len(c.Verdicts))
		} else if v.Contract.Action == "" {
			v.Contract.Action = fmt.Sprintf("line %d", l.N)
		}
		c.Verdicts = append(c.Verdicts, v)
	}
	for i, v := range r.Run(ctx, list) {
		c.Verdicts[where[i]] = v
	}
	for _, v := range c.Verdicts {
		switch {
		case !v.Met:
			c.Unmet++
		case v.Contract.Expect.Weak():
			c.Weak++
		}
	}
	return c, nil
}

// Declare files a contract and what its probe returned now. Its reading counts as
// a pointing: it was taken before the write.
func Declare(b *sortie.Book, o contract.Owner, v *contract.Verdict) (contract.Record, error) {
	line, err := json.Marshal(v.Contract)
	if err != nil {
		return contract.Record{}, fmt.Errorf("writing the contract down: %w", err)
	}
	tx, err := b.Tx()
	if err != nil {
		return contract.Record{}, err
	}
	s := &seatIn{book: b, leg: sortie.Leg{Flight: o.Flight, Session: o.Session}, owner: o}
	var taken contract.Taken
	rec, err := contract.Add(tx, o, contract.ReadLine(string(line)), b.World().Now(), &taken)
	if err != nil {
		return rec, err
	}
	if taken.Over > 0 {
		return rec, &sortie.Refusal{Reason: fmt.Sprintf("%d contracts are open in %s", contract.MaxOpen, b.Home().Dir), Next: "look at them with `spar groundtruth pending --all`"}
	}
	for _, r := range taken.Replaced {
		if err := s.replaced(r); err != nil {
			return rec, err
		}
	}
	rec.Hash, rec.Reason = v.Hash(), v.Reason
	rec.Before = &contract.Before{Hash: v.Hash(), Evidence: v.Evidence()}
	if err := contract.Put(tx, rec); err != nil {
		return rec, err
	}
	sev, seen := ledger.Note, contract.Flat(v.Output, contract.EvidenceCap)
	if !v.Read {
		sev, seen = ledger.Warn, "not read"
	}
	filed, err := b.Report(s.leg, sortie.Report{
		Source: guardName, Phase: ledger.Pre, Severity: sev, Subject: subject(rec), Actor: o.Actor,
		Observed: map[string]any{"id": rec.ID, "declared": true, "before": seen}, Expected: v.Contract.Expect.Label(), Note: string(v.Reason),
	})
	if err != nil {
		return rec, err
	}
	point := contract.Pointed(v)
	point.Seq = filed.Finding.Seq
	if err := contract.PutPoint(tx, o.Flight.ID, rec.ID, point); err != nil {
		return rec, err
	}
	return rec, b.Commit()
}

// Open is an open contract as `pending` lists it.
type Open struct {
	ID          string    `json:"id"`
	Action      string    `json:"action"`
	Expectation string    `json:"expectation,omitempty"`
	State       string    `json:"state"` // "open" or "orphan"
	Session     string    `json:"session,omitempty"`
	Agent       string    `json:"agent,omitempty"`
	Sortie      string    `json:"sortie,omitempty"`
	Declared    time.Time `json:"declared_at"`
	Tries       int       `json:"tries"`
	Reason      string    `json:"reason,omitempty"`
}

// Pending lists what is open in a home, oldest first; with all what dead sessions
// left as well.
func Pending(d *hook.Desk, all bool) ([]Open, error) {
	out := []Open{}
	err := viewDesk(d, func(tx *ledger.Tx) error {
		recs, err := contract.All(tx)
		for _, r := range recs {
			gone, dErr := dead(tx, r)
			if dErr != nil {
				return dErr
			}
			gone = gone || r.Orphan
			if gone && !all {
				continue
			}
			o := Open{
				ID: r.ID, Action: redact.Text(subject(r)), State: "open", Session: r.Session, Agent: r.Agent, Sortie: r.Sortie,
				Declared: r.Declared, Tries: r.Tries, Reason: string(r.Reason),
			}
			if gone {
				o.State = "orphan"
			}
			if l := r.Read(); l.Reason == "" {
				o.Expectation = l.Contract.Expect.Label()
			}
			out = append(out, o)
		}
		return err
	})
	return out, err
}

// Drop takes a contract off the list unmet and files why. id may be shortened.
func Drop(b *sortie.Book, f sortie.Flight, id, reason string, actor ledger.Actor) (action string, err error) {
	tx, err := b.Tx()
	if err != nil {
		return "", err
	}
	recs, err := contract.All(tx)
	if err != nil {
		return "", err
	}
	var hit []contract.Record
	for _, r := range recs {
		if strings.HasPrefix(r.ID, id) {
			hit = append(hit, r)
		}
	}
	next := "see `spar groundtruth pending --all`"
	if len(hit) == 0 {
		return "", &sortie.Refusal{Reason: fmt.Sprintf("no contract %q is open here", sortie.Line(id, 40)), Next: next}
	}
	for _, r := range hit {
		if r.ID != hit[0].ID {
			return "", &sortie.Refusal{Reason: fmt.Sprintf("%q is the beginning of several contracts", id), Next: next}
		}
	}
	var errs []error
	for _, r := range hit {
		errs = append(errs, contract.Close(tx, r))
	}
	_, err = b.Report(sortie.Leg{Flight: f}, sortie.Report{
		Source: guardName, Phase: ledger.Claim, Severity: ledger.Warn, Subject: subject(hit[0]), Actor: actor,
		Observed: "dropped", Note: "dropped unmet: " + contract.Flat(reason, contract.DetailCap),
	})
	if err = errors.Join(append(errs, err)...); err != nil {
		return "", err
	}
	return subject(hit[0]), b.Commit()
}
