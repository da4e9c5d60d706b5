package judge

import (
	"slices"
	"strings"
)

// Protocols a provider is spoken to by.
const (
	Messages = "messages" // Anthropic's Messages API
	Chat     = "chat"     // the chat completions of llama.cpp, Ollama, vLLM and many others
	Exec     = "exec"     // a command: JSON on its input, the answer on its output
	Replay   = "replay"   // a folder of recorded answers
)

// Provider says how to reach a model.
type Provider struct {
	// Protocol is one of Messages, Chat, Exec and Replay.
	Protocol string
	// BaseURL is where the API's own path is added to: https, or http on the loopback
	// address.
	BaseURL string
	Model   string
	// APIKeyEnv names the variable that holds the key, looked at first.
	APIKeyEnv string
	// APIKeyCommand prints the key. It is run by the shell, for at most [KeyTimeout].
	APIKeyCommand string
	// Reasoning is set for a model that thinks before it answers; it picks the sentence
	// the question ends with.
	Reasoning bool
	// MaxTokens bounds the answer, thinking included. It is a floor and no taste: a
	// model that thinks and is given fewer than [MinReasoningTokens] returns no text.
	MaxTokens int
	// TimeoutMS bounds one call, connecting to last byte, in milliseconds.
	TimeoutMS int
	// Command is what the exec protocol runs, by the shell.
	Command string
	// ReplayDir is the folder of recorded answers.
	ReplayDir string
}

// NeedsKey reports whether the provider has a place a key is to come from.
func (p Provider) NeedsKey() bool { return p.APIKeyEnv != "" || p.APIKeyCommand != "" }

// Preset is the provider of that name.
func Preset(name string) (Provider, bool) {
	i := slices.IndexFunc(presets[:], func(p preset) bool { return p.name == name })
	if i < 0 {
		return Provider{}, false
	}
	return presets[i].Provider, true
}

// Presets are their names, the default one first.
func Presets() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

func presetList() string { return strings.Join(Presets(), ", ") }

type preset struct {
	name string
	Provider
}

// presets are one row a provider. All of them think: without it a fast model blocks
// the removal of a folder of dependencies. glm has a longer time for its slowest calls.
var presets = [...]preset{
	{"spark", Provider{Protocol: Messages, BaseURL: "https://api.meta.ai", Model: "muse-spark-1.3-contributor", APIKeyEnv: "META_API_KEY", Reasoning: true, MaxTokens: 3000, TimeoutMS: 45000}},
	{"claude", Provider{Protocol: Messages, BaseURL: "https://api.anthropic.com", Model: "claude-haiku-4-5-20251001", APIKeyEnv: "ANTHROPIC_API_KEY", Reasoning: true, MaxTokens: 3000, TimeoutMS: 45000}},
	{"glm", Provider{Protocol: Messages, BaseURL: "https://api.z.ai/api/anthropic", Model: "glm-5.3-flash", APIKeyEnv: "ZAI_API_KEY", Reasoning: true, MaxTokens: 3000, TimeoutMS: 60000}},
	// The server of llama.cpp answers for whatever model it was started with.
	{"local", Provider{Protocol: Chat, BaseURL: "http://127.0.0.1:8080", Model: "local", Reasoning: true, MaxTokens: 3000, TimeoutMS: 60000}},
}
