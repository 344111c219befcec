package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// servePeer is one of the servers beside Catena, until its process is ended.
func servePeer(name string) error {
	h := plainServer()
	switch name {
	case "mcp-go":
		h = mcpGoServer()
	case "net/http":
	default:
		return fmt.Errorf("there is no server %q", name)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, h)
}

// result is what the tool query_table gives beside Catena.
type result struct {
	Rows  []order `json:"rows"`
	Count int     `json:"row_count"`
}

// mcpGoServer is a server as mcp-go's users write it.
func mcpGoServer() http.Handler {
	rows := orders()
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("Says what it is told."), mcp.WithString("message", mcp.Required(), mcp.Description("What to say."))),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			message, err := r.RequireString("message")
			if err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			return mcp.NewToolResultText(message), nil
		})
	s.AddTool(mcp.NewTool("query_table", mcp.WithDescription("Gives the rows of a table."), mcp.WithString("table", mcp.Required()), mcp.WithNumber("limit")),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			out := rows[:min(len(rows), r.GetInt("limit", len(rows)))]
			return mcp.NewToolResultStructuredOnly(result{out, len(out)}), nil
		})
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.NewStreamableHTTPServer(s))
	return mux
}

// request is a call as far as the plain server looks at it.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string `json:"name"`
		Arguments struct {
			Message string `json:"message"`
			Limit   int    `json:"limit"`
		} `json:"arguments"`
	} `json:"params"`
}

// content and answer are what it writes.
type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type called struct {
	Content    []content `json:"content"`
	Structured any       `json:"structuredContent,omitempty"`
}

type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// plainServer decodes a call and encodes its answer, without a protocol around them.
func plainServer() http.Handler {
	rows := orders()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &q)
		}
		var out any
		switch {
		case err != nil:
		case q.Method != "tools/call":
			out = map[string]any{} // so that clients may begin as with the others
		case q.Params.Name == "echo":
			out = called{Content: []content{{"text", q.Params.Arguments.Message}}}
		case q.Params.Name == "query_table":
			table := result{rows[:min(len(rows), q.Params.Arguments.Limit)], min(len(rows), q.Params.Arguments.Limit)}
			var text []byte
			text, err = json.Marshal(table)
			out = called{[]content{{"text", string(text)}}, table}
		default:
			err = errors.New("no such tool")
		}
		if err == nil {
			body, err = json.Marshal(answer{"2.0", q.ID, out})
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // a client that is gone is seen by the load
	})
}
