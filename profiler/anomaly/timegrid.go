package anomaly

import (
	"fmt"
	"slices"
	"time"

	"catena/table"
)

// gridPart is the part of the steps of a grid of time that must be of one unit: days of trade have four such steps in
// five.
const gridPart = 0.7

// gridStep is the step of a grid of time.
type gridStep struct {
	index   func(time.Time) int // numbers steps without gaps
	rhythms func(first int) []rhythm
}

// gridSteps are the steps that are known, the longest first.
var gridSteps = []gridStep{
	{func(t time.Time) int { return t.Year()*4 + (int(t.Month())-1)/3 }, func(first int) []rhythm {
		return []rhythm{{4, seasonCycles, func(i int) string { return fmt.Sprintf("in Q%d", (first+i)%4+1) }}}
	}},
	{func(t time.Time) int { return t.Year()*12 + int(t.Month()) - 1 }, func(first int) []rhythm {
		return []rhythm{{12, seasonCycles, func(i int) string { return "in " + time.Month((first+i)%12+1).String() }}}
	}},
	{func(t time.Time) int { return floorOf(int(t.Unix()/hourSeconds/24)-mondayShift, 7) }, func(int) []rhythm {
		return []rhythm{{52, seasonCycles, func(int) string { return "at that time of the year" }}}
	}},
	{func(t time.Time) int { return floorOf(int(t.Unix()), 24*hourSeconds) }, func(first int) []rhythm {
		return []rhythm{{7, seasonCycles, func(i int) string { return "on " + weekday(first+i) }}}
	}},
	{func(t time.Time) int { return floorOf(int(t.Unix()), hourSeconds) }, func(first int) []rhythm {
		clock := func(i int) string { return fmt.Sprintf("at %02d:00", modulo(first+i, 24)) }
		return []rhythm{{24, seasonCycles, clock}, {168, seasonCycles, func(i int) string {
			return "on " + weekday(floorOf(first+i, 24)) + " " + clock(i)
		}}}
	}},
}

const (
	hourSeconds = 3600
	mondayShift = 4 // the days from the first of the epoch, a Thursday, to a Monday
)

func weekday(day int) string { return time.Weekday(modulo(day+mondayShift, 7)).String() + "s" }

func modulo(a, n int) int { return ((a % n) + n) % n }

func floorOf(a, n int) int { return (a - modulo(a, n)) / n }

// timeGrid puts the numbers x of the given rows of a table in the order of its first column of dates or times that has
// one number in each step, quarter to hour, with few steps left out; nil when there is none. rows of the result are
// indexes into x.
func timeGrid(t *table.Table, x []float64, rows []int) (*places, []rhythm) {
	for c := range t.NumCols() {
		if !t.Column(c).Type.Temporal() {
			continue
		}
		at := clockTimes(t, c, rows)
		if at == nil {
			continue
		}
		for _, u := range gridSteps {
			if p, first := u.grid(at, x); p != nil {
				return p, u.rhythms(first)
			}
		}
	}
	return nil, nil
}

// clockTimes are the times of the rows as a clock in their zone shows them; nil when a row has none.
func clockTimes(t *table.Table, c int, rows []int) []time.Time {
	out := make([]time.Time, len(rows))
	for i, r := range rows {
		at, ok := t.Value(r, c).Time()
		if !ok {
			return nil
		}
		_, offset := at.Zone()
		out[i] = at.UTC().Add(time.Duration(offset) * time.Second)
	}
	return out
}

// grid is nil when two numbers are in one step, or too many steps are empty. first is the index of the first step.
func (u gridStep) grid(at []time.Time, x []float64) (p *places, first int) {
	steps := make([]int, len(at))
	for i, t := range at {
		steps[i] = u.index(t)
	}
	sorted := slices.Clone(steps)
	slices.Sort(sorted)
	first = sorted[0]
	single := 0
	for i := 1; i < len(sorted); i++ {
		switch sorted[i] - sorted[i-1] {
		case 0:
			return nil, 0
		case 1:
			single++
		}
	}
	size := sorted[len(sorted)-1] - first + 1
	if float64(single) < gridPart*float64(len(sorted)-1) || size > 2*len(sorted) {
		return nil, 0
	}
	p = &places{y: make([]float64, size), rows: slices.Repeat([]int{-1}, size)}
	for i, step := range steps {
		p.y[step-first], p.rows[step-first] = x[i], i
	}
	return p, first
}
