package e2etest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// ModelScript is a model server that answers from a file, in the shape of whoever asks: OpenAI's (/chat/completions) or
// Anthropic's (/v1/messages). Each line of the file is one answer, the last one is repeated:
//
//	{"text": "..."}             a completion
//	{"text": "...", "used": 9}  one that took so many tokens of prompt
//	{"status": 429, "after": 0} an error status with Retry-After
//	{"fault": "html"}           200 with a web page
//	{"fault": "half"}           200 with half a JSON document
//	{"fault": "slow"}           no answer until the client hangs up
//	{"fault": "hangup"}         the connection is closed without an answer
//
// It is an http.Handler, safe for concurrent use, and made by NewModelScript.
type ModelScript struct {
	mu    sync.Mutex
	lines []modelAnswer
	next  int
	wire  io.Writer
}

type modelAnswer struct {
	Text   string `json:"text"`
	Used   int    `json:"used"` // 0 means 11
	Status int    `json:"status"`
	After  int    `json:"after"`
	Fault  string `json:"fault"`
}

// NewModelScript reads a script. What the server is sent goes to wire, which is written by one at a time. A line that is not JSON, and a
// script without a line, is an error.
func NewModelScript(script string, wire io.Writer) (*ModelScript, error) {
	m := &ModelScript{wire: wire}
	for line := range strings.Lines(script) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var a modelAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return nil, fmt.Errorf("model script: %s: %w", line, err)
		}
		m.lines = append(m.lines, a)
	}
	if len(m.lines) == 0 {
		return nil, errors.New("model script: no answers")
	}
	return m, nil
}

func (m *ModelScript) answer() modelAnswer {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.lines[min(m.next, len(m.lines)-1)]
	m.next++
	return a
}

// ServeHTTP writes what it was sent to wire.txt, one line of JSON per request, then answers by the script.
func (m *ModelScript) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m.mu.Lock()
	fmt.Fprintf(m.wire, "%s %s\n%s\n", r.Method, r.URL.Path, body)
	m.mu.Unlock()
	a := m.answer()
	switch a.Fault {
	case "html":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Sign in</title>")
		return
	case "half":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assi`)
		return
	case "slow":
		select {
		case <-r.Context().Done():
		case <-time.After(60 * time.Second):
		}
		return
	case "hangup":
		panic(http.ErrAbortHandler)
	}
	if a.Status != 0 {
		w.Header().Set("Retry-After", fmt.Sprint(a.After))
		w.WriteHeader(a.Status)
		fmt.Fprintf(w, `{"error":{"message":"scripted","type":"scripted"}}`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	used := cmp.Or(a.Used, 11)
	var out any
	if strings.HasSuffix(r.URL.Path, "/messages") {
		out = map[string]any{
			"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "stop_reason": "end_turn",
			"content": []any{map[string]any{"type": "text", "text": a.Text}},
			"usage":   map[string]any{"input_tokens": used, "output_tokens": 7},
		}
	} else {
		out = map[string]any{
			"id": "cmpl_1", "object": "chat.completion", "created": 1, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": a.Text}}},
			"usage":   map[string]any{"prompt_tokens": used, "completion_tokens": 7, "total_tokens": used + 7},
		}
	}
	_ = json.NewEncoder(w).Encode(out)
}
