package formatter

import (
	"fmt"
	"strings"

	"catena/profiler"
	"catena/table"
)

// Options say what Format does. The zero value shows the whole table as it is, in English. Columns are named as the
// table names them, or by their headings, without regard to case.
type Options struct {
	Title      string
	Limit      int      // rows at most; 0 is all
	SortBy     string   // "" keeps the order
	Ascending  bool     // with SortBy, or with RankBy alone: smallest first
	Columns    []string // what to show, in this order; empty is all
	Hide       []string // what not to show; weights and ranks may still use it
	SummaryRow bool     // totals and means below the rows
	// a column "#" with the place by this column, 1 being the greatest (the smallest with Ascending); sorts by it
	// unless SortBy is set
	RankBy string
	// columns of amounts or counts: each is followed by <column>_share, in percent of the sum over all rows
	ShareOfTotal []string
	// columns of numbers: each is followed by <column>_change and <column>_change_pct against the row before, in the
	// order shown
	Change []string
	// tell values that stand out in their columns, and rows whose numbers are unusual together
	DetectAnomalies     bool
	IncludeDescriptions bool // a sentence per column below the table
	// rows before anything was cut off, where that is more than the table has; 0 is the table's
	Total    int
	Locale   string   // BCP 47; "" is en. Numbers and dates follow it, words stay English
	Negative Negative // how numbers below zero are written
	Compact  bool     // large amounts and counts as 1.2M; exports keep all digits
	Raw      bool     // names and values as the table has them, without formats
	// characters of a text cell in Markdown, HTML, bullets and text for models; 0 is 80, negative is no limit
	MaxCell       int
	MaxColumns    int // columns in the same outputs; 0 is 20, or all where Columns names them; negative is no limit
	SignedColumns []string
	Notes         []string // sentences that follow the table
}

// Negative is how numbers below zero are written for people. Exports have the hyphen.
type Negative string

// The ways of writing numbers below zero.
const (
	TypographicMinus Negative = ""            // −1,204.50 with U+2212
	Hyphen           Negative = "hyphen"      // -1,204.50
	Parentheses      Negative = "parentheses" // (1,204.50), as accountants do
)

// defaultMaxCell is how long a text cell may be unless told otherwise.
const defaultMaxCell = 80

// OptionError says which option cannot be had, and why. Use errors.As to reach it.
type OptionError struct {
	Option string // as the tool format_table_for_llm names it: "limit", "share_of_total" ...
	Reason string // a clause that follows the option's name
}

func (e *OptionError) Error() string { return e.Option + " " + e.Reason }

// FindColumn finds the column that people call name: by its own name, else by the one heading that it is, in any case,
// with or without its unit. The error is a *table.UnknownColumnError.
func FindColumn(t *table.Table, meta []profiler.ColumnMetadata, name string) (int, error) {
	i, err := t.Lookup(name)
	if err == nil {
		return i, nil
	}
	found := -1
	for c, m := range meta {
		if !names(m, name) {
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

// names reports whether a name in the options means a column: its name or heading, with or without unit.
func names(m profiler.ColumnMetadata, name string) bool {
	return strings.EqualFold(m.OriginalName, name) || strings.EqualFold(m.CleanedName, name) ||
		strings.EqualFold(heading(&m), name)
}

// check refuses options that mean nothing.
func (o Options) check() error {
	switch o.Negative {
	case TypographicMinus, Hyphen, Parentheses:
	default:
		return &OptionError{
			"negative",
			fmt.Sprintf("is %q; it must be %q, %q or empty", o.Negative, Hyphen, Parentheses),
		}
	}
	if o.Limit < 0 {
		return &OptionError{"limit", fmt.Sprintf("is %d; it must be 0 (all rows) or more", o.Limit)}
	}
	if o.Total < 0 {
		return &OptionError{"total", fmt.Sprintf("is %d; it must be 0 or more", o.Total)}
	}
	return nil
}
