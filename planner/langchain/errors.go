package langchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"catena/planner"
)

// refusal is what an endpoint said when it refused a request. Its own words stand beside the error that is shown: there
// they may be cut, or hold asterisks in place of a key that is part of a common word.
type refusal struct {
	*planner.CompletionError
	words string
}

// Unwrap gives the error that is shown.
func (r *refusal) Unwrap() error { return r.CompletionError }

// schemaWords name what a server could not do with a schema. Servers built on llama.cpp answer so with status 500.
var schemaWords = []string{"schema", "grammar", "response_format", "format", "json"}

// namesSchema reports whether an endpoint refused a request with words about its schema.
func namesSchema(err error) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	words := strings.ToLower(r.words)
	return slices.ContainsFunc(schemaWords, func(w string) bool { return strings.Contains(words, w) })
}

// contextWords are how endpoints say that a prompt is longer than their model's context.
var contextWords = []string{"context length", "context_length", "context size", "context window", "maximum context", "n_ctx", "prompt is too long", "too many tokens"}

// tooLong reports whether an endpoint says that the prompt does not fit.
func tooLong(words string) bool {
	words = strings.ToLower(words)
	return slices.ContainsFunc(contextWords, func(w string) bool { return strings.Contains(words, w) })
}

// refused makes the error of an answer that is not 200, a *refusal.
func (c *client) refused(res *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // what could not be read is not needed
	e := c.error(res.StatusCode, "", nil)
	e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), time.Now())
	if isHTML(res, raw) {
		e.Reason = "the endpoint answered with HTML instead of JSON; check the base URL"
		return e
	}
	words := errorMessage(raw)
	e.Words = c.clean(words)
	if tooLong(words) {
		e.Reason = "the prompt is longer than the model's context, which must hold 16,384 tokens (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH; llama.cpp: --ctx-size)"
	}
	return &refusal{CompletionError: e, words: words}
}

// errorMessage finds the message in the forms that endpoints use: {"error": {"message"}}, {"error": "..."},
// {"message"}, plain text.
func errorMessage(raw []byte) string {
	var b struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  any             `json:"detail"`
	}
	if json.Unmarshal(raw, &b) != nil {
		return string(raw) // some servers answer in plain text
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(b.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	case json.Unmarshal(b.Error, &text) == nil && text != "":
		return text
	case b.Message != "":
		return b.Message
	case b.Detail != nil:
		return fmt.Sprint(b.Detail)
	}
	return ""
}

// retryAfter reads the header's seconds or date (RFC 9110, 10.2.3).
func retryAfter(h string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(h)); err == nil && n > 0 {
		return min(time.Duration(n), 86400) * time.Second
	}
	if t, err := http.ParseTime(h); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// endpointError is what an endpoint answered instead of what it was asked for, in its own words.
type endpointError struct{ words string }

// Error quotes the endpoint.
func (e *endpointError) Error() string { return "the endpoint answered with an error: " + e.words }

// said is an error with an endpoint's own words beside ours.
func (c *client) said(reason, words string) *planner.CompletionError {
	e := c.error(0, reason, nil)
	e.Words = c.clean(words)
	return e
}

func (c *client) error(status int, reason string, err error) *planner.CompletionError {
	if err != nil {
		if s := c.clean(err.Error()); s != err.Error() {
			err = errors.New(s)
		}
	}
	return &planner.CompletionError{Provider: c.cfg.Provider, Status: status, Reason: reason, Err: err}
}

func (c *client) unreachable(err error) *planner.CompletionError {
	reason := "the connection to the endpoint failed"
	if errors.Is(err, syscall.ECONNREFUSED) {
		return &planner.CompletionError{Provider: c.cfg.Provider, Reason: "nobody listens at the endpoint's address", Err: syscall.ECONNREFUSED}
	}
	return c.error(0, reason, err)
}

func (c *client) timedOut(err error) *planner.CompletionError {
	reason := "the call was cancelled"
	if errors.Is(err, context.DeadlineExceeded) {
		reason = "no answer came in time"
	}
	return &planner.CompletionError{Provider: c.cfg.Provider, Reason: reason, Err: err}
}

// clean makes an endpoint's words fit for an error: one line without control characters and the key, of maxReason
// characters at most.
func (c *client) clean(s string) string {
	if c.cfg.APIKey != "" {
		s = strings.ReplaceAll(s, c.cfg.APIKey, "***")
	}
	blank := func(r rune) bool { return !unicode.IsPrint(r) }
	r := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), blank), " "))
	if len(r) > maxReason {
		r = r[:maxReason]
	}
	return string(r)
}
