package infer

import (
	"catena/table"
)

// BlockRows is how many cells are read before they join their column.
const BlockRows = 1024

// Column is a column that is being read.
type Column struct {
	Name    string
	Kind    Kind
	Built   *table.ColumnBuilder
	Pending Block
	Expect  table.Expected
	Failed  bool // a cell did not fit the kind: the column has to be read again as RawCells
	Whole   bool // the cells stay in pending
	Strings bool // the cells are strings of JSON: empty ones are no nulls, and none becomes a number
}

// NewColumn starts a column of about rows cells; 0 where that is not known.
func NewColumn(name string, kind Kind, rows int) *Column {
	c := &Column{
		Name:   name,
		Kind:   kind,
		Built:  &table.ColumnBuilder{Col: columnOf(kind, name)},
		Expect: table.Expected{Rows: rows},
	}
	c.Pending.Usual = min(rows, BlockRows)
	if rows == 0 {
		c.Pending.Usual = 32
	}
	c.Pending.Reset(kind)
	return c
}

// Add reads a cell of a delimited text.
func (c *Column) Add(s string) {
	c.Pending.Add(s)
	if c.Pending.Rows == BlockRows && !c.Whole {
		c.Flush()
	}
}

// AddValue reads a cell that is not null.
func (c *Column) AddValue(s string) {
	c.Pending.addValue(s)
	if c.Pending.Rows == BlockRows && !c.Whole {
		c.Flush()
	}
}

// AddNull reads a cell without a value.
func (c *Column) AddNull() { c.AddNulls(1) }

// AddNulls reads so many cells without a value.
func (c *Column) AddNulls(n int) {
	for range n {
		c.Pending.addNull()
		if c.Pending.Rows == BlockRows && !c.Whole {
			c.Flush()
		}
	}
}

// Flush joins the cells read one by one to the column.
func (c *Column) Flush() {
	c.Append(&c.Pending)
	c.Pending.Reset(c.Kind)
}

// Append joins a block to the column.
func (c *Column) Append(b *Block) {
	if c.Fits(b) && (c.Built.HasRoom(&b.Block) || c.MakeRoom(b)) {
		seat := c.Built.Place(&b.Block)
		seat.Put(&b.Block)
		if b.Kind == FloatCells { // numbers may have become doubles
			c.Kind = FloatCells
		}
	}
}

// Fits reports whether the column takes a block: it has cells, and they and all before them are of the column's kind.
func (c *Column) Fits(b *Block) bool {
	c.Failed = c.Failed || b.Failed
	if c.Built.Col.Type == table.Float && !c.Failed {
		c.Failed = !b.toFloats()
	}
	return !c.Failed && b.Rows > 0 && c.Kind != NoCells
}

// MakeRoom takes memory for a block that the column has no room for; false when the block does not fit the column.
func (c *Column) MakeRoom(b *Block) bool {
	c.Failed = !c.Built.MakeRoom(&b.Block, c.Expect, appendFloats)
	return !c.Failed
}

// Finish ends the column, of which failed is false.
func (c *Column) Finish() Result {
	c.Flush()
	if c.Kind != RawCells {
		return Result{Column: c.Built.Col, Array: c.Built.Finish()}
	}
	return c.Texts().Infer()
}

// Texts gives the cells to infer.
func (c *Column) Texts() *Texts {
	arr := c.Built.Finish()
	t := &Texts{Name: c.Name, Cells: c.Built.Texts(), Quoted: c.Strings, text: arr}
	if c.Strings {
		t.Absent = make([]bool, len(t.Cells))
		for i := range t.Absent {
			t.Absent[i] = arr.IsNull(i)
		}
	}
	return t
}
