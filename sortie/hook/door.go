package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
)

// Limits of one pass.
const (
	// PassLimit is the time a pass may take, below every harness's own limit.
	PassLimit = 8 * time.Second
	// StopLimit is the same for the end of a turn, where claims are probed.
	StopLimit = 50 * time.Second
	// PayloadCap is the longest payload that is read.
	PayloadCap = 64 << 20
)

// Door is the one way in. The zero value of an optional field means its default.
type Door struct {
	Guards []*Guard // every guard there is, in order; what is mounted is decided inside
	Alone  bool     // Guards are the only ones to run: no frame, no mounting rules
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	World  sortie.World

	Harness  string // --harness
	Event    string // --event
	HomeFlag string // --home
	Part     string // one part of the frame alone: session, burn, wingman, land, prompt

	Limit time.Duration // overrides PassLimit and StopLimit
	Cap   int           // overrides PayloadCap
}

// Outcome is what a pass came to, for whoever flies a recording through the door.
type Outcome struct {
	Call   *harness.Call
	Answer harness.Answer
	Err    error // what would be one line on stderr
}

// Run reads one payload, lets every mounted guard look at it and writes one
// answer, or nothing. It has no exit code: a hook never costs the session.
func (d Door) Run(ctx context.Context) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			out.Err = fmt.Errorf("internal fault, nothing was judged: %v", r)
			d.tell(sortie.Home{}, out.Err, debug.Stack())
		}
	}()
	started := d.World.Now()
	grow()
	raw, err := d.read(ctx)
	if err != nil {
		return d.unread(raw, err)
	}
	call, odd, err := harness.Parse(raw, harness.Hint{Harness: d.Harness, Event: d.Event}, d.World.Env)
	if err != nil {
		return d.unread(nil, err)
	}
	out.Call = call
	home, binding, flies, err := sortie.FindBound(d.World, sortie.HomeQuery{
		Flag: d.HomeFlag, Session: call.Session, Project: call.Project, Cwd: call.Cwd,
	})
	if err != nil {
		out.Err = err
		d.tell(sortie.Home{}, err, nil)
		return out
	}
	if len(odd) > 0 {
		out.Err = fmt.Errorf("%s %s payload: %s", call.Harness, nameOr(call.Name, "unnamed"), join(odd, "; "))
		d.tell(home, out.Err, nil)
	}
	if call.Event == harness.Other {
		return out
	}
	p := &Pass{
		Call: call, World: d.World, Home: home, Stderr: d.Err, book: home.Open(d.World),
		binding: binding, bound: flies, landed: binding.Home != "" && !flies,
	}
	defer p.book.Close()
	if errs := d.fly(ctx, p, started); len(errs) > 0 {
		out.Err = errors.Join(append(errs, out.Err)...)
		for _, e := range errs {
			d.tell(home, e, nil)
		}
	}
	out.Answer = p.Answer
	if err := d.say(call, p.Answer); err != nil {
		out.Err = errors.Join(out.Err, err)
		d.tell(home, err, nil)
	}
	return out
}

// say writes an answer, or nothing where there is nothing to say. One the harness
// never got is told: its call runs as if nobody had looked.
func (d Door) say(call *harness.Call, a harness.Answer) error {
	doc := harness.Render(call, a)
	if doc == nil {
		return nil
	}
	if _, err := d.Out.Write(doc); err != nil {
		return fmt.Errorf("the answer did not reach the harness: %w", err)
	}
	return nil
}

// fly is the pass itself: the frame's own part, the guards, one commit, and what
// becomes of a count that can't be kept.
func (d Door) fly(ctx context.Context, p *Pass, started time.Time) []error {
	f := frame{d, p}
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if !d.Alone {
		note(f.open())
	}
	if d.Part == "" || d.Part == "prompt" || d.Alone {
		for _, g := range d.mounted(p, note) {
			if !g.Answers(p.Call.Event) || g.Wants != nil && !g.Wants(p) {
				continue
			}
			left := d.limit(p.Call.Event) - d.World.Now().Sub(started)
			if left > 0 {
				note(d.inspect(ctx, p, g, left))
				left = d.limit(p.Call.Event) - d.World.Now().Sub(started)
			}
			if left <= 0 {
				note(fmt.Errorf("the time limit of %v is up; guards after %s did not look", d.limit(p.Call.Event), g.Name))
				break
			}
		}
	}
	if !d.Alone {
		note(f.close())
	}
	p.Answer = Settle(p.Answer, p.Seat().Empty)
	note(f.later())
	p.mu.Lock()
	p.over = true
	err := p.book.Commit()
	if err != nil {
		p.dark = err
	}
	dark := p.dark
	p.mu.Unlock()
	if dark != nil {
		note(d.darkened(p, dark))
	}
	if !d.Alone && dark == nil {
		note(f.after())
	}
	return errs
}

// inspect runs one guard within what is left of the pass's time. A guard that
// panics or runs over is left out; the rest of the pass goes on without it.
func (d Door) inspect(ctx context.Context, p *Pass, g *Guard, left time.Duration) error {
	if g.Bounded {
		return p.heed(g, look(ctx, p, g))
	}
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	done := make(chan looked, 1)
	go func() {
		grow()
		done <- look(ctx, p, g)
	}()
	select {
	case l := <-done:
		return p.heed(g, l)
	case <-ctx.Done():
	}
	_, err := p.Report(sortie.Report{
		Source: "spar", Phase: ledger.Pre, Severity: ledger.Warn,
		Subject:  "guard " + g.Name,
		Observed: map[string]any{"overran": d.limit(p.Call.Event).String(), "event": p.Call.Name},
		Note:     "it ran over the pass's time limit and was left out",
		Call:     p.Call.ID + "/overran/" + g.Name,
	})
	return errors.Join(fmt.Errorf("%s: ran over the time limit of %v and was left out", g.Name, d.limit(p.Call.Event)), err)
}

// looked is what came of a guard's look at a payload.
type looked struct {
	Opinion
	err error
}

// look calls the guard and turns a panic of its into an error.
func look(ctx context.Context, p *Pass, g *Guard) (l looked) {
	defer func() {
		if r := recover(); r != nil {
			l = looked{err: fmt.Errorf("internal fault, it was left out: %v", r)}
		}
	}()
	l.Opinion, l.err = g.Inspect(ctx, p)
	return l
}

// heed merges what a guard said into the answer.
func (p *Pass) heed(g *Guard, l looked) error {
	switch {
	case l.err == nil:
		p.Answer = Merge(p.Answer, l.Answer)
		return nil
	case p.isDark():
		return nil // told once, for the whole pass
	}
	return fmt.Errorf("%s: %w", g.Name, l.err)
}

func (p *Pass) isDark() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dark != nil
}

// darkened is the failure policy: nothing the frame can't do costs the session,
// but one thing: with nobody in the seat a call that would be charged is not let
// through uncounted.
func (d Door) darkened(p *Pass, dark error) error {
	if p.Call.Event == harness.Stop {
		// Who holds a turn knows that the ledger is dark and says so; letting it go now
		// would be a claim that nobody checked.
		return fmt.Errorf("the count cannot be kept: %w", dark)
	}
	p.Answer = harness.Answer{Person: p.Answer.Person}
	if p.Call.Event == harness.PreTool && p.Seat().Empty {
		for _, g := range d.Guards {
			if g.Exposed == nil {
				continue
			}
			if reason, exposed := g.Exposed(p); exposed {
				p.Answer = Merge(p.Answer, harness.Answer{Decision: harness.Deny, Reason: fmt.Sprintf(
					"%s: %s. The count cannot be kept (%v) and nobody is in the seat, so this call is stopped and handed back to a human.",
					g.Name, reason, oneLine(dark.Error()))})
			}
		}
	}
	return fmt.Errorf("the count cannot be kept: %w", dark)
}

func (d Door) limit(e harness.Event) time.Duration {
	switch {
	case d.Limit > 0:
		return d.Limit
	case e == harness.Stop:
		return StopLimit
	}
	return PassLimit
}

func (d Door) cap() int {
	if d.Cap > 0 {
		return d.Cap
	}
	return PayloadCap
}

// unread is what becomes of a payload that can't be judged: silence and one
// line. Only a call too large to read, with nobody in the seat, is refused.
func (d Door) unread(head []byte, err error) Outcome {
	out := Outcome{Err: err}
	home, homeErr := sortie.FindHome(d.World, sortie.HomeQuery{Flag: d.HomeFlag, Project: d.World.Env("CLAUDE_PROJECT_DIR")})
	if homeErr != nil {
		home = sortie.Home{}
	}
	d.tell(home, err, nil)
	if !errors.Is(err, errTooLarge) || sortie.DeclaredAutonomy(d.World) == "" {
		return out
	}
	call := harness.Peek(head, harness.Hint{Harness: d.Harness, Event: d.Event})
	if call == nil || call.Event != harness.PreTool {
		return out
	}
	out.Call = call
	out.Answer = harness.Answer{Decision: harness.Deny, Reason: fmt.Sprintf(
		"spar: the call is over %d bytes and cannot be read. Nobody is in the seat, so it is stopped and handed back to a human.", d.cap())}
	out.Err = errors.Join(err, d.say(call, out.Answer))
	return out
}

func nameOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
