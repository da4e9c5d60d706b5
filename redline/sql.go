package redline

import (
	"strings"

	"spar/redline/acts"
	"spar/redline/acts/sql"
)

// inMemory reports whether the statements run in a database that is gone with its
// client: sqlite3 :memory:, which attaches no file.
func (p *pricer) inMemory(i int, a *acts.Act) bool {
	for k := i - 1; k >= 0; k-- {
		c := &p.out.Reading.Acts[k]
		if c.Kind != acts.Run {
			continue
		}
		if n := c.Name(); n != "sqlite3" && n != "duckdb" {
			return false
		}
		for _, w := range c.Argv[1:] {
			if w.Is(":memory:") {
				return !strings.Contains(strings.ToLower(a.Text), "attach")
			}
		}
		return false
	}
	return false
}

// sql prices statement text that a database client executes.
func (p *pricer) sql(i int, a *acts.Act) {
	if p.inMemory(i, a) {
		return
	}
	writes := false
	for _, s := range sql.Statements(a.Text) {
		switch s.Effect {
		case sql.Destroys:
			why := s.Verb
			if s.Object != "" {
				why += " " + clip(s.Object, 60)
			}
			p.charge(i, irr, "SQL that destroys: "+why, nil)
			writes = true
		case sql.Writes, sql.Unknown:
			writes = true
		}
	}
	if len(p.prod) == 0 {
		return
	}
	for _, f := range sql.Files(a.Text) {
		if f.Write {
			p.writes(i, a.Dir, acts.Text(f.Path), "SQL writes a file there")
		}
	}
	if !writes || len(a.Via) == 0 {
		return
	}
	// The client that carries it stands before it; what it connects to is in its
	// words.
	client, _, _ := strings.Cut(a.Via[len(a.Via)-1], " ")
	for k := i - 1; k >= 0; k-- {
		c := &p.out.Reading.Acts[k]
		if c.Kind != acts.Run || c.Name() != client {
			continue
		}
		for _, w := range c.Argv[1:] {
			s, _ := literal(w)
			if sentence(s) {
				continue
			}
			if pat, ok := p.names(c, w, s); ok {
				p.charge(i, bitProduction, "writes to a database that was called production: "+pat, nil)
			}
		}
		return
	}
}
