package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// Cache remembers a session's last verdicts in a folder of the person's own. It spares the
// second question where a harness sends two events for one call, and an agent that tries
// a refused call again. A cache that can't be read or written is an empty one: it never
// decides anything and never fails anything.
type Cache struct {
	// Dir is made (0700) when the first verdict is kept; "" keeps none.
	Dir string
	// AllowFor is how long an allow is good; 0 keeps none.
	AllowFor time.Duration
	Now      func() time.Time
}

// maxDenies bounds what is remembered of one session.
const maxDenies = 20

// kept is the file of one session.
type kept struct {
	// Consent is what the person had said when these verdicts were given; they end when it
	// changes.
	Consent string `json:"consent"`
	// Allow is the last call that was judged, where it was allowed: any other call that needed
	// a judge may have changed what the verdict rested on.
	Allow  *keptVerdict  `json:"allow,omitempty"`
	Denies []keptVerdict `json:"denies,omitempty"`
}

type keptVerdict struct {
	Key     string    `json:"key"`
	At      time.Time `json:"at"`
	Outcome Outcome   `json:"outcome"`
}

func (c *Cache) file(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:12])+".json")
}

func (c *Cache) load(session string) kept {
	var k kept
	data, err := os.ReadFile(c.file(session))
	if err != nil || json.Unmarshal(data, &k) != nil {
		return kept{}
	}
	return k
}

// find is the verdict that still holds for a call.
func (c *Cache) find(session, key, consent string) (Outcome, bool) {
	if c == nil || c.Dir == "" || session == "" {
		return Outcome{}, false
	}
	k := c.load(session)
	if k.Consent != consent {
		return Outcome{}, false
	}
	for _, d := range k.Denies {
		if d.Key == key {
			return d.Outcome, true
		}
	}
	if k.Allow != nil && k.Allow.Key == key {
		if age := c.Now().Sub(k.Allow.At); age >= 0 && age < c.AllowFor {
			return k.Allow.Outcome, true
		}
	}
	return Outcome{}, false
}

// note keeps a verdict. Asks and failures are kept by nobody; they only end what was allowed before.
func (c *Cache) note(session, key, consent string, o Outcome) {
	if c == nil || c.Dir == "" || session == "" {
		return
	}
	k := c.load(session)
	if k.Consent != consent {
		k = kept{Consent: consent}
	}
	k.Allow = nil
	v := keptVerdict{key, c.Now(), o}
	switch {
	case o.Failure != "" || key == "":
	case o.Verdict.Decision == Allow && c.AllowFor > 0:
		k.Allow = &v
	case o.Verdict.Decision == Deny:
		k.Denies = append(k.Denies, v)
		if n := len(k.Denies); n > maxDenies {
			k.Denies = k.Denies[n-maxDenies:]
		}
	}
	data, err := json.Marshal(k)
	if err != nil || os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	// Under another name first: a hook that runs beside this one reads the file whole or not.
	tmp, err := os.CreateTemp(c.Dir, ".verdict-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err != nil || cerr != nil || os.Rename(tmp.Name(), c.file(session)) != nil {
		_ = os.Remove(tmp.Name()) // it is a cache's
	}
}

// ActionKey is the same for calls that do the same: what a harness lets an agent write
// about a call, and how long it waits for it, are left out.
func ActionKey(tool, cwd string, input json.RawMessage) string {
	var in map[string]json.RawMessage
	if json.Unmarshal(input, &in) == nil && in != nil {
		if _, shell := in["command"]; shell {
			for _, k := range []string{"description", "timeout", "timeout_ms", "run_in_background"} {
				if k == "run_in_background" && string(in[k]) == "true" {
					continue // a process that outlives the call is another act
				}
				delete(in, k)
			}
		}
		if b, err := json.Marshal(in); err == nil {
			input = b
		}
	}
	return hash(tool, cwd, canonical(input))
}

// hash is a digest of several texts that no other split of them shares.
func hash(parts ...string) string {
	b, _ := json.Marshal(parts) // strings always have a form
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
