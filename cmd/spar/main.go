// Command spar is the frame a coding agent flies in: it owns the sortie, the
// ledger and the swing, and is the one hook every guard comes in by.
package main

import (
	"context"
	"os"
	"time"

	"spar/sortie"
)

func main() {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // a deleted directory is a fact, not a failure
	}
	os.Exit(run(context.Background(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}, sortie.World{
		Now:  time.Now,
		Env:  os.Getenv,
		Dir:  dir,
		PPID: os.Getppid(),
	}))
}
