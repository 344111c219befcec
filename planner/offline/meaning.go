package offline

import (
	"slices"

	"catena/planner/plan"
)

// telling are words that change what a question means. One that no operation has taken is not passed over: the message is
// refused with the word named.
var telling = plan.WordSet("no not without never unless except excluding per each cumulative running next previous")

func tells(w string) bool {
	return telling[w] || affixWords[w] || w == "times" || w == "multiplied"
}

// untaken gives the telling words that nothing has used.
func (r *reader) untaken() []token {
	var out []token
	for _, i := range r.vain {
		out = append(out, r.toks[i])
	}
	for i, t := range r.toks {
		if r.used[i] || t.kind != wordToken || r.mentionAt(i, i+1) >= 0 {
			continue
		}
		next := r.low(i + 1)
		switch {
		case t.low == "each" && (i+1 == len(r.toks) || !r.toks[i+1].content()) || t.low == "each" && next == "other":
		case t.low == "by" && r.low(i-1) != "followed" && benignWords[next] && periodWords[r.tokenAt(i+1).lemma] == "" && !r.used[i+1] && r.tokenAt(i+1).content():
			out = append(out, r.toks[i+1]) // "by line", where no column is called that
		case telling[t.low], affixWords[t.low] && next == "with", t.low == "out" && next == "of" && r.low(i+2) == "stock":
			out = append(out, t)
		case t.low == "times" && i > 0 && (r.toks[i-1].kind == numberToken || r.mentionEnding(i) >= 0 && r.measureMention(r.mentionEnding(i))), t.low == "multiplied":
			out = append(out, t)
		}
	}
	return out
}

// affixWords come before "with" and a beginning or an end of a text.
var affixWords = plan.WordSet("start starts started starting begin begins beginning began end ends ending ended")

// affixes reads "whose name starts with Y", "ending with GmbH" as a condition on the text named before, else on the label.
func (r *reader) affixes(a *ask) {
	for i := range r.toks {
		if !affixWords[r.low(i)] || r.low(i+1) != "with" {
			continue
		}
		end := i + 2
		for r.low(end) == "the" || r.tokenAt(end).lemma == "letter" {
			end++
		}
		t := r.tokenAt(end)
		if t.text == "" || t.kind == markToken {
			continue
		}
		col, from := r.v.label, i
		for k := range r.mentions {
			m := &r.mentions[k]
			if c := r.senseOf(k); c >= 0 && m.j <= i && i-m.j <= 2 && r.v.cols[c].info.Type == "text" {
				col, from = c, m.j
			}
			if m.i <= end && end < m.j {
				m.used = true
			}
		}
		if col < 0 {
			continue
		}
		op := "starts_with"
		if w := r.low(i); w == "end" || w == "ends" || w == "ending" || w == "ended" {
			op = "ends_with"
		}
		for k := from; k < i; k++ {
			if r.toks[k].lemma == "name" || r.toks[k].low == "whose" {
				r.use(k, k+1)
			}
		}
		if r.toks[max(0, i-1)].lemma == "name" {
			r.use(i-1, i)
		}
		r.use(i, end+1)
		a.filters = append(a.filters, asked{cond: plan.Condition{Column: r.v.cols[col].info.Name, Op: op, Value: t.text}, col: col, at: i})
	}
}

// alternatives joins two conditions on different things with "or" between them into one that either meets.
func (r *reader) alternatives(a *ask) {
	for i := range r.toks {
		if r.low(i) != "or" || r.used[i] {
			continue
		}
		left, right := -1, -1
		for n, f := range a.filters {
			switch {
			case f.date || f.at < 0 || f.cond.Any != nil:
			case f.at < i && i-f.at <= 6 && (left < 0 || a.filters[left].at < f.at):
				left = n
			case f.at > i && f.at-i <= 4 && (right < 0 || a.filters[right].at > f.at):
				right = n
			}
		}
		if left < 0 || right < 0 || slices.ContainsFunc(r.mentions, func(m mention) bool { return m.value && m.i > i && m.i < a.filters[right].at }) {
			continue // "DACH or USA with ...": the values are alternatives, the rest holds for both
		}
		l, g := a.filters[left], a.filters[right]
		a.filters[left].cond = plan.Condition{Any: []plan.Condition{l.cond, g.cond}}
		a.filters = slices.Delete(a.filters, right, right+1)
	}
}

// opposites are words that say that a state has not been reached, and the words of that state.
var opposites = map[string][]string{
	"unresolved": {"resolved", "closed", "solved", "done"}, "unsolved": {"solved", "closed", "resolved", "done"}, "unclosed": {"closed"},
	"unfinished": {"finished", "done", "closed", "completed"}, "outstanding": {"closed", "paid", "done"}, "incomplete": {"completed", "complete", "done"},
}

// unreached reads "unresolved tickets" as those whose status is not closed.
func (r *reader) unreached(a *ask) {
	if r.values == nil {
		return
	}
	for i, t := range r.toks {
		if r.used[i] {
			continue
		}
		for _, state := range opposites[t.low] {
			for _, h := range r.values.Find(r.ctx, state) {
				c := r.v.column(h.Column)
				if h.Table != r.v.info.Name || h.Match != plan.Exact || c < 0 || r.used[i] {
					continue
				}
				r.use(i, i+1)
				a.filters = append(a.filters, asked{cond: plan.Condition{Column: h.Column, Op: "ne", Value: h.Value}, col: c, at: i})
			}
		}
	}
}

// flags reads a column of yes and no as a condition where it describes the rows: "remote employees", "not remote".
func (r *reader) flags(a *ask) {
	for k := range r.mentions {
		m := &r.mentions[k]
		if m.value || m.used || r.v.cols[m.col].info.Type != "boolean" || len(m.alts) > 0 {
			continue
		}
		if after := r.tokenAt(m.j); after.text == "," || after.low == "and" || r.low(m.i-1) == "," || r.low(m.i-1) == "and" || groupWords[r.low(m.i-1)] || r.low(m.i-1) == "which" || r.low(m.i-1) == "show" {
			continue
		}
		no := false
		if w := r.low(m.i - 1); w == "not" || w == "non" || w == "-" && r.low(m.i-2) == "non" {
			no = true
			r.use(m.i-1, m.i)
		}
		m.used = true
		a.filters = append(a.filters, asked{cond: plan.Condition{Column: r.v.cols[m.col].info.Name, Op: "eq", Value: !no}, col: m.col, at: m.i})
	}
}

// outOf reads "out of stock" as a quantity of zero.
func (r *reader) outOf(a *ask) {
	for i := range r.toks {
		if !r.says(i, "out", "of", "stock") && !r.says(i, "sold", "out") {
			continue
		}
		col := -1
		for c := range r.v.cols {
			if v := &r.v.cols[c]; v.numeric && !v.time && v.sums() && v.hasConcept("stock", "quantity") {
				if col >= 0 {
					col = -1
					break
				}
				col = c
			}
		}
		if col < 0 {
			continue
		}
		end := i + 2 + b2i(r.low(i) == "out")
		for k := range r.mentions {
			if r.mentions[k].i >= i && r.mentions[k].j <= end {
				r.mentions[k].used = true
			}
		}
		r.use(i, end)
		a.filters = append(a.filters, asked{cond: numberCondition(r.v.cols[col].info.Name, "eq", "0", ""), col: col, at: i})
	}
}
