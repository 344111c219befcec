package link

import (
	"strconv"
	"time"
)

// relative reads last 3 months, this year, next week.
func (l *linker) relative(i int) (found, bool) {
	h, ok := l.is(i, catWhen, whenLast, whenThis, whenNext)
	if !ok {
		return found{}, false
	}
	n, to, counted := l.small(h.to)
	g, ok := l.is(to, catGrain)
	if !ok || !steps[g.sense.sense] {
		return found{}, false
	}
	grain := g.sense.sense
	ref := PeriodRef{Grain: grain}
	switch {
	case h.sense.sense == whenLast && (counted || l.s.Now.IsZero()):
		ref.Last, ref.whole = max(n, 1), !counted
	case l.s.Now.IsZero() || counted:
		return found{}, false
	default:
		move := map[string]int{whenLast: -1, whenThis: 0, whenNext: 1}[h.sense.sense]
		begin := After(grain, begins(grain, l.s.Now), move)
		ref.From, ref.To = begin, After(grain, begin, 1)
	}
	return found{to: g.to, score: 1, ref: ref}, true
}

// steps are the grains that a clock counts in.
var steps = map[string]bool{
	GrainDay:     true,
	GrainWeek:    true,
	GrainMonth:   true,
	GrainQuarter: true,
	GrainYear:    true,
	GrainDecade:  true,
}

// begins is when the period of a grain began that a time lies in.
func begins(grain string, at time.Time) time.Time {
	y, m, d := at.Date()
	switch grain {
	case GrainDay:
		return date(y, int(m), d)
	case GrainWeek:
		return date(y, int(m), d-(int(at.Weekday())+6)%7)
	case GrainMonth:
		return date(y, int(m), 1)
	case GrainQuarter:
		return date(y, int(m-1)/3*3+1, 1)
	case GrainDecade:
		return date(y/10*10, 1, 1)
	}
	return date(y, 1, 1)
}

// ago reads 3 months ago.
func (l *linker) ago(i int) (found, bool) {
	n, to, ok := l.small(i)
	if !ok || l.s.Now.IsZero() {
		return found{}, false
	}
	g, ok := l.is(to, catGrain)
	if !ok || !steps[g.sense.sense] {
		return found{}, false
	}
	h, ok := l.is(g.to, catWhen, whenAgo)
	if !ok {
		return found{}, false
	}
	grain := g.sense.sense
	return stretchOf(grain, After(grain, begins(grain, l.s.Now), -n), 1, h.to), true
}

// dayWord reads yesterday, today, tomorrow.
func (l *linker) dayWord(i int) (found, bool) {
	h, ok := l.datum(i, catDay)
	if !ok || l.s.Now.IsZero() {
		return found{}, false
	}
	n, err := strconv.Atoi(h.sense.sense)
	return stretchOf(GrainDay, begins(GrainDay, l.s.Now).AddDate(0, 0, n), 1, h.to), err == nil
}

// longer adds what words before and behind a time make of it: since 2010, before May 2019, 2010 to 2015, 2010 or later.
func (l *linker) longer(f found) {
	if _, ok := l.is(f.from-1, catGrain, f.ref.Grain); ok && f.ref.Grain == GrainYear && !f.ref.From.IsZero() {
		f.from--
		l.addPeriod(f)
	}
	if r, ok := l.rangeFrom(f); ok {
		l.addPeriod(r)
		if h, ok := l.before(r.from, whenBetween, whenSince); ok {
			r.from = h.from
			l.addPeriod(r)
		}
		return
	}
	if many, ok := l.listed(f); ok {
		l.addPeriod(many)
		return
	}
	if f.ref.From.IsZero() && f.ref.Cycle != GrainHour {
		return
	}
	if h, ok := l.before(f.from, whenSince, whenBefore, whenAfter, whenUntil); ok {
		f.from = h.from
		f.ref = opened(f.ref, h.sense.sense)
		l.addPeriod(f)
		return
	}
	if h, ok := l.is(f.to, catWhen, whenLater, whenEarlier); ok {
		f.to = h.to
		f.ref = opened(f.ref, map[string]string{whenLater: whenSince, whenEarlier: whenUntil}[h.sense.sense])
		l.addPeriod(f)
	}
}

// opened is a period without one of its ends.
func opened(ref PeriodRef, how string) PeriodRef {
	if ref.Cycle == GrainHour {
		return openedHours(ref, how)
	}
	switch how {
	case whenSince:
		ref.To = time.Time{}
	case whenAfter:
		ref.From, ref.To = ref.To, time.Time{}
	case whenBefore:
		ref.From, ref.To = time.Time{}, ref.From
	case whenUntil:
		ref.From = time.Time{}
	}
	return ref
}

// before is the word about times that ends right before a token, over an article.
func (l *linker) before(i int, senses ...string) (hit, bool) {
	if _, article := l.is(i-1, catArticle); article {
		i--
	}
	for from := max(i-3, 0); from < i; from++ {
		for _, s := range senses {
			if h, ok := l.is(from, catWhen, s); ok && h.to == i {
				return h, true
			}
		}
	}
	return hit{}, false
}

// rangeFrom reads what ends in a second time: 2010 to 2015, between March and May 2020.
func (l *linker) rangeFrom(f found) (found, bool) {
	h, ok := l.is(f.to, catWhen, whenTo)
	if !ok {
		if h, ok = l.is(f.to, catWhen, whenAnd); !ok {
			return f, false
		}
		if _, between := l.before(f.from, whenBetween); !between {
			return f, false
		}
	}
	if h.to >= len(l.toks) {
		return f, false
	}
	for _, second := range l.timesAt(h.to) {
		first, score := f, min(f.score, second.score)
		if f.ref.Yearless && !second.ref.Yearless { // 1 June to 31 August 2013
			first.ref.Yearless = false
			years := second.ref.From.Year() - f.ref.From.Year()
			first.ref.From, first.ref.To, score = f.ref.From.AddDate(
				years,
				0,
				0,
			), f.ref.To.AddDate(
				years,
				0,
				0,
			), second.score
		}
		if ref, ok := span2(first.ref, second.ref); ok {
			return found{from: f.from, to: second.to, ref: ref, score: score}, true
		}
	}
	return f, false
}

// span2 is the period from the begin of one to the end of another. Where only the second says a year, the first is in
// it.
func span2(a, b PeriodRef) (PeriodRef, bool) {
	if a.Cycle != "" && a.Cycle == b.Cycle {
		return cycles(a, b)
	}
	if len(a.Parts) == 1 && !b.From.IsZero() && (a.Cycle == GrainMonth || a.Cycle == GrainQuarter) {
		month := a.Parts[0]
		if a.Cycle == GrainQuarter {
			month = 3*month - 2
		}
		a.From, a.Cycle, a.Parts = date(b.From.Year(), month, 1), "", nil
	}
	if a.From.IsZero() || b.To.IsZero() || !a.From.Before(b.To) {
		return a, false
	}
	a.To = b.To
	return a, true
}

// cycles are the parts of a cycle from one to another: Monday to Friday.
func cycles(a, b PeriodRef) (PeriodRef, bool) {
	if len(a.Parts) != 1 || len(b.Parts) != 1 || a.Parts[0] == b.Parts[0] || stretchesOf[a.Cycle] == 0 {
		return a, false
	}
	last := b.Parts[0]
	if a.Cycle == GrainHour { // until five is not at half past five
		last = (last + hoursOfDay - 1) % hoursOfDay
	}
	a.Parts = round(a.Parts[0], last, a.Cycle)
	return a, true
}
