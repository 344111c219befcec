package offline

import (
	"slices"

	"catena/planner/plan"
)

// stepPeriods are the periods of which each is compared with the one before.
var stepPeriods = []string{"month", "quarter", "week", "day", "year"}

// priorOnes come before the period that another is compared with.
var priorOnes = plan.WordSet("previous prior last preceding")

// stepWords reads that each period is to be compared with the one before it: "month over month", YoY, "vs the previous month". It is a
// change whether or not the word is said. It stands before the times are read, since no condition on the previous month is meant.
func (r *reader) stepWords(a *ask) {
	for i, t := range r.toks {
		for _, p := range stepPeriods {
			end := i
			switch {
			case r.says(i, p, "over", p) || r.says(i, p, "on", p) || r.says(i, p, "to", p) || r.says(i, p, "by", p) || r.says(i, p, "-", p):
				end = i + 3
			case t.low == p[:1]+"o"+p[:1] && t.kind == wordToken:
				end = i + 1
			default:
				end = r.againstPrior(i, p)
			}
			if end == i || r.mentionAt(i, end) >= 0 && r.mentions[r.mentionAt(i, end)].value {
				continue
			}
			if a.every != "" {
				continue
			}
			a.every, a.yearly = p, p == "year"
			r.use(i, end)
			r.dates = slices.DeleteFunc(r.dates, func(d dateRef) bool { return d.i < end && i < d.j })
			for k := range r.mentions {
				if r.mentions[k].i >= i && r.mentions[k].j <= end {
					r.mentions[k].used = true
				}
			}
			if r.v.time < 0 {
				r.vain = append(r.vain, i)
			}
		}
	}
}

// againstPrior reads "vs the previous month" and "compared to the month before" at i; it gives i where they do not stand.
func (r *reader) againstPrior(i int, period string) int {
	j := i + 1
	switch r.low(i) {
	case "vs", "versus", "against", "over":
	case "compared":
		if w := r.low(j); w != "to" && w != "with" {
			return i
		}
		j++
	default:
		return i
	}
	j += b2i(r.low(j) == "the")
	switch {
	case priorOnes[r.low(j)] && r.low(j+1) == period && !(r.low(i) == "over" && r.low(j) != "previous" && r.low(j) != "prior"):
		return j + 2
	case r.says(j, period, "before"):
		return j + 2
	}
	return i
}
