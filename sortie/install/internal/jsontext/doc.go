// Package jsontext edits JSON text in place: what an edit does not name stays
// byte for byte, comments, odd indents, line ends, duplicate keys and numbers no
// float can hold included.
//
// Two libraries were weighed against these few hundred lines. tidwall/sjson sets
// values by path, but takes any text for JSON, knows no line and column to refuse
// with, and writes what it adds on one line. tailscale/hujson keeps every byte and
// has positions, but always accepts comments (a harness that reads strict JSON
// does not start with one), writes additions unindented, and its formatter
// rewrites the whole file. Neither can undo its own insertion, which uninstall
// has to.
package jsontext
