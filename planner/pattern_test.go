package planner

import (
	"encoding/json"
	"testing"

	"catena/planner/plan"
)

// regions are values of one column; "berlin" is one of another.
var regions = values{
	"usa": {{Table: "clients", Column: "region", Value: "USA", Match: plan.Exact}}, "american": {{Table: "clients", Column: "region", Value: "USA", Match: plan.Synonym}},
	"france": {{Table: "clients", Column: "region", Value: "France", Match: plan.Exact}}, "north rhine": {{Table: "clients", Column: "region", Value: "North-Rhine", Match: plan.Exact}},
	"berlin": {{Table: "clients", Column: "city", Value: "Berlin", Match: plan.Exact}}, "spain": {{Table: "clients", Column: "region", Value: "Spain and more", Match: plan.Prefix}},
}

// TestPatterns: after one plan, which messages are answered by it, and with what.
func TestPatterns(t *testing.T) {
	const ranged = `{"title":"top 5 clients, usa, 2025","steps":[{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},{"id":"s2","tool":"query_table","args":{"table":"clients","filter":[{"column":"day","op":"ge","value":"2025-01-01"},{"column":"day","op":"lt","value":"2026-01-01"}]}}]}`
	const monthly = `{"steps":[{"id":"s1","tool":"query_table","args":{"table":"clients","filter":[{"column":"day","op":"between","value":["2024-02-01","2024-02-29"]},{"column":"region","op":"eq","value":"usa"}]}}]}`
	const counted = `{"steps":[{"id":"s1","tool":"query_table","args":{"table":"clients","filter":[{"column":"day","op":"in","value":["2025","2024"]}]}}]}`
	tests := map[string]struct {
		first, plan, second, want string // want is the second's plan, "" when the planner is asked
	}{
		"all of it":         {"Top 5 clients in USA, 2025?", ranged, "top 12 clients in North Rhine, 2023?", `{"title":"top 12 clients, North Rhine, 2023","steps":[{"id":"s1","tool":"get_top_clients","args":{"limit":12,"region":"North-Rhine"}},{"id":"s2","tool":"query_table","args":{"filter":[{"column":"day","op":"ge","value":"2023-01-01"},{"column":"day","op":"lt","value":"2024-01-01"}],"table":"clients"}}]}`},
		"a month":           {"usa in February 2024", monthly, "american in March 2023", `{"steps":[{"id":"s1","tool":"query_table","args":{"filter":[{"column":"day","op":"between","value":["2023-03-01","2023-03-31"]},{"column":"region","op":"eq","value":"USA"}],"table":"clients"}}]}`},
		"another word":      {"Top 5 clients in USA, 2025?", ranged, "worst 5 clients in USA, 2025?", ""},
		"another column":    {"Top 5 clients in USA, 2025?", ranged, "top 5 clients in Berlin, 2025?", ""},
		"no value":          {"Top 5 clients in USA, 2025?", ranged, "top 5 clients in Spain, 2025?", ""},
		"another time":      {"Top 5 clients in USA, 2025?", ranged, "top 5 clients in USA, 2025-03?", ""},
		"more slots":        {"Top 5 clients in USA, 2025?", ranged, "top 5 clients in USA, 2025? 7", ""},
		"counted times":     {"clients 2025 against the year before", counted, "clients 2023 against the year before", ""},
		"not in the plan":   {"top 5 of 9 clients", topFive, "top 3 of 8 clients", ""},
		"the same not held": {"top 5 of 9 clients", topFive, "top 3 of 9 clients", `{"steps":[{"id":"s1","tool":"get_top_clients","args":{"limit":3,"region":"USA"}}]}`},
		"two in one":        {"usa and american clients", topFive, "france and american clients", ""},
		"not valid":         {"Top 5 clients", `{"steps":[{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}}]}`, "top 5000 clients", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var p plan.Plan
			if err := json.Unmarshal([]byte(tt.plan), &p); err != nil {
				t.Fatal(err)
			}
			inner := &fixed{res: plan.Response{By: "llm", Plan: p}}
			c := &Cached{Planner: inner, Cache: &memory{}}
			var got plan.Response
			for _, message := range []string{tt.first, tt.second} {
				req := request(message)
				req.Values = regions
				req.Tools = append([]plan.Tool{}, crm...)
				req.Tools[0].InputSchema = json.RawMessage(`{"type":"object","properties":{"region":{"type":"string"},"limit":{"type":"integer","maximum":100}}}`)
				req.Tables[0].Columns = append(req.Tables[0].Columns, plan.ColumnInfo{Name: "day", Type: "date"}, plan.ColumnInfo{Name: "city", Type: "text"})
				var err error
				if got, err = c.Plan(t.Context(), req); err != nil {
					t.Fatal(err)
				}
			}
			if tt.want == "" {
				if got.By != "llm" || inner.ran != 2 {
					t.Errorf("by %s: %+v", got.By, got.Plan)
				}
				return
			}
			raw, err := json.Marshal(got.Plan)
			if err != nil || got.By != "cache" || inner.ran != 1 || string(raw) != tt.want {
				t.Errorf("by %s %v:\n%s\nwant\n%s", got.By, err, raw, tt.want)
			}
		})
	}
}

func FuzzShapeOf(f *testing.F) {
	f.Add("Top 5 clients in USA, 2025?", "March 2024 \x00number\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, slots := shapeOf(t.Context(), plan.Request{Message: a, Values: regions})
		two, others := shapeOf(t.Context(), plan.Request{Message: b, Values: regions})
		if one == two && len(slots) != len(others) {
			t.Errorf("%q and %q have one shape and different slots", a, b)
		}
		for _, s := range slots {
			if s.holds(s.as(1)) == 0 && s.as(1) != "" {
				t.Errorf("%+v does not hold itself", s)
			}
		}
	})
}
