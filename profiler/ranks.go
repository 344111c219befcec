package profiler

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// ranks are the ordinals of a column in their order. Where few are distinct, each stands there once, with how many
// cells do not exceed it.
type ranks struct {
	ords []int64 // in memory of the table or of a workspace
	upto []int32 // nil when ords has every cell
}

const (
	fewOrdinals = 256 // up to which sorting by comparisons is fastest
	probed      = 1024
	rareKinds   = 8 // from so many cells for each distinct one on, counting costs less than sorting
)

// rank orders and counts the cells of a scan by what costs least: sorted columns stay as they are; ordinals that are
// near each other are counted in place, those that return again and again by their hash; the rest is sorted. All ways
// are exact.
func (s *scan) rank(w *workspace, least, most int64) {
	n := len(s.ords)
	width := uint64(most) - uint64(least)
	switch {
	case s.ascends:
		s.ranks = ranks{ords: s.ords}
	case n < fewOrdinals:
		w.sorted = append(w.sorted[:0], s.ords...)
		slices.Sort(w.sorted)
		s.ranks = ranks{ords: w.sorted}
	case width < uint64(2*n):
		s.ranks = countInPlace(s.ords, least, int(width)+1, w)
	default:
		var few bool
		if s.ranks, few = countByHash(s.ords, w); !few {
			w.sorted, w.spare = grown(w.sorted, n), grown(w.spare, n)
			copy(w.sorted, s.ords)
			s.ranks = ranks{ords: sortOrdinals(w.sorted, w.spare, least, most)}
		}
	}
	s.ranks.each(func(int64, int) bool { s.kinds++; return true })
}

// countInPlace counts ordinals from least on of which no more than width differ.
func countInPlace(ords []int64, least int64, width int, w *workspace) ranks {
	w.counts = grown(w.counts, width)
	clear(w.counts)
	for _, o := range ords {
		w.counts[o-least]++
	}
	r := ranks{ords: w.sorted[:0], upto: w.upto[:0]}
	sum := int32(0)
	for i, n := range w.counts {
		if n > 0 {
			sum += n
			r.ords, r.upto = append(r.ords, least+int64(i)), append(r.upto, sum)
		}
	}
	w.sorted, w.upto = r.ords, r.upto
	return r
}

// countByHash counts ordinals of which few are distinct; false when that turns out not to be so.
func countByHash(ords []int64, w *workspace) (ranks, bool) {
	counts := newTally(len(ords), len(ords), w.slots)
	defer func() { w.slots = counts.slots }()
	for from := 0; from < len(ords); from += probed {
		counts.addOrdinals(ords[from:min(from+probed, len(ords))])
		if rareKinds*len(counts.entries) > counts.seen {
			return ranks{}, false
		}
	}
	slices.SortFunc(counts.entries, func(a, b counted) int { return cmp.Compare(int64(a.key), int64(b.key)) })
	w.sorted, w.upto = grown(w.sorted, len(counts.entries)), grown(w.upto, len(counts.entries))
	sum := int32(0)
	for i, e := range counts.entries {
		sum += e.count
		w.sorted[i], w.upto[i] = int64(e.key), sum
	}
	return ranks{w.sorted, w.upto}, true
}

// each gives the distinct ordinals in their order with how many cells have them, for as long as do wants more.
func (r *ranks) each(do func(o int64, count int) bool) {
	for i := 0; i < len(r.ords); {
		from, o := i, r.ords[i]
		var count int
		if i++; r.upto == nil {
			for ; i < len(r.ords) && r.ords[i] == o; i++ {
			}
			count = i - from
		} else if count = int(r.upto[from]); from > 0 {
			count -= int(r.upto[from-1])
		}
		if !do(o, count) {
			return
		}
	}
}

// sortOrdinals sorts x, of which least and most are the extremes, and returns it in x or in spare, which are of one
// length. It sorts by up to three digits of the highest bits of the distance from least, the lowest first; what these
// leave equal is sorted once more by the others.
func sortOrdinals(x, spare []int64, least, most int64) []int64 {
	const widest, digits = 11, 3
	width := bits.Len64(uint64(most) - uint64(least))
	shift := max(0, width-widest*digits)
	passes := (width - shift + widest - 1) / widest
	if passes == 0 {
		return x
	}
	digit := (width - shift + passes - 1) / passes
	mask := uint64(1)<<digit - 1
	var starts [digits][1 << widest]int32
	for _, o := range x {
		d := (uint64(o) - uint64(least)) >> shift
		for i := range passes {
			starts[i][d&mask]++
			d >>= digit
		}
	}
	for i := range passes {
		next, sum, by := &starts[i], int32(0), shift+i*digit
		for d, n := range next[:mask+1] {
			next[d] = sum
			sum += n
		}
		for _, o := range x {
			at := &next[(uint64(o)-uint64(least))>>by&mask]
			spare[*at] = o
			*at++
		}
		x, spare = spare, x
	}
	if shift > 0 {
		sortRuns(x, spare, least, shift)
	}
	return x
}

// sortRuns sorts what is equal in the bits from shift on.
func sortRuns(x, spare []int64, least int64, shift int) {
	for from := 0; from < len(x); {
		top, low, high, to := (uint64(x[from])-uint64(least))>>shift, x[from], x[from], from+1
		for ; to < len(x) && (uint64(x[to])-uint64(least))>>shift == top; to++ {
			low, high = min(low, x[to]), max(high, x[to])
		}
		switch run := x[from:to]; {
		case low == high:
		case len(run) < fewOrdinals:
			slices.Sort(run)
		default:
			copy(run, sortOrdinals(run, spare[from:to], low, high))
		}
		from = to
	}
}

func (r *ranks) count() int {
	if r.upto == nil {
		return len(r.ords)
	}
	return int(r.upto[len(r.upto)-1])
}

// at is the ordinal of rank i, from 0.
func (r *ranks) at(i int) int64 {
	if r.upto == nil {
		return r.ords[i]
	}
	k, _ := slices.BinarySearch(r.upto, int32(i+1))
	return r.ords[k]
}

// below counts the cells whose ordinals do not fulfil reached, which holds from some ordinal on.
func (r *ranks) below(reached func(o int64) bool) int {
	k := sort.Search(len(r.ords), func(i int) bool { return reached(r.ords[i]) })
	if r.upto == nil || k == 0 {
		return k
	}
	return int(r.upto[k-1])
}

// quantile interpolates linearly between order statistics, for whole percents: type 7 of Hyndman and Fan (The American
// Statistician 50, 1996). It is rounded once.
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

// histogram cuts the range into equal bars by the rule of Freedman and Diaconis (Zeitschrift für
// Wahrscheinlichkeitstheorie 57, 1981): a width of 2·IQR/∛n, by Sturges' rule where the IQR is zero; at most limit
// bars.
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
