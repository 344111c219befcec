package profiler

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"catena/table"
)

// scan is what one pass over a column gives.
type scan struct {
	table    *table.Table
	index    int // of the column
	col      table.Column
	buf      table.Buffers
	rows     int
	nulls    int
	kinds    int     // distinct cells that are not null
	kindsErr float64 // the relative standard error of kinds; 0 when it is exact
	// the distinct texts and wide decimals as they were first seen; where kinds is an estimate, the most frequent ones
	distinct []entry
	lost     int // how much too low a count in distinct may be
	min, max table.Value
	// the ordinals of the non-null cells in row order, for types of fixed width; gone when the column is done
	ords     []int64
	ranks    ranks     // the same in their order; gone when the column is done
	numbers  []float64 // the non-null numbers in row order, of durations the seconds; gone when the column is done
	wide     bool      // decimals of more than 64 bits: the ordinals are those of the nearest doubles
	byRow    bool      // entries are told by their row, not by their key
	unit     float64   // 10^Scale, where a double holds it; else 0
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

// scanColumn reads column c once, in memory of w, which the next column may use when this one is done. Up to limit
// distinct cells are counted exactly; 0 stands for the usual limit. The result is s, which was empty.
func scanColumn(ctx context.Context, t *table.Table, c int, w *workspace, limit int, s *scan) *scan {
	if limit <= 0 {
		limit = wideLimit
	}
	*s = scan{table: t, index: c, col: t.Column(c), buf: t.Buffers(c), rows: t.NumRows(), whole: true, ascends: true,
		descends: true}
	switch s.col.Type {
	case table.Decimal:
	case table.Duration:
		s.col.Scale = 6 // microseconds are counted, the numbers are seconds
	default:
		s.col.Scale = 0 // it says nothing of other types
	}
	if s.col.Type == table.Null {
		s.nulls = s.rows
		return s
	}
	if s.col.Type != table.Text && s.col.Type != table.JSON {
		ords, ok := s.ordinals(w)
		if ok {
			s.ords = ords
			s.scanOrdinals(ctx, w)
			return s
		}
		s.wide = true
	}
	s.byRow = true
	counts := newTally(s.rows, limit, w.slots)
	if s.wide {
		s.scanWide(ctx, counts, w)
	} else {
		s.scanTexts(ctx, counts, w)
	}
	w.slots = counts.slots
	if s.stopped {
		return s
	}
	if s.distinct == nil {
		s.distinct, s.lost = counts.list(), int(counts.lost)
		s.kinds, s.kindsErr = counts.distinct()
	}
	switch {
	case s.wide && len(s.ords) > 0:
		w.sorted, w.spare = grown(w.sorted, len(s.ords)), grown(w.spare, len(s.ords))
		copy(w.sorted, s.ords)
		s.ranks.ords = sortOrdinals(w.sorted, w.spare, slices.Min(s.ords), slices.Max(s.ords))
	case s.col.Type == table.Text:
		s.measureTexts()
	}
	return s
}

// ended reports, and keeps, whether the context has ended.
func (s *scan) ended(ctx context.Context) bool {
	s.stopped = s.stopped || ctx.Err() != nil
	return s.stopped
}

// scanOrdinals counts and orders cells of fixed width.
func (s *scan) scanOrdinals(ctx context.Context, w *workspace) {
	if s.ended(ctx) || len(s.ords) == 0 {
		return
	}
	s.watchOrdinals()
	least, most := s.ords[0], s.ords[0]
	for _, o := range s.ords {
		least, most = min(least, o), max(most, o)
	}
	if s.ended(ctx) {
		return
	}
	s.min, s.max = s.cell(least), s.cell(most)
	s.rank(w, least, most)
	if s.col.Type.Numeric() || s.col.Type == table.Duration {
		s.readNumbers(w)
	}
}

// watchOrdinals finds whether the cells are sorted; it ends with the first that says no to both ways.
func (s *scan) watchOrdinals() {
	last := s.ords[0]
	for _, o := range s.ords {
		if o < last {
			s.ascends = false
		} else if o > last {
			s.descends = false
		}
		if !s.ascends && !s.descends {
			return
		}
		last = o
	}
}

// scanWide counts and orders decimals of which some need more than 64 bits.
func (s *scan) scanWide(ctx context.Context, counts *tally, w *workspace) {
	var v, last table.Value
	s.ords, s.numbers = w.ordinals(s.rows)[:0], w.floats(s.rows)[:0]
	for r := range s.rows {
		if r%checkEvery == 0 && s.ended(ctx) {
			return
		}
		if v = s.table.Value(r, s.index); v.IsNull() {
			s.nulls++
			continue
		}
		d := s.buf.Decimals[r]
		counts.add(d.LowBits(), uint64(d.HighBits()), r)
		f, _ := v.Float()
		s.numbers, s.ords = append(s.numbers, f), append(s.ords, floatOrdinal(f))
		if s.whole {
			_, s.whole = v.Int()
		}
		s.order(last, v)
		last = v
	}
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

func microTime(us int64) time.Time { return time.UnixMicro(us) }

func microSpan(us int64) time.Duration { return time.Duration(us) * time.Microsecond }

// firstOrdinals are the first different ordinals in row order, k at most.
func (s *scan) firstOrdinals(k int) []int64 {
	k = min(k, s.kinds)
	out := make([]int64, 0, k)
	for i := 0; len(out) < k; i++ {
		if !slices.Contains(out, s.ords[i]) {
			out = append(out, s.ords[i])
		}
	}
	return out
}
