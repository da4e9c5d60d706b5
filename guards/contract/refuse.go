package contract

import (
	"strings"
	"sync"

	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// Refuser says which probes must not be run: those for which price names a kind,
// as it would for the same words typed bare. What the pilot allowed by the config
// files' "probes" runs. The limiter stands on the same floor as this package, so
// its price is handed in.
func Refuser(w sortie.World, h sortie.Home, root string, price func(*harness.Call) (kinds []string)) func(*Contract) string {
	// Probes run side by side, and most are never in need of it.
	shapes := sync.OnceValue(func() []string { return Allowed(hook.MountingPaths(w, h)) })
	return func(c *Contract) string {
		line := c.Command()
		dir := root
		if c.Dir != "" {
			dir += "/" + c.Dir
		}
		kinds := price(&harness.Call{
			Harness: "generic", Event: harness.PreTool, Tool: "Bash", Kind: harness.Shell, Command: line, Cwd: dir, Project: root,
		})
		if len(kinds) == 0 {
			return ""
		}
		if Shaped(shapes(), line) {
			return ""
		}
		return "a probe reads, and this one is " + strings.Join(kinds, ", ")
	}
}
