// Package names finds out what abbreviated column names stand for: VndrPhNo is the vendor phone number.
//
// A name is taken for the output of a noisy channel. A language model over the words of column names (words, pairs, triples, and the
// words of the same table) says how likely an expansion is; a channel says how likely a word is shortened to a piece of the name, by what
// was seen and, beyond that, by which letters people drop. Both are searched together by a beam over all ways to cut the name, so
// that run-together names (custname) are cut where their words end.
//
// The weights are counts, learnt by go run ./bench/names/train from the development halves of nameguess (Apache-2.0) and columbo
// (Apache-2.0), from the words and abbreviations in bench/names/learn, and from SCOWL's lists of common English words:
// Copyright 2000-2011 by Kevin Atkinson, who permits to use, copy, modify, distribute and sell them and the output created from them for
// any purpose without fee, provided that this notice appears in all copies.
package names
