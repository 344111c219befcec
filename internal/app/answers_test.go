package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/access"

	"catena/internal/e2e/e2etest"
)

// largeAnswer is what the tests below read of an answer.
type largeAnswer struct {
	Run      string `json:"run_id"`
	Session  string `json:"session_id"`
	Response string `json:"response"`
	Tables   []struct {
		Rows [][]any `json:"rows"`
	} `json:"tables"`
	Whole *struct {
		Link string `json:"link"`
	} `json:"whole"`
	Planner string   `json:"planned_by"`
	Notes   []string `json:"notes"`
}

func answerIn(t *testing.T, text string) largeAnswer {
	t.Helper()
	var a largeAnswer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err, text)
	}
	return a
}

// TestLargeAnswerOverHTTP: an answer that the log has no room for is whole for who waits for it, asks for it again, or retries, over each
// protocol that gives one answer; a stream has its beginning and says where the rest is.
func TestLargeAnswerOverHTTP(t *testing.T) {
	const rows = 8000
	var csv bytes.Buffer
	csv.WriteString("parcel,weight\n")
	for i := range rows {
		fmt.Fprintf(&csv, "parcel number %d of those that came %s,%d\n", i, strings.Repeat("by sea ", 20), i%97)
	}
	path := filepath.Join(t.TempDir(), "parcels.csv")
	if err := os.WriteFile(path, csv.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHouseWith(t, map[string][]string{"store.dir": {t.TempDir()}, "data.sources": {path}}, access.Key{Name: "ann"}, access.Key{Name: "bob"})
	last := fmt.Sprintf("parcel number %d ", rows-1)
	wantWhole := func(what, text string) largeAnswer {
		t.Helper()
		a := answerIn(t, text)
		if len(a.Tables) != 1 || len(a.Tables[0].Rows) != rows || !strings.Contains(a.Response, last) || a.Whole != nil {
			t.Fatalf("%s is not whole: %d tables, %d bytes, notes %q", what, len(a.Tables), len(text), a.Notes)
		}
		return a
	}
	const ask = `{"message":"show all rows of parcels","max_rows":10000,"summarize":"off"}`
	status, first := h.send("ann", "/api/v1/chat", "application/json", "all parcels", ask)
	if status != 200 {
		t.Fatal(status, first)
	}
	a := wantWhole("the reply", first)
	if len(first) < 2<<20 {
		t.Fatal("the answer would fit where less is read:", len(first))
	}
	if again, text := h.send("ann", "/api/v1/chat", "application/json", "all parcels", ask); again != 200 || text != first {
		t.Errorf("the stored reply is another: %d, %d bytes of %d", again, len(text), len(first))
	}
	for who, want := range map[string]int{"ann": 200, "bob": 404} {
		status, text := h.ask(who, "GET", "/api/v1/runs/"+a.Run, "")
		if status != want {
			t.Errorf("%s: %d", who, status)
		}
		if who == "ann" {
			var info struct {
				Response json.RawMessage `json:"response"`
			}
			if err := json.Unmarshal([]byte(text), &info); err != nil {
				t.Fatal(err)
			}
			wantWhole("the run", string(info.Response))
		}
	}
	_, export := h.ask("ann", "GET", "/api/v1/sessions/"+a.Session+".md", "")
	if !strings.Contains(export, last) {
		t.Errorf("the export has %d bytes and lacks the last row", len(export))
	}
	_, events := h.ask("ann", "GET", "/api/v1/runs/"+a.Run+"/events", "")
	if len(events) > 1<<20 || strings.Contains(events, last) || !strings.Contains(events, "/api/v1/runs/"+a.Run) || !strings.Contains(events, `"whole"`) {
		t.Errorf("the stream has %d bytes, of the last row %v", len(events), strings.Contains(events, last))
	}
}

// TestTokenBudgetOverHTTP: who has used up a day's tokens is answered without the model and told so; others are not touched.
func TestTokenBudgetOverHTTP(t *testing.T) {
	model, err := e2etest.NewModelScript(`{"text": "{\"steps\":[{\"id\":\"s1\",\"tool\":\"get_top_clients\",\"args\":{\"limit\":3}}],\"answer\":[{\"$ref\":\"s1\"}]}", "used": 100000}`, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(model)
	defer web.Close()
	settings := map[string][]string{"store.dir": {":memory:"}, "llm.provider": {"openai"}, "llm.model": {"scripted"}, "llm.api_key": {"none"}, "llm.base_url": {web.URL + "/v1"},
		"llm.caller_tokens": {"100000"}}
	h := newHouseWith(t, settings, access.Key{Name: "ann", Owner: "ann"}, access.Key{Name: "bob", Owner: "bob"})
	for _, c := range []struct{ who, message, planner, note string }{
		{"ann", "top 3 clients", "llm", ""},
		{"ann", "clients by revenue", "offline", "you may use 100000 tokens a day"},
		{"bob", "clients by revenue", "llm", ""},
	} {
		status, text := h.ask(c.who, "POST", "/api/v1/chat", `{"message":"`+c.message+`","summarize":"off"}`)
		if a := answerIn(t, text); status != 200 || a.Planner != c.planner || !strings.Contains(strings.Join(a.Notes, "\n"), c.note) {
			t.Errorf("%s, %s: %d %s %q", c.who, c.message, status, a.Planner, a.Notes)
		}
	}
}
