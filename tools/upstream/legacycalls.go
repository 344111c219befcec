package upstream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
)

// errParkedGone says that the call that an answer belongs to is over.
var errParkedGone = errors.New("the question is no longer open: call the tool again")

// errTooNew says that a server answers in a way that the era it chose does not have.
var errTooNew = errors.New("its version of the protocol has no such results")

// parkedCall is a call of the older era that is under way at the server.
type parkedCall struct {
	got  chan outcome   // what it comes to
	asks chan *elicited // questions to a person meanwhile
	open *elicited      // the one that waits for an answer
	end  context.CancelFunc
	over <-chan struct{} // closed by end

	caller string // the owner of the call
}

// elicited is a question to a person.
type elicited struct {
	params json.RawMessage
	answer chan json.RawMessage // takes one: the result
}

// older makes a call in the older era, or goes on with one that is parked.
func (s *server) older(
	ctx context.Context, c *conn, w wanted, params map[string]any, at trip, answers mcp.InputResponses,
) (json.RawMessage, *tools.Needs, error) {
	if w.method != methodCall || w.client == nil || w.client.Elicitation == nil {
		raw, err := c.made(ctx, w, params, nil)
		if open, _ := questionsOf(raw); err == nil && open != nil {
			err = &unansweredError{"an open result", errTooNew}
		}
		return raw, nil, err
	}
	var p *parkedCall
	if at.Parked == "" {
		p = c.begin(ctx, w, params, s.atWork())
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
		if err := table.WorkOf(ctx).Draw(int64(len(got.result))); err != nil {
			return nil, nil, err
		}
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
	needs, err := at.needs(s.Name, map[string]json.RawMessage{onlyQuestion: request})
	return nil, needs, err
}

// onlyQuestion is the id of a question of the older era: there is one at a time.
const onlyQuestion = "question"

// methodCall is a call of a tool.
const methodCall = "tools/call"

// methodElicit is a question to a person.
const methodElicit = "elicitation/create"

// begin makes a call that may outlive the request that it is for: it is parked while it waits for a person.
// over is called at its end.
func (c *conn) begin(ctx context.Context, w wanted, params map[string]any, over func()) *parkedCall {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	life, work := table.WithWork(life, c.memory) // that of ctx ends with the first of its requests
	p := &parkedCall{got: make(chan outcome, 1), asks: make(chan *elicited), end: end, over: life.Done(),
		caller: w.caller}
	go func() {
		defer over()
		defer work.End()
		raw, err := c.made(life, w, params, p)
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

// askedIn is the call that a question belongs to: that on whose stream it came (via), or the only one that may ask,
// where no other caller has a request under way, whose question it could be. Nil where it is not known.
func (c *conn) askedIn(via int64) *parkedCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.calls[via]; p != nil || len(c.calls) != 1 {
		return p
	}
	for _, only := range c.calls {
		if c.audiences.only(only.caller) {
			return only
		}
	}
	return nil
}

// elicit puts a question to the person whose call it belongs to. Where nobody can be asked, or the call ends, the
// answer is that it was cancelled.
func elicit(ctx context.Context, params json.RawMessage, p *parkedCall) any {
	cancelled := map[string]any{"action": "cancel"}
	if p == nil {
		return cancelled
	}
	q := &elicited{params: params, answer: make(chan json.RawMessage, 1)}
	select {
	case p.asks <- q:
	case <-p.over:
		return cancelled
	case <-ctx.Done():
		return cancelled
	}
	select {
	case raw := <-q.answer:
		return raw
	case <-p.over:
		return cancelled
	case <-ctx.Done():
		return cancelled
	}
}
