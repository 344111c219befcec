package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/server"
	"catena/server/servertest"
)

func TestErrors(t *testing.T) {
	_, h, _ := newTest(t)
	servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hi"}`)
	long := strings.Repeat("x", 65<<10)
	deep := `{"plan":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		code                     string
	}{
		{"no such route", "GET", "/nothing", "", nil, 404, "no_route"},
		{"wrong method", "DELETE", "/api/v1/chat", "", nil, 405, "method_not_allowed"},
		{"empty body", "POST", "/api/v1/chat", "", nil, 400, "empty_body"},
		{"malformed", "POST", "/api/v1/chat", `{"message":`, nil, 400, "malformed_json"},
		{"two values", "POST", "/api/v1/chat", `{"message":"a"} {}`, nil, 400, "malformed_json"},
		{"duplicate key", "POST", "/api/v1/chat", `{"message":"a","message":"b"}`, nil, 400, "duplicate_key"},
		{"unknown field", "POST", "/api/v1/chat", `{"mesage":"a"}`, nil, 400, "unknown_field"},
		{"no time", "POST", "/api/v1/chat", `{"message":"a","now":"yesterday"}`, nil, 400, "wrong_value"},
		{"wrong type", "POST", "/api/v1/chat", `{"message":1}`, nil, 400, "wrong_type"},
		{"not UTF-8", "POST", "/api/v1/chat", "{\"message\":\"\xff\"}", nil, 400, "invalid_utf8"},
		{"not JSON", "POST", "/api/v1/chat", "message=a", []string{"Content-Type", "application/x-www-form-urlencoded"}, 400, "malformed_json"},
		{"empty message", "POST", "/api/v1/chat", `{"message":" "}`, nil, 400, "message_empty"},
		{"control character", "POST", "/api/v1/chat", `{"message":"a\u0000b"}`, nil, 400, "message_control_character"},
		{"message too long", "POST", "/api/v1/chat", `{"message":"` + long + `"}`, nil, 413, "message_too_large"},
		{"body too long", "POST", "/api/v1/tools/count", `{"arguments":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, nil, 413, "body_too_large"},
		{"too deep", "POST", "/v1/chat/completions", deep, nil, 400, "too_deep"},
		{"unknown run", "GET", "/api/v1/runs/run_99", "", nil, 404, "not_found"},
		{"approval of an unknown run", "POST", "/api/v1/runs/run_99/approve", `{"step":"s1","args_hash":"shown","decision":"run"}`, nil, 404, "not_found"},
		{"approval of what is no more", "POST", "/api/v1/runs/run_1/approve", `{"step":"s1","args_hash":"old","decision":"run"}`, nil, 409, "args_changed"},
		{"approval with a strange field", "POST", "/api/v1/runs/run_1/approve", `{"decide":"run"}`, nil, 400, "unknown_field"},
		{"resume of an unknown run", "POST", "/api/v1/runs/run_99/resume", "", nil, 404, "not_found"},
		{"unknown run's events", "GET", "/api/v1/runs/run_99/events", "", nil, 404, "not_found"},
		{"unknown session", "GET", "/api/v1/sessions/ses_9", "", nil, 404, "not_found"},
		{"no title", "PATCH", "/api/v1/sessions/ses_1", `{}`, nil, 400, "out_of_range"},
		{"bad limit", "GET", "/api/v1/sessions?limit=0", "", nil, 400, "out_of_range"},
		{"unknown table", "GET", "/api/v1/tables/tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa", "", nil, 404, "not_found"},
		{"unknown tool", "POST", "/api/v1/tools/cuont", `{}`, nil, 404, "unknown_tool"},
		{"broken tool", "POST", "/api/v1/tools/broken", `{}`, nil, 500, "tool_broke"},
		{"failing tool", "POST", "/api/v1/tools/secretive", `{}`, nil, 500, "internal"},
		{"no tool name", "POST", "/execute", `{}`, nil, 400, "missing_required"},
		{"foreign host", "GET", "/livez", "", []string{"Host", "evil.example"}, 403, "host_not_allowed"},
		{"foreign origin", "GET", "/livez", "", []string{"Origin", "http://evil.example"}, 403, "origin_not_allowed"},
		{"opaque origin", "GET", "/livez", "", []string{"Origin", "null"}, 403, "origin_not_allowed"},
		{"other port's origin", "POST", "/mcp", `{}`, []string{"Origin", "http://127.0.0.1:1"}, 403, "origin_not_allowed"},
		{"no static file", "GET", "/static/..%2fembed.go", "", nil, 404, "not_found"},
		{"empty upload", "POST", "/api/v1/tables?name=a.csv", "", []string{"Content-Type", "text/csv"}, 422, "empty_file"},
		{"text forgotten", "POST", "/api/v1/tables", `{"name":"a"}`, []string{"Content-Type", "application/json"}, 422, "no_text"},
		{"empty text", "POST", "/api/v1/tables", `{"name":"a","text":""}`, []string{"Content-Type", "application/json"}, 422, "no_text"},
		{"misspelt upload", "POST", "/api/v1/tables", `{"text":"a\n1","sesion_id":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"misspelt text", "POST", "/api/v1/tables", `{"txt":"a\n1","name":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"table with a session", "POST", "/api/v1/tables", `{"data":[{"a":1}],"session_id":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"number for a table", "POST", "/api/v1/tables", `5`, []string{"Content-Type", "application/json"}, 400, "wrong_type"},
		{"null for a table", "POST", "/api/v1/tables", `null`, []string{"Content-Type", "application/json"}, 400, "wrong_type"},
		{"misspelt form", "POST", "/api/v1/tables", "--b\r\nContent-Disposition: form-data; name=\"sesion_id\"\r\n\r\nx\r\n--b--\r\n",
			[]string{"Content-Type", "multipart/form-data; boundary=b"}, 400, "unknown_field"},
		{"binary upload", "POST", "/api/v1/tables?name=a.csv", "\x00\x01", []string{"Content-Type", "text/csv"}, 400, "bad_file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, header, body := servertest.Ask(t, c.method, h.URL+c.path, c.body, c.header...)
			var p server.Problem
			if strings.HasPrefix(c.path, "/v1/") {
				var outer struct {
					Error struct{ Message, Type, Code string }
				}
				if err := json.Unmarshal([]byte(body), &outer); err != nil {
					t.Fatal(err)
				}
				p.Code, p.Detail, p.RequestID = outer.Error.Code, outer.Error.Message, "x"
			} else {
				if ct := header.Get("Content-Type"); ct != "application/problem+json" {
					t.Errorf("Content-Type %q", ct)
				}
				if err := json.Unmarshal([]byte(body), &p); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
			}
			if status != c.status || p.Code != c.code || p.Detail == "" || p.RequestID == "" {
				t.Errorf("%d %s", status, body)
			}
			for _, secret := range []string{"correct horse", "hunter2", "goroutine", "2006-01-02"} {
				if strings.Contains(p.Detail+p.Hint, secret) {
					t.Errorf("the answer shows %q: %s", secret, body)
				}
			}
		})
	}
}

// A body whose length is over the limit is refused before any of it has come, in the shape of its protocol.
func TestLongBodyIsRefusedAtOnce(t *testing.T) {
	_, h, _ := newTest(t)
	for _, c := range []struct{ path, want string }{
		{"/api/v1/chat", `"code":"body_too_large"`},
		{"/api/v1/tables", `"code":"body_too_large"`},
		{"/v1/chat/completions", `"code":"body_too_large"`},
		{"/mcp", `"jsonrpc":"2.0"`},
	} {
		status, text := servertest.Half(t, strings.TrimPrefix(h.URL, "http://"), "POST", c.path, "Content-Length: 100000000\r\n", "")
		if status != 413 || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %s", c.path, status, text)
		}
	}
}

func TestPackedBodies(t *testing.T) {
	_, h, _ := newTest(t)
	for _, r := range allRoutes(t) {
		if r.Body.Name == "" {
			continue
		}
		path := strings.NewReplacer("{name}", "count", "{id}", "x").Replace(r.Path)
		for coding, want := range map[string]bool{"gzip": true, "br": true, "zstd, gzip": true, "identity": false} {
			status, header, text := servertest.Ask(t, r.Method, h.URL+path, `{"message":"hi"}`, "Content-Encoding", coding)
			if refused := status == 415 && strings.Contains(text, "unsupported_encoding") && header.Get("Accept-Encoding") == "identity"; refused != want {
				t.Errorf("%s %s %s: %d %s", r.Method, path, coding, status, text)
			}
		}
	}
}
