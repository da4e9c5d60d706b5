package carbon

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"spar/sortie"
)

// gitLimit is the time git gets for all files of a call. A git that hangs on a
// network share must not cost the draft its copy: what isn't known isn't in git.
const gitLimit = time.Second

// askGit asks git, within ctx, what HEAD has under the file's name, and whether the file is
// ignored. The bytes are compared, not what git's index believes of them: a file
// marked assume-unchanged is as lost as any other.
func (d *draft) askGit(ctx context.Context) (has bool) {
	dir, base := filepath.Split(d.real)
	if !repository(dir) {
		return false
	}
	out, err := git(ctx, dir, "rev-parse", "-q", "--verify", "HEAD:./"+base)
	if err == nil {
		id := strings.TrimSpace(out)
		return id != "" && (id == d.blob1 || id == d.blob256)
	}
	if ctx.Err() == nil {
		_, err = git(ctx, dir, "check-ignore", "-q", "--", "./"+base)
		d.ignored = err == nil
	}
	return false
}

// repository reports whether dir may lie in a git work tree. Where it can't, no
// process is started.
func repository(dir string) bool {
	for dir = filepath.Clean(dir); ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// git runs git in a folder, in a process group of its own.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-C", dir}, args...)...)
	// A partial clone would fetch what it is asked about.
	cmd.Env = append(cmd.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = 50 * time.Millisecond
	sortie.OwnGroup(cmd)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}
