// Package sql reads SELECT statements as people and models write them, in the dialects of SQLite and PostgreSQL,
// and makes them
// queries of the algebra (package query). No text is ever executed.
//
// Reading has two passes. The first makes a syntax tree; what it cannot read is an *Error with its place and,
// where one is known,
// what to write instead. The second gives names their meaning: it knows the tables' columns, so a name is looked
// up in the
// relations around it, joins become joins, aggregates inside expressions become a group, and functions of either
// dialect become
// those of the algebra. What has no counterpart there is a finding. All findings are returned, not the first.
//
// Where the dialects differ, Options.Dialect decides. DialectAuto takes PostgreSQL's meaning when the text has
// something that
// only PostgreSQL reads (ILIKE, ::, INTERVAL, EXTRACT, DATE_TRUNC ...), else SQLite's. They differ in where NULL
// stands in an order
// (first in SQLite, last in PostgreSQL, when ascending) and in whether LIKE tells upper case from lower (only
// PostgreSQL does).
//
// The text, its nesting, the relations joined and the uses of WITH are bounded, so reading ends in bounded time
// and memory.
package sql
