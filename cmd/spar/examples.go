package main

import (
	"strings"

	"github.com/urfave/cli/v3"
)

// exemplify puts every command's examples at the end of its help.
func exemplify(c *cli.Command, path string) {
	if lines := examples(path); len(lines) > 0 {
		c.Description = strings.TrimPrefix(c.Description+"\n\nExamples:\n  "+strings.Join(lines, "\n  "), "\n\n")
	}
	for _, sub := range c.Commands {
		exemplify(sub, strings.TrimSpace(path+" "+sub.Name))
	}
}

// examples are command lines as a person would type them, by the words that lead to
// the command; nil for one whose usage already has some. A test reads each the way
// the program does.
func examples(path string) []string {
	switch path {
	case "launch":
		return []string{
			`spar launch`,
			`spar launch --autonomy --reason "nightly upgrade" --budget 200 -- ./agent.sh`,
			`spar launch cruise --land`,
		}
	case "land":
		return []string{`spar land`, `spar land --note "handed over to the morning shift"`}
	case "mode":
		return []string{`spar mode`, `spar mode cruise`}
	case "melee":
		return []string{
			`spar melee --action "publish the reports" --exit "yesterday's copy" --state "12 pages online" --cost 12`,
			`spar melee --action migrate --exit-cmd ./restore-works --state-cmd "wc -l < users.csv" -- ./migrate`,
		}
	case "melee leave":
		return []string{`spar melee leave`}
	case "melee status":
		return []string{`spar melee status`}
	case "fuel":
		return []string{`spar fuel`, `spar fuel --burn 3`}
	case "discard":
		return []string{
			`spar discard "cache in memory" two processes would not see one another`,
			`spar discard --settle "cache in memory"`,
		}
	case "brief":
		return []string{`spar brief`}
	case "log":
		return []string{`spar log 50`, `spar log --sorties --json`}
	case "mount":
		return []string{`spar mount -- go test ./...`, `spar mount --as lint --timeout 5m -- golangci-lint run`}
	case "ledger":
		return []string{`spar ledger --sortie all --severity stop --since 24h`, `spar ledger --source redline --json`, `spar ledger --follow`}
	case "ledger show":
		return []string{`spar ledger show 42`}
	case "ledger export":
		return []string{`spar ledger export night.jsonl`, `spar ledger export --sortie all`}
	case "ledger import":
		return []string{`spar ledger import older.jsonl`}
	case "ledger check":
		return []string{`spar ledger check`}
	case "ledger recover":
		return []string{`spar ledger recover`}
	case "ledger backup":
		return []string{`spar ledger backup before-upgrade.db`}
	case "ledger compact":
		return []string{`spar ledger compact --before 90d`}
	case "explain":
		return []string{
			`spar explain 'rm -rf build && git push origin main'`,
			`spar explain -- kubectl delete ns shop`,
			`spar explain --tool Write site/index.html`,
		}
	case "redline score":
		return []string{`spar redline score`, `spar redline score --json`}
	case "redline tariff":
		return []string{`spar redline tariff`, `spar redline tariff --rows`}
	case "redline explain":
		return []string{`spar redline explain 'git push --force'`}
	case "redline config check":
		return []string{`spar redline config check`}
	case "redline config init":
		return []string{`spar redline config init > .redline.json`}
	case "rehearse":
		return []string{`spar rehearse`, `spar rehearse --unattended session.jsonl`}
	case "hook":
		return []string{`spar hook --harness claude --event PreToolUse < payload.json`}
	case "uninstall":
		return []string{`spar uninstall`, `spar uninstall --user --harness codex --dry-run`}
	case "init":
		return []string{`spar init claude`, `spar init opencode > .opencode/plugins/spar.js`}
	case "completion bash":
		return []string{`spar completion bash > ~/.local/share/bash-completion/completions/spar`}
	case "completion zsh":
		return []string{`spar completion zsh > ~/.zfunc/_spar`}
	case "completion fish":
		return []string{`spar completion fish > ~/.config/fish/completions/spar.fish`}
	case "completion pwsh":
		return []string{`spar completion pwsh >> $PROFILE`}
	case "help":
		return []string{`spar help launch`, `spar help ledger export`}
	case "groundtruth verify":
		return []string{`spar groundtruth verify --probe "ls site | wc -l" --at-least 12`}
	case "groundtruth guard":
		return []string{`spar groundtruth guard contracts.json`}
	case "groundtruth declare":
		return []string{`spar groundtruth declare --action "the page is online" --probe "curl -s http://localhost:8080/health" --contains ok`}
	case "groundtruth pending":
		return []string{`spar groundtruth pending --all`}
	case "groundtruth drop":
		return []string{`spar groundtruth drop 3f2a --reason "the page was given up"`}
	case "carbon list":
		return []string{`spar carbon list --since 2h`}
	case "carbon show":
		return []string{`spar carbon show 7f3a > draft.md`}
	case "carbon diff":
		return []string{`spar carbon diff 7f3a`}
	case "carbon restore":
		return []string{`spar carbon restore 7f3a --to draft-before.md`}
	case "carbon prune":
		return []string{`spar carbon prune --older 90d --apply`}
	}
	return nil
}
