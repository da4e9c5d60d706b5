package redact

import "strings"

// Name reports whether a file name is one whose content is a secret (.env,
// id_rsa, credentials, *.pem ...), for everyone; example files (.env.sample) are
// not. Both separators and any case are read alike, so that a name from another
// system is not missed.
func Name(path string) bool {
	hard, _ := names(path)
	return hard
}

// SoftName reports whether a path has a word in it that may mean a secret and as
// often doesn't ("token": my-token.json, design-tokens.md). Who keeps contents
// for long should leave these out too.
func SoftName(path string) bool {
	hard, soft := names(path)
	return hard || soft
}

func names(path string) (hard, soft bool) {
	p := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	prev := ""
	rest := p
	for rest != "" {
		var e string
		e, rest, _ = strings.Cut(rest, "/")
		if e == "" {
			continue
		}
		dir := rest != ""
		if secretElement(e, prev, dir) {
			return true, true
		}
		soft = soft || hasWord(e, "token") || hasWord(e, "tokens")
		prev = e
	}
	return false, soft
}

// secretElement judges one element of a path; prev is the one before it and dir
// says that more follow.
func secretElement(e, prev string, dir bool) bool {
	switch e {
	case ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure":
		return true
	case "gcloud":
		return prev == ".config"
	case ".envrc", ".git-credentials", "hosts.yml", "auth.json", "wp-config.php", "application_default_credentials.json":
		return true
	}
	if dir && example(e) {
		return false
	}
	switch strings.TrimPrefix(e, ".") {
	case "npmrc", "netrc", "_netrc", "pgpass", "pypirc", "htpasswd":
		return true
	}
	if e == ".env" || strings.HasPrefix(e, ".env.") {
		return !example(e)
	}
	if example(e) {
		return false
	}
	for _, id := range [...]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"} {
		if strings.HasPrefix(e, id) {
			return true // id_rsa.pub too: a list that has exceptions gets wrong ones
		}
	}
	if !dir {
		if i := strings.LastIndexByte(e, '.'); i >= 0 {
			switch e[i+1:] {
			case "pem", "key", "p12", "pfx", "jks", "keystore", "ppk", "asc", "gpg", "tfstate":
				return true
			}
		}
		if strings.Contains(e, ".tfstate.") {
			return true
		}
		if strings.HasSuffix(e, ".json") {
			for _, sa := range [...]string{"service-account", "service_account", "serviceaccount"} {
				if strings.HasPrefix(e, sa) {
					return true
				}
			}
		}
	}
	bare := strings.TrimPrefix(e, ".")
	for _, w := range [...]string{"secret", "secrets", "credential", "credentials", "password", "passwords"} {
		if rest, ok := strings.CutPrefix(bare, w); ok && (rest == "" || rest[0] == '.' || rest[0] == '_' || rest[0] == '-') {
			return true
		}
	}
	for _, w := range [...]string{"passphrase", "apikey", "api-key", "api_key", "auth-token", "auth_token", "private-key", "private_key", "password", "passwords", "secret", "secrets", "credentials"} {
		if hasWord(e, w) {
			return true
		}
	}
	return false
}

// example is a file that shows the form of a secret without holding one.
func example(e string) bool {
	for _, end := range [...]string{".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", ".defaults"} {
		if strings.HasSuffix(e, end) || strings.Contains(e, end+".") {
			return true
		}
	}
	return false
}

// hasWord reports whether w stands in e with no letter or digit beside it.
func hasWord(e, w string) bool {
	for at := 0; ; {
		i := strings.Index(e[at:], w)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(w)
		if (i == 0 || !isAlnum(e[i-1])) && (end == len(e) || !isAlnum(e[end])) {
			return true
		}
		at = i + 1
	}
}
