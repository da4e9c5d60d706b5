package melee

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"spar/ledger/redact"
	"spar/sortie"
)

// Bounds of a reading.
const (
	// ReadingLimit is how long a command that takes a reading may run.
	ReadingLimit = 10 * time.Second
	// ReadingCap is how much of it is stored, in bytes.
	ReadingCap = 4 << 10
	// Fresh is how old a reading may be at contact.
	Fresh = 60 * time.Second
)

// head keeps the first bytes and lets the rest pass: a command that is cut off
// from its reader would fail for no fault of its own.
type head struct {
	kept  []byte // no bytes.Buffer inside: its ReadFrom would pass Write by
	limit int
	cut   int
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), h.limit-len(h.kept))
	h.kept = append(h.kept, p[:n]...)
	h.cut += len(p) - n
	return len(p), nil
}

// text is what was kept, redacted, in valid UTF-8, and what was cut.
func (h *head) text() string {
	kept := h.kept
	for i := 1; h.cut > 0 && i <= 3 && i < len(kept); i++ { // no half rune at the cut
		if r := kept[len(kept)-i:]; utf8.RuneStart(r[0]) && !utf8.FullRune(r) {
			kept = kept[:len(kept)-i]
			break
		}
	}
	s := redact.Text(strings.TrimSpace(strings.ToValidUTF8(string(kept), "�")))
	if h.cut > 0 {
		s += fmt.Sprintf("… [cut, %d bytes]", h.cut)
	}
	return s
}

// shell runs a command line by the shell, in a process group of its own and
// within ReadingLimit. What it printed comes back also where it failed.
func shell(ctx context.Context, dir, line string) (out, complaint string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ReadingLimit)
	defer cancel()
	name, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		if _, err := exec.LookPath("sh"); err != nil {
			name, flag = "cmd", "/c"
		}
	}
	cmd := exec.CommandContext(ctx, name, flag, line)
	cmd.Dir = dir
	// What it left running may hold the pipes open after it is gone.
	cmd.WaitDelay = time.Second
	sortie.OwnGroup(cmd)
	stdout, stderr := &head{limit: ReadingCap}, &head{limit: ReadingCap}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it ran longer than %v and was ended", ReadingLimit)
	} else if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it ended well and left something running
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if code := exit.ExitCode(); code >= 0 {
			err = fmt.Errorf("it exited %d", code)
		}
	}
	return stdout.text(), stderr.text(), err
}
