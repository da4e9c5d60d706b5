// Package sortie owns the flight: where its home is, who flies it, in what
// mode, on what fuel, and what becomes of a finding: logged, advised, refused,
// halted or held. It never judges a call; guards report, and [Judge] says who is
// told.
package sortie
