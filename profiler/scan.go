package profiler

import (
	"context"
	"hash/maphash"
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
	distinct []entry // the distinct cells as they were first seen; where kinds is an estimate, the most frequent ones
	lost     int     // how much too low a count in distinct may be
	min, max table.Value
	ords     []int64   // the ordinals of the non-null cells in row order, for types of fixed width; gone when the column is done
	numbers  []float64 // the non-null numbers in row order; gone when the column is done
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

// scanColumn reads column c once, in memory of w, which the next column may use when this one is done. Up to limit distinct cells are
// counted exactly; 0 stands for the usual limit.
func scanColumn(ctx context.Context, t *table.Table, c int, w *workspace, limit int) *scan {
	if limit <= 0 {
		limit = wideLimit
	}
	s := &scan{table: t, index: c, col: t.Column(c), buf: t.Buffers(c), rows: t.NumRows(), whole: true, ascends: true, descends: true}
	if s.col.Type != table.Decimal {
		s.col.Scale = 0 // it says nothing of other types
	}
	counts := newTally(s.rows, limit, w.slots)
	switch s.col.Type {
	case table.Null:
		s.nulls = s.rows
	case table.Text, table.JSON:
		s.byRow = true
		s.scanTexts(ctx, counts)
	default:
		if ords, ok := s.ordinals(w); ok {
			s.ords = ords
			s.scanOrdinals(ctx, counts, w)
			break
		}
		s.byRow, s.wide = true, true
		s.scanWide(ctx, counts, w)
	}
	w.slots = counts.slots
	if s.stopped {
		return s
	}
	s.distinct, s.lost = counts.entries, int(counts.lost)
	s.kinds, s.kindsErr = counts.distinct()
	if s.col.Type == table.Text {
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
func (s *scan) scanOrdinals(ctx context.Context, counts *tally, w *workspace) {
	for from := 0; from < len(s.ords); from += checkEvery {
		if s.ended(ctx) {
			return
		}
		counts.addOrdinals(s.ords[from:min(from+checkEvery, len(s.ords))])
	}
	if s.ended(ctx) || len(s.ords) == 0 {
		return
	}
	least, most, last := s.ords[0], s.ords[0], s.ords[0]
	for _, o := range s.ords[1:] {
		if o < last {
			s.ascends = false
		} else if o > last {
			s.descends = false
		}
		least, most, last = min(least, o), max(most, o), o
	}
	s.min, s.max = s.cell(least), s.cell(most)
	if s.col.Type.Numeric() {
		s.readNumbers(w)
	}
}

// scanTexts counts and orders texts.
func (s *scan) scanTexts(ctx context.Context, counts *tally) {
	var text, last string
	same := func(row int32) bool { return s.buf.Text(int(row)) == text }
	nulls, first := s.buf.HasNulls(), true
	for r := range s.rows {
		if r%checkEvery == 0 && s.ended(ctx) {
			return
		}
		if nulls && s.buf.IsNull(r) {
			s.nulls++
			continue
		}
		text = s.buf.Text(r)
		counts.add(maphash.String(counts.seed, text), r, same)
		if (s.ascends || s.descends) && !first {
			s.ascends, s.descends = s.ascends && text >= last, s.descends && text <= last
		}
		last, first = text, false
		if counts.sketch == nil && len(s.sample) < sampleSize && len(s.sample) < len(counts.entries) {
			s.sample = append(s.sample, clip(text, maxTextBytes))
		}
	}
}

// scanWide counts and orders decimals of which some need more than 64 bits.
func (s *scan) scanWide(ctx context.Context, counts *tally, w *workspace) {
	var v, last table.Value
	same := func(row int32) bool { return table.Equal(s.table.Value(int(row), s.index), v) }
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
		counts.add(uint64(d.HighBits())*0x9e3779b97f4a7c15^d.LowBits(), r, same)
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

// eachText gives the texts of a column with how often they stand there: the distinct ones where all are known, else cell by cell.
func (s *scan) eachText(use func(text string, count int)) {
	if s.kindsErr == 0 {
		for _, e := range s.distinct {
			use(s.buf.Text(int(e.row)), int(e.count))
		}
		return
	}
	for r := range s.rows {
		if !s.buf.IsNull(r) {
			use(s.buf.Text(r), 1)
		}
	}
}

// measureTexts finds the lengths and the extremes of texts.
func (s *scan) measureTexts() {
	runes, cells := 0, 0
	var least, most string
	s.eachText(func(text string, count int) {
		n := utf8.RuneCountInString(text)
		runes += n * count
		if cells == 0 {
			s.lengths.Min, least, most = n, text, text
		}
		cells += count
		s.lengths.Min, s.lengths.Max = min(s.lengths.Min, n), max(s.lengths.Max, n)
		if text < least {
			least = text
		} else if text > most {
			most = text
		}
	})
	if cells > 0 {
		s.lengths.Mean = float64(runes) / float64(cells)
		s.min, s.max = table.TextValue(least), table.TextValue(most)
	}
}

// value is the cell that an entry counts.
func (s *scan) value(e entry) table.Value {
	if s.byRow {
		return s.table.Value(int(e.row), s.index)
	}
	return s.cell(int64(e.key))
}

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
