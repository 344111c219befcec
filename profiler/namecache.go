package profiler

import "sync"

// Bounds of what is remembered of names.
const (
	cachedNames      = 4096
	cachedNameSize   = 64 // bytes; longer names are rare
	cachedSchemas    = 256
	cachedSchemaSize = 4096
)

// memo remembers what names say: the same few columns and tables come with every turn, several times.
type memo[V any] struct {
	most, longest int // entries, bytes of a key
	mu            sync.RWMutex
	known         map[string]V
}

var (
	readNames   = memo[Name]{most: cachedNames, longest: cachedNameSize}
	readSchemas = memo[[]Name]{most: cachedSchemas, longest: cachedSchemaSize}
)

func (c *memo[V]) get(key string) (V, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.known[key]
	return v, ok
}

func (c *memo[V]) put(key string, v V) {
	if len(key) > c.longest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= c.most {
		c.known = make(map[string]V, 64)
	}
	c.known[key] = v
}
