package automode

import (
	"context"
	"encoding/json"
	"fmt"

	"spar/guards/automode/judge"
	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// Model is the tier behind the local one: what that passes on is put to a model.
type Model struct {
	// Ask judges a call; [judge.Start] in spar, and a test's own elsewhere. nil asks no
	// model: what the local tier passes on is left to the harness.
	Ask func(ctx context.Context, a judge.Ask) judge.Outcome
	// Version is the asking program's.
	Version string
	// Classifier and Rules go before the policy files of the configuration.
	Classifier, Rules string
	// Note hears one line about each call, why it was answered as it was; nil hears none.
	Note func(line string)
}

// Guard is [Guard] with the tier behind it. It takes as long as a model does, and is
// for a door with a limit of its own ([judge.Overall]).
func (m Model) Guard() *hook.Guard {
	g := Guard
	g.Bounded, g.Wants = false, nil
	g.Inspect = m.inspect
	return &g
}

func (m Model) note(format string, args ...any) {
	if m.Note != nil {
		m.Note(sortie.Line(fmt.Sprintf(format, args...), 1000))
	}
}

// stateSpace is where a session's budget of denials is kept in the ledger.
const stateSpace = "automode"

func (m Model) inspect(ctx context.Context, p *hook.Pass) (hook.Opinion, error) {
	cfg, err := config(p.World.Env)
	if err != nil {
		s := judge.SettleBroken(err, p.Seat().Empty)
		if s.Decision != judge.None {
			return opinion(s), nil // the reason tells it; with an error no opinion is heard
		}
		return hook.Opinion{}, err
	}
	local := Judge(p.Call, p.World.Env, cfg)
	if local.Allow {
		m.note("allowed by %s (%s, local)", local.Exception, p.Call.Harness)
		return hook.Opinion{Answer: harness.Answer{Decision: harness.Allow}}, nil
	}
	if m.Ask == nil {
		m.note("%s needs the model tier, which --local-only skipped: %s", p.Call.Tool, local.Why)
		return hook.Opinion{}, nil
	}
	// The default provider without its key is a tier nobody has switched on: it would
	// refuse every call of an empty seat.
	if pr := cfg.Provider; !cfg.Configured && p.World.Env(pr.APIKeyEnv) == "" {
		m.note("no model is configured, so this is left to the harness: %s", local.Why)
		return hook.Opinion{}, nil
	}
	leg, err := p.Leg()
	if err != nil {
		return hook.Opinion{}, err
	}
	s := judge.Situation{
		Unattended: p.Seat().Empty,
		Cruise:     leg.Flight.Mode == ledger.Cruise,
		Swing:      leg.Flight.Swing.Defers(p.World.Now()),
	}
	frame := frameOf(leg, s)
	err = p.Do(func(tx *ledger.Tx) error {
		t, err := tx.SortieTally(leg.Flight.ID)
		frame.Points, frame.Kinds = t.Points, t.Kinds
		return err
	})
	if err != nil {
		return hook.Opinion{}, err
	}
	var o judge.Outcome
	// No other process may wait for the ledger while a model thinks.
	err = p.Unlocked(func() error {
		o = m.Ask(ctx, judge.Ask{
			Version: m.Version,
			Harness: p.Call.Harness, Tool: p.Call.Tool, Input: p.Call.Input, Cwd: p.Call.Cwd,
			Session: p.Call.Session, Call: p.Call.ID, Transcript: p.Call.Transcript,
			Classifier: m.Classifier, Rules: m.Rules, Frame: frame,
		})
		return nil
	})
	if err != nil {
		return hook.Opinion{}, err
	}
	m.note("%s", o.Note)
	settled, err := m.settle(p, o, s, cfg)
	if err != nil {
		return hook.Opinion{}, err
	}
	// What was decided holds, filed or not; the pass itself says that its ledger is dark.
	_, _ = p.Report(report(p.Call, o, settled, cfg))
	return opinion(settled), nil
}

// settle applies the session's budget, which is kept in the ledger.
func (m Model) settle(p *hook.Pass, o judge.Outcome, s judge.Situation, cfg judge.Config) (out judge.Settled, err error) {
	key := p.Call.Session + "/" + p.Call.Agent
	err = p.Do(func(tx *ledger.Tx) error {
		var b judge.Budget
		raw, err := tx.State(stateSpace, key)
		if err != nil {
			return err
		}
		if raw != nil && json.Unmarshal(raw, &b) != nil {
			b = judge.Budget{} // an unreadable count is a fresh one
		}
		was := b
		out = judge.Settle(o, s, cfg, &b)
		if b == was {
			return nil
		}
		raw, err = json.Marshal(b)
		if err != nil {
			return err
		}
		return tx.PutState(stateSpace, key, raw)
	})
	if err != nil {
		// A verdict doesn't depend on whether it can be counted.
		out = judge.Settle(o, s, cfg, new(judge.Budget))
		return out, nil //nolint:nilerr // the pass remembers that its ledger is dark, and says so
	}
	return out, nil
}

// frameOf is what the model is told of the sortie.
func frameOf(leg sortie.Leg, s judge.Situation) *judge.Frame {
	f := &judge.Frame{Sortie: leg.Flight.ID, Mode: string(leg.Flight.Mode), Seat: "taken"}
	if s.Unattended {
		f.Seat = "empty"
	}
	if sw := leg.Flight.Swing; sw != nil {
		first := sw.Reading
		if first == "" {
			first = sw.State
		}
		f.Swing = &judge.FrameSwing{Action: sw.Action, Exit: sw.Exit, Reading: sortie.Line(first, 200), Actor: string(sw.Actor)}
	}
	return f
}

func opinion(s judge.Settled) hook.Opinion {
	a := harness.Answer{Reason: s.Reason}
	switch s.Decision {
	case judge.Allow:
		a = harness.Answer{Decision: harness.Allow}
	case judge.Deny:
		a.Decision = harness.Deny
	case judge.Leave:
		a.Decision = harness.Ask
	default:
		a = harness.Answer{}
	}
	return hook.Opinion{Answer: a}
}

// report is the finding of one verdict: no points, ever; the act itself is
// charged elsewhere.
func report(c *harness.Call, o judge.Outcome, s judge.Settled, cfg judge.Config) sortie.Report {
	subject := c.Command
	if subject == "" {
		subject = string(c.Input)
	}
	subject = c.Tool + ": " + sortie.Line(redact.Text(subject), 200)
	if cfg.LedgerSubject == "hash" {
		subject = c.Tool + ": " + o.ActionSHA
	}
	observed := map[string]any{
		"verdict": o.Verdict.Decision, "answer": s.Decision, "settled": s.Outcome, "latency_ms": o.LatencyMS, "usage": o.Usage,
		"cached_share": o.Usage.Share(), "preset": o.Preset, "model": o.Model,
		"policy_sha": o.PolicySHA, "request_sha": o.RequestSHA, "action_sha": o.ActionSHA,
	}
	if o.Verdict.Rule != "" {
		observed["rule"], observed["tier"] = o.Verdict.Rule, o.Verdict.Tier
	}
	if len(o.Flags) > 0 {
		observed["flags"] = o.Flags
	}
	if o.Failure != "" {
		observed["failure"] = o.Failure
	}
	if o.Remembered {
		observed["remembered"] = true
	}
	return sortie.Report{
		Source: "automode", Phase: ledger.Pre, Severity: ledger.Severity(s.Severity),
		Subject: subject, Observed: observed, Note: o.Note, Hard: s.Hard, Outcome: outcome(s),
	}
}

// outcome is what became of a verdict in the ledger's words.
func outcome(s judge.Settled) string {
	switch {
	case s.Outcome == "deferred":
		return string(sortie.Deferred)
	case s.Outcome == "escalated" && s.Decision == judge.Deny:
		return string(sortie.Halt)
	case s.Outcome == "escalated", s.Decision == judge.Leave:
		return "ask" // the harness's own prompt, or ours
	case s.Decision == judge.Deny:
		return string(sortie.RefuseShot)
	}
	return string(sortie.Logged)
}

// Program is [judge.Start] of the spar-judge beside exe, as [Model.Ask] wants it. A
// program that isn't there is a failure like any other, and names the next step.
func Program(exe string) func(context.Context, judge.Ask) judge.Outcome {
	return func(ctx context.Context, a judge.Ask) judge.Outcome {
		path, err := judge.Program(exe)
		if err != nil {
			return judge.FailureOutcome(judge.BadProgram, err)
		}
		return judge.Start(ctx, path, a)
	}
}
