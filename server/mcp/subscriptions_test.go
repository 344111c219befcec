package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server/servertest"
	"catena/tools"
)

// watch subscribes a client to URIs, by its era's means, and waits until it is so.
func watch(t *testing.T, way string, s *testServer, c *client.Client, uris ...string) (stop func()) {
	t.Helper()
	if !modern(way) {
		for _, uri := range uris {
			if e := refusedWith(t, c, "resources/subscribe", map[string]any{"uri": uri}); e != nil {
				t.Fatalf("%s: %+v", uri, e)
			}
		}
		return func() {
			for _, uri := range uris {
				if e := refusedWith(t, c, "resources/unsubscribe", map[string]any{"uri": uri}); e != nil {
					t.Errorf("%s: %+v", uri, e)
				}
			}
		}
	}
	stop, err := c.ListenAsync(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: uris}, func(err error) { t.Errorf("listen: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	servertest.Eventually(t, "the subscription", func() bool { return subscribers(s, uris[0]) == 1 })
	return stop
}

// subscribers counts those of a URI that can be told.
func subscribers(s *testServer, uri string) int {
	s.mcp.subs.mu.Lock()
	defer s.mcp.subs.mu.Unlock()
	n := 0
	for sub := range s.mcp.subs.byURI[uri] {
		if sub.to != nil {
			n++
		}
	}
	return n
}

// The ways over which a client is told of what changes, and nothing but what it has subscribed to and owns.
func TestSubscriptions(t *testing.T) {
	for _, way := range []string{"streamable", "listening", "sse before 2026", "stdio", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			reg, _ := s.opt.Tools.(*tools.Registry)
			c, heard := join(t, way, s, url)
			stop := watch(t, way, s, c, "demo://items/1", "demo://items/all")
			for i := range 100 {
				heard.forget()
				reg.Updated("somebody", "demo://items/1")
				reg.Updated("local", "demo://items/2")
				reg.Updated([]string{"local", ""}[i%2], "demo://items/1")
				reg.Updated("local", "demo://items/all")
				servertest.Eventually(t, fmt.Sprint("update ", i), func() bool { return len(heard.list()) == 2 })
				if got := heard.list(); !slices.Equal(got, []string{"demo://items/1", "demo://items/all"}) {
					t.Fatalf("heard %v", got)
				}
			}
			// Also while calls run, which share mcp-go's queue.
			for range 20 {
				heard.forget()
				if res := callTool(t.Context(), t, c, "touch", nil); textIn(res) != "touched" {
					t.Error(textIn(res))
				}
				servertest.Eventually(t, "an update beside a call", func() bool { return len(heard.list()) == 1 })
			}
			stop()
			servertest.Eventually(t, "the end of the subscription", func() bool { return subscribers(s, "demo://items/1") == 0 })
			heard.forget()
			reg.Updated("", "demo://items/1")
			time.Sleep(20 * time.Millisecond)
			if got := heard.list(); len(got) > 0 {
				t.Errorf("heard %v after the end", got)
			}
			if n := s.mcp.subs.count; n != 0 {
				t.Errorf("%d subscriptions are left", n)
			}
		})
	}
}

// What a client cannot read it cannot subscribe to; in the protocol of 2026-07-28 the acknowledgement leaves it out.
func TestListenLeavesOut(t *testing.T) {
	s, url, _ := hiding(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := `{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["demo://shut","demo://items/1","demo://items/none","demo://items/1"]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"} {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	servertest.Eventually(t, "the subscription", func() bool { return subscribers(s, "demo://items/1") == 1 })
	reg, _ := s.opt.Tools.(*tools.Registry)
	reg.Updated("", "demo://items/1")
	var got strings.Builder
	part := make([]byte, 4096)
	for !strings.Contains(got.String(), methodUpdated) {
		n, err := resp.Body.Read(part)
		if got.Write(part[:n]); err != nil {
			t.Fatalf("%v after %s", err, got.String())
		}
	}
	ack, update, _ := strings.Cut(got.String(), "\n\n")
	if !strings.Contains(ack, `"resourceSubscriptions":["demo://items/1"]`) || !strings.Contains(update, `"io.modelcontextprotocol/subscriptionId":"L"`) {
		t.Errorf("%s", got.String())
	}
	cancel()
	servertest.Eventually(t, "the end", func() bool { return subscribers(s, "demo://items/1") == 0 })
}

// Over the legacy SSE transport a subscriptions/listen would outlive its client.
func TestListenNeedsAnotherTransport(t *testing.T) {
	s, url, _ := hiding(t)
	c, _ := join(t, "sse", s, url)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := c.Listen(ctx, mcp.SubscriptionFilter{ToolsListChanged: true}); !errors.Is(err, mcp.ErrMethodNotFound) || !strings.Contains(err.Error(), "Streamable HTTP") {
		t.Error(err)
	}
}

// A session may not subscribe without bound, and its subscriptions go with it.
func TestSubscriptionsAreBounded(t *testing.T) {
	s, url, _ := hiding(t)
	c, _ := join(t, "sse before 2026", s, url)
	for i := range maxSubscriptions {
		if e := refusedWith(t, c, "resources/subscribe", map[string]any{"uri": fmt.Sprint("demo://items/", i)}); e != nil {
			t.Fatalf("%d: %+v", i, e)
		}
	}
	if e := refusedWith(t, c, "resources/subscribe", map[string]any{"uri": "demo://items/1"}); e != nil {
		t.Errorf("a second time: %+v", e)
	}
	if e := refusedWith(t, c, "resources/subscribe", map[string]any{"uri": "demo://items/all"}); e == nil || e.Code != mcp.INVALID_PARAMS || !strings.Contains(e.Message, "1000") {
		t.Errorf("one too many: %+v", e)
	}
	_ = c.Close()
	servertest.Eventually(t, "the end of the session", func() bool {
		s.mcp.subs.mu.Lock()
		defer s.mcp.subs.mu.Unlock()
		return s.mcp.subs.count == 0 && len(s.mcp.subs.sessions) == 0 && len(s.mcp.subs.byURI) == 0
	})
}

// A DELETE ends a session of Streamable HTTP with all its subscriptions.
func TestSubscriptionsEndWithTheSession(t *testing.T) {
	s, url, _ := hiding(t)
	c, _ := join(t, "listening", s, url)
	watch(t, "listening", s, c, "demo://items/1")
	_ = c.Close() // sends DELETE
	servertest.Eventually(t, "the end of the session", func() bool { return subscribers(s, "demo://items/1") == 0 })
	servertest.Eventually(t, "the end of the subscriptions", func() bool {
		s.mcp.subs.mu.Lock()
		defer s.mcp.subs.mu.Unlock()
		return s.mcp.subs.count == 0 && len(s.mcp.subs.streams) == 0
	})
}

// fakeLine keeps what it is told, and fails while down.
type fakeLine struct {
	mu   sync.Mutex
	down bool
	told []string
}

func (f *fakeLine) notify(message []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return errNoStream
	}
	_, uri, _ := strings.Cut(string(message), `"uri":"`)
	uri, _, _ = strings.Cut(uri, `"`)
	f.told = append(f.told, uri)
	return nil
}
func (*fakeLine) refuse(any, *rpcError)        {}
func (*fakeLine) listed(any, json.RawMessage)  {}
func (*fakeLine) answer(any, json.RawMessage)  {}
func (*fakeLine) acknowledged(_ any, f func()) { f() }

func (f *fakeLine) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.told)
}

// What changes while a session has no stream, or its stream breaks, is told once on the next one.
func TestSubscriptionsWaitForAStream(t *testing.T) {
	l := newSubscriptions(func(string, bool) {}, nil)
	l.subscribe("s", "ann", "a", nil)
	l.subscribe("s", "ann", "b", nil)
	for range 3 {
		l.changed("ann", "a")
		l.changed("", "b")
	}
	broken, sound := &fakeLine{down: true}, &fakeLine{}
	l.attach("s", broken)
	servertest.Eventually(t, "the end of the broken stream", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.sessions["s"].to == nil && !l.sessions["s"].busy
	})
	l.detach("s", broken)
	l.attach("s", sound)
	servertest.Eventually(t, "all updates", func() bool { return len(sound.list()) == 2 })
	if got := sound.list(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("told %v", got)
	}
	l.detach("s", broken) // of long ago: takes nothing
	l.changed("ann", "a")
	servertest.Eventually(t, "a later update", func() bool { return len(sound.list()) == 3 })
	l.subscribe("s", "bob", "a", nil) // another caller with the session's id
	l.changed("ann", "b")
	if l.count != 1 {
		t.Errorf("%d subscriptions, want the newcomer's", l.count)
	}
	l.end()
	l.changed("", "a")
	l.subscribe("t", "ann", "a", sound)
	if l.drop("s"); l.count > 1 {
		t.Errorf("%d subscriptions after the end", l.count)
	}
}

// Who calls and who owns are the same person only where the server says so.
func TestSubscriptionsOfOwners(t *testing.T) {
	lines := map[string]*fakeLine{"ann": {}, "bob": {}}
	reg := tools.NewRegistry(tools.Options{})
	s, h, _ := newTest(t, func(o *testOptions) {
		o.Tools, o.Tables = reg, reg.Tables()
		o.Caller = func(r *http.Request) (access.Caller, error) {
			if r.Header.Get("Authorization") == "" {
				return access.Caller{}, errors.New("no key")
			}
			return access.Caller{ID: r.Header.Get("Authorization"), Via: "http"}, nil
		}
	})
	addToolkit(t, reg)
	for owner, line := range lines {
		id := s.mcp.ids.as(owner).Generate()
		s.mcp.subs.attach(id, line)
		if status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"demo://items/1"}}`,
			"Authorization", owner, "Mcp-Session-Id", id); status != 200 || !strings.Contains(body, `"result"`) {
			t.Fatalf("%d %s", status, body)
		}
	}
	for _, owner := range []string{"ann", "ann", "bob"} {
		status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"}}`, "Authorization", owner, "Mcp-Session-Id", s.mcp.ids.as(owner).Generate())
		if status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		servertest.Eventually(t, owner+"'s update", func() bool { return len(lines[owner].list()) > 0 })
	}
	if got := lines["bob"].list(); len(got) != 1 {
		t.Errorf("bob heard %v", got)
	}
}
