package automode

import (
	"strings"

	"spar/ledger/redact"
	"spar/redline/acts"
)

// checked is why a command is not covered by its row, beyond the row's grammar,
// or "". It may move the command under another exception.
func (j *judgement) checked(c *command, is *exception) string {
	switch c.check {
	case noCheck:
		if c.name == "man" {
			for _, w := range c.operands {
				if strings.Contains(w.Prefix(), "/") {
					return "man formats a file of somebody's own"
				}
			}
		}
	case checkAwk:
		return checkAwkProgram(c)
	case checkCat, checkDiff, checkAwsConfigure, checkVar, checkRead, checkExport, checkKill:
		return j.checkNames(c)
	case checkCurl:
		return checkCurlCall(c)
	case checkDate:
		if len(c.operands) > 0 || c.has("-f") && !c.has("-j") {
			return "date with a date sets the clock"
		}
	case checkFind:
		return j.checkFindWords(c)
	case checkGrep:
		return j.checkGrepCall(c)
	case checkJq, checkYq:
		return checkFilter(c)
	case checkLess:
		for _, w := range c.operands {
			if strings.HasPrefix(w.Prefix(), "+") {
				return "less runs a command of its own"
			}
		}
		if !j.piped(c.index) {
			return "less waits for somebody at the keyboard"
		}
	case checkLs:
		if c.has("-R", "--recursive") {
			return j.wide(c.act.Dir, c.operands)
		}
	case checkPs:
		return checkPsWords(c)
	case checkPaths, checkTsc, checkBuild:
		return j.checkTree(c)
	case checkPsql, checkMysql, checkRedis, checkLocalDB:
		return j.checkDatabase(c)
	case checkRm:
		return j.checkRemoval(c, is)
	case checkScratch, checkCopy:
		return j.checkScratchCall(c)
	case checkSed:
		return j.checkSedCall(c)
	case checkSet:
		return checkSetWords(c)
	case checkTar:
		return checkTarWords(c)
	case checkTest:
		for k, w := range c.operands {
			if w.Is("-v") || w.Is("-R") {
				if k+1 < len(c.operands) {
					if t, ok := c.operands[k+1].Known(); !ok || strings.ContainsAny(t, "[$`(") {
						return "a test that evaluates a subscript"
					}
				}
			}
		}
	case checkKubeGet:
		return checkKube(c)
	case checkGhAPI, checkGhJq:
		return checkGh(c)
	case checkDryValue:
		for _, g := range c.opts {
			if g.name == "--dry-run" {
				if v, ok := g.value.Known(); !ok || g.has && v != "client" && v != "server" && v != "true" {
					return "--dry-run=" + g.value.String() + " is no dry run"
				} else if c.name == "kubectl" && (!g.has || v == "true") {
					return "kubectl wants --dry-run=client or server"
				}
			}
		}
	case checkRsync:
		for _, w := range c.operands {
			if t, ok := w.Known(); ok && strings.Contains(t, ":") {
				return "rsync to or from another machine"
			}
		}
	case checkInspect:
		return checkVerb(c)
	case checkOpenssl:
		if !c.has("-in") && !j.fed(c.act) && len(c.operands) == 0 {
			return "openssl without its input"
		}
	default:
		return j.gitChecked(c, is)
	}
	return ""
}

// piped reports whether the output of an act goes into another.
func (j *judgement) piped(i int) bool {
	for k := range j.r.Acts {
		for _, f := range j.r.Acts[k].Stdin.From {
			if f == i {
				return true
			}
		}
	}
	return false
}

func (j *judgement) fed(a *acts.Act) bool { return a.Stdin.Kind != acts.Inherited }

// checkNames judges commands whose operands are names of variables or settings.
func (j *judgement) checkNames(c *command) string {
	switch c.check {
	case checkVar:
		if len(c.operands) == 0 && !c.has("-a") {
			return c.name + " shows everything there is"
		}
	case checkExport:
		if len(c.operands) == 0 {
			return "export lists every variable"
		}
	case checkKill:
		if c.has("-0") {
			return ""
		}
	}
	for _, w := range c.operands {
		t, ok := w.Known()
		if !ok {
			t = w.Prefix()
		}
		switch c.check {
		case checkVar:
			if !ok || secretVar(t) || strings.Contains(t, "=") {
				return c.name + " " + w.String() + " may show a secret, or set something"
			}
		case checkAwsConfigure:
			l := strings.ToLower(t)
			if !ok || secretVar(t) || strings.Contains(l, "auth") || strings.Contains(l, "_key") || strings.Contains(l, "password") || strings.HasPrefix(l, "//") {
				return w.String() + " may be a secret"
			}
		case checkRead, checkExport:
			if strings.HasPrefix(t, "-") {
				return c.name + " " + t + " is not known to be harmless"
			}
			name, _, set := strings.Cut(t, "=")
			if !ok && !set || !harmlessVar(name) || strings.ContainsAny(name, "[$`(") {
				return "setting " + w.String() + " may change what later commands do"
			}
			if c.check == checkExport && !set && secretVar(name) {
				return "it hands a secret on"
			}
		case checkKill:
			return "kill with a process ends it"
		}
	}
	return ""
}

// checkAwkProgram lets a program pass that can only print. awk's own grammar
// can't be told without following regular expressions, so doubt escalates: what
// stands behind a print and may be a redirection is one.
func checkAwkProgram(c *command) string {
	if len(c.operands) == 0 {
		return "awk without a program in view"
	}
	p, ok := c.operands[0].Known()
	if !ok {
		return "the program of awk is not in view"
	}
	for _, s := range [...]string{"system", "getline", "ENVIRON", "ARGV", "@load", "@include", "@namespace", "PROCINFO", "|&", "close(", "fflush(", "extension"} {
		if strings.Contains(p, s) {
			return "awk with " + s + " does more than print"
		}
	}
	for i := 0; i+1 < len(p); i++ {
		if p[i] == '@' && (p[i+1] >= 'a' && p[i+1] <= 'z' || p[i+1] == '_') && strings.Contains(p[i:], "(") {
			return "awk with an indirect call"
		}
	}
	for from := 0; ; {
		i := strings.Index(p[from:], "print")
		if i < 0 {
			break
		}
		from += i + len("print")
		rest := p[from:]
		stmt := rest
		if k := strings.IndexAny(rest, ";}\n"); k >= 0 {
			stmt = rest[:k]
		}
		if strings.ContainsAny(stmt, "\"/\\") {
			stmt = awkBare(rest)
		}
		if strings.Contains(stmt, ">") || strings.Contains(strings.ReplaceAll(stmt, "||", ""), "|") {
			return "a print of awk may go to a file or a program"
		}
	}
	for _, w := range c.operands[1:] {
		if t, ok := w.Known(); ok {
			if name, _, set := strings.Cut(t, "="); set && !strings.Contains(name, "/") && strings.ToUpper(name) == name && name != "FS" && name != "OFS" && name != "RS" && name != "ORS" {
				return "awk sets " + name
			}
		}
	}
	return ""
}

// awkBare is the statement at the start of s without its strings. Where a slash
// stands outside a string it may begin a regular expression: then all that
// follows counts.
func awkBare(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '/', '\\':
			return b.String() + s[i:]
		case ';', '}', '\n':
			return b.String()
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func checkCurlCall(c *command) string {
	if len(c.operands) == 0 && !c.has("--url") {
		return "curl without an address in view"
	}
	urls := c.operands
	for _, g := range c.opts {
		v, known := g.value.Known()
		switch g.name {
		case "-X", "--request":
			if v != "GET" && v != "HEAD" {
				return "curl sends a " + g.value.String()
			}
		case "-o", "--output":
			if v != "/dev/null" && v != "-" {
				return "curl writes a file"
			}
		case "-w", "--write-out":
			if !known || strings.HasPrefix(v, "@") || strings.Contains(v, "%output") || strings.Contains(v, "%{output") {
				return "curl writes a file, or a format that is not in view"
			}
		case "-H", "--header":
			if !known || strings.HasPrefix(v, "@") || redact.Secret(v) || secretHeader(v) {
				return "curl sends a secret, or a header that is not in view"
			}
		case "-A", "-e", "--user-agent", "--referer":
			if !known || len(v) > 200 || redact.Secret(v) {
				return "curl sends what is not in view"
			}
		case "--url":
			urls = append(urls, g.value)
		}
	}
	for _, u := range urls {
		if why := fetchURL(u); why != "" {
			return why
		}
	}
	return ""
}

// secretHeader reports whether a header carries a credential.
func secretHeader(v string) bool {
	name, value, _ := strings.Cut(strings.ToLower(v), ":")
	switch strings.TrimSpace(name) {
	case "authorization", "cookie", "x-api-key", "proxy-authorization", "x-auth-token", "private-token":
		return strings.TrimSpace(value) != ""
	}
	return len(v) > 300
}

// fetchURL is why reading an address may send something away, or "".
func fetchURL(w acts.Word) string {
	u, known := w.Known()
	if !known {
		u = w.Prefix()
	}
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		scheme, rest = "http", u
	}
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" {
		return "an address of the kind " + scheme
	}
	host := rest
	tail := ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, tail = rest[:i], rest[i:]
	}
	if host == "" || strings.ContainsAny(host, "@\\{}[]*$") && !strings.HasPrefix(host, "[::1]") {
		return "an address whose host is not in view"
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.HasPrefix(name, "[") {
		name, _, _ = strings.Cut(name, ":")
	}
	switch {
	case name == "169.254.169.254", name == "metadata.google.internal", name == "metadata", strings.HasPrefix(name, "169.254."), name == "100.100.100.200":
		return "the address hands out the machine's credentials"
	case loopback(name) || strings.HasPrefix(name, "[::1]"):
		if !known && tail == "" {
			return "an address whose host is not in view"
		}
		return ""
	case !known:
		for _, p := range w.Parts {
			if p.Kind != acts.Lit && p.Kind != acts.Unset {
				return "the address is not in view"
			}
		}
	}
	for _, label := range strings.Split(name, ".") {
		if len(label) > 40 {
			return "the host is long enough to carry something away"
		}
	}
	p, query, _ := strings.Cut(tail, "?")
	if len(query) > 200 || len(p) > 300 || redact.Secret(u) || secretQuery(query) {
		return "the address is long enough to carry something away, or holds a secret"
	}
	return ""
}

func secretQuery(q string) bool {
	q = strings.ToLower(q)
	for _, s := range [...]string{"token=", "secret=", "password=", "passwd=", "api_key=", "apikey=", "access_key="} {
		if strings.Contains(q, s) {
			return true
		}
	}
	return false
}

func loopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// findWords are find's primaries that only look.
const findWords = "-name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -type: -xtype: -size: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -newer: -anewer: -cnewer: -newermt: -newerct: -newerat: -user: -group: -uid: -gid: -perm: -links: -inum: -samefile: -lname: -ilname: -maxdepth: -mindepth: -fstype: -used: -printf: -empty -readable -writable -executable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev -daystart -follow -noleaf -not -a -and -o -or -H -L -P -E -X -x -s -ignore_readdir_race -noignore_readdir_race"

func (j *judgement) checkFindWords(c *command) string {
	var roots []acts.Word
	started, execs := false, 0
	for i := 0; i < len(c.words); i++ {
		w := c.words[i]
		t, ok := w.Known()
		if !ok {
			if t = w.Prefix(); t == "" && w.Parts[0].Kind != acts.Glob && w.Parts[0].Kind != acts.Unset && w.Parts[0].Kind != acts.TempPath || strings.HasPrefix(t, "-") {
				return "find gets a word that may be an action and is not in view"
			}
			if started {
				return "find gets a word that is not in view"
			}
			roots = append(roots, w)
			continue
		}
		switch {
		case t == "(" || t == ")" || t == "!" || t == ",":
			started = true
		case t == "-exec":
			started = true
			execs++
			for i++; i < len(c.words) && !c.words[i].Is(";") && !(c.words[i].Is("+") && c.words[i-1].Is("{}")); i++ {
			}
			if i == len(c.words) {
				return "find -exec that does not end"
			}
		case strings.HasPrefix(t, "-") && t != "-":
			kind := lookup(findWords, t)
			if strings.HasPrefix(t, "-O") && len(t) == 3 {
				kind = ' '
			}
			if kind == 0 {
				return "find " + t + " is not known to only look"
			}
			started = started || kind == ':' || t != "-H" && t != "-L" && t != "-P" && t != "-E" && t != "-X" && t != "-x" && t != "-s" && t != "-d"
			if kind == ':' {
				i++
			}
		case started:
			return "find " + t + " is not known to only look"
		default:
			roots = append(roots, w)
		}
	}
	c.operands = roots
	for k := range j.r.Acts {
		if n := len(j.r.Acts[k].Via); n > 0 && j.r.Acts[k].Via[n-1] == "find -exec" {
			execs--
		}
	}
	if execs > 0 {
		return "what find runs is not in view"
	}
	return ""
}

func (j *judgement) checkGrepCall(c *command) string {
	patterns := []acts.Word{}
	operands := c.operands
	if c.has("-e", "--regexp") {
		for _, g := range c.opts {
			if g.name == "-e" || g.name == "--regexp" {
				patterns = append(patterns, g.value)
			}
		}
	} else if len(operands) > 0 && !c.has("--files", "--type-list", "--version") {
		patterns, operands = operands[:1], operands[1:]
	}
	for _, p := range patterns {
		t := strings.ToUpper(p.String())
		if strings.Contains(t, "PRIVATE") && (strings.Contains(t, "KEY") || strings.Contains(t, "BEGIN")) || strings.Contains(t, "AKIA[") || strings.Contains(t, "SECRET_ACCESS_KEY") || strings.Contains(t, "GHP_[") {
			return "it hunts for keys"
		}
	}
	recursive := c.has("-r", "-R", "--recursive") || c.name == "rg"
	if recursive {
		if len(operands) == 0 && j.fed(c.act) {
			return ""
		}
		if why := j.wide(c.act.Dir, operands); why != "" {
			return why
		}
	}
	if c.has("-c", "-l", "-q", "--count", "--files-with-matches", "--quiet", "--silent", "--files", "-L") && !c.has("-o", "-u", "--unrestricted") {
		// Counts and names show nothing of what is in a file.
		c.operands = patterns
	}
	return ""
}

// checkFilter judges the programs of jq and yq: neither may ask for the
// environment or for other files.
func checkFilter(c *command) string {
	if len(c.operands) == 0 && c.name == "jq" && !c.has("-n", "-s") {
		return ""
	}
	n := 1
	if c.name == "yq" {
		n = len(c.operands)
	}
	for k, w := range c.operands {
		if k >= n {
			break
		}
		t, ok := w.Known()
		if !ok {
			return "the filter of " + c.name + " is not in view"
		}
		if asksEnv(t) {
			return "the filter of " + c.name + " may show the environment or another file"
		}
	}
	return ""
}

// asksEnv reports whether a filter of the jq family can reach past its input.
func asksEnv(t string) bool {
	if strings.Contains(t, "$ENV") || strings.Contains(t, "$__prog") {
		return true
	}
	for _, name := range [...]string{"env", "strenv", "envsubst", "load", "load_str", "load_xml", "load_props", "load_base64", "import", "include", "input_filename", "get_search_list", "modulemeta", "system", "exec", "eval"} {
		for from := 0; ; {
			i := strings.Index(t[from:], name)
			if i < 0 {
				break
			}
			i += from
			from = i + len(name)
			before, after := byte(' '), byte(' ')
			if i > 0 {
				before = t[i-1]
			}
			if from < len(t) {
				after = t[from]
			}
			if letterish(before) || letterish(after) {
				continue
			}
			if before == '.' && (i < 2 || t[i-2] != '.') || before == '"' && after == '"' {
				continue // a key of that name
			}
			if after == ':' && name != "env" {
				continue
			}
			return true
		}
	}
	return false
}

func letterish(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func checkPsWords(c *command) string {
	for i := 0; i < len(c.words); i++ {
		t, ok := c.words[i].Known()
		if !ok {
			if c.words[i].Prefix() == "" && i > 0 {
				continue // a process id; an option would begin with a dash and do no more than list
			}
			return "ps gets a word that is not in view"
		}
		switch {
		case t == "":
		case strings.HasPrefix(t, "--"):
			name, _, glued := strings.Cut(t, "=")
			kind := lookup("--sort: --format: --pid: --ppid: --user: --User: --group: --no-headers --no-heading --headers --forest --cols: --columns: --width: --deselect --help", name)
			if kind == 0 {
				return "ps " + t + " is not known to be harmless"
			}
			if kind == ':' && !glued {
				i++
			}
		case t[0] == '-':
			bsd := strings.Contains(t, "x") || strings.Contains(t, "u") && strings.Contains(t, "a")
			for k := 1; k < len(t); k++ {
				if strings.IndexByte("oOpuUgGtCqk", t[k]) >= 0 && !(t[k] == 'u' && bsd) {
					if k+1 == len(t) {
						i++
					}
					break
				}
				if strings.IndexByte("AadefFHjlLmMrSTvVwxyZcu", t[k]) < 0 || t[k] == 'e' && bsd {
					return "ps " + t + " may show the environment of processes"
				}
			}
		case t[0] >= '0' && t[0] <= '9':
		case strings.Trim(t, "aAcfghjlmrsTuvwxXt") != "":
			return "ps " + t + " may show the environment of processes"
		}
	}
	return ""
}

// checkTree judges what works on the tree: its paths must lie in it.
func (j *judgement) checkTree(c *command) string {
	if c.check == checkBuild && !j.o.BuildTest {
		return c.name + " runs the project's own code: the option local.buildTest is off"
	}
	if c.check == checkBuild && c.dashes >= 0 {
		return "words behind -- go to the project's own program"
	}
	dir := c.act.Dir
	if why := j.within(dir); why != "" {
		return c.name + ": " + why
	}
	noEmit := false
	for _, g := range c.opts {
		noEmit = noEmit || g.name == "--noEmit" && !g.has
		if !g.has {
			continue
		}
		v, ok := g.value.Known()
		if !ok {
			return "the value of " + g.name + " is not in view"
		}
		if g.name == "-p" && c.name == "patch" || g.name == "-run" || g.name == "-k" || g.name == "-m" || g.name == "-bench" || g.name == "-ldflags" {
			if g.name == "-ldflags" && strings.Contains(v, "ext") {
				return "-ldflags names a linker"
			}
			continue
		}
		if strings.ContainsAny(v, "/\\~") || v == ".." {
			if why := j.treeWord(g.value, dir); why != "" {
				return why
			}
		}
		if g.name == "-f" || g.name == "--format" || g.name == "--formatter" || g.name == "--parser" || g.name == "-W" && c.name == "pytest" {
			if strings.ContainsAny(v, "./\\") && c.name != "golangci-lint" {
				return g.name + " " + v + " loads code"
			}
		}
	}
	for _, w := range c.operands {
		if c.check == checkTsc && (w.Is("false") || strings.HasPrefix(w.Prefix(), "@")) {
			return "tsc " + w.String() + " turns an option off, or reads more options"
		}
		if strings.HasPrefix(w.Prefix(), "@") {
			return "more options are read from " + w.String()
		}
		if why := j.treeWord(w, dir); why != "" {
			return why
		}
	}
	if c.check == checkTsc && !noEmit {
		return "tsc writes its output without --noEmit"
	}
	return ""
}

func (j *judgement) checkRemoval(c *command, is *exception) string {
	if len(c.operands) == 0 {
		return "rm without a path"
	}
	inScratch := false
	for _, w := range c.operands {
		t, ok := w.Known()
		p, rok := resolve(c.act.Dir, t)
		if !ok || rok && j.scratchRoot(p) != "" && strings.HasPrefix(t, "/") {
			if why := j.scratchWord(w, c.act.Dir); why != "" {
				return "rm " + w.String() + ": " + why
			}
			inScratch = true
			continue
		}
		if why := j.regenerableWord(w, c.act.Dir); why != "" {
			return "rm: " + why
		}
	}
	if inScratch {
		*is = scratch
	}
	return ""
}

func (j *judgement) checkScratchCall(c *command) string {
	if len(c.operands) == 0 {
		return c.name + " without a path"
	}
	targets := c.operands
	if c.check == checkCopy {
		if len(c.operands) < 2 {
			return "cp without its two ends"
		}
		if why := j.wide(c.act.Dir, c.operands[:len(c.operands)-1]); why != "" {
			return why
		}
		for _, w := range c.operands[:len(c.operands)-1] {
			if why := j.secretWord(w, c.act.Dir); why != "" {
				return why
			}
			for _, p := range w.Parts {
				if p.Kind != acts.Lit && p.Kind != acts.Glob && p.Kind != acts.TempPath {
					return "what is copied is not in view"
				}
			}
		}
		targets = c.operands[len(c.operands)-1:]
	}
	for _, w := range targets {
		if why := j.scratchWord(w, c.act.Dir); why != "" {
			return c.name + " " + w.String() + ": " + why
		}
	}
	return ""
}

func (j *judgement) checkSedCall(c *command) string {
	scripts := []acts.Word{}
	for _, g := range c.opts {
		if g.name == "-e" || g.name == "--expression" {
			scripts = append(scripts, g.value)
		}
	}
	if len(scripts) == 0 {
		if len(c.operands) == 0 {
			return "sed without a script in view"
		}
		scripts = c.operands[:1]
	}
	for _, w := range scripts {
		t, ok := w.Known()
		if !ok {
			return "the script of sed is not in view"
		}
		if why := sedScript(t); why != "" {
			return why
		}
	}
	return ""
}

// sedScript is why a script of sed may do more than print, or "". It follows the
// grammar so that the w of a word is not taken for the command.
func sedScript(s string) string {
	const doubt = "the script of sed may write, run or read more"
	i := 0
	delimited := func(d byte) bool {
		for i < len(s) {
			switch s[i] {
			case '\\':
				i += 2
				continue
			case '\n':
				return false
			case '[':
				if d != '[' { // inside a class the delimiter may stand for itself
					k := i + 1
					if k < len(s) && s[k] == '^' {
						k++
					}
					if k < len(s) && s[k] == ']' {
						k++
					}
					for k < len(s) && s[k] != ']' && s[k] != '\n' {
						if s[k] == d {
							return false // seds differ on it
						}
						k++
					}
					if k < len(s) && s[k] == ']' {
						i = k + 1
						continue
					}
				}
			case d:
				i++
				return true
			}
			i++
		}
		return false
	}
	plainTo := func(d byte) bool {
		for i < len(s) {
			if s[i] == '\\' {
				i += 2
				continue
			}
			if s[i] == d {
				i++
				return true
			}
			i++
		}
		return false
	}
	address := func() bool {
		for i < len(s) {
			switch c := s[i]; {
			case c >= '0' && c <= '9', c == '$', c == ',', c == '~', c == '+', c == ' ', c == '\t', c == '!':
				i++
			case c == '/':
				i++
				if !delimited('/') {
					return false
				}
				for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
					i++
				}
			case c == '\\' && i+1 < len(s) && s[i+1] != '\n' && s[i+1] != '\\':
				d := s[i+1]
				i += 2
				if !delimited(d) {
					return false
				}
				for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
					i++
				}
			default:
				return true
			}
		}
		return true
	}
	for i < len(s) {
		if s[i] == ';' || s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '}' {
			i++
			continue
		}
		if s[i] == '#' {
			for i < len(s) && s[i] != '\n' {
				i++
			}
			continue
		}
		if !address() {
			return doubt
		}
		if i >= len(s) {
			return doubt
		}
		cmd := s[i]
		i++
		switch cmd {
		case 'p', 'P', 'd', 'D', 'n', 'N', 'g', 'G', 'h', 'H', 'x', '=', '{', 'z', 'F':
		case 'q', 'Q', 'l':
			for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == ' ') {
				i++
			}
		case 'b', 't', 'T', ':':
			for i < len(s) && s[i] != '\n' && s[i] != ';' && s[i] != '}' {
				i++
			}
		case 'a', 'i', 'c':
			for i < len(s) && s[i] != '\n' {
				if s[i] == '\\' {
					i++
				}
				i++
			}
		case 's', 'y':
			if i >= len(s) || s[i] == '\\' || s[i] == '\n' {
				return doubt
			}
			d := s[i]
			i++
			if cmd == 'y' {
				if from := plainTo(d); !from { // each call takes one half
					return doubt
				}
				if to := plainTo(d); !to {
					return doubt
				}
				break
			}
			if !delimited(d) || !plainTo(d) {
				return doubt
			}
			for i < len(s) && (s[i] == 'g' || s[i] == 'p' || s[i] == 'i' || s[i] == 'I' || s[i] == 'm' || s[i] == 'M' || s[i] >= '0' && s[i] <= '9') {
				i++
			}
		default:
			return doubt
		}
		for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
			i++
		}
		if cmd != '{' && i < len(s) && s[i] != ';' && s[i] != '\n' && s[i] != '}' && s[i] != '#' {
			return doubt
		}
	}
	return ""
}

func checkSetWords(c *command) string {
	if len(c.words) == 0 {
		return "set lists every variable"
	}
	for i := 0; i < len(c.words); i++ {
		t, ok := c.words[i].Known()
		if !ok || len(t) < 2 || t[0] != '-' && t[0] != '+' || strings.Trim(t[1:], "euofEC") != "" {
			return "set " + c.words[i].String() + " is not known to be harmless"
		}
		if strings.HasSuffix(t, "o") {
			i++
			if i == len(c.words) {
				return "set -o lists, or sets what is not in view"
			}
			switch o, _ := c.words[i].Known(); o {
			case "pipefail", "errexit", "nounset", "noglob", "noclobber":
			default:
				return "set -o " + c.words[i].String() + " is not known to be harmless"
			}
		}
	}
	return ""
}

func checkTarWords(c *command) string {
	list, extract, out := false, false, false
	file := func(w acts.Word) string {
		t, ok := w.Known()
		if !ok {
			t = w.Prefix()
			if t == "" || strings.HasPrefix(t, "-") {
				return "the archive is not in view"
			}
		}
		if strings.Contains(t, ":") {
			return "the archive is on another machine"
		}
		return ""
	}
	for i := 0; i < len(c.words); i++ {
		t, ok := c.words[i].Known()
		if !ok {
			if p := c.words[i].Prefix(); p == "" && c.words[i].Parts[0].Kind != acts.Glob || strings.HasPrefix(p, "-") {
				return "tar gets a word that may be an option and is not in view"
			}
			continue
		}
		switch {
		case strings.HasPrefix(t, "--"):
			name, value, glued := strings.Cut(t, "=")
			kind := lookup("--list --extract --get --to-stdout --file: --gzip --gunzip --bzip2 --xz --zstd --verbose --exclude: --wildcards --no-wildcards --strip-components: --directory: --full-time --numeric-owner --no-anchored --ignore-case --auto-compress --show-transformed-names --totals --occurrence?", name)
			if kind == 0 || kind == ' ' && glued {
				return "tar " + t + " is not known to be harmless"
			}
			w := acts.Text(value)
			if kind == ':' && !glued {
				i++
				if i == len(c.words) {
					return "tar " + t + " lacks its value"
				}
				w = c.words[i]
			}
			list = list || name == "--list"
			extract = extract || name == "--extract" || name == "--get"
			out = out || name == "--to-stdout"
			if name == "--file" {
				if why := file(w); why != "" {
					return why
				}
			}
		case i == 0 || len(t) > 1 && t[0] == '-':
			dash := t[0] == '-'
			letters := strings.TrimPrefix(t, "-")
			for k := 0; k < len(letters); k++ {
				switch letters[k] {
				case 't':
					list = true
				case 'x':
					extract = true
				case 'O':
					out = true
				case 'v', 'z', 'j', 'J', 'a', 'p', 'k', 'n', 'R':
				case 'f', 'C':
					w := acts.Text(letters[k+1:])
					if !dash || k+1 == len(letters) {
						i++
						if i == len(c.words) {
							return "tar lacks a value"
						}
						w = c.words[i]
					}
					if letters[k] == 'f' {
						if why := file(w); why != "" {
							return why
						}
					}
					if dash {
						k = len(letters)
					}
				default:
					return "tar " + t + " is not known to only read"
				}
			}
		default:
			if secretText(t) {
				return "it shows " + t
			}
		}
	}
	if list && !extract || extract && out && !list {
		return ""
	}
	return "tar does not only list"
}

func checkKube(c *command) string {
	output := ""
	for _, g := range c.opts {
		if g.name == "-o" || g.name == "--output" || g.name == "--template" {
			v, ok := g.value.Known()
			if !ok {
				return "the output of kubectl is not in view"
			}
			if g.name == "--template" {
				v = "go-template"
			}
			output = v
		}
	}
	shows := output != "" && output != "wide" && output != "name"
	if !shows {
		return ""
	}
	for _, w := range c.operands {
		t, ok := w.Known()
		if !ok && w.Prefix() == "" {
			return "what kubectl gets is not in view"
		}
		if !ok {
			t = w.Prefix()
		}
		for _, kind := range strings.Split(strings.ToLower(t), ",") {
			if k, _, _ := strings.Cut(kind, "/"); strings.HasPrefix(k, "secret") || strings.HasPrefix(k, "sealedsecret") || strings.HasPrefix(k, "externalsecret") {
				return "it shows secrets"
			}
		}
	}
	return ""
}

func checkGh(c *command) string {
	get, fields := false, false
	for _, g := range c.opts {
		v, ok := g.value.Known()
		switch g.name {
		case "-q", "--jq", "-t", "--template":
			if !ok || asksEnv(v) {
				if g.name == "-t" && c.check == checkGhJq && ok {
					continue
				}
				return "the filter of gh may show the environment"
			}
		case "-X", "--method":
			if v != "GET" && v != "HEAD" {
				return "gh api sends a " + g.value.String()
			}
			get = true
		case "-f", "-F", "--raw-field", "--field":
			if c.check != checkGhAPI {
				continue
			}
			fields = true
			if _, val, _ := strings.Cut(v, "="); !ok || strings.HasPrefix(val, "@") {
				return "a field of gh api is not in view"
			}
		case "-H", "--header":
			if c.check == checkGhAPI && (!ok || secretHeader(v) || strings.Contains(strings.ToLower(v), "method-override")) {
				return "a header of gh api"
			}
		case "-w":
			if c.sub != "run view|list|watch" {
				return "gh opens a browser"
			}
		case "-c", "-e", "-u":
		}
	}
	if c.check != checkGhAPI {
		return ""
	}
	if fields && !get {
		return "fields make gh api send a POST"
	}
	for _, w := range c.operands {
		t, ok := w.Known()
		if !ok {
			t = w.Prefix()
		}
		t = strings.TrimPrefix(t, "/")
		if t == "" || t == "graphql" || strings.Contains(t, "://") || strings.Contains(t, "/secrets") && strings.Contains(t, "public-key") || strings.Contains(t, "access_tokens") || strings.HasSuffix(t, "-token") {
			return "gh api " + w.String() + " is not known to only read"
		}
	}
	if len(c.operands) == 0 {
		return "gh api without a path in view"
	}
	return ""
}

// gcloudNouns are the groups in which list and describe only read.
const gcloudNouns = "|alpha|beta|projects|compute|instances|disks|images|networks|subnets|addresses|firewall-rules|zones|regions|container|clusters|node-pools|run|services|revisions|jobs|functions|sql|databases|operations|app|versions|logging|logs|sinks|metrics|pubsub|topics|subscriptions|storage|buckets|objects|artifacts|repositories|docker|packages|builds|iam|roles|service-accounts|dns|managed-zones|record-sets|redis|spanner|bigtable|scheduler|tasks|queues|endpoints|billing|accounts|monitoring|dashboards|policies|forwarding-rules|backend-services|url-maps|target-pools|instance-groups|managed|instance-templates|snapshots|routers|routes|ssl-certificates|health-checks|organizations|folders|deployments|triggers|connections|workflows|executions|composer|environments|dataproc|machine-types|"

// checkVerb judges tools whose verbs say what they do.
func checkVerb(c *command) string {
	if c.name == "docker" {
		format := ""
		for _, g := range c.opts {
			if g.name == "-f" || g.name == "--format" {
				format, _ = g.value.Known()
			}
		}
		flat := strings.ReplaceAll(format, " ", "")
		if format == "" || strings.Contains(flat, "Env") || strings.Contains(flat, "{{.}}") || strings.Contains(flat, "json.}}") || strings.Contains(flat, ".Config}}") || strings.Contains(flat, "range") || strings.Contains(flat, "index") || strings.Contains(flat, "{{with") || !strings.HasPrefix(strings.TrimLeft(flat, "'\""), "{{") && !strings.Contains(flat, "{{") || flat == "json" {
			return "docker inspect shows the environment of containers"
		}
		return ""
	}
	if c.name == "aws" {
		return awsVerb(c.operands)
	}
	var words []string
	for _, w := range c.operands {
		t, ok := w.Known()
		if !ok {
			if len(words) == 0 {
				return c.name + ": its verb is not in view"
			}
			t = ""
		}
		words = append(words, t)
	}
	for _, w := range words {
		for _, s := range [...]string{"secret", "password", "credential", "token", "access-key", "connection-string", "appsettings", "keys", "sas", "kms-key"} {
			if strings.Contains(w, s) && !(c.name == "aws" && w == "list-secrets") && !(w == "describe-secret") && !(w == "list-access-keys" || w == "list-keys") {
				return c.name + " " + w + " may show a secret"
			}
		}
	}
	switch c.name {
	case "az":
		if len(words) < 2 {
			return "az without a verb"
		}
		if !plainList(words) {
			return "az: its verb is not in view"
		}
		switch last := words[len(words)-1]; last {
		case "list", "show", "list-locations", "list-skus", "list-sizes", "list-usage", "list-ip-addresses":
		default:
			return "az " + last + " is not known to only read"
		}
	case "gcloud":
		for k, w := range words {
			if w == "list" || w == "describe" || w == "get-iam-policy" {
				if k == 0 {
					return "gcloud without a group"
				}
				return ""
			}
			if !strings.Contains(gcloudNouns, "|"+w+"|") || w == "" {
				return "gcloud " + w + " is not known to only read"
			}
		}
		return "gcloud without a verb that reads"
	}
	return ""
}

func plainList(words []string) bool {
	for _, w := range words {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// awsVerb judges `aws SERVICE VERB` beyond the rows that name one.
func awsVerb(words []acts.Word) string {
	if len(words) != 2 || !plainWords(words) {
		return "aws: its verb is not in view"
	}
	verb, _ := words[1].Known()
	service, _ := words[0].Known()
	if strings.HasPrefix(verb, "describe-") || strings.HasPrefix(verb, "list-") {
		switch verb {
		case "describe-user-pool-client", "list-functions", "describe-task-definition", "list-api-keys", "describe-instance-attribute":
			return "aws " + verb + " may show a secret"
		}
		if service == "lightsail" || service == "apigateway" && strings.Contains(verb, "key") {
			return "aws " + service + " may show a secret"
		}
		return ""
	}
	return "aws " + service + " " + verb + " is not known to only read"
}

// compose judges `docker compose`, whose own options stand before its verb.
func (j *judgement) compose(c command, list []row, words []acts.Word) (exception, string) {
	var before []acts.Word
	dry := false
	i := 1
	for i < len(words) {
		t, ok := words[i].Known()
		if !ok || !strings.HasPrefix(t, "-") {
			break
		}
		takes, ok := option("--dry-run -p: --project-name: --profile: --ansi: --progress: --compatibility --all-resources", t, false)
		if !ok {
			return 0, "docker compose " + t + " is not known to be harmless"
		}
		dry = dry || t == "--dry-run"
		i++
		if takes {
			i++
		}
	}
	if i >= len(words) {
		return 0, "docker compose without a verb"
	}
	before = append([]acts.Word{words[0]}, words[i:]...)
	if len(before) == 3 && before[2].Is("--help") {
		return reads, ""
	}
	for k := range list {
		r := list[k]
		n := matchSub(r.sub, before)
		if n < 2 {
			continue
		}
		if lookup(r.need, "--dry-run") != 0 {
			if !dry {
				return 0, "docker compose changes what runs"
			}
			r.need = ""
		}
		c.row, c.words = &r, before[n:]
		return j.finish(&c)
	}
	return 0, "docker compose: this verb is not known to only read"
}
