package anomaly

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"catena/table"
)

// twoMeasures is a table of two measures that go together, so that no number of an odd row need be extreme.
func twoMeasures(t testing.TB, rows int, odd map[int][2]float64) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	b := table.NewBuilder(table.Column{Name: "id", Type: table.Int}, table.Column{Name: "weight_kg", Type: table.Float}, table.Column{Name: "distance_km", Type: table.Float}, table.Column{Name: "note", Type: table.Text})
	for i := range rows {
		x := 100 * r.Float64()
		pair := [2]float64{x, 3*x + r.NormFloat64()}
		if p, ok := odd[i]; ok {
			pair = p
		}
		if err := b.Append(table.IntValue(int64(i)), table.FloatValue(pair[0]), table.FloatValue(pair[1]), table.TextValue("secretword")); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

func TestUnusualRows(t *testing.T) {
	ctx := context.Background()
	cells := twoMeasures(t, 500, map[int][2]float64{77: {20, 280}, 300: {90, 15}})
	got, err := UnusualRows(ctx, cells, RowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for _, u := range got {
		rows = append(rows, u.Row)
		if u.Why == "" || strings.Contains(u.Why, "secretword") || len(u.Columns) == 0 || u.Apart < 2 {
			t.Errorf("%+v", u)
		}
	}
	slices.Sort(rows)
	if !slices.Equal(rows, []int{77, 300}) {
		t.Errorf("rows %v", rows)
	}
	if clean, err := UnusualRows(ctx, twoMeasures(t, 500, nil), RowOptions{}); err != nil || len(clean) > 1 {
		t.Errorf("%+v, %v", clean, err)
	}
	if one, _ := UnusualRows(ctx, cells, RowOptions{Limit: 1}); len(one) != 1 {
		t.Errorf("%d rows of at most one", len(one))
	}
}

func TestRowScoresAreDeterministicAndBounded(t *testing.T) {
	ctx := context.Background()
	cells := twoMeasures(t, 3000, map[int][2]float64{5: {50, -400}})
	first, err := RowScores(ctx, cells, RowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := RowScores(ctx, cells, RowOptions{})
	if !slices.Equal(first, second) {
		t.Error("the same table has other scores")
	}
	if slices.Max(first) != first[5] || slices.Min(first) < 0 || first[5] > 1 {
		t.Errorf("the odd row has %v of %v", first[5], slices.Max(first))
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := RowScores(canceled, cells, RowOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if none, err := RowScores(ctx, twoMeasures(t, 5, nil), RowOptions{}); none != nil || err != nil {
		t.Errorf("five rows: %v, %v", none, err)
	}
}

func BenchmarkUnusualRows100kx2(b *testing.B) {
	cells := twoMeasures(b, 100_000, nil)
	for b.Loop() {
		if _, err := UnusualRows(context.Background(), cells, RowOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
