// Package retrieval finds the tools that a message speaks of, among up to thousands: by the words of their names, descriptions and
// arguments (BM25F: Robertson, Zaragoza and Taylor, 2004), by words that mean nearly the same, by what message and tool mean as a
// whole, and by what one tool needs and another gives.
//
// What a text means is a vector of 128 dimensions, the sum of vectors of its words and pieces of words (Model2Vec: Tulkens and van
// Dongen, 2024), which were fitted to a sentence encoder; which words mean nearly the same is computed from the meanings and glosses
// of WordNet 3.0 (Princeton University). Both are made by bench/retrieval/train, where it says from which texts, and embedded:
// 2.7 MB. No text that they were learnt from is kept. NOTICE has the licences.
//
// Everything is deterministic: the same message and tools give the same hits, whatever came before.
package retrieval
