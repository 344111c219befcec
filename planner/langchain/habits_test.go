package langchain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"catena/planner"
)

// TestHabits: what an endpoint refuses is left out, the plan's schema is not given up for it, and the answer still comes in pieces.
func TestHabits(t *testing.T) {
	long := strings.Repeat("You plan. ", 600)
	tests := map[string]struct {
		wire           aWire
		field, message string
	}{
		"stream_options": {wires[0], "stream_options", "Unknown field: stream_options"},
		"stream":         {wires[0], `"stream":`, "streaming is not supported by this model"},
		"cache_control":  {wires[1], "cache_control", "system.0.cache_control: Extra inputs are not permitted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := serve(t, status(400, "", fmt.Sprintf(`{"error":{"message":%q}}`, tt.message)), jsonReply(tt.wire.answer))
			c := connect(t, tt.wire, e.URL, nil)
			for range 2 {
				var heard strings.Builder
				p := planner.Prompt{System: long, Schema: ask.Schema, Messages: ask.Messages, OnText: func(s string) { heard.WriteString(s) }}
				if tt.wire.provider == "anthropic" {
					p.OnText = nil
				}
				got, err := c.Complete(t.Context(), p)
				if err != nil || got.Text != `{"steps":[]}` || p.OnText != nil && heard.String() != got.Text {
					t.Fatalf("%+v %v, heard %q", got, err, heard.String())
				}
			}
			for i, body := range e.bodies {
				raw, err := json.Marshal(body)
				if err != nil || strings.Contains(string(raw), tt.field) != (i == 0) {
					t.Errorf("request %d: %s in it: %v", i, tt.field, i != 0)
				}
			}
			if n := len(e.bodies); n != 3 {
				t.Errorf("%d requests: the second call knows what the first has learnt", n)
			}
			if last := fmt.Sprint(e.bodies[len(e.bodies)-1]); tt.wire.provider == "openai" && !strings.Contains(last, "json_schema") {
				t.Errorf("the schema was given up: %s", last)
			}
		})
	}
}

// TestCachedPrompt: a long system's text is marked for Anthropic's cache, and what came from there is counted.
func TestCachedPrompt(t *testing.T) {
	e := serve(t, jsonReply(`{"type":"message","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"cache_read_input_tokens":900,"cache_creation_input_tokens":30,"output_tokens":5}}`))
	got, err := connect(t, wires[1], e.URL, nil).Complete(t.Context(), planner.Prompt{System: strings.Repeat("You plan. ", 600), Messages: ask.Messages})
	if err != nil || got.Usage.PromptTokens != 937 {
		t.Fatalf("%+v %v", got, err)
	}
	if raw, _ := json.Marshal(e.bodies[0]["system"]); !strings.Contains(string(raw), `"cache_control":{"type":"ephemeral"}`) {
		t.Errorf("system %s", raw)
	}
}
