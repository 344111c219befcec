package profiler

import "sync"

// Bounds of the names that are remembered.
const (
	cachedNames    = 4096
	cachedNameSize = 64 // bytes; longer names are rare
)

// nameCache remembers what names say: the same few columns come with every turn, several times.
type nameCache struct {
	mu    sync.RWMutex
	names map[string]Name
}

var readNames nameCache

func (c *nameCache) get(name string) (Name, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	n, ok := c.names[name]
	return n, ok
}

func (c *nameCache) put(name string, n Name) {
	if len(name) > cachedNameSize {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil || len(c.names) >= cachedNames {
		c.names = make(map[string]Name, 64)
	}
	c.names[name] = n
}
