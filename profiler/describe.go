package profiler

import (
	"math"
	"strconv"
	"strings"
	"time"

	"catena/table"
)

// Descriptions and summaries hold no text out of cells: they may be shown to a model that plans. What the source says
// of a column, in its schema, stands before the description.

// kindNames are the semantic types as sentences use them.
var kindNames = map[string]string{
	Integer: "whole numbers", Decimal: "numbers", Currency: "amounts of money", Percentage: "percentages",
	Date: "dates", DateTime: "dates with time", Time: "times of day", Duration: "durations", Boolean: "yes or no",
	Category: "categories", ID: "identifiers", Text: "texts", Email: "email addresses", URL: "web addresses",
	Phone: "phone numbers", IP: "IP addresses", Country: "countries", Region: "regions", City: "cities",
	PostalCode: "postal codes", Latitude: "latitudes", Longitude: "longitudes", Geo: "positions", JSON: "JSON values",
	List: "lists", Unknown: "no values",
}

// addWords writes Description, one sentence behind those of the source, and ProfileSummary, one line for a model or a
// heading. They share one piece of memory.
func (m *ColumnMetadata) addWords(s *scan) {
	lo, hi := rangeOf(m, s)
	b := make([]byte, 0, 320)
	if about := s.col.About; about != "" {
		if b = append(b, about...); !strings.ContainsAny(about[len(about)-1:], ".!?:;") {
			b = append(b, '.')
		}
		b = append(b, ' ')
	}
	b = m.appendDescription(b, s, lo, hi)
	end := len(b)
	all := string(m.appendSummary(b, lo, hi))
	m.Description, m.ProfileSummary = all[:end], all[end:]
}

func (m *ColumnMetadata) appendDescription(b []byte, s *scan, lo, hi string) []byte {
	kind := kindNames[m.SemanticType]
	if m.SemanticType == Date && s.col.Type.Numeric() && len(lo) == len("2026") {
		kind = "years"
	}
	b = append(append(append(b, m.CleanedName...), ": "...), kind...)
	if m.Concept != "" {
		b = append(append(append(b, " ("...), m.Concept...), ')')
	}
	if m.Units != "" && m.Units != "%" {
		b = append(append(b, " in "...), m.Units...)
	}
	if strings.HasPrefix(m.FormattingSuggestion, "percent:ratio") {
		b = append(b, " as ratios"...)
	}
	switch {
	case lo != "" && lo == hi:
		b = append(append(b, ", always "...), lo...)
	case lo != "":
		b = append(append(b, " from "...), lo...)
		b = append(append(b, " to "...), hi...)
	case m.DistinctCount == 1 && m.Count-m.NullCount > 1:
		b = append(b, ", all alike"...)
	case m.DistinctCount > 0:
		b = append(strconv.AppendInt(append(b, ", "...), int64(m.DistinctCount), 10), " different"...)
	}
	switch m.NullCount {
	case 0:
	case m.Count:
		b = append(b, ", all empty"...)
	default:
		b = append(strconv.AppendInt(append(b, ", "...), int64(m.NullCount), 10), " of "...)
		b = append(strconv.AppendInt(b, int64(m.Count), 10), " empty"...)
	}
	return append(b, '.')
}

func (m *ColumnMetadata) appendSummary(b []byte, lo, hi string) []byte {
	b = append(append(append(b, m.CleanedName...), ": "...), m.Meaning()...)
	b = append(append(b, '/'), m.Role...)
	if m.Units != "" {
		b = append(append(b, ", unit "...), m.Units...)
		if strings.HasPrefix(m.FormattingSuggestion, "percent:ratio") {
			b = append(b, " as ratios"...)
		}
	}
	b = append(strconv.AppendInt(append(b, ", "...), int64(m.Count), 10), " rows"...)
	if m.NullCount > 0 {
		b = append(strconv.AppendInt(append(b, ", "...), int64(m.NullCount), 10), " null"...)
	}
	b = append(strconv.AppendInt(append(b, ", "...), int64(m.DistinctCount), 10), " distinct"...)
	if lo != "" {
		b = append(append(b, ", range "...), lo...)
		b = append(append(b, " to "...), hi...)
	}
	if m.Mean != nil && m.Median != nil {
		b = m.appendNumber(append(b, ", mean "...), *m.Mean)
		b = m.appendNumber(append(b, ", median "...), *m.Median)
	}
	return b
}

// appendNumber writes a statistic with six digits, the seconds of a duration as a duration.
func (m *ColumnMetadata) appendNumber(b []byte, x float64) []byte {
	const longest = 9e9 // seconds
	if m.SemanticType == Duration && m.DType == table.Duration.String() && math.Abs(x) < longest {
		return append(b, time.Duration(x*float64(time.Second)).Round(time.Millisecond).String()...)
	}
	return strconv.AppendFloat(b, x, 'g', 6, 64)
}

// rangeOf gives the extremes of numbers and times, "" for others.
func rangeOf(m *ColumnMetadata, s *scan) (lo, hi string) {
	typ := s.min.Type()
	if m.Role == RoleIdentifier || m.SemanticType == PostalCode || m.SemanticType == Phone ||
		!typ.Numeric() && !typ.Temporal() && typ != table.Time && typ != table.Duration {
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
