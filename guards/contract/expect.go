package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Kind is what an expectation asks of a probe's answer.
type Kind string

// The kinds. Default is what verify takes where nobody asked for anything.
const (
	Default  Kind = ""
	NonEmpty Kind = "nonempty"
	Count    Kind = "count"
	AtLeast  Kind = "at-least"
	Contains Kind = "contains"
	Equals   Kind = "equals"
	Matches  Kind = "matches"
)

// Kinds are the six that can be asked for, in the order they are listed.
func Kinds() []Kind { return []Kind{NonEmpty, Count, AtLeast, Contains, Equals, Matches} }

// Expect is one expectation. The zero value is the default: anything but nothing.
type Expect struct {
	kind Kind
	n    number
	s    string
	re   *regexp.Regexp
}

// New makes an expectation. value is a string, a [json.Number] or a whole number;
// for NonEmpty and Default it is ignored. A number must be finite and not
// negative, a text must not be empty: an empty one is contained in everything.
func New(kind Kind, value any) (Expect, error) {
	e := Expect{kind: kind}
	switch kind {
	case Default, NonEmpty:
		return e, nil
	case Count, AtLeast:
		text := ""
		switch v := value.(type) {
		case nil:
			return e, fmt.Errorf("%s needs a value: a number", kind)
		case int:
			text = strconv.Itoa(v)
		case json.Number:
			text = plain(v)
		case string:
			text = v
		default:
			return e, fmt.Errorf("%s wants a number, got %s", kind, typeName(value))
		}
		n, ok := parseNumber(text)
		if !ok {
			return e, fmt.Errorf("%s wants a number such as 45, got %q", kind, text)
		}
		if n.neg {
			return e, fmt.Errorf("%s wants a number that is not negative, got %q", kind, text)
		}
		e.n = n
		return e, nil
	case Contains, Equals, Matches:
		s, ok := value.(string)
		switch {
		case value == nil:
			return e, fmt.Errorf("%s needs a value: a text", kind)
		case !ok:
			return e, fmt.Errorf("%s wants a text, got %s", kind, typeName(value))
		case s == "":
			return e, fmt.Errorf("%s needs a value that is not empty", kind)
		}
		e.s = s
		if kind != Matches {
			return e, nil
		}
		re, err := regexp.Compile(s)
		if err != nil {
			return e, patternError(s, err)
		}
		e.re = re
		return e, nil
	}
	return e, fmt.Errorf("there is no expectation %q; the six are %s", string(kind), kindList())
}

// patternError says what is wrong with a pattern; what other engines know and RE2
// doesn't is called by its name, because "invalid perl operator" helps nobody.
func patternError(s string, err error) error {
	for _, ahead := range [...]string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(s, ahead) {
			return fmt.Errorf("matches: look-around %q is not supported (RE2); match more and let the probe filter, with grep for example", ahead)
		}
	}
	return fmt.Errorf("matches: not a regular expression (RE2): %w", err)
}

func kindList() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// readExpect reads the expect of a contract line.
func readExpect(raw json.RawMessage) (Expect, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return Expect{}, errors.New("expect is missing; the six types are " + kindList())
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return Expect{}, errors.New(`expect is no object; want {"type":"count","value":45}`)
	}
	var name string
	if t, ok := m["type"]; !ok || json.Unmarshal(t, &name) != nil || name == "" {
		return Expect{}, errors.New("expect has no type; the six are " + kindList())
	}
	kind := Kind(strings.ToLower(name))
	if kind == Default {
		return Expect{}, fmt.Errorf("there is no expectation %q; the six are %s", name, kindList())
	}
	var value any
	if v, ok := m["value"]; ok {
		d := json.NewDecoder(strings.NewReader(string(v)))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			return Expect{}, fmt.Errorf("the value of expect can't be read: %w", err)
		}
	}
	return New(kind, value)
}

// MarshalJSON writes the expectation as a contract line has it.
func (e Expect) MarshalJSON() ([]byte, error) {
	m := struct {
		Type  Kind `json:"type"`
		Value any  `json:"value,omitempty"`
	}{Type: e.kind}
	switch e.kind {
	case Default:
		m.Type = NonEmpty
	case Count, AtLeast:
		m.Value = json.Number(e.n.String())
	case Contains, Equals, Matches:
		m.Value = e.s
	}
	return json.Marshal(m)
}

// Kind is what it asks.
func (e Expect) Kind() Kind { return e.kind }

// Weak reports whether any output meets it.
func (e Expect) Weak() bool { return e.kind == Default || e.kind == NonEmpty }

// Label is the expectation as verdicts name it. A text in it is one line,
// redacted, at most 60 characters.
func (e Expect) Label() string {
	switch e.kind {
	case Default:
		return "nonEmpty (default)"
	case NonEmpty:
		return "nonEmpty"
	case Count:
		return "count(" + e.n.String() + ")"
	case AtLeast:
		return "atLeast(" + e.n.String() + ")"
	case Contains:
		return "contains(" + Quote(e.s, 60) + ")"
	case Equals:
		return "equals(" + Quote(e.s, 60) + ")"
	}
	q := Quote(e.s, 60)
	return "matches(/" + q[1:len(q)-1] + "/)"
}

// Judge compares what a probe printed with the expectation. Where it isn't met
// reason is Empty or Mismatch.
func (e Expect) Judge(output string) (met bool, reason Reason, detail string) {
	out := Trim(output)
	met, detail = e.judge(out)
	switch {
	case met:
		return true, "", ""
	case Blank(out):
		if e.kind == Count || e.kind == AtLeast {
			return false, Empty, "the probe returned nothing, and not measured is not zero"
		}
		return false, Empty, "the probe returned nothing"
	}
	return false, Mismatch, detail
}

func (e Expect) judge(out string) (met bool, detail string) {
	switch e.kind {
	case Count, AtLeast:
		n, ok := parseNumber(out)
		if !ok {
			return false, "nothing countable: what the probe returned is no number"
		}
		c := n.compare(e.n)
		if e.kind == Count && c != 0 {
			return false, fmt.Sprintf("it is %s, not %s", n, e.n)
		}
		return c >= 0, fmt.Sprintf("%s is less than %s", n, e.n)
	case Contains:
		return strings.Contains(out, e.s), "the text does not occur"
	case Equals:
		return out == Trim(e.s), "it is another text"
	case Matches:
		return e.re.MatchString(out), "nothing matches"
	}
	return !Blank(out), ""
}

// Trim takes white space off both ends, and byte-order marks with it.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// Blank reports whether a text shows nothing: control and invisible characters
// alone are no answer.
func Blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

// number is a decimal as it was written: a float64 would call 9007199254740993
// and ...992 equal.
type number struct {
	neg         bool
	whole, frac string // without leading, trailing zeros
}

// parseNumber reads [+-]?digits[.digits], nothing else.
func parseNumber(s string) (n number, ok bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		n.neg, s = s[0] == '-', s[1:]
	}
	whole, frac, dot := strings.Cut(s, ".")
	if !digits(whole) || dot && !digits(frac) || len(s) > 400 {
		return number{}, false
	}
	n.whole, n.frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
	if n.whole == "" && n.frac == "" {
		n.neg = false
	}
	return n, true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func (n number) String() string {
	s := n.whole
	if s == "" {
		s = "0"
	}
	if n.frac != "" {
		s += "." + n.frac
	}
	if n.neg {
		s = "-" + s
	}
	return s
}

func (n number) compare(o number) int {
	switch {
	case n.neg != o.neg:
		if n.neg {
			return -1
		}
		return 1
	case n.neg:
		n.neg, o.neg = false, false
		return -n.compare(o)
	case len(n.whole) != len(o.whole):
		if len(n.whole) < len(o.whole) {
			return -1
		}
		return 1
	}
	if c := strings.Compare(n.whole, o.whole); c != 0 {
		return c
	}
	return strings.Compare(n.frac, o.frac)
}

// plain writes a JSON number without an exponent.
func plain(n json.Number) string {
	s := n.String()
	if !strings.ContainsAny(s, "eE") {
		return s
	}
	f, err := n.Float64()
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case json.Number, float64, int:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
