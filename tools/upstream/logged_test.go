package upstream

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// What a server logs during a call reaches the client of the call, from the level on that it asked for, without what the server was told in secret.
func TestServersLog(t *testing.T) {
	for _, modern := range []bool{false, true} {
		t.Run(fmt.Sprintf("modern %t", modern), func(t *testing.T) {
			w := newWeb(t, modern)
			inside, goOn := make(chan struct{}), make(chan struct{})
			var asked []any
			var mu sync.Mutex
			w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
				switch m.Method {
				case "initialize":
					if modern {
						return false
					}
					reply(rw, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"old","version":"1"}}`)
				case "logging/setLevel":
					mu.Lock()
					asked = append(asked, m.Params["level"])
					mu.Unlock()
					reply(rw, m, `{}`)
				case "tools/call":
					if meta, _ := m.Params["_meta"].(map[string]any); modern && meta[metaLevel] != nil {
						mu.Lock()
						asked = append(asked, meta[metaLevel])
						mu.Unlock()
					}
					if args, _ := m.Params["arguments"].(map[string]any); args["m"] == "wait" {
						inside <- struct{}{}
						<-goOn
					}
					write := stream(rw)
					for _, level := range []string{"info", "warning"} {
						write(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","logger":"db","data":"key s3cr3t-12345678"}}`)
					}
					write(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":"no level"}}`)
					write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"done"}]}}`, m.ID))
				default:
					return false
				}
				return true
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Headers: map[string]string{"X-Api-Key": "s3cr3t-12345678"}})
			call := func(caller string, level mcp.LoggingLevel, how string) string {
				var heard []string
				var mu sync.Mutex
				res, err := reg.Call(t.Context(), tools.Call{Caller: access.Caller{ID: caller, Rights: access.Local("mcp").Rights}, Tool: "web__do",
					Args: map[string]any{"n": 2, "m": how}, LogLevel: level, Log: func(e tools.LogEntry) {
						mu.Lock()
						defer mu.Unlock()
						heard = append(heard, fmt.Sprintf("%s %s %s", e.Level, e.Logger, e.Data))
					}})
				if err != nil || res.IsError {
					t.Errorf("%+v %v", res, err)
				}
				mu.Lock()
				defer mu.Unlock()
				return strings.Join(heard, "; ")
			}
			const info, warning = `info web/db "key ***"`, `warning web/db "key ***"`
			if got := call("ann", "", "go"); got != info+"; "+warning {
				t.Errorf("without a level: %s", got)
			}
			if got := call("ann", mcp.LoggingLevelInfo, "go"); got != info+"; "+warning {
				t.Errorf("from info on: %s", got)
			}
			if got := call("ann", mcp.LoggingLevelWarning, "go"); got != warning {
				t.Errorf("from warning on: %s", got)
			}
			if got := call("ann", mcp.LoggingLevelError, "go"); got != "" {
				t.Errorf("from error on: %s", got)
			}
			if diff := cmp.Diff([]any{"info", "warning", "error"}, asked); diff != "" {
				t.Error("the levels that the server got:", diff)
			}
			// While calls of two callers are under way it is not known whose the entries are.
			over := make(chan struct{})
			go func() {
				defer close(over)
				call("ann", mcp.LoggingLevelInfo, "wait")
			}()
			<-inside
			if got := call("bob", mcp.LoggingLevelInfo, "go"); got != "" {
				t.Errorf("beside a call of another: %s", got)
			}
			close(goOn)
			<-over
		})
	}
}
