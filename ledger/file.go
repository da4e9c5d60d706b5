package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// How bbolt lays a file out, as far as one must know before trusting it with
// one: two meta pages, each a 16-byte page header and 64 bytes of meta.
const (
	pageHeader  = 16
	metaSize    = 64
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	// pageSize of the files made here. bbolt's default is the machine's, and a
	// file that moved between machines with different ones would be read but not
	// be byte for byte what the other would have made.
	pageSize = 4096
	noFree   = ^uint64(0) // freelist page of a file that keeps none
)

// boltMeta is one meta page, decoded.
type boltMeta struct {
	pageSize uint32
	root     uint64
	freelist uint64
	pages    uint64 // the high-water mark: pages the file must have
	txid     uint64
}

var order = binary.NativeEndian // bbolt writes in the machine's order

// readMeta decodes a meta page from b, which starts at its page header. magic
// reports whether it bears bbolt's mark at all.
func readMeta(b []byte) (m boltMeta, magic bool, err error) {
	if len(b) < pageHeader+metaSize {
		return m, len(b) >= pageHeader+4 && order.Uint32(b[pageHeader:]) == boltMagic, io.ErrUnexpectedEOF
	}
	b = b[pageHeader:]
	if order.Uint32(b) != boltMagic {
		return m, false, errors.New("no database mark")
	}
	if v := order.Uint32(b[4:]); v != boltVersion {
		return m, true, fmt.Errorf("database format %d, not %d", v, boltVersion)
	}
	h := fnv.New64a()
	h.Write(b[:56])
	if h.Sum64() != order.Uint64(b[56:]) {
		return m, true, errors.New("checksum does not match")
	}
	m = boltMeta{
		pageSize: order.Uint32(b[8:]),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		pages:    order.Uint64(b[40:]),
		txid:     order.Uint64(b[48:]),
	}
	return m, true, nil
}

// inspect reads the meta pages of an open file and says whether bbolt may be
// let near it. bbolt itself checks less: it maps a file that is cut short and
// then faults, and it makes a new database of an empty one.
func inspect(f io.ReaderAt, size int64) (boltMeta, error) {
	var best boltMeta
	if size == 0 {
		return best, ErrEmpty
	}
	head := make([]byte, pageSize+pageHeader+metaSize)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return best, err
	}
	head = head[:n]
	m0, marked, err0 := readMeta(head)
	found := err0 == nil
	if found {
		best = m0
	}
	why := err0
	// The second meta stands one page in; where the first is unreadable, its page
	// size is unknown and every size has to be tried.
	for at := int64(1024); at <= 65536; at <<= 1 {
		if err0 == nil && at != int64(m0.pageSize) {
			continue
		}
		b := make([]byte, pageHeader+metaSize)
		if int(at)+len(b) <= len(head) {
			copy(b, head[at:])
		} else if _, err := f.ReadAt(b, at); err != nil {
			continue
		}
		m, magic, err := readMeta(b)
		marked = marked || magic
		if err == nil && int64(m.pageSize) == at && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	switch {
	case !found && !marked:
		return best, fmt.Errorf("%w: it has no database mark", ErrNotLedger)
	case !found && size < 4*pageSize:
		return best, fmt.Errorf("%w: it has %d bytes and no readable header (%v)", ErrTruncated, size, why)
	case !found:
		return best, fmt.Errorf("%w: neither of its two headers can be read (%v)", ErrDamaged, why)
	case best.pageSize < 1024 || best.pageSize > 65536 || best.pageSize&(best.pageSize-1) != 0:
		return best, fmt.Errorf("%w: its header says pages of %d bytes", ErrDamaged, best.pageSize)
	case best.pages > 1<<48 || best.root >= best.pages || best.freelist >= best.pages && best.freelist != noFree:
		return best, fmt.Errorf("%w: its header points past its own end", ErrDamaged)
	}
	if need := int64(best.pages) * int64(best.pageSize); size < need {
		return best, fmt.Errorf("%w: it has %d bytes and its header says %d", ErrTruncated, size, need)
	}
	return best, inspectFree(f, best)
}

// inspectFree looks at the header of the list of free pages. bbolt believes it:
// one that claims to go on for four thousand million pages keeps a writer busy
// until memory runs out.
func inspectFree(f io.ReaderAt, m boltMeta) error {
	if m.freelist == noFree {
		return nil
	}
	b := make([]byte, pageHeader+8)
	if _, err := f.ReadAt(b, int64(m.freelist)*int64(m.pageSize)); err != nil {
		return fmt.Errorf("%w: its list of free pages can't be read (%v)", ErrDamaged, err)
	}
	pages := uint64(order.Uint32(b[12:])) + 1
	count := uint64(order.Uint16(b[10:]))
	if count == 0xffff { // too many for the header: the first entry counts them
		count = order.Uint64(b[16:])
	}
	if order.Uint64(b) != m.freelist || order.Uint16(b[8:]) != freePage || m.freelist+pages > m.pages ||
		count > m.pages || (count+1)*8+pageHeader > pages*uint64(m.pageSize)+8 {
		return fmt.Errorf("%w: its list of free pages makes no sense", ErrDamaged)
	}
	return nil
}

// syncDir makes a rename in dir durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder can't be flushed there; the rename is in the journal
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// create makes an empty ledger in home under another name and renames it, so
// that one made by a process that died is never seen half done. The caller
// holds the exclusive turn, which is why one fixed name is enough and nothing
// is left lying about.
func create(home string) error {
	path := filepath.Join(home, FileName)
	tmp := path + ".new"
	if err := removed(tmp); err != nil {
		return err
	}
	db, err := boltCreate(tmp)
	if err != nil {
		return errors.Join(err, removed(tmp))
	}
	err = db.Update(layOut)
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return replaceFile(tmp, path)
}

// removed removes a file that may not be there.
func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// replaceFile puts the finished file from in to's place, durably.
func replaceFile(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Remove(from))
	}
	return syncDir(filepath.Dir(to))
}
