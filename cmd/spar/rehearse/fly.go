package rehearse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/ledger"
	"spar/redline"
	"spar/sortie"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// Options of a flight.
type Options struct {
	Guards []*hook.Guard
	// Seat is Attended or Unattended where it is to be otherwise than the
	// recording's environment says, "" where not.
	Seat string
	// Start is the moment the first payload arrives; the clock moves a second a
	// payload.
	Start time.Time
	// Temp is the folder for the rehearsal's home; "" is the system's.
	Temp string
}

// What a flight's seat can be set to.
const (
	Attended   = "attended"
	Unattended = "unattended"
)

// reason is why the seat is empty where the recording gives no reason itself.
const reason = "rehearsal with nobody in the seat"

// Act is one thing the session did and what came of it.
type Act struct {
	N     int    `json:"n"`
	Event string `json:"event"` // neutral: "pre-tool", "prompt"
	Tool  string `json:"tool,omitempty"`
	Did   string `json:"did"`
	Agent string `json:"agent,omitempty"` // the subagent that did it
	Say   string `json:"say,omitempty"`   // the recording's own comment

	Kinds  map[string]int `json:"kinds"` // what it was charged with
	Points int            `json:"points"`
	Total  int            `json:"total"` // the sortie's number after it

	// Answer is free, noted (written down at no cost), recorded, advised, asked or
	// stopped for a call, and "" for what is no call.
	Answer string   `json:"answer,omitempty"`
	Told   string   `json:"told,omitempty"`   // what the agent read
	Person string   `json:"person,omitempty"` // what only a person was shown
	Filed  []uint64 `json:"filed,omitempty"`  // sequences of what was written to the ledger
	Fault  string   `json:"fault,omitempty"`  // what the hook could not do

	call string // the call's id
}

// The answers an act may have.
const (
	Free     = "free"
	Noted    = "noted"
	Recorded = "recorded"
	Advised  = "advised"
	Asked    = "asked"
	Stopped  = "stopped"
)

// Flight is a recording flown.
type Flight struct {
	Title   string         `json:"title"`
	Harness string         `json:"harness,omitempty"`
	Empty   bool           `json:"seat_empty"`
	Reason  string         `json:"seat_reason,omitempty"`
	Acts    []Act          `json:"acts"`
	Total   int            `json:"total"`
	Limit   int            `json:"limit"` // the total from which a charge is stopped
	Kinds   map[string]int `json:"kinds"`
	Calls   int            `json:"calls"`
	// Answers counts the calls by answer.
	Answers map[string]int `json:"answers"`
	// Findings is how many the ledger held in the end.
	Findings int `json:"findings"`
}

// Fly takes a recording through the door, payload by payload, in a home that is
// made for it and removed before Fly returns.
//
// It is the door that `spar hook` opens, with the same guards, the same ledger
// and the same answers. Three things differ from a live session: the clock is the
// recording's, the environment is what its header says, and what a denied call
// would have reported after running is left out, because it would not have run.
func Fly(ctx context.Context, rec *Recording, o Options) (f *Flight, err error) {
	temp, err := os.MkdirTemp(o.Temp, "spar-rehearsal-")
	if err != nil {
		return nil, fmt.Errorf("making a home for the rehearsal: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()

	person := filepath.Join(temp, "home")
	if err := lay(person, rec.Files); err != nil {
		return nil, err
	}
	p := pilot{
		rec:    rec,
		guards: o.Guards,
		now:    o.Start,
		home:   filepath.Join(temp, ".spar"),
		denied: map[string]bool{},
	}
	p.env = environment(rec.Env, person, o.Seat)
	p.flight = &Flight{
		Title: rec.Title, Harness: rec.Harness,
		Kinds: map[string]int{}, Answers: map[string]int{},
	}
	world := p.world()
	p.flight.Reason = sortie.DeclaredAutonomy(world)
	p.flight.Empty = p.flight.Reason != ""
	p.flight.Limit = p.limit()
	for _, step := range rec.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.fly(ctx, step); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", rec.Name, step.Line, err)
		}
	}
	return p.flight, nil
}

// limit is the total at which the limiter stops, under the configuration that
// the session's own directory and the recording's home have.
func (p *pilot) limit() int {
	look := redline.Look{Home: p.env["HOME"]}
	if c, _, err := harness.Parse(p.rec.Steps[0].Payload, harness.Hint{Harness: p.rec.Harness}, p.world().Env); err == nil {
		look.Own = []string{cmp.Or(c.Project, c.Cwd)}
	}
	return redline.Load(look).Rules.Bounds().Stop
}

// lay writes the recording's files below dir, which is made.
func lay(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making a home for the rehearsal: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("making a home for the rehearsal: %w", err)
	}
	defer root.Close()
	for path, text := range files {
		path = filepath.FromSlash(path)
		if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("laying the recording's file %q: %w", path, err)
		}
		if err := root.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("laying the recording's file %q: %w", path, err)
		}
	}
	return nil
}

// environment is the recording's, with every folder that is written to below the
// rehearsal's own home.
func environment(recorded map[string]string, home, seat string) map[string]string {
	env := map[string]string{"TMPDIR": "/tmp"}
	for k, v := range recorded {
		env[k] = v
	}
	switch seat {
	case Attended:
		delete(env, "SPAR_AUTONOMY")
		delete(env, "AIRFRAME_AUTONOMY")
	case Unattended:
		if strings.TrimSpace(env["SPAR_AUTONOMY"]+env["AIRFRAME_AUTONOMY"]) == "" {
			env["SPAR_AUTONOMY"] = reason
		}
	}
	env["HOME"], env["USERPROFILE"] = home, home
	env["XDG_CONFIG_HOME"] = filepath.Join(home, ".config")
	env["XDG_STATE_HOME"] = filepath.Join(home, ".local", "state")
	env["XDG_CACHE_HOME"] = filepath.Join(home, ".cache")
	env["XDG_DATA_HOME"] = filepath.Join(home, ".local", "share")
	return env
}

// pilot is a flight under way.
type pilot struct {
	rec    *Recording
	guards []*hook.Guard
	env    map[string]string
	home   string
	now    time.Time
	last   uint64          // the ledger's highest sequence seen
	denied map[string]bool // ids of calls that would not have run
	flight *Flight
}

// world is what the door is told of the outside. The clock stands still during a
// pass, so the same recording gives the same findings.
func (p *pilot) world() sortie.World {
	now := p.now
	return sortie.World{
		Now: func() time.Time { return now },
		Env: func(k string) string { return p.env[k] },
	}
}

// fly takes one payload through the door.
func (p *pilot) fly(ctx context.Context, step Step) error {
	world := p.world()
	p.now = p.now.Add(time.Second)

	call, _, err := harness.Parse(step.Payload, harness.Hint{Harness: p.rec.Harness}, world.Env)
	if err != nil {
		call = &harness.Call{} // the door says what is wrong with it, as it would live
	}
	after := call.Event == harness.PostTool || call.Event == harness.PostFailure
	if after && p.denied[call.ID] {
		return nil
	}
	var stdout, stderr bytes.Buffer
	out := hook.Door{
		Guards: p.guards, In: bytes.NewReader(step.Payload), Out: &stdout, Err: &stderr,
		World: world, Harness: p.rec.Harness, HomeFlag: p.home,
	}.Run(ctx)

	act := Act{
		Event: call.Event.String(), Tool: call.Tool, Did: did(call), Agent: call.Agent, Say: step.Say,
		Kinds: map[string]int{}, Total: p.flight.Total,
		Told: told(out.Answer), Person: out.Answer.Person, call: call.ID,
	}
	if out.Err != nil {
		act.Fault = strings.TrimSpace(strings.TrimPrefix(stderr.String(), "spar hook: "))
	}
	if err := p.read(world, &act); err != nil {
		return err
	}
	if after {
		p.settle(act)
		return nil
	}
	if call.Event == harness.PreTool {
		p.flight.Calls++
		act.Answer = answer(out.Answer, act)
		p.flight.Answers[act.Answer]++
		if out.Answer.Decision == harness.Deny {
			p.denied[call.ID] = true
		}
	}
	act.N = len(p.flight.Acts) + 1
	p.flight.Acts = append(p.flight.Acts, act)
	return nil
}

// read takes in what the pass filed.
func (p *pilot) read(world sortie.World, act *Act) error {
	l, err := ledger.Open(p.home, ledger.Options{ReadOnly: true, Now: world.Now})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing has been filed yet
	}
	if err != nil {
		return err
	}
	defer l.Close()
	return l.View(func(tx *ledger.Tx) error {
		for finding, err := range tx.Find(ledger.Query{After: p.last}) {
			if err != nil {
				return err
			}
			p.last = finding.Seq
			p.flight.Findings++
			act.Filed = append(act.Filed, finding.Seq)
			charge, ok := finding.ChargeOf()
			if !ok {
				continue
			}
			for kind, points := range charge.Kinds {
				act.Kinds[kind] += points
				p.flight.Kinds[kind] += points
			}
			act.Points += charge.Points
			p.flight.Total = charge.Total
			act.Total = charge.Total
		}
		return nil
	})
}

// settle adds what an event after a call said to the call's own act.
func (p *pilot) settle(post Act) {
	for i := len(p.flight.Acts) - 1; i >= 0; i-- {
		act := &p.flight.Acts[i]
		if act.call != post.call || act.call == "" {
			continue
		}
		act.Told = join(act.Told, post.Told)
		act.Person = join(act.Person, post.Person)
		act.Fault = join(act.Fault, post.Fault)
		act.Filed = append(act.Filed, post.Filed...)
		return
	}
	// A recording may begin in the middle of a call; what it says still counts.
	if post.Told != "" || len(post.Filed) > 0 || post.Fault != "" {
		post.N = len(p.flight.Acts) + 1
		p.flight.Acts = append(p.flight.Acts, post)
	}
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// told is what the agent reads of an answer.
func told(a harness.Answer) string { return join(a.Reason, a.Context) }

// answer is the one word for what became of a call.
func answer(a harness.Answer, act Act) string {
	switch {
	case a.Decision == harness.Deny:
		return Stopped
	case a.Decision == harness.Ask:
		return Asked
	case a.Context != "":
		return Advised
	case act.Points > 0:
		return Recorded
	case len(act.Filed) > 0:
		return Noted
	}
	return Free
}

// did says in a few words what an event is about.
func did(c *harness.Call) string {
	switch c.Event {
	case harness.SessionStart:
		return "session starts" + paren(c.Source)
	case harness.SessionEnd:
		return "session ends" + paren(c.Reason)
	case harness.Prompt:
		return c.Prompt
	case harness.AgentStart:
		return "subagent starts" + paren(c.AgentType)
	case harness.AgentStop:
		return "subagent stops" + paren(c.AgentType)
	case harness.Compact:
		return "the conversation is compacted"
	case harness.Stop:
		return "the turn ends"
	case harness.Denied:
		return "the harness itself denied " + c.Tool
	case harness.Permission:
		return "asks for permission: " + object(c)
	case harness.Other:
		if c.Name != "" {
			return "an event no guard answers: " + c.Name
		}
		return "a payload that can't be read"
	}
	return object(c)
}

// object is what a call acts on.
func object(c *harness.Call) string {
	switch {
	case c.Command != "":
		return c.Command
	case len(c.Files) > 0:
		var paths []string
		for _, file := range c.Files {
			paths = append(paths, short(file.Path, c.Cwd))
		}
		return strings.Join(paths, ", ")
	}
	// Of the other tools the first telling word of their input has to do.
	for _, key := range []string{"file_path", "path", "pattern", "url", "query", "description", "title"} {
		if text := input(c, key); text != "" {
			return short(text, c.Cwd)
		}
	}
	return string(c.Input)
}

// short is a path as seen from the session's directory.
func short(path, cwd string) string {
	if rest, ok := strings.CutPrefix(path, cwd+"/"); ok && cwd != "" {
		return rest
	}
	return path
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
