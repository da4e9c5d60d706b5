//go:build !linux

package ledger

// holder can't tell who holds the lock here; another spar, as a rule.
func holder(string) string { return ", another spar process may hold it" }
