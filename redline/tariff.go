package redline

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Program is what the tariff knows of one program: its names, how it spells
// options, and its rows.
type Program struct {
	Name  string
	Also  []string // other names of the same thing
	Style style
	Short bool // long options may be shortened (GNU, git)
	// Value lists the options that take the next word as their value, so that it is
	// no operand and no subcommand.
	Value string
	// Lead lists those that take one only in front of the subcommand.
	Lead string
	Rows []Row
}

// Row is one line of the tariff.
type Row struct {
	// Path is the subcommand: levels between blanks, alternatives between bars
	// ("stash drop|clear"). Empty: any.
	Path string
	// Value lists more options that take a value, this subcommand's own.
	Value string
	// With: one of these options makes the charge. Empty: none is needed.
	With string
	// Not: one of these options makes the call free, dry runs above all.
	Not string
	// Target says what the operands have to be.
	Target target
	// When is what options and operands can't say. Nil: nothing more.
	When func(*line) bool

	kinds bit
	// Why is one line, as the ledger and explain print it.
	Why string
	// Charged and Free are one command line each that this row charges, and one of
	// the same program that it doesn't.
	Charged, Free string
	// Production is a path that is called production in the two examples.
	Production string
}

// Kinds are the kinds the row charges, in message order.
func (r *Row) Kinds() []string { return r.kinds.list() }

func (b bit) list() []string {
	var out []string
	for _, k := range Kinds() {
		if b&kindBit(k) != 0 {
			out = append(out, k)
		}
	}
	return out
}

const (
	irr  = bitIrreversible
	outw = bitOutward
	dep  = bitDependency
)

// target says what a row's operands have to be for it to charge.
type target uint8

const (
	_ target = iota // anything will do
	// some: at least one operand.
	some
	// named: at least one operand that names a package: no path, no URL of the tree.
	named
	// lost: at least one operand is a path outside scratch and outside every free
	// tree, or can't be placed.
	lost
	// here: the directory the act runs in is outside scratch and every free tree.
	here
	// sent: it goes to a host that is not this machine (see http.go).
	sent
)

// tables are the files of the tariff, in the order in which docs list them.
func tables() [12][]Program {
	return [...][]Program{
		fileTable, gitTable, forgeTable, registryTable, httpTable, mailTable,
		cloudTable, containerTable, infraTable, dataTable, systemTable, packageTable,
	}
}

// lookup finds a program by its name. Comparing some hundred names, most of them
// of another length, costs a fraction of a microsecond; a map would cost its
// construction in every process that prices a single call. A batch, which asks a
// hundred thousand times, gets the map after its first few calls.
func lookup(name string) *Program {
	if name == "" {
		return nil
	}
	if lookups.Add(1) > mapAfter {
		return programs()[name]
	}
	return search(name)
}

const mapAfter = 256

var (
	lookups  atomic.Int64
	programs = sync.OnceValue(func() map[string]*Program {
		m := make(map[string]*Program, 1024)
		for _, t := range tables() {
			for i := range t {
				for _, n := range append([]string{t[i].Name}, t[i].Also...) {
					if m[n] == nil {
						m[n] = &t[i]
					}
				}
			}
		}
		return m
	})
)

func search(name string) *Program {
	for _, t := range tables() {
		for i := range t {
			if t[i].Name == name {
				return &t[i]
			}
			for _, n := range t[i].Also {
				if n == name {
					return &t[i]
				}
			}
		}
	}
	return nil
}

// matchPath reports whether the act's first operands are the subcommand of the
// row, and how many words it took.
func (l *line) matchPath(path string, heads []string) (int, bool) {
	if path == "" {
		return 0, true
	}
	n := 0
	for level := range strings.SplitSeq(path, " ") {
		if n >= len(heads) || !either(level, heads[n]) {
			return 0, false
		}
		n++
	}
	return n, true
}

// heads are the first operands, the program's own options skipped.
func (l *line) heads(buf []string) []string {
	p := l.prog
	for i := 0; i < len(l.args) && len(buf) < cap(buf); i++ {
		a := l.args[i]
		if !looksOption(a, p.Style) {
			if !a.known {
				buf = append(buf, "")
				continue
			}
			s := a.text
			if p.Style == cmdlet || p.Style == slash {
				s = strings.ToLower(s)
			}
			buf = append(buf, s)
			continue
		}
		s := a.text
		if s == "--" {
			break
		}
		if p.Style == dash {
			s = "-" + strings.TrimLeft(s, "-")
		}
		switch {
		case p.Style == cmdlet && !psSwitch(s) && !strings.Contains(s, ":"):
			i++
		case strings.HasPrefix(s, "--") || p.Style == dash:
			if listed(p.Value, s) || listed(p.Lead, s) {
				i++
			}
		case p.Style == gnu && len(s) == 2 && listed(p.Lead, s):
			i++
		case p.Style == gnu && listed(p.Value, "-"+s[len(s)-1:]) && firstValue(p.Value, s) == len(s)-1:
			i++
		}
	}
	return buf
}

// firstValue is the index of the first letter of a cluster that takes a value.
func firstValue(values, cluster string) int {
	for i := 1; i < len(cluster); i++ {
		if listed(values, "-"+cluster[i:i+1]) {
			return i
		}
	}
	return -1
}

// tariffRows charges an act by the rows of its program.
func (l *line) tariffRows() {
	var buf [4]string
	heads := l.heads(buf[:0])
	for i := range l.prog.Rows {
		r := &l.prog.Rows[i]
		n, ok := l.matchPath(r.Path, heads)
		if !ok {
			continue
		}
		l.row = r
		l.sift(l.prog.Style, l.prog.Value, r.Value, n)
		l.p.detail = ""
		if l.helps() || l.has(r.Not) || (r.With != "" && !l.has(r.With)) || !l.hits(r.Target) {
			continue
		}
		if r.When != nil && !r.When(l) {
			continue
		}
		l.p.charge(l.at, r.kinds, r.Why, r)
	}
	l.row, l.p.detail = nil, ""
}

// helps reports whether the act only prints a manual.
func (l *line) helps() bool {
	for i := range l.opts {
		switch l.opts[i].name {
		case "--help", "-help", "/?", "-?":
			return true
		}
	}
	switch {
	case l.prog == nil:
	case l.prog.Name == "aws":
		return l.op(len(l.ops)-1) == "help"
	case l.prog.Name == "git":
		// git push -h prints the usage; with anything behind it git refuses it.
		argv := l.act.Argv
		return len(argv) == 3 && argv[2].Is("-h")
	}
	return false
}

func (l *line) hits(t target) bool {
	switch t {
	case some:
		return len(l.ops) > 0 || l.act.Appended
	case named:
		return l.namesPackage()
	case lost:
		return l.loses(l.ops)
	case here:
		return l.p.outside(l, l.act.Dir)
	case sent:
		return !l.loopback()
	}
	return true
}
