// Package reader understands messages without a model.
//
// A message becomes tokens; stretches of them become spans, which say what words may mean: a word of the lexicon, a
// table, a column, a value, a number, a period (package link). The grammar, a data file, composes spans into readings
// in a chart. A ranker, whose weights are learnt, orders the readings, and each becomes a query of the algebra.
//
// No word of a language stands in the code: lexicons and grammar are files in folders named data.
package reader
