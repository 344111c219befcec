package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// Limits of what servers log.
const (
	maxLogged = 16 << 10 // bytes of an entry's data; a longer one becomes a text that is cut
	// entries that wait for a client; what comes while so many wait is left out, and counted
	maxUnread   = 256
	levelTime   = 2 * time.Second // how long a call waits for the answer to logging/setLevel
	metaLevel   = "io.modelcontextprotocol/logLevel"
	methodLevel = "logging/setLevel"
)

// logLevels are those of the protocol, the least first.
var logLevels = []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelInfo, mcp.LoggingLevelNotice,
	mcp.LoggingLevelWarning,
	mcp.LoggingLevelError, mcp.LoggingLevelCritical, mcp.LoggingLevelAlert, mcp.LoggingLevelEmergency}

// audience is who hears what the server logs during one request: the client of a call.
type audience struct {
	caller string             // the owner of the call; "" is one that nobody knows
	level  mcp.LoggingLevel   // from which on the client asked to hear, "" where it did not say
	queue  chan loggedMessage // nil where the client wants no log
	lost   int                // entries that found no room in queue
}

// loggedMessage is the params of notifications/message.
type loggedMessage struct {
	Level  mcp.LoggingLevel `json:"level"`
	Logger string           `json:"logger"`
	Data   json.RawMessage  `json:"data"`
}

// audiences are those of a connection, and the level that they had the server set. The zero value is ready.
type audiences struct {
	mu        sync.Mutex
	underWay  []*audience // in the order in which they began
	byRequest map[int64]*audience
	level     mcp.LoggingLevel // what was set last; "" is what the server chose
	refused   bool             // it takes no level
}

// audienceKey is the key of a context's audience.
type audienceKey struct{}

// heardBy begins the time in which the server's log goes to a call, until leave is called: that waits until what came
// has been told.
func (c *conn) heardBy(ctx context.Context, server string, call tools.Call) (_ context.Context, leave func()) {
	a := &audience{caller: call.Caller.ID}
	told := make(chan struct{})
	if call.Log == nil {
		close(told)
	} else {
		a.level, a.queue = call.LogLevel, make(chan loggedMessage, maxUnread)
		// In a goroutine of its own: a client that reads slowly must not hold up what the server says to others.
		go func() {
			defer close(told)
			for m := range a.queue {
				if ctx.Err() == nil {
					call.Log(m.entry(server))
				}
			}
			if a.lost > 0 && ctx.Err() == nil {
				call.Log(tools.LogEntry{Level: mcp.LoggingLevelWarning, Logger: server,
					Data: fmt.Sprintf("%d further log messages came faster than they could be passed on, and were "+
						"left out.", a.lost)})
			}
		}()
	}
	over := c.audiences.join(a)
	c.agreeLevel(ctx, a)
	return context.WithValue(ctx, audienceKey{}, a), func() {
		over()
		<-told
	}
}

// join adds an audience until leave is called.
func (s *audiences) join(a *audience) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay = append(s.underWay, a)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.underWay = slices.DeleteFunc(s.underWay, func(other *audience) bool { return other == a })
		if a.queue != nil {
			close(a.queue)
		}
	}
}

// requested notes which request belongs to the audience of a context, until done is called.
func (s *audiences) requested(ctx context.Context, id int64) (done func()) {
	a, ok := ctx.Value(audienceKey{}).(*audience)
	if !ok {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byRequest == nil {
		s.byRequest = map[int64]*audience{}
	}
	s.byRequest[id] = a
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.byRequest, id)
	}
}

// logged takes an entry of the server's log. via is the request on whose own stream it came, 0 where there is no such.
func (c *conn) logged(params json.RawMessage, via int64) {
	var m loggedMessage
	if json.Unmarshal(params, &m) != nil {
		return
	}
	c.log.Debug("an upstream server logs", "message", cut(string(m.Data), 500))
	if !slices.Contains(logLevels, m.Level) || len(m.Data) == 0 {
		return
	}
	m.shorten() // before it waits: so many of the longest that a server may send would be 8 GiB
	s := &c.audiences
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.of(via)
	if a == nil || a.queue == nil || rank(m.Level) < rank(a.level) {
		return
	}
	select {
	case a.queue <- m:
	default:
		a.lost++
	}
}

// of is the audience of what came on the stream of a request, nil where that is nobody. Servers of many kinds write to
// whatever stream is open, and some have but one: so no one is told where requests of different callers are under way.
// The lock must be held.
func (s *audiences) of(via int64) *audience {
	if len(s.underWay) == 0 {
		return nil
	}
	if caller := s.underWay[0].caller; caller == "" || !s.all(caller) {
		return nil
	}
	if a := s.byRequest[via]; a != nil && slices.Contains(s.underWay, a) {
		return a
	}
	for _, a := range slices.Backward(s.underWay) {
		if a.queue != nil {
			return a // the latest that listens, so that it is told once
		}
	}
	return nil
}

// all reports whether all requests that are under way are a caller's. The lock must be held.
func (s *audiences) all(caller string) bool {
	return !slices.ContainsFunc(s.underWay, func(a *audience) bool { return a.caller != caller })
}

// only is all for who does not hold the lock.
func (s *audiences) only(caller string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all(caller)
}

// agreeLevel has a server of the older era log from the level on that the clients of its calls asked for. It is left as
// it is where none has asked. In the newer era each request says it.
func (c *conn) agreeLevel(ctx context.Context, a *audience) {
	if c.proto.modern || c.offers.Logging == nil || a.queue == nil {
		return
	}
	s := &c.audiences
	s.mu.Lock()
	level, others := s.wanted()
	if s.refused || level == "" || level == s.level {
		s.mu.Unlock()
		return
	}
	s.level = level
	s.mu.Unlock()
	set := func(ctx context.Context, limit time.Duration) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		_, err := c.request(ctx, methodLevel, map[string]any{"level": level})
		var refused *protocolError
		if errors.As(err, &refused) {
			s.mu.Lock()
			s.refused = true
			s.mu.Unlock()
		}
		if err != nil {
			c.log.Debug("an upstream server did not take a log level", "level", string(level), "error", err.Error())
		}
	}
	if others { // it may do one thing at a time, and be at another call
		go set(context.WithoutCancel(ctx), noticeTime)
		return
	}
	set(ctx, levelTime)
}

// wanted is the least level that those want who hear the server, and whether there are others than one. One who did not
// say wants what clients get that say nothing, once another has set a level. The lock must be held.
func (s *audiences) wanted() (level mcp.LoggingLevel, others bool) {
	least := len(logLevels)
	for _, a := range s.underWay {
		switch {
		case a.queue == nil:
		case a.level != "":
			least = min(least, rank(a.level))
		case s.level != "":
			least = min(least, rank(mcp.LoggingLevelInfo))
		}
	}
	if least == len(logLevels) {
		return "", len(s.underWay) > 1
	}
	return logLevels[least], len(s.underWay) > 1
}

// rank is the place of a level among the others, -1 of one that is none.
func rank(level mcp.LoggingLevel) int { return slices.Index(logLevels, level) }

// shorten cuts what is too long: data becomes a text. What is kept holds nothing of the message as it came.
func (m *loggedMessage) shorten() {
	m.Logger = strings.Clone(cut(m.Logger, 100))
	if len(m.Data) > maxLogged {
		m.Data, _ = json.Marshal(cut(string(m.Data[:maxLogged+1]), maxLogged)) // a text has no error
	}
}

// entry is a message as our own client gets it, under the name of its server.
func (m loggedMessage) entry(server string) tools.LogEntry {
	e := tools.LogEntry{Level: m.Level, Logger: server, Data: m.Data}
	if m.Logger != "" {
		e.Logger += "/" + m.Logger
	}
	return e
}
