package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// jsonColumn is a column of JSON that is being read: by a guess of its kind or, where that failed, as texts with their kinds.
type jsonColumn struct {
	name  string
	want  Column // what the wire form declares; Type Null for nothing
	typed bool

	n     int         // cells
	class jsonKind    // of the first value that is not null: objects and arrays are one class
	cells *cellColumn // nil before that
	skip  bool        // the guess holds: nothing has to be read again

	collect bool // into what follows
	kinds   []jsonKind
	texts   []string
}

// pad appends absent values up to n.
func (c *jsonColumn) pad(n int) {
	missing := n - c.n
	if missing <= 0 {
		return
	}
	c.n = n
	if c.collect {
		c.kinds = append(c.kinds, make([]jsonKind, missing)...)
		c.texts = append(c.texts, make([]string, missing)...)
	} else if c.cells != nil {
		for range missing {
			c.cells.addNull()
		}
	}
}

// add appends a value.
func (c *jsonColumn) add(kind jsonKind, text string) {
	if c.collect {
		c.kinds, c.texts = append(c.kinds, kind), append(c.texts, text)
		c.n++
		return
	}
	if kind == jsonNull {
		c.pad(c.n + 1)
		return
	}
	class := kind
	if class == jsonArray {
		class = jsonObject
	}
	if c.cells == nil {
		c.class = class
		c.cells = newCellColumn(c.name, c.firstKind(text), 0)
		c.cells.strings = true
		c.cells.addNulls(c.n)
	}
	c.n++
	switch {
	case c.class == jsonObject:
		c.cells.addValue(jsonText(kind, text))
	case c.class == class, c.typed && c.class == jsonNumber && class == jsonString: // wire forms have long numbers as strings
		c.cells.addValue(text)
	default:
		c.cells.failed = true
	}
}

// firstKind guesses the kind of a column by its first value.
func (c *jsonColumn) firstKind(text string) cellKind {
	switch c.class {
	case jsonNumber:
		if _, _, ok := plainNumber(text); !ok && strings.ContainsAny(text, "eE") {
			return floatCells
		}
		return numberCells
	case jsonBool:
		return boolCells
	case jsonString:
		return kindOfString(text)
	}
	return jsonCells
}

// jsonRows collects records into columns in order of first appearance.
type jsonRows struct {
	cols    []*jsonColumn
	index   map[string]int
	rows    int
	present int // values read
	padded  int // absent values put between them
	next    int // the column that the next member probably belongs to
	doubled int // members that an object had twice; the last one counts
	lim     Limits

	scanner   *scanner // see of
	onMember  func(key string) error
	onElement func() error
}

func newJSONRows(lim Limits) *jsonRows { return &jsonRows{index: map[string]int{}, lim: lim} }

// read runs walk, which reads rows from the scanner's position, and once more for the columns whose first values led to a wrong guess.
func (j *jsonRows) read(p *scanner, walk func() error) error {
	pos, depth := p.pos, p.depth
	if err := walk(); err != nil || !j.readAgain() {
		return err
	}
	p.pos, p.depth = pos, depth
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
			c.cells.flush()
			c.cells.failed = c.cells.failed || c.typed && c.cells.built.col.Type != c.want.Type
		}
		if c.skip = c.collect || c.cells == nil || !c.cells.failed; !c.skip {
			c.collect, c.n, again = true, 0, true
		}
	}
	return again
}

// column finds or makes the column of a name. Records mostly repeat one order of names, which spares the map.
func (j *jsonRows) column(name string) (*jsonColumn, error) {
	if j.next < len(j.cols) && j.cols[j.next].name == name {
		j.next++
		return j.cols[j.next-1], nil
	}
	i, ok := j.index[name]
	if !ok {
		if len(j.cols) >= j.lim.Columns {
			return nil, tooManyColumns("", j.lim)
		}
		i = len(j.cols)
		j.index[name] = i
		j.cols = append(j.cols, &jsonColumn{name: name})
	}
	j.next = i + 1
	return j.cols[i], nil
}

// set puts a value into the row being read. Padding counts as it happens: it must not outgrow memory before the table is made.
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
		if j.padded += j.rows - c.n; tooSparse(j.padded, 1, j.present) {
			return sparseError(p.source)
		}
		c.pad(j.rows)
	}
	c.add(kind, text)
	return nil
}

// double replaces the value that the row has already.
func (j *jsonRows) double(c *jsonColumn, kind jsonKind, text string) {
	j.doubled++
	switch {
	case c.collect:
		c.kinds[j.rows], c.texts[j.rows] = kind, text
	case c.cells != nil:
		c.cells.failed = true
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
		return j.limit(p, tooManyRows("", j.lim))
	}
	if j.rows == blockRows-1 { // before columns take memory for the rows to come, which are as long as these, about
		for _, c := range j.cols {
			if c.cells != nil {
				c.cells.expect = j.rows * (len(p.s)/p.pos + 1)
			}
		}
	}
	return nil
}

// of sets the scanner that rows are read by. What it calls for members and elements is made once for all rows.
func (j *jsonRows) of(p *scanner) {
	if j.scanner == p {
		return
	}
	j.scanner = p
	j.onMember = func(key string) error {
		if p.peek() != '{' {
			return j.member(p, key)
		}
		return p.object(func(inner string) error { return j.member(p, key+"."+inner) })
	}
	j.onElement = func() error { return j.element(p) }
}

// record reads an object as a row. Objects in it are flattened one level (a.b); deeper ones, and arrays, are kept as JSON.
func (j *jsonRows) record(p *scanner) error {
	j.of(p)
	if err := p.object(j.onMember); err != nil {
		return err
	}
	return j.endRow(p)
}

func (j *jsonRows) member(p *scanner, name string) error {
	c, err := j.column(name)
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
	return j.read(p, func() error { return p.array(func() error { return j.row(p) }) })
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
		if _, err := j.column(fmt.Sprintf("column_%d", j.next+1)); err != nil {
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
	if err := j.member(p, "value"); err != nil {
		return err
	}
	return j.endRow(p)
}

// limit names the source in the error of a limit.
func (j *jsonRows) limit(p *scanner, err error) error {
	var over *FormatError
	if errors.As(err, &over) {
		over.Source = p.source
	}
	return err
}

// table types the columns and ends the collecting.
func (j *jsonRows) table(report *LoadReport) (*Table, error) {
	if j.doubled > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d members stood twice in their object; the last one counts", j.doubled))
	}
	if tooSparse(j.rows, len(j.cols), j.present) {
		return nil, sparseError(report.Source)
	}
	typed := make([]inferred, len(j.cols))
	eachColumn(len(j.cols), j.rows, func(i int) { typed[i] = j.cols[i].finish(j.rows) })
	cols, arrays := make([]Column, len(j.cols)), make([]arrow.Array, len(j.cols))
	for i, got := range typed {
		cols[i], arrays[i] = got.col, got.array
		report.Notes = append(report.Notes, got.notes...)
	}
	nameColumns(cols, report)
	report.Rows = j.rows
	return New(cols, arrays)
}

// finish types the column: as the wire form declares it where the cells allow that, else by the cells.
func (c *jsonColumn) finish(rows int) inferred {
	c.pad(rows)
	if !c.typed {
		got := c.guessed()
		if got.col.Unit == "" {
			got.col.Unit = c.want.Unit
		}
		return got
	}
	if !c.collect {
		return c.cells.finish()
	}
	if got, ok := c.declared(); ok {
		return got
	}
	got := c.infer()
	got.col.Unit = c.want.Unit
	got.notes = append([]string{fmt.Sprintf("column %q: not all cells are of the declared type %s", c.name, c.want.Type)}, got.notes...)
	return got
}

// guessed gives the column by its kind where the guess held, else by its texts.
func (c *jsonColumn) guessed() inferred {
	switch {
	case c.collect:
		return c.infer()
	case c.cells == nil:
		return inferred{col: Column{Name: c.name}, array: newNulls(c.n)}
	}
	return c.cells.finish()
}

// infer types the column by the kinds of its values. Strings may be dates, but never numbers. Mixed scalars become text; a
// column with arrays or objects is JSON.
func (c *jsonColumn) infer() inferred {
	var count [jsonObject + 1]int
	for _, k := range c.kinds {
		count[k]++
	}
	words := 0
	if count[jsonNumber] > 0 && count[jsonString] > 0 && count[jsonBool] == 0 {
		words = c.nullWords()
	}
	scalars := count[jsonBool] + count[jsonNumber] + count[jsonString]
	switch {
	case count[jsonArray]+count[jsonObject] > 0:
		return c.asJSON()
	case scalars == 0:
		return inferred{col: Column{Name: c.name}, array: newNulls(len(c.kinds))}
	case count[jsonBool] == scalars:
		return c.bools()
	case count[jsonNumber]+words == scalars:
		out := c.numbers()
		if words > 0 {
			out.notes = append(out.notes, fmt.Sprintf("column %q: %d strings such as \"\" or NA among numbers were read as null", c.name, words))
		}
		return out
	}
	absent := make([]bool, len(c.kinds))
	for i, k := range c.kinds {
		absent[i] = k <= jsonNull
	}
	cells := &textCells{name: c.name, cells: c.texts, absent: absent, quoted: true}
	if count[jsonString] == scalars {
		return cells.infer()
	}
	out := cells.asText()
	out.col.Name = c.name
	out.notes = []string{fmt.Sprintf("column %q: %d numbers, %d booleans and %d strings are mixed, so all are text", c.name, count[jsonNumber], count[jsonBool], count[jsonString])}
	return out
}

// nullWords counts the strings that mean a missing number, or 0 when there is any other string.
func (c *jsonColumn) nullWords() int {
	n := 0
	for i, k := range c.kinds {
		if k == jsonString {
			if s := strings.TrimSpace(c.texts[i]); s != "" && !isNullWord(s) {
				return 0
			}
			n++
		}
	}
	return n
}

func (c *jsonColumn) numbers() inferred {
	shape := newNumberShape()
	texts := make([]string, len(c.texts))
	for i, k := range c.kinds {
		if k == jsonNumber {
			texts[i] = c.texts[i]
			shape.add(c.texts[i])
		}
	}
	col := shape.column(false)
	col.Name = c.name
	if arr, ok := buildNumbers(col, texts); ok {
		return inferred{col: col, array: arr}
	}
	out := (&textCells{name: c.name, cells: texts}).asText() // a number beyond the doubles
	out.col.Name = c.name
	out.notes = []string{fmt.Sprintf("column %q: a number is too large for a double, so all are text", c.name)}
	return out
}

func (c *jsonColumn) bools() inferred {
	b := newColumnBuilder(Column{Name: c.name, Type: Bool}, len(c.kinds))
	for i, k := range c.kinds {
		if k == jsonBool {
			b.appendBool(c.texts[i] == "true")
		} else {
			b.appendNull()
		}
	}
	return inferred{col: b.col, array: b.finish()}
}

func (c *jsonColumn) asJSON() inferred {
	b := newColumnBuilder(Column{Name: c.name, Type: JSON}, len(c.kinds))
	for i, k := range c.kinds {
		if k <= jsonNull {
			b.appendNull()
		} else {
			b.appendText(jsonText(k, c.texts[i]))
		}
	}
	return inferred{col: b.col, array: b.finish()}
}

// jsonText is a value as JSON text again.
func jsonText(kind jsonKind, text string) string {
	if kind == jsonString {
		return quoteJSON(text)
	}
	return compactJSON(text)
}

// quoteJSON is the string as JSON.
func quoteJSON(s string) string {
	text, _ := json.Marshal(s) // a string never fails
	return string(text)
}

// compactJSON drops the spaces between the parts of checked JSON text, so that equal values written by different programs are equal cells.
func compactJSON(s string) string {
	if !strings.ContainsAny(s, " \n\t\r") {
		return s
	}
	var out bytes.Buffer
	if json.Compact(&out, []byte(s)) != nil {
		return s // not reached for checked text
	}
	return out.String()
}
