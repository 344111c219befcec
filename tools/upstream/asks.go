package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// asker answers the questions that a server has and that are not to a person: to a model (sampling/createMessage), for
// folders (roots/list).
type asker interface {
	// capabilities are what can be answered, as the protocol declares it.
	capabilities() map[string]any
	// ask answers a question with a result, or refuses it with a *protocolError.
	ask(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// questionTime is how long a question of a server may be open.
const questionTime = 5 * time.Minute

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
	select {
	case c.questions <- struct{}{}:
	default:
		c.refuse(m.ID, fmt.Sprintf("%d questions are open already; ask later.", maxQuestions))
		return
	}
	go func() {
		defer func() { <-c.questions }()
		ctx, cancel := c.lasting(questionTime)
		defer cancel()
		result, err := c.respond(ctx, m, via)
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

// respond is what a question gets.
func (c *conn) respond(ctx context.Context, m incoming, via int64) (any, error) {
	switch m.Method {
	case "ping":
		return map[string]any{}, nil
	case methodElicit:
		if c.asked != nil {
			return c.elicit(ctx, m.Params, via), nil
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
