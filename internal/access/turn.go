package access

import "context"

// turn is a lock for which nobody waits longer than their context lasts: what is read under it comes from another machine.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// lock waits for the turn.
func (t turn) lock(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tryLock reports whether it has the turn now.
func (t turn) tryLock() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

func (t turn) unlock() { <-t }
