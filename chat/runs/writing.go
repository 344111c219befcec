package runs

import (
	"catena/chat"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"
)

// emit returns the function that takes a turn's events. Nothing is taken after a terminal one.
func (l *liveRun) emit(log *slog.Logger) func(chat.Payload) {
	return func(p chat.Payload) {
		data, err := chat.EncodeEvent(p)
		if err != nil {
			log.Error(
				"an event could not be written and is replaced",
				"run",
				l.id,
				"type",
				p.Type,
				"error",
				err.Error(),
			)
			p.Content, p.Value, p.Result = nil, nil, nil
			if data, err = chat.Encode(p); err != nil {
				return // what is left are strings and numbers
			}
		}
		l.mu.Lock()
		if !l.terminal && l.broken == nil && !l.lost {
			l.waiting = append(l.waiting, data)
			l.emitted++
			l.terminal = chat.Terminal(p.Type)
		}
		l.mu.Unlock()
		tell(l.wake)
		if p.Type == chat.StepStarted && p.Metadata != nil && p.Metadata.Catena.Tool != "" {
			tell(l.calls)
		}
	}
}

// tell leaves word in a channel that has room for one.
func tell(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// write appends what waits to the log, all at once each time, until the turn has ended. The last events are left to
// finish, which writes them with the end of the run.
func (r *Runs) write(l *liveRun, ended <-chan struct{}, written chan<- struct{}) {
	defer close(written)
	for over := false; !over; {
		select {
		case <-l.wake:
			over = l.gather(ended)
		case <-ended:
			over = true
		}
		leave := 0
		if over {
			leave = eventsRead
		}
		for r.flushSome(l, leave) {
		}
	}
}

// gather gives other events a moment to come, unless the run ends, which it reports.
func (l *liveRun) gather(ended <-chan struct{}) bool {
	unread := time.NewTimer(unreadTime)
	defer unread.Stop()
	select {
	case <-l.read:
	case <-l.calls:
	case <-unread.C:
		return false
	case <-ended:
		return true
	}
	enough := time.NewTimer(gatherTime)
	defer enough.Stop()
	select {
	case <-enough.C:
		return false
	case <-ended:
		return true
	}
}

// beRead has the events written as they come.
func (l *liveRun) beRead() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.read:
	default:
		close(l.read)
	}
}

// isLost reports whether the run is another process's by now, or is to be.
func (l *liveRun) isLost() bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// isLost reports whether a write was refused because another process has taken the run over, or because it was deleted.
func isLost(err error) bool {
	var lease interface{ Lost() bool }
	return errors.As(err, &lease) && lease.Lost() || errors.Is(err, fs.ErrNotExist)
}

// lose stops a run here that is another process's. Its readers go on with what the log says.
func (r *Runs) lose(l *liveRun) {
	l.mu.Lock()
	l.lost, l.waiting = true, nil
	close(l.changed)
	l.changed = make(chan struct{})
	l.mu.Unlock()
	l.cancel()
}

// letGo gives up what this process still holds of a run that it has lost, so that it may take it over again.
func (r *Runs) letGo(l *liveRun) {
	ctx, cancel := context.WithTimeout(context.Background(), logTimeout)
	defer cancel()
	r.handOver(ctx, l)
	if err := r.log.ReleaseLease(ctx, l.id); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.opts.Log.Warn(
			"a run could not be given up; another process takes it over when its lease has run out",
			"run",
			l.id,
			"error",
			err.Error(),
		)
	}
}

// flushSome writes the first events that wait, but for so many and the terminal one, which no reader may see before the
// run has its end. It reports whether there may be more.
func (r *Runs) flushSome(l *liveRun, leave int) bool {
	l.mu.Lock()
	if l.terminal {
		leave = max(leave, 1)
	}
	n := max(0, min(len(l.waiting)-leave, eventsRead))
	events, first := l.waiting[:n:n], l.next
	l.waiting = l.waiting[n:]
	over := l.lost
	l.mu.Unlock()
	if n == 0 || over {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), eventsWait)
	defer cancel()
	return r.written(l, events, r.log.AppendEvents(ctx, l.id, first, events)) == nil
}

// written tells the readers what came of events that were written to the log, and returns err, which it has logged.
func (r *Runs) written(l *liveRun, events [][]byte, err error) error {
	if isLost(err) {
		r.opts.Log.Warn("a run was taken over by another process and is stopped here", "run", l.id)
		r.lose(l)
		return err
	}
	if err != nil {
		r.opts.Log.Error(
			"a run's events could not be written; it stops here, and goes on from its log when that can be written",
			"run",
			l.id,
			"error",
			err.Error(),
		)
		defer l.cancel()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.broken = fmt.Errorf("chat: the events of run %s could not be kept: %w", l.id, err)
	} else {
		l.next += uint64(len(events))
		l.recent.add(events)
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return err
}
