package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"spar/guards"
	"spar/ledger"
	"spar/sortie/harness"
)

// completionCommand is `spar completion`. The scripts that cli brings along hand
// what is being typed to eval, or run it with one more flag: with a program whose
// words are command lines a TAB would run them. Ours pass the words on as they
// stand, behind `--`, where nothing of ours runs anything.
func (a *app) completionCommand() *cli.Command {
	shell := func(name, usage, script string) *cli.Command {
		return &cli.Command{Name: name, Usage: usage, Action: func(_ context.Context, c *cli.Command) error {
			if err := a.none(c); err != nil {
				return err
			}
			_, err := fmt.Fprint(a.out, script)
			return err
		}}
	}
	pwsh := shell("pwsh", "for PowerShell", pwshCompletion)
	pwsh.Aliases = []string{"powershell"}
	return &cli.Command{
		Name:  "completion",
		Usage: "print the script that lets a shell complete the words of spar",
		UsageText: `spar completion bash|zsh|fish|pwsh

source <(spar completion bash)                                       in ~/.bashrc
spar completion zsh > "${fpath[1]}/_spar"                            once
spar completion fish > ~/.config/fish/completions/spar.fish          once
spar completion pwsh | Out-String | Invoke-Expression                in $PROFILE`,
		Description: `Nothing that is being typed is run for it: the words are handed over as they stand.
Behind -- a shell completes as it would without spar.`,
		Commands: []*cli.Command{
			shell("bash", "for bash 3.2 and newer", bashCompletion),
			shell("zsh", "for zsh", zshCompletion),
			shell("fish", "for fish", fishCompletion),
			pwsh,
			{
				Name: "words", Hidden: true,
				Usage: "what the last of the words behind -- could become, a line each with its meaning behind a tab",
				Flags: []cli.Flag{&cli.BoolFlag{Name: "fresh", Usage: "the word at the cursor is empty and not handed over"}},
				Action: func(_ context.Context, c *cli.Command) error {
					words := a.after
					if c.Bool("fresh") {
						words = append(slices.Clone(words), "")
					}
					for _, w := range a.complete(words) {
						fmt.Fprintf(a.out, "%s\t%s\n", w.word, w.means)
					}
					return nil
				},
			},
		},
	}
}

// helpCommand stands in the tree for those who look for it there: `spar help WORDS`
// is `spar WORDS --help` before the tree is asked.
func (a *app) helpCommand() *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "what a command does, with examples; the same as COMMAND --help",
		ArgsUsage: "[COMMAND...]",
	}
}

// statuslineHelpCommand stands in the tree for help only, as the hook's does.
func (a *app) statuslineHelpCommand() *cli.Command {
	return &cli.Command{
		Name:      "statusline",
		Usage:     "one line for a harness's status bar, from the JSON it hands over",
		UsageText: "spar statusline [--home DIR] < JSON\n\nspar install --statusline    lets Claude Code show it",
		Description: `Form, points against the limit, fuel, swing, wingmen, seat. In colours where the
harness was started in a terminal that has them; NO_COLOR and TERM=dumb say no.
Where anything is wrong it prints nothing; it exits 0 always.`,
	}
}

// candidate is a word that could stand at the cursor.
type candidate struct{ word, means string }

// complete lists what the last word could become. Nothing at all leaves the shell to
// its own ways: file names, most of the time.
func (a *app) complete(words []string) []candidate {
	words = rejoin(words)
	if len(words) == 0 || slices.Contains(words[:len(words)-1], "--") {
		return nil
	}
	cmd := a.tree()
	path := []*cli.Command{cmd}
	last := words[len(words)-1]
	var wanting cli.Flag // the flag whose value is next
	var operands []string
	for _, w := range words[:len(words)-1] {
		name, _, joined := strings.Cut(strings.TrimLeft(w, "-"), "=")
		switch {
		case wanting != nil:
			wanting = nil
		case strings.HasPrefix(w, "-") && w != "-":
			if f := findFlag(path, name); f != nil && !joined && takesValue(f) {
				wanting = f
			}
		default:
			if sub := cmd.Command(w); sub != nil {
				cmd, path = sub, append(path, sub)
			} else {
				operands = append(operands, w)
			}
		}
	}
	var all []candidate
	flag, value, joined := strings.Cut(last, "=")
	switch {
	case wanting != nil:
		all = values(wanting.Names()[0])
	case joined && strings.HasPrefix(flag, "-"):
		if f := findFlag(path, strings.TrimLeft(flag, "-")); f != nil {
			for _, c := range values(f.Names()[0]) {
				if strings.HasPrefix(c.word, value) {
					all = append(all, candidate{flag + "=" + c.word, c.means})
				}
			}
		}
		return all
	case strings.HasPrefix(last, "-"):
		for i := len(path) - 1; i >= 0; i-- {
			for _, f := range path[i].Flags {
				if d, ok := f.(cli.DocGenerationFlag); ok && !given(words, f) {
					all = append(all, candidate{"--" + f.Names()[0], d.GetUsage()})
				}
			}
		}
		all = append(all, candidate{"--help", "what it does, with examples"})
	default:
		for _, sub := range cmd.Commands {
			if !sub.Hidden {
				all = append(all, candidate{sub.Name, sub.Usage})
			}
		}
		if len(operands) == 0 {
			all = append(all, operandsOf(path)...)
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.word, last) })
}

// rejoin puts `--flag = value` together again: bash cuts words at the sign.
func rejoin(words []string) []string {
	var out []string
	for _, w := range words {
		n := len(out)
		switch {
		case w == "=" && n > 0 && strings.HasPrefix(out[n-1], "--"):
			out[n-1] += "="
		case n > 0 && strings.HasPrefix(out[n-1], "--") && strings.HasSuffix(out[n-1], "="):
			out[n-1] += w
		default:
			out = append(out, w)
		}
	}
	return out
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// given reports whether a flag stands among the words: once is all it may.
func given(words []string, f cli.Flag) bool {
	return slices.ContainsFunc(words[:len(words)-1], func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return name == "--"+f.Names()[0]
	})
}

// values are what a flag takes, where that is a short list.
func values(flag string) []candidate {
	var words []string
	switch flag {
	case "harness":
		words = harness.Wirings()
	case "with", "without":
		for _, g := range guards.All() {
			words = append(words, g.Name)
		}
	case "source":
		words = []string{"spar"}
		for _, g := range guards.All() {
			words = append(words, g.Name)
		}
	case "severity":
		words = []string{string(ledger.Note), string(ledger.Warn), string(ledger.Stop)}
	}
	return candidates(words)
}

// operandsOf are the first operand of a command, where that is a short list.
func operandsOf(path []*cli.Command) []candidate {
	switch strings.Join(commandPath(path), " ") {
	case "init":
		return candidates(harness.Wirings())
	case "mode", "launch":
		return []candidate{
			{string(ledger.Strike), "work that has an end: findings may stop it"},
			{string(ledger.Cruise), "a draft: everything is logged, nothing is stopped"},
		}
	case "help":
		a := &app{}
		return slices.DeleteFunc(a.complete([]string{""}), func(c candidate) bool { return c.word == "help" })
	}
	return nil
}

func candidates(words []string) []candidate {
	var all []candidate
	for _, w := range words {
		all = append(all, candidate{word: w})
	}
	return all
}

// The words behind -- go over as they stand: quoted, never evaluated.
const bashCompletion = `# spar completion bash
_spar() {
  local cur=${COMP_WORDS[COMP_CWORD]} line word
  COMPREPLY=()
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    # bash cuts words at =, so what it replaces is only what stands behind the sign.
    case $word in
      --*=*) [[ $cur == --* ]] || word=${word#*=} ;;
    esac
    COMPREPLY+=("$word")
  done < <(spar completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _spar spar
`

const zshCompletion = `#compdef spar
# spar completion zsh
_spar() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done < <(spar completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    _describe -V spar found
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_spar" ]; then
  _spar "$@"
else
  compdef _spar spar
fi
`

const fishCompletion = `# spar completion fish
function __spar_words
    set -l words (commandline -opc) (commandline -ct)
    spar completion words -- $words[2..-1] 2>/dev/null
end
function __spar_any
    test (count (__spar_words)) -gt 0
end
complete -c spar -e
complete -c spar -n __spar_any -f -a '(__spar_words)'
`

// PowerShell 5 drops an empty word on its way to a program, so it says that there
// is one.
const pwshCompletion = `# spar completion pwsh
Register-ArgumentCompleter -Native -CommandName spar -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $fresh = @()
    if ("$wordToComplete" -eq '') { $fresh = @('--fresh') }
    & spar completion words @fresh '--' @words 2>$null | ForEach-Object {
        $word, $means = $_ -split [char]9, 2
        if (-not $means) { $means = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $means)
    }
}
`
