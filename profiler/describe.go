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
	PostalCode: "postal codes", Latitude: "latitudes", Longitude: "longitudes", Geo: "positions", JSON: "JSON values", List: "lists", Unknown: "no values",
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
	switch m.NullCount {
	case 0:
	case m.Count:
		b.WriteString(", all empty")
	default:
		fmt.Fprintf(&b, ", %d of %d empty", m.NullCount, m.Count)
	}
	b.WriteByte('.')
	return b.String()
}

// summarise is one line for a model or a heading.
func summarise(m ColumnMetadata, s *scan) string {
	b := make([]byte, 0, 160)
	b = append(append(append(b, m.CleanedName...), ": "...), m.SemanticType...)
	b = append(append(b, '/'), m.Role...)
	if m.Units != "" {
		b = append(append(b, ", unit "...), m.Units...)
	}
	b = append(strconv.AppendInt(append(b, ", "...), int64(m.Count), 10), " rows"...)
	if m.NullCount > 0 {
		b = append(strconv.AppendInt(append(b, ", "...), int64(m.NullCount), 10), " null"...)
	}
	b = append(strconv.AppendInt(append(b, ", "...), int64(m.DistinctCount), 10), " distinct"...)
	if lo, hi := rangeOf(m, s); lo != "" {
		b = append(append(b, ", range "...), lo...)
		b = append(append(b, " to "...), hi...)
	}
	if m.Mean != nil && m.Median != nil {
		b = strconv.AppendFloat(append(b, ", mean "...), *m.Mean, 'g', 6, 64)
		b = strconv.AppendFloat(append(b, ", median "...), *m.Median, 'g', 6, 64)
	}
	return string(b)
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
