// Package text is what the rooms share about words: how they are folded, split, stemmed, compared and counted. It imports nothing of ours, and its
// functions are pure: safe for concurrent use.
package text
