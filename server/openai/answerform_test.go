package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/chat"
	"catena/chat/form"
	"catena/profiler"
	"catena/server"
	"catena/server/servertest"
)

// citiesTable is an answer with one table.
func citiesTable(rows string, names ...string) chat.Response {
	t := chat.AnswerTable{Title: "Cities", Rows: json.RawMessage(rows)}
	for _, n := range names {
		t.Columns = append(t.Columns, profiler.ColumnMetadata{OriginalName: n, CleanedName: strings.ToUpper(n)})
	}
	return chat.Response{Outcome: chat.OutcomeAnswer, Response: "Three cities.", Tables: []chat.AnswerTable{t}}
}

// TestAnswerSchema: a table is put into the asked form, cell by cell in the asked types, or it is said why not. Nothing is made up, and nothing is
// left out.
func TestAnswerSchema(t *testing.T) {
	two := citiesTable(`[["Rome","3.50",true],["Oslo",4,null]]`, "city_name", "people", "old")
	one := citiesTable(`[["Rome",3]]`, "city", "people")
	const city, people = `"city":{"type":"string"}`, `"people":{"type":"integer"}`
	object := `{"type":"object","properties":{` + city + `,` + people + `},"required":["city","people"]}`
	short := citiesTable(`[["Rome",3]]`, "city", "people")
	short.Tables[0].Truncated, short.Tables[0].TotalRows, short.Tables[0].RowCount = true, 9, 1
	both := citiesTable(`[["Rome",3]]`, "city", "people")
	both.Tables = append(both.Tables, both.Tables[0])
	partial := citiesTable(`[["Rome",3]]`, "city", "people")
	partial.Completeness = chat.Completeness{State: "partial", Detail: "One server is down."}
	unmapped := citiesTable(`[["Rome",3]]`, "city", "people")
	unmapped.MappingFault = &chat.Problem{Code: "mapping_refused", Detail: "The mapping cannot be used."}
	for name, c := range map[string]struct {
		schema  string
		resp    chat.Response
		want    string
		refusal string
	}{
		"one object":    {object, one, `{"city":"Rome","people":3}`, ""},
		"a list":        {`{"type":"array","items":` + object + `}`, one, `[{"city":"Rome","people":3}]`, ""},
		"a list within": {`{"type":"object","properties":{"rows":{"type":"array","items":{"$ref":"#/$defs/C"}}},"$defs":{"C":` + object + `}}`, one, `{"rows":[{"city":"Rome","people":3}]}`, ""},
		"types": {`{"type":"array","items":{"type":"object","properties":{"cityName":{"type":"string"},"people":{"type":"number"},"old":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}}}`,
			two, `[{"cityName":"Rome","people":3.50,"old":true},{"cityName":"Oslo","people":4,"old":null}]`, ""},
		"a number as a text":    {`{"type":"object","properties":{"people":{"type":"string"}}}`, one, `{"people":"3"}`, ""},
		"a field that may miss": {`{"type":"object","properties":{` + city + `,"country":{"type":"string"}},"required":["city"]}`, one, `{"city":"Rome"}`, ""},
		"allowed values":        {`{"type":"object","properties":{"city":{"enum":["Rome","Oslo"]}}}`, one, `{"city":"Rome"}`, ""},
		"a value not allowed":   {`{"type":"object","properties":{"city":{"enum":["Oslo"]}}}`, one, "", "does not allow its value"},
		"no such column":        {`{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]}`, one, "", `no column "country"; it has city, people`},
		"a mapping that failed": {`{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]}`, unmapped, "", "The mapping cannot be used."},
		"none of the columns":   {`{"type":"object","properties":{"country":{"type":"string"}}}`, one, "", "none of the schema's fields"},
		"not whole numbers":     {`{"type":"array","items":{"type":"object","properties":{"people":{"type":"integer"}}}}`, two, "", "it is no integer"},
		"no null":               {`{"type":"array","items":{"type":"object","properties":{"old":{"type":"boolean"}}}}`, two, "", "does not allow null"},
		"one of two rows":       {`{"type":"object","properties":{"people":{"type":"number"}}}`, two, "", "has 2 rows"},
		"cut":                   {object, short, "", "9 rows, of which 1"},
		"two that fit":          {object, both, "", "Several tables"},
		"part of it":            {object, partial, "", "One server is down."},
		"no table":              {object, chat.Response{Outcome: chat.OutcomeAnswer, Response: "Hello."}, "", "Hello."},
		"a question back":       {object, chat.Response{Outcome: chat.OutcomeClarify, Response: "Which one?"}, "", "Which one?"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := answerFormat{Type: "json_schema", Schema: json.RawMessage(c.schema)}.schemaOf("response_format", false)
			if err != nil {
				t.Fatal(err)
			}
			text, refusal := fill(t.Context(), a, c.resp)
			if text != c.want || (refusal == "") != (c.refusal == "") || !strings.Contains(refusal, c.refusal) {
				t.Errorf("%s, refused: %s", text, refusal)
			}
		})
	}
	for name, schema := range map[string]string{
		"none": ``, "null": `null`, "a text": `{"type":"string"}`, "no fields": `{"type":"object"}`, "deep": `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}}}}`,
		"two lists": `{"type":"object","properties":{"a":{"type":"array","items":` + object + `},"b":{"type":"array","items":` + object + `}}}`,
		"a circle":  `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}`, "nowhere": `{"$ref":"#/$defs/B"}`, "no object": `[]`,
		"large": `{"description":"` + strings.Repeat("x", form.MaxSchema) + `"}`,
	} {
		if _, err := (answerFormat{Type: "json_schema", Schema: json.RawMessage(schema)}).schemaOf("response_format", false); err == nil || server.ProblemOf(err).Param != "response_format" {
			t.Errorf("%s was taken: %v", name, err)
		}
	}
}

// TestSchemaOverHTTP: both protocols have a place for the answer in its form and for the refusal, streamed, whole and read again.
func TestSchemaOverHTTP(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`
	for message, w := range map[string]struct{ content, refusal string }{
		"table": {`{\"a\":7}`, ""},
		"hello": {"", "The answer has no table that could be put into the schema. It is: You said: hello"},
	} {
		for _, streamed := range []string{"false", "true"} {
			_, h, runs := newTest(t)
			_, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"stream":`+streamed+`,"messages":[{"role":"user","content":"`+message+`"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":`+schema+`}}}`)
			if w.content != "" && !strings.Contains(body, `"content":"`+w.content+`"`) || w.refusal != "" && !strings.Contains(body, `"refusal":"`+w.refusal+`"`) {
				t.Errorf("%s, streamed %s: %s", message, streamed, body)
			}
			if req := runs.ByID["run_1"].Req; req.MaxRows != form.MaxRows || req.Summarize != "off" {
				t.Errorf("asked: %+v", req)
			}
			_, _, body = servertest.Ask(t, "POST", h.URL+"/v1/responses", `{"stream":`+streamed+`,"input":"`+message+`","text":{"format":{"type":"json_schema","name":"x","strict":true,"schema":`+schema+`}}}`)
			if w.content != "" && !strings.Contains(body, `"text":"`+w.content+`"`) || w.refusal != "" && !strings.Contains(body, `"refusal":"`+w.refusal+`"`) {
				t.Errorf("%s, response, streamed %s: %s", message, streamed, body)
			}
		}
	}
}

// TestNotesBesideJSON: what a reader must know of an answer that is JSON, such as a field that was left out, stands beside it in both protocols, whole and
// streamed: the text has no room for it. Where people read the answer there is no such field.
func TestNotesBesideJSON(t *testing.T) {
	const (
		object  = `{"type":"object","properties":{"a":{"type":"integer"},"country":{"type":"string"}},"required":["a"]}`
		note    = "Left out of the asked schema, as no column is called so: country."
		beside  = `"catena":{"notes":["` + note + `"]}`
		message = `"messages":[{"role":"user","content":"table"}]`
	)
	for name, c := range map[string]struct {
		path, body string
		want       bool
	}{
		"a schema":          {completionsPath, `{` + message + `,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":` + object + `}}}`, true},
		"JSON":              {completionsPath, `{` + message + `,"response_format":{"type":"json_object"}}`, true},
		"text":              {completionsPath, `{` + message + `}`, false},
		"a response's form": {"/v1/responses", `{"input":"table","text":{"format":{"type":"json_schema","name":"x","schema":` + object + `}}}`, true},
		"a response's JSON": {"/v1/responses", `{"input":"table","text":{"format":{"type":"json_object"}}}`, true},
		"a response's text": {"/v1/responses", `{"input":"table"}`, false},
	} {
		for _, streamed := range []string{"false", "true"} {
			_, h, runs := newTest(t)
			runs.Notes = []string{note}
			_, _, got := servertest.Ask(t, "POST", h.URL+c.path, `{"stream":`+streamed+`,`+c.body[1:])
			if n := strings.Count(got, beside); (n == 1) != c.want || n > 1 {
				t.Errorf("%s, streamed %s: %d times in %s", name, streamed, n, got)
			}
		}
	}
}
