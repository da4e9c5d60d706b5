// Package harness turns the payloads of coding agents into one neutral Call and
// a neutral Answer back into the keys that event of that harness accepts. One
// file a harness, each a table of wire facts; nothing here knows a guard, a
// sortie or a ledger.
package harness
