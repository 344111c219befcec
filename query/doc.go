// Package query is the algebra of questions over tables: what can be computed, checked before it runs, and said in
// words.
//
// A Query is a pipeline: rows come from a table and go through stages (filter, derive, group, window, join ...), each
// of which may follow any other. Expressions inside the stages are one tree for conditions, arithmetic, text, time
// and subqueries. Whoever plans writes a Query: a model by SQL (package sql), the reader of questions and the metrics
// of a semantic model by the constructors here. Check finds every fault with its place before anything runs; package
// run computes the rows.
//
// Queries and expressions are values that nothing changes after they are made: they may be shared between goroutines
// and kept.
package query
