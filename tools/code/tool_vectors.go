package code

import (
	"context"
	"fmt"
	"sync"

	"catena/tools/code/workspace"
)

// maxQueries bounds the vectors of queries that are kept.
const maxQueries = 256

// queryVectors keeps the vectors of the last queries, so that asking again costs no call of the embedder. The zero value is ready;
// it is safe for concurrent use.
type queryVectors struct {
	mu    sync.Mutex
	by    map[string][]float32
	order []string // the oldest first
}

// of gives the vector of a text.
func (c *queryVectors) of(ctx context.Context, opt workspace.Options, text string) ([]float32, error) {
	key := opt.EmbedModel + "\x00" + text
	c.mu.Lock()
	v, ok := c.by[key]
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	got, err := opt.Embed(ctx, []string{text})
	if err != nil {
		return nil, fmt.Errorf("the vector of a query: %w", err)
	}
	if len(got) != 1 || len(got[0]) == 0 {
		return nil, fmt.Errorf("the vector of a query: the embedder gave %d vectors for 1 text", len(got))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string][]float32{}
	}
	if _, ok := c.by[key]; !ok {
		if len(c.order) >= maxQueries {
			delete(c.by, c.order[0])
			c.order = c.order[1:]
		}
		c.by[key] = got[0]
		c.order = append(c.order, key)
	}
	return got[0], nil
}
