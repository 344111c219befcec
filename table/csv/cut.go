package csv

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"catena/internal/buffer"
	"catena/table"
)

// span is where a cell stands in the text of its block or, where doubled quotes were undone, in the cutter's buffer.
type span struct{ from, to uint32 }

const undoneSpan = 1 << 31 // marks from of a span of the buffer

// cutter cuts records of which each is as plain as the next: all with the same number of cells, quotes by the rules,
// nothing that has to be tidied, dropped or repaired.
type cutter struct {
	comma  byte
	width  int
	headed bool   // whether there is a header
	first  string // its first name
	lim    table.Limits
	spans  []span // width for each row
	undone []byte
}

// cut cuts a text of whole records, each with its line end. False when a record is not plain.
func (c *cutter) cut(text string) bool {
	return hasMarks && len(text) <= c.lim.CellSize && c.cutMarked(text) || c.cutRecords(text)
}

// cutRecords cuts one record after the other.
func (c *cutter) cutRecords(text string) bool {
	c.spans, c.undone = c.spans[:0], c.undone[:0]
	for pos := 0; pos < len(text); {
		row := len(c.spans)
		next, ok := c.record(text, pos)
		if !ok || len(c.spans)-row != c.width || !c.isRow(text, c.spans[row:]) {
			return false
		}
		pos = next
	}
	return true
}

// record cuts one record and gives where the next one begins.
func (c *cutter) record(text string, pos int) (next int, ok bool) {
	for {
		start := pos
		if text[pos] == '"' {
			if pos = c.quoted(text, pos); pos < 0 {
				return 0, false
			}
		} else {
			if pos = c.stop(text, pos); pos > start && !plainEdges(text[start:pos]) {
				return 0, false
			}
			c.spans = append(c.spans, span{uint32(start), uint32(pos)})
		}
		if pos-start > c.lim.CellSize || pos >= len(text) {
			return 0, false
		}
		switch text[pos] {
		case c.comma:
			if pos++; pos >= len(text) {
				return 0, false
			}
		case '\n':
			return pos + 1, true
		case '\r':
			return blankLine(text, pos), true
		default:
			return 0, false
		}
	}
}

// Words of eight bytes, for looking at them at once (Hacker's Delight, section 6-1).
const ()

// stop gives the first byte from pos on at which an unquoted cell may end: a delimiter, a quote, or a line end.
func (c *cutter) stop(text string, pos int) int {
	commas := uint64(c.comma) * buffer.Ones
	for pos+8 <= len(text) {
		w := buffer.Word(text[pos : pos+8])
		comma, quote := w^commas, w^('"'*buffer.Ones)
		// the lowest mark is right: wrong ones stand above it only
		if marks := ((comma-buffer.Ones)&^comma | (quote-buffer.Ones)&^quote | (w-0x0e*buffer.Ones)&^w) & buffer.Highs; marks != 0 {
			pos += bits.TrailingZeros64(marks) >> 3
			if b := text[pos]; b > '\r' || b == '\n' || b == '\r' || b == c.comma {
				return pos
			}
			pos++ // another control character
			continue
		}
		pos += 8
	}
	for pos < len(text) && text[pos] != c.comma && text[pos] != '"' && text[pos] != '\n' && text[pos] != '\r' {
		pos++
	}
	return pos
}

// plainEdges reports whether tidy would leave an unquoted cell as it is.
func plainEdges(cell string) bool {
	first, last := cell[0], cell[len(cell)-1]
	if first > ' ' && last > ' ' && first < 0x80 && last < 0x80 {
		return true
	}
	if first <= ' ' || last <= ' ' {
		return false
	}
	from, _ := utf8.DecodeRuneInString(cell)
	to, _ := utf8.DecodeLastRuneInString(cell)
	return !strings.ContainsRune(Blanks+Invisible, from) && !strings.ContainsRune(Blanks+Invisible, to)
}

// Quoted cuts a cell in quotes and gives where it ends; -1 when it does not.
func (c *cutter) quoted(text string, pos int) int {
	from, doubled := pos+1, false
	pos = from
	for {
		i := strings.IndexByte(text[pos:], '"')
		if i < 0 {
			return -1
		}
		if pos += i + 1; pos == len(text) || text[pos] != '"' {
			break
		}
		doubled = true
		pos++
	}
	if !doubled {
		c.spans = append(c.spans, span{uint32(from), uint32(pos - 1)})
		return pos
	}
	start := len(c.undone)
	for i := from; i < pos-1; i++ {
		if c.undone = append(c.undone, text[i]); text[i] == '"' {
			i++
		}
	}
	c.spans = append(c.spans, span{uint32(start) | undoneSpan, uint32(len(c.undone))})
	return pos
}

// cell is the text of a span of the text that was cut.
func (c *cutter) cell(text string, s span) string {
	if s.from&undoneSpan == 0 {
		return text[s.from:s.to]
	}
	return buffer.String(c.undone[s.from&^undoneSpan : s.to])
}

// isRow reports whether a record is a row of the table for certain: not empty, no comment, no line of dashes, no
// repeated header.
func (c *cutter) isRow(text string, spans []span) bool {
	first := c.cell(text, spans[0])
	if c.headed && first == c.first { // the header may be repeated
		return false
	}
	if first == "" {
		for _, s := range spans {
			if s.from&^undoneSpan != s.to {
				return true
			}
		}
		return false
	}
	switch first[0] {
	case '#':
		return false
	case '-', '=', '+', ':':
		if strings.Trim(first, rulers) == "" {
			return false
		}
	}
	return true
}
