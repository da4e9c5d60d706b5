package sortie

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// OwnGroup puts a command into a process group of its own and makes its
// cancellation end what it started as well.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	cmd.Cancel = func() error { return SignalGroup(cmd, os.Kill) }
}

// SignalGroup ends a started command with all it started. Windows knows no other
// signal to a group that leaves the sender alone.
func SignalGroup(cmd *exec.Cmd, _ os.Signal) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
		return nil
	}
	return cmd.Process.Kill()
}
