package formatter

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"catena/profiler"
	"catena/table"
)

// Summary is the row below the others: sums of amounts, counts and shares of one whole; means of rates, weighted where
// the table has the weight; nothing for identifiers, dates and amounts in several currencies.
type Summary struct {
	Label  string        // "Total", "Mean", "Total of the 5 shown"
	Detail string        // which cells are no sums: "gross margin: mean weighted by revenue"; "" when all are
	Values []table.Value // per column of the view; null where nothing is summed
	looks  []look
}

// summarise folds the shown rows. rows has all columns, so that a hidden one can weigh; cols maps the view's columns to
// them. Nil when no column can be folded.
//
// all is the table that rows were taken of.
func summarise(v *View, all, rows *table.Table, meta []profiler.ColumnMetadata, cols []int) *Summary {
	s := &Summary{Values: make([]table.Value, len(cols)), looks: slices.Clone(v.looks)}
	var details []string
	var levels latest
	sums, means := 0, 0
	cut := rows.NumRows() < all.NumRows()
	observed := profiler.LevelsOf(rows, meta)
	for i, c := range cols {
		if at, when, over := observed.Of(c); over {
			if cut || len(at) == 0 {
				continue
			}
			last, err := rows.Take(at)
			if err != nil {
				continue
			}
			if s.Values[i] = fold(last, c, table.Sum); !s.Values[i].IsNull() {
				levels.add(inSentence(meta[c].CleanedName), v.latestTime(rows, meta, at, when))
			}
			continue
		}
		switch how := v.aggregation(all, meta, c, i); how {
		case profiler.AggregateSum:
			if s.Values[i] = fold(rows, c, table.Sum); !s.Values[i].IsNull() {
				sums++
			}
		case profiler.AggregateMean:
			value, weight := mean(rows, meta, c)
			if value.IsNull() {
				continue
			}
			means++
			s.Values[i] = value
			s.looks[i].format = meanFormat(v.Columns[i].Format)
			if value.Type() == table.Decimal { // as many digits as there is room for
				s.looks[i].format.Digits = min(s.looks[i].format.Digits, int(max(0, -value.Apd().Exponent)))
			}
			s.looks[i].prepare()
			detail := inSentence(meta[c].CleanedName) + ": mean"
			if weight >= 0 {
				detail += " weighted by " + inSentence(meta[weight].CleanedName)
			}
			details = append(details, detail)
		}
	}
	if sums+means+levels.n == 0 {
		return nil
	}
	s.Label = "Total"
	switch {
	case sums+means == 0:
		s.Label = "Latest"
	case sums+levels.n == 0:
		s.Label = "Mean" // which says what all are, but for weights
		details = slices.DeleteFunc(details, func(d string) bool { return strings.HasSuffix(d, ": mean") })
	}
	details = append(details, levels.details()...)
	if cut {
		s.Label += fmt.Sprintf(" of the %d shown", rows.NumRows())
	}
	s.Detail = strings.Join(details, "; ")
	return s
}

// leads reports whether the summary's label needs a column of its own, because every column has a sum.
func (v *View) leads() bool {
	return v.Summary != nil && v.labelAt() < 0
}

// labelAt is the column of the view in which the summary's label stands: the first without a sum that holds no numbers,
// else the first without a sum; -1 when every column has one.
func (v *View) labelAt() int {
	first := -1
	for _, c := range v.visible {
		switch {
		case !v.Summary.Values[c].IsNull():
		case !v.Columns[c].Right:
			return c
		case first < 0:
			first = c
		}
	}
	return first
}

// SummaryCell is one cell of the summary row as it is shown, "" where nothing is summed. It is for views with a
// Summary.
func (v *View) SummaryCell(c int) string {
	return string(v.Summary.looks[c].append(nil, &v.Summary.Values[c]))
}

// fold applies one of the table's aggregates to a column; null when it does not fit.
func fold(t *table.Table, c int, f table.AggFunc) table.Value {
	got, err := t.Group(nil, []table.Aggregate{{Func: f, Column: t.Column(c).Name, As: "x"}})
	if err != nil || got.NumRows() == 0 {
		return table.NullValue // a sum that no column can hold is left out
	}
	return got.Value(0, 0)
}

// meanFormat shows a mean of whole numbers with one digit more.
func meanFormat(f profiler.Suggestion) profiler.Suggestion {
	if f.Kind == "integer" {
		return profiler.Suggestion{Kind: "decimal", Group: f.Group, Digits: 1, Plus: f.Plus}
	}
	return f
}

// weights name, for words of a rate, the words of what it is a rate of: a margin is per revenue, a conversion per
// visit.
var weights = []struct{ rate, of []string }{
	{[]string{"margin", "markup"}, []string{"revenue", "sales", "turnover", "income"}},
	{[]string{"discount"}, []string{"revenue", "sales", "amount"}},
	{[]string{"conversion", "bounce"}, []string{"visits", "sessions", "visitors", "leads"}},
	{[]string{"ctr", "click-through", "clickthrough"}, []string{"impressions", "views"}},
	{[]string{"cpc"}, []string{"clicks"}},
	{[]string{"churn", "retention", "arpu"}, []string{"customers", "users", "subscribers", "clients", "accounts"}},
	{[]string{"return", "refund", "defect"}, []string{"orders", "units", "shipments", "quantity"}},
	{[]string{"win"}, []string{"opportunities", "deals", "leads"}},
	{[]string{"unemployment", "literacy", "mortality"}, []string{"population"}},
	{[]string{"price"}, []string{"quantity", "units"}},
	{[]string{"order"}, []string{"orders"}},
}

// mean is the mean of a column, weighted by the column that its name calls for; weight is that column, or -1 for a
// plain mean. Rows where either is missing are left out; a weight that is negative, or zero everywhere, is not used.
func mean(t *table.Table, meta []profiler.ColumnMetadata, c int) (value table.Value, weight int) {
	weight = weightOf(meta, c)
	if weight < 0 || !t.Column(weight).Type.Numeric() {
		return plainMean(t, c), -1
	}
	var sum, total float64
	for r := range t.NumRows() {
		x, ok := t.Value(r, c).Float()
		w, okW := t.Value(r, weight).Float()
		if !ok || !okW {
			continue
		}
		if w < 0 {
			return plainMean(t, c), -1
		}
		sum += x * w
		total += w
	}
	if total == 0 || math.IsInf(total, 0) || math.IsInf(sum, 0) {
		return plainMean(t, c), -1
	}
	return table.FloatValue(sum / total), weight
}

// plainMean is the mean of a column with all of its digits.
func plainMean(t *table.Table, c int) table.Value {
	if n, _ := fold(t, c, table.Count).Int(); n > 0 {
		if long, ok := table.LongMean(fold(t, c, table.Sum), int(n)); ok {
			return long
		}
	}
	return fold(t, c, table.Mean)
}

// weightOf finds the column that weighs c; -1 when there is none, or when more than one would do.
func weightOf(meta []profiler.ColumnMetadata, c int) int {
	rate := labelWords(meta[c])
	for _, w := range weights {
		if !overlap(rate, w.rate) {
			continue
		}
		for _, word := range w.of {
			found := -1
			for i, m := range meta {
				if i == c || !weighs(m) || !slices.Contains(labelWords(m), word) {
					continue
				}
				if found >= 0 {
					found = -2
					break
				}
				found = i
			}
			if found != -1 {
				return max(found, -1)
			}
		}
	}
	return -1
}

// weighs reports whether a column can be a weight: an amount or a count, not a share or a change.
func weighs(m profiler.ColumnMetadata) bool {
	format, err := profiler.ParseSuggestion(m.FormattingSuggestion)
	return err == nil && !format.Plus && m.Aggregation == profiler.AggregateSum && m.SemanticType != profiler.Percentage
}

// inSentence lowers the words of a label, acronyms apart.
func inSentence(label string) string {
	words := strings.Fields(label)
	for i, w := range words {
		if len(w) == 1 || w != strings.ToUpper(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

func labelWords(m profiler.ColumnMetadata) []string {
	return profiler.ReadName(m.OriginalName).Words
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}
