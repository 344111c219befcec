package openai

import (
	"encoding/json"
	"testing"

	"catena/server/servertest"
)

// TestModelParams: what a model could do and nothing here can is refused by its name, over both protocols, and what asks for nothing is not.
func TestModelParams(t *testing.T) {
	for field, values := range map[string]map[string]bool{ // whether the value is refused
		"n":             {"1": false, "null": false, "2": true},
		"stop":          {"null": false, "[]": false, `"\n"`: true, `["a"]`: true},
		"logprobs":      {"false": false, "true": true},
		"top_logprobs":  {"0": false, "3": true},
		"audio":         {"null": false, `{"voice":"x"}`: true},
		"modalities":    {`["text"]`: false, `["text","audio"]`: true},
		"function_call": {`"auto"`: false, `{"name":"f"}`: true},
		"include":       {`["reasoning.encrypted_content"]`: false, `["message.output_text.logprobs"]`: true},
		"tool_choice":   {`"auto"`: false, `"required"`: true},
		"max_tokens":    {"5": false, "5.0": false, "null": false, "0": true, "-1": true, `"5"`: true, "2.5": true}, "max_completion_tokens": {"5": false, "0": true},
		"max_output_tokens": {"5": false, "0": true}, "temperature": {"2": false},
	} {
		for value, refused := range values {
			for path, rest := range map[string]string{completionsPath: `"messages":[{"role":"user","content":"hi"}]`, "/v1/responses": `"input":"hi"`} {
				_, h, _ := newTest(t)
				status, _, body := servertest.Ask(t, "POST", h.URL+path, `{"`+field+`":`+value+`,`+rest+`}`)
				var answer struct {
					Error struct {
						Param   *string
						Message string
						Code    string
					}
				}
				if err := json.Unmarshal([]byte(body), &answer); err != nil {
					t.Fatal(err)
				}
				named := answer.Error.Param != nil && *answer.Error.Param == field && answer.Error.Code == "unsupported_parameter"
				if want := map[bool]int{true: 400, false: 200}[refused]; status != want || named != refused {
					t.Errorf("%s %s=%s: %d %s", path, field, value, status, body)
				}
			}
		}
	}
}
