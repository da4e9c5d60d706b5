package sql

import "strings"

// Effect is what a statement does to the data it names.
type Effect uint8

const (
	// Unknown is a statement that was not understood, or one whose effect is
	// elsewhere: CALL, EXECUTE of something prepared earlier, `\gexec`.
	Unknown Effect = iota
	// Reads changes nothing.
	Reads
	// Writes adds or changes definitions, rights or rows without taking any away:
	// INSERT, CREATE, GRANT, COMMENT, COPY FROM.
	Writes
	// Destroys takes data away or overwrites it: DELETE, UPDATE, DROP, TRUNCATE,
	// ALTER .. DROP, REPLACE, MERGE with a delete.
	Destroys
	// Session changes the connection alone: SET, BEGIN, USE, EXPLAIN without
	// ANALYZE.
	Session
)

// String names the effect in lower case.
func (e Effect) String() string {
	switch e {
	case Reads:
		return "reads"
	case Writes:
		return "writes"
	case Destroys:
		return "destroys"
	case Session:
		return "session"
	}
	return "unknown"
}

// Stmt is one statement that would be executed.
type Stmt struct {
	// Verb is what it does, upper case: SELECT, DELETE, DROP TABLE, ALTER TABLE
	// DROP COLUMN, EXPLAIN ANALYZE DELETE.
	Verb string
	// Effect is what that does to the data.
	Effect Effect
	// Object is the table or other object it names first, as written without its
	// quotes, or empty.
	Object string
	// Text is the statement as written, without its end.
	Text string
}

// depthLimit bounds statements inside statements: DO bodies, EXECUTE of a
// literal, remote queries.
const depthLimit = 8

// Statements reads every statement of text that a client would have the server
// execute, in order. Bodies of functions, procedures and triggers are not
// executed by their definition and are not among them; bodies of DO blocks,
// literals handed to EXECUTE and the statement under EXPLAIN ANALYZE are.
// Commands of the client itself are not among them either: see [Shells] and
// [Files]. `\gexec` is one of effect [Unknown].
func Statements(text string) []Stmt {
	r := reader{src: text}
	r.read(tokens(text), false)
	return r.out
}

type reader struct {
	src      string
	out      []Stmt
	prepared []prepared
	depth    int
}

// prepared is a statement that PREPARE named; it runs with EXECUTE.
type prepared struct {
	name string
	text string
}

// read cuts tokens into statements. procedural says that the text is the body of
// a block, where control words stand in front of statements.
func (r *reader) read(ts []tok, procedural bool) {
	for i := 0; i < len(ts); {
		j := r.statementEnd(ts, i, procedural)
		r.statement(ts[i:j], procedural)
		if j < len(ts) && ts[j].kind == end {
			j++
		}
		if j == i {
			j++
		}
		i = j
	}
}

// statementEnd is the index of the token that ends the statement at i.
func (r *reader) statementEnd(ts []tok, i int, procedural bool) int {
	if !procedural && definesBody(ts[i:]) {
		return bodyEnd(ts, i)
	}
	depth := 0
	for j := i; j < len(ts); j++ {
		t := &ts[j]
		switch {
		case t.kind == end, t.kind == client && j == i:
			if t.kind == client {
				return j + 1
			}
			return j
		case t.kind == client && t.first:
			// The client takes its own line first; the statement goes on after it.
			continue
		case t.kind == punct && t.text == "(":
			depth++
		case t.kind == punct && t.text == ")":
			depth--
		case procedural && j > i && depth <= 0 && startsBlockStatement(ts, j):
			return j
		case j > i && depth <= 0 && t.kind == word && runsOn(ts, i, j):
			return j
		}
	}
	return len(ts)
}

// startsBlockStatement reports whether ts[j] follows a control word of a
// procedural block, after which a statement begins.
func startsBlockStatement(ts []tok, j int) bool {
	switch ts[j-1].up {
	case "THEN", "ELSE", "LOOP", "BEGIN":
		return true
	case "IN", "QUERY":
		switch ts[j].up {
		case "DELETE", "UPDATE", "INSERT":
			return true
		}
	}
	return false
}

// runsOn reports whether a new statement begins at ts[j] although nothing ended
// the one that began at i. SQL Server needs no semicolons, and its control words
// stand in front of statements; elsewhere a line that begins with a whole
// destructive head is one only where no clause of another statement could be.
func runsOn(ts []tok, i, j int) bool {
	if !destructiveHead(ts[j:]) {
		return false
	}
	switch ts[i].up {
	case "IF", "WHILE", "BEGIN", "ELSE", "DECLARE", "SET", "USE", "PRINT", "END", "ON":
		return true
	case "CREATE", "ALTER", "MERGE", "EXPLAIN", "PREPARE", "WITH", "GRANT", "REVOKE", "DENY", "COPY", "DROP":
		return false
	}
	return ts[j].first
}

// destructiveHead reports whether ts begins like a whole statement that
// destroys: two words of it, so that a clause (`ON DELETE CASCADE`, `FOR
// UPDATE`) is none.
func destructiveHead(ts []tok) bool {
	if len(ts) < 2 {
		return false
	}
	next := ts[1].up
	switch ts[0].up {
	case "DELETE":
		return next == "FROM" || next == "TOP"
	case "TRUNCATE":
		return next == "TABLE"
	case "DROP":
		return next != "" && isObjectType(next)
	case "UPDATE":
		for k := 1; k < len(ts) && k < 12; k++ {
			if ts[k].up == "SET" {
				return k > 1
			}
			if ts[k].kind == end {
				return false
			}
		}
	case "EXEC", "EXECUTE":
		return true
	}
	return false
}

func isObjectType(w string) bool {
	switch w {
	case "TABLE", "DATABASE", "SCHEMA", "INDEX", "VIEW", "COLUMN", "FUNCTION", "PROCEDURE", "PROC", "TRIGGER",
		"SEQUENCE", "TYPE", "ROLE", "USER", "EXTENSION", "KEYSPACE", "MATERIALIZED", "DOMAIN", "AGGREGATE", "LOGIN",
		"CONSTRAINT", "PARTITION", "TABLESPACE", "POLICY", "RULE", "SERVER", "FOREIGN", "EVENT", "DICTIONARY", "OWNED",
		"TEMPORARY", "TEMP", "EXTERNAL", "STAGE", "WAREHOUSE", "CATALOG", "PUBLICATION", "SUBSCRIPTION", "SYNONYM",
		"STATISTICS", "COLLATION", "OPERATOR", "CAST", "LANGUAGE", "LARGE", "UNIQUE", "CLUSTERED", "PRIMARY", "KEY":
		return true
	}
	return false
}

// definesBody reports whether ts is CREATE or ALTER of something that carries a
// body of statements.
func definesBody(ts []tok) bool {
	if ts[0].up != "CREATE" && ts[0].up != "ALTER" {
		return false
	}
	for k := 1; k < len(ts) && k < 16; k++ {
		switch ts[k].up {
		case "FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE":
			return true
		case "TABLE", "VIEW", "INDEX", "DATABASE", "SCHEMA", "ROLE", "USER", "TYPE", "SEQUENCE", "RULE", "POLICY":
			return false
		}
		if ts[k].kind == end {
			return false
		}
	}
	return false
}

// bodyEnd is the end of the definition at i: the first end outside BEGIN .. END.
func bodyEnd(ts []tok, i int) int {
	depth := 0
	for j := i; j < len(ts); j++ {
		switch ts[j].kind {
		case end:
			if depth <= 0 || ts[j].text != ";" {
				return j
			}
		case word:
			switch ts[j].up {
			case "BEGIN":
				// BEGIN TRAN has no END.
				if j+1 < len(ts) && (ts[j+1].up == "TRAN" || ts[j+1].up == "TRANSACTION") {
					continue
				}
				depth++
			case "CASE":
				if depth > 0 && ts[j-1].up != "END" {
					depth++
				}
			case "IF", "LOOP", "REPEAT", "WHILE":
				// `END IF` closes what IF opened; an IF without one (SQL Server) would
				// swallow the rest, so these are not counted and `END IF` is not either.
			case "END":
				if j+1 < len(ts) {
					switch ts[j+1].up {
					case "IF", "LOOP", "REPEAT", "WHILE", "FOR":
						continue
					}
				}
				depth--
			}
		}
	}
	return len(ts)
}

// statement reads one statement.
func (r *reader) statement(ts []tok, procedural bool) {
	whole := ts
	for len(ts) > 0 && ts[0].kind == client {
		if strings.HasPrefix(ts[0].text, `\gexec`) {
			r.add(Stmt{Verb: `\gexec`, Effect: Unknown, Text: ts[0].text})
		}
		ts = ts[1:]
	}
	for k := range ts {
		if ts[k].kind == client && strings.HasPrefix(ts[k].text, `\gexec`) {
			// The rows of the query are statements that nobody has seen.
			defer r.add(Stmt{Verb: `\gexec`, Effect: Unknown, Text: ts[k].text})
		}
	}
	ts = dropClient(ts)
	for len(ts) > 0 && ts[0].kind == punct && (ts[0].text == "(" || ts[0].text == "/") {
		ts = ts[1:]
	}
	if procedural {
		ts = stripControl(ts)
	}
	if len(ts) == 0 {
		r.copyCommand(whole)
		return
	}
	verb, effect, object := r.classify(ts)
	if verb == "" {
		if procedural {
			return
		}
		verb = ts[0].up
	}
	if procedural && effect == Unknown && !strings.HasPrefix(verb, "EXEC") && verb != "CALL" && verb != "PERFORM" {
		return
	}
	r.add(Stmt{Verb: verb, Effect: effect, Object: object, Text: r.cut(ts)})
	if procedural || r.depth < depthLimit {
		r.inner(ts)
	}
}

func dropClient(ts []tok) []tok {
	for k := range ts {
		if ts[k].kind == client {
			out := append([]tok(nil), ts[:k]...)
			for _, t := range ts[k:] {
				if t.kind != client {
					out = append(out, t)
				}
			}
			return out
		}
	}
	return ts
}

// copyCommand reads psql's \copy, the one client command that writes to the
// server: its FROM form is a COPY FROM.
func (r *reader) copyCommand(ts []tok) {
	if len(ts) == 0 {
		return
	}
	body, ok := strings.CutPrefix(ts[0].text, `\copy`)
	if !ok {
		return
	}
	r.nested("COPY "+strings.TrimSpace(body), false)
}

// stripControl takes control words of a block off the front.
func stripControl(ts []tok) []tok {
	for len(ts) > 0 {
		switch ts[0].up {
		case "BEGIN", "ELSE", "LOOP", "EXCEPTION", "QUERY", "TRY", "CATCH":
			ts = ts[1:]
			continue
		case "END":
			ts = ts[1:]
			if len(ts) > 0 {
				switch ts[0].up {
				case "IF", "LOOP", "CASE", "WHILE", "REPEAT", "FOR":
					ts = ts[1:]
				}
			}
			continue
		}
		break
	}
	return ts
}

func (r *reader) add(s Stmt) { r.out = append(r.out, s) }

func (r *reader) cut(ts []tok) string {
	return strings.TrimSpace(r.src[ts[0].start:ts[len(ts)-1].stop])
}

// nested reads a statement text that the outer statement executes.
func (r *reader) nested(text string, procedural bool) {
	if r.depth >= depthLimit {
		r.add(Stmt{Verb: "", Effect: Unknown, Text: text})
		return
	}
	in := reader{src: text, depth: r.depth + 1, prepared: r.prepared}
	in.read(tokens(text), procedural)
	r.out = append(r.out, in.out...)
}

// inner reads what ts executes beside itself.
func (r *reader) inner(ts []tok) {
	switch ts[0].up {
	case "DO":
		for _, t := range ts[1:] {
			if t.kind == dollar || t.kind == str {
				r.nested(t.text, true)
			}
		}
		return
	case "EXEC", "EXECUTE":
		r.execute(ts)
		return
	case "PREPARE":
		r.prepare(ts)
		return
	case "CREATE", "ALTER":
		return
	}
	// Functions that run the text they are given, here or on another server.
	for k := 0; k+2 < len(ts); k++ {
		if ts[k].kind != word || ts[k+1].text != "(" || ts[k+1].kind != punct {
			continue
		}
		switch ts[k].up {
		case "DBLINK_EXEC", "DBLINK", "DBLINK_SEND_QUERY", "QUERY_TO_XML", "OPENQUERY", "POSTGRES_EXECUTE", "MYSQL_EXECUTE",
			"POSTGRES_QUERY", "MYSQL_QUERY", "SQLITE_QUERY", "RUN_COMMAND_ON_WORKERS", "RUN_COMMAND_ON_SHARDS":
			// A window, so that calls inside calls do not read the rest over and over.
			for n := k + 2; n < len(ts) && n < k+12 && ts[n].text != ")"; n++ {
				if ts[n].kind == str && strings.ContainsRune(ts[n].text, ' ') && !strings.Contains(ts[n].text, "=") ||
					ts[n].kind == str && looksStatement(ts[n].text) {
					r.nested(ts[n].text, false)
				}
			}
		}
	}
}

// looksStatement reports whether text begins with a statement's verb, so that a
// connection string is not taken for one.
func looksStatement(text string) bool {
	f := strings.Fields(text)
	if len(f) == 0 {
		return false
	}
	switch strings.ToUpper(f[0]) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "ALTER", "CREATE", "WITH", "MERGE", "REPLACE":
		return true
	}
	return false
}

// execute reads EXECUTE and EXEC: of a literal, of format() over a literal, of a
// statement prepared in the same text.
func (r *reader) execute(ts []tok) {
	if len(ts) > 1 && ts[1].kind != str && ts[1].kind != punct {
		name := upper(ts[1].text)
		for _, p := range r.prepared {
			if p.name == name {
				r.nested(p.text, false)
				return
			}
		}
	}
	depth := 0
	var b strings.Builder
	for _, t := range ts[1:] {
		switch {
		case t.kind == punct && t.text == "(":
			depth++
		case t.kind == punct && t.text == ")":
			depth--
		case t.kind == word && (t.up == "USING" || t.up == "INTO"):
			r.nestedText(b.String())
			return
		case t.kind == str || t.kind == dollar:
			if b.Len() == 0 && !looksStatement(t.text) && depth > 1 {
				continue
			}
			b.WriteString(t.text)
		case t.kind == punct && (t.text == "|" || t.text == "+"):
			// Concatenation: what is not literal is left out.
		case t.kind == punct && t.text == "," && b.Len() > 0:
			r.nestedText(b.String())
			return
		case t.kind == word || t.kind == quoted:
			// An expression between literals stands for one name.
			if b.Len() > 0 {
				b.WriteString(" x ")
			}
		}
	}
	r.nestedText(b.String())
}

func (r *reader) nestedText(text string) {
	if strings.TrimSpace(text) != "" {
		r.nested(strings.ReplaceAll(text, "%", ""), false)
	}
}

// prepare keeps the statement of PREPARE name AS .. and PREPARE name FROM '..'.
func (r *reader) prepare(ts []tok) {
	if len(ts) < 4 {
		return
	}
	if len(r.prepared) >= 64 {
		return // EXECUTE of one that was not kept is of unknown effect
	}
	name := upper(ts[1].text)
	for k := 2; k+1 < len(ts); k++ {
		switch {
		case ts[k].up == "AS":
			r.prepared = append(r.prepared, prepared{name, r.src[ts[k+1].start:ts[len(ts)-1].stop]})
			return
		case ts[k].up == "FROM" && ts[k+1].kind == str:
			r.prepared = append(r.prepared, prepared{name, ts[k+1].text})
			return
		}
	}
}
