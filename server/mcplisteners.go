package server

import (
	"context"
	"sync"
)

// maxListeners is how many subscriptions/listen requests one caller may have open. Each holds a connection and some memory, and no
// session bounds them.
const maxListeners = 200

// listeners counts the open subscriptions/listen requests of each caller. The zero value is ready.
type listeners struct {
	mu   sync.Mutex
	open map[string]int
}

// begin counts a request until its context ends, and reports false where the caller has as many as may be. Only those of Streamable HTTP
// are counted: over stdio there is one client, and its process.
func (l *listeners) begin(ctx context.Context, to line, caller string) bool {
	if _, http := to.(*mcpStream); !http {
		return true
	}
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
