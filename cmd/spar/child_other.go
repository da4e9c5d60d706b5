//go:build !unix

package main

// foreground is true where a console hands its keys to every process attached to
// it.
func foreground() bool { return true }
