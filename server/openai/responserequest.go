package openai

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"catena/chat"
	"catena/chat/form"
	"catena/chat/runs"
	"catena/server"
)

// askedResponse is what a stored response tells of its request.
type askedResponse struct {
	Instructions *string        `json:"instructions,omitempty"`
	Previous     string         `json:"previous_response_id,omitempty"`
	Store        *bool          `json:"store,omitempty"`
	Metadata     map[string]any `json:"metadata,omitempty"`
	Format       string         `json:"format,omitempty"`

	Schema    json.RawMessage `json:"schema,omitempty"` // of the format
	MaxOutput json.RawMessage `json:"max_output_tokens,omitempty"`
}

// maxAsked bounds the askedResponse that is stored with a run, in bytes of JSON.
const maxAsked = 32 << 10

// asked is the askedResponse in JSON: without instructions, and then without metadata, where it would be too long with
// them.
func (r *responseRequest) asked() json.RawMessage {
	k := askedResponse{Instructions: r.Instructions, Previous: r.Previous, Store: r.Store, Metadata: r.Metadata,
		Format: r.Text.Format.Type, Schema: r.Text.Format.Schema, MaxOutput: r.MaxOutput}
	for _, less := range []func(){func() { k.Instructions = nil }, func() { k.Metadata = nil }, func() { k = askedResponse{} }} {
		if b, err := json.Marshal(k); err == nil && len(b) <= maxAsked {
			return b
		}
		less()
	}
	return nil
}

// lastStep is when the last step of a response ended, as its end itself is not kept; where it had none, when it was
// accepted.
func lastStep(accepted time.Time, resp chat.Response) time.Time {
	for _, step := range resp.Steps {
		if end := step.StartedAt.Add(time.Duration(step.DurationMS * float64(time.Millisecond))); end.After(accepted) {
			accepted = end
		}
	}
	return accepted
}

// requestOf is what is kept of the request of a stored response, an empty one where nothing is.
func requestOf(info runs.Info) *responseRequest {
	var k askedResponse
	if len(info.Client) > 0 {
		_ = json.Unmarshal(info.Client, &k) // another surface's: it is no response of this one, and has nothing to tell
	}
	r := &responseRequest{Instructions: k.Instructions, Previous: k.Previous, Store: k.Store, Metadata: k.Metadata}
	r.Text.Format.Type, r.Text.Format.Schema = k.Format, k.Schema
	r.MaxOutput = k.MaxOutput
	r.schema, _ = r.Text.Format.schemaOf("", true) // it was good when it came
	return r
}

// responseRequest is the part of a request to /v1/responses that has a meaning here, in the form of Open Responses.
// Others are taken and ignored.
type responseRequest struct {
	Input        responseInput   `json:"input"`
	Instructions *string         `json:"instructions"`
	Previous     string          `json:"previous_response_id"`
	Conversation json.RawMessage `json:"conversation"`
	Store        *bool           `json:"store"`
	Stream       bool            `json:"stream"`
	Background   bool            `json:"background"`
	Metadata     map[string]any  `json:"metadata"`
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Text         struct {
		Format answerFormat `json:"format"`
	} `json:"text"`
	Approve chat.Approve `json:"approve"` // of chat.Request; no field of OpenAI's
	modelParams

	schema *form.Schema // of Text.Format, once check has read it; nil is none
}

// responseInput is a text, or a list of items of which the messages count.
type responseInput []server.Message

// UnmarshalJSON takes a string or a list of items.
func (in *responseInput) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*in = responseInput{server.Said("user", text)}
		return nil
	}
	var items []struct {
		Type string `json:"type"`
		server.Message
	}
	if err := json.Unmarshal(b, &items); err != nil {
		return errors.New("input must be a string or a list of items")
	}
	for _, item := range items {
		if item.Type == "" || item.Type == "message" {
			*in = append(*in, item.Message)
		}
	}
	return nil
}

// check refuses what cannot be done, where to pass it over in silence would break the client.
func (r *responseRequest) check(mapped bool) error {
	if r.Background {
		return unsupported("background", "Responses are not made in the background here.",
			"Leave background out, and stream if it takes long.")
	}
	var err error
	if r.schema, err = r.Text.Format.schemaOf("text.format", mapped); err != nil {
		return err
	}
	return errors.Join(checkToolChoice(r.ToolChoice), r.modelParams.check())
}

// withInstructions is the input behind its instructions.
func (r *responseRequest) withInstructions() []server.Message {
	if r.Instructions == nil {
		return r.Input
	}
	return append([]server.Message{server.Said("system", *r.Instructions)}, r.Input...)
}

// unkept reports whether the client wants no response to be kept.
func (r *responseRequest) unkept() bool { return r.Store != nil && !*r.Store }

// named is the metadata, with the conversation that the request names.
func (r *responseRequest) named() map[string]any {
	var id string
	if json.Unmarshal(r.Conversation, &id) != nil {
		var object struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(r.Conversation, &object) == nil {
			id = object.ID
		}
	}
	if id == "" {
		return r.Metadata
	}
	if strings.HasPrefix(id, chat.SessionPrefix) {
		return map[string]any{"session_id": id}
	}
	return map[string]any{"conversation_id": id}
}
