package openai

import (
	"encoding/json"
	"time"

	"catena/chat"
	"catena/chat/runs"
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

// asked is the askedResponse in JSON: without instructions, and then without metadata, where it would be too long with them.
func (r *responseRequest) asked() json.RawMessage {
	k := askedResponse{Instructions: r.Instructions, Previous: r.Previous, Store: r.Store, Metadata: r.Metadata, Format: r.Text.Format.Type, Schema: r.Text.Format.Schema, MaxOutput: r.MaxOutput}
	for _, less := range []func(){func() { k.Instructions = nil }, func() { k.Metadata = nil }, func() { k = askedResponse{} }} {
		if b, err := json.Marshal(k); err == nil && len(b) <= maxAsked {
			return b
		}
		less()
	}
	return nil
}

// lastStep is when the last step of a response ended, as its end itself is not kept; where it had none, when it was accepted.
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
