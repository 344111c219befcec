package langchain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"catena/planner"
	"catena/planner/plan"
)

// formed is a prompt with a schema of each form.
var formed = planner.Prompt{System: "You plan.", Schema: json.RawMessage(`{"title":"any"}`), ByTool: json.RawMessage(`{"title":"by"}`),
	Strict: json.RawMessage(`{"title":"strict"}`), Messages: ask.Messages}

// asked is the form by which a request asks for JSON.
func asked(body map[string]any) string {
	format, _ := body["response_format"].(map[string]any)
	if format == nil {
		return "words"
	}
	schema, _ := format["json_schema"].(map[string]any)
	if schema == nil {
		return "object"
	}
	inner, _ := schema["schema"].(map[string]any)
	return fmt.Sprint(inner["title"], " ", schema["strict"])
}

// TestForms: an endpoint is asked by the closest form that it takes, which is found out once, told and logged with its reason.
func TestForms(t *testing.T) {
	order := []string{"by <nil>", "strict true", "any <nil>", "object", "words"}
	says := []string{"takes a schema of its tools", "takes a strict schema of its tools", "takes a schema of any plan", "takes JSON of any form", "asked for JSON in words"}
	for takes, want := range order {
		t.Run(want, func(t *testing.T) {
			var replies []reply
			for i := range takes {
				replies = append(replies, status(400+100*(i%2), "", `{"error":{"message":"Invalid schema for response_format: sk-secret"}}`))
			}
			e := serve(t, append(replies, jsonReply(wires[0].answer))...)
			var logged bytes.Buffer
			c := connect(t, wires[0], e.URL, func(cfg *Config) {
				cfg.APIKey, cfg.Log = "sk-secret", slog.New(slog.NewTextHandler(&logged, nil))
			})
			for range 2 {
				if _, err := c.Complete(t.Context(), formed); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, body := range e.bodies {
				got = append(got, asked(body))
			}
			if wanted := append(order[:takes+1:takes+1], want); strings.Join(got, ", ") != strings.Join(wanted, ", ") {
				t.Errorf("asked %q, want %q", got, wanted)
			}
			if c.Accepts() != says[takes] {
				t.Errorf("it %s", c.Accepts())
			}
			if n := strings.Count(logged.String(), "Invalid schema for response_format"); n != takes || strings.Contains(logged.String(), "sk-secret") {
				t.Errorf("%d refusals are logged, want %d: %s", n, takes, &logged)
			}
		})
	}
	first := (&call{schema: formed.Schema, byTool: formed.ByTool, strict: formed.Strict, strictFirst: true}).forms()[0]
	if !first.strict || string(first.schema) != string(formed.Strict) {
		t.Errorf("OpenAI is asked by %s first", first.name)
	}
	if c, err := New(Config{Provider: "anthropic", Model: "m"}); err != nil || c.Accepts() != "asked for JSON in words" {
		t.Errorf("%v", err)
	}
}

// TestNativeCalls: a model that calls tools by its provider's protocol has written a plan, whole or in a stream.
func TestNativeCalls(t *testing.T) {
	whole := []string{
		`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"top","arguments":"{\"n\":3}"}},
			{"id":"call_2","type":"function","function":{"name":"list","arguments":{}}}]},"finish_reason":"tool_calls"}]}`,
		`{"type":"message","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"call_1","name":"top","input":{"n":3}},
			{"type":"tool_use","id":"call_2","name":"list","input":{}}],"stop_reason":"tool_use"}`,
	}
	streamedCalls := [][]string{{
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"top","arguments":""}}]}}]}`,
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":"}}]}}]}`,
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"3}"}}]}}]}`,
		`data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"call_2","function":{"name":"list","arguments":""}}]}}]}`,
		`data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`, `data: [DONE]`,
	}, {
		`data: {"type":"message_start","message":{"model":"m-1"}}`,
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"call_1","name":"top","input":{}}}`,
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":"}}`,
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"3}"}}`,
		`data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"call_2","name":"list","input":{}}}`,
		`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `data: {"type":"message_stop"}`,
	}}
	for i, w := range wires {
		for name, answer := range map[string]reply{"whole": jsonReply(whole[i]), "streamed": streamReply(streamedCalls[i]...)} {
			t.Run(w.provider+" "+name, func(t *testing.T) {
				p := formed
				if name == "streamed" {
					p.OnText = func(string) {}
				}
				got, err := connect(t, w, serve(t, answer).URL, nil).Complete(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				plan, err := plan.Parse(got.Text, plan.Limits{})
				if err != nil || len(plan.Steps) != 2 || plan.Steps[0].Tool != "top" || fmt.Sprint(plan.Steps[0].Args["n"]) != "3" || plan.Steps[1].Tool != "list" {
					t.Errorf("%s is read as %+v %v", got.Text, plan.Steps, err)
				}
			})
		}
	}
	if text := callsText([]callPart{{name: "top", args: "{no"}}); text != `{"tool_calls":[{"arguments":"{no","name":"top"}]}` {
		t.Errorf("%s", text)
	}
}
