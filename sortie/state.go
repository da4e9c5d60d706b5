package sortie

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode"

	"spar/ledger"
)

// The ledger's spaces that hold the frame's state. It is changed in the
// transaction of the findings it belongs to.
const (
	flightSpace  = "sorties"  // sortie -> Flight
	aloftSpace   = "aloft"    // sortie -> nothing: those not landed, so that finding them doesn't grow with the years
	sessionSpace = "sessions" // session -> seatRecord
	claimSpace   = "claims"   // sortie -> open claims; "last" -> the sortie that claimed last
	ideaSpace    = "ideas"    // sequence of its finding, in hex -> idea put down on purpose
	wingSpace    = "wingmen"  // sortie NUL agent -> nothing: an agent is counted once
	lateSpace    = "late"     // id -> finding that waits for the next sortie
	windowSpace  = "windows"  // sortie NUL source NUL call -> the last finding about a call that is known by its input alone
)

// seatRecord is what is stored of one session.
type seatRecord struct {
	Session  string    `json:"session"`
	Sortie   string    `json:"sortie"`
	Harness  string    `json:"harness,omitempty"`
	PID      int       `json:"pid,omitempty"`
	Start    string    `json:"start,omitempty"`
	Realm    string    `json:"realm,omitempty"`
	Named    bool      `json:"named,omitempty"` // the harness itself named the process
	Autonomy string    `json:"autonomy,omitempty"`
	Joined   time.Time `json:"joined"`
	Bad      string    `json:"bad_budget,omitempty"` // a budget that was refused aloud already
}

// sessionKey is a session's key. An id comes from outside; one that is long or
// holds anything odd is hashed.
func sessionKey(session string) string {
	if len(session) <= 128 && !strings.ContainsFunc(session, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return session
	}
	sum := sha256.Sum256([]byte(session))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func flightOf(tx *ledger.Tx, id string) (Flight, bool, error) {
	if !ValidID(id) {
		return Flight{}, false, nil
	}
	data, err := tx.State(flightSpace, id)
	if err != nil {
		return Flight{}, false, err
	}
	f, ok := decode[Flight](data)
	return f, ok && f.ID == id, nil
}

func putFlight(tx *ledger.Tx, f Flight) error {
	if err := putJSON(tx, flightSpace, f.ID, f); err != nil {
		return err
	}
	if f.Aloft() {
		return tx.PutState(aloftSpace, f.ID, []byte("1"))
	}
	return tx.PutState(aloftSpace, f.ID, nil)
}

func putJSON(tx *ledger.Tx, space, key string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("storing %s %s: %w", space, key, err)
	}
	return tx.PutState(space, key, data)
}

// aloft lists the sorties that are not landed, oldest first.
func aloft(tx *ledger.Tx) ([]Flight, error) {
	var ids []string
	for id := range tx.States(aloftSpace, "") {
		ids = append(ids, id)
	}
	var out []Flight
	for _, id := range ids {
		f, ok, err := flightOf(tx, id)
		if err != nil {
			return nil, err
		}
		if ok && f.Aloft() {
			out = append(out, f)
		}
	}
	return out, nil
}

func seatOf(tx *ledger.Tx, session string) (seatRecord, bool, error) {
	if session == "" {
		return seatRecord{}, false, nil
	}
	data, err := tx.State(sessionSpace, sessionKey(session))
	if err != nil {
		return seatRecord{}, false, err
	}
	r, ok := decode[seatRecord](data)
	return r, ok && r.Session == session, nil
}

func putSeat(tx *ledger.Tx, r seatRecord) error {
	return putJSON(tx, sessionSpace, sessionKey(r.Session), r)
}

// operators picks the sorties that an operator launched.
func operators(flights []Flight) []Flight {
	return slices.DeleteFunc(slices.Clone(flights), func(f Flight) bool { return !f.Operator })
}

// seatEmpty is why nobody sits in any seat of a sortie, "" where somebody does:
// the operator's reason, or that of a session which flies it.
func seatEmpty(tx *ledger.Tx, f Flight) (string, error) {
	if f.Autonomy != "" {
		return f.Autonomy, nil
	}
	for _, s := range f.Sessions {
		r, ok, err := seatOf(tx, s)
		if err != nil {
			return "", err
		}
		if ok && r.Sortie == f.ID && r.Autonomy != "" {
			return r.Autonomy, nil
		}
	}
	return "", nil
}

// View reads a home's ledger without holding anybody up, and without making one:
// f gets nil where there is none.
func (h Home) View(w World, f func(*ledger.Tx) error) error { return h.ViewWithin(w, 0, f) }

// ViewWithin is View with a bound on the wait for the ledger's turn; the ledger's
// own where it is 0.
func (h Home) ViewWithin(w World, wait time.Duration, f func(*ledger.Tx) error) error {
	l, err := ledger.Open(h.Dir, ledger.Options{ReadOnly: true, Wait: wait, Now: w.Now})
	if errors.Is(err, fs.ErrNotExist) {
		return f(nil)
	}
	if err != nil {
		return err
	}
	defer l.Close()
	return l.View(f)
}
