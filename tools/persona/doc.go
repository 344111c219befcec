// Package persona keeps personas, the relationships between them and what they said to each other, and offers them as tools,
// resources, prompts and live tables.
//
// A persona has an attachment style and the Big Five traits. A relationship is between two personas, without a direction: three
// levels of 0 to 10 (trust, intimacy, strength), the mean emotional valence of its interactions, and when the last one was. An
// interaction is one message with a valence of -1 to 1. All of it belongs to an owner, and nothing of another owner is seen.
//
// What is said about compatibility, strategies, goals and climate follows rules that are written beside them; they are rules of
// thumb over the numbers, the same for the same data, and no clinical assessment.
//
// A Store keeps the data: Embedded over documents (internal/store), or tools/persona/neo4j. Both pass personatest.
package persona
