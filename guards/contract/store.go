package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/ledger"
	"spar/sortie"
)

// The ledger's spaces. Their keys are small; what they hold is JSON.
const (
	openSpace  = "contracts" // key NUL session's hash -> Record
	pointSpace = "pointed"   // sortie NUL key -> Point
)

// MaxOpen is how many contracts may be open in one home.
const MaxOpen = 1000

// Record is a contract that is open: not met yet, and not dropped. What was met
// is in the findings, and nowhere else.
type Record struct {
	ID       string       `json:"id"`
	Session  string       `json:"session,omitempty"`
	Agent    string       `json:"agent,omitempty"`
	Sortie   string       `json:"sortie,omitempty"`
	Declared time.Time    `json:"declared_at"`
	Line     string       `json:"line"` // as it was written: it is read again by the one reader
	Orphan   bool         `json:"orphan,omitempty"`
	Before   *Before      `json:"before,omitempty"`
	Tries    int          `json:"tries,omitempty"`
	Hash     string       `json:"hash,omitempty"`   // of the last reading
	Reason   Reason       `json:"reason,omitempty"` // what was wrong with it
	Actor    ledger.Actor `json:"actor,omitempty"`
}

// Before is what a probe returned before the write it judges.
type Before struct {
	Hash     string `json:"hash"`
	Evidence string `json:"evidence,omitempty"` // as shown: redacted
	// Pointed is set once a write was let through on this reading.
	Pointed bool `json:"pointed,omitempty"`
}

// Read is the contract of the record.
func (r *Record) Read() Line { return ReadLine(r.Line) }

func (r *Record) key() string { return r.ID + "\x00" + key([]byte(r.Session)) }

// Owner is who asks: a session and the sortie it flies.
type Owner struct {
	Session string
	Agent   string
	Flight  sortie.Flight
	Actor   ledger.Actor
}

// Owns reports whether a contract is the owner's: declared by this session; or
// under another of its names, in the sortie it flies alone; or by somebody whose
// harness says no session, in the same sortie.
func (o Owner) Owns(r *Record) bool {
	switch {
	case r.Session == o.Session:
		return true
	case r.Session == "":
		return r.Sortie == "" || r.Sortie == o.Flight.ID
	}
	return o.Flight.ID != "" && r.Sortie == o.Flight.ID && !o.Flight.Operator
}

// All are the open contracts of a home, oldest first. tx may be nil.
func All(tx *ledger.Tx) ([]Record, error) {
	if tx == nil {
		return nil, nil
	}
	var out []Record
	for k, v := range tx.States(openSpace, "") {
		var r Record
		if json.Unmarshal(v, &r) != nil || r.key() != k {
			return nil, fmt.Errorf("an open contract (%.12q) can't be read", k)
		}
		out = append(out, r)
	}
	// A walk that ends at damage says so at the next read.
	if _, err := tx.State(openSpace, "end"); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b Record) int { return a.Declared.Compare(b.Declared) })
	return out, nil
}

// Owned are the open contracts of an owner, oldest first.
func Owned(tx *ledger.Tx, o Owner) ([]Record, error) {
	all, err := All(tx)
	return slices.DeleteFunc(all, func(r Record) bool { return !o.Owns(&r) }), err
}

// Get reads one again; ok is false where it is open no more.
func Get(tx *ledger.Tx, r Record) (now Record, ok bool, err error) {
	v, err := tx.State(openSpace, r.key())
	if err != nil || v == nil {
		return Record{}, false, err
	}
	if err := json.Unmarshal(v, &now); err != nil {
		return Record{}, false, fmt.Errorf("the open contract %s can't be read: %w", r.ID, err)
	}
	return now, true, nil
}

// Put stores one.
func Put(tx *ledger.Tx, r Record) error {
	v, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("storing the contract %s: %w", r.ID, err)
	}
	return tx.PutState(openSpace, r.key(), v)
}

// Close takes one off the list.
func Close(tx *ledger.Tx, r Record) error { return tx.PutState(openSpace, r.key(), nil) }

// Taken is what came in.
type Taken struct {
	New []Record // what is new among what is open now
	Bad []Line   // lines among them that are no contract
	// Replaced are broken ones whose place another line took: the same action
	// again, or, for a line that said none, the next that could be read.
	Replaced []Record
	// Over are lines that found no room.
	Over int
}

// Add stores a line for its owner, unless it is open already. A contract that
// was broken gives way to the next of the same action: that is how it is put
// right. One that could be read and didn't hold gives way to nothing.
func Add(tx *ledger.Tx, o Owner, l Line, at time.Time, taken *Taken) (Record, error) {
	all, err := All(tx)
	if err != nil {
		return Record{}, err
	}
	return add(tx, o, l, at, taken, &all)
}

func add(tx *ledger.Tx, o Owner, l Line, at time.Time, taken *Taken, all *[]Record) (Record, error) {
	rec := Record{
		ID: l.Key(), Session: o.Session, Agent: o.Agent, Sortie: o.Flight.ID, Line: l.Text, Reason: l.Reason, Actor: o.Actor,
		// Lines of one file keep their order.
		Declared: at.UTC().Add(time.Duration(len(taken.New)) * time.Microsecond),
	}
	if i := slices.IndexFunc(*all, func(r Record) bool { return r.ID == rec.ID && o.Owns(&r) }); i >= 0 {
		return (*all)[i], nil
	}
	if l.Reason == "" {
		kept := (*all)[:0:0]
		for _, old := range *all {
			if o.Owns(&old) && old.Reason.Broken() {
				was := old.Read().Contract.Action
				beside := slices.ContainsFunc(taken.New, func(r Record) bool { return r.key() == old.key() })
				if was == l.Contract.Action || was == "" && !beside {
					if err := Close(tx, old); err != nil {
						return Record{}, err
					}
					taken.Replaced = append(taken.Replaced, old)
					continue
				}
			}
			kept = append(kept, old)
		}
		*all = kept
	}
	if len(*all) >= MaxOpen {
		taken.Over++
		return Record{}, nil
	}
	if err := Put(tx, rec); err != nil {
		return Record{}, err
	}
	*all = append(*all, rec)
	taken.New = append(taken.New, rec)
	if l.Reason != "" {
		taken.Bad = append(taken.Bad, l)
	}
	return rec, nil
}

// Pending are the files that an agent appends contracts to, most usual first:
// GROUNDTRUTH_PENDING alone where it is set, else the home's own, the older place
// below the root and, for a session whose id can be a file name, the older one in
// the person's own folder.
func Pending(w sortie.World, h sortie.Home, root, session string) []string {
	if p := w.Env("GROUNDTRUTH_PENDING"); p != "" {
		if !filepath.IsAbs(p) {
			p = filepath.Join(root, p)
		}
		return []string{p}
	}
	out := []string{OwnPending(h), filepath.Join(root, ".groundtruth", "pending.jsonl")}
	if dir := w.Env("HOME"); filepath.IsAbs(dir) && fileName(session) {
		out = append(out, filepath.Join(dir, ".claude", "groundtruth", session+".jsonl"))
	}
	return out
}

// OwnPending is the file that is suggested.
func OwnPending(h sortie.Home) string { return filepath.Join(h.Dir, "groundtruth", "pending.jsonl") }

// fileName reports whether a session's id can be a file's name: it comes from
// outside, and "../x" is one too.
func fileName(s string) bool {
	if s == "" || len(s) > 128 || strings.Trim(s, ".") == "" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Waiting reports whether any of the files holds something. It costs one look a
// file and opens nothing. A place that is taken by something else than a file is
// an error: what was claimed there can't be known.
func Waiting(paths []string) (bool, error) {
	waiting := false
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return false, fmt.Errorf("looking for contracts: %w", err)
		case !info.Mode().IsRegular():
			return false, fmt.Errorf("looking for contracts: %s is no file", p)
		case info.Size() > 0:
			waiting = true
		}
	}
	return waiting, nil
}

// Left reports whether something was moved aside and not taken in, because who
// did it was killed.
func Left(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		names, err := filepath.Glob(globQuote(p) + aside + "*")
		return err == nil && len(names) > 0
	})
}

// aside is what a file is called while it is taken in.
const aside = ".taking-"

// TakeIn moves what waits in the files into the ledger, in the transaction of the
// caller, who holds the ledger: nobody else takes in meanwhile. Files are renamed
// aside first, so that a line appended from now on is a new file's. done removes
// what was taken in; it must run after the commit and not before: until then the
// files are all there is.
func TakeIn(tx *ledger.Tx, o Owner, paths []string, at time.Time) (taken Taken, done func() error, err error) {
	var files []moved
	done = func() error {
		var errs []error
		for _, m := range files {
			errs = append(errs, m.finish())
		}
		return errors.Join(errs...)
	}
	all, err := All(tx)
	if err != nil {
		return taken, done, err
	}
	for _, p := range paths {
		// What a process that was killed had moved aside is taken in again: a line that
		// is open already is the same contract.
		left, err := filepath.Glob(globQuote(p) + aside + "*")
		if err != nil {
			return taken, done, fmt.Errorf("looking for contracts: %w", err)
		}
		if waiting, err := Waiting([]string{p}); err != nil {
			return taken, done, err
		} else if waiting {
			f, err := os.Open(p) // before it is moved: what can't be read stays where it is
			if err != nil {
				return taken, done, fmt.Errorf("reading contracts: %w", err)
			}
			f.Close()
			to := p + aside + sortie.NewID(at)
			if err := os.Rename(p, to); err != nil {
				return taken, done, fmt.Errorf("taking contracts in: %w", err)
			}
			left = append(left, to)
		}
		for _, name := range left {
			data, size, err := readFile(name)
			if err != nil {
				return taken, done, fmt.Errorf("reading contracts: %w", err)
			}
			files = append(files, moved{from: p, to: name, size: size})
			for _, l := range Read(data) {
				if _, err := add(tx, o, l, at, &taken, &all); err != nil {
					return taken, done, err
				}
			}
		}
	}
	return taken, done, nil
}

// globQuote makes a pattern that matches a path literally.
func globQuote(p string) string {
	if filepath.Separator == '\\' {
		return p // there the backslash parts folders and quotes nothing
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(p)
}

// readFile reads up to one byte past the bound.
func readFile(name string) (data []byte, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, FileCap+1))
	if err != nil {
		return nil, 0, err
	}
	size = int64(len(data))
	if size > FileCap {
		info, err := f.Stat()
		if err != nil {
			return nil, 0, err
		}
		size = info.Size()
	}
	return data, size, nil
}

// moved is a file that is being taken in.
type moved struct {
	from, to string
	size     int64 // what was read of it
}

// finish removes the file. Who had opened it before it was renamed may have
// written to it since: that goes back to where it was meant for.
func (m moved) finish() error {
	f, err := os.Open(m.to)
	if err != nil {
		return fmt.Errorf("after taking contracts in: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(m.size, io.SeekStart); err != nil {
		return fmt.Errorf("after taking contracts in: %w", err)
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("after taking contracts in: %w", err)
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		back, err := os.OpenFile(m.from, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("putting back what was appended meanwhile: %w", err)
		}
		_, err = back.Write(rest)
		if err = errors.Join(err, back.Close()); err != nil {
			return fmt.Errorf("putting back what was appended meanwhile: %w", err)
		}
	}
	if err := os.Remove(m.to); err != nil {
		return fmt.Errorf("after taking contracts in: %w", err)
	}
	return nil
}

// Point is what was seen when a contract was pointed at, once a sortie.
type Point struct {
	Seq      uint64 `json:"seq,omitempty"` // the finding
	Hash     string `json:"hash"`
	Met      bool   `json:"met,omitempty"`
	Reason   Reason `json:"reason,omitempty"`
	Detail   string `json:"detail,omitempty"`
	Evidence string `json:"evidence,omitempty"`
}

// PointOf is a contract's in a sortie.
func PointOf(tx *ledger.Tx, sortieID, id string) (p Point, ok bool, err error) {
	if sortieID == "" {
		return p, false, nil
	}
	v, err := tx.State(pointSpace, sortieID+"\x00"+id)
	if err != nil || v == nil {
		return p, false, err
	}
	return p, json.Unmarshal(v, &p) == nil, nil // a torn one is as if nobody had pointed
}

// PutPoint stores it. Without a sortie nothing is remembered.
func PutPoint(tx *ledger.Tx, sortieID, id string, p Point) error {
	if sortieID == "" {
		return nil
	}
	v, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("storing what was pointed at: %w", err)
	}
	return tx.PutState(pointSpace, sortieID+"\x00"+id, v)
}

// Pointed is what a verdict says as a point.
func Pointed(v *Verdict) Point {
	return Point{Hash: v.Hash(), Met: v.Met, Reason: v.Reason, Detail: v.Detail, Evidence: v.Evidence()}
}

// Allowed reads the shapes of probes that the pilot lets run whatever they cost:
// "probes" in the config files, a list of command lines in which * stands for
// anything. A file that is missing or can't be read allows nothing.
func Allowed(paths []string) []string {
	var out []string
	for _, p := range paths {
		if p == "" {
			continue
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		var c struct {
			Probes []string `json:"probes"`
		}
		if json.Unmarshal(raw, &c) == nil {
			out = append(out, c.Probes...)
		}
	}
	return out
}

// Shaped reports whether a command line has one of the shapes.
func Shaped(shapes []string, line string) bool {
	return slices.ContainsFunc(shapes, func(shape string) bool {
		if strings.Trim(shape, "* ") == "" || !wild(shape, line) {
			return false
		}
		// A star stands for words, not for a second command.
		for _, c := range [...]string{";", "|", "&", "<", ">", "`", "$", "\n", "\r"} {
			if strings.Count(shape, c) != strings.Count(line, c) {
				return false
			}
		}
		return true
	})
}

// wild matches * against anything, greedily from the left: each part is found as
// early as possible, the last one at the end.
func wild(shape, s string) bool {
	head, rest, star := strings.Cut(shape, "*")
	if !strings.HasPrefix(s, head) {
		return false
	}
	if s = s[len(head):]; !star {
		return s == ""
	}
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], more
	}
}

// Root is the folder that probes run in. A home that was named belongs to the
// project it is used in, not to the folder it happens to lie in.
func Root(w sortie.World, h sortie.Home, project, cwd string) string {
	if h.How != "--home" && h.How != "SPAR_HOME" && filepath.Base(h.Dir) == ".spar" {
		return h.Root
	}
	env := w.Env
	w.Env = func(name string) string {
		if name == "SPAR_HOME" {
			return ""
		}
		return env(name)
	}
	found, err := sortie.FindHome(w, sortie.HomeQuery{Project: project, Cwd: cwd})
	if err != nil {
		return h.Root
	}
	return found.Root
}
