// Package index holds what is known of a repository's files so that it can be searched: an inverted index over chunks, symbols, and the graph of
// dependencies. Snapshots are immutable; a changed file makes a new snapshot that shares the rest.
package index
