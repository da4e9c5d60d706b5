package redline

import (
	"slices"
	"strings"
	"testing"

	"spar/sortie/harness"
)

// TestReports are what users of such tools reported, each under its id.
func TestReports(t *testing.T) {
	t.Parallel()
	const i, o, d, p = Irreversible, Outward, Dependency, Production
	home := map[string]string{"HOME": "/home/u", "TMPDIR": "/tmp"}
	tests := []struct {
		id, line string
		want     string // kinds in message order, between blanks
		prod     string
		cwd      string
		free     []string
		detail   string // what a reason has to say
	}{
		{id: "R031", line: "npm install x", want: d},
		{id: "R031", line: "git push --force", want: i + " " + o},
		{id: "R033", line: `grep -rn "rm -rf" docs && git commit -m "stop using rm -rf"`},
		{id: "R034", line: "true <<'EOF'\ngit worktrees and sessions restore only some agents\nEOF"},
		{id: "R035", line: "cat > n.md <<EOF\ngit reset --hard\nEOF"},
		{id: "R035", line: "bash <<EOF\ngit reset --hard\nEOF", want: i},
		{id: "R036", line: "S=/tmp/s && cat > $S/d.md <<'EOF'\n`x`\nEOF\nprintf '%s' \"$(cat $S/d.md)\" | wc -c"},
		{id: "R038", line: "python3 - <<'EOF'\n# see ~/.app/<i>/store/ and `x`\nEOF", prod: "/store/"},
		{id: "R039", line: `python3 -c "open('/tmp/r.md','w').write('never run mkfs /dev/sda or npm publish')"`},
		{id: "R040", line: "cat <<EOF > /etc/passwd\nx\nEOF", prod: "/etc/", want: p},
		{id: "R040", line: "cat <<EOF; rm -rf ~\nhi\nEOF", want: i},
		{id: "R041", line: "command -v foo"},
		{id: "R043", line: "ssh host 'ls *.py 2>/dev/null | head; git log -1 2>/dev/null'"},
		{id: "R046", line: "find /tmp/x -mmin +120 -type f -delete"},
		{id: "R046", line: "find /tmp/x -mmin +120 -type f -exec rm -f {} +"},
		{id: "R046", line: "find ~/data -mmin +120 -type f -delete", want: i},
		{id: "R046", line: "find ~/data -mmin +120 -type f -exec rm -f {} +", want: i},
		{id: "R046", line: "find /tmp/x -type f -print0 | xargs -0 rm -f"},
		{id: "R047", line: `W="$TMPDIR/w"; rm -rf "$W/out"`},
		{id: "R047", line: `rm -rf "$W/out"`, want: i, detail: "W is not set"},
		{id: "R048", line: "git checkout -- src/a.go", cwd: "/home/u/.worktrees/x", want: i},
		{id: "R048", line: "git checkout -- src/a.go", cwd: "/home/u/.worktrees/x", free: []string{".worktrees/"}},
		{id: "R049", line: "rm -f /tmp/my-scratch/note.txt"},
		{id: "R050", line: "dd if=/dev/zero of=/dev/null bs=1M count=1 2>/dev/stderr"},
		{id: "R053", line: "mkfs.ext4 -L df /dev/sdb1", want: i},
		{id: "R054", line: `sudo -u root env A=1 python3 -c "open('/etc/app.conf','w').write('x')"`, prod: "/etc/", want: p},
		{id: "R055", line: "timeout 60 nice -n 5 rm -rf /srv/data", want: i},
		{id: "R057", line: "rm -rf ~", want: i},
		{id: "R057", line: "rm -rf $HOME", want: i},
		{id: "R057", line: `rm -rf "${HOME}"/`, want: i},
		{id: "R057", line: "rm -rf ${HOME:?}/docs", want: i},
		{id: "R059", line: "if true; then { rm -rf /srv/x; }; fi", want: i},
		{id: "R059", line: "f() { rm -rf /srv/y; }; f", want: i},
		{id: "R060", line: "printf 'rm -rf /srv/data' > x.sh && bash x.sh", want: i},
		{id: "R062", line: "find ~/data -name '*.csv' -delete", want: i},
		{id: "R063", line: "echo ok;git push;ls", want: o},
		{id: "R063", line: "echo ok&git push", want: o},
		{id: "R063", line: "echo ok\ngit push", want: o},
		{id: "R066", line: "find . -name '*.html' -fprint /var/www/site/list.txt", prod: "/var/www/", want: p},
		{id: "R067", line: "ssh host 'sudo rm -rf /some/path'", want: i},
		{id: "R067", line: "ssh host -- dropdb app", want: i},
		{id: "R102", line: `rm -rf "$HOME"`, want: i},
		{id: "R103", line: "rm -rf / 2>/dev/null || true", want: i},
		{id: "R105", line: "rm -rf proj && gh repo clone o/proj", want: i},
		{id: "R109", line: "rm -rf ./data", cwd: "/home/u/work", want: i, detail: "./data (relative, here /home/u/work/data)"},
		{id: "R111", line: "git stash pop"},
		{id: "R111", line: "git stash drop", want: i},
		{id: "R111", line: "git reset --hard HEAD", want: i},
		{id: "R112", line: "git fetch && git reset --hard origin/main", want: i},
		{id: "R113", line: "git checkout -- src/", want: i},
		{id: "R113", line: "git restore .", want: i},
		{id: "R113", line: "git clean -fd", want: i},
		{id: "R113", line: "git restore --staged ."},
		{id: "R114", line: "find .worktrees -maxdepth 1 -type d -exec rm -rf {} +", want: i},
		{id: "R115", line: "npx prisma db push --force-reset", want: i},
		{id: "R115", line: "npx prisma migrate reset --force", want: i},
		{id: "R115", line: "prisma db push --accept-data-loss", want: i},
		{id: "R115", line: "prisma migrate status"},
		{id: "R116", line: "docker compose down -v", want: i},
		{id: "R116", line: "docker system prune -af --volumes", want: i},
		{id: "R116", line: "docker volume rm app_db", want: i},
		{id: "R116", line: "podman volume prune -f", want: i},
		{id: "R116", line: "docker compose down"},
		{id: "R117", line: `curl -X POST https://host/graphql/v2 -d '{"query":"mutation { volumeDelete(volumeId: \"x\") }"}'`, want: i + " " + o},
		{id: "R120", line: `psql -h db.prod -c "UPDATE users SET pw='x' WHERE id=4"`, prod: "db.prod", want: i + " " + p},
		{id: "R120", line: `curl https://x/functions/send-mail -d '{"to":9}'`, want: o},
		{id: "R122", line: "gh gist create notes.md", want: o},
		{id: "R124", line: "git push origin branch-7", want: o},
		{id: "R139", line: "npm install l0dash", want: d, detail: "l0dash"},
		{id: "R139", line: "npm ci"},
		{id: "R139", line: "pip install -r requirements.txt"},
		{id: "R139", line: "go get x@latest", want: d, detail: "x@latest"},
		{id: "R140", line: "npx -y some-tool@latest", want: d, detail: "some-tool@latest"},
		{id: "R140", line: "npx some-tool"},
	}
	for _, tt := range tests {
		t.Run(tt.id+" "+tt.line, func(t *testing.T) {
			t.Parallel()
			r := Rules{Free: tt.free}
			if tt.prod != "" {
				r.Production = []string{tt.prod}
			}
			cwd := tt.cwd
			if cwd == "" {
				cwd = "/home/u"
			}
			got := Price(&harness.Call{Kind: harness.Shell, Command: tt.line, Cwd: cwd}, Options{Env: home, Rules: r})
			if k := strings.Join(got.Kinds, " "); k != tt.want {
				t.Errorf("kinds %q, want %q\n%s%s", k, tt.want, got.dump(), reading(got))
			}
			if tt.detail != "" && !strings.Contains(got.Note(cwd), tt.detail) {
				t.Errorf("the note %q does not say %q", got.Note(cwd), tt.detail)
			}
		})
	}
}

// TestReportsOfOtherShells are R091 and R108.
func TestReportsOfOtherShells(t *testing.T) {
	t.Parallel()
	for id, line := range map[string]string{
		"R091": "Remove-Item C:/Users/u -Recurse -Force",
		"R108": `cmd.exe /d /c "rd /s /q \"\\?\$resolved\""`,
	} {
		p := Price(&harness.Call{Kind: harness.Shell, Tool: "PowerShell", Dialect: "powershell", Command: line, Cwd: "C:/Users/u"}, Options{})
		if !slices.Equal(p.Kinds, []string{Irreversible}) {
			t.Errorf("%s: kinds %q\n%s%s", id, p.Kinds, p.dump(), reading(p))
		}
		if id == "R108" && !strings.Contains(strings.ToLower(p.Note("")), "resolved") {
			t.Errorf("R108: the unresolved variable is not named: %q", p.Note(""))
		}
	}
}

// TestLaws are what has to hold for every command, over the corpus.
func TestLaws(t *testing.T) {
	t.Parallel()
	price := func(c labelled, line string) []string {
		return Price(&harness.Call{Kind: harness.Shell, Command: line, Cwd: c.Cwd}, Options{Env: c.Env, Rules: Rules{Production: c.Production}}).kinds()
	}
	var lines []labelled
	for _, name := range []string{"redline.jsonl", "own.jsonl"} {
		for k, c := range corpus(t, name) {
			if name == "own.jsonl" && k%5 != 0 {
				continue // a sample of ours keeps this to a second
			}
			// What a wrapper or a comment is put around has to be one line of a Bourne
			// shell; a Windows line is not.
			if c.Tool == "Bash" && !slices.Contains(c.Tags, "windows") && failing[c.ID] == "" {
				lines = append(lines, c)
			}
		}
	}
	command := func(c labelled) string { return c.call(t).Command }
	single := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

	t.Run("quoting or commenting a command makes it free", func(t *testing.T) {
		for _, c := range lines {
			line := command(c)
			for _, quoted := range []string{"echo " + single(line), "git commit -m " + single(line), "grep -rn " + single(line) + " .", "# " + strings.ReplaceAll(line, "\n", "\n# ")} {
				c := c
				c.Production = nil
				if got := price(c, quoted); len(got) > 0 {
					t.Errorf("%s: %q costs %q", c.ID, quoted, got)
				}
			}
		}
	})
	t.Run("a wrapper keeps the kinds", func(t *testing.T) {
		for _, c := range lines {
			line := command(c)
			if strings.ContainsAny(line, "\n") && strings.Contains(line, "<<") || !slices.Equal(price(c, line), sorted(c.Want)) {
				continue
			}
			if strings.Contains(line, "exec ") || strings.Contains(line, "return") {
				continue
			}
			for _, wrap := range []string{"bash -c ", "sudo sh -c ", "timeout 5 bash -c ", "env A=1 bash -c ", "nohup bash -c ", "eval "} {
				// A child knows exported variables only, so lines that set some are left to eval.
				if wrap != "eval " && strings.ContainsAny(line, "=$") {
					continue
				}
				if got := price(c, wrap+single(line)); !slices.Equal(got, sorted(c.Want)) {
					t.Errorf("%s: %q costs %q, want %q", c.ID, wrap+single(line), got, c.Want)
				}
			}
		}
	})
	t.Run("a reader in front or behind keeps the kinds", func(t *testing.T) {
		for _, c := range lines {
			line := command(c)
			if strings.Contains(line, "<<") || strings.Contains(line, "#") || strings.HasSuffix(line, "&") {
				continue
			}
			for _, s := range []string{"ls -la\n" + line, "cat a.txt | head -3; " + line, line + "\nls", "{ " + line + "\n} 2>&1 | cat"} {
				if got := price(c, s); !slices.Equal(got, sorted(c.Want)) {
					t.Errorf("%s: %q costs %q, want %q", c.ID, s, got, c.Want)
				}
			}
		}
	})
	t.Run("two commands cost the union, however they are parted", func(t *testing.T) {
		for k := 1; k < len(lines); k++ {
			a, b := lines[k-1], lines[k]
			la, lb := command(a), command(b)
			if strings.ContainsAny(la+lb, "#\n$=") || strings.HasPrefix(la, "cd ") || strings.Contains(la, "cd ") || strings.Contains(la, "pushd") || a.Cwd != b.Cwd || strings.HasSuffix(la, "&") ||
				strings.Contains(la, "exec ") || strings.Contains(la, "alias") || strings.Contains(la, "shopt") || strings.Contains(la, "trap") || strings.Contains(la, "()") || strings.Contains(lb, "()") || strings.Contains(la, "set ") {
				continue
			}
			c := a
			c.Production = union(slices.Clone(a.Production), b.Production)
			ka, kb := price(c, la), price(c, lb)
			want := sorted(ka)
			for _, x := range kb {
				if !slices.Contains(want, x) {
					want = append(want, x)
				}
			}
			slices.Sort(want)
			for _, sep := range []string{"; ", " && ", "\n", " || "} {
				if sep == " || " && strings.Contains(lb, "cd ") {
					continue // it may not happen, so what follows may run here too
				}
				if got := price(c, la+sep+lb); !slices.Equal(got, want) {
					t.Errorf("%s+%s: %q costs %q, want %q", a.ID, b.ID, la+sep+lb, got, want)
				}
			}
		}
	})
}
