package langchain

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// openaiWire is OpenAI's chat completions, which Ollama, vLLM and others speak too.
type openaiWire struct{}

func (openaiWire) prepare(body map[string]json.RawMessage, c *call, cfg Config, h habits) {
	delete(body, "response_format")
	if len(c.schema) > 0 {
		f, ok := c.form(h)
		if ok {
			body["response_format"] = encode(f.responseFormat())
		}
		if len(f.schema) == 0 {
			addToSystem(body, schemaText(c.schema))
		}
	}
	if cfg.TopP > 0 {
		body["top_p"] = encode(cfg.TopP)
	}
	if h&noTemperature != 0 {
		delete(body, "temperature")
	}
	if h&(noStreamOptions|noStream) != 0 {
		delete(body, "stream_options")
	}
	if h&noStream != 0 {
		delete(body, "stream")
	}
	// OpenAI's newer models refuse max_tokens; most other endpoints know nothing else.
	if (h&swapMaxTokens != 0) == isOpenAI(cfg.BaseURL) {
		rename(body, "max_completion_tokens", "max_tokens")
	} else {
		rename(body, "max_tokens", "max_completion_tokens")
	}
}

func isOpenAI(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (u.Hostname() == "api.openai.com" || strings.HasSuffix(u.Hostname(), ".openai.azure.com"))
}

func rename(body map[string]json.RawMessage, from, to string) {
	if v, ok := body[from]; ok {
		delete(body, from)
		body[to] = v
	}
}

func encode(v any) json.RawMessage {
	raw, _ := json.Marshal(v) // maps of texts, numbers and valid JSON always encode
	return raw
}

// addToSystem appends a text to the system's message, or makes one.
func addToSystem(body map[string]json.RawMessage, text string) {
	var list []map[string]any
	if json.Unmarshal(body["messages"], &list) != nil {
		return
	}
	if len(list) > 0 && list[0]["role"] == "system" {
		if s, ok := list[0]["content"].(string); ok {
			list[0]["content"] = s + text
			body["messages"] = encode(list)
			return
		}
	}
	list = append([]map[string]any{{"role": "system", "content": strings.TrimSpace(text)}}, list...)
	body["messages"] = encode(list)
}

func (openaiWire) adapt(c *call, h habits, message string) habits {
	m := strings.ToLower(message)
	switch {
	case h&swapMaxTokens == 0 && (strings.Contains(m, "max_tokens") || strings.Contains(m, "max_completion_tokens")) &&
		(strings.Contains(m, "unsupported") || strings.Contains(m, "not supported") || strings.Contains(m, "unrecognized") || strings.Contains(m, "extra")):
		return swapMaxTokens
	case h&noTemperature == 0 && strings.Contains(m, "temperature"):
		return noTemperature
	case h&noStreamOptions == 0 && strings.Contains(m, "stream_options"):
		return noStreamOptions
	case h&noStream == 0 && strings.Contains(strings.ReplaceAll(m, "upstream", ""), "stream"):
		return noStream
	}
	f, _ := c.form(h)
	return f.without
}

// openaiAnswer is a completion, or one event of a stream.
type openaiAnswer struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content content      `json:"content"`
			Refusal string       `json:"refusal"`
			Calls   []openaiCall `json:"tool_calls"`
		} `json:"message"`
		Delta struct {
			Content content      `json:"content"`
			Calls   []openaiCall `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// content is a text, or a list of parts with texts.
type content string

// UnmarshalJSON reads either form; null is the empty text.
func (c *content) UnmarshalJSON(raw []byte) error {
	var s *string
	if json.Unmarshal(raw, &s) == nil {
		if s != nil {
			*c = content(*s)
		}
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

func (a openaiAnswer) common() answer {
	out := answer{model: a.Model, prompt: a.Usage.Prompt, completion: a.Usage.Completion}
	if len(a.Choices) > 0 {
		out.finish = a.Choices[0].FinishReason
		out.truncated = out.finish == "length"
		out.text = string(a.Choices[0].Message.Content + a.Choices[0].Delta.Content)
		out.calls = append(callParts(a.Choices[0].Message.Calls, true), callParts(a.Choices[0].Delta.Calls, false)...)
	}
	return out
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func (openaiWire) answer(raw []byte) (answer, error) {
	var a openaiAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return answer{}, errors.New("the endpoint's answer is no chat completion; check the base URL")
	}
	if isSet(a.Error) {
		return answer{}, &endpointError{errorMessage(raw)}
	}
	if len(a.Choices) == 0 {
		return answer{}, errors.New("the endpoint's answer holds no choices; check the base URL")
	}
	out := a.common()
	out.text = cmp.Or(callsText(out.calls), out.text, a.Choices[0].Message.Refusal)
	return out, nil
}

func (openaiWire) event(data []byte) (event, error) {
	if strings.TrimSpace(string(data)) == "[DONE]" {
		return event{done: true}, nil
	}
	var a openaiAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return event{}, err
	}
	if isSet(a.Error) {
		return event{failed: cmp.Or(errorMessage(data), "nothing")}, nil
	}
	return event{answer: a.common()}, nil
}

type object = map[string]any

func (openaiWire) usage(a answer) object {
	return object{"prompt_tokens": a.prompt, "completion_tokens": a.completion, "total_tokens": a.prompt + a.completion}
}

func (w openaiWire) whole(a answer) []byte {
	return encode(object{"model": a.model, "usage": w.usage(a), "choices": []object{
		{"index": 0, "message": object{"role": "assistant", "content": a.text}, "finish_reason": finishOr(a.finish, "stop")}}})
}

func finishOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (w openaiWire) part(e event, _ bool) []byte {
	if e.done {
		end := sse(object{"usage": w.usage(e.answer), "choices": []object{
			{"index": 0, "delta": object{}, "finish_reason": finishOr(e.finish, "stop")}}})
		return append(end, "data: [DONE]\n\n"...)
	}
	return sse(object{"choices": []object{{"index": 0, "delta": object{"content": e.text}}}})
}

func sse(v any) []byte { return append(append([]byte("data: "), encode(v)...), "\n\n"...) }
