package load

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"catena/table"
	tablejson "catena/table/json"
)

// listOfLists reads a list of lists of as many values each, below a list of names where the first is one: a name stands
// above numbers, truths or nothing. Without names one column at least has texts, so that points and matrices are none.
func listOfLists(list []json.RawMessage, source string, lim table.Limits) (Listing, bool) {
	rows := make([][]json.RawMessage, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &rows[i]) != nil || len(rows[i]) != len(rows[0]) ||
			slices.ContainsFunc(rows[i], isNested) {
			return Listing{}, false
		}
	}
	if len(rows) < 2 || len(rows[0]) < 2 {
		return Listing{}, false
	}
	named, texts := false, false
	for c := range rows[0] {
		below := 0 // texts below the first row
		for _, row := range rows[1:] {
			if isText(row[c]) {
				below++
			}
		}
		named = named || isText(rows[0][c]) && below == 0
		texts = texts || isText(rows[0][c]) && below > 0
	}
	names, head := columnNames(list[0])
	switch {
	case named && head:
		rows = rows[1:]
	case texts && !named && len(rows) > 1:
		names = make([]json.RawMessage, len(rows[0]))
		for i := range names {
			names[i] = textJSON("column_" + strconv.Itoa(i+1))
		}
	default:
		return Listing{}, false
	}
	return namedRows(names, rows, source, lim)
}

// Bounds of a text that is a name rather than a sentence.
const (
	nameRunes = 80
	nameParts = 8
)

// listedNames reads a list of names, alone or as the only field of an object but for what is said about the list: a
// table of one column, called as the field is. Other fields, or a text that reads as a sentence, make it a part of
// something else.
func listedNames(s, source string, lim table.Limits, _ int) (Listing, bool) {
	column, raw := "value", json.RawMessage(s)
	var beside Fields
	if s[0] == '{' {
		key, names, rest := onlyNames(raw)
		if raw, beside = names, rest; !slices.Contains(tablejson.Wrappers, key) {
			column = key
		}
	}
	var list []any
	if json.Unmarshal(raw, &list) != nil || len(list) < 2 {
		return Listing{}, false
	}
	rows := make([][]json.RawMessage, len(list))
	for i, v := range list {
		name, ok := v.(string)
		if !ok || !isName(name) {
			return Listing{}, false
		}
		rows[i] = []json.RawMessage{textJSON(name)}
	}
	l, ok := namedRows([]json.RawMessage{textJSON(column)}, rows, source, lim)
	l.Beside = beside
	return l, ok
}

// onlyNames splits an object into its only field that is not about a list, and the rest, nil for none; names is nil
// where there are several or none.
func onlyNames(object json.RawMessage) (key string, names json.RawMessage, rest Fields) {
	fields := FieldsOf(object)
	for _, f := range fields {
		switch {
		case tablejson.AboutList(f.Name) && !isNested(f.Value):
		case names != nil:
			return "", nil, nil
		default:
			key, names = f.Name, f.Value
		}
	}
	return key, names, fields.without(key)
}

// isName reports whether a text is short, in one line, and no sentence.
func isName(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || utf8.RuneCountInString(s) > nameRunes || strings.ContainsAny(s, "\n\r{}") {
		return false
	}
	words := len(strings.Fields(s))
	return words == 1 || words <= nameParts && !strings.ContainsAny(s[len(s)-1:], ".!?:,;") &&
		!strings.ContainsAny(s, "!?") && !strings.Contains(s, ". ")
}

func isNested(raw json.RawMessage) bool { return len(raw) > 0 && (raw[0] == '[' || raw[0] == '{') }
func isText(raw json.RawMessage) bool   { return len(raw) > 0 && raw[0] == '"' }

// describes reports whether the rows of a name the columns of b: a list of columns beside rows.
func describes(a, b *table.Table) bool {
	want := slices.Clone(b.Names())
	slices.Sort(want)
	for c := range a.NumCols() {
		if a.NumRows() != len(want) || a.Column(c).Type != table.Text {
			continue
		}
		names := make([]string, a.NumRows())
		for i := range names {
			names[i] = a.Value(i, c).Text()
		}
		if slices.Sort(names); slices.Equal(names, want) {
			return true
		}
	}
	return false
}

// withoutCoordinates is a table as a spreadsheet shows it, A B C above and 1 2 3 at the left, without these.
func withoutCoordinates(t *table.Table, source string, lim table.Limits) *table.Table {
	names := t.Names()
	if t.NumRows() < 2 || len(names) < 3 {
		return t
	}
	for i, n := range names[1:] {
		if n != letterName(i) {
			return t
		}
	}
	rows := make([]json.RawMessage, 0, t.NumRows())
	first := -1
	for r := range t.NumRows() {
		n, err := strconv.Atoi(t.Value(r, 0).Text())
		if first < 0 {
			first = n
		}
		if err != nil || n != first+r {
			return t
		}
		cells := make([]json.RawMessage, len(names)-1)
		for c := range cells {
			cells[c] = cellJSON(t.Value(r, c+1).Text())
		}
		rows = append(rows, joinedList(cells))
	}
	if l, ok := listOfLists(rows, source, lim); ok {
		return l.Table
	}
	return t
}

// letterName is what spreadsheets call their column i: A, B ... Z, AA.
func letterName(i int) string {
	var b strings.Builder
	if i >= 26 {
		b.WriteString(letterName(i/26 - 1))
	}
	b.WriteByte(byte('A' + i%26))
	return b.String()
}
