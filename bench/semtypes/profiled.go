package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"strings"

	"catena/bench/sets"
	"catena/profiler"
	"catena/table"
	tablecsv "catena/table/csv"
)

// generated is a column of the set semtypes.
type generated struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Mode     string   `json:"name_mode"`
	Values   []string `json:"values"`
	Semantic string   `json:"semantic_type"`
	Unit     *string  `json:"unit"`
}

// semtypes profiles the generated columns.
func semtypes(o *sets.Options, f *figures) error {
	columns, err := sets.Lines[generated](o.Path("semtypes", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	types, units := newScore(), newScore()
	for _, c := range columns {
		m, err := profileColumn(c.Name, c.Values)
		if err != nil {
			return err
		}
		told := labelOf(m)
		if !types.add(c.Semantic, told) {
			o.Missf("%s %s %q: %s for %s (%s %s %q) %.80q", c.ID, c.Mode, c.Name, told, c.Semantic, m.SemanticType, m.DType, m.Units, c.Values[:min(5, len(c.Values))])
		}
		if c.Unit != nil {
			if !units.add(*c.Unit, m.Units) {
				o.Missf("%s %s %q: unit %q for %q (%s %s) %.80q", c.ID, c.Mode, c.Name, m.Units, *c.Unit, m.SemanticType, m.DType, c.Values[:min(5, len(c.Values))])
			}
		}
		if coerced(m) && plainLabels[c.Semantic] {
			f.FalseCoercions++
			o.Missf("%s %s %q: false %s for %s %.80q", c.ID, c.Mode, c.Name, m.SemanticType, c.Semantic, c.Values[:min(5, len(c.Values))])
		}
	}
	f.SemtypesAcc, f.SemtypesF1, f.SemtypesUnits = types.accuracy(), types.macroF1(), units.accuracy()
	return nil
}

// plainLabels are the labels of both sets that are neither money nor a share nor a time.
var plainLabels = map[string]bool{
	"Text": true, "ID": true, "Category": true, "Boolean": true, "Email": true, "URL": true, "Phone": true, "Country": true, "JSON": true, "Geo": true,
	"categorical": true, "sentence": true, "url": true, "list": true, "not-generalizable": true, "context-specific": true,
}

// coerced reports whether a column is read as money, percentages or a time.
func coerced(m profiler.ColumnMetadata) bool {
	switch m.SemanticType {
	case profiler.Currency, profiler.Percentage, profiler.Date, profiler.DateTime:
		return true
	}
	return false
}

// profileColumn loads cells as the first column of a file, and profiles it. The second column keeps a single column from being taken for text.
func profileColumn(name string, cells []string) (profiler.ColumnMetadata, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{name, "other"}}
	for _, cell := range cells {
		rows = append(rows, []string{cell, "x y"})
	}
	if err := w.WriteAll(rows); err != nil {
		return profiler.ColumnMetadata{}, err
	}
	named, err := tablecsv.Read(&b, "column.csv", table.Limits{})
	if err != nil {
		return profiler.ColumnMetadata{}, err
	}
	return profiler.Profile(context.Background(), named.Table)[0], nil
}

// labelOf is the set's label for what the profiler found. Units that values carry make a Measure; the set has no further kinds of places.
func labelOf(m profiler.ColumnMetadata) string {
	switch m.SemanticType {
	case profiler.Integer, profiler.Decimal, profiler.Duration:
		if m.Units != "" && m.UnitSource != profiler.UnitFromName || m.SemanticType == profiler.Duration {
			return "Measure"
		}
	case profiler.Latitude, profiler.Longitude:
		return "Geo"
	case profiler.List:
		return "JSON"
	case profiler.Region, profiler.City:
		return "Category"
	case profiler.PostalCode:
		return "ID"
	case profiler.IP:
		return "Text"
	}
	return strings.TrimSpace(m.SemanticType)
}
