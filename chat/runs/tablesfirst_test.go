package runs

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/handle"
)

// slowTables is a store that takes its time for tables, and notes when it has them and when a run has its end.
type slowTables struct {
	*sqlite.Store
	ending chan struct{} // closed when the end of a run comes
	mu     sync.Mutex
	order  []string
}

func (s *slowTables) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order = append(s.order, what)
}

func (s *slowTables) PutHandle(
	ctx context.Context,
	owner, handle, session, run string,
	meta, content []byte,
	expires time.Time,
) error {
	select {
	case <-s.ending: // nobody has waited
	case <-time.After(100 * time.Millisecond):
	}
	s.note("table")
	return s.Store.PutHandle(ctx, owner, handle, session, run, meta, content, expires)
}

func (s *slowTables) EndRun(
	ctx context.Context,
	run string,
	first uint64,
	events [][]byte,
	status string,
	response []byte,
	at time.Time,
) error {
	close(s.ending)
	s.note("end")
	return s.Store.EndRun(ctx, run, first, events, status, response, at)
}

// TestTablesBeforeTheEnd: the tables that an answer shows are in the store before anybody is told of the answer.
func TestTablesBeforeTheEnd(t *testing.T) {
	w := newWorld(t)
	slow := &slowTables{Store: w.Store, ending: make(chan struct{})}
	kept := handle.New(handle.Options{Store: slow, Log: w.Log})
	defer kept.Close()
	reg := tools.NewRegistry(tools.Options{Tables: kept, Journal: w.Store, Log: w.Log})
	if err := reg.Register(chattest.Tools(t)...); err != nil {
		t.Fatal(err)
	}
	w.opts.Catalogue, w.opts.Executor = reg, tools.NewExecutor(reg, tools.ExecutorOptions{})
	r := New(w.engine(), slow, Options{Log: w.Log, Tables: kept})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || len(resp.Tables) != 1 {
		t.Fatalf("%d tables, %v", len(resp.Tables), err)
	}
	if want := []string{"table", "end"}; !slices.Equal(slow.order, want) {
		t.Errorf("%q, not %q", slow.order, want)
	}
}
