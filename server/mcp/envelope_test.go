package mcp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server/servertest"
	"catena/tools"
)

// What is no message, or none that can be taken, is answered in JSON-RPC's own codes, before and from 2026-07-28 on.
func TestMCPCodes(t *testing.T) {
	s, h, _ := newTest(t, func(o *testOptions) { o.BodyLimit, o.UploadLimit = 2048, 4096 })
	session := s.mcp.ids.as("local").Generate()
	deep := strings.Repeat(`[`, 70) + strings.Repeat(`]`, 70)
	const old, now = "2025-11-25", "2026-07-28"
	const m = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for name, c := range map[string]struct {
		version, body string
		status, code  int
	}{
		"no JSON":               {old, `{"jsonrpc":`, 400, mcp.PARSE_ERROR},
		"nothing":               {old, ` `, 400, mcp.PARSE_ERROR},
		"no UTF-8":              {now, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, mcp.PARSE_ERROR},
		"key twice":             {old, `{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}`, 400, mcp.INVALID_REQUEST},
		"too deep":              {now, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + deep + `}}`, 400, mcp.INVALID_REQUEST},
		"a batch":               {old, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, 400, mcp.INVALID_REQUEST},
		"a number":              {now, `5`, 400, mcp.INVALID_REQUEST},
		"no jsonrpc":            {old, `{"id":1,"method":"ping"}`, 400, mcp.INVALID_REQUEST},
		"jsonrpc 1.0":           {now, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, 400, mcp.INVALID_REQUEST},
		"id is null":            {old, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, 400, mcp.INVALID_REQUEST},
		"id is an object":       {now, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, 400, mcp.INVALID_REQUEST},
		"method is a number":    {old, `{"jsonrpc":"2.0","id":1,"method":5}`, 400, mcp.INVALID_REQUEST},
		"too long":              {old, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 5000) + `"}}`, 413, mcp.INVALID_REQUEST},
		"unknown method":        {old, `{"jsonrpc":"2.0","id":1,"method":"nope"}`, 200, mcp.METHOD_NOT_FOUND},
		"unknown method, now":   {now, `{"jsonrpc":"2.0","id":1,"method":"nope","params":{` + m + `}}`, 404, mcp.METHOD_NOT_FOUND},
		"name is a number":      {old, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, 200, mcp.INVALID_PARAMS},
		"params are a list":     {old, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, 200, mcp.INVALID_PARAMS},
		"unknown tool":          {old, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, 200, mcp.INVALID_PARAMS},
		"cursor of no list":     {old, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"%"}}`, 200, mcp.INVALID_PARAMS},
		"no method, no result":  {old, `{"jsonrpc":"2.0","id":1}`, 400, mcp.INVALID_REQUEST},
		"method and result":     {now, `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, 400, mcp.INVALID_REQUEST},
		"result and error":      {old, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, 400, mcp.INVALID_REQUEST},
		"arguments are a list":  {old, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":[1]}}`, 200, mcp.INVALID_PARAMS},
		"cursor of no tool":     {old, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"enp6"}}`, 200, mcp.INVALID_PARAMS},
		"cursor of no prompt":   {now, `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"enp6",` + m + `}}`, 400, mcp.INVALID_PARAMS},
		"no prompt":             {old, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"xx"}}`, 200, mcp.INVALID_PARAMS},
		"no uri":                {old, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}`, 200, mcp.INVALID_PARAMS},
		"no level":              {old, `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}`, 200, mcp.INVALID_PARAMS},
		"no version in params":  {now, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, 400, mcp.INVALID_PARAMS},
		"no version in headers": {"", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + m + `}}`, 400, mcp.HEADER_MISMATCH},
		"another method":        {now, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count",` + m + `}}`, 400, mcp.HEADER_MISMATCH},
		"unknown version":       {"2031-01-01", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + strings.Replace(m, now, "2031-01-01", 1) + `}}`, 400, mcp.UNSUPPORTED_PROTOCOL_VERSION},
	} {
		header := []string{"Accept", "application/json, text/event-stream"}
		if c.version != "" {
			header = append(header, "Mcp-Protocol-Version", c.version)
		}
		if c.version == old {
			header = append(header, "Mcp-Session-Id", session)
		} else {
			header = append(header, "Mcp-Method", strings.Replace(methodIn(c.body), "tools/call", "tools/list", 1))
		}
		status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", c.body, header...)
		if status != c.status || !strings.Contains(body, fmt.Sprintf(`"code":%d`, c.code)) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

// methodIn is the method that a body names.
func methodIn(body string) string { return headOf([]byte(body)).Method }

// A session, and a connection of the legacy transport, are of who began them: to another they do not exist.
func TestMCPSessionsAreTheCallers(t *testing.T) {
	s, h, _ := newTest(t, func(o *testOptions) {
		o.Caller = func(r *http.Request) (access.Caller, error) {
			c := access.Local("http")
			c.ID = r.Header.Get("Authorization")
			return c, nil
		}
	})
	_, header, _ := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Authorization", "ann")
	session := header.Get("Mcp-Session-Id")
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	for _, c := range []struct {
		who, method string
		status      int
	}{{"ann", "POST", 200}, {"bob", "POST", 404}, {"bob", "GET", 404}, {"bob", "DELETE", 404}, {"ann", "POST", 200}, {"ann", "DELETE", 200}, {"ann", "POST", 404}, {"ann", "DELETE", 404}} {
		body := ""
		if c.method == "POST" {
			body = ping
		}
		if status, _, answer := servertest.Ask(t, c.method, h.URL+"/mcp", body, "Authorization", c.who, "Mcp-Session-Id", session, "Accept", "application/json, text/event-stream"); status != c.status {
			t.Errorf("%s of %s: %d %s", c.method, c.who, status, answer)
		}
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", ping, "Authorization", "ann"); status != 400 || !strings.Contains(body, "Mcp-Session-Id") {
		t.Errorf("without a session: %d %s", status, body)
	}
	s.mcp.legacy.Store("conn", &legacyStream{caller: "ann"})
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/message?sessionId=conn", ping, "Authorization", "bob"); status != 404 || !strings.Contains(body, "-32001") {
		t.Errorf("bob wrote to ann's connection: %d %s", status, body)
	}
}

// Lists beyond a page go on where the page ended, and say how long they are good for.
func TestMCPPages(t *testing.T) {
	names := make([]string, 2*pageSize+5)
	for i := range names {
		names[i] = fmt.Sprintf("n%05d", i)
	}
	var got []string
	for cursor, n := mcp.Cursor(""), 0; n == 0 || cursor != ""; n++ {
		var part []string
		part, cursor = page(names, cursor, func(s string) string { return s })
		got = append(got, part...)
		if n > 3 {
			t.Fatal("the list has no end")
		}
	}
	if len(got) != len(names) || got[pageSize] != names[pageSize] {
		t.Errorf("%d of %d", len(got), len(names))
	}
	s, h, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	many := make([]tools.Tool, pageSize+1)
	for i := range many {
		many[i] = tools.Tool{Def: raw(fmt.Sprintf("many__%04d", i)), Toolset: "many", Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, nil }}
	}
	if err := reg.Register(many...); err != nil {
		t.Fatal(err)
	}
	c, _ := join(t, "streamable", s, h.URL)
	first, err := c.ListToolsByPage(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var rest mcp.ListToolsRequest
	rest.Params.Cursor = first.NextCursor
	last, err := c.ListToolsByPage(t.Context(), rest)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Tools) != pageSize || len(first.Tools)+len(last.Tools) != len(reg.List(access.Local("mcp"))) || last.NextCursor != "" {
		t.Errorf("%d and %d tools", len(first.Tools), len(last.Tools))
	}
	if ttl, ok := first.TTL(); !ok || ttl != listLife.Milliseconds() || first.CacheScope != mcp.CacheScopePrivate {
		t.Errorf("good for %d ms, %s", ttl, first.CacheScope)
	}
}

// What a tool logs reaches its client from the level on that it has set: the session's before 2026-07-28, the request's since.
func TestMCPLogging(t *testing.T) {
	for _, way := range []string{"streamable", "streamable before 2026", "sse before 2026", "stdio", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, h, _ := newTest(t)
			reg, _ := s.opt.Tools.(*tools.Registry)
			if err := reg.Register(tools.Tool{Def: raw("says"), Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
				if call.Log != nil {
					for _, level := range []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelInfo, mcp.LoggingLevelWarning} {
						call.Log(tools.LogEntry{Level: level, Logger: "demo", Data: level})
					}
				}
				return tools.Result{Text: "said"}, nil
			}}); err != nil {
				t.Fatal(err)
			}
			c, heard := join(t, way, s, h.URL)
			for level, want := range map[mcp.LoggingLevel]string{"": "[info warning]", mcp.LoggingLevelDebug: "[debug info warning]", mcp.LoggingLevelWarning: "[warning]", mcp.LoggingLevelError: "[]"} {
				if modern(way) && level == "" {
					want = "[]"
				}
				if !modern(way) && level != "" {
					//nolint:staticcheck // clients of the earlier protocol versions set it this way
					if err := c.SetLevel(t.Context(), mcp.SetLevelRequest{Params: mcp.SetLevelParams{Level: level}}); err != nil {
						t.Fatal(err)
					}
				} else if !modern(way) {
					s.mcp.levels.Clear()
				}
				m := meta(way)
				if modern(way) && level != "" {
					m["io.modelcontextprotocol/logLevel"] = level
				}
				if way == "streamable" {
					status, body := now(t, h.URL, "tools/call", "says", m)
					if got := strings.Count(body, "notifications/message"); status != 200 || got != len(strings.Fields(want)) && want != "[]" || want == "[]" && got > 0 {
						t.Errorf("level %q: %d %s", level, status, body)
					}
					continue
				}
				heard.forget()
				if bad := refusedWith(t, c, "tools/call", map[string]any{"name": "says", "_meta": m}); bad != nil {
					t.Fatalf("%+v", bad)
				}
				if got := fmt.Sprint(heard.list()); got != want {
					t.Errorf("level %q: heard %s instead of %s", level, got, want)
				}
			}
		})
	}
}

// Prompts and resources that come are told like tools, each kind to who asked for it.
func TestListsChanged(t *testing.T) {
	for _, way := range []string{"listening", "sse before 2026", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, h, _ := newTest(t)
			_, heard := join(t, way, s, h.URL)
			time.Sleep(50 * time.Millisecond)
			for range 5 {
				s.mcp.PromptsChanged()
				s.mcp.ResourcesChanged()
			}
			servertest.Eventually(t, "the news", func() bool { return len(heard.list()) >= 2 })
			time.Sleep(2 * changeDelay)
			if got := heard.list(); len(got) != 2 || got[0] == got[1] {
				t.Errorf("heard %v", got)
			}
		})
	}
}
