package redline

import "strings"

// gitTable: what git and its kin throw away, and what they send.
var gitTable = []Program{
	{Name: "git", Also: []string{"hub"}, Short: true,
		Value: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env",
		Rows: []Row{
			{Path: "push", Value: gitPushValues, Not: "-n --dry-run", kinds: outw, Why: "pushes to a remote",
				Charged: `git push origin main`, Free: `git push --dry-run origin main`},
			{Path: "push", Value: gitPushValues, Not: "-n --dry-run", When: forcePush, kinds: irr, Why: "rewrites or deletes what the remote holds",
				Charged: `git push --force-with-lease origin feature/x`, Free: `git push -n --force origin main`},
			{Path: "reset", With: "--hard --merge", Target: here, kinds: irr, Why: "throws local changes away",
				Charged: `git reset --hard origin/main`, Free: `git reset --soft HEAD~1`},
			{Path: "clean", Value: "-e --exclude", Not: "-n --dry-run", Target: here, When: forcedClean, kinds: irr, Why: "removes untracked files",
				Charged: `git clean -fd`, Free: `git clean -nfd`},
			{Path: "checkout", Value: "-b -B --orphan --conflict --pathspec-from-file", Target: here, When: checkoutDiscards, kinds: irr, Why: "overwrites files of the worktree",
				Charged: `git checkout -- src/app.ts`, Free: `git checkout -b docs/git-push-guide`},
			{Path: "restore", Value: "-s --source --conflict --pathspec-from-file", Target: here, When: func(l *line) bool {
				return (l.has("-W --worktree") || !l.has("-S --staged")) && l.discards(l.ops)
			}, kinds: irr, Why: "overwrites files of the worktree", Charged: `git restore src/totals.ts`, Free: `git restore --staged src/app.ts`},
			{Path: "switch", Value: "-c -C --create --force-create --orphan --conflict", With: "-f --force --discard-changes", Target: here, kinds: irr, Why: "throws local changes away",
				Charged: `git switch --discard-changes main`, Free: `git switch main`},
			{Path: "branch", With: "-D", kinds: irr, Why: "deletes a branch, merged or not",
				Charged: `git branch -D feature/old-cart`, Free: `git branch -d merged/fix-12`},
			{Path: "branch", With: "-d --delete", When: func(l *line) bool { return l.has("-f --force") }, kinds: irr, Why: "deletes a branch, merged or not",
				Charged: `git branch --delete --force feature/old`, Free: `git branch --delete merged/fix-12`},
			{Path: "stash drop|clear", kinds: irr, Why: "drops stashed changes",
				Charged: `git stash drop stash@{1}`, Free: `git stash pop`},
			{Path: "worktree remove", With: "-f --force", kinds: irr, Why: "removes a worktree with its changes",
				Charged: `git worktree remove --force ../site-hotfix`, Free: `git worktree remove ../site-hotfix`},
			{Path: "rm", Not: "--cached -n --dry-run", With: "-f --force", Target: here, When: func(l *line) bool { return l.discards(l.ops) }, kinds: irr, Why: "removes files with their changes",
				Charged: `git rm -f src/old.go`, Free: `git rm -r --cached dist`},
			{Path: "filter-branch|filter-repo", Not: "--dry-run --analyze", kinds: irr, Why: "rewrites history",
				Charged: `git filter-repo --path secrets.env --invert-paths`, Free: `git filter-repo --analyze`},
			{Path: "reflog expire|delete", Not: "-n --dry-run", kinds: irr, Why: "drops the way back to lost commits",
				Charged: `git reflog expire --expire=now --all`, Free: `git reflog show HEAD`},
			{Path: "gc", When: func(l *line) bool {
				v, ok := l.value("--prune")
				return ok && (v.text == "now" || v.text == "all")
			}, kinds: irr, Why: "drops unreachable commits at once", Charged: `git gc --prune=now`, Free: `git gc --auto`},
			{Path: "prune", Not: "-n --dry-run", kinds: irr, Why: "drops unreachable commits",
				Charged: `git prune --expire now`, Free: `git prune -n`},
			{Path: "update-ref", Value: "-m", With: "-d", kinds: irr, Why: "deletes a reference",
				Charged: `git update-ref -d refs/heads/wip`, Free: `git update-ref refs/heads/wip HEAD`},
			{Path: "submodule deinit", With: "-f --force", kinds: irr, Why: "removes a submodule with its changes",
				Charged: `git submodule deinit -f libs/sum`, Free: `git submodule deinit libs/sum`},
			{Path: "checkout-index", With: "-f --force", Target: here, kinds: irr, Why: "overwrites files of the worktree",
				Charged: `git checkout-index -f -a`, Free: `git checkout-index -a`},
			{Path: "read-tree", With: "--reset", When: func(l *line) bool { return l.has("-u") }, Target: here, kinds: irr, Why: "throws local changes away",
				Charged: `git read-tree --reset -u HEAD`, Free: `git read-tree HEAD`},
			{Path: "send-email", Not: "--dry-run", Value: "--to --cc --bcc --from --subject --in-reply-to --smtp-server", kinds: outw, Why: "sends mail",
				Charged: `git send-email --to list@example.test 0001-fix.patch`, Free: `git send-email --dry-run 0001-fix.patch`},
			{Path: "lfs push", Not: "--dry-run", kinds: outw, Why: "uploads to a remote",
				Charged: `git lfs push origin main`, Free: `git lfs ls-files`},
			{Path: "subtree push", Value: "-P --prefix", kinds: outw, Why: "pushes to a remote",
				Charged: `git subtree push --prefix docs origin pages`, Free: `git subtree split --prefix docs`},
			{Path: "svn dcommit|branch|tag", Not: "-n --dry-run", kinds: outw, Why: "commits to the shared repository",
				Charged: `git svn dcommit`, Free: `git svn dcommit -n`},
			{Path: "p4 submit", Not: "-n --dry-run", kinds: outw, Why: "submits to the shared depot",
				Charged: `git p4 submit`, Free: `git p4 sync`},
			{Path: "submodule add", Value: "-b --branch --name --reference --depth", kinds: dep, Why: "adds another repository's code",
				Charged: `git submodule add https://git.example.test/sum.git libs/sum`, Free: `git submodule update --init`},
			{Path: "subtree add", Value: "-P --prefix", kinds: dep, Why: "adds another repository's code",
				Charged: `git subtree add --prefix libs/sum https://git.example.test/sum.git main`, Free: `git subtree split --prefix libs/sum`},
			{Path: "pull-request|release|issue|fork|create|delete", When: func(l *line) bool { return l.name == "hub" }, kinds: outw, Why: "writes to the forge",
				Charged: `hub pull-request -m fix`, Free: `hub status`},
		}},
	{Name: "hg", Also: []string{"sl"}, Value: "-R --repository --cwd --config", Rows: []Row{
		{Path: "push", Not: "-n --dry-run", kinds: outw, Why: "pushes to a remote", Charged: `hg push`, Free: `hg pull`},
		{Path: "push", With: "-f --force", kinds: irr, Why: "rewrites what the remote holds", Charged: `hg push -f`, Free: `hg push`},
		{Path: "update|up|checkout|co", With: "-C --clean", Target: here, kinds: irr, Why: "throws local changes away", Charged: `hg update -C tip`, Free: `hg update tip`},
		{Path: "revert", Not: "-n --dry-run", Target: here, kinds: irr, Why: "throws local changes away", Charged: `hg revert --all`, Free: `hg revert -n --all`},
		{Path: "purge|clean", Not: "-p --print", Target: here, kinds: irr, Why: "removes untracked files", Charged: `hg purge`, Free: `hg purge --print`},
		{Path: "strip|debugstrip", kinds: irr, Why: "removes commits", Charged: `hg strip tip`, Free: `hg log`},
	}},
	{Name: "svn", Value: "-m --message -F --file -r --revision --username --password", Rows: []Row{
		{Path: "commit|ci|import|copy|cp|mkdir|lock|propset", When: func(l *line) bool {
			return either("commit|ci|import", l.args[0].text) || strings.Contains(l.op(len(l.ops)-1), "://")
		}, kinds: outw, Why: "commits to the shared repository", Charged: `svn commit -m fix`, Free: `svn status`},
		{Path: "revert", Target: here, kinds: irr, Why: "throws local changes away", Charged: `svn revert -R .`, Free: `svn diff`},
		{Path: "cleanup", With: "--remove-unversioned --remove-ignored", Target: here, kinds: irr, Why: "removes untracked files", Charged: `svn cleanup --remove-unversioned`, Free: `svn cleanup`},
	}},
	{Name: "jj", Value: "-R --repository", Rows: []Row{
		{Path: "git push", Not: "--dry-run", kinds: outw, Why: "pushes to a remote", Charged: `jj git push`, Free: `jj git push --dry-run`},
		{Path: "abandon", kinds: irr, Why: "drops a change", Charged: `jj abandon @`, Free: `jj log`},
		{Path: "restore", Target: here, kinds: irr, Why: "throws changes away", Charged: `jj restore src/a.go`, Free: `jj diff`},
	}},
	{Name: "p4", Value: "-c -u -p -P", Rows: []Row{
		{Path: "submit", kinds: outw, Why: "submits to the shared depot", Charged: `p4 submit -d fix`, Free: `p4 opened`},
		{Path: "revert", Not: "-n", Target: here, kinds: irr, Why: "throws local changes away", Charged: `p4 revert //...`, Free: `p4 revert -n //...`},
		{Path: "obliterate", With: "-y", kinds: irr, Why: "removes files and their history", Charged: `p4 obliterate -y //depot/old/...`, Free: `p4 obliterate //depot/old/...`},
	}},
	{Name: "gt", Rows: []Row{
		{Path: "submit|ss|merge", Not: "--dry-run", kinds: outw, Why: "pushes and opens pull requests", Charged: `gt submit`, Free: `gt log`},
	}},
}

const gitPushValues = "-o --push-option --receive-pack --exec --repo"

// forcePush reports whether a push takes something away at the remote: by flag,
// or by a refspec (`+main`, `:gone`).
func forcePush(l *line) bool {
	if l.has("-f --force --force-with-lease -d --delete --mirror --prune") {
		return true
	}
	for _, a := range l.ops {
		if strings.HasPrefix(a.text, "+") || (len(a.text) > 1 && a.text[0] == ':') {
			return true
		}
	}
	return false
}

// forcedClean: git refuses to clean without -f unless configured otherwise.
func forcedClean(l *line) bool {
	if l.has("-f --force") {
		return l.discards(l.ops)
	}
	off := false
	l.each("-c", func(a arg) {
		key, v, _ := strings.Cut(strings.ToLower(a.text), "=")
		off = off || key == "clean.requireforce" && falsy(v)
	})
	return off
}

// checkoutDiscards tells `git checkout branch` from `git checkout path`.
func checkoutDiscards(l *line) bool {
	if l.has("-f --force") {
		return true
	}
	if l.dash >= 0 {
		return len(l.ops) > l.dash && l.discards(l.ops[l.dash:])
	}
	if l.has("--pathspec-from-file") {
		return true
	}
	if l.has("-b -B --orphan --detach -d --track -t") {
		return false
	}
	switch len(l.ops) {
	case 0:
		return l.has("-p --patch")
	case 1:
		return pathLike(l.ops[0]) && l.discards(l.ops)
	}
	return l.discards(l.ops[1:])
}

// pathLike reports whether the only operand of a checkout is a path: branches
// have slashes and dots too, but not an extension of letters.
func pathLike(a arg) bool {
	s := a.text
	if s == "." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == ".." || strings.HasSuffix(s, "/") ||
		strings.HasPrefix(s, ":/") || strings.HasPrefix(s, ":(") || strings.ContainsAny(s, "*?") {
		return true
	}
	if !a.known {
		return false
	}
	b := base(s)
	i := strings.LastIndexByte(b, '.')
	if i < 0 {
		return b == "Makefile" || b == "Dockerfile"
	}
	ext := b[i+1:]
	if len(ext) < 1 || len(ext) > 6 {
		return false
	}
	if len(ext) == 1 && !strings.Contains("chmrd", ext) {
		return false
	}
	for k := range len(ext) {
		if c := ext[k]; (c < 'a' || c > 'z') && (k == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return !strings.HasPrefix(ext, "rc") && !strings.HasPrefix(ext, "beta") && !strings.HasPrefix(ext, "alpha")
}

// discards reports whether a discard of these paths loses something: not where
// all of them lie in free trees.
func (l *line) discards(paths []arg) bool {
	if len(paths) == 0 || len(l.p.o.Rules.Free) == 0 {
		return true
	}
	for _, a := range paths {
		if strings.HasPrefix(a.text, ":") || l.p.losesWord(l.at, l.act, a.word) {
			return true
		}
	}
	return false
}
