package acts

import "mvdan.cc/sh/v3/syntax"

// kind separates the name spaces of a shell's state.
type kind uint8

const (
	kVar     kind = iota
	kFunc         // a function; bodies
	kAlias        // an alias; alts[i].words[0] is its text
	kTrap         // a trap by signal name; alts[i].words[0] is its text
	kDir          // the working directory, one entry with the empty name
	kOldDir       // what `cd -` goes back to
	kDirs         // the stack of pushd, deepest first
	kArgs         // $1, $2, ... as an array
	kArg0         // $0
	kUnknown      // set: unknown names may have been set by something sourced
)

// alt is one value that a name may have.
type alt struct {
	set   bool
	array bool
	more  bool // an array that may hold further elements
	words []Word
	keys  []string // of an associative or sparse array; nil: 0, 1, ...
}

// entry is what a name means.
type entry struct {
	kind     kind
	exported bool
	gone     bool // unset: a child sees that too, where the environment has the name
	ref      bool // a nameref
	fold     byte // 'u', 'l' or 'i' of declare
	name     string
	alts     []alt          // at least one, except for functions
	bodies   []*syntax.Stmt // of a function
	unit     int            // of an alias: the text it was defined in
	line     uint           // and the line
	why      string         // of kUnknown
}

// frame is one layer of a shell's state. A branch, a subshell or a child process
// writes into a layer of its own, so that forking costs nothing and joining two
// branches looks only at what they changed. Copying whole environments instead
// would make a long script of many small branches quadratic.
type frame struct {
	up   *frame
	wall bool // a child process: only what is exported is seen through it
	ents []entry
	idx  map[frameKey]int // where ents is long
}

type frameKey struct {
	kind kind
	name string
}

// frameScan is how many entries a frame holds before it is indexed.
const frameScan = 24

func (f *frame) get(k kind, name string) *entry {
	if f.idx != nil {
		if i, ok := f.idx[frameKey{k, name}]; ok {
			return &f.ents[i]
		}
		return nil
	}
	for i := range f.ents {
		if e := &f.ents[i]; e.kind == k && e.name == name {
			return e
		}
	}
	return nil
}

func (f *frame) put(e entry) {
	if old := f.get(e.kind, e.name); old != nil {
		*old = e
		return
	}
	f.ents = append(f.ents, e)
	if f.idx != nil {
		f.idx[frameKey{e.kind, e.name}] = len(f.ents) - 1
	} else if len(f.ents) > frameScan {
		f.idx = make(map[frameKey]int, 2*len(f.ents))
		for i := range f.ents {
			f.idx[frameKey{f.ents[i].kind, f.ents[i].name}] = i
		}
	}
}

// find looks a name up through the layers; nil where nothing says anything.
func (f *frame) find(k kind, name string) *entry {
	walled := false
	for ; f != nil; f = f.up {
		if e := f.get(k, name); e != nil {
			if walled {
				switch k {
				case kVar, kFunc:
					if !e.exported && !e.gone {
						return nil
					}
				case kDir, kUnknown:
				default:
					return nil
				}
			}
			return e
		}
		walled = walled || f.wall
	}
	return nil
}

// changes collects what the layers from top down to, not including, base say,
// the newest first, each name once.
func changes(top, base *frame) []entry {
	if top == base {
		return nil
	}
	if top.up == base {
		return top.ents
	}
	var all frame
	for f := top; f != nil && f != base; f = f.up {
		for i := range f.ents {
			if all.get(f.ents[i].kind, f.ents[i].name) == nil {
				all.put(f.ents[i])
			}
		}
	}
	return all.ents
}

// maxAlts is how many values a name keeps before it is simply unknown.
const maxAlts = 8

// join writes into base what its names mean after one of several ways was taken:
// each way is what was changed on it, and a way that changed nothing is an empty
// list. What differs becomes a set of alternatives.
func (s *shell) join(base *frame, ways [][]entry) {
	if len(ways) == 0 {
		return
	}
	if len(ways) == 1 {
		for i := range ways[0] {
			base.put(ways[0][i])
		}
		return
	}
	var seen frame
	for _, w := range ways {
		for i := range w {
			s.r.step(1)
			k, name := w[i].kind, w[i].name
			if seen.get(k, name) != nil {
				continue
			}
			seen.put(entry{kind: k, name: name})
			m := entry{kind: k, name: name}
			for _, v := range ways {
				e := lookWay(v, k, name)
				if e == nil {
					e = base.find(k, name)
				}
				if e == nil {
					if k == kVar {
						if ev, ok := s.envEntry(name); ok {
							m.exported = true
							m.add(s, ev.alts[0])
							continue
						}
					}
					if k != kFunc && k != kAlias && k != kTrap {
						m.add(s, alt{})
					}
					continue
				}
				m.exported = m.exported || e.exported
				m.ref, m.gone = m.ref || e.ref, m.gone || e.gone
				m.unit, m.line, m.why = e.unit, e.line, e.why
				for _, b := range e.bodies {
					m.addBody(b)
				}
				for _, a := range e.alts {
					m.add(s, a)
				}
			}
			base.put(m)
		}
	}
}

func lookWay(w []entry, k kind, name string) *entry {
	for i := range w {
		if w[i].kind == k && w[i].name == name {
			return &w[i]
		}
	}
	return nil
}

func (e *entry) addBody(b *syntax.Stmt) {
	for _, o := range e.bodies {
		if o == b {
			return
		}
	}
	if len(e.bodies) < maxAlts {
		e.bodies = append(e.bodies, b)
	}
}

// add adds a value unless it is there. Past the bound the set collapses into one
// unknown value: dropping the ninth would be a guess in silence.
func (e *entry) add(s *shell, a alt) {
	for i := range e.alts {
		if e.alts[i].same(a) {
			return
		}
	}
	if len(e.alts) >= maxAlts {
		e.alts = append(e.alts[:0:0], alt{set: true, words: []Word{unknown("$"+e.name, e.name+" has too many possible values")}})
		return
	}
	e.alts = append(e.alts[:len(e.alts):len(e.alts)], a)
	if len(e.alts) > 1 {
		s.r.multi = true
	}
}

func (a alt) same(b alt) bool {
	if a.set != b.set || a.array != b.array || a.more != b.more || len(a.words) != len(b.words) || len(a.keys) != len(b.keys) {
		return false
	}
	for i := range a.words {
		if !sameWord(a.words[i], b.words[i]) {
			return false
		}
	}
	for i := range a.keys {
		if a.keys[i] != b.keys[i] {
			return false
		}
	}
	return true
}

func sameWord(a, b Word) bool {
	if len(a.Parts) != len(b.Parts) {
		return false
	}
	for i := range a.Parts {
		if a.Parts[i] != b.Parts[i] {
			return false
		}
	}
	return true
}

func unknown(text, why string) Word {
	return Word{Parts: []Part{{Kind: Unknown, Text: text, Why: why}}}
}

// deadKind says why nothing more runs in a shell.
type deadKind uint8

const (
	alive      deadKind = iota
	deadExit            // exit, exec
	deadReturn          // return
	deadLoop            // break, continue
)

// place is where a command stands: what holds for it from outside.
type place struct {
	via         []string
	remote      string
	redirs      []Redir
	stdin       Stdin
	conditional bool
	appended    bool
	assigns     []Assign // of the wrappers around (env A=1 ...)
	subst       bool     // what is printed becomes words of a command
	out         *output  // who wants to know what is printed; nil: nobody
}

// catch is a loop or a function call that break, continue and return end in.
type catch struct {
	up     *catch
	fn     bool
	base   *frame
	ways   [][]entry
	breaks [][]entry // of a loop: what each break leaves with
	// saved are the entries that local has put aside, to be put back on return.
	saved []entry
}

// shell is one shell: its state and where it stands.
type shell struct {
	r          *reader
	top        *frame
	at         place
	dead       deadKind
	left       int // loops still to leave, of break N
	catch      *catch
	src        string // the text being read, for alias expansion and Source
	unit       int
	envUnknown string // why a name that nobody set may still be set: a remote machine
	noglob     bool
	nest       int // compound commands around
	sourced    int // sourced files around: return leaves the innermost
	aliases    int
	line       Word           // what a loop goes round with
	feeding    int            // a read whose input is the line of this round
	running    []*syntax.Stmt // bodies of the functions being called
	breaking   bool           // the dead end is a break, not a continue
}

func (s *shell) find(k kind, name string) *entry { return s.top.find(k, name) }

func (s *shell) put(e entry) { s.top.put(e) }

// envEntry is the entry of a name that only the environment sets.
func (s *shell) envEntry(name string) (entry, bool) {
	if s.envUnknown != "" {
		return entry{}, false
	}
	v, ok := s.r.o.Env[name]
	if !ok {
		return entry{}, false
	}
	return entry{kind: kVar, name: name, exported: true, alts: []alt{{set: true, words: []Word{Text(v)}}}}, true
}

// branch runs fn in a layer of its own and answers what it changed.
func (s *shell) branch(conditional bool, fn func()) (ways []entry, dead deadKind) {
	base, at, was := s.top, s.at, s.dead
	s.top = &frame{up: base}
	s.at.conditional = s.at.conditional || conditional
	fn()
	ways, dead = changes(s.top, base), s.dead
	s.top, s.at, s.dead = base, at, was
	return ways, dead
}

// child runs fn in a shell that shares nothing back: a subshell, a part of a
// pipeline, a background job.
func (s *shell) child(fn func()) {
	base, at, was, c, src, unit, ng := s.top, s.at, s.dead, s.catch, s.src, s.unit, s.noglob
	s.top, s.dead, s.catch = &frame{up: base}, alive, nil
	// A subshell starts without the traps of its parent: they are not looked up
	// through layers when it ends.
	fn()
	s.fireTraps()
	s.top, s.at, s.dead, s.catch, s.src, s.unit, s.noglob = base, at, was, c, src, unit, ng
}
