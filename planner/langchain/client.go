package langchain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"catena/planner"
)

// client is the Doer that langchaingo sends through.
type client struct {
	http    *http.Client
	cfg     Config
	wire    wire
	retries int
	sleep   func(context.Context, time.Duration) error
	habits  atomic.Uint32 // what the endpoint was found to refuse, so that later calls do not ask for it again
}

// wire is a provider's format.
type wire interface {
	// prepare sets the fields of a request that langchaingo cannot set per call.
	prepare(body map[string]json.RawMessage, c *call, cfg Config, h habits)
	// adapt says what else to do without after a 400 with a message; 0 when nothing is left.
	adapt(c *call, h habits, message string) habits
	// answer reads a whole answer.
	answer(raw []byte) (answer, error)
	// event reads the data of one event of a stream.
	event(data []byte) (event, error)
	// whole and part write what langchaingo reads; part of a stream that is over has done set.
	whole(a answer) []byte
	part(e event, first bool) []byte
}

// habits is a set of fields that an endpoint refuses.
type habits uint32

const (
	noJSONSchema  habits = 1 << iota // response_format json_schema
	noJSONObject                     // response_format json_object
	swapMaxTokens                    // the other one of max_tokens and max_completion_tokens
	noTemperature
	noStreamOptions // stream_options, which asks for the use of a stream
	noStream        // streams at all: the whole answer comes at once
	noCacheMark     // Anthropic's cache_control
)

// answer is what an endpoint said.
type answer struct {
	text, model, finish string
	truncated           bool
	prompt, completion  int
}

// event is one step of a stream. done marks the end as the wire has it; failed is an error inside the stream.
type event struct {
	answer
	done   bool
	failed string
}

// call carries one Complete through langchaingo, by the request's context.
type call struct {
	schema json.RawMessage

	mu     sync.Mutex
	answer answer
	err    error
}

type callKey struct{}

func with(ctx context.Context, c *call) context.Context { return context.WithValue(ctx, callKey{}, c) }

func (c *call) result() answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answer
}

func (c *call) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *call) fail(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	return err
}

func (c *call) note(f func(*answer)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.answer)
}

// The bounds of an exchange.
const (
	maxRequest  = 8 << 20
	maxAnswer   = 8 << 20
	maxLine     = 1 << 20 // of a stream
	maxReason   = 200     // characters of an endpoint's own words in an error
	maxAdapts   = 5
	firstWait   = 300 * time.Millisecond
	longestWait = 30 * time.Second
)

// Do sends langchaingo's request, as often as it takes. The error is a *planner.CompletionError.
func (c *client) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	call, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil, errors.New("a request without its call")
	}
	body, err := requestBody(req)
	if err != nil {
		return nil, call.fail(c.error(0, "the request could not be built", err))
	}
	known := habits(c.habits.Load())
	h := known
	for try, adapts := 0, 0; ; {
		res, err := c.send(req, body, call, h)
		var ce *planner.CompletionError
		switch {
		case err == nil:
			c.learn(h)
			return res, nil
		case ctx.Err() != nil:
			return nil, call.fail(c.timedOut(ctx.Err()))
		case !errors.As(err, &ce):
			return nil, call.fail(c.error(0, "", err))
		}
		if more := c.without(call, h, err); more != 0 && adapts < maxAdapts {
			if more == noJSONSchema && namesSchema(err) {
				c.learn(more) // whatever becomes of the next request
			}
			h, adapts = h|more, adapts+1
			continue
		}
		wait, again := c.again(ctx, ce, try)
		if !again {
			return nil, call.fail(ce)
		}
		if err := c.sleep(ctx, wait); err != nil {
			return nil, call.fail(c.timedOut(err))
		}
		try++
	}
}

// learn remembers what to do without, beside what calls that ran at the same time have found.
func (c *client) learn(h habits) { c.habits.Or(uint32(h)) }

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

// without says what else to leave out of a request after an endpoint has refused it, 0 where nothing would help.
func (c *client) without(call *call, h habits, err error) habits {
	var r *refusal
	if !errors.As(err, &r) || tooLong(r.words) {
		return 0
	}
	words := strings.ToLower(r.words)
	switch r.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return c.wire.adapt(call, h, words)
	case http.StatusInternalServerError, http.StatusNotImplemented, http.StatusBadGateway:
		if namesSchema(err) {
			return c.wire.adapt(call, h|noTemperature|noStream|noStreamOptions|swapMaxTokens, words)
		}
	}
	return 0
}

// contextWords are how endpoints say that a prompt is longer than their model's context.
var contextWords = []string{"context length", "context_length", "context size", "context window", "maximum context", "n_ctx", "prompt is too long", "too many tokens"}

// tooLong reports whether an endpoint says that the prompt does not fit.
func tooLong(words string) bool {
	words = strings.ToLower(words)
	return slices.ContainsFunc(contextWords, func(w string) bool { return strings.Contains(words, w) })
}

func requestBody(req *http.Request) (map[string]json.RawMessage, error) {
	if req.Body == nil {
		return nil, errors.New("no body")
	}
	defer req.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(req.Body, maxRequest+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxRequest {
		return nil, fmt.Errorf("the prompt has more than %d bytes", maxRequest)
	}
	var body map[string]json.RawMessage
	return body, json.Unmarshal(raw, &body)
}

// send makes one try and returns a response that langchaingo can read.
func (c *client) send(req *http.Request, body map[string]json.RawMessage, call *call, h habits) (*http.Response, error) {
	fields := make(map[string]json.RawMessage, len(body)+2)
	for k, v := range body {
		fields[k] = v
	}
	c.wire.prepare(fields, call, c.cfg, h)
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, c.error(0, "the request could not be built", err)
	}
	out := req.Clone(req.Context())
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	if c.cfg.APIKey == "" {
		out.Header.Del("Authorization")
		out.Header.Del("X-Api-Key")
	}
	res, err := c.http.Do(out)
	if err != nil {
		return nil, c.unreachable(err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, c.refused(res)
	}
	if string(body["stream"]) == "true" && mediaType(res) == "text/event-stream" {
		res.Body = &stream{client: c, call: call, body: res.Body, lines: newLines(res.Body)}
		res.ContentLength = -1
		return res, nil
	}
	defer res.Body.Close()
	return c.read(res, call, string(body["stream"]) == "true")
}

// read reads a whole answer. Where a stream was asked for and the endpoint does not stream, it becomes one.
func (c *client) read(res *http.Response, call *call, streamed bool) (*http.Response, error) {
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.error(0, "the endpoint's answer was cut off", err)
	case len(raw) > maxAnswer:
		return nil, c.error(0, "the endpoint's answer is too large", nil)
	case isHTML(res, raw):
		return nil, c.error(0, "the endpoint answered with HTML instead of JSON; check the base URL", nil)
	case !json.Valid(raw):
		return nil, c.error(0, "the endpoint's answer is not whole JSON", nil)
	}
	a, err := c.wire.answer(raw)
	var said *endpointError
	switch {
	case errors.As(err, &said):
		return nil, c.said("the endpoint answered with an error", said.words)
	case err != nil:
		return nil, c.error(0, err.Error(), nil)
	}
	call.note(func(x *answer) { *x = a })
	raw = c.wire.whole(a)
	if streamed {
		raw = append(c.wire.part(event{answer: answer{text: a.text}}, true), c.wire.part(event{answer: a, done: true}, false)...)
	}
	res.Body = io.NopCloser(bytes.NewReader(raw))
	res.ContentLength = int64(len(raw))
	return res, nil
}

func mediaType(res *http.Response) string {
	m, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return m
}

func isHTML(res *http.Response, raw []byte) bool {
	return mediaType(res) == "text/html" || bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<"))
}

// again decides whether and when to try again: after a 429, 5xx or a broken connection, not when nobody listens. A
// Retry-After that is beyond the call's time or longestWait ends it at once.
func (c *client) again(ctx context.Context, err *planner.CompletionError, try int) (time.Duration, bool) {
	switch {
	case try >= c.retries, tooLong(err.Words): // a prompt gets no shorter
		return 0, false
	case err.Status == http.StatusTooManyRequests || err.Status >= 500 && err.Status != http.StatusNotImplemented:
	case err.Status == 0 && err.Err != nil && !errors.Is(err.Err, syscall.ECONNREFUSED):
	default:
		return 0, false
	}
	wait := firstWait << try
	wait = wait/2 + rand.N(wait) // so that replicas do not come back together
	wait = max(wait, err.RetryAfter)
	if deadline, ok := ctx.Deadline(); wait > longestWait || ok && time.Until(deadline) < wait {
		return 0, false
	}
	return wait, true
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

// errorMessage finds the message in the forms that endpoints use: {"error": {"message"}}, {"error": "..."}, {"message"}, plain text.
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

// clean makes an endpoint's words fit for an error: one line without control characters and the key, of maxReason characters at most.
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
