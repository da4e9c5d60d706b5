package judge

import (
	"fmt"
	"strings"

	"spar/guards/automode/policy"
)

// Situation is what the frame knows when a verdict comes in.
type Situation struct {
	// Unattended is set where nobody is in the seat.
	Unattended bool
	// Cruise is set in a sortie that drafts. It is always attended.
	Cruise bool
	// Swing is set while a swing is open that a person or the operator's runner opened and
	// that is not past its time. One the agent opened defers nothing.
	Swing bool
}

// Budget counts a session's denials. Store it beside the session; its zero value is a fresh one.
type Budget struct {
	Consecutive int `json:"consecutive"`
	Session     int `json:"session"`
}

// Settled is what is done about a verdict.
type Settled struct {
	// Decision is what the harness is answered; None writes nothing.
	Decision Decision
	// Reason is the text that goes with a Deny or an Ask, the rule in brackets before it.
	Reason string
	// Severity is what the finding is filed under: "note", "warn" or "stop".
	Severity string
	// Outcome is what became of the verdict: "allow", "ask", "deny", "none", "deferred"
	// (a swing holds it back), "logged" (cruise), "escalated" (the denials ran out).
	Outcome string
	// Hard is set where no swing may hold the finding back.
	Hard bool
}

// tail is how every denial to an agent ends: without it agents try the same thing by another way.
const tail = "Do not try this again, and do not reach the same result by another command, tool, script, file or agent. Go on along a safer path; where there is none, finish the rest and then say what this step needs."

// Settle applies the person's settings, the seat, the swing and the denials that are left. It
// changes the budget.
func Settle(o Outcome, s Situation, c Config, b *Budget) Settled {
	v := o.Verdict
	if o.Failure != "" {
		return settleFailure(o, s, c)
	}
	switch v.Decision {
	case Allow:
		b.Consecutive = 0
		sev := "note"
		if len(o.Flags) > 0 {
			sev = "warn"
		}
		return Settled{Decision: Allow, Severity: sev, Outcome: "allow"}
	case Leave:
		switch {
		case s.Swing && c.MeleeSoft == "defer":
			return Settled{Decision: None, Severity: "warn", Outcome: "deferred"}
		case !s.Unattended:
			return Settled{Decision: Leave, Reason: bracket(v), Severity: "warn", Outcome: "ask"}
		case c.UnattendedOnAsk == "defer":
			return Settled{Decision: None, Severity: "warn", Outcome: "none"}
		}
		return deny(v, "Nobody is in the seat to be asked.", "warn", s, c, b)
	case Deny:
		if v.Tier == policy.Hard {
			out := deny(v, hardWay(v.Rule), "stop", s, c, b)
			out.Hard = true
			return out
		}
		switch {
		case s.Swing && c.MeleeSoft == "defer":
			return Settled{Decision: None, Severity: "warn", Outcome: "deferred"}
		case s.Cruise:
			return Settled{Decision: None, Severity: "warn", Outcome: "logged"}
		case !s.Unattended && c.AttendedOnBlock == "ask":
			return Settled{Decision: Leave, Reason: bracket(v), Severity: "warn", Outcome: "ask"}
		}
		return deny(v, "It runs once the person has named this act and what is dangerous about it.", "warn", s, c, b)
	}
	return Settled{Decision: None, Severity: "note", Outcome: "none"}
}

func settleFailure(o Outcome, s Situation, c Config) Settled {
	closed := c.OnFailure == "deny"
	if s.Unattended && c.UnattendedOnFailure == "deny" {
		closed = true
	}
	if !closed {
		return Settled{Decision: None, Severity: "warn", Outcome: "none"}
	}
	why := "automode is configured to fail closed."
	if s.Unattended {
		why = "Nobody is in the seat, and a call that can't be judged does not run."
	}
	// No count: an agent can't help it that a provider is down.
	return Settled{Decision: Deny, Reason: bracket(Verdict{Rule: policy.Unavailable, Reason: o.Note}) + " " + why, Severity: "warn", Outcome: "deny"}
}

// SettleBroken is what a configuration that can't be read does: nothing with a person there,
// a denial without one. It never is the default configuration.
func SettleBroken(err error, unattended bool) Settled {
	if !unattended {
		return Settled{Decision: None, Severity: "warn", Outcome: "none"}
	}
	o := FailureOutcome(BadConfig, err)
	return settleFailure(o, Situation{Unattended: true}, Default())
}

func deny(v Verdict, clears, severity string, s Situation, c Config, b *Budget) Settled {
	out := Settled{Decision: Deny, Severity: severity, Outcome: "deny"}
	if b.Consecutive >= c.Consecutive || b.Session >= c.PerSession {
		*b = Budget{}
		if !s.Unattended {
			// The harness's own prompt is the one way to a person from here.
			return Settled{Decision: None, Severity: severity, Outcome: "escalated"}
		}
		out.Outcome = "escalated"
		out.Reason = bracket(v) + " The denials of this session are used up. Stop here, and hand over with what is done, what is not, and which agreement the rest needs."
		return out
	}
	b.Consecutive++
	b.Session++
	left := max(0, min(c.Consecutive-b.Consecutive, c.PerSession-b.Session))
	out.Reason = strings.Join([]string{bracket(v), clears, tail, fmt.Sprintf("Denials left: %d.", left)}, " ")
	if left == 0 {
		out.Reason += " Stop now and report which agreement this needs."
	}
	return out
}

func hardWay(rule string) string {
	if rule == "Policy Tampering" || rule == "Audit Tampering" {
		return "Only the person's explanation why this match is wrong lifts it."
	}
	return "Nothing that is said in this session lifts it."
}

// bracket is the verdict as a sentence, the rule before it.
func bracket(v Verdict) string {
	r := strings.TrimSpace(v.Reason)
	if r == "" {
		r = NoReason
	}
	if !strings.HasSuffix(r, ".") && !strings.HasSuffix(r, "!") && !strings.HasSuffix(r, "?") && !strings.HasSuffix(r, "…") {
		r += "."
	}
	if v.Rule == "" {
		return r
	}
	return "[" + v.Rule + "] " + r
}
