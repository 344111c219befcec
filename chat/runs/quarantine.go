package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/tools"
)

// StatusPoisoned is the status of a run that was set aside: the processes of its last two owners died in the same step.
// It does not go on before ReleaseRun.
const StatusPoisoned = "poisoned"

// codePoisoned is the code of its error.
const codePoisoned = "poisoned"

// The kinds of the records that are kept beside runs, by the run's id.
const (
	poisonedKind = "run.poisoned" // runs that are set aside, as SetAside
	// runs that are being taken over, as a number: how often a process died while it read them
	readingKind = "run.reading"
)

// maxReadings is how many processes may die while they read the same run.
const maxReadings = 2

// SetAside is a run that is set aside.
type SetAside struct {
	Run     string    `json:"run"`
	Owner   string    `json:"owner"`
	Session string    `json:"session"`
	Steps   []string  `json:"steps"` // what its last two owners died in, for people
	At      time.Time `json:"at"`    // when it was set aside
}

// setAside ends a run that kills its process, and tells its asker and whoever runs the program.
func (r *Runs) setAside(ctx context.Context, run string, o orphan, steps []chat.StepMetadata) error {
	names := stepNames(steps)
	p := poisoned(run, names)
	defer r.leavePlace(&liveRun{id: run, caller: access.Caller{ID: o.owner}, placed: r.opts.Places != nil})
	if err := r.doubt(ctx, run, p); err != nil {
		return err
	}
	resp, err := r.brokenOff(ctx, run, o, p)
	if err != nil {
		return err
	}
	resp.Response = p.Detail + " " + p.Hint
	if err := r.noteSetAside(ctx, SetAside{run, o.owner, o.req.SessionID, names, r.engine.Now()}); err != nil {
		return err
	}
	return r.endWith(ctx, run, o, p, resp)
}

// noteSetAside puts a run on the list of those that are set aside, before its end is written: what is on the list too
// much is found out by its status.
func (r *Runs) noteSetAside(ctx context.Context, a SetAside) error {
	data, err := json.Marshal(a)
	if err == nil {
		err = r.log.PutRecord(ctx, poisonedKind, a.Run, data)
	}
	if err != nil {
		return err
	}
	r.opts.Log.ErrorContext(ctx,
		"a run was set aside: two processes died in the same step of it; catena runs release has it tried again",
		"run", a.Run, "owner", a.Owner, "steps", a.Steps)
	if f := r.opts.Poisoned; f != nil {
		f()
	}
	return nil
}

// takeOverMarked takes a run over. While it is read a record says so, for the case that reading alone ends the process.
func (r *Runs) takeOverMarked(ctx context.Context, run string, readings map[string]int) (goesOn bool, err error) {
	if isCall(run) && r.opts.Call != nil {
		return r.opts.Call(ctx, run) // which counts for itself
	}
	died := readings[run]
	if died >= maxReadings {
		err := r.setAsideUnread(ctx, run)
		if err == nil {
			r.forgetReading(ctx, run)
		}
		return false, err
	}
	data, err := json.Marshal(died + 1)
	if err == nil {
		err = r.log.PutRecord(ctx, readingKind, run, data)
	}
	if err != nil {
		return false, err
	}
	defer r.forgetReading(ctx, run)
	return r.takeOver(ctx, run)
}

// forgetReading says that reading a run did not end this process.
func (r *Runs) forgetReading(ctx context.Context, run string) {
	if err := r.log.DeleteRecord(ctx, readingKind, run); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.opts.Log.WarnContext(ctx, "a run counts as one whose reading ended a process, which it did not", "run", run,
			"error", err.Error())
	}
}

// readings tells how often a process died while it read a run. Where no run is open nobody looks.
func (r *Runs) readings(ctx context.Context, open int) (map[string]int, error) {
	if open == 0 {
		return nil, nil
	}
	by := map[string]int{}
	err := r.log.Records(ctx, readingKind, func(run string, data []byte) error {
		n := 0
		err := json.Unmarshal(data, &n)
		by[run] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("chat: what was being taken over could not be read: %w", err)
	}
	return by, nil
}

// setAsideUnread sets a run aside whose reading ends the process, without reading more of it than its message.
func (r *Runs) setAsideUnread(ctx context.Context, run string) error {
	steps := []string{"reading what is kept of it"}
	owner, session, _, err := r.log.Accepted(ctx, run)
	if err == nil {
		err = r.noteSetAside(ctx, SetAside{run, owner, session, steps, r.engine.Now()})
	}
	if err != nil {
		return err
	}
	return r.endUnread(ctx, run, poisoned(run, steps))
}

// recordSteps gives the events of a run that was taken over to emit, and returns after the beginning of a step when it
// is in the log: a step that ends the process must be known to the next owner.
func (r *Runs) recordSteps(l *liveRun, emit func(chat.Payload)) func(chat.Payload) {
	if l.taken == nil {
		return emit
	}
	return func(p chat.Payload) {
		emit(p)
		if p.Type == chat.StepStarted {
			l.awaitWritten()
		}
	}
}

// awaitWritten returns when what was emitted is in the log, or cannot be.
func (l *liveRun) awaitWritten() {
	l.mu.Lock()
	last := l.emitted
	for l.next <= last && l.broken == nil && !l.lost {
		changed := l.changed
		l.mu.Unlock()
		<-changed // by flushSome or lose: the writer goes on until the turn has ended
		l.mu.Lock()
	}
	l.mu.Unlock()
}

// handOver says in the log of a run that its owner leaves it in good order, or where that cannot be written, remembers
// it.
func (r *Runs) handOver(ctx context.Context, l *liveRun) {
	l.mu.Lock()
	next := l.next
	l.mu.Unlock()
	event, err := chat.EncodeEvent(chat.Payload{Type: chat.Custom, Name: handoverEvent,
		Timestamp: r.engine.Now().UnixMilli()})
	if err == nil {
		err = r.log.AppendEvents(ctx, l.id, next, [][]byte{event})
	}
	if err == nil || isLost(err) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leftRuns == nil || len(r.leftRuns) >= maxFailed {
		r.leftRuns = map[string]bool{}
	}
	r.leftRuns[l.id] = true
}

// leftHere reports whether this process gave a run up and could not write that, and forgets it.
func (r *Runs) leftHere(run string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := r.leftRuns[run]
	delete(r.leftRuns, run)
	return left
}

// ListSetAside lists the runs that are set aside, of all owners, the oldest first. Runs that were deleted since, or
// released, go off the list.
func ListSetAside(ctx context.Context, log Log) ([]SetAside, error) {
	all := []SetAside{}
	err := log.Records(ctx, poisonedKind, func(_ string, data []byte) error {
		var a SetAside
		err := json.Unmarshal(data, &a)
		all = append(all, a)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("chat: the runs that are set aside could not be listed: %w", err)
	}
	there := all[:0]
	for _, a := range all {
		_, status, _, _, err := log.Run(ctx, a.Owner, a.Run)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("chat: run %s could not be read: %w", a.Run, err)
		}
		switch status {
		case StatusPoisoned:
			there = append(there, a)
			continue
		case statusRunning: // it is about to be set aside
			continue
		}
		if err := log.DeleteRecord(ctx, poisonedKind, a.Run); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("chat: run %s could not be taken off the list: %w", a.Run, err)
		}
	}
	slices.SortFunc(there, func(a, b SetAside) int { return a.At.Compare(b.At) })
	return there, nil
}

// ReleaseRun has a run tried again that was set aside: by a server on the same store within seconds, or by the next one
// that starts within the hour. It has as many tries as a new one. A run that is not set aside gives an error that wraps
// fs.ErrNotExist.
func ReleaseRun(ctx context.Context, log Log, run string, now time.Time) error {
	list, err := ListSetAside(ctx, log)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(a SetAside) bool { return a.Run == run })
	if i < 0 {
		return fmt.Errorf("chat: run %s is not set aside: %w", run, fs.ErrNotExist)
	}
	last, _, err := log.LastEvent(ctx, run)
	if err != nil {
		return fmt.Errorf("chat: the events of run %s could not be read: %w", run, err)
	}
	events := make([][]byte, 2) // the next owner takes it over from this one, which leaves it in good order
	for i, p := range []chat.Payload{{Type: chat.RunStarted, ThreadID: list[i].Session, RunID: run}, {Type: chat.Custom, Name: handoverEvent}} {
		p.Timestamp = now.UnixMilli()
		if events[i], err = chat.EncodeEvent(p); err != nil {
			return err
		}
	}
	err = log.ReopenRun(ctx, list[i].Owner, run, StatusPoisoned, last)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("chat: run %s was released by somebody else: %w", run, fs.ErrNotExist)
	}
	if err != nil {
		return fmt.Errorf("chat: run %s could not be released: %w", run, err)
	}
	if err = log.AppendEvents(ctx, run, last+1, events); err == nil {
		err = log.DeleteRecord(ctx, poisonedKind, run)
	}
	if err = errors.Join(err, log.ReleaseLease(ctx, run)); err != nil {
		return fmt.Errorf("chat: run %s was released, and not all of it could be written: %w", run, err)
	}
	return nil
}

// isCall reports whether a run is no turn but a single call.
func isCall(run string) bool {
	return len(run) > len(tools.DirectRun) && run[:len(tools.DirectRun)] == tools.DirectRun
}
