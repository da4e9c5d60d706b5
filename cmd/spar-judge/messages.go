package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"spar/guards/automode/judge"
)

// messages speaks Anthropic's Messages API.
type messages struct {
	*endpoint
	provider judge.Provider
}

func newMessages(pr judge.Provider, key string) *messages {
	h := http.Header{}
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
	return &messages{newEndpoint(pr, "/v1/messages", h), pr}
}

type textPart struct {
	Type  string        `json:"type"`
	Text  string        `json:"text"`
	Cache *cacheControl `json:"cache_control,omitempty"`
}

type cacheControl struct {
	Type string `json:"type"`
}

type messagesRequest struct {
	Model     string         `json:"model"`
	MaxTokens int            `json:"max_tokens"`
	System    []textPart     `json:"system"`
	Messages  []messagesTurn `json:"messages"`
}

type messagesTurn struct {
	Role    string     `json:"role"`
	Content []textPart `json:"content"`
}

// Send asks. The policy, and the blocks of turns that come again in the next question, are
// marked for the provider's cache.
func (m *messages) Send(ctx context.Context, p judge.Prompt) (judge.Reply, error) {
	cached := &cacheControl{"ephemeral"}
	var content []textPart
	if p.Stable != "" {
		content = append(content, textPart{"text", p.Stable, cached})
	}
	content = append(content, textPart{Type: "text", Text: p.Rest})
	body, err := m.post(ctx, messagesRequest{
		Model: m.provider.Model, MaxTokens: m.provider.MaxTokens,
		System:   []textPart{{"text", p.System, cached}},
		Messages: []messagesTurn{{"user", content}},
	})
	if err != nil {
		return judge.Reply{}, err
	}
	var answer struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Stop  string `json:"stop_reason"`
		Usage struct {
			Cached  count `json:"cache_read_input_tokens"`
			Written count `json:"cache_creation_input_tokens"`
			New     count `json:"input_tokens"`
			Out     count `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return judge.Reply{}, &judge.Failure{Class: judge.BadAnswer, What: "the provider's answer is not what the Messages API sends"}
	}
	// Blocks of thinking are full of answers that were thought of and dropped.
	var texts []string
	for _, c := range answer.Content {
		if c.Type == "text" {
			texts = append(texts, c.Text)
		}
	}
	u := answer.Usage
	return judge.Reply{Text: strings.Join(texts, "\n"), Stop: answer.Stop, Usage: judge.Usage{
		Cached: int(u.Cached), Written: int(u.Written), New: int(u.New), Out: int(u.Out),
	}}, nil
}
