package mcp

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// Tools that come and go are told to each client, several changes once, and a call of a tool tells nobody anything.
func TestToolsChanged(t *testing.T) {
	for _, kind := range []string{"listening", "sse", "stdio"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s, h, _ := newTest(t)
			var c *client.Client
			if kind == "listening" {
				var err error
				//nolint:staticcheck // clients of the earlier protocol versions listen this way
				if c, err = client.NewStreamableHttpClient(h.URL+"/mcp", transport.WithContinuousListening()); err != nil {
					t.Fatal(err)
				}
				if err := c.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = c.Close() })
			} else {
				c = connect(t, kind, s, h.URL)
			}
			var told atomic.Int64
			c.OnNotification(func(n mcp.JSONRPCNotification) {
				if n.Method == mcp.MethodNotificationToolsListChanged {
					told.Add(1)
				}
			})
			if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond) // the listening stream opens beside
			var req mcp.CallToolRequest
			req.Params.Name = "count"
			if _, err := c.CallTool(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			reg, _ := s.opt.Tools.(*tools.Registry)
			fresh := tools.Tool{Def: mcp.NewToolWithRawSchema("far__new", "New.", []byte(`{"type":"object"}`)), Toolset: "far",
				Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "new"}, nil }}
			expect := func(n int64, what string) {
				t.Helper()
				for end := time.Now().Add(5 * time.Second); told.Load() < n && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(changeDelay + changeDelay/2)
				if got := told.Load(); got != n {
					t.Fatalf("%s: told %d times, want %d", what, got, n)
				}
			}
			if err := reg.Replace("far", fresh); err != nil {
				t.Fatal(err)
			}
			for range 5 {
				s.mcp.ToolsChanged()
			}
			expect(1, "a tool came")
			req.Params.Name = "far__new"
			if res, err := c.CallTool(t.Context(), req); err != nil || res.IsError {
				t.Fatalf("%+v, %v", res, err)
			}
			if err := reg.Replace("far"); err != nil {
				t.Fatal(err)
			}
			s.mcp.ToolsChanged()
			expect(2, "it went")
		})
	}
}

// Who may not call a tool is refused, also after others have called it; who comes when it is gone hears that there is none.
func TestUnknownToolWhateverOthersDid(t *testing.T) {
	var strict atomic.Bool
	nothing := func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "new"}, nil }
	reg := tools.NewRegistry(tools.Options{Policy: policy(func(tool string) error {
		if strict.Load() && tool != "open" {
			return access.ErrForbidden
		}
		return nil
	})})
	tool := func(name, toolset string) tools.Tool {
		return tools.Tool{Def: mcp.NewToolWithRawSchema(name, "X.", []byte(`{"type":"object"}`)), Toolset: toolset, Handler: nothing}
	}
	if err := reg.Register(tool("open", "own"), tool("shut", "own"), tool("far__gone", "far")); err != nil {
		t.Fatal(err)
	}
	s, h, _ := newTest(t, func(o *testOptions) { o.Tools = reg })
	c := connect(t, "streamable", s, h.URL)
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	call := func(name string) error {
		var req mcp.CallToolRequest
		req.Params.Name = name
		_, err := c.CallTool(t.Context(), req)
		return err
	}
	for _, name := range []string{"open", "shut", "far__gone"} {
		if err := call(name); err != nil {
			t.Fatal(err)
		}
	}
	strict.Store(true)
	if err := call("open"); err != nil {
		t.Error(err)
	}
	for name, scope := range map[string]string{"shut": "own:shut", "own:shut": "own:shut", "far__gone": "far:far__gone", "far:gone": "far:far__gone"} {
		if err := call(name); err == nil || !strings.Contains(err.Error(), "the scope write:"+scope) {
			t.Errorf("%s: %v", name, err)
		}
	}
	none := call("never_was")
	reg.Remove("far")
	for _, name := range []string{"far__gone", "far:gone"} {
		err := call(name)
		if err == nil || none == nil || err.Error() != strings.ReplaceAll(none.Error(), "never_was", name) {
			t.Errorf("%s: %v; a tool that never was: %v", name, err, none)
		}
	}
}

type policy func(tool string) error

func (p policy) Allow(_ access.Caller, what access.Target) error { return p(what.Name) }

// Many calls of a tool that mcp-go has not met make it known once.
func TestMeetOnce(t *testing.T) {
	s, _, _ := newTest(t)
	fresh := tools.Tool{Def: mcp.Tool{Name: "far__new"}}
	var met atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if s.mcp.meet(fresh) {
				met.Add(1)
			}
		})
	}
	if all.Wait(); met.Load() != 1 {
		t.Errorf("told %d times", met.Load())
	}
}
