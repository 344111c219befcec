package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described compiles the schema of a route's body as /openapi.json has it.
func described(t *testing.T, address, path string) *jsonschema.Schema {
	t.Helper()
	_, _, doc := ask(t, "GET", address+"/openapi.json", "")
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("doc.json", parsed); err != nil {
		t.Fatal(err)
	}
	where := strings.NewReplacer("~", "~0", "/", "~1").Replace(path)
	schema, err := compiler.Compile("doc.json#/paths/" + where + "/post/requestBody/content/application~1json/schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestBodiesAreTakenAsDescribed: what the description allows is taken, and what it does not is refused.
func TestBodiesAreTakenAsDescribed(t *testing.T) {
	_, h, _ := newTest(t)
	chats := []string{
		`{"message":"a"}`, `{"message":" "}`, `{"message":null}`, `{}`, `{"message":1}`, `{"message":"a\u0000"}`,
		`{"attachments":[{"name":"a.csv","data":"YSxiCjEsMgo="}]}`, `{"attachments":[{"name":"a.csv","data":"YSxiCjEsMgo="}],"message":" "}`,
		`{"attachments":[{"name":"a.csv","data":"YSxiCjEsMgo="}],"message":"a\u0000"}`, `{"attachments":[]}`, `{"attachments":null,"message":"a"}`,
		`{"message":"a","attachments":[{"name":"a","data":[null,null]}]}`, `{"message":"a","attachments":[{"name":"a","data":[1]}]}`,
		`{"message":"a","attachments":[{"name":"a","data":"a"}]}`, `{"message":"a","attachments":[{"name":"\u0001","data":""}]}`, `{"message":"a","attachments":[null]}`,
		`{"message":"a","max_rows":2.0}`, `{"message":"a","max_rows":2e1}`, `{"message":"a","max_rows":2.5}`, `{"message":"a","max_rows":"2"}`, `{"message":"a","max_rows":20000.0}`,
		`{"message":"a","after_run":"x","edit_run":"x"}`, `{"message":"a","after_run":null,"edit_run":""}`,
	}
	said := func(messages string) []string {
		return []string{`{"messages":[{"role":"user","content":` + messages + `}]}`, `{"messages":[{"role":"assistant","content":null},{"role":"user","content":` + messages + `}]}`}
	}
	completions := append(said(`"a"`), said(`null`)...)
	for _, name := range []string{"stream", "metadata", "tool_choice", "stream_options", "response_format"} {
		for _, value := range []string{"null", "1", "[]"} {
			completions = append(completions, `{"messages":[{"role":"user","content":"a"}],"`+name+`":`+value+`}`)
		}
	}
	var responses []string
	for _, name := range []string{"instructions", "previous_response_id", "store", "stream", "background", "metadata", "tool_choice", "text"} {
		for _, value := range []string{"null", "1", "[]"} {
			responses = append(responses, `{"input":"a","`+name+`":`+value+`}`)
		}
	}
	long := strings.Repeat("x", maxRPCID)
	rpc := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"initialize"}` }
	for path, bodies := range map[string][]string{
		"/api/v1/chat":         chats,
		"/stream":              chats,
		"/v1/chat/completions": completions,
		"/v1/responses":        responses,
		"/agui": {`{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a","id":null}]}`, `{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a","id":1}]}`,
			`{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a"}],"resume":null}`, `{"threadId":null,"runId":"b"}`},
		"/mcp": {rpc(`1`), rpc(`null`), rpc(`"` + long + `"`), rpc(`"` + long + `x"`), rpc(`"` + strings.Repeat(`\u00fc`, maxRPCID) + `"`), `{"jsonrpc":"2.0","method":"initialize"}`,
			`{"message":"a"}`, `{"message":"a","mode":"x"}`, `{"message":"a","jsonrpc":"2.0"}`, `{"attachments":[]}`, `{"message":" ","attachments":[{"name":"a.csv","data":"YSxiCjEsMgo="}]}`},
		"/api/v1/tables": {`{"text":"a,b\n1,2\n","name":null,"locale":null}`, `[[null,null]]`, `[1]`, `[{"a":1}]`},
	} {
		schema := described(t, h.URL, path)
		for _, body := range bodies {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			wrong := schema.Validate(value)
			if status, _, answer := ask(t, "POST", h.URL+path, body); (status == http.StatusBadRequest) != (wrong != nil) {
				t.Errorf("%s %.200s: %d %.200s, described: %v", path, body, status, answer, wrong)
			}
		}
	}
}
