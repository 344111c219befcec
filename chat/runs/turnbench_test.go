package runs

import (
	"catena/chat"
	"catena/chat/chattest"
	"catena/planner/plan"
	"context"
	"testing"
	"time"
)

func BenchmarkTurn(b *testing.B) {
	for _, listen := range []bool{false, true} {
		name := "alone"
		if listen {
			name = "with events"
		}
		b.Run(name, func(b *testing.B) {
			w := newWorld(b)
			w.opts.Planner, w.opts.Sessions = &silent{w.Planner.Answers}, forgetful{}
			e := w.engine()
			var emit func(chat.Payload)
			if listen {
				l := &liveRun{wake: make(chan struct{}, 1)}
				emit = func(p chat.Payload) { l.emit(w.opts.Log)(p); l.waiting, l.terminal = l.waiting[:0], false }
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Turn(context.Background(), chattest.Ann, chat.Request{Message: "chain"}, emit); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// silent is a planner that remembers nothing, for tests with many goroutines and benchmarks.
type silent struct{ answers map[string]plan.Response }

func (s *silent) Plan(_ context.Context, req plan.Request) (plan.Response, error) {
	return s.answers[req.Message], nil
}

// forgetful keeps no sessions, so that a benchmark shows a turn's own time.
type forgetful struct{ chat.Sessions }

func (forgetful) CreateSession(context.Context, string, string, string, time.Time) error { return nil }
func (forgetful) AppendTurn(context.Context, string, string, string, []byte, time.Time) error {
	return nil
}
