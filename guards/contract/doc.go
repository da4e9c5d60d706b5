// Package contract is the completion contract that groundtruth and yubisashi
// share: what was claimed, the probe that reads the world, and what it has to
// return. It reads contracts, judges readings, runs probes and keeps what is
// open. It is no guard: it says nothing to anybody.
//
// There is one reader, so that a line means the same before a write and after it.
package contract
