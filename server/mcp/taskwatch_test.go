package mcp

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// cancelledLog is a TaskLog that only knows what was cancelled at other processes.
type cancelledLog struct {
	TaskLog
	ids   []string
	looks int
}

func (l *cancelledLog) CancelledRuns(_ context.Context, runs []string) ([]string, error) {
	l.looks++
	return slices.DeleteFunc(slices.Clone(runs), func(id string) bool { return !slices.Contains(l.ids, id) }), nil
}

// What was cancelled at another process is looked for while a task is under way, and not otherwise.
func TestTasksWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &cancelledLog{ids: []string{"two"}}
		tasks := NewTasks(log, true, slog.New(slog.DiscardHandler))
		for _, id := range []string{"one", "two"} {
			stopped := false
			l := &task{id: id, cancel: func() { stopped = true }}
			if !tasks.admit(l) {
				t.Fatal("it is not taken")
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if log.looks == 0 || stopped != (id == "two") {
				t.Errorf("%s: %d looks, stopped: %t", id, log.looks, stopped)
			}
			tasks.release(l)
			synctest.Wait()
			log.looks = 0
			time.Sleep(time.Minute)
			synctest.Wait()
			if log.looks != 0 {
				t.Errorf("%s has ended, and there were %d looks", id, log.looks)
			}
		}
	})
}
