package main

import (
	"bytes"
	"context"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"time"

	"spar/guards/automode/judge"
	"spar/sortie"
)

// factsTime bounds all questions to git together.
const factsTime = 300 * time.Millisecond

// facts asks git about the place a call runs in, and only what runs nothing the repository
// names: no hooks, no filters, no monitor. nil where there is no repository, and where
// variables point git at another one than the folder's.
func (p *program) facts(ctx context.Context, dir string) *judge.Facts {
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		if p.env(name) != "" {
			return nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, factsTime)
	defer cancel()
	git := func(args ...string) (string, bool) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-C", dir}, args...)...)
		sortie.OwnGroup(cmd)
		cmd.WaitDelay = 50 * time.Millisecond
		var out bytes.Buffer
		cmd.Stdout = &out
		err := cmd.Run()
		return strings.TrimSpace(out.String()), err == nil
	}
	if inside, ok := git("rev-parse", "--is-inside-work-tree"); !ok || inside != "true" {
		return nil
	}
	f := &judge.Facts{Clean: "unknown"}
	f.Branch, _ = git("symbolic-ref", "--short", "-q", "HEAD")
	names, _ := git("config", "--name-only", "--list")
	for _, l := range strings.Split(names, "\n") {
		if name, ok := strings.CutSuffix(l, ".url"); ok && strings.HasPrefix(name, "remote.") && len(f.Remotes) < 8 {
			if u, ok := git("config", "--get", l); ok {
				f.Remotes = append(f.Remotes, strings.TrimPrefix(name, "remote.")+" "+bareURL(u))
			}
		}
	}
	if head, ok := git("symbolic-ref", "--short", "-q", "refs/remotes/origin/HEAD"); ok {
		f.Default = strings.TrimPrefix(head, "origin/")
	}
	// Comparing files runs the filters a repository is configured for.
	if !slices.ContainsFunc(strings.Split(names, "\n"), func(l string) bool { return strings.HasPrefix(l, "filter.") }) {
		if changes, ok := git("status", "--porcelain", "--ignore-submodules=all"); ok {
			f.Clean = map[bool]string{true: "yes", false: "no"}[changes == ""]
		}
	}
	return f
}

// bareURL is a remote's address without who signs in there and how.
func bareURL(s string) string {
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		return u.String()
	}
	if at := strings.Index(s, "@"); at >= 0 && strings.Contains(s[at:], ":") && !strings.Contains(s[:at], "/") {
		return s[at+1:] // git@host:path
	}
	return s
}
