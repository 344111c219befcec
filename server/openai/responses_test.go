package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/server/servertest"
)

const responsesPath = "/v1/responses"

// TestResponses: whole responses, the input's forms, what they follow, and what is not kept.
// TestResponseAgain: a stored response tells of its request what it told when it was made.
func TestResponseAgain(t *testing.T) {
	_, h, _ := newTest(t)
	_, _, first := servertest.Ask(t, "POST", h.URL+responsesPath, `{"input":"one","instructions":"Be brief.","metadata":{"team":"north"},"text":{"format":{"type":"json_object"}}}`)
	_, _, again := servertest.Ask(t, "GET", h.URL+responsesPath+"/resp_1", "")
	var was, is map[string]any
	if err := errors.Join(json.Unmarshal([]byte(first), &was), json.Unmarshal([]byte(again), &is)); err != nil {
		t.Fatal(err)
	}
	if is["created_at"] != 1_700_000_000. || is["completed_at"] != 1_700_000_000. {
		t.Error("not when it was made:", is["created_at"], is["completed_at"])
	}
	for _, at := range []string{"created_at", "completed_at"} {
		delete(was, at)
		delete(is, at)
	}
	if d := cmp.Diff(was, is); d != "" || was["instructions"] != "Be brief." {
		t.Errorf("(-first +again):\n%s", d)
	}
	long := strings.Repeat("x", maxAsked)
	servertest.Ask(t, "POST", h.URL+responsesPath, `{"input":"two","instructions":"`+long+`","metadata":{"team":"north"}}`)
	if _, _, again = servertest.Ask(t, "GET", h.URL+responsesPath+"/resp_2", ""); strings.Contains(again, long) || !strings.Contains(again, `"team":"north"`) {
		t.Errorf("%d bytes of a long request", len(again))
	}
}

func TestResponses(t *testing.T) {
	_, h, runs := newTest(t)
	runs.Steps = true
	var resp struct {
		ID, Object, Status, Model string
		Previous                  *string `json:"previous_response_id"`
		Output                    []struct {
			Type    string
			Summary []struct{ Text string }
			Content []struct{ Type, Text string }
		}
		Usage struct {
			Total *int `json:"total_tokens"`
		}
	}
	send := func(body string) (int, string) {
		t.Helper()
		status, _, text := servertest.Ask(t, "POST", h.URL+responsesPath, body)
		resp.Output = nil
		if status == 200 {
			if err := json.Unmarshal([]byte(text), &resp); err != nil {
				t.Fatal(err, text)
			}
		}
		return status, text
	}
	_, text := send(`{"model":"m","input":"one","temperature":1,"made_up":1,"instructions":"be kind"}`)
	if resp.ID != "resp_1" || resp.Status != "completed" || resp.Object != "response" || resp.Usage.Total == nil || len(resp.Output) != 2 ||
		resp.Output[0].Summary[0].Text != "count · 5 rows · 1.5 ms" || resp.Output[1].Content[0].Text != "You said: one" {
		t.Errorf("%s", text)
	}
	send(`{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"two"}]}],"previous_response_id":"resp_1"}`)
	if req := runs.ByID["run_2"].Req; req.SessionID != "ses_1" || req.AfterRun != "run_1" || req.Message != "two" || *resp.Previous != "resp_1" {
		t.Errorf("%+v", req)
	}
	send(`{"input":[{"role":"user","content":"one"},{"type":"reasoning","summary":[]},{"role":"assistant","content":[{"type":"output_text","text":"You said: one"}]},{"role":"user","content":"three"}]}`)
	if req := runs.ByID["run_3"].Req; req.SessionID != "ses_1" || req.AfterRun != "run_1" || req.Message != "three" {
		t.Errorf("%+v", req)
	}
	for body, want := range map[string]string{
		`{"input":"x","previous_response_id":"resp_99"}`:         `"param":"previous_response_id"`,
		`{"input":"x","previous_response_id":"run_1"}`:           `"code":"previous_response_not_found"`,
		`{"input":"x","tool_choice":"required"}`:                 `"param":"tool_choice"`,
		`{"input":"x","background":true}`:                        `"param":"background"`,
		`{"input":"x","text":{"format":{"type":"json_schema"}}}`: `"param":"text.format"`,
		`{"input":7}`:      "Input must be a string",
		`{}`:               `"code":"no_message"`,
		`{"input":"fail"}`: `"code":"planner_down"`,
		`{"input":[{"role":"user","content":[{"type":"input_image"}]}]}`: `"code":"unsupported_content"`,
	} {
		if status, text := send(body); status < 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	if status, _, body := servertest.Ask(t, "GET", h.URL+responsesPath+"/resp_1", ""); status != 200 || !strings.Contains(body, `"text":"You said: one"`) {
		t.Errorf("again: %d %s", status, body)
	}
	if status, _, body := servertest.Ask(t, "GET", h.URL+responsesPath+"/resp_1/input_items", ""); status != 200 || !strings.Contains(body, `"type":"input_text"`) {
		t.Errorf("input items: %d %s", status, body)
	}
	for _, id := range []string{"resp_99", "run_1", "resp_"} {
		if status, _, body := servertest.Ask(t, "GET", h.URL+responsesPath+"/"+id, ""); status != 404 || !strings.Contains(body, `"error":{`) {
			t.Errorf("%s: %d %s", id, status, body)
		}
	}
	runs.N = 0 // the next is run_1 in ses_1, which the fake store has
	if _, text := send(`{"input":"not kept","store":false}`); runs.Deleted != "ses_1" || !strings.Contains(text, `"store":false`) {
		t.Errorf("deleted %q: %s", runs.Deleted, text)
	}
}

// TestResponseStream holds the events to the order of Open Responses, numbered without gaps.
func TestResponseStream(t *testing.T) {
	for steps, want := range map[string][]string{
		StepsReasoning: {
			"response.created", "response.in_progress", "response.output_item.added", "response.reasoning_summary_part.added",
			"response.reasoning_summary_text.delta", "response.reasoning_summary_text.done", "response.reasoning_summary_part.done", "response.output_item.done",
			"response.output_item.added", "response.content_part.added", "response.output_text.delta", "response.output_text.done",
			"response.content_part.done", "response.output_item.done", "response.completed",
		},
		StepsDetails: {
			"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added", "response.output_text.delta",
			"response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed",
		},
	} {
		_, h, runs := newTest(t, func(o *testOptions) { o.Steps = steps })
		runs.Steps = true
		_, _, body := servertest.Ask(t, "POST", h.URL+responsesPath, `{"stream":true,"input":"hello"}`)
		var got []string
		text := ""
		for i, m := range chunks(t, body) {
			got = append(got, fmt.Sprint(m["type"]))
			if m["sequence_number"] != float64(i) {
				t.Errorf("event %d has the number %v", i, m["sequence_number"])
			}
			if m["type"] == "response.output_text.delta" {
				text += fmt.Sprint(m["delta"])
			}
			if !strings.Contains(body, fmt.Sprintf("event: %v\ndata: ", m["type"])) {
				t.Errorf("%v has no event line", m["type"])
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", steps, diff)
		}
		if !strings.HasSuffix(text, "You said: hello") || strings.HasPrefix(text, "<details>") != (steps == StepsDetails) {
			t.Errorf("%s: text %q", steps, text)
		}
	}
	_, h, _ := newTest(t)
	_, _, body := servertest.Ask(t, "POST", h.URL+responsesPath, `{"stream":true,"input":"fail"}`)
	if list := chunks(t, body); list[len(list)-1]["type"] != "response.failed" || !strings.Contains(body, "planner_down") {
		t.Errorf("a response that failed: %s", body)
	}
}

// TestDeleteResponse: a response that is all of its conversation goes with it; one that is not, or is not finished, stays.
func TestDeleteResponse(t *testing.T) {
	_, h, runs := newTest(t)
	post := func(body string) { servertest.Ask(t, "POST", h.URL+"/v1/responses", body) }
	post(`{"input":"x"}`)
	for _, c := range []struct {
		id     string
		status int
		want   string
	}{
		{"resp_none", 404, "not_found"},
		{"nothing", 404, "response_not_found"},
		{"resp_1", 200, `{"deleted":true,"id":"resp_1","object":"response"}`},
	} {
		if status, _, body := servertest.Ask(t, "DELETE", h.URL+"/v1/responses/"+c.id, ""); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s", c.id, status, body)
		}
	}
	if runs.Deleted != "ses_1" {
		t.Errorf("deleted %q", runs.Deleted)
	}
	runs.Deleted = ""
	post(`{"input":"y","conversation":"ses_1"}`)
	if status, _, body := servertest.Ask(t, "DELETE", h.URL+"/v1/responses/resp_2", ""); status != 409 || !strings.Contains(body, "response_in_conversation") || runs.Deleted != "" {
		t.Errorf("%d %s", status, body)
	}
}
