package table

import (
	"cmp"
	"strings"
	"unicode"
)

// The most that a source may say of a column, in bytes.
const (
	longestTitle = 64
	longestAbout = 1000
)

// TitleText makes a Column.Title of a text: one line without what cannot be seen; "" where that is too long for a
// title.
func TitleText(s string) string {
	if s = oneLine(s); len(s) > longestTitle {
		return ""
	}
	return s
}

// AboutText makes a Column.About of a text: one line without what cannot be seen, cut at a word where it is too long.
func AboutText(s string) string {
	if s = oneLine(s); len(s) <= longestAbout {
		return s
	}
	s = strings.ToValidUTF8(s[:longestAbout], "")
	if at := strings.LastIndexByte(s, ' '); at > longestAbout/2 {
		s = s[:at]
	}
	return s
}

// oneLine puts a space for line breaks and the like and leaves other characters out that are not to be seen.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, strings.ToValidUTF8(s, ""))), " ")
}

// Described puts to the columns, by their names, what their source says of them: titles, descriptions and units. What a
// column has already stays.
func (t *Table) Described(said map[string]Column) *Table {
	if len(said) == 0 || t.NumCols() == 0 {
		return t
	}
	cols, changed := t.Columns(), false
	for i, col := range cols {
		is := said[col.Name]
		cols[i].Title, cols[i].About, cols[i].Unit = cmp.Or(col.Title, TitleText(is.Title)),
			cmp.Or(col.About, AboutText(is.About)), cmp.Or(col.Unit, is.Unit)
		changed = changed || cols[i] != col
	}
	if !changed {
		return t
	}
	return must(cols, t.arrays).of(t.work)
}
