package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"spar/guards/automode/policy"
	"spar/ledger/redact"
)

// Client sends a question to a model. It keeps to the context's deadline, and its errors
// are [*Failure] where it knows what went wrong.
type Client interface {
	Send(ctx context.Context, p Prompt) (Reply, error)
}

// Ask is one call to be judged: what spar gives spar-judge on its input.
type Ask struct {
	// Version is the asking program's. The two are built together; another one's idea of this
	// structure is not to be guessed.
	Version string `json:"version"`

	Harness    string          `json:"harness"`
	Tool       string          `json:"tool"`
	Input      json.RawMessage `json:"input"`
	Cwd        string          `json:"cwd"`
	Session    string          `json:"session"`
	Call       string          `json:"call,omitempty"`
	Turn       string          `json:"turn,omitempty"` // the harness's id of the prompt or turn
	Transcript string          `json:"transcript,omitempty"`
	Prompts    []Said          `json:"prompts,omitempty"`
	Frame      *Frame          `json:"frame,omitempty"`
	// Hint goes to the model; with it a verdict is not remembered.
	Hint string `json:"hint,omitempty"`

	// Config is the configuration's path; "" is the person's own. Classifier and Rules go
	// before what it names.
	Config     string `json:"config,omitempty"`
	Classifier string `json:"classifier,omitempty"`
	Rules      string `json:"rules,omitempty"`
}

// Outcome is what came of it: what spar-judge writes on its output.
type Outcome struct {
	Version string `json:"version"`
	// Verdict is what the model said; its decision is None where Failure says why it said
	// nothing.
	Verdict Verdict `json:"verdict"`
	// Failure is the class, "" where there is a verdict.
	Failure string   `json:"failure,omitempty"`
	Note    string   `json:"note"` // one line for a person
	Flags   []string `json:"flags,omitempty"`

	Preset     string `json:"preset,omitempty"`
	Model      string `json:"model,omitempty"`
	PolicySHA  string `json:"policy_sha,omitempty"`
	RequestSHA string `json:"request_sha,omitempty"`
	ActionSHA  string `json:"action_sha,omitempty"`
	LatencyMS  int64  `json:"latency_ms"`
	Usage      Usage  `json:"usage"`
	// Remembered is set where an earlier verdict was given again and nobody was asked.
	Remembered bool `json:"remembered,omitempty"`
}

// Judge is one judgement: a policy, a provider and where verdicts are remembered.
type Judge struct {
	Config Config
	Policy *policy.Policy
	// Connect makes the client, with the key where one is needed. It is called only where
	// no remembered verdict answers: a key's command takes its time.
	Connect func(ctx context.Context) (Client, string, error)
	// Facts reads the place a call runs in; nil reads nothing.
	Facts func(ctx context.Context, dir string) *Facts
	Cache *Cache
	Now   func() time.Time
}

// Do judges one call. It always returns an outcome; what goes wrong is one, with the
// provider's key taken out of every text in it.
func (j *Judge) Do(ctx context.Context, a Ask) Outcome {
	began := j.Now()
	o := Outcome{Preset: j.Config.Preset, Model: j.Config.Provider.Model, PolicySHA: j.Policy.SHA, ActionSHA: ActionKey(a.Tool, a.Cwd, a.Input)}
	key, consent, err := j.do(ctx, a, &o)
	if err != nil {
		o.fail(err)
	}
	o.scrub(key)
	o.LatencyMS = j.Now().Sub(began).Milliseconds()
	if o.Note == "" {
		o.Note = o.note()
	}
	if !o.Remembered {
		j.Cache.note(a.Session, j.cacheKey(a, o), consent, o)
	}
	return o
}

func (j *Judge) do(ctx context.Context, a Ask, o *Outcome) (key, consent string, err error) {
	h := ReadHistory(HistoryOptions{
		Path: a.Transcript, Harness: a.Harness, Entries: j.Config.TranscriptEntries,
		Call: a.Call, Tool: a.Tool, Input: a.Input, Prompts: a.Prompts,
	})
	consent = h.Consent()
	if k := j.cacheKey(a, *o); k != "" {
		if old, ok := j.Cache.find(a.Session, k, consent); ok {
			*o = old
			o.Remembered, o.Note, o.Usage = true, "", Usage{}
			return "", consent, nil
		}
	}
	client, key, err := j.Connect(ctx)
	if err != nil {
		return key, consent, err
	}
	c := Case{Tool: a.Tool, Input: a.Input, Cwd: a.Cwd, History: h, Frame: a.Frame, Hint: a.Hint}
	if j.Facts != nil && a.Cwd != "" {
		c.Facts = j.Facts(ctx, a.Cwd)
	}
	p := Build(c, j.Policy, j.Config.Provider.Reasoning, j.Config.Redact != "off")
	o.RequestSHA = p.SHA
	if h.Stale {
		o.Flags = append(o.Flags, Stale)
	}
	limit := time.Duration(j.Config.Provider.TimeoutMS) * time.Millisecond
	sctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reply, err := client.Send(sctx, p)
	if err != nil {
		if sctx.Err() != nil {
			err = &Failure{Timeout, fmt.Sprintf("the model did not answer within %d ms", limit.Milliseconds())}
		}
		return key, consent, err
	}
	o.Usage = reply.Usage
	v, flags, err := ParseVerdict(reply, j.Policy)
	o.Flags = append(o.Flags, flags...)
	if err != nil {
		return key, consent, err
	}
	if slices.Contains(flags, Ambiguous) && j.Config.OnAmbiguous == "failure" {
		return key, consent, &Failure{BadAnswer, "the model's answer makes no case, and onAmbiguous is failure"}
	}
	if p.Truncated {
		o.Flags = append(o.Flags, Truncated)
		if v.Decision == Allow {
			v = Verdict{Decision: Leave, Reason: "the call is too long to be judged whole; what was shown of it matches no rule"}
		}
	}
	o.Verdict = v
	return key, consent, nil
}

// cacheKey is what a remembered verdict stands under beside the consent; "" where none may be
// remembered: what touches the guard itself is judged each time.
func (j *Judge) cacheKey(a Ask, o Outcome) string {
	if a.Hint != "" {
		return ""
	}
	p := j.Config.Provider
	frame := ""
	if a.Frame != nil && a.Frame.Swing != nil {
		frame = line(a.Frame.Swing)
	}
	return hash(j.Policy.SHA, p.Protocol, p.BaseURL, p.Model, o.ActionSHA, a.Turn, frame)
}

// FailureOutcome is the outcome of a judgement that could not begin.
func FailureOutcome(class string, err error) Outcome {
	var o Outcome
	o.fail(&Failure{class, err.Error()})
	o.scrub("")
	return o
}

func (o *Outcome) fail(err error) {
	var f *Failure
	if !errors.As(err, &f) {
		// An error nobody described may hold anything a provider or a library put in it.
		f = &Failure{BadNetwork, "the model could not be asked"}
	}
	o.Verdict = Verdict{Decision: None}
	o.Failure, o.Note = f.Class, f.What
}

// scrub takes the key out of everything that is told or kept, in each spelling it could have
// been sent back in, and then whatever looks like any other secret.
func (o *Outcome) scrub(key string) {
	for _, s := range []*string{&o.Note, &o.Verdict.Reason, &o.Verdict.Rule} {
		*s = Scrub(*s, key)
	}
}

// Scrub takes a key, and what looks like any secret, out of a text.
func Scrub(s, key string) string {
	if len(key) >= 4 {
		quoted, _ := json.Marshal(key) // a string always has a form
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key), strings.Trim(string(quoted), `"`)} {
			s = strings.ReplaceAll(s, form, redact.Open+"]")
		}
	}
	return redact.Text(s)
}

// note is the line for a person.
func (o *Outcome) note() string {
	var b strings.Builder
	who := o.Model
	if o.Remembered {
		who += " (remembered)"
	}
	switch o.Verdict.Decision {
	case Allow:
		fmt.Fprintf(&b, "allowed by %s", who)
	case Deny:
		fmt.Fprintf(&b, "blocked by %s: [%s] %s", who, o.Verdict.Rule, o.Verdict.Reason)
	case Leave:
		fmt.Fprintf(&b, "left open by %s: [%s] %s", who, o.Verdict.Rule, o.Verdict.Reason)
	default:
		fmt.Fprintf(&b, "no verdict by %s", who)
	}
	if !o.Remembered {
		fmt.Fprintf(&b, " (%d cached, %d written, %d new, %d out)", o.Usage.Cached, o.Usage.Written, o.Usage.New, o.Usage.Out)
	}
	if len(o.Flags) > 0 {
		fmt.Fprintf(&b, " [%s]", strings.Join(o.Flags, ", "))
	}
	return b.String()
}
