package redline

import "strings"

// forgeTable: what is written to a forge for others to see.
var forgeTable = []Program{
	{Name: "gh", Value: "-R --repo --hostname", Rows: []Row{
		{Path: "pr create|merge|close|comment|review|edit|ready|reopen|lock|unlock|update-branch|revert", Value: ghText, Not: "--dry-run", kinds: outw, Why: "writes to a pull request",
			Charged: `gh pr create --fill --base main`, Free: `gh pr list --state open`},
		{Path: "issue create|close|comment|edit|delete|reopen|transfer|lock|unlock|pin|unpin|develop", Value: ghText, kinds: outw, Why: "writes to an issue",
			Charged: `gh issue comment 77 --body 'Reproduced'`, Free: `gh issue list --search "rm -rf in:title"`},
		{Path: "issue delete", Value: ghText, kinds: irr, Why: "deletes an issue with its discussion",
			Charged: `gh issue delete 77 --yes`, Free: `gh issue close 77`},
		{Path: "release create|upload|edit|delete|delete-asset", Value: ghText, kinds: outw, Why: "changes a release",
			Charged: `gh release create v1.4.0 dist/app.tgz`, Free: `gh release view v1.4.0`},
		{Path: "release delete|delete-asset", Value: ghText, kinds: irr, Why: "deletes a release",
			Charged: `gh release delete v1.4.0 --yes`, Free: `gh release download v1.4.0`},
		{Path: "repo create|delete|edit|rename|archive|unarchive|fork|deploy-key|autolink", Value: ghText, kinds: outw, Why: "changes a repository at the forge",
			Charged: `gh repo create example/shop --private`, Free: `gh repo clone example/shop`},
		{Path: "repo delete", kinds: irr, Why: "deletes a repository",
			Charged: `gh repo delete example/shop --yes`, Free: `gh repo view example/shop`},
		{Path: "gist create|edit|delete|rename", Value: "-d --desc -f --filename -a --add", kinds: outw, Why: "publishes a gist",
			Charged: `gh gist create notes.md`, Free: `gh gist list`},
		{Path: "gist delete", kinds: irr, Why: "deletes a gist", Charged: `gh gist delete 5b0e`, Free: `gh gist view 5b0e`},
		{Path: "workflow run|enable|disable", Value: "-f --raw-field -F --field -r --ref", kinds: outw, Why: "starts or switches a workflow",
			Charged: `gh workflow run deploy.yml`, Free: `gh workflow list`},
		{Path: "run rerun|cancel|delete", kinds: outw, Why: "changes a workflow run", Charged: `gh run rerun 91`, Free: `gh run view 91 --log`},
		{Path: "secret|variable set|delete|remove", Value: "-b --body -e --env -f --env-file", kinds: outw, Why: "changes secrets or variables at the forge",
			Charged: `gh secret set TOKEN --body x`, Free: `gh secret list`},
		{Path: "label|project|ruleset create|edit|delete|clone|close|copy|item-add|item-edit|item-create|item-delete|item-archive|field-create|field-delete|link|unlink|mark-template", Value: ghText, kinds: outw, Why: "writes to the forge",
			Charged: `gh label create bug`, Free: `gh label list`},
		{Path: "ssh-key|gpg-key add|delete", kinds: outw, Why: "changes the account's keys", Charged: `gh ssh-key add id.pub`, Free: `gh ssh-key list`},
		{Path: "codespace|cs create|delete|stop|rebuild", kinds: outw, Why: "changes a codespace", Charged: `gh codespace create`, Free: `gh codespace list`},
		{Path: "cache delete", kinds: outw, Why: "deletes caches at the forge", Charged: `gh cache delete --all`, Free: `gh cache list`},
		{Path: "api", Value: ghAPIValues, When: func(l *line) bool { return !safeMethod(ghMethod(l)) }, kinds: outw, Why: "a request that writes",
			Charged: `gh api repos/example/shop/issues/77/comments -f body=Fixed`, Free: `gh api repos/example/shop/pulls --jq '.[].number'`},
		{Path: "api", Value: ghAPIValues, When: func(l *line) bool {
			if strings.EqualFold(ghMethod(l), "delete") {
				return true
			}
			lost := false
			l.each("-f --raw-field -F --field", func(a arg) { lost = lost || deletingMutation(a.text) })
			return lost
		}, kinds: irr, Why: "a request that deletes",
			Charged: `gh api -X DELETE repos/example/shop/git/refs/heads/old`, Free: `gh api graphql -f query='query { viewer { login } }'`},
		{Path: "extension install", Target: some, kinds: dep, Why: "installs code that runs here",
			Charged: `gh extension install example/gh-tally`, Free: `gh extension list`},
	}},
	{Name: "glab", Value: "-R --repo", Rows: []Row{
		{Path: "mr create|merge|close|note|approve|revoke|update|reopen|rebase|delete|todo|for", Value: ghText, kinds: outw, Why: "writes to a merge request",
			Charged: `glab mr create --fill`, Free: `glab mr list`},
		{Path: "issue create|close|note|update|delete|reopen|board", Value: ghText, kinds: outw, Why: "writes to an issue",
			Charged: `glab issue note 7 -m done`, Free: `glab issue view 7`},
		{Path: "release create|upload|delete", Value: ghText, kinds: outw, Why: "changes a release",
			Charged: `glab release create v1.4.0`, Free: `glab release list`},
		{Path: "repo|project create|delete|archive|fork|transfer|mirror|update", kinds: outw, Why: "changes a project at the forge",
			Charged: `glab repo create shop`, Free: `glab repo clone example/shop`},
		{Path: "repo|release|mr|issue delete", kinds: irr, Why: "deletes at the forge", Charged: `glab repo delete example/shop`, Free: `glab repo view`},
		{Path: "ci|pipeline run|trigger|retry|cancel|delete|create", kinds: outw, Why: "starts or changes a pipeline", Charged: `glab ci run`, Free: `glab ci status`},
		{Path: "variable|label|snippet|schedule|ssh-key|deploy-key|token create|set|delete|update|add|run|rotate|revoke", kinds: outw, Why: "writes to the forge",
			Charged: `glab variable set KEY value`, Free: `glab variable list`},
		{Path: "api", Value: ghAPIValues, When: func(l *line) bool { return !safeMethod(ghMethod(l)) }, kinds: outw, Why: "a request that writes",
			Charged: `glab api projects/1/issues -f title=x`, Free: `glab api projects/1/issues`},
		{Path: "api", Value: ghAPIValues, When: func(l *line) bool { return strings.EqualFold(ghMethod(l), "delete") }, kinds: irr, Why: "a request that deletes",
			Charged: `glab api -X DELETE projects/1`, Free: `glab api projects/1`},
	}},
	{Name: "tea", Value: "-r --repo -l --login -R --remote", Rows: []Row{
		{Path: "pulls|pull|pr create|close|reopen|merge|approve|reject|review|clean", kinds: outw, Why: "writes to a pull request", Charged: `tea pr create --title fix`, Free: `tea pr list`},
		{Path: "issues|issue create|edit|close|reopen", kinds: outw, Why: "writes to an issue", Charged: `tea issues create --title bug`, Free: `tea issues list`},
		{Path: "comment", kinds: outw, Why: "comments", Charged: `tea comment 7 done`, Free: `tea notifications`},
		{Path: "releases|release create|edit|delete|assets", kinds: outw, Why: "changes a release", Charged: `tea releases create v1`, Free: `tea releases list`},
		{Path: "repos|repo create|fork|delete|create-from-template|migrate", kinds: outw, Why: "changes a repository", Charged: `tea repos create --name x`, Free: `tea repos list`},
		{Path: "repos|repo delete", kinds: irr, Why: "deletes a repository", Charged: `tea repos delete --name x`, Free: `tea repos list`},
	}},
	{Name: "bb", Rows: []Row{
		{Path: "pr create|merge|comment|decline|approve", kinds: outw, Why: "writes to a pull request", Charged: `bb pr create`, Free: `bb pr list`},
	}},
	{Name: "jira", Also: []string{"linear"}, Rows: []Row{
		{Path: "issue|epic|sprint create|edit|move|assign|comment|delete|link|unlink|clone|add|close|update|worklog", kinds: outw, Why: "writes to the tracker", Charged: `jira issue create -tBug -sx`, Free: `jira issue list`},
	}},
}

const (
	ghText = "-b --body -F --body-file -t --title -n --notes --notes-file --notes-start-tag -B --base -H --head -l --label -a --assignee " +
		"-r --reviewer -m --milestone -p --project -T --template --target --discussion-category -d --description --subject -c --comment --reason " +
		"--match-head-commit -A --author-email --recover --message --source-branch --target-branch"
	ghAPIValues = "-X --method -f --raw-field -F --field -H --header -q --jq -t --template --input -p --preview --cache"
)

// ghMethod is the method of `gh api` and `glab api`: with fields and none stated,
// a POST.
func ghMethod(l *line) string {
	if v, ok := l.value("-X --method"); ok {
		return v.text
	}
	if _, ok := l.value("-f --raw-field -F --field --input"); ok {
		return "POST"
	}
	return "GET"
}

func safeMethod(m string) bool {
	switch strings.ToUpper(m) {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}
