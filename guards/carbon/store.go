package carbon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
)

// Spaces of the ledger. Two of them answer, with one read each however many copies
// there are, whether these bytes of this file are kept, and where these bytes are.
const (
	recordSpace = "carbon"       // id: Record
	seenSpace   = "carbon.seen"  // place, NUL, content: id
	bodySpace   = "carbon.body"  // SHA-256: name of the body's file
	bodyFolder  = "carbon"       // in the home
	failureFile = "carbon-fault" // in the home, or in the person's state folder
)

// Record is what the index says of one copy.
type Record struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"` // UTC, milliseconds
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Sortie  string    `json:"sortie,omitempty"`
	Path    string    `json:"path"` // from the root, with slashes
	Size    int64     `json:"size"` // bytes
	SHA256  string    `json:"sha256,omitempty"`
	Ext     string    `json:"ext"`
	Mode    string    `json:"mode"` // the file's permissions, octal
	Body    string    `json:"body"` // "file", or "none" where only this note was kept
	WhyNone string    `json:"why_none,omitempty"`
	// File is the body's name in .spar/carbon; copies with the same bytes share one.
	File string `json:"file,omitempty"`
	// Ignored is set where git ignores the file: nobody else has it.
	Ignored bool `json:"ignored,omitempty"`
	// SecretLike is set where the bytes hold text in the shape of a secret. They are
	// kept, since a text that speaks of a password need not hold one, and leave the
	// home by `show` alone.
	SecretLike bool       `json:"secret_like,omitempty"`
	Call       string     `json:"tool_use_id,omitempty"`
	Pruned     *time.Time `json:"pruned,omitempty"` // when its body was dropped
	Place      string     `json:"place"`            // what copies of one file have in common
}

// Kept reports whether the copy's bytes are there.
func (r *Record) Kept() bool { return r.Body == "file" && r.Pruned == nil }

// content is the draft's part of its key in seenSpace.
func (d *draft) content() string {
	if d.sum != "" {
		return d.sum
	}
	return fmt.Sprintf("%d bytes of %d", d.size, d.mtime.UnixNano())
}

// newID is `2026-08-30T05-24-25-819Z-fbf1883f-0a1b2c`: when, which file, which
// bytes. It sorts by time.
func newID(at time.Time, d *draft) string {
	path := sha256.Sum256([]byte(d.real))
	content := d.sum
	if content == "" {
		sum := sha256.Sum256([]byte(d.content()))
		content = hex.EncodeToString(sum[:])
	}
	return strings.ReplaceAll(at.UTC().Format("2006-01-02T15-04-05.000Z"), ".", "-") + "-" + hex.EncodeToString(path[:4]) + "-" + content[:6]
}

// extOf is the ending of a body's name: what follows the last dot of the draft's,
// so that a picture opens as one. A name that is an ending alone (.gitignore), has
// none or one that is no word gets .txt.
func extOf(name string) string {
	base := name[strings.LastIndexByte(name, '/')+1:]
	i := strings.LastIndexByte(base, '.')
	if i <= 0 || strings.Trim(base[:i], ".") == "" || i == len(base)-1 || len(base)-i > 17 {
		return ".txt"
	}
	for _, c := range []byte(base[i+1:]) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return ".txt"
		}
	}
	return base[i:]
}

// store is a home's copies.
type store struct{ home sortie.Home }

func (s store) dir() string { return filepath.Join(s.home.Dir, bodyFolder) }

// path is where a body lies. Its name comes from a record, which may be damaged.
func (s store) path(file string) (string, error) {
	if file == "" || file != filepath.Base(file) || !filepath.IsLocal(file) {
		return "", fmt.Errorf("the record names no file of the store: %q", file)
	}
	return filepath.Join(s.dir(), file), nil
}

// stage writes bytes under a name that nobody takes for a copy. What is under a
// final name is whole.
func (s store) stage(body []byte) (tmp string, err error) {
	// The .gitignore stands before the first body does.
	if err := s.home.Create(); err != nil {
		return "", err
	}
	if err := os.Mkdir(s.dir(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("making the folder for copies: %w", err)
	}
	f, err := os.CreateTemp(s.dir(), ".new-*")
	if err != nil {
		return "", fmt.Errorf("writing the copy: %w", err)
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("writing the copy: %w", err)
	}
	return f.Name(), nil
}

// settle gives a staged body its final name, and never another's: os.Rename would
// write over it.
func (s store) settle(tmp, file string) error {
	final, err := s.path(file)
	if err != nil {
		return err
	}
	if err := os.Link(tmp, final); err == nil {
		_ = os.Remove(tmp)
		return nil
	} else if errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links.
	if _, err := os.Lstat(final); err == nil {
		return fs.ErrExist
	}
	return os.Rename(tmp, final)
}

// copyOf is what is known of a draft beside its bytes.
type copyOf struct {
	session, agent, sortie, call string
	at                           time.Time
}

// keep records a draft in tx and gives its staged body (tmp) a place, unless these
// bytes of this file are kept already: then it says which copy that is, and fresh
// is false. tmp is "" for a draft too long to be kept.
func (s store) keep(tx *ledger.Tx, d *draft, tmp string, c copyOf) (rec *Record, fresh bool, err error) {
	seen := d.place + "\x00" + d.content()
	if old, err := s.get(tx, seenSpace, seen); err != nil {
		return nil, false, err
	} else if old != nil && (!old.Kept() || s.there(old.File, d.size)) {
		return old, false, nil
	}
	r := &Record{
		At: c.at.UTC().Truncate(time.Millisecond), Session: c.session, Agent: c.agent, Sortie: c.sortie, Call: c.call,
		Path: d.rel, Size: d.size, SHA256: d.sum, Ext: extOf(d.rel), Mode: fmt.Sprintf("%04o", d.mode), Place: d.place,
		Body: "none", Ignored: d.ignored,
	}
	for {
		r.ID = newID(r.At, d)
		taken, err := tx.State(recordSpace, r.ID)
		if err != nil {
			return nil, false, err
		}
		if taken == nil {
			break
		}
		r.At = r.At.Add(time.Millisecond)
	}
	switch {
	case tmp == "":
		r.WhyNone = fmt.Sprintf("%d bytes, more than the %d that are kept", d.size, MaxBody)
	default:
		r.Body, r.SecretLike = "file", redact.Secret(string(d.body))
		if r.File, err = s.body(tx, d, tmp, r.ID+r.Ext); err != nil {
			return nil, false, err
		}
	}
	if err := put(tx, recordSpace, r.ID, r); err != nil {
		return nil, false, err
	}
	return r, true, tx.PutState(seenSpace, seen, []byte(r.ID))
}

// body is the file that holds the draft's bytes: one that is there, or the staged
// one under its final name.
func (s store) body(tx *ledger.Tx, d *draft, tmp, name string) (string, error) {
	file, err := tx.State(bodySpace, d.sum)
	if err != nil {
		return "", err
	}
	if file != nil && s.there(string(file), d.size) {
		return string(file), nil
	}
	if err := s.settle(tmp, name); err != nil {
		return "", fmt.Errorf("writing the copy: %w", err)
	}
	return name, tx.PutState(bodySpace, d.sum, []byte(name))
}

// there reports whether a body is on the disk, whole by its length.
func (s store) there(file string, size int64) bool {
	path, err := s.path(file)
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == size
}

// get reads the record that an entry of another space points to; nil where there
// is none.
func (s store) get(tx *ledger.Tx, space, key string) (*Record, error) {
	id, err := tx.State(space, key)
	if err != nil || id == nil {
		return nil, err
	}
	return readRecord(tx, string(id))
}

func readRecord(tx *ledger.Tx, id string) (*Record, error) {
	data, err := tx.State(recordSpace, id)
	if err != nil || data == nil {
		return nil, err
	}
	r := new(Record)
	if json.Unmarshal(data, r) != nil {
		return nil, nil //nolint:nilerr // a torn record is as if it were not there
	}
	return r, nil
}

func put(tx *ledger.Tx, space, key string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.PutState(space, key, data)
}

// List reads a home's copies, oldest first: those of a path ("" for all; a folder
// means what is in it), not older than since (the zero time for all).
func List(w sortie.World, h sortie.Home, path string, since time.Time) ([]*Record, error) {
	var out []*Record
	// An id begins with its time, and a folder's path begins those of its files.
	from := ""
	if !since.IsZero() {
		from = since.UTC().Format("2006-01-02T15-04-05")
	}
	needle, err := json.Marshal(strings.TrimSuffix(path, "/"))
	if err != nil {
		return nil, err
	}
	needle = append([]byte(`"path":`), needle[:len(needle)-1]...)
	err = h.View(w, func(tx *ledger.Tx) error {
		if tx == nil {
			return nil
		}
		for id, data := range tx.States(recordSpace, "") {
			// Reading 20000 records to show forty would cost more than the rest.
			if id < from || !bytes.Contains(data, needle) {
				continue
			}
			r := new(Record)
			if json.Unmarshal(data, r) != nil {
				continue
			}
			if !r.At.Before(since) && (path == "" || r.Path == path || strings.HasPrefix(r.Path, strings.TrimSuffix(path, "/")+"/")) {
				out = append(out, r)
			}
		}
		return nil
	})
	return out, err
}

// records are those whose id begins with prefix, in order.
func records(tx *ledger.Tx, prefix string) []*Record {
	var out []*Record
	for _, data := range tx.States(recordSpace, prefix) {
		r := new(Record)
		if json.Unmarshal(data, r) == nil {
			out = append(out, r)
		}
	}
	return out
}

// ErrNoCopy is the answer for an id that no copy has.
var ErrNoCopy = errors.New("no such copy")

// An AmbiguousError is a part of an id that several copies have.
type AmbiguousError struct {
	Prefix string
	Found  []*Record
}

func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q is the beginning of %d copies; give more of it:", e.Prefix, len(e.Found))
	for i, r := range e.Found {
		if i == 10 {
			fmt.Fprintf(&b, "\n  … and %d more", len(e.Found)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s  %s", r.ID, Printable(r.Path))
	}
	return b.String()
}

// Find is the copy that an id, or the beginning of one, names. It is ErrNoCopy or
// an *AmbiguousError where it names none or several.
func Find(w sortie.World, h sortie.Home, prefix string) (*Record, error) {
	var found []*Record
	err := h.View(w, func(tx *ledger.Tx) error {
		if tx != nil && prefix != "" {
			found = records(tx, prefix)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, ErrNoCopy
	case len(found) == 1:
		return found[0], nil
	}
	if i := slices.IndexFunc(found, func(r *Record) bool { return r.ID == prefix }); i >= 0 {
		return found[i], nil
	}
	return nil, &AmbiguousError{prefix, found}
}

// Body reads a copy's bytes and holds them to their hash: a body that was cut or
// edited is an error, not a draft.
func Body(h sortie.Home, r *Record) ([]byte, error) {
	switch {
	case r.Pruned != nil:
		return nil, fmt.Errorf("the body of %s (%s, %d bytes) was pruned on %s", r.ID, Printable(r.Path), r.Size, r.Pruned.Format(time.DateOnly))
	case r.Body != "file":
		return nil, fmt.Errorf("of %s only a note was kept: %s", Printable(r.Path), r.WhyNone)
	}
	path, err := store{h}.path(r.File)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the copy: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != r.SHA256 {
		return nil, fmt.Errorf("%s is not what was kept: its %d bytes have another hash than the %d of the draft; it is left as it is", path, len(data), r.Size)
	}
	return data, nil
}

// Printable is a path in one line, whatever it holds: what a terminal would act on
// or not show is escaped.
func Printable(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); {
		r, n := decodeRune(path[i:])
		if n == 1 && r == badRune || !printable(r) {
			for _, c := range []byte(path[i : i+n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		} else {
			b.WriteString(path[i : i+n])
		}
		i += n
	}
	return b.String()
}

// faults is where a failed copy is remembered, best place first. The home may be
// the very thing that can't be written.
func faults(w sortie.World, h sortie.Home) []string {
	paths := []string{filepath.Join(h.Dir, failureFile)}
	if dir := w.StateDir(); dir != "" {
		sum := sha256.Sum256([]byte(h.Dir))
		paths = append(paths, filepath.Join(dir, failureFile, hex.EncodeToString(sum[:16])))
	}
	return paths
}

// failed remembers that the last copy failed, for status. An empty file says it
// too: on a full disk a name still finds room where its text doesn't.
func failed(w sortie.World, h sortie.Home, why error) {
	text := w.Now().UTC().Format(time.RFC3339) + " " + sortie.Line(redact.Text(why.Error()), 300) + "\n"
	for i, path := range faults(w, h) {
		if i > 0 && os.MkdirAll(filepath.Dir(path), 0o700) != nil {
			continue
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			continue
		}
		_, err = f.WriteString(text)
		if cerr := f.Close(); err == nil && cerr == nil {
			return
		}
	}
}

// succeeded takes it back.
func succeeded(w sortie.World, h sortie.Home) {
	for _, path := range faults(w, h) {
		_ = os.Remove(path)
	}
}

// lastFailure is what failed remembered, "" where the last copy was made.
func lastFailure(w sortie.World, h sortie.Home) string {
	text := ""
	for _, path := range faults(w, h) {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if s := sortie.Line(string(data), 340); s != "" {
			return s
		}
		text = "the disk was too full to say why"
	}
	return text
}
