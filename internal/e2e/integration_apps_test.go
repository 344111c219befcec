//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// appHost is the page of a host of MCP Apps: it shows a view, answers what the protocol lets a view ask, and sends the result.
const appHost = `<!DOCTYPE html><meta charset="utf-8"><body><iframe src="/view" style="width:600px;height:400px"></iframe>
<script type="application/json" id="result">%s</script>
<script>
const frame = document.querySelector("iframe"), heard = [];
const say = (m) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...m }, "*");
window.addEventListener("message", ({ data }) => {
  heard.push(data.method);
  if (data.method === "ui/initialize") say({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "t", version: "1" }, hostCapabilities: {},
    hostContext: { theme: "dark", styles: { variables: { "--color-text-primary": "rgb(1, 2, 3)" } } } } });
  if (data.method === "ui/notifications/initialized") {
    say({ method: "ui/notifications/tool-input", params: { arguments: {} } });
    say({ method: "ui/notifications/tool-result", params: JSON.parse(document.getElementById("result").textContent) });
  }
});
</script>`

// mcpResultOf sends a request of the stateless protocol and gives the result.
func mcpResultOf(t *testing.T, url, method, name, params string) json.RawMessage {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name} {
		req.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.Index(raw, []byte("data: ")); at >= 0 {
		raw = raw[at+len("data: "):]
	}
	var answer struct{ Result json.RawMessage }
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&answer); err != nil || answer.Result == nil {
		t.Fatalf("%s: %s %v", method, raw, err)
	}
	return answer.Result
}

// TestIntegrationTableView shows a real result in the view that Catena serves, under the policy that hosts give a view that asks for nothing:
// the table as it was formatted, in the host's colours, sortable, and with text as text.
func TestIntegrationTableView(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sales.csv"), "shop,amount_usd\nNorth <img src=x onerror=alert(1)>,1200.50\n\"South | East\",-40.25\nWest,99.00\n")
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, "--data", "sales.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	var view struct{ Contents []struct{ Text string } }
	if err := json.Unmarshal(mcpResultOf(t, url, "resources/read", "ui://catena/table", `"uri":"ui://catena/table"`), &view); err != nil || len(view.Contents) != 1 {
		t.Fatal(err)
	}
	result := mcpResultOf(t, url, "tools/call", "query_table", `"name":"query_table","arguments":{"table":"sales"}`)
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, result)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/view" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'")
			_, _ = io.WriteString(w, view.Contents[0].Text)
			return
		}
		fmt.Fprintf(w, appHost, escaped.String())
	}))
	defer web.Close()
	b := openBrowser(t)
	b.do(chromedp.Navigate(web.URL))
	const doc = `frames[0].document`
	b.await(doc+`.querySelectorAll("tbody tr").length > 2`, "true")
	b.await(doc+`.querySelector("th button").textContent`, "Shop")
	b.await(doc+`.querySelector("tbody td").textContent`, "North <img src=x onerror=alert(1)>")
	b.await(`Array.from(`+doc+`.querySelectorAll("tbody tr:not(.total) td.right"), (c) => c.textContent).join(" ")`, "$1,200.50 −$40.25 $99.00")
	b.await(doc+`.querySelectorAll("img").length`, "0")
	b.await(`getComputedStyle(`+doc+`.body).color`, "rgb(1, 2, 3)")
	// By amount, up and down.
	sorted := `Array.from(` + doc + `.querySelectorAll("tbody tr"), (r) => r.cells[0].textContent.slice(0, 5) + (r.className && "!")).join(",")`
	click := doc + `.querySelectorAll("th button")[1].click()`
	b.js(click)
	b.await(sorted, "South,West,North")
	b.js(click)
	b.await(sorted, "North,West,South")
	b.await(doc+`.querySelectorAll("th")[1].getAttribute("aria-sort")`, "descending")
	// A total stays below, and a cell cannot pass for one.
	b.js(`say({method: "ui/notifications/tool-result", params: {content: [{type: "text", text: "**Shops \\*new\\***\n\n|Shop|Amount|\n|-|-:|\n|\\*\\*Best\\*\\*|7|\n|Ash \\| Elm|9|\n|**Total**|**16**|\n\n- A note."}]}})`)
	b.await(doc+`.querySelector("h1").textContent`, "Shops *new*")
	b.await(sorted, "**Bes,Ash |,Total!")
	b.js(click)
	b.await(sorted, "**Bes,Ash |,Total!")
	b.js(click)
	b.await(sorted, "Ash |,**Bes,Total!")
	b.await(doc+`.querySelector("li").textContent`, "A note.")
	b.await(`heard.includes("ui/notifications/size-changed")`, "true")
	if said := b.complaint(); said != "" && !strings.Contains(said, "favicon") {
		t.Error(said)
	}
}
