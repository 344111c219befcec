package sql

import (
	"time"

	"catena/query"
)

// Dialect is whose SQL a text is where the two differ.
type Dialect uint8

// The dialects. DialectAuto tells them apart by the text.
const (
	DialectAuto Dialect = iota
	DialectSQLite
	DialectPostgreSQL
	DialectMySQL // and MariaDB's; it is written, and not read
)

// Options are what reading depends on beside the text and the tables.
type Options struct {
	// Now is the present, for CURRENT_DATE, now() and date('now'): no clock is asked. The zero time makes those a
	// finding.
	Now     time.Time
	Dialect Dialect
}

// Codes of findings beside those of package query. The Path of a finding is its line and column: "2:15".
const (
	Unsupported = "unsupported" // it has no counterpart in the algebra
	Ungrouped   = "ungrouped"   // a column beside aggregates that is not grouped by
	QuotedText  = "quoted_text" // a name in double quotes that is no column, read as a text
)

// Parse makes a query of a SELECT statement. The error is an *Error where the text cannot be read. Findings say
// what is wrong
// with what it means; where one of them is not only a doubt, the query is not complete and must not run. Parse
// does not check
// types: query.Check does.
func Parse(text string, catalog query.Catalog, opts Options) (query.Query, []query.Finding, error) {
	tree, postgres, err := parse(text)
	if err != nil {
		return query.Query{}, nil, err
	}
	if opts.Dialect == DialectAuto {
		opts.Dialect = DialectSQLite
		if postgres {
			opts.Dialect = DialectPostgreSQL
		}
	}
	l := &lowerer{text: text, catalog: catalog, opts: opts}
	q, _ := l.query(tree, surroundings{})
	return q, l.findings, nil
}
