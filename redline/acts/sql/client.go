package sql

import "strings"

// Shells are the command lines that the client or the server would hand to a
// shell, in order: psql's `\!` and `\g |cmd`, `\o |cmd`, `\copy .. program`,
// sqlite3's `.shell`, `.system` and `.output |cmd`, mysql's `system`, `\!`,
// `pager` and `tee`, COPY .. PROGRAM, and SQL Server's xp_cmdshell. Those of the
// server run on its machine; [Files] tells the files of both.
func Shells(text string) []string {
	var out []string
	scan(text, func(u FileUse) {
		if u.Program {
			out = append(out, u.Path)
		}
	})
	return out
}

// FileUse is a file or a program that the text makes the client or the server
// use.
type FileUse struct {
	// Path is the file as written, without quotes, or the command line where
	// Program is set.
	Path string
	// Write is set where it is written, else it is read.
	Write bool
	// Program is set where Path is a command line for a shell.
	Program bool
	// Run is set where the file holds statements that would be executed: `\i`,
	// `source`, `.read`.
	Run bool
	// Server is set where the database server does it, with its own files.
	Server bool
	// How is the word that says so: `\o`, `.output`, "COPY TO", "INTO OUTFILE".
	How string
}

// Files are the files that the text makes the client or the server read or
// write, in order. Programs ([Shells]) are not among them.
func Files(text string) []FileUse {
	var out []FileUse
	scan(text, func(u FileUse) {
		if !u.Program {
			out = append(out, u)
		}
	})
	return out
}

func scan(text string, yield func(FileUse)) {
	ts := tokens(text)
	for i := 0; i < len(ts); {
		if ts[i].kind == client {
			clientCommand(ts[i].text, yield)
			i++
			continue
		}
		j := i
		for j < len(ts) && ts[j].kind != end && ts[j].kind != client {
			j++
		}
		if j > i {
			serverFiles(ts[i:j], yield)
		}
		if j < len(ts) && ts[j].kind == end {
			j++
		}
		i = j
	}
}

// clientCommand reads one command of a client.
func clientCommand(line string, yield func(FileUse)) {
	name, rest := cutName(line)
	arg := func() string { s, _ := argument(rest); return s }
	file := func(u FileUse) {
		u.How = name
		s := strings.TrimSpace(rest)
		if cmd, ok := strings.CutPrefix(s, "|"); ok {
			u.Path, u.Program, u.Run = strings.TrimSpace(cmd), true, false
		} else {
			u.Path, _ = argument(s)
		}
		if u.Path != "" && u.Path != "stdout" {
			yield(u)
		}
	}
	switch strings.ToLower(name) {
	case `\!`, ".shell", ".system", "system":
		if s := strings.TrimSpace(rest); s != "" {
			if name[0] == '.' {
				s = unquoteAll(s)
			}
			yield(FileUse{Path: strings.TrimSuffix(s, ";"), Program: true, How: name})
		}
	case "pager":
		if s := strings.TrimSpace(rest); s != "" {
			yield(FileUse{Path: s, Program: true, How: name})
		}
	case `\i`, `\ir`, `\include`, `\include_relative`, ".read", "source", `\.`:
		file(FileUse{Run: true})
	case `\o`, `\out`, `\w`, `\write`, `\g`, `\gx`, ".output", ".once", ".excel", "tee", `\t`, ".backup", ".save", ".dump", ".log", ".trace", ".clone":
		if name == `\t` || name == ".dump" && !strings.Contains(rest, ">") {
			return // psql: tuples only; sqlite3: prints
		}
		file(FileUse{Write: true})
	case ".restore", ".open", ".load", ".import", `\lo_import`, ".archive", ".ar":
		file(FileUse{})
	case `\lo_export`:
		_, after := argument(rest)
		if p, _ := argument(after); p != "" {
			yield(FileUse{Path: p, Write: true, How: name})
		}
	case `\copy`:
		if p := arg(); p != "" {
			copyFile(tokens(rest), yield, name, false)
		}
	}
}

// cutName splits a client command into its name and the rest.
func cutName(line string) (name, rest string) {
	if strings.HasPrefix(line, `\!`) || strings.HasPrefix(line, `\.`) {
		return line[:2], line[2:]
	}
	i := 1
	for i < len(line) && isWord(line[i]) {
		i++
	}
	return line[:i], line[i:]
}

// argument is the first argument of rest without quotes, and what follows it.
func argument(rest string) (string, string) {
	rest = strings.TrimLeft(rest, " \t")
	if rest == "" {
		return "", ""
	}
	if q := rest[0]; q == '\'' || q == '"' {
		if i := strings.IndexByte(rest[1:], q); i >= 0 {
			return rest[1 : 1+i], rest[i+2:]
		}
		return rest[1:], ""
	}
	i := strings.IndexAny(rest, " \t\r\n")
	if i < 0 {
		return strings.TrimSuffix(rest, ";"), ""
	}
	return strings.TrimSuffix(rest[:i], ";"), rest[i:]
}

// unquoteAll takes off quotes that sqlite3 takes off before it joins the words.
func unquoteAll(s string) string {
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] && strings.IndexByte(s[1:len(s)-1], s[0]) < 0 {
		return s[1 : len(s)-1]
	}
	return s
}

// serverFiles finds the files and programs of one statement.
func serverFiles(ts []tok, yield func(FileUse)) {
	if ts[0].up == "COPY" || ts[0].up == "EXPORT" || ts[0].up == "UNLOAD" {
		copyFile(ts[1:], yield, ts[0].up, true)
	}
	for k := 0; k+1 < len(ts); k++ {
		t, next := &ts[k], &ts[k+1]
		if t.kind != word {
			continue
		}
		switch t.up {
		case "OUTFILE", "DUMPFILE":
			if next.kind == str || next.kind == quoted {
				yield(FileUse{Path: next.text, Write: true, Server: true, How: "INTO " + t.up})
			}
		case "INFILE":
			if next.kind == str || next.kind == quoted {
				yield(FileUse{Path: next.text, Server: k == 0 || ts[k-1].up != "LOCAL", How: "LOAD DATA"})
			}
		case "ATTACH":
			if n := k + 1; k == 0 {
				for n < len(ts) && ts[n].kind == word {
					n++
				}
				if n < len(ts) && ts[n].kind == str {
					yield(FileUse{Path: ts[n].text, How: "ATTACH"})
				}
			}
		case "INTO":
			if ts[0].up == "VACUUM" && next.kind == str {
				yield(FileUse{Path: next.text, Write: true, How: "VACUUM INTO"})
			}
		case "DISK":
			if ts[0].up == "BACKUP" && k+2 < len(ts) && ts[k+2].kind == str {
				yield(FileUse{Path: ts[k+2].text, Write: true, Server: true, How: "BACKUP"})
			}
		case "XP_CMDSHELL", "SYS_EXEC", "SYS_EVAL":
			for n := k + 1; n < len(ts) && n < k+4; n++ {
				if ts[n].kind == str {
					yield(FileUse{Path: ts[n].text, Program: true, Server: true, How: strings.ToLower(t.up)})
					break
				}
			}
		case "WRITEFILE", "READFILE", "LOAD_FILE", "PG_READ_FILE", "PG_READ_BINARY_FILE", "LO_EXPORT":
			if next.text != "(" {
				continue
			}
			for n := k + 2; n < len(ts) && ts[n].text != ")"; n++ {
				if ts[n].kind == str {
					yield(FileUse{Path: ts[n].text, Write: t.up == "WRITEFILE" || t.up == "LO_EXPORT",
						Server: t.up != "WRITEFILE" && t.up != "READFILE", How: strings.ToLower(t.up)})
					break
				}
			}
		}
	}
}

// copyFile finds the file or the program of a COPY behind its TO or FROM.
func copyFile(ts []tok, yield func(FileUse), how string, server bool) {
	depth := 0
	for k := 0; k+1 < len(ts); k++ {
		t := &ts[k]
		if t.kind == punct {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
			}
		}
		if depth > 0 || t.up != "TO" && t.up != "FROM" {
			continue
		}
		next := &ts[k+1]
		u := FileUse{Write: t.up == "TO", Server: server, How: how + " " + t.up}
		switch {
		case next.up == "PROGRAM":
			if k+2 < len(ts) && (ts[k+2].kind == str || ts[k+2].kind == dollar) {
				u.Path, u.Program = ts[k+2].text, true
				yield(u)
			}
			return
		case next.up == "STDIN" || next.up == "STDOUT" || next.up == "PSTDIN" || next.up == "PSTDOUT":
			return
		case next.kind == str || next.kind == dollar || next.kind == quoted:
			u.Path = next.text
			yield(u)
			return
		case !server && next.kind == word || !server && next.kind == punct:
			// psql takes a bare file name: the tokens up to the next blank.
			stop := next.stop
			var b strings.Builder
			b.WriteString(next.text)
			for n := k + 2; n < len(ts) && ts[n].start == stop; n++ {
				b.WriteString(ts[n].text)
				stop = ts[n].stop
			}
			u.Path = b.String()
			yield(u)
			return
		}
	}
}
