package redact

import (
	"strings"
	"testing"
)

// Text that is made to make the finders look far ahead at every step. Each of
// these must stay near linear: a hook call has eight seconds for everything.
func BenchmarkTextHostile(b *testing.B) {
	for _, unit := range []string{"://", "a=", ")", "password=(", "password=a", "password=)", "password=$(", "eyJa.", "token is ", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY", "Bearer ", "password=a,", "password='", `\"password\":\"`, "a:", "Authorization: ", "cookie:", "cookie=\"", "--password ", "mysql -p ", "[redacted:", "password=[redacted:x]", "ghp_", "http://a:b", "x://y:z@", "Q~1Q~", "Private-Lines:", "key ", "パスワード:", "password: |\n", "password=a;", "password=a&", "\\", "$(", "_mmk", "htpasswd -b a b ", "docker login -p "} {
		b.Run(unit, func(b *testing.B) {
			s := strings.Repeat(unit, 64<<10/len(unit))
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}
