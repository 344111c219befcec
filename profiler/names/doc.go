// Package names finds out what abbreviated column names stand for: VndrPhNo is the vendor phone number.
//
// A name is taken for the output of a noisy channel. A language model over the words of column names (words, pairs,
// triples, and the words of the same table) says how likely an expansion is; a channel says how likely a word is
// shortened to a piece of the name, by what was seen and, beyond that, by which letters people drop. Both are searched
// together by a beam over all ways to cut the name, so that run-together names (custname) are cut where their words
// end.
//
// The weights are counts, learnt by go -C bench run ./names/train from what public repositories call their columns
// (data dictionaries, comments of schemas, mappings of columns to fields, labels of forms, glossaries: go -C bench run
// ./names/pairs collects them). A word and a short form are learnt that at least two sources have; abbreviations.tsv
// adds what lists of terms and short forms say, attested.tsv what business calls otherwise. Common words of English
// come from SCOWL's lists: Copyright 2000-2011 by Kevin Atkinson, who permits to use, copy, modify, distribute and sell
// them and the output created from them for any purpose without fee, provided that this notice appears in all copies.
package names
