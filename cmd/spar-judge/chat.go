package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"spar/guards/automode/judge"
)

// chat speaks the chat completions that llama.cpp, Ollama, vLLM and many gateways offer.
type chat struct {
	*endpoint
	provider judge.Provider
}

func newChat(pr judge.Provider, key string) *chat {
	h := http.Header{}
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	path := "/v1/chat/completions"
	if strings.HasSuffix(strings.TrimSuffix(pr.BaseURL, "/"), "/v1") {
		path = "/chat/completions" // the way most of them write their base
	}
	return &chat{newEndpoint(pr, path, h), pr}
}

type chatTurn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Send asks. These servers keep what questions have in common without being told to.
func (c *chat) Send(ctx context.Context, p judge.Prompt) (judge.Reply, error) {
	body, err := c.post(ctx, struct {
		Model     string     `json:"model"`
		MaxTokens int        `json:"max_tokens"`
		Messages  []chatTurn `json:"messages"`
		Stream    bool       `json:"stream"`
	}{c.provider.Model, c.provider.MaxTokens, []chatTurn{{"system", p.System}, {"user", p.User()}}, false})
	if err != nil {
		return judge.Reply{}, err
	}
	var answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			In      count `json:"prompt_tokens"`
			Out     count `json:"completion_tokens"`
			Details struct {
				Cached count `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Choices) == 0 {
		return judge.Reply{}, &judge.Failure{Class: judge.BadAnswer, What: "the provider's answer is not what chat completions send"}
	}
	first := answer.Choices[0]
	r := judge.Reply{Text: first.Message.Content, Stop: first.Finish}
	switch {
	case first.Finish == "length":
		r.Stop = "max_tokens"
	case first.Finish == "content_filter", first.Message.Refusal != "" && first.Message.Content == "":
		r.Stop = "refusal"
	}
	u := answer.Usage
	r.Usage = judge.Usage{Cached: int(u.Details.Cached), New: max(0, int(u.In-u.Details.Cached)), Out: int(u.Out)}
	return r, nil
}
