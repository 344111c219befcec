package mcp

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// previewRows is how many rows of a table of more than maxWireRows stand in a result, beside a link to all of them.
const previewRows = 100

// metaError is the key of a result's _meta that has what a failure says to programs, such as the findings of wrong
// arguments, where it is not of the tool's output schema.
const metaError = "catena/error"

// metaTable is the key of a result's _meta that has the address of the table that was made of another server's answer.
const metaTable = "catena/table"

// metaSVG is the key of a picture's _meta that has the chart as SVG, for programs that draw: models take none, so the
// picture itself is a PNG.
const metaSVG = "catena/svg"

// callResult writes a result the protocol's way: Markdown and pictures as content, the wire form of a table, or
// whatever the tool has, as structuredContent. With asJSON the text is the structured content, for clients that parse
// it.
func callResult(res tools.Result, asJSON bool) (*mcp.CallToolResult, error) {
	if asJSON && res.IsError {
		res.Structured, res.Unfit = failure(res), true
	}
	if len(res.Foreign) > 0 && !asJSON {
		return foreign(res), nil
	}
	asTable := res.Structured == nil && res.Wire == nil
	reachable := res.Table != nil && res.Handle != "" // the rest of it can be asked for
	most, large := server.MaxWireRows, asTable && reachable && res.Table.NumRows() > server.MaxWireRows
	if large {
		most = previewRows
	}
	value, err := server.Structured(res, most)
	if err != nil {
		return nil, err
	}
	text, err := contentText(res, value, asJSON)
	if err != nil {
		return nil, err
	}
	if value, err = encoded(value); err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(text)},
		StructuredContent: value,
		IsError:           res.IsError,
	}
	if res.IsError && res.Unfit && value != nil {
		// SDK v1 of TypeScript checks failures as well, and would throw in place of showing the text.
		out.StructuredContent, out.Meta = nil, mcp.NewMetaFromMap(map[string]any{metaError: value})
	}
	if len(res.Meta) > 0 && out.Meta == nil {
		out.Meta = mcp.NewMetaFromMap(res.Meta)
	}
	asIs := len(res.Content) > 0 && !asJSON
	if asIs {
		out.Content = forModels(res.Content)
	}
	if large {
		out.Content = append(out.Content, linkToAll(res, most))
	}
	if !asIs {
		out.Content = append(out.Content, pictures(res.Charts)...)
	}
	if first, ok := out.Content[0].(mcp.TextContent); ok && first.Text == "" {
		out.Content = out.Content[1:] // an empty text says nothing, and models' servers refuse it
	}
	return out, nil
}

// linkToAll is the link to a table of which the result has the first rows.
func linkToAll(res tools.Result, first int) mcp.ResourceLink {
	link := mcp.NewResourceLink(
		tableURI(res.Handle),
		cmp.Or(res.Name, res.Handle),
		fmt.Sprintf("All %d rows; structuredContent has the first %d.", res.Table.NumRows(), first),
		"application/json",
	)
	link.Title = res.Title
	return link
}

// encoded is structured content as the answer has it: a table in its wire form, anything else as an object.
func encoded(value any) (any, error) {
	if w, ok := value.(server.WireTable); ok {
		return w.Encoded()
	}
	return object(value)
}

// result writes what a tool gave, as mcpResult does. A tool that declares its output always gives some, also where that
// is null.
func (m *Server) result(caller access.Caller, tool string, res tools.Result) (*mcp.CallToolResult, error) {
	empty := res.Structured == nil && res.Table == nil && len(res.Foreign) == 0
	if empty && !res.IsError {
		if t, ok := m.opt.Tools.Find(caller, tool); ok && wraps(t) {
			res.Structured = map[string]any{wrapped: nil}
		}
	}
	asJSON := m.readsJSON(tool)
	if asJSON && res.IsError {
		res.Structured, res.Unfit = ofTool(failure(res), tool), true
	}
	return callResult(res, asJSON)
}

// ofTool names the tool in a failure that does not: clients of several tools tell their errors apart by it.
func ofTool(failure any, tool string) any {
	m, ok := failure.(map[string]any)
	if !ok || m["tool"] != nil {
		return failure
	}
	m = maps.Clone(m)
	m["tool"] = tool
	return m
}

// foreign is what another server answered, as it wrote it. The handle of the table that was made of it stands in _meta.
func foreign(res tools.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: forModels(res.Content), StructuredContent: res.Foreign, IsError: res.IsError}
	if out.Content == nil {
		out.Content = []mcp.Content{}
	}
	meta := map[string]any{}
	maps.Copy(meta, res.Meta)
	if res.Handle != "" {
		meta[metaTable] = tableURI(res.Handle)
	}
	if res.IsError && res.Unfit {
		out.StructuredContent, meta[metaError] = nil, res.Foreign
	}
	if len(meta) > 0 {
		out.Meta = mcp.NewMetaFromMap(meta)
	}
	return out
}

// pictures are the charts that can be seen, as clients can hand them to a model, each with its SVG beside it.
func pictures(charts []tools.Chart) (out []mcp.Content) {
	for _, ch := range charts {
		if data, _ := server.ChartPicture(ch); len(data) > 0 {
			out = append(out, pictureOf(ch))
		}
	}
	return out
}

// mediaSVG is the kind of picture that models take as text alone.
const mediaSVG = "image/svg+xml"

// pictureOf is a chart as an image that models take, with its SVG beside it; an SVG that cannot be drawn here is no
// image, but a document.
func pictureOf(ch tools.Chart) mcp.Content {
	data, media := server.ChartPicture(ch)
	if media == mediaSVG {
		return mcp.NewEmbeddedResource(
			mcp.TextResourceContents{URI: "ui://catena/picture.svg", MIMEType: mediaSVG, Text: string(data)},
		)
	}
	shown := mcp.NewImageContent(base64.StdEncoding.EncodeToString(data), media)
	if ch.Media == mediaSVG {
		ch.SVG = string(ch.PNG)
	}
	if ch.SVG != "" {
		shown.Meta = mcp.NewMetaFromMap(map[string]any{metaSVG: ch.SVG})
	}
	return shown
}

// forModels are the parts of another server's answer with its SVG as models take them; all else is as that server wrote
// it.
func forModels(content []mcp.Content) []mcp.Content {
	out := slices.Clone(content)
	for i, part := range out {
		picture, ok := part.(mcp.ImageContent)
		if !ok || picture.MIMEType != mediaSVG {
			continue
		}
		if svg, err := base64.StdEncoding.DecodeString(picture.Data); err == nil && len(svg) > 0 {
			out[i] = pictureOf(tools.Chart{PNG: svg, Media: mediaSVG})
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

// failure is a failed result for a client that reads JSON: what the tool gave, and error and code in any case, for
// failures of the registry have neither.
func failure(res tools.Result) any {
	m, ok := res.Structured.(map[string]any)
	if res.Structured != nil && !ok {
		return res.Structured
	}
	out := map[string]any{"error": res.Text, "code": res.Code}
	maps.Copy(out, m)
	return out
}

// wrapped is the field of structured content that has a value which is no object.
const wrapped = "result"

// wraps reports whether a tool of ours may give values that are no objects. What other servers declare is theirs.
func wraps(t tools.Tool) bool {
	if t.Raw != nil || len(t.Def.RawOutputSchema) == 0 {
		return false
	}
	var s struct {
		Type any `json:"type"`
	}
	return json.Unmarshal(t.Def.RawOutputSchema, &s) == nil && s.Type != "object"
}

// wireSchema is a tool's output schema as clients get its results: the protocol wants objects, so that of a tool which
// may give any value says where the others stand. Over HTTP, and in plans, a value stands for itself.
func wireSchema(t tools.Tool) json.RawMessage {
	schema := tools.ClientOutput(t)
	if !wraps(t) {
		return schema
	}
	raw, err := json.Marshal(map[string]any{
		"type":        "object",
		"description": "What the tool gives, where that is an object; any other value stands under " + wrapped + ".",
		"anyOf": []any{
			schema,
			map[string]any{"properties": map[string]any{wrapped: schema}, "required": []string{wrapped}},
		},
	})
	if err != nil {
		return schema // it is JSON: it was registered
	}
	return raw
}

// object makes structured content an object, as the protocol wants it: any other value goes under wrapped.
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
		return map[string]any{wrapped: json.RawMessage(b)}, nil
	}
	return json.RawMessage(b), nil
}

// replayBody lets a body that was read be read again.
func replayBody(c *gin.Context, body []byte) {
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	c.Request.ContentLength = int64(len(body))
	c.Request.Header.Set("Content-Type", "application/json")
}
