package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// split checks the words of a call against the command tree before cli sees
// them and returns them in a form cli can't misread: every value joined to its
// flag, nothing behind `--`. Left alone cli takes `--exit` for the value of
// `--action`, runs subcommands behind `--`, lets the last of a repeated flag win
// and calls an unknown word help.
func (a *app) split(root *cli.Command, args []string) ([]string, error) {
	if i := slices.Index(args, "--"); i >= 0 {
		a.after, a.dashes, args = args[i+1:], true, args[:i]
	}
	var (
		out   []string
		cmd   = root
		path  = []*cli.Command{root}
		given = map[string]bool{}
	)
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "-" || !strings.HasPrefix(word, "-") {
			if len(cmd.Commands) == 0 {
				out = append(out, word)
				continue
			}
			sub := cmd.Command(word)
			if sub == nil {
				if cmd.ArgsUsage != "" { // subcommands and operands of its own
					out = append(out, word)
					continue
				}
				return nil, unknownWord(cmd, word)
			}
			cmd, path = sub, append(path, sub)
			out = append(out, word)
			continue
		}
		name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if name == "help" || name == "h" {
			return append(commandPath(path), "--help"), nil
		}
		if name == "version" && cmd == root {
			return []string{"--version"}, nil
		}
		flag := findFlag(path, name)
		if flag == nil {
			return nil, unknownFlag(path, word)
		}
		canonical := flag.Names()[0]
		doc, _ := flag.(cli.DocGenerationFlag)
		if multi, ok := flag.(cli.DocGenerationMultiValueFlag); !ok || !multi.IsMultiValueFlag() {
			if given[canonical] {
				return nil, usage("--%s is given twice; once is enough", canonical)
			}
			given[canonical] = true
		}
		switch {
		case doc == nil || !doc.TakesValue():
			if joined {
				return nil, usage("--%s takes no value, got %q", canonical, value)
			}
			out = append(out, "--"+canonical)
		case joined:
			out = append(out, "--"+canonical+"="+value)
		case i+1 == len(args) || strings.HasPrefix(args[i+1], "--"):
			return nil, usage("--%s needs a value; one that begins with -- is given as --%s=VALUE", canonical, canonical)
		default:
			i++
			out = append(out, "--"+canonical+"="+args[i])
		}
	}
	return out, nil
}

// commandPath is the words that lead to a command.
func commandPath(path []*cli.Command) []string {
	var words []string
	for _, c := range path[1:] {
		words = append(words, c.Name)
	}
	return words
}

// findFlag looks a flag up in a command and in what it inherits.
func findFlag(path []*cli.Command, name string) cli.Flag {
	for i := len(path) - 1; i >= 0; i-- {
		for _, f := range path[i].Flags {
			if slices.Contains(f.Names(), name) {
				return f
			}
		}
	}
	return nil
}

func unknownFlag(path []*cli.Command, word string) error {
	var names []string
	for _, c := range path {
		for _, f := range c.Flags {
			names = append(names, "--"+f.Names()[0])
		}
	}
	name, _, _ := strings.Cut(word, "=")
	where := strings.Join(append([]string{"spar"}, commandPath(path)...), " ")
	if near := nearest(name, names); near != "" {
		return usage("%s: there is no flag %s; did you mean %s?", where, name, near)
	}
	return usage("%s: there is no flag %s; see %s --help", where, name, where)
}

func unknownWord(cmd *cli.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands {
		names = append(names, c.Names()...)
	}
	where := ""
	if cmd.Name != "spar" {
		where = cmd.Name + ": "
	}
	if near := nearest(word, names); near != "" {
		return usage("%sthere is no command %q; did you mean %q?", where, word, near)
	}
	return usage("%sthere is no command %q; there are %s", where, word, subcommands(cmd))
}

// subcommands lists a command's own commands for an error message.
func subcommands(cmd *cli.Command) string {
	var names []string
	for _, c := range cmd.Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

// nearest is the candidate that is most likely meant, or "": at most a third of
// the word may differ, and never more than three letters.
func nearest(word string, candidates []string) string {
	best, limit := "", min(3, max(1, len(word)/3))
	for _, c := range candidates {
		if d := distance(word, c); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap.
func distance(a, b string) int {
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}
