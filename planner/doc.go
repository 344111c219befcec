// Package planner turns a message, the tools and the facts about tables into a valid plan.
//
// Planners compose: Fallback tries one after the other, Cached remembers, LLM asks a model through a Completer; the one of
// planner/offline needs no model at all. All of them speak planner/plan's Request and Response, so that the turn above them does not know
// which one answered. With a model set the chain is
//
//	Fallback(Within(&Cached{Planner: &LLM{...}, ...}, budget), offline.New(), Within(&Direct{...}, budget))
//
// and the offline one alone without. Whatever a model writes is parsed, mended where it has one reading, and validated before it
// is a plan; what it says besides is text only. No text of a table's cell enters a prompt (see LLM).
//
// Completers compose too: Budget counts and bounds what turns and callers use, Hedged has a second model beside the first, Breaker
// gives one that fails a rest. With all of them that is
//
//	budget.Limit(&Hedged{First: &Breaker{Completer: first}, Second: &Breaker{Completer: second}})
//
// Cached and LLM are Replanners: they plan anew what failed in a turn, within what the first plan was allowed to do.
package planner
