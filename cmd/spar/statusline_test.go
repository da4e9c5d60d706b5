package main

import (
	"strings"
	"testing"

	"spar/ledger"
	"spar/sortie"
)

func TestStatuslineColours(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		s    status
		want string // the colours by their names, in brackets
	}{
		{"nothing spent", status{Mode: ledger.Strike, Range: "fire", Limit: 3}, "spar: strike/fire · [green]redline 0/3[-]"},
		{"below the limit", status{Mode: ledger.Strike, Range: "fire", Points: 2, Limit: 3}, "spar: strike/fire · [yellow]redline 2/3[-]"},
		{"at the limit", status{Mode: ledger.Cruise, Points: 3, Limit: 3}, "spar: cruise · [red]redline 3/3[-]"},
		{"all of it", status{
			Mode: ledger.Strike, Range: "melee", Limit: 3, Fuel: sortie.NewFuel(80, 100), Wingmen: 2,
			Swing: &swingStatus{Action: "publish the reports", Overdue: true}, Seat: seatStatus{Empty: true},
		}, "spar: strike/melee · [green]redline 0/3[-] · [red]fuel 80/100 bingo[-] · [red]publish the reports (overdue)[-] · 2 wingmen · [cyan]seat empty[-]"},
		{"in time", status{
			Mode: ledger.Strike, Range: "melee", Limit: 3, Fuel: sortie.NewFuel(1, 100), Swing: &swingStatus{Action: "publish"},
		}, "spar: strike/melee · [green]redline 0/3[-] · fuel 1/100 · [cyan]publish[-]"},
	}
	names := strings.NewReplacer("\x1b[31m", "[red]", "\x1b[32m", "[green]", "\x1b[33m", "[yellow]", "\x1b[36m", "[cyan]", "\x1b[0m", "[-]")
	bare := strings.NewReplacer("[red]", "", "[green]", "", "[yellow]", "", "[cyan]", "", "[-]", "")
	for _, tt := range tests {
		if got := names.Replace(tt.s.line(true)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got, want := tt.s.line(false), bare.Replace(tt.want); got != want {
			t.Errorf("%s: without colours %q, want %q", tt.name, got, want)
		}
	}
}

func TestBarColours(t *testing.T) {
	t.Parallel()
	tests := []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"TERM": "xterm-256color"}, true},
		{map[string]string{"TERM": "dumb", "COLORTERM": "truecolor"}, false},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{map[string]string{"WT_SESSION": "b1"}, true},
	}
	for _, tt := range tests {
		if got := barColours(sortie.World{Env: func(name string) string { return tt.env[name] }}); got != tt.want {
			t.Errorf("with %v: %v, want %v", tt.env, got, tt.want)
		}
	}
}
