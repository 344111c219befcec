package server

import (
	"crypto/rand"
	"errors"
	"sync"
	"time"
)

// Limits of the MCP sessions of the Streamable HTTP transport. A client whose session was dropped gets 404 and starts a new
// one, as the protocol says.
const (
	mcpIdle     = time.Hour
	mcpSessionN = 10_000
	// mcpSessionsEach is how many of them one caller may have: who opens more loses the own oldest, and nobody else's.
	mcpSessionsEach = 1000
)

var errNoMCPSession = errors.New("no such MCP session")

// mcpSessions knows which session ids were given out, and to whom. mcp-go's own managers either accept ids they never gave, or keep
// every id for ever, and none asks who comes with one.
type mcpSessions struct {
	mu    sync.Mutex
	seen  map[string]*ownedSession // by id
	count map[string]int           // sessions of each caller
	now   func() time.Time
	// forgotten is told of ids that are no good any more and that mcp-go does not know to be gone.
	forgotten func(id string)
}

// ownedSession is one session: whose it is, when it was used last, and how many listening streams of it are open: while there is one, it is
// not idle.
type ownedSession struct {
	caller  string
	at      time.Time
	told    time.Time // when mcp-go was last told that it is used
	streams int
}

// idle reports whether a session was not used for too long.
func (s ownedSession) idle(now time.Time) bool { return s.streams == 0 && now.Sub(s.at) > mcpIdle }

func newMCPSessions(forgotten func(id string)) *mcpSessions {
	return &mcpSessions{seen: map[string]*ownedSession{}, count: map[string]int{}, now: time.Now, forgotten: forgotten}
}

func (m *mcpSessions) forget(id string) {
	m.remove(id)
	m.forgotten(id)
}

func (m *mcpSessions) remove(id string) {
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
	m := b.mcpSessions
	m.mu.Lock()
	defer m.mu.Unlock()
	m.makeRoom(b.caller)
	id := "mcp-session-" + rand.Text()
	m.seen[id] = &ownedSession{caller: b.caller, at: m.now()}
	m.count[b.caller]++
	return id
}

// makeRoom sees to it that a caller may have one more session. It drops what is idle first, then the caller's own session that was not used
// for longest; where all callers together have too many, that of the caller who has the most.
func (m *mcpSessions) makeRoom(caller string) {
	if m.count[caller] < mcpSessionsEach && len(m.seen) < mcpSessionN {
		return
	}
	now := m.now()
	for id, s := range m.seen {
		if s.idle(now) {
			m.forget(id)
		}
	}
	switch {
	case m.count[caller] >= mcpSessionsEach:
		m.forgetOldest(caller)
	case len(m.seen) >= mcpSessionN:
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
func (m *mcpSessions) forgetOldest(caller string) {
	oldest := ""
	for id, s := range m.seen {
		if s.caller != caller {
			continue
		}
		was := m.seen[oldest]
		if was == nil || (s.streams > 0) == (was.streams > 0) && s.at.Before(was.at) || s.streams == 0 && was.streams > 0 {
			oldest = id
		}
	}
	m.forget(oldest)
}

// hold keeps a session from becoming idle while a listening stream of it is open. The returned function ends that.
func (m *mcpSessions) hold(id string) (release func()) {
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
	m := b.mcpSessions
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.seen[id]
	switch {
	case ok && s.caller != b.caller:
		return false, errNoMCPSession
	case !ok: // it may be a connection of the legacy transport, and another's
		return false, errNoMCPSession
	case s.idle(m.now()):
		m.forget(id)
		return false, errNoMCPSession
	}
	s.at = m.now()
	return false, nil
}

// tellEvery is how often mcp-go has to see a session that is used: it drops those that it has not seen for mcpIdle.
const tellEvery = mcpIdle / 6

// due reports whether mcp-go has to see a request of a session, and takes it as seen.
func (m *mcpSessions) due(id string) bool {
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
