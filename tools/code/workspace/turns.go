package workspace

import (
	"context"
	"sync"
)

// turns bound what is indexed at once, in all and for each owner. It is safe for concurrent use.
type turns struct {
	all chan struct{}

	mu  *sync.Mutex
	own map[string]*ownTurns
}

// ownTurns are those of one owner, there while somebody has or wants one.
type ownTurns struct {
	slots chan struct{}
	users int
}

func newTurns() turns {
	return turns{all: make(chan struct{}, maxRuns), mu: &sync.Mutex{}, own: map[string]*ownTurns{}}
}

// take waits for a turn. Who waits for one of their own takes none of those for all meanwhile. free must be called at
// the end.
func (t turns) take(ctx context.Context, owner string) (free func(), err error) {
	t.mu.Lock()
	o := t.own[owner]
	if o == nil {
		o = &ownTurns{slots: make(chan struct{}, ownRuns)}
		t.own[owner] = o
	}
	o.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if o.users--; o.users == 0 {
			delete(t.own, owner)
		}
	}
	select {
	case o.slots <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	select {
	case t.all <- struct{}{}:
	case <-ctx.Done():
		<-o.slots
		leave()
		return nil, ctx.Err()
	}
	return func() {
		<-t.all
		<-o.slots
		leave()
	}, nil
}
