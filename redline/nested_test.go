package redline

import (
	"strings"
	"testing"
)

func TestNested(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`less '+!npm publish' README.md`:                                      Outward,
		`git grep --open-files-in-pager='npm publish' version`:                Outward,
		`git grep -O 'rm -rf src' version`:                                    Irreversible,
		`git fetch --upload-pack='sh -c "rm -rf src"' ./vendor/repo`:          Irreversible,
		`git ls-remote --upload-pack 'git push -f' ./r`:                       Irreversible + " " + Outward,
		`tar cf a.tar --checkpoint=1 --checkpoint-action=exec='rm -rf src' a`: Irreversible,
		`tar xf a.tar --to-command='rm -rf src'`:                              Irreversible,
		`rsync -e 'sh -c "rm -rf src"' a b`:                                   Irreversible,
		`vim -es -c ':!rm -rf src' -c ':q' a`:                                 Irreversible,
		`ssh -o ProxyCommand='rm -rf src' web-01`:                             Irreversible,
		`GIT_SSH_COMMAND='rm -rf src' git fetch`:                              Irreversible,
		`PAGER='npm publish' git log`:                                         Outward,
		`GIT_SSH_COMMAND='ssh -i ~/.ssh/ci' git fetch`:                        "",
		`GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~2`:                          "",
		`rsync -az -e 'ssh -p 22' web-01:/a/ ./a/`:                            "",
		`ssh -o StrictHostKeyChecking=no web-01 uptime`:                       "",
		`less -p 'rm -rf' README.md`:                                          "",
		`vim -c ':%s/rm -rf/x/' a`:                                            "",
		`git clone -u x ./r`:                                                  "",
	} {
		if got := strings.Join(priceLine(line).Kinds, " "); got != want {
			t.Errorf("%s costs %q, want %q\n%s", line, got, want, priceLine(line).dump())
		}
	}
}
