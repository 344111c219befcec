package csv

import (
	"math/bits"

	"catena/internal/buffer"
)

// marks tells of 64 bytes of a text, one bit for each and the first one lowest, which ones matter to the cutter. The
// order of the fields is that of markAVX2.
type marks struct {
	commas, quotes, feeds, returns uint64
	// spaces, control characters and bytes beyond ASCII: tidy may change a cell that begins or ends with one
	odd    uint64
	inside uint64 // bytes with an odd number of quotes up to them, themselves included
}

// markBytes is markText byte by byte.
func markBytes(text string, comma byte, out []marks) {
	for i := range len(text) {
		m, bit := &out[i/64], uint64(1)<<(i%64)
		if i%64 == 0 {
			*m = marks{}
		}
		b := text[i]
		if b == comma {
			m.commas |= bit
		}
		switch b {
		case '"':
			m.quotes |= bit
		case '\n':
			m.feeds |= bit
		case '\r':
			m.returns |= bit
		}
		if b <= ' ' || b >= 0x80 {
			m.odd |= bit
		}
		m.inside = oddBits(m.quotes)
	}
}

// marksAtOnce is how many marks are made before they are used: they stay in the first cache.
const marksAtOnce = 64

// markCutter is what a cutter knows between two groups of 64 bytes.
type markCutter struct {
	*cutter
	text   string
	n      int    // spans
	rows   int    // that have ended
	start  uint32 // of the cell that is being read
	inside uint64 // all bits while it is in quotes

	// Of the byte before the group, in the lowest bit: whether it ends a cell, is a carriage return, closes quotes, is
	// odd.
	sep, cr, closed, odd uint64
	edges                bool // the edges of the cell that is being read may be odd
}

// cutMarked cuts like cut, by the marks of 64 bytes at a time. False where that way cannot say; it does not know
// doubled quotes.
func (c *cutter) cutMarked(text string) bool {
	m := markCutter{cutter: c, text: text, sep: 1}
	var some [marksAtOnce]marks
	for at := 0; at < len(text); at += 64 * marksAtOnce {
		part := text[at:min(at+64*marksAtOnce, len(text))]
		whole := len(part) &^ 63
		markText(part[:whole], c.comma, some[:])
		groups := whole / 64
		if rest := part[whole:]; rest != "" {
			var last [64]byte
			copy(last[:], rest)
			markText(buffer.String(last[:]), c.comma, some[groups:])
			groups++
		}
		for i := range some[:groups] {
			if !m.group(&some[i], uint32(at+64*i)) {
				return false
			}
		}
	}
	if m.inside != 0 || int(m.start) != len(text) || m.n != m.rows*c.width {
		return false
	}
	c.spans = c.spans[:m.n]
	for i := 0; i < m.n; i += c.width {
		if !c.isRow(text, c.spans[i:i+c.width]) {
			return false
		}
	}
	return true
}

// group cuts the cells that end in 64 bytes, which stand at base.
func (m *markCutter) group(k *marks, base uint32) bool {
	ends := k.feeds | k.returns
	seps, last := k.commas|ends, uint64(0) // last: the quotes that cells end with
	if k.quotes != 0 || m.inside != 0 {
		in := k.inside ^ m.inside
		m.inside = uint64(int64(in) >> 63)
		seps, ends = seps&^in, ends&^in
		if k.quotes&in&^(seps<<1|m.sep) != 0 { // it opens in the middle of a cell, or doubles the one before it
			return false
		}
		last = k.quotes &^ in
	}
	closed := last<<1 | m.closed
	if closed&^seps != 0 {
		return false
	}
	odd := k.odd &^ seps
	edges := odd&(seps<<1|m.sep) | (odd<<1|m.odd)&seps
	m.closed, m.odd, m.sep = last>>63, odd>>63, seps>>63
	second := ends & k.feeds & (k.returns<<1 | m.cr) // line feeds behind carriage returns
	m.cr = k.returns & ends >> 63
	seps, ends = seps&^second, ends&^second
	for e := ends; e != 0; e &= e - 1 {
		m.rows++
		if m.n+bits.OnesCount64(seps&(e^(e-1))) != m.rows*m.width {
			return false
		}
	}
	if m.n+64 > cap(m.spans) {
		m.spans = append(m.spans[:m.n], make([]span, m.n+1024)...)
	}
	m.spans = m.spans[:cap(m.spans)]
	m.edges = m.edges || edges != 0
	if m.edges || closed|k.returns != 0 {
		return m.careful(seps, closed, base, edges != 0)
	}
	spans := (*[64]span)(m.spans[m.n : m.n+64])
	start, n := m.start, 0
	for ; seps != 0; seps &= seps - 1 {
		at := base + uint32(bits.TrailingZeros64(seps))
		spans[n&63] = span{start, at}
		start = at + 1
		n++
	}
	m.start = start
	m.n += n
	return true
}

// careful adds the cells of a group of which some end in quotes or with a carriage return, or have edges that may have
// to be tidied.
func (m *markCutter) careful(seps, closed uint64, base uint32, edges bool) bool {
	if seps == 0 {
		return true
	}
	for ; seps != 0; seps &= seps - 1 {
		i := bits.TrailingZeros64(seps)
		at := base + uint32(i)
		cell := span{m.start, at}
		if closed>>i&1 != 0 {
			cell = span{m.start + 1, at - 1}
		} else if m.edges && at > m.start && !plainEdges(m.text[m.start:at]) {
			return false
		}
		m.spans[m.n] = cell
		m.n++
		m.start = at + 1
		if m.text[at] == '\r' && int(m.start) < len(m.text) && m.text[m.start] == '\n' {
			m.start++
		}
	}
	m.edges = edges
	return true
}

// oddBits says for each bit whether the number of ones up to it, itself included, is odd.
func oddBits(w uint64) uint64 {
	w ^= w << 1
	w ^= w << 2
	w ^= w << 4
	w ^= w << 8
	w ^= w << 16
	return w ^ w<<32
}
