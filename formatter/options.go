package formatter

import (
	"fmt"
	"strings"

	"catena/profiler"
	"catena/table"
)

// Options say what Format does. The zero value shows the whole table as it is, in English. Columns are named as the table names them, or
// by their headings, without regard to case.
type Options struct {
	Title               string
	Limit               int      // rows at most; 0 is all
	SortBy              string   // "" keeps the order
	Ascending           bool     // with SortBy, or with RankBy alone: smallest first
	Columns             []string // what to show, in this order; empty is all
	Hide                []string // what not to show; weights and ranks may still use it
	SummaryRow          bool     // totals and means below the rows
	RankBy              string   // a column "#" with the place by this column, 1 being the greatest (the smallest with Ascending); sorts by it unless SortBy is set
	DetectAnomalies     bool
	IncludeDescriptions bool   // a sentence per column below the table
	Total               int    // rows before anything was cut off, where that is more than the table has; 0 is the table's
	Locale              string // BCP 47; "" is en
	MaxCell             int    // characters of a text cell in Markdown, HTML and bullets; 0 is 80, negative is no limit
	SignedColumns       []string
	Notes               []string // sentences that follow the table
}

// defaultMaxCell is how long a text cell may be unless told otherwise.
const defaultMaxCell = 80

// resolve finds a column by name, else by heading where only one column has it.
func resolve(t *table.Table, meta []profiler.ColumnMetadata, name string) (int, error) {
	i, err := t.Lookup(name)
	if err == nil {
		return i, nil
	}
	found := -1
	for c, m := range meta {
		if !strings.EqualFold(m.CleanedName, name) && !strings.EqualFold(heading(m), name) {
			continue
		}
		if found >= 0 {
			return -1, err
		}
		found = c
	}
	if found >= 0 {
		return found, nil
	}
	return -1, err
}

// check refuses options that mean nothing.
func (o Options) check() error {
	if o.Limit < 0 {
		return fmt.Errorf("limit is %d; it must be 0 (all rows) or more", o.Limit)
	}
	if o.Total < 0 {
		return fmt.Errorf("total is %d; it must be 0 or more", o.Total)
	}
	return nil
}
