package harness

import (
	"encoding/json"
	"time"
)

// Event is what happened, in no harness's own spelling.
type Event uint8

// The events a guard can answer. Other is every event nobody answers.
const (
	Other Event = iota
	SessionStart
	SessionEnd
	Prompt
	PreTool
	PostTool
	PostFailure
	Permission // a permission prompt is due
	Denied     // the harness's own gate refused a call
	AgentStart // a subagent starts
	AgentStop
	Compact
	Stop // the turn ends
)

// String is the neutral name, as the ledger and doctor print it.
func (e Event) String() string {
	return [...]string{"other", "session-start", "session-end", "prompt", "pre-tool", "post-tool", "post-failure",
		"permission", "denied", "agent-start", "agent-stop", "compact", "stop"}[e]
}

// Kind is what sort of tool a call is for.
type Kind uint8

// The kinds of tools.
const (
	OtherTool Kind = iota
	Shell
	Write // anything that changes files by name
	Read
	MCP
	Spawn // starts a subagent
	Fetch // reads the network
)

// String is the kind's name.
func (k Kind) String() string {
	return [...]string{"other", "shell", "write", "read", "mcp", "spawn", "fetch"}[k]
}

// File is one file a writing tool names.
type File struct {
	Path string
	// Op is "write", "edit", "delete" or "move"; a move names both its ends, the
	// old one as "delete".
	Op string
	// Old and New are the texts an edit takes out and puts in; Content is the
	// whole of a write.
	Old, New, Content string
}

// Call is one payload, neutral. Fields a payload doesn't have are zero.
type Call struct {
	Harness string // "claude"
	Event   Event
	Name    string // the event in the harness's own spelling

	Session   string
	Agent     string // a subagent's id
	AgentType string
	Cwd       string // the session's or the call's directory, as the payload says
	Project   string // the harness's project directory, from its variable
	PID       int    // the harness process, from its variable

	// ID is the harness's id of the call, or a hash of session, tool, input and
	// timestamp. Window is set where there was no timestamp either: then one input
	// is one call only within a second.
	ID     string
	Window bool
	// Pair is the same for the events before and after one call: the harness's id,
	// or a hash of session, tool and input. Without an id of the harness's own two
	// like calls share it.
	Pair string

	Tool    string // as the harness spells it
	Kind    Kind
	Input   json.RawMessage
	Command string // what a shell tool runs
	Dialect string // "", "powershell" or "cmd" where the tool says so
	Files   []File // what a writing tool touches, every one
	Server  string // an MCP tool's server
	Verb    string // and its own name

	Response json.RawMessage
	Failure  string // a failed call's error text
	Ran      bool   // a post event of a call that really ran

	Prompt   string
	Human    bool   // the prompt is a person's own words
	Source   string // of a session start: startup, resume, clear, compact, fork
	Reason   string // of a session end
	Again    bool   // a Stop that follows a blocked one
	LastText string // the last thing the agent said

	Transcript string
	Time       time.Time // the payload's own, or zero
}

// Decision is what an answer does with a call.
type Decision uint8

// The decisions, weakest first.
const (
	Silent Decision = iota
	Allow
	Ask
	Deny // on a Stop: block
)

// String is the decision's name.
func (d Decision) String() string { return [...]string{"", "allow", "ask", "deny"}[d] }

// Answer is what goes back, neutral.
type Answer struct {
	Decision Decision
	Reason   string // why, for Ask and Deny
	Context  string // what the model is told beside the call
	Person   string // what only the person is shown
}

// Empty reports whether there is nothing to say.
func (a Answer) Empty() bool { return a == Answer{} }
