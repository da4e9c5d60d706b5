package redline

import (
	"slices"
	"strings"

	"spar/redline/acts"
)

// role is how a program stands to the paths among its words.
type role uint8

const (
	// touches: every path it names may be written. What nobody knows is of this
	// kind: a command that names production and is no reader.
	touches role = iota
	// reads: it only looks; nothing but its redirections lands anywhere.
	reads
	// idle: it changes nothing but the shell itself (cd, export, test).
	idle
	// lands: it writes where target says, and reads the rest.
	lands
)

// production charges an act that writes where production is. before are the kinds
// charged before the act, to tell whether the tariff has something to say of it.
func (p *pricer) production(l *line, before bit) {
	st := gnu
	values := ""
	if l.prog != nil {
		st, values = l.prog.Style, l.prog.Value
	} else if windowsVerb(l.name) {
		st = cmdlet
	}
	l.sift(st, values, moreValues(l.name), 0)
	if l.helps() || l.dry() {
		return
	}
	r, words := l.lands()
	switch r {
	case reads, idle:
		return
	case lands:
		if l.act.Appended && l.takesAll() {
			p.found(l)
		}
		for _, w := range words {
			if w.text == "{}" {
				p.found(l)
			}
			p.writesWord(l.at, l.act.Dir, w, l.name+" writes there")
		}
		return
	case touches:
		if pat, ok := p.inDir(l.act.Dir); ok {
			p.charge(l.at, bitProduction, l.name+" runs in production: "+pat, nil)
			return
		}
		for _, w := range words {
			if sentence(w.text) {
				continue
			}
			if pat, ok := p.names(l.act, w.word, w.text); ok {
				p.charge(l.at, bitProduction, orName(l.name, "a command")+" names production and is no reader: "+pat, nil)
				return
			}
		}
		// OUT=/srv/live make: the program is told of production all the same.
		for _, a := range l.act.Assigns {
			if text := a.Value.String(); !sentence(text) {
				if pat, ok := p.names(l.act, a.Value, text); ok {
					p.charge(l.at, bitProduction, orName(l.name, "a command")+" is given production in "+a.Name+": "+pat, nil)
					return
				}
			}
		}
	}
}

// takesAll reports whether whatever a wrapper adds to the act's words is written.
func (l *line) takesAll() bool {
	switch l.name {
	case "sed", "gsed", "perl", "ruby", "chmod", "chown", "chgrp", "rm", "unlink", "touch", "truncate", "shred", "gzip", "gunzip", "mv", "mkdir", "rmdir", "tee", "patch":
		return true
	}
	return false
}

// found charges words that come from a find or a pipe by what fed them: what
// `grep -rl x /srv/live | xargs sed -i` edits lies where grep looked.
func (p *pricer) found(l *line) {
	try := func(i int) bool {
		a := &p.out.Reading.Acts[i]
		if len(a.Argv) == 0 {
			return false
		}
		if pat, ok := p.inDir(a.Dir); ok {
			p.charge(l.at, bitProduction, l.name+" writes what was found there: "+pat, nil)
			return true
		}
		for _, w := range a.Argv[1:] {
			if s, _ := literal(w); !sentence(s) {
				if pat, ok := p.names(a, w, s); ok {
					p.charge(l.at, bitProduction, l.name+" writes what was found there: "+pat, nil)
					return true
				}
			}
		}
		return false
	}
	for _, i := range l.act.Stdin.From {
		if i >= 0 && i < l.at && try(i) {
			return
		}
	}
	if len(l.act.Stdin.From) == 0 && l.at > 0 && contains(l.act.Via, "xargs", "parallel") && try(l.at-1) {
		return // the wrapper has read the pipe; what fed it stands in front of it
	}
	if contains(l.act.Via, "find", "fd") {
		for i := l.at - 1; i >= 0; i-- {
			if n := p.out.Reading.Acts[i].Name(); n == "find" || n == "fd" {
				try(i)
				return
			}
		}
	}
}

func orName(name, other string) string {
	if name == "" {
		return other
	}
	return name
}

// dry reports whether the act is a dry run by one of the flags that mean so
// everywhere, or by -n where the program documents it.
func (l *line) dry() bool {
	if l.prog != nil && l.prog.Style == cmdlet {
		return l.has("-whatif")
	}
	for i := range l.opts {
		switch l.opts[i].name {
		case "--dry-run", "--dryrun", "--dryRun", "-dry-run", "--just-print", "--recon":
			return !l.opts[i].has || !falsy(l.opts[i].value.text)
		case "-n":
			switch l.name {
			case "rsync", "make", "gmake", "rclone":
				return true
			case "git":
				switch l.op(0) {
				case "push", "clean", "rm", "add", "mv", "prune":
					return true
				}
			}
		}
	}
	return false
}

// inDir reports whether a directory lies in production.
func (p *pricer) inDir(dir acts.Word) (string, bool) {
	if len(dir.Parts) == 0 {
		return "", false
	}
	return p.prod.in(dir.String())
}

// writes charges a path that something is written to.
func (p *pricer) writes(i int, dir, w acts.Word, why string) {
	if len(p.prod) == 0 {
		return
	}
	p.writesWord(i, dir, arg{text: w.String(), word: w}, why)
}

func (p *pricer) writesWord(i int, dir acts.Word, w arg, why string) {
	if pat, ok := p.lies(dir, w.word, w.text); ok {
		p.charge(i, bitProduction, why+": "+pat, nil)
	}
}

// lies reports whether the path w lands in production.
func (p *pricer) lies(dir, w acts.Word, text string) (string, bool) {
	pl := p.out.Reading.Place(dir, w)
	if pl.Null {
		return "", false
	}
	if pat, ok := p.prod.in(pl.Path); ok {
		return pat, true
	}
	if pl.Known {
		return "", false
	}
	return p.prod.in(text)
}

// names reports whether a word names production: as a path, as HOST:PATH, as
// the value of an option, or as a substring of what it says.
func (p *pricer) names(a *acts.Act, w acts.Word, text string) (string, bool) {
	if pat, ok := p.prod.in(text); ok {
		// A substring of something that resolves elsewhere is no match:
		// /srv/live/../stage is the stage.
		if pl := p.out.Reading.Place(a.Dir, w); pl.Known && rooted(slashes(text)) {
			if _, ok := p.prod.in(pl.Path); !ok {
				return "", false
			}
		}
		return pat, true
	}
	if strings.HasPrefix(text, "-") || strings.Contains(text, "://") {
		return "", false
	}
	return p.lies(a.Dir, w, text)
}

// redirects charges what the act's redirections land on.
func (p *pricer) redirects(i int, a *acts.Act) {
	for _, r := range a.Redirs {
		if r.Op == acts.ReadFrom {
			continue
		}
		if len(p.prod) > 0 {
			p.writes(i, a.Dir, r.Target, "a redirection lands there")
		}
		p.redirectPilot(i, a, r)
		if s, ok := r.Target.Known(); ok && r.FD != 2 {
			if name := manifest(s); name != "" {
				p.redirectManifest(i, a, name)
			}
			if device(s) && r.Op != acts.ReadFrom {
				p.charge(i, irr, "writes over a device", nil)
			}
		}
	}
}

// lands says how the act stands to its words, and which of them it writes.
func (l *line) lands() (role, []arg) {
	ops := l.ops
	all := func() []arg {
		out := ops
		for i := range l.opts {
			if l.opts[i].has {
				out = append(out, l.opts[i].value)
			}
		}
		return out
	}
	last := func() []arg {
		if len(ops) == 0 {
			return nil
		}
		return ops[len(ops)-1:]
	}
	value := func(list string) []arg {
		var out []arg
		l.each(list, func(a arg) { out = append(out, a) })
		return out
	}
	switch l.name {
	case "":
		return touches, append(all(), arg{})
	case "cd", "pushd", "popd", "dirs", "export", "set", "unset", "test", "[", "[[", "true", "false", ":", "exit", "return", "break", "continue", "alias", "unalias",
		"shopt", "read", "wait", "local", "declare", "typeset", "readonly", "trap", "type", "hash", "umask", "ulimit", "shift", "getopts", "jobs", "bg", "fg",
		"let", "enable", "complete", "bind", "times", "logout", "mapfile", "readarray", "eval", "exec", "source", ".", "command", "builtin", "sleep", "disown",
		"set-location", "push-location", "pop-location", "set-strictmode", "start-sleep", "set-variable", "setlocal", "endlocal", "rem", "pause", "cls", "title", "chcp", "goto", "call", "if", "clear", "tput", "stty":
		return idle, nil
	case "cat", "bat", "batcat", "tac", "nl", "head", "less", "more", "most", "ls", "exa", "eza", "lsd", "dir", "vdir", "ll", "wc", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep",
		"stat", "file", "du", "df", "pwd", "realpath", "readlink", "basename", "dirname", "echo", "printf", "diff", "cmp", "comm", "colordiff", "delta", "difft", "sdiff", "diff3",
		"cut", "paste", "tr", "rev", "fold", "fmt", "column", "expand", "unexpand", "pr", "join", "od", "hexdump", "hd", "strings", "md5sum", "md5", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shasum", "b2sum", "cksum", "sum", "xxhsum",
		"which", "whereis", "whatis", "man", "info", "apropos", "help", "tldr", "locate", "date", "cal", "uptime", "uname", "hostname", "whoami", "id", "groups", "who", "w", "last", "env", "printenv", "ps", "top", "htop", "pgrep", "lsof", "fuser", "free", "vmstat", "iostat", "netstat", "ss", "ip", "ifconfig", "ping", "dig", "nslookup", "host", "traceroute", "nproc", "lscpu", "lsblk", "findmnt", "getfacl", "lsattr", "namei", "tree", "jq", "gron", "dasel", "xmllint", "zcat", "bzcat", "xzcat", "zless", "tailf", "seq", "yes", "factor", "expr", "bc", "dc", "numfmt", "cloc", "tokei", "scc", "wdiff", "look", "fzf", "watch", "time", "getent", "locale", "tty", "arch", "lsmod", "dmesg", "journalctl", "identify", "exiftool", "mediainfo", "ffprobe", "pdfinfo", "nm", "objdump", "readelf", "ldd", "size", "tail", "fd", "fdfind", "zipinfo", "lsar", "pg_isready", "htmlq", "xq", "pup", "glow", "mdcat", "tidy", "aspell", "wslpath", "cygpath", "say", "logger", "open", "xdg-open",
		"get-content", "get-childitem", "get-item", "get-itemproperty", "select-string", "select-object", "measure-object", "sort-object", "where-object", "foreach-object", "group-object", "format-table", "format-list", "format-wide", "format-custom", "format-hex", "out-host", "out-string", "out-null", "out-default", "write-host", "write-output", "write-error", "write-warning", "write-verbose", "write-debug", "write-information", "get-help", "get-command", "get-process", "get-service", "get-date", "get-location", "get-filehash", "get-acl", "get-member", "get-variable", "get-alias", "get-module", "get-history", "test-path", "test-connection", "resolve-path", "split-path", "join-path", "convertto-json", "convertfrom-json", "convertto-csv", "convertfrom-csv", "convertto-html", "convertto-xml", "import-csv", "import-clixml", "import-module", "compare-object", "get-eventlog", "get-winevent", "get-psdrive", "get-volume", "get-computerinfo", "get-ciminstance", "get-random", "get-unique", "select-xml", "findstr", "where", "ver", "vol", "systeminfo", "tasklist", "fc", "comp":
		switch l.name {
		case "fd", "fdfind", "tree", "xmllint", "jq", "tidy", "diff":
			// The one option that writes.
			return lands, value("-o --output")
		case "watch", "time":
			return idle, nil
		}
		return reads, nil
	case "sort", "shuf":
		return lands, value("-o --output")
	case "uniq", "xxd":
		if l.name == "xxd" && l.has("-r") || len(ops) > 1 {
			if len(ops) > 1 {
				return lands, ops[1:2]
			}
		}
		return reads, nil
	case "base64", "iconv", "yq", "sqlformat", "pygmentize", "pdftotext", "pandoc":
		if l.has("-i --inplace --in-place") && l.name == "yq" {
			return lands, ops
		}
		if l.name == "pdftotext" && len(ops) > 1 {
			return lands, ops[1:2]
		}
		return lands, value("-o --output -O")
	case "awk", "gawk", "mawk", "nawk":
		for i := range l.opts {
			if l.opts[i].name == "-i" && l.opts[i].value.text == "inplace" {
				return lands, ops
			}
		}
		return reads, nil
	case "sed", "gsed", "perl", "ruby":
		if l.inPlace() {
			return lands, l.edited()
		}
		if l.name == "sed" || l.name == "gsed" || l.inline() {
			return reads, nil
		}
	case "find":
		out := value("-fprint -fprint0 -fls -fprintf")
		if l.has("-delete") {
			for _, w := range findRoots(l.act) {
				out = append(out, arg{text: w.String(), word: w})
			}
		}
		return lands, out
	case "tee":
		return lands, ops
	case "rm", "unlink", "rmdir", "shred", "truncate", "mkdir", "touch", "rimraf", "srm", "mkfifo", "mknod", "rd", "md", "del", "erase", "patch", "attrib":
		return lands, ops
	case "chmod", "chown", "chgrp", "setfacl", "chattr", "setfattr", "chcon":
		if _, ref := l.value("--reference"); ref || len(ops) == 0 {
			return lands, ops
		}
		return lands, ops[1:]
	case "remove-item", "clear-content", "set-content", "add-content", "out-file", "new-item", "set-itemproperty", "rename-item", "clear-item", "set-acl", "remove-itemproperty", "new-itemproperty", "tee-object", "export-csv", "export-clixml", "set-item", "start-transcript":
		first := ops[:min(1, len(ops))]
		return lands, append(append([]arg(nil), first...), value("-Path -LiteralPath -FilePath -Destination -NewName -Name -Target")...)
	case "copy-item", "expand-archive", "compress-archive", "start-bitstransfer":
		out := value("-Destination -DestinationPath")
		if len(out) == 0 && len(ops) > 0 {
			n := 1
			if l.value1("-Path -LiteralPath -Source") {
				n = 0
			}
			if len(ops) > n {
				out = ops[n : n+1]
			}
		}
		if len(out) == 0 {
			out = []arg{thisDir}
		}
		return lands, out
	case "move-item":
		return lands, append(append([]arg(nil), ops...), value("-Path -LiteralPath -Destination")...)
	case "invoke-webrequest", "invoke-restmethod", "iwr", "irm":
		return lands, value("-OutFile")
	case "copy", "xcopy", "robocopy":
		// A switch may stand in front: xcopy /e out S:\x.
		ops = slices.DeleteFunc(append([]arg(nil), ops...), func(a arg) bool { return strings.HasPrefix(a.text, "/") && !strings.Contains(a.text[1:], "/") })
		if l.name == "robocopy" && l.has("/mov /move") {
			return lands, ops
		}
		if len(ops) < 2 {
			return lands, []arg{thisDir}
		}
		return lands, ops[1:2]
	case "move", "ren", "rename", "mklink":
		return lands, ops
	case "cp", "install", "ln", "link":
		if t := value("-t --target-directory"); len(t) > 0 {
			return lands, t
		}
		if l.name == "install" && l.has("-d --directory") {
			return lands, ops
		}
		if l.name == "ln" && len(ops) == 1 {
			return lands, []arg{thisDir}
		}
		return lands, last()
	case "mv":
		return lands, append(append([]arg(nil), ops...), value("-t --target-directory")...)
	case "rsync":
		out := last()
		if l.has("--remove-source-files") {
			out = ops
		}
		return lands, append(append([]arg(nil), out...), value("--log-file --backup-dir --partial-dir -T --temp-dir")...)
	case "scp", "pscp":
		return lands, last()
	case "tar", "gtar", "bsdtar":
		return lands, l.tar()
	case "unzip":
		if l.has("-l -t -p -v -Z -z") {
			return reads, nil
		}
		if d := value("-d"); len(d) > 0 {
			return lands, d
		}
		return lands, []arg{thisDir}
	case "zip", "7z", "7za", "7zz", "rar":
		if l.name != "zip" {
			switch l.op(0) {
			case "x", "e":
				for _, a := range l.args {
					if s, ok := strings.CutPrefix(a.text, "-o"); ok && s != "" {
						return lands, []arg{{text: s, known: a.known, word: tail(a.word, 2)}}
					}
				}
				return lands, []arg{thisDir}
			case "l", "t":
				return reads, nil
			}
			if len(ops) > 1 {
				return lands, ops[1:2]
			}
		}
		if l.has("-m --move") {
			return lands, ops
		}
		return lands, ops[:min(1, len(ops))]
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4", "brotli", "compress", "uncompress", "pigz":
		if l.has("-c --stdout -t --test -l --list --to-stdout") {
			return reads, nil
		}
		if o := value("-o --output"); len(o) > 0 {
			return lands, o
		}
		return lands, ops
	case "dd":
		var out []arg
		for _, a := range l.args {
			if s, ok := strings.CutPrefix(a.text, "of="); ok {
				out = append(out, arg{text: s, known: a.known, word: tail(a.word, 3)})
			}
		}
		return lands, out
	case "curl", "curlie":
		out := value("-o --output -D --dump-header -c --cookie-jar --output-dir --trace --trace-ascii --stderr")
		if l.has("-O --remote-name --remote-name-all -J --remote-header-name") && !l.value1("--output-dir") {
			out = append(out, thisDir)
		}
		// `scp://web/srv/live/` and the like: a destination that is a URL.
		if l.value1("-T --upload-file") {
			out = append(out, ops...)
		}
		return lands, out
	case "wget", "wget2":
		if l.has("--spider") {
			return reads, nil
		}
		if o := value("-O --output-document"); len(o) > 0 {
			return lands, o
		}
		if o := value("-P --directory-prefix"); len(o) > 0 {
			return lands, o
		}
		return lands, []arg{thisDir}
	case "http", "https", "xh", "xhs", "aria2c", "yt-dlp":
		return lands, value("-o --output -d --dir -P")
	case "split", "csplit":
		if len(ops) > 1 {
			return lands, ops[1:]
		}
		return lands, []arg{thisDir}
	case "git":
		return l.gitLands()
	case "java", "node", "deno", "bun", "php", "python", "python3", "python2", "pypy", "pypy3", "py":
		if l.inline() || len(l.args) == 1 && either("-v|-V|-version|--version|-i|-m|-l", l.args[0].text) {
			return reads, nil
		}
		if isPython(l.name) && (l.act.Stdin.Kind == acts.Heredoc || l.act.Stdin.Kind == acts.Pipe) && len(ops) <= 1 {
			return reads, nil
		}
		if l.act.Stdin.Kind == acts.Heredoc && len(ops) <= 1 {
			return reads, nil
		}
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "ssh", "sudo", "doas", "xargs", "timeout", "nice", "nohup", "parallel", "su", "runuser", "flock", "script", "pwsh", "powershell", "cmd", "npx", "bunx", "uvx":
		// Wrappers: what they carry is an act of its own.
		if len(ops) == 0 || l.inline() {
			return idle, nil
		}
	case "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "clickhouse-client", "clickhouse", "usql":
		if l.carries() {
			return lands, value("-o --output -L --log-file")
		}
		return touches, all()
	case "pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport":
		return lands, value("-f --file -r --result-file -o --out --output")
	case "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "helm", "terraform", "tofu", "pulumi", "gh", "glab", "aws", "gcloud", "az", "npm", "pnpm", "yarn", "pip", "go", "cargo", "systemctl", "service", "brew", "apt", "apt-get", "pm2", "crontab", "poetry", "uv", "composer", "dotnet", "fly", "heroku", "vercel", "netlify", "firebase", "supabase":
		if l.looks() {
			return reads, nil
		}
		switch l.name {
		case "docker", "podman", "nerdctl", "kubectl", "oc":
			if l.op(0) == "cp" || l.op(1) == "cp" {
				return lands, last()
			}
			out := all()
			return touches, slices.DeleteFunc(append([]arg(nil), out...), func(a arg) bool { return readOnly(a.text) })
		}
	case "ffmpeg":
		return lands, ops // what -i names is read
	case "vim", "vi", "nvim":
		if l.has("-R -M") {
			return reads, nil
		}
	case "view":
		return reads, nil
	case "json.tool":
		if len(ops) > 1 {
			return lands, ops[1:2]
		}
		return reads, nil
	case "spar":
		return reads, nil
	}
	return touches, all()
}

// edited are the operands of an editor on the line that are files: a script that
// mentions production is text.
func (l *line) edited() []arg {
	out := make([]arg, 0, len(l.ops))
next:
	for _, a := range l.ops {
		for i, w := range l.act.Argv {
			if l.act.IsCode(i) && w.String() == a.text {
				continue next
			}
		}
		out = append(out, a)
	}
	return out
}

// readOnly reports whether a container's mount can't be written: `SRC:DST:ro`, or
// --mount with readonly.
func readOnly(s string) bool {
	for _, o := range strings.Split(s[strings.LastIndexByte(s, ':')+1:], ",") {
		switch o {
		case "ro", "readonly", "readonly=true", "ro=true":
			return true
		}
	}
	return false
}

// thisDir stands for the directory the act runs in.
var thisDir = arg{text: ".", known: true, word: acts.Word{Parts: []acts.Part{{Text: "."}}}}

// moreValues are options with values that no row of the tariff has to know, for
// programs whose landing place is one of them.
func moreValues(name string) string {
	switch name {
	case "sort", "shuf", "base64", "iconv", "tree", "yq", "xmllint", "pandoc":
		return "-o --output -k -t -T -S -n -O -f -F"
	case "unzip":
		return "-d -x -P"
	case "find":
		return "-fprint -fprint0 -fls -fprintf -name -iname -path -type -newer -mtime -mmin -size -maxdepth -mindepth -user -group -perm -regex"
	case "tee", "cat", "ls":
		return ""
	case "awk", "gawk", "mawk", "nawk":
		return "-F -v -f -i --include"
	case "chmod", "chown", "chgrp":
		return "--reference"
	case "pg_dump", "pg_dumpall":
		return "-f --file -h --host -p --port -U --username -d --dbname -n --schema -t --table -F --format"
	case "mysqldump", "mariadb-dump":
		return "-r --result-file -h --host -u --user -P --port"
	case "psql", "mysql", "mariadb", "sqlcmd", "usql", "duckdb", "clickhouse-client":
		return "-o --output -L --log-file -c --command -h --host -d --dbname -U --username -p --port -f --file -e --execute -u --user -P -q --query -Q -i -S"
	case "python", "python3", "ruby", "perl", "php", "node":
		return "-c -e -E -p -r -m -W -X --eval --print --require -I"
	case "sh", "bash", "zsh", "dash", "ksh":
		return "-c -o -O"
	case "sed", "gsed":
		return "-e -f --expression --file"
	case "ffmpeg":
		return "-i"
	}
	return ""
}

func windowsVerb(name string) bool {
	i := strings.IndexByte(name, '-')
	if i > 2 && i+1 < len(name) && name[0] >= 'A' && name[0] <= 'Z' && name[i+1] >= 'A' && name[i+1] <= 'Z' {
		return true // Verb-Noun
	}
	return i > 2 && strings.Contains(" get set add new remove clear copy move rename out write select sort where foreach group format test resolve split join convertto convertfrom import export compare invoke start stop push pop tee measure expand compress ", " "+strings.ToLower(name[:i])+" ")
}

// inPlace reports whether sed, perl or ruby edit their files: -i, alone, with a
// suffix, or in a cluster.
func (l *line) inPlace() bool {
	for _, a := range l.args {
		s := a.text
		if strings.HasPrefix(s, "--in-place") {
			return true
		}
		if len(s) < 2 || s[0] != '-' || s[1] == '-' {
			continue
		}
		for k := 1; k < len(s); k++ {
			switch s[k] {
			case 'i':
				return true
			case 'e', 'f', 'E', 'I', 'M', 'l':
				if l.name == "sed" && (s[k] == 'e' || s[k] == 'f' || s[k] == 'l') || l.name != "sed" && (s[k] == 'e' || s[k] == 'E' || s[k] == 'I' || s[k] == 'M') {
					k = len(s)
				}
			}
		}
	}
	return false
}

// inline reports whether the program carries its code on the line: the code is
// read as acts of its own.
func (l *line) inline() bool {
	for _, a := range l.args {
		s := a.text
		if len(s) < 2 || s[0] != '-' {
			if s == "eval" || s == "-" {
				return true
			}
			return false
		}
		switch s {
		case "-c", "-e", "-E", "-p", "-r", "--eval", "--print", "-pe", "-ne", "-lc", "-ic", "-Command", "-command", "-EncodedCommand", "/c", "/C", "-":
			return true
		}
		if s[1] != '-' && strings.ContainsAny(s[1:], "ec") && len(s) <= 6 {
			return true
		}
	}
	return false
}

// carries reports whether a database client's statements are known, so that they
// stand behind it as acts.
func (l *line) carries() bool {
	if l.act.Stdin.HasText {
		return true
	}
	for i := l.at + 1; i < len(l.p.out.Reading.Acts); i++ {
		a := &l.p.out.Reading.Acts[i]
		if a.Kind == acts.SQL {
			return true
		}
		if a.Kind == acts.Run {
			break
		}
	}
	return false
}

// tar is what a tar writes: the archive it makes, or the directory it unpacks to.
func (l *line) tar() []arg {
	mode := byte(0)
	var file, dir []arg
	args := l.args
	if len(args) > 0 && args[0].known && !strings.HasPrefix(args[0].text, "-") {
		// The old form: letters first, their values behind in the same order.
		letters := args[0].text
		args = args[1:]
		for i := range len(letters) {
			switch letters[i] {
			case 'c', 'x', 't', 'r', 'u', 'A', 'd':
				mode = letters[i]
			case 'f', 'b', 'C', 'X', 'T':
				if len(args) > 0 {
					if letters[i] == 'f' {
						file = args[:1]
					} else if letters[i] == 'C' {
						dir = args[:1]
					}
					args = args[1:]
				}
			}
		}
	}
	for i := 0; i < len(args); i++ {
		s := args[i].text
		switch {
		case strings.HasPrefix(s, "--file="):
			file = []arg{{text: s[7:], known: args[i].known, word: tail(args[i].word, 7)}}
		case strings.HasPrefix(s, "--directory="):
			dir = []arg{{text: s[12:], known: args[i].known, word: tail(args[i].word, 12)}}
		case s == "--file" && i+1 < len(args):
			i++
			file = args[i : i+1]
		case (s == "--directory" || s == "--one-top-level") && i+1 < len(args):
			i++
			dir = args[i : i+1]
		case s == "--create":
			mode = 'c'
		case s == "--extract" || s == "--get":
			mode = 'x'
		case s == "--list":
			mode = 't'
		case s == "--append" || s == "--update" || s == "--delete":
			mode = 'r'
		case strings.HasPrefix(s, "--"):
		case strings.HasPrefix(s, "-"):
			for k := 1; k < len(s); k++ {
				switch s[k] {
				case 'c', 'x', 't', 'r', 'u', 'A', 'd':
					mode = s[k]
				case 'f', 'C', 'b', 'X', 'T', 'I', 'K', 'N', 'V':
					v := arg{text: s[k+1:], known: args[i].known, word: tail(args[i].word, k+1)}
					if v.text == "" && i+1 < len(args) {
						i++
						v = args[i]
					}
					if s[k] == 'f' {
						file = []arg{v}
					} else if s[k] == 'C' {
						dir = []arg{v}
					}
					k = len(s)
				}
			}
		}
	}
	switch mode {
	case 'x':
		if dir == nil {
			dir = []arg{thisDir}
		}
		return dir
	case 'c', 'r', 'u', 'A':
		if len(file) == 1 && file[0].text == "-" {
			return nil
		}
		return file
	}
	return nil
}

// gitLands says what git does to the place it runs in and to the paths it names.
func (l *line) gitLands() (role, []arg) {
	sub := l.op(0)
	switch sub {
	case "status", "log", "diff", "show", "blame", "annotate", "grep", "ls-files", "ls-tree", "ls-remote", "rev-parse", "rev-list", "describe", "shortlog", "cat-file", "name-rev",
		"merge-base", "for-each-ref", "show-ref", "show-branch", "whatchanged", "var", "version", "help", "count-objects", "fsck", "check-ignore", "check-attr", "diff-tree", "diff-index", "diff-files", "range-diff", "cherry", "verify-commit", "verify-tag", "verify-pack", "bugreport", "request-pull", "instaweb", "difftool", "get-tar-commit-id", "merge-tree", "patch-id", "":
		return reads, nil
	case "reflog":
		if s := l.op(1); s == "" || s == "show" || s == "exists" {
			return reads, nil
		}
	case "branch", "tag":
		if len(l.ops) == 1 && !l.has("-d -D --delete -m -M -f --force -s --edit-description --unset-upstream") || l.has("-l --list --contains --merged --no-merged --points-at --show-current -v -vv -r -a") && !l.has("-d -D -m -M") {
			return reads, nil
		}
	case "remote":
		if s := l.op(1); s == "" || s == "show" || s == "get-url" || s == "-v" {
			return reads, nil
		}
	case "stash", "worktree", "notes", "submodule", "bisect", "bundle", "lfs":
		if s := l.op(1); s == "list" || s == "show" || s == "status" || s == "log" || s == "verify" || s == "ls-files" || sub == "submodule" && s == "" {
			return reads, nil
		}
	case "config":
		if l.has("--get --get-all --get-regexp --list -l --show-origin --get-urlmatch") || l.op(1) == "get" || l.op(1) == "list" || len(l.ops) == 2 {
			return reads, nil
		}
	case "archive", "format-patch":
		out := []arg{}
		l.each("-o --output --output-directory", func(a arg) { out = append(out, a) })
		for i, a := range l.args {
			if a.text == "-o" && i+1 < len(l.args) {
				out = append(out, l.args[i+1])
			}
		}
		return lands, out
	case "clone", "init":
		if len(l.ops) > 2 {
			return lands, l.ops[len(l.ops)-1:]
		}
		if sub == "init" && len(l.ops) == 2 {
			return lands, l.ops[1:]
		}
		return lands, []arg{thisDir}
	case "commit":
		// Messages are text; only where it is done counts.
		return touches, nil
	}
	var out []arg
	out = append(out, l.ops[1:]...)
	l.each("--git-dir --work-tree -C", func(a arg) { out = append(out, a) })
	return touches, out
}

// looks reports whether a command line of many verbs is at one that only looks.
func (l *line) looks() bool {
	for i, a := range l.ops {
		if i > 3 || !a.known {
			break
		}
		switch a.text {
		case "ps", "ls", "list", "logs", "log", "inspect", "images", "info", "version", "top", "port", "stats", "events", "history", "search", "get", "describe", "explain", "api-resources", "api-versions", "cluster-info", "can-i", "template", "lint", "show", "plan", "validate", "output", "graph", "providers", "preview", "view", "diff", "status", "checks", "whoami", "outdated", "why", "ll", "la", "root", "bin", "freeze", "check", "doc", "env", "vet", "tree", "metadata", "is-active", "is-enabled", "is-failed", "cat", "list-units", "list-unit-files", "list-timers", "policy", "monit", "prettylist", "jlist", "help", "df", "pkgid", "read-manifest", "locate-project":
			return true
		}
	}
	if l.name == "crontab" {
		return l.has("-l")
	}
	return len(l.ops) == 0 && l.has("--version -v -V --list -l")
}
