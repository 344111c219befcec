package data

import (
	"fmt"
	"strings"

	"catena/table"
)

// oneSpelling gives the cells of a text column with each value as it is most often written: "acme ltd" and "Acme Ltd" are one value,
// as they are to filters. merged names some that were brought together; nil cells mean that nothing was.
func oneSpelling(t *table.Table, col int) (cells []table.Value, merged string) {
	if t.Column(col).Type != table.Text {
		return nil, ""
	}
	rows := map[string]int{}
	var order []string
	for row := range t.Rows() {
		if t.IsNull(row, col) {
			continue
		}
		s := t.Value(row, col).Text()
		if rows[s]++; rows[s] == 1 {
			order = append(order, s)
		}
	}
	usual, different := map[string]string{}, false
	for _, s := range order {
		key := foldText(s)
		have, ok := usual[key]
		if different = different || ok; !ok || rows[s] > rows[have] {
			usual[key] = s
		}
	}
	if !different {
		return nil, ""
	}
	as := make(map[string]table.Value, len(order))
	var told []string
	for _, s := range order {
		u := usual[foldText(s)]
		as[s] = table.TextValue(u)
		if u != s && len(told) < 3 {
			told = append(told, fmt.Sprintf("“%s” with “%s”", strings.TrimSpace(s), strings.TrimSpace(u)))
		}
	}
	cells = t.NewValues()
	for row := range t.Rows() {
		if !t.IsNull(row, col) {
			cells[row] = as[t.Value(row, col).Text()]
		}
	}
	return cells, strings.Join(told, ", ")
}

// spelledAlike groups texts that differ in case or outer space only as one.
func (r *queryRun) spelledAlike(keys []table.GroupKey) error {
	for i, k := range keys {
		name, err := r.alike(k.Column)
		if err != nil {
			return err
		}
		if name != "" {
			keys[i].Column = name
		}
	}
	return nil
}

// alike names a copy of a column in which each value has one spelling, "" where it has anyway.
func (r *queryRun) alike(column string) (string, error) {
	c, err := r.t.Lookup(column)
	if err != nil {
		return "", err
	}
	cells, merged := oneSpelling(r.t, c)
	if cells == nil {
		return "", nil
	}
	col := r.t.Column(c)
	r.note("In %s, spellings that differ in capitals only were counted as one: %s.", col.Name, merged)
	col.Name = freeName(col.Name+" in one spelling", func(n string) bool { return r.t.Index(n) >= 0 })
	t, err := r.t.WithColumn(col, cells)
	if err != nil {
		return "", err
	}
	r.t = t
	return col.Name, nil
}
