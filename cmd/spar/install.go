package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/guards"
	"spar/guards/groundtruth"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

func scopeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "harness", Usage: "one harness: " + strings.Join(harness.Wirings(), ", ")},
		&cli.BoolFlag{Name: "all", Usage: "every harness that has the scope"},
		&cli.BoolFlag{Name: "user", Usage: "your own settings, for every project"},
		&cli.BoolFlag{Name: "project", Usage: "this project's settings (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "this project's settings outside version control"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show the change and make none"},
	}
}

// installCommand is `spar install`.
func (a *app) installCommand() *cli.Command {
	return &cli.Command{
		Name:  "install",
		Usage: "wire spar into the settings of the coding agents in use here",
		UsageText: `spar install [--harness H | --all] [--user | --project | --local] [--with G,...] [--without G,...]
             [--absolute] [--statusline] [--fix] [--replace-older] [--dry-run]

spar install                          every agent whose settings folder is in this project, else Claude Code
spar install --user --harness codex   Codex, in all of your projects
spar install --with automode          and mount a guard that is off by default
spar install --dry-run                only show what would change`,
		Description: `Edits the text of the settings and leaves all else as it is. The file as it was is
kept in backups/ beside it. A file that can't be read is refused with line and
column, and nothing is written. Without --harness: every harness whose settings
folder is there. Exit 1 where a file was refused.`,
		Flags: append(scopeFlags(),
			&cli.StringFlag{Name: "with", Usage: "guards to mount, parted by commas"},
			&cli.StringFlag{Name: "without", Usage: "guards to leave on the ground, parted by commas"},
			&cli.BoolFlag{Name: "absolute", Usage: "write this binary's path even where PATH leads to it"},
			&cli.BoolFlag{Name: "fix", Usage: "take surplus copies of our own entries out"},
			&cli.BoolFlag{Name: "statusline", Usage: "show the status line too, where the harness takes one and has none"},
			&cli.BoolFlag{Name: "replace-older", Usage: "take the older Node tools' entries out in the same write"},
		),
		Action: func(_ context.Context, c *cli.Command) error {
			o, scope, err := a.installOptions(c)
			if err != nil {
				return err
			}
			with, without, err := mounting(c)
			if err != nil {
				return err
			}
			home, err := a.home(c)
			if err != nil {
				return err
			}
			m, err := hook.ReadMounting(a.world, home)
			if err != nil {
				return refused("%w; repair it first", err)
			}
			names, err := harnesses(o, c, scope)
			if err != nil {
				return err
			}
			if err := a.mountGuards(o, home, scope, with, without); err != nil {
				return err
			}
			o.StatusLine = c.Bool("statusline")
			out := func(n string) bool { return slices.Contains(without, n) }
			m.With = append(slices.DeleteFunc(m.With, out), with...)
			m.Without = append(slices.DeleteFunc(m.Without, func(n string) bool { return slices.Contains(with, n) }), without...)
			for _, g := range m.Of(guards.All()) {
				o.Aboard = append(o.Aboard, g.Name)
			}
			changed := false
			err = a.each(names, func(name string) error {
				r, err := install.Install(o, name, scope)
				if err == nil {
					a.sayInstalled(o, r)
					changed = changed || r.Changed && !o.DryRun
				}
				return err
			})
			if changed {
				// A file says what should run; only an event that arrived says what does.
				fmt.Fprintln(a.out, "Nothing is proven until a first event arrives: spar doctor tells.")
				if slices.Contains(o.Aboard, groundtruth.Guard.Name) {
					fmt.Fprintln(a.out, "groundtruth runs probes, commands that the agent wrote, outside the harness's permission prompt; --without groundtruth leaves it out.")
				}
			}
			return err
		},
	}
}

// uninstallCommand is `spar uninstall`.
func (a *app) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "take spar out of the settings again",
		UsageText: `spar uninstall [--harness H | --all] [--user | --project | --local] [--dry-run]`,
		Description: `Takes out what install would recognise as ours, and nothing else. Where the file
as it was before is kept and differs only in our entries, it becomes that file
again, byte for byte. The ledger in .spar/ stays.`,
		Flags: scopeFlags(),
		Action: func(_ context.Context, c *cli.Command) error {
			o, scope, err := a.installOptions(c)
			if err != nil {
				return err
			}
			names, err := harnesses(o, c, scope)
			if err != nil {
				return err
			}
			return a.each(names, func(name string) error {
				r, err := install.Uninstall(o, name, scope)
				if err == nil {
					a.sayUninstalled(o, r)
				}
				return err
			})
		},
	}
}

// initCommand is `spar init`: what install would write, to be pasted.
func (a *app) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "print the settings of one harness with spar in them, and write nothing",
		ArgsUsage: "HARNESS",
		UsageText: "spar init claude\nspar init opencode > .opencode/plugins/spar.js",
		Description: `Prints on stdout what install would write into an empty file, with the absolute
path of this binary, and on stderr where it belongs and what is left to do.`,
		Action: func(_ context.Context, c *cli.Command) error {
			words := a.operands(c)
			if len(words) != 1 {
				return usage("init: want one harness, got %d; there are %s", len(words), strings.Join(harness.Wirings(), ", "))
			}
			o, err := a.wiringOptions()
			if err != nil {
				return err
			}
			o.Absolute = true
			if home, err := a.home(c); err == nil {
				for _, g := range a.mounted(home) {
					o.Aboard = append(o.Aboard, g.Name)
				}
			}
			text, w, err := install.Snippet(o, words[0])
			if err != nil {
				return unknownHarness(err, words[0])
			}
			fmt.Fprint(a.out, text)
			for _, p := range w.Places {
				root := o.Home
				if p.Scope != harness.User {
					root = o.Project
				}
				if first, _ := w.In(p.Scope); first == p {
					fmt.Fprintf(a.err, "%s settings: %s\n", p.Scope, p.Path(root, o.Env))
				}
			}
			for _, line := range []string{w.Trust, w.Restart} {
				if line != "" {
					fmt.Fprintln(a.err, line)
				}
			}
			return nil
		},
	}
}

// wiringOptions is what an install knows of this process.
func (a *app) wiringOptions() (install.Options, error) {
	self, err := os.Executable()
	if err != nil {
		self = ""
	}
	o := install.Options{Env: a.world.Env, Home: a.world.Env("HOME"), Self: self, Now: a.world.Now().Local(), Windows: runtime.GOOS == "windows"}
	if o.Windows && a.world.Env("USERPROFILE") != "" {
		o.Home = a.world.Env("USERPROFILE")
	}
	if !filepath.IsAbs(o.Home) {
		o.Home = ""
	}
	for _, g := range guards.All() {
		o.Guards = append(o.Guards, g.Name)
	}
	o.Project, err = a.projectRoot()
	return o, err
}

// projectRoot is the folder whose settings a harness reads here: the one it says
// itself where it started us, else the project this folder belongs to. Where the
// ledger is kept (--home, SPAR_HOME) has nothing to do with it.
func (a *app) projectRoot() (string, error) {
	for _, name := range []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR"} {
		dir := a.world.Env(name)
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
			return filepath.Clean(dir), nil
		}
	}
	w := a.world
	w.Env = func(name string) string {
		if name == "SPAR_HOME" {
			return ""
		}
		return a.world.Env(name)
	}
	h, err := sortie.FindHome(w, sortie.HomeQuery{Cwd: w.Dir})
	if err != nil {
		return "", refused("%w", err)
	}
	return h.Root, nil
}

// installOptions reads the flags that install and uninstall share.
func (a *app) installOptions(c *cli.Command) (install.Options, harness.Scope, error) {
	if words := a.operands(c); len(words) > 0 {
		return install.Options{}, "", usage("%s: takes no word beside its flags, got %q; a harness is named with --harness", c.Name, words[0])
	}
	var scopes []harness.Scope
	for _, s := range []harness.Scope{harness.User, harness.Project, harness.Local} {
		if c.Bool(string(s)) {
			scopes = append(scopes, s)
		}
	}
	if len(scopes) > 1 {
		return install.Options{}, "", usage("%s: --%s and --%s are two scopes; choose one", c.Name, scopes[0], scopes[1])
	}
	if len(scopes) == 0 {
		scopes = append(scopes, harness.Project)
	}
	if c.Bool("all") && c.String("harness") != "" {
		return install.Options{}, "", usage("%s: --all and --harness don't go together", c.Name)
	}
	o, err := a.wiringOptions()
	o.Absolute, o.DryRun, o.Fix, o.ReplaceOlder = c.Bool("absolute"), c.Bool("dry-run"), c.Bool("fix"), c.Bool("replace-older")
	return o, scopes[0], err
}

// harnesses are those that are meant: the named one, all that have the scope, or
// those in use here.
func harnesses(o install.Options, c *cli.Command, scope harness.Scope) ([]string, error) {
	if name := c.String("harness"); name != "" {
		if _, ok := harness.Wiring(name); !ok {
			return nil, unknownHarness(&install.UnknownError{Name: name}, name)
		}
		return []string{name}, nil
	}
	var names []string
	for _, name := range harness.Wirings() {
		w, _ := harness.Wiring(name)
		if _, has := w.In(scope); has && (c.Bool("all") || install.Present(o, name, scope)) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{"claude"}
	}
	return names, nil
}

func unknownHarness(err error, name string) error {
	var unknown *install.UnknownError
	if !errors.As(err, &unknown) {
		return refused("%w", err)
	}
	if near := nearest(name, harness.Wirings()); near != "" {
		return usage("%w; did you mean %q?", err, near)
	}
	return usage("%w", err)
}

// mounting reads --with and --without.
func mounting(c *cli.Command) (with, without []string, err error) {
	var known []string
	for _, g := range guards.All() {
		known = append(known, g.Name)
	}
	for flag, into := range map[string]*[]string{"with": &with, "without": &without} {
		for name := range strings.SplitSeq(c.String(flag), ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			if !slices.Contains(known, name) {
				if near := nearest(name, known); near != "" {
					return nil, nil, usage("--%s: there is no guard %q; did you mean %q?", flag, name, near)
				}
				return nil, nil, usage("--%s: there is no guard %q; there are %s", flag, name, strings.Join(known, ", "))
			}
			*into = append(*into, name)
		}
	}
	for _, name := range with {
		if slices.Contains(without, name) {
			return nil, nil, usage("--with and --without both name %s", name)
		}
	}
	return with, without, nil
}

// mountGuards writes which guards are aboard: into the project's home, with --user
// into the person's own configuration.
func (a *app) mountGuards(o install.Options, home sortie.Home, scope harness.Scope, with, without []string) error {
	if len(with)+len(without) == 0 {
		return nil
	}
	paths := hook.MountingPaths(a.world, home)
	path := paths[0]
	if scope == harness.User {
		if len(paths) < 2 || !filepath.IsAbs(paths[1]) {
			return refused("the folder of your own configuration is not known; set HOME or XDG_CONFIG_HOME")
		}
		path = paths[1]
	} else if !o.DryRun {
		if err := home.Create(); err != nil {
			return refused("%w", err)
		}
	}
	r, err := install.Mount(o, path, with, without)
	if err != nil {
		return refused("%w", err)
	}
	switch {
	case o.DryRun:
		fmt.Fprint(a.out, r.Diff)
	case r.Changed:
		for _, ch := range r.Changes {
			fmt.Fprintf(a.out, "%s: %s\n", ch.What, ch.Detail)
		}
		fmt.Fprintf(a.out, "  in %s\n", path)
	}
	return nil
}

// each does one thing for every harness. One that is refused keeps none of the
// others back.
func (a *app) each(names []string, do func(name string) error) error {
	var errs []error
	for _, name := range names {
		if err := do(name); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	for _, err := range errs[:len(errs)-1] {
		fmt.Fprintf(a.err, "spar: %v\n", err)
	}
	return refused("%w", errs[len(errs)-1])
}

// plural is a number of things; "entry" becomes "entries".
func plural(n int, what string) string {
	stem, y := strings.CutSuffix(what, "y")
	switch {
	case n == 1:
		return "1 " + what
	case y:
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// sayInstalled tells a person what was done, what to know, and what is left to do.
func (a *app) sayInstalled(o install.Options, r install.Report) {
	switch wired := r.Count("wired"); {
	case o.DryRun && r.Changed:
		fmt.Fprint(a.out, r.Diff)
	case r.Changed && wired > 0:
		fmt.Fprintf(a.out, "wired %s into %s\n", plural(wired, "hook"), r.File)
	case r.Changed:
		fmt.Fprintf(a.out, "repaired %s\n", r.File)
	}
	for _, w := range r.Wired {
		switch {
		case w.File == r.File && !r.Changed:
			fmt.Fprintf(a.out, "already wired in %s\n", w.File)
		case w.File != r.File:
			fmt.Fprintf(a.out, "already wired in %s: %s\n", w.File, strings.Join(w.Events, ", "))
		}
	}
	for _, ch := range r.Changes {
		if ch.What != "wired" {
			fmt.Fprintf(a.out, "  %s %s: %s\n", ch.What, ch.Event, ch.Detail)
		}
	}
	a.sayRest(o, r)
	if !o.DryRun {
		for _, line := range []string{r.Trust, r.Restart} {
			if line != "" {
				fmt.Fprintf(a.out, "%s\n", line)
			}
		}
	}
}

func (a *app) sayUninstalled(o install.Options, r install.Report) {
	switch {
	case o.DryRun && r.Changed:
		fmt.Fprint(a.out, r.Diff)
	case r.Removed:
		fmt.Fprintf(a.out, "removed %s: nothing but ours was in it\n", r.File)
	case r.Changed:
		fmt.Fprintf(a.out, "took %s out of %s\n", plural(r.Count("removed"), "entry"), r.File)
	default:
		fmt.Fprintf(a.out, "nothing to do: none of our hooks in %s\n", r.File)
	}
	if r.Restored && !o.DryRun {
		fmt.Fprintln(a.out, "  it is what it was before the install, byte for byte")
	}
	a.sayRest(o, r)
	if r.Restart != "" && !o.DryRun {
		fmt.Fprintln(a.out, r.Restart)
	}
}

// sayRest is what both say: where the state before is, and the notes.
func (a *app) sayRest(o install.Options, r install.Report) {
	if r.Backup != "" && !o.DryRun {
		fmt.Fprintf(a.out, "  the file as it was: %s\n", r.Backup)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(a.out, "  note: %s\n", n)
	}
}
