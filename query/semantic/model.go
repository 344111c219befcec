package semantic

import (
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

// Model is what a set of tables means.
type Model struct {
	// Name is the model's own; "" for an inferred one.
	Name string
	// Description is what a person says of it; "" where nobody did.
	Description string
	// Entities are in the order of the tables.
	Entities []Entity
	// Relationships are in the order of their left tables and columns. They hold unsure ones too: see Usable.
	Relationships []Relationship
	// Metrics are those of a file; inference makes none.
	Metrics []Metric
}

// Entity is what a row of a table is.
type Entity struct {
	// Table is its name, as the catalogue knows it.
	Table string
	// As is the name that metrics of a file call it by; "" is the table's.
	As string
	// Singular and Plural are nouns for a row and for several, in lower case.
	Singular, Plural string
	// Key are the columns that identify a row; nil where none do.
	Key []string
	// Name is the column that people call a row by; "" where there is none.
	Name string
	// Time is the column of the time that a row speaks of; "" where there is none, or several of equal right.
	Time string
	// Fields are the columns in their order, and expressions over them.
	Fields []Field
	// Description is what a person says of it.
	Description string
	// Synonyms are other nouns for it.
	Synonyms []string
}

// Field is a column, or an expression over the columns of a row.
type Field struct {
	// Name is the column's, or that of the expression.
	Name string
	// Label is for people.
	Label string
	// Role is what it serves for.
	Role Role
	// Type is how the column is stored; Null for an expression.
	Type table.Type
	// Kind is what its values are, by one of the profiler's types: Currency, Integer; "" where nothing was profiled.
	Kind string
	// Unit is of its values; "" where none is known.
	Unit string
	// Adds is how its values are put together; "" where that is not known, or they do not add up at all.
	Adds query.Adds
	// Weight is the column by which means of a rate are weighted; "" where none is known.
	Weight string
	// Expression is SQL over the columns of the row; "" for the column itself.
	Expression string
	// Description is what a person, or the source, says of it.
	Description string
	// Synonyms are other names for it.
	Synonyms []string
	// CopyOf is the column that it repeats, of the row that its row refers to; zero where it is its table's own.
	CopyOf ColumnName
}

// ColumnName names a column of a table.
type ColumnName struct{ Table, Column string }

// Role is what a field serves for.
type Role string

// The roles of fields.
const (
	Dimension  Role = "dimension" // rows are grouped and chosen by it
	Measure    Role = "measure"   // it is computed with
	Identifier Role = "identifier"
	Time       Role = "time"
)

// Relationship says that rows of one table refer to rows of another by equal values.
type Relationship struct {
	// Name is that of a file; "" for others.
	Name string
	// Left is the table whose rows refer, Right the one that is referred to. The columns match in their order.
	Left         string
	LeftColumns  []string
	Right        string
	RightColumns []string
	// Cardinality is how many rows match.
	Cardinality Cardinality
	// Role is what the right row is to the left one, where the column says it: manager, billing; "" where it is plain.
	Role string
	// Known is where the relationship is from.
	Known Known
	// Score, from 0 to 1, is how much speaks for an inferred one. Others have 1.
	Score float64
}

// Cardinality is how many rows of the left table match how many of the right one.
type Cardinality string

// The cardinalities. One to many is many to one from the other side.
const (
	ManyToOne  Cardinality = "many_to_one"
	OneToOne   Cardinality = "one_to_one"
	ManyToMany Cardinality = "many_to_many"
)

// Known says where a relationship is from.
type Known string

// What relationships are known by.
const (
	Declared Known = "declared" // the source says so
	File     Known = "file"     // a model file says so
	Inferred Known = "inferred" // by names and values
)

// Sure is the score from which an inferred relationship is used.
const Sure = 0.7

// Usable reports whether tables may be joined by it unasked: it is sure, and gives one right row at most.
func (r Relationship) Usable() bool {
	return r.Cardinality != ManyToMany && (r.Known != Inferred || r.Score >= Sure)
}

// Metric is a number with a name, computed from rows of one table or of several.
type Metric struct {
	// Name is unique among the model's metrics.
	Name string
	// Expression is SQL over aggregates of columns that are written table.column: SUM(orders.amount). Package query/sql
	// makes the algebra of it, where the tables are known.
	Expression string
	// Dimensions are the fields that it may be grouped by, as table.column; nil allows every one that a join without
	// fan-out reaches.
	Dimensions []string
	// Description is what a person says of it.
	Description string
	// Synonyms are other names for it.
	Synonyms []string
}

// Entity is that of a table. Case does not count.
func (m *Model) Entity(table string) (Entity, bool) {
	at := slices.IndexFunc(m.Entities, func(e Entity) bool { return strings.EqualFold(e.Table, table) })
	if at < 0 {
		return Entity{}, false
	}
	return m.Entities[at], true
}

// Within is what the model says of the tables that a function reports true for, with what is related among them and the
// metrics that need no other; the model itself where these are all. It shares the entities with the model.
func (m *Model) Within(has func(table string) bool) *Model {
	out := *m
	out.Entities = slices.DeleteFunc(slices.Clone(m.Entities), func(e Entity) bool { return !has(e.Table) })
	if len(out.Entities) == len(m.Entities) {
		return m
	}
	out.Relationships = slices.DeleteFunc(slices.Clone(m.Relationships), func(r Relationship) bool {
		return !has(r.Left) || !has(r.Right)
	})
	out.Metrics = slices.DeleteFunc(slices.Clone(m.Metrics), func(x Metric) bool {
		tables, err := m.Tables(x)
		return err != nil || slices.ContainsFunc(tables, func(t string) bool { return !has(t) })
	})
	return &out
}

// Of are the relationships that a table is on either side of.
func (m *Model) Of(table string) []Relationship {
	var out []Relationship
	for _, r := range m.Relationships {
		if strings.EqualFold(r.Left, table) || strings.EqualFold(r.Right, table) {
			out = append(out, r)
		}
	}
	return out
}

// Metric is the one of a name. Case does not count.
func (m *Model) Metric(name string) (Metric, bool) {
	at := slices.IndexFunc(m.Metrics, func(x Metric) bool { return strings.EqualFold(x.Name, name) })
	if at < 0 {
		return Metric{}, false
	}
	return m.Metrics[at], true
}

// Field is the entity's one of a name. Case does not count.
func (e Entity) Field(name string) (Field, bool) {
	at := slices.IndexFunc(e.Fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
	if at < 0 {
		return Field{}, false
	}
	return e.Fields[at], true
}

// String says the relationship with its columns: orders.customer_id -> customers.id.
func (r Relationship) String() string {
	return qualified(r.Left, r.LeftColumns) + " -> " + qualified(r.Right, r.RightColumns)
}

func qualified(table string, columns []string) string {
	if len(columns) == 1 {
		return table + "." + columns[0]
	}
	return table + ".(" + strings.Join(columns, ", ") + ")"
}
