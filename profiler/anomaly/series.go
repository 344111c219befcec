package anomaly

import (
	"math"
	"slices"

	"catena/profiler"
)

// inOrder reports whether the order of the rows carries the numbers: neighbours are alike, as in a series over time or
// in a sorted column. It is the lag-1 autocorrelation of the ranks, so that no single number decides.
func inOrder(x []float64) bool {
	lag := profiler.MomentsOf(ranksOf(x)).Lag
	return lag != nil && *lag >= seriesStrength
}

// offNeighbours finds the numbers of a series that are far from what the window around each would put in its place.
func offNeighbours(x, sorted []float64) []Outlier {
	y, method := x, MethodNeighbour
	logs := sorted[0] > 0 && sortedQuantile(sorted, 0.9) > 5*sortedQuantile(sorted, 0.1)
	if logs {
		y = make([]float64, len(x))
		for i, v := range x {
			y[i] = math.Log(v)
		}
	}
	usual := neighbourMedians(y)
	rest := make([]float64, len(y))
	for i, v := range y {
		rest[i] = v - usual[i]
	}
	sigma := robustSigma(absolute(rest))
	if !(sigma > 0) || math.IsInf(sigma, 0) {
		return nil
	}
	var out []Outlier
	local := localSpreads(rest)
	for i, d := range rest {
		if z := d / max(sigma, local[i]); math.Abs(z) > outlierSeries && !withinWindow(y, i) {
			o := Outlier{Row: i, Value: x[i], Usual: usual[i], Score: z, Method: method}
			if logs {
				o.Usual = math.Exp(usual[i])
			}
			out = append(out, o)
		}
	}
	if len(out) > max(3, len(x)/25) {
		return nil // what is not rare is no outlier
	}
	return out
}

func absolute(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Abs(v)
	}
	return out
}

// localSpreads gives the robust standard deviation of the numbers around each, for series whose noise changes.
func localSpreads(rest []float64) []float64 {
	const window = 25
	out := make([]float64, len(rest))
	if len(rest) <= window {
		return out
	}
	var near []float64
	for i := range rest {
		from := min(max(0, i-window/2), len(rest)-window)
		near = near[:0]
		for _, d := range rest[from : from+window] {
			near = append(near, math.Abs(d))
		}
		slices.Sort(near)
		out[i] = madToSigma * near[window/2]
	}
	return out
}

// withinWindow reports whether a number lies where its neighbours do: within their range without the least and the
// greatest, widened by half; at the ends of the series, where there are neighbours on one side only, by more.
func withinWindow(x []float64, i int) bool {
	from := windowAt(i, len(x))
	near := make([]float64, 0, seriesWindow)
	for j := from; j < from+seriesWindow; j++ {
		if j != i {
			near = append(near, x[j])
		}
	}
	slices.Sort(near)
	lo, hi, wider := near[1], near[len(near)-2], 0.5
	if i < 2 || i >= len(x)-2 {
		lo, hi, wider = near[0], near[len(near)-1], 1.5
	}
	return x[i] >= lo-wider*(hi-lo) && x[i] <= hi+wider*(hi-lo)
}

// windowAt is where the window around i begins.
func windowAt(i, n int) int { return min(max(0, i-seriesWindow/2), n-seriesWindow) }

// neighbourMedians gives what the window around each number would put in its place, itself apart: the median of the
// neighbours, each moved along the window's median step, so that trends and the ends of the series do not stand out.
func neighbourMedians(x []float64) []float64 {
	out := make([]float64, len(x))
	var steps, moved []float64
	for i := range x {
		from := windowAt(i, len(x))
		steps, moved = steps[:0], moved[:0]
		for j := from; j < from+seriesWindow-1; j++ {
			if j != i && j+1 != i {
				steps = append(steps, x[j+1]-x[j])
			}
		}
		slices.Sort(steps)
		step := sortedQuantile(steps, 0.5)
		for j := from; j < from+seriesWindow; j++ {
			if j != i {
				moved = append(moved, x[j]+step*float64(i-j))
			}
		}
		slices.Sort(moved)
		out[i] = sortedQuantile(moved, 0.5)
	}
	return out
}
