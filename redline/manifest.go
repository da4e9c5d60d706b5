package redline

import (
	"encoding/json"
	"strings"

	"spar/redline/acts"
)

// manifest is the kind of dependency manifest a path is, "" where it is none.
func manifest(path string) string {
	b := base(path)
	switch b {
	case "package.json", "composer.json", "deno.json", "deno.jsonc", "vcpkg.json", "bower.json":
		return "json"
	case "pyproject.toml", "Cargo.toml", "Pipfile", "pixi.toml", "libs.versions.toml", "Project.toml":
		return "toml"
	case "go.mod":
		return "gomod"
	case "Gemfile", "gems.rb":
		return "gem"
	case "pom.xml", "packages.config", "Directory.Packages.props":
		return "xml"
	case "build.gradle", "build.gradle.kts":
		return "gradle"
	case "pubspec.yaml", "environment.yml", "environment.yaml", "conda.yaml":
		return "yaml"
	case "mix.exs", "rebar.config":
		return "mix"
	case "Podfile":
		return "pod"
	case "Package.swift":
		return "swift"
	case "setup.py", "setup.cfg":
		return "setup"
	case "conanfile.txt":
		return "req"
	case "Brewfile":
		return "brew"
	}
	lower := strings.ToLower(b)
	switch {
	case strings.HasSuffix(lower, ".csproj"), strings.HasSuffix(lower, ".fsproj"), strings.HasSuffix(lower, ".vbproj"):
		return "xml"
	case strings.HasSuffix(lower, ".gemspec"):
		return "gem"
	case strings.HasSuffix(lower, ".txt") || strings.HasSuffix(lower, ".in"):
		if strings.HasPrefix(lower, "requirements") || strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(lower, ".txt"), ".in"), "requirements") {
			return "req"
		}
		if dir := base(strings.TrimSuffix(slashes(path), "/"+b)); strings.EqualFold(dir, "requirements") {
			return "req"
		}
	}
	return ""
}

// added is the first dependency that new declares and old does not, "" for none.
// Both may be pieces of a manifest. A version that changes is not an addition.
func added(kind, old, new string) string {
	if new == "" {
		return ""
	}
	var had []string
	entries(kind, old, func(name string) { had = append(had, name) })
	out := ""
	entries(kind, new, func(name string) {
		if out != "" {
			return
		}
		for _, h := range had {
			if h == name {
				return
			}
		}
		out = name
	})
	return out
}

// entries calls f with each dependency a manifest, or a piece of one, declares.
func entries(kind, text string, f func(name string)) {
	switch kind {
	case "json":
		jsonEntries(text, f)
		return
	case "toml":
		tomlEntries(text, f)
		return
	}
	section := ""
	for raw := range strings.SplitSeq(text, "\n") {
		line := strings.TrimSpace(raw)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			continue
		}
		switch kind {
		case "req":
			if name := requirement(line); name != "" {
				f(name)
			}
		case "gomod":
			fields := strings.Fields(strings.TrimPrefix(line, "require "))
			if len(fields) >= 2 && fields[0] == "(" {
				fields = fields[1:]
			}
			if len(fields) >= 2 && strings.Contains(fields[0], ".") && strings.HasPrefix(fields[1], "v") && !strings.HasPrefix(line, "replace") && !strings.HasPrefix(line, "exclude") && !strings.HasPrefix(line, "retract") {
				f(fields[0])
			}
		case "gem", "pod", "brew":
			for _, verb := range [...]string{"gem ", "gem(", "pod ", "brew ", "cask ", ".add_dependency ", ".add_runtime_dependency ", ".add_development_dependency ", ".add_dependency("} {
				if i := strings.Index(line, verb); i == 0 || i > 0 && verb[0] == '.' {
					if name := quotedWord(line[i:]); name != "" {
						f(name)
					}
					break
				}
			}
		case "xml":
			for _, tag := range [...]string{"<PackageReference", "<PackageVersion", "<package "} {
				if i := strings.Index(line, tag); i >= 0 {
					if name := quotedWord(line[i:]); name != "" {
						f(name)
					}
				}
			}
			if i := strings.Index(line, "<artifactId>"); i >= 0 && (section == "dependency" || strings.Contains(text, "<dependency>")) {
				name, _, _ := strings.Cut(line[i+len("<artifactId>"):], "<")
				f(name)
			}
			if strings.Contains(line, "<dependency>") {
				section = "dependency"
			} else if strings.Contains(line, "</dependency>") {
				section = ""
			}
		case "gradle":
			word := line
			if i := strings.IndexAny(line, " ("); i > 0 {
				word = line[:i]
			}
			if strings.HasSuffix(word, "mplementation") || strings.HasSuffix(word, "ompileOnly") || strings.HasSuffix(word, "untimeOnly") || either("api|compile|kapt|ksp|annotationProcessor|classpath|testCompile|debugApi|platform", word) {
				if name := quotedWord(line); strings.Contains(name, ":") && !strings.HasPrefix(name, ":") {
					parts := strings.SplitN(name, ":", 3)
					f(parts[0] + ":" + parts[1])
				} else if strings.Contains(line, "libs.") {
					f(strings.TrimRight(line[strings.Index(line, "libs."):], ") "))
				}
			}
		case "yaml":
			if !strings.HasPrefix(raw, " ") && !strings.HasPrefix(raw, "-") && strings.HasSuffix(line, ":") {
				section = line
				continue
			}
			if strings.Contains(section, "dependencies") || section == "" {
				if item, ok := strings.CutPrefix(line, "- "); ok {
					if name := requirement(strings.Trim(item, `"'`)); name != "" && !strings.HasSuffix(item, ":") {
						f(strings.SplitN(name, "=", 2)[0])
					}
					continue
				}
				name, v, ok := strings.Cut(line, ":")
				v = strings.Trim(strings.TrimSpace(v), `"'`)
				if ok && identifier(name) && (versionish(v) || v == "any") && !either("version|sdk|flutter|name", name) {
					f(name)
				}
			}
		case "mix":
			if strings.HasPrefix(line, "{:") || strings.HasPrefix(line, "{") {
				name := strings.TrimLeft(line, "{:")
				if i := strings.IndexAny(name, ", "); i > 0 && strings.Contains(line, `"`) {
					f(name[:i])
				}
			}
		case "swift":
			if strings.Contains(line, ".package(") {
				f(quotedWord(line))
			}
		case "setup":
			for rest := line; ; {
				i := strings.IndexAny(rest, `"'`)
				if i < 0 {
					break
				}
				j := strings.IndexByte(rest[i+1:], rest[i])
				if j < 0 {
					break
				}
				if s := rest[i+1 : i+1+j]; strings.ContainsAny(s, "<>=~") && requirement(s) != "" {
					f(requirement(s))
				}
				rest = rest[i+j+2:]
			}
			if !strings.ContainsAny(line, `"'`) && strings.HasPrefix(raw, " ") && strings.ContainsAny(line, "<>~") {
				if name := requirement(line); name != "" {
					f(name)
				}
			}
		}
	}
}

// requirement is the name of a requirement line (`rich[jupyter] >=13; extra`), ""
// for an option, a path or prose.
func requirement(line string) string {
	if i := strings.Index(line, " #"); i >= 0 {
		line = strings.TrimSpace(line[:i])
	}
	if line == "" || line[0] == '-' || line[0] == '.' || line[0] == '/' || line[0] == '[' {
		return ""
	}
	if i := strings.Index(line, "://"); i >= 0 {
		return line
	}
	end := strings.IndexAny(line, "[<>=!~; @")
	name := line
	if end >= 0 {
		name = line[:end]
		if rest := strings.TrimSpace(line[end:]); rest != "" && !strings.ContainsAny(rest[:1], "[<>=!~;@") {
			return "" // two bare words are prose
		}
	}
	if !identifier(name) {
		return ""
	}
	return strings.ToLower(name)
}

func identifier(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !letter(c) && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return letter(s[0]) || s[0] >= '0' && s[0] <= '9'
}

// quotedWord is the first quoted text of a line.
func quotedWord(s string) string {
	i := strings.IndexAny(s, `"'`)
	if i < 0 {
		return ""
	}
	j := strings.IndexByte(s[i+1:], s[i])
	if j < 0 {
		return ""
	}
	return s[i+1 : i+1+j]
}

// versionish reports whether a value reads as a version or as where a package
// comes from.
func versionish(v string) bool {
	if v == "" {
		return false
	}
	switch {
	case v == "*" || v == "latest" || v == "next" || v == "canary":
		return true
	case strings.HasPrefix(v, "workspace:"), strings.HasPrefix(v, "npm:"), strings.HasPrefix(v, "file:"), strings.HasPrefix(v, "link:"), strings.HasPrefix(v, "catalog:"),
		strings.HasPrefix(v, "git+"), strings.HasPrefix(v, "git:"), strings.HasPrefix(v, "github:"), strings.HasPrefix(v, "jsr:"), strings.HasPrefix(v, "dev-"), strings.HasPrefix(v, "portal:"):
		return true
	case strings.Contains(v, "://"):
		return strings.Contains(v, ".tgz") || strings.Contains(v, ".git")
	}
	s := strings.TrimLeft(v, "^~>=<v ")
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	return s != v || strings.Contains(s, ".")
}

// jsonEntries reads package.json and its kin. A whole document is read by its
// sections; a piece of one by its pairs, name and version.
func jsonEntries(text string, f func(string)) {
	var doc map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &doc) == nil && wholeManifest(doc) {
		for _, section := range [...]string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "overrides", "require", "require-dev", "imports"} {
			var m map[string]json.RawMessage
			if json.Unmarshal(doc[section], &m) != nil {
				var list []any // vcpkg.json lists names
				if json.Unmarshal(doc[section], &list) == nil {
					for _, v := range list {
						if s, ok := v.(string); ok {
							f(s)
						}
					}
				}
				continue
			}
			for name := range m {
				if name != "php" && !strings.HasPrefix(name, "ext-") {
					f(name)
				}
			}
		}
		return
	}
	// Pairs "name": "value" in any piece of JSON.
	for i := 0; i < len(text); {
		if text[i] != '"' {
			i++
			continue
		}
		key, after, ok := jsonString(text, i)
		if !ok {
			return
		}
		i = after
		rest := strings.TrimLeft(text[i:], " \t\r\n")
		if !strings.HasPrefix(rest, ":") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\r\n")
		if !strings.HasPrefix(rest, `"`) {
			continue
		}
		at := len(text) - len(rest)
		value, after, ok := jsonString(text, at)
		if !ok {
			return
		}
		i = after
		switch key {
		case "version", "node", "npm", "yarn", "pnpm", "bun", "vscode", "packageManager", "php", "$schema", "homepage", "license", "target", "name", "engines", "url", "main", "module", "types":
			continue
		}
		if versionish(value) {
			f(key)
		}
	}
}

// wholeManifest tells a manifest from a piece of one that happens to be an
// object.
func wholeManifest(doc map[string]json.RawMessage) bool {
	for _, key := range [...]string{"name", "version", "private", "scripts", "type", "dependencies", "devDependencies", "require", "require-dev", "imports", "tasks", "workspaces"} {
		if _, ok := doc[key]; ok {
			return true
		}
	}
	return len(doc) == 0
}

func jsonString(text string, i int) (s string, after int, ok bool) {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '"':
			return text[i+1 : j], j + 1, true
		case '\n':
			return "", j, true
		}
	}
	return "", len(text), false
}

// tomlEntries reads pyproject.toml, Cargo.toml and their kin, whole or in pieces:
// entries of a section of dependencies, and where no section is in view, what
// reads like one.
func tomlEntries(text string, f func(string)) {
	const outside, inside, unseen = 0, 1, 2
	state, list := unseen, false
	for raw := range strings.SplitSeq(text, "\n") {
		line := strings.TrimSpace(raw)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' && strings.HasSuffix(line, "]") && !strings.ContainsAny(line, `"',`) || strings.HasPrefix(line, "[[") {
			section := strings.Trim(line, "[] ")
			list = false
			if i := strings.Index(section, "dependencies."); i >= 0 && !strings.Contains(section, "group.") {
				f(section[i+len("dependencies."):])
				state = outside
			} else if strings.HasSuffix(section, "dependencies") || strings.HasSuffix(section, "dependency-groups") || section == "packages" || section == "dev-packages" || section == "libraries" || section == "deps" || section == "project.optional-dependencies" {
				state = inside
			} else {
				state = outside
			}
			continue
		}
		key, value, pair := strings.Cut(line, "=")
		key, value = strings.Trim(strings.TrimSpace(key), `"'`), strings.TrimSpace(value)
		pair = pair && identifier(strings.ReplaceAll(key, "/", "-")) && !strings.HasPrefix(line, `"`) || pair && strings.HasPrefix(value, "{")
		if pair && strings.HasPrefix(value, "[") {
			list = state == inside || key == "dependencies" || strings.HasSuffix(key, "-dependencies") || state == unseen && strings.Contains(value, "==")
			if list {
				listItems(value, f)
			}
			if strings.HasSuffix(value, "]") {
				list = false
			}
			continue
		}
		if list || state == unseen && (line[0] == '"' || line[0] == '\'') {
			if line[0] == '"' || line[0] == '\'' {
				listItems(line, f)
			}
			if strings.HasSuffix(line, "]") {
				list = false
			}
			continue
		}
		if !pair || state == outside {
			continue
		}
		switch key {
		case "version", "edition", "rust-version", "name", "python", "requires-python", "target-version", "description", "resolver", "license", "path", "python_version", "authors", "readme", "line-length", "branch", "rev", "tag", "features", "url", "verify_ssl":
			if state == unseen || key == "python" {
				continue
			}
		}
		v := strings.Trim(value, `"'`)
		if versionish(v) || state == inside && v != "" && strings.Trim(v, "0123456789") == "" || strings.HasPrefix(value, "{") && (state == inside || strings.Contains(value, "version") || strings.Contains(value, "git") || strings.Contains(value, "module")) {
			f(key)
		}
	}
}

// listItems calls f with the requirement in each quoted text.
func listItems(s string, f func(string)) {
	for {
		w := quotedWord(s)
		if w == "" {
			return
		}
		if name := requirement(w); name != "" {
			f(name)
		}
		s = s[strings.Index(s, w)+len(w)+1:]
	}
}

// redirectManifest charges a redirection that appends to or writes a manifest,
// where the line tells what goes into it.
func (p *pricer) redirectManifest(i int, a *acts.Act, kind string) {
	text := ""
	switch a.Name() {
	case "echo", "printf":
		var parts []string
		for _, w := range a.Argv[1:] {
			s, _ := literal(w)
			parts = append(parts, strings.ReplaceAll(s, `\n`, "\n"))
		}
		text = strings.Join(parts, " ")
	case "cat", "tee":
		if a.Stdin.HasText {
			text = a.Stdin.Text.String()
		}
	}
	if name := added(kind, "", text); name != "" {
		p.charge(i, dep, "adds "+clip(name, 60)+" to a manifest", nil)
	}
}
