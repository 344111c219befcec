package link

import (
	"strconv"
	"time"

	"catena/table"
)

// found is a time that stands at tokens.
type found struct {
	from, to int
	ref      PeriodRef
	score    float64
}

// The grains of periods, as the algebra names them, too.
const (
	GrainYear    = "year"
	GrainQuarter = "quarter"
	GrainMonth   = "month"
	GrainWeek    = "week"
	GrainDay     = "day"
	GrainWeekday = "weekday"
	GrainDecade  = "decade"
	GrainCentury = "century"
	GrainHour    = "hour"
)

// Senses of words about times, as the lexicon's files have them.
const (
	whenLast    = "last"
	whenThis    = "this"
	whenNext    = "next"
	whenSince   = "since"
	whenBefore  = "before"
	whenAfter   = "after"
	whenUntil   = "until"
	whenBetween = "between"
	whenTo      = "to"
	whenAnd     = "and"
	whenLater   = "later"
	whenEarlier = "earlier"
	whenAgo     = "ago"
)

// periods finds stretches of time: each by itself, and with the words that make a longer one of it.
func (l *linker) periods() {
	for i := range l.toks {
		for _, f := range l.timesAt(i) {
			l.addPeriod(f)
			l.longer(f)
		}
	}
}

func (l *linker) addPeriod(f found) {
	l.add(Span{From: f.from, To: f.to, Category: CatPeriod, Score: f.score, How: HowForm, Meaning: f.ref})
}

// timesAt are the times that begin at a token, the longest of each form.
func (l *linker) timesAt(i int) []found {
	for _, read := range []func(int) (found, bool){
		l.partOfPeriod, l.isoDate, l.hourAt, l.monthFirst, l.dayFirst, l.halfAt, l.quarterAt, l.seasonAt, l.decadeAt, l.centuryAt, l.yearAt,
		l.relative, l.ago, l.dayWord, l.weekday,
	} {
		if f, ok := read(i); ok {
			f.from = i
			return []found{f}
		}
	}
	return nil
}

// stretchOf is the period that begins at a day, a month or a year.
func stretchOf(grain string, at time.Time, score float64, to int) found {
	return found{to: to, score: score, ref: PeriodRef{Grain: grain, From: at, To: After(grain, at, 1)}}
}

// After is n grains after a time; before it where n is below zero.
func After(grain string, at time.Time, n int) time.Time {
	switch grain {
	case GrainDay:
		return at.AddDate(0, 0, n)
	case GrainWeek:
		return at.AddDate(0, 0, 7*n)
	case GrainMonth:
		return at.AddDate(0, n, 0)
	case GrainQuarter:
		return at.AddDate(0, 3*n, 0)
	case GrainDecade:
		return at.AddDate(10*n, 0, 0)
	case GrainCentury:
		return at.AddDate(100*n, 0, 0)
	}
	return at.AddDate(n, 0, 0)
}

func date(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// numeric are the ways to write a date in digits, with how sure they are; what no calendar has, none reads.
var numeric = []struct {
	form, grain string
	score       float64
}{
	{time.DateOnly, GrainDay, 1}, {"2006-01-02T15:04:05", GrainDay, 1}, {"2006-01-02T15:04:05Z", GrainDay, 1},
	{"2006-01", GrainMonth, 1}, {"2.1.2006", GrainDay, 1}, {"1/2/2006", GrainDay, 0.9},
	{"2/1/2006", GrainDay, 0.9}, {"2006/1/2", GrainDay, 1}, {"1/2006", GrainMonth, 0.9},
}

func (l *linker) isoDate(i int) (found, bool) {
	if l.toks[i].kind != numberToken {
		return found{}, false
	}
	for _, n := range numeric {
		if at, err := time.Parse(n.form, l.toks[i].Text); err == nil {
			return stretchOf(n.grain, time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC), n.score, i+1), true
		}
	}
	return found{}, false
}

// Years that a number alone may be.
const (
	FirstYear = 1000
	LastYear  = 2199
)

func (l *linker) year(i int) (int, bool) {
	if i < 0 || i >= len(l.toks) || l.toks[i].kind != numberToken || len(l.toks[i].Text) != 4 {
		return 0, false
	}
	y, err := strconv.Atoi(l.toks[i].Text)
	return y, err == nil && y >= FirstYear && y <= LastYear
}

// yearBehind is a year at a token, over a comma or a small word; 0 where there is none.
func (l *linker) yearBehind(i int) (year, to int) {
	for j := i; j < min(i+2, len(l.toks)); j++ {
		if y, ok := l.year(j); ok {
			return y, j + 1
		}
		if _, link := l.is(j, catLink); !link && l.toks[j].Text != "," {
			break
		}
	}
	return 0, i
}

func (l *linker) yearAt(i int) (found, bool) {
	y, ok := l.year(i)
	if !ok {
		return found{}, false
	}
	return stretchOf(GrainYear, date(y, 1, 1), 1, i+1), true
}

// dayNumber is a day of a month: 5, 5th.
func (l *linker) dayNumber(i int) (int, bool) {
	if i >= len(l.toks) || len(l.toks[i].Text) > 4 {
		return 0, false
	}
	n, _, ok := l.digits(i)
	if !ok || n.Unit != "" {
		return 0, false
	}
	d, whole := n.Value.Int()
	return int(d), whole && d >= 1 && d <= 31
}

// sure and maybe are how sure months are: one alone, in small letters, may be another word.
const (
	sure  = 1
	maybe = 0.7
)

// monthFirst reads March, March 2020, March 5, March 5th, 2020.
func (l *linker) monthFirst(i int) (found, bool) {
	m, to, ok := l.month(i)
	if !ok {
		return found{}, false
	}
	if y, end := l.yearBehind(to); y > 0 {
		return stretchOf(GrainMonth, date(y, m, 1), sure, end), true
	}
	if d, ok := l.dayNumber(to); ok {
		return l.dayOf(m, d, to+1)
	}
	score := float64(sure)
	if l.toks[i].Text == l.toks[i].fold {
		score = maybe
	}
	return found{to: to, score: score, ref: PeriodRef{Grain: GrainMonth, Cycle: GrainMonth, Parts: []int{m}}}, true
}

// dayOf is a day of a month, with the year behind it or in the year of the clock.
func (l *linker) dayOf(m, d, to int) (found, bool) {
	y, end := l.yearBehind(to)
	score := float64(sure)
	if y == 0 {
		if l.s.Now.IsZero() {
			return found{}, false
		}
		y, score = l.s.Now.Year(), maybe
	}
	at := date(y, m, d)
	f := stretchOf(GrainDay, at, score, end)
	f.ref.Yearless = score == maybe
	return f, int(at.Month()) == m
}

func (l *linker) month(i int) (m, to int, ok bool) {
	h, ok := l.datum(i, catMonth)
	if !ok {
		return 0, i, false
	}
	m, err := strconv.Atoi(h.sense.sense)
	return m, h.to, err == nil
}

// dayFirst reads 5 March 2020, 5th of March.
func (l *linker) dayFirst(i int) (found, bool) {
	d, ok := l.dayNumber(i)
	if !ok {
		return found{}, false
	}
	j := i + 1
	if _, link := l.is(j, catLink); link {
		j++
	}
	m, to, ok := l.month(j)
	if !ok {
		return found{}, false
	}
	return l.dayOf(m, d, to)
}

// halfAt reads the first half of 2008, H1 2008.
func (l *linker) halfAt(i int) (found, bool) {
	year, ok := l.year(i)
	if ok {
		i++
	}
	h, ok := l.datum(i, catHalf)
	if !ok {
		return found{}, false
	}
	to := h.to
	if year == 0 {
		year, to = l.yearBehind(to)
	}
	n, err := strconv.Atoi(h.sense.sense)
	if year == 0 || err != nil {
		return found{}, false
	}
	f := stretchOf(GrainQuarter, date(year, 6*n-5, 1), 1, to)
	f.ref.To = After(GrainQuarter, f.ref.From, 2)
	return f, true
}

// quarterAt reads Q3, Q3 2019, 2019 Q3, third quarter of 2019.
func (l *linker) quarterAt(i int) (found, bool) {
	year, ok := l.year(i)
	at := i
	if ok {
		at++
	}
	q, to, ok := l.quarter(at)
	if !ok {
		return found{}, false
	}
	if year == 0 {
		year, to = l.yearBehind(to)
	}
	if year == 0 {
		return found{to: to, score: 1, ref: PeriodRef{Grain: GrainQuarter, Cycle: GrainQuarter, Parts: []int{q}}}, true
	}
	return stretchOf(GrainQuarter, date(year, 3*q-2, 1), 1, to), true
}

func (l *linker) quarter(i int) (q, to int, ok bool) {
	if h, ok := l.datum(i, catQuarter); ok {
		q, err := strconv.Atoi(h.sense.sense)
		return q, h.to, err == nil
	}
	n, ok := l.nth(i)
	if _, is := l.is(i+1, catGrain, GrainQuarter); ok && is && n >= 1 && n <= 4 {
		return n, i + 2, true
	}
	return 0, i, false
}

// nth is an ordinal in digits or words.
func (l *linker) nth(i int) (int, bool) {
	if i >= len(l.toks) {
		return 0, false
	}
	n, _, ok := l.digits(i)
	if !ok || !n.Ordinal {
		n, _, ok = l.ordinal(i)
	}
	v, whole := n.Value.Int()
	return int(v), ok && whole && v > 0 && v < 100
}

// decadeAt reads 1990s, 90s and their words.
func (l *linker) decadeAt(i int) (found, bool) {
	if h, ok := l.datum(i, catDecade); ok {
		y, err := strconv.Atoi(h.sense.sense)
		return stretchOf(GrainDecade, date(y, 1, 1), 1, h.to), err == nil
	}
	if l.toks[i].kind != numberToken {
		return found{}, false
	}
	_, prefix, digits, suffix := cutNumber(l.toks[i].fold)
	if s, ok := l.wordOf(suffix, catSuffix); suffix == "" || prefix != "" || !ok || s != suffixDecade {
		return found{}, false
	}
	y, err := strconv.Atoi(digits)
	if err != nil || y%10 != 0 || y > LastYear || y >= 100 && y < FirstYear {
		return found{}, false
	}
	if y < 100 {
		y += 1900
	}
	return stretchOf(GrainDecade, date(y, 1, 1), 1, i+1), true
}

// centuryAt reads 19th century.
func (l *linker) centuryAt(i int) (found, bool) {
	n, ok := l.nth(i)
	if _, is := l.is(i+1, catCentury); !ok || !is || n > 21 {
		return found{}, false
	}
	return stretchOf(GrainCentury, date(100*n-99, 1, 1), 1, i+2), true
}

func (l *linker) weekday(i int) (found, bool) {
	h, ok := l.datum(i, catWeekday)
	if !ok {
		return found{}, false
	}
	var parts []int
	for _, c := range h.sense.sense {
		parts = append(parts, int(c-'0'))
	}
	return found{to: h.to, score: h.score, ref: PeriodRef{Grain: GrainDay, Cycle: GrainWeekday, Parts: parts}}, true
}

// small is a small number in digits or words.
func (l *linker) small(i int) (n, to int, ok bool) {
	if i >= len(l.toks) {
		return 0, i, false
	}
	ref, to, ok := l.digits(i)
	if !ok {
		ref, to, ok = l.numerals(i)
	}
	v, whole := ref.Value.Int()
	if !ok || !whole || v <= 0 || v > 1000 || ref.Value.Type() != table.Int {
		return 0, i, false // a number that is none of these stays in the way: "the last 5000 days" are not the last day
	}
	return int(v), to, true
}
