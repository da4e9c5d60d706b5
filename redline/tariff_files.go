package redline

import (
	"strings"

	"spar/redline/acts"
)

// fileTable: files removed or emptied, by any spelling.
var fileTable = []Program{
	{Name: "rm", Also: []string{"unlink", "srm", "grm"}, Short: true, Rows: []Row{
		{Target: lost, kinds: irr, Why: "removes files outside scratch",
			Charged: `rm -rf build`, Free: `rm -rf /tmp/site-build`},
	}},
	{Name: "rimraf", Also: []string{"del-cli", "rmrf"}, Rows: []Row{
		{Target: lost, Not: "-n --dry-run", kinds: irr, Why: "removes trees outside scratch",
			Charged: `rimraf dist`, Free: `rimraf /tmp/dist-old`},
	}},
	{Name: "find", Style: dash, Rows: []Row{
		{With: "-delete", When: findLoses, kinds: irr, Why: "find removes what it finds outside scratch",
			Charged: `find . -name '*.pyc' -delete`, Free: `find /tmp/x -type f -delete`},
	}},
	{Name: "shred", Also: []string{"wipe", "sdelete"}, Short: true, Value: "-n -s --iterations --size --random-source", Rows: []Row{
		{Target: lost, kinds: irr, Why: "overwrites files so that nothing can bring them back",
			Charged: `shred -u secrets.old`, Free: `shred -u /tmp/probe.key`},
	}},
	{Name: "truncate", Short: true, Value: "-s --size -r --reference", Rows: []Row{
		{Target: lost, When: func(l *line) bool { v, _ := l.value("-s --size"); return !strings.HasPrefix(v.text, "+") }, kinds: irr,
			Why: "cuts files short", Charged: `truncate -s 0 logs/app.log`, Free: `truncate -s +1M disk.img`},
	}},
	{Name: "cp", Also: []string{"install"}, Short: true, Value: "-t --target-directory -S --suffix -m --mode -o --owner -g --group", Rows: []Row{
		{When: func(l *line) bool {
			return len(l.ops) == 2 && l.op(0) == "/dev/null" && l.loses(l.ops[1:])
		}, kinds: irr, Why: "empties a file by copying nothing over it",
			Charged: `cp /dev/null logs/app.log`, Free: `cp -rf templates/mail build/mail`},
	}},
	{Name: "mv", Short: true, Value: "-t --target-directory -S --suffix", Rows: []Row{
		{When: func(l *line) bool {
			return len(l.ops) > 1 && l.op(len(l.ops)-1) == "/dev/null" && l.loses(l.ops[:len(l.ops)-1])
		}, kinds: irr, Why: "moves a file into nothing",
			Charged: `mv notes.txt /dev/null`, Free: `mv notes.txt docs/notes.txt`},
	}},
	{Name: "tar", Also: []string{"gtar", "bsdtar"}, Short: true, Value: "-f --file -C --directory -T --files-from -X --exclude-from --exclude", Rows: []Row{
		{With: "--remove-files", When: func(l *line) bool { return l.loses(l.ops) }, kinds: irr, Why: "removes the files it has packed",
			Charged: `tar -czf /backup/logs.tgz --remove-files logs`, Free: `tar -czf /backup/logs.tgz logs`},
	}},
	{Name: "rsync", Short: true, Value: rsyncValues, Rows: []Row{
		{With: "--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --del", Not: "-n --dry-run --list-only",
			When: func(l *line) bool {
				return len(l.ops) > 0 && (l.remote(l.ops[len(l.ops)-1].text) || l.loses(l.ops[len(l.ops)-1:]))
			}, kinds: irr, Why: "removes at the destination what the source doesn't have",
			Charged: `rsync -a --delete dist/ /srv/www/`, Free: `rsync -a dist/ /srv/www/`},
		{With: "--remove-source-files", Not: "-n --dry-run --list-only", When: func(l *line) bool {
			return len(l.ops) > 1 && l.loses(l.ops[:len(l.ops)-1])
		}, kinds: irr, Why: "removes the source once it is copied",
			Charged: `rsync -a --remove-source-files spool/ /backup/spool/`, Free: `rsync -a spool/ /backup/spool/`},
		{Not: "-n --dry-run --list-only", When: func(l *line) bool {
			return len(l.ops) > 1 && l.remote(l.ops[len(l.ops)-1].text)
		}, kinds: outw, Why: "copies to another host",
			Charged: `rsync -az dist/ build@ci-02:/srv/src/`, Free: `rsync -azn dist/ build@ci-02:/srv/src/`},
	}},
	{Name: "remove-item", Style: cmdlet, Rows: []Row{
		{Not: "-whatif", When: psLoses, kinds: irr, Why: "removes files outside scratch",
			Charged: `Remove-Item -Recurse -Force .\build`, Free: `Remove-Item -Recurse -Force .\build -WhatIf`},
	}},
	{Name: "clear-content", Also: []string{"clear-recyclebin", "clear-item", "clear-disk", "format-volume", "remove-partition", "initialize-disk"}, Style: cmdlet, Rows: []Row{
		{Not: "-whatif", When: psLoses, kinds: irr, Why: "empties files or volumes",
			Charged: `Clear-Content .\CHANGES.md`, Free: `Clear-Content .\CHANGES.md -WhatIf`},
	}},
	{Name: "del", Also: []string{"erase"}, Style: slash, Rows: []Row{
		{Target: lost, kinds: irr, Why: "removes files outside scratch",
			Charged: `cmd /c "del /s /q *.obj"`, Free: `cmd /c "del /?"`},
	}},
	{Name: "rd", Also: []string{"rmdir"}, Style: slash, Rows: []Row{
		{With: "/s", Target: lost, kinds: irr, Why: "removes a tree outside scratch",
			Charged: `cmd /c "rd /s /q dist"`, Free: `cmd /c "rd empty"`},
	}},
	{Name: "robocopy", Style: slash, Rows: []Row{
		{With: "/mir /purge", Not: "/l", When: func(l *line) bool { return len(l.ops) > 1 && l.loses(l.ops[1:2]) }, kinds: irr,
			Why: "removes at the destination what the source doesn't have", Charged: `cmd /c "robocopy src dst /mir"`, Free: `cmd /c "robocopy src dst /e"`},
		{With: "/mov /move", Not: "/l", When: func(l *line) bool { return l.loses(l.ops[:min(1, len(l.ops))]) }, kinds: irr,
			Why: "removes the source once it is copied", Charged: `cmd /c "robocopy src dst /move"`, Free: `cmd /c "robocopy src dst"`},
	}},
}

const rsyncValues = "-e --rsh -f --filter -T --temp-dir -M --remote-option -B --block-size --exclude --exclude-from --include --include-from " +
	"--files-from --rsync-path --bwlimit --log-file --log-file-format --password-file --out-format --partial-dir --backup-dir --suffix " +
	"--compare-dest --copy-dest --link-dest --max-size --min-size --max-delete --timeout --contimeout --port --sockopts --chmod --chown " +
	"--usermap --groupmap --compress-level --skip-compress --modify-window --address --info --debug --iconv --checksum-choice --outbuf --stop-after"

// findLoses reports whether a find that deletes begins outside scratch.
func findLoses(l *line) bool {
	roots := findRoots(l.act)
	if len(roots) == 0 {
		return l.p.losesWord(l.at, l.act, acts.Text("."))
	}
	lost := false
	for _, w := range roots {
		lost = l.p.losesWord(l.at, l.act, w) || lost
	}
	return lost
}

// psLoses reports whether a removing cmdlet names something outside scratch. A
// cmdlet that gets its objects from a pipe removes what nobody can see here.
func psLoses(l *line) bool {
	words := l.ops
	l.each("-Path -LiteralPath -FilePath", func(a arg) { words = append(words, a) })
	if len(words) == 0 {
		return true
	}
	return l.loses(psList(words)) || l.unplaced(words)
}

// psList takes a list of paths between commas apart.
func psList(words []arg) []arg {
	var out []arg
	for _, w := range words {
		if w.known && strings.IndexByte(w.text, ',') > 0 {
			for s := range strings.SplitSeq(w.text, ",") {
				s = strings.Trim(strings.TrimSpace(s), `"'`)
				out = append(out, arg{text: s, known: true, word: acts.Text(s)})
			}
			continue
		}
		out = append(out, w)
	}
	return out
}

// unplaced reports whether nothing of the words is known.
func (l *line) unplaced(words []arg) bool {
	for _, w := range words {
		if w.text != "" || !w.known {
			return false
		}
	}
	return true
}

// remote is remotePath where the act runs: with a drive letter in its directory
// one letter and a colon are a drive, elsewhere they are a host.
func (l *line) remote(s string) bool {
	if len(s) > 1 && s[1] == ':' && letter(s[0]) && !drive(slashes(l.act.Dir.String())) && !strings.Contains(s, `\`) {
		return true
	}
	return remotePath(s)
}

// remotePath reports whether an operand of scp or rsync is on another host:
// HOST:PATH, a scheme, but no drive letter and no colon behind a slash.
func remotePath(s string) bool {
	if strings.Contains(s, "://") {
		return !strings.HasPrefix(s, "file://")
	}
	i := strings.IndexByte(s, ':')
	if i <= 0 || strings.IndexByte(s[:i], '/') >= 0 {
		return false
	}
	host := s[:i]
	if len(host) == 1 { // C:\site
		return false
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return !isLoopback(host)
}
