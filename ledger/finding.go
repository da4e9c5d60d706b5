package ledger

import (
	"encoding/json"
	"time"
)

// Severity orders findings: note < warn < stop.
type Severity string

// The severities.
const (
	Note Severity = "note"
	Warn Severity = "warn"
	Stop Severity = "stop"
)

// Phase says when in a call's life a finding was made.
type Phase string

// The phases.
const (
	Brief Phase = "brief" // before anything is aimed at
	Pre   Phase = "pre"
	Post  Phase = "post"
	Claim Phase = "claim" // somebody says it is done
)

// Actor says who did it.
type Actor string

// The actors.
const (
	Agent   Actor = "agent"
	Human   Actor = "human"
	Wingman Actor = "wingman" // a subagent, another model, another session
)

// Mode is the form of a sortie when the finding was filed.
type Mode string

// The modes.
const (
	Strike Mode = "strike" // converge, finish
	Cruise Mode = "cruise" // diverge, draft
)

// Finding is the one record shape. Subject and Observed are required.
type Finding struct {
	Seq      uint64          `json:"seq"`
	At       time.Time       `json:"at"` // UTC, milliseconds
	Phase    Phase           `json:"phase"`
	Source   string          `json:"source"` // a guard's name, "spar", "mount" names
	Severity Severity        `json:"severity"`
	Subject  string          `json:"subject"`
	Observed json.RawMessage `json:"observed"`
	Expected json.RawMessage `json:"expected,omitempty"`
	Note     string          `json:"note,omitempty"`
	Mode     Mode            `json:"mode"`
	Actor    Actor           `json:"actor"`
	Sortie   string          `json:"sortie,omitempty"`
	Session  string          `json:"session,omitempty"`
	Agent    string          `json:"agent,omitempty"`
	Swing    string          `json:"swing,omitempty"`
	Call     string          `json:"call,omitempty"`     // the harness's call id, or a hash of what identifies the call
	Outcome  string          `json:"outcome,omitempty"`  // the verdict: logged, advise, refuse-shot, halt, deferred, ask
	Late     bool            `json:"late,omitempty"`     // filed after its own sortie had landed
	Imported json.RawMessage `json:"imported,omitempty"` // fields of an imported line that have no place here; present (possibly {}) on every imported finding
}

// Charge is the shape of Observed that moves a tally: points by kind. A finding
// whose Observed is an object with an integer "points" and an object "kinds" of
// integers is a charge; "total" is the sortie's sum after it.
type Charge struct {
	Kinds  map[string]int `json:"kinds"`
	Points int            `json:"points"`
	Total  int            `json:"total"`
}

// Tally is what a sortie or a swing adds up to.
type Tally struct {
	Findings int              `json:"findings"`
	Points   int              `json:"points"`
	Kinds    map[string]int   `json:"kinds,omitempty"`    // points by kind
	Counts   map[string]int   `json:"counts,omitempty"`   // findings by kind, of charges
	Severity map[Severity]int `json:"severity,omitempty"` // findings by severity
	Source   map[string]int   `json:"source,omitempty"`   // findings by source
	Worst    Severity         `json:"worst,omitempty"`    // of the findings a gate judges: not cruise's, not spar's own
	First    uint64           `json:"first,omitempty"`    // lowest and highest sequence
	Last     uint64           `json:"last,omitempty"`
	Imported bool             `json:"imported,omitempty"` // every finding in it came from an import
}
