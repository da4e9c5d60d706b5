package sortie

import (
	"time"

	"spar/ledger"
)

// Flight is the stored state of one sortie.
type Flight struct {
	ID       string      `json:"id"` // UUIDv7
	Mode     ledger.Mode `json:"mode"`
	Autonomy string      `json:"autonomy,omitempty"` // the reason the seat is empty; "" is occupied
	Budget   int         `json:"budget,omitempty"`   // tool calls; 0 is none
	Operator bool        `json:"operator,omitempty"` // launched by a person or a runner, not by a session
	Harness  string      `json:"harness,omitempty"`  // whose session launched it
	Sessions []string    `json:"sessions,omitempty"`
	Launched time.Time   `json:"launched"`
	Landed   time.Time   `json:"landed,omitzero"`
	Swing    *Swing      `json:"swing,omitempty"`
}

// Swing is one stay in melee.
type Swing struct {
	ID       string        `json:"id"` // UUIDv7
	Action   string        `json:"action"`
	Exit     string        `json:"exit"`
	State    string        `json:"state"`
	StateCmd string        `json:"state_cmd,omitempty"`
	Cost     *int          `json:"cost,omitempty"`
	Entered  time.Time     `json:"entered"`
	For      time.Duration `json:"for"`
	Actor    ledger.Actor  `json:"actor"`
	Granted  bool          `json:"granted,omitempty"` // typed by the agent and allowed by a person or the runner
}

// Overdue reports whether the swing has outstayed its time.
func (s *Swing) Overdue(now time.Time) bool { return now.After(s.Entered.Add(s.For)) }

// Defers reports whether findings are held: a swing that a person entered, or
// let the agent enter, and that is not overdue.
func (s *Swing) Defers(now time.Time) bool {
	return s != nil && !s.Overdue(now) && (s.Actor != ledger.Agent || s.Granted)
}

// Verdict is what becomes of a finding.
type Verdict string

// The verdicts.
const (
	Logged     Verdict = "logged"
	Advise     Verdict = "advise"
	RefuseShot Verdict = "refuse-shot"
	Halt       Verdict = "halt"
	Deferred   Verdict = "deferred"
)

// Judge is the table «who may stop what» of frame.md.
func Judge(mode ledger.Mode, defers, seatEmpty bool, phase ledger.Phase, sev ledger.Severity) Verdict {
	switch {
	case mode == ledger.Cruise:
		return Logged
	case defers:
		return Deferred
	case sev == ledger.Note:
		return Logged
	case sev == ledger.Warn:
		return Advise
	case phase == ledger.Claim:
		return RefuseShot
	case seatEmpty:
		return Halt
	}
	return Advise
}
