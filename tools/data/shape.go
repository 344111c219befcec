package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/tools/data/calendar"
)

// line is a straight line through points, by least squares.
type line struct {
	slope, intercept float64
	t                float64 // the slope in standard errors; +-Inf for a perfect fit
	n                int
}

// fit puts a line through the points that are there; x is the index.
func fit(y []float64, ok []bool) line {
	var n, sx, sy float64
	for i := range y {
		if ok[i] {
			n, sx, sy = n+1, sx+float64(i), sy+y[i]
		}
	}
	if n < 2 {
		return line{n: int(n)}
	}
	mx, my := sx/n, sy/n
	var sxx, sxy, rest float64
	for i := range y {
		if ok[i] {
			dx := float64(i) - mx
			sxx, sxy = sxx+dx*dx, sxy+dx*(y[i]-my)
		}
	}
	l := line{slope: sxy / sxx, n: int(n)}
	l.intercept = my - l.slope*mx
	for i := range y {
		if ok[i] {
			d := y[i] - l.intercept - l.slope*float64(i)
			rest += d * d
		}
	}
	if n > 2 {
		l.t = l.slope / math.Sqrt(rest/(n-2)/sxx)
	}
	if math.IsNaN(l.t) {
		l.t = 0
	}
	return l
}

// growth is the yearly growth in percent by the slope of a line through the logarithms of the values (the continuous rate r
// that fits best, given as 100*(exp(r)-1)). Every value must be above zero, and they must span a year at least.
func growth(y []float64, ok []bool, s calendar.Period) (percent float64, l line, defined bool) {
	logs := make([]float64, len(y))
	first, last := -1, -1
	for i := range y {
		if !ok[i] {
			continue
		}
		if y[i] <= 0 {
			return 0, line{}, false
		}
		logs[i] = math.Log(y[i])
		if last = i; first < 0 {
			first = i
		}
	}
	l = fit(logs, ok)
	if l.n < 3 || float64(last-first) < s.PerYear()-1 {
		return 0, l, false
	}
	return 100 * math.Expm1(l.slope*s.PerYear()), l, true
}

// The thresholds of the words for a shape. They say what a reader would see in a chart; they are no test of significance.
const (
	minShape   = 4    // values below which there is nothing to say
	clearSlope = 2.0  // standard errors from which a slope is called rising or falling
	flatYear   = 1.5  // percent a year below which it is called flat
	runLength  = 5    // periods that a recent turn must last
	runChange  = 0.08 // share by which it must change
	peakFactor = 1.06 // how far a peak month stands above its surroundings, on average
	minSeasons = 30   // months from which a peak can have come twice
)

// shape says in words what a series does: "rising, peak each November", "falling since May 2026".
func shape(y []float64, ok []bool, s calendar.Period, from int) string {
	count := 0
	for _, o := range ok {
		if o {
			count++
		}
	}
	if count < minShape {
		return "too short to tell"
	}
	factors, peak := seasons(y, ok, s, from)
	flat := make([]float64, len(y))
	for i := range y {
		flat[i] = y[i]
		if factors != nil {
			flat[i] /= factors[(from+i)%12]
		}
	}
	words := direction(flat, ok, s)
	if turn := recentTurn(flat, ok, s, from, words); turn != "" {
		words = turn
	}
	if peak != "" {
		words += ", " + peak
	}
	return words
}

// direction is the word for the whole series.
func direction(y []float64, ok []bool, s calendar.Period) string {
	percent, l, defined := growth(y, ok, s)
	if !defined {
		l = fit(y, ok)
		mean := 0.0
		for i := range y {
			if ok[i] {
				mean += math.Abs(y[i]) / float64(l.n)
			}
		}
		if mean > 0 {
			percent = 100 * l.slope * float64(len(y)) / mean
		}
	}
	switch {
	case math.Abs(percent) < flatYear:
		return "flat"
	case l.t >= clearSlope:
		return "rising"
	case l.t <= -clearSlope:
		return "falling"
	}
	return "no clear direction"
}

// recentTurn finds a run up to the end in which the smoothed series goes one way, against the whole or without one.
func recentTurn(y []float64, ok []bool, s calendar.Period, from int, whole string) string {
	smooth := smoothed(y, ok)
	n := len(smooth)
	if n < runLength+3 {
		return ""
	}
	for _, way := range []struct {
		sign float64
		word string
	}{{1, "rising"}, {-1, "falling"}} {
		if whole == way.word {
			continue
		}
		i := n - 1
		for i > 0 && way.sign*(smooth[i]-smooth[i-1]) > 0 {
			i--
		}
		run := n - 1 - i
		if run < runLength || run > n*4/5 || smooth[i] == 0 || way.sign*(smooth[n-1]-smooth[i])/math.Abs(smooth[i]) < runChange {
			continue
		}
		// Smoothing blurs the turn by a period either way: the extreme value near it is where it is.
		turn := i
		for j := max(0, i-1); j <= min(n-1, i+2); j++ {
			if ok[j] && (!ok[turn] || way.sign*(y[j]-y[turn]) < 0) {
				turn = j
			}
		}
		return way.word + " since " + s.Name(from+turn+1)
	}
	return ""
}

// smoothed is the mean of each value and its two neighbours, those that are there; a gap takes the value before it.
func smoothed(y []float64, ok []bool) []float64 {
	out := make([]float64, len(y))
	for i := range y {
		sum, n := 0.0, 0.0
		for j := max(0, i-1); j <= min(len(y)-1, i+1); j++ {
			if ok[j] {
				sum, n = sum+y[j], n+1
			}
		}
		switch {
		case n > 0:
			out[i] = sum / n
		case i > 0:
			out[i] = out[i-1]
		}
	}
	return out
}

// seasons finds how far each month of the year stands above or below its surroundings: the mean ratio of the value to the
// centred mean of twelve months (classical decomposition). It needs two ratios for every month. peak names the month that is
// the highest of its year each time.
func seasons(y []float64, ok []bool, s calendar.Period, from int) (factors []float64, peak string) {
	if s != calendar.Monthly || len(y) < minSeasons || slices.Contains(ok, false) || slices.Min(y) <= 0 {
		return nil, ""
	}
	sums, counts := make([]float64, 12), make([]int, 12)
	highest := map[int]int{} // how often a month was the highest of the 12 around it
	for i := 6; i+6 < len(y); i++ {
		centre := (y[i-6] + y[i+6]) / 2
		for j := i - 5; j <= i+5; j++ {
			centre += y[j]
		}
		m := (from + i) % 12
		sums[m] += y[i] / (centre / 12)
		counts[m]++
		if slices.Max(y[i-5:i+6]) == y[i] {
			highest[m]++
		}
	}
	factors = make([]float64, 12)
	top := 0
	for m := range factors {
		if counts[m] == 0 {
			return nil, ""
		}
		if factors[m] = sums[m] / float64(counts[m]); factors[m] > factors[top] {
			top = m
		}
	}
	if factors[top] >= peakFactor && counts[top] > 1 && highest[top] == counts[top] {
		peak = "peak each " + time.Month(top+1).String()
	}
	if slices.Min(counts) < 2 && peak == "" {
		return nil, "" // one year of ratios tells nothing of seasons
	}
	return factors, peak
}

// countWord writes small numbers in words, as people do in sentences.
func countWord(n int) string {
	words := strings.Fields("none one two three four five six seven eight nine ten eleven twelve")
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}
