package server

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// mcpResult writes a result the protocol's way: Markdown and pictures as content, the wire form of a table, or whatever
// the tool has, as structuredContent.
func mcpResult(res tools.Result) (*mcp.CallToolResult, error) {
	value, err := structured(res)
	if err != nil {
		return nil, err
	}
	if value, err = object(value); err != nil {
		return nil, err
	}
	text := res.Text
	// A text that was rendered from the result has the notes already.
	notes := slices.DeleteFunc(slices.Clone(res.Notes), func(n string) bool { return strings.Contains(text, n) })
	if len(notes) > 0 && !res.IsError {
		text = strings.TrimRight(text, "\n") + "\n\n- " + strings.Join(notes, "\n- ")
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}, StructuredContent: value, IsError: res.IsError}
	for _, ch := range res.Charts {
		switch {
		case len(ch.PNG) > 0:
			out.Content = append(out.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(ch.PNG), orElse(ch.Media, "image/png")))
		case ch.SVG != "":
			out.Content = append(out.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString([]byte(ch.SVG)), "image/svg+xml"))
		}
	}
	return out, nil
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// object makes structured content an object, as the protocol wants it: any other value goes under "result".
func object(v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if b = bytes.TrimSpace(b); bytes.Equal(b, []byte("null")) {
		return nil, nil
	}
	if b[0] != '{' {
		return map[string]any{"result": json.RawMessage(b)}, nil
	}
	return json.RawMessage(b), nil
}

// replayBody lets a body that was read be read again.
func replayBody(c *gin.Context, body []byte) {
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	c.Request.ContentLength = int64(len(body))
	c.Request.Header.Set("Content-Type", "application/json")
}
