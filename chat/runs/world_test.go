package runs

import (
	"context"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/tools"
)

// world is an engine over the parts of chattest.
type world struct {
	*chattest.World
	opts chat.Options
}

func newWorld(t testing.TB) *world {
	t.Helper()
	p := chattest.New(t)
	return &world{World: p, opts: chat.Options{
		Planner: p.Planner, Catalogue: p.Registry, Executor: tools.NewExecutor(p.Registry, tools.ExecutorOptions{}), Sessions: p.Store,
		Tables: chattest.Described(), Now: func() time.Time { return chattest.Clock }, Log: p.Log,
	}}
}

func (w *world) engine() *chat.Engine { return chat.NewEngine(w.opts) }

func (w *world) ask(t testing.TB, message string) chat.Response {
	t.Helper()
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, chat.Request{Message: message}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
