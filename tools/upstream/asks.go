package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// asker answers the questions that a server has and that are not to a person: to a model (sampling/createMessage), for
// folders (roots/list).
type asker interface {
	// capabilities are what can be answered, as the protocol declares it.
	capabilities() map[string]any
	// samples reports whether there is a model now that the server may ask.
	samples() bool
	// ask answers a question with a result, or refuses it with a *protocolError.
	ask(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// questionTime is how long a question of a server may be open.
const questionTime = 5 * time.Minute

// questions are the places of questions that are being answered: the server's own, and those to people, of which each
// caller has a share. The zero value is ready for use.
type questions struct {
	mu       sync.Mutex
	own      int
	toPeople map[string]int // by caller
	people   int            // all of those
}

// take takes a place for a question, of a call to its asker (p) or of none, until leave is called. why says that there
// is none.
func (q *questions) take(p *parkedCall) (leave func(), why string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case p == nil && q.own == maxQuestions:
		return nil, fmt.Sprintf("%d questions are open already; ask later.", q.own)
	case p == nil:
		q.own++
		return func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.own--
		}, ""
	case q.people == maxToPeople:
		return nil, fmt.Sprintf("%d questions to people are open already; ask later.", q.people)
	case q.toPeople[p.caller] == maxToCaller:
		return nil, fmt.Sprintf("%d questions to this person are open already; ask later.", maxToCaller)
	}
	if q.toPeople == nil {
		q.toPeople = map[string]int{}
	}
	q.toPeople[p.caller]++
	q.people++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.people--; q.toPeople[p.caller] == 1 {
			delete(q.toPeople, p.caller)
		} else {
			q.toPeople[p.caller]--
		}
	}, ""
}

// open is how many places are taken.
func (q *questions) open() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.own + q.people
}

// question answers a request of the server's, in the background.
func (c *conn) question(m incoming, via int64) {
	switch {
	case len(m.ID) > maxAskedID:
		c.log.Debug("an upstream server asks with an id that is too long", "bytes", len(m.ID))
		return
	case len(m.Params) > maxQuestion:
		c.refuse(m.ID, fmt.Sprintf("The question is longer than %d MiB.", maxQuestion>>20))
		return
	}
	var p *parkedCall
	if m.Method == methodElicit {
		p = c.askedIn(via)
	}
	leave, why := c.questions.take(p)
	if leave == nil {
		c.refuse(m.ID, why)
		return
	}
	go func() {
		defer leave()
		ctx, cancel := c.lasting(questionTime)
		defer cancel()
		result, err := c.respond(ctx, m, p)
		c.reply(m.ID, result, err)
	}()
}

// refuse answers a question that is not looked at, in the background. Where the server does not take the answers to
// former ones, this one has none.
func (c *conn) refuse(id json.RawMessage, why string) {
	select {
	case c.refusals <- struct{}{}:
	default:
		c.log.Debug("a question of an upstream server has no answer: too many wait to be sent")
		return
	}
	go func() {
		defer func() { <-c.refusals }()
		c.reply(id, nil, &protocolError{code: codeInternal, message: why})
	}()
}

// respond is what a question gets. p is the call whose asker it is for.
func (c *conn) respond(ctx context.Context, m incoming, p *parkedCall) (any, error) {
	switch m.Method {
	case "ping":
		return map[string]any{}, nil
	case methodElicit:
		if c.asked != nil {
			return elicit(ctx, m.Params, p), nil
		}
	case "sampling/createMessage", "roots/list":
		if c.asked != nil {
			return c.asked.ask(ctx, m.Method, m.Params)
		}
	}
	return nil, &protocolError{code: codeMethodNotFound,
		message: fmt.Sprintf("This client does not do %s, and has not said that it does.", cut(m.Method, 60))}
}

// reply sends the answer to a question.
func (c *conn) reply(id json.RawMessage, result any, err error) {
	msg := map[string]any{"jsonrpc": "2.0", "id": id}
	if err == nil {
		msg["result"] = result
	} else {
		refused, ok := err.(*protocolError) //nolint:errorlint // asker says so
		if !ok {
			refused = &protocolError{code: codeInternal, message: err.Error()}
		}
		msg["error"] = map[string]any{"code": refused.code, "message": refused.message}
	}
	body, err := json.Marshal(msg)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
		defer cancel()
		err = c.wire.send(ctx, outgoing{body: body})
	}
	if err != nil {
		c.log.Debug("an answer to an upstream server was not sent", "error", err.Error())
	}
}
