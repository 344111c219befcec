package langchain

import "encoding/json"

// form is a way to ask for an answer in JSON. An endpoint that refuses one is asked by the next.
type form struct {
	without habits // what an endpoint does without that refuses it
	name    string // what people read
	schema  json.RawMessage
	strict  bool
}

// forms are the ways to ask for an answer of this call, the closest first. OpenAI's own endpoints enforce a schema in
// its strict form alone; others enforce any, and in that form models write a null for each argument that is left out.
func (c *call) forms() []form {
	if len(c.schema) == 0 {
		return nil
	}
	all := []form{
		{noByTool, "a schema of its tools", c.byTool, false},
		{noStrict, "a strict schema of its tools", c.strict, true},
		{noJSONSchema, "a schema of any plan", c.schema, false},
		{noJSONObject, "JSON of any form", nil, false},
	}
	if c.strictFirst {
		all[0], all[1] = all[1], all[0]
	}
	var out []form
	for _, f := range all {
		if len(f.schema) > 0 || f.without == noJSONObject {
			out = append(out, f)
		}
	}
	return out
}

// form is the first way that the endpoint was not found to refuse; false where the prompt's words must do.
func (c *call) form(h habits) (form, bool) {
	for _, f := range c.forms() {
		if h&f.without == 0 {
			return f, true
		}
	}
	return form{}, false
}

// responseFormat is the form as a field of a request.
func (f form) responseFormat() map[string]any {
	if f.without == noJSONObject {
		return map[string]any{"type": "json_object"}
	}
	schema := map[string]any{"name": "answer", "schema": f.schema}
	if f.strict {
		schema["strict"] = true
	}
	return map[string]any{"type": "json_schema", "json_schema": schema}
}

// formHabits are those that give up a form.
const formHabits = noStrict | noByTool | noJSONSchema | noJSONObject

// Accepts says how the endpoint can be held to JSON, as far as is known: what it has refused so far is remembered for
// as long as the Completer lives. It is fit for people.
func (c *Completer) Accepts() string {
	if c.cfg.Provider != "openai" {
		return "asked for JSON in words"
	}
	any := json.RawMessage("{}")
	ask := &call{schema: any, byTool: any, strict: any, strictFirst: isOpenAI(c.cfg.BaseURL)}
	f, ok := ask.form(habits(c.client.habits.Load()))
	if !ok {
		return "asked for JSON in words"
	}
	return "takes " + f.name
}
