package carbon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
	"spar/sortie/hook"
)

// Diff is what has become of a draft since a copy: a unified diff from the copy to
// the file as it is now, "" where they are the same. A file that is gone is all
// removed lines. Anything but text, and what can't be read, is an error.
func Diff(h sortie.Home, root string, r *Record) (string, error) {
	old, err := Body(h, r)
	if err != nil {
		return "", err
	}
	if !filepath.IsLocal(filepath.FromSlash(r.Path)) {
		return "", fmt.Errorf("the record's path leads out of the root: %s", Printable(r.Path))
	}
	d, why, err := ground{root: root, home: h.Dir, cwd: root}.look(filepath.FromSlash(r.Path))
	var now []byte
	label := Printable(r.Path)
	switch {
	case err != nil:
		return "", err
	case why == missing:
		label = "/dev/null"
	case why != wanted:
		return "", fmt.Errorf("%s can't be compared: %s", Printable(r.Path), why)
	case d.body == nil:
		return "", fmt.Errorf("%s has grown to %d bytes, more than is compared (%d)", Printable(r.Path), d.size, MaxBody)
	default:
		now = d.body
	}
	if !text(old) || !text(now) {
		return "", fmt.Errorf("%s is no text; spar carbon show writes the copy out", Printable(r.Path))
	}
	if why == missing && len(old) == 0 {
		return fmt.Sprintf("--- %s\n+++ /dev/null\n", r.ID), nil
	}
	return string(diff.Diff(r.ID, old, label, now)), nil
}

// Restoring says how a copy is put back.
type Restoring struct {
	Root  string       // the folder that paths of copies start from
	To    string       // another file than the copy's own, absolute; "" for its own
	Force bool         // also over a file that git has, or that can't be kept
	Actor ledger.Actor // who typed it
}

// Restored is what came of it.
type Restored struct {
	Path string  // the file that was written, absolute
	Kept *Record // the copy of what was there before; nil where nothing was
	Same bool    // the file held these bytes already; nothing was written
}

// Restore puts a copy back, whole or not at all, after what is there now has been
// kept. It never writes through a link. What a person can settle is a
// *sortie.Refusal.
func Restore(ctx context.Context, d *hook.Desk, r *Record, o Restoring) (Restored, error) {
	body, err := Body(d.Home, r)
	if err != nil {
		return Restored{}, err
	}
	out := Restored{Path: o.To}
	if o.To == "" {
		if out.Path, err = ownPath(o.Root, r); err != nil {
			return Restored{}, err
		}
	}
	info, err := os.Lstat(out.Path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return Restored{}, &sortie.Refusal{Reason: Printable(out.Path) + " is a link, a folder or a device, and only a file is written over", Next: "name another file with --to"}
	case err == nil:
		done, err := makeRoom(ctx, d, r, o, &out)
		if err != nil || done {
			return out, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return Restored{}, fmt.Errorf("restoring %s: %w", Printable(r.Path), err)
	}
	mode := fs.FileMode(0o644)
	if n, err := strconv.ParseUint(r.Mode, 8, 32); err == nil {
		mode = fs.FileMode(n).Perm()
	}
	if err := replace(out.Path, body, mode); err != nil {
		return out, fmt.Errorf("restoring %s: %w", Printable(r.Path), err)
	}
	note := "from " + r.ID
	if o.To != "" {
		note += " to " + sortie.Line(out.Path, 200)
	}
	if err := file(d, r.Path, "restored", note, o.Actor); err != nil {
		return out, fmt.Errorf("the file is restored, but not the ledger's note of it: %w", err)
	}
	return out, nil
}

// ownPath is where a copy came from. The folder may be a link by now, and a link
// may lead out of the root.
func ownPath(root string, r *Record) (string, error) {
	rel := filepath.FromSlash(r.Path)
	if !filepath.IsLocal(rel) {
		return "", fmt.Errorf("the record's path leads out of the root: %s", Printable(r.Path))
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("restoring %s: %w", Printable(r.Path), err)
	}
	in, err := os.OpenRoot(real)
	if err != nil {
		return "", fmt.Errorf("restoring %s: %w", Printable(r.Path), err)
	}
	defer in.Close()
	dir := filepath.Dir(rel)
	if err := in.MkdirAll(dir, 0o755); err != nil {
		return "", &sortie.Refusal{Reason: fmt.Sprintf("its folder can't be made or leads out of %s (%v)", real, cause(err)), Next: "name another file with --to"}
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(real, dir))
	if err != nil || !within(real, folder) {
		return "", &sortie.Refusal{Reason: "its folder leads out of " + real, Next: "name another file with --to"}
	}
	return filepath.Join(folder, filepath.Base(rel)), nil
}

// makeRoom keeps what the restored copy will replace. done is set where the same
// bytes are there already.
func makeRoom(ctx context.Context, d *hook.Desk, r *Record, o Restoring, out *Restored) (done bool, err error) {
	now, why, err := ground{root: o.Root, home: d.Home.Dir, cwd: o.Root}.look(out.Path)
	refused := func(reason string) error {
		if o.Force {
			return nil
		}
		return &sortie.Refusal{Reason: reason, Next: "add --force to write over it all the same"}
	}
	switch {
	case err != nil:
		return false, refused(fmt.Sprintf("what is there now can't be kept (%v)", err))
	case why != wanted:
		return false, refused(fmt.Sprintf("what is in %s now can't be kept: %s", Printable(out.Path), why))
	case now.sum == r.SHA256 && now.body != nil:
		out.Same = true
		return true, nil
	case now.body == nil:
		return false, refused(fmt.Sprintf("what is in %s now can't be kept: %d bytes, more than %d", Printable(now.rel), now.size, MaxBody))
	}
	asked, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	if now.askGit(asked) && !o.Force {
		return false, refused(Printable(now.rel) + " is tracked and clean: git has what is there, and the copy is another version")
	}
	s := store{d.Home}
	tmp, err := s.stage(now.body)
	if err != nil {
		return false, err
	}
	defer os.Remove(tmp) // gone where it became a copy
	tx, err := d.Book.Tx()
	if err != nil {
		return false, err
	}
	rec, fresh, err := s.keep(tx, now, tmp, copyOf{sortie: aloft(d.Flight), at: d.World.Now()})
	if err != nil {
		return false, err
	}
	out.Kept = rec
	if !fresh {
		return false, nil
	}
	return false, file(d, rec.Path, superseded, rec.note(), o.Actor)
}

func aloft(f sortie.Flight) string {
	if f.Aloft() {
		return f.ID
	}
	return ""
}

// file writes a note to the ledger and makes it durable, with all that is in the
// book's transaction.
func file(d *hook.Desk, subject string, observed any, note string, actor ledger.Actor) error {
	seen, err := json.Marshal(observed)
	if err != nil {
		return err
	}
	mode := ledger.Strike
	if d.Flight.Aloft() {
		mode = d.Flight.Mode
	}
	if err := d.Book.Append(&ledger.Finding{
		Phase: ledger.Post, Source: guardName, Severity: ledger.Note, Subject: subject, Observed: seen, Note: note,
		Mode: mode, Actor: actor, Sortie: aloft(d.Flight), Outcome: string(sortie.Logged),
	}); err != nil {
		return err
	}
	return d.Book.Commit()
}

// replace writes a file whole or not at all.
func replace(path string, body []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".spar-restore-*")
	if err != nil {
		return cause(err)
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Pruning says which bodies may go. A copy goes where it is older and not among
// the last of its file.
type Pruning struct {
	Before   time.Time // older than this
	KeepLast int       // of each file, the newest so many stay; 0 spares none
}

// Pruned is what goes, or would.
type Pruned struct {
	Records []*Record
	Bytes   int64 // what the disk gets back: a body that another copy shares stays
	files   []string
}

// Prunable is what a pruning would take from these copies.
func Prunable(list []*Record, o Pruning) Pruned {
	var out Pruned
	newer := map[string]int{}
	shared := map[string]bool{} // bodies of copies that stay
	for _, r := range slices.Backward(list) {
		if !r.Kept() {
			continue
		}
		newer[r.Place]++
		if newer[r.Place] <= o.KeepLast || !r.At.Before(o.Before) {
			shared[r.File] = true
			continue
		}
		out.Records = append(out.Records, r)
	}
	slices.Reverse(out.Records)
	for _, r := range out.Records {
		if !shared[r.File] {
			shared[r.File] = true
			out.files, out.Bytes = append(out.files, r.File), out.Bytes+r.Size
		}
	}
	return out
}

// Prune drops bodies. Their records stay and say so, and one finding says what
// went. The index goes first: a body that is left behind is found by doctor, a
// record of a body that is gone would be a lie.
func Prune(d *hook.Desk, o Pruning, actor ledger.Actor) (Pruned, error) {
	s := store{d.Home}
	tx, err := d.Book.Tx()
	if err != nil {
		return Pruned{}, err
	}
	out := Prunable(records(tx, ""), o)
	if len(out.Records) == 0 {
		return out, d.Book.Close()
	}
	gone := map[string]bool{}
	for _, name := range out.files {
		gone[name] = true
	}
	now := d.World.Now().UTC().Truncate(time.Millisecond)
	for _, r := range out.Records {
		r.Pruned = &now
		if err := put(tx, recordSpace, r.ID, r); err != nil {
			return Pruned{}, err
		}
		seen := r.Place + "\x00" + r.SHA256
		if id, err := tx.State(seenSpace, seen); err != nil {
			return Pruned{}, err
		} else if string(id) == r.ID {
			if err := tx.PutState(seenSpace, seen, nil); err != nil {
				return Pruned{}, err
			}
		}
		if file, err := tx.State(bodySpace, r.SHA256); err != nil {
			return Pruned{}, err
		} else if gone[r.File] && string(file) == r.File {
			if err := tx.PutState(bodySpace, r.SHA256, nil); err != nil {
				return Pruned{}, err
			}
		}
	}
	seen := map[string]any{"event": "pruned", "copies": len(out.Records), "bytes": out.Bytes,
		"first": out.Records[0].ID, "last": out.Records[len(out.Records)-1].ID}
	note := fmt.Sprintf("dropped the bodies of %s, %d bytes", plural(len(out.Records), "copy", "copies"), out.Bytes)
	if err := file(d, "carbon copies", seen, note, actor); err != nil {
		return Pruned{}, err
	}
	var errs []error
	for _, name := range out.files {
		path, err := s.path(name)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("%s: %w", redact.Text(name), cause(err)))
		}
	}
	return out, errors.Join(errs...)
}

// Relative is a path that a person typed, as records name it: from the root, with
// slashes. What can't be placed in the root comes back as it was typed.
func Relative(root, cwd, path string) string {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(cwd, full)
	}
	for _, base := range [...]string{root, resolved(root)} {
		for _, at := range [...]string{resolved(full), filepath.Join(resolved(filepath.Dir(full)), filepath.Base(full)), full} {
			if rel, err := filepath.Rel(base, at); err == nil && within(base, at) {
				if rel == "." {
					return ""
				}
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(path)
}

// resolved follows the links of a path that is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
