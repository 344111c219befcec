// Package link finds what stretches of a message may mean: schema linking, with numbers, periods and values.
//
// [Tokenize] takes a message apart. [Scope.Spans] then says which tokens may be words of a lexicon, names of tables and
// columns of a semantic model, values of those columns, numbers and periods. Spans overlap: a grammar composes those
// that go together. [Skips] says what it means to pass over the other words.
//
// No word of a language stands in the code: lexicons are the files below data.
package link
