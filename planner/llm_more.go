package planner

import (
	"bytes"
	"encoding/json"
	"strings"

	"catena/planner/plan"
)

// moreField is what a model answers with, in place of a plan, when the tools that it needs are among those left out.
const moreField = "more_tools"

// planSchema is the schema of an answer: a plan, and where tools were left out also a request for more of them.
func planSchema(hidden int) json.RawMessage {
	schema := plan.SchemaForPlans()
	if hidden == 0 {
		return schema
	}
	const properties = `"properties": {`
	field := `"` + moreField + `": {"type": "string", "description": "What the tools that are missing would do, in a few words. Only in place of a plan, and only once."}, `
	return bytes.Replace(schema, []byte(properties), []byte(properties+field), 1)
}

// more answers a model's request for further tools with the ones that fit its words best; they stand in a message of their own,
// so that what the endpoint has cached of the prompt still holds. It reports whether there was such a request. Later ones are
// not answered: Hidden is 0 then.
func (l *LLM) more(text string, b *brief) (Message, bool) {
	wanted := wantedTools(text)
	if wanted == "" {
		return Message{}, false
	}
	chosen := l.choose(wanted+"\n"+b.req.Message, b.without(b.req.Tools), maxFound)
	list := make([]briefTool, 0, len(chosen))
	for _, t := range chosen {
		list = append(list, b.describe(t, foundText, argText))
	}
	answer, err := render("more.md.tpl", list)
	if err != nil {
		return Message{}, false // then it is no plan, and the model is told that
	}
	b.Hidden = 0
	b.shown = append(b.shown, chosen...)
	return Message{Role: "user", Text: answer}, true
}

// maxWanted bounds what a model says of the tools that it misses, in bytes.
const maxWanted = 400

// wantedTools is what a model says that the missing tools do, "" where its answer is anything but a request for more.
func wantedTools(text string) string {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from < 0 || to < from || !strings.Contains(text, moreField) {
		return ""
	}
	var answer struct {
		More    string            `json:"more_tools"`
		Steps   []json.RawMessage `json:"steps"`
		Clarify string            `json:"clarify"`
		Refuse  string            `json:"refuse"`
	}
	if json.Unmarshal([]byte(text[from:to+1]), &answer) != nil || len(answer.Steps) > 0 || answer.Clarify != "" || answer.Refuse != "" {
		return ""
	}
	return shorten(oneLine(answer.More), maxWanted)
}
