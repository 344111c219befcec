package mcp

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"catena/server/servertest"
)

// Every notification of every call is on the wire, before the call's result and on its own stream, in both eras of the protocol, also
// when many call at once.
func TestEveryNotificationArrives(t *testing.T) {
	const calls, at = 240, 8
	s, h, _ := newTest(t)
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", era}
			rest := ""
			if era == "2025-11-25" {
				header = append(header, "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
			} else {
				header = append(header, "Mcp-Method", "tools/call", "Mcp-Name", "count")
				rest = `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
			}
			var wg sync.WaitGroup
			for worker := range at {
				wg.Go(func() {
					for n := range calls / at {
						token := fmt.Sprintf("%d-%d", worker, n)
						status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"count","_meta":{"progressToken":%q%s}}}`, token, token, rest), header...)
						if got := eventsIn(body); status != 200 || got != fmt.Sprintf("%s:1 %s:2 %s:3 result:%s", token, token, token, token) {
							t.Errorf("%s: %d %s\n%s", token, status, got, body)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// eventsIn names the events of a stream in order: token:progress, and result:id.
func eventsIn(body string) string {
	var names []string
	for event := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		_, data, _ := strings.Cut(event, "data: ")
		switch {
		case strings.Contains(data, "notifications/progress"):
			names = append(names, between(data, `"progressToken":"`, `"`)+":"+between(data, `"progress":`, ",}"))
		case strings.Contains(data, `"result"`):
			names = append(names, "result:"+between(data, `"id":"`, `"`))
		default:
			names = append(names, data)
		}
	}
	return strings.Join(names, " ")
}

// between is what stands after a text, up to one of the characters of end.
func between(s, after, end string) string {
	_, s, _ = strings.Cut(s, after)
	if i := strings.IndexAny(s, end); i >= 0 {
		s = s[:i]
	}
	return s
}
