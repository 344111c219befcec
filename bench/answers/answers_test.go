package answers

import (
	"encoding/json"
	"math"
	"testing"
)

func TestRight(t *testing.T) {
	for name, tc := range map[string]struct {
		gold   string
		tables []Table
		prose  string
		want   bool
	}{
		"percent that is marked":     {`{"rows":[["a",0.43]]}`, []Table{{Rows: [][]any{{"a", 43.0}}, Percent: []string{"", "points"}}}, "", true},
		"percent that is not":        {`{"rows":[["a",0.43]]}`, []Table{{Rows: [][]any{{"a", 43.0}}}}, "", false},
		"the only number of a line":  {`{"rows":[[51]]}`, nil, "There are 51 of them.", true},
		"one of several":             {`{"rows":[[51]]}`, nil, "Of 60 there are 51.", false},
		"behind a colon":             {`{"rows":[["oslo"]]}`, nil, "**City**: Oslo\nMore.", true},
		"a table goes before prose":  {`{"rows":[[51]]}`, []Table{{Rows: [][]any{{50.0}}}}, "There are 51.", false},
		"any of the tables":          {`{"rows":[[51]]}`, []Table{{Rows: [][]any{{50.0}}}, {Rows: [][]any{{51.0}}}}, "", true},
		"a number that is in a word": {`{"rows":[[51]]}`, nil, "See A-51 there.", false},
	} {
		var g Gold
		if err := json.Unmarshal([]byte(tc.gold), &g); err != nil {
			t.Fatal(err)
		}
		if got := Right([]Gold{g}, tc.tables, tc.prose); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAURC(t *testing.T) {
	area, best := AURC([]Verdict{{0.9, false}, {0.8, true}, {0.8, false}, {0.5, true}})
	if math.Abs(area-0.270833) > 1e-6 || math.Abs(best-0.208333) > 1e-6 {
		t.Error(area, best)
	}
}
