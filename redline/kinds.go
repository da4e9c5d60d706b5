package redline

// The kinds of charges, in the order in which a message lists them.
const (
	Irreversible = "irreversible" // what it takes away can't be had back from here
	Outward      = "outward"      // somebody else sees it
	Production   = "production"   // a write to a path that was called production
	Dependency   = "dependency"   // new code enters the tree
	Unnamed      = "unnamed"      // a file nobody asked for; recorded, free
)

// Kinds lists the kinds in message order.
func Kinds() []string { return []string{Irreversible, Outward, Production, Dependency, Unnamed} }

// bit is a kind as a set member; its order is the message order.
type bit uint8

const (
	bitIrreversible bit = 1 << iota
	bitOutward
	bitProduction
	bitDependency
	bitUnnamed
)

func kindBit(kind string) bit {
	switch kind {
	case Irreversible:
		return bitIrreversible
	case Outward:
		return bitOutward
	case Production:
		return bitProduction
	case Dependency:
		return bitDependency
	case Unnamed:
		return bitUnnamed
	}
	return 0
}

// Tariff is what each kind costs. The zero value charges nothing; start from
// [DefaultTariff].
type Tariff struct {
	Irreversible, Outward, Production, Dependency, Unnamed int
}

// DefaultTariff is the tariff where no configuration says otherwise.
func DefaultTariff() Tariff {
	return Tariff{Irreversible: 3, Outward: 3, Production: 2, Dependency: 1}
}

// Points is the price of one kind; 0 for a kind nobody knows.
func (t Tariff) Points(kind string) int {
	if p := t.slot(kind); p != nil {
		return *p
	}
	return 0
}

func (t *Tariff) slot(kind string) *int {
	switch kind {
	case Irreversible:
		return &t.Irreversible
	case Outward:
		return &t.Outward
	case Production:
		return &t.Production
	case Dependency:
		return &t.Dependency
	case Unnamed:
		return &t.Unnamed
	}
	return nil
}

// Limit holds the totals at which the limiter speaks.
type Limit struct {
	Advise int // from here on a charge is told
	Stop   int // from here on a charge is stopped, with nobody in the seat
}

// DefaultLimit is 1 recorded, 2 advised, 3 stopped.
func DefaultLimit() Limit { return Limit{Advise: 2, Stop: 3} }

// ToolRule says what a tool that is no shell costs.
type ToolRule struct {
	Pattern string   // a tool's name; `*` stands for any run of characters
	Kinds   []string // what it is charged as; empty: free
}

// Rules are the configuration a call is priced under. The zero value has no
// production, no free trees and no tool rules; its tariff and limit, being zero,
// mean the defaults.
type Rules struct {
	Production []string // substrings of normalised paths; the union of every source
	Tariff     *Tariff  // nil: [DefaultTariff]
	Limit      *Limit   // nil: [DefaultLimit]
	Free       []string // trees whose removal costs nothing
	Tools      []ToolRule
}

func (r Rules) tariff() Tariff {
	if r.Tariff == nil {
		return DefaultTariff()
	}
	return *r.Tariff
}

// Bounds is the limit in force.
func (r Rules) Bounds() Limit {
	if r.Limit == nil {
		return DefaultLimit()
	}
	return *r.Limit
}
