package mcp

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/server/servertest"
)

// changing is what differs from call to call.
var changing = regexp.MustCompile(`tbl_[a-z2-7]{26}|request [0-9a-f]{16}`)

// What is answered directly is what mcp-go would answer, to the byte.
func TestDirectCalls(t *testing.T) {
	_, h, _ := newTest(t)
	_, heads, _ := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	session := heads.Get("Mcp-Session-Id")
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`
	for _, params := range []string{
		`"name":"count","arguments":{"n":3}`, `"name":"count"`, `"name":"count","arguments":{"n":"many"}`, `"name":"crm:count"`, `"name":"none"`, `"name":7`,
		`"name":"people"`, `"name":"people","arguments":{"a":"<&>"}`, `"name":"people","arguments":[]`, `"name":"people","arguments":null`, `"name":"people","arguments":"x"`,
		`"name":"people","task":null`, `"name":"people","_meta":[]`, `"name":"people","requestState":7`, `"arguments":{}`, `"name":"broken"`,
	} {
		for _, id := range []string{"7", `"a"`, "1.5", "null", "[]"} {
			for _, modern := range []bool{false, true} {
				body := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + params + `}}`
				headers := []string{"Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"}
				if modern {
					body = strings.Replace(body, `"params":{`, `"params":{`+meta, 1)
					name := between(params, `"name":"`, `"`)
					headers = []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", name}
				}
				servertest.Ask(t, "POST", h.URL+"/mcp", body, headers...) // mcp-go sees a session's first call
				status, _, direct := servertest.Ask(t, "POST", h.URL+"/mcp", body, headers...)
				other, _, through := servertest.Ask(t, "POST", h.URL+"/mcp", strings.Replace(body, `"params":{`, `"params":{"inputResponses":null,`, 1), headers...)
				if d := cmp.Diff(changing.ReplaceAllString(through, "tbl"), changing.ReplaceAllString(direct, "tbl")); d != "" || status != other {
					t.Errorf("%s\n%d, %d\n%s", body, other, status, d)
				}
			}
		}
	}
}
