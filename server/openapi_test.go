package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/server/servertest"
)

// The bounds that are described: of the id of an MCP message and the name of a column, in characters, and of the columns to sort by.
const (
	longestID     = 512
	longestColumn = 500
	mostSorted    = 8
)

// described compiles the schema of a route's body as /openapi.json has it.
func described(t *testing.T, address, path string) *jsonschema.Schema {
	t.Helper()
	_, _, doc := servertest.Ask(t, "GET", address+"/openapi.json", "")
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
	many := func(n int) string {
		return `{"message":"a","attachments":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, n), ",") + `]}`
	}
	chats = append(chats, many(32), many(33))
	said := func(messages string) []string {
		return []string{`{"messages":[{"role":"user","content":` + messages + `}]}`, `{"messages":[{"role":"assistant","content":null},{"role":"user","content":` + messages + `}]}`}
	}
	formats := []string{"", "text", "json_object", "AAA", "json_schema"}
	completions := append(said(`"a"`), said(`null`)...)
	for _, name := range []string{"stream", "metadata", "tool_choice", "stream_options", "response_format"} {
		for _, value := range []string{"null", "1", "[]"} {
			completions = append(completions, `{"messages":[{"role":"user","content":"a"}],"`+name+`":`+value+`}`)
		}
	}
	var responses []string
	for _, format := range formats {
		completions = append(completions, `{"messages":[{"role":"user","content":"a"}],"response_format":{"type":"`+format+`"}}`)
		responses = append(responses, `{"input":"a","text":{"format":{"type":"`+format+`"}}}`)
	}
	for _, name := range []string{"instructions", "previous_response_id", "store", "stream", "background", "metadata", "tool_choice", "text"} {
		for _, value := range []string{"null", "1", "[]"} {
			responses = append(responses, `{"input":"a","`+name+`":`+value+`}`)
		}
	}
	long := strings.Repeat("x", longestID)
	rpc := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"initialize"}` }
	for path, bodies := range map[string][]string{
		"/api/v1/chat":         chats,
		"/stream":              chats,
		"/v1/chat/completions": completions,
		"/v1/responses":        responses,
		"/agui": {`{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a","id":null}]}`, `{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a","id":1}]}`,
			`{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a"}],"resume":null}`, `{"threadId":null,"runId":"b"}`},
		"/mcp": {rpc(`1`), rpc(`null`), rpc(`"` + long + `"`), rpc(`"` + long + `x"`), rpc(`"` + strings.Repeat(`\u00fc`, longestID) + `"`), `{"jsonrpc":"2.0","method":"initialize"}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","more":1}`, `{"jsonrpc":"2.0","id":1,"method":"initialize","result":null}`,
			`{"message":"a"}`, `{"message":"a","mode":"x"}`, `{"message":"a","jsonrpc":"2.0"}`, `{"attachments":[]}`, `{"message":" ","attachments":[{"name":"a.csv","data":"YSxiCjEsMgo="}]}`},
		"/api/v1/tools/people": {`{}`, `{"arguments":null}`, `[]`}, "/execute": {`{"tool_name":"people"}`, `{"tool_name":null}`}, "/api/v1/plan": chats,
		"/api/v1/tables": {`{"text":"a,b\n1,2\n","name":null,"locale":null}`, `[[null,null]]`, `[1]`, `[{"a":1}]`, `5`, `"a,b\n1,2\n"`, `{"text":"a\n1","nname":"x"}`,
			`{"txt":"a","name":"x"}`, `{"session_id":"x","data":[{"a":1}]}`, `{"data":[{"a":1}]}`, `{"name":["a"],"text":["b"]}`, `{"name":"x","rows":[{"a":1}]}`, `{"a":"b"}`},
	} {
		schema := described(t, h.URL, strings.Replace(path, "people", "{name}", 1))
		for _, body := range append(bodies, `null`) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			wrong := schema.Validate(value)
			if status, _, answer := servertest.Ask(t, "POST", h.URL+path, body); (status == http.StatusBadRequest) != (wrong != nil) {
				t.Errorf("%s %.200s: %d %.200s, described: %v", path, body, status, answer, wrong)
			}
		}
	}
}

// TestParametersAreTakenAsDescribed: what is empty, too long or there too often.
func TestParametersAreTakenAsDescribed(t *testing.T) {
	_, h, _ := newTest(t)
	_, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/tools/people", `{}`)
	var made struct{ Handle string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || made.Handle == "" {
		t.Fatal(body)
	}
	table := "/api/v1/tables/" + made.Handle
	for query, want := range map[string]int{
		table + "?limit=": 200, table + "?offset=&limit=": 200, table + "?limit=x": 400, "/api/v1/sessions?limit=": 200, "/api/v1/sessions?limit=0": 400,
		table + "?sort=": 400, table + "?" + strings.Repeat("sort=a&", mostSorted+1): 400, table + "?sort=" + strings.Repeat("%F0%9F%98%80", longestColumn+1): 400,
		"/api/v1/sessions?q=" + strings.Repeat("x", 10_000): 400,
	} {
		if status, _, answer := servertest.Ask(t, "GET", h.URL+query, ""); status != want || strings.Contains(answer, `"detail":""`) {
			t.Errorf("%.200s: %d %.300s", query, status, answer)
		}
	}
	// All that a description allows for one parameter is within what a request's head may have.
	if status, _, answer := servertest.Ask(t, "GET", h.URL+table+"?"+strings.Repeat("sort="+strings.Repeat("%F0%9F%98%80", longestColumn+1)+"&", mostSorted), ""); status != 400 {
		t.Errorf("%d %.300s", status, answer)
	}
}

// Each operation says with which key it is asked, and with which scope where that does not depend on what is in the request; a form and a file
// are described beside JSON.
func TestOperationsSayWhatTheyTake(t *testing.T) {
	_, h, _ := newTest(t)
	_, _, text := servertest.Ask(t, "GET", h.URL+"/openapi.json", "")
	var doc struct {
		Paths map[string]map[string]struct {
			Security    []map[string][]string
			RequestBody struct{ Content map[string]any }
		}
		Components struct{ SecuritySchemes map[string]map[string]any }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Components.SecuritySchemes["key"]["scheme"] != "bearer" {
		t.Errorf("%v", doc.Components)
	}
	for operation, want := range map[string]string{"/livez": "null", "/api/v1/chat": `[{"key":["chat"]},{}]`, "/api/v1/tools/{name}": `[{"key":[]},{}]`} {
		for _, o := range doc.Paths[operation] {
			if got, err := json.Marshal(o.Security); err != nil || string(got) != want {
				t.Errorf("%s: %s, %v", operation, got, err)
			}
		}
	}
	for _, media := range []string{"application/json", "multipart/form-data", "application/octet-stream"} {
		if doc.Paths["/api/v1/tables"]["post"].RequestBody.Content[media] == nil {
			t.Errorf("nothing is said of %s", media)
		}
	}
}
