package ledger

import (
	"fmt"
	"io"
)

// This file reads bbolt's pages without bbolt, for files it can't be trusted
// with: every offset is checked, nothing panics, and what can't be read is said
// and passed over.

// Flags of a page and of a leaf's element.
const (
	branchPage = 0x01
	leafPage   = 0x02
	freePage   = 0x10
	bucketElem = 0x01
)

// pageFile is a database file read page by page.
type pageFile struct {
	r     io.ReaderAt
	size  int64
	psize int64
}

// page is one page with its overflow, decoded no further than its header.
type page struct {
	id       uint64
	flags    uint16
	count    uint16
	overflow uint32
	data     []byte // from the page header on
}

// maxPage bounds what one page with its overflow may take: a value is capped far
// below it, so a longer one is a damaged header, not data.
const maxPage = 64 << 20

// read reads page id, and its overflow where all is set.
func (p *pageFile) read(id uint64, all bool) (page, error) {
	if id > uint64(p.size)/uint64(p.psize) {
		return page{}, fmt.Errorf("page %d lies past the end of the file", id)
	}
	off := int64(id) * p.psize
	buf := make([]byte, p.psize)
	n, err := p.r.ReadAt(buf, off)
	if n < pageHeader {
		return page{}, fmt.Errorf("page %d: %w", id, err)
	}
	g := page{id: order.Uint64(buf), flags: order.Uint16(buf[8:]), count: order.Uint16(buf[10:]), overflow: order.Uint32(buf[12:]), data: buf[:n]}
	if !all || g.overflow == 0 || g.id != id {
		return g, nil
	}
	want := (int64(g.overflow) + 1) * p.psize
	if want > maxPage || off+want > p.size+p.psize {
		return g, nil // the header lies about its length: what fits is still there
	}
	whole := make([]byte, want)
	if n, err = p.r.ReadAt(whole, off); n < len(buf) {
		return page{}, fmt.Errorf("page %d: %w", id, err)
	}
	g.data = whole[:n]
	return g, nil
}

// element is a leaf's record or a branch's child.
type element struct {
	flags uint32
	key   []byte
	value []byte // leaf
	child uint64 // branch
}

// elements decodes what a leaf or branch page holds and says how many of its
// records could not be.
func (g *page) elements() (list []element, bad int) {
	for i := range int(g.count) {
		e, ok := g.element(i)
		if !ok {
			bad++
			continue
		}
		list = append(list, e)
	}
	return list, bad
}

func (g *page) element(i int) (element, bool) {
	at := pageHeader + 16*i // either kind takes 16 bytes
	if at+16 > len(g.data) {
		return element{}, false
	}
	h := g.data[at:]
	slice := func(from, n int) ([]byte, bool) {
		if from < 0 || n < 0 || from > len(h) || n > len(h)-from {
			return nil, false
		}
		return h[from : from+n : from+n], true
	}
	if g.flags&leafPage != 0 {
		pos, klen, vlen := int(order.Uint32(h[4:])), int(order.Uint32(h[8:])), int(order.Uint32(h[12:]))
		k, ok := slice(pos, klen)
		if !ok {
			return element{}, false
		}
		v, ok := slice(pos+klen, vlen)
		return element{flags: order.Uint32(h), key: k, value: v}, ok && klen > 0
	}
	pos, klen := int(order.Uint32(h)), int(order.Uint32(h[4:]))
	k, ok := slice(pos, klen)
	return element{key: k, child: order.Uint64(h[8:])}, ok
}

// bucketOf reads a bucket's header: its root page, its sequence, and the page
// inside the value where the bucket is small enough to live there.
func bucketOf(value []byte) (root, seq uint64, inline []byte, ok bool) {
	if len(value) < 16 {
		return 0, 0, nil, false
	}
	return order.Uint64(value), order.Uint64(value[8:]), value[16:], true
}

// walker goes through the trees below a root and reports what is wrong with
// them.
type walker struct {
	f    *pageFile
	high uint64 // pages below this exist
	seen map[uint64]bool
	bad  func(format string, args ...any)
}

// tree calls leaf for every record below page id, in the order they stand.
func (w *walker) tree(id uint64, depth int, leaf func(element)) {
	switch {
	case id < 2 || id >= w.high:
		w.bad("page %d is pointed at and can't exist", id)
		return
	case w.seen[id]:
		w.bad("page %d is pointed at twice", id)
		return
	case depth > 64:
		w.bad("page %d lies too deep", id)
		return
	}
	w.seen[id] = true
	g, err := w.f.read(id, true)
	if err != nil {
		w.bad("%v", err)
		return
	}
	if g.id != id {
		w.bad("page %d says it is page %d", id, g.id)
		return
	}
	w.page(&g, depth, leaf)
}

func (w *walker) page(g *page, depth int, leaf func(element)) {
	if g.flags&(leafPage|branchPage) == 0 {
		w.bad("page %d is neither leaf nor branch", g.id)
		return
	}
	list, bad := g.elements()
	if bad > 0 {
		w.bad("page %d: %d of its %d records can't be read", g.id, bad, g.count)
	}
	var last []byte
	for i, e := range list {
		if i > 0 && string(e.key) <= string(last) {
			w.bad("page %d: its records are out of order", g.id)
		}
		last = e.key
		if g.flags&leafPage != 0 {
			leaf(e)
			continue
		}
		w.tree(e.child, depth+1, leaf)
	}
}

// free compares the list of free pages with the pages that are in use: one that
// is both would be written over by the next finding.
func (w *walker) free(id uint64) {
	if id == noFree {
		return
	}
	g, err := w.f.read(id, true)
	if err != nil || g.id != id || g.flags != freePage {
		w.bad("the list of free pages can't be read")
		return
	}
	list, n := g.data[pageHeader:], uint64(g.count)
	if n == 0xffff && len(list) >= 8 {
		n, list = order.Uint64(list), list[8:]
	}
	if n > uint64(len(list))/8 {
		w.bad("the list of free pages is cut short")
		n = uint64(len(list)) / 8
	}
	for i := range n {
		switch p := order.Uint64(list[8*i:]); {
		case p < 2 || p >= w.high:
			w.bad("page %d is listed as free and can't exist", p)
		case w.seen[p]:
			w.bad("page %d is in use and listed as free", p)
		}
	}
}

// bucket calls leaf for every record of a bucket whose value in the root this
// is, and returns its sequence.
func (w *walker) bucket(name string, value []byte, leaf func(element)) (seq uint64) {
	root, seq, inline, ok := bucketOf(value)
	if !ok {
		w.bad("bucket %q has no header", name)
		return 0
	}
	if root != 0 {
		w.tree(root, 0, leaf)
		return seq
	}
	if len(inline) < pageHeader {
		w.bad("bucket %q is cut short", name)
		return seq
	}
	g := page{flags: order.Uint16(inline[8:]), count: order.Uint16(inline[10:]), data: inline}
	w.page(&g, 0, leaf)
	return seq
}
