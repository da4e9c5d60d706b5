package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
	"spar/sortie/install"
)

// probeLimit bounds one probe; a hook that needs longer is cut off by every
// harness's default entry as well.
const probeLimit = 10 * time.Second

// probe starts every installed command line the way its harness does, with a
// harmless payload of that harness and event, in a home that is thrown away. It
// proves the way from the entry to the door and back; that the harness takes that
// way only an event that arrives can.
func (x *examination) probe(ctx context.Context, environ []string) {
	for _, w := range x.wirings {
		if w.Wired() {
			if err := x.probeOne(ctx, w, environ); err != nil {
				x.add(hook.Check{Name: "probe", Harness: w.Harness, State: Unproven, Next: "could not be tried: " + err.Error()})
			}
		}
	}
}

func (x *examination) probeOne(ctx context.Context, w Wiring, environ []string) error {
	tmp, err := os.MkdirTemp("", "spar-probe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	home := sortie.Home{Dir: filepath.Join(tmp, ".spar"), Root: tmp}
	project := x.o.Project
	if project == "" {
		project = tmp
	}
	env := probeEnv(environ, home.Dir, tmp, project)
	asked := map[string]bool{}
	for _, e := range w.Events {
		payload := harmless(w.Harness, e.Wired, tmp)
		for _, in := range e.Entries {
			check := func(state, format string, args ...any) {
				x.add(hook.Check{Name: "probe", Harness: w.Harness, Event: e.Event.String(), State: state, Next: fmt.Sprintf(format, args...)})
			}
			if why := unfit(in); why != "" {
				check(Unproven, "%s: not started: %s", at(in), why)
				continue
			}
			if !asked[in.Program] && in.Program != "" {
				asked[in.Program] = true
				x.askVersion(ctx, w.Harness, in.Program, env)
			}
			r := run(ctx, commandOf(ctx, w, in, x.o.Windows), project, env, payload)
			switch {
			case r.late:
				check(Broken, "%s: had not ended after %v", at(in), probeLimit)
			case r.code != 0:
				check(Broken, "%s: ended with %d%s\n%s", at(in), r.code, said(r.err), codeMeans(w.Harness))
			case len(r.out) > 0 && !json.Valid(r.out):
				check(Broken, "%s: prints what is no answer (%q), and the harness then drops the answer that follows\nlook for what prints it: a shell's profile, a wrapper", at(in), sortie.Line(string(r.out), 80))
			case len(r.out) > 0:
				check(Unproven, "%s: was to be silent and answered %s", at(in), sortie.Line(string(r.out), 160))
			case e.Event == harness.PreTool && in.Run.Part == "" && !arrived(home, w.Harness, e.Event):
				check(Broken, "%s: ended with 0, and no event of %s before a call arrived%s\nspar install %s --fix", at(in), w.Title, said(r.err), flags(w.Harness, in.Scope))
			default:
				check(OK, "the installed command line took a harmless payload in silence")
			}
		}
	}
	return nil
}

// unfit is why an entry's line is not started: it would leave traces elsewhere than
// in the home that is thrown away, or can't start.
func unfit(in install.Entry) string {
	switch {
	case !in.Run.Ours:
		return "it is another program's"
	case in.Dead != "":
		return in.Dead
	case in.Run.Chained:
		return "other commands share its line, and they would run too"
	case strings.Contains(in.Command, "--home") || strings.Contains(in.Command, "SPAR_HOME"):
		return "it names a home of its own, which a probe would write into"
	}
	return ""
}

// codeMeans says what the harness makes of a hook that fails.
func codeMeans(name string) string {
	switch name {
	case "gemini", "copilot":
		return "this harness takes that for a refusal: calls would be stopped"
	}
	return "this harness lets the call run: the gate is open"
}

func said(stderr []byte) string {
	if text := sortie.Line(strings.TrimSpace(string(stderr)), 160); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// arrived reports whether a home has the mark of an event.
func arrived(home sortie.Home, name string, e harness.Event) bool {
	now, before := arrivals(home, "")
	key := [2]string{name, e.String()}
	return now[key].Count+before[key].Count > 0
}

// askVersion lets a program say which one it is. It is about to be started anyway.
func (x *examination) askVersion(ctx context.Context, name, program string, env []string) {
	ctx, stop := context.WithTimeout(ctx, probeLimit)
	defer stop()
	r := run(ctx, exec.CommandContext(ctx, program, "--version"), "", env, nil)
	version := strings.TrimPrefix(strings.TrimSpace(string(r.out)), "spar version ")
	c := hook.Check{Name: "version", Harness: name, State: OK, Next: fmt.Sprintf("%s is version %s, as this one", program, version)}
	switch {
	case r.code != 0 || version == "":
		c.State, c.Next = Broken, fmt.Sprintf("%s does not say its version%s", program, said(r.err))
	case version != x.version:
		c.State, c.Next = Unproven, fmt.Sprintf("%s is version %s, this one is %s\ninstall one of them over the other", program, sortie.Line(version, 60), x.version)
	}
	x.add(c)
}

// commandOf is the process a harness starts for an entry.
func commandOf(ctx context.Context, w Wiring, in install.Entry, windows bool) *exec.Cmd {
	switch {
	case w.Wire.Shape == harness.Whole:
		return exec.CommandContext(ctx, in.Program, "hook", "--harness", w.Harness, "--event", in.Name)
	case strings.HasPrefix(strings.TrimSpace(in.Command), "& "):
		return exec.CommandContext(ctx, "powershell", "-NoProfile", "-Command", in.Command)
	case windows:
		return exec.CommandContext(ctx, "cmd", "/d", "/s", "/c", in.Command)
	}
	return exec.CommandContext(ctx, "sh", "-c", in.Command)
}

// ran is what came of a process.
type ran struct {
	out, err []byte
	code     int
	late     bool
}

// run starts a process with its whole group, so that nothing of it outlives the
// limit.
func run(ctx context.Context, cmd *exec.Cmd, dir string, env []string, in []byte) ran {
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	cmd.WaitDelay = time.Second
	sortie.OwnGroup(cmd)
	late := false
	if err := cmd.Start(); err != nil {
		return ran{err: []byte(err.Error()), code: -1}
	}
	timer := time.AfterFunc(probeLimit, func() { _ = sortie.SignalGroup(cmd, os.Kill) })
	err := cmd.Wait()
	late = !timer.Stop() || ctx.Err() != nil
	r := ran{out: bytes.TrimSpace(out.Bytes()), err: errs.Bytes(), late: late}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.code = exit.ExitCode()
	case err != nil:
		r.code, r.err = -1, append(r.err, err.Error()...)
	}
	return r
}

// probeEnv is the environment of a probe: the person's own without what says whose
// session or sortie this is, and with a home and a state folder of its own.
func probeEnv(environ []string, home, tmp, project string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		for _, prefix := range [...]string{"SPAR_", "AIRFRAME_", "GROUNDTRUTH_", "XDG_STATE_HOME", "CLAUDE", "CODEX_SESSION", "GEMINI_", "QWEN_", "COPILOT_", "CURSOR_"} {
			if strings.HasPrefix(name, prefix) && name != "CLAUDE_CONFIG_DIR" && name != "COPILOT_HOME" {
				return true
			}
		}
		return false
	})
	env = append(env, "SPAR_HOME="+home, "XDG_STATE_HOME="+filepath.Join(tmp, "state"))
	for _, name := range [...]string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR"} {
		env = append(env, name+"="+project)
	}
	return env
}

// harmless is a payload of an event that no guard has anything to say to, as the
// harness would send it: an entry without flags must recognise it too.
func harmless(name string, e harness.Wired, dir string) []byte {
	const session = "spar-probe"
	p := map[string]any{}
	if name == "opencode" {
		input := map[string]any{"sessionID": session, "tool": "read", "callID": "probe-call"}
		output := map[string]any{}
		switch e.Event {
		case harness.PreTool:
			output["args"] = map[string]any{"filePath": filepath.Join(dir, "probe.txt")}
		case harness.PostTool:
			input["args"] = map[string]any{"filePath": filepath.Join(dir, "probe.txt")}
			output["output"], output["title"] = "", ""
		case harness.Prompt:
			output["parts"] = []any{map[string]any{"type": "text", "text": "hello"}}
		}
		p = map[string]any{"harness": name, "hook": e.Name, "directory": dir, "worktree": dir, "input": input, "output": output}
		raw, _ := json.Marshal(p)
		return raw
	}
	p["hook_event_name"], p["session_id"], p["cwd"] = e.Name, session, dir
	tool, input := "Read", map[string]any{"file_path": filepath.Join(dir, "probe.txt")}
	switch name {
	case "claude":
		p["prompt_id"], p["permission_mode"], p["transcript_path"] = "probe-prompt", "default", filepath.Join(dir, "probe.jsonl")
	case "codex":
		p["turn_id"], p["model"], p["permission_mode"], p["transcript_path"] = "probe-turn", "probe", "default", filepath.Join(dir, ".codex", "probe.jsonl")
		tool, input = "Bash", map[string]any{"command": "ls"}
	case "gemini":
		p["timestamp"], p["transcript_path"] = "2026-01-01T00:00:00.000Z", ""
		tool = "read_file"
	case "qwen":
		p["timestamp"], p["permission_mode"], p["transcript_path"] = "2026-01-01T00:00:00.000Z", "default", filepath.Join(dir, "probe.jsonl")
		tool = "read_file"
	case "copilot":
		p["timestamp"] = "2026-01-01T00:00:00.000Z"
		input = map[string]any{"path": filepath.Join(dir, "probe.txt")}
	case "cursor":
		delete(p, "session_id")
		p["conversation_id"], p["generation_id"], p["cursor_version"], p["workspace_roots"] = session, "probe-turn", "3.0.0", []string{dir}
	case "muse":
		p["model_provider"], p["model"], p["permission_mode"], p["transcript_path"] = "probe", "probe", "default", nil
		tool, input = "bash", map[string]any{"command": "ls"}
	}
	switch e.Event {
	case harness.PreTool, harness.PostTool, harness.PostFailure, harness.Permission, harness.Denied:
		p["tool_name"], p["tool_input"], p["tool_use_id"] = tool, input, "probe-call"
		if e.Event == harness.PostTool {
			p["tool_response"] = map[string]any{}
		}
		if e.Event == harness.PostFailure {
			p["error"] = "no such file"
		}
	case harness.SessionStart:
		p["source"] = "startup"
	case harness.Prompt:
		p["prompt"] = "hello"
	case harness.SessionEnd:
		p["reason"] = "other"
	case harness.AgentStart, harness.AgentStop:
		p["agent_id"], p["agent_type"] = "probe-agent", "general-purpose"
	case harness.Stop:
		p["stop_hook_active"] = false
	}
	raw, _ := json.Marshal(p)
	return raw
}
