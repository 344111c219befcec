package offline

import (
	"slices"
	"strconv"
	"time"

	"catena/planner/plan"
)

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
	absent := plan.WordSet("missing unknown null empty blank unavailable unlisted unspecified absent na nan undefined")
	for i, t := range r.toks {
		var near []int
		switch {
		case ongoing[t.low] && !r.valueAtToken(i), t.low == "not" && endColumns[r.low(i+1)] && !r.valueAtToken(i+1):
			r.unended(a, i)
			continue
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
		case t.low == "not" && r.happens(i+1), t.low == "not" && r.low(i+1) == "yet" && r.happens(i+2):
			near = []int{i + 1, i + 2}
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
			if c := r.v.cols[col]; c.info.Type == "boolean" && !absent[t.low] {
				a.filters = append(a.filters, asked{cond: plan.Condition{Column: c.info.Name, Op: "eq", Value: false}, col: col, at: i})
				break
			}
			if c := r.v.cols[col]; c.numeric && c.info.Nulls == 0 && !absent[t.low] && t.low != "not" {
				a.filters = append(a.filters, asked{cond: numberCondition(c.info.Name, "eq", "0", ""), col: col, at: i})
				break
			}
			a.filters = append(a.filters, asked{cond: plan.Condition{Column: r.v.cols[col].info.Name, Op: "is_null"}, col: col, at: i})
			break
		}
	}
}

// happens reports whether the token names a column of times that is empty where something has not happened: "not closed".
func (r *reader) happens(i int) bool {
	k := slices.IndexFunc(r.mentions, func(m mention) bool { return m.i <= i && i < m.j && !m.value && !m.used })
	return k >= 0 && r.v.cols[r.mentions[k].col].time && r.v.cols[r.mentions[k].col].info.Nulls > 0
}

// ongoing are the states of what has no end yet; endColumns begin the names of columns that hold the end.
var (
	ongoing    = plan.WordSet("open")
	endColumns = plan.WordSet("closed close resolved finished completed done ended end settled")
)

func (r *reader) valueAtToken(i int) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.i <= i && i < m.j && m.value })
}

// unended reads "open tickets" where no value says so: the one column of ends is empty.
func (r *reader) unended(a *ask, i int) {
	found := -1
	for c := range r.v.cols {
		col := &r.v.cols[c]
		if words := plan.NameWords(col.info.Name); !col.time || col.info.Nulls == 0 || len(words) == 0 || !endColumns[words[0]] {
			continue
		}
		if found >= 0 {
			return
		}
		found = c
	}
	if found < 0 {
		return
	}
	end := i + 1
	if r.low(i) == "not" {
		end++
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; m.i < end && i < m.j {
			m.used = true
		}
	}
	r.use(i, end)
	a.filters = append(a.filters, asked{cond: plan.Condition{Column: r.v.cols[found].info.Name, Op: "is_null"}, col: found, at: i})
}

// parseDay reads the day of a date as column facts have it.
func parseDay(s string) (time.Time, bool) {
	if len(s) < 10 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	return t, err == nil
}
