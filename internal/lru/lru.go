// Package lru keeps the values that were used last.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps a bounded number of values by their keys, or values of a bounded weight in all; the least recently used
// one goes first. Make one with New. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	most  int
	mu    sync.Mutex
	held  int // the weight of all
	byKey map[K]*list.Element
	order list.List // of pair[K, V], the latest first
}

type pair[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// New makes a cache of at most so many values, or of so much weight; of one value at least.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: max(1, most), byKey: map[K]*list.Element{}}
}

// Get gives the value that is kept under a key, and whether there is one.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(key)
}

// At gives the value that is kept under a key. Where there is none it keeps what make gives, which is called while
// nobody else can use the cache.
func (c *Cache[K, V]) At(key K, make func() V) V { return c.AtWeight(key, 1, make) }

// AtWeight is At for a value that counts for so many; what is kept already has the weight that it had.
func (c *Cache[K, V]) AtWeight(key K, weight int, make func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.get(key)
	if !ok {
		v = make()
		c.put(key, v, weight)
	}
	return v
}

// Put keeps a value in place of any other one of its key.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.held -= e.Value.(pair[K, V]).weight - 1
		e.Value = pair[K, V]{key, value, 1}
		c.order.MoveToFront(e)
		return
	}
	c.put(key, value, 1)
}

func (c *Cache[K, V]) get(key K) (value V, ok bool) {
	e, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(pair[K, V]).value, true
}

// put keeps a value under a new key.
func (c *Cache[K, V]) put(key K, value V, weight int) {
	c.byKey[key] = c.order.PushFront(pair[K, V]{key, value, weight})
	c.held += weight
	for c.held > c.most && c.order.Len() > 1 {
		last := c.order.Remove(c.order.Back()).(pair[K, V])
		c.held -= last.weight
		delete(c.byKey, last.key)
	}
}
