package redact

import (
	"encoding/base64"
	"strings"
)

// A shape is a token that is known by how it begins.
type shape struct {
	prefix string
	kind   string
	class  func(byte) bool // what follows the prefix
	least  int             // the fewest bytes of it
}

func isB64(c byte) bool    { return isAlnum(c) || c == '+' || c == '/' || c == '=' }
func isDotted(c byte) bool { return isWord(c) || c == '.' || c == '=' || c == '~' }
func isCaps(c byte) bool   { return isUpper(c) || isDigit(c) }

// The shapes, by the byte they begin with. Each list is data that the linker
// lays down: nothing runs for it at start. The minimum lengths are below what
// providers issue today, since a record loses nothing by a token's lookalike
// being masked, and lengths change.
var (
	shapesUpperA = [...]shape{
		{"AKIA", "aws", isCaps, 12},
		{"ASIA", "aws", isCaps, 12},
		{"ABIA", "aws", isCaps, 12},
		{"ACCA", "aws", isCaps, 12},
		{"A3T", "aws", isCaps, 17},
		{"ABSK", "aws", isB64, 60},
		{"AIza", "google", isWord, 30},
		{"AQVN", "yandex", isWord, 35},
		{"AGE-SECRET-KEY-1", "age", isAlnum, 20},
		{"ATATT3", "atlassian", isDotted, 40},
		{"ATCTT3", "atlassian", isDotted, 40},
		{"ATBB", "atlassian", isAlnum, 28},
		{"AKCp", "artifactory", isAlnum, 40},
		{"A3-", "onepassword", isWord, 30},
		{"API-", "octopus", isCaps, 24},
	}
	shapesUpperC = [...]shape{
		{"CLOJARS_", "clojars", isAlnum, 40},
		{"CFPAT-", "contentful", isWord, 30},
	}
	shapesUpperE = [...]shape{
		{"EAAA", "square", isWord, 22},
		{"EAA", "facebook", isAlnum, 60},
		{"EZAK", "easypost", isAlnum, 40},
		{"EZTK", "easypost", isAlnum, 40},
	}
	shapesUpperF = [...]shape{
		{"FLWSECK", "flutterwave", isWord, 12},
		{"FLWPUBK", "flutterwave", isWord, 12},
		{"FlyV1 ", "fly", isB64, 40},
	}
	shapesUpperG = [...]shape{
		{"GOCSPX-", "google", isWord, 20},
		{"GR1348941", "gitlab", isWord, 18},
	}
	shapesUpperH = [...]shape{
		{"HRKU-", "heroku", isWord, 30},
	}
	shapesUpperL = [...]shape{
		{"LTAI", "alibaba", isAlnum, 16},
	}
	shapesUpperN = [...]shape{
		{"NRAK-", "newrelic", isAlnum, 20},
		{"NRII-", "newrelic", isWord, 24},
		{"NRJS-", "newrelic", isAlnum, 15},
		{"NRAA-", "newrelic", isAlnum, 20},
	}
	shapesUpperP = [...]shape{
		{"PMAK-", "postman", isWord, 40},
	}
	shapesUpperS = [...]shape{
		{"SG.", "sendgrid", isDotted, 30},
		{"SK", "twilio", isHex, 32},
		{"SK_", "stripe", isAlnum, 24},
		{"SSWS ", "okta", isWord, 30},
	}
	shapesUpperY = [...]shape{
		{"YC", "yandex", isWord, 38},
	}
	shapesLowerA = [...]shape{
		{"apify_api_", "apify", isAlnum, 20},
		{"api_org_", "huggingface", isAlnum, 24},
		{"authress_", "authress", isDotted, 40},
	}
	shapesLowerB = [...]shape{
		{"b3BlbnNzaC1rZXktdjE", "private-key", isB64, 0},
		{"bedrock-api-key-", "aws", isB64, 20},
		{"bkua_", "buildkite", isAlnum, 30},
	}
	shapesLowerC = [...]shape{
		{"clojars_", "clojars", isAlnum, 40},
		{"cmVmd", "artifactory", isAlnum, 50},
		{"cio", "crates", isAlnum, 32},
		{"ccipat_", "circleci", isWord, 30},
	}
	shapesLowerD = [...]shape{
		{"dop_v1_", "digitalocean", isHex, 32},
		{"doo_v1_", "digitalocean", isHex, 32},
		{"dor_v1_", "digitalocean", isHex, 32},
		{"dapi", "databricks", isHex, 32},
		{"dckr_pat_", "docker", isWord, 20},
		{"dp.", "doppler", isDotted, 40},
		{"dt0c01.", "dynatrace", isDotted, 40},
		{"duffel_", "duffel", isDotted, 40},
		{"dnkey-", "defined", isDotted, 60},
		{"dG9rOi", "infracost", isB64, 40},
	}
	shapesLowerE = [...]shape{
		{"ext_", "authress", isDotted, 60},
		{"eyJrIjoi", "grafana", isB64, 40},
	}
	shapesLowerF = [...]shape{
		{"fio-u-", "frameio", isDotted, 40},
		{"figd_", "figma", isWord, 30},
		{"figo_", "figma", isWord, 30},
		{"fo1_", "fly", isWord, 30},
		{"fm1a_", "fly", isB64, 60},
		{"fm1r_", "fly", isB64, 60},
		{"fm2_", "fly", isB64, 60},
	}
	shapesLowerG = [...]shape{
		{"ghp_", "github", isAlnum, 16},
		{"gho_", "github", isAlnum, 16},
		{"ghu_", "github", isAlnum, 16},
		{"ghs_", "github", isAlnum, 16},
		{"ghr_", "github", isAlnum, 16},
		{"github_pat_", "github", isWord, 20},
		{"glpat-", "gitlab", isDotted, 12},
		{"gldt-", "gitlab", isDotted, 12},
		{"glrt-", "gitlab", isDotted, 12},
		{"glcbt-", "gitlab", isDotted, 12},
		{"glptt-", "gitlab", isDotted, 12},
		{"glft-", "gitlab", isDotted, 12},
		{"glagent-", "gitlab", isDotted, 12},
		{"gloas-", "gitlab", isDotted, 12},
		{"glimt-", "gitlab", isDotted, 12},
		{"glsoat-", "gitlab", isDotted, 12},
		{"glffct-", "gitlab", isDotted, 12},
		{"glrtr-", "gitlab", isDotted, 12},
		{"glsa_", "grafana", isWord, 24},
		{"glc_", "grafana", isB64, 24},
		{"gsk_", "groq", isAlnum, 30},
	}
	shapesLowerH = [...]shape{
		{"hooks.slack.com/", "slack", isPath, 20},
		{"hf_", "huggingface", isAlnum, 24},
		{"hvs.", "vault", isWord, 20},
		{"hvb.", "vault", isWord, 20},
		{"hvr.", "vault", isWord, 20},
		{"https://hooks.slack.com/", "slack", isPath, 20},
	}
	shapesLowerI = [...]shape{
		{"ico-", "infracost", isAlnum, 30},
	}
	shapesLowerJ = [...]shape{
		{"jfrt@", "artifactory", isDotted, 40},
	}
	shapesLowerK = [...]shape{
		{"key-", "mailgun", isHex, 32},
	}
	shapesLowerL = [...]shape{
		{"lin_api_", "linear", isAlnum, 24},
		{"lin_oauth_", "linear", isAlnum, 24},
		{"live_", "lob", isHex, 30},
		{"lsv2_", "langsmith", isWord, 30},
	}
	shapesLowerN = [...]shape{
		{"npm_", "npm", isAlnum, 24},
		{"ntn_", "notion", isAlnum, 30},
		{"nfp_", "netlify", isAlnum, 30},
		{"nvapi-", "nvidia", isWord, 40},
		{"napi_", "neon", isAlnum, 40},
	}
	shapesLowerO = [...]shape{
		{"ops_eyJ", "onepassword", isB64, 60},
		{"oy2", "nuget", isAlnum, 43},
	}
	shapesLowerP = [...]shape{
		{"pypi-", "pypi", isWord, 40},
		{"pscale_", "planetscale", isDotted, 24},
		{"pul-", "pulumi", isHex, 32},
		{"pplx-", "perplexity", isAlnum, 32},
		{"pnu_", "prefect", isAlnum, 24},
		{"p8e-", "adobe", isAlnum, 24},
		{"pat", "airtable", isDotted, 70},
		{"pat.", "harness", isDotted, 50},
		{"phc_", "posthog", isAlnum, 30},
		{"phx_", "posthog", isAlnum, 30},
		{"pubkey-", "mailgun", isHex, 32},
		{"pk.eyJ", "mapbox", isDotted, 40},
		{"pk.", "mapbox", isDotted, 60},
	}
	shapesLowerR = [...]shape{
		{"rk_live_", "stripe", isAlnum, 10},
		{"rk_test_", "stripe", isAlnum, 10},
		{"rk_prod_", "stripe", isAlnum, 10},
		{"rubygems_", "rubygems", isHex, 32},
		{"rdme_", "readme", isAlnum, 50},
		{"r8_", "replicate", isAlnum, 30},
		{"rnd_", "render", isAlnum, 24},
	}
	shapesLowerS = [...]shape{
		{"sk_live_", "stripe", isAlnum, 10},
		{"sk_test_", "stripe", isAlnum, 10},
		{"sk_prod_", "stripe", isAlnum, 10},
		{"sk-ant-", "anthropic", isWord, 16},
		{"sk-proj-", "openai", isWord, 16},
		{"sk-svcacct-", "openai", isWord, 16},
		{"sk-admin-", "openai", isWord, 16},
		{"sk-or-", "openrouter", isWord, 24},
		{"sk-", "openai", isWord, 18},
		{"sk_", "stripe", isAlnum, 24},
		{"shpat_", "shopify", isHex, 24},
		{"shpca_", "shopify", isHex, 24},
		{"shppa_", "shopify", isHex, 24},
		{"shpss_", "shopify", isHex, 24},
		{"sntrys_", "sentry", isB64Word, 30},
		{"sntryu_", "sentry", isHex, 32},
		{"sq0atp-", "square", isWord, 20},
		{"sq0csp-", "square", isWord, 20},
		{"sgp_", "sourcegraph", isWord, 40},
		{"sha256~", "openshift", isWord, 40},
		{"shippo_", "shippo", isWord, 40},
		{"sbp_", "supabase", isHex, 32},
		{"sm_aat_", "settlemint", isAlnum, 16},
		{"sm_pat_", "settlemint", isAlnum, 16},
		{"sm_sat_", "settlemint", isAlnum, 16},
		{"sc_", "authress", isDotted, 60},
		{"scauth_", "authress", isDotted, 60},
		{"sl.", "dropbox", isDotted, 100},
		{"squ_", "sonar", isHex, 36},
		{"sqp_", "sonar", isHex, 36},
		{"sqa_", "sonar", isHex, 36},
		{"secret_", "notion", isAlnum, 40},
		{"sat.", "harness", isDotted, 50},
		{"s-s4t2", "intra42", isWord, 60},
	}
	shapesLowerT = [...]shape{
		{"tfp_", "typeform", isDotted, 40},
		{"tk-us-", "scalingo", isWord, 40},
		{"test_", "lob", isHex, 35},
		{"t1.", "yandex", isDotted, 80},
		{"tskey-", "tailscale", isWord, 20},
	}
	shapesLowerV = [...]shape{
		{"v1.0-", "cloudflare", isWord, 100},
	}
	shapesLowerW = [...]shape{
		{"whsec_", "stripe", isB64, 24},
	}
	shapesLowerX = [...]shape{
		{"xoxb-", "slack", isWord, 16},
		{"xoxp-", "slack", isWord, 16},
		{"xoxa-", "slack", isWord, 8},
		{"xoxr-", "slack", isWord, 8},
		{"xoxs-", "slack", isWord, 10},
		{"xoxo-", "slack", isWord, 10},
		{"xoxe-", "slack", isWord, 16},
		{"xoxe.xox", "slack", isDotted, 16},
		{"xoxc-", "slack", isWord, 16},
		{"xoxd-", "slack", isDotted, 16},
		{"xapp-", "slack", isWord, 16},
		{"xkeysib-", "sendinblue", isWord, 60},
		{"xsmtpsib-", "sendinblue", isWord, 60},
		{"xai-", "xai", isAlnum, 40},
	}
	shapesLowerY = [...]shape{
		{"ya29.", "google", isDotted, 20},
	}
	shapes4 = [...]shape{
		{"4b1d", "clickhouse", isAlnum, 38},
	}
	shapes1 = [...]shape{
		{"1//0", "google", isWord, 30},
	}
)

// shapesBy gives the shapes that begin with a byte.
func shapesBy(c byte) []shape {
	switch c {
	case 'A':
		return shapesUpperA[:]
	case 'C':
		return shapesUpperC[:]
	case 'E':
		return shapesUpperE[:]
	case 'F':
		return shapesUpperF[:]
	case 'G':
		return shapesUpperG[:]
	case 'H':
		return shapesUpperH[:]
	case 'L':
		return shapesUpperL[:]
	case 'N':
		return shapesUpperN[:]
	case 'P':
		return shapesUpperP[:]
	case 'S':
		return shapesUpperS[:]
	case 'Y':
		return shapesUpperY[:]
	case 'a':
		return shapesLowerA[:]
	case 'b':
		return shapesLowerB[:]
	case 'c':
		return shapesLowerC[:]
	case 'd':
		return shapesLowerD[:]
	case 'e':
		return shapesLowerE[:]
	case 'f':
		return shapesLowerF[:]
	case 'g':
		return shapesLowerG[:]
	case 'h':
		return shapesLowerH[:]
	case 'i':
		return shapesLowerI[:]
	case 'j':
		return shapesLowerJ[:]
	case 'k':
		return shapesLowerK[:]
	case 'l':
		return shapesLowerL[:]
	case 'n':
		return shapesLowerN[:]
	case 'o':
		return shapesLowerO[:]
	case 'p':
		return shapesLowerP[:]
	case 'r':
		return shapesLowerR[:]
	case 's':
		return shapesLowerS[:]
	case 't':
		return shapesLowerT[:]
	case 'v':
		return shapesLowerV[:]
	case 'w':
		return shapesLowerW[:]
	case 'x':
		return shapesLowerX[:]
	case 'y':
		return shapesLowerY[:]
	case '4':
		return shapes4[:]
	case '1':
		return shapes1[:]
	}
	return nil
}

// shortest is the least that any shape takes, prefix included.
const shortest = 13

func isPath(c byte) bool    { return isWord(c) || c == '/' || c == '+' }
func isB64Word(c byte) bool { return isB64(c) || c == '_' || c == '-' }

// boundary reports whether a token may begin at i: at the start of a word, or
// behind an escape that only looks like a letter (%3D, \n).
func boundary(s string, i int) bool {
	if i == 0 || !isAlnum(s[i-1]) {
		return true
	}
	return i >= 2 && s[i-2] == '\\' && (s[i-1] == 'n' || s[i-1] == 't' || s[i-1] == 'r') ||
		i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}

// shapes finds tokens by how they begin.
func (c *scanner) shapes() {
	s := c.s
	end := 0 // of the run of bytes without white space that i is in
	for i := 0; i < len(s); i++ {
		b := s[i]
		if i >= end {
			if b <= ' ' {
				continue
			}
			for end = i + 1; end < len(s) && s[end] > ' '; end++ {
			}
			if k := strings.Index(s[i:end], "_mmk"); k >= 36 && run(s[i+k-29:], isAlnum) == 29 && s[i+k-30] == '_' {
				c.add(i+k-36, i+k+4, "maxmind")
			}
		}
		if end-i < shortest && b != 'S' && b != 'F' {
			i = end // no room for a token; SSWS and FlyV1 are followed by a space
			continue
		}
		if !isAlnum(b) || !boundary(s, i) {
			// Two shapes are known by their middle.
			switch {
			case b == '~' && i > 4 && s[i-1] == 'Q':
				c.azureSecret(i)
			case b == '.' && strings.HasPrefix(s[i:], ".atlasv1."):
				start := i
				for start > 0 && isAlnum(s[start-1]) {
					start--
				}
				c.add(start, i+9+run(s[i+9:], isWord), "terraform")
			}
			continue
		}
		if end, kind := shapeAt(s, i); end > 0 {
			c.add(i, end, kind)
			i = end - 1
		}
	}
}

// shapeAt finds the token that begins at i; end is 0 where there is none.
func shapeAt(s string, i int) (end int, kind string) {
	rest := s[i:]
	if len(rest) < shortest {
		return 0, ""
	}
	list := shapesBy(rest[0])
	for k := range list {
		sh := &list[k]
		if sh.prefix[1] != rest[1] || !strings.HasPrefix(rest, sh.prefix) {
			continue
		}
		n := run(rest[len(sh.prefix):], sh.class)
		body := rest[len(sh.prefix) : len(sh.prefix)+n]
		if n < sh.least || !plausible(sh, body) {
			continue
		}
		n += len(sh.prefix)
		// A full stop ends the sentence, not the token.
		for n > 0 && rest[n-1] == '.' {
			n--
		}
		if sh.kind == "private-key" {
			n = len(sh.prefix) + wrapped(rest[len(sh.prefix):])
		}
		return i + n, sh.kind
	}
	switch {
	case strings.HasPrefix(rest, "ey"):
		return jwt(s, i)
	case rest[0] == 'M' || rest[0] == 'N' || rest[0] == 'O':
		return dotted3(s, i)
	case isDigit(rest[0]) || strings.HasPrefix(rest, "bot"):
		return telegram(s, i)
	case isHex(rest[0]):
		return mailchimp(s, i)
	}
	return 0, ""
}

// plausible keeps words of a language out of the shapes whose prefix is one.
func plausible(sh *shape, body string) bool {
	switch sh.prefix {
	case "sk-":
		// A random part is one long word; a name is many short ones.
		longest := 0
		for j := 0; j < len(body); {
			n := run(body[j:], isAlnum)
			if n >= 16 && (hasDigit(body[j:j+n]) || n >= 32) {
				longest = max(longest, n)
			}
			j += n + 1
		}
		return longest >= 16
	case "AKIA", "ASIA", "ABIA", "ACCA", "A3T":
		return len(body) < 40
	case "SK", "key-", "pubkey-", "dapi", "test_", "live_", "SK_", "sk_", "npm_", "cio", "oy2", "4b1d", "YC", "LTAI", "secret_", "pat", "sc_", "ext_", "dp.", "pk.", "sl.", "t1.", "EAA", "EAAA", "r8_", "rnd_", "API-", "A3-", "ATBB", "sat.", "pat.":
		return hasDigit(body) && len(body) < 400
	case "hf_", "api_org_":
		return hasDigit(body) || len(body) >= 30
	case "https://hooks.slack.com/", "hooks.slack.com/":
		return strings.Contains(body, "/")
	}
	return true
}

// jwt reads header.payload.signature, each base64url; the signature may be cut
// off or empty.
func jwt(s string, i int) (int, string) {
	n := run(s[i:], isB64Word)
	j := i + n
	if n < 16 || j >= len(s) || s[j] != '.' || !strings.HasPrefix(s[j+1:], "ey") {
		return 0, ""
	}
	j++
	m := run(s[j:], isB64Word)
	if m < 10 || !hasDigit(s[i:j+m]) {
		return 0, ""
	}
	j += m
	if j < len(s) && s[j] == '.' {
		if n := run(s[j+1:], isB64Word); n > 0 {
			j += 1 + n
		}
	}
	return j, "jwt"
}

// dotted3 reads a bot token of three parts, 24 or more, 6, and 27 or more.
func dotted3(s string, i int) (int, string) {
	a := run(s[i:], isWord)
	if a < 23 || a > 28 || i+a >= len(s) || s[i+a] != '.' {
		return 0, ""
	}
	b := run(s[i+a+1:], isWord)
	at := i + a + 1 + b
	if b != 6 || at >= len(s) || s[at] != '.' {
		return 0, ""
	}
	d := run(s[at+1:], isWord)
	if d < 27 {
		return 0, ""
	}
	return at + 1 + d, "discord"
}

// telegram reads 123456789:AA... with 32 or more bytes behind the colon.
func telegram(s string, i int) (int, string) {
	j := i
	if strings.HasPrefix(s[j:], "bot") {
		j += 3
	}
	n := run(s[j:], isDigit)
	if n < 5 || n > 16 || j+n+1 >= len(s) || s[j+n] != ':' || s[j+n+1] != 'A' {
		if j == i {
			return mailchimp(s, i)
		}
		return 0, ""
	}
	m := run(s[j+n+1:], isWord)
	if m < 32 || m > 48 {
		return 0, ""
	}
	return j + n + 1 + m, "telegram"
}

// mailchimp reads 32 hexadecimal digits and a data centre, "-us12".
func mailchimp(s string, i int) (int, string) {
	if run(s[i:], isHex) != 32 || !strings.HasPrefix(s[i+32:], "-us") {
		return 0, ""
	}
	n := run(s[i+35:], isDigit)
	if n < 1 || n > 2 {
		return 0, ""
	}
	return i + 35 + n, "mailchimp"
}

// azureSecret reads the client secret whose fourth to sixth bytes are a digit,
// Q and a tilde; i is the tilde.
func (c *scanner) azureSecret(i int) {
	s, start := c.s, i-5
	class := func(b byte) bool { return isAlnum(b) || b == '_' || b == '~' || b == '.' || b == '-' }
	if start < 0 || !isDigit(s[i-2]) || run(s[start:i], class) != 5 || start > 0 && class(s[start-1]) && !boundary(s, start) {
		return
	}
	if n := run(s[i+1:], class); n >= 28 && n <= 40 {
		c.add(start, i+1+n, "azure")
	}
}

// wrapped is the length of a base64 text that goes on over line ends, escaped
// ones included.
func wrapped(s string) int {
	end := 0
	for i := 0; i < len(s); {
		switch {
		case isB64(s[i]):
			i++
			end = i
		case isSpace(s[i]):
			i++
		case strings.HasPrefix(s[i:], `\n`), strings.HasPrefix(s[i:], `\r`):
			i += 2
		default:
			return end
		}
	}
	return end
}

// keyBlocks finds private keys in armour. One whose end is missing goes to the
// end of the text: it was cut off, and the rest is the key.
func (c *scanner) keyBlocks() {
	s := c.s
	for at := 0; ; {
		i := strings.Index(s[at:], "---- BEGIN ")
		j := strings.Index(s[at:], "-----BEGIN ")
		if i < 0 || j >= 0 && j < i {
			i = j
		}
		if i < 0 {
			break
		}
		i += at
		head := s[i+11 : min(len(s), i+11+100)]
		k := strings.Index(head, "PRIVATE KEY")
		if k < 0 || strings.Contains(head[:k], "--") {
			at = i + 11
			continue
		}
		end := len(s)
		from := i + 11 + k
		for _, foot := range []string{"-----END ", "---- END "} {
			e := strings.Index(s[from:], foot)
			if e < 0 {
				continue
			}
			e += from + len(foot)
			// The footer runs to its own dashes.
			if d := strings.Index(s[e:], "----"); d >= 0 && d < 100 {
				e += d
				e += run(s[e:], func(b byte) bool { return b == '-' })
			}
			end = min(end, e)
		}
		c.add(i, end, "private-key")
		at = end
	}
	if i := strings.Index(s, "Private-Lines:"); i >= 0 {
		end := len(s)
		if e := strings.Index(s[i:], "Private-MAC"); e >= 0 {
			end = i + e
		}
		c.add(i+len("Private-Lines:"), end, "private-key")
	}
}

// maxURL is as far as userinfo is looked for behind "://".
const maxURL = 1 << 10

// urls finds userinfo in URLs and secrets in the paths of webhooks.
func (c *scanner) urls() {
	s := c.s
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return
		}
		start := at + i + 3
		at = start
		end := start
		for end < len(s) && end-start < maxURL && s[end] > ' ' && s[end] != '"' && s[end] != '<' && s[end] != '>' && s[end] != '`' && s[end] != '\'' {
			end++
		}
		url := s[start:end]
		auth := url
		if k := strings.IndexAny(url, "/?#\\"); k >= 0 {
			auth = url[:k]
		}
		sign := strings.LastIndexByte(auth, '@')
		if sign < 0 {
			// A raw slash or question mark in a password moves the end of what looks
			// like the host. A colon there that no port follows gives it away.
			user, rest, ok := strings.Cut(auth, ":")
			if !ok || user == "" && rest == "" || run(rest, isDigit) == len(rest) || rest[0] == '$' || rest[0] == '{' {
				c.hook(start, url)
				continue
			}
			if sign = strings.IndexByte(url, '@'); sign < 0 {
				continue
			}
		}
		info := url[:sign]
		_, pass, ok := strings.Cut(info, ":")
		switch {
		case ok && (harmless(pass) || pass == ""):
			// user:$PASSWORD@ names the secret without holding it.
			if user, _, _ := strings.Cut(info, ":"); pass == "" && len(user) >= 16 {
				c.add(start, start+sign, "userinfo")
			}
		case ok:
			c.add(start, start+sign, "userinfo")
		case len(info) >= 20 && hasDigit(info):
			c.add(start, start+sign, "userinfo") // a token that stands in for the user
		}
	}
}

// hook masks the part of a webhook's path that is the secret.
func (c *scanner) hook(start int, url string) {
	for _, h := range [...]struct {
		mark string
		keep int // path elements after the mark that may stay
	}{{"discord.com/api/webhooks/", 1}, {"discordapp.com/api/webhooks/", 1}, {".webhook.office.com/webhookb2/", 0}, {"hooks.slack.com/services/", 0}, {"hooks.slack.com/workflows/", 0}, {"hooks.slack.com/triggers/", 0}} {
		i := strings.Index(url, h.mark)
		if i < 0 {
			continue
		}
		i += len(h.mark)
		for range h.keep {
			k := strings.IndexByte(url[i:], '/')
			if k < 0 {
				return
			}
			i += k + 1
		}
		if n := run(url[i:], func(b byte) bool { return isPath(b) || b == '@' || b == '.' }); n >= 8 {
			c.add(start+i, start+i+n, "webhook")
		}
	}
}

// basic reports whether s is base64 of user:password.
func basic(s string) bool {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	}
	if err != nil {
		return false
	}
	colon := false
	for _, c := range b {
		if c < 0x20 || c == 0x7f {
			return false
		}
		colon = colon || c == ':'
	}
	return colon
}
