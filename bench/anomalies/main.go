// Command anomalies measures how well cells and rows that stand out are found.
//
//	go -C bench run ./anomalies -data DIR [-split dev] [-half 0|1|2] [-n N] [-v] [-json]
//
// DIR holds outliers. Cells: columns of nine shapes into which business errors were put (units, signs, zeros, digits, sentinels, spikes), scored by precision,
// recall and F1 of anomaly.Outliers over all cells, and by false flags per 1,000 clean cells; -half takes only the
// first or the second half of them, drawn by a fixed hash of their ids, to tune on one and to confirm on the other.
// Rows: sets of ADBench, scored by the area under the ROC curve of anomaly.RowScores, which never sees the labels.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/profiler/anomaly"
	"catena/table"
)

// figures are what the program prints.
type figures struct {
	F1        float64            `json:"injected_f1"`
	Precision float64            `json:"injected_precision"`
	Recall    float64            `json:"injected_recall"`
	False     float64            `json:"false_per_1000"`
	Columns   int                `json:"injected_columns"`
	AUC       float64            `json:"auc_mean"`
	Sets      map[string]float64 `json:"auc"`
}

func main() {
	o := sets.Flags("anomalies", "outliers")
	half := flag.Int("half", 0, "only half 1 or half 2 of the injected columns; 0 is both")
	o.Parse()
	f := figures{Sets: map[string]float64{}}
	err := cells(o, *half, &f)
	if err == nil {
		err = rows(o, &f)
	}
	if err == nil {
		fmt.Printf("cells  F1 %.3f, precision %.3f, recall %.3f, %.2f false flags in 1,000 clean cells, %d columns\n", f.F1, f.Precision, f.Recall, f.False, f.Columns)
		for _, name := range slices.Sorted(maps.Keys(f.Sets)) {
			fmt.Printf("rows   %-20s AUC %.4f\n", name, f.Sets[name])
		}
		fmt.Printf("rows   mean of %d sets      AUC %.4f\n", len(f.Sets), f.AUC)
	}
	o.End(f, err)
}

// column is one column with errors put into it.
type column struct {
	ID        int       `json:"id"`
	Kind      string    `json:"kind"`
	Mutation  string    `json:"mutation"`
	Values    []float64 `json:"values"`
	Anomalies []int     `json:"anomalies"`
}

// tally counts cells of one kind of column.
type tally struct{ right, missed, wrong, clean int }

// cells scores anomaly.Outliers.
func cells(o *sets.Options, half int, f *figures) error {
	columns, err := sets.Lines[column](o.Path("outliers", "injected.SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	var all tally
	kinds := map[string]*tally{}
	for _, c := range columns {
		if half != 0 && c.ID*2654435761>>8&1 != half-1 {
			continue
		}
		f.Columns++
		b := table.NewBuilder(table.Column{Name: "x", Type: table.Float})
		for _, v := range c.Values {
			if err := b.Append(table.FloatValue(v)); err != nil {
				return err
			}
		}
		var one tally
		one.count(o, c, anomaly.Outliers(b.Table(), 0))
		for _, key := range []string{c.Kind, c.Mutation} {
			if kinds[key] == nil {
				kinds[key] = &tally{}
			}
			kinds[key].add(one)
		}
		all.add(one)
	}
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[key]
		o.Missf("%-18s %3d found, %3d missed, %3d false in %d", key, k.right, k.missed, k.wrong, k.clean)
	}
	f.Precision, f.Recall = ratio(all.right, all.right+all.wrong), ratio(all.right, all.right+all.missed)
	f.F1, f.False = ratio(2*all.right, 2*all.right+all.wrong+all.missed), 1000*ratio(all.wrong, all.clean)
	return nil
}

func (t *tally) add(u tally) {
	t.right, t.missed, t.wrong, t.clean = t.right+u.right, t.missed+u.missed, t.wrong+u.wrong, t.clean+u.clean
}

func (t *tally) count(o *sets.Options, c column, found []anomaly.Outlier) {
	t.clean, t.missed = len(c.Values)-len(c.Anomalies), len(c.Anomalies)
	flagged := map[int]bool{}
	for _, x := range found {
		flagged[x.Row] = true
		if slices.Contains(c.Anomalies, x.Row) {
			t.right++
			t.missed--
			continue
		}
		t.wrong++
		o.Missf("false  %d %s/%s n %d row %d: %v, usual %v, %s %.1f", c.ID, c.Kind, c.Mutation, len(c.Values), x.Row, x.Value, x.Usual, x.Method, x.Score)
	}
	for _, i := range c.Anomalies {
		if !flagged[i] {
			o.Missf("missed %d %s/%s n %d row %d: %v near %v", c.ID, c.Kind, c.Mutation, len(c.Values), i, c.Values[i], c.Values[max(0, i-3):min(len(c.Values), i+4)])
		}
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// rows scores anomaly.RowScores.
func rows(o *sets.Options, f *figures) error {
	names, err := filepath.Glob(o.Path("outliers", "SPLIT", "*.csv"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no sets in %s: %w", o.Path("outliers", "SPLIT"), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		area, err := areaOf(bytes.TrimSpace(data), name)
		if err != nil {
			return err
		}
		f.Sets[strings.TrimSuffix(filepath.Base(name), ".csv")] = area
		f.AUC += area / float64(len(names))
	}
	return nil
}
