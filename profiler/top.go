package profiler

import (
	"cmp"
	"slices"
	"strings"

	"catena/table"
)

// maxTopText bounds a text of a cell in a profile, in bytes.
const maxTopText = 200

// ownText is a cell's text for a profile, which outlives the table: a part of the column's memory would keep all of it.
func ownText(s string) string { return strings.Clone(clip(s, maxTopText)) }

// ownCell is ownText for a cell of any type, as JSON has it.
func ownCell(v table.Value) any {
	if v.Type() == table.Text {
		return ownText(v.Text())
	}
	return v.Any()
}

// top gives the k most frequent cells; equal counts by value.
func (s *scan) top(k int) []TopValue {
	switch {
	case k <= 0 || s.kinds == 0:
		return nil
	case !s.byRow:
		return s.topOrdinals(k)
	}
	return s.topEntries(k)
}

// topOrdinals is top for ordinals that are in order: of equal counts, those that come first are the lesser ones.
func (s *scan) topOrdinals(k int) []TopValue {
	type kind struct {
		ord   int64
		count int
	}
	var few [16]kind
	best := few[:0]
	s.ranks.each(func(o int64, count int) bool {
		if len(best) == k && count <= best[k-1].count {
			return true
		}
		if len(best) < k {
			best = append(best, kind{})
		}
		at := len(best) - 1
		for ; at > 0 && best[at-1].count < count; at-- {
			best[at] = best[at-1]
		}
		best[at] = kind{o, count}
		return true
	})
	out := make([]TopValue, len(best))
	var room [256]byte
	texts := room[:0] // in one piece of memory
	for i, b := range best {
		out[i].Count = len(texts)
		texts = s.cell(b.ord).AppendText(texts)
	}
	all := string(texts)
	for i, b := range best {
		end := len(all)
		if i+1 < len(best) {
			end = out[i+1].Count
		}
		out[i].Value, out[i].Count = all[out[i].Count:end], b.count
	}
	return out
}

// topEntries is top for entries of a tally.
func (s *scan) topEntries(k int) []TopValue {
	worst := "" // the text of the last of best
	best := make([]entry, 0, min(k, len(s.distinct))+1)
	order := func(a, b entry) int {
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
		if s.wide {
			return table.Compare(s.value(a), s.value(b))
		}
		return strings.Compare(s.buf.Text(int(a.row)), s.buf.Text(int(b.row)))
	}
	for _, e := range s.distinct {
		if len(best) == k {
			last := best[k-1]
			if e.count < last.count || e.count == last.count &&
				(!s.wide && s.buf.Text(int(e.row)) > worst || s.wide && order(e, last) >= 0) {
				continue
			}
		}
		at, _ := slices.BinarySearchFunc(best, e, order)
		best = slices.Insert(best, at, e)
		best = best[:min(len(best), k)]
		if !s.wide {
			worst = s.buf.Text(int(best[len(best)-1].row))
		}
	}
	out := make([]TopValue, len(best))
	for i, e := range best {
		out[i] = TopValue{ownText(s.value(e).Text()), int(e.count)}
	}
	return out
}
