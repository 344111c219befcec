// Package offline plans without a model: questions over tables, calls of any tool by its schema, chains of both, and
// follow-ups. Planner is deterministic, and says no or asks where a word of the message has no place in a plan. Shortlist chooses
// the tools that a message speaks of, for the prompts of planners that ask a model.
package offline
