package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// modelParams are the parameters of OpenAI's protocols that change what an answer holds, and that nothing here can do: to pass them over
// would be to answer something else than was asked. What only tunes a model, like temperature and a limit of its tokens, is taken and
// ignored: an answer is made of tables, and cut off it would be wrong.
type modelParams struct {
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
		{"logprobs", m.Logprobs, []string{"false"}, "Answers come of tools and tables, so their words have no probabilities."},
		{"top_logprobs", m.TopLogprobs, []string{"0"}, "Answers come of tools and tables, so their words have no probabilities."},
		{"audio", m.Audio, nil, "Answers are text and pictures."},
		{"function_call", m.Function, []string{`"auto"`, `"none"`}, "A function of the client's cannot be demanded: tools run inside this server."},
	}
	for _, r := range rules {
		value := strings.TrimSpace(string(r.value))
		if value == "" || value == "null" || slices.Contains(r.nothing, value) {
			continue
		}
		return unsupported(r.name, r.why, fmt.Sprintf("Leave %s out.", r.name))
	}
	if slices.Contains(m.Modalities, "audio") {
		return unsupported("modalities", "Answers are text and pictures.", `Use ["text"], or leave modalities out.`)
	}
	if slices.Contains(m.Include, "message.output_text.logprobs") {
		return unsupported("include", "Answers come of tools and tables, so their words have no probabilities.", "Leave message.output_text.logprobs out.")
	}
	return nil
}
