package table

import "slices"

// read gives column col of the rows to a block.
func (c *cutter) read(text string, col int, b *block) {
	switch b.kind {
	case noCells:
	case numberCells:
		c.readNumbers(text, col, b)
	case rawCells, certainText:
		c.readTexts(text, col, b)
	default:
		for i := col; i < len(c.spans); i += c.width {
			b.add(c.cell(text, c.spans[i]))
		}
	}
}

// readNumbers is read for the most frequent kind.
func (c *cutter) readNumbers(text string, col int, b *block) {
	for i := col; i < len(c.spans); i += c.width {
		s := c.cell(text, c.spans[i])
		if n, scale, ok := plainNumber(s); ok && scale == b.scale && len(b.decs) == 0 && b.kind == numberCells {
			b.ints = append(b.ints, n)
			b.rows++
		} else {
			b.add(s)
		}
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
