//go:build !unix && !windows

package sortie

import (
	"os"
	"os/exec"
)

// OwnGroup does nothing where there are no process groups.
func OwnGroup(*exec.Cmd) {}

// SignalGroup sends a signal to a started command.
func SignalGroup(cmd *exec.Cmd, sig os.Signal) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return cmd.Process.Signal(sig)
}
