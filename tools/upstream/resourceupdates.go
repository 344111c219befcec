package upstream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"catena/tools"
)

// want notes that somebody wants to hear of changes of a resource, or nobody any more.
func (s *server) want(uri string, on bool) {
	own, err := s.theirURI(uri)
	if err != nil {
		return
	}
	s.mu.Lock()
	if on {
		s.wanted[own] = true
	} else {
		delete(s.wanted, own)
	}
	s.mu.Unlock()
	signal(s.subs)
}

func (s *server) anyWanted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.wanted) > 0
}

// subscribable says why nobody can hear of changes of the server's resources. One that is not there now may tell of
// them when it is.
func (s *server) subscribable() error {
	s.mu.Lock()
	c := s.conn
	s.mu.Unlock()
	if c == nil || c.offers.Resources != nil && c.offers.Resources.Subscribe {
		return nil
	}
	return &tools.ArgumentError{Argument: "uri", Code: tools.CodeBadValue,
		Reason: fmt.Sprintf("the server %s does not tell when its resources change", s.Name)}
}

// subscribe brings the subscriptions at the server, which are in have, to those that are wanted. One that is refused is
// asked for again when what is wanted changes; one that had no answer, soon.
func (s *server) subscribe(ctx context.Context, c *conn, have map[string]bool) {
	if c.offers.Resources == nil || !c.offers.Resources.Subscribe {
		return
	}
	s.mu.Lock()
	wanted := maps.Clone(s.wanted)
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	again := false
	tell := func(method, uri string) bool {
		_, err := c.request(ctx, method, map[string]any{"uri": uri})
		var refused *protocolError
		if err != nil {
			again = again || !errors.As(err, &refused)
			if ctx.Err() != nil {
				return false
			}
			s.log.WarnContext(ctx, "an upstream server did not take a subscription", "method", method, "uri",
				cut(uri, 200), "error", err.Error())
		}
		return err == nil
	}
	for _, uri := range slices.Sorted(maps.Keys(have)) {
		if !wanted[uri] {
			delete(have, uri) // what comes of it all the same is heard by nobody
			tell("resources/unsubscribe", uri)
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(wanted)) {
		if !have[uri] {
			if tell("resources/subscribe", uri) {
				have[uri] = true
			}
		}
	}
	if again {
		time.AfterFunc(s.host.tick, func() { signal(s.subs) })
	}
}
