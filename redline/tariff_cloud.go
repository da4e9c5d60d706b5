package redline

import "strings"

// cloudTable: object stores, cloud command lines and hosting platforms.
var cloudTable = []Program{
	{Name: "aws", Value: awsValues, Rows: []Row{
		{Path: "s3 cp|sync|mv", Not: "--dryrun", When: func(l *line) bool { return !awsLocal(l) && isStore(l.op(1)) }, kinds: outw, Why: "copies into an object store",
			Charged: `aws s3 cp dist/app.js s3://shop-cdn/app.js`, Free: `aws s3 cp s3://shop-cdn/app.js ./app.remote.js`},
		{Path: "s3 sync", With: "--delete", Not: "--dryrun", When: func(l *line) bool { return !awsLocal(l) && (isStore(l.op(1)) || len(l.ops) > 1 && l.loses(l.ops[1:2])) }, kinds: irr, Why: "removes at the destination what the source doesn't have",
			Charged: `aws s3 sync dist s3://shop-cdn --delete`, Free: `aws s3 sync dist s3://shop-cdn --delete --dryrun`},
		{Path: "s3 mv", Not: "--dryrun", When: func(l *line) bool { return !awsLocal(l) && isStore(l.op(0)) }, kinds: irr, Why: "removes the objects it moves",
			Charged: `aws s3 mv s3://shop-artifacts/a ./a`, Free: `aws s3 cp s3://shop-artifacts/a ./a`},
		{Path: "s3 rm|rb", Not: "--dryrun", When: notAwsLocal, kinds: irr, Why: "removes objects",
			Charged: `aws s3 rm s3://shop-artifacts/nightly/ --recursive`, Free: `aws s3 ls s3://shop-artifacts/`},
		{Path: "s3 mb|website", When: notAwsLocal, kinds: outw, Why: "changes the cloud", Charged: `aws s3 mb s3://shop-new`, Free: `aws s3 presign s3://shop-cdn/app.js`},
		{Not: "--dry-run --generate-cli-skeleton", When: func(l *line) bool { return !awsLocal(l) && awsOp(l) == opDestroy }, kinds: irr, Why: "deletes in the cloud",
			Charged: `aws ec2 terminate-instances --instance-ids i-1`, Free: `aws ec2 describe-instances`},
		{Not: "--dry-run --generate-cli-skeleton", When: func(l *line) bool { return !awsLocal(l) && awsOp(l) == opChange }, kinds: outw, Why: "changes the cloud",
			Charged: `aws lambda update-function-code --function-name f --zip-file fileb://f.zip`, Free: `aws lambda list-functions`},
	}},
	{Name: "gcloud", Value: "--project --zone --region --account --configuration --format --filter --impersonate-service-account --verbosity --sort-by --limit --location --cluster --flags-file", Rows: []Row{
		{Path: "storage cp|rsync|mv", Not: "--dry-run", When: func(l *line) bool { return isStore(l.op(len(l.ops) - 1)) }, kinds: outw, Why: "copies into an object store",
			Charged: `gcloud storage cp app.js gs://shop-cdn/`, Free: `gcloud storage cp gs://shop-cdn/app.js .`},
		{Path: "storage mv", When: func(l *line) bool { return isStore(l.op(0)) }, kinds: irr, Why: "removes the objects it moves",
			Charged: `gcloud storage mv gs://shop/a ./a`, Free: `gcloud storage cp gs://shop/a ./a`},
		{When: func(l *line) bool { return gcloudOp(l) == opDestroy }, Not: "--dry-run --validate-only", kinds: irr, Why: "deletes in the cloud",
			Charged: `gcloud compute instances delete web-01`, Free: `gcloud compute instances list`},
		{When: func(l *line) bool { return gcloudOp(l) == opChange }, Not: "--dry-run --validate-only", kinds: outw, Why: "changes the cloud",
			Charged: `gcloud run deploy shop --image img`, Free: `gcloud config set project shop`},
	}},
	{Name: "gsutil", Also: []string{"s3cmd", "s5cmd", "b2", "mc", "ossutil", "coscmd"}, Value: "-o -h -u -t -c --config --access_key --secret_key --endpoint-url --profile", Rows: []Row{
		{Path: "cp|rsync|mv|put|sync|mirror|pipe|upload|upload-file", Not: "--dry-run --dryrun --fake", When: func(l *line) bool {
			last := l.op(len(l.ops) - 1)
			return isStore(last) || l.name == "mc" && strings.Contains(last, "/") && !strings.HasPrefix(last, ".") && !strings.HasPrefix(last, "/") || l.name == "b2"
		}, kinds: outw, Why: "copies into an object store", Charged: `gsutil cp app.js gs://shop-cdn/`, Free: `gsutil cp gs://shop-cdn/app.js .`},
		{Path: "rm|rb|del|delete|purge|delete-file-version|delete-bucket", Not: "--dry-run --dryrun", kinds: irr, Why: "removes objects",
			Charged: `gsutil -m rm -r gs://shop-artifacts/nightly`, Free: `gsutil ls gs://shop-artifacts`},
		{Path: "rsync|sync|mirror", With: "-d --delete --delete-removed --remove", Not: "-n --dry-run --dryrun", kinds: irr, Why: "removes at the destination what the source doesn't have",
			Charged: `gsutil rsync -d dist gs://shop-cdn`, Free: `gsutil rsync -n -d dist gs://shop-cdn`},
	}},
	{Name: "rclone", Value: "--config --transfers --checkers --bwlimit --include --exclude --filter --max-age --min-age", Rows: []Row{
		{Path: "copy|sync|move|copyto|moveto|bisync|rcat|copyurl|mkdir|touch", Not: "-n --dry-run -i --interactive", When: func(l *line) bool {
			return l.remote(l.op(len(l.ops)-1)) || strings.HasPrefix(l.op(len(l.ops)-1), ":")
		}, kinds: outw, Why: "copies to a remote store",
			Charged: `rclone copy dist cdn:shop`, Free: `rclone copy cdn:shop ./mirror`},
		{Path: "sync", Not: "-n --dry-run -i --interactive", When: func(l *line) bool {
			return len(l.ops) > 1 && (l.remote(l.ops[1].text) || l.loses(l.ops[1:2]))
		}, kinds: irr, Why: "removes at the destination what the source doesn't have",
			Charged: `rclone sync dist cdn:shop`, Free: `rclone sync --dry-run dist cdn:shop`},
		{Path: "delete|deletefile|purge|rmdir|rmdirs|cleanup|dedupe|move|moveto", Not: "-n --dry-run -i --interactive", When: func(l *line) bool { return l.remote(l.op(0)) }, kinds: irr, Why: "removes remote files",
			Charged: `rclone purge cdn:shop/old`, Free: `rclone ls cdn:shop`},
	}},
	{Name: "azcopy", Rows: []Row{
		{Path: "copy|cp|sync", Not: "--dry-run", When: func(l *line) bool { return strings.Contains(l.op(1), "://") }, kinds: outw, Why: "copies into an object store", Charged: `azcopy copy app.js https://shop.example.test/cdn`, Free: `azcopy list https://shop.example.test/cdn`},
		{Path: "remove|rm", Not: "--dry-run", kinds: irr, Why: "removes objects", Charged: `azcopy remove https://shop.example.test/cdn/a`, Free: `azcopy list https://shop.example.test/cdn`},
	}},
	{Name: "az", Value: "-g --resource-group -n --name --subscription -o --output --query -l --location", Rows: []Row{
		{When: func(l *line) bool { return cloudOp(l) == opDestroy }, kinds: irr, Why: "deletes in the cloud", Charged: `az group delete -n shop --yes`, Free: `az group list`},
		{When: func(l *line) bool { return cloudOp(l) == opChange || l.op(0) == "acr" && l.op(1) == "build" }, kinds: outw, Why: "changes the cloud, or a pull request there", Charged: `az repos pr create --title fix`, Free: `az repos pr list`},
	}},
	{Name: "doctl", Also: []string{"hcloud", "linode-cli", "linode", "scw", "vultr-cli", "oci", "ibmcloud", "exo", "civo", "upctl", "openstack", "aliyun", "tencentcli", "yc", "neonctl", "pscale", "turso", "upstash", "render", "railway", "koyeb", "northflank", "digitalocean"},
		Value: "--context -t --access-token --output -o --format --config -c --profile --region --org --project --project-id --service -s --environment -e", Rows: []Row{
			{When: func(l *line) bool { return cloudOp(l) == opDestroy }, kinds: irr, Why: "deletes in the cloud", Charged: `doctl compute droplet delete web-01 -f`, Free: `doctl compute droplet list`},
			{When: func(l *line) bool { return cloudOp(l) == opChange }, kinds: outw, Why: "changes the cloud", Charged: `doctl apps create --spec app.yaml`, Free: `doctl account get`},
		}},
	{Name: "fly", Also: []string{"flyctl"}, Value: "-a --app -c --config -r --region -o --org -t --access-token", Rows: []Row{
		{When: func(l *line) bool { return cloudOp(l) == opDestroy }, kinds: irr, Why: "destroys in the cloud", Charged: `fly volumes destroy vol_1`, Free: `fly volumes list`},
		{When: func(l *line) bool { return cloudOp(l) == opChange }, Not: "--build-only", kinds: outw, Why: "changes the cloud", Charged: `fly deploy`, Free: `fly status`},
	}},
	{Name: "vercel", Also: []string{"now", "vc"}, Value: "-A --local-config -Q --global-config -t --token -S --scope -T --team --cwd -e --env -b --build-env -m --meta --name -n", Rows: []Row{
		{Not: "--version -v -h", When: func(l *line) bool {
			switch w := l.op(0); w {
			case "", "deploy", "promote", "rollback", "redeploy", "alias", "env", "domains", "dns", "certs", "secrets", "project", "projects":
				if w == "" || either("deploy|promote|rollback|redeploy", w) {
					return true
				}
				return either("set|add|create|import|issue|buy|transfer-in|move|update", l.op(1))
			default:
				// `vercel ./dist` deploys a directory.
				return strings.HasPrefix(w, ".") || strings.HasPrefix(w, "/")
			}
		}, kinds: outw, Why: "deploys", Charged: `vercel --prod`, Free: `vercel env pull .env.local`},
		{Path: "remove|rm", kinds: irr, Why: "removes a deployment", Charged: `vercel remove shop --yes`, Free: `vercel ls`},
		{Path: "env|domains|dns|certs|project|projects|alias|secrets rm|remove", kinds: irr, Why: "removes at the platform", Charged: `vercel project rm shop`, Free: `vercel project ls`},
	}},
	{Name: "netlify", Also: []string{"ntl"}, Value: "--auth --filter -s --site -d --dir -f --functions -m --message --alias", Rows: []Row{
		{Path: "deploy|deploy:trigger|build:deploy", kinds: outw, Why: "deploys", Charged: `netlify deploy --prod`, Free: `netlify status`},
		{Path: "env:set|env:import|env:unset|env:clone|sites:create|blobs:set", kinds: outw, Why: "changes the site", Charged: `netlify env:set KEY value`, Free: `netlify env:list`},
		{Path: "sites:delete|blobs:delete|env:unset", kinds: irr, Why: "deletes at the platform", Charged: `netlify sites:delete 1a2b`, Free: `netlify sites:list`},
	}},
	{Name: "wrangler", Value: "-c --config -e --env --cwd --name --command --file --binding --namespace-id --path --ttl --branch --project-name --commit-message", Rows: []Row{
		{Path: "deploy|publish|rollback|triggers", Not: "--dry-run", kinds: outw, Why: "deploys", Charged: `wrangler deploy`, Free: `wrangler deploy --dry-run`},
		{Path: "pages|versions|workflows deploy|upload|publish|trigger|create", Not: "--dry-run", kinds: outw, Why: "deploys", Charged: `wrangler pages deploy dist`, Free: `wrangler pages dev dist`},
		{Path: "secret|kv|r2|d1|queues|vectorize|hyperdrive put|bulk|create|key|object|namespace|bucket|migrations|insert|update", Not: "--local --preview", When: func(l *line) bool {
			for _, a := range l.ops {
				if either("get|list|info|ls", a.text) {
					return false
				}
			}
			return !l.has("--local")
		}, kinds: outw, Why: "writes at the platform", Charged: `wrangler secret put TOKEN`, Free: `wrangler kv key list --namespace-id 1`},
		{Path: "delete", Not: "--dry-run", kinds: irr, Why: "deletes a worker", Charged: `wrangler delete`, Free: `wrangler tail`},
		{When: func(l *line) bool {
			if len(l.ops) < 2 || !either("kv|r2|d1|queues|pages|secret|kv:key|kv:namespace|r2:object|vectorize|hyperdrive|versions", l.op(0)) || l.has("--local") {
				return false
			}
			for _, a := range l.ops[1:min(4, len(l.ops))] {
				if a.text == "delete" || a.text == "purge" {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "deletes at the platform", Charged: `wrangler d1 delete shop`, Free: `wrangler d1 list`},
		{Path: "d1 execute", When: func(l *line) bool {
			v, ok := l.value("--command")
			return ok && destroysSQL(v.text)
		}, kinds: irr, Why: "SQL that destroys", Charged: `wrangler d1 execute shop --remote --command "DROP TABLE carts"`, Free: `wrangler d1 execute shop --command "SELECT 1"`},
	}},
	{Name: "heroku", Value: "-a --app -r --remote -t --team -s --space", Rows: []Row{
		{When: func(l *line) bool {
			return herokuLost(l.op(0)) || either("apps|pg|addons|keys|domains|releases|pipelines", l.op(0)) && either("destroy|delete|reset|remove|clear", l.op(1))
		}, kinds: irr, Why: "destroys at the platform", Charged: `heroku pg:reset -a shop --confirm shop`, Free: `heroku pg:info -a shop`},
		{When: func(l *line) bool {
			verb := l.op(0)[strings.IndexByte(l.op(0), ':')+1:]
			return strings.Contains(l.op(0), ":") && either("set|unset|create|add|attach|detach|push|promote|copy|upgrade|scale|restart|stop|rollback|rename|transfer|on|off|enable|disable|restore|backups:restore|deploy|kill|resize|type|release|update", verb)
		}, kinds: outw, Why: "changes the platform", Charged: `heroku config:set KEY=x -a shop`, Free: `heroku config:get KEY -a shop`},
	}},
	{Name: "firebase", Value: "-P --project --only --except -m --message --token -c --config", Rows: []Row{
		{Path: "deploy|hosting:clone|hosting:channel:deploy|functions:config:set|functions:secrets:set|database:set|database:push|database:update|appdistribution:distribute|remoteconfig:rollback|auth:import|firestore:databases:create|projects:create|apps:create", Not: "--dry-run", kinds: outw, Why: "changes the platform",
			Charged: `firebase deploy --only hosting`, Free: `firebase emulators:start`},
		{Path: "firestore:delete|database:remove|functions:delete|hosting:disable|hosting:sites:delete|hosting:channel:delete|functions:config:unset|firestore:databases:delete|extensions:uninstall|functions:secrets:destroy|apphosting:backends:delete", kinds: irr, Why: "deletes at the platform",
			Charged: `firebase firestore:delete --all-collections`, Free: `firebase firestore:indexes`},
	}},
	{Name: "supabase", Value: "--project-ref --db-url -p --password --workdir --schema -s --version -t", Rows: []Row{
		{Path: "db reset", kinds: irr, Why: "drops and rebuilds a database", Charged: `supabase db reset`, Free: `supabase db diff`},
		{Path: "db push", Not: "--dry-run --local", kinds: outw, Why: "changes the remote database", Charged: `supabase db push`, Free: `supabase db push --dry-run`},
		{Path: "migration down", kinds: irr, Why: "takes migrations back", Charged: `supabase migration down`, Free: `supabase migration new carts`},
		{Path: "migration repair", kinds: outw, Why: "changes the remote history", Charged: `supabase migration repair --status applied`, Free: `supabase migration list`},
		{Path: "functions|secrets|config|projects|branches|storage|domains|sso|orgs deploy|set|unset|push|create|cp|mv|activate|add|update", Not: "--local", kinds: outw, Why: "changes the platform", Charged: `supabase functions deploy pay`, Free: `supabase functions serve`},
		{Path: "functions|secrets|projects|branches|storage delete|unset|rm|remove", Not: "--local", kinds: irr, Why: "deletes at the platform", Charged: `supabase projects delete abc`, Free: `supabase projects list`},
		{Path: "stop", With: "--no-backup", kinds: irr, Why: "drops the local data", Charged: `supabase stop --no-backup`, Free: `supabase stop`},
	}},
	{Name: "mkdocs", Value: "-f --config-file -m --message -b --remote-branch -r --remote-name -d --site-dir", Rows: []Row{
		{Path: "gh-deploy", kinds: outw, Why: "publishes a site", Charged: `mkdocs gh-deploy --force`, Free: `mkdocs build --strict`},
	}},
	{Name: "ghp-import", Value: "-m --message -r --remote -b --branch -x --prefix -c --cname", Rows: []Row{
		{With: "-p --push", kinds: outw, Why: "publishes a site", Charged: `ghp-import -n -p site`, Free: `ghp-import -n site`},
	}},
	{Name: "surge", Also: []string{"gh-pages", "angular-cli-ghpages"}, Value: "-d --dist -b --branch -r --repo -m --message -p --project --domain", Rows: []Row{
		{Not: "--no-push --dry-run", When: func(l *line) bool { return !either("list|whoami|login|logout|token|plan", l.op(0)) }, kinds: outw, Why: "publishes a site", Charged: `gh-pages -d dist`, Free: `surge list`},
	}},
	{Name: "shopify", Rows: []Row{
		{Path: "theme|app|hydrogen push|publish|deploy|release|share|env", kinds: outw, Why: "changes the shop", Charged: `shopify theme push`, Free: `shopify theme pull`},
		{Path: "theme delete", kinds: irr, Why: "deletes a theme", Charged: `shopify theme delete -t 1`, Free: `shopify theme list`},
	}},
}

const awsValues = "--profile --region --output --query --endpoint-url --color --cli-read-timeout --cli-connect-timeout --ca-bundle --bucket --key --body --function-name " +
	"--stack-name --instance-ids --exclude --include --acl --content-type --cache-control --metadata --sse --storage-class --table-name --queue-url --topic-arn"

// isStore reports whether an operand is in an object store.
func isStore(s string) bool {
	i := strings.Index(s, "://")
	return i > 0 && !strings.HasPrefix(s, "file://")
}

// awsLocal reports whether the endpoint is an emulator on this machine.
func awsLocal(l *line) bool {
	v, ok := l.value("--endpoint-url")
	return ok && v.known && isLoopback(hostOf(v.text))
}

func notAwsLocal(l *line) bool { return !awsLocal(l) }

// op is what a cloud command does.
type cloudVerb uint8

const (
	opRead cloudVerb = iota
	opChange
	opDestroy
)

// awsOp classifies `aws SERVICE OPERATION` by the operation's verb.
func awsOp(l *line) cloudVerb {
	switch l.op(0) {
	case "", "s3", "configure", "help", "sso", "history":
		return opRead
	}
	o := l.op(1)
	verb, _, _ := strings.Cut(o, "-")
	switch {
	case o == "", o == "help", o == "wait", o == "ls", o == "tail", o == "login", o == "get-login", o == "update-kubeconfig", o == "write-get-object-response":
		return opRead
	case strings.HasPrefix(o, "start-query"), strings.HasPrefix(o, "start-live-tail"), strings.HasPrefix(o, "batch-get"), strings.HasPrefix(o, "assume-role"), strings.HasPrefix(o, "transact-get"),
		strings.HasPrefix(o, "decode-"), strings.HasPrefix(o, "receive-"):
		return opRead
	case strings.HasPrefix(o, "batch-delete"), strings.HasPrefix(o, "schedule-key-deletion"), strings.HasPrefix(o, "batch-detect-delete"):
		return opDestroy
	}
	switch verb {
	case "describe", "get", "list", "head", "lookup", "search", "scan", "query", "select", "filter", "test", "validate", "estimate", "preview", "simulate", "view", "generate", "detect", "download", "check", "verify", "compare", "calculate", "discover":
		return opRead
	case "delete", "terminate", "remove", "purge", "deregister", "destroy", "rm", "rb", "empty", "wipe", "abort":
		return opDestroy
	}
	return opChange
}

// cloudOp classifies a cloud command by the first of its words that is a verb.
func cloudOp(l *line) cloudVerb {
	for i, a := range l.ops {
		if i > 5 || !a.known {
			break
		}
		s := a.text
		if k := strings.LastIndexByte(s, ':'); k >= 0 {
			s = s[k+1:]
		}
		if v, ok := cloudWord(s); ok {
			return v
		}
	}
	return opRead
}

// gcloudOp is cloudOp where configuring and signing in is this machine's affair.
func gcloudOp(l *line) cloudVerb {
	switch l.op(0) {
	case "config", "auth", "components", "info", "init", "help", "version", "topic":
		return opRead
	}
	if l.op(0) == "storage" && either("cp|mv|rsync|cat|ls|du|hash", l.op(1)) {
		return opRead
	}
	// The first word is a group, and one of the groups is called run.
	rest := *l
	rest.ops = l.ops[min(1, len(l.ops)):]
	return cloudOp(&rest)
}

func cloudWord(s string) (cloudVerb, bool) {
	verb, _, _ := strings.Cut(s, "-")
	switch verb {
	case "delete", "destroy", "terminate", "purge", "rm", "remove", "drop", "wipe":
		return opDestroy, true
	case "list", "ls", "show", "get", "describe", "view", "info", "status", "logs", "log", "tail", "login", "logout", "whoami", "version", "help", "config", "account", "auth", "wait", "watch", "check", "validate", "search", "find", "explain", "export", "download", "retrieve", "query", "dev", "serve", "open", "connect", "ssh", "proxy", "link", "doctor", "ping", "monitor", "read", "console", "docs", "completion", "wizard", "build", "examples", "interactive", "feedback", "regions", "plan", "preview", "diff":
		return opRead, true
	case "create", "update", "set", "add", "put", "patch", "apply", "deploy", "publish", "upload", "push", "start", "stop", "restart", "reboot", "scale", "resize", "attach", "detach", "enable", "disable", "invoke", "call", "send", "submit", "run", "import", "restore", "rollback", "promote", "redeploy", "up", "down", "launch", "provision", "grant", "revoke", "assign", "edit", "move", "rename", "reset", "rotate", "regenerate", "release", "allocate", "unset", "stage", "execute", "trigger", "cancel", "approve", "complete", "vote", "suspend", "resume", "power", "rebuild", "tag", "untag", "queue", "failover", "swap", "sync", "clone", "fork", "undeploy", "issue", "transfer", "refund", "capture":
		return opChange, true
	}
	return opRead, false
}

func herokuLost(cmd string) bool {
	return either("apps:destroy|destroy|apps:delete|pg:reset|pg:delete|addons:destroy|pipelines:destroy|domains:clear|domains:remove|keys:clear|keys:remove|container:rm|redis:reset|repo:reset|certs:remove", cmd)
}
