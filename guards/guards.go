// Package guards lists the guards, once, in the order they run. Adding one is a
// folder and a line here: the hook, help, status, doctor and the coverage test
// walk this list.
package guards

import (
	"spar/guards/automode"
	"spar/guards/carbon"
	"spar/guards/groundtruth"
	"spar/guards/yubisashi"
	"spar/redline"
	"spar/sortie/hook"
)

// All is every guard in the order it runs (the copy before the charge, the
// charge before what speaks).
func All() []*hook.Guard {
	return []*hook.Guard{&carbon.Guard, &redline.Guard, &yubisashi.Guard, &automode.Guard, &groundtruth.Guard}
}

// Find is the guard of that name, or nil.
func Find(name string) *hook.Guard {
	for _, g := range All() {
		if g.Name == name {
			return g
		}
	}
	return nil
}
