package groundtruth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// How often in a row the end of a turn is held, the first time included: an agent
// that can't meet a claim must not be trapped by it.
const (
	holdsAttended   = 3
	holdsUnattended = 7
)

// workers is how many probes run at once when a turn ends.
const workers = 4

// margin is what is kept back of the pass's time for the ledger.
const margin = 4 * time.Second

// stopSpace remembers, for each session, how often it was held in a row.
const stopSpace = "stops"

// stop checks what this session has claimed. A fault of its own holds the turn
// once: a gate that fell over confirms nothing.
func stop(ctx context.Context, p *hook.Pass) (op hook.Opinion) {
	if p.World.Env(contract.ProbeVariable) != "" || p.Call.Agent != "" {
		return hook.Opinion{}
	}
	var answer harness.Answer
	err := guarded(func() error {
		return p.Unlocked(func() (err error) {
			answer, err = check(ctx, p)
			return err
		})
	})
	if err == nil {
		return hook.Opinion{Answer: answer}
	}
	why := contract.Flat(err.Error(), 400)
	fmt.Fprintf(p.Stderr, "spar hook: groundtruth: %s\n", why)
	text := "groundtruth: the claims of this session could not be verified: " + why
	if p.Call.Again {
		return hook.Opinion{Answer: harness.Answer{Person: text + ". The turn was let go unchecked."}}
	}
	return hook.Opinion{Answer: harness.Answer{Decision: harness.Deny, Reason: text + ". Say so plainly instead of reporting anything done."}}
}

// guarded turns a panic into an error: the door's own recovery is silence, and
// here silence is a pass.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal fault: %v", r)
		}
	}()
	return f()
}

// result is a contract with what its check came to.
type result struct {
	rec contract.Record
	v   contract.Verdict
}

func (r *result) line() string {
	l := r.rec.Read()
	s := contract.Quote(subject(r.rec), contract.ActionCap)
	if l.Reason == "" {
		s += " [" + l.Contract.Expect.Label() + "]"
	}
	s += " " + string(r.v.Reason) + ": " + r.v.Detail
	if e := r.v.Evidence(); e != "" {
		s += "; the probe returned " + e
	}
	return s
}

// check is one check of all that is open, and what is said of it.
func check(ctx context.Context, p *hook.Pass) (harness.Answer, error) {
	began := p.World.Now()
	at := placeOf(p)
	waiting, err := contract.Waiting(at.paths)
	if err != nil {
		return harness.Answer{}, err
	}
	if !waiting && !contract.Left(at.paths) {
		some := false
		err := p.Home.View(p.World, func(tx *ledger.Tx) error {
			all, err := contract.All(tx)
			some = len(all) > 0
			return err
		})
		if err != nil || !some {
			return harness.Answer{}, err
		}
	}
	s, err := open(p)
	if err != nil {
		return harness.Answer{}, err
	}
	defer s.book.Close()
	if _, err := s.take(at, p.World.Now()); err != nil {
		return harness.Answer{}, err
	}
	mine, err := s.owned()
	if err != nil || len(mine) == 0 || s.quiet {
		return harness.Answer{}, err
	}
	results := probe(ctx, p.World, p.Home, at.root, mine, hook.StopLimit-margin-p.World.Now().Sub(began))
	return s.settle(p, results)
}

func (s *seatIn) owned() ([]contract.Record, error) {
	tx, err := s.book.Tx()
	if err != nil {
		return nil, err
	}
	mine, err := contract.Owned(tx, s.owner)
	return mine, errors.Join(err, s.book.Close())
}

// probe runs what can be run; the ledger is closed meanwhile.
func probe(ctx context.Context, w sortie.World, h sortie.Home, root string, recs []contract.Record, left time.Duration) []result {
	each, total := contract.Limits(w.Env)
	r := contract.Runner{
		Dir: root, Now: w.Now, Timeout: each, Total: max(1, min(total, left)), Workers: workers, Refuse: Refuser(w, h, root),
	}
	out := make([]result, len(recs))
	var list []contract.Contract
	var where []int
	for i, rec := range recs {
		out[i].rec = rec
		l := rec.Read()
		if l.Reason != "" {
			out[i].v = contract.Verdict{Reason: l.Reason, Detail: l.Detail}
			continue
		}
		list, where = append(list, l.Contract), append(where, i)
	}
	for n, v := range r.Run(ctx, list) {
		out[where[n]].v = v
	}
	return out
}

// held is how often a session was held in a row.
type held struct {
	Blocks int `json:"blocks"`
}

// settle files what was found and says whether the turn goes.
func (s *seatIn) settle(p *hook.Pass, results []result) (harness.Answer, error) {
	tx, err := s.book.Tx()
	if err != nil {
		return harness.Answer{}, err
	}
	sum, err := file(s.book, tx, s.leg, s.owner, results)
	if err != nil {
		return harness.Answer{}, err
	}
	var h held
	key := stopKey(p.Call.Session)
	raw, err := tx.State(stopSpace, key)
	if err != nil {
		return harness.Answer{}, err
	}
	if raw != nil && p.Call.Again {
		_ = json.Unmarshal(raw, &h) // a torn count starts over
	}
	most := holdsAttended
	if s.leg.Seat.Empty {
		most = holdsUnattended
	}
	if can := harness.Abilities(p.Call.Harness).StopBlock; can > 0 {
		most = min(most, can)
	}
	hold := len(sum.unmet) > 0 && (!p.Call.Again || sum.moved && h.Blocks < most)
	var next []byte
	if hold {
		h.Blocks++
		if next, err = json.Marshal(h); err != nil {
			return harness.Answer{}, fmt.Errorf("counting how often the turn was held: %w", err)
		}
	}
	if raw != nil || next != nil {
		if err := tx.PutState(stopSpace, key, next); err != nil {
			return harness.Answer{}, err
		}
	}
	if err := s.book.Commit(); err != nil {
		return harness.Answer{}, err
	}
	return sum.answer(hold, len(results)), nil
}

func stopKey(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:12])
}

// summary is what a check came to.
type summary struct {
	unmet     []string
	unchanged []string
	met       int
	moved     bool // something reads otherwise than at the last check
}

// file writes the verdicts down: one finding a check, and what holds is closed.
// What another process has checked or closed meanwhile is that one's to file.
func file(b *sortie.Book, tx *ledger.Tx, leg sortie.Leg, o contract.Owner, results []result) (sum summary, err error) {
	for _, r := range results {
		now, ok, err := contract.Get(tx, r.rec)
		if err != nil {
			return sum, err
		}
		if !ok {
			sum.moved = true
			continue
		}
		l := now.Read()
		same := r.v.Met && now.Before != nil && now.Before.Pointed && now.Before.Hash == r.v.Hash()
		if !r.v.Met {
			sum.unmet = append(sum.unmet, r.line())
		} else if sum.met++; same {
			sum.unchanged = append(sum.unchanged, contract.Quote(subject(now), contract.ActionCap)+" ["+l.Contract.Expect.Label()+"]")
		}
		if now.Tries != r.rec.Tries {
			sum.moved = sum.moved || now.Hash != r.rec.Hash
			continue
		}
		sum.moved = sum.moved || r.v.Met || now.Hash != r.v.Hash()
		rep := sortie.Report{
			Source: guardName, Phase: ledger.Claim, Severity: ledger.Note, Subject: subject(now),
			Observed: contract.Flat(r.v.Output, contract.EvidenceCap), Note: string(r.v.Reason), Agent: now.Agent, Actor: now.Actor,
		}
		if l.Reason == "" {
			rep.Expected = l.Contract.Expect.Label()
		}
		switch {
		case same:
			rep.Severity, rep.Note = ledger.Warn, "unchanged: before was the same"
		case !r.v.Met:
			rep.Severity = ledger.Stop
			if !r.v.Read {
				rep.Observed = "not read"
				rep.Note += ": " + r.v.Detail
			}
		}
		if now.Before != nil && now.Before.Evidence != "" {
			rep.Note = strings.TrimPrefix(rep.Note+"; before: "+now.Before.Evidence, "; ")
		}
		if _, err := b.Report(leg, rep); err != nil {
			return sum, err
		}
		if r.v.Met {
			err = contract.Close(tx, now)
		} else {
			now.Tries, now.Hash, now.Reason = now.Tries+1, r.v.Hash(), r.v.Reason
			err = contract.Put(tx, now)
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// answer is what is said: nothing where all holds.
func (s *summary) answer(hold bool, total int) harness.Answer {
	var a harness.Answer
	if len(s.unchanged) > 0 {
		a.Person = "groundtruth: met, and it read the same before the write, so the write changed nothing that this shows: " + strings.Join(clipped(s.unchanged), "; ")
	}
	if len(s.unmet) == 0 {
		return a
	}
	count := fmt.Sprintf("%d of %d %s", len(s.unmet), total, plural(total, "claim does not hold", "claims do not hold"))
	list := "\n- " + strings.Join(clipped(s.unmet), "\n- ")
	if hold {
		a.Decision = harness.Deny
		a.Reason = "groundtruth: " + count + ":" + list +
			"\nFinish the work, or say plainly what is not done. A contract whose probe does not run is put right by declaring the same action again: spar groundtruth declare --action TEXT --probe COMMAND --count N"
		return a
	}
	text := "groundtruth: the turn was let go although " + count + "; they stay open (spar groundtruth pending):" + list
	if a.Person != "" {
		text = a.Person + "\n" + text
	}
	a.Person = text
	return a
}

func clipped(list []string) []string {
	if len(list) <= maxTold {
		return list
	}
	return append(list[:maxTold:maxTold], fmt.Sprintf("and %d more", len(list)-maxTold))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// leave checks, once, what is open when a swing is left: inside it no probe ran.
// It is called while the swing is still on, so that its verdict counts at the gate.
func leave(d *hook.Desk) ([]string, error) {
	f := d.Flight
	if d.Swing == nil || f.Mode == ledger.Cruise || d.World.Env(contract.ProbeVariable) != "" {
		return nil, nil
	}
	root := contract.Root(d.World, d.Home, "", d.World.Dir)
	paths := contract.Pending(d.World, d.Home, root, sortie.TypedSession(d.World))
	o := contract.Owner{Session: sortie.TypedSession(d.World), Flight: f, Actor: ledger.Agent}
	s := &seatIn{book: d.Book, leg: sortie.Leg{Flight: f}, owner: o}
	if waiting, err := contract.Waiting(paths); err != nil {
		return nil, err
	} else if waiting {
		if _, err := s.take(place{root, paths}, d.World.Now()); err != nil {
			return nil, err
		}
	}
	var recs []contract.Record
	err := viewDesk(d, func(tx *ledger.Tx) error {
		all, err := contract.All(tx)
		for _, r := range all {
			if r.Sortie == f.ID || o.Owns(&r) {
				recs = append(recs, r)
			}
		}
		return err
	})
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	results := probe(context.Background(), d.World, d.Home, root, recs, contract.RunLimit)
	tx, err := d.Book.Tx()
	if err != nil {
		return nil, err
	}
	sum, err := file(d.Book, tx, s.leg, o, results)
	if err != nil {
		return nil, err
	}
	if err := d.Book.Commit(); err != nil {
		return nil, err
	}
	lines := clipped(sum.unmet)
	if sum.met > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d %s", sum.met, len(results), plural(len(results), "claim holds", "claims hold")))
	}
	return lines, nil
}
