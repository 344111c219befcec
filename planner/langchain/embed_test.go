package langchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"catena/planner"
)

// embedServer answers like OpenAI's /embeddings, in reverse order, with a vector that tells a text's length.
func embedServer(t *testing.T, asked *[][]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/embeddings" || body.Model != "mini" {
			http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
			return
		}
		*asked = append(*asked, body.Input)
		var parts []string
		for i := len(body.Input) - 1; i >= 0; i-- {
			parts = append(parts, fmt.Sprintf(`{"index":%d,"embedding":[%d,3]}`, i, len(body.Input[i])))
		}
		fmt.Fprintf(w, `{"data":[%s],"model":"mini"}`, strings.Join(parts, ","))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestEmbedKeepsOrderAndLength(t *testing.T) {
	var asked [][]string
	e, err := NewEmbedder(Config{Provider: "openai", BaseURL: embedServer(t, &asked), Model: "mini"})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	texts := make([]string, embedBatch+1)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	texts[3] = strings.Repeat("ä", maxEmbed)
	got, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 2 || len(asked[0]) != embedBatch {
		t.Errorf("%d requests", len(asked))
	}
	if n := len(asked[0][3]); n != maxEmbed {
		t.Errorf("a long text was sent with %d bytes", n)
	}
	for i, v := range got {
		if length := math.Hypot(float64(v[0]), float64(v[1])); math.Abs(length-1) > 1e-6 {
			t.Errorf("vector %d has the length %v", i, length)
		}
		if want := float64(max(1, i)) / 3; i != 3 && math.Abs(float64(v[0]/v[1])-want) > 1e-4 {
			t.Errorf("vector %d is %v: not that of its text", i, v)
		}
	}
}

func TestEmbedErrors(t *testing.T) {
	answers := map[string]string{
		"no embeddings":       `{"data":[]}`,
		"different dimension": `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`,
		"without direction":   `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,1]}]}`,
		"cannot be used":      `{"data":[{"index":0,"embedding":[1,2]}]}`,
		"broke":               `{"error":{"message":"it broke"}}`,
	}
	for want, body := range answers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		e, err := NewEmbedder(Config{Provider: "openai", BaseURL: s.URL, Model: "mini", MaxRetries: -1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Embed(context.Background(), []string{"a", "b"})
		var failed *planner.CompletionError
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		s.Close()
	}
	if _, err := NewEmbedder(Config{Provider: "anthropic", Model: "x"}); err == nil {
		t.Error("anthropic has no embeddings, but made an embedder")
	}
}
