package main

import (
	"strconv"
	"strings"

	"catena/bench/semtypes/learn"
	"catena/bench/sets"
	"catena/profiler"
	"catena/profiler/shape"
)

// sortinghat puts the columns of SortingHat to the profiler, whose money and dates are counted where the gold says neither.
func sortinghat(o *sets.Options, f *figures) error {
	columns, err := learn.Columns(o.Path("sortinghat", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	for _, c := range columns {
		if !plainLabels[c.Label] {
			continue
		}
		m, err := profileColumn(c.Name, c.Samples)
		if err != nil {
			return err
		}
		if coerced(m) && !agrees(c, m) {
			f.FalseCoercions++
			o.Missf("%s %q: false %s for %s %.80q", c.ID, c.Name, m.SemanticType, c.Label, c.Samples)
		}
	}
	return nil
}

// agrees reports whether a time is no mistake although the label is not datetime. Labels such as not-generalizable say of what use a column is,
// not what it holds, and categorical is also what the set calls years and days that repeat.
func agrees(c learn.Column, m profiler.ColumnMetadata) bool {
	if m.SemanticType != profiler.Date && m.SemanticType != profiler.DateTime {
		return false
	}
	if c.Label == "not-generalizable" || c.Label == "context-specific" {
		return true
	}
	for _, cell := range c.Samples {
		cell = strings.TrimSpace(cell)
		year, err := strconv.Atoi(cell)
		if cell != "" && shape.Date(cell) == shape.NoDate && (err != nil || year < 1800 || year > 2100) {
			return false
		}
	}
	return true
}
