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
)

var errNoMCPSession = errors.New("no such MCP session")

// mcpSessions knows which session ids were given out, and to whom. mcp-go's own managers either accept ids they never gave, or keep
// every id for ever, and none asks who comes with one.
type mcpSessions struct {
	mu   sync.Mutex
	seen map[string]ownedSession
	now  func() time.Time
	// forgotten is told of ids that are no good any more and that mcp-go does not know to be gone.
	forgotten func(id string)
}

// ownedSession is one session: whose it is, and when it was used last.
type ownedSession struct {
	caller string
	at     time.Time
}

func newMCPSessions(forgotten func(id string)) *mcpSessions {
	return &mcpSessions{seen: map[string]ownedSession{}, now: time.Now, forgotten: forgotten}
}

func (m *mcpSessions) forget(id string) {
	delete(m.seen, id)
	m.forgotten(id)
}

// Generate gives out an id.
func (b boundSessions) Generate() string {
	m := b.mcpSessions
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) >= mcpSessionN {
		m.makeRoom()
	}
	id := "mcp-session-" + rand.Text()
	m.seen[id] = ownedSession{b.caller, m.now()}
	return id
}

// makeRoom drops what is idle, and the one idle for longest when none is.
func (m *mcpSessions) makeRoom() {
	now, oldest, age := m.now(), "", time.Duration(-1)
	for id, s := range m.seen {
		if now.Sub(s.at) > mcpIdle {
			m.forget(id)
		} else if now.Sub(s.at) > age {
			oldest, age = id, now.Sub(s.at)
		}
	}
	if len(m.seen) >= mcpSessionN {
		m.forget(oldest)
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
	case !ok || m.now().Sub(s.at) > mcpIdle:
		m.forget(id)
		return false, errNoMCPSession
	}
	m.seen[id] = ownedSession{s.caller, m.now()}
	return false, nil
}

// Terminate ends a session. A session that is not there has ended already.
func (b boundSessions) Terminate(id string) (notAllowed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.seen, id)
	return false, nil
}
