// Package ledger is the append-only record of what was found, in one bbolt file.
//
// Many short-lived processes write at once, so every open goes through a
// queueing lock on a side file first; score and gate are tallies kept in the
// same transaction as the finding, so they cost one read whatever the size.
// Text is redacted on the way in. A file that is torn, foreign or newer is named
// and kept, never written over.
package ledger
