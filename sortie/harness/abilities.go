package harness

import "strings"

// Can is what a harness can be told and what it tells: the door, doctor and
// install degrade by it. The zero value is a harness that only listens.
type Can struct {
	Deny  bool // a call can be refused before it runs
	Ask   bool // the person can be asked about a call
	Grant bool // an allow before the call skips the harness's own prompt
	// PermissionEvent is set where the harness says that its prompt is due, and
	// takes an allow or a deny for it.
	PermissionEvent bool
	DeniedEvent     bool // it says when its own gate refused a call
	// Spawn is set where a denied call that starts a subagent doesn't start it.
	Spawn bool

	// Where text for the model is taken.
	ContextStart  bool // at the start of a session
	ContextPrompt bool // beside a prompt
	ContextBefore bool // before a call
	ContextAfter  bool // with a call's result
	ContextCap    int  // bytes of it; 0 where no limit is known
	Person        bool // text that only the person sees

	// StopBlock is how often in a row the end of a turn can be held; 0 never, -1
	// as often as wanted.
	StopBlock    int
	SessionEnd   bool // it says when a session ends
	FailureEvent bool // failed calls have an event of their own
	// ExitCode is set where a failed command can be told from one that worked by
	// more than its text.
	ExitCode  bool
	CallID    bool // calls have ids of the harness's own
	Subagents bool // a subagent's calls say which one made them
	// Transcript is set where the session's record can be read (Transcript).
	Transcript bool
	StatusLine bool // it runs a command for its status bar

	// Evidence is how the row is known: "live" (seen on the program), "docs" (its
	// maker's), "notes" (what others saw).
	Evidence string
	// Unseen are the ways around a hook that this harness has, for doctor.
	Unseen []string
}

// Abilities is the row of a harness; the zero value for a name nobody knows.
func Abilities(name string) Can {
	switch name {
	case "claude":
		return Can{
			Deny: true, Ask: true, Grant: true, PermissionEvent: true, DeniedEvent: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextBefore: true, ContextAfter: true, ContextCap: claudeContextCap, Person: true,
			StopBlock: 8, SessionEnd: true, FailureEvent: true, ExitCode: true, CallID: true, Subagents: true,
			Transcript: true, StatusLine: true, Evidence: "live",
			Unseen: []string{"a skill that a person types runs its own commands", "background tasks and MCP servers go on by themselves",
				"calls whose input the harness refuses are not shown"},
		}
	case "codex":
		return Can{
			Deny: true, PermissionEvent: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextBefore: true, ContextAfter: true, ContextCap: codexContextCap, Person: true,
			StopBlock: -1, SessionEnd: true, CallID: true, Subagents: true, Transcript: true, Evidence: "live",
			Unseen: []string{"text written to a command that already runs", "hosted web search", "the result of a patch that is run through the shell"},
		}
	case "gemini":
		return Can{
			Deny: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextAfter: true, Person: true,
			StopBlock: -1, SessionEnd: true, Transcript: true, Evidence: "live",
			Unseen: []string{"calls have no ids: two like ones in a session are told apart by their time alone", "which subagent made a call"},
		}
	case "qwen":
		return Can{
			Deny: true, Ask: true, Grant: true, PermissionEvent: true, DeniedEvent: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextAfter: true, Person: true,
			StopBlock: -1, FailureEvent: true, ExitCode: true, CallID: true, Subagents: true, Transcript: true, Evidence: "live",
			Unseen: []string{"the end of a headless session: its sortie is landed by the next one", "what a person typed, where the harness doesn't repeat it"},
		}
	case "copilot":
		return Can{
			Deny: true, Ask: true, Grant: true, PermissionEvent: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextBefore: true, ContextAfter: true,
			StopBlock: 8, SessionEnd: true, FailureEvent: true, Transcript: true, Evidence: "live",
			Unseen: []string{"calls have no ids: two like ones in a session are told apart by their time alone", "which subagent made a call",
				"that a command failed, but for the text of its result"},
		}
	case "opencode":
		return Can{
			Deny: true, Spawn: true, ContextAfter: true,
			SessionEnd: true, ExitCode: true, CallID: true, Subagents: true, Evidence: "live",
			Unseen: []string{"the end of a turn: no claim can be held there", "text for the model before its first call", "a permission prompt"},
		}
	case "cursor":
		return Can{
			Deny: true, Spawn: true, ContextStart: true, ContextPrompt: true, ContextAfter: true,
			StopBlock: 5, SessionEnd: true, FailureEvent: true, CallID: true, Evidence: "docs",
			Unseen: []string{"which subagent made a call", "the server of an MCP tool"},
		}
	case "muse":
		return Can{
			Deny: true, Spawn: true, ContextStart: true, ContextPrompt: true, ContextAfter: true,
			StopBlock: 1, SessionEnd: true, CallID: true, Evidence: "notes",
			Unseen: []string{"the record of the session", "whether text for the model arrives", "whether a turn can be held open", "variables: Muse hands its hooks about a dozen"},
		}
	case "antigravity":
		return Can{Deny: true, Ask: true, Spawn: true, Evidence: "notes"}
	case "grok":
		return Can{Deny: true, Spawn: true, Evidence: "notes"}
	case "droid":
		return Can{
			Deny: true, Ask: true, Grant: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextAfter: true, Person: true,
			StopBlock: -1, SessionEnd: true, Evidence: "notes",
		}
	case "generic":
		return Can{
			Deny: true, Ask: true, Grant: true, PermissionEvent: true, DeniedEvent: true, Spawn: true,
			ContextStart: true, ContextPrompt: true, ContextBefore: true, ContextAfter: true, Person: true,
			StopBlock: -1, SessionEnd: true, FailureEvent: true, ExitCode: true, CallID: true, Subagents: true, Evidence: "docs",
		}
	}
	return Can{}
}

// fit is the answer as far as a harness can act on it. What it can't do becomes
// the nearest thing it can: a question that can't be asked is a denial with the
// line for the pilot, a grant that isn't taken is silence.
func fit(c *Call, a Answer, can Can) Answer {
	if a.Decision >= Ask && a.Reason == "" {
		a.Reason = "spar: held back" // Codex runs what is denied without a reason
	}
	if c.Event != PreTool {
		return a
	}
	if a.Decision == Ask && !can.Ask {
		a.Decision, a.Reason = Deny, join(a.Reason, pilotLine(c), "\n")
	}
	if a.Decision == Allow && !can.Grant {
		a.Decision, a.Reason = Silent, ""
	}
	if a.Decision == Deny && c.Kind == Spawn && !can.Spawn {
		a.Decision, a.Context, a.Reason = Silent, join(a.Reason, a.Context, "\n"), ""
	}
	if a.Context != "" && !can.ContextBefore {
		// A call that doesn't run has no result for it to come with.
		if a.Decision == Deny {
			a.Reason = join(a.Reason, a.Context, "\n")
		}
		a.Context = ""
	}
	return a
}

// Late is the text that a harness doesn't take with this event and that has to be
// delivered with the result of a call: this one's (pair is its Call.Pair), or the
// next ("" for pair). "" for text where nothing is left over.
func Late(c *Call, a Answer) (text, pair string) {
	can := Abilities(c.Harness)
	if a.Context == "" || !can.ContextAfter {
		return "", ""
	}
	switch c.Event {
	case PreTool:
		if held := a.Decision == Deny || a.Decision == Ask && !can.Ask; !held && !can.ContextBefore {
			return a.Context, c.Pair
		}
	case SessionStart:
		if !can.ContextStart {
			return a.Context, ""
		}
	case Prompt:
		if !can.ContextPrompt {
			return a.Context, ""
		}
	}
	return "", ""
}

// pilotLine says how a person does what the harness can't ask about.
func pilotLine(c *Call) string {
	if c.Command == "" || strings.ContainsAny(c.Command, "\r\n") || len(c.Command) > 200 {
		return "This harness cannot ask the pilot. If it is to be done, the pilot does it by hand, outside the session."
	}
	return "This harness cannot ask the pilot. If it is to be done, the pilot types it, outside the session:\n  pilot: " + c.Command
}

// join puts two texts together, either of which may be missing.
func join(a, b, between string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}
