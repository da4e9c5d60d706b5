package automode

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// OS asks the disk and git.
type OS struct{}

// Dir implements [Disk].
func (OS) Dir(p string) (there, dir bool) {
	st, err := os.Lstat(p)
	if err != nil {
		return !os.IsNotExist(err), false
	}
	return true, st.IsDir()
}

// Real implements [Disk].
func (OS) Real(p string) (string, bool) {
	r, err := filepath.EvalSymlinks(p)
	return r, err == nil
}

// Ignored implements [Disk]. It gives git 300 ms and none of the programs that a
// repository may configure for it.
func (OS) Ignored(dir, p string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-C", dir, "-c", "core.fsmonitor=false", "check-ignore", "-q", "--", p)
	cmd.WaitDelay = 100 * time.Millisecond
	return cmd.Run() == nil
}

// Bare implements [Disk]: git takes a folder with HEAD, objects and refs for a
// repository before it looks any further up.
func (OS) Bare(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return false
		}
		all := true
		for _, name := range [...]string{"HEAD", "objects", "refs"} {
			_, err := os.Lstat(filepath.Join(dir, name))
			all = all && err == nil
		}
		if all {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// ReadFacts reads what git's own files say of the branch of a work tree. It starts
// no program; what it can't tell stays empty, and then nothing rests on it.
func ReadFacts(tree string) Facts {
	var f Facts
	read := func(parts ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{tree, ".git"}, parts...)...))
		if err != nil || len(data) > 4096 {
			return ""
		}
		return strings.TrimSpace(string(data))
	}
	head, ok := strings.CutPrefix(read("HEAD"), "ref: refs/heads/")
	if !ok {
		return f
	}
	def, ok := strings.CutPrefix(read("refs", "remotes", "origin", "HEAD"), "ref: refs/remotes/origin/")
	if !ok {
		return f
	}
	return Facts{Branch: head, DefaultBranch: def, Remote: "origin"}
}
