package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"spar/guards/automode/judge"
)

// maxBody is the most that is read of an answer, in bytes.
const maxBody = 1 << 20

// endpoint posts questions to one URL.
type endpoint struct {
	url    string
	header http.Header
	client *http.Client
	// limit is the provider's whole time; a second try is made only with enough of it left.
	limit time.Duration
}

func newEndpoint(pr judge.Provider, path string, header http.Header) *endpoint {
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "spar-judge")
	t := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{MinVersion: tls.VersionTLS12},
		DisableKeepAlives: true, // one question, then the process ends
	}
	return &endpoint{
		url:    strings.TrimSuffix(pr.BaseURL, "/") + path,
		header: header,
		limit:  time.Duration(pr.TimeoutMS) * time.Millisecond,
		client: &http.Client{
			Transport: t,
			// The key is in a header of our own, which the standard library would carry to
			// another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// post sends a body and returns the answer's. Errors are failures in our own words: what a
// provider sends with an error may hold the key, and the agent reads what is told.
func (e *endpoint) post(ctx context.Context, body any) ([]byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, &judge.Failure{Class: judge.BadNetwork, What: "the question could not be written"}
	}
	answer, status, err := e.once(ctx, data)
	if wait, again := e.retry(ctx, status, err); again {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		answer, status, err = e.once(ctx, data)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case status >= 300 && status < 400:
		return nil, &judge.Failure{Class: judge.BadStatus, What: fmt.Sprintf("the provider redirects (status %d), which is not followed; correct provider.baseURL", status)}
	case status == 401 || status == 403:
		return nil, &judge.Failure{Class: judge.BadStatus, What: fmt.Sprintf("the provider refused the key (status %d)", status)}
	case status < 200 || status > 299:
		return nil, &judge.Failure{Class: judge.BadStatus, What: fmt.Sprintf("the provider answered with status %d", status)}
	}
	return answer, nil
}

// retry reports whether one more try makes sense: the provider is busy or broke, and two
// fifths of the time are left.
func (e *endpoint) retry(ctx context.Context, status int, err error) (wait time.Duration, again bool) {
	switch {
	case err != nil, status != 429 && status != 500 && status != 502 && status != 503 && status != 529:
		return 0, false
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0, true
	}
	wait = min(500*time.Millisecond, e.limit/20)
	return wait, time.Until(deadline)-wait >= e.limit*2/5
}

func (e *endpoint) once(ctx context.Context, data []byte) (answer []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(data))
	if err != nil {
		return nil, 0, &judge.Failure{Class: judge.BadNetwork, What: "provider.baseURL makes no URL"}
	}
	req.Header = e.header.Clone()
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, 0, network(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, resp.StatusCode, nil
	}
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, 0, network(ctx, err)
	}
	if len(answer) > maxBody {
		return nil, 0, &judge.Failure{Class: judge.BadAnswer, What: fmt.Sprintf("the provider's answer has more than %d bytes", maxBody)}
	}
	return answer, resp.StatusCode, nil
}

// network says what kept a question from its answer, by what kind of error it was alone.
func network(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	what := "the connection to the provider broke off"
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &dns):
		what = "the provider's host name can't be looked up"
	case errors.As(err, &cert):
		what = "the provider's certificate can't be verified"
	case errors.Is(err, syscall.ECONNREFUSED):
		what = "nothing listens at provider.baseURL"
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "the provider's answer was cut off on the way"
	}
	return &judge.Failure{Class: judge.BadNetwork, What: what}
}

// count is a number of tokens; what is no number counts as none.
type count int

// UnmarshalJSON reads a number leniently.
func (c *count) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil && f > 0 && f < 1e9 {
		*c = count(f)
	}
	return nil
}
