package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// quarterOrdinals are the ways in which people number quarters.
var quarterOrdinals = map[string]int{"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": 4}

// quarter reads Q1 and "the first quarter", of a year or not, at i. Without a year Q1 may be a name, so that bare must allow it.
func (d *dateReader) quarter(i int) (text string, next int, ok bool) {
	var n int
	j := i + 1
	w := d.low(i)
	named := len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4'
	switch {
	case named:
		n = int(w[1] - '0')
	case quarterOrdinals[w] > 0 && singularLow(d.low(i+1)) == "quarter":
		n, j = quarterOrdinals[w], i+2
	case quarterOrdinals[w] > 0 && listed[d.low(i+1)] && quarterOrdinals[d.low(i+2)] > 0 && singularLow(d.low(i+3)) == "quarter": // the first and second quarter
		return fmt.Sprintf("-Q%d", quarterOrdinals[w]), i + 1, true
	case w == "quarter" && i+1 < len(d.toks) && d.toks[i+1].kind == numberToken && len(d.toks[i+1].num) == 1 && d.toks[i+1].num >= "1" && d.toks[i+1].num <= "4":
		n, j = int(d.toks[i+1].num[0]-'0'), i+2
	default:
		return "", i, false
	}
	year, k := d.yearOf(j)
	if year == "" && (named && !d.bare || d.low(j) == "of" && d.low(j+1) != "the") {
		return "", i, false
	}
	return fmt.Sprintf("%s-Q%d", year, n), k, true
}

// yearOf reads "2026", "of 2026" and "of last year" at i; "" when there is none.
func (d *dateReader) yearOf(i int) (string, int) {
	j := i + b2i(d.low(i) == "of")
	j += b2i(d.low(j) == "the")
	if w := d.low(j); d.low(j+1) == "year" && !d.now.IsZero() && (w == "last" || w == "this" || w == "current") {
		return strconv.Itoa(d.now.Year() - b2i(w == "last")), j + 2
	}
	return d.yearAfter(i)
}

// half reads "the first half of 2026" and H1 2026 as their months.
func (d *dateReader) half(i int) (dateRef, bool) {
	var n int
	j := i + 1
	switch w := d.low(i); {
	case (w == "first" || w == "1st" || w == "second" || w == "2nd") && d.low(i+1) == "half":
		n, j = quarterOrdinals[w], i+2
	case w == "h1" || w == "h2":
		n = int(w[1] - '0')
	default:
		return dateRef{}, false
	}
	year, k := d.yearOf(j)
	if year == "" && (j == i+1 || d.low(j) == "of" && !(d.low(j+1) == "the" && d.low(j+2) == "year")) {
		return dateRef{}, false
	}
	start := i - b2i(d.low(i-1) == "the")
	if w := d.low(start - 1); w == "in" || w == "of" || w == "for" || w == "during" {
		start--
	}
	return dateRef{i: start, j: k, op: "between", from: fmt.Sprintf("%s-%02d", year, 6*n-5), to: fmt.Sprintf("%s-%02d", year, 6*n)}, true
}

// bareQuarters reports whether Q1 alone is a time: there is a column of times, and none of texts that name quarters.
func (v *view) bareQuarters() bool {
	return v.time >= 0 && (!v.cols[v.time].year || v.calendar("quarter") >= 0) &&
		!slices.ContainsFunc(v.cols, func(c viewColumn) bool { return c.info.Type == "text" && c.ofPeriods() })
}

// dated gives a stretch of time whose months, quarters or days have no year those of the data: of their only year where there is one;
// else "before March" are the first two months of every year, and "since March" begins with the last one in the data.
func (r *reader) dated(d dateRef, c *viewColumn) dateRef {
	first, last, ok := c.years()
	folded := d.period == "month_of_year" && d.op == "in" && len(d.list) > 0
	if !ok || !folded && !yearless(d.from) && !yearless(d.to) && !slices.ContainsFunc(d.list, yearless) {
		return d
	}
	if first == last && !c.year {
		return d.inYear(strconv.Itoa(first))
	}
	if folded {
		return d
	}
	if d.op == "ge" || r.changing && d.op == "between" || len(d.from) > 3 || len(d.to) > 3 {
		if d.op == "eq" || c.year {
			return d
		}
		return d.inYear(strconv.Itoa(c.lastWith(d.from, last)))
	}
	if quartersOnly := !c.year && (d.op == "eq" && strings.Contains(d.from, "Q") || d.op == "in" && strings.Contains(d.list[0], "Q")); quartersOnly && last-first < mostYears {
		return d.inYears(first, last)
	}
	return d.everyYear(c.year && (strings.Contains(d.from, "Q") || slices.ContainsFunc(d.list, func(s string) bool { return strings.Contains(s, "Q") })))
}

// rangeYears gives both ends of a stretch a year where one has it: November to January 2026 begins in the year before.
func rangeYears(first, second string) (from, to string) {
	from, to = borrowYear(first, second), borrowYear(second, first)
	if yearless(from) || from <= to || len(from) != len(to) {
		return from, to
	}
	year, err := strconv.Atoi(from[:4])
	switch {
	case err != nil:
	case yearless(first):
		from = strconv.Itoa(year-1) + first
	case yearless(second):
		to = strconv.Itoa(year+1) + second
	}
	return from, to
}

// yearless reports whether a period has no year: -03, -Q1, -03-15.
func yearless(period string) bool { return strings.HasPrefix(period, "-") }

// years gives the first and the last year of a column of times.
func (c *viewColumn) years() (first, last int, ok bool) {
	low, err := strconv.Atoi(c.info.Min[:min(4, len(c.info.Min))])
	high, err2 := strconv.Atoi(c.info.Max[:min(4, len(c.info.Max))])
	return low, high, err == nil && err2 == nil && low > 0
}

// lastWith gives the last year in which the data reach a period.
func (c *viewColumn) lastWith(period string, last int) int {
	from, _ := monthsOf(period)
	end, ok := parseDay(c.info.Max)
	if ok && from > 0 && time.Month(from) > end.Month() {
		return last - 1
	}
	return last
}

// inYear gives the stretch the year.
func (d dateRef) inYear(year string) dateRef {
	full := func(s string) string {
		if yearless(s) {
			return year + s
		}
		return s
	}
	d.from, d.to, d.list = full(d.from), full(d.to), slices.Clone(d.list)
	for i, s := range d.list {
		if n, err := strconv.Atoi(s); err == nil && d.period == "month_of_year" {
			s = fmt.Sprintf("-%02d", n)
		}
		d.list[i] = full(s)
	}
	if d.period = ""; d.op == "in" && len(d.list) == 1 {
		d.op, d.from, d.list = "eq", d.list[0], nil
	}
	return d
}

// inYears lists the stretch's quarters in each of some years.
func (d dateRef) inYears(first, last int) dateRef {
	quarters := d.list
	if d.op == "eq" {
		quarters = []string{d.from}
	}
	d.op, d.from, d.list = "in", "", nil
	for y := first; y <= last; y++ {
		for _, q := range quarters {
			d.list = append(d.list, strconv.Itoa(y)+q)
		}
	}
	return d
}

// everyYear makes the stretch one of months of every year, or of quarters.
func (d dateRef) everyYear(quarters bool) dateRef {
	var months []int
	from, to := monthsOf(d.from)
	switch d.op {
	case "eq":
		months = span(from, to)
	case "in":
		for _, s := range d.list {
			months = append(months, span(monthsOf(s))...)
		}
	case "lt":
		months = span(1, from-1)
	case "le":
		months = span(1, to)
	case "gt":
		months = span(to+1, 12)
	case "between":
		_, to = monthsOf(d.to)
		if months = span(from, to); to < from {
			months = append(span(from, 12), span(1, to)...)
		}
	}
	d.op, d.period, d.list = "in", "month_of_year", nil
	for _, m := range months {
		if s := strconv.Itoa(m); !quarters {
			d.list = append(d.list, s)
		} else if q := strconv.Itoa((m + 2) / 3); !slices.Contains(d.list, q) {
			d.list = append(d.list, q)
		}
	}
	if quarters {
		d.period = "quarter_of_year"
	}
	return d
}

// monthsOf gives the first and the last month of a period without a year; zeros for none.
func monthsOf(period string) (from, to int) {
	period = strings.TrimPrefix(period, "-")
	if q, ok := strings.CutPrefix(period, "Q"); ok {
		n, _ := strconv.Atoi(q)
		return 3*n - 2, 3 * n
	}
	n, _ := strconv.Atoi(period[:min(2, len(period))])
	return n, n
}

func span(from, to int) []int {
	var out []int
	for m := max(1, from); m <= min(to, 12); m++ {
		out = append(out, m)
	}
	return out
}

// periodOf is the kind of a period that is written with its year: 2026, 2026-Q1, 2026-03, 2026-03-01.
func periodOf(text string) string {
	if strings.Contains(text, "-Q") {
		return "quarter"
	}
	return map[int]string{4: "year", 7: "month", 10: "day"}[len(text)]
}
