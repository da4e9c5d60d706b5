package redact

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		// R125, R126, R128.
		{`curl -H 'Authorization: Bearer ghp_0000000000000000000000000000000000aa' https://x`, `curl -H 'Authorization: Bearer [redacted:github]' https://x`},
		{`tool --token=abc123secretvalue deploy ; mysql -pS3cret db`, `tool --token=[redacted:value] deploy ; mysql -p[redacted:value] db`},
		{`git clone https://u:ghp_x0000000000000000000000000000000000@h/r ; psql postgres://u:pw@h/d`, `git clone https://[redacted:userinfo]@h/r ; psql postgres://[redacted:userinfo]@h/d`},
		// What the habit spec lists as missed elsewhere.
		{`DB_PASSWORD=x`, `DB_PASSWORD=[redacted:value]`},
		{`{"password": "x"}`, `{"password": "[redacted:value]"}`},
		{`AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`, `AWS_SECRET_ACCESS_KEY=[redacted:value]`},
		{`the password is hunter2.`, `the password is [redacted:value].`},
		{`パスワード：himitsu123`, `パスワード：[redacted:value]`},
		{`http://localhost:3000/@scope`, `http://localhost:3000/@scope`},
		// Places.
		{`export TOKEN='a b c' && run`, `export TOKEN='[redacted:value]' && run`},
		{`api_key: s3cr3t # ours`, `api_key: [redacted:value] # ours`},
		{`api_key = "s3cr3t"`, `api_key = "[redacted:value]"`},
		{`"{\"password\":\"p4ss\",\"user\":\"bob\"}"`, `"{\"password\":\"[redacted:value]\",\"user\":\"bob\"}"`},
		{`https://h/x?access_token=abc&next=1`, `https://h/x?access_token=[redacted:value]&next=1`},
		{`Server=h;User=sa;Password=p@ss;Encrypt=true`, `Server=h;User=sa;Password=[redacted:value];Encrypt=true`},
		{`AccountName=x;AccountKey=abc+/d==;EndpointSuffix=core.windows.net`, `AccountName=x;AccountKey=[redacted:value];EndpointSuffix=core.windows.net`},
		{`curl -u bob:s3cret https://x`, `curl -u bob:[redacted:value] https://x`},
		{`curl -ubob:s3cret https://x`, `curl -ubob:[redacted:value] https://x`},
		{`curl -b 'sid=abc' https://x`, `curl -b '[redacted:cookie]' https://x`},
		{`curl -H "Cookie: a=b; c=d" https://x`, `curl -H "Cookie: [redacted:cookie]" https://x`},
		{`gpg --passphrase swordfish -d x`, `gpg --passphrase [redacted:value] -d x`},
		{`sshpass -p S3cret ssh h`, `sshpass -p [redacted:value] ssh h`},
		{`redis-cli -a S3cret ping`, `redis-cli -a [redacted:value] ping`},
		{`aws configure set aws_secret_access_key abcd1234`, `aws configure set aws_secret_access_key [redacted:value]`},
		{`npm config set //r.example/:_authToken abc123`, `npm config set //r.example/:_authToken [redacted:value]`},
		{`//r.example/:_authToken=abc123`, `//r.example/:_authToken=[redacted:value]`},
		{`kubectl create secret generic s --from-literal=k=v1`, `kubectl create secret generic s --from-literal=k=[redacted:value]`},
		{`Authorization: Basic dXNlcjpwYXNz`, `Authorization: Basic [redacted:authorization]`},
		{`openssl enc -pass pass:hunter2 -in x`, `openssl enc -pass pass:[redacted:value] -in x`},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nafter", "[redacted:private-key]\nafter"},
		{"x -----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "x [redacted:private-key]"},
		{"password: |\n  two\n  lines\nuser: bob", "password: |\n  [redacted:value]\nuser: bob"},
		{`-----BEGIN PUBLIC KEY-----`, `-----BEGIN PUBLIC KEY-----`},
		{`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_123 x`, `[redacted:jwt] x`},
		{`map[password:hunter2 user:bob]`, `map[password:[redacted:value] user:bob]`},
		{`{password: hunter2, user: bob}`, `{password: [redacted:value], user: bob}`},
		{`git push https://x-access-token:abcdef@h.example/o/r`, `git push https://[redacted:userinfo]@h.example/o/r`},
		{`sed -i 's/password: .*/password: s3cret/' a.yml`, `sed -i 's/password: .*/password: [redacted:value]' a.yml`},
		{`"pass": "hunter2"`, `"pass": "[redacted:value]"`},
		{`"pass": 12, "fail": 0`, `"pass": 12, "fail": 0`},
		{`mysql --user=root --password db`, `mysql --user=root --password db`},
		// References hold no secret.
		{`export TOKEN=$OTHER`, `export TOKEN=$OTHER`},
		{`--password "$(pass show x)"`, `--password "$(pass show x)"`},
		{`token: ${{ secrets.GITHUB_TOKEN }}`, `token: ${{ secrets.GITHUB_TOKEN }}`},
		{`https://u:$PW@h/`, `https://u:$PW@h/`},
		{`PASSWORD_FILE=/run/secrets/x`, `PASSWORD_FILE=/run/secrets/x`},
		// Ordinary text.
		{`git show 3f786850e387550fdab836ed7e6dc881de23001b`, `git show 3f786850e387550fdab836ed7e6dc881de23001b`},
		{`id 6ba7b810-9dad-11d1-80b4-00c04fd430c8`, `id 6ba7b810-9dad-11d1-80b4-00c04fd430c8`},
		{`data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA`, `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA`},
		{`monkey=banana TOKENIZER=bpe max_tokens=4096 token_count: 12`, `monkey=banana TOKENIZER=bpe max_tokens=4096 token_count: 12`},
		{`mkdir -p build && cp -p a b`, `mkdir -p build && cp -p a b`},
		{`mysql -p db`, `mysql -p db`},
		{`token := p.next()`, `token := p.next()`},
		{`password: string;`, `password: string;`},
		{`sk-learn-tutorial-chapter-one`, `sk-learn-tutorial-chapter-one`},
		{`git push origin main`, `git push origin main`},
		{`use --token to set one`, `use --token to set one`},
		{`git@github.com:owner/repo.git`, `git@github.com:owner/repo.git`},
		{`ssh://git@host/x`, `ssh://git@host/x`},
	}
	for _, tt := range tests {
		got := Text(tt.in)
		if got != tt.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
		if again := Text(got); again != got {
			t.Errorf("not idempotent: %q, then %q", got, again)
		}
	}
}

func BenchmarkTextClean(b *testing.B) {
	s := strings.Repeat("go test ./... && git commit -m 'keep the turn: one reader at a time' --author=bob # see docs/a.md:12\n", 30)[:2048]
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if Text(s) != s {
			b.Fatal("changed")
		}
	}
}
