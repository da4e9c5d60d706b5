package sortie

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// osProcess asks the kernel's process table (sysctl kern.proc.pid).
func osProcess(pid int) (Process, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			return Process{}, fmt.Errorf("process %d: %w", pid, fs.ErrNotExist)
		}
		return Process{}, fmt.Errorf("process %d: can't be looked at: %v", pid, err)
	}
	if int(k.Proc.P_pid) != pid || k.Proc.P_stat == 5 { // SZOMB
		return Process{}, fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	}
	return Process{
		Start:  fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec),
		Realm:  osRealm(),
		Name:   unix.ByteSliceToString(k.Proc.P_comm[:]),
		Parent: int(k.Eproc.Ppid),
	}, nil
}

func osRealm() string {
	host, err := os.Hostname()
	if err != nil {
		return ""
	}
	return host
}
