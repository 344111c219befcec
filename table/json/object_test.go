package json_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
)

// jsonShapes are objects with the tables that they hold and the notes that say what was left out.
var jsonShapes = []struct {
	name, text string
	tables     []string // name, columns, rows
	notes      []string // parts of the first table's notes
}{
	{"members beside a wrapper", `{"data":[{"a":1}],"error":"quota","next":null,"meta":{"page":1}}`, []string{"x a:integer 1"},
		[]string{`the member "error" stands beside the table and was not loaded: "quota"`, `the member "meta" stands beside the table and was not loaded: {"page":1}`}},
	{"two lists", `{"orders":[{"a":1},{"a":2}],"clients":[{"b":"x"},{"b":"y"}]}`, []string{"x a:integer 2", "x_clients b:text 2"},
		[]string{`the table is the member "orders"`, `the source has another table, "x_clients", of 2 rows and 1 column`}},
	{"a list beside a wrapper", `{"rows":[{"a":1}],"totals":[{"b":2}]}`, []string{"x a:integer 1", "x_totals b:integer 1"}, nil},
	{"lists in a wrapper", `{"data":{"orders":[{"a":1},{"a":2}],"clients":[{"b":1}]},"status":"ok"}`, []string{"x a:integer 2", "x_clients b:integer 1"}, []string{`"status"`}},
	{"a list of another name", `{"results":[{"a":1}],"count":1}`, []string{"x a:integer 1"}, []string{`the member "count" stands beside the table and was not loaded: 1`}},
	{"one record", `{"results":[{"a":1}]}`, []string{"x a:integer 1"}, nil},
	{"deep", `{"took":3,"hits":{"total":2,"hits":[{"a":1},{"a":2}]}}`, []string{"x a:integer 2"}, []string{`"took"`, `"total"`}},
	{"a record with lists", `{"id":7,"name":"x","phones":[{"n":"1"},{"n":"2"}],"city":"y"}`, []string{"x id:integer name:text phones:json city:text 1"}, nil},
	{"a record's series", `{"client":"x","revenue":[{"m":1,"v":2},{"m":2,"v":3}]}`, []string{"x m:integer v:integer 2"}, []string{`"client"`}},
	{"columns called data", `{"labels":["a","b"],"data":[1,2]}`, []string{"x labels:text data:integer 2"}, nil},
	{"columns by number", `{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}`, []string{"x a:integer b:text 2"}, nil},
	{"rows by name", `{"x":{"a":1},"y":{"a":2},"z":{"a":3}}`, []string{"x key:text a:integer 3"}, []string{"the members of the object are rows"}},
	{"rows by year", `{"2020":{"key":1},"2021":{"key":2},"2022":{"key":3}}`, []string{"x key:integer key_2:integer 3"}, nil},
	{"two months", `{"2026-01":{"rev":10,"cost":5},"2026-02":{"rev":20,"cost":6}}`, []string{"x key:date rev:integer cost:integer 2"}, []string{"the members of the object are rows"}},
	{"two objects", `{"x":{"a":1},"y":{"a":2}}`, []string{"x x.a:integer y.a:integer 1"}, nil},
	{"members beside the wire form", `{"columns":["a"],"rows":[[1]],"row_count":1,"as_of":"2024"}`, []string{"x a:integer 1"}, []string{`"as_of"`}},
}

func TestJSONShapes(t *testing.T) {
	for _, tt := range jsonShapes {
		t.Run(tt.name, func(t *testing.T) {
			found, err := load.Tables([]byte(tt.text), "x.json", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.tables, loadtest.Summaries(found)); diff != "" {
				t.Error(diff)
			}
			notes := strings.Join(found[0].Report.Notes, "\n")
			for _, n := range tt.notes {
				if !strings.Contains(notes, n) {
					t.Errorf("no note %q in\n%s", n, notes)
				}
			}
			if more := found[0].Report.More; len(more) != len(found)-1 {
				t.Errorf("the report names %d further tables, want %d", len(more), len(found)-1)
			}
		})
	}
}

// TestJSONFurther checks that a further table that goes over a limit is no reason to refuse the first.
func TestJSONFurther(t *testing.T) {
	text, lim := []byte(`{"data":[{"a":1}],"more":[{"a":1,"b":2,"c":3}]}`), table.Limits{Columns: 2}
	var over *table.LimitError
	if _, err := load.Tables(text, "x.json", lim); !errors.As(err, &over) {
		t.Errorf("got %v, want a LimitError", err)
	}
	got, err := load.Bytes(text, "x.json", lim)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(got.Report.Notes, "\n"); !strings.Contains(notes, `the list "more" is not part of this table and cannot be read`) {
		t.Errorf("got the notes\n%s", notes)
	}
}
