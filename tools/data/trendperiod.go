package data

import (
	"fmt"
	"slices"
	"time"

	"catena/table"
)

// period is the length of the periods that a series is cut into.
type period int

const (
	daily period = iota
	monthly
	quarterly
	yearly
)

// index numbers periods without gaps.
func (s period) index(t time.Time) int {
	y, m, _ := t.Date()
	switch s {
	case monthly:
		return y*12 + int(m) - 1
	case quarterly:
		return y*4 + (int(m)-1)/3
	case yearly:
		return y
	}
	return int(floorDiv(t.Unix(), 86400))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// start is the first day of a period.
func (s period) start(i int) time.Time {
	switch s {
	case monthly:
		return time.Date(i/12, time.Month(i%12+1), 1, 0, 0, 0, 0, time.UTC)
	case quarterly:
		return time.Date(i/4, time.Month(i%4*3+1), 1, 0, 0, 0, 0, time.UTC)
	case yearly:
		return time.Date(i, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Unix(int64(i)*86400, 0).UTC()
}

// name is what people call a period.
func (s period) name(i int) string {
	t := s.start(i)
	switch s {
	case monthly:
		return t.Format("January 2006")
	case quarterly:
		return fmt.Sprintf("Q%d %d", i%4+1, i/4)
	case yearly:
		return t.Format("2006")
	}
	return t.Format("2006-01-02")
}

// perYear is how many periods a year has.
func (s period) perYear() float64 { return [...]float64{365.2425, 12, 4, 1}[s] }

// noun is one period; adverb is how often they come.
func (s period) noun() string   { return [...]string{"day", "month", "quarter", "year"}[s] }
func (s period) adverb() string { return [...]string{"daily", "monthly", "quarterly", "yearly"}[s] }

// calendar is the time column of a series, read.
type calendar struct {
	at   []time.Time // of each row; meaningless where ok is false
	ok   []bool
	days []int // distinct days, ascending
}

// readCalendar reads dates, instants, or integers that count years.
func readCalendar(t *table.Table, col int) calendar {
	c := calendar{at: make([]time.Time, t.NumRows()), ok: make([]bool, t.NumRows())}
	seen := map[int]bool{}
	for row := range c.at {
		v := t.Value(row, col)
		if y, whole := v.Int(); whole && t.Column(col).Type == table.Int {
			c.at[row], c.ok[row] = time.Date(int(y), 1, 1, 0, 0, 0, 0, time.UTC), y >= 1 && y <= 9999
		} else {
			c.at[row], c.ok[row] = v.Time()
		}
		if c.ok[row] {
			c.at[row] = c.at[row].UTC()
			seen[daily.index(c.at[row])] = true
		}
	}
	for d := range seen {
		c.days = append(c.days, d)
	}
	slices.Sort(c.days)
	return c
}

// span finds what the periods of the data are: years or quarters where there is one date in each, days where the whole lies
// within three months, otherwise months.
func (c calendar) span() period {
	if len(c.days) < 2 {
		return monthly
	}
	gap := 1 << 30
	months := []int{}
	for _, d := range c.days {
		m := monthly.index(daily.start(d))
		if len(months) > 0 && months[len(months)-1] != m {
			gap = min(gap, m-months[len(months)-1])
		}
		if len(months) == 0 || months[len(months)-1] != m {
			months = append(months, m)
		}
	}
	switch {
	case len(months) <= 3 && len(c.days) > 3:
		return daily
	case len(months) < 2 || len(months) < len(c.days):
		return monthly
	case gap >= 12:
		return yearly
	case gap >= 3 && len(months) > 2:
		return quarterly
	}
	return monthly
}

// partial reports which ends of the axis are not whole: the last period when the as-of date lies in it, and either when the
// data are daily and begin or end amid it.
func (c calendar) partial(s period, asOf time.Time) (first, last bool) {
	if len(c.days) == 0 || s == daily {
		return false, false
	}
	low, high := daily.start(c.days[0]), daily.start(c.days[len(c.days)-1])
	lastPeriod := s.index(high)
	end := s.start(lastPeriod + 1)
	last = s.index(asOf) == lastPeriod && asOf.AddDate(0, 0, 1).Before(end)
	const often, slack = 6, 4 // days with data in a month from which it counts as daily; days that may be missing at an end
	perMonth := float64(len(c.days)) / float64(monthly.index(high)-monthly.index(low)+1)
	if perMonth >= often {
		last = last || end.Sub(high) > slack*24*time.Hour
		first = low.Sub(s.start(s.index(low))) > slack*24*time.Hour
	}
	return first, last
}
