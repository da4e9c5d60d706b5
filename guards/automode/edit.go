package automode

import (
	"path"
	"strings"

	"spar/ledger/redact"
	"spar/redline/acts"
	"spar/sortie/harness"
)

// maxEdit is how much text of one edit is looked at, in bytes; more is for a reader.
const maxEdit = 256 << 10

// edit is why a write is more than an edit of the work tree's sources, or "".
func edit(call *harness.Call, o LocalOptions) string {
	if len(call.Files) == 0 {
		return "the file it writes is not in view"
	}
	j := newJudge(call, o)
	dir := acts.Text(call.Cwd)
	for _, f := range call.Files {
		if f.Op == "delete" {
			return "it removes " + f.Path
		}
		if strings.ContainsAny(f.Path, "\x00\n") || controls(f.Path) {
			return "a path with control characters"
		}
		if why := j.treeWord(acts.Text(f.Path), dir); why != "" {
			return why
		}
		p, _ := resolve(dir, f.Path)
		if p == j.tree {
			return "it writes the work tree itself"
		}
		if why := keptFile(p[len(j.tree)+1:]); why != "" {
			return f.Path + why
		}
		if secretPath(p) {
			return f.Path + " is an env, key or credential file"
		}
		if len(f.Content)+len(f.New)+len(f.Old) > maxEdit {
			return "more text than is looked at here"
		}
		if redact.Secret(f.Content) || redact.Secret(f.New) {
			return "the text holds a secret"
		}
		if o.Disk != nil {
			real, ok := realOf(o.Disk, p)
			if !ok {
				return f.Path + " is reached through a link that leads nowhere"
			}
			if tree, tok := realOf(o.Disk, j.tree); tok {
				if !inside(real, tree) {
					return f.Path + " is a link out of the work tree"
				}
				if why := keptFile(real[len(tree)+1:]); why != "" {
					return f.Path + " leads to a file that" + why
				}
			}
		}
	}
	return ""
}

// keptFile is why a file of the tree is not a mere source, or "". A file that the
// next harmless-looking call executes is code that runs unasked.
func keptFile(rel string) string {
	low := strings.ToLower(rel)
	parts := strings.Split(low, "/")
	for i, part := range parts[:len(parts)-1] {
		switch part {
		case ".git", ".hg", ".svn", ".jj":
			return " is inside the version control's folder"
		case ".github", ".gitlab", ".circleci", ".buildkite", ".woodpecker", ".forgejo", ".gitea", ".azure-pipelines", ".drone", ".teamcity":
			return " is a CI file"
		case ".husky", ".githooks", ".git-hooks", "hooks.d":
			return " is a hook"
		case ".claude", ".codex", ".gemini", ".cursor", ".muse", ".qwen", ".opencode", ".agents", ".agent", ".spar", ".factory", ".grok", ".windsurf", ".clinerules", ".roo", ".kiro", ".copilot", ".antigravity", ".aider", ".continue", ".groundtruth", ".augment", ".junie", ".amazonq", ".trae":
			return " belongs to an agent or its harness"
		case ".vscode", ".idea", ".devcontainer", ".zed", ".fleet":
			return " is configuration that runs programs"
		case "node_modules", ".venv", "venv", "site-packages", ".yarn", ".cargo", ".bundle", ".terraform", ".direnv", ".mvn", "gradle", ".pnp":
			return " is code that tools load"
		case "bin":
			if i > 0 && (parts[i-1] == ".venv" || parts[i-1] == "vendor") {
				return " is code that tools load"
			}
		}
	}
	base := parts[len(parts)-1]
	switch base {
	case ".git", ".gitmodules", ".gitattributes", ".gitconfig":
		return " is git's own configuration"
	case "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "qwen.md", "agent.md", ".cursorrules", ".windsurfrules", ".clinerules", ".goosehints", ".roorules", "copilot-instructions.md", "opencode.json", "opencode.jsonc", ".mcp.json", "mcp.json", ".redline.json", ".spar.json", ".aider.conf.yml", "skill.md", "warp.md", "crush.json", ".crush.json":
		return " belongs to an agent or its harness"
	case ".gitlab-ci.yml", ".gitlab-ci.yaml", ".travis.yml", "azure-pipelines.yml", "azure-pipelines.yaml", "jenkinsfile", "bitbucket-pipelines.yml", "appveyor.yml", ".appveyor.yml", ".drone.yml", "cloudbuild.yaml", "buildspec.yml", ".cirrus.yml", "action.yml", "action.yaml", "codemagic.yaml", "circle.yml", ".woodpecker.yml":
		return " is a CI file"
	case ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", "lefthook-local.yml", ".lintstagedrc", ".huskyrc", ".huskyrc.json", "pre-commit", "pre-push", "commit-msg", "post-checkout", "post-merge":
		return " is a hook"
	case "makefile", "gnumakefile", "bsdmakefile", "package.json", "conftest.py", "mypy.ini", ".mypy.ini", "setup.cfg", "setup.py", "pyproject.toml", "tox.ini", "noxfile.py", "pytest.ini", ".pytest.ini", ".flake8", ".pylintrc", "pylintrc", "sitecustomize.py", "usercustomize.py",
		"build.rs", "cargo.toml", "go.mod", "go.work", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradlew", "gradlew.bat", "mvnw", "pom.xml", "cmakelists.txt", "meson.build", "build", "build.bazel", "workspace", "workspace.bazel", "module.bazel", ".bazelrc",
		"rakefile", "gemfile", "gemfile.lock", "justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "taskfile.dist.yml", "magefile.go", "gulpfile.js", "gruntfile.js", "composer.json", "mix.exs", "build.sbt", "build.xml", "build.zig", "dune-project", "package.swift", "podfile", "fastfile", "vagrantfile", "tiltfile", "earthfile", "procfile", "binding.gyp",
		".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnp.cjs", ".pnp.loader.mjs", "bunfig.toml", "deno.json", "deno.jsonc", ".envrc", ".tool-versions", "mise.toml", ".mise.toml", ".miserc.toml", "flake.nix", "shell.nix", "default.nix", "devenv.nix", ".rubocop.yml", ".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json", ".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", ".zprofile", ".inputrc", ".vimrc", ".exrc", ".nvimrc", ".tmux.conf", ".lldbinit", ".gdbinit", ".irbrc", ".pryrc", ".rspec", ".jshintrc", ".mocharc.json", ".mocharc.yml", ".nycrc", ".swcrc", "tslint.json", ".editorconfig-checker.json", "markdownlint-cli2.jsonc", ".markdownlint-cli2.jsonc", ".markdownlint-cli2.yaml", ".formatter.exs", "buf.gen.yaml", "biome.jsonc", "turbo.json", "nx.json", "lerna.json", "project.json", ".sqlfluff", ".ripgreprc", "cspell.json", ".cspell.json", "playwright.config.ts":
		return " is configuration that a later command executes"
	}
	for _, p := range [...]string{".eslintrc", ".prettierrc", ".stylelintrc", ".babelrc", "rust-toolchain", ".mocharc", ".lintstagedrc", ".commitlintrc", ".releaserc", ".mcp.", "docker-compose", "compose.", "dockerfile", "cspell.config"} {
		if strings.HasPrefix(base, p) {
			return " is configuration that a later command executes"
		}
	}
	ext := path.Ext(base)
	switch ext {
	case ".mk", ".mak", ".bzl", ".cmake", ".gradle", ".tf", ".tofu", ".pth", ".csproj", ".fsproj", ".vbproj", ".props", ".targets", ".sln", ".vcxproj", ".pbxproj", ".nix", ".service", ".desktop", ".plist", ".hcl", ".gyp", ".gypi", ".gemspec", ".cabal", ".opam", ".code-workspace":
		return " is configuration that a later command executes"
	}
	if strings.Contains(base, ".config.") || strings.HasSuffix(base, "rc.js") || strings.HasSuffix(base, "rc.cjs") || strings.HasSuffix(base, "rc.mjs") || strings.HasPrefix(base, "jest.setup") || strings.HasPrefix(base, "vitest.setup") || strings.HasPrefix(base, "vitest.workspace") || strings.HasPrefix(base, "requirements") && ext == ".txt" {
		return " is configuration that a later command executes"
	}
	if len(parts) > 1 && (strings.HasPrefix(low, "scripts/build") || strings.HasPrefix(low, "build/") && ext == ".sh") || base == "build.sh" || base == "configure" || base == "gradle-wrapper.jar" {
		return " is a build script"
	}
	return ""
}
