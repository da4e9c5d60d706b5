package automode_test

import (
	"fmt"

	"spar/guards/automode"
	"spar/sortie/harness"
)

func ExampleLocal() {
	for _, line := range []string{"git log --oneline | head -5", "rm -rf node_modules && ls", "git -C log reset --hard"} {
		call := &harness.Call{Harness: "claude", Event: harness.PreTool, Tool: "Bash", Kind: harness.Shell, Command: line, Cwd: "/home/dev/shop"}
		v := automode.Local(call, automode.LocalOptions{Env: map[string]string{"HOME": "/home/dev"}})
		fmt.Println(v, v.Exception+v.Why)
	}
	// Output:
	// allow Read-only actions
	// allow Regenerable output
	// escalate git reset is not known to only read
}
