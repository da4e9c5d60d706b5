package redact

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// carriers are the places a secret is written to; %s is where it stands.
var carriers = []string{
	"PASSWORD=%s", "export API_TOKEN=%s", "export API_TOKEN='%s'", `export API_TOKEN="%s" && make`, "env SECRET_KEY=%s ./run --fast",
	"tool --password %s --verbose", "tool --token=%s", "tool --api-key '%s' push", "tool -password=%s", "/usr/bin/tool --client-secret=\"%s\"",
	`{"user":"bob","password":"%s"}`, `{"api_key": "%s", "n": 1}`, `"{\"token\":\"%s\"}"`, "{'secret': '%s'}", `{"nested":{"clientSecret":"%s"}}`,
	"password: %s\n", "  db_password: \"%s\"\n", "- name: DB_PASSWORD\n  password: '%s'\n", "password: |\n  %s\n", "[db]\npassword = \"%s\"\n",
	"spring.datasource.password=%s\n", "https://user:%s@example.com/path", "postgres://app:%s@db.internal:5432/prod?sslmode=require", "redis://:%s@cache:6379/0",
	"mongodb+srv://u:%s@c0.example.net/x", "https://api.example.com/v1?access_token=%s&page=2", "https://example.com/cb#access_token=%s",
	"Server=db;Database=x;User Id=sa;Password=%s;Encrypt=true", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=%s;EndpointSuffix=core.example",
	"user=app password=%s host=db sslmode=disable", "Authorization: Bearer %s", "curl -H 'Authorization: Bearer %s' https://x", `curl -H "X-Api-Key: %s" https://x`,
	"Authorization: token %s", "Cookie: session=%s; theme=dark", "curl -u admin:%s https://x", "mysql -uroot -p%s shop", "mysqldump --password=%s shop > dump.sql",
	"sshpass -p '%s' ssh host", "redis-cli -h h -a %s ping", "docker login -u bob -p %s registry.example", "aws configure set aws_secret_access_key %s",
	"npm config set //registry.example/:_authToken %s", "//registry.example/:_authToken=%s", "machine h\nlogin bob\npassword %s\n", "the password is %s, keep it",
	"gpg --batch --passphrase %s -d f", "openssl rsa -passin pass:%s -in k", "kubectl create secret generic s --from-literal=key1=%s", "var password = \"%s\";",
	"const apiKey = '%s'", "os.environ[\"SECRET_KEY\"] = \"%s\"", "$env:API_TOKEN = '%s'", "set API_TOKEN=%s", "Set-Item Env:PASSWORD -Value '%s' # password=%[1]s",
	"define('DB_PASSWORD', '%s');", "<password>%s</password>", "\\nPASSWORD=%s\\n", "ok: token=%s: done", "map[password:%s user:bob]", "%%0Apassword=%s&x=1",
	"echo '%s' | docker login --password-stdin", "PGPASSWORD=%s psql -h h", "MYSQL_PWD=%s mysql", "wget --http-password=%s https://x", "hexo deploy --token %s",
}

// secrets are values of no known shape, so that only their place tells.
var secrets = []string{
	"hunter2hunter2", "S3cr3t-Pa55word", "abc123zzzvalue99", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY", "9f86d081884c7d659a2feaa0c55ad015",
	"Tr0ub4dor_and_3", "zq8XvT.4kLm~92pQ", "p4ss,word9", "QmFzZTY0LXRleHQ4MQ==",
}

// shaped are secrets that tell by themselves, in any text at all.
var shaped = []string{
	"AKIAIOSFODNN7EXAMPLE", "ghp_0000000000000000000000000000000000aa", "github_pat_11AAAAAAA0abcdefghij_klmnop", "glpat-abcdefghij0123456789",
	"xoxb-123456789012-abcdefABCDEF1234", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk-proj-abcdefghijklmnop0123456789", "sk-ant-api03-abcdefgh01234567",
	"AIzaSyA1234567890abcdefghijklmnopqrstuvw", "ya29.a0AfH6SMBx1234567890abcdefghij", "npm_abcdefghijklmnopqrstuvwxyz0123456789", "pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4OTAxMjM0NTY3ODkw",
	"hf_abcdefghijklmnopqrstuvwxyz0123456789", "SG.abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg", "SK0123456789abcdef0123456789abcdef",
	"dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
	"AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE", "123456789:AAE2345678901234567890123456789012345", "abc8Q~abcdefghijklmnopqrstuvwxyz0123456789",
}

func TestNoSecretSurvives(t *testing.T) {
	t.Parallel()
	for _, carrier := range carriers {
		for _, secret := range secrets {
			if strings.HasPrefix(carrier, "echo") || strings.HasPrefix(carrier, "<password>") || strings.Contains(carrier, "define(") || strings.HasPrefix(carrier, "machine") || strings.HasPrefix(carrier, "Set-Item") {
				continue // no name=value there: these are for the shaped ones
			}
			if strings.Contains(secret, ",") && strings.HasPrefix(carrier, "ok: ") {
				continue // what follows the comma reads as the next field
			}
			text := fmt.Sprintf(carrier, secret)
			got := Text(text)
			if longestLeft(got, secret) > 5 {
				t.Errorf("Text(%q)\n   = %q", text, got)
			}
			checkLaws(t, text, got)
		}
		for _, secret := range shaped {
			text := fmt.Sprintf(carrier, secret)
			got := Text(text)
			if longestLeft(got, secret) > 8 {
				t.Errorf("Text(%q)\n   = %q", text, got)
			}
			checkLaws(t, text, got)
		}
	}
	for _, secret := range shaped {
		for _, text := range []string{secret, "see " + secret + ".", "(" + secret + ")", "a=" + secret, "x\n" + secret + "\n", `"` + secret + `"`, "https://h/" + secret, "%3D" + secret, `\n` + secret, "日本" + secret} {
			if got := Text(text); longestLeft(got, secret) > 8 {
				t.Errorf("Text(%q) = %q", text, got)
			}
		}
	}
}

func checkLaws(t *testing.T, in, got string) {
	t.Helper()
	if again := Text(got); again != got {
		t.Errorf("Text is not idempotent on %q:\n first %q\nsecond %q", in, got, again)
	}
	if utf8.ValidString(in) && !utf8.ValidString(got) {
		t.Errorf("Text(%q) = %q is no UTF-8", in, got)
	}
}

// A great deal of ordinary text stays as it is. The sample is the source of the
// Go tree that builds the test, without the packages that are about credentials.
func TestOrdinaryTextStays(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, serr := os.Stat(filepath.Join(root, "fmt")); err != nil || serr != nil {
		t.Skip("no Go source here")
	}
	lines, changed := 0, 0
	for _, dir := range []string{"fmt", "strings", "go/ast", "go/parser", "go/scanner", "go/types", "text/template", "encoding/json", "encoding/base64", "net/textproto", "os", "sort", "time", "regexp", "compress", "archive"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for n, line := range strings.Split(string(b), "\n") {
				lines++
				if got := Text(line); got != line {
					changed++
					if changed > 3 {
						t.Errorf("%s:%d\n     %s\n  -> %s", path, n+1, line, got)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines < 50_000 {
		t.Errorf("the sample has only %d lines", lines)
	}
}

func TestVariable(t *testing.T) {
	t.Parallel()
	yes := []string{"TOKEN", "token", "api_key", "apiKey", "API-KEY", "--password", "DB_PASSWORD", "dbPassword", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "client_secret", "clientSecret",
		"privateKey", "PGPASSWORD", "passphrase", "SECRET_KEY_BASE", "accessToken", "x-api-key", "Authorization", "password2", "TOKEN_PROD", "_authToken", "AccountKey", "MYSQL_PWD", "db_pass", "STRIPE_API_KEY", "jwt", "secrets"}
	no := []string{"", "TOKENIZER", "monkey", "keyboard", "key", "primary_key", "public_key", "PWD", "OLDPWD", "max_tokens", "token_count", "tokens", "next_token", "pass", "bypass", "compass", "author",
		"password_file", "secretary", "authority", "path", "cookies_enabled", "has_password", "cache_key", "keys", "passed", "partition_key", "TokenType"}
	for _, n := range yes {
		if !Variable(n) {
			t.Errorf("Variable(%q) = false", n)
		}
	}
	for _, n := range no {
		if Variable(n) {
			t.Errorf("Variable(%q) = true", n)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	hard := []string{".env", "app/.env.local", ".ENV", ".envrc", "id_rsa", "server.pem", "secrets/token.txt", "secrets.json", "auth.json", ".git-credentials", "app/.htpasswd", "/h/.pypirc",
		".ssh/id_ecdsa", ".ssh/config", "key.ppk", ".kube/config", ".docker/config.json", "wp-config.php", "terraform.tfstate", "x.tfstate.backup", "service-account-1234.json", "gh/hosts.yml",
		`C:\Users\x\.config\gcloud\access_tokens.db`, "C:/Users/x/.config/gcloud/access_tokens.db", "npmrc", ".npmrc", "API_KEY.txt", "my-secrets.md", "db_password.txt", "passphrase.txt", "api-key.json", ".credentials/aws",
		"private_key.txt", "secrets.yml", "credentials"}
	soft := []string{"my-token.json", "design-tokens.md", "config/token/x"}
	no := []string{"tokenlint/src/index.mjs", "TokenList.tsx", "tokenizer.js", "secretary/x.go", "credentialing/form.tsx", ".env.sample", ".env.example", "config/.env.template", "main.go", "README.md", "environment.ts", "monkey.go", "keyboard.js", "docs/passwordless.md", ""}
	for _, n := range hard {
		if !Name(n) || !SoftName(n) {
			t.Errorf("Name(%q) = %v, SoftName = %v", n, Name(n), SoftName(n))
		}
	}
	for _, n := range soft {
		if Name(n) || !SoftName(n) {
			t.Errorf("Name(%q) = %v, SoftName = %v", n, Name(n), SoftName(n))
		}
	}
	for _, n := range no {
		if Name(n) || SoftName(n) {
			t.Errorf("Name(%q) = %v, SoftName = %v", n, Name(n), SoftName(n))
		}
	}
}

func FuzzText(f *testing.F) {
	for _, c := range carriers {
		f.Add(fmt.Sprintf(c, "S3cr3t-Pa55word"))
	}
	for _, s := range shaped {
		f.Add("x " + s)
	}
	f.Add("-----BEGIN RSA PRIVATE KEY-----\nMIIE")
	f.Add("password=[redacted:value][redacted:x]y")
	f.Fuzz(func(t *testing.T, s string) {
		checkLaws(t, s, Text(s))
		_, _ = Name(s), Variable(s)
	})
}
