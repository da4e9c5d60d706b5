//go:build !unix

package carbon

// openFlags are none where no name in a folder can be a FIFO.
const openFlags = 0
