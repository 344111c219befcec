package offline

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
)

// dateRef is a stretch of time that tokens i..j-1 name.
type dateRef struct {
	i, j   int
	op     string   // eq between ge gt lt le in; last: the last n periods of the data
	from   string   // a period as query_table compares dates with: 2005, 2005-Q1, 2005-03, 2005-03-01
	to     string   // between only
	list   []string // in only
	period string   // with last: year, month ...; with month_of_year and weekday: what list holds
	n      int
	prior  string // the period of "last year": the one before that of now
}

var monthNames = map[string]int{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7,
	"august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
}

var weekdayNames = map[string][]string{
	"monday": {"1"}, "tuesday": {"2"}, "wednesday": {"3"}, "thursday": {"4"}, "friday": {"5"}, "saturday": {"6"}, "sunday": {"7"},
	"weekend": {"6", "7"}, "weekday": {"1", "2", "3", "4", "5"}, "workday": {"1", "2", "3", "4", "5"},
}

// periodWords name a length of time.
var periodWords = map[string]string{
	"year": "year", "yearly": "year", "annual": "year", "annually": "year", "month": "month", "monthly": "month", "week": "week", "weekly": "week", "day": "day", "daily": "day", "date": "day",
	"quarter": "quarter", "quarterly": "quarter", "decade": "decade", "hour": "hour", "hourly": "hour", "weekday": "weekday",
}

// dateReader reads the dates of one message.
type dateReader struct {
	toks []token
	now  time.Time
	bare bool // Q1 without a year is a time
}

// read finds all stretches of time, in order. Years count as dates only when years says so: a table without any time has none.
func (d *dateReader) read(years bool) []dateRef {
	var out []dateRef
	for i := 0; i < len(d.toks); {
		if ref, ok := d.century(i); ok {
			out, i = append(out, ref), ref.j
			continue
		}
		if ref, ok := d.half(i); ok {
			out, i = append(out, ref), ref.j
			continue
		}
		if ref, ok := d.relative(i); ok {
			out, i = append(out, ref), ref.j
			continue
		}
		atom, j, ok := d.atom(i, years)
		if !ok {
			i++
			continue
		}
		ref := d.stretch(i, atom, j, years)
		out, i = append(out, ref), ref.j
	}
	return out
}

// century reads "the 20th century": 1901 to 2000.
func (d *dateReader) century(i int) (dateRef, bool) {
	if d.low(i+1) != "century" || d.toks[i].kind != numberToken {
		return dateRef{}, false
	}
	n, err := strconv.Atoi(d.toks[i].num)
	if err != nil || n < 11 || n > 25 {
		return dateRef{}, false
	}
	return dateRef{i: i, j: i + 2, op: "between", from: strconv.Itoa(100*n - 99), to: strconv.Itoa(100 * n)}, true
}

// low is the folded word at i, "" outside of the message.
func (d *dateReader) low(i int) string {
	if i < 0 || i >= len(d.toks) {
		return ""
	}
	return d.toks[i].low
}

func (d *dateReader) year(i int) (string, bool) {
	if i < 0 || i >= len(d.toks) {
		return "", false
	}
	t := d.toks[i]
	if t.kind != numberToken || len(t.num) != 4 || len(t.text) != 4 || t.money || t.percent || t.num < "1000" || t.num > "2500" {
		return "", false
	}
	if unit := d.low(i + 1); units[unit].kind != "" && unit != "second" || units[plan.Singular(unit)].kind != "" {
		return "", false
	}
	for k := range i { // "was 2012 wetter than 2015"
		if len(d.toks[k].num) == 4 && len(d.toks[k].text) == 4 {
			return t.num, true
		}
	}
	switch d.low(i - 1) {
	case "than", "over", "above", "under", "below", "least", "most", "exceeding", "exceed", "exceeded", ">", "<", ">=", "<=":
		return "", false
	}
	return t.num, true
}

func (d *dateReader) day(i int) (int, bool) {
	if i < 0 || i >= len(d.toks) || d.toks[i].kind != numberToken {
		return 0, false
	}
	n, err := strconv.Atoi(d.toks[i].num)
	return n, err == nil && n >= 1 && n <= 31
}

// atom reads one period at i: 2005, Jan 2005, 1 June 2013, Jan 1 2005, Q1 2015, 1990s, 2005-03-01.
func (d *dateReader) atom(i int, years bool) (text string, next int, ok bool) {
	t := d.toks[i]
	if t.kind == dateToken {
		return t.num, i + 1, true
	}
	if n, isDay := d.day(i); isDay {
		j := i + 1
		if d.low(j) == "of" {
			j++
		}
		if m, isMonth := monthNames[d.low(j)]; isMonth && t.kind == numberToken {
			y, k := d.yearAfter(j + 1)
			return fmt.Sprintf("%s-%02d-%02d", y, m, n), k, true
		}
	}
	if m, isMonth := monthNames[t.low]; isMonth && t.kind == wordToken && (t.low != "may" || d.monthlike(i)) && (t.low != "mar" || d.monthlike(i)) {
		if n, isDay := d.day(i + 1); isDay {
			y, k := d.yearAfter(i + 2)
			return fmt.Sprintf("%s-%02d-%02d", y, m, n), k, true
		}
		y, k := d.yearAfter(i + 1)
		return fmt.Sprintf("%s-%02d", y, m), k, true
	}
	if q, k, isQuarter := d.quarter(i); isQuarter {
		return q, k, true
	}
	if y, isYear := d.year(i); isYear && years {
		if q := d.low(i + 1); len(q) == 2 && q[0] == 'q' && q[1] >= '1' && q[1] <= '4' {
			return y + "-Q" + q[1:], i + 2, true
		}
		return y, i + 1, true
	}
	return "", i, false
}

// monthlike reports whether "may" at i is the month: a year or day stands beside it, or "in" before it.
func (d *dateReader) monthlike(i int) bool {
	_, year := d.year(i + 1)
	_, day := d.day(i + 1)
	before := d.low(i - 1)
	_, dayBefore := d.day(i - 1)
	named := d.toks[i].text == "May" && i > 0 || (rangeMarks[before] || listed[before]) && monthNames[d.low(i-2)] > 0
	return year || day || dayBefore || named || monthly[before]
}

// monthly are the words behind which may is a month.
var monthly = plan.WordSet("in since of before after until till through during between")

// yearAfter reads a year at i, over "of", "in" and a comma; "" when there is none.
func (d *dateReader) yearAfter(i int) (string, int) {
	j := i
	if w := d.low(j); w == "," || w == "of" || w == "in" {
		j++
	}
	if y, ok := d.year(j); ok {
		return y, j + 1
	}
	return "", i
}

// rangeMarks join the ends of a stretch.
var rangeMarks = plan.WordSet("to - – — -> => until till through and")

// stretch reads what stands around the first period: between A and B, since A, A or B.
func (d *dateReader) stretch(i int, first string, j int, years bool) dateRef {
	start := i
	before := d.low(i - 1)
	if before == "the" || before == "year" || before == "in" && (d.low(i-2) == "starting" || d.low(i-2) == "beginning") {
		start--
		before = d.low(start - 1)
	}
	if rangeMarks[d.low(j)] && j+1 < len(d.toks) {
		if second, k, ok := d.atom(j+1, years); ok && (d.low(j) != "and" || before == "between" || before == "from") {
			first, second = rangeYears(first, second)
			return dateRef{i: start - b2i(before == "between" || before == "from" || before == "in"), j: k, op: "between", from: first, to: second}
		}
	}
	if list, k := d.list(first, j, years); len(list) > 1 {
		return single(dateRef{i: start, j: k, op: "in", list: list})
	}
	ref := dateRef{i: start, j: j, op: "eq", from: first}
	switch before {
	case "since", "starting", "beginning":
		ref.op, ref.i = "ge", start-1
	case "from":
		if w := d.low(j); w == "on" || w == "onward" || w == "onwards" || w == "and" && d.low(j+1) == "later" {
			ref.op, ref.i, ref.j = "ge", start-1, j+1+b2i(w == "and")
		} else {
			ref.i = start - 1
		}
	case "after", "post":
		ref.op, ref.i = "gt", start-1
	case "before", "pre":
		ref.op, ref.i = "lt", start-1
	case "to":
		if d.low(start-2) == "prior" {
			ref.op, ref.i = "lt", start-2
		} else if d.low(start-2) == "up" {
			ref.op, ref.i = "le", start-2
		}
	case "until", "till", "through", "by":
		ref.op, ref.i = "le", start-1
	case "in", "on", "for", "during", "of":
		ref.i = start - 1
	}
	if w := d.low(j); ref.op == "eq" && (w == "or" || w == "and") && (d.low(j+1) == "later" || d.low(j+1) == "after" || d.low(j+1) == "newer" || d.low(j+1) == "earlier" || d.low(j+1) == "before") {
		ref.op = map[bool]string{true: "ge", false: "le"}[d.low(j+1) == "later" || d.low(j+1) == "after" || d.low(j+1) == "newer"]
		ref.j = j + 2
	} else if ref.op == "eq" && (w == "onward" || w == "onwards") {
		ref.op, ref.j = "ge", j+1
	}
	return single(ref)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// borrowYear gives one end of a stretch the year of the other, where only that one has one.
func borrowYear(first, second string) string {
	if yearless(first) && !yearless(second) && len(second) > 4 {
		return second[:4] + first
	}
	return first
}

// list reads A, B and C.
func (d *dateReader) list(first string, j int, years bool) ([]string, int) {
	list := []string{first}
	for j+1 < len(d.toks) {
		k := j
		for k < len(d.toks) && (d.low(k) == "," || d.low(k) == "and" || d.low(k) == "or" || d.low(k) == "vs" || d.low(k) == "&") {
			k++
		}
		if k == j || k >= len(d.toks) {
			break
		}
		next, after, ok := d.atom(k, years)
		if !ok || len(next) != len(first) && !(yearless(next) && len(next)+4 == len(first)) && !(yearless(first) && len(first)+4 == len(next)) {
			break
		}
		list, j = append(list, next), after
	}
	for i := range list {
		list[i] = borrowYear(borrowYear(list[i], list[len(list)-1]), list[0])
	}
	return list, j
}

// single turns a month without a year into a month of every year.
func single(r dateRef) dateRef {
	months := r.list
	if r.op == "eq" {
		months = []string{r.from}
	}
	if len(months) == 0 || !yearless(months[0]) || len(months[0]) != 3 || months[0][1] == 'Q' {
		return r
	}
	r.op, r.period, r.list = "in", "month_of_year", nil
	for _, m := range months {
		r.list = append(r.list, strings.TrimLeft(m, "-0"))
	}
	return r
}

// relative reads what depends on now: last 12 months, this year, yesterday, on weekends.
func (d *dateReader) relative(i int) (dateRef, bool) {
	w := d.low(i)
	if days, ok := weekdayNames[d.toks[i].lemma]; ok && !(d.low(i-1) == "by" || d.low(i-1) == "per" || d.low(i-1) == "each" || d.low(i-1) == "which") {
		return dateRef{i: i - b2i(d.low(i-1) == "on"), j: i + 1, op: "in", period: "weekday", list: days}, true
	}
	switch w {
	case "last", "past", "previous", "recent", "latest", "final":
		j, n := i+1, 1
		if k, ok := d.day(j); ok {
			j, n = j+1, k
		} else if j < len(d.toks) && d.toks[j].kind == numberToken {
			const longest = 100_000 // periods: a number beyond it would turn the date around
			var err error
			if n, err = strconv.Atoi(d.toks[j].num); err != nil || n > longest {
				return dateRef{}, false
			}
			j++
		}
		p, ok := periodWords[singularLow(d.low(j))]
		if !ok || p == "weekday" || n < 1 || d.low(j-1) == w && w != "last" && w != "past" && w != "previous" || d.low(i-1) == "its" || d.low(i-1) == "first" || d.low(i-2) == "first" {
			return dateRef{}, false
		}
		from := i - b2i(d.low(i-1) == "the")
		if n == 1 && j == i+1 && d.lastOne(w, p, from) {
			return d.before(from-b2i(d.low(from-1) == "in" || d.low(from-1) == "during" || d.low(from-1) == "for" || d.low(from-1) == "of"), j+1, p)
		}
		if n == 1 && p == "year" && j == i+1 && !d.now.IsZero() {
			p, n = "month", 12
		}
		from -= b2i(d.low(from-1) == "in" || d.low(from-1) == "over" || d.low(from-1) == "for" || d.low(from-1) == "during")
		return dateRef{i: from, j: j + 1, op: "last", period: p, n: n}, true
	case "this", "current":
		p := periodWords[d.low(i+1)]
		if layout, ok := map[string]string{"year": "2006", "month": "2006-01"}[p]; ok {
			return dateRef{i: i, j: i + 2, op: "eq", from: d.now.Format(layout)}, true
		}
		if p == "quarter" {
			return dateRef{i: i, j: i + 2, op: "eq", from: fmt.Sprintf("%d-Q%d", d.now.Year(), (int(d.now.Month())+2)/3)}, true
		}
	case "today":
		return dateRef{i: i, j: i + 1, op: "eq", from: d.now.Format(time.DateOnly)}, true
	case "yesterday":
		return dateRef{i: i, j: i + 1, op: "eq", from: d.now.AddDate(0, 0, -1).Format(time.DateOnly)}, true
	}
	return dateRef{}, false
}

// lastOne reports whether "last year" means the one calendar year before this one: not of "over the last year", which are
// twelve months, and not "the latest month", which is the data's last.
func (d *dateReader) lastOne(w, period string, from int) bool {
	if w != "last" && w != "previous" && w != "past" || d.now.IsZero() || period == "hour" || period == "decade" {
		return false
	}
	before := d.low(from - 1)
	return period != "year" || w != "past" && before != "over" && before != "within"
}

// before is the calendar period before the one in which now lies. Weeks begin on Monday.
func (d *dateReader) before(i, j int, period string) (dateRef, bool) {
	ref := dateRef{i: i, j: j, op: "eq", prior: period}
	switch period {
	case "year":
		ref.from = strconv.Itoa(d.now.Year() - 1)
	case "month":
		ref.from = time.Date(d.now.Year(), d.now.Month()-1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	case "quarter":
		q := int(d.now.Month()+2)/3 - 1
		ref.from = fmt.Sprintf("%d-Q%d", d.now.Year(), q)
		if q == 0 {
			ref.from = fmt.Sprintf("%d-Q4", d.now.Year()-1)
		}
	case "week":
		monday := d.now.AddDate(0, 0, -(int(d.now.Weekday())+6)%7-7)
		ref.op, ref.from, ref.to = "between", monday.Format(time.DateOnly), monday.AddDate(0, 0, 6).Format(time.DateOnly)
	case "day":
		ref.from = d.now.AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		return dateRef{}, false
	}
	return ref, true
}

func singularLow(w string) string { return strings.TrimSuffix(w, "s") }

// lastFrom gives the first period of the last n, counting back from the period in which end lies, that one included.
func lastFrom(end time.Time, period string, n int) string {
	switch period {
	case "year":
		return strconv.Itoa(end.Year() - n + 1)
	case "quarter":
		start := time.Date(end.Year(), (end.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -3*(n-1), 0)
		return start.Format(time.DateOnly)
	case "month":
		return time.Date(end.Year(), end.Month()-time.Month(n-1), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	case "week":
		return end.AddDate(0, 0, -7*n+1).Format(time.DateOnly)
	case "decade":
		return strconv.Itoa(end.Year() - 10*n + 1)
	}
	return end.AddDate(0, 0, -n+1).Format(time.DateOnly)
}
