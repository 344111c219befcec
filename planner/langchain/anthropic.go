package langchain

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// anthropicWire is Anthropic's messages. It has no JSON mode: the schema goes into the system's text.
type anthropicWire struct{}

func (anthropicWire) prepare(body map[string]json.RawMessage, c *call, cfg Config, h habits) {
	if len(c.schema) > 0 {
		var system string
		_ = json.Unmarshal(body["system"], &system) // absent or a text: langchaingo sends nothing else
		body["system"] = encode(strings.TrimSpace(system + schemaText(c.schema)))
	}
	if h&noCacheMark == 0 {
		markCached(body)
	}
	if cfg.TopP > 0 {
		body["top_p"] = encode(cfg.TopP)
	}
	if h&noTemperature != 0 {
		delete(body, "temperature")
	}
}

// leastCached is how long a system's text is, in bytes, that is worth being kept: endpoints keep 1024 tokens and more.
const leastCached = 4096

// markCached asks the endpoint to keep the system's text, with which the next prompt begins too. OpenAI's do so unasked.
func markCached(body map[string]json.RawMessage) {
	var system string
	if json.Unmarshal(body["system"], &system) == nil && len(system) >= leastCached {
		body["system"] = encode([]object{{"type": "text", "text": system, "cache_control": object{"type": "ephemeral"}}})
	}
}

func (anthropicWire) adapt(_ *call, h habits, message string) habits {
	m := strings.ToLower(message)
	switch {
	case h&noTemperature == 0 && strings.Contains(m, "temperature"):
		return noTemperature
	case h&noCacheMark == 0 && strings.Contains(m, "cache_control"):
		return noCacheMark
	}
	return 0
}

type anthropicUsage struct {
	Fresh   int `json:"input_tokens"` // without those of the cache
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

// input is all that was read of a prompt.
func (u anthropicUsage) input() int { return u.Fresh + u.Written + u.Read }

// anthropicMessage is a message, or what one event of a stream says about it.
type anthropicMessage struct {
	Type    string `json:"type"`
	Model   string `json:"model"`
	Content []struct {
		anthropicBlock
		Text string `json:"text"`
	} `json:"content"`
	StopReason string          `json:"stop_reason"`
	Usage      anthropicUsage  `json:"usage"`
	Error      json.RawMessage `json:"error"`
	Message    *struct {
		Model string         `json:"model"`
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Index int            `json:"index"`
	Block anthropicBlock `json:"content_block"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		JSON       string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
}

// anthropicBlock is a part of a message; of a tool call its name and arguments.
type anthropicBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// toolUse is the type of a block that calls a tool.
const toolUse = "tool_use"

func (anthropicWire) answer(raw []byte) (answer, error) {
	var m anthropicMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return answer{}, errors.New("the endpoint's answer is no message; check the base URL")
	}
	if isSet(m.Error) {
		return answer{}, &endpointError{errorMessage(raw)}
	}
	if m.Type != "message" && len(m.Content) == 0 {
		return answer{}, errors.New("the endpoint's answer is no message; check the base URL")
	}
	a := answer{model: m.Model, finish: m.StopReason, truncated: m.StopReason == "max_tokens", prompt: m.Usage.input(), completion: m.Usage.Output}
	for i, c := range m.Content {
		switch c.Type {
		case "text":
			a.text += c.Text
		case toolUse:
			a.calls = append(a.calls, callPart{index: i, id: c.ID, name: c.Name, args: string(c.Input)})
		}
	}
	a.text = cmp.Or(callsText(a.calls), a.text)
	return a, nil
}

func (anthropicWire) event(data []byte) (event, error) {
	var m anthropicMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return event{}, err
	}
	e := event{answer: answer{finish: m.Delta.StopReason, truncated: m.Delta.StopReason == "max_tokens",
		prompt: m.Usage.input(), completion: m.Usage.Output}}
	switch m.Type {
	case "error":
		e.failed = cmp.Or(errorMessage(data), "nothing")
	case "message_start":
		if m.Message != nil {
			e.model, e.prompt = m.Message.Model, m.Message.Usage.input()
		}
	case "content_block_start":
		if m.Block.Type == toolUse { // its arguments follow in pieces
			e.calls = []callPart{{index: m.Index, id: m.Block.ID, name: m.Block.Name}}
		}
	case "content_block_delta":
		switch m.Delta.Type {
		case "text_delta":
			e.text = m.Delta.Text
		case "input_json_delta":
			e.calls = []callPart{{index: m.Index, args: m.Delta.JSON}}
		}
	case "message_stop":
		e.done = true
	}
	return e, nil
}

func (anthropicWire) usage(a answer) object {
	return object{"input_tokens": a.prompt, "output_tokens": a.completion}
}

func (w anthropicWire) whole(a answer) []byte {
	return encode(object{"type": "message", "role": "assistant", "model": a.model, "usage": w.usage(a),
		"stop_reason": finishOr(a.finish, "end_turn"), "content": []object{{"type": "text", "text": a.text}}})
}

// part writes all texts as one block, since langchaingo does not know every kind of block.
func (w anthropicWire) part(e event, first bool) []byte {
	var out []byte
	if first {
		out = append(out, sse(object{"type": "message_start", "message": object{"role": "assistant", "type": "message", "usage": w.usage(answer{})}})...)
		out = append(out, sse(object{"type": "content_block_start", "index": 0, "content_block": object{"type": "text", "text": ""}})...)
	}
	if !e.done {
		return append(out, sse(object{"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": e.text}})...)
	}
	out = append(out, sse(object{"type": "content_block_stop", "index": 0})...)
	out = append(out, sse(object{"type": "message_delta", "delta": object{"stop_reason": finishOr(e.finish, "end_turn")}, "usage": w.usage(e.answer)})...)
	return append(out, sse(object{"type": "message_stop"})...)
}
