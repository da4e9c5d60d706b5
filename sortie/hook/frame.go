package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/ledger"
	"spar/ledger/redact"
	"spar/sortie"
	"spar/sortie/harness"
)

// frame is the door's own part of a pass: joining, fuel, wingmen, landing, and
// the small marks that say which events really arrive.
type frame struct {
	Door
	*Pass
}

// part reports whether this part of the frame is to run: all are, unless the
// command line named one.
func (f frame) part(name string) bool { return f.Part == "" || f.Part == name }

// open is what comes before the guards: a session that flies nothing yet joins,
// whatever event shows it first, but for the one that says it is over.
func (f frame) open() error {
	c := f.Call
	switch {
	case c.Event == harness.SessionStart && f.part("session"):
		return f.start()
	case f.joins():
		leg, err := f.Leg()
		f.Answer.Person = joinText(f.Answer.Person, strings.Join(leg.Told, "\n"))
		return dropDark(f.Pass, err)
	}
	return nil
}

// joins reports whether this event puts its session on a sortie. Any event of a
// session nobody has seen does, but for the one that says it is over; what comes
// in after a landing and only tells of what was done reopens nothing.
func (f frame) joins() bool {
	switch c := f.Call; {
	case c.Session == "" || f.bound || c.Event == harness.SessionEnd:
		return false
	case f.landed:
		return c.Event == harness.Prompt || c.Event == harness.PreTool || c.Event == harness.Permission
	}
	return true
}

// start puts the session on its sortie and hands it the brief.
func (f frame) start() error {
	leg, err := f.Leg()
	if err != nil {
		return dropDark(f.Pass, err)
	}
	f.Answer.Person = joinText(f.Answer.Person, strings.Join(leg.Told, "\n"))
	desk := f.desk(leg)
	brief, err := HandOver(desk, f.Guards)
	f.Answer.Context = joinText(f.Answer.Context, brief)
	return err
}

func (f frame) desk(leg sortie.Leg) *Desk {
	return &Desk{World: f.Pass.World, Home: f.Home, Book: f.book, Flight: leg.Flight}
}

// HandOver is the brief of the next session: what the frame and the guards were
// told to hand over, quoted as recorded data. "" where there is nothing.
func HandOver(d *Desk, guards []*Guard) (string, error) {
	lines, err := d.Book.BriefLines()
	errs := []error{err}
	for _, g := range guards {
		if g.Hand == nil {
			continue
		}
		own, err := g.Hand(d)
		lines, errs = append(lines, own...), append(errs, err)
	}
	return sortie.RenderBrief(lines), errors.Join(errs...)
}

// close is what comes after the guards.
func (f frame) close() error {
	c := f.Call
	switch c.Event {
	case harness.PostTool, harness.PostFailure:
		return errors.Join(f.burn(), f.ungated())
	case harness.AgentStart:
		if f.part("wingman") && c.Agent != "" {
			leg, err := f.Leg()
			if err == nil {
				err = f.book.Wingman(leg, c.Agent, c.AgentType)
			}
			return dropDark(f.Pass, err)
		}
	case harness.AgentStop:
		return f.unseen()
	case harness.SessionEnd:
		// clear and resume end a session's name, not its flight.
		if f.part("land") && f.bound && c.Reason != "clear" && c.Reason != "resume" {
			leg, err := f.Leg()
			if err == nil {
				_, _, err = f.book.Land(leg, sortie.LandOptions{Session: true})
			}
			return dropDark(f.Pass, err)
		}
	}
	return nil
}

// burn takes one unit of fuel for a tool call and speaks up past bingo.
func (f frame) burn() error {
	id := f.Sortie()
	if !f.part("burn") || id == "" {
		return nil
	}
	spent, err := f.Home.Burn(id)
	if err != nil {
		return fmt.Errorf("burning fuel: %w", err)
	}
	if budget := f.budget(); sortie.BingoDue(spent, budget) {
		f.Answer.Context = joinText(f.Answer.Context, fmt.Sprintf(
			"spar: bingo, %d of %d tool calls spent. Start nothing new. Finish what is open, write down where it stands, land.", spent, budget))
	}
	return nil
}

func (f frame) budget() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.leg != nil {
		return f.leg.Flight.Budget
	}
	return f.binding.Budget
}

// ungated files a call that was denied and ran all the same: the one thing only
// the event after the call can tell.
func (f frame) ungated() error {
	c := f.Call
	denied := f.markPath("denied", c.Pair)
	if denied == "" {
		return nil
	}
	os.Remove(f.markPath("calls", c.ID)) // an input without id or time is one call until its post event
	if !c.Ran {
		return nil
	}
	if !exists(denied) {
		return nil
	}
	_, err := f.Report(sortie.Report{
		Source: "spar", Phase: ledger.Post, Severity: ledger.Warn, Actor: ledger.Agent,
		Subject:  callSubject(c),
		Observed: map[string]any{"event": "denied-but-ran", "rule": "frame/ungated", "tool": c.Tool},
		Expected: "not run",
		Note:     "denied-but-ran: the harness was told to deny this call and ran it; its charge is kept",
		Call:     c.ID + "/ungated",
	})
	if err == nil {
		os.Remove(denied)
	}
	return dropDark(f.Pass, err)
}

// unseen files a subagent that stops without one of its calls having come by.
func (f frame) unseen() error {
	c := f.Call
	if c.Agent == "" {
		return nil
	}
	if path := f.markPath("seen", "agent-"+c.Agent); path == "" || exists(path) {
		return nil
	}
	_, err := f.Report(sortie.Report{
		Source: "spar", Phase: ledger.Post, Severity: ledger.Note, Actor: ledger.Wingman,
		Subject:  "subagent-unseen",
		Observed: map[string]any{"event": "subagent-unseen", "agent": c.Agent, "type": c.AgentType},
		Note:     "no call of this subagent came by the hook: either it made none, or part of this sortie was not seen",
		Call:     "agent-" + c.Agent + "/unseen",
	})
	if err == nil {
		err = mark(f.markPath("seen", unseenMark+c.Agent), ".")
	}
	return dropDark(f.Pass, err)
}

// after leaves the marks of a pass once it is durable. Losing one loses a
// diagnosis, never a count.
func (f frame) after() error {
	c := f.Call
	id := f.Sortie()
	if id == "" {
		return nil
	}
	err := mark(f.markPath("seen", c.Harness+"."+c.Event.String()), ".")
	if c.Event == harness.PostTool && !exists(f.markPath("seen", c.Harness+"."+harness.PreTool.String())) {
		// The gate before the call never opened: keep what ran past it.
		err = errors.Join(err, mark(f.markPath("seen", ungatedMark), fmt.Sprintf("%.200s\n", oneLine(redact.Text(c.Tool+": "+callSubject(c))))))
	}
	if c.Event == harness.PreTool {
		if c.Agent != "" {
			err = errors.Join(err, mark(f.markPath("seen", "agent-"+c.Agent), "."))
		}
		// Keyed by what the event after the call has too: some harnesses stamp each
		// event with a time of its own, which is part of the call's id.
		if denied := f.markPath("denied", c.Pair); f.Answer.Decision == harness.Deny {
			err = errors.Join(err, mark(denied, "."))
		} else if denied != "" && exists(denied) {
			_ = os.Remove(denied) // the same call, let through now
		}
	}
	if err != nil {
		return fmt.Errorf("marking that the event was seen: %w", err)
	}
	return nil
}

// mark is the path of a small file of this sortie, "" where the sortie is not
// known. Names that a payload gave are hashed: they are no file names.
func (f frame) markPath(space, name string) string {
	id := f.Sortie()
	if id == "" || name == "" {
		return ""
	}
	return filepath.Join(f.Home.Dir, space, id, markName(name))
}

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

// mark appends to a mark's file: its length counts, its time is the last one.
func mark(path, text string) error {
	if path == "" {
		return nil
	}
	err := sortie.AppendSmall(path, text)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return sortie.AppendSmall(path, text)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// unseenMark begins the marks of subagents none of whose calls came by.
const unseenMark = "unseen-"

// Unseen is how many subagents of a sortie stopped without one of their calls
// having come by the hook. It opens no ledger.
func Unseen(home sortie.Home, sortieID string) (n int) {
	entries, err := os.ReadDir(filepath.Join(home.Dir, "seen", sortieID))
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unseenMark) {
			n++
		}
	}
	return n
}

// ungatedMark holds what ran before any event that could have gated it arrived.
const ungatedMark = "ungated"

// Arrival is one event as it really came in.
type Arrival struct {
	Harness string
	Event   string // the neutral name
	Count   int
	Last    time.Time
}

// Seen says which events have arrived in a sortie, and which calls ran while the
// event before them had never been heard of.
func Seen(home sortie.Home, sortieID string) (arrivals []Arrival, ungated []string) {
	dir := filepath.Join(home.Dir, "seen", sortieID)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		name, event, ok := strings.Cut(e.Name(), ".")
		info, err := e.Info()
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "agent-") || strings.HasPrefix(e.Name(), unseenMark):
		case e.Name() == ungatedMark:
			raw, _ := os.ReadFile(filepath.Join(dir, e.Name()))
			ungated = strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		case ok:
			arrivals = append(arrivals, Arrival{name, event, int(info.Size()), info.ModTime()})
		}
	}
	return arrivals, ungated
}

// mounted are the guards that this home and this person have aboard.
func (d Door) mounted(p *Pass, note func(error)) []*Guard {
	if d.Alone {
		return d.Guards
	}
	m, err := ReadMounting(p.World, p.Home)
	note(err)
	return m.Of(d.Guards)
}

// Mounting is what `.spar/config.json` and the person's own
// `$XDG_CONFIG_HOME/spar/config.json` say about guards. What either switches off
// is off; what either asks for is on, unless the other switches it off.
type Mounting struct {
	With    []string `json:"with"`
	Without []string `json:"without"`
	Probes  any      `json:"probes"`
}

// ReadMounting reads both files. One that is missing is empty; one that can't be
// read switches nothing off and is an error.
func ReadMounting(w sortie.World, home sortie.Home) (Mounting, error) {
	var all Mounting
	var errs []error
	for _, path := range MountingPaths(w, home) {
		raw, err := sortie.SmallFile(path)
		if errors.Is(err, fs.ErrNotExist) || path == "" {
			continue
		}
		var m Mounting
		if err == nil {
			err = json.Unmarshal(raw, &m)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s is skipped, every default guard stays on: %w", path, err))
			continue
		}
		all.With, all.Without = append(all.With, m.With...), append(all.Without, m.Without...)
	}
	return all, errors.Join(errs...)
}

// MountingPaths are the files ReadMounting reads; "" for one that has no place.
func MountingPaths(w sortie.World, home sortie.Home) []string {
	config := w.Env("XDG_CONFIG_HOME")
	if config == "" && w.Env("HOME") != "" {
		config = filepath.Join(w.Env("HOME"), ".config")
	}
	paths := []string{filepath.Join(home.Dir, "config.json")}
	if config != "" {
		paths = append(paths, filepath.Join(config, "spar", "config.json"))
	}
	return paths
}

// Of picks the guards that are aboard.
func (m Mounting) Of(all []*Guard) []*Guard {
	var on []*Guard
	for _, g := range all {
		if named(m.Without, g.Name) || !g.Default && !named(m.With, g.Name) {
			continue
		}
		on = append(on, g)
	}
	return on
}

func named(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}

// errorLogCap is the size at which hook-errors.log starts over; the one before
// is kept as hook-errors.log.old.
const errorLogCap = 256 << 10

// tell is how a fault is told: one line on stderr, and the same with its stack in
// the home's log. It never fails: there is nobody left to tell.
func (d Door) tell(home sortie.Home, err error, stack []byte) {
	line := redact.Text(oneLine(err.Error()))
	fmt.Fprintf(d.Err, "spar hook: %s\n", line)
	if home.Dir == "" {
		return
	}
	path := filepath.Join(home.Dir, "hook-errors.log")
	if info, err := os.Stat(path); err == nil && info.Size() > errorLogCap {
		_ = os.Rename(path, path+".old") // kept growing rather than lost
	}
	file, openErr := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if openErr != nil {
		return // no home yet, or not ours to write
	}
	defer file.Close()
	fmt.Fprintf(file, "%s %s\n%s", d.World.Now().UTC().Format("2006-01-02T15:04:05.000Z"), line, stack)
}

// dropDark leaves out an error that darkened will tell once for the whole pass.
func dropDark(p *Pass, err error) error {
	if err == nil || p.isDark() {
		return nil
	}
	return err
}

// callSubject is a call in one line: its command, its first file or its tool.
func callSubject(c *harness.Call) string {
	switch {
	case c.Command != "":
		return c.Command
	case len(c.Files) > 0:
		return c.Files[0].Path
	}
	return c.Tool
}
