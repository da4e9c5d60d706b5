package redline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"spar/sortie"
)

// maxNames bounds how many file names of one prompt are kept.
const maxNames = 200

// Names are the file names in a person's words: base names, lower case, each
// once, in order. Empty and not nil where there is none: a person who names
// nothing has been heard all the same.
func Names(prompt string) []string {
	out := []string{}
	add := func(s string) {
		s = strings.ToLower(base(s))
		if s == "" || len(out) >= maxNames || len(s) > 255 {
			return
		}
		for _, o := range out {
			if o == s {
				return
			}
		}
		out = append(out, s)
	}
	// Names with blanks in them stand in quotes.
	for _, q := range [...]string{"`", `"`, "'"} {
		for rest := prompt; ; {
			i := strings.Index(rest, q)
			if i < 0 {
				break
			}
			j := strings.Index(rest[i+1:], q)
			if j < 0 {
				break
			}
			if s := rest[i+1 : i+1+j]; strings.Contains(s, " ") && len(s) < 120 && !strings.ContainsAny(s, "\n") && fileName(base(s)) && !strings.Contains(s, "://") {
				add(s)
			}
			rest = rest[i+1+j:]
			rest = rest[1:]
		}
	}
	for _, tok := range strings.FieldsFunc(prompt, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>|,;()[]{}「」『』（）、。“”‘’«»!?！？：", r)
	}) {
		if strings.Contains(tok, "://") || strings.Contains(tok, "@") && strings.Contains(tok[strings.IndexByte(tok, '@'):], ".") && !strings.HasPrefix(tok, "@") {
			continue // an address, not a file
		}
		tok = strings.TrimPrefix(tok, "@") // @src/app.ts, as prompts point at files
		tok = strings.TrimLeft(strings.TrimRight(tok, ".:*_~"), ":*~")
		if i := strings.IndexByte(tok, ':'); i > 1 { // src/app.ts:42
			tok = tok[:i]
		}
		tok = cutTail(tok)
		if !fileName(base(tok)) {
			continue
		}
		add(tok)
		// Scripts without blanks between words: the name may begin in the middle.
		b := base(tok)
		if i := strings.LastIndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
			_, n := utf8.DecodeRuneInString(b[i:])
			if s := b[i+n:]; !strings.HasPrefix(s, ".") && fileName(s) {
				add(s)
			}
		}
	}
	return out
}

// cutTail takes off what follows an extension without a blank (`report.mdを`).
func cutTail(s string) string {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return s
	}
	for k := i + 1; k < len(s); k++ {
		if s[k] >= utf8.RuneSelf {
			return s[:k]
		}
	}
	return s
}

// fileName reports whether a word is the name of a file: it has an extension
// that is no number and no abbreviation, or is one of the names that have none.
func fileName(s string) bool {
	switch strings.ToLower(s) {
	case "makefile", "dockerfile", "containerfile", "license", "licence", "readme", "changelog", "gemfile", "rakefile", "procfile", "vagrantfile",
		"jenkinsfile", "brewfile", "justfile", "codeowners", "notice", "authors", "contributing", "pipfile", "podfile", "caddyfile":
		return true
	}
	if s == "" || s == "." || s == ".." {
		return false
	}
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i == len(s)-1 {
		return false
	}
	ext := s[i+1:]
	if len(ext) > 12 || !letter(ext[0]) {
		// .7z is the exception that is not worth a rule.
		return false
	}
	for k := range len(ext) {
		if c := ext[k]; !letter(c) && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	if i == 0 {
		return len(ext) > 1 // .env, .gitignore
	}
	switch strings.ToLower(s) {
	case "e.g", "i.e", "a.m", "p.m", "u.s", "d.h", "z.b", "n.b":
		return false
	}
	return true
}

// scope is what a sortie's latest prompt named, as it is kept.
type scope struct {
	Names []string `json:"names"`
}

func scopeFile(h sortie.Home, id, ext string) string {
	return filepath.Join(h.Dir, "scope", filepath.Base(id)+ext)
}

// keepNames stores the names of a sortie's latest prompt, whole or not at all.
func keepNames(h sortie.Home, id string, names []string) error {
	doc, err := json.Marshal(scope{names})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(h.Dir, "scope"), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(h.Dir, "scope"), ".names-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(doc, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), scopeFile(h, id, ".json"))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// keptNames is what keepNames stored; nil where nobody listened.
func keptNames(h sortie.Home, id string) []string {
	if id == "" {
		return nil
	}
	b, err := os.ReadFile(scopeFile(h, id, ".json"))
	if err != nil {
		return nil
	}
	var s scope
	if json.Unmarshal(b, &s) != nil {
		return nil
	}
	if s.Names == nil {
		s.Names = []string{}
	}
	return s.Names
}

// told reports whether a sortie has been told something that is told once. The
// ledger knows too; this spares opening it on every later call.
func told(h sortie.Home, id, key string) bool {
	b, err := os.ReadFile(scopeFile(h, id, ".told"))
	return err == nil && strings.Contains("\n"+string(b), "\n"+key+"\n")
}

// tell remembers it. A failure only means that the ledger is asked again.
func tell(h sortie.Home, id, key string) {
	if os.MkdirAll(filepath.Join(h.Dir, "scope"), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(scopeFile(h, id, ".told"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.WriteString(key + "\n") // lost, it is told once more
	_ = f.Close()
}
