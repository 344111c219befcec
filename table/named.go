package table

import (
	"fmt"

	"catena/internal/text"
)

// FirstNamed gives the first of several tables.
func FirstNamed(found []Named, err error) (Named, error) {
	if err != nil {
		return Named{}, err
	}
	return found[0], nil
}

// ListMore tells the first table's report of the others.
func ListMore(tables []Named) {
	first := &tables[0].Report
	first.More = nil
	for _, t := range tables[1:] {
		first.More = append(first.More, FoundTable{Name: t.Name, Rows: t.Table.NumRows(), Columns: t.Table.NumCols()})
		if len(first.More) <= 5 {
			first.Notes = append(first.Notes, fmt.Sprintf("the source has another table, %q, of %s and %s", t.Name,
				text.CountOf(t.Table.NumRows(), "row", "rows"), text.CountOf(t.Table.NumCols(), "column", "columns")))
		}
	}
	if n := len(first.More) - 5; n > 0 {
		first.Notes = append(first.Notes, fmt.Sprintf("the source has %s",
			text.CountOf(n, "further table", "further tables")))
	}
}

// OneNamed is a list of the only table.
func OneNamed(named Named, err error) ([]Named, error) {
	if err != nil {
		return nil, err
	}
	return []Named{named}, nil
}
