package planner

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
)

// comparators are the words before (or, the last two, behind) a number that compare with it, longest first.
var comparators = []struct {
	words string
	op    string
}{
	{"greater than or equal to", "ge"}, {"less than or equal to", "le"}, {"no less than", "ge"}, {"no more than", "le"}, {"no fewer than", "ge"}, {"not more than", "le"}, {"not less than", "ge"},
	{"more than", "gt"}, {"greater than", "gt"}, {"higher than", "gt"}, {"larger than", "gt"}, {"bigger than", "gt"}, {"better than", "gt"}, {"in excess of", "gt"}, {"above", "gt"}, {"over", "gt"}, {"exceeding", "gt"},
	{"exceeded", "gt"}, {"exceed", "gt"}, {"exceeds", "gt"}, {"beyond", "gt"}, {"past", "gt"}, {"beats", "gt"}, {"topped", "gt"}, {"surpassed", "gt"},
	{"less than", "lt"}, {"fewer than", "lt"}, {"lower than", "lt"}, {"smaller than", "lt"}, {"worse than", "lt"}, {"below", "lt"}, {"under", "lt"}, {"beneath", "lt"},
	{"at least", "ge"}, {"at minimum", "ge"}, {"minimum of", "ge"}, {"from", "ge"}, {"at most", "le"}, {"up to", "le"}, {"maximum of", "le"},
	{"exactly", "eq"}, {"equal to", "eq"}, {"equals", "eq"}, {"of exactly", "eq"}, {">=", "ge"}, {"<=", "le"}, {">", "gt"}, {"<", "lt"}, {"=", "eq"}, {"!=", "ne"},
}

// numbers turns comparisons with numbers into conditions.
func (r *reader) numbers(a *ask) {
	for i := range r.toks { // "more than an hour"
		if w := r.low(i); (w == "a" || w == "an") && units[r.low(i+1)].kind != "" && i > 0 && (r.low(i-1) == "than" || r.low(i-1) == "over" || r.low(i-1) == "under" || r.low(i-1) == "least") {
			r.toks[i].kind, r.toks[i].num = numberToken, "1"
		}
	}
	for i := range r.toks {
		t := r.toks[i]
		if t.kind == numberToken && !r.used[i] {
			r.number(a, i)
		}
	}
	r.signs(a)
	r.againstMean(a)
	r.predicates(a)
}

// states are words that say of a row that a measure is over or under zero.
var states = map[string]struct{ concept, op string }{
	"delayed": {"delay", "gt"}, "late": {"delay", "gt"}, "early": {"delay", "lt"}, "punctual": {"delay", "le"}, "profitable": {"profit", "gt"}, "unprofitable": {"profit", "lt"}, "dry": {"precipitation", "eq"},
}

// predicates reads "flights that were delayed" as a delay of more than zero, where nothing else compares the column.
func (r *reader) predicates(a *ask) {
	for i, t := range r.toks {
		state, ok := states[t.low]
		if !ok || r.used[i] || r.mentionAt(i, i+1) >= 0 && r.mentions[r.mentionAt(i, i+1)].value || r.low(i-1) == "most" || r.low(i-1) == "least" {
			continue
		}
		list := r.v.withConcept([]string{state.concept})
		if len(list) != 1 || !r.v.cols[list[0]].numeric {
			continue
		}
		r.use(i, i+1)
		if k := r.mentionAt(i, i+1); k >= 0 {
			r.mentions[k].used = true
		}
		if slices.ContainsFunc(a.filters, func(f asked) bool { return f.col == list[0] }) {
			continue
		}
		a.filters = append(a.filters, asked{cond: numberCondition(r.v.cols[list[0]].info.Name, state.op, "0", ""), col: list[0], at: i})
	}
}

// number reads the comparison of which the number at i is part.
func (r *reader) number(a *ask, i int) {
	op, start := r.comparator(i)
	end := i + 1
	value := r.toks[i].num
	var high string
	if op == "" && (r.low(i-1) == "between" || r.low(i-1) == "from") && (r.low(i+1) == "and" || r.low(i+1) == "to") && i+2 < len(r.toks) && r.toks[i+2].kind == numberToken {
		op, start, end, high = "between", i-1, i+3, r.toks[i+2].num
	}
	if op == "ge" && r.low(i-1) == "from" {
		return
	}
	if op == "" {
		switch {
		case r.says(i+1, "or", "more") || r.says(i+1, "or", "higher") || r.says(i+1, "or", "above") || r.says(i+1, "or", "better") || r.says(i+1, "or", "greater"):
			op, end = "ge", i+3
		case r.says(i+1, "or", "less") || r.says(i+1, "or", "fewer") || r.says(i+1, "or", "lower") || r.says(i+1, "or", "below"):
			op, end = "le", i+3
		}
	}
	r.conditionOn(a, i, start, end, op, value, high)
}

// conditionOn finds the column that a comparison is about and adds the condition.
func (r *reader) conditionOn(a *ask, i, start, end int, op, value, high string) {
	col, from, to, rows := r.comparedColumn(a, i, start, end, op)
	if rows {
		a.having = append(a.having, asked{cond: numberCondition("count", op, value, high), col: -1, at: i})
		r.use(start, to)
		return
	}
	if col < 0 {
		return
	}
	if op == "" {
		op = "eq"
	}
	if u := r.unitAt(i, end); u != "" {
		value, high = convert(value, u, r.v.cols[col].unit), convert(high, u, r.v.cols[col].unit)
	}
	if c := r.v.cols[col]; r.toks[i].percent && len(c.info.Max) > 0 && (c.info.Max[0] == '0' || c.info.Max == "1" || strings.HasPrefix(c.info.Max, "1.0")) {
		value, high = hundredth(value), hundredth(high)
	}
	r.use(start, to)
	r.use(i, end)
	_ = from
	a.filters = append(a.filters, asked{cond: numberCondition(r.v.cols[col].info.Name, op, value, high), col: col, at: start})
}

func numberCondition(column, op, value, high string) plan.Condition {
	if op == "between" {
		return plan.Condition{Column: column, Op: op, Value: []any{jsonNumber(value), jsonNumber(high)}}
	}
	return plan.Condition{Column: column, Op: op, Value: jsonNumber(value)}
}

// comparator reads the comparing words that end before the number at i.
func (r *reader) comparator(i int) (op string, start int) {
	for i > 0 && (r.low(i-1) == "the" || r.low(i-1) == "a" || r.low(i-1) == "about" || r.low(i-1) == "around") {
		i--
	}
	for _, c := range comparators {
		words := strings.Fields(c.words)
		if i >= len(words) && r.says(i-len(words), words...) {
			return c.op, i - len(words)
		}
	}
	if i >= 2 && r.low(i-1) == "than" {
		if base, degree, ok := degreeOf(r.low(i - 2)); ok && degree == 1 {
			sign := adjectives[base].sign
			return map[bool]string{true: "gt", false: "lt"}[sign > 0], i - 2
		}
	}
	if i >= 1 && r.low(i-1) == "of" && r.mentionEnding(i-1) >= 0 {
		return "eq", i - 1
	}
	return "", i
}

// mentionEnding gives the mention that ends before token i, -1 without one.
func (r *reader) mentionEnding(i int) int {
	return slices.IndexFunc(r.mentions, func(m mention) bool { return m.j == i })
}

// comparedColumn finds the column that a number is compared with: the one named behind the number, the one of its unit,
// the one named before, one that a word of degree speaks of, or the table's only measure. rows says that the number counts rows.
func (r *reader) comparedColumn(a *ask, i, start, end int, op string) (col, from, to int, rows bool) {
	if op == "" { // "6 cylinders", "year 70": only a column right beside makes it a condition
		if m := r.measureStarting(i + 1); m >= 0 && r.low(i-1) != "top" && r.low(i-1) != "bottom" && r.low(i-1) != "first" && r.low(i-1) != "last" {
			r.mentions[m].used = true
			return r.mentions[m].col, i, r.mentions[m].j, false
		}
		if m := r.mentionEnding(i); m >= 0 && !r.mentions[m].value && r.v.cols[r.mentions[m].col].numeric && !r.v.cols[r.mentions[m].col].time {
			r.mentions[m].used = true
			return r.mentions[m].col, r.mentions[m].i, i + 1, false
		}
		return -1, 0, i, false
	}
	if m := r.measureStarting(end); m >= 0 {
		r.mentions[m].used = true
		return r.pick(m, op), start, r.mentions[m].j, false
	}
	if base, degree, ok := degreeOf(r.low(end + 1)); ok && degree == 0 && r.unitAt(i, end) != "" {
		if list := r.v.withConcept(adjectives[base].concepts); len(list) > 0 {
			r.use(end+1, end+2)
			return list[0], start, end + 1, false
		}
	}
	if u := r.unitAt(i, end); u != "" {
		if c := r.columnOfUnit(u, start, op); c >= 0 {
			return c, start, r.unitEnd(end), false
		}
	}
	if end < len(r.toks) && (r.v.rows(r.toks[end].lemma) || rowWords[r.toks[end].lemma]) && !r.toks[i].money {
		return -1, start, end + 1, true
	}
	if c := r.namedBefore(start, op); c >= 0 {
		return c, start, r.unitEnd(end), false
	}
	for k := start; k < min(end+2, len(r.toks)); k++ {
		if base, _, ok := degreeOf(r.low(k)); ok && !r.used[k] {
			if list := r.v.withConcept(adjectives[base].concepts); len(list) > 0 {
				if k >= end {
					r.use(k, k+1)
				}
				return list[0], start, end, false
			}
		}
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; !m.value && r.isYearColumn(m.i) {
			return m.col, start, end, false
		}
	}
	if c := r.onlyMeasure(); c >= 0 {
		return c, start, r.unitEnd(end), false
	}
	return -1, start, end, false
}

// measureStarting gives the mention of a column of numbers that begins at i, or behind of.
func (r *reader) measureStarting(i int) int {
	if r.low(i) == "of" || r.low(i) == "-" {
		i++
	}
	return slices.IndexFunc(r.mentions, func(m mention) bool {
		return m.i == i && (!m.value && r.v.cols[m.col].numeric && !r.v.cols[m.col].year)
	})
}

// namedBefore gives the column of numbers named last before token i, not yet compared with another number.
func (r *reader) namedBefore(i int, op string) int {
	for k := len(r.mentions) - 1; k >= 0; k-- {
		m := &r.mentions[k]
		if m.j > i || i-m.j > 6 {
			continue
		}
		if m.value && m.asCol >= 0 && r.v.cols[m.asCol].numeric && !m.used {
			m.used = true
			return m.asCol
		}
		if !m.value && r.v.cols[m.col].numeric && !r.v.cols[m.col].year {
			m.used = true
			return r.pick(k, op)
		}
	}
	return -1
}

// pick chooses between columns that fit as well: a maximum for "above", a minimum for "below".
func (r *reader) pick(k int, op string) int {
	m := r.mentions[k]
	return r.pickOf(append([]int{m.col}, m.alts...), op)
}

func (r *reader) pickOf(list []int, op string) int {
	want := map[string]string{"gt": "max", "ge": "max", "lt": "min", "le": "min"}[op]
	for _, c := range list {
		if slices.ContainsFunc(r.v.cols[c].names[0], func(w nameWord) bool {
			return w.lemma == want || abbreviations[w.lemma] == abbreviations[want] && want != "" && abbreviations[want] != ""
		}) {
			return c
		}
	}
	return list[0]
}

// unitAt gives the unit behind the number at i: "kg", "dollar" for a currency sign.
func (r *reader) unitAt(i, end int) string {
	t := r.toks[i]
	if t.money {
		return "dollar"
	}
	if t.percent {
		return "percent"
	}
	if end < len(r.toks) {
		if u := r.toks[end]; units[u.low].kind != "" {
			return u.low
		} else if units[u.lemma].kind != "" {
			return u.lemma
		}
		if r.toks[end].text == "°" {
			return "degree"
		}
	}
	return ""
}

// unitEnd is where a unit at i ends: "children per woman", "miles per hour", "kg".
func (r *reader) unitEnd(i int) int {
	if i < len(r.toks) && (units[r.low(i)].kind != "" || units[r.toks[i].lemma].kind != "" || benignWords[r.low(i)] && r.low(i+1) == "per") {
		i++
		if r.low(i) == "c" || r.low(i) == "f" || r.low(i) == "celsius" {
			i++
		}
	} else if i < len(r.toks) && r.toks[i].text == "°" {
		i++
	}
	if r.low(i) == "per" && i+1 < len(r.toks) {
		i += 2
	}
	return i
}

// columnOfUnit finds the column measured in a unit's kind; one that was named before wins.
func (r *reader) columnOfUnit(u string, before int, op string) int {
	kind := units[u].kind
	byKind := map[string][]string{"mass": {"weight"}, "length": {"length", "height", "distance"}, "time": {"duration", "delay"}, "temperature": {"temperature"}, "money": {"price", "cost", "revenue", "salary"}, "speed": {"speed", "wind"}, "economy": {"mpg"}}[kind]
	var list []int
	for c := range r.v.cols {
		if col := &r.v.cols[c]; col.numeric && !col.time && (units[col.unit].kind == kind && col.unit != "" || col.hasConcept(byKind...)) {
			list = append(list, c)
		}
	}
	for k := len(r.mentions) - 1; k >= 0; k-- {
		if m := &r.mentions[k]; m.j <= before && !m.value && (slices.Contains(list, m.col) || before-m.j <= 1 && r.v.cols[m.col].numeric) {
			m.used = true
			return m.col
		}
	}
	if len(list) == 0 {
		return -1
	}
	return r.pickOf(list, op)
}

// convert gives a number in the column's unit: 6 kg is 6000 in a column of grams.
func convert(value, from, to string) string {
	a, b := units[from], units[to]
	if value == "" || a.kind == "" || a.kind != b.kind || a.factor == b.factor {
		return value
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	return strconv.FormatFloat(f*a.factor/b.factor, 'g', 12, 64)
}

// hundredth gives a percentage as a ratio: 20 is 0.2.
func hundredth(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f/100, 'g', 12, 64)
}

// signs reads negative, positive and zero beside a column: "a negative change".
func (r *reader) signs(a *ask) {
	for i, t := range r.toks {
		op, ok := map[string]string{"negative": "lt", "positive": "gt", "nonzero": "ne", "zero": "eq"}[t.low]
		if !ok || r.used[i] {
			continue
		}
		for k := range r.mentions {
			m := &r.mentions[k]
			if !m.value && r.v.cols[m.col].numeric && !r.v.cols[m.col].time && (m.i == i+1 || m.j == i || m.j == i-1) {
				m.used = true
				r.use(i, i+1)
				a.filters = append(a.filters, asked{cond: numberCondition(r.v.cols[m.col].info.Name, op, "0", ""), col: m.col, at: i})
				break
			}
		}
	}
}

// againstMean reads "above average", "more than the mean".
func (r *reader) againstMean(a *ask) {
	for i := range r.toks {
		for _, side := range []struct{ word, op string }{{"above", "gt"}, {"below", "lt"}, {"over", "gt"}, {"under", "lt"}} {
			j := i + 1
			if r.low(j) == "the" {
				j++
			}
			if r.low(i) != side.word || r.low(j) != "average" && r.low(j) != "mean" || r.used[i] {
				continue
			}
			k := r.measureStarting(j + 1)
			if k < 0 {
				k = r.mentionEnding(i)
			}
			if k < 0 || r.mentions[k].value || !r.v.cols[r.mentions[k].col].numeric {
				continue
			}
			name := r.v.cols[r.mentions[k].col].info.Name
			r.mentions[k].used = true
			r.use(i, j+1)
			r.toks[j].low = ""
			a.filters = append(a.filters, asked{cond: plan.Condition{Column: name, Op: side.op, Value: map[string]any{"expr": "mean", "column": name}}, col: r.mentions[k].col, at: i})
		}
	}
}

// missing reads questions about empty cells: "no horsepower value", "missing sex", "director unknown".
func (r *reader) missing(a *ask) {
	absent := wordSet("missing unknown null empty blank unavailable unlisted unspecified absent na nan undefined")
	for i, t := range r.toks {
		var near []int
		switch {
		case r.used[i] && r.mentionAt(i, i+1) >= 0:
			continue
		case absent[t.low]:
			near = []int{i + 1, i + 2, i + 3, i - 1, i - 2, i - 3}
		case t.low == "no" || t.low == "without" || t.low == "lacking" || t.low == "lack" || t.low == "lacks":
			near = []int{i + 1, i + 2}
		case t.low == "not" && (r.low(i+1) == "recorded" || r.low(i+1) == "known" || r.low(i+1) == "listed" || r.low(i+1) == "available" || r.low(i+1) == "given"):
			near = []int{i - 1, i - 2}
		case t.low == "not" && r.low(i+1) == "have":
			near = []int{i + 2, i + 3}
		default:
			continue
		}
		for _, at := range near {
			k := slices.IndexFunc(r.mentions, func(m mention) bool { return m.i <= at && at < m.j && !m.used })
			if k < 0 || r.mentions[k].value && !absent[t.low] {
				continue
			}
			m := &r.mentions[k]
			col := m.col
			if m.value {
				if m.asCol < 0 {
					continue
				}
				col = m.asCol
			}
			m.used = true
			r.use(i, i+1)
			if c := r.v.cols[col]; c.numeric && c.info.Nulls == 0 && !absent[t.low] && t.low != "not" {
				a.filters = append(a.filters, asked{cond: numberCondition(c.info.Name, "eq", "0", ""), col: col, at: i})
				break
			}
			a.filters = append(a.filters, asked{cond: plan.Condition{Column: r.v.cols[col].info.Name, Op: "is_null"}, col: col, at: i})
			break
		}
	}
}

// parseDay reads the day of a date as column facts have it.
func parseDay(s string) (time.Time, bool) {
	if len(s) < 10 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	return t, err == nil
}
