package redline

import (
	"spar/redline/acts"
	"spar/sortie/harness"
)

// Options say where a call would run and under which rules it is priced. The
// zero value knows no environment, no production path and the default tariff.
type Options struct {
	// Env is the whole environment of the command; a name that is absent is unset.
	Env map[string]string
	// Dir is the absolute directory the call starts in; "": the call's own.
	Dir string
	// Rules are the configuration in force.
	Rules Rules
	// Named are the file names a person used, lower case, without directories. Nil:
	// nobody listened, so nothing is unnamed; empty: the person named nothing.
	Named []string
	// File reads a file of the disk, for the one question that needs it: whether a
	// settings file that is overwritten holds hooks of ours. Nil: nothing is known of
	// the disk.
	File func(path string) (string, bool)
	// Reading is the command's reading where the caller has made one already.
	Reading *acts.Reading
}

// Charge is one reason why a call costs something.
type Charge struct {
	Act    int    // index in the reading's acts; -1 where the call has none
	Kind   string // [Irreversible] and so on
	Points int    // what the kind costs; a call pays it once, however many reasons
	Why    string // one line
	Detail string // what it is about here: the path, and where it resolved to; the package
	Row    *Row   // the line of the tariff, or nil
}

// Spared is a rule of the configuration that made an act free.
type Spared struct {
	Act int
	Why string
}

// Switch is a pilot's switch among the acts of a call.
type Switch struct {
	Name string // "melee", "mode cruise", "settings"
	Act  int    // -1 where the call has no acts
	Why  string // one line
}

// Priced is what a call costs, and why.
type Priced struct {
	// Subject is the command, or the path or tool where there is no command.
	Subject string
	// Reading is what the command does; nil for tools that run none.
	Reading *acts.Reading
	// Charges are all reasons, in the order of the acts.
	Charges []Charge
	// Kinds are the kinds charged, once each, in message order.
	Kinds []string
	// Points is what the call adds to the number.
	Points int
	// Spared are the rules that made something free that would have cost.
	Spared []Spared
	// Switch is set where the call turns one of the pilot's switches.
	Switch *Switch
	// Unknown is set where the call is a tool whose name says nothing of what it
	// does: free, and recorded once.
	Unknown bool
	// Unnamed are the files written that nobody asked for.
	Unnamed []string
}

// ByKind is the points of each kind charged, as a charge is filed; unnamed is
// among them with what it costs, which is nothing unless configured.
func (p *Priced) ByKind() map[string]int {
	m := make(map[string]int, len(p.Charges))
	for _, c := range p.Charges {
		m[c.Kind] = c.Points
	}
	return m
}

// Price says what a call costs. It touches nothing.
func Price(call *harness.Call, o Options) *Priced {
	p := newPricer(call, o)
	p.run()
	return p.finish()
}
