package profiler

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"catena/table"
)

// scan is what one pass over a column gives.
type scan struct {
	table    *table.Table
	index    int // of the column
	col      table.Column
	rows     int
	nulls    int
	distinct []entry // in no order; nil when the pass was not finished
	min, max table.Value
	numbers  []float64 // the non-null numbers in row order
	whole    bool      // all numbers are whole
	ascends  bool
	descends bool
	lengths  Lengths
	sample   []string // the first distinct texts, for patterns; at most sampleSize
	stopped  bool     // the context ended first
}

const (
	sampleSize   = 1000
	checkEvery   = 4096 // rows between looks at the context
	maxTextBytes = 400  // of a sampled text; patterns need no more
)

// scanColumn reads column c once.
func scanColumn(ctx context.Context, t *table.Table, c int) *scan {
	s := &scan{table: t, index: c, col: t.Column(c), rows: t.NumRows(), whole: true, ascends: true, descends: true}
	counts := newTally(t, c)
	numeric := s.col.Type.Numeric()
	if numeric {
		s.numbers = make([]float64, 0, s.rows)
	}
	text := s.col.Type == table.Text
	sampled := text || s.col.Type == table.JSON
	var last table.Value
	runes := 0
	for r := range s.rows {
		if r%checkEvery == 0 && ctx.Err() != nil {
			s.stopped = true
			return s
		}
		if t.IsNull(r, c) {
			s.nulls++
			continue
		}
		v := t.Value(r, c)
		fresh := counts.add(r, v)
		if numeric {
			f, _ := v.Float()
			s.numbers = append(s.numbers, f)
			if s.whole && s.col.Type != table.Int {
				_, s.whole = v.Int()
			}
		}
		if text {
			runes += s.addLength(v.Text())
		}
		if fresh && sampled && len(s.sample) < sampleSize {
			s.sample = append(s.sample, clip(v.Text(), maxTextBytes))
		}
		s.order(last, v)
		last = v
	}
	if n := s.rows - s.nulls; text && n > 0 {
		s.lengths.Mean = float64(runes) / float64(n)
	}
	s.finish(counts)
	return s
}

func (s *scan) addLength(text string) int {
	n := utf8.RuneCountInString(text)
	if s.lengths.Max == 0 && s.lengths.Min == 0 || n < s.lengths.Min {
		s.lengths.Min = n
	}
	s.lengths.Max = max(s.lengths.Max, n)
	return n
}

// order keeps the extremes and whether the column is sorted.
func (s *scan) order(last, v table.Value) {
	if last.IsNull() {
		s.min, s.max = v, v
		return
	}
	c := table.Compare(last, v)
	switch {
	case c < 0:
		s.descends = false
		if table.Compare(v, s.max) > 0 {
			s.max = v
		}
	case c > 0:
		s.ascends = false
		if table.Compare(v, s.min) < 0 {
			s.min = v
		}
	}
}

// value is the cell that an entry counts.
func (s *scan) value(e entry) table.Value { return s.table.Value(int(e.row), s.index) }

// finish keeps the distinct cells, in no order.
func (s *scan) finish(counts *tally) {
	s.distinct = make([]entry, 0, counts.n)
	for _, e := range counts.entries {
		if e.count > 0 {
			s.distinct = append(s.distinct, e)
		}
	}
}

// top gives the k most frequent cells; equal counts by value.
func (s *scan) top(k int) []TopValue {
	if len(s.distinct) == 0 || k <= 0 {
		return nil
	}
	best := make([]entry, 0, k+1)
	before := func(a, b entry) int {
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
		return table.Compare(s.value(a), s.value(b))
	}
	for _, e := range s.distinct {
		if len(best) == k && before(e, best[k-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, e, before)
		best = slices.Insert(best, at, e)
		best = best[:min(len(best), k)]
	}
	out := make([]TopValue, len(best))
	for i, e := range best {
		out[i] = TopValue{Value: clip(s.value(e).Text(), maxTopText), Count: int(e.count)}
	}
	return out
}

// maxTopText bounds a frequent value in a profile, in bytes.
const maxTopText = 200

// clip cuts text at a rune's edge and marks the cut.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
