package automode

import "strings"

// row is one command the local tier knows: which words keep it what it is. The
// grammar is a closed world: an option that is not in the row escalates, so a new
// release of a tool can only make the tier more careful.
type row struct {
	name string
	// sub are the words after the program and its global options, alternatives of
	// the last one parted by `|`.
	sub string
	// opts are the options that keep the call what it is, parted by spaces: `-n`
	// alone, `-n:` with a value, `-n?` with a value only when glued to it.
	opts string
	// need: one of these must be there (a dry run is one only by its flag).
	need string
	is   exception
	bits bits
	// max is how many operands may follow, plus one; 0: any number.
	max   int8
	check check
	// good is allowed under is; bad escalates, and is the option, operand or line
	// that turns it. Both are walked by a test.
	good, bad string
}

type bits uint16

const (
	num     bits = 1 << iota // -5 is a count
	plus                     // +5 is an operand
	single                   // long options have one dash, there are no clusters
	loose                    // no option does harm: a word that is not known may be one
	named                    // shows names, counts and modes of its operands, not what is in them
	text                     // operands are no paths
	pattern                  // the first operand is a pattern or a program
	inTree                   // runs what the tree configures: only inside the tree
	deep                     // walks its operands: not from the person's home up
	late                     // options end at the first operand
)

// check is what a row's words must pass beside its grammar.
type check uint8

const (
	noCheck check = iota
	checkAwk
	checkCat
	checkCurl
	checkDate
	checkFind
	checkGrep
	checkJq
	checkLess
	checkLs
	checkPs
	checkPaths // every operand inside the tree
	checkPsql
	checkMysql
	checkRedis
	checkLocalDB
	checkRm
	checkScratch
	checkCopy
	checkSed
	checkSet
	checkTar
	checkTest
	checkTsc
	checkVar
	checkKubeGet
	checkGhAPI
	checkGhJq
	checkDryValue
	checkRsync
	checkGitRemoteName
	checkGitConfig
	checkGitBranch
	checkGitTag
	checkGitPush
	checkGitCommit
	checkGitReflog
	checkBuild
	checkExport
	checkRead
	checkYq
	checkKill
	checkAwsConfigure
	checkDiff
	checkOpenssl
	checkInspect
)

const (
	grepOpts = "-a -b -c -E -F -G -H -h -i -I -L -l -n -o -P -q -R -r -s -T -U -v -w -x -y -Z -z -A: -B: -C: -e: -m: --after-context: --before-context: --context: --basic-regexp --binary --binary-files: --byte-offset --color? --colour? --count --exclude: --exclude-dir: --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --include: --initial-tab --invert-match --line-buffered --line-number --line-regexp --max-count: --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp: --silent --text --with-filename --word-regexp --label:"
	rgOpts   = "-A: -B: -C: -E: -F -H -I -L -M: -N -P -S -T: -U -a -b -c -d: -e: -g: -h -i -j: -l -m: -n -o -p -q -r: -s -t: -u -v -w -x -0 --after-context: --before-context: --context: --files --files-with-matches --files-without-match --fixed-strings --follow --glob: --iglob: --heading --no-heading --hidden --ignore-case --invert-match --json --line-number --no-line-number --line-regexp --max-columns: --max-count: --max-depth: --max-filesize: --multiline --multiline-dotall --no-config --no-filename --no-ignore --no-ignore-vcs --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet --regexp: --replace: --smart-case --case-sensitive --sort: --sortr: --stats --text --threads: --trim --type: --type-not: --type-list --type-add: --unrestricted --vimgrep --with-filename --word-regexp --column --count --count-matches --color: --colors: --byte-offset --crlf --encoding: --include-zero --context-separator: --field-match-separator: --no-hidden --glob-case-insensitive --one-file-system --debug --version"
	diffOpts = "-u -U: -c -C: -q -s -r -N -a -b -B -w -i -E -Z -y -p -d -W: -x: -L: -t -T -e -n --unified? --context? --brief --report-identical-files --recursive --new-file --text --ignore-space-change --ignore-blank-lines --ignore-all-space --ignore-case --ignore-trailing-space --side-by-side --suppress-common-lines --width: --exclude: --color? --minimal --strip-trailing-cr --show-c-function --label: --normal --left-column --no-dereference --unidirectional-new-file"
	gitDiff  = "-p -u -s -U: --unified: --raw --patch-with-raw --minimal --patience --histogram --stat? --stat-width: --numstat --shortstat --dirstat? --summary --name-only --name-status --color? --no-color --word-diff? --word-diff-regex: --color-words? --color-moved? --no-renames --check --full-index --binary --abbrev? -M? -C? -B? -D --find-renames? --find-copies? --find-copies-harder --diff-filter: -S: -G: --pickaxe-all --pickaxe-regex -O: -R --relative? -a --text --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines --inter-hunk-context: -W --function-context --no-ext-diff --no-textconv --ignore-submodules? --submodule? --src-prefix: --dst-prefix: --no-prefix --patch --no-patch --compact-summary --output-indicator-new: --output-indicator-old: --output-indicator-context: --ws-error-highlight: --exit-code --quiet --merge-base --cached --staged --no-index -z --diff-algorithm: --indent-heuristic --no-color-moved --line-prefix: --ita-invisible-in-index -1 -2 -3 --cc -c --combined-all-paths -m --no-diff-merges --diff-merges: --anchored:"
	gitLog   = gitDiff + " --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? --glob: --exclude: --not --since: --after: --until: --before: --author: --committer: --grep: --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --merges --no-merges --first-parent -n: --max-count: --skip: --pretty? --format: --abbrev-commit --no-abbrev-commit --date: --relative-date --reverse --topo-order --date-order --author-date-order --follow -L: -g --walk-reflogs --left-right --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration --full-history --ancestry-path? --parents --children --notes? --no-notes --source --full-diff --log-size --decorate-refs: --decorate-refs-exclude: --mailmap --use-mailmap --no-mailmap --dense --sparse --simplify-merges --no-walk? --min-parents: --max-parents: --no-min-parents --encoding: --expand-tabs? --no-expand-tabs --show-linear-break? --left-only --right-only --single-worktree --show-pulls --remove-empty --reflog -t --stdin --count"
	kubeOpts = "-n: --namespace: --context: --cluster: --request-timeout: -A --all-namespaces -l: --selector: -v: "
	kubeOut  = kubeOpts + "-o: --output: --sort-by: --field-selector: --show-labels --no-headers -L: --label-columns: --show-kind -w --watch --ignore-not-found --chunk-size: --template: --show-managed-fields --output-watch-events --watch-only --subresource: -R --recursive "
	kubeDry  = kubeOpts + "-f: --filename: -k: --kustomize: -R --recursive --dry-run? -o: --output: --server-side --force-conflicts --field-manager: --validate? --prune --all --overwrite --replicas: --image: --type: -p: --patch: --from-literal: --force --grace-period: --wait? --timeout: --cascade? --ignore-not-found --save-config --ignore-daemonsets --delete-emptydir-data --port: --target-port: --name: --labels: --restart:"
	ghOpts   = "-R: --repo: -q: --jq: --json: -t: --template: -L: --limit: -s: --state: -l: --label: -a: --assignee: -A: --author: -B: --base: -H: --head: -S: --search: -b: --branch: -w: --workflow: -u: --user: -e: --event: -c: --comments --commit: --created: --draft -d --json --log --log-failed --job: -j: --verbose -v --exit-status --attempt: --patch --name-only --color: -m: --milestone: --mention: --app: --status: --watch --interval: -i: --fail-fast --required --archived --fork --language: --topic: --visibility: --no-archived --source --active -h: --hostname: --sort: --order: --owner: --filename: --extension: --size: --match: --exclude-drafts --exclude-pre-releases --all --org: -o: --env: --key: --ref: -r: -y --yaml --conflict-status"
	awsOpts  = "--profile: --region: --output: --query: --no-paginate --max-items: --page-size: --starting-token: --no-cli-pager --color: --no-sign-request --cli-read-timeout: --cli-connect-timeout: --filters* --filter* --instance-ids* --group-ids* --group-names* --vpc-ids* --subnet-ids* --image-ids* --owners* --volume-ids* --snapshot-ids* --names* --load-balancer-arns* --target-group-arn: --target-group-arns* --listener-arns* --load-balancer-arn: --stack-name: --cluster: --clusters* --services* --service: --service-name: --tasks* --task-definition: --function-name: --bucket: --prefix: --delimiter: --key: --version-id: --table-name: --log-group-name: --log-group-name-prefix: --log-stream-name: --log-stream-names* --filter-pattern: --start-time: --end-time: --limit: --since: --follow --format: --queue-url: --queue-name-prefix: --attribute-names* --topic-arn: --user-name: --role-name: --policy-arn: --policy-name: --group-name: --path-prefix: --db-instance-identifier: --db-cluster-identifier: --name: --nodegroup-name: --repository-name: --repository-names* --image-id: --hosted-zone-id: --distribution-id: --id: --arn: --resource-arn: --pipeline-name: --project-name: --rest-api-id: --metric-name: --namespace: --dimensions* --statistics* --period: --alarm-names* --state-value: --include-deprecated --recursive --human-readable --summarize --dry-run --no-dry-run --stack-status-filter* --status: --secret-id: --max-results: --next-token: --descending --order-by: --show-details --include* --resource-type: --resource-types* --tag-filters* --account-id: --job-id: --execution-arn: --state-machine-arn: --auto-scaling-group-names* --desired-status: --family-prefix: --sort: --launch-type: --cache-cluster-id: --domain-name: --user-pool-id: --stream-name: --max-keys: --bytes-only"
	gcOpts   = "--project: --region: --zone: --format: --filter: --limit: --sort-by: --page-size: --quiet -q --uri --flatten: --freshness: --order: --verbosity: --location: --platform: --service: --instance: --zones: --regions: --account: --cluster: --namespace: --resource-names: --show-deleted --all --global --version: --lines: --start-line: --port: --organization: --folder: --billing-account: --database: --job: --include-logs-with-status --no-user-output-enabled"
	azOpts   = "-o: --output: --query: -g: --resource-group: -n: --name: --subscription: -s: --location: -l: --ids: --all --only-show-errors --verbose --account-name: --server: --vault-name: --cluster-name: --org: --organization: -p: --project: --id: --top: --status: --tag: --namespace: --include-hidden --show-details -d --workspace: --resource-type: --offset: --start-time: --end-time: --resource: --metric: --interval: --aggregation:"
	dockerLs = "-a -q -n: -l -s -f: --all --quiet --last: --latest --size --filter: --format: --no-trunc --digests -t --tree"
	compose  = "-q --quiet --services --status: --format: -a --all --no-trunc --orphans --tail: -n: -t --timestamps -f --follow --since: --until: --no-color --no-log-prefix --index: --filter: --hash: --images --profiles --volumes --no-interpolate"
	npmRead  = "--depth: --json --long -l -a --all -g --global --prod --production --dev --only: --omit: --include: --parseable -p --silent -s --loglevel: -w: --workspace: --workspaces --ws -r --recursive --filter: --no-color --color --link --unicode --package-lock-only --audit-level: --no-audit --no-fund --offline --prefer-offline --pattern:"
	npmDry   = npmRead + " --dry-run --save -S --save-dev -D --save-exact -E --legacy-peer-deps --no-save --ignore-scripts --force"
	goPkgs   = "-json? -m -u -f: -deps -test -e -find -compiled -export -versions -retracted -tags: -mod: -mod=readonly -x -v -race -n -C: -reuse: -modfile:"
	goTest   = "-v -x -race -count: -run: -bench: -benchmem -benchtime: -short -failfast -cover -covermode: -coverpkg: -timeout: -parallel: -cpu: -p: -tags: -skip: -list: -json -shuffle: -trimpath -ldflags: -mod: -vet: -fullpath -a -msan -asan -buildvcs? -work -fuzz: -fuzztime: -n"
	goBuild  = "-v -x -race -tags: -p: -trimpath -mod: -a -buildvcs? -json -cover -n -msan -asan"
	pytest   = "-v -q -x -s -k: -m: -l -r: -n: -vv -qq --maxfail: --lf --last-failed --ff --failed-first --nf --sw --stepwise --tb: --durations: --collect-only --co --no-header --no-summary -rA -ra -rf --disable-warnings --strict-markers --strict-config --color: --verbose --quiet --exitfirst --showlocals --capture: --deselect: --ignore: --ignore-glob: --cov? --cov-branch --no-cov --timeout: --numprocesses: --dist: --asyncio-mode: -W: --durations-min: --reruns: --verbosity:"
	cargoC   = "--release -r -p: --package: --workspace --all --all-targets --all-features --no-default-features --features: -F: --lib --bins --bin: --examples --example: --tests --test: --benches --bench: --doc --no-run --no-fail-fast -q --quiet -v -vv --verbose --locked --offline --frozen -j: --jobs: --message-format: --color: --exclude: --profile: --keep-going --target:"
	psqlOpts = "-h: -p: -U: -d: -c: -t -A -x -q -X -w -W -F: -R: -z -0 -e -E -b -a -n -s -S -1 -l -H --host: --port: --username: --dbname: --command: --tuples-only --no-align --expanded --quiet --no-psqlrc --no-password --csv --field-separator: --list --single-transaction --echo-all --echo-queries --html"
	dbHost   = "-h: -p: -U: -w -W -d: -t: -q --host: --port: --username: --no-password --dbname: --timeout: --quiet -e --echo"
)

// rows are sorted by name; rows of one name are tried in order.
var rows = [...]row{
	{name: ":", bits: loose | text, good: ": ok"},
	{name: "[", check: checkTest, bits: loose | named | text, good: "[ -f a ]", bad: "[ -v 'a[$(id)]' ]"},
	{name: "actionlint", opts: "-color -no-color -oneline -verbose -ignore: -format:", bits: single | inTree, is: formatters, check: checkPaths, good: "actionlint", bad: "actionlint -shellcheck ./p"},
	{name: "apropos", opts: "-s: -e -w", bits: text, good: "apropos grep"},
	{name: "apt", sub: "list|search|show|policy", opts: "--installed --upgradable -a -n --names-only", bits: text, good: "apt list --installed"},
	{name: "apt-cache", sub: "search|show|policy|depends|rdepends|madison|showpkg", opts: "-n --names-only -f -a --installed", bits: text, good: "apt-cache policy git"},
	{name: "apt-get", sub: "install|upgrade|remove|dist-upgrade|autoremove", opts: "-s --simulate --dry-run --just-print -y -q -qq", need: "-s --simulate --dry-run --just-print", is: dryRuns, bits: text, good: "apt-get -s install git", bad: "apt-get install git"},
	{name: "arch", max: 1, good: "arch"},
	{name: "awk", opts: "-F: -v:", bits: pattern, check: checkAwk, good: "awk '{ print $1 }' a.txt", bad: `awk '{ print > "f" }' a.txt`},
	{name: "aws", sub: "s3 ls", opts: awsOpts, bits: text, good: "aws s3 ls s3://a/b", bad: "aws --endpoint-url http://x s3 ls"},
	{name: "aws", sub: "s3 rm|cp|mv|sync", opts: awsOpts + " --dryrun --delete --exclude: --include: --acl: --sse? --exact-timestamps --size-only", need: "--dryrun", is: dryRuns, good: "aws s3 rm s3://a/b --dryrun", bad: "aws s3 rm s3://a/b"},
	{name: "aws", sub: "configure get", opts: "--profile:", bits: text, max: 2, check: checkAwsConfigure, good: "aws configure get region", bad: "aws configure get aws_secret_access_key"},
	{name: "aws", sub: "configure list|list-profiles", opts: "--profile:", bits: text, max: 1, good: "aws configure list"},
	{name: "aws", sub: "logs tail", opts: awsOpts, bits: text, good: "aws logs tail /aws/lambda/x --since 1h"},
	{name: "aws", sub: "logs filter-log-events|get-log-events", opts: awsOpts, bits: text, good: "aws logs get-log-events --log-group-name a --log-stream-name b"},
	{name: "aws", sub: "sts get-caller-identity", opts: awsOpts, bits: text, max: 1, good: "aws sts get-caller-identity", bad: "aws sts get-session-token"},
	{name: "aws", sub: "s3api head-bucket|head-object|get-bucket-location|get-bucket-versioning|get-bucket-acl|get-bucket-policy|get-bucket-tagging|get-bucket-cors|get-bucket-lifecycle-configuration|get-bucket-encryption", opts: awsOpts, bits: text, max: 1, good: "aws s3api head-object --bucket a --key b", bad: "aws s3api get-object --bucket a --key b out"},
	{name: "aws", sub: "iam get-user|get-role|get-policy|get-role-policy|get-group|get-policy-version|get-account-summary", opts: awsOpts, bits: text, max: 1, good: "aws iam get-role --role-name a", bad: "aws iam create-role --role-name a"},
	{name: "aws", sub: "lambda get-function-configuration|get-policy|get-account-settings", opts: awsOpts, bits: text, max: 1, good: "aws lambda get-policy --function-name a", bad: "aws lambda invoke --function-name a out"},
	{name: "aws", sub: "cloudwatch get-metric-statistics|get-metric-data", opts: awsOpts, bits: text, max: 1, good: "aws cloudwatch get-metric-statistics --metric-name a --period 60"},
	{name: "aws", sub: "*", opts: awsOpts, bits: text, check: checkInspect, good: "aws ec2 describe-instances", bad: "aws ec2 terminate-instances --instance-ids i-1"},
	{name: "az", sub: "*", opts: azOpts, bits: text, check: checkInspect, good: "az group list", bad: "az keyvault secret show --name a"},
	{name: "b2sum", opts: "-a: -l: -b -t --tag", good: "b2sum a"},
	{name: "base32", opts: "-d -w: --decode --wrap: -i", max: 2, good: "base32 a"},
	{name: "base64", opts: "-d -D -w: --decode --wrap: -i --ignore-garbage", max: 2, good: "base64 -d a.txt", bad: "base64 -o out a.txt"},
	{name: "basename", opts: "-a -s: -z --multiple --suffix: --zero", bits: loose | text, good: "basename a/b"},
	{name: "basenc", opts: "-d -w: --base64 --base32 --base16 --base64url", max: 2, good: "basenc --base16 a"},
	{name: "bat", opts: "-n -p -A -l: -r: --plain --number --paging: --color: --style: --language: --line-range: --decorations: --theme: --wrap: -P --no-pager", good: "bat -p a.go", bad: "bat --pager ./p a.go"},
	{name: "bc", opts: "-l -q -s --mathlib --quiet", good: "bc -l a.bc"},
	{name: "biome", sub: "check|lint|format|ci", opts: "--write --fix --apply --verbose --colors: --max-diagnostics: --diagnostic-level: --changed --staged --since: --unsafe --error-on-warnings", bits: inTree, is: formatters, check: checkPaths, good: "biome check src", bad: "biome check --config-path /tmp/x src"},
	{name: "black", opts: "-q -v -l: -t: -S --check --diff --quiet --verbose --line-length: --target-version: --color --no-color --fast --safe --exclude: --include: --extend-exclude: --skip-string-normalization --preview -C", bits: inTree, is: formatters, check: checkPaths, good: "black --check api", bad: "black --config /tmp/x api"},
	{name: "break", bits: text | loose, good: "break"},
	{name: "brew", sub: "list|ls|info|deps|outdated|search|config|leaves|uses|desc", opts: "--versions --json? --formula --cask --installed --tree --verbose -v -1 -l --full-name", bits: text, good: "brew list --versions"},
	{name: "brew", sub: "cleanup|upgrade|uninstall|autoremove", opts: "-n --dry-run -s --prune: --cask --formula", need: "-n --dry-run", is: dryRuns, bits: text, good: "brew cleanup -n", bad: "brew cleanup"},
	{name: "buf", sub: "lint|format", opts: "-d --diff --exit-code --error-format: -w --write", bits: inTree, is: formatters, check: checkPaths, good: "buf lint", bad: "buf lint --config /tmp/x"},
	{name: "bun", sub: "pm ls", opts: "--all", max: 1, good: "bun pm ls"},
	{name: "bundle", sub: "list|show|outdated|check", opts: "--paths --parseable --groups", bits: inTree | text, good: "bundle list"},
	{name: "bzcat", opts: "-s", good: "bzcat a.bz2"},
	{name: "bzgrep", opts: grepOpts, bits: pattern, check: checkGrep, good: "bzgrep x a.bz2"},
	{name: "cal", opts: "-1 -3 -m -y -j -s", bits: text, good: "cal -3"},
	{name: "cargo", sub: "fmt", opts: "--check --all -p: --package: -q -v --verbose --quiet", bits: inTree, is: formatters, max: 1, good: "cargo fmt --check", bad: "cargo fmt --manifest-path /tmp/x/Cargo.toml"},
	{name: "cargo", sub: "update", opts: "--dry-run -p: --package: --precise: -v -q --workspace --recursive --aggressive", need: "--dry-run", is: dryRuns, bits: text | inTree, good: "cargo update --dry-run", bad: "cargo update"},
	{name: "cargo", sub: "tree|pkgid", opts: "-i: --invert: -e: --edges: -d --duplicates --depth: -p: --package: --workspace --all-features --features: --prefix: -f: --format: --no-dedupe --target: --charset: --offline --locked", bits: text | inTree, good: "cargo tree -d"},
	{name: "cargo", sub: "metadata", opts: "--format-version: --no-deps --all-features --offline --locked", max: 1, bits: inTree, good: "cargo metadata --no-deps --format-version 1"},
	{name: "cargo", sub: "search", opts: "--limit:", bits: text, good: "cargo search serde"},
	{name: "cargo", sub: "build|b|check|c|test|t", opts: cargoC + " --nocapture", bits: inTree, is: buildTest, check: checkBuild, good: "cargo check", bad: "cargo build --config 'build.rustc-wrapper=\"./w\"'"},
	{name: "cat", opts: "-A -b -e -E -n -s -t -T -u -v --show-all --number --number-nonblank --show-ends --show-tabs --squeeze-blank --show-nonprinting", bits: loose, check: checkCat, good: "cat README.md", bad: "cat .env"},
	{name: "cd", opts: "-P -L", max: 2, bits: text, good: "cd src"},
	{name: "cksum", opts: "-a: --algorithm: --tag", good: "cksum a"},
	{name: "clang-format", opts: "-i --dry-run -n --Werror --verbose", bits: inTree, is: formatters, check: checkPaths, good: "clang-format --dry-run a.c", bad: "clang-format --style=file:/tmp/x a.c"},
	{name: "cloc", opts: "--by-file --exclude-dir: --include-lang: --json --csv --quiet --vcs: --not-match-d:", bits: deep, good: "cloc src", bad: "cloc --out=f src"},
	{name: "cmp", opts: "-b -i: -l -n: -s --silent --quiet --print-bytes --bytes: --verbose", bits: loose, good: "cmp a b"},
	{name: "codespell", opts: "-q: -L: -S: -i: -w --skip: --ignore-words-list: --count --quiet-level: --write-changes", bits: inTree, is: formatters, check: checkPaths, good: "codespell docs", bad: "codespell --config /tmp/x docs"},
	{name: "column", opts: "-t -s: -c: -o: -n: -N: -J -x -R: -H: -W: -d -e --table --separator: --json --output-separator: --table-columns: --columns:", good: "column -t -s, a.csv"},
	{name: "comm", opts: "-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter: --total", good: "comm -12 a b"},
	{name: "command", opts: "-v -V -p", need: "-v -V", bits: text | named, good: "command -v git", bad: "command rm a"},
	{name: "composer", sub: "show|outdated|licenses|why", opts: "-D --direct -i --installed --format: --tree -t --latest -l -N --name-only --no-plugins --no-scripts", bits: text | inTree, need: "--no-plugins", good: "composer show --no-plugins"},
	{name: "continue", bits: text | loose, good: "continue"},
	{name: "cp", opts: "-r -R -a -f -p -v -n -L -P -H -u -T --recursive --archive --force --preserve? --verbose --no-clobber --update?", is: scratch, check: checkCopy, good: "cp a /tmp/x-a", bad: "cp a b"},
	{name: "createdb", opts: dbHost + " -O: -E: -T: --owner: --encoding: --template:", is: localServices, bits: text, check: checkLocalDB, good: "createdb -h localhost a", bad: "createdb -h db.example.com a"},
	{name: "crontab", opts: "-l", need: "-l", max: 1, good: "crontab -l", bad: "crontab -r"},
	{name: "cspell", opts: "--no-progress --quiet --words-only --unique --show-context --no-summary -e: --exclude:", bits: inTree, is: formatters, check: checkPaths, good: "cspell --no-progress docs", bad: "cspell -c /tmp/x.js docs"},
	{name: "curl", opts: "-s -S -f -L -k -i -I -v -G -4 -6 -N -# -g -m: -H: -A: -e: -X: -o: -w: -r: --silent --show-error --fail --fail-with-body --fail-early --location --insecure --include --head --verbose --get --ipv4 --ipv6 --max-time: --connect-timeout: --header: --user-agent: --referer: --request: --output: --write-out: --compressed --http1.1 --http2 --no-buffer --retry: --retry-delay: --retry-max-time: --retry-connrefused --retry-all-errors --max-redirs: --range: --url: --globoff --no-progress-meter --progress-bar --tlsv1.2 --tlsv1.3 --path-as-is --max-filesize: --limit-rate: --http1.0 --no-keepalive --disable -q", bits: text, check: checkCurl, good: "curl -s http://localhost:3000/x", bad: "curl -X POST http://localhost:3000/x"},
	{name: "cut", opts: "-b: -c: -d: -f: -n -s -z --bytes: --characters: --delimiter: --fields: --only-delimited --complement --output-delimiter:", bits: loose, good: "cut -d: -f1 a"},
	{name: "dart", sub: "analyze", opts: "--fatal-infos --fatal-warnings --no-fatal-warnings --format:", bits: inTree, is: formatters, check: checkPaths, good: "dart analyze lib"},
	{name: "dart", sub: "format", opts: "-o: --output: --set-exit-if-changed -l: --line-length:", bits: inTree, is: formatters, check: checkPaths, good: "dart format lib", bad: "dart format /etc"},
	{name: "date", opts: "-u -d: -R -I? -r: -j -f: -v: --date: --utc --universal --iso-8601? --rfc-3339: --rfc-email --reference: --debug", bits: plus | text, check: checkDate, good: "date -u +%F", bad: "date -s 2020-01-01"},
	{name: "deno", sub: "lint|fmt", opts: "--check --quiet -q --fix", bits: inTree, is: formatters, check: checkPaths, good: "deno fmt --check src", bad: "deno fmt --config /tmp/x src"},
	{name: "df", opts: "-a -B: -h -H -i -k -l -m -P -t: -T -x: --all --human-readable --si --inodes --local --output? --total --type: --print-type --exclude-type: --block-size:", bits: named, good: "df -h ."},
	{name: "diff", opts: diffOpts, check: checkDiff, good: "diff -u a b", bad: "diff --to-file=.env a"},
	{name: "dig", opts: "-t: -x: -p: -4 -6", bits: text | plus, good: "dig +short example.org", bad: "dig -f names.txt"},
	{name: "dircolors", opts: "-b -c -p", max: 1, good: "dircolors -p"},
	{name: "dirname", opts: "-z --zero", bits: loose | text, good: "dirname a/b"},
	{name: "dmesg", opts: "-T -H -x -L -k -u --ctime --human --decode --color? --level: -l: --since: --until:", max: 1, good: "dmesg -T", bad: "dmesg -C"},
	{name: "docker", sub: "compose ps|logs|images|top|ls|version|port|events", opts: compose, bits: text | inTree, good: "docker compose logs --tail 5 api", bad: "docker compose rm api"},
	{name: "docker", sub: "compose config", opts: "-q --quiet --services --images --profiles --volumes", need: "-q --quiet --services --images --profiles --volumes", bits: text | inTree, good: "docker compose config --services", bad: "docker compose config"},
	{name: "docker", sub: "compose up|down|start|stop|restart|rm|pull|build|create|kill|pause|unpause", opts: "-d --detach --build --force-recreate --no-deps --remove-orphans -v --volumes -f --force -s --stop -t: --timeout: --wait --pull: --no-cache", need: "--dry-run", is: dryRuns, bits: text | inTree, good: "docker compose --dry-run up -d", bad: "docker compose up -d"},
	{name: "docker", sub: "ps|images|info|version|search", opts: dockerLs, bits: text, good: "docker ps -a"},
	{name: "docker", sub: "container ls|list|ps|top|port|diff|stats|logs", opts: dockerLs + " --no-stream --tail: --since: --until: --timestamps", bits: text, good: "docker container ls", bad: "docker container rm a"},
	{name: "docker", sub: "image ls|list|history", opts: dockerLs + " -H --human", bits: text, good: "docker image ls", bad: "docker image rm a"},
	{name: "docker", sub: "volume ls|list", opts: dockerLs, bits: text, good: "docker volume ls", bad: "docker volume prune"},
	{name: "docker", sub: "network ls|list", opts: dockerLs, bits: text, good: "docker network ls", bad: "docker network rm a"},
	{name: "docker", sub: "volume inspect", opts: "-f: --format:", bits: text, good: "docker volume inspect a"},
	{name: "docker", sub: "network inspect", opts: "-f: --format: -v --verbose", bits: text, good: "docker network inspect a"},
	{name: "docker", sub: "context ls|list|show", opts: "-q --quiet --format:", max: 1, bits: text, good: "docker context ls", bad: "docker context use a"},
	{name: "docker", sub: "system df|info", opts: "-v --verbose --format:", bits: text, max: 1, good: "docker system df", bad: "docker system prune"},
	{name: "docker", sub: "inspect", opts: "-f: --format: -s --size --type:", bits: text, check: checkInspect, good: "docker inspect --format '{{.State.Status}}' a", bad: "docker inspect --format '{{.Config.Env}}' a"},
	{name: "docker", sub: "logs", opts: "-f --follow -n: --tail: -t --timestamps --since: --until: --details", bits: text, good: "docker logs --tail 5 a"},
	{name: "docker", sub: "stats", opts: "--no-stream -a --all --no-trunc --format:", bits: text, good: "docker stats --no-stream"},
	{name: "docker", sub: "top|port|diff", bits: text, good: "docker port a", opts: "-o:"},
	{name: "docker", sub: "history", opts: "-H --human --no-trunc -q --quiet --format:", bits: text, good: "docker history a"},
	{name: "docker-compose", sub: "ps|logs|images|top|version|port", opts: compose, bits: text | inTree, good: "docker-compose ps", bad: "docker-compose down"},
	{name: "dotnet", opts: "--info --version --list-sdks --list-runtimes", need: "--info --version --list-sdks --list-runtimes", max: 1, bits: text, good: "dotnet --info", bad: "dotnet build"},
	{name: "dpkg", opts: "-l -L -s -S -p -c -I --list --listfiles --status --search --print-architecture --get-selections", need: "-l -L -s -S -p -c -I --list --listfiles --status --search --print-architecture --get-selections", bits: text, good: "dpkg -l", bad: "dpkg -i a.deb"},
	{name: "dpkg-query", opts: "-W -l -L -s -S -f: --show --list --listfiles --status --search --showformat:", bits: text, good: "dpkg-query -W git"},
	{name: "dropdb", opts: dbHost + " --if-exists -f --force -i", is: localServices, bits: text, check: checkLocalDB, good: "dropdb -h localhost a", bad: "dropdb a"},
	{name: "du", opts: "-0 -a -A -B: -b -c -d: -D -h -H -k -l -L -m -P -s -S -t: -x -X: --all --apparent-size --block-size: --bytes --total --max-depth: --human-readable --si --summarize --exclude: --one-file-system --time? --inodes --threshold:", bits: loose | named | deep, good: "du -sh src"},
	{name: "echo", bits: loose | text | named, good: "echo hi"},
	{name: "egrep", opts: grepOpts, bits: pattern, check: checkGrep, good: "egrep 'a|b' c"},
	{name: "eslint", opts: "--ext: --fix --fix-dry-run --fix-type: --quiet --max-warnings: --cache --no-cache -f: --format: --color --no-color --ignore-pattern: --no-ignore --no-error-on-unmatched-pattern --report-unused-disable-directives --no-inline-config --rule: --env: --global: --debug --no-warn-ignored --pass-on-no-patterns --stats", bits: inTree, is: formatters, check: checkPaths, good: "eslint src", bad: "eslint --rulesdir /tmp/x src"},
	{name: "exa", opts: "-l -a -1 -R -T -L: -d -h -s: -r -F -x -G -D -g -I: --tree --level: --long --all --git --icons --color? --sort:", bits: named | deep, good: "exa -la src"},
	{name: "exit", bits: text | loose, good: "exit 0"},
	{name: "expand", opts: "-i -t: --initial --tabs:", good: "expand -t 4 a"},
	{name: "export", check: checkExport, bits: text | loose, good: "export CI=1", bad: "export PATH=/tmp/bin"},
	{name: "expr", bits: loose | text, good: "expr 1 + 2"},
	{name: "eza", opts: "-l -a -A -1 -R -T -L: -d -h -s: -r -F -x -G -D -g -I: --tree --level: --long --all --git --icons? --color? --sort: --reverse --oneline --group-directories-first --ignore-glob: --no-user --no-time --header", bits: named | deep, good: "eza -la src"},
	{name: "factor", bits: text, good: "factor 12"},
	{name: "false", bits: loose | text, good: "false"},
	{name: "fd", opts: "-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -t: -e: -E: -d: -S: -c: -j: -o: --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-results: --max-depth: --min-depth: --exact-depth: --type: --extension: --exclude: --size: --changed-within: --changed-before: --owner: --color: --threads: --prune --no-ignore-vcs --and: --search-path: --strip-cwd-prefix --one-file-system --quiet --format: --base-directory:", bits: named | pattern, good: "fd -e ts x src", bad: "fd x -x rm"},
	{name: "fdfind", opts: "-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -t: -e: -E: -d: -S: -c: -j: --hidden --no-ignore --glob --type: --extension: --exclude: --max-depth:", bits: named | pattern, good: "fdfind -e ts x", bad: "fdfind x -X rm"},
	{name: "fgrep", opts: grepOpts, bits: pattern, check: checkGrep, good: "fgrep a b"},
	{name: "file", opts: "-b -i -I -L -h -k -N -z -s --brief --mime --mime-type --mime-encoding --dereference --no-pad --extension", bits: loose | named, good: "file a.bin", bad: "file -C -m x"},
	{name: "find", check: checkFind, bits: named | deep | single, good: "find . -name '*.go'", bad: "find . -delete"},
	{name: "findmnt", opts: "-t: -l -J -D -o: -n -T: -r", bits: text, good: "findmnt -l"},
	{name: "flake8", opts: "--max-line-length: --select: --ignore: --extend-ignore: --exclude: --count --statistics --show-source -v -q --max-complexity: --extend-select: --per-file-ignores: --color: -j: --jobs: --format:", bits: inTree, is: formatters, check: checkPaths, good: "flake8 api", bad: "flake8 --output-file f api"},
	{name: "fmt", opts: "-w: -s -c -t -u -p: --width:", good: "fmt -w 72 a"},
	{name: "fold", opts: "-w: -s -b --width: --spaces --bytes", good: "fold -s -w 72 a"},
	{name: "free", opts: "-h -b -k -m -g -t -s: -c: -w --human --mega --giga --total", max: 1, good: "free -h"},
	{name: "gawk", opts: "-F: -v:", bits: pattern, check: checkAwk, good: "gawk '{ print $1 }' a.txt", bad: "gawk -i inplace '{ print }' a.txt"},
	{name: "gcloud", sub: "logging read", opts: gcOpts, bits: text, good: "gcloud logging read 'severity>=ERROR' --limit 2"},
	{name: "gcloud", sub: "config list", opts: gcOpts, bits: text, good: "gcloud config list"},
	{name: "gcloud", sub: "config get-value|get", opts: gcOpts, bits: text, max: 2, good: "gcloud config get-value project"},
	{name: "gcloud", sub: "auth list", opts: gcOpts, max: 1, bits: text, good: "gcloud auth list", bad: "gcloud auth print-access-token"},
	{name: "gcloud", sub: "*", opts: gcOpts, bits: text, check: checkInspect, good: "gcloud run services list", bad: "gcloud container clusters get-credentials a"},
	{name: "gem", sub: "list|search|environment|outdated|contents|which|specification", opts: "-l --local -r --remote -a --all -d --details -e --exact", bits: text, good: "gem list"},
	{name: "getconf", opts: "-a", bits: text, good: "getconf PAGESIZE"},
	{name: "getent", sub: "hosts|passwd|group|services|protocols|networks|ahosts", bits: text, good: "getent hosts localhost", bad: "getent shadow"},
	{name: "gh", sub: "pr view|list|status|diff|checks", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh pr view 1", bad: "gh pr view 1 --web"},
	{name: "gh", sub: "issue view|list|status", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh issue list", bad: "gh issue close 1"},
	{name: "gh", sub: "run view|list|watch", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh run list", bad: "gh run download 1"},
	{name: "gh", sub: "release view|list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh release list", bad: "gh release delete v1"},
	{name: "gh", sub: "repo view|list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh repo view", bad: "gh repo clone a/b"},
	{name: "gh", sub: "workflow view|list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh workflow list", bad: "gh workflow run a"},
	{name: "gh", sub: "label list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh label list", bad: "gh label create a"},
	{name: "gh", sub: "gist list", opts: "-L: --limit: --public --secret", bits: text, max: 1, good: "gh gist list", bad: "gh gist create a"},
	{name: "gh", sub: "cache list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh cache list", bad: "gh cache delete 1"},
	{name: "gh", sub: "secret list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh secret list", bad: "gh secret set A"},
	{name: "gh", sub: "ruleset list|view|check", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh ruleset list"},
	{name: "gh", sub: "variable list", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh variable list", bad: "gh variable set A"},
	{name: "gh", sub: "search code|issues|prs|repos|commits", opts: ghOpts, bits: text | loose, check: checkGhJq, good: "gh search code x", bad: "gh search code x --web"},
	{name: "gh", sub: "auth status", opts: "-h: --hostname: -a --active", bits: text, max: 1, good: "gh auth status", bad: "gh auth status --show-token"},
	{name: "gh", sub: "status", opts: "-o: --org: -e: --exclude:", bits: text, max: 1, good: "gh status"},
	{name: "gh", sub: "alias list", bits: text, max: 1, good: "gh alias list", bad: "gh alias set a b"},
	{name: "gh", sub: "extension list", bits: text, max: 1, good: "gh extension list", bad: "gh extension install a/b"},
	{name: "gh", sub: "api", opts: "-X: --method: -f: -F: --raw-field: --field: -H: --header: --paginate -q: --jq: -t: --template: -i --include --slurp --cache: --silent -p: --preview:", bits: text, max: 2, check: checkGhAPI, good: "gh api user", bad: "gh api -X DELETE repos/a/b"},
	{name: "git", good: "git status", bad: "git reset --hard"}, // its own table: git.go
	{name: "go", sub: "version", opts: "-m -v", bits: named | single, good: "go version"},
	{name: "go", sub: "env", opts: "-json -changed", bits: text | single, good: "go env GOPATH", bad: "go env -w GOFLAGS=-x"},
	{name: "go", sub: "list", opts: goPkgs, bits: inTree | text | single, good: "go list ./...", bad: "go list -toolexec ./w ./..."},
	{name: "go", sub: "doc", opts: "-all -c -short -src -u -cmd", bits: text | single, good: "go doc net/http", bad: "go doc -http"},
	{name: "go", sub: "help", bits: text | single, good: "go help build"},
	{name: "go", sub: "mod graph|why|verify", opts: "-m -vendor -go:", bits: text | inTree | single, good: "go mod graph", bad: "go mod tidy"},
	{name: "go", sub: "vet", opts: "-json -tags: -v -c: -printf? -shadow? -copylocks? -n", bits: inTree | single, is: formatters, check: checkPaths, good: "go vet ./...", bad: "go vet -vettool=./x ./..."},
	{name: "go", sub: "fmt", opts: "-n -x", bits: inTree | single, is: formatters, check: checkPaths, good: "go fmt ./...", bad: "go fmt ../x"},
	{name: "go", sub: "build", opts: goBuild, bits: inTree | single, is: buildTest, check: checkBuild, good: "go build ./...", bad: "go build -toolexec ./w ./..."},
	{name: "go", sub: "test", opts: goTest, bits: inTree | single, is: buildTest, check: checkBuild, good: "go test ./...", bad: "go test -exec ./w ./..."},
	{name: "gofmt", opts: "-l -w -d -s -e -r:", bits: inTree, is: formatters, check: checkPaths, good: "gofmt -l .", bad: "gofmt -w ../x"},
	{name: "gofumpt", opts: "-l -w -d -e -extra -lang:", bits: inTree | single, is: formatters, check: checkPaths, good: "gofumpt -l .", bad: "gofumpt -w /etc/x"},
	{name: "goimports", opts: "-l -w -d -e -local: -format-only", bits: inTree | single, is: formatters, check: checkPaths, good: "goimports -l .", bad: "goimports -cpuprofile f ."},
	{name: "golangci-lint", sub: "run", opts: "-v --fast --fix -E: -D: --enable: --disable: --timeout: --new --new-from-rev: --tests? --build-tags: --max-issues-per-linter: --max-same-issues: --color:", bits: inTree, is: formatters, check: checkPaths, good: "golangci-lint run ./...", bad: "golangci-lint run -c /tmp/x.yml"},
	{name: "gradle", opts: "-v --version", need: "-v --version", max: 1, bits: text, good: "gradle -v", bad: "gradle build"},
	{name: "grep", opts: grepOpts, bits: pattern | num, check: checkGrep, good: "grep -rn x src", bad: "grep -f /etc/x"},
	{name: "groups", bits: text, good: "groups"},
	{name: "gunzip", opts: "-c -l -t -k --stdout --list --test", need: "-c -l -t --stdout --list --test", good: "gunzip -c a.gz", bad: "gunzip a.gz"},
	{name: "gzip", opts: "-c -d -l -t -v -k --stdout --list --test --decompress --to-stdout", need: "-c -l -t --stdout --list --test --to-stdout", good: "gzip -dc a.gz", bad: "gzip a"},
	{name: "hadolint", opts: "--ignore: -f: --format: --no-color --failure-threshold: -t:", bits: inTree, is: formatters, check: checkPaths, good: "hadolint Dockerfile", bad: "hadolint -c /tmp/x Dockerfile"},
	{name: "head", opts: "-c: -n: -q -v -z --bytes: --lines: --quiet --silent --verbose", bits: loose | num, good: "head -5 a", bad: "head .env"},
	{name: "helm", sub: "list|ls|status|history|version|env", opts: "-n: --namespace: -A --all-namespaces -a --all -o: --output: --max: --revision: --short -q --filter: -f: --kube-context: --deployed --failed --pending", bits: text, good: "helm status api", bad: "helm uninstall api"},
	{name: "helm", sub: "search repo|hub", opts: "-l --versions --version: -o: --output: --devel -r --regexp", bits: text, good: "helm search repo nginx"},
	{name: "helm", sub: "show chart|readme|values|all|crds", opts: "--version: --devel", bits: text, good: "helm show chart ./c"},
	{name: "helm", sub: "repo list", opts: "-o: --output:", bits: text, max: 1, good: "helm repo list", bad: "helm repo add a b"},
	{name: "helm", sub: "lint", opts: "--strict --quiet --with-subcharts -n: --namespace:", bits: inTree, is: formatters, check: checkPaths, good: "helm lint chart", bad: "helm lint -f /tmp/v.yaml chart"},
	{name: "helm", sub: "install|upgrade|uninstall|rollback", opts: "--dry-run? -n: --namespace: --install -i --debug --version: --set: --set-string: --create-namespace --atomic --wait --timeout: --kube-context:", need: "--dry-run", is: dryRuns, bits: text, check: checkDryValue, good: "helm upgrade api ./c --dry-run", bad: "helm upgrade api ./c"},
	{name: "helm", sub: "template", opts: "-f: --values: --set: --set-string: -n: --namespace: --version: -s: --show-only: --debug --include-crds --no-hooks", bits: inTree, good: "helm template a ./c", bad: "helm template a ./c --post-renderer ./x"},
	{name: "hexdump", opts: "-b -c -C -d -o -x -v -n: -s: -e: --canonical --length: --skip:", good: "hexdump -C a"},
	{name: "host", opts: "-t: -a -4 -6 -v", bits: text, good: "host example.org"},
	{name: "hostname", opts: "-f -s -i -I -d -A -y --fqdn --short --long --ip-address --all-ip-addresses --domain", max: 1, good: "hostname -f", bad: "hostname x"},
	{name: "hostnamectl", sub: "status", bits: text, max: 1, good: "hostnamectl status"},
	{name: "iconv", opts: "-f: -t: -c -l --from-code: --to-code: --list", good: "iconv -f latin1 -t utf8 a", bad: "iconv -o out a"},
	{name: "id", opts: "-u -g -G -n -r -z --user --group --groups --name --real", bits: text, good: "id -u"},
	{name: "ifconfig", opts: "-a -s", max: 2, bits: text, good: "ifconfig -a", bad: "ifconfig eth0 down"},
	{name: "iostat", opts: "-c -d -h -k -m -x -t -y -z", bits: text, good: "iostat -x"},
	{name: "ip", sub: "a|addr|address|link|route|r|neigh", opts: "-4 -6 -br -c -s -j", bits: text | single, max: 1, good: "ip addr", bad: "ip link set eth0 down"},
	{name: "isort", opts: "-c --check --check-only --diff -q --quiet -v --profile: -l: --line-length: --color --skip: --skip-glob: --atomic -m:", bits: inTree, is: formatters, check: checkPaths, good: "isort --check api", bad: "isort --settings-path /tmp/x api"},
	{name: "java", opts: "-version --version", need: "-version --version", bits: single | text, max: 1, good: "java -version", bad: "java Main"},
	{name: "javac", opts: "-version --version", need: "-version --version", bits: single | text, max: 1, good: "javac -version", bad: "javac Main.java"},
	{name: "jobs", opts: "-l -p -r -s -n", bits: text, good: "jobs -l"},
	{name: "join", opts: "-1: -2: -a: -e: -i -j: -o: -t: -v: -z --header --check-order --nocheck-order", good: "join a b"},
	{name: "journalctl", opts: "-u: -n: -f -r -e -x -k -b? -o: -p: -g: -t: -q -a --unit: --lines: --follow --reverse --no-pager --since: --until: --output: --priority: --grep: --boot? --dmesg --user --system --disk-usage --list-boots --no-hostname --utc -S: -U: --user-unit: --identifier: --no-tail -l --full", bits: text, good: "journalctl -u a -n 50", bad: "journalctl --vacuum-time=1s"},
	{name: "jq", opts: "-r -e -c -s -n -S -C -M -a -j -R -1 -2 -3 -4 -5 -6 -7 --raw-output --exit-status --compact-output --slurp --null-input --sort-keys --color-output --monochrome-output --ascii-output --join-output --raw-input --tab --indent: --stream --seq --unbuffered --raw-output0 --arg* --argjson* --args --jsonargs", bits: pattern, check: checkJq, good: "jq .a b.json", bad: "jq -n env"},
	{name: "kill", opts: "-l -L -0", need: "-l -L -0", bits: text, check: checkKill, good: "kill -l", bad: "kill -9 12"},
	{name: "ktlint", opts: "-F --format --relative --color --verbose --log-level:", bits: inTree, is: formatters, check: checkPaths, good: "ktlint src", bad: "ktlint -R /tmp/x.jar src"},
	{name: "kubectl", sub: "get", opts: kubeOut, bits: text, check: checkKubeGet, good: "kubectl get pods", bad: "kubectl get secret a -o yaml"},
	{name: "kubectl", sub: "describe", opts: kubeOpts + "--show-events? --chunk-size:", bits: text, good: "kubectl describe pod a"},
	{name: "kubectl", sub: "logs", opts: kubeOpts + "-c: --container: -f --follow --tail: --since: --since-time: -p --previous --timestamps --all-containers? --prefix --max-log-requests: --limit-bytes: --ignore-errors --all-pods", bits: text, good: "kubectl logs a --tail 5"},
	{name: "kubectl", sub: "top pod|pods|po|node|nodes|no", opts: kubeOpts + "--sort-by: --containers --no-headers --sum --show-capacity --use-protocol-buffers", bits: text, good: "kubectl top pods"},
	{name: "kubectl", sub: "explain", opts: kubeOpts + "--recursive --api-version: --output:", bits: text, good: "kubectl explain pod.spec"},
	{name: "kubectl", sub: "api-resources|api-versions|cluster-info|version", opts: kubeOpts + "--client --short -o: --output: --namespaced? --api-group: --verbs: --no-headers --sort-by:", max: 1, bits: text, good: "kubectl version --client", bad: "kubectl cluster-info dump"},
	{name: "kubectl", sub: "auth can-i", opts: kubeOpts + "--list --as: -q --quiet --subresource: --no-headers", bits: text, good: "kubectl auth can-i list pods", bad: "kubectl auth reconcile -f a"},
	{name: "kubectl", sub: "auth whoami", opts: "-o: --output:", bits: text, good: "kubectl auth whoami"},
	{name: "kubectl", sub: "rollout history|status", opts: kubeOpts + "--revision: -w --watch? --timeout: -o: --output:", bits: text, good: "kubectl rollout status deploy/a", bad: "kubectl rollout undo deploy/a"},
	{name: "kubectl", sub: "config get-contexts|current-context|get-clusters|get-users", opts: "-o: --output: --no-headers", bits: text, good: "kubectl config current-context", bad: "kubectl config use-context a"},
	{name: "kubectl", sub: "config view", opts: "--minify -o: --output:", bits: text, max: 1, good: "kubectl config view --minify", bad: "kubectl config view --raw"},
	{name: "kubectl", sub: "diff", opts: kubeOpts + "-f: --filename: -k: --kustomize: -R --recursive --server-side", bits: text, max: 1, good: "kubectl diff -f a.yaml"},
	{name: "kubectl", sub: "events", opts: kubeOpts + "--for: --types: -w --watch -o: --output: --no-headers", bits: text, max: 1, good: "kubectl events"},
	{name: "kubectl", sub: "wait", opts: kubeOpts + "--for: --timeout: --all -f: --filename: --field-selector:", bits: text, good: "kubectl wait --for=condition=Ready pod/a"},
	{name: "kubectl", sub: "apply|delete|create|replace|patch|scale|label|annotate|set|expose|autoscale|run|cordon|uncordon|drain|taint", opts: kubeDry, need: "--dry-run", is: dryRuns, bits: text, check: checkDryValue, good: "kubectl apply --dry-run=client -f a.yaml", bad: "kubectl apply --dry-run=none -f a.yaml"},
	{name: "last", opts: "-n: -x -a -F", bits: num | text, good: "last -5"},
	{name: "ldd", bits: text, opts: "--version", need: "--version", max: 1, good: "ldd --version", bad: "ldd ./x"},
	{name: "less", opts: "-F -R -X -N -S -i -I -n -r -E -e -M -m -s -q", check: checkLess, good: "less a | head", bad: "less -o f a"},
	{name: "lldb", opts: "--version", need: "--version", max: 1, bits: text, good: "lldb --version"},
	{name: "locale", opts: "-a -m -k -c --all-locales", bits: text, good: "locale -a"},
	{name: "locate", opts: "-i -l: -c -b -r: -e --limit: --count --basename --ignore-case", bits: text, good: "locate x"},
	{name: "logname", max: 1, good: "logname"},
	{name: "look", opts: "-d -f", bits: text, good: "look a"},
	{name: "ls", opts: "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I: -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T: -u -U -v -w: -x -X -Z -1 -O -e -@ --all --almost-all --author --block-size: --color? --directory --classify? --file-type --format: --full-time --group-directories-first --human-readable --si --inode --ignore: --hide: --literal --no-group --numeric-uid-gid --quote-name --reverse --recursive --size --sort: --time: --time-style: --width: --zero --dereference --hyperlink? --indicator-style: --show-control-chars", bits: named | loose, check: checkLs, good: "ls -la src"},
	{name: "lsblk", opts: "-a -b -d -f -J -l -m -n -o: -p -P -r -S -t --json --fs --output:", bits: text, good: "lsblk -f"},
	{name: "lscpu", opts: "-a -b -c -e? -J -p?", max: 1, good: "lscpu"},
	{name: "lsmod", max: 1, good: "lsmod"},
	{name: "lsof", opts: "-i? -n -P -p: -u: -t -c: -a -s? -U -l -F? -w +D: -d:", bits: named | plus, good: "lsof -i :3000"},
	{name: "lspci", opts: "-v -k -n -nn -t -m", max: 1, good: "lspci -k"},
	{name: "lsusb", opts: "-v -t", max: 1, good: "lsusb"},
	{name: "make", opts: "--version", need: "--version", max: 1, bits: text, good: "make --version", bad: "make -n"},
	{name: "man", opts: "-k -f -s: -w -a -K -S: --where --all", bits: text, good: "man grep", bad: "man -P ./p ls"},
	{name: "markdownlint", opts: "-f --fix -i: --ignore: -q --quiet --disable: --enable: -s --json --dot", bits: inTree, is: formatters, check: checkPaths, good: "markdownlint docs", bad: "markdownlint -o f docs"},
	{name: "markdownlint-cli2", opts: "--fix --no-globs", bits: inTree, is: formatters, check: checkPaths, good: "markdownlint-cli2 docs", bad: "markdownlint-cli2 --config /tmp/x docs"},
	{name: "mawk", opts: "-F: -v:", bits: pattern, check: checkAwk, good: "mawk '{ print $1 }' a.txt", bad: "mawk -f p a.txt"},
	{name: "md5", opts: "-q -r -s:", good: "md5 a"},
	{name: "md5sum", opts: "-b -t -c --check --quiet --status --tag -z", bits: loose, good: "md5sum a"},
	{name: "mdfind", opts: "-name: -onlyin: -count -live -0 -literal -interpret", bits: text | single, good: "mdfind -name a"},
	{name: "mdls", opts: "-name: -raw", bits: named | single, good: "mdls a"},
	{name: "minikube", sub: "status|version|ip", opts: "-p: -o: --profile: --output:", max: 1, bits: text, good: "minikube status", bad: "minikube delete"},
	{name: "mise", sub: "ls|list|current|which|doctor|where|outdated", opts: "--json -c --current -i --installed", bits: text, good: "mise ls"},
	{name: "mix", sub: "format", opts: "--check-formatted --dry-run", bits: inTree, is: formatters, check: checkPaths, good: "mix format --check-formatted", bad: "mix format --dot-formatter /tmp/x"},
	{name: "mkdir", opts: "-p -v -m: --parents --verbose --mode:", is: scratch, check: checkScratch, good: "mkdir -p /tmp/x-a", bad: "mkdir src/x"},
	{name: "mktemp", opts: "-d -u -q -t: --directory --suffix:", is: scratch, max: 1, good: "mktemp -d", bad: "mktemp ./x.XXXXXX"},
	{name: "mount", max: 1, opts: "-l -t:", good: "mount", bad: "mount /dev/sda1 /mnt"},
	{name: "mv", opts: "-f -n -v -i -T -u --force --no-clobber --verbose", is: scratch, check: checkScratch, good: "mv /tmp/x-a /tmp/x-b", bad: "mv a /tmp/x-b"},
	{name: "mvn", opts: "-v --version", need: "-v --version", max: 1, bits: text, good: "mvn -v", bad: "mvn test"},
	{name: "mypy", opts: "--strict --ignore-missing-imports --pretty --show-error-codes --no-error-summary -p: -m: --follow-imports: --python-version: --no-incremental --warn-unused-ignores --disallow-untyped-defs --check-untyped-defs --show-column-numbers --no-color-output --namespace-packages --explicit-package-bases --exclude: --show-error-context -v --no-warn-unused-ignores --hide-error-codes --platform:", bits: inTree, is: formatters, check: checkPaths, good: "mypy api", bad: "mypy --config-file /tmp/x api"},
	{name: "mysql", opts: "-h: -P: -u: -D: -e: -t -N -B -E -s -v -q -X -H --host: --port: --user: --database: --execute: --table --batch --skip-column-names --silent --vertical --raw --ssl-mode:", is: localServices, bits: text, check: checkMysql, good: "mysql -h 127.0.0.1 -e 'select 1'", bad: "mysql -h localhost -e 'system id'"},
	{name: "mysqladmin", sub: "status|ping|version|processlist|variables|extended-status", opts: "-h: -P: -u: --host: --port: --user: --silent -s", is: localServices, bits: text, max: 1, check: checkLocalDB, good: "mysqladmin -h 127.0.0.1 status", bad: "mysqladmin -h 127.0.0.1 shutdown"},
	{name: "nawk", opts: "-F: -v:", bits: pattern, check: checkAwk, good: "nawk '{ print $1 }' a.txt", bad: "nawk -f p a.txt"},
	{name: "netstat", opts: "-a -n -t -u -l -p -r -i -s -e -4 -6 -v -o -f: -L -W", bits: text, good: "netstat -ltn"},
	{name: "nixfmt", opts: "-c --check -w: --width:", bits: inTree, is: formatters, check: checkPaths, good: "nixfmt --check a.nix", bad: "nixfmt /etc/x.nix"},
	{name: "nl", opts: "-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w:", bits: loose, good: "nl -ba a"},
	{name: "nm", opts: "-a -A -C -D -g -l -n -o -p -P -r -S -u -t: -U --demangle? --dynamic --defined-only --undefined-only --extern-only --numeric-sort --size-sort --print-size", good: "nm -C a", bad: "nm --plugin ./p a"},
	{name: "node", opts: "--version -v --help -h", need: "--version -v --help -h", max: 1, bits: text, good: "node --version", bad: "node x.js"},
	{name: "npm", sub: "ls|list|ll|la|view|info|show|v|outdated|explain|why|search|fund|root|prefix|bin|ping|query", opts: npmRead, bits: text | inTree, good: "npm ls --depth=0", bad: "npm publish"},
	{name: "npm", sub: "version|-v|--version", opts: "--json", max: 1, bits: text, good: "npm version --json", bad: "npm version patch"},
	{name: "npm", sub: "dist-tag ls|list", opts: "--json", bits: text, good: "npm dist-tag ls a", bad: "npm dist-tag add a@1 x"},
	{name: "npm", sub: "dist-tags ls|list", opts: "--json", bits: text, good: "npm dist-tags ls a"},
	{name: "npm", sub: "pkg get", opts: "--json -w: --workspace: --workspaces", bits: text | inTree, good: "npm pkg get version", bad: "npm pkg set a=b"},
	{name: "npm", sub: "config get", opts: "--json -g --global", bits: text, max: 2, check: checkAwsConfigure, good: "npm config get registry", bad: "npm config get //r.example.org/:_authToken"},
	{name: "npm", sub: "audit", opts: npmRead, bits: text | inTree, max: 1, good: "npm audit", bad: "npm audit fix"},
	{name: "npm", sub: "install|i|ci|update|up|uninstall|rm|prune|dedupe", opts: npmDry, need: "--dry-run", is: dryRuns, bits: text | inTree, check: checkDryValue, good: "npm install --dry-run", bad: "npm install --dry-run=false"},
	{name: "npm", sub: "test|t", opts: "-s --silent --if-present -w: --workspace: --workspaces", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "npm test", bad: "npm test --script-shell=./x"},
	{name: "npm", sub: "run build|test", opts: "-s --silent --if-present -w: --workspace: --workspaces", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "npm run build", bad: "npm run deploy"},
	{name: "npm", sub: "run-script build|test", opts: "-s --silent --if-present", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "npm run-script test"},
	{name: "nproc", opts: "--all --ignore:", max: 1, good: "nproc"},
	{name: "nslookup", opts: "-type:", bits: text | single, good: "nslookup example.org"},
	{name: "numfmt", opts: "--to: --from: --suffix: --padding: --field: -d: --header? --format: --grouping --round:", bits: text, good: "numfmt --to=iec 1024"},
	{name: "objdump", opts: "-d -D -f -h -p -r -s -S -t -T -x -C -l -j: -M: --disassemble? --syms --source --demangle? --section: --no-show-raw-insn --reloc --all-headers", good: "objdump -d a", bad: "objdump --debuginfod a"},
	{name: "od", opts: "-A: -a -b -c -d -f -i -j: -l -N: -o -s -t: -v -w? -x --address-radix: --skip-bytes: --read-bytes: --format: --width?", good: "od -c a"},
	{name: "openssl", sub: "x509|req|verify|crl", opts: "-in: -noout -subject -issuer -dates -startdate -enddate -fingerprint -sha256 -sha1 -serial -text -ext: -purpose -inform: -hash -pubkey -modulus -checkend: -CAfile: -CApath: -email -subject_hash -issuer_hash -alias -nameopt: -untrusted: -verbose", bits: single, max: 2, check: checkOpenssl, good: "openssl x509 -in a.crt -noout -subject", bad: "openssl x509 -in a.crt -out b.pem"},
	{name: "openssl", sub: "version|ciphers|list", opts: "-a -v -d -tls1_3 -digest-algorithms -commands", bits: single | text, good: "openssl version -a"},
	{name: "openssl", sub: "dgst", opts: "-sha256 -sha1 -sha512 -md5 -r -hex -c", bits: single, good: "openssl dgst -sha256 a", bad: "openssl dgst -sign k a"},
	{name: "oxlint", opts: "--fix -A: -D: -W: --quiet --max-warnings: --format: -f:", bits: inTree, is: formatters, check: checkPaths, good: "oxlint src", bad: "oxlint -c /tmp/x src"},
	{name: "paste", opts: "-d: -s -z --delimiters: --serial", good: "paste -sd, a"},
	{name: "patch", opts: "-p: -i: -d: -R -N -E -f -t -s -l -u --dry-run --strip: --input: --reverse --forward --verbose --silent -C --check --ignore-whitespace -F: --fuzz:", need: "--dry-run -C --check", is: dryRuns, check: checkPaths, good: "patch -p1 --dry-run -i a.diff", bad: "patch -p1 -i a.diff"},
	{name: "pathchk", bits: text, good: "pathchk a", opts: "-p -P"},
	{name: "pdffonts", max: 2, opts: "-f: -l:", good: "pdffonts a.pdf"},
	{name: "pdfinfo", opts: "-f: -l: -box -meta -isodates -rawdates", bits: single, max: 2, good: "pdfinfo a.pdf"},
	{name: "perl", opts: "-v --version -V", need: "-v --version -V", bits: text, max: 1, good: "perl -v", bad: "perl -e 1"},
	{name: "pg_dump", opts: dbHost + " -s -a -n: -t: -T: -c -C -O -x -F? --schema-only --data-only --schema: --table: --no-owner --no-privileges --clean --if-exists --inserts --column-inserts --exclude-table:", is: localServices, bits: text, check: checkLocalDB, good: "pg_dump -h localhost -s a", bad: "pg_dump -h localhost -f out a"},
	{name: "pg_isready", opts: dbHost, is: localServices, bits: text, check: checkLocalDB, good: "pg_isready -h localhost", bad: "pg_isready -h db.example.com"},
	{name: "pgrep", opts: "-a -c -d: -f -g: -i -l -n -o -P: -s: -t: -u: -U: -v -x --list-name --list-full --full --newest --oldest --count --parent: --exact", bits: text, good: "pgrep -fl node"},
	{name: "php", opts: "-v --version -m -i --ini", need: "-v --version -m", bits: text, max: 1, good: "php -v", bad: "php -r 'x'"},
	{name: "ping", opts: "-c: -W: -i: -q -n -4 -6 -t: -w:", bits: text, max: 2, need: "-c", good: "ping -c 1 example.org"},
	{name: "pip", sub: "list|show|freeze|check|index|debug", opts: "--outdated -o --uptodate -u --format: --local -l --user -f --files -v --verbose --not-required --exclude: --pre --disable-pip-version-check -q --no-color --no-input --editable -e", bits: text, good: "pip list --outdated", bad: "pip install a"},
	{name: "pip3", sub: "list|show|freeze|check|debug", opts: "--outdated -o --format: --local -l --user -f --files -v --disable-pip-version-check", bits: text, good: "pip3 list", bad: "pip3 install a"},
	{name: "pipx", sub: "list", opts: "--short --json", bits: text, max: 1, good: "pipx list"},
	{name: "pnpm", sub: "ls|list|ll|la|why|outdated|view|info|root|bin|licenses", opts: npmRead, bits: text | inTree, good: "pnpm ls", bad: "pnpm add a"},
	{name: "pnpm", sub: "audit", opts: npmRead, bits: text | inTree, max: 1, good: "pnpm audit", bad: "pnpm audit --fix"},
	{name: "pnpm", sub: "test|t|build", opts: "-s --silent --if-present -r --recursive", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "pnpm test", bad: "pnpm -C ../x test"},
	{name: "pnpm", sub: "run build|test", opts: "-s --silent --if-present -r --recursive", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "pnpm run build", bad: "pnpm run deploy"},
	{name: "podman", sub: "ps|images|info|version", opts: dockerLs, bits: text, good: "podman ps -a", bad: "podman rm a"},
	{name: "podman", sub: "logs", opts: "-f --follow -n --tail: -t --timestamps --since: --until:", bits: text, good: "podman logs --tail 5 a"},
	{name: "popd", max: 1, bits: text, good: "popd"},
	{name: "pr", opts: "-t -n? -w: -l: -o: -h: -d -m -2 -3", good: "pr -t a"},
	{name: "prettier", opts: "--check -c --write -w --list-different -l --log-level: --loglevel: --no-error-on-unmatched-pattern --ignore-unknown -u --cache --no-config --no-editorconfig --single-quote --no-semi --tab-width: --print-width: --trailing-comma: --parser: --color --no-color --stdin-filepath: --end-of-line: --prose-wrap: --use-tabs --no-plugin-search", bits: inTree, is: formatters, check: checkPaths, good: "prettier --check src", bad: "prettier --plugin /tmp/x.js src"},
	{name: "printenv", opts: "", bits: text, check: checkVar, good: "printenv LANG", bad: "printenv GITHUB_TOKEN"},
	{name: "printf", bits: text | named | late, good: "printf '%s\\n' a", bad: "printf -v 'a[0]' x"},
	{name: "prisma", sub: "validate|format|version", opts: "", max: 1, bits: inTree, is: formatters, good: "prisma validate", bad: "prisma validate --schema /tmp/x"},
	{name: "ps", check: checkPs, bits: text | single, good: "ps aux", bad: "ps auxe"},
	{name: "psql", opts: psqlOpts, is: localServices, bits: text, check: checkPsql, good: "psql -h localhost -c 'select 1'", bad: "psql -h localhost -c '\\! id'"},
	{name: "pstree", opts: "-a -c -g -h -l -n -p -s -t -u", bits: text, good: "pstree -p"},
	{name: "pushd", max: 2, bits: text, good: "pushd src"},
	{name: "pwd", opts: "-L -P", max: 1, good: "pwd"},
	{name: "pwdx", bits: text, good: "pwdx 12"},
	{name: "pyenv", sub: "versions|version|which|root", opts: "--bare", bits: text, good: "pyenv versions"},
	{name: "pylint", opts: "-E --errors-only --disable: --enable: -d: -e: -f: --output-format: -j: --jobs: --score: -sn -rn --reports: --msg-template: --ignore: --ignore-patterns: --max-line-length: --fail-under: --fail-on: --recursive:", bits: inTree, is: formatters, check: checkPaths, good: "pylint api", bad: "pylint --init-hook 'x' api"},
	{name: "pyright", opts: "--stats --verbose --warnings --outputjson --level: --pythonversion: --pythonplatform: --skipunannotated", bits: inTree, is: formatters, check: checkPaths, good: "pyright api", bad: "pyright -p /tmp/x"},
	{name: "pytest", opts: pytest, bits: inTree, is: buildTest, check: checkBuild, good: "pytest tests", bad: "pytest --basetemp=api"},
	{name: "python", opts: "--version -V -VV", need: "--version -V -VV", max: 1, bits: text, good: "python --version", bad: "python -c 1"},
	{name: "python3", opts: "--version -V -VV", need: "--version -V -VV", max: 1, bits: text, good: "python3 -V", bad: "python3 x.py"},
	{name: "read", opts: "-r -s -p: -d: -n: -N: -t: -u: -a:", bits: text, check: checkRead, good: "read -r a < b", bad: "read -r PATH < b"},
	{name: "readelf", opts: "-a -h -l -S -s -d -n -r -u -V -W -x: -p: --file-header --program-headers --sections --symbols --syms --dynamic --wide --all --notes", good: "readelf -h a"},
	{name: "readlink", opts: "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --no-newline", bits: named | loose, good: "readlink -f a"},
	{name: "realpath", opts: "-e -m -L -P -q -s -z --relative-to: --relative-base: --no-symlinks", bits: named | loose, good: "realpath a"},
	{name: "redis-cli", opts: "-h: -p: -n: --raw --no-raw --json --csv --no-auth-warning -2 -3 --scan --pattern: --count:", is: localServices, bits: text | late, check: checkRedis, good: "redis-cli -h 127.0.0.1 GET a", bad: "redis-cli -h 127.0.0.1 MODULE LOAD x"},
	{name: "rev", bits: loose, good: "rev a"},
	{name: "rg", opts: rgOpts, bits: pattern | num, check: checkGrep, good: "rg -n x src", bad: "rg --pre ./p x"},
	{name: "rm", opts: "-r -R -f -v -d --recursive --force --verbose", is: regenerable, check: checkRm, good: "rm -rf node_modules", bad: "rm -rf src"},
	{name: "rpm", opts: "-q -a -i -l -f -V? --query --all --qf: --queryformat:", need: "-q --query", bits: text, good: "rpm -qa", bad: "rpm -i a.rpm"},
	{name: "rsync", opts: "-a -v -n -r -z -h -i -u -c -t -l -p -g -o -D -H -x -P -q -W -O -J -C -A -X -E -m -L --dry-run --archive --verbose --recursive --compress --human-readable --itemize-changes --update --checksum --times --delete --delete-after --delete-before --delete-during --delete-excluded --exclude: --include: --filter: --stats --progress --partial --size-only --existing --ignore-existing --max-size: --min-size: --info: --no-perms --no-owner --no-group --omit-dir-times --prune-empty-dirs --list-only --inplace", need: "-n --dry-run", is: dryRuns, check: checkRsync, good: "rsync -an a/ b/", bad: "rsync -a a/ b/"},
	{name: "rubocop", opts: "-a -A -l -x --autocorrect --auto-correct --autocorrect-all --lint --parallel --only: --except: --display-cop-names -D --format: -f: --fail-level: --color --no-color", bits: inTree, is: formatters, check: checkPaths, good: "rubocop app", bad: "rubocop -r /tmp/x.rb app"},
	{name: "ruby", opts: "-v --version", need: "-v --version", max: 1, bits: text, good: "ruby -v", bad: "ruby x.rb"},
	{name: "ruff", sub: "check", opts: "--fix --no-fix --unsafe-fixes --diff --show-fixes --statistics --select: --ignore: --extend-select: --extend-ignore: --exclude: --extend-exclude: --output-format: --target-version: --line-length: -q -v -n --quiet --verbose --no-cache --preview --exit-zero --exit-non-zero-on-fix --force-exclude --show-files --per-file-ignores: --watch -w -s", bits: inTree, is: formatters, check: checkPaths, good: "ruff check api", bad: "ruff check -o f api"},
	{name: "ruff", sub: "format", opts: "--check --diff --line-length: --exclude: -q -v --quiet --no-cache --preview --target-version: --force-exclude", bits: inTree, is: formatters, check: checkPaths, good: "ruff format --check api", bad: "ruff format --config /tmp/x api"},
	{name: "rustc", opts: "--version -V -vV --print: --explain:", need: "--version -V -vV --print --explain", max: 1, bits: text, good: "rustc --version", bad: "rustc a.rs"},
	{name: "rustfmt", opts: "--check --edition: -q -v -l --color: --files-with-diff --emit:", bits: inTree, is: formatters, check: checkPaths, good: "rustfmt --check a.rs", bad: "rustfmt --config-path /tmp/x a.rs"},
	{name: "rustup", sub: "show|which|check", opts: "-v", bits: text, good: "rustup show", bad: "rustup update"},
	{name: "sed", opts: "-n -e: -E -r -s -u -z -l: --quiet --silent --expression: --regexp-extended --separate --unbuffered --null-data --line-length: --posix --debug", bits: pattern, check: checkSed, good: "sed -n 1,5p a", bad: "sed -i s/a/b/ c"},
	{name: "seq", opts: "-f: -s: -w --format: --separator: --equal-width", bits: text | num, good: "seq 1 5"},
	{name: "set", check: checkSet, bits: text | loose, good: "set -euo pipefail", bad: "set -x"},
	{name: "sha1sum", opts: "-b -t -c --check --quiet --status --tag", bits: loose, good: "sha1sum a"},
	{name: "sha256sum", opts: "-b -t -c --check --quiet --status --tag", bits: loose, good: "sha256sum a"},
	{name: "sha512sum", opts: "-b -t -c --check --quiet --status --tag", good: "sha512sum a"},
	{name: "shasum", opts: "-a: -b -t -c -s --algorithm: --check", good: "shasum -a 256 a"},
	{name: "shellcheck", opts: "-s: -S: -e: -f: -x -a -i: -C? --shell: --severity: --exclude: --format: --external-sources --color? --check-sourced --include: --enable: -o: --norc", bits: inTree, is: formatters, check: checkPaths, good: "shellcheck a.sh", bad: "shellcheck --rcfile /tmp/x a.sh"},
	{name: "shfmt", opts: "-d -l -w -i: -ci -bn -sr -kp -fn -s -ln: -f --diff --list --write --indent:", bits: inTree | single, is: formatters, check: checkPaths, good: "shfmt -d a.sh", bad: "shfmt -w /etc/x.sh"},
	{name: "shift", bits: text | loose, good: "shift"},
	{name: "shuf", opts: "-n: -e -i: -r -z --head-count: --echo --input-range: --repeat", good: "shuf -n 3 a", bad: "shuf -o f a"},
	{name: "sleep", bits: text, good: "sleep 1"},
	{name: "sort", opts: "-b -c? -C -d -f -g -h -i -k: -m -M -n -r -R -s -S: -t: -u -V -z --ignore-leading-blanks --check? --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --key: --merge --month-sort --numeric-sort --reverse --random-sort --stable --buffer-size: --field-separator: --unique --version-sort --zero-terminated --parallel: --sort: --debug", good: "sort -u a", bad: "sort -uo a a"},
	{name: "ss", opts: "-a -l -n -t -u -p -r -s -e -m -i -o -4 -6 -x -w -H -O --all --listening --numeric --tcp --udp --processes --summary --no-header", bits: text, good: "ss -ltn", bad: "ss -K dst 10.0.0.1"},
	{name: "stat", opts: "-c: -f: -L -t -x -s -l -n -q --format: --printf: --dereference --file-system --terse", bits: loose | named, good: "stat a"},
	{name: "staticcheck", opts: "-checks: -f: -tests? -go: -tags: -fail: -show-ignored -explain:", bits: inTree | single, is: formatters, check: checkPaths, good: "staticcheck ./...", bad: "staticcheck -debug.cpuprofile f ./..."},
	{name: "strings", opts: "-a -f -n: -o -t: -e: --all --bytes: --radix: --encoding:", bits: num, good: "strings -n 8 a"},
	{name: "stylelint", opts: "--fix --quiet -q --max-warnings: -f: --formatter: --cache --allow-empty-input --color --no-color --ignore-pattern: --report-needless-disables", bits: inTree, is: formatters, check: checkPaths, good: "stylelint 'src/**/*.css'", bad: "stylelint -o f src"},
	{name: "sum", opts: "-r -s", good: "sum a"},
	{name: "sw_vers", opts: "-productName -productVersion -buildVersion --productVersion", bits: single, max: 1, good: "sw_vers"},
	{name: "swiftformat", opts: "--lint --dryrun --quiet --verbose", bits: inTree, is: formatters, check: checkPaths, good: "swiftformat --lint Sources", bad: "swiftformat --config /tmp/x Sources"},
	{name: "sysctl", opts: "-a -n -e -N", bits: text, check: checkVar, good: "sysctl -n kern.ostype", bad: "sysctl -w a=1"},
	{name: "systemctl", sub: "status|is-active|is-enabled|is-failed|list-units|list-timers|list-unit-files|list-sockets|list-dependencies|cat|--failed", opts: "--no-pager -l -n: --lines: --all -a --type: -t: --state: --user --system --full --no-legend --plain --failed -q --quiet --reverse -o: --output:", bits: text, good: "systemctl status a", bad: "systemctl stop a"},
	{name: "tac", opts: "-b -r -s: --before --regex --separator:", bits: loose, good: "tac a"},
	{name: "tail", opts: "-c: -n: -q -v -z -r --bytes: --lines: --quiet --silent --verbose", bits: num | plus, good: "tail -n 5 a", bad: "tail -f a"},
	{name: "taplo", sub: "fmt|format|lint|check", opts: "--check --diff", bits: inTree, is: formatters, check: checkPaths, good: "taplo fmt --check", bad: "taplo fmt -c /tmp/x"},
	{name: "tar", check: checkTar, bits: text, good: "tar -tzf a.tgz", bad: "tar -xzf a.tgz"},
	{name: "tasklist", max: 1, good: "tasklist"},
	{name: "tee", opts: "-a -i --append", is: scratch, check: checkScratch, good: "ls | tee /tmp/x-a", bad: "ls | tee a"},
	{name: "terraform", sub: "plan", opts: "-no-color -lock: -lock=false -input: -input=false -refresh: -refresh=false -refresh-only -compact-warnings -detailed-exitcode -target: -var: -destroy -parallelism: -lock-timeout: -json -replace: -concise", bits: single | text | inTree, max: 1, good: "terraform plan -no-color", bad: "terraform plan -out=f"},
	{name: "terraform", sub: "state list", opts: "-id:", bits: single | text | inTree, good: "terraform state list", bad: "terraform state rm a"},
	{name: "terraform", sub: "workspace list|show", bits: single | text | inTree, max: 1, good: "terraform workspace list", bad: "terraform workspace delete a"},
	{name: "terraform", sub: "version|providers|graph", opts: "-json -type:", bits: single | text | inTree, max: 1, good: "terraform version", bad: "terraform providers lock"},
	{name: "terraform", sub: "fmt", opts: "-check -recursive -diff -write: -write=false -list: -list=false -no-color", bits: single | inTree, is: formatters, check: checkPaths, good: "terraform fmt -check", bad: "terraform fmt /etc"},
	{name: "terraform", sub: "validate", opts: "-json -no-color", bits: single | inTree, is: formatters, check: checkPaths, max: 1, good: "terraform validate"},
	{name: "test", check: checkTest, bits: loose | named | text, good: "test -f a", bad: "test -v 'a[$(id)]'"},
	{name: "tflint", opts: "--recursive --format: --color --no-color --minimum-failure-severity:", bits: inTree, is: formatters, max: 1, good: "tflint --recursive", bad: "tflint -c /tmp/x"},
	{name: "timedatectl", sub: "status|show|list-timezones", opts: "--no-pager", max: 1, bits: text, good: "timedatectl status", bad: "timedatectl set-ntp true"},
	{name: "tldr", opts: "-p: --platform:", bits: text, good: "tldr tar"},
	{name: "tokei", opts: "-e: -f -s: -t: -o: --exclude: --files --sort: --type: --output: --hidden -C", bits: deep, good: "tokei src"},
	{name: "top", opts: "-b -n: -l: -o: -p: -c -H", bits: text, need: "-b -l", max: 1, good: "top -b -n 1", bad: "top"},
	{name: "touch", opts: "-a -c -m --no-create", is: scratch, check: checkScratch, good: "touch /tmp/x-a", bad: "touch src/a"},
	{name: "tput", sub: "cols|lines|colors|bold|sgr0|setaf", bits: text, good: "tput cols"},
	{name: "tr", opts: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1", bits: text | loose, good: "tr a-z A-Z"},
	{name: "tree", opts: "-a -C -d -D -f -F -g -h -i -I: -J -l -L: -n -N -p -P: -q -r -s -S -t -u -U -v -X --dirsfirst --du --filelimit: --gitignore --noreport --prune --si --sort: --charset: --matchdirs --ignore-case --inodes --device --timefmt: --metafirst --fromfile --info --hintro:", bits: named | deep, good: "tree -L 2", bad: "tree -o f"},
	{name: "true", bits: loose | text, good: "true"},
	{name: "tsc", opts: "--noEmit? -p: --project: --pretty? --skipLibCheck? --strict? --watch -w --incremental? --listFiles --showConfig --traceResolution --explainFiles --jsx: --target: --module: --moduleResolution: --esModuleInterop? --allowJs? --checkJs? --resolveJsonModule? --lib: --extendedDiagnostics --diagnostics", bits: inTree, is: formatters, check: checkTsc, good: "tsc --noEmit", bad: "tsc"},
	{name: "tsort", max: 2, good: "tsort a"},
	{name: "tty", opts: "-s", max: 1, good: "tty"},
	{name: "type", opts: "-a -t -p -P -f", bits: text | named | loose, good: "type ls"},
	{name: "ulimit", opts: "-a -n -u -s -H -S", max: 1, bits: text, good: "ulimit -a", bad: "ulimit -n 5"},
	{name: "umask", opts: "-S -p", max: 1, bits: text, good: "umask", bad: "umask 0"},
	{name: "uname", opts: "-a -s -n -r -v -m -p -i -o --all --kernel-name --machine --operating-system --kernel-release", max: 1, good: "uname -a"},
	{name: "unexpand", opts: "-a -t: --all --tabs: --first-only", good: "unexpand a"},
	{name: "uniq", opts: "-c -d -D -f: -i -s: -u -w: -z --count --repeated --all-repeated? --skip-fields: --ignore-case --skip-chars: --unique --check-chars: --group?", max: 2, good: "uniq -c a", bad: "uniq a b"},
	{name: "units", bits: text, good: "units 1km m", opts: "-t"},
	{name: "unset", bits: text, opts: "-v", check: checkRead, good: "unset foo", bad: "unset PATH"},
	{name: "unxz", opts: "-c -t -l --stdout --test --list", need: "-c -t -l --stdout --test --list", good: "unxz -c a.xz", bad: "unxz a.xz"},
	{name: "unzip", opts: "-l -v -t -p -Z -q -1", need: "-l -v -t -p -Z", good: "unzip -l a.zip", bad: "unzip a.zip"},
	{name: "uptime", opts: "-p -s --pretty --since", max: 1, good: "uptime"},
	{name: "users", max: 1, good: "users"},
	{name: "uv", sub: "pip list|show|freeze|check|tree", opts: "--outdated --format: -q", bits: text | inTree, good: "uv pip list", bad: "uv pip install a"},
	{name: "uv", sub: "tree", opts: "--depth: --frozen --locked --outdated --invert --package: -q", need: "--frozen --locked", bits: text | inTree, good: "uv tree --frozen", bad: "uv tree"},
	{name: "uv", sub: "python list|find", opts: "--only-installed", bits: text | inTree, good: "uv python list", bad: "uv python install 3"},
	{name: "uv", sub: "version|--version", bits: text, max: 1, good: "uv --version"},
	{name: "vmstat", opts: "-a -s -S: -t -w -d -n -D", bits: text, good: "vmstat 1 2"},
	{name: "w", opts: "-h -s -f", max: 1, good: "w"},
	{name: "wait", opts: "-n -f -p:", bits: text, good: "wait"},
	{name: "wc", opts: "-c -l -m -w -L --bytes --chars --lines --words --max-line-length --total:", bits: named | loose, good: "wc -l a", bad: "wc --files0-from=f"},
	{name: "whatis", bits: text, good: "whatis ls", opts: "-s: -l"},
	{name: "whereis", bits: text, opts: "-b -m -s", good: "whereis ls"},
	{name: "which", opts: "-a -s --all", bits: text | named | loose, good: "which ls"},
	{name: "who", opts: "-a -b -q -r -u -H -m", max: 1, good: "who -b"},
	{name: "whoami", max: 1, good: "whoami"},
	{name: "xmllint", opts: "--format --xpath: --noout --valid --schema: --nowarning --recover --html --huge --nonet --pretty:", good: "xmllint --noout a.xml", bad: "xmllint -o f a.xml"},
	{name: "xxd", opts: "-a -b -c: -C -e -E -g: -i -l: -o: -p -s: -u -d -ps -plain -postscript", max: 2, good: "xxd a", bad: "xxd -r a b"},
	{name: "xz", opts: "-c -d -l -t -k -v --stdout --list --test --decompress", need: "-c -l -t --stdout --list --test", good: "xz -dc a.xz", bad: "xz a"},
	{name: "xzcat", good: "xzcat a.xz"},
	{name: "xzgrep", opts: grepOpts, bits: pattern, check: checkGrep, good: "xzgrep x a.xz"},
	{name: "yamllint", opts: "-s -f: -d: --strict --format: --no-warnings --list-files", bits: inTree, is: formatters, check: checkPaths, good: "yamllint k8s", bad: "yamllint -c /tmp/x k8s"},
	{name: "yarn", sub: "list|why|info|outdated|--version|-v|versions", opts: "--depth: --pattern: --json --silent -s -A --all -R --recursive --prod --production", bits: text | inTree, good: "yarn list", bad: "yarn add a"},
	{name: "yarn", sub: "test|build", opts: "-s --silent", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "yarn test", bad: "yarn --cwd ../x test"},
	{name: "yarn", sub: "run build|test", opts: "-s --silent", max: 1, bits: inTree, is: buildTest, check: checkBuild, good: "yarn run build", bad: "yarn run deploy"},
	{name: "yes", bits: text | loose, good: "yes | head -1"},
	{name: "yq", sub: "", opts: "-r -e -P -o: -p: -j -y -Y -c -C -M -N -n -I: --raw-output --exit-status --prettyPrint --output-format: --input-format: --colors --no-colors --no-doc --null-input --unwrapScalar? --indent: --tojson --yaml-output", bits: pattern, check: checkYq, good: "yq .a b.yaml", bad: "yq -i '.a = 1' b.yaml"},
	{name: "zcat", opts: "-f", good: "zcat a.gz"},
	{name: "zcmp", good: "zcmp a.gz b.gz"},
	{name: "zdiff", opts: diffOpts, good: "zdiff a.gz b.gz"},
	{name: "zegrep", opts: grepOpts, bits: pattern, check: checkGrep, good: "zegrep x a.gz"},
	{name: "zgrep", opts: grepOpts, bits: pattern | num, check: checkGrep, good: "zgrep x a.gz"},
	{name: "zig", sub: "fmt", opts: "--check", bits: inTree, is: formatters, check: checkPaths, good: "zig fmt --check src", bad: "zig fmt /etc"},
	{name: "zipinfo", opts: "-1 -2 -s -m -l -v -h -t -z -M", good: "zipinfo -1 a.zip"},
	{name: "zless", opts: "-F -R -X -N -S", check: checkLess, good: "zless a.gz | head"},
	{name: "zstd", opts: "-d -c -l -t -q --stdout --decompress --list --test", need: "-c -l -t --stdout --list --test", good: "zstd -dc a.zst", bad: "zstd a"},
	{name: "zstdcat", good: "zstdcat a.zst"},
}

// known are programs whose --help and --version only print, beside those that
// have a row.
const known = " adduser ansible ant bash bazel brew buck bun bundle bunx cargo chmod chown clang cmake composer conda ctest dotnet elixir erl ffmpeg flutter gcc g++ gdb ghc gradle helm kotlin kubectl lua make mvn mysql ninja nix node npm npx nvm ocaml openssl perl php pip pip3 pipenv pnpm podman poetry psql pulumi python python3 R redis-server ruby rustc rustup scala sh sqlite3 ssh swift terraform tofu tsc uv vim wget xargs yarn zig zsh deno gunicorn jest vitest vite webpack eslint prettier next nest ng rails rake rspec django-admin flask uvicorn hugo jekyll "

func isKnown(name string) bool {
	return find(name) >= 0 || strings.Contains(known, " "+name+" ")
}

// find is the index of the first row of a program, or -1.
func find(name string) int {
	lo, hi := 0, len(rows)
	for lo < hi {
		mid := (lo + hi) / 2
		if rows[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(rows) && rows[lo].name == name {
		return lo
	}
	return -1
}

// globals are the options that may stand between a program and its subcommand.
func globals(name string) string {
	switch name {
	case "aws":
		return awsOpts
	case "gcloud":
		return gcOpts
	case "az":
		return azOpts
	case "kubectl":
		return kubeOpts
	case "docker":
		return "--context: -c: -l: --log-level:"
	case "helm":
		return "-n: --namespace: --kube-context: --debug"
	case "terraform":
		return "-chdir:"
	case "apt-get":
		return "-s --simulate --dry-run --just-print -y -q -qq"
	case "npm":
		return "-s --silent -w: --workspace: --workspaces"
	case "pnpm":
		return "-r --recursive -s --silent --filter:"
	case "cargo":
		return "-q -v --locked --offline --frozen"
	case "mysqladmin":
		return "-h: -P: -u: --host: --port: --user: --silent -s"
	case "systemctl":
		return "--no-pager --user --system --all -a"
	case "ip":
		return "-4 -6 -br -c -s -j"
	}
	return ""
}
