// Package yubisashi points at the target before the write, with the probe that
// will judge it after. A contract that is broken is found while nothing has
// happened yet; one that is true beforehand proves nothing about the write. It
// speaks only where the finger finds nothing.
package yubisashi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"spar/guards/contract"
	"spar/ledger"
	"spar/ledger/redact"
	"spar/redline"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// guardName is the subcommand and the source of findings.
const guardName = "yubisashi"

// Clocks of one call.
const (
	// ProbeLimit is what one probe gets; it starts only where all of that fits.
	ProbeLimit = 4 * time.Second
	// CallLimit is for all of a call; margin is kept back of it for the ledger.
	CallLimit = hook.PassLimit
	margin    = 500 * time.Millisecond
)

// Guard is yubisashi as the door mounts it. It is aboard where it was asked for:
// with nobody in the seat it denies a write that nothing is pointed at.
var Guard = hook.Guard{
	Name:    guardName,
	Brief:   "before a call that can't be taken back, run the probe that will judge it",
	Events:  []harness.Event{harness.PreTool},
	Inspect: inspect,
	Exposed: exposed,
	Status:  status,
}

// writes are the kinds of a charge that are pointed at.
func writes(p *redline.Priced) (kinds []string) {
	for _, k := range p.Kinds {
		if k == redline.Irreversible || k == redline.Outward || k == redline.Production {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// refuser says which probes are not run: redline would charge them.
func refuser(w sortie.World, h sortie.Home, root string) func(*contract.Contract) string {
	return contract.Refuser(w, h, root, func(c *harness.Call) []string {
		p, _ := redline.Check(c, redline.World{Env: w.Env, Own: redline.OwnDirs(root, h)})
		kinds := writes(p)
		if p.Switch != nil {
			kinds = append(kinds, "a pilot's switch")
		}
		return kinds
	})
}

// exposed denies with nobody in the seat where the ledger is dark.
func exposed(p *hook.Pass) (string, bool) {
	price, _ := redline.Shared(p)
	kinds := writes(price)
	if len(kinds) == 0 {
		return "", false
	}
	return "this call is " + strings.Join(kinds, ", ") + ", and what it points at could not be checked", true
}

func inspect(ctx context.Context, p *hook.Pass) (hook.Opinion, error) {
	price, _ := redline.Shared(p)
	kinds := writes(price)
	// What another guard denied is not going to happen, so nothing is pointed at it.
	if len(kinds) == 0 || p.Answer.Decision == harness.Deny || p.World.Env(contract.ProbeVariable) != "" {
		return hook.Opinion{}, nil
	}
	began := p.World.Now()
	f := finger{p: p, price: price, kinds: kinds, began: began}
	type result struct {
		a   harness.Answer
		err error
	}
	// The door leaves out who runs over; with nobody in the seat that would be a pass.
	ctx, cancel := context.WithTimeout(ctx, CallLimit-margin/2)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if x := recover(); x != nil {
				r.err = fmt.Errorf("internal fault: %v", x)
			}
			done <- r
		}()
		r.err = p.Unlocked(func() (err error) {
			r.a, err = f.point(ctx)
			return err
		})
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		r.err = errors.New("the time for it was up")
	}
	if r.err == nil {
		return hook.Opinion{Answer: r.a}, nil
	}
	if !p.Seat().Empty {
		return hook.Opinion{}, r.err
	}
	fmt.Fprintf(p.Stderr, "spar hook: yubisashi: %s\n", contract.Flat(r.err.Error(), 400))
	return hook.Opinion{Answer: harness.Answer{Decision: harness.Deny, Reason: fmt.Sprintf(
		"yubisashi: this call is %s, and what it points at could not be checked: %s. %s",
		strings.Join(kinds, ", "), contract.Flat(r.err.Error(), contract.DetailCap), nobody)}}, nil
}

// nobody is the last line of a denial.
const nobody = "Nobody is in the seat, so this call is stopped here and handed back to a human."

// finger is one pass's pointing.
type finger struct {
	p     *hook.Pass
	price *redline.Priced
	kinds []string
	began time.Time
	// each and all override the clocks, for tests.
	each, all time.Duration
}

// point is for [hook.Pass.Unlocked]: the pass's ledger is closed, and this opens
// its own around the probes, never while one runs.
func (f *finger) point(ctx context.Context) (harness.Answer, error) {
	p, c := f.p, f.p.Call
	b := p.Home.Open(p.World)
	defer b.Close()
	leg, err := b.Join(sortie.Event{Session: c.Session, Harness: c.Harness, PID: c.PID})
	if err != nil {
		return harness.Answer{}, err
	}
	now := p.World.Now()
	switch {
	case leg.Flight.Mode == ledger.Cruise:
		return harness.Answer{}, b.Commit() // drafting is not policed
	case leg.Flight.Swing.Defers(now):
		if err := f.note(b, leg); err != nil {
			return harness.Answer{}, err
		}
		return harness.Answer{}, b.Commit()
	}
	root := contract.Root(p.World, p.Home, c.Project, c.Cwd)
	owner := contract.Owner{Session: c.Session, Agent: c.Agent, Flight: leg.Flight, Actor: ledger.Agent}
	tx, err := b.Tx()
	if err != nil {
		return harness.Answer{}, err
	}
	paths := contract.Pending(p.World, p.Home, root, c.Session)
	if _, err := contract.Waiting(paths); err != nil {
		return harness.Answer{}, err
	}
	taken, done, err := contract.TakeIn(tx, owner, paths, now)
	if err != nil {
		return harness.Answer{}, err
	}
	for _, r := range taken.Replaced {
		_, err := b.Report(leg, sortie.Report{
			Source: guardName, Phase: ledger.Brief, Severity: ledger.Note, Subject: sortie.Line(subject(&pointing{line: r.Read()}), 200), Agent: c.Agent,
			Observed: map[string]any{"id": r.ID, "replaced": r.Reason}, Note: "it was broken; a line for the same action took its place",
		})
		if err != nil {
			return harness.Answer{}, err
		}
	}
	recs, err := contract.Owned(tx, owner)
	if err != nil {
		return harness.Answer{}, err
	}
	list, err := look(tx, leg.Flight.ID, recs)
	if err != nil {
		return harness.Answer{}, err
	}
	if err := b.Commit(); err != nil {
		return harness.Answer{}, err
	}
	if err := done(); err != nil {
		return harness.Answer{}, err
	}
	k := clock{now: p.World.Now, until: f.began.Add(CallLimit - margin), each: ProbeLimit}
	if f.each > 0 {
		k.each, k.until = f.each, f.began.Add(f.all)
	}
	point(ctx, contract.Runner{Dir: root, Now: p.World.Now, Refuse: refuser(p.World, p.Home, root)}, k, list)
	if ctx.Err() != nil {
		return harness.Answer{}, errors.New("the time for it was up")
	}
	if err := file(b, leg, c.Agent, list, true); err != nil {
		return harness.Answer{}, err
	}
	v := weigh(list, leg.Seat.Empty)
	if v.nothing {
		if err := f.missing(b, leg, v, len(list)); err != nil {
			return harness.Answer{}, err
		}
	}
	if err := b.Commit(); err != nil {
		return harness.Answer{}, err
	}
	return f.answer(v, leg.Seat.Empty), nil
}

// verdict is what the fingers add up to.
type verdict struct {
	tell     []string // broken and already-met ones, to be told now
	broken   int
	untried  int
	pending  int
	standing int
	met      int
	nothing  bool // nothing stands and nothing is left to try
}

// weigh counts. A contract that is met already stands for something while there is
// a pilot to judge it; with an empty seat it doesn't, or `echo 1` would open the
// gate.
func weigh(list []pointing, empty bool) verdict {
	v := verdict{pending: len(list)}
	for i := range list {
		g := &list[i]
		switch {
		case !g.tried:
			v.untried++
			continue
		case g.broken():
			v.broken++
			if empty || !g.known {
				v.tell = append(v.tell, g.sentence())
			}
		case g.met():
			v.met++
			if !empty {
				v.standing++
			}
			if !g.known {
				v.tell = append(v.tell, g.sentence())
			}
		default:
			v.standing++
		}
	}
	v.nothing = v.standing == 0 && v.untried == 0
	return v
}

// why says why nothing is pointed at.
func (v verdict) why() string {
	switch {
	case v.pending == 0:
		return "no contract"
	case v.met > 0 && v.broken == 0:
		return fmt.Sprintf("%d pending, none that the write would change", v.pending)
	case v.met > 0:
		return fmt.Sprintf("%d pending, none that runs and that the write would change", v.pending)
	}
	return fmt.Sprintf("%d pending, none that run", v.pending)
}

// maxTold is how many contracts a text speaks of.
const maxTold = 10

// answer is what is said: nothing where the finger found its target.
func (f *finger) answer(v verdict, empty bool) harness.Answer {
	kinds := strings.Join(f.kinds, ", ")
	var lines []string
	for i, s := range v.tell {
		if i == maxTold {
			lines = append(lines, fmt.Sprintf("yubisashi: and %d more", len(v.tell)-maxTold))
			break
		}
		lines = append(lines, "yubisashi: "+s)
	}
	late := v.standing == 0 && v.untried > 0
	switch {
	case v.nothing:
		lines = append(lines, fmt.Sprintf("yubisashi: about to do what is %s with nothing pointed at (%s).", kinds, v.why()), f.how())
	case late:
		lines = append(lines, fmt.Sprintf("yubisashi: about to do what is %s; %d of %d contracts are not tried yet, no time was left. The same call again points at the rest.", kinds, v.untried, v.pending))
	}
	if len(lines) == 0 {
		return harness.Answer{}
	}
	if empty && (v.nothing || late || v.broken > 0) {
		return harness.Answer{Decision: harness.Deny, Reason: strings.Join(append(lines, nobody), "\n")}
	}
	return harness.Answer{Context: strings.Join(lines, "\n")}
}

// Suggestion is the command that is named where nothing is pointed at. It is free
// under every guard as long as its probe reads.
const Suggestion = `spar groundtruth declare --action 'WHAT WILL BE SO' --probe 'A COMMAND THAT READS IT' --count N`

// how says how a contract is written.
func (f *finger) how() string {
	return fmt.Sprintf(`Write the contract first: one line {"action":"WHAT WILL BE SO","probe":"A COMMAND THAT READS IT","expect":{"type":"count","value":N}} into %s, or %s. groundtruth reads the same line when you say that it is done.`,
		contract.Flat(f.file(), contract.DetailCap), Suggestion)
}

// file is where a line would be read.
func (f *finger) file() string {
	c := f.p.Call
	return contract.Pending(f.p.World, f.p.Home, contract.Root(f.p.World, f.p.Home, c.Project, c.Cwd), c.Session)[0]
}

// missing files that a call was made with nothing pointed at.
func (f *finger) missing(b *sortie.Book, leg sortie.Leg, v verdict, n int) error {
	return f.report(b, leg, ledger.Stop, v.why(), map[string]any{"kinds": f.kinds, "contracts": n})
}

// note files that a priced call passed unpointed in a swing.
func (f *finger) note(b *sortie.Book, leg sortie.Leg) error {
	return f.report(b, leg, ledger.Note, "in a swing: no probe was run", map[string]any{"kinds": f.kinds})
}

func (f *finger) report(b *sortie.Book, leg sortie.Leg, sev ledger.Severity, note string, seen map[string]any) error {
	c := f.p.Call
	r := sortie.Report{
		Source: guardName, Phase: ledger.Pre, Severity: sev, Subject: sortie.Line(redact.Text(f.price.Subject), 120), Observed: seen, Note: note,
		Call: c.ID, Window: c.Window, Agent: c.Agent,
	}
	if c.Agent != "" {
		r.Actor = ledger.Wingman
	}
	_, err := b.Report(leg, r)
	return err
}

func status(*hook.Desk) (string, error) {
	return "points before what is irreversible, outward or in production", nil
}
