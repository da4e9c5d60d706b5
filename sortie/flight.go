package sortie

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"spar/ledger"
	"spar/ledger/redact"
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
	LandedBy LandedBy    `json:"landed_by,omitempty"`
	Swing    *Swing      `json:"swing,omitempty"`
	Swings   int         `json:"swings,omitempty"`  // entered so far, the open one included
	Wingmen  int         `json:"wingmen,omitempty"` // subagents sent so far
	Spent    int         `json:"spent,omitempty"`   // fuel burnt when it landed; [Home.Spent] while it flies
	Runner   *Runner     `json:"runner,omitempty"`  // the process that lands it, where one does
	// Forgiven are the points of swings that were left within their declared cost:
	// a runner's exit code doesn't hold them against the command.
	Forgiven int `json:"forgiven,omitempty"`
}

// Aloft reports whether the sortie has been launched and not landed.
func (f Flight) Aloft() bool { return f.ID != "" && f.Landed.IsZero() }

// Runner is the process that launched a sortie around a command.
type Runner struct {
	PID   int    `json:"pid"`
	Start string `json:"start"`
	Realm string `json:"realm"`
}

// LandedBy says what closed a sortie.
type LandedBy string

// What closes a sortie.
const (
	ByHand    LandedBy = "hand"    // `land`, or a launch that was told to
	ByRunner  LandedBy = "runner"  // the end of the command it was launched for
	BySession LandedBy = "session" // its session said goodbye
	BySweep   LandedBy = "sweep"   // whoever should have never did: the process is gone, or silent for 12 hours
)

// Swing is one stay in melee.
type Swing struct {
	ID       string        `json:"id"` // UUIDv7
	Action   string        `json:"action"`
	Exit     string        `json:"exit"`
	State    string        `json:"state"`               // what a person read at contact, else Reading
	StateCmd string        `json:"state_cmd,omitempty"` // as it was typed: it is run again on leaving
	Reading  string        `json:"reading,omitempty"`   // what StateCmd printed at contact
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

// NewID is a UUIDv7 of this moment (RFC 9562, section 5.7): ids sort by time, and
// two of one millisecond are told apart by what is left of it and by chance.
func NewID(now time.Time) string {
	id := uuid.New()
	ms := now.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	sub := uint16(now.Nanosecond() % 1e6 * 4096 / 1e6)
	id[6] = 0x70 | byte(sub>>8)&0x0f
	id[7] = byte(sub)
	return id.String()
}

// ValidID reports whether s has the form of an id: what is read from a variable
// becomes a file name and a key.
func ValidID(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil && len(s) == 36 && s == strings.ToLower(s)
}

// A Refusal is a command that was understood and is not done, and what a person
// can do about it.
type Refusal struct {
	Reason string
	Next   string // one imperative sentence, or ""
}

func (r *Refusal) Error() string {
	if r.Next == "" {
		return r.Reason
	}
	return r.Reason + "; " + r.Next
}

// refuse makes a Refusal.
func refuse(next, format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Next: next}
}

// reasonText is a person's words as they are stored: redacted, one line, at most
// 200 characters. Spaces alone are no words.
func reasonText(s string) string { return Line(redact.Text(s), 200) }

// Line makes one line of at most limit characters out of anything: control and
// invisible characters become spaces, runs of them one; what was cut ends in an
// ellipsis.
func Line(s string, limit int) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	n := 0
	for i := range s {
		if n++; n > limit {
			cut := []rune(s[:i])
			return string(cut[:limit-1]) + "…"
		}
	}
	return s
}

// decode reads a stored record. One that can't be read is as if it weren't
// there: a torn record must not keep a session from flying.
func decode[T any](data []byte) (v T, ok bool) {
	if len(data) == 0 || json.Unmarshal(data, &v) != nil {
		return v, false
	}
	return v, true
}
