package anomaly

import (
	"fmt"
	"math"
	"slices"

	"catena/profiler"
)

const (
	seasonCycles = 3 // fewer repeats of a season of the calendar are no season
	rowCycles    = 5 // the same, of rows
	phaseMin     = 5 // numbers from which on a phase has a spread of its own
	// the autocorrelation at the period from which numbers are taken to repeat, chosen on made series
	seasonLag = 0.4
	// how much smaller the spread around the season must be than that around the median and around the neighbours
	seasonGain  = 0.75
	seasonReach = 5 // robust deviations that a number counts with, at most, where seasons are looked for
	// a number within so many robust deviations of its phase is usual there, however far it is from the median
	seasonUsual    = 3
	seasonRounds   = 8      // in which the farthest numbers are set aside
	seasonMostRows = 50_000 // of longer series no season is looked for: five years of hours
)

// rhythm is a period that a series may have: so many places, and what the phase of each is called in a sentence.
type rhythm struct {
	period, cycles int // places, and how often they must come again
	phase          func(place int) string
}

// rowRhythms are the periods looked for where no column tells the time: quarters, working days, days, months, hours,
// weeks.
func rowRhythms() []rhythm {
	out := make([]rhythm, 0, 6)
	for _, p := range []int{4, 5, 7, 12, 24, 52} {
		out = append(out, rhythm{p, rowCycles, func(place int) string {
			return fmt.Sprintf("in every %dth row, from row %d", p, place%p+1)
		}})
	}
	return out
}

// places is a series on a grid of equal steps of time: a number in each place, or none.
type places struct {
	y    []float64
	rows []int // indexes of the numbers; -1 where a place is empty
}

// inRows takes the order of the rows for time.
func inRows(x []float64) *places {
	p := &places{y: x, rows: make([]int, len(x))}
	for i := range p.rows {
		p.rows[i] = i
	}
	return p
}

// season is a series around what its phases lead to expect.
type season struct {
	rhythm
	scale  func(float64) float64
	back   func(float64) float64
	places *places
	y      []float64 // on the scale
	aside  []bool    // empty places, and numbers set aside as they stand out
	usual  []float64 // of each place, on the scale
	spread []float64 // of each place's phase
	sigma  float64   // robust standard deviation around usual
}

// seasonOf finds the rhythm that carries the series: the one with the highest autocorrelation at its period, once the
// trend is taken off. It is nil when none is high, or when the neighbours or the median tell the numbers as well.
func seasonOf(p *places, rhythms []rhythm) *season {
	if len(p.y) > seasonMostRows {
		return nil
	}
	var best *season
	most := seasonLag
	for _, r := range rhythms {
		if len(p.y) < r.cycles*r.period {
			continue
		}
		s := newSeason(p, r, identity, identity)
		if lag := s.repeats(); lag > most {
			best, most = s, lag
		}
	}
	if best == nil {
		return nil
	}
	best.settle()
	left := best.left()
	if !slices.ContainsFunc(p.y, func(v float64) bool { return v <= 0 }) {
		logs := newSeason(p, best.rhythm, math.Log, math.Exp)
		logs.settle()
		if other := logs.left(); other < left {
			best, left = logs, other
		}
	}
	if !(best.sigma > 0) || !(left < seasonGain) {
		return nil
	}
	return best
}

func newSeason(p *places, r rhythm, scale, back func(float64) float64) *season {
	s := &season{rhythm: r, scale: scale, back: back, places: p, y: make([]float64, len(p.y)),
		aside: make([]bool, len(p.y))}
	for i, v := range p.y {
		s.y[i], s.aside[i] = scale(v), p.rows[i] < 0
	}
	return s
}

// trend is a line through the medians of whole periods, each of which has every phase once, so that the season does not
// bend it.
func (s *season) trend() []float64 {
	var at, level, block []float64
	for from := 0; from+s.period <= len(s.y); from += s.period {
		block = block[:0]
		for i := from; i < from+s.period; i++ {
			if !s.aside[i] {
				block = append(block, s.y[i])
			}
		}
		if 2*len(block) >= s.period {
			slices.Sort(block)
			at, level = append(at, float64(from)+float64(s.period-1)/2), append(level, sortedQuantile(block, 0.5))
		}
	}
	out := make([]float64, len(s.y))
	if len(at) < 2 {
		return out
	}
	k := 0
	for i := range out {
		for k+2 < len(at) && float64(i) > at[k+1] {
			k++
		}
		out[i] = level[k] + (level[k+1]-level[k])*(float64(i)-at[k])/(at[k+1]-at[k])
	}
	return out
}

// repeats is the autocorrelation at the period of the numbers without their trend, the farthest moved in.
func (s *season) repeats() float64 {
	trend := s.trend()
	var rest []float64
	at := make([]int, len(s.y))
	for i, v := range s.y {
		at[i] = -1
		if !s.aside[i] {
			at[i], rest = len(rest), append(rest, v-trend[i])
		}
	}
	movedIn(rest)
	both, all := 0.0, 0.0
	pairs := 0
	for i := range s.y {
		if at[i] < 0 {
			continue
		}
		d := rest[at[i]]
		all += d * d
		if j := i + s.period; j < len(s.y) && at[j] >= 0 {
			both += d * rest[at[j]]
			pairs++
		}
	}
	if pairs < s.period/2 || !(all > 0) {
		return 0
	}
	return both / float64(pairs) / (all / float64(len(rest)))
}

// movedIn takes the median off x and moves what is farther from it than five robust deviations to there, so that
// neither one error nor the peaks of a season, however rare, weigh all or nothing. It returns the root of the mean
// square.
func movedIn(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	middle := sortedQuantile(sorted, 0.5)
	for i, v := range x {
		x[i] = v - middle
	}
	most := seasonReach * robustSigma(absolute(x))
	squares := 0.0
	for i, v := range x {
		x[i] = max(-most, min(most, v))
		squares += x[i] * x[i]
	}
	return math.Sqrt(squares / float64(len(x)))
}

// settle sets the farthest numbers aside and looks again, until none is far: one error would otherwise hide nearer
// ones, and make the other numbers of its phase look wrong.
func (s *season) settle() {
	for range seasonRounds {
		s.expect()
		most := 0.0
		for i := range s.y {
			if !s.aside[i] {
				most = max(most, math.Abs(s.distance(i)))
			}
		}
		if !(most > outlierSeries) {
			return
		}
		for i := range s.y {
			if !s.aside[i] && math.Abs(s.distance(i)) > max(outlierSeries, most/2) {
				s.aside[i] = true
			}
		}
	}
	s.expect()
}

// expect computes what is usual in each place, from the other numbers of its phase, and the spreads around it.
func (s *season) expect() {
	trend := s.trend()
	s.usual, s.spread = make([]float64, len(s.y)), make([]float64, len(s.y))
	rest := make([]float64, 0, len(s.y))
	var phase []float64
	for first := range s.period {
		phase = phase[:0]
		for i := first; i < len(s.y); i += s.period {
			if !s.aside[i] {
				phase = append(phase, s.y[i]-trend[i])
			}
		}
		slices.Sort(phase)
		common := 0.0
		if len(phase) >= phaseMin {
			common = spreadAround(phase, sortedQuantile(phase, 0.5))
		}
		for i := first; i < len(s.y); i += s.period {
			own := s.y[i] - trend[i]
			middle, apart := medianOfOthers(phase, own, !s.aside[i])
			s.usual[i], s.spread[i] = trend[i]+middle, common
			if common == 0 {
				s.spread[i] = apart / 3 // what is far must be farther than the few others are from each other, twice
			}
			if !s.aside[i] && !math.IsNaN(middle) {
				rest = append(rest, math.Abs(own-middle))
			}
		}
	}
	s.sigma = robustSigma(rest)
}

// robustSigma is the standard deviation that absolute deviations tell, by their median or, where most are zero, their
// mean.
func robustSigma(deviations []float64) float64 {
	if len(deviations) == 0 {
		return math.NaN()
	}
	slices.Sort(deviations)
	if sigma := madToSigma * sortedQuantile(deviations, 0.5); sigma > 0 {
		return sigma
	}
	// the mean absolute deviation of a normal distribution is σ·√(2/π)
	return 1.2533 * *profiler.MomentsOf(deviations).Mean
}

// medianOfOthers is the median of sorted numbers and how far the least and the greatest are apart; own is left out when
// it is among them. It is NaN for fewer than two others.
func medianOfOthers(sorted []float64, own float64, among bool) (median, apart float64) {
	n, skip := len(sorted), len(sorted)
	if among {
		n--
		skip, _ = slices.BinarySearch(sorted, own)
	}
	if n < 2 {
		return math.NaN(), 0
	}
	at := func(i int) float64 {
		if i >= skip {
			i++
		}
		return sorted[i]
	}
	return (at((n-1)/2) + at(n/2)) / 2, at(n-1) - at(0)
}

// distance of a number from what is usual in its place, in robust deviations; NaN where that is not known.
func (s *season) distance(i int) float64 { return (s.y[i] - s.usual[i]) / max(s.sigma, s.spread[i]) }

// left is the part of the spread that the season leaves, without the numbers set aside.
func (s *season) left() float64 {
	rest := make([]float64, 0, len(s.y))
	for i, v := range s.y {
		if d := v - s.usual[i]; !s.aside[i] && !math.IsNaN(d) {
			rest = append(rest, d)
		}
	}
	return movedIn(rest) / s.rival()
}

// rival is the spread that remains without a season: around the median, the trend, or the neighbours, whichever is
// smallest.
func (s *season) rival() float64 {
	var y, level []float64
	trend := s.trend()
	for i, v := range s.y {
		if !s.aside[i] {
			y, level = append(y, v), append(level, v-trend[i])
		}
	}
	if len(y) < seriesWindow {
		return math.NaN()
	}
	near := neighbourMedians(y)
	for i, v := range y {
		near[i] = v - near[i]
	}
	least := math.Inf(1)
	for _, rest := range [][]float64{y, level, near} {
		if spread := movedIn(rest); spread > 0 {
			least = min(least, spread)
		}
	}
	return least
}

// told is what a sentence calls usual in a place: what is expected there, within the numbers of the same phase around
// it. The trend there may lie beside them, as it comes from the other phases, too.
func (s *season) told(i int) float64 {
	const near = 2 // on each side
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, step := range []int{-s.period, s.period} {
		found := 0
		for at := i + step; at >= 0 && at < len(s.y) && found < near; at += step {
			if !s.aside[at] {
				lo, hi, found = min(lo, s.y[at]), max(hi, s.y[at]), found+1
			}
		}
		if found == 0 { // a trend goes on beyond them
			return s.usual[i]
		}
	}
	return min(max(s.usual[i], lo), hi)
}

// wrong finds the numbers that are far from what is usual in their phase; ok is false when they are many: then the
// rhythm does not tell.
func (s *season) wrong() (out []Outlier, ok bool) {
	for i, row := range s.places.rows {
		if z := s.distance(i); row >= 0 && math.Abs(z) > outlierSeries {
			out = append(out, Outlier{Row: row, Value: s.places.y[i], Usual: s.back(s.told(i)), Score: z,
				Method: MethodSeason, Phase: s.phase(i)})
		}
	}
	return out, len(out) <= max(3, len(s.y)/fewPart)
}

// surprising are those of found that their phase does not explain.
func (s *season) surprising(found []Outlier) []Outlier {
	explained := map[int]bool{}
	for i, row := range s.places.rows {
		if row >= 0 && math.Abs(s.distance(i)) < seasonUsual {
			explained[row] = true
		}
	}
	return slices.DeleteFunc(found, func(o Outlier) bool { return explained[o.Row] })
}
