package redline

import (
	"strconv"
	"strings"

	"spar/redline/acts"
)

// httpTable: requests that write. A request to this very machine is free.
var httpTable = []Program{
	{Name: "curl", Also: []string{"curlie"}, Value: curlValues, Rows: []Row{
		{Not: "--version -V --manual", Target: sent, When: curlWrites, kinds: outw, Why: "a request that writes",
			Charged: `curl -d @a.json https://api.example.test/v1/jobs`, Free: `curl -G https://api.example.test/search -d q=x`},
		{Target: sent, When: func(l *line) bool {
			lost := false
			l.each("-d --data --data-raw --data-binary --data-ascii --json --data-urlencode", func(a arg) { lost = lost || deletingMutation(a.text) })
			return lost
		}, kinds: irr, Why: "a mutation that deletes",
			Charged: `curl https://api.example.test/graphql -d '{"query":"mutation { volumeDelete(volumeId: 1) }"}'`,
			Free:    `curl http://localhost:4000/graphql -d '{"query":"mutation { volumeDelete(volumeId: 1) }"}'`},
	}},
	{Name: "wget", Also: []string{"wget2"}, Short: true, Value: "-O --output-document -P --directory-prefix -o --output-file -a --append-output -e --execute -i --input-file " +
		"-t --tries -T --timeout -w --wait -U --user-agent --header --post-data --post-file --method --body-data --body-file --user --password " +
		"-Q -A -R -D -I -X -l -B --referer --ca-certificate --certificate --private-key --load-cookies --save-cookies --limit-rate", Rows: []Row{
		{Target: sent, When: func(l *line) bool {
			if l.value1("--post-data --post-file --body-data --body-file") {
				return true
			}
			m, ok := l.value("--method")
			return ok && !safeMethod(m.text)
		}, kinds: outw, Why: "a request that writes", Charged: `wget --post-data='id=7' https://api.example.test/v1/ack`, Free: `wget -q -O - https://status.example.test/feed.xml`},
	}},
	{Name: "http", Also: []string{"https", "xh", "xhs"}, Value: "-a --auth -A --auth-type -o --output -s --style --session --session-read-only --timeout --proxy --verify --cert --cert-key -p --print --pretty --raw -P --max-redirects --default-scheme", Rows: []Row{
		{Not: "--offline", Target: sent, When: httpieWrites, kinds: outw, Why: "a request that writes",
			Charged: `http POST https://api.example.test/v1/notes text='hello'`, Free: `http https://api.example.test/v1/notes page==2`},
	}},
	{Name: "invoke-webrequest", Also: []string{"invoke-restmethod", "iwr", "irm"}, Style: cmdlet, Rows: []Row{
		{Not: "-whatif", Target: sent, When: func(l *line) bool {
			if m, ok := l.value("-Method -CustomMethod"); ok && !safeMethod(m.text) {
				return true
			}
			return l.value1("-Body -InFile -Form")
		}, kinds: outw, Why: "a request that writes",
			Charged: `Invoke-RestMethod -Uri https://api.example.test/v1/jobs -Method Post`, Free: `Invoke-RestMethod https://api.example.test/v1/health`},
	}},
	{Name: "grpcurl", Style: dash, Value: "-d -H -proto -import-path -protoset -cacert -cert -key -authority -max-time -rpc-header -reflect-header -servername", Rows: []Row{
		{Target: sent, When: func(l *line) bool { return l.value1("-d") && !either("list|describe", l.op(len(l.ops)-1)) }, kinds: outw, Why: "a call that carries data",
			Charged: `grpcurl -d '{"id":1}' api.example.test:443 shop.Orders/Cancel`, Free: `grpcurl api.example.test:443 list`},
	}},
	{Name: "lftp", Also: []string{"ncftpput", "tnftp"}, Value: "-e -c -u -p -f", Rows: []Row{
		{When: func(l *line) bool {
			if l.name == "ncftpput" {
				return true
			}
			text := ""
			l.each("-e -c", func(a arg) { text += ";" + a.text })
			if l.act.Stdin.HasText {
				text += ";" + l.act.Stdin.Text.String()
			}
			return sendsFiles(text) || strings.Contains(text, "mirror -R") || strings.Contains(text, "mirror --reverse") || strings.Contains(text, "mirror -eR")
		}, kinds: outw, Why: "uploads to another host", Charged: `lftp -e 'put app.tgz; bye' ftp.example.test`, Free: `lftp -e 'get app.tgz; bye' ftp.example.test`},
	}},
	{Name: "sftp", Also: []string{"ftp", "winscp", "winscp.com", "psftp"}, Value: "-b -i -P -o -F -J -l -pw /command", Rows: []Row{
		{When: sftpSends, kinds: outw, Why: "uploads to another host",
			Charged: "sftp deploy@web-01.example.test <<< 'put app.tgz'", Free: "sftp deploy@web-01.example.test <<< 'get app.tgz'"},
	}},
	{Name: "scp", Also: []string{"pscp"}, Value: "-i -P -o -F -J -c -l -S -X -D -pw", Rows: []Row{
		{When: func(l *line) bool { return len(l.ops) > 1 && l.remote(l.ops[len(l.ops)-1].text) }, kinds: outw, Why: "copies to another host",
			Charged: `scp dist/app.tgz deploy@web-01.example.test:/srv/releases/`, Free: `scp deploy@web-01.example.test:/srv/app/error.log ./logs/`},
	}},
	{Name: "croc", Also: []string{"magic-wormhole", "wormhole", "transfer", "ffsend"}, Rows: []Row{
		{Path: "send|tx|upload", kinds: outw, Why: "sends a file", Charged: `croc send app.tgz`, Free: `croc 4-some-code`},
	}},
}

const curlValues = "-A --user-agent -b --cookie -c --cookie-jar -C --continue-at -d --data --data-raw --data-binary --data-ascii --data-urlencode --json " +
	"-D --dump-header -e --referer -E --cert -F --form --form-string -H --header --proxy-header -K --config -m --max-time -o --output -P --ftp-port -Q --quote -r --range " +
	"-t --telnet-option -T --upload-file -u --user -U --proxy-user -w --write-out -x --proxy -X --request -y --speed-time -Y --speed-limit -z --time-cond " +
	"--cacert --capath --key --key-type --cert-type --ciphers --connect-timeout --connect-to --resolve --retry --retry-delay --retry-max-time --max-redirs --max-filesize " +
	"--limit-rate --interface --local-port --unix-socket --abstract-unix-socket --output-dir --url --url-query --variable --noproxy --socks4 --socks5 --socks5-hostname " +
	"--oauth2-bearer --aws-sigv4 --tls-max --stderr --trace --trace-ascii --proto --proto-default --proto-redir --pass --pinnedpubkey --create-file-mode --rate --happy-eyeballs-timeout-ms --dns-servers --doh-url --engine --mail-from --mail-rcpt --keepalive-time --delegation"

// curlWrites reports whether a curl sends something: a method that is no reading
// one, or a body that -G does not put into the query.
func curlWrites(l *line) bool {
	if l.has("-T --upload-file") || l.value1("-T --upload-file --mail-rcpt -F --form --form-string") {
		return true
	}
	if m, ok := l.value("-X --request"); ok && !safeMethod(m.text) {
		return true
	}
	if l.has("-G --get -I --head") {
		return false
	}
	if l.value1("-d --data --data-raw --data-binary --data-ascii --data-urlencode --json") {
		return true
	}
	lost := false
	l.each("-Q --quote", func(a arg) {
		verb, _, _ := strings.Cut(strings.TrimLeft(a.text, "-+* "), " ")
		lost = lost || either("DELE|RMD|RNTO|STOR|rm|rmdir|rename", verb)
	})
	return lost
}

// httpieWrites reads httpie's items: METHOD URL [ITEM...].
func httpieWrites(l *line) bool {
	ops := l.ops
	if len(ops) > 0 && ops[0].known && ops[0].text != "" && strings.ToUpper(ops[0].text) == ops[0].text && !strings.ContainsAny(ops[0].text, ":/.") {
		return !safeMethod(ops[0].text)
	}
	if l.has("-f --form --multipart") && len(ops) > 1 || l.value1("--raw") {
		return true
	}
	for _, a := range ops[min(1, len(ops)):] {
		if dataItem(a.text) {
			return true
		}
	}
	if l.has("--ignore-stdin -I") || len(ops) == 0 {
		return false
	}
	in := &l.act.Stdin
	if in.HasText {
		return in.Text.String() != ""
	}
	return in.Kind == acts.Pipe || in.Kind == acts.File
}

// dataItem reports whether an httpie item is part of a body: `=`, `:=`, `@`, but
// not `==` (a query) and not `:` (a header).
func dataItem(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '=':
			return !strings.HasPrefix(s[i:], "==")
		case ':':
			return strings.HasPrefix(s[i:], ":=")
		case '@':
			return true
		}
	}
	return false
}

// loopback reports whether every address an HTTP client is given is this machine.
// An address that is not known is not known to be loopback.
func (l *line) loopback() bool {
	if l.value1("--unix-socket --abstract-unix-socket") {
		return true
	}
	seen := false
	check := func(a arg) bool {
		seen = true
		s := a.text
		if !a.known {
			// Enough is known where the literal beginning goes past the host.
			s = patternText(a.word)
			rest := s
			if i := strings.Index(rest, "://"); i >= 0 {
				rest = rest[i+3:]
			}
			if !strings.ContainsAny(rest, ":/?#") || strings.HasSuffix(rest, "/") && !strings.Contains(s, "://") {
				return false
			}
		}
		return isLoopback(hostOf(s))
	}
	ok := true
	l.each("--url -Uri", func(a arg) { ok = ok && check(a) })
	ops := l.ops
	if l.prog.Name == "http" && len(ops) > 0 {
		if len(ops) > 1 && !strings.ContainsAny(ops[0].text, ":/.") && strings.ToUpper(ops[0].text) == ops[0].text {
			ops = ops[1:]
		}
		ops = ops[:1]
		if s := ops[0].text; strings.HasPrefix(s, ":") && !strings.HasPrefix(s, "://") {
			return true // `:3000/x` is localhost's
		}
	}
	if l.prog.Name == "grpcurl" && len(ops) > 1 {
		ops = ops[:1]
	}
	if l.prog.Style == cmdlet {
		ops = ops[:min(1, len(ops))]
	}
	for _, a := range ops {
		ok = ok && check(a)
	}
	return seen && ok
}

// patternText is the text a word begins with, patterns taken as they are written:
// the brackets of an address look like one to a shell.
func patternText(w acts.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != acts.Lit && p.Kind != acts.Glob {
			break
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// hostOf is the host of a URL, with or without a scheme.
func hostOf(s string) string {
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	}
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if strings.HasPrefix(s, "[") {
		if i := strings.IndexByte(s, ']'); i > 0 {
			return s[1:i]
		}
		return ""
	}
	if i := strings.IndexByte(s, ':'); i >= 0 && strings.Count(s, ":") == 1 {
		s = s[:i]
	}
	return s
}

// isLoopback reports whether a host is this machine: the name localhost and those
// below it (RFC 6761), 127.0.0.0/8, ::1, and the address that means «here».
func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	switch host {
	case "localhost", "::1", "0.0.0.0", "0:0:0:0:0:0:0:1":
		return true
	}
	if strings.HasSuffix(host, ".localhost") && !strings.ContainsAny(host, "{}$*") {
		return true
	}
	rest, ok := strings.CutPrefix(host, "127.")
	if !ok {
		return false
	}
	n := 0
	for part := range strings.SplitSeq(rest, ".") {
		if v, err := strconv.Atoi(part); err != nil || v < 0 || v > 255 || len(part) > 3 {
			return false
		}
		n++
	}
	return n == 3
}

// deletingMutation reports whether a request body is a GraphQL mutation one of
// whose fields deletes: there the method says nothing, the field's name does.
func deletingMutation(body string) bool {
	i := strings.Index(body, "mutation")
	if i < 0 {
		return false
	}
	open := strings.IndexByte(body[i:], '{')
	if open < 0 {
		return false
	}
	depth := 0
	for k := i + open; k < len(body); k++ {
		c := body[k]
		switch {
		case c == '\\':
			k++
			continue
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '(':
			// Arguments: skip to their end; a value named delete is no field.
			for n := 0; k < len(body); k++ {
				if body[k] == '(' {
					n++
				} else if body[k] == ')' {
					if n--; n == 0 {
						break
					}
				}
			}
		case depth == 1 && letter(c):
			j := k
			for j < len(body) && (letter(body[j]) || body[j] >= '0' && body[j] <= '9') {
				j++
			}
			if destroyVerb(body[k:j]) {
				return true
			}
			k = j - 1
		}
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// destroyVerb reports whether a camel-case or snake-case name holds a verb that
// takes something away.
func destroyVerb(name string) bool {
	for word := range words(name) {
		switch word {
		case "delete", "destroy", "drop", "purge", "truncate", "wipe", "erase", "terminate":
			return true
		}
	}
	return false
}

// words yields the words of a camelCase, snake_case or kebab-case name, lower
// case.
func words(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		emit := func(end int) bool {
			if end <= start {
				return true
			}
			return yield(strings.ToLower(name[start:end]))
		}
		for i := 0; i < len(name); i++ {
			c := name[i]
			switch {
			case c == '_' || c == '-' || c == '.' || c == ' ' || c == '/' || c == ':':
				if !emit(i) {
					return
				}
				start = i + 1
			case c >= 'A' && c <= 'Z' && i > start && (name[i-1] < 'A' || name[i-1] > 'Z' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'):
				if !emit(i) {
					return
				}
				start = i
			}
		}
		emit(len(name))
	}
}

// sendsFiles reports whether the commands of a file transfer client upload,
// remove or rename something.
func sendsFiles(text string) bool {
	for _, stmt := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' || r == '"' || r == '\'' }) {
		f := strings.Fields(stmt)
		if len(f) == 0 {
			continue
		}
		switch strings.ToLower(strings.TrimLeft(f[0], "-@")) {
		case "put", "mput", "reput", "rename", "rm", "rmdir", "mkdir", "delete", "mdelete", "synchronize", "send", "append", "chmod", "symlink", "mv":
			return true
		}
	}
	return false
}

// sftpSends reports whether an sftp session uploads. What a batch file or an
// unknown pipe says is not known, so it counts.
func sftpSends(l *line) bool {
	text := ""
	for _, a := range l.args {
		if a.known {
			text += "\n" + a.text
		}
	}
	if strings.HasPrefix(l.name, "winscp") {
		return sendsFiles(text) || strings.Contains(strings.ToLower(text), "/script=")
	}
	if v, ok := l.value("-b"); ok && v.text != "-" {
		return true
	}
	switch {
	case l.act.Stdin.HasText:
		return sendsFiles(l.act.Stdin.Text.String())
	case l.act.Stdin.Kind != 0:
		return true
	}
	return false
}
