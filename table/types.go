package table

import (
	"context"
	"time"
)

// Type is what a column stores. It says nothing of what the column means: that is the profiler's work.
type Type uint8

// The storage types. The zero value is Null: a column of which every cell is null.
const (
	Null Type = iota
	Bool      // true, false
	Int       // 64-bit signed integers
	// IEEE 754 doubles: only where the source has exponents or more than 38 digits, or for computed statistics
	Float
	Decimal  // exact, up to 38 digits, one scale for the column
	Text     // UTF-8
	Date     // a calendar day without zone
	DateTime // an instant with microseconds; without a zone in the source it is kept as UTC and Column.Zone is ""
	Time     // a time of day, in microseconds since midnight
	Duration // microseconds
	JSON     // any JSON value (objects, arrays), kept as its text
)

// String returns the wire name of the type: null, boolean, integer, float, decimal, text, date, datetime, time,
// duration, json.
func (t Type) String() string {
	names := [...]string{"null", "boolean", "integer", "float", "decimal", "text", "date", "datetime", "time",
		"duration", "json"}
	if int(t) < len(names) {
		return names[t]
	}
	return "unknown"
}

// Numeric reports whether sums and means are defined on the type: Int, Float, Decimal.
func (t Type) Numeric() bool { return t == Int || t == Float || t == Decimal }

// Temporal reports whether the type is a point in time: Date or DateTime.
func (t Type) Temporal() bool { return t == Date || t == DateTime }

// Units of whole numbers that stand for a day of the week (1 is Monday), a month (1 is January) or a year. A table's
// column may carry one. Weekdays and months are shown by name, years without separators; the unit is never a part of a
// heading.
const (
	UnitWeekday = "weekday"
	UnitMonth   = "month of year"
	UnitYear    = "calendar year"
)

// Column describes one column.
type Column struct {
	Name  string // unique within its table; loaders make repeated names unique by a suffix _2, _3 ...
	Type  Type
	Scale int32  // digits after the point, for Decimal
	Zone  string // IANA name or offset, for DateTime, where the source had one; "" when it did not say
	Unit  string // from metadata that came with the data ("USD", "%"); "" where the source did not say
	Title string // what the source calls the column for people, at most 64 bytes; "" where it did not say
	// what the source says of the column, a sentence or more of at most 1,000 bytes; "" where it did not say. Arrow and
	// Parquet files, wire forms and the schemas of tools may
	About string
}

// Value is one cell. The zero Value is null. Values are comparable by Compare, not by ==.
type Value struct {
	typ Type
	i   int64   // Bool, Int, Date (days since 1970-01-01), DateTime (µs since 1970-01-01 UTC), Time, Duration (µs)
	hi  int64   // the upper half of a Decimal's 128 bits; i holds the lower
	f   float64 // Float
	s   string  // Text, JSON
	sc  int32   // Decimal's scale
}

// SortKey orders rows by one column. Nulls come last in either direction.
type SortKey struct {
	Column string
	Desc   bool
}

// Period is what dates are cut to for grouping.
type Period string

// The periods. The *Of* ones fold all years together and give integers.
const (
	Year        Period = "year"          // 2026 as an integer
	Quarter     Period = "quarter"       // first day of the quarter, a Date
	Month       Period = "month"         // first day of the month, a Date
	Week        Period = "week"          // Monday of the ISO week, a Date
	Day         Period = "day"           // the day, a Date
	Decade      Period = "decade"        // 1990 as an integer
	Hour        Period = "hour"          // hour of the day 0..23
	MonthOfYear Period = "month_of_year" // 1..12
	Weekday     Period = "weekday"       // 1 (Monday) .. 7, ISO 8601
)

// GroupKey is one grouping column.
type GroupKey struct {
	Column string
	As     string // name of the result column; "" keeps Column
}

// AggFunc names an aggregate.
type AggFunc string

// The aggregates. All but Count skip nulls; over no values all but the counts give null.
const (
	// Int and Decimal sums are exact (a wide accumulator); where 64 bits do not hold a sum of Ints all are Decimals;
	// beyond 38 digits it is an error
	Sum           AggFunc = "sum"
	Mean          AggFunc = "mean"           // computed exactly for Int and Decimal, then rounded once to a double
	Median        AggFunc = "median"         // the mean of the two middle values for even counts
	Min           AggFunc = "min"            // any ordered type
	Max           AggFunc = "max"            // any ordered type
	Count         AggFunc = "count"          // rows when Column is "" or "*", else non-null cells
	CountDistinct AggFunc = "count_distinct" // distinct non-null values
	Stddev        AggFunc = "stddev"         // sample standard deviation (n-1)
	First         AggFunc = "first"          // first non-null in row order
	Last          AggFunc = "last"           // last non-null in row order
)

// Aggregate is one computed column of a grouping.
type Aggregate struct {
	Func   AggFunc
	Column string // "" or "*" for Count of rows
	As     string // result name; "" gives e.g. sum_revenue_usd, count
}

// Limits bound what a loader accepts; a field that is zero or less is that of DefaultLimits. What goes over one is an
// error: a *FormatError that wraps a *LimitError.
type Limits struct {
	Bytes    int64 // of the source, after decompression
	Ratio    int   // bytes of content for each compressed byte, where there are more than 4 MiB of content
	Rows     int   // of each table
	Columns  int   // of each table
	CellSize int   // bytes of one cell's text
	Depth    int   // of JSON, and of tables in tables in HTML
	Tables   int   // in one source

	Time   time.Duration // one reading takes at most; what goes over it is a *LimitError
	Memory *MemoryBudget // that readings draw from; nil is the budget of the process, DefaultMemoryBudget

	// Locale is the BCP 47 tag of who sends a text, "" where nobody knows. It decides only what a delimited, printed or
	// marked-up text leaves open: in de, 1.000 is a thousand and 1,234 has a fraction, unless another number of the
	// table or the delimiter says otherwise.
	Locale string

	ctx      context.Context // ends the reading; nil for one that nothing ends
	deadline time.Time       // of the reading; zero before it begins
	memory   *reservation    // what the reading has drawn of the budget; nil before it begins
}

// DefaultLimits are what a source may hold unless told otherwise.
var DefaultLimits = Limits{Bytes: 256 << 20, Ratio: 100, Tables: 256, Rows: 10_000_000, Columns: 16384,
	CellSize: 1 << 20, Depth: 64, Time: time.Minute}

// LoadReport says what a loader found and what it changed; nothing is repaired silently.
type LoadReport struct {
	Source string // the file's name, or what the caller called it
	// csv, tsv, text (printed with bars or spaces), json, jsonl, markdown, html, xlsx, parquet, arrow, sqlite
	Format   string
	Encoding string // utf-8, utf-16le, windows-1252 ...
	Comma    string // the delimiter, for csv
	Header   bool   // whether the first row was taken as names
	Rows     int
	Notes    []string // one sentence each: "row 17 had 5 cells instead of 6 and was padded"

	// What follows is for delimited text and, but for the dialect, for sheets, Markdown and HTML. More is for all.
	Quote      string        // what encloses cells: " or '
	Escape     string        // what stands before quotes in cells; "" where they are doubled
	HeaderRows int           // rows that name the columns; their texts are joined
	Blank      int           // empty lines and rows without content
	Dropped    []DroppedRow  // lines that are no part of a table, at most 1,000
	Repaired   []RepairedRow // rows whose cells were cut in another way than the dialect says, at most 1,000
	More       []FoundTable  // the other tables of the text, in their order: Tables loads them

	Declared Declared // what a database says of the table's keys
}

// Declared is what a source says of a table's keys. Whether the rows keep to it is not known.
type Declared struct {
	Keys       [][]string  `json:"keys,omitempty"` // columns that tell the rows apart, the primary key first
	References []Reference `json:"references,omitempty"`
}

// Reference is a declared one: columns whose values are those of columns of another table of the source, or of the
// same.
type Reference struct {
	Columns []string `json:"columns"`
	Table   string   `json:"table"`
	Of      []string `json:"of"`
}

// DroppedRow is a line of a text that is no row of a table.
type DroppedRow struct {
	Line int    // 1-based
	Text string // its first 200 bytes
	Why  string // a clause: "it stands above the table"
}

// RepairedRow is a row that was not read as it is written.
type RepairedRow struct {
	Line int    // 1-based
	Was  string // its first 200 bytes
	What string // a clause: "a missing delimiter was put in"
}

// FoundTable is a further table of a text.
type FoundTable struct {
	Name          string
	Line          int // where it begins
	Rows, Columns int
}

// Named is a table that a source gave, with its name (the file's base name without ending, the SQLite table's name).
type Named struct {
	Name   string
	Table  *Table
	Report LoadReport
}

// UnknownColumnError says that a column does not exist and names the ones that look like it.
type UnknownColumnError struct {
	Name    string
	Nearest []string // up to three, best first
	Have    []string // all columns, in order
}

// FormatError says why a source could not be read as a table: empty, binary, header only where rows are needed, over a
// limit. Use errors.As to reach it.
type FormatError struct {
	Source string // what was read
	Line   int    // 1-based; 0 when it does not apply
	Reason string // a sentence without the source's name: "the file is empty"
	Hint   string // what to do next; may be ""
	Err    error  // the cause, such as fs.ErrNotExist; may be nil
}

func epochDay(t time.Time) int64 { return FloorDiv(t.Unix(), 86400) }

// wireTypes are the types by their wire names.
var wireTypes = func() map[string]Type {
	m := map[string]Type{}
	for t := Null; t <= JSON; t++ {
		m[t.String()] = t
	}
	return m
}()

// ParseType gives the type of a wire name (see Type.String); false where there is none of that name.
func ParseType(name string) (Type, bool) {
	t, ok := wireTypes[name]
	return t, ok
}

// Valid reports whether p is one of the periods above.
func (p Period) Valid() bool {
	switch p {
	case Year, Quarter, Month, Week, Day, Decade, Hour, MonthOfYear, Weekday:
		return true
	}
	return false
}

// Type is the type of such periods: Date for Quarter, Month, Week and Day, Int for the others.
func (p Period) Type() Type {
	switch p {
	case Quarter, Month, Week, Day:
		return Date
	}
	return Int
}
