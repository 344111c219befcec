package formatter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/profiler"
	"catena/table"
)

// counts says how many rows there are, or how many of them are shown; "" for a table without rows, of which that is
// said anyway.
func (v *View) counts() string {
	switch {
	case v.Truncated():
		return "showing " + v.count(v.NumRows()) + " of " + v.count(v.Total)
	case v.Total == 0:
		return ""
	case v.Total == 1:
		return "1 row"
	}
	return v.count(v.Total) + " rows"
}

// countLine is counts as a line of its own.
func (v *View) countLine() string {
	if v.Truncated() {
		return text.Capital(v.counts()) + " rows"
	}
	return v.counts()
}

func (v *View) count(n int) string {
	return Value(table.IntValue(int64(n)), profiler.Suggestion{Kind: "integer", Group: true}, v.locale, Minus)
}

// caption is title and counts as plain text.
func (v *View) caption() string {
	counts := v.counts()
	switch {
	case counts == "":
		return plain(v.Title)
	case v.Title == "":
		return v.countLine()
	}
	return plain(v.Title) + " (" + counts + ")"
}

// maxAnomalies is how many anomalies are told below a table, those that are shown and the farthest first; JSON has all.
const maxAnomalies = 10

// remarks are what is said below the table: columns that are not shown, anomalies, descriptions, notes.
func (v *View) remarks() []string {
	out := slices.Clone(v.wide)
	shown := v.Anomalies
	if len(shown) > maxAnomalies {
		shown = slices.Clone(shown)
		slices.SortStableFunc(shown, func(a, b Anomaly) int {
			return cmp.Or(cmp.Compare(v.beyond(a), v.beyond(b)), cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)))
		})
		shown = shown[:maxAnomalies]
	}
	for _, a := range shown {
		out = append(out, "Unusual: "+v.anomalyText(a))
	}
	if more := len(v.Anomalies) - len(shown); more > 0 {
		out = append(out, fmt.Sprintf("%d more values are unusual, less so.", more))
	}
	for _, u := range v.Unusual {
		out = append(out, "Unusual together: "+v.unusualText(u))
	}
	if v.describe {
		for _, c := range v.Columns {
			out = append(out, c.Metadata.Description)
		}
	}
	return append(out, v.Notes...)
}

// unusualText says which row, and the numbers that make it unlike the others.
func (v *View) unusualText(u UnusualRow) string {
	parts := make([]string, 0, len(u.Columns))
	for _, c := range u.Columns {
		if !v.shown.IsNull(u.Row, c) {
			parts = append(parts, v.Columns[c].Heading+" "+v.Cell(u.Row, c))
		}
	}
	return fmt.Sprintf("%s is unlike the other rows in %s (%.1f times as far from similar rows as usual)",
		v.where(u.Row, u.Label), strings.Join(parts, ", "), u.Apart)
}

// beyond is 1 for anomalies of rows that were cut off, else 0.
func (v *View) beyond(a Anomaly) int {
	if a.Row >= v.NumRows() {
		return 1
	}
	return 0
}

// where names a row of the view.
func (v *View) where(row int, label string) string {
	at := "row " + strconv.Itoa(row+1)
	if label != "" {
		at += ", " + cut(label, 40)
	}
	return at
}

// nearly rounds what is usual to one digit more than a cell has, as a mean has many that say nothing.
func nearly(usual float64, cell string) float64 {
	_, fraction, _ := strings.Cut(cell, ".")
	if strings.ContainsAny(cell, "eE") || len(fraction) > 12 {
		return usual
	}
	scale := math.Pow10(len(fraction) + 1)
	if rounded := math.Round(usual*scale) / scale; rounded != 0 && !math.IsInf(rounded, 0) && !math.IsNaN(rounded) {
		return rounded
	}
	return usual
}

// anomalyText says which cell, its value, what is usual and why it stands out.
func (v *View) anomalyText(a Anomaly) string {
	usual := v.looks[a.Column]
	usual.format.Plus = false
	usual.prepare()
	middle := table.FloatValue(nearly(a.Usual, a.value.Text()))
	where := v.where(a.Row, a.Label)
	if v.beyond(a) > 0 {
		where += " (not shown)"
	}
	return fmt.Sprintf("%s in %s is %s, %s (usual: %s)", v.Columns[a.Column].Heading, where,
		v.looks[a.Column].append(nil, &a.value), a.Why, usual.append(nil, &middle))
}
