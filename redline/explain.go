package redline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"spar/redline/acts"
	"spar/sortie/harness"
)

// Query is one call to explain, as a batch spells it. The fields of automode
// (facts, options) are taken and not looked at here.
type Query struct {
	ID         json.RawMessage   `json:"id"`
	ToolName   string            `json:"tool_name"`
	ToolInput  json.RawMessage   `json:"tool_input"`
	Tool       string            `json:"tool"`  // an older spelling of tool_name
	Input      json.RawMessage   `json:"input"` // an older spelling of tool_input
	Cwd        string            `json:"cwd"`
	Env        map[string]string `json:"env"`        // the whole environment; absent: HOME and TMPDIR of the process
	Production []string          `json:"production"` // the whole list; absent: none
	Harness    string            `json:"harness"`    // whose tool it is; "claude" where empty
	Facts      json.RawMessage   `json:"facts"`
	Options    json.RawMessage   `json:"options"`
}

// Answer is what a query is answered with.
type Answer struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Kinds  []string        `json:"kinds"` // sorted
	Points int             `json:"points"`
	Acts   []ActAnswer     `json:"acts"`
	Switch string          `json:"switch,omitempty"` // the pilot's switch the call turns
	Auto   *AutoAnswer     `json:"automode,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// AutoAnswer is what automode's local tier says of a call.
type AutoAnswer struct {
	Verdict   string `json:"verdict"` // "allow" or "escalate"
	Exception string `json:"exception"`
	Why       string `json:"-"` // for a person; never among the answers of a batch
}

// ActAnswer is one act of an answer.
type ActAnswer struct {
	Argv   []*string `json:"argv"` // a word that is not known is null
	Dir    *string   `json:"dir"`  // null: not known
	Via    []string  `json:"via"`
	Kinds  []string  `json:"kinds"`  // sorted
	Why    []string  `json:"why"`    // why it costs what it costs
	Unread string    `json:"unread"` // why it, or a word of it, could not be read
}

// Answer turns a price into what a machine reads.
func (p *Priced) Answer() Answer {
	a := Answer{Kinds: sorted(p.Kinds), Points: p.Points, Acts: []ActAnswer{}}
	if p.Switch != nil {
		a.Switch = p.Switch.Name
	}
	if p.Reading == nil {
		if len(p.Charges) > 0 {
			act := ActAnswer{Argv: []*string{}, Via: []string{}}
			act.Kinds, act.Why = p.ofAct(-1)
			a.Acts = append(a.Acts, act)
		}
		return a
	}
	for i := range p.Reading.Acts {
		a.Acts = append(a.Acts, p.actAnswer(i))
	}
	return a
}

func (p *Priced) actAnswer(i int) ActAnswer {
	act := &p.Reading.Acts[i]
	out := ActAnswer{Argv: make([]*string, 0, len(act.Argv)), Via: act.Via}
	if out.Via == nil {
		out.Via = []string{}
	}
	for _, w := range act.Argv {
		if s, ok := w.Known(); ok {
			out.Argv = append(out.Argv, &s)
		} else {
			out.Argv = append(out.Argv, nil)
		}
	}
	if s, ok := act.Dir.Known(); ok && s != "" {
		out.Dir = &s
	}
	out.Kinds, out.Why = p.ofAct(i)
	out.Unread = unread(act)
	return out
}

// ofAct is what one act is charged with, and why.
func (p *Priced) ofAct(i int) (kinds, why []string) {
	kinds, why = []string{}, []string{}
	for _, c := range p.Charges {
		if c.Act != i || c.Kind == Unnamed && c.Points == 0 {
			continue
		}
		if !slices.Contains(kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
		why = append(why, c.because())
	}
	slices.Sort(kinds)
	return kinds, why
}

func (c Charge) because() string {
	s := c.Kind + ": " + c.Why
	if c.Detail != "" {
		s += ": " + c.Detail
	}
	return s
}

// unread says what of an act could not be read, and why; "" where all of it was.
func unread(a *acts.Act) string {
	var out []string
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) && len(out) < 8 {
			out = append(out, s)
		}
	}
	add(a.Why)
	for _, w := range a.Argv {
		add(w.Why())
	}
	for _, r := range a.Redirs {
		add(r.Target.Why())
	}
	add(a.Target.Why())
	if a.Appended {
		add("words that the wrapper adds")
	}
	return strings.Join(out, "; ")
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return out
}

// Call is the call a query stands for: built from the text of a shell line at
// once, else through the harness's own parser, as the hook would.
func (q *Query) Call(dir string) (*harness.Call, error) {
	tool, input, cwd := q.ToolName, q.ToolInput, q.Cwd
	if tool == "" {
		tool = q.Tool
	}
	if len(input) == 0 {
		input = q.Input
	}
	if cwd == "" {
		cwd = dir
	}
	if tool == "" {
		return nil, errors.New(`"tool_name" is missing`)
	}
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	if input[0] != '{' {
		return nil, errors.New(`"tool_input" is no object`)
	}
	name := q.Harness
	if name == "" || !slices.Contains(harness.Names(), name) {
		name = "claude"
	}
	if name == "claude" && tool == "Bash" {
		var in struct {
			Command *string `json:"command"`
		}
		if json.Unmarshal(input, &in) == nil && in.Command != nil {
			return &harness.Call{Harness: name, Event: harness.PreTool, Tool: tool, Kind: harness.Shell, Input: input, Command: *in.Command, Cwd: cwd}, nil
		}
	}
	raw, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "explain", "tool_use_id": "explain", "cwd": cwd,
		"tool_name": tool, "tool_input": input,
	})
	if err != nil {
		return nil, err
	}
	env := func(string) string { return "" }
	call, _, err := harness.Parse(raw, harness.Hint{Harness: name, Event: preTool(name)}, env)
	if name != "claude" && (err != nil || call.Tool == "" || call.Event != harness.PreTool) {
		call, _, err = harness.Parse(raw, harness.Hint{Harness: "claude", Event: "PreToolUse"}, env)
	}
	return call, err
}

// preTool is the name of the event before a tool call in a harness's spelling.
func preTool(name string) string {
	if w, ok := harness.Wiring(name); ok {
		for _, e := range w.Events {
			if e.Event == harness.PreTool {
				return e.Name
			}
		}
	}
	return "PreToolUse"
}

// Batch is how a batch of queries is answered.
type Batch struct {
	// Env looks a variable of the process up; only HOME and TMPDIR are asked for.
	Env func(string) string
	// Dir is where a query without a cwd stands.
	Dir string
	// Disk lets a query without production be priced under the configuration files
	// of the trees it touches. Without it the disk is not looked at: corpora name
	// paths that don't exist.
	Disk bool
	// Auto judges a call as automode's local tier would; nil: answers have no such
	// field. It is handed in because the limiter knows no other guard.
	Auto func(q *Query, call *harness.Call, env map[string]string) AutoAnswer
}

// environment is the environment of a query: its own, else HOME and TMPDIR.
func (b Batch) environment(q *Query) map[string]string {
	if q.Env != nil {
		return q.Env
	}
	env := map[string]string{}
	for _, name := range [...]string{"HOME", "TMPDIR"} {
		if v := b.Env(name); v != "" {
			env[name] = v
		}
	}
	return env
}

// Price prices one query.
func (b Batch) Price(q *Query) (*Priced, error) {
	call, err := q.Call(b.Dir)
	if err != nil {
		return nil, err
	}
	return b.price(q, call), nil
}

func (b Batch) price(q *Query, call *harness.Call) *Priced {
	if b.Disk && q.Production == nil {
		env := b.Env
		if q.Env != nil {
			env = func(name string) string { return q.Env[name] }
		}
		p, _ := Check(call, World{Env: env})
		return p
	}
	return Price(call, Options{Env: b.environment(q), Rules: Rules{Production: q.Production}})
}

// Line answers one line of a batch. It never fails: what is wrong with the line
// is in the answer.
func (b Batch) Line(line []byte) (a Answer) {
	var q Query
	defer func() {
		if r := recover(); r != nil {
			a = Answer{ID: q.ID, Kinds: []string{}, Acts: []ActAnswer{}, Error: fmt.Sprintf("internal fault: %v", r)}
		}
	}()
	bad := func(err error) Answer {
		return Answer{ID: q.ID, Kinds: []string{}, Acts: []ActAnswer{}, Error: err.Error()}
	}
	if err := json.Unmarshal(line, &q); err != nil {
		var t *json.UnmarshalTypeError
		if errors.As(err, &t) {
			return bad(fmt.Errorf("%q has the wrong type: %s", t.Field, t.Value))
		}
		return bad(fmt.Errorf("not a JSON object: %w", err))
	}
	call, err := q.Call(b.Dir)
	if err != nil {
		return bad(err)
	}
	a = b.price(&q, call).Answer()
	a.ID = q.ID
	if b.Auto != nil {
		auto := b.Auto(&q, call, b.environment(&q))
		a.Auto = &auto
	}
	return a
}

// Run answers every line of in with a line of out, in order. Lines are answered
// as they come, several at a time.
func (b Batch) Run(in io.Reader, out io.Writer) error {
	// Lines that are there already go to a worker together: a hand-over costs as
	// much as a short line.
	type job struct {
		lines [][]byte
		done  chan []byte
	}
	const together = 64
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan *job, 4*workers)
	order := make(chan *job, 64*workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				buf := make([]byte, 0, 512*len(j.lines))
				for _, line := range j.lines {
					buf = append(b.Line(line).AppendJSON(buf), '\n')
				}
				j.done <- buf
			}
		})
	}
	var readErr error
	stop := make(chan struct{})
	go func() {
		defer close(order)
		defer close(jobs)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, err := r.ReadBytes('\n')
			var lines [][]byte
			if line = bytes.TrimSpace(line); len(line) > 0 {
				lines = append(lines, line)
			}
			for err == nil && len(lines) < together {
				ready, _ := r.Peek(r.Buffered())
				if bytes.IndexByte(ready, '\n') < 0 {
					break
				}
				if line, err = r.ReadBytes('\n'); len(bytes.TrimSpace(line)) > 0 {
					lines = append(lines, bytes.TrimSpace(line))
				}
			}
			if len(lines) > 0 {
				j := &job{lines, make(chan []byte, 1)}
				select {
				case <-stop:
					return
				case order <- j:
				}
				jobs <- j
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					readErr = fmt.Errorf("reading the batch: %w", err)
				}
				return
			}
		}
	}()
	w := bufio.NewWriterSize(out, 64<<10)
	for j := range order {
		var err error
		if _, err = w.Write(<-j.done); err == nil && len(order) == 0 {
			err = w.Flush() // whoever waits for this answer before the next question gets it
		}
		if err != nil {
			// The reader may sit in a read that never ends; nobody waits for it.
			close(stop)
			return fmt.Errorf("writing the answers: %w", err)
		}
	}
	wg.Wait()
	return errors.Join(readErr, w.Flush())
}

// View is how an explanation is shown.
type View struct {
	Color bool
	Width int // columns; 0: no limit
}

const (
	red, yellow, dim, bold, plain = "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
)

func (v View) paint(code, s string) string {
	if !v.Color {
		return s
	}
	return code + s + plain
}

// Explain writes what a call does, act by act, what each act costs and why, and
// what could not be read. found may be nil.
func (p *Priced) Explain(w io.Writer, found *Found, v View) error {
	var b strings.Builder
	limit := DefaultLimit()
	if found != nil {
		limit = found.Rules.Bounds()
	}
	if p.Reading != nil {
		p.explainActs(&b, v)
	} else {
		fmt.Fprintf(&b, "%s\n", oneLine(p.Subject, v.Width))
		p.because(&b, -1, v)
	}
	if p.Reading != nil {
		p.because(&b, -1, v)
	}
	if p.Switch != nil {
		fmt.Fprintf(&b, "%s %s: %s\n", v.paint(yellow, "pilot's switch"), p.Switch.Name, p.Switch.Why)
	}
	if p.Unknown {
		b.WriteString("nothing is known of this tool; \"tools\" in .redline.json prices it\n")
	}
	b.WriteByte('\n')
	switch {
	case p.Points > 0:
		fmt.Fprintf(&b, "%s  %s", v.paint(bold, fmt.Sprintf("costs %d", p.Points)), costs(p))
		if p.Points >= limit.Stop {
			fmt.Fprintf(&b, "  (alone it reaches the stop at %d)", limit.Stop)
		}
		b.WriteByte('\n')
	default:
		fmt.Fprintf(&b, "%s\n", v.paint(bold, "free"))
	}
	if found != nil {
		for _, f := range found.Files {
			fmt.Fprintf(&b, "%s\n", v.paint(dim, "rules from "+f))
		}
		for _, pr := range found.Problems {
			fmt.Fprintf(&b, "%s %s\n", v.paint(yellow, "not in force"), pr.Error())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Priced) explainActs(b *strings.Builder, v View) {
	r := p.Reading
	if len(r.Acts) == 0 {
		b.WriteString("nothing runs\n")
	}
	for i := range r.Acts {
		a := &r.Acts[i]
		kinds, _ := p.ofAct(i)
		cost := v.paint(dim, "free")
		if len(kinds) > 0 {
			var parts []string
			by := p.ByKind()
			for _, k := range Kinds() {
				if slices.Contains(kinds, k) {
					parts = append(parts, fmt.Sprintf("%s +%d", k, by[k]))
				}
			}
			cost = v.paint(red, strings.Join(parts, ", "))
		}
		fmt.Fprintf(b, "%2d  %s  %s\n", i+1, oneLine(actText(a), v.Width), cost)
		if len(a.Via) > 0 {
			fmt.Fprintf(b, "      %s\n", v.paint(dim, "through "+oneLine(strings.Join(a.Via, " > "), v.Width)))
		}
		if d := a.Dir.String(); d != "" && (i == 0 || d != r.Acts[i-1].Dir.String()) {
			fmt.Fprintf(b, "      %s\n", v.paint(dim, "in "+oneLine(d, v.Width)))
		}
		p.because(b, i, v)
		if s := unread(a); s != "" {
			fmt.Fprintf(b, "      %s\n", v.paint(yellow, "unread: "+oneLine(s, v.Width)))
		}
	}
	if r.Unparsed {
		fmt.Fprintf(b, "%s\n", v.paint(yellow, "unparsed: no grammar takes the whole line; part of it was read word by word"))
	}
	if r.Bound != "" {
		fmt.Fprintf(b, "%s\n", v.paint(yellow, "the bound on "+r.Bound+" was hit; what lies past it is one unread act"))
	}
}

func (p *Priced) because(b *strings.Builder, i int, v View) {
	for _, c := range p.Charges {
		if c.Act == i {
			fmt.Fprintf(b, "      %s\n", oneLine(c.because(), v.Width))
		}
	}
	for _, s := range p.Spared {
		if s.Act == i {
			fmt.Fprintf(b, "      %s\n", v.paint(dim, "free: "+oneLine(s.Why, v.Width)))
		}
	}
}

// actText is an act as a person reads it: its words, then where it lands.
func actText(a *acts.Act) string {
	var b strings.Builder
	word := func(s string) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	switch a.Kind {
	case acts.Run:
		for _, w := range a.Argv {
			word(quoteWord(w))
		}
	case acts.Land:
	case acts.Write, acts.Remove:
		word("(code) " + a.Kind.String() + " " + quoteWord(a.Target))
	case acts.SQL:
		word("(sql) " + a.Text)
	case acts.Unread:
		word("(unread) " + a.Text)
	}
	for _, r := range a.Redirs {
		op := [...]string{"<", ">", ">>", "<>"}[r.Op]
		if r.FD == 2 {
			op = "2" + op
		}
		word(op + " " + quoteWord(r.Target))
	}
	return b.String()
}

func quoteWord(w acts.Word) string {
	s := w.String()
	if _, ok := w.Known(); ok && (s == "" || strings.ContainsAny(s, " \t\n\"'|&;<>()")) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// oneLine is text on one line, control characters made visible, cut to width.
func oneLine(s string, width int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '␤'
		case r < 0x20 || r == 0x7f:
			return ' '
		}
		return r
	}, s)
	if width <= 0 {
		width = 400
	}
	return clip(s, max(width-8, 40))
}
