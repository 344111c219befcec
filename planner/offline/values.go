package offline

import (
	"encoding/json"
	"slices"

	"catena/planner/plan"
)

func jsonNumber(s string) json.Number { return json.Number(s) }

// excluders come before what is left out.
var excluders = plan.WordSet("without excluding except besides not ignoring exclude ignore non minus omit omitting but")

// wholes are the words after which "but" leaves out: all but France.
var wholes = plan.WordSet("all everything everyone everybody every any anything anyone anybody each nothing nobody none")

// valueFilters turns mentioned values into conditions: several of one column are alternatives.
func (r *reader) valueFilters(a *ask) {
	for k := range r.mentions {
		m := &r.mentions[k]
		if !m.value || m.used {
			continue
		}
		m.used = true
		cond := m.cond
		if r.excluded(m.i) {
			if len(cond.Any) > 0 { // neither one nor the other
				for _, c := range cond.Any {
					c.Op = "ne"
					a.filters = append(a.filters, asked{cond: c, col: r.v.column(c.Column), at: m.i})
				}
				continue
			}
			cond.Op = map[string]string{"eq": "ne", "contains": "not_contains", "starts_with": "not_contains"}[cond.Op]
		}
		r.addValue(a, cond, m)
	}
}

func (r *reader) excluded(i int) bool {
	for back := 1; back <= 3 && i-back >= 0; back++ {
		w := r.low(i - back)
		if excluders[w] || w == "than" && r.low(i-back-1) == "other" || w == "from" && r.low(i-back-1) == "apart" {
			r.use(i-back, i-back+1)
			return w != "but" || r.low(i-back+1) == "not" || wholes[r.low(i-back-1)]
		}
		if r.toks[i-back].content() || r.toks[i-back].kind != wordToken {
			return false
		}
	}
	return false
}

func (r *reader) addValue(a *ask, cond plan.Condition, m *mention) {
	for n := range a.filters {
		f := &a.filters[n]
		if f.col != m.col || f.date || f.cond.Value == nil {
			continue
		}
		switch have := f.cond; {
		case have.Op == cond.Op && have.Value == cond.Value:
			return
		case have.Op == "eq" && cond.Op == "eq":
			f.cond.Op, f.cond.Value = "in", []any{have.Value, cond.Value}
			return
		case have.Op == "in" && cond.Op == "eq":
			if list := have.Value.([]any); !slices.Contains(list, cond.Value) {
				f.cond.Value = append(list, cond.Value)
			}
			return
		case have.Op == "ne" && cond.Op == "ne":
			f.cond.Op, f.cond.Value = "not_in", []any{have.Value, cond.Value}
			return
		case have.Op == "not_in" && cond.Op == "ne":
			f.cond.Value = append(have.Value.([]any), cond.Value)
			return
		case (have.Op == "contains" || have.Op == "starts_with" || have.Op == "eq") && (cond.Op == "contains" || cond.Op == "starts_with" || cond.Op == "eq"):
			f.cond = plan.Condition{Any: []plan.Condition{have, cond}}
			return
		}
	}
	a.filters = append(a.filters, asked{cond: cond, col: m.col, at: m.i})
}

// totalsOut leaves out rows that sum up the others, unless the message names them or asks for single rows of a named value.
func (r *reader) totalsOut(a *ask) {
	for i := range r.toks {
		if r.says(i, "not", "the", "total") || r.says(i, "not", "the", "totals") || r.says(i, "not", "totals") {
			r.use(i, i+1)
		}
	}
	for _, t := range r.v.info.Totals {
		c := r.v.column(t.Column)
		names := func(f asked) bool {
			return f.col == c && !f.date && f.cond.Op != "not_null" && (!a.share || f.cond.Value == t.Value)
		}
		if c >= 0 && !slices.ContainsFunc(a.filters, names) {
			a.filters = append(a.filters, asked{cond: t.Without(), col: c, at: -1})
			a.tell("%s", leftOut(t))
		}
	}
}

// leftOut says that rows of totals are no part of the answer.
func leftOut(t plan.TotalRows) string { return "Left out: " + t.String() + "." }
