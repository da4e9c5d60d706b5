package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"spar/sortie"
)

// KeyTimeout is how long the command that prints a key may take.
const KeyTimeout = 5 * time.Second

// maxKey is the most that command may print, in bytes.
const maxKey = 64 << 10

// Key is the provider's key: the variable's value, else what the command prints. "" and no
// error is a provider without a place for one. Whatever goes wrong is a [*Failure]
// of class NoKey that never holds what the command printed.
func Key(ctx context.Context, p Provider, env func(string) string) (string, error) {
	if !p.NeedsKey() {
		return "", nil
	}
	key := ""
	if p.APIKeyEnv != "" {
		key = strings.TrimSpace(env(p.APIKeyEnv))
	}
	if key == "" && p.APIKeyCommand != "" {
		out, err := shell(ctx, p.APIKeyCommand, nil, KeyTimeout, maxKey)
		if err != nil {
			return "", &Failure{NoKey, fmt.Sprintf("provider.apiKeyCommand %v", err)}
		}
		if key = strings.TrimSpace(string(out)); key == "" {
			return "", &Failure{NoKey, "provider.apiKeyCommand printed nothing"}
		}
	}
	if key == "" {
		return "", &Failure{NoKey, fmt.Sprintf("no key: set %s, or provider.apiKeyCommand in automode.json", p.APIKeyEnv)}
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
		return "", &Failure{NoKey, "the key holds a space, a line end or a character no key has; it was not used"}
	}
	return key, nil
}

// shell runs a line by the shell in a process group of its own, so that nothing it
// started is left behind, and returns what it printed. Errors say what happened and
// nothing of what was printed.
func shell(ctx context.Context, line string, stdin []byte, limit time.Duration, most int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	argv := []string{"/bin/sh", "-c", line}
	if runtime.GOOS == "windows" {
		argv = []string{"cmd", "/C", line}
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	sortie.OwnGroup(cmd)
	cmd.WaitDelay = 200 * time.Millisecond
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	out := &capped{most: most}
	cmd.Stdout = out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("took longer than %d ms", limit.Milliseconds())
	case out.over:
		return nil, fmt.Errorf("printed more than %d bytes", most)
	case errors.As(err, &exit):
		return nil, fmt.Errorf("ended with %s", exit.ProcessState)
	case err != nil:
		return nil, errors.New("can't be run by the shell")
	}
	return out.Bytes(), nil
}

// capped keeps the first bytes it is given and remembers that there were more.
type capped struct {
	bytes.Buffer
	most int
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.most-c.Len())
	c.Buffer.Write(p[:n])
	c.over = c.over || n < len(p)
	return len(p), nil
}
