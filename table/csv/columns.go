package csv

import (
	"slices"

	"catena/table/infer"
)

// read gives column col of the rows to a block. The most frequent kinds have loops of their own, which do the usual
// cell in a few steps and leave others to add.
func (c *cutter) read(text string, col int, b *infer.Block) {
	switch b.Kind {
	case infer.NoCells:
	case infer.NumberCells:
		c.readNumbers(text, col, b)
	case infer.RawCells, infer.CertainText:
		c.readTexts(text, col, b)
	case infer.FloatCells:
		c.readFloats(text, col, b)
	case infer.DateCells:
		c.readDays(text, col, b)
	case infer.BoolCells:
		c.readBools(text, col, b)
	default:
		for i := col; i < len(c.spans); i += c.width {
			b.Add(c.cell(text, c.spans[i]))
		}
	}
}

// readNumbers is read for numbers.
func (c *cutter) readNumbers(text string, col int, b *infer.Block) {
	b.Ints = slices.Grow(b.Ints, len(c.spans)/c.width)
	form := infer.FormOf(b.Scale)
	for i := col; i < len(c.spans); i += c.width {
		s := c.spans[i]
		size := s.to - s.from // of a span of the buffer this is out of range
		if size == 0 && form.Known {
			b.Nulls, b.Ints = append(b.Nulls, int32(b.Rows)), append(b.Ints, 0)
			b.Rows++
			continue
		}
		if size-1 < 16 && s.to >= 16 && form.Known {
			if n, ok := form.Read(text[s.to-16:s.to], size); ok {
				b.Ints = append(b.Ints, n)
				b.Rows++
				continue
			}
		}
		b.Add(c.cell(text, s))
		if form = infer.FormOf(b.Scale); len(b.Decs) > 0 || b.Kind != infer.NumberCells {
			form.Known = false
		}
	}
}

// readFloats is read for doubles.
func (c *cutter) readFloats(text string, col int, b *infer.Block) {
	b.Floats = slices.Grow(b.Floats, len(c.spans)/c.width)
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if f, ok := infer.PlainFloat(s); ok {
			b.Floats = append(b.Floats, f)
			b.Rows++
		} else {
			b.Add(s)
		}
	}
}

// readDays is read for dates.
func (c *cutter) readDays(text string, col int, b *infer.Block) {
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if n, ok := infer.PlainDay(s); ok {
			b.AddInt(n)
		} else {
			b.Add(s)
		}
	}
}

// readBools is read for true and false.
func (c *cutter) readBools(text string, col int, b *infer.Block) {
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if !infer.IsBool(s) {
			b.Add(s)
			continue
		}
		b.AddInt(int64(len(s))&1 ^ 1)
	}
}

// readTexts is read for cells that stay texts. Short ones are copied as two words: what that copies too much is
// overwritten by the next.
func (c *cutter) readTexts(text string, col int, b *infer.Block) {
	const words = 16
	b.Text = slices.Grow(b.Text[:0], len(text)+words)
	b.Ends = slices.Grow(b.Ends[:0], len(c.spans)/c.width+1)
	all := b.Text[:cap(b.Text)]
	end := 0
	for i := col; i < len(c.spans); i += c.width {
		s := c.spans[i]
		from, size := int(s.from), int(s.to-s.from&^undoneSpan)
		if from+words <= len(text) && size <= words && size > 0 && text[from]-'!' < 0x80-'!' {
			copy(all[end:end+words], text[from:from+words])
			end += size
			b.Ends = append(b.Ends, int32(end))
			b.Rows++
			continue
		}
		b.Text = all[:end]
		b.Add(c.cell(text, s))
		end = len(b.Text)
	}
	b.Text = all[:end]
}
