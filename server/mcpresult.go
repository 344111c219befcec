package server

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// previewRows is how many rows of a table of more than maxWireRows stand in a result, beside a link to all of them.
const previewRows = 100

// mcpResult writes a result the protocol's way: Markdown and pictures as content, the wire form of a table, or whatever
// the tool has, as structuredContent. With asJSON the text is the structured content, for clients that parse it.
func mcpResult(res tools.Result, asJSON bool) (*mcp.CallToolResult, error) {
	if asJSON && res.IsError {
		res.Structured = failure(res)
	}
	most, large := maxWireRows, res.Table != nil && res.Structured == nil && res.Handle != "" && res.Table.NumRows() > maxWireRows
	if large {
		most = previewRows
	}
	value, err := structured(res, most)
	if err != nil {
		return nil, err
	}
	text, err := contentText(res, value, asJSON)
	if err != nil {
		return nil, err
	}
	if value, err = object(value); err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}, StructuredContent: value, IsError: res.IsError}
	asIs := len(res.Content) > 0 && !asJSON
	if asIs {
		out.Content = slices.Clone(res.Content)
	}
	if large {
		link := mcp.NewResourceLink(tableURI(res.Handle), orElse(res.Name, res.Handle), fmt.Sprintf("All %d rows; what stands here are the first %d.", res.Table.NumRows(), most), mediaJSON)
		link.Title = res.Title
		out.Content = append(out.Content, link)
	}
	if !asIs {
		out.Content = append(out.Content, pictures(res.Charts)...)
	}
	return out, nil
}

// pictures are the charts that can be seen.
func pictures(charts []tools.Chart) (out []mcp.Content) {
	for _, ch := range charts {
		switch {
		case len(ch.PNG) > 0:
			out = append(out, mcp.NewImageContent(base64.StdEncoding.EncodeToString(ch.PNG), orElse(ch.Media, "image/png")))
		case ch.SVG != "":
			out = append(out, mcp.NewImageContent(base64.StdEncoding.EncodeToString([]byte(ch.SVG)), "image/svg+xml"))
		}
	}
	return out
}

// contentText is what the text content says: the result for people with its notes, or its JSON.
func contentText(res tools.Result, value any, asJSON bool) (string, error) {
	if asJSON && value != nil {
		b, err := json.Marshal(value)
		return string(b), err
	}
	text := res.Text
	// A text that was rendered from the result has the notes already.
	notes := slices.DeleteFunc(slices.Clone(res.Notes), func(n string) bool { return strings.Contains(text, n) })
	if len(notes) > 0 && !res.IsError {
		text = strings.TrimRight(text, "\n") + "\n\n- " + strings.Join(notes, "\n- ")
	}
	return text, nil
}

// failure is a failed result for a client that reads JSON: what the tool gave, and error and code in any case, for failures of the
// registry have neither.
func failure(res tools.Result) any {
	m, ok := res.Structured.(map[string]any)
	if res.Structured != nil && !ok {
		return res.Structured
	}
	out := map[string]any{"error": res.Text, "code": res.Code}
	maps.Copy(out, m)
	return out
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
