// Command file is the yardstick of a charged call: it does what read does and
// appends one line to the file that is its only argument, under a lock, and waits
// until the line is on the disk.
package main

import (
	"encoding/json"
	"io"
	"os"
	"syscall"
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
	f, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(1)
	}
	fd := int(f.Fd())
	if syscall.Flock(fd, syscall.LOCK_EX) != nil {
		os.Exit(1)
	}
	line, err := json.Marshal(map[string]any{"subject": payload.Input.Command, "source": "redline", "severity": "stop", "points": 3})
	if err != nil {
		os.Exit(1)
	}
	if _, err := f.Write(append(line, '\n')); err != nil || syscall.Fdatasync(fd) != nil {
		os.Exit(1)
	}
	f.Close()
	os.Stdout.WriteString("{}")
}
