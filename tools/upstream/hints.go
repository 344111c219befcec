package upstream

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// Hints is what the owner of a configuration says that a tool does. nil leaves what its server says.
type Hints struct {
	ReadOnly    *bool // it changes nothing; true is not destructive and idempotent too, where those are nil
	Destructive *bool // it may delete or overwrite; true is not ReadOnly too, where that is nil
	Idempotent  *bool // called twice it does no more than called once
}

// over are the annotations with the hints in place of theirs.
func (h Hints) over(a mcp.ToolAnnotation) mcp.ToolAnnotation {
	no, yes := false, true
	if isSet(h.ReadOnly) {
		a.DestructiveHint, a.IdempotentHint = &no, &yes
	}
	if isSet(h.Destructive) {
		a.ReadOnlyHint = &no
	}
	for _, set := range []struct{ to, from **bool }{{&a.ReadOnlyHint, &h.ReadOnly}, {&a.DestructiveHint, &h.Destructive}, {&a.IdempotentHint, &h.Idempotent}} {
		if *set.from != nil {
			*set.to = *set.from
		}
	}
	return a
}

// hinted is a tool as the configuration has it: with the hints for it, also in its definition. What is approved stays
// as the server wrote it.
func (c Config) hinted(t remoteTool) remoteTool {
	h, ok := longest(c.Hints, t.Name)
	if !ok {
		return t
	}
	t.Annotations = h.over(t.Annotations)
	var fields map[string]json.RawMessage
	if json.Unmarshal(t.raw, &fields) != nil {
		return t // listTools has read it before
	}
	var annotations map[string]json.RawMessage
	_ = json.Unmarshal(fields["annotations"], &annotations) // none, null, or an object: it was read before
	if annotations == nil {
		annotations = map[string]json.RawMessage{}
	}
	for key, hint := range map[string]*bool{
		"readOnlyHint": t.Annotations.ReadOnlyHint, "destructiveHint": t.Annotations.DestructiveHint,
		"idempotentHint": t.Annotations.IdempotentHint,
	} {
		if hint != nil {
			annotations[key] = json.RawMessage(map[bool]string{true: "true", false: "false"}[*hint])
		}
	}
	if fields["annotations"] = marshalled(annotations); fields["annotations"] != nil {
		t.raw = marshalled(fields)
	}
	return t
}

// marshalled is a value of raw JSON in JSON.
func marshalled(v map[string]json.RawMessage) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // it was read from JSON
	}
	return b
}
