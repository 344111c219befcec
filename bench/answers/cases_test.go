//go:build questions

package answers

import (
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

// TestRelatedCases runs the cases of the sets, which stand in the folder that CATENA_QUESTIONS names.
func TestRelatedCases(t *testing.T) {
	dir := os.Getenv("CATENA_QUESTIONS")
	if dir == "" {
		t.Fatal("CATENA_QUESTIONS names no folder of question sets")
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
