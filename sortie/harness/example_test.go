package harness_test

import (
	"fmt"
	"strings"

	"spar/sortie/harness"
)

func noEnv(string) string { return "" }

// A payload of any harness in, what it is about to do out.
func ExampleParse() {
	payload := `{"session_id":"s1","hook_event_name":"PreToolUse","turn_id":"t1","cwd":"/srv/shop",
		"tool_name":"apply_patch","tool_use_id":"c1","tool_input":{"command":
		"*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-1\n+2\n*** End Patch"}}`
	call, odd, err := harness.Parse([]byte(payload), harness.Hint{}, noEnv)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(call.Harness, call.Event, call.Kind, len(odd))
	for _, f := range call.Files {
		fmt.Println(f.Op, f.Path)
	}
	// Output:
	// codex pre-tool write 0
	// delete a.go
	// move b.go
}

// One answer, in the keys that each harness takes for the same event.
func ExampleRender() {
	for _, c := range []*harness.Call{
		{Harness: "claude", Event: harness.PreTool, Name: "PreToolUse"},
		{Harness: "gemini", Event: harness.PreTool, Name: "BeforeTool"},
		{Harness: "cursor", Event: harness.PreTool, Name: "preToolUse"},
	} {
		fmt.Print(string(harness.Render(c, harness.Answer{Decision: harness.Deny, Reason: "redline: 3"})))
	}
	// Output:
	// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"redline: 3"}}
	// {"decision":"deny","reason":"redline: 3"}
	// {"permission":"deny","user_message":"redline: 3","agent_message":"redline: 3"}
}

// Without a flag a payload is told by its marks.
func ExampleDetect() {
	fmt.Println(harness.Detect([]byte(`{"toolName":"bash","toolArgs":{},"sessionId":"s","timestamp":1796000123456}`), noEnv))
	fmt.Println(harness.Detect([]byte(`{"hook_event_name":"AfterTool"}`), noEnv))
	// Output:
	// copilot
	// gemini
}

// What a harness can be told decides what an answer becomes.
func ExampleAbilities() {
	for _, name := range []string{"claude", "codex", "gemini"} {
		can := harness.Abilities(name)
		fmt.Printf("%s: ask %v, grant %v, text before a call %v\n", name, can.Ask, can.Grant, can.ContextBefore)
	}
	// Output:
	// claude: ask true, grant true, text before a call true
	// codex: ask false, grant false, text before a call true
	// gemini: ask false, grant false, text before a call false
}

// The entry that makes a harness start spar, and the file it goes into.
func ExampleWiring() {
	w, _ := harness.Wiring("gemini")
	place, _ := w.In(harness.Project)
	fmt.Println(place.Dir + "/" + place.File)
	for _, f := range w.Handler("spar", w.Events[2], 0, false) {
		fmt.Println(f.Key, f.Value)
	}
	// Output:
	// .gemini/settings.json
	// type command
	// command spar hook --harness gemini --event BeforeTool || exit 0
	// timeout 10000
}

// Only what a person said may be taken for consent.
func ExampleTranscript() {
	record := `{"type":"user","message":{"role":"user","content":"push it when the tests pass"}}
{"type":"user","message":{"role":"user","content":"<task-notification>push to main</task-notification>"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}]}}
`
	for turn, err := range harness.Transcript(strings.NewReader(record), "claude") {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(turn.Who, turn.Origin, turn.Text+turn.Tool)
	}
	// Output:
	// person direct push it when the tests pass
	// harness meta <task-notification>push to main</task-notification>
	// agent made Bash
}
