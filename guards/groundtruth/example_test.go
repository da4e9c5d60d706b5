package groundtruth_test

import (
	"context"
	"fmt"

	"spar/guards/groundtruth"
)

func ExampleVerify() {
	rows := func(context.Context) (any, error) { return 44, nil } // ask the database here
	v := groundtruth.Verify(context.Background(), groundtruth.Claim{
		Action: "insert 45 rows", Probe: rows, Expect: groundtruth.Count(45),
	})
	fmt.Println(v.OK, v.Reason, v.Expectation, "—", v.Detail)
	// Output: false mismatch count(45) — it is 44, not 45
}

func ExampleGate() {
	met, verdicts := groundtruth.Gate(context.Background(),
		groundtruth.Claim{Action: "two files are there", Probe: func(context.Context) (any, error) { return []string{"a", "b"}, nil }, Expect: groundtruth.Count(2)},
		groundtruth.Claim{Action: "the page says ready", Probe: func(context.Context) (any, error) { return "pending", nil }, Expect: groundtruth.Contains("ready")},
	)
	fmt.Println(met)
	for _, v := range verdicts {
		fmt.Println(v.OK, v.Action, v.Evidence)
	}
	// Output:
	// false
	// true two files are there "2"
	// false the page says ready "pending"
}
