package profiler

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// ranks are the ordinals of a column in their order. Columns with few distinct cells have each once, with how many cells do not exceed it.
type ranks struct {
	ords []int64
	upto []int // nil when ords has every cell
}

// ranked orders the cells of a scan.
func (s *scan) ranked(w *workspace) ranks {
	if s.kindsErr == 0 && !s.byRow && 8*s.kinds <= len(s.ords) {
		kinds := slices.Clone(s.distinct)
		slices.SortFunc(kinds, func(a, b entry) int { return cmp.Compare(int64(a.key), int64(b.key)) })
		r := ranks{ords: grown(w.sorted, len(kinds)), upto: make([]int, len(kinds))}
		sum := 0
		for i, e := range kinds {
			sum += int(e.count)
			r.ords[i], r.upto[i] = int64(e.key), sum
		}
		w.sorted = r.ords
		return r
	}
	w.sorted, w.spare = grown(w.sorted, len(s.ords)), grown(w.spare, len(s.ords))
	copy(w.sorted, s.ords)
	return ranks{ords: sortOrdinals(w.sorted, w.spare)}
}

// sortOrdinals sorts x and returns it in x or in spare, which are of one length. Many numbers are sorted by their digits of eleven bits, the least first; digits
// that all numbers share cost nothing.
func sortOrdinals(x, spare []int64) []int64 {
	const few, digit = 256, 11
	if len(x) < few {
		slices.Sort(x)
		return x
	}
	least, most := slices.Min(x), slices.Max(x)
	width := bits.Len64(uint64(most) - uint64(least))
	for shift := 0; shift < width; shift += digit {
		var starts [1 << digit]int32
		for _, o := range x {
			starts[(uint64(o)-uint64(least))>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for i, n := range starts {
			starts[i] = sum
			sum += n
		}
		for _, o := range x {
			d := (uint64(o) - uint64(least)) >> shift & (1<<digit - 1)
			spare[starts[d]] = o
			starts[d]++
		}
		x, spare = spare, x
	}
	return x
}

func (r *ranks) count() int {
	if r.upto == nil {
		return len(r.ords)
	}
	return r.upto[len(r.upto)-1]
}

// at is the ordinal of rank i, from 0.
func (r *ranks) at(i int) int64 {
	if r.upto == nil {
		return r.ords[i]
	}
	k, _ := slices.BinarySearch(r.upto, i+1)
	return r.ords[k]
}

// below counts the cells whose ordinals do not fulfil reached, which holds from some ordinal on.
func (r *ranks) below(reached func(o int64) bool) int {
	k := sort.Search(len(r.ords), func(i int) bool { return reached(r.ords[i]) })
	if r.upto == nil || k == 0 {
		return k
	}
	return r.upto[k-1]
}

// quantile interpolates linearly between order statistics, for whole percents: type 7 of Hyndman and Fan (The American Statistician 50, 1996). It is
// rounded once.
func (s *scan) quantile(r *ranks, percent int) float64 {
	h := percent * (r.count() - 1)
	i, rest := h/100, h%100
	lo := r.at(i)
	if rest == 0 || r.at(i+1) == lo {
		return s.number(lo)
	}
	a, b := s.precise(lo).mul(twofold{float64(100 - rest), 0}), s.precise(r.at(i+1)).mul(twofold{float64(rest), 0})
	if q := a.add(b).div(twofold{100, 0}).float(); !math.IsNaN(q) && !math.IsInf(q, 0) {
		return q
	}
	f := float64(rest) / 100
	return s.number(lo)*(1-f) + s.number(r.at(i+1))*f // near the greatest double
}

// histogram cuts the range into equal bars by the rule of Freedman and Diaconis (Zeitschrift für Wahrscheinlichkeitstheorie 57, 1981):
// a width of 2·IQR/∛n, by Sturges' rule where the IQR is zero; at most limit bars.
func (s *scan) histogram(r *ranks, q *Quantiles, limit int) []Bucket {
	n := r.count()
	low, high := s.number(r.at(0)), s.number(r.at(n-1))
	span := high - low
	if limit <= 0 || span == 0 || math.IsInf(span, 0) {
		return nil
	}
	bars := int(math.Ceil(math.Log2(float64(n)))) + 1
	if iqr := q.P75 - q.P25; iqr > 0 {
		if want := math.Ceil(span / (2 * iqr / math.Cbrt(float64(n)))); want < float64(limit) {
			bars = int(want)
		} else {
			bars = limit
		}
	}
	bars = max(1, min(bars, limit))
	out := make([]Bucket, bars)
	at := 0
	for i := range out {
		out[i].Low, out[i].High = low+span*float64(i)/float64(bars), low+span*float64(i+1)/float64(bars)
		if i == bars-1 {
			out[i].High, out[i].Count = high, n-at
			break
		}
		end := max(at, r.below(func(o int64) bool { return s.number(o) >= out[i].High }))
		out[i].Count, at = end-at, end
	}
	return out
}
