package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"catena/internal/e2e/e2etest"
)

// openSamples are the samples that are not answered yet as they should be. One that begins to pass fails the test, so that the list shrinks.
var openSamples = map[string]bool{}

// TestSamples sends the requests that clients of the systems before this one sent, in their order, and looks for what they expect.
func TestSamples(t *testing.T) {
	url, _ := schemaWorld(t)
	w := &mcpWire{t: t, url: url}
	w.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	file, err := os.Open(e2etest.Testdata("samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var taken []string // what earlier answers gave, as {name} and value
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sampleRequest
		if err := json.Unmarshal([]byte(strings.NewReplacer(taken...).Replace(lines.Text())), &s); err != nil {
			t.Fatal(err)
		}
		got := s.send(t, w)
		for name, from := range s.Take {
			if found := regexp.MustCompile(from).FindStringSubmatch(got); found != nil {
				taken = append(taken, "{"+name+"}", found[1])
			}
		}
		wrong := s.wrong(got)
		switch open := openSamples[s.Name]; {
		case open && wrong == "":
			t.Errorf("%s is answered as it should be: take it from openSamples", s.Name)
		case !open && wrong != "":
			t.Errorf("%s: %s: %.3000s", s.Name, wrong, got)
		}
	}
}

// TestIndexesAreListed: clients that listen hear that there is a resource more once an index has begun.
func TestIndexesAreListed(t *testing.T) {
	url, _ := schemaWorld(t)
	w := &mcpWire{t: t, url: url}
	w.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/mcp", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", w.session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	w.ask("tools/call", map[string]any{"name": "ensure_repo_index", "arguments": map[string]any{"path": "."}})
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "notifications/resources/list_changed") {
			return
		}
	}
	t.Error("the stream ended without notifications/resources/list_changed")
}

// sampleRequest is a request and what its answer must have, and must not, as regular expressions.
type sampleRequest struct {
	Name, HTTP, MCP string
	Body            json.RawMessage
	Want, Lacks     []string
	Take            map[string]string // from the answer, for {name} in later requests: the first group of an expression
}

// send gives the answer as text.
func (s sampleRequest) send(t *testing.T, w *mcpWire) string {
	t.Helper()
	if s.MCP != "" {
		return s.sendMCP(t, w)
	}
	method, path, _ := strings.Cut(s.HTTP, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, w.url+path, bytes.NewReader(s.Body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sendMCP is send for a request of MCP: its answer, also where that is an error of the protocol.
func (s sampleRequest) sendMCP(t *testing.T, w *mcpWire) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": s.MCP, "params": s.Body})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/mcp", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Session-Id", w.session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wrong says what an answer lacks, or has and must not have; "" is nothing.
func (s sampleRequest) wrong(got string) string {
	for _, want := range s.Want {
		if !regexp.MustCompile(want).MatchString(got) {
			return "it lacks " + want
		}
	}
	for _, bad := range s.Lacks {
		if regexp.MustCompile(bad).MatchString(got) {
			return "it has " + bad
		}
	}
	return ""
}
