// Package redline is the limiter: it prices what a call does, keeps one number a
// sortie and says when the number has gone past the mark.
//
// [Price] is pure: the same call under the same [Rules] costs the same, whoever
// asks (the hook, explain, a batch). [Check] is Price plus the look-ups of
// configuration files. What a command line does is read by the package acts;
// what that costs is the tariff, a table of rows with an example of a charged and
// of a free call beside each.
package redline
