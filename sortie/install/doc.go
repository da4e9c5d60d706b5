// Package install wires spar into the settings of a coding agent's harness and
// takes it out again.
//
// A settings file is read by the whole harness: a broken one does not weaken it,
// it keeps it from starting. So the text is edited, never written anew; a file
// that can't be read, or whose hooks have another shape than the harness takes,
// is refused with line and column; what was there is kept beside it; and the new
// text arrives whole or not at all.
//
// What is written where comes from harness.Wiring. The package asks neither the
// environment nor the clock: both come in with Options.
package install
