package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// blocked is a wire to a server that reads nothing: what is sent waits for the end of the connection.
type blocked struct {
	deaf
	c       *conn
	waiting atomic.Int64
}

func (b *blocked) send(context.Context, outgoing) error {
	b.waiting.Add(1)
	<-b.c.gone
	return nil
}

func newBlocked() (*conn, *blocked) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	w := &blocked{c: c}
	c.wire = w
	return c, w
}

// A server that asks without an end and takes no answer has no more of them wait than a few.
func TestQuestionsWithoutEnd(t *testing.T) {
	c, _ := newBlocked()
	defer c.end(nil)
	before := runtime.NumGoroutine()
	for i := range 5000 {
		c.receive(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i+1), 0)
	}
	// a question takes two goroutines, of which one waits for its end
	if n, most := runtime.NumGoroutine()-before, 2*maxQuestions+maxRefusals; n > most {
		t.Errorf("%d goroutines wait, want %d at most", n, most)
	}
}

// What a question says, and its id, are bounded: they are kept until it has its answer.
func TestLongQuestions(t *testing.T) {
	long := strings.Repeat("x", maxQuestion)
	for name, text := range map[string]string{
		"id": `{"id":"` + long + `","method":"ping"}`, "params": `{"id":1,"method":"ping","params":{"a":"` + long + `"}}`,
	} {
		c, w := newBlocked()
		for range 100 {
			c.flow = flow{}
			c.receive([]byte(text), 0)
		}
		if n := c.questions.open(); n != 0 {
			t.Errorf("%s: %d questions are answered", name, n)
		}
		if n := len(c.refusals); n > maxRefusals || name == "id" && n+int(w.waiting.Load()) > 0 {
			t.Errorf("%s: %d refusals", name, n)
		}
		c.end(nil)
	}
}

// A batch of millions of nothings takes no memory beyond its bytes, and no hours.
func TestDenseBatches(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.wire = deaf{}
	raw := []byte("[" + strings.Repeat("{},", 4<<20) + "{}]")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.receive(raw, 0)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		c.end(nil)
		t.Fatal("it is still read after half a minute")
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("%d MiB were allocated for a batch of %d MiB", took>>20, len(raw)>>20)
	}
}

// An answer in a batch is found among the first messages, and what stands behind broken JSON is not.
func TestBatches(t *testing.T) {
	for text, want := range map[string]int64{
		`[{"method":"notifications/x"}, 1, [], {"id":7,"result":{}}]`:    7,
		`[{"id":7,"result":{}}, {`:                                       7,
		`[{, {"id":7,"result":{}}]`:                                      0,
		`[` + strings.Repeat("1,", maxBatch-1) + `{"id":7,"result":{}}]`: 7,
		`[` + strings.Repeat("1,", maxBatch) + `{"id":7,"result":{}}]`:   0,
		`[[{"id":7,"result":{}}]]`:                                       0,
	} {
		c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
		c.wire = deaf{}
		c.pending[7] = make(chan outcome, 1)
		if got := c.receive([]byte(text), 0); got != want {
			t.Errorf("%.60s: %d, want %d", text, got, want)
		}
	}
}

// A server answers requests of its own connection alone, each once, whatever ids it makes up.
func TestAnswersAreOfOneConnection(t *testing.T) {
	mine, others := newConn(slog.New(slog.DiscardHandler), nil, func(string) {}), newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	mine.wire, others.wire = deaf{}, deaf{}
	got := map[*conn]chan outcome{mine: make(chan outcome, 100), others: make(chan outcome, 100)}
	for c, to := range got {
		c.pending[7] = to
	}
	for _, id := range []string{"7", `"7"`, "7", "0", "-7", "7.0", "7e0", "18446744073709551623", `"7 "`, "[7]", "null"} {
		mine.receive([]byte(`{"id":`+id+`,"result":{"of":`+id+`}}`), 0)
	}
	if n := len(got[mine]); n != 1 {
		t.Errorf("one request has %d answers", n)
	}
	if n := len(got[others]); n != 0 {
		t.Errorf("a request to another server has %d answers", n)
	}
}

// Entries of a server's log are cut before they wait for a client that reads slowly.
func TestLongLogEntries(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	a := &audience{caller: "ann", level: mcp.LoggingLevelDebug, queue: make(chan loggedMessage, maxUnread)}
	defer c.audiences.join(a)()
	long := strings.Repeat("x", 1<<20)
	c.logged(json.RawMessage(`{"level":"info","logger":"`+long+`","data":"`+long+`"}`), 0)
	c.logged(json.RawMessage(`{"level":"info","logger":"a","data":{"b":1}}`), 0)
	first, second := (<-a.queue).entry("s"), (<-a.queue).entry("s")
	var text string
	raw, _ := first.Data.(json.RawMessage)
	if json.Unmarshal(raw, &text) != nil || len(text) > maxLogged+10 || cap(raw) > 3*maxLogged || len(first.Logger) > 200 {
		t.Errorf("%d bytes of data, as %T, and %d of a name are kept", len(raw), first.Data, len(first.Logger))
	}
	if raw, _ := second.Data.(json.RawMessage); string(raw) != `{"b":1}` || second.Logger != "s/a" {
		t.Errorf("%v", second)
	}
}

// Questions that one caller does not answer leave places for those to others, and for the server's own; they give back
// theirs when their call is over.
func TestQuestionsOfOneCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConn(slog.New(slog.DiscardHandler), refuses{}, func(string) {})
		answers := make(recorder, 100)
		c.wire = answers
		ask := func(via int64, method string) string {
			c.receive([]byte(`{"jsonrpc":"2.0","id":"q","method":"`+method+`","params":{"message":"sure?"}}`), via)
			synctest.Wait()
			select {
			case got := <-answers:
				return got
			default:
				return ""
			}
		}
		callers := []string{"ann", "bob", "cleo"}
		calls := map[int64]*parkedCall{}
		for via, caller := range callers {
			life, end := context.WithCancel(t.Context())
			calls[int64(via+1)] = &parkedCall{asks: make(chan *elicited), caller: caller, end: end, over: life.Done()}
		}
		c.calls = calls
		for i := range maxToCaller {
			if got := ask(1, methodElicit); got != "" {
				t.Fatalf("question %d is answered: %s", i, got)
			}
		}
		if got := ask(1, methodElicit); !strings.Contains(got, "to this person are open already") {
			t.Errorf("one more of Ann's: %s", got)
		}
		if got := ask(2, "ping"); !strings.Contains(got, `"result":{}`) {
			t.Errorf("the server's own: %s", got)
		}
		if got := ask(2, methodElicit); got != "" {
			t.Errorf("Bob is not asked: %s", got)
		}
		if q := <-calls[2].asks; q == nil {
			t.Error("Bob is not asked")
		} else {
			q.answer <- json.RawMessage(`{"action":"accept"}`)
		}
		if got := <-answers; !strings.Contains(got, "accept") {
			t.Errorf("Bob's answer: %s", got)
		}
		calls[1].end()
		for range maxToCaller {
			if got := <-answers; !strings.Contains(got, "cancel") {
				t.Errorf("a question of a call that is over: %s", got)
			}
		}
		synctest.Wait()
		if n := c.questions.open(); n != 0 {
			t.Errorf("%d places are not given back", n)
		}
		c.end(nil)
	})
}

// recorder is a wire that keeps what is sent.
type recorder chan string

func (r recorder) start(context.Context) error { return nil }
func (r recorder) shaken()                     {}
func (r recorder) close()                      {}
func (r recorder) send(_ context.Context, m outgoing) error {
	r <- string(m.body)
	return nil
}

// refuses is an asker that has no answers of its own.
type refuses struct{}

func (refuses) capabilities() map[string]any { return nil }

func (refuses) samples() bool { return false }
func (refuses) ask(context.Context, string, json.RawMessage) (any, error) {
	return nil, &protocolError{}
}
