package sql

import (
	"os"
	"strings"
	"testing"

	"catena/query"
)

// No text may make the reader panic, and what it makes without a finding is a query that can be checked.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/lower.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		statement, _, _ := strings.Cut(block, "\n")
		f.Add(statement)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []Dialect{DialectSQLite, DialectPostgreSQL} {
			q, findings, err := Parse(text, tables, Options{Now: noon, Dialect: d})
			if err != nil {
				if e, is := AsError(err); !is || e.Line < 1 || e.Column < 1 {
					t.Fatalf("%v has no place", err)
				}
				continue
			}
			if len(findings) > maxFindings {
				t.Fatalf("%d findings", len(findings))
			}
			query.Check(q, tables)
		}
	})
}

// What many uses of WITH, long lists, deep nesting and wide stars make is bounded.
func TestParseMeaningIsBounded(t *testing.T) {
	doubling := "WITH a0 AS (SELECT id FROM clients)"
	for i := 1; i < 40; i++ {
		a, b := string(rune('a'+i%26)), string(rune('a'+(i-1)%26))
		if i >= 26 {
			a += a
		}
		if i > 26 {
			b += b
		}
		doubling += ", " + a + "0 AS (SELECT x.id FROM " + b + "0 x JOIN " + b + "0 y ON x.id = y.id)"
	}
	_, findings, err := Parse(doubling+" SELECT * FROM nn0", tables, Options{})
	if err != nil || len(findings) == 0 {
		t.Errorf("doubling: %v, %v", findings, err)
	}
	for name, text := range map[string]string{
		"in":     "SELECT id FROM clients WHERE id IN (1" + strings.Repeat(",1", 7000) + ")",
		"when":   "SELECT CASE" + strings.Repeat(" WHEN id=1 THEN 2", 1500) + " END FROM clients",
		"and":    "SELECT id FROM clients WHERE id=1" + strings.Repeat(" AND id=1", 4000),
		"or":     "SELECT id FROM clients WHERE id=1" + strings.Repeat(" OR (id=1 AND id=2)", 1500),
		"nested": "SELECT " + strings.Repeat("(SELECT ", 90) + "1" + strings.Repeat(")", 90),
		"exists": "SELECT 1" + strings.Repeat(" WHERE EXISTS (SELECT 1 FROM clients", 50) + strings.Repeat(")", 50),
		"list":   "SELECT id" + strings.Repeat(", SUM(id)", 3000) + " FROM clients GROUP BY id",
		"sums":   "SELECT id" + sums(1500) + " FROM clients GROUP BY id",
		"sort":   "SELECT DISTINCT id FROM clients ORDER BY id" + strings.Repeat(", id", 5000),
		"alias":  "SELECT 1 AS a0" + aliases(60) + " FROM clients",
	} {
		if _, _, err := Parse(text, tables, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sums are different aggregates.
func sums(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(", SUM(id+" + strings.Repeat("1", 1+i%9) + "." + strings.Repeat("2", 1+i/9%9) + strings.Repeat("3",
			i/81) + ")")
	}
	return b.String()
}

// aliases are columns that each read the one before twice.
func aliases(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		a, before := "a"+strings.Repeat("x", i), "a"+strings.Repeat("x", i-1)
		if i == 1 {
			before = "a0"
		}
		b.WriteString(", " + before + "+" + before + " AS " + a)
	}
	return b.String()
}
