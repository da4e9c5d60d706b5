package sql

import "strings"

// classify says what the statement does. The verb is empty where the first token
// is no word.
func (r *reader) classify(ts []tok) (verb string, effect Effect, object string) {
	v := ts[0].up
	at := func(k int) string {
		if k < len(ts) {
			return ts[k].up
		}
		return ""
	}
	switch v {
	case "":
		return "", Unknown, ""
	case "SELECT", "VALUES", "TABLE", "PERFORM", "FROM":
		return selectEffect(v, ts)
	case "SHOW", "DESC", "DESCRIBE", "HELP", "LIST", "SUMMARIZE", "PIVOT", "UNPIVOT", "HANDLER", "EXISTS", "CHECK", "CHECKSUM", "FETCH", "MOVE":
		return v, Reads, ""
	case "WITH":
		return withEffect(ts)
	case "EXPLAIN", "ANALYZE", "ANALYSE", "PROFILE":
		return r.explain(ts)
	case "DELETE":
		return v, Destroys, nameAfter(ts, 1, "FROM", "ONLY", "LOW_PRIORITY", "QUICK", "IGNORE")
	case "UPDATE":
		if at(1) == "STATISTICS" {
			return "UPDATE STATISTICS", Writes, nameAfter(ts, 2)
		}
		return v, Destroys, nameAfter(ts, 1, "ONLY", "LOW_PRIORITY", "IGNORE", "OR", "ROLLBACK", "ABORT", "REPLACE", "FAIL")
	case "TRUNCATE":
		return v, Destroys, nameAfter(ts, 1, "TABLE", "DATABASE", "ONLY", "IF", "EXISTS")
	case "DROP":
		return drop(ts)
	case "ALTER":
		return alter(ts)
	case "INSERT":
		if at(1) == "OVERWRITE" {
			return "INSERT OVERWRITE", Destroys, nameAfter(ts, 2, "TABLE", "INTO")
		}
		if at(1) == "OR" && at(2) == "REPLACE" {
			return "INSERT OR REPLACE", Destroys, nameAfter(ts, 3, "INTO")
		}
		return v, Writes, nameAfter(ts, 1, "INTO", "IGNORE", "OR", "ABORT", "FAIL", "ROLLBACK", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "TABLE")
	case "REPLACE":
		// A row with the same key is deleted first.
		return v, Destroys, nameAfter(ts, 1, "INTO", "LOW_PRIORITY", "DELAYED")
	case "MERGE":
		object = nameAfter(ts, 1, "INTO")
		for k := range ts {
			if ts[k].up == "THEN" && at(k+1) == "DELETE" {
				return "MERGE DELETE", Destroys, object
			}
		}
		return v, Writes, object
	case "CREATE":
		return create(ts)
	case "COPY":
		return copyEffect(ts)
	case "LOAD", "IMPORT":
		return v, Writes, ""
	case "UNLOAD", "EXPORT":
		return v, Reads, ""
	case "GRANT", "REVOKE", "DENY", "COMMENT", "REINDEX", "REFRESH", "OPTIMIZE", "REPAIR", "CLUSTER", "RENAME", "VACUUM", "SECURITY",
		"ATTACH", "DETACH", "INSTALL", "UNINSTALL", "SYSTEM", "REASSIGN", "BACKUP", "KILL", "FLUSH", "SHUTDOWN", "BULK", "UNDROP",
		"EXCHANGE", "CHANGE", "STOP", "CHECKPOINT", "NOTIFY":
		return v, Writes, ""
	case "RESTORE":
		for k := range ts {
			if ts[k].up == "REPLACE" {
				return "RESTORE REPLACE", Destroys, nameAfter(ts, 1, "DATABASE")
			}
		}
		return v, Writes, nameAfter(ts, 1, "DATABASE")
	case "PURGE":
		return v, Destroys, ""
	case "RESET":
		if at(1) == "MASTER" || at(1) == "BINARY" {
			return "RESET " + at(1), Destroys, ""
		}
		return v, Session, ""
	case "SET", "BEGIN", "START", "COMMIT", "ROLLBACK", "END", "ABORT", "SAVEPOINT", "RELEASE", "USE", "PRAGMA", "DECLARE", "OPEN", "CLOSE",
		"LISTEN", "UNLISTEN", "LOCK", "UNLOCK", "DEALLOCATE", "DISCARD", "PRINT", "WAITFOR", "PREPARE", "GO", "IF", "WHILE", "ELSE",
		"RAISE", "RAISERROR", "RETURN", "EXIT", "QUIT", "SIGNAL", "XA", "TRY", "CATCH", "THROW", "NULL", "CONTINUE", "FOR", "FOREACH", "DO":
		if v == "START" && at(1) != "TRANSACTION" || v == "USE" {
			return v, Session, nameAfter(ts, 1)
		}
		return v, Session, ""
	case "CALL":
		return v, Unknown, nameAfter(ts, 1)
	case "EXEC", "EXECUTE":
		if len(ts) > 1 && ts[1].kind == str {
			return v, Unknown, ""
		}
		return v, Unknown, nameAfter(ts, 1, "IMMEDIATE")
	}
	return v, Unknown, ""
}

// selectEffect reads a query. It writes with INTO and with the functions that
// change what they are given, and may do anything through the few that run
// programs or text.
func selectEffect(v string, ts []tok) (string, Effect, string) {
	object := ""
	effect := Reads
	depth := 0
	for k := 1; k < len(ts); k++ {
		t := &ts[k]
		if t.kind == punct {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
			}
			continue
		}
		if t.kind != word {
			continue
		}
		call := k+1 < len(ts) && ts[k+1].kind == punct && ts[k+1].text == "("
		switch {
		case t.up == "FROM" && object == "" && depth == 0:
			object = nameAfter(ts, k+1, "ONLY", "LATERAL")
		case t.up == "INTO" && depth == 0 && k+1 < len(ts):
			switch next := ts[k+1]; {
			case next.kind == word && strings.HasPrefix(next.text, "@"), next.up == "STRICT":
				// A variable of the session.
			case next.up == "OUTFILE" || next.up == "DUMPFILE":
				return v + " INTO " + next.up, Writes, object
			default:
				return v + " INTO", Writes, nameAfter(ts, k+1, "TEMP", "TEMPORARY", "UNLOGGED", "TABLE")
			}
		case call:
			switch t.up {
			case "LO_UNLINK", "PG_DROP_REPLICATION_SLOT", "DROP_CHUNKS", "DROPGEOMETRYTABLE", "DROPGEOMETRYCOLUMN", "TRUNCATE_LOCAL_DATA_AFTER_DISTRIBUTING_TABLE", "CITUS_DROP_ALL_SHARDS":
				effect = Destroys
			case "SETVAL", "LO_IMPORT", "LO_EXPORT", "LO_CREATE", "LO_PUT", "LO_FROM_BYTEA", "WRITEFILE", "PG_TERMINATE_BACKEND", "PG_CANCEL_BACKEND",
				"PG_RELOAD_CONF", "PG_ROTATE_LOGFILE", "CREATE_HYPERTABLE", "PG_SWITCH_WAL", "SET_CONFIG", "ADDGEOMETRYCOLUMN":
				effect = max(effect, Writes)
			case "EDIT", "LOAD_EXTENSION", "SYS_EXEC", "SYS_EVAL":
				return v, Unknown, object
			}
		}
	}
	return v, effect, object
}

// withEffect finds what a WITH statement does: its common tables may delete,
// and so may the statement behind them.
func withEffect(ts []tok) (string, Effect, string) {
	best, verb, object := Reads, "WITH SELECT", ""
	for k := 1; k < len(ts); k++ {
		t := &ts[k]
		if t.kind != word {
			continue
		}
		p := &ts[k-1]
		if p.text != "(" && p.text != ")" || p.kind != punct {
			continue
		}
		switch t.up {
		case "DELETE":
			return "WITH DELETE", Destroys, nameAfter(ts, k+1, "FROM", "ONLY")
		case "UPDATE":
			return "WITH UPDATE", Destroys, nameAfter(ts, k+1, "ONLY")
		case "MERGE":
			if _, e, o := (&reader{}).classify(ts[k:]); e == Destroys {
				return "WITH MERGE", e, o
			}
			best, verb, object = Writes, "WITH MERGE", nameAfter(ts, k+1, "INTO")
		case "INSERT", "REPLACE":
			v, e, o := (&reader{}).classify(ts[k:])
			if e == Destroys {
				return "WITH " + v, e, o
			}
			best, verb, object = Writes, "WITH INSERT", o
		case "SELECT":
			if p.text == ")" {
				if v, e, o := selectEffect("SELECT", ts[k:]); e != Reads && best != Writes {
					best, verb, object = e, "WITH "+v, o
				} else if object == "" {
					object = o
				}
			}
		}
	}
	return verb, best, object
}

// explain reads EXPLAIN, which executes its statement only with ANALYZE, and
// MariaDB's ANALYZE, which always does. A bare ANALYZE gathers statistics.
func (r *reader) explain(ts []tok) (string, Effect, string) {
	v := ts[0].up
	run := v == "PROFILE"
	for k := 1; k < len(ts); k++ {
		t := &ts[k]
		switch t.up {
		case "ANALYZE", "ANALYSE":
			run = true
			if k+1 < len(ts) {
				switch ts[k+1].up {
				case "FALSE", "OFF", "0":
					run = false
				}
			}
		case "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "WITH", "CREATE", "EXECUTE", "DECLARE", "TABLE", "VALUES", "REFRESH", "TRUNCATE", "DROP", "ALTER":
			if t.up == "TABLE" && v != "EXPLAIN" {
				continue
			}
			if v == "ANALYZE" || v == "ANALYSE" {
				run = true
			}
			sub, e, o := r.classify(ts[k:])
			if !run {
				return "EXPLAIN " + sub, Session, o
			}
			return v + mark(v) + sub, e, o
		}
	}
	if v == "EXPLAIN" {
		return v, Reads, ""
	}
	return v, Writes, nameAfter(ts, 1, "TABLE", "VERBOSE", "LOCAL", "NO_WRITE_TO_BINLOG")
}

func mark(v string) string {
	if v == "EXPLAIN" {
		return " ANALYZE "
	}
	return " "
}

func drop(ts []tok) (string, Effect, string) {
	verb, k := "DROP", 1
	for k < len(ts) && ts[k].kind == word && isObjectType(ts[k].up) && k < 4 {
		if ts[k].up != "TEMPORARY" && ts[k].up != "TEMP" {
			verb += " " + ts[k].up
		}
		k++
	}
	return verb, Destroys, nameAfter(ts, k, "IF", "EXISTS", "CONCURRENTLY", "BY")
}

// alter reads ALTER. Taking away a default or a not-null constraint takes no data.
func alter(ts []tok) (string, Effect, string) {
	verb, k := "ALTER", 1
	for k < len(ts) && ts[k].kind == word && (isObjectType(ts[k].up) || ts[k].up == "IGNORE" || ts[k].up == "ONLINE") && k < 4 {
		verb += " " + ts[k].up
		k++
	}
	object, next := name(ts, k, "IF", "EXISTS", "ONLY")
	depth := 0
	clause := true // at the head of an action: right behind the name, or after a comma
	for k = next; k < len(ts); k++ {
		t := &ts[k]
		if t.kind == punct {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
			case ",":
				clause = depth == 0
			}
			continue
		}
		if !clause || depth > 0 || t.kind != word {
			continue
		}
		clause = false
		at := ""
		if k+1 < len(ts) {
			at = ts[k+1].up
		}
		switch t.up {
		case "ON":
			// ClickHouse: ON CLUSTER name stands between the name and the action.
			if at == "CLUSTER" {
				k += 2
				clause = true
			}
		case "DROP":
			what := at
			switch at {
			case "COLUMN", "PARTITION", "CONSTRAINT", "INDEX", "PRIMARY", "KEY", "FOREIGN", "CHECK", "PROJECTION", "STATISTICS", "SUBPARTITION", "PART", "FEATURE":
			default:
				what = "COLUMN" // the word is optional
			}
			return verb + " DROP " + what, Destroys, object
		case "DELETE", "UPDATE", "CLEAR", "TRUNCATE", "DISCARD", "FORGET":
			return verb + " " + t.up, Destroys, object
		}
	}
	return verb, Writes, object
}

func create(ts []tok) (string, Effect, string) {
	verb, k := "CREATE", 1
	replace := false
	for k < len(ts) && ts[k].kind == word && k < 10 {
		switch ts[k].up {
		case "OR":
			k++
			continue
		case "REPLACE":
			replace = true
			k++
			continue
		case "TEMP", "TEMPORARY", "UNLOGGED", "GLOBAL", "LOCAL", "VIRTUAL", "UNIQUE", "CONCURRENTLY", "EXTERNAL", "TRANSIENT", "RECURSIVE", "CLUSTERED", "NONCLUSTERED", "FULLTEXT", "SPATIAL", "PERSISTENT":
			k++
			continue
		}
		if !isObjectType(ts[k].up) {
			break
		}
		verb += " " + ts[k].up
		k++
		if ts[k-1].up != "MATERIALIZED" && ts[k-1].up != "FOREIGN" {
			break
		}
	}
	object, _ := name(ts, k, "IF", "NOT", "EXISTS", "CONCURRENTLY")
	if replace && (strings.HasSuffix(verb, " TABLE") || strings.HasSuffix(verb, " DATABASE") || strings.HasSuffix(verb, " SCHEMA")) {
		// The old one goes, with its rows.
		return "CREATE OR REPLACE" + strings.TrimPrefix(verb, "CREATE"), Destroys, object
	}
	return verb, Writes, object
}

// copyEffect reads COPY: FROM writes rows, TO reads them, unless the query in
// parentheses is one that destroys.
func copyEffect(ts []tok) (string, Effect, string) {
	depth := 0
	for k := 1; k < len(ts); k++ {
		t := &ts[k]
		switch {
		case t.kind == punct && t.text == "(":
			depth++
			if k == 1 && k+1 < len(ts) {
				if v, e, o := (&reader{}).classify(ts[k+1:]); e == Destroys {
					return "COPY " + v, e, o
				}
			}
		case t.kind == punct && t.text == ")":
			depth--
		case depth == 0 && t.up == "FROM":
			return "COPY FROM", Writes, nameAfter(ts, 1)
		case depth == 0 && t.up == "TO":
			if k == 1 || ts[1].text == "(" {
				return "COPY TO", Reads, ""
			}
			return "COPY TO", Reads, nameAfter(ts, 1)
		case depth == 0 && t.up == "INTO": // Snowflake: COPY INTO table FROM stage
			return "COPY INTO", Writes, nameAfter(ts, k+1)
		}
	}
	return "COPY", Unknown, nameAfter(ts, 1)
}

// nameAfter is the dotted name at k, behind any of the words in skip.
func nameAfter(ts []tok, k int, skip ...string) string {
	s, _ := name(ts, k, skip...)
	return s
}

// name is nameAfter and the index behind the name.
func name(ts []tok, k int, skip ...string) (string, int) {
next:
	for k < len(ts) && ts[k].kind == word {
		for _, s := range skip {
			if ts[k].up == s {
				k++
				continue next
			}
		}
		break
	}
	if k < len(ts) && ts[k].up == "TOP" && k+1 < len(ts) && ts[k+1].text == "(" {
		for k < len(ts) && ts[k].text != ")" {
			k++
		}
		return name(ts, k+1, skip...)
	}
	if k >= len(ts) || ts[k].kind != word && ts[k].kind != quoted && ts[k].kind != str {
		return "", k
	}
	var b strings.Builder
	b.WriteString(ts[k].text)
	k++
	for k+1 < len(ts) && ts[k].kind == punct && ts[k].text == "." && (ts[k+1].kind == word || ts[k+1].kind == quoted) {
		b.WriteByte('.')
		b.WriteString(ts[k+1].text)
		k += 2
	}
	return b.String(), k
}
