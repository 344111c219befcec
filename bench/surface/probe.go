package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// question is a message that the demo data answer.
const question = "Show me the top 5 USA clients"

// trial is a request to a route, and what its answer must hold.
type trial struct {
	body, accept string
	header       string // the answer's Content-Type
	want         []string
}

// trials are the requests for each route of surface.tsv.
var trials = map[string][]trial{
	"POST /api/v1/chat": {
		{body: `{"message":"` + question + `"}`, header: "application/json", want: []string{`"response"`, `"outcome":"answer"`, `"session_id"`, `"steps"`}},
		{body: `{"message":"` + question + `"}`, accept: "text/event-stream", header: "text/event-stream", want: []string{"id: 1\n", "RUN_STARTED", "RUN_FINISHED"}},
	},
	"POST /api/v1/plan": {{body: `{"message":"` + question + `"}`, header: "application/json", want: []string{`"intent"`, `"endpoints"`, `"plan"`}}},
	"POST /mcp": {
		{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"surface","version":"1"}}}`, accept: "application/json, text/event-stream", want: []string{`"serverInfo"`}},
		{body: `{"message":"` + question + `","session_id":null}`, header: "application/json", want: []string{`"response"`}},
	},
	"POST /stream":              {{body: `{"message":"` + question + `"}`, header: "text/event-stream", want: []string{"RUN_STARTED", "RUN_FINISHED"}}},
	"POST /execute":             {{body: `{"tool_name":"list_tables","arguments":{}}`, header: "application/json", want: []string{`"tool":"list_tables"`, `"is_error":false`}}},
	"GET /mcp":                  {{accept: "text/event-stream", header: "text/event-stream", want: []string{"event: endpoint"}}},
	"GET /sse":                  {{accept: "text/event-stream", header: "text/event-stream", want: []string{"event: endpoint"}}},
	"GET /health":               {{header: "application/json", want: []string{`"status":`, `"service":`, `"components":`}}},
	"GET /":                     {{accept: "application/json", header: "application/json", want: []string{`"service"`}}, {accept: "text/html", header: "text/html", want: []string{"<html"}}},
	"POST /v1/chat/completions": {{body: `{"model":"catena","messages":[{"role":"user","content":"` + question + `"}]}`, header: "application/json", want: []string{`"chat.completion"`, `"choices"`}}, {body: `{"model":"catena","stream":true,"messages":[{"role":"user","content":"` + question + `"}]}`, header: "text/event-stream", want: []string{"chat.completion.chunk", "[DONE]"}}},
	"GET /v1/models":            {{header: "application/json", want: []string{`"object":"list"`, `"id":"catena"`}}},
}

// probe sends a route its requests.
func probe(ctx context.Context, route, url string) error {
	list, ok := trials[route]
	if !ok {
		return described(ctx, route, url)
	}
	method, path, _ := strings.Cut(route, " ")
	for _, t := range list {
		if err := t.send(ctx, method, url+path); err != nil {
			return err
		}
	}
	return nil
}

func (t trial) send(ctx context.Context, method, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(t.body))
	if err != nil {
		return err
	}
	if t.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if t.accept != "" {
		req.Header.Set("Accept", t.accept)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	var got strings.Builder
	part := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(part)
		got.Write(part[:n])
		if missing(got.String(), t.want) == "" || err != nil {
			break // a stream for listening does not end by itself
		}
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %.200s", resp.StatusCode, got.String())
	}
	if ct := resp.Header.Get("Content-Type"); !strings.HasPrefix(ct, t.header) {
		return fmt.Errorf("the answer is %s, not %s", ct, t.header)
	}
	if m := missing(got.String(), t.want); m != "" {
		return fmt.Errorf("the answer lacks %s", m)
	}
	return nil
}

// missing returns the first of want that text does not hold.
func missing(text string, want []string) string {
	for _, w := range want {
		if !strings.Contains(text, w) {
			return w
		}
	}
	return ""
}

// described looks for a route without trials in the server's own description.
func described(ctx context.Context, route, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/openapi.json", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return err
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return fmt.Errorf("openapi.json: %w", err)
	}
	method, path, _ := strings.Cut(route, " ")
	if doc.Paths[path][strings.ToLower(method)] == nil {
		return fmt.Errorf("openapi.json does not have it")
	}
	return nil
}
