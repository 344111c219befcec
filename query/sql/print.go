package sql

import (
	"fmt"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// Statement is a query as one SELECT for a database.
type Statement struct {
	// Text has a mark for each of Args: $1, ?1 or ?, as the dialect writes them.
	Text string
	// Args are the constants of the query. No value of a query stands in Text.
	Args []table.Value
	// Columns are those of the rows, in their order; the database may call them otherwise.
	Columns query.Schema
}

// Relation is a table as a database has it.
type Relation struct {
	Path    []string // the name's parts: schema and table
	Columns []Stored
}

// Stored is a column of a Relation.
type Stored struct {
	query.Field // what queries know of it
	// Column is what the database calls it.
	Column string
	// Read is the SQL that gives the column's value in the field's type, {0} being the column; "" is the column itself.
	Read string
	// Holds is the SQL of a condition that is true for the values that the field's type holds, {0} being the column; ""
	// where it holds all. Others count as missing.
	Holds string
	// Refused says why no query over the column can be said exactly; "" where it can.
	Refused string
}

// Relations knows the tables of a database by the names that queries have for them.
type Relations interface {
	Relation(name string) (Relation, bool)
}

// Inexact is a query that a database would not compute as package run does, or not at all: it is to be run here.
type Inexact struct {
	Path string // of the part of the query, as findings have it
	Why  string // a sentence without a full stop
}

func (e *Inexact) Error() string {
	if e.Path == "" {
		return e.Why
	}
	return e.Path + ": " + e.Why
}

// Print writes a query for a database that holds all of its tables. The rows are those that package run gives, in the
// order of the query's last Sort, and in any order without one; floats that are sums, means or quotients may differ in
// their last digits. The error is *Inexact where the dialect cannot say a part of the query so.
func Print(q query.Query, tables Relations, dialect Dialect) (Statement, error) {
	w, ok := writers[dialect]
	if !ok {
		return Statement{}, &Inexact{Why: "there is no such dialect"}
	}
	p := &printer{writer: w, tables: tables}
	s, err := p.whole(query.Lower(q))
	if err != nil {
		return Statement{}, err
	}
	text := p.numbered(p.text(s))
	return Statement{Text: text, Args: p.ordered, Columns: s.schema()}, nil
}

// printer writes one query.
type printer struct {
	*writer
	tables  Relations
	args    []table.Value
	ordered []table.Value // args in the order of their marks, where the dialect does not number them
	aliases int
	depth   int
	size    int // of what was written, to end in time
}

// maxPrinted bounds the text of a statement, in bytes.
const maxPrinted = 1 << 20

// refuse is what cannot be said.
func refuse(format string, args ...any) error { return &Inexact{Why: fmt.Sprintf(format, args...)} }

// inPart adds a part to the path of what is refused.
func inPart(part string, err error) error {
	if e, is := err.(*Inexact); is { //nolint:errorlint // made here, never wrapped
		path := part
		if e.Path != "" {
			path = part + "." + e.Path
		}
		return &Inexact{Path: path, Why: e.Why}
	}
	return err
}

// whole prints a query whose order is that of its rows.
func (p *printer) whole(q query.Query) (*selection, error) {
	s, err := p.query(q, nil)
	if err == nil && s.lost {
		return nil, refuse("the order would be lost in a subquery")
	}
	return s, err
}

// alias is a new name for a relation.
func (p *printer) alias() string {
	p.aliases++
	return "r" + strconv.Itoa(p.aliases)
}

// mark stands for an argument until the text is whole.
func (p *printer) mark(v table.Value) string {
	p.args = append(p.args, v)
	return "\x00" + strconv.Itoa(len(p.args)) + "\x00"
}

// numbered writes the marks as the dialect has them, and keeps the arguments that have one.
func (p *printer) numbered(text string) string {
	parts := strings.Split(text, "\x00")
	numbers := map[string]string{}
	for i := 1; i < len(parts); i += 2 {
		n, seen := numbers[parts[i]]
		if !seen || p.mark1 == "" {
			at, _ := strconv.Atoi(parts[i])
			p.ordered = append(p.ordered, p.args[at-1])
			n = strconv.Itoa(len(p.ordered))
			numbers[parts[i]] = n
		}
		if parts[i] = p.mark1 + n; p.mark1 == "" {
			parts[i] = "?"
		}
	}
	return strings.Join(parts, "")
}

// name is a quoted name.
func (p *printer) name(s string) string {
	q := p.quote
	return q + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), q, q+q) + q
}

// enter bounds the depth of a query and the length of its text.
func (p *printer) enter(written int) error {
	p.depth++
	p.size += written
	if p.depth > query.MaxDepth || p.size > maxPrinted {
		return refuse("the statement would be too long or too deep")
	}
	return nil
}
