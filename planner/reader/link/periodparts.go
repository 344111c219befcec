package link

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// stretchesOf are how many of each there are in what comes round: a range may go over its end, December to February.
var stretchesOf = map[string]int{GrainMonth: 12, GrainWeekday: 7, GrainQuarter: 4, GrainHour: hoursOfDay}

const (
	hoursOfDay = 24
	noon       = 12
)

// seasonAt reads summer, summer 2023. A season without a year, or one that goes over the end of a year, is that of any.
func (l *linker) seasonAt(i int) (found, bool) {
	h, ok := l.datum(i, catSeason)
	if !ok {
		return found{}, false
	}
	first, last, ok := bounds(h.sense.sense)
	if !ok {
		return found{}, false
	}
	year, to := l.yearBehind(h.to)
	if year > 0 && first <= last {
		from := date(year, first, 1)
		return found{
			to:    to,
			score: sure,
			ref:   PeriodRef{Grain: GrainMonth, From: from, To: from.AddDate(0, last-first+1, 0)},
		}, true
	}
	return found{
		to:    h.to,
		score: sure,
		ref:   PeriodRef{Grain: GrainMonth, Cycle: GrainMonth, Parts: round(first, last, GrainMonth)},
	}, true
}

// bounds reads "6-8".
func bounds(sense string) (first, last int, ok bool) {
	a, b, _ := strings.Cut(sense, "-")
	first, err := strconv.Atoi(a)
	last, also := strconv.Atoi(b)
	return first, last, err == nil && also == nil
}

// round are the stretches from one to another of what comes round.
func round(first, last int, cycle string) []int {
	n := stretchesOf[cycle]
	start := 1
	if cycle == GrainHour {
		start = 0
	}
	var out []int
	for p := first; len(out) < n; p = start + (p-start+1)%n {
		if out = append(out, p); p == last {
			return out
		}
	}
	return out
}

// hourAt reads 8pm, 8 pm, 20:00, noon, the morning: hours of any day.
func (l *linker) hourAt(i int) (found, bool) {
	if h, ok := l.datum(i, catHours); ok {
		first, last, ok := bounds(h.sense.sense)
		return found{to: h.to, score: sure, ref: hours(round(first, last, GrainHour))}, ok
	}
	tok := l.toks[i]
	if tok.kind != numberToken {
		return found{}, false
	}
	if whole, is := strings.CutSuffix(tok.Text, ":00"); is {
		n, err := strconv.Atoi(whole)
		return found{to: i + 1, score: sure, ref: hours([]int{n})}, err == nil && n >= 0 && n < hoursOfDay
	}
	_, prefix, digits, half := cutNumber(tok.fold)
	to := i + 1
	if half == "" && to < len(l.toks) {
		half = l.toks[to].fold
		to++
	}
	sense, ok := l.wordOf(half, catClock)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || prefix != "" || n < 1 || n > noon {
		return found{}, false
	}
	n %= noon
	if sense == clockAfternoon {
		n += noon
	}
	return found{to: to, score: sure, ref: hours([]int{n})}, true
}

// clockAfternoon is the sense of pm.
const clockAfternoon = "pm"

func hours(parts []int) PeriodRef { return PeriodRef{Grain: GrainHour, Cycle: GrainHour, Parts: parts} }

// openedHours are the hours of a day before or after others: a bound that is an hour counts itself behind "after", as
// what is at half past eight is after eight.
func openedHours(ref PeriodRef, how string) PeriodRef {
	first, last := ref.Parts[0], ref.Parts[len(ref.Parts)-1]
	switch {
	case how == whenSince, how == whenAfter && first == last:
		return hours(round(first, hoursOfDay-1, GrainHour))
	case how == whenAfter && last < hoursOfDay-1:
		return hours(round(last+1, hoursOfDay-1, GrainHour))
	case (how == whenBefore || how == whenUntil) && first > 0:
		return hours(round(0, first-1, GrainHour))
	}
	return ref
}

// partOfPeriod reads the first week of July 2024, the last three months of 2023: days, weeks, months or quarters at one
// end of a longer time, or the one of a number.
func (l *linker) partOfPeriod(i int) (found, bool) {
	at, n := i+1, 1
	nth, ordered := l.nth(i)
	h, fromEnd := l.is(i, catWhen, whenLast)
	if !ordered && !fromEnd {
		return found{}, false
	}
	if fromEnd {
		at = h.to
	}
	several, to, counted := l.small(at)
	if counted && (nth == 1 || fromEnd) {
		n, at = several, to
	}
	g, ok := l.is(at, catGrain)
	if !ok || !steps[g.sense.sense] {
		return found{}, false
	}
	at = g.to
	for range 2 { // of the
		if _, link := l.is(at, catLink); link {
			at++
		}
	}
	if at == g.to || at >= len(l.toks) {
		return found{}, false
	}
	grain := g.sense.sense
	for _, whole := range l.timesAt(at) {
		if whole.ref.From.IsZero() || whole.ref.To.IsZero() {
			continue
		}
		from := After(grain, whole.ref.From, max(nth, 1)-1)
		if fromEnd {
			from = After(grain, whole.ref.To, -n)
		}
		ref := PeriodRef{Grain: grain, From: from, To: After(grain, from, n)}
		if ref.From.Before(whole.ref.From) || ref.To.After(whole.ref.To) {
			continue
		}
		return found{to: whole.to, score: whole.score, ref: ref}, true
	}
	return found{}, false
}

// listed reads what one time after another makes together: May and June 2023, May, June and July. What does not follow
// on each other within one year is no time of its own.
func (l *linker) listed(f found) (found, bool) {
	if f.ref.Cycle != GrainMonth || len(f.ref.Parts) != 1 {
		return f, false
	}
	out := f
	for at := f.to; ; at = out.to {
		j := at
		if j < len(l.toks) && l.toks[j].Text == "," {
			j++
		}
		if h, and := l.is(j, catWhen, whenAnd); and {
			j = h.to
		}
		if j == at || j >= len(l.toks) {
			break
		}
		next, ok := l.monthFirst(j)
		if !ok || next.ref.Grain != GrainMonth {
			break
		}
		if joined, ok := follows(out.ref, next.ref); ok {
			out.ref, out.to, out.score = joined, next.to, max(out.score, next.score)
			if joined.Cycle != "" {
				continue
			}
			return out, true
		}
		break
	}
	return out, len(out.ref.Parts) > 1
}

// follows is a stretch of months with another month behind it: in the year that is said of that one.
func follows(a, b PeriodRef) (PeriodRef, bool) {
	if b.Cycle == GrainMonth {
		a.Parts = append(slices.Clone(a.Parts), b.Parts...)
		return a, !slices.Contains(a.Parts[:len(a.Parts)-1], b.Parts[0])
	}
	last, first := a.Parts[len(a.Parts)-1], a.Parts[0]
	if last-first+1 != len(a.Parts) || time.Month(last+1) != b.From.Month() {
		return a, false
	}
	return PeriodRef{Grain: GrainMonth, From: date(b.From.Year(), first, 1), To: b.To}, true
}
