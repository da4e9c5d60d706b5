// Package carbon keeps the version of a draft that is about to be written over.
//
// An agent that rewrites an outline or a spec which git doesn't have yet takes the
// only copy with it, often before anybody notices. While a pilot drafts (cruise),
// carbon reads such a file at the last moment before the write and keeps its bytes
// in .spar/carbon, with a record in the ledger. It never speaks, asks or denies:
// not being interrupted is what cruise is for. The copy is found when somebody
// looks for it (spar carbon list).
//
// It sees the writes of file tools alone. What a shell rewrites (sed -i, a
// formatter, a redirection) passes by unseen.
package carbon
