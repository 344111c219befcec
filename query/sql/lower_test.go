package sql

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"catena/query"
	"catena/table"
)

var update = flag.Bool("update", false, "write testdata/lower.txt anew")

// shop is the catalog of the tests: clients, their orders, and a table with awkward names.
type shop map[string]query.Schema

func (s shop) Schema(name string) (query.Schema, bool) { q, is := s[name]; return q, is }

func (s shop) Tables() []string { return []string{"clients", "orders", "odd one"} }

func col(name string, t table.Type) query.Field {
	return query.Field{Column: table.Column{Name: name, Type: t}}
}

var tables = shop{
	"clients": {col("id", table.Int), col("name", table.Text), col("country", table.Text), col("joined", table.Date)},
	"orders": {col("id", table.Int), col("client_id", table.Int), col("paid", table.Float), col("items", table.Int),
		col("at", table.DateTime), col("open", table.Bool), col("note", table.Text)},
	"odd one": {col("Group", table.Text), col("2nd \"x\"", table.Int)},
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// Each statement of the file stands before its query in JSON, or what is found: lines that begin with "= " and "! ".
func TestLower(t *testing.T) {
	data, err := os.ReadFile("testdata/lower.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		var statement []string
		for _, line := range strings.Split(block, "\n") {
			if !strings.HasPrefix(line, "= ") && !strings.HasPrefix(line, "! ") {
				statement = append(statement, line)
			}
		}
		text := strings.Join(statement, "\n")
		got := text + "\n" + lowerText(t, text) + "\n"
		if !*update && strings.TrimSpace(got) != block {
			t.Errorf("got\n%s\nwant\n%s", got, block)
		}
		out.WriteString(got + "\n")
	}
	if *update {
		if err := os.WriteFile("testdata/lower.txt", []byte(strings.TrimSpace(out.String())+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func lowerText(t *testing.T, text string) string {
	q, findings, err := Parse(text, tables, Options{Now: noon})
	if err != nil {
		return "! " + err.Error()
	}
	var lines []string
	complete := true
	for _, f := range findings {
		lines = append(lines, "! "+f.Code+" "+f.String())
		complete = complete && f.Doubt
	}
	if !complete {
		return strings.Join(lines, "\n")
	}
	_, checked := query.Check(q, tables)
	for _, f := range checked {
		if !f.Doubt {
			t.Errorf("%s\n\tthe query has a fault: %s", text, f)
		}
	}
	out, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append(lines, "= "+string(out)), "\n")
}
