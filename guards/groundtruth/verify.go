// Package groundtruth lets nothing be reported done until a separate probe has
// read the world again. A claim carries a probe and what it has to return; both
// are declared, then checked. [Verify] and [Gate] are the library, [Guard] is the
// same on a harness's hooks.
//
// It can't force a probe to read anything (a command that prints 45 passes for 45
// rows), nor to read by a path of its own. What it says is only ever what the
// probe returned.
package groundtruth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"spar/guards/contract"
)

// A Probe reads real state. It returns what it read: a text, a number, a list
// (which counts as its length), anything that JSON can write. An error means that
// the state could not be read, which is never a pass.
type Probe func(ctx context.Context) (any, error)

// Command is a probe that runs a shell command in a directory, in a process group
// of its own, with nothing on its standard input. It is ended, with all that it
// started, when the context is. Nothing is asked of it but to read: what it
// changes is its caller's affair.
func Command(dir, line string) Probe {
	return func(ctx context.Context) (any, error) {
		r := contract.Runner{Dir: dir, Now: func() time.Time { return time.Time{} }, Timeout: contract.RunLimit}
		v := r.One(ctx, contract.Contract{Probe: line})
		if !v.Read {
			return nil, errors.New(v.Detail)
		}
		return v.Output, nil
	}
}

// An Expectation says what a probe has to return. The zero value is met by
// anything that isn't empty, and says so in its label.
type Expectation struct {
	e   contract.Expect
	err error
}

func expect(k contract.Kind, value any) Expectation {
	e, err := contract.New(k, value)
	return Expectation{e, err}
}

// NonEmpty is met by anything but nothing; of a number, by any but 0.
func NonEmpty() Expectation { return expect(contract.NonEmpty, nil) }

// Count is met by the number n, or by a list of n elements. n is not negative.
func Count(n int) Expectation { return expect(contract.Count, n) }

// AtLeast is met by n or more.
func AtLeast(n int) Expectation { return expect(contract.AtLeast, n) }

// Contains is met where s, which is not empty, occurs.
func Contains(s string) Expectation { return expect(contract.Contains, s) }

// Equals is met by the same text, white space around both aside.
func Equals(s string) Expectation { return expect(contract.Equals, s) }

// Matches is met where the regular expression (RE2) is found.
func Matches(re string) Expectation { return expect(contract.Matches, re) }

// A Claim is what somebody says is so, and how it is checked.
type Claim struct {
	Action string
	Probe  Probe
	Expect Expectation
	// Timeout bounds the probe; 20 s where 0.
	Timeout time.Duration
}

// A Verdict is what came of a claim.
type Verdict struct {
	OK          bool
	Action      string
	Expectation string          // its label: count(45)
	Reason      contract.Reason // "" where it is met
	Detail      string
	Evidence    string // what the probe returned, as it may be shown: one quoted line, secrets taken out
	Err         error  // why the probe could not read
}

// Verify checks one claim. It never fails: what can't be read is a verdict that is
// not OK. A probe that doesn't heed its context is left behind at its limit.
func Verify(ctx context.Context, c Claim) Verdict {
	v := Verdict{Action: c.Action, Expectation: c.Expect.e.Label()}
	fail := func(r contract.Reason, err error) Verdict {
		v.Reason, v.Err, v.Detail = r, err, contract.Flat(err.Error(), contract.DetailCap)
		return v
	}
	switch {
	case c.Expect.err != nil:
		return fail(contract.BadExpect, c.Expect.err)
	case c.Probe == nil:
		return fail(contract.NoProbe, errors.New("there is no probe"))
	}
	limit := c.Timeout
	if limit <= 0 {
		limit = contract.ProbeLimit
	}
	if err := ctx.Err(); err != nil {
		return fail(contract.OutOfTime, err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	value, err := call(ctx, c.Probe)
	if err != nil {
		return fail(contract.ProbeError, err)
	}
	text, zero := shown(value, c.Expect.e.Kind())
	v.Evidence = contract.Evidence(text)
	if zero && c.Expect.e.Weak() {
		v.Reason, v.Detail = contract.Empty, "the probe returned the number 0"
		return v
	}
	v.OK, v.Reason, v.Detail = c.Expect.e.Judge(text)
	return v
}

func call(ctx context.Context, p Probe) (any, error) {
	type result struct {
		v   any
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- result{err: fmt.Errorf("the probe panicked: %v", r)}
			}
		}()
		v, err := p(ctx)
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("the probe did not answer in time: %w", ctx.Err())
	}
}

// shown is a value as text. zero is set for the number 0.
func shown(value any, kind contract.Kind) (text string, zero bool) {
	switch v := value.(type) {
	case nil:
		return "", false
	case string:
		return v, false
	case []byte:
		return string(v), false
	case fmt.Stringer:
		return v.String(), false
	}
	rv := reflect.ValueOf(value)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		if rv.Len() == 0 && kind != contract.Count && kind != contract.AtLeast {
			return "", false
		}
		if kind == contract.Count || kind == contract.AtLeast {
			return fmt.Sprint(rv.Len()), false
		}
	case reflect.Pointer, reflect.Interface:
		if rv.IsNil() {
			return "", false
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		zero = rv.IsZero()
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value), zero
	}
	return string(data), zero
}

// Gate checks claims, one after the other, and reports whether every one holds. No
// claims at all hold nothing: a gate that checked nothing has not passed. Whoever
// is left when ctx is done is OutOfTime, never skipped.
func Gate(ctx context.Context, claims ...Claim) (met bool, verdicts []Verdict) {
	met = len(claims) > 0
	for _, c := range claims {
		v := Verify(ctx, c)
		met, verdicts = met && v.OK, append(verdicts, v)
	}
	return met, verdicts
}
