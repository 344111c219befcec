package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/server/servertest"
	"catena/tools"
	"catena/tools/handle"
)

// newKeyed is a server that keeps replies, with a tool that counts its calls and takes as long as the test wants.
func newKeyed(t *testing.T) (s *Server, url string, count *atomic.Int64, hold chan struct{}) {
	t.Helper()
	kept, err := sqlite.Open(t.Context(), ":memory:", store.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	s, h, _ := newTest(t, func(o *Options) { o.Replies = kept })
	count, hold = &atomic.Int64{}, make(chan struct{})
	reg, _ := s.opt.Tools.(*tools.Registry)
	def := mcp.Tool{Name: "pay", RawInputSchema: []byte(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{DestructiveHint: servertest.Ptr(false)}}
	err = reg.Register(tools.Tool{Def: def, Toolset: "bank", Handler: func(ctx context.Context, _ tools.Call) (tools.Result, error) {
		count.Add(1)
		select {
		case <-hold:
			return tools.Result{Text: "paid"}, nil
		case <-ctx.Done():
			return tools.Result{}, ctx.Err()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s, h.URL + "/api/v1/tools/pay", count, hold
}

// A call with a key goes on when its client hangs up, and has its reply kept; without a key each call is one more.
func TestKeyedCallGoesOn(t *testing.T) {
	_, url, count, hold := newKeyed(t)
	ctx, hangUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Idempotency-Key", "k")
	req.Header.Set("Content-Type", "application/json")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
		}
	}()
	servertest.Eventually(t, "the call begins", func() bool { return count.Load() == 1 })
	if status, _, body := servertest.Ask(t, "POST", url, `{}`, "Idempotency-Key", "k"); status != 409 || !strings.Contains(body, "idempotency_key_in_flight") {
		t.Errorf("under way: %d %s", status, body)
	}
	hangUp()
	<-gone
	close(hold)
	servertest.Eventually(t, "the reply is kept", func() bool {
		status, _, body := servertest.Ask(t, "POST", url, `{}`, "Idempotency-Key", "k")
		return status == 200 && strings.Contains(body, `"paid"`)
	})
	if n := count.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
	servertest.Ask(t, "POST", url, `{}`)
	if n := count.Load(); n != 2 {
		t.Errorf("%d calls with one that has no key", n)
	}
}

// What was refused for now is done when it is sent again; what broke inside may have taken effect and is not.
func TestKeyedCallThatFailed(t *testing.T) {
	s, _, _, _ := newKeyed(t)
	for name, c := range map[string]struct {
		first, second int
		code          string
		calls         int
	}{
		"refused for now": {429, 200, "", 2},
		"too slow":        {408, 200, "", 2},
		"wrong":           {400, 400, "", 1},
		"without room":    {503, 200, "", 2},
		"broken":          {500, 409, "outcome_unknown", 1},
		"a panic":         {0, 409, "outcome_unknown", 1},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			e := gin.New()
			e.Use(s.observe, s.identify(NeedsNothing))
			e.POST("/", s.once(func(g *gin.Context) {
				calls++
				switch {
				case c.first == 0:
					panic("it broke")
				case calls > 1:
					WriteJSON(g, 200, "second")
				case c.first == http.StatusServiceUnavailable:
					s.Fail(g, fmt.Errorf("a file: %w", handle.ErrBusy))
				default:
					WriteJSON(g, c.first, "first")
				}
			}))
			for i, want := range []int{c.first, c.second} {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("x"))
				r.Header.Set("Idempotency-Key", name)
				e.ServeHTTP(w, r)
				if want != 0 && w.Code != want || i == 1 && !strings.Contains(w.Body.String(), c.code) {
					t.Errorf("%d: %d %s", i+1, w.Code, w.Body)
				}
			}
			if calls != c.calls {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

// A reply that is kept shows what the rights of who sent the request let them see: another key of the same owner, which may do less, does
// not get it.
func TestKeyedCallOfOtherRights(t *testing.T) {
	s, _, _, _ := newKeyed(t)
	reply := func(scope string) (int, string) {
		rights, err := access.ParseRights([]string{scope}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := gin.New()
		e.Use(s.observe, func(c *gin.Context) {
			c.Request = c.Request.WithContext(WithCaller(c.Request.Context(), access.Caller{ID: "ann", Rights: rights}))
		})
		e.POST("/", s.once(func(c *gin.Context) { WriteJSON(c, 200, "the balance") }))
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader("x"))
		r.Header.Set("Idempotency-Key", "k")
		e.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, c := range []struct {
		scope string
		code  int
		body  string
	}{
		{"tools:bank", 200, "the balance"}, {"chat", 422, "other rights"}, {"tools:bank", 200, "the balance"},
	} {
		if code, body := reply(c.scope); code != c.code || !strings.Contains(body, c.body) {
			t.Errorf("%s: %d %s", c.scope, code, body)
		}
	}
}

// A call that never reached its tool is called when it is sent again; one that was refused by the tool has its reply kept.
func TestKeyedCallNotCalled(t *testing.T) {
	s, url, count, hold := newKeyed(t)
	close(hold)
	calls := 0
	reg, _ := s.opt.Tools.(*tools.Registry)
	def := mcp.Tool{Name: "away", RawInputSchema: []byte(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{DestructiveHint: servertest.Ptr(false)}}
	if err := reg.Register(tools.Tool{Def: def, Toolset: "bank", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		calls++
		res := tools.Failed(tools.CodeUnavailable, "It is not there now.")
		res.NotCalled = calls == 1
		return res, nil
	}}); err != nil {
		t.Fatal(err)
	}
	away := strings.Replace(url, "/pay", "/away", 1)
	for range 3 {
		servertest.Ask(t, "POST", away, `{}`, "Idempotency-Key", "k")
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	unknown := strings.Replace(url, "/pay", "/later", 1)
	if status, _, body := servertest.Ask(t, "POST", unknown, `{}`, "Idempotency-Key", "l"); status != 404 {
		t.Fatal(status, body)
	}
	def.Name = "later"
	if err := reg.Register(tools.Tool{Def: def, Toolset: "bank", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		count.Add(1)
		return tools.Result{Text: "done"}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	if status, _, body := servertest.Ask(t, "POST", unknown, `{}`, "Idempotency-Key", "l"); status != 200 || count.Load() != 1 {
		t.Errorf("%d %s, %d calls", status, body, count.Load())
	}
}
