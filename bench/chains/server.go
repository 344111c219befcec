package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// serverEnv makes this program an MCP server over its standard input and output.
const serverEnv = "CATENA_CHAINS_SERVER"

// handshake is the last version of the protocol that begins with one.
const handshake = "2025-11-25"

// mixSchema is the input of the tool that the DAGs call.
const mixSchema = `{"type":"object","properties":{"seed":{"type":"integer"},"delay_ms":{"type":"number","minimum":0},"inputs":{"type":"array","items":{"type":"number"}}},"required":["seed","delay_ms","inputs"],"additionalProperties":false}`

// mixedSchema is its output.
const mixedSchema = `{"type":"object","properties":{"value":{"type":"integer"}},"required":["value"]}`

// mixArgs are a call of mix.
type mixArgs struct {
	Seed   int64     `json:"seed"`
	Delay  float64   `json:"delay_ms"`
	Inputs []float64 `json:"inputs"`
}

func (a mixArgs) value() int64 {
	sum := int64(0)
	for _, v := range a.Inputs {
		sum += int64(v)
	}
	return (sum*31 + a.Seed*7 + 1) % 1000003
}

// serve is the server's process, until its input ends. Lean, it costs as little as a server can: what is measured is the client.
// The other is mcp-go's.
func serve(kind string) error {
	clock := newWaits()
	switch kind {
	case "mcp-go":
	case faultyServer:
		f, err := newFaulty(clock)
		if err != nil {
			return err
		}
		return (&lean{call: f.call}).serve(os.Stdin, os.Stdout)
	default:
		return (&lean{call: func(_ string, a mixArgs) (any, error) {
			clock.sleep(a.delay())
			return map[string]any{"value": a.value()}, nil
		}}).serve(os.Stdin, os.Stdout)
	}
	s := server.NewMCPServer("chains", "1")
	t := mcp.NewToolWithRawSchema("mix", "Waits and mixes numbers.", json.RawMessage(mixSchema))
	t.RawOutputSchema, t.Annotations = json.RawMessage(mixedSchema), readOnly()
	s.AddTool(t, func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var a mixArgs
		if err := req.BindArguments(&a); err != nil {
			return nil, err
		}
		clock.sleep(a.delay())
		return mcp.NewToolResultStructured(map[string]any{"value": a.value()}, fmt.Sprint(a.value())), nil
	})
	return (&lean{message: func(line []byte) any { return s.HandleMessage(context.Background(), line) }}).serve(os.Stdin, os.Stdout)
}

func (a mixArgs) delay() time.Duration { return time.Duration(a.Delay * float64(time.Millisecond)) }

// lean is an MCP server over lines, one goroutine per message: mcp-go's own loop has 100 calls at a time at most.
type lean struct {
	call    func(tool string, a mixArgs) (any, error) // of mix, or post, which does the same and keeps a ledger
	message func(line []byte) any                     // takes all messages in place of it

	mu  sync.Mutex
	out io.Writer
}

// rpc is a message of JSON-RPC as far as the server needs it.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	args mixArgs
}

func leanTool(name string, reads bool) map[string]any {
	return map[string]any{"name": name, "description": "Waits and mixes numbers.", "inputSchema": json.RawMessage(mixSchema),
		"outputSchema": json.RawMessage(mixedSchema), "annotations": map[string]any{"readOnlyHint": reads, "destructiveHint": false, "idempotentHint": reads}}
}

func (l *lean) serve(from io.Reader, to io.Writer) error {
	l.out = to
	in := bufio.NewReaderSize(from, 1<<20)
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the client has closed the pipe: that is how a server is told to end
		}
		wg.Go(func() { l.answer(line) })
	}
}

func (l *lean) answer(line []byte) {
	if l.message != nil {
		if answer := l.message(line); answer != nil {
			l.say(answer)
		}
		return
	}
	var m rpc
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 {
		return
	}
	switch m.Method {
	case "initialize":
		l.result(m.ID, map[string]any{"protocolVersion": handshake, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "chains", "version": "1"}})
	case "tools/list":
		l.result(m.ID, map[string]any{"tools": []any{leanTool("mix", true), leanTool("post", false)}})
	case "tools/call":
		v, err := any(nil), json.Unmarshal(m.Params.Arguments, &m.args)
		if err == nil {
			v, err = l.call(m.Params.Name, m.args)
		}
		if errors.Is(err, errGarbage) {
			l.result(m.ID, "garbage")
			return
		}
		if err != nil {
			l.result(m.ID, map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": err.Error()}}})
			return
		}
		l.result(m.ID, map[string]any{"content": []any{}, "structuredContent": v})
	default:
		l.say(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "no such method"}})
	}
}

func (l *lean) result(id json.RawMessage, v any) {
	l.say(map[string]any{"jsonrpc": "2.0", "id": id, "result": v})
}

func (l *lean) say(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(b, '\n'))
}
