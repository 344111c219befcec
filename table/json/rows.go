package json

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/infer"
)

// jsonRows collects records into columns in order of first appearance.
type jsonRows struct {
	cols    []*jsonColumn
	index   map[jsonPath]int
	rows    int
	present int // values read
	padded  int // absent values put between them
	next    int // the column that the next member probably belongs to
	doubled int // members that an object had twice; the last one counts
	lim     table.Limits
	memory  table.Meter
	pieces  piecewise
	fixed   bool // there must be no new columns
	headed  bool // the first row has the names of the columns

	scanner   *scanner // see of
	onMember  func(key string) error
	onElement func() error
}

func newJSONRows(lim table.Limits) *jsonRows {
	j := &jsonRows{index: map[jsonPath]int{}, lim: lim}
	j.memory.Lim = &j.lim
	return j
}

// read runs walk, which reads rows from the scanner's position, and once more for the columns whose first values led to
// a wrong guess.
func (j *jsonRows) read(p *scanner, walk func() error) error {
	pos, depth := p.pos, p.depth
	j.pieces = p.whenPieces()
	if err := walk(); err != nil || !j.readAgain() {
		return err
	}
	p.pos, p.depth = pos, depth
	j.pieces = p.whenPieces()
	doubled := j.doubled
	j.rows, j.present, j.padded, j.next = 0, 0, 0, 0
	err := walk()
	j.doubled = doubled
	return err
}

// readAgain prepares the columns of which a guess failed to collect texts; false when there are none.
func (j *jsonRows) readAgain() bool {
	again := false
	for _, c := range j.cols {
		if c.cells != nil {
			c.cells.Flush()
			c.cells.Failed = c.cells.Failed || c.typed && c.cells.Built.Col.Type != c.want.Type
		}
		if c.skip = c.collect || c.cells == nil || !c.cells.Failed; !c.skip {
			c.collect, c.n, again = true, 0, true
		}
	}
	return again
}

// jsonPath is where the values of a column stand in a record: {"a":{"b":1},"a.b":2} has two members that are written
// alike.
type jsonPath struct {
	name string
	cut  int // how much of the name is that of the outer member; -1 without one
}

// column finds or makes the column of a path. Records mostly repeat one order of names, which spares the map.
func (j *jsonRows) column(name string, cut int) (*jsonColumn, error) {
	if j.next < len(j.cols) && j.cols[j.next].cut == cut && j.cols[j.next].name == name {
		j.next++
		return j.cols[j.next-1], nil
	}
	i, ok := j.index[jsonPath{name, cut}]
	if !ok && cut >= 0 { // a declared column is meant by its name
		if i, ok = j.index[jsonPath{name, -1}]; ok {
			ok = j.cols[i].fixed
		}
	}
	if !ok {
		if j.fixed {
			return nil, errNewColumn
		}
		if len(j.cols) >= j.lim.Columns {
			return nil, table.TooManyColumns("", j.lim)
		}
		if err := j.memory.Add(int64(len(name))*table.NameCopies + columnMemory); err != nil {
			return nil, err
		}
		i = len(j.cols)
		name = strings.Clone(name) // a part of the text would keep all of it
		j.index[jsonPath{name, cut}] = i
		j.cols = append(j.cols, &jsonColumn{name: name, cut: cut})
	}
	j.next = i + 1
	return j.cols[i], nil
}

// set puts a value into the row being read. Padding counts as it happens: it must not outgrow memory before the table
// is made.
func (j *jsonRows) set(p *scanner, c *jsonColumn, kind jsonKind, text string) error {
	j.present++
	if c.skip {
		return nil
	}
	if c.n != j.rows {
		if c.n > j.rows {
			j.double(c, kind, text)
			return nil
		}
		if j.padded += j.rows - c.n; content.TooSparse(j.padded, 1, j.present) {
			return content.SparseError(p.source)
		}
		if err := j.memory.Add(int64(j.rows-c.n) * pairMemory); err != nil {
			return err
		}
		c.pad(j.rows)
	}
	c.add(kind, text)
	return j.memory.Add(pairMemory + c.copied(kind, text))
}

// double replaces the value that the row has already.
func (j *jsonRows) double(c *jsonColumn, kind jsonKind, text string) {
	j.doubled++
	switch {
	case c.collect:
		c.kinds[j.rows], c.texts[j.rows] = kind, text
	case c.cells != nil:
		c.cells.Failed = true
	case kind != jsonNull: // only nulls before
		c.n--
		c.add(kind, text)
	}
}

// endRow closes the row being read.
func (j *jsonRows) endRow(p *scanner) error {
	j.rows++
	j.next = 0
	if j.rows > j.lim.Rows {
		return j.limit(p, table.TooManyRows("", j.lim))
	}
	if j.rows%infer.BlockRows == 0 {
		if err := j.lim.Ended(); err != nil {
			return err
		}
	}
	if j.rows == infer.BlockRows-1 && !j.fixed { // before columns take memory
		j.expectRows(p)
	}
	return nil
}

// expectRows tells the columns of the rows to come, which are as long as those that were read, about.
func (j *jsonRows) expectRows(p *scanner) {
	for _, c := range j.cols {
		if c.cells != nil && c.cells.Expect.Rows == 0 {
			c.cells.Expect.Rows = j.rows * (len(p.s)/p.pos + 1)
		}
	}
}

// of sets the scanner that rows are read by. What it calls for members and elements is made once for all rows.
func (j *jsonRows) of(p *scanner) {
	if j.scanner == p {
		return
	}
	j.scanner = p
	j.onMember = func(key string) error {
		if p.peek() != '{' || len(key) > longestOuter {
			return j.member(p, key, -1)
		}
		return p.object(func(inner string) error { return j.member(p, key+"."+inner, len(key)) })
	}
	j.onElement = func() error { return j.element(p) }
}

// longestOuter is how long the name of an object may be that is flattened: the names of its members repeat it.
const longestOuter = 4 << 10

// columnMemory is what a column takes before it has cells.
const columnMemory = 512

// record reads an object as a row. Objects in it are flattened one level (a.b); deeper ones, and arrays, are kept as
// JSON.
func (j *jsonRows) record(p *scanner) error {
	j.of(p)
	if err := p.object(j.onMember); err != nil {
		return err
	}
	return j.endRow(p)
}

func (j *jsonRows) member(p *scanner, name string, cut int) error {
	c, err := j.column(name, cut)
	if err != nil {
		return j.limit(p, err)
	}
	kind, text, err := p.value()
	if err != nil {
		return err
	}
	return j.set(p, c, kind, text)
}

// list reads an array of rows.
func (j *jsonRows) list(p *scanner) error {
	return j.read(p, func() error {
		first := true
		return p.array(func() error {
			if first {
				first = false
				if taken, err := j.takeHeader(p, true); taken || err != nil {
					return err
				}
			}
			j.ahead(p, true)
			return j.row(p)
		})
	})
}

// tuple reads an array as a row, its elements going to the columns by position.
func (j *jsonRows) tuple(p *scanner) error {
	j.of(p)
	if err := p.array(j.onElement); err != nil {
		return err
	}
	return j.endRow(p)
}

func (j *jsonRows) element(p *scanner) error {
	if j.next == len(j.cols) {
		if _, err := j.column(fmt.Sprintf("column_%d", j.next+1), -1); err != nil {
			return j.limit(p, err)
		}
		j.next--
	}
	c := j.cols[j.next]
	j.next++
	kind, text, err := p.value()
	if err != nil {
		return err
	}
	return j.set(p, c, kind, text)
}

// row reads any value as a row: objects as records, arrays by position, scalars into one column "value".
func (j *jsonRows) row(p *scanner) error {
	switch p.peek() {
	case '{':
		return j.record(p)
	case '[':
		return j.tuple(p)
	}
	if err := j.member(p, "value", -1); err != nil {
		return err
	}
	return j.endRow(p)
}

// limit names the source in the error of a limit.
func (j *jsonRows) limit(p *scanner, err error) error {
	var over *table.FormatError
	if errors.As(err, &over) {
		over.Source = p.source
	}
	return err
}

// table types the columns and ends the collecting.
func (j *jsonRows) table(report *table.LoadReport) (*table.Table, error) {
	if err := j.lim.Ended(); err != nil {
		return nil, err
	}
	if j.doubled > 0 {
		report.Notes = append(report.Notes,
			fmt.Sprintf("%s twice in an object; the last one counts",
				text.CountOf(j.doubled, "member stood", "members stood")))
	}
	if content.TooSparse(j.rows, len(j.cols), j.present) {
		return nil, content.SparseError(report.Source)
	}
	missing := int64(j.rows)*int64(len(j.cols)) - int64(j.present) - int64(j.padded)
	if err := j.lim.ReserveEach(max(0, missing), table.TypedCellMemory); err != nil {
		return nil, err
	}
	typed := make([]infer.Result, len(j.cols))
	parallel.Columns(len(j.cols), j.rows, func(i int) { typed[i] = j.cols[i].finish(j.rows) })
	cols, arrays := make([]table.Column, len(j.cols)), make([]arrow.Array, len(j.cols))
	for i, got := range typed {
		cols[i], arrays[i] = got.Column, got.Array
		report.Notes = append(report.Notes, got.Notes...)
	}
	table.NameColumns(cols, report)
	if report.Rows = j.rows; len(cols) == 0 && j.rows > 0 { // a table without columns has no rows
		report.Rows = 0
		report.Notes = append(report.Notes,
			fmt.Sprintf("%s no members", text.CountOf(j.rows, "object has", "objects have")))
	}
	return table.New(cols, arrays)
}

const pairMemory = 16 // of a JSON value, without its text
