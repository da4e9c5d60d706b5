// Package harness turns the payloads of coding agents into one neutral Call and
// a neutral Answer back into the keys that event of that harness accepts.
//
// Five things about a harness can be asked here, each a table with a row for it:
// what a payload says (Parse, Detect), how an answer is worded (Render), what it
// can be told at all (Abilities), how it is wired (Wiring), and what its record
// of a session holds (Transcript). One file a harness; nothing here knows a
// guard, a sortie or a ledger, reads a file or looks at the process's
// environment: whoever calls hands in a function that does.
//
// A payload is read leniently. Harnesses add fields every month and change the
// types of those nobody needs; a gate that such a change switches off is worse
// than one that is told of it. An answer is written strictly: some harnesses void
// a whole answer for one key they don't know, and the call they were to stop runs.
//
// A harness with no adapter can speak the generic format, which is documented in
// docs/generic-harness.md.
package harness
