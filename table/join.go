package table

import (
	"bytes"
	"fmt"
	"slices"
)

// firstWork is that of the first table that has one.
func firstWork(tables ...*Table) *Work {
	for _, t := range tables {
		if w := t.bounded(); w != nil {
			return w
		}
	}
	return nil
}

// matchRows gives the pairs of rows whose cells are equal.
func matchRows(l, r *Table, left, right []int) (lrows, rrows []int, err error) {
	w := l.bounded()
	lcodes, rcodes, n := joinCodes(&l.cells[left[0]], &r.cells[right[0]], l.rows, r.rows)
	for i := range left[1:] {
		lnext, rnext, width := joinCodes(&l.cells[left[i+1]], &r.cells[right[i+1]], l.rows, r.rows)
		n = pairCodes(lcodes, rcodes, lnext, rnext, width, w)
	}
	w.scratch(int64(2*n+len(rcodes)) * rowNumber)
	starts := make([]int, n+1) // of each code's rows among the sorted ones
	for _, code := range rcodes {
		if code >= 0 {
			starts[code+1]++
		}
	}
	for i := range n {
		starts[i+1] += starts[i]
	}
	next, sorted := slices.Clone(starts), make([]int, starts[n])
	for row, code := range rcodes {
		if code >= 0 {
			sorted[next[code]] = row
			next[code]++
		}
	}
	pairs := 0 // counted before memory is taken: the same key on both sides multiplies
	for _, code := range lcodes {
		if code >= 0 {
			pairs += starts[code+1] - starts[code]
		}
		if limit := DefaultLimits.Rows; pairs > limit && pairs > l.rows {
			return nil, nil, &LimitError{What: LimitRows, Limit: int64(limit),
				Text: fmt.Sprintf("the join has more than %d rows, as keys repeat on both sides; join by more "+
					"columns, or group or filter first", limit)}
		}
	}
	w.scratch(int64(pairs) * 2 * rowNumber)
	lrows, rrows = make([]int, 0, pairs), make([]int, 0, pairs)
	for row, code := range lcodes {
		if row%askedRows == 0 {
			w.block(row, len(lcodes))
		}
		if code < 0 {
			continue
		}
		for _, hit := range sorted[starts[code]:starts[code+1]] {
			lrows, rrows = append(lrows, row), append(rrows, hit)
		}
	}
	return lrows, rrows, nil
}

// joinCodes numbers the distinct cells of the right column, n in all, and gives the number of each cell of both sides;
// -1 stands for null and, on the left, for what the right does not have.
func joinCodes(l, r *cells, lrows, rrows int) (lcodes, rcodes []int32, n int) {
	lword, lok := joinWord(l, r, lrows)
	rword, rok := joinWord(r, l, rrows)
	if lok && rok {
		dict := newWordDict(l.work)
		rcodes = codesOf(r, rrows, func(row int) int32 { code, _ := dict.put(rword(row)); return code })
		lcodes = codesOf(l, lrows, func(row int) int32 { return dict.get(lword(row)) })
		return lcodes, rcodes, len(dict.words)
	}
	dict := newTextDict(l.work)
	if l.text != nil && l.typ == r.typ {
		lx, rx := textsOf(l), textsOf(r)
		rcodes = codesOf(r, rrows, func(row int) int32 { code, _ := dict.put(rx.at(row)); return code })
		lcodes = codesOf(l, lrows, func(row int) int32 { return dict.get(lx.at(row)) })
		return lcodes, rcodes, len(dict.texts)
	}
	var buf []byte
	rcodes = codesOf(r, rrows, func(row int) int32 {
		buf = appendRaw(buf[:0], canonical(r.value(row)))
		code := dict.get(buf)
		if code < 0 {
			l.work.scratch(int64(len(buf)))
			code, _ = dict.put(bytes.Clone(buf))
		}
		return code
	})
	lcodes = codesOf(l, lrows, func(row int) int32 {
		buf = appendRaw(buf[:0], canonical(l.value(row)))
		return dict.get(buf)
	})
	return lcodes, rcodes, len(dict.texts)
}

func codesOf(c *cells, rows int, code func(row int) int32) []int32 {
	c.work.scratch(int64(rows) * shortNumber)
	codes := make([]int32, rows)
	for lo, hi := c.work.block(0, rows); lo < hi; lo, hi = c.work.block(hi, rows) {
		for row := lo; row < hi; row++ {
			if c.isNull(row) {
				codes[row] = -1
			} else {
				codes[row] = code(row)
			}
		}
	}
	return codes
}

// joinWord gives each cell as a word, where those of the other side are equal exactly when their words are; false where
// words do not suffice.
func joinWord(c, other *cells, rows int) (func(row int) uint64, bool) {
	if c.typ != other.typ {
		return nil, false
	}
	switch c.typ {
	case Int, DateTime, Time, Duration:
		return func(row int) uint64 { return uint64(c.ints[row]) }, true
	case Date:
		return func(row int) uint64 { return uint64(int64(c.days[row])) }, true
	case Float:
		return func(row int) uint64 { return floatWord(c.floats[row]) }, true
	case Decimal:
		return func(row int) uint64 { return c.decs[row].LowBits() }, c.scale == other.scale && narrow(c, rows)
	case Bool:
		return func(row int) uint64 {
			if c.bools.Value(row) {
				return 1
			}
			return 0
		}, true
	}
	return nil, false
}

// pairCodes numbers the pairs of two columns' codes in place of the first ones and says how many there are; width is
// one more than the greatest second.
func pairCodes(lcodes, rcodes, lnext, rnext []int32, width int, w *Work) int {
	dict := newWordDict(w)
	pair := func(a, b int32) uint64 { return uint64(a)*uint64(width) + uint64(b) }
	for i, next := range rnext {
		if i%askedRows == 0 {
			w.block(i, len(rnext))
		}
		if rcodes[i] < 0 || next < 0 {
			rcodes[i] = -1
			continue
		}
		rcodes[i], _ = dict.put(pair(rcodes[i], next))
	}
	for i, next := range lnext {
		if i%askedRows == 0 {
			w.block(i, len(lnext))
		}
		if lcodes[i] < 0 || next < 0 {
			lcodes[i] = -1
			continue
		}
		lcodes[i] = dict.get(pair(lcodes[i], next))
	}
	return len(dict.words)
}

// canonical gives cells that Compare holds equal the same form: whole numbers as Int, other numbers as a reduced
// decimal's text, dates as the instant they begin.
func canonical(v Value) Value {
	switch v.typ {
	case Float, Decimal:
		if i, ok := v.Int(); ok {
			return IntValue(i)
		}
		d := v.Apd()
		d.Reduce(d)
		return TextValue(d.Text('E'))
	case Date, DateTime:
		return Value{typ: DateTime, i: v.InMicros()}
	}
	return v
}
