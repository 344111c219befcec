package json

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// jsonColumn is a column of JSON that is being read: by a guess of its kind or, where that failed, as texts with their
// kinds.
type jsonColumn struct {
	name  string
	cut   int          // see jsonPath
	want  table.Column // what the wire form declares; Type Null for nothing
	typed bool

	fixed bool // declared by the wire form

	n     int           // cells
	class jsonKind      // of the first value that is not null: objects and arrays are one class
	cells *infer.Column // nil before that
	skip  bool          // the guess holds: nothing has to be read again

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
			c.cells.AddNull()
		}
	}
}

// copied is how many bytes of a value's text the column keeps. A string in a column of JSON is written as JSON again,
// where a character may take six.
func (c *jsonColumn) copied(kind jsonKind, text string) int64 {
	const longest = 6
	if kind == jsonString && c.class == jsonObject {
		return longest * int64(len(text))
	}
	return int64(len(text))
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
		c.cells = infer.NewColumn(c.name, c.firstKind(text), 0)
		c.cells.Strings = true
		c.cells.AddNulls(c.n)
	}
	c.n++
	switch {
	case c.class == jsonObject:
		c.cells.AddValue(jsonText(kind, text))
	case c.class == class, c.typed && c.class == jsonNumber && class == jsonString:
		// wire forms have long numbers as strings
		c.cells.AddValue(text)
	default:
		c.cells.Failed = true
	}
}

// firstKind guesses the kind of a column by its first value.
func (c *jsonColumn) firstKind(text string) infer.Kind {
	switch c.class {
	case jsonNumber:
		if _, _, ok := infer.PlainNumber(text); !ok && strings.ContainsAny(text, "eE") {
			return infer.FloatCells
		}
		return infer.NumberCells
	case jsonBool:
		return infer.BoolCells
	case jsonString:
		return infer.KindOfString(text)
	}
	return infer.JSONCells
}

// Finish types the column: as the wire form declares it where the cells allow that, else by the cells.
func (c *jsonColumn) finish(rows int) infer.Result {
	c.pad(rows)
	if !c.typed {
		got := c.guessed().Instants()
		return describe(got, c.want)
	}
	if !c.collect {
		return c.cells.Finish()
	}
	if got, ok := c.declared(); ok {
		return got
	}
	got := describe(c.infer(), c.want)
	got.Notes = append([]string{fmt.Sprintf("column %q: not all cells are of the declared type %s", c.name,
		c.want.Type)}, got.Notes...)
	return got
}

// describe puts to a column what the wire form says of it beside its type.
func describe(in infer.Result, want table.Column) infer.Result {
	in.Column.Unit, in.Column.Title, in.Column.About = cmp.Or(in.Column.Unit, want.Unit), want.Title, want.About
	return in
}

// guessed gives the column by its kind where the guess held, else by its texts.
func (c *jsonColumn) guessed() infer.Result {
	switch {
	case c.collect:
		return c.infer()
	case c.cells == nil:
		return infer.Result{Column: table.Column{Name: c.name}, Array: table.Nulls(c.n)}
	}
	return c.cells.Finish()
}

// Infer types the column by the kinds of its values. Strings may be dates, but never numbers. Mixed scalars become
// text; a column with arrays or objects is JSON.
func (c *jsonColumn) infer() infer.Result {
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
		return infer.Result{Column: table.Column{Name: c.name}, Array: table.Nulls(len(c.kinds))}
	case count[jsonBool] == scalars:
		return c.bools()
	case count[jsonNumber]+words == scalars:
		out := c.numbers()
		if words > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("column %q: %s read as null", c.name,
				text.CountOf(words, "string such as \"\" or NA among numbers was",
					"strings such as \"\" or NA among numbers were")))
		}
		return out
	}
	absent := make([]bool, len(c.kinds))
	for i, k := range c.kinds {
		absent[i] = k <= jsonNull
	}
	cells := &infer.Texts{Name: c.name, Cells: c.texts, Absent: absent, Quoted: true}
	if count[jsonString] == scalars {
		return cells.Infer()
	}
	out := cells.AsText()
	out.Column.Name = c.name
	var kinds []string
	for _, k := range []struct {
		n         int
		one, many string
	}{{count[jsonNumber], "number", "numbers"}, {count[jsonBool], "boolean", "booleans"},
		{count[jsonString], "string", "strings"}} {
		if k.n > 0 {
			kinds = append(kinds, text.CountOf(k.n, k.one, k.many))
		}
	}
	last := len(kinds) - 1 // there are two or three kinds
	out.Notes = []string{fmt.Sprintf("column %q: %s and %s are mixed, so all are text", c.name,
		strings.Join(kinds[:last], ", "), kinds[last])}
	return out
}

// nullWords counts the strings that mean a missing number, or 0 when there is any other string.
func (c *jsonColumn) nullWords() int {
	n := 0
	for i, k := range c.kinds {
		if k == jsonString {
			if s := strings.TrimSpace(c.texts[i]); s != "" && !infer.IsNullWord(s) {
				return 0
			}
			n++
		}
	}
	return n
}

func (c *jsonColumn) numbers() infer.Result {
	shape := infer.NewNumberShape()
	texts := make([]string, len(c.texts))
	for i, k := range c.kinds {
		if k == jsonNumber {
			texts[i] = c.texts[i]
			shape.Add(c.texts[i])
		}
	}
	col, notes := shape.Column(texts, false)
	col.Name = c.name
	if arr, ok := infer.BuildNumbers(col, texts); ok {
		for i, note := range notes {
			notes[i] = fmt.Sprintf("column %q: %s", c.name, note)
		}
		return infer.Result{Column: col, Array: arr, Notes: notes}
	}
	out := (&infer.Texts{Name: c.name, Cells: texts}).AsText() // a number beyond the doubles
	out.Column.Name = c.name
	out.Notes = []string{fmt.Sprintf("column %q: a number is too large for a double, so all are text", c.name)}
	return out
}

func (c *jsonColumn) bools() infer.Result {
	b := table.NewColumnBuilder(table.Column{Name: c.name, Type: table.Bool}, len(c.kinds))
	for i, k := range c.kinds {
		if k == jsonBool {
			b.AppendBool(c.texts[i] == "true")
		} else {
			b.AppendNull()
		}
	}
	return infer.Result{Column: b.Col, Array: b.Finish()}
}

func (c *jsonColumn) asJSON() infer.Result {
	b := table.NewColumnBuilder(table.Column{Name: c.name, Type: table.JSON}, len(c.kinds))
	for i, k := range c.kinds {
		if k <= jsonNull {
			b.AppendNull()
		} else {
			b.AppendText(jsonText(k, c.texts[i]))
		}
	}
	return infer.Result{Column: b.Col, Array: b.Finish()}
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

// compactJSON drops the spaces between the parts of checked JSON text, so that equal values written by different
// programs are equal cells.
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
