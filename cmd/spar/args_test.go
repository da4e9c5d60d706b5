package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// The words of a call as cli gets to see them, and those it never sees.
func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		give, want, after string
	}{
		{"", "", ""},
		{"status --json", "status --json", ""},
		{"launch --autonomy --reason nightly", "launch --autonomy --reason=nightly", ""},
		{"launch --reason=a=b", "launch --reason=a=b", ""},
		{"launch --autonomy --reason x -- melee leave --json", "launch --autonomy --reason=x", "melee leave --json"},
		{"fuel --burn -50", "fuel --burn=-50", ""},
		{"explain -- ls -la", "explain", "ls -la"},
		{"--home /x status", "--home=/x status", ""},
		{"status --home /x", "status --home=/x", ""},
		{"ledger import -", "ledger import -", ""},
		{"melee --help", "melee --help", ""},
		{"ledger show -h", "ledger show --help", ""},
		{"--version", "--version", ""},
	}
	for _, tt := range tests {
		a := &app{}
		got, err := a.split(a.tree(), strings.Fields(tt.give))
		if err != nil {
			t.Errorf("%q: %v", tt.give, err)
			continue
		}
		if strings.Join(got, " ") != tt.want || strings.Join(a.after, " ") != tt.after {
			t.Errorf("%q: %q and behind -- %q, want %q and %q", tt.give, got, a.after, tt.want, tt.after)
		}
	}
}

// Words that cli would have taken for something else are exit 64, by name.
func TestSplitRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ give, want string }{
		{"mellee", `there is no command "mellee"; did you mean "melee"?`},
		{"quux", "there are launch, "},
		{"ledger chek", `ledger: there is no command "chek"; did you mean "check"?`},
		{"melee leve", `did you mean "leave"?`},
		{"melee --action --exit x", "--action needs a value"},
		{"melee --action", "--action needs a value"},
		{"launch --budget 3 --budget 4", "--budget is given twice"},
		{"launch --autonomy=yes", "--autonomy takes no value"},
		{"launch --reson x", "did you mean --reason?"},
		{"status --verbose", "there is no flag --verbose; see spar status --help"},
	}
	for _, tt := range tests {
		a := &app{}
		_, err := a.split(a.tree(), strings.Fields(tt.give))
		var exit *exitError
		if !errors.As(err, &exit) || exit.code != exitUsage || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want exit 64 with %q", tt.give, err, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"launch", "land", "leave", "ledger"}
	for word, want := range map[string]string{"lanuch": "launch", "lnad": "land", "ledgr": "ledger", "xyz": "", "l": "", "": ""} {
		if got := nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if nearest("leave", slices.Clone(words)) != "leave" {
		t.Error("a word is not nearest to itself")
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"melee --action a --exit b --state c -- rm -rf x", "launch --reason= --", "--", "- -- -", "ledger --since 2h show 3 --=x"} {
		f.Add(s)
	}
	tree := (&app{}).tree()
	f.Fuzz(func(t *testing.T, line string) {
		a := &app{}
		words := strings.Split(line, " ")
		got, err := a.split(tree, words)
		if err != nil {
			return
		}
		if slices.Contains(got, "--") {
			t.Errorf("cli gets to see --: %q", got)
		}
		if i := slices.Index(words, "--"); i >= 0 && len(a.after) != len(words)-i-1 && !slices.Contains(got, "--help") && !slices.Contains(got, "--version") {
			t.Errorf("%q: behind -- %q", line, a.after)
		}
	})
}
