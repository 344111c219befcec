package table

import "slices"

// read gives column col of the rows to a block. The most frequent kinds have loops of their own, which do the usual cell in a few steps and leave others to add.
func (c *cutter) read(text string, col int, b *block) {
	switch b.kind {
	case noCells:
	case numberCells:
		c.readNumbers(text, col, b)
	case rawCells, certainText:
		c.readTexts(text, col, b)
	case floatCells:
		c.readFloats(text, col, b)
	case dateCells:
		c.readDays(text, col, b)
	case boolCells:
		c.readBools(text, col, b)
	default:
		for i := col; i < len(c.spans); i += c.width {
			b.add(c.cell(text, c.spans[i]))
		}
	}
}

// readNumbers is read for numbers.
func (c *cutter) readNumbers(text string, col int, b *block) {
	b.ints = slices.Grow(b.ints, len(c.spans)/c.width)
	form := formOf(b.scale)
	for i := col; i < len(c.spans); i += c.width {
		s := c.spans[i]
		size := s.to - s.from // of a span of the buffer this is out of range
		if size == 0 && form.known {
			b.nulls, b.ints = append(b.nulls, int32(b.rows)), append(b.ints, 0)
			b.rows++
			continue
		}
		if size-1 < 16 && s.to >= 16 && form.known {
			if n, ok := form.read(text[s.to-16:s.to], size); ok {
				b.ints = append(b.ints, n)
				b.rows++
				continue
			}
		}
		b.add(c.cell(text, s))
		if form = formOf(b.scale); len(b.decs) > 0 || b.kind != numberCells {
			form.known = false
		}
	}
}

// readFloats is read for doubles.
func (c *cutter) readFloats(text string, col int, b *block) {
	b.floats = slices.Grow(b.floats, len(c.spans)/c.width)
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if f, ok := plainFloat(s); ok {
			b.floats = append(b.floats, f)
			b.rows++
		} else {
			b.add(s)
		}
	}
}

// readDays is read for dates.
func (c *cutter) readDays(text string, col int, b *block) {
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if n, ok := plainDay(s); ok {
			b.addInt(n)
		} else {
			b.add(s)
		}
	}
}

// readBools is read for true and false.
func (c *cutter) readBools(text string, col int, b *block) {
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if !isBool(s) {
			b.add(s)
			continue
		}
		b.addInt(int64(len(s))&1 ^ 1)
	}
}

// readTexts is read for cells that stay texts. Short ones are copied as two words: what that copies too much is overwritten by the next.
func (c *cutter) readTexts(text string, col int, b *block) {
	const words = 16
	b.text = slices.Grow(b.text[:0], len(text)+words)
	b.ends = slices.Grow(b.ends[:0], len(c.spans)/c.width+1)
	all := b.text[:cap(b.text)]
	end := 0
	for i := col; i < len(c.spans); i += c.width {
		s := c.spans[i]
		from, size := int(s.from), int(s.to-s.from&^undoneSpan)
		if from+words <= len(text) && size <= words && size > 0 && text[from]-'!' < 0x80-'!' {
			copy(all[end:end+words], text[from:from+words])
			end += size
			b.ends = append(b.ends, int32(end))
			b.rows++
			continue
		}
		b.text = all[:end]
		b.add(c.cell(text, s))
		end = len(b.text)
	}
	b.text = all[:end]
}
