package sortie

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// osProcess takes the start from the process itself and name and parent from a
// snapshot of all.
func osProcess(pid int) (Process, error) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		if errors.Is(err, windows.ERROR_INVALID_PARAMETER) { // what Windows says of an id nobody has
			return Process{}, fmt.Errorf("process %d: %w", pid, fs.ErrNotExist)
		}
		return Process{}, fmt.Errorf("process %d: can't be looked at: %w", pid, err)
	}
	defer windows.CloseHandle(h)
	// A process that ended stays open as long as somebody holds a handle.
	if ev, err := windows.WaitForSingleObject(h, 0); err == nil && ev == windows.WAIT_OBJECT_0 {
		return Process{}, fmt.Errorf("process %d has ended: %w", pid, fs.ErrNotExist)
	}
	var start, exit, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &start, &exit, &kernel, &user); err != nil {
		return Process{}, fmt.Errorf("process %d: can't be looked at: %w", pid, err)
	}
	p := Process{Start: fmt.Sprint(start.Nanoseconds()), Realm: osRealm()}
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return p, nil
	}
	defer windows.CloseHandle(snap)
	e := windows.ProcessEntry32{}
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		if e.ProcessID == uint32(pid) {
			p.Name, p.Parent = windows.UTF16ToString(e.ExeFile[:]), int(e.ParentProcessID)
			break
		}
	}
	return p, nil
}

func osRealm() string {
	host, err := os.Hostname()
	if err != nil {
		return ""
	}
	return host
}
