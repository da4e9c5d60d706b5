package redline

import "strings"

// registryTable: what is published, beside the package managers that have rows of
// both kinds and stand in packageTable.
var registryTable = []Program{
	{Name: "twine", Value: "-r --repository --repository-url -u --username -p --password -c --comment --config-file --cert", Rows: []Row{
		{Path: "upload|register", kinds: outw, Why: "publishes a package", Charged: `twine upload dist/*`, Free: `twine check dist/*`},
	}},
	{Name: "flit", Also: []string{"hatch", "maturin"}, Rows: []Row{
		{Path: "publish|upload", Not: "--dry-run", kinds: outw, Why: "publishes a package", Charged: `hatch publish`, Free: `hatch build`},
	}},
	{Name: "lerna", Also: []string{"changeset", "shipjs", "auto", "beachball", "rush"}, Rows: []Row{
		{Path: "publish|release|shipit", Not: "--dry-run", kinds: outw, Why: "publishes packages", Charged: `lerna publish --yes`, Free: `lerna run build`},
	}},
	{Name: "semantic-release", Also: []string{"release-it", "np", "standard-version-publish"}, Rows: []Row{
		{Not: "-d --dry-run --dryRun --preview", kinds: outw, Why: "publishes a release", Charged: `semantic-release`, Free: `semantic-release --dry-run`},
	}},
	{Name: "jsr", Also: []string{"wasm-pack", "vsce", "ovsx", "changesets"}, Rows: []Row{
		{Path: "publish|unpublish", Not: "--dry-run", kinds: outw, Why: "publishes a package", Charged: `vsce publish minor`, Free: `vsce package`},
	}},
	{Name: "goreleaser", Rows: []Row{
		{Path: "release|publish|continue", Not: "--snapshot --skip-publish", When: func(l *line) bool {
			skip := false
			l.each("--skip", func(a arg) { skip = skip || strings.Contains(a.text, "publish") })
			return !skip
		}, kinds: outw, Why: "publishes a release", Charged: `goreleaser release --clean`, Free: `goreleaser release --snapshot --clean`},
	}},
	{Name: "mvn", Also: []string{"mvnw", "mvnd"}, Value: "-f --file -pl --projects -P -s --settings", Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops {
				if either("deploy|release:perform|release:prepare|deploy:deploy-file|site-deploy|nexus-staging:release", a.text) {
					return !mavenDry(l)
				}
			}
			return false
		}, kinds: outw, Why: "deploys an artifact", Charged: `mvn -B deploy`, Free: `mvn -B verify`},
	}},
	{Name: "gradle", Also: []string{"gradlew"}, Value: "-p --project-dir -b -c -x --exclude-task --tests", Rows: []Row{
		{Not: "-m --dry-run", When: func(l *line) bool {
			for _, a := range l.ops {
				t := a.text[strings.LastIndexByte(a.text, ':')+1:]
				if strings.HasPrefix(t, "publish") && !strings.HasSuffix(t, "ToMavenLocal") || t == "uploadArchives" || t == "closeAndReleaseRepository" {
					return true
				}
			}
			return false
		}, kinds: outw, Why: "publishes an artifact", Charged: `./gradlew publish`, Free: `./gradlew publishToMavenLocal`},
	}},
	{Name: "sbt", Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops {
				if either("publish|publishSigned|sonatypeRelease|release", a.text) {
					return true
				}
			}
			return false
		}, kinds: outw, Why: "publishes an artifact", Charged: `sbt publish`, Free: `sbt publishLocal`},
	}},
	{Name: "lein", Rows: []Row{{Path: "deploy", kinds: outw, Why: "publishes an artifact", Charged: `lein deploy clojars`, Free: `lein test`}}},
	{Name: "pod", Rows: []Row{
		{Path: "trunk push|deprecate|delete", kinds: outw, Why: "publishes a pod", Charged: `pod trunk push Sum.podspec`, Free: `pod install`},
		{Path: "repo push", kinds: outw, Why: "publishes a pod", Charged: `pod repo push specs Sum.podspec`, Free: `pod repo update`},
	}},
	{Name: "cpan-upload", Rows: []Row{{Target: some, Not: "-n --dry-run", kinds: outw, Why: "publishes a distribution", Charged: `cpan-upload Sum-1.0.tar.gz`, Free: `cpan-upload --help`}}},
	{Name: "huggingface-cli", Also: []string{"hf"}, Rows: []Row{
		{Path: "upload|upload-large-folder", kinds: outw, Why: "uploads to a hub", Charged: `hf upload example/sum ./model`, Free: `hf download example/sum`},
		{Path: "repo create|delete|tag", kinds: outw, Why: "changes a repository at the hub", Charged: `hf repo create sum`, Free: `hf repo list`},
		{Path: "repo delete", kinds: irr, Why: "deletes a repository", Charged: `hf repo delete sum`, Free: `hf repo list`},
	}},
	{Name: "anaconda", Rows: []Row{{Path: "upload", kinds: outw, Why: "publishes a package", Charged: `anaconda upload sum.conda`, Free: `anaconda search sum`}}},
	{Name: "fastlane", Rows: []Row{{When: func(l *line) bool {
		for _, a := range l.ops {
			if either("deliver|pilot|supply|release|upload_to_testflight|upload_to_app_store|upload_to_play_store|beta|testflight", a.text) {
				return true
			}
		}
		return false
	}, kinds: outw, Why: "sends a build to a store", Charged: `fastlane pilot upload`, Free: `fastlane scan`}}},
	{Name: "eas", Also: []string{"expo"}, Rows: []Row{{Path: "submit|update|publish|deploy", kinds: outw, Why: "sends a build out", Charged: `eas submit -p ios`, Free: `eas build:list`}}},
}

func mavenDry(l *line) bool {
	for _, o := range l.args {
		if o.text == "-DdryRun=true" || o.text == "-Dmaven.deploy.skip=true" || o.text == "-DskipDeploy" {
			return true
		}
	}
	return false
}

// npmRows are npm's and pnpm's, which differ in what -w is: a workspace's name
// there, the root of the workspace here.
var npmRows = []Row{
	{Path: "install|i|add|in|ins|isntall|link|ln", Not: "--dry-run", Target: named, kinds: dep, Why: "adds a package",
		Charged: `npm install ky`, Free: `npm install --prefix ./web`},
	{Path: "exec|x|create|init|dlx", Not: "--no --no-install", When: fetches, kinds: dep, Why: "fetches a package and runs it",
		Charged: `npm create vite@latest shop`, Free: `npm init -y`},
	{Path: "pkg set", When: func(l *line) bool {
		for _, a := range l.ops {
			k, _, _ := strings.Cut(a.text, "=")
			k, _, _ = strings.Cut(k, ".")
			if strings.HasSuffix(strings.ToLower(k), "dependencies") {
				return true
			}
		}
		return false
	}, kinds: dep, Why: "adds an entry to the manifest", Charged: `npm pkg set dependencies.ky=^1.2.0`, Free: `npm pkg set scripts.lint=eslint`},
	{Path: "publish|unpublish|deprecate|star", Not: "--dry-run", kinds: outw, Why: "publishes to the registry",
		Charged: `npm publish --access restricted`, Free: `npm publish --dry-run`},
	{Path: "unpublish", Not: "--dry-run", kinds: irr, Why: "takes a published version away", Charged: `npm unpublish shop@1.0.0`, Free: `npm unpublish --dry-run shop@1.0.0`},
	{Path: "dist-tag|dist-tags add|rm|set", kinds: outw, Why: "changes a tag at the registry", Charged: `npm dist-tag add shop@1.4.0 latest`, Free: `npm dist-tag ls shop`},
	{Path: "owner|access|team|token|org|hook add|rm|set|grant|revoke|create|destroy", kinds: outw, Why: "changes rights at the registry", Charged: `npm owner add dev shop`, Free: `npm owner ls shop`},
}

// packageTable: package managers; what enters the tree, and what they publish.
var packageTable = []Program{
	{Name: "npm", Also: []string{"cnpm"}, Value: npmValues + " -w", Rows: npmRows},
	{Name: "pnpm", Value: npmValues, Rows: npmRows},
	{Name: "yarn", Value: "--cwd --registry --cache-folder --modules-folder --mutex", Rows: []Row{
		{Path: "up|upgrade", With: "--latest", Target: named, kinds: dep, Why: "takes a version in that was not declared", Charged: `yarn upgrade zod --latest`, Free: `yarn upgrade zod`},
		{Path: "add", Value: "-p --package", Target: named, kinds: dep, Why: "adds a package", Charged: `yarn add zod`, Free: `yarn install --frozen-lockfile`},
		{Path: "global add", Target: named, kinds: dep, Why: "adds a package", Charged: `yarn global add serve`, Free: `yarn global list`},
		{Path: "dlx|create", When: fetches, kinds: dep, Why: "fetches a package and runs it", Charged: `yarn dlx cowsay hi`, Free: `yarn run build`},
		{Path: "publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `yarn publish`, Free: `yarn pack`},
		{Path: "npm publish|tag|unpublish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `yarn npm publish`, Free: `yarn npm info zod`},
	}},
	{Name: "bun", Value: "--cwd -c --config --registry --filter", Rows: []Row{
		{Path: "add|install|i|a", Not: "--dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `bun add zod`, Free: `bun install`},
		{Path: "x|create", When: fetches, kinds: dep, Why: "fetches a package and runs it", Charged: `bun x cowsay@latest`, Free: `bun x tsc`},
		{Path: "publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `bun publish`, Free: `bun publish --dry-run`},
	}},
	{Name: "deno", Value: "-c --config --import-map --lock -n --name --root", Rows: []Row{
		{Path: "add|install|i", Target: named, kinds: dep, Why: "adds a package", Charged: `deno add jsr:@std/path`, Free: `deno task build`},
		{Path: "publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `deno publish`, Free: `deno publish --dry-run`},
		{Path: "deploy", kinds: outw, Why: "deploys", Charged: `deno deploy`, Free: `deno check main.ts`},
	}},
	{Name: "npx", Also: []string{"bunx", "pnpx"}, Value: "-p --package -c --call -w --workspace", Rows: []Row{
		{Not: "--no --no-install --offline", When: fetches, kinds: dep, Why: "fetches a package and runs it", Charged: `npx -y some-tool@latest`, Free: `npx tsc --noEmit`},
	}},
	{Name: "uvx", Value: "--from --with --python -p --index-url --refresh-package", Rows: []Row{
		{When: fetches, kinds: dep, Why: "fetches a package and runs it", Charged: `uvx --from black==24.1 black .`, Free: `uvx ruff check`},
	}},
	{Name: "pip", Value: pipValues, Rows: []Row{
		{Path: "install|download", Not: "--dry-run", When: pipNamed, kinds: dep, Why: "adds a package", Charged: `pip install requests==2.32.0`, Free: `pip install -r requirements.txt`},
	}},
	{Name: "pipx", Value: "--python --pip-args --suffix --index-url --spec", Rows: []Row{
		{Path: "install|inject|install-all", Target: named, kinds: dep, Why: "adds a package", Charged: `pipx install black`, Free: `pipx list`},
		{Path: "run", When: func(l *line) bool {
			_, spec := l.value("--spec")
			return spec || strings.Contains(l.op(0), "==") || strings.Contains(l.op(0), "@")
		}, kinds: dep, Why: "fetches a package and runs it", Charged: `pipx run --spec black==24.1 black .`, Free: `pipx run black .`},
	}},
	{Name: "uv", Value: pipValues + " --group --extra --package --project --directory --with --from --script --tag --rev --branch", Rows: []Row{
		{Path: "add", Not: "--dry-run", When: pipNamed, kinds: dep, Why: "adds a package", Charged: `uv add httpx`, Free: `uv sync`},
		{Path: "pip install", Not: "--dry-run", When: pipNamed, kinds: dep, Why: "adds a package", Charged: `uv pip install rich`, Free: `uv pip install -r requirements.txt`},
		{Path: "tool install", Target: named, kinds: dep, Why: "adds a package", Charged: `uv tool install ruff`, Free: `uv tool list`},
		{Path: "run", When: func(l *line) bool { _, ok := l.value("--with"); return ok }, kinds: dep, Why: "fetches a package and runs with it", Charged: `uv run --with rich report.py`, Free: `uv run python tools/gen_schema.py`},
		{Path: "publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `uv publish`, Free: `uv build`},
	}},
	{Name: "poetry", Also: []string{"pdm", "rye"}, Value: "-G --group -E --extras --source -C --directory -P --project --python --platform -p --path -r --repository -u -w", Rows: []Row{
		{Path: "add", Not: "--dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `poetry add --group dev pytest-cov`, Free: `poetry install --no-root`},
		{Path: "self add", Target: named, kinds: dep, Why: "adds a package", Charged: `poetry self add poetry-plugin-export`, Free: `poetry self show`},
		{Path: "publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `poetry publish --build`, Free: `poetry publish --dry-run`},
	}},
	{Name: "pipenv", Value: "--python -r --requirements -i --index --pypi-mirror --categories", Rows: []Row{
		{Path: "install", Target: named, kinds: dep, Why: "adds a package", Charged: `pipenv install requests`, Free: `pipenv install --dev`},
	}},
	{Name: "conda", Also: []string{"mamba", "micromamba"}, Value: "-n --name -p --prefix -c --channel -f --file --solver", Rows: []Row{
		{Path: "install|create|update", Not: "-d --dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `conda install -n web numpy`, Free: `conda env create -f environment.yml`},
	}},
	{Name: "pixi", Value: "-f --feature --platform --manifest-path", Rows: []Row{
		{Path: "add", Target: named, kinds: dep, Why: "adds a package", Charged: `pixi add numpy`, Free: `pixi install`},
	}},
	{Name: "cargo", Value: "-p --package --manifest-path --features -F --target --target-dir -j --jobs --git --branch --tag --rev --version --registry --path --root --bin --profile --rename --token -Z --index --config -C", Rows: []Row{
		{Path: "add", Not: "--dry-run -n", When: func(l *line) bool { _, p := l.value("--path"); return !p && (l.namesPackage() || l.value1("--git")) }, kinds: dep, Why: "adds a crate",
			Charged: `cargo add chrono --features serde`, Free: `cargo build`},
		{Path: "install|binstall", Not: "--list --dry-run", When: func(l *line) bool { _, p := l.value("--path"); return !p && (l.namesPackage() || l.value1("--git")) }, kinds: dep, Why: "installs a crate",
			Charged: `cargo install ripgrep`, Free: `cargo install --path .`},
		{Path: "publish|yank|owner|release", Not: "-n --dry-run", kinds: outw, Why: "publishes to the registry", Charged: `cargo publish -p ledger-core`, Free: `cargo publish --dry-run`},
	}},
	{Name: "go", Style: dash, Value: "-C -mod -modfile -tags -o -ldflags -run -bench", Rows: []Row{
		{Path: "get", When: goNamed, kinds: dep, Why: "adds a module", Charged: `go get github.com/example/tally@v0.3.1`, Free: `go get ./...`},
		{Path: "get", With: "-u -u=patch", kinds: dep, Why: "takes newer versions in", Charged: `go get -u ./...`, Free: `go get -t ./...`},
		{Path: "install", When: goNamed, kinds: dep, Why: "installs a module", Charged: `go install github.com/example/tally/cmd/tally@latest`, Free: `go install ./cmd/tally`},
		{Path: "run", When: func(l *line) bool { return strings.Contains(l.op(0), "@") }, kinds: dep, Why: "fetches a module and runs it", Charged: `go run github.com/example/tally@latest`, Free: `go run ./cmd/tally`},
		{Path: "mod edit", With: "-require", kinds: dep, Why: "adds an entry to the manifest", Charged: `go mod edit -require=example.test/sum@v1.0.0`, Free: `go mod tidy`},
	}},
	{Name: "R", Also: []string{"Rscript", "julia", "r"}, Value: "-e --eval -E --print", Rows: []Row{
		{When: installsInCode, kinds: dep, Why: "adds a package", Charged: `Rscript -e 'install.packages("dplyr")'`, Free: `Rscript -e 'summary(cars)'`},
	}},
	{Name: "gem", Value: "-v --version -s --source -i --install-dir -n --bindir -P -k --key --host", Rows: []Row{
		{Path: "install|i", Not: "--explain", Target: named, kinds: dep, Why: "adds a gem", Charged: `gem install rake`, Free: `gem list`},
		{Path: "push|yank|owner", kinds: outw, Why: "publishes to the registry", Charged: `gem push ledger-0.4.1.gem`, Free: `gem build ledger.gemspec`},
		{Path: "yank", kinds: irr, Why: "takes a published version away", Charged: `gem yank ledger -v 0.4.1`, Free: `gem search ledger`},
	}},
	{Name: "bundle", Value: "-g --group -v --version -s --source --gemfile --path", Rows: []Row{
		{Path: "add", Target: named, kinds: dep, Why: "adds a gem", Charged: `bundle add rake`, Free: `bundle install`},
	}},
	{Name: "composer", Value: "-d --working-dir", Rows: []Row{
		{Path: "require|req|r", Not: "--dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `composer require monolog/monolog`, Free: `composer install`},
		{Path: "global require", Not: "--dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `composer global require laravel/installer`, Free: `composer global show`},
		{Path: "create-project", Target: some, kinds: dep, Why: "fetches a package and runs its set-up", Charged: `composer create-project laravel/laravel shop`, Free: `composer validate`},
	}},
	{Name: "dotnet", Value: "-v --version -s --source -f --framework -k --api-key -o --output -c --configuration --project -p --startup-project", Rows: []Row{
		{Path: "add", When: func(l *line) bool {
			for _, a := range l.ops {
				if a.text == "package" {
					return true
				}
			}
			return false
		}, kinds: dep, Why: "adds a package", Charged: `dotnet add src/Shop package Serilog`, Free: `dotnet add src/Shop reference src/Sum`},
		{Path: "package add", Target: named, kinds: dep, Why: "adds a package", Charged: `dotnet package add Serilog`, Free: `dotnet restore`},
		{Path: "tool install", Target: named, kinds: dep, Why: "installs a tool", Charged: `dotnet tool install -g dotnet-ef`, Free: `dotnet tool restore`},
		{Path: "new install", Target: named, kinds: dep, Why: "installs a template", Charged: `dotnet new install Example.Templates`, Free: `dotnet new console`},
		{Path: "nuget push|delete", kinds: outw, Why: "publishes to the registry", Charged: `dotnet nuget push shop.nupkg -k x`, Free: `dotnet pack`},
		{Path: "nuget delete", kinds: irr, Why: "takes a published version away", Charged: `dotnet nuget delete Shop 1.0.0`, Free: `dotnet nuget locals all --list`},
		{Path: "ef database drop", Not: "--dry-run", kinds: irr, Why: "drops a database", Charged: `dotnet ef database drop --force`, Free: `dotnet ef database update`},
	}},
	{Name: "nuget", Rows: []Row{
		{Path: "install", Value: "-OutputDirectory -Source -Version", Target: named, kinds: dep, Why: "adds a package", Charged: `nuget install Serilog`, Free: `nuget restore`},
		{Path: "push|delete", kinds: outw, Why: "publishes to the registry", Charged: `nuget push shop.nupkg`, Free: `nuget pack`},
	}},
	{Name: "apt", Also: []string{"apt-get", "aptitude"}, Value: "-o --option -t --target-release -c --config-file", Rows: []Row{
		{Path: "install|reinstall|build-dep", Not: "-s --simulate --dry-run --just-print --no-act -d --download-only", Target: some, kinds: dep, Why: "installs a system package", Charged: `sudo apt-get install -y jq`, Free: `sudo apt-get update`},
	}},
	{Name: "dnf", Also: []string{"yum", "microdnf", "tdnf", "zypper"}, Value: "-c --config --enablerepo --disablerepo --setopt --releasever -r --repo", Rows: []Row{
		{Path: "install|in|localinstall|groupinstall|reinstall", Not: "--assumeno -D --dry-run --downloadonly", Target: some, kinds: dep, Why: "installs a system package", Charged: `dnf install -y jq`, Free: `dnf check-update`},
	}},
	{Name: "apk", Value: "-p --root -X --repository -t --virtual --arch", Rows: []Row{
		{Path: "add", Not: "-s --simulate", Target: some, kinds: dep, Why: "installs a system package", Charged: `apk add --no-cache jq`, Free: `apk update`},
	}},
	{Name: "pacman", Also: []string{"yay", "paru"}, Value: "-r --root -b --dbpath --config", Rows: []Row{
		{With: "-S --sync -U --upgrade", Not: "-s -i -p --search --info --print", Target: some, kinds: dep, Why: "installs a system package", Charged: `pacman -S --noconfirm jq`, Free: `pacman -Ss jq`},
	}},
	{Name: "dpkg", Rows: []Row{
		{With: "-i --install", Not: "--dry-run --no-act --simulate", Target: some, kinds: dep, Why: "installs a system package", Charged: `dpkg -i jq.deb`, Free: `dpkg -l`},
	}},
	{Name: "rpm", Rows: []Row{
		{With: "-i -U -F --install --upgrade --freshen", Not: "-q --query --test", Target: some, kinds: dep, Why: "installs a system package", Charged: `rpm -ivh jq.rpm`, Free: `rpm -qi jq`},
	}},
	{Name: "brew", Value: "--appdir", Rows: []Row{
		{Path: "install|reinstall|tap", Not: "-n --dry-run", Target: some, kinds: dep, Why: "installs a package", Charged: `brew install shellcheck`, Free: `brew info shellcheck`},
		{Path: "cask install", Target: some, kinds: dep, Why: "installs a package", Charged: `brew cask install iterm2`, Free: `brew cask list`},
	}},
	{Name: "port", Also: []string{"pkg", "pkgin", "snap", "flatpak", "winget", "choco", "scoop", "emerge", "guix", "opam", "luarocks", "asdf-plugin", "raco", "stack", "cabal", "mas"},
		Value: "--source -s --id --version -v --channel --scope --from", Rows: []Row{
			{Path: "install|add", Not: "-n --dry-run --noop -whatif", Target: some, kinds: dep, Why: "installs a package", Charged: `snap install jq`, Free: `snap list`},
			{Path: "upload|publish", When: func(l *line) bool { return either("cabal|luarocks|stack|opam|snap", l.name) }, kinds: outw, Why: "publishes to the registry", Charged: `luarocks upload sum-1.0.rockspec`, Free: `luarocks make`},
		}},
	{Name: "cpan", Also: []string{"cpanm"}, Rows: []Row{{Target: named, kinds: dep, Why: "installs a distribution", Charged: `cpan JSON::XS`, Free: `cpan -l`}}},
	{Name: "nix", Rows: []Row{
		{Path: "profile install|add", Target: some, kinds: dep, Why: "installs a package", Charged: `nix profile install nixpkgs#jq`, Free: `nix build`},
	}},
	{Name: "nix-env", Rows: []Row{
		{With: "-i --install -iA", Not: "--dry-run -q", kinds: dep, Why: "installs a package", Charged: `nix-env -iA nixpkgs.jq`, Free: `nix-env -q`},
	}},
	{Name: "mix", Rows: []Row{
		{Path: "hex.publish", Not: "--dry-run", kinds: outw, Why: "publishes to the registry", Charged: `mix hex.publish`, Free: `mix hex.build`},
		{Path: "archive.install|escript.install", Target: some, kinds: dep, Why: "installs code that runs here", Charged: `mix archive.install hex phx_new`, Free: `mix deps.get`},
		{Path: "ecto.drop|ecto.reset|ecto.rollback", kinds: irr, Why: "drops data", Charged: `mix ecto.drop`, Free: `mix ecto.migrate`},
	}},
	{Name: "dart", Also: []string{"flutter"}, Rows: []Row{
		{Path: "pub add", Not: "-n --dry-run", Target: named, kinds: dep, Why: "adds a package", Charged: `flutter pub add http`, Free: `flutter pub get`},
		{Path: "pub global activate", Target: named, kinds: dep, Why: "installs a package", Charged: `dart pub global activate melos`, Free: `dart pub deps`},
		{Path: "pub publish", Not: "-n --dry-run", kinds: outw, Why: "publishes to the registry", Charged: `dart pub publish --force`, Free: `dart pub publish --dry-run`},
	}},
	{Name: "swift", Rows: []Row{
		{Path: "package add-dependency", Target: some, kinds: dep, Why: "adds a package", Charged: `swift package add-dependency https://git.example.test/sum.git`, Free: `swift package resolve`},
	}},
	{Name: "code", Also: []string{"cursor", "codium"}, Rows: []Row{
		{With: "--install-extension", kinds: dep, Why: "installs an extension", Charged: `code --install-extension golang.go`, Free: `code --list-extensions`},
	}},
	{Name: "claude", Also: []string{"codex", "gemini"}, Rows: []Row{
		{Path: "mcp add|add-json", Target: some, kinds: dep, Why: "adds a server that runs code here", Charged: `claude mcp add files npx files-server`, Free: `claude mcp list`},
		{Path: "plugin install", Target: some, kinds: dep, Why: "installs a plugin", Charged: `claude plugin install tidy`, Free: `claude plugin list`},
	}},
	{Name: "install-module", Also: []string{"install-package", "install-script", "install-psresource", "add-appxpackage"}, Style: cmdlet, Rows: []Row{
		{Not: "-whatif", kinds: dep, Why: "installs a module", Charged: `Install-Module Pester -Force`, Free: `Install-Module Pester -WhatIf`},
	}},
	{Name: "publish-module", Also: []string{"publish-script", "publish-psresource"}, Style: cmdlet, Rows: []Row{
		{Not: "-whatif", kinds: outw, Why: "publishes to the registry", Charged: `Publish-Module -Name Sum`, Free: `Publish-Module -Name Sum -WhatIf`},
	}},
}

const (
	npmValues = "--prefix -C --registry --cache --userconfig --globalconfig --workspace --tag --filter -F --dir --omit --include --loglevel " +
		"--otp --access --before --script-shell --store-dir --virtual-store-dir --lockfile-dir --save-prefix --depth --reporter --cpu --os --libc " +
		"--install-strategy --auth-type --fetch-timeout --fetch-retries --network-concurrency -p --package -c --call"
	pipValues = "-r --requirement -c --constraint -e --editable -i --index-url --extra-index-url -f --find-links -t --target --prefix --root --src " +
		"--python --python-version --platform --implementation --abi --no-binary --only-binary --proxy --timeout --retries --cert --client-cert " +
		"-d --dest --trusted-host -w --wheel-dir --cache-dir --log --exists-action --progress-bar --config-settings -C --global-option --report --upgrade-strategy --index --default-index -p --requirements"
)

func (l *line) value1(list string) bool { _, ok := l.value(list); return ok }

// namesPackage reports whether an operand names something to fetch: no path of
// the tree, no file of it.
func (l *line) namesPackage() bool {
	for _, a := range l.ops {
		if packageName(a) {
			l.p.detail = clip(a.text, 80)
			return true
		}
	}
	return l.act.Appended
}

// packageName tells a package from a path: what lies here already is no new code.
// A name that is not known may be anything, so it counts.
func packageName(a arg) bool {
	s := a.text
	switch {
	case s == "" && a.known, s == ".", s == "..":
		return false
	case strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "/"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `.\`), strings.HasPrefix(s, ".["), drive(slashes(s)):
		return false
	case strings.HasPrefix(s, "file:"), strings.HasPrefix(s, "link:"), strings.HasPrefix(s, "workspace:"):
		return false
	}
	return true
}

// pipNamed is namesPackage for pip and uv, where `-e git+https://...` and `-r`
// say what is installed too.
func pipNamed(l *line) bool {
	for _, a := range l.ops {
		// dist/sum-1.0.whl is a file of the tree; npm's a/b would be a repository.
		if packageName(a) && (!strings.Contains(a.text, "/") || strings.Contains(a.text, "://")) {
			l.p.detail = clip(a.text, 80)
			return true
		}
	}
	if l.act.Appended {
		return true
	}
	remote := false
	l.each("-e --editable -r --requirement", func(a arg) { remote = remote || strings.Contains(a.text, "://") })
	return remote
}

// goNamed reports whether a module path is named: its first element has a dot.
func goNamed(l *line) bool {
	for _, a := range l.ops {
		s := a.text
		if !packageName(a) || strings.HasPrefix(s, "...") || s == "all" || s == "tool" || s == "std" || s == "cmd" {
			continue
		}
		first, _, _ := strings.Cut(s, "/")
		if strings.Contains(first, ".") || strings.Contains(s, "@") || !a.known {
			l.p.detail = clip(s, 80)
			return true
		}
	}
	return false
}

// installsInCode reports whether the code given to R or Julia installs something:
// neither language is read, and these calls are how both take packages in.
func installsInCode(l *line) bool {
	found := false
	l.each("-e --eval -E", func(a arg) {
		for _, call := range [...]string{"install.packages(", "install_github(", "install_version(", "pak::pkg_install(", "renv::install(", "BiocManager::install(", "Pkg.add(", "Pkg.develop("} {
			found = found || strings.Contains(a.text, call)
		}
	})
	return found
}

// fetches reports whether a runner of packages is told to fetch: by a version, by
// -y, by --package, or because its subcommand always does. Only what stands in
// front of the package's name is the runner's: the -p of `npx tsc -p .` is tsc's.
func fetches(l *line) bool {
	always, yes := false, false
	skip := 0
	if l.row != nil && l.row.Path != "" {
		skip = 1
	}
	for i := 0; i < len(l.args); i++ {
		a := l.args[i]
		s := a.text
		if strings.HasPrefix(s, "-") {
			name, _, has := strings.Cut(s, "=")
			switch name {
			case "-p", "--package", "--from", "--with":
				return true
			case "-y", "--yes":
				yes = true
			}
			if !has && listed(l.prog.Value, name) {
				i++
			}
			continue
		}
		if skip > 0 {
			skip--
			always = s == "create" || s == "init" || s == "dlx"
			continue
		}
		if s == "" || !packageName(a) {
			return false
		}
		l.p.detail = clip(s, 80)
		return always || yes || strings.LastIndexByte(s, '@') > 0 || strings.Contains(s, "://") || strings.HasPrefix(s, "github:")
	}
	return false
}
