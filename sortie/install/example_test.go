package install_test

import (
	"fmt"

	"spar/sortie/install"
)

// An entry is recognised by what it runs. How it is quoted, where the binary lies
// and what is set in front of it is spelling.
func ExampleReadCommand() {
	for _, line := range []string{
		`"C:\Program Files\Spar\spar.exe" hook --harness claude --event Stop`,
		`SPAR_AUTONOMY=nightly spar hook || exit 0`,
		`spar hook | tee hooks.log`,
		`/opt/spar/notify hook`,
		`npx -y @hyuga/redline@0.3.1 pre`,
	} {
		c := install.ReadCommand(line, nil, nil)
		fmt.Printf("ours %t, chained %t, older %q, event %q\n", c.Ours, c.Chained, c.Older, c.Event)
	}
	// Output:
	// ours true, chained false, older "", event "Stop"
	// ours true, chained false, older "", event ""
	// ours true, chained true, older "", event ""
	// ours false, chained false, older "", event ""
	// ours false, chained false, older "redline", event ""
}
