package mcp

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
	"catena/tools"
)

// Tools of ours have the icon of their toolset where the protocol has icons, others their own.
func TestIcons(t *testing.T) {
	s, h, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	foreign := tools.Tool{Def: raw("other__tool"), Toolset: "other", Handler: asksTwice}
	drawn := foreign
	drawn.Def.Name, drawn.Def.Icons = "other__drawn", []mcp.Icon{{Src: "https://example.org/icon.png"}}
	if err := reg.Register(foreign, drawn); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"streamable", "streamable before 2026", "2025-11-25"} {
		var text string
		if way == "2025-11-25" {
			begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
			_, header, first := servertest.Ask(t, "POST", h.URL+"/mcp", begin, "Accept", "application/json, text/event-stream")
			if !strings.Contains(first, `"icons":[{"src":"data:image/svg+xml,`) {
				t.Errorf("%s: %s", way, first)
			}
			_, _, text = servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Accept", "application/json, text/event-stream",
				"Mcp-Session-Id", header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25")
		} else {
			c, _ := join(t, way, s, h.URL)
			res, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(map[string]any{"result": res})
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		var list struct {
			Result struct{ Tools []mcp.Tool }
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatalf("%s: %v in %s", way, err, text)
		}
		got := map[string]string{}
		for _, tool := range list.Result.Tools {
			for _, icon := range tool.Icons {
				got[tool.Name] += icon.Src
			}
		}
		want := iconsOf["crm"][0].Src
		if way == "streamable before 2026" { // 2025-06-18
			want = ""
		}
		if got["count"] != want || got["other__tool"] != "" || got["other__drawn"] != "https://example.org/icon.png" {
			t.Errorf("%s: %v", way, got)
		}
	}
	if _, text := now(t, h.URL, "server/discover", "", meta("streamable")); !strings.Contains(text, `"icons":[`) {
		t.Error(text)
	}
	if _, text := now(t, h.URL, "tools/call", "count", meta("streamable")); strings.Contains(text, `"icons"`) || !strings.Contains(text, "serverInfo") {
		t.Error(text)
	}
}

// The icons are pictures, and small.
func TestIconsAreSmall(t *testing.T) {
	all := map[string][]mcp.Icon{"": ownIcon}
	for toolset, icons := range iconsOf {
		all[toolset] = icons
	}
	for toolset, icons := range all {
		const uri = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?@!$&'()*+,;=%"
		if strings.Trim(icons[0].Src, uri) != "" || strings.ContainsAny(icons[0].Src, " <>#\"") {
			t.Errorf("%s: %q is no URI", toolset, icons[0].Src)
		}
		text, err := url.PathUnescape(strings.TrimPrefix(icons[0].Src, "data:image/svg+xml,"))
		if err != nil {
			t.Fatal(err)
		}
		var svg struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		}
		if err := xml.Unmarshal([]byte(text), &svg); err != nil {
			t.Errorf("%s: %v", toolset, err)
		}
		if b, _ := json.Marshal(icons); len(b) > 400 {
			t.Errorf("%s", fmt.Sprint(toolset, " has ", len(b), " bytes"))
		}
	}
}
