package redline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/ledger"
	"spar/sortie"
	"spar/sortie/harness"
)

// TestMessage holds the text of what is said, letter by letter.
func TestMessage(t *testing.T) {
	t.Parallel()
	push := priceLine("git push --force")
	remove := priceLine("rm -rf build")
	install := priceLine("npm i ky")
	swing := &sortie.Swing{Action: "monthly pages"}
	tests := []struct {
		name  string
		price *Priced
		filed sortie.Filed
		empty bool
		want  string
	}{
		{"halfway", install, sortie.Filed{Verdict: sortie.Advise, Total: 2}, false,
			"redline: 2 — dependency +1\nHalfway: 2 of 3."},
		{"attended past it", install, sortie.Filed{Verdict: sortie.Advise, Total: 4}, false,
			"redline: 4 — dependency +1\n4 against a limit of 3. Going on is the pilot's call: say the number and what this call does aloud before going on."},
		{"attended, could have been a swing", push, sortie.Filed{Verdict: sortie.Advise, Total: 6}, false,
			"redline: 6 — irreversible +3, outward +3\n6 against a limit of 3. Going on is the pilot's call: say the number and what this call does aloud before going on." +
				"\npilot: a run whose cost is known beforehand closes to melee first: spar melee --action WHAT --exit 'THE WAY BACK' --state 'WHAT IS THERE NOW'"},
		{"empty seat past it", remove, sortie.Filed{Verdict: sortie.Halt, Total: 6}, true,
			"redline: 6 — irreversible +3\nPast 3 with nobody in the seat. This call is stopped here and handed back to a human."},
		{"empty seat halfway", install, sortie.Filed{Verdict: sortie.Advise, Total: 2}, true,
			"redline: 2 — dependency +1\nHalfway: 2 of 3."},
		{"overdue", install, sortie.Filed{Verdict: sortie.Advise, Total: 3, Overdue: true, Swing: swing}, false,
			"redline: 3 — dependency +1\nThe swing \"monthly pages\" has outstayed its time and holds nothing back any more; it can still be left.\n3 against a limit of 3. Going on is the pilot's call: say the number and what this call does aloud before going on."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Message(tt.price, tt.filed, DefaultLimit(), tt.empty); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			} else if tt.empty && strings.Contains(got, "?") {
				t.Errorf("an empty seat is asked: %s", got)
			}
		})
	}
}

// TestSuggestionsAreFree: what the limiter names for the agent to do costs
// nothing; the line for the pilot is the pilot's.
func TestSuggestionsAreFree(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"spar redline score", "spar explain 'rm -rf build'", "spar melee status", "spar melee leave", "spar status", "spar log", "spar brief", "spar fuel", "spar discard a b", "spar redline config init", "spar redline config check"} {
		if p := priceLine(line); p.Points != 0 || p.Switch != nil {
			t.Errorf("%q costs %v, switch %v", line, p.Kinds, p.Switch)
		}
	}
}

func TestSwitch(t *testing.T) {
	t.Parallel()
	ours := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"spar hook --harness claude"}]}]}}`
	disk := func(text string) func(string) (string, bool) {
		return func(string) (string, bool) { return text, text != "" }
	}
	tests := []struct {
		line string
		disk string
		want string
	}{
		{"spar mode", "", ""},
		{"spar mode cruise", "", "mode cruise"},
		{"spar mode strike", "", "mode strike"},
		{"/usr/local/bin/spar mode cruise", "", "mode cruise"},
		{"sudo spar melee --action a --exit b --state c", "", "melee"},
		{"spar --home x melee --action a --exit b --state c", "", "melee"},
		{"spar melee leave", "", ""},
		{"spar melee status", "", ""},
		{"spar melee --help", "", ""},
		{"spar launch strike", "", "launch"},
		{"spar land", "", "land"},
		{"spar uninstall", "", "uninstall"},
		{"spar install --project", "", "install"},
		{"spar discard idea reason", "", ""},
		{"spar discard --settle idea", "", "discard --settle"},
		{"spar groundtruth drop 3", "", "groundtruth drop"},
		{"spar groundtruth verify --probe 'cat a'", "", ""},
		{"spar ledger", "", ""},
		{"spar ledger compact --before 2026-01-01", "", "ledger compact"},
		{"spar ledger recover", "", "ledger recover"},
		{"spar ledger import a.jsonl", "", "ledger import"},
		{"spar habit accept 1", "", "habit accept"},
		{"spar carbon prune", "", "carbon prune"},
		{"bash -c 'spar mode cruise'", "", "mode cruise"},
		{"echo 'spar mode cruise'", "", ""},
		{"git commit -m 'spar mode cruise'", "", ""},
		{"echo '{}' > .spar/config.json", "", "config"},
		{"cp a.json ~/.config/spar/config.json", "", "config"},
		{"cat .spar/config.json", "", ""},
		{"cat .claude/settings.json", "", ""},
		{"jq . .claude/settings.json", "", ""},
		{"echo '{}' > .claude/settings.json", ours, "settings"},
		{"echo '{}' > .claude/settings.json", "{}", ""},
		{"rm .claude/settings.json", ours, "settings"},
		{"sed -i /spar/d .claude/settings.local.json", ours, "settings"},
		{"mv .claude/settings.json /tmp/x", ours, "settings"},
		{"cp .claude/settings.json /tmp/x", ours, ""},
		{"cat > .claude/settings.json <<'E'\n" + ours + "\nE", ours, ""},
		{"cat > src/settings.json <<'E'\n{}\nE", ours, ""},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			t.Parallel()
			p := Price(&harness.Call{Kind: harness.Shell, Command: tt.line, Cwd: "/work/site"}, Options{Env: map[string]string{"HOME": "/home/dev"}, File: disk(tt.disk)})
			got := ""
			if p.Switch != nil {
				got = p.Switch.Name
			}
			if got != tt.want {
				t.Errorf("switch %q, want %q\n%s", got, tt.want, reading(p))
			}
		})
	}
	t.Run("editing tools", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			file harness.File
			want bool
		}{
			{harness.File{Path: ".claude/settings.json", Op: "write", Content: "{}"}, true},
			{harness.File{Path: ".claude/settings.json", Op: "write", Content: ours}, false},
			{harness.File{Path: ".claude/settings.json", Op: "edit", Old: `"command":"spar hook --harness claude"`, New: `"command":"true"`}, true},
			{harness.File{Path: ".claude/settings.json", Op: "edit", Old: `"hooks":{"PreToolUse"`, New: `"off":{"PreToolUse"`}, true},
			{harness.File{Path: ".claude/settings.json", Op: "edit", Old: `{"hooks"`, New: `{"disableAllHooks":true,"hooks"`}, true},
			{harness.File{Path: ".claude/settings.json", Op: "edit", Old: `{"hooks"`, New: `{"model":"x","hooks"`}, false},
			{harness.File{Path: ".claude/settings.json", Op: "delete"}, true},
			{harness.File{Path: ".spar/config.json", Op: "write", Content: "{}"}, true},
			{harness.File{Path: "settings.json", Op: "write", Content: "{}"}, false},
		} {
			p := Price(&harness.Call{Kind: harness.Write, Tool: "Write", Files: []harness.File{tt.file}, Cwd: "/work/site"}, Options{File: disk(ours)})
			if got := p.Switch != nil; got != tt.want {
				t.Errorf("%+v: switch %v, want %v", tt.file, got, tt.want)
			}
		}
	})
	s := &Switch{Name: "mode cruise"}
	for grants, want := range map[string]bool{"": false, "melee": false, "mode": true, "melee, mode cruise": true, "modes": false, "mode strike": false} {
		if s.Granted(grants) != want {
			t.Errorf("grants %q", grants)
		}
	}
}

func TestUnnamed(t *testing.T) {
	t.Parallel()
	write := func(path string, named []string) *Priced {
		return Price(&harness.Call{Kind: harness.Write, Tool: "Write", Cwd: "/w", Files: []harness.File{{Path: path, Op: "write", Content: "x"}}}, Options{Named: named})
	}
	if p := write("/w/a.md", nil); len(p.Charges) != 0 {
		t.Errorf("without the prompt hook a file was called unnamed: %v", p.Charges)
	}
	if p := write("/w/a.md", []string{}); !slices.Equal(p.Unnamed, []string{"/w/a.md"}) || p.Points != 0 || len(p.Kinds) != 0 {
		t.Errorf("an empty list is a list: %+v", p)
	}
	if p := write("/w/docs/A.md", []string{"a.md"}); len(p.Unnamed) != 0 {
		t.Errorf("named by its base name, without case: %+v", p)
	}
	rules := Rules{Tariff: &Tariff{Unnamed: 1}}
	p := Price(&harness.Call{Kind: harness.Write, Cwd: "/w", Files: []harness.File{{Path: "b", Op: "write"}}}, Options{Named: []string{}, Rules: rules})
	if p.Points != 1 || !slices.Equal(p.Kinds, []string{Unnamed}) {
		t.Errorf("a configured price for unnamed: %+v", p)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	call := func(tool string) *harness.Call {
		c := &harness.Call{Kind: harness.MCP, Tool: tool}
		_, rest, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
		c.Verb = rest
		return c
	}
	r := Rules{Tools: []ToolRule{{"mcp__mail__*", []string{Outward}}, {"mcp__mail__search_*", nil}, {"Task", []string{Dependency}}}}
	for tool, want := range map[string]string{"mcp__mail__x": Outward, "mcp__mail__search_y": "", "mcp__mai__z": "", "Task": Dependency} {
		if got := strings.Join(Price(call(tool), Options{Rules: r}).Kinds, " "); got != want {
			t.Errorf("%s costs %q, want %q", tool, got, want)
		}
	}
	free := Price(&harness.Call{Kind: harness.Shell, Command: "rm -rf node_modules .next/cache && npm ci", Cwd: "/w"}, Options{Rules: Rules{Free: []string{"node_modules/", ".next/"}}})
	if free.Points != 0 || len(free.Spared) != 2 {
		t.Errorf("free trees: %v, spared %v", free.Kinds, free.Spared)
	}
	both := Price(&harness.Call{Kind: harness.Shell, Command: "rm -rf node_modules src", Cwd: "/w"}, Options{Rules: Rules{Free: []string{"node_modules/"}}})
	if both.Points != 3 {
		t.Errorf("one tree is free, the other is not: %v", both.Kinds)
	}
	t0 := Tariff{Irreversible: 5, Outward: 0}
	p := Price(&harness.Call{Kind: harness.Shell, Command: "git push -f", Cwd: "/w"}, Options{Rules: Rules{Tariff: &t0}})
	if p.Points != 5 || !slices.Equal(p.Kinds, []string{Irreversible, Outward}) {
		t.Errorf("another tariff: %d %v", p.Points, p.Kinds)
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "ab", true}, {"*b", "ab", true}, {"a*c*e", "abcde", true}, {"a*c*e", "abcd", false}, {"a**b", "ab", true}, {"mcp__*__send*", "mcp__mail__send_x", true},
	} {
		if match(tt.pattern, tt.name) != tt.want {
			t.Errorf("%q %q", tt.pattern, tt.name)
		}
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}
	b := Batch{Env: func(n string) string { return env[n] }, Dir: "/work/site"}
	in := strings.Join([]string{
		`{"id":"a","tool_name":"Bash","tool_input":{"command":"rm -rf $X/b \"$HOME\""},"cwd":"/w","env":{}}`,
		`not json`,
		`{"id":2,"tool":"Write","input":{"file_path":"/srv/live/x","content":"y"},"production":["/srv/live/"]}`,
		`{"id":"c"}`,
		`{"id":"d","tool_name":"Bash","tool_input":{"command":3}}`,
		`{"id":"e","tool_name":"Bash","tool_input":[],"cwd":"/w"}`,
		``,
		`{"id":"f","tool_name":"Bash","tool_input":{"command":"rm -rf $TMPDIR/x"},"cwd":"/w"}`,
		`{"id":"g","tool_name":"shell","tool_input":{"command":["bash","-lc","git push"]},"cwd":"/w","harness":"codex"}`,
		`{"id":"h","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":3}`,
		`{"id":"i","tool_name":"mcp__mail__send","tool_input":{},"facts":{"branch":"x"},"options":{"build_test":true},"harness":"nobody"}`,
	}, "\n")
	var out bytes.Buffer
	if err := b.Run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"a" [irreversible] 3 `, `null [] 0 not a JSON object`, `2 [production] 2 `, `"c" [] 0 "tool_name" is missing`, `"d" [] 0 `, `"e" [] 0 "tool_input" is no object`,
		`"f" [] 0 `, `"g" [outward] 3 `, `"h" [] 0 "cwd" has the wrong type`, `"i" [outward] 3 `,
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d answers, want %d:\n%s", len(lines), len(want), out.String())
	}
	for k, line := range lines {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		id := string(a.ID)
		if id == "" {
			id = "null"
		}
		if got := fmt.Sprintf("%s %v %d %s", id, a.Kinds, a.Points, a.Error); !strings.HasPrefix(got, want[k]) {
			t.Errorf("answer %q, want %q\n%s", got, want[k], line)
		}
		if a.Kinds == nil || a.Acts == nil {
			t.Errorf("kinds and acts are lists: %s", line)
		}
	}
	var first Answer
	_ = json.Unmarshal([]byte(lines[0]), &first)
	if act := first.Acts[0]; len(act.Argv) != 4 || *act.Argv[0] != "rm" || act.Argv[2] != nil || *act.Dir != "/w" || !strings.Contains(act.Unread, "X is not set") {
		t.Errorf("act %+v", act)
	}
}

// TestExplain holds what a person reads.
func TestExplain(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	p := priceLine("sudo rm -rf build > log && echo $X")
	if err := p.Explain(&b, nil, View{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		" 1  rm -rf build > log  irreversible +3\n", "through sudo\n", "in /work/site\n",
		"irreversible: removes files outside scratch: build (relative, here /work/site/build)\n",
		" 2  echo $X  free\n", "unread: X is not set\n", "costs 3  irreversible +3  (alone it reaches the stop at 3)\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("coloured without being asked")
	}
	// What a command holds must not steer the terminal.
	b.Reset()
	if err := priceLine("echo $'\\e[2J'").Explain(&b, nil, View{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("an escape came through: %q", b.String())
	}
}

// TestPure: pricing twice gives the same, and leaves what it was given alone.
func TestPure(t *testing.T) {
	t.Parallel()
	for _, c := range corpus(t, "redline.jsonl") {
		call := c.call(t)
		o := Options{Env: c.Env, Rules: Rules{Production: slices.Clone(c.Production)}}
		a, b := Price(call, o), Price(call, o)
		if !slices.Equal(a.Kinds, b.Kinds) || len(a.Charges) != len(b.Charges) || !slices.Equal(o.Rules.Production, c.Production) {
			t.Errorf("%s: %v, then %v", c.ID, a.Kinds, b.Kinds)
		}
	}
}

func TestGradeOfACharge(t *testing.T) {
	t.Parallel()
	if (Limit{Advise: 5, Stop: 9}).Grade(4) != ledger.Note {
		t.Error("a configured limit is not heeded")
	}
}

func FuzzPrice(f *testing.F) {
	for _, c := range corpus(f, "redline.jsonl")[:60] {
		f.Add(c.call(f).Command, "/srv/live/")
	}
	f.Fuzz(func(t *testing.T, line, production string) {
		if len(line) > 4096 {
			return
		}
		p := Price(&harness.Call{Kind: harness.Shell, Command: line, Cwd: "/work/site"}, Options{Rules: Rules{Production: []string{production}}})
		sum := 0
		for _, n := range p.ByKind() {
			sum += n
		}
		if sum != p.Points {
			t.Fatalf("%d points, the kinds add up to %d", p.Points, sum)
		}
		for _, c := range p.Charges {
			if c.Act >= len(p.Reading.Acts) || c.Why == "" {
				t.Fatalf("charge %+v", c)
			}
		}
		p.Answer()
		var b strings.Builder
		if err := p.Explain(&b, nil, View{}); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkPrice(b *testing.B) {
	var calls []*harness.Call
	var opts []Options
	for _, c := range corpus(b, "redline.jsonl") {
		if c.Tool == "Bash" {
			calls = append(calls, c.call(b))
			opts = append(opts, Options{Env: c.Env, Rules: Rules{Production: c.Production}})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range calls {
			Price(calls[i], opts[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(calls)), "ns/call")
}

func BenchmarkBatch(b *testing.B) {
	var in bytes.Buffer
	n := 0
	for _, c := range corpus(b, "redline.jsonl") {
		line, _ := json.Marshal(map[string]any{"id": c.ID, "tool_name": c.Tool, "tool_input": c.Input, "cwd": c.Cwd, "env": c.Env, "production": c.Production})
		in.Write(append(line, '\n'))
		n++
	}
	batch := Batch{Env: func(string) string { return "" }}
	for b.Loop() {
		var out bytes.Buffer
		if err := batch.Run(bytes.NewReader(in.Bytes()), &out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// TestAppendJSON holds the encoder of the batch against encoding/json.
func TestAppendJSON(t *testing.T) {
	t.Parallel()
	same := func(a Answer) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(a); err != nil {
			t.Fatal(err)
		}
		if got := string(a.AppendJSON(nil)) + "\n"; got != want.String() {
			t.Errorf("got  %s\nwant %s", got, want.String())
		}
	}
	for _, c := range corpus(t, "redline.jsonl") {
		a := c.price(t).Answer()
		a.ID = json.RawMessage(`"` + c.ID + `"`)
		same(a)
	}
	same(Answer{Kinds: []string{}, Acts: []ActAnswer{}, Switch: "melee", Error: "a\x00\x1f\"\\\b\f\n\r\t\u2028é\xff<>&日本"})
}

// TestLinkedWorktree is R048: a discard in a throw-away worktree costs the same,
// and the finding says where it was.
func TestLinkedWorktree(t *testing.T) {
	t.Parallel()
	linked := put(t, map[string]string{".git": "gitdir: /work/site/.git/worktrees/x\n", "src/a.go": ""})
	plain := put(t, map[string]string{".git/HEAD": "ref: x\n", "src/a.go": ""})
	for dir, want := range map[string]bool{linked: true, linked + "/src": true, plain + "/src": false} {
		p := Price(&harness.Call{Kind: harness.Shell, Command: "git checkout -- a.go", Cwd: "/work/site"}, Options{})
		if got := strings.HasSuffix(p.Note(dir), "; in a linked worktree"); got != want {
			t.Errorf("%s: %q", dir, p.Note(dir))
		}
	}
}

// BenchmarkBig shows that a price grows no faster than its line.
func BenchmarkBig(b *testing.B) {
	for name, unit := range map[string]string{"words": "a ", "statements": "rm -f /tmp/a; ", "unread": "$x git push; "} {
		for _, size := range []int{1 << 14, 1 << 17, 1 << 20} {
			line := "rm " + strings.Repeat(unit, size/len(unit))
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				for b.Loop() {
					Price(&harness.Call{Kind: harness.Shell, Command: line, Cwd: "/w"}, Options{})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/byte")
			})
		}
	}
}
