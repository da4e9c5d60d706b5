package redline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"spar/ledger"
)

// The names a configuration file may have, in order of authority within one
// directory.
const (
	ConfigName    = ".redline.json"
	ConfigNameAlt = "redline.json"
)

// maxConfig bounds what is read of a configuration file: 1 MiB.
const maxConfig = 1 << 20

// Config is one configuration file as it was read.
type Config struct {
	File       string
	Production []string
	Tariff     map[string]int // kinds it sets, and no others
	Advise     int            // 0: not set
	Stop       int            // 0: not set
	Tools      []ToolRule
	Free       []string
	// Problems are the places that were not understood; what they stood for is
	// left out and the rest of the file holds.
	Problems []Problem
}

// Problem is one place of a configuration file that could not be taken.
type Problem struct {
	File      string
	Line, Col int // from 1
	Text      string
	Hint      string // the next step, or empty
}

// Error is `file:line:col: text`.
func (p Problem) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Text)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// ParseConfig reads one configuration file. The error is a *[Problem] where the
// text is not JSON or no object: then nothing of the file is used. Unknown keys
// and wrong types are in [Config.Problems].
func ParseConfig(file string, text []byte) (*Config, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &configReader{file: file, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	r.dec.UseNumber()
	c := &Config{File: file}
	if err := r.document(c); err != nil {
		return nil, err
	}
	return c, nil
}

// configReader walks the tokens of a file, so that each complaint has a place.
// Unmarshalling into a struct would lose where an unknown key stands and would
// take a key in the wrong case without a word.
type configReader struct {
	file string
	text []byte
	dec  *json.Decoder
	at   int64 // where the last token began
	c    *Config
}

func (r *configReader) next() (json.Token, error) {
	at := r.dec.InputOffset()
	for at < int64(len(r.text)) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	r.at = at
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.broken(err)
	}
	return t, nil
}

func (r *configReader) broken(err error) error {
	var syn *json.SyntaxError
	text := "the file ends in the middle"
	at := int64(len(r.text))
	if errors.As(err, &syn) {
		text = syn.Error()
		// The decoder counts from the start of its own buffer; near enough only when
		// it began at 0, so the place is found again with a scan of the whole text.
		var v any
		if e := json.Unmarshal(r.text, &v); errors.As(e, &syn) {
			at = max(syn.Offset-1, 0)
			text = syn.Error()
		}
	} else if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		text = err.Error()
	}
	p := r.problem(at, "not JSON: "+text)
	p.Hint = "nothing of this file is used until it parses"
	return &p
}

func (r *configReader) problem(at int64, text string) Problem {
	at = min(at, int64(len(r.text)))
	before := r.text[:at]
	line := 1 + bytes.Count(before, []byte("\n"))
	col := 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	return Problem{File: r.file, Line: line, Col: col, Text: text}
}

func (r *configReader) complain(at int64, format string, args ...any) {
	r.c.Problems = append(r.c.Problems, r.problem(at, fmt.Sprintf(format, args...)))
}

func (r *configReader) document(c *Config) error {
	r.c = c
	t, err := r.next()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		p := r.problem(r.at, "want an object, got "+kindOf(t))
		p.Hint = `begin with {"production": [...]}`
		return &p
	}
	seen := map[string]bool{}
	err = r.object(func(key string, at int64) error {
		if seen[key] {
			r.complain(at, "key %q is given twice; both hold, the later one where they differ", key)
		}
		seen[key] = true
		switch key {
		case "production":
			return r.strings(key, &c.Production)
		case "free":
			return r.strings(key, &c.Free)
		case "tariff":
			return r.tariff()
		case "limit":
			return r.limit()
		case "tools":
			return r.tools()
		case "$schema":
			_, err := r.skip()
			return err
		}
		r.complain(at, "unknown key %q%s", key, nearest(key, "production", "tariff", "limit", "tools", "free"))
		_, err := r.skip()
		return err
	})
	if err != nil {
		return err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		p := r.problem(r.dec.InputOffset(), "not JSON: something follows the object")
		return &p
	}
	return nil
}

// object calls f for each key of the object whose brace has been read; f reads
// the value.
func (r *configReader) object(f func(key string, at int64) error) error {
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		if t == json.Delim('}') {
			return nil
		}
		key, _ := t.(string)
		if err := f(key, r.at); err != nil {
			return err
		}
	}
}

// open reads the opening delimiter of a value; false where the value is of
// another type, which has then been complained of and skipped.
func (r *configReader) open(d json.Delim, what string) (bool, error) {
	t, err := r.next()
	if err != nil {
		return false, err
	}
	if t == d {
		return true, nil
	}
	r.complain(r.at, "%s, got %s", what, kindOf(t))
	return false, r.rest(t)
}

// skip reads a whole value and returns its first token.
func (r *configReader) skip() (json.Token, error) {
	t, err := r.next()
	if err != nil {
		return nil, err
	}
	return t, r.rest(t)
}

// rest reads what is left of the value that began with t.
func (r *configReader) rest(t json.Token) error {
	d, ok := t.(json.Delim)
	if !ok || d == '}' || d == ']' {
		return nil
	}
	at := r.at
	defer func() { r.at = at }()
	for depth := 1; depth > 0; {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

func (r *configReader) strings(key string, into *[]string) error {
	ok, err := r.open('[', fmt.Sprintf("%q wants a list of strings", key))
	if err != nil || !ok {
		return err
	}
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		if t == json.Delim(']') {
			return nil
		}
		s, ok := t.(string)
		switch {
		case !ok:
			r.complain(r.at, "%q wants strings, got %s", key, kindOf(t))
			if err := r.rest(t); err != nil {
				return err
			}
		case strings.TrimSpace(s) == "":
			// An empty substring is in every path.
			r.complain(r.at, "%q holds an empty string, which would match every path", key)
		default:
			*into = append(*into, s)
		}
	}
}

// whole reads a whole number of at least low.
func (r *configReader) whole(name string, low int) (int, bool, error) {
	t, err := r.skip()
	if err != nil {
		return 0, false, err
	}
	if n, ok := t.(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= int64(low) && i <= 1_000_000 {
			return int(i), true, nil
		}
		r.complain(r.at, "%s wants a whole number from %d on, got %s", name, low, n)
		return 0, false, nil
	}
	r.complain(r.at, "%s wants a whole number, got %s", name, kindOf(t))
	return 0, false, nil
}

func (r *configReader) tariff() error {
	ok, err := r.open('{', `"tariff" wants an object of kinds and points`)
	if err != nil || !ok {
		return err
	}
	return r.object(func(key string, at int64) error {
		if kindBit(key) == 0 {
			r.complain(at, "unknown kind %q%s", key, nearest(key, Kinds()...))
			_, err := r.skip()
			return err
		}
		n, ok, err := r.whole(fmt.Sprintf("tariff %q", key), 0)
		if err == nil && ok {
			if r.c.Tariff == nil {
				r.c.Tariff = map[string]int{}
			}
			r.c.Tariff[key] = n
		}
		return err
	})
}

func (r *configReader) limit() error {
	ok, err := r.open('{', `"limit" wants an object with "advise" and "stop"`)
	if err != nil || !ok {
		return err
	}
	return r.object(func(key string, at int64) error {
		var into *int
		switch key {
		case "advise":
			into = &r.c.Advise
		case "stop":
			into = &r.c.Stop
		default:
			r.complain(at, "unknown key %q in \"limit\"%s", key, nearest(key, "advise", "stop"))
			_, err := r.skip()
			return err
		}
		n, ok, err := r.whole(fmt.Sprintf("limit %q", key), 1)
		if err == nil && ok {
			*into = n
		}
		return err
	})
}

func (r *configReader) tools() error {
	ok, err := r.open('{', `"tools" wants an object of tool names and lists of kinds`)
	if err != nil || !ok {
		return err
	}
	return r.object(func(key string, at int64) error {
		rule := ToolRule{Pattern: key}
		if strings.Trim(key, "*") == "" {
			r.complain(at, "tool pattern %q names no tool", key)
		}
		var kinds []string
		before := len(r.c.Problems)
		if err := r.strings("tools", &kinds); err != nil {
			return err
		}
		for _, k := range kinds {
			if kindBit(k) == 0 {
				r.complain(r.at, "tool %q: unknown kind %q%s", key, k, nearest(k, Kinds()...))
				continue
			}
			rule.Kinds = append(rule.Kinds, k)
		}
		// A rule that was misread must not turn into "free".
		if len(r.c.Problems) == before && strings.Trim(key, "*") != "" {
			r.c.Tools = append(r.c.Tools, rule)
		}
		return nil
	})
}

func kindOf(t json.Token) string {
	switch v := t.(type) {
	case json.Delim:
		if v == '[' || v == ']' {
			return "a list"
		}
		return "an object"
	case string:
		return fmt.Sprintf("the string %q", v)
	case json.Number:
		return "the number " + v.String()
	case bool:
		return fmt.Sprintf("%t", v)
	}
	return "null"
}

// nearest is `; did you mean "x"?` where one of the known words is close.
func nearest(word string, known ...string) string {
	best, dist := "", 3
	for _, k := range known {
		if d := distance(strings.ToLower(word), k); d < dist {
			best, dist = k, d
		}
	}
	if best == "" {
		return " (known: " + strings.Join(known, ", ") + ")"
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the edit distance of two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diag+cost)
		}
	}
	return row[len(b)]
}

// Look says from where configuration is looked for.
type Look struct {
	// Own are the session's own directories (its project, where it was started):
	// the only ones, with Home, whose word can make the limiter quieter.
	Own []string
	// Trees are directories found through a call: where it stands, what it writes,
	// what it names. They can only add production paths.
	Trees []string
	// Home is the person's home directory; asked last.
	Home string
	// Extra is REDLINE_PRODUCTION: substrings between semicolons.
	Extra string
}

// Found is what a look-up brought: the rules and what could not be read.
type Found struct {
	Rules    Rules
	Files    []string  // configuration files in use, in the order they were found
	Problems []Problem // what was skipped or not understood, once a place
}

// Load walks upward from every directory of l, then asks home. Production paths
// are the union of all it finds; tariff, limit, free trees and tools come from
// the session's own directories and home alone, so that a tree that is merely
// written to can't shorten the list or raise the limit.
//
// A file that can't be read or doesn't parse is named in Problems and the search
// goes on above it.
func Load(l Look) Found {
	var f Found
	seen := map[string]*Config{} // by directory; nil where there is none
	tell := map[string]bool{}
	in := func(dir string) *Config {
		if c, ok := seen[dir]; ok {
			return c
		}
		c := f.read(dir, tell)
		seen[dir] = c
		return c
	}
	used := map[*Config]bool{}
	add := func(c *Config) {
		if c == nil || used[c] {
			return
		}
		used[c] = true
		f.Files = append(f.Files, strings.Split(c.File, "\n")...)
		f.Rules.Production = union(f.Rules.Production, c.Production)
	}
	var own []*Config
	for _, d := range l.Own {
		if c := upward(d, in); c != nil {
			add(c)
			own = append(own, c)
		}
	}
	for _, d := range l.Trees {
		add(upward(d, in))
	}
	if l.Home != "" {
		if c := in(filepath.Clean(l.Home)); c != nil {
			add(c)
			own = append(own, c)
		}
	}
	f.Rules.quiet(own)
	for s := range strings.SplitSeq(l.Extra, ";") {
		if s = strings.TrimSpace(s); s != "" {
			f.Rules.Production = union(f.Rules.Production, []string{s})
		}
	}
	return f
}

// upward is the configuration nearest to dir, dir included.
func upward(dir string, in func(string) *Config) *Config {
	if !filepath.IsAbs(dir) {
		return nil
	}
	dir = filepath.Clean(dir)
	for {
		if c := in(dir); c != nil {
			return c
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// read reads both names of one directory; nil where neither is there and
// parses.
func (f *Found) read(dir string, tell map[string]bool) *Config {
	var out *Config
	for _, name := range [...]string{ConfigName, ConfigNameAlt} {
		file := filepath.Join(dir, name)
		c, err := ReadConfig(file)
		if err != nil {
			if !errors.Is(err, os.ErrNotExist) && !tell[file] {
				tell[file] = true
				var p *Problem
				if !errors.As(err, &p) {
					p = &Problem{File: file, Line: 1, Col: 1, Text: err.Error()}
				}
				f.Problems = append(f.Problems, *p)
			}
			continue
		}
		f.Problems = append(f.Problems, c.Problems...)
		if out == nil {
			out = c
			continue
		}
		out.fill(c)
	}
	return out
}

// ReadConfig reads a configuration file from the disk. fs.ErrNotExist where it
// isn't there, *[Problem] where it doesn't parse.
func ReadConfig(file string) (*Config, error) {
	// Most directories have none: asking first is cheaper than opening, and a
	// directory, a pipe or a device of that name must not be opened at all.
	st, err := os.Stat(file)
	if err != nil {
		if pe := (*os.PathError)(nil); errors.As(err, &pe) && !errors.Is(err, os.ErrPermission) {
			return nil, os.ErrNotExist
		}
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &Problem{File: file, Line: 1, Col: 1, Text: "not a regular file"}
	}
	if st.Size() > maxConfig {
		return nil, &Problem{File: file, Line: 1, Col: 1, Text: fmt.Sprintf("%d bytes, more than the %d that are read", st.Size(), maxConfig)}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &Problem{File: file, Line: 1, Col: 1, Text: "cannot be read: " + errText(err)}
	}
	return ParseConfig(file, text)
}

func errText(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// fill takes from o what c does not set, and all of its production paths.
func (c *Config) fill(o *Config) {
	c.File += "\n" + o.File
	c.Production = union(c.Production, o.Production)
	for k, v := range o.Tariff {
		if _, ok := c.Tariff[k]; !ok {
			if c.Tariff == nil {
				c.Tariff = map[string]int{}
			}
			c.Tariff[k] = v
		}
	}
	if c.Advise == 0 {
		c.Advise = o.Advise
	}
	if c.Stop == 0 {
		c.Stop = o.Stop
	}
	if c.Free == nil {
		c.Free = o.Free
	}
	if c.Tools == nil {
		c.Tools = o.Tools
	}
}

// quiet sets what may make the limiter quieter: the nearest file that sets a
// value wins.
func (r *Rules) quiet(own []*Config) {
	t, l := DefaultTariff(), DefaultLimit()
	var haveT, haveL bool
	for i := len(own) - 1; i >= 0; i-- { // farthest first, the nearer overwrites
		c := own[i]
		for k, v := range c.Tariff {
			*t.slot(k), haveT = v, true
		}
		if c.Advise > 0 {
			l.Advise, haveL = c.Advise, true
		}
		if c.Stop > 0 {
			l.Stop, haveL = c.Stop, true
		}
		if c.Free != nil {
			r.Free = c.Free
		}
		if c.Tools != nil {
			r.Tools = c.Tools
		}
	}
	if haveT {
		r.Tariff = &t
	}
	if haveL {
		r.Limit = &l
	}
}

func union(a, b []string) []string {
next:
	for _, s := range b {
		for _, o := range a {
			if o == s {
				continue next
			}
		}
		a = append(a, s)
	}
	return a
}

// Grade is the severity of a charge that brought the total to n.
func (l Limit) Grade(n int) ledger.Severity {
	switch {
	case n >= l.Stop:
		return ledger.Stop
	case n >= l.Advise:
		return ledger.Warn
	}
	return ledger.Note
}

// Starter is a configuration file to begin with.
func Starter() string {
	return `{
  "production": [],
  "free": []
}
`
}
