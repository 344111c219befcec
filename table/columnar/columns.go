package columnar

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/internal/text"
	"catena/table"
)

// arrowTable makes a table of columns that Arrow or Parquet data hold. Structs become columns of their own, one level
// deep.
func arrowTable(in []arrowColumn, report *table.LoadReport, lim table.Limits) (*table.Table, error) {
	var flat []arrowColumn
	for _, c := range in {
		if checkDepth(c.field.Type, lim.Depth) != nil {
			return nil, tooDeep(report.Source, &lim)
		}
		if rows := c.rows(); rows > int64(lim.Rows) {
			return nil, table.TooManyRows(report.Source, lim)
		}
		s, ok := c.field.Type.(*arrow.StructType)
		if !ok || s.NumFields() == 0 {
			flat = append(flat, c)
			continue
		}
		if err := lim.Reserve(int64(s.NumFields()) * int64(len(c.field.Name))); err != nil { // the name stands in each
			return nil, err
		}
		for i, f := range s.Fields() {
			f.Name = c.field.Name + "." + f.Name
			flat = append(flat, arrowColumn{f, members(c.parts, i)})
		}
	}
	if len(flat) > lim.Columns {
		return nil, table.TooManyColumns(report.Source, lim)
	}
	cols, arrays := make([]table.Column, len(flat)), make([]arrow.Array, len(flat))
	for i, c := range flat {
		if err := lim.Ended(); err != nil {
			return nil, err
		}
		var notes []string
		var err error
		if cols[i], arrays[i], notes, err = arrowToColumn(c, lim); err != nil {
			return nil, fmt.Errorf("column %q: %w", c.field.Name, err)
		}
		if arrays[i].Len() > lim.Rows {
			return nil, table.TooManyRows(report.Source, lim)
		}
		report.Rows = arrays[i].Len()
		for _, n := range notes {
			report.Notes = append(report.Notes, fmt.Sprintf("column %q: %s", c.field.Name, n))
		}
	}
	for i := range cols {
		cols[i].Name = strings.ToValidUTF8(cols[i].Name, "\ufffd")
		if cols[i].Name == "" {
			cols[i].Name = fmt.Sprintf("column_%d", i+1)
		}
	}
	report.Notes = append(report.Notes, table.CleanNames(cols)...)
	return table.New(cols, arrays)
}

var errDeep = errors.New("its types are nested too deeply")

// rows is how many the parts have together.
func (c *arrowColumn) rows() (n int64) {
	for _, p := range c.parts {
		n = plus(n, int64(p.Len()))
	}
	return n
}

// checkDepth bounds how deep types are nested.
func checkDepth(t arrow.DataType, left int) error {
	if left <= 0 {
		return errDeep
	}
	if n, ok := t.(arrow.NestedType); ok {
		for _, f := range n.Fields() {
			if err := checkDepth(f.Type, left-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// members are the values of one field of structs; where a struct is null they are.
func members(parts []arrow.Array, i int) []arrow.Array {
	out := make([]arrow.Array, len(parts))
	for p, part := range parts {
		s := part.(*array.Struct)
		out[p] = masked(s.Field(i), s)
	}
	return out
}

// masked is an array that is null where its parent is.
func masked(child arrow.Array, parent *array.Struct) arrow.Array {
	d := child.Data()
	if parent.NullN() == 0 || len(d.Buffers()) == 0 || child.DataType().ID() == arrow.SPARSE_UNION ||
		child.DataType().ID() == arrow.DENSE_UNION {
		return child
	}
	bits, nulls := make([]byte, bitutil.BytesForBits(int64(d.Offset()+d.Len()))), 0
	for i := range d.Len() {
		if parent.IsValid(i) && child.IsValid(i) {
			bitutil.SetBit(bits, d.Offset()+i)
		} else {
			nulls++
		}
	}
	buffers := append([]*memory.Buffer{memory.NewBufferBytes(bits)}, d.Buffers()[1:]...)
	if dict, ok := child.(*array.Dictionary); ok {
		return array.MakeFromData(array.NewDataWithDictionary(d.DataType(), d.Len(), buffers, nulls, d.Offset(),
			dict.Dictionary().Data().(*array.Data)))
	}
	return array.MakeFromData(array.NewData(d.DataType(), d.Len(), buffers, d.Children(), nulls, d.Offset()))
}

// aboutOf is the description of a field: ours, or what other programs write (Arrow's own files and dbt a description,
// Spark and Hive a comment).
func aboutOf(meta arrow.Metadata) string {
	for _, key := range [...]string{metaAbout, "description", "comment"} {
		if text, ok := meta.GetValue(key); ok && strings.TrimSpace(text) != "" {
			return strings.Clone(table.AboutText(text))
		}
	}
	return ""
}

// arrowToColumn joins the parts of a column and brings them to the types that tables store.
func arrowToColumn(c arrowColumn, lim table.Limits) (table.Column, arrow.Array, []string, error) {
	col := table.Column{Name: c.field.Name}
	unit, _ := c.field.Metadata.GetValue(metaUnit)
	title, _ := c.field.Metadata.GetValue(metaTitle)
	col.Unit, col.Title, col.About = strings.Clone(table.TitleText(unit)), strings.Clone(table.TitleText(title)),
		aboutOf(c.field.Metadata)
	parts := c.parts
	if len(parts) == 0 {
		parts = []arrow.Array{array.MakeArrayOfNull(memory.DefaultAllocator, c.field.Type, 0)}
	}
	size, err := unfoldedParts(parts, &lim)
	if err != nil {
		return col, nil, nil, err
	}
	var notes []string
	arr := parts[0]
	if len(parts) > 1 {
		if arr, err = array.Concatenate(parts, newBoundedAllocator(&lim)); err != nil {
			return col, nil, nil, err
		}
	}
	switch dt := c.field.Type.(type) {
	case *arrow.TimestampType:
		var known bool
		if col.Type = table.DateTime; dt.TimeZone != "" {
			if col.Zone, known = table.KnownZone(dt.TimeZone); !known {
				notes = append(notes, fmt.Sprintf("the time zone %q is not known, so its times are those of UTC",
					text.Clip(dt.TimeZone, 64)))
			}
		}
	case *arrow.Decimal128Type:
		if col.Type, col.Scale = table.Decimal, dt.Scale; dt.Precision != table.MaxDigits && dt.Scale >= 0 &&
			dt.Scale <= table.MaxDigits {
			// tables have one precision
			arr = sameBits(arr, table.ArrowType(col))
		}
	default:
		col.Type = nativeTypes[dt.ID()]
	}
	hint, _ := c.field.Metadata.GetValue(metaType)
	switch {
	case hint == table.JSON.String() && col.Type == table.Text:
		col.Type = table.JSON
	case hint == table.Duration.String() && col.Type == table.Int:
		col.Type, arr = table.Duration, sameBits(arr, arrow.FixedWidthTypes.Duration_us)
	}
	sound, notFinite, err := table.CheckArray(col, arr, &lim)
	if err == nil && sound && len(parts) == 1 {
		// columns may be parts of the same bytes, but are not when they are written or changed
		err = lim.Reserve(size)
	}
	if err != nil || sound {
		return col, arr, append(notes, notFiniteNotes(notFinite)...), err
	}
	col, arr, more, err := foreignColumn(col, arr, lim)
	return col, arr, append(notes, more...), err
}

func notFiniteNotes(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s read as null",
		text.CountOf(n, "number is NaN or infinite and was", "numbers are NaN or infinite and were"))}
}

var nativeTypes = map[arrow.Type]table.Type{
	arrow.NULL: table.Null, arrow.BOOL: table.Bool, arrow.INT64: table.Int, arrow.FLOAT64: table.Float,
	arrow.STRING: table.Text, arrow.LARGE_STRING: table.Text,
	arrow.DATE32: table.Date, arrow.TIME64: table.Time, arrow.DURATION: table.Duration,
}
