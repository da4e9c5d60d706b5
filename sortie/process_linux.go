package sortie

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// osProcess reads /proc/PID/stat: "PID (NAME) STATE PPID ...", the start in clock
// ticks since boot as field 22 (proc_pid_stat(5)). The name may hold spaces and
// parentheses, so the fields are counted from its last one.
func osProcess(pid int) (Process, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return Process{}, fmt.Errorf("process %d: %w", pid, fs.ErrNotExist)
		}
		return Process{}, fmt.Errorf("process %d: can't be looked at: %v", pid, err)
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return Process{}, fmt.Errorf("process %d: unknown form of /proc/%d/stat", pid, pid)
	}
	fields := strings.Fields(string(data[end+1:]))
	if len(fields) < 20 {
		return Process{}, fmt.Errorf("process %d: unknown form of /proc/%d/stat", pid, pid)
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return Process{}, fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	}
	parent, _ := strconv.Atoi(fields[1])
	return Process{Start: fields[19], Realm: osRealm(), Name: string(data[open+1 : end]), Parent: parent}, nil
}

// osRealm is the boot and the process-id namespace: a container that shares the
// project folder has other ids, and after a reboot they begin anew.
func osRealm() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + ns
}
