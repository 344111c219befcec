package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// refuseSubscription is asked before mcp-go takes a request. mcp-go would subscribe to any URI, and would serve a
// subscriptions/listen over the legacy SSE transport until the end of the process, for there it does not see when the
// client goes.
func (m *Server) refuseSubscription(ctx context.Context, id, message any) error {
	raw, _ := message.(json.RawMessage)
	session, to := mcpserver.ClientSessionFromContext(ctx), lineOf(ctx)
	if session == nil || to == nil || !bytes.Contains(raw, []byte("subscri")) {
		return nil
	}
	var r struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			URI           string    `json:"uri"`
			Meta          *mcp.Meta `json:"_meta"`
			Notifications struct {
				Tasks []string `json:"taskIds"`
			} `json:"notifications"`
		} `json:"params"`
	}
	_ = json.Unmarshal(raw, &r) // what cannot be read mcp-go refuses itself
	modern := mcp.IsModernProtocol(r.Params.Meta.ProtocolVersion())
	_, legacy := to.(*legacyStream)
	var cause *rpcError
	switch {
	case r.Method == mcp.MethodSubscriptionsListen && legacy:
		cause = &rpcError{code: mcp.METHOD_NOT_FOUND, text: "subscriptions/listen needs Streamable HTTP or stdio."}
	case r.Method == mcp.MethodResourcesSubscribe && !modern && r.Params.URI != "":
		cause = m.unsubscribable(ctx, session.SessionID(), r.Params.URI)
	case r.Method == mcp.MethodSubscriptionsListen && !m.listeners.begin(ctx, to, callerOf(ctx).ID):
		cause = errListeners()
	case r.Method == mcp.MethodSubscriptionsListen:
		cause = m.wantTasks(ctx, to, id, r.Params.Meta, r.Params.Notifications.Tasks)
	}
	if cause == nil {
		return nil
	}
	to.refuse(id, cause)
	return cause
}

// unsubscribable says why a session may not subscribe to a URI, nil when it may.
func (m *Server) unsubscribable(ctx context.Context, session, uri string) *rpcError {
	if err := m.opt.Tools.CanSubscribe(ctx, callerOf(ctx), uri); err != nil {
		return m.unreadable(ctx, uri, err)
	}
	if !m.subs.room(session, uri) {
		return &rpcError{code: mcp.INVALID_PARAMS,
			text: fmt.Sprintf("A session may subscribe to %d resources at most. Unsubscribe from some first.",
				maxSubscriptions)}
	}
	return nil
}

// subscribe takes a subscription that mcp-go has accepted.
func (m *Server) subscribe(ctx context.Context, uri string) {
	session := mcpserver.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	to := lineOf(ctx)
	if _, ofRequest := to.(*httpStream); ofRequest {
		to = nil
	}
	m.subs.subscribe(session.SessionID(), callerOf(ctx).ID, uri, to)
}

func (m *Server) unsubscribe(ctx context.Context, uri string) {
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		m.subs.unsubscribe(session.SessionID(), uri)
	}
}

// listen takes the resources of a subscriptions/listen request, of the protocol of 2026-07-28, before mcp-go
// acknowledges it. What the caller cannot read, and what is too much, is taken out, so that the acknowledgement does
// not name it.
func (m *Server) listen(ctx context.Context, id any, r *mcp.SubscriptionsListenRequest) {
	want := &r.Params.Notifications.ResourceSubscriptions
	to := lineOf(ctx)
	tasks := m.listenTasks(ctx, to, id)
	if len(*want)+len(tasks) == 0 || to == nil {
		*want = nil
		return
	}
	var readable []string
	for _, uri := range *want {
		if len(readable) == maxSubscriptions || ctx.Err() != nil {
			break
		}
		if err := m.opt.Tools.CanSubscribe(ctx, callerOf(ctx), uri); err == nil {
			readable = append(readable, uri)
		}
	}
	s := &subscriber{owner: callerOf(ctx).ID, tag: id, uris: map[string]bool{}}
	*want = m.subs.listen(ctx, s, slices.Concat(tasks, readable), to)
	for _, uri := range tasks { // it may have changed since its client heard of it
		m.subs.changed(s.owner, uri)
	}
}

// maxListeners is how many streams one caller may have open: subscriptions/listen requests, and those that a GET opens.
// Each holds a connection and some memory, and no session bounds them.
const maxListeners = 200

// errListeners answers the next one.
func errListeners() *rpcError {
	return &rpcError{code: codeTooMany,
		text: fmt.Sprintf("A caller may have %d listening streams open. End one first.", maxListeners)}
}

// listeners counts the open streams of each caller. The zero value is ready.
type listeners struct {
	mu   sync.Mutex
	open map[string]int
}

// begin counts a request of subscriptions/listen. Only those of Streamable HTTP are counted: over stdio there is one
// client, and its process.
func (l *listeners) begin(ctx context.Context, to line, caller string) bool {
	if _, http := to.(*httpStream); !http {
		return true
	}
	return l.add(ctx, caller)
}

// add counts a stream until its context ends, and reports false where the caller has as many as may be.
func (l *listeners) add(ctx context.Context, caller string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[caller] >= maxListeners {
		return false
	}
	if l.open == nil {
		l.open = map[string]int{}
	}
	l.open[caller]++
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.open[caller]--; l.open[caller] <= 0 {
			delete(l.open, caller)
		}
	})
	return true
}
