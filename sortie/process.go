package sortie

import (
	"errors"
	"io/fs"
	"strings"
)

// Process is what is known of a running process.
type Process struct {
	// Start tells this process from a later one with the same id. It is compared,
	// never read.
	Start string
	// Realm is the machine (or container) whose process ids these are. Two realms'
	// ids say nothing about one another.
	Realm  string
	Name   string // the program's base name
	Parent int
}

// process looks pid up. A process that is surely gone is [fs.ErrNotExist]; any
// other error means that it can't be told.
func (w World) process(pid int) (Process, error) {
	if pid <= 1 {
		// 1 outlives every session, so it names none.
		return Process{}, errors.New("no process of a session")
	}
	if w.Process != nil {
		return w.Process(pid)
	}
	return osProcess(pid)
}

// harnessProcess is the process whose session this is: the one the harness
// names, else the nearest ancestor that is no shell. A harness starts its hooks
// through a shell, which is gone when the hook is; taken for the harness it would
// make every session look dead at once.
func (w World) harnessProcess(named int) (pid int, p Process, sure bool) {
	if named > 1 {
		if p, err := w.process(named); err == nil {
			return named, p, true
		}
		return 0, Process{}, false
	}
	pid = w.PPID
	for range 8 {
		p, err := w.process(pid)
		if err != nil {
			return 0, Process{}, false
		}
		if !carrier(p.Name) {
			return pid, p, false
		}
		pid = p.Parent
	}
	return 0, Process{}, false
}

// carrier reports whether a program only starts others on a harness's behalf.
func carrier(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(name, "-")), ".exe")
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "busybox", "cmd", "powershell", "pwsh", "conhost",
		"env", "timeout", "nice", "nohup", "setsid", "sudo", "doas", "time", "script", "strace", "xargs",
		"npx", "npm", "pnpm", "yarn", "bunx", "uvx", "spar":
		return true
	}
	// npm names its process after what it runs: "npm exec spar".
	return strings.HasPrefix(name, "npm ")
}

// gone reports whether the process of a session has surely ended. What can't be
// told counts as running: another container's ids, a process that is hidden.
func (w World) gone(pid int, start, realm string) bool {
	if pid <= 1 || start == "" {
		return false
	}
	p, err := w.process(pid)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && w.realm() == realm
	}
	return p.Realm == realm && p.Start != start
}

// realm is this process's own, "" where that is unknown.
func (w World) realm() string {
	if w.Process != nil {
		p, _ := w.Process(w.PPID)
		return p.Realm
	}
	return osRealm()
}
