package mcp

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/server/servertest"
	"catena/tools"
)

// TestMCPHides: over MCP a caller sees and calls what its scopes cover.
func TestMCPHides(t *testing.T) {
	_, url := keyed(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"people","arguments":{}}}`
	for key, want := range map[string][2]string{"tools": {`"count"`, `"people"`}, "ann": {`"people"`, "\x00"}} {
		session := mcpSession(t, url, key)
		header := append(servertest.Bearer(key), "Mcp-Session-Id", session, "Accept", "application/json, text/event-stream")
		_, _, body := servertest.Ask(t, "POST", url+"/mcp", list, header...)
		if !strings.Contains(body, want[0]) || strings.Contains(body, want[1]) {
			t.Errorf("%s: %s", key, body)
		}
		_, _, body = servertest.Ask(t, "POST", url+"/mcp", call, header...)
		if got := strings.Contains(body, "Ada"); got != (key == "ann") {
			t.Errorf("%s: %s", key, body)
		}
	}
	if status, _, _ := servertest.Ask(t, "POST", url+"/mcp", list); status != 401 {
		t.Errorf("nobody lists tools: %d", status)
	}
}

func mcpSession(t *testing.T, url, key string) string {
	t.Helper()
	status, h, body := servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		append(servertest.Bearer(key), "Accept", "application/json, text/event-stream")...)
	if status != 200 {
		t.Fatal(status, body)
	}
	return h.Get("Mcp-Session-Id")
}

// kinds are those of the content, in order.
func kinds(content []mcp.Content) (out []string) {
	for _, c := range content {
		switch x := c.(type) {
		case mcp.TextContent:
			out = append(out, "text "+x.Text)
		case mcp.ImageContent:
			kind := x.MIMEType
			if x.Meta != nil && x.Meta.AdditionalFields[metaSVG] == servertest.BarsSVG() {
				kind += " beside its SVG"
			}
			out = append(out, kind)
		case mcp.EmbeddedResource:
			out = append(out, "document "+x.Resource.(mcp.TextResourceContents).MIMEType)
		case mcp.ResourceLink:
			out = append(out, "link "+x.URI)
		}
	}
	return out
}

func svgContent(svg string) mcp.Content {
	return mcp.NewImageContent(base64.StdEncoding.EncodeToString([]byte(svg)), mediaSVG)
}

func TestChartsOverMCP(t *testing.T) {
	for name, c := range map[string]struct {
		res  tools.Result
		want []string
	}{
		"ours":           {tools.Result{Text: "Bars.", Charts: []tools.Chart{{SVG: servertest.BarsSVG()}}}, []string{"text Bars.", "image/png beside its SVG"}},
		"no text":        {tools.Result{Charts: []tools.Chart{{SVG: servertest.BarsSVG()}}}, []string{"image/png beside its SVG"}},
		"another's":      {tools.Result{Text: "x", Charts: []tools.Chart{{PNG: []byte("j"), Media: "image/jpeg"}}}, []string{"text x", "image/jpeg"}},
		"no drawing":     {tools.Result{Text: "x", Charts: []tools.Chart{{SVG: "<svg/>"}}}, []string{"text x", "document image/svg+xml"}},
		"another's SVG":  {tools.Result{Content: []mcp.Content{svgContent(servertest.BarsSVG()), svgContent("<svg/>"), mcp.NewImageContent("aaaa", "image/jpeg")}}, []string{"image/png beside its SVG", "document image/svg+xml", "image/jpeg"}},
		"with a value":   {tools.Result{Foreign: json.RawMessage(`{"a":1}`), Content: []mcp.Content{svgContent("<svg/>")}}, []string{"document image/svg+xml"}},
		"without any":    {tools.Result{Text: "x", Charts: []tools.Chart{{Alt: "Bars."}}}, []string{"text x"}},
		"chat":           {linkedResult(tools.Call{}, chat.Response{Response: "x", Charts: []chat.AnswerChart{{SVG: servertest.BarsSVG()}}}), []string{"text x", "image/png beside its SVG"}},
		"chat and table": {linkedResult(tools.Call{}, chat.Response{Response: "x", Charts: []chat.AnswerChart{{SVG: servertest.BarsSVG()}}, Tables: []chat.AnswerTable{{Handle: "tbl_1"}}}), []string{"text x", "image/png beside its SVG", "link table://tbl_1"}},
	} {
		out, err := callResult(c.res, false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, kinds(out.Content)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A result without a text has no block for it: a model's server refuses an empty one.
func TestNoEmptyText(t *testing.T) {
	out, err := callResult(tools.Result{Untrusted: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(out); err != nil || string(got) != `{"content":[]}` {
		t.Errorf("%s %v", got, err)
	}
}
