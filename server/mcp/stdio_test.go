package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// A message that is too long is answered, with its id wherever that stands, and the others are served.
func TestStdioLineLimit(t *testing.T) {
	const most = 200_000
	s, _, _ := newTest(t, func(o *testOptions) { o.UploadLimit = most })
	long := strings.Repeat("x", 3*most)
	lines := []string{
		`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"count","arguments":{"x":"` + long + `"}}}`,
		`{"method":"tools/call","params":{"name":"count","arguments":{"x":"` + long + `"}},"jsonrpc":"2.0","id":"at the end"}`,
		long,
		`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"count","_meta":{"x":"` + strings.Repeat("y", most/2) + `"}}}`,
		`{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"count"}}`,
		`{"jsonrpc":"2.0","id":14,"method":"ping","x":"` + long + `"}`,
	}
	var out bytes.Buffer
	if err := s.ServeStdio(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Error(err)
	}
	got := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.Error.Code != 0 && !strings.Contains(m.Error.Message, "listen.max_upload_mb") {
			t.Errorf("answer %s", line)
		}
		got[string(m.ID)] = m.Error.Code
	}
	want := map[string]int{`"i"`: 0, `11`: mcp.INVALID_REQUEST, `"at the end"`: mcp.INVALID_REQUEST, `null`: mcp.INVALID_REQUEST, `12`: 0, `13`: 0, `14`: mcp.INVALID_REQUEST}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes by id (-want +got):\n%s", diff)
	}
}

func TestIDOfPart(t *testing.T) {
	for part, want := range map[string]string{`{"a":{"id":1},"id":2,"p":{"x":"yyy`: "2", `{"p":{"id":1,"x":"yyy`: "", `["id`: "", `{"id`: "", ``: "", `{"id":"7","p":`: `"7"`} {
		if got := string(idWithin([]byte(part))); got != want {
			t.Errorf("%s begins with the id %q, want %q", part, got, want)
		}
	}
	for part, want := range map[string]string{"yyy\"}, \"id\" : -3 }\r\n": "-3", `y"},"id":"a b"}`: `"a b"`, `y","id":3}}`: "", `y,"id":3}"}`: "", ``: ""} {
		if got := string(idAtEnd([]byte(part))); got != want {
			t.Errorf("%s ends with the id %q, want %q", part, got, want)
		}
	}
}

// A script that pipes its requests in gets the answers to all of them.
func TestStdioEnd(t *testing.T) {
	s, _, _ := newTest(t)
	var out bytes.Buffer
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for i := range 20 {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"count"}}`+"\n", i+2)
	}
	in = strings.TrimSuffix(in, "\n") // as printf leaves it
	if err := s.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	if got := strings.Count(out.String(), `"structuredContent":{"n":3}`); got != 20 {
		t.Errorf("%d of 20 calls were answered:\n%s", got, out.String())
	}
}

// What readers understand differently, or cannot read, is answered and goes no further.
func TestStdioBadMessages(t *testing.T) {
	const start = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	for name, c := range map[string]struct{ in, want string }{
		"no JSON":   {`{"jsonrpc":`, `"error":{"code":-32700,"message":"The message is not JSON`},
		"no UTF-8":  {"\"\xff\"", `"error":{"code":-32700,"message":"The message is not UTF-8."},"id":null`},
		"more":      {`{"jsonrpc":"2.0","id":1,"method":"ping"} 2`, `"error":{"code":-32700,`},
		"key twice": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"count","name":"wait"}}`, `"error":{"code":-32600,"message":"The key \"name\" stands twice in one object."},"id":7`},
		"too deep":  {`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"count","arguments":{"n":` + deep + `}}}`, `"error":{"code":-32600,"message":"The JSON is nested deeper than 64."},"id":"x"`},
		"empty":     {" ", ""},
		"good":      {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count"}}`, `{"n":3}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := newTest(t)
			var out bytes.Buffer
			if err := s.ServeStdio(t.Context(), strings.NewReader(start+c.in+"\n"), &out); err != nil {
				t.Error(err)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if c.want == "" && len(lines) != 1 || !strings.Contains(out.String(), c.want) {
				t.Errorf("answers %s", out.String())
			}
		})
	}
}

// A cancel of a call that is not there, or is over, takes no answer from the others.
func TestStdioForeignCancel(t *testing.T) {
	s, _, _ := newTest(t)
	release := make(chan struct{})
	reg, _ := s.opt.Tools.(*tools.Registry)
	late := tools.Tool{Def: mcp.NewToolWithRawSchema("late", "Late.", []byte(`{"type":"object"}`)), Toolset: "crm",
		Handler: func(context.Context, tools.Call) (tools.Result, error) {
			<-release
			return tools.Result{Text: "late"}, nil
		}}
	if err := reg.Register(late); err != nil {
		t.Fatal(err)
	}
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"late"}}` + "\n"
	ended := make(chan struct{})
	var out bytes.Buffer
	go func() {
		defer close(ended)
		if err := s.ServeStdio(t.Context(), io.MultiReader(strings.NewReader(in), onRead(func() { close(release) })), &out); err != nil {
			t.Error(err)
		}
	}()
	<-ended
	if !strings.Contains(out.String(), `"text":"late"`) {
		t.Errorf("the running call was not answered:\n%s", out.String())
	}
}

// onRead is a reader at its end that calls a function when it is read.
type onRead func()

func (f onRead) Read([]byte) (int, error) { f(); return 0, io.EOF }

func TestIDKey(t *testing.T) {
	for in, want := range map[string]string{`1`: "1", `1.0`: "1", `1e0`: "1", `"1"`: "s1", `null`: "", `{}`: "", ``: "", `""`: "s"} {
		if got := idKey(json.RawMessage(in)); got != want {
			t.Errorf("%s gave %q, want %q", in, got, want)
		}
	}
}

// A call that is cancelled while it waits for its turn never begins.
func TestStdioCancelBeforeItBegins(t *testing.T) {
	s, _, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	var began atomic.Int64
	tool := func(name string, f func(ctx context.Context)) tools.Tool {
		return tools.Tool{Def: mcp.NewToolWithRawSchema(name, "X.", []byte(`{"type":"object"}`)), Toolset: "crm",
			Handler: func(ctx context.Context, _ tools.Call) (tools.Result, error) {
				f(ctx)
				return tools.Result{Text: name}, nil
			}}
	}
	running := make(chan struct{}, stdioCalls)
	err := reg.Register(tool("hold", func(ctx context.Context) { running <- struct{}{}; <-ctx.Done() }), tool("late", func(context.Context) { began.Add(1) }))
	if err != nil {
		t.Fatal(err)
	}
	in, w := io.Pipe()
	var out bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(t.Context(), in, &out) }()
	send := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	for i := range stdioCalls {
		send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"hold"}}`, i)
	}
	for range stdioCalls {
		<-running
	}
	send(`{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"late"}}`)
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}`)
	for i := range stdioCalls {
		send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i)
	}
	send(`{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"count"}}`)
	_ = w.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if began.Load() != 0 || !strings.Contains(out.String(), `{"n":3}`) {
		t.Errorf("%d cancelled calls began:\n%s", began.Load(), out.String())
	}
}
