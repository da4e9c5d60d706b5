package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/guards/automode"
	"spar/guards/automode/judge"
	"spar/redline"
	"spar/sortie/harness"
)

// automodeCommand is `spar automode`: the permission classifier by itself. A word
// too many or too few is exit 2 here, as it is everywhere for this command: in the
// harness that it comes from, 2 blocks and everything else lets the call through.
func (a *app) automodeCommand() *cli.Command {
	return &cli.Command{
		Name:  "automode",
		Usage: "the permission question, answered: what is harmless by its text is allowed, the rest stays with the harness",
		UsageText: `spar automode run [--harness H] [--event E]   the guard alone: one payload on stdin, one answer or nothing
spar automode explain [--json] COMMAND        what the local tier says of a command line, and why
spar automode check                           is the configuration understood
spar automode init HARNESS                    print the hook entry; nothing is written
spar automode print-prompt                    what the model reads
spar automode eval [CASES]                    how well the model does on known cases`,
		Commands: append([]*cli.Command{
			{
				Name:  "run",
				Usage: "the guard alone; a harness starts it, it exits 0 whatever happens",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "harness", Usage: "which harness speaks; without it the payload is looked at"},
					&cli.StringFlag{Name: "event", Usage: "the event in the harness's own spelling"},
					&cli.BoolFlag{Name: "local-only", Usage: "ask no model"},
					&cli.BoolFlag{Name: "explain", Usage: "say why, in one line on the error output"},
					&cli.StringFlag{Name: "classifier", Usage: "a file in place of the policy's framework"},
					&cli.StringFlag{Name: "rules", Usage: "a file in place of its rules"},
				},
				Action: a.automodeRun,
			},
			{
				Name:      "explain",
				Usage:     "what the local tier says of a command line; nothing is run",
				ArgsUsage: "COMMAND",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "tool", Usage: "the tool as Claude Code spells it; without it a shell"},
					&cli.StringFlag{Name: "cwd", Usage: "where the command would run; without it here"},
					&cli.BoolFlag{Name: "json", Usage: "one JSON object: {verdict, exception, why}"},
				},
				Action: a.automodeExplain,
			},
			{Name: "check", Usage: "is the configuration understood, and what is in force", Action: a.automodeCheck},
			{
				Name: "init", Usage: "print the hook entry of one harness; nothing is written", ArgsUsage: "HARNESS",
				Flags:  []cli.Flag{&cli.StringFlag{Name: "event", Value: "pre-tool-use", Usage: "pre-tool-use, or permission-request (claude alone)"}},
				Action: a.automodeInit,
			},
		}, a.automodeModelCommands()...),
	}
}

// misused is a usage error of `spar automode`.
func misused(format string, args ...any) error {
	return &exitError{exitUnreadable, fmt.Errorf(format, args...)}
}

func (a *app) automodeRun(ctx context.Context, c *cli.Command) error {
	if len(a.operands(c)) > 0 {
		return misused("automode run: takes no words; the payload comes on the standard input")
	}
	var args []string
	for _, name := range [...]string{"harness", "event"} {
		if c.IsSet(name) {
			args = append(args, "--"+name, c.String(name))
		}
	}
	a.automodeHook(ctx, args, c)
	return nil
}

func (a *app) automodeExplain(_ context.Context, c *cli.Command) error {
	words := a.operands(c)
	if len(words) == 0 {
		return misused("automode explain: want a command line in quotes, as in: spar automode explain 'rm -rf build'")
	}
	line, err := a.commandLine(c, words)
	if err != nil {
		return misused("automode %w", err)
	}
	dir := a.world.Dir
	if d := c.String("cwd"); d != "" {
		dir = absolute(dir, d)
	}
	q := redline.Query{ToolName: "Bash", Cwd: dir}
	if c.IsSet("tool") {
		q.ToolName = c.String("tool")
	}
	if q.ToolInput, err = toolInput(q.ToolName, line); err != nil {
		return misused("automode %w", err)
	}
	call, err := q.Call(dir)
	if err != nil {
		return misused("automode explain: %w", err)
	}
	auto, cfgErr := a.autoCall(call)
	if cfgErr != nil {
		return refused("%w", cfgErr)
	}
	if c.Bool("json") {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			Verdict   string `json:"verdict"`
			Exception string `json:"exception"`
			Why       string `json:"why"`
		}{auto.Verdict, auto.Exception, auto.Why})
	}
	return writeAuto(a.out, auto, nil)
}

func (a *app) automodeCheck(_ context.Context, c *cli.Command) error {
	if len(a.operands(c)) > 0 {
		return misused("automode check: takes no words")
	}
	file := judge.ConfigPath(a.world.Env)
	if file == "" {
		return refused("the folder of your own configuration is not known; set HOME or XDG_CONFIG_HOME")
	}
	cfg, err := judge.LoadConfig(file, a.world.Env)
	if err != nil {
		return refused("%w", err)
	}
	state := "in force"
	if _, err := os.Stat(file); err != nil {
		state = "not there: the defaults are in force"
	}
	fmt.Fprintf(a.out, "%s  %s\n", file, state)
	fmt.Fprintf(a.out, "local tier      on\nbuild and test  %s\n", map[bool]string{true: "allowed (local.buildTest)", false: "not allowed; local.buildTest turns it on"}[cfg.BuildTest])
	for _, words := range cfg.ExtraReadOnly {
		fmt.Fprintf(a.out, "also a read     %s\n", strings.Join(words, " "))
	}
	return nil
}

func (a *app) automodeInit(_ context.Context, c *cli.Command) error {
	words := a.operands(c)
	if len(words) != 1 || !slices.Contains([]string{"claude", "codex", "muse", "generic"}, words[0]) {
		return misused("automode init: name a harness: claude, codex, muse or generic")
	}
	name, event := words[0], c.String("event")
	switch {
	case event != "pre-tool-use" && event != "permission-request":
		return misused("automode init: unknown event %q; there are pre-tool-use and permission-request", event)
	case event == "permission-request" && name != "claude":
		return misused("automode init: only claude sends a permission-request")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("where this program is: %w", err)
	}
	command := quote(self) + " automode run --harness " + name
	hookEvent := "PreToolUse"
	if event == "permission-request" {
		hookEvent = "PermissionRequest"
	}
	handler := map[string]any{"type": "command", "command": command}
	entry := map[string]any{"hooks": []any{handler}}
	file := "your own program"
	var notes []string
	switch name {
	case "claude":
		entry["matcher"], handler["timeout"] = ".*", 90
		file = "~/.claude/settings.json, or .claude/settings.json of a project"
		notes = []string{`the matcher is a regular expression: "*" and "" look installed and never fire`, "a tool that the settings deny never reaches a hook", "skipping permissions skips hooks too"}
	case "codex":
		handler["timeout"] = 90
		file = "~/.codex/hooks.json"
		notes = []string{"set hooks = true in ~/.codex/config.toml", "Codex skips a hook without a word until it is trusted once"}
	case "muse":
		entry["matcher"] = ""
		file = "~/.config/muse/settings.json"
		notes = []string{"a handler with another key than type and command is dropped", "the environment of a hook is scrubbed"}
	case "generic":
		notes = []string{"see docs/generic-harness.md for what is sent and answered"}
	}
	if event == "permission-request" {
		notes = append(notes, "it judges only what Claude would ask about")
	}
	config := judge.ConfigPath(a.world.Env)
	if config == "" {
		config = "~/.config/spar/automode.json"
	}
	text, err := encodeIndented(map[string]any{"hooks": map[string]any{hookEvent: []any{entry}}})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "# settings: %s\n# configuration: %s\n%s", file, config, text)
	for _, n := range notes {
		fmt.Fprintf(a.out, "# %s\n", n)
	}
	return nil
}

func encodeIndented(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.String(), err
}

// autoQuery answers for a line of a batch: from its text and what it says, never
// from the disk.
func autoQuery(q *redline.Query, call *harness.Call, env map[string]string) redline.AutoAnswer {
	o := automode.LocalOptions{Env: env}
	var options struct {
		BuildTest bool `json:"build_test"`
	}
	if len(q.Facts) > 0 && json.Unmarshal(q.Facts, &o.Facts) != nil {
		o.Facts = automode.Facts{} // half of what is known is not known
	}
	if len(q.Options) > 0 && json.Unmarshal(q.Options, &options) == nil {
		o.BuildTest = options.BuildTest
	}
	return answerOf(automode.Local(call, o))
}

// autoCall is what the guard would say here. With a broken configuration it says
// nothing, and why.
func (a *app) autoCall(call *harness.Call) (redline.AutoAnswer, error) {
	cfg, err := judge.LoadConfig(judge.ConfigPath(a.world.Env), a.world.Env)
	if err != nil {
		return redline.AutoAnswer{Verdict: "escalate", Why: err.Error()}, err
	}
	return answerOf(automode.Judge(call, a.world.Env, cfg)), nil
}

func answerOf(v automode.Verdict) redline.AutoAnswer {
	return redline.AutoAnswer{Verdict: v.String(), Exception: v.Exception, Why: v.Why}
}

// writeAuto is the line of an explanation.
func writeAuto(w io.Writer, auto redline.AutoAnswer, broken error) error {
	var err error
	switch {
	case broken != nil:
		_, err = fmt.Fprintf(w, "automode: not in force: %v\n", broken)
	case auto.Verdict == "allow":
		_, err = fmt.Fprintf(w, "automode: allow (%s)\n", auto.Exception)
	default:
		_, err = fmt.Fprintf(w, "automode: escalate: %s\n", auto.Why)
	}
	return err
}
