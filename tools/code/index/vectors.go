package index

// vectors are what an embedder made of chunks, by the key of their text.
type vectors struct{}
