package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"spar/guards/automode/policy"
)

// Limits of the configuration.
const (
	// MinReasoningTokens is the fewest tokens a model that thinks is given.
	MinReasoningTokens = 2000
	// MaxTimeoutMS leaves room for the key's five seconds below the 80 that a harness with
	// a hook limit of 90 seconds can be asked to wait.
	MaxTimeoutMS = 75000
	// MaxEntries is the most turns of a session that are shown to a model.
	MaxEntries = 200
	// MaxConfig is the largest configuration that is read, in bytes.
	MaxConfig = 1 << 20
)

// Config is automode.json: what a person decided, with the defaults for what they
// left out. It is read from the person's own folder alone; a repository's file could be
// written by the agent that is to be judged.
type Config struct {
	// Preset is the provider's name; spark where the file names none.
	Preset   string
	Provider Provider
	// Configured is set where the file names a preset or anything of a provider.
	Configured bool
	// Policy names the files in place of the embedded policy, absolute.
	Policy policy.Paths
	// AllowRepoPolicy lets those files lie in the tree that is judged.
	AllowRepoPolicy bool
	// TranscriptEntries is how many turns are shown at most; 40. 0 shows none.
	TranscriptEntries int
	// OnFailure is "defer" (the harness does what it would have done; the default) or
	// "deny".
	OnFailure string
	// OnAmbiguous is "allow" (the default) or "failure": an answer that makes no case.
	OnAmbiguous string
	// AttendedOnBlock is "deny" (the default) or "ask": a SOFT rule with a person there.
	AttendedOnBlock string
	// UnattendedOnAsk and UnattendedOnFailure are "deny" (the default) or "defer".
	UnattendedOnAsk, UnattendedOnFailure string
	// MeleeSoft is "defer" (the default) or "deny": a SOFT rule in an open swing.
	MeleeSoft string
	// Consecutive and PerSession bound denials before a person is asked; 3 and 20.
	Consecutive, PerSession int
	// AllowSeconds is how long an allow is remembered, 0 to 600; 60. 0 remembers none.
	AllowSeconds int
	// Redact is "mask" (the default) or "off": secrets in what a model is sent.
	Redact string
	// LedgerSubject is "redacted" (the default) or "hash": what a finding says of the call.
	LedgerSubject string
	// ExtraReadOnly are command lines, word by word, that the local tier takes for reads.
	ExtraReadOnly [][]string
	// BuildTest lets the local tier allow the project's build and tests.
	BuildTest bool
}

// Default is the configuration where there is no file.
func Default() Config {
	spark, _ := Preset("spark")
	return Config{
		Preset: "spark", Provider: spark, TranscriptEntries: 40,
		OnFailure: "defer", OnAmbiguous: "allow", AttendedOnBlock: "deny",
		UnattendedOnAsk: "deny", UnattendedOnFailure: "deny", MeleeSoft: "defer",
		Consecutive: 3, PerSession: 20, AllowSeconds: 60, Redact: "mask", LedgerSubject: "redacted",
	}
}

// ConfigPath is where the configuration lies: $XDG_CONFIG_HOME/spar/automode.json, else
// below the home folder's .config; "" where neither is known. env looks a variable up.
func ConfigPath(env func(string) string) string {
	if d := env("XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "spar", "automode.json")
	}
	if home := homeOf(env); home != "" {
		return filepath.Join(home, ".config", "spar", "automode.json")
	}
	return ""
}

func homeOf(env func(string) string) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if d := env(name); filepath.IsAbs(d) {
			return d
		}
	}
	return ""
}

// LoadConfig reads the file at path. One that isn't there is the default; one that can't
// be read, or says something unknown, is an error and never the default: it would
// be a policy its owner did not write.
func LoadConfig(path string, env func(string) string) (Config, error) {
	if path == "" {
		return Default(), nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("automode's configuration: %w", err)
	}
	if info.Size() > MaxConfig || info.IsDir() {
		return Config{}, fmt.Errorf("automode's configuration: %s is no file of at most %d bytes", path, MaxConfig)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("automode's configuration: %w", err)
	}
	return ParseConfig(data, path, env)
}

// configReader reads one file; it knows what messages and relative paths need.
type configReader struct {
	name string // of the file
	base string // its folder
	home string
}

func (r *configReader) fail(key, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %s", r.name, key, fmt.Sprintf(format, args...))
}

// ParseConfig reads a configuration. name is the file's, for messages and for paths
// that are relative to it; env gives the home folder that "~/" stands for.
// Unknown keys, keys given twice, wrong types and text after the object are errors that
// name the file and the key.
func ParseConfig(data []byte, name string, env func(string) string) (Config, error) {
	r := &configReader{name: name, base: filepath.Dir(name), home: homeOf(env)}
	c := Default()
	top, err := r.object("the file", bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return Config{}, err
	}
	// The preset is the ground the provider's keys stand on, wherever it is written.
	if i := slices.IndexFunc(top, func(m member) bool { return m.key == "preset" }); i >= 0 {
		if err := r.text("preset", top[i].value, &c.Preset); err != nil {
			return Config{}, err
		}
		p, ok := Preset(c.Preset)
		if !ok {
			return Config{}, r.fail("preset", "%q is none; the presets are %s", c.Preset, presetList())
		}
		c.Provider, c.Configured = p, true
	}
	for _, m := range top {
		if err := r.top(&c, m); err != nil {
			return Config{}, err
		}
	}
	if err := r.check(&c); err != nil {
		return Config{}, err
	}
	return c, nil
}

func (r *configReader) top(c *Config, m member) error {
	switch m.key {
	case "preset":
		return nil
	case "provider":
		c.Configured = true
		return r.each(m, func(sub member, key string) error { return r.provider(&c.Provider, sub, key) })
	case "classifierPath":
		return r.path(m.key, m.value, &c.Policy.Classifier)
	case "rulesPath":
		return r.path(m.key, m.value, &c.Policy.Rules)
	case "allowRepoPolicy":
		return r.truth(m.key, m.value, &c.AllowRepoPolicy)
	case "transcriptEntries":
		return r.number(m.key, m.value, 0, MaxEntries, &c.TranscriptEntries)
	case "onFailure":
		return r.choice(m.key, m.value, &c.OnFailure, "defer", "deny")
	case "onAmbiguous":
		return r.choice(m.key, m.value, &c.OnAmbiguous, "allow", "failure")
	case "redact":
		return r.choice(m.key, m.value, &c.Redact, "mask", "off")
	case "ledgerSubject":
		return r.choice(m.key, m.value, &c.LedgerSubject, "redacted", "hash")
	case "attended":
		return r.each(m, func(sub member, key string) error {
			if sub.key == "onBlock" {
				return r.choice(key, sub.value, &c.AttendedOnBlock, "deny", "ask")
			}
			return r.unknown(key, sub.key)
		})
	case "unattended":
		return r.each(m, func(sub member, key string) error {
			switch sub.key {
			case "onAsk":
				return r.choice(key, sub.value, &c.UnattendedOnAsk, "deny", "defer")
			case "onFailure":
				return r.choice(key, sub.value, &c.UnattendedOnFailure, "deny", "defer")
			}
			return r.unknown(key, sub.key)
		})
	case "melee":
		return r.each(m, func(sub member, key string) error {
			if sub.key == "soft" {
				return r.choice(key, sub.value, &c.MeleeSoft, "defer", "deny")
			}
			return r.unknown(key, sub.key)
		})
	case "denialBudget":
		return r.each(m, func(sub member, key string) error {
			switch sub.key {
			case "consecutive":
				return r.number(key, sub.value, 1, 1_000_000, &c.Consecutive)
			case "perSession":
				return r.number(key, sub.value, 1, 1_000_000, &c.PerSession)
			}
			return r.unknown(key, sub.key)
		})
	case "cache":
		return r.each(m, func(sub member, key string) error {
			if sub.key == "allowSeconds" {
				return r.number(key, sub.value, 0, 600, &c.AllowSeconds)
			}
			return r.unknown(key, sub.key)
		})
	case "local":
		return r.each(m, func(sub member, key string) error {
			switch sub.key {
			case "buildTest":
				return r.truth(key, sub.value, &c.BuildTest)
			case "extraReadOnly":
				return r.argvs(key, sub.value, &c.ExtraReadOnly)
			}
			return r.unknown(key, sub.key)
		})
	}
	return r.unknown(m.key, m.key)
}

func (r *configReader) provider(p *Provider, m member, key string) error {
	switch m.key {
	case "protocol":
		return r.choice(key, m.value, &p.Protocol, Messages, Chat, Exec, Replay)
	case "baseURL":
		return r.text(key, m.value, &p.BaseURL)
	case "model":
		return r.text(key, m.value, &p.Model)
	case "apiKeyEnv":
		return r.maybe(key, m.value, &p.APIKeyEnv)
	case "apiKeyCommand":
		return r.maybe(key, m.value, &p.APIKeyCommand)
	case "command":
		return r.text(key, m.value, &p.Command)
	case "replayDir":
		return r.path(key, m.value, &p.ReplayDir)
	case "reasoning":
		return r.truth(key, m.value, &p.Reasoning)
	case "maxTokens":
		return r.number(key, m.value, 1, 1_000_000, &p.MaxTokens)
	case "timeoutMs":
		return r.number(key, m.value, 1, MaxTimeoutMS, &p.TimeoutMS)
	}
	return r.unknown(key, m.key)
}

func (r *configReader) check(c *Config) error {
	p := &c.Provider
	if p.Reasoning && p.MaxTokens < MinReasoningTokens {
		return r.fail("provider.maxTokens", "%d is too few for a model that thinks; give it %d or more, or set reasoning to false", p.MaxTokens, MinReasoningTokens)
	}
	if ground, _ := Preset(c.Preset); p.Protocol != ground.Protocol && (p.Protocol == Exec || p.Protocol == Replay) {
		// What the preset says of its own provider is not said of this one.
		if p.Model == ground.Model {
			p.Model = p.Protocol
		}
		if p.APIKeyEnv == ground.APIKeyEnv {
			p.APIKeyEnv = ""
		}
	}
	switch p.Protocol {
	case Exec:
		if p.Command == "" {
			return r.fail("provider.command", "missing; the exec protocol runs it")
		}
		return nil
	case Replay:
		if p.ReplayDir == "" {
			return r.fail("provider.replayDir", "missing; the replay protocol reads answers there")
		}
		return nil
	}
	if err := CheckURL(p.BaseURL); err != nil {
		return r.fail("provider.baseURL", "%v", err)
	}
	return nil
}

// CheckURL reports why a base URL can't be used: a key would go over a wire others read,
// or lie in the URL itself.
func CheckURL(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("no URL") // err would repeat it, with whatever is in it
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("want https://HOST, or http:// with a loopback address")
	case u.User != nil:
		return errors.New("it holds a user name or password; use apiKeyEnv or apiKeyCommand")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("it ends in a query or fragment; give the part before the API's own path")
	case u.Scheme == "http" && !Loopback(u.Hostname()):
		return errors.New("http is for a loopback address; use https")
	}
	return nil
}

// Loopback reports whether a host name or address is this machine by itself.
func Loopback(host string) bool {
	switch host {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// PolicyPaths are the configured files, once it is sure that the agent in dir can't
// have written them: they lie outside the tree dir is in, and nobody but their owner
// may write them.
func (c *Config) PolicyPaths(dir string) (policy.Paths, error) {
	for _, name := range []string{c.Policy.Classifier, c.Policy.Rules} {
		if name == "" || c.AllowRepoPolicy {
			continue
		}
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return policy.Paths{}, fmt.Errorf("the policy: %w", err)
		}
		info, err := os.Stat(real)
		if err != nil {
			return policy.Paths{}, fmt.Errorf("the policy: %w", err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
			return policy.Paths{}, fmt.Errorf("the policy: %s can be written by others; say `chmod go-w` on it", name)
		}
		if dir == "" {
			continue
		}
		root := TreeRoot(dir)
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return policy.Paths{}, fmt.Errorf("the policy: %s lies in the tree that is judged (%s), where the agent may write; move it, or set allowRepoPolicy", name, root)
		}
	}
	return c.Policy, nil
}

// TreeRoot is the folder above dir that holds .git, or dir itself, without links.
func TreeRoot(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// member is one key of an object.
type member struct {
	key   string
	value json.RawMessage
}

// object is an object's members in order. encoding/json alone would take the last of two
// like keys, and text after the end.
func (r *configReader) object(key string, data []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	t, err := dec.Token()
	if err != nil {
		return nil, r.fail(key, "no JSON: %v", err)
	}
	if t != json.Delim('{') {
		return nil, r.fail(key, "want an object")
	}
	var out []member
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, r.fail(key, "no JSON: %v", err)
		}
		name, _ := t.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, r.fail(name, "no JSON: %v", err)
		}
		if slices.ContainsFunc(out, func(m member) bool { return m.key == name }) {
			return nil, r.fail(name, "given twice")
		}
		out = append(out, member{name, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, r.fail(key, "no JSON: %v", err)
	}
	if dec.More() {
		return nil, r.fail(key, "text after the object's end")
	}
	return out, nil
}

func (r *configReader) each(m member, f func(sub member, key string) error) error {
	subs, err := r.object(m.key, m.value)
	if err != nil {
		return err
	}
	for _, s := range subs {
		if err := f(s, m.key+"."+s.key); err != nil {
			return err
		}
	}
	return nil
}

func (r *configReader) unknown(key, last string) error {
	switch strings.ToLower(last) {
	case "apikey", "key", "token", "secret", "authtoken", "api_key":
		return r.fail(key, "a credential has no place in this file; name the variable that holds it in provider.apiKeyEnv, or the command that prints it in provider.apiKeyCommand")
	}
	return r.fail(key, "unknown key")
}

func (r *configReader) maybe(key string, raw json.RawMessage, to *string) error {
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return r.fail(key, "want a string")
	}
	*to = *s
	return nil
}

func (r *configReader) text(key string, raw json.RawMessage, to *string) error {
	if err := r.maybe(key, raw, to); err != nil {
		return err
	}
	if strings.TrimSpace(*to) == "" {
		return r.fail(key, "is empty")
	}
	return nil
}

func (r *configReader) choice(key string, raw json.RawMessage, to *string, of ...string) error {
	if err := r.maybe(key, raw, to); err != nil {
		return err
	}
	if !slices.Contains(of, *to) {
		return r.fail(key, "%q is none of %s", *to, strings.Join(of, ", "))
	}
	return nil
}

func (r *configReader) truth(key string, raw json.RawMessage, to *bool) error {
	var b *bool
	if err := json.Unmarshal(raw, &b); err != nil || b == nil {
		return r.fail(key, "want true or false")
	}
	*to = *b
	return nil
}

func (r *configReader) number(key string, raw json.RawMessage, low, high int, to *int) error {
	var n *int
	if err := json.Unmarshal(raw, &n); err != nil || n == nil || *n < low || *n > high {
		return r.fail(key, "want a whole number from %d to %d", low, high)
	}
	*to = *n
	return nil
}

func (r *configReader) path(key string, raw json.RawMessage, to *string) error {
	if err := r.text(key, raw, to); err != nil {
		return err
	}
	switch rest, home := strings.CutPrefix(*to, "~/"); {
	case home && r.home == "":
		return r.fail(key, "no home folder is known for ~/")
	case home:
		*to = filepath.Join(r.home, rest)
	case !filepath.IsAbs(*to):
		*to = filepath.Join(r.base, *to)
	}
	return nil
}

func (r *configReader) argvs(key string, raw json.RawMessage, to *[][]string) error {
	if err := json.Unmarshal(raw, to); err != nil {
		return r.fail(key, "want a list of command lines, each a list of words")
	}
	for _, argv := range *to {
		if len(argv) == 0 || strings.TrimSpace(argv[0]) == "" {
			return r.fail(key, "a command line without a command")
		}
	}
	return nil
}
