// Package hook is the one door: it reads one payload, runs every mounted guard
// that answers its event in one process with one ledger open, merges what they
// say and writes one answer or none.
package hook
