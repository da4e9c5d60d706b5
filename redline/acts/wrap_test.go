package acts

import (
	"slices"
	"strings"
	"testing"
)

// Every row of the wrappers' table has an example around `rm -rf x`, and that is
// what must come out of it.
func TestWrappersTable(t *testing.T) {
	if !slices.IsSortedFunc(wrappers[:], func(a, b wrap) int { return strings.Compare(a.name, b.name) }) {
		t.Error("the table is not sorted by name")
	}
	for _, w := range wrappers {
		t.Run(strings.TrimSpace(w.name+" "+w.sub), func(t *testing.T) {
			if w.example == "" {
				t.Fatal("a row without an example")
			}
			r := Read(w.example, Options{Dir: "/work/site", Env: map[string]string{"HOME": "/home/dev"}})
			i := slices.IndexFunc(r.Acts, func(a Act) bool { return a.Name() == "rm" })
			if i < 0 {
				t.Fatalf("rm is not among the acts of %q:\n%s", w.example, r)
			}
			a := r.Acts[i]
			if len(a.Argv) != 3 || !a.Argv[1].Is("-rf") || !a.Argv[2].Is("x") {
				t.Errorf("words of rm: %s", a.String())
			}
			if len(a.Via) == 0 {
				t.Errorf("no wrapper named: %s", a.String())
			}
			if w.remote != (a.Remote != "") {
				t.Errorf("remote %v, want %v", a.Remote != "", w.remote)
			}
			if own := slices.ContainsFunc(r.Acts[:i], func(a Act) bool { return a.Name() == w.name }); own != w.keep {
				t.Errorf("an act of its own: %v, want %v\n%s", own, w.keep, r)
			}
		})
	}
}

// The wrappers whose words no table can describe.
func TestWrappersByHand(t *testing.T) {
	for _, line := range []string{
		"env A=1 rm -rf x",
		"env -i -u B A=1 rm -rf x",
		"env -S 'rm -rf x'",
		"env -C /tmp rm -rf x",
		"/usr/bin/env rm -rf x",
		"command rm -rf x",
		"command -p rm -rf x",
		"builtin command rm -rf x",
		"exec rm -rf x",
		"exec -a name rm -rf x",
		"time rm -rf x",
		"xargs rm -rf x < list",
		"echo x | xargs rm -rf",
		"echo x | xargs -I{} rm -rf {}",
		"echo x | xargs -n 1 -P 4 -0 rm -rf",
		"parallel rm -rf ::: x",
		"parallel -j4 rm -rf {} ::: x",
		"echo 'rm -rf x' | parallel",
		"find . -exec rm -rf x {} +",
		"find . -name a -execdir rm -rf x \\;",
		"find . -ok rm -rf x \\;",
		"fd -e o -x rm -rf x",
		"fd -X rm -rf x",
		"flock /tmp/l rm -rf x",
		"flock -w 5 /tmp/l -c 'rm -rf x'",
		"script -c 'rm -rf x' log",
		"script -q /dev/null rm -rf x",
		"su -c 'rm -rf x' deploy",
		"su - deploy -c 'rm -rf x'",
		"su deploy <<< 'rm -rf x'",
		"runuser -l deploy -c 'rm -rf x'",
		"runuser -u deploy -- rm -rf x",
		"sh -c 'rm -rf x'",
		"bash -lc 'rm -rf x'",
		"bash -euo pipefail -c 'rm -rf x'",
		"bash -c '\"$@\"' _ rm -rf x",
		"zsh -fc 'rm -rf x'",
		"bash <<< 'rm -rf x'",
		"bash -s <<< 'rm -rf x'",
		"bash /dev/stdin <<< 'rm -rf x'",
		"echo 'rm -rf x' | sh -s -- a",
		"busybox sh -c 'rm -rf x'",
		"eval rm -rf x",
		"eval \"rm -rf x\"",
		"trap 'rm -rf x' EXIT",
		"trap 'rm -rf x' INT TERM",
		"source /dev/stdin <<< 'rm -rf x'",
		". <(echo rm -rf x)",
		"bash <(echo rm -rf x)",
		"tmux new-session -d 'rm -rf x'",
		"tmux send-keys -t 1 'rm -rf x' Enter",
		"screen -dmS job rm -rf x",
		"adb shell rm -rf x",
		"git rebase -x 'rm -rf x' main",
		"git bisect run rm -rf x",
		"git submodule foreach --recursive 'rm -rf x'",
		"git filter-branch --tree-filter 'rm -rf x' HEAD",
		"git -c alias.z='!rm -rf x' z",
		"git -c core.pager='rm -rf x' log",
		"git config alias.z '!rm -rf x'; git z",
		"spar mount -- rm -rf x",
		"spar launch --range 5 -- rm -rf x",
		"spar groundtruth verify --probe 'rm -rf x'",
		"spar melee enter --state-cmd 'rm -rf x' --exit-cmd true",
		"spar melee enter --action a -- rm -rf x",
		"python3 -c 'import os; os.system(\"rm -rf x\")'",
		"python3 - <<E\nimport subprocess\nsubprocess.run(['rm', '-rf', 'x'])\nE",
		"node -e 'require(\"child_process\").execSync(\"rm -rf x\")'",
		"awk 'BEGIN { system(\"rm -rf x\") }'",
		"psql shop -c '\\! rm -rf x'",
		"sudo env A=1 nice -n 5 timeout 3 rm -rf x",
		"printf 'rm -rf x' > s.sh && bash s.sh",
		"printf '#!/bin/sh\nrm -rf x\n' > s.sh; chmod +x s.sh; ./s.sh",
		"cat > s.sh <<'E'\nrm -rf x\nE\n. ./s.sh",
		"tee s.sh <<< 'rm -rf x' >/dev/null; sh s.sh",
		"echo 'rm -rf x' > a.sh; cp a.sh b.sh; sh b.sh",
	} {
		r := Read(line, Options{Dir: "/work/site", Env: map[string]string{"HOME": "/home/dev"}})
		ok := slices.ContainsFunc(r.Acts, func(a Act) bool {
			return a.Name() == "rm" && len(a.Argv) >= 3 && a.Argv[1].Is("-rf") && a.Argv[2].Is("x")
		})
		if !ok {
			t.Errorf("%s\nrm -rf x is not among the acts:\n%s", line, r)
		}
	}
}

// Every database client hands its statements over.
func TestClientsTable(t *testing.T) {
	if !slices.IsSortedFunc(clients[:], func(a, b client) int { return strings.Compare(a.name, b.name) }) {
		t.Error("the table is not sorted by name")
	}
	for _, c := range clients {
		r := Read(c.example, Options{Dir: "/work/site"})
		i := slices.IndexFunc(r.Acts, func(a Act) bool { return a.Kind == SQL })
		if i < 1 || strings.TrimSpace(r.Acts[i].Text) != "DELETE FROM t" || r.Acts[i-1].Name() != c.name {
			t.Errorf("%s: %q gives\n%s", c.name, c.example, r)
		}
	}
}

// What looks like a wrapper's command and is none.
func TestWrappersNearMisses(t *testing.T) {
	for _, line := range []string{
		"command -v rm",
		"echo sudo rm -rf x",
		"bash -n <<< 'rm -rf x'",
		"bash -n -c 'rm -rf x'",
		"git log --grep 'rm -rf x'",
		"git commit -m 'sudo rm -rf x'",
		"xargs grep 'rm -rf x'",
		"find . -name 'rm -rf x'",
		"ssh -o ProxyCommand='rm -rf x' web-01 -N -L 1:2:3 uptime",
		"docker exec web echo rm -rf x",
		"cat <<< 'rm -rf x' | wc -l",
		"f() { rm -rf x; }",
		"alias z='rm -rf x'",
		"trap 'rm -rf x' EXIT; trap - EXIT",
		"exit 0; rm -rf x",
		"exec true; rm -rf x",
		"python3 -c 'print(\"rm -rf x\")'",
		"sudo -l rm",
		"timeout --help",
		"man rm",
	} {
		r := Read(line, Options{Dir: "/work/site"})
		for _, a := range r.Acts {
			if a.Name() == "rm" && len(a.Argv) > 1 {
				t.Errorf("%s\nruns no rm, but:\n%s", line, r)
				break
			}
		}
	}
}
