package chat

import (
	"context"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
)

func TestTakeTables(t *testing.T) {
	const question = "total pop by city"
	for name, pasted := range map[string]string{
		"markdown":   "|City|Pop|\n|---|---:|\n|Kiel|3|\n|Ulm|4|",
		"tabs":       "City\tPop\nKiel\t3\nUlm\t4",
		"semicolons": "City;Pop\nKiel;3\nUlm;4",
		"commas":     "City,Pop\nKiel,3\nUlm,4",
		"csv fence":  "```csv\nCity,Pop\nKiel,3\nUlm,4\n```",
		"fence":      "```\nCity,Pop\nKiel,3\nUlm,4\n```",
		"json fence": "```json\n[{\"City\":\"Kiel\",\"Pop\":3},{\"City\":\"Ulm\",\"Pop\":4}]\n```",
		"json":       `[{"City":"Kiel","Pop":3},{"City":"Ulm","Pop":4}]`,
		"json lines": "{\"City\":\"Kiel\",\"Pop\":3}\n{\"City\":\"Ulm\",\"Pop\":4}",
		"psql":       " City | Pop\n------+-----\n Kiel |   3\n Ulm  |   4",
		"mysql":      "+------+-----+\n| City | Pop |\n+------+-----+\n| Kiel |   3 |\n| Ulm  |   4 |\n+------+-----+",
		"psql foot":  " City | Pop\n------+-----\n Kiel |   3\n Ulm  |   4\n(2 rows)",
		"mysql foot": "+------+-----+\n| City | Pop |\n+------+-----+\n| Kiel |   3 |\n| Ulm  |   4 |\n+------+-----+\n2 rows in set (0.00 sec)",
		"psql plain": " City   Pop\n -----  ---\n Kiel     3\n Ulm      4\n\n(2 rows)\n\nTime: 1.234 ms",
		"boxes":      "┌──────┬─────┐\n│ City │ Pop │\n├──────┼─────┤\n│ Kiel │   3 │\n│ Ulm  │   4 │\n└──────┴─────┘",
		"spaces":     "City  Pop\nKiel    3\nUlm     4",
		"box fence":  "```\n┌──────┬─────┐\n│ City │ Pop │\n├──────┼─────┤\n│ Kiel │   3 │\n│ Ulm  │   4 │\n└──────┴─────┘\n```",
		"html":       "<table><tr><th>City</th><th>Pop</th></tr><tr><td>Kiel</td><td>3</td></tr><tr><td>Ulm</td><td>4</td></tr></table>",
	} {
		for at, message := range map[string]string{"below": question + "\n" + pasted, "above": pasted + "\n\n" + question, "between": "Hi, I have this table:\n\n" + pasted + "\n" + question} {
			rest, found := TakeTables(message)
			if len(found) != 1 {
				t.Errorf("%s, %s: %d tables in %q", name, at, len(found), message)
				continue
			}
			got, err := load.Tables(found[0].Data, found[0].Name, table.Limits{})
			if err != nil || got[0].Table.NumRows() != 2 || got[0].Table.NumCols() != 2 || got[0].Table.Column(0).Name != "City" {
				t.Errorf("%s, %s: %v %v", name, at, err, got)
			}
			if want := question; at != "between" && rest != want {
				t.Errorf("%s, %s: left %q, want %q", name, at, rest, want)
			}
		}
	}
}

func TestTakeTablesLeavesProse(t *testing.T) {
	for _, message := range []string{
		"top 5 clients by revenue", "hello world", "Hi,\nI want the total.", "Hello, please add these up\nThanks, and do it by region",
		"total revenue\nby region", "```sql\nselect a, b\nfrom t\n```", "what is [this] about?", `find {"a"`, "a|b", "revenue in USA, Germany and France",
	} {
		if rest, found := TakeTables(message); len(found) > 0 || rest != message {
			t.Errorf("%q: %d tables, left %q", message, len(found), rest)
		}
	}
}

func FuzzTakeTables(f *testing.F) {
	f.Add("total\na,b\n1,2\n3,4")
	f.Add("|a|b|\n|-|-|\n|1|2|")
	f.Add("[{\"a\":1}] <table><tr><td>1</td></tr></table>")
	f.Fuzz(func(t *testing.T, text string) {
		rest, found := TakeTables(text)
		if len(found) == 0 && rest != text {
			t.Errorf("nothing was found in %q and %q is left", text, rest)
		}
		for _, a := range found {
			if _, err := load.Tables(a.Data, a.Name, table.Limits{}); err != nil {
				t.Errorf("%q cannot be read: %v", a.Data, err)
			}
		}
	})
}

func TestPastedTableIsOfTheTurn(t *testing.T) {
	w := newWorld(t)
	w.opts.Tables = chattest.TablesOf{{Name: "clients", Rows: 112}, {Name: "pasted", Handle: "pasted", Rows: 2, Source: "upload"}}
	for message, want := range map[string]string{"top\n\nCity;Pop\nKiel;3\nUlm;4": "top", "City;Pop\nKiel;3\nUlm;4": askedOfPaste} {
		w.Planner.Asked = nil
		if _, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: message}, nil); err != nil {
			t.Fatal(err)
		}
		if asked := w.Planner.Asked[0]; asked.Message != want || !asked.Tables[1].Attached || asked.Tables[0].Attached {
			t.Errorf("asked %q of %+v", asked.Message, asked.Tables)
		}
	}
}

// TestTablesBesideCalls: the arguments of a call that a message writes out are no pasted table, wherever they stand; a
// table beside the call is.
func TestTablesBesideCalls(t *testing.T) {
	tools := []plan.Tool{{Name: "get_rows", InputSchema: []byte(`{"type":"object","properties":{"rows":{"type":"array"},"limit":{"type":"integer"}}}`)}}
	const pasted = "City,Pop\nKiel,3\nUlm,4"
	for message, want := range map[string]struct {
		tables int
		rest   string
	}{
		`call get_rows {"limit": 3}`:                            {0, `call get_rows {"limit": 3}`},
		"get_rows {\n\"limit\": 3,\n\"rows\": [{\"a\": 1}]}":    {0, "get_rows {\n\"limit\": 3,\n\"rows\": [{\"a\": 1}]}"},
		"get_rows limit=3\n\n" + pasted:                         {1, "get_rows limit=3"},
		pasted + "\n\ncall get_rows {\"limit\": 3}":             {1, `call get_rows {"limit": 3}`},
		"get_rows\n```json\n{\"limit\": 3}\n```\n" + pasted:     {1, "get_rows\n```json\n{\"limit\": 3}\n```"},
		`[{"City":"Kiel","Pop":3}] how many rows has get_rows?`: {1, "how many rows has get_rows?"},
		`call get_rows for Kiel and {"limit": 3}`:               {0, `call get_rows for Kiel and {"limit": 3}`},
		`get_rows {"rows": []}, {"LIMIT": 3}`:                   {0, `get_rows {"rows": []} , {"LIMIT": 3}`},
		`{"limit": 3} for get_rows`:                             {0, `{"limit": 3} for get_rows`},
		`call get_rows for {"City": "Kiel", "limit": 3}`:        {1, "call get_rows for"},
		`what is in {"limit": 3}?`:                              {1, "what is in \n?"},
	} {
		rest, found := tablesBeside(message, plan.FindInvocations(message, tools))
		if len(found) != want.tables || rest != want.rest {
			t.Errorf("%q: %d tables, left %q, want %d, %q", message, len(found), rest, want.tables, want.rest)
		}
	}
}

// JSON in a message that no step of the plan reads is asked about: it may restrict the call that it stands beside.
func TestUnusedBraces(t *testing.T) {
	w := newWorld(t)
	w.opts.Tables = chattest.TablesOf{{Name: "pasted", Handle: "pasted", Rows: 1, Source: "upload"}}
	for table, want := range map[string]string{"pasted": OutcomeAnswer, "others": OutcomeClarify} {
		step := plan.Step{ID: "s1", Tool: "get_top_clients", Args: map[string]any{"table": table}}
		tn := &turn{braces: []braced{{[]string{"pasted", "tbl_1"}, `{"region":"USA"}`}}}
		outcome := OutcomeAnswer
		if tn.unusedBraces(plan.Plan{Steps: []plan.Step{step}}) != "" {
			outcome = OutcomeClarify
		}
		if outcome != want {
			t.Errorf("%s: %s", table, outcome)
		}
	}
	got, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: `top {"region": "USA"}`}, nil)
	if err != nil || got.Outcome != OutcomeClarify || len(got.ToolsExecuted) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
