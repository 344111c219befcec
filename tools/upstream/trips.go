package upstream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// A call of a tool may come back with questions. In the newer era the result holds them, and the call is made anew with the answers; in
// the older one the server asks while the call is under way, which is then parked until the answers are there. Either way the asker of the
// call sees tools.Needs.

// trip is what is kept between two parts of a call, in tools.Needs.State: the asker's client carries it, signed by our front.
type trip struct {
	State    *string                   `json:"state,omitempty"`    // the server's, to be given back as it is
	Parked   string                    `json:"parked,omitempty"`   // the call that waits here, in the older era
	Defaults map[string]map[string]any `json:"defaults,omitempty"` // of the questions, by id: what an answer may leave out
}

// maxTrips is how often one call may come back without a question, to be made again.
const maxTrips = 8

// errParkedGone says that the call that an answer belongs to is over.
var errParkedGone = errors.New("the question is no longer open: call the tool again")

// roundTrip makes a call, or goes on with one that had questions. Of the results one is set.
func (s *server) roundTrip(ctx context.Context, c *conn, call tools.Call, params map[string]any) (json.RawMessage, *tools.Needs, error) {
	var at trip
	if call.State != "" {
		if err := json.Unmarshal([]byte(call.State), &at); err != nil {
			return nil, nil, errParkedGone
		}
	}
	answers, err := at.complete(call.Answers)
	if err != nil {
		return nil, nil, err
	}
	if !c.proto.modern {
		return s.older(ctx, c, call, params, at, answers)
	}
	if call.Client != nil {
		meta, _ := params["_meta"].(map[string]any)
		params["_meta"] = withCapabilities(meta, c.proto.can, call.Client)
	}
	for range maxTrips {
		if len(answers) > 0 {
			params["inputResponses"] = answers
		}
		if delete(params, "requestState"); at.State != nil {
			params["requestState"] = *at.State
		}
		raw, err := c.request(ctx, "tools/call", params)
		if err != nil {
			return nil, nil, err
		}
		open, err := questionsOf(raw)
		if err != nil || open == nil {
			return raw, nil, err
		}
		at = trip{State: open.State}
		if answers, err = s.answerable(ctx, c, open.Requests); err != nil {
			return nil, nil, err
		}
		if len(answers) == len(open.Requests) {
			continue
		}
		needs, err := at.needs(open.Requests)
		return nil, needs, err
	}
	return nil, nil, fmt.Errorf("it asked for more than %d further requests", maxTrips)
}

// withCapabilities says for one request that its asker answers questions to a person.
func withCapabilities(meta, base map[string]any, client *mcp.ClientCapabilities) map[string]any {
	meta, can := maps.Clone(meta), maps.Clone(base)
	if meta == nil {
		meta = map[string]any{}
	}
	if can == nil {
		can = map[string]any{}
	}
	if client.Elicitation != nil {
		can["elicitation"] = client.Elicitation
	}
	if client.Sampling != nil && can["sampling"] == nil {
		can["sampling"] = map[string]any{}
	}
	meta["io.modelcontextprotocol/clientCapabilities"] = can
	return meta
}

// openQuestions are those of a result that is none yet.
type openQuestions struct {
	Type     string                     `json:"resultType"`
	Requests map[string]json.RawMessage `json:"inputRequests"`
	State    *string                    `json:"requestState"`
}

// questionsOf gives the questions of a result, nil where it is one.
func questionsOf(raw json.RawMessage) (*openQuestions, error) {
	var open openQuestions
	if err := json.Unmarshal(raw, &open); err != nil || open.Type != "input_required" {
		return nil, nil //nolint:nilerr // who reads the result finds the fault
	}
	if len(open.Requests) == 0 && open.State == nil {
		return nil, errors.New("it wants further input and does not say which")
	}
	return &open, nil
}

// answerable answers the questions that need nobody: those to a model that may be asked, and for folders.
func (s *server) answerable(ctx context.Context, c *conn, requests map[string]json.RawMessage) (mcp.InputResponses, error) {
	out := mcp.InputResponses{}
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		var q struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(requests[id], &q); err != nil {
			return nil, fmt.Errorf("its question %q cannot be read: %w", cut(id, 40), err)
		}
		if q.Method == methodElicit || c.asked == nil {
			continue
		}
		result, err := c.asked.ask(ctx, q.Method, q.Params)
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(result)
		if err != nil {
			return nil, err
		}
		var r mcp.InputResponse
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, err
		}
		out[id] = r
	}
	return out, nil
}

// needs are the questions as our own asker gets them.
func (t trip) needs(requests map[string]json.RawMessage) (*tools.Needs, error) {
	t.Defaults = map[string]map[string]any{}
	out := mcp.InputRequests{}
	for id, raw := range requests {
		var q mcp.InputRequest
		if err := json.Unmarshal(raw, &q); err != nil {
			return nil, fmt.Errorf("its question %q cannot be read: %w", cut(id, 40), err)
		}
		out[id] = q
		if d := defaultsOf(raw); len(d) > 0 {
			t.Defaults[id] = d
		}
	}
	state, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return &tools.Needs{Requests: out, State: string(state)}, nil
}

// defaultsOf are the values that the schema of a question to a person gives for what is left out.
func defaultsOf(request json.RawMessage) map[string]any {
	var q struct {
		Params struct {
			Schema struct {
				Properties map[string]struct {
					Default any `json:"default"`
				} `json:"properties"`
			} `json:"requestedSchema"`
		} `json:"params"`
	}
	if json.Unmarshal(request, &q) != nil {
		return nil
	}
	out := map[string]any{}
	for name, p := range q.Params.Schema.Properties {
		if p.Default != nil {
			out[name] = p.Default
		}
	}
	return out
}

// complete fills the defaults into the answers that were accepted.
func (t trip) complete(answers mcp.InputResponses) (mcp.InputResponses, error) {
	for id, defaults := range t.Defaults {
		answer, ok := answers[id]
		if !ok {
			continue
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		if raw, err = withDefaults(raw, defaults); err != nil {
			return nil, err
		}
		var full mcp.InputResponse
		if err := json.Unmarshal(raw, &full); err != nil {
			return nil, err
		}
		answers = maps.Clone(answers)
		answers[id] = full
	}
	return answers, nil
}

// withDefaults fills defaults into the content of an answer to a question, if it was accepted.
func withDefaults(raw json.RawMessage, defaults map[string]any) (json.RawMessage, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	if fields["action"] != string(mcp.ElicitationResponseActionAccept) {
		return raw, nil
	}
	content, _ := fields["content"].(map[string]any)
	content = maps.Clone(content)
	if content == nil {
		content = map[string]any{}
	}
	for name, v := range defaults {
		if _, given := content[name]; !given {
			content[name] = v
		}
	}
	fields["content"] = content
	return json.Marshal(fields)
}

// parkedCall is a call of the older era that is under way at the server.
type parkedCall struct {
	got  chan outcome   // what it comes to
	asks chan *elicited // questions to a person meanwhile
	open *elicited      // the one that waits for an answer
	end  context.CancelFunc
}

// elicited is a question to a person.
type elicited struct {
	params json.RawMessage
	answer chan json.RawMessage // takes one: the result
}

// older makes a call in the older era, or goes on with one that is parked.
func (s *server) older(ctx context.Context, c *conn, call tools.Call, params map[string]any, at trip, answers mcp.InputResponses) (json.RawMessage, *tools.Needs, error) {
	if call.Client == nil || call.Client.Elicitation == nil {
		raw, err := c.request(ctx, "tools/call", params)
		return raw, nil, err
	}
	var p *parkedCall
	if at.Parked == "" {
		p = c.begin(ctx, params)
	} else {
		if p = c.unpark(at.Parked); p == nil {
			return nil, nil, errParkedGone
		}
		raw, err := json.Marshal(answers[onlyQuestion])
		if err != nil || len(answers) == 0 {
			raw = json.RawMessage(`{"action":"cancel"}`)
		}
		p.open.answer <- raw
	}
	select {
	case got := <-p.got:
		p.end()
		return got.result, nil, got.err
	case <-ctx.Done():
		p.end()
		return nil, nil, ctx.Err()
	case p.open = <-p.asks:
	}
	request, err := json.Marshal(map[string]any{"method": methodElicit, "params": p.open.params})
	if err != nil {
		p.end()
		return nil, nil, err
	}
	at = trip{Parked: c.park(p)}
	needs, err := at.needs(map[string]json.RawMessage{onlyQuestion: request})
	return nil, needs, err
}

// onlyQuestion is the id of a question of the older era: there is one at a time.
const onlyQuestion = "question"

// methodElicit is a question to a person.
const methodElicit = "elicitation/create"

// begin makes a call that may outlive the request that it is for: it is parked while it waits for a person.
func (c *conn) begin(ctx context.Context, params map[string]any) *parkedCall {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	p := &parkedCall{got: make(chan outcome, 1), asks: make(chan *elicited), end: end}
	m := outgoing{id: c.ids.Add(1), method: "tools/call", params: params}
	c.mu.Lock()
	c.calls[m.id] = p
	c.mu.Unlock()
	go func() {
		raw, err := c.exchange(life, m)
		c.mu.Lock()
		delete(c.calls, m.id)
		c.mu.Unlock()
		p.got <- outcome{raw, err}
	}()
	return p
}

// park keeps a call until the answer to its question is there, or nobody answers.
func (c *conn) park(p *parkedCall) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := rand.Text()
	c.parked[id] = p
	time.AfterFunc(questionTime, func() {
		if p := c.unpark(id); p != nil {
			p.end()
		}
	})
	return id
}

func (c *conn) unpark(id string) *parkedCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.parked[id]
	delete(c.parked, id)
	return p
}

// elicit puts a question to the person whose call it belongs to: that on whose stream it came (via), or the only one that is under way.
// Where nobody can be asked the answer is that it was cancelled.
func (c *conn) elicit(ctx context.Context, params json.RawMessage, via int64) any {
	c.mu.Lock()
	p := c.calls[via]
	if p == nil && len(c.calls) == 1 {
		for _, only := range c.calls {
			p = only
		}
	}
	c.mu.Unlock()
	cancelled := map[string]any{"action": "cancel"}
	if p == nil {
		return cancelled
	}
	q := &elicited{params: params, answer: make(chan json.RawMessage, 1)}
	select {
	case p.asks <- q:
	case <-ctx.Done():
		return cancelled
	}
	select {
	case raw := <-q.answer:
		return raw
	case <-ctx.Done():
		return cancelled
	}
}
