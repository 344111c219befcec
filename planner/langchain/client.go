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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

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
	noJSONSchema  habits = 1 << iota // response_format json_schema, by whatever schema
	noByTool                         // a schema of the tools at hand
	noStrict                         // the same in OpenAI's strict form
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
	calls               []callPart // in place of a text
}

// event is one step of a stream. done marks the end as the wire has it; failed is an error inside the stream.
type event struct {
	answer
	done   bool
	failed string
}

// call carries one Complete through langchaingo, by the request's context.
type call struct {
	schema, byTool, strict json.RawMessage
	strictFirst            bool

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
	maxAdapts   = 8
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
			if more&formHabits != 0 && namesSchema(err) {
				c.learn(more) // whatever becomes of the next request
			}
			c.tell(ctx, err, more)
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

// tell logs what an endpoint refused, in its own words, and what the next request does without.
func (c *client) tell(ctx context.Context, err error, without habits) {
	var r *refusal
	if c.cfg.Log == nil || !errors.As(err, &r) {
		return
	}
	c.cfg.Log.WarnContext(ctx, "the model's endpoint refused a request, which is sent again in another form",
		"model", c.cfg.String(), "status", r.Status, "reason", c.clean(r.words), "without", without.String())
}

// habitNames are what a request can do without.
var habitNames = []struct {
	habits
	name string
}{
	{noStrict, "strict schema"}, {noByTool, "schema of its tools"}, {noJSONSchema, "json_schema"},
	{noJSONObject, "json_object"}, {swapMaxTokens, "the name of the token limit"}, {noTemperature, "temperature"},
	{noStreamOptions, "stream_options"},
	{noStream, "stream"}, {noCacheMark, "cache_control"},
}

// String names all that the habits do without.
func (h habits) String() string {
	var names []string
	for _, n := range habitNames {
		if h&n.habits != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
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
