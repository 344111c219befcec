package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
)

const (
	acceptBoth = "application/json, text/event-stream"
	toolCall   = `"name":"get_top_clients","arguments":{"region":"USA","limit":3}`
)

// session begins an MCP session, lists the tools, calls one, and ends it.
func (c *client) session(ctx context.Context) error {
	const version = "2025-11-25"
	head, _, err := c.send(ctx, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"soak","version":"1"}}}`, "Accept", acceptBoth)
	if err != nil {
		return err
	}
	id := head.Get("Mcp-Session-Id")
	header := []string{"Accept", acceptBoth, "Mcp-Session-Id", id, "Mcp-Protocol-Version", version}
	if id == "" {
		return fmt.Errorf("client %d was given no MCP session", c.n)
	}
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{` + toolCall + `}}`,
	} {
		_, data, err := c.send(ctx, http.MethodPost, "/mcp", message, header...)
		if err == nil && (bytes.Contains(data, []byte(`"error":{"code":-`)) || bytes.Contains(data, []byte(`"isError":true`))) {
			err = fmt.Errorf("%s: %.300s", message, data)
		}
		if err != nil {
			return err
		}
	}
	_, _, err = c.send(ctx, http.MethodDelete, "/mcp", "", header...)
	return err
}

// call calls a tool without a session, as of 2026-07-28.
func (c *client) call(ctx context.Context) error {
	const version = "2026-07-28"
	_, data, err := c.send(ctx, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+toolCall+
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"`+version+`","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"Accept", acceptBoth, "Mcp-Protocol-Version", version, "Mcp-Method", "tools/call", "Mcp-Name", "get_top_clients")
	if err == nil && !bytes.Contains(data, []byte(`"structuredContent"`)) {
		err = fmt.Errorf("a call was answered without a table: %.300s", data)
	}
	return err
}
