package automode

import (
	"path"
	"strings"

	"spar/redline/acts"
)

// Disk answers what the text of a call cannot: links and git's opinion. Every
// question is asked only where an allow would rest on the answer.
type Disk interface {
	// Dir reports whether p exists, and whether it is a directory that is no link.
	Dir(p string) (there, dir bool)
	// Real is p with every link in it resolved; false where that can't be done.
	Real(p string) (string, bool)
	// Ignored reports whether git ignores p, which lies in dir.
	Ignored(dir, p string) bool
	// Bare reports whether dir, or a folder between it and the next work tree, is
	// a bare repository: its configuration may run programs.
	Bare(dir string) bool
}

// inside reports whether the clean path p is below dir.
func inside(p, dir string) bool {
	return dir != "" && strings.HasPrefix(p, dir+"/")
}

// resolve is a known path as seen from a known directory, clean.
func resolve(dir acts.Word, p string) (string, bool) {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p), true
	}
	d, ok := dir.Known()
	if !ok || d == "" || p == "" || p[0] == '~' {
		return "", false
	}
	return path.Clean(d + "/" + p), true
}

// within is why a command that works on the tree doesn't stand in it, or "".
func (j *judgement) within(dir acts.Word) string {
	d, ok := dir.Known()
	if !ok {
		return "the folder it runs in is not in view"
	}
	if j.tree == "" || d != j.tree && !inside(d, j.tree) {
		return "it runs outside the work tree"
	}
	return ""
}

// treeWord is why a path is not surely inside the tree, or "".
func (j *judgement) treeWord(w, dir acts.Word) string {
	t, known := w.Known()
	if !known {
		// A pattern stays below the literal folders it begins with.
		for i, p := range w.Parts {
			if p.Kind != acts.Lit && p.Kind != acts.Glob || i == 0 && p.Kind == acts.Glob && strings.HasPrefix(p.Text, "/") {
				return w.String() + " is not in view"
			}
		}
		t = w.String()
		for _, part := range strings.Split(t, "/") {
			if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
				return "the pattern " + t + " can leave the tree" // .* is .. too
			}
		}
	}
	if strings.HasPrefix(t, "~") || strings.Contains(t, "\\") {
		return t + " is outside the work tree"
	}
	for _, part := range strings.Split(t, "/") {
		if part == ".." {
			return t + " has a step to the parent"
		}
	}
	p, ok := resolve(dir, t)
	if !ok {
		return t + " is not in view"
	}
	if j.tree == "" || p != j.tree && !inside(p, j.tree) {
		return t + " is outside the work tree"
	}
	return ""
}

// scratchWord is why a path is not a named place in scratch, or "". Scratch is
// /tmp and TMPDIR; a shared temporary folder of another name is not.
func (j *judgement) scratchWord(w, dir acts.Word) string {
	t, known := w.Known()
	if !known {
		if len(w.Parts) > 0 && w.Parts[0].Kind == acts.TempPath {
			for _, p := range w.Parts[1:] {
				if p.Kind != acts.Lit || strings.Contains(p.Text, "..") {
					return "the place is not in view"
				}
			}
			return ""
		}
		return "the place is not in view"
	}
	if strings.ContainsAny(t, "*?[{~$`") {
		return "the place is a pattern"
	}
	for _, part := range strings.Split(t, "/") {
		if part == ".." {
			return "it has a step to the parent"
		}
	}
	p, ok := resolve(dir, t)
	if !ok {
		return "the place is not in view"
	}
	root := j.scratchRoot(p)
	if root == "" {
		return "it is no scratch space"
	}
	if j.o.Disk != nil {
		real, ok := realOf(j.o.Disk, p)
		base, rok := j.o.Disk.Real(root)
		if !ok || !rok || !inside(real, base) {
			return "it is reached through a link"
		}
	}
	return ""
}

// scratchRoot is the scratch folder a clean path is a named place of, or "". A
// work tree that lies in scratch is a work tree.
func (j *judgement) scratchRoot(p string) string {
	root := ""
	if inside(p, "/tmp") {
		root = "/tmp"
	} else if t := strings.TrimRight(j.o.Env["TMPDIR"], "/"); strings.HasPrefix(t, "/") && path.Clean(t) == t && inside(p, t) {
		if j.home != "" && (j.home == t || inside(j.home, t)) || inside(j.tree, t) || j.tree == t {
			return ""
		}
		root = t
	}
	if root != "" && j.tree != "" && (p == j.tree || inside(p, j.tree) || inside(j.tree, p)) {
		return ""
	}
	return root
}

// wide is why a walk is too wide: from the person's folder or above it.
func (j *judgement) wide(dir acts.Word, roots []acts.Word) string {
	over := func(w acts.Word) bool {
		t, known := w.Known()
		if !known {
			t = strings.TrimRight(w.Prefix(), "/")
			if t == "" && !strings.HasPrefix(w.Prefix(), "/") {
				return false
			}
		}
		p, ok := resolve(dir, t)
		return ok && (p == "/" || j.home != "" && (p == j.home || inside(j.home, p)))
	}
	if len(roots) == 0 {
		roots = []acts.Word{acts.Text(".")}
	}
	for _, w := range roots {
		if over(w) {
			return "it walks the whole of the home folder, or more"
		}
	}
	return ""
}

// isRegenerable reports whether a build makes a folder of that name again.
func isRegenerable(name string) bool {
	switch name {
	case "node_modules", "dist", "build", "out", "target", "coverage", ".next", ".nuxt", ".turbo", ".parcel-cache",
		".gradle", ".venv", "venv", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache":
		return true
	}
	return false
}

// ambiguous reports whether the name may also be that of a source folder.
func ambiguous(name string) bool {
	switch name {
	case "build", "dist", "out", "target", "coverage", "venv", ".venv":
		return true
	}
	return false
}

// regenerableWord is why a removal takes more than what a build makes again, or "".
func (j *judgement) regenerableWord(w, dir acts.Word) string {
	t, known := w.Known()
	if !known || strings.ContainsAny(t, "*?[{~$`") {
		return w.String() + " is not in view"
	}
	if why := j.treeWord(w, dir); why != "" {
		return why
	}
	p, _ := resolve(dir, t)
	if p == j.tree {
		return "it is the work tree"
	}
	parts := strings.Split(p[len(j.tree)+1:], "/")
	last := len(parts) - 1
	ok := isRegenerable(parts[last])
	for i, part := range parts[:last] {
		if part == ".git" {
			return t + " is inside git's folder"
		}
		if part == "node_modules" {
			// A package below it may be a link to the sources of a workspace.
			if i != last-1 || !strings.HasPrefix(parts[last], ".") || len(parts[last]) < 2 {
				return t + " may be a link to sources"
			}
			ok = true
		}
	}
	if !ok {
		return t + " is not what a build makes again"
	}
	if j.o.Disk == nil {
		return ""
	}
	there, isDir := j.o.Disk.Dir(p)
	if !there {
		return ""
	}
	if !isDir {
		return t + " is a link or no folder"
	}
	parent, rok := j.o.Disk.Real(path.Dir(p))
	tree, tok := j.o.Disk.Real(j.tree)
	if !rok || !tok || parent != tree && !inside(parent, tree) {
		return t + " is reached through a link"
	}
	if ambiguous(parts[last]) && !j.o.Disk.Ignored(j.tree, p) {
		return t + " is not ignored by git: it may hold sources"
	}
	return ""
}

// realOf is a path with its links resolved, as far as it exists: what is not there
// yet can't be a link. false where something on the way is a link to nowhere.
func realOf(d Disk, p string) (string, bool) {
	rest := ""
	for {
		if real, ok := d.Real(p); ok {
			return real + rest, true
		}
		if there, _ := d.Dir(p); there || p == "/" || p == "." {
			return "", false
		}
		rest = "/" + path.Base(p) + rest
		p = path.Dir(p)
	}
}
