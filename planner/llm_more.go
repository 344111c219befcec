package planner

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"catena/internal/lru"
	"catena/planner/plan"
	"catena/planner/wireschema"
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

// addSchemas gives a prompt the schemas of its answer. Servers take one or another.
func (b *brief) addSchemas(p *Prompt) {
	tools := make([]wireschema.Tool, len(b.shown))
	for i, t := range b.shown {
		tools[i] = wireschema.Tool{Name: t.Name, Args: t.InputSchema}
		if t.Name == tableTool && takesSQL(t) {
			tools[i].Only = []string{sqlArgument}
		}
	}
	p.Schema = planSchema(b.Hidden)
	made := schemas.At(schemasKey(tools, b.Hidden), func() (made [2]json.RawMessage) {
		made[0], made[1] = schemasOf(tools, b.Hidden)
		return made
	})
	p.ByTool, p.Strict = made[0], made[1]
}

// schemas are the last ones that were made: most questions of a program are planned with the same tools, and to write their
// schemas takes longer than all else of a prompt. Two of them are 120 kB at most.
var schemas = lru.New[[sha256.Size]byte, [2]json.RawMessage](32)

// schemasKey tells tools apart by all that their schemas are made of.
func schemasKey(tools []wireschema.Tool, hidden int) (key [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintln(h, hidden > 0)
	for _, t := range tools {
		fmt.Fprintf(h, "%q %q %d %s\n", t.Name, t.Only, len(t.Args), t.Args)
	}
	return [sha256.Size]byte(h.Sum(key[:0]))
}

// ProbePrompt is a short prompt that asks for JSON as a plan's prompt does: by what is refused of it, a Completer
// learns how its endpoint is to be asked.
func ProbePrompt() Prompt {
	const most = 200 // tokens
	byTool := exampleSchemas()
	return Prompt{Schema: planSchema(1), ByTool: byTool[0], Strict: byTool[1], MaxTokens: most,
		Messages: []Message{{Role: "user", Text: `Answer with the JSON {"refuse":"ok"} and nothing else.`}}}
}

func schemasOf(tools []wireschema.Tool, hidden int) (byTool, strict json.RawMessage) {
	o := wireschema.Options{}
	if hidden > 0 {
		o.More = moreField
	}
	byTool = wireschema.Plans(tools, o)
	o.Strict = true
	return byTool, wireschema.Plans(tools, o)
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
