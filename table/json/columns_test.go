package json_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/table/loadtest"
)

// someJSON are what random columns of JSON are made of, by family.
var someJSON = [][]string{
	{"1", "0", "-0", "-17", "123456789012345678"},
	{"0.5", "12.25", "-0.125", "1.10", "0.00123456789012345678"},
	{"1e3", "2.5E-7", "1e400"},
	{"12345678901234567890", "0.000000000000000000000000000000000000001"},
	{"true", "false"},
	{`"2024-01-02"`, `"2024-02-29"`},
	{`"2024-01-02T10:11:12"`, `"2024-01-02 10:11"`},
	{`"2024-01-02T10:11:12Z"`, `"2024-01-02T10:11:12.5Z"`},
	{`"01/02/2024"`, `"13/02/2024"`, `"10:11:12"`, `"2024-01-02T10:11:12+02:00"`},
	{`"x"`, `"a \"b\" \u00e9"`, `" "`, `""`, `"12"`, `"true"`, `"NA"`},
	{`[1, 2]`, `{"a": {"b": 1}}`, `[]`},
	{"null"},
}

// TestJSONKindsAgree checks that records, which are read by guesses, give what an object of columns gives, whose values are collected first.
func TestJSONKindsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 5000 {
		var values []string
		var pool []string
		for range 1 + r.IntN(3) {
			pool = append(pool, someJSON[r.IntN(len(someJSON))]...)
		}
		var records, column strings.Builder
		for i := range 1 + r.IntN(30) {
			v := pool[r.IntN(len(pool))]
			values = append(values, v)
			if i > 0 {
				records.WriteByte(',')
				column.WriteByte(',')
			}
			fmt.Fprintf(&column, "%s", v)
			if v == "null" && r.IntN(2) == 0 || strings.HasPrefix(v, "{") {
				fmt.Fprintf(&records, `{"i":%d}`, i)
				continue
			}
			fmt.Fprintf(&records, `{"i":%d,"v":%s}`, i, v)
		}
		if strings.Contains(column.String(), "{") || !strings.Contains(records.String(), `"v":`) {
			continue // an object in a record is flattened
		}
		want := loadtest.ReadJSON(t, fmt.Sprintf(`{"i":[%s0],"v":[%s,null]}`, strings.Repeat("0,", len(values)), column.String()))
		got := loadtest.ReadJSON(t, "["+records.String()+`,{"i":0}]`)
		if w, g := fmt.Sprint(want.Table.Column(1), want.Report.Notes), fmt.Sprint(got.Table.Column(1), got.Report.Notes); w != g {
			t.Fatalf("%v: %s instead of %s", values, g, w)
		}
		for i := range want.Table.NumRows() {
			if w, g := want.Table.Value(i, 1), got.Table.Value(i, 1); w != g {
				t.Fatalf("%v: row %d is %v instead of %v", values, i, g, w)
			}
		}
	}
}

func TestJSONDoubled(t *testing.T) {
	for text, want := range map[string]string{
		`[{"a":1,"a":2},{"a":3}]`:         "2 3",
		`[{"a":null,"a":2},{"a":3}]`:      "2 3",
		`[{"a":1},{"a":1,"a":null}]`:      "1 null",
		`[{"a":null,"a":null},{"a":"x"}]`: "null x",
	} {
		got := loadtest.ReadJSON(t, text)
		if s := fmt.Sprint(got.Table.Value(0, 0), got.Table.Value(1, 0)); s != want || len(got.Report.Notes) != 1 {
			t.Errorf("%s: %s %q", text, s, got.Report.Notes)
		}
	}
}
