package statement

import (
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
)

var now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

var sales = Tables{
	{Name: "sales", Columns: []plan.ColumnInfo{
		{Name: "region", Type: "text"}, {Name: "revenue_usd", Type: "decimal", Unit: "USD"}, {Name: "day", Type: "date"}}},
	{Name: "regions", Columns: []plan.ColumnInfo{{Name: "region", Type: "text"}, {Name: "Head Office", Type: "text"}}},
}

func TestRewrite(t *testing.T) {
	names := Names{
		Name: func(name string) (string, bool) {
			to := map[string]string{"col_1": `a "b"`, "table_1": "x; DROP"}[name]
			return to, to != ""
		},
		Value: func(text string, bare bool) (string, bool) {
			return "it's", text == "value_1" || !bare && text == "it's"
		},
	}
	for text, want := range map[string]string{
		`SELECT col_1 FROM table_1`:                      `SELECT "a ""b""" FROM "x; DROP"`,
		`SELECT "col_1", t.col_1 x FROM t`:               `SELECT "a ""b""", t."a ""b""" x FROM t`,
		"SELECT `col_1`, [col_1], a[1], col_12":          `SELECT "a ""b""", "a ""b""", a[1], col_12`,
		`WHERE a = 'value_1' AND b = value_1`:            `WHERE a = 'it''s' AND b = 'it''s'`,
		`WHERE a = 'it''s' OR a = E'it\'s'`:              `WHERE a = 'it''s' OR a = 'it''s'`,
		`WHERE a = 'col_1 -- no' -- col_1`:               `WHERE a = 'col_1 -- no'  `,
		"SELECT 1 -- col_1\n, col_1 /* 'col_1 */ FROM é": "SELECT 1  \n, \"a \"\"b\"\"\"   FROM é",
		`SELECT 'open`:   `SELECT 'open`,
		`SELECT "open`:   `SELECT "open`,
		`SELECT /* open`: `SELECT  `,
		``:               ``,
	} {
		if got := Rewrite(text, names); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", text, got, want)
		}
	}
}

func step(id, text string, tables map[string]any) plan.Step {
	args := map[string]any{"sql": text}
	if tables != nil {
		args["tables"] = tables
	}
	return plan.Step{ID: id, Tool: "query_table", Args: args}
}

func TestCheck(t *testing.T) {
	first := step("s1", "SELECT region, SUM(revenue_usd) AS total FROM sales GROUP BY region", nil)
	ref := map[string]any{"s1": plan.Ref{Step: "s1"}}
	tests := map[string]struct {
		steps []plan.Step
		want  string // in the one finding; "" for none
		code  plan.Code
	}{
		"right":            {[]plan.Step{first}, "", ""},
		"a step's columns": {[]plan.Step{step("s2", "SELECT total FROM s1", ref), first}, "", ""},
		"not a step's":     {[]plan.Step{step("s2", "SELECT totals FROM s1", ref), first}, "total", plan.UnknownOutputField},
		"unknown step":     {[]plan.Step{step("s2", "SELECT x FROM s1", map[string]any{"s1": plan.Ref{Step: "s9"}})}, "", ""},
		"part of a step":   {[]plan.Step{first, step("s2", "SELECT x FROM s1", map[string]any{"s1": plan.Ref{Step: "s1", Path: []plan.Seg{{Field: "rows"}}}})}, "", ""},
		"another name":     {[]plan.Step{step("s1", "SELECT region FROM s", map[string]any{"s": "sales"})}, "", ""},
		"records":          {[]plan.Step{step("s1", "SELECT region FROM s", map[string]any{"s": []any{}})}, "", ""},
		"a handle":         {[]plan.Step{step("s1", "SELECT region FROM tbl_abc", nil)}, "", ""},
		"unknown column":   {[]plan.Step{step("s1", "SELECT regoin FROM sales", nil)}, "did you mean region", plan.UnknownOutputField},
		"unknown table":    {[]plan.Step{step("s1", "SELECT region FROM sale", nil)}, "did you mean sales", plan.UnknownOutputField},
		"no grammar":       {[]plan.Step{step("s1", "SELECT FROM", nil)}, "cannot be read", plan.Syntax},
		"wrong type":       {[]plan.Step{step("s1", "SELECT day + day FROM sales", nil)}, "", plan.TypeMismatch},
		"two statements":   {[]plan.Step{step("s1", "SELECT 1; DROP TABLE sales", nil)}, "cannot be read", plan.Syntax},
		"another tool":     {[]plan.Step{{ID: "s1", Tool: "other", Args: map[string]any{"sql": "SELECT"}}}, "", ""},
		"steps that wait":  {[]plan.Step{step("s1", "SELECT a FROM s2", map[string]any{"s2": plan.Ref{Step: "s2"}}), step("s2", "SELECT a FROM s1", ref)}, "", ""},
		"no text":          {[]plan.Step{{ID: "s1", Tool: "query_table", Args: map[string]any{"sql": 1}}}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := World{Tool: "query_table", Tables: sales, Now: now}.Check(plan.Plan{Steps: tt.steps})
			if tt.code == "" && len(found) > 0 || tt.code != "" && (len(found) != 1 || found[0].Code != tt.code) {
				t.Fatalf("findings %v", found)
			}
			if tt.code != "" && (!strings.Contains(found[0].Message, tt.want) || !strings.HasPrefix(found[0].Path, "/steps/") || found[0].Step == "") {
				t.Errorf("finding %+v", found[0])
			}
		})
	}
}

func TestMend(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"another spelling":        {"SELECT Region, SUM(RevenueUSD) FROM Sales GROUP BY Region", `SELECT Region, SUM("revenue_usd") FROM Sales GROUP BY Region`},
		"in quotes":               {`SELECT "Revenue USD" FROM sales`, `SELECT "revenue_usd" FROM sales`},
		"of its table":            {`SELECT r.head_office FROM regions r`, `SELECT r."Head Office" FROM regions r`},
		"a fence":                 {"```sql\nSELECT region FROM sales\n```", "SELECT region FROM sales"},
		"a text in double quotes": {`SELECT region FROM sales WHERE region = "USA"`, ""},
		"another word":            {"SELECT revenue FROM sales", ""},
		"half":                    {"SELECT RevenueUSD, profit FROM sales", ""},
		"a text":                  {"SELECT region FROM sales WHERE region = 'RevenueUSD'", ""},
		"right":                   {"SELECT region FROM sales", ""},
		"no grammar":              {"SELECT FROM RevenueUSD", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			was := plan.Plan{Steps: []plan.Step{step("s1", tt.text, nil)}}
			p, done := World{Tool: "query_table", Tables: sales, Now: now}.Mend(t.Context(), was)
			if tt.want == "" {
				tt.want = tt.text
			}
			if got := p.Steps[0].Args["sql"]; got != tt.want || (len(done) > 0) != (tt.want != tt.text) {
				t.Errorf("got  %s (%v)\nwant %s", got, done, tt.want)
			}
			if was.Steps[0].Args["sql"] != tt.text {
				t.Error("the plan that was given changed")
			}
		})
	}
	twice := Tables{{Name: "t", Columns: []plan.ColumnInfo{{Name: "a_b", Type: "text"}, {Name: "ab", Type: "text"}}}}
	if p, done := (World{Tool: "query_table", Tables: twice, Now: now}).Mend(t.Context(), plan.Plan{Steps: []plan.Step{step("s1", "SELECT A_B_ FROM t", nil)}}); len(done) > 0 {
		t.Errorf("two columns are alike, and one was taken: %v", p.Steps[0].Args)
	}
}

// FuzzRewrite: what has no names to change keeps its words, comments apart.
func FuzzRewrite(f *testing.F) {
	f.Add(`SELECT "a""b", 'it''s' FROM [t] -- x`)
	f.Add("E'\\'' /* */ `a`")
	f.Fuzz(func(t *testing.T, text string) {
		got := Rewrite(text, Names{})
		if !strings.Contains(text, "--") && !strings.Contains(text, "/*") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
