package profiler

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// ColumnMetadata is what is known of one column. Statistics that do not apply are nil: identifiers, phone numbers and
// postal codes have no mean, dates have extremes only. Of durations, Min, Max and Sum are durations as on the wire, and
// Mean, Median, Stddev, Quantiles and Histogram are in seconds.
//
// What is estimated says how far off it may be. DistinctError is the relative standard error of a HyperLogLog sketch of
// m = 2^14 registers, 1.04/√m (Flajolet, Fusy, Gandouet and Meunier, AofA 2007): about 0.8 %; two estimates of three
// are within it, 95 of 100 within twice as much. TopError is a bound, no chance: a true count lies between Count and
// Count + TopError, because each time a tally is full, the median of its counts is taken off every one and added to
// TopError (Anderson, Bevin, Lang, Liberty, Rhodes and Thaler, IMC 2017). A value that is missing from TopValues is no
// more frequent than the last of them by more than TopError.
type ColumnMetadata struct {
	OriginalName string `json:"original_name"`
	CleanedName  string `json:"cleaned_name"`
	SemanticType string `json:"semantic_type"` // one of the Semantic* constants
	// what the values name, finer than the type: one of the Concept* constants, "" where nothing is sure
	Concept     string `json:"concept,omitempty"`
	DType       string `json:"dtype"` // the stored type's wire name
	PandasDType string `json:"pandas_dtype"`
	Units       string `json:"units"`                 // null in JSON where none is known
	UnitSource  string `json:"unit_source,omitempty"` // name, values, metadata
	// the column that names the unit or currency of each row, where they are several: the numbers do not add up
	UnitColumn    string `json:"unit_column,omitempty"`
	Role          string `json:"role"`  // one of the Role* constants
	Count         int    `json:"count"` // rows
	NullCount     int    `json:"null_count"`
	DistinctCount int    `json:"distinct_count"`
	// relative standard error of DistinctCount; 0 when it is exact, as it always is but for texts and decimals of more
	// than 64 bits
	DistinctError   float64    `json:"distinct_error,omitempty"`
	InvalidCount    int        `json:"invalid_count"`
	Min             any        `json:"min,omitempty"` // JSON values, as on the wire
	Max             any        `json:"max,omitempty"`
	Sum             any        `json:"sum,omitempty"`
	Mean            *float64   `json:"mean,omitempty"`
	Median          *float64   `json:"median,omitempty"`
	Stddev          *float64   `json:"stddev,omitempty"`
	Quantiles       *Quantiles `json:"quantiles,omitempty"`
	Autocorrelation *float64   `json:"autocorrelation,omitempty"` // lag 1, in row order
	TopValues       []TopValue `json:"top_values,omitempty"`
	// how much too low the counts of TopValues may be; 0 when they are exact
	TopError   int      `json:"top_error,omitempty"`
	Histogram  []Bucket `json:"histogram,omitempty"`
	Lengths    *Lengths `json:"lengths,omitempty"`
	Sortedness string   `json:"sortedness,omitempty"` // ascending, descending, none
	// how a summary may fold the column: one of the Aggregate* constants
	Aggregation          string  `json:"aggregation"`
	FormattingSuggestion string  `json:"formatting_suggestion"` // grammar: see Suggestion
	Confidence           float64 `json:"confidence"`            // 0 to 1; two digits in JSON
	// one sentence, behind what the source itself says of the column (table.Column.About)
	Description    string   `json:"description"`
	ProfileSummary string   `json:"profile_summary"`
	Warnings       []string `json:"warnings,omitempty"`
}

// Quantiles at 5, 25, 50, 75 and 95 percent, by linear interpolation between order statistics (type 7 of Hyndman and
// Fan).
type Quantiles struct {
	P5  float64 `json:"p5"`
	P25 float64 `json:"p25"`
	P50 float64 `json:"p50"`
	P75 float64 `json:"p75"`
	P95 float64 `json:"p95"`
}

// TopValue is a frequent value.
type TopValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Bucket is one bar of a histogram: Low <= x < High, the last one closed.
type Bucket struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int     `json:"count"`
}

// Lengths of texts, in runes.
type Lengths struct {
	Min  int     `json:"min"`
	Max  int     `json:"max"`
	Mean float64 `json:"mean"`
}

// Meaning is what a column means, for people: its semantic type, with the concept where one is known, as in Text
// (person name).
func (m *ColumnMetadata) Meaning() string {
	if m.Concept == "" {
		return m.SemanticType
	}
	return m.SemanticType + " (" + m.Concept + ")"
}

// Semantic types.
const (
	Integer    = "Integer"
	Decimal    = "Decimal"
	Currency   = "Currency"
	Percentage = "Percentage"
	Date       = "Date"
	DateTime   = "DateTime"
	Time       = "Time"
	Duration   = "Duration"
	Boolean    = "Boolean"
	Category   = "Category"
	ID         = "ID"
	Text       = "Text"
	Email      = "Email"
	URL        = "URL"
	Phone      = "Phone"
	IP         = "IP"
	Country    = "Country"
	Region     = "Region"
	City       = "City"
	PostalCode = "PostalCode"
	Latitude   = "Latitude"
	Longitude  = "Longitude"
	Geo        = "Geo" // positions and outlines: POINT (13.4 52.5), "52.5, 13.4"
	JSON       = "JSON"
	List       = "List"
	Unknown    = "Unknown"
)

// Roles.
const (
	RoleMeasure    = "measure"
	RoleDimension  = "dimension"
	RoleIdentifier = "identifier"
	RoleTime       = "time"
)

// How a summary row may fold a column.
const (
	AggregateSum  = "sum"  // amounts, counts, quantities, shares of one whole
	AggregateMean = "mean" // rates, prices, scores: weighted where a weight is known, else plain and said so
	AggregateNone = "none" // identifiers, times, texts, mixed currencies and units
)

// MarshalJSON writes units as null where none is known, as clients expect it, and the confidence with two digits after
// the point: more are not known.
func (m ColumnMetadata) MarshalJSON() ([]byte, error) {
	type plain ColumnMetadata
	out := struct {
		plain
		Units *string `json:"units"`
	}{plain: plain(m)}
	out.Confidence = math.Round(m.Confidence*100) / 100
	if m.Units != "" {
		out.Units = &m.Units
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the encoder around this one escapes where that is wanted
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// DropsPercent reports whether the column's own name says that its values are percentages, which CleanedName leaves to
// the unit: growth_pct and Growth. A share or a margin says it by its meaning, not by a word of its name.
func (m *ColumnMetadata) DropsPercent() bool {
	percent := func(name string) bool {
		return slices.ContainsFunc(splitName(name), func(w string) bool { return percentWords[strings.ToLower(w)] })
	}
	return m.Units == "%" && percent(m.OriginalName) && !percent(m.CleanedName)
}
