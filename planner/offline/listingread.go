package offline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// shapes are the kinds of questions, those with the clearest signs first.
var shapes = []struct {
	name string
	read func(*listing) *rowAnswer
}{
	{"difference", (*listing).difference},
	{"choice", (*listing).choice},
	{"yes or no", (*listing).yesNo},
	{"beside", (*listing).besideRow},
	{"same", (*listing).sameAs},
	{"count", (*listing).counting},
	{"most frequent", (*listing).mostFrequent},
	{"most", (*listing).most},
	{"edge", (*listing).edgeRow},
	{"fold", (*listing).folded},
	{"look up", (*listing).lookUp},
}

// read tries the shapes; the first that fits answers.
func (l *listing) read() *rowAnswer {
	for _, shape := range shapes {
		spots, used := slices.Clone(l.spots), slices.Clone(l.used)
		if got := shape.read(l); got != nil {
			got.shape = shape.name
			return got
		}
		l.spots, l.used, l.conds, l.made = spots, used, nil, nil
	}
	return nil
}

// number makes a condition of the number at i: compared, beside a column's name, a year, or a value of some column.
func (l *listing) number(i int) {
	t := l.toks[i]
	op, start := l.r.comparator(i)
	end := i + 1
	value := any(jsonNumber(t.num))
	if high := l.upTo(i); high > 0 && (l.low(i-1) == "between" || l.low(i-1) == "from") {
		op, start, end, value = "between", i-1, high+1, []any{jsonNumber(t.num), jsonNumber(l.toks[high].num)}
	}
	switch {
	case l.low(i+1) == "or" && (l.low(i+2) == "more" || l.low(i+2) == "higher" || l.low(i+2) == "above" || l.low(i+2) == "better"):
		op, end = "ge", i+3
	case l.low(i+1) == "or" && (l.low(i+2) == "less" || l.low(i+2) == "fewer" || l.low(i+2) == "lower" || l.low(i+2) == "below"):
		op, end = "le", i+3
	}
	if year := len(t.num) == 4 && len(t.text) == 4 && t.num > "1000" && t.num < "2999"; year && l.year(i, start, end, op, value) {
		return
	}
	if w := l.low(i - 1); len(t.text) == 4 && t.num > "1900" && t.num < "2100" && (w == "in" || w == "since" || w == "during" || w == "until" || w == "before" || w == "after") {
		return // a year, of which nothing here tells
	}
	c, to := l.numberColumn(i, start, end)
	if c < 0 {
		return
	}
	if op == "" {
		op = "eq"
	}
	if high := l.v.cols[c].info.Max; t.percent && (strings.HasPrefix(high, "0") || high == "1" || strings.HasPrefix(high, "1.0")) {
		value = jsonNumber(hundredth(t.num)) // a rate kept as 0.12
	}
	cond := plan.Condition{Column: l.name(c), Op: op, Value: value}
	last := i
	if op == "between" {
		last = end - 1
	}
	stop, unit := 0, false
	if l.v.cols[c].info.Type == "text" {
		stop, unit = l.r.inCells(&cond, last)
	}
	if !unit {
		cond.Column = l.measured(c)
	}
	l.use(start, max(to, stop))
	l.use(i, end)
	l.orEqual(rowCond{cond: cond, col: c, at: start})
}

// upTo gives the number that ends a range which begins at i, 0 without one.
func (l *listing) upTo(i int) int {
	if w := l.low(i + 1); (w == "-" || w == "–") && i+2 < len(l.toks) && l.toks[i+2].kind == numberToken {
		return i + 2
	}
	return l.r.rangeEnd(i)
}

// year makes a condition of a year: on the column of years or dates, or on a text that holds it.
func (l *listing) year(i, start, end int, op string, value any) bool {
	if w := l.low(i - 1); op == "" || op == "ge" && w == "from" {
		op = map[string]string{"after": "gt", "since": "ge", "before": "lt", "until": "le", "to": "le", "than": "gt"}[w]
		if op != "" {
			start = i - 1
		}
	}
	c := l.v.time
	if k := l.spotAt(i - 1); k >= 0 && !l.spots[k].value && l.spots[k].col != c && l.v.cols[l.spots[k].col].numeric && !timeNouns[l.low(i-1)] {
		return false
	}
	if c < 0 {
		c = l.v.unread
	}
	if c < 0 {
		c = l.nounColumn(timeNouns, false)
	}
	if c < 0 {
		return false
	}
	l.use(start, end)
	cond := plan.Condition{Column: l.name(c), Op: op, Value: value}
	switch {
	case l.v.cols[c].info.Type != "text":
		if op == "" {
			cond.Op = "eq"
		}
		if !l.v.cols[c].year && l.v.cols[c].time {
			cond.Value = l.toks[i].num
		}
	case op == "":
		cond.Op, cond.Value = "contains", l.toks[i].num
	default:
		as := l.v.cols[c].info.Name + " year"
		l.derive(plan.Derived{As: as, Op: "year", Left: l.name(c)})
		cond.Column = as
	}
	l.orEqual(rowCond{cond: cond, col: c, at: start, date: true})
	return true
}

// orEqual adds a condition; several numbers that one column must equal are alternatives: "in 2010 and 2012".
func (l *listing) orEqual(add rowCond) {
	for n := range l.conds {
		have := &l.conds[n]
		one := have.cond
		if len(one.Any) > 0 {
			one = one.Any[0]
		}
		if have.col == add.col && one.Op == add.cond.Op && (one.Op == "eq" || one.Op == "contains") && have.date == add.date {
			if len(have.cond.Any) == 0 {
				have.cond = plan.Condition{Any: []plan.Condition{have.cond}}
			}
			have.cond.Any = append(have.cond.Any, add.cond)
			return
		}
	}
	l.conds = append(l.conds, add)
}

// numberColumn finds the column that a number is about: named behind or before it, or the only one of numbers.
func (l *listing) numberColumn(i, start, end int) (col, to int) {
	if k := l.columnFrom(end, 3); k >= 0 && l.spots[k].col != l.v.label && (l.v.cols[l.spots[k].col].numeric || start < i && outcomeNouns[l.v.cols[l.spots[k].col].names[0][0].lemma]) {
		l.spots[k].taken = true
		l.use(l.spots[k].i, l.spots[k].j)
		return l.spots[k].col, l.spots[k].j
	}
	for back := 1; back <= 5 && start-back >= 0; back++ {
		k := l.spotAt(start - back)
		if k < 0 {
			continue
		}
		if l.spots[k].value {
			break
		}
		if c := l.spots[k].col; c != l.v.label && (start == i || !l.v.cols[c].isRows(l.spots[k].j-l.spots[k].i)) && (back <= 2 || l.v.cols[c].numeric) {
			l.use(l.spots[k].i, l.spots[k].j)
			return c, end
		}
	}
	var fits []int
	n, _ := strconv.ParseFloat(l.toks[i].num, 64)
	for c, col := range l.v.cols {
		low, err := strconv.ParseFloat(col.info.Min, 64)
		high, err2 := strconv.ParseFloat(col.info.Max, 64)
		if col.numeric && !col.time && err == nil && err2 == nil && low <= n && n <= high {
			fits = append(fits, c)
		}
	}
	if len(fits) == 1 {
		return fits[0], end
	}
	return -1, end
}

// measured names a column as numbers: itself, or the numbers in its texts.
func (l *listing) measured(c int) string {
	col := l.v.cols[c]
	if col.info.Type != "text" {
		return col.info.Name
	}
	as := col.info.Name + " as number"
	l.derive(plan.Derived{As: as, Op: "number", Left: col.info.Name})
	return as
}

func (l *listing) derive(d plan.Derived) {
	if !slices.ContainsFunc(l.made, func(o plan.Derived) bool { return o.As == d.As }) {
		l.made = append(l.made, d)
	}
}

// rowPlace names the derived column of the rows' places.
func (l *listing) rowPlace() string {
	name := "row"
	for l.v.column(name) >= 0 {
		name += "_place"
	}
	l.derive(plan.Derived{As: name, Op: "row"})
	return name
}
