// Command read is the yardstick of a free call: what no program that a harness
// starts can do without. It reads a payload, decodes it and prints two bytes.
package main

import (
	"encoding/json"
	"io"
	"os"
)

func main() {
	raw, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	var payload struct {
		Session string `json:"session_id"`
		Event   string `json:"hook_event_name"`
		Cwd     string `json:"cwd"`
		Tool    string `json:"tool_name"`
		Input   struct {
			Command string `json:"command"`
		} `json:"tool_input"`
	}
	if json.Unmarshal(raw, &payload) != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString("{}")
}
