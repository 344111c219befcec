package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// number reads the comparison of which the number at i is part.
func (r *reader) number(a *ask, i int) {
	op, start := r.comparator(i)
	end := i + 1
	value := r.toks[i].num
	var high string
	if to := r.rangeEnd(i); op == "" && (r.low(i-1) == "between" || r.low(i-1) == "from") && to > 0 {
		op, start, end, high = "between", i-1, to+1, r.toks[to].num
		if r.writtenUnit(i+1) != "" {
			value = convert(value, r.low(i+1), r.low(end)) // 300 g and 2 kg
		}
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
	col, to, rows := r.comparedColumn(i, start, end, op)
	if rows {
		a.having = append(a.having, asked{cond: numberCondition("count", op, value, high), col: -1, at: i})
		r.use(start, to)
		return
	}
	if col < 0 && op != "" && slices.ContainsFunc(r.toks[:start], func(t token) bool { return groupWords[t.low] }) {
		a.having = append(a.having, asked{cond: numberCondition("", op, value, high), col: -1, at: i})
		r.use(start, end)
		return
	}
	if col < 0 && op != "" {
		col = r.onlyMeasureWith(a, i, value)
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
	cond := numberCondition(r.v.cols[col].info.Name, op, value, high)
	if r.v.cols[col].info.Type == "text" {
		last := i
		if op == "between" {
			last = end - 1
		}
		if stop, ok := r.inCells(&cond, last); ok {
			to = max(to, stop)
		}
	}
	r.use(start, to)
	r.use(i, end)
	a.filters = append(a.filters, asked{cond: cond, col: col, at: start})
}

// onlyMeasureWith finds the one measure among whose values a number lies, where no word says what is compared; -1 when there are
// none, or several to ask back about.
func (r *reader) onlyMeasureWith(a *ask, i int, value string) int {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return -1
	}
	var fits []int
	for _, c := range r.v.measure {
		low, errLow := strconv.ParseFloat(r.v.cols[c].info.Min, 64)
		high, errHigh := strconv.ParseFloat(r.v.cols[c].info.Max, 64)
		if errLow != nil || errHigh != nil || n < low || n > high {
			continue
		}
		fits = append(fits, c)
	}
	switch {
	case len(fits) == 1:
		a.note = fmt.Sprintf("“%s” was compared with %s, the only column of amounts with such values.", r.toks[i].text, r.v.cols[fits[0]].info.Name)
		return fits[0]
	case len(fits) > 1 && a.unclear == "":
		a.unclear = fmt.Sprintf("Which column is to be compared with %s: %s?", r.toks[i].text, r.names(fits))
	}
	return -1
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
func (r *reader) comparedColumn(i, start, end int, op string) (col, to int, rows bool) {
	if op == "" {
		return r.besideNumber(i)
	}
	if m := r.measureStarting(end); m >= 0 {
		r.mentions[m].used = true
		return r.pick(m, op), r.mentions[m].j, false
	}
	if c, stop := r.adjectiveBehind(i, end); c >= 0 {
		return c, stop, false
	}
	if u := r.unitAt(i, end); u != "" {
		if c := r.columnOfUnit(u, start, op); c >= 0 {
			return c, r.unitEnd(end), false
		}
		if k := r.mentionFrom(r.unitEnd(end)); k >= 0 && r.low(r.unitEnd(end)) == "of" && r.mentions[k].value && r.mentions[k].asCol >= 0 { // "20 mm of rain"
			r.mentions[k].used = true
			return r.mentions[k].asCol, r.mentions[k].j, false
		}
	}
	if end < len(r.toks) && (r.v.rows(r.toks[end].lemma) || rowWords[r.toks[end].lemma]) && !r.toks[i].money {
		if c := r.countColumn(); c >= 0 && !rowsOnly[r.toks[end].lemma] {
			return c, end + 1, false
		}
		return -1, end + 1, true
	}
	if c := r.namedBefore(start, op); c >= 0 {
		return c, r.unitEnd(end), false
	}
	if c := r.comparingAdjective(start, end); c >= 0 {
		return c, end, false
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; !m.value && r.isYearColumn(m.i) {
			return m.col, end, false
		}
	}
	if c := r.onlyMeasure(); c >= 0 {
		return c, r.unitEnd(end), false
	}
	return -1, end, false
}

// besideNumber finds the column right beside a number without a comparing word: "6 cylinders", "year 70".
func (r *reader) besideNumber(i int) (col, to int, rows bool) {
	before := r.low(i - 1)
	_, most, ranks := degreeOf(before)
	if m := r.measureStarting(i + 1); m >= 0 && before != "top" && before != "bottom" && before != "first" && before != "last" && !(most == 2 && ranks) {
		r.mentions[m].used = true
		return r.mentions[m].col, r.mentions[m].j, false
	}
	if m := r.mentionEnding(i); m >= 0 && !r.mentions[m].value && r.v.cols[r.mentions[m].col].numeric && !r.v.cols[r.mentions[m].col].time {
		r.mentions[m].used = true
		return r.mentions[m].col, i + 1, false
	}
	return -1, i, false
}

// adjectiveBehind finds the column of "2 hours late", "6 feet tall".
func (r *reader) adjectiveBehind(i, end int) (col, to int) {
	base, degree, ok := degreeOf(r.low(end + 1))
	if !ok || degree != 0 || r.unitAt(i, end) == "" {
		return -1, end
	}
	list := r.v.withConcept(adjectives[base].concepts)
	if len(list) == 0 {
		return -1, end
	}
	r.use(end+1, end+2)
	return list[0], end + 1
}

// comparingAdjective finds the column of "heavier than 4000", "20 years old".
func (r *reader) comparingAdjective(start, end int) int {
	for k := start; k < min(end+2, len(r.toks)); k++ {
		base, _, ok := degreeOf(r.low(k))
		if !ok || r.used[k] {
			continue
		}
		if list := r.v.withConcept(adjectives[base].concepts); len(list) > 0 {
			if k >= end {
				r.use(k, k+1)
			}
			return list[0]
		}
	}
	return -1
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
		if c := r.v.cols[m.col]; !m.value && (c.numeric && !c.year || c.countsUp() && !c.isRows(m.j-m.i)) {
			m.used = true
			return r.pick(k, op)
		}
	}
	return -1
}

// countsUp reports whether a column holds identifiers that are numbers, so that they can be compared.
func (c viewColumn) countsUp() bool { return c.info.Role == "identifier" && c.info.Type == "integer" }

// isRows reports whether so many words of an identifier's name say what the rows are, not their numbers: the orders of "orders over
// 3000" are not those whose order_id is.
func (c viewColumn) isRows(words int) bool {
	return c.info.Role == "identifier" && len(c.names) > 0 && words < len(c.names[0])
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
	if i < len(r.toks) && (units[r.low(i)].kind != "" || units[r.toks[i].lemma].kind != "" || (benignWords[r.low(i)] || sexWords[r.low(i)]) && r.low(i+1) == "per") {
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
