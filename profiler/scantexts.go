package profiler

import (
	"context"
	"math/bits"
	"strings"
	"unicode/utf8"

	"catena/table"
)

// scanTexts counts texts and finds whether they are sorted. It begins with a tally; where that no longer fits the
// caches, the rest is parted.
func (s *scan) scanTexts(ctx context.Context, counts *tally, w *workspace) {
	step := checkEvery
	if counts.limit < sampleSize+checkEvery {
		step = 1 // the sample is taken before the tally sheds
	}
	last, texts := -1, 0
	var parts *parting
	for from := 0; from < s.rows; from += step {
		if s.ended(ctx) {
			return
		}
		to := min(from+step, s.rows)
		if parts != nil {
			parts.add(&s.buf, from, to)
		} else {
			counts.addTexts(&s.buf, from, to)
			s.sampleTexts(counts)
			if texts = counts.seen; counts.crowded(s.rows) {
				parts = newParting(counts, s.rows, to, w)
			}
		}
		if s.ascends || s.descends {
			last = s.watchOrder(last, from, to)
		}
	}
	if parts != nil {
		texts += parts.added
		s.distinct = parts.count(&s.buf, counts)
		s.kinds = len(s.distinct)
	}
	s.nulls = s.rows - texts
}

// sampleTexts takes the first distinct texts.
func (s *scan) sampleTexts(counts *tally) {
	if s.sample == nil {
		s.sample = make([]string, 0, min(sampleSize, len(counts.entries)))
	}
	for counts.sketch == nil && len(s.sample) < sampleSize && len(s.sample) < len(counts.entries) {
		s.sample = append(s.sample, clip(s.buf.Text(int(counts.entries[len(s.sample)].row)), maxTextBytes))
	}
}

// watchOrder finds whether the texts of the rows from from up to to go on as the column has begun. last is the last row
// before that has a text, -1 for none; so is the result.
func (s *scan) watchOrder(last, from, to int) int {
	for row := from; row < to && (s.ascends || s.descends); row++ {
		if s.buf.IsNull(row) {
			continue
		}
		if last >= 0 {
			c := strings.Compare(s.buf.Text(last), s.buf.Text(row))
			s.ascends, s.descends = s.ascends && c <= 0, s.descends && c >= 0
		}
		last = row
	}
	return last
}

// A parting counts texts of which very many differ: rows are parted by the hashes of their texts, so that what is equal
// comes together in a part that fits the nearest cache. Texts are looked at again only where hashes are equal.
type parting struct {
	work  *workspace
	words []int64 // of each row to count: 32 bits of the hash of its text, then the row
	// how often the text of each row counts: its own, and after count that of all equal ones for the first of them
	times []int32
	added int // rows
}

const (
	crowdedKinds = 1 << 14 // distinct texts from which on a tally does not fit the second cache, usually
	partBits     = 11
)

// crowded reports whether the cells to come, up to rows, are better parted: most cells are new or very many are
// distinct.
func (t *tally) crowded(rows int) bool {
	n := len(t.entries)
	return n >= crowdedKinds && rows <= t.limit && (8*n >= t.seen || n >= 8*crowdedKinds)
}

// newParting takes over what a tally has counted up to row at.
func newParting(t *tally, rows, at int, w *workspace) *parting {
	w.sorted, w.spare, w.counts = grown(w.sorted, rows), grown(w.spare, rows), grown(w.counts, rows)
	p := &parting{work: w, words: w.sorted[:0], times: w.counts}
	clear(p.times[:at])
	for i := range t.entries {
		e := &t.entries[i]
		p.words = append(p.words, int64(e.hash()&tagBits|uint64(e.row)))
		p.times[e.row] = e.count
	}
	return p
}

// add takes up the texts of the rows from from up to to.
func (p *parting) add(buf *table.Buffers, from, to int) {
	nulls := buf.HasNulls()
	for row := from; row < to; row++ {
		if nulls && buf.IsNull(row) {
			p.times[row] = 0
			continue
		}
		p.times[row] = 1
		p.words = append(p.words, int64(mix(buf.TextKey(row))&tagBits|uint64(row)))
		p.added++
	}
}

// count gives the distinct texts, in order of their first rows. It uses the slots of a tally.
func (p *parting) count(buf *table.Buffers, t *tally) []entry {
	parted, ends := p.part()
	kinds, from := len(parted), int32(0)
	for _, to := range ends {
		if part := parted[from:to]; len(part) > 1 {
			kinds -= p.join(part, buf, t)
		}
		from = to
	}
	out := make([]entry, 0, kinds)
	for row, n := range p.times {
		if n > 0 {
			out = append(out, entry{int32(row), n})
		}
	}
	return out
}

// part moves the words to their parts, by the upper bits of the hashes, and says where each part ends.
func (p *parting) part() (parted []int64, ends [1 << partBits]int32) {
	for _, word := range p.words {
		ends[uint64(word)>>(64-partBits)]++
	}
	sum := int32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	parted = p.work.spare[:len(p.words)]
	for _, word := range p.words {
		at := &ends[uint64(word)>>(64-partBits)]
		parted[*at] = word
		*at++
	}
	return parted, ends
}

// join counts each text of a part at its first row, and says how many rows had one that was there before.
func (p *parting) join(part []int64, buf *table.Buffers, t *tally) (repeated int) {
	t.slots = grown(t.slots, 2<<bits.Len(uint(len(part))))
	slots := t.slots
	clear(slots)
	mask := uint64(len(slots) - 1)
next:
	for _, word := range part {
		row := uint32(word)
		at := uint64(word) >> 32 & mask
		for ; slots[at] != 0; at = (at + 1) & mask {
			slot := slots[at] - 1
			if first := uint32(slot); (slot^uint64(word))&tagBits == 0 && buf.Text(int(first)) == buf.Text(int(row)) {
				p.times[first] += p.times[row]
				p.times[row] = 0
				repeated++
				continue next
			}
		}
		slots[at] = uint64(word) + 1
	}
	return repeated
}

// eachText gives rows whose texts are all of a column's with how often they stand there: the distinct ones where all
// are known, else cell by cell.
func (s *scan) eachText(use func(row, count int)) {
	if s.kindsErr == 0 {
		for _, e := range s.distinct {
			use(int(e.row), int(e.count))
		}
		return
	}
	for r := range s.rows {
		if !s.buf.IsNull(r) {
			use(r, 1)
		}
	}
}

// measureTexts finds the lengths and the extremes of texts.
func (s *scan) measureTexts() {
	runes, cells := 0, 0
	var least, most string
	var low, high uint64 // the first bytes of both: what lies between needs no closer look
	s.eachText(func(row, count int) {
		text := s.buf.Text(row)
		n, start := countRunes(text), firstBytes(text)
		runes += n * count
		if cells == 0 {
			s.lengths.Min, least, most, low, high = n, text, text, start, start
		}
		cells += count
		s.lengths.Min, s.lengths.Max = min(s.lengths.Min, n), max(s.lengths.Max, n)
		if start <= low && text < least {
			least, low = text, start
		} else if start >= high && text > most {
			most, high = text, start
		}
	})
	if cells > 0 {
		s.lengths.Mean = float64(runes) / float64(cells)
		s.min, s.max = table.TextValue(least), table.TextValue(most)
	}
}

// firstBytes is the first eight bytes of a text as a number of the same order; zeros stand where it has ended.
func firstBytes(s string) uint64 {
	if len(s) >= 8 {
		return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 | uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
	}
	var w uint64
	for i := range len(s) {
		w |= uint64(s[i]) << (56 - 8*i)
	}
	return w
}

// countRunes is utf8.RuneCountInString, by eight bytes at once where all are ASCII.
func countRunes(s string) int {
	const highs = 0x8080808080808080
	for i := 0; i+8 <= len(s); i += 8 {
		if firstBytes(s[i:])&highs != 0 {
			return utf8.RuneCountInString(s)
		}
	}
	if len(s) >= 8 && firstBytes(s[len(s)-8:])&highs == 0 {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}
