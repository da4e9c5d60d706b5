package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"spar/ledger/redact"
	"spar/sortie/harness"
)

// later keeps what a harness doesn't take before a call for the event after it
// (Gemini, Qwen and OpenCode drop text that comes with a call they let through),
// and hands out what was kept. What a call was to bring waits for that call's own
// result; what the start of a session or a prompt was to bring comes with the next
// result there is.
//
// It is kept in `.spar/later/<sortie>/<session>.<call>`, a file a call: two calls
// at once share nothing, and no lock is held while one of them runs.
func (f frame) later() error {
	c := f.Call
	if can := harness.Abilities(c.Harness); can.ContextBefore && can.ContextStart && can.ContextPrompt {
		return nil
	}
	switch c.Event {
	case harness.PostTool, harness.PostFailure:
		kept := ""
		for _, pair := range [...]string{laterNext, c.Pair} {
			text, err := take(f.laterPath(pair))
			if err != nil {
				return fmt.Errorf("delivering what was kept for after the call: %w", err)
			}
			kept = joinText(kept, text)
		}
		f.Answer.Context = joinText(kept, f.Answer.Context)
		return nil
	case harness.SessionEnd:
		return f.forgetLater()
	}
	text, pair := harness.Late(c, f.Answer)
	if text == "" {
		return nil
	}
	if pair == "" {
		pair = laterNext
	}
	path := f.laterPath(pair)
	text = redact.Text(text) + "\n"
	if kept, err := os.ReadFile(path); err == nil && strings.Contains(string(kept), text) {
		return nil // the same call, delivered twice
	}
	if err := mark(path, text); err != nil {
		return fmt.Errorf("keeping advice for after the call: %w", err)
	}
	return nil
}

// laterNext stands for a call's key where the next one will do.
const laterNext = "next"

func (f frame) laterPath(pair string) string {
	if pair == "" {
		return ""
	}
	path := f.markPath("later", pair)
	if path == "" {
		return ""
	}
	dir, name := filepath.Split(path)
	return filepath.Join(dir, markName(f.Call.Session)+"."+name)
}

// take reads a file and removes it. Who removes it has it: two events that come
// at once don't both deliver.
func take(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(raw), "\n"), nil
}

// forgetLater removes what this session's calls left behind: those that never
// came to a result.
func (f frame) forgetLater() error {
	path := f.laterPath(laterNext)
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever kept
	}
	errs := []error{err}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), markName(f.Call.Session)+".") {
			errs = append(errs, os.Remove(filepath.Join(filepath.Dir(path), e.Name())))
		}
	}
	return errors.Join(errs...)
}
