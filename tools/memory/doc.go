// Package memory lets a caller keep short texts and find them again: store_memory, search_memory, list_memories, update_memory,
// delete_memory, export_memories, a live table of them, and the prompt venom_identity.
//
// # Finding
//
// A memory is found by its words as they were written and by their stems, in a full-text index that holds nothing of other
// owners. Where a word of the query is rare, words of the owner's vocabulary that it begins or ends, or that differ by a slip,
// are looked for too. Results are ordered by their relevance score, then by BM25 (Robertson and Zaragoza 2009), then by age,
// the newest first.
//
// # The relevance score
//
// It is the share of the query that a memory covers, 0 to 100. Each word of the query has a weight between 0.25 and 1, by how
// rare it is among the owner's memories; stop words have none. A memory gets a word's whole weight when it has the word as
// written, 0.9 of it for another inflection (called: calls) or a part of a CamelCase word, 0.7 for a word that differs by a slip
// (Globx: Globex), 0.6 for a longer word that it begins or ends (pay: payment). So 100 means that every word is there as
// written, and 50 that half of what the query says is. It does not grow or shrink with the number of other memories by more
// than the weights do. Less than 10 is not returned.
//
// Words that more than a thousand memories have are looked up among the newest of these, and among those that have the query's
// other words; of memories that cover as much of the query, the 40 newest are compared by BM25.
//
// With an embedder, memories are also compared by the cosine of their vectors. The score is then the larger of the share covered
// and 100 times the cosine, and orders the results; where it is equal, the fusion of both orders by reciprocal rank (Cormack,
// Clarke and Büttcher 2009) decides, then age. All vectors
// of the namespace are compared, some 3 µs each at 384 numbers (own measurement), so tens of thousands take a tenth of a second.
//
// # What is promised
//
// A memory that was acknowledged is on disk. Texts that say the same (but for case, spacing and punctuation) are kept once per
// namespace. A change keeps the former version; none is lost to another. Deleting removes the text, its versions, its index
// entries and its vector from the file, and, by Options.Forget, all tables by handle that were made of the owner's memories, as
// any of them may show it; what a chat session has shown stays in that session until it is deleted. A deletion that has begun is
// completed when its call is cancelled. Recalled text is marked as untrusted and never enters a planner's prompt.
package memory
