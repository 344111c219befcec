package openai

import (
	"context"
	"errors"
	"fmt"

	"catena/chat"
	"catena/chat/form"
	"catena/server"
)

// badSchema is the problem of a schema that no answer can be put into.
func badSchema(param string, why error) *server.Problem {
	return unsupported(param, "The schema cannot be used: "+why.Error()+".",
		"Ask for a list of objects, or for one object, whose fields are columns of the answer, "+
			`or use {"type": "json_object"}.`)
}

// schemaOf reads the schema of a format; nil is none. param is where the request has it. Without a model to map an
// answer, a schema has to be one that a table can be put into by the names of its columns.
func (f answerFormat) schemaOf(param string, mapped bool) (*form.Schema, error) {
	switch f.Type {
	case "", "text", "json_object":
		return nil, nil
	case "json_schema":
	default:
		return nil, unsupported(param, fmt.Sprintf("%s cannot have the type %.*q.", param, server.ShownKey, f.Type),
			`Ask for "text", "json_object" or "json_schema".`)
	}
	s, err := form.Read(f.Schema)
	if err == nil && !mapped {
		err = s.Flat()
	}
	if err != nil {
		return nil, badSchema(param, err)
	}
	return s, nil
}

// fill puts an answer into the schema. refusal says, in sentences, why it does not fit; text is "" then.
func fill(ctx context.Context, s *form.Schema, resp chat.Response) (text, refusal string) {
	switch state := resp.Completeness.State; {
	case resp.Outcome != chat.OutcomeAnswer:
		return "", resp.Response
	case len(resp.Tables) == 0:
		return "", "The answer has no table that could be put into the schema. It is: " + resp.Response
	case state == "partial" || state == "truncated":
		return "", "The answer is not whole, so it is not put into the schema: " + resp.Completeness.Detail
	}
	var err error
	if resp.Mapping != nil {
		text, err = s.Fill(ctx, resp.FormAnswer(), resp.Mapping)
	} else {
		text, _, err = s.ByNames(ctx, resp.FormAnswer())
	}
	if err == nil {
		return text, ""
	}
	refusal = "The answer does not fit the schema: " + err.Error() + "."
	if misfit := new(form.Misfit); errors.As(err, &misfit) {
		refusal = misfit.Sentences
	}
	if resp.MappingFault != nil {
		refusal += " " + resp.MappingFault.Detail
	}
	return "", refusal
}
