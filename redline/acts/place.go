package acts

import "strings"

// Place says where a path word lands.
type Place struct {
	// Path is the normalised absolute path (forward slashes, no `.`, `..`, `//`
	// or trailing slash; drive letters upper case) as far as it is known.
	Path string
	// Known is set where Path is the whole path.
	Known bool
	// Scratch is set where the path is certainly strictly inside a known scratch
	// root: /tmp, /var/tmp, /dev/shm, $TMPDIR, $TEMP, $TMP, $RUNNER_TEMP, or a
	// path that mktemp returned.
	Scratch bool
	// Null is set for /dev/null, NUL, $null and the standard descriptors.
	Null bool
	// Why says why the path is not known, or is empty.
	Why string
}

// cleanPath normalises a path: forward slashes, no `.`, `..`, `//` or trailing
// slash, drive letters upper case. A relative path stays relative. It does not
// ask the disk: a link in it may still lead elsewhere.
func cleanPath(p string) string {
	if strings.IndexByte(p, '\\') >= 0 {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if isClean(p) {
		return p
	}
	drive := ""
	if len(p) >= 2 && p[1] == ':' && isLetter(p[0]) {
		drive, p = strings.ToUpper(p[:1])+":", p[2:]
	}
	abs := strings.HasPrefix(p, "/")
	out := make([]byte, 0, len(drive)+len(p))
	out = append(out, drive...)
	base := len(out)
	if abs {
		out = append(out, '/')
	}
	root := len(out)
	up := root // what `..` of a relative path may not take away
	for p != "" {
		seg := p
		if i := strings.IndexByte(p, '/'); i >= 0 {
			seg, p = p[:i], p[i+1:]
		} else {
			p = ""
		}
		switch seg {
		case "", ".":
			continue
		case "..":
			if len(out) > up {
				i := len(out) - 1
				for i >= up && out[i] != '/' {
					i--
				}
				out = out[:max(i, up)]
				continue
			}
			if abs {
				continue
			}
		}
		if len(out) > root {
			out = append(out, '/')
		}
		out = append(out, seg...)
		if seg == ".." {
			up = len(out)
		}
	}
	if len(out) == base && !abs {
		out = append(out, '.')
	}
	return string(out)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// isClean reports whether a Unix path needs no work.
func isClean(p string) bool {
	if p == "/" {
		return true
	}
	if p == "" || p[len(p)-1] == '/' || len(p) >= 2 && p[1] == ':' {
		return false
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '.' && (i == 0 || p[i-1] == '/') {
			return false
		}
		if p[i] == '/' && i+1 < len(p) && p[i+1] == '/' {
			return false
		}
	}
	return true
}

// isAbs reports whether a path word is absolute on either system.
func isAbs(p string) bool {
	if p == "" {
		return false
	}
	if p[0] == '/' || p[0] == '\\' {
		return true
	}
	return len(p) >= 3 && isLetter(p[0]) && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

// Place says where the path word w of an act that runs in dir lands, under the
// environment of the options the reading was made with. It asks the text alone:
// no disk, no links. Where an act has [Act.Remote] its paths are on the other
// machine, and what that means is the caller's to decide.
func (r *Reading) Place(dir, w Word) Place { return r.place(dir, w) }

func (r *Reading) place(dir, w Word) Place {
	if t, ok := w.Known(); ok {
		return r.placeText(dir, t)
	}
	return r.placeParts(dir, w)
}

func (r *Reading) placeText(dir Word, t string) Place {
	if isNullDevice(t) {
		return Place{Path: t, Known: true, Null: true}
	}
	if t == "" {
		return Place{Why: "an empty path"}
	}
	if isAbs(t) {
		p := cleanPath(t)
		return Place{Path: p, Known: true, Scratch: r.scratch(p), Null: isNullDevice(p)}
	}
	if d, ok := dir.Known(); ok && d != "" {
		p := cleanPath(d + "/" + t)
		return Place{Path: p, Known: true, Scratch: r.scratch(p), Null: isNullDevice(p)}
	}
	// Relative to a directory of which only something is known.
	j := Word{Parts: append(append([]Part(nil), dir.Parts...), Part{Kind: Lit, Text: "/" + t})}
	if len(dir.Parts) == 0 {
		return Place{Path: cleanPath(t), Why: "the directory is not known"}
	}
	return r.placeParts(Word{}, j)
}

// isNullDevice knows the files that keep nothing.
func isNullDevice(t string) bool {
	switch t {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "$null":
		return true
	}
	if strings.HasPrefix(t, "/dev/fd/") || strings.HasPrefix(t, "/proc/self/fd/") {
		return true
	}
	if len(t) >= 3 && len(t) <= 4 && strings.EqualFold(strings.TrimSuffix(t, ":"), "nul") {
		return true
	}
	return false
}

// scratch reports whether a clean absolute path is strictly inside a scratch
// root of the reading's environment.
func (r *Reading) scratch(p string) bool {
	if inside(p, "/tmp") || inside(p, "/var/tmp") || inside(p, "/dev/shm") || inside(p, "/private/tmp") || inside(p, "/private/var/tmp") {
		return true
	}
	for _, name := range [...]string{"TMPDIR", "TEMP", "TMP", "RUNNER_TEMP"} {
		root := r.env[name]
		if root == "" || !isAbs(root) {
			continue
		}
		root = cleanPath(root)
		// A root that is a whole file system or somebody's home makes nothing
		// scratch, whatever the variable says.
		if root == "/" || len(root) <= 3 && strings.HasSuffix(root, ":/") || root == cleanPath(orDot(r.env["HOME"])) || root == cleanPath(orDot(r.env["USERPROFILE"])) {
			continue
		}
		if inside(p, root) {
			return true
		}
	}
	return false
}

func orDot(p string) string {
	if p == "" {
		return "."
	}
	return p
}

// inside reports whether p lies strictly below root. Windows paths are compared
// without regard to case.
func inside(p, root string) bool {
	if len(p) <= len(root)+1 || p[len(root)] != '/' {
		return false
	}
	if len(root) >= 2 && root[1] == ':' {
		return strings.EqualFold(p[:len(root)], root)
	}
	return p[:len(root)] == root
}

// placeParts places a word of which a part is not known.
func (r *Reading) placeParts(dir, w Word) Place {
	var b strings.Builder
	why := w.Why()
	stop := false
	temp := false
	globbed := false
	for i, p := range w.Parts {
		switch p.Kind {
		case Lit:
			b.WriteString(p.Text)
		case TempPath:
			if i > 0 {
				stop = true
				break
			}
			temp = true
			b.WriteString("/tmp/\x01fresh")
		case Opaque:
			b.WriteByte(1)
		case Glob:
			globbed = true
			b.WriteString(p.Text)
		default:
			stop = true
		}
		if stop {
			break
		}
	}
	t := b.String()
	show := cleanPath(strings.Map(func(c rune) rune {
		if c == 1 {
			return '?'
		}
		return c
	}, t))
	pl := Place{Path: show, Why: why}
	if t == "" {
		pl.Path = ""
		if stop {
			return pl
		}
	}
	full := t
	if !isAbs(t) && !temp {
		if len(w.Parts) > 0 && w.Parts[0].Kind != Lit && w.Parts[0].Kind != Glob && w.Parts[0].Kind != Opaque {
			return pl
		}
		d, ok := dir.Known()
		if !ok || d == "" {
			if len(dir.Parts) == 0 {
				return pl
			}
			return r.placeParts(Word{}, Word{Parts: append(append(append([]Part(nil), dir.Parts...), Part{Kind: Lit, Text: "/"}), w.Parts...)})
		}
		full = d + "/" + t
		pl.Path = cleanPath(d + "/" + orDot(pl.Path))
	}
	if temp {
		if pl.Path = cleanPath(w.String()); pl.Path == "." {
			pl.Path = w.String()
		}
	}
	if stop {
		// The rest could be empty, climb out, or be several words.
		return pl
	}
	if globbed {
		if pl.Why == "" {
			pl.Why = "a pattern"
		}
		// A pattern stands for names that are there: it may not climb, and below a
		// literal name in scratch it stays inside. `/tmp/*` has no such name.
		for _, root := range r.roots() {
			if r.scratch(cleanPath(strings.ReplaceAll(full, "\x01", "x"))) && globInside(cleanPath(full), root) {
				pl.Scratch = true
			}
		}
		return pl
	}
	// An opaque piece is some text without a slash. It may not be `..`, as what it
	// stands for (numbers, hashes, dates) never is.
	pl.Scratch = r.scratch(cleanPath(full))
	return pl
}

// globInside reports whether a clean path with patterns has, after root, a first
// piece that begins with a literal name.
func globInside(p, root string) bool {
	if !inside(p, root) {
		return false
	}
	rest := p[len(root)+1:]
	return rest != "" && strings.IndexByte("*?[", rest[0]) < 0 && !strings.HasPrefix(rest, ".*")
}

func (r *Reading) roots() []string {
	out := []string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"}
	for _, name := range [...]string{"TMPDIR", "TEMP", "TMP", "RUNNER_TEMP"} {
		if v := r.env[name]; v != "" && isAbs(v) {
			out = append(out, cleanPath(v))
		}
	}
	return out
}
