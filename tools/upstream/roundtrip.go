package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	tablejson "catena/table/json"
	"catena/tools"
)

// A call of a tool, and in the newer era a prompt and a resource too, may come back with questions. In the newer era
// the result holds them, and the call is made anew with the answers; in the older one the server asks while the call is
// under way, which is then parked until the answers are there. Either way the asker of the call sees tools.Needs.

// trip is what is kept between two parts of a call, in tools.Needs.State: the asker's client carries it, signed by our
// front.
type trip struct {
	State  *string `json:"state,omitempty"`  // the server's, to be given back as it is
	Parked string  `json:"parked,omitempty"` // the call that waits here, in the older era
	// of the questions, by id: what an answer may leave out
	Defaults map[string]map[string]any `json:"defaults,omitempty"`
	Have     mcp.InputResponses        `json:"have,omitempty"` // answers that nobody else had to give
}

// maxTrips is how often one call may come back without a question, to be made again.
const maxTrips = 8

// wanted is a request that may come back with questions, and what its asker answered to those that it had before.
type wanted struct {
	method  string
	caller  string                  // who wants it, by id
	client  *mcp.ClientCapabilities // nil where nobody can be asked
	answers mcp.InputResponses
	state   string
	task    bool                 // a call that is made as a task
	alive   func(message string) // hears each time that the task is said to be under way; nil for none
}

// roundTrip makes a request, or goes on with one that had questions. Of the results one is set.
func (s *server) roundTrip(
	ctx context.Context, c *conn, w wanted, params map[string]any,
) (json.RawMessage, *tools.Needs, error) {
	var at trip
	if w.state != "" {
		if err := json.Unmarshal([]byte(w.state), &at); err != nil {
			return nil, nil, errParkedGone
		}
	}
	answers, err := at.complete(w.answers)
	if err != nil {
		return nil, nil, err
	}
	if !c.proto.modern {
		return s.older(ctx, c, w, params, at, answers)
	}
	if w.client != nil {
		meta, _ := params["_meta"].(map[string]any)
		params["_meta"] = withCapabilities(meta, c.proto.can, w.client)
	}
	for range maxTrips {
		if delete(params, "inputResponses"); len(answers) > 0 {
			params["inputResponses"] = answers
		}
		if delete(params, "requestState"); at.State != nil {
			params["requestState"] = *at.State
		}
		raw, err := c.request(ctx, w.method, params)
		if err != nil {
			return nil, nil, err
		}
		open, err := questionsOf(raw)
		if err != nil || open == nil {
			return raw, nil, err
		}
		if answers, err = answerable(ctx, c, w.client, open.Requests); err != nil {
			return nil, nil, err
		}
		at = trip{State: open.State, Have: answers}
		maps.DeleteFunc(open.Requests, func(id string, _ json.RawMessage) bool { _, have := answers[id]; return have })
		if len(open.Requests) == 0 {
			continue
		}
		needs, err := at.needs(s.Name, open.Requests)
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
	meta[metaCapabilities] = can
	return meta
}

// openQuestions are those of a result that is none yet.
type openQuestions struct {
	Requests map[string]json.RawMessage `json:"inputRequests"`
	State    *string                    `json:"requestState"`
}

// maxOpen is how many questions one result may have.
const maxOpen = 64

// questionsOf gives the questions of a result, nil where it is one.
func questionsOf(raw json.RawMessage) (*openQuestions, error) {
	var open openQuestions
	if !bytes.Contains(raw, []byte("input_required")) { // a result may have megabytes
		return nil, nil
	}
	var kind string
	_ = json.Unmarshal(tablejson.Member(raw, "resultType"), &kind) // it is none of these, then
	if kind != "input_required" {
		return nil, nil
	}
	n := 0
	for range tablejson.Members(tablejson.Member(raw, "inputRequests")) {
		n++
	}
	if n > maxOpen {
		return nil, fmt.Errorf("it has %d questions, at most %d are taken", n, maxOpen)
	}
	if err := json.Unmarshal(raw, &open); err != nil {
		return nil, nil //nolint:nilerr // who reads the result finds the fault
	}
	if len(open.Requests) == 0 && open.State == nil {
		return nil, errors.New("it wants further input and does not say which")
	}
	size := 0
	for id, request := range open.Requests {
		size += len(id) + len(request)
	}
	if open.State != nil {
		size += len(*open.State)
	}
	if size > maxQuestion {
		return nil, fmt.Errorf("its questions have %d bytes with their state, at most %d are taken", size, maxQuestion)
	}
	return &open, nil
}

// answerable answers the questions that need nobody: those to a model that may be asked, and for folders.
func answerable(
	ctx context.Context, c *conn, client *mcp.ClientCapabilities, requests map[string]json.RawMessage,
) (mcp.InputResponses, error) {
	out := mcp.InputResponses{}
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		var q struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(requests[id], &q); err != nil {
			return nil, fmt.Errorf("its question %q cannot be read: %w", cut(id, 40), err)
		}
		if !mine(c, client, q.Method) {
			continue
		}
		result, err := c.asked.ask(ctx, q.Method, q.Params)
		if err != nil {
			return nil, &unansweredError{q.Method, err}
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

// unansweredError says that a server asks, before it does a call, what nobody answers here.
type unansweredError struct {
	method string
	err    error
}

// Error says what, and why not.
func (e *unansweredError) Error() string {
	return fmt.Sprintf("it asks what is not answered here (%s): %v", cut(e.method, 60), e.err)
}

// mine reports whether a question is to be answered, or refused, here: all but those that the asker of the call can
// answer.
func mine(c *conn, client *mcp.ClientCapabilities, method string) bool {
	switch {
	case method == methodElicit || c.asked == nil:
		return false
	case method == "sampling/createMessage" && client != nil && client.Sampling != nil:
		return c.asked.samples() // our model first, where it may be asked
	}
	return true
}

// needs are the questions as our own asker gets them. Those to a person say who asks: they would pass for ours.
func (t trip) needs(server string, requests map[string]json.RawMessage) (*tools.Needs, error) {
	t.Defaults = map[string]map[string]any{}
	out := mcp.InputRequests{}
	for id, raw := range requests {
		var q mcp.InputRequest
		if err := json.Unmarshal(raw, &q); err != nil {
			return nil, fmt.Errorf("its question %q cannot be read: %w", cut(id, 40), err)
		}
		if q.Elicitation != nil {
			q.Elicitation.Message = fmt.Sprintf("The server %s asks: %s", server, q.Elicitation.Message)
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

// complete fills the defaults into the answers that were accepted, and adds those that are there already.
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
	if len(t.Have) > 0 {
		answers = maps.Clone(answers)
		if answers == nil {
			answers = mcp.InputResponses{}
		}
		maps.Copy(answers, t.Have)
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
