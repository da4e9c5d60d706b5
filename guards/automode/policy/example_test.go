package policy_test

import (
	"fmt"

	"spar/guards/automode/policy"
)

func ExampleSplice() {
	p, err := policy.Splice("Judge the call.\n<rules>\nAnswer.", "## HARD BLOCK rules\n### No Tabs\nA tab is written.\n## SOFT BLOCK rules\n## ALLOW exceptions")
	if err != nil {
		fmt.Println(err)
		return
	}
	name, ok := p.Find("[no tabs]")
	fmt.Println(name.Name, name.Kind, ok)

	// A policy without rules is no policy.
	_, err = policy.Splice("Judge the call.", "")
	fmt.Println(err)
	// Output:
	// No Tabs hard true
	// the framework has no line <rules> for the rules to go in
}
