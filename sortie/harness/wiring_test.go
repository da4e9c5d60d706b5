package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every harness that is installed into is wired to events that its adapter reads,
// and its row of abilities says the same as its events.
func TestWirings(t *testing.T) {
	t.Parallel()
	for _, name := range Wirings() {
		w, ok := Wiring(name)
		if !ok || w.Name != name || w.Title == "" || w.Restart == "" {
			t.Errorf("%s: %v, %+v", name, ok, w)
			continue
		}
		a, can := find(name), Abilities(name)
		if a == nil {
			t.Errorf("%s is wired and has no adapter", name)
			continue
		}
		has := map[Event]bool{}
		for _, e := range w.Events {
			if a.event(e.Name) != e.Event {
				t.Errorf("%s: %s is read as %v, wired as %v", name, e.Name, a.event(e.Name), e.Event)
			}
			if has[e.Event] {
				t.Errorf("%s: %v is wired twice: each call would be charged twice", name, e.Event)
			}
			has[e.Event] = true
			if e.Limit < 10*time.Second || e.Event == Stop && e.Limit < 60*time.Second {
				t.Errorf("%s %s: limit %v is below the door's own", name, e.Name, e.Limit)
			}
		}
		for _, e := range []Event{PreTool, PostTool, Prompt, SessionStart, SessionEnd} {
			if !has[e] {
				t.Errorf("%s: %v is not wired", name, e)
			}
		}
		if has[Stop] != (can.StopBlock != 0) || has[PostFailure] != can.FailureEvent || has[Denied] != can.DeniedEvent || has[Permission] && !can.PermissionEvent {
			t.Errorf("%s: events %v don't go with %+v", name, has, can)
		}
		if has[AgentStop] && !can.Subagents {
			t.Errorf("%s: a subagent that stops would always look unseen", name)
		}
		scopes := map[Scope]bool{}
		for _, p := range w.Places {
			scopes[p.Scope] = true
			if (p.Format == Module) != (w.Shape == Whole) {
				t.Errorf("%s: %s has the shape %v", name, p.File, w.Shape)
			}
		}
		if !scopes[User] {
			t.Errorf("%s has no settings of a person's own", name)
		}
		if w.Shape != Whole && (len(w.Runners) == 0 || len(w.Tools) == 0 || w.LimitKey != "" && w.LimitUnit == 0) {
			t.Errorf("%s: %+v", name, w)
		}
	}
	for _, name := range []string{"antigravity", "grok", "droid", "generic", "nobody"} {
		if _, ok := Wiring(name); ok {
			t.Errorf("%s can be installed into", name)
		}
	}
}

// Each settings file follows the variable that moves its folder.
func TestPlaces(t *testing.T) {
	t.Parallel()
	moved := func(string) string { return "/moved" }
	tests := []struct {
		name  string
		scope Scope
		plain string
		moved string
		sign  string
	}{
		{"claude", User, "/r/.claude/settings.json", "/moved/settings.json", "/r/.claude"},
		{"claude", Project, "/r/.claude/settings.json", "/r/.claude/settings.json", "/r/.claude"},
		{"claude", Local, "/r/.claude/settings.local.json", "/r/.claude/settings.local.json", "/r/.claude"},
		{"codex", User, "/r/.codex/hooks.json", "/moved/hooks.json", "/r/.codex"},
		{"gemini", User, "/r/.gemini/settings.json", "/r/.gemini/settings.json", "/r/.gemini"},
		{"qwen", Project, "/r/.qwen/settings.json", "/r/.qwen/settings.json", "/r/.qwen"},
		{"copilot", User, "/r/.copilot/hooks/spar.json", "/moved/hooks/spar.json", "/r/.copilot"},
		{"copilot", Project, "/r/.github/hooks/spar.json", "/r/.github/hooks/spar.json", "/r/.github/hooks"},
		{"opencode", User, "/r/.config/opencode/plugins/spar.js", "/moved/opencode/plugins/spar.js", "/r/.config/opencode"},
		{"opencode", Project, "/r/.opencode/plugins/spar.js", "/r/.opencode/plugins/spar.js", "/r/.opencode"},
		{"cursor", Project, "/r/.cursor/hooks.json", "/r/.cursor/hooks.json", "/r/.cursor"},
		{"muse", User, "/r/.config/muse/settings.json", "/moved/muse/settings.json", "/r/.config/muse"},
	}
	for _, tt := range tests {
		w, _ := Wiring(tt.name)
		p, ok := w.In(tt.scope)
		if !ok {
			t.Errorf("%s has no %s scope", tt.name, tt.scope)
			continue
		}
		for got, want := range map[string]string{
			p.Path("/r", none): tt.plain, p.Path("/r", moved): tt.moved, p.SignPath("/r", none): tt.sign,
		} {
			if filepath.ToSlash(got) != want {
				t.Errorf("%s %s: %s, want %s", tt.name, tt.scope, got, want)
			}
		}
	}
	muse, _ := Wiring("muse")
	if _, ok := muse.In(Project); ok {
		t.Error("muse has no settings in projects")
	}
	if p, _ := muse.In(User); filepath.ToSlash(p.SignPath("/r", moved)) != "/moved/muse" {
		t.Errorf("muse's sign, moved: %s", p.SignPath("/r", moved))
	}
}

// The entry of an event, as each harness's shell takes it.
func TestHandlers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, program string
		windows       bool
		want          string
	}{
		{"claude", "spar", false, `[{type command} {command spar hook --harness claude --event PreToolUse} {timeout 10}]`},
		{"claude", `C:\Users\a b\spar.exe`, true, `[{type command} {command "C:/Users/a b/spar.exe" hook --harness claude --event PreToolUse} {timeout 10}]`},
		{"codex", "/opt/bin/spar", false, `[{type command} {command "/opt/bin/spar" hook --harness codex --event PreToolUse} {timeout 10}]`},
		{"gemini", "spar", false, `[{type command} {command spar hook --harness gemini --event BeforeTool || exit 0} {timeout 10000}]`},
		{"gemini", "spar", true, `[{type command} {command & spar hook --harness gemini --event BeforeTool; exit 0} {timeout 10000}]`},
		{"qwen", "spar", false, `[{type command} {command spar hook --harness qwen --event PreToolUse} {timeout 10000}]`},
		{"copilot", "spar", false, `[{type command} {bash spar hook --harness copilot --event PreToolUse || exit 0} {powershell & spar hook --harness copilot --event PreToolUse; exit 0} {timeoutSec 10}]`},
		{"cursor", "spar", false, `[{command spar hook --harness cursor --event preToolUse} {timeout 10}]`},
		{"muse", "spar", false, `[{type command} {command spar hook --harness muse --event PreToolUse}]`},
	}
	for _, tt := range tests {
		w, _ := Wiring(tt.name)
		i := slices.IndexFunc(w.Events, func(e Wired) bool { return e.Event == PreTool })
		if got := fmt.Sprint(w.Handler(tt.program, w.Events[i], 0, tt.windows)); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	w, _ := Wiring("qwen")
	if got := fmt.Sprint(w.Handler("spar", w.Events[0], 90*time.Second, false)); !strings.Contains(got, "{timeout 90000}") {
		t.Errorf("a limit of one's own: %s", got)
	}
}

// The plugin really runs: Node plays OpenCode, a shell script plays spar.
func TestOpenCodePlugin(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a shell")
	}
	w, _ := Wiring("opencode")
	dir := t.TempDir()
	spar := filepath.Join(dir, `a "quoted" spar`)
	log := filepath.Join(dir, "log")
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(spar, `#!/bin/sh
in=$(cat)
printf '%s %s\n' "$*" "$in" >> "`+log+`"
case "$in" in
*"deny me"*) echo '{"deny":"redline: 3"}' ;;
*"break me"*) echo 'no json'; exit 3 ;;
*tool.execute.after*) echo '{"context":"redline: 2"}' ;;
esac
`, 0o755)
	plugin := w.Plugin(spar)
	if head, _, _ := strings.Cut(plugin, "\n"); head != PluginHead || strings.Contains(plugin, `"SPAR"`) {
		t.Fatalf("the plugin begins %q", head)
	}
	write(filepath.Join(dir, "spar.mjs"), plugin, 0o644)
	write(filepath.Join(dir, "play.mjs"), `
import { Spar } from "./spar.mjs";
const client = { session: { get: async ({ path }) => path.id === "hangs" ? new Promise(() => {}) : { data: { parentID: path.id === "child" ? "root" : undefined } } } };
const hooks = await Spar({ client, directory: "/w", worktree: "/w" });
const said = [];
const alive = setInterval(() => {}, 100); // as the harness's server is
await hooks.event({ event: { type: "session.created", properties: { info: { id: "root" } } } });
await hooks.event({ event: { type: "session.created", properties: { info: { id: "grandchild", parentID: "child" } } } });
await hooks.event({ event: {} });
await hooks["chat.message"]({ sessionID: "root" }, { parts: [{ type: "text", text: "hello" }] });
const before = async (id, command) => {
  try { await hooks["tool.execute.before"]({ tool: "bash", sessionID: id, callID: "c" }, { args: { command } }); said.push("ran"); }
  catch (e) { said.push(e.message); }
};
await before("child", "ls");
await before("grandchild", "ls");
await before("root", "deny me");
await before("root", "break me");
await before("hangs", "ls");
const output = { title: "ls", output: "a.go", metadata: { exit: 0 } };
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "root", callID: "c", args: { command: "ls" } }, output);
said.push(output.output);
clearInterval(alive);
console.log(JSON.stringify(said));
`, 0o644)
	cmd := exec.Command(node, "play.mjs")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := strings.TrimSpace(string(out)), `["ran","ran","redline: 3","ran","ran","a.go\n\nredline: 2"]`; got != want {
		t.Errorf("the harness saw %s, want %s", got, want)
	}
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ event, session, agent string }{
		{"session.created", "root", ""}, {"chat.message", "root", ""},
		{"tool.execute.before", "root", "child"}, {"tool.execute.before", "root", "grandchild"},
		{"tool.execute.before", "root", ""}, {"tool.execute.before", "root", ""}, {"tool.execute.before", "hangs", ""},
		{"tool.execute.after", "root", ""}, {"session.end", "root", ""},
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(lines) != len(want) {
		t.Fatalf("spar was started %d times, want %d:\n%s", len(lines), len(want), raw)
	}
	for i, line := range lines {
		flags, payload, _ := strings.Cut(line, " {")
		if flags != "hook --harness opencode --event "+want[i].event {
			t.Errorf("started with %q", flags)
		}
		c, odd, err := Parse([]byte("{"+payload), Hint{Harness: "opencode", Event: want[i].event}, none)
		if err != nil || len(odd) > 0 || c.Session != want[i].session || c.Agent != want[i].agent || c.Event == Other || c.PID == 0 || c.Cwd != "/w" {
			t.Errorf("%s is read as %+v, %q, %v", line, c, odd, err)
		}
		if c != nil && c.Event == Prompt && !c.Human {
			t.Error("what a person typed is nobody's")
		}
	}
}

// A handler's fields are what JSON takes as they are.
func TestHandlersAreData(t *testing.T) {
	t.Parallel()
	for _, name := range Wirings() {
		w, _ := Wiring(name)
		for _, e := range w.Events {
			for _, f := range w.Handler("spar", e, 0, false) {
				if _, err := json.Marshal(f.Value); err != nil || f.Key == "" {
					t.Errorf("%s %s: %+v, %v", name, e.Name, f, err)
				}
			}
		}
	}
}
