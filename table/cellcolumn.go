package table

import (
	"catena/internal/buffer"
)

// BlockRows is how many cells are read before they join their column.
const BlockRows = 1024

// cellColumn is a column that is being read.
type cellColumn struct {
	name    string
	kind    cellKind
	built   *ColumnBuilder
	pending block
	expect  int     // rows, about
	perRow  float64 // bytes of a text, about; 0 where that is not known
	failed  bool    // a cell did not fit the kind: the column has to be read again as rawCells
	whole   bool    // the cells stay in pending
	strings bool    // the cells are strings of JSON: empty ones are no nulls, and none becomes a number
}

// newCellColumn starts a column of about rows cells; 0 where that is not known.
func newCellColumn(name string, kind cellKind, rows int) *cellColumn {
	c := &cellColumn{name: name, kind: kind, built: &ColumnBuilder{Col: columnOf(kind, name)}, expect: rows}
	c.pending.usual = min(rows, BlockRows)
	if rows == 0 {
		c.pending.usual = 32
	}
	c.pending.reset(kind)
	return c
}

// add reads a cell of a delimited text.
func (c *cellColumn) add(s string) {
	c.pending.add(s)
	if c.pending.rows == BlockRows && !c.whole {
		c.flush()
	}
}

// addValue reads a cell that is not null.
func (c *cellColumn) addValue(s string) {
	c.pending.addValue(s)
	if c.pending.rows == BlockRows && !c.whole {
		c.flush()
	}
}

func (c *cellColumn) addNull() { c.addNulls(1) }

func (c *cellColumn) addNulls(n int) {
	for range n {
		c.pending.addNull()
		if c.pending.rows == BlockRows && !c.whole {
			c.flush()
		}
	}
}

// flush joins the cells read one by one to the column.
func (c *cellColumn) flush() {
	c.append(&c.pending)
	c.pending.reset(c.kind)
}

// Append joins a block to the column.
func (c *cellColumn) append(b *block) {
	if c.fits(b) && (c.built.hasRoom(b) || c.makeRoom(b)) {
		seat := c.built.place(b)
		seat.put(b)
		if b.kind == floatCells { // numbers may have become doubles
			c.kind = floatCells
		}
	}
}

// fits reports whether the column takes a block: it has cells, and they and all before them are of the column's kind.
func (c *cellColumn) fits(b *block) bool {
	c.failed = c.failed || b.failed
	if c.built.Col.Type == Float && !c.failed {
		c.failed = !b.toFloats()
	}
	return !c.failed && b.rows > 0 && c.kind != noCells
}

func (c *cellColumn) makeRoom(b *block) bool {
	c.failed = !c.built.makeRoom(b, c.expect, c.perRow)
	return !c.failed
}

// Finish ends the column, of which failed is false.
func (c *cellColumn) finish() Inferred {
	c.flush()
	if c.kind != rawCells {
		return Inferred{Column: c.built.Col, Array: c.built.Finish()}
	}
	return c.texts().Infer()
}

// texts gives the cells to infer.
func (c *cellColumn) texts() *TextCells {
	arr, b := c.built.Finish(), c.built
	t := &TextCells{Name: c.name, Cells: make([]string, b.n), Quoted: c.strings, text: arr}
	for i := range t.Cells {
		t.Cells[i] = buffer.String(b.text[b.offsets[i]:b.offsets[i+1]])
	}
	if c.strings {
		t.Absent = make([]bool, b.n)
		for i := range t.Absent {
			t.Absent[i] = arr.IsNull(i)
		}
	}
	return t
}
