package query

import (
	"strings"

	"catena/table"
)

// Adds says how the values of a column may be put together.
type Adds string

// How columns add up. The zero value is not known: sums are allowed.
const (
	AddsFlow       Adds = "flow"       // amounts of a period or an event: sums mean something
	AddsLevel      Adds = "level"      // a stock at a time: sums across the rest, the last in time
	AddsRate       Adds = "rate"       // a price, a percentage: means
	AddsIdentifier Adds = "identifier" // numbers that name something
	AddsTime       Adds = "time"       // a part of a date: a year, a month's number
)

// Field is a column of a relation as a query's checker knows it: its type, its unit, and how it adds up.
type Field struct {
	table.Column
	Adds Adds
}

// Schema is the columns of a relation, in their order.
type Schema []Field

// Index is the place of the named column: by exact name, else by name without regard to case; -1 when there is none.
func (s Schema) Index(name string) int {
	folded := -1
	for i := range s {
		if s[i].Name == name {
			return i
		}
		if folded < 0 && strings.EqualFold(s[i].Name, name) {
			folded = i
		}
	}
	return folded
}

// Names are the columns' names, in their order.
func (s Schema) Names() []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return names
}

// SchemaOf is the schema that a table has by itself.
func SchemaOf(t *table.Table) Schema {
	s := make(Schema, t.NumCols())
	for i := range s {
		s[i].Column = t.Column(i)
	}
	return s
}

// Catalog knows the tables that a query may name. It answers the same for as long as a query is checked and run.
type Catalog interface {
	// Schema is the columns of a table; false where there is none of that name.
	Schema(name string) (Schema, bool)
	// Tables are the names of all tables, for what is said about one that there is not.
	Tables() []string
}
