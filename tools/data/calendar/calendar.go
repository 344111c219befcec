// Package calendar cuts the time of rows into days, weeks, months, quarters and years: what the periods of a table are,
// and which of its ends are not whole. Its values are safe for concurrent use as long as nobody changes them.
package calendar

import (
	"fmt"
	"slices"
	"time"

	"catena/table"
)

// Period is the length of the periods that a series is cut into. The zero value is a day.
type Period int

// The lengths of periods.
const (
	Daily  Period = iota
	Weekly        // from Monday on
	Monthly
	Quarterly
	Yearly
)

// Index is the number of the period in which t lies; numbers of periods have no gaps.
func (s Period) Index(t time.Time) int {
	y, m, _ := t.Date()
	switch s {
	case Weekly:
		return int(floorDiv(t.Unix()+mondays, week))
	case Monthly:
		return y*12 + int(m) - 1
	case Quarterly:
		return y*4 + (int(m)-1)/3
	case Yearly:
		return y
	}
	return int(floorDiv(t.Unix(), 86400))
}

// Weeks are counted from the Monday before 1970, in seconds.
const (
	week    = 7 * 86400
	mondays = 3 * 86400
)

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Start is the first day of the period of a number, as an instant of UTC.
func (s Period) Start(i int) time.Time {
	switch s {
	case Weekly:
		return time.Unix(int64(i)*week-mondays, 0).UTC()
	case Monthly:
		return time.Date(i/12, time.Month(i%12+1), 1, 0, 0, 0, 0, time.UTC)
	case Quarterly:
		return time.Date(i/4, time.Month(i%4*3+1), 1, 0, 0, 0, 0, time.UTC)
	case Yearly:
		return time.Date(i, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Unix(int64(i)*86400, 0).UTC()
}

// Name is what people call the period of a number: "January 2006", "Q1 2006", "2006"; of days and weeks the first day.
func (s Period) Name(i int) string {
	t := s.Start(i)
	switch s {
	case Monthly:
		return t.Format("January 2006")
	case Quarterly:
		return fmt.Sprintf("Q%d %d", i%4+1, i/4)
	case Yearly:
		return t.Format("2006")
	}
	return t.Format("2006-01-02")
}

// PerYear is how many periods a year has.
func (s Period) PerYear() float64 { return [...]float64{365.2425, 365.2425 / 7, 12, 4, 1}[s] }

// Noun is what one period is called: "month".
func (s Period) Noun() string { return [...]string{"day", "week", "month", "quarter", "year"}[s] }

// Adverb is how often periods come: "monthly".
func (s Period) Adverb() string {
	return [...]string{"daily", "weekly", "monthly", "quarterly", "yearly"}[s]
}

// Calendar is the time column of a table, read.
type Calendar struct {
	At   []time.Time // of each row, in UTC; meaningless where OK is false
	OK   []bool      // which rows have a time
	Days []int       // distinct days by Daily.Index, ascending
}

// Read reads a column of dates, instants, or integers that count years.
func Read(t *table.Table, col int) Calendar {
	c := Calendar{At: make([]time.Time, t.NumRows()), OK: make([]bool, t.NumRows())}
	seen := map[int]bool{}
	for row := range c.At {
		v := t.Value(row, col)
		if y, whole := v.Int(); whole && t.Column(col).Type == table.Int {
			c.At[row], c.OK[row] = time.Date(int(y), 1, 1, 0, 0, 0, 0, time.UTC), y >= 1 && y <= 9999
		} else {
			c.At[row], c.OK[row] = v.Time()
		}
		if c.OK[row] {
			c.At[row] = c.At[row].UTC()
			seen[Daily.Index(c.At[row])] = true
		}
	}
	for d := range seen {
		c.Days = append(c.Days, d)
	}
	slices.Sort(c.Days)
	return c
}

// Span finds what the periods of the data are: years or quarters where there is one date in each, days where the whole
// lies within three months, otherwise months.
func (c Calendar) Span() Period {
	if len(c.Days) < 2 {
		return Monthly
	}
	gap := 1 << 30
	months := []int{}
	for _, d := range c.Days {
		m := Monthly.Index(Daily.Start(d))
		if len(months) > 0 && months[len(months)-1] != m {
			gap = min(gap, m-months[len(months)-1])
		}
		if len(months) == 0 || months[len(months)-1] != m {
			months = append(months, m)
		}
	}
	switch {
	case len(months) <= 3 && len(c.Days) > 3:
		return Daily
	case len(months) < 2 || len(months) < len(c.Days):
		return Monthly
	case gap >= 12:
		return Yearly
	case gap >= 3 && len(months) > 2:
		return Quarterly
	}
	return Monthly
}

// Partial reports which ends of the axis are not whole: the last period when the as-of date lies in it, and either when
// the data are daily and begin or end amid it.
func (c Calendar) Partial(s Period, asOf time.Time) (first, last bool) {
	if len(c.Days) == 0 || s == Daily {
		return false, false
	}
	low, high := Daily.Start(c.Days[0]), Daily.Start(c.Days[len(c.Days)-1])
	lastPeriod := s.Index(high)
	end := s.Start(lastPeriod + 1)
	last = s.Index(asOf) == lastPeriod && asOf.AddDate(0, 0, 1).Before(end)
	const often = 6             // days with data in a month from which it counts as daily
	slack := 4 * 24 * time.Hour // what may be missing at an end
	if s == Weekly {
		slack = 3 * 24 * time.Hour
	}
	perMonth := float64(len(c.Days)) / float64(Monthly.Index(high)-Monthly.Index(low)+1)
	if perMonth >= often {
		last = last || end.Sub(high) > slack
		first = low.Sub(s.Start(s.Index(low))) > slack
	}
	return first, last
}
