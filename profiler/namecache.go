package profiler

import "sync"

// Bounds of what is remembered of names.
const (
	cachedNames       = 16384
	cachedNameSize    = 64 // bytes; longer names are rare
	cachedSchemas     = 256
	cachedSchemaSize  = 256 << 10 // a table of thousands of columns takes seconds to read
	cachedSchemasSize = 1 << 20   // all of them
)

// memo remembers what names say: the same few columns and tables come with every turn, several times.
type memo[V any] struct {
	most, longest, whole int // entries, bytes of a key, bytes of all keys
	mu                   sync.RWMutex
	known                map[string]V
	size                 int // bytes of all keys
}

var (
	readNames   = memo[Name]{most: cachedNames, longest: cachedNameSize, whole: cachedNames * cachedNameSize}
	readSchemas = memo[[]Name]{most: cachedSchemas, longest: cachedSchemaSize, whole: cachedSchemasSize}
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
	if _, there := c.known[key]; there {
		return
	}
	if c.known == nil || len(c.known) >= c.most || c.size+len(key) > c.whole {
		c.known, c.size = make(map[string]V, 64), 0
	}
	c.known[key] = v
	c.size += len(key)
}
