// Command spar-judge asks a model about one call of an agent, for spar's guard
// automode. spar starts it, only for a call that no local rule allows: it links an
// HTTP client, which would cost every call its start.
package main

import (
	"context"
	"os"
	"time"
)

// release is set by the build of a release (-ldflags "-X main.release=v1.2.3").
var release string

func main() {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // a deleted directory is a fact, not a failure
	}
	os.Exit(run(context.Background(), os.Args[1:], &program{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		env: os.Getenv, dir: dir, now: time.Now, version: version(),
	}))
}
