package profiler

import (
	"cmp"
	"slices"
	"strings"

	"catena/table"
)

// maxTopText bounds a frequent value in a profile, in bytes.
const maxTopText = 200

// top gives the k most frequent cells; equal counts by value.
func (s *scan) top(k int) []TopValue {
	if len(s.distinct) == 0 || k <= 0 {
		return nil
	}
	before := s.valueOrder()
	texts := s.byRow && !s.wide
	worst := "" // the text of the last of best
	best := make([]entry, 0, k+1)
	for _, e := range s.distinct {
		if len(best) == k {
			last := best[k-1]
			if e.count < last.count || e.count == last.count && (texts && s.buf.Text(int(e.row)) > worst || !texts && before(e, last) >= 0) {
				continue
			}
		}
		at, _ := slices.BinarySearchFunc(best, e, func(a, b entry) int {
			if c := cmp.Compare(b.count, a.count); c != 0 {
				return c
			}
			return before(a, b)
		})
		best = slices.Insert(best, at, e)
		best = best[:min(len(best), k)]
		if texts {
			worst = s.buf.Text(int(best[len(best)-1].row))
		}
	}
	return s.topValues(best)
}

// topValues writes the cells of entries. Numbers, dates and the like share one piece of memory.
func (s *scan) topValues(best []entry) []TopValue {
	out := make([]TopValue, len(best))
	var buf []byte
	var ends []int
	for i, e := range best {
		out[i].Count = int(e.count)
		if s.byRow {
			out[i].Value = clip(s.value(e).Text(), maxTopText)
			continue
		}
		buf = s.value(e).AppendText(buf)
		ends = append(ends, len(buf))
	}
	all, from := string(buf), 0
	for i, end := range ends {
		out[i].Value, from = all[from:end], end
	}
	return out
}

// valueOrder compares the cells of two entries.
func (s *scan) valueOrder() func(a, b entry) int {
	switch {
	case !s.byRow:
		return func(a, b entry) int { return cmp.Compare(int64(a.key), int64(b.key)) }
	case s.wide:
		return func(a, b entry) int { return table.Compare(s.value(a), s.value(b)) }
	}
	return func(a, b entry) int { return strings.Compare(s.buf.Text(int(a.row)), s.buf.Text(int(b.row))) }
}
