package redline

import (
	"path"
	"strings"

	"spar/redline/acts"
)

// resolve is the normalised absolute form of a path a tool names: forward
// slashes, no `.`, `..`, `//` or trailing slash, joined to dir where it is
// relative. home stands for a leading `~`.
func resolve(dir, home, s string) string {
	s = slashes(s)
	if s == "~" || strings.HasPrefix(s, "~/") {
		s = home + s[1:]
	}
	if !rooted(s) {
		s = slashes(dir) + "/" + s
	}
	return cleanPath(s)
}

// slashes turns the separators of Windows around. A backslash in a POSIX path is
// so rare that reading it as a separator costs nothing, and a Windows path that is
// not recognised would be a miss.
func slashes(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.ReplaceAll(s, `\`, "/")
}

// rooted reports whether s (forward slashes) is absolute on either system.
func rooted(s string) bool {
	return strings.HasPrefix(s, "/") || drive(s)
}

// drive reports whether s begins with a drive letter.
func drive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && (len(s) == 2 || s[2] == '/')
}

// cleanPath is path.Clean that keeps a drive letter's root and never climbs over
// it.
func cleanPath(s string) string {
	if drive(s) {
		return s[:2] + path.Clean("/"+s[2:])
	}
	return path.Clean(s)
}

// base is the last element of a path of either system.
func base(s string) string {
	s = strings.TrimRight(slashes(s), "/")
	return s[strings.LastIndexByte(s, '/')+1:]
}

// patterns are production substrings, normalised once a call.
type patterns []string

func normalise(list []string) patterns {
	if len(list) == 0 {
		return nil
	}
	out := make(patterns, 0, len(list))
	for _, s := range list {
		if s = fold(s); s != "" && s != "/" && s != "." {
			out = append(out, s)
		}
	}
	return out
}

// fold is the form in which paths are compared: forward slashes, lower case, `.`
// and `..` resolved, runs of slashes made one; a trailing slash stays, since it
// is what tells /srv/live/ from /srv/livestock.
func fold(s string) string {
	s = strings.ToLower(slashes(strings.TrimSpace(s)))
	if s == "" {
		return ""
	}
	tail := strings.HasSuffix(s, "/")
	if strings.Contains(s, "//") || strings.Contains(s, "/.") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") {
		scheme := ""
		if i := strings.Index(s, "://"); i > 0 {
			scheme, s = s[:i+3], s[i+3:]
		}
		s = scheme + cleanPath(s)
	}
	if tail && !strings.HasSuffix(s, "/") {
		s += "/"
	}
	return s
}

// in reports whether a normalised path lies in production. The slash behind it
// lets the pattern /srv/live/ match the directory itself.
func (p patterns) in(s string) (string, bool) {
	if len(p) == 0 || s == "" {
		return "", false
	}
	s = fold(s)
	if !strings.HasSuffix(s, "/") {
		s += "/"
	}
	for _, pat := range p {
		if strings.Contains(s, pat) {
			return pat, true
		}
	}
	return "", false
}

// within reports whether a normalised path lies in one of the free trees. Unlike
// production it must begin and end at a separator: what makes the limiter quieter
// is read narrowly.
func within(free []string, s string) (string, bool) {
	if len(free) == 0 {
		return "", false
	}
	s = fold(s) + "/"
	for _, f := range free {
		pat := strings.TrimSuffix(fold(f), "/") + "/"
		if pat == "/" || pat == "./" {
			continue
		}
		for at := 0; ; {
			i := strings.Index(s[at:], pat)
			if i < 0 {
				break
			}
			i += at
			if i == 0 || s[i-1] == '/' || pat[0] == '/' {
				return f, true
			}
			at = i + 1
		}
	}
	return "", false
}

// sentence reports whether a word reads as text rather than as a path: it holds
// blanks and does not begin like an absolute path.
func sentence(s string) bool {
	if !strings.ContainsAny(s, " \t\n") {
		return false
	}
	return !rooted(slashes(s)) || strings.IndexByte(s, '\n') >= 0
}

// literal is a word's text and whether all of it is known.
func literal(w acts.Word) (string, bool) {
	if s, ok := w.Known(); ok {
		return s, true
	}
	return w.String(), false
}
