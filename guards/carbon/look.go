package carbon

import (
	"bytes"
	"crypto/sha1" // what git calls its objects by
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"spar/ledger/redact"
)

const (
	// MaxBody is the longest file whose bytes are kept, in bytes (512 KiB). Of a
	// longer one the name and the size are.
	MaxBody = 524_288
	// maxHashed is the longest file that is read at all, to see whether git has it.
	maxHashed = 32 << 20
)

// reason says why a file is not copied; "" where it is to be.
type reason string

// The reasons, in the order they are looked for.
const (
	wanted       reason = ""
	unnamed      reason = "no name"
	missing      reason = "it does not exist"
	secretName   reason = "its name says that it holds a secret"
	outside      reason = "it is not inside the root"
	isLink       reason = "it is a symbolic link"
	notRegular   reason = "it is no regular file"
	generated    reason = "it lies in a folder that is made again"
	inGit        reason = "git has these bytes"
	alreadyThere reason = "these bytes of it are kept already"
)

// draft is a file as it is just before it is written over.
type draft struct {
	real  string // absolute, all links followed
	rel   string // the same from the root, with slashes
	place string // what its copies are found by: a hash of real
	size  int64
	mode  fs.FileMode
	mtime time.Time
	body  []byte // nil where it is longer than MaxBody
	sum   string // SHA-256 of the bytes, hex; "" where it is too long to be read
	// Names that git would give these bytes, hex: SHA-1 and SHA-256 repositories.
	blob1, blob256 string

	ignored bool // by git
}

// errMoved is a file that was replaced while it was opened.
var errMoved = errors.New("the file was replaced while it was opened")

// ground is where files are looked for: the root and what is never copied in it.
type ground struct {
	root string // the session's root
	home string // its .spar folder
	cwd  string // what a relative path starts from
}

// look applies the rules that need neither ledger nor git to a path as a payload
// gives it, and reads the file. An error is a draft that should have been read and
// could not be.
func (g ground) look(given string) (*draft, reason, error) {
	for range 3 {
		d, why, err := g.lookOnce(given)
		if !errors.Is(err, errMoved) {
			return d, why, err
		}
	}
	return nil, wanted, fmt.Errorf("reading %s: %w", redact.Text(given), errMoved)
}

func (g ground) lookOnce(given string) (*draft, reason, error) {
	full, why := g.full(given)
	if why != wanted {
		return nil, why, nil
	}
	info, why := lstat(full)
	if why != wanted {
		return nil, why, nil
	}
	if secret(g.root, full) {
		return nil, secretName, nil
	}
	real, rel, ok := g.inside(full)
	switch {
	case !ok:
		return nil, outside, nil
	case redact.Name(rel) || secretAbove(filepath.Dir(real)):
		return nil, secretName, nil
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, isLink, nil
	case !info.Mode().IsRegular():
		return nil, notRegular, nil
	case madeAgain(rel) || within(g.home, real):
		return nil, generated, nil
	}
	d := &draft{real: real, rel: rel, place: placeOf(real, info)}
	if err := d.read(strings.TrimSuffix(real, filepath.FromSlash(rel)), info); err != nil {
		if errors.Is(err, errMoved) {
			return nil, wanted, err
		}
		return nil, wanted, fmt.Errorf("reading %s: %w", redact.Text(rel), cause(err))
	}
	return d, wanted, nil
}

// lstat looks at a name. One that can't be looked at is as good as none: what
// can't be resolved isn't ours.
func lstat(path string) (fs.FileInfo, reason) {
	info, err := os.Lstat(path)
	switch {
	case err == nil:
		return info, wanted
	case errors.Is(err, fs.ErrPermission):
		return nil, outside
	}
	return nil, missing
}

// cause is what went wrong, without the path that a caller names better.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// full is the path as the operating system would see it. It is not cleaned: `..`
// behind a link climbs from where the link leads.
func (g ground) full(given string) (string, reason) {
	if strings.TrimSpace(given) == "" || strings.IndexByte(given, 0) >= 0 {
		return "", unnamed
	}
	if filepath.IsAbs(given) {
		return given, wanted
	}
	base := g.cwd
	if !filepath.IsAbs(base) {
		base = g.root
	}
	return base + string(filepath.Separator) + given, wanted
}

// inside resolves a path and says whether it lies in the root; the root itself
// does not.
func (g ground) inside(full string) (real, rel string, ok bool) {
	root, err := filepath.EvalSymlinks(g.root)
	if err != nil {
		return "", "", false
	}
	real, err = filepath.EvalSymlinks(full)
	if err != nil || !filepath.IsAbs(real) {
		return "", "", false
	}
	if !within(root, real) || real == root {
		return "", "", false
	}
	rel, err = filepath.Rel(root, real)
	if err != nil {
		return "", "", false
	}
	return real, filepath.ToSlash(rel), true
}

// within reports whether path is dir or lies below it. Both are clean. A name that
// merely begins with two dots is no way up.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first != ".."
}

// secret judges the name as it was given: from the root down where it lies there,
// so that a project in a folder called `secrets-demo` can be drafted in; else all
// of it.
func secret(root, full string) bool {
	if rel, err := filepath.Rel(root, full); err == nil && within(root, filepath.Clean(full)) {
		return redact.Name(rel)
	}
	return redact.Name(full)
}

// secretAbove reports whether a folder on the way down is one whose every file is
// a credential (~/.ssh, ~/.config/gcloud), above the root too.
func secretAbove(dir string) bool {
	prev := ""
	for e := range strings.SplitSeq(filepath.ToSlash(dir), "/") {
		hidden := strings.HasPrefix(e, ".") || strings.EqualFold(e, "gcloud") && strings.EqualFold(prev, ".config")
		if hidden && redact.Name(prev+"/"+e+"/x") && !redact.Name(prev+"/x") {
			return true
		}
		prev = e
	}
	return false
}

// madeAgain reports whether a path lies in a folder that a tool fills: nobody
// drafts there.
func madeAgain(rel string) bool {
	dir, _, _ := cutLast(rel, "/")
	for e := range strings.SplitSeq(dir, "/") {
		switch e {
		case "node_modules", "vendor", "dist", "build", "target", ".venv", "__pycache__", ".next":
			return true
		}
		// A volume that folds case has one folder for all these spellings.
		if strings.EqualFold(e, ".spar") || strings.EqualFold(e, ".git") {
			return true
		}
	}
	return strings.EqualFold(rel, ".git") || strings.EqualFold(rel, ".spar")
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// placeOf is what the copies of a file are found by. Where the volume takes two
// spellings for one file, they are one place.
func placeOf(real string, info fs.FileInfo) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		if other, err := os.Lstat(swapCase(real)); err == nil && os.SameFile(info, other) {
			real = strings.ToLower(real)
		}
	}
	sum := sha256.Sum256([]byte(real))
	return hex.EncodeToString(sum[:16])
}

// swapCase gives the last element of a path in the other case.
func swapCase(path string) string {
	dir, base := filepath.Split(path)
	if up := strings.ToUpper(base); up != base {
		return dir + up
	}
	return dir + strings.ToLower(base)
}

// read opens the file by one handle, below the root whatever is swapped in
// meanwhile, and reads what may be kept of it.
func (d *draft) read(root string, seen fs.FileInfo) (err error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := r.OpenFile(filepath.FromSlash(d.rel), os.O_RDONLY|openFlags, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
			return errMoved
		}
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || !os.SameFile(info, seen) {
		return errMoved
	}
	return d.take(f, info)
}

// take reads an opened file. What is read is what counts: a file that has grown
// since its size was asked for is as long as it turns out to be.
func (d *draft) take(f io.Reader, info fs.FileInfo) error {
	d.size, d.mode, d.mtime = info.Size(), info.Mode().Perm(), info.ModTime()
	var buf bytes.Buffer
	buf.Grow(int(min(max(d.size, 0), MaxBody)) + bytes.MinRead)
	if _, err := io.Copy(&buf, io.LimitReader(f, MaxBody+1)); err != nil {
		return err
	}
	if buf.Len() <= MaxBody {
		d.body, d.size = buf.Bytes(), int64(buf.Len())
		if d.body == nil {
			d.body = []byte{}
		}
		return d.name(bytes.NewReader(d.body))
	}
	d.size = max(d.size, int64(buf.Len()))
	if d.size > maxHashed {
		return nil
	}
	return d.name(io.MultiReader(&buf, f))
}

// name hashes the bytes: for our own records, and as git would.
func (d *draft) name(r io.Reader) error {
	own, git1, git256 := sha256.New(), sha1.New(), sha256.New()
	for _, h := range []hash.Hash{git1, git256} {
		fmt.Fprintf(h, "blob %d\x00", d.size)
	}
	n, err := io.Copy(io.MultiWriter(own, git1, git256), io.LimitReader(r, maxHashed+1))
	if err != nil {
		return err
	}
	if n > maxHashed {
		d.size = max(d.size, n)
		return nil
	}
	d.sum = hex.EncodeToString(own.Sum(nil))
	if n != d.size {
		d.size = n // it grew meanwhile; git can't have it
		return nil
	}
	d.blob1, d.blob256 = hex.EncodeToString(git1.Sum(nil)), hex.EncodeToString(git256.Sum(nil))
	return nil
}
