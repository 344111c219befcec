package langchain

import (
	"fmt"
	"strings"
	"testing"

	"catena/planner"
)

// TestSchemaRefused: a server that cannot make a grammar of the schema says so with whatever status it has. The next request
// goes without the schema's field, and so do all later ones.
func TestSchemaRefused(t *testing.T) {
	refusals := map[string]struct {
		status int
		body   string
	}{
		"llama.cpp":       {500, `{"error":{"code":500,"message":"JSON schema conversion failed: Error resolving ref"}}`},
		"ollama":          {500, `{"error":{"message":"failed to load model vocabulary required for format","type":"api_error"}}`},
		"plain text":      {500, `Failed to compile json_schema`},
		"a grammar":       {500, `{"error":"failed to parse grammar"}`},
		"a gateway":       {502, `{"message":"upstream: invalid JSON schema"}`},
		"a usual refusal": {400, `{"error":{"message":"response_format is not supported"}}`},
	}
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			e := serve(t, status(tt.status, "", tt.body), jsonReply(wires[0].answer))
			c := connect(t, wires[0], e.URL, nil)
			for range 2 {
				if _, err := c.Complete(t.Context(), ask); err != nil {
					t.Fatal(err)
				}
			}
			if len(e.bodies) != 3 {
				t.Fatalf("%d requests, want 3", len(e.bodies))
			}
			for i, body := range e.bodies {
				if got := strings.Contains(fmt.Sprint(body["response_format"]), "json_schema"); got != (i == 0) {
					t.Errorf("request %d has the schema: %v", i, got)
				}
			}
		})
	}
}

// TestSchemaRefusedBeforeFailure: what an endpoint said of the schema is remembered though the request without it fails, and
// though an older request ends after it.
func TestSchemaRefusedBeforeFailure(t *testing.T) {
	refused := status(500, "", `{"error":{"message":"JSON schema conversion failed"}}`)
	e := serve(t, refused, status(401, "", `{"error":{"message":"no"}}`), jsonReply(wires[0].answer))
	c := connect(t, wires[0], e.URL, nil)
	if _, err := c.Complete(t.Context(), ask); err == nil {
		t.Fatal("the refused request succeeded")
	}
	if _, err := c.Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	for i, body := range e.bodies {
		if got := strings.Contains(fmt.Sprint(body["response_format"]), "json_schema"); got != (i == 0) {
			t.Errorf("request %d has the schema: %v", i, got)
		}
	}
	c.client.learn(noTemperature)
	c.client.learn(0)
	if got := habits(c.client.habits.Load()); got != noJSONSchema|noTemperature {
		t.Errorf("it remembers %b", got)
	}
}

// TestContextTooShort: a prompt that does not fit is told as that, once, and no field is given up for it.
func TestContextTooShort(t *testing.T) {
	for name, body := range map[string]string{
		"Ollama":    `{"error":"the input length exceeds the context length"}`,
		"openai":    `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`,
		"llama.cpp": `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			code := 400
			if name == "Ollama" {
				code = 500
			}
			e := serve(t, status(code, "", body))
			_, err := connect(t, wires[0], e.URL, nil).Complete(t.Context(), ask)
			if err == nil || !strings.Contains(err.Error(), "longer than the model's context") {
				t.Errorf("error %v", err)
			}
			if len(e.bodies) != 1 {
				t.Errorf("%d requests", len(e.bodies))
			}
		})
	}
}

// TestShortKey: an endpoint's words are understood before the key is taken out of them.
func TestShortKey(t *testing.T) {
	e := serve(t, status(400, "", `{"error":{"message":"temperature is not supported"}}`), jsonReply(wires[0].answer))
	c := connect(t, wires[0], e.URL, func(cfg *Config) { cfg.APIKey = "e" })
	if _, err := c.Complete(t.Context(), planner.Prompt{Messages: ask.Messages}); err != nil {
		t.Fatal(err)
	}
	if _, there := e.bodies[1]["temperature"]; there {
		t.Error("the temperature was sent again")
	}
}
