package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

// subscriptions are what is heard of a server in the newer era, where one long request carries what belongs to no
// other.
type subscriptions struct {
	mu    sync.Mutex
	wants map[string]any  // the lists
	uris  map[string]bool // the resources
	stop  context.CancelFunc
	work  sync.WaitGroup
}

// formerly does in the newer era what had requests of its own before. done says whether the request was one of those.
func (c *conn) formerly(
	ctx context.Context, method string, params map[string]any,
) (result json.RawMessage, done bool, err error) {
	uri, _ := params["uri"].(string)
	switch method {
	case "ping":
		_, err = c.exchange(ctx, outgoing{id: c.ids.Add(1), method: "server/discover"})
	case "resources/subscribe":
		c.heard.change(c, uri, true)
	case "resources/unsubscribe":
		c.heard.change(c, uri, false)
	default:
		return nil, false, nil
	}
	return json.RawMessage("{}"), true, err
}

// begin starts to listen for changes of the lists that the server says it tells.
func (s *subscriptions) begin(c *conn, wants map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wants, s.uris = wants, map[string]bool{}
	s.again(c)
}

// change adds a resource, or takes it away.
func (s *subscriptions) change(c *conn, uri string, add bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris[uri] == add {
		return
	}
	if delete(s.uris, uri); add {
		s.uris[uri] = true
	}
	s.again(c)
}

// again listens anew, for what is wanted now. It is called with mu held.
func (s *subscriptions) again(c *conn) {
	if s.stop != nil {
		s.stop()
	}
	if len(s.wants)+len(s.uris) == 0 {
		return
	}
	filter := maps.Clone(s.wants)
	if len(s.uris) > 0 {
		if filter == nil {
			filter = map[string]any{}
		}
		filter["resourceSubscriptions"] = slices.Sorted(maps.Keys(s.uris))
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.work.Go(func() { c.hear(ctx, filter) })
}

// end stops to listen and waits for it.
func (s *subscriptions) end() {
	s.mu.Lock()
	if s.stop != nil {
		s.stop()
	}
	s.mu.Unlock()
	s.work.Wait()
}

// hear keeps the long request open. Whatever may have been missed between two of them is asked for.
func (c *conn) hear(ctx context.Context, filter map[string]any) {
	wait := retryAfter
	for {
		began := time.Now()
		_, err := c.exchange(ctx, outgoing{id: c.ids.Add(1), method: "subscriptions/listen",
			params: map[string]any{"notifications": filter}})
		var refused *protocolError
		var status *httpError
		none := errors.As(err, &refused) || errors.As(err, &status) && status.Status < 500
		if ctx.Err() != nil || none {
			return // it has none
		}
		select {
		case <-c.gone:
			return
		default:
		}
		if wait = min(2*wait, maxRetry); time.Since(began) > time.Minute {
			wait = retryAfter
		}
		if pauseFor(ctx, ctx, wait) != nil {
			return
		}
		c.outdated(func(l *lists) { *l = lists{true, true, true} })
	}
}
