package redact

import "strings"

// maxName bounds what is read as a name; longer runs are data.
const maxName = 80

// words splits a name at separators and at changes of case, lowered, into buf:
// "dbPassword", "DB_PASSWORD" and "--db-password" give the same two words.
func words(name string, buf []string) []string {
	lowered := strings.ToLower(name)
	start := -1
	for i := 0; i <= len(name); i++ {
		cut := i == len(name) || !isAlnum(name[i])
		if start >= 0 && !cut {
			// aB, a1 and the last capital of ABc begin a word.
			c, p := name[i], name[i-1]
			switch {
			case isUpper(c) && !isUpper(p),
				isDigit(c) != isDigit(p) && !(isDigit(c) && i+1 == len(name)),
				isUpper(p) && isLower(c) && i-1 > start:
				at := i
				if isUpper(p) && isLower(c) {
					at = i - 1
				}
				buf = append(buf, lowered[start:at])
				start = at
			}
		}
		if cut {
			if start >= 0 {
				buf = append(buf, lowered[start:i])
			}
			start = -1
		} else if start < 0 {
			start = i
		}
	}
	return buf
}

// Variable reports whether a variable, flag or JSON key of this name holds a
// secret (TOKEN, api_key, --password ...). What merely speaks of one doesn't:
// TOKENIZER, token_count, password_file, public_key, monkey.
func Variable(name string) bool {
	if len(name) == 0 || len(name) > maxName || !maybeTelling(name) {
		return false
	}
	var buf [12]string
	w := words(name, buf[:0])
	// What a name ends in when its value is still the secret: which one, where it
	// is used, how it is written.
	for len(w) > 1 && qualifier(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	if len(w) == 0 {
		return false
	}
	last := strings.TrimRight(w[len(w)-1], "0123456789")
	before := ""
	if len(w) > 1 {
		before = w[len(w)-2]
	}
	switch last {
	case "password", "passwords", "passwd", "passphrase", "passcode", "passwort", "kennwort", "secret", "authorization", "apikey", "apikeys", "apisecret",
		"accesskey", "secretkey", "privatekey", "authkey", "authtoken", "accesstoken", "apitoken", "refreshtoken", "bottoken", "bearertoken", "githubtoken",
		"jwt", "userpass", "dbpass", "sshpass", "clientsecret", "sessionid", "sessid", "phpsessid", "jsessionid", "cookie":
		return !about(before)
	case "secrets", "credential", "credentials", "creds":
		return before != "" && !about(before) || last == "secrets" && len(w) == 1
	case "token":
		return !counting(before) && !about(before)
	case "tokens":
		return before == "access" || before == "api" || before == "auth" || before == "refresh" || before == "bearer"
	case "pass", "pwd":
		return account(before)
	case "key", "keys":
		return secretKey(before)
	case "auth":
		return name == "_auth" || strings.HasSuffix(name, ":_auth") || account(before)
	case "pat":
		return before == "github" || before == "gitlab" || before == "azure" || before == "docker"
	case "session":
		return strings.Contains(name, "_gitlab_session") // GitLab's cookie
	case "base":
		return before == "key" && strings.Contains(strings.ToLower(name), "secret")
	}
	for _, end := range [...]string{"password", "passwd", "passphrase", "apikey", "secretkey", "accesskey", "authtoken", "accesstoken", "apitoken"} {
		if len(last) > len(end) && strings.HasSuffix(last, end) {
			return true // DBPASSWORD, pgpassword
		}
	}
	return false
}

// maybeTelling is a cheap no for nearly every name.
func maybeTelling(name string) bool {
	for i := 0; i+2 < len(name); i++ {
		switch name[i] | 0x20 {
		case 'p': // pass, pwd, pat, phpsessid
			if c := name[i+1] | 0x20; c == 'a' || c == 'w' {
				return true
			}
		case 's': // secret, sessid
			if name[i+1]|0x20 == 'e' && (name[i+2]|0x20 == 'c' || name[i+2]|0x20 == 's') {
				return true
			}
		case 't': // token
			if name[i+1]|0x20 == 'o' && name[i+2]|0x20 == 'k' {
				return true
			}
		case 'k': // key, kennwort
			if name[i+1]|0x20 == 'e' && (name[i+2]|0x20 == 'y' || name[i+2]|0x20 == 'n') {
				return true
			}
		case 'c': // credential, creds, cookie
			if c := name[i+1] | 0x20; c == 'r' && name[i+2]|0x20 == 'e' || c == 'o' && name[i+2]|0x20 == 'o' {
				return true
			}
		case 'a': // auth
			if name[i+1]|0x20 == 'u' && name[i+2]|0x20 == 't' {
				return true
			}
		case 'j': // jwt
			if name[i+1]|0x20 == 'w' && name[i+2]|0x20 == 't' {
				return true
			}
		}
	}
	return false
}

// qualifier is a last word that leaves the value a secret.
func qualifier(w string) bool {
	switch w {
	case "value", "val", "base64", "b64", "raw", "plain", "plaintext", "text", "string", "prod", "production", "dev", "development", "test", "testing",
		"staging", "stage", "live", "old", "new", "current", "confirm", "confirmation", "again", "primary", "secondary", "backup", "default", "override", "64":
		return true
	}
	return strings.Trim(w, "0123456789") == ""
}

// about is a word that turns the next one into a thing spoken of.
func about(w string) bool {
	switch w {
	case "no", "has", "is", "needs", "need", "use", "require", "requires", "required", "forgot", "forgotten", "reset", "change", "show", "hide", "invalid", "missing", "without", "allow", "disable", "enable", "disabled", "enabled", "generate", "detect":
		return true
	}
	return false
}

// counting is a word before "token" that makes it a unit of text or a place in a
// list, not a key.
func counting(w string) bool {
	switch w {
	case "max", "min", "num", "next", "prev", "previous", "page", "continuation", "cursor", "sync", "stop", "start", "end", "first", "last", "cur",
		"peek", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "per", "by", "input", "output", "prompt", "completion", "total", "cached", "special", "begin", "close", "open",
		"lookahead", "word", "text", "string", "go", "keyword", "number", "comment", "operator", "punctuation", "resume", "design", "color", "cancel", "cancellation", "each", "sub", "unexpected", "expected", "this", "that", "one", "another", "the", "a":
		return true
	}
	return false
}

// account is a word before "pass", "pwd" or "auth" that says whose.
func account(w string) bool {
	switch w {
	case "db", "database", "user", "mysql", "pg", "postgres", "postgresql", "mongo", "mongodb", "smtp", "mail", "email", "admin", "root", "ftp", "sftp", "redis", "rabbitmq",
		"proxy", "sudo", "ssh", "login", "http", "https", "git", "registry", "docker", "ldap", "imap", "pop3", "wifi", "vpn", "sql", "mssql", "oracle", "app", "service",
		"keystore", "truststore", "key", "store", "master", "basic", "my", "pkcs12", "p12", "vault", "encryption", "become", "ansible", "pgp", "gpg", "npm", "api":
		return true
	}
	return false
}

// secretKey is a word before "key" that makes it one to be kept.
func secretKey(w string) bool {
	switch w {
	case "api", "access", "secret", "private", "priv", "encryption", "encrypt", "decryption", "signing", "sign", "auth", "account", "storage", "master", "shared",
		"service", "ssh", "deploy", "app", "application", "subscription", "consumer", "session", "cookie", "crypt", "crypto", "hmac", "aes", "rsa", "webhook",
		"stripe", "openai", "anthropic", "google", "aws", "azure", "gemini", "mistral", "groq", "cohere", "sendgrid", "mailgun", "twilio", "github", "gitlab",
		"datadog", "algolia", "license", "admin", "user", "client", "server", "root", "host", "jwt", "totp", "otp", "recovery", "wallet", "seed", "cloudflare", "maps",
		"personal", "integration", "ingest", "write", "bot", "gpg", "pgp", "age", "tls", "ssl", "rest", "live", "model", "hf", "dd", "newrelic", "honeycomb", "accesskey":
		return w != "user" && w != "host" && w != "model" && w != "root"
	}
	return false
}
