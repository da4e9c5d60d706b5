// Package acts reads a command line into the acts it performs: what would
// really run, in order, where it would land and what it carries.
//
// It is a reader and nothing else. It knows no tariff, touches no file, starts
// no process and keeps nothing between two calls, so one reading can serve the
// limiter, the classifier and whoever wants to point at a target. What it could
// not read it says, act by act and word by word; it never guesses in silence.
package acts
