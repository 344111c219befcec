package main

import (
	"encoding/json"
	"testing"
)

// Each case was also given to score.py, which agrees.
func TestJudge(t *testing.T) {
	yes, no := true, false
	cases := []struct {
		name       string
		gold       string
		answerable *bool
		pred       prediction
		want       bool
	}{
		{"same", `{"rows":[[1,"a"]]}`, &yes, prediction{Rows: [][]any{{1.0, "A "}}}, true},
		{"extra columns are free", `{"rows":[["x"],["y"]]}`, &yes, prediction{Rows: [][]any{{1.0, "y"}, {2.0, "x"}}}, true},
		{"row counts differ", `{"rows":[["x"]]}`, &yes, prediction{Rows: [][]any{{"x"}, {"x"}}}, false},
		{"order matters", `{"rows":[[1],[2]],"ordered":true}`, &yes, prediction{Rows: [][]any{{2.0}, {1.0}}}, false},
		{"only the order columns must agree", `{"rows":[["a",2],["b",2],["c",1]],"ordered":true,"order_cols":[1]}`, &yes, prediction{Rows: [][]any{{"b", 2.0}, {"a", 2.0}, {"c", 1.0}}}, true},
		{"tolerance", `{"rows":[[33.3333333]]}`, &yes, prediction{Rows: [][]any{{33.33333332}}}, true},
		{"not that much", `{"rows":[[33.3333]]}`, &yes, prediction{Rows: [][]any{{33.4}}}, false},
		{"numbers as text", `{"rows":[["$1,234.5"]]}`, &yes, prediction{Rows: [][]any{{1234.5}}}, true},
		{"a month is its first day", `{"rows":[["2015-03",4]]}`, &yes, prediction{Rows: [][]any{{"2015-03-01", 4.0}}}, true},
		{"a year is its first day", `{"rows":[[2010]]}`, &yes, prediction{Rows: [][]any{{"2010-01-01"}}}, true},
		{"nulls", `{"rows":[[null]]}`, &yes, prediction{Rows: [][]any{{"N/A"}}}, true},
		{"one row set out as a column", `{"rows":[[5,7]]}`, &yes, prediction{Rows: [][]any{{"a", 7.0}, {"b", 5.0}}}, true},
		{"one column set out as a row", `{"rows":[[5],[7]]}`, &yes, prediction{Rows: [][]any{{7.0, 5.0}}}, true},
		{"a set is deduplicated", `{"rows":[["a"],["b"]],"set":true}`, &yes, prediction{Rows: [][]any{{"a"}, {"b"}, {"a"}}}, true},
		{"an alternative", `{"rows":[[1]],"alt":[{"rows":[[2]]}]}`, &yes, prediction{Rows: [][]any{{2.0}}}, true},
		{"refused rightly", `{"rows":[],"outcome":"refuse"}`, &no, prediction{Outcome: "clarify"}, true},
		{"answered wrongly", `{"rows":[],"outcome":"refuse"}`, &no, prediction{Outcome: "answer", Rows: [][]any{{1.0}}}, false},
		{"refused wrongly", `{"rows":[[1]]}`, &yes, prediction{Outcome: "refuse"}, false},
		{"approval", `{"rows":[["a"]],"outcome":"approval"}`, &yes, prediction{Outcome: "approval"}, true},
		{"approval with wrong recipients", `{"rows":[["a"]],"outcome":"approval"}`, &yes, prediction{Outcome: "approval", Rows: [][]any{{"b"}}}, false},
		{"no approval", `{"rows":[["a"]],"outcome":"approval"}`, &yes, prediction{Outcome: "answer", Rows: [][]any{{"a"}}}, false},
	}
	for _, c := range cases {
		q := question{Answerable: c.answerable}
		if err := json.Unmarshal([]byte(c.gold), &q.Gold); err != nil {
			t.Fatal(err)
		}
		if got, why := judge(q, c.pred); got != c.want {
			t.Errorf("%s: %v (%s)", c.name, got, why)
		}
	}
}
