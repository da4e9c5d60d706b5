package redline

import (
	"strings"

	"spar/redline/acts"
)

// shellOptions lists the options of a program whose value is a command line: what
// stands there runs as surely as what follows sudo.
func shellOptions(name, sub string) string {
	switch name {
	case "git":
		switch sub {
		case "grep":
			return "-O --open-files-in-pager"
		case "fetch", "pull", "clone", "ls-remote", "fetch-pack", "remote", "submodule", "archive":
			return "-u --upload-pack --exec"
		case "push", "send-pack":
			return "--receive-pack --exec"
		case "difftool", "mergetool":
			return "-x --extcmd"
		}
	case "tar", "gtar", "bsdtar":
		return "-I --use-compress-program --to-command --rsh-command -F --info-script --new-volume-script --checkpoint-action"
	case "rsync":
		return "-e --rsh --rsync-path"
	case "vim", "vi", "nvim", "view", "ex":
		return "-c --cmd"
	case "ssh", "scp", "sftp":
		return "-o -S"
	case "zip":
		return "-TT --unzip-command"
	case "man":
		return "-P --pager"
	}
	return ""
}

// shellVariable reports whether a variable set for a command is a command line
// that the command starts.
func shellVariable(name string) bool {
	switch name {
	case "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "EDITOR", "VISUAL",
		"PAGER", "MANPAGER", "GH_PAGER", "GH_EDITOR", "SVN_EDITOR", "RSYNC_RSH", "LESSOPEN", "PROMPT_COMMAND", "BROWSER":
		return true
	}
	return false
}

// maxNested bounds command lines inside options inside command lines.
const maxNested = 4

// nested prices the command lines that an act carries in its options and
// variables.
func (p *pricer) nested(l *line) {
	for _, a := range l.act.Assigns {
		if shellVariable(a.Name) {
			if s, ok := a.Value.Known(); ok {
				p.carriedLine(l, s)
			}
		}
	}
	for _, a := range l.args {
		if (l.name == "less" || l.name == "more") && strings.HasPrefix(a.text, "+!") {
			p.carriedLine(l, a.text[2:])
		}
	}
	list := shellOptions(l.name, firstWord(l))
	if list == "" {
		return
	}
	for i, a := range l.args {
		s := a.text
		if a.text == "--" {
			break
		}
		name, v, has := strings.Cut(s, "=")
		switch {
		case has && strings.HasPrefix(s, "--") && listed(list, name):
		case listed(list, s) && i+1 < len(l.args):
			v = l.args[i+1].text
		case len(s) > 2 && s[0] == '-' && s[1] != '-' && listed(list, s[:2]):
			v = s[2:]
		default:
			continue
		}
		switch l.name {
		case "vim", "vi", "nvim", "view", "ex":
			v = strings.TrimLeft(v, ": ")
			if !strings.HasPrefix(v, "!") {
				continue
			}
			v = v[1:]
		case "ssh", "scp", "sftp":
			key, cmd, _ := strings.Cut(v, "=")
			if !strings.EqualFold(key, "ProxyCommand") && !strings.EqualFold(key, "LocalCommand") && s != "-S" {
				continue
			}
			if cmd != "" {
				v = cmd
			}
		case "tar", "gtar", "bsdtar":
			if strings.HasPrefix(s, "--checkpoint-action") {
				if v, has = strings.CutPrefix(v, "exec="); !has {
					continue
				}
			}
		}
		p.carriedLine(l, v)
	}
}

// carriedLine prices a command line that the act l starts.
func (p *pricer) carriedLine(l *line, text string) {
	if strings.TrimSpace(text) == "" || p.depth >= maxNested {
		return
	}
	dir, _ := l.act.Dir.Known()
	sub := pricer{call: p.call, o: p.o, prod: p.prod, depth: p.depth + 1}
	sub.out.Reading = acts.Read(text, acts.Options{Dialect: acts.Bourne, Dir: dir, Env: p.o.Env})
	sub.command()
	for _, c := range sub.out.Charges {
		p.detail = c.Detail
		p.charge(l.at, kindBit(c.Kind), l.name+" starts a command of its own: "+c.Why, c.Row)
	}
	p.detail = ""
	if p.out.Switch == nil && sub.out.Switch != nil {
		p.flip(sub.out.Switch.Name, l.at, sub.out.Switch.Why)
	}
}
