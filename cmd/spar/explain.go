package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/redline"
)

// explainCommand is `spar explain`, and under another name `spar redline explain`.
func (a *app) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "what a command line would do, act by act, and what each act costs; nothing is run",
		ArgsUsage: "COMMAND",
		UsageText: `spar explain [--tool NAME] [--cwd DIR] [--json] COMMAND
spar explain [--cwd DIR] [--json] -- WORD...     the words of one command
spar explain --batch [--disk] < QUERIES          a JSON object a line in, one out`,
		Description: `COMMAND is one quoted command line. With --tool it is what that tool gets: the
path for a tool that writes a file, or the tool's input as a JSON object.

A query of a batch is {"id","tool_name","tool_input","cwd","env","production",
"harness","facts","options"}; env and production replace what is configured. The
answer is {"id","kinds","points","acts","automode","error"}. A bad line is answered with its error.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tool", Usage: "the tool as Claude Code spells it; without it a shell"},
			&cli.StringFlag{Name: "cwd", Usage: "where the command would run; without it here"},
			&cli.BoolFlag{Name: "json", Usage: "one JSON object, as a batch answers"},
			&cli.BoolFlag{Name: "batch", Usage: "answer JSON lines from the standard input"},
			&cli.BoolFlag{Name: "disk", Usage: "with --batch: look for configuration where a query names no production"},
		},
		Action: a.explain,
	}
}

func (a *app) explain(_ context.Context, c *cli.Command) error {
	dir := a.world.Dir
	if d := c.String("cwd"); d != "" {
		dir = absolute(dir, d)
	}
	words := a.operands(c)
	if c.Bool("batch") {
		if len(words) > 0 || c.IsSet("tool") || c.Bool("json") {
			return usage("explain: --batch reads its queries from the standard input and takes no words, no --tool and no --json")
		}
		b := redline.Batch{Env: a.world.Env, Dir: dir, Disk: c.Bool("disk"), Auto: autoQuery}
		if err := b.Run(a.in, a.out); err != nil {
			return &exitError{exitFault, err}
		}
		return nil
	}
	if c.Bool("disk") {
		return usage("explain: --disk goes with --batch; without it the disk is looked at anyway")
	}
	line, err := a.commandLine(c, words)
	if err != nil {
		return err
	}
	q := redline.Query{ToolName: "Bash", Cwd: dir}
	if c.IsSet("tool") {
		q.ToolName = c.String("tool")
	}
	if q.ToolInput, err = toolInput(q.ToolName, line); err != nil {
		return err
	}
	call, err := q.Call(dir)
	if err != nil {
		return usage("explain: %w", err)
	}
	price, found := redline.Check(call, redline.World{Env: a.world.Env})
	auto, cfgErr := a.autoCall(call)
	if c.Bool("json") {
		answer := price.Answer()
		answer.Auto = &auto
		_, err := a.out.Write(append(answer.AppendJSON(nil), '\n'))
		return err
	}
	width, color := screen(a.out, a.world.Env)
	if err := price.Explain(a.out, &found, redline.View{Color: color, Width: width}); err != nil {
		return err
	}
	return writeAuto(a.out, auto, cfgErr)
}

// commandLine is the command to explain: one quoted word, or the words after
// `--`, quoted again so that each stays one word.
func (a *app) commandLine(c *cli.Command, words []string) (string, error) {
	switch {
	case len(words) == 0:
		return "", usage("explain: want a command line in quotes, as in: spar explain 'rm -rf build'")
	case a.dashes && len(c.Args().Slice()) == 0 && len(words) > 1:
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = quote(w)
		}
		return strings.Join(quoted, " "), nil
	case len(words) > 1:
		return "", usage("explain: want one command line in quotes, got %d words; after -- the words of one command may follow", len(words))
	}
	return words[0], nil
}

// quote makes a word of a shell line that is read as exactly s.
func quote(s string) string {
	plain := s != ""
	for _, r := range s {
		plain = plain && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// toolInput is what a tool gets where a person typed one word for it.
func toolInput(tool, word string) (json.RawMessage, error) {
	if strings.HasPrefix(strings.TrimSpace(word), "{") && json.Valid([]byte(word)) && tool != "Bash" {
		return json.RawMessage(word), nil
	}
	key := "command"
	switch tool {
	case "Write", "Edit", "MultiEdit", "Read":
		key = "file_path"
	case "NotebookEdit":
		key = "notebook_path"
	default:
		if strings.HasPrefix(tool, "mcp__") {
			return nil, usage("explain: the input of %s is a JSON object, as in: spar explain --tool %s '{\"query\": \"...\"}'", tool, tool)
		}
	}
	return json.Marshal(map[string]string{key: word})
}

// absolute joins a directory a person typed to where they stand.
func absolute(dir, d string) string {
	if strings.HasPrefix(d, "/") || len(d) > 1 && d[1] == ':' || dir == "" {
		return d
	}
	return strings.TrimSuffix(dir, string(os.PathSeparator)) + string(os.PathSeparator) + d
}
