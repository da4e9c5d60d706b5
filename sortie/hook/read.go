package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"spar/sortie/harness"
)

var (
	errTooLarge = errors.New("the payload is too large")
	errNothing  = errors.New("nothing arrived on stdin")
	errCut      = errors.New("the payload is cut off")
)

// read takes one JSON value off stdin. It stops at the end of the first value:
// some harnesses keep the pipe open, and waiting for its end would hang them.
func (d Door) read(ctx context.Context) ([]byte, error) {
	limit := d.limit(harness.Other)
	if in, ok := patient(d.In, limit, d.World.Now); ok {
		return firstValue(in, d.cap())
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := firstValue(d.In, d.cap())
		done <- result{raw, err}
	}()
	select {
	case r := <-done:
		return r.raw, r.err
	case <-ctx.Done():
		return nil, nothing(limit)
	}
}

// nothing is what a harness gets told that never wrote.
func nothing(limit time.Duration) error { return fmt.Errorf("%w within %v", errNothing, limit) }

// firstValue reads up to the end of the first JSON value, at most most bytes.
func firstValue(in io.Reader, most int) ([]byte, error) {
	var (
		buf   []byte
		scan  scanner
		chunk = make([]byte, 32<<10)
	)
	for {
		n, err := in.Read(chunk)
		buf = append(buf, chunk[:n]...)
		if len(buf) > most {
			return buf[:min(most, 64<<10)], fmt.Errorf("%w: over %d bytes", errTooLarge, most)
		}
		if wide(buf) {
			if err == nil {
				continue // UTF-16: only the end of file says where it ends
			}
		} else if end, other := scan.end(buf); end > 0 {
			return buf[:end], nil
		} else if other {
			return nil, harness.ErrNotObject
		}
		if err == io.EOF {
			body := bytes.TrimSpace(harness.TrimMark(buf))
			switch {
			case len(body) == 0:
				return nil, harness.ErrEmpty
			case json.Valid(body):
				return body, nil
			case body[0] == '{' || body[0] == '[':
				return nil, fmt.Errorf("%w after %d bytes", errCut, len(buf))
			}
			return nil, harness.ErrNotObject
		}
		if errors.Is(err, errNothing) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("reading stdin: %w", err)
		}
	}
}

func wide(b []byte) bool {
	return len(b) > 1 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
}

// scanner finds the end of the first object in a growing buffer, looking at every
// byte once.
type scanner struct {
	at       int
	depth    int
	inString bool
	escaped  bool
}

// end is the length of buf up to the end of the object, 0 while it goes on. other
// is set as soon as it is certain that no object comes: nothing is gained by
// waiting for the end of it.
func (s *scanner) end(buf []byte) (n int, other bool) {
	for ; s.at < len(buf); s.at++ {
		c := buf[s.at]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			switch c {
			case '\\':
				s.escaped = true
			case '"':
				s.inString = false
			}
		case s.depth == 0:
			switch c {
			case '{':
				s.depth = 1
			case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf: // space and byte-order marks
			default:
				return 0, true
			}
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				s.at++
				return s.at, false
			}
		}
	}
	return 0, false
}
