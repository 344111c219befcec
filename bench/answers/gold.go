// Package answers says whether a table is the answer that a question set has: the rules of the sets' score.py and
// score_related.py, which explain them.
package answers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Gold is an accepted answer; the rule is that of score.py, whose docstring explains it.
type Gold struct {
	Outcome   string   `json:"outcome"`
	Columns   []string `json:"columns"`
	Rows      [][]any  `json:"rows"`
	Ordered   bool     `json:"ordered"`
	OrderCols []int    `json:"order_cols"`
	Set       bool     `json:"set"`
	RelTol    float64  `json:"rel_tol"`
	Alt       []Gold   `json:"alt"`
}

// cell is a value made ready for comparison.
type cell struct {
	kind string // null num date str
	num  float64
	at   time.Time
	text string
}

var (
	nullTexts   = map[string]bool{"": true, "none": true, "null": true, "nan": true, "nat": true, "n/a": true, "na": true, "-": true, "–": true, "—": true}
	dateLayouts = []string{"2006-01-02", "2006/01/02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006/01/02 15:04:05", "2006/01/02 15:04", "2006-01-02 15:04", "Jan 2 2006", "January 2 2006", "2 January 2006", "2 Jan 2006", "01/02/2006", "1/2/2006"}
	numberText  = regexp.MustCompile(`^[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][-+]?\d+)?$`)
	dateTail    = regexp.MustCompile(`\.0+(Z?)$`)
	zoneTail    = regexp.MustCompile(`(Z|[+-]00:?00)$`)
	spaces      = regexp.MustCompile(`\s+`)
	noise       = regexp.MustCompile("[\\s\"'“”‘’`]+")
	fourDigits  = regexp.MustCompile(`\d{4}`)
	yearMonth   = regexp.MustCompile(`^\d{4}-\d{2}$`)
)

func normal(v any) cell {
	switch x := v.(type) {
	case nil:
		return cell{kind: "null"}
	case bool:
		return cell{kind: "str", text: strconv.FormatBool(x)}
	case float64:
		if math.IsNaN(x) {
			return cell{kind: "null"}
		}
		return cell{kind: "num", num: x}
	case int64:
		return cell{kind: "num", num: float64(x)}
	case int:
		return cell{kind: "num", num: float64(x)}
	case json.Number:
		f, _ := x.Float64()
		return cell{kind: "num", num: f}
	}
	s := strings.TrimSpace(norm.NFKC.String(fmt.Sprint(v)))
	low := strings.ToLower(s)
	if nullTexts[low] {
		return cell{kind: "null"}
	}
	t := strings.TrimSpace(strings.TrimRight(strings.NewReplacer("\u2212", "-", "$", "", "€", "", "£", "").Replace(s), "%"))
	if t != "" && numberText.MatchString(t) && strings.ContainsAny(t, "0123456789") {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(t, ",", ""), 64); err == nil {
			return cell{kind: "num", num: f}
		}
	}
	d := strings.ReplaceAll(zoneTail.ReplaceAllString(dateTail.ReplaceAllString(s, "$1"), ""), ",", "")
	if d = spaces.ReplaceAllString(d, " "); fourDigits.MatchString(d) && len(d) <= 30 {
		for _, layout := range dateLayouts {
			if at, err := time.Parse(layout, d); err == nil {
				return cell{kind: "date", at: at}
			}
		}
	}
	switch low {
	case "yes":
		low = "true"
	case "no":
		low = "false"
	}
	return cell{kind: "str", text: noise.ReplaceAllString(low, "")}
}

// equal compares a gold cell with a predicted one.
func equal(g, p cell, tol float64) bool {
	switch {
	case g.kind == "num" && p.kind == "num":
		return math.Abs(g.num-p.num) <= tol*math.Max(math.Abs(g.num), math.Abs(p.num))+1e-9
	case g.kind == p.kind:
		return g.text == p.text && g.at.Equal(p.at)
	case p.kind != "date" || p.at.Hour() != 0 || p.at.Minute() != 0 || p.at.Second() != 0:
		return false
	case g.kind == "str":
		return yearMonth.MatchString(g.text) && p.at.Day() == 1 && g.text == p.at.Format("2006-01")
	case g.kind == "num":
		return g.num == math.Trunc(g.num) && g.num >= 1500 && g.num <= 2200 && p.at.YearDay() == 1 && p.at.Year() == int(g.num)
	}
	return false
}

func compareCells(a, b cell) int {
	rank := map[string]int{"null": 0, "num": 1, "date": 2, "str": 3}
	if c := cmp.Compare(rank[a.kind], rank[b.kind]); c != 0 {
		return c
	}
	switch a.kind {
	case "num":
		return cmp.Or(strings.Compare(fmt.Sprintf("%.4e", a.num), fmt.Sprintf("%.4e", b.num)), cmp.Compare(a.num, b.num))
	case "date":
		return a.at.Compare(b.at)
	}
	return strings.Compare(a.text, b.text)
}

func sameRow(g, p []cell, tol float64) bool {
	return slices.EqualFunc(g, p, func(a, b cell) bool { return equal(a, b, tol) })
}

// sameRows compares two multisets of rows, or sequences.
func sameRows(g, p [][]cell, tol float64, ordered bool) bool {
	if len(g) != len(p) {
		return false
	}
	same := func(a, b []cell) bool { return sameRow(a, b, tol) }
	if ordered {
		return slices.EqualFunc(g, p, same)
	}
	byCells := func(a, b []cell) int { return slices.CompareFunc(a, b, compareCells) }
	gs, ps := slices.SortedFunc(slices.Values(g), byCells), slices.SortedFunc(slices.Values(p), byCells)
	if slices.EqualFunc(gs, ps, same) {
		return true
	}
	if len(g) > 3000 {
		return false
	}
	for _, row := range gs { // near ties may sort apart
		i := slices.IndexFunc(ps, func(other []cell) bool { return same(row, other) })
		if i < 0 {
			return false
		}
		ps = slices.Delete(ps, i, i+1)
	}
	return true
}

func normalRows(rows [][]any) [][]cell {
	out := make([][]cell, len(rows))
	for i, row := range rows {
		out[i] = make([]cell, len(row))
		for j, v := range row {
			out[i][j] = normal(v)
		}
	}
	return out
}

func column(rows [][]cell, j int) [][]cell {
	out := make([][]cell, len(rows))
	for i, row := range rows {
		out[i] = []cell{row[j]}
	}
	return out
}

func dedupe(rows [][]cell) [][]cell {
	var out [][]cell
	seen := map[string]bool{}
	for _, row := range rows {
		if k := fmt.Sprint(row); !seen[k] {
			seen[k] = true
			out = append(out, row)
		}
	}
	return out
}

// Match is the rule for tables, and its relaxations for single rows and columns.
func (g Gold) Match(rows [][]any) bool {
	G, P := normalRows(g.Rows), normalRows(rows)
	tol := cmp.Or(g.RelTol, 1e-6)
	if g.matchTable(G, P, tol) {
		return true
	}
	if g.Ordered || len(G) == 0 || len(P) == 0 {
		return false
	}
	if len(G) == 1 && len(G[0]) > 1 {
		var tall [][]cell
		for _, c := range G[0] {
			tall = append(tall, []cell{c})
		}
		for j := range P[0] {
			if sameRows(tall, column(P, j), tol, false) {
				return true
			}
		}
		return false
	}
	if len(G[0]) == 1 && len(G) > 1 && len(P) == 1 {
		rest := slices.Clone(P[0])
		for _, row := range G {
			i := slices.IndexFunc(rest, func(c cell) bool { return equal(row[0], c, tol) })
			if i < 0 {
				return false
			}
			rest = slices.Delete(rest, i, i+1)
		}
		return true
	}
	return false
}

func (g Gold) matchTable(G, P [][]cell, tol float64) bool {
	if slices.ContainsFunc(P, func(row []cell) bool { return len(row) != len(P[0]) }) {
		return false
	}
	width := len(g.Columns)
	if len(G) > 0 {
		width = len(G[0])
	}
	if g.Set && width == 1 {
		G = dedupe(G)
		for j := 0; len(P) > 0 && j < len(P[0]); j++ {
			if sameRows(G, dedupe(column(P, j)), tol, false) {
				return true
			}
		}
		return len(G) == 0 && len(P) == 0
	}
	if len(G) != len(P) {
		return false
	}
	if len(G) == 0 {
		return true
	}
	if len(P[0]) < width {
		return false
	}
	fits := make([][]int, width)
	for i := range fits {
		for j := range P[0] {
			if sameRows(column(G, i), column(P, j), tol, false) {
				fits[i] = append(fits[i], j)
			}
		}
		if len(fits[i]) == 0 {
			return false
		}
	}
	budget := 2000
	return g.assign(G, P, tol, fits, nil, &budget)
}

// assign tries the maps from gold columns to predicted ones.
func (g Gold) assign(G, P [][]cell, tol float64, fits [][]int, used []int, budget *int) bool {
	if *budget <= 0 {
		return false
	}
	if len(used) == len(fits) {
		*budget--
		cut := pick(P, used)
		if !sameRows(G, cut, tol, false) {
			return false
		}
		if !g.Ordered {
			return true
		}
		cols := g.OrderCols
		if cols == nil {
			for i := range used {
				cols = append(cols, i)
			}
		}
		return sameRows(pick(G, cols), pick(cut, cols), tol, true)
	}
	for _, j := range fits[len(used)] {
		if !slices.Contains(used, j) && g.assign(G, P, tol, fits, append(slices.Clone(used), j), budget) {
			return true
		}
	}
	return false
}

func pick(rows [][]cell, cols []int) [][]cell {
	out := make([][]cell, len(rows))
	for i, row := range rows {
		for _, j := range cols {
			out[i] = append(out[i], row[j])
		}
	}
	return out
}
