package redact

import (
	"bufio"
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"
)

// sample writes a text that a pattern matches, as far as a walk over its syntax
// can tell; the caller matches it to be sure.
func sample(r *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 {
				c = unicode.ToLower(c) // as providers write them
			}
			b.WriteRune(c)
		}
	case syntax.OpCharClass:
		// Prefer plain ASCII letters and digits of the class.
		var pool []rune
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= re.Rune[i+1] && c < 0x7f; c++ {
				if unicode.IsLetter(c) || unicode.IsDigit(c) {
					pool = append(pool, c)
				}
			}
		}
		for i := 0; len(pool) == 0 && i+1 < len(re.Rune); i += 2 {
			if c := re.Rune[i]; c >= 0x20 && c < 0x7f {
				pool = append(pool, c)
			}
		}
		if len(pool) == 0 {
			pool = []rune{' '}
		}
		b.WriteRune(pool[r.IntN(len(pool))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('.')
	case syntax.OpCapture:
		sample(r, re.Sub[0], b)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			sample(r, s, b)
		}
	case syntax.OpAlternate:
		sample(r, re.Sub[r.IntN(len(re.Sub))], b)
	case syntax.OpRepeat:
		n := re.Min
		if re.Max > re.Min {
			n += r.IntN(min(re.Max-re.Min, 10) + 1)
		}
		for range n {
			sample(r, re.Sub[0], b)
		}
	case syntax.OpPlus:
		for range 8 {
			sample(r, re.Sub[0], b)
		}
	case syntax.OpStar, syntax.OpQuest:
		if r.IntN(2) == 0 {
			sample(r, re.Sub[0], b)
		}
	}
}

// A rule set that others keep says which shapes there are. What its patterns
// match, the scanner must take out: by shape where the token is known by how it
// begins, by name where only the name beside it tells (the pattern then asks for
// a vendor's word, which stands in a name like VENDOR_API_KEY in practice).
func TestKnowsTheShapesOthersKnow(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/gitleaks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(1, 2))
	rules, byName := 0, 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		id, pattern, ok := strings.Cut(sc.Text(), "\t")
		if !ok || strings.HasPrefix(id, "#") {
			continue
		}
		if why := passedOver(id); why != "" {
			continue
		}
		re := regexp.MustCompile(pattern)
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		rules++
		named := strings.Contains(pattern, `(?:[ \t\w.-]{0,20})`)
		if named {
			byName++
		}
		seen := 0
		for try := 0; try < 200 && seen < 20; try++ {
			var b strings.Builder
			sample(r, tree, &b)
			m := re.FindStringSubmatch(b.String())
			if m == nil {
				continue
			}
			secret := m[0]
			for _, g := range m[1:] {
				if g != "" {
					secret = g
					break
				}
			}
			if secret = strings.Trim(secret, " \t\r\n\"'`;,|)(<>=\\:"); len(secret) < 8 {
				continue
			}
			seen++
			text := "run tool " + secret + " now"
			if named {
				vendor, _, _ := strings.Cut(id, "-")
				text = strings.ToUpper(vendor) + "_API_KEY=" + secret + " tool"
			}
			if got := Text(text); strings.Contains(got, secret) || longestLeft(got, secret) > 12 {
				t.Errorf("%s: Text(%q) = %q", id, text, got)
				break
			}
		}
		if seen == 0 {
			t.Errorf("%s: no sample could be made of %s", id, pattern)
		}
	}
	if rules < 150 {
		t.Errorf("%d rules read, want 150 or more", rules)
	}
	t.Logf("%d rules, %d of them by name", rules, byName)
}

// passedOver are rules that this scanner does not follow, and why.
func passedOver(id string) string {
	switch id {
	case "generic-api-key", "curl-auth-header", "curl-auth-user", "hashicorp-tf-password", "kubernetes-secret-yaml", "nuget-config-password":
		return "a place, not a shape; TestText and TestNoSecretSurvives have these"
	case "sidekiq-sensitive-url":
		return "userinfo, which the URL finder takes"
	case "sourcegraph-access-token":
		return "any 40 hexadecimal digits, which are a git commit"
	case "vault-service-token":
		return "s. and 24 letters, which is any method call; hvs. is known"
	case "aws-amazon-bedrock-api-key-short-lived":
		return "a fixed beginning without the secret behind it"
	case "private-key", "jwt-base64", "microsoft-teams-webhook", "sonar-api-token":
		return "no sample can be drawn from the pattern; TestNoSecretSurvives has these"
	case "gitlab-session-cookie":
		return "the pattern counts the cookie's name in, which stays"
	case "grafana-api-key":
		return "the pattern takes any case of what is base64 of one text"
	case "facebook-access-token":
		return "needs the vendor's word somewhere in the file"
	}
	return ""
}

// longestLeft is the longest piece of secret that still stands in s.
func longestLeft(s, secret string) int {
	best := 0
	for i := range secret {
		for j := len(secret); j-i > best; j-- {
			if strings.Contains(s, secret[i:j]) {
				best = j - i
				break
			}
		}
	}
	return best
}
