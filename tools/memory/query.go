package memory

import "math"

// maxQueryWords bounds the words that a query is searched by; further ones are not looked at, and the result says so.
const maxQueryWords = 32

// queryWord is a word that is looked for.
type queryWord struct {
	surface string
	stem    string // "" for a stop word
	whole   string // the CamelCase word that this one is a part of; "" for a word of its own
	close   []closeWord
	unknown bool    // no memory has it, or another inflection of it
	df      int     // memories that have it in any form
	idf     float64 // of BM25
	weight  float64 // what it counts in the relevance score
}

// closeWord is a word of the owner's vocabulary that may be meant.
type closeWord struct {
	word    string
	quality float64
}

// How well a form of a word matches, and so how much of the word's weight a memory gets for it. A word counts once, by its
// best form. Own choice: they order the forms, and keep a memory that has all words as stems (90) above one that lacks one word
// of four (75).
const (
	qualityWritten   = 1.0 // as written, but for case and accents
	qualityInflected = 0.9 // another inflection, or a part of a CamelCase word
	qualityTypo      = 0.7 // one or two letters differ
	qualityPart      = 0.6 // the beginning or the end of a longer word
)

// parseQuery returns the distinct words that a query looks for, and how many there would be without the bound. Nothing in a
// query is syntax. Stop words, and words that name the asking itself, are left out unless there are no others.
func parseQuery(query string) (words []queryWord, all int) {
	var said, rest []queryWord
	seen := map[string]bool{}
	add := func(w queryWord) {
		if seen[w.surface] {
			return
		}
		seen[w.surface] = true
		if w.stem == "" || fillers[w.surface] {
			rest = append(rest, w)
		} else {
			said = append(said, w)
		}
	}
	list := tokens(query)
	for i := 0; i < len(list); i++ {
		t := list[i]
		from := i + 1
		for i+1 < len(list) && list[i+1].surface == "" {
			i++
		}
		if parts := list[from : i+1]; len(parts) > 0 {
			for _, p := range parts {
				add(queryWord{surface: p.stem, stem: p.stem, whole: t.surface})
			}
			continue
		}
		add(queryWord{surface: t.surface, stem: t.stem})
	}
	if len(said) == 0 {
		said = rest
	}
	return said[:min(len(said), maxQueryWords)], len(said)
}

// written are the terms of memories that have the word as the query has it.
func (w *queryWord) written() []string {
	if w.whole != "" {
		return []string{asWritten + w.surface, asWritten + w.whole}
	}
	return []string{asWritten + w.surface}
}

// forms are the terms of memories that have the word or another inflection of it.
func (w *queryWord) forms() []string {
	if w.stem == "" {
		return w.written()
	}
	return []string{inflected + w.stem}
}

// all are the terms of memories that have the word in any form, also with words that may be meant.
func (w *queryWord) all() []string {
	terms := append(w.forms(), w.written()...)
	for _, c := range w.close {
		terms = append(terms, asWritten+c.word)
	}
	return terms
}

// priorMemories is added to the number of memories when a word's weight is computed. Without it a word that one of two memories
// has would weigh next to nothing, and scores would change with every memory that is added. Own choice.
const priorMemories = 100

// weigh computes a word's idf and weight from how many of n memories have it.
//
// idf is that of BM25, ln(1 + (n - df + 0.5)/(df + 0.5)): Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009, section 3.2, with the 1 that Lucene adds so that no word counts against a memory.
//
// The weight is between 0.25 and 1: a quarter for being there, and the rest by how rare the word is, as the share of the idf
// that a word in no memory at all would have.
func (w *queryWord) weigh(n int64) {
	w.idf = idf(n, w.df)
	w.weight = 0.25 + 0.75*idf(n+priorMemories, w.df)/idf(n+priorMemories, 0)
}

func idf(n int64, df int) float64 {
	d := min(float64(df), float64(n))
	return math.Log1p((float64(n) - d + 0.5) / (d + 0.5))
}
