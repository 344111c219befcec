package answers

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"catena/bench/sets"
)

// relatedCase is a line of the related set's cases.jsonl: a prediction with its verdict, or answers with their area.
type relatedCase struct {
	Why string `json:"why"`
	Row struct {
		Columns   []string `json:"gold_columns"`
		Rows      [][]any  `json:"gold_rows"`
		Ordered   bool     `json:"ordered"`
		OrderCols []int    `json:"order_cols"`
		Refuse    bool     `json:"must_refuse"`
		Accept    []Gold   `json:"accept"`
	} `json:"row"`
	Prediction struct {
		Outcome  string  `json:"outcome"`
		Tables   []Table `json:"tables"`
		Response string  `json:"response"`
	} `json:"prediction"`
	Verdict string   `json:"verdict"`
	Answers [][2]any `json:"answers"`
	AURC    []float64
}

// TestRelatedCases runs the cases where CATENA_QUESTIONS names the folder of the sets.
func TestRelatedCases(t *testing.T) {
	dir := os.Getenv("CATENA_QUESTIONS")
	if dir == "" {
		t.Skip("CATENA_QUESTIONS names no folder of question sets")
	}
	cases, err := sets.Lines[relatedCase](filepath.Join(dir, "related", "cases.jsonl"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.AURC != nil {
			checkArea(t, c)
			continue
		}
		if c.Prediction.Outcome != "answer" || c.Row.Refuse {
			continue // outcomes are for who asks
		}
		golds := append([]Gold{{Columns: c.Row.Columns, Rows: c.Row.Rows, Ordered: c.Row.Ordered, OrderCols: c.Row.OrderCols}}, c.Row.Accept...)
		if got := Right(golds, c.Prediction.Tables, c.Prediction.Response); got != (c.Verdict == "right") {
			t.Errorf("%s: %v", c.Why, got)
		}
	}
}

func checkArea(t *testing.T, c relatedCase) {
	t.Helper()
	var list []Verdict
	for _, a := range c.Answers {
		list = append(list, Verdict{a[0].(float64), a[1].(bool)})
	}
	area, best := AURC(list)
	if math.Abs(area-c.AURC[0]) > 1e-6 || math.Abs(best-c.AURC[1]) > 1e-6 {
		t.Errorf("%s: %v %v, want %v", c.Why, area, best, c.AURC)
	}
}

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
