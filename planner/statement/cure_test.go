package statement

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"catena/planner/plan"
)

// tickets are listed with all values of a column.
var tickets = Tables{{Name: "tickets", Trusted: true, Columns: []plan.ColumnInfo{
	{Name: "status", Type: "text", Distinct: 2, Values: []string{"open", "closed"}},
	{Name: "desk", Type: "text", Distinct: 9, Values: []string{"North"}},
	{Name: "minutes", Label: "Response Time", Type: "integer"}}}}

type found map[string][]plan.Hit

func (f found) Find(_ context.Context, phrase string) []plan.Hit { return f[strings.ToLower(phrase)] }

var inTickets = World{Tool: "query_table", Tables: tickets, Now: now, Values: found{
	"open":  {{Table: "tickets", Column: "status", Value: "open", Match: plan.Exact}},
	"north": {{Value: "North"}, {Value: "NORTH"}},
}, Tools: []plan.Tool{{Name: "load", OutputSchema: json.RawMessage(`{"properties":{"rows":{"items":{"properties":{"net_usd":{},"who":{}}}}}}`)}}}

// What is written for other databases, in another case, or twice, has one reading.
func TestCures(t *testing.T) {
	load := plan.Step{ID: "s1", Tool: "load", Args: map[string]any{}}
	tests := map[string]struct {
		args   map[string]any
		sql    string // what becomes of the statement; "" for what it was
		tables string // which names have which step
	}{
		"top":                     {args: map[string]any{"sql": "select top (5) status from tickets;"}, sql: "SELECT status from tickets LIMIT 5"},
		"top and limit":           {args: map[string]any{"sql": "SELECT TOP 5 status FROM tickets LIMIT 3"}},
		"top of one part":         {args: map[string]any{"sql": "SELECT TOP 5 status FROM tickets UNION SELECT 1"}},
		"a schema":                {args: map[string]any{"sql": `SELECT status FROM public.tickets`}, sql: `SELECT status FROM tickets`},
		"another's schema":        {args: map[string]any{"sql": `SELECT status FROM public.orders`}},
		"a column of a table":     {args: map[string]any{"sql": `SELECT tickets.status FROM tickets`}},
		"a value's case":          {args: map[string]any{"sql": `SELECT 1 FROM tickets WHERE status = 'Open' OR status IN ('x', 'OPEN')`}, sql: `SELECT 1 FROM tickets WHERE status = 'open' OR status IN ('x', 'open')`},
		"a label":                 {args: map[string]any{"sql": `SELECT CASE WHEN minutes > 1 THEN 'Open' END FROM tickets`}},
		"two spellings":           {args: map[string]any{"sql": `SELECT 1 FROM tickets WHERE desk = 'north'`}},
		"data beside":             {args: map[string]any{"sql": `SELECT who FROM data`, "data": plan.Ref{Step: "s1"}}, tables: "data=s1"},
		"a table beside":          {args: map[string]any{"sql": `SELECT status FROM tickets`, "table": "tickets"}},
		"a step's table":          {args: map[string]any{"sql": `SELECT who FROM public.s1`}, sql: `SELECT who FROM s1`, tables: "s1=s1"},
		"a step's promised names": {args: map[string]any{"sql": `SELECT SUM("Net USD") FROM s1`}, sql: `SELECT SUM("net_usd") FROM s1`, tables: "s1=s1"},
		"a step's other names":    {args: map[string]any{"sql": `SELECT gross FROM s1`}, tables: "s1=s1"},
		"tables of no form":       {args: map[string]any{"sql": `SELECT who FROM s1`, "tables": "s1"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			was := fmt.Sprint(tt.args)
			p, _ := inTickets.Mend(t.Context(), plan.Plan{Steps: []plan.Step{load, {ID: "s2", Tool: "query_table", Args: tt.args}}})
			args := p.Steps[1].Args
			if tt.sql == "" {
				tt.sql = tt.args["sql"].(string)
			}
			if args["sql"] != tt.sql || args["data"] != nil || args["table"] != nil {
				t.Errorf("arguments %v, want %s", args, tt.sql)
			}
			tables, _ := args["tables"].(map[string]any)
			var got []string
			for name, ref := range tables {
				got = append(got, fmt.Sprintf("%s=%s", name, ref.(plan.Ref).Step))
			}
			if strings.Join(got, " ") != tt.tables {
				t.Errorf("tables %v, want %s", got, tt.tables)
			}
			if fmt.Sprint(tt.args) != was {
				t.Error("the arguments that were given changed")
			}
		})
	}
}

// Aggregates and orders are written in many ways that each mean one thing.
func TestMendGrammar(t *testing.T) {
	for given, want := range map[string]string{
		`{"select":[{"expr":"avg","column":"x"}]}`:              `{"select":[{"column":"x","expr":"mean"}]}`,
		`{"select":["a","count(*)","SUM( x ) AS total"]}`:       `{"select":["a",{"expr":"count"},{"as":"total","column":"x","expr":"sum"}]}`,
		`{"select":["count(distinct x)"]}`:                      `{"select":[{"column":"x","expr":"count_distinct"}]}`,
		`{"select":["f(x)","Price (USD)"]}`:                     `{"select":["f(x)","Price (USD)"]}`,
		`{"order_by":["x desc","-y","z"]}`:                      `{"order_by":[{"column":"x","desc":true},{"column":"y","desc":true},"z"]}`,
		`{"order_by":[{"column":"x","direction":"ascending"}]}`: `{"order_by":[{"column":"x","desc":false}]}`,
		`{"order_by":[{"column":"x","direction":"up"}]}`:        `{"order_by":[{"column":"x","direction":"up"}]}`,
		`{"order_by":"x desc"}`:                                 `{"order_by":"x desc"}`,
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(given), &args); err != nil {
			t.Fatal(err)
		}
		got, _ := mendGrammar(args)
		text, err := json.Marshal(got)
		if err != nil || string(text) != want {
			t.Errorf("%s\ngot  %s\nwant %s", given, text, want)
		}
	}
}

// What no row can meet, and columns that are not there, are findings in both forms.
func TestLacking(t *testing.T) {
	for given, want := range map[string]string{
		`{"sql":"SELECT 1 FROM tickets WHERE status = 'opened'"}`:                           `no row has "opened" in status; its values are "open", "closed"`,
		`{"sql":"SELECT 1 FROM tickets WHERE status <> 'opened' OR desk = 'South'"}`:        "",
		`{"table":"tickets","filter":[{"column":"status","op":"eq","value":"opened"}]}`:     `no row has "opened"`,
		`{"table":"tickets","filter":[{"column":"Status","op":"eq","value":"OPEN"}]}`:       "",
		`{"table":"tickets","group_by":["state"]}`:                                          `there is no column "state" in tickets; its columns are status, desk, minutes`,
		`{"table":"tickets","select":["Response Time",{"expr":"mean","column":"minutes"}]}`: "",
		`{"table":"tickets","group_by":["state"],"join":[]}`:                                "",
		`{"table":"nowhere","group_by":["state"]}`:                                          "",
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(given), &args); err != nil {
			t.Fatal(err)
		}
		findings := inTickets.Check(plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: args}}})
		if want == "" && len(findings) > 0 || want != "" && (len(findings) != 1 || !strings.Contains(findings[0].Message, want)) {
			t.Errorf("%s: %v, want %q", given, findings, want)
		}
	}
}
