package chat

import (
	"context"
	"testing"
	"time"

	"catena/chat/chattest"
	"catena/tools"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is an engine over the parts of chattest.
type world struct {
	*chattest.World
	opts Options
}

func newWorld(t testing.TB) *world {
	t.Helper()
	p := chattest.New(t)
	return &world{World: p, opts: Options{
		Planner: p.Planner, Catalogue: p.Registry, Executor: tools.NewExecutor(p.Registry, tools.ExecutorOptions{}), Sessions: p.Store,
		Tables: chattest.Described(), Now: func() time.Time { return chattest.Clock }, Log: p.Log,
	}}
}

func (w *world) engine() *Engine { return NewEngine(w.opts) }

func (w *world) ask(t testing.TB, message string) Response {
	t.Helper()
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: message}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
