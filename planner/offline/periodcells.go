package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// inTexts reports whether a table has no column of times, so that a time can only be what the cells of a text column say.
func (v *view) inTexts() bool { return v.time < 0 && v.unread < 0 }

// cellConditions gives the condition that a text column names the periods of d: "Q1 2026" where a cell says so, and every cell with 2026
// in it for that year. nil where no cell does, or where an order of time would be needed.
func (r *reader) cellConditions(d dateRef) []plan.Condition {
	if d.op == "last" || d.prior != "" {
		return r.lastCells(d)
	}
	list := d.list
	if d.op == "eq" {
		list = []string{d.from}
	}
	if d.op != "eq" && d.op != "in" || d.period != "" || len(list) == 0 {
		return nil
	}
	var any []plan.Condition
	for _, period := range list {
		cond, ok := r.cellOf(period)
		if !ok || len(any) > 0 && any[0].Column != cond.Column {
			return nil
		}
		any = append(any, cond)
	}
	if len(any) == 1 {
		return any
	}
	return []plan.Condition{{Any: any}}
}

// cellOf finds the text column whose cells name one period.
func (r *reader) cellOf(period string) (plan.Condition, bool) {
	for _, phrase := range periodPhrases(period) {
		for _, h := range r.find(phrase) {
			c := r.v.column(h.Column)
			switch {
			case h.Table != r.v.info.Name || c < 0 || r.v.cols[c].info.Type != "text":
			case h.Match == plan.Exact && h.Values == 1:
				return plan.Condition{Column: h.Column, Op: "eq", Value: h.Value}, true
			case (len(period) == 4 || yearless(period)) && (h.Match == plan.Word || h.Match == plan.Prefix) && r.v.cols[c].ofPeriods():
				return plan.Condition{Column: h.Column, Op: "contains", Value: strings.TrimPrefix(period, "-")}, true
			}
		}
	}
	return plan.Condition{}, false
}

// lastCells keeps the last n periods that cells name, counted back from now: "last quarter" is the one before this, or the last in the
// data where they end earlier.
func (r *reader) lastCells(d dateRef) []plan.Condition {
	period, n := d.period, d.n
	if d.prior != "" {
		period, n = d.prior, 1
	}
	const far = 60 // how many periods back are looked at
	months := map[string]int{"month": 1, "quarter": 3, "year": 12}[period]
	if months == 0 || n < 1 || r.now.IsZero() {
		return nil
	}
	var any []plan.Condition
	for back := b2i(d.prior != ""); back <= far && len(any) < n; back++ {
		at := monthOf(r.now).AddDate(0, -back*months, 0)
		text := map[string]string{"month": at.Format("2006-01"), "quarter": fmt.Sprintf("%d-Q%d", at.Year(), (int(at.Month())+2)/3), "year": at.Format("2006")}[period]
		if cond, ok := r.cellOf(text); ok && (len(any) == 0 || any[0].Column == cond.Column) {
			any = append(any, cond)
		}
	}
	if len(any) <= 1 {
		return any
	}
	return []plan.Condition{{Any: any}}
}

// find asks the values for a phrase, once for each message.
func (r *reader) find(phrase string) []plan.Hit {
	if r.values == nil {
		return nil
	}
	found, ok := r.found[phrase]
	if !ok {
		found = r.values.Find(r.ctx, phrase)
		r.found[phrase] = found
	}
	return found
}

// ofPeriods reports whether the name of a column says that it holds periods.
func (c *viewColumn) ofPeriods() bool {
	return slices.ContainsFunc(c.names[0], func(w nameWord) bool {
		return periodWords[w.lemma] != "" || w.lemma == "period" || w.lemma == "fiscal" || w.lemma == "fy"
	})
}

// periodPhrases are the ways in which cells write a period.
func periodPhrases(period string) []string {
	year, rest, _ := strings.Cut(period, "-")
	switch {
	case rest == "":
		return []string{period}
	case rest[0] == 'Q' && year == "":
		return []string{strings.ToLower(rest), "quarter " + rest[1:]}
	case year == "":
		return []string{period}
	case rest[0] == 'Q':
		q := strings.ToLower(rest)
		return []string{q + " " + year, year + " " + q}
	}
	at, err := time.Parse("2006-01", period)
	if err != nil {
		return []string{strings.ReplaceAll(period, "-", " ")}
	}
	return []string{strings.ToLower(at.Format("Jan 2006")), strings.ToLower(at.Format("January 2006")), at.Format("2006 01"), at.Format("01 2006")}
}

// unplaced says which time of the message no cell names, where there is no column of times; "" for none.
func (r *reader) unplaced() string {
	if !r.v.inTexts() {
		return ""
	}
	for _, d := range r.dates {
		if len(r.cellConditions(d)) > 0 || r.namesMonth(d) {
			continue
		}
		var said []string
		for _, t := range r.toks[d.i:d.j] {
			said = append(said, t.text)
		}
		return fmt.Sprintf("There is no column of dates here, and no cell says “%s”. Columns: %s.", strings.Join(said, " "), columnList(r.v))
	}
	return ""
}

// namesMonth reports whether the month of d is in the name of the table: "the february file" is invoices_feb.
func (r *reader) namesMonth(d dateRef) bool {
	return slices.ContainsFunc(r.toks[d.i:d.j], func(t token) bool {
		for w := range r.v.source {
			if w == t.lemma || monthNames[w] > 0 && monthNames[w] == monthNames[t.low] {
				return true
			}
		}
		return false
	})
}
