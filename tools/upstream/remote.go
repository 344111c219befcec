package upstream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
)

// remoteTool is a tool as its server describes it; the schemas are its own bytes.
type remoteTool struct {
	Name         string             `json:"name"`
	Title        string             `json:"title"`
	Description  string             `json:"description"`
	InputSchema  json.RawMessage    `json:"inputSchema"`
	OutputSchema json.RawMessage    `json:"outputSchema"`
	Annotations  mcp.ToolAnnotation `json:"annotations"`
	Icons        []mcp.Icon         `json:"icons"`
	Execution    *mcp.ToolExecution `json:"execution"`
	Meta         *mcp.Meta          `json:"_meta"`

	raw json.RawMessage // all of it
}

// UnmarshalJSON keeps what it reads.
func (t *remoteTool) UnmarshalJSON(b []byte) error {
	type plain remoteTool
	if err := json.Unmarshal(b, (*plain)(t)); err != nil {
		return err
	}
	t.raw = bytes.Clone(b)
	return nil
}

// listTools asks for the list of tools. skipped joins why some of it is not there, or not whole.
func (c *conn) listTools(ctx context.Context) (all []remoteTool, skipped, err error) {
	list, skipped, err := c.list(ctx, "tools/list", "tools")
	if err != nil {
		return nil, nil, err
	}
	var d door
	for _, raw := range list {
		raw, ok := d.admit(raw, "name", maxKey)
		if !ok {
			continue
		}
		var t remoteTool
		if err := json.Unmarshal(raw, &t); err != nil {
			d.refused.add("a tool cannot be read: %v", err)
			continue
		}
		all = append(all, t)
	}
	return all, errors.Join(skipped, d.told()), nil
}

// list asks for all pages of a list, which stands under a key. The first maxListed are given; short says that there are more.
func (c *conn) list(ctx context.Context, method, key string) (all []json.RawMessage, short, err error) {
	params := map[string]any{}
	received := 0
	for range maxPages {
		raw, err := c.request(ctx, method, params)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", method, err)
		}
		part, next, err := readPage(raw, key)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: the answer is not MCP's: %w", method, err)
		}
		all = append(all, part...)
		received += len(raw)
		switch {
		case len(all) > maxListed:
			return all[:maxListed], fmt.Errorf("%s gives more than %d; the first of them are taken", method, maxListed), nil
		case next == "":
			return all, nil, nil
		case received > maxReceived:
			return all, fmt.Errorf("%s gives more than %d MiB; what came first is taken", method, maxReceived>>20), nil
		case params["cursor"] == next:
			return nil, nil, fmt.Errorf("%s: a page names itself as the next one", method)
		}
		params = map[string]any{"cursor": next}
	}
	return all, fmt.Errorf("%s gives more than %d pages; the first of them are taken", method, maxPages), nil
}

// readPage reads one page of a list: what stands under a key, and the cursor of the next page, "" at the end.
func readPage(raw json.RawMessage, key string) (part []json.RawMessage, next string, err error) {
	var page map[string]json.RawMessage
	err = json.Unmarshal(raw, &page)
	if err == nil && page[key] != nil {
		err = json.Unmarshal(page[key], &part)
	}
	if err == nil && page["nextCursor"] != nil {
		err = json.Unmarshal(page["nextCursor"], &next)
	}
	return part, next, err
}

// tool is what the registry gets.
func (s *server) tool(t remoteTool) tools.Tool {
	t = s.hinted(s.withOurView(t))
	return tools.Tool{
		Def: mcp.Tool{Name: exportName(s.Name, t.Name), Title: t.Title, Description: t.Description,
			RawInputSchema: t.InputSchema, RawOutputSchema: schemaOrNil(t.OutputSchema), Annotations: t.Annotations,
			Icons: t.Icons, Execution: t.Execution, Meta: t.Meta},
		Raw:     t.under(exportName(s.Name, t.Name)),
		Toolset: s.Name, Timeout: s.timeout(t.Name), MaxTimeout: s.maxTimeout(), Settings: "mcpServers." + s.Name, Limit: s.limit, Untrusted: !s.Trusted,
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) { return s.traced(ctx, t, call) },
	}
}

func schemaOrNil(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// content is one part of an upstream's answer.
type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"resource"`
}

// result makes a Result of an answer. A table's wire form becomes a table, and so does a list of records, unless the tool
// declares what fields its output has: plans refer to those by name.
func result(t remoteTool, raw json.RawMessage) (tools.Result, error) {
	var answer struct {
		Content    []content       `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Meta       map[string]any  `json:"_meta"`
		Hidden     bool            `json:"catena/hidden"` // see marked
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return tools.Result{}, fmt.Errorf("its answer is no result of tools/call: %w", err)
	}
	if none := len(answer.Structured) == 0 || string(answer.Structured) == "null"; none {
		if answer.Structured = nil; answer.Content == nil {
			return tools.Result{}, fmt.Errorf("its answer has neither content nor structuredContent: %s", cut(string(raw), 200))
		}
	}
	res := tools.Result{Untrusted: true, IsError: answer.IsError, Foreign: answer.Structured, Meta: answer.Meta, Name: t.Name, Title: cmp.Or(t.Title, t.Annotations.Title)}
	var texts []string
	whole := false // some part says more than a text or a picture can
	for _, part := range answer.Content {
		switch whole = whole || part.Type == "audio" || part.Type == "resource" || part.Type == "resource_link"; part.Type {
		case "text":
			texts = append(texts, part.Text)
		case "image":
			png, err := base64.StdEncoding.DecodeString(part.Data)
			if err != nil {
				res.Notes = append(res.Notes, "A picture of the answer could not be read.")
				continue
			}
			res.Charts = append(res.Charts, tools.Chart{Title: res.Title, PNG: png, Media: part.MIMEType, Alt: "A picture from " + t.Name + "."})
		case "audio": // for MCP clients only
		case "resource":
			texts = append(texts, cmp.Or(part.Resource.Text, part.Resource.URI))
		case "resource_link":
			texts = append(texts, strings.TrimSpace(part.Name+" "+part.URI))
		default:
			res.Notes = append(res.Notes, fmt.Sprintf("A part of the answer of the kind %q was left out.", cut(part.Type, 40)))
		}
	}
	res.Text = strings.Join(texts, "\n")
	if res.IsError {
		res.Code = "upstream_error"
		if answer.Structured != nil {
			res.Structured = answer.Structured
		}
	} else {
		if len(answer.Structured) == 0 {
			answer.Structured = listOf(texts)
		}
		fill(&res, t, answer.Structured)
	}
	// Any other answer is its text, and one that a plan uses as a table is no less to a client what its server wrote.
	if whole || len(answer.Content) > 1 || res.Table != nil || res.Foreign != nil {
		res.Content = parts(raw)
	}
	if answer.Hidden {
		res.Tell(noteHidden)
	}
	return res, nil
}

// parts are those of an answer as MCP clients get them. One that cannot be read is left out; it is in the text as far as it can be.
func parts(raw json.RawMessage) (out []mcp.Content) {
	var answer struct {
		Content []map[string]any `json:"content"`
	}
	_ = json.Unmarshal(raw, &answer) // it was read before
	for _, part := range answer.Content {
		if c, err := mcp.ParseContent(part); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// listOf makes a list of the parts of an answer that are a JSON object each: so some servers write a list. Any other answer gives
// nil.
func listOf(texts []string) json.RawMessage {
	if len(texts) < 2 {
		return nil
	}
	for _, text := range texts {
		if !isObject([]byte(text)) || !json.Valid([]byte(text)) {
			return nil
		}
	}
	return json.RawMessage("[" + strings.Join(texts, ",") + "]")
}

// fill sets the table or the structured value of a result, from structured content or from a text that is JSON.
func fill(res *tools.Result, t remoteTool, structured json.RawMessage) {
	data := structured
	if data = bytes.TrimSpace(data); len(data) == 0 || string(data) == "null" {
		if data = bytes.TrimSpace([]byte(res.Text)); !json.Valid(data) {
			return
		}
	}
	if isWire(data) || schemaOrNil(t.OutputSchema) == nil && holdsRecords(data) {
		if tab, err := table.FromAny(data, table.Limits{}); err == nil {
			res.Table, res.Text = tab, "" // the registry writes a table's text
			if isWire(data) {
				res.Total = wireTotal(data, tab.NumRows())
			} else {
				tellBeside(res, data)
			}
			return
		}
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return
	}
	switch v.(type) {
	case map[string]any, []any:
		res.Structured = v
	}
}

// listKeys are the keys under which an object may hold its records (contracts.md section 3).
var listKeys = []string{"output", "data", "rows", "result", "items", "records"}

// totalKeys are the keys beside records that say how many there are altogether. A plain "total" may be a sum.
var totalKeys = []string{"total_count", "totalCount", "total_rows", "totalRows", "total_items", "totalItems", "total_results", "totalResults"}

// tellBeside keeps what an object says beside its records: how many there are altogether, and a note of its other fields.
func tellBeside(res *tools.Result, data []byte) {
	const most, long = 10, 100
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return // a list
	}
	var told []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		text := strings.Trim(string(object[key]), `"`)
		if n, err := strconv.Atoi(text); err == nil && slices.Contains(totalKeys, key) && n >= res.Table.NumRows() {
			res.Total = n
			continue
		}
		if !slices.Contains(listKeys, key) && text != "null" && len(told) < most {
			told = append(told, cut(key, long)+" "+cut(text, long))
		}
	}
	if len(told) > 0 {
		res.Notes = append(res.Notes, "Beside the rows: "+strings.Join(told, "; ")+".")
	}
}

// isWire reports whether a JSON text is the wire form of a table (contracts.md section 3).
func isWire(data []byte) bool {
	var w struct {
		Columns []struct{ Name, Type *string }
		Rows    [][]json.RawMessage
	}
	return json.Unmarshal(data, &w) == nil && len(w.Columns) > 0 && w.Columns[0].Name != nil && w.Columns[0].Type != nil && w.Rows != nil
}

// wireTotal is how many rows the wire form of a table says that there are, 0 when it has them all.
func wireTotal(data []byte, rows int) int {
	var w struct {
		Total int `json:"total_rows"`
	}
	if json.Unmarshal(data, &w) != nil || w.Total <= rows {
		return 0
	}
	return w.Total
}

// holdsRecords reports whether a JSON text is a list of objects, or an object with one under a key of listKeys.
func holdsRecords(data []byte) bool {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		return len(list) > 0 && isObject(list[0])
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return false
	}
	for _, key := range listKeys {
		if json.Unmarshal(object[key], &list) == nil && len(list) > 0 && isObject(list[0]) {
			return true
		}
	}
	return false
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}
