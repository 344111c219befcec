package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server/servertest"
	"catena/tools"
)

// A host of MCP Apps finds the view by the tools that give tables, and reads it.
func TestTableView(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{Policy: access.Granted{}})
	tool := func(name string, out, meta string, untrusted bool) tools.Tool {
		def := mcp.Tool{Name: name, Description: name, RawInputSchema: json.RawMessage(`{"type":"object"}`), RawOutputSchema: json.RawMessage(out)}
		if meta != "" {
			def.Meta = &mcp.Meta{AdditionalFields: map[string]any{"ui": map[string]any{"resourceUri": meta}}}
		}
		return tools.Tool{Def: def, Toolset: "data", Untrusted: untrusted, Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, nil }}
	}
	rows := string(tools.TableSchema())
	err := errors.Join(reg.Register(tool("rows", rows, "", false), tool("own", rows, "ui://own", false), tool("text", `{"type":"object"}`, "", false), tool("theirs", rows, "", true)),
		reg.RegisterResources(TableView()))
	if err != nil {
		t.Fatal(err)
	}
	_, h, _ := newTest(t, func(o *testOptions) { o.Tools = reg })
	modern := func(method, params string) json.RawMessage {
		t.Helper()
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}}`
		header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
		if method == "resources/read" {
			header = append(header, "Mcp-Name", "ui://catena/table")
		}
		status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+meta+`}}`, header...)
		var answer struct{ Result json.RawMessage }
		if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil || answer.Result == nil {
			t.Fatalf("%s: %d %s %v", method, status, body, err)
		}
		return answer.Result
	}
	if about := string(modern("server/discover", "")); !strings.Contains(about, `"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}`) {
		t.Errorf("the extension is not told: %s", about)
	}
	var list struct {
		Tools []struct {
			Name string
			Meta struct {
				UI struct{ ResourceURI string } `json:"ui"`
			} `json:"_meta"`
		}
	}
	if err := json.Unmarshal(modern("tools/list", ""), &list); err != nil {
		t.Fatal(err)
	}
	views := map[string]string{}
	for _, tool := range list.Tools {
		views[tool.Name] = tool.Meta.UI.ResourceURI
	}
	if diff := cmp.Diff(map[string]string{"rows": "ui://catena/table", "own": "ui://own", "text": "", "theirs": ""}, views); diff != "" {
		t.Error(diff)
	}
	var read struct {
		Contents []struct{ URI, MIMEType, Text string }
	}
	if err := json.Unmarshal(modern("resources/read", `"uri":"ui://catena/table",`), &read); err != nil || len(read.Contents) != 1 {
		t.Fatal(err)
	}
	if c := read.Contents[0]; c.MIMEType != "text/html;profile=mcp-app" || !strings.HasPrefix(c.Text, "<!DOCTYPE html>") {
		t.Errorf("%s %.40s", c.MIMEType, c.Text)
	}
}
