package profiler

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"catena/table"
)

// Descriptions and summaries hold no text out of cells: they may be shown to a model that plans.

// kindNames are the semantic types as sentences use them.
var kindNames = map[string]string{
	Integer: "whole numbers", Decimal: "numbers", Currency: "amounts of money", Percentage: "percentages", Date: "dates", DateTime: "dates with time", Time: "times of day", Duration: "durations", Boolean: "yes or no",
	Category: "categories", ID: "identifiers", Text: "texts", Email: "email addresses", URL: "web addresses", Phone: "phone numbers", IP: "IP addresses", Country: "countries", Region: "regions", City: "cities",
	PostalCode: "postal codes", Latitude: "latitudes", Longitude: "longitudes", JSON: "JSON values", List: "lists", Unknown: "no values",
}

// describe is one sentence.
func describe(m ColumnMetadata, s *scan) string {
	var b strings.Builder
	b.WriteString(m.CleanedName + ": " + kindNames[m.SemanticType])
	if m.Units != "" && m.Units != "%" {
		b.WriteString(" in " + m.Units)
	}
	if lo, hi := rangeOf(m, s); lo != "" {
		if lo == hi {
			b.WriteString(", always " + lo)
		} else {
			b.WriteString(" from " + lo + " to " + hi)
		}
	} else if m.DistinctCount > 0 {
		fmt.Fprintf(&b, ", %d different", m.DistinctCount)
	}
	switch {
	case m.NullCount == 0:
	case m.NullCount == m.Count:
		b.WriteString(", all empty")
	default:
		fmt.Fprintf(&b, ", %d of %d empty", m.NullCount, m.Count)
	}
	b.WriteByte('.')
	return b.String()
}

// summarise is one line for a model or a heading.
func summarise(m ColumnMetadata, s *scan) string {
	parts := []string{m.SemanticType + "/" + m.Role}
	if m.Units != "" {
		parts = append(parts, "unit "+m.Units)
	}
	parts = append(parts, fmt.Sprintf("%d rows", m.Count))
	if m.NullCount > 0 {
		parts = append(parts, fmt.Sprintf("%d null", m.NullCount))
	}
	parts = append(parts, fmt.Sprintf("%d distinct", m.DistinctCount))
	if lo, hi := rangeOf(m, s); lo != "" {
		parts = append(parts, "range "+lo+" to "+hi)
	}
	if m.Mean != nil && m.Median != nil {
		parts = append(parts, fmt.Sprintf("mean %.6g", *m.Mean), fmt.Sprintf("median %.6g", *m.Median))
	}
	return m.CleanedName + ": " + strings.Join(parts, ", ")
}

// rangeOf gives the extremes of numbers and times, "" for others.
func rangeOf(m ColumnMetadata, s *scan) (lo, hi string) {
	typ := s.min.Type()
	if m.Role == RoleIdentifier || !typ.Numeric() && !typ.Temporal() && typ != table.Time && typ != table.Duration {
		return "", ""
	}
	if typ == table.Float {
		return shortFloat(s.min), shortFloat(s.max)
	}
	return s.min.Text(), s.max.Text()
}

// shortFloat writes a double with six significant digits: the rest is noise to a reader.
func shortFloat(v table.Value) string {
	f, _ := v.Float()
	if a := math.Abs(f); a >= 1e5 && a < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 6, 64)
}
