package sortie

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"spar/ledger"
)

// Binding is a session's mirror outside the ledger: what a call that costs
// nothing needs to know, in one small file. It is never the truth; the ledger's
// own record is, and every finding is judged by that.
type Binding struct {
	Session  string `json:"session"`
	Home     string `json:"home"`               // the .spar folder
	Sortie   string `json:"sortie,omitempty"`   // "" once it has landed
	Harness  string `json:"harness,omitempty"`  //
	PID      int    `json:"pid,omitempty"`      // the harness's process
	Start    string `json:"start,omitempty"`    // and what tells it from a later one of that id
	Budget   int    `json:"budget,omitempty"`   // tool calls; 0 is none
	Autonomy string `json:"autonomy,omitempty"` // why nobody is in the seat; "" is occupied

	// Mode is the sortie's. It may be behind: who acts in cruise alone asks the
	// ledger before it does, and who finds strike here is spared the question.
	Mode ledger.Mode `json:"mode,omitempty"`
}

// UnmarshalJSON reads the fields one by one. The library's own way works out the
// struct by reflection first, which on a free call costs more than all the rest of
// reading it. A field of the wrong type makes the whole unreadable.
func (b *Binding) UnmarshalJSON(data []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	var mode string
	for name, into := range map[string]any{
		"session": &b.Session, "home": &b.Home, "sortie": &b.Sortie, "harness": &b.Harness, "pid": &b.PID,
		"start": &b.Start, "budget": &b.Budget, "autonomy": &b.Autonomy, "mode": &mode,
	} {
		if raw, ok := m[name]; ok {
			if err := json.Unmarshal(raw, into); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	b.Mode = ledger.Mode(mode)
	return nil
}

// bindingPath is the session's file, "" where there is no place for one. The name
// is a hash: an id comes from outside and may hold anything.
func bindingPath(w World, session string) string {
	dir := w.stateDir()
	if dir == "" || session == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(dir, "sessions", hex.EncodeToString(sum[:16]))
}

// ReadBinding reads a session's binding. It is false where there is none that is
// whole and of this session. It is false, too, where the session's sortie has
// landed; the binding then still holds its home. It opens no ledger.
func ReadBinding(w World, session string) (Binding, bool) {
	b, ok := readBinding(w, session)
	return b, ok && b.Sortie != ""
}

// readBinding is true also for a session that flies nothing: it still has a home.
func readBinding(w World, session string) (Binding, bool) {
	path := bindingPath(w, session)
	if path == "" {
		return Binding{}, false
	}
	data, err := SmallFile(path)
	if err != nil {
		return Binding{}, false
	}
	var b Binding
	if json.Unmarshal(data, &b) != nil || b.Session != session || b.Home == "" {
		return Binding{}, false
	}
	return b, true
}

// writeBinding replaces a session's binding whole. An error costs nothing but
// the next call's time: it asks the ledger.
func writeBinding(w World, b Binding) error {
	path := bindingPath(w, b.Session)
	if path == "" {
		return errors.New("no folder for session bindings: neither XDG_STATE_HOME nor HOME is set")
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("binding the session: %w", err)
	}
	if err := replaceFile(path, data); err != nil {
		return fmt.Errorf("binding the session: %w", err)
	}
	return nil
}

// PruneBindings removes bindings nobody has written for 30 days. A session that
// comes back after that joins anew and finds its count in the ledger.
func PruneBindings(w World) {
	dir := w.stateDir()
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && w.Now().Sub(info.ModTime()) > 30*24*time.Hour {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// replaceFile writes a small file (0600) whole or not at all. It is not synced:
// what it holds can be told again from the ledger.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// seatPath is the file that says that nobody is in the seat, for when the ledger
// can't.
func (h Home) seatPath() string { return filepath.Join(h.Dir, "seat") }

// EmptySeat is the reason an operator gave for an autonomous sortie that flies
// here, "" where there is none. It opens no ledger and is for callers that can't.
func (h Home) EmptySeat() string {
	data, err := os.ReadFile(h.seatPath())
	if err != nil {
		return ""
	}
	if reason := reasonText(string(data)); reason != "" {
		return reason
	}
	// Present but empty: cut by a full disk. The file is there, so the seat isn't
	// taken.
	return "autonomous"
}

// writeSeat makes the file say reason, or go.
func (h Home) writeSeat(reason string) error {
	if reason == "" {
		if err := os.Remove(h.seatPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return replaceFile(h.seatPath(), []byte(reason+"\n"))
}

// fuelPath is the file whose length is what a sortie has burnt.
func (h Home) fuelPath(sortie string) (string, error) {
	// The id may come from a variable; it becomes a file name here.
	if !ValidID(sortie) {
		return "", fmt.Errorf("no sortie of that name: %q", sortie)
	}
	return filepath.Join(h.Dir, "fuel", sortie), nil
}

// Burn counts one tool call and says how many the sortie has made, this one
// included. One byte is appended: exact however many do it at once, with no lock
// and no ledger.
func (h Home) Burn(sortie string) (spent int, err error) { return h.burn(sortie, 1) }

// MaxBurn bounds what one command burns: each unit is a byte on the disk.
const MaxBurn = 1_000_000

// BurnMore counts n calls.
func (h Home) BurnMore(sortie string, n int) (spent int, err error) {
	if n < 0 || n > MaxBurn {
		return 0, fmt.Errorf("can't burn %d: want 0 to %d", n, MaxBurn)
	}
	return h.burn(sortie, n)
}

func (h Home) burn(sortie string, n int) (int, error) {
	path, err := h.fuelPath(sortie)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return h.Spent(sortie), nil
	}
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600) }
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return 0, fmt.Errorf("burning fuel: %w", err)
		}
		f, err = open()
	}
	if err != nil {
		return 0, fmt.Errorf("burning fuel: %w", err)
	}
	defer f.Close()
	if _, err := f.Write(bytes.Repeat([]byte{'.'}, n)); err != nil {
		return 0, fmt.Errorf("burning fuel: %w", err)
	}
	// Where an append leaves the file's position is this call's own place in the
	// count (POSIX, write); the length may already hold later ones.
	if runtime.GOOS != "windows" {
		if at, err := f.Seek(0, io.SeekCurrent); err == nil && at >= int64(n) {
			return int(at), nil
		}
	}
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("burning fuel: %w", err)
	}
	return int(info.Size()), nil
}

// Spent is what a sortie has burnt, in tool calls.
func (h Home) Spent(sortie string) int {
	path, err := h.fuelPath(sortie)
	if err != nil {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// lastBurn is when a sortie's session last made a call; zero where it made none.
func (h Home) lastBurn(sortie string) time.Time {
	path, err := h.fuelPath(sortie)
	if err != nil {
		return time.Time{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// CallMark is the file that stands while a call without id or timestamp is under
// way; the door removes it at the call's end. "" where the names can't be a path.
func (h Home) CallMark(sortie, call string) string {
	if !ValidID(sortie) || call == "" {
		return ""
	}
	return filepath.Join(h.Dir, "calls", sortie, markName(call))
}

// markName turns a name that a payload gave into a file's: one that could mean
// another place, or is too long, is hashed.
func markName(name string) string {
	for i := range len(name) {
		c := name[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if !plain || len(name) > 100 {
			sum := sha256.Sum256([]byte(name))
			return hex.EncodeToString(sum[:12])
		}
	}
	return name
}

// ParseBudget reads a number of tool calls: whole, at least 1.
func ParseBudget(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1_000_000_000 {
		return 0, fmt.Errorf("a budget is a whole number of tool calls, at least 1; got %q", s)
	}
	return n, nil
}

// removeAll is os.RemoveAll for a folder of ours, named so that no caller can
// hand it another: it must lie in a home's calls.
func removeAll(dir string) error {
	if filepath.Base(filepath.Dir(dir)) != "calls" {
		return fmt.Errorf("%s is no folder of call marks", dir)
	}
	return os.RemoveAll(dir)
}
