package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

func TestOfflineTablesByOddNames(t *testing.T) {
	table := func(name, source string, columns ...string) plan.TableInfo {
		info := plan.TableInfo{Name: name, Source: source, Rows: 5}
		for _, c := range columns {
			info.Columns = append(info.Columns, plan.ColumnInfo{Name: c, Type: "integer", Role: "measure", Min: "1", Max: "9", Distinct: 5})
		}
		return info
	}
	tables := []plan.TableInfo{table("two", "two.csv", "pop"), table("p", "p.csv", "x"), table("t", "t.md", "pop"), table("t_2", "t.md", "price"),
		table("sales", "sales.xlsx", "revenue"), table("sales_Cities", "sales.xlsx", "beds"), table("sales_Hidden", "sales.xlsx", "a")}
	for message, want := range map[string]string{
		"show two":                     `{"table":"two"}`,
		"show p":                       `{"table":"p"}`,
		"Show me the table T_2.":       `{"table":"t_2"}`,
		"show sales":                   `{"table":"sales"}`,
		"show sales.2":                 `{"table":"sales_Cities"}`,
		"count rows of t_2":            `{"select":[{"as":"count","expr":"count"}],"table":"t_2"}`,
		"how many rows does two have?": `{"select":[{"as":"count","expr":"count"}],"table":"two"}`,
		"count rows of t":              `{"select":[{"as":"count","expr":"count"}],"table":"t"}`,
		"total pop in t":               `{"select":[{"column":"pop","expr":"sum"}],"table":"t"}`,
		"total price in t_2":           `{"select":[{"column":"price","expr":"sum"}],"table":"t_2"}`,
		"total beds of sales.2":        `{"select":[{"column":"beds","expr":"sum"}],"table":"sales_Cities"}`,
		"total revenue":                `{"select":[{"column":"revenue","expr":"sum"}],"table":"sales"}`,
		"top two by revenue":           `{"limit":2`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: tables, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.HasPrefix(got, want) {
			t.Errorf("%q gave %s, want %s", message, got, want)
		}
	}
}
