package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
)

// Limits of the MCP sessions of the Streamable HTTP transport. A client whose session was dropped gets 404 and starts a
// new one, as the protocol says.
const (
	sessionIdle = time.Hour
	maxSessions = 10_000
	// maxSessionsEach is how many of them one caller may have: who opens more loses the own oldest, and nobody else's.
	maxSessionsEach = 1000
)

var errNoSession = errors.New("no such MCP session")

// sessionIDs knows which session ids were given out, and to whom. mcp-go's own managers either accept ids they never
// gave, or keep every id for ever, and none asks who comes with one.
type sessionIDs struct {
	mu    sync.Mutex
	seen  map[string]*ownedSession // by id
	count map[string]int           // sessions of each caller
	now   func() time.Time
	// forgotten is told of ids that are no good any more and that mcp-go does not know to be gone.
	forgotten func(id string)
}

// ownedSession is one session: whose it is, when it was used last, and how many listening streams of it are open: while
// there is one, it is not idle.
type ownedSession struct {
	caller  string
	at      time.Time
	told    time.Time // when mcp-go was last told that it is used
	streams int
}

// idle reports whether a session was not used for too long.
func (s ownedSession) idle(now time.Time) bool { return s.streams == 0 && now.Sub(s.at) > sessionIdle }

func newSessionIDs(forgotten func(id string)) *sessionIDs {
	return &sessionIDs{seen: map[string]*ownedSession{}, count: map[string]int{}, now: time.Now, forgotten: forgotten}
}

func (m *sessionIDs) forget(id string) {
	m.remove(id)
	m.forgotten(id)
}

func (m *sessionIDs) remove(id string) {
	s := m.seen[id]
	if s == nil {
		return
	}
	delete(m.seen, id)
	if m.count[s.caller]--; m.count[s.caller] <= 0 {
		delete(m.count, s.caller)
	}
}

// Generate gives out an id.
func (b boundSessions) Generate() string {
	m := b.sessionIDs
	m.mu.Lock()
	defer m.mu.Unlock()
	m.makeRoom(b.caller)
	id := "mcp-session-" + rand.Text()
	m.seen[id] = &ownedSession{caller: b.caller, at: m.now()}
	m.count[b.caller]++
	return id
}

// makeRoom sees to it that a caller may have one more session. It drops what is idle first, then the caller's own
// session that was not used for longest; where all callers together have too many, that of the caller who has the most.
func (m *sessionIDs) makeRoom(caller string) {
	if m.count[caller] < maxSessionsEach && len(m.seen) < maxSessions {
		return
	}
	now := m.now()
	for id, s := range m.seen {
		if s.idle(now) {
			m.forget(id)
		}
	}
	switch {
	case m.count[caller] >= maxSessionsEach:
		m.forgetOldest(caller)
	case len(m.seen) >= maxSessions:
		most := caller
		for c, n := range m.count {
			if n > m.count[most] {
				most = c
			}
		}
		m.forgetOldest(most)
	}
}

// forgetOldest drops a caller's session that was not used for longest: one with an open stream only where all have one.
func (m *sessionIDs) forgetOldest(caller string) {
	oldest := ""
	for id, s := range m.seen {
		if s.caller != caller {
			continue
		}
		was := m.seen[oldest]
		if was == nil || (s.streams > 0) == (was.streams > 0) && s.at.Before(was.at) ||
			s.streams == 0 && was.streams > 0 {
			oldest = id
		}
	}
	m.forget(oldest)
}

// hold keeps a session from becoming idle while a listening stream of it is open. The returned function ends that.
func (m *sessionIDs) hold(id string) (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.seen[id]
	if s == nil {
		return func() {}
	}
	s.streams++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		s.streams--
		s.at = m.now()
	}
}

// Validate says whether an id was given to the caller and is still good.
func (b boundSessions) Validate(id string) (terminated bool, err error) {
	m := b.sessionIDs
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.seen[id]
	switch {
	case ok && s.caller != b.caller:
		return false, errNoSession
	case !ok: // it may be a connection of the legacy transport, and another's
		return false, errNoSession
	case s.idle(m.now()):
		m.forget(id)
		return false, errNoSession
	}
	s.at = m.now()
	return false, nil
}

// tellEvery is how often mcp-go has to see a session that is used: it drops those that it has not seen for mcpIdle.
const tellEvery = sessionIdle / 6

// due reports whether mcp-go has to see a request of a session, and takes it as seen.
func (m *sessionIDs) due(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.seen[id]
	if now := m.now(); ok && now.Sub(s.told) >= tellEvery {
		s.told = now
		return true
	}
	return !ok
}

// Terminate ends a session. A session that is not there has ended already.
func (b boundSessions) Terminate(id string) (notAllowed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(id)
	return false, nil
}

// aliveEvery is how often mcp-go, which counts the time since a session's last message, is sent one for a session with
// an open stream.
const aliveEvery = sessionIdle / 4

// keepAlive keeps mcp-go from sweeping a session away while a listening stream of it is open: it would hear of no
// change any more. The returned function ends that, and waits for it.
func (m *Server) keepAlive(r *http.Request, session string) (end func()) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := server.Every(aliveEvery, func() bool {
		if ctx.Err() == nil {
			m.touch(ctx, session, r.Header.Get(mcp.HeaderProtocolVersion))
		}
		return ctx.Err() == nil
	})
	return func() { cancel(); stop() }
}

// touch sends mcp-go a notification that nothing is done about, as if it came from the client.
func (m *Server) touch(ctx context.Context, session, version string) (status int) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/mcp",
		strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/catena/alive"}`))
	if err != nil {
		return 0 // the method and the address are good
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(mcp.HeaderSessionID, session)
	if version != "" {
		r.Header.Set(mcp.HeaderProtocolVersion, version)
	}
	w := &nowhere{header: http.Header{}}
	m.http.ServeHTTP(w, r)
	return w.status
}

// nowhere is the answer to nobody.
type nowhere struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (w *nowhere) Header() http.Header { return w.header }

// Write implements http.ResponseWriter.
func (*nowhere) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements http.ResponseWriter.
func (w *nowhere) WriteHeader(status int) { w.status = status }
