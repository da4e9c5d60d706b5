//go:build unix

package sortie

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// OwnGroup puts a command into a process group of its own and makes its
// cancellation end the whole group: what a shell started must not outlive it.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return SignalGroup(cmd, syscall.SIGKILL) }
}

// SignalGroup sends a signal to a started command's group.
func SignalGroup(cmd *exec.Cmd, sig os.Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok || cmd.Process == nil {
		return os.ErrProcessDone
	}
	if err := syscall.Kill(-cmd.Process.Pid, s); err != nil {
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return nil
}
