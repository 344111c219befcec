package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
	"catena/tools"
)

const (
	// maxTrips is how often one call may ask. Clients have a bound of their own, which is of that size.
	maxTrips = 10
	// askTimeout is how long a client of an earlier protocol has to answer one question: a person may have to be found.
	askTimeout = 10 * time.Minute
)

// asks are the questions to clients of protocols before 2026-07-28 that have no answer yet. mcp-go has such questions
// too, but hands them to whichever request of the session looks first; here one goes out on the line of the call that
// has it.
type asks struct {
	mu   sync.Mutex
	open map[string]*asked // by the id of the request
}

// asked is one question.
type asked struct {
	session, caller string
	answer          chan reply // takes one
}

// reply is what a client answered, or why it did not.
type reply struct {
	result json.RawMessage
	err    error
}

// ask sends a request to a client and waits for its answer, for askTimeout at most.
func (m *Server) ask(ctx context.Context, request mcp.InputRequest) (json.RawMessage, error) {
	to, session := lineOf(ctx), mcpserver.ClientSessionFromContext(ctx)
	if to == nil || session == nil {
		return nil, errNoStream
	}
	b, err := json.Marshal(request) // {"method", "params"}
	if err != nil {
		return nil, err
	}
	id := askID + rand.Text()
	message := slices.Concat(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,`, id), b[1:])
	q := &asked{session: session.SessionID(), caller: callerOf(ctx).ID, answer: make(chan reply, 1)}
	m.asks.mu.Lock()
	m.asks.open[id] = q
	m.asks.mu.Unlock()
	defer func() {
		m.asks.mu.Lock()
		delete(m.asks.open, id)
		m.asks.mu.Unlock()
	}()
	if err := to.notify(message); err != nil {
		return nil, err
	}
	late := time.NewTimer(askTimeout)
	defer late.Stop()
	select {
	case got := <-q.answer:
		return got.result, got.err
	case <-ctx.Done():
		err = ctx.Err()
	case <-late.C:
		err = fmt.Errorf("the client did not answer within %s", askTimeout)
	}
	m.tell(context.WithoutCancel(ctx), to, string(mcp.MethodNotificationCancelled),
		map[string]any{"requestId": id, "reason": "nobody waits for the answer any more"})
	return nil, err
}

// askID begins the ids of questions.
const askID = "ask-"

// answered takes a message that is an answer to a question, and reports whether it was.
func (m *Server) answered(session, caller string, message []byte) bool {
	if !bytes.Contains(message, []byte(`"`+askID)) {
		return false
	}
	var a struct {
		ID     string          `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(message, &a) != nil || a.Method != "" {
		return false
	}
	m.asks.mu.Lock()
	defer m.asks.mu.Unlock()
	q := m.asks.open[a.ID]
	if q == nil || q.session != session || q.caller != caller {
		return false
	}
	delete(m.asks.open, a.ID)
	if a.Error != nil {
		q.answer <- reply{err: fmt.Errorf("the client answered: %s (%d)", server.Clip(a.Error.Message, 200),
			a.Error.Code)}
	} else {
		q.answer <- reply{result: a.Result}
	}
	return true
}

// converse calls do until it has no question any more. A client of the protocol of 2026-07-28 gets the questions and
// calls again; an earlier one is asked here. of gives what the state is bound to: the answers to one call are not those
// to another.
func (m *Server) converse(
	ctx context.Context, name string, of func() (trip, error), in mcp.MultiRoundTripParams,
	do func(mcp.InputResponses, string) (*tools.Needs, error),
) (*mcp.MultiRoundTripResult, error) {
	answers, state, err := m.continued(of, in)
	if err != nil {
		return nil, err
	}
	for range maxTrips {
		needs, err := do(answers, state)
		if err != nil || needs == nil {
			return nil, err
		}
		if err := needs.Answerable(name, clientOf(ctx)); err != nil {
			return nil, err
		}
		if mcpserver.IsModernRequest(ctx) {
			return m.outgoing(of, needs)
		}
		if answers, err = m.askAll(ctx, needs.Requests); err != nil {
			return nil, err
		}
		state = needs.State
	}
	return nil, &rpcError{code: mcp.INTERNAL_ERROR, text: fmt.Sprintf("%s asked more than %d times.", name, maxTrips)}
}

// askAll puts the questions of one round to a client, one after the other: there is one person.
func (m *Server) askAll(ctx context.Context, requests mcp.InputRequests) (mcp.InputResponses, error) {
	answers := make(mcp.InputResponses, len(requests))
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		raw, err := m.ask(ctx, requests[id])
		if err != nil {
			return nil, &askError{err}
		}
		var answer mcp.InputResponse
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, &askError{err}
		}
		answers[id] = answer
	}
	return answers, checkAnswers(answers)
}

// askError says that a question got no answer.
type askError struct{ err error }

// Error says why.
func (e *askError) Error() string {
	return "A question to the client got no answer: " + e.err.Error() + "."
}

// Unwrap gives the cause.
func (e *askError) Unwrap() error { return e.err }

// checkAnswers refuses answers that are no objects: none of the kinds is anything else.
func checkAnswers(answers mcp.InputResponses) error {
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		if raw, err := json.Marshal(answers[id]); err != nil || !bytes.HasPrefix(raw, []byte("{")) {
			return &rpcError{code: mcp.INVALID_PARAMS,
				text: fmt.Sprintf("The answer to %q is no object.", server.Clip(id, 100))}
		}
	}
	return nil
}

// clientOf is what the client of a request declared to be able to answer.
func clientOf(ctx context.Context) *mcp.ClientCapabilities {
	if info := mcpserver.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		if info.ClientCapabilities != nil {
			return info.ClientCapabilities
		}
		return &mcp.ClientCapabilities{}
	}
	if session, ok := mcpserver.ClientSessionFromContext(ctx).(mcpserver.SessionWithClientInfo); ok &&
		lineOf(ctx) != nil {
		have := session.GetClientCapabilities()
		return &have
	}
	return nil
}

// unanswerable is the error of a call whose client cannot be asked what has to be asked, nil for any other error.
func unanswerable(err error) *rpcError {
	var short *tools.CapabilityError
	if !errors.As(err, &short) {
		return nil
	}
	return &rpcError{code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, text: server.Sentence(short.Error()),
		data: map[string]any{"requiredCapabilities": short.Missing}}
}
