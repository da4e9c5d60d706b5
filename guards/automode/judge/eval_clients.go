package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ExecClient asks a command: {"system","user"} as JSON on its input, the answer's text on its
// output. It is how a provider that speaks neither protocol is used.
type ExecClient struct {
	Command string
}

// Send runs the command within the context's deadline.
func (c ExecClient) Send(ctx context.Context, p Prompt) (Reply, error) {
	in, err := json.Marshal(map[string]string{"system": p.System, "user": p.User()})
	if err != nil {
		return Reply{}, &Failure{BadAnswer, "the question could not be written"}
	}
	out, err := shell(ctx, c.Command, in, MaxTimeoutMS*time.Millisecond, maxOutcome)
	if err != nil {
		return Reply{}, &Failure{BadAnswer, fmt.Sprintf("provider.command %v", err)}
	}
	return Reply{Text: string(out)}, nil
}

// ReplayClient gives recorded answers again. An answer belongs to one policy and one question,
// to the byte: one that was recorded for another is never used for this.
type ReplayClient struct {
	Dir    string
	Sample int
}

// recording is a recorded answer.
type recording struct {
	Policy    string `json:"policy_sha"`
	Request   string `json:"request_sha"`
	Model     string `json:"model,omitempty"`
	LatencyMS int64  `json:"latency_ms"`
	Reply     Reply  `json:"reply"`
}

func recordName(dir string, p Prompt, sample int) (name, policySHA string) {
	sum := sha256.Sum256([]byte(p.System))
	policySHA = hex.EncodeToString(sum[:])
	return filepath.Join(dir, fmt.Sprintf("%s-%s-%d.json", policySHA[:16], p.SHA[:16], sample)), policySHA
}

// Send reads the answer; a [*Failure] of class Unmeasured where there is none.
func (c ReplayClient) Send(_ context.Context, p Prompt) (Reply, error) {
	rec, err := c.read(p)
	return rec.Reply, err
}

func (c ReplayClient) read(p Prompt) (recording, error) {
	name, sha := recordName(c.Dir, p, c.Sample)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return recording{}, &Failure{Unmeasured, "no answer is recorded for this policy and this question"}
	}
	var rec recording
	if err != nil || json.Unmarshal(data, &rec) != nil || rec.Policy != sha || rec.Request != p.SHA {
		return recording{}, &Failure{Unmeasured, fmt.Sprintf("%s holds no answer to this question", filepath.Base(name))}
	}
	return rec, nil
}

func writeRecord(dir string, p Prompt, sample int, model string, took time.Duration, r Reply) error {
	name, sha := recordName(dir, p, sample)
	data, err := json.MarshalIndent(recording{sha, p.SHA, model, took.Milliseconds(), r}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o600)
}
