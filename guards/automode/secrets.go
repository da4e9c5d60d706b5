package automode

import (
	"path"
	"strings"

	"spar/redline/acts"
)

// secretPath reports whether the contents of a file of that path are likely a
// secret. It looks at names alone: a wrong yes costs one question.
func secretPath(p string) bool {
	p = strings.TrimRight(strings.ToLower(p), "/")
	if p == "" {
		return false
	}
	for cut := true; cut; {
		// A copy or an archive of a secret is one.
		cut = false
		for _, ext := range [...]string{".gz", ".bz2", ".xz", ".zst", ".bak", ".old", ".orig", "~", ".save", ".swp", ".tmp", ".backup", ".copy"} {
			if len(p) > len(ext) && strings.HasSuffix(p, ext) {
				p, cut = strings.TrimSuffix(p, ext), true
			}
		}
	}
	base := path.Base(p)
	if samplish(base) {
		return false
	}
	switch base {
	case ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".mylogin.cnf",
		".htpasswd", "credentials", "credentials.json", "credentials.db", "credentials.toml", "credentials.yml", "kubeconfig",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "master.key", ".vault-token", ".dockercfg", ".s3cfg",
		".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".node_repl_history", ".python_history", ".rediscli_history",
		"shadow", "gshadow", "sudoers", "environ", ".dev.vars", "auth.json", "secrets", ".secrets", ".secret", ".token", ".boto",
		".ssh", ".gnupg", ".aws", ".kube", ".azure", ".password-store", "gcloud", "keychains", "login data", "cookies", "logins.json", "key4.db",
		"wallet.dat", ".credentials.json", "application_default_credentials.json", "access_tokens.db", "token.json", "tokens.json", "token", "tokens", "wp-config.php", "local.settings.json", "deploy_key", "deploy-key", "private_key", "private-key", "privkey":
		return base != "environ" && base != "gcloud" && base != "shadow" && base != "cookies" ||
			strings.HasPrefix(p, "/proc/") || strings.HasPrefix(p, "/etc/") || strings.Contains(p, "/.config/gcloud") || strings.Contains(p, "/browser") || strings.Contains(p, "chrome") || strings.Contains(p, "firefox")
	}
	if strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, ".env-") || strings.HasPrefix(base, ".env_") || strings.HasSuffix(base, ".env") {
		return true
	}
	for _, ext := range [...]string{".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".tfvars", ".tfstate", ".ovpn", ".ppk", ".tfstate.backup", ".tfvars.json", ".gpg-key", ".agekey", ".mobileprovision", ".p8"} {
		if strings.HasSuffix(base, ext) {
			return true
		}
	}
	if strings.HasSuffix(base, ".pem") && !strings.Contains(base, "cert") && !strings.Contains(base, "chain") && !strings.Contains(base, "pub") && base != "ca.pem" && !strings.HasPrefix(base, "ca-") {
		return true
	}
	if strings.HasPrefix(base, "id_") && !strings.HasSuffix(base, ".pub") && (strings.HasPrefix(base, "id_rsa") || strings.HasPrefix(base, "id_ed25519") || strings.HasPrefix(base, "id_ecdsa")) {
		return true
	}
	if ext := path.Ext(base); ext == "" || strings.Contains(" .json .yml .yaml .txt .toml .ini .properties .cfg .conf .xml .csv .asc .gpg .age ", " "+ext+" ") {
		stem := strings.TrimSuffix(base, ext)
		if strings.Contains(stem, "secret") && ext != "" || strings.Contains(stem, "credential") || strings.Contains(stem, "adminsdk") || strings.Contains(stem, "service-account") || strings.Contains(stem, "serviceaccount") || strings.Contains(stem, "password") && ext != "" || strings.Contains(stem, "private-key") || strings.Contains(stem, "private_key") ||
			ext != "" && (strings.HasSuffix(stem, "_token") || strings.HasSuffix(stem, "-token") || stem == "token" || stem == "tokens" || stem == "apikey" || stem == "api_key") {
			return true
		}
	}
	switch {
	case strings.Contains(p, "/.ssh/"), strings.HasPrefix(p, ".ssh/"):
		return !strings.HasSuffix(base, ".pub") && base != "known_hosts" && base != "config" && base != "authorized_keys"
	case holds(p, ".gnupg"), holds(p, ".aws"), holds(p, ".kube"), holds(p, ".azure"), holds(p, ".password-store"), holds(p, "keychains"):
		return true
	case strings.Contains(p, ".config/gh/"), strings.HasSuffix(p, ".config/gh"), strings.Contains(p, ".config/gcloud/"), strings.Contains(p, ".docker/config.json"), strings.Contains(p, ".cargo/credentials"),
		strings.Contains(p, ".gem/credentials"), strings.HasSuffix(p, ".m2/settings.xml"), strings.HasSuffix(p, ".gradle/gradle.properties"), strings.Contains(p, ".terraform.d/credentials"), strings.Contains(p, "/run/secrets/"), strings.HasPrefix(p, "/etc/ssl/private"):
		return true
	case strings.HasPrefix(p, "/proc/") && (base == "mem" || strings.HasSuffix(base, "environ")):
		return true
	}
	return false
}

// holds reports whether a path goes through a folder of that name.
func holds(p, dir string) bool {
	return strings.Contains(p, "/"+dir+"/") || strings.HasPrefix(p, dir+"/")
}

// samplish reports whether a file is a sample by its name.
func samplish(base string) bool {
	for _, s := range [...]string{".example", ".sample", ".template", ".dist", ".defaults"} {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return false
}

// samples are names of secrets that a pattern is tried on.
var samples = [...]string{".env", ".env.local", ".env.production", ".npmrc", ".netrc", ".git-credentials", ".pgpass", ".envrc", "id_rsa", "id_ed25519", "credentials", "server.key", "server.pem", "prod.tfvars", "terraform.tfstate", "secrets.yml", "secrets.json", "credentials.json"}

// secretPattern reports whether a pattern is made for secrets: * and *.* are not,
// though they meet one now and then.
func secretPattern(p string) bool {
	p = strings.ToLower(p)
	base := path.Base(p)
	dir := path.Dir(p)
	if dir != "." && dir != "/" && (secretPath(dir) || secretPath(dir+"/x.key") && strings.Contains(dir, ".ssh")) {
		return true
	}
	if b := path.Base(dir); b == "secrets" || b == "certs" || b == "keys" || b == "private" {
		return true
	}
	if strings.Trim(base, "*.") == "" && !strings.HasPrefix(base, ".") {
		return false
	}
	for _, s := range samples {
		if strings.HasPrefix(s, ".") && !strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "[") {
			continue // a pattern meets a dot file only by its dot
		}
		if ok, err := path.Match(base, s); err != nil || ok {
			return true
		}
	}
	return false
}

// hunting reports whether a word names a secret, be it as a pattern.
func hunting(s string) bool {
	s = strings.Trim(s, `"'*\`)
	if len(s) < 3 || len(s) > 256 {
		return false
	}
	return secretPath(s) || strings.ContainsAny(s, "*?[") && secretPattern(s) || strings.HasPrefix(s, ".env") || strings.Contains(s, "id_rsa") || strings.Contains(s, "id_ed25519") || strings.Contains(s, ".pem") || strings.Contains(s, "credential") || strings.Contains(s, "/.ssh")
}

// secretWord is why a word shows a secret where it is read, or "".
func (j *judgement) secretWord(w, dir acts.Word) string {
	t, known := w.Known()
	if !known {
		t = w.String()
		glob, blind := false, false
		for _, p := range w.Parts {
			glob = glob || p.Kind == acts.Glob
			blind = blind || p.Kind == acts.Unknown
		}
		if glob && secretPattern(t) {
			return "the pattern " + t + " meets secrets"
		}
		if (glob || blind) && j.hunts {
			return w.String() + " may be the secret that the line looks for"
		}
		t = w.Parts[len(w.Parts)-1].Text
		if w.Parts[len(w.Parts)-1].Kind != acts.Lit {
			return ""
		}
		t = "x" + t
		if i := strings.LastIndexByte(t, '/'); i >= 0 {
			t = t[i+1:]
		}
	}
	if secretText(t) {
		return "it shows " + w.String()
	}
	if d, ok := dir.Known(); known && ok && !strings.HasPrefix(t, "/") && secretPath(d+"/"+t) {
		return "it shows " + w.String()
	}
	return ""
}

// secretText looks at a path however it is packed: HEAD:.env, --file=.env, @.env.
func secretText(t string) bool {
	if secretPath(path.Clean(t)) {
		return true
	}
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '=', ':', '@', ',':
			if i+1 < len(t) && secretPath(t[i+1:]) {
				return true
			}
		}
	}
	return false
}

// secrets is why a command shows a secret, or "".
func (j *judgement) secrets(c *command) string {
	if c.bits&named != 0 {
		return ""
	}
	if c.bits&text != 0 && c.name != "git" {
		return ""
	}
	operands := c.operands
	if c.bits&pattern != 0 && len(operands) > 0 && !c.has("-e", "--regexp", "--expression", "--files", "-f") {
		operands = operands[1:]
	}
	for _, w := range operands {
		if strings.Contains(w.Prefix(), "://") && c.name != "git" && c.name != "aws" {
			return c.name + " fetches " + w.String()
		}
		if why := j.secretWord(w, c.act.Dir); why != "" {
			return why
		}
	}
	for _, g := range c.opts {
		if g.name == "-e" || g.name == "--regexp" || g.name == "--exclude" || g.name == "--exclude-dir" || g.name == "--include" || g.name == "-g" || g.name == "--glob" || g.name == "--grep" {
			if (g.name == "--include" || g.name == "-g" || g.name == "--glob") && !strings.HasPrefix(g.value.String(), "!") && (hunting(g.value.String()) || secretPattern(g.value.String())) {
				return "it looks into secrets"
			}
			continue
		}
		if g.has {
			if g.name == "-in" && strings.Contains(g.value.Prefix(), "://") {
				return c.name + " fetches " + g.value.String()
			}
			if why := j.secretWord(g.value, c.act.Dir); why != "" {
				return why
			}
		}
	}
	return ""
}

// secretVar reports whether a variable holds a secret by its name.
func secretVar(name string) bool {
	n := strings.ToUpper(name)
	for _, s := range [...]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH_KEY", "DATABASE_URL", "CONNECTION_STRING", "_DSN", "COOKIE", "_PAT", "BEARER"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	return strings.HasSuffix(n, "_KEY") || n == "KEY" && name == n || strings.HasSuffix(n, "_PASS") || n == "PGPASSFILE" || strings.HasSuffix(n, "_AUTH") || strings.HasSuffix(n, "_PWD") && n != "OLD_PWD"
}

// harmlessVar reports whether setting a variable only changes what a line says,
// not what runs, where it goes or what it loads.
func harmlessVar(name string) bool {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "CI", "TERM",
		"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "GIT_OPTIONAL_LOCKS", "DEBUG", "VERBOSE":
		return true
	case "":
		return false
	}
	if strings.HasPrefix(name, "LC_") {
		return true
	}
	upper := strings.ToUpper(name)
	if upper != name && strings.ToLower(name) == name {
		// Lower case is the line's own, but for what zsh ties to PATH and for proxies.
		switch name {
		case "path", "fpath", "cdpath", "manpath", "mailpath", "module_path", "prompt", "prompt2", "prompt4", "precmd", "histchars", "argv", "status", "options", "commands", "functions", "aliases", "ps4":
			return false
		}
		return !strings.HasSuffix(name, "_proxy") && !strings.HasPrefix(name, "npm_") && !strings.HasPrefix(name, "uv_")
	}
	for _, p := range [...]string{"LD_", "DYLD_", "XDG_", "GIT", "BASH", "ZSH", "PG", "MYSQL", "REDIS", "AWS_", "AZURE_", "CLOUDSDK_", "GOOGLE_", "GH_", "GITHUB_", "DOCKER_", "COMPOSE_", "KUBE", "HELM_", "TF_", "NPM_", "NODE", "YARN_", "PNPM_", "PYTHON", "PIP_", "UV_", "VIRTUAL_", "CONDA_", "PERL", "RUBY", "GEM_", "BUNDLE_", "JAVA", "JDK_", "_JAVA", "MAVEN_", "GRADLE_", "RUST", "CARGO_", "GO", "CGO_", "CC", "CXX", "LESS", "MAN", "RIPGREP_", "GREP_", "RSYNC_", "SSH", "CURL_", "WGET", "OPENSSL_", "SSL_", "HTTP", "HTTPS", "ALL_PROXY", "NO_PROXY", "HOME", "PATH", "IFS", "ENV", "SHELL", "EDITOR", "VISUAL", "PAGER", "BROWSER", "BAT_", "FZF_", "FD_", "JQ_", "YQ_", "TAR_", "GZIP", "XZ_", "ZSTD_", "UNZIP", "ZIP", "MAKE", "CMAKE_", "PKG_", "ESLINT_", "PRETTIER_", "MYPY", "PYLINT", "RUFF_", "BLACK_", "PYTEST_", "TSC_", "TS_", "JEST_", "VITE", "BABEL_", "SQLITE", "PSQL", "ANSIBLE_", "VAULT_", "CONSUL_", "NOMAD_", "SPAR_", "AIRFRAME_", "GROUNDTRUTH_", "PS1", "PS2", "PS4", "PS0", "PROMPT", "FIGNORE", "GLOBIGNORE", "HIST", "CDPATH", "FPATH", "ZDOTDIR", "TMP", "TEMP", "TZDIR", "LOCPATH", "NLSPATH", "GCONV_PATH", "MALLOC_", "GLIBC_", "OPENAI", "ANTHROPIC", "CLAUDE", "CODEX", "SYSTEMD_", "DBUS_", "DISPLAY", "WAYLAND_", "BREW", "HOMEBREW_", "ASDF_", "MISE_", "NVM_", "PYENV_", "DENO_", "BUN_", "TERRAGRUNT_", "PULUMI_", "SOPS_", "GPG", "GNUPG", "SUDO_", "LS_", "EZA_", "TREE_", "DIFF_", "COLORTERM_", "SHOPT", "POSIX", "EUID", "UID", "PPID", "OPT", "RANDOM", "SECONDS", "PYRIGHT_"} {
		if strings.HasPrefix(upper, p) {
			return false
		}
	}
	for _, s := range [...]string{"PATH", "PAGER", "_OPTIONS", "_OPTS", "OPTIONS", "FLAGS", "_CONFIG", "CONFIG_FILE", "_CONF", "RC", "_COMMAND", "_HOME", "_PROXY", "_HOST", "HOSTADDR", "_ENDPOINT", "_RC", "_EDITOR", "_SHELL", "_CMD_PREFIX", "_BIN", "_WRAPPER", "_PRELOAD", "_PLUGIN", "_PLUGINS", "_TRACE", "_LOG", "_ARGS"} {
		if strings.HasSuffix(upper, s) {
			return false
		}
	}
	return true
}
