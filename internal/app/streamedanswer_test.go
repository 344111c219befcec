package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/access"
)

// streamedText is the text that the events of one of OpenAI's protocols have, and the run's id.
func streamedText(t *testing.T, body string) (text, run string) {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var e struct {
			ID       string          `json:"id"`
			Delta    json.RawMessage `json:"delta"`
			Type     string          `json:"type"`
			Response struct {
				ID string `json:"id"`
			} `json:"response"`
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		part := ""
		for _, c := range e.Choices {
			part += c.Delta.Content
		}
		if e.Type == "response.output_text.delta" {
			if err := json.Unmarshal(e.Delta, &part); err != nil {
				t.Fatal(err)
			}
		}
		b.WriteString(part)
		for prefix, id := range map[string]string{"chatcmpl-": e.ID, "resp_": e.Response.ID} {
			if rest, ok := strings.CutPrefix(id, prefix); ok {
				run = "run_" + strings.TrimPrefix(rest, "run_")
			}
		}
	}
	return b.String(), run
}

// TestStreamedLargeAnswer: a client that streams gets the whole text of a large answer, and its next message, with that text in its history, goes on
// in the same session.
func TestStreamedLargeAnswer(t *testing.T) {
	var csv bytes.Buffer
	csv.WriteString("id,note\n")
	for i := range 50 {
		fmt.Fprintf(&csv, "%d,ROW%d_ %s\n", i, i, strings.Repeat("lörem ipsum ", 600))
	}
	path := filepath.Join(t.TempDir(), "notes.csv")
	if err := os.WriteFile(path, csv.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHouseWith(t, map[string][]string{"store.dir": {t.TempDir()}, "data.sources": {path}}, access.Key{Name: "ann"})
	session := func(run string) string {
		t.Helper()
		_, text := h.ask("ann", "GET", "/api/v1/runs/"+run, "")
		var info struct {
			Session string `json:"session_id"`
		}
		if err := json.Unmarshal([]byte(text), &info); err != nil {
			t.Fatal(run, err)
		}
		return info.Session
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	for path, field := range map[string]string{"/v1/chat/completions": "messages", "/v1/responses": "input"} {
		send := func(history ...message) (text, run string) {
			t.Helper()
			body, err := json.Marshal(map[string]any{"model": "catena", "stream": true, field: history})
			if err != nil {
				t.Fatal(err)
			}
			status, stream := h.ask("ann", "POST", path, string(body))
			if status != 200 {
				t.Fatal(path, status, stream)
			}
			return streamedText(t, stream)
		}
		first := message{"user", "show all rows of notes"}
		text, run := send(first)
		if !strings.Contains(text, "ROW49") {
			t.Errorf("%s: %.300s", path, text)
		}
		_, next := send(first, message{"assistant", text}, message{"user", "how many rows have id above 40"})
		if a, b := session(run), session(next); a == "" || a != b {
			t.Errorf("%s: the next message went to %s, not %s", path, b, a)
		}
	}
}
