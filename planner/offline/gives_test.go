package offline

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

// library is a catalogue whose tools take each other's ids: books have an author and a publisher, loans a book and a reader.
func library() []plan.Tool {
	read := func(name, desc, props, required string) plan.Tool {
		return plan.Tool{Name: name, Description: desc, ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{` + props + `},"required":[` + required + `]}`)}
	}
	renew := read("loans_renew", "Renew a loan.", `"id":{"type":"string","description":"loan id"},"period":{"type":"string","enum":["short","long"]}`, `"id"`)
	renew.ReadOnly = false
	return []plan.Tool{
		read("readers_search", "Find readers by name or branch. Returns rows of id, name, branch, grade.", `"name":{"type":"string","description":"part of the name"},"branch":{"type":"string"},"grade":{"type":"string","enum":["student","senior"]}`, ``),
		read("readers_get", "Get one reader by id.", `"id":{"type":"string","description":"reader id, e.g. R10"}`, `"id"`),
		read("loans_search", "Search loans by reader, state or clerk.", `"reader_id":{"type":"string","description":"reader id"},"state":{"type":"string","enum":["running","overdue","returned"]},"clerk_id":{"type":"string","description":"employee id of the clerk"}`, ``),
		read("loans_get", "Get one loan by id.", `"id":{"type":"string","description":"loan id, e.g. L100"}`, `"id"`),
		read("employees_search", "Find employees by name.", `"name":{"type":"string","description":"part of the name"}`, ``),
		read("fees_list", "List the fees of a reader: date, amount, reason.", `"reader_id":{"type":"string","description":"reader id"}`, `"reader_id"`),
		renew,
		{Name: queryTool, Toolset: toolkitName, Description: "Query a table", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"data":{}},"required":["data"]}`)},
	}
}

// TestLinks: what a tool needs and the message only names is fetched by the tools that give it, with no step too many.
func TestLinks(t *testing.T) {
	for message, want := range map[string][]string{
		"How many overdue loans does Mira Holt have?": {
			`readers_search {"name":"Mira Holt"}`, `loans_search {"reader_id":{"$ref":"s1.rows[only].id"},"state":"overdue"}`, `query_table {"data":{"$ref":"s2"},"select":[{"as":"count","expr":"count"}]}`,
		},
		"fees of all senior readers": {
			`readers_search {"grade":"senior"}`, `fees_list {"reader_id":{"$ref":"each"}} each s1.rows[*].id`,
		},
		"Which reader has loan L204?": {
			`loans_get {"id":"L204"}`, `readers_get {"id":{"$ref":"s1.rows[only].reader_id"}}`,
		},
		"renew the overdue loan of Mira Holt": {
			`readers_search {"name":"Mira Holt"}`, `loans_search {"reader_id":{"$ref":"s1.rows[only].id"},"state":"overdue"}`, `loans_renew {"id":{"$ref":"s2.rows[only].id"}}`,
		},
		"compare the number of loans of Mira Holt and Jon Park": {
			`readers_search {"name":"Mira Holt"}`, `loans_search {"reader_id":{"$ref":"s1.rows[only].id"}}`, `query_table {"data":{"$ref":"s2"},"select":[{"as":"count","expr":"count"}]}`,
			`readers_search {"name":"Jon Park"}`, `loans_search {"reader_id":{"$ref":"s4.rows[only].id"}}`, `query_table {"data":{"$ref":"s5"},"select":[{"as":"count","expr":"count"}]}`,
		},
		"running loans with reader name": {
			`loans_search {"state":"running"}`, `readers_search {}`, `query_table {"data":{"$ref":"s1"},"join":[{"how":"left","on":[["reader_id","id"]],"table":{"$ref":"s2"}}]}`,
		},
		"loans of Mira Holt that are not returned": {
			`readers_search {"name":"Mira Holt"}`, `loans_search {"reader_id":{"$ref":"s1.rows[only].id"}}`, `query_table {"data":{"$ref":"s2"},"filter":[{"column":"state","op":"ne","value":"returned"}]}`,
		},
	} {
		t.Run(message, func(t *testing.T) {
			res, err := New().Plan(context.Background(), plan.Request{Message: message, Now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC), Tools: library()})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, toldSteps(t, res.Plan)); diff != "" {
				t.Errorf("steps (-want +got):\n%s%s%s", diff, res.Plan.Clarify, res.Plan.Refuse)
			}
		})
	}
}

func toldSteps(t *testing.T, p plan.Plan) []string {
	t.Helper()
	var out []string
	for _, st := range p.Steps {
		args, err := json.Marshal(st.Args)
		if err != nil {
			t.Fatal(err)
		}
		line := st.Tool + " " + string(args)
		if st.Each != nil {
			line += " each " + st.Each.String()
		}
		out = append(out, line)
	}
	return out
}

// TestLinksUnknown: a message that the tools explain only in part is not planned in part.
func TestLinksUnknown(t *testing.T) {
	for _, message := range []string{"overdue loans of Mira Holt with blue covers", "phone number of Mira Holt", "renew it"} {
		res, err := New().Plan(context.Background(), plan.Request{Message: message, Tools: library()})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Plan.Steps) > 0 {
			t.Errorf("%s: %v", message, toldSteps(t, res.Plan))
		}
	}
}
