// Package retrieval finds the tools that a message speaks of, among up to thousands: by the words of their names, descriptions and
// arguments (BM25F: Robertson, Zaragoza and Taylor, 2004), by words that mean nearly the same, and by what one tool needs and another
// gives.
//
// Which words mean nearly the same is computed from the meanings and glosses of WordNet 3.0 (Princeton University; no text of it is
// kept) by bench/retrieval/train. Everything is deterministic.
package retrieval
