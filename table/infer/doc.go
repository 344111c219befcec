// Package infer reads the texts of cells: as numbers, also with currencies, percents, separators and scales; as
// dates, date-times, times and durations; as booleans; and whole columns of them as the narrowest type that holds
// every cell exactly. It is the only reader of numbers and dates, so that a cell, a literal of a query and an answer
// mean the same.
//
// A Column guesses its Kind from the first cells, parses as it reads and falls back to Texts, which look at all cells
// before they choose. Where a column can be read in two ways (01/02/2024) it stays text, and a note says why.
package infer
