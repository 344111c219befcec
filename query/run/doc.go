// Package run computes the rows of a query.
//
// A relation is a table: its columns are Arrow arrays, which stages share where they do not change them. Expressions
// are compiled for the types of the relation that they stand in and evaluated over blocks of rows, each operation
// over typed slices, on all processors. Integers and decimals are exact: where 64 bits do not hold a result, the
// expression is computed again with decimals of 38 digits, and where these do not suffice with doubles, which a note
// says. Grouping, ordering, matching and gathering rows are those of package table.
//
// Memory is drawn from the table.Work of the context before it is allocated, and a run without one begins its own. A
// run ends with its context. Joins without a key that is equal on both sides and subqueries that run again and again
// are bounded by Limits.
package run
