package automode

import (
	"strings"

	"spar/redline/acts"
)

// checkDatabase judges clients of databases: all of it must be in view, and the
// server on this machine by a literal address.
func (j *judgement) checkDatabase(c *command) string {
	for name := range j.o.Env {
		if strings.HasPrefix(name, "PG") && (name == "PGHOSTADDR" || name == "PGSERVICE" || name == "PGOPTIONS" || name == "PGSERVICEFILE") {
			return name + " moves the connection"
		}
	}
	hosts := 0
	var statements []acts.Word
	for _, g := range c.opts {
		v, ok := g.value.Known()
		switch g.name {
		case "-h", "--host":
			hosts++
			if !ok || !loopback(v) {
				return "the host " + g.value.String() + " is not this machine"
			}
		case "-c", "--command", "-e", "--execute":
			if g.has || c.check == checkPsql && g.name != "-e" {
				statements = append(statements, g.value)
			}
		case "-d", "--dbname", "-D", "--database", "-U", "-u", "--user", "--username", "-p", "-P", "--port":
			if !ok || !plainName(v) {
				return "the value of " + g.name + " is not a plain name"
			}
		default:
			if g.has && !ok {
				return "the value of " + g.name + " is not in view"
			}
		}
	}
	if hosts != 1 {
		return c.name + " without one host in view"
	}
	switch c.check {
	case checkLocalDB:
		return plainOperands(c.operands)
	case checkRedis:
		return redisCommand(c.operands, c.has("--scan"))
	}
	if why := plainOperands(c.operands); why != "" {
		return why
	}
	if c.check == checkPsql && c.has("-l", "--list") && len(statements) == 0 {
		return ""
	}
	if len(statements) == 0 {
		return c.name + " takes statements that are not in view"
	}
	for _, w := range statements {
		t, ok := w.Known()
		if !ok {
			return "the statement is not in view"
		}
		if why := statement(t, c.check == checkMysql); why != "" {
			return why
		}
	}
	return ""
}

func plainOperands(list []acts.Word) string {
	for _, w := range list {
		if t, ok := w.Known(); !ok || !plainName(t) {
			return w.String() + " is not a plain name"
		}
	}
	return ""
}

// plainName reports whether a word can only be a name, not a connection string.
func plainName(t string) bool {
	for i := 0; i < len(t); i++ {
		if c := t[i]; !letterish(c) && c != '.' {
			return false
		}
	}
	return t != ""
}

// statement is why SQL or a client's own command may leave the database, or "".
func statement(t string, mysql bool) string {
	l := strings.ToLower(t)
	for _, s := range [...]string{"program", "pg_read", "pg_ls_", "pg_write", "pg_stat_file", "pg_file_", "lo_import", "lo_export", "lo_get", "copy", "dblink", "_fdw", "create server", "language", "extension", "load", "alter system", "pg_execute", "outfile", "dumpfile", "infile", "install", "xp_", "create function", "create or replace function", "sys_exec", "sys_eval", "pg_authid", "pg_shadow", "create procedure", "do $"} {
		if strings.Contains(l, s) {
			return "the statement has " + s
		}
	}
	if mysql {
		// Words that the client itself runs, at the start of any line or statement.
		for _, part := range strings.FieldsFunc(l, func(r rune) bool { return r == ';' || r == '\n' }) {
			word, _, _ := strings.Cut(strings.TrimSpace(part), " ")
			switch word {
			case "system", "source", "tee", "pager", "edit", "notee", "nopager", "delimiter", "connect", ".", "prompt":
				return "the client runs " + word
			}
		}
		if strings.Contains(l, `\`) {
			return "the statement has a command of the client"
		}
		return ""
	}
	for i := 0; i < len(t); i++ {
		if t[i] != '\\' {
			continue
		}
		rest := t[i+1:]
		word := rest
		if k := strings.IndexAny(rest, " ;\n\\"); k >= 0 {
			word = rest[:k]
		}
		word = strings.TrimRight(word, "+S")
		switch word {
		case "d", "dt", "di", "dv", "dn", "du", "dg", "ds", "df", "dx", "dm", "dp", "dT", "dE", "dD", "l", "x", "z", "conninfo", "timing":
			// Back quotes in a client command run a program.
			if strings.Contains(rest, "`") || strings.ContainsAny(rest, "|") {
				return "a command of psql that runs a program"
			}
		default:
			return "a command of psql: \\" + word
		}
	}
	return ""
}

func redisCommand(words []acts.Word, scan bool) string {
	if len(words) == 0 {
		if scan {
			return ""
		}
		return "redis-cli takes commands that are not in view"
	}
	for _, w := range words {
		if _, ok := w.Known(); !ok {
			return "the command of redis-cli is not in view"
		}
	}
	t, _ := words[0].Known()
	switch strings.ToUpper(t) {
	case "GET", "SET", "MGET", "MSET", "SETEX", "GETSET", "DEL", "UNLINK", "EXISTS", "KEYS", "SCAN", "TTL", "PTTL", "TYPE", "HGET", "HGETALL", "HMGET",
		"HSET", "HDEL", "HKEYS", "HVALS", "HLEN", "HEXISTS", "HSCAN", "LRANGE", "LLEN", "LPUSH", "RPUSH", "LPOP", "RPOP", "LINDEX", "SMEMBERS", "SADD", "SREM",
		"SCARD", "SISMEMBER", "SSCAN", "ZRANGE", "ZREVRANGE", "ZADD", "ZREM", "ZCARD", "ZSCORE", "ZCOUNT", "ZSCAN", "INCR", "DECR", "INCRBY", "EXPIRE", "PERSIST", "INFO",
		"DBSIZE", "PING", "ECHO", "TIME", "STRLEN", "XLEN", "XRANGE", "XREVRANGE", "XINFO", "RANDOMKEY", "FLUSHDB", "FLUSHALL", "GETRANGE", "BITCOUNT":
		return ""
	case "MEMORY":
		if len(words) > 1 && (words[1].Is("usage") || words[1].Is("USAGE") || words[1].Is("stats") || words[1].Is("STATS")) {
			return ""
		}
	}
	return "redis-cli " + t + " is not known to stay in the database"
}
