package automode

import (
	"strings"

	"spar/redline/acts"
)

// gitRows are git's subcommands, sorted by name like rows.
var gitRows = [...]row{
	{name: "add", opts: "-n --dry-run -A -u -v -f -p? --all --update --verbose --ignore-errors --ignore-missing", need: "-n --dry-run", is: dryRuns, bits: named, good: "git add -n .", bad: "git add ."},
	{name: "apply", opts: "--stat --numstat --summary --check -p: -v --verbose --reverse -R", need: "--stat --numstat --summary", good: "git apply --stat a.diff", bad: "git apply a.diff"},
	{name: "bisect", sub: "log", max: 1, good: "git bisect log", bad: "git bisect run ./x"},
	{name: "blame", opts: "-L: -w -e -f -n -s -l -t -b -p -M? -C? -c --root --date: --since: --show-email --show-name --show-number --porcelain --line-porcelain --incremental --abbrev: --color-lines --color-by-age --first-parent --reverse", good: "git blame -L 1,2 a", bad: "git blame --contents /etc/x a"},
	{name: "branch", opts: "-a -r -v -vv -l -i --all --remotes --list --show-current --merged? --no-merged? --contains? --no-contains? --points-at: --format: --sort: --verbose --column? --no-column --color? --no-color --abbrev? --no-abbrev --ignore-case", check: checkGitBranch, bits: named, good: "git branch -a", bad: "git branch x"},
	{name: "bundle", sub: "verify|list-heads", opts: "-q --quiet", bits: named, good: "git bundle verify a", bad: "git bundle create a HEAD"},
	{name: "cat-file", opts: "-p -t -s -e --batch-check? --allow-unknown-type", good: "git cat-file -t HEAD", bad: "git cat-file --textconv HEAD:a"},
	{name: "check-attr", opts: "-a --all -z --cached", bits: named, good: "git check-attr -a b"},
	{name: "check-ignore", opts: "-v -n -q -z --verbose --non-matching --quiet --no-index --stdin", bits: named, good: "git check-ignore -v a"},
	{name: "check-mailmap", bits: text, good: "git check-mailmap 'A <a@example.org>'"},
	{name: "check-ref-format", opts: "--branch --normalize --allow-onelevel", bits: named, good: "git check-ref-format --branch a"},
	{name: "cherry", opts: "-v --abbrev?", bits: named, good: "git cherry -v main"},
	{name: "clean", opts: "-n --dry-run -d -x -X -f -e: --exclude: -q --quiet --force", need: "-n --dry-run", is: dryRuns, bits: named, good: "git clean -nd", bad: "git clean -fd"},
	{name: "commit", opts: "-a -m: -q -v -s --all --message: --quiet --verbose --signoff --amend --no-edit --allow-empty", is: featureBranch, bits: named, check: checkGitCommit, good: "git commit -am x", bad: "git commit --no-verify -m x"},
	{name: "config", opts: "--get --get-all --get-regexp --get-urlmatch -l --list --global --local --system --worktree --show-origin --show-scope --name-only -z --null --type: --bool --int --path --default: --includes --no-includes", check: checkGitConfig, bits: named, good: "git config user.email", bad: "git config user.email a@example.org"},
	{name: "count-objects", opts: "-v -H --verbose --human-readable", max: 1, good: "git count-objects -v"},
	{name: "describe", opts: "--all --tags --contains --abbrev: --candidates: --exact-match --long --match: --exclude: --always --first-parent --dirty? --broken? --debug", bits: named, good: "git describe --tags"},
	{name: "diff", opts: gitDiff, good: "git diff --stat", bad: "git diff --output=f"},
	{name: "diff-files", opts: gitDiff + " -q", good: "git diff-files --name-only", bad: "git diff-files --ext-diff"},
	{name: "diff-index", opts: gitDiff, good: "git diff-index --name-only HEAD", bad: "git diff-index --ext-diff HEAD"},
	{name: "diff-tree", opts: gitDiff + " -r -t --root --no-commit-id --pretty? --format: -v", good: "git diff-tree -r HEAD", bad: "git diff-tree --output=f HEAD"},
	{name: "fetch", opts: "--dry-run -p --prune --all -t --tags -v --verbose -q --depth:", need: "--dry-run", is: dryRuns, bits: named, check: checkGitRemoteName, good: "git fetch --dry-run origin", bad: "git fetch --dry-run --upload-pack=./p origin"},
	{name: "for-each-ref", opts: "--count: --sort: --format: --points-at: --merged? --no-merged? --contains? --no-contains? --ignore-case --omit-empty", bits: named, good: "git for-each-ref --format='%(refname)'", bad: "git for-each-ref --shell"},
	{name: "grep", opts: "-i -I -w -v -h -H -E -F -G -P -n -l -L -c -p -W -q -a -o -z -r -e: -f: -A: -B: -C: -m: --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --count --color? --no-color --break --heading --show-function --function-context --context: --after-context: --before-context: --and --or --not --all-match --quiet --cached --untracked --no-index --exclude-standard --max-depth: --text --only-matching --max-count: --recurse-submodules --recursive --no-recursive", bits: pattern | num, good: "git grep -n x", bad: "git grep -Ovim x"},
	{name: "help", opts: "-a -g --all --guides", bits: named, good: "git help log"},
	{name: "lfs", sub: "ls-files|status|version", opts: "-l -s -n --size --name-only --json --porcelain", bits: named, good: "git lfs ls-files", bad: "git lfs prune"},
	{name: "log", opts: gitLog, bits: num, good: "git log --oneline -5", bad: "git log --output=f"},
	{name: "ls-files", opts: "-z -t -v -f -c -d -o -i -s -u -k -m -x: -X: --cached --deleted --others --ignored --stage --unmerged --killed --modified --exclude: --exclude-standard --error-unmatch --full-name --abbrev? --eol --deduplicate --directory --no-empty-directory --recurse-submodules --debug --with-tree: --format:", bits: named, good: "git ls-files -o", bad: "git ls-files --exec x"},
	{name: "ls-remote", opts: "-h -t -q -b --heads --branches --tags --refs --quiet --exit-code --get-url --symref --sort:", bits: named, check: checkGitRemoteName, good: "git ls-remote origin", bad: "git ls-remote ext::sh"},
	{name: "ls-tree", opts: "-d -r -t -l -z --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format:", bits: named, good: "git ls-tree -r HEAD"},
	{name: "merge-base", opts: "-a --all --octopus --independent --is-ancestor --fork-point", bits: named, good: "git merge-base main HEAD"},
	{name: "mv", opts: "-n --dry-run -v -k -f --verbose", need: "-n --dry-run", is: dryRuns, bits: named, good: "git mv -n a b", bad: "git mv a b"},
	{name: "name-rev", opts: "--tags --refs: --exclude: --all --name-only --always --no-undefined", bits: named, good: "git name-rev HEAD"},
	{name: "notes", sub: "list|show", opts: "", good: "git notes list", bad: "git notes add"},
	{name: "patch-id", opts: "--stable --unstable --verbatim", max: 1, good: "git patch-id --stable"},
	{name: "prune", opts: "-n --dry-run -v --verbose --expire: --progress", need: "-n --dry-run", is: dryRuns, bits: named, good: "git prune -n", bad: "git prune"},
	{name: "push", opts: "-n --dry-run -u --set-upstream -q --quiet -v --verbose --progress --no-progress --porcelain", is: featureBranch, bits: named, check: checkGitPush, good: "git push -n origin x", bad: "git push --force origin x"},
	{name: "range-diff", opts: gitDiff + " --creation-factor: --left-only --right-only --no-dual-color", good: "git range-diff main a b", bad: "git range-diff --output=f main a b"},
	{name: "reflog", opts: gitLog, bits: named | num, check: checkGitReflog, good: "git reflog -5", bad: "git reflog expire --all"},
	{name: "remote", sub: "get-url", opts: "--all --push", bits: named, good: "git remote get-url origin", bad: "git remote set-url origin x"},
	{name: "remote", sub: "show", opts: "-n", bits: named, check: checkGitRemoteName, good: "git remote show origin"},
	{name: "remote", sub: "prune", opts: "-n --dry-run", need: "-n --dry-run", is: dryRuns, bits: named, check: checkGitRemoteName, good: "git remote prune -n origin", bad: "git remote prune origin"},
	{name: "remote", opts: "-v --verbose", bits: named, max: 1, good: "git remote -v", bad: "git remote add a b"},
	{name: "rerere", sub: "status|diff|remaining", max: 1, good: "git rerere status", bad: "git rerere clear"},
	{name: "rev-list", opts: gitLog + " --objects --disk-usage --use-bitmap-index --timestamp --header --filter: --no-object-names --in-commit-order --unpacked", bits: num | named, good: "git rev-list --count HEAD"},
	{name: "rev-parse", opts: "-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob: --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --git-common-dir --absolute-git-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --git-path: --local-env-vars --revs-only --no-revs --flags --no-flags --since: --until: --default: --path-format: --show-object-format? --show-ref-format --disambiguate: --sq --not", bits: named, good: "git rev-parse HEAD", bad: "git rev-parse --parseopt"},
	{name: "rm", opts: "-n --dry-run -r -f -q --cached --ignore-unmatch --force --quiet", need: "-n --dry-run", is: dryRuns, bits: named, good: "git rm -n a", bad: "git rm a"},
	{name: "shortlog", opts: "-n -s -e -c -w? --numbered --summary --email --committer --group: --format: --since: --until: --after: --before: --author: --no-merges --merges --all --date:", bits: named | num, good: "git shortlog -sn"},
	{name: "show", opts: gitLog, bits: num, good: "git show --stat HEAD", bad: "git show --output=f"},
	{name: "show-branch", opts: "-a -r --all --remotes --current --topo-order --date-order --sha1-name --no-name --list --more? --merge-base --independent --topics --color? --no-color", bits: named, good: "git show-branch -a"},
	{name: "show-ref", opts: "-q -d -s --head --heads --branches --tags --verify --exists --dereference --hash? --abbrev? --quiet", bits: named, good: "git show-ref --tags"},
	{name: "sparse-checkout", sub: "list", max: 1, good: "git sparse-checkout list", bad: "git sparse-checkout set a"},
	{name: "stash", sub: "list", opts: gitLog, bits: num, good: "git stash list", bad: "git stash drop"},
	{name: "stash", sub: "show", opts: gitDiff + " -u --include-untracked --only-untracked", good: "git stash show -p", bad: "git stash pop"},
	{name: "status", opts: "-s -b -u? -v -z --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?", bits: named, good: "git status -s"},
	{name: "submodule", sub: "status|summary", opts: "--recursive --cached --quiet -q -n: --files", bits: named, good: "git submodule status", bad: "git submodule foreach ls"},
	{name: "symbolic-ref", opts: "--short -q --quiet --no-recurse --recurse", max: 2, bits: named, good: "git symbolic-ref HEAD", bad: "git symbolic-ref HEAD refs/heads/x"},
	{name: "tag", opts: "-l -n? -i --list --contains? --no-contains? --merged? --no-merged? --points-at: --sort: --format: --column? --no-column --color? --ignore-case", check: checkGitTag, bits: named, good: "git tag -l", bad: "git tag v1"},
	{name: "var", opts: "-l", max: 2, bits: named, good: "git var GIT_AUTHOR_IDENT"},
	{name: "version", opts: "--build-options", max: 1, good: "git version"},
	{name: "whatchanged", opts: gitLog, bits: num, good: "git whatchanged -1", bad: "git whatchanged --output=f"},
	{name: "worktree", sub: "list", opts: "-v -z --verbose --porcelain", max: 1, good: "git worktree list", bad: "git worktree add ../x"},
	{name: "worktree", sub: "prune", opts: "-n --dry-run -v --verbose --expire:", need: "-n --dry-run", is: dryRuns, max: 1, good: "git worktree prune -n", bad: "git worktree prune"},
}

// git judges a git command: its global options first, for the value of one is
// easily taken for the subcommand (`git -C log reset --hard`).
func (j *judgement) git(i int, words []acts.Word) (exception, string) {
	a := &j.r.Acts[i]
	dir := a.Dir
	n := 0
	moved := false
	for n < len(words) {
		t, ok := words[n].Known()
		if !ok {
			return 0, "git gets a word that may be an option and is not in view"
		}
		if t == "--version" && len(words) == 1 {
			return reads, ""
		}
		if t == "" || t[0] != '-' {
			break
		}
		switch t {
		case "--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--no-lazy-fetch", "--icase-pathspecs", "--no-advice":
			n++
		case "-C":
			if n+1 >= len(words) {
				return 0, "git -C lacks its folder"
			}
			to, ok := words[n+1].Known()
			if !ok {
				return 0, "the folder of git -C is not in view"
			}
			p, ok := resolve(dir, to)
			if !ok {
				return 0, "the folder of git -C is not in view"
			}
			dir, moved = acts.Text(p), true
			n += 2
		case "-c":
			if n+1 >= len(words) {
				return 0, "git -c lacks its setting"
			}
			set, ok := words[n+1].Known()
			if !ok || !harmlessSetting(set) {
				return 0, "git -c " + words[n+1].String() + " may run a program"
			}
			n += 2
		default:
			return 0, "git " + t + " is not known to be harmless"
		}
	}
	if n >= len(words) {
		return 0, "git without a subcommand"
	}
	if d, ok := dir.Known(); ok {
		// Anyone may have made a repository in scratch, and its settings run programs.
		if j.scratchRoot(d) != "" || d == "/tmp" {
			return 0, "git in scratch space runs what is configured there"
		}
		if j.o.Disk != nil && j.o.Disk.Bare(d) {
			return 0, "a bare repository lies in the way: its configuration may run programs"
		}
	} else if j.hunts {
		return 0, "the folder that git runs in is not in view"
	}
	name, _ := words[n].Known()
	lo, hi := 0, len(gitRows)
	for lo < hi {
		if mid := (lo + hi) / 2; gitRows[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	last := lo
	for last < len(gitRows) && gitRows[last].name == name {
		last++
	}
	c := command{act: a, index: i, name: "git"}
	c.row, c.words = subcommand(gitRows[lo:last], "git", "", words[n+1:])
	if c.row == nil {
		return 0, "git " + name + " is not known to only read"
	}
	if moved {
		own := *a
		own.Dir = dir
		c.act = &own
	}
	return j.finish(&c)
}

// harmlessSetting reports whether a `-c` setting changes only how things look.
func harmlessSetting(s string) bool {
	key, value, _ := strings.Cut(s, "=")
	key = strings.ToLower(key)
	switch key {
	case "core.quotepath", "log.date", "log.decorate", "log.follow", "log.abbrevcommit", "diff.renames", "diff.renamelimit", "diff.algorithm", "diff.context", "diff.noprefix", "diff.mnemonicprefix", "diff.wordregex",
		"diff.colormoved", "diff.statgraphwidth", "core.abbrev", "core.precomposeunicode", "column.ui", "grep.linenumber", "grep.patterntype", "status.short", "status.branch", "status.showuntrackedfiles", "status.relativepaths", "blame.date", "versionsort.suffix", "tag.sort", "branch.sort":
		return true
	case "core.fsmonitor", "log.showsignature", "core.pager":
		return value == "false" || value == "cat" && key == "core.pager"
	}
	return strings.HasPrefix(key, "color.") || strings.HasPrefix(key, "advice.") || strings.HasPrefix(key, "pager.") && value == "false"
}

// mainBranch reports whether a branch is one that others build on by its name.
func mainBranch(b string) bool {
	switch b {
	case "", "main", "master", "trunk", "develop", "HEAD", "production", "release":
		return true
	}
	return false
}

// onFeature is why the facts don't put the call on a feature branch, or "".
func (j *judgement) onFeature(c *command) string {
	f := j.o.Facts
	switch {
	case f.Branch == "":
		return "the branch is not known"
	case mainBranch(f.Branch) || f.Branch == f.DefaultBranch || f.DefaultBranch == "":
		return "it is the default branch, or may be"
	}
	if d, ok := c.act.Dir.Known(); !ok || d != j.call.Cwd {
		return "the branch is that of another folder"
	}
	return ""
}

// gitChecked is checked for git's rows.
func (j *judgement) gitChecked(c *command, is *exception) string {
	switch c.check {
	case checkGitBranch:
		if len(c.operands) > 0 && !c.has("-l", "--list", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at") {
			return "git branch with a name makes a branch"
		}
	case checkGitTag:
		if len(c.operands) > 0 && !c.has("-l", "--list", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at") {
			return "git tag with a name makes a tag"
		}
	case checkGitReflog:
		if len(c.operands) > 0 {
			switch t, ok := c.operands[0].Known(); {
			case !ok:
				return "git reflog: its word is not in view"
			case t == "expire" || t == "delete" || t == "drop" || t == "write":
				return "git reflog " + t + " destroys the recovery history"
			}
		}
	case checkGitConfig:
		return gitConfig(c)
	case checkGitRemoteName:
		for k, w := range c.operands {
			if t, ok := w.Known(); !ok || k == 0 && !remoteName(t) || strings.Contains(t, "::") {
				return "the remote is not a configured name"
			}
		}
		if c.has("--all") && len(c.operands) > 0 {
			return "every remote"
		}
	case checkGitCommit:
		if why := j.onFeature(c); why != "" {
			return "git commit: " + why
		}
	case checkGitPush:
		if c.has("-n", "--dry-run") {
			*is = dryRuns
			for k, w := range c.operands {
				if t, ok := w.Known(); !ok || k == 0 && !remoteName(t) {
					return "the remote is not a configured name"
				}
			}
			return ""
		}
		if why := j.onFeature(c); why != "" {
			return "git push: " + why
		}
		f := j.o.Facts
		if f.Remote == "" || len(c.operands) != 2 || !c.operands[0].Is(f.Remote) {
			return "git push: not this branch to the branch's own remote, by name"
		}
		ref, ok := c.operands[1].Known()
		from, to, two := strings.Cut(ref, ":")
		if !two {
			to = from
		}
		to = strings.TrimPrefix(to, "refs/heads/")
		from = strings.TrimPrefix(from, "refs/heads/")
		if !ok || from != "HEAD" && from != f.Branch || to != f.Branch && (two || to != "HEAD") {
			return "git push: another ref than the branch"
		}
	}
	return ""
}

func gitConfig(c *command) string {
	list := c.has("-l", "--list")
	operands := c.operands
	if len(operands) > 0 && !list && !c.has("--get", "--get-all", "--get-regexp", "--get-urlmatch") {
		switch t, _ := operands[0].Known(); t {
		case "list":
			list, operands = true, operands[1:]
		case "get":
			operands = operands[1:]
		}
	}
	want := 1
	if list {
		want = 0
	}
	if c.has("--get-urlmatch") {
		want = 2
	}
	if len(operands) != want {
		return "git config with a name and a value writes"
	}
	for _, w := range operands {
		t, ok := w.Known()
		if !ok {
			return "the setting is not in view"
		}
		t = strings.ToLower(t)
		for _, s := range [...]string{"token", "password", "extraheader", "credential", "secret", "passwd", "oauth", "cookie"} {
			if strings.Contains(t, s) {
				return "the setting may hold a secret"
			}
		}
		if t == "." || t == ".*" || t == "" {
			return ""
		}
	}
	return ""
}

// remoteName reports whether a word can only be the name of a remote.
func remoteName(t string) bool {
	if t == "" || t == "." || t == ".." {
		return false
	}
	for i := 0; i < len(t); i++ {
		if c := t[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return t[0] != '-'
}
