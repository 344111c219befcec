package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	tablejson "catena/table/json"
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
	typed, ok := withType(t.InputSchema)
	if !ok {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	fields["inputSchema"], t.InputSchema = typed, typed
	raw, err := json.Marshal(fields)
	t.raw = raw
	return err
}

// withType adds the type to the schema of arguments that says none, as makers of schemas leave it out where there is
// nothing to describe: arguments are an object always, and clients refuse whole lists where it does not say so. False
// where nothing was to add.
func withType(schema json.RawMessage) (json.RawMessage, bool) {
	var named struct{ Type json.RawMessage }
	rest, object := bytes.CutPrefix(bytes.TrimSpace(schema), []byte("{"))
	if !object || json.Unmarshal(schema, &named) != nil || named.Type != nil {
		return schema, false
	}
	if rest = bytes.TrimSpace(rest); len(rest) > 1 {
		rest = append([]byte(","), rest...)
	}
	return append([]byte(`{"type":"object"`), rest...), true
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

// list asks for all pages of a list, which stands under a key. The first maxListed are given; short says that there are
// more.
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
			return all[:maxListed], fmt.Errorf("%s gives more than %d; the first of them are taken", method,
				maxListed), nil
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

// readPage reads one page of a list: what stands under a key, of which no more than one element beyond maxListed is
// taken, and the cursor of the next page, "" at the end. A page of millions of elements, or of members that nobody
// asked for, takes nothing beyond its bytes.
func readPage(raw json.RawMessage, key string) (part []json.RawMessage, next string, err error) {
	list := tablejson.Member(raw, key)
	if len(list) > 0 && list[0] != '[' && string(list) != "null" {
		return nil, "", fmt.Errorf("%s is no list", key)
	}
	for one := range tablejson.Elements(list) {
		if part = append(part, one); len(part) > maxListed {
			break
		}
	}
	if cursor := tablejson.Member(raw, "nextCursor"); cursor != nil {
		err = json.Unmarshal(cursor, &next)
	}
	if len(next) > maxAddress {
		err = fmt.Errorf("its cursor has %d bytes, at most %d are taken", len(next), maxAddress)
	}
	return part, next, err
}

// tool is what the registry gets.
func (s *server) tool(t remoteTool) tools.Tool {
	t = s.hinted(s.withOurView(t))
	return tools.Tool{
		Def: mcp.Tool{Name: exportName(s.Name, t.Name), Title: t.Title, Description: t.Description,
			RawInputSchema: t.InputSchema, RawOutputSchema: schemaOrNil(t.OutputSchema), Annotations: t.Annotations,
			Icons: t.Icons, Meta: t.Meta},
		Raw:     t.under(exportName(s.Name, t.Name)),
		Toolset: s.Name, Timeout: s.timeout(t.Name), MaxTimeout: s.maxTimeout(), Settings: "mcpServers." + s.Name,
		Limit: s.limit, Untrusted: !s.Trusted,
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) { return s.traced(ctx, t, call) },
	}
}

func schemaOrNil(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}
