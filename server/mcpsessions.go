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

// mcpSessions knows which session ids were given out. mcp-go's own managers either accept ids they never gave, or keep every
// id for ever.
type mcpSessions struct {
	mu   sync.Mutex
	seen map[string]time.Time
	now  func() time.Time
	// forgotten is told of ids that are no good any more and that mcp-go does not know to be gone.
	forgotten func(id string)
}

func newMCPSessions(forgotten func(id string)) *mcpSessions {
	return &mcpSessions{seen: map[string]time.Time{}, now: time.Now, forgotten: forgotten}
}

func (m *mcpSessions) forget(id string) {
	delete(m.seen, id)
	m.forgotten(id)
}

// Generate gives out an id.
func (m *mcpSessions) Generate() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) >= mcpSessionN {
		m.makeRoom()
	}
	id := "mcp-session-" + rand.Text()
	m.seen[id] = m.now()
	return id
}

// makeRoom drops what is idle, and the one idle for longest when none is.
func (m *mcpSessions) makeRoom() {
	now, oldest, age := m.now(), "", time.Duration(-1)
	for id, at := range m.seen {
		if now.Sub(at) > mcpIdle {
			m.forget(id)
		} else if now.Sub(at) > age {
			oldest, age = id, now.Sub(at)
		}
	}
	if len(m.seen) >= mcpSessionN {
		m.forget(oldest)
	}
}

// Validate says whether an id was given out and is still good.
func (m *mcpSessions) Validate(id string) (terminated bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.seen[id]
	if !ok || m.now().Sub(at) > mcpIdle {
		m.forget(id)
		return false, errNoMCPSession
	}
	m.seen[id] = m.now()
	return false, nil
}

// Terminate ends a session. A session that is not there has ended already.
func (m *mcpSessions) Terminate(id string) (notAllowed bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen, id)
	return false, nil
}
