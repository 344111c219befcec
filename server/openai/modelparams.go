package openai

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// modelParams are the parameters of OpenAI's protocols that change what an answer holds, and that nothing here can do:
// to pass them over would be to answer something else than was asked. What only tunes a model, like temperature, is
// taken and ignored. A limit of tokens cuts the answer between lines, and the answer's end says that it was cut.
type modelParams struct {
	MaxTokens     json.RawMessage `json:"max_tokens"`
	MaxCompletion json.RawMessage `json:"max_completion_tokens"`
	MaxOutput     json.RawMessage `json:"max_output_tokens"`

	N           json.RawMessage `json:"n"`
	Stop        json.RawMessage `json:"stop"`
	Logprobs    json.RawMessage `json:"logprobs"`
	TopLogprobs json.RawMessage `json:"top_logprobs"`
	Include     []string        `json:"include"`
	Modalities  []string        `json:"modalities"`
	Audio       json.RawMessage `json:"audio"`
	Function    json.RawMessage `json:"function_call"`
}

// paramRule says which values of a parameter ask for nothing, and why others are refused.
type paramRule struct {
	name    string
	value   json.RawMessage
	nothing []string
	why     string
}

// check refuses by name what asks for something that there is not.
func (m *modelParams) check() error {
	rules := []paramRule{
		{"n", m.N, []string{"1"}, "A message has one answer here."},
		{"stop", m.Stop, []string{`""`, "[]"}, "Answers hold tables, which are not cut off at a word."},
		{"logprobs", m.Logprobs, []string{"false"},
			"Answers come of tools and tables, so their words have no probabilities."},
		{"top_logprobs", m.TopLogprobs, []string{"0"},
			"Answers come of tools and tables, so their words have no probabilities."},
		{"audio", m.Audio, nil, "Answers are text and pictures."},
		{"function_call", m.Function, []string{`"auto"`, `"none"`},
			"A function of the client's cannot be demanded: tools run inside this server."},
	}
	for _, r := range rules {
		value := strings.TrimSpace(string(r.value))
		if value == "" || value == "null" || slices.Contains(r.nothing, value) {
			continue
		}
		return unsupported(r.name, r.why, fmt.Sprintf("Leave %s out.", r.name))
	}
	for _, l := range m.limits() {
		if _, ok := l.read(); !ok {
			return unsupported(l.name, fmt.Sprintf("%s must be a whole number of at least 1.", l.name),
				fmt.Sprintf("Leave %s out.", l.name))
		}
	}
	if slices.Contains(m.Modalities, "audio") {
		return unsupported("modalities", "Answers are text and pictures.", `Use ["text"], or leave modalities out.`)
	}
	if slices.Contains(m.Include, "message.output_text.logprobs") {
		return unsupported("include", "Answers come of tools and tables, so their words have no probabilities.",
			"Leave message.output_text.logprobs out.")
	}
	return nil
}

// tokenLimit is one of the parameters that say how many tokens an answer may have.
type tokenLimit struct {
	name  string
	value json.RawMessage
}

func (m *modelParams) limits() []tokenLimit {
	return []tokenLimit{{"max_tokens", m.MaxTokens}, {"max_completion_tokens", m.MaxCompletion},
		{"max_output_tokens", m.MaxOutput}}
}

// read gives the limit, 0 where there is none; false for a value that is no limit.
func (l tokenLimit) read() (int, bool) {
	if text := strings.TrimSpace(string(l.value)); text == "" || text == "null" {
		return 0, true
	}
	var n float64 // 5 and 5.0 are one number in JSON
	if err := json.Unmarshal(l.value, &n); err != nil || n < 1 || n != math.Trunc(n) {
		return 0, false
	}
	return int(min(n, math.MaxInt32)), true
}

// most is how many tokens the answer may have, 0 for any number.
func (m *modelParams) most() int {
	least := 0
	for _, l := range m.limits() {
		if n, _ := l.read(); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}
