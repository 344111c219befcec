package tools

import (
	"context"
	"slices"
	"sync"
)

// origins collects, while a call runs, the toolsets whose tables it reads: a result shows what they said, whatever its own tool
// is. It is safe for concurrent use, also by a handler that was left behind.
type origins struct {
	mu        sync.Mutex
	toolsets  []string
	untrusted []Origin
}

type originsKey struct{}

// withOrigins makes a context under which tables that are read are noted.
func withOrigins(ctx context.Context, toolsets ...string) (context.Context, *origins) {
	o := &origins{}
	o.add(toolsets)
	return context.WithValue(ctx, originsKey{}, o), o
}

// readFrom notes that the call of ctx, where there is one, has read what came from the toolsets.
func readFrom(ctx context.Context, toolsets ...string) {
	if o, ok := ctx.Value(originsKey{}).(*origins); ok {
		o.add(toolsets)
	}
}

// readMeta notes that the call of ctx has read a table.
func readMeta(ctx context.Context, m Meta) {
	readFrom(ctx, m.From...)
	readUntrusted(ctx, m.origins()...)
}

// readUntrusted notes that the call of ctx, where there is one, has read what came from untrusted sources.
func readUntrusted(ctx context.Context, from ...Origin) {
	if o, ok := ctx.Value(originsKey{}).(*origins); ok && len(from) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.untrusted = addOrigins(o.untrusted, from...)
	}
}

// sources are the untrusted sources that were noted so far.
func (o *origins) sources() []Origin {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.untrusted
}

func (o *origins) add(toolsets []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range toolsets {
		if t != "" && !slices.Contains(o.toolsets, t) {
			o.toolsets = append(o.toolsets, t)
		}
	}
}

// list is what was noted so far, sorted.
func (o *origins) list() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(slices.Values(o.toolsets))
}
