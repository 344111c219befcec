package openai

import (
	"encoding/json"
	"errors"
	"strings"
)

// answerFormat is the form that a request demands of the answer: response_format of chat completions, or text.format of
// responses. The zero value is text.
type answerFormat struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// UnmarshalJSON takes both protocols' forms: a schema beside the type, or in json_schema.
func (f *answerFormat) UnmarshalJSON(b []byte) error {
	type flat answerFormat
	var in struct {
		flat
		Inner *flat `json:"json_schema"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return errors.New("the format of the answer must be an object with a type")
	}
	*f = answerFormat(in.flat)
	if in.Inner != nil {
		f.Name, f.Schema = in.Inner.Name, in.Inner.Schema
	}
	return nil
}

// isJSON reports whether a program reads the answer as JSON.
func (f answerFormat) isJSON() bool { return strings.HasPrefix(f.Type, "json") }

// properties are the names of the fields that the schema has at its top.
func (f answerFormat) properties() map[string]bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(f.Schema, &schema) != nil {
		return nil // no schema, or none of an object
	}
	names := map[string]bool{}
	for name := range schema.Properties {
		names[name] = true
	}
	return names
}
